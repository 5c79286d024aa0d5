/// Costs of segments through boxes, balls and hulls against fine sampling; the same in both directions, the
/// same in parts; lower bounds that hold; zones in metres and zones in voxels.
#include "cmocka_all.h"
#include "support.h"

#include "base/rng.h"
#include "space/zone_buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ZONES = 6, PLANES = 7 };

/// Zones of all kinds, in voxels.
typedef struct zone_mix {
    vni_zone boxes[ZONES];
    vni_zone_ball balls[ZONES];
    vni_zone_hull hulls[ZONES];
    vni_zone_plane planes[ZONES][PLANES];
    vni_zones set;
} zone_mix;

static double random_factor(vni_rng* rng) {
    return 0.25 * vni_rng_range(rng, 1, 40);
}

static void random_boxes(vni_rng* rng, vni_zone* zones, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            zones[i].low[k] = vni_rng_range(rng, 0, 15);
            zones[i].high[k] = zones[i].low[k] + vni_rng_range(rng, 1, 10);
        }
        zones[i].factor = random_factor(rng);
    }
}

/// Planes around a centre, each at some distance: closed at times, and open at others.
static void random_planes(vni_rng* rng, vni_zone_plane* planes, uint32_t count) {
    double center[3];
    for (int k = 0; k < 3; ++k)
        center[k] = vni_rng_real(rng) * 24;

    for (uint32_t i = 0; i < count; ++i) {
        planes[i].offset = 0;
        double length = 0;
        for (int k = 0; k < 3; ++k) {
            planes[i].normal[k] = vni_rng_real(rng) * 2 - 1;
            planes[i].offset += planes[i].normal[k] * center[k];
            length += planes[i].normal[k] * planes[i].normal[k];
        }

        planes[i].offset += sqrt(length) * (vni_rng_real(rng) * 9 - 1);
    }
}

/// `box_count`, `ball_count` and `hull_count` up to ZONES.
static void make_mix(vni_rng* rng, zone_mix* mix, uint32_t box_count, uint32_t ball_count,
                     uint32_t hull_count) {
    random_boxes(rng, mix->boxes, box_count);
    for (uint32_t i = 0; i < ball_count; ++i) {
        for (int k = 0; k < 3; ++k)
            mix->balls[i].center[k] = vni_rng_real(rng) * 24;
        mix->balls[i].radius = vni_rng_real(rng) * 9;
        mix->balls[i].factor = random_factor(rng);
    }

    for (uint32_t i = 0; i < hull_count; ++i) {
        const uint32_t count = 1 + vni_rng_below(rng, PLANES);
        random_planes(rng, mix->planes[i], count);
        mix->hulls[i] = (vni_zone_hull){mix->planes[i], count, random_factor(rng)};
    }

    mix->set = vni_zones_make(mix->boxes, box_count);
    vni_zones_add_round(&mix->set, mix->balls, ball_count, mix->hulls, hull_count);
}

static bool in_box(const vni_zone* z, const double p[3]) {
    return p[0] > z->low[0] && p[0] < z->high[0] && p[1] > z->low[1] && p[1] < z->high[1] &&
           p[2] > z->low[2] && p[2] < z->high[2];
}

