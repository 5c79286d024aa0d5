/// 11-frame-loop-game: 30 boxes move, 10 agents follow paths, watch them two seconds ahead, and search again
/// when they are blocked. A minute at 60 Hz, in lockstep: the numbers are the same every time. The argument
/// is another number of seconds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <volnav/volnav.h>

enum { BOXES = 30, AGENTS = 10, HZ = 60, MAX_POINTS = 64 };

static const float speed = 5, half_box = 1.5f, radius = 0.5f; // metres (per second)

typedef struct agent {
    vn_vec3 at;
    vn_point goal;
    vn_vec3 points[MAX_POINTS]; ///< its path
    uint32_t count, next;       ///< the point it flies to; next == count: it has no path
    vn_request_id request;      ///< submitted, without a result yet; 0: none
    vn_watch_id watch;          ///< of its path; 0: none
} agent;

typedef struct game {
    vn_nav* nav;
    const vn_space* space; ///< the first version, pinned: for coordinates, which never change
    double horizon;        ///< seconds; 0: whole paths
    vn_obstacle_id boxes[BOXES];
    vn_vec3 ends[BOXES][2], boxes_at[BOXES]; ///< boxes go back and forth between two ends
    agent agents[AGENTS];
    uint64_t random;
    int paths, blocked, freed, inside;
} game;

/// A sample stops at the first failure.
static void check(vn_status status, const char* what) {
    if (status == VN_OK)
        return;
    printf("%s: %s\n", what, vn_status_text(status));
    exit(1);
}

static vn_point to_point(const game* g, vn_vec3 at) {
    vn_point point;
    check(vn_space_point_from_local(g->space, at, &point), "position");
    return point;
}

static vn_vec3 to_position(const game* g, vn_point point) {
    const vn_dvec3 at = vn_space_point_to_world(g->space, point);
    return (vn_vec3){(float)at.x, (float)at.y, (float)at.z};
}

static vn_point random_point(game* g) {
    vn_point point;
    check(vn_space_random_point(g->space, &g->random, &point), "random point");
    return point;
}

