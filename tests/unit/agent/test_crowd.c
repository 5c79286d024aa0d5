/// agent: every call of a crowd and every status; targets of each kind; shared fields; failing allocations;
/// and no allocation in an update.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/crowd.h"
#include "volnav/path.h"

#include <math.h>
#include <string.h>

enum { HZ = 60 };
static const float radius = 0.4f;

/// Two rooms of 12 x 6 x 12 m with a wall between them and a door in it, 2 m wide and high.
typedef struct scene {
    vn_nav* nav;
    vn_crowd* crowd;
    const vn_space* space; ///< pinned
    uint64_t version;
    vn_obstacle_id cart; ///< moves
} scene;

static void add_box(vn_world* world, float x0, float y0, float z0, float x1, float y1, float z1) {
    const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {{x0, y0, z0}, {x1, y1, z1}}};
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
}

static vn_status make_scene(scene* s, const vn_crowd_def* crowd_def, vnt_memory* memory) {
    const vn_shape cart = {.kind = VN_SHAPE_SPHERE, .as.sphere = {.radius = 0.5f}};
    const vn_transform at = vn_transform_at(20, 1, 3);
    vn_world_def world_def = vn_default_world_def();
    vn_nav_def def = vn_default_nav_def();
    vn_world* world;
    memset(s, 0, sizeof *s);
    if (memory != NULL)
        world_def.allocator = def.allocator = vnt_memory_allocator(memory);

    def.mode = VN_NAV_LOCKSTEP;
    def.space.resolution = 0.25f;
    def.space.has_bounds = true;
    def.space.bounds.max = (vn_vec3){25, 6, 12};
    def.layers[0].radius = radius;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    add_box(world, 12, 0, 0, 13, 6, 5);
    add_box(world, 12, 0, 7, 13, 6, 12);
    add_box(world, 12, 2, 5, 13, 6, 7);
    assert_int_equal(vn_world_add_moving(world, &cart, &at, &s->cart, NULL), VN_OK);
    assert_int_equal(vn_nav_create(world, &def, &s->nav, NULL), VN_OK);
    s->space = vn_nav_pin(s->nav, (double)radius, 0, &s->version);
    return vn_crowd_create(s->nav, crowd_def, &s->crowd, NULL);
}

static void end_scene(scene* s) {
    vn_crowd_destroy(s->crowd);
    assert_int_equal(vn_nav_unpin(s->nav, s->version), VN_OK);
    vn_nav_destroy(s->nav);
}

static vn_agent_id add_agent(scene* s, double x, double y, double z) {
    vn_agent_def def = vn_default_agent_def();
    vn_agent_id id;
    def.radius = radius;
    def.position = (vn_dvec3){x, y, z};
    assert_int_equal(vn_crowd_add_agent(s->crowd, &def, &id, NULL), VN_OK);
    return id;
}

static vn_agent_info info_of(const scene* s, vn_agent_id id) {
    vn_agent_info info;
    assert_int_equal(vn_crowd_get_agent(s->crowd, id, &info), VN_OK);
    return info;
}

/// Updates until the agent is in this state, or so many seconds have passed; every position is free.
static bool run_until(scene* s, vn_agent_id id, vn_agent_state state, double seconds) {
    for (int i = 0; i < seconds * HZ; ++i) {
        assert_int_equal(vn_crowd_update(s->crowd, 1.0 / HZ, NULL), VN_OK);
        const vn_agent_info info = info_of(s, id);
        assert_true(vn_space_position_free(s->space, info.position));
        if (info.state == state)
            return true;
    }

    return false;
}

