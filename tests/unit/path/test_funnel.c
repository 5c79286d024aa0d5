/// The funnel: its parts against brute force, hand-made corridors with known ways, and random ones: always
/// inside, never longer than what it was given, never shorter than what can be proven, free by the checker.
#include "cmocka_all.h"
#include "corridors.h"
#include "support.h"
#include "voxels.h"

#include "path/funnel.h"
#include "path/funnel_parts.h"
#include "path/refine.h"
#include "space/sight.h"
#include "space/space.h"
#include "volnav/path.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

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

static vn_point random_point_in_portal(vni_rng* rng, const vni_portal* portal) {
    static const int32_t steps[4] = {1, 256, 512, 1024};
    int32_t step = steps[vni_rng_below(rng, 4)], at[3];
    at[portal->axis] = (int32_t)portal->plane * VN_LATTICE;
    for (int i = 0; i < 2; ++i)
        at[vni_other_axes[portal->axis][i]] = vni_rng_range(rng, (int32_t)portal->low[i] * VN_LATTICE / step,
                                                            (int32_t)portal->high[i] * VN_LATTICE / step) *
                                              step;
    vn_point p = {at[0], at[1], at[2]};
    return p;
}

/// Vertices in some of the portals, in order; now and then one is left out that is needed, or moved.
static uint32_t random_polyline(vni_rng* rng, const vnt_corridor* c, vn_point* out) {
    uint32_t count = 0, skip = vni_rng_below(rng, 3);
    out[count++] = c->start;
    for (uint32_t i = 0; i < vnt_portal_count(c); ++i)
        if (vni_rng_below(rng, 4) >= skip)
            out[count++] = random_point_in_portal(rng, &c->portals[i]);
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
    assert_true(inside > 500 && outside > 500);
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

static vni_gate random_gate(vni_rng* rng, int32_t reach) {
    vni_gate gate = {vni_rng_range(rng, 0, 2), vni_rng_range(rng, -reach, reach), {0, 0}, {0, 0}};
    for (int i = 0; i < 2; ++i) {
        gate.low[i] = vni_rng_range(rng, -reach, reach);
        gate.high[i] = gate.low[i] + vni_rng_range(rng, 0, reach);
    }
    return gate;
}

/// Is the ray from the origin along d, or any of it, in the gate? Exact.
static bool sees(const vni_gate* gate, const int32_t d[3]) {
    int64_t h = gate->plane, along = d[gate->axis];
    if (along == 0 || (h > 0) != (along > 0) || h == 0)
        return false;
    for (int i = 0; i < 2; ++i) {
        int64_t side = (int64_t)d[vni_other_axes[gate->axis][i]] * h, sign = along > 0 ? 1 : -1;
        if (side * sign < gate->low[i] * along * sign || side * sign > gate->high[i] * along * sign)
            return false;
    }
    return true;
}

/// By how much a direction is inside the cone: the least of its heights over the side planes, seen from the
/// middle of the corners; below 0 outside; 0 if the cone is flat or a ray.
static double depth(const vni_view* view, vni_vec d) {
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

/// A direction is in the clipped cone exactly if its ray goes through all gates.
static void test_view(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view", 602));
    const vn_point origin = {0, 0, 0};
    uint32_t seen = 0, lost = 0;
    for (uint32_t round = 0; round < vnt_scale(4000, 200000); ++round) {
        vni_gate gates[8];
        vni_view view = {.count = 0};
        uint32_t count = 0;
        for (uint32_t i = 0; i < 8; ++i) {
            vni_gate gate = random_gate(&rng, 40);
            if (gate.plane == 0 || gate.low[0] == gate.high[0] || gate.low[1] == gate.high[1])
                continue;
            if (count == 0)
                view = vni_view_through(origin, &gate);
            else if (!vni_view_narrow(&view, origin, &gate))
                continue;
            gates[count++] = gate;
        }
        assert_true(view.count <= 6);
        for (uint32_t k = 0; k < 30 && view.count > 2; ++k) {
            const int32_t d[3] = {vni_rng_range(&rng, -40, 40), vni_rng_range(&rng, -40, 40),
                                  vni_rng_range(&rng, -40, 40)};
            bool all = true;
            for (uint32_t i = 0; i < count; ++i)
                all = all && sees(&gates[i], d);
            double inside = depth(&view, vni_v(d[0], d[1], d[2]));
            assert_false(inside > 1e-6 && !all);
            assert_false(inside < -1e-6 && all);
            seen += inside > 1e-6;
            lost += inside < -1e-6;
        }
    }
    assert_true(seen > 300 && lost > 3000);
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
        vni_view view = {.count = 0};
        for (int32_t i = 1; i < 8; ++i) {
            vni_gate gate = {vni_rng_range(&rng, 0, 2), 0, {0, 0}, {0, 0}};
            gate.plane = d[gate.axis] * i;
            for (int k = 0; k < 2; ++k) {
                int32_t at = d[vni_other_axes[gate.axis][k]] * i;
                bool is_low = vni_rng_below(&rng, 2) != 0;
                gate.low[k] = is_low ? at : at - vni_rng_range(&rng, 0, 5000);
                gate.high[k] = is_low ? at + vni_rng_range(&rng, 0, 5000) : at;
            }
            if (i == 1)
                view = vni_view_through(origin, &gate);
            else
                assert_true(vni_view_narrow(&view, origin, &gate));
        }
    }
}

/// Does the ray from the origin along (a, b) meet the gate, which lies in its plane? Numbers so small that
/// equal fractions are equal in double.
static bool meets_edge_on(const vni_gate* gate, int32_t a, int32_t b) {
    const int32_t d[2] = {a, b};
    double from = 0, to = HUGE_VAL;
    for (int i = 0; i < 2; ++i) {
        if (d[i] == 0 && (gate->low[i] > 0 || gate->high[i] < 0))
            return false;
        if (d[i] == 0)
            continue;
        double low = (double)gate->low[i] / d[i], high = (double)gate->high[i] / d[i];
        from = fmax(from, fmin(low, high));
        to = fmin(to, fmax(low, high));
    }
    return from <= to && (a != 0 || b != 0);
}

/// How far a direction in the plane lies inside the sector of a view: the lesser of the sines of the angles
/// to its two sides, below 0 outside.
static double depth_in_sector(const vni_view* view, int axis, double a, double b) {
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

/// Views through up to four gates in one plane with the anchor; `gates` gets those that left something.
static uint32_t random_sector(vni_rng* rng, int axis, vni_view* view, vni_gate* gates) {
    const vn_point origin = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        vni_gate gate = random_gate(rng, 40);
        gate.axis = axis;
        gate.plane = 0;
        if (vni_gate_holds(&gate, origin)) {
            assert_false(count > 0 && vni_view_narrow(view, origin, &gate));
            continue;
        }
        if (count == 0)
            *view = vni_view_through(origin, &gate);
        else if (!vni_view_narrow(view, origin, &gate))
            continue;
        gates[count++] = gate;
    }
    return count;
}

/// Seen edge-on, the view is a sector of the plane, and what it shows of the last gate is the part in it.
static void test_view_edge_on(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view edge-on", 609));
    const vn_point origin = {0, 0, 0};
    uint32_t seen = 0, lost = 0;
    for (uint32_t round = 0; round < vnt_scale(5000, 200000); ++round) {
        vni_gate gates[4];
        vni_view view;
        int axis = (int)vni_rng_below(&rng, 3);
        uint32_t count = random_sector(&rng, axis, &view, gates);
        for (uint32_t k = 0; k < 20 && count > 0; ++k) {
            int32_t a = vni_rng_range(&rng, -40, 40), b = vni_rng_range(&rng, -40, 40);
            bool all = true;
            for (uint32_t i = 0; i < count; ++i)
                all = all && meets_edge_on(&gates[i], a, b);
            double inside = depth_in_sector(&view, axis, a, b);
            assert_false((inside > 1e-6 && !all) || (inside < -1e-6 && all));
            seen += inside > 1e-6;
            lost += inside < -1e-6;
        }
        const vni_view part = count > 0 ? vni_view_on(&view, origin, &gates[count - 1]) : view;
        for (uint32_t i = 0; i < part.count && count > 0; ++i)
            assert_true(depth_in_sector(&view, axis, vni_v_get(part.corners[i], vni_other_axes[axis][0]),
                                        vni_v_get(part.corners[i], vni_other_axes[axis][1])) > -1e-6);
    }
    assert_true(seen > 300 && lost > 3000);
}

/// A view that has as many corners as there is room for, and would get one more, counts as lost, and stays.
static void test_full_view(void** state) {
    (void)state;
    static const double halves[12][2] = {{40, 0},  {35, 20},   {20, 35},   {0, 40},  {-20, 35}, {-35, 20},
                                         {-40, 0}, {-35, -20}, {-20, -35}, {0, -40}, {20, -35}, {35, -20}};
    const vn_point origin = {0, 0, 0};
    const vni_gate wide = {2, 40, {-99, -99}, {99, 99}}, narrow = {2, 40, {-99, -99}, {38, 99}},
                   narrower = {2, 40, {-99, -99}, {0, 99}};
    vni_view view = {.count = VNI_VIEW_CORNERS};
    for (uint32_t i = 0; i < VNI_VIEW_CORNERS; ++i)
        view.corners[i] = vni_v(halves[i][0], halves[i][1], 40);
    assert_true(vni_view_narrow(&view, origin, &wide));
    assert_int_equal(view.count, VNI_VIEW_CORNERS);
    assert_false(vni_view_narrow(&view, origin, &narrow));
    assert_int_equal(view.count, VNI_VIEW_CORNERS);
    assert_true(vni_view_narrow(&view, origin, &narrower));
    assert_true(view.count < VNI_VIEW_CORNERS);
}

static double way_over(vni_vec x, const vni_turn_box* box) {
    vni_vec near = vni_max(vni_min(x, box->high), box->low);
    return vni_length(x) + vni_length(vni_sub(x, near));
}

/// The best turn against all points of a fine grid in the rectangle, and in the triangle that is half of it.
static void test_best_turn(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("best turn", 603));
    for (uint32_t round = 0; round < vnt_scale(3000, 100000); ++round) {
        vni_gate on = random_gate(&rng, 3000), next = random_gate(&rng, 3000);
        if (vni_gate_holds(&on, (vn_point){0, 0, 0}))
            continue;
        bool is_half = vni_rng_below(&rng, 2) != 0;
        int a = vni_other_axes[on.axis][0], b = vni_other_axes[on.axis][1];
        vni_view polygon = {.count = is_half ? 3 : 4};
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
        double best = way_over(vni_best_turn(&polygon, on.axis, &box), &box), least = HUGE_VAL;
        for (int i = 0; i <= 24; ++i)
            for (int k = 0; k <= (is_half ? i : 24); ++k) {
                vni_vec x = polygon.corners[0];
                vni_v_set(&x, a, on.low[0] + (on.high[0] - on.low[0]) * i / 24.0);
                vni_v_set(&x, b, on.low[1] + (on.high[1] - on.low[1]) * k / 24.0);
                least = fmin(least, way_over(x, &box));
            }
        assert_true(best <= least + 0.25); // two ways from a point that may be off by an eighth
    }
}

