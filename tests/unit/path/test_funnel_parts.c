/// What the funnel is made of, against brute force: the exact test of a path in a corridor, the field of
/// view, the best place to turn.
#include "cmocka_all.h"
#include "corridors.h"
#include "support.h"

#include "path/funnel.h"
#include "path/funnel_inside.h"

#include <stdlib.h>

// ----------------------------------------------------------------------------------- an oracle for corridors

/// A place on a leg, as a fraction.
typedef struct fraction {
    int64_t over, under;
} fraction;

static int compare(const void* a, const void* b) {
    const fraction *f = (const fraction*)a, *g = (const fraction*)b;
    int64_t left = f->over * g->under, right = g->over * f->under;
    return left < right ? -1 : left > right;
}

static bool is_in_portal(const vni_portal* portal, const int64_t a[3], const int64_t b[3], fraction t) {
    for (int k = 0; k < 3; ++k) {
        int64_t at = a[k] * t.under + (b[k] - a[k]) * t.over;
        int in_plane = k == vni_other_axes[portal->axis][1];
        float low = k == portal->axis ? portal->plane : portal->low[in_plane],
              high = k == portal->axis ? portal->plane : portal->high[in_plane];
        if (at < (int64_t)(low * VN_LATTICE) * t.under || at > (int64_t)(high * VN_LATTICE) * t.under)
            return false;
    }

    return true;
}

/// All places of a leg where its being in some portal may change.
static uint32_t find_places(const vnt_corridor* c, const int64_t a[3], const int64_t b[3], fraction* out) {
    uint32_t count = 0;
    out[count++] = (fraction){0, 1};
    out[count++] = (fraction){1, 1};
    for (uint32_t i = 0; i < vnt_portal_count(c); ++i)
        for (int k = 0; k < 3; ++k) {
            const vni_portal* portal = &c->portals[i];
            int in_plane = k == vni_other_axes[portal->axis][1];
            const float ends[2] = {k == portal->axis ? portal->plane : portal->low[in_plane],
                                   k == portal->axis ? portal->plane : portal->high[in_plane]};
            for (int end = 0; end < 2; ++end) {
                fraction t = {(int64_t)(ends[end] * VN_LATTICE) - a[k], b[k] - a[k]};
                if (t.under < 0)
                    t = (fraction){-t.over, -t.under};
                if (t.under > 0 && t.over >= 0 && t.over <= t.under)
                    out[count++] = t;
            }
        }

    qsort(out, count, sizeof *out, compare);
    return count;
}

/// By all ways to assign portals to places of the polyline: crossed[n] is true where n portals may have been
/// crossed so far.
static bool is_in_corridor_slowly(const vnt_corridor* c, const vn_point* points, uint32_t point_count) {
    static fraction places[6 * VNT_MAX_BOXES + 2];
    bool crossed[VNT_MAX_BOXES + 1] = {true};
    uint32_t n = vnt_portal_count(c);
    for (uint32_t leg = 0; leg + 1 < point_count; ++leg) {
        const int64_t a[3] = {points[leg].x, points[leg].y, points[leg].z},
                      b[3] = {points[leg + 1].x, points[leg + 1].y, points[leg + 1].z};
        uint32_t place_count = find_places(c, a, b, places);
        for (uint32_t i = 0; i < place_count; ++i)
            for (uint32_t k = 0; k < n; ++k)
                if (crossed[k] && is_in_portal(&c->portals[k], a, b, places[i]))
                    crossed[k + 1] = true;

        if (leg + 2 == point_count)
            break;
        crossed[0] = false; // an inner vertex lies in the portal that was crossed last
        for (uint32_t k = 0; k < n; ++k)
            if (!is_in_portal(&c->portals[k], a, b, (fraction){1, 1}))
                crossed[k + 1] = false;
    }

    return crossed[n];
}

/// Vertices in some of the portals, in order; now and then one is left out that is needed, or moved.
static uint32_t random_polyline(vni_rng* rng, const vnt_corridor* c, vn_point* out) {
    uint32_t count = 0, skip = vni_rng_below(rng, 3);
    out[count++] = c->start;
    for (uint32_t i = 0; i < vnt_portal_count(c); ++i)
        if (vni_rng_below(rng, 4) >= skip)
            out[count++] = vnt_point_in_portal(rng, &c->portals[i]);

    out[count++] = c->goal;
    if (vni_rng_below(rng, 8) == 0)
        out[vni_rng_below(rng, count)].y += 512;

    if (vni_rng_below(rng, 8) == 0 && count > 3)
        out[1] = out[2];

    if (vni_rng_below(rng, 3) == 0 && c->box_count > 1) { // all in one plane, so that legs slide over portals
        const vni_portal* portal = &c->portals[vni_rng_below(rng, vnt_portal_count(c))];
        for (uint32_t i = 0; i < count; ++i)
            (&out[i].x)[portal->axis] = (int32_t)portal->plane * VN_LATTICE;
    }

    return count;
}

