/// volnav/experiment/krafft21_stage.c: contenders on one scene.
#include "experiment/krafft21_stage.h"

#include <math.h>

#include "volnav/path.h"

enum { HISTORY = 64 }; ///< more frames than an obstacle covers an end, as a rule

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

bool krafft21_takes_part(int contender, int scenario) {
    return (krafft21_contenders[contender].where & krafft21_scenarios[scenario].set) != 0;
}

// -------------------------------------------------------------------------------------------------- opening

static int open_query(const krafft21_contender* c, krafft21_racer* racer) {
    vn_graph_query_def def = vn_default_graph_query_def();
    vn_detail detail = {0};
    def.node_limit = vn_nav_graph_get(racer->graph)->node_limit;
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
    racer->source = vn_nav_graph_source(racer->graph);
    return check(c->name, vn_replan_create(&racer->source, &def, &racer->planner, &detail), &detail);
}

static bool has_graph(const krafft21_contender* c) {
    return c->way == KRAFFT21_SCRATCH || c->way == KRAFFT21_REPAIR;
}

static int open_racer(krafft21_stage* s, int contender) {
    const krafft21_contender* c = &krafft21_contenders[contender];
    krafft21_racer* racer = &s->racers[contender];
    vn_nav_graph_def def = vn_default_nav_graph_def();
    vn_detail detail = {0};
    if (!has_graph(c)) {
        return EXIT_DONE;
    }

    def.kind = c->kind;
    const int code = check(c->name, vn_nav_graph_create(s->place.nav, &def, &racer->graph, &detail), &detail);
    if (code != EXIT_DONE) {
        return code;
    }
    return c->way == KRAFFT21_SCRATCH ? open_query(c, racer) : open_planner(c, racer);
}

int krafft21_stage_open(experiment* e, int scenario, krafft21_stage* out) {
    moving_def def = {.every = true, .history = HISTORY, .goal = krafft21_scenarios[scenario].goal};
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        const bool graph = krafft21_takes_part(i, scenario) && has_graph(&krafft21_contenders[i]);
        def.graphs |= graph ? 1u << krafft21_contenders[i].kind : 0;
    }

    int code = moving_open_krafft(e, &def, &out->place);
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
    }
    moving_close(&s->place);
}

// ------------------------------------------------------------------------------------------------ searching

/// Goes on to the newest version, sets the ends, and searches.
static vn_status search(const krafft21_contender* c, krafft21_racer* racer, vn_point from, vn_point to,
                        krafft21_answer* out) {
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result = {0};
    request.algo = (vn_classic_algo)c->algo;
    request.heuristic = c->heuristic;
    request.weight = c->weight > 0 ? c->weight : 1;

    // A search needs no changes: that some are no longer kept (VN_STALE) is nothing to it.
    vn_status status = vn_nav_graph_advance(racer->graph);
    status = status == VN_STALE ? VN_OK : status;
    if (status == VN_OK)
        status = vn_nav_graph_set_end(racer->graph, VN_START_NODE, from);
    if (status == VN_OK)
        status = vn_nav_graph_set_end(racer->graph, VN_GOAL_NODE, to);

    const vn_graph* graph = vn_nav_graph_get(racer->graph);
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
