/// run/swarm.c: a crowd in a nav, step by step.
#include "run/swarm.h"

#include "sim/mover.h"

#include <string.h>

enum { SLIDES = 1, TRIES = 4096 }; ///< the flag of sliders: agents step aside for them

// -------------------------------------------------------------------------------------------------- building

static vn_vec3 vec(double x, double y, double z) {
    return vni_rounded((vn_dvec3){x, y, z});
}

void vni_swarm_add_box(vni_swarm* swarm, vn_dvec3 low, vn_dvec3 high) {
    if (swarm->box_count < VNI_SWARM_BOXES)
        swarm->boxes[swarm->box_count++] = (vn_box){vni_rounded(low), vni_rounded(high)};
}

void vni_swarm_add_slider(vni_swarm* swarm, vni_slider slider) {
    if (swarm->slider_count < VNI_SWARM_SLIDERS)
        swarm->sliders[swarm->slider_count++] = slider;
}

void vni_swarm_add_zone(vni_swarm* swarm, vn_dvec3 low, vn_dvec3 high, double factor) {
    if (swarm->zone_count == VNI_SWARM_ZONES)
        return;

    vn_zone_def* zone = &swarm->zones[swarm->zone_count++];
    *zone = vn_default_zone_def();
    zone->shape = (vn_shape){.kind = VN_SHAPE_BOX, .as.box = {vni_rounded(low), vni_rounded(high)}};
    zone->factor = (float)factor;
}

double vni_swarm_draw(vni_swarm* swarm, double low, double high) {
    return vni_random_real(&swarm->random, low, high);
}

static bool is_away(const vni_swarm* swarm, vn_dvec3 p, double away) {
    if (swarm->places != NULL)
        return vn_space_position_free(swarm->places, p);
    for (uint32_t i = 0; i < swarm->box_count; ++i)
        if (vni_judge_box(p, p, &swarm->boxes[i]) < away)
            return false;
    return true;
}

vn_dvec3 vni_swarm_draw_place(vni_swarm* swarm, double away) {
    const vn_dvec3 low = vni_exact(swarm->bounds.min), high = vni_exact(swarm->bounds.max);
    vn_dvec3 p = {0, 0, 0};
    for (int tries = 0; tries < TRIES; ++tries) {
        p.x = vni_swarm_draw(swarm, low.x + away, high.x - away);
        p.y = vni_swarm_draw(swarm, low.y + away, high.y - away);
        p.z = vni_swarm_draw(swarm, low.z + away, high.z - away);
        if (is_away(swarm, p, away))
            break;
    }
    return p;
}

static double scale_of(const vni_swarm* swarm) {
    return swarm->scene->scale > 0 ? (double)swarm->scene->scale : 1;
}

vn_status vni_swarm_send(vni_swarm* swarm, uint32_t agent, vn_dvec3 goal) {
    swarm->agents[agent].arrived = false;
    swarm->shown[agent].goal = goal;
    return vn_crowd_go_to(swarm->crowd, swarm->agents[agent].id, goal, 8 * scale_of(swarm));
}

vn_status vni_swarm_send_on(vni_swarm* swarm, double away) {
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < swarm->run->def.agents; ++i)
        if (swarm->agents[i].arrived || swarm->agents[i].lost)
            status = vni_swarm_send(swarm, i, vni_swarm_draw_place(swarm, away));
    return status;
}

// -------------------------------------------------------------------------------------------------- sliders

vn_dvec3 vni_slider_at(const vni_slider* slider, double seconds) {
    const vn_dvec3 way = vni_difference(slider->second, slider->first);
    const double slide = vni_length(way) / slider->speed, turn = slide + slider->pause;
    if (slide == 0)
        return slider->first;

    const double all = (seconds + slider->offset) / (2 * turn), at = (all - floor(all)) * 2 * turn;

    // Waits, goes, waits, comes back.
    const double gone = at < turn ? (at - slider->pause) / slide : 1 - (at - turn - slider->pause) / slide;
    return vni_sum(slider->first, vni_scaled(way, gone < 0 ? 0 : gone > 1 ? 1 : gone));
}

