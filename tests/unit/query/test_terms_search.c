/// The search with terms by itself: the geometry of goals against brute force over lattice points, lower
/// bounds over connections, sweeps for a goal in sight, capacity, and what happens when the stamps run out.
#include "terms_oracle.h"

#include "base/hash.h"
#include "query/terms_search.h"
#include "space/space.h"

#define GOLDEN 0x2b41828afc445e73u

/// A room of 16 voxels with a window of 2 x 2 in the wall, through which an octant's middle sees the goal,
/// but neither the room's own middle nor its point nearest to the goal does.
static void test_look_around(void** state) {
    (void)state;
    const vn_voxel dims = {22, 16, 16};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t y = 0; y < 16; ++y)
        for (int32_t z = 0; z < 16; ++z)
            if (y < 6 || y > 7 || z < 6 || z > 7)
                vnt_voxels_block(&voxels, 16, y, z);

    scene s = make_scene(voxels);
    const int32_t far = 16 * VN_LATTICE;
    const vni_lattice_box box = {{0, 0, 0}, {far, far, far}};
    const vni_goal goal = {
        VNI_GOAL_SIGHT, box, {19 * VN_LATTICE + 512, 9 * VN_LATTICE, 9 * VN_LATTICE}, HUGE_VAL};
    const vn_point from = {0, far, far}, octant = {12 * VN_LATTICE, 4 * VN_LATTICE, 4 * VN_LATTICE};
    const vn_point middle = {far / 2, far / 2, far / 2}, nearest = {far, 9 * VN_LATTICE, 9 * VN_LATTICE};
    vn_point at;
    assert_true(vn_space_visible(s.space, octant, goal.center));
    assert_false(vn_space_visible(s.space, middle, goal.center));
    assert_false(vn_space_visible(s.space, nearest, goal.center));
    assert_true(vni_goal_reach(&goal, &s.space->occupancy, &box, from, &at));
    assert_true(vni_lattice_box_holds(&box, at));
    assert_true(vn_space_visible(s.space, at, goal.center));
    free_scene(&s);
}

// ----------------------------------------------------------------------------------------------------- goals

static vni_lattice_box random_box(vni_rng* rng, int32_t limit) {
    vni_lattice_box box;
    for (int i = 0; i < 3; ++i) {
        box.low[i] = vni_rng_range(rng, 0, limit);
        box.high[i] = vni_rng_range(rng, box.low[i], limit);
    }
    return box;
}

static vn_point random_in(vni_rng* rng, const vni_lattice_box* box) {
    vn_point p = {vni_rng_range(rng, box->low[0], box->high[0]),
                  vni_rng_range(rng, box->low[1], box->high[1]),
                  vni_rng_range(rng, box->low[2], box->high[2])};
    return p;
}

/// The least distance from `from` to a point of the box where the goal holds, in lattice steps.
static double nearest_by_force(const vni_goal* goal, const vni_lattice_box* box, vn_point from) {
    double best = HUGE_VAL;
    for (int32_t z = box->low[2]; z <= box->high[2]; ++z)
        for (int32_t y = box->low[1]; y <= box->high[1]; ++y)
            for (int32_t x = box->low[0]; x <= box->high[0]; ++x) {
                vn_point p = {x, y, z};
                double away = distance_between(p, goal->center) * VN_LATTICE;
                bool in_box = x >= goal->box.low[0] && y >= goal->box.low[1] && z >= goal->box.low[2] &&
                              x <= goal->box.high[0] && y <= goal->box.high[1] && z <= goal->box.high[2];
                if (goal->kind == VNI_GOAL_BOX ? in_box : away <= goal->distance)
                    best = fmin(best, distance_between(p, from) * VN_LATTICE);
            }

    return best;
}

