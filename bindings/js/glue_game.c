/// bindings/js/glue_game.c: the game "Lost in Space" (volnav/game.h).
#include "glue.h"
#include "volnav/game.h"

#include <stdlib.h>
#include <string.h>

/// A game with what JavaScript looks at in place.
typedef struct player {
    vn_game* game;
    glue_list numbers; ///< doubles
} player;

EXPORT(js_game_destroy) void js_game_destroy(player* p) {
    if (p != NULL) {
        vn_game_destroy(p->game);
        glue_free(&p->numbers);
        free(p);
    }
}

/// The options of a game, in the order of `game.ts`. NaN: as in the default.
static void set_def(vn_game_def* def, const double* n) {
    double* const numbers[] = {
        &def->step,         &def->rim,           &def->height,          &def->overlap,
        &def->radius_min,   &def->radius_max,    &def->speed_fast,      &def->speed_slow,
        &def->orbit,        &def->player_radius, &def->player_speed,    &def->player_turn,
        &def->player_look,  &def->player_health, &def->hit_damage,      &def->catch_damage,
        &def->enemy_radius, &def->enemy_speed,   &def->enemy_max_speed, &def->enemy_acceleration,
        &def->enemy_health, &def->crash_damage,  &def->control,         &def->horizon,
        &def->radar,        &def->spacing,       &def->win_seconds};
    uint32_t* const counts[] = {&def->asteroids, &def->layers, &def->circles, &def->enemies, &def->win_kills};
    enum { NUMBERS = sizeof numbers / sizeof *numbers, COUNTS = sizeof counts / sizeof *counts };
    for (int i = 0; i < NUMBERS; ++i)
        if (n[i] == n[i])
            *numbers[i] = n[i];
    for (int i = 0; i < COUNTS; ++i)
        if (n[NUMBERS + i] >= 0 && n[NUMBERS + i] < 4294967296.0)
            *counts[i] = (uint32_t)n[NUMBERS + i];
}

/// `n`: see set_def. out: the handle.
EXPORT(js_game_create)
int js_game_create(uint32_t seed_high, uint32_t seed_low, int field, int hunt, const double* n) {
    vn_game_def def = vn_default_game_def();
    player* p = calloc(1, sizeof *p);
    def.seed = (uint64_t)seed_high << 32 | seed_low;
    def.field = (vn_game_field)field;
    def.hunt = (vn_game_hunt)hunt;
    set_def(&def, n);
    const vn_status status = p == NULL ? VN_OUT_OF_MEMORY : vn_game_create(&def, &p->game, glue_begin());
    if (status != VN_OK) {
        js_game_destroy(p);
        p = NULL;
    }
    glue_put_pointer(0, p);
    return glue_done(status);
}

enum { YAW, PITCH, LOOK_YAW, LOOK_PITCH, LOOK_AHEAD, SHOOT_LEFT, SHOOT_RIGHT, RELOAD, SWITCH_GUN };

/// `n`: sticks and buttons in the order of the enum.
EXPORT(js_game_step) int js_game_step(player* p, const double* n) {
    const vn_game_input input = {.yaw = n[YAW],
                                 .pitch = n[PITCH],
                                 .look_yaw = n[LOOK_YAW],
                                 .look_pitch = n[LOOK_PITCH],
                                 .look_ahead = n[LOOK_AHEAD] != 0,
                                 .shoot_left = n[SHOOT_LEFT] != 0,
                                 .shoot_right = n[SHOOT_RIGHT] != 0,
                                 .reload = n[RELOAD] != 0,
                                 .switch_gun = n[SWITCH_GUN] != 0};
    glue_begin();
    return glue_done(vn_game_step(p->game, &input));
}

