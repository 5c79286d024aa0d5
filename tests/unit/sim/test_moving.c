/// tests/unit/sim/test_moving.c: scenes with a clock: the table, purity, the same bytes on every machine,
/// blinkers that wait, refusals and lack of memory.
#include "cmocka_all.h"
#include "support.h"
#include "volnav/sim.h"
#include <math.h>
#include <string.h>

static vn_moving_scene* make(const vn_moving_scene_def* def) {
    vn_moving_scene* scene = NULL;
    vn_detail detail = {0};
    if (vn_moving_scene_create(def, &scene, &detail) != VN_OK) {
        fail_msg("%s: %s", def->name, detail.text);
    }

    return scene;
}

static vn_moving_scene_def def_of(const char* name, uint64_t seed) {
    vn_moving_scene_def def = vn_default_moving_scene_def();
    def.name = name;
    def.seed = seed;
    return def;
}

static void test_table(void** state) {
    (void)state;
    static const char* const names[] = {"krafft", "debris", "hunters", "empty"};
    assert_int_equal(vn_moving_scene_count(), 4);
    for (uint32_t i = 0; i < 4; ++i) {
        const vn_scene_info* info = vn_moving_scene_get(i);
        uint32_t index = UINT32_MAX;
        assert_string_equal(info->name, names[i]);
        assert_true(vn_moving_scene_find(names[i], &index));
        assert_int_equal(index, i);
        assert_true(strlen(info->source) > 0);
        assert_in_range(strlen(info->description), 10, 60);
        vn_moving_scene_def def = def_of(names[i], 1);
        vn_moving_scene* scene = make(&def);
        vn_moving_scene_info about;
        vn_moving_scene_get_info(scene, &about);
        assert_ptr_equal(about.kind, info);
        assert_memory_equal(&about.bounds, &info->bounds, sizeof about.bounds);
        assert_true(about.resolution == info->resolution);
        assert_int_equal(about.movers, i == 0 ? 16 : (i < 3 ? 8 : 0));
        assert_true(about.has_agent == (i == 0));
        vn_moving_scene_destroy(scene);
    }

    uint32_t index = 7;
    assert_null(vn_moving_scene_get(4));
    assert_false(vn_moving_scene_find("atlantis", &index));
    assert_int_equal(index, 7);
    assert_string_equal(vn_motion_name(VN_MOTION_ORBIT), "orbit");
    assert_null(vn_motion_name(VN_MOTION_KIND_COUNT));
}

// ------------------------------------------------------------------------------------------------- purity

static void mix(uint64_t* hash, const void* data, size_t size) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; ++i) {
        *hash = (*hash ^ bytes[i]) * 0x100000001b3u;
    }
}

static void mix_state(uint64_t* hash, const vn_mover_state* s) {
    const unsigned char present = s->present;
    mix(hash, &s->transform, sizeof s->transform); // floats only: no padding
    mix(hash, &s->velocity, sizeof s->velocity);
    mix(hash, &s->spin, sizeof s->spin);
    mix(hash, &present, 1);
}

static uint64_t hash_at(const vn_moving_scene* scene, double seconds) {
    vn_moving_scene_info info;
    uint64_t hash = 0xcbf29ce484222325u;
    vn_moving_scene_get_info(scene, &info);
    for (uint32_t i = 0; i < info.movers; ++i) {
        vn_mover_state s;
        assert_int_equal(vn_moving_scene_get_state(scene, i, seconds, NULL, &s), VN_OK);
        mix_state(&hash, &s);
    }

    if (info.has_agent) {
        vn_vec3 goal[2];
        assert_int_equal(vn_moving_scene_get_goal(scene, seconds, &goal[0], &goal[1]), VN_OK);
        mix(&hash, goal, sizeof goal);
    }

    return hash;
}

static vn_moving_scene_def variant(int i, uint64_t seed) {
    static const char* const names[] = {"krafft", "krafft", "krafft", "debris",
                                        "debris", "debris", "hunters"};
    vn_moving_scene_def def = def_of(names[i], seed);
    def.goal = i < 3 ? (vn_goal_motion)i : VN_GOAL_MOTION_NONE;
    def.mirrored = i == 2;
    def.edge = i >= 3 && i < 6 ? (vn_motion_edge)(i - 3) : VN_EDGE_BOUNCE;
    return def;
}

enum { VARIANTS = 7 };

