/// tests/unit/geom/test_distance.c: distances against golden sections, and exactly where the inputs have few
/// digits.
#include "cmocka_all.h"
#include "support.h"
#include "tests/unit/geom/hulls.h"

static const vni_aabb unit = {{0, 0, 0}, {1, 1, 1}};

/// The oracle is never too small; it is a little too large, more so near contact.
static void assert_distance(double squared, double oracle) {
    const double distance = sqrt(squared);
    assert_true(distance <= oracle + 1e-9);
    assert_true(distance >= oracle - (oracle > 0.1 ? 1e-6 : VNT_DOUBT));
}

static void points_and_spheres(void** state) {
    (void)state;
    assert_true(vni_point_box_distance2(vni_v(0.5, 0.25, 1), &unit) == 0);
    assert_true(vni_point_box_distance2(vni_v(4, 5, 0), &unit) == 25);
    assert_true(vni_point_box_distance2(vni_v(-2, 3, 3), &unit) == 12);
    assert_true(vni_sphere_box_distance(vni_v(4, 5, 0), 2, &unit) == 3);
    assert_true(vni_sphere_box_distance(vni_v(4, 5, 0), 5, &unit) == 0);
    assert_true(vni_sphere_box_distance(vni_v(0.5, 0.5, 0.5), 0, &unit) == 0);
    const vni_aabb far = {vni_v(4, -6, 2), vni_v(5, -4, 3)}, over = {vni_v(-5, -5, 1), vni_v(5, 5, 1)};
    assert_true(vni_aabb_box_distance2(&far, &unit) == 9 + 16 + 1);
    assert_true(vni_aabb_box_distance2(&over, &unit) == 0);
}

static void segments_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("segments", 21));
    for (uint32_t i = 0; i < vnt_scale(50000, 500000); ++i) {
        const bool aligned = i % 2;
        const vni_vec a = aligned ? vnt_quarter_vec(&rng, 3) : vnt_random_vec(&rng, 4);
        vni_vec b = aligned ? vnt_quarter_vec(&rng, 3) : vnt_random_vec(&rng, 4);
        b = i % 16 == 0 ? a : b;
        b.x = i % 8 == 1 ? a.x : b.x;
        const vni_aabb box = aligned ? unit : vnt_random_box(&rng);
        const vnt_patch patch = {a, vni_v(0, 0, 0), vni_sub(b, a), false};
        const vnt_section section = {&patch, &box, a, false};
        const double oracle = sqrt(vnt_section_minimum(&section, 1));
        const double squared = vni_segment_box_distance2(a, b, &box);
        assert_distance(squared, oracle);
        const double back = vni_segment_box_distance2(b, a, &box);
        assert_true(vni_abs(squared - back) <= 1e-12 * (1 + squared));
    }
}

/// Closed forms with known results, all of them exact in binary.
static void slanted_segments_are_exact(void** state) {
    (void)state;
    // x + y = 3 in the plane z = 0.5 is 1/sqrt(2) from the edge (1, 1, z); at any length.
    assert_true(vni_segment_box_distance2(vni_v(3, 0, 0.5), vni_v(0, 3, 0.5), &unit) == 0.5);
    const double far = 1000003.25;
    assert_true(vni_segment_box_distance2(vni_v(far, 3 - far, 0.5), vni_v(3 - far, far, 0.5), &unit) == 0.5);
    assert_true(vni_segment_box_distance2(vni_v(far, 3 - far, 4), vni_v(3 - far, far, 4), &unit) == 9.5);

    // Along an axis: exactly the gap.
    assert_true(vni_segment_box_distance2(vni_v(-far, 1.75, 3), vni_v(far, 1.75, 3), &unit) ==
                0.75 * 0.75 + 4);

    // Ends that lie nearest, and one that touches.
    assert_true(vni_segment_box_distance2(vni_v(2, 0, 0), vni_v(9, 4, 4), &unit) == 1);
    assert_true(vni_segment_box_distance2(vni_v(2, 0, 0), vni_v(0, 2, 0), &unit) == 0);
}

static vni_triangle random_triangle(vni_rng* rng) {
    const double reach = vni_rng_below(rng, 3) == 0 ? 0.5 : 4;
    const vni_vec a = vnt_random_vec(rng, 2);
    vni_triangle t = {a, vni_add(a, vnt_random_vec(rng, reach)), vni_add(a, vnt_random_vec(rng, reach))};
    const uint32_t kind = vni_rng_below(rng, 10);
    if (kind == 0)
        t.c = vni_add_scaled(t.a, vni_sub(t.b, t.a), vnt_between(rng, -1, 2));
    else if (kind == 1)
        t.c = vni_add(vni_add_scaled(t.a, vni_sub(t.b, t.a), 0.5), vnt_random_vec(rng, 1e-9));
    else if (kind == 2)
        t.c = t.b;
    else if (kind == 3)
        t.c.z = t.b.z = t.a.z;

    return t;
}

