/// Goals that are regions, or places in sight, against brute force over voxels: a path is found exactly when
/// there is one, it ends where it should, and it is about as short as it could be.
#include "terms_oracle.h"

/// Sums over many requests: what the paths cost, and what the grid's do.
typedef struct tally {
    double cost, grid, worst;
    uint32_t found, none;
} tally;

static void count_in(tally* t, double cost, double grid) {
    t->cost += cost;
    t->grid += grid;
    ++t->found;
    if (grid > 2 && cost / grid > t->worst)
        t->worst = cost / grid;
}

static void print_tally(const char* name, const tally* t) {
    print_message("%s: %u found, %u not; cost over the grid's %.4f, at worst %.3f\n", name, t->found, t->none,
                  t->cost / t->grid, t->worst);
}

static double clamped(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/// The point of a box that is nearest to p.
static vn_point nearest_in(const bounds* b, vn_point p) {
    vn_point q = {(int32_t)clamped(p.x, b->low[0], b->high[0]), (int32_t)clamped(p.y, b->low[1], b->high[1]),
                  (int32_t)clamped(p.z, b->low[2], b->high[2])};
    return q;
}

/// A box with corners on multiples of a random step, now and then flat; partly outside.
static vn_box random_box(vni_rng* rng, vn_voxel dims) {
    static const int32_t steps[4] = {1, 100, 512, 1024};
    const int32_t size[3] = {dims.x, dims.y, dims.z};
    int32_t step = steps[vni_rng_below(rng, 4)];
    float low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        int32_t most = size[i] * VN_LATTICE / step;
        int32_t a = vni_rng_range(rng, -most / 8, most + most / 8);
        int32_t b = a + (vni_rng_below(rng, 6) == 0 ? 0 : vni_rng_range(rng, 0, most / 2));
        low[i] = (float)(a * step) / VN_LATTICE;
        high[i] = (float)(b * step) / VN_LATTICE;
    }

    vn_box box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return box;
}

static vn_path_request request_from(vn_voxel start, vni_rng* rng) {
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center(start);
    request.quality = (vn_quality)vni_rng_below(rng, VN_QUALITY_COUNT);
    return request;
}

// ----------------------------------------------------------------------------------------------------- boxes

/// The least cost to a point of the box over the centre of a voxel that touches it; infinity if none was
/// reached.
static double best_to_box(const scene* s, const bounds* box, const unsigned char* reached,
                          const double* grid) {
    double best = HUGE_VAL;
    for (uint32_t i = 0; i < voxel_count(&s->voxels); ++i) {
        vn_voxel v = voxel_of(&s->voxels, i);
        bounds voxel = bounds_of_voxel(v), shared = bounds_cut(&voxel, box);
        if (!reached[i] || bounds_are_empty(&shared))
            continue;
        vn_point center = vn_voxel_center(v);
        best = fmin(best, grid[i] + distance_between(center, nearest_in(&shared, center)));
    }

    return best;
}

static void check_box(const scene* s, vni_rng* rng, vn_voxel start, tally* t) {
    bounds everywhere = no_bounds();
    vn_path_request request = request_from(start, rng);
    vn_path_result result;
    request.goal_kind = VN_GOAL_BOX;
    request.goal_box = random_box(rng, s->voxels.dims);
    bounds box = bounds_of(request.goal_box);
    unsigned char* reached = flood(&s->voxels, start, &everywhere, NULL, 0);
    double* grid = grid_costs(&s->voxels, start, &everywhere, NULL, 0);
    double best = best_to_box(s, &box, reached, grid);
    vn_status status = vn_query_find_path(s->query, &request, &result, NULL);

    assert_int_equal(status, best < HUGE_VAL ? VN_OK : VN_NO_PATH);
    if (status == VN_OK) {
        vn_point end = check_legs(s, &request, &result);
        assert_true(bounds_hold(&box, end));
        assert_memory_equal(&end, &result.goal, sizeof end);
        assert_true(result.cost >= distance_between(request.start, nearest_in(&box, request.start)) - 1e-9);
        if (request.quality == VN_QUALITY_STANDARD)
            count_in(t, result.cost, best);
    } else {
        assert_int_equal(result.expanded, 0); // known from the labels
        ++t->none;
    }

    free(reached);
    free(grid);
}

// ----------------------------------------------------------------------------------------------------- balls