static vn_transform transform_of(vn_dvec3 at) {
    return vn_transform_at(at.x, at.y, at.z);
}

static vn_shape shape_of(const vni_slider* slider) {
    const vn_dvec3 h = slider->half;
    return (vn_shape){.kind = VN_SHAPE_BOX, .as.box = {vec(-h.x, -h.y, -h.z), vec(h.x, h.y, h.z)}};
}

static vn_status add_sliders(vni_swarm* swarm, vn_detail* detail) {
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < swarm->slider_count; ++i) {
        const vn_shape shape = shape_of(&swarm->sliders[i]);
        swarm->slider_to[i] = vni_slider_at(&swarm->sliders[i], 0);
        const vn_transform transform = transform_of(swarm->slider_to[i]);
        status = vn_nav_add_moving(swarm->nav, &shape, &transform, SLIDES, &swarm->slider_ids[i], detail);
    }
    return status;
}

/// The nav has them where they are at the beginning of the step, with the velocity that they have in it.
static vn_status move_sliders(vni_swarm* swarm, vn_detail* detail) {
    const double step = swarm->run->def.step, seconds = (double)(swarm->run->steps + 1) * step;
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < swarm->slider_count; ++i) {
        swarm->slider_at[i] = swarm->slider_to[i];
        swarm->slider_to[i] = vni_slider_at(&swarm->sliders[i], seconds);
        const vn_dvec3 way = vni_difference(swarm->slider_to[i], swarm->slider_at[i]);
        const vn_transform transform = transform_of(swarm->slider_at[i]);
        status = vn_nav_move(swarm->nav, swarm->slider_ids[i], &transform, detail);
        if (status == VN_OK)
            status =
                vn_nav_set_velocity(swarm->nav, swarm->slider_ids[i], vni_rounded(vni_scaled(way, 1 / step)));
    }
    return status;
}

// --------------------------------------------------------------------------------------------------- making

static bool has_world(const vni_swarm* swarm) {
    return swarm->scene->world != NULL || swarm->run->def.map != NULL;
}

static vn_status build_scene(const vni_swarm* swarm, vn_world* world, vn_detail* detail) {
    uint32_t index = 0;
    vn_obstacle_id id;
    if (swarm->run->def.map != NULL)
        return vn_world_add(world, swarm->run->def.map, &id, detail);
    (void)vn_scene_find(swarm->scene->world, &index);
    return vn_scene_build(index, swarm->run->def.seed, world, detail);
}

static vn_status fill_world(vni_swarm* swarm, vn_world* world, vn_detail* detail) {
    vn_status status = has_world(swarm) ? build_scene(swarm, world, detail) : VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < swarm->box_count; ++i) {
        const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = swarm->boxes[i]};
        vn_obstacle_id id;
        status = vn_world_add(world, &box, &id, detail);
    }
    for (uint32_t i = 0; status == VN_OK && i < swarm->zone_count; ++i) {
        vn_zone_id id;
        status = vn_world_add_zone(world, &swarm->zones[i], &id, detail);
    }
    return status;
}

/// Regions that are not connected with the scene's own point are closed.
static vn_space_def space_of(const vni_swarm* swarm) {
    vn_space_def def = vn_default_space_def();
    uint32_t index;
    def.allocator = swarm->run->def.allocator;
    def.resolution = swarm->scene->resolution;
    def.has_bounds = true;
    def.bounds = swarm->bounds;
    if (swarm->scene->world != NULL && vn_scene_find(swarm->scene->world, &index)) {
        def.has_seed = vn_scene_get(index)->has_seed;
        def.seed = vn_scene_get(index)->seed;
    }
    return def;
}

/// The bounds of what stands.
static vn_status find_bounds(vni_swarm* swarm, vn_detail* detail) {
    uint32_t index;
    if (swarm->run->def.map != NULL)
        return vn_world_get_bounds(swarm->truth, &swarm->bounds)
                   ? VN_OK
                   : vni_refuse(detail, VN_BAD_ARGUMENT, 0, "the map is empty");
    if (!vn_scene_find(swarm->scene->world, &index))
        return vni_refuse(detail, VN_NOT_FOUND, 0, "no scene has that name");
    swarm->bounds = vn_scene_get(index)->bounds;
    return VN_OK;
}

