/// run/game_script.c: a scripted player: tries nine positions of the stick in thought, and aims by camera.
#include "run/game_inside.h"

enum { STICKS = 9, LOOKS = 10 };

#define LOOK    0.2  ///< seconds between two looks ahead
#define STEADY  0.8  ///< seconds for which the stick is held; then straight on
#define NEAR    0.75 ///< metres to the surface of what is too near
#define COURSE  8.0  ///< seconds on one course
#define IN_VIEW 45.0 ///< metres within which it shoots

typedef struct trial {
    double yaw, pitch;      ///< of the stick
    vn_dvec3 places[LOOKS]; ///< of the ship, LOOK seconds apart
    vn_dvec3 heading;       ///< in the end
    double danger;          ///< seconds until something is near
} trial;

/// Flies the sphere's player in thought.
static void try_flight(const vn_game* game, trial* t) {
    const vn_game_def* d = &game->def;
    double yaw = game->player.yaw, pitch = game->player.pitch;
    vn_dvec3 at = game->ship.at;
    for (int i = 0; i < LOOKS; ++i) {
        const double turn = i * LOOK < STEADY ? d->player_turn * LOOK : 0;
        yaw += turn * t->yaw;
        pitch += turn * t->pitch;
        pitch = pitch > 0.24 ? 0.24 : pitch < -0.24 ? -0.24 : pitch;
        t->heading = vni_game_direction(yaw, pitch);
        at = vni_sum(at, vni_scaled(t->heading, d->player_speed * LOOK));
        t->places[i] = at;
    }
}

/// ... and the one on its orbit.
static void try_orbit(const vn_game* game, trial* t) {
    const vn_game_def* d = &game->def;
    const double rate = d->player_speed * t->yaw / (VNI_TAU * d->orbit);
    for (int i = 0; i < LOOKS; ++i) {
        t->heading = vni_game_direction(game->player.yaw + rate * LOOK * (i + 1), 0);
        t->places[i] = vni_sum(game->centre, vni_scaled(t->heading, d->orbit));
    }
}

/// When a thing that flies straight on comes near.
static void fear(const vn_game* game, const vni_game_body* thing, trial* trials) {
    const double within = thing->radius + game->ship.radius + NEAR;
    const double reach = (game->def.player_speed + vni_length(thing->velocity)) * LOOK * LOOKS + within;
    if (!thing->present || vni_length(vni_difference(thing->at, game->ship.at)) > reach)
        return;

    for (int k = 0; k < STICKS; ++k) {
        trial* t = &trials[k];
        for (int i = 0; i < LOOKS && LOOK * (i + 1) < t->danger; ++i) {
            const vn_dvec3 place = vni_sum(thing->at, vni_scaled(thing->velocity, LOOK * (i + 1)));
            if (vni_length(vni_difference(place, t->places[i])) < within)
                t->danger = LOOK * (i + 1);
        }
    }
}

// ------------------------------------------------------------------------------------------------- steering

static vn_dvec3 course_of(const vn_game* game) {
    const double seconds = (double)game->stats.steps * game->def.step;
    uint64_t random = vni_random_of(game->def.seed ^ 0x636f75727365, (uint64_t)floor(seconds / COURSE));
    const double yaw = vni_random_real(&random, 0, 1), pitch = vni_random_real(&random, -0.08, 0.08);
    return vni_game_direction(yaw, pitch);
}

static double dot(vn_dvec3 a, vn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Safety first, then the course, then a quiet stick.
static double cost_of(const trial* t, vn_dvec3 course) {
    const double unsafe = t->danger < HUGE_VAL ? 20 * (1 + LOOK * LOOKS - t->danger) : 0;
    return unsafe - dot(t->heading, course) + 0.01 * (t->yaw * t->yaw + t->pitch * t->pitch);
}

static void steer(const vn_game* game, vn_game_input* out) {
    trial trials[STICKS];
    for (int k = 0; k < STICKS; ++k) {
        trials[k] = (trial){.yaw = k % 3 - 1, .pitch = k / 3 - 1, .danger = HUGE_VAL};
        if (game->def.field == VN_GAME_SPHERE)
            try_flight(game, &trials[k]);
        else
            try_orbit(game, &trials[k]);
    }
    for (uint32_t i = 0; i < game->def.asteroids; ++i)
        fear(game, &game->asteroids[i], trials);
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        fear(game, &game->enemies[i].body, trials);

    const vn_dvec3 course = course_of(game);
    int best = 0;
    for (int k = 1; k < STICKS; ++k)
        if (cost_of(&trials[k], course) < cost_of(&trials[best], course))
            best = k;
    out->yaw = trials[best].yaw;
    out->pitch = trials[best].pitch;
}

// ------------------------------------------------------------------------------------------------- shooting

static const vni_game_body* nearer(const vn_game* game, const vni_game_body* a, const vni_game_body* b) {
    if (!b->present || vni_length(vni_difference(b->at, game->ship.at)) > IN_VIEW)
        return a;
    if (a == NULL)
        return b;
    const double there = vni_length(vni_difference(b->at, game->ship.at));
    return there < vni_length(vni_difference(a->at, game->ship.at)) ? b : a;
}

/// The nearest enemy; without one the nearest asteroid; null: none.
static const vni_game_body* choose_target(const vn_game* game) {
    const vni_game_body* best = NULL;
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        best = nearer(game, best, &game->enemies[i].body);
    for (uint32_t i = 0; game->def.enemies == 0 && i < game->def.asteroids; ++i)
        best = nearer(game, best, &game->asteroids[i]);
    return best;
}

static void handle_gun(const vn_game* game, vn_game_input* out) {
    const vn_game_player* p = &game->player;
    const bool is_empty = p->ammunition[p->gun] == 0;
    out->switch_gun = is_empty && p->ammunition[1 - p->gun] > 0 && p->reload_left[p->gun] == 0;
    out->reload = is_empty && !out->switch_gun;
}

static void aim(const vn_game* game, const vni_game_body* target, vn_game_input* out) {
    const vn_game_player* p = &game->player;
    const vn_dvec3 off = vni_difference(target->at, game->ship.at);
    const double time = vni_length(off) / game->def.guns[p->gun].speed;
    const vn_dvec3 closing = vni_difference(target->velocity, game->ship.velocity);
    const vn_dvec3 way = vni_sum(off, vni_scaled(closing, time));
    double cosine, sine;
    vni_turn(p->yaw + p->look_yaw, &cosine, &sine);

    // In the frame of the camera: right, up, ahead.
    const vn_dvec3 l = p->look, right = {-sine, 0, cosine};
    const vn_dvec3 up = {right.y * l.z - right.z * l.y, right.z * l.x - right.x * l.z,
                         right.x * l.y - right.y * l.x};
    const double x = dot(way, right), y = dot(way, up), z = dot(way, l), far = vni_length(way);
    out->look_yaw = z > 0 ? 8 * x / far : x < 0 ? -1 : 1;
    out->look_pitch = 8 * y / far;
    out->shoot_left = out->shoot_right = z > 0 && sqrt(x * x + y * y) < target->radius + 0.25;
}

void vn_game_script(const vn_game* game, vn_game_input* out) {
    *out = (vn_game_input){0};
    steer(game, out);
    handle_gun(game, out);
    const vni_game_body* target = choose_target(game);
    if (target != NULL && vni_length(vni_difference(target->at, game->ship.at)) > 0)
        aim(game, target, out);
}
