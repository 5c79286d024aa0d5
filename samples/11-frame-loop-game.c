/// 11-frame-loop-game: 30 boxes move, 10 agents follow paths, watch them two seconds ahead, and search again
/// when they are blocked. A minute at 60 Hz (or the seconds given), in lockstep: the same numbers every time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <volnav/volnav.h>

enum { BOXES = 30, AGENTS = 10, HZ = 60, MAX_POINTS = 64 };
static const double speed = 5, box_speed = 3, radius = 0.5; // metres, and per second

typedef struct agent {
    vn_dvec3 at, goal;
    vn_dvec3 points[MAX_POINTS]; ///< from where it was when its path was found, to the path and along it
    uint32_t count;
    double leg, length, flown; ///< metres: before the path begins; in all; of that, behind the agent
    vn_request_id request;     ///< without a result yet; 0: none
    vn_watch_id watch;         ///< of its path; 0: it has none
} agent;

typedef struct game {
    vn_nav* nav;
    const vn_space* space; ///< the first version, pinned: to draw random goals
    double horizon;        ///< seconds that agents look ahead; 0: to the end of the path
    uint64_t random;
    vn_obstacle_id boxes[BOXES];
    agent agents[AGENTS];
    int paths, blocked;
} game;

/// A sample stops at the first failure.
static void check(vn_status status, const char* what) {
    if (status != VN_OK) {
        printf("%s: %s\n", what, vn_status_text(status));
        exit(1);
    }
}

/// Boxes go back and forth between two places, which are scattered by multiples of primes.
static vn_transform box_at(int i, int frame) {
    const vn_dvec3 from = {2 + i * 17 % 57, 2 + i * 5 % 9, 2 + i * 29 % 57},
                   to = {2 + (i * 43 + 30) % 56, 2 + i * 7 % 8, 2 + i * 31 % 53}, loop[] = {from, to, from};
    const double metres = fmod(box_speed * frame / HZ, vn_positions_length(loop, 3));
    const vn_dvec3 at = vn_positions_along(loop, 3, metres);
    return vn_transform_at(at.x, at.y, at.z);
}

/// From where the agent is. It follows its old path, if any, until the new one is found.
static void request_path(game* g, agent* a) {
    vn_nav_request request = vn_default_nav_request();
    request.path.use_positions = true;
    request.path.start_position = a->at;
    request.path.goal_position = a->goal;
    request.path.snap_distance = 8; // a box may cover an end
    request.user = (uint64_t)(a - g->agents);
    if (a->request == 0)
        check(vn_nav_submit(g->nav, &request, &a->request, NULL), "submit");
}

/// A result is the path to follow from now on, and to watch.
static void take_result(game* g, const vn_nav_result* result) {
    agent* a = &g->agents[result->user];
    vn_watch_def def = vn_default_watch_def();
    def.horizon_seconds = g->horizon;
    def.speed = speed;
    def.user = result->user;
    if (a->watch != 0)
        check(vn_nav_unwatch(g->nav, a->watch), "unwatch");

    *a = (agent){.at = a->at, .goal = a->goal, .points = {a->at}};
    if (result->result.status == VN_OK) {
        check(vn_nav_watch(g->nav, result, &def, &a->watch, NULL), "watch");
        check(vn_nav_get_positions(g->nav, result, a->points + 1, MAX_POINTS - 1, &a->count), "path");
        a->leg = vn_positions_length(a->points, 2); // the agent has moved on, or its start was snapped
        a->length = vn_positions_length(a->points, ++a->count);
        ++g->paths;
    }
    vn_nav_release_result(g->nav, result->id);
}

/// Along the path; the watch is told how far. On arrival, or without a path, there is a new goal.
static void fly(game* g, agent* a) {
    if (a->watch != 0) {
        a->flown += speed / HZ;
        a->at = vn_positions_along(a->points, a->count, a->flown);
        check(vn_nav_watch_advance_to(g->nav, a->watch, a->flown - a->leg), "progress");
    }

    if (a->flown >= a->length && a->request == 0) {
        check(vn_space_random_position(g->space, &g->random, &a->goal), "goal");
        request_path(g, a);
    }
}

/// A hall of 60 x 12 x 60 metres.
static void start(game* g) {
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-1.5f, -1.5f, -1.5f}, {1.5f, 1.5f, 1.5f}}};
    vn_nav_def def = vn_default_nav_def();
    uint64_t version;
    def.mode = VN_NAV_LOCKSTEP; // a game would use VN_NAV_REALTIME, and workers
    def.space.resolution = 0.5f;
    def.space.has_bounds = true;
    def.space.bounds.max = (vn_vec3){60, 12, 60};
    def.layers[0].radius = (float)radius;

    vn_world* world;
    const vn_world_def world_def = vn_default_world_def();
    check(vn_world_create(&world_def, &world), "world");
    for (int i = 0; i < BOXES; ++i) {
        const vn_transform at = box_at(i, 0);
        check(vn_world_add_moving(world, &box, &at, &g->boxes[i], NULL), "box");
    }

    check(vn_nav_create(world, &def, &g->nav, NULL), "nav");
    g->space = vn_nav_pin(g->nav, radius, 0, &version);
    for (agent* a = g->agents; a < g->agents + AGENTS; ++a)
        check(vn_space_random_position(g->space, &g->random, &a->at), "start");
}

static void play(game* g, int frame) {
    for (int i = 0; i < BOXES; ++i) {
        const vn_transform at = box_at(i, frame);
        check(vn_nav_move(g->nav, g->boxes[i], &at, NULL), "move");
    }

    check(vn_nav_tick(g->nav, NULL), "tick");
    for (vn_nav_event event; vn_nav_next_event(g->nav, &event);)
        if (event.kind == VN_EVENT_PATH_BLOCKED) {
            request_path(g, &g->agents[event.user]);
            ++g->blocked;
        }
    for (vn_nav_result result; vn_nav_next_result(g->nav, &result);)
        take_result(g, &result);
    for (agent* a = g->agents; a < g->agents + AGENTS; ++a)
        fly(g, a);
}

int main(int argc, char** argv) {
    const int seconds = argc > 1 ? atoi(argv[1]) : 60;
    game g = {.horizon = 2, .random = 1};
    start(&g);
    for (int frame = 0; frame < seconds * HZ; ++frame)
        play(&g, frame);

    printf("%d s: %d paths, blocked %d times ahead of their agents\n", seconds, g.paths, g.blocked);
    vn_nav_destroy(g.nav);
    return g.paths > 0 ? 0 : 1;
}
