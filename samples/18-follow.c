/// 18-follow: from a path to motion. A drone flies through the hall within its limits; half-way a crate is
/// put into the door, and the path is repaired where it is blocked, without a new search.
#include "hall.h"

#include <stdlib.h>

/// A sample stops at the first failure.
static void check(vn_status status, const char* what) {
    if (status != VN_OK) {
        printf("%s: %s\n", what, vn_status_text(status));
        exit(1);
    }
}

/// The hall at this moment, and a query for it.
static void bake(const vn_world* world, vn_space** space, vn_query** query) {
    const vn_space_def def = hall_space_def();
    const vn_query_def query_def = vn_default_query_def();
    check(vn_space_bake(world, &def, space, NULL), "bake");
    check(vn_query_create(*space, &query_def, query, NULL), "query");
}

static void put_crate(vn_world* world) {
    const vn_shape crate = {.kind = VN_SHAPE_BOX, .as.box = {{15.5f, 1, 7}, {17.5f, 2.5f, 8}}};
    check(vn_world_add(world, &crate, NULL, NULL), "crate");
}

/// Flies for some seconds, or until the drone stands.
static void fly(vn_corridor* corridor, const vn_space* space, vn_agent_motion* drone, double seconds) {
    const double dt = 1.0 / 60;
    vn_steering_def limits = vn_default_steering_def();
    vn_corridor_info info;
    limits.speed = 4; // metres, seconds and radians
    limits.acceleration = 5;
    limits.turn_rate = 3;
    for (double t = 0; t < seconds; t += dt) {
        check(vn_steering_step(&limits, corridor, space, dt, drone), "step");
        if (drone->state != VN_FOLLOW_MOVING)
            break;
    }

    vn_corridor_get_info(corridor, &info);
    printf("%s at %.2f %.2f %.2f, %.1f m to go\n", vn_follow_state_name(drone->state), drone->position.x,
           drone->position.y, drone->position.z, info.remaining);
}

int main(void) {
    const vn_corridor_def def = vn_default_corridor_def();
    const vn_path_request route = hall_route();
    const vn_steering_def limits = vn_default_steering_def();
    vn_world* world;
    vn_space *before, *after;
    vn_query *query, *next;
    vn_corridor* corridor;
    vn_path_result result;
    vn_repair repair;
    uint32_t count;

    // a path, and a corridor that follows it
    check(hall_world(false, &world), "world");
    bake(world, &before, &query);
    check(vn_query_find_path(query, &route, &result, NULL), "path");
    const vn_point* points = vn_query_points(query, &count);
    check(vn_corridor_create(&def, &corridor, NULL), "corridor");
    check(vn_corridor_set(corridor, before, points, count), "set");
    vn_agent_motion drone = vn_agent_motion_at(&limits, result.start_position, (vn_dvec3){1, 0, 0});
    fly(corridor, before, &drone, 1.5);

    // the hall has changed: what lies ahead is checked, and repaired if need be
    put_crate(world);
    bake(world, &after, &next);
    check(vn_corridor_repair(corridor, after, next, 200, &repair), "repair");
    printf("%s: blocked %.1f m ahead, %.2f m longer, %llu expansions\n",
           repair.kind == VN_REPAIR_REPAIRED ? "repaired" : "not repaired", repair.blocked, repair.change,
           (unsigned long long)repair.expanded);
    fly(corridor, after, &drone, 60);

    vn_corridor_destroy(corridor);
    vn_query_destroy(query);
    vn_query_destroy(next);
    vn_space_destroy(before);
    vn_space_destroy(after);
    vn_world_destroy(world);
    return repair.kind == VN_REPAIR_REPAIRED && drone.state == VN_FOLLOW_ARRIVED ? 0 : 1;
}