static void triangles_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("triangles", 22));
    uint32_t touching = 0;
    const uint32_t cases = vnt_scale(10000, 200000);
    for (uint32_t i = 0; i < cases; ++i) {
        const vni_triangle t = random_triangle(&rng);
        const vni_aabb box = vnt_random_box(&rng);
        const vnt_patch patch = vnt_triangle_patch(&t);
        const double squared = vni_triangle_box_distance2(&t, &box);
        assert_distance(squared, vnt_patch_distance(&patch, &box));
        touching += squared == 0;

        // A point is a box without size.
        const vni_aabb point = {box.min, box.min};
        assert_distance(vni_point_triangle_distance2(box.min, &t), vnt_patch_distance(&patch, &point));
    }

    assert_true(touching > cases / 50);
    assert_true(touching < cases / 2);
}

/// Two triangles that make up a lattice rectangle are as far as the rectangle, to the last bit.
static void rectangles_are_exact(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("rectangles", 23));
    for (uint32_t i = 0; i < vnt_scale(50000, 500000); ++i) {
        const int32_t reach = i % 3 == 0 ? 100000 : 4;
        const int flat = (int)(i % 3);
        double low[3], high[3];
        for (int k = 0; k < 3; ++k) {
            low[k] = vnt_quarter(&rng, k == flat ? 4 : reach);
            high[k] = k == flat ? low[k] : low[k] + vni_abs(vnt_quarter(&rng, reach));
        }

        const vni_aabb box = {vni_v(low[0], low[1], low[2]), vni_v(high[0], high[1], high[2])};
        const int u = (flat + 1) % 3, v = (flat + 2) % 3;
        double at_u[3] = {low[0], low[1], low[2]}, at_v[3] = {low[0], low[1], low[2]};
        at_u[u] = high[u];
        at_v[v] = high[v];
        const vni_vec p = vni_v(at_u[0], at_u[1], at_u[2]), q = vni_v(at_v[0], at_v[1], at_v[2]);
        const vni_triangle one = {box.min, p, box.max}, two = {box.min, box.max, q};
        const double d1 = vni_triangle_box_distance2(&one, &unit),
                     d2 = vni_triangle_box_distance2(&two, &unit);
        assert_true((d1 < d2 ? d1 : d2) == vni_aabb_box_distance2(&box, &unit));
    }
}

static void slanted_triangles_are_exact(void** state) {
    (void)state;
    // The plane x + y = 4, far from its edges: sqrt(2) from the edge at (1, 1).
    const double far = 65536;
    const vni_triangle wall = {vni_v(far, 4 - far, -far), vni_v(4 - far, far, -far), vni_v(2, 2, far)};
    assert_true(vni_triangle_box_distance2(&wall, &unit) == 2);

    // x + y + z = 6 is sqrt(3) from the corner (1, 1, 1).
    const vni_triangle slope = {vni_v(6, 0, 0), vni_v(0, 6, 0), vni_v(0, 0, 6)};
    assert_true(vni_triangle_box_distance2(&slope, &unit) == 3);
    assert_true(vni_point_triangle_distance2(vni_v(1, 1, 1), &slope) == 3);
    assert_true(vni_point_triangle_distance2(vni_v(2, 2, 2), &slope) == 0);
    assert_true(vni_point_triangle_distance2(vni_v(9, 0, 0), &slope) == 9);
}

/// A long sliver is as far away as its longest edge, although its normal is mostly rounding.
static void slivers_are_segments(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("slivers", 27));
    for (uint32_t i = 0; i < vnt_scale(20000, 200000); ++i) {
        vni_vec axis[3];
        vni_quat_axes(vnt_random_quat(&rng), axis);

        // Every other point stands upright over a sliver that is just wide enough to have a normal.
        const bool upright = i % 2;
        const vni_vec a = vnt_random_vec(&rng, 1), along = vni_scale(axis[0], 1000);
        const vni_vec c = vni_add_scaled(a, along, vnt_between(&rng, 0, 1));
        const vni_vec aside = upright ? vni_scale(axis[1], 1e-5) : vnt_random_vec(&rng, 1e-9);
        const vni_triangle t = {a, vni_add(a, along), vni_add(c, aside)};
        const double turn = upright ? 0 : vnt_between(&rng, -1, 1), other = sqrt(1 - turn * turn);
        const vni_vec off = vni_add(vni_scale(axis[1], 2 * turn + 1e-6), vni_scale(axis[2], 2 * other));
        const vni_vec point = vni_add(vni_add_scaled(a, along, vnt_between(&rng, 0, 1)), off);
        const double tolerance = upright ? 1e-9 : 1e-5;
        const vni_aabb box = {point, point};
        assert_true(vni_abs(sqrt(vni_point_triangle_distance2(point, &t)) - 2) < tolerance);
        assert_true(vni_abs(sqrt(vni_triangle_box_distance2(&t, &box)) - 2) < tolerance);
    }
}

