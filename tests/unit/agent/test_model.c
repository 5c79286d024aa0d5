/// agent against a plain model of a crowd: random calls, right and wrong, in a world that changes; the same
/// script again, with workers, gives the same bytes; and once more with allocations that fail.
#include "crowd_model.h"

#include <stdio.h>
#include <stdlib.h>

/// One script: what it runs with.
typedef struct script {
    uint64_t seed;
    uint32_t calls, workers;
    vnt_memory* memory; ///< null: allocations do not fail
    uint64_t fail_at;   ///< the allocation after the start that fails
} script;

// ----------------------------------------------------------------------------------------------------- start

static void add_box(vn_world* world, vn_vec3 min, vn_vec3 max) {
    const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {min, max}};
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
}

/// Two rooms, 16 x 6 x 12 m in all, with a wall between them and a door in it, 3 m wide and high.
static vn_world* make_world(const vn_allocator* allocator) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    def.allocator = *allocator;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    add_box(world, (vn_vec3){8, 0, 0}, (vn_vec3){8.5f, 6, 4.5f});
    add_box(world, (vn_vec3){8, 0, 7.5f}, (vn_vec3){8.5f, 6, 12});
    add_box(world, (vn_vec3){8, 3, 4.5f}, (vn_vec3){8.5f, 6, 7.5f});
    return world;
}

static void make_nav(model* m, const script* s, const vn_allocator* allocator) {
    vn_nav_def def = vn_default_nav_def();
    def.allocator = def.space.allocator = *allocator;
    def.mode = VN_NAV_LOCKSTEP;
    def.workers = s->workers;
    def.max_requests = 1 + (uint32_t)(s->seed % 3) * 4; // also too few
    def.space.resolution = 0.5f;
    def.space.has_bounds = true;
    def.space.bounds.max = (vn_vec3){16, 6, 12};
    def.layer_count = 4;
    for (uint32_t i = 0; i < 4; ++i) {
        def.layers[i].radius = i < 2 ? 0.4f : 0.8f;
        def.layers[i].open_flags = i % 2 ? MODEL_MOVES : 0;
    }

    vn_world* world = make_world(allocator);
    assert_int_equal(vn_nav_create(world, &def, &m->nav, NULL), VN_OK);
}

static void begin(model* m, const script* s) {
    const vn_allocator allocator =
        s->memory != NULL ? vnt_memory_allocator(s->memory) : vn_default_allocator();
    memset(m, 0, sizeof *m);
    m->rng = vni_rng_make(s->seed);
    m->memory = s->memory;
    m->def = vn_default_crowd_def();
    m->def.allocator = allocator;
    m->def.max_agents = MODEL_AGENTS;
    m->def.mover_flags = s->seed % 2 ? MODEL_MOVES : 0;
    m->def.share_from = s->seed % 5 == 0 ? 2 : 1024;
    m->def.patience = s->seed % 3 == 0 ? 0.1 : 0.5;
    make_nav(m, s, &allocator);
    assert_int_equal(vn_crowd_create(m->nav, &m->def, &m->crowd, NULL), VN_OK);
    if (s->memory != NULL)
        s->memory->fail_at = s->memory->calls + s->fail_at;
}

// ----------------------------------------------------------------------------------------------------- draws

/// Mostly inside, seldom beyond the bounds or no number.
static vn_dvec3 random_position(model* m) {
    vn_dvec3 p;
    p.x = model_draw(m, -0.3, 16.3);
    p.y = model_draw(m, -0.1, 6.1);
    p.z = model_draw(m, -0.3, 12.3);
    if (vni_rng_below(&m->rng, 40) == 0)
        p.x = NAN;
    return p;
}

static vn_vec3 random_velocity(model* m) {
    vn_vec3 v;
    v.x = (float)model_draw(m, -4, 4);
    v.y = (float)model_draw(m, -2, 2);
    v.z = (float)model_draw(m, -4, 4);
    if (vni_rng_below(&m->rng, 20) == 0)
        v.x = NAN;
    return v;
}

