/// run/game_enemies.c: enemies: where they appear, and how they hunt, straight at the player or by pilots.
///
/// Pilots fly in an empty space: all that they avoid are sightings. The space follows the player in leaps,
/// so that a game has no bounds.
#include "run/game_inside.h"

enum { HALF = 32 }; ///< of the space, voxels; a voxel is an eighth of the leash

static double leash_of(const vn_game* game) {
    return VNI_GAME_LEASH * game->def.rim;
}

static vn_dvec3 to_space(const vn_game* game, vn_dvec3 place) {
    return vni_difference(place, game->anchor);
}

// --------------------------------------------------------------------------------------------------- making

static vn_status make_space(vn_game* game, vn_detail* detail) {
    vn_world_def world = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    world.allocator = def.allocator = game->def.allocator;
    const vn_status status = vn_world_create(&world, &game->world);
    if (status != VN_OK)
        return status;

    const float voxel = (float)(leash_of(game) / 8), half = HALF * voxel;
    def.resolution = voxel;
    def.radius = (float)(1.01 * game->def.enemy_radius);
    def.has_bounds = true;
    def.bounds = (vn_box){{-half, -half, -half}, {half, half, half}};
    return vn_space_bake(game->world, &def, &game->space, detail);
}

/// What is beyond the radar may be an asteroid, and appears no nearer than this.
static double radar_of(const vn_game* game) {
    const double least = vn_game_enemy_keep(game, game->def.speed_fast);
    return game->def.radar > 0 && game->def.radar < least ? game->def.radar : least;
}

static vn_status make_pilot(vn_game* game, vn_pilot** out, vn_detail* detail) {
    const vn_game_def* d = &game->def;
    const uint32_t most = d->asteroids + d->enemies;
    vn_pilot_def def = vn_default_pilot_def();
    def.allocator = d->allocator;
    def.space = game->space;
    def.radius = d->enemy_radius;
    def.cruise_speed = d->enemy_speed;
    def.max_speed = d->enemy_max_speed;
    def.acceleration = d->enemy_acceleration;
    def.step = game->control;
    def.radar = radar_of(game);
    def.horizon = d->horizon;
    def.obstacle_speed = d->speed_fast;
    def.max_sightings = most > 0 ? most : 1;
    def.max_path = 64;
    return vn_pilot_create(&def, out, detail);
}

vn_status vni_game_make_pilots(vn_game* game, vn_detail* detail) {
    if (game->def.hunt != VN_GAME_PILOTS)
        return VN_OK;

    vn_status status = make_space(game, detail);
    for (uint32_t i = 0; status == VN_OK && i < game->def.enemies; ++i)
        status = make_pilot(game, &game->enemies[i].pilot, detail);
    return status;
}

void vni_game_free_pilots(vn_game* game) {
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        vn_pilot_destroy(game->enemies[i].pilot);
    vn_space_destroy(game->space);
    if (game->world != NULL)
        vn_world_destroy(game->world);
}

// ------------------------------------------------------------------------------------------------ appearing

/// Nothing that flies is so near that it could not get out of its way, nor it out of others' way.
static bool has_room(const vn_game* game, vn_dvec3 place) {
    if (!vni_game_may_appear(game, place, game->def.enemy_radius, game->def.enemy_speed))
        return false;

    for (uint32_t i = 0; i < game->def.asteroids; ++i) {
        const vni_game_body* a = &game->asteroids[i];
        const double least = vn_game_enemy_keep(game, vni_length(a->velocity)) + a->radius;
        if (a->present && vni_length(vni_difference(a->at, place)) < least)
            return false;
    }
    return true;
}

static vn_status begin_flight(vn_game* game, vni_game_enemy* enemy, vn_dvec3 place) {
    vni_game_put(&enemy->body, place, (vn_dvec3){0, 0, 0});
    enemy->base = place;
    enemy->flown = 0;
    enemy->verified = false;
    return enemy->pilot == NULL ? VN_OK
                                : vn_pilot_set_body(enemy->pilot, to_space(game, place), (vn_dvec3){0, 0, 0});
}