/// out: an input, as above.
EXPORT(js_game_script) void js_game_script(const player* p) {
    vn_game_input input;
    vn_game_script(p->game, &input);
    const double numbers[] = {input.yaw,         input.pitch,      input.look_yaw,
                              input.look_pitch,  input.look_ahead, input.shoot_left,
                              input.shoot_right, input.reload,     input.switch_gun};
    memcpy(glue_out, numbers, sizeof numbers);
}

// ------------------------------------------------------------------------------------------------------ view

enum { THING = 10, EVENT = 6 };

static double short_id(uint64_t id) {
    return (double)(id & (((uint64_t)1 << 53) - 1));
}

/// For each quantity the numbers of all things, one quantity after another: position, velocity, radius,
/// health, id, state (bit 0: present, bit 1: verified).
static double* put_things(double* to, const vn_game_thing* things, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        const vn_game_thing* t = &things[i];
        memcpy(to + 3 * i, &t->position, sizeof t->position);
        memcpy(to + 3 * n + 3 * i, &t->velocity, sizeof t->velocity);
        to[6 * n + i] = t->radius;
        to[7 * n + i] = t->health;
        to[8 * n + i] = short_id(t->id);
        to[9 * n + i] = t->present + 2 * t->verified;
    }
    return to + THING * n;
}

static void put_events(double* to, const vn_game_view* view) {
    for (uint32_t i = 0; i < view->event_count; ++i, to += EVENT) {
        const vn_game_event* e = &view->events[i];
        to[0] = e->kind;
        to[1] = e->index;
        to[2] = e->other;
        memcpy(to + 3, &e->position, sizeof e->position);
    }
}

static void put_player(int at, const vn_game_player* p) {
    glue_put(at, p->position);
    glue_put(at + 3, p->velocity);
    glue_put(at + 6, p->forward);
    glue_put(at + 9, p->look);
    const double numbers[] = {
        p->yaw, p->pitch,         p->look_yaw,      p->look_pitch,     p->health,
        p->gun, p->ammunition[0], p->ammunition[1], p->reload_left[0], p->reload_left[1]};
    memcpy(glue_out + at + 12, numbers, sizeof numbers);
}

/// out: seconds, end, centre, numbers of asteroids, enemies, shots, events, events in all, where their
/// numbers are, player.
EXPORT(js_game_view) int js_game_view(player* p) {
    vn_game_view view;
    glue_begin();
    vn_game_get_view(p->game, &view);
    const size_t things = (size_t)view.asteroid_count + view.enemy_count + view.shot_count;
    double* numbers =
        glue_room(&p->numbers, (THING * things + (size_t)EVENT * view.event_count) * sizeof *numbers);
    if (numbers == NULL)
        return glue_done(VN_OUT_OF_MEMORY);

    double* to = put_things(numbers, view.asteroids, view.asteroid_count);
    to = put_things(to, view.enemies, view.enemy_count);
    to = put_things(to, view.shots, view.shot_count);
    put_events(to, &view);
    glue_out[0] = view.seconds;
    glue_out[1] = view.end;
    glue_put(2, view.centre);
    glue_out[5] = view.asteroid_count;
    glue_out[6] = view.enemy_count;
    glue_out[7] = view.shot_count;
    glue_out[8] = view.event_count;
    glue_out[9] = view.events_in_all;
    glue_put_pointer(10, numbers);
    put_player(11, &view.player);
    return glue_done(VN_OK);
}

/// out: the fields of vn_game_stats in their order, times left out.
EXPORT(js_game_stats) void js_game_stats(const player* p) {
    vn_game_stats s;
    vn_game_get_stats(p->game, &s);
    const double numbers[] = {(double)s.steps,   s.hits,
                              s.caught,          s.crashes,
                              s.touches,         s.destroyed,
                              s.kills,           s.shots,
                              s.misses,          s.deaths,
                              s.appeared,        s.clearance,
                              s.enemy_clearance, (double)s.pilot_steps,
                              (double)s.stopped, (double)s.unverified};
    memcpy(glue_out, numbers, sizeof numbers);
}