// ------------------------------------------------------------------------------------------- known corridors

typedef struct known {
    const char* name;
    uint32_t box_count;
    int32_t boxes[8][6]; ///< low, high
    vn_point start, goal;
    uint32_t anchor_count;
    vn_point anchors[6];
} known;

#define HALF (VN_LATTICE / 2)
#define AT(x, y, z)                                                                                          \
    { (int32_t)((x)*VN_LATTICE), (int32_t)((y)*VN_LATTICE), (int32_t)((z)*VN_LATTICE) }
#define STEP (1.0 / VN_LATTICE)

static const known knowns[] = {
    {"one box", 1, {{0, 0, 0, 4, 4, 4}}, AT(1, 1, 1), AT(3, 0, 2), 0, {{0}}},
    {"straight",
     3,
     {{0, 0, 0, 4, 4, 4}, {4, 0, 0, 5, 4, 4}, {5, 0, 0, 9, 4, 4}},
     AT(1, 1, 1),
     AT(8, 3, 2),
     0,
     {{0}}},
    {"straight along the rims",
     3,
     {{0, 0, 0, 4, 4, 4}, {4, 0, 0, 5, 4, 4}, {5, 0, 0, 9, 4, 4}},
     AT(0, 0, 0),
     AT(9, 0, 0),
     0,
     {{0}}},
    {"L", 2, {{0, 0, 0, 4, 2, 2}, {2, 2, 0, 4, 6, 2}}, AT(0.5, 1, 1), AT(3, 5, 1), 1, {AT(2 + STEP, 2, 1)}},
    {"U, the two portals in one plane",
     3,
     {{0, 0, 0, 2, 6, 1}, {0, 6, 0, 6, 7, 1}, {4, 0, 0, 6, 6, 1}},
     AT(1, 1, 0.5),
     AT(5, 1, 0.5),
     2,
     {AT(2 - STEP, 6, 0.5), AT(4 + STEP, 6, 0.5)}},
    {"start in the first portal",
     3,
     {{0, 0, 0, 4, 4, 4}, {4, 0, 0, 5, 4, 4}, {5, 0, 0, 9, 4, 4}},
     AT(4, 1, 1),
     AT(8, 3, 2),
     0,
     {{0}}},
    {"start on the rim of two portals",
     3,
     {{0, 0, 0, 4, 4, 4}, {4, 0, 0, 8, 4, 4}, {4, 4, 0, 8, 8, 4}},
     AT(4, 4, 1),
     AT(6, 7, 1),
     0,
     {{0}}},
    {"start in the plane of the portal, beside it",
     2,
     {{0, 0, 0, 4, 6, 1}, {1, 6, 0, 2, 8, 1}},
     AT(0.5, 6, 0.5),
     AT(1.5, 7.5, 0.5),
     1,
     {AT(1 + STEP, 6, 0.5)}},
    {"both ends in the portal's plane",
     2,
     {{0, 0, 0, 4, 6, 1}, {1, 6, 0, 2, 8, 1}},
     AT(0.5, 6, 0.5),
     AT(1.5, 6, 0.5),
     0,
     {{0}}},
    {"a row of portals in one plane, along it",
     5,
     {{0, 2, 0, 1, 4, 1}, {0, 0, 0, 2, 2, 1}, {1, 2, 0, 3, 4, 1}, {2, 0, 0, 4, 2, 1}, {3, 2, 0, 5, 4, 1}},
     AT(0.5, 2, 0.5),
     AT(3.5, 2, 0.5),
     0,
     {{0}}},
    {"there and back through one portal",
     3,
     {{0, 0, 0, 4, 4, 2}, {4, 0, 0, 6, 4, 2}, {0, 0, 0, 4, 4, 2}},
     AT(1, 1, 1),
     AT(1, 3, 1),
     1,
     {AT(4, 2, 1)}},
    {"there and back, not evenly",
     3,
     {{0, 0, 0, 4, 4, 2}, {4, 0, 0, 6, 4, 2}, {0, 0, 0, 4, 4, 2}},
     AT(2, 0.5, 1),
     AT(3, 3.5, 1),
     1,
     {AT(4, 2.5, 1)}},
    {"goal in the last portal",
     2,
     {{0, 0, 0, 4, 4, 4}, {4, 0, 0, 5, 4, 4}},
     AT(1, 1, 1),
     AT(4, 2, 2),
     0,
     {{0}}},
    {"goal in the plane of a portal that is not in sight",
     3,
     {{0, 0, 0, 2, 2, 1}, {2, 0, 0, 4, 2, 1}, {3, 2, 0, 4, 4, 1}},
     AT(1, 1.5, 0.5),
     AT(3.5, 2, 0.5),
     0,
     {{0}}},
    {"through three edges of a stair",
     6,
     {{0, 0, 0, 1, 1, 1},
      {1, 0, 0, 2, 1, 1},
      {1, 1, 0, 2, 2, 1},
      {1, 2, 0, 2, 3, 1},
      {2, 2, 0, 3, 3, 1},
      {3, 2, 0, 4, 3, 1}},
     AT(0, 0, 0.5),
     AT(3, 3, 0.5),
     0,
     {{0}}},
    {"nowhere to go", 1, {{0, 0, 0, 4, 4, 4}}, AT(1, 1, 1), AT(1, 1, 1), 0, {{0}}},
};