static double best_to_ball(const scene* s, vn_point center, double radius, const unsigned char* reached,
                           const double* grid) {
    double best = HUGE_VAL;
    for (uint32_t i = 0; i < voxel_count(&s->voxels); ++i) {
        bounds voxel = bounds_of_voxel(voxel_of(&s->voxels, i));
        vn_point nearest = nearest_in(&voxel, center), from = vn_voxel_center(voxel_of(&s->voxels, i));
        if (!reached[i] || distance_between(nearest, center) > radius)
            continue;
        best = fmin(best, grid[i] + fmin(distance_between(from, nearest),
                                         fmax(0, distance_between(from, center) - radius)));
    }

    return best;
}

static void check_ball(const scene* s, vni_rng* rng, vn_voxel start, tally* t) {
    bounds everywhere = no_bounds();
    vn_path_request request = request_from(start, rng);
    vn_path_result result;
    request.goal_kind = VN_GOAL_SPHERE;
    request.goal = vnt_random_point(rng, s->voxels.dims, 64);
    request.goal.x += vni_rng_range(rng, -2, 2) * VN_LATTICE;
    request.goal_distance = vni_rng_range(rng, 0, 64) / 16.0;
    unsigned char* reached = flood(&s->voxels, start, &everywhere, NULL, 0);
    double* grid = grid_costs(&s->voxels, start, &everywhere, NULL, 0);
    double best = best_to_ball(s, request.goal, request.goal_distance, reached, grid);
    vn_status status = vn_query_find_path(s->query, &request, &result, NULL);

    assert_int_equal(status, best < HUGE_VAL ? VN_OK : VN_NO_PATH);
    if (status == VN_OK) {
        vn_point end = check_legs(s, &request, &result);
        double away = distance_between(request.start, request.goal);
        assert_true(distance_between(end, request.goal) <= request.goal_distance);
        assert_true(result.cost >= away - request.goal_distance - 1e-9);
        if (request.quality == VN_QUALITY_STANDARD)
            count_in(t, result.cost, best);
    } else {
        assert_int_equal(result.expanded, 0);
        ++t->none;
    }

    free(reached);
    free(grid);
}

// ----------------------------------------------------------------------------------------------------- sight

/// The least cost to the centre of a voxel that sees the goal.
static double best_to_sight(const scene* s, const vn_path_request* request, const bounds* limits,
                            const unsigned char* reached, const double* grid) {
    double best = HUGE_VAL;
    for (uint32_t i = 0; i < voxel_count(&s->voxels); ++i) {
        vn_point center = vn_voxel_center(voxel_of(&s->voxels, i));
        bool near =
            request->goal_distance == 0 || distance_between(center, request->goal) <= request->goal_distance;
        if (reached[i] && near && bounds_hold(limits, center) &&
            vn_space_visible(s->space, center, request->goal))
            best = fmin(best, grid[i]);
    }

    return best;
}

static void check_sight(const scene* s, vni_rng* rng, vn_voxel start, tally* t) {
    vn_path_request request = request_from(start, rng);
    vn_path_result result;
    request.goal_kind = VN_GOAL_SIGHT;
    request.goal = vnt_random_point(rng, s->voxels.dims, vni_rng_below(rng, 2) ? 64 : 512);

    request.goal_distance = vni_rng_below(rng, 2) ? 0 : vni_rng_range(rng, 1, 96) / 16.0;
    if (vni_rng_below(rng, 2)) { // limits keep him away from what he wants to see
        request.has_limits = true;
        request.limits = (vn_box){{0, 0, 0}, {100, 100, 100}};
        float* low = &request.limits.min.x;
        float* high = &request.limits.max.x;
        const int32_t at[3] = {start.x, start.y, start.z};
        int axis = (int)vni_rng_below(rng, 3);
        low[axis] = (float)at[axis] - (float)vni_rng_range(rng, 0, 32) / 16;
        high[axis] = (float)at[axis] + 1 + (float)vni_rng_range(rng, 0, 32) / 16;
    }

    bounds limits = request.has_limits ? bounds_of(request.limits) : no_bounds();
    unsigned char* reached = flood(&s->voxels, start, &limits, NULL, 0);
    double* grid = grid_costs(&s->voxels, start, &limits, NULL, 0);
    double best = best_to_sight(s, &request, &limits, reached, grid);

    vn_status status = vn_query_find_path(s->query, &request, &result, NULL);
    if (best < HUGE_VAL)
        assert_int_equal(status, VN_OK);

    if (status == VN_OK) {
        vn_point end = check_legs(s, &request, &result);
        assert_true(vn_space_visible(s->space, end, request.goal));
        assert_true(request.goal_distance == 0 ||
                    distance_between(end, request.goal) <= request.goal_distance);
        if (best < HUGE_VAL && request.quality == VN_QUALITY_STANDARD)
            count_in(t, result.cost, best);
    } else {
        assert_int_equal(status, VN_NO_PATH);
        ++t->none;
        request.allow_partial = true;
        assert_int_equal(vn_query_find_path(s->query, &request, &result, NULL), VN_PARTIAL);
        check_legs(s, &request, &result);
    }

    free(reached);
    free(grid);
}

