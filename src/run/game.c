/// run/game.c: the def, the steps and the view of a game of Lost in Space.
#include "run/game_inside.h"

#include <assert.h>
#include <string.h>

#define COOKIE 0x47414d31u

vn_game_def vn_default_game_def(void) {
    return (vn_game_def){
        .allocator = vn_default_allocator(),
        .seed = 1,
        .step = 1.0 / 60,
        .asteroids = 400,
        .rim = 60,
        .height = 24,
        .layers = 6,
        .overlap = 0.25,
        .radius_min = 0.5,
        .radius_max = 3,
        .speed_fast = 3,
        .speed_slow = 0.5,
        .circles = 5,
        .orbit = 8,
        .player_radius = 1,
        .player_speed = 4,
        .player_turn = 0.25,
        .player_look = 0.5,
        .player_health = 100,
        .hit_damage = 10,
        .catch_damage = 25,
        .guns = {{.damage = 1, .speed = 60, .range = 50, .pause = 0.2, .reload = 1.5, .magazine = 24},
                 {.damage = 3, .speed = 40, .range = 60, .pause = 0.8, .reload = 2.5, .magazine = 6}},
        .enemies = 20,
        .enemy_radius = 0.75,
        .enemy_speed = 6,
        .enemy_max_speed = 8,
        .enemy_acceleration = 8,
        .enemy_health = 3,
        .crash_damage = 1,
        .control = 0.1,
        .horizon = 2,
        .spacing = 0.75,
        .cookie = COOKIE};
}

// --------------------------------------------------------------------------------------------- the def

typedef struct range {
    double value, low, high;
    const char* fault;
} range;

static const char* fault_in(const range* ranges, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (!(ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high))
            return ranges[i].fault;
    return NULL;
}

static const char* field_fault(const vn_game_def* d) {
    const range ranges[] = {
        {d->step, 0.001, 0.1, "step is 0.001 to 0.1 seconds"},
        {d->field, 0, VN_GAME_CIRCLES, "there is no such field"},
        {d->hunt, 0, VN_GAME_STRAIGHT, "there is no such way to hunt"},
        {d->asteroids, 0, VN_MAX_GAME_ASTEROIDS, "there are 0 to 4096 asteroids"},
        {d->rim, 10, 1000, "rim is 10 to 1000 metres"},
        {d->height, 1, d->rim, "height is 1 metre to the rim"},
        {d->layers, 1, 64, "layers are 1 to 64"},
        {d->overlap, 0, 1, "overlap is 0 to 1"},
        {d->radius_min, 0.01, 100, "radius_min is 0.01 to 100 metres"},
        {d->radius_max, d->radius_min, 0.25 * d->rim, "radius_max is radius_min to a quarter of the rim"},
        {d->speed_slow, 0.01, 100, "speed_slow is 0.01 to 100 metres per second"},
        {d->speed_fast, d->speed_slow, 100, "speed_fast is speed_slow to 100 metres per second"},
        {d->circles, 1, 64, "circles are 1 to 64"},
        {d->orbit, 0.1, 0.5 * d->rim, "orbit is 0.1 metres to half of the rim"}};
    return fault_in(ranges, sizeof ranges / sizeof *ranges);
}

static const char* player_fault(const vn_game_def* d) {
    const range ranges[] = {
        {d->player_radius, 0.01, 0.1 * d->rim, "player_radius is 0.01 metres to a tenth of the rim"},
        {d->player_speed, 0, 100, "player_speed is 0 to 100 metres per second"},
        {d->player_speed * d->step, 0, 0.25 * d->rim, "the player flies a quarter of the rim in one step"},
        {d->player_turn, 0.01, 10, "player_turn is 0.01 to 10 turns per second"},
        {d->player_look, 0, 10, "player_look is 0 to 10 turns per second"},
        {d->player_health, 0, 1e9, "player_health is 0 to 1e9"},
        {d->hit_damage, 0, 1e9, "hit_damage is 0 to 1e9"},
        {d->catch_damage, 0, 1e9, "catch_damage is 0 to 1e9"},
        {d->win_seconds, 0, VN_MAX_SCENE_SECONDS, "win_seconds is 0 to 1e7"}};
    return fault_in(ranges, sizeof ranges / sizeof *ranges);
}

