/// tests/unit/space/test_bake.c: defs, bounds, grids, seeds, flags, and a bake that fails or is stopped at
/// every point.
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "space/space.h"
#include "support.h"
#include "world/world.h"
#include <math.h>
#include <string.h>

static vn_world* make_world(const vn_allocator* allocator) {
    vn_world_def def = vn_default_world_def();
    if (allocator != NULL)
        def.allocator = *allocator;

    def.origin = (vn_dvec3){1000, 2000, 3000};
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static void add_box(vn_world* world, vn_vec3 min, vn_vec3 max) {
    vn_shape shape = vnt_box_shape(min, max);
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
}

/// A closed box as a solid mesh.
static void add_solid(vn_world* world, vn_vec3 low, vn_vec3 high) {
    vn_vec3 corners[8];
    vn_shape shape = vnt_box_mesh(low, high, true, corners);
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
}

static void add_set(vn_world* world, vn_vec3 low, float size, vn_voxel dims, const vn_voxel* voxels,
                    uint64_t count) {
    vn_shape shape = vnt_voxels_shape(dims, size, voxels, count);
    shape.as.voxels.low = low;
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
}

/// Every kind of shape, a wall with a window, two halls and a closed chamber.
static vn_world* make_full_world(const vn_allocator* allocator) {
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    vn_vec3 corners[4] = {{30, 5, 5}, {30, 5, 12}, {37, 5, 5}, {32, 11, 7}};
    vn_voxel voxels[3] = {{0, 0, 0}, {5, 1, 2}, {9, 9, 9}};
    vn_world* world = make_world(allocator);
    add_box(world, (vn_vec3){0, 0, 0}, (vn_vec3){80, 1, 40});
    add_box(world, (vn_vec3){20, 0, 0}, (vn_vec3){21, 30, 30});
    add_solid(world, (vn_vec3){50.25f, 5, 5}, (vn_vec3){66, 20.5f, 21});
    add_set(world, (vn_vec3){2, 8, 8}, 1, (vn_voxel){10, 10, 10}, voxels, 3);
    vn_shape shape = vnt_hull_of(corners, 4, faces, 4);

    vn_detail detail;
    if (vn_world_add(world, &shape, NULL, &detail) != VN_OK)
        fail_msg("%s", detail.text);

    shape = vnt_sphere_shape(vnt_vec(40, 20, 20), 6.5f);
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    shape = vnt_oriented_shape(vnt_vec(30, 25, 30), vnt_vec(5, 1, 2), (vn_quat){0.5f, 0.5f, 0.5f, 0.5f});
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    return world;
}

static vn_status bake_status(const vn_world* world, const vn_space_def* def, vn_detail* detail) {
    vn_space* space = (vn_space*)(uintptr_t)16;
    memset(detail, 0, sizeof *detail);
    vn_status status = vn_space_bake(world, def, &space, detail);
    assert_true(status == VN_OK || space == NULL);
    assert_true(status == VN_OK || (detail->status == status && detail->text[0] != 0));
    vn_space_destroy(space);

    return status;
}

static void test_bad_defs(void** state) {
    (void)state;
    vn_world* world = make_full_world(NULL);
    vn_space_def good = vn_default_space_def(), def;
    vn_detail detail;
    assert_int_equal(bake_status(world, &good, &detail), VN_OK);
    memset(&def, 0, sizeof def);
    assert_int_equal(bake_status(world, &def, &detail), VN_BAD_DEF);

    static const float bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        def = good;
        def.resolution = bad[i];
        assert_int_equal(bake_status(world, &def, &detail), VN_BAD_ARGUMENT);
        assert_non_null(strstr(detail.text, "resolution"));
        def = good;
        def.radius = i == 0 ? -0.5f : bad[i];
        assert_int_equal(bake_status(world, &def, &detail), VN_BAD_ARGUMENT);
        def = good;
        def.margin = i == 0 ? -0.5f : bad[i];
        assert_int_equal(bake_status(world, &def, &detail), VN_BAD_ARGUMENT);
    }

    def = good;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {1, -1, 1}};
    assert_int_equal(bake_status(world, &def, &detail), VN_BAD_ARGUMENT);
    def.bounds.max.y = NAN;
    assert_int_equal(bake_status(world, &def, &detail), VN_BAD_ARGUMENT);
    def = good;
    def.has_seed = true;
    def.seed.x = NAN;
    assert_int_equal(bake_status(world, &def, &detail), VN_BAD_ARGUMENT);
    def = good;
    def.jobs.worker_count = 0;
    assert_int_equal(bake_status(world, &def, &detail), VN_BAD_ARGUMENT);
    def = good;
    def.allocator.resize = NULL;
    assert_int_equal(bake_status(world, &def, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_space_bake(world, &def, &(vn_space*){NULL}, NULL), VN_BAD_ARGUMENT);
    vn_world_destroy(world);
}

