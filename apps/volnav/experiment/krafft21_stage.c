/// volnav/experiment/krafft21_stage.c: contenders on one scene.
#include "experiment/krafft21_stage.h"

#include <math.h>

#include "volnav/path.h"

enum { HISTORY = 64 }; ///< more frames than an obstacle covers an end, as a rule

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

// -------------------------------------------------------------------------------------------------- roadmaps

static bool needs(int scenario, krafft21_graph graph) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        const krafft21_contender* c = &krafft21_contenders[i];
        if (krafft21_takes_part(i, scenario) && c->way != KRAFFT21_ASK && c->graph == graph) {
            return true;
        }
    }
    return false;
}

static int open_hybrid(const krafft21_ground* ground, krafft21_stage* s) {
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_detail detail = {0};
    def.version = s->place.version;
    def.history = HISTORY;
    return check("hybrid graph",
                 vn_roadmap_create_hybrid(ground->fixed, ground->area, s->place.space, &def,
                                          &s->roads[KRAFFT21_HYBRID], &detail),
                 &detail);
}

/// As in "krafft-spaces", with eight neighbours on other obstacles: with the thesis's one, the graph falls
/// into pieces here.
static int open_waypoints(krafft21_stage* s) {
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_world* world = NULL;
    vn_space* space = NULL;
    vn_detail detail = {0};
    def.version = s->place.version;
    def.history = HISTORY;
    def.margin = 0.7f;
    def.indirect = 8;
    int code = moving_bake_krafft(&s->place, true, &world, &space);
    if (code == EXIT_DONE) {
        code = check("waypoints",
                     vn_roadmap_create_waypoints(world, space, &def, &s->roads[KRAFFT21_WAYPOINTS], &detail),
                     &detail);
    }

    vn_space_destroy(space);
    vn_world_destroy(world);
    return code;
}

static int follow(krafft21_stage* s, krafft21_graph graph) {
    vn_roadmap_info info;
    vn_detail detail = {0};
    if (s->roads[graph] == NULL) {
        return EXIT_DONE;
    }

    const vn_status status =
        vn_roadmap_follow(s->roads[graph], s->place.space, s->place.version, s->place.changes, 0, &detail);
    vn_roadmap_get_info(s->roads[graph], &info);
    s->left += graph == KRAFFT21_HYBRID ? info.left : 0;
    return check("following a scene", status, &detail);
}

int krafft21_stage_step(krafft21_stage* s, double seconds) {
    bool changed = false;
    int code = moving_step(&s->place, seconds, &changed);
    if (code == EXIT_DONE && changed) {
        code = follow(s, KRAFFT21_HYBRID);
        code = code == EXIT_DONE ? follow(s, KRAFFT21_WAYPOINTS) : code;
    }
    return code;
}

// -------------------------------------------------------------------------------------------------- opening

/// The kinds of the nav's graphs.
static const vn_nav_graph_kind kinds[] = {VN_NAV_GRID6, VN_NAV_GRID26, VN_NAV_CELLS_PORTAL};

static bool is_roadmap(krafft21_graph graph) {
    return graph == KRAFFT21_HYBRID || graph == KRAFFT21_WAYPOINTS;
}

static bool has_graph(const krafft21_contender* c) {
    return c->way == KRAFFT21_SCRATCH || c->way == KRAFFT21_REPAIR;
}

static const vn_graph* graph_of(const krafft21_racer* racer) {
    return racer->view != NULL ? vn_roadmap_view_graph(racer->view) : vn_nav_graph_get(racer->graph);
}

static int open_query(const krafft21_contender* c, krafft21_racer* racer) {
    vn_graph_query_def def = vn_default_graph_query_def();
    vn_detail detail = {0};
    def.node_limit = graph_of(racer)->node_limit;
    return check(c->name, vn_graph_query_create(&def, &racer->query, &detail), &detail);
}

static int open_planner(const krafft21_contender* c, krafft21_racer* racer) {
    vn_replan_def def = vn_default_replan_def();
    vn_detail detail = {0};
    def.algo = (vn_replan_algo)c->algo;
    def.backward = c->backward;
    def.recompute_all = c->all;
    def.heuristic = c->heuristic;
    def.weight = c->weight > 0 ? c->weight : 1;
    racer->source =
        racer->view != NULL ? vn_roadmap_view_source(racer->view) : vn_nav_graph_source(racer->graph);
    return check(c->name, vn_replan_create(&racer->source, &def, &racer->planner, &detail), &detail);
}

