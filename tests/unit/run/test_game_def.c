/// tests/unit/run/test_game_def.c: games of Lost in Space: refusals, memory, the same bytes again, long ways.
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "run/game_inside.h"
#include "support.h"

/// All of the state that a host sees, after so many steps of the script.
static uint64_t play(const vn_game_def* def, int steps) {
    vn_game* game = NULL;
    vn_run_result hash = {0};
    assert_int_equal(vn_game_create(def, &game, NULL), VN_OK);
    for (int k = 0; k < steps; ++k) {
        vn_game_input input;
        vn_game_view view;
        vn_game_script(game, &input);
        assert_int_equal(vn_game_step(game, &input), VN_RUNNING);
        vn_game_get_view(game, &view);
        vni_run_hash(&hash, view.player.position);
        vni_run_hash(&hash, view.player.look);
        for (uint32_t i = 0; i < view.asteroid_count; ++i)
            vni_run_hash(&hash, view.asteroids[i].position);
        for (uint32_t i = 0; i < view.enemy_count; ++i)
            vni_run_hash(&hash, view.enemies[i].position);
    }
    vn_game_destroy(game);
    return hash.hash;
}

static void test_same_again(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; ++variant) {
        vn_game_def def = vn_default_game_def();
        def.player_health = 0;
        def.field = variant % 2 == 0 ? VN_GAME_SPHERE : VN_GAME_CIRCLES;
        def.hunt = variant / 2 == 0 ? VN_GAME_PILOTS : VN_GAME_STRAIGHT;
        const uint64_t first = play(&def, 120);
        assert_true(play(&def, 120) == first);
        def.seed = 2;
        assert_true(play(&def, 120) != first);
    }
}

static void refused(vn_game_def def, const char* word) {
    vn_game* game = NULL;
    vn_detail detail = {0};
    assert_int_equal(vn_game_create(&def, &game, &detail), VN_BAD_ARGUMENT);
    assert_null(game);
    if (strstr(detail.text, word) == NULL)
        print_error("%s: %s\n", word, detail.text);
    assert_non_null(strstr(detail.text, word));
}

#define REFUSED(field, value, word)                                                                          \
    do {                                                                                                     \
        vn_game_def changed = vn_default_game_def();                                                         \
        changed.field = (value);                                                                             \
        refused(changed, word);                                                                              \
    } while (0)

static void test_refusals(void** state) {
    (void)state;
    REFUSED(step, 0.2, "step");
    REFUSED(step, (double)NAN, "step");
    REFUSED(asteroids, 4097, "4096");
    REFUSED(enemies, 65, "64");
    REFUSED(rim, 5, "rim");
    REFUSED(height, 61, "height");
    REFUSED(layers, 0, "layers");
    REFUSED(overlap, -0.1, "overlap");
    REFUSED(radius_min, 0, "radius_min");
    REFUSED(radius_max, 0.4, "radius_max");
    REFUSED(speed_slow, 0, "speed_slow");
    REFUSED(speed_fast, 0.4, "speed_fast");
    REFUSED(circles, 65, "circles");
    REFUSED(orbit, 31, "orbit");
    REFUSED(player_radius, 7, "player_radius");
    REFUSED(player_speed, -1, "player_speed");
    REFUSED(player_turn, 0, "player_turn");
    REFUSED(player_look, -1, "player_look");
    REFUSED(player_health, -1, "player_health");
    REFUSED(hit_damage, -1, "hit_damage");
    REFUSED(catch_damage, (double)INFINITY, "catch_damage");
    REFUSED(enemy_radius, 0, "enemy_radius");
    REFUSED(enemy_speed, 0, "enemy_speed");
    REFUSED(enemy_max_speed, 5, "enemy_max_speed");
    REFUSED(enemy_max_speed, 180, "in one decision");
    REFUSED(enemy_acceleration, 0, "enemy_acceleration");
    REFUSED(enemy_health, 0, "enemy_health");
    REFUSED(crash_damage, -1, "crash_damage");
    REFUSED(control, 0.01, "control");
    REFUSED(horizon, 4, "horizon");
    REFUSED(control, 0.02, "horizon");
    REFUSED(radar, -1, "radar");
    REFUSED(spacing, 11, "spacing");
    REFUSED(win_seconds, -1, "win_seconds");
    REFUSED(guns[0].damage, -1, "damage of a gun");
    REFUSED(guns[1].speed, 0, "speed of a shot");
    REFUSED(guns[1].range, 0, "range of a gun");
    REFUSED(guns[0].pause, 0, "pause of a gun");
    REFUSED(guns[0].pause, 0.01, "60 shots");
    REFUSED(guns[0].reload, -1, "reload of a gun");
    REFUSED(guns[1].magazine, 0, "magazine");

    vn_game* game = NULL;
    vn_game_def def = vn_default_game_def();
    def.allocator.release = NULL;
    assert_int_equal(vn_game_create(&def, &game, NULL), VN_BAD_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(vn_game_create(&def, &game, NULL), VN_BAD_DEF);
}

/// Nothing changes; values beyond the ends of a stick are cut off.
static void test_inputs(void** state) {
    (void)state;
    vn_game* game = NULL;
    vn_game_def def = vn_default_game_def();
    def.asteroids = def.enemies = 0;
    assert_int_equal(vn_game_create(&def, &game, NULL), VN_OK);
    vn_game_input input = {.look_pitch = (double)NAN};
    assert_int_equal(vn_game_step(game, &input), VN_BAD_ARGUMENT);
    input = (vn_game_input){.yaw = (double)NAN};
    assert_int_equal(vn_game_step(game, &input), VN_BAD_ARGUMENT);
    assert_true(game->stats.steps == 0);
    assert_true(game->ship.at.x == 0);

    input = (vn_game_input){.yaw = (double)INFINITY, .look_yaw = -7};
    assert_int_equal(vn_game_step(game, &input), VN_RUNNING);
    assert_true(fabs(game->player.yaw - 0.25 / 60) < 1e-12);
    assert_true(fabs(game->player.look_yaw + 0.5 / 60) < 1e-12);
    vn_game_destroy(game);
}

static void test_no_memory(void** state) {
    (void)state;
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_game_def def = vn_default_game_def();
        vn_game* game = NULL;
        memory.fail_at = k;
        def.allocator = vnt_memory_allocator(&memory);
        def.enemies = 2;
        def.asteroids = 4;
        const vn_status status = vn_game_create(&def, &game, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);

        // Steps allocate nothing.
        const uint64_t calls = memory.calls;
        const vn_game_input idle = {0};
        for (int i = 0; game != NULL && i < 20; ++i)
            assert_int_equal(vn_game_step(game, &idle), VN_RUNNING);
        assert_true(memory.calls == calls);
        vn_game_destroy(game);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }
}

