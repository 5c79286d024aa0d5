/// The cost of segments near walls against fine sampling with brute force: within the stated error, the same
/// in both directions and in parts, 0 in the open; the dips of a segment; the cost object.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "probe/clearance.h"
#include "space/space.h"

#include <math.h>
#include <string.h>

/// Distance from p to the nearest blocked cube, by looking at all of them.
static double brute_distance(const vnt_voxels* voxels, vni_vec p) {
    double best = HUGE_VAL;
    const unsigned char* blocked = voxels->blocked;
    for (int32_t z = 0; z < voxels->dims.z; ++z)
        for (int32_t y = 0; y < voxels->dims.y; ++y)
            for (int32_t x = 0; x < voxels->dims.x; ++x) {
                if (!*blocked++)
                    continue;
                double dx = fmax(fmax(x - p.x, p.x - (x + 1)), 0), dy = fmax(fmax(y - p.y, p.y - (y + 1)), 0),
                       dz = fmax(fmax(z - p.z, p.z - (z + 1)), 0);
                best = fmin(best, dx * dx + dy * dy + dz * dz);
            }

    return sqrt(best);
}

static double brute_missing(const vnt_voxels* voxels, double distance, vni_vec p) {
    return fmax(0, 1 - brute_distance(voxels, p) / distance);
}

static vni_vec between(const double a[3], const double b[3], double t) {
    return vni_v(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t);
}

static double length_of(const double a[3], const double b[3]) {
    return vni_length(vni_v(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
}

/// Midpoints of `parts` parts: wrong by at most length / (4 parts) of length / distance.
static double brute_cost(const vnt_voxels* voxels, const vni_clearance* c, const double a[3],
                         const double b[3], uint32_t parts) {
    double sum = 0;
    for (uint32_t i = 0; i < parts; ++i)
        sum += brute_missing(voxels, c->distance, between(a, b, (i + 0.5) / parts));
    return c->weight * sum / parts * length_of(a, b);
}

/// A random position in or slightly outside the voxels, often on their planes.
static void random_place(vni_rng* rng, vn_voxel dims, double p[3]) {
    const int32_t size[3] = {dims.x, dims.y, dims.z};
    bool on_plane = vni_rng_range(rng, 0, 2) == 0;
    for (int i = 0; i < 3; ++i)
        p[i] = on_plane ? vni_rng_range(rng, 0, size[i]) : (size[i] + 2) * vni_rng_real(rng) - 1;
}

typedef struct world {
    vnt_voxels voxels;
    vn_space* space;
    vni_clearance clearance;
} world;

/// Now and then longer than a block, now and then with a distance that is larger than the world.
static world random_world(vni_rng* rng, int32_t limit) {
    vn_voxel dims = vnt_random_dims(rng, limit);
    dims.x += vni_rng_range(rng, 0, 9) ? 0 : 64;
    world w = {.voxels = vnt_voxels_random(rng, dims)};
    w.space = vnt_voxels_space(&w.voxels);
    w.clearance.occupancy = &w.space->occupancy;
    w.clearance.distance = 0.5 + (vni_rng_range(rng, 0, 9) ? 4.5 : 60) * vni_rng_real(rng);
    w.clearance.weight = 0.1 + 8 * vni_rng_real(rng);

    return w;
}

static void free_world(world* w) {
    vn_space_destroy(w->space);
    vnt_voxels_free(&w->voxels);
}

static void test_missing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("missing", 301));
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        world w = random_world(&rng, 20);
        for (int k = 0; k < 40; ++k) {
            double p[3];
            random_place(&rng, w.voxels.dims, p);
            vni_vec at = vni_v(p[0], p[1], p[2]);
            double expected = brute_missing(&w.voxels, w.clearance.distance, at);
            assert_true(fabs(vni_clearance_missing(&w.clearance, at) - expected) < 1e-12);
        }

        free_world(&w);
    }
}

