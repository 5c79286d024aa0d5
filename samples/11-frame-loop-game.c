/// 11-frame-loop-game: 30 boxes move, 10 agents follow paths, watch them two seconds ahead, and search again
/// when they are blocked. A minute at 60 Hz (or the seconds given), in lockstep: the same numbers every time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <volnav/volnav.h>

enum { BOXES = 30, AGENTS = 10, HZ = 60, MAX_POINTS = 64 };
static const double speed = 5, box_speed = 3, half_box = 1.5, radius = 0.5; // metres, and per second

typedef struct agent {
    vn_dvec3 at, goal, points[MAX_POINTS]; ///< its position, and its path
    uint32_t count, next;                  ///< of the points; it flies to `next`
    double flown;                          ///< metres along the path
    vn_request_id request;                 ///< without a result yet; 0: none
    vn_watch_id watch;                     ///< of its path; 0: it has none
} agent;

typedef struct game {
    vn_nav* nav;
    const vn_space* space; ///< the first version, pinned: to draw random goals
    double horizon;        ///< seconds; 0: whole paths
    vn_obstacle_id boxes[BOXES];
    vn_dvec3 ends[BOXES][2], boxes_at[BOXES]; ///< boxes go back and forth between two ends
    agent agents[AGENTS];
    uint64_t random;
    int paths, blocked, freed, inside;
} game;

/// A sample stops at the first failure.
static void check(vn_status status, const char* what) {
    if (status != VN_OK) {
        printf("%s: %s\n", what, vn_status_text(status));
        exit(1);
    }
}

