/// 16-roadmaps: Krafft's scene through Krafft's own graphs. The hybrid graph and the waypoints follow a nav
/// for 60 frames; A* and Theta* search both in every one.
#include <stdio.h>
#include <stdlib.h>
#include <volnav/classic.h>
#include <volnav/nav.h>
#include <volnav/roadmap.h>
#include <volnav/sim.h>

enum { FRAMES = 60, OBSERVED = 40 };

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
    vn_space_def space;
    vn_nav* nav;
    vn_roadmap* roads[2];
    vn_graph_query* query;
} game;

/// The walls alone are the static space. Where the obstacles can be is seen by watching them for a while.
static void make_roads(game* g, vn_world* world) {
    vn_roadmap_def def = vn_default_roadmap_def();
    const vn_allocator allocator = vn_default_allocator();
    vn_area* area;
    vn_space *fixed, *now = NULL;
    check(vn_space_bake(world, &g->space, &fixed, NULL), "static space");
    check(vn_area_create(&allocator, fixed, &area, NULL), "area");
    for (int i = OBSERVED; i >= 0; --i) { // back to the beginning
        vn_space_destroy(now);
        check(vn_staging_to_world(g->staging, world, 0.25 * i, NULL, NULL), "scene");
        check(vn_space_bake(world, &g->space, &now, NULL), "space");
        check(vn_area_observe(area, fixed, now), "observe");
    }

    def.indirect = 4; // with one neighbour, as in the thesis, the waypoints fall into pieces
    check(vn_roadmap_create_hybrid(fixed, area, now, &def, &g->roads[0], NULL), "hybrid graph");
    check(vn_roadmap_create_waypoints(world, now, &def, &g->roads[1], NULL), "waypoints");
    vn_area_destroy(area);
    vn_space_destroy(fixed);
    vn_space_destroy(now);
}

static void start(game* g) {
    const vn_moving_scene_def def = vn_default_moving_scene_def();
    const vn_world_def world_def = vn_default_world_def();
    const vn_graph_query_def query_def = vn_default_graph_query_def();
    vn_staging_def staging_def = vn_default_staging_def();
    vn_nav_def nav_def = vn_default_nav_def();
    vn_world* world;
    check(vn_moving_scene_create(&def, &g->scene, NULL), "scene");
    vn_moving_scene_get_info(g->scene, &g->info);
    g->space = vn_default_space_def();
    g->space.resolution = g->info.resolution;
    g->space.has_bounds = true;
    g->space.bounds = g->info.bounds;
    staging_def.scene = g->scene;
    check(vn_staging_create(&staging_def, &g->staging), "staging");
    check(vn_world_create(&world_def, &world), "world");
    check(vn_moving_scene_build(g->scene, world, NULL), "walls");
    make_roads(g, world);
    nav_def.mode = VN_NAV_LOCKSTEP;
    nav_def.latency = 1;
    nav_def.history = 16; // keeps what each version changed
    nav_def.space = g->space;
    check(vn_nav_create(world, &nav_def, &g->nav, NULL), "nav");
    check(vn_graph_query_create(&query_def, &g->query, NULL), "query");
}

/// Every version that is new, one after the other.
static void follow(game* g, uint64_t* version) {
    uint64_t newest;
    const vn_space* space = vn_nav_pin(g->nav, 0, 0, &newest);
    const vn_changes* changes;
    for (; *version < newest; vn_nav_release_changes(g->nav, changes)) {
        check(vn_nav_get_changes(g->nav, ++*version, &changes), "changes");
        for (int i = 0; i < 2; ++i)
            check(vn_roadmap_follow(g->roads[i], space, *version, changes, 0, NULL), "follow");
    }
    check(vn_nav_unpin(g->nav, newest), "unpin");
}

/// Length of the path in metres; 0 if there is none.
static double search(game* g, vn_roadmap_view* view, double seconds, vn_classic_algo algo) {
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result;
    vn_vec3 goal;
    vn_point from, to;
    vn_roadmap_view_advance(view);
    check(vn_moving_scene_get_goal(g->scene, seconds, &goal, NULL), "goal");
    check(vn_space_point_from_local(vn_roadmap_view_space(view), g->info.start, &from), "start");
    check(vn_space_point_from_local(vn_roadmap_view_space(view), goal, &to), "goal");
    if (vn_roadmap_view_set_end(view, VN_START_NODE, from) != VN_OK ||
        vn_roadmap_view_set_end(view, VN_GOAL_NODE, to) != VN_OK)
        return 0;

    const vn_graph* graph = vn_roadmap_view_graph(view);
    check(vn_graph_query_grow(g->query, graph->node_limit, NULL), "grow");
    request.algo = algo;
    const vn_status status = vn_graph_query_find_path(g->query, graph, &request, &result, NULL);
    return status == VN_OK ? result.cost * (double)g->info.resolution : 0;
}

int main(void) {
    const vn_classic_algo algos[2] = {VN_CLASSIC_ASTAR, VN_CLASSIC_THETA};
    vn_roadmap_view* views[2];
    uint64_t version = 1;
    double sums[4] = {0};
    int found[4] = {0};
    game g = {0};
    start(&g);
    for (int i = 0; i < 2; ++i)
        check(vn_roadmap_view_create(g.roads[i], &views[i], NULL), "view");
    for (int frame = 1; frame <= FRAMES; ++frame) {
        const double seconds = 0.1 * frame;
        check(vn_staging_to_nav(g.staging, g.nav, seconds, NULL, NULL), "move");
        check(vn_nav_tick(g.nav, NULL), "tick");
        follow(&g, &version);
        for (int i = 0; i < 4; ++i) {
            const double length = search(&g, views[i / 2], seconds, algos[i % 2]);
            sums[i] += length;
            found[i] += length > 0;
        }
    }

    for (int i = 0; i < 4; ++i)
        printf("%-9s %-5s: %d of %d frames have a path, %.1f m on average\n",
               vn_roadmap_kind_name((vn_roadmap_kind)(i / 2)), vn_classic_algo_name(algos[i % 2]), found[i],
               FRAMES, found[i] > 0 ? sums[i] / found[i] : 0.0);
    for (int i = 0; i < 2; ++i) {
        vn_roadmap_view_destroy(views[i]);
        vn_roadmap_destroy(g.roads[i]);
    }
    vn_graph_query_destroy(g.query);
    vn_nav_destroy(g.nav);
    vn_staging_destroy(g.staging);
    vn_moving_scene_destroy(g.scene);
    return found[0] == FRAMES ? 0 : 1;
}