static double distance(vn_dvec3 a, vn_dvec3 b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

// -------------------------------------------------------------------------------------------------- statuses

#define BAD(change, expected)                                                                                \
    do {                                                                                                     \
        vn_crowd_def def = vn_default_crowd_def();                                                           \
        vn_detail detail = {.status = VN_OK};                                                                \
        vn_crowd* crowd;                                                                                     \
        change;                                                                                              \
        assert_int_equal(vn_crowd_create(s.nav, &def, &crowd, &detail), expected);                           \
        assert_null(crowd);                                                                                  \
        assert_true(detail.text[0] != 0);                                                                    \
    } while (0)

static void test_defs(void** state) {
    (void)state;
    scene s;
    const vn_crowd_def good = vn_default_crowd_def();
    assert_int_equal(make_scene(&s, &good, NULL), VN_OK);
    BAD(def.cookie = 0, VN_BAD_DEF);
    BAD(def.allocator.alloc = NULL, VN_BAD_ARGUMENT);
    BAD(def.max_agents = 0, VN_BAD_ARGUMENT);
    BAD(def.max_agents = 65537, VN_BAD_ARGUMENT);
    BAD(def.max_movers = 65537, VN_BAD_ARGUMENT);
    BAD(def.max_points = 1, VN_BAD_ARGUMENT);
    BAD(def.horizon = 0, VN_BAD_ARGUMENT);
    BAD(def.patience = NAN, VN_BAD_ARGUMENT);
    BAD(def.mover_margin = -1, VN_BAD_ARGUMENT);
    BAD(def.avoid.cookie = 0, VN_BAD_DEF);
    vn_crowd_destroy(NULL);
    end_scene(&s);
}

#define BAD_AGENT(change, expected)                                                                          \
    do {                                                                                                     \
        vn_agent_def def = vn_default_agent_def();                                                           \
        vn_agent_id out;                                                                                     \
        def.radius = radius;                                                                                 \
        def.position = (vn_dvec3){2, 1, 2};                                                                  \
        change;                                                                                              \
        assert_int_equal(vn_crowd_add_agent(s.crowd, &def, &out, NULL), expected);                           \
    } while (0)

static void test_agents(void** state) {
    (void)state;
    scene s;
    vn_crowd_def two = vn_default_crowd_def();
    two.max_agents = 2;
    assert_int_equal(make_scene(&s, &two, NULL), VN_OK);
    BAD_AGENT(def.cookie = 0, VN_BAD_DEF);
    BAD_AGENT(def.radius = 0, VN_BAD_ARGUMENT);
    BAD_AGENT(def.radius = 3, VN_UNSUPPORTED);
    BAD_AGENT(def.open_flags = 8; def.radius = 3, VN_UNSUPPORTED);
    BAD_AGENT(def.max_speed = -1, VN_BAD_ARGUMENT);
    BAD_AGENT(def.max_acceleration = NAN, VN_BAD_ARGUMENT);
    BAD_AGENT(def.priority = -1, VN_BAD_ARGUMENT);
    BAD_AGENT(def.arrival = 0, VN_BAD_ARGUMENT);
    BAD_AGENT(def.position.x = 12.5, VN_BLOCKED);
    BAD_AGENT(def.position.x = -50, VN_OUTSIDE);

    const vn_agent_id a = add_agent(&s, 2, 1, 2), b = add_agent(&s, 4, 1, 2);
    BAD_AGENT((void)0, VN_CAPACITY);
    vn_agent_id next;
    uint32_t at = 0, count = 0;
    while (vn_crowd_next_agent(s.crowd, &at, &next))
        ++count;
    assert_int_equal(count, 2);
    assert_int_equal(vn_crowd_remove_agent(s.crowd, a), VN_OK);
    assert_int_equal(vn_crowd_remove_agent(s.crowd, a), VN_STALE_ID);

    vn_agent_info info;
    vn_dvec3 points[4];
    assert_int_equal(vn_crowd_get_agent(s.crowd, a, &info), VN_STALE_ID);
    assert_int_equal(vn_crowd_get_path(s.crowd, a, points, 4, &count), VN_STALE_ID);
    assert_int_equal(vn_crowd_stop(s.crowd, a), VN_STALE_ID);
    assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){1, 1, 1}, 0), VN_STALE_ID);
    assert_int_equal(vn_crowd_go_to(s.crowd, b, (vn_dvec3){NAN, 1, 1}, 0), VN_BAD_ARGUMENT);
    assert_int_equal(vn_crowd_go_into(s.crowd, b, (vn_dvec3){2, 1, 1}, (vn_dvec3){1, 1, 1}), VN_BAD_ARGUMENT);
    assert_int_equal(vn_crowd_follow_agent(s.crowd, b, a, 1), VN_STALE_ID);
    assert_int_equal(vn_crowd_follow_agent(s.crowd, b, b, 1), VN_BAD_ARGUMENT);
    assert_int_equal(vn_crowd_follow_obstacle(s.crowd, b, (vn_obstacle_id){0}, 1), VN_STALE_ID);
    assert_int_equal(vn_crowd_place_agent(s.crowd, a, (vn_dvec3){1, 1, 1}, (vn_vec3){0}), VN_STALE_ID);
    assert_int_equal(vn_crowd_place_agent(s.crowd, b, (vn_dvec3){12.5, 5, 1}, (vn_vec3){0}), VN_BLOCKED);
    assert_int_equal(vn_crowd_update(s.crowd, 0, NULL), VN_BAD_ARGUMENT);
    assert_int_equal(vn_crowd_update(s.crowd, 0.3, NULL), VN_BAD_ARGUMENT);
    assert_int_equal(info_of(&s, b).state, VN_AGENT_IDLE);
    assert_string_equal(vn_agent_state_name(VN_AGENT_NO_PATH), "no path");
    assert_null(vn_agent_state_name((vn_agent_state)7));
    end_scene(&s);
}

