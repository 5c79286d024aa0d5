/// The cost field: infinite exactly where there is no path, elsewhere hardly more than a search for that
/// target alone; its paths are valid, and its random points are where they should be.
#include "terms_oracle.h"

#include "probe/sight.h"
#include "space/space.h"

static vn_field_request field_from(vn_voxel source) {
    vn_field_request request = vn_default_field_request();
    request.source = vn_voxel_center(source);
    return request;
}

/// Sums of ratios.
typedef struct tally {
    double ratio, worst;
    uint32_t count, none;
} tally;

/// One target: cost and path agree, and are no better than possible.
static double check_target(const scene* s, const vn_field_request* request, vn_point target) {
    double cost;
    vn_path_result result;
    uint32_t count;
    assert_int_equal(vn_query_field_costs(s->query, &target, 1, &cost), VN_OK);
    vn_status status = vn_query_field_path(s->query, target, &result);
    const vn_point* points = vn_query_points(s->query, &count);

    assert_int_equal(status, cost < HUGE_VAL ? VN_OK : VN_NO_PATH);
    if (status != VN_OK) {
        assert_int_equal(count, 0);
        return cost;
    }

    assert_true(result.cost == cost);
    assert_true(result.point_count == count);
    assert_true(count > 0);
    assert_memory_equal(&points[0], &request->source, sizeof points[0]);
    assert_memory_equal(&points[count - 1], &target, sizeof target);
    assert_true(vn_space_check_path(s->space, points, count, NULL));

    bounds limits = request->has_limits ? bounds_of(request->limits) : no_bounds();
    for (uint32_t i = 0; i < count; ++i)
        assert_true(bounds_hold(&limits, points[i]));

    if (request->zone_count == 0)
        assert_true(fabs(result.length - cost) <= 1e-9 * (1 + cost));

    assert_true(request->max_cost == 0 || cost <= request->max_cost);
    return cost;
}

/// The same target by a search of its own.
static double single_cost(vn_query* query, const vn_field_request* field, vn_point target) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = field->source;
    request.goal = target;
    request.zones = field->zones;
    request.zone_count = field->zone_count;
    request.has_limits = field->has_limits;
    request.limits = field->limits;

    return vn_query_find_path(query, &request, &result, NULL) == VN_OK ? result.cost : HUGE_VAL;
}

static void check_field(const scene* s, vn_query* other, vni_rng* rng, const vn_field_request* request,
                        tally* t) {
    uint64_t cells = 0;
    assert_int_equal(vn_query_build_field(s->query, request, &cells, NULL), VN_OK);
    assert_true(cells > 0);
    for (uint32_t i = 0; i < 12; ++i) {
        vn_point target = vnt_random_point(rng, s->voxels.dims, i % 2 ? 128 : 512);
        double cost = check_target(s, request, target), single = single_cost(other, request, target);
        assert_true(cost < HUGE_VAL || !(single < HUGE_VAL));
        if (cost < HUGE_VAL && !(single < HUGE_VAL)) // a point that touches two regions: from the other one
            assert_false(vni_point_is_plain(&s->space->occupancy, target));

        t->none += !(cost < HUGE_VAL);
        if (cost < HUGE_VAL && single > 1 && single < HUGE_VAL) {
            t->ratio += cost / single;
            t->worst = fmax(t->worst, cost / single);
            ++t->count;
        }
    }
}

static void test_against_searches(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("field", 441));
    tally t = {0, 0, 0, 0}, zoned = {0, 0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(60, 2000); ++world) {
        scene s = random_scene(&rng, world);
        vn_query_def def = vn_default_query_def();
        vn_query* other;
        vn_voxel source;

        assert_int_equal(vn_query_create(s.space, &def, &other, NULL), VN_OK);
        for (uint32_t i = 0; i < 3 && vnt_random_free_voxel(&rng, &s.voxels, &source); ++i) {
            const vn_zone zone = {.box = {{2, 0, 2}, {7, 9, 7}}, .factor = i == 2 ? 5 : 0.5f};
            vn_field_request request = field_from(source);
            request.has_limits = i == 1;
            request.limits = (vn_box){{0, (float)source.y - 1.25f, 0}, {80, (float)source.y + 1.5f, 80}};
            request.zones = &zone;
            request.zone_count = i == 2;
            check_field(&s, other, &rng, &request, i == 2 ? &zoned : &t);
        }

        vn_query_destroy(other);
        free_scene(&s);
    }

    print_message("%u targets, %u out of reach; cost over a search's own %.4f, at worst %.3f\n", t.count,
                  t.none, t.ratio / t.count, t.worst);
    print_message("with zones %.4f, at worst %.3f\n", zoned.ratio / zoned.count, zoned.worst);
    assert_true(t.count > 300);
    assert_true(t.none > 100);
    assert_true(t.ratio < 1.02 * t.count);
    assert_true(t.worst < 1.4);
    assert_true(zoned.count > 150);
    assert_true(zoned.ratio < 1.05 * zoned.count);
}

