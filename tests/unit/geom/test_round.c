/// tests/unit/geom/test_round.c: capsules and cylinders against golden sections over the whole box, and
/// exactly where the inputs have few digits.
#include "cmocka_all.h"
#include "support.h"
#include "tests/unit/geom/oracle.h"

/// Halvings, more or less, of each of the three golden sections.
#define ROUNDS 16

/// What is sought in a box: the least distance of a point to the shape, or the greatest depth (as its
/// negative) inside a cylinder.
typedef struct search {
    const vni_cylinder* cylinder;
    const vni_capsule* capsule;
    bool depth;
    const vni_aabb* box;
} search;

static double value_at(const search* s, const double at[3]) {
    const vni_vec p = vni_v(at[0], at[1], at[2]);
    if (s->capsule != NULL) {
        const vni_vec d = vni_sub(s->capsule->b, s->capsule->a), from = vni_sub(p, s->capsule->a);
        const double length2 = vni_length2(d),
                     t = length2 > 0 ? fmin(1, fmax(0, vni_dot(from, d) / length2)) : 0;
        return fmax(0, vni_length(vni_add_scaled(from, d, -t)) - s->capsule->radius);
    }

    // Pythagoras for the distance from the axis, unlike the code.
    const vni_vec from = vni_sub(p, s->cylinder->center);
    const double height = fabs(vni_dot(from, s->cylinder->axis)) - s->cylinder->half;
    const double width = vni_length(vni_cross(from, s->cylinder->axis)) - s->cylinder->radius;
    return s->depth ? fmax(height, width) : hypot(fmax(height, 0), fmax(width, 0));
}

/// Both are convex, and so is the least value over one coordinate as a function of the others.
static double least(const search* s, double at[3], int axis) {
    if (axis == 3)
        return value_at(s, at);
    const double lows[3] = {s->box->min.x, s->box->min.y, s->box->min.z};
    const double highs[3] = {s->box->max.x, s->box->max.y, s->box->max.z};
    double low = lows[axis], high = highs[axis];
    at[axis] = low;
    double best = least(s, at, axis + 1);
    at[axis] = high;
    best = fmin(best, least(s, at, axis + 1));
    for (int i = 0; i < ROUNDS; ++i) {
        const double a = high - VNT_GOLDEN * (high - low), b = low + VNT_GOLDEN * (high - low);
        at[axis] = a;
        const double at_a = least(s, at, axis + 1);
        at[axis] = b;
        const double at_b = least(s, at, axis + 1);
        best = fmin(best, fmin(at_a, at_b));
        if (at_a <= at_b)
            high = b;
        else
            low = a;
    }

    return best;
}

static double oracle(const vni_cylinder* cylinder, const vni_capsule* capsule, bool depth,
                     const vni_aabb* box) {
    const search s = {cylinder, capsule, depth, box};
    double at[3];
    return least(&s, at, 0);
}

static vni_vec unit(vni_vec v) {
    return vni_scale(v, 1 / vni_length(v));
}

/// Along an axis, square to one, nearly along one, or any.
static vni_vec random_axis(vni_rng* rng) {
    vni_vec v = vnt_random_vec(rng, 1);
    switch (vni_rng_below(rng, 6)) {
    case 0: return vni_v(0, 0, 1);
    case 1: return vni_v(-1, 0, 0);
    case 2: v.y = 0; return unit(vni_add(v, vni_v(0.01, 0, 0)));
    case 3: return unit(vni_add_scaled(vni_v(0, 1, 0), v, 1e-9));
    default: return unit(vni_add(v, vni_v(0, 0, 1.5)));
    }
}

static vni_cylinder random_cylinder(vni_rng* rng) {
    const vni_cylinder c = {vnt_random_vec(rng, 2), random_axis(rng), vnt_between(rng, 0.01, 2),
                            vni_rng_below(rng, 8) ? vnt_between(rng, 0, 1.5) : 0};
    return c;
}

/// On quarters, along simple diagonals: corners and edges of boxes line up with the axis.
static vni_cylinder plain_cylinder(vni_rng* rng) {
    vni_vec axis = vni_v(vni_rng_range(rng, -1, 1), vni_rng_range(rng, -1, 1), vni_rng_range(rng, 1, 7));
    const vni_cylinder c = {vnt_quarter_vec(rng, 3), unit(axis), 0.25 * vni_rng_range(rng, 1, 8),
                            0.25 * vni_rng_range(rng, 0, 5)};
    return c;
}

static vni_aabb plain_box(vni_rng* rng) {
    const vni_vec low = vnt_quarter_vec(rng, 3);
    return (vni_aabb){low, vni_add(low, vni_v(0.5, 0.5, 0.5))};
}

static void cylinders_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("round/cylinders", 41));
    uint32_t apart = 0, inside = 0, beside = 0;
    for (uint32_t i = 0; i < vnt_scale(1200, 10000); ++i) {
        const vni_cylinder c = i % 2 ? random_cylinder(&rng) : plain_cylinder(&rng);
        const vni_aabb box = i % 2 ? vnt_random_box(&rng) : plain_box(&rng);
        const double distance = vni_cylinder_box_distance(&c, &box);
        const double far = oracle(&c, NULL, false, &box), deep = oracle(&c, NULL, true, &box);

        assert_true(distance <= far + 1e-9);
        assert_true(distance >= far - (far > 0.1 ? 5e-6 : VNT_DOUBT));
        apart += far > 0.1;
        if (deep < -1e-12) { // a point inside was seen, by more than rounding
            assert_true(vni_cylinder_enters_box(&c, &box));
            ++inside;
        } else if (deep > VNT_DOUBT) {
            assert_false(vni_cylinder_enters_box(&c, &box));
            assert_false(vni_cylinder_touches_box(&c, &box, 0));
            assert_false(vni_cylinder_touches_box(&c, &box, 0.25 * deep));
            assert_true(vni_cylinder_touches_box(&c, &box, 1.0001 * far));
            ++beside;
        }

        const vni_vec p = vnt_random_vec(&rng, 5);
        const vni_aabb dot = {p, p};
        assert_true(fabs(vni_point_cylinder_distance(p, &c) - oracle(&c, NULL, false, &dot)) < 1e-12);
    }

    assert_true(apart > 50);
    assert_true(inside > 50);
    assert_true(beside > 50);
}

