/// Shapes that cannot be: each is refused with a status, the element at fault and a text, and the world stays
/// as it was.
#include "shapes.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>

static const vn_quat no_rotation = {0, 0, 0, 1};

static void refuse(const vn_shape* shape, vn_status status, uint64_t index) {
    vnt_memory memory = vnt_memory_make();
    vn_world_def def = vn_default_world_def();
    def.allocator = vnt_memory_allocator(&memory);
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    vn_obstacle_id id = {77, 78};
    vn_detail detail = {0};
    assert_int_equal(vn_world_add(world, shape, &id, &detail), status);
    assert_int_equal(detail.status, status);
    assert_int_equal(detail.index, index);
    assert_true(strlen(detail.text) > 10);
    assert_int_equal(id.index1, 77);
    assert_int_equal(vn_world_count(world), 0);
    assert_int_equal(vn_world_add(world, shape, NULL, NULL), status);
    assert_int_equal(memory.live_blocks, 1);
    vn_world_destroy(world);
}

static void refuse_box(vn_vec3 min, vn_vec3 max, uint64_t axis) {
    vn_shape shape = vnt_box_shape(min, max);
    refuse(&shape, VN_BAD_DATA, axis);
}

static void boxes(void** state) {
    (void)state;
    refuse_box(vnt_vec(0, 0, 0), vnt_vec(-1, 1, 1), 0);
    refuse_box(vnt_vec(0, 2, 0), vnt_vec(1, 1, 1), 1);
    refuse_box(vnt_vec(0, 0, 2), vnt_vec(1, 1, 1), 2);
    refuse_box(vnt_vec(0, NAN, 0), vnt_vec(1, 1, 1), 1);
    refuse_box(vnt_vec(0, 0, 0), vnt_vec(1, 1, INFINITY), 2);
    refuse_box(vnt_vec(-INFINITY, 0, 0), vnt_vec(1, 1, 1), 0);
    refuse_box(vnt_vec(0, 0, 0), vnt_vec(1, 1000001, 1), 1);
    refuse_box(vnt_vec(-1.1e6f, 0, 0), vnt_vec(1, 1, 1), 0);
}

static void oriented_boxes(void** state) {
    (void)state;
    vn_shape shape = vnt_oriented_shape(vnt_vec(0, 0, NAN), vnt_vec(1, 1, 1), no_rotation);
    refuse(&shape, VN_BAD_DATA, 2);
    shape = vnt_oriented_shape(vnt_vec(0, 0, 0), vnt_vec(1, -0.5f, 1), no_rotation);
    refuse(&shape, VN_BAD_DATA, 1);
    shape = vnt_oriented_shape(vnt_vec(0, 0, 0), vnt_vec(2e6f, 1, 1), no_rotation);
    refuse(&shape, VN_BAD_DATA, 0);
    const vn_quat bad[] = {{0, 0, 0, 0},   {0, 0, 0, 1.002f},   {0, 0, 0.998f, 0},
                           {NAN, 0, 0, 1}, {0, INFINITY, 0, 0}, {1, 1, 1, 1}};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        shape = vnt_oriented_shape(vnt_vec(0, 0, 0), vnt_vec(1, 1, 1), bad[i]);
        refuse(&shape, VN_BAD_DATA, VN_NO_INDEX);
    }
}

static void spheres(void** state) {
    (void)state;
    vn_shape shape = vnt_sphere_shape(vnt_vec(0, -INFINITY, 0), 1);
    refuse(&shape, VN_BAD_DATA, 1);
    const float bad[] = {-1, -1e-30f, NAN, INFINITY, 1.1e6f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        shape = vnt_sphere_shape(vnt_vec(0, 0, 0), bad[i]);
        refuse(&shape, VN_BAD_DATA, VN_NO_INDEX);
    }
}