static void run(vni_rng* rng, uint32_t worlds, void (*check)(const scene*, vni_rng*, vn_voxel, tally*),
                tally* t) {
    for (uint32_t world = 0; world < worlds; ++world) {
        scene s = random_scene(rng, world);
        vn_voxel start;
        for (uint32_t i = 0; i < 6 && vnt_random_free_voxel(rng, &s.voxels, &start); ++i)
            check(&s, rng, start, t);
        free_scene(&s);
    }
}

static void test_boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("goal boxes", 401));
    tally t = {0, 0, 0, 0, 0};
    run(&rng, vnt_scale(60, 2000), check_box, &t);
    print_tally("boxes", &t);
    assert_true(t.found > 50);
    assert_true(t.none > 20);
    assert_true(t.cost < 0.99 * t.grid);
    assert_true(t.worst < 1.35);
}

static void test_balls(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("goal balls", 402));
    tally t = {0, 0, 0, 0, 0};
    run(&rng, vnt_scale(60, 2000), check_ball, &t);
    print_tally("balls", &t);
    assert_true(t.found > 50);
    assert_true(t.none > 20);
    assert_true(t.cost < 0.99 * t.grid);
    assert_true(t.worst < 1.35);
}

static void test_sight(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("goal in sight", 403));
    tally t = {0, 0, 0, 0, 0};
    run(&rng, vnt_scale(80, 3000), check_sight, &t);
    print_tally("sight", &t);
    assert_true(t.found > 50);
    assert_true(t.none > 20);
    assert_true(t.cost < 1.05 * t.grid);
}

// --------------------------------------------------------------------------------------------- a fixed world

/// Two rooms, 40 x 20 x 20 each, with a door in one corner of the wall between them.
static vnt_voxels rooms(bool door) {
    const vn_voxel dims = {81, 20, 20};
    vnt_voxels v = vnt_voxels_make(dims);
    for (int32_t z = 0; z < 20; ++z)
        for (int32_t y = 0; y < 20; ++y)
            if (!door || y >= 2 || z >= 2)
                vnt_voxels_block(&v, 40, y, z);

    return v;
}

static vn_path_request into_the_other_room(void) {
    const vn_voxel a = {5, 15, 15}, b = {75, 15, 15};
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);
    return request;
}

static void test_kinds_side_by_side(void** state) {
    (void)state;
    scene s = make_scene(rooms(true));
    vn_path_request request = into_the_other_room();
    vn_path_result point, ball, sight, box;
    assert_int_equal(vn_query_find_path(s.query, &request, &point, NULL), VN_OK);
    request.goal_kind = VN_GOAL_SPHERE;
    request.goal_distance = 10;
    assert_int_equal(vn_query_find_path(s.query, &request, &ball, NULL), VN_OK);
    assert_true(fabs(ball.length - (point.length - 10)) < 0.05); // straight from the door
    request.goal_kind = VN_GOAL_SIGHT;
    request.goal_distance = 0;
    assert_int_equal(vn_query_find_path(s.query, &request, &sight, NULL), VN_OK);
    check_legs(&s, &request, &sight);
    assert_true(sight.length < ball.length - 10);
    assert_true(sight.goal.x < 42 * VN_LATTICE); // at the door
    request.goal_kind = VN_GOAL_BOX;
    request.goal_box = (vn_box){{60, 0, 0}, {81, 20, 20}};
    assert_int_equal(vn_query_find_path(s.query, &request, &box, NULL), VN_OK);
    assert_int_equal(box.goal.x, 60 * VN_LATTICE);
    assert_true(fabs(box.length - sqrt(35.0 * 35 + 13.5 * 13.5 * 2) - 20) < 1.2);
    free_scene(&s);
}