/// With a limit: whatever costs clearly less is told, and nothing that costs more.
static void test_max_cost(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("field limit", 443));
    uint32_t inside = 0, lost = 0;
    for (uint32_t world = 0; world < vnt_scale(40, 1000); ++world) {
        scene s = random_scene(&rng, 7 + 8 * (world & 1));
        vn_voxel source;
        if (vnt_random_free_voxel(&rng, &s.voxels, &source)) {
            vn_field_request request = field_from(source);
            vn_point targets[20];
            double whole[20], cut[20];
            for (uint32_t i = 0; i < 20; ++i)
                targets[i] = vnt_random_point(&rng, s.voxels.dims, 64);

            assert_int_equal(vn_query_build_field(s.query, &request, NULL, NULL), VN_OK);
            assert_int_equal(vn_query_field_costs(s.query, targets, 20, whole), VN_OK);
            request.max_cost = vni_rng_range(&rng, 8, 320) / 8.0;
            assert_int_equal(vn_query_build_field(s.query, &request, NULL, NULL), VN_OK);

            assert_int_equal(vn_query_field_costs(s.query, targets, 20, cut), VN_OK);
            for (uint32_t i = 0; i < 20; ++i) {
                assert_true(cut[i] <= request.max_cost || !(cut[i] < HUGE_VAL));
                assert_true(cut[i] < HUGE_VAL || !(whole[i] <= 0.8 * request.max_cost));
                inside += whole[i] <= request.max_cost;
                lost += whole[i] <= request.max_cost && !(cut[i] < HUGE_VAL);
            }
        }

        free_scene(&s);
    }

    print_message("%u targets within the limit, %u of them lost\n", inside, lost);
    assert_true(inside > 100);
    assert_true(lost < inside / 20);
}

// ---------------------------------------------------------------------------------------------------- random

static void test_random_points(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("field random", 442));
    uint32_t found = 0, none = 0;
    for (uint32_t world = 0; world < vnt_scale(60, 2000); ++world) {
        scene s = random_scene(&rng, world);
        vn_voxel source;
        if (vnt_random_free_voxel(&rng, &s.voxels, &source)) {
            vn_field_request request = field_from(source);
            uint64_t random = vni_rng_next(&rng), again = random;
            request.max_cost = vni_rng_range(&rng, 0, 80) / 8.0;
            request.has_limits = world % 3 == 0;
            request.limits = (vn_box){{0, (float)source.y + 0.25f, 0}, {80, (float)source.y + 0.75f, 80}};

            assert_int_equal(vn_query_build_field(s.query, &request, NULL, NULL), VN_OK);
            for (uint32_t i = 0; i < 10; ++i) {
                vn_point p, q;
                double cost, twice;
                vn_status status = vn_query_field_random(s.query, &random, &p, &cost);
                assert_int_equal(vn_query_field_random(s.query, &again, &q, &twice), status);
                assert_true(random == again);
                none += status == VN_NOT_FOUND;

                if (status != VN_OK)
                    continue;
                assert_memory_equal(&p, &q, sizeof p);
                assert_true(cost == twice);
                assert_true(check_target(&s, &request, p) == cost);
                ++found;
            }
        }

        free_scene(&s);
    }

    assert_true(found > 300);
    assert_true(none == 0);
}

