/// tests/unit/run/test_game.c: the rules of Lost in Space, one by one.
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "run/game_inside.h"
#include "support.h"

static vn_game* make(const vn_game_def* def) {
    vn_detail detail = {0};
    vn_game* game = NULL;
    const vn_status status = vn_game_create(def, &game, &detail);
    if (status != VN_OK)
        print_error("%s\n", detail.text);
    assert_int_equal(status, VN_OK);
    return game;
}

/// A game of so many asteroids and enemies.
static vn_game* make_small(uint32_t asteroids, uint32_t enemies, vn_game_hunt hunt) {
    vn_game_def def = vn_default_game_def();
    def.asteroids = asteroids;
    def.enemies = enemies;
    def.hunt = hunt;
    return make(&def);
}

static const vn_game_input idle;

static vn_game_view step(vn_game* game, const vn_game_input* input) {
    vn_game_view view;
    assert_int_equal(vn_game_step(game, input), VN_RUNNING);
    vn_game_get_view(game, &view);
    return view;
}

static void place(vni_game_body* body, double x, double y, double z, double vx) {
    vni_game_put(body, (vn_dvec3){x, y, z}, (vn_dvec3){vx, 0, 0});
    body->present = true;
}

static uint32_t count(const vn_game_view* view, vn_game_event_kind kind) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < view->event_count; ++i)
        n += view->events[i].kind == kind;
    return n;
}

static double far(vn_dvec3 a, vn_dvec3 b) {
    return vni_length(vni_difference(a, b));
}

// ----------------------------------------------------------------------------------------------- the field

/// In the flattened sphere, each in its layer, and clear of all agents.
static void test_start(void** state) {
    (void)state;
    const vn_game_def def = vn_default_game_def();
    vn_game* game = make(&def);
    vn_game_view view;
    vn_game_get_view(game, &view);
    assert_int_equal(view.asteroid_count, 400);
    assert_int_equal(view.enemy_count, 20);
    const double half = def.height / def.layers, tall = half * (1 + 2 * def.overlap);
    for (uint32_t i = 0; i < view.asteroid_count; ++i) {
        const vn_game_thing* a = &view.asteroids[i];
        const double middle = -def.height + (2 * (i % def.layers) + 1) * half;
        assert_true(a->present);
        assert_true(vni_game_depth(game, a->position) <= 1);
        assert_true(fabs(a->position.y) <= def.height);
        assert_true(fabs(a->position.y - middle) <= tall);
        assert_true(far(a->position, view.player.position) - a->radius >= def.player_radius);
    }

    // Layers overlap: some asteroids lie in the part of the next one.
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < view.asteroid_count; ++i)
        beyond += fabs(view.asteroids[i].position.y + def.height - (2 * (i % def.layers) + 1) * half) > half;
    assert_in_range(beyond, 60, 200);
    vn_game_destroy(game);
}

static void test_speed_falls_with_size(void** state) {
    (void)state;
    const vn_game_def def = vn_default_game_def();
    vn_game* game = make(&def);
    vn_game_view view;
    vn_game_get_view(game, &view);
    double least = HUGE_VAL, most = 0;
    for (uint32_t i = 0; i < view.asteroid_count; ++i) {
        const vn_game_thing *a = &view.asteroids[i], *b = &view.asteroids[(i + 1) % view.asteroid_count];
        const double va = vni_length(a->velocity), vb = vni_length(b->velocity);
        assert_true(a->radius == b->radius || (a->radius < b->radius) == (va > vb));
        least = va < least ? va : least;
        most = va > most ? va : most;
    }
    assert_true(least < 0.6);
    assert_true(most > 2.8);
    assert_true(least >= def.speed_slow - 1e-12);
    assert_true(most <= def.speed_fast + 1e-12);
    vn_game_destroy(game);
}