static void test_regions(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("goal regions", 451));
    uint32_t found = 0, none = 0;
    for (uint32_t i = 0; i < vnt_scale(2000, 60000); ++i) {
        vni_lattice_box box = random_box(&rng, 16);
        vn_point from = random_in(&rng, &box), at;
        vni_goal goal = {i % 2 ? VNI_GOAL_BOX : VNI_GOAL_BALL, random_box(&rng, 24), {0, 0, 0}, 0};
        goal.center = random_in(&rng, &goal.box);
        goal.center.x -= vni_rng_range(&rng, 0, 10);
        goal.distance = vni_rng_range(&rng, 0, 80) / 8.0;
        double best = nearest_by_force(&goal, &box, from);
        bool reached = vni_goal_reach(&goal, NULL, &box, from, &at);
        assert_int_equal(reached, best < HUGE_VAL);
        found += reached;
        none += !reached;
        const float p[3] = {(float)from.x / VN_LATTICE, (float)from.y / VN_LATTICE,
                            (float)from.z / VN_LATTICE};
        assert_true((double)vni_goal_least(&goal, p) * VN_LATTICE <= best + 1e-3);

        if (!reached)
            continue;
        assert_true(vni_lattice_box_holds(&box, at));
        assert_true(vni_goal_holds(&goal, NULL, at));
        assert_true(distance_between(at, from) * VN_LATTICE <= best + (goal.kind == VNI_GOAL_BALL ? 2 : 0));
        vn_point first = vni_goal_first(&goal, NULL, from, at);
        assert_true(vni_goal_holds(&goal, NULL, first));
        assert_true(distance_between(first, from) <= distance_between(at, from));
    }

    assert_true(found > 200);
    assert_true(none > 200);
}

// ----------------------------------------------------------------------------------------- connections

typedef struct bench {
    scene s;
    vni_cells_search scratch;
    vni_terms costs;
} bench;

static bench make_bench(vnt_voxels voxels) {
    vn_allocator allocator = vn_default_allocator();
    bench b = {.s = make_scene(voxels)};
    uint32_t nodes = vni_cells_count(&b.s.space->cells) + VNI_TERMS_EXTRA;
    assert_int_equal(vni_cells_search_make(&allocator, nodes, &b.scratch), VN_OK);
    return b;
}

static void free_bench(bench* b) {
    vni_cells_search_free(&b->scratch);
    free_scene(&b->s);
}

static vni_cell_ref cell_at(const bench* b, vn_point p) {
    vni_cell_ref ref = {0, 0};
    assert_true(vni_cells_find(&b->s.space->cells, vn_space_voxel_at(b->s.space, p), &ref));
    return ref;
}

static vni_terms_def def_of(const bench* b, vn_point start, vn_point goal) {
    vni_terms_def def = {
        .cells = &b->s.space->cells,
        .occupancy = &b->s.space->occupancy,
        .start = start,
        .start_cells = {cell_at(b, start)},
        .start_count = 1,
        .goal = {VNI_GOAL_BOX, {{goal.x, goal.y, goal.z}, {goal.x, goal.y, goal.z}}, goal, 0},
        .costs = &b->costs,
        .weight = 1,
        .max_cost = HUGE_VALF,
    };

    return def;
}

/// The least cost over straight segments and hops, by Bellman and Ford.
static double least_cost(vn_point start, vn_point goal, const vni_hop* hops, uint32_t count) {
    double cost[VNI_MAX_HOPS], best = distance_between(start, goal);
    for (uint32_t i = 0; i < count; ++i)
        cost[i] = distance_between(start, hops[i].from) + hops[i].cost;

    for (uint32_t round = 0; round < count; ++round)
        for (uint32_t i = 0; i < count; ++i)
            for (uint32_t k = 0; k < count; ++k)
                cost[k] = fmin(cost[k], cost[i] + distance_between(hops[i].to, hops[k].from) + hops[k].cost);

    for (uint32_t i = 0; i < count; ++i)
        best = fmin(best, cost[i] + distance_between(hops[i].to, goal));

    return best;
}

