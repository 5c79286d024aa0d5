/// tests/unit/geom/test_hull.c: what makes a hull, what does not and what is said about it, memory.
#include "cmocka_all.h"
#include "support.h"
#include "tests/unit/geom/hulls.h"
#include <math.h>
#include <string.h>

static const vni_aabb unit = {{0, 0, 0}, {1, 1, 1}};

static void assert_refused(const vnt_polyhedron* p, uint64_t index, const char* words) {
    vni_hull hull;
    vn_detail detail = {0};
    assert_int_equal(vnt_make_hull(p, 1e-5, &hull, &detail), VN_BAD_DATA);
    assert_int_equal(detail.status, VN_BAD_DATA);
    assert_int_equal(detail.index, index);
    assert_non_null(strstr(detail.text, words));
    assert_true(strlen(detail.text) < sizeof detail.text - 1);
    assert_null(hull.vertices);
    assert_int_equal(vnt_make_hull(p, 1e-5, &hull, NULL), VN_BAD_DATA);
}

static void cube_has_three_directions(void** state) {
    (void)state;
    const vnt_polyhedron p = vnt_box_polyhedron(unit);
    vni_hull hull;
    assert_int_equal(vnt_make_hull(&p, 0, &hull, NULL), VN_OK);
    assert_int_equal(hull.vertex_count, 8);
    assert_int_equal(hull.triangle_count, 12);
    assert_int_equal(hull.normal_count, 3);
    assert_false(hull.flat);
    assert_memory_equal(hull.indices, p.indices, 36 * sizeof *p.indices);
    assert_int_equal(vni_hull_bytes(&hull), (8 + 3) * sizeof(vni_vec) + (36 + 6) * sizeof(uint32_t));
    vnt_free_hull(&hull);
    assert_null(hull.vertices);
}

static bool is_parallel(vni_vec a, vni_vec b, double sine) {
    return vni_length2(vni_cross(a, b)) <= sine * sine * vni_length2(a) * vni_length2(b);
}

static void check_supports(const vni_hull* hull, uint32_t normal) {
    const vni_vec axis = hull->normals[normal];
    const double low = vni_dot(axis, hull->vertices[hull->supports[2 * normal]]);
    const double high = vni_dot(axis, hull->vertices[hull->supports[2 * normal + 1]]);
    for (uint32_t i = 0; i < hull->vertex_count; ++i) {
        const double at = vni_dot(axis, hull->vertices[i]);
        assert_true(low - 1e-12 <= at);
        assert_true(at <= high + 1e-12);
    }
}

/// No two normals kept are parallel, and each that there is, is kept by one.
static void normals_are_distinct_and_complete(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("normals", 31));
    for (uint32_t i = 0; i < vnt_scale(5000, 50000); ++i) {
        const vnt_polyhedron p =
            i % 2 ? vnt_random_polyhedron(&rng, 4 + i % 7) : vnt_box_polyhedron(vnt_random_box(&rng));
        vni_hull hull;
        assert_int_equal(vnt_make_hull(&p, 1e-5, &hull, NULL), VN_OK);
        for (uint32_t a = 0; a < hull.normal_count; ++a) {
            check_supports(&hull, a);
            for (uint32_t b = 0; b < a; ++b)
                assert_false(is_parallel(hull.normals[a], hull.normals[b], 1e-12));
        }

        for (uint32_t t = 0; t < hull.triangle_count; ++t) {
            const uint32_t* at = hull.indices + 3 * (size_t)t;
            const vni_vec a = hull.vertices[at[0]];
            const vni_vec normal =
                vni_cross(vni_sub(hull.vertices[at[1]], a), vni_sub(hull.vertices[at[2]], a));

            bool kept = false;
            for (uint32_t k = 0; k < hull.normal_count && !kept; ++k)
                kept = is_parallel(normal, hull.normals[k], 2e-12);

            assert_true(kept);
        }

        vnt_free_hull(&hull);
    }
}

static void bad_numbers_are_refused(void** state) {
    (void)state;
    const vnt_polyhedron good = vnt_box_polyhedron(unit);
    vnt_polyhedron p = good;
    p.vertices[5].y = NAN;
    assert_refused(&p, 5, "vertex 5 of the hull is not finite");
    p.vertices[5].y = INFINITY;
    assert_refused(&p, 5, "not finite");
    p = good;
    p.indices[3 * 7 + 1] = 8;
    assert_refused(&p, 7, "names vertex 8, but there are 8");
    p = good;
    p.indices[3 * 4] = p.indices[3 * 4 + 2];
    assert_refused(&p, 4, "twice");
    p = good;
    p.vertices[8] = (vn_vec3){0.5f, 0.5f, 0.5f};
    p.vertex_count = 9;
    assert_refused(&p, 8, "belongs to no triangle");
    p = good;
    p.triangle_count = 0;
    assert_refused(&p, VN_NO_INDEX, "empty");
    p.vertex_count = 0;
    assert_refused(&p, VN_NO_INDEX, "empty");
}

