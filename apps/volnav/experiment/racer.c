/// volnav/experiment/racer.c: searches and planners on graphs that follow.
#include "experiment/racer.h"

#include "volnav/path.h"

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

static double value_or(double value, double otherwise) {
    return value > 0 ? value : otherwise;
}

// -------------------------------------------------------------------------------------------------- opening

static int open_query(racer* r) {
    vn_graph_query_def def = vn_default_graph_query_def();
    vn_detail detail = {0};
    def.node_limit = r->source.graph(r->source.self)->node_limit;
    return check(r->def.name, vn_graph_query_create(&def, &r->query, &detail), &detail);
}

static int open_planner(racer* r) {
    vn_replan_def def = vn_default_replan_def();
    vn_detail detail = {0};
    def.algo = (vn_replan_algo)r->def.algo;
    def.backward = r->def.backward;
    def.recompute_all = r->def.all;
    def.heuristic = r->def.heuristic;
    def.weight = value_or(r->def.weight, 1);
    def.ad_step = value_or(r->def.step, def.ad_step);
    def.ad_floor = value_or(r->def.least, 1);
    return check(r->def.name, vn_replan_create(&r->source, &def, &r->planner, &detail), &detail);
}

static int open_search(racer* r) {
    return r->def.repairs ? open_planner(r) : open_query(r);
}

int racer_open_nav(const racer_def* def, vn_nav* nav, vn_nav_graph_kind kind, racer* out) {
    vn_nav_graph_def graph = vn_default_nav_graph_def();
    vn_detail detail = {0};
    out->def = *def;
    graph.kind = kind;
    const int code = check(def->name, vn_nav_graph_create(nav, &graph, &out->graph, &detail), &detail);
    if (code != EXIT_DONE) {
        return code;
    }
    out->source = vn_nav_graph_source(out->graph);
    return open_search(out);
}

int racer_open_roadmap(const racer_def* def, vn_roadmap* roadmap, racer* out) {
    vn_detail detail = {0};
    out->def = *def;
    const int code = check(def->name, vn_roadmap_view_create(roadmap, &out->view, &detail), &detail);
    if (code != EXIT_DONE) {
        return code;
    }
    out->source = vn_roadmap_view_source(out->view);
    return open_search(out);
}

void racer_close(racer* r) {
    if (r->planner.free != NULL) {
        r->planner.free(r->planner.self);
    }
    vn_graph_query_destroy(r->query);
    vn_roadmap_view_destroy(r->view);
    vn_nav_graph_destroy(r->graph);
}

// ------------------------------------------------------------------------------------------------ searching

/// Goes on to the newest version, sets the ends, and searches.
static vn_status search(racer* r, vn_point from, vn_point to, racer_answer* out) {
    const vn_graph_source* source = &r->source;
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result = {0};
    request.algo = (vn_classic_algo)r->def.algo;
    request.heuristic = r->def.heuristic;
    request.weight = value_or(r->def.weight, 1);
    request.ara_step = value_or(r->def.step, request.ara_step);

    // A search needs no changes: that some are no longer kept (VN_STALE) is nothing to it.
    vn_status status = source->advance(source->self, 0);
    status = status == VN_STALE ? VN_OK : status;
    if (status == VN_OK)
        status = source->set_end(source->self, VN_START_NODE, from);
    if (status == VN_OK)
        status = source->set_end(source->self, VN_GOAL_NODE, to);

    // Obstacles that appear bring waypoints with new ids: the query grows with the graph.
    const vn_graph* graph = source->graph(source->self);
    if (status == VN_OK)
        status = vn_graph_query_grow(r->query, graph->node_limit, NULL);
    if (status == VN_OK)
        status = vn_graph_query_find_path(r->query, graph, &request, &result, NULL);
    out->points = vn_graph_query_points(r->query, &out->count);
    out->cost = result.cost;
    out->row.closed = (double)result.expanded;
    out->row.sight_checks = (double)result.sight_checks;
    return status;
}

static vn_status plan(racer* r, vn_point from, vn_point to, bool reset, racer_answer* out) {
    const vn_planner* planner = &r->planner;
    vn_plan result = {0};
    vn_status status;
    if (reset || !r->begun) {
        status = planner->begin(planner->self, 0, from, to, NULL);
    } else {
        status = planner->move(planner->self, from, to);
        status = status == VN_OK ? planner->advance(planner->self, 0, NULL) : status;
    }
    if (status != VN_OK) {
        return status;
    }

    r->begun = true;
    do {
        status = planner->step(planner->self, UINT64_MAX);
    } while (status == VN_RUNNING);
    status = planner->path(planner->self, &result);
    out->points = result.points;
    out->count = result.point_count;
    out->cost = result.cost;
    out->restarts = result.restarts;
    out->row.closed = (double)result.expanded;
    out->row.sight_checks = (double)result.sight_checks;
    return status;
}

/// Length of a path that was found, and what the checker says.
static void judge(const vn_space* space, const vn_point* points, uint32_t count, racer_answer* out) {
    out->row.found = true;
    out->row.length = run_length(space, points, count);
    out->row.valid = vn_space_check_path(space, points, count, NULL);
}

int racer_find(racer* r, const vn_space* space, vn_point from, vn_point to, bool reset, racer_answer* out) {
    *out = (racer_answer){.points = NULL};
    const double begin = system_thread_seconds();
    const vn_status status = r->def.repairs ? plan(r, from, to, reset, out) : search(r, from, to, out);
    out->row.seconds = system_thread_seconds() - begin;
    if (status == VN_OK) {
        judge(space, out->points, out->count, out);
    }
    return status == VN_NO_PATH ? EXIT_DONE : check(r->def.name, status, NULL);
}

int racer_search_voxels(const char* name, const vn_space* space, const vn_classic_request* request,
                        racer_answer* out) {
    const vn_classic_query_def query_def = vn_default_classic_query_def();
    vn_classic_def def = vn_default_classic_def();
    vn_classic_result result = {0};
    vn_detail detail = {0};
    vn_classic* classic = NULL;
    vn_classic_query* query = NULL;
    vn_space_info info;
    vn_space_get_info(space, &info);
    *out = (racer_answer){.points = NULL};
    def.kind = VN_CLASSIC_GRID;

    vn_status status = vn_classic_build(space, &def, &classic, &detail);
    status = status == VN_OK ? vn_classic_query_create(classic, &query_def, &query, &detail) : status;
    if (status == VN_OK) {
        const double begin = system_thread_seconds();
        status = vn_classic_query_find_path(query, request, &result, &detail);
        out->row.seconds = system_thread_seconds() - begin;
        out->row.closed = (double)result.closed;
        out->cost = result.search_cost / (double)info.resolution;
    }

    if (status == VN_OK) {
        uint32_t count = 0;
        const vn_point* points = vn_classic_query_points(query, &count);
        judge(space, points, count, out);
    }
    vn_classic_query_destroy(query);
    vn_classic_destroy(classic);
    return status == VN_NO_PATH ? EXIT_DONE : check(name, status, &detail);
}