/// Rods have checks alike; only a cylinder needs a length.
static void rods(void** state) {
    (void)state;
    const float bad[] = {-1, -1e-30f, NAN, INFINITY, 1.1e6f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        vn_shape shape = vnt_capsule_shape(vnt_vec(0, 0, 0), vnt_vec(0, 0, 1), bad[i]);
        refuse(&shape, VN_BAD_DATA, VN_NO_INDEX);
        shape = vnt_cylinder_shape(vnt_vec(0, 0, 0), vnt_vec(0, 0, 1), bad[i]);
        refuse(&shape, VN_BAD_DATA, VN_NO_INDEX);
    }

    vn_shape shape = vnt_capsule_shape(vnt_vec(0, NAN, 0), vnt_vec(0, 0, 1), 1);
    refuse(&shape, VN_BAD_DATA, 1);
    shape = vnt_capsule_shape(vnt_vec(0, 0, 0), vnt_vec(0, 0, 2e6f), 1);
    refuse(&shape, VN_BAD_DATA, 2);
    shape = vnt_cylinder_shape(vnt_vec(-INFINITY, 0, 0), vnt_vec(0, 0, 1), 1);
    refuse(&shape, VN_BAD_DATA, 0);
    shape = vnt_cylinder_shape(vnt_vec(0, 0, 0), vnt_vec(0, NAN, 1), 1);
    refuse(&shape, VN_BAD_DATA, 1);
    shape = vnt_cylinder_shape(vnt_vec(3, 2, 1), vnt_vec(3, 2, 1), 1);
    refuse(&shape, VN_BAD_DATA, VN_NO_INDEX);
}

/// Bounds and volume of rods, from the formulas of a schoolbook.
static void rods_are_measured(void** state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    vn_shape capsule = vnt_capsule_shape(vnt_vec(1, 2, 3), vnt_vec(1, 5, 7), 2);
    vn_shape cylinder = vnt_cylinder_shape(vnt_vec(1, 2, 3), vnt_vec(1, 5, 7), 2);
    vn_obstacle_id id;
    vn_obstacle_info info;
    assert_int_equal(vn_world_add(world, &capsule, &id, NULL), VN_OK);
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    assert_true(fabs(info.volume - (4 * pi * 5 + 4.0 / 3 * pi * 8)) < 1e-9);
    const vn_box box = {{-1, 0, 1}, {3, 7, 9}};
    assert_memory_equal(&info.bounds, &box, sizeof box);

    assert_int_equal(vn_world_add(world, &cylinder, &id, NULL), VN_OK);
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    assert_true(fabs(info.volume - 4 * pi * 5) < 1e-9);
    // Along (0, 0.6, 0.8), its caps reach 2 * 0.8 in y and 2 * 0.6 in z.
    assert_float_equal(info.bounds.min.x, -1, 1e-5);
    assert_float_equal(info.bounds.min.y, 0.4f, 1e-5);
    assert_float_equal(info.bounds.max.z, 8.2f, 1e-5);
    vn_world_destroy(world);
}

static void unknown_kinds(void** state) {
    (void)state;
    vn_shape shape = {0};
    refuse(&shape, VN_BAD_ARGUMENT, VN_NO_INDEX);
    shape.kind = (vn_shape_kind)9;
    refuse(&shape, VN_BAD_ARGUMENT, VN_NO_INDEX);
}

static void hulls(void** state) {
    (void)state;
    vn_shape shape = vnt_hull_shape();
    shape.as.hull.vertex_count = 0;
    refuse(&shape, VN_BAD_DATA, VN_NO_INDEX);
    shape = vnt_hull_shape();
    shape.as.hull.triangle_count = 0;
    refuse(&shape, VN_BAD_DATA, VN_NO_INDEX);
    shape = vnt_hull_shape();
    vn_vec3 vertices[4];
    memcpy(vertices, shape.as.hull.vertices, sizeof vertices);
    shape.as.hull.vertices = vertices;
    vertices[2].y = NAN;
    refuse(&shape, VN_BAD_DATA, 2);
    uint32_t indices[12];
    shape = vnt_hull_shape();
    memcpy(indices, shape.as.hull.indices, sizeof indices);
    shape.as.hull.indices = indices;
    indices[7] = 4;
    refuse(&shape, VN_BAD_DATA, 2);
    static const uint32_t inside_out[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    shape.as.hull.indices = inside_out;
    vn_world* world;
    vn_world_def def = vn_default_world_def();
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_BAD_DATA);
    vn_world_destroy(world);
}

