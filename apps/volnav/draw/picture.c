/// volnav/draw/picture.c: composing the picture.
#include "draw/picture.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "draw/outline.h"
#include "draw/picture_inside.h"
#include "draw/sheet.h"
#include "draw/surface.h"
#include "draw/svg.h"
#include "draw/view.h"
#include "shell/say.h"
#include "shell/system.h"
#include "shell/text.h"

#define TOP       112.0 // below the title
#define BOTTOM    64.0
#define CORNER    380.0 // width of the axes and the scale at the lower right
#define MAX_BYTES 1600000u

// --------------------------------------------------------------------------------------------- backdrop

/// Where an end is drawn: where it is, or at the edge of the picture if it lies far outside.
static view_point place_mark(const canvas* c, int which) {
    const view_point p = view_of_position(c->v, c->plan->marks[which]);
    return (view_point){fmin(fmax(p.x, 0), c->v->size[0]), fmin(fmax(p.y, 0), c->v->size[1]),
                        fmin(fmax(p.z, 0), c->v->size[2])};
}

/// Does an end lie outside the space?
static bool shows_bounds(const picture_plan* plan) {
    vn_point point;
    bool outside = false;
    for (int i = 0; i < 2; ++i) {
        outside = outside || (picture_shows_mark(plan, i) &&
                              vn_space_point_from_world(plan->space, plan->marks[i], &point) != VN_OK);
    }

    return outside;
}

/// A corner of the space; the bits of `which` choose the higher end of x, y and z.
static view_point space_corner(const canvas* c, int which) {
    const vn_space_info* info = &c->v->info;
    const double r = (double)info->resolution;
    const vn_dvec3 p = {info->origin.x + info->low.x + (which & 1 ? r * info->dims.x : 0),
                        info->origin.y + info->low.y + (which & 2 ? r * info->dims.y : 0),
                        info->origin.z + info->low.z + (which & 4 ? r * info->dims.z : 0)};
    return view_of_position(c->v, p);
}

/// The first row in which anything is drawn.
static int first_row(const canvas* c) {
    const surface* s = c->s;
    int first = 2 * c->v->size[1]; // the floor begins here
    for (int u = 0; u < s->columns; ++u) {
        for (int w = 0; w < first; ++w) {
            const size_t at = surface_at(s, u, w);
            if (s->label[at] != 0 || s->veil[at] != 0 || s->haze[at] != 0 || s->shell_seen[at] != 0) {
                first = w;
            }
        }
    }

    for (uint32_t r = 0; r < c->plan->route_count; ++r) {
        for (uint32_t i = 0; i < c->plan->routes[r].count; ++i) {
            const int row = (int)view_v(c->v, view_of_point(c->v, c->plan->routes[r].points[i]));
            first = row < first ? row : first;
        }
    }

    for (int i = 0; i < 2; ++i) {
        const int row = (int)floor(view_v(c->v, place_mark(c, i)));
        first = picture_shows_mark(c->plan, i) && row < first ? row : first;
    }

    for (int i = 0; i < 8 && shows_bounds(c->plan); ++i) {
        const int row = (int)floor(view_v(c->v, space_corner(c, i)));
        first = row < first ? row : first;
    }

    return first;
}

/// How far down the floor reaches between two places across the picture; 0 where there is none of it.
static double floor_end(const canvas* c, double from, double to) {
    const pixel left = pixel_of(c, (view_point){0, 0, c->v->size[2]});
    const pixel low = pixel_of(c, (view_point){c->v->size[0], 0, c->v->size[2]});
    const pixel right = pixel_of(c, (view_point){c->v->size[0], 0, 0});
    if (to < left.x || from > right.x) {
        return 0;
    }

    const double at = from > low.x ? from : to < low.x ? to : low.x; // the floor ends in a corner, below it
    return low.y - fabs(at - low.x) * 0.57735;
}

/// The legend stands below the floor's lower left edge, axes and scale below the lower right one; the picture
/// grows when there is no room for them.
static void place_legend(canvas* c) {
    double wide = 0;
    const double high = ROW * picture_legend_rows(c, &wide);
    const double below = floor_end(c, 0, SIDE + wide) + ROW;
    const double corner = floor_end(c, WIDTH - SIDE - CORNER, WIDTH) + 130 - c->height;
    if (corner > 0) {
        c->height = ceil(c->height + corner);
    }

    c->legend = c->height - SIDE - high + ROW / 2;
    if (c->legend < below) {
        c->height = ceil(c->height + below - c->legend);
        c->legend = below;
    }
}

