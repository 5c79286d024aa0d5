/// Obstacles of every kind: ids, generations, removal, bounds, memory, and running out of it.
#include "shapes.h"
#include "support.h"
#include "world/world.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>

static const vn_quat no_rotation = {0, 0, 0, 1};
static const vn_voxel some_voxels[5] = {{0, 0, 0}, {4, 1, 2}, {0, 0, 0}, {7, 7, 7}, {3, 3, 3}};

static vnt_mesh* cube_mesh(void) {
    static vnt_mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    vnt_add_cube(&mesh, 2, 0);
    return &mesh;
}

/// One shape of each kind.
static vn_shape shape_of_kind(vn_shape_kind kind) {
    switch (kind) {
    case VN_SHAPE_BOX: return vnt_box_shape(vnt_vec(-1, -2, -3), vnt_vec(1, 2, 3));
    case VN_SHAPE_ORIENTED: return vnt_oriented_shape(vnt_vec(5, 0, 0), vnt_vec(1, 2, 3), no_rotation);
    case VN_SHAPE_SPHERE: return vnt_sphere_shape(vnt_vec(0, 9, 0), 2);
    case VN_SHAPE_HULL: return vnt_hull_shape();
    case VN_SHAPE_MESH: return vnt_mesh_shape(cube_mesh(), true);
    case VN_SHAPE_CAPSULE: return vnt_capsule_shape(vnt_vec(0, 0, 5), vnt_vec(1, 1, 7), 2);
    case VN_SHAPE_CYLINDER: return vnt_cylinder_shape(vnt_vec(0, 0, -9), vnt_vec(1, 1, -7), 2);
    case VN_SHAPE_VOXELS: break;
    }
    return vnt_voxels_shape((vn_voxel){8, 8, 8}, 0.5f, some_voxels, 5);
}

