/// The funnel: hand-made corridors with known paths, and random ones: always inside, never longer than what
/// it was given, never shorter than what can be proven, free by the checker.
#include "cmocka_all.h"
#include "corridors.h"
#include "support.h"
#include "voxels.h"

#include "path/funnel.h"
#include "path/funnel_inside.h"
#include "path/refine.h"
#include "probe/sight.h"
#include "space/space.h"
#include "volnav/path.h"

#include <string.h>

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
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
    assert_true(count >= 3);
    assert_true(vni_is_in_corridor(flat, 3, points, count));
    assert_true(points[1].z == VN_LATTICE);
    assert_true(points[1].y == VN_LATTICE);
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
            vni_lattice_portal inside = vni_lattice_portal_inside(&c->portals[k]);
            found = vni_lattice_portal_holds(&inside, points[i]);
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
    assert_true(vn_space_check_path(space, points, count, NULL));
    for (uint32_t i = 1; i + 1 < count; ++i)
        assert_true(vni_point_is_plain(&space->occupancy, points[i]));

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

typedef struct tally {
    double funnel, input, shortest;
    uint32_t anchors, portals;
    uint32_t judged, needless; ///< anchors of paths over the centres, and those that could be left out
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

/// Where the path given crosses the portals: in the middle, anywhere, or as near as possible to the shortest
/// path.
static void choose_crossings(vni_rng* rng, const vnt_corridor* c, uint32_t kind, const vnt_geodesic* shortest,
                             float (*crossings)[3]) {
    for (uint32_t i = 0; i < vnt_portal_count(c); ++i) {
        const vni_portal* portal = &c->portals[i];
        vn_point p = vnt_point_in_portal(rng, portal);
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
    assert_true(count >= 1);
    assert_true(count <= n + 2);
    assert_true(is_same(points[0], c->start));
    assert_true(is_same(points[count - 1], c->goal));
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

    print_message("over the route given %.4f, over the shortest inside %.4f; %.2f anchors to a portal\n",
                  t.funnel / t.input, t.funnel / t.shortest, (double)t.anchors / t.portals);
    assert_true(t.needless * 100 < t.judged);
    assert_true(t.funnel < 0.95 * t.input);
    assert_true(t.funnel < 1.04 * t.shortest);
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
        cmocka_unit_test(test_known),    cmocka_unit_test(test_flat_portals), cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_random),   cmocka_unit_test(test_in_world),     cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_straight), cmocka_unit_test(test_spiral),
    };
    return cmocka_run_group_tests_name("path/funnel", tests, NULL, NULL);
}