static void lay_out(canvas* c) {
    const int first = first_row(c);
    const double wide = c->v->columns * 0.8660254, high = (c->v->rows - first) * 0.5;
    const double fit_wide = (WIDTH - 2 * SIDE) / wide, fit_high = 860.0 / high;
    c->scale = fit_wide < fit_high ? fit_wide : fit_high;
    const double model = high * c->scale;
    c->height = ceil((model < 460 ? 460 : model) + TOP + BOTTOM);
    c->left = (WIDTH - wide * c->scale) / 2;
    c->top = TOP + (c->height - TOP - BOTTOM - model) / 2 - first * 0.5 * c->scale;
    place_legend(c);
}

static double metres_per_cell(const canvas* c) {
    return (double)c->v->info.resolution * (double)(1 << c->v->level);
}

static void add_segment(const canvas* c, view_point a, view_point b) {
    const pixel p = pixel_of(c, a), q = pixel_of(c, b);
    svg_add(c->out, "M%.1f %.1fL%.1f %.1f", p.x, p.y, q.x, q.y);
}

static void add_floor(canvas* c) {
    const double x1 = c->v->size[0], z1 = c->v->size[2];
    const double step =
        sheet_round_number((x1 > z1 ? x1 : z1) / 12 * metres_per_cell(c)) / metres_per_cell(c);
    svg_add(c->out, "<path fill=\"none\" stroke=\"#9fc0ee\" stroke-opacity=\".13\" d=\"");
    for (double x = 0; x < x1 + 1e-9; x += step) {
        add_segment(c, (view_point){x, 0, 0}, (view_point){x, 0, z1});
    }

    for (double z = 0; z < z1 + 1e-9; z += step) {
        add_segment(c, (view_point){0, 0, z}, (view_point){x1, 0, z});
    }

    svg_add(c->out, "\"/>\n<path fill=\"none\" stroke=\"#9fc0ee\" stroke-opacity=\".32\" d=\"");
    add_segment(c, (view_point){0, 0, 0}, (view_point){x1, 0, 0});
    add_segment(c, (view_point){0, 0, 0}, (view_point){0, 0, z1});
    add_segment(c, (view_point){x1, 0, 0}, (view_point){x1, 0, z1});
    add_segment(c, (view_point){0, 0, z1}, (view_point){x1, 0, z1});
    svg_add(c->out, "\"/>\n");
}

// ---------------------------------------------------------------------------------------------- obstacles

static void open_face(svg_text* out, uint16_t label) {
    const unsigned colour = (unsigned)surface_colour(label);
    svg_add(out, "<path fill=\"#%06x\" stroke=\"#%06x\"", colour, colour);
}

static void open_haze(svg_text* out, uint16_t label) {
    static const double opacity[] = {0, 0.045, 0.09, 0.135, 0.18, 0.24};
    svg_add(out, "<path fill-opacity=\"%.2f\"", opacity[label]);
}

static void open_veil(svg_text* out, uint16_t label) {
    static const double opacity[] = {0, 0.10, 0.06, 0.03};
    svg_add(out, "<path fill-opacity=\"%.2f\"", opacity[label]);
}

static void open_floor(svg_text* out, uint16_t label) {
    (void)label;
    svg_add(out, "<path fill-opacity=\".42\"");
}

static bool far_apart(const view* v, int32_t a, int32_t b) {
    if (a < 0 || b < 0) {
        return a != b;
    }
    const int depth = surface_depth(v, a) - surface_depth(v, b);
    return depth > 2 || depth < -2;
}

static bool face_edge(const view* v, const surface* s, size_t a, size_t b) {
    return far_apart(v, a == SIZE_MAX ? -1 : s->face[a], b == SIZE_MAX ? -1 : s->face[b]);
}

static bool ghost_edge(const view* v, const surface* s, size_t a, size_t b) {
    const int32_t x = a == SIZE_MAX ? -1 : s->ghost[a], y = b == SIZE_MAX ? -1 : s->ghost[b];
    return x >= 0 && y >= 0 && far_apart(v, x, y);
}

