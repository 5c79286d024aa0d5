/// run/krafft.c: one agent to a moving goal through the scene of Krafft 2019 and 2021, in which everything
/// moves: the clock, the judge, the pictures.
#include "run/krafft_inside.h"

#include <string.h>

#define ARRIVAL      1.0 ///< metres from the goal
#define ACCELERATION 8.0 ///< of our rules' agent, metres per second squared; the theses' turns at once
#define MARGIN       0.1 ///< metres that our rules keep beyond the radius

static void* get(const vn_run* run, size_t size) {
    const vn_allocator* m = &run->def.allocator;
    void* block = m->alloc(m->user, size);
    if (block != NULL)
        memset(block, 0, size);
    return block;
}

static void put(const vn_run* run, void* block, size_t size) {
    const vn_allocator* m = &run->def.allocator;
    if (block != NULL)
        m->release(m->user, block, size);
}

static void free_krafft(void* self) {
    vni_krafft* k = self;
    vn_run* run = k->run;
    vni_course_close(&k->course);
    if (k->haven_query != NULL)
        vn_query_destroy(k->haven_query);
    vn_space_destroy(k->havens);
    if (k->world != NULL)
        vn_world_destroy(k->world);
    vn_moving_scene_destroy(k->scene);
    put(run, k->past, VNI_KRAFFT_PAST * sizeof *k->past);
    put(run, k->track, VNI_KRAFFT_PAST * sizeof *k->track);
    put(run, k->flood, vni_enclosed_bytes());
    put(run, k->route, VNI_KRAFFT_POINTS * sizeof *k->route);
    put(run, k, sizeof *k);
}

double vni_krafft_clock(const vni_krafft* k, double seconds) {
    return seconds * k->run->def.speed;
}

// -------------------------------------------------------------------------------------------------- judging

/// A mover during a piece of a step.
typedef struct moment {
    const vni_krafft* k;
    uint32_t index;
    double begin, span; ///< seconds of the run
} moment;

static vn_transform transform_at(const void* user, double s) {
    const moment* m = user;
    vn_mover_state state;
    const double seconds = vni_krafft_clock(m->k, m->begin + s * m->span);
    return vn_moving_scene_get_state(m->k->scene, m->index, seconds, NULL, &state) == VN_OK
               ? state.transform
               : vn_transform_identity();
}

static bool is_present(const vni_krafft* k, uint32_t mover, double seconds) {
    vn_mover_state state;
    return vn_moving_scene_get_state(k->scene, mover, vni_krafft_clock(k, seconds), &k->present, &state) ==
               VN_OK &&
           state.present;
}

/// Least distance of the agent's centre from a mover in the whole step, if below `enough`.
static double distance_in_step(const vni_krafft* k, uint32_t mover, vn_dvec3 from, double seconds,
                               double enough) {
    double least = HUGE_VAL, gone = 0, all = 0;
    vn_dvec3 at = from;
    for (uint32_t i = 0; i < k->leg_count; ++i) {
        all += vni_length(vni_difference(k->legs[i], at));
        at = k->legs[i];
    }

    // At constant speed along the legs; one that stands has a single leg of no length.
    const uint32_t legs = k->leg_count > 0 ? k->leg_count : 1;
    at = from;
    for (uint32_t i = 0; i < legs; ++i) {
        const vn_dvec3 to = k->leg_count > 0 ? k->legs[i] : at;
        const double length = vni_length(vni_difference(to, at)), step = k->run->def.step;
        const double part = all > 0 ? length / all : 1.0 / legs;
        const moment m = {k, mover, seconds + gone * step, part * step};
        const vni_judge_mover judged = {&k->movers[mover].shape, transform_at, &m,
                                        k->movers[mover].speed * k->run->def.speed * m.span + 1e-5};
        const double d = vni_judge_mover_distance(at, to, &judged, enough);
        least = d < least ? d : least;
        gone += part;
        at = to;
    }
    return least;
}