static void test_cost(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("clearance", 302));
    double worst = 0, sum_error = 0, sum_cost = 0;
    for (uint32_t i = 0; i < vnt_scale(100, 2000); ++i) {
        world w = random_world(&rng, 16);
        const vni_clearance* c = &w.clearance;
        double a[3], b[3];
        random_place(&rng, w.voxels.dims, a);
        random_place(&rng, w.voxels.dims, b);
        double length = length_of(a, b);
        double expected = brute_cost(&w.voxels, c, a, b, 400), cost = vni_clearance_cost(c, a, b);
        double error = fabs(cost - expected);
        assert_true(error <= c->weight * length * (1.0 / 16 + length / c->distance / 1600) + 1e-12);
        assert_true(cost >= 0);
        assert_true(cost <= c->weight * length * (1 + 1e-12));
        worst = fmax(worst, length > 0 ? error / (c->weight * length) : 0);
        sum_error += error;
        sum_cost += expected;
        double back = vni_clearance_cost(c, b, a);
        assert_memory_equal(&cost, &back, sizeof cost);
        free_world(&w);
    }

    print_message("error: at worst 1/%.0f of weight and length, on the whole %.2f %% of the cost\n",
                  1 / worst, 100 * sum_error / sum_cost);
    assert_true(sum_error < 0.01 * sum_cost);
}

/// A segment costs as much as its parts, up to the error of both.
static void test_parts(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("clearance parts", 303));
    for (uint32_t i = 0; i < vnt_scale(300, 5000); ++i) {
        world w = random_world(&rng, 16);
        const vni_clearance* c = &w.clearance;
        double a[3], b[3];
        random_place(&rng, w.voxels.dims, a);
        random_place(&rng, w.voxels.dims, b);
        vni_vec middle = between(a, b, vni_rng_real(&rng));
        const double m[3] = {middle.x, middle.y, middle.z};
        double parts = vni_clearance_cost(c, a, m) + vni_clearance_cost(c, m, b);
        double allowed = 2 * c->weight * length_of(a, b) / 16 + 1e-9;
        assert_true(fabs(vni_clearance_cost(c, a, b) - parts) <= allowed);
        free_world(&w);
    }
}

/// Known values: along a flat wall, straight away from it, past it in the open, in an empty space.
static void test_known(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){40, 40, 20});
    vn_space* empty = vnt_voxels_space(&voxels);
    for (int32_t y = 0; y < 40; ++y)
        for (int32_t x = 0; x < 40; ++x)
            vnt_voxels_block(&voxels, x, y, 0);

    vn_space* floored = vnt_voxels_space(&voxels);
    vnt_memory memory = vnt_memory_make();
    vni_occupancy counted = floored->occupancy;
    counted.allocator = vnt_memory_allocator(&memory);
    const vni_clearance c = {&counted, 4, 2}, open = {&empty->occupancy, 4, 2};
    const double a[3] = {5, 5, 2}, b[3] = {35, 5, 2}, up[3] = {5, 5, 19}, far_a[3] = {5, 5, 5},
                 far_b[3] = {35, 30, 5}, below[3] = {5, 5, -3};
    assert_true(fabs(vni_clearance_cost(&c, a, b) - 2 * 30 * 0.75) < 1e-9);
    assert_true(fabs(vni_clearance_cost(&c, a, up) - 2 * 0.5 * 3 * 0.75) < 1e-9);
    assert_true(vni_clearance_cost(&c, far_a, far_b) == 0);
    assert_true(vni_clearance_cost(&open, below, up) == 0); // the bounds are no wall
    assert_true(vni_clearance_cost(&c, a, a) == 0);
    assert_true(vni_clearance_missing(&c, vni_v(5, 5, 0.5)) == 1);
    assert_true(vni_clearance_missing(&c, vni_v(5, 5, 1)) == 1);
    assert_true(vni_clearance_missing(&c, vni_v(5, 5, 4)) == 0.25);
    assert_true(vni_clearance_missing(&c, vni_v(5, 5, 5)) == 0);
    assert_true(memory.calls == 0);
    vn_space_destroy(floored);
    vn_space_destroy(empty);
    vnt_voxels_free(&voxels);
}

