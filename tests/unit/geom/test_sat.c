/// tests/unit/geom/test_sat.c: touching and entering, against exact integer predicates and golden sections.
#include "cmocka_all.h"
#include "support.h"
#include "tests/unit/geom/hulls.h"

static const vni_aabb unit = {{0, 0, 0}, {1, 1, 1}};

static vni_obb straight_obb(vni_aabb box) {
    const vni_vec half = vni_scale(vni_sub(box.max, box.min), 0.5);
    vni_obb obb = {.center = vni_scale(vni_add(box.min, box.max), 0.5), .half = {half.x, half.y, half.z}};
    vni_quat_axes((vn_quat){0, 0, 0, 1}, obb.axis);
    return obb;
}

// -------------------------------------------------------------------------------------------- triangles

static bool touches_both_ways(const vni_triangle* t, const vni_aabb* box, double slack) {
    const vni_triangle_prep prep = vni_triangle_prepare(t);
    const bool plain = vni_triangle_touches_box(t, box, slack);
    assert_true(plain == vni_triangle_prep_touches_box(&prep, box, slack));
    return plain;
}

static vnt_int3 random_int3(vni_rng* rng, int32_t reach) {
    vnt_int3 p;
    for (int i = 0; i < 3; ++i)
        p.at[i] = vni_rng_range(rng, -reach, reach);
    return p;
}

/// Lattice triangles of all kinds: small, large, flat in a plane of the lattice, and without area.
static void random_int_triangle(vni_rng* rng, vnt_int3 t[3]) {
    const int32_t reach = vni_rng_below(rng, 4) == 0 ? 60 : 12;
    for (int i = 0; i < 3; ++i)
        t[i] = random_int3(rng, reach);

    const uint32_t kind = vni_rng_below(rng, 8);
    if (kind == 0) {
        const uint32_t axis = vni_rng_below(rng, 3);
        t[1].at[axis] = t[2].at[axis] = t[0].at[axis];
    } else if (kind == 1) {
        t[2] = t[vni_rng_below(rng, 2)];
    } else if (kind == 2) {
        for (int i = 0; i < 3; ++i)
            t[2].at[i] = 2 * t[1].at[i] - t[0].at[i];
    }
}

static vni_vec quarters(vnt_int3 p, double shift) {
    return vni_v(0.25 * (double)p.at[0] + shift, 0.25 * (double)p.at[1] + shift,
                 0.25 * (double)p.at[2] + shift);
}

static void lattice_triangles_are_decided_exactly(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("lattice triangles", 11));
    const uint32_t cases = vnt_scale(100000, 2000000);
    uint32_t touching = 0;
    for (uint32_t i = 0; i < cases; ++i) {
        vnt_int3 t[3];
        random_int_triangle(&rng, t);
        vnt_int_box box;
        for (int k = 0; k < 3; ++k) {
            box.low[k] = vni_rng_range(&rng, -8, 4);
            box.high[k] = box.low[k] + 4;
        }

        const double shift = i % 2 ? 0 : 1000000;
        const vni_triangle triangle = {quarters(t[0], shift), quarters(t[1], shift), quarters(t[2], shift)};
        const vni_aabb cube = {quarters(vnt_box_corner(&box, 0), shift),
                               quarters(vnt_box_corner(&box, 7), shift)};
        const bool expected = vnt_triangle_meets_box(t, &box);
        assert_true(touches_both_ways(&triangle, &cube, 0) == expected);
        assert_true(touches_both_ways(&triangle, &cube, 1e-9) == expected);
        touching += expected;
    }

    assert_true(touching > cases / 20);
    assert_true(touching < cases - cases / 20);
}

static vni_triangle random_triangle(vni_rng* rng) {
    const double reach = vni_rng_below(rng, 3) == 0 ? 0.5 : 4;
    const vni_vec a = vnt_random_vec(rng, 3);
    vni_triangle t = {a, vni_add(a, vnt_random_vec(rng, reach)), vni_add(a, vnt_random_vec(rng, reach))};
    const uint32_t kind = vni_rng_below(rng, 10);
    if (kind == 0) // a sliver, whose normal is nothing but rounding
        t.c = vni_add_scaled(t.a, vni_sub(t.b, t.a), vnt_between(rng, -1, 2));
    else if (kind == 1)
        t.c = vni_add(vni_add_scaled(t.a, vni_sub(t.b, t.a), 0.5), vnt_random_vec(rng, 1e-9));
    else if (kind == 2)
        t.c = t.b;

    return t;
}