/// What follows is in lattice units; lines are `line` pixels wide.
static void begin_lattice(canvas* c, const char* fill, double line) {
    svg_add(c->out,
            "<g transform=\"matrix(%.5f 0 0 %.5f %.2f %.2f)\" fill=\"%s\" stroke-width=\"%.4f\" "
            "stroke-linejoin=\"round\">\n",
            0.8660254 * c->scale, 0.5 * c->scale, c->left, c->top, fill, line / (0.66 * c->scale));
}

static void add_obstacles(canvas* c) {
    begin_lattice(c, "#060b16", 0);
    outline_areas(c->out, c->v, c->s, c->s->floor, open_floor);
    svg_add(c->out, "</g>\n");
    begin_lattice(c, "none", 0.7);
    outline_areas(c->out, c->v, c->s, c->s->label, open_face);
    svg_add(c->out, "<path fill=\"none\" stroke=\"#101a2d\" stroke-opacity=\".6\" d=\"");
    outline_lines(c->out, c->v, c->s, face_edge);
    svg_add(c->out, "\"/>\n</g>\n");
}

static void add_haze(canvas* c) {
    begin_lattice(c, "#39c8ff", 0);
    outline_areas(c->out, c->v, c->s, c->s->haze, open_haze);
    svg_add(c->out, "</g>\n");
}

static void open_shell(svg_text* out, uint16_t label) {
    static const double opacity[] = {0, 0.10, 0.07, 0.04};
    svg_add(out, "<path fill-opacity=\"%.2f\"", opacity[label]);
}

static void open_tunnel(svg_text* out, uint16_t label) {
    static const double opacity[] = {0, 0.30, 0.20, 0.13};
    svg_add(out, "<path fill-opacity=\"%.2f\"", opacity[label]);
}

static bool box_edge(const int32_t* face, const uint16_t* seen, size_t a, size_t b) {
    const int32_t x = a == SIZE_MAX ? -1 : face[a], y = b == SIZE_MAX ? -1 : face[b];
    return x != y && ((a != SIZE_MAX && seen[a] != 0) || (b != SIZE_MAX && seen[b] != 0));
}

static bool shell_edge(const view* v, const surface* s, size_t a, size_t b) {
    (void)v;
    return box_edge(s->shell, s->shell_seen, a, b);
}

static bool tunnel_edge(const view* v, const surface* s, size_t a, size_t b) {
    (void)v;
    return box_edge(s->tunnel, s->tunnel_seen, a, b);
}

/// What a cells search expanded: faint boxes, and those of the corridor brighter.
static void add_boxes(canvas* c) {
    if (c->v->box_count == 0) {
        return;
    }

    if (!picture_hides_boxes(c->v)) {
        begin_lattice(c, "#39c8ff", 0.9);
        outline_areas(c->out, c->v, c->s, c->s->shell_seen, open_shell);
        svg_add(c->out, "<path fill=\"none\" stroke=\"#39c8ff\" stroke-opacity=\".33\" d=\"");
        outline_lines(c->out, c->v, c->s, shell_edge);
        svg_add(c->out, "\"/>\n</g>\n");
    }

    begin_lattice(c, "#ffb347", 1.4);
    outline_areas(c->out, c->v, c->s, c->s->tunnel_seen, open_tunnel);
    svg_add(c->out, "<path fill=\"none\" stroke=\"#ffd08a\" stroke-opacity=\".75\" d=\"");
    outline_lines(c->out, c->v, c->s, tunnel_edge);
    svg_add(c->out, "\"/>\n</g>\n");
}

static void add_ghosts(canvas* c) {
    begin_lattice(c, "#dfeaff", 0.8);
    outline_areas(c->out, c->v, c->s, c->s->veil, open_veil);
    svg_add(c->out, "<path fill=\"none\" stroke=\"#dfeaff\" stroke-opacity=\".25\" d=\"");
    outline_lines(c->out, c->v, c->s, ghost_edge);
    svg_add(c->out, "\"/>\n</g>\n");
}

// -------------------------------------------------------------------------------------------------- paths