static void test_too_large(void** state) {
    (void)state;
    vn_world* world = make_full_world(NULL);
    vn_space_def def = vn_default_space_def();
    vn_detail detail;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {1, 2e6f, 1}};
    assert_int_equal(bake_status(world, &def, &detail), VN_TOO_LARGE);
    assert_non_null(strstr(detail.text, "along y"));
    assert_non_null(strstr(detail.text, "resolution of 1.9"));
    def.bounds = (vn_box){{-3e38f, 0, 0}, {3e38f, 1, 1}};
    assert_int_equal(bake_status(world, &def, &detail), VN_TOO_LARGE);
    def.bounds = (vn_box){{0, 0, 0}, {1e6f, 1e6f, 1e6f}};
    assert_int_equal(bake_status(world, &def, &detail), VN_TOO_LARGE);
    assert_non_null(strstr(detail.text, "coarser"));
    vn_world_destroy(world);
    world = make_world(NULL);
    def.has_bounds = false;
    assert_int_equal(bake_status(world, &def, &detail), VN_BAD_DATA);
    def.has_bounds = true;
    def.bounds = (vn_box){{5, 5, 5}, {5, 5, 5}};
    assert_int_equal(bake_status(world, &def, &detail), VN_OK);
    vn_world_destroy(world);
}

static void assert_grid(const vn_world* world, const vn_space_def* def, vn_voxel dims, vn_dvec3 low,
                        uint64_t blocked) {
    vn_space* space;
    assert_int_equal(vn_space_bake(world, def, &space, NULL), VN_OK);
    vn_space_info info;
    vn_space_get_info(space, &info);
    assert_int_equal(info.dims.x, dims.x);
    assert_int_equal(info.dims.y, dims.y);
    assert_int_equal(info.dims.z, dims.z);
    assert_true(info.low.x == low.x);
    assert_true(info.low.y == low.y);
    assert_true(info.low.z == low.z);
    assert_true(info.origin.x == 1000);
    assert_true(info.origin.y == 2000);
    assert_true(info.origin.z == 3000);
    assert_int_equal(info.blocked_voxels, blocked);
    vn_space_destroy(space);
}

/// Dimensions cover the bounds, with the margin; a resolution of 0.1 in float does not make an extra voxel of
/// its rounding.
static void test_extent(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    add_box(world, (vn_vec3){1, 2, 3}, (vn_vec3){3, 2.5f, 4.75f});
    vn_space_def def = vn_default_space_def();
    def.resolution = 0.5f;
    assert_grid(world, &def, (vn_voxel){4, 1, 4}, (vn_dvec3){1, 2, 3}, 16);
    def.margin = 0.75f;
    assert_grid(world, &def, (vn_voxel){7, 4, 7}, (vn_dvec3){0.25, 1.25, 2.25}, 5 * 2 * 4);
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {2, 2.25f, 9}};
    assert_grid(world, &def, (vn_voxel){4, 5, 18}, (vn_dvec3){0, 0, 0}, 2 * 1 * 4);
    def.resolution = 0.1f;
    def.bounds = (vn_box){{0, 0, 0}, {0.6f, 0.7f, 0.31f}};
    assert_grid(world, &def, (vn_voxel){6, 7, 4}, (vn_dvec3){0, 0, 0}, 0);
    vn_world_destroy(world);
}

