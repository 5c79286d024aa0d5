/// tests/unit/path/test_segment.c: the checker's own geometry where it is hardest: nearly parallel lines,
/// thin triangles, places far from zero.
#include "base/rng.h"
#include "cmocka_all.h"
#include "path/segment.h"
#include "support.h"

/// A rotation-free random direction, not unit.
static vni_vec random_vec(vni_rng* rng, double size) {
    return vni_v((vni_rng_real(rng) - 0.5) * size, (vni_rng_real(rng) - 0.5) * size,
                 (vni_rng_real(rng) - 0.5) * size);
}

static vni_vec unit(vni_vec v) {
    return vni_scale(v, 1.0 / vni_length(v));
}

/// Two lines that cross at a tiny angle at distance h: the segment must find h, not what its ends see.
static void nearly_parallel_edges(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/segment parallel", 3));
    for (uint32_t round = 0; round < vnt_scale(20000, 1000000); ++round) {
        vni_vec u = unit(random_vec(&rng, 1.0)), side = unit(vni_cross(u, random_vec(&rng, 1.0)));
        vni_vec normal = vni_cross(u, side), middle = random_vec(&rng, 20.0);
        double angle = 1.0, height = vni_rng_below(&rng, 2) ? 0.0 : vni_rng_real(&rng) * 1e-3;
        for (uint32_t k = vni_rng_below(&rng, 14); k > 0; --k)
            angle *= 0.1;

        vni_vec v = vni_add_scaled(u, side, angle);
        vni_segment route = vni_segment_make(vni_add_scaled(middle, u, -4.0), vni_add_scaled(middle, u, 5.0));
        vni_vec other = vni_add_scaled(middle, normal, height);
        vni_vec a = vni_add_scaled(other, v, -3.0), b = vni_add_scaled(other, v, 6.0);
        vni_nearest found = vni_segment_triangle(&route, a, b, b); // without area: the edge itself
        assert_true(found.distance < height + 5e-14);
        assert_true(found.distance > height - 5e-14);
    }
}

/// Segments through a known place of a triangle, thin ones too; and segments that end at a known height over
/// such a place.
static void through_and_over_triangles(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/segment triangles", 8));
    for (uint32_t round = 0; round < vnt_scale(20000, 1000000); ++round) {
        double width = 1.0;
        for (uint32_t k = vni_rng_below(&rng, 5); k > 0; --k)
            width *= 0.1;

        vni_vec a = random_vec(&rng, 20.0), e = random_vec(&rng, 8.0);
        vni_vec across = unit(vni_cross(e, random_vec(&rng, 1.0)));
        vni_vec f = vni_add_scaled(vni_scale(e, vni_rng_real(&rng)), across, width);
        double u = vni_rng_real(&rng), v = vni_rng_real(&rng) * (1.0 - u);
        vni_vec inside = vni_add_scaled(vni_add_scaled(a, e, u), f, v), normal = unit(vni_cross(e, f));
        vni_vec d = vni_add_scaled(random_vec(&rng, 1.5), normal, 1.5);
        vni_segment through = vni_segment_make(vni_add_scaled(inside, d, -vni_rng_real(&rng)),
                                               vni_add_scaled(inside, d, vni_rng_real(&rng)));
        double tolerance = 2e-14 / width;
        assert_true(vni_segment_triangle(&through, a, vni_add(a, e), vni_add(a, f)).distance < tolerance);
        vni_segment on = vni_segment_make(inside, inside); // however thin, a point on it is on it
        assert_true(vni_segment_triangle(&on, a, vni_add(a, e), vni_add(a, f)).distance < 2e-14);
        double height = vni_rng_real(&rng);
        vni_vec over = vni_add_scaled(inside, normal, height);
        vni_segment above = vni_segment_make(vni_add(over, d), over);
        vni_nearest found = vni_segment_triangle(&above, a, vni_add(a, e), vni_add(a, f));
        assert_true(found.distance < height + tolerance);
        assert_true(found.distance > height - tolerance);
    }
}