/// The point straight below, on the first surface or the floor.
static view_point ground_below(const view* v, view_point p, bool* seen, const surface* s) {
    const int x = (int)floor(p.x), z = (int)floor(p.z);
    int y = (int)floor(p.y);
    if (x < 0 || z < 0 || x >= v->size[0] || z >= v->size[2]) {
        *seen = false;
        return p;
    }

    y = y < v->size[1] ? y : v->size[1] - 1;
    while (y > 0 && (view_cell(v, x, y - 1, z) & VIEW_BLOCKED) == 0) {
        --y;
    }

    y = y < 0 ? 0 : y;
    *seen = surface_top_seen(v, s, x, y - 1, z);
    return (view_point){p.x, y, p.z};
}

typedef struct shadow_pen {
    canvas* c;
    bool down;
    double height;
} shadow_pen;

static void draw_shadow(void* user, view_point p) {
    shadow_pen* pen = user;
    bool seen = false;
    const view_point ground = ground_below(pen->c->v, p, &seen, pen->c->s);
    const bool joined = pen->down && seen && fabs(ground.y - pen->height) < 0.5;
    if (seen) {
        const pixel q = pixel_of(pen->c, ground);
        svg_add(pen->c->out, "%c%.1f %.1f", joined ? 'L' : 'M', q.x, q.y);
    }

    pen->down = seen;
    pen->height = ground.y;
}

static void add_shadow(canvas* c, const picture_route* route) {
    shadow_pen pen = {c, false, 0};
    svg_add(c->out, "<path fill=\"none\" stroke=\"#050a14\" stroke-opacity=\".4\" stroke-width=\"3\" "
                    "stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\"");
    view_walk(c->v, route->points, route->count, draw_shadow, &pen);
    svg_add(c->out, "\"/>\n");
}

static void add_polyline(canvas* c, const picture_route* route, const char* style) {
    svg_add(c->out, "<polyline fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" %s points=\"",
            style);
    for (uint32_t i = 0; i < route->count; ++i) {
        const pixel p = pixel_of(c, view_of_point(c->v, route->points[i]));
        svg_add(c->out, "%.1f,%.1f ", p.x, p.y);
    }

    svg_add(c->out, "\"/>\n");
}

static void add_route(canvas* c, uint32_t i) {
    const picture_route* route = &c->plan->routes[i];
    char style[128];
    add_polyline(c, route, "stroke=\"#070d19\" stroke-opacity=\".75\" stroke-width=\"10\"");
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"5\"%s", sheet_colour(i),
             route->partial ? " stroke-dasharray=\"12 9\"" : "");
    add_polyline(c, route, style);
    add_polyline(c, route, "stroke=\"#fff\" stroke-opacity=\".55\" stroke-width=\"1.3\"");
}

/// A stem to the ground, then a ring for the start or a diamond for the goal.
static void add_mark(canvas* c, view_point p, const char* colour, bool goal) {
    bool seen = false;
    const view_point ground = ground_below(c->v, p, &seen, c->s);
    const pixel at = pixel_of(c, p), below = pixel_of(c, ground);
    if (below.y - at.y > 14) {
        svg_add(c->out,
                "<path stroke=\"%s\" stroke-opacity=\".7\" stroke-width=\"1.5\" stroke-dasharray=\"2 4\" "
                "d=\"M%.1f %.1fV%.1f\"/>"
                "<ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"7\" ry=\"4\" fill=\"none\" stroke=\"%s\" "
                "stroke-opacity=\".7\" "
                "stroke-width=\"1.5\"/>\n",
                colour, at.x, at.y, below.y, below.x, below.y, colour);
    }

    if (goal) {
        svg_add(c->out,
                "<path fill=\"%s\" stroke=\"#fff\" stroke-width=\"2.4\" stroke-linejoin=\"round\" "
                "d=\"M%.1f %.1fl11 11-11 11-11-11z\"/>\n",
                colour, at.x, at.y - 11);
    } else {
        svg_add(c->out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"8.5\" fill=\"#0d1525\" stroke=\"#fff\" "
                "stroke-width=\"2.4\"/>",
                at.x, at.y);
        svg_add(c->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.6\" fill=\"%s\"/>\n", at.x, at.y, colour);
    }
}

/// The edges of the space, which an end lies outside of.
static void add_bounds(canvas* c) {
    svg_add(c->out,
            "<path fill=\"none\" stroke=\"#9fc0ee\" stroke-opacity=\".6\" stroke-dasharray=\"6 5\" d=\"");
    for (int i = 0; i < 8; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            if ((i >> axis & 1) == 0) {
                add_segment(c, space_corner(c, i), space_corner(c, i | 1 << axis));
            }
        }
    }

    svg_add(c->out, "\"/>\n");
}

