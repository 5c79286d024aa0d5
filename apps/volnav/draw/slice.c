/// volnav/draw/slice.c: draws a slab as SVG.
#include "draw/slice.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "draw/sheet.h"
#include "draw/slab.h"
#include "draw/svg.h"
#include "shell/args.h"
#include "shell/say.h"
#include "shell/system.h"
#include "shell/text.h"

#define TOP      112.0
#define MAX_HIGH 1000.0
#define COLUMN   440.0

typedef struct canvas {
    svg_text* out;
    const slice_plan* plan;
    const slab* slab;
    double scale; ///< pixels to a voxel
    double left, top, height;
    double legend; ///< upper end of the legend
    bool down;     ///< the slab's other axis points down
} canvas;

typedef struct pixel {
    double x, y;
} pixel;

// --------------------------------------------------------------------------------------------- the option

int slice_parse(const char* text, slice_place* out) {
    static const char axes[] = "xyz";
    const char* axis = text[0] != '\0' ? strchr(axes, text[0]) : NULL;
    *out = (slice_place){0};
    if (axis != NULL && text[1] == '\0') {
        out->axis = (int)(axis - axes);
        return EXIT_DONE;
    }

    if (axis == NULL || text[1] != '=' || !args_real(text + 2, &out->at)) {
        return say_bad("--slice %s: expected an axis and metres along it, such as y=12.5, or the axis alone",
                       text);
    }

    out->axis = (int)(axis - axes);
    out->has_at = true;
    return EXIT_DONE;
}

static double low_end(const vn_space_info* info, int axis) {
    const double low[3] = {info->origin.x + info->low.x, info->origin.y + info->low.y,
                           info->origin.z + info->low.z};
    return low[axis];
}

int slice_find(const vn_space* space, const slice_place* place, double otherwise, int32_t* number) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    const double low = low_end(&info, place->axis), resolution = (double)info.resolution;
    const int32_t slabs = slab_along(info.dims, place->axis);
    const double middle = isnan(otherwise) ? low + resolution * (slabs / 2) : otherwise;

    const double at = place->has_at ? place->at : middle, index = floor((at - low) / resolution);
    if (!(index >= 0 && index <= slabs)) {
        return say_bad("--slice %c=%g: the space spans %g to %g along that axis", "xyz"[place->axis], at, low,
                       low + resolution * slabs);
    }

    *number = index < slabs ? (int32_t)index : slabs - 1;
    return EXIT_DONE;
}

// ------------------------------------------------------------------------------------------------- layout

static pixel pixel_of(const canvas* c, double a, double b) {
    const slab_rect* w = &c->slab->window;
    return (pixel){c->left + (a - w->low[0]) * c->scale,
                   c->top + (c->down ? b - w->low[1] : w->high[1] - b) * c->scale};
}

static pixel pixel_of_point(const canvas* c, vn_point p) {
    const double at[3] = {p.x, p.y, p.z};
    return pixel_of(c, at[c->slab->right] / VN_LATTICE, at[c->slab->other] / VN_LATTICE);
}

/// At the edge if it lies outside.
static pixel pixel_of_position(const canvas* c, vn_dvec3 p) {
    const double at[3] = {p.x, p.y, p.z}, resolution = (double)c->slab->info.resolution;
    const slab_rect* w = &c->slab->window;
    const double a = (at[c->slab->right] - low_end(&c->slab->info, c->slab->right)) / resolution,
                 b = (at[c->slab->other] - low_end(&c->slab->info, c->slab->other)) / resolution;
    return pixel_of(c, fmin(fmax(a, w->low[0]), w->high[0]), fmin(fmax(b, w->low[1]), w->high[1]));
}

/// The whole slab, or what is around the routes.
static slab_rect choose_window(const slice_plan* plan) {
    const slab_rect all = slab_extent(plan->space, plan->axis);
    slab_rect w = {{all.high[0], all.high[1]}, {0, 0}};
    int axes[2];
    slab_axes(plan->axis, &axes[0], &axes[1]);
    for (uint32_t r = 0; r < plan->route_count; ++r) {
        for (uint32_t i = 0; i < plan->routes[r].count; ++i) {
            const vn_voxel v = vn_space_voxel_at(plan->space, plan->routes[r].points[i]);
            for (int k = 0; k < 2; ++k) {
                const int32_t at = slab_along(v, axes[k]);
                w.low[k] = at < w.low[k] ? at : w.low[k];
                w.high[k] = at + 1 > w.high[k] ? at + 1 : w.high[k];
            }
        }
    }

    if (w.low[0] >= w.high[0]) {
        return all;
    }

    const int32_t margin = 4 + (w.high[0] - w.low[0] + w.high[1] - w.low[1]) / 16;
    for (int k = 0; k < 2; ++k) {
        w.low[k] = w.low[k] > margin ? w.low[k] - margin : 0;
        w.high[k] = w.high[k] + margin < all.high[k] ? w.high[k] + margin : all.high[k];
    }

    return w;
}

