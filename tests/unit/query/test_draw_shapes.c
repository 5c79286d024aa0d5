/// What is drawn of spheres and oriented boxes is a closed surface; the colours of cells differ in hue alone.
#include "drawing.h"
#include "shapes.h"
#include "voxels.h"

#include "volnav/world.h"

/// Draws a world of one shape.
static void draw_shape(const vn_shape* shape, recording* r) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    vn_draw draw = sink(r, 15, 0);
    record_reset(r);
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, shape, NULL, NULL), VN_OK);
    vn_world_draw(world, NULL, &draw);
    vn_world_destroy(world);
}

/// How many triangles have an edge that leads from a to b.
static uint32_t edges_between(const recording* r, vn_dvec3 a, vn_dvec3 b) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count; ++i)
        for (int k = 0; k < 3; ++k)
            count += apart(r->marks[i].p[k], a) < 1e-9 && apart(r->marks[i].p[(k + 1) % 3], b) < 1e-9;

    return count;
}

/// Every edge belongs to two triangles, which run along it in opposite directions.
static void check_closed(const recording* r) {
    for (uint32_t i = 0; i < r->count; ++i)
        for (int k = 0; k < 3; ++k) {
            vn_dvec3 a = r->marks[i].p[k], b = r->marks[i].p[(k + 1) % 3];
            assert_true(apart(a, b) > 1e-3);
            assert_int_equal(edges_between(r, a, b), 1);
            assert_int_equal(edges_between(r, b, a), 1);
        }
}

static void a_sphere_is_closed(void** state) {
    (void)state;
    recording r = record_make();
    vn_shape sphere = vnt_sphere_shape((vn_vec3){0, 0, 0}, 1);
    draw_shape(&sphere, &r);
    assert_int_equal(r.of[TRIANGLE], 320);
    check_closed(&r);
    record_free(&r);
}

static void an_oriented_box_is_closed(void** state) {
    (void)state;
    recording r = record_make();
    vn_shape box =
        vnt_oriented_shape((vn_vec3){1, 2, 3}, (vn_vec3){1, 2, 3}, (vn_quat){0.5f, 0.1f, 0.1f, 0.854400375f});
    draw_shape(&box, &r);
    assert_int_equal(r.of[TRIANGLE], 12);
    check_closed(&r);
    record_free(&r);
}

/// Sixteen regions have sixteen colours, all as transparent as the others.
static void colors_of_cells_are_equally_transparent(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){31, 1, 1});
    for (int32_t x = 1; x < 31; x += 2)
        vnt_voxels_block(&voxels, x, 0, 0);

    vn_jobs jobs = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&voxels, &jobs);
    recording r = record_make();
    vn_draw draw = sink(&r, 15, 0);
    assert_int_equal(vn_space_draw_cells(space, (vn_voxel){0, 0, 0}, voxels.dims, &draw), 16);
    for (uint32_t i = 0; i < 16; ++i)
        assert_int_equal(r.marks[i].color & 0xff, 0x60);

    record_free(&r);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_is_closed),
        cmocka_unit_test(an_oriented_box_is_closed),
        cmocka_unit_test(colors_of_cells_are_equally_transparent),
    };

    return cmocka_run_group_tests_name("query/draw_shapes", tests, NULL, NULL);
}
