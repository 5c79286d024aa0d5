/// run/swarm_judge.c: what the agents of a crowd touch within a step: boxes, sliders, each other.
#include "run/swarm.h"
#include "volnav/path.h"

/// True when a contact begins.
static bool begins(uint8_t* touching, bool now) {
    const bool before = *touching != 0;
    *touching = now;
    return now && !before;
}

static void keep_least(double* least, double gap) {
    *least = gap < *least ? gap : *least;
}

/// Distance from a box if that is below `enough`, otherwise something not below it. From p alone is far
/// cheaper: the rest of the segment is at most its length nearer.
static double from_box(vn_dvec3 p, vn_dvec3 q, const vn_box* box, double enough) {
    const double way = vni_length(vni_difference(q, p)), from = vni_judge_box(p, p, box);
    return from - way < enough ? vni_judge_box(p, q, box) : enough;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void judge_boxes(vni_swarm* swarm, uint32_t index) {
    const vni_swarm_agent* a = &swarm->agents[index];
    vn_run_result* out = &swarm->run->result;
    const double radius = (double)swarm->scene->body;
    double least = larger(out->wall_clearance, 0) + radius;
    for (uint32_t i = 0; i < swarm->box_count; ++i)
        keep_least(&least, from_box(a->at, a->to, &swarm->boxes[i], least));
    keep_least(&out->wall_clearance, least - radius);
    out->wall_hits += begins(&swarm->at_box[index], least < radius);
}

/// The same among any shapes: by the checker of paths, which knows the world and nothing of its voxels.
static void judge_world(vni_swarm* swarm, uint32_t index) {
    const vni_swarm_agent* a = &swarm->agents[index];
    vn_run_result* out = &swarm->run->result;
    const double radius = (double)swarm->scene->body;
    vn_check_result found = {0};
    vn_point ends[2];
    const bool inside = vn_space_point_from_world(swarm->places, a->at, &ends[0]) == VN_OK &&
                        vn_space_point_from_world(swarm->places, a->to, &ends[1]) == VN_OK;
    const bool is_free = inside && vn_world_check_path(swarm->truth, swarm->places, ends, 2, radius, &found);
    keep_least(&out->wall_clearance, found.clearance - radius);
    out->wall_hits += begins(&swarm->at_box[index], !is_free);
}

/// In the frame of a slider both motions are one straight segment.
static void judge_sliders(vni_swarm* swarm, uint32_t index) {
    const vni_swarm_agent* a = &swarm->agents[index];
    vn_run_result* out = &swarm->run->result;
    const double radius = (double)swarm->scene->body;
    for (uint32_t i = 0; i < swarm->slider_count; ++i) {
        const vn_vec3 h = vni_rounded(swarm->sliders[i].half);
        const vn_box box = {{-h.x, -h.y, -h.z}, h};
        const vn_dvec3 p = vni_difference(a->at, swarm->slider_at[i]);
        const vn_dvec3 q = vni_difference(a->to, swarm->slider_to[i]);
        const double gap = from_box(p, q, &box, larger(out->clearance, 0) + radius) - radius;
        keep_least(&out->clearance, gap);
        out->collisions += begins(&swarm->at_slider[index][i], gap < 0);
    }
}

static void judge_agents(vni_swarm* swarm, uint32_t index) {
    const vni_swarm_agent* a = &swarm->agents[index];
    vn_run_result* out = &swarm->run->result;
    for (uint32_t i = index + 1; i < swarm->run->def.agents; ++i) {
        const vni_swarm_agent* b = &swarm->agents[i];
        const double gap = vni_judge_points(a->at, a->to, b->at, b->to) - 2 * (double)swarm->scene->body;
        keep_least(&out->agent_clearance, gap);
        out->agent_hits += begins(&swarm->at_agent[index][i], gap < 0);
    }
}

void vni_swarm_judge(vni_swarm* swarm) {
    for (uint32_t i = 0; i < swarm->run->def.agents; ++i) {
        if (swarm->truth != NULL)
            judge_world(swarm, i);
        else
            judge_boxes(swarm, i);
        judge_sliders(swarm, i);
        judge_agents(swarm, i);
    }
}
