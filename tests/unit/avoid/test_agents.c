/// tests/unit/avoid/test_agents.c: defs, ids, limits, memory, obstacles, pushing.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/avoid.h"
#include "voxels.h"

#include <math.h>

static vn_avoid* make(vn_avoid_mode mode, uint32_t agents) {
    vn_avoid_def def = vn_default_avoid_def();
    vn_avoid* avoid;
    def.mode = mode;
    def.max_agents = agents;
    assert_int_equal(vn_avoid_create(&def, &avoid, NULL), VN_OK);
    return avoid;
}

static vn_avoid_agent_id add(vn_avoid* avoid, double x, double z, float speed, float priority) {
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    vn_avoid_agent_id id;
    def.position = (vn_dvec3){x, 0, z};
    def.max_speed = speed;
    def.priority = priority;
    assert_int_equal(vn_avoid_add_agent(avoid, &def, &id, NULL), VN_OK);
    return id;
}

static vn_avoid_state get(const vn_avoid* avoid, vn_avoid_agent_id id) {
    vn_avoid_state state;
    assert_int_equal(vn_avoid_get_agent(avoid, id, &state), VN_OK);
    return state;
}

static void test_defs(void** state) {
    (void)state;
    vn_avoid_def def = vn_default_avoid_def();
    vn_avoid* avoid;
    vn_detail detail;
    def.cookie = 0;
    assert_int_equal(vn_avoid_create(&def, &avoid, &detail), VN_BAD_DEF);
    def = vn_default_avoid_def();
    def.neighbours = VN_AVOID_MAX_NEIGHBOURS + 1;
    assert_int_equal(vn_avoid_create(&def, &avoid, &detail), VN_BAD_ARGUMENT);
    def = vn_default_avoid_def();
    def.horizon = 0;
    assert_int_equal(vn_avoid_create(&def, &avoid, &detail), VN_BAD_ARGUMENT);
    def = vn_default_avoid_def();
    def.refresh = NAN;
    assert_int_equal(vn_avoid_create(&def, &avoid, &detail), VN_BAD_ARGUMENT);
    def = vn_default_avoid_def();
    def.up = (vn_vec3){0, 2, 0};
    assert_int_equal(vn_avoid_create(&def, &avoid, &detail), VN_BAD_ARGUMENT);
    assert_null(avoid);
}