/// No surface of what appears is nearer to an agent than it takes to stop.
static void check_clear(const vn_game* game, const vn_game_view* view, const vn_game_thing* thing) {
    const double speed = vni_length(thing->velocity), v = game->def.enemy_max_speed;
    const double stop = v * v / (2 * game->def.enemy_acceleration);
    assert_true(far(thing->position, view->player.position) - thing->radius >= game->def.player_radius);
    for (uint32_t i = 0; i < view->enemy_count; ++i) {
        const vn_game_thing* enemy = &view->enemies[i];
        if (enemy->present && enemy->id != thing->id) {
            const double gap = far(thing->position, enemy->position) - thing->radius;
            assert_true(gap >= stop + enemy->radius + speed * v / game->def.enemy_acceleration);
        }
    }
}

/// Whatever appears is at the rim, and clear of the agents.
static void test_appears_at_rim(void** state) {
    (void)state;
    const vn_game_def def = vn_default_game_def();
    vn_game* game = make(&def);
    uint64_t ids[400], enemy_ids[20];
    uint32_t appeared = 0, enemies = 0;
    for (int k = 0; k < 900; ++k) {
        vn_game_input input;
        vn_game_script(game, &input);
        const vn_game_view view = step(game, &input);
        for (uint32_t i = 0; i < 400; ++i) {
            const vn_game_thing* a = &view.asteroids[i];
            const double depth = vni_game_depth(game, a->position);
            const bool is_new = k > 0 && a->id != ids[i] && a->present;
            if (is_new)
                check_clear(game, &view, a);
            appeared += is_new;
            assert_true(!a->present || depth <= 1);
            assert_true(!is_new || depth >= 0.97);
            ids[i] = a->id;
        }
        for (uint32_t i = 0; i < 20; ++i) {
            const bool is_new = k > 0 && view.enemies[i].id != enemy_ids[i] && view.enemies[i].present;
            assert_true(!is_new || vni_game_depth(game, view.enemies[i].position) >= 0.97);
            if (is_new)
                check_clear(game, &view, &view.enemies[i]);
            enemies += is_new;
            enemy_ids[i] = view.enemies[i].id;
        }
    }
    assert_true(appeared > 100);
    assert_true(enemies > 3);
    vn_game_stats stats;
    vn_game_get_stats(game, &stats);
    assert_true(stats.appeared >= appeared + enemies);
    vn_game_destroy(game);
}

/// One that appears heads inward as the player sees it, who flies straight on.
static void test_heads_inward(void** state) {
    (void)state;
    vn_game* game = make_small(400, 0, VN_GAME_STRAIGHT);
    uint64_t ids[400];
    double depths[400] = {0};
    uint32_t seen = 0;
    for (int k = 0; k < 600; ++k) {
        const vn_game_view view = step(game, &idle);
        for (uint32_t i = 0; i < 400; ++i) {
            const double depth = vni_game_depth(game, view.asteroids[i].position);
            assert_true(depths[i] == 0 || depth < depths[i] || view.asteroids[i].id != ids[i]);
            seen += depths[i] > 0;
            depths[i] = k > 0 && view.asteroids[i].id != ids[i] && view.asteroids[i].present ? depth : 0;
            ids[i] = view.asteroids[i].id;
        }
    }
    assert_true(seen > 50);
    vn_game_destroy(game);
}

/// Where enemies stand everywhere at the rim, nothing appears: it waits.
static void test_waits(void** state) {
    (void)state;
    vn_game_def def = vn_default_game_def();
    def.asteroids = 8;
    def.enemies = 64;
    def.rim = def.height = 12;
    def.orbit = 4;
    vn_game* game = make(&def);
    vn_game_view view = step(game, &idle);
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < 64; ++i)
        waiting += !view.enemies[i].present;
    assert_in_range(waiting, 50, 63);
    vn_game_destroy(game);
}

// --------------------------------------------------------------------------------------------- the circles