static void judge_movers(vni_krafft* k, vn_dvec3 from, double seconds) {
    vn_run_result* out = &k->run->result;
    const double radius = k->info.agent_radius;
    for (uint32_t i = 0; i < k->info.movers; ++i) {
        const bool there = is_present(k, i, seconds);
        const double enough = out->clearance + radius < 8 ? out->clearance + radius : 8;
        const double d =
            there ? distance_in_step(k, i, from, seconds, enough > radius ? enough : radius) : HUGE_VAL;
        const bool hits = d < radius;
        out->collisions += hits && !k->touches[i];
        k->touches[i] = hits;
        out->clearance = d - radius < out->clearance ? d - radius : out->clearance;
    }
}

static void judge_walls(vni_krafft* k, vn_dvec3 from) {
    vn_run_result* out = &k->run->result;
    const double radius = k->info.agent_radius;
    double least = HUGE_VAL;
    for (uint32_t w = 0; w < k->info.walls; ++w) {
        const vn_box wall = vn_moving_scene_wall(k->scene, w);
        vn_dvec3 at = from;
        for (uint32_t i = 0; i < k->leg_count; ++i) {
            const double d = vni_judge_box(at, k->legs[i], &wall);
            least = d < least ? d : least;
            at = k->legs[i];
        }
    }

    out->wall_hits += least < radius && !k->at_wall;
    k->at_wall = least < radius;
    out->wall_clearance = least - radius < out->wall_clearance ? least - radius : out->wall_clearance;
}

static void judge(vni_krafft* k, vn_dvec3 from, double seconds) {
    vn_run_result* out = &k->run->result;
    vn_dvec3 at = from;
    judge_movers(k, from, seconds);
    judge_walls(k, from);
    for (uint32_t i = 0; i < k->leg_count; ++i) {
        out->length += vni_length(vni_difference(k->legs[i], at));
        at = k->legs[i];
    }
    ++out->steps;
    out->calls = k->course.calls;
    out->expanded = k->course.expanded;
    vni_run_hash(out, k->at);
}

// --------------------------------------------------------------------------------------------------- flying

static vn_dvec3 goal_at(const vni_krafft* k, double seconds) {
    vn_vec3 goal = {0, 0, 0};
    return vn_moving_scene_get_goal(k->scene, seconds, &goal, NULL) == VN_OK ? vni_exact(goal) : k->goal;
}

/// Blinkers change unless the agent could not stop before them.
static vn_status blink(vni_krafft* k, double seconds) {
    const double speed = k->info.agent_speed;
    const double stop = speed * speed / (2 * k->acceleration) + speed * k->run->def.step;
    const vn_vec3 at = vni_rounded(k->at);
    const vn_status status = vn_moving_scene_blink(k->scene, vni_krafft_clock(k, seconds), &at, 1,
                                                   (float)(stop + k->info.agent_radius), &k->present);
    k->past[k->run->steps % VNI_KRAFFT_PAST] = k->present;
    k->track[k->run->steps % VNI_KRAFFT_PAST] = k->at;
    return status;
}

/// Which blinkers the agent counts as there: by our rules all; otherwise those of the last step that began
/// before the time.
static const vn_blinkers* blinkers_at(const vni_krafft* k, double seen) {
    if (k->run->def.rules == VN_RUN_AUTOPILOT)
        return &k->solid;
    const double step = floor(seen / k->run->def.step + 1e-9);
    return &k->past[(uint64_t)(step > 0 ? step : 0) % VNI_KRAFFT_PAST];
}

static vn_status fly(vni_krafft* k, double seconds, vn_detail* detail) {
    const vn_run_def* def = &k->run->def;
    const double seen = seconds > def->latency ? seconds - def->latency : 0;
    const bool plans = seconds >= k->next_plan - 1e-9;
    vn_status status = VN_OK;
    if (plans) {
        k->next_plan += def->replan;
        k->goal = goal_at(k, seen);
        status = vni_course_advance(&k->course, vni_krafft_clock(k, seen), blinkers_at(k, seen), detail);
    }
    if (status != VN_OK)
        return status;
    return def->rules == VN_RUN_THESIS ? vni_krafft_follow(k, plans, detail)
                                       : vni_krafft_guarded(k, seen, seconds, plans, detail);
}