static void test_in_corridor(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("in corridor", 601));
    static vnt_corridor c;
    vn_point points[VNT_MAX_BOXES + 1];

    uint32_t inside = 0, outside = 0;
    for (uint32_t i = 0; i < vnt_scale(6000, 300000); ++i) {
        vnt_winding w = {.boxes = 2 + vni_rng_below(&rng, 7), .most = vni_rng_range(&rng, 1, 3), .extent = 8};
        w.turn_of_4 = vni_rng_below(&rng, 5);
        w.back_of_16 = vni_rng_below(&rng, 5);
        vnt_corridor_random(&c, &rng, &w);
        uint32_t count = random_polyline(&rng, &c, points);
        bool expected = is_in_corridor_slowly(&c, points, count);
        assert_int_equal(vni_is_in_corridor(c.portals, vnt_portal_count(&c), points, count), expected);
        inside += expected;
        outside += !expected;
    }

    assert_true(inside > 500);
    assert_true(outside > 500);
    assert_false(vni_is_in_corridor(c.portals, 0, points, 0));
    assert_true(vni_is_in_corridor(c.portals, 0, points, 1));
    const vni_portal portal = {0, 2, {0, 0}, {4, 4}};
    const vn_point in = {2048, 4096, 0}, out = {2048, 4097, 0};
    assert_true(vni_is_in_corridor(&portal, 1, &in, 1));
    assert_false(vni_is_in_corridor(&portal, 1, &out, 1));
}

/// Legs in the plane of portals: what has been crossed stays crossed, and what a vertex can stand for counts.
static void test_sliding(void** state) {
    (void)state;
    const vni_portal back[3] = {{1, 2, {3, 0}, {4, 2}}, {1, 2, {0, 0}, {10, 2}}, {0, 2, {0, 0}, {2, 2}}};
    const vn_point along[2] = {{0, 2048, 1024}, {10240, 2048, 1024}};
    assert_true(vni_is_in_corridor(back, 2, along, 2));
    assert_true(vni_is_in_corridor(back + 1, 2, along, 2));
    assert_false(vni_is_in_corridor(back, 3, along, 2)); // x = 2 comes before x = 3
    const vni_portal loop[4] = {
        {0, 4, {0, 0}, {10, 2}}, {1, 5, {2, 0}, {4, 2}}, {0, 4, {0, 0}, {10, 2}}, {1, 3, {2, 0}, {4, 2}}};
    const vn_point there[3] = {{4096, 8192, 1024}, {4096, 2048, 1024}, {4096, 8192, 1024}};
    assert_true(vni_is_in_corridor(loop, 4, there, 3)); // the vertex stands for portal 0 or 2
    assert_false(vni_is_in_corridor(loop + 1, 3, there + 1, 2));
}

/// The largest coordinates: products of differences of 2^31 steps must not overflow.
static void test_far_corners(void** state) {
    (void)state;
    const float far = 1 << 20; // voxels
    const vni_portal portal = {0, 0, {-far, -far}, {far, far}};
    vn_point ends[2] = {{-(1 << 30), -(1 << 30), -(1 << 30)}, {1 << 30, 1 << 30, 1 << 30}};
    assert_true(vni_is_in_corridor(&portal, 1, ends, 2));
    const vni_portal half = {0, 0, {-far, 0}, {far, far}}, above = {0, 0, {-far, 1}, {far, far}};
    assert_true(vni_is_in_corridor(&half, 1, ends, 2)); // through the rim
    assert_false(vni_is_in_corridor(&above, 1, ends, 2));
    --ends[1].z;
    assert_false(vni_is_in_corridor(&half, 1, ends, 2));
}

// ------------------------------------------------------------------------------------------------- the parts