static void test_circles(void** state) {
    (void)state;
    vn_game_def def = vn_default_game_def();
    def.field = VN_GAME_CIRCLES;
    def.enemies = 0;
    def.asteroids = 50;
    vn_game* game = make(&def);
    vn_game_view view = step(game, &idle);
    assert_true(fabs(far(view.player.position, view.centre) - def.orbit) < 1e-9);
    uint64_t ids[50];
    for (uint32_t i = 0; i < 50; ++i) {
        ids[i] = view.asteroids[i].id;
        assert_true(fabs(view.asteroids[i].position.y) <= def.player_radius);
    }

    // Waves: those of a circle stay one, and head for the centre.
    for (int k = 0; k < 300; ++k)
        view = step(game, &idle);
    for (uint32_t i = 0; i + 5 < 50; ++i) {
        const vn_game_thing *a = &view.asteroids[i], *b = &view.asteroids[i + 5];
        if (a->id == ids[i] && b->id == ids[i + 5]) {
            const double ra = far(a->position, view.centre), rb = far(b->position, view.centre);
            assert_true(fabs(ra - rb) < 0.1);
            assert_true(fabs(vni_length(a->velocity) - 1.75) < 1e-9);
        }
    }
    assert_true(far(view.asteroids[0].position, view.centre) + 8.6 <
                far(view.asteroids[1].position, view.centre));
    vn_game_destroy(game);
}

/// Those that reach the centre begin again at the outermost circle.
static void test_circles_again(void** state) {
    (void)state;
    vn_game_def def = vn_default_game_def();
    def.field = VN_GAME_CIRCLES;
    def.enemies = 0;
    def.asteroids = 5;
    vn_game* game = make(&def);
    place(&game->asteroids[0], -0.01, 0, 0, 1.75);
    const uint64_t id = game->asteroids[0].id;
    const vn_game_view view = step(game, &idle);
    assert_true(view.asteroids[0].id != id);
    assert_true(fabs(far(view.asteroids[0].position, view.centre) - def.rim) < 0.1);
    vn_game_destroy(game);
}

static void test_orbit(void** state) {
    (void)state;
    vn_game_def def = vn_default_game_def();
    def.field = VN_GAME_CIRCLES;
    def.enemies = def.asteroids = 0;
    vn_game* game = make(&def);
    const vn_game_input right = {.yaw = 1, .pitch = 1};
    vn_game_view view;
    for (int k = 0; k < 60; ++k)
        view = step(game, &right);

    // A second at 4 m/s on an orbit of 8 m: half a radian.
    assert_true(fabs(view.player.yaw - 0.5 / VNI_TAU) < 1e-9);
    assert_true(fabs(far(view.player.position, view.centre) - 8) < 1e-9);
    assert_true(view.player.position.y == 0);
    assert_true(view.player.position.z > 3.8);
    assert_true(far(view.player.forward, vni_scaled(view.player.position, 1.0 / 8)) < 1e-9);
    vn_game_destroy(game);
}

// ---------------------------------------------------------------------------------------------- the player

static void test_steering(void** state) {
    (void)state;
    vn_game* game = make_small(0, 0, VN_GAME_STRAIGHT);
    vn_game_view view = step(game, &idle);
    assert_true(fabs(view.player.position.x - 4.0 / 60) < 1e-12);

    const vn_game_input right = {.yaw = 1};
    for (int k = 0; k < 60; ++k) {
        view = step(game, &right);
        assert_true(fabs(vni_length(view.player.velocity) - 4) < 1e-12);
    }
    assert_true(fabs(view.player.yaw - 0.25) < 1e-12);
    assert_true(fabs(view.player.forward.z - 1) < 1e-9);

    const vn_game_input up = {.pitch = 5};
    for (int k = 0; k < 120; ++k)
        view = step(game, &up);
    assert_true(fabs(view.player.pitch - 0.24) < 1e-12);
    assert_true(view.player.velocity.y > 3.9);
    vn_game_destroy(game);
}