static vn_vec3 between(vn_vec3 a, vn_vec3 b, float t) {
    return (vn_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static float distance(vn_vec3 a, vn_vec3 b) {
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

// ------------------------------------------------------------------------------------- the phases of a frame

static void move_boxes(game* g, int frame) {
    for (int i = 0; i < BOXES; ++i) {
        const vn_vec3 a = g->ends[i][0], b = g->ends[i][1];
        const float turns = 3.0f * (float)frame / HZ / distance(a, b),
                    part = turns - (float)(int)turns; // 3 m/s
        vn_transform transform = vn_transform_identity();
        transform.position = g->boxes_at[i] = between(a, b, (int)turns % 2 == 0 ? part : 1 - part);
        check(vn_nav_move(g->nav, g->boxes[i], &transform, NULL), "move");
    }
}

/// From where the agent is. It follows its old path, if any, until the new one is found.
static void request_path(game* g, agent* a) {
    vn_nav_request request = vn_default_nav_request();
    request.path.start = to_point(g, a->at);
    request.path.goal = a->goal;
    request.path.snap_distance = 8; // a box may cover the goal
    request.user = (uint64_t)(a - g->agents);
    if (a->request == 0)
        check(vn_nav_submit(g->nav, &request, &a->request, NULL), "submit");
}

static void take_events(game* g) {
    vn_nav_event event;
    while (vn_nav_next_event(g->nav, &event)) {
        g->blocked += event.kind == VN_EVENT_PATH_BLOCKED;
        g->freed += event.kind == VN_EVENT_PATH_FREE; // nothing to do: a new path is on its way
        if (event.kind == VN_EVENT_PATH_BLOCKED)
            request_path(g, &g->agents[event.user]);
    }
}

static void drop_path(game* g, agent* a) {
    if (a->watch != 0)
        check(vn_nav_unwatch(g->nav, a->watch), "unwatch");
    a->watch = a->count = a->next = 0;
}

/// A result is the path to follow, and to watch. An agent without a path waits, and asks again.
static void take_results(game* g) {
    vn_nav_result result;
    while (vn_nav_next_result(g->nav, &result)) {
        agent* a = &g->agents[result.user];
        vn_watch_def def = vn_default_watch_def();
        def.horizon_seconds = g->horizon;
        def.speed = (double)speed;
        def.user = result.user;
        drop_path(g, a);
        a->request = 0;
        if (result.result.status == VN_OK) {
            check(vn_nav_watch(g->nav, &result, &def, &a->watch, NULL), "watch");
            for (; a->count < result.point_count && a->count < MAX_POINTS; ++a->count)
                a->points[a->count] = to_position(g, result.points[a->count]);
            ++g->paths;
        }

        vn_nav_release_result(g->nav, result.id);
    }
}

/// Along the path; the watch is told how far.
static void fly(game* g, agent* a) {
    for (float left = speed / HZ; left > 0 && a->next < a->count;) {
        const float way = distance(a->at, a->points[a->next]);
        a->at = way > left ? between(a->at, a->points[a->next], left / way) : a->points[a->next];
        a->next += way <= left;
        left -= way;
    }

    if (a->watch != 0)
        check(vn_nav_watch_advance_near(g->nav, a->watch, to_point(g, a->at)), "progress");

    if (a->next == a->count && a->watch != 0) { // arrived
        drop_path(g, a);
        a->goal = random_point(g);
    }

    for (int i = 0; i < BOXES; ++i) {
        const vn_vec3 b = g->boxes_at[i];
        g->inside += fabsf(a->at.x - b.x) < half_box && fabsf(a->at.y - b.y) < half_box &&
                     fabsf(a->at.z - b.z) < half_box;
    }
}

static void play_frame(game* g, int frame) {
    move_boxes(g, frame);
    for (agent* a = g->agents; a < g->agents + AGENTS; ++a)
        if (a->watch == 0)
            request_path(g, a);

    check(vn_nav_tick(g->nav, NULL), "tick");
    take_events(g);
    take_results(g);
    for (agent* a = g->agents; a < g->agents + AGENTS; ++a)
        fly(g, a);
}

/// A room of 60 x 12 x 60 metres, the boxes in it, and the agents where there is no box.
static void start(game* g) {
    const vn_shape box = {.kind = VN_SHAPE_BOX,
                          .as.box = {{-half_box, -half_box, -half_box}, {half_box, half_box, half_box}}};
    const vn_world_def world_def = vn_default_world_def();
    const vn_transform identity = vn_transform_identity();
    vn_nav_def def = vn_default_nav_def();
    vn_world* world;
    uint64_t version;
    def.mode = VN_NAV_LOCKSTEP; // a game would use VN_NAV_REALTIME, and workers
    def.space.resolution = 0.5f;
    def.space.has_bounds = true;
    def.space.bounds.max = (vn_vec3){60, 12, 60};
    def.layers[0].radius = radius;
    check(vn_world_create(&world_def, &world), "world");
    check(vn_nav_create(world, &def, &g->nav, NULL), "nav");

    g->space = vn_nav_pin(g->nav, 0, 0, &version);
    for (int i = 0; i < BOXES; ++i) {
        g->ends[i][0] = to_position(g, random_point(g));
        g->ends[i][1] = to_position(g, random_point(g));
        check(vn_nav_add_moving(g->nav, &box, &identity, 0, &g->boxes[i], NULL), "box");
    }

    move_boxes(g, 0);
    for (uint32_t i = 0; i <= def.latency; ++i) // until there is a version with the boxes
        check(vn_nav_tick(g->nav, NULL), "tick");

    check(vn_nav_unpin(g->nav, version), "unpin");
    g->space = vn_nav_pin(g->nav, 0, 0, &version);
    for (agent* a = g->agents; a < g->agents + AGENTS; ++a) {
        a->at = to_position(g, random_point(g));
        a->goal = random_point(g);
    }
}

static int play(double horizon, int seconds) {
    game g = {.horizon = horizon, .random = 1};
    start(&g);
    for (int frame = 0; frame < seconds * HZ; ++frame)
        play_frame(&g, frame);

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
