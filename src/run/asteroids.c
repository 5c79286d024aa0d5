/// run/asteroids.c: one ship through a field of asteroids (Maruszczyk 2016, experiments 3 and 4). The
/// asteroids are aimed at the route that the same ship takes without them: it is flown first. Spawners beside
/// this route throw theirs at the ship itself.
#include "run/rocks.h"
#include "run/run_inside.h"
#include "run/spawners.h"
#include "sim/mover.h"
#include "volnav/fuel.h"
#include "volnav/path.h"

#include <string.h>

enum { MOST_SIGHTINGS = 4096, MOST_ROUTE = 4096, MOST_TOUCHING = 64, MOST_BANNED = 256, CLOUDS = 8 };

#define GAP   0.78f ///< of rocks from the faces of their nodes
#define LAYER 0.76f ///< radius of the layer: that of the ship and what lattice points are off
#define SIGHT 42    ///< how far groups 1 to 5 see, metres
#define VIEW  45    ///< how far pictures show asteroids, metres
#define CLEAR 4.0   ///< none appears nearer to the ship than this, metres: the radar of the thesis

typedef struct asteroids {
    vn_run* run;
    vn_world* world;
    vn_space* space;
    vn_pilot* pilot;
    vn_asteroids* field; ///< null on the flight without, and with spawners
    vni_spawners* spawners;
    vn_zone clouds[CLOUDS]; ///< rain and fog
    uint32_t cloud_count;
    vni_run_rocks rocks;
    vn_asteroid* near;
    vn_asteroid* around; ///< those around the ship when the step begins
    uint32_t around_count;
    uint64_t* known; ///< ids of those around it a step ago
    uint32_t known_count;
    uint64_t banned[MOST_BANNED]; ///< those that would have appeared too near: they never come
    uint64_t banned_count;        ///< so far; the last ones are kept
    vn_sighting* sightings;
    vn_run_thing* things;
    vn_dvec3* route; ///< where the ship was, every second, without asteroids
    uint32_t route_count;
    vn_dvec3* ahead; ///< for pictures: what the pilot means to fly, and after it where it looks
    uint64_t touching[MOST_TOUCHING]; ///< asteroids that touch the ship now
    uint32_t touching_count;
    bool at_rock;
    bool is_empty; ///< the flight without asteroids, of which only route and time count
    vn_pilot_state state;
    vn_run_agent agent;
} asteroids;

typedef enum weather { FAIR, AVOIDED, IGNORED } weather;

/// By variant: how many asteroids per tile, and its edge; spawners: how many each 1,000 cubic metres of them
/// throw in 100 seconds.
static const struct {
    vn_rock_layout layout;
    uint32_t count;
    double tile; ///< 0: spawners
    weather weather;
} variants[] = {
    {VN_ROCKS_SPARSE, 50, 30, FAIR},    {VN_ROCKS_SPARSE, 300, 40, FAIR},   {VN_ROCKS_EVEN, 300, 40, FAIR},
    {VN_ROCKS_MAZE, 300, 40, FAIR},     {VN_ROCKS_LARGE, 50, 30, FAIR},     {VN_ROCKS_SPARSE, 50, 0, FAIR},
    {VN_ROCKS_SPARSE, 50, 30, AVOIDED}, {VN_ROCKS_SPARSE, 50, 30, IGNORED}, {VN_ROCKS_30, 50, 30, FAIR},
    {VN_ROCKS_60, 50, 30, FAIR},        {VN_ROCKS_120, 50, 30, FAIR}};

static void* get(asteroids* a, size_t count, size_t size) {
    const vn_allocator* m = &a->run->def.allocator;
    void* block = m->alloc(m->user, count * size);
    if (block != NULL)
        memset(block, 0, count * size);
    return block;
}

static void put(asteroids* a, void* block, size_t size) {
    const vn_allocator* m = &a->run->def.allocator;
    if (block != NULL)
        m->release(m->user, block, size);
}