/// In the open, points within a cost fill a ball evenly: by shells of equal volume, and by octants. Over the
/// sides of blocks too, as far as the field can tell costs there.
static void check_ball(const vn_voxel dims, const vn_voxel source, double radius, double slack) {
    enum { POINTS = 4000, SHELLS = 8 };
    scene s = make_scene(vnt_voxels_make(dims));
    vn_field_request request = field_from(source);
    uint32_t shells[SHELLS] = {0}, octants[8] = {0};
    uint64_t random = 5;
    request.max_cost = radius;

    assert_int_equal(vn_query_build_field(s.query, &request, NULL, NULL), VN_OK);
    for (uint32_t i = 0; i < POINTS; ++i) {
        vn_point p;
        double cost;
        assert_int_equal(vn_query_field_random(s.query, &random, &p, &cost), VN_OK);
        double away = distance_between(p, request.source) / radius;
        assert_true(away <= 1);
        assert_true(cost >= away * radius - 1e-9);
        assert_true(cost <= radius);
        uint32_t shell = (uint32_t)(away * away * away * SHELLS);
        ++shells[shell < SHELLS ? shell : SHELLS - 1];
        ++octants[(p.x > request.source.x) + 2 * (p.y > request.source.y) + 4 * (p.z > request.source.z)];
    }

    for (uint32_t i = 0; i < 8; ++i) { // 500 each; the standard deviation is 21
        assert_true(fabs(shells[i] - 500.0) < 100 + slack);
        assert_true(fabs(octants[i] - 500.0) < 100 + slack);
    }

    free_scene(&s);
}

static void test_even(void** state) {
    (void)state;
    const vn_voxel small = {60, 60, 60}, large = {128, 128, 128}, a = {30, 30, 30}, b = {63, 63, 63};
    check_ball(small, a, 20, 0);
    check_ball(small, a, 0.5, 0);
    check_ball(large, b, 50, 40);
}

/// Without a limit: all that can be reached, evenly. Two rooms of 1 : 3, joined by a hole.
static void test_even_without_limit(void** state) {
    (void)state;
    const vn_voxel dims = {81, 20, 20}, source = {5, 5, 5};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t i = 0; i < 400; ++i)
        if (i != 210)
            vnt_voxels_block(&voxels, 20, i % 20, i / 20);

    scene s = make_scene(voxels);
    vn_field_request request = field_from(source);
    uint64_t random = 1;
    uint32_t near = 0;

    assert_int_equal(vn_query_build_field(s.query, &request, NULL, NULL), VN_OK);
    for (uint32_t i = 0; i < 4000; ++i) {
        vn_point p;
        assert_int_equal(vn_query_field_random(s.query, &random, &p, NULL), VN_OK);
        assert_true(vn_space_point_free(s.space, p));
        near += p.x < 20 * VN_LATTICE;
    }

    assert_true(near > 850);
    assert_true(near < 1150); // a quarter; the standard deviation is 27
    free_scene(&s);
}

// ----------------------------------------------------------------------------------------------------- order

static void test_order_and_statuses(void** state) {
    (void)state;
    const vn_voxel dims = {70, 20, 20}, source = {5, 5, 5}, wall = {40, 5, 5};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, wall.x, wall.y, wall.z);
    scene s = make_scene(voxels);
    vn_field_request request = field_from(source);
    vn_path_request search = vn_default_path_request();
    vn_path_result result;
    vn_detail detail;
    vn_point p = request.source;
    double cost;
    uint64_t random = 1, cells;
    assert_int_equal(vn_query_field_costs(s.query, &p, 1, &cost), VN_BAD_ORDER);
    assert_int_equal(vn_query_field_path(s.query, p, &result), VN_BAD_ORDER);
    assert_int_equal(vn_query_field_random(s.query, &random, &p, &cost), VN_BAD_ORDER);
    request.budget = 2;
    assert_int_equal(vn_query_build_field(s.query, &request, &cells, &detail), VN_BUDGET_SPENT);
    assert_int_equal(cells, 2);
    assert_int_equal(vn_query_field_costs(s.query, &p, 1, &cost), VN_OK);
    assert_true(cost == 0);
    search.start = search.goal = request.source;
    assert_int_equal(vn_query_begin(s.query, &search, NULL), VN_OK);
    assert_int_equal(vn_query_build_field(s.query, &request, &cells, &detail), VN_BAD_ORDER);

    assert_int_equal(vn_query_field_costs(s.query, &p, 1, &cost), VN_BAD_ORDER); // the search took its place
    while (vn_query_step(s.query, UINT64_MAX) == VN_RUNNING) {
    }

    assert_int_equal(vn_query_finish(s.query, &result), VN_OK);

    uint32_t count; // calls without a field change nothing
    assert_int_equal(vn_query_field_costs(s.query, &p, 1, &cost), VN_BAD_ORDER);
    assert_int_equal(vn_query_field_path(s.query, p, &result), VN_BAD_ORDER);
    vn_query_points(s.query, &count);
    assert_true(count > 0);
    request.source = vn_voxel_center(wall);
    assert_int_equal(vn_query_build_field(s.query, &request, &cells, &detail), VN_START_BLOCKED);
    assert_int_equal(vn_query_field_costs(s.query, &p, 1, &cost), VN_BAD_ORDER);
    request = field_from(source);
    request.has_limits = true;
    request.limits = (vn_box){{10, 0, 0}, {20, 20, 20}};
    assert_int_equal(vn_query_build_field(s.query, &request, &cells, &detail), VN_OUTSIDE);
    request = field_from(source);
    request.cookie = 0;
    assert_int_equal(vn_query_build_field(s.query, &request, &cells, &detail), VN_BAD_DEF);
    free_scene(&s);
}