static void load(const known* k, vnt_corridor* c) {
    c->box_count = 0;
    for (uint32_t i = 0; i < k->box_count; ++i)
        vnt_corridor_add(c, k->boxes[i], k->boxes[i] + 3);
    c->start = k->start;
    c->goal = k->goal;
}

static void test_known(void** state) {
    (void)state;
    static vnt_corridor c;
    vn_point points[10];
    for (size_t i = 0; i < sizeof knowns / sizeof *knowns; ++i) {
        const known* k = &knowns[i];
        load(k, &c);
        uint32_t count = vni_funnel(c.portals, vnt_portal_count(&c), c.start, c.goal, points, 10);
        uint32_t ends = is_same(c.start, c.goal) ? 1 : 2;
        bool right = count == k->anchor_count + ends && is_same(points[0], c.start) &&
                     is_same(points[count - 1], c.goal);
        for (uint32_t p = 0; right && p < k->anchor_count; ++p)
            right = is_same(points[p + 1], k->anchors[p]);
        if (!right)
            for (uint32_t p = 0; p < count; ++p)
                print_message("%g %g %g\n", points[p].x / 1024.0, points[p].y / 1024.0, points[p].z / 1024.0);
        if (!right)
            fail_msg("%s: %u points", k->name, count);
    }
}

