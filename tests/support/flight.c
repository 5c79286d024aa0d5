/// tests/support/flight.c: a flight and its judge, with the distances of run/: the ship moves straight in
/// each step, and so do asteroids.
#include "flight.h"

#include "run/judge.h"
#include "run/rocks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIGHTINGS = 4096, MOST_ROUTE = 4096, MOST_TOUCHING = 64 };

#define GAP   0.78f ///< of rocks from the faces of their nodes
#define LAYER 0.76f ///< radius of the layer: that of the ship and what lattice points are off

vnt_flight_def vnt_default_flight(vn_pilot_group group, uint64_t seed) {
    vnt_flight_def def = {.pilot = vn_default_pilot_def(), .layout = VN_ROCKS_SPARSE, .seed = seed};
    def.pilot.group = group;
    def.pilot.position = vn_rocks_start();
    def.pilot.goal = vn_rocks_goal();
    def.count = 50;
    def.tile = 30;
    def.speed = 0.8;
    def.sight = 42;
    def.limit = 600;
    return def;
}

/// All that one flight needs.
typedef struct run {
    const vnt_flight_def* def;
    vnt_flight* out;
    vn_world* world;
    vni_run_rocks rocks;
    vn_space* space;
    vn_pilot* pilot;
    vn_asteroids* field;
    vn_asteroid* near;
    vn_sighting* sightings;
    uint64_t touching[MOST_TOUCHING]; ///< asteroids that touch the ship now
    uint32_t touching_count;
    bool at_wall;
    uint64_t random;
    vn_dvec3* track; ///< where the ship was, every second
    uint32_t track_count;
} run;

// ------------------------------------------------------------------------------------------------ vectors