/// The distance to a triangle is convex along the segment: a ternary search over distances of points finds
/// the least.
static void triangles_against_slow_search(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/segment slow search", 21));
    for (uint32_t round = 0; round < vnt_scale(5000, 300000); ++round) {
        vni_triangle t = {random_vec(&rng, 6.0), random_vec(&rng, 6.0), random_vec(&rng, 6.0)};
        vni_segment route = vni_segment_make(random_vec(&rng, 10.0), random_vec(&rng, 10.0));
        double low = 0.0, high = 1.0;
        for (int i = 0; i < 60; ++i) {
            double one = low + (high - low) / 3, two = high - (high - low) / 3;
            if (vni_point_triangle_distance2(vni_segment_point(&route, one), &t) <=
                vni_point_triangle_distance2(vni_segment_point(&route, two), &t))
                high = two;
            else
                low = one;
        }

        double least = sqrt(vni_point_triangle_distance2(vni_segment_point(&route, low), &t));
        vni_nearest found = vni_segment_triangle(&route, t.a, t.b, t.c);
        assert_true(fabs(found.distance - least) < 1e-7);
        vni_vec place = vni_segment_point(&route, found.at);
        assert_true(fabs(sqrt(vni_point_triangle_distance2(place, &t)) - found.distance) < 1e-12);
    }
}

/// Distance of a point from a rod, by other formulas than the code's.
static double slow_rod(vni_vec p, vni_vec a, vni_vec b, double radius, bool capsule) {
    const vni_vec d = vni_sub(b, a), from = vni_sub(p, a);
    const double length = vni_length(d), t = length > 0 ? vni_dot(from, d) / length : 0;
    const double over = t < 0 ? -t : t > length ? t - length : 0;
    const double width = length > 0 ? vni_length(vni_cross(from, d)) / length : vni_length(from);
    if (capsule)
        return fmax(0, (length > 0 ? hypot(over, width) : width) - radius);
    return hypot(over, fmax(0, width - radius));
}

/// Ternary search along the segment, as above; and the first place of contact by halving.
static vni_nearest slow_search(const vni_segment* route, vni_vec a, vni_vec b, double radius, bool capsule) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 120; ++i) {
        double one = low + (high - low) / 3, two = high - (high - low) / 3;
        double at_one = slow_rod(vni_segment_point(route, one), a, b, radius, capsule);
        if (at_one <= slow_rod(vni_segment_point(route, two), a, b, radius, capsule))
            high = two;
        else
            low = one;
    }

    vni_nearest found = {slow_rod(vni_segment_point(route, low), a, b, radius, capsule), low};
    double outside = 0.0;
    for (int i = 0; i < 60 && found.distance == 0.0; ++i) {
        double middle = 0.5 * (outside + found.at);
        if (slow_rod(vni_segment_point(route, middle), a, b, radius, capsule) > 0.0)
            outside = middle;
        else
            found.at = middle;
    }

    return found;
}

static void rods_against_slow_search(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/way rods", 23));
    uint32_t met = 0, entered = 0;
    for (uint32_t round = 0; round < vnt_scale(4000, 200000); ++round) {
        vni_vec a = random_vec(&rng, 6.0), b = random_vec(&rng, 6.0);
        vni_segment route = vni_segment_make(random_vec(&rng, 10.0), random_vec(&rng, 10.0));
        if (round % 5 == 0) // along, or square to, the rod
            route = vni_segment_make(route.from,
                                     vni_add(route.from, round % 2 ? vni_sub(b, a) : unit(vni_cross(b, a))));
        const bool capsule = round % 2;
        const double radius = 3 * vni_rng_real(&rng);
        const vni_vec d = vni_sub(b, a);
        const vni_capsule as_capsule = {a, b, radius};
        const vni_cylinder as_cylinder = {vni_scale(vni_add(a, b), 0.5), unit(d), 0.5 * vni_length(d),
                                          radius};

        const vni_nearest slow = slow_search(&route, a, b, radius, capsule);
        const vni_nearest found = capsule ? vni_segment_capsule(&route, &as_capsule, radius)
                                          : vni_segment_cylinder(&route, &as_cylinder);
        assert_true(fabs(found.distance - slow.distance) < 1e-7);
        assert_true(fabs(slow_rod(vni_segment_point(&route, found.at), a, b, radius, capsule) -
                         found.distance) < 1e-12);
        if (found.distance > 0.0)
            continue;

        ++met;
        if (slow.distance == 0.0 && found.at > 1e-6)
            assert_true(found.at < slow.at + 1e-6);
        double at;
        const bool deep = capsule ? vni_segment_capsule(&route, &as_capsule, 0.9 * radius).distance == 0.0
                                  : vni_segment_meets_cylinder(&route, &as_cylinder, -0.1, &at);
        entered += deep;
    }

    assert_true(met > 200);
    assert_true(entered > 100);
}