/// Portals that limits have made flat, or single points: the view is a triangle or a ray.
static void test_flat_portals(void** state) {
    (void)state;
    vn_point points[10];
    const vni_portal flat[3] = {{0, 2, {0, 1}, {4, 1}}, {0, 4, {0, 1}, {4, 1}}, {0, 6, {0, 1}, {4, 1}}};
    const vn_point a = AT(1, 1, 1), b = AT(7, 3, 1), c = AT(1, 1, 0.5), d = AT(7, 1, 1.5);
    assert_int_equal(vni_funnel(flat, 3, a, b, points, 5), 2);
    uint32_t count = vni_funnel(flat, 3, c, d, points, 5);
    assert_true(count >= 3 && vni_is_in_corridor(flat, 3, points, count));
    assert_true(points[1].z == VN_LATTICE && points[1].y == VN_LATTICE);
    const vni_portal dots[3] = {{0, 2, {1, 1}, {1, 1}}, {0, 4, {2, 1}, {2, 1}}, {0, 6, {3, 1}, {3, 1}}};
    const vn_point e = AT(0, 0, 1), f = AT(8, 4, 1), g = AT(8, 0, 1), last = AT(6, 3, 1);
    assert_int_equal(vni_funnel(dots, 3, e, f, points, 5), 2); // all in one line
    assert_int_equal(vni_funnel(dots, 3, e, g, points, 5), 3);
    assert_true(is_same(points[1], last));
    const vni_portal bent[3] = {{0, 2, {1, 1}, {1, 1}}, {0, 4, {3, 1}, {3, 1}}, {0, 6, {3, 1}, {3, 1}}};
    assert_int_equal(vni_funnel(bent, 3, e, f, points, 5), 5);
}

