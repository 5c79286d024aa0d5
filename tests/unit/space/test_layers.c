/// Layers: each the same as a space baked alone, in order, found by radius and flags; seeds in walls;
/// failures.
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "space/layers.h"
#include "space/space.h"
#include "support.h"
#include "voxels.h"
#include "world/world.h"
#include <math.h>
#include <string.h>

#define DOOR  1u
#define FIELD 2u

static void add(vn_world* world, vn_shape shape, uint32_t flags) {
    vn_obstacle_id id;
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(world, id, flags), VN_OK);
}

/// Two halls with a slit between them that is 2 m wide, a door in it, a force field, a ball, a hull and a
/// solid mesh.
static vn_world* make_rooms(void) {
    vn_world_def def = vn_default_world_def();
    def.origin = (vn_dvec3){10, 20, 30};
    vn_world* world;
    vn_vec3 corners[8];
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    add(world, vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(40, 1, 20)), 0);
    add(world, vnt_box_shape(vnt_vec(20, 0, 0), vnt_vec(21, 20, 9)), 0);
    add(world, vnt_box_shape(vnt_vec(20, 0, 11), vnt_vec(21, 20, 20)), 0);
    add(world, vnt_box_shape(vnt_vec(20, 0, 9), vnt_vec(21, 20, 11)), DOOR);
    add(world, vnt_sphere_shape(vnt_vec(30, 8, 8), 3.5f), FIELD);
    add(world, vnt_hull_shape(), 0);
    add(world, vnt_box_mesh(vnt_vec(4, 4, 4), vnt_vec(9, 9, 9), true, corners), 0);

    return world;
}

static vn_space_def rooms_def(void) {
    vn_space_def def = vn_default_space_def();
    def.resolution = 0.5f;
    return def;
}

static const vn_layer_def some_layers[5] = {{1.5f, 0}, {0, DOOR}, {0.4f, 0}, {0, 0}, {0.4f, DOOR | FIELD}};
static const uint32_t in_order[5] = {3, 1, 2, 4, 0};

// ------------------------------------------------------------------------------------------------- baking

static void each_layer_is_a_space(void** state) {
    (void)state;
    vn_world* world = make_rooms();
    vn_space_def def = rooms_def();
    def.radius = NAN; // not used, and so are the flags
    def.open_flags = FIELD;
    vn_layers* layers;
    assert_int_equal(vn_layers_bake(world, &def, some_layers, 5, &layers, NULL), VN_OK);
    assert_int_equal(vn_layers_count(layers), 5);

    assert_int_equal(vn_layers_world_hash(layers), vn_world_hash(world));
    for (uint32_t i = 0; i < 5; ++i) {
        const vn_layer_def* layer = &some_layers[in_order[i]];
        vn_space_info info, alone_info;
        vn_space* alone;
        def.radius = layer->radius;
        def.open_flags = layer->open_flags;
        assert_int_equal(vn_space_bake(world, &def, &alone, NULL), VN_OK);
        vn_space_get_info(alone, &alone_info);
        vn_space_get_info(vn_layers_space(layers, i), &info);
        assert_int_equal(vn_space_content_hash(vn_layers_space(layers, i)), vn_space_content_hash(alone));
        assert_true(info.radius == layer->radius);
        assert_true(info.open_flags == layer->open_flags);
        assert_true(info.low.x == alone_info.low.x);
        assert_true(info.origin.z == alone_info.origin.z);
        assert_int_equal(info.free_voxels, alone_info.free_voxels);
        assert_int_equal(info.components, alone_info.components);
        assert_int_equal(vn_space_validate(vn_layers_space(layers, i), NULL), VN_OK);
        vn_space_destroy(alone);
    }

    vn_layers_destroy(layers);
    vn_layers_destroy(NULL);
    vn_world_destroy(world);
}

