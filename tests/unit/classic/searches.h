/// tests/unit/classic/searches.h: random requests on small worlds, over voxels, portals of cells, octrees
/// and merged octrees; paths walked back and judged by the checker.
#ifndef VNT_CLASSIC_SEARCHES_H
#define VNT_CLASSIC_SEARCHES_H

#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "classic/views.h"
#include "search/best_first.h"
#include "space/space.h"
#include "view/grid.h"
#include "view/portals.h"
#include "volnav/path.h"

#include <math.h>
#include <string.h>

#define VNT_MAX_POINTS 4096

typedef enum vnt_scene_kind {
    VNT_GRID_26,
    VNT_GRID_6,
    VNT_PORTALS,      ///< of cells
    VNT_LEAF_CENTRES, ///< of an octree
    VNT_MERGED_CENTRES,
    VNT_MERGED_TRANSITIONS, ///< between the boxes
    VNT_VOXEL_TRANSITIONS,
    VNT_SCENE_KINDS
} vnt_scene_kind;

typedef struct vnt_scene {
    vnt_scene_kind kind;
    vnt_voxels voxels;
    vn_space* space;
    vni_grid grid;
    vni_portal_index index;
    vni_portal_view portals;
    vni_octree tree;
    vni_boxes boxes;
    vni_view view;
    vn_graph graph;
    vnt_memory memory; ///< of the scratch: counts what a search allocates
    vni_scratch scratch;
    vni_cost euclidean;
    vni_cost nearest; ///< the best lower bound for this graph
    uint32_t start, goal;
    vn_point start_point, goal_point;
} vnt_scene;

static inline bool vnt_is_grid(const vnt_scene* s) {
    return s->kind == VNT_GRID_26 || s->kind == VNT_GRID_6;
}

static inline bool vnt_has_boxes(const vnt_scene* s) {
    return s->kind >= VNT_LEAF_CENTRES && s->kind <= VNT_MERGED_TRANSITIONS;
}

/// Edges between boxes that are no cubes may bend; at the rim leaves are none.
static inline bool vnt_may_bend(const vnt_scene* s) {
    return s->kind == VNT_LEAF_CENTRES || s->kind == VNT_MERGED_CENTRES;
}

static inline vn_voxel vnt_voxel_of(vn_point centre) {
    vn_voxel v = {centre.x / VN_LATTICE, centre.y / VN_LATTICE, centre.z / VN_LATTICE};
    return v;
}

/// Room for so many nodes.
static inline void vnt_scene_scratch(vnt_scene* s, uint32_t max_nodes) {
    vni_scratch_free(&s->scratch);
    vn_allocator allocator = vnt_memory_allocator(&s->memory);
    assert_int_equal(vni_scratch_make(&allocator, s->graph.node_limit, max_nodes, &s->scratch), VN_OK);
}

/// The graph for these ends, which are centres of free voxels.
static inline void vnt_scene_request(vnt_scene* s, vn_point start, vn_point goal) {
    const vn_voxel a = vnt_voxel_of(start), b = vnt_voxel_of(goal);
    const vni_view_kind kind = s->kind <= VNT_MERGED_CENTRES ? VNI_VIEW_CENTRES : VNI_VIEW_TRANSITIONS;
    s->start_point = start;
    s->goal_point = goal;
    if (s->kind == VNT_PORTALS) {
        assert_true(vni_portal_view_make(&s->index, &s->space->occupancy, start, a, goal, b, &s->portals));
        s->graph = vni_portal_view_graph(&s->portals);
        s->start = vni_portal_view_start(&s->portals);
        s->goal = vni_portal_view_goal(&s->portals);
        return;
    }

    assert_int_equal(vnt_has_boxes(s) ? vni_view_of_boxes(&s->boxes, &s->space->occupancy, kind, start, a,
                                                          goal, b, &s->view)
                                      : vni_view_of_voxels(&s->grid, kind, start, a, goal, b, &s->view),
                     VN_OK);
    s->graph = vni_view_graph(&s->view);
    s->start = vni_view_start(&s->view);
    s->goal = vni_view_goal(&s->view);
}

/// What the graph is made of.
static inline void vnt_scene_build(vnt_scene* s) {
    const vn_allocator* allocator = &s->space->allocator;
    const vni_octree_def def = {VNI_ROOT_CUBE, 0, UINT32_MAX};
    if (s->kind == VNT_PORTALS) {
        assert_int_equal(vni_portal_index_make(allocator, &s->space->cells, &s->index), VN_OK);
    } else if (vnt_has_boxes(s)) {
        assert_int_equal(vni_octree_make(allocator, &s->space->occupancy, &def, &s->tree, NULL), VN_OK);
        assert_int_equal(s->kind == VNT_LEAF_CENTRES
                             ? vni_boxes_from_leaves(allocator, &s->tree, &s->boxes, NULL)
                             : vni_boxes_merged(allocator, &s->tree, &s->boxes, NULL),
                         VN_OK);
    } else {
        assert_int_equal(vni_grid_make(&s->space->occupancy, s->kind == VNT_GRID_6 ? 6 : 26, &s->grid, NULL),
                         VN_OK);
    }
}