static int open_racer(krafft21_stage* s, int contender) {
    const krafft21_contender* c = &krafft21_contenders[contender];
    krafft21_racer* racer = &s->racers[contender];
    vn_nav_graph_def def = vn_default_nav_graph_def();
    vn_detail detail = {0};
    vn_status status;
    if (!has_graph(c)) {
        return EXIT_DONE;
    }

    if (is_roadmap(c->graph)) {
        status = vn_roadmap_view_create(s->roads[c->graph], &racer->view, &detail);
    } else {
        def.kind = kinds[c->graph];
        status = vn_nav_graph_create(s->place.nav, &def, &racer->graph, &detail);
    }

    if (status != VN_OK) {
        return check(c->name, status, &detail);
    }
    return c->way == KRAFFT21_SCRATCH ? open_query(c, racer) : open_planner(c, racer);
}

int krafft21_stage_open(experiment* e, const krafft21_ground* ground, int scenario, krafft21_stage* out) {
    moving_def def = {.every = true, .history = HISTORY, .goal = krafft21_scenarios[scenario].goal};
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); ++i) {
        def.graphs |= needs(scenario, (krafft21_graph)i) ? 1u << kinds[i] : 0;
    }

    int code = moving_open_krafft(e, &def, &out->place);
    if (code == EXIT_DONE && needs(scenario, KRAFFT21_HYBRID)) {
        code = open_hybrid(ground, out);
    }
    if (code == EXIT_DONE && needs(scenario, KRAFFT21_WAYPOINTS)) {
        code = open_waypoints(out);
    }

    for (int i = 0; i < KRAFFT21_CONTENDERS && code == EXIT_DONE; ++i) {
        code = krafft21_takes_part(i, scenario) ? open_racer(out, i) : EXIT_DONE;
    }
    return code;
}

void krafft21_stage_close(krafft21_stage* s) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        krafft21_racer* racer = &s->racers[i];
        if (racer->planner.free != NULL) {
            racer->planner.free(racer->planner.self);
        }
        vn_graph_query_destroy(racer->query);
        vn_nav_graph_destroy(racer->graph);
        vn_roadmap_view_destroy(racer->view);
    }

    for (int i = 0; i < KRAFFT21_GRAPHS; ++i) {
        vn_roadmap_destroy(s->roads[i]);
    }
    moving_close(&s->place);
}

// ------------------------------------------------------------------------------------------------ searching

/// Goes on to the newest version and sets the ends.
static vn_status place_ends(krafft21_racer* racer, vn_point from, vn_point to) {
    vn_status status = VN_OK;
    if (racer->view != NULL) {
        vn_roadmap_view_advance(racer->view);
        status = vn_roadmap_view_set_end(racer->view, VN_START_NODE, from);
        return status == VN_OK ? vn_roadmap_view_set_end(racer->view, VN_GOAL_NODE, to) : status;
    }

    // A search needs no changes: that some are no longer kept (VN_STALE) is nothing to it.
    status = vn_nav_graph_advance(racer->graph);
    status = status == VN_STALE ? VN_OK : status;
    if (status == VN_OK)
        status = vn_nav_graph_set_end(racer->graph, VN_START_NODE, from);
    return status == VN_OK ? vn_nav_graph_set_end(racer->graph, VN_GOAL_NODE, to) : status;
}

static vn_status search(const krafft21_contender* c, krafft21_racer* racer, vn_point from, vn_point to,
                        krafft21_answer* out) {
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result = {0};
    request.algo = (vn_classic_algo)c->algo;
    request.heuristic = c->heuristic;
    request.weight = c->weight > 0 ? c->weight : 1;

    vn_status status = place_ends(racer, from, to);
    const vn_graph* graph = graph_of(racer);
    if (status == VN_OK)
        status = vn_graph_query_grow(racer->query, graph->node_limit, NULL);
    if (status == VN_OK)
        status = vn_graph_query_find_path(racer->query, graph, &request, &result, NULL);
    out->points = vn_graph_query_points(racer->query, &out->count);
    out->row.closed = (double)result.expanded;
    out->row.sight_checks = (double)result.sight_checks;
    return status;
}