static const char* enemy_fault(const vn_game_def* d) {
    const range ranges[] = {
        {d->enemies, 0, VN_MAX_GAME_ENEMIES, "there are 0 to 64 enemies"},
        {d->enemy_radius, 0.01, 0.1 * d->rim, "enemy_radius is 0.01 metres to a tenth of the rim"},
        {d->enemy_speed, 0.1, 100, "enemy_speed is 0.1 to 100 metres per second"},
        {d->enemy_max_speed, d->enemy_speed, 200, "enemy_max_speed is enemy_speed to 200"},
        {d->enemy_acceleration, 0.1, 1e4, "enemy_acceleration is 0.1 to 10000"},
        {d->enemy_health, 1e-6, 1e9, "enemy_health is above 0, at most 1e9"},
        {d->crash_damage, 0, 1e9, "crash_damage is 0 to 1e9"},
        {d->control, d->step, 0.5, "control is a step to 0.5 seconds"},
        {d->horizon, 0.5, 3, "horizon is 0.5 to 3 seconds"},
        {d->horizon / d->control, 1, 60, "horizon is 1 to 60 times control"},
        {d->enemy_max_speed * d->control, 0, 0.25 * d->rim,
         "enemies fly a quarter of the rim in one decision"},
        {d->radar, 0, 1000, "radar is 0 to 1000 metres"},
        {d->spacing, 0, 10, "spacing is 0 to 10 metres"}};
    return fault_in(ranges, sizeof ranges / sizeof *ranges);
}

static const char* gun_fault(const vn_game_gun* g) {
    // At most 60 shots of a side are in flight, so that VN_MAX_GAME_SHOTS of two guns suffice.
    const range ranges[] = {{g->damage, 0, 1e9, "the damage of a gun is 0 to 1e9"},
                            {g->speed, 1, 1e4, "the speed of a shot is 1 to 10000 metres per second"},
                            {g->range, 1, 1e4, "the range of a gun is 1 to 10000 metres"},
                            {g->pause, 0.001, 60, "the pause of a gun is 0.001 to 60 seconds"},
                            {g->range / g->speed / g->pause, 0, 60, "a gun has more than 60 shots in flight"},
                            {g->reload, 0, 60, "the reload of a gun is 0 to 60 seconds"},
                            {g->magazine, 1, 1e6, "a magazine has 1 to 1000000 shots"}};
    return fault_in(ranges, sizeof ranges / sizeof *ranges);
}

static vn_status check_def(const vn_game_def* def, vn_detail* detail) {
    if (def->cookie != COOKIE)
        return vni_refuse(detail, VN_BAD_DEF, 0, "a def begins as vn_default_game_def()");
    if (def->allocator.alloc == NULL || def->allocator.resize == NULL || def->allocator.release == NULL)
        return vni_refuse(detail, VN_BAD_ARGUMENT, 0, "the allocator lacks a function");

    const char* fault = field_fault(def);
    fault = fault != NULL ? fault : player_fault(def);
    fault = fault != NULL ? fault : enemy_fault(def);
    for (int i = 0; i < 2; ++i)
        fault = fault != NULL ? fault : gun_fault(&def->guns[i]);
    return fault == NULL ? VN_OK : vni_refuse(detail, VN_BAD_ARGUMENT, 0, fault);
}

// ----------------------------------------------------------------------------------------------- memory

static size_t thing_count(const vn_game_def* d) {
    return (size_t)d->asteroids + d->enemies + VN_MAX_GAME_SHOTS;
}

static size_t touching_count(const vn_game_def* d) {
    return (size_t)d->enemies * (d->asteroids + d->enemies) + 1;
}

/// Zeroed; sizes of 0 are asked for as 1.
static void* get(const vn_game* game, size_t count, size_t size) {
    const vn_allocator* m = &game->def.allocator;
    const size_t bytes = (count > 0 ? count : 1) * size;
    void* block = m->alloc(m->user, bytes);
    if (block != NULL)
        memset(block, 0, bytes);
    return block;
}

static void put(const vn_game* game, void* block, size_t count, size_t size) {
    const vn_allocator* m = &game->def.allocator;
    if (block != NULL)
        m->release(m->user, block, (count > 0 ? count : 1) * size);
}

