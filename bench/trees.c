/// bench/trees.c: octree and merged octree that follow changes (Massonnat 2023, ch. 5 and 6.5).
///
///     bench_trees                  a box of 8 x 8 x 8 voxels that moves: update of the tree and of its
///     graphs
///                                  against building them anew. Maps: Complex and DA1 if VN_DATA names the
///                                  folder that holds warframe/, else VN_BENCH_MAP or a generated space
///     bench_trees drift MOVES      boxes after each thousandth of so many moves of a box in a space of 32^3,
///                                  as CSV: restored (octree, merged octree) and merged greedily
#include "bench.h"

#include "classic/follow.h"
#include "classic/live_greedy.h"
#include "dynamic/dynamic.h"
#include "live/compare.h"

enum { MOVES = 1000, STEPS = 20, REBUILDS = 100, SIDE = 8 };

/// One of the two trees, and its times so far.
typedef struct contender {
    const char* name;
    vni_follow follow;
    double tree, graph, rebuild_tree, rebuild_graph; ///< seconds
    double worst;                                    ///< of one update
    uint64_t went, came, portals;
    uint32_t first_count, most;
} contender;

typedef struct bench {
    vn_world* world;
    vni_dynamic* dynamic;
    const vn_space* space; ///< of now, pinned
    uint64_t version;
    vni_rng rng;
    uint64_t random;
    vni_difference difference;
    contender trees[2];
} bench;

// -------------------------------------------------------------------------------------------------- moving

static vn_transform random_transform(bench* b) {
    vn_space_info info;
    vn_point point;
    vn_space_get_info(b->space, &info);
    vnb_must(vn_space_random_point(b->space, &b->random, &point), NULL);
    const vn_voxel v = vn_space_voxel_at(b->space, point);
    const double size = (double)info.resolution;
    vn_transform transform = vn_transform_identity();
    transform.position = (vn_vec3){(float)(info.low.x + v.x * size), (float)(info.low.y + v.y * size),
                                   (float)(info.low.z + v.z * size)};
    return transform;
}

/// Follows with both trees what an update changed.
static void follow(contender* c, const vn_space* space, uint64_t version, const vni_box* changes,
                   uint32_t count) {
    vni_box_lists_clear(&c->follow.lists);
    const double begin = vnb_seconds();
    vnb_must(c->follow.merges ? vni_live_merged_update(&c->follow.merged, &space->occupancy, changes, count,
                                                       &c->follow.lists, NULL)
                              : vni_live_octree_update(&c->follow.tree, &space->occupancy, changes, count,
                                                       &c->follow.lists, NULL),
             NULL);
    const double middle = vnb_seconds();

    const vni_box_lists* lists = &c->follow.lists;
    const vni_box_changes boxes = {
        lists->went.at, lists->came.at, lists->went.count, lists->came.count, NULL, 0, false};
    const vni_boxes_source source = vni_follow_source(&c->follow);
    vnb_must(vni_live_boxes_advance(c->follow.boxes, version, &boxes, &source, NULL), NULL);
    const double end = vnb_seconds();
    c->tree += middle - begin;
    c->graph += end - middle;
    c->worst = end - begin > c->worst ? end - begin : c->worst;
    c->went += lists->went.count;
    c->came += lists->came.count;
    const uint32_t now = vni_follow_count(&c->follow);
    c->most = now > c->most ? now : c->most;
}

static void rebuild(contender* c, const vn_space* space) {
    const vn_allocator allocator = vn_default_allocator();
    const vni_octree_def def = {VNI_ROOT_CUBE, 0, UINT32_MAX};
    vni_octree tree;
    vni_boxes boxes;
    const double begin = vnb_seconds();
    vnb_must(vni_octree_make(&allocator, &space->occupancy, &def, &tree, NULL), NULL);
    double middle = vnb_seconds();
    if (c->follow.merges) {
        vnb_must(vni_boxes_merge(&allocator, &tree, &boxes, NULL), NULL);
        middle = vnb_seconds();
        vnb_must(vni_boxes_link(&boxes, NULL), NULL);
    } else {
        vnb_must(vni_boxes_from_leaves(&allocator, &tree, &boxes, NULL), NULL);
    }

    c->rebuild_tree += middle - begin;
    c->rebuild_graph += vnb_seconds() - middle;
    c->portals = boxes.portal_count;
    vni_boxes_free(&boxes);
    vni_octree_free(&tree);
}