// --------------------------------------------------------------------------------------------------- targets

static void test_targets(void** state) {
    (void)state;
    scene s;
    const vn_crowd_def def = vn_default_crowd_def();
    const vn_dvec3 goal = {22, 4, 9};
    assert_int_equal(make_scene(&s, &def, NULL), VN_OK);
    const vn_agent_id a = add_agent(&s, 2, 1, 2), b = add_agent(&s, 4, 1, 10);

    // a point, through the door
    assert_int_equal(vn_crowd_go_to(s.crowd, a, goal, 0), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_MOVING, 1));
    vn_dvec3 path[16];
    uint32_t count;
    assert_int_equal(vn_crowd_get_path(s.crowd, a, path, 16, &count), VN_OK);
    assert_true(count >= 2 && distance(path[count - 1], goal) < 0.01);
    assert_true(fabs(vn_positions_length(path, count) - info_of(&s, a).distance) < 0.2);
    assert_true(run_until(&s, a, VN_AGENT_ARRIVED, 20));
    assert_true(distance(info_of(&s, a).position, goal) <= 0.11);

    // another agent
    assert_int_equal(vn_crowd_follow_agent(s.crowd, b, a, 2), VN_OK);
    assert_true(run_until(&s, b, VN_AGENT_ARRIVED, 20));
    assert_true(distance(info_of(&s, a).position, info_of(&s, b).position) <= 2.2);
    assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){2, 1, 2}, 0), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_ARRIVED, 20));
    assert_true(run_until(&s, b, VN_AGENT_ARRIVED, 20));
    assert_true(distance(info_of(&s, a).position, info_of(&s, b).position) <= 2.2);
    assert_int_equal(vn_crowd_remove_agent(s.crowd, a), VN_OK);
    assert_true(run_until(&s, b, VN_AGENT_NO_PATH, 1));
    assert_int_equal(info_of(&s, b).status, VN_STALE_ID);

    // a box, and an obstacle
    assert_int_equal(vn_crowd_go_into(s.crowd, b, (vn_dvec3){20, 0, 8}, (vn_dvec3){24, 6, 11}), VN_OK);
    assert_true(run_until(&s, b, VN_AGENT_ARRIVED, 20));
    assert_true(info_of(&s, b).position.x >= 19.8 && info_of(&s, b).position.z >= 7.8);
    assert_int_equal(vn_crowd_follow_obstacle(s.crowd, b, s.cart, 2), VN_OK);
    assert_true(run_until(&s, b, VN_AGENT_ARRIVED, 20));
    assert_true(distance(info_of(&s, b).position, (vn_dvec3){20, 1, 3}) <= 2.2);
    end_scene(&s);
}