/// Both ends of a path that was not found, and where it fails.
static void add_failure(canvas* c) {
    const view_point ends[2] = {place_mark(c, 0), place_mark(c, 1)};
    const pixel from = pixel_of(c, ends[0]), to = pixel_of(c, ends[1]);
    svg_add(c->out,
            "<path stroke=\"%s\" stroke-opacity=\".55\" stroke-width=\"2\" stroke-dasharray=\"2 7\" "
            "stroke-linecap=\"round\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
            sheet_colour(2), from.x, from.y, to.x, to.y);
    for (int i = 0; i < 2; ++i) {
        add_mark(c, ends[i], sheet_colour(2), i == 1);
    }

    if (c->plan->has_spot) {
        const pixel p = pixel_of(c, view_of_position(c->v, c->plan->spot));
        svg_add(c->out, "<path " SPOT_STYLE " d=\"M%.1f %.1fl14 14m0-14l-14 14\"/>\n", p.x - 7, p.y - 7);
    }
}

/// From where an end was asked for to where it was snapped to.
static void add_legs(canvas* c) {
    const picture_route* route = c->plan->routes;
    for (int i = 0; i < 2 && c->plan->route_count > 0 && route->count > 0; ++i) {
        if (c->plan->snapped[i] > 0) {
            const pixel asked = pixel_of(c, place_mark(c, i));
            const pixel used = pixel_of(c, view_of_point(c->v, route->points[i == 0 ? 0 : route->count - 1]));
            sheet_leg(c->out, asked.x, asked.y, used.x, used.y);
        }
    }
}

static void add_routes(canvas* c) {
    if (shows_bounds(c->plan)) {
        add_bounds(c);
    }

    for (uint32_t i = 0; i < c->plan->route_count; ++i) {
        add_shadow(c, &c->plan->routes[i]);
    }

    for (uint32_t i = 0; i < c->plan->route_count; ++i) {
        add_route(c, i);
    }

    for (uint32_t i = 0; i < c->plan->route_count; ++i) {
        const picture_route* route = &c->plan->routes[i];
        if (route->count > 0) {
            add_mark(c, view_of_point(c->v, route->points[0]), sheet_colour(i), false);
            add_mark(c, view_of_point(c->v, route->points[route->count - 1]), sheet_colour(i), true);
        }
    }

    add_legs(c);
    if (c->plan->has_marks) {
        add_failure(c);
    }
}

// ---------------------------------------------------------------------------------------------- the whole

static void compose(const picture_plan* plan, int coarser, svg_text* out) {
    view v;
    surface s;
    view_make(plan, coarser, &v);
    surface_make(&v, plan, &s);
    canvas c = {.out = out, .plan = plan, .v = &v, .s = &s};
    lay_out(&c);
    sheet_begin(out, plan->title, c.height);
    add_floor(&c);
    add_obstacles(&c);
    add_haze(&c);
    add_ghosts(&c);
    add_boxes(&c);
    add_routes(&c);
    picture_add_title(&c);
    picture_add_legend(&c);
    sheet_scale_bar(out, c.height, c.scale / metres_per_cell(&c), " along an axis");
    picture_add_tripod(&c);
    svg_add(out, "</svg>\n");
    surface_free(&s);
    view_free(&v);
}

int picture_check_name(const char* path) {
    return system_ends_with(path, ".svg") || system_is_special(path)
               ? EXIT_DONE
               : say_bad("%s: pictures are SVG; name a file that ends with .svg", path);
}

int picture_save(const char* path, svg_text* text) {
    system_output output;
    int code = picture_check_name(path);
    if (code == EXIT_DONE) {
        code = system_create(path, &output);
    }

    if (code == EXIT_DONE) {
        fwrite(text->data, 1, text->size, output.file);
        code = system_commit(&output);
    }

    svg_free(text);
    return code;
}

int picture_write(const char* path, const picture_plan* plan) {
    svg_text text = {0};
    assert(plan->title != NULL && plan->algo != NULL);
    for (int coarser = 0; coarser < 4; ++coarser) {
        text.size = 0;
        compose(plan, coarser, &text);
        if (text.size <= MAX_BYTES) {
            break;
        }
    }

    return picture_save(path, &text);
}