static void test_free_look(void** state) {
    (void)state;
    vn_game* game = make_small(0, 0, VN_GAME_STRAIGHT);
    const vn_game_input look = {.look_yaw = -0.5, .look_pitch = 0.5};
    vn_game_view view;
    for (int k = 0; k < 60; ++k)
        view = step(game, &look);
    assert_true(fabs(view.player.look_yaw + 0.25) < 1e-12);
    assert_true(fabs(view.player.look_pitch - 0.24) < 1e-12);
    assert_true(fabs(view.player.forward.x - 1) < 1e-12);
    assert_true(fabs(view.player.position.x - 4) < 1e-9);
    assert_true(view.player.look.y > 0.99);

    const vn_game_input ahead = {.look_ahead = true};
    view = step(game, &ahead);
    assert_true(far(view.player.look, view.player.forward) == 0);
    vn_game_destroy(game);
}

// ------------------------------------------------------------------------------------------------- the guns

/// Left and right, along the camera, with a pause in between.
static void test_shooting(void** state) {
    (void)state;
    vn_game* game = make_small(0, 0, VN_GAME_STRAIGHT);
    const vn_game_input left = {.shoot_left = true}, right = {.shoot_right = true};
    vn_game_view view = step(game, &left);
    assert_int_equal(count(&view, VN_GAME_FIRED), 1);
    assert_int_equal(view.shot_count, 1);
    assert_true(fabs(view.shots[0].position.z + 1) < 1e-12);
    assert_true(fabs(view.shots[0].velocity.x - 64) < 1e-9);
    view = step(game, &right);
    assert_int_equal(view.shot_count, 2);
    assert_true(fabs(view.shots[1].position.z - 1) < 1e-12);

    uint32_t fired = 0;
    for (int k = 0; k < 60; ++k) {
        view = step(game, &left);
        fired += count(&view, VN_GAME_FIRED);
    }
    assert_in_range(fired, 4, 5);
    assert_int_equal(view.player.ammunition[0], 24 - 2 - fired);
    vn_game_destroy(game);
}

static void test_shots_end(void** state) {
    (void)state;
    vn_game* game = make_small(0, 0, VN_GAME_STRAIGHT);
    const vn_game_input left = {.shoot_left = true};
    vn_game_view view = step(game, &left);
    for (int k = 0; k < 48; ++k)
        view = step(game, &idle);
    assert_int_equal(view.shot_count, 1); // 50 m at 60 m/s: 50 steps
    for (int k = 0; k < 3; ++k)
        view = step(game, &idle);
    vn_game_stats stats;
    vn_game_get_stats(game, &stats);
    assert_int_equal(view.shot_count, 0);
    assert_int_equal(stats.misses, 1);
    vn_game_destroy(game);
}

static void test_magazine(void** state) {
    (void)state;
    vn_game* game = make_small(0, 0, VN_GAME_STRAIGHT);
    const vn_game_input left = {.shoot_left = true}, reload = {.reload = true}, other = {.switch_gun = true};
    vn_game_view view = step(game, &left);
    for (int k = 0; k < 1200 && count(&view, VN_GAME_OUT_OF_AMMO) == 0; ++k)
        view = step(game, &left);
    assert_int_equal(count(&view, VN_GAME_OUT_OF_AMMO), 1);
    assert_int_equal(view.player.ammunition[0], 0);
    assert_int_equal(game->stats.shots, 24);

    // A reload takes 1.5 s, in which nothing is shot; it waits while the other gun is held.
    view = step(game, &reload);
    for (int k = 0; k < 60; ++k)
        view = step(game, &left);
    assert_int_equal(game->stats.shots, 24);
    const double left_before = view.player.reload_left[0];
    assert_true(fabs(left_before - 0.5) < 1e-9);
    view = step(game, &other);
    assert_int_equal(count(&view, VN_GAME_SWITCHED), 1);
    assert_int_equal(view.player.gun, 1);
    view = step(game, &left);
    assert_int_equal(count(&view, VN_GAME_FIRED), 1);
    assert_int_equal(view.player.ammunition[1], 5);
    assert_true(view.player.reload_left[0] == left_before);

    view = step(game, &other);
    uint32_t reloaded = count(&view, VN_GAME_RELOADED);
    for (int k = 0; k < 31; ++k) {
        view = step(game, &idle);
        reloaded += count(&view, VN_GAME_RELOADED);
    }
    assert_int_equal(reloaded, 1);
    assert_int_equal(view.player.ammunition[0], 24);
    vn_game_destroy(game);
}

