/// tests/unit/avoid/test_order.c: the same bytes whatever the order of the agents and the number of workers.
#include "cmocka_all.h"
#include "crowd.h"
#include "support.h"

typedef enum scene { HIGH, FLAT, SPHERE, PUSHING, SCENES } scene;

static vn_avoid_obstacle ball(vnt_crowd* crowd, double x) {
    (void)crowd;
    return (vn_avoid_obstacle){.position = {x, 2, 3}, .radius = 1, .rotation = {0, 0, 0, 1}};
}

/// The hash of a second of a scene with a ball that moves through it.
static uint64_t run(scene which, const vn_jobs* jobs) {
    vn_avoid_obstacle_id id;
    vnt_crowd_report report = {0};
    vn_avoid_strait strait = {{20, 1, 1}, {21, 3, 2}, 0};
    vnt_crowd_jobs = *jobs;
    vnt_crowd_mode = which == PUSHING ? VN_AVOID_PUSH : VN_AVOID_RECIPROCAL;
    vnt_crowd crowd = which == HIGH || which == PUSHING ? vnt_corridor(60, 4, true, 1)
                      : which == FLAT                   ? vnt_corridor(60, 1, true, 2)
                                                        : vnt_sphere(200, 6);
    vnt_crowd_jobs = vn_serial_jobs();
    vnt_crowd_mode = VN_AVOID_RECIPROCAL;
    vn_avoid_obstacle obstacle = ball(&crowd, 5);
    assert_int_equal(vn_avoid_add_strait(crowd.avoid, &strait, NULL), VN_OK);
    assert_int_equal(vn_avoid_add_obstacle(crowd.avoid, &obstacle, &id, NULL), VN_OK);

    for (uint32_t i = 0; i < vnt_scale(150, 1500); ++i) {
        obstacle = ball(&crowd, 5 + 0.02 * i);
        assert_int_equal(vn_avoid_move_obstacle(crowd.avoid, id, &obstacle), VN_OK);
        vnt_crowd_step(&crowd, 1.0f / 30, &report);
    }

    assert_int_equal(report.wall_faults, 0);
    vnt_crowd_free(&crowd);
    return report.hash;
}

static void test_order(void** state) {
    (void)state;
    const vn_jobs forwards = vn_serial_jobs(), backwards = vnt_reverse_jobs();
    for (int i = 0; i < SCENES; ++i)
        assert_true(run((scene)i, &forwards) == run((scene)i, &backwards));
}

static void test_workers(void** state) {
    (void)state;
    const vn_jobs serial = vn_serial_jobs();
    const vn_allocator allocator = vn_default_allocator();
    vn_pool* pool;
    vn_status status = vn_pool_create(&allocator, 3, &pool);
    if (status == VN_UNSUPPORTED)
        skip();
    assert_int_equal(status, VN_OK);
    const vn_jobs jobs = vn_pool_jobs(pool);
    for (int i = 0; i < SCENES; ++i)
        assert_true(run((scene)i, &serial) == run((scene)i, &jobs));
    vn_pool_destroy(pool);
}

/// Written down: the same on every platform.
static void test_golden(void** state) {
    (void)state;
    vnt_crowd crowd = vnt_corridor(16, 1, true, 9);
    vnt_crowd_report report = {0};
    for (int i = 0; i < 600; ++i)
        vnt_crowd_step(&crowd, 1.0f / 30, &report);
    vnt_crowd_free(&crowd);
    assert_int_equal(report.hash, 0x5d33bf5266f4dd24u);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_workers),
                                       cmocka_unit_test(test_golden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