static double length(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static bool in_hull(const vni_zone_hull* hull, const double p[3]) {
    for (uint32_t i = 0; i < hull->plane_count; ++i) {
        const vni_zone_plane* plane = &hull->planes[i];
        if (plane->normal[0] * p[0] + plane->normal[1] * p[1] + plane->normal[2] * p[2] >= plane->offset)
            return false;
    }
    return true;
}

static double factor_at(const vni_zones* zones, const double p[3]) {
    double factor = 0;
    for (uint32_t i = 0; i < zones->count; ++i)
        if (in_box(&zones->zones[i], p))
            factor = fmax(factor, zones->zones[i].factor);

    for (uint32_t i = 0; i < zones->ball_count; ++i)
        if (length(zones->balls[i].center, p) < zones->balls[i].radius)
            factor = fmax(factor, zones->balls[i].factor);

    for (uint32_t i = 0; i < zones->hull_count; ++i)
        if (in_hull(&zones->hulls[i], p))
            factor = fmax(factor, zones->hulls[i].factor);

    return factor > 0 ? factor : 1;
}

static double sampled_cost(const vni_zones* zones, const double a[3], const double b[3]) {
    enum { PARTS = 20000 };
    double sum = 0;
    for (int i = 0; i < PARTS; ++i) {
        double t = (i + 0.5) / PARTS, p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = a[k] + (b[k] - a[k]) * t;
        sum += factor_at(zones, p);
    }

    return sum / PARTS * length(a, b);
}

static void random_end(vni_rng* rng, double p[3]) {
    for (int k = 0; k < 3; ++k)
        p[k] = vni_rng_real(rng) * 30 - 3;
}

/// Returns whether the segment met a zone.
static bool check_cost(vni_rng* rng, const vni_zones* zones) {
    double a[3], b[3], middle[3];
    random_end(rng, a);
    random_end(rng, b);
    double cost = vni_zones_cost(zones, a, b);
    assert_true(fabs(cost - sampled_cost(zones, a, b)) <= 1e-3 * cost + 0.02);

    assert_true(fabs(cost - vni_zones_cost(zones, b, a)) <= 1e-9 * cost);
    for (int k = 0; k < 3; ++k)
        middle[k] = a[k] + 0.375 * (b[k] - a[k]);

    assert_true(fabs(cost - vni_zones_cost(zones, a, middle) - vni_zones_cost(zones, middle, b)) <=
                1e-9 * cost + 1e-9);
    assert_true(cost >= zones->least * length(a, b) * (1 - 1e-12));
    return fabs(cost - length(a, b)) > 1e-6;
}

static void test_costs(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zones", 141));
    const uint32_t rounds = vnt_scale(120, 2000);
    const uint32_t kinds[4][3] = {{ZONES, 0, 0}, {0, ZONES, 0}, {0, 0, ZONES}, {2, 2, 2}};
    for (uint32_t kind = 0; kind < 4; ++kind) {
        uint32_t met = 0;
        for (uint32_t i = 0; i < rounds; ++i) {
            zone_mix mix;
            make_mix(&rng, &mix, kinds[kind][0], kinds[kind][1], kinds[kind][2]);
            met += check_cost(&rng, &mix.set);
        }

        assert_true(met > rounds / 4);
    }
}

/// The cost object: its bound times its least never exceeds the cost of a segment.
static void test_lower_bounds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zone bounds", 142));
    for (uint32_t i = 0; i < vnt_scale(300, 5000); ++i) {
        zone_mix mix;
        make_mix(&rng, &mix, vni_rng_below(&rng, 3), vni_rng_below(&rng, 3), vni_rng_below(&rng, 3));
        vni_cost cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, &mix.set);
        vn_point a = {vni_rng_range(&rng, 0, 25000), vni_rng_range(&rng, 0, 25000),
                      vni_rng_range(&rng, 0, 25000)};
        vn_point b = {vni_rng_range(&rng, 0, 25000), vni_rng_range(&rng, 0, 25000),
                      vni_rng_range(&rng, 0, 25000)};
        double bound;
        cost.lower_bounds(cost.self, &a, 1, b, &bound);
        assert_true(bound * cost.least <= cost.segment(cost.self, a, b) * (1 + 1e-12));
        assert_false(cost.is_length);
    }
}

static void test_no_zones_is_length(void** state) {
    (void)state;
    const vni_zones none = vni_zones_make(NULL, 0);
    const double a[3] = {1, 2, 3}, b[3] = {4, 6, 3};
    assert_true(vni_zones_cost(&none, a, b) == 5);
    assert_true(vni_zones_cost(&none, a, a) == 0);
}

static double one_ball(const double center[3], double radius, const double a[3], const double b[3]) {
    const vni_zone_ball ball = {{center[0], center[1], center[2]}, radius, 3};
    vni_zones zones = vni_zones_make(NULL, 0);
    vni_zones_add_round(&zones, &ball, 1, NULL, 0);
    return vni_zones_cost(&zones, a, b);
}

static double one_hull(const vni_zone_plane* planes, uint32_t count, const double a[3], const double b[3]) {
    const vni_zone_hull hull = {planes, count, 3};
    vni_zones zones = vni_zones_make(NULL, 0);
    vni_zones_add_round(&zones, NULL, 0, &hull, 1);
    return vni_zones_cost(&zones, a, b);
}

