/// volnav/draw/road_slice.c: draws a slab with the graph on it as SVG.
#include "draw/road_slice.h"

#include <math.h>

#include "draw/sheet.h"
#include "draw/slab.h"
#include "draw/svg.h"
#include "shell/say.h"
#include "shell/system.h"
#include "volnav/graph.h"

#define TOP      112.0
#define MAX_HIGH 1000.0
#define COLUMN   440.0

/// Steps between adjacent voxels are shorter, in voxels; they are not drawn.
#define LEAST_EDGE 1.9

typedef struct canvas {
    svg_text* out;
    const slab* slab;
    const vn_graph* graph;
    bool is_hybrid;
    double scale, left, top, height, legend;
    bool down;
    uint64_t nodes[4]; ///< drawn, by kind; the last: waypoints
    uint64_t edges;
} canvas;

/// The colours of nodes by vn_node_kind, then of waypoints.
static const char* const colours[4] = {"#ffb347", "#ff6f91", "#3dffd5", "#ffb347"};
static const char* const labels[4] = {"static nodes, at edges of obstacles",
                                      "dynamic nodes, where obstacles can move", "nodes beside dynamic ones",
                                      "waypoints inside, seen along the axis"};

static void lay_out(canvas* c) {
    const slab_rect* w = &c->slab->window;
    const double wide = w->high[0] - w->low[0], high = w->high[1] - w->low[1];
    const double fit_wide = (SHEET_WIDTH - 2 * SHEET_SIDE) / wide, fit_high = MAX_HIGH / high;
    c->scale = fit_wide < fit_high ? fit_wide : fit_high;
    c->left = (SHEET_WIDTH - wide * c->scale) / 2;
    c->top = TOP;
    c->legend = ceil(TOP + high * c->scale + 40);
    c->height = ceil(c->legend + 4 * SHEET_ROW + 20);
}

/// What follows is in voxels; lines are `line` pixels wide.
static void begin_voxels(canvas* c, double line) {
    const slab_rect* w = &c->slab->window;
    const double y = c->down ? c->top - w->low[1] * c->scale : c->top + w->high[1] * c->scale;
    svg_add(c->out, "<g transform=\"matrix(%.5f 0 0 %.5f %.3f %.3f)\" stroke-width=\"%.4f\">\n", c->scale,
            c->down ? c->scale : -c->scale, c->left - w->low[0] * c->scale, y, line / c->scale);
}

static void add_blocked(canvas* c) {
    const slab_rect* w = &c->slab->window;
    begin_voxels(c, 0.3);
    svg_add(c->out, "<path fill=\"#2c4568\" d=\"M%d %dH%dV%dH%dz\"/>\n", w->low[0], w->low[1], w->high[0],
            w->high[1], w->low[0]);
    svg_add(c->out, "<path fill=\"#05080f\" stroke=\"#05080f\" d=\"");
    for (size_t i = 0; i < c->slab->blocked_count; ++i) {
        const slab_rect* r = &c->slab->blocked[i];
        svg_add(c->out, "M%d %dH%dV%dH%dz", r->low[0], r->low[1], r->high[0], r->high[1], r->low[0]);
    }
    svg_add(c->out, "\"/>\n</g>\n");
}

// ------------------------------------------------------------------------------------------------- the graph

typedef struct place {
    double at[3]; ///< voxels
    bool is_drawn;
} place;

static place place_of(const canvas* c, uint32_t node) {
    vn_point p;
    place out = {.is_drawn = false};
    c->graph->points(c->graph->self, &node, 1, &p);
    if (vn_point_is_outside(p)) {
        return out;
    }

    out.at[0] = (double)p.x / VN_LATTICE;
    out.at[1] = (double)p.y / VN_LATTICE;
    out.at[2] = (double)p.z / VN_LATTICE;
    out.is_drawn = !c->is_hybrid || (int32_t)floor(out.at[c->slab->axis]) == c->slab->number;
    return out;
}

static void add_edge(canvas* c, const place* a, uint32_t to) {
    const place b = place_of(c, to);
    const int r = c->slab->right, o = c->slab->other;
    const double x = b.at[r] - a->at[r], y = b.at[o] - a->at[o];
    if (!b.is_drawn || (c->is_hybrid && sqrt(x * x + y * y) < LEAST_EDGE)) {
        return;
    }

    ++c->edges;
    svg_add(c->out, "M%.2f %.2fL%.2f %.2f", a->at[r], a->at[o], b.at[r], b.at[o]);
}

static void add_edges(canvas* c) {
    begin_voxels(c, c->is_hybrid ? 0.7 : 1.1);
    svg_add(c->out, "<path fill=\"none\" stroke=\"#9fc0ee\" stroke-opacity=\".55\" d=\"");
    for (uint32_t node = VN_FIRST_NODE; node < c->graph->node_limit; ++node) {
        const place from = place_of(c, node);
        uint32_t to[VN_EDGE_BATCH], cursor = 0;
        double cost[VN_EDGE_BATCH];
        const vn_edges edges = {to, cost};
        if (!from.is_drawn) {
            continue;
        }

        do {
            const uint32_t count = c->graph->expand(c->graph->self, node, &cursor, &edges);
            for (uint32_t i = 0; i < count; ++i) {
                add_edge(c, &from, to[i]);
            }
        } while (cursor != 0);
    }

    svg_add(c->out, "\"/>\n</g>\n");
}

