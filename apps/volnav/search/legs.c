/// volnav/search/legs.c: the legs of ends that were snapped, judged, printed and written.
#include "search/legs.h"

#include <math.h>
#include <stdio.h>

#include "shell/text.h"

static const char* const end_names[2] = {"start", "goal"};

// ------------------------------------------------------------------------------------------------- judging

static double distance_between(vn_dvec3 a, vn_dvec3 b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

/// In the world itself: the layers know it only where one of them is narrower than the agent.
static void check_in_world(const loaded* in, vn_point place, vn_point used, search_leg* leg) {
    const vn_point ends[2] = {place, used};
    vn_check_result result = {0};
    const bool is_free = vn_world_check_path(in->world, in->space, ends, 2, 0, &result);
    leg->state = is_free ? VN_LEG_FREE : VN_LEG_BLOCKED;
    leg->clearance = is_free ? result.clearance : 0;
}

static void judge(const loaded* in, vn_point place, vn_point used, const vn_snap_leg* known,
                  search_leg* leg) {
    if (leg->snapped) { // from outside the space
        return;
    }

    leg->snapped = place.x != used.x || place.y != used.y || place.z != used.z;
    if (!leg->snapped) {
        return;
    }

    leg->used = vn_space_point_to_world(in->space, used);
    leg->distance = distance_between(leg->asked, leg->used);
    if (in->world != NULL) {
        check_in_world(in, place, used, leg);
    } else {
        leg->state = known->state != VN_LEG_NONE ? known->state : VN_LEG_UNCHECKED;
        leg->clearance = (double)known->radius;
    }
}

void legs_judge(const loaded* in, vn_point start, const vn_point* goal, search_outcome* out) {
    const vn_path_result* path = &out->path;
    const bool placed = path->end == VN_END_NONE && (out->count > 0 || path->start_leg.state != VN_LEG_NONE ||
                                                     path->goal_leg.state != VN_LEG_NONE);
    if (!placed) { // an end has no place, or nothing was searched
        return;
    }

    judge(in, start, path->start, &path->start_leg, &out->legs[0]);
    if (goal != NULL) {
        judge(in, *goal, path->goal, &path->goal_leg, &out->legs[1]);
    }
}

// ------------------------------------------------------------------------------------------------ in words

static const char* leg_word(vn_leg_state state) {
    return state == VN_LEG_FREE ? "free" : state == VN_LEG_BLOCKED ? "blocked" : "unchecked";
}

void legs_print(const loaded* in, const search_leg legs[2], const char* indent) {
    static const char* const sentences[] = {[VN_LEG_FREE] = "is free",
                                            [VN_LEG_BLOCKED] = "meets an obstacle",
                                            [VN_LEG_UNCHECKED] = "is not checked"};
    const double resolution = (double)in->info.resolution;
    for (int i = 0; i < 2; ++i) {
        const search_leg* leg = &legs[i];
        if (leg->snapped) {
            printf("%s%s: snapped by %s m to %s; the leg %s it %s\n", indent, end_names[i],
                   text_metres(leg->distance, resolution).s, text_point(leg->used, resolution).s,
                   i == 0 ? "to" : "from", sentences[leg->state]);
        }
    }
}

static void write_leg(json_writer* json, const search_leg* leg, const char* name) {
    json_begin_object(json, NULL);
    json_text(json, "which", name);
    json_triple(json, "asked", leg->asked.x, leg->asked.y, leg->asked.z);
    json_triple(json, "used", leg->used.x, leg->used.y, leg->used.z);
    json_real(json, "distance", leg->distance);
    json_text(json, "leg", leg_word(leg->state));
    json_real(json, "clearance", leg->state == VN_LEG_FREE ? leg->clearance : (double)NAN);
    json_end(json);
}

void legs_write(json_writer* json, const search_leg legs[2]) {
    if (!legs[0].snapped && !legs[1].snapped) {
        return;
    }

    json_begin_array(json, "snapped", false);
    for (int i = 0; i < 2; ++i) {
        if (legs[i].snapped) {
            write_leg(json, &legs[i], end_names[i]);
        }
    }

    json_end(json);
}