/// Figures that can be worked out by hand.
static void test_known_costs(void** state) {
    (void)state;
    const double a[3] = {0, 0, 0}, b[3] = {10, 0, 0}, c[3] = {5, 0, 0}, beside[3] = {5, 3, 0},
                 far[3] = {5, 9, 0};
    assert_true(fabs(one_ball(c, 2, a, b) - (10 + 2 * 4)) < 1e-12);
    assert_true(fabs(one_ball(beside, 5, a, b) - (10 + 2 * 8)) < 1e-12); // a chord of 8
    assert_true(one_ball(beside, 3, a, b) == 10);                        // touched
    assert_true(one_ball(far, 3, a, b) == 10);
    assert_true(one_ball(c, 0, a, b) == 10);
    assert_true(fabs(one_ball(c, 100, a, b) - 30) < 1e-12); // inside all the way
    assert_true(fabs(one_ball(a, 4, a, b) - 18) < 1e-12);   // begins inside
    assert_true(one_ball(c, 2, c, c) == 0);
    const vni_zone_plane half = {{2, 0, 0}, 8}, other = {{-1, 0, 0}, -6}, along = {{0, 0, 1}, 0};
    const vni_zone_plane gap[2] = {half, other}, face[2] = {half, along};
    assert_true(fabs(one_hull(&half, 1, a, b) - 18) < 1e-12); // a half-space: x <= 4
    assert_true(fabs(one_hull(&half, 1, b, a) - 18) < 1e-12);
    assert_true(one_hull(gap, 2, a, b) == 10);               // x <= 4 and x >= 6: nothing
    assert_true(fabs(one_hull(face, 2, a, b) - 18) < 1e-12); // in the face of a closed hull
    assert_true(one_hull(&half, 1, a, a) == 0);
}

/// Numbers that only a hostile caller has: no NaN comes out.
static void test_extreme_numbers(void** state) {
    (void)state;
    const double large = 3e38 / 1e-9, a[3] = {0, 0, 0}, b[3] = {10, 1, 2}, far[3] = {large, -large, large};
    const double costs[] = {one_ball(far, 1, a, b), one_ball(far, 2 * large, a, b), one_ball(a, large, a, b)};
    for (int i = 0; i < 3; ++i) {
        assert_true(costs[i] >= length(a, b) * 0.999);
        assert_true(costs[i] <= 3.001 * length(a, b));
    }

    const vni_zone_plane planes[3] = {
        {{3e38, 3e38, 3e38}, 1}, {{1e-45, 0, 0}, -1e-45}, {{0, 1e-45, 1e38}, 3e38}};
    for (uint32_t count = 1; count <= 3; ++count) {
        double cost = one_hull(planes, count, a, b);
        assert_true(cost >= length(a, b) * 0.999);
        assert_true(cost <= 3.001 * length(a, b));
    }
}

// ------------------------------------------------------------------------------------------- from metres

/// A zone in metres, whatever its kind; `planes` is the buffer of its planes.
static vn_zone random_zone(vni_rng* rng, vn_plane planes[PLANES]) {
    vn_zone zone = {.factor = (float)random_factor(rng), .flags = vni_rng_below(rng, 4)};
    zone.kind = (vn_zone_kind)vni_rng_below(rng, VN_ZONE_KIND_COUNT);
    const float x = (float)(vni_rng_real(rng) * 8), y = (float)(vni_rng_real(rng) * 8),
                z = (float)(vni_rng_real(rng) * 8), size = (float)(vni_rng_real(rng) * 4);
    zone.box = (vn_box){{x, y, z}, {x + size, y + 3, z + 2}};
    zone.center = (vn_vec3){x, y, z};
    zone.radius = size;
    zone.planes = planes;

    zone.plane_count = 1 + vni_rng_below(rng, PLANES);
    for (uint32_t i = 0; i < zone.plane_count; ++i) {
        const vn_vec3 n = {(float)(vni_rng_real(rng) * 2 - 1), (float)(vni_rng_real(rng) * 2 - 1), 0.5f};
        planes[i] = (vn_plane){n, n.x * x + n.y * y + n.z * z + size};
    }

    return zone;
}

