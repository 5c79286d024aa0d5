/// run/game_hits.c: who touches whom within a step, and what follows.
#include "run/game_inside.h"

// ---------------------------------------------------------------------------------------- who touched whom

static size_t row_of(const vn_game* game, uint32_t enemy) {
    return (size_t)enemy * (game->def.asteroids + game->def.enemies);
}

void vni_game_forget_asteroid(vn_game* game, uint32_t index) {
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        game->touching[row_of(game, i) + index] = 0;
}

void vni_game_forget_enemy(vn_game* game, uint32_t index) {
    const uint32_t all = game->def.asteroids + game->def.enemies;
    for (uint32_t i = 0; i < all; ++i)
        game->touching[row_of(game, index) + i] = 0;
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        game->touching[row_of(game, i) + game->def.asteroids + index] = 0;
}

/// Notes whether they touch; true when that begins.
static bool begins(uint8_t* touching, bool now) {
    const bool before = *touching != 0;
    *touching = now;
    return now && !before;
}

/// Least distance of the surfaces within the step if that is below `enough`, otherwise something not below.
static double gap_of(const vni_game_body* a, const vni_game_body* b, double enough) {
    const vn_dvec3 d = vni_difference(b->at, a->at);
    const double radii = a->radius + b->radius, far = radii + a->way + b->way + enough;
    if (d.x * d.x + d.y * d.y + d.z * d.z >= far * far)
        return enough;
    return vni_judge_points(a->at, a->to, b->at, b->to) - radii;
}

/// The gap, of which the least is kept in the stats; below 0 is a contact.
static double watch(const vni_game_body* a, const vni_game_body* b, double* least) {
    const double gap = gap_of(a, b, *least > 0 ? *least : 0);
    *least = gap < *least ? gap : *least;
    return gap;
}

// ---------------------------------------------------------------------------------------------- the player

static void hit_player(vn_game* game) {
    for (uint32_t i = 0; i < game->def.asteroids; ++i) {
        vni_game_body* a = &game->asteroids[i];
        if (!a->present || gap_of(&game->ship, a, 0) >= 0)
            continue;

        a->present = false;
        ++game->stats.hits;
        game->player.health -= game->def.hit_damage;
        vni_game_note(game, VN_GAME_HIT, i, 0, a->to);
    }
}

static void catch_player(vn_game* game) {
    for (uint32_t i = 0; i < game->def.enemies; ++i) {
        vni_game_body* e = &game->enemies[i].body;
        if (!e->present || gap_of(&game->ship, e, 0) >= 0)
            continue;

        e->present = false;
        ++game->stats.caught;
        game->player.health -= game->def.catch_damage;
        vni_game_note(game, VN_GAME_CAUGHT, i, 0, e->to);
    }
}

// ---------------------------------------------------------------------------------------------- the enemies

/// True: it is gone.
static bool hurt(vn_game* game, uint32_t index, double damage) {
    vni_game_enemy* enemy = &game->enemies[index];
    enemy->health -= damage;
    if (enemy->health > 0)
        return false;

    enemy->body.present = false;
    ++game->stats.deaths;
    vni_game_note(game, VN_GAME_KILLED, index, 0, enemy->body.to);
    return true;
}

static void crash(vn_game* game, uint32_t index) {
    vni_game_body* e = &game->enemies[index].body;
    for (uint32_t i = 0; e->present && i < game->def.asteroids; ++i) {
        const vni_game_body* a = &game->asteroids[i];
        uint8_t* touching = &game->touching[row_of(game, index) + i];
        if (!a->present || !begins(touching, watch(e, a, &game->stats.clearance) < 0))
            continue;

        ++game->stats.crashes;
        vni_game_note(game, VN_GAME_CRASHED, index, i, e->to);
        hurt(game, index, game->def.crash_damage);
    }
}

static void touch(vn_game* game, uint32_t index) {
    const vni_game_body* e = &game->enemies[index].body;
    for (uint32_t i = index + 1; e->present && i < game->def.enemies; ++i) {
        const vni_game_body* other = &game->enemies[i].body;
        uint8_t* touching = &game->touching[row_of(game, index) + game->def.asteroids + i];
        if (!other->present || !begins(touching, watch(e, other, &game->stats.enemy_clearance) < 0))
            continue;

        ++game->stats.touches;
        vni_game_note(game, VN_GAME_TOUCHED, index, i, e->to);
    }
}

// ------------------------------------------------------------------------------------------------- the shots

/// What a shot meets: of several the one that is nearest to where the shot was.
typedef struct target {
    uint32_t index;
    bool is_enemy, found;
    double far;
} target;

static void aim(const vni_game_body* shot, const vni_game_body* thing, uint32_t index, bool is_enemy,
                target* best) {
    if (!thing->present || gap_of(shot, thing, 0) >= 0)
        return;

    const double far = vni_length(vni_difference(thing->at, shot->at)) - thing->radius;
    if (!best->found || far < best->far)
        *best = (target){index, is_enemy, true, far};
}

static void strike(vn_game* game, const vni_game_shot* shot, const target* t) {
    if (!t->is_enemy) {
        game->asteroids[t->index].present = false;
        ++game->stats.destroyed;
        vni_game_note(game, VN_GAME_DESTROYED, t->index, 0, game->asteroids[t->index].to);
        return;
    }

    vni_game_note(game, VN_GAME_HURT, t->index, 0, game->enemies[t->index].body.to);
    game->stats.kills += hurt(game, t->index, shot->damage);
}

static void fly_shot(vn_game* game, vni_game_shot* shot) {
    target t = {0};
    for (uint32_t i = 0; i < game->def.asteroids; ++i)
        aim(&shot->body, &game->asteroids[i], i, false, &t);
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        aim(&shot->body, &game->enemies[i].body, i, true, &t);
    if (!t.found)
        return;

    shot->body.present = false;
    strike(game, shot, &t);
}

void vni_game_collide(vn_game* game) {
    hit_player(game);
    catch_player(game);
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        crash(game, i);
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        touch(game, i);
    for (uint32_t i = 0; i < game->shot_count; ++i)
        fly_shot(game, &game->shots[i]);
}
