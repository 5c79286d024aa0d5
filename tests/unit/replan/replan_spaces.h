/// tests/unit/replan/replan_spaces.h: every space that planners run on, over one random world that changes:
/// the graphs of a nav, the trees and the roadmaps, each as a source.
#ifndef VNT_REPLAN_SPACES_H
#define VNT_REPLAN_SPACES_H

#include "replan_world.h"

#include "volnav/roadmap.h"

typedef enum plan_space_kind {
    SPACE_GRID6,
    SPACE_GRID26,
    SPACE_CELLS_PORTAL,
    SPACE_CELLS_CENTRE,
    SPACE_OCTREE_CENTRES,
    SPACE_OCTREE_TRANSITIONS,
    SPACE_MERGED_CENTRES,
    SPACE_MERGED_TRANSITIONS,
    SPACE_HYBRID,
    SPACE_WAYPOINTS,
    SPACE_COUNT
} plan_space_kind;

static inline const char* space_name(uint32_t kind) {
    static const char* const names[SPACE_COUNT] = {"grid6",          "grid26",
                                                   "cells-portal",   "cells-centre",
                                                   "octree centres", "octree transitions",
                                                   "merged centres", "merged transitions",
                                                   "hybrid",         "waypoints"};
    return names[kind];
}

/// One of them; what it is not is null.
typedef struct plan_space {
    replan_world world;
    plan_space_kind kind;
    vn_nav_graph* graph;
    vn_classic* tree;
    vn_classic_view* tree_view;
    vn_roadmap* road;
    vn_roadmap_view* road_view;
    uint64_t version;       ///< that tree or roadmap have followed to
    const vn_space* pinned; ///< the tree's, in the nav
    bool may_skip;          ///< trees and the hybrid graph may leave out versions
    uint64_t seen;          ///< of the nav's versions, the newest
    bool skips;             ///< and whether it is left out
    vn_graph_source source;
} plan_space;

static inline bool space_is_nav(const plan_space* s) {
    return s->kind < SPACE_OCTREE_CENTRES;
}

static inline bool space_is_tree(const plan_space* s) {
    return s->kind >= SPACE_OCTREE_CENTRES && s->kind < SPACE_HYBRID;
}

/// The voxels that the source's graph is of.
static inline const vn_space* space_voxels(const plan_space* s) {
    return space_is_nav(s)    ? vn_nav_graph_space(s->graph)
           : space_is_tree(s) ? s->pinned
                              : vn_roadmap_view_space(s->road_view);
}

// ---------- following

/// Tree or roadmap to the newest version of the nav.
static inline void space_follow(plan_space* s) {
    uint64_t newest;
    const vn_space* space = vn_nav_pin(s->world.nav, 0, 0, &newest);
    if (newest != s->seen)
        s->skips = s->may_skip && s->kind != SPACE_WAYPOINTS && vni_rng_below(&s->world.rng, 4) == 0;
    s->seen = newest;
    if (newest == s->version || s->skips) {
        assert_int_equal(vn_nav_unpin(s->world.nav, newest), VN_OK);
        return;
    }

    // changes that several versions made are unknown to them
    const vn_changes* changes = NULL;
    if (newest == s->version + 1)
        assert_int_equal(vn_nav_get_changes(s->world.nav, newest, &changes), VN_OK);
    const vn_status status =
        s->tree != NULL
            ? vn_classic_follow(s->tree, space, newest, changes != NULL ? &changes->layers[0] : NULL, NULL)
            : vn_roadmap_follow(s->road, space, newest, changes, 0, NULL);
    if (changes != NULL)
        vn_nav_release_changes(s->world.nav, changes);

    assert_true(status == VN_OK);
    if (s->tree != NULL) {
        assert_int_equal(vn_nav_unpin(s->world.nav, s->version), VN_OK);
        s->pinned = space;
    } else {
        assert_int_equal(vn_nav_unpin(s->world.nav, newest), VN_OK);
    }
    s->version = newest;
}

static inline void space_after_tick(void* user) {
    space_follow((plan_space*)user);
}

// ---------- making

static inline void space_make_nav(plan_space* s) {
    vn_nav_graph_def def = vn_default_nav_graph_def();
    def.kind = (vn_nav_graph_kind)s->kind;
    assert_int_equal(vn_nav_graph_create(s->world.nav, &def, &s->graph, NULL), VN_OK);
    s->source = vn_nav_graph_source(s->graph);
}

static inline void space_make_tree(plan_space* s) {
    vn_classic_def def = vn_default_classic_def();
    def.allocator = s->world.allocator;
    def.kind = s->kind < SPACE_MERGED_CENTRES ? VN_CLASSIC_OCTREE : VN_CLASSIC_MERGED;
    def.follows = true;
    def.history = WORLD_HISTORY;
    s->pinned = vn_nav_pin(s->world.nav, 0, 0, &def.version);
    s->version = def.version;
    assert_int_equal(vn_classic_build(s->pinned, &def, &s->tree, NULL), VN_OK);
    const bool centres = s->kind == SPACE_OCTREE_CENTRES || s->kind == SPACE_MERGED_CENTRES;
    assert_int_equal(vn_classic_view_create(s->tree, centres ? VN_GRAPH_CENTRES : VN_GRAPH_TRANSITIONS,
                                            &s->tree_view, NULL),
                     VN_OK);
    s->source = vn_classic_view_source(s->tree_view);
}