static void test_capacity(void** state) {
    (void)state;
    static vnt_corridor c;
    vn_point points[10];
    load(&knowns[4], &c); // U: four points
    memset(points, 0, sizeof points);
    for (uint32_t capacity = 0; capacity < 4; ++capacity) {
        assert_int_equal(vni_funnel(c.portals, 2, c.start, c.goal, points, capacity), 0);
        assert_int_equal(points[capacity].x, 0); // nothing beyond was written
    }
    assert_int_equal(vni_funnel(c.portals, 2, c.start, c.goal, points, 4), 4);
}

// ------------------------------------------------------------------------------------------ random corridors

/// Which kind of corridor round `round` has: mixed, of single voxels, straight, winding on itself.
static vnt_winding random_winding(vni_rng* rng, uint32_t round, int32_t extent) {
    vnt_winding w = {.boxes = 2 + vni_rng_below(rng, round % 8 == 0 ? 120 : 30), .extent = extent};
    w.most = round % 4 == 1 ? 1 : vni_rng_range(rng, 1, 10);
    w.turn_of_4 = vni_rng_below(rng, 5);
    w.same_sections = vni_rng_below(rng, 6) == 0;
    w.back_of_16 = vni_rng_below(rng, 3) == 0 ? vni_rng_below(rng, 6) : 0;
    return w;
}

