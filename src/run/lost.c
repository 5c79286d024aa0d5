/// run/lost.c: enemies hunt a scripted player through asteroids that fly (Krafft 2019, 4.1.1).
#include "run/game_inside.h"

#include <string.h>

typedef struct lost {
    vn_run* run;
    vn_game* game;
    vn_game_input input; ///< held from one decision of the script to the next
    uint64_t script_steps;
    vni_run_times times;
    vn_run_agent agents[VN_MAX_GAME_ENEMIES + 1];
    vn_run_thing* things; ///< def.obstacles of them
    uint32_t thing_count;
} lost;

static void free_lost(void* self) {
    lost* l = self;
    const vn_allocator m = l->run->def.allocator;
    vn_game_destroy(l->game);
    if (l->things != NULL)
        m.release(m.user, l->things, (l->thing_count + 1) * sizeof *l->things);
    m.release(m.user, l, sizeof *l);
}

// --------------------------------------------------------------------------------------------------- steps

/// The script plays ten times a second. What is done once is not repeated.
static void play(lost* l) {
    if (l->run->steps % l->script_steps == 0)
        vn_game_script(l->game, &l->input);
    else
        l->input.switch_gun = false;
}

static void note_flight(lost* l, const vn_game_view* view) {
    vn_run_result* out = &l->run->result;
    vni_run_hash(out, view->player.position);
    for (uint32_t i = 0; i < view->enemy_count; ++i) {
        vni_run_hash(out, view->enemies[i].position);
        out->length += vni_length(view->enemies[i].velocity) * l->run->def.step;
    }
}

static void note_stats(lost* l) {
    vn_run_result* out = &l->run->result;
    vn_game_stats stats;
    vn_game_get_stats(l->game, &stats);
    out->collisions = stats.crashes;
    out->agent_hits = stats.touches;
    out->caught = stats.caught;
    out->clearance = stats.clearance;
    out->agent_clearance = stats.enemy_clearance;
    out->steps = stats.pilot_steps;
    out->stopped = stats.stopped;
    out->unverified = stats.unverified;
    out->calls = stats.pilot_steps;
    out->path_seconds = stats.navigation;
    out->worst_step = stats.worst_navigation;
    if (l->run->def.clock != NULL)
        vni_run_times_add(&l->times, stats.last_navigation);
}

static vn_status step_lost(void* self, vn_detail* detail) {
    lost* l = self;
    vn_run* run = l->run;
    vn_game_view view;
    play(l);
    const vn_status status = vn_game_step(l->game, &l->input);
    if (status != VN_RUNNING)
        return vni_refuse(detail, status, 0, "a pilot refused a step");

    vn_game_get_view(l->game, &view);
    note_flight(l, &view);
    note_stats(l);
    if ((double)(run->steps + 1) * run->def.step >= run->def.limit) {
        run->result.end = VN_RUN_ARRIVED;
        run->result.p99_step = vni_run_times_part(&l->times, 0.99);
    }
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- making

static vn_status make_game(lost* l, vn_detail* detail) {
    const vn_run_def* r = &l->run->def;
    vn_game_def def = vn_default_game_def();
    def.allocator = r->allocator;
    def.seed = r->seed;
    def.step = r->step;
    def.field = l->run->variant == 0 ? VN_GAME_SPHERE : VN_GAME_CIRCLES;
    def.hunt = r->rules == VN_RUN_THESIS ? VN_GAME_STRAIGHT : VN_GAME_PILOTS;
    def.asteroids = r->obstacles;
    def.enemies = r->agents;
    def.speed_fast *= r->speed;
    def.speed_slow *= r->speed;
    def.radar = r->radar;
    def.control = r->replan > 0 ? r->replan : def.control;
    def.control = def.control > def.step ? def.control : def.step;
    def.player_health = 0;
    def.clock = r->clock;
    return vn_game_create(&def, &l->game, detail);
}

static vn_status make_all(lost* l, vn_detail* detail) {
    const vn_run_def* r = &l->run->def;
    const vn_status status = make_game(l, detail);
    if (status != VN_OK)
        return status;

    const double each = floor(0.1 / r->step + 0.5);
    l->script_steps = each > 1 ? (uint64_t)each : 1;
    l->thing_count = r->obstacles;
    l->things = r->allocator.alloc(r->allocator.user, (l->thing_count + 1) * sizeof *l->things);
    vn_run_result* result = &l->run->result;
    result->clearance = result->wall_clearance = result->agent_clearance = HUGE_VAL;
    return l->things != NULL ? VN_OK : vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a run");
}

static vn_status check(const vn_run* run, vn_detail* detail) {
    if (run->def.rules == VN_RUN_AUTOPILOT && run->def.autopilot != VN_PILOT_PREDICT)
        return vni_refuse(detail, VN_UNSUPPORTED, 0,
                          "enemies have autopilot 6, or fly straight as in the thesis");
    if (run->def.latency > 0)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "enemies of this scene see what is now: no latency");
    return VN_OK;
}