/// The judge's own world, and where agents fit with a margin in it.
static vn_status make_truth(vni_swarm* swarm, vn_detail* detail) {
    vn_world_def world = vn_default_world_def();
    swarm->bounds = swarm->scene->bounds;
    if (!has_world(swarm))
        return VN_OK;

    world.allocator = swarm->run->def.allocator;
    vn_status status = vn_world_create(&world, &swarm->truth);
    if (status == VN_OK)
        status = build_scene(swarm, swarm->truth, detail);
    if (status == VN_OK)
        status = find_bounds(swarm, detail);
    vn_space_def def = space_of(swarm);
    def.radius = 1.5f * swarm->scene->radius;
    return status == VN_OK ? vn_space_bake(swarm->truth, &def, &swarm->places, detail) : status;
}

/// A layer to plan in, and the walls alone, for the crowd.
static vn_status make_nav(vni_swarm* swarm, vn_detail* detail) {
    const vn_run_def* r = &swarm->run->def;
    vn_world_def world_def = vn_default_world_def();
    vn_nav_def def = vn_default_nav_def();
    vn_world* world = NULL;
    world_def.allocator = def.allocator = r->allocator;
    def.mode = VN_NAV_LOCKSTEP;
    def.workers = r->workers;
    def.max_requests = 4 * VNI_SWARM_AGENTS;
    def.max_watches = 2 * VNI_SWARM_AGENTS;
    def.space = space_of(swarm);
    def.layers[0].radius = def.layers[1].radius = swarm->scene->radius;
    def.layers[1].open_flags = SLIDES;
    def.layer_count = 2;

    vn_status status = vn_world_create(&world_def, &world);
    if (status == VN_OK)
        status = fill_world(swarm, world, detail);
    if (status == VN_OK)
        status = vn_nav_create(world, &def, &swarm->nav, detail);
    if (status != VN_OK && world != NULL)
        vn_world_destroy(world);
    return status == VN_OK ? add_sliders(swarm, detail) : status;
}

/// Far enough from the others, and from all sliders wherever they go.
static bool has_room(const vni_swarm* swarm, uint32_t count, vn_dvec3 p) {
    const double radius = (double)swarm->scene->radius;
    for (uint32_t i = 0; i < count; ++i)
        if (vni_length(vni_difference(p, swarm->agents[i].to)) < 3 * radius)
            return false;

    for (uint32_t i = 0; i < swarm->slider_count; ++i) {
        const vni_slider* s = &swarm->sliders[i];
        const vn_dvec3 h = s->half;
        const vn_box box = {vec(-h.x, -h.y, -h.z), vec(h.x, h.y, h.z)};
        if (vni_judge_box(vni_difference(p, s->first), vni_difference(p, s->second), &box) < 4 * radius)
            return false;
    }
    return true;
}

static vn_status add_agent(vni_swarm* swarm, uint32_t index, vn_detail* detail) {
    const vni_swarm_scene* scene = swarm->scene;
    vn_agent_def def = vn_default_agent_def();
    bool fits = false;
    for (int tries = 0; tries < TRIES && !fits; ++tries) {
        def.position = vni_swarm_draw_place(swarm, (double)(scene->radius + 2 * scene->resolution));
        fits = has_room(swarm, index, def.position) && is_away(swarm, def.position, (double)scene->radius);
    }
    if (!fits && swarm->run->def.map != NULL)
        return vni_refuse(detail, VN_TOO_LARGE, 0, "the map has no place for so many agents");

    def.radius = scene->radius;
    def.max_speed = scene->speed;
    if (scene->spread > 0)
        def.max_speed *= 1 + scene->spread * (float)vni_swarm_draw(swarm, -1, 1);
    def.max_acceleration = scene->acceleration;
    def.arrival = (double)scene->radius;
    swarm->agents[index] = (vni_swarm_agent){.to = def.position, .arrived = true};
    swarm->shown[index] = (vn_run_agent){.position = def.position, .radius = (double)scene->body};
    return vn_crowd_add_agent(swarm->crowd, &def, &swarm->agents[index].id, detail);
}