static bool holds(const vn_zone* zone, const double p[3]) {
    const double x = p[0], y = p[1], z = p[2];
    if (zone->kind == VN_ZONE_BOX)
        return x > (double)zone->box.min.x && x < (double)zone->box.max.x && y > (double)zone->box.min.y &&
               y < (double)zone->box.max.y && z > (double)zone->box.min.z && z < (double)zone->box.max.z;

    if (zone->kind == VN_ZONE_SPHERE)
        return hypot(hypot(x - (double)zone->center.x, y - (double)zone->center.y),
                     z - (double)zone->center.z) < (double)zone->radius;

    for (uint32_t i = 0; i < zone->plane_count; ++i) {
        const vn_plane* plane = &zone->planes[i];
        if ((double)plane->normal.x * x + (double)plane->normal.y * y + (double)plane->normal.z * z >
            (double)plane->offset)
            return false;
    }

    return true;
}

/// Taken into a grid with a low corner and a size of its own, zones are where they were.
static void test_metres(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zones in metres", 143));
    vni_zone_buffer* buffer = malloc(sizeof *buffer);
    uint32_t inside = 0, rim = 0;
    for (uint32_t i = 0; i < vnt_scale(3000, 50000); ++i) {
        vn_plane planes[PLANES], copied[PLANES];
        const vn_zone original = random_zone(&rng, planes);
        const uint32_t flags = vni_rng_below(&rng, 4);
        const vni_frame grid = {{-3.5, 2, 100}, 0.25};
        vn_zone zone;
        assert_int_equal(vni_zones_copy(&original, 1, &zone, copied),
                         original.kind == VN_ZONE_HULL ? original.plane_count : 0);
        vn_plane truth[PLANES];
        memcpy(truth, planes, sizeof truth);
        memset(planes, 0, sizeof planes); // the copy has its own
        vn_zone expected = zone;
        expected.planes = truth;
        vni_zone_buffer_clear(buffer);
        vni_zone_buffer_add(buffer, &zone, 1, flags, &grid);
        double p[3] = {vni_rng_real(&rng) * 10, vni_rng_real(&rng) * 10, vni_rng_real(&rng) * 10}, v[3], w[3];

        const double low[3] = {grid.low.x, grid.low.y, grid.low.z};
        for (int k = 0; k < 3; ++k) {
            v[k] = (p[k] - low[k]) / grid.size;
            w[k] = v[k] + 1e-4;
        }

        const bool counts = zone.flags == 0 || (zone.flags & flags),
                   is_inside = counts && holds(&expected, p);
        const double factor = vni_zones_cost(&buffer->set, v, w) / length(v, w);
        assert_true(buffer->box_count + buffer->ball_count + buffer->hull_count == (counts ? 1u : 0u));
        if (fabs(factor - (is_inside ? (double)zone.factor : 1)) > 1e-6)
            ++rim; // the segment of 1/40 mm crosses it
        else
            inside += is_inside;
    }

    assert_true(inside > vnt_scale(3000, 50000) / 20);
    assert_true(rim < vnt_scale(3000, 50000) / 1000);
    free(buffer);
}

/// As many as there may be, twice.
static void test_full_room(void** state) {
    (void)state;
    static vn_plane planes[VN_MAX_ZONE_PLANES];
    static vn_zone zones[VN_MAX_ZONES];
    const vni_frame grid = {{0, 0, 0}, 1};
    const double a[3] = {0, 0.5, 0.5}, b[3] = {200, 0.5, 0.5};
    const uint32_t each = VN_MAX_ZONE_PLANES / VN_MAX_ZONES;

    vni_zone_buffer* buffer = malloc(sizeof *buffer);
    for (uint32_t i = 0; i < VN_MAX_ZONES; ++i) { // slices of a metre at every other metre
        vn_plane* own = planes + i * each;
        for (uint32_t k = 0; k < each; ++k)
            own[k] =
                k % 2 ? (vn_plane){{1, 0, 0}, (float)(2 * i + 1)} : (vn_plane){{-1, 0, 0}, -(float)(2 * i)};
        zones[i] = (vn_zone){.factor = 2, .kind = VN_ZONE_HULL, .planes = own, .plane_count = each};
    }

    vni_zone_buffer_clear(buffer);
    vni_zone_buffer_add(buffer, zones, VN_MAX_ZONES, 0, &grid);
    vni_zone_buffer_add(buffer, zones, VN_MAX_ZONES, 0, &grid);
    assert_true(fabs(vni_zones_cost(&buffer->set, a, b) - (200 + VN_MAX_ZONES)) < 1e-9);
    for (uint32_t i = 0; i < VN_MAX_ZONES; ++i)
        zones[i] = (vn_zone){.factor = 4, .box = {{(float)(2 * i), 0, 0}, {(float)(2 * i + 1), 1, 1}}};

    vni_zone_buffer_clear(buffer);
    vni_zone_buffer_add(buffer, zones, VN_MAX_ZONES, 0, &grid);
    vni_zone_buffer_add(buffer, zones, VN_MAX_ZONES, 0, &grid);
    assert_true(fabs(vni_zones_cost(&buffer->set, a, b) - (200 + 3 * VN_MAX_ZONES)) < 1e-9);
    free(buffer);
}

