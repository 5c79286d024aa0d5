/// graph/observer.h: tells the observer of a request (volnav/observe.h) what a search does.
///
/// Searches hold a pointer to a vni_observer, null if there is none: then an expansion costs one comparison
/// more.
#ifndef VNI_GRAPH_OBSERVER_H
#define VNI_GRAPH_OBSERVER_H

#include "base/heap.h"
#include "graph/graph.h"
#include "volnav/observe.h"

typedef struct vni_observer {
    vn_search_observer* call; ///< the caller's; not null
    void* user;
    double voxel; ///< edge of a voxel, metres
} vni_observer;

/// Lines of sight that were checked, and who is told of them.
typedef struct vni_sight_log {
    uint64_t count;
    const vni_observer* observer; ///< may be null
} vni_sight_log;

/// A node of a graph was expanded; `parent` may be VN_NO_NODE. `entry` is what the open set said of it.
void vni_observe_expansion(const vni_observer* observer, const vn_graph* graph, const vni_heap_entry* entry,
                           uint32_t parent, double g);

/// A cell was expanded: where it and the one before it were entered, all in voxels.
void vni_observe_cell(const vni_observer* observer, uint32_t cell, const float point[3],
                      const float parent[3], double g, double key, bool from_goal);

/// A line of sight was checked.
void vni_observe_sight(const vni_observer* observer, vn_point from, vn_point to, bool visible);

/// Checks the line of sight between two nodes, and tells.
bool vni_observe_visible(const vni_observer* observer, const vn_graph* graph, uint32_t a, uint32_t b);

/// Counts it too. `log` may be null. Returns `visible`.
static inline bool vni_log_sight(vni_sight_log* log, vn_point from, vn_point to, bool visible) {
    if (log != NULL) {
        ++log->count;
        if (log->observer != NULL)
            vni_observe_sight(log->observer, from, to, visible);
    }
    return visible;
}

#endif