/// Forwards, backwards, twice, from a scene made anew: the same.
static void test_pure(void** state) {
    (void)state;
    enum { TIMES = 400 };
    for (int v = 0; v < VARIANTS; ++v) {
        const vn_moving_scene_def def = variant(v, 3);
        vn_moving_scene *a = make(&def), *b = make(&def);
        uint64_t forwards[TIMES];
        for (int i = 0; i < TIMES; ++i) {
            forwards[i] = hash_at(a, 0.37 * i);
        }

        for (int i = TIMES - 1; i >= 0; --i) {
            assert_true(hash_at(a, 0.37 * i) == forwards[i]);
            assert_true(hash_at(b, 0.37 * i) == forwards[i]);
        }
        vn_moving_scene_destroy(a);
        vn_moving_scene_destroy(b);
    }
}

/// Written down: the same on every platform and in every build.
static void test_golden(void** state) {
    (void)state;
    static const uint64_t expected[VARIANTS] = {0xd16ce1cf7a6f6a8bu, 0xd6b63ec04c110531u, 0x68f4d36124023986u,
                                                0x8ae52c36eec2bb92u, 0xbfd9fb4c18526c2eu, 0x4f204856d3f985f5u,
                                                0x94ddf8463e598c38u};
    static const double times[] = {0, 0.016, 1, 2.5, 10, 61.8, 1000.1, 123456.789, 1e7};
    int wrong = 0;
    for (int v = 0; v < VARIANTS; ++v) {
        uint64_t hash = 0xcbf29ce484222325u;
        for (uint64_t seed = 0; seed < 5; ++seed) {
            const vn_moving_scene_def def = variant(v, seed);
            vn_moving_scene* scene = make(&def);
            for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
                const uint64_t one = hash_at(scene, times[i]);
                mix(&hash, &one, sizeof one);
            }
            vn_moving_scene_destroy(scene);
        }

        print_message("variant %d: 0x%016llxu\n", v, (unsigned long long)hash);
        wrong += hash != expected[v];
    }

    assert_int_equal(wrong, 0);
}

/// The seed draws phases in krafft (0 is the scene as designed) and everything in the others.
static void test_seeds(void** state) {
    (void)state;
    for (int v = 0; v < VARIANTS; ++v) {
        uint64_t hashes[4];
        for (uint64_t seed = 0; seed < 4; ++seed) {
            const vn_moving_scene_def def = variant(v, seed);
            vn_moving_scene* scene = make(&def);
            hashes[seed] = hash_at(scene, 1);
            vn_moving_scene_destroy(scene);
        }

        for (int a = 0; a < 4; ++a) {
            for (int b = 0; b < a; ++b) {
                assert_true(hashes[a] != hashes[b]);
            }
        }
    }
}

/// Debris that bounces or is there, and hunters: whole inside the bounds; hunters have their zones.
static void test_drawn(void** state) {
    (void)state;
    const uint64_t base = vnt_seed("drawn", 17);
    for (uint32_t n = 0; n < vnt_scale(20, 500); ++n) {
        for (int v = 3; v < VARIANTS; ++v) {
            vn_moving_scene_def def = variant(v, base + n);
            def.bounds = (vn_box){{-30, 4, 100}, {30, 20, 140}};
            def.count = 20;
            def.size = 2.5f;
            vn_moving_scene* scene = make(&def);
            for (uint32_t i = 0; i < 20; ++i) {
                vn_mover_info info;
                vn_moving_scene_get_mover(scene, i, &info);
                assert_true(info.speed >= 0.999);
                assert_true(info.speed <= 2.001);
                assert_true((info.influence > 0) == (v == 6));
                for (int k = 0; k < 50; ++k) {
                    vn_mover_state s;
                    assert_int_equal(vn_moving_scene_get_state(scene, i, 3.3 * k, NULL, &s), VN_OK);
                    const vn_vec3 p = s.transform.position;
                    const float h =
                        v == 3 ? info.shape.as.box.max.x : (v == 6 ? info.shape.as.sphere.radius : 0);
                    assert_true(p.x - h >= -30.001f);
                    assert_true(p.x + h <= 30.001f);
                    assert_true(p.y >= 4);
                    assert_true(p.y <= 20);
                    assert_true(p.z >= 100);
                    assert_true(p.z <= 140);
                }
            }
            vn_moving_scene_destroy(scene);
        }
    }
}

// ----------------------------------------------------------------------------------------------- blinkers