static vn_status make_crowd(vni_swarm* swarm, vn_detail* detail) {
    const vn_run_def* r = &swarm->run->def;
    vn_crowd_def def = vn_default_crowd_def();
    def.allocator = def.avoid.allocator = r->allocator;
    def.max_agents = r->agents;
    def.mover_flags = SLIDES;
    def.max_movers = VNI_SWARM_SLIDERS;
    const float scale = (float)scale_of(swarm);
    def.mover_margin *= scale;
    def.avoid.reach *= scale;
    def.avoid.box_reach *= scale;
    def.avoid.lane_width *= scale;
    vn_status status = vn_crowd_create(swarm->nav, &def, &swarm->crowd, detail);
    for (uint32_t i = 0; status == VN_OK && i < r->agents; ++i)
        status = add_agent(swarm, i, detail);
    return status == VN_OK ? swarm->scene->guide(swarm) : status;
}

void vni_swarm_free(void* self) {
    vni_swarm* swarm = self;
    const vn_allocator m = swarm->run->def.allocator;
    vn_crowd_destroy(swarm->crowd);
    if (swarm->nav != NULL)
        vn_nav_destroy(swarm->nav);
    vn_space_destroy(swarm->places);
    if (swarm->truth != NULL)
        vn_world_destroy(swarm->truth);
    m.release(m.user, swarm, sizeof *swarm);
}

static vn_status check(vn_run* run, const vni_swarm_scene* scene, vn_detail* detail) {
    if (run->def.obstacles == VN_RUN_AS_SCENE)
        run->def.obstacles = scene->sliders;
    if (run->def.rules != VN_RUN_AUTOPILOT || run->def.autopilot != VN_PILOT_PREDICT)
        return vni_refuse(detail, VN_UNSUPPORTED, 0,
                          "the agents of this scene are a crowd, without autopilots");
    if (run->def.latency > 0 || run->def.replan > 0 || run->def.radar > 0)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "this scene has no latency, replan and radar");
    if (run->def.agents > VNI_SWARM_AGENTS || run->def.obstacles > VNI_SWARM_SLIDERS)
        return vni_refuse(detail, VN_TOO_LARGE, 0, "at most 256 agents, and 32 obstacles that move");
    if (run->def.obstacles > 0 && scene->sliders == 0)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "nothing but the agents moves in this scene");
    if (run->def.step > 0.25)
        return vni_refuse(detail, VN_BAD_ARGUMENT, 0, "a step of a crowd is at most 0.25 seconds");
    return VN_OK;
}

vn_status vni_swarm_make(vn_run* run, const vni_swarm_scene* scene, void** self, vn_detail* detail) {
    const vn_allocator* m = &run->def.allocator;
    vn_status status = check(run, scene, detail);
    if (status != VN_OK)
        return status;

    vni_swarm* swarm = m->alloc(m->user, sizeof *swarm);
    if (swarm == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a run");
    memset(swarm, 0, sizeof *swarm);
    swarm->run = run;
    swarm->scene = scene;
    swarm->random = vni_random_of(run->def.seed, 0x737761726d);
    status = make_truth(swarm, detail);
    scene->build(swarm);
    if (status == VN_OK)
        status = make_nav(swarm, detail);
    if (status == VN_OK)
        status = make_crowd(swarm, detail);
    if (status != VN_OK) {
        vni_swarm_free(swarm);
        return status;
    }

    run->result.clearance = run->result.wall_clearance = run->result.agent_clearance = HUGE_VAL;
    *self = swarm;
    return VN_OK;
}

// ---------------------------------------------------------------------------------------------------- steps

static vn_status read_agents(vni_swarm* swarm) {
    vn_run_result* out = &swarm->run->result;
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < swarm->run->def.agents; ++i) {
        vni_swarm_agent* a = &swarm->agents[i];
        vn_agent_info info;
        status = vn_crowd_get_agent(swarm->crowd, a->id, &info);
        a->at = a->to;
        a->to = info.position;
        out->goals += info.state == VN_AGENT_ARRIVED && !a->arrived;
        a->arrived = info.state == VN_AGENT_ARRIVED;
        a->lost = info.state == VN_AGENT_NO_PATH;
        out->length += vni_length(vni_difference(a->to, a->at));
        out->stopped += info.velocity.x == 0 && info.velocity.y == 0 && info.velocity.z == 0;
        swarm->shown[i].position = info.position;
        swarm->shown[i].velocity = vni_exact(info.velocity);
        swarm->shown[i].arrived = a->arrived;
        vni_run_hash(out, a->to);
    }
    out->steps += swarm->run->def.agents;
    return status;
}