/// Distances below any sense cost no more steps than those of a quarter of a voxel.
static void test_tiny_distance(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){64, 4, 4});
    for (int32_t x = 0; x < 64; ++x)
        vnt_voxels_block(&voxels, x, 0, 0);

    vn_space* space = vnt_voxels_space(&voxels);
    const vni_clearance c = {&space->occupancy, 1e-9, 1};
    const double a[3] = {0, 1, 0.5}, b[3] = {64, 1, 0.5}, d[3] = {0, 1.5, 0.5}, e[3] = {64, 1.5, 0.5};
    assert_true(fabs(vni_clearance_cost(&c, a, b) - 64) < 1e-9);
    assert_true(vni_clearance_cost(&c, d, e) == 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Between dips the segment is clear; inside it is not, except for a step at either end; the deepest point is
/// as deep as it says.
static void check_dips(const world* w, vni_vec a, vni_vec b) {
    const double length = vni_length(vni_sub(b, a)), preferred = w->clearance.distance;
    const double step = preferred / 4;
    double from = 0;
    vni_dip dip;
    for (bool found = true; found;) {
        found = vni_clearance_dip(&w->clearance, a, b, from, &dip);
        double until = found ? dip.from - step : length;
        for (double s = from; s <= until; s += 0.25)
            assert_true(brute_distance(&w->voxels, vni_add_scaled(a, vni_sub(b, a), s / length)) >=
                        preferred - step / 2 - 1e-9);

        if (!found)
            return;
        assert_true(from <= dip.from);
        assert_true(dip.from <= dip.deepest);
        assert_true(dip.deepest <= dip.to);
        assert_true(dip.to <= length);
        vni_vec deepest = vni_add_scaled(a, vni_sub(b, a), dip.deepest / length);
        assert_true(fabs(brute_distance(&w->voxels, deepest) - dip.least) < 1e-9);
        assert_true(dip.least < preferred);

        assert_false(vnt_voxels_are_free(&w->voxels, dip.wall.x, dip.wall.y, dip.wall.z));
        for (double s = dip.from; s <= dip.to; s += step) {
            double clear = brute_distance(&w->voxels, vni_add_scaled(a, vni_sub(b, a), s / length));
            assert_true(clear >= dip.least - step);
            assert_true(clear < preferred + step);
        }

        from = dip.to + step;
        if (from >= length)
            return;
    }
}

static void test_dips(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("dips", 304));
    for (uint32_t i = 0; i < vnt_scale(100, 2000); ++i) {
        world w = random_world(&rng, 16);
        double a[3], b[3];
        random_place(&rng, w.voxels.dims, a);
        random_place(&rng, w.voxels.dims, b);
        if (length_of(a, b) > 0)
            check_dips(&w, vni_v(a[0], a[1], a[2]), vni_v(b[0], b[1], b[2]));

        free_world(&w);
    }
}

static vni_zones random_zones(vni_rng* rng, vni_zone* zones, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            zones[i].low[k] = vni_rng_range(rng, 0, 10);
            zones[i].high[k] = zones[i].low[k] + vni_rng_range(rng, 1, 8);
        }
        zones[i].factor = 0.25 * vni_rng_range(rng, 1, 20);
    }

    return vni_zones_make(zones, count);
}

/// The sum of its parts, and never below its bound.
static void test_terms(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("terms", 305));
    for (uint32_t i = 0; i < vnt_scale(200, 2000); ++i) {
        world w = random_world(&rng, 16);
        vni_zone items[3];
        const vni_zones zones = random_zones(&rng, items, 3);
        const vni_terms terms = {vni_rng_range(&rng, 0, 1) ? &zones : NULL,
                                 vni_rng_range(&rng, 0, 3) ? &w.clearance : NULL};
        const vni_cost cost = vni_cost_terms(VNI_METRIC_EUCLIDEAN, 26, &terms);
        vn_point from = vnt_random_point(&rng, w.voxels.dims, 1),
                 to = vnt_random_point(&rng, w.voxels.dims, 1);
        const double step = 1.0 / VN_LATTICE, a[3] = {from.x * step, from.y * step, from.z * step},
                     b[3] = {to.x * step, to.y * step, to.z * step};

        double expected = terms.zones != NULL ? vni_zones_cost(&zones, a, b) : length_of(a, b), bound;
        if (terms.clearance != NULL)
            expected += vni_clearance_cost(&w.clearance, a, b);

        double got = cost.segment(cost.self, from, to);
        assert_true(fabs(got - expected) <= 1e-12 * expected);
        cost.lower_bounds(cost.self, &from, 1, to, &bound);
        assert_true(cost.admissible);
        assert_true(bound * cost.least <= got * (1 + 1e-12));
        assert_true(cost.is_length == (!terms.zones && !terms.clearance));
        free_world(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_missing), cmocka_unit_test(test_cost),
                                       cmocka_unit_test(test_parts),   cmocka_unit_test(test_known),
                                       cmocka_unit_test(test_dips),    cmocka_unit_test(test_tiny_distance),
                                       cmocka_unit_test(test_terms)};
    return cmocka_run_group_tests_name("space/clearance", tests, NULL, NULL);
}