/// A model in the test's own words: a blinker changes when its timer does, or as soon after that as no agent
/// is near.
static void test_blinkers_wait(void** state) {
    (void)state;
    uint64_t random = vnt_seed("blinkers", 4);
    const vn_moving_scene_def def = def_of("krafft", 2);
    vn_moving_scene* scene = make(&def);
    vn_blinkers blinkers, copy;
    bool model[16];
    int late = 0;
    assert_int_equal(vn_moving_scene_get_timers(scene, 0, &blinkers), VN_OK);
    for (uint32_t i = 13; i < 16; ++i) {
        vn_mover_state s;
        assert_int_equal(vn_moving_scene_get_state(scene, i, 0, NULL, &s), VN_OK);
        model[i] = s.present;
    }

    vn_vec3 agent = {20, 20, 8};
    for (int k = 1; k < 6000; ++k) {
        const double t = k / 10.0;
        agent.x = fminf(fmaxf(agent.x + (float)(vn_random_next(&random) % 21) / 10 - 1, 0), 64);
        agent.y = fminf(fmaxf(agent.y + (float)(vn_random_next(&random) % 21) / 10 - 1, 0), 56);
        assert_int_equal(vn_moving_scene_blink(scene, t, &agent, 1, 6, &blinkers), VN_OK);
        for (uint32_t i = 13; i < 16; ++i) {
            vn_mover_state timer, seen;
            vn_mover_info info;
            vn_moving_scene_get_mover(scene, i, &info);
            assert_int_equal(vn_moving_scene_get_state(scene, i, t, NULL, &timer), VN_OK);
            assert_int_equal(vn_moving_scene_get_state(scene, i, t, &blinkers, &seen), VN_OK);
            const vn_vec3 c = timer.transform.position, h = info.shape.as.box.max;
            const float dx = fmaxf(fabsf(agent.x - c.x) - h.x, 0), dy = fmaxf(fabsf(agent.y - c.y) - h.y, 0),
                        dz = fmaxf(fabsf(agent.z - c.z) - h.z, 0);
            if (dx * dx + dy * dy + dz * dz >= 36) {
                model[i] = timer.present;
            }
            late += timer.present != seen.present;
            assert_true(seen.present == model[i]);
        }
    }

    print_message("%d times late\n", late);
    assert_true(late > 0);

    // Nothing changes on bad input, nor twice at one time.
    copy = blinkers;
    const vn_vec3 nowhere = {NAN, 0, 0};
    assert_int_equal(vn_moving_scene_blink(scene, 1, &nowhere, 1, 6, &blinkers), VN_BAD_ARGUMENT);
    assert_int_equal(vn_moving_scene_blink(scene, -1, &agent, 1, 6, &blinkers), VN_BAD_ARGUMENT);
    assert_int_equal(vn_moving_scene_blink(scene, 1, &agent, 1, -1, &blinkers), VN_BAD_ARGUMENT);
    assert_int_equal(vn_moving_scene_blink(scene, 1, &agent, 1, NAN, &blinkers), VN_BAD_ARGUMENT);
    assert_int_equal(vn_moving_scene_blink(scene, 599.9, &agent, 1, 6, &blinkers), VN_OK);
    assert_memory_equal(&copy, &blinkers, sizeof copy);

    // Without agents it is the timers.
    assert_int_equal(vn_moving_scene_blink(scene, 700, NULL, 0, 6, &blinkers), VN_OK);
    assert_int_equal(vn_moving_scene_get_timers(scene, 700, &copy), VN_OK);
    assert_memory_equal(&copy, &blinkers, sizeof copy);
    vn_moving_scene_destroy(scene);
}

// ----------------------------------------------------------------------------------------------- refusals

static void refuse(const vn_moving_scene_def* def, vn_status status, const char* word) {
    vn_moving_scene* scene = NULL;
    vn_detail detail = {0};
    assert_int_equal(vn_moving_scene_create(def, &scene, &detail), status);
    assert_int_equal(detail.status, status);
    assert_null(scene);
    if (strstr(detail.text, word) == NULL) {
        fail_msg("\"%s\" lacks %s", detail.text, word);
    }
}