static void obbs_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("obbs", 24));
    for (uint32_t i = 0; i < vnt_scale(10000, 100000); ++i) {
        vni_obb obb = {.center = vnt_random_vec(&rng, 5)};
        for (int k = 0; k < 3; ++k)
            obb.half[k] = vni_rng_below(&rng, 12) == 0 ? 0 : vnt_between(&rng, 0.05, 2);
        vni_quat_axes(vnt_random_quat(&rng), obb.axis);
        const vni_aabb box = vnt_random_box(&rng);
        assert_distance(vni_obb_box_distance2(&obb, &box), vnt_obb_distance(&obb, &box));
    }
}

static void hulls_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("hulls", 25));
    for (uint32_t i = 0; i < vnt_scale(2500, 30000); ++i) {
        const vnt_polyhedron p = vnt_random_polyhedron(&rng, 4 + i % 5);
        vni_hull hull;
        assert_int_equal(vnt_make_hull(&p, 1e-6, &hull, NULL), VN_OK);
        for (int k = 0; k < 4; ++k) {
            const vni_aabb box = vnt_random_box(&rng);
            assert_distance(vni_hull_box_distance2(&hull, &box), vnt_hull_distance(&hull, &box));
        }

        vnt_free_hull(&hull);
    }
}

static void clipping_agrees(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("clipping", 26));
    uint32_t hits = 0;
    const uint32_t cases = vnt_scale(50000, 500000);
    for (uint32_t i = 0; i < cases; ++i) {
        const vni_vec a = vnt_quarter_vec(&rng, 2);
        vni_vec b = vnt_quarter_vec(&rng, 2);
        b.y = i % 4 == 0 ? a.y : b.y;
        vnt_int3 from = {{(int64_t)(4 * a.x), (int64_t)(4 * a.y), (int64_t)(4 * a.z)}};
        vnt_int3 to = {{(int64_t)(4 * b.x), (int64_t)(4 * b.y), (int64_t)(4 * b.z)}};
        const vnt_int_box box = {{0, 0, 0}, {4, 4, 4}};
        double t_in = -1, t_out = -1;
        const bool hit = vni_segment_clip_box(a, b, &unit, &t_in, &t_out);
        assert_true(hit == vnt_segment_meets_box(from, to, &box));
        hits += hit;

        if (!hit)
            continue;
        assert_true(0 <= t_in);
        assert_true(t_in <= t_out);
        assert_true(t_out <= 1);
        const vni_vec d = vni_sub(b, a);
        assert_true(vni_point_box_distance2(vni_add_scaled(a, d, t_in), &unit) < 1e-28);

        assert_true(vni_point_box_distance2(vni_add_scaled(a, d, t_out), &unit) < 1e-28);
        if (t_in > 1e-6 && vni_length2(d) > 0)
            assert_true(vni_point_box_distance2(vni_add_scaled(a, d, t_in - 1e-6), &unit) > 0);

        if (t_out < 1 - 1e-6 && vni_length2(d) > 0)
            assert_true(vni_point_box_distance2(vni_add_scaled(a, d, t_out + 1e-6), &unit) > 0);
    }

    assert_true(hits > cases / 10);
    assert_true(hits < cases - cases / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_spheres),
        cmocka_unit_test(segments_agree),
        cmocka_unit_test(slanted_segments_are_exact),
        cmocka_unit_test(triangles_agree),
        cmocka_unit_test(rectangles_are_exact),
        cmocka_unit_test(slanted_triangles_are_exact),
        cmocka_unit_test(slivers_are_segments),
        cmocka_unit_test(obbs_agree),
        cmocka_unit_test(hulls_agree),
        cmocka_unit_test(clipping_agrees),
    };

    return cmocka_run_group_tests_name("geom/distance", tests, NULL, NULL);
}
