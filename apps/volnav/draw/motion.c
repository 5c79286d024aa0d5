/// volnav/draw/motion.c: boxes, agents and paths over time.
///
/// Everything is animated by SVG itself (SMIL): a list of times as parts of the whole, and a list of values.
#include "draw/motion.h"

#include <assert.h>
#include <math.h>

#include "draw/picture.h"
#include "draw/sheet.h"
#include "draw/svg.h"
#include "shell/say.h"

#define TOP    112.0
#define BOTTOM 78.0
#define FADE   0.7  // seconds for which a blocked path stays in sight
#define LEAST  0.12 // a path that was valid for less is not seen

typedef struct canvas {
    svg_text* out;
    const motion_plan* plan;
    double scale, height; ///< scale: pixels to a metre
} canvas;

void motion_add(motion_key** keys, size_t* count, size_t* capacity, motion_key key) {
    if (*count == *capacity) {
        *capacity = 2 * *capacity + 16;
        *keys = say_resize(*keys, *capacity, sizeof **keys);
    }
    (*keys)[(*count)++] = key;
}

static double pixel_x(const canvas* c, double x) {
    return SHEET_SIDE + x * c->scale;
}

static double pixel_z(const canvas* c, double z) {
    return TOP + z * c->scale;
}

// ------------------------------------------------------------------------------------------------- still

static void add_floor(canvas* c) {
    const motion_plan* p = c->plan;
    svg_add(c->out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#2c4568\" stroke=\"#9fc0ee\" "
            "stroke-opacity=\".6\"/>\n<path fill=\"#05080f\" d=\"",
            SHEET_SIDE, TOP, p->wide * c->scale, p->deep * c->scale);
    for (size_t i = 0; i < p->wall_count; ++i) {
        const motion_wall* w = &p->walls[i];
        svg_add(c->out, "M%.1f %.1fH%.1fV%.1fH%.1fz", pixel_x(c, w->x0), pixel_z(c, w->z0), pixel_x(c, w->x1),
                pixel_z(c, w->z1), pixel_x(c, w->x0));
    }

    svg_add(c->out, "\"/>\n");
}

static void begin_row(canvas* c, int column, const char* mark) {
    sheet_begin_row(c->out, SHEET_SIDE - 8 + 210.0 * column, c->height - 40, mark);
}

static void add_legend(canvas* c) {
    begin_row(c, 0, "<rect x=\"4\" y=\"-9\" width=\"26\" height=\"18\" rx=\"2\" fill=\"#8a7fc0\"/>");
    svg_add(c->out, "moving obstacle");
    sheet_end_row(c->out);
    begin_row(c, 1, "<path d=\"M0 0H34\" stroke=\"#ffb347\" stroke-width=\"3\"/>");
    svg_add(c->out, "path of an agent");
    sheet_end_row(c->out);
    begin_row(c, 2, "<path d=\"M0 0H34\" stroke=\"#ff3b3b\" stroke-width=\"3\"/>");
    svg_add(c->out, "blocked: searched again");
    sheet_end_row(c->out);
}

// ------------------------------------------------------------------------------------------------ moving

static void begin_animation(canvas* c, const char* element, const char* rest) {
    svg_add(c->out, "<%s %s dur=\"%.2fs\" repeatCount=\"indefinite\"", element, rest, c->plan->seconds);
}

static void add_times(canvas* c, const motion_key* keys, size_t count) {
    svg_add(c->out, " keyTimes=\"");
    for (size_t i = 0; i < count; ++i) {
        svg_add(c->out, "%s%.4g", i == 0 ? "" : ";", keys[i].seconds / c->plan->seconds);
    }
    svg_add(c->out, "\"");
}

/// Moves what it is inside of along the keys, the first of which is at 0 and the last at the end.
static void add_motion(canvas* c, const motion_body* body) {
    assert(body->count > 1 && body->keys[0].seconds <= 0);
    begin_animation(c, "animateTransform", "attributeName=\"transform\" type=\"translate\"");
    add_times(c, body->keys, body->count);
    svg_add(c->out, " values=\"");
    for (size_t i = 0; i < body->count; ++i) {
        svg_add(c->out, "%s%.1f %.1f", i == 0 ? "" : ";", pixel_x(c, body->keys[i].x),
                pixel_z(c, body->keys[i].z));
    }
    svg_add(c->out, "\"/>");
}