static vn_status make_arrays(vn_game* game) {
    const vn_game_def* d = &game->def;
    game->asteroids = get(game, d->asteroids, sizeof *game->asteroids);
    game->enemies = get(game, d->enemies, sizeof *game->enemies);
    game->touching = get(game, touching_count(d), 1);
    game->sightings = get(game, (size_t)d->asteroids + d->enemies, sizeof *game->sightings);
    game->things = get(game, thing_count(d), sizeof *game->things);
    const bool made = game->asteroids != NULL && game->enemies != NULL && game->touching != NULL &&
                      game->sightings != NULL && game->things != NULL;
    return made ? VN_OK : VN_OUT_OF_MEMORY;
}

void vn_game_destroy(vn_game* game) {
    if (game == NULL)
        return;

    const vn_game_def* d = &game->def;
    if (game->enemies != NULL)
        vni_game_free_pilots(game);
    put(game, game->asteroids, d->asteroids, sizeof *game->asteroids);
    put(game, game->enemies, d->enemies, sizeof *game->enemies);
    put(game, game->touching, touching_count(d), 1);
    put(game, game->sightings, (size_t)d->asteroids + d->enemies, sizeof *game->sightings);
    put(game, game->things, thing_count(d), sizeof *game->things);
    put(game, game, 1, sizeof *game);
}

// -------------------------------------------------------------------------------------------- the beginning

static void begin(vn_game* game) {
    const vn_game_def* d = &game->def;
    game->random = vni_random_of(d->seed, 0x6c6f7374);
    game->control_steps = (uint32_t)floor(d->control / d->step + 0.5);
    game->control = game->control_steps * d->step;
    game->stats.clearance = game->stats.enemy_clearance = HUGE_VAL;

    vni_game_begin_player(game);
    vni_game_fill(game);
    vni_game_revive(game, true);
    game->event_count = 0;
    game->stats.appeared = 0;
}