/// Any shot destroys an asteroid, the nearest; another one takes its place at the rim.
static void test_destroy(void** state) {
    (void)state;
    vn_game* game = make_small(2, 0, VN_GAME_STRAIGHT);
    place(&game->asteroids[0], 10, 0, -1, 0);
    place(&game->asteroids[1], 10.2, 0, -1, 0);
    game->asteroids[0].radius = game->asteroids[1].radius = 0.5;
    const uint64_t id = game->asteroids[0].id;
    const vn_game_input left = {.shoot_left = true};
    vn_game_view view = step(game, &left);
    for (int k = 0; k < 30 && count(&view, VN_GAME_DESTROYED) == 0; ++k)
        view = step(game, &idle);
    assert_int_equal(count(&view, VN_GAME_DESTROYED), 1);
    assert_int_equal(view.shot_count, 0);
    assert_int_equal(game->stats.destroyed, 1);
    assert_true(view.asteroids[0].id != id);
    assert_true(vni_game_depth(game, view.asteroids[0].position) > 0.97);
    assert_true(view.asteroids[1].position.x == 10.2);
    vn_game_destroy(game);
}

/// Three shots of the first gun, or one of the second, kill an enemy; another one appears with full health.
static void test_kill(void** state) {
    (void)state;
    vn_game* game = make_small(0, 1, VN_GAME_STRAIGHT);
    place(&game->enemies[0].body, 40, 0, 0, 0);
    const vn_game_input both = {.shoot_left = true, .shoot_right = true};
    uint32_t hurt = 0, killed = 0;
    vn_game_view view;
    for (int k = 0; k < 300 && killed == 0; ++k) {
        // Wide shots miss it: the ship is wider than the enemy, so it is moved before one side.
        game->enemies[0].body.at.z = 1;
        view = step(game, &both);
        hurt += count(&view, VN_GAME_HURT);
        killed += count(&view, VN_GAME_KILLED);
        assert_true(killed > 0 || view.enemies[0].health == 3 - (double)hurt);
    }
    assert_int_equal(hurt, 3);
    assert_int_equal(killed, 1);
    assert_int_equal(game->stats.kills, 1);
    assert_true(view.enemies[0].health == 3);
    assert_int_equal(count(&view, VN_GAME_ENEMY_APPEARED), 1);
    vn_game_destroy(game);
}

// ----------------------------------------------------------------------------------------------- contacts

static void test_hit(void** state) {
    (void)state;
    vn_game* game = make_small(1, 0, VN_GAME_STRAIGHT);
    const double gap = 1 + game->asteroids[0].radius;
    place(&game->asteroids[0], gap + 4.0 / 60 + 1e-6, 0, 0, 0);
    vn_game_view view = step(game, &idle);
    assert_int_equal(count(&view, VN_GAME_HIT), 0);
    view = step(game, &idle);
    assert_int_equal(count(&view, VN_GAME_HIT), 1);
    assert_true(view.player.health == 90);
    assert_int_equal(game->stats.hits, 1);
    assert_true(vni_game_depth(game, view.asteroids[0].position) > 0.97);
    vn_game_destroy(game);
}

/// One that passes through the ship within a single step is found.
static void test_swept(void** state) {
    (void)state;
    vn_game* game = make_small(1, 0, VN_GAME_STRAIGHT);
    place(&game->asteroids[0], 8, 0, 0, -960);
    const vn_game_view view = step(game, &idle);
    assert_int_equal(count(&view, VN_GAME_HIT), 1);
    vn_game_destroy(game);
}

