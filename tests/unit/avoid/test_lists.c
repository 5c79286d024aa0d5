/// tests/unit/avoid/test_lists.c: the lists of neighbours against all pairs: which agents are listed, and
/// which of them count while a list is kept.
#include "avoid/avoid_inside.h"
#include "base/rng.h"
#include "cmocka_all.h"
#include "support.h"

enum { AGENTS = 300 };

typedef struct fixture {
    vni_rng rng;
    vn_avoid* avoid;
    vn_avoid_agent_id ids[AGENTS];
    uint32_t count;
} fixture;

static double real(vni_rng* rng, double low, double high) {
    return low + (high - low) * vni_rng_real(rng);
}

static vni_vec in_cube(vni_rng* rng, double half) {
    const double x = real(rng, -half, half), y = real(rng, -half, half), z = real(rng, -half, half);
    return vni_v(x, y, z);
}

/// Agents in a cube, in a flat layer or on the points of a lattice, where many gaps are equal; some larger,
/// one perhaps far away, so that places in the index are less exact.
static void add_agents(fixture* f, double half, int layout) {
    const vni_vec center = in_cube(&f->rng, vni_rng_below(&f->rng, 2) > 0 ? 1e4 : 10);
    const bool is_wide = vni_rng_below(&f->rng, 2) > 0;
    for (f->count = 0; f->count < AGENTS; ++f->count) {
        vn_avoid_agent_def def = vn_default_avoid_agent_def();
        vni_vec at = in_cube(&f->rng, half);
        at.y = layout == 1 ? 0.1 * at.y : at.y;
        if (layout == 2)
            at = vni_v(floor(at.x), floor(at.y), floor(at.z));
        at = vni_add(at, center);
        if (f->count == 0 && is_wide)
            at = vni_add(at, vni_v(-5000, -5000, -5000));
        def.position = (vn_dvec3){at.x, at.y, at.z};
        def.radius = layout != 2 && vni_rng_below(&f->rng, 4) == 0 ? (float)real(&f->rng, 0.1, 1) : 0.25f;
        def.max_speed = 2;
        assert_int_equal(vn_avoid_add_agent(f->avoid, &def, &f->ids[f->count], NULL), VN_OK);
    }
}

static void begin(fixture* f, double half, int layout, float refresh) {
    vn_avoid_def def = vn_default_avoid_def();
    def.max_agents = AGENTS;
    def.refresh = refresh;
    assert_int_equal(vn_avoid_create(&def, &f->avoid, NULL), VN_OK);
    add_agents(f, half, layout);
}

/// Everyone wants to go anywhere; now and then one is removed or carried off.
static void disturb(fixture* f) {
    for (uint32_t i = 0; i < f->count; ++i) {
        const vn_vec3 wish = vni_narrow(in_cube(&f->rng, 2));
        assert_int_equal(vn_avoid_set_preferred(f->avoid, f->ids[i], wish), VN_OK);
    }

    const uint32_t i = vni_rng_below(&f->rng, f->count);
    if (f->count > AGENTS / 2 && vni_rng_below(&f->rng, 2) > 0) {
        assert_int_equal(vn_avoid_remove_agent(f->avoid, f->ids[i]), VN_OK);
        f->ids[i] = f->ids[--f->count];
    }
}

static void insert(vni_near* all, uint32_t* count, vni_near one) {
    uint32_t at = (*count)++;
    for (;
         at > 0 && (all[at - 1].gap > one.gap || (all[at - 1].gap == one.gap && all[at - 1].slot > one.slot));
         --at)
        all[at] = all[at - 1];
    all[at] = one;
}

/// As lists see them: places in float, relative to the base of the index.
static float gap_in_index(const vn_avoid* avoid, const vni_seen* a, const vni_seen* b) {
    const vn_vec3 p = vni_narrow(vni_sub(a->position, avoid->agent_index.base)),
                  q = vni_narrow(vni_sub(b->position, avoid->agent_index.base));
    const float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
    return sqrtf(x * x + y * y + z * z) - b->radius - a->radius;
}

static float gap_now(const vni_seen* a, const vni_seen* b) {
    return (float)vni_length(vni_sub(b->position, a->position)) - b->radius - a->radius;
}