/// The door stands in the slit: only the layers that open it join the halls.
static void open_doors_join_rooms(void** state) {
    (void)state;
    vn_world* world = make_rooms();
    vn_space_def def = rooms_def();
    vn_layers* layers;

    assert_int_equal(vn_layers_bake(world, &def, some_layers, 5, &layers, NULL), VN_OK);
    for (uint32_t i = 0; i < 5; ++i) {
        const vn_space* space = vn_layers_space(layers, i);
        vn_point a, b;
        assert_int_equal(vn_space_point_from_local(space, vnt_vec(16, 15, 16), &a), VN_OK);
        assert_int_equal(vn_space_point_from_local(space, vnt_vec(25, 15, 16), &b), VN_OK);
        bool passes = some_layers[in_order[i]].open_flags & DOOR;
        assert_int_equal(vn_space_reachable(space, a, b), passes);
        assert_true(vn_space_reachable(space, a, a));
        assert_true(vn_space_reachable(space, b, b));
    }

    vn_layers_destroy(layers);
    vn_world_destroy(world);
}

static void workers_change_nothing(void** state) {
    (void)state;
    vn_world* world = make_rooms();
    vn_space_def def = rooms_def();
    uint64_t hashes[5] = {0};
    for (uint32_t workers = 1; workers <= 3; workers += 2) {
        vn_pool* pool;
        if (vn_pool_create(&def.allocator, workers, &pool) != VN_OK)
            continue;

        def.jobs = vn_pool_jobs(pool);
        vn_layers* layers;
        assert_int_equal(vn_layers_bake(world, &def, some_layers, 5, &layers, NULL), VN_OK);
        for (uint32_t i = 0; i < 5; ++i) {
            uint64_t hash = vn_space_content_hash(vn_layers_space(layers, i));
            assert_true(workers == 1 || hash == hashes[i]);
            hashes[i] = hash;
        }

        vn_layers_destroy(layers);
        vn_pool_destroy(pool);
    }

    vn_world_destroy(world);
}

static vn_status bake_status(const vn_world* world, const vn_space_def* def, const vn_layer_def* layers,
                             uint32_t count, vn_detail* detail) {
    vn_layers* made = (vn_layers*)(uintptr_t)16;
    memset(detail, 0, sizeof *detail);
    vn_status status = vn_layers_bake(world, def, layers, count, &made, detail);
    assert_true(status == VN_OK || made == NULL);
    assert_true(status == VN_OK || (detail->status == status && detail->text[0] != 0));
    vn_layers_destroy(made);

    return status;
}