/// By default of the thesis enemies fly straight at the player, and through asteroids, which hurt them.
static void test_straight(void** state) {
    (void)state;
    vn_game* game = make_small(1, 1, VN_GAME_STRAIGHT);
    game->asteroids[0].radius = 2;
    place(&game->enemies[0].body, 30, 0, 0, 0);
    vn_game_view view;
    uint32_t crashed = 0, caught = 0;
    for (int k = 0; k < 300 && caught == 0; ++k) {
        place(&game->asteroids[0], 20, 0, 0, 0);
        view = step(game, &idle);
        crashed += count(&view, VN_GAME_CRASHED);
        caught += count(&view, VN_GAME_CAUGHT);
        assert_true(caught > 0 || fabs(vni_length(view.enemies[0].velocity) - 6) < 1e-9);
        assert_true(caught > 0 || view.enemies[0].health == 3 - (double)crashed);
    }
    assert_int_equal(crashed, 1);
    assert_int_equal(caught, 1);
    assert_true(game->stats.clearance < -2);
    assert_true(view.player.health <= 75);
    assert_true(vni_game_depth(game, view.enemies[0].position) > 0.97);
    vn_game_destroy(game);
}

static void test_crash_kills(void** state) {
    (void)state;
    vn_game_def def = vn_default_game_def();
    def.asteroids = def.enemies = 1;
    def.hunt = VN_GAME_STRAIGHT;
    def.crash_damage = 3;
    vn_game* game = make(&def);
    place(&game->enemies[0].body, 30, 0, 0, 0);
    place(&game->asteroids[0], 29, 0, 0, 0);
    const vn_game_view view = step(game, &idle);
    assert_int_equal(count(&view, VN_GAME_KILLED), 1);
    assert_int_equal(game->stats.deaths, 1);
    assert_int_equal(game->stats.kills, 0);
    assert_true(view.enemies[0].health == 3);
    vn_game_destroy(game);
}

static void test_enemies_touch(void** state) {
    (void)state;
    vn_game* game = make_small(0, 2, VN_GAME_STRAIGHT);
    place(&game->enemies[0].body, 30, 0.74, 0, 0);
    place(&game->enemies[1].body, 30, -0.76, 0, 0);
    uint32_t touched = 0;
    for (int k = 0; k < 60; ++k) {
        const vn_game_view view = step(game, &idle);
        touched += count(&view, VN_GAME_TOUCHED);
    }
    assert_int_equal(touched, 1);
    assert_true(game->stats.enemy_clearance < 0);
    vn_game_destroy(game);
}

/// A pilot flies around the same asteroid, catches the player all the same, and begins at rest.
static void test_pilot(void** state) {
    (void)state;
    vn_game* game = make_small(1, 1, VN_GAME_PILOTS);
    game->asteroids[0].radius = 2;
    vn_game_view view;
    uint32_t caught = 0;
    double most = 0;
    for (int k = 0; k < 3000 && caught == 0; ++k) {
        const vn_dvec3 at = game->enemies[0].body.at;
        const vn_dvec3 middle = vni_scaled(vni_sum(at, game->ship.at), 0.5);
        if (k == 0)
            place(&game->asteroids[0], middle.x, middle.y, middle.z, 0);
        view = step(game, &idle);
        caught += count(&view, VN_GAME_CAUGHT);
        const double speed = far(view.enemies[0].position, at) * 60;
        most = caught == 0 && speed > most ? speed : most;
    }
    assert_int_equal(caught, 1);
    assert_true(most <= 8 + 1e-6);
    assert_true(most > 5);
    assert_int_equal(game->stats.crashes, 0);
    assert_true(game->stats.clearance > 0.09);
    assert_true(game->stats.pilot_steps > 0);
    vn_game_destroy(game);
}

// ------------------------------------------------------------------------------------------------- the end