static void note_time(vni_swarm* swarm, double seconds) {
    vn_run_result* out = &swarm->run->result;
    out->path_seconds += seconds;
    out->worst_step = seconds > out->worst_step ? seconds : out->worst_step;
    vni_run_times_add(&swarm->times, seconds);
}

static void note_end(vni_swarm* swarm) {
    vn_run* run = swarm->run;
    vn_crowd_stats stats;
    vn_crowd_get_stats(swarm->crowd, &stats);
    run->result.calls = stats.asked;
    if ((double)(run->steps + 1) * run->def.step >= run->def.limit) {
        run->result.end = VN_RUN_ARRIVED;
        run->result.p99_step = run->def.clock != NULL ? vni_run_times_part(&swarm->times, 0.99) : 0;
    }
}

vn_status vni_swarm_step(void* self, vn_detail* detail) {
    vni_swarm* swarm = self;
    const vn_run_def* r = &swarm->run->def;
    vn_status status = move_sliders(swarm, detail);
    const double begin = r->clock != NULL ? r->clock() : 0;
    if (status == VN_OK)
        status = vn_crowd_update(swarm->crowd, r->step, detail);
    note_time(swarm, r->clock != NULL ? r->clock() - begin : 0);
    if (status == VN_OK)
        status = read_agents(swarm);
    if (status != VN_OK)
        return status;

    vni_swarm_judge(swarm);
    note_end(swarm);
    return swarm->scene->guide(swarm);
}

// ---------------------------------------------------------------------------------------------------- views

static vn_run_thing thing_of(vn_box box, vn_dvec3 at, uint32_t color) {
    return (vn_run_thing){
        .shape = {.kind = VN_SHAPE_BOX, .as.box = box}, .transform = transform_of(at), .color = color};
}

void vni_swarm_view(void* self, vn_run_view* out) {
    vni_swarm* swarm = self;
    uint32_t count = 0;
    for (uint32_t i = 0; i < swarm->box_count; ++i)
        swarm->things[count++] = thing_of(swarm->boxes[i], (vn_dvec3){0, 0, 0}, 0x8c8c8cffu);
    for (uint32_t i = 0; i < swarm->slider_count; ++i)
        swarm->things[count++] =
            thing_of(shape_of(&swarm->sliders[i]).as.box, swarm->slider_to[i], 0x2ca02cffu);
    for (uint32_t i = 0; i < swarm->run->def.agents; ++i)
        swarm->shown[i].color = 0x1f77b4ffu;
    for (uint32_t i = 0; i < swarm->zone_count; ++i)
        swarm->shown_zones[i] = (vn_zone){
            .kind = VN_ZONE_BOX, .box = swarm->zones[i].shape.as.box, .factor = swarm->zones[i].factor};

    out->bounds = swarm->bounds;
    out->world = swarm->truth;
    out->agents = swarm->shown;
    out->agent_count = swarm->run->def.agents;
    out->things = swarm->things;
    out->thing_count = count;
    out->zones = swarm->zone_count > 0 ? swarm->shown_zones : NULL;
    out->zone_count = swarm->zone_count;
}
