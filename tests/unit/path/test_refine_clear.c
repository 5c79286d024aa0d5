/// Leading paths away from walls: never dearer, always free, in the box that it is given; around a corner
/// with the clearance that is preferred, through a corridor in the middle, through a narrow door all the
/// same.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "path/refine.h"
#include "path/refine_clear.h"
#include "probe/clearance.h"
#include "probe/sight.h"
#include "space/space.h"
#include "volnav/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 4096 };

typedef struct route {
    vn_point points[CAPACITY];
    uint32_t count;
} route;

// ----------------------------------------------------------------------------------------------- requests

static size_t index_of(vn_voxel dims, vn_voxel v) {
    return (size_t)v.x + (size_t)dims.x * ((size_t)v.y + (size_t)dims.y * (size_t)v.z);
}

/// Over voxels that share faces, breadth first from the goal; then pruned and pulled: short, and close to
/// walls. False if there is none.
static bool find_line(const vnt_voxels* voxels, const vn_space* space, vn_voxel start, vn_voxel goal,
                      route* out) {
    static const vn_voxel steps[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    vn_voxel dims = voxels->dims;
    size_t total = (size_t)dims.x * (size_t)dims.y * (size_t)dims.z, head = 0, tail = 0;
    vn_voxel* queue = malloc(total * sizeof *queue);
    uint8_t* from = calloc(total, 1); // 1 + the step towards the goal
    assert_true(queue);
    assert_true(from);
    queue[tail++] = goal;

    from[index_of(dims, goal)] = 7;
    while (head < tail) {
        vn_voxel v = queue[head++];
        for (uint8_t k = 0; k < 6; ++k) {
            vn_voxel n = {v.x - steps[k].x, v.y - steps[k].y, v.z - steps[k].z};
            if (vnt_voxels_are_free(voxels, n.x, n.y, n.z) && !from[index_of(dims, n)]) {
                from[index_of(dims, n)] = (uint8_t)(k + 1);
                queue[tail++] = n;
            }
        }
    }

    out->count = 0;
    uint8_t step = from[index_of(dims, start)];
    for (vn_voxel v = start; step && out->count < CAPACITY; step = from[index_of(dims, v)]) {
        out->points[out->count++] = vn_voxel_center(v);
        if (step == 7)
            break;
        v = (vn_voxel){v.x + steps[step - 1].x, v.y + steps[step - 1].y, v.z + steps[step - 1].z};
    }

    free(queue);
    free(from);
    for (int k = 0; k < 3; ++k) {
        out->count = vni_refine_prune(&space->occupancy, NULL, out->points, out->count);
        vni_refine_pull(&space->occupancy, NULL, out->points, out->count, 6);
    }

    return out->count >= 2;
}

static double cost_of(const vni_cost* cost, const route* w) {
    return vni_polyline_cost(cost, w->points, w->count) / VN_LATTICE;
}

static double length_of(const route* w) {
    return vni_polyline_length(w->points, w->count) / VN_LATTICE;
}

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// ------------------------------------------------------------------------------------------- random worlds

static void box_of(const route* w, vn_point* low, vn_point* high) {
    *low = *high = w->points[0];
    for (uint32_t i = 1; i < w->count; ++i) {
        vn_point p = w->points[i];
        low->x = p.x < low->x ? p.x : low->x;
        low->y = p.y < low->y ? p.y : low->y;
        low->z = p.z < low->z ? p.z : low->z;
        high->x = p.x > high->x ? p.x : high->x;
        high->y = p.y > high->y ? p.y : high->y;
        high->z = p.z > high->z ? p.z : high->z;
    }
}

static void check_vertices(const vn_space* space, const route* w, const vn_point* low, const vn_point* high) {
    for (uint32_t i = 1; i + 1 < w->count; ++i) {
        vn_point p = w->points[i];
        assert_true(vni_point_is_plain(&space->occupancy, p));
        if (low != NULL) {
            assert_true(p.x >= low->x);
            assert_true(p.y >= low->y);
            assert_true(p.z >= low->z);
            assert_true(p.x <= high->x);
            assert_true(p.y <= high->y);
            assert_true(p.z <= high->z);
        }
    }
}

/// Clears one route, at times with a box or little capacity, and checks what is promised. Returns what it
/// costs now, as part of what it did before.
static double check_line(vni_rng* rng, const vn_space* space, const vni_cost* cost, double distance,
                         const route* before) {
    route* now = malloc(sizeof *now);
    route* again = malloc(sizeof *again);
    vn_point low, high;
    assert_true(now);
    assert_true(again);
    *now = *again = *before;
    box_of(before, &low, &high);
    bool boxed = vni_rng_range(rng, 0, 3) == 0;
    uint32_t capacity =
        vni_rng_range(rng, 0, 3) ? CAPACITY : before->count + (uint32_t)vni_rng_range(rng, 0, 3);
    const vn_point *box_low = boxed ? &low : NULL, *box_high = boxed ? &high : NULL;
    vni_occupancy counted = space->occupancy; // an allocator that counts
    vnt_memory memory = vnt_memory_make();
    counted.allocator = vnt_memory_allocator(&memory);
    now->count =
        vni_refine_clear(&counted, cost, distance, now->points, now->count, capacity, box_low, box_high);
    assert_true(memory.calls == 0);
    again->count = vni_refine_clear(&space->occupancy, cost, distance, again->points, again->count, capacity,
                                    box_low, box_high);
    assert_int_equal(now->count, again->count);
    assert_memory_equal(now->points, again->points, now->count * sizeof *now->points);
    assert_true(now->count >= 2);
    assert_true(now->count <= capacity);
    assert_true(is_same(now->points[0], before->points[0]));
    assert_true(is_same(now->points[now->count - 1], before->points[before->count - 1]));
    assert_true(vn_space_check_path(space, now->points, now->count, NULL));
    check_vertices(space, now, box_low, box_high);
    double part = cost_of(cost, now) / cost_of(cost, before);
    free(now);
    free(again);

    return part;
}

static vni_zones random_zones(vni_rng* rng, vni_zone* zones, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            zones[i].low[k] = vni_rng_range(rng, 0, 20);
            zones[i].high[k] = zones[i].low[k] + vni_rng_range(rng, 1, 12);
        }
        zones[i].factor = 0.25 * vni_rng_range(rng, 1, 20);
    }

    return vni_zones_make(zones, count);
}