static void free_asteroids(void* self) {
    asteroids* a = self;
    vn_pilot_destroy(a->pilot);
    vn_asteroids_destroy(a->field);
    vni_spawners_destroy(a->spawners);
    vn_space_destroy(a->space);
    if (a->world != NULL)
        vn_world_destroy(a->world);
    vni_run_rocks_destroy(&a->rocks);
    put(a, a->near, MOST_SIGHTINGS * sizeof *a->near);
    put(a, a->around, MOST_SIGHTINGS * sizeof *a->around);
    put(a, a->known, MOST_SIGHTINGS * sizeof *a->known);
    put(a, a->sightings, MOST_SIGHTINGS * sizeof *a->sightings);
    put(a, a->things, MOST_SIGHTINGS * sizeof *a->things);
    put(a, a->route, MOST_ROUTE * sizeof *a->route);
    put(a, a->ahead, 2 * MOST_ROUTE * sizeof *a->ahead);
    put(a, a, sizeof *a);
}

// --------------------------------------------------------------------------------------------- what there is

static bool is_banned(const asteroids* a, uint64_t id) {
    const uint64_t count = a->banned_count < MOST_BANNED ? a->banned_count : MOST_BANNED;
    for (uint64_t i = 0; i < count; ++i)
        if (a->banned[i] == id)
            return true;
    return false;
}

/// Asteroids near a place.
static vn_status find_near(asteroids* a, double seconds, vn_dvec3 p, double reach, vn_asteroid* out,
                           uint32_t* count) {
    *count = 0;
    if (a->spawners != NULL)
        return vni_spawners_near(a->spawners, seconds, p, reach, out, MOST_SIGHTINGS, count);
    if (a->field == NULL)
        return VN_OK;

    uint32_t found, kept = 0;
    const vn_status status = vn_asteroids_near(a->field, seconds, p, reach, out, MOST_SIGHTINGS, &found);
    if (status != VN_OK || a->banned_count == 0) {
        *count = found;
        return status;
    }
    for (uint32_t i = 0; i < found; ++i)
        if (!is_banned(a, out[i].id))
            out[kept++] = out[i];
    *count = kept;
    return VN_OK;
}

/// Where the ship stops, beyond its own radius; at least CLEAR.
static double clear_of(const asteroids* a, double speed) {
    const vn_pilot_def ship = vn_default_pilot_def();
    const double stops = speed * speed / (2 * ship.acceleration) + speed * a->run->def.step + ship.radius;
    return stops > CLEAR ? stops : CLEAR;
}

static bool was_known(const asteroids* a, uint64_t id) {
    for (uint32_t i = 0; i < a->known_count; ++i)
        if (a->known[i] == id)
            return true;
    return false;
}

/// Bans what appears so near to the ship that it could not stop before it: the asteroids are aimed at another
/// flight, whose route this one may have left.
static void ban(asteroids* a) {
    const double clear = clear_of(a, vni_length(a->state.velocity));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->around_count; ++i) {
        const vn_asteroid* one = &a->around[i];
        const double gap = vni_length(vni_difference(one->position, a->state.position)) - one->radius;
        if (gap < clear && !was_known(a, one->id))
            a->banned[a->banned_count++ % MOST_BANNED] = one->id;
        else
            a->around[kept++] = *one;
    }
    a->around_count = kept;
}