/// A straight flight of many rims: the pilots' space follows, and enemies never leap while they live.
static void test_long_way(void** state) {
    (void)state;
    vn_game_def def = vn_default_game_def();
    def.asteroids = 20;
    def.enemies = 6;
    def.rim = 30;
    def.height = 20;
    def.player_speed = 10;
    def.enemy_speed = 11;
    def.enemy_max_speed = 12;
    def.player_health = 0;
    vn_game* game = NULL;
    assert_int_equal(vn_game_create(&def, &game, NULL), VN_OK);
    const vn_game_input idle = {0};
    vn_dvec3 before[6] = {{0}};
    uint64_t ids[6] = {0};
    for (int k = 0; k < 3600; ++k) {
        vn_game_view view;
        assert_int_equal(vn_game_step(game, &idle), VN_RUNNING);
        vn_game_get_view(game, &view);
        for (uint32_t i = 0; i < 6; ++i) {
            const vn_game_thing* e = &view.enemies[i];
            const double way = vni_length(vni_difference(e->position, before[i]));
            assert_true(e->id != ids[i] || !e->present || way <= 12.0 / 60 + 1e-6);
            assert_true(!e->present || vni_length(vni_difference(e->position, game->ship.at)) <= 45);
            before[i] = e->position;
            ids[i] = e->id;
        }
    }
    assert_true(game->ship.at.x > 599);
    assert_true(game->anchor.x > 500);
    assert_true(game->stats.caught > 0);
    vn_game_destroy(game);
}

/// More events than there is room for are counted.
static void test_events(void** state) {
    (void)state;
    vn_game* game = NULL;
    vn_game_def def = vn_default_game_def();
    def.enemies = 0;
    def.player_health = 0;
    assert_int_equal(vn_game_create(&def, &game, NULL), VN_OK);
    for (uint32_t i = 0; i < 400; ++i)
        vni_game_put(&game->asteroids[i], game->ship.at, (vn_dvec3){0, 0, 0});
    const vn_game_input idle = {0};
    vn_game_view view;
    assert_int_equal(vn_game_step(game, &idle), VN_RUNNING);
    vn_game_get_view(game, &view);
    assert_int_equal(view.event_count, VN_MAX_GAME_EVENTS);
    assert_int_equal(view.events_in_all, 400);
    assert_int_equal(view.events[255].index, 255);
    vn_game_destroy(game);
    vn_game_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_again), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_inputs),     cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_long_way),   cmocka_unit_test(test_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