static vni_lattice_portal random_portal(vni_rng* rng, int32_t reach) {
    vni_lattice_portal portal = {vni_rng_range(rng, 0, 2), vni_rng_range(rng, -reach, reach), {0, 0}, {0, 0}};
    for (int i = 0; i < 2; ++i) {
        portal.low[i] = vni_rng_range(rng, -reach, reach);
        portal.high[i] = portal.low[i] + vni_rng_range(rng, 0, reach);
    }
    return portal;
}

/// Is the ray from the origin along d, or any of it, in the portal? Exact.
static bool sees(const vni_lattice_portal* portal, const int32_t d[3]) {
    int64_t h = portal->plane, along = d[portal->axis];
    if (along == 0 || (h > 0) != (along > 0) || h == 0)
        return false;

    for (int i = 0; i < 2; ++i) {
        int64_t side = (int64_t)d[vni_other_axes[portal->axis][i]] * h, sign = along > 0 ? 1 : -1;
        if (side * sign < portal->low[i] * along * sign || side * sign > portal->high[i] * along * sign)
            return false;
    }

    return true;
}

/// By how much a direction is inside the cone: the least of its heights over the side planes, seen from the
/// middle of the corners; below 0 outside; 0 if the cone is flat or a ray.
static double depth(const vni_cone* view, vni_vec d) {
    vni_vec middle = {0, 0, 0};
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < view->count; ++i)
        middle = vni_add(middle, vni_scale(view->corners[i], 1 / vni_length(view->corners[i])));

    for (uint32_t i = 0; i < view->count; ++i) {
        vni_vec a = view->corners[i], b = view->corners[i + 1 < view->count ? i + 1 : 0],
                normal = vni_cross(a, b);
        double length = vni_length(normal), side = vni_dot(normal, middle) / length;
        if (length < 1e-8 * vni_length(a) * vni_length(b)) // the same corner twice
            continue;
        if (vni_abs(side) < 1e-6)
            return 0;

        least = fmin(least, (side > 0 ? 1 : -1) * vni_dot(normal, d) / length);
    }

    return least < HUGE_VAL ? least / vni_length(d) : 0;
}

/// A direction is in the clipped cone exactly if its ray goes through all portals.
static void test_view(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view", 602));
    const vn_point origin = {0, 0, 0};
    uint32_t seen = 0, lost = 0;
    for (uint32_t round = 0; round < vnt_scale(4000, 200000); ++round) {
        vni_lattice_portal portals[8];
        vni_cone view = {.count = 0};
        uint32_t count = 0;
        for (uint32_t i = 0; i < 8; ++i) {
            vni_lattice_portal portal = random_portal(&rng, 40);
            if (portal.plane == 0 || portal.low[0] == portal.high[0] || portal.low[1] == portal.high[1])
                continue;
            if (count == 0)
                view = vni_cone_through(origin, &portal);
            else if (!vni_cone_narrow(&view, origin, &portal))
                continue;

            portals[count++] = portal;
        }

        assert_true(view.count <= 6);
        for (uint32_t k = 0; k < 30 && view.count > 2; ++k) {
            const int32_t d[3] = {vni_rng_range(&rng, -40, 40), vni_rng_range(&rng, -40, 40),
                                  vni_rng_range(&rng, -40, 40)};
            bool all = true;
            for (uint32_t i = 0; i < count; ++i)
                all = all && sees(&portals[i], d);

            double inside = depth(&view, vni_v(d[0], d[1], d[2]));
            assert_false(inside > 1e-6 && !all);
            assert_false(inside < -1e-6 && all);
            seen += inside > 1e-6;
            lost += inside < -1e-6;
        }
    }

    assert_true(seen > 300);
    assert_true(lost > 3000);
}

/// Gates whose corners lie on one ray, on opposite sides of it: the ray is all that is left, and is not lost.
static void test_view_of_a_ray(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view of a ray", 608));
    const vn_point origin = {0, 0, 0};
    for (uint32_t round = 0; round < vnt_scale(5000, 200000); ++round) {
        int32_t d[3];
        for (int k = 0; k < 3; ++k)
            d[k] = vni_rng_range(&rng, 1, 1000) * (vni_rng_below(&rng, 2) ? 1 : -1);

        vni_cone view = {.count = 0};
        for (int32_t i = 1; i < 8; ++i) {
            vni_lattice_portal portal = {vni_rng_range(&rng, 0, 2), 0, {0, 0}, {0, 0}};
            portal.plane = d[portal.axis] * i;
            for (int k = 0; k < 2; ++k) {
                int32_t at = d[vni_other_axes[portal.axis][k]] * i;
                bool is_low = vni_rng_below(&rng, 2) != 0;
                portal.low[k] = is_low ? at : at - vni_rng_range(&rng, 0, 5000);
                portal.high[k] = is_low ? at + vni_rng_range(&rng, 0, 5000) : at;
            }

            if (i == 1)
                view = vni_cone_through(origin, &portal);
            else
                assert_true(vni_cone_narrow(&view, origin, &portal));
        }
    }
}

