/// run/game_field.c: asteroids around the player: where they are at first, and where they appear again.
#include "run/game_inside.h"

// ------------------------------------------------------------------------------------- where things appear

/// Braking from `speed`, with a decision's delay, and what a thing flies until then.
static double keep(double speed, double acceleration, double delay, double radius, double thing_speed) {
    const double seconds = speed / acceleration + delay;
    return 0.5 * speed * speed / acceleration + speed * delay + radius + thing_speed * seconds;
}

double vn_game_enemy_keep(const vn_game* game, double speed) {
    const vn_game_def* d = &game->def;
    return keep(d->enemy_max_speed, d->enemy_acceleration, game->control, d->enemy_radius, speed);
}

double vni_game_player_keep(const vn_game* game, double speed) {
    // It cannot brake, only turn: by this acceleration across its way.
    const vn_game_def* d = &game->def;
    const double across = d->player_speed * d->player_turn * VNI_TAU;
    return d->player_speed > 0 ? keep(d->player_speed, across, d->step, d->player_radius, speed)
                               : d->player_radius + speed * d->step;
}

static double from_surface(const vni_game_body* agent, vn_dvec3 place, double radius) {
    return vni_length(vni_difference(place, agent->at)) - radius;
}

bool vni_game_may_appear(const vn_game* game, vn_dvec3 place, double radius, double speed) {
    if (from_surface(&game->ship, place, radius) < vni_game_player_keep(game, speed))
        return false;

    const double least = vn_game_enemy_keep(game, speed);
    for (uint32_t i = 0; i < game->def.enemies; ++i) {
        const vni_game_body* enemy = &game->enemies[i].body;
        if (enemy->present && from_surface(enemy, place, radius) < least)
            return false;
    }
    return true;
}

double vni_game_depth(const vn_game* game, vn_dvec3 place) {
    const vn_dvec3 d = vni_difference(place, game->centre);
    const double tall = game->def.field == VN_GAME_SPHERE ? game->def.height : game->def.rim;
    return sqrt((d.x * d.x + d.z * d.z) / (game->def.rim * game->def.rim) + d.y * d.y / (tall * tall));
}

// -------------------------------------------------------------------------------------------------- drawing

static double draw(vn_game* game, double low, double high) {
    return vni_random_real(&game->random, low, high);
}

double vni_game_draw_height(vn_game* game, uint32_t layer) {
    const vn_game_def* d = &game->def;
    const double half = d->height / d->layers, middle = -d->height + (2 * layer + 1) * half;
    const double y = middle + half * (1 + 2 * d->overlap) * draw(game, -1, 1), most = 0.98 * d->height;
    return y < -most ? -most : y > most ? most : y;
}

/// A place at a height of the field; `part` of the way from its axis to the rim.
static vn_dvec3 place_at(vn_game* game, double height, double part) {
    const vn_game_def* d = &game->def;
    const double y = height / d->height, wide = d->rim * sqrt(1 - y * y) * part;
    double cosine, sine;
    vni_turn(draw(game, 0, 1), &cosine, &sine);
    return vni_sum(game->centre, (vn_dvec3){wide * cosine, height, wide * sine});
}

vn_dvec3 vni_game_draw_rim(vn_game* game, double height) {
    return place_at(game, height, 0.99);
}

static vn_dvec3 draw_direction(vn_game* game) {
    for (;;) {
        vn_dvec3 v; // one by one: the values of an initialiser have no order of their own
        v.x = draw(game, -1, 1);
        v.y = draw(game, -1, 1);
        v.z = draw(game, -1, 1);
        const double length = vni_length(v);
        if (length > 0.01 && length <= 1)
            return vni_scaled(v, 1 / length);
    }
}

/// Speed falls with size, from the fast to the slow one.
static double speed_of(const vn_game_def* d, double radius) {
    const double wide = d->radius_max - d->radius_min;
    const double part = wide > 0 ? (radius - d->radius_min) / wide : 0;
    return d->speed_fast + (d->speed_slow - d->speed_fast) * part;
}