/// In the open everything is convex: the lower bound at the start is the cost of the best path, and the
/// search finds it.
static void test_links_in_the_open(void** state) {
    (void)state;
    const vn_voxel dims = {64, 64, 64};
    vni_rng rng = vni_rng_make(vnt_seed("hops", 452));
    bench b = make_bench(vnt_voxels_make(dims));
    for (uint32_t i = 0; i < vnt_scale(200, 5000); ++i) {
        vni_hop hops[12];
        vni_terms_search search;
        vn_point start = vnt_random_point(&rng, dims, 64), goal = vnt_random_point(&rng, dims, 64);
        vni_terms_def def = def_of(&b, start, goal);
        def.hops = hops;

        def.hop_count = vni_rng_below(&rng, 13);
        for (uint32_t k = 0; k < def.hop_count; ++k) {
            vni_hop* hop = &hops[k];
            hop->from = vnt_random_point(&rng, dims, 64);
            hop->to = vnt_random_point(&rng, dims, 64);
            hop->from_cell = hop->to_cell = def.start_cells[0];
            hop->cost = vni_rng_range(&rng, 0, 64) / 4.0;
        }

        double best = least_cost(start, goal, hops, def.hop_count);
        assert_int_equal(vni_terms_search_begin(&search, &b.scratch, &def), VN_OK);
        double bound = (double)b.scratch.entries[0][0].f;
        assert_true(fabs(bound - best) < 1e-4 * (1 + best));
        assert_int_equal(vni_terms_search_step(&search, UINT64_MAX), VN_OK);
        assert_true(fabs((double)search.best - best) < 1e-4 * (1 + best));
    }

    free_bench(&b);
}

static void test_capacity_and_stamps(void** state) {
    (void)state;
    const vn_voxel dims = {70, 9, 9};
    const vn_point start = {512, 512, 512}, goal = {69 * VN_LATTICE, 4 * VN_LATTICE, 4 * VN_LATTICE};
    bench b = make_bench(vnt_voxels_make(dims));
    vni_terms_def def = def_of(&b, start, goal);
    vni_terms_search search;

    float best[3];
    for (int i = 0; i < 3; ++i) { // the second time the stamps begin anew
        b.scratch.generation = i == 1 ? UINT32_MAX - 1 : b.scratch.generation;
        assert_int_equal(vni_terms_search_begin(&search, &b.scratch, &def), VN_OK);
        assert_true(b.scratch.generation != 0);
        assert_true(b.scratch.generation % 2 == 0);
        assert_int_equal(vni_terms_search_step(&search, UINT64_MAX), VN_OK);
        best[i] = search.best;
    }

    assert_true(best[0] == best[1]);
    assert_true(best[0] == best[2]);
    b.scratch.capacity -= 1;
    assert_int_equal(vni_terms_search_begin(&search, &b.scratch, &def), VN_CAPACITY);
    b.scratch.capacity += 1;
    free_bench(&b);
}

/// More keys than the open set can hold: those that were overtaken are thrown out.
static void test_full_queue(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("full queue", 453));
    const vn_voxel dims = {40, 40, 40}, a = {0, 0, 0};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (uint32_t i = 1; i < 64000; ++i)
        voxels.blocked[i] = vni_rng_below(&rng, 3) == 0;

    voxels.blocked[0] = 0;
    bench b = make_bench(voxels);
    vni_terms_def def = def_of(&b, vn_voxel_center(a), vn_voxel_center(a));
    vni_terms_search search;
    uint32_t whole = b.scratch.queues[0].capacity, most = 0;
    uint64_t expanded[2];

    def.goal.kind = VNI_GOAL_NONE;
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(vni_terms_search_begin(&search, &b.scratch, &def), VN_OK);
        while (vni_terms_search_step(&search, 1) == VN_RUNNING)
            most = b.scratch.queues[0].count > most ? b.scratch.queues[0].count : most;
        expanded[i] = search.expanded;
        b.scratch.queues[0].capacity = most - most / 16; // some of them were overtaken
    }

    assert_true(expanded[0] > 1000);
    assert_true(expanded[0] == expanded[1]);
    b.scratch.queues[0].capacity = whole;
    free_bench(&b);
}