static void open_and_tangled_hulls_are_refused(void** state) {
    (void)state;
    const vnt_polyhedron good = vnt_box_polyhedron(unit);
    vnt_polyhedron p = good;
    p.triangle_count = 11;
    vni_hull hull;
    vn_detail detail = {0};
    assert_int_equal(vnt_make_hull(&p, 0, &hull, &detail), VN_BAD_DATA);
    assert_non_null(strstr(detail.text, "no neighbour at edge"));
    p = good; // one triangle the wrong way round
    p.indices[1] = good.indices[2];
    p.indices[2] = good.indices[1];
    assert_int_equal(vnt_make_hull(&p, 0, &hull, &detail), VN_BAD_DATA);
    assert_non_null(strstr(detail.text, "same direction"));
    p = good; // one triangle twice
    memcpy(p.indices + 36, p.indices, 3 * sizeof *p.indices);
    p.triangle_count = 13;
    assert_int_equal(vnt_make_hull(&p, 0, &hull, &detail), VN_BAD_DATA);
    assert_non_null(strstr(detail.text, "double one"));
}

static void inside_out_hulls_are_told(void** state) {
    (void)state;
    vnt_polyhedron p = vnt_box_polyhedron(unit);
    for (uint32_t i = 0; i < p.triangle_count; ++i) {
        const uint32_t t = p.indices[3 * i];
        p.indices[3 * i] = p.indices[3 * i + 1];
        p.indices[3 * i + 1] = t;
    }

    assert_refused(&p, VN_NO_INDEX, "flip the winding");
}

static void concave_hulls_are_refused(void** state) {
    (void)state;
    vnt_polyhedron p = vnt_box_polyhedron(unit);
    p.vertices[7] = (vn_vec3){0.25f, 0.25f, 0.25f};
    vni_hull hull;
    vn_detail detail = {0};
    assert_int_equal(vnt_make_hull(&p, 1e-5, &hull, &detail), VN_BAD_DATA);
    assert_non_null(strstr(detail.text, "not convex"));

    // A dent below the tolerance passes, one above it does not.
    p = vnt_box_polyhedron(unit);
    p.vertices[7].x = 0.999f;
    assert_int_equal(vnt_make_hull(&p, 0.01, &hull, NULL), VN_OK);
    vnt_free_hull(&hull);
    assert_int_equal(vnt_make_hull(&p, 1e-5, &hull, &detail), VN_BAD_DATA);
    assert_true(detail.index < 8);
}

static void two_bodies_are_not_convex(void** state) {
    (void)state;
    vnt_polyhedron p = {.vertex_count = 8, .triangle_count = 8};
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    for (uint32_t body = 0; body < 2; ++body) {
        const float x = body ? 5 : 0;
        const vn_vec3 v[4] = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x, 0, 1}};
        memcpy(p.vertices + 4 * body, v, sizeof v);
        for (uint32_t i = 0; i < 12; ++i)
            p.indices[12 * body + i] = 4 * body + faces[i];
    }

    vni_hull hull;
    vn_detail detail = {0};
    assert_int_equal(vnt_make_hull(&p, 1e-5, &hull, &detail), VN_BAD_DATA);
    assert_non_null(strstr(detail.text, "not convex"));
}

/// A sheet with two sides in a slanted plane; its sides are cut along the same diagonal, or along both.
static void flat_hulls_are_surfaces(void** state) {
    (void)state;
    const uint32_t faces[2][12] = {{0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2},
                                   {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2}};
    vnt_polyhedron p = {
        .vertices = {{0, 0, 0}, {1, 0, 1}, {1, 1, 1}, {0, 1, 0}}, .vertex_count = 4, .triangle_count = 4};

    const vni_aabb above = {vni_v(0, 0, 2), vni_v(1, 1, 3)};
    for (int kind = 0; kind < 2; ++kind) {
        memcpy(p.indices, faces[kind], sizeof faces[kind]);
        vni_hull hull;
        assert_int_equal(vnt_make_hull(&p, 1e-5, &hull, NULL), VN_OK);
        assert_true(hull.flat);
        assert_int_equal(hull.normal_count, 1);
        assert_false(vni_hull_enters_box(&hull, &unit));
        assert_true(vni_hull_touches_box(&hull, &unit, 0));
        assert_false(vni_hull_touches_box(&hull, &above, 0));
        assert_true(vni_hull_box_distance2(&hull, &above) == 1);
        vnt_free_hull(&hull);
    }
}