static int kind_of(const canvas* c, uint32_t node) {
    uint8_t kind = VN_NODE_STATIC;
    if (!c->is_hybrid) {
        return 3;
    }

    c->graph->kinds(c->graph->self, &node, 1, &kind);
    return kind == VN_NODE_DYNAMIC ? 1 : kind == VN_NODE_DYNAMIC_NEIGHBOUR ? 2 : 0;
}

static void add_nodes(canvas* c) {
    const double size = c->is_hybrid ? 0.34 : fmax(0.34, 2.2 / c->scale);
    begin_voxels(c, 0.5);
    for (int kind = 0; kind < 4; ++kind) {
        svg_add(c->out, "<path fill=\"%s\" d=\"", colours[kind]);
        for (uint32_t node = VN_FIRST_NODE; node < c->graph->node_limit; ++node) {
            const place p = place_of(c, node);
            if (!p.is_drawn || kind_of(c, node) != kind) {
                continue;
            }

            ++c->nodes[kind];
            svg_add(c->out, "M%.2f %.2fh%.2fv%.2fh%.2fz", p.at[c->slab->right] - size / 2,
                    p.at[c->slab->other] - size / 2, size, size, -size);
        }
        svg_add(c->out, "\"/>\n");
    }

    svg_add(c->out, "</g>\n");
}

// ------------------------------------------------------------------------------------------------- the whole

static void add_row(canvas* c, int column, int row, const char* mark, const char* text, uint64_t count) {
    char number[64];
    sheet_begin_row(c->out, SHEET_SIDE - 8 + COLUMN * column, c->legend + SHEET_ROW * row, mark);
    svg_add(c->out, "%s: %s", text, sheet_grouped(count, number, sizeof number));
    sheet_end_row(c->out);
}

static void add_legend(canvas* c) {
    int row = 0;
    for (int kind = c->is_hybrid ? 0 : 3; kind < (c->is_hybrid ? 3 : 4); ++kind) {
        char mark[120];
        snprintf(mark, sizeof mark, "<rect x=\"11\" y=\"-6\" width=\"12\" height=\"12\" fill=\"%s\"/>",
                 colours[kind]);
        add_row(c, 0, row++, mark, labels[kind], c->nodes[kind]);
    }

    add_row(c, 1, 0, "<path d=\"M0 0H34\" stroke=\"#9fc0ee\" stroke-width=\"2\"/>",
            c->is_hybrid ? "edges longer than a step" : "edges", c->edges);
    add_row(c, 1, 1,
            "<rect x=\"-2\" y=\"-8\" width=\"38\" height=\"16\" fill=\"#05080f\" stroke=\"#33415c\"/>",
            "blocked voxels", c->slab->blocked_voxels);
}

static void add_title(canvas* c, const char* title, const vn_roadmap_info* info) {
    const slab* s = c->slab;
    char number[64];
    const double origin[3] = {s->info.origin.x + s->info.low.x, s->info.origin.y + s->info.low.y,
                              s->info.origin.z + s->info.low.z};
    const double resolution = (double)s->info.resolution, low = origin[s->axis] + resolution * s->number;
    sheet_begin_title(c->out, title);
    svg_add(c->out, "slab %c = %g to %g m, %d \xc3\x97 %d voxels; in all %s nodes", "xyz"[s->axis], low,
            low + resolution, s->window.high[0] - s->window.low[0], s->window.high[1] - s->window.low[1],
            sheet_grouped(info->nodes, number, sizeof number));
    svg_add(c->out, " and %s edges</text>\n", sheet_grouped(info->edges, number, sizeof number));
}

static void add_axes(canvas* c) {
    const double x = SHEET_WIDTH - SHEET_SIDE - 250, y = c->height - (c->down ? 84 : 46);
    sheet_axis(c->out, c->slab->right, x, y, 1, 0);
    sheet_axis(c->out, c->slab->other, x, y, 0, c->down ? 1 : -1);
}

static void compose(canvas* c, const char* title, const vn_roadmap_info* info) {
    lay_out(c);
    sheet_begin(c->out, title, c->height);
    add_blocked(c);
    add_edges(c);
    add_nodes(c);
    add_title(c, title, info);
    add_legend(c);
    sheet_scale_bar(c->out, c->height, c->scale / (double)c->slab->info.resolution, "");
    add_axes(c);
    svg_add(c->out, "</svg>\n");
}

int road_slice_write(const char* path, const vn_space* space, vn_roadmap* roadmap, const char* title,
                     int axis, int32_t number) {
    slab s;
    system_output output;
    svg_text text = {0};
    vn_detail detail = {0};
    vn_roadmap_info info;
    vn_roadmap_view* view = NULL;
    vn_roadmap_get_info(roadmap, &info);
    int code = slab_make(space, NULL, axis, number, slab_extent(space, axis), &s);
    const vn_status status = vn_roadmap_view_create(roadmap, &view, &detail);
    if (code == EXIT_DONE && status != VN_OK) {
        code = say_status(path, status, &detail);
    }

    if (code == EXIT_DONE) {
        code = system_create(path, &output);
    }

    if (code == EXIT_DONE) {
        canvas c = {.out = &text,
                    .slab = &s,
                    .graph = vn_roadmap_view_graph(view),
                    .is_hybrid = info.kind == VN_ROADMAP_HYBRID,
                    .down = axis == 1};
        compose(&c, title, &info);
        fwrite(text.data, 1, text.size, output.file);
        code = system_commit(&output);
    }

    vn_roadmap_view_destroy(view);
    svg_free(&text);
    slab_free(&s);
    return code;
}