/// One voxel set and nothing else: its own grid, to the voxel, also where metres round.
static void test_own_grid(void** state) {
    (void)state;
    vn_voxel voxels[4] = {{0, 0, 0}, {4, 5, 6}, {9, 10, 11}, {9, 10, 10}};
    vn_vec3 low = {0.3f, -17.7f, 123.4f};
    vn_dvec3 at = {(double)low.x, (double)low.y, (double)low.z};
    double size = (double)0.1f;
    vn_world* world = make_world(NULL);
    add_set(world, low, 0.1f, (vn_voxel){12, 13, 14}, voxels, 4);
    vn_space_def def = vn_default_space_def();
    def.resolution = 0.1f;
    assert_grid(world, &def, (vn_voxel){12, 13, 14}, at, 4);
    def.margin = 0.25f;
    vn_dvec3 lower = {at.x - 3 * size, at.y - 3 * size, at.z - 3 * size};
    assert_grid(world, &def, (vn_voxel){18, 19, 20}, lower, 4);
    def.radius = 0.05f;
    assert_grid(world, &def, (vn_voxel){18, 19, 20}, lower, 27 + 27 + 36);
    vn_world_destroy(world);
    vn_vec3 far_away = {900000.06f, -700000.7f, 0.3f};
    world = make_world(NULL);
    add_set(world, far_away, 0.0003f, (vn_voxel){12, 13, 14}, voxels, 4);
    def = vn_default_space_def();
    def.resolution = 0.0003f;
    def.margin = 0.002f;
    double more = 7 * (double)0.0003f;
    lower = (vn_dvec3){(double)far_away.x - more, (double)far_away.y - more, (double)far_away.z - more};
    assert_grid(world, &def, (vn_voxel){26, 27, 28}, lower, 4);
    vn_world_destroy(world);
}

static void test_seed(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    add_box(world, (vn_vec3){4, 0, 0}, (vn_vec3){5, 10, 10});
    vn_space_def def = vn_default_space_def();
    vn_detail detail;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {10, 10, 10}};
    def.has_seed = true;
    def.seed = (vn_vec3){1, 1, 1};
    assert_grid(world, &def, (vn_voxel){10, 10, 10}, (vn_dvec3){0, 0, 0}, 600);
    def.seed = (vn_vec3){10, 10, 10};
    assert_grid(world, &def, (vn_voxel){10, 10, 10}, (vn_dvec3){0, 0, 0}, 500);
    def.seed = (vn_vec3){4.5f, 1, 1};
    assert_int_equal(bake_status(world, &def, &detail), VN_BLOCKED);
    def.seed = (vn_vec3){4.5f, 1, 10.5f};
    assert_int_equal(bake_status(world, &def, &detail), VN_OUTSIDE);
    def.seed = (vn_vec3){-0.5f, 1, 1};
    assert_int_equal(bake_status(world, &def, &detail), VN_OUTSIDE);
    vn_world_destroy(world);
}

static vn_space_def full_def(void) {
    vn_space_def def = vn_default_space_def();
    def.margin = 1;
    def.radius = 0.4f;
    def.has_seed = true;
    def.seed = (vn_vec3){75, 25, 30};
    return def;
}

static void test_workers(void** state) {
    (void)state;
    vn_world* world = make_full_world(NULL);
    vn_space_def def = full_def();
    def.resolution = 0.37f;
    uint64_t expected = 0;

    static const uint32_t workers[] = {1, 2, 5};
    for (int i = 0; i < 3; ++i) {
        vn_pool* pool;
        if (vn_pool_create(&def.allocator, workers[i], &pool) != VN_OK)
            continue;

        def.jobs = vn_pool_jobs(pool);
        vn_space* space;
        assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
        assert_true(i == 0 || vn_space_content_hash(space) == expected);
        expected = vn_space_content_hash(space);
        vn_space_destroy(space);
        vn_pool_destroy(pool);
    }

    vn_world_destroy(world);
}

