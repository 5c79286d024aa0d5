/// 11-frame-loop-game: 30 boxes move, 10 agents follow paths, watch them two seconds ahead, and search again
/// when they are blocked. A minute at 60 Hz (or the seconds given), in lockstep: the same numbers every time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <volnav/volnav.h>

enum { BOXES = 30, AGENTS = 10, HZ = 60, MAX_POINTS = 64 };
static const float speed = 5, box_speed = 3, half_box = 1.5f, radius = 0.5f; // metres, and per second

typedef struct agent {
    vn_vec3 at, points[MAX_POINTS]; ///< its position and its path
    uint32_t count, next;           ///< of the points; it flies to `next`
    vn_point goal;
    vn_request_id request; ///< without a result yet; 0: none
    vn_watch_id watch;     ///< of its path; 0: it has none
} agent;

typedef struct game {
    vn_nav* nav;
    const vn_space* space; ///< the first version, pinned: for coordinates, which never change
    double horizon;        ///< seconds; 0: whole paths
    vn_obstacle_id boxes[BOXES];
    vn_vec3 ends[BOXES][2], boxes_at[BOXES]; ///< boxes go back and forth between two ends
    agent agents[AGENTS];
    uint64_t random;
    int paths, blocked, freed, inside, leaving;
} game;

/// A sample stops at the first failure.
static void check(vn_status status, const char* what) {
    if (status != VN_OK) {
        printf("%s: %s\n", what, vn_status_text(status));
        exit(1);
    }
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

static vn_vec3 between(vn_vec3 a, vn_vec3 b, float t) {
    return (vn_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static float distance(vn_vec3 a, vn_vec3 b) {
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void move_boxes(game* g, int frame) {
    for (int i = 0; i < BOXES; ++i) {
        const float turns = box_speed * (float)frame / HZ / distance(g->ends[i][0], g->ends[i][1]);
        const float part = turns - (float)(int)turns;
        vn_transform transform = vn_transform_identity();
        g->boxes_at[i] = between(g->ends[i][0], g->ends[i][1], (int)turns % 2 == 0 ? part : 1 - part);
        transform.position = g->boxes_at[i];
        check(vn_nav_move(g->nav, g->boxes[i], &transform, NULL), "move");
    }
}

/// From where the agent is. It follows its old path, if any, until the new one is found.
static void request_path(game* g, agent* a) {
    vn_nav_request request = vn_default_nav_request();
    request.path.start = to_point(g, a->at);
    request.path.goal = a->goal;
    request.path.snap_distance = 8; // a box may cover an end
    request.user = (uint64_t)(a - g->agents);
    if (a->request == 0)
        check(vn_nav_submit(g->nav, &request, &a->request, NULL), "submit");
}

static void take_events(game* g) {
    vn_nav_event event;
    while (vn_nav_next_event(g->nav, &event)) {
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
}

/// A result is the path to follow, and to watch. An agent without a path waits, and asks again.
static void take_results(game* g) {
    for (vn_nav_result result; vn_nav_next_result(g->nav, &result);
         vn_nav_release_result(g->nav, result.id)) {
        agent* a = &g->agents[result.user];
        vn_watch_def def = vn_default_watch_def();
        def.horizon_seconds = g->horizon;
        def.speed = (double)speed;
        def.user = result.user;
        drop_path(g, a);
        a->request = 0;
        if (result.result.status != VN_OK)
            continue;
        check(vn_nav_watch(g->nav, &result, &def, &a->watch, NULL), "watch");
        for (; a->count < result.point_count && a->count < MAX_POINTS; ++a->count)
            a->points[a->count] = to_position(g, result.points[a->count]);
        ++g->paths;
    }
}

/// Along the path; the watch is told how far. On arrival there is a new goal.
static void fly(game* g, agent* a) {
    for (float left = speed / HZ; left > 0 && a->next < a->count;) {
        const float way = distance(a->at, a->points[a->next]);
        a->at = way > left ? between(a->at, a->points[a->next], left / way) : a->points[a->next];
        a->next += way <= left;
        left -= way;
    }

    if (a->watch != 0)
        check(vn_nav_watch_advance_near(g->nav, a->watch, to_point(g, a->at)), "progress");
    if (a->watch != 0 && a->next == a->count) {
        drop_path(g, a);
        check(vn_space_random_point(g->space, &g->random, &a->goal), "goal");
    }
}

/// Boxes know nothing of agents, and run into them. An agent that a box covers gets a path that begins beside
/// the box (snap_distance): until it is there, it is `leaving`.
static void count_inside(game* g, const agent* a) {
    for (const vn_vec3* b = g->boxes_at; b < g->boxes_at + BOXES; ++b)
        if (fabsf(a->at.x - b->x) < half_box && fabsf(a->at.y - b->y) < half_box &&
            fabsf(a->at.z - b->z) < half_box) {
            ++g->inside;
            g->leaving += a->next == 0;
        }
}

/// A room of 60 x 12 x 60 metres.
static void start(game* g) {
    const vn_vec3 low = {-half_box, -half_box, -half_box}, high = {half_box, half_box, half_box};
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {low, high}};
    const vn_world_def world_def = vn_default_world_def();
    vn_transform transform = vn_transform_identity();
    vn_nav_def def = vn_default_nav_def();
    vn_world* world;
    uint64_t version;
    def.mode = VN_NAV_LOCKSTEP; // a game would use VN_NAV_REALTIME, and workers
    def.space.resolution = 0.5f;
    def.space.has_bounds = true;
    def.space.bounds.max = (vn_vec3){60, 12, 60};
    def.layers[0].radius = radius;
    check(vn_world_create(&world_def, &world), "world");
    for (int i = 0; i < BOXES; ++i) { // scattered by multiples of primes
        g->ends[i][0] =
            (vn_vec3){2.0f + (float)(i * 17 % 57), 2.0f + (float)(i * 5 % 9), 2.0f + (float)(i * 29 % 57)};
        g->ends[i][1] = (vn_vec3){2.0f + (float)((i * 43 + 30) % 56), 2.0f + (float)(i * 7 % 8),
                                  2.0f + (float)(i * 31 % 53)};
        transform.position = g->ends[i][0];
        check(vn_world_add_moving(world, &box, &transform, &g->boxes[i], NULL), "box");
    }

    check(vn_nav_create(world, &def, &g->nav, NULL), "nav");
    g->space = vn_nav_pin(g->nav, (double)radius, 0, &version);
    for (agent* a = g->agents; a < g->agents + AGENTS; ++a) {
        check(vn_space_random_point(g->space, &g->random, &a->goal), "start");
        a->at = to_position(g, a->goal); // there already: the next goal is a random one
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
        take_results(&g);
        for (agent* a = g.agents; a < g.agents + AGENTS; ++a) {
            fly(&g, a);
            count_inside(&g, a);
        }
    }

    printf(
        "%s: %d paths, %d times blocked, %d times free again; %d of %d agent-frames inside a box, %d of them "
        "leaving it\n",
        horizon > 0 ? "2 s ahead " : "whole path", g.paths, g.blocked, g.freed, g.inside,
        seconds * HZ * AGENTS, g.leaving);
    vn_nav_destroy(g.nav);
    return g.blocked;
}

int main(int argc, char** argv) {
    const int seconds = argc > 1 ? atoi(argv[1]) : 60;
    const int ahead = play(2, seconds), whole = play(0, seconds);
    return ahead <= whole ? 0 : 1;
}
