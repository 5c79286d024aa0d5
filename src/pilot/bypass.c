/// pilot/bypass.c: around an obstacle that stands in the way. Avoiding alone ends before it: every velocity
/// to the side is farther from the preferred one than waiting is. So a ship that has come to a stop before
/// such an obstacle flies to a place beside it, and keeps to that side until the way is free.
#include "pilot/pilot_inside.h"

enum { SIDES = 8, PATIENCE = 5, LONGEST = 60 }; ///< in steps: waiting before it, and trying one side

static const vni_seen* find(const vn_pilot* pilot, uint64_t id) {
    for (uint32_t i = 0; i < pilot->seen_count; ++i)
        if (pilot->seen[i].id == id)
            return &pilot->seen[i];
    return NULL;
}

/// Does the obstacle, as it is now, lie across the straight way?
static bool is_across(const vn_pilot* pilot, const vni_seen* s, vni_vec to) {
    const vni_vec way = vni_sub(to, pilot->at), d = vni_sub(s->at, pilot->at);
    const double square = vni_dot(way, way);
    const double along = square > 0 ? vni_clamp(vni_dot(d, way) / square, 0, 1) : 0;
    return vni_length(vni_sub(d, vni_scale(way, along))) < s->reach + pilot->def.margin;
}

/// Those that fly by are gone sooner than the ship is around them.
static bool stands(const vn_pilot* pilot, const vni_seen* s) {
    return vni_length(s->velocity) <= 0.1 * pilot->def.cruise_speed;
}

/// The nearest obstacle that stands across the way; null: none.
static const vni_seen* first_across(const vn_pilot* pilot, vni_vec to) {
    const vni_seen* first = NULL;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < pilot->seen_count; ++i) {
        const double d = vni_length(vni_sub(pilot->seen[i].at, pilot->at));
        if (d < least && stands(pilot, &pilot->seen[i]) && is_across(pilot, &pilot->seen[i], to)) {
            first = &pilot->seen[i];
            least = d;
        }
    }

    return first;
}

static vni_vec place_beside(const vn_pilot* pilot, const vni_seen* s, vni_vec side) {
    return vni_add_scaled(s->at, side, 1.05 * s->reach + 2 * pilot->def.margin + 0.1 * pilot->def.radius);
}

static bool is_taken(const vn_pilot* pilot, vni_vec place) {
    for (uint32_t i = 0; i < pilot->seen_count; ++i)
        if (vni_length(vni_sub(pilot->seen[i].at, place)) < pilot->seen[i].reach)
            return true;
    return false;
}

/// Metres by this side; HUGE_VAL: a wall or another obstacle is there.
static double cost_of(const vn_pilot* pilot, vni_vec place, vni_vec to) {
    if (is_taken(pilot, place) || !vni_pilot_sees(pilot->space, pilot->at, place))
        return HUGE_VAL;

    const double length = vni_length(vni_sub(place, pilot->at)) + vni_length(vni_sub(to, place));
    return vni_pilot_sees(pilot->space, place, to) ? length : 2 * length;
}

/// Chooses the side that is shortest, of eight across the line to the obstacle.
static bool choose_side(vn_pilot* pilot, const vni_seen* s, vni_vec to) {
    const double half = 0.70710678118654752;
    const double circle[SIDES][2] = {{1, 0},  {half, half},   {0, 1},  {-half, half},
                                     {-1, 0}, {-half, -half}, {0, -1}, {half, -half}};
    const vni_vec line = vni_sub(s->at, pilot->at), a = vni_abs_each(line);
    const vni_vec axis = a.y <= a.x && a.y <= a.z ? vni_v(0, 1, 0)
                         : a.x <= a.z             ? vni_v(1, 0, 0)
                                                  : vni_v(0, 0, 1);
    const vni_vec across = vni_cross(line, axis), up = vni_cross(across, line);
    if (!(vni_length(across) > 0))
        return false;

    const vni_vec u = vni_scale(across, 1 / vni_length(across)), w = vni_scale(up, 1 / vni_length(up));
    double least = HUGE_VAL;
    for (int i = 0; i < SIDES; ++i) {
        const vni_vec side = vni_add_scaled(vni_scale(u, circle[i][0]), w, circle[i][1]);
        const double cost = cost_of(pilot, place_beside(pilot, s, side), to);
        if (cost < least) {
            least = cost;
            pilot->bypass_side = side;
        }
    }

    pilot->bypass_id = s->id;
    return least < HUGE_VAL;
}

vni_vec vni_pilot_bypass(vn_pilot* pilot, vni_vec carrot) {
    const bool is_slow = vni_length(pilot->velocity) < 0.2 * pilot->def.cruise_speed;
    pilot->slow_steps = is_slow ? pilot->slow_steps + 1 : 0;
    if (pilot->bypass_left == 0) {
        const vni_seen* first = pilot->slow_steps > PATIENCE ? first_across(pilot, carrot) : NULL;
        if (first == NULL || !choose_side(pilot, first, carrot))
            return carrot;
        pilot->bypass_left = LONGEST;
    }

    --pilot->bypass_left;
    const vni_seen* s = find(pilot, pilot->bypass_id);
    const vni_vec place = s != NULL ? place_beside(pilot, s, pilot->bypass_side) : carrot;
    if (s == NULL || !is_across(pilot, s, carrot) || !vni_pilot_sees(pilot->space, pilot->at, place))
        pilot->bypass_left = 0;
    return pilot->bypass_left > 0 ? place : carrot;
}