static void add_box(canvas* c, const motion_body* box) {
    const double wide = box->wide * c->scale, deep = box->deep * c->scale;
    svg_add(c->out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"#8a7fc0\" "
            "transform=\"translate(%.1f %.1f)\">",
            -wide / 2, -deep / 2, wide, deep, pixel_x(c, box->keys[0].x), pixel_z(c, box->keys[0].z));
    add_motion(c, box);
    svg_add(c->out, "</rect>\n");
}

static void add_agent(canvas* c, size_t i) {
    const motion_body* agent = &c->plan->agents[i];
    const motion_key* last = &agent->keys[agent->count - 1];
    svg_add(c->out,
            "<path transform=\"translate(%.1f %.1f)\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"2\" "
            "d=\"M0-9l9 9-9 9-9-9z\"/>\n",
            pixel_x(c, last->x), pixel_z(c, last->z), sheet_colour((uint32_t)i));
    svg_add(
        c->out,
        "<circle r=\"8\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"2\" transform=\"translate(%.1f %.1f)\">",
        sheet_colour((uint32_t)i), pixel_x(c, agent->keys[0].x), pixel_z(c, agent->keys[0].z));
    add_motion(c, agent);
    svg_add(c->out, "</circle>\n");
}

/// Seen from its beginning to its end, and red for a while after it if it was blocked.
static void add_span(canvas* c, const motion_path* path) {
    const double whole = c->plan->seconds, from = path->begin / whole, turn = path->end / whole;
    const double to = fmin((path->end + (path->blocked ? FADE : 0)) / whole, 1);
    begin_animation(c, "animate", "attributeName=\"opacity\" calcMode=\"discrete\"");
    if (from > 0) {
        svg_add(c->out, " keyTimes=\"0;%.4g;%.4g\" values=\"0;1;0\"/>", from, to);
    } else {
        svg_add(c->out, " keyTimes=\"0;%.4g\" values=\"1;0\"/>", to);
    }

    if (path->blocked) {
        begin_animation(c, "animate", "attributeName=\"stroke\" calcMode=\"discrete\"");
        svg_add(c->out, " keyTimes=\"0;%.4g\" values=\"%s;#ff3b3b\"/>", turn,
                sheet_colour((uint32_t)path->agent));
    }
}

static void add_path(canvas* c, const motion_path* path) {
    svg_add(c->out, "<path%s stroke=\"%s\" d=\"", path->begin <= 0 ? "" : " opacity=\"0\"",
            sheet_colour((uint32_t)path->agent));
    for (size_t i = 0; i < path->count; ++i) {
        svg_add(c->out, "%c%.0f %.0f", i == 0 ? 'M' : 'L', pixel_x(c, path->points[i].x),
                pixel_z(c, path->points[i].z));
    }

    svg_add(c->out, "\">");
    add_span(c, path);
    svg_add(c->out, "</path>\n");
}

static void add_paths(canvas* c) {
    svg_add(c->out,
            "<g fill=\"none\" stroke-width=\"3\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    for (size_t i = 0; i < c->plan->path_count; ++i) {
        if (c->plan->paths[i].end - c->plan->paths[i].begin > LEAST) {
            add_path(c, &c->plan->paths[i]);
        }
    }

    svg_add(c->out, "</g>\n");
}

// --------------------------------------------------------------------------------------------- the whole

static void compose(canvas* c) {
    const motion_plan* plan = c->plan;
    c->scale = (SHEET_WIDTH - 2 * SHEET_SIDE) / plan->wide;
    c->height = ceil(TOP + plan->deep * c->scale + BOTTOM);
    sheet_begin(c->out, plan->title, c->height);
    add_floor(c);
    add_paths(c);
    for (size_t i = 0; i < plan->box_count; ++i) {
        add_box(c, &plan->boxes[i]);
    }

    for (size_t i = 0; i < plan->agent_count; ++i) {
        add_agent(c, i);
    }

    sheet_begin_title(c->out, plan->title);
    svg_add_escaped(c->out, plan->subtitle);
    svg_add(c->out, "</text>\n");
    add_legend(c);
    sheet_scale_bar(c->out, c->height, c->scale, "");
    svg_add(c->out, "</svg>\n");
}

int motion_write(const char* path, const motion_plan* plan) {
    svg_text text = {0};
    canvas c = {.out = &text, .plan = plan};
    compose(&c);
    return picture_save(path, &text);
}
