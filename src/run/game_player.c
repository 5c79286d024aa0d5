/// run/game_player.c: the player's ship, camera and guns.
#include "run/game_inside.h"

/// Steepest pitch of ship and camera, turns: short of straight up, where yaw means nothing.
#define STEEPEST 0.24

vn_dvec3 vni_game_direction(double yaw, double pitch) {
    double cy, sy, cp, sp;
    vni_turn(yaw, &cy, &sy);
    vni_turn(pitch, &cp, &sp);
    return (vn_dvec3){cp * cy, sp, cp * sy};
}

static double within(double x, double most) {
    return x < -most ? -most : x > most ? most : x;
}

/// Where ship and camera point to.
static void point(vn_game_player* p) {
    p->forward = vni_game_direction(p->yaw, p->pitch);
    p->look = vni_game_direction(p->yaw + p->look_yaw, within(p->pitch + p->look_pitch, STEEPEST));
}

void vni_game_begin_player(vn_game* game) {
    const vn_game_def* d = &game->def;
    vn_game_player* p = &game->player;
    p->health = d->player_health;
    for (int i = 0; i < 2; ++i)
        p->ammunition[i] = d->guns[i].magazine;

    point(p);
    game->ship = (vni_game_body){.radius = d->player_radius, .present = true};
    if (d->field == VN_GAME_SPHERE)
        game->ship.velocity = vni_scaled(p->forward, d->player_speed);
    else
        game->ship.at = game->ship.to = vni_scaled(p->forward, d->orbit);
}

// ------------------------------------------------------------------------------------------------- steering

static void turn_camera(vn_game* game, const vn_game_input* input) {
    vn_game_player* p = &game->player;
    const double turn = game->def.player_look * game->def.step;
    p->look_yaw = input->look_ahead ? 0 : vni_wrap(p->look_yaw + turn * input->look_yaw + 0.5, 1) - 0.5;
    p->look_pitch = input->look_ahead ? 0 : within(p->look_pitch + turn * input->look_pitch, STEEPEST);
}

/// At constant speed to where it points.
static void fly(vn_game* game, const vn_game_input* input) {
    vn_game_player* p = &game->player;
    const double turn = game->def.player_turn * game->def.step;
    p->yaw = vni_wrap(p->yaw + turn * input->yaw, 1);
    p->pitch = within(p->pitch + turn * input->pitch, STEEPEST);
    point(p);
    game->ship.velocity = vni_scaled(p->forward, game->def.player_speed);
    vni_game_drift(&game->ship, game->def.step);
}

/// To the left or the right on its orbit, facing outward.
static void circle(vn_game* game, const vn_game_input* input) {
    const vn_game_def* d = &game->def;
    vn_game_player* p = &game->player;
    p->yaw = vni_wrap(p->yaw + d->player_speed * d->step * input->yaw / (VNI_TAU * d->orbit), 1);
    point(p);

    vni_game_body* ship = &game->ship;
    ship->to = vni_sum(game->centre, vni_scaled(p->forward, d->orbit));
    const vn_dvec3 way = vni_difference(ship->to, ship->at);
    ship->way = vni_length(way);
    ship->velocity = vni_scaled(way, 1 / d->step);
}

void vni_game_steer(vn_game* game, const vn_game_input* input) {
    turn_camera(game, input);
    if (game->def.field == VN_GAME_SPHERE)
        fly(game, input);
    else
        circle(game, input);
}

// ----------------------------------------------------------------------------------------------------- guns

static void switch_gun(vn_game* game) {
    vn_game_player* p = &game->player;
    p->gun = 1 - p->gun;
    vni_game_note(game, VN_GAME_SWITCHED, p->gun, 0, game->ship.at);
}

/// The gun that is held: a reload that goes on, or begins.
static void reload(vn_game* game, bool wanted) {
    vn_game_player* p = &game->player;
    const vn_game_gun* gun = &game->def.guns[p->gun];
    double* left = &p->reload_left[p->gun];
    if (*left > 0) {
        *left = *left > game->def.step ? *left - game->def.step : 0;
        if (*left == 0) {
            p->ammunition[p->gun] = gun->magazine;
            vni_game_note(game, VN_GAME_RELOADED, p->gun, 0, game->ship.at);
        }
    } else if (wanted && p->ammunition[p->gun] < gun->magazine) {
        *left = gun->reload > game->def.step ? gun->reload : game->def.step;
    }
}

/// From the side of the ship, along the camera's direction. Side 0 is the left one.
static void fire(vn_game* game, int side) {
    const vn_game_player* p = &game->player;
    const vn_game_gun* gun = &game->def.guns[p->gun];
    double cosine, sine;
    vni_turn(p->yaw + p->look_yaw, &cosine, &sine);
    const double off = side == 0 ? -game->ship.radius : game->ship.radius;
    vni_game_shot shot = {.damage = gun->damage, .left = gun->range / gun->speed};
    shot.body.at = vni_sum(game->ship.at, (vn_dvec3){-off * sine, 0, off * cosine});
    shot.body.velocity = vni_sum(vni_scaled(p->look, gun->speed), game->ship.velocity);
    shot.body.present = true;
    shot.body.id = ++game->stats.shots;
    vni_game_drift(&shot.body, game->def.step);
    game->shots[game->shot_count++] = shot;
}

static void pull_trigger(vn_game* game, int side) {
    vn_game_player* p = &game->player;
    if (game->pause[side] > 0 || p->reload_left[p->gun] > 0)
        return;

    game->pause[side] = game->def.guns[p->gun].pause;
    if (p->ammunition[p->gun] == 0) {
        vni_game_note(game, VN_GAME_OUT_OF_AMMO, p->gun, 0, game->ship.at);
    } else if (game->shot_count < VN_MAX_GAME_SHOTS) {
        --p->ammunition[p->gun];
        fire(game, side);
        vni_game_note(game, VN_GAME_FIRED, p->gun, 0, game->ship.at);
    }
}

void vni_game_shoot(vn_game* game, const vn_game_input* input) {
    const bool pulled[2] = {input->shoot_left, input->shoot_right};
    if (input->switch_gun)
        switch_gun(game);
    reload(game, input->reload);
    for (int side = 0; side < 2; ++side) {
        game->pause[side] = game->pause[side] > game->def.step ? game->pause[side] - game->def.step : 0;
        if (pulled[side])
            pull_trigger(game, side);
    }
}