static void test_ids(void** state) {
    (void)state;
    vn_avoid* avoid = make(VN_AVOID_RECIPROCAL, 2);
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    vn_avoid_agent_id a = add(avoid, 0, 0, 1, 0), b = add(avoid, 5, 0, 1, 0), c;
    assert_int_equal(vn_avoid_add_agent(avoid, &def, &c, NULL), VN_CAPACITY);
    assert_int_equal(c.index1, 0);
    assert_int_equal(vn_avoid_agent_count(avoid), 2);
    assert_int_equal(vn_avoid_remove_agent(avoid, a), VN_OK);
    assert_int_equal(vn_avoid_remove_agent(avoid, a), VN_STALE_ID);
    assert_int_equal(vn_avoid_set_preferred(avoid, a, (vn_vec3){0}), VN_STALE_ID);
    assert_int_equal(vn_avoid_set_space(avoid, a, NULL), VN_STALE_ID);
    c = add(avoid, 9, 0, 1, 0);
    assert_int_equal(c.index1, a.index1);
    assert_int_not_equal(c.generation, a.generation);
    assert_int_equal(vn_avoid_set_preferred(avoid, b, (vn_vec3){NAN, 0, 0}), VN_BAD_ARGUMENT);
    assert_int_equal(vn_avoid_set_preferred(avoid, b, (vn_vec3){3, 4, 0}), VN_OK);
    assert_true(fabsf(get(avoid, b).preferred.y - 0.8f) < 1e-6f);
    assert_int_equal(vn_avoid_step(avoid, 0), VN_BAD_ARGUMENT);
    assert_int_equal(vn_avoid_step(avoid, NAN), VN_BAD_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(vn_avoid_add_agent(avoid, &def, &a, NULL), VN_BAD_DEF);
    vn_avoid_destroy(avoid);
}

/// Every allocation fails in turn, and nothing leaks.
static void test_out_of_memory(void** state) {
    (void)state;
    bool done = false;
    for (uint64_t at = 0; !done; ++at) {
        vnt_memory memory = vnt_memory_make();
        vn_avoid_def def = vn_default_avoid_def();
        vn_avoid* avoid = NULL;
        vn_avoid_agent_def agent = vn_default_avoid_agent_def();
        vn_avoid_obstacle ball = {.radius = 1, .rotation = {0, 0, 0, 1}};
        vn_avoid_obstacle_id obstacle;
        vn_avoid_agent_id id;
        memory.fail_at = at;
        def.allocator = vnt_memory_allocator(&memory);
        vn_status status = vn_avoid_create(&def, &avoid, NULL);
        if (status == VN_OK)
            status = vn_avoid_add_agent(avoid, &agent, &id, NULL);
        if (status == VN_OK)
            status = vn_avoid_add_obstacle(avoid, &ball, &obstacle, NULL);
        done = !memory.failed;
        assert_int_equal(status, done ? VN_OK : VN_OUT_OF_MEMORY);
        if (done) {
            uint64_t calls = memory.calls;
            assert_int_equal(vn_avoid_step(avoid, 0.1f), VN_OK);
            assert_int_equal(memory.calls, calls);
            vn_memory report;
            vn_avoid_get_memory(avoid, &report);
            assert_int_equal(report.total, memory.live_bytes);
        }
        vn_avoid_destroy(avoid);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

/// Two agents meet head-on; returns how far each left its line, at most.
static void meet(float priority_a, float priority_b, double* left_a, double* left_b) {
    vn_avoid* avoid = make(VN_AVOID_RECIPROCAL, 2);
    vn_avoid_agent_id a = add(avoid, -6, 0, 1.5f, priority_a), b = add(avoid, 6, 0.1, 1.5f, priority_b);
    *left_a = *left_b = 0;
    assert_int_equal(vn_avoid_set_preferred(avoid, a, (vn_vec3){1.5f, 0, 0}), VN_OK);
    assert_int_equal(vn_avoid_set_preferred(avoid, b, (vn_vec3){-1.5f, 0, 0}), VN_OK);
    for (int i = 0; i < 480; ++i) {
        assert_int_equal(vn_avoid_step(avoid, 1.0f / 60), VN_OK);
        vn_dvec3 p = get(avoid, a).position, q = get(avoid, b).position;
        double gap = sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
        assert_true(gap > 0.8 * 0.97);
        if (p.x < q.x) {
            *left_a = fmax(*left_a, fabs(p.z));
            *left_b = fmax(*left_b, fabs(q.z - 0.1));
        }
    }
    assert_true(get(avoid, a).position.x > 3);
    assert_true(get(avoid, b).position.x < -3);
    vn_avoid_destroy(avoid);
}

static void test_priority(void** state) {
    (void)state;
    double a, b, c, d;
    meet(0, 0, &a, &b);
    meet(20, 0, &c, &d);
    assert_true(c < a);
    assert_true(d > b);
}

static void test_acceleration(void** state) {
    (void)state;
    vn_avoid* avoid = make(VN_AVOID_RECIPROCAL, 1);
    vn_avoid_agent_id a = add(avoid, 0, 0, 1.5f, 0);
    vn_avoid_limits limits = {0.4f, 1.5f, 2, 0, 0};
    assert_int_equal(vn_avoid_set_limits(avoid, a, &limits), VN_OK);
    assert_int_equal(vn_avoid_set_preferred(avoid, a, (vn_vec3){1.5f, 0, 0}), VN_OK);
    for (int i = 1; i <= 10; ++i) {
        assert_int_equal(vn_avoid_step(avoid, 0.05f), VN_OK);
        assert_true(fabsf(get(avoid, a).velocity.x - 0.1f * (float)i) < 0.02f);
    }
    limits.radius = -1;
    assert_int_equal(vn_avoid_set_limits(avoid, a, &limits), VN_BAD_ARGUMENT);
    vn_avoid_destroy(avoid);
}

/// Agents from all sides meet before a box that comes up: they climb no faster than they may, whatever they
/// wish and avoid. Without the limit some do.
static float fastest_climb(vn_avoid_mode mode, float limit) {
    vn_avoid* avoid = make(mode, 12);
    vn_avoid_agent_id ids[12];
    vn_avoid_obstacle o = {.position = {0, -4, 0}, .rotation = {0, 0, 0, 1}, .half = {1, 1, 1}};
    vn_avoid_obstacle_id id;
    float fastest = 0;
    assert_int_equal(vn_avoid_add_obstacle(avoid, &o, &id, NULL), VN_OK);
    for (int i = 0; i < 12; ++i) {
        const double x = i % 2 ? 3 : -3, z = i / 2 - 2.5;
        const vn_avoid_limits limits = {0.4f, 1.5f, 10, 0, limit};
        ids[i] = add(avoid, x, z, 1.5f, 0);
        assert_int_equal(vn_avoid_set_limits(avoid, ids[i], &limits), VN_OK);
        assert_int_equal(vn_avoid_set_preferred(avoid, ids[i], (vn_vec3){(float)-x, 2, (float)-z}), VN_OK);
    }

    for (int i = 1; i <= 240; ++i) {
        assert_int_equal(vn_avoid_step(avoid, 1.0f / 60), VN_OK);
        o.position.y = -4 + 2.0 * i / 60;
        assert_int_equal(vn_avoid_move_obstacle(avoid, id, &o), VN_OK);
        for (int k = 0; k < 12; ++k)
            fastest = fmaxf(fastest, fabsf(get(avoid, ids[k]).velocity.y));
    }

    vn_avoid_destroy(avoid);
    return fastest;
}

static void test_climb(void** state) {
    (void)state;
    for (int mode = 0; mode <= VN_AVOID_NONE; ++mode) {
        assert_true(fastest_climb((vn_avoid_mode)mode, 0) > 0.4f);
        assert_true(fastest_climb((vn_avoid_mode)mode, 0.3f) <= 0.3f * (1 + 1e-6f));
    }

    vn_avoid* avoid = make(VN_AVOID_RECIPROCAL, 1);
    vn_avoid_agent_id a = add(avoid, 0, 0, 1.5f, 0);
    const vn_avoid_limits limits = {0.4f, 1.5f, 10, 0, -1};
    assert_int_equal(vn_avoid_set_limits(avoid, a, &limits), VN_BAD_ARGUMENT);
    vn_avoid_destroy(avoid);
}

/// An obstacle crosses the way of an agent; returns the least gap between them.
static double cross(bool box, bool known) {
    vn_avoid* avoid = make(VN_AVOID_RECIPROCAL, 1);
    vn_avoid_agent_id a = add(avoid, -5, 0, 1.5f, 0);
    vn_avoid_obstacle o = {.position = {0, 0, -5}, .radius = box ? 0 : 0.8f, .rotation = {0, 0, 0, 1}};
    vn_avoid_obstacle_id id;
    double least = 1e9;
    o.half = box ? (vn_vec3){0.8f, 0.8f, 0.8f} : (vn_vec3){0, 0, 0};
    o.has_velocity = known;
    o.velocity = (vn_vec3){0, 0, known ? 1.2f : 0};
    assert_int_equal(vn_avoid_add_obstacle(avoid, &o, &id, NULL), VN_OK);
    assert_int_equal(vn_avoid_set_preferred(avoid, a, (vn_vec3){1.5f, 0, 0}), VN_OK);
    for (int i = 1; i <= 600; ++i) {
        assert_int_equal(vn_avoid_step(avoid, 1.0f / 60), VN_OK);
        o.position.z = -5 + 1.2 * i / 60;
        assert_int_equal(vn_avoid_move_obstacle(avoid, id, &o), VN_OK);
        vn_dvec3 p = get(avoid, a).position;
        double x = fabs(p.x), y = fabs(p.y), z = fabs(p.z - o.position.z),
               gap = sqrt(x * x + y * y + z * z) - 1.2;
        if (box) {
            x = fmax(x - 0.8, 0), y = fmax(y - 0.8, 0), z = fmax(z - 0.8, 0);
            gap = sqrt(x * x + y * y + z * z) - 0.4;
        }
        least = fmin(least, gap);
    }
    assert_true(get(avoid, a).position.x > 3);
    assert_int_equal(vn_avoid_remove_obstacle(avoid, id), VN_OK);
    assert_int_equal(vn_avoid_remove_obstacle(avoid, id), VN_STALE_ID);
    assert_int_equal(vn_avoid_move_obstacle(avoid, id, &o), VN_STALE_ID);
    vn_avoid_destroy(avoid);
    return least;
}

static void test_obstacles(void** state) {
    (void)state;
    for (int i = 0; i < 4; ++i)
        assert_true(cross(i & 1, i & 2) > -0.03);
}

/// The faster one keeps its line, the slower one is moved; equal ones do not push.
static void test_push(void** state) {
    (void)state;
    vn_avoid* avoid = make(VN_AVOID_PUSH, 4);
    vn_avoid_agent_id fast = add(avoid, 0, 0, 2, 0), slow = add(avoid, 2, 0.3, 1, 0);
    vn_avoid_agent_id one = add(avoid, 0, 20, 2, 0), two = add(avoid, 2, 20, 2, 0);
    assert_int_equal(vn_avoid_set_preferred(avoid, fast, (vn_vec3){2, 0, 0}), VN_OK);
    assert_int_equal(vn_avoid_set_preferred(avoid, one, (vn_vec3){2, 0, 0}), VN_OK);
    for (int i = 0; i < 240; ++i)
        assert_int_equal(vn_avoid_step(avoid, 1.0f / 60), VN_OK);
    assert_true(get(avoid, slow).position.z > 0.5);
    assert_true(get(avoid, fast).position.x > 3);
    assert_true(get(avoid, two).position.x == 2);
    assert_true(get(avoid, one).position.x < 1.3);
    assert_true(get(avoid, one).held > 1);
    vn_avoid_destroy(avoid);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_defs),          cmocka_unit_test(test_ids),
                                       cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_priority),
                                       cmocka_unit_test(test_acceleration),  cmocka_unit_test(test_climb),
                                       cmocka_unit_test(test_obstacles),     cmocka_unit_test(test_push)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
