/// tests/unit/space/test_unknown.c: unknown space under each policy, against brute force.
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "space/space.h"
#include "support.h"
#include "voxels.h"
#include "world/world.h"
#include <string.h>

static vn_world* make_world(void) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static void add(vn_world* world, vn_shape shape, uint32_t flags) {
    vn_obstacle_id id;
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(world, id, flags), VN_OK);
}

/// Bakes a space that must be right; its content as one number.
static uint64_t bake_hash(const vn_world* world, const vn_space_def* def, vn_space_info* info) {
    vn_space* space;
    assert_int_equal(vn_space_bake(world, def, &space, NULL), VN_OK);
    uint64_t hash = vn_space_content_hash(space);
    assert_int_equal(vn_space_validate(space, NULL), VN_OK);
    vn_space_get_info(space, info);
    vn_space_destroy(space);

    return hash;
}

// ------------------------------------------------------------------------------------------------ policies

/// A random map: occupied and unknown voxels, which may overlap.
typedef struct map {
    vnt_voxels occupied, unseen;
    vn_world* world;
} map;

static void add_map_set(vn_world* world, const vnt_voxels* voxels, uint32_t flags) {
    static vn_voxel list[40 * 40 * 40];
    uint64_t count = 0;
    for (int32_t z = 0; z < voxels->dims.z; ++z)
        for (int32_t y = 0; y < voxels->dims.y; ++y)
            for (int32_t x = 0; x < voxels->dims.x; ++x)
                if (!vnt_voxels_are_free(voxels, x, y, z))
                    list[count++] = (vn_voxel){x, y, z};

    add(world, vnt_voxels_shape(voxels->dims, 1, list, count), flags);
}

static map make_map(vni_rng* rng, int32_t limit) {
    vn_voxel dims = vnt_random_dims(rng, limit);
    map m = {vnt_voxels_random(rng, dims), vnt_voxels_random(rng, dims), make_world()};
    add_map_set(m.world, &m.occupied, 0);
    add_map_set(m.world, &m.unseen, VN_FLAG_UNKNOWN | 1);
    return m;
}

static void free_map(map* m) {
    vnt_voxels_free(&m->occupied);
    vnt_voxels_free(&m->unseen);
    vn_world_destroy(m->world);
}

/// Is the voxel one of the set, or closer to one than the radius?
static bool is_near(const vnt_voxels* set, int32_t x, int32_t y, int32_t z, double radius) {
    for (int32_t dz = -3; dz <= 3; ++dz)
        for (int32_t dy = -3; dy <= 3; ++dy)
            for (int32_t dx = -3; dx <= 3; ++dx) {
                const int32_t d[3] = {dx, dy, dz};
                vn_voxel v = {x + dx, y + dy, z + dz};
                int32_t gap2 = 0;
                for (int i = 0; i < 3; ++i)
                    gap2 += d[i] > 1 ? (d[i] - 1) * (d[i] - 1) : d[i] < -1 ? (d[i] + 1) * (d[i] + 1) : 0;

                bool in = v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < set->dims.x && v.y < set->dims.y &&
                          v.z < set->dims.z;
                bool counts = radius > 0 ? gap2 < radius * radius : dx == 0 && dy == 0 && dz == 0;
                if (counts && in && !vnt_voxels_are_free(set, v.x, v.y, v.z))
                    return true;
            }

    return false;
}

/// What a voxel should be under each policy, before any region is closed.
static void check_policy(const map* m, const vn_space* space, vn_unknown_policy policy, double radius) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    uint64_t blocked = 0, unknown = 0;
    for (int32_t z = 0; z < info.dims.z; ++z)
        for (int32_t y = 0; y < info.dims.y; ++y)
            for (int32_t x = 0; x < info.dims.x; ++x) {
                vn_voxel v = {x, y, z};
                bool known = is_near(&m->occupied, x, y, z, radius),
                     unseen = is_near(&m->unseen, x, y, z, radius);
                bool is_blocked = known || (unseen && policy != VN_UNKNOWN_FREE);
                bool is_unknown = !known && unseen && policy == VN_UNKNOWN_REFUSED;
                assert_int_equal(vn_space_voxel_free(space, v), !is_blocked);
                assert_int_equal(vn_space_point_unknown(space, vn_voxel_center(v)), is_unknown);
                blocked += is_blocked;
                unknown += is_unknown;
            }

    assert_int_equal(info.unknown, policy);
    assert_int_equal(info.blocked_voxels, blocked);
    assert_int_equal(info.unknown_voxels, unknown);
    assert_int_equal(vn_space_validate(space, NULL), VN_OK);
}