static void test_start_is_there(void** state) {
    (void)state;
    scene s = make_scene(rooms(true));
    vn_path_request request = into_the_other_room();
    vn_path_result result;
    request.goal = request.start;

    request.goal_box = (vn_box){{0, 0, 0}, {20, 20, 20}};
    for (int kind = VN_GOAL_BOX; kind < VN_GOAL_KIND_COUNT; ++kind) {
        request.goal_kind = (vn_goal_kind)kind;
        request.goal_distance = kind == VN_GOAL_SPHERE ? 3 : 0;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
        assert_int_equal(result.point_count, 1);
        assert_true(result.length == 0);
        assert_true(result.cost == 0);
        assert_memory_equal(&result.goal, &request.start, sizeof result.goal);
    }

    free_scene(&s);
}

static void test_slices_budget_partial(void** state) {
    (void)state;
    scene s = make_scene(rooms(true));
    for (int kind = VN_GOAL_BOX; kind < VN_GOAL_KIND_COUNT; ++kind) {
        vn_path_request request = into_the_other_room();
        vn_path_result whole, sliced, cut;
        request.goal_kind = (vn_goal_kind)kind;
        request.goal_box = (vn_box){{60, 0, 0}, {81, 20, 20}};
        request.goal_distance = kind == VN_GOAL_SPHERE ? 3 : 0;
        assert_int_equal(vn_query_find_path(s.query, &request, &whole, NULL), VN_OK);

        assert_int_equal(vn_query_begin(s.query, &request, NULL), VN_OK);
        while (vn_query_step(s.query, 1) == VN_RUNNING) {
        }

        assert_int_equal(vn_query_finish(s.query, &sliced), VN_OK);
        assert_memory_equal(&sliced, &whole, sizeof whole);
        request.budget = 1;
        assert_int_equal(vn_query_find_path(s.query, &request, &cut, NULL), VN_BUDGET_SPENT);
        assert_int_equal(cut.expanded, 1);
        request.allow_partial = true;
        assert_int_equal(vn_query_find_path(s.query, &request, &cut, NULL), VN_PARTIAL);
        assert_int_equal(cut.reason, VN_BUDGET_SPENT);
        check_legs(&s, &request, &cut);
    }

    free_scene(&s);
}

static void test_no_way(void** state) {
    (void)state;
    scene s = make_scene(rooms(false));
    for (int kind = VN_GOAL_BOX; kind < VN_GOAL_KIND_COUNT; ++kind) {
        vn_path_request request = into_the_other_room();
        vn_path_result result;
        request.goal_kind = (vn_goal_kind)kind;
        request.goal_box = (vn_box){{60, 0, 0}, {81, 20, 20}};
        request.goal_distance = kind == VN_GOAL_SPHERE ? 3 : 0;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_NO_PATH);
        assert_int_equal(result.expanded, 0);
        request.allow_partial = true;
        assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_PARTIAL);
        assert_int_equal(result.reason, VN_NO_PATH);
        vn_point end = check_legs(&s, &request, &result);
        assert_int_equal(end.x, 40 * VN_LATTICE); // as far as the wall
    }

    free_scene(&s);
}

/// The same by a counting allocator: a query allocates nothing, whatever it is asked.
static void test_memory(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vnt_voxels voxels = rooms(true);
    vn_jobs serial = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.allocator = vnt_memory_allocator(&memory);
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);

    uint64_t calls = memory.calls;
    for (int kind = 0; kind < VN_GOAL_KIND_COUNT; ++kind) {
        const vn_connection connection = {{2, 2, 2}, {60, 10, 10}, 1, true, 0};
        const vn_zone zone = {.box = {{10, 0, 0}, {20, 20, 20}}, .factor = 3};
        vn_path_request request = into_the_other_room();
        vn_path_result result;
        request.goal_kind = (vn_goal_kind)kind;
        request.goal_box = (vn_box){{60, 0, 0}, {81, 20, 20}};
        request.goal_distance = kind == VN_GOAL_SPHERE ? 3 : 0;
        request.connections = &connection;
        request.connection_count = 1;
        request.zones = &zone;
        request.zone_count = 1;
        request.has_limits = true;
        request.limits = (vn_box){{0, 0, 0}, {80, 17, 20}};
        request.preferred_clearance = 1;
        request.jitter = 0.5f;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    }

    assert_int_equal(memory.calls, calls);
    vn_query_destroy(query);
    assert_int_equal(memory.live_blocks, 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),          cmocka_unit_test(test_balls),
        cmocka_unit_test(test_sight),          cmocka_unit_test(test_kinds_side_by_side),
        cmocka_unit_test(test_start_is_there), cmocka_unit_test(test_slices_budget_partial),
        cmocka_unit_test(test_no_way),         cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests_name("query/goals", tests, NULL, NULL);
}