/// A hole in the wall at the limit, seen through at an angle: neither the nearest point of the room nor its
/// middle sees the goal, but some voxel does.
static void test_sweep(void** state) {
    (void)state;
    const vn_voxel dims = {20, 10, 10}, a = {1, 8, 8};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t i = 0; i < 100; ++i)
        if (i != 12) // y = 2, z = 1
            vnt_voxels_block(&voxels, 10, i % 10, i / 10);

    scene s = make_scene(voxels);
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = vn_voxel_center(a);
    request.goal = (vn_point){16 * VN_LATTICE + 512, 4 * VN_LATTICE + 512, VN_LATTICE + 512};
    request.goal_kind = VN_GOAL_SIGHT;
    request.has_limits = true;
    request.limits = (vn_box){{0, 0, 0}, {9.75f, 10, 10}};
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    assert_true(vn_space_visible(s.space, check_legs(&s, &request, &result), request.goal));
    vn_path_result sliced;

    assert_int_equal(vn_query_begin(s.query, &request, NULL), VN_OK);
    while (vn_query_step(s.query, 1) == VN_RUNNING) {
    }

    assert_int_equal(vn_query_finish(s.query, &sliced), VN_OK);
    assert_memory_equal(&sliced, &result, sizeof result);
    request.goal_distance = 5; // too near for every free voxel
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_NO_PATH);
    free_scene(&s);
}

// -------------------------------------------------------------------------------------------- clearance

/// What a path costs with a preferred clearance, sampled finely by the distance to walls; and how near it
/// comes to one, but for its ends.
static double sampled_cost(const scene* s, const vn_path_request* request, double* least) {
    uint32_t count;
    const vn_point* points = vn_query_points(s->query, &count);
    double sum = 0, preferred = (double)request->preferred_clearance,
           weight = (double)request->clearance_weight;

    *least = HUGE_VAL;
    for (uint32_t i = 1; i < count; ++i) {
        double length = distance_between(points[i - 1], points[i]);
        uint32_t steps = 1 + (uint32_t)(length * 32);
        for (uint32_t k = 0; k < steps; ++k) {
            double t = (k + 0.5) / steps;
            vn_point p = {(int32_t)(points[i - 1].x + t * (points[i].x - points[i - 1].x)),
                          (int32_t)(points[i - 1].y + t * (points[i].y - points[i - 1].y)),
                          (int32_t)(points[i - 1].z + t * (points[i].z - points[i - 1].z))};
            vn_wall wall;
            double away =
                vn_space_nearest_wall(s->space, p, preferred, &wall) == VN_OK ? wall.distance : preferred;
            sum += length / steps * (1 + weight * (1 - away / preferred));
            *least = fmin(*least, away);
        }
    }

    return sum;
}

/// A wall with a narrow door (one voxel) on the straight segment, and a wide opening (9 x 9) aside.
static scene openings(bool has_wide) {
    const vn_voxel dims = {60, 40, 40};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t z = 0; z < 40; ++z)
        for (int32_t y = 0; y < 40; ++y) {
            bool door = y == 20 && z == 20, opening = has_wide && y >= 26 && y < 35 && z >= 16 && z < 25;
            if (!door && !opening)
                vnt_voxels_block(&voxels, 30, y, z);
        }

    return make_scene(voxels);
}

static void test_clearance(void** state) {
    (void)state;
    const vn_voxel a = {10, 20, 20}, b = {50, 20, 20};
    for (int has_wide = 0; has_wide < 2; ++has_wide) {
        scene s = openings(has_wide);
        vn_path_request request = vn_default_path_request();
        vn_path_result plain, clear;
        double least, cost;
        request.start = vn_voxel_center(a);
        request.goal = vn_voxel_center(b);
        assert_int_equal(vn_query_find_path(s.query, &request, &plain, NULL), VN_OK);
        assert_true(plain.length < (has_wide ? 42 : 40.2)); // straight through the door, or nearly

        request.preferred_clearance = 3;
        for (int quality = 0; quality < VN_QUALITY_COUNT; ++quality) {
            request.quality = (vn_quality)quality;
            assert_int_equal(vn_query_find_path(s.query, &request, &clear, NULL), VN_OK);
            check_legs(&s, &request, &clear);
            cost = sampled_cost(&s, &request, &least);
            assert_true(fabs(cost - clear.cost) < 0.02 * cost);
            assert_int_equal(least > 2.5,
                             has_wide); // through the opening, in its middle; or through the door
            assert_true(clear.length < 46);
            assert_true(clear.cost >= clear.length);
        }

        request.refine = VN_REFINE_NONE; // the search itself keeps away from the opening's rim
        assert_int_equal(vn_query_find_path(s.query, &request, &clear, NULL), VN_OK);
        sampled_cost(&s, &request, &least);
        assert_int_equal(least > 2, has_wide);
        request.refine = VN_REFINE_DEFAULT;
        request.clearance_weight = 0; // walls cost nothing: the plain search
        request.quality = VN_QUALITY_STANDARD;
        assert_int_equal(vn_query_find_path(s.query, &request, &clear, NULL), VN_OK);
        assert_true(clear.cost == plain.cost);
        free_scene(&s);
    }
}