/// Points on faces, edges and corners are unknown if an unknown voxel touches them, and no free one does.
static void check_points(const vn_space* space, vni_rng* rng, vn_voxel dims) {
    for (int i = 0; i < 200; ++i) {
        vn_point p = vnt_random_point(rng, dims, 512);
        bool any = false, is_free = false;
        for (int corner = 0; corner < 8; ++corner) {
            vn_voxel v = {(2 * p.x + (corner & 1 ? 1 : -1)) >> 11, (2 * p.y + (corner & 2 ? 1 : -1)) >> 11,
                          (2 * p.z + (corner & 4 ? 1 : -1)) >> 11};
            bool in = v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < dims.x && v.y < dims.y && v.z < dims.z;
            is_free = is_free || vn_space_voxel_free(space, v);
            any = any || (in && vn_space_point_unknown(space, vn_voxel_center(v)));
        }

        assert_int_equal(vn_space_point_unknown(space, p), any && !is_free);
    }
}

static void test_policies(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("unknown/policies", 32));
    static const float radii[] = {0, 0.5f, 1.6f};
    for (uint32_t round = 0; round < vnt_scale(24, 400); ++round) {
        map m = make_map(&rng, round % 6 == 0 ? 30 : 9);
        vn_space_def def = vn_default_space_def();
        def.radius = radii[round % 3];
        uint64_t hashes[3];
        for (int policy = 0; policy < 3; ++policy) {
            vn_space* space;
            def.unknown = (vn_unknown_policy)policy;
            assert_int_equal(vn_space_bake(m.world, &def, &space, NULL), VN_OK);
            check_policy(&m, space, def.unknown, (double)def.radius);
            check_points(space, &rng, m.occupied.dims);

            hashes[policy] = vn_space_content_hash(space);
            if (policy == 2)
                assert_int_equal(hashes[2] == hashes[0], space->unknown.blocked_voxels == 0);

            vn_space_destroy(space);
        }

        def.open_flags = 1; // the unseen is open too: as if it were not there
        vn_space_info info;
        assert_true(bake_hash(m.world, &def, &info) == hashes[VN_UNKNOWN_FREE]);
        free_map(&m);
    }
}

/// Memory is reported to the byte, also where a block of unknown voxels is the space's own.
static void check_memory(const vn_world* world, const vn_space_def* def) {
    vnt_memory memory = vnt_memory_make();
    vn_space_def own = *def;
    own.allocator = vnt_memory_allocator(&memory);
    vn_space* space;
    vn_memory report;
    assert_int_equal(vn_space_bake(world, &own, &space, NULL), VN_OK);
    assert_ptr_equal(space->unknown.table[0], space->occupancy.table[0]);
    vn_space_get_memory(space, &report);
    assert_int_equal(report.total, memory.live_bytes);
    vn_space_destroy(space);
    assert_int_equal(memory.live_blocks, 0);
}

/// A seed closes what it does not reach; that does not make it unknown.
static void test_seed(void** state) {
    (void)state;
    vn_world* world = make_world();
    add(world, vnt_box_shape(vnt_vec(70, 0, 0), vnt_vec(71, 10, 10)), 0);
    add(world, vnt_box_shape(vnt_vec(60, 0, 0), vnt_vec(75, 10, 5)), VN_FLAG_UNKNOWN);
    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {80, 10, 10}};
    def.unknown = VN_UNKNOWN_REFUSED;
    vn_space_info info;
    bake_hash(world, &def, &info);
    assert_int_equal(info.unknown_voxels, 14 * 50);
    assert_int_equal(info.blocked_voxels, 14 * 50 + 100);
    check_memory(world, &def);
    def.has_seed = true;
    def.seed = (vn_vec3){1, 1, 1};
    bake_hash(world, &def, &info);
    assert_int_equal(info.unknown_voxels, 14 * 50);
    assert_int_equal(info.free_voxels, 8000 - 1000 - 10 * 50);
    vn_detail detail;
    def.seed = (vn_vec3){62, 1, 1};
    vn_space* space;
    assert_int_equal(vn_space_bake(world, &def, &space, &detail), VN_BLOCKED);
    assert_non_null(strstr(detail.text, "which is unknown"));
    def.unknown = (vn_unknown_policy)3;
    assert_int_equal(vn_space_bake(world, &def, &space, &detail), VN_BAD_ARGUMENT);
    assert_non_null(strstr(detail.text, "VN_UNKNOWN_"));
    vn_world_destroy(world);
}