static void test_refusals(void** state) {
    (void)state;
    const vn_moving_scene_def good = vn_default_moving_scene_def();
    vn_moving_scene_def d = good;
    d.cookie = 1, refuse(&d, VN_BAD_DEF, "vn_default_moving_scene_def");
    d = good, d.name = "atlantis", refuse(&d, VN_NOT_FOUND, "hunters");
    d = good, d.name = NULL, refuse(&d, VN_NOT_FOUND, "hunters");
    d = good, d.goal = (vn_goal_motion)3, refuse(&d, VN_BAD_ARGUMENT, "goal");
    d = good, d.allocator.release = NULL, refuse(&d, VN_BAD_ARGUMENT, "allocator");
    d = good, d.mover_count = 1, refuse(&d, VN_BAD_ARGUMENT, "null");
    d = def_of("debris", 1), d.bounds.min.x = 20, refuse(&d, VN_BAD_ARGUMENT, "bounds");
    d = def_of("debris", 1), d.bounds.max.y = NAN, refuse(&d, VN_BAD_ARGUMENT, "bounds");
    d = def_of("debris", 1), d.resolution = 0, refuse(&d, VN_BAD_ARGUMENT, "resolution");
    d = def_of("debris", 1), d.size = 0, refuse(&d, VN_BAD_ARGUMENT, "size");
    d = def_of("debris", 1), d.size = 19, refuse(&d, VN_BAD_ARGUMENT, "fit");
    d = def_of("debris", 1), d.speed = INFINITY, refuse(&d, VN_BAD_ARGUMENT, "speed");
    d = def_of("debris", 1), d.edge = (vn_motion_edge)9, refuse(&d, VN_BAD_ARGUMENT, "bounces");
    d = def_of("hunters", 1), d.size = 7, refuse(&d, VN_BAD_ARGUMENT, "fit");
    d = def_of("hunters", 1), d.count = UINT32_MAX, refuse(&d, VN_TOO_LARGE, "VN_MAX_MOVERS");

    static vn_mover_def movers[VN_MAX_BLINKERS + 1];
    for (uint32_t i = 0; i <= VN_MAX_BLINKERS; ++i) {
        movers[i] = vn_default_mover_def();
        movers[i].motion.kind = VN_MOTION_BLINK;
        movers[i].motion.on = movers[i].motion.off = 1;
    }
    d = def_of("empty", 1), d.movers = movers, d.mover_count = VN_MAX_BLINKERS + 1;
    refuse(&d, VN_TOO_LARGE, "VN_MAX_BLINKERS");
    d.mover_count = VN_MAX_BLINKERS;
    vn_moving_scene* all = make(&d);
    vn_blinkers bits;
    assert_int_equal(vn_moving_scene_get_timers(all, 0, &bits), VN_OK);
    assert_true(bits.present[3] == UINT64_MAX);
    vn_moving_scene_destroy(all);
    for (uint32_t i = 0; i <= VN_MAX_ZONES; ++i) {
        movers[i].influence = 1;
    }
    d.mover_count = VN_MAX_ZONES + 1, refuse(&d, VN_TOO_LARGE, "VN_MAX_ZONES");

    d = good, d.movers = movers, d.mover_count = 1; // movers of the caller come after the scene's
    movers[0].motion.position.x = -1;
    vn_moving_scene* scene = NULL;
    vn_detail detail = {0};
    assert_int_equal(vn_moving_scene_create(&d, &scene, &detail), VN_BAD_ARGUMENT);
    assert_true(detail.index == 16);
}

static void test_bad_times(void** state) {
    (void)state;
    static const double bad[] = {-1e-9, (double)NAN, (double)INFINITY, 1.0000001e7};
    const vn_moving_scene_def def = def_of("krafft", 1), other = def_of("debris", 1);
    vn_moving_scene *scene = make(&def), *no_goal = make(&other);
    vn_mover_state s;
    vn_blinkers blinkers;
    vn_vec3 p;
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(vn_moving_scene_get_state(scene, 0, bad[i], NULL, &s), VN_BAD_ARGUMENT);
        assert_int_equal(vn_moving_scene_get_timers(scene, bad[i], &blinkers), VN_BAD_ARGUMENT);
        assert_int_equal(vn_moving_scene_get_goal(scene, bad[i], &p, NULL), VN_BAD_ARGUMENT);
    }

    assert_int_equal(vn_moving_scene_get_state(scene, 16, 0, NULL, &s), VN_BAD_ARGUMENT);
    assert_int_equal(vn_moving_scene_get_goal(no_goal, 0, &p, NULL), VN_UNSUPPORTED);
    vn_moving_scene_destroy(scene);
    vn_moving_scene_destroy(no_goal);
}

static void test_out_of_memory(void** state) {
    (void)state;
    for (int v = 0; v < VARIANTS; ++v) {
        vn_status status = VN_OUT_OF_MEMORY;
        uint64_t k = 0;
        for (; status != VN_OK; ++k) {
            vnt_memory memory = vnt_memory_make();
            vn_moving_scene_def def = variant(v, 1);
            vn_moving_scene* scene = NULL;
            vn_detail detail = {0};
            def.allocator = vnt_memory_allocator(&memory);
            memory.fail_at = k;
            status = vn_moving_scene_create(&def, &scene, &detail);
            assert_true((status == VN_OK) == (scene != NULL));
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            assert_int_equal(detail.status, status);
            vn_moving_scene_destroy(scene);
            assert_int_equal(memory.live_blocks, 0);
            assert_false(memory.mismatch);
        }
        assert_true(k >= 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),        cmocka_unit_test(test_pure),
        cmocka_unit_test(test_golden),       cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_drawn),        cmocka_unit_test(test_blinkers_wait),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_bad_times),
        cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests_name("sim/moving", tests, NULL, NULL);
}
