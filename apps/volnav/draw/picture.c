/// volnav/draw/picture.c: composing the picture.
#include "draw/picture.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "draw/outline.h"
#include "draw/sheet.h"
#include "draw/surface.h"
#include "draw/svg.h"
#include "draw/view.h"
#include "shell/say.h"
#include "shell/system.h"

#define WIDTH     SHEET_WIDTH
#define SIDE      SHEET_SIDE
#define TOP       84.0
#define BOTTOM    64.0
#define ROW       SHEET_ROW
#define MAX_BYTES 1600000u

/// Everything that the layers share.
typedef struct canvas {
    svg_text* out;
    const picture_plan* plan;
    const view* v;
    const surface* s;
    double height, scale; ///< scale: pixels to the edge of a cell
    double left, top;     ///< where the lattice begins
    double legend;        ///< upper end of the legend, which stands in the free corner at the lower left
} canvas;

typedef struct pixel {
    double x, y;
} pixel;

static pixel pixel_of(const canvas* c, view_point p) {
    return (pixel){c->left + view_u(c->v, p) * 0.8660254 * c->scale,
                   c->top + view_v(c->v, p) * 0.5 * c->scale};
}

// --------------------------------------------------------------------------------------------- backdrop

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

    return first;
}

static int corridor_cells(const view* v) {
    int count = 0;
    for (int i = 0; i < v->box_count; ++i) {
        count += v->boxes[i].in_corridor ? 1 : 0;
    }
    return count;
}

static bool shows_search(const picture_plan* plan) {
    return (plan->query != NULL || plan->classic != NULL) && plan->expanded > 0;
}

/// Rows of the legend, and about how wide it is.
static int legend_rows(const canvas* c, double* wide) {
    const picture_plan* plan = c->plan;
    const bool searched = shows_search(plan);
    size_t letters = searched ? 34 + strlen(plan->algo) : 28;
    if (searched && plan->footprint_of != NULL) {
        letters += 5 + strlen(plan->footprint_of);
    }

    for (uint32_t i = 0; i < plan->route_count; ++i) {
        const size_t row = strlen(plan->routes[i].label) + 12;
        letters = row > letters ? row : letters;
    }

    *wide = 48 + 8.2 * (double)letters;
    const bool ends = plan->route_count > 0 || plan->has_marks;
    return (int)plan->route_count + (plan->has_marks ? 1 : 0) + (searched ? 1 : 0) +
           (corridor_cells(c->v) > 0 ? 1 : 0) + (ends ? 1 : 0);
}