/// A live agent, mostly; a stale id, or one that never was.
static vn_agent_id random_id(model* m) {
    const uint32_t kind = vni_rng_below(&m->rng, 12), first = vni_rng_below(&m->rng, MODEL_AGENTS);
    if (kind == 0)
        return (vn_agent_id){vni_rng_below(&m->rng, MODEL_AGENTS + 3), vni_rng_below(&m->rng, 5)};
    if (kind == 1)
        return m->gone[vni_rng_below(&m->rng, MODEL_GONE)];
    for (uint32_t i = 0; i < MODEL_AGENTS; ++i)
        if (m->agents[(first + i) % MODEL_AGENTS].alive)
            return m->agents[(first + i) % MODEL_AGENTS].id;
    return (vn_agent_id){0};
}

static vn_agent_def random_agent(model* m) {
    vn_agent_def def = vn_default_agent_def();
    const uint32_t flaw = vni_rng_below(&m->rng, 30);
    def.position = random_position(m);
    def.radius = vni_rng_below(&m->rng, 3) == 0 ? 0.8f : 0.4f;
    def.max_speed = (float)model_draw(m, 1, 6);
    def.max_acceleration = (float)model_draw(m, 2, 15);
    def.max_turn_rate = vni_rng_below(&m->rng, 2) == 0 ? 2 : 0;
    def.priority = (float)vni_rng_below(&m->rng, 3);
    if (flaw == 0)
        def.cookie = 0;
    else if (flaw == 1)
        def.max_speed = -1;
    else if (flaw == 2)
        def.radius = 5;
    return def;
}

static model_target random_target(model* m) {
    model_target t = {.kind = (model_kind)vni_rng_below(&m->rng, 5)};
    if (vni_rng_below(&m->rng, 3) == 0)
        t.kind = MODEL_POINT;
    t.low = random_position(m);
    t.snap = vni_rng_below(&m->rng, 2) == 0 ? 1.5 : 0;
    t.high = t.low;
    t.high.x += model_draw(m, -0.3, 3);
    t.high.y += model_draw(m, 0, 2);
    t.high.z += model_draw(m, 0, 3);
    t.distance = vni_rng_below(&m->rng, 15) == 0 ? -1 : model_draw(m, 0, 3);
    t.leader = random_id(m);
    t.obstacle = m->obstacles[vni_rng_below(&m->rng, MODEL_OBSTACLES)].id;
    return t;
}

// ------------------------------------------------------------------------------------------------- obstacles

static vn_transform random_transform(model* m) {
    vn_transform t = vn_transform_identity();
    t.position.x = (float)model_draw(m, 0, 16);
    t.position.y = (float)model_draw(m, 0, 6);
    t.position.z = (float)model_draw(m, 0, 12);
    return t;
}

/// Did the nav refuse for lack of memory? What else can happen is not the crowd's.
static bool is_accepted(model* m, vn_status status) {
    const bool excused = status == VN_OUT_OF_MEMORY && m->memory != NULL && m->memory->failures > m->failures;
    m->excuses += excused;
    assert_true(status == VN_OK || excused);
    return status == VN_OK;
}

static void add_obstacle(model* m, model_obstacle* o) {
    const vn_vec3 half = {(float)model_draw(m, 0.3, 1.5), 1, 0.7f};
    const vn_transform at = random_transform(m);
    const vn_vec3 p = at.position;
    vn_shape shape = {.kind = VN_SHAPE_SPHERE, .as.sphere = {.radius = half.x}};
    const uint32_t kind = vni_rng_below(&m->rng, 3), flags = vni_rng_below(&m->rng, 2) ? MODEL_MOVES : 0;
    if (kind == 1)
        shape = (vn_shape){.kind = VN_SHAPE_BOX, .as.box = {{-half.x, -half.y, -half.z}, half}};
    if (kind == 2)
        shape = (vn_shape){.kind = VN_SHAPE_BOX,
                           .as.box = {{p.x - half.x, p.y - half.y, p.z - half.z},
                                      {p.x + half.x, p.y + half.y, p.z + half.z}}};
    const vn_status status = kind == 2 ? vn_nav_add(m->nav, &shape, 0, &o->id, NULL)
                                       : vn_nav_add_moving(m->nav, &shape, &at, flags, &o->id, NULL);
    o->alive = is_accepted(m, status);
    o->moves = o->alive && kind != 2;
}