vn_status vn_game_create(const vn_game_def* def, vn_game** out, vn_detail* detail) {
    assert(def != NULL && out != NULL);
    *out = NULL;
    vn_status status = check_def(def, detail);
    if (status != VN_OK)
        return status;

    vn_game* game = def->allocator.alloc(def->allocator.user, sizeof *game);
    if (game == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a game");
    memset(game, 0, sizeof *game);
    game->def = *def;
    game->control = def->control;
    status = make_arrays(game);
    if (status == VN_OK)
        status = vni_game_make_pilots(game, detail);
    if (status != VN_OK) {
        vn_game_destroy(game);
        return status == VN_OUT_OF_MEMORY ? vni_refuse(detail, status, 0, "no memory for a game") : status;
    }

    begin(game);
    *out = game;
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- steps

void vni_game_note(vn_game* game, vn_game_event_kind kind, uint32_t index, uint32_t other,
                   vn_dvec3 position) {
    if (game->event_count < VN_MAX_GAME_EVENTS)
        game->events[game->event_count] =
            (vn_game_event){.kind = kind, .index = index, .other = other, .position = position};
    ++game->event_count;
}

void vni_game_drift(vni_game_body* body, double step) {
    const vn_dvec3 way = vni_scaled(body->velocity, step);
    body->to = vni_sum(body->at, way);
    body->way = vni_length(way);
}

void vni_game_put(vni_game_body* body, vn_dvec3 at, vn_dvec3 velocity) {
    body->at = body->to = at;
    body->velocity = velocity;
    body->way = 0;
}

/// All that flies where it flew before.
static void drift_all(vn_game* game) {
    for (uint32_t i = 0; i < game->def.asteroids; ++i)
        vni_game_drift(&game->asteroids[i], game->def.step);
    for (uint32_t i = 0; i < game->shot_count; ++i)
        vni_game_drift(&game->shots[i].body, game->def.step);
}

static void arrive_all(vn_game* game) {
    game->ship.at = game->ship.to;
    if (game->def.field == VN_GAME_SPHERE)
        game->centre = game->ship.at;
    for (uint32_t i = 0; i < game->def.asteroids; ++i)
        game->asteroids[i].at = game->asteroids[i].to;
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        game->enemies[i].body.at = game->enemies[i].body.to;

    // Shots that have flown to their end go; the others keep their order.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < game->shot_count; ++i) {
        vni_game_shot shot = game->shots[i];
        shot.body.at = shot.body.to;
        shot.left -= game->def.step;
        if (shot.body.present && shot.left > 0)
            game->shots[kept++] = shot;
        game->stats.misses += shot.body.present && !(shot.left > 0);
    }
    game->shot_count = kept;
}

static void find_end(vn_game* game) {
    const vn_game_def* d = &game->def;
    const double seconds = (double)game->stats.steps * d->step;
    const bool outlived = d->win_seconds > 0 && seconds >= d->win_seconds;
    const bool avenged = d->win_kills > 0 && game->stats.kills >= d->win_kills;
    if (d->player_health > 0 && game->player.health <= 0)
        game->end = VN_GAME_ENDED_LOST;
    else if (outlived || avenged)
        game->end = VN_GAME_ENDED_WON;

    if (game->end != VN_GAME_GOING)
        vni_game_note(game, game->end == VN_GAME_ENDED_WON ? VN_GAME_WON : VN_GAME_LOST, 0, 0, game->ship.at);
}

/// A stick; what is not a number comes through.
static double cut_off(double x) {
    return x < -1 ? -1 : x > 1 ? 1 : x;
}

static bool take_input(const vn_game_input* input, vn_game_input* out) {
    *out = *input;
    out->yaw = cut_off(input->yaw);
    out->pitch = cut_off(input->pitch);
    out->look_yaw = cut_off(input->look_yaw);
    out->look_pitch = cut_off(input->look_pitch);
    const double sum = out->yaw + out->pitch + out->look_yaw + out->look_pitch;
    return sum >= -4 && sum <= 4; // false for what is not a number
}

vn_status vn_game_step(vn_game* game, const vn_game_input* input) {
    assert(game != NULL && input != NULL);
    vn_game_input taken;
    if (!take_input(input, &taken))
        return VN_BAD_ARGUMENT;
    if (game->end != VN_GAME_GOING)
        return VN_OK;

    // Decisions see the state at the beginning of the step; then all move at once.
    game->event_count = 0;
    const vn_status status = vni_game_hunt(game);
    if (status != VN_OK)
        return status;
    drift_all(game);
    vni_game_steer(game, &taken);
    vni_game_shoot(game, &taken);
    vni_game_collide(game);

    arrive_all(game);
    vni_game_refill(game);
    vni_game_revive(game, false);
    ++game->stats.steps;
    find_end(game);
    return game->end == VN_GAME_GOING ? VN_RUNNING : VN_OK;
}

// --------------------------------------------------------------------------------------------------- views

static vn_game_thing thing_of(const vni_game_body* body) {
    return (vn_game_thing){.position = body->at,
                           .velocity = body->velocity,
                           .radius = body->radius,
                           .id = body->id,
                           .present = body->present};
}

static void list_things(vn_game* game) {
    vn_game_thing* out = game->things;
    for (uint32_t i = 0; i < game->def.asteroids; ++i)
        *out++ = thing_of(&game->asteroids[i]);
    for (uint32_t i = 0; i < game->def.enemies; ++i) {
        *out = thing_of(&game->enemies[i].body);
        out->health = game->enemies[i].health;
        out++->verified = game->enemies[i].verified;
    }
    for (uint32_t i = 0; i < game->shot_count; ++i)
        *out++ = thing_of(&game->shots[i].body);
}

void vn_game_get_view(vn_game* game, vn_game_view* out) {
    const vn_game_def* d = &game->def;
    list_things(game);
    *out = (vn_game_view){.seconds = (double)game->stats.steps * d->step,
                          .end = game->end,
                          .player = game->player,
                          .asteroids = game->things,
                          .enemies = game->things + d->asteroids,
                          .shots = game->things + d->asteroids + d->enemies,
                          .events = game->events,
                          .asteroid_count = d->asteroids,
                          .enemy_count = d->enemies,
                          .shot_count = game->shot_count,
                          .event_count =
                              game->event_count < VN_MAX_GAME_EVENTS ? game->event_count : VN_MAX_GAME_EVENTS,
                          .events_in_all = game->event_count,
                          .centre = game->centre};
    out->player.position = game->ship.at;
    out->player.velocity = game->ship.velocity;
}

void vn_game_get_stats(const vn_game* game, vn_game_stats* out) {
    *out = game->stats;
}