static void lay_out(canvas* c, int legend_rows) {
    const slab_rect* w = &c->slab->window;
    const double wide = w->high[0] - w->low[0], high = w->high[1] - w->low[1];
    const double fit_wide = (SHEET_WIDTH - 2 * SHEET_SIDE) / wide, fit_high = MAX_HIGH / high;
    c->scale = fit_wide < fit_high ? fit_wide : fit_high;
    c->left = (SHEET_WIDTH - wide * c->scale) / 2;
    c->top = TOP;
    c->legend = ceil(TOP + high * c->scale + 40);
    c->height = ceil(c->legend + (legend_rows < 4 ? 4 : legend_rows) * SHEET_ROW + 20);
}

/// A width in pixels that goes with the scale, within limits.
static double line_width(const canvas* c, double per_voxel, double least, double most) {
    const double wish = per_voxel * c->scale;
    return wish < least ? least : wish > most ? most : wish;
}

/// What follows is in voxels; lines are `line` pixels wide.
static void begin_voxels(canvas* c, double line) {
    const slab_rect* w = &c->slab->window;
    const double y = c->down ? c->top - w->low[1] * c->scale : c->top + w->high[1] * c->scale;
    svg_add(c->out, "<g transform=\"matrix(%.5f 0 0 %.5f %.3f %.3f)\" stroke-width=\"%.4f\">\n", c->scale,
            c->down ? c->scale : -c->scale, c->left - w->low[0] * c->scale, y, line / c->scale);
}

static void add_rect(svg_text* out, const slab_rect* r) {
    svg_add(out, "M%d %dH%dV%dH%dz", r->low[0], r->low[1], r->high[0], r->high[1], r->low[0]);
}

// -------------------------------------------------------------------------------------------- the space

typedef struct size_class {
    uint64_t below; ///< voxels
    const char *colour, *label;
} size_class;

static const size_class classes[] = {
    {8, "#f7d08a", "below 8 voxels"},    {64, "#e9a05f", "8 to 63"},
    {512, "#c9718a", "64 to 511"},       {4096, "#8a68b5", "512 to 4095"},
    {32768, "#4f76b8", "4096 to 32767"}, {UINT64_MAX, "#35597f", "32768 and more"}};

enum { CLASS_COUNT = sizeof classes / sizeof *classes };

static size_t class_of(uint64_t volume) {
    size_t i = 0;
    while (i + 1 < CLASS_COUNT && volume >= classes[i].below) {
        ++i;
    }
    return i;
}

/// One path of all cells of each size. Returns how many there are of each in `counts`.
static void add_sizes(canvas* c, uint64_t counts[CLASS_COUNT]) {
    begin_voxels(c, line_width(c, 0.09, 0.3, 1.4));
    for (size_t k = 0; k < CLASS_COUNT; ++k) {
        counts[k] = 0;
        svg_add(c->out, "<path fill=\"%s\" stroke=\"#0d1525\" d=\"", classes[k].colour);
        for (size_t i = 0; i < c->slab->cell_count; ++i) {
            if (class_of(c->slab->cells[i].volume) == k) {
                add_rect(c->out, &c->slab->cells[i].rect);
                ++counts[k];
            }
        }

        svg_add(c->out, "\"/>\n");
    }

    svg_add(c->out, "</g>\n");
}

static void add_outlines(canvas* c) {
    begin_voxels(c, line_width(c, 0.09, 0.3, 1.2));
    svg_add(c->out, "<path fill=\"#2c4568\" stroke=\"#16243c\" d=\"");
    for (size_t i = 0; i < c->slab->cell_count; ++i) {
        add_rect(c->out, &c->slab->cells[i].rect);
    }
    svg_add(c->out, "\"/>\n</g>\n");
}