/// The first place of least distance, in plain cases.
static void boxes(void** state) {
    (void)state;
    vni_vec low = vni_v(1.0, 1.0, 1.0), high = vni_v(2.0, 2.0, 2.0);
    vni_segment along = vni_segment_make(vni_v(0.0, 3.0, 1.5), vni_v(4.0, 3.0, 1.5));
    vni_nearest found = vni_segment_box(&along, low, high);
    assert_true(found.distance == 1.0);
    assert_true(found.at == 0.25);
    vni_segment through = vni_segment_make(vni_v(0.0, 1.5, 1.5), vni_v(4.0, 1.5, 1.5));
    found = vni_segment_box(&through, low, high);
    assert_true(found.distance == 0.0);
    assert_true(found.at == 0.25);
    vni_segment past =
        vni_segment_make(vni_v(4.0, 0.0, 3.0), vni_v(0.0, 4.0, 3.0)); // over the box, across its diagonal
    assert_true(vni_segment_box(&past, low, high).distance == 1.0);
    vni_segment point = vni_segment_make(vni_v(5.0, 6.0, 2.0), vni_v(5.0, 6.0, 2.0));
    assert_true(vni_segment_box(&point, low, high).distance == 5.0);
    double at = -1.0;
    assert_true(vni_segment_meets_box(&through, low, high, &at));
    assert_true(at == 0.25);
    assert_false(vni_segment_meets_box(&along, low, high, &at));
    assert_false(vni_segment_meets_box(&through, high, low, &at));
    assert_true(vni_segment_box_at_least(&along, low, high, 0.5) <= 1.0);
    assert_true(vni_segment_box_at_least(&along, low, high, 0.5) > 0.5);
}

/// Against many samples: never above the least of them, never far below.
static void boxes_against_samples(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/segment boxes", 12));
    for (uint32_t round = 0; round < vnt_scale(1000, 50000); ++round) {
        vni_vec a = random_vec(&rng, 10.0), b = random_vec(&rng, 10.0), p = random_vec(&rng, 6.0),
                q = random_vec(&rng, 6.0);
        if (vni_rng_below(&rng, 3) == 0)
            b.x = a.x;

        vni_vec low = vni_min(p, q), high = vni_max(p, q);
        vni_segment route = vni_segment_make(a, b);
        vni_nearest found = vni_segment_box(&route, low, high);
        double least = (double)INFINITY;
        for (uint32_t k = 0; k <= 1000; ++k) {
            vni_vec x = vni_segment_point(&route, k / 1000.0);
            vni_vec gap = vni_max(vni_max(vni_sub(low, x), vni_sub(x, high)), vni_v(0.0, 0.0, 0.0));
            double d = vni_length(gap);
            least = d < least ? d : least;
        }

        assert_true(found.distance <= least + 1e-13);
        assert_true(found.distance >= least - vni_length(route.along) / 2000.0);
        assert_true(found.at >= 0.0);
        assert_true(found.at <= 1.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_parallel_edges),         cmocka_unit_test(through_and_over_triangles),
        cmocka_unit_test(triangles_against_slow_search), cmocka_unit_test(boxes),
        cmocka_unit_test(rods_against_slow_search),      cmocka_unit_test(boxes_against_samples),
    };
    return cmocka_run_group_tests_name("path/segment", tests, NULL, NULL);
}
