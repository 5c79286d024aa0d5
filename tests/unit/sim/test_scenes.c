/// tests/unit/sim/test_scenes.c: every scene builds, the same for the same seed, hangs together, and is about
/// as large as the thesis says.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/sim.h"
#include <stdio.h>
#include <string.h>

/// What the theses count: free voxels of the six maps of Massonnat 2023 (table 6.1), free leaves of the
/// octree.
typedef struct expectation {
    const char* name;
    uint64_t voxels; ///< 0: the thesis does not say
    uint64_t leaves;
    uint64_t hash; ///< vn_world_hash for seed 1, the same on every machine
} expectation;

static const expectation expected[] = {
    {"sparse", 0, 21091, 0xfa0ed78e34165d87u},        {"wall", 0, 8701, 0x149f891d44f10bcau},
    {"maze", 0, 7271, 0xaee61a3d7431f0acu},           {"concave", 0, 9054, 0x2bc955a312b476a9u},
    {"mixed", 0, 19797, 0xcbae50634278809cu},         {"zigzag", 31488, 2130, 0xfc1c252f6c8e9410u},
    {"building-1", 28190, 4226, 0x9929426801862123u}, {"building-2", 28628, 3975, 0x7b83f41753bc6881u},
    {"building-3", 29816, 4243, 0x10f65a6e4d77f2e5u}, {"cave", 29510, 8190, 0x87a9b26dc6ef6fd5u},
    {"industrial", 31833, 1671, 0xf3ac26496df9a4d0u},
};

enum { EXPECTED_COUNT = sizeof expected / sizeof *expected };

static vn_world* make_world(uint32_t index, uint64_t seed) {
    const vn_world_def def = vn_default_world_def();
    vn_world* world = NULL;
    vn_detail detail = {0};
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    if (vn_scene_build(index, seed, world, &detail) != VN_OK) {
        fail_msg("%s: %s", vn_scene_get(index)->name, detail.text);
    }

    return world;
}

static vn_space* bake(const vn_world* world, const vn_scene_info* info, bool closed) {
    vn_space_def def = vn_default_space_def();
    vn_space* space = NULL;
    vn_detail detail = {0};
    def.resolution = info->resolution;
    def.has_bounds = true;
    def.bounds = info->bounds;
    def.has_seed = closed;

    def.seed = info->seed;
    if (vn_space_bake(world, &def, &space, &detail) != VN_OK) {
        fail_msg("%s: %s", info->name, detail.text);
    }

    return space;
}

/// Free leaves of an octree whose root is the cube at `low`, by asking for each cube whether it is free.
static uint64_t count_leaves(const vn_space* space, vn_voxel low, int32_t edge) {
    const vn_voxel high = {low.x + edge, low.y + edge, low.z + edge};
    uint64_t count = 0;
    if (vn_space_box_free(space, low, high)) {
        return 1;
    }

    for (int i = 0; i < 8 && edge > 1; ++i) {
        const int32_t half = edge / 2;
        const vn_voxel child = {low.x + (i & 1 ? half : 0), low.y + (i & 2 ? half : 0),
                                low.z + (i & 4 ? half : 0)};
        count += count_leaves(space, child, half);
    }

    return count;
}

static void test_table(void** state) {
    (void)state;
    assert_int_equal(vn_scene_count(), EXPECTED_COUNT);
    for (uint32_t i = 0; i < EXPECTED_COUNT; ++i) {
        const vn_scene_info* info = vn_scene_get(i);
        uint32_t index = UINT32_MAX;
        assert_string_equal(info->name, expected[i].name);
        assert_true(vn_scene_find(info->name, &index));
        assert_int_equal(index, i);
        assert_true(strlen(info->source) > 0);
        assert_true(strlen(info->description) > 0);
        assert_true(strlen(info->description) < 60);
        assert_true(info->resolution > 0);
        assert_true(info->has_seed);
    }

    uint32_t index = 7;
    assert_null(vn_scene_get(EXPECTED_COUNT));
    assert_null(vn_scene_get(UINT32_MAX));
    assert_false(vn_scene_find("atlantis", &index));
    assert_int_equal(index, 7);
}

static bool is_within(uint64_t value, uint64_t wanted, double part) {
    return (double)value >= (1 - part) * (double)wanted && (double)value <= (1 + part) * (double)wanted;
}