static vn_status step_krafft(void* self, vn_detail* detail) {
    vni_krafft* k = self;
    vn_run* run = k->run;
    const double seconds = (double)run->steps * run->def.step;
    const vn_dvec3 from = k->at;
    vn_status status = blink(k, seconds);
    if (status != VN_OK)
        return vni_refuse(detail, status, 0, "a time of the scene is out of range");

    const double begin = run->def.clock != NULL ? run->def.clock() : 0;
    status = fly(k, seconds, detail);
    const double used = run->def.clock != NULL ? run->def.clock() - begin : 0;
    run->result.path_seconds += used;
    run->result.worst_step = used > run->result.worst_step ? used : run->result.worst_step;
    if (status != VN_OK)
        return status;

    const uint32_t before = run->result.collisions;
    judge(k, from, seconds);
    if (before == 0 && run->result.collisions > 0 && vni_krafft_was_enclosed(k)) {
        run->result.end = VN_RUN_ENCLOSED;
        return VN_OK;
    }
    const vn_dvec3 left = vni_difference(goal_at(k, seconds + run->def.step), k->at);
    if (vni_length(left) <= ARRIVAL) {
        run->result.arrived = 1;
        run->result.end = VN_RUN_ARRIVED;
    }
    return VN_OK;
}

// --------------------------------------------------------------------------------------------------- making

static vn_status check(const vn_run* run, vn_detail* detail) {
    const vn_run_def* d = &run->def;
    if (d->agents != 1)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "this scene has one agent");
    if (d->obstacles != VN_RUN_AS_SCENE)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "this scene has its own 16 movers");
    if (d->radar != 0)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "agents of this scene know of all movers");
    if (d->rules == VN_RUN_AUTOPILOT && d->autopilot != VN_PILOT_PREDICT)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "autopilots 0 to 5 avoid balls: this scene has boxes");
    if (d->step < 0.02)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "steps of this scene take 0.02 seconds or more");
    if (d->latency > (VNI_KRAFFT_PAST - 2) * d->step)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "a latency of more than 1,022 steps");
    return VN_OK;
}

static vn_status make_scene(vni_krafft* k, vn_detail* detail) {
    static const vn_goal_motion goals[] = {VN_GOAL_MOTION_VERTICAL, VN_GOAL_MOTION_HORIZONTAL,
                                           VN_GOAL_MOTION_NONE};
    vn_moving_scene_def def = vn_default_moving_scene_def();
    def.allocator = k->run->def.allocator;
    def.name = "krafft";
    def.seed = k->run->def.seed;
    def.goal = goals[k->run->variant];
    vn_status status = vn_moving_scene_create(&def, &k->scene, detail);
    if (status != VN_OK)
        return status;

    vn_moving_scene_get_info(k->scene, &k->info);
    if (k->info.movers > VNI_KRAFFT_MOVERS_MOST || k->info.movers + k->info.walls > VNI_GUARD_MOST)
        return vni_refuse(detail, VN_TOO_LARGE, 0, "more movers than a run has room for");
    for (uint32_t i = 0; i < k->info.movers; ++i)
        vn_moving_scene_get_mover(k->scene, i, &k->movers[i]);
    k->at = vni_exact(k->info.start);
    status = vni_krafft_world(&def.allocator, k->scene, false, NULL, NULL, &k->world, detail);
    return status == VN_OK ? vn_moving_scene_get_timers(k->scene, 0, &k->present) : status;
}

