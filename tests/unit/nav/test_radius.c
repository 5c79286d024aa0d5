/// nav: the radius of an agent: given, or that of the only layer.
#include "scene.h"

static vn_nav* start(const vn_layer_def* layers, uint32_t count) {
    scene s;
    vn_nav_def def = scene_def();
    def.layer_count = count;
    memcpy(def.layers, layers, count * sizeof *layers);
    scene_start(&s, 1, &def);
    return s.nav;
}

static vn_nav_request any_request(void) {
    vn_nav_request request = vn_default_nav_request();
    request.path.start = scene_point(5, 10, 10);
    request.path.goal = scene_point(35, 10, 10);
    request.path.snap_distance = 20;
    return request;
}

static float radius_used(vn_nav* nav, const vn_nav_request* request) {
    vn_request_id id;
    vn_nav_result result;
    assert_int_equal(vn_nav_submit(nav, request, &id, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
    assert_true(vn_nav_next_result(nav, &result));
    const float radius = result.result.layer_radius;
    vn_nav_release_result(nav, id);
    return radius;
}

static const vn_point path[2] = {{5 * 1024, 10 * 1024, 10 * 1024}, {40 * 1024, 10 * 1024, 10 * 1024}};

static void test_one_layer(void** state) {
    (void)state;
    vn_nav* nav = start((vn_layer_def[]){{0.5f, 0}}, 1);
    vn_nav_request request = any_request();
    vn_watch_def def = vn_default_watch_def();
    vn_watch_id watch;
    assert_true(request.path.radius == VN_RADIUS_NOT_GIVEN);
    assert_true(radius_used(nav, &request) == 0.5f);
    request.path.radius = 0;
    assert_true(radius_used(nav, &request) == 0.5f);
    assert_int_equal(vn_nav_watch_points(nav, path, 2, &def, &watch, NULL), VN_OK);
    vn_nav_destroy(nav);
}

/// Doors alone leave no choice of radius.
static void test_one_radius(void** state) {
    (void)state;
    vn_nav* nav = start((vn_layer_def[]){{0.5f, 0}, {0.5f, 4}}, 2);
    vn_nav_request request = any_request();
    assert_true(radius_used(nav, &request) == 0.5f);
    vn_nav_destroy(nav);
}

static void test_several(void** state) {
    (void)state;
    vn_nav* nav = start((vn_layer_def[]){{1.5f, 0}, {0.25f, 0}, {1.5f, 4}}, 3);
    vn_nav_request request = any_request();
    vn_watch_def def = vn_default_watch_def();
    vn_request_id id;
    vn_watch_id watch;
    vn_detail detail = {0};
    assert_int_equal(vn_nav_submit(nav, &request, &id, &detail), VN_BAD_ARGUMENT);
    assert_string_equal(detail.text, "set the agent's radius: there are layers for 0.25, 1.5 metres");
    detail.text[0] = 0;
    assert_int_equal(vn_nav_watch_points(nav, path, 2, &def, &watch, &detail), VN_BAD_ARGUMENT);
    assert_string_equal(detail.text, "set the agent's radius: there are layers for 0.25, 1.5 metres");

    request.path.radius = def.radius = 0;
    assert_true(radius_used(nav, &request) == 0.25f);
    assert_int_equal(vn_nav_watch_points(nav, path, 2, &def, &watch, NULL), VN_OK);
    request.path.radius = 1;
    assert_true(radius_used(nav, &request) == 1.5f);
    request.path.radius = -2;
    assert_int_equal(vn_nav_submit(nav, &request, &id, NULL), VN_BAD_ARGUMENT);
    vn_nav_destroy(nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_layer),
        cmocka_unit_test(test_one_radius),
        cmocka_unit_test(test_several),
    };
    return cmocka_run_group_tests_name("nav/radius", tests, NULL, NULL);
}