/// No path: the reason; and when the door opens again, it goes on by itself.
static void test_no_path(void** state) {
    (void)state;
    scene s;
    const vn_crowd_def def = vn_default_crowd_def();
    const vn_shape door = {.kind = VN_SHAPE_BOX, .as.box = {{12, 0, 5}, {13, 2, 7}}};
    vn_obstacle_id id;
    assert_int_equal(make_scene(&s, &def, NULL), VN_OK);
    const vn_agent_id a = add_agent(&s, 2, 1, 2);
    assert_int_equal(vn_nav_add(s.nav, &door, 0, &id, NULL), VN_OK);
    assert_false(run_until(&s, a, VN_AGENT_MOVING, 0.2));
    assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){22, 4, 9}, 0), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_NO_PATH, 1));
    assert_int_equal(info_of(&s, a).status, VN_NO_PATH);

    assert_int_equal(vn_nav_remove(s.nav, id), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_ARRIVED, 20));
    assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){12.5, 4, 9}, 0), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_NO_PATH, 1));
    assert_int_equal(info_of(&s, a).status, VN_GOAL_BLOCKED);

    // the same target again changes nothing, and another snap does
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){12.5, 4, 9}, 0), VN_OK);
        assert_int_equal(vn_crowd_update(s.crowd, 1.0 / HZ, NULL), VN_OK);
        assert_int_equal(info_of(&s, a).state, VN_AGENT_NO_PATH);
    }
    assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){12.5, 4, 9}, 2), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_ARRIVED, 20));
    assert_int_equal(vn_crowd_stop(s.crowd, a), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_IDLE, 1));
    end_scene(&s);
}

/// A host that sets the target anew in every frame, faster than answers come.
static void test_target_every_frame(void** state) {
    (void)state;
    scene s;
    const vn_crowd_def def = vn_default_crowd_def();
    assert_int_equal(make_scene(&s, &def, NULL), VN_OK);
    const vn_agent_id a = add_agent(&s, 2, 1, 2);
    vn_dvec3 goal = {0, 0, 0};
    for (int i = 0; i < 12 * HZ; ++i) {
        goal = (vn_dvec3){20 + 2 * sin(i * 0.01), 3, 6 + 3 * cos(i * 0.01)};
        assert_int_equal(vn_crowd_go_to(s.crowd, a, goal, 0), VN_OK);
        assert_int_equal(vn_crowd_update(s.crowd, 1.0 / HZ, NULL), VN_OK);
    }
    assert_true(distance(info_of(&s, a).position, goal) < 0.5);

    // and far away
    assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){2, 1, 10}, 0), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_ARRIVED, 20));
    assert_true(distance(info_of(&s, a).position, (vn_dvec3){2, 1, 10}) < 0.11);
    end_scene(&s);
}

/// The host's physics put it elsewhere: it goes on from there.
static void test_placed(void** state) {
    (void)state;
    scene s;
    const vn_crowd_def def = vn_default_crowd_def();
    assert_int_equal(make_scene(&s, &def, NULL), VN_OK);
    const vn_agent_id a = add_agent(&s, 2, 1, 2);
    assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){22, 4, 9}, 0), VN_OK);
    assert_false(run_until(&s, a, VN_AGENT_ARRIVED, 1));
    assert_int_equal(vn_crowd_place_agent(s.crowd, a, (vn_dvec3){20, 5, 1}, (vn_vec3){0}), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_ARRIVED, 8));

    // to where it sees nothing of its path
    assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){15, 5, 11}, 0), VN_OK);
    assert_false(run_until(&s, a, VN_AGENT_ARRIVED, 0.5));
    assert_int_equal(vn_crowd_place_agent(s.crowd, a, (vn_dvec3){11, 5, 11}, (vn_vec3){0}), VN_OK);
    assert_true(run_until(&s, a, VN_AGENT_ARRIVED, 20));
    end_scene(&s);
}