static void add_blocked(canvas* c) {
    begin_voxels(c, line_width(c, 0.06, 0.2, 0.8));
    svg_add(c->out, "<path fill=\"#05080f\" stroke=\"#05080f\" d=\"");
    for (size_t i = 0; i < c->slab->blocked_count; ++i) {
        add_rect(c->out, &c->slab->blocked[i]);
    }
    svg_add(c->out, "\"/>\n</g>\n");
}

static void add_portals(canvas* c, bool seams, const char* colour) {
    begin_voxels(c, line_width(c, 0.2, 0.5, 3));
    svg_add(c->out, "<path fill=\"none\" stroke=\"%s\" stroke-linecap=\"round\" d=\"", colour);
    for (size_t i = 0; i < c->slab->portal_count; ++i) {
        const slab_portal* p = &c->slab->portals[i];
        if ((c->plan->tree == NULL && slab_is_seam(p)) == seams) {
            const double inset = 0.3, low = p->low + inset, high = p->high - inset;
            if (p->across == 0) {
                svg_add(c->out, "M%d %.1fV%.1f", p->at, low, high);
            } else {
                svg_add(c->out, "M%.1f %dH%.1f", low, p->at, high);
            }
        }
    }

    svg_add(c->out, "\"/>\n</g>\n");
}

#define BORDER_STYLE "fill=\"none\" stroke=\"#fff\" stroke-opacity=\".42\" stroke-width=\"7\""

static void add_borders(canvas* c) {
    const slab_rect* w = &c->slab->window;
    svg_add(c->out, "<path " BORDER_STYLE " d=\"");
    for (int32_t a = SLAB_BLOCK * (w->low[0] / SLAB_BLOCK + 1); a < w->high[0]; a += SLAB_BLOCK) {
        const pixel p = pixel_of(c, a, w->low[1]), q = pixel_of(c, a, w->high[1]);
        svg_add(c->out, "M%.1f %.1fV%.1f", p.x, p.y, q.y);
    }

    for (int32_t b = SLAB_BLOCK * (w->low[1] / SLAB_BLOCK + 1); b < w->high[1]; b += SLAB_BLOCK) {
        const pixel p = pixel_of(c, w->low[0], b), q = pixel_of(c, w->high[0], b);
        svg_add(c->out, "M%.1f %.1fH%.1f", p.x, p.y, q.x);
    }

    svg_add(c->out, "\"/>\n");
}

static void add_frame(canvas* c) {
    const slab_rect* w = &c->slab->window;
    svg_add(c->out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
            "stroke=\"#9fc0ee\" stroke-opacity=\".6\"/>\n",
            c->left, c->top, (w->high[0] - w->low[0]) * c->scale, (w->high[1] - w->low[1]) * c->scale);
}

// --------------------------------------------------------------------------------------------- the search

/// Adds boxes that a search expanded to a path: those of the corridor or the others, those that the slab
/// cuts or the others.
typedef struct box_pen {
    canvas* c;
    bool corridor, cut;
    uint64_t count;
} box_pen;

static bool draw_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    box_pen* pen = user;
    const slab* s = pen->c->slab;
    const bool cut = slab_along(low, s->axis) <= s->number && s->number < slab_along(high, s->axis);
    if (in_corridor == pen->corridor && cut == pen->cut) {
        const slab_rect rect = {{slab_along(low, s->right), slab_along(low, s->other)},
                                {slab_along(high, s->right), slab_along(high, s->other)}};
        add_rect(pen->c->out, &rect);
        ++pen->count;
    }

    return true;
}

static uint64_t add_boxes(canvas* c, bool corridor, bool cut, const char* style) {
    box_pen pen = {c, corridor, cut, 0};
    svg_add(c->out, "<path %s d=\"", style);
    vn_query_visit_expanded(c->plan->query, draw_box, &pen);
    svg_add(c->out, "\"/>\n");
    return pen.count;
}

/// What the search expanded in the slab, and its corridor, in the slab or seen along the axis. Returns how
/// many cells the corridor has.
static uint64_t add_search(canvas* c) {
    char dashed[160];
    begin_voxels(c, line_width(c, 0.12, 0.6, 1.6));
    snprintf(dashed, sizeof dashed,
             "fill=\"#ffb347\" fill-opacity=\".1\" stroke=\"#ffd08a\" stroke-opacity=\".8\" "
             "stroke-dasharray=\"%.3f %.3f\"",
             5 / c->scale, 4 / c->scale);
    add_boxes(c, false, true,
              "fill=\"#39c8ff\" fill-opacity=\".17\" stroke=\"#39c8ff\" stroke-opacity=\".45\"");
    const uint64_t above = add_boxes(c, true, false, dashed);
    const uint64_t cut = add_boxes(c, true, true, "fill=\"#ffb347\" fill-opacity=\".26\" stroke=\"#ffd08a\"");
    svg_add(c->out, "</g>\n");

    return above + cut;
}