static void step(bench* b, bool measures) {
    const vn_allocator allocator = vn_default_allocator();
    uint32_t count;
    uint64_t version;
    const vni_change* changes = vni_world_changes(b->world, &count);
    vnb_must(vni_dynamic_update(b->dynamic, b->world, changes, count, NULL), NULL);
    vni_world_forget_changes(b->world);
    const vn_space* next = vni_dynamic_pin(b->dynamic, &version);
    if (version == b->version) { // the box has not changed a voxel
        vni_dynamic_unpin(b->dynamic, version);
        return;
    }

    if (!vni_compare_spaces(&allocator, b->space, next, &b->difference))
        vnb_fail("out of memory");
    vni_box* boxes = vnb_alloc((size_t)b->difference.brick_count + 1, sizeof *boxes);
    for (uint32_t i = 0; i < b->difference.brick_count; ++i) {
        const vn_voxel low = b->difference.bricks[i].low;
        boxes[i] = (vni_box){{low.x, low.y, low.z}, {low.x + 4, low.y + 4, low.z + 4}};
    }

    for (int i = 0; i < 2; ++i) {
        follow(&b->trees[i], next, version, boxes, b->difference.brick_count);
        if (measures)
            rebuild(&b->trees[i], next);
    }

    free(boxes);
    vni_dynamic_unpin(b->dynamic, b->version);
    b->space = next;
    b->version = version;
}

// ----------------------------------------------------------------------------------------------------- runs

static void print(const contender* c, uint32_t rebuilds) {
    const double tree = c->tree * 1e6 / MOVES, graph = c->graph * 1e6 / MOVES;
    const double rebuild_tree = c->rebuild_tree * 1e6 / rebuilds,
                 rebuild_graph = c->rebuild_graph * 1e6 / rebuilds;
    printf("%s: %u boxes at first, at most %u; %llu portals in a new build\n", c->name, c->first_count,
           c->most, (unsigned long long)c->portals);
    printf("  boxes a move     went %.1f, came %.1f\n", (double)c->went / MOVES, (double)c->came / MOVES);
    printf("  local update     tree %.1f us, graphs %.1f us, worst of both %.0f us\n", tree, graph,
           c->worst * 1e6);
    printf("  new build        tree %.0f us, graph %.0f us\n", rebuild_tree, rebuild_graph);
    printf("  new / local      tree %.1f, graph %.1f, both %.1f\n\n", rebuild_tree / tree,
           rebuild_graph / graph, (rebuild_tree + rebuild_graph) / (tree + graph));
}

static void move_box(bench* b) {
    const float half = SIDE / 2.0f;
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-half, -half, -half}, {half, half, half}}};
    vn_transform transform = random_transform(b);
    vn_obstacle_id id;
    vnb_must(vn_world_add_moving(b->world, &box, &transform, &id, NULL), NULL);
    step(b, false);
    for (int i = 0; i < 2; ++i) {
        contender* c = &b->trees[i];
        c->tree = c->graph = c->worst = 0;
        c->went = c->came = 0;
    }

    uint32_t rebuilds = 0;
    for (uint32_t i = 0; i < MOVES; ++i) {
        float* at = &transform.position.x;
        if (i % STEPS == 0)
            transform = random_transform(b);
        for (int k = 0; k < 3; ++k)
            at[k] += (float)vni_rng_range(&b->rng, -1, 1);
        vnb_must(vn_world_move(b->world, id, &transform, NULL), NULL);
        step(b, i % REBUILDS == 0);
        rebuilds += i % REBUILDS == 0;
    }

    for (int i = 0; i < 2; ++i)
        print(&b->trees[i], rebuilds);
}