static void test_lost(void** state) {
    (void)state;
    vn_game* game = make_small(1, 0, VN_GAME_STRAIGHT);
    vn_game_view view;
    vn_status status = VN_RUNNING;
    int k = 0;
    for (; k < 100 && status == VN_RUNNING; ++k) {
        place(&game->asteroids[0], game->ship.at.x, 0, 0, 0);
        status = vn_game_step(game, &idle);
    }
    vn_game_get_view(game, &view);
    assert_int_equal(k, 10);
    assert_int_equal(status, VN_OK);
    assert_int_equal(view.end, VN_GAME_ENDED_LOST);
    assert_int_equal(count(&view, VN_GAME_LOST), 1);
    assert_true(view.player.health == 0);

    // Nothing goes on.
    const vn_dvec3 at = view.player.position;
    assert_int_equal(vn_game_step(game, &idle), VN_OK);
    vn_game_get_view(game, &view);
    assert_true(far(view.player.position, at) == 0);
    vn_game_destroy(game);
}

static void test_won(void** state) {
    (void)state;
    vn_game_def def = vn_default_game_def();
    def.asteroids = def.enemies = 0;
    def.win_seconds = 1;
    vn_game* game = make(&def);
    for (int k = 0; k < 59; ++k)
        step(game, &idle);
    assert_int_equal(vn_game_step(game, &idle), VN_OK);
    assert_int_equal(game->end, VN_GAME_ENDED_WON);
    vn_game_destroy(game);

    def.win_seconds = 0;
    def.win_kills = 1;
    def.enemies = 1;
    def.hunt = VN_GAME_STRAIGHT;
    def.enemy_health = 1;
    game = make(&def);
    place(&game->enemies[0].body, 20, 0, 1, 0);
    const vn_game_input right = {.shoot_right = true};
    vn_status status = VN_RUNNING;
    for (int k = 0; k < 60 && status == VN_RUNNING; ++k) {
        game->enemies[0].body.at.z = 1;
        status = vn_game_step(game, &right);
    }
    assert_int_equal(status, VN_OK);
    assert_int_equal(game->end, VN_GAME_ENDED_WON);
    vn_game_destroy(game);
}

/// Without health damage is counted, and the game goes on.
static void test_endless(void** state) {
    (void)state;
    vn_game_def def = vn_default_game_def();
    def.asteroids = 1;
    def.enemies = 0;
    def.player_health = 0;
    vn_game* game = make(&def);
    for (int k = 0; k < 5; ++k) {
        place(&game->asteroids[0], game->ship.at.x, 0, 0, 0);
        step(game, &idle);
    }
    assert_int_equal(game->stats.hits, 5);
    assert_true(game->player.health == -50);
    vn_game_destroy(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_start),
                                       cmocka_unit_test(test_speed_falls_with_size),
                                       cmocka_unit_test(test_appears_at_rim),
                                       cmocka_unit_test(test_heads_inward),
                                       cmocka_unit_test(test_waits),
                                       cmocka_unit_test(test_circles),
                                       cmocka_unit_test(test_circles_again),
                                       cmocka_unit_test(test_orbit),
                                       cmocka_unit_test(test_steering),
                                       cmocka_unit_test(test_free_look),
                                       cmocka_unit_test(test_shooting),
                                       cmocka_unit_test(test_shots_end),
                                       cmocka_unit_test(test_magazine),
                                       cmocka_unit_test(test_destroy),
                                       cmocka_unit_test(test_kill),
                                       cmocka_unit_test(test_hit),
                                       cmocka_unit_test(test_swept),
                                       cmocka_unit_test(test_straight),
                                       cmocka_unit_test(test_crash_kills),
                                       cmocka_unit_test(test_enemies_touch),
                                       cmocka_unit_test(test_pilot),
                                       cmocka_unit_test(test_lost),
                                       cmocka_unit_test(test_won),
                                       cmocka_unit_test(test_endless)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