// -------------------------------------------------------------------------------------------------- paths

typedef struct route_style {
    const char *colour, *dash;
    double width;
} route_style;

static const route_style styles[] = {
    {"#a9bbd8", "7 5", 2}, {"#5ee6d0", "", 2.2}, {"#ff6f91", "", 3}, {"#fff6e0", "", 4}};

enum { STYLE_COUNT = sizeof styles / sizeof *styles };

/// The last route has the last style, the others the first ones.
static const route_style* style_of(const slice_plan* plan, uint32_t i) {
    assert(i < plan->route_count && plan->route_count <= STYLE_COUNT);
    return &styles[i + 1 == plan->route_count ? STYLE_COUNT - 1 : i];
}

static void add_polyline(canvas* c, const picture_route* route, const char* colour, double width,
                         const char* dash) {
    svg_add(c->out,
            "<polyline fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" stroke=\"%s\" "
            "stroke-width=\"%.1f\" stroke-dasharray=\"%s\" points=\"",
            colour, width, dash);
    for (uint32_t i = 0; i < route->count; ++i) {
        const pixel p = pixel_of_point(c, route->points[i]);
        svg_add(c->out, "%.1f,%.1f ", p.x, p.y);
    }

    svg_add(c->out, "\"/>\n");
}

static void add_route(canvas* c, uint32_t i) {
    const picture_route* route = &c->plan->routes[i];
    const route_style* style = style_of(c->plan, i);
    add_polyline(c, route, "#0a1120", style->width + 2.5, "");
    add_polyline(c, route, style->colour, style->width, route->partial ? "12 9" : style->dash);

    svg_add(c->out, "<g fill=\"%s\" stroke=\"#0a1120\" stroke-width=\"1.2\">", style->colour);
    for (uint32_t k = 1; k + 1 < route->count; ++k) {
        const pixel p = pixel_of_point(c, route->points[k]);
        svg_add(c->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", p.x, p.y, 2 + 0.7 * style->width);
    }

    svg_add(c->out, "</g>\n");
}

static void add_mark(canvas* c, pixel p, bool goal) {
    if (goal) {
        svg_add(c->out,
                "<path fill=\"#ffb347\" stroke=\"#fff\" stroke-width=\"2.4\" stroke-linejoin=\"round\" "
                "d=\"M%.1f %.1fl11 11-11 11-11-11z\"/>\n",
                p.x, p.y - 11);
    } else {
        svg_add(c->out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"8.5\" fill=\"#0d1525\" stroke=\"#fff\" "
                "stroke-width=\"2.4\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.6\" fill=\"#ffb347\"/>\n",
                p.x, p.y, p.x, p.y);
    }
}

/// From where an end was asked for to where it was snapped to.
static void add_legs(canvas* c, const picture_route* route) {
    for (int i = 0; i < 2; ++i) {
        if (c->plan->snapped[i] > 0) {
            const pixel asked = pixel_of_position(c, c->plan->marks[i]);
            const pixel used = pixel_of_point(c, route->points[i == 0 ? 0 : route->count - 1]);
            sheet_leg(c->out, asked.x, asked.y, used.x, used.y);
        }
    }
}

static void add_routes(canvas* c) {
    for (uint32_t i = 0; i < c->plan->route_count; ++i) {
        add_route(c, i);
    }

    if (c->plan->route_count > 0 && c->plan->routes[0].count > 0) {
        const picture_route* last = &c->plan->routes[c->plan->route_count - 1];
        add_mark(c, pixel_of_point(c, last->points[0]), false);
        add_mark(c, pixel_of_point(c, last->points[last->count - 1]), true);
        add_legs(c, last);
    }

    for (int i = 0; i < 2 && c->plan->has_marks; ++i) {
        add_mark(c, pixel_of_position(c, c->plan->marks[i]), i == 1);
    }
}

// ------------------------------------------------------------------------------------------------- legend

static const char* name_of_cells(const canvas* c) {
    vn_classic_info info = {.kind = VN_CLASSIC_KIND_COUNT};
    if (c->plan->tree != NULL) {
        vn_classic_get_info(c->plan->tree, &info);
    }
    return info.kind == VN_CLASSIC_OCTREE   ? "leaves"
           : info.kind == VN_CLASSIC_MERGED ? "merged boxes"
                                            : "cells";
}

static void add_title(canvas* c) {
    char number[64];
    const slab* s = c->slab;
    const double resolution = (double)s->info.resolution,
                 low = low_end(&s->info, s->axis) + resolution * s->number;
    const slab_rect* w = &s->window;
    sheet_begin_title(c->out, c->plan->title);
    svg_add(c->out, "slab %c = %g to %g m, %d \xc3\x97 %d voxels", "xyz"[s->axis], low, low + resolution,
            w->high[0] - w->low[0], w->high[1] - w->low[1]);

    if (s->info.cells > 0) {
        svg_add(c->out, ", cuts %s", sheet_grouped(s->cell_count, number, sizeof number));
        svg_add(c->out, " of %s %s", sheet_grouped(s->info.cells, number, sizeof number), name_of_cells(c));
        svg_add(c->out, " (%s links", sheet_grouped(s->info.links, number, sizeof number));
        if (c->plan->tree == NULL) {
            svg_add(c->out, ", %s component%s", sheet_grouped(s->info.components, number, sizeof number),
                    s->info.components == 1 ? "" : "s");
        }

        svg_add(c->out, ")");
    }

    svg_add(c->out, "</text>\n");
}

/// Begins row `row` of a column.
static void begin_row(canvas* c, int column, int row, const char* mark) {
    sheet_begin_row(c->out, SHEET_SIDE - 8 + COLUMN * column, c->legend + SHEET_ROW * row, mark);
}

static void add_count_row(canvas* c, int column, int row, const char* mark, const char* text,
                          uint64_t count) {
    char number[64];
    begin_row(c, column, row, mark);
    svg_add(c->out, "%s: %s", text, sheet_grouped(count, number, sizeof number));
    sheet_end_row(c->out);
}

#define INNER_MARK "<path d=\"M0 0H34\" stroke=\"#fff\" stroke-width=\"3\" stroke-linecap=\"round\"/>"
#define BOX_MARK   "<rect x=\"-2\" y=\"-8\" width=\"38\" height=\"16\" "

static void add_blocked_row(canvas* c, int column, int row) {
    add_count_row(c, column, row, BOX_MARK "fill=\"#05080f\" stroke=\"#33415c\"/>", "blocked voxels",
                  c->slab->blocked_voxels);
}

static void add_border_row(canvas* c, int column, int row) {
    begin_row(c, column, row, "<path d=\"M-2 0H36\" " BORDER_STYLE "/>");
    svg_add(c->out, "borders of blocks of %d\xc2\xb3", SLAB_BLOCK);
    sheet_end_row(c->out);
}

static void add_size_legend(canvas* c, const uint64_t counts[CLASS_COUNT]) {
    uint64_t seams = 0;
    for (int k = 0; k < CLASS_COUNT && c->slab->info.cells > 0; ++k) {
        char mark[160];
        snprintf(mark, sizeof mark, BOX_MARK "fill=\"%s\" stroke=\"#0d1525\"/>", classes[k].colour);
        add_count_row(c, 0, k, mark, classes[k].label, counts[k]);
    }

    add_blocked_row(c, 1, 0);
    if (c->plan->tree != NULL) {
        add_count_row(c, 1, 1, INNER_MARK, "portals", c->slab->portal_count);
        return;
    }

    for (size_t i = 0; i < c->slab->portal_count; ++i) {
        seams += slab_is_seam(&c->slab->portals[i]) ? 1 : 0;
    }

    add_count_row(c, 1, 1, INNER_MARK, "portals inside a block", c->slab->portal_count - seams);
    add_count_row(c, 1, 2,
                  "<path d=\"M0 0H34\" stroke=\"#3dffd5\" stroke-width=\"3\" stroke-linecap=\"round\"/>",
                  "portals between blocks", seams);
    add_border_row(c, 1, 3);
}

static void add_route_row(canvas* c, uint32_t i) {
    char mark[256];
    const picture_route* route = &c->plan->routes[i];
    const route_style* style = style_of(c->plan, i);
    snprintf(mark, sizeof mark,
             "<path d=\"M0 0H34\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-dasharray=\"%s\"/>"
             "<circle cx=\"17\" r=\"%.1f\" fill=\"%s\" stroke=\"#0a1120\" stroke-width=\"1.2\"/>",
             style->colour, style->width, style->dash, 2 + 0.7 * style->width, style->colour);
    begin_row(c, 0, (int)i, mark);
    svg_add_escaped(c->out, route->label);
    svg_add(c->out, ": %.2f m, %s", route->length, text_count(route->count, "point").s);
    sheet_end_row(c->out);
}

static void add_search_legend(canvas* c, uint64_t corridor) {
    int row = 0;
    for (uint32_t i = 0; i < c->plan->route_count; ++i) {
        add_route_row(c, i);
    }

    if (c->plan->has_marks) {
        begin_row(c, 0, 0, "<circle cx=\"17\" r=\"5\" fill=\"#ff6f91\"/>");
        svg_add(c->out, "no path: ");
        svg_add_escaped(c->out, c->plan->reason);
        sheet_end_row(c->out);
        row = 1; // the reason may be as long as both columns
    }

    if (c->plan->expanded > 0) {
        char text[64];
        snprintf(text, sizeof text, "%ss expanded, in all slabs", c->plan->unit);
        add_count_row(c, 1, row++,
                      BOX_MARK
                      "fill=\"#39c8ff\" fill-opacity=\".3\" stroke=\"#39c8ff\" stroke-opacity=\".6\"/>",
                      text, c->plan->expanded);
    }

    if (corridor > 0) {
        add_count_row(c, 1, row++, BOX_MARK "fill=\"#ffb347\" fill-opacity=\".35\" stroke=\"#ffd08a\"/>",
                      "cells in the corridor (dashed: other slabs)", corridor);
    }

    add_blocked_row(c, 1, row++);
    add_border_row(c, 1, row++);
    if (sheet_has_legs(c->plan->snapped)) {
        begin_row(c, 1, row, SHEET_LEG_MARK);
        sheet_add_legs_text(c->out, c->plan->snapped);
        sheet_end_row(c->out);
    }
}

static void add_axes(canvas* c) {
    const double x = SHEET_WIDTH - SHEET_SIDE - 250, y = c->height - (c->down ? 84 : 46);
    sheet_axis(c->out, c->slab->right, x, y, 1, 0);
    sheet_axis(c->out, c->slab->other, x, y, 0, c->down ? 1 : -1);
}

// ---------------------------------------------------------------------------------------------- the whole

static void add_clip(canvas* c) {
    const slab_rect* w = &c->slab->window;
    svg_add(c->out,
            "<clipPath id=\"window\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></clipPath>"
            "\n<g clip-path=\"url(#window)\">\n",
            c->left, c->top, (w->high[0] - w->low[0]) * c->scale, (w->high[1] - w->low[1]) * c->scale);
}

static void compose(canvas* c) {
    const bool search = c->plan->query != NULL;
    uint64_t counts[CLASS_COUNT], corridor = 0;
    lay_out(c, !search ? CLASS_COUNT : sheet_has_legs(c->plan->snapped) ? 5 : 4);
    sheet_begin(c->out, c->plan->title, c->height);

    add_clip(c);
    if (search) {
        add_outlines(c);
        add_blocked(c);
        add_borders(c);
        corridor = add_search(c);
    } else {
        add_sizes(c, counts);
        add_blocked(c);
        if (c->plan->tree == NULL) { // trees reach over the borders of blocks
            add_borders(c);
        }

        add_portals(c, false, "#fff");
        add_portals(c, true, "#3dffd5");
    }

    svg_add(c->out, "</g>\n");
    add_frame(c);
    add_routes(c);
    add_title(c);
    if (search) {
        add_search_legend(c, corridor);
    } else {
        add_size_legend(c, counts);
    }

    sheet_scale_bar(c->out, c->height, c->scale / (double)c->slab->info.resolution, "");
    add_axes(c);
    svg_add(c->out, "</svg>\n");
}

int slice_write(const char* path, const slice_plan* plan) {
    slab s;
    system_output output;
    svg_text text = {0};
    assert(plan->title != NULL && plan->route_count <= STYLE_COUNT);

    int code = slab_make(plan->space, plan->tree, plan->axis, plan->slab, choose_window(plan), &s);
    if (code == EXIT_DONE) {
        code = system_create(path, &output);
    }

    if (code == EXIT_DONE) {
        canvas c = {.out = &text, .plan = plan, .slab = &s, .down = plan->axis == 1};
        compose(&c);
        fwrite(text.data, 1, text.size, output.file);
        code = system_commit(&output);
    }

    svg_free(&text);
    slab_free(&s);
    return code;
}
