/// graph/observer.c: events of a search, in the caller's units.
#include "graph/observer.h"
#include "geom/units.h"

#include <math.h>

void vni_observe_expansion(const vni_observer* observer, const vn_graph* graph, const vni_heap_entry* entry,
                           uint32_t parent, double g) {
    const uint32_t nodes[2] = {entry->id, parent == VN_NO_NODE ? entry->id : parent};
    vn_point points[2];
    graph->points(graph->self, nodes, 2, points);

    const vn_search_event event = {.kind = VN_SEARCH_EXPAND,
                                   .node = entry->id,
                                   .point = points[0],
                                   .parent = points[1],
                                   .g = g * observer->voxel,
                                   .h = entry->tie * observer->voxel,
                                   .key = entry->key * observer->voxel};
    observer->call(observer->user, &event);
}

/// The nearest lattice point.
static vn_point lattice_point(const float at[3]) {
    vn_point p = {(int32_t)floor(vni_voxels_to_steps((double)at[0]) + 0.5),
                  (int32_t)floor(vni_voxels_to_steps((double)at[1]) + 0.5),
                  (int32_t)floor(vni_voxels_to_steps((double)at[2]) + 0.5)};
    return p;
}

void vni_observe_cell(const vni_observer* observer, uint32_t cell, const float point[3],
                      const float parent[3], double g, double key, bool from_goal) {
    const vn_search_event event = {.kind = VN_SEARCH_EXPAND,
                                   .node = cell,
                                   .point = lattice_point(point),
                                   .parent = lattice_point(parent),
                                   .g = g * observer->voxel,
                                   .h = (key - g) * observer->voxel,
                                   .key = key * observer->voxel,
                                   .from_goal = from_goal};
    observer->call(observer->user, &event);
}

bool vni_observe_visible(const vni_observer* observer, const vn_graph* graph, uint32_t a, uint32_t b) {
    const uint32_t nodes[2] = {a, b};
    const bool visible = graph->visible(graph->self, a, b);
    vn_point points[2];
    graph->points(graph->self, nodes, 2, points);
    vni_observe_sight(observer, points[0], points[1], visible);
    return visible;
}

void vni_observe_sight(const vni_observer* observer, vn_point from, vn_point to, bool visible) {
    const vn_search_event event = {
        .kind = VN_SEARCH_SIGHT, .node = UINT32_MAX, .point = from, .parent = to, .visible = visible};
    observer->call(observer->user, &event);
}