/// In random worlds a path that minds walls costs no more than the plain one would.
static void test_clearance_pays(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("clearance", 454));
    double plain_sum = 0, clear_sum = 0;
    uint32_t found = 0;
    for (uint32_t world = 0; world < vnt_scale(40, 1000); ++world) {
        scene s = random_scene(&rng, world);
        vn_voxel a, b;
        if (vnt_random_free_voxel(&rng, &s.voxels, &a) && vnt_random_free_voxel(&rng, &s.voxels, &b)) {
            vn_path_request request = vn_default_path_request();
            vn_path_result plain, clear;
            double least;
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            vn_query_find_path(s.query, &request, &plain, NULL);
            request.preferred_clearance = 1.5f;
            double cost = sampled_cost(&s, &request, &least);

            assert_int_equal(vn_query_find_path(s.query, &request, &clear, NULL), plain.status);
            if (plain.status == VN_OK) {
                check_legs(&s, &request, &clear);
                plain_sum += cost;
                clear_sum += clear.cost;
                ++found;
            }
        }

        free_scene(&s);
    }

    print_message("%u paths; cost over that of plain ones %.4f\n", found, clear_sum / plain_sum);
    assert_true(found > 20);
    assert_true(clear_sum < 0.9 * plain_sum);
}

// ----------------------------------------------------------------------------------------------- golden

/// The same bytes with every compiler and instruction set.
static void test_golden(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(2026);
    uint64_t hash = 0;
    for (uint32_t world = 0; world < 24; ++world) {
        scene s = random_scene(&rng, world);
        vn_voxel a, b;
        for (uint32_t i = 0; i < 6 && vnt_random_free_voxel(&rng, &s.voxels, &a) &&
                             vnt_random_free_voxel(&rng, &s.voxels, &b);
             ++i) {
            const vn_connection connection = {
                {(float)b.x, (float)b.y + 0.5f, (float)a.z}, {4, 4, 4.5f}, 1, true, 0};
            const vn_zone zone = {.box = {{2, 1, 2}, {5, 7, 6}}, .factor = 3};
            vn_path_request request = vn_default_path_request();
            vn_field_request field = vn_default_field_request();
            vn_path_result result;
            uint64_t random = world;
            vn_point p;
            double cost = 0;
            uint32_t count;
            request.start = field.source = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            request.goal_kind = (vn_goal_kind)(i % VN_GOAL_KIND_COUNT);
            request.goal_box = zone.box;
            request.goal_distance = 2;
            request.connections = &connection;
            request.connection_count = i % 2;
            request.zones = &zone;
            request.zone_count = world % 2;
            request.jitter = (float)(world % 3) / 4;
            request.has_limits = i == 4;
            request.limits = (vn_box){{0, 0, 0}, {70, (float)a.y + 1.375f, 70}};
            vn_query_find_path(s.query, &request, &result, NULL);
            const vn_point* points = vn_query_points(s.query, &count);
            hash = vni_hash_bytes(points, count * sizeof *points, hash ^ (uint64_t)result.status);
            assert_int_equal(vn_query_build_field(s.query, &field, NULL, NULL), VN_OK);
            assert_int_equal(vn_query_field_random(s.query, &random, &p, &cost), VN_OK);
            hash = vni_hash_bytes(&cost, sizeof cost, vni_hash_bytes(&p, sizeof p, hash));
        }

        free_scene(&s);
    }

    print_message("hash %016llx\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_look_around),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_links_in_the_open),
        cmocka_unit_test(test_full_queue),
        cmocka_unit_test(test_capacity_and_stamps),
        cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_clearance),
        cmocka_unit_test(test_clearance_pays),
        cmocka_unit_test(test_golden),
    };

    return cmocka_run_group_tests_name("query/terms_search", tests, NULL, NULL);
}
