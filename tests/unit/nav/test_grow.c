/// nav: paths of more points than the nav was made for (vn_nav_grow).
#include "scene.h"

/// A wall with a hole in a corner: paths bend. Paths of up to 2 points, with this allocator.
static vn_nav* make(const vn_allocator* allocator, uint32_t workers) {
    vn_world_def world_def = vn_default_world_def();
    vn_nav_def def = vn_default_nav_def();
    const vn_shape walls[2] = {vnt_box_shape(vnt_vec(9, 0, 0), vnt_vec(10, 18, 20)),
                               vnt_box_shape(vnt_vec(9, 0, 0), vnt_vec(10, 20, 18))};
    vn_world* world;
    vn_nav* nav;
    world_def.allocator = def.allocator = *allocator;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (uint32_t i = 0; i < 2; ++i)
        assert_int_equal(vn_world_add(world, &walls[i], NULL, NULL), VN_OK);
    def.space.has_bounds = true;
    def.space.bounds = (vn_box){{0, 0, 0}, {20, 20, 20}};
    def.max_points = 2;
    def.workers = workers;
    def.max_requests = 3;
    def.max_watches = 2;
    def.mode = VN_NAV_LOCKSTEP;
    assert_int_equal(vn_nav_create(world, &def, &nav, NULL), VN_OK);
    return nav;
}

static vn_nav_request request_to(double x) {
    vn_nav_request request = vn_default_nav_request();
    request.path.use_positions = true;
    request.path.start_position = (vn_dvec3){2, 2, 2};
    request.path.goal_position = (vn_dvec3){x, 2, 2};
    return request;
}

static vn_nav_result collect(vn_nav* nav) {
    vn_nav_result result;
    for (uint32_t i = 0; i < 4; ++i)
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
    assert_true(vn_nav_next_result(nav, &result));
    return result;
}

static vn_nav_result ask(vn_nav* nav, double x) {
    const vn_nav_request request = request_to(x);
    vn_request_id id;
    assert_int_equal(vn_nav_submit(nav, &request, &id, NULL), VN_OK);
    return collect(nav);
}

static void grow_and_go_on(uint32_t workers) {
    const vn_allocator allocator = vn_default_allocator();
    vn_nav* nav = make(&allocator, workers);
    const vn_watch_def def = vn_default_watch_def();
    const vn_nav_result near_by = ask(nav, 8);
    const vn_point points[2] = {near_by.points[0], near_by.points[1]};
    const vn_nav_request request = request_to(18);
    vn_request_id before;
    vn_watch_id watch;
    vn_detail detail;
    assert_int_equal(near_by.point_count, 2);
    vn_nav_result far = ask(nav, 18);
    assert_int_equal(far.result.status, VN_CAPACITY);
    const uint32_t needed = far.result.needed_points;
    assert_true(needed > 2);
    vn_nav_release_result(nav, far.id);

    // One is under way meanwhile: it keeps its limit. The result that is held keeps its points.
    assert_int_equal(vn_nav_submit(nav, &request, &before, NULL), VN_OK);
    assert_int_equal(vn_nav_grow(nav, needed, &detail), VN_OK);
    assert_int_equal(vn_nav_grow(nav, 1, &detail), VN_OK); // no effect
    far = collect(nav);
    assert_int_equal(far.result.status, VN_CAPACITY);
    vn_nav_release_result(nav, far.id);

    far = ask(nav, 18);
    assert_int_equal(far.result.status, VN_OK);
    assert_int_equal(far.point_count, needed);
    assert_true(vn_space_check_path(far.space, far.points, far.point_count, NULL));
    assert_memory_equal(near_by.points, points, sizeof points);
    assert_int_equal(vn_nav_watch(nav, &far, &def, &watch, NULL), VN_OK);
    assert_int_equal(vn_nav_watch_advance(nav, watch, needed - 1), VN_OK);
    assert_int_equal(vn_nav_watch(nav, &near_by, &def, &watch, NULL), VN_OK);
    vn_nav_release_result(nav, near_by.id);
    assert_int_equal(vn_nav_grow(nav, 1u << 29, &detail), VN_TOO_LARGE);

    // Beyond the points of a worker's query, which grows along.
    assert_int_equal(vn_nav_grow(nav, 70000, &detail), VN_OK);
    const vn_nav_result again = ask(nav, 18);
    assert_int_equal(again.point_count, needed);
    assert_memory_equal(again.points, far.points, needed * sizeof *far.points);
    vn_nav_destroy(nav);
}

static void test_grow(void** state) {
    (void)state;
    grow_and_go_on(0);
}

static void test_grow_with_worker(void** state) {
    (void)state;
    if (VOLNAV_THREADS)
        grow_and_go_on(1);
}

/// Each allocation after growing fails once: the call says so, and the next one works.
static void test_no_memory(void** state) {
    (void)state;
    uint64_t failures = 0;
    for (uint64_t k = 0; k < 4; ++k) {
        vnt_memory memory = vnt_memory_make();
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_nav* nav = make(&allocator, 0);
        const vn_nav_request request = request_to(18);
        const vn_watch_def def = vn_default_watch_def();
        vn_request_id id;
        vn_watch_id watch;
        vn_detail detail;
        vn_nav_release_result(nav, ask(nav, 8).id); // the query is made
        assert_int_equal(vn_nav_grow(nav, 100, &detail), VN_OK);
        memory.fail_at = memory.calls + k;
        vn_status status = vn_nav_submit(nav, &request, &id, &detail);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        if (status != VN_OK)
            assert_int_equal(vn_nav_submit(nav, &request, &id, &detail), VN_OK);

        const vn_nav_result result = collect(nav);
        const bool failed = memory.failed;
        assert_int_equal(result.result.status, VN_OK);
        status = vn_nav_watch(nav, &result, &def, &watch, &detail);
        assert_int_equal(status, memory.failed != failed ? VN_OUT_OF_MEMORY : VN_OK);
        if (status != VN_OK)
            assert_int_equal(vn_nav_watch(nav, &result, &def, &watch, &detail), VN_OK);

        failures += memory.failed;
        vn_nav_destroy(nav);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    assert_int_equal(failures, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_grow_with_worker),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
