/// volnav/draw/frames.c: walls, movers in their colours, where each of them can get to, agent, goal and path.
#include "draw/frames.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "draw/picture.h"
#include "draw/sheet.h"
#include "draw/svg.h"
#include "shell/say.h"
#include "shell/system.h"

#define TOP    112.0
#define GAP    40.0 // between the frames of a row
#define LABEL  34.0 // above each frame
#define BOTTOM 88.0

typedef struct canvas {
    svg_text* out;
    const frames_plan* plan;
    vn_moving_scene_info info;
    double scale, wide, high; ///< pixels to a metre; of one frame
    double left, top;         ///< of the frame that is drawn
} canvas;

typedef struct spot {
    double x, y;
} spot;

static spot spot_of(const canvas* c, double x, double y) {
    return (spot){c->left + (x - (double)c->info.bounds.min.x) * c->scale,
                  c->top + ((double)c->info.bounds.max.y - y) * c->scale};
}

static void add_box(canvas* c, const vn_box* b, const char* style) {
    const spot a = spot_of(c, (double)b->min.x, (double)b->max.y),
               z = spot_of(c, (double)b->max.x, (double)b->min.y);
    svg_add(c->out, "<path %s d=\"M%.1f %.1fH%.1fV%.1fH%.1fz\"/>\n", style, a.x, a.y, z.x, z.y, a.x);
}

// ------------------------------------------------------------------------------------------------ movers

/// A corner of a box, turned and moved.
static spot corner_of(const canvas* c, const vn_mover_state* s, vn_vec3 half, int corner) {
    const vn_quat q = s->transform.rotation;
    const double x = (double)(corner & 1 ? half.x : -half.x), y = (double)(corner & 2 ? half.y : -half.y),
                 z = (double)(corner & 4 ? half.z : -half.z);
    const double qx = (double)q.x, qy = (double)q.y, qz = (double)q.z, qw = (double)q.w;
    const double tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
    return spot_of(c, (double)s->transform.position.x + x + qw * tx + qy * tz - qz * ty,
                   (double)s->transform.position.y + y + qw * ty + qz * tx - qx * tz);
}

static int compare_spots(const void* a, const void* b) {
    const spot *p = a, *q = b;
    return p->x != q->x ? (p->x < q->x ? -1 : 1) : (p->y > q->y) - (p->y < q->y);
}

/// Drops the last corners of a chain that do not turn towards the next one.
static size_t turn_to(const spot* hull, size_t first, size_t count, spot next) {
    while (count >= first + 2) {
        const spot a = hull[count - 2], b = hull[count - 1];
        if ((b.x - a.x) * (next.y - a.y) - (b.y - a.y) * (next.x - a.x) > 1e-6) {
            break;
        }
        --count;
    }

    return count;
}

/// The outline of eight corners: the lower chain, then the upper one. Returns how many.
static size_t outline(spot corners[8], spot hull[16]) {
    size_t count = 0;
    qsort(corners, 8, sizeof *corners, compare_spots);
    for (int i = 0; i < 8; ++i) {
        count = turn_to(hull, 0, count, corners[i]);
        hull[count++] = corners[i];
    }

    const size_t lower = count - 1;
    for (int i = 6; i >= 0; --i) {
        count = turn_to(hull, lower, count, corners[i]);
        hull[count++] = corners[i];
    }

    return count - 1;
}