/// One comes, goes or moves. Ids of those that went stay in the list: they are stale.
static void change_world(model* m) {
    model_obstacle* o = &m->obstacles[vni_rng_below(&m->rng, MODEL_OBSTACLES)];
    m->failures = m->memory != NULL ? m->memory->failures : 0;
    if (!o->alive) {
        add_obstacle(m, o);
    } else if (o->moves && vni_rng_below(&m->rng, 3) > 0) {
        const vn_transform to = random_transform(m);
        (void)is_accepted(m, vn_nav_move(m->nav, o->id, &to, NULL));
        assert_int_equal(vn_nav_set_velocity(m->nav, o->id, (vn_vec3){1, 0, 0}), VN_OK);
    } else if (is_accepted(m, vn_nav_remove(m->nav, o->id))) {
        o->alive = false;
    }
}

// ----------------------------------------------------------------------------------------------------- calls

static void update(model* m) {
    static const double steps[] = {1.0 / 60, 1.0 / 60, 1.0 / 30, 0.1, 0.25, 1e-4, 0.26, -1, NAN};
    const uint32_t wrong = vni_rng_below(&m->rng, 20) == 0 ? 3 : 0;
    model_update(m, steps[vni_rng_below(&m->rng, 6 + wrong)]);
}

/// A while without changes.
static void go_on(model* m) {
    for (int i = 0; i < 20; ++i)
        model_update(m, 1.0 / 30);
}

static void call(model* m) {
    const uint32_t kind = vni_rng_below(&m->rng, 20);
    const vn_agent_id id = random_id(m);
    if (kind < 3) {
        const vn_agent_def def = random_agent(m);
        model_add(m, &def);
    } else if (kind == 3) {
        model_remove(m, id);
    } else if (kind < 8) {
        const model_target target = random_target(m);
        model_aim(m, id, &target);
    } else if (kind == 8) {
        const vn_dvec3 position = random_position(m);
        model_place(m, id, position, random_velocity(m));
    } else if (kind < 11) {
        change_world(m);
    } else if (kind == 11) {
        go_on(m);
    } else {
        update(m);
    }
}

/// When all is quiet, an agent arrives, whatever came before.
static void settle(model* m) {
    vn_agent_def def = vn_default_agent_def();
    model_agent* last = NULL;
    if (m->memory != NULL)
        vnt_memory_restore(m->memory);
    for (uint32_t i = 0; i < MODEL_OBSTACLES; ++i)
        if (m->obstacles[i].alive)
            assert_int_equal(vn_nav_remove(m->nav, m->obstacles[i].id), VN_OK);
    for (uint32_t i = 0; i < MODEL_AGENTS; ++i) {
        if (last != NULL && m->agents[i].alive)
            model_remove(m, m->agents[i].id);
        else if (m->agents[i].alive)
            last = &m->agents[i];
    }

    go_on(m);
    def.position = (vn_dvec3){2, 3, 2};
    if (last == NULL) {
        model_add(m, &def);
        last = &m->agents[0];
        assert_true(last->alive);
    }

    const bool is_left = m->updates % 2 == 0;
    const model_target target = {.kind = MODEL_POINT, .low = {is_left ? 2 : 14, 3, 10}};
    model_aim(m, last->id, &target);
    vn_agent_info info = {.state = VN_AGENT_IDLE};
    for (int i = 0; i < 40 * 30 && info.state != VN_AGENT_ARRIVED; ++i) {
        model_update(m, 1.0 / 30);
        assert_int_equal(vn_crowd_get_agent(m->crowd, last->id, &info), VN_OK);
    }
    assert_int_equal(info.state, VN_AGENT_ARRIVED);
}

