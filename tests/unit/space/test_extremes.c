/// tests/unit/space/test_extremes.c: long, vast and far spaces, and bakes with numbers at the ends of what is
/// allowed.
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "space/space.h"
#include "spaces.h"
#include "support.h"
#include "view/grid.h"
#include <math.h>
#include <string.h>

/// An all-free space of resolution 1 at the origin.
static vn_space make_space(vn_voxel dims) {
    return vnt_space_make(dims.x, dims.y, dims.z, 1, NULL);
}

static vni_block* pack(uint64_t* dense) {
    vn_allocator allocator = vn_default_allocator();
    vni_block* block = NULL;
    assert_true(vni_block_pack(&allocator, dense, &block));
    return block;
}

/// The largest ids and offsets: one brick more along y would not fit.
static void grid_of_a_long_strip(void** state) {
    (void)state;
    const vn_voxel dims = {1 << 20, 508, 4}, last = {dims.x - 1, dims.y - 1, dims.z - 1};
    vn_space space = make_space(dims);
    vni_grid grid;
    assert_int_equal(vni_grid_make(&space.occupancy, 26, &grid, NULL), VN_OK);
    vn_graph graph = vni_grid_graph(&grid);
    uint32_t to[VN_EDGE_BATCH], node = vni_grid_node(&grid, last), cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    assert_int_equal(node, graph.node_limit - 1);

    assert_int_equal(graph.expand(graph.self, node, &cursor, &edges), 7);
    for (uint32_t i = 0; i < 7; ++i) {
        vn_voxel v = vni_grid_voxel(&grid, to[i]);
        assert_true(v.x >= last.x - 1);
        assert_true(v.y >= last.y - 1);
        assert_true(v.z >= last.z - 1);
        assert_true(v.x <= last.x);
        assert_true(v.y <= last.y);
        assert_true(v.z <= last.z);
    }

    vnt_space_free(&space);
}

/// The search goes outwards in rings of blocks; most of such a ring lies beyond a long space.
static void nearest_in_a_long_tunnel(void** state) {
    (void)state;
    vn_space space = make_space((vn_voxel){1 << 20, 64, 64});
    static uint64_t dense[VNI_BLOCK_BRICKS];
    memset(dense, 0xff, sizeof dense);

    vni_block* solid = pack(dense);
    for (uint32_t i = 0; i < vni_occupancy_block_count(&space.occupancy); ++i) {
        vni_block_retain(solid);
        vni_occupancy_set_block(&space.occupancy, i, solid);
    }

    vni_block_release(&space.allocator, solid);
    vn_point point;
    double distance;
    const vn_dvec3 middle = {500000.5, 30, 30}, far = {-1e12, 30, 30};
    assert_int_equal(vn_space_nearest_free(&space, middle, HUGE_VAL, &point, &distance), VN_NOT_FOUND);
    assert_int_equal(vn_space_nearest_free(&space, far, HUGE_VAL, &point, &distance), VN_NOT_FOUND);
    vni_occupancy_set_block(&space.occupancy, 16383, NULL);
    assert_int_equal(vn_space_nearest_free(&space, middle, HUGE_VAL, &point, &distance), VN_OK);
    assert_true(distance == 16383 * 64 - middle.x);
    assert_int_equal(point.x, 16383 * 64 * VN_LATTICE);
    assert_int_equal(vn_space_nearest_free(&space, far, HUGE_VAL, &point, &distance), VN_OK);
    assert_true(distance == 16383 * 64 + 1e12);
    vnt_space_free(&space);
}

typedef struct seen {
    vn_voxel voxels[4];
    uint32_t count;
} seen;

static bool see(void* user, vn_voxel first, int32_t length) {
    seen* all = user;
    assert_int_equal(length, 1);
    assert_in_range(all->count, 0, 3);
    all->voxels[all->count++] = first;
    return true;
}

/// 7e10 voxels, four of them blocked.
static void visiting_a_vast_space(void** state) {
    (void)state;
    const vn_voxel dims = {16384, 16384, 256}, low = {0, 0, 0};
    vn_space space = make_space(dims);
    static uint64_t dense[VNI_BLOCK_BRICKS];
    memset(dense, 0, sizeof dense);
    dense[0] = 1;

    const uint32_t blocks[4] = {0, 255, 256 * 255, vni_occupancy_block_count(&space.occupancy) - 1};
    for (int i = 0; i < 4; ++i)
        vni_occupancy_set_block(&space.occupancy, blocks[i], pack(dense));

    seen all = {.count = 0};
    vn_space_visit_blocked(&space, low, dims, see, &all);
    const vn_voxel want[4] = {{0, 0, 0}, {16320, 0, 0}, {0, 16320, 0}, {16320, 16320, 192}};
    assert_int_equal(all.count, 4);
    assert_memory_equal(all.voxels, want, sizeof want);
    vnt_space_free(&space);
}