/// What is around the ship when a step begins: farther than what could be near it in the next one. At time 0
/// everything has been there before.
static vn_status look_around(asteroids* a, double seconds) {
    const vn_run_def* def = &a->run->def;
    const vn_pilot_def ship = vn_default_pilot_def();
    const double moves = (ship.max_speed + 1.2 * 0.8 * def->speed) * def->step;
    const double reach = clear_of(a, ship.max_speed) + moves;
    const vn_status status = find_near(a, seconds, a->state.position, reach, a->around, &a->around_count);
    if (status != VN_OK)
        return status;

    if (a->field != NULL && seconds > 0)
        ban(a);
    a->known_count = a->around_count;
    for (uint32_t i = 0; i < a->around_count; ++i)
        a->known[i] = a->around[i].id;
    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- judging

static void judge_rocks(asteroids* a, vn_dvec3 p, vn_dvec3 q) {
    vn_run_result* out = &a->run->result;
    const double radius = a->agent.radius;
    const double enough = radius + (out->wall_clearance > 0 ? out->wall_clearance : 0);
    const double least = vni_run_rocks_distance(&a->rocks, p, q, enough);
    const bool hits = least < radius;
    out->wall_hits += hits && !a->at_rock;
    a->at_rock = hits;
    out->wall_clearance = least - radius < out->wall_clearance ? least - radius : out->wall_clearance;
}

static bool was_touching(const asteroids* a, uint64_t id) {
    for (uint32_t i = 0; i < a->touching_count; ++i)
        if (a->touching[i] == id)
            return true;
    return false;
}

/// An asteroid that stays in the ship counts once.
static void judge_field(asteroids* a, vn_dvec3 p, vn_dvec3 q) {
    vn_run_result* out = &a->run->result;
    uint64_t touching[MOST_TOUCHING];
    uint32_t touching_count = 0;
    for (uint32_t i = 0; i < a->around_count; ++i) {
        const vn_asteroid* one = &a->around[i];
        const vn_dvec3 to = vni_sum(one->position, vni_scaled(one->velocity, a->run->def.step));
        const double gap = vni_judge_points(p, q, one->position, to) - one->radius - a->agent.radius;
        out->clearance = gap < out->clearance ? gap : out->clearance;
        if (gap < 0) {
            out->collisions += !was_touching(a, one->id);
            if (touching_count < MOST_TOUCHING)
                touching[touching_count++] = one->id;
        }
    }

    memcpy(a->touching, touching, touching_count * sizeof *touching);
    a->touching_count = touching_count;
}

/// What a straight step burns in the weather that there is, by the model of volnav/fuel.h.
static double fuel_of(const asteroids* a, vn_dvec3 from, vn_dvec3 to) {
    const vn_fuel_model model = vn_default_fuel_model(VN_FUEL_R16);
    vn_point ends[2];
    double fuel = 0;
    if (vn_space_point_from_world(a->space, from, &ends[0]) != VN_OK ||
        vn_space_point_from_world(a->space, to, &ends[1]) != VN_OK ||
        vn_fuel_of_path(a->space, &model, a->clouds, a->cloud_count, 0, ends, 2, &fuel, NULL) != VN_OK)
        return 0; // a step beyond the bounds, which the judge of rocks does not know either
    return fuel;
}

static void judge(asteroids* a, vn_dvec3 from) {
    const vn_pilot_state* s = &a->state;
    const vn_dvec3 way = vni_difference(s->position, from);
    vn_run_result* out = &a->run->result;
    vn_pilot_stats stats;
    vn_pilot_get_stats(a->pilot, &stats);
    out->steps = stats.steps;
    if (a->is_empty)
        return;

    judge_rocks(a, from, s->position);
    judge_field(a, from, s->position);
    out->length += vni_length(way);
    out->fuel += fuel_of(a, from, s->position);
    out->stopped = stats.stopped;
    out->unverified = stats.unverified;
    out->calls = stats.searches + stats.repairs;
    out->expanded = stats.expanded;
    out->dynamic_nodes = stats.marked;
    vni_run_hash(out, s->position);
}

// -------------------------------------------------------------------------------------------------- flying

static vn_sighting sighting_of(const vn_asteroid* a) {
    return (vn_sighting){.id = a->id,
                         .position = a->position,
                         .radius = a->radius,
                         .has_velocity = true,
                         .velocity = a->velocity};
}

/// What the ship knows of: where asteroids were `latency` seconds ago.
static vn_status look(asteroids* a, double seconds, uint32_t* count) {
    const vn_run_def* def = &a->run->def;
    const double then = seconds > def->latency ? seconds - def->latency : 0;
    const double reach = def->autopilot == VN_PILOT_PREDICT ? def->radar : SIGHT;
    const vn_status status = find_near(a, then, a->state.position, reach, a->near, count);
    for (uint32_t i = 0; status == VN_OK && i < *count; ++i)
        a->sightings[i] = sighting_of(&a->near[i]);
    return status;
}

/// Spawners throw; none of theirs appears too near either.
static void throw_asteroids(asteroids* a, double seconds) {
    const vni_spawners_ship ship = {a->state.position, a->state.velocity,
                                    clear_of(a, vni_length(a->state.velocity))};
    if (a->spawners != NULL)
        vni_spawners_step(a->spawners, seconds, a->run->def.step, &ship);
}

/// What happens at a moment, before the ship decides what to do.
static vn_status begin_moment(asteroids* a, double seconds, vn_detail* detail) {
    throw_asteroids(a, seconds);
    const vn_status status = look_around(a, seconds);
    return status == VN_OK ? VN_OK : vni_refuse(detail, status, 0, "more asteroids than there is memory for");
}

static vn_status step_asteroids(void* self, vn_detail* detail) {
    asteroids* a = self;
    vn_run* run = a->run;
    const double seconds = (double)run->steps * run->def.step;
    const vn_dvec3 from = a->state.position;
    uint32_t count;
    vn_status status = look(a, seconds, &count);
    if (status != VN_OK)
        return vni_refuse(detail, status, 0, "the radar sees more asteroids than there is memory for");

    const double begin = run->def.clock != NULL ? run->def.clock() : 0;
    status = vn_pilot_step(a->pilot, a->sightings, count, &a->state);
    const double used = run->def.clock != NULL ? run->def.clock() - begin : 0;
    run->result.path_seconds += used;
    run->result.worst_step = used > run->result.worst_step ? used : run->result.worst_step;
    if (status != VN_OK)
        return vni_refuse(detail, status, 0, "the pilot refused a step");

    judge(a, from);
    if (a->state.phase == VN_PILOT_ARRIVED) {
        run->result.arrived = 1;
        run->result.end = VN_RUN_ARRIVED;
    } else if (a->state.phase == VN_PILOT_LOST) {
        run->result.end = VN_RUN_LOST;
        run->result.reason = a->state.reason;
    }
    return begin_moment(a, (double)(run->steps + 1) * run->def.step, detail);
}

// -------------------------------------------------------------------------------------------------- making

static vn_rock_layout layout_of(const asteroids* a) {
    return variants[a->run->variant].layout;
}

/// Bounds of the world, `beyond` metres larger.
static vn_box bounds_of(const asteroids* a, float beyond) {
    const vn_dvec3 size = vn_rocks_size(layout_of(a));
    return (vn_box){{-beyond, -beyond, -beyond},
                    {(float)size.x + beyond, (float)size.y + beyond, (float)size.z + beyond}};
}

static vn_status make_world(asteroids* a, vn_detail* detail) {
    vn_world_def world = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    const vn_run_def* r = &a->run->def;
    world.allocator = def.allocator = r->allocator;
    vn_status status = vn_world_create(&world, &a->world);
    if (status == VN_OK)
        status = vn_rocks_build(layout_of(a), r->seed, GAP, a->world, detail);

    def.resolution = VN_ROCK_NODE;
    def.radius = LAYER;
    def.has_bounds = true;
    def.bounds = bounds_of(a, 0);
    return status == VN_OK ? vn_space_bake(a->world, &def, &a->space, detail) : status;
}

/// Clouds on the straight way from start to goal, boxes of 24 to 48 metres. Not at its ends.
static void make_weather(asteroids* a) {
    const vn_dvec3 start = vn_rocks_start(), way = vni_difference(vn_rocks_goal_of(layout_of(a)), start);
    uint64_t random = vni_random_of(a->run->def.seed, UINT64_MAX - 4);
    a->cloud_count = variants[a->run->variant].weather != FAIR ? CLOUDS : 0;
    for (uint32_t i = 0; i < a->cloud_count; ++i) {
        vn_dvec3 half; // drawn one by one: the values of an initialiser have no order of their own
        half.x = vni_random_real(&random, 12, 24);
        half.y = vni_random_real(&random, 12, 24);
        half.z = vni_random_real(&random, 12, 24);
        const double along = vni_random_real(&random, 0.2, 0.8);
        const vn_dvec3 middle = vni_sum(start, vni_scaled(way, along));
        a->clouds[i] =
            (vn_zone){.box = {vni_rounded(vni_difference(middle, half)), vni_rounded(vni_sum(middle, half))},
                      .factor = VN_BAD_WEATHER,
                      .kind = VN_ZONE_BOX};
    }
}

static vn_status make_pilot(asteroids* a, vn_detail* detail) {
    const vn_run_def* r = &a->run->def;
    vn_pilot_def def = vn_default_pilot_def();
    def.allocator = r->allocator;
    def.group = r->autopilot;
    def.space = a->space;
    def.position = vn_rocks_start();
    def.goal = vn_rocks_goal_of(layout_of(a));

    def.fragment_each_move = r->each_move;
    def.step = r->step;
    def.radar = r->radar;
    def.obstacle_speed = 1.2 * 0.8 * r->speed;
    def.max_sightings = MOST_SIGHTINGS;
    if (variants[a->run->variant].weather == AVOIDED) {
        def.weather = a->clouds;
        def.weather_count = a->cloud_count;
    }

    vn_pilot_destroy(a->pilot);
    a->pilot = NULL;
    const vn_status status = vn_pilot_create(&def, &a->pilot, detail);
    if (status == VN_OK)
        vn_pilot_get_state(a->pilot, &a->state);
    a->agent.radius = def.radius;
    return status;
}

/// A spawner every 20 metres of the route, a cube of 10 metres beside it.
static vn_status make_spawners(asteroids* a, uint32_t count, vn_detail* detail) {
    const vn_run_def* r = &a->run->def;
    const double each = 20, beside = 20, half = 5;
    const double length = vn_positions_length(a->route, a->route_count);
    uint64_t random = vni_random_of(r->seed, UINT64_MAX - 5);
    vni_spawners_def def = {.allocator = r->allocator,
                            .seed = r->seed,
                            .rate = count / 1000.0 / 100.0,
                            .lifetime = 60,
                            .bounds = bounds_of(a, 30),
                            .speed = 0.8 * r->speed,
                            .spread = 0.2,
                            .radius = {0.4, 0.6},
                            .off = 3};
    for (double at = each; at < length && def.box_count < VNI_SPAWNERS_MOST; at += each) {
        vn_dvec3 to; // drawn one by one: the values of an initialiser have no order of their own
        to.x = vni_random_real(&random, -1, 1);
        to.y = vni_random_real(&random, -1, 1);
        to.z = vni_random_real(&random, -1, 1);
        const double far = vni_length(to);
        const vn_dvec3 side = far > 0.01 ? vni_scaled(to, beside / far) : (vn_dvec3){0, beside, 0};
        const vn_dvec3 p = vni_sum(vn_positions_along(a->route, a->route_count, at), side);
        def.boxes[def.box_count++] = (vn_box){vni_rounded((vn_dvec3){p.x - half, p.y - half, p.z - half}),
                                              vni_rounded((vn_dvec3){p.x + half, p.y + half, p.z + half})};
    }

    const vn_status status = vni_spawners_create(&def, &a->spawners);
    return status == VN_OK ? VN_OK : vni_refuse(detail, status, 0, "no memory for spawners");
}

static vn_status make_field(asteroids* a, vn_detail* detail) {
    const vn_run_def* r = &a->run->def;
    vn_asteroids_def def = vn_default_asteroids_def();
    def.allocator = r->allocator;
    def.seed = r->seed * 0x9e3779b97f4a7c15u + 1;
    def.count = r->obstacles == VN_RUN_AS_SCENE ? variants[a->run->variant].count : r->obstacles;
    def.tile = variants[a->run->variant].tile;
    def.speed *= r->speed;
    def.seconds = r->limit;
    def.route = a->route;
    def.route_count = a->route_count;
    if (def.count == 0)
        return VN_OK;
    return def.tile > 0 ? vn_asteroids_create(&def, &a->field, detail) : make_spawners(a, def.count, detail);
}

/// The same flight without asteroids: its route and its time.
static vn_status fly_empty(asteroids* a, vn_detail* detail) {
    vn_run* run = a->run;
    const uint64_t each = (uint64_t)(1 / run->def.step + 0.5),
                   most = (uint64_t)(run->def.limit / run->def.step);
    double (*clock)(void) = run->def.clock;
    vn_status status = make_pilot(a, detail);
    run->def.clock = NULL;
    a->is_empty = true;
    a->route[a->route_count++] = a->state.position;
    for (uint64_t i = 0; status == VN_OK && i < most && run->result.end == VN_RUN_GOING; ++i) {
        status = step_asteroids(a, detail);
        const bool marks = i % each == each - 1 || run->result.end != VN_RUN_GOING;
        if (marks && a->route_count < MOST_ROUTE)
            a->route[a->route_count++] = a->state.position;
    }

    const double nominal = run->result.end == VN_RUN_ARRIVED ? (double)run->result.steps * run->def.step : 0;
    run->def.clock = clock;
    a->is_empty = false;
    run->result = (vn_run_result){.nominal = nominal};
    return status;
}

static vn_status make_all(asteroids* a, vn_detail* detail) {
    a->near = get(a, MOST_SIGHTINGS, sizeof *a->near);
    a->around = get(a, MOST_SIGHTINGS, sizeof *a->around);
    a->known = get(a, MOST_SIGHTINGS, sizeof *a->known);
    a->sightings = get(a, MOST_SIGHTINGS, sizeof *a->sightings);
    a->things = get(a, MOST_SIGHTINGS, sizeof *a->things);
    a->route = get(a, MOST_ROUTE, sizeof *a->route);
    a->ahead = get(a, (size_t)2 * MOST_ROUTE, sizeof *a->ahead);
    if (a->near == NULL || a->around == NULL || a->known == NULL || a->sightings == NULL ||
        a->things == NULL || a->route == NULL || a->ahead == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a run");

    make_weather(a);
    vn_status status = make_world(a, detail);
    if (status == VN_OK)
        status = vni_run_rocks_create(a->world, &a->run->def.allocator, &a->rocks);
    if (status == VN_OK)
        status = fly_empty(a, detail);
    if (status == VN_OK)
        status = make_field(a, detail);
    if (status == VN_OK)
        status = make_pilot(a, detail);
    vn_run_result* result = &a->run->result;
    result->clearance = result->wall_clearance = result->agent_clearance = HUGE_VAL;
    a->at_rock = false;
    return status == VN_OK ? begin_moment(a, 0, detail) : status;
}

static vn_status make_asteroids(vn_run* run, void** self, vn_detail* detail) {
    const vn_allocator* m = &run->def.allocator;
    if (run->def.agents != 1)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "this scene has one ship");
    if (run->def.rules != VN_RUN_AUTOPILOT)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "the rules of this thesis are autopilots 0 to 5");
    if (run->def.radar == 0)
        run->def.radar = 4;

    asteroids* a = m->alloc(m->user, sizeof *a);
    if (a == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a run");
    *a = (asteroids){.run = run};
    const vn_status status = make_all(a, detail);
    if (status != VN_OK) {
        free_asteroids(a);
        return status;
    }

    *self = a;
    return VN_OK;
}

/// A path longer than the buffer is shown as far as it fits.
static void view_ahead(asteroids* a, vn_run_view* out) {
    const uint32_t path = vn_pilot_get_path(a->pilot, a->ahead, MOST_ROUTE);
    vn_dvec3* lookup = a->ahead + MOST_ROUTE;
    const uint32_t looked = vn_pilot_get_lookup(a->pilot, lookup, MOST_ROUTE, &out->lookup_edge);
    out->path = path > 0 ? a->ahead : a->route;
    out->path_count = path == 0 ? a->route_count : path < MOST_ROUTE ? path : MOST_ROUTE;
    out->lookup = lookup;
    out->lookup_count = looked < MOST_ROUTE ? looked : MOST_ROUTE;
    out->zones = a->clouds;
    out->zone_count = a->cloud_count;
}

static void view_asteroids(void* self, vn_run_view* out) {
    asteroids* a = self;
    uint32_t count = 0;
    if (find_near(a, out->seconds, a->state.position, VIEW, a->near, &count) != VN_OK)
        count = count < MOST_SIGHTINGS ? count : MOST_SIGHTINGS;
    for (uint32_t i = 0; i < count; ++i) {
        const vn_asteroid* one = &a->near[i];
        a->things[i] =
            (vn_run_thing){.shape = {.kind = VN_SHAPE_SPHERE, .as.sphere.radius = (float)one->radius},
                           .transform = vn_transform_at(one->position.x, one->position.y, one->position.z),
                           .color = 0x8c8c8cffu,
                           .id = one->id,
                           .velocity = one->velocity};
    }

    a->agent.position = a->state.position;
    a->agent.velocity = a->state.velocity;
    a->agent.goal = vn_rocks_goal_of(layout_of(a));
    a->agent.arrived = a->state.phase == VN_PILOT_ARRIVED;
    a->agent.color = 0x1f77b4ffu;
    *out = (vn_run_view){.seconds = out->seconds,
                         .bounds = bounds_of(a, 0),
                         .world = a->world,
                         .agents = &a->agent,
                         .agent_count = 1,
                         .things = a->things,
                         .thing_count = count};
    view_ahead(a, out);
}

const vni_run_kind vni_run_asteroids = {
    .scene = {.name = "asteroids",
              .source = "Maruszczyk 2016, experiments 3 and 4",
              .description = "one ship through rocks that stand and asteroids that fly",
              .algos = "cells",
              .spaces = "cells",
              .agents = 1,
              .step = 0.1,
              .limit = 600},
    .variants = "sparse sparse-300 even-300 maze-300 large spawners weather weather-off 30x8x30 60x15x60 "
                "120x30x120",
    .make = make_asteroids,
    .step = step_asteroids,
    .view = view_asteroids,
    .free = free_asteroids};