/// One that is away is dashed.
static void add_mover(canvas* c, const vn_mover_info* info, const vn_mover_state* s) {
    spot corners[8], hull[16];
    assert(info->shape.kind == VN_SHAPE_BOX);
    for (int i = 0; i < 8; ++i) {
        corners[i] = corner_of(c, s, info->shape.as.box.max, i);
    }

    const size_t count = outline(corners, hull);
    svg_add(c->out, "<path %s=\"#%06x\" %s d=\"",
            s->present ? "fill" : "fill=\"none\" stroke-dasharray=\"5 5\" stroke",
            (unsigned)(info->color >> 8),
            s->present ? "fill-opacity=\".88\" stroke=\"#fff\" stroke-opacity=\".55\"" : "");
    for (size_t i = 0; i < count; ++i) {
        svg_add(c->out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', hull[i].x, hull[i].y);
    }

    svg_add(c->out, "z\"/>\n");
}

static void add_movers(canvas* c, double seconds) {
    for (uint32_t i = 0; i < c->info.movers; ++i) {
        vn_mover_info info;
        char style[96];
        vn_moving_scene_get_mover(c->plan->scene, i, &info);
        snprintf(style, sizeof style, "fill=\"#%06x\" fill-opacity=\".13\"", (unsigned)(info.color >> 8));
        add_box(c, &info.reach, style);
    }

    for (uint32_t i = 0; i < c->info.movers; ++i) {
        vn_mover_info info;
        vn_mover_state state;
        vn_moving_scene_get_mover(c->plan->scene, i, &info);
        if (vn_moving_scene_get_state(c->plan->scene, i, seconds, NULL, &state) == VN_OK) {
            add_mover(c, &info, &state);
        }
    }
}

// ---------------------------------------------------------------------------------------------- one frame

static void add_ball(canvas* c, vn_vec3 at, const char* colour) {
    const spot p = spot_of(c, (double)at.x, (double)at.y);
    svg_add(c->out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"2\"/>\n", p.x,
            p.y, colour);
}

static void add_path(canvas* c, const frames_one* f) {
    svg_add(c->out,
            "<path fill=\"none\" stroke=\"#ffb347\" stroke-width=\"3\" stroke-linejoin=\"round\" d=\"");
    for (uint32_t i = 0; i < f->count; ++i) {
        const spot p = spot_of(c, f->points[i].x, f->points[i].y);
        svg_add(c->out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', p.x, p.y);
    }

    svg_add(c->out, "\"/>\n");
}

static void add_frame(canvas* c, const frames_one* f) {
    vn_vec3 goal;
    svg_add(c->out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" fill=\"#dce6f7\">%g s: %.1f m</text>\n",
            c->left, c->top - 10, f->seconds, f->length);
    add_box(c, &c->info.bounds, "fill=\"#22385a\" stroke=\"#9fc0ee\" stroke-opacity=\".6\"");
    for (uint32_t i = 0; i < c->info.walls; ++i) {
        const vn_box wall = vn_moving_scene_wall(c->plan->scene, i);
        add_box(c, &wall, "fill=\"#f2f2f2\"");
    }

    add_movers(c, f->seconds);
    if (f->points != NULL) {
        add_path(c, f);
    }

    add_ball(c, c->info.start, "#1e6b3a");
    if (vn_moving_scene_get_goal(c->plan->scene, f->seconds, &goal, NULL) == VN_OK) {
        add_ball(c, goal, "#f08c1e");
    }
}

/// One row for each colour, in the order in which the movers have them.
static void add_legend(canvas* c, double height) {
    static const char* const words[] = {"stands", "patrols", "turns about ", "blinks (dashed: away)",
                                        "drifts", "orbits"};
    uint32_t last = 0;
    double x = SHEET_SIDE - 8;
    for (uint32_t i = 0; i < c->info.movers; ++i) {
        vn_mover_info info;
        char mark[96];
        vn_moving_scene_get_mover(c->plan->scene, i, &info);
        if (info.color != last) {
            snprintf(mark, sizeof mark, "<rect x=\"4\" y=\"-9\" width=\"30\" height=\"18\" fill=\"#%06x\"/>",
                     (unsigned)(info.color >> 8));
            sheet_begin_row(c->out, x, height - 40, mark);
            svg_add(c->out, "%s%.1s", words[info.kind], info.axis >= 0 ? &"xyz"[info.axis] : "");
            sheet_end_row(c->out);
            x += 180;
        }
        last = info.color;
    }
}

static void compose(canvas* c) {
    const vn_box* b = &c->info.bounds;
    c->wide = (SHEET_WIDTH - 2 * SHEET_SIDE - GAP) / 2;
    c->scale = c->wide / ((double)b->max.x - (double)b->min.x);
    c->high = ((double)b->max.y - (double)b->min.y) * c->scale;
    const uint32_t rows = (c->plan->count + 1) / 2;
    const double height = ceil(TOP + rows * (LABEL + c->high) + BOTTOM);
    sheet_begin(c->out, c->plan->title, height);
    sheet_begin_title(c->out, c->plan->title);
    svg_add(c->out,
            "From the front, %g m deep. White: walls. Pale: where an obstacle can get to. Agent green, goal "
            "orange; the path as it is then.</text>\n",
            (double)b->max.z - (double)b->min.z);

    for (uint32_t i = 0; i < c->plan->count; ++i) {
        c->left = SHEET_SIDE + i % 2 * (c->wide + GAP);
        c->top = TOP + LABEL + i / 2 * (c->high + LABEL);
        add_frame(c, &c->plan->frames[i]);
    }

    add_legend(c, height);
    sheet_scale_bar(c->out, height, c->scale, "");
    svg_add(c->out, "</svg>\n");
}

int frames_write(const char* path, const frames_plan* plan) {
    system_output output;
    svg_text text = {0};
    canvas c = {.out = &text, .plan = plan};
    int code = picture_check_name(path);
    if (code == EXIT_DONE) {
        code = system_create(path, &output);
    }

    if (code == EXIT_DONE) {
        vn_moving_scene_get_info(plan->scene, &c.info);
        compose(&c);
        fwrite(text.data, 1, text.size, output.file);
        code = system_commit(&output);
    }

    svg_free(&text);
    return code;
}