static void random_triangles_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("random triangles", 12));
    const uint32_t cases = vnt_scale(10000, 200000);
    for (uint32_t i = 0; i < cases; ++i) {
        const vni_triangle t = random_triangle(&rng);
        const vni_aabb box = vnt_random_box(&rng);
        const vnt_patch patch = vnt_triangle_patch(&t);
        const double distance = vnt_patch_distance(&patch, &box);

        const bool touches = touches_both_ways(&t, &box, 0);
        if (distance == 0)
            assert_true(touches);

        if (distance > VNT_DOUBT)
            assert_false(touches);

        if (touches)
            assert_true(touches_both_ways(&t, &box, 0.125));

        assert_true(touches_both_ways(&t, &box, distance + VNT_DOUBT));
    }
}

/// Touching points that are not representable are found thanks to the slack, at the coordinates that a large
/// map has.
static void slack_covers_rounding(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("slack", 13));
    for (uint32_t i = 0; i < vnt_scale(20000, 200000); ++i) {
        const vni_vec base = vni_v(vni_rng_range(&rng, 0, 1000000), vni_rng_range(&rng, 0, 1000000),
                                   vni_rng_range(&rng, 0, 1000000));
        const vni_aabb box = {base, vni_add(base, vni_v(1, 1, 1))};

        // A triangle that holds the corner in its interior, with the cube on one side: they share the corner
        // only.
        const vni_vec normal =
            vni_v(vnt_between(&rng, 0.1, 1), vnt_between(&rng, 0.1, 1), vnt_between(&rng, 0.1, 1));
        const double size = vnt_between(&rng, 1, 1000);
        const vni_vec u = vni_scale(vni_cross(normal, vni_v(0, 0, 1)), size);
        const vni_vec v = vni_scale(vni_cross(normal, u), vnt_between(&rng, 0.01, 1));
        const vni_triangle t = {vni_sub(vni_sub(base, u), v), vni_add(vni_sub(base, v), u),
                                vni_add_scaled(base, v, 2)};
        assert_true(touches_both_ways(&t, &box, 1e-9));
    }
}

// ------------------------------------------------------------------------------------------------ boxes

static void contact_is_not_entering(void** state) {
    (void)state;
    const vni_aabb beside = {vni_v(1, 0, 0), vni_v(2, 1, 1)}, at_edge = {vni_v(1, 1, 0), vni_v(2, 2, 1)};
    const vni_aabb inside = {vni_v(0.25, 0.25, 0.25), vni_v(0.5, 0.5, 0.5)},
                   flat = {vni_v(0.5, 0, 0), vni_v(0.5, 1, 1)};
    const vni_aabb around = {vni_v(-1, -1, -1), vni_v(2, 2, 2)};
    const vni_aabb* boxes[5] = {&beside, &at_edge, &inside, &flat, &around};

    const bool enters[5] = {false, false, true, false, true};
    for (int i = 0; i < 5; ++i) {
        const vni_obb obb = straight_obb(*boxes[i]);
        assert_true(vni_aabb_enters_box(boxes[i], &unit) == enters[i]);
        assert_true(vni_obb_enters_box(&obb, &unit) == enters[i]);
        assert_true(vni_obb_touches_box(&obb, &unit, 0));
    }

    assert_false(vni_aabb_enters_box(&unit, &flat));
    assert_false(vni_sphere_enters_box(vni_v(2, 0.5, 0.5), 1, &unit));
    assert_true(vni_sphere_enters_box(vni_v(2, 0.5, 0.5), 1.0000001, &unit));
    assert_false(vni_sphere_enters_box(vni_v(0.5, 0.5, 0.5), 0, &unit));
    assert_false(vni_sphere_enters_box(vni_v(4, 5, 0.5), 5, &unit));
    assert_true(vni_sphere_enters_box(vni_v(4, 5, 0.5), 5.0000001, &unit));
}