/// Runs a script; returns the hash of all that could be read after each update.
static uint64_t run(const script* s, model* sums) {
    static model m;
    begin(&m, s);
    for (uint32_t i = 0; i < s->calls; ++i)
        call(&m);
    settle(&m);
    vn_crowd_destroy(m.crowd);
    vn_nav_destroy(m.nav);

    sums->calls += m.calls;
    sums->updates += m.updates;
    sums->refused += m.refused;
    sums->excuses += m.excuses;
    for (int i = 0; i < 7; ++i)
        sums->in_state[i] += m.in_state[i];
    return m.trace;
}

// ----------------------------------------------------------------------------------------------------- tests

static bool has_threads(void) {
    vn_allocator allocator = vn_default_allocator();
    vn_pool* pool;
    const bool has = vn_pool_create(&allocator, 2, &pool) == VN_OK;
    vn_pool_destroy(pool);
    return has;
}

static void print(const char* name, const model* sums) {
    print_message("%s: %llu calls, %llu updates, %llu refused, %llu for lack of memory;", name,
                  (unsigned long long)sums->calls, (unsigned long long)sums->updates,
                  (unsigned long long)sums->refused, (unsigned long long)sums->excuses);
    for (int i = 0; i < 7; ++i)
        print_message(" %s %llu", vn_agent_state_name((vn_agent_state)i),
                      (unsigned long long)sums->in_state[i]);
    print_message("\n");
}

/// In script 347 an agent was moved across the face of its voxel, farther than a step of 0.1 ms leads.
static void test_known_scripts(void** state) {
    (void)state;
    static model sums;
    const script s = {.seed = 347, .calls = 250};
    (void)run(&s, &sums);
}

static void test_scripts(void** state) {
    (void)state;
    static model sums;
    const uint64_t first = vnt_seed("crowd model", 61);
    const bool threads = has_threads();
    for (uint64_t seed = first; seed < first + vnt_scale(20, 1500); ++seed) {
        script s = {.seed = seed, .calls = 250};
        print_message("VN_SEED=%llu\r", (unsigned long long)seed);
        const uint64_t trace = run(&s, &sums);
        s.workers = threads ? 1 + (uint32_t)(seed % 3) : 0;
        assert_true(run(&s, &sums) == trace);
    }

    print("scripts", &sums);
    for (int i = 0; i < 7; ++i)
        if (i != VN_AGENT_STUCK) // takes a press
            assert_true(sums.in_state[i] > 0);
    assert_true(sums.refused > 0);
}

/// One allocation of a script fails, then another one, in steps that grow; all of them in turn would take
/// hours.
static void test_failing_allocations(void** state) {
    (void)state;
    static model sums;
    const uint64_t first = vnt_seed("crowd model memory", 1);
    for (uint64_t seed = first; seed < first + vnt_scale(2, 40); ++seed) {
        bool failed = true;
        for (uint64_t k = 0; failed; k += 1 + k / 8) {
            vnt_memory memory = vnt_memory_make();
            script s = {.seed = seed, .calls = 60, .memory = &memory, .fail_at = k};
            memory.keeps_failing = k % 3 == 2;
            print_message("VN_SEED=%llu, allocation %llu\r", (unsigned long long)seed, (unsigned long long)k);
            (void)run(&s, &sums);
            failed = memory.failed;
            assert_int_equal(memory.live_blocks, 0);
            assert_false(memory.mismatch);
        }
    }

    print("failing allocations", &sums);
    assert_true(sums.excuses > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_scripts), cmocka_unit_test(test_scripts),
                                       cmocka_unit_test(test_failing_allocations)};
    return cmocka_run_group_tests_name("agent/model", tests, NULL, NULL);
}