static bool stop_later(void* user, const char* stage, double fraction) {
    (void)stage;
    (void)fraction;
    return (*(uint32_t*)user)-- != 0;
}

/// A bake with unknown space fails at each allocation and is stopped at each progress call; what it holds is
/// what it says.
static void test_failures(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(33);
    map m = make_map(&rng, 9);
    vn_space_def def = vn_default_space_def();
    def.unknown = VN_UNKNOWN_REFUSED;
    vn_space_info info;

    uint64_t expected = bake_hash(m.world, &def, &info);
    for (uint32_t k = 0, failures = 0; failures < 2; ++k) {
        vnt_memory memory = vnt_memory_make();
        uint32_t left = k;
        bool cancels = failures == 1;
        memory.fail_at = cancels ? UINT64_MAX : k;
        def.allocator = vnt_memory_allocator(&memory);
        def.progress = cancels ? stop_later : NULL;
        def.progress_user = &left;
        vn_space* space;
        vn_detail detail;
        vn_status status = vn_space_bake(m.world, &def, &space, &detail);
        bool stopped = cancels && left == UINT32_MAX;

        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : stopped ? VN_CANCELLED : VN_OK);
        if (status == VN_OK) {
            vn_memory report;
            vn_space_get_memory(space, &report);
            assert_int_equal(report.total, memory.live_bytes);
            assert_true(vn_space_content_hash(space) == expected);
            assert_true(k > (cancels ? 3 : 20));
            ++failures;
            k = UINT32_MAX;
        } else {
            assert_int_equal(detail.status, status);
        }

        vn_space_destroy(space);
        assert_true(memory.live_blocks == 0);
        assert_true(!memory.mismatch);
    }

    free_map(&m);
}

/// An unknown voxel that is not blocked is found out.
static void test_validation(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(34);
    map m = make_map(&rng, 9);
    vn_space_def def = vn_default_space_def();
    def.unknown = VN_UNKNOWN_REFUSED;
    def.cells = false;
    vn_space* space;
    vn_detail detail;
    assert_int_equal(vn_space_bake(m.world, &def, &space, NULL), VN_OK);
    assert_true(space->unknown.blocked_voxels > 0);
    assert_int_equal(vn_space_validate(space, &detail), VN_OK);
    static uint64_t dense[VNI_BLOCK_BRICKS], kept[VNI_BLOCK_BRICKS], unseen[VNI_BLOCK_BRICKS];
    vni_block_unpack(space->occupancy.table[0], kept);

    vni_block_unpack(space->unknown.table[0], unseen);
    for (uint32_t i = 0; i < VNI_BLOCK_BRICKS; ++i) { // without one of the brick's unknown voxels
        vni_block* block;
        memcpy(dense, kept, sizeof dense);
        dense[i] &= ~(unseen[i] & (0 - unseen[i]));
        if (dense[i] == kept[i])
            continue;
        assert_true(vni_block_pack(&space->allocator, dense, &block));
        vni_occupancy_set_block(&space->occupancy, 0, block);
        assert_int_equal(vn_space_validate(space, &detail), VN_BAD_DATA);
    }

    vni_occupancy_set_block(&space->occupancy, 0, NULL);
    assert_int_equal(vn_space_validate(space, &detail), VN_BAD_DATA);
    assert_non_null(strstr(detail.text, "unknown"));
    ++space->unknown.dims[1];
    assert_int_equal(vn_space_validate(space, &detail), VN_BAD_DATA);
    assert_non_null(strstr(detail.text, "grid"));
    vn_space_destroy(space);
    free_map(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_validation),
    };

    return cmocka_run_group_tests_name("space/unknown", tests, NULL, NULL);
}