static vn_world* make_world(const vn_allocator* allocator) {
    vn_world_def def = vn_default_world_def();
    if (allocator != NULL)
        def.allocator = *allocator;
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static vn_obstacle_id add(vn_world* world, vn_shape shape) {
    vn_obstacle_id id;
    vn_detail detail;
    assert_int_equal(vn_world_add(world, &shape, &id, &detail), VN_OK);
    return id;
}

static void assert_box(const vn_box* box, vn_vec3 min, vn_vec3 max) {
    assert_memory_equal(&box->min, &min, sizeof min);
    assert_memory_equal(&box->max, &max, sizeof max);
}

static void defs_are_checked(void** state) {
    (void)state;
    vn_world* world = (vn_world*)&world;
    vn_world_def def = vn_default_world_def();
    def.cookie = 0;
    assert_int_equal(vn_world_create(&def, &world), VN_BAD_DEF);
    assert_null(world);
    def = vn_default_world_def();
    def.allocator.release = NULL;
    assert_int_equal(vn_world_create(&def, &world), VN_BAD_ARGUMENT);
    def = vn_default_world_def();
    def.origin.y = (double)NAN;
    assert_int_equal(vn_world_create(&def, &world), VN_BAD_ARGUMENT);
    def = vn_default_world_def();
    def.origin = (vn_dvec3){1, 2, 3e9};
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    assert_true(vn_world_origin(world).z == 3e9);
    vn_world_destroy(world);
    vn_world_destroy(NULL);
}

static void an_empty_world_has_nothing(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_box box = {{1, 1, 1}, {2, 2, 2}};
    assert_false(vn_world_get_bounds(world, &box));
    assert_box(&box, vnt_vec(0, 0, 0), vnt_vec(0, 0, 0));
    assert_int_equal(vn_world_count(world), 0);
    vn_obstacle_id null_id = {0, 0};
    vn_obstacle_info info;
    assert_false(vn_world_has(world, null_id));
    assert_int_equal(vn_world_remove(world, null_id), VN_STALE_ID);
    assert_int_equal(vn_world_get_info(world, null_id, &info), VN_STALE_ID);
    assert_false(vn_world_has(world, (vn_obstacle_id){7, 1}));
    uint32_t count = 9;
    vn_box all = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
    assert_int_equal(vn_world_query_box(world, &all, NULL, 0, &count), VN_OK);
    assert_int_equal(count, 0);
    vn_world_destroy(world);
}

static void ids_have_generations(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_obstacle_id a = add(world, shape_of_kind(VN_SHAPE_BOX));
    vn_obstacle_id b = add(world, shape_of_kind(VN_SHAPE_MESH));
    assert_int_equal(a.index1, 1);
    assert_int_equal(b.index1, 2);
    assert_int_equal(vn_world_count(world), 2);
    assert_int_equal(vn_world_remove(world, a), VN_OK);
    assert_int_equal(vn_world_remove(world, a), VN_STALE_ID);
    assert_false(vn_world_has(world, a));
    assert_true(vn_world_has(world, b));
    assert_null(vni_world_obstacle(world, 0));
    vn_obstacle_id c = add(world, shape_of_kind(VN_SHAPE_SPHERE));
    assert_int_equal(c.index1, a.index1);
    assert_int_not_equal(c.generation, a.generation);
    assert_false(vn_world_has(world, a));
    assert_true(vn_world_has(world, c));
    assert_int_equal(vn_world_remove(world, (vn_obstacle_id){c.index1, c.generation + 1}), VN_STALE_ID);
    vn_obstacle_info info;
    assert_int_equal(vn_world_get_info(world, a, &info), VN_STALE_ID);
    assert_int_equal(vn_world_get_info(world, c, &info), VN_OK);
    assert_int_equal(info.kind, VN_SHAPE_SPHERE);
    assert_int_equal(vn_world_add(world, &(vn_shape){.kind = VN_SHAPE_BOX}, NULL, NULL), VN_OK);
    vn_world_destroy(world);
}

static vn_obstacle_info info_of(vn_shape shape) {
    vn_world* world = make_world(NULL);
    vn_obstacle_info info;
    assert_int_equal(vn_world_get_info(world, add(world, shape), &info), VN_OK);
    assert_int_equal(info.kind, shape.kind);
    vn_world_destroy(world);
    return info;
}

static void every_kind_tells_about_itself(void** state) {
    (void)state;
    vn_obstacle_info info = info_of(shape_of_kind(VN_SHAPE_BOX));
    assert_box(&info.bounds, vnt_vec(-1, -2, -3), vnt_vec(1, 2, 3));
    assert_true(info.volume == 48);
    info = info_of(shape_of_kind(VN_SHAPE_ORIENTED));
    assert_box(&info.bounds, vnt_vec(4, -2, -3), vnt_vec(6, 2, 3));
    assert_true(info.volume == 48);
    info = info_of(shape_of_kind(VN_SHAPE_SPHERE));
    assert_box(&info.bounds, vnt_vec(-2, 7, -2), vnt_vec(2, 11, 2));
    assert_true(fabs(info.volume - 33.510321638) < 1e-8);
    info = info_of(shape_of_kind(VN_SHAPE_HULL));
    assert_box(&info.bounds, vnt_vec(0, 0, 0), vnt_vec(1, 2, 3));
    assert_true(fabs(info.volume - 1) < 1e-12);
    assert_true(fabs(info.area - (1 + 1.5 + 3 + 3.5)) < 1e-12);
    assert_int_equal(info.vertices, 4);
    assert_int_equal(info.triangles, 4);
    info = info_of(shape_of_kind(VN_SHAPE_MESH));
    assert_box(&info.bounds, vnt_vec(0, 0, 0), vnt_vec(2, 2, 2));
    assert_true(info.volume == 8);
    assert_true(info.area == 24);
    assert_true(info.fillable);
    assert_int_equal(info.vertices, 144);
    assert_int_equal(info.triangles, 48);
    info = info_of(shape_of_kind(VN_SHAPE_VOXELS));
    assert_box(&info.bounds, vnt_vec(0, 0, 0), vnt_vec(4, 4, 4));
    assert_true(info.volume == 4 * 0.125);
    assert_int_equal(info.voxels, 4);
    assert_int_equal(info.duplicates, 1);
}

static void rotations_are_made_exact(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_quat eighth = {0, 0, 0.38268343f * 1.0005f, 0.92387953f * 1.0005f};
    add(world, vnt_oriented_shape(vnt_vec(10, 0, 0), vnt_vec(1, 1, 1), eighth));

    const vni_obb* obb = &vni_world_obstacle(world, 0)->as.oriented;
    for (int i = 0; i < 3; ++i) {
        assert_true(fabs(vni_length(obb->axis[i]) - 1) < 1e-14);
        assert_true(fabs(vni_dot(obb->axis[i], obb->axis[(i + 1) % 3])) < 1e-14);
    }

    vn_box bounds;
    assert_true(vn_world_get_bounds(world, &bounds));
    assert_true(fabs((double)bounds.max.x - 10 - sqrt(2)) < 1e-5);
    assert_true(fabs((double)bounds.min.y + sqrt(2)) < 1e-5);
    vn_world_destroy(world);
}

/// Bounds of a sphere are never inside it, although float cannot hold them.
static void bounds_are_rounded_outwards(void** state) {
    (void)state;
    for (int i = 1; i < 1000; ++i) {
        float center = (float)i * 977.123f - 5e5f, radius = (float)i * 0.0037f;
        vn_obstacle_info info = info_of(vnt_sphere_shape(vnt_vec(center, -center, 0), radius));
        double low = (double)center - (double)radius, high = (double)center + (double)radius;
        assert_true((double)info.bounds.min.x <= low);
        assert_true((double)info.bounds.max.x >= high);
        assert_true((double)info.bounds.min.y <= -high);
        assert_true((double)info.bounds.max.y >= -low);
        assert_true((double)info.bounds.max.x - high < 0.1);
        assert_true(low - (double)info.bounds.min.x < 0.1);
    }
}

static void bounds_follow_the_obstacles(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_obstacle_id a = add(world, vnt_box_shape(vnt_vec(-9, 0, 0), vnt_vec(-8, 1, 1)));
    vn_obstacle_id b = add(world, vnt_box_shape(vnt_vec(3, 4, 5), vnt_vec(6, 7, 8)));
    vn_box box;
    assert_true(vn_world_get_bounds(world, &box));
    assert_box(&box, vnt_vec(-9, 0, 0), vnt_vec(6, 7, 8));
    vn_world_remove(world, a);
    assert_true(vn_world_get_bounds(world, &box));
    assert_box(&box, vnt_vec(3, 4, 5), vnt_vec(6, 7, 8));
    vn_world_remove(world, b);
    assert_false(vn_world_get_bounds(world, &box));
    vn_world_destroy(world);
}

static bool is_flat(vn_shape shape) {
    vn_world* world = make_world(NULL);
    add(world, shape);
    bool flat = vni_obstacle_is_flat(vni_world_obstacle(world, 0));
    vn_world_destroy(world);
    return flat;
}

static void volumes_without_thickness_are_flat(void** state) {
    (void)state;
    for (vn_shape_kind kind = VN_SHAPE_BOX; kind <= VN_SHAPE_CYLINDER; ++kind)
        assert_false(is_flat(shape_of_kind(kind)));

    assert_true(is_flat(vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(1, 0, 1))));
    assert_true(is_flat(vnt_oriented_shape(vnt_vec(0, 0, 0), vnt_vec(1, 1, 0), no_rotation)));
    assert_true(is_flat(vnt_sphere_shape(vnt_vec(0, 0, 0), 0)));
    static const vn_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t both_sides[6] = {0, 1, 2, 0, 2, 1};
    vn_shape hull = {.kind = VN_SHAPE_HULL};
    hull.as.hull.vertices = corners;
    hull.as.hull.vertex_count = 3;
    hull.as.hull.indices = both_sides;
    hull.as.hull.triangle_count = 2;
    assert_true(is_flat(hull));
    vn_obstacle_info info = info_of(hull);
    assert_true(info.volume == 0);
    assert_true(info.area == 1);
}

