/// tests/unit/live/live_scene.h: small random worlds that change, as a dynamic layer; and graphs as plain
/// copies that can be compared and changed by hand.
#ifndef VNT_LIVE_SCENE_H
#define VNT_LIVE_SCENE_H

#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"

#include "base/rng.h"
#include "dynamic/dynamic.h"
#include "volnav/graph.h"
#include "volnav/space.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { LIVE_MOVERS = 8, LIVE_WALLS = 6 };

typedef struct live_scene {
    vn_world* world;
    vni_dynamic* dynamic;
    vn_voxel dims;
    vn_obstacle_id movers[LIVE_MOVERS], walls[LIVE_WALLS];
} live_scene;

static inline vn_vec3 live_spot(vni_rng* rng, vn_voxel dims) {
    return vnt_vec((float)vni_rng_range(rng, -2, dims.x), (float)vni_rng_range(rng, -2, dims.y),
                   (float)vni_rng_range(rng, -2, dims.z));
}

static inline vn_obstacle_id live_wall(vn_world* world, vni_rng* rng, vn_voxel dims) {
    vn_vec3 low = live_spot(rng, dims), high = low;
    high.x += (float)vni_rng_range(rng, 1, 9);
    high.y += (float)vni_rng_range(rng, 1, 9);
    high.z += (float)vni_rng_range(rng, 1, 3);
    const vn_shape shape = vnt_box_shape(low, high);
    vn_obstacle_id id;
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    return id;
}

/// Up to `limit` voxels a side; sometimes longer along x, over several blocks.
static inline live_scene live_scene_make(vni_rng* rng, int32_t limit, const vn_allocator* allocator) {
    live_scene s = {0};
    s.dims =
        (vn_voxel){vni_rng_range(rng, 3, limit), vni_rng_range(rng, 3, limit), vni_rng_range(rng, 3, limit)};
    if (vni_rng_below(rng, 4) == 0)
        s.dims.x += 60;

    vn_world_def world_def = vn_default_world_def();
    assert_int_equal(vn_world_create(&world_def, &s.world), VN_OK);
    for (int i = 0; i < LIVE_WALLS; ++i)
        s.walls[i] = live_wall(s.world, rng, s.dims);

    for (int i = 0; i < LIVE_MOVERS; ++i) {
        const vn_shape shape = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec((float)vni_rng_range(rng, 1, 5),
                                                                       (float)vni_rng_range(rng, 1, 5),
                                                                       (float)vni_rng_range(rng, 1, 5)));
        vn_transform at = vn_transform_identity();
        at.position = live_spot(rng, s.dims);
        assert_int_equal(vn_world_add_moving(s.world, &shape, &at, &s.movers[i], NULL), VN_OK);
    }

    vni_dynamic_def def = {.allocator = allocator != NULL ? *allocator : vn_default_allocator(),
                           .jobs = vn_serial_jobs(),
                           .space = vn_default_space_def()};
    def.space.has_bounds = true;
    def.space.bounds = (vn_box){{0, 0, 0}, {(float)s.dims.x, (float)s.dims.y, (float)s.dims.z}};
    vni_world_forget_changes(s.world);
    assert_int_equal(vni_dynamic_make(s.world, &def, &s.dynamic, NULL), VN_OK);
    return s;
}

static inline void live_scene_free(live_scene* s) {
    vni_dynamic_free(s->dynamic);
    vn_world_destroy(s->world);
}

/// Moves a few obstacles, or replaces a wall.
static inline void live_scene_change(live_scene* s, vni_rng* rng) {
    const uint32_t what = vni_rng_below(rng, 8), which = vni_rng_below(rng, LIVE_WALLS);
    if (what == 0) {
        assert_int_equal(vn_world_remove(s->world, s->walls[which]), VN_OK);
        s->walls[which] = live_wall(s->world, rng, s->dims);
    }

    const uint32_t moves = what == 1 ? LIVE_MOVERS : 1 + vni_rng_below(rng, 2);
    for (uint32_t i = 0; i < moves; ++i) {
        vn_transform at = vn_transform_identity();
        const vn_obstacle_id id = s->movers[vni_rng_below(rng, LIVE_MOVERS)];
        assert_int_equal(vn_world_get_transform(s->world, id, &at), VN_OK);
        if (vni_rng_below(rng, 2))
            at.position = live_spot(rng, s->dims);
        else
            at.position.x += vni_rng_below(rng, 2) ? 1.0f : -1.0f;
        assert_int_equal(vn_world_move(s->world, id, &at, NULL), VN_OK);
    }
}

/// Brings the layer up to date with the world.
static inline void live_scene_update(live_scene* s) {
    uint32_t count;
    const vni_change* changes = vni_world_changes(s->world, &count);
    assert_int_equal(vni_dynamic_update(s->dynamic, s->world, changes, count, NULL), VN_OK);
    vni_world_forget_changes(s->world);
}