static vn_dvec3 between(vn_dvec3 a, vn_dvec3 b, double t) {
    return (vn_dvec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static double distance(vn_dvec3 a, vn_dvec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static vn_transform box_at(vn_dvec3 at) {
    vn_transform transform = vn_transform_identity();
    transform.position = (vn_vec3){(float)at.x, (float)at.y, (float)at.z};
    return transform;
}

static void move_boxes(game* g, int frame) {
    for (int i = 0; i < BOXES; ++i) {
        const double turns = box_speed * frame / HZ / distance(g->ends[i][0], g->ends[i][1]);
        const double part = turns - floor(turns);
        const vn_dvec3 at = between(g->ends[i][0], g->ends[i][1], (int)turns % 2 == 0 ? part : 1 - part);
        const vn_transform transform = box_at(at);
        g->boxes_at[i] = at;
        check(vn_nav_move(g->nav, g->boxes[i], &transform, NULL), "move");
    }
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

static void take_events(game* g) {
    for (vn_nav_event event; vn_nav_next_event(g->nav, &event);) {
        g->freed += event.kind == VN_EVENT_PATH_FREE; // nothing to do: a new path is on its way
        g->blocked += event.kind == VN_EVENT_PATH_BLOCKED;
        if (event.kind == VN_EVENT_PATH_BLOCKED)
            request_path(g, &g->agents[event.user]);
    }
}

static void drop_path(game* g, agent* a) {
    if (a->watch != 0)
        check(vn_nav_unwatch(g->nav, a->watch), "unwatch");
    a->watch = a->count = a->next = 0;
    a->flown = 0;
}

/// A result is the path to follow, and to watch. An agent without a path waits, and asks again.
static void take_result(game* g, const vn_nav_result* result) {
    agent* a = &g->agents[result->user];
    vn_watch_def def = vn_default_watch_def();
    def.horizon_seconds = g->horizon;
    def.speed = speed;
    def.user = result->user;
    drop_path(g, a);
    a->request = 0;
    if (result->result.status == VN_OK) {
        check(vn_nav_watch(g->nav, result, &def, &a->watch, NULL), "watch");
        check(vn_nav_get_positions(g->nav, result, a->points, MAX_POINTS, &a->count), "path");
        ++g->paths;
    }
    vn_nav_release_result(g->nav, result->id);
}

/// Along the path; the watch is told how far. On arrival there is a new goal.
static void fly(game* g, agent* a) {
    for (double left = speed / HZ; left > 0 && a->next < a->count;) {
        const double leg = distance(a->at, a->points[a->next]), step = leg < left ? leg : left;
        a->at = leg > left ? between(a->at, a->points[a->next], left / leg) : a->points[a->next];
        a->flown += a->next > 0 ? step : 0; // the leg to a snapped start is not part of the path
        a->next += leg <= left;
        left -= leg;
    }

    if (a->watch != 0)
        check(vn_nav_watch_advance_to(g->nav, a->watch, a->flown), "progress");
    if (a->watch != 0 && a->next == a->count) {
        drop_path(g, a);
        check(vn_space_random_position(g->space, &g->random, &a->goal), "goal");
    }

    for (const vn_dvec3* b = g->boxes_at; b < g->boxes_at + BOXES; ++b)
        g->inside += fabs(a->at.x - b->x) < half_box && fabs(a->at.y - b->y) < half_box &&
                     fabs(a->at.z - b->z) < half_box;
}

/// A hall of 60 x 12 x 60 metres; the boxes are scattered by multiples of primes.
static void start(game* g) {
    const float h = (float)half_box;
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-h, -h, -h}, {h, h, h}}};
    const vn_world_def world_def = vn_default_world_def();
    vn_nav_def def = vn_default_nav_def();
    vn_world* world;
    uint64_t version;
    def.mode = VN_NAV_LOCKSTEP; // a game would use VN_NAV_REALTIME, and workers
    def.space.resolution = 0.5f;
    def.space.has_bounds = true;
    def.space.bounds.max = (vn_vec3){60, 12, 60};
    def.layers[0].radius = (float)radius;
    check(vn_world_create(&world_def, &world), "world");
    for (int i = 0; i < BOXES; ++i) {
        g->ends[i][0] = (vn_dvec3){2 + i * 17 % 57, 2 + i * 5 % 9, 2 + i * 29 % 57};
        g->ends[i][1] = (vn_dvec3){2 + (i * 43 + 30) % 56, 2 + i * 7 % 8, 2 + i * 31 % 53};
        const vn_transform transform = box_at(g->ends[i][0]);
        check(vn_world_add_moving(world, &box, &transform, &g->boxes[i], NULL), "box");
    }

    check(vn_nav_create(world, &def, &g->nav, NULL), "nav");
    g->space = vn_nav_pin(g->nav, radius, 0, &version);
    for (agent* a = g->agents; a < g->agents + AGENTS; ++a) {
        check(vn_space_random_position(g->space, &g->random, &a->goal), "start");
        a->at = a->goal; // there already: the next goal is a random one
    }
}

static int play(double horizon, int seconds) {
    game g = {.horizon = horizon, .random = 1};
    start(&g);
    for (int frame = 0; frame < seconds * HZ; ++frame) {
        move_boxes(&g, frame);
        for (agent* a = g.agents; a < g.agents + AGENTS; ++a)
            if (a->watch == 0)
                request_path(&g, a);

        check(vn_nav_tick(g.nav, NULL), "tick");
        take_events(&g);
        for (vn_nav_result result; vn_nav_next_result(g.nav, &result);)
            take_result(&g, &result);
        for (agent* a = g.agents; a < g.agents + AGENTS; ++a)
            fly(&g, a);
    }

    printf("%s: %d paths, %d times blocked, %d times free again; %d of %d agent-frames inside a box\n",
           horizon > 0 ? "2 s ahead " : "whole path", g.paths, g.blocked, g.freed, g.inside,
           seconds * HZ * AGENTS);
    vn_nav_destroy(g.nav);
    return g.blocked;
}

int main(int argc, char** argv) {
    const int seconds = argc > 1 ? atoi(argv[1]) : 60;
    const int ahead = play(2, seconds), whole = play(0, seconds);
    return ahead <= whole ? 0 : 1;
}