static void memory_is_reported_to_the_byte(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vn_world* world = make_world(&allocator);

    vn_obstacle_id ids[60];
    for (uint32_t i = 0; i < 60; ++i)
        ids[i] = add(world, shape_of_kind((vn_shape_kind)(1 + i % 8)));

    for (uint32_t i = 0; i < 60; i += 5)
        assert_int_equal(vn_world_remove(world, ids[i]), VN_OK);

    vn_memory report;
    vn_world_get_memory(world, &report);
    size_t sum = 0;
    for (uint32_t i = 0; i < report.count; ++i)
        sum += report.parts[i].bytes;

    assert_int_equal(report.total, sum);
    assert_int_equal(report.total, memory.live_bytes);
    vn_world_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
}

/// Adds `before` small things, then one of the kind with the given allocation failing. True when nothing
/// failed any more.
static bool add_with_failure(vn_shape_kind kind, uint32_t before, uint64_t fail_after) {
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vn_world* world = make_world(&allocator);
    for (uint32_t i = 0; i < before; ++i)
        add(world, vnt_box_shape(vnt_vec((float)i, 0, 0), vnt_vec((float)i + 1, 1, 1)));

    memory.fail_at = memory.calls + fail_after;
    vn_shape shape = shape_of_kind(kind);
    vn_obstacle_id id;
    vn_detail detail;
    vn_status status = vn_world_add(world, &shape, &id, &detail);
    assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);

    assert_int_equal(vn_world_count(world), before + !memory.failed);
    if (memory.failed) {
        assert_int_equal(detail.status, VN_OUT_OF_MEMORY);
        vn_memory report; // arrays that grew for the slot may stay, and are known
        vn_world_get_memory(world, &report);
        assert_int_equal(report.total, memory.live_bytes);
        for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot)
            assert_true(slot < before || vni_world_obstacle(world, slot) == NULL);

        assert_int_equal(vn_world_add(world, &shape, &id, &detail), VN_OK);
        assert_true(id.index1 == before + 1);
        assert_true(id.generation == 1); // as if nothing had been tried
    }

    vn_world_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
    return !memory.failed;
}

