/// run/asteroids.c: one ship through a field of asteroids (Maruszczyk 2016, experiments 3 and 4). The
/// asteroids are aimed at the route that the same ship takes without them: it is flown first.
#include "run/run_inside.h"
#include "volnav/fuel.h"

#include <string.h>

enum { MOST_SIGHTINGS = 4096, MOST_ROUTE = 4096, MOST_TOUCHING = 64, MOST_ROCKS = 16384 };

#define GAP   0.78f ///< of rocks from the faces of their nodes
#define LAYER 0.76f ///< radius of the layer: that of the ship and what lattice points are off
#define SIGHT 42    ///< how far groups 1 to 5 see, metres
#define VIEW  45    ///< how far pictures show asteroids, metres

typedef struct asteroids {
    vn_run* run;
    vn_world* world;
    vn_space* space;
    vn_pilot* pilot;
    vn_asteroids* field; ///< null on the flight without
    vn_box* rocks;
    uint32_t rock_count;
    vn_asteroid* near;
    vn_sighting* sightings;
    vn_run_thing* things;
    vn_dvec3* route; ///< where the ship was, every second, without asteroids
    uint32_t route_count;
    uint64_t touching[MOST_TOUCHING]; ///< asteroids that touch the ship now
    uint32_t touching_count;
    bool at_rock;
    vn_pilot_state state;
    vn_run_agent agent;
} asteroids;

/// By variant: how many per tile, and its edge.
static const struct {
    vn_rock_layout layout;
    uint32_t count;
    double tile;
} variants[] = {{VN_ROCKS_SPARSE, 50, 30},
                {VN_ROCKS_SPARSE, 300, 40},
                {VN_ROCKS_EVEN, 300, 40},
                {VN_ROCKS_MAZE, 300, 40},
                {VN_ROCKS_LARGE, 50, 30}};

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
    vn_space_destroy(a->space);
    if (a->world != NULL)
        vn_world_destroy(a->world);
    put(a, a->rocks, MOST_ROCKS * sizeof *a->rocks);
    put(a, a->near, MOST_SIGHTINGS * sizeof *a->near);
    put(a, a->sightings, MOST_SIGHTINGS * sizeof *a->sightings);
    put(a, a->things, MOST_SIGHTINGS * sizeof *a->things);
    put(a, a->route, MOST_ROUTE * sizeof *a->route);
    put(a, a, sizeof *a);
}

// ------------------------------------------------------------------------------------------------- judging