static void bad_layers_are_refused(void** state) {
    (void)state;
    vn_world* world = make_rooms();
    vn_space_def def = rooms_def();
    vn_detail detail;

    vn_layer_def layers[VN_MAX_LAYERS + 1];
    for (uint32_t i = 0; i <= VN_MAX_LAYERS; ++i)
        layers[i] = (vn_layer_def){1, i};

    assert_int_equal(bake_status(world, &def, layers, 0, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(bake_status(world, &def, layers, VN_MAX_LAYERS + 1, &detail), VN_BAD_ARGUMENT);
    layers[3] = (vn_layer_def){1, 1};
    assert_int_equal(bake_status(world, &def, layers, 5, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(detail.index, 3);
    assert_non_null(strstr(detail.text, "layers 1 and 3"));
    layers[1].radius = 0;
    layers[3].radius = -0.0f;
    assert_int_equal(bake_status(world, &def, layers, 5, &detail), VN_BAD_ARGUMENT);

    static const float bad[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; ++i) {
        layers[3].radius = bad[i];
        assert_int_equal(bake_status(world, &def, layers, 5, &detail), VN_BAD_ARGUMENT);
        assert_int_equal(detail.index, 3);
    }

    def.cookie = 0;
    assert_int_equal(bake_status(world, &def, some_layers, 5, &detail), VN_BAD_DEF);
    def = rooms_def();
    def.resolution = 1e-5f;
    assert_int_equal(bake_status(world, &def, some_layers, 5, &detail), VN_TOO_LARGE);
    assert_int_equal(vn_layers_bake(world, &def, some_layers, 5, &(vn_layers*){NULL}, NULL), VN_TOO_LARGE);
    vn_world_destroy(world);
}

// -------------------------------------------------------------------------------------------------- seeds

static void count_warnings(void* user, vn_log_level level, const char* message) {
    assert_int_equal(level, VN_LOG_WARNING);
    assert_non_null(strstr(message, "seed"));
    ++*(uint32_t*)user;
}

/// The seed stands 2 m before a wall: layers that are wider are closed, with a warning; if all are, it is an
/// error.
static void seeds_in_walls(void** state) {
    (void)state;
    static const vn_layer_def radii[3] = {{3, 0}, {0, 0}, {1, 0}};
    vn_world* world = make_rooms();
    vn_space_def def = rooms_def();
    def.has_seed = true;
    def.seed = vnt_vec(18, 15, 4);
    uint32_t warnings = 0;
    vn_layers* layers;
    vn_space_info info;
    vn_set_log_handler(count_warnings, &warnings);
    assert_int_equal(vn_layers_bake(world, &def, radii, 3, &layers, NULL), VN_OK);
    vn_set_log_handler(NULL, NULL);
    assert_int_equal(warnings, 1);
    vn_space_get_info(vn_layers_space(layers, 0), &info);
    assert_true(info.free_voxels > 0);
    assert_true(info.components == 1);
    vn_space_get_info(vn_layers_space(layers, 1), &info);
    assert_true(info.free_voxels > 0);
    assert_true(info.components == 1);
    vn_space_get_info(vn_layers_space(layers, 2), &info);
    assert_int_equal(info.free_voxels, 0);
    assert_int_equal(info.blocked_voxels,
                     (uint64_t)info.dims.x * (uint64_t)info.dims.y * (uint64_t)info.dims.z);
    assert_int_equal(info.components, 0);
    assert_int_equal(vn_space_validate(vn_layers_space(layers, 2), NULL), VN_OK);
    vn_layers_destroy(layers);
    vn_detail detail;
    assert_int_equal(bake_status(world, &def, radii, 1, &detail), VN_BLOCKED);
    def.seed = vnt_vec(20.5f, 5, 5);
    assert_int_equal(bake_status(world, &def, radii, 3, &detail), VN_BLOCKED);
    def.seed = vnt_vec(-7, 5, 5);
    assert_int_equal(bake_status(world, &def, radii, 3, &detail), VN_OUTSIDE);
    assert_int_equal(detail.index, 1);
    vn_world_destroy(world);
}

// ------------------------------------------------------------------------------------------------ failures

static void running_out_of_memory(void** state) {
    (void)state;
    vn_world* world = make_rooms();
    vn_space_def def = rooms_def();
    def.resolution = 2;
    def.has_seed = true;
    def.seed = vnt_vec(18, 15, 4);
    vn_layer_def layers[3] = {{6, 0}, {0, 0}, {0.5f, DOOR}};
    vn_status status = VN_OUT_OF_MEMORY;

    uint64_t k = 0;
    for (; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        def.allocator = vnt_memory_allocator(&memory);
        vn_layers* made;
        vn_detail detail;
        status = vn_layers_bake(world, &def, layers, 3, &made, &detail);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);

        assert_true(status == VN_OK || (detail.status == status && made == NULL));
        if (status == VN_OK) {
            vn_memory report;
            vn_layers_get_memory(made, &report);
            assert_int_equal(report.total, memory.live_bytes);
        }

        vn_layers_destroy(made);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
    }

    assert_true(k > 50);
    vn_world_destroy(world);
}

typedef struct watcher {
    uint32_t calls, stop_at, voxelised;
} watcher;

static bool watch(void* user, const char* stage, double fraction) {
    watcher* w = user;
    assert_true(fraction >= 0);
    assert_true(fraction <= 1);
    w->voxelised += strcmp(stage, "voxelise") == 0 && fraction == 1;
    return w->calls++ != w->stop_at;
}

/// Cancelled at each progress call; all stages go through once for each layer.
static void cancelling(void** state) {
    (void)state;
    vn_world* world = make_rooms();
    vn_space_def def = rooms_def();
    def.resolution = 2;
    def.progress = watch;
    vn_status status = VN_CANCELLED;

    uint32_t k = 0;
    for (; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        def.allocator = vnt_memory_allocator(&memory);
        watcher w = {.stop_at = k};
        def.progress_user = &w;
        vn_layers* made;
        vn_detail detail;
        status = vn_layers_bake(world, &def, some_layers, 5, &made, &detail);
        assert_int_equal(status, k < w.calls ? VN_CANCELLED : VN_OK);
        assert_true(status == VN_OK ? w.voxelised == 5 : detail.index < 5);
        vn_layers_destroy(made);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
    }

    assert_true(k > 15);
    vn_world_destroy(world);
}

// ------------------------------------------------------------------------------------------------ finding

/// A space without a world: one free voxel.
static vn_space* make_space(float radius, uint32_t flags) {
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){1, 1, 1});
    vn_space* space = vnt_voxels_space(&voxels);
    vnt_voxels_free(&voxels);
    space->radius = radius;
    space->open_flags = flags;
    return space;
}

static bool fits(const vn_space* space, double radius, uint32_t flags) {
    return (double)space->radius >= radius && (space->open_flags | flags) == flags;
}

static uint32_t count_flags(uint32_t flags) {
    uint32_t count = 0;
    for (; flags; flags >>= 1)
        count += flags & 1;
    return count;
}

/// No other layer that fits is better than the one that was found.
static void check_find(const vn_layers* layers, double radius, uint32_t flags) {
    const vn_space* found = vn_layers_find(layers, radius, flags);
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        const vn_space* other = vn_layers_space(layers, i);
        if (!fits(other, radius, flags))
            continue;

        assert_non_null(found);
        uint32_t opens = count_flags(found->open_flags), other_opens = count_flags(other->open_flags);
        assert_true(opens >= other_opens);
        assert_true(opens > other_opens || found->radius <= other->radius);
    }

    assert_true(found == NULL || fits(found, radius, flags));
}