static vn_status make_all(vni_krafft* k, vn_detail* detail) {
    const vn_run* run = k->run;
    k->past = get(run, VNI_KRAFFT_PAST * sizeof *k->past);
    k->track = get(run, VNI_KRAFFT_PAST * sizeof *k->track);
    k->route = get(run, VNI_KRAFFT_POINTS * sizeof *k->route);
    k->flood = get(run, vni_enclosed_bytes());
    if (k->past == NULL || k->track == NULL || k->route == NULL || k->flood == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a run");
    vn_status status = make_scene(k, detail);
    if (status != VN_OK)
        return status;

    // From middle to middle of a grid's voxels the agent fits without a wider layer; the theses fly so.
    const bool thesis = run->def.rules == VN_RUN_THESIS;
    memset(&k->solid, 0xff, sizeof k->solid);
    vni_course_def def = {.allocator = run->def.allocator,
                          .scene = k->scene,
                          .algo = run->algo,
                          .space = (vni_course_space)run->space,
                          .planning = thesis && run->space != VNI_ON_WAYPOINTS,
                          .workers = run->def.workers,
                          .blinkers = thesis ? k->present : k->solid};
    def.radius = thesis && vni_course_walks(&def) ? 0 : (float)k->info.agent_radius;
    k->acceleration = ACCELERATION;
    k->margin = MARGIN;
    status = vni_course_open(&def, &k->course, detail);
    return status == VN_OK && !thesis ? vni_krafft_open_guard(k, detail) : status;
}

/// Seconds from plan to plan. The theses update their graph again and again: never sooner than an update
/// takes (Krafft 2019, 4.4.1).
static double replan_of(const vn_run_def* def) {
    const double often = 0.1;
    return def->rules == VN_RUN_THESIS && def->latency > often ? def->latency : often;
}

static vn_status make_krafft(vn_run* run, void** self, vn_detail* detail) {
    if (run->def.replan == 0)
        run->def.replan = replan_of(&run->def);
    vn_status status = check(run, detail);
    if (status != VN_OK)
        return status;
    vni_krafft* k = get(run, sizeof *k);
    if (k == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a run");

    k->run = run;
    status = make_all(k, detail);
    if (status != VN_OK) {
        free_krafft(k);
        return status;
    }
    run->result.clearance = run->result.wall_clearance = HUGE_VAL;
    *self = k;
    return VN_OK;
}

static void view_krafft(void* self, vn_run_view* out) {
    vni_krafft* k = self;
    uint32_t count = 0;
    for (uint32_t i = 0; i < k->info.movers; ++i) {
        vn_mover_state state;
        if (vn_moving_scene_get_state(k->scene, i, vni_krafft_clock(k, out->seconds), &k->present, &state) ==
                VN_OK &&
            state.present)
            k->things[count++] = (vn_run_thing){
                .shape = k->movers[i].shape, .transform = state.transform, .color = k->movers[i].color};
    }

    const bool thesis = k->run->def.rules == VN_RUN_THESIS;
    k->agent = (vn_run_agent){.position = k->at,
                              .velocity = k->velocity,
                              .goal = goal_at(k, out->seconds),
                              .radius = k->info.agent_radius,
                              .arrived = k->run->result.arrived > 0,
                              .color = 0x1f77b4ffu};
    *out = (vn_run_view){.seconds = out->seconds,
                         .bounds = k->info.bounds,
                         .world = k->world,
                         .agents = &k->agent,
                         .agent_count = 1,
                         .things = k->things,
                         .thing_count = count,
                         .path = thesis ? k->route : k->course.points,
                         .path_count = thesis ? k->route_count : k->course.count};
}

const vni_run_kind vni_run_krafft = {
    .scene = {.name = "krafft",
              .source = "Krafft 2019, 5.2, and Krafft 2021, 5.4",
              .description = "one agent to a moving goal, among rails, rotors and what blinks",
              .algos = vni_course_algos,
              .spaces = vni_course_spaces,
              .agents = 1,
              .step = 0.1,
              .limit = 180},
    .variants = "vertical horizontal still",
    .make = make_krafft,
    .step = step_krafft,
    .view = view_krafft,
    .free = free_krafft};
