/// Separating axes against the library's own voxels: boxes and hulls, turned and scaled.
#include "base/rng.h"
#include "classic/overlap.h"
#include "cmocka_all.h"
#include "space/frame.h"
#include "support.h"
#include <string.h>

#include <math.h>

#define SIDE 16

static float random_in(vni_rng* rng, float low, float high) {
    return low + (high - low) * (float)vni_rng_below(rng, 1001) / 1000;
}

static vn_transform random_transform(vni_rng* rng) {
    vn_transform t = vn_transform_identity();
    const vn_quat q = {random_in(rng, -1, 1), random_in(rng, -1, 1), random_in(rng, -1, 1),
                       random_in(rng, 0.2f, 1)};
    const float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    t.position =
        (vn_vec3){random_in(rng, 2, SIDE - 2), random_in(rng, 2, SIDE - 2), random_in(rng, 2, SIDE - 2)};
    t.rotation = (vn_quat){q.x / length, q.y / length, q.z / length, q.w / length};
    t.scale = random_in(rng, 0.5f, 1.5f);
    return t;
}

static vn_space* bake(const vn_shape* shape, const vn_transform* transform) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    vn_space* space;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_world_add_moving(world, shape, transform, NULL, NULL), VN_OK);
    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {SIDE, SIDE, SIDE}};
    def.cells = false;
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_world_destroy(world);
    return space;
}

static void compare(const vn_shape* shape, vni_rng* rng, uint32_t rounds) {
    const vn_allocator allocator = vn_default_allocator();
    vni_overlap o;
    assert_int_equal(vni_overlap_make(&allocator, shape, &o, NULL), VN_OK);
    for (uint32_t round = 0; round < rounds; ++round) {
        const vn_transform t = random_transform(rng);
        vn_space* space = bake(shape, &t);
        const vni_frame frame = vni_space_frame(space);
        vni_overlap_place(&o, &t, &frame);
        for (int32_t i = 0; i < SIDE * SIDE * SIDE; ++i) {
            const vn_voxel v = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
            assert_int_equal(vni_overlap_meets(&o, v, 0),
                             !vni_occupancy_free_at(&space->occupancy, v.x, v.y, v.z));
        }
        vn_space_destroy(space);
    }
    vni_overlap_free(&o);
}

/// A box that is turned so little that its faces seem to lie along the grid: its corners reach into voxels
/// that the rest of its faces does not.
static void test_hardly_turned(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {{-1, -6, -5}, {1, 6, 5}}};
    vn_transform t = vn_transform_at(8, 8, 8);
    vni_overlap o;
    t.rotation = (vn_quat){0, 0, 2e-5f, 1};
    vn_space* space = bake(&shape, &t);
    const vni_frame frame = vni_space_frame(space);
    assert_int_equal(vni_overlap_make(&allocator, &shape, &o, NULL), VN_OK);
    vni_overlap_place(&o, &t, &frame);

    // in the middle the face is 4e-5 to 2e-4 metres away from the next column, and at one end beyond it
    assert_true(vni_overlap_meets(&o, (vn_voxel){6, 13, 8}, 0));
    assert_false(vni_overlap_meets(&o, (vn_voxel){6, 3, 8}, 0));
    for (int32_t y = 2; y < 14; ++y)
        assert_int_equal(vni_overlap_meets(&o, (vn_voxel){6, y, 8}, 0),
                         !vni_occupancy_free_at(&space->occupancy, 6, y, 8));
    vni_overlap_free(&o);
    vn_space_destroy(space);
}

static void test_box(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("overlap box", 1));
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box = (vn_box){{-2, -1, -0.5f}, {2, 1, 3}};
    compare(&shape, &rng, vnt_scale(40, 1000));

    // three directions of faces, three of edges: 3 + 3 + 9 axes
    const vn_allocator allocator = vn_default_allocator();
    vni_overlap o;
    assert_int_equal(vni_overlap_make(&allocator, &shape, &o, NULL), VN_OK);
    assert_int_equal(o.normal_count, 3);
    assert_int_equal(o.edge_count, 3);
    assert_int_equal(o.axis_capacity, 15);

    // not turned: the grid's own axes are enough
    const vn_transform t = vn_transform_identity();
    const vni_frame frame = {{0, 0, 0}, 1};
    vni_overlap_place(&o, &t, &frame);
    assert_int_equal(o.axis_count, 3);

    // it reaches from -2 to 2 along x: it touches voxel 2, and just not, or just so, with some slack
    assert_false(vni_overlap_meets(&o, (vn_voxel){2, 0, 0}, 0));
    assert_true(vni_overlap_meets(&o, (vn_voxel){2, 0, 0}, 1e-4));
    assert_true(vni_overlap_meets(&o, (vn_voxel){1, 0, 0}, -1e-4));
    assert_false(vni_overlap_meets(&o, (vn_voxel){1, 0, 0}, -1));
    vni_overlap_free(&o);
}

static void test_hull(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("overlap hull", 2));
    for (uint32_t i = 0; i < vnt_scale(10, 100); ++i) {
        vn_vec3 points[12];
        vn_hull hull;
        for (int k = 0; k < 12; ++k)
            points[k] = (vn_vec3){random_in(&rng, -2, 2), random_in(&rng, -2, 2), random_in(&rng, -2, 2)};
        assert_int_equal(vn_hull_from_points(NULL, points, 12, &hull, NULL), VN_OK);
        const vn_shape shape = vn_hull_shape(&hull);
        compare(&shape, &rng, 5);
        vn_hull_free(&hull);
    }
}

static void test_refused(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vn_shape shape = {.kind = VN_SHAPE_SPHERE};
    shape.as.sphere.radius = 1;
    vni_overlap o;
    vn_detail detail;
    assert_int_equal(vni_overlap_make(&allocator, &shape, &o, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "convex"));
}

static void test_memory(void** state) {
    (void)state;
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box = (vn_box){{-2, -1, -0.5f}, {2, 1, 3}};
    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_overlap o;
        done = vni_overlap_make(&allocator, &shape, &o, NULL) == VN_OK;
        assert_int_equal(done, !memory.failed);
        vni_overlap_free(&o);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_box), cmocka_unit_test(test_hardly_turned),
                                       cmocka_unit_test(test_hull), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests_name("classic/overlap", tests, NULL, NULL);
}