/// Is each inner vertex in a portal, a step from its rim?
static bool keeps_off_rims(const vnt_corridor* c, const vn_point* points, uint32_t count) {
    for (uint32_t i = 1; i + 1 < count; ++i) {
        bool found = false;
        for (uint32_t k = 0; k < vnt_portal_count(c) && !found; ++k) {
            vni_gate inside = vni_gate_inside(&c->portals[k]);
            found = vni_gate_holds(&inside, points[i]);
        }
        if (!found)
            return false;
    }
    return true;
}

/// Everything but the corridor is blocked.
static void check_in_world(const vnt_corridor* c, int32_t extent, const vn_point* points, uint32_t count) {
    const vn_voxel dims = {extent, extent, extent};
    vnt_voxels voxels = vnt_voxels_make(dims);
    memset(voxels.blocked, 1, (size_t)extent * (size_t)extent * (size_t)extent);
    for (uint32_t i = 0; i < c->box_count; ++i)
        for (int32_t z = c->low[i][2]; z < c->high[i][2]; ++z)
            for (int32_t y = c->low[i][1]; y < c->high[i][1]; ++y)
                memset(voxels.blocked + c->low[i][0] + extent * (y + extent * z), 0,
                       (size_t)(c->high[i][0] - c->low[i][0]));
    vn_space* space = vnt_voxels_space(&voxels);
    assert_true(vn_check_path_space(space, points, count, NULL));
    for (uint32_t i = 1; i + 1 < count; ++i)
        assert_true(vni_point_is_plain(&space->occupancy, points[i]));
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

typedef struct tally {
    double funnel, input, shortest;
    uint32_t anchors, portals;
    uint32_t judged, needless; ///< anchors of ways over the centres, and those that could be left out
} tally;

static void count_needless(const vnt_corridor* c, const vn_point* points, uint32_t count, tally* t) {
    static vn_point fewer[VNT_MAX_BOXES + 1];
    for (uint32_t i = 1; i + 1 < count; ++i) {
        memcpy(fewer, points, i * sizeof *points);
        memcpy(fewer + i, points + i + 1, (count - i - 1) * sizeof *points);
        t->needless += vni_is_in_corridor(c->portals, vnt_portal_count(c), fewer, count - 1);
        ++t->judged;
    }
}

/// Where the way given crosses the portals: in the middle, anywhere, or as near as may be to the shortest
/// way.
static void choose_crossings(vni_rng* rng, const vnt_corridor* c, uint32_t kind, const vnt_geodesic* shortest,
                             float (*crossings)[3]) {
    for (uint32_t i = 0; i < vnt_portal_count(c); ++i) {
        const vni_portal* portal = &c->portals[i];
        vn_point p = random_point_in_portal(rng, portal);
        for (int k = 0; k < 3; ++k)
            crossings[i][k] = kind == 1 ? (float)(&p.x)[k] / VN_LATTICE : (float)shortest->at[i + 1][k];
        for (int k = 0; k < 2 && kind == 0; ++k)
            crossings[i][vni_other_axes[portal->axis][k]] = 0.5f * (portal->low[k] + portal->high[k]);
    }
}

static void check_corridor(vnt_corridor* c, vni_rng* rng, tally* t) {
    static vn_point points[VNT_MAX_BOXES + 1], again[VNT_MAX_BOXES + 1], given[VNT_MAX_BOXES + 1];
    static float crossings[VNT_MAX_BOXES][3];
    static vnt_geodesic geodesic;
    uint32_t n = vnt_portal_count(c), kind = vni_rng_below(rng, 3);
    bool has_crossings = kind > 0;
    double bound, shortest = vnt_geodesic_find(c, 60, &geodesic, &bound);
    choose_crossings(rng, c, kind, &geodesic, crossings);
    for (uint32_t i = 0; i < n; ++i)
        given[i + 1] = vni_portal_lattice(&c->portals[i], crossings[i]);
    if (kind == 2 && n > 0 && vni_rng_below(rng, 3) == 0) {
        c->start = given[1];
        shortest = vnt_geodesic_find(c, 60, &geodesic, &bound);
    }
    given[0] = c->start;
    given[n + 1] = c->goal;
    uint32_t count =
        vni_funnel_over(c->portals, has_crossings ? crossings[0] : NULL, n, c->start, c->goal, points, n + 2);
    double length = vni_polyline_length(points, count), input = vni_polyline_length(given, n + 2);
    assert_true(count >= 1 && count <= n + 2);
    assert_true(is_same(points[0], c->start) && is_same(points[count - 1], c->goal));
    assert_true(vni_is_in_corridor(c->portals, n, points, count));
    assert_true(keeps_off_rims(c, points, count));
    assert_true(length <= input * (1 + 1e-12));
    assert_true(length / VN_LATTICE >= bound * (1 - 1e-9));
    for (uint32_t i = 1; i < count; ++i)
        assert_false(is_same(points[i - 1], points[i]));
    assert_int_equal(
        vni_funnel_over(c->portals, has_crossings ? crossings[0] : NULL, n, c->start, c->goal, again, n + 2),
        count);
    assert_memory_equal(points, again, count * sizeof *points);
    if (kind == 0)
        count_needless(c, points, count, t);
    t->funnel += length / VN_LATTICE;
    t->input += input / VN_LATTICE;
    t->shortest += shortest;
    t->anchors += count > 2 ? count - 2 : 0;
    t->portals += n;
}

static void test_random(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("funnel", 604));
    static vnt_corridor c;
    tally t = {0};
    for (uint32_t round = 0; round < vnt_scale(2500, 100000); ++round) {
        vnt_winding w = random_winding(&rng, round, 200);
        vnt_corridor_random(&c, &rng, &w);
        check_corridor(&c, &rng, &t);
    }
    print_message("over the way given %.4f, over the shortest inside %.4f; %.2f anchors to a portal\n",
                  t.funnel / t.input, t.funnel / t.shortest, (double)t.anchors / t.portals);
    assert_true(t.needless * 100 < t.judged);
    assert_true(t.funnel < 0.95 * t.input && t.funnel < 1.04 * t.shortest);
}