/// In a zone this expensive, only the immediate surroundings of the source are within the maximum cost.
static void test_random_not_found(void** state) {
    (void)state;
    const vn_voxel dims = {60, 60, 60}, source = {30, 30, 30};
    const vn_zone zone = {.box = {{1, 1, 1}, {59, 59, 59}}, .factor = 1e6f};
    scene s = make_scene(vnt_voxels_make(dims));
    vn_field_request request = field_from(source);
    vn_point p;
    double cost;
    uint64_t random = 1;
    request.zones = &zone;
    request.zone_count = 1;
    request.max_cost = 20;

    assert_int_equal(vn_query_build_field(s.query, &request, NULL, NULL), VN_OK);
    assert_int_equal(vn_query_field_random(s.query, &random, &p, &cost), VN_NOT_FOUND);
    assert_int_equal(vn_query_field_path(s.query, vn_voxel_center((vn_voxel){1, 1, 1}), &(vn_path_result){0}),
                     VN_NO_PATH);
    free_scene(&s);
}

static void test_memory(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    const vn_voxel dims = {70, 20, 20}, source = {5, 5, 5};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_jobs serial = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.allocator = vnt_memory_allocator(&memory);
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    uint64_t calls = memory.calls, random = 9;
    vn_field_request request = field_from(source);
    vn_path_result result;
    vn_point p;
    double cost;
    assert_int_equal(vn_query_build_field(query, &request, NULL, NULL), VN_OK);
    assert_int_equal(vn_query_field_random(query, &random, &p, &cost), VN_OK);
    assert_int_equal(vn_query_field_costs(query, &p, 1, &cost), VN_OK);
    assert_int_equal(vn_query_field_path(query, p, &result), VN_OK);
    assert_int_equal(memory.calls, calls);
    vn_query_destroy(query);
    assert_int_equal(memory.live_blocks, 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Targets may lie anywhere, also where a step below them is no number.
static void test_far_targets(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){8, 8, 8});
    vn_jobs serial = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_field_request request = field_from((vn_voxel){0, 0, 0});
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    assert_int_equal(vn_query_build_field(query, &request, NULL, NULL), VN_OK);

    const int32_t far[4] = {INT32_MIN, INT32_MIN + 1, INT32_MAX, 0};
    for (int i = 0; i < 63; ++i) { // the last of all is the corner of the space
        vn_point target = {far[i & 3], far[i >> 2 & 3], far[i >> 4]};
        vn_path_result result;
        double cost;
        assert_int_equal(vn_query_field_costs(query, &target, 1, &cost), VN_OK);
        assert_true(cost == HUGE_VAL);
        assert_int_equal(vn_query_field_path(query, target, &result), VN_OUTSIDE);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_searches),
        cmocka_unit_test(test_max_cost),
        cmocka_unit_test(test_random_points),
        cmocka_unit_test(test_even),
        cmocka_unit_test(test_even_without_limit),
        cmocka_unit_test(test_order_and_statuses),
        cmocka_unit_test(test_far_targets),
        cmocka_unit_test(test_random_not_found),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests_name("query/field", tests, NULL, NULL);
}