static void test_random_worlds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("refine_clear", 311));
    uint32_t paths = 0;
    double sum = 0;
    route* before = malloc(sizeof *before);

    assert_non_null(before);
    for (uint32_t i = 0; i < vnt_scale(60, 2000); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 32));
        vn_space* space = vnt_voxels_space(&voxels);
        vni_zone items[3];
        const vni_zones zones = random_zones(&rng, items, 3);
        vni_clearance clearance = {&space->occupancy, 0.3 + 4 * vni_rng_real(&rng),
                                   0.1 + 8 * vni_rng_real(&rng)};
        const vni_terms terms = {vni_rng_range(&rng, 0, 2) ? NULL : &zones, &clearance};
        const vni_cost cost = vni_cost_terms(VNI_METRIC_EUCLIDEAN, 26, &terms);

        vn_voxel start, goal;
        if (vnt_random_free_voxel(&rng, &voxels, &start) && vnt_random_free_voxel(&rng, &voxels, &goal) &&
            find_line(&voxels, space, start, goal, before) &&
            !is_same(before->points[0], before->points[1])) {
            double part = check_line(&rng, space, &cost, clearance.distance, before);
            assert_true(part <= 1 + 1e-9);
            sum += part;
            ++paths;
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    free(before);
    print_message("%u paths cost %.3f of what they did\n", paths, sum / paths);
    assert_true(paths > 20);
    assert_true(sum < 0.98 * paths);
}

// ------------------------------------------------------------------------------------------- known places

/// A box of blocked voxels [low, high).
typedef struct block {
    int32_t low[3], high[3];
} block;

typedef struct place {
    vnt_voxels voxels;
    vn_space* space;
    vni_clearance clearance;
    vni_terms terms;
    vni_cost cost;
    route before, now;
} place;

/// The least clearance of the path, up to the preferred one, voxels; `skip` voxels at both ends do not count.
static double least_clearance(const place* p, const route* w, double skip) {
    double total = length_of(w), gone = 0, least = p->clearance.distance;
    for (uint32_t i = 1; i < w->count; ++i) {
        const vn_point *a = &w->points[i - 1], *b = &w->points[i];
        vni_vec from = vni_v(a->x, a->y, a->z), along = vni_sub(vni_v(b->x, b->y, b->z), from);
        double length = vni_length(along) / VN_LATTICE;
        for (double s = 0; s <= length; s += 0.05) {
            if (gone + s < skip || gone + s > total - skip)
                continue;
            vni_vec at = vni_scale(vni_add_scaled(from, along, s / length), 1.0 / VN_LATTICE);
            least = fmin(least, p->clearance.distance * (1 - vni_clearance_missing(&p->clearance, at)));
        }

        gone += length;
    }

    return least;
}