/// All live agents but one with a gap of at most `reach`, sorted.
static uint32_t all_near(const fixture* f, uint32_t slot, float reach, bool in_index, vni_near* all) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->count; ++i) {
        const uint32_t other = f->ids[i].index1 - 1;
        const vni_seen *a = &f->avoid->bodies[slot], *b = &f->avoid->bodies[other];
        const float gap = in_index ? gap_in_index(f->avoid, a, b) : gap_now(a, b);
        if (other != slot && gap <= reach)
            insert(all, &count, (vni_near){other, gap});
    }

    return count;
}

static void check_list(const fixture* f, uint32_t slot, float reach) {
    vni_near all[AGENTS], listed[VN_AVOID_MAX_NEIGHBOURS];
    uint32_t count = all_near(f, slot, reach, true, all), sorted = 0;
    count = count < VN_AVOID_MAX_NEIGHBOURS ? count : VN_AVOID_MAX_NEIGHBOURS;
    assert_int_equal(f->avoid->list_counts[slot], count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t other = f->avoid->lists[slot * VN_AVOID_MAX_NEIGHBOURS + i];
        const float gap = gap_in_index(f->avoid, &f->avoid->bodies[slot], &f->avoid->bodies[other]);
        if (f->avoid->limits[slot].disturbed > 0)
            assert_int_equal(other, all[i].slot);
        insert(listed, &sorted, (vni_near){other, gap});
    }

    for (uint32_t i = 0; i < count; ++i)
        assert_int_equal(listed[i].slot, all[i].slot);
}

/// Lists made anew, over old ones or none, hold the nearest, ties by slot; in order for agents that others
/// disturb.
static void test_lists(void** state) {
    (void)state;
    fixture f = {.rng = vni_rng_make(vnt_seed("lists", 1))};
    for (uint32_t turn = 0; turn < vnt_scale(24, 600); ++turn) {
        begin(&f, real(&f.rng, 2, 40), (int)(turn % 3), turn % 2 ? 0.2f : 0);
        const float reach = f.avoid->def.reach + 2 * 2 * f.avoid->def.refresh;
        for (int step = 0; step < 6; ++step) {
            vni_index_update(f.avoid);
            for (uint32_t i = 0; i < f.count; ++i) {
                f.avoid->limits[f.ids[i].index1 - 1].disturbed = vni_rng_below(&f.rng, 2);
                vni_list_neighbours(f.avoid, f.ids[i].index1 - 1);
                check_list(&f, f.ids[i].index1 - 1, reach);
            }
            disturb(&f);
            assert_int_equal(vn_avoid_step(f.avoid, 0.1f), VN_OK);
        }
        vn_avoid_destroy(f.avoid);
    }
}

/// Those that count are the nearest within reach, or of those the nearest that a full list holds.
static uint32_t check_near(const fixture* f, uint32_t slot) {
    vni_near all[AGENTS];
    vni_moment m = {.slot = slot, .body = &f->avoid->bodies[slot]};
    uint32_t count = all_near(f, slot, f->avoid->def.reach - 1e-3f, false, all);
    vni_gather(f->avoid, &m);
    for (uint32_t i = 0; i < m.near_count; ++i)
        assert_true(f->avoid->agent_ids.generations[m.near[i].slot] & 1);
    if (f->avoid->list_counts[slot] == VN_AVOID_MAX_NEIGHBOURS)
        return 0;

    count = count < f->avoid->def.neighbours ? count : f->avoid->def.neighbours;
    assert_in_range(m.near_count, count, f->avoid->def.neighbours);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(m.near[i].slot, all[i].slot);
        assert_true(m.near[i].gap == all[i].gap);
    }
    return count;
}

/// While a list is kept none comes within reach that it does not hold.
static void test_kept_lists(void** state) {
    (void)state;
    fixture f = {.rng = vni_rng_make(vnt_seed("kept lists", 1))};
    uint32_t checked = 0;
    for (uint32_t turn = 0; turn < vnt_scale(12, 300); ++turn) {
        begin(&f, real(&f.rng, 8, 40), (int)(turn % 2), 0.4f);
        for (int step = 0; step < 20; ++step) {
            disturb(&f);
            assert_int_equal(vn_avoid_step(f.avoid, 0.1f), VN_OK);
            for (uint32_t i = 0; i < f.count; ++i)
                checked += check_near(&f, f.ids[i].index1 - 1);
        }
        vn_avoid_destroy(f.avoid);
    }
    assert_true(checked > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists), cmocka_unit_test(test_kept_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
