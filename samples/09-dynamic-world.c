/// 09-dynamic-world: a frame loop with moving obstacles and agents that request paths; no frame waits.
///
/// The phases of a frame: report changes, submit requests, tick; then collect events, because a blocked path
/// leads to a new request, and results.
#include "hall.h"

enum { FRAMES = 240, DRONES = 3 };

/// An agent that flies back and forth between two points.
typedef struct drone {
    vn_dvec3 from, to;     ///< world metres
    vn_request_id request; ///< submitted, without a result yet; 0: none
    vn_watch_id watch;     ///< of the path that it follows; 0: none
    int requests, found, blocked;
} drone;

/// Phase 1: the game has moved obstacles; report their transforms to the nav.
static vn_status move_obstacles(vn_nav* nav, vn_obstacle_id crate, vn_obstacle_id door, int frame) {
    int swing = frame % 80 < 40 ? frame % 40 : 40 - frame % 40;
    vn_transform crate_at = vn_transform_at(8, 2, 2 + 0.3 * swing); // back and forth
    vn_transform door_at =
        vn_transform_at(16, 0, frame / 60 % 2 ? 7 : -20); // closes the door, or is far away
    vn_status status = vn_nav_move(nav, crate, &crate_at, NULL);
    return status == VN_OK ? vn_nav_move(nav, door, &door_at, NULL) : status;
}

/// Phase 2: a drone without a path requests one.
static vn_status request_path(vn_nav* nav, drone* d, uint64_t number) {
    vn_nav_request request = vn_default_nav_request();
    if (d->request != 0 || d->watch != 0)
        return VN_OK;

    request.path.use_positions = true;
    request.path.start_position = d->from;
    request.path.goal_position = d->to;
    request.path.snap_distance = 4;
    request.user = number;
    ++d->requests;

    return vn_nav_submit(nav, &request, &d->request, NULL);
}

/// Phase 4: blocked paths are dropped.
static void take_events(vn_nav* nav, drone* drones) {
    vn_nav_event event;
    while (vn_nav_next_event(nav, &event))
        if (event.kind == VN_EVENT_PATH_BLOCKED) {
            drones[event.user].watch = 0;
            ++drones[event.user].blocked;
        }
}

/// Phase 5: a result becomes the path to follow, and is watched from now on.
static void take_results(vn_nav* nav, drone* drones) {
    vn_nav_result result;
    while (vn_nav_next_result(nav, &result)) {
        drone* d = &drones[result.user];
        vn_watch_def def = vn_default_watch_def();
        def.user = result.user;
        def.once = true; // watching ends when the path is blocked; 11-frame-loop-game has a horizon instead
        d->request = 0;
        if (result.result.status == VN_OK && vn_nav_watch(nav, &result, &def, &d->watch, NULL) == VN_OK)
            ++d->found;
        vn_nav_release_result(nav, result.id); // a game would copy the points first
    }
}

/// Phase 6: drones fly; on arrival they turn back.
static vn_status fly(vn_nav* nav, drone* d, int frame) {
    if (d->watch == 0 || frame % 50 != 49)
        return VN_OK;

    vn_status status = vn_nav_unwatch(nav, d->watch);
    d->watch = 0;
    vn_dvec3 swap = d->from;
    d->from = d->to;
    d->to = swap;
    return status;
}

static vn_status run(vn_nav* nav, vn_obstacle_id crate, vn_obstacle_id door, drone* drones) {
    vn_status status = VN_OK;
    for (int frame = 0; frame < FRAMES && status == VN_OK; ++frame) {
        status = move_obstacles(nav, crate, door, frame);
        for (int i = 0; i < DRONES && status == VN_OK; ++i)
            status = request_path(nav, &drones[i], (uint64_t)i);

        if (status == VN_OK)
            status = vn_nav_tick(nav, NULL); // phase 3: starts updates and searches, collects results

        take_events(nav, drones);
        take_results(nav, drones);
        for (int i = 0; i < DRONES && status == VN_OK; ++i)
            status = fly(nav, &drones[i], frame);
    }

    return status;
}

int main(void) {
    vn_world* world = NULL;
    vn_nav* nav = NULL;
    vn_obstacle_id crate = {0, 0}, door = {0, 0};
    const vn_transform home = vn_transform_identity();
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-1, -2, -1}, {1, 2, 1}}};
    const vn_shape leaf = {.kind = VN_SHAPE_BOX, .as.box = {{0, 0, 0}, {1, 3, 2}}};
    vn_nav_def def = vn_default_nav_def();
    def.space = hall_space_def();
    def.space.unknown = VN_UNKNOWN_BLOCKED;
    def.mode = VN_NAV_LOCKSTEP; // the same output every time; a game would use VN_NAV_REALTIME
    def.latency = 2;
    def.workers = 2;

    vn_status status = hall_world(false, &world);
    if (status == VN_OK)
        status = vn_world_add_moving(world, &box, &home, &crate, NULL);
    if (status == VN_OK)
        status = vn_world_add_moving(world, &leaf, &home, &door, NULL);
    if (status == VN_OK)
        status = vn_nav_create(world, &def, &nav, NULL);

    if (status == VN_UNSUPPORTED) { // a build without threads: ticks do the work, with the same results
        def.workers = 0;
        status = vn_nav_create(world, &def, &nav, NULL);
    }

    if (status != VN_OK) {
        printf("no nav: %s\n", vn_status_text(status));
        vn_world_destroy(world);
        return 1;
    }

    drone drones[DRONES] = {{{4, 2, 4}, {30, 2, 4}, 0, 0, 0, 0, 0},
                            {{8, 1, 12}, {20, 6, 3}, 0, 0, 0, 0, 0},
                            {{2, 6, 8}, {26, 2, 8}, 0, 0, 0, 0, 0}};
    status = run(nav, crate, door, drones);
    vn_nav_stats stats;
    vn_nav_get_stats(nav, &stats);
    printf("%d frames, %llu updates, version %llu\n", FRAMES, (unsigned long long)stats.updates,
           (unsigned long long)stats.version);

    for (int i = 0; i < DRONES; ++i)
        printf("drone %d: %d requests, %d paths, %d of them blocked later\n", i, drones[i].requests,
               drones[i].found, drones[i].blocked);

    vn_nav_destroy(nav); // also the world and unfinished requests
    return status == VN_OK && drones[0].found > 0 && drones[0].blocked > 0 ? 0 : 1;
}