static void judge_rocks(asteroids* a, vn_dvec3 p, vn_dvec3 q) {
    const double radius = a->agent.radius;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < a->rock_count; ++i) {
        // from p alone, which is far cheaper: the rest of the segment is at most its length nearer
        const double way = vni_length(vni_difference(q, p)), from = vni_judge_box(p, p, &a->rocks[i]);
        const double d = from - way < least ? vni_judge_box(p, q, &a->rocks[i]) : least;
        least = d < least ? d : least;
    }

    vn_run_result* out = &a->run->result;
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
static vn_status judge_field(asteroids* a, double seconds, vn_dvec3 p, vn_dvec3 q) {
    vn_run_result* out = &a->run->result;
    uint64_t touching[MOST_TOUCHING];
    uint32_t count = 0, touching_count = 0;
    const double step = a->run->def.step, reach = 3 + vni_length(vni_difference(q, p));
    const vn_status status = vn_asteroids_near(a->field, seconds, p, reach, a->near, MOST_SIGHTINGS, &count);
    for (uint32_t i = 0; status == VN_OK && i < count; ++i) {
        const vn_asteroid* one = &a->near[i];
        const vn_dvec3 to = vni_sum(one->position, vni_scaled(one->velocity, step));
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
    return status;
}

/// What a straight step burns in fair weather, by the model of volnav/fuel.h.
static double fuel_of(const asteroids* a, vn_dvec3 from, vn_dvec3 to) {
    const vn_fuel_model model = vn_default_fuel_model(VN_FUEL_R16);
    vn_point ends[2];
    double fuel = 0;
    if (vn_space_point_from_world(a->space, from, &ends[0]) != VN_OK ||
        vn_space_point_from_world(a->space, to, &ends[1]) != VN_OK ||
        vn_fuel_of_path(a->space, &model, NULL, 0, 0, ends, 2, &fuel, NULL) != VN_OK)
        return 0; // a step beyond the bounds, which the judge of rocks does not know either
    return fuel;
}

static vn_status judge(asteroids* a, double seconds, vn_dvec3 from) {
    const vn_pilot_state* s = &a->state;
    const vn_dvec3 way = vni_difference(s->position, from);
    vn_run_result* out = &a->run->result;
    vn_pilot_stats stats;
    judge_rocks(a, from, s->position);
    const vn_status status = a->field != NULL ? judge_field(a, seconds, from, s->position) : VN_OK;
    vn_pilot_get_stats(a->pilot, &stats);
    out->length += vni_length(way);
    out->fuel += fuel_of(a, from, s->position);
    out->steps = stats.steps;
    out->stopped = stats.stopped;
    out->unverified = stats.unverified;
    out->calls = stats.searches + stats.repairs;
    out->expanded = stats.expanded;
    out->dynamic_nodes = stats.marked;
    vni_run_hash(out, s->position);
    return status;
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
    *count = 0;
    if (a->field == NULL)
        return VN_OK;

    const vn_status status =
        vn_asteroids_near(a->field, then, a->state.position, reach, a->near, MOST_SIGHTINGS, count);
    for (uint32_t i = 0; status == VN_OK && i < *count; ++i)
        a->sightings[i] = sighting_of(&a->near[i]);
    return status;
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

    status = judge(a, seconds, from);
    if (a->state.phase == VN_PILOT_ARRIVED) {
        run->result.arrived = 1;
        run->result.end = VN_RUN_ARRIVED;
    } else if (a->state.phase == VN_PILOT_LOST) {
        run->result.end = VN_RUN_LOST;
        run->result.reason = a->state.reason;
    }
    return status == VN_OK ? VN_OK : vni_refuse(detail, status, 0, "the judge sees too many asteroids");
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

/// The judge's own list of rocks: all of them are boxes along the axes.
static vn_status list_rocks(asteroids* a) {
    const vn_box all = bounds_of(a, 1);
    vn_obstacle_id* ids = get(a, MOST_ROCKS, sizeof *ids);
    vn_status status =
        ids == NULL ? VN_OUT_OF_MEMORY : vn_world_query_box(a->world, &all, ids, MOST_ROCKS, &a->rock_count);
    for (uint32_t i = 0; status == VN_OK && i < a->rock_count; ++i) {
        vn_obstacle_info info;
        status = vn_world_get_info(a->world, ids[i], &info);
        a->rocks[i] = info.bounds;
    }

    put(a, ids, MOST_ROCKS * sizeof *ids);
    return status;
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
    vn_pilot_destroy(a->pilot);
    a->pilot = NULL;
    const vn_status status = vn_pilot_create(&def, &a->pilot, detail);
    if (status == VN_OK)
        vn_pilot_get_state(a->pilot, &a->state);
    a->agent.radius = def.radius;
    return status;
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
    return def.count == 0 ? VN_OK : vn_asteroids_create(&def, &a->field, detail);
}

/// The same flight without asteroids: its route and its time.
static vn_status fly_empty(asteroids* a, vn_detail* detail) {
    vn_run* run = a->run;
    const uint64_t each = (uint64_t)(1 / run->def.step + 0.5),
                   most = (uint64_t)(run->def.limit / run->def.step);
    double (*clock)(void) = run->def.clock;
    vn_status status = make_pilot(a, detail);
    run->def.clock = NULL;
    a->route[a->route_count++] = a->state.position;
    for (uint64_t i = 0; status == VN_OK && i < most && run->result.end == VN_RUN_GOING; ++i) {
        status = step_asteroids(a, detail);
        const bool marks = i % each == each - 1 || run->result.end != VN_RUN_GOING;
        if (marks && a->route_count < MOST_ROUTE)
            a->route[a->route_count++] = a->state.position;
    }

    const double nominal = run->result.end == VN_RUN_ARRIVED ? (double)run->result.steps * run->def.step : 0;
    run->def.clock = clock;
    run->result = (vn_run_result){.nominal = nominal};
    return status;
}

static vn_status make_all(asteroids* a, vn_detail* detail) {
    a->rocks = get(a, MOST_ROCKS, sizeof *a->rocks);
    a->near = get(a, MOST_SIGHTINGS, sizeof *a->near);
    a->sightings = get(a, MOST_SIGHTINGS, sizeof *a->sightings);
    a->things = get(a, MOST_SIGHTINGS, sizeof *a->things);
    a->route = get(a, MOST_ROUTE, sizeof *a->route);
    if (a->rocks == NULL || a->near == NULL || a->sightings == NULL || a->things == NULL || a->route == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a run");

    vn_status status = make_world(a, detail);
    if (status == VN_OK)
        status = list_rocks(a);
    if (status == VN_OK)
        status = fly_empty(a, detail);
    if (status == VN_OK)
        status = make_field(a, detail);
    if (status == VN_OK)
        status = make_pilot(a, detail);
    vn_run_result* result = &a->run->result;
    result->clearance = result->wall_clearance = result->agent_clearance = HUGE_VAL;
    a->at_rock = false;
    return status;
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

static void view_asteroids(void* self, vn_run_view* out) {
    asteroids* a = self;
    uint32_t count = 0;
    if (a->field != NULL && vn_asteroids_near(a->field, out->seconds, a->state.position, VIEW, a->near,
                                              MOST_SIGHTINGS, &count) != VN_OK)
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
                         .thing_count = count,
                         .path = a->route,
                         .path_count = a->route_count};
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
    .variants = "sparse sparse-300 even-300 maze-300 large",
    .make = make_asteroids,
    .step = step_asteroids,
    .view = view_asteroids,
    .free = free_asteroids};