static void appear(vn_game* game, uint32_t index) {
    vni_game_enemy* enemy = &game->enemies[index];
    for (int tries = 0; tries < VNI_GAME_TRIES && !enemy->body.present; ++tries) {
        const uint32_t layer = (uint32_t)floor(vni_random_real(&game->random, 0, (double)game->def.layers));
        const double height = vni_game_draw_height(game, layer);
        const vn_dvec3 place = vni_game_draw_rim(game, height);
        enemy->body.present = has_room(game, place) && begin_flight(game, enemy, place) == VN_OK;
    }
    if (!enemy->body.present)
        return;

    enemy->body.id = (uint64_t)1 << 63 | (uint64_t)++enemy->body.lives << 32 | index;
    enemy->health = game->def.enemy_health;
    ++game->stats.appeared;
    vni_game_note(game, VN_GAME_ENEMY_APPEARED, index, 0, enemy->body.at);
}

void vni_game_revive(vn_game* game, bool is_start) {
    for (uint32_t i = 0; i < game->def.enemies; ++i) {
        vni_game_body* body = &game->enemies[i].body;
        if (is_start)
            body->radius = game->def.enemy_radius;
        if (body->present && vni_length(vni_difference(body->at, game->ship.at)) <= leash_of(game))
            continue;

        body->present = false;
        vni_game_forget_enemy(game, i);
        appear(game, i);
    }
}

// ------------------------------------------------------------------------------------------------ the space

/// The origin of the space as near to the player as whole leashes allow.
static vn_dvec3 anchor_for(const vn_game* game) {
    const double unit = leash_of(game);
    const vn_dvec3 p = vni_scaled(game->ship.at, 1 / unit);
    return vni_scaled((vn_dvec3){floor(p.x + 0.5), floor(p.y + 0.5), floor(p.z + 0.5)}, unit);
}

/// The pilots are where their present decision ends.
static vn_status move_space(vn_game* game) {
    const vn_dvec3 off = vni_scaled(to_space(game, game->ship.at), 1 / leash_of(game));
    const double most = 2;
    if (off.x * off.x <= most * most && off.y * off.y <= most * most && off.z * off.z <= most * most)
        return VN_OK;

    const vn_dvec3 before = game->anchor;
    game->anchor = anchor_for(game);
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < game->def.enemies; ++i) {
        vn_pilot_state state;
        vn_pilot_get_state(game->enemies[i].pilot, &state);
        const vn_dvec3 place = to_space(game, vni_sum(state.position, before));
        status = vn_pilot_set_body(game->enemies[i].pilot, place, state.velocity);
    }
    return status;
}

// -------------------------------------------------------------------------------------------------- hunting

/// What can be met within the horizon: both fly at it.
static bool is_seen(const vn_game* game, const vni_game_body* enemy, const vni_game_body* thing) {
    const vn_game_def* d = &game->def;
    const double gap = vni_length(vni_difference(thing->at, enemy->at)) - thing->radius - enemy->radius;
    const double reach = (d->enemy_max_speed + vni_length(thing->velocity)) * d->horizon + 1;
    return gap <= reach && (d->radar == 0 || gap + enemy->radius <= d->radar);
}

static void take_sighting(vn_game* game, const vni_game_body* enemy, const vni_game_body* thing,
                          double larger, uint32_t* count) {
    if (thing->present && is_seen(game, enemy, thing))
        game->sightings[(*count)++] = (vn_sighting){.id = thing->id,
                                                    .position = to_space(game, thing->at),
                                                    .radius = thing->radius + larger,
                                                    .has_velocity = true,
                                                    .velocity = thing->velocity};
}

/// Asteroids and the other enemies. The player is where it wants to.
static uint32_t look(vn_game* game, uint32_t index) {
    const vni_game_body* enemy = &game->enemies[index].body;
    uint32_t count = 0;
    for (uint32_t i = 0; i < game->def.asteroids; ++i)
        take_sighting(game, enemy, &game->asteroids[i], 0, &count);
    for (uint32_t i = 0; i < game->def.enemies; ++i)
        if (i != index)
            take_sighting(game, enemy, &game->enemies[i].body, game->def.spacing, &count);
    return count;
}

