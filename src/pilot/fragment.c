/// pilot/fragment.c: groups 3 to 5 of Maruszczyk 2016: only the next nodes are looked at, and only the part
/// of the path that is blocked is searched again (versions 3 to 5 of the thesis).
#include "pilot/pilot_inside.h"

static uint32_t last_ahead(const vn_pilot* pilot) {
    const uint32_t last = pilot->path_count - 1;
    return pilot->def.look_ahead < last ? pilot->def.look_ahead : last;
}

/// From here to the first free node after all that are blocked among the next ones; if there is no way
/// around them, a whole new path.
static bool repair(vn_pilot* pilot, uint32_t blocked) {
    uint32_t last = blocked;
    while (last + 1 < pilot->path_count && vni_pilot_is_marked(&pilot->nodes, pilot->path[last]))
        ++last;
    return vni_pilot_repair(pilot, last) || vni_pilot_plan_whole(pilot);
}

/// The last of the next nodes that holds an obstacle; 0: none.
static uint32_t look_ahead(vn_pilot* pilot, bool around) {
    const uint32_t last = last_ahead(pilot);
    uint32_t blocked = 0;
    for (uint32_t i = 1; i <= last; ++i) {
        if (vni_pilot_look_at(pilot, pilot->path[i]))
            blocked = i;
        if (around)
            vni_pilot_look_around(pilot, pilot->path[i]);
    }

    return blocked;
}

/// The marks are those of this moment.
static bool look_at_fragment(vn_pilot* pilot) {
    vni_pilot_clear_marks(pilot);
    if (!pilot->has_path)
        return vni_pilot_plan_whole(pilot);

    const uint32_t blocked = look_ahead(pilot, false);
    if (blocked > 0)
        return repair(pilot, blocked);
    return !pilot->def.fragment_each_move || repair(pilot, last_ahead(pilot));
}

/// The marks stay until the next reset.
static bool look_extended(vn_pilot* pilot) {
    if (!pilot->has_path && !vni_pilot_plan_whole(pilot))
        return false;

    // Neighbours of earlier nodes may be later nodes: which of them are blocked is known at the end.
    look_ahead(pilot, true);
    uint32_t blocked = 0;
    for (uint32_t i = 1; i <= last_ahead(pilot); ++i)
        if (vni_pilot_is_marked(&pilot->nodes, pilot->path[i]))
            blocked = i;
    return blocked == 0 || repair(pilot, blocked);
}

static void reset_by_time(vn_pilot* pilot) {
    pilot->since_reset += pilot->def.step;
    if (pilot->since_reset >= pilot->def.reset_seconds) {
        pilot->since_reset = 0;
        vni_pilot_clear_marks(pilot);
    }
}

static void step_extended(vn_pilot* pilot) {
    reset_by_time(pilot);
    vni_pilot_cruise(pilot);
}

/// An obstacle in sight: away from it, which here means faster along the path.
static void step_radar(vn_pilot* pilot) {
    bool alarm = false;
    for (uint32_t i = 0; i < pilot->seen_count && !alarm; ++i) {
        const vni_seen* s = &pilot->seen[i];
        alarm = vni_length(vni_sub(s->at, pilot->at)) - s->radius <= pilot->def.radar;
    }

    reset_by_time(pilot);
    vni_pilot_walk(pilot, alarm ? pilot->def.max_speed : pilot->def.cruise_speed);
}

const vni_pilot_kind vni_pilot_fragment = {"fragment", true, vni_pilot_cruise, look_at_fragment};
const vni_pilot_kind vni_pilot_extended = {"extended", true, step_extended, look_extended};
const vni_pilot_kind vni_pilot_radar = {"radar", true, step_radar, look_extended};