static place* make_place(vn_voxel dims, const block* blocks, uint32_t count, double distance, vn_voxel start,
                         vn_voxel goal) {
    place* p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->voxels = vnt_voxels_make(dims);
    for (uint32_t i = 0; i < count; ++i)
        for (int32_t z = blocks[i].low[2]; z < blocks[i].high[2]; ++z)
            for (int32_t y = blocks[i].low[1]; y < blocks[i].high[1]; ++y)
                for (int32_t x = blocks[i].low[0]; x < blocks[i].high[0]; ++x)
                    vnt_voxels_block(&p->voxels, x, y, z);

    p->space = vnt_voxels_space(&p->voxels);
    p->clearance = (vni_clearance){&p->space->occupancy, distance, 4};
    p->terms.clearance = &p->clearance;
    p->cost = vni_cost_terms(VNI_METRIC_EUCLIDEAN, 26, &p->terms);
    assert_true(find_line(&p->voxels, p->space, start, goal, &p->before));
    p->now = p->before;
    p->now.count = vni_refine_clear(&p->space->occupancy, &p->cost, distance, p->now.points, p->now.count,
                                    CAPACITY, NULL, NULL);
    assert_true(vn_space_check_path(p->space, p->now.points, p->now.count, NULL));
    print_message("%u points, length %.1f, cost %.1f, clearance %.2f; then %u, %.1f, %.1f, %.2f\n",
                  p->before.count, length_of(&p->before), cost_of(&p->cost, &p->before),
                  least_clearance(p, &p->before, 0), p->now.count, length_of(&p->now),
                  cost_of(&p->cost, &p->now), least_clearance(p, &p->now, 0));

    return p;
}

static void free_place(place* p) {
    vn_space_destroy(p->space);
    vnt_voxels_free(&p->voxels);
    free(p);
}

/// A hall with a block in it, from one side of its corner to the other: nine tenths of the preferred
/// clearance, and few points.
static void test_corner(void** state) {
    (void)state;
    const block blocks[] = {{{0, 0, 0}, {30, 24, 12}}};
    for (int distance = 2; distance <= 5; ++distance) {
        place* p = make_place((vn_voxel){60, 60, 12}, blocks, 1, distance, (vn_voxel){2, 30, 6},
                              (vn_voxel){36, 2, 6});
        assert_true(least_clearance(p, &p->before, 2 * distance) < 0.5);
        assert_true(least_clearance(p, &p->now, 2 * distance) >= 0.9 * distance);
        assert_true(p->now.count <= 4);
        free_place(p);
    }
}

/// From wall to wall past a block, ends close to walls: away from the ends there is room.
static void test_around_block(void** state) {
    (void)state;
    const block blocks[] = {{{20, 0, 0}, {40, 20, 10}}};
    place* p = make_place((vn_voxel){60, 40, 10}, blocks, 1, 3, (vn_voxel){19, 2, 5}, (vn_voxel){40, 3, 5});
    assert_true(least_clearance(p, &p->now, 6) >= 2.7);
    assert_true(p->now.count <= 8);
    assert_true(length_of(&p->now) < 68);
    free_place(p);
}

/// A corridor four voxels wide, preferred distance 3: not farther than a quarter of a voxel from the middle.
static void test_corridor(void** state) {
    (void)state;
    const block blocks[] = {{{10, 0, 0}, {50, 14, 10}}, {{10, 18, 0}, {50, 40, 10}}};
    place* p = make_place((vn_voxel){60, 40, 10}, blocks, 2, 3, (vn_voxel){4, 5, 5}, (vn_voxel){56, 3, 5});
    assert_true(least_clearance(p, &p->before, 0) < 0.1);
    assert_true(least_clearance(p, &p->now, 0) >= 1.75);
    assert_true(p->now.count <= 6);
    free_place(p);
}

/// Doors one and two voxels wide and high: passed, and in the middle.
static void test_door(void** state) {
    (void)state;
    for (int32_t width = 1; width <= 2; ++width) {
        const block blocks[] = {{{30, 0, 0}, {32, 20, 20}},
                                {{30, 20 + width, 0}, {32, 40, 20}},
                                {{30, 20, 0}, {32, 20 + width, 9}},
                                {{30, 20, 9 + width}, {32, 20 + width, 20}}};
        place* p =
            make_place((vn_voxel){60, 40, 20}, blocks, 4, 3, (vn_voxel){4, 5, 5}, (vn_voxel){54, 36, 12});
        assert_true(least_clearance(p, &p->now, 0) >= 0.4 * width);
        assert_true(cost_of(&p->cost, &p->now) < cost_of(&p->cost, &p->before) - 1);
        assert_true(p->now.count <= 4);
        free_place(p);
    }
}

