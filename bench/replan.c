/// bench/replan.c: planners that repair, beside searches from scratch, frame by frame in a world that moves.
///
///   bench_replan [FRAMES [GOAL]]       the scene "krafft"; GOAL: 0 static, 1 vertical, 2 horizontal
///   bench_replan FRAMES map.3dmap [N]  a map with N boxes of 8 voxels that drift, and a target that does too
///
/// One agent flies at constant speed along the path of A* on the same graph, and all contenders plan from
/// where it is to where the goal is: in each frame they follow the new version, move both ends and find the
/// path. Times are thread CPU of all of that; every path is judged by the checker. An agent that arrives
/// begins again.
#include "bench.h"

#include "volnav/classic.h"
#include "volnav/replan.h"
#include "volnav/sim.h"

#include <math.h>

enum { MOST = 40, HISTORY = 8 };

static const double frame_seconds = 1.0 / 60;

typedef struct contender {
    const char* name;
    vn_nav_graph_kind kind;
    int algo; ///< vn_replan_algo, or SCRATCH + vn_classic_algo, or CELLS
    bool backward;
    vn_nav_graph* graph;
    vn_graph_source source;
    vn_planner planner;
    vn_graph_query* query;
    bool has_begun, refused;
    double *seconds, total, length;
    uint64_t expanded, worst, restarts;
    uint32_t frames, found, valid, full;
} contender;

enum { SCRATCH = 100, CELLS = 200 };

typedef struct stage {
    vn_moving_scene* scene;
    vn_staging* staging;
    vn_nav* nav;
    vn_point cell_points[4096];
    uint32_t max_nodes;
    bool is_map;
    vn_point home, start, goal;
    double x, y, z; ///< of the agent, voxels
    double speed;   ///< voxels a frame
} stage;