static void test_in_world(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("funnel in world", 605));
    static vnt_corridor c;
    vn_point points[VNT_MAX_BOXES + 1];
    for (uint32_t round = 0; round < vnt_scale(1000, 30000); ++round) {
        vnt_winding w = random_winding(&rng, round, 14);
        vnt_corridor_random(&c, &rng, &w);
        uint32_t n = vnt_portal_count(&c), count = vni_funnel(c.portals, n, c.start, c.goal, points, n + 2);
        check_in_world(&c, 14, points, count);
    }
}

/// Ways do not depend on where the corridor lies.
static void test_far_away(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("funnel far away", 606));
    static vnt_corridor c;
    vn_point near[VNT_MAX_BOXES + 1], far[VNT_MAX_BOXES + 1];
    const int32_t shift = (1 << 20) - 300;
    for (uint32_t round = 0; round < vnt_scale(300, 20000); ++round) {
        vnt_winding w = random_winding(&rng, round, 200);
        vnt_corridor_random(&c, &rng, &w);
        uint32_t n = vnt_portal_count(&c), before = vni_funnel(c.portals, n, c.start, c.goal, near, n + 2);
        int axis = (int)vni_rng_below(&rng, 3);
        for (uint32_t i = 0; i < n; ++i) {
            vni_portal* p = &c.portals[i];
            for (int k = 0; k < 2; ++k)
                if (vni_other_axes[p->axis][k] == axis) {
                    p->low[k] += (float)shift;
                    p->high[k] += (float)shift;
                }
            p->plane += p->axis == axis ? (float)shift : 0;
        }
        (&c.start.x)[axis] += shift * VN_LATTICE;
        (&c.goal.x)[axis] += shift * VN_LATTICE;
        assert_int_equal(vni_funnel(c.portals, n, c.start, c.goal, far, n + 2), before);
        for (uint32_t i = 0; i < before; ++i) {
            (&near[i].x)[axis] += shift * VN_LATTICE;
            assert_true(is_same(near[i], far[i]));
        }
    }
}