/// A local position means the same wherever the origin lies.
static void local_points_of_a_far_world(void** state) {
    (void)state;
    vn_space space = make_space((vn_voxel){10, 10, 10});
    const vn_vec3 local = {1.3f, 2.7f, 9.999f};
    vn_point near, far;
    assert_int_equal(vn_space_point_from_local(&space, local, &near), VN_OK);
    space.origin = (vn_dvec3){1e15, -3e17, 1e300};
    assert_int_equal(vn_space_point_from_local(&space, local, &far), VN_OK);
    assert_memory_equal(&near, &far, sizeof near);
    assert_int_equal(vn_space_point_from_local(&space, (vn_vec3){-1, 0, 0}, &far), VN_OUTSIDE);
    assert_int_equal(vn_space_point_from_local(&space, (vn_vec3){NAN, 0, 0}, &far), VN_OUTSIDE);
    vnt_space_free(&space);
}

// ------------------------------------------------------------------------------------------------- bakes

/// Any power of ten that coordinates and lengths may have, and some beyond what is sensible.
static double any_size(vni_rng* rng, double least, double most) {
    double size = least;
    while (size < most && vni_rng_below(rng, 12) != 0)
        size *= 10;
    return size * (1 + 8 * vni_rng_real(rng)) < most ? size * (1 + 8 * vni_rng_real(rng)) : most;
}

static vn_vec3 any_place(vni_rng* rng, double size) {
    return (vn_vec3){(float)((vni_rng_real(rng) - 0.5) * 2 * size),
                     (float)((vni_rng_real(rng) - 0.5) * 2 * size),
                     (float)((vni_rng_real(rng) - 0.5) * 2 * size)};
}

/// A shape of any kind about `c`; false if it is refused because it reaches beyond 1e6 metres.
static bool add_any(vn_world* world, vni_rng* rng, vn_vec3 c, float half) {
    const vn_vec3 low = {c.x - half, c.y - half, c.z - half}, high = {c.x + half, c.y + half, c.z + half};
    const vn_voxel one = {0, 0, 0};
    vn_vec3 corners[8];
    vn_shape shape = vnt_box_shape(low, high);
    switch (vni_rng_below(rng, 6)) {
    case 0: shape = vnt_sphere_shape(c, half); break;
    case 1: shape = vnt_oriented_shape(c, vnt_vec(half, half, half), (vn_quat){0.6f, 0, 0, 0.8f}); break;
    case 2: shape = vnt_box_mesh(low, high, true, corners); break;
    case 3:
        vnt_octahedron(c, vnt_vec(half, half, half), corners);
        shape = vnt_hull_of(corners, 6, vnt_octahedron_faces, 8);
        break;
    case 4:
        shape = vnt_voxels_shape((vn_voxel){1, 1, 1}, 2 * half, &one, 1);
        shape.as.voxels.low = low;
        break;
    default: break;
    }
    return vn_world_add(world, &shape, NULL, NULL) == VN_OK;
}

/// Bounds of a few voxels about a place; of one voxel where floats are too coarse for that.
static vn_box bounds_about(vni_rng* rng, vn_vec3 c, double resolution) {
    float reach = (float)(resolution * (1 + vni_rng_below(rng, 40)));
    vn_box box = {{c.x - reach, c.y - reach, c.z - reach}, {c.x + reach, c.y + reach, c.z + reach}};
    double widest = fmax((double)box.max.x - (double)box.min.x,
                         fmax((double)box.max.y - (double)box.min.y, (double)box.max.z - (double)box.min.z));
    return widest < 200 * resolution ? box : (vn_box){c, c};
}

/// What lies well inside a shape is blocked, whatever the scales are.
static void bakes_of_any_size(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("space/extremes", 91));
    uint32_t added = 0;
    for (uint32_t round = 0; round < vnt_scale(3000, 100000); ++round) {
        vn_world_def world_def = vn_default_world_def();
        vn_world* world;
        assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
        vn_vec3 c = any_place(&rng, any_size(&rng, 1e-6, 1e6));
        float half = (float)any_size(&rng, 1e-7, 1e6);
        bool is_there = add_any(world, &rng, c, half);
        vn_space_def def = vn_default_space_def();
        def.resolution = (float)any_size(&rng, round % 8 == 0 ? 1.1e-9 : 1e-7, 1e7);
        def.radius = vni_rng_below(&rng, 2) ? 0 : (float)any_size(&rng, 1e-7, 1e7);
        def.has_bounds = true;
        def.bounds = bounds_about(&rng, c, (double)def.resolution);
        vn_space* space;
        vn_detail detail = {0};

        vn_status status = vn_space_bake(world, &def, &space, &detail);
        if (status != VN_OK)
            fail_msg("%s", detail.text);

        vn_point at;
        // Rounding to floats and to the lattice may move the centre; it must stay inside.
        double moved = 8 * 0x1p-24 * (fabs((double)c.x) + fabs((double)c.y) + fabs((double)c.z)) +
                       (double)def.resolution / 512;
        if (is_there && (double)half > moved && vn_space_point_from_local(space, c, &at) == VN_OK) {
            assert_false(vn_space_voxel_free(space, vn_space_voxel_at(space, at)));
            ++added;
        }

        vn_space_destroy(space);
        vn_world_destroy(world);
    }

    assert_true(added > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_of_a_long_strip),  cmocka_unit_test(nearest_in_a_long_tunnel),
        cmocka_unit_test(visiting_a_vast_space), cmocka_unit_test(local_points_of_a_far_world),
        cmocka_unit_test(bakes_of_any_size),
    };
    return cmocka_run_group_tests_name("space/extremes", tests, NULL, NULL);
}