static int by_value(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

// ---------------------------------------------------------------------------------------------------- worlds

static void make_nav(stage* s, vn_world* world, const vn_space_def* space, uint32_t graphs) {
    vn_nav_def def = vn_default_nav_def();
    vn_staging_def staging = vn_default_staging_def();
    vn_detail detail = {0};
    def.space = *space;
    def.history = HISTORY;
    def.graphs = graphs;
    staging.scene = s->scene;
    vnb_must(vn_staging_create(&staging, &s->staging), NULL);
    vnb_must(vn_staging_to_world(s->staging, world, 0, NULL, &detail), &detail);
    vnb_must(vn_nav_create(world, &def, &s->nav, &detail), &detail);
}

static void open_krafft(stage* s, vn_goal_motion goal, uint32_t graphs) {
    vn_moving_scene_def def = vn_default_moving_scene_def();
    const vn_world_def world_def = vn_default_world_def();
    vn_moving_scene_info info;
    vn_space_def space = vn_default_space_def();
    vn_detail detail = {0};
    vn_world* world;
    def.goal = goal;
    vnb_must(vn_moving_scene_create(&def, &s->scene, &detail), &detail);
    vn_moving_scene_get_info(s->scene, &info);
    vnb_must(vn_world_create(&world_def, &world), NULL);
    vnb_must(vn_moving_scene_build(s->scene, world, &detail), &detail);
    space.resolution = info.resolution;
    space.has_bounds = true;
    space.bounds = info.bounds;
    s->speed = info.agent_speed * frame_seconds / (double)info.resolution;
    make_nav(s, world, &space, graphs);
}

static void open_map(stage* s, const char* path, uint32_t boxes, uint32_t graphs) {
    vn_moving_scene_def def = vn_default_moving_scene_def();
    const vn_world_def world_def = vn_default_world_def();
    vn_space_def space = vn_default_space_def();
    vn_detail detail = {0};
    vn_3dmap map = {0};
    vn_world* world;
    vnb_must(vn_3dmap_read_file(path, NULL, &map, &detail), &detail);
    vnb_must(vn_world_create(&world_def, &world), NULL);
    const vn_shape shape = vn_3dmap_shape(&map);
    space.has_bounds = true;
    space.bounds.max = (vn_vec3){(float)map.dims.x, (float)map.dims.y, (float)map.dims.z};
    vnb_must(vn_world_add(world, &shape, NULL, &detail), &detail);
    vn_3dmap_free(&map);

    def.name = "debris";
    def.seed = 1;
    def.bounds = space.bounds;
    def.resolution = 1;
    def.count = boxes;
    def.size = 8;
    def.speed = 16;
    vnb_must(vn_moving_scene_create(&def, &s->scene, &detail), &detail);
    s->is_map = true;
    s->speed = 0.5;
    make_nav(s, world, &space, graphs);
}

static const vn_space* pin(stage* s, uint64_t* version) {
    const vn_space* space = vn_nav_pin(s->nav, 0, 0, version);
    if (space == NULL)
        vnb_must(VN_NOT_FOUND, NULL);
    return space;
}

/// Where the goal is: of the scene, or a place that drifts along the path from home.
static vn_point goal_at(stage* s, const vn_space* space, double seconds, const vn_point* route,
                        uint32_t count) {
    vn_vec3 goal;
    vn_point point;
    if (s->is_map) // back and forth over the last third of the route
        return route[count - 1 - (uint32_t)(fabs(sin(seconds / 4)) * (count / 3))];
    vnb_must(vn_moving_scene_get_goal(s->scene, seconds, &goal, NULL), NULL);
    vnb_must(vn_space_point_from_local(space, goal, &point), NULL);
    return vn_voxel_center(vn_space_voxel_at(space, point));
}

// ------------------------------------------------------------------------------------------------ contenders

static void open_contender(stage* s, contender* c, uint32_t frames) {
    vn_nav_graph_def graph_def = vn_default_nav_graph_def();
    vn_detail detail = {0};
    c->seconds = vnb_alloc(frames, sizeof *c->seconds);
    if (c->algo == CELLS)
        return;
    graph_def.kind = c->kind;
    vnb_must(vn_nav_graph_create(s->nav, &graph_def, &c->graph, &detail), &detail);
    c->source = vn_nav_graph_source(c->graph);
    if (c->algo >= SCRATCH) {
        vn_graph_query_def def = vn_default_graph_query_def();
        def.node_limit = vn_nav_graph_get(c->graph)->node_limit;
        def.max_nodes = s->max_nodes;
        vnb_must(vn_graph_query_create(&def, &c->query, &detail), &detail);
        return;
    }
    vn_replan_def def = vn_default_replan_def();
    def.algo = (vn_replan_algo)c->algo;
    def.backward = c->backward;
    def.max_nodes = s->max_nodes;
    vnb_must(vn_replan_create(&c->source, &def, &c->planner, &detail), &detail);
}

static void close_contender(contender* c) {
    if (c->planner.free != NULL)
        c->planner.free(c->planner.self);
    vn_graph_query_destroy(c->query);
    vn_nav_graph_destroy(c->graph);
    free(c->seconds);
}

/// What one frame gave.
typedef struct answer {
    vn_status status;
    const vn_point* points;
    uint32_t count;
    uint64_t expanded;
} answer;

static answer search(stage* s, contender* c) {
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result = {0};
    answer a = {.status = VN_OK};
    (void)vn_nav_graph_advance(c->graph);
    if (vn_nav_graph_set_end(c->graph, 0, s->start) != VN_OK ||
        vn_nav_graph_set_end(c->graph, 1, s->goal) != VN_OK)
        return (answer){.status = VN_START_BLOCKED};
    const vn_graph* graph = vn_nav_graph_get(c->graph);
    request.algo = (vn_classic_algo)(c->algo - SCRATCH);
    vnb_must(vn_graph_query_grow(c->query, graph->node_limit, NULL), NULL);
    a.status = vn_graph_query_find_path(c->query, graph, &request, &result, NULL);
    a.points = vn_graph_query_points(c->query, &a.count);
    a.expanded = result.expanded;
    return a;
}

static answer plan(stage* s, contender* c) {
    vn_plan p;
    if (!c->has_begun)
        vnb_must(c->planner.begin(c->planner.self, 0, s->start, s->goal, NULL), NULL);
    else
        vnb_must(c->planner.move(c->planner.self, s->start, s->goal), NULL);
    if (c->has_begun)
        vnb_must(c->planner.advance(c->planner.self, 0, NULL), NULL);
    c->has_begun = true;
    while (c->planner.step(c->planner.self, UINT64_MAX) == VN_RUNNING)
        continue;
    const vn_status status = c->planner.path(c->planner.self, &p);
    c->restarts = p.restarts;
    return (answer){status, p.points, p.point_count, p.expanded};
}

/// As a request of the nav, which is done within the next ticks: nothing else waits.
static answer ask_cells(stage* s) {
    vn_nav_request request = vn_default_nav_request();
    vn_nav_result result;
    vn_request_id id;
    request.path.start = s->start;
    request.path.goal = s->goal;
    vnb_must(vn_nav_submit(s->nav, &request, &id, NULL), NULL);
    do {
        vnb_must(vn_nav_tick(s->nav, NULL), NULL);
    } while (!vn_nav_next_result(s->nav, &result));

    answer a = {result.result.status, s->cell_points, result.point_count, result.result.expanded};
    memcpy(s->cell_points, result.points, result.point_count * sizeof *result.points);
    vn_nav_release_result(s->nav, result.id);
    return a;
}

static double length_of(const answer* a) {
    double length = 0;
    for (uint32_t i = 0; i + 1 < a->count; ++i) {
        const double x = a->points[i + 1].x - a->points[i].x, y = a->points[i + 1].y - a->points[i].y,
                     z = a->points[i + 1].z - a->points[i].z;
        length += sqrt(x * x + y * y + z * z) / 1024;
    }
    return length;
}

static answer run_contender(stage* s, contender* c, const vn_space* space) {
    if (c->full >= 3) // it does not fit: each frame would only show that again
        return (answer){.status = VN_CAPACITY};
    const double begin = vnb_seconds();
    const answer a = c->algo == CELLS ? ask_cells(s) : c->algo >= SCRATCH ? search(s, c) : plan(s, c);
    const double seconds = vnb_seconds() - begin;
    c->seconds[c->frames++] = seconds;
    c->total += seconds;
    c->expanded += a.expanded;
    c->worst = a.expanded > c->worst ? a.expanded : c->worst;
    c->found += a.status == VN_OK;
    c->full += a.status == VN_CAPACITY;
    if (a.status == VN_OK) {
        c->valid += vn_space_check_path(space, a.points, a.count, NULL);
        c->length += length_of(&a);
    }
    return a;
}

// ---------------------------------------------------------------------------------------------------- frames

/// The agent flies on along a path.
static void fly(stage* s, const answer* a) {
    double left = s->speed;
    for (uint32_t i = 1; i < a->count && left > 0; ++i) {
        const double x = a->points[i].x / 1024.0 - s->x, y = a->points[i].y / 1024.0 - s->y,
                     z = a->points[i].z / 1024.0 - s->z;
        const double length = sqrt(x * x + y * y + z * z);
        const double part = length > left ? left / length : 1;
        s->x += x * part;
        s->y += y * part;
        s->z += z * part;
        left -= length;
    }
    s->start = vn_voxel_center((vn_voxel){(int32_t)s->x, (int32_t)s->y, (int32_t)s->z});
}

static void send_home(stage* s) {
    s->start = s->home;
    s->x = s->home.x / 1024.0;
    s->y = s->home.y / 1024.0;
    s->z = s->home.z / 1024.0;
}

static bool is_near(vn_point a, vn_point b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z < 2.5 * 2.5 * 1024 * 1024;
}

/// A route for the goal of a map: of many random ones, that with the longest way around.
static vn_point* make_route(stage* s, uint32_t* count) {
    enum { POINTS = 4096 };
    uint64_t random = 7, version;
    const vn_space* space = pin(s, &version);
    vn_point from, to, best_from = {0, 0, 0}, best_to = {0, 0, 0};
    double best = 0;
    for (uint32_t i = 0; i < 2000; ++i) {
        vnb_must(vn_space_random_point(space, &random, &from), NULL);
        if (vn_space_random_reachable(space, from, &random, &to) != VN_OK)
            continue;
        s->start = vn_voxel_center(vn_space_voxel_at(space, from));
        s->goal = vn_voxel_center(vn_space_voxel_at(space, to));
        const answer found = ask_cells(s);
        const double x = from.x - to.x, y = from.y - to.y, z = from.z - to.z;
        const double detour = length_of(&found) - sqrt(x * x + y * y + z * z) / 1024;
        if (found.status == VN_OK && detour > best) {
            best = detour;
            best_from = from;
            best_to = to;
        }
    }

    s->start = vn_voxel_center(vn_space_voxel_at(space, best_from));
    s->goal = vn_voxel_center(vn_space_voxel_at(space, best_to));
    const answer found = ask_cells(s);
    vnb_must(found.status, NULL);
    const uint32_t point_count = found.count;
    const vn_point* points = found.points;
    vn_point* route = vnb_alloc(POINTS, sizeof *route);
    *count = 0;
    for (uint32_t i = 0; i + 1 < point_count; ++i) {
        const vn_point a = points[i], b = points[i + 1];
        const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z,
                     steps = ceil(sqrt(x * x + y * y + z * z) / 1024);
        for (double k = 0; k < steps && *count < POINTS; ++k) {
            const vn_point at = {a.x + (int32_t)(x * k / steps), a.y + (int32_t)(y * k / steps),
                                 a.z + (int32_t)(z * k / steps)};
            route[(*count)++] = vn_voxel_center(vn_space_voxel_at(space, at));
        }
    }
    s->home = s->start;
    vnb_must(vn_nav_unpin(s->nav, version), NULL);
    return route;
}

static void find_home(stage* s) {
    vn_moving_scene_info info;
    uint64_t version;
    const vn_space* space = pin(s, &version);
    vn_moving_scene_get_info(s->scene, &info);
    vnb_must(vn_space_point_from_local(space, info.start, &s->home), NULL);
    s->home = vn_voxel_center(vn_space_voxel_at(space, s->home));
    vnb_must(vn_nav_unpin(s->nav, version), NULL);
}

static void run(stage* s, contender* contenders, uint32_t count, uint32_t frames) {
    uint32_t route_count = 0, blind = 0, arrivals = 0;
    vn_point* route = s->is_map ? make_route(s, &route_count) : NULL;
    if (!s->is_map)
        find_home(s);
    send_home(s);

    for (uint32_t frame = 0; frame < frames; ++frame) {
        uint64_t version;
        const double seconds = frame * frame_seconds;
        vnb_must(vn_staging_to_nav(s->staging, s->nav, seconds, NULL, NULL), NULL);
        vnb_must(vn_nav_tick(s->nav, NULL), NULL);
        const vn_space* space = pin(s, &version);
        s->goal = goal_at(s, space, seconds, route, route_count);
        if (!vn_space_point_free(space, s->start) || !vn_space_point_free(space, s->goal)) {
            ++blind; // covered by a mover: no contender plans, and the agent waits
            vnb_must(vn_nav_unpin(s->nav, version), NULL);
            continue;
        }

        // the agent follows the first contender, whatever the order
        answer lead = {.status = VN_NO_PATH};
        static vn_point lead_points[65536];
        for (uint32_t i = 0; i < count; ++i) {
            contender* c = &contenders[rotation_at(count, frame, i)];
            const answer a = run_contender(s, c, space);
            if (c == contenders) {
                lead = a;
                memcpy(lead_points, a.points, a.count * sizeof *a.points);
                lead.points = lead_points;
            }
        }
        if (lead.status == VN_OK)
            fly(s, &lead);
        if (is_near(s->start, s->goal)) {
            send_home(s);
            ++arrivals;
        }
        vnb_must(vn_nav_unpin(s->nav, version), NULL);
    }
    free(route);
    printf("%u frames, in %u an end was covered; %u arrivals\n", frames, blind, arrivals);
}

static void report(contender* contenders, uint32_t count) {
    printf("%-34s %7s %7s %7s %10s %8s %9s %8s %8s %8s %8s %7s\n", "", "found", "valid", "length", "expanded",
           "worst", "total ms", "mean ms", "p99 ms", "max ms", "/ first", "begun");
    for (uint32_t i = 0; i < count; ++i) {
        contender* c = &contenders[i];
        qsort(c->seconds, c->frames, sizeof *c->seconds, by_value);
        printf("%-34s %7u %7u %7.1f %10llu %8llu %9.1f %8.3f %8.3f %8.3f %8.3f %7llu%s\n", c->name, c->found,
               c->valid, c->length / (c->found > 0 ? c->found : 1), (unsigned long long)c->expanded,
               (unsigned long long)c->worst, 1e3 * c->total, 1e3 * c->total / c->frames,
               1e3 * c->seconds[c->frames - 1 - c->frames / 100], 1e3 * c->seconds[c->frames - 1],
               c->total / contenders[0].total, (unsigned long long)c->restarts,
               c->full > 0 ? " (out: nodes used up)" : "");
    }
}

int main(int argc, char** argv) {
    const uint32_t frames = argc > 1 ? (uint32_t)atoi(argv[1]) : 600;
    const bool is_map = argc > 2 && strlen(argv[2]) > 2;
    const vn_nav_graph_kind grid = is_map ? VN_NAV_GRID26 : VN_NAV_GRID6;
    contender contenders[MOST] = {
        {.name = is_map ? "A*, grid 26" : "A*, grid 6", .kind = grid, .algo = SCRATCH + VN_CLASSIC_ASTAR},
        {.name = "Theta*, grid", .kind = grid, .algo = SCRATCH + VN_CLASSIC_THETA},
        {.name = "LPA*, grid", .kind = grid, .algo = VN_REPLAN_LPA},
        {.name = "D* Lite, grid", .kind = grid, .algo = VN_REPLAN_DSTAR_LITE},
        {.name = "AD*, grid", .kind = grid, .algo = VN_REPLAN_AD},
        {.name = "D*, grid", .kind = grid, .algo = VN_REPLAN_DSTAR},
        {.name = "Basic MT-D* Lite, grid", .kind = grid, .algo = VN_REPLAN_MT_BASIC},
        {.name = "MT-D* Lite, grid", .kind = grid, .algo = VN_REPLAN_MT},
        {.name = "Basic MT-D* Lite, backward, grid",
         .kind = grid,
         .algo = VN_REPLAN_MT_BASIC,
         .backward = true},
        {.name = "MT-D* Lite, backward, grid", .kind = grid, .algo = VN_REPLAN_MT, .backward = true},
        {.name = "any-angle MT-D* Lite, grid", .kind = grid, .algo = VN_REPLAN_AAMT},
        {.name = "Field D*, grid", .kind = grid, .algo = VN_REPLAN_FIELD},
        {.name = "Adaptive A*, grid", .kind = grid, .algo = VN_REPLAN_ADAPTIVE},
        {.name = "Multipath Adaptive A*, grid", .kind = grid, .algo = VN_REPLAN_MPAA},
        {.name = "Tree Adaptive A*, grid", .kind = grid, .algo = VN_REPLAN_TREE_ADAPTIVE},
        {.name = "A*, cells-portal", .kind = VN_NAV_CELLS_PORTAL, .algo = SCRATCH + VN_CLASSIC_ASTAR},
        {.name = "D* Lite, cells-portal", .kind = VN_NAV_CELLS_PORTAL, .algo = VN_REPLAN_DSTAR_LITE},
        {.name = "Basic MT-D* Lite, cells-portal", .kind = VN_NAV_CELLS_PORTAL, .algo = VN_REPLAN_MT_BASIC},
        {.name = "MT-D* Lite, cells-portal", .kind = VN_NAV_CELLS_PORTAL, .algo = VN_REPLAN_MT},
        {.name = "any-angle MT-D* Lite, cells-portal", .kind = VN_NAV_CELLS_PORTAL, .algo = VN_REPLAN_AAMT},
        {.name = "cells from scratch", .algo = CELLS},
    };
    uint32_t count = 0;
    while (contenders[count].name != NULL)
        ++count;

    static stage s;
    const uint32_t graphs = 1u << grid | 1u << VN_NAV_CELLS_PORTAL;
    if (is_map)
        open_map(&s, argv[2], argc > 3 ? (uint32_t)atoi(argv[3]) : 50, graphs);
    else
        open_krafft(&s, argc > 2 ? (vn_goal_motion)atoi(argv[2]) : VN_GOAL_MOTION_VERTICAL, graphs);
    s.max_nodes = is_map ? 8u << 20 : 0;

    uint64_t version;
    const vn_space* space = pin(&s, &version);
    vnb_print_space(space);
    vnb_must(vn_nav_unpin(s.nav, version), NULL);
    for (uint32_t i = 0; i < count; ++i)
        open_contender(&s, &contenders[i], frames);
    run(&s, contenders, count, frames);
    report(contenders, count);

    for (uint32_t i = 0; i < count; ++i)
        close_contender(&contenders[i]);
    vn_nav_destroy(s.nav);
    vn_staging_destroy(s.staging);
    vn_moving_scene_destroy(s.scene);
    return 0;
}