/// A vector of the same direction, no longer than half of the leash: so goals stay in the space.
static vn_dvec3 shortened(const vn_game* game, vn_dvec3 v) {
    const double length = vni_length(v), most = 0.5 * leash_of(game);
    return length > most ? vni_scaled(v, most / length) : v;
}

/// Where it meets the player if that flies straight on, and beyond, since a pilot slows down for its goal.
static vn_dvec3 goal_of(const vn_game* game, const vni_game_body* enemy) {
    const vn_game_def* d = &game->def;
    const double far = vni_length(vni_difference(game->ship.at, enemy->at)), time = far / d->enemy_speed;
    const double ahead = time < d->horizon ? time : d->horizon;
    const vn_dvec3 lead = shortened(game, vni_scaled(game->ship.velocity, ahead));
    const vn_dvec3 meeting = vni_sum(game->ship.at, lead), way = vni_difference(meeting, enemy->at);
    const double length = vni_length(way);
    const double stop = d->enemy_speed * (0.5 * d->enemy_speed / d->enemy_acceleration + 2 * game->control);
    const vn_dvec3 beyond = shortened(game, vni_scaled(way, length > 0 ? stop / length : 0));
    return to_space(game, vni_sum(meeting, beyond));
}

static vn_status decide(vn_game* game, uint32_t index) {
    vni_game_enemy* enemy = &game->enemies[index];
    vn_pilot_state state;
    const uint32_t count = look(game, index);
    vn_status status = vn_pilot_set_goal(enemy->pilot, goal_of(game, &enemy->body));
    if (status == VN_OK)
        status = vn_pilot_step(enemy->pilot, game->sightings, count, &state);
    if (status != VN_OK)
        return status;

    enemy->base = enemy->body.at;
    enemy->flown = 0;
    enemy->verified = state.verified;
    enemy->body.velocity = state.velocity;
    ++game->stats.pilot_steps;
    game->stats.stopped += vni_length(state.velocity) == 0;
    game->stats.unverified += !state.verified;
    return VN_OK;
}

/// Decisions are spread over the steps of a control period.
static vn_status decide_all(vn_game* game) {
    vn_status status = move_space(game);
    for (uint32_t i = 0; status == VN_OK && i < game->def.enemies; ++i)
        if (game->enemies[i].body.present && (game->stats.steps + i) % game->control_steps == 0)
            status = decide(game, i);
    return status;
}

static void fly_straight(vn_game* game, vni_game_body* enemy) {
    const vn_dvec3 way = vni_difference(game->ship.at, enemy->at);
    const double length = vni_length(way);
    enemy->velocity = vni_scaled(way, length > 0 ? game->def.enemy_speed / length : 0);
    vni_game_drift(enemy, game->def.step);
}

/// To where the pilot has its ship, without the rounding of one step after the other.
static void fly_on(vn_game* game, vni_game_enemy* enemy) {
    vni_game_body* body = &enemy->body;
    vn_pilot_state state;
    vn_pilot_get_state(enemy->pilot, &state);
    const bool ends = ++enemy->flown == game->control_steps && vni_length(body->velocity) > 0;
    body->to = ends ? vni_sum(state.position, game->anchor)
                    : vni_sum(enemy->base, vni_scaled(body->velocity, enemy->flown * game->def.step));
    body->way = vni_length(vni_difference(body->to, body->at));
}

vn_status vni_game_hunt(vn_game* game) {
    const vn_game_def* d = &game->def;
    const double begin = d->clock != NULL ? d->clock() : 0;
    const vn_status status = d->hunt == VN_GAME_PILOTS ? decide_all(game) : VN_OK;
    vn_game_stats* stats = &game->stats;
    stats->last_navigation = d->clock != NULL ? d->clock() - begin : 0;
    stats->navigation += stats->last_navigation;
    if (stats->last_navigation > stats->worst_navigation)
        stats->worst_navigation = stats->last_navigation;

    for (uint32_t i = 0; status == VN_OK && i < d->enemies; ++i) {
        if (game->enemies[i].pilot == NULL)
            fly_straight(game, &game->enemies[i].body);
        else
            fly_on(game, &game->enemies[i]);
    }
    return status;
}
