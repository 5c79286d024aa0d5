/// nav: requests with fuel burn what the meter says in the version that they name, zones of the world
/// included, and no more than the same requests without it; for planners they are refused.
#include "zones.h"

/// What the meter says; the world has this zone alone.
static double measure(const vn_nav_result* a, const vn_fuel_model* model) {
    double fuel;
    const vn_zone rain = {.box = {{30, 10, 8}, {60, 40, 40}}, .factor = VN_BAD_WEATHER};
    assert_int_equal(vn_fuel_of_path(a->space, model, &rain, 1, 0, a->points, a->point_count, &fuel, NULL),
                     VN_OK);
    return fuel;
}

static vn_nav_result run(scene* s, const vn_nav_request* request) {
    vn_nav_result result;
    vn_request_id id;
    assert_int_equal(vn_nav_submit(s->nav, request, &id, NULL), VN_OK);
    tick(s);
    assert_true(vn_nav_next_result(s->nav, &result));
    assert_true(result.id == id);
    return result;
}

static void test_requests(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, vnt_seed("nav fuel", 71), &def);
    vn_zone_def zone = vn_default_zone_def();
    zone.shape = vnt_box_shape(vnt_vec(30, 10, 8), vnt_vec(60, 40, 40));
    zone.factor = VN_BAD_WEATHER;
    assert_int_equal(vn_nav_add_zone(s.nav, &zone, NULL, NULL), VN_OK);
    tick(&s);

    uint32_t found = 0;
    for (uint32_t i = 0; i < vnt_scale(40, 600); ++i) {
        vn_nav_request request = scene_request(&s.rng);
        const vn_fuel_model model = vn_default_fuel_model(i % 2 ? VN_FUEL_R16 : VN_FUEL_GRAVITY);
        vn_nav_result result = run(&s, &request);
        const double without = measure(&result, &model);
        const vn_status status = result.result.status;
        assert_true(result.result.fuel == 0);
        vn_nav_release_result(s.nav, result.id);

        request.path.fuel = model;
        result = run(&s, &request);
        const double with = measure(&result, &model);
        assert_int_equal(result.result.status, status);
        assert_true(fabs(result.result.fuel - with) <= 1e-9 * with);
        assert_true(with <= without * (1 + 1e-12));
        found += status == VN_OK;
        vn_nav_release_result(s.nav, result.id);
    }

    assert_true(found > 10);
    vn_nav_destroy(s.nav);
}

static vn_status no_begin(void* self, uint64_t version, vn_point start, vn_point goal, vn_detail* detail) {
    (void)self, (void)version, (void)start, (void)goal, (void)detail;
    return VN_OK;
}

static vn_status no_move(void* self, vn_point start, vn_point goal) {
    (void)self, (void)start, (void)goal;
    return VN_OK;
}

static vn_status no_advance(void* self, uint64_t version, vn_detail* detail) {
    (void)self, (void)version, (void)detail;
    return VN_OK;
}

static vn_status no_step(void* self, uint64_t max_expansions) {
    (void)self, (void)max_expansions;
    return VN_OK;
}

static vn_status no_path(void* self, vn_plan* out) {
    (void)self;
    memset(out, 0, sizeof *out);
    return VN_OK;
}

static void test_planners_refuse(void** state) {
    (void)state;
    scene s;
    vn_nav_def def = scene_def();
    scene_start(&s, 72, &def);
    const vn_planner planner = {
        .begin = no_begin, .move = no_move, .advance = no_advance, .step = no_step, .path = no_path};
    vn_nav_request request = scene_request(&s.rng);
    vn_request_id id;
    request.planner = &planner;
    request.path.snap_distance = 0;
    assert_int_equal(vn_nav_submit(s.nav, &request, &id, NULL), VN_OK);
    assert_int_equal(vn_nav_cancel(s.nav, id), VN_OK);
    request.path.fuel = vn_default_fuel_model(VN_FUEL_R16);
    assert_int_equal(vn_nav_submit(s.nav, &request, &id, NULL), VN_UNSUPPORTED);
    request.planner = NULL;
    request.path.fuel.max_climbs = 1;
    assert_int_equal(vn_nav_submit(s.nav, &request, &id, NULL), VN_UNSUPPORTED);
    vn_nav_destroy(s.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_requests),
                                       cmocka_unit_test(test_planners_refuse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