static void flat_hulls_with_a_notch_are_refused(void** state) {
    (void)state;
    const vnt_polyhedron p = {.vertices = {{0, 0, 0}, {1, 0, 1}, {0.25f, 0.25f, 0.25f}, {0, 1, 0}},
                              .indices = {0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2},
                              .vertex_count = 4,
                              .triangle_count = 4};
    assert_refused(&p, 3, "not convex");
}

/// Points and segments are hulls too, the flattest there are.
static void hulls_without_area_are_flat(void** state) {
    (void)state;
    vnt_polyhedron p = {.vertex_count = 3, .triangle_count = 2, .indices = {0, 1, 2, 0, 2, 1}};
    vni_hull hull;
    for (int kind = 0; kind < 2; ++kind) {
        p.vertices[1] = kind ? (vn_vec3){2, 2, 2} : p.vertices[0];
        p.vertices[2] = kind ? (vn_vec3){1, 1, 1} : p.vertices[0];
        assert_int_equal(vnt_make_hull(&p, 1e-5, &hull, NULL), VN_OK);
        assert_true(hull.flat);
        assert_int_equal(hull.normal_count, 0);
        assert_true(vni_hull_touches_box(&hull, &unit, 0));
        const vni_aabb aside = {vni_v(-3, 0, 0), vni_v(-2, 1, 1)};
        assert_false(vni_hull_touches_box(&hull, &aside, 0));
        assert_true(vni_hull_box_distance2(&hull, &aside) == 4);
        vnt_free_hull(&hull);
    }
}

static void frames_move_vertices_only(void** state) {
    (void)state;
    const vnt_polyhedron p = vnt_box_polyhedron(unit);
    vni_hull hull;
    assert_int_equal(vnt_make_hull(&p, 0, &hull, NULL), VN_OK);
    vni_vec moved[8];
    const vni_hull image = vni_hull_to_frame(&hull, vni_v(-1, 0, 0.5), 4, moved);
    assert_ptr_equal(image.vertices, moved);
    assert_ptr_equal(image.supports, hull.supports);
    assert_int_equal(image.normal_count, hull.normal_count);
    assert_true(moved[0].x == 4);
    assert_true(moved[0].y == 0);
    assert_true(moved[0].z == -2);
    assert_true(moved[7].x == 8);
    assert_true(moved[7].y == 4);
    assert_true(moved[7].z == 2);
    const vni_aabb inside = {vni_v(5, 1, 0), vni_v(6, 2, 1)}, beside = {vni_v(8, 1, 0), vni_v(9, 2, 1)};
    assert_true(vni_hull_enters_box(&image, &inside));
    assert_false(vni_hull_enters_box(&image, &beside));
    vnt_free_hull(&hull);
}

static void memory_may_run_out(void** state) {
    (void)state;
    const vnt_polyhedron p = vnt_box_polyhedron(unit);
    for (uint64_t fail_at = 0;; ++fail_at) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = fail_at;
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_hull hull;
        vn_detail detail = {0};

        const vn_status status = vni_hull_make(&allocator, p.vertices, 8, p.indices, 12, 0, &hull, &detail);
        if (status == VN_OK) {
            assert_false(memory.failed);
            assert_int_equal(memory.live_blocks, 1);
            assert_int_equal(memory.live_bytes, vni_hull_bytes(&hull));
            vni_hull_free(&allocator, &hull);
        } else {
            assert_int_equal(status, VN_OUT_OF_MEMORY);
            assert_int_equal(detail.status, VN_OUT_OF_MEMORY);
        }

        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (status == VN_OK)
            return;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_has_three_directions),
        cmocka_unit_test(normals_are_distinct_and_complete),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(open_and_tangled_hulls_are_refused),
        cmocka_unit_test(inside_out_hulls_are_told),
        cmocka_unit_test(concave_hulls_are_refused),
        cmocka_unit_test(two_bodies_are_not_convex),
        cmocka_unit_test(flat_hulls_are_surfaces),
        cmocka_unit_test(flat_hulls_with_a_notch_are_refused),
        cmocka_unit_test(hulls_without_area_are_flat),
        cmocka_unit_test(frames_move_vertices_only),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests_name("geom/hull", tests, NULL, NULL);
}