// ----------------------------------------------------------------------------------------------- the sphere

/// Does the player, who moves too, see it come in? By the slope of the depth.
static bool heads_inward(const vn_game* game, vn_dvec3 place, vn_dvec3 velocity) {
    const vn_game_def* d = &game->def;
    const vn_dvec3 p = vni_difference(place, game->centre);
    const vn_dvec3 v = vni_difference(velocity, game->ship.velocity);
    return (p.x * v.x + p.z * v.z) / (d->rim * d->rim) + p.y * v.y / (d->height * d->height) < 0;
}

static bool draw_in_sphere(vn_game* game, uint32_t index, bool at_rim) {
    vni_game_body* body = &game->asteroids[index];
    const double speed = speed_of(&game->def, body->radius);
    for (int tries = 0; tries < VNI_GAME_TRIES; ++tries) {
        const double height = vni_game_draw_height(game, index % game->def.layers);
        const double part = at_rim ? 1 : sqrt(draw(game, 0, 1));
        const vn_dvec3 place = place_at(game, height, 0.99 * part);
        const vn_dvec3 velocity = vni_scaled(draw_direction(game), speed);
        const bool comes = !at_rim || heads_inward(game, place, velocity);
        if (comes && vni_game_may_appear(game, place, body->radius, speed)) {
            vni_game_put(body, place, velocity);
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------- the circles

static bool draw_on_circle(vn_game* game, uint32_t index, uint32_t circle) {
    const vn_game_def* d = &game->def;
    vni_game_body* body = &game->asteroids[index];
    const double inner = 2 * d->orbit, speed = 0.5 * (d->speed_slow + d->speed_fast);
    const double radius = inner + (d->rim - inner) * (circle + 1) / d->circles;
    for (int tries = 0; tries < VNI_GAME_TRIES; ++tries) {
        double cosine, sine;
        vni_turn(draw(game, 0, 1), &cosine, &sine);
        const vn_dvec3 way = {radius * cosine, d->player_radius * draw(game, -1, 1), radius * sine};
        const vn_dvec3 place = vni_sum(game->centre, way);
        if (vni_game_may_appear(game, place, body->radius, speed)) {
            vni_game_put(body, place, vni_scaled(way, -speed / vni_length(way)));
            return true;
        }
    }
    return false;
}

/// Has it reached the centre? Then the centre lies behind it.
static bool has_passed(const vn_game* game, const vni_game_body* body) {
    const vn_dvec3 d = vni_difference(game->centre, body->at);
    return d.x * body->velocity.x + d.y * body->velocity.y + d.z * body->velocity.z <= 0;
}

// ----------------------------------------------------------------------------------------------- all of them

static void appear(vn_game* game, uint32_t index, bool is_start) {
    const vn_game_def* d = &game->def;
    vni_game_body* body = &game->asteroids[index];
    body->present = d->field == VN_GAME_SPHERE
                        ? draw_in_sphere(game, index, !is_start)
                        : draw_on_circle(game, index, is_start ? index % d->circles : d->circles - 1);
    if (body->present) {
        body->id = (uint64_t)++body->lives << 32 | index;
        ++game->stats.appeared;
    }
}

void vni_game_fill(vn_game* game) {
    for (uint32_t i = 0; i < game->def.asteroids; ++i) {
        game->asteroids[i].radius = draw(game, game->def.radius_min, game->def.radius_max);
        appear(game, i, true);
    }
}

static bool has_left(const vn_game* game, const vni_game_body* body) {
    return game->def.field == VN_GAME_SPHERE ? vni_game_depth(game, body->at) > 1 : has_passed(game, body);
}

void vni_game_refill(vn_game* game) {
    for (uint32_t i = 0; i < game->def.asteroids; ++i) {
        vni_game_body* body = &game->asteroids[i];
        if (body->present && !has_left(game, body))
            continue;

        vni_game_forget_asteroid(game, i);
        appear(game, i, false);
    }
}