/// A random world and request. False if nothing is free; vnt_scene_free in any case. The scene must stay
/// where it is.
static inline bool vnt_scene_make(vnt_scene* s, vni_rng* rng, vnt_scene_kind kind, int32_t limit) {
    vn_jobs serial = vn_serial_jobs();
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->memory = vnt_memory_make();
    s->voxels = vnt_voxels_random(rng, vnt_random_dims(rng, limit));
    s->space = kind == VNT_PORTALS ? vnt_voxels_cells(&s->voxels, &serial) : vnt_voxels_space(&s->voxels);

    s->euclidean = s->nearest = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
    if (vnt_is_grid(s))
        s->nearest = kind == VNT_GRID_6 ? vni_cost_length(VNI_METRIC_MANHATTAN, 6)
                                        : vni_cost_length(VNI_METRIC_OCTILE, 26);

    vn_voxel a, b;
    if (!vnt_random_free_voxel(rng, &s->voxels, &a) || !vnt_random_free_voxel(rng, &s->voxels, &b))
        return false;

    vnt_scene_build(s);
    vnt_scene_request(s, vn_voxel_center(a), vn_voxel_center(b));
    vnt_scene_scratch(s, s->graph.node_limit);
    return true;
}

static inline void vnt_scene_free(vnt_scene* s) {
    vni_scratch_free(&s->scratch);
    assert_int_equal(s->memory.live_blocks, 0);
    vni_portal_index_free(&s->index);
    vni_boxes_free(&s->boxes);
    vni_octree_free(&s->tree);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

// ------------------------------------------------------------------------------------------------- thin
// batches

#define VNT_MAX_EDGES 4096

/// Hands out the same edges, three at a time.
typedef struct vnt_thin {
    const vn_graph* graph;
} vnt_thin;

static inline uint32_t vnt_thin_expand(const void* self, uint32_t node, uint32_t* cursor,
                                       const vn_edges* out) {
    static uint32_t to[VNT_MAX_EDGES];
    static double cost[VNT_MAX_EDGES];
    const vn_graph* graph = ((const vnt_thin*)self)->graph;
    uint32_t count = 0, inner = 0, given = 0;
    do {
        const vn_edges edges = {to + count, cost + count};
        count += graph->expand(graph->self, node, &inner, &edges);
        assert_true(count + VN_EDGE_BATCH <= VNT_MAX_EDGES);
    } while (inner != 0);

    for (; given < 3 && *cursor + given < count; ++given) {
        out->to[given] = to[*cursor + given];
        out->cost[given] = cost[*cursor + given];
    }

    *cursor = *cursor + given < count ? *cursor + given : 0;
    return given;
}

static inline void vnt_thin_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const vn_graph* graph = ((const vnt_thin*)self)->graph;
    graph->points(graph->self, nodes, count, out);
}

static inline bool vnt_thin_visible(const void* self, uint32_t a, uint32_t b) {
    const vn_graph* graph = ((const vnt_thin*)self)->graph;
    return graph->visible(graph->self, a, b);
}

static inline bool vnt_thin_bend(const void* self, uint32_t a, uint32_t b, vn_point* at) {
    const vn_graph* graph = ((const vnt_thin*)self)->graph;
    return graph->bend(graph->self, a, b, at);
}

static inline vn_graph vnt_thin_graph(const vnt_thin* thin) {
    vn_graph graph = *thin->graph;
    graph.self = thin;
    graph.expand = vnt_thin_expand;
    graph.points = vnt_thin_points;
    graph.visible = vnt_thin_visible;
    graph.bend = graph.bend != NULL ? vnt_thin_bend : NULL;
    return graph;
}

// ------------------------------------------------------------------------------------------ paths and costs

/// A best-first search to the end. `cost` gets what the path to the goal costs.
static inline vn_status vnt_best_first(vnt_scene* s, const vni_cost* by, double g_weight, double h_weight,
                                       uint32_t goal, double* cost) {
    vni_best_first search;
    vni_best_first_def def = {g_weight, h_weight, false, false, 0};
    assert_int_equal(vni_best_first_begin(&search, &def, &s->graph, by, &s->scratch, s->start, goal), VN_OK);
    vn_status status = vni_best_first_step(&search, UINT64_MAX);
    *cost = status == VN_OK ? vni_best_first_g(&search, goal) : 0;
    return status;
}

/// Does the leg between two nodes bend? Of any-angle searches only those that are no lines of sight.
static inline bool vnt_leg_bends(const vnt_scene* s, uint32_t a, uint32_t b, bool any_angle, vn_point* at) {
    return vnt_may_bend(s) && vni_view_bend(&s->view, a, b, at) &&
           !(any_angle && s->graph.visible(s->graph.self, a, b));
}

/// The path from the start to `node`, by the parents in the scratch; how many points.
static inline uint32_t vnt_route(const vnt_scene* s, uint32_t node, bool any_angle, vn_point* out) {
    uint32_t count = 0;
    for (uint32_t at = node; at != VN_NO_NODE;) {
        assert_true(count + 1 < VNT_MAX_POINTS);
        s->graph.points(s->graph.self, &at, 1, &out[count++]);
        uint32_t parent = vni_scratch_parent(&s->scratch, at);
        if (parent != VN_NO_NODE && vnt_leg_bends(s, at, parent, any_angle, &out[count]))
            ++count;
        at = parent;
    }

    for (uint32_t i = 0; i < count / 2; ++i) {
        vn_point swap = out[i];
        out[i] = out[count - 1 - i];
        out[count - 1 - i] = swap;
    }

    return count;
}

/// In voxels.
static inline double vnt_route_cost(const vni_cost* cost, const vn_point* points, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i + 1 < count; ++i)
        sum += cost->segment(cost->self, points[i], points[i + 1]);
    return sum;
}

static inline bool vnt_close(double a, double b) {
    return fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b));
}

/// Sums over many requests, to compare means.
typedef struct vnt_sum {
    double sum;
    uint32_t count;
} vnt_sum;

static inline void vnt_sum_add(vnt_sum* sum, double value) {
    sum->sum += value;
    ++sum->count;
}

#endif