static void capsules_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("round/capsules", 42));
    for (uint32_t i = 0; i < vnt_scale(400, 10000); ++i) {
        vni_capsule c = {vnt_random_vec(&rng, 4), vnt_random_vec(&rng, 4), vnt_between(&rng, 0, 1.5)};
        if (i % 8 == 0)
            c.b = c.a;
        const vni_aabb box = vnt_random_box(&rng);
        const double distance = vni_capsule_box_distance(&c, &box), far = oracle(NULL, &c, false, &box);
        assert_true(distance <= far + 1e-9);
        assert_true(distance >= far - (far > 0.1 ? 5e-6 : VNT_DOUBT));

        const vni_capsule less = {c.a, c.b, c.radius * (1 - 1e-9)};
        if (distance > 0)
            assert_false(vni_capsule_enters_box(&c, &box));
        else if (vni_capsule_box_distance(&less, &box) == 0 && c.radius > 1e-3)
            assert_true(vni_capsule_enters_box(&c, &box));
    }
}

/// Rods along an axis are exact: contact alone enters nothing.
static void rods_along_an_axis(void** state) {
    (void)state;
    const vni_aabb cube = {{0, 0, 0}, {1, 1, 1}};
    const vni_cylinder beside = {{2, 0.5, 0.5}, {0, 0, 1}, 4, 1}, above = {{0.5, 0.5, 3}, {0, 0, 1}, 2, 0.25};
    const vni_cylinder on_edge = {{4, 5, 0}, {0, 0, -1}, 3, 5};
    assert_true(vni_cylinder_touches_box(&beside, &cube, 0));
    assert_false(vni_cylinder_enters_box(&beside, &cube));
    assert_true(vni_cylinder_box_distance(&beside, &cube) == 0);
    assert_true(vni_cylinder_touches_box(&above, &cube, 0));
    assert_false(vni_cylinder_enters_box(&above, &cube));
    assert_true(vni_cylinder_touches_box(&on_edge, &cube, 0));
    assert_false(vni_cylinder_enters_box(&on_edge, &cube));

    const vni_cylinder far = {{4, 0.5, 0.5}, {0, 0, 1}, 4, 1}, high = {{0.5, 0.5, 7}, {0, 0, 1}, 2, 0.25};
    assert_true(vni_cylinder_box_distance(&far, &cube) == 2);
    assert_true(vni_cylinder_box_distance(&high, &cube) == 4);
    const vni_cylinder wide = {{0.5, 0.5, 7}, {0, 0, 1}, 2, 40}, corner = {{8, 0.5, 10}, {0, 0, 1}, 5, 4};
    assert_true(vni_cylinder_box_distance(&wide, &cube) == 4);
    assert_true(vni_cylinder_box_distance(&corner, &cube) == 5); // 3 beside and 4 above: its rim

    const vni_cylinder around = {{0.5, 0.5, 0.5}, {0, 1, 0}, 9, 9},
                       within = {{0.5, 0.5, 0.5}, {0, 1, 0}, 0.1, 0.1};
    assert_true(vni_cylinder_enters_box(&around, &cube));
    assert_true(vni_cylinder_enters_box(&within, &cube));
    const vni_capsule touching = {{2, 0.5, -9}, {2, 0.5, 9}, 1}, past = {{4, 5, -9}, {4, 5, 9}, 5};
    assert_false(vni_capsule_enters_box(&touching, &cube));
    assert_true(vni_capsule_box_distance(&touching, &cube) == 0);
    assert_false(vni_capsule_enters_box(&past, &cube));
    assert_true(vni_capsule_box_distance(&past, &cube) == 0);
}

/// Every sampled point of the surface lies in the bounds, and some come to each of their sides.
static void bounds_hold_the_rim(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("round/bounds", 43));
    for (uint32_t i = 0; i < vnt_scale(200, 5000); ++i) {
        const vni_cylinder c = random_cylinder(&rng);
        const vni_aabb bounds = vni_cylinder_bounds(&c), wide = vnt_widened(&bounds, 1e-12);
        vni_aabb seen = {c.center, c.center};
        vni_vec x = unit(vni_cross(c.axis, vni_v(0.3, -0.5, 0.7))), y = vni_cross(c.axis, x);
        for (int k = 0; k < 720; ++k) {
            const double angle = k * 0.00872664625997164788;
            vni_vec p = vni_add_scaled(c.center, c.axis, k & 1 ? c.half : -c.half);
            p = vni_add_scaled(vni_add_scaled(p, x, c.radius * cos(angle)), y, c.radius * sin(angle));
            seen = (vni_aabb){vni_min(seen.min, p), vni_max(seen.max, p)};
            assert_true(vnt_point_distance2(p, &wide) == 0);
        }

        assert_true(vni_length(vni_sub(seen.min, bounds.min)) < 1e-3);
        assert_true(vni_length(vni_sub(seen.max, bounds.max)) < 1e-3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cylinders_agree), cmocka_unit_test(capsules_agree),
                                       cmocka_unit_test(rods_along_an_axis),
                                       cmocka_unit_test(bounds_hold_the_rim)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