static void meshes(void** state) {
    (void)state;
    static vnt_mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    vnt_add_cube(&mesh, 1, 0);
    vn_shape shape = vnt_mesh_shape(&mesh, false);
    shape.as.mesh.triangle_count = 0;
    refuse(&shape, VN_BAD_DATA, VN_NO_INDEX);
    shape = vnt_mesh_shape(&mesh, false);
    shape.as.mesh.vertex_count = 0;
    refuse(&shape, VN_BAD_DATA, VN_NO_INDEX);
    shape = vnt_mesh_shape(&mesh, false);
    shape.as.mesh.triangle_count = (1u << 30) + 1;
    refuse(&shape, VN_TOO_LARGE, VN_NO_INDEX);
    shape = vnt_mesh_shape(&mesh, false);
    shape.as.mesh.vertex_count = 35; // the last triangle reaches one too far
    refuse(&shape, VN_BAD_DATA, 11);
    shape = vnt_mesh_shape(&mesh, false);
    mesh.indices[10] = UINT32_MAX;
    refuse(&shape, VN_BAD_DATA, 3);
    mesh.indices[10] = 10;
    mesh.vertices[17].z = INFINITY;
    refuse(&shape, VN_BAD_DATA, 17);
    mesh.vertices[5].x = -1000001;
    refuse(&shape, VN_BAD_DATA, 5);
}

static void refuse_voxels(vn_voxel dims, float size, vn_vec3 low, vn_status status, uint64_t index) {
    static const vn_voxel voxels[4] = {{0, 0, 0}, {1, 1, 1}, {0, 3, 0}, {0, 0, -1}};
    vn_shape shape = vnt_voxels_shape(dims, size, voxels, 4);
    shape.as.voxels.low = low;
    refuse(&shape, status, index);
}

static void voxel_sets(void** state) {
    (void)state;
    for (int axis = 0; axis < 3; ++axis) { // the last voxel on each axis is in, the next is out
        vn_voxel voxels[2] = {{4, 5, 6}, {axis == 0 ? 5 : 4, axis == 1 ? 6 : 5, axis == 2 ? 7 : 6}};
        vn_shape shape = vnt_voxels_shape((vn_voxel){5, 6, 7}, 1, voxels, 2);
        refuse(&shape, VN_BAD_DATA, 1);
    }

    vn_vec3 low = {0, 0, 0};
    refuse_voxels((vn_voxel){4, 4, 4}, 1, low, VN_BAD_DATA, 3);
    refuse_voxels((vn_voxel){4, 3, 4}, 1, low, VN_BAD_DATA, 2);
    refuse_voxels((vn_voxel){1, 4, 4}, 1, low, VN_BAD_DATA, 1);
    refuse_voxels((vn_voxel){0, 4, 4}, 1, low, VN_BAD_DATA, VN_NO_INDEX);
    refuse_voxels((vn_voxel){4, -4, 4}, 1, low, VN_BAD_DATA, VN_NO_INDEX);
    refuse_voxels((vn_voxel){4, 4, (1 << 20) + 1}, 1, low, VN_TOO_LARGE, VN_NO_INDEX);
    refuse_voxels((vn_voxel){4, 4, 4}, 0, low, VN_BAD_DATA, VN_NO_INDEX);
    refuse_voxels((vn_voxel){4, 4, 4}, -1, low, VN_BAD_DATA, VN_NO_INDEX);
    refuse_voxels((vn_voxel){4, 4, 4}, NAN, low, VN_BAD_DATA, VN_NO_INDEX);
    refuse_voxels((vn_voxel){4, 4, 4}, INFINITY, low, VN_BAD_DATA, VN_NO_INDEX);
    refuse_voxels((vn_voxel){4, 4, 4}, 5e5f, low, VN_BAD_DATA, VN_NO_INDEX);
    refuse_voxels((vn_voxel){4, 4, 4}, 1, vnt_vec(0, NAN, 0), VN_BAD_DATA, VN_NO_INDEX);
    refuse_voxels((vn_voxel){4, 4, 4}, 1, vnt_vec(0, 0, -2e6f), VN_BAD_DATA, VN_NO_INDEX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(oriented_boxes),
        cmocka_unit_test(spheres),
        cmocka_unit_test(unknown_kinds),
        cmocka_unit_test(hulls),
        cmocka_unit_test(meshes),
        cmocka_unit_test(voxel_sets),
        cmocka_unit_test(rods),
        cmocka_unit_test(rods_are_measured),
    };
    return cmocka_run_group_tests_name("world/shapes", tests, NULL, NULL);
}
