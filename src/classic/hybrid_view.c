/// classic/hybrid_view.c: edges of a hybrid graph, forwards and backwards.
#include "classic/hybrid_view.h"
#include "geom/units.h"
#include "probe/sight.h"

#include <math.h>

static vn_point point_of(const vni_hybrid_view* view, uint32_t id) {
    if (id < VN_FIRST_NODE)
        return view->ends[id].point;
    return vn_voxel_center(vni_hybrid_voxel(view->state->hybrid, id - VN_FIRST_NODE));
}

/// Voxels between two points.
static double distance(vn_point a, vn_point b) {
    const double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z) / VN_LATTICE;
}

// ----------------------------------------------------------------------------------------------------- ends

static void join_end(const vni_hybrid_view* view, vni_hybrid_end* end, uint32_t node) {
    const uint32_t id = node + VN_FIRST_NODE;
    VNI_ASSERT(end->count < VNI_HYBRID_JOINS);
    end->nodes[end->count] = id;
    end->costs[end->count++] = distance(end->point, point_of(view, id));
}

static bool end_sees(const vni_hybrid_view* view, const vni_hybrid_end* end, uint32_t node) {
    return vni_sight(view->state->occupancy, end->point, point_of(view, node + VN_FIRST_NODE));
}

/// The nearest node that the end sees; of equally near ones the first.
static void join_nearest(const vni_hybrid_view* view, vni_hybrid_end* end) {
    const vni_hybrid* h = view->state->hybrid;
    double best = HUGE_VAL;
    uint32_t nearest = VNI_NO_HYBRID;
    for (uint32_t node = 0; node < h->node_count; ++node) {
        const double d = distance(end->point, point_of(view, node + VN_FIRST_NODE));
        if (d < best && end_sees(view, end, node)) {
            best = d;
            nearest = node;
        }
    }

    if (nearest != VNI_NO_HYBRID)
        join_end(view, end, nearest);
}

static void join_steps(const vni_hybrid_view* view, vni_hybrid_end* end, vn_voxel voxel) {
    const vni_hybrid* h = view->state->hybrid;
    for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d) {
        vn_voxel to;
        if (!vni_stepper_find(&h->stepper, voxel, h->grid.step[d], &to))
            continue;
        const uint32_t node = vni_hybrid_node(h, to);
        if (end_sees(view, end, node))
            join_end(view, end, node);
    }
}

void vni_hybrid_view_make(const vni_hybrid_state* state, vni_hybrid_view* out) {
    *out = (vni_hybrid_view){.state = state};
}

void vni_hybrid_view_set_end(vni_hybrid_view* view, uint32_t which, vn_point point, vn_voxel voxel) {
    VNI_ASSERT(which < 2);
    vni_hybrid_end* end = &view->ends[which];
    const uint32_t own = vni_hybrid_node(view->state->hybrid, voxel);
    *end = (vni_hybrid_end){.is_set = true, .point = point};

    if (own != VNI_NO_HYBRID) {
        join_end(view, end, own);
    } else {
        join_steps(view, end, voxel);
        if (end->count == 0)
            join_nearest(view, end);
    }

    const vni_hybrid_end *a = &view->ends[0], *b = &view->ends[1];
    view->ends_see = a->is_set && b->is_set && vni_sight(view->state->occupancy, a->point, b->point);
    view->ends_cost = view->ends_see ? distance(a->point, b->point) : 0;
}

// ---------------------------------------------------------------------------------------------------- edges

/// Edges that are being written, in batches of VN_EDGE_BATCH: the first `skip` are those of earlier batches.
typedef struct writer {
    const vn_edges* out;
    uint32_t skip, seen, count;
} writer;

static void put(writer* w, uint32_t to, double cost) {
    const bool earlier = w->seen++ < w->skip;
    if (earlier || w->count == VN_EDGE_BATCH)
        return;
    w->out->to[w->count] = to;
    w->out->cost[w->count++] = cost;
}

/// The cursor of the next batch; 0 if there is none.
static uint32_t finish(const writer* w) {
    return w->seen > w->skip + w->count ? w->skip + w->count : 0;
}

static void put_end(const vni_hybrid_view* view, uint32_t which, writer* w) {
    const vni_hybrid_end* end = &view->ends[which];
    for (uint32_t i = 0; i < end->count; ++i)
        put(w, end->nodes[i], end->costs[i]);
    if (view->ends_see)
        put(w, 1 - which, view->ends_cost);
}

/// Edges between a node and the ends.
static void put_joined(const vni_hybrid_view* view, uint32_t id, writer* w) {
    for (uint32_t which = 0; which < 2; ++which)
        for (uint32_t i = 0; i < view->ends[which].count; ++i)
            if (view->ends[which].nodes[i] == id)
                put(w, which, view->ends[which].costs[i]);
}

/// Steps between a voxel and those beside it that are used, or only those that are dynamic.
static void put_steps(const vni_hybrid_view* view, uint32_t node, bool dynamic_only, writer* w) {
    const vni_hybrid* h = view->state->hybrid;
    const vn_voxel v = vni_hybrid_voxel(h, node);
    const uint32_t free = vni_grid_free_around(view->state->occupancy, v);
    for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d) {
        if ((free & h->grid.needs[d]) != h->grid.needs[d])
            continue;
        const int32_t* s = h->grid.step[d];
        const uint32_t other = vni_hybrid_node(h, (vn_voxel){v.x + s[0], v.y + s[1], v.z + s[2]});
        if (other != VNI_NO_HYBRID && (!dynamic_only || vni_hybrid_is_dynamic(h, other)))
            put(w, other + VN_FIRST_NODE, h->grid.cost[d]);
    }
}

static uint32_t expand(const void* self, uint32_t id, uint32_t* cursor, const vn_edges* out) {
    const vni_hybrid_view* view = (const vni_hybrid_view*)self;
    const vni_hybrid* h = view->state->hybrid;
    writer w = {out, *cursor, 0, 0};
    if (id < VN_FIRST_NODE) {
        put_end(view, id, &w);
    } else {
        const uint32_t node = id - VN_FIRST_NODE;
        if (vni_hybrid_is_dynamic(h, node))
            put_steps(view, node, false, &w);
        for (uint32_t i = h->edge_first[node]; i < h->edge_first[node + 1]; ++i)
            if (vni_bits_get(view->state->open, i))
                put(&w, h->edges[i].to + VN_FIRST_NODE, h->edges[i].cost);
        put_joined(view, id, &w);
    }

    *cursor = finish(&w);
    return w.count;
}

/// Stored edges lead from nodes that are not dynamic, steps from those that are.
static uint32_t predecessors(const void* self, uint32_t id, uint32_t* cursor, const vn_edges* out) {
    const vni_hybrid_view* view = (const vni_hybrid_view*)self;
    const vni_hybrid* h = view->state->hybrid;
    writer w = {out, *cursor, 0, 0};
    if (id < VN_FIRST_NODE) {
        put_end(view, id, &w);
    } else {
        const uint32_t node = id - VN_FIRST_NODE;
        put_steps(view, node, true, &w);
        for (uint32_t i = h->back_first[node]; i < h->back_first[node + 1]; ++i)
            if (vni_bits_get(view->state->open, h->back[i]))
                put(&w, h->edges[h->back[i]].from + VN_FIRST_NODE, h->edges[h->back[i]].cost);
        put_joined(view, id, &w);
    }

    *cursor = finish(&w);
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