static void run(void) {
    vni_dynamic_def def = {.allocator = vn_default_allocator(), .jobs = vn_serial_jobs()};
    bench b = {.world = vnb_world(256, 400, 3, &def.space), .rng = vni_rng_make(6), .random = 5};
    if (!def.space.has_bounds) {
        def.space.has_bounds = true;
        vn_world_get_bounds(b.world, &def.space.bounds);
    }

    vni_world_forget_changes(b.world);
    vnb_must(vni_dynamic_make(b.world, &def, &b.dynamic, NULL), NULL);
    b.space = vni_dynamic_pin(b.dynamic, &b.version);
    vnb_print_space(b.space);
    for (int i = 0; i < 2; ++i) {
        const vni_follow_def tree = {.allocator = def.allocator,
                                     .merges = i == 1,
                                     .tree = {VNI_ROOT_CUBE, 0, UINT32_MAX},
                                     .history = 4,
                                     .version = b.version};
        b.trees[i].name = i == 1 ? "merged octree" : "octree";
        vnb_must(vni_follow_make(b.space, &tree, &b.trees[i].follow, NULL), NULL);
        b.trees[i].first_count = vni_follow_count(&b.trees[i].follow);
    }

    move_box(&b);
    for (int i = 0; i < 2; ++i)
        vni_follow_free(&b.trees[i].follow);
    vni_difference_free(&def.allocator, &b.difference);
    vni_dynamic_unpin(b.dynamic, b.version);
    vni_dynamic_free(b.dynamic);
    vn_world_destroy(b.world);
}

// ---------------------------------------------------------------------------------------------------- drift

enum { EDGE = 32, BOX = 4, PILLARS = 12 };

typedef struct drift {
    bool fixed[EDGE][EDGE][EDGE];
    int32_t at[3], velocity[3];
    vni_occupancy now;
    vni_rng rng;
} drift;

static bool is_blocked(const drift* d, const int32_t v[3], bool with_box) {
    bool in_box = with_box;
    for (int i = 0; i < 3; ++i)
        in_box = in_box && v[i] >= d->at[i] && v[i] < d->at[i] + BOX;
    return in_box || d->fixed[v[0]][v[1]][v[2]];
}

static void publish(drift* d, vni_occupancy* out, bool with_box) {
    static uint64_t dense[VNI_BLOCK_BRICKS];
    const vn_allocator allocator = vn_default_allocator();
    memset(dense, 0, sizeof dense);
    int32_t v[3];
    for (v[2] = 0; v[2] < EDGE; ++v[2])
        for (v[1] = 0; v[1] < EDGE; ++v[1])
            for (v[0] = 0; v[0] < EDGE; ++v[0])
                if (is_blocked(d, v, with_box))
                    dense[vni_chunk_of(v[0], v[1], v[2]) * 64 + vni_brick_of(v[0], v[1], v[2])] |=
                        (uint64_t)1 << vni_bit_of(v[0], v[1], v[2]);

    vni_block* block;
    if (!vni_block_pack(&allocator, dense, &block))
        vnb_fail("out of memory");
    vni_occupancy_set_block(out, 0, block);
}

static vni_box box_of(const drift* d) {
    return (vni_box){{d->at[0], d->at[1], d->at[2]}, {d->at[0] + BOX, d->at[1] + BOX, d->at[2] + BOX}};
}

/// Constant velocity, with a bounce at the rim that changes it (M23, 5.4).
static void fly(drift* d) {
    for (int i = 0; i < 3; ++i) {
        const int32_t next = d->at[i] + d->velocity[i];
        if (next >= 0 && next <= EDGE - BOX)
            d->at[i] = next;
        else
            d->velocity[i] = next < 0 ? vni_rng_range(&d->rng, 0, 2) : -vni_rng_range(&d->rng, 0, 2);
    }

    if (d->velocity[0] == 0 && d->velocity[1] == 0 && d->velocity[2] == 0)
        d->velocity[vni_rng_below(&d->rng, 3)] = 1;
}

