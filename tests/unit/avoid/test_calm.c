/// tests/unit/avoid/test_calm.c: the short way against the long one: whom others leave alone, they neither
/// turn nor bind.
#include "avoid/avoid_inside.h"
#include "base/rng.h"
#include "cmocka_all.h"
#include "support.h"

enum { AGENTS = 24 };

static vni_vec in_cube(vni_rng* rng, double half) {
    const double x = vni_rng_real(rng), y = vni_rng_real(rng), z = vni_rng_real(rng);
    return vni_add_scaled(vni_v(-half, -half, -half), vni_v(x, y, z), 2 * half);
}

static void add_agent(vn_avoid* avoid, vni_rng* rng, double half) {
    vn_avoid_agent_def def = vn_default_avoid_agent_def();
    vn_avoid_agent_id id;
    const vni_vec at = in_cube(rng, half);
    def.position = (vn_dvec3){at.x, at.y, at.z};
    def.radius = vni_rng_below(rng, 3) > 0 ? 0.3f : (float)(0.05 + vni_rng_real(rng));
    def.priority = (float)vni_rng_below(rng, 3);
    def.max_speed = 2;
    assert_int_equal(vn_avoid_add_agent(avoid, &def, &id, NULL), VN_OK);
}

/// A stream, more or less; some go against it, some know of others who do.
static void stir(vn_avoid* avoid, vni_rng* rng) {
    const double spread = vni_rng_real(rng) * vni_rng_real(rng);
    for (uint32_t i = 0; i < avoid->live_count; ++i) {
        vni_seen* body = &avoid->bodies[avoid->live[i]];
        vni_vec wish = vni_add(vni_v(1, 0, 0), in_cube(rng, spread));
        wish = vni_rng_below(rng, 60) == 0 ? vni_scale(wish, -1) : wish;
        body->wish = vni_narrow(wish);
        body->velocity = vni_narrow(vni_add(wish, in_cube(rng, 0.2 * spread)));
        if (vni_rng_below(rng, 40) == 0)
            body->velocity = vni_narrow(in_cube(rng, 2000));
        body->alert = vni_rng_below(rng, 60) == 0 ? 3 * (float)vni_rng_real(rng) : 0;
    }
}

static vn_avoid* begin(vni_rng* rng) {
    vn_avoid_def def = vn_default_avoid_def();
    vn_avoid* avoid;
    def.max_agents = AGENTS;
    def.horizon = vni_rng_below(rng, 2) > 0 ? 1.5f : 10;
    assert_int_equal(vn_avoid_create(&def, &avoid, NULL), VN_OK);
    const double half = 1 + 9 * vni_rng_real(rng);
    for (uint32_t i = 0; i < AGENTS; ++i)
        add_agent(avoid, rng, half);

    avoid->dt = 0.1f;
    vni_index_update(avoid);
    stir(avoid, rng);
    return avoid;
}

static vni_moment moment_of(const vn_avoid* avoid, uint32_t slot) {
    vni_moment m = {.slot = slot, .body = &avoid->bodies[slot], .room = {1e30, 1e30, 1e30}};
    m.wish = vni_wide(m.body->wish);
    m.lp.speed = 4;
    return m;
}

/// Is the agent left alone? Then the long way must come to the same.
static bool check_agent(const vn_avoid* avoid, uint32_t slot, vni_rng* rng) {
    vni_moment alone = moment_of(avoid, slot), m = alone;
    const float alert = vni_turn_wish(avoid, &alone);
    const vni_vec velocity = vni_add(alone.wish, in_cube(rng, 0.1 * vni_rng_below(rng, 2)));
    if (!vni_is_left_alone(avoid, &alone, velocity))
        return false;

    vni_gather(avoid, &m);
    assert_true(vni_turn_wish(avoid, &m) == alert);
    assert_memory_equal(&m.wish, &alone.wish, sizeof m.wish);
    vni_add_neighbours(avoid, &m);
    for (uint32_t i = 0; i < m.lp.count; ++i)
        assert_true(vni_dot(m.lp.planes[i].normal, velocity) >= m.lp.planes[i].offset - 1e-9);
    return m.near_count > 0;
}

static void test_left_alone(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("calm", 1));
    const uint32_t turns = vnt_scale(4000, 400000);
    uint32_t alone = 0;
    for (uint32_t turn = 0; turn < turns; ++turn) {
        vn_avoid* avoid = begin(&rng);
        for (uint32_t i = 0; i < avoid->live_count; ++i) {
            vni_list_neighbours(avoid, avoid->live[i]);
            alone += check_agent(avoid, avoid->live[i], &rng);
        }
        vn_avoid_destroy(avoid);
    }
    // both happen often
    assert_in_range(alone, turns, turns * (AGENTS - 4));
}

/// Two bodies at the same place, touching or overlapping are never left alone.
static void test_contact(void** state) {
    (void)state;
    for (int i = 0; i < 3; ++i) {
        vn_avoid_def def = vn_default_avoid_def();
        vn_avoid* avoid;
        vni_rng rng = vni_rng_make(1);
        assert_int_equal(vn_avoid_create(&def, &avoid, NULL), VN_OK);
        add_agent(avoid, &rng, 0);
        add_agent(avoid, &rng, 0);
        avoid->bodies[0].radius = avoid->bodies[1].radius = 0.3f;
        avoid->bodies[1].position.x = 0.3 * i;
        avoid->bodies[1].velocity.x = 1;
        vni_index_update(avoid);
        vni_list_neighbours(avoid, 0);
        const vni_moment m = moment_of(avoid, 0);
        assert_int_equal(avoid->list_counts[0], 1);
        assert_false(vni_is_left_alone(avoid, &m, vni_v(0, 0, 0)));
        vn_avoid_destroy(avoid);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_left_alone), cmocka_unit_test(test_contact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