static void running_out_of_memory_changes_nothing(void** state) {
    (void)state;
    for (vn_shape_kind kind = VN_SHAPE_BOX; kind <= VN_SHAPE_CYLINDER; ++kind) {
        for (uint32_t before = 0; before < 18; before += before < 3 ? 1 : 7) {
            uint64_t fail_after = 0;
            while (!add_with_failure(kind, before, fail_after))
                ++fail_after;
            assert_true(before != 0 || fail_after >= 2);
        }
    }

    vnt_memory memory = vnt_memory_make();
    memory.fail_at = 0;
    vn_world_def def = vn_default_world_def();
    def.allocator = vnt_memory_allocator(&memory);
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OUT_OF_MEMORY);
    assert_null(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defs_are_checked),
        cmocka_unit_test(an_empty_world_has_nothing),
        cmocka_unit_test(ids_have_generations),
        cmocka_unit_test(every_kind_tells_about_itself),
        cmocka_unit_test(rotations_are_made_exact),
        cmocka_unit_test(bounds_are_rounded_outwards),
        cmocka_unit_test(bounds_follow_the_obstacles),
        cmocka_unit_test(volumes_without_thickness_are_flat),
        cmocka_unit_test(memory_is_reported_to_the_byte),
        cmocka_unit_test(running_out_of_memory_changes_nothing),
    };

    return cmocka_run_group_tests_name("world/world", tests, NULL, NULL);
}