/// Does the ray from the origin along (a, b) meet the portal, which lies in its plane? Numbers so small that
/// equal fractions are equal in double.
static bool meets_edge_on(const vni_lattice_portal* portal, int32_t a, int32_t b) {
    const int32_t d[2] = {a, b};
    double from = 0, to = HUGE_VAL;
    for (int i = 0; i < 2; ++i) {
        if (d[i] == 0 && (portal->low[i] > 0 || portal->high[i] < 0))
            return false;
        if (d[i] == 0)
            continue;

        double low = (double)portal->low[i] / d[i], high = (double)portal->high[i] / d[i];
        from = fmax(from, fmin(low, high));
        to = fmin(to, fmax(low, high));
    }

    return from <= to && (a != 0 || b != 0);
}

/// How far a direction in the plane lies inside the sector of a view: the lesser of the sines of the angles
/// to its two sides, below 0 outside.
static double depth_in_sector(const vni_cone* view, int axis, double a, double b) {
    const vni_vec *corners = view->corners, *first = corners, *last = corners;
    vni_vec d = {0, 0, 0}, up = {0, 0, 0};
    double widest = 0;
    vni_v_set(&d, vni_other_axes[axis][0], a / sqrt(a * a + b * b));
    vni_v_set(&d, vni_other_axes[axis][1], b / sqrt(a * a + b * b));

    vni_v_set(&up, axis, 1);
    for (uint32_t i = 0; i < view->count * view->count; ++i) {
        const vni_vec *right = &corners[i % view->count], *left = &corners[i / view->count];
        double width = vni_dot(up, vni_cross(*right, *left)) / vni_length(*right) / vni_length(*left);
        if (width > widest) {
            widest = width;
            first = right;
            last = left;
        }
    }

    if (widest < 1e-9) // a ray
        return vni_dot(d, *first) > 0 ? -vni_length(vni_cross(d, *first)) / vni_length(*first) : -1;
    return fmin(vni_dot(up, vni_cross(*first, d)) / vni_length(*first),
                vni_dot(up, vni_cross(d, *last)) / vni_length(*last));
}

/// Views through up to four portals in one plane with the anchor; `portals` gets those that left something.
static uint32_t random_sector(vni_rng* rng, int axis, vni_cone* view, vni_lattice_portal* portals) {
    const vn_point origin = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        vni_lattice_portal portal = random_portal(rng, 40);
        portal.axis = axis;
        portal.plane = 0;
        if (vni_lattice_portal_holds(&portal, origin)) {
            assert_false(count > 0 && vni_cone_narrow(view, origin, &portal));
            continue;
        }

        if (count == 0)
            *view = vni_cone_through(origin, &portal);
        else if (!vni_cone_narrow(view, origin, &portal))
            continue;

        portals[count++] = portal;
    }

    return count;
}

/// Seen edge-on, the view is a sector of the plane, and what it shows of the last portal is the part in it.
static void test_view_edge_on(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view edge-on", 609));
    const vn_point origin = {0, 0, 0};
    uint32_t seen = 0, lost = 0;
    for (uint32_t round = 0; round < vnt_scale(5000, 200000); ++round) {
        vni_lattice_portal portals[4];
        vni_cone view;
        int axis = (int)vni_rng_below(&rng, 3);
        uint32_t count = random_sector(&rng, axis, &view, portals);
        for (uint32_t k = 0; k < 20 && count > 0; ++k) {
            int32_t a = vni_rng_range(&rng, -40, 40), b = vni_rng_range(&rng, -40, 40);
            bool all = true;
            for (uint32_t i = 0; i < count; ++i)
                all = all && meets_edge_on(&portals[i], a, b);

            double inside = depth_in_sector(&view, axis, a, b);
            assert_false((inside > 1e-6 && !all));
            assert_false((inside < -1e-6 && all));
            seen += inside > 1e-6;
            lost += inside < -1e-6;
        }

        const vni_cone part = count > 0 ? vni_cone_on(&view, origin, &portals[count - 1]) : view;
        for (uint32_t i = 0; i < part.count && count > 0; ++i)
            assert_true(depth_in_sector(&view, axis, vni_v_get(part.corners[i], vni_other_axes[axis][0]),
                                        vni_v_get(part.corners[i], vni_other_axes[axis][1])) > -1e-6);
    }

    assert_true(seen > 300);
    assert_true(lost > 3000);
}

