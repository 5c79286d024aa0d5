/// classic/hybrid_view.c: edges of a hybrid graph, forwards and backwards.
#include "classic/hybrid_view.h"
#include "geom/units.h"
#include "probe/sight.h"

#include <math.h>

static vn_point point_of(const vni_hybrid_view* view, uint32_t id) {
    if (id < VN_FIRST_NODE)
        return view->ends.at[id].point;
    return vn_voxel_center(vni_hybrid_voxel(view->state->hybrid, id - VN_FIRST_NODE));
}

// ----------------------------------------------------------------------------------------------------- ends

static void join(vni_hybrid_view* view, uint32_t end, uint32_t node) {
    const uint32_t id = node + VN_FIRST_NODE;
    vni_ends_join(&view->ends, end, id, point_of(view, id));
}

static bool sees(const vni_hybrid_view* view, uint32_t end, uint32_t node) {
    return vni_sight(view->state->occupancy, view->ends.at[end].point, point_of(view, node + VN_FIRST_NODE));
}

/// The nearest node that the end sees; of equally near ones the first.
static void join_nearest(vni_hybrid_view* view, uint32_t end) {
    const vni_hybrid* h = view->state->hybrid;
    double best = HUGE_VAL;
    uint32_t nearest = VNI_NO_HYBRID;
    for (uint32_t node = 0; node < h->node_count; ++node) {
        const double d = vni_voxels_between(view->ends.at[end].point, point_of(view, node + VN_FIRST_NODE));
        if (d < best && sees(view, end, node)) {
            best = d;
            nearest = node;
        }
    }

    if (nearest != VNI_NO_HYBRID)
        join(view, end, nearest);
}

static void join_steps(vni_hybrid_view* view, uint32_t end, vn_voxel voxel) {
    const vni_hybrid* h = view->state->hybrid;
    for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d) {
        vn_voxel to;
        if (!vni_stepper_find(&h->stepper, voxel, h->grid.step[d], &to))
            continue;
        const uint32_t node = vni_hybrid_node(h, to);
        if (sees(view, end, node))
            join(view, end, node);
    }
}

void vni_hybrid_view_make(const vni_hybrid_state* state, vni_hybrid_view* out) {
    *out = (vni_hybrid_view){.state = state};
}

void vni_hybrid_view_set_end(vni_hybrid_view* view, uint32_t end, vn_point point, vn_voxel voxel) {
    const uint32_t own = vni_hybrid_node(view->state->hybrid, voxel);
    vni_ends_set(&view->ends, end, point, view->state->occupancy);
    if (own != VNI_NO_HYBRID) {
        join(view, end, own);
    } else {
        join_steps(view, end, voxel);
        if (view->ends.at[end].count == 0)
            join_nearest(view, end);
    }
}

// ---------------------------------------------------------------------------------------------------- edges

/// Length of a step, which the grid rounds to its unit of costs; the other edges here are as long as they
/// are.
static double step_length(const int32_t step[3]) {
    return sqrt((double)(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]));
}

/// Steps between a voxel and those beside it that are used, or only those that are dynamic.
static void put_steps(const vni_hybrid_view* view, uint32_t node, bool dynamic_only, vni_edge_writer* w) {
    const vni_hybrid* h = view->state->hybrid;
    const vn_voxel v = vni_hybrid_voxel(h, node);
    const uint32_t free = vni_grid_free_around(view->state->occupancy, v);
    for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d) {
        if ((free & h->grid.needs[d]) != h->grid.needs[d])
            continue;
        const int32_t* s = h->grid.step[d];
        const uint32_t other = vni_hybrid_node(h, (vn_voxel){v.x + s[0], v.y + s[1], v.z + s[2]});
        if (other != VNI_NO_HYBRID && (!dynamic_only || vni_hybrid_is_dynamic(h, other)))
            vni_put_edge(w, other + VN_FIRST_NODE, step_length(s));
    }
}

static uint32_t expand(const void* self, uint32_t id, uint32_t* cursor, const vn_edges* out) {
    const vni_hybrid_view* view = (const vni_hybrid_view*)self;
    const vni_hybrid* h = view->state->hybrid;
    vni_edge_writer w = vni_edge_writer_make(out, *cursor);
    if (id < VN_FIRST_NODE) {
        vni_put_end(&view->ends, id, &w);
    } else {
        const uint32_t node = id - VN_FIRST_NODE;
        if (vni_hybrid_is_dynamic(h, node))
            put_steps(view, node, false, &w);
        for (uint32_t i = h->edge_first[node]; i < h->edge_first[node + 1]; ++i)
            if (vni_bits_get(view->state->open, i))
                vni_put_edge(&w, h->edges[i].to + VN_FIRST_NODE, h->edges[i].cost);
        vni_put_joined(&view->ends, id, &w);
    }

    *cursor = vni_edge_cursor(&w);
    return w.count;
}

/// Stored edges lead from nodes that are not dynamic, steps from those that are.
static uint32_t predecessors(const void* self, uint32_t id, uint32_t* cursor, const vn_edges* out) {
    const vni_hybrid_view* view = (const vni_hybrid_view*)self;
    const vni_hybrid* h = view->state->hybrid;
    vni_edge_writer w = vni_edge_writer_make(out, *cursor);
    if (id < VN_FIRST_NODE) {
        vni_put_end(&view->ends, id, &w);
    } else {
        const uint32_t node = id - VN_FIRST_NODE;
        put_steps(view, node, true, &w);
        for (uint32_t i = h->back_first[node]; i < h->back_first[node + 1]; ++i)
            if (vni_bits_get(view->state->open, h->back[i]))
                vni_put_edge(&w, h->edges[h->back[i]].from + VN_FIRST_NODE, h->edges[h->back[i]].cost);
        vni_put_joined(&view->ends, id, &w);
    }

    *cursor = vni_edge_cursor(&w);
    return w.count;
}

static void points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const vni_hybrid_view* view = (const vni_hybrid_view*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = point_of(view, nodes[i]);
}

static bool visible(const void* self, uint32_t a, uint32_t b) {
    const vni_hybrid_view* view = (const vni_hybrid_view*)self;
    return vni_sight(view->state->occupancy, point_of(view, a), point_of(view, b));
}

static void kinds(const void* self, const uint32_t* nodes, uint32_t count, uint8_t* out) {
    const vni_hybrid_view* view = (const vni_hybrid_view*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = (uint8_t)(nodes[i] < VN_FIRST_NODE
                               ? VN_NODE_STATIC
                               : vni_hybrid_kind(view->state->hybrid, nodes[i] - VN_FIRST_NODE));
}

vn_graph vni_hybrid_view_graph(const vni_hybrid_view* view) {
    vn_graph graph = {0};
    graph.self = view;
    graph.node_limit = view->state->hybrid->node_count + VN_FIRST_NODE;
    graph.capabilities = VN_GRAPH_SEES | VN_GRAPH_REVERSES | VN_GRAPH_HAS_KINDS;
    graph.expand = expand;
    graph.predecessors = predecessors;
    graph.points = points;
    graph.visible = visible;
    graph.kinds = kinds;

    return graph;
}