static vn_status make_lost(vn_run* run, void** self, vn_detail* detail) {
    const vn_allocator* m = &run->def.allocator;
    vn_status status = check(run, detail);
    if (status != VN_OK)
        return status;
    if (run->def.obstacles == VN_RUN_AS_SCENE)
        run->def.obstacles = vn_default_game_def().asteroids;

    lost* l = m->alloc(m->user, sizeof *l);
    if (l == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a run");
    memset(l, 0, sizeof *l);
    l->run = run;
    status = make_all(l, detail);
    if (status != VN_OK) {
        free_lost(l);
        return status;
    }

    *self = l;
    return VN_OK;
}

// --------------------------------------------------------------------------------------------------- views

static vn_run_agent agent_of(vn_dvec3 position, vn_dvec3 velocity, vn_dvec3 goal, double radius,
                             uint32_t color) {
    return (vn_run_agent){
        .position = position, .velocity = velocity, .goal = goal, .radius = radius, .color = color};
}

/// Enemies, then the player.
static uint32_t list_agents(lost* l, const vn_game_view* view) {
    const vn_dvec3 goal = view->player.position;
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->enemy_count; ++i) {
        const vn_game_thing* e = &view->enemies[i];
        if (e->present)
            l->agents[count++] = agent_of(e->position, e->velocity, goal, e->radius, 0xd62728ffu);
    }
    l->agents[count++] =
        agent_of(goal, view->player.velocity, goal, vn_default_game_def().player_radius, 0x1f77b4ffu);
    return count;
}

static uint32_t list_things(lost* l, const vn_game_view* view) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->asteroid_count; ++i) {
        const vn_game_thing* a = &view->asteroids[i];
        if (a->present)
            l->things[count++] =
                (vn_run_thing){.shape = {.kind = VN_SHAPE_SPHERE, .as.sphere.radius = (float)a->radius},
                               .transform = vn_transform_at(a->position.x, a->position.y, a->position.z),
                               .color = 0x8c8c8cffu};
    }
    return count;
}

static void view_lost(void* self, vn_run_view* out) {
    lost* l = self;
    vn_game_view view;
    vn_game_get_view(l->game, &view);
    const vn_game_def def = vn_default_game_def();
    const vn_vec3 c = vni_rounded(view.centre);
    const float wide = (float)def.rim, tall = (float)def.height;
    out->bounds = (vn_box){{c.x - wide, c.y - tall, c.z - wide}, {c.x + wide, c.y + tall, c.z + wide}};
    out->agents = l->agents;
    out->agent_count = list_agents(l, &view);
    out->things = l->things;
    out->thing_count = list_things(l, &view);
}

const vni_run_kind vni_run_lost = {
    .scene = {.name = "lost-in-space",
              .source = "Krafft 2019, 2.1 and 4.1.1",
              .description = "enemies hunt a player through asteroids that fly",
              .algos = "cells",
              .spaces = "cells",
              .agents = 20,
              .step = 1.0 / 60,
              .limit = 600},
    .variants = "sphere circles",
    .make = make_lost,
    .step = step_lost,
    .view = view_lost,
    .free = free_lost};
