/// 14-moving-scene: the test environment of Krafft 2019 for 300 frames. Sixteen obstacles and the goal move,
/// the agent waits; each frame asks for its path. How often does the path change, and how long is it?
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <volnav/sim.h>

enum { FRAMES = 300, MAX_POINTS = 64 };

static const double frame_seconds = 1.0 / 60;

/// A sample stops at the first failure.
static void check(vn_status status, const char* what) {
    if (status != VN_OK) {
        printf("%s: %s\n", what, vn_status_text(status));
        exit(1);
    }
}

typedef struct game {
    vn_moving_scene* scene;
    vn_moving_scene_info info;
    vn_staging* staging;
    vn_blinkers blinkers; ///< which of the appearing obstacles are there
    vn_nav* nav;
    vn_dvec3 path[MAX_POINTS];
    uint32_t count;
    int paths, changes, none;
    double length;
} game;

/// The walls and the obstacles of time 0 make the world that the nav takes.
static void start(game* g) {
    vn_moving_scene_def def = vn_default_moving_scene_def();
    vn_staging_def staging_def = vn_default_staging_def();
    vn_world_def world_def = vn_default_world_def();
    vn_nav_def nav_def = vn_default_nav_def();
    vn_world* world;
    vn_detail detail = {0};
    def.goal = VN_GOAL_MOTION_VERTICAL;
    check(vn_moving_scene_create(&def, &g->scene, &detail), detail.text);
    vn_moving_scene_get_info(g->scene, &g->info);
    staging_def.scene = g->scene;
    check(vn_staging_create(&staging_def, &g->staging), "staging");

    check(vn_moving_scene_get_timers(g->scene, 0, &g->blinkers), "timers");
    check(vn_world_create(&world_def, &world), "world");
    check(vn_moving_scene_build(g->scene, world, &detail), detail.text);
    check(vn_staging_to_world(g->staging, world, 0, &g->blinkers, &detail), detail.text);

    nav_def.mode = VN_NAV_LOCKSTEP; // the same figures every time
    nav_def.space.resolution = g->info.resolution;
    nav_def.space.has_bounds = true;
    nav_def.space.bounds = g->info.bounds;
    check(vn_nav_create(world, &nav_def, &g->nav, &detail), detail.text);
}

static vn_dvec3 position(vn_vec3 local) {
    return (vn_dvec3){(double)local.x, (double)local.y, (double)local.z};
}

static void ask(game* g, double seconds) {
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    vn_vec3 goal;
    check(vn_moving_scene_get_goal(g->scene, seconds, &goal, NULL), "goal");
    request.path.use_positions = true;
    request.path.start_position = position(g->info.start);
    request.path.goal_position = position(goal);
    check(vn_nav_submit(g->nav, &request, &id, NULL), "submit");
}

/// A path has changed if any but its last point has: the goal moves all the time.
static void take(game* g, const vn_nav_result* result) {
    vn_dvec3 path[MAX_POINTS];
    uint32_t count = 0;
    if (result->result.status == VN_OK) {
        check(vn_nav_get_positions(g->nav, result, path, MAX_POINTS, &count), "path");
        const bool same = count == g->count && memcmp(path, g->path, (count - 1) * sizeof *path) == 0;
        g->changes += g->paths > 0 && !same;
        g->length += result->result.length;
        ++g->paths;
        memcpy(g->path, path, count * sizeof *path);
        g->count = count;
    } else {
        ++g->none;
    }
    vn_nav_release_result(g->nav, result->id);
}

int main(void) {
    game g = {.count = 0};
    start(&g);
    for (int frame = 1; frame <= FRAMES; ++frame) {
        const double seconds = frame * frame_seconds;
        // Obstacles that appear do so only while no agent is within 6 metres.
        check(vn_moving_scene_blink(g.scene, seconds, &g.info.start, 1, 6, &g.blinkers), "blinkers");
        check(vn_staging_to_nav(g.staging, g.nav, seconds, &g.blinkers, NULL), "scene"); // all that moves
        ask(&g, seconds);
        check(vn_nav_tick(g.nav, NULL), "tick");
        for (vn_nav_result result; vn_nav_next_result(g.nav, &result);)
            take(&g, &result);
    }

    printf("%s: %u moving obstacles, %d frames: %d paths, %d times another one, %d times none, %.2f m on "
           "average\n",
           g.info.kind->name, g.info.movers, FRAMES, g.paths, g.changes, g.none, g.length / g.paths);
    vn_nav_destroy(g.nav);
    vn_staging_destroy(g.staging);
    vn_moving_scene_destroy(g.scene);
    return g.changes > 0 && g.none == 0 ? 0 : 1;
}