static bool comes_before(const vn_space* a, const vn_space* b) {
    return a->radius < b->radius || (a->radius == b->radius && a->open_flags < b->open_flags);
}

/// Random layers in order, none twice; returns how many.
static uint32_t random_spaces(vni_rng* rng, vn_space** out) {
    uint32_t count = 0, wanted = 1 + vni_rng_below(rng, VN_MAX_LAYERS);
    for (uint32_t tries = 0; tries < wanted; ++tries) {
        vn_space* space = make_space((float)vni_rng_below(rng, 6) * 0.25f, vni_rng_below(rng, 16));
        uint32_t at = count;
        while (at > 0 && !comes_before(out[at - 1], space))
            --at;

        if (at < count && !comes_before(space, out[at])) {
            vn_space_destroy(space);
            continue;
        }

        memmove(out + at + 1, out + at, (count - at) * sizeof *out);
        out[at] = space;
        ++count;
    }

    return count;
}

static void finding(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("space/layers finding", 21));
    vn_allocator allocator = vn_default_allocator();
    for (uint32_t round = 0; round < vnt_scale(100, 3000); ++round) {
        vn_space* spaces[VN_MAX_LAYERS];
        uint32_t count = random_spaces(&rng, spaces);
        vn_layers* layers;
        assert_int_equal(vni_layers_adopt(&allocator, spaces, count, 77, &layers), VN_OK);

        assert_int_equal(vn_layers_world_hash(layers), 77);
        for (uint32_t flags = 0; flags < 32; ++flags)
            for (int step = -1; step <= 12; ++step)
                check_find(layers, step * 0.125, flags);

        assert_null(vn_layers_find(layers, (double)NAN, 15));
        assert_null(vn_layers_find(layers, 1.26, 15));
        vn_layers_destroy(layers);
    }
}