static double dot(vn_dvec3 a, vn_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vn_dvec3 minus(vn_dvec3 a, vn_dvec3 b) {
    return (vn_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// ------------------------------------------------------------------------------------------------- judging

static void judge_walls(run* r, vn_dvec3 p, vn_dvec3 q) {
    const double least = vni_run_rocks_distance(&r->rocks, p, q, HUGE_VAL);
    const bool hits = least < r->def->pilot.radius;
    r->out->wall_hits += hits && !r->at_wall;
    r->at_wall = hits;
    if (least - r->def->pilot.radius < r->out->wall_clearance)
        r->out->wall_clearance = least - r->def->pilot.radius;
}

static bool was_touching(const run* r, uint64_t id) {
    for (uint32_t i = 0; i < r->touching_count; ++i)
        if (r->touching[i] == id)
            return true;
    return false;
}

/// An asteroid that stays in the ship counts once.
static void judge_asteroids(run* r, double seconds, vn_dvec3 p, vn_dvec3 q) {
    const double step = r->def->pilot.step, reach = 3 + sqrt(dot(minus(q, p), minus(q, p)));
    uint64_t touching[MOST_TOUCHING];
    uint32_t count = 0, touching_count = 0;
    if (r->field == NULL ||
        vn_asteroids_near(r->field, seconds, p, reach, r->near, MOST_SIGHTINGS, &count) != VN_OK)
        return;

    for (uint32_t i = 0; i < count; ++i) {
        const vn_asteroid* a = &r->near[i];
        const vn_dvec3 to = {a->position.x + step * a->velocity.x, a->position.y + step * a->velocity.y,
                             a->position.z + step * a->velocity.z};
        const double gap = vni_judge_points(p, q, a->position, to) - a->radius - r->def->pilot.radius;
        r->out->clearance = gap < r->out->clearance ? gap : r->out->clearance;
        if (gap < 0) {
            r->out->collisions += !was_touching(r, a->id);
            if (touching_count < MOST_TOUCHING)
                touching[touching_count++] = a->id;
        }
    }

    memcpy(r->touching, touching, touching_count * sizeof *touching);
    r->touching_count = touching_count;
}

static uint64_t mixed(uint64_t hash, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (hash ^ bits) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

static void judge(run* r, double seconds, const vn_pilot_state* before, const vn_pilot_state* s) {
    const vn_dvec3 way = minus(s->position, before->position), change = minus(s->velocity, before->velocity);
    const double speed = sqrt(dot(s->velocity, s->velocity)), turned = sqrt(dot(change, change));
    vnt_flight* out = r->out;
    judge_walls(r, before->position, s->position);
    judge_asteroids(r, seconds, before->position, s->position);
    out->length += sqrt(dot(way, way));
    out->top_speed = speed > out->top_speed ? speed : out->top_speed;
    out->top_change = turned > out->top_change ? turned : out->top_change;
    out->stopped += speed == 0;
    out->unverified += !s->verified;
    out->hash = mixed(mixed(mixed(out->hash, s->position.x), s->position.y), s->position.z);
}

// -------------------------------------------------------------------------------------------------- flying

static bool fail(const char* what, vn_status status, const vn_detail* detail) {
    fprintf(stderr, "flight: %s: %s %s\n", what, vn_status_word(status), detail->text);
    return false;
}

static bool make_world(run* r) {
    vn_detail detail = {0};
    vn_world_def world = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    vn_status status = vn_world_create(&world, &r->world);
    if (status == VN_OK)
        status = vn_rocks_build(r->def->layout, r->def->seed, GAP, r->world, &detail);
    if (status == VN_OK)
        status = vni_run_rocks_create(r->world, &world.allocator, &r->rocks);
    def.resolution = VN_ROCK_NODE;
    def.radius = LAYER;
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){200, 100, 200};
    if (status == VN_OK)
        status = vn_space_bake(r->world, &def, &r->space, &detail);
    return status == VN_OK || fail("world", status, &detail);
}

static bool make_field(run* r) {
    vn_detail detail = {0};
    vn_asteroids_def def = vn_default_asteroids_def();
    if (r->def->count == 0)
        return true;

    def.seed = r->def->seed * 0x9e3779b97f4a7c15u + 1;
    def.count = r->def->count;
    def.tile = r->def->tile;
    def.speed = r->def->speed;
    def.seconds = r->def->limit;
    def.route = r->def->route;
    def.route_count = r->def->route_count;
    const vn_status status = vn_asteroids_create(&def, &r->field, &detail);
    return status == VN_OK || fail("asteroids", status, &detail);
}

static bool make_pilot(run* r) {
    vn_detail detail = {0};
    vn_pilot_def def = r->def->pilot;
    def.space = r->space;
    def.max_sightings = MOST_SIGHTINGS;
    const vn_status status = vn_pilot_create(&def, &r->pilot, &detail);
    return status == VN_OK || fail("pilot", status, &detail);
}

static double draw(run* r) {
    return r->def->noise * (2 * (double)(vn_random_next(&r->random) >> 11) * 0x1p-53 - 1);
}

static vn_sighting sighting_of(run* r, const vn_asteroid* a) {
    vn_sighting c = {.id = a->id, .position = a->position, .radius = a->radius};
    c.has_velocity = !r->def->without_velocity;
    if (c.has_velocity)
        c.velocity = a->velocity;
    if (r->def->noise > 0) {
        c.position.x += draw(r);
        c.position.y += draw(r);
        c.position.z += draw(r);
    }

    return c;
}

static bool look(run* r, double seconds, vn_dvec3 position, uint32_t* count) {
    const bool far = r->def->pilot.group != VN_PILOT_PREDICT;
    *count = 0;
    if (r->field == NULL)
        return true;
    const vn_status status =
        vn_asteroids_near(r->field, seconds, position, far ? r->def->sight : r->def->pilot.radar, r->near,
                          MOST_SIGHTINGS, count);
    for (uint32_t i = 0; status == VN_OK && i < *count; ++i)
        r->sightings[i] = sighting_of(r, &r->near[i]);
    return status == VN_OK || fail("radar", status, &(vn_detail){0});
}

static bool step(run* r, double seconds, vn_pilot_state* state) {
    const vn_pilot_state before = *state;
    uint32_t count;
    if (!look(r, seconds, state->position, &count))
        return false;

    const double begin = r->def->clock != NULL ? r->def->clock() : 0;
    const vn_status status = vn_pilot_step(r->pilot, r->sightings, count, state);
    const double used = r->def->clock != NULL ? r->def->clock() - begin : 0;
    r->out->step_seconds += used;
    r->out->worst_step = used > r->out->worst_step ? used : r->out->worst_step;
    if (status != VN_OK)
        return fail("step", status, &(vn_detail){0});

    judge(r, seconds, &before, state);
    return true;
}

static bool fly(run* r) {
    const double dt = r->def->pilot.step;
    const uint64_t most = (uint64_t)(r->def->limit / dt);
    vn_pilot_state state;
    vn_pilot_get_state(r->pilot, &state);
    r->track[r->track_count++] = state.position;
    for (uint64_t i = 0; i < most && !r->out->arrived; ++i) {
        if (!step(r, (double)i * dt, &state))
            return false;
        r->out->arrived = state.phase == VN_PILOT_ARRIVED;
        r->out->steps = i + 1;
        if (r->track_count < MOST_ROUTE && (i % 10 == 9 || r->out->arrived))
            r->track[r->track_count++] = state.position;
    }

    r->out->seconds = (double)r->out->steps * dt;
    vn_pilot_get_stats(r->pilot, &r->out->stats);
    return true;
}

static bool fly_and_track(const vnt_flight_def* def, vnt_flight* out, vn_dvec3* track,
                          uint32_t* track_count) {
    run r = {.def = def, .out = out, .track = track, .random = def->seed};
    memset(out, 0, sizeof *out);
    out->clearance = out->wall_clearance = HUGE_VAL;
    r.near = calloc(MOST_SIGHTINGS, sizeof *r.near);
    r.sightings = calloc(MOST_SIGHTINGS, sizeof *r.sightings);
    const bool done = r.near != NULL && r.sightings != NULL && make_world(&r) && make_field(&r) &&
                      make_pilot(&r) && fly(&r);
    vn_pilot_destroy(r.pilot);
    vn_asteroids_destroy(r.field);
    vn_space_destroy(r.space);
    vni_run_rocks_destroy(&r.rocks);
    if (r.world != NULL)
        vn_world_destroy(r.world);
    free(r.sightings);
    free(r.near);
    *track_count = r.track_count;
    return done;
}

bool vnt_fly(const vnt_flight_def* def, vnt_flight* out) {
    uint32_t count = 0;
    vn_dvec3* track = calloc(MOST_ROUTE, sizeof *track);
    const bool done = track != NULL && fly_and_track(def, out, track, &count);
    free(track);
    return done;
}

bool vnt_fly_field(const vnt_flight_def* def, vnt_flight* out, vnt_flight* nominal) {
    vnt_flight empty;
    vnt_flight_def first = *def;
    vn_dvec3* track = calloc(MOST_ROUTE, sizeof *track);
    first.count = 0;
    if (track == NULL || !fly_and_track(&first, &empty, track, &first.route_count)) {
        free(track);
        return false;
    }

    vnt_flight_def second = *def;
    second.route = track;
    second.route_count = first.route_count;
    const bool done = vnt_fly(&second, out);
    free(track);
    if (nominal != NULL)
        *nominal = empty;
    return done;
}
