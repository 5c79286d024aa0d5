/// pilot/whole.c: groups 0 to 2 of Maruszczyk 2016: whole paths, searched once, at each node, or when a node
/// of the rest holds an obstacle (versions 1 and 2 of the thesis).
#include "pilot/pilot_inside.h"

static bool look_never(vn_pilot* pilot) {
    return pilot->has_path || vni_pilot_plan_whole(pilot);
}

static bool look_always(vn_pilot* pilot) {
    vni_pilot_clear_marks(pilot);
    vni_pilot_look_everywhere(pilot);
    return vni_pilot_plan_whole(pilot);
}

static bool look_at_path(vn_pilot* pilot) {
    bool is_free = pilot->has_path;
    vni_pilot_clear_marks(pilot);
    for (uint32_t i = 1; pilot->has_path && i < pilot->path_count; ++i)
        if (vni_pilot_look_at(pilot, pilot->path[i]))
            is_free = false;

    return is_free || vni_pilot_plan_whole(pilot);
}

const vni_pilot_kind vni_pilot_none = {"none", true, vni_pilot_cruise, look_never};
const vni_pilot_kind vni_pilot_whole = {"whole", true, vni_pilot_cruise, look_always};
const vni_pilot_kind vni_pilot_lookup = {"lookup", true, vni_pilot_cruise, look_at_path};
