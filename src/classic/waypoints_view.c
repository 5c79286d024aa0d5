/// classic/waypoints_view.c: edges of a waypoint graph, forwards and backwards.
#include "classic/waypoints_view.h"
#include "classic/waypoints_inside.h"
#include "probe/sight.h"

static uint32_t node_of(const vni_waypoints* w, uint32_t id) {
    VNI_ASSERT(id >= VN_FIRST_NODE && id - VN_FIRST_NODE < w->id_count);
    VNI_ASSERT(w->nodes_of[id - VN_FIRST_NODE] != VNI_NO_WAYPOINT); // it went
    return w->nodes_of[id - VN_FIRST_NODE];
}

static vn_point point_of(const vni_waypoints_view* view, uint32_t id) {
    return id < VN_FIRST_NODE ? view->ends.at[id].point : view->state->nodes[node_of(view->state, id)].point;
}

void vni_waypoints_view_make(const vni_waypoints* state, vni_waypoints_view* out) {
    *out = (vni_waypoints_view){.state = state};
}

void vni_waypoints_view_set_end(vni_waypoints_view* view, uint32_t end, vn_point point) {
    const vni_waypoints* w = view->state;
    uint32_t seen[VNI_WAYPOINT_JOINS];
    vni_ends_set(&view->ends, end, point, &w->space->occupancy);
    const uint32_t count = vni_waypoints_seen(w, point, UINT32_MAX, VNI_WAYPOINT_JOINS, seen, NULL);
    for (uint32_t i = 0; i < count; ++i)
        vni_ends_join(&view->ends, end, w->ids[seen[i]], w->nodes[seen[i]].point);
}

static void put(const vni_waypoints* w, uint32_t from, uint32_t to, vni_edge_writer* writer) {
    vni_put_edge(writer, w->ids[to], vni_voxels_between(w->nodes[from].point, w->nodes[to].point));
}

static uint32_t expand(const void* self, uint32_t id, uint32_t* cursor, const vn_edges* out) {
    const vni_waypoints_view* view = (const vni_waypoints_view*)self;
    const vni_waypoints* w = view->state;
    vni_edge_writer writer = vni_edge_writer_make(out, *cursor);
    if (id < VN_FIRST_NODE) {
        vni_put_end(&view->ends, id, &writer);
    } else {
        const uint32_t node = node_of(w, id);
        for (uint32_t i = 0; i < w->nodes[node].count; ++i)
            put(w, node, w->to[w->nodes[node].first + i], &writer);
        vni_put_joined(&view->ends, id, &writer);
    }

    *cursor = vni_edge_cursor(&writer);
    return writer.count;
}

static uint32_t predecessors(const void* self, uint32_t id, uint32_t* cursor, const vn_edges* out) {
    const vni_waypoints_view* view = (const vni_waypoints_view*)self;
    const vni_waypoints* w = view->state;
    vni_edge_writer writer = vni_edge_writer_make(out, *cursor);
    if (id < VN_FIRST_NODE) {
        vni_put_end(&view->ends, id, &writer);
    } else {
        const uint32_t node = node_of(w, id);
        for (uint32_t i = w->back_first[node]; i < w->back_first[node + 1]; ++i)
            put(w, node, w->back[i], &writer);
        vni_put_joined(&view->ends, id, &writer);
    }

    *cursor = vni_edge_cursor(&writer);
    return writer.count;
}

static void points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const vni_waypoints_view* view = (const vni_waypoints_view*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = point_of(view, nodes[i]);
}

static bool visible(const void* self, uint32_t a, uint32_t b) {
    const vni_waypoints_view* view = (const vni_waypoints_view*)self;
    return vni_sight(&view->state->space->occupancy, point_of(view, a), point_of(view, b));
}

/// The ends first, then the waypoints in order.
static void keys(const void* self, const uint32_t* nodes, uint32_t count, uint32_t* out) {
    const vni_waypoints* w = ((const vni_waypoints_view*)self)->state;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = nodes[i] < VN_FIRST_NODE ? nodes[i] : node_of(w, nodes[i]) + VN_FIRST_NODE;
}

vn_graph vni_waypoints_view_graph(const vni_waypoints_view* view) {
    vn_graph graph = {0};
    graph.self = view;
    graph.node_limit = view->state->id_count + VN_FIRST_NODE;
    graph.capabilities = VN_GRAPH_SEES | VN_GRAPH_REVERSES;
    graph.expand = expand;
    graph.predecessors = predecessors;
    graph.points = points;
    graph.visible = visible;
    graph.keys = keys;

    return graph;
}