// ---------- plain copies of graphs

typedef struct live_edge {
    uint32_t to;
    double cost;
} live_edge;

typedef struct live_node {
    bool exists;
    uint32_t key;
    vn_point point;
    live_edge* edges; ///< sorted by `to`
    uint32_t count;
} live_node;

typedef struct live_copy {
    live_node* nodes;
    uint32_t limit;
} live_copy;

static inline int live_by_id(const void* a, const void* b) {
    const uint32_t x = ((const live_edge*)a)->to, y = ((const live_edge*)b)->to;
    return x < y ? -1 : x > y;
}

/// The edges of a node, without duplicates.
static inline void live_copy_edges(const vn_graph* graph, uint32_t id, live_node* out) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    free(out->edges);
    out->edges = NULL;
    out->count = 0;
    do {
        const uint32_t more = graph->expand(graph->self, id, &cursor, &edges);
        assert_true(more <= VN_EDGE_BATCH);
        out->edges = realloc(out->edges, (out->count + more + 1) * sizeof *out->edges);
        assert_non_null(out->edges);
        for (uint32_t i = 0; i < more; ++i)
            out->edges[out->count++] = (live_edge){to[i], cost[i]};
    } while (cursor != 0);

    qsort(out->edges, out->count, sizeof *out->edges, live_by_id);
}

static inline void live_copy_node(const vn_graph* graph, uint32_t id, live_node* out) {
    out->exists = true;
    graph->points(graph->self, &id, 1, &out->point);
    out->key = id;
    if (graph->keys != NULL)
        graph->keys(graph->self, &id, 1, &out->key);
    live_copy_edges(graph, id, out);
}

/// `exists` says which ids are nodes; the ends are left out.
static inline live_copy live_copy_make(const vn_graph* graph, bool (*exists)(const void* user, uint32_t id),
                                       const void* user) {
    live_copy copy = {calloc(graph->node_limit + 1, sizeof(live_node)), graph->node_limit};
    assert_non_null(copy.nodes);
    for (uint32_t id = VN_FIRST_NODE; id < graph->node_limit; ++id)
        if (exists(user, id))
            live_copy_node(graph, id, &copy.nodes[id]);
    return copy;
}

static inline void live_copy_free(live_copy* copy) {
    for (uint32_t i = 0; i < copy->limit; ++i)
        free(copy->nodes[i].edges);
    free(copy->nodes);
    *copy = (live_copy){0};
}

static inline bool live_same_node(const live_node* a, const live_node* b) {
    if (a->exists != b->exists)
        return false;
    if (!a->exists)
        return true;
    if (a->key != b->key || memcmp(&a->point, &b->point, sizeof a->point) != 0 || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; ++i)
        if (a->edges[i].to != b->edges[i].to || a->edges[i].cost != b->edges[i].cost)
            return false;
    return true;
}

/// Equal, up to ids that neither has.
static inline void live_copy_compare(const live_copy* a, const live_copy* b) {
    static const live_node none = {0};
    const uint32_t limit = a->limit > b->limit ? a->limit : b->limit;
    for (uint32_t i = 0; i < limit; ++i) {
        const live_node *x = i < a->limit ? &a->nodes[i] : &none, *y = i < b->limit ? &b->nodes[i] : &none;
        if (!live_same_node(x, y))
            fail_msg("node %u differs (%d %d, %u and %u edges)", i, x->exists, y->exists, x->count, y->count);
    }
}

static inline void live_copy_grow(live_copy* copy, uint32_t limit) {
    if (limit <= copy->limit)
        return;
    copy->nodes = realloc(copy->nodes, (limit + 1) * sizeof(live_node));
    assert_non_null(copy->nodes);
    memset(copy->nodes + copy->limit, 0, (limit + 1 - copy->limit) * sizeof(live_node));
    copy->limit = limit;
}

/// Brings a copy of the version before up to this one by what the delta names, and by nothing else.
static inline void live_copy_replay(live_copy* copy, const vn_node_changes* changes, const vn_graph* now) {
    live_copy_grow(copy, now->node_limit);
    for (uint32_t i = 0; i < changes->went_count; ++i) {
        live_node* node = &copy->nodes[changes->went[i]];
        assert_true(node->exists);
        node->exists = false;
    }

    for (uint32_t i = 0; i < changes->came_count; ++i) {
        live_node* node = &copy->nodes[changes->came[i]];
        assert_false(node->exists);
        live_copy_node(now, changes->came[i], node);
    }

    for (uint32_t i = 0; i < changes->changed_count; ++i) {
        live_node* node = &copy->nodes[changes->changed[i]];
        assert_true(node->exists);
        const vn_point before = node->point;
        const uint32_t key = node->key;
        live_copy_node(now, changes->changed[i], node);
        assert_memory_equal(&before, &node->point, sizeof before);
        assert_int_equal(key, node->key);
    }
}

#endif