/// Each allocation of a bake fails once.
static void test_out_of_memory(void** state) {
    (void)state;
    vn_world* world = make_full_world(NULL);
    vn_space_def def = full_def();
    vn_space* whole;
    assert_int_equal(vn_space_bake(world, &def, &whole, NULL), VN_OK);
    vn_status status = VN_OUT_OF_MEMORY;

    uint64_t k = 0;
    for (; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        def.allocator = vnt_memory_allocator(&memory);
        vn_space* space;
        vn_detail detail;
        status = vn_space_bake(world, &def, &space, &detail);

        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        if (status == VN_OK) {
            assert_true(vn_space_content_hash(space) == vn_space_content_hash(whole));
            vn_space_destroy(space);
        } else {
            assert_int_equal(detail.status, VN_OUT_OF_MEMORY);
        }

        assert_true(memory.live_blocks == 0);
        assert_true(memory.live_bytes == 0);
        assert_true(!memory.mismatch);
    }

    assert_true(k > 20);
    vn_space_destroy(whole);
    vn_world_destroy(world);
}

/// What a bake with solid meshes, a seed and cells reports, in this order.
#define STAGES 5

typedef struct watcher {
    uint32_t calls, stop_at, stage;
    double last;
} watcher;

static bool watch(void* user, const char* stage, double fraction) {
    static const char* const stages[STAGES] = {"fill", "voxelise", "region", "cells", "links"};
    watcher* w = user;
    if (strcmp(stage, stages[w->stage]) != 0) {
        ++w->stage;
        w->last = 0;
    }

    assert_true(w->stage < STAGES);
    assert_string_equal(stage, stages[w->stage]);
    assert_true(fraction >= w->last);
    assert_true(fraction <= 1);
    w->last = fraction;
    return w->calls++ != w->stop_at;
}

/// Cancelled at each progress call; the stages come in order and their fractions grow.
static void test_cancel(void** state) {
    (void)state;
    vn_world* world = make_full_world(NULL);
    vn_space_def def = full_def();
    def.progress = watch;
    vn_status status = VN_CANCELLED;

    uint32_t k = 0;
    for (; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        def.allocator = vnt_memory_allocator(&memory);
        watcher w = {.stop_at = k};
        def.progress_user = &w;
        vn_space* space;
        vn_detail detail;
        status = vn_space_bake(world, &def, &space, &detail);
        assert_int_equal(status, k < w.calls ? VN_CANCELLED : VN_OK);
        assert_true(status == VN_CANCELLED ? w.calls == k + 1 && detail.status == VN_CANCELLED
                                           : w.stage == STAGES - 1);
        vn_space_destroy(space);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
    }

    assert_true(k > STAGES);
    vn_world_destroy(world);
}

static bool count_fill(void* user, const char* stage, double fraction) {
    (void)fraction;
    *(uint32_t*)user += strcmp(stage, "fill") == 0;
    return true;
}

/// Progress is called all the while when a single large mesh is filled, whatever the number of workers: six
/// passes over the columns of three axes, and at least one call for so many of them.
static void test_progress_of_a_large_mesh(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    add_solid(world, (vn_vec3){0, 0, 0}, (vn_vec3){900, 900, 20});
    vn_space_def def = vn_default_space_def();
    vn_space* space;
    uint32_t calls = 0;
    def.cells = false;
    def.progress = count_fill;
    def.progress_user = &calls;
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    assert_true(calls >= 900 * 900 * 4 / (1 << 18));
    vn_space_destroy(space);
    vn_world_destroy(world);
}

/// A solid mesh is blocked to its core, an open one is hollow.
static void test_solid(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    add_solid(world, (vn_vec3){2, 2, 2}, (vn_vec3){70, 12, 12});
    vn_space_def def = vn_default_space_def();
    def.margin = 2;
    assert_grid(world, &def, (vn_voxel){72, 14, 14}, (vn_dvec3){0, 0, 0}, 70 * 12 * 12);
    def.radius = 1;
    assert_grid(world, &def, (vn_voxel){72, 14, 14}, (vn_dvec3){0, 0, 0}, 70 * 12 * 12);
    vn_world_destroy(world);
}

// --------------------------------------------------------------------------------------------------- flags

/// Bakes and gives the hash; `info` may be null.
static uint64_t bake_hash(const vn_world* world, const vn_space_def* def, vn_space_info* info) {
    vn_space* space;
    assert_int_equal(vn_space_bake(world, def, &space, NULL), VN_OK);
    uint64_t hash = vn_space_content_hash(space);
    assert_int_equal(vn_space_validate(space, NULL), VN_OK);
    if (info != NULL)
        vn_space_get_info(space, info);

    vn_space_destroy(space);
    return hash;
}