static vn_status plan(krafft21_racer* racer, vn_point from, vn_point to, bool reset, krafft21_answer* out) {
    const vn_planner* planner = &racer->planner;
    vn_plan result = {0};
    vn_status status;
    if (reset || !racer->begun) {
        status = planner->begin(planner->self, 0, from, to, NULL);
    } else {
        status = planner->move(planner->self, from, to);
        status = status == VN_OK ? planner->advance(planner->self, 0, NULL) : status;
    }
    if (status != VN_OK) {
        return status;
    }

    racer->begun = true;
    do {
        status = planner->step(planner->self, UINT64_MAX);
    } while (status == VN_RUNNING);
    status = planner->path(planner->self, &result);
    out->points = result.points;
    out->count = result.point_count;
    out->restarts = result.restarts;
    out->row.closed = (double)result.expanded;
    out->row.sight_checks = (double)result.sight_checks;
    return status;
}

static double length_of(const vn_space* space, const vn_point* points, uint32_t count) {
    double length = 0;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        const vn_dvec3 p = vn_space_point_to_world(space, points[i]),
                       q = vn_space_point_to_world(space, points[i + 1]);
        const double x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
        length += sqrt(x * x + y * y + z * z);
    }
    return length;
}

static int ask(krafft21_stage* s, vn_point from, vn_point to, krafft21_answer* out) {
    vn_nav_result result;
    double seconds = 0;
    const int code = moving_ask(&s->place, from, to, 0, &result, &seconds);
    if (code != EXIT_DONE) {
        return code;
    }

    // The row releases the result, and its points with it.
    out->points = s->points;
    out->count = result.point_count < KRAFFT21_POINTS ? result.point_count : KRAFFT21_POINTS;
    for (uint32_t i = 0; i < out->count; ++i) {
        s->points[i] = result.points[i];
    }
    out->row = moving_row(&s->place, &result, seconds);
    return EXIT_DONE;
}

/// The classic is a view of the voxels, made anew for each version; only the search is timed.
static int jump(krafft21_stage* s, const krafft21_contender* c, vn_point from, vn_point to,
                krafft21_answer* out) {
    const vn_classic_query_def query_def = vn_default_classic_query_def();
    vn_classic_def def = vn_default_classic_def();
    vn_classic_request request = vn_default_classic_request();
    vn_classic_result result = {0};
    vn_detail detail = {0};
    vn_classic* classic = NULL;
    vn_classic_query* query = NULL;
    def.kind = VN_CLASSIC_GRID;
    request.start = from;
    request.goal = to;
    request.algo = (vn_classic_algo)c->algo;
    request.heuristic = c->heuristic;

    vn_status status = vn_classic_build(s->place.space, &def, &classic, &detail);
    status = status == VN_OK ? vn_classic_query_create(classic, &query_def, &query, &detail) : status;
    if (status == VN_OK) {
        const double begin = system_thread_seconds();
        status = vn_classic_query_find_path(query, &request, &result, &detail);
        out->row.seconds = system_thread_seconds() - begin;
        out->row.found = status == VN_OK;
        out->row.closed = (double)result.closed;
    }

    if (out->row.found) {
        uint32_t count = 0;
        const vn_point* points = vn_classic_query_points(query, &count);
        out->row.length = length_of(s->place.space, points, count);
        out->row.valid = vn_space_check_path(s->place.space, points, count, NULL);
    }
    vn_classic_query_destroy(query);
    vn_classic_destroy(classic);
    return status == VN_NO_PATH ? EXIT_DONE : check(c->name, status, &detail);
}

int krafft21_stage_find(krafft21_stage* s, int contender, vn_point from, vn_point to, bool reset,
                        krafft21_answer* out) {
    const krafft21_contender* c = &krafft21_contenders[contender];
    krafft21_racer* racer = &s->racers[contender];
    *out = (krafft21_answer){.points = NULL};
    if (c->way == KRAFFT21_ASK) {
        return ask(s, from, to, out);
    }

    if (c->way == KRAFFT21_JUMP) {
        return jump(s, c, from, to, out);
    }

    const double begin = system_thread_seconds();
    const vn_status status =
        c->way == KRAFFT21_SCRATCH ? search(c, racer, from, to, out) : plan(racer, from, to, reset, out);
    out->row.seconds = system_thread_seconds() - begin;
    out->row.found = status == VN_OK;
    if (status == VN_OK) {
        out->row.length = length_of(s->place.space, out->points, out->count);
        out->row.valid = vn_space_check_path(s->place.space, out->points, out->count, NULL);
    }
    return status == VN_OK || status == VN_NO_PATH ? EXIT_DONE : check(c->name, status, NULL);
}
