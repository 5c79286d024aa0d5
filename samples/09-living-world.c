/// 09-dynamic-world: a frame loop in which obstacles move and agents keep asking; nothing waits for anything.
///
/// The phases of a frame: tell the nav what has changed, ask, tick; then take what has come: events first,
/// because a path that is blocked leads to a new question, then answers.
#include "hall.h"

enum { FRAMES = 240, DRONES = 3 };

/// Somebody who flies from one end of the halls to the other, over and over.
typedef struct drone {
    vn_point from, to;
    vn_request_id ticket; ///< of the question under way; 0: none
    vn_watch_id watch;    ///< of the path that it follows; 0: none
    int asked, found, blocked;
} drone;

/// Phase 1: the game has moved things; the nav learns where they are now.
static vn_status move_things(vn_nav* nav, vn_obstacle_id crate, vn_obstacle_id door, int frame) {
    vn_transform place = vn_transform_identity();
    int swing = frame % 80 < 40 ? frame % 40 : 40 - frame % 40;
    place.position = (vn_vec3){8, 2, 2.0f + 0.3f * (float)swing}; // to and fro
    vn_status status = vn_nav_move(nav, crate, &place, NULL);
    place.position = (vn_vec3){16, 0, frame / 60 % 2 ? 7.0f : -20.0f}; // the leaf closes the door, or is away
    return status == VN_OK ? vn_nav_move(nav, door, &place, NULL) : status;
}

/// Phase 2: whoever has no path asks for one.
static vn_status ask(vn_nav* nav, drone* d, uint64_t number) {
    vn_nav_request request = vn_default_nav_request();
    if (d->ticket || d->watch)
        return VN_OK;

    request.path.start = d->from;
    request.path.goal = d->to;
    request.path.snap_distance = 4;
    request.user = number;
    ++d->asked;

    return vn_nav_submit(nav, &request, &d->ticket, NULL);
}

/// Phase 4: paths that have just been blocked are given up.
static void take_events(vn_nav* nav, drone* drones) {
    vn_nav_event event;
    while (vn_nav_next_event(nav, &event))
        for (int i = 0; i < DRONES && event.kind == VN_EVENT_PATH_BLOCKED; ++i)
            if (drones[i].watch == event.watch) {
                drones[i].watch = 0;
                ++drones[i].blocked;
            }
}

/// Phase 5: answers become paths to follow. They are watched from now on.
static void take_answers(vn_nav* nav, drone* drones) {
    vn_nav_result answer;
    while (vn_nav_next_result(nav, &answer)) {
        drone* d = &drones[answer.user];
        d->ticket = 0;
        if (answer.result.status == VN_OK &&
            vn_nav_watch(nav, answer.points, answer.point_count, 0, 0, &d->watch) == VN_OK)
            ++d->found;
        vn_nav_release_result(nav, answer.id); // a game copies the points first
    }
}

/// Phase 6: drones fly; one that has arrived turns back.
static void fly(vn_nav* nav, drone* d, int frame) {
    if (!d->watch || frame % 50 != 49)
        return;
    vn_nav_unwatch(nav, d->watch);
    d->watch = 0;
    vn_point swap = d->from;
    d->from = d->to;
    d->to = swap;
}

static vn_status run(vn_nav* nav, vn_obstacle_id crate, vn_obstacle_id door, drone* drones) {
    vn_status status = VN_OK;
    for (int frame = 0; frame < FRAMES && status == VN_OK; ++frame) {
        status = move_things(nav, crate, door, frame);
        for (int i = 0; i < DRONES && status == VN_OK; ++i)
            status = ask(nav, &drones[i], (uint64_t)i);

        if (status == VN_OK)
            status = vn_nav_tick(nav, NULL); // phase 3: starts updates and searches, and takes what is done

        take_events(nav, drones);
        take_answers(nav, drones);
        for (int i = 0; i < DRONES; ++i)
            fly(nav, &drones[i], frame);
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
    def.space.unknown = VN_UNKNOWN_BLOCKED; // a space that changes cannot refuse
    def.mode = VN_NAV_LOCKSTEP;             // the same figures every time; a game takes VN_NAV_REALTIME
    def.latency = 2;
    def.workers = 2;

    vn_status status = hall_world(false, &world);
    if (status == VN_OK)
        status = vn_world_add_moving(world, &box, &home, &crate, NULL);
    if (status == VN_OK)
        status = vn_world_add_moving(world, &leaf, &home, &door, NULL);
    if (status == VN_OK)
        status = vn_nav_create(world, &def, &nav, NULL);

    if (status == VN_UNSUPPORTED) { // a build without threads: the ticks do the work, with the same result
        def.workers = 0;
        status = vn_nav_create(world, &def, &nav, NULL);
    }

    if (status != VN_OK) {
        printf("no nav: %s\n", vn_status_text(status));
        vn_world_destroy(world);
        return 1;
    }

    uint64_t version;
    const vn_space* space = vn_nav_pin(nav, 0, 0, &version); // for its coordinates
    drone drones[DRONES] = {{hall_point(space, 4, 2, 4), hall_point(space, 30, 2, 4), 0, 0, 0, 0, 0},
                            {hall_point(space, 8, 1, 12), hall_point(space, 20, 6, 3), 0, 0, 0, 0, 0},
                            {hall_point(space, 2, 6, 8), hall_point(space, 26, 2, 8), 0, 0, 0, 0, 0}};
    vn_nav_unpin(nav, version);
    status = run(nav, crate, door, drones);
    vn_nav_stats stats;
    vn_nav_get_stats(nav, &stats);
    printf("%d frames, %llu updates, version %llu\n", FRAMES, (unsigned long long)stats.updates,
           (unsigned long long)stats.version);

    for (int i = 0; i < DRONES; ++i)
        printf("drone %d: %d questions, %d paths, %d blocked under way\n", i, drones[i].asked,
               drones[i].found, drones[i].blocked);

    vn_nav_destroy(nav); // and the world, and what is still under way
    return status == VN_OK && drones[0].found > 0 && drones[0].blocked > 0 ? 0 : 1;
}