enum { GRID = 8 };

/// Factors at points spread over a voxel, none of them on its faces.
static void sample_voxel(const vni_zones* zones, const double low[3], double* least, double* most) {
    *least = HUGE_VAL;
    *most = 0;
    for (int i = 0; i < GRID * GRID * GRID; ++i) {
        const double at[3] = {low[0] + (i % GRID + 0.01) / (GRID - 0.98),
                              low[1] + (i / GRID % GRID + 0.01) / (GRID - 0.98),
                              low[2] + (i / GRID / GRID + 0.01) / (GRID - 0.98)};
        const double factor = factor_at(zones, at);
        *least = fmin(*least, factor);
        *most = fmax(*most, factor);
    }
}

/// Factors below 1 in every other mix, and boxes off the faces of voxels.
static void make_voxel_mix(vni_rng* rng, zone_mix* mix, uint32_t kind, bool cheap) {
    *mix = (zone_mix){0};
    make_mix(rng, mix, kind == 0 || kind == 3, kind == 1 || kind == 3, kind >= 2 ? 2 : 0);
    for (uint32_t i = 0; i < 2 && cheap; ++i) {
        mix->boxes[i].factor *= 0.09;
        mix->balls[i].factor *= 0.09;
        mix->hulls[i].factor *= 0.09;
    }
    for (int k = 0; k < 3; ++k) {
        mix->boxes[0].low[k] += vni_rng_real(rng);
        mix->boxes[0].high[k] += vni_rng_real(rng);
    }
}

/// What a voxel costs at most is never less than at any point of it; of one box or ball it is what the
/// points say, but where the zone cuts off less than they can see.
static void test_voxels(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("graph/zones/voxels", 1));
    uint32_t parts = 0, missed = 0;
    for (uint32_t round = 0; round < vnt_scale(1500, 50000); ++round) {
        zone_mix mix;
        const uint32_t kind = vni_rng_below(&rng, 4);
        make_voxel_mix(&rng, &mix, kind, round % 2 == 0);
        double low[3], high[3], least, most;
        for (int i = 0; i < 3; ++i) {
            const double side = vni_rng_real(&rng) * 2 - 1; // near the zone
            low[i] = floor(kind == 0   ? mix.boxes[0].low[i] + 4 * side
                           : kind == 1 ? mix.balls[0].center[i] + mix.balls[0].radius * side
                                       : 12 + 12 * side);
            high[i] = low[i] + 1;
        }
        sample_voxel(&mix.set, low, &least, &most);
        const double got = vni_zones_most(&mix.set, low, high);
        assert_true(got >= most);
        assert_true(vni_zones_weigh(&mix.set) || most == 1);
        if (kind < 2) {
            parts += least != most;
            missed += got != most;
        }
    }

    assert_true(parts > 50);
    assert_true(missed * 10 <= parts);
    const vni_zone plain = {{0, 0, 0}, {1, 1, 1}, 1};
    const vni_zones one = vni_zones_make(&plain, 1);
    assert_false(vni_zones_weigh(&one));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),       cmocka_unit_test(test_lower_bounds),
        cmocka_unit_test(test_known_costs), cmocka_unit_test(test_no_zones_is_length),
        cmocka_unit_test(test_metres),      cmocka_unit_test(test_extreme_numbers),
        cmocka_unit_test(test_full_room),   cmocka_unit_test(test_voxels),
    };

    return cmocka_run_group_tests_name("graph/zones", tests, NULL, NULL);
}