/// The orientation turns no faster than the agent may; the flight is the same.
static void test_turn_rate(void** state) {
    (void)state;
    scene s;
    const vn_crowd_def def = vn_default_crowd_def();
    vn_agent_def agent = vn_default_agent_def();
    vn_agent_id a;
    assert_int_equal(make_scene(&s, &def, NULL), VN_OK);
    agent.radius = radius;
    agent.max_turn_rate = 1;
    agent.position = (vn_dvec3){10, 1, 6};
    assert_int_equal(vn_crowd_add_agent(s.crowd, &agent, &a, NULL), VN_OK);
    assert_int_equal(vn_crowd_go_to(s.crowd, a, (vn_dvec3){2, 1, 6}, 0), VN_OK);

    double turned = 0;
    for (int i = 0; i < HZ; ++i) {
        const vn_quat p = info_of(&s, a).orientation;
        assert_int_equal(vn_crowd_update(s.crowd, 1.0 / HZ, NULL), VN_OK);
        const vn_quat q = info_of(&s, a).orientation;
        const double along = fabs((double)(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w));
        const double angle = 2 * acos(fmin(along, 1));
        assert_true(angle <= 1.0 / HZ + 2e-3); // of floats near 1
        turned += angle;
    }
    assert_true(turned > 0.5);
    end_scene(&s);
}

/// Agents that pass through each other up and down climb no faster than they may, while they avoid too; all
/// arrive.
static void test_climb(void** state) {
    (void)state;
    enum { COUNT = 8 };
    scene s;
    const vn_crowd_def def = vn_default_crowd_def();
    vn_agent_def agent = vn_default_agent_def();
    vn_agent_id ids[COUNT];
    assert_int_equal(make_scene(&s, &def, NULL), VN_OK);
    agent.radius = radius;
    agent.max_climb = 0.5f;
    for (int i = 0; i < COUNT; ++i) {
        const bool below = i % 2 == 0;
        agent.position = (vn_dvec3){below ? 2 : 8, below ? 1 : 5, 3 + i / 2};
        assert_int_equal(vn_crowd_add_agent(s.crowd, &agent, &ids[i], NULL), VN_OK);
        assert_int_equal(
            vn_crowd_go_to(s.crowd, ids[i], (vn_dvec3){below ? 8 : 2, below ? 5 : 1, 3 + i / 2}, 0), VN_OK);
    }

    uint32_t arrived = 0;
    double fastest = 0;
    for (int i = 0; i < 40 * HZ && arrived < COUNT; ++i) {
        assert_int_equal(vn_crowd_update(s.crowd, 1.0 / HZ, NULL), VN_OK);
        arrived = 0;
        for (int k = 0; k < COUNT; ++k) {
            const vn_agent_info info = info_of(&s, ids[k]);
            fastest = fmax(fastest, fabs((double)info.velocity.y));
            arrived += info.state == VN_AGENT_ARRIVED;
        }
    }

    assert_int_equal(arrived, COUNT);
    assert_true(fastest > 0.4);
    assert_true(fastest <= 0.5 * (1 + 1e-6));
    end_scene(&s);
}

/// Many agents to one point: one field, and paths as good as their own.
static void test_shared(void** state) {
    (void)state;
    scene s;
    vn_crowd_def def = vn_default_crowd_def();
    vn_crowd_stats stats;
    def.share_from = 8;
    assert_int_equal(make_scene(&s, &def, NULL), VN_OK);
    vn_agent_id ids[12];
    for (int i = 0; i < 12; ++i)
        ids[i] = add_agent(&s, 2 + i % 4 * 1.5, 1, 2 + i / 4 * 2.0);
    for (int i = 0; i < 12; ++i)
        assert_int_equal(vn_crowd_go_to(s.crowd, ids[i], (vn_dvec3){22, 4, 9}, 0), VN_OK);

    assert_int_equal(vn_crowd_update(s.crowd, 1.0 / HZ, NULL), VN_OK);
    vn_crowd_get_stats(s.crowd, &stats);
    assert_int_equal(stats.fields, 1);
    assert_int_equal(stats.shared, 12);
    assert_int_equal(stats.asked, 0);
    assert_int_equal(stats.agents, 12);
    for (int i = 0; i < 12; ++i) {
        const vn_agent_info info = info_of(&s, ids[i]);
        assert_true(info.distance >= distance(info.position, (vn_dvec3){22, 4, 9}) - 0.01);
        assert_true(info.distance < 40);
    }
    end_scene(&s);
}