/// The legend stands below the floor's lower left edge; the picture grows when there is no room for it.
static void place_legend(canvas* c) {
    double wide = 0;
    const double high = ROW * legend_rows(c, &wide);
    const double corner_x = c->left, corner_y = c->top + (c->v->size[2] + 2 * c->v->size[1]) * 0.5 * c->scale;
    const double end_y = c->top + c->v->rows * 0.5 * c->scale;
    const double edge = corner_y + (SIDE + wide - corner_x) * 0.57735;
    const double below = corner_x >= SIDE + wide ? 0 : edge < end_y ? edge : end_y;

    c->legend = c->height - SIDE - high + ROW / 2;
    if (c->legend < below + ROW) {
        c->height = ceil(c->height + below + ROW - c->legend);
        c->legend = below + ROW;
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

    begin_lattice(c, "#39c8ff", 0.9);
    outline_areas(c->out, c->v, c->s, c->s->shell_seen, open_shell);
    svg_add(c->out, "<path fill=\"none\" stroke=\"#39c8ff\" stroke-opacity=\".33\" d=\"");
    outline_lines(c->out, c->v, c->s, shell_edge);
    svg_add(c->out, "\"/>\n</g>\n");
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

static void add_routes(canvas* c) {
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

    for (int i = 0; i < 2 && c->plan->has_marks; ++i) {
        add_mark(c, view_of_position(c->v, c->plan->marks[i]), sheet_colour(2), i == 1);
    }
}

// ------------------------------------------------------------------------------------------------- legend

static void add_title(canvas* c) {
    char number[64];
    const vn_space_info* info = &c->v->info;
    sheet_begin_title(c->out, c->plan->title);
    svg_add(c->out, "%d \xc3\x97 %d \xc3\x97 %d voxels of %g m, %s blocked", info->dims.x, info->dims.y,
            info->dims.z, (double)info->resolution,
            sheet_grouped(info->blocked_voxels, number, sizeof number));

    if (info->radius > 0) {
        svg_add(c->out, ", radius %g m", (double)info->radius);
    }

    svg_add(c->out, "</text>\n");
}

static void add_legend_row(canvas* c, double y, const char* mark) {
    sheet_begin_row(c->out, SIDE - 8, y, mark);
}

static void add_route_row(canvas* c, double y, uint32_t i) {
    char mark[256];
    const picture_route* route = &c->plan->routes[i];
    snprintf(mark, sizeof mark,
             "<path d=\"M0 0H34\" stroke=\"%s\" stroke-width=\"5\" stroke-linecap=\"round\"%s/>",
             sheet_colour(i), route->partial ? " stroke-dasharray=\"9 7\"" : "");

    add_legend_row(c, y, mark);
    if (route->label[0] != '\0') {
        svg_add_escaped(c->out, route->label);
        svg_add(c->out, ": %.1f m", route->length);
    } else {
        svg_add(c->out, "%s by %s: %.1f m", route->partial ? "partial path" : "path", c->plan->algo,
                route->length);
    }

    sheet_end_row(c->out);
}

/// What the search looked at: voxels as a haze, or cells as boxes.
static double add_search_rows(canvas* c, double y) {
    char number[64];
    const int corridor = corridor_cells(c->v);
    if (!shows_search(c->plan)) {
        return y;
    }

    add_legend_row(
        c, y,
        "<rect x=\"-2\" y=\"-8\" width=\"38\" height=\"16\" rx=\"4\" fill=\"#39c8ff\" fill-opacity=\".3\"/>");
    sheet_grouped(c->plan->expanded, number, sizeof number);
    if (c->v->box_count > 0) {
        svg_add(c->out, "%s %s expanded", number, c->plan->boxes ? "nodes" : "cells");
    } else {
        svg_add(c->out, "%s voxels searched by %s", number, c->plan->algo);
    }

    if (c->plan->footprint_of != NULL) {
        svg_add(c->out, " for ");
        svg_add_escaped(c->out, c->plan->footprint_of);
    }

    sheet_end_row(c->out);
    if (corridor > 0) {
        y += ROW;
        add_legend_row(c, y,
                       "<rect x=\"-2\" y=\"-8\" width=\"38\" height=\"16\" rx=\"1\" fill=\"#ffb347\" "
                       "fill-opacity=\".3\" stroke=\"#ffd08a\"/>");
        svg_add(c->out, "%d cells in the corridor", corridor);
        sheet_end_row(c->out);
    }

    return y + ROW;
}

static void add_legend(canvas* c) {
    double y = c->legend;
    for (uint32_t i = 0; i < c->plan->route_count; ++i, y += ROW) {
        add_route_row(c, y, i);
    }

    if (c->plan->has_marks) {
        add_legend_row(c, y, "<circle cx=\"17\" r=\"5\" fill=\"#ff6f91\"/>");
        svg_add(c->out, "no path");
        sheet_end_row(c->out);
        y += ROW;
    }

    y = add_search_rows(c, y);
    if (c->plan->route_count > 0 || c->plan->has_marks) {
        add_legend_row(
            c, y,
            "<circle cx=\"5\" r=\"5.5\" fill=\"#0d1525\" stroke=\"#fff\" stroke-width=\"2\"/>"
            "<path d=\"M28-7l7 7-7 7-7-7z\" fill=\"#8fa3c4\" stroke=\"#fff\" stroke-width=\"2\"/>");
        svg_add(c->out, "start and goal");
        sheet_end_row(c->out);
    }
}

/// Arrows of the world's own axes, as the view is turned.
static void add_tripod(canvas* c) {
    const vn_dvec3 o = {0, 0, 0}, ends[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const pixel zero = pixel_of(c, view_of_position(c->v, o));
    for (int i = 0; i < 3; ++i) {
        const pixel p = pixel_of(c, view_of_position(c->v, ends[i]));
        sheet_axis(c->out, i, WIDTH - SIDE - 290, c->height - 66, p.x - zero.x, p.y - zero.y);
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
    add_title(&c);
    add_legend(&c);
    sheet_scale_bar(out, c.height, c.scale / metres_per_cell(&c), " along an axis");
    add_tripod(&c);
    svg_add(out, "</svg>\n");
    surface_free(&s);
    view_free(&v);
}

int picture_check_name(const char* path) {
    return system_ends_with(path, ".svg") || system_is_special(path)
               ? EXIT_DONE
               : say_bad("%s: pictures are SVG; name a file that ends with .svg", path);
}

int picture_write(const char* path, const picture_plan* plan) {
    system_output output;
    assert(plan->title != NULL && plan->algo != NULL);
    int code = picture_check_name(path);
    if (code == EXIT_DONE) {
        code = system_create(path, &output);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    svg_text text = {0};
    for (int coarser = 0; coarser < 4; ++coarser) {
        text.size = 0;
        compose(plan, coarser, &text);
        if (text.size <= MAX_BYTES) {
            break;
        }
    }

    fwrite(text.data, 1, text.size, output.file);
    svg_free(&text);
    return system_commit(&output);
}
