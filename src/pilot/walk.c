/// pilot/walk.c: what the groups of Maruszczyk 2016 share: from node to node along a path, which changes at
/// nodes only.
#include "pilot/pilot_inside.h"

#include <string.h>

/// The end of a path: no obstacle is in its way (none is marked) or all of them may leave again.
static bool give_up(vn_pilot* pilot, vn_status status) {
    pilot->has_path = false;
    pilot->phase = pilot->nodes.marked > 0 && status == VN_NO_PATH ? VN_PILOT_WAITING : VN_PILOT_LOST;
    pilot->reason = pilot->phase == VN_PILOT_LOST ? status : VN_OK;
    return false;
}

static bool is_at(const vn_pilot* pilot, vni_vec place) {
    return pilot->at.x == place.x && pilot->at.y == place.y && pilot->at.z == place.z;
}

bool vni_pilot_plan_whole(vn_pilot* pilot) {
    const uint32_t from = vni_pilot_node_at(pilot, pilot->at), to = vni_pilot_node_at(pilot, pilot->goal);
    vn_status status;
    ++pilot->stats.searches;
    if (!vn_space_voxel_free(pilot->space, vni_grid_voxel(&pilot->nodes.grid, to)))
        return give_up(pilot, VN_GOAL_BLOCKED);

    const uint32_t count = vni_pilot_search(pilot, from, to, &status);
    if (count == 0)
        return give_up(pilot, status);

    // Off the centre of its node the ship first flies there: the node is on the path twice.
    const bool is_off = !is_at(pilot, vni_pilot_node_centre(pilot, from));
    if (is_off && count == pilot->def.max_path)
        return give_up(pilot, VN_CAPACITY);

    pilot->path[0] = from;
    memcpy(pilot->path + is_off, pilot->nodes.found, count * sizeof *pilot->path);
    pilot->path_count = count + is_off;
    pilot->has_path = true;
    return true;
}

bool vni_pilot_repair(vn_pilot* pilot, uint32_t last) {
    VNI_ASSERT(last < pilot->path_count);
    vn_status status;
    ++pilot->stats.repairs;
    const uint32_t count = vni_pilot_search(pilot, pilot->path[0], pilot->path[last], &status);
    const uint32_t rest = pilot->path_count - last - 1;
    if (count == 0 || count + (uint64_t)rest > pilot->def.max_path)
        return false;

    memmove(pilot->path + count, pilot->path + last + 1, rest * sizeof *pilot->path);
    memcpy(pilot->path, pilot->nodes.found, count * sizeof *pilot->path);
    pilot->path_count = count + rest;
    return true;
}

/// In steps of equal length that end at the place, none faster than the speed.
static void fly_to(vn_pilot* pilot, vni_vec place) {
    const vni_vec way = vni_sub(place, pilot->at);
    const double length = vni_length(way), most = pilot->speed * pilot->def.step;
    const double steps = most > 0 ? floor((length - 1e-9 * length) / most) + 1 : 0;
    pilot->velocity = steps > 0 ? vni_scale(way, 1 / (steps * pilot->def.step)) : vni_v(0, 0, 0);
    pilot->at = steps <= 1 ? place : vni_add_scaled(pilot->at, way, 1 / steps);
}

/// The centre of the next node; after the last one the goal itself, in the same voxel.
static vni_vec next_place(const vn_pilot* pilot) {
    return pilot->path_count > 1 ? vni_pilot_node_centre(pilot, pilot->path[1]) : pilot->goal;
}

/// path[0] is the node that was left last, path[1] the one ahead.
static void pass_node(vn_pilot* pilot) {
    if (pilot->path_count > 1 && is_at(pilot, next_place(pilot))) {
        --pilot->path_count;
        memmove(pilot->path, pilot->path + 1, pilot->path_count * sizeof *pilot->path);
    }
}

/// Out of a wall that a new version of the space has put around the ship, to the nearest free voxel.
static void leave_wall(vn_pilot* pilot) {
    vn_point free;
    double distance;
    const vn_dvec3 at = vni_pilot_to_world(pilot->space, pilot->at);
    if (vn_space_nearest_free(pilot->space, at, HUGE_VAL, &free, &distance) != VN_OK) {
        pilot->phase = VN_PILOT_LOST;
        pilot->reason = VN_START_BLOCKED;
        pilot->speed = 0;
        pilot->velocity = vni_v(0, 0, 0);
        return;
    }

    const vni_vec centre = vni_pilot_from_world(
        pilot->space,
        vn_space_point_to_world(pilot->space, vn_voxel_center(vn_space_voxel_at(pilot->space, free))));
    fly_to(pilot, centre);
}

static bool is_in_wall(const vn_pilot* pilot) {
    const vn_voxel v = vni_grid_voxel(&pilot->nodes.grid, vni_pilot_node_at(pilot, pilot->at));
    return !vn_space_voxel_free(pilot->space, v);
}

void vni_pilot_walk(vn_pilot* pilot, double speed) {
    const double most = pilot->def.acceleration * pilot->def.step;
    pilot->phase = VN_PILOT_FLYING;
    pilot->reason = VN_OK;
    pilot->speed += vni_clamp(speed - pilot->speed, -most, most);
    if (is_in_wall(pilot)) {
        leave_wall(pilot);
        return;
    }

    // Between two nodes the path stays as it is; a ship that was put anywhere begins a new one.
    const bool at_node = !pilot->has_path || is_at(pilot, vni_pilot_node_centre(pilot, pilot->path[0]));
    if (at_node && !pilot->kind->look(pilot)) {
        pilot->speed = 0;
        pilot->velocity = vni_v(0, 0, 0);
        return;
    }

    fly_to(pilot, next_place(pilot));
    pass_node(pilot);
}

void vni_pilot_cruise(vn_pilot* pilot) {
    vni_pilot_walk(pilot, pilot->def.cruise_speed);
}