/// Voxels within 2 %, leaves within 15 %.
static void test_sizes(void** state) {
    (void)state;
    for (uint32_t i = 0; i < EXPECTED_COUNT; ++i) {
        const vn_scene_info* info = vn_scene_get(i);
        vn_world* world = make_world(i, 1);
        vn_space* space = bake(world, info, true);
        vn_space_info about;
        vn_space_get_info(space, &about);
        const uint64_t leaves = count_leaves(space, (vn_voxel){0, 0, 0}, about.dims.x);
        print_message("%-11s %7llu voxels, %6llu leaves (thesis: %llu, %llu)\n", info->name,
                      (unsigned long long)about.free_voxels, (unsigned long long)leaves,
                      (unsigned long long)expected[i].voxels, (unsigned long long)expected[i].leaves);
        assert_true(about.dims.x == about.dims.y);
        assert_true(about.dims.y == about.dims.z);
        assert_int_equal(about.dims.x, i < 5 && strcmp(info->name, "maze") != 0 ? 64 : 32);
        assert_true(expected[i].voxels == 0 || is_within(about.free_voxels, expected[i].voxels, 0.02));
        assert_true(is_within(leaves, expected[i].leaves, 0.15));
        assert_int_equal(vn_world_hash(world), expected[i].hash);
        vn_space_destroy(space);
        vn_world_destroy(world);
    }
}

/// For any seed: the seed's point is free, and all free space hangs together, before anything is closed.
static void test_connected(void** state) {
    (void)state;
    const uint64_t base = vnt_seed("scenes", 11);
    for (uint32_t n = 0; n < vnt_scale(4, 200); ++n) {
        for (uint32_t i = 0; i < vn_scene_count(); ++i) {
            const vn_scene_info* info = vn_scene_get(i);
            vn_world* world = make_world(i, base + n);
            vn_space* space = bake(world, info, false);
            vn_space_info about;
            vn_point seed;
            vn_space_get_info(space, &about);
            assert_int_equal(vn_space_point_from_local(space, info->seed, &seed), VN_OK);

            assert_true(vn_space_voxel_free(space, vn_space_voxel_at(space, seed)));
            if (about.components != 1) {
                fail_msg("%s, seed %llu: %llu parts", info->name, (unsigned long long)(base + n),
                         (unsigned long long)about.components);
            }

            vn_space_destroy(space);
            vn_world_destroy(world);
        }
    }
}

/// Which scenes depend on their seed: all but the wall, the pot and the zigzag.
static void test_seeds(void** state) {
    (void)state;
    for (uint32_t i = 0; i < vn_scene_count(); ++i) {
        const char* name = vn_scene_get(i)->name;
        const bool fixed =
            strcmp(name, "wall") == 0 || strcmp(name, "concave") == 0 || strcmp(name, "zigzag") == 0;
        vn_world *a = make_world(i, 5), *b = make_world(i, 5), *c = make_world(i, 6);
        assert_true(vn_world_hash(a) == vn_world_hash(b));
        assert_true((vn_world_hash(a) == vn_world_hash(c)) == fixed);
        vn_world_destroy(a);
        vn_world_destroy(b);
        vn_world_destroy(c);
    }
}

static void test_refusals(void** state) {
    (void)state;
    vn_world* world = make_world(0, 1);
    const uint64_t before = vn_world_hash(world);
    vn_detail detail = {0};
    assert_int_equal(vn_scene_build(0, 1, world, &detail), VN_BAD_ORDER);
    assert_non_null(strstr(detail.text, "empty"));
    assert_int_equal(detail.status, VN_BAD_ORDER);
    assert_int_equal(vn_scene_build(vn_scene_count(), 1, world, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_scene_build(vn_scene_count(), 1, world, NULL), VN_BAD_ARGUMENT);
    assert_true(vn_world_hash(world) == before);
    vn_world_destroy(world);
}

/// Fails one allocation after another; the maze takes too many to try each.
static void test_out_of_memory(void** state) {
    (void)state;
    for (uint32_t i = 0; i < vn_scene_count(); ++i) {
        const uint64_t step = strcmp(vn_scene_get(i)->name, "maze") == 0 ? 97 : 3;
        vn_status status = VN_OUT_OF_MEMORY;
        for (uint64_t k = 0; status != VN_OK; k += step) {
            vnt_memory memory = vnt_memory_make();
            vn_world_def def = vn_default_world_def();
            vn_world* world = NULL;
            def.allocator = vnt_memory_allocator(&memory);
            assert_int_equal(vn_world_create(&def, &world), VN_OK);
            memory.fail_at = memory.calls + k;
            status = vn_scene_build(i, 1, world, NULL);
            assert_true(status == VN_OK ? !memory.failed : status == VN_OUT_OF_MEMORY);
            assert_true((vn_world_count(world) == 0) == (status != VN_OK));
            vn_world_destroy(world);
            assert_int_equal(memory.live_blocks, 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_sizes),    cmocka_unit_test(test_connected),
        cmocka_unit_test(test_seeds), cmocka_unit_test(test_refusals), cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests_name("sim/scenes", tests, NULL, NULL);
}