/// Obstacles that are open might as well not be there, but for the bounds.
static void test_open_flags(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("bake/open_flags", 31));
    for (uint32_t round = 0; round < vnt_scale(8, 100); ++round) {
        vn_world* world = make_full_world(NULL);
        uint32_t slots = vni_world_slots(world);
        vn_space_def def = full_def();
        def.has_seed = false;
        def.radius = round % 2 ? 0.4f : 0;
        vn_space_info plain, opened;

        uint64_t closed = bake_hash(world, &def, &plain);
        for (uint32_t slot = 0; slot < slots; ++slot)
            vn_world_set_flags(world, vni_world_id(world, slot), (uint32_t)1 << vni_rng_below(&rng, 4));

        assert_true(bake_hash(world, &def, NULL) == closed);
        def.open_flags = vni_rng_below(&rng, 16);
        uint64_t hash = bake_hash(world, &def, &opened);
        assert_int_equal(opened.open_flags, def.open_flags);
        assert_memory_equal(&opened.dims, &plain.dims, sizeof plain.dims);
        assert_true(opened.low.x == plain.low.x);
        assert_true(opened.low.y == plain.low.y);
        vn_box box;

        assert_true(vn_world_get_bounds(world, &box));
        for (uint32_t slot = 0; slot < slots; ++slot)
            if (vni_world_obstacle(world, slot)->info.flags & def.open_flags)
                vn_world_remove(world, vni_world_id(world, slot));

        def.has_bounds = true;
        def.bounds = (vn_box){{box.min.x - 1, box.min.y - 1, box.min.z - 1},
                              {box.max.x + 1, box.max.y + 1, box.max.z + 1}};
        assert_true(bake_hash(world, &def, NULL) == hash);
        vn_world_destroy(world);
    }
}

/// Nothing but open obstacles: all is free, within their bounds.
static void test_all_open(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    add_box(world, (vn_vec3){1, 2, 3}, (vn_vec3){5, 6, 7});
    vn_world_set_flags(world, vni_world_id(world, 0), 0x40000001u);
    vn_space_def def = vn_default_space_def();
    assert_grid(world, &def, (vn_voxel){4, 4, 4}, (vn_dvec3){1, 2, 3}, 64);
    def.open_flags = 1;
    assert_grid(world, &def, (vn_voxel){4, 4, 4}, (vn_dvec3){1, 2, 3}, 0);
    def.open_flags = 2;
    assert_grid(world, &def, (vn_voxel){4, 4, 4}, (vn_dvec3){1, 2, 3}, 64);
    vn_world_destroy(world);
}

/// Two voxel sets of one grid: the space takes it over; of two grids: it does not.
static void test_common_grid(void** state) {
    (void)state;
    vn_voxel a = {0, 0, 0}, b = {4, 5, 6};
    vn_vec3 low = {0.25f, -17.5f, 123.5f};
    vn_world* world = make_world(NULL);
    add_set(world, low, 0.125f, (vn_voxel){12, 13, 14}, &a, 1);
    add_set(world, low, 0.125f, (vn_voxel){12, 13, 14}, &b, 1);
    vn_world_set_flags(world, vni_world_id(world, 1), VN_FLAG_UNKNOWN);
    vn_space_def def = vn_default_space_def();
    def.resolution = 0.125f;
    def.margin = 0.3125f;
    vn_dvec3 lower = {-0.125, -17.875, 123.125};
    assert_grid(world, &def, (vn_voxel){18, 19, 20}, lower, 2);
    def.unknown = VN_UNKNOWN_FREE;
    assert_grid(world, &def, (vn_voxel){18, 19, 20}, lower, 1);
    add_set(world, low, 0.125f, (vn_voxel){12, 13, 13}, &a, 1);
    lower = (vn_dvec3){-0.0625, -17.8125, 123.1875};
    assert_grid(world, &def, (vn_voxel){17, 18, 19}, lower, 8);
    vn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_defs),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_extent),
        cmocka_unit_test(test_own_grid),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_solid),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_progress_of_a_large_mesh),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_open_flags),
        cmocka_unit_test(test_all_open),
        cmocka_unit_test(test_common_grid),
    };

    return cmocka_run_group_tests_name("space/bake", tests, NULL, NULL);
}
