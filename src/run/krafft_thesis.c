/// run/krafft_thesis.c: flight by the rules of Krafft 2019, 4.4: along the newest path at constant speed. A
/// path begins at the next point of the one before, which the agent is flying to.
#include "run/krafft_inside.h"

static bool is_free(const vni_krafft* k, vn_dvec3 p) {
    vn_point point;
    return vn_space_point_from_world(k->course.space, p, &point) == VN_OK &&
           vn_space_voxel_free(k->course.space, vn_space_voxel_at(k->course.space, point));
}

/// The middle of the voxel that a place of the scene is in; voxels are metres.
static vn_dvec3 middle_of(vn_dvec3 p) {
    return (vn_dvec3){floor(p.x) + 0.5, floor(p.y) + 0.5, floor(p.z) + 0.5};
}

/// On the grid, the closest node; if that is blocked, the closest of its six neighbours that are free
/// (4.4.3). Elsewhere where the agent is: the graph joins it to its nodes.
static vn_dvec3 closest_node(const vni_krafft* k) {
    const vn_dvec3 own = middle_of(k->at);
    vn_dvec3 best = own;
    double least = HUGE_VAL;
    if (k->course.def.space != VNI_ON_GRID)
        return k->at;
    for (int i = 0; i < 6 && !is_free(k, own); ++i) {
        const double by = i % 2 == 0 ? -1 : 1;
        const vn_dvec3 p =
            vni_sum(own, (vn_dvec3){i / 2 == 0 ? by : 0, i / 2 == 1 ? by : 0, i / 2 == 2 ? by : 0});
        const double d = vni_length(vni_difference(p, k->at));
        if (d < least && is_free(k, p)) {
            least = d;
            best = p;
        }
    }
    return best;
}

/// Where the next path begins: the point that the agent flies to, if that is free, and for paths at any angle
/// in sight; otherwise at the closest node.
static vn_dvec3 next_start(const vni_krafft* k) {
    if (k->next >= k->route_count)
        return closest_node(k);
    const vn_dvec3 p = k->route[k->next];
    const bool good = is_free(k, p) && (!vni_course_is_any_angle(&k->course.def) ||
                                        vn_space_visible_positions(k->course.space, k->at, p));
    return good ? p : closest_node(k);
}

/// From grids each node is a point of the path, also on straight legs.
static void take_path(vni_krafft* k) {
    const vni_course* c = &k->course;
    const bool walks = vni_course_walks(&c->def);
    k->next = k->route_count = 0;
    for (uint32_t i = 0; i < c->count && k->route_count < VNI_KRAFFT_POINTS; ++i) {
        const vn_dvec3 to = c->points[i], from = i > 0 ? c->points[i - 1] : to;
        const double length = vni_length(vni_difference(to, from));
        const uint32_t pieces = walks && length > 1.5 ? (uint32_t)floor(length + 0.5) : 1;
        for (uint32_t n = 1; n <= pieces && k->route_count < VNI_KRAFFT_POINTS; ++n)
            k->route[k->route_count++] =
                vni_sum(from, vni_scaled(vni_difference(to, from), (double)n / pieces));
    }
}

/// A new path replaces the old one only if there is one (4.4.4): until then the agent flies on.
static vn_status plan(vni_krafft* k, vn_detail* detail) {
    const double within = k->course.def.space == VNI_ON_GRID ? 0 : 1.75;
    const vn_status status = vni_course_find(&k->course, next_start(k), k->goal, within, detail);
    if (status == VN_OK && k->course.count > 0)
        take_path(k);
    return status;
}

vn_status vni_krafft_follow(vni_krafft* k, bool plans, vn_detail* detail) {
    const vn_status status = plans ? plan(k, detail) : VN_OK;
    const vn_dvec3 before = k->at;
    double left = k->info.agent_speed * k->run->def.step;
    k->leg_count = 0;
    while (left > 0 && k->next < k->route_count && k->leg_count + 1 < VNI_KRAFFT_LEGS) {
        const vn_dvec3 way = vni_difference(k->route[k->next], k->at);
        const double length = vni_length(way);
        if (length > left)
            k->at = vni_sum(k->at, vni_scaled(way, left / length));
        else
            k->at = k->route[k->next++];
        left -= length;
        k->legs[k->leg_count++] = k->at;
    }

    k->velocity = vni_scaled(vni_difference(k->at, before), 1 / k->run->def.step);
    k->run->result.stopped += k->leg_count == 0;
    return status;
}
