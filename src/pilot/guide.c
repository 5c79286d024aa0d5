/// pilot/guide.c: the way to the goal through static space: a route, and the farthest of its points in sight.
#include "pilot/pilot_inside.h"

/// How many points ahead are asked for, and the steps between searches that fail.
enum { POINTS_AHEAD = 16, PATIENCE = 5, CORNER_PATIENCE = 15 };

static bool lose(vn_pilot* pilot, vn_status reason) {
    pilot->phase = VN_PILOT_LOST;
    pilot->reason = pilot->lost = reason;
    pilot->route_count = 0;
    pilot->patience = PATIENCE;
    return false;
}

static bool search(vn_pilot* pilot) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.use_positions = true;
    request.start_position = vni_pilot_to_world(pilot->space, pilot->at);
    request.goal_position = vni_pilot_to_world(pilot->space, pilot->goal);
    if (pilot->weather != NULL) {
        request.zones = pilot->def.weather;
        request.zone_count = pilot->def.weather_count;
        request.zone_flags = UINT32_MAX;
    }
    if (!vni_space_has_cells(pilot->space)) {
        request.algo = VN_ALGO_ASTAR;
        request.refine = VN_REFINE_PRUNE;
    }

    ++pilot->stats.searches;
    const vn_status status = vn_query_find_path(pilot->query, &request, &result, NULL);
    pilot->stats.expanded += result.expanded;
    if (status != VN_OK)
        return lose(pilot, status);
    if (vn_query_get_positions(pilot->query, pilot->route, pilot->def.max_path, &pilot->route_count) != VN_OK)
        return lose(pilot, VN_CAPACITY);

    pilot->route_next = 0;
    return true;
}

static vni_vec route_point(const vn_pilot* pilot, uint32_t i) {
    return vni_pilot_from_world(pilot->space, pilot->route[i]);
}

/// What a straight way costs, in voxels.
static double cost_of(const vn_pilot* pilot, vni_vec a, vni_vec b) {
    const double scale = 1 / (double)pilot->space->resolution;
    const double from[3] = {scale * a.x, scale * a.y, scale * a.z},
                 to[3] = {scale * b.x, scale * b.y, scale * b.z};
    return vni_zones_cost(&pilot->weather->set, from, to);
}

/// Would the straight way to point i of the route cost more than along the route, for it cuts through bad
/// weather? To a twentieth of a voxel: the ship is not exactly on its route.
static bool cuts_weather(const vn_pilot* pilot, uint32_t i) {
    if (pilot->weather == NULL || i == pilot->route_next)
        return false;

    double along = 0.05 + cost_of(pilot, pilot->at, route_point(pilot, pilot->route_next));
    for (uint32_t k = pilot->route_next; k < i; ++k)
        along += cost_of(pilot, route_point(pilot, k), route_point(pilot, k + 1));
    return cost_of(pilot, pilot->at, route_point(pilot, i)) > along;
}

/// The farthest of the next points in sight; false: none is.
static bool find_carrot(vn_pilot* pilot, vni_vec* carrot) {
    uint32_t last = pilot->route_next + POINTS_AHEAD;
    if (pilot->route_count == 0)
        return false;

    last = last < pilot->route_count ? last : pilot->route_count - 1;
    for (uint32_t i = last + 1; i-- > pilot->route_next;) {
        *carrot = route_point(pilot, i);
        if (vni_pilot_sees(pilot->space, pilot->at, *carrot) && !cuts_weather(pilot, i)) {
            pilot->route_next = i;
            return true;
        }
    }

    return false;
}

/// Between two points of the route, as far along as can be seen: turns begin before the corner.
static vni_vec look_past(const vn_pilot* pilot, vni_vec carrot) {
    if (pilot->route_next + 1 >= pilot->route_count)
        return carrot;

    const double here = pilot->weather != NULL ? 0.05 + cost_of(pilot, pilot->at, carrot) : 0;
    const vni_vec next = route_point(pilot, pilot->route_next + 1);
    for (double part = 0.75; part > 0.1; part -= 0.25) {
        const vni_vec place = vni_add_scaled(carrot, vni_sub(next, carrot), part);
        const bool cuts =
            pilot->weather != NULL && cost_of(pilot, pilot->at, place) > here + cost_of(pilot, carrot, place);
        if (!cuts && vni_pilot_sees(pilot->space, pilot->at, place))
            return place;
    }

    return carrot;
}

/// A corner may be seen around from one point only, and a ship in flight passes it to and fro. After a while
/// it stops there: from a point of the route the next one is in sight.
static void take_corner(vn_pilot* pilot, uint32_t before, vni_vec carrot) {
    const double reach = pilot->def.cruise_speed * pilot->def.cruise_speed / pilot->def.acceleration;
    const bool is_near = vni_length(vni_sub(carrot, pilot->at)) < reach;
    pilot->near_steps = is_near && pilot->route_next == before ? pilot->near_steps + 1 : 0;
    pilot->careful = pilot->near_steps > CORNER_PATIENCE;
}

bool vni_pilot_guide(vn_pilot* pilot, vni_vec* carrot) {
    const uint32_t before = pilot->route_next;
    if (find_carrot(pilot, carrot)) {
        take_corner(pilot, before, *carrot);
        *carrot = pilot->careful ? *carrot : look_past(pilot, *carrot);
        return true;
    }

    pilot->careful = false;

    // A search that failed fails again for a while.
    if (pilot->patience > 0) {
        --pilot->patience;
        pilot->phase = VN_PILOT_LOST;
        pilot->reason = pilot->lost;
        return false;
    }

    if (!search(pilot))
        return false;
    if (!find_carrot(pilot, carrot))
        return lose(pilot, VN_START_BLOCKED);

    *carrot = look_past(pilot, *carrot);
    return true;
}