/// Row upon row with one section: one straight leg, wherever the ends are.
static void test_straight(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("funnel straight", 607));
    static vnt_corridor c;
    vn_point points[VNT_MAX_BOXES + 1];
    for (uint32_t round = 0; round < vnt_scale(500, 20000); ++round) {
        int32_t low[3], high[3];
        int axis = (int)vni_rng_below(&rng, 3);
        for (int i = 0; i < 3; ++i) {
            low[i] = vni_rng_range(&rng, 0, 50);
            high[i] = low[i] + vni_rng_range(&rng, 1, 9);
        }
        c.box_count = 0;
        for (uint32_t i = 1 + vni_rng_below(&rng, 100); i > 0; --i) {
            vnt_corridor_add(&c, low, high);
            low[axis] = high[axis];
            high[axis] += vni_rng_range(&rng, 1, 9);
        }
        c.start = vnt_point_in_box(&rng, c.low[0], c.high[0]);
        c.goal = vnt_point_in_box(&rng, c.low[c.box_count - 1], c.high[c.box_count - 1]);
        uint32_t n = vnt_portal_count(&c);
        assert_int_equal(vni_funnel(c.portals, n, c.start, c.goal, points, n + 2),
                         is_same(c.start, c.goal) ? 1 : 2);
    }
}

/// A spiral of 1 x 1 passages in one layer: a turn at each inner corner and nowhere else.
static void test_spiral(void** state) {
    (void)state;
    static vnt_corridor c;
    vn_point points[VNT_MAX_BOXES + 1];
    int32_t low[3] = {0, 0, 0}, high[3] = {20, 1, 1};
    c.box_count = 0;
    vnt_corridor_add(&c, low, high);
    for (int32_t turn = 0; turn < 12; ++turn) { // x up, y up, x down, y down, each one or two shorter
        int along = turn % 2 == 0 ? 1 : 0, across = 1 - along;
        bool up = turn % 4 == 0 || turn % 4 == 3, from_high = turn % 4 == 0 || turn % 4 == 1;
        int32_t length = 19 - turn / 2 * 3 / 2;
        if (from_high)
            low[across] = high[across] - 1;
        else
            high[across] = low[across] + 1;
        if (up) {
            low[along] = high[along];
            high[along] = low[along] + length;
        } else {
            high[along] = low[along];
            low[along] = high[along] - length;
        }
        vnt_corridor_add(&c, low, high);
    }
    const vn_point start = AT(0.5, 0.5, 0.5);
    c.start = start;
    c.goal = (vn_point){low[0] * VN_LATTICE + HALF, low[1] * VN_LATTICE + HALF, HALF};
    static vnt_geodesic geodesic;
    double bound, shortest = vnt_geodesic_find(&c, 200, &geodesic, &bound);
    uint32_t count = vni_funnel(c.portals, 12, c.start, c.goal, points, 14);
    assert_true(vni_is_in_corridor(c.portals, 12, points, count));
    assert_true(vni_polyline_length(points, count) / VN_LATTICE < shortest * 1.001);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_corridor),  cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_far_corners),  cmocka_unit_test(test_view_of_a_ray),
        cmocka_unit_test(test_view_edge_on), cmocka_unit_test(test_view),
        cmocka_unit_test(test_full_view),    cmocka_unit_test(test_best_turn),
        cmocka_unit_test(test_known),        cmocka_unit_test(test_flat_portals),
        cmocka_unit_test(test_capacity),     cmocka_unit_test(test_random),
        cmocka_unit_test(test_in_world),     cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_straight),     cmocka_unit_test(test_spiral),
    };
    return cmocka_run_group_tests_name("path/funnel", tests, NULL, NULL);
}