/// A view that has as many corners as it can hold, and would get one more, counts as lost, and stays.
static void test_full_view(void** state) {
    (void)state;
    static const double halves[12][2] = {{40, 0},  {35, 20},   {20, 35},   {0, 40},  {-20, 35}, {-35, 20},
                                         {-40, 0}, {-35, -20}, {-20, -35}, {0, -40}, {20, -35}, {35, -20}};
    const vn_point origin = {0, 0, 0};
    const vni_lattice_portal wide = {2, 40, {-99, -99}, {99, 99}}, narrow = {2, 40, {-99, -99}, {38, 99}},
                             narrower = {2, 40, {-99, -99}, {0, 99}};

    vni_cone view = {.count = VNI_CONE_CORNERS};
    for (uint32_t i = 0; i < VNI_CONE_CORNERS; ++i)
        view.corners[i] = vni_v(halves[i][0], halves[i][1], 40);

    assert_true(vni_cone_narrow(&view, origin, &wide));
    assert_int_equal(view.count, VNI_CONE_CORNERS);
    assert_false(vni_cone_narrow(&view, origin, &narrow));
    assert_int_equal(view.count, VNI_CONE_CORNERS);
    assert_true(vni_cone_narrow(&view, origin, &narrower));
    assert_true(view.count < VNI_CONE_CORNERS);
}

static double length_over(vni_vec x, const vni_turn_box* box) {
    vni_vec near = vni_max(vni_min(x, box->high), box->low);
    return vni_length(x) + vni_length(vni_sub(x, near));
}

/// The best turn against all points of a fine grid in the rectangle, and in the triangle that is half of it.
static void test_best_turn(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("best turn", 603));
    for (uint32_t round = 0; round < vnt_scale(3000, 100000); ++round) {
        vni_lattice_portal on = random_portal(&rng, 3000), next = random_portal(&rng, 3000);
        if (vni_lattice_portal_holds(&on, (vn_point){0, 0, 0}))
            continue;

        bool is_half = vni_rng_below(&rng, 2) != 0;
        int a = vni_other_axes[on.axis][0], b = vni_other_axes[on.axis][1];
        vni_cone polygon = {.count = is_half ? 3 : 4};
        for (uint32_t i = 0; i < 4; ++i) {
            vni_v_set(&polygon.corners[i], on.axis, on.plane);
            vni_v_set(&polygon.corners[i], a, i == 1 || i == 2 ? on.high[0] : on.low[0]);
            vni_v_set(&polygon.corners[i], b, i >= 2 ? on.high[1] : on.low[1]);
        }

        vni_turn_box box;
        vni_v_set(&box.low, next.axis, next.plane);
        vni_v_set(&box.high, next.axis, next.plane);
        for (int i = 0; i < 2; ++i) {
            vni_v_set(&box.low, vni_other_axes[next.axis][i], next.low[i]);
            vni_v_set(&box.high, vni_other_axes[next.axis][i], next.high[i]);
        }

        vni_v_set(&box.high, on.axis, vni_v_get(box.low, on.axis)); // on one side of the plane
        double best = length_over(vni_best_turn(&polygon, on.axis, &box), &box), least = HUGE_VAL;
        for (int i = 0; i <= 24; ++i)
            for (int k = 0; k <= (is_half ? i : 24); ++k) {
                vni_vec x = polygon.corners[0];
                vni_v_set(&x, a, on.low[0] + (on.high[0] - on.low[0]) * i / 24.0);
                vni_v_set(&x, b, on.low[1] + (on.high[1] - on.low[1]) * k / 24.0);
                least = fmin(least, length_over(x, &box));
            }

        assert_true(best <= least + 0.25); // two paths from a point that may be off by an eighth
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_corridor),  cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_far_corners),  cmocka_unit_test(test_view_of_a_ray),
        cmocka_unit_test(test_view_edge_on), cmocka_unit_test(test_view),
        cmocka_unit_test(test_full_view),    cmocka_unit_test(test_best_turn),
    };

    return cmocka_run_group_tests_name("path/funnel_parts", tests, NULL, NULL);
}