static void run_drift(uint32_t moves) {
    static drift d;
    const vn_allocator allocator = vn_default_allocator();
    const vni_octree_def def = {VNI_ROOT_CUBE, 0, UINT32_MAX};
    vni_occupancy first;
    d.rng = vni_rng_make(11);
    d.velocity[0] = d.velocity[1] = d.velocity[2] = 1;
    for (int i = 0; i < PILLARS; ++i) {
        const int32_t x = vni_rng_range(&d.rng, 0, 30), z = vni_rng_range(&d.rng, 0, 30);
        for (int32_t y = 0, top = vni_rng_range(&d.rng, 4, EDGE); y < top; ++y)
            d.fixed[x][y][z] = d.fixed[x + 1][y][z] = d.fixed[x][y][z + 1] = d.fixed[x + 1][y][z + 1] = true;
    }

    vnb_must(vni_occupancy_make(&allocator, (vn_voxel){EDGE, EDGE, EDGE}, &first, NULL), NULL);
    vnb_must(vni_occupancy_make(&allocator, (vn_voxel){EDGE, EDGE, EDGE}, &d.now, NULL), NULL);
    publish(&d, &first, false);
    vni_live_octree octree;
    vni_live_merged merged;
    vni_live_greedy greedy;
    vnb_must(vni_live_octree_make(&allocator, &first, &def, &octree, NULL), NULL);
    vnb_must(vni_live_merged_make(&allocator, &first, &def, &merged, NULL), NULL);
    vnb_must(vni_live_greedy_make(&allocator, &first, &def, &greedy, NULL), NULL);

    vni_box_lists lists = vni_box_lists_make(&allocator);
    vni_box changes[2] = {box_of(&d), box_of(&d)};
    printf("moves,octree,merged,greedy\n0,%u,%u,%u\n", vni_live_octree_count(&octree),
           vni_live_merged_count(&merged), vni_live_greedy_count(&greedy));
    for (uint32_t i = 1; i <= moves; ++i) {
        changes[0] = box_of(&d);
        fly(&d);
        changes[1] = box_of(&d);
        publish(&d, &d.now, true);
        vnb_must(vni_live_octree_update(&octree, &d.now, changes, 2, &lists, NULL), NULL);
        vni_box_lists_clear(&lists);
        vnb_must(vni_live_merged_update(&merged, &d.now, changes, 2, &lists, NULL), NULL);
        vni_box_lists_clear(&lists);
        vnb_must(vni_live_greedy_update(&greedy, &d.now, changes, 2, &lists, NULL), NULL);
        vni_box_lists_clear(&lists);
        if (i < 100 ? i % 10 == 0 : i % (moves >= 1000 ? moves / 1000 : 1) == 0)
            printf("%u,%u,%u,%u\n", i, vni_live_octree_count(&octree), vni_live_merged_count(&merged),
                   vni_live_greedy_count(&greedy));
    }

    vni_box_lists_free(&lists);
    vni_live_octree_free(&octree);
    vni_live_merged_free(&merged);
    vni_live_greedy_free(&greedy);
    vni_occupancy_free(&first);
    vni_occupancy_free(&d.now);
}

int main(int argc, char** argv) {
    static const char* const maps[] = {"Complex", "DA1"};
    const char* data = getenv("VN_DATA");
    if (argc == 3 && strcmp(argv[1], "drift") == 0) {
        run_drift((uint32_t)strtoul(argv[2], NULL, 10));
        return 0;
    }

    for (int i = 0; i < (data != NULL ? 2 : 1); ++i) {
        char path[1000];
        if (data != NULL) {
            snprintf(path, sizeof path, "%s/warframe/%s.3dmap", data, maps[i]);
            setenv("VN_BENCH_MAP", path, 1);
        }
        run();
    }

    return 0;
}