// ---------------------------------------------------------------------------------------------------- memory

/// Every allocation of a short life fails in turn: a status, nothing lost, nothing changed.
static void test_memory(void** state) {
    (void)state;
    for (uint64_t k = 0;; ++k) {
        scene s;
        vnt_memory memory = vnt_memory_make();
        vn_crowd_def def = vn_default_crowd_def();
        def.allocator = vnt_memory_allocator(&memory);
        def.max_agents = 16;
        def.share_from = 2;
        memory.fail_at = k;
        const vn_status status = make_scene(&s, &def, NULL);
        assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
        for (int i = 0; status == VN_OK && i < 3; ++i) {
            vn_agent_def agent = vn_default_agent_def();
            vn_agent_id id;
            agent.radius = radius;
            agent.position = (vn_dvec3){2 + i, 1, 2};
            const vn_status added = vn_crowd_add_agent(s.crowd, &agent, &id, NULL);
            assert_true(added == VN_OK || added == VN_OUT_OF_MEMORY);
            if (added == VN_OK)
                assert_int_equal(vn_crowd_go_to(s.crowd, id, (vn_dvec3){22, 4, 9}, 0), VN_OK);
        }

        for (int i = 0; status == VN_OK && i < 20; ++i)
            assert_int_equal(vn_crowd_update(s.crowd, 1.0 / HZ, NULL), VN_OK);
        const bool failed = memory.failed;
        end_scene(&s);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!failed)
            return;
    }
}

/// Agents that are under way in a world that stands still allocate nothing.
static void test_steady(void** state) {
    (void)state;
    scene s;
    vnt_memory memory = vnt_memory_make();
    vn_crowd_def def = vn_default_crowd_def();
    def.allocator = vnt_memory_allocator(&memory);
    assert_int_equal(make_scene(&s, &def, &memory), VN_OK);
    vn_agent_id ids[10];
    for (int i = 0; i < 10; ++i) {
        ids[i] = add_agent(&s, 2 + i % 5 * 1.5, 1 + i / 5 * 2.0, 2);
        assert_int_equal(vn_crowd_go_to(s.crowd, ids[i], (vn_dvec3){22, 1 + i % 3, 2 + i}, 2), VN_OK);
    }

    for (int i = 0; i < 60; ++i)
        assert_int_equal(vn_crowd_update(s.crowd, 1.0 / HZ, NULL), VN_OK);
    const uint64_t before = memory.calls;
    for (int i = 0; i < 600; ++i) {
        if (i % 100 == 50)
            assert_int_equal(vn_crowd_go_to(s.crowd, ids[i / 100], (vn_dvec3){3, 1, 3 + i / 100}, 2), VN_OK);
        assert_int_equal(vn_crowd_update(s.crowd, 1.0 / HZ, NULL), VN_OK);
    }
    assert_int_equal(memory.calls, before);

    vn_memory parts;
    vn_crowd_get_memory(s.crowd, &parts);
    assert_true(parts.total > 0);
    end_scene(&s);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_defs),
                                       cmocka_unit_test(test_agents),
                                       cmocka_unit_test(test_targets),
                                       cmocka_unit_test(test_no_path),
                                       cmocka_unit_test(test_target_every_frame),
                                       cmocka_unit_test(test_placed),
                                       cmocka_unit_test(test_turn_rate),
                                       cmocka_unit_test(test_climb),
                                       cmocka_unit_test(test_shared),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_steady)};
    return cmocka_run_group_tests_name("agent/crowd", tests, NULL, NULL);
}
