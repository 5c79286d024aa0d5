/// pilot/ahead.c: what a pilot means to do, for pictures: its path, and where it looks for obstacles.
#include "pilot/pilot_inside.h"

static vn_dvec3 place_of(const vn_pilot* pilot, uint32_t node) {
    return vni_pilot_to_world(pilot->space, vni_pilot_node_centre(pilot, node));
}

/// Points of the path after the place of the ship: nodes, of which path[0] is left behind, and the goal
/// itself; or what is left of the route.
static uint32_t count_ahead(const vn_pilot* pilot) {
    if (pilot->kind->walks)
        return pilot->has_path ? pilot->path_count : 0;
    return pilot->route_count - pilot->route_next;
}

static vn_dvec3 point_ahead(const vn_pilot* pilot, uint32_t i) {
    if (!pilot->kind->walks)
        return pilot->route[pilot->route_next + i];
    if (i + 1 == pilot->path_count)
        return vni_pilot_to_world(pilot->space, pilot->goal);
    return place_of(pilot, pilot->path[i + 1]);
}

uint32_t vn_pilot_get_path(const vn_pilot* pilot, vn_dvec3* out, uint32_t most) {
    VNI_ASSERT(pilot != NULL && (out != NULL || most == 0));
    const uint32_t count = count_ahead(pilot);
    if (count == 0)
        return 0;

    for (uint32_t i = 0; i < most && i <= count; ++i)
        out[i] = i == 0 ? vni_pilot_to_world(pilot->space, pilot->at) : point_ahead(pilot, i - 1);
    return count + 1;
}

/// Nodes of the path after the first that are looked at.
static uint32_t count_looked_at(const vn_pilot* pilot) {
    const vn_pilot_group group = pilot->def.group;
    if (group < VN_PILOT_LOOKUP || group > VN_PILOT_RADAR || !pilot->has_path)
        return 0;
    const uint32_t rest = pilot->path_count - 1;
    return group == VN_PILOT_LOOKUP || rest < pilot->def.look_ahead ? rest : pilot->def.look_ahead;
}

uint32_t vn_pilot_get_lookup(const vn_pilot* pilot, vn_dvec3* out, uint32_t most, double* edge) {
    VNI_ASSERT(pilot != NULL && (out != NULL || most == 0) && edge != NULL);
    const uint32_t count = count_looked_at(pilot);
    *edge = (double)pilot->space->resolution * (pilot->def.group >= VN_PILOT_EXTENDED ? 3 : 1);
    for (uint32_t i = 0; i < most && i < count; ++i)
        out[i] = place_of(pilot, pilot->path[i + 1]);
    return count;
}