/// Layers 0, 0.25 and 1, as in the documentation: the smallest that fits.
static void finding_by_radius(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    vn_space* spaces[4] = {make_space(0, 0), make_space(0.25f, 0), make_space(1, 0), make_space(1, DOOR)};
    vn_layers* layers;
    assert_int_equal(vni_layers_adopt(&allocator, spaces, 4, 0, &layers), VN_OK);
    assert_ptr_equal(vn_layers_find(layers, 0, 0), spaces[0]);
    assert_ptr_equal(vn_layers_find(layers, 0.01, 0), spaces[1]);
    assert_ptr_equal(vn_layers_find(layers, 0.25, 0), spaces[1]);
    assert_ptr_equal(vn_layers_find(layers, 0.2500001, 0), spaces[2]);
    assert_ptr_equal(vn_layers_find(layers, 0, DOOR | FIELD), spaces[3]);
    assert_ptr_equal(vn_layers_find(layers, 1, FIELD), spaces[2]);
    assert_null(vn_layers_find(layers, 1.001, DOOR));
    vn_layers_destroy(layers);
}

// ------------------------------------------------------------------------------------------------ adopting

static void adopting(void** state) {
    (void)state;
    vn_space* spaces[3] = {make_space(0, 0), make_space(0, DOOR), make_space(1, 0)};
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vn_layers* layers = (vn_layers*)(uintptr_t)16;
    assert_int_equal(vni_layers_adopt(&allocator, spaces, 0, 0, &layers), VN_BAD_DATA);
    assert_null(layers);
    assert_int_equal(vni_layers_adopt(&allocator, spaces, VN_MAX_LAYERS + 1, 0, &layers), VN_BAD_DATA);
    spaces[1]->open_flags = 0;
    assert_int_equal(vni_layers_adopt(&allocator, spaces, 3, 0, &layers), VN_BAD_DATA);
    spaces[1]->radius = 2;
    assert_int_equal(vni_layers_adopt(&allocator, spaces, 3, 0, &layers), VN_BAD_DATA);

    spaces[1]->radius = 0.5f;
    for (int i = 0; i < 6; ++i) {
        double* number = i < 3 ? &spaces[2]->low.x + i : &spaces[2]->origin.x + i - 3;
        *number += 1;
        assert_int_equal(vni_layers_adopt(&allocator, spaces, 3, 0, &layers), VN_BAD_DATA);
        *number -= 1;
        spaces[2]->occupancy.dims[i % 3] += 1;
        assert_int_equal(vni_layers_adopt(&allocator, spaces, 3, 0, &layers), VN_BAD_DATA);
        spaces[2]->occupancy.dims[i % 3] -= 1;
    }

    spaces[2]->resolution = 2;
    assert_int_equal(vni_layers_adopt(&allocator, spaces, 3, 0, &layers), VN_BAD_DATA);
    spaces[2]->resolution = 1;
    memory.fail_at = 0;
    assert_int_equal(vni_layers_adopt(&allocator, spaces, 3, 0, &layers), VN_OUT_OF_MEMORY);
    assert_int_equal(vni_layers_adopt(&allocator, spaces, 3, 0, &layers), VN_OK);
    uint64_t calls = memory.calls;
    vn_memory report;
    vn_layers_get_memory(layers, &report);
    check_find(layers, 0, 0);
    assert_int_equal(memory.calls, calls);
    vn_layers_destroy(layers);
    assert_true(memory.live_blocks == 0);
    assert_true(!memory.mismatch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_layer_is_a_space),
        cmocka_unit_test(open_doors_join_rooms),
        cmocka_unit_test(workers_change_nothing),
        cmocka_unit_test(bad_layers_are_refused),
        cmocka_unit_test(seeds_in_walls),
        cmocka_unit_test(running_out_of_memory),
        cmocka_unit_test(cancelling),
        cmocka_unit_test(finding),
        cmocka_unit_test(finding_by_radius),
        cmocka_unit_test(adopting),
    };

    return cmocka_run_group_tests_name("space/layers", tests, NULL, NULL);
}