/// Turned by quarters an obb is an aabb; every result is the same, also at contact.
static void straight_obbs_are_boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("straight obbs", 14));
    const float s = 0.70710678f;
    const vn_quat turns[4] = {{0, 0, 0, 1}, {0, 0, s, s}, {s, 0, 0, -s}, {0.5f, 0.5f, 0.5f, 0.5f}};
    uint32_t entered = 0;

    const uint32_t cases = vnt_scale(50000, 500000);
    for (uint32_t i = 0; i < cases; ++i) {
        vni_obb obb = {.center = vnt_quarter_vec(&rng, 2)};
        for (int k = 0; k < 3; ++k)
            obb.half[k] = 0.25 * vni_rng_below(&rng, 6);

        vni_quat_axes(turns[i % 4], obb.axis);
        const vni_aabb same = vni_obb_bounds(&obb);
        assert_true(vni_obb_enters_box(&obb, &unit) == vni_aabb_enters_box(&same, &unit));
        assert_true(vni_obb_touches_box(&obb, &unit, 0) == vni_aabb_touches(&same, &unit));
        assert_true(vni_obb_box_distance2(&obb, &unit) == vni_aabb_box_distance2(&same, &unit));
        entered += vni_obb_enters_box(&obb, &unit);
    }

    assert_true(entered > cases / 20);
    assert_true(entered < cases - cases / 20);
}

static void random_obbs_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("random obbs", 15));
    for (uint32_t i = 0; i < vnt_scale(10000, 100000); ++i) {
        vni_obb obb = {.center = vnt_random_vec(&rng, 4)};
        for (int k = 0; k < 3; ++k)
            obb.half[k] = vnt_between(&rng, 0.05, 2);

        vn_quat q = vnt_random_quat(&rng);
        if (i % 4 == 0) // nearly straight: the cross axes almost vanish
            q = (vn_quat){q.x * 1e-9f, q.y * 1e-12f, 0, 1};

        vni_quat_axes(q, obb.axis);
        const vni_aabb box = vnt_random_box(&rng), inner = vnt_widened(&box, -VNT_DOUBT);
        const double distance = vnt_obb_distance(&obb, &box);
        const bool enters = vni_obb_enters_box(&obb, &box), touches = vni_obb_touches_box(&obb, &box, 0);
        if (distance > VNT_DOUBT) {
            assert_true(!enters);
            assert_true(!touches);
        }

        if (distance == 0)
            assert_true(touches);

        if (distance == 0 && vnt_obb_distance(&obb, &inner) == 0)
            assert_true(enters);

        assert_true(vni_obb_touches_box(&obb, &box, distance + VNT_DOUBT));
    }
}

// ------------------------------------------------------------------------------------------------ hulls

static void box_hulls_are_boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("box hulls", 16));
    for (uint32_t i = 0; i < vnt_scale(10000, 100000); ++i) {
        vni_aabb box = {vnt_quarter_vec(&rng, 2), vni_v(0, 0, 0)};
        const double x = 0.25 * vni_rng_below(&rng, 6), y = 0.25 * vni_rng_below(&rng, 6);
        box.max = vni_add(box.min, vni_v(x, y, 0.25 * vni_rng_below(&rng, 6)));
        const vnt_polyhedron p = vnt_box_polyhedron(box);
        vni_hull hull;
        assert_int_equal(vnt_make_hull(&p, 0, &hull, NULL), VN_OK);
        assert_true(hull.flat == !vni_aabb_enters_box(&box, &box));
        assert_true(vni_hull_enters_box(&hull, &unit) == vni_aabb_enters_box(&box, &unit));
        assert_true(vni_hull_touches_box(&hull, &unit, 0) == vni_aabb_touches(&box, &unit));
        assert_true(vni_hull_box_distance2(&hull, &unit) == vni_aabb_box_distance2(&box, &unit));
        vnt_free_hull(&hull);
    }
}

/// Steps of the finer lattice on which the box is made smaller by less than any lattice tetrahedron can enter
/// it.
enum { FINE = 4096 };

static vnt_int3 finer(vnt_int3 p) {
    for (int i = 0; i < 3; ++i)
        p.at[i] *= FINE;
    return p;
}