/// Around a pillar, between the next two, around the one after, `step` voxels apart.
static place* make_slalom(int32_t step) {
    block pillars[9];
    for (int32_t i = 0; i < 9; ++i) {
        int32_t x = 14 + 2 * step * (i / 3) + (i % 3 ? step : 0), y = i % 3 == 0 ? 19 : i % 3 == 1 ? 13 : 24;
        pillars[i] = (block){{x, y, 0}, {x + 3, y + 3, 8}};
    }

    int32_t end = 28 + 6 * step;
    return make_place((vn_voxel){end, 45, 8}, pillars, 9, 3, (vn_voxel){2, 20, 4},
                      (vn_voxel){end - 3, 20, 4});
}

/// With room: away from all of them, with few points for each. Without: as far away as is worth it.
static void test_slalom(void** state) {
    (void)state;
    place* wide = make_slalom(10);
    assert_true(least_clearance(wide, &wide->before, 6) < 0.5);
    assert_true(least_clearance(wide, &wide->now, 6) >= 2.7);
    assert_true(wide->now.count <= 16);
    free_place(wide);
    place* narrow = make_slalom(7);
    assert_true(cost_of(&narrow->cost, &narrow->now) < 0.88 * cost_of(&narrow->cost, &narrow->before));
    free_place(narrow);
}

/// Along a floor, in a band that is not as high as the preferred distance: up to its ceiling.
static void test_band(void** state) {
    (void)state;
    const block blocks[] = {{{0, 0, 0}, {60, 20, 2}}};
    const vn_point low = {0, 0, 2 * VN_LATTICE}, high = {60 * VN_LATTICE, 20 * VN_LATTICE, 4 * VN_LATTICE};
    place* p = make_place((vn_voxel){60, 20, 20}, blocks, 1, 6, (vn_voxel){3, 10, 2}, (vn_voxel){56, 10, 2});
    p->now = p->before;
    p->now.count = vni_refine_clear(&p->space->occupancy, &p->cost, 6, p->now.points, p->now.count, CAPACITY,
                                    &low, &high);
    check_vertices(p->space, &p->now, &low, &high);
    assert_true(least_clearance(p, &p->now, 6) >= 1.5);
    free_place(p);
}

/// Nothing near: nothing changes.
static void test_open(void** state) {
    (void)state;
    const block blocks[] = {{{0, 0, 0}, {60, 2, 20}}};
    place* p = make_place((vn_voxel){60, 40, 20}, blocks, 1, 4, (vn_voxel){4, 8, 5}, (vn_voxel){54, 36, 12});
    assert_int_equal(p->now.count, 2);
    assert_memory_equal(p->now.points, p->before.points, 2 * sizeof(vn_point));
    free_place(p);
}

/// Lone points and repeated ends are left alone; no capacity for more points is no fault; nor is a distance
/// that is larger than the space.
static void test_odd_paths(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){20, 20, 20});
    vnt_voxels_block(&voxels, 10, 10, 10);
    vn_space* space = vnt_voxels_space(&voxels);
    const vni_clearance clearance = {&space->occupancy, 1e7, 4};
    const vni_terms terms = {NULL, &clearance};
    const vni_cost cost = vni_cost_terms(VNI_METRIC_EUCLIDEAN, 26, &terms);
    vn_point points[4] = {{1024, 1024, 1024}, {1024, 1024, 1024}, {18000, 18000, 9000}, {18000, 18000, 9000}};
    assert_int_equal(vni_refine_clear(&space->occupancy, &cost, 1e7, points, 1, 1, NULL, NULL), 1);
    assert_int_equal(vni_refine_clear(&space->occupancy, &cost, 1e7, points, 2, 2, NULL, NULL), 2);
    uint32_t count = vni_refine_clear(&space->occupancy, &cost, 1e7, points, 4, 4, NULL, NULL);
    assert_true(count >= 2);
    assert_true(count <= 4);
    assert_true(vn_space_check_path(space, points, count, NULL));
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_worlds), cmocka_unit_test(test_corner),
                                       cmocka_unit_test(test_around_block),  cmocka_unit_test(test_corridor),
                                       cmocka_unit_test(test_door),          cmocka_unit_test(test_open),
                                       cmocka_unit_test(test_slalom),        cmocka_unit_test(test_band),
                                       cmocka_unit_test(test_odd_paths)};
    return cmocka_run_group_tests_name("path/refine_clear", tests, NULL, NULL);
}
