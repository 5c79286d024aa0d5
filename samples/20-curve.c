/// 20-curve: from a path to a trajectory. A drone that cannot turn on the spot at full speed gets a curve
/// with rounded corners, and for every moment a position, a velocity and an acceleration; impossible wishes
/// are refused with a reason.
#include "hall.h"

#include <math.h>
#include <stdlib.h>

/// A sample stops at the first failure.
static void check(vn_status status, const vn_detail* detail) {
    if (status != VN_OK) {
        printf("%s: %s\n", vn_status_text(status), detail->text);
        exit(1);
    }
}

static vn_curve_def drone(vn_curve_kind kind) {
    vn_curve_def def = vn_default_curve_def();
    def.kind = kind;
    def.max_speed = 6; // metres, seconds and radians
    def.max_acceleration = 8;
    def.max_turn_rate = 2;
    def.max_climb_rate = 1.5;
    return def;
}

/// Flies it, as a controller with 20 orders a second would, and prints every tenth of them as CSV. Returns
/// the highest speed.
static double fly(const vn_trajectory* trajectory) {
    double highest = 0;
    const double duration = vn_trajectory_duration(trajectory);
    printf("seconds,x,y,z,speed,acceleration\n");
    for (int i = 0; i < duration * 20; ++i) {
        vn_trajectory_state s;
        vn_trajectory_sample(trajectory, i / 20.0, &s); // any order, any thread, no allocation
        const vn_dvec3 a = s.acceleration;
        highest = s.speed > highest ? s.speed : highest;
        if (i % 10 == 0)
            printf("%.1f,%.2f,%.2f,%.2f,%.2f,%.2f\n", i / 20.0, s.position.x, s.position.y, s.position.z,
                   s.speed, sqrt(a.x * a.x + a.y * a.y + a.z * a.z));
    }

    return highest;
}

/// Makes a curve and its trajectory; flies the one with arcs. Returns whether the limit of speed was kept.
static bool round_corners(const vn_space* space, const vn_point* points, uint32_t count, vn_curve_kind kind) {
    const vn_curve_def def = drone(kind);
    const vn_trajectory_def timing = vn_default_trajectory_def(); // from rest to rest
    vn_curve* curve;
    vn_trajectory* trajectory;
    vn_curve_info info;
    vn_detail detail;
    check(vn_curve_make(space, points, count, &def, &curve, &detail), &detail);
    check(vn_trajectory_make(curve, &timing, &trajectory, &detail), &detail);

    vn_curve_get_info(curve, &info);
    printf("%s: %.2f m in %.2f s, %u corners rounded, turns of %.2f m or wider, %u stops\n",
           vn_curve_kind_name(kind), info.length, vn_trajectory_duration(trajectory), info.corners,
           info.least_turn_radius, info.stops);
    const double highest = kind == VN_CURVE_TURN ? fly(trajectory) : 0;

    vn_trajectory_destroy(trajectory);
    vn_curve_destroy(curve);
    return highest <= def.max_speed * (1 + 1e-9);
}

/// A drone that flies level only, and a target on another height: the reason says which limit, and where.
static bool is_refused(const vn_space* space, const vn_point* points, uint32_t count) {
    vn_curve_def def = drone(VN_CURVE_TURN);
    vn_curve* curve;
    vn_detail detail;
    def.max_slope = 0;
    const vn_status status = vn_curve_make(space, points, count, &def, &curve, &detail);
    printf("refused: %s\n", detail.text); // detail.index is the segment
    return status == VN_NOT_FOUND;
}

int main(void) {
    const vn_query_def query_def = vn_default_query_def();
    vn_space_def space_def = hall_space_def();
    vn_path_request route = hall_route();
    vn_world* world;
    vn_space* space;
    vn_query* query;
    vn_path_result result;
    vn_detail detail = {.status = VN_OK};
    uint32_t count;

    // the obstacles are those of the space, so its radius is the drone's
    space_def.radius = 0.4f;
    route.radius = 0.4f;
    route.goal_position = (vn_dvec3){30, 5, 8};
    check(hall_world(false, &world), &detail);
    check(vn_space_bake(world, &space_def, &space, &detail), &detail);
    check(vn_query_create(space, &query_def, &query, &detail), &detail);
    check(vn_query_find_path(query, &route, &result, &detail), &detail);
    const vn_point* points = vn_query_points(query, &count);
    printf("path: %.2f m, %u points\n", result.length, count);

    bool done = is_refused(space, points, count);
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind)
        done = round_corners(space, points, count, (vn_curve_kind)kind) && done;

    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
    return done ? 0 : 1;
}