static bool tetrahedron_meets_box(const vnt_int3 v[4], const vnt_int_box* box) {
    static const int faces[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    for (int i = 0; i < 4; ++i) {
        const vnt_int3 t[3] = {v[faces[i][0]], v[faces[i][1]], v[faces[i][2]]};
        if (vnt_triangle_meets_box(t, box))
            return true;
    }

    const vnt_int3 p = vnt_box_corner(box, 0);
    const int64_t whole = vnt_volume(v[0], v[1], v[2], v[3]);
    const int64_t parts[4] = {vnt_volume(p, v[1], v[2], v[3]), vnt_volume(v[0], p, v[2], v[3]),
                              vnt_volume(v[0], v[1], p, v[3]), vnt_volume(v[0], v[1], v[2], p)};

    bool inside = whole != 0;
    for (int i = 0; i < 4; ++i)
        inside = inside && (whole > 0 ? parts[i] > 0 : parts[i] < 0);

    return inside;
}

static void lattice_tetrahedra_enter_exactly(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("lattice tetrahedra", 17));
    const uint32_t cases = vnt_scale(30000, 500000);
    uint32_t entered = 0, only_touched = 0;
    for (uint32_t i = 0; i < cases; ++i) {
        vnt_polyhedron p = {.vertex_count = 4};
        vnt_int3 v[4];
        for (int k = 0; k < 4; ++k) {
            v[k] = random_int3(&rng, 4);
            p.vertices[k] = (vn_vec3){(float)v[k].at[0], (float)v[k].at[1], (float)v[k].at[2]};
            v[k] = finer(v[k]);
        }

        vnt_find_faces(&p);
        if (vnt_volume(v[0], v[1], v[2], v[3]) == 0)
            continue;

        vni_hull hull;
        assert_int_equal(vnt_make_hull(&p, 0, &hull, NULL), VN_OK);
        const vnt_int_box closed = {{0, 0, 0}, {FINE, FINE, FINE}},
                          open = {{1, 1, 1}, {FINE - 1, FINE - 1, FINE - 1}};
        const bool enters = tetrahedron_meets_box(v, &open), touches = tetrahedron_meets_box(v, &closed);
        assert_true(vni_hull_enters_box(&hull, &unit) == enters);
        assert_true(vni_hull_touches_box(&hull, &unit, 0) == touches);
        entered += enters;
        only_touched += touches && !enters;
        vnt_free_hull(&hull);
    }

    assert_true(entered > cases / 20);
    assert_true(only_touched > cases / 100);
}

static void random_hulls_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("random hulls", 18));
    for (uint32_t i = 0; i < vnt_scale(3400, 40000); ++i) {
        const vnt_polyhedron p = vnt_random_polyhedron(&rng, 4 + i % 5);
        vni_hull hull;
        assert_int_equal(vnt_make_hull(&p, 1e-5, &hull, NULL), VN_OK);
        for (int k = 0; k < 3; ++k) {
            const vni_aabb box = vnt_random_box(&rng), inner = vnt_widened(&box, -VNT_DOUBT);
            const double distance = vnt_hull_distance(&hull, &box);
            const bool enters = vni_hull_enters_box(&hull, &box),
                       touches = vni_hull_touches_box(&hull, &box, 0);
            if (distance > VNT_DOUBT) {
                assert_true(!enters);
                assert_true(!touches);
            }

            if (distance == 0)
                assert_true(touches);

            if (distance == 0 && !hull.flat && vnt_hull_distance(&hull, &inner) == 0)
                assert_true(enters);

            assert_true(vni_hull_touches_box(&hull, &box, distance + VNT_DOUBT));
        }

        vnt_free_hull(&hull);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattice_triangles_are_decided_exactly),
        cmocka_unit_test(random_triangles_agree),
        cmocka_unit_test(slack_covers_rounding),
        cmocka_unit_test(contact_is_not_entering),
        cmocka_unit_test(straight_obbs_are_boxes),
        cmocka_unit_test(random_obbs_agree),
        cmocka_unit_test(box_hulls_are_boxes),
        cmocka_unit_test(lattice_tetrahedra_enter_exactly),
        cmocka_unit_test(random_hulls_agree),
    };

    return cmocka_run_group_tests_name("geom/sat", tests, NULL, NULL);
}