/// Moving obstacles are expected in a part of the world, and go elsewhere too.
static inline vn_area* space_make_area(plan_space* s, const vn_space* fixed) {
    vn_area* area;
    replan_world* w = &s->world;
    assert_int_equal(vn_area_create(&w->allocator, fixed, &area, NULL), VN_OK);
    const vn_voxel low = {vni_rng_range(&w->rng, 0, w->dims.x - 1), vni_rng_range(&w->rng, 0, w->dims.y - 1),
                          vni_rng_range(&w->rng, 0, w->dims.z - 1)};
    vn_area_add_box(area, low, (vn_voxel){low.x + 7, low.y + 7, low.z + 7});
    return area;
}

static inline void space_make_road(plan_space* s, const vn_space* fixed) {
    vn_roadmap_def def = vn_default_roadmap_def();
    const vn_space_def space_def = world_space_def(&s->world);
    vn_space* now;
    def.allocator = s->world.allocator;
    def.history = WORLD_HISTORY;
    def.margin = 1;
    def.spacing = 3;
    def.indirect = 3;
    assert_int_equal(vn_space_bake(s->world.world, &space_def, &now, NULL), VN_OK);
    if (s->kind == SPACE_HYBRID) {
        vn_area* area = space_make_area(s, fixed);
        assert_int_equal(vn_roadmap_create_hybrid(fixed, area, now, &def, &s->road, NULL), VN_OK);
        vn_area_destroy(area);
    } else {
        assert_int_equal(vn_roadmap_create_waypoints(s->world.world, now, &def, &s->road, NULL), VN_OK);
    }

    vn_space_destroy(now);
    s->version = 1;
    assert_int_equal(vn_roadmap_view_create(s->road, &s->road_view, NULL), VN_OK);
    s->source = vn_roadmap_view_source(s->road_view);
}

/// `allocator`: of everything; null: the default.
static inline void space_make(plan_space* s, plan_space_kind kind, uint64_t seed,
                              const vn_allocator* allocator) {
    memset(s, 0, sizeof *s);
    world_begin(&s->world, seed, allocator);
    s->kind = kind;
    const vn_space_def def = world_space_def(&s->world);
    vn_space* fixed;
    assert_int_equal(vn_space_bake(s->world.world, &def, &fixed, NULL), VN_OK);
    world_add_movers(&s->world);
    if (kind >= SPACE_HYBRID)
        space_make_road(s, fixed);
    vn_space_destroy(fixed);

    world_start_nav(&s->world, VN_NAV_LOCKSTEP, 0, 0);
    if (space_is_nav(s))
        space_make_nav(s);
    if (space_is_tree(s))
        space_make_tree(s);
    if (!space_is_nav(s)) {
        s->world.after_tick = space_after_tick;
        s->world.user = s;
    }
}

static inline void space_free(plan_space* s) {
    vn_nav_graph_destroy(s->graph);
    vn_roadmap_view_destroy(s->road_view);
    vn_roadmap_destroy(s->road);
    vn_classic_view_destroy(s->tree_view);
    if (s->tree != NULL) {
        vn_classic_destroy(s->tree);
        assert_int_equal(vn_nav_unpin(s->world.nav, s->version), VN_OK);
    }
    world_free(&s->world);
}

// ---------- ends

/// An end moves to a neighbouring voxel, or anywhere, or not.
static inline vn_point space_move_end(plan_space* s, vn_point from) {
    replan_world* w = &s->world;
    const uint32_t kind = vni_rng_below(&w->rng, 8);
    if (kind < 3)
        return from;
    if (kind == 3)
        return world_point(w, space_voxels(s));

    vn_point to = from;
    int32_t* const axes[3] = {&to.x, &to.y, &to.z};
    const int32_t sizes[3] = {w->dims.x, w->dims.y, w->dims.z};
    const uint32_t axis = vni_rng_below(&w->rng, 3);
    *axes[axis] += vni_rng_below(&w->rng, 2) ? 1024 : -1024;
    return *axes[axis] < 0 || *axes[axis] > 1024 * sizes[axis] ? from : to;
}

/// A path goes through free voxels from start to goal.
static inline void space_check_path(const plan_space* s, const vn_plan* plan) {
    const uint32_t ends[2] = {VN_START_NODE, VN_GOAL_NODE};
    const vn_graph* graph = s->source.graph(s->source.self);
    vn_check_result result;
    vn_point at[2]; // on a grid the centres of their voxels
    graph->points(graph->self, ends, 2, at);
    assert_true(plan->point_count >= 1);
    assert_true(vn_space_check_path(space_voxels(s), plan->points, plan->point_count, &result));
    assert_memory_equal(&plan->points[0], &at[0], sizeof at[0]);
    assert_memory_equal(&plan->points[plan->point_count - 1], &at[1], sizeof at[1]);
}

#endif
