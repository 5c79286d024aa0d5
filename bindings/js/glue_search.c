/// bindings/js/glue_search.c: every search on every space, with what it did.
#include "glue_search.h"
#include "volnav/replan.h"

#include <stdlib.h>
#include <string.h>

/// What came out, in lattice points.
typedef struct outcome {
    vn_status status;
    const vn_point* points;
    uint32_t count;
    double cost, search_cost, bound;
    uint64_t expanded, touched, sights, closed;
    uint32_t passes;
} outcome;

EXPORT(js_search_destroy) void js_search_destroy(search* s) {
    if (s == NULL)
        return;
    vn_graph_query_destroy(s->graph_query);
    vn_roadmap_view_destroy(s->roads);
    vn_roadmap_destroy(s->roadmap);
    for (int i = 0; i < VN_NAV_GRAPH_KINDS; ++i)
        vn_space_graph_destroy(s->graphs[i]);
    for (int i = 0; i < VN_GRAPH_COUNT; ++i)
        if (s->views[i] != NULL)
            vn_classic_view_destroy(s->views[i]);
    if (s->classic_query != NULL)
        vn_classic_query_destroy(s->classic_query);
    if (s->following != NULL)
        vn_classic_destroy(s->following);
    if (s->classic != NULL)
        vn_classic_destroy(s->classic);
    if (s->query != NULL)
        vn_query_destroy(s->query);
    glue_free(&s->cells);
    glue_free(&s->points);
    glue_free(&s->positions);
    glue_free_order(&s->order);
    free(s);
}

// --------------------------------------------------------------------------------------------------- making

static vn_status make_classic(search* s, bool follows, vn_classic** out, vn_detail* detail) {
    vn_classic_def def = vn_default_classic_def();
    def.kind = s->kind == OCTREE   ? VN_CLASSIC_OCTREE
               : s->kind == MERGED ? VN_CLASSIC_MERGED
                                   : VN_CLASSIC_GRID;
    def.follows = follows;
    return vn_classic_build(s->space, &def, out, detail);
}

static vn_status make_hybrid(search* s, vn_detail* detail) {
    const vn_allocator allocator = vn_default_allocator();
    const vn_roadmap_def def = vn_default_roadmap_def();
    vn_area* area = NULL;
    vn_status status = vn_area_create(&allocator, s->space, &area, detail);
    if (status == VN_OK)
        status = vn_roadmap_create_hybrid(s->space, area, s->space, &def, &s->roadmap, detail);
    vn_area_destroy(area);
    return status;
}

static vn_status make_roads(search* s, const vn_world* world, vn_detail* detail) {
    const vn_roadmap_def def = vn_default_roadmap_def();
    const vn_status status = s->kind == HYBRID
                                 ? make_hybrid(s, detail)
                                 : vn_roadmap_create_waypoints(world, s->space, &def, &s->roadmap, detail);
    return status == VN_OK ? vn_roadmap_view_create(s->roadmap, &s->roads, detail) : status;
}

static vn_status make_search(search* s, const vn_world* world, vn_detail* detail) {
    if (s->kind == HYBRID || s->kind == WAYPOINTS)
        return make_roads(s, world, detail);
    if (s->kind != CELLS) {
        const vn_classic_query_def def = vn_default_classic_query_def();
        const vn_status status = make_classic(s, false, &s->classic, detail);
        return status == VN_OK ? vn_classic_query_create(s->classic, &def, &s->classic_query, detail)
                               : status;
    }
    vn_query_def def = vn_default_query_def();
    def.scratch = VN_SCRATCH_CELLS;
    return vn_query_create(s->space, &def, &s->query, detail);
}

/// `world` is for waypoints: that of the bake. Both outlive the search. out: the handle.
EXPORT(js_search_create) int js_search_create(const vn_space* space, const vn_world* world, int kind) {
    search* s = calloc(1, sizeof *s);
    vn_status status = VN_OUT_OF_MEMORY;
    glue_begin();
    if (s != NULL) {
        s->kind = (search_kind)kind;
        s->space = space;
        vn_space_get_info(space, &s->info);
        status = make_search(s, world, glue_begin());
    }
    if (status != VN_OK) {
        js_search_destroy(s);
        s = NULL;
    }
    glue_put_pointer(0, s);
    return glue_done(status);
}

// --------------------------------------------------------------------------------------------------- sources

static vn_status open_space_graph(search* s, vn_nav_graph_kind kind, vn_graph_source* out,
                                  vn_detail* detail) {
    vn_space_graph_def def = vn_default_space_graph_def();
    vn_status status = VN_OK;
    def.kind = kind;
    if (s->graphs[kind] == NULL)
        status = vn_space_graph_create(s->space, &def, &s->graphs[kind], detail);
    if (status == VN_OK)
        *out = vn_space_graph_source(s->graphs[kind]);
    return status;
}

static vn_status open_tree(search* s, vn_classic_graph graph, vn_graph_source* out, vn_detail* detail) {
    vn_status status = VN_OK;
    if (s->following == NULL)
        status = make_classic(s, true, &s->following, detail);
    if (status == VN_OK && s->views[graph] == NULL)
        status = vn_classic_view_create(s->following, graph, &s->views[graph], detail);
    if (status == VN_OK)
        *out = vn_classic_view_source(s->views[graph]);
    return status;
}

vn_status glue_search_source(search* s, const wishes* w, vn_graph_source* out, vn_detail* detail) {
    if (s->kind == HYBRID || s->kind == WAYPOINTS) {
        *out = vn_roadmap_view_source(s->roads);
        return VN_OK;
    }
    if (s->kind == OCTREE || s->kind == MERGED)
        return open_tree(s, (vn_classic_graph)w->graph, out, detail);
    if (s->kind == GRID)
        return open_space_graph(s, w->neighbours == 6 ? VN_NAV_GRID6 : VN_NAV_GRID26, out, detail);
    return open_space_graph(
        s, (vn_classic_graph)w->graph == VN_GRAPH_CENTRES ? VN_NAV_CELLS_CENTRE : VN_NAV_CELLS_PORTAL, out,
        detail);
}

/// A blocked end moves to the nearest free point within `snap` metres.
static vn_status set_end(search* s, const vn_graph_source* source, uint32_t node, vn_dvec3 position,
                         double snap) {
    const vn_status blocked = node == VN_START_NODE ? VN_START_BLOCKED : VN_GOAL_BLOCKED;
    vn_point point;
    double distance;
    vn_status status = vn_space_point_from_world(s->space, position, &point);
    if (status == VN_OK)
        status = source->set_end(source->self, node, point);
    if (status == VN_OK || !(snap > 0))
        return status == VN_BLOCKED ? blocked : status;

    if (vn_space_nearest_free(s->space, position, snap, &point, &distance) != VN_OK)
        return status == VN_BLOCKED ? blocked : status;
    status = source->set_end(source->self, node, point);
    return status == VN_BLOCKED ? blocked : status;
}

// -------------------------------------------------------------------------------------------------- searches

static vn_status run_core(search* s, const wishes* w, const double* ends, outcome* out, vn_detail* detail) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    memset(&result, 0, sizeof result);
    request.use_positions = true;
    request.start_position = glue_position(ends);
    request.goal_position = glue_position(ends + 3);
    request.quality = (vn_quality)w->quality;
    request.refine = (vn_refine)w->refine;
    request.weight = w->weight;
    request.budget = (uint64_t)w->budget;
    request.snap_distance = w->snap;
    request.check = w->check != 0;
    request.observe = w->order != 0 ? glue_observe : NULL;
    request.observe_user = &s->order;

    s->by_number = true;
    const vn_status status = vn_query_find_path(s->query, &request, &result, detail);
    out->points = vn_query_points(s->query, &out->count);
    out->cost = out->search_cost = result.cost;
    out->bound = result.bound;
    out->expanded = out->closed = result.expanded;
    out->touched = result.touched;
    return status;
}

static vn_classic_request classic_request(search* s, vn_classic_algo algo, const wishes* w) {
    vn_classic_request request = vn_default_classic_request();
    request.algo = algo;
    request.graph = (vn_classic_graph)w->graph;
    if (w->neighbours != 0)
        request.neighbours = (uint32_t)w->neighbours;
    request.heuristic = (vn_heuristic)w->heuristic;
    request.weight = w->weight;
    request.refine = (vn_refine)w->refine;
    request.budget = (uint64_t)w->budget;
    request.snap_distance = w->snap;
    request.check = w->check != 0;
    request.observe = w->order != 0 ? glue_observe : NULL;
    request.observe_user = &s->order;
    return request;
}

static vn_status run_classic(search* s, vn_classic_algo algo, const wishes* w, const double* ends,
                             outcome* out, vn_detail* detail) {
    vn_classic_request request = classic_request(s, algo, w);
    vn_classic_result result;
    memset(&result, 0, sizeof result);
    (void)!vn_space_point_from_world(s->space, glue_position(ends), &request.start);
    (void)!vn_space_point_from_world(s->space, glue_position(ends + 3), &request.goal);

    const vn_status status = vn_classic_query_find_path(s->classic_query, &request, &result, detail);
    out->points = vn_classic_query_points(s->classic_query, &out->count);
    out->cost = result.path.cost;
    out->search_cost = result.search_cost;
    out->bound = result.path.bound;
    out->expanded = result.path.expanded;
    out->touched = result.path.touched;
    out->sights = result.sight_checks;
    out->closed = result.closed;
    out->passes = result.passes;
    return status;
}

static vn_status prepare_graph_query(search* s, const vn_graph* graph, vn_detail* detail) {
    vn_graph_query_def def = vn_default_graph_query_def();
    def.node_limit = graph->node_limit;
    if (s->graph_query == NULL)
        return vn_graph_query_create(&def, &s->graph_query, detail);
    return vn_graph_query_grow(s->graph_query, graph->node_limit, detail);
}

static vn_status run_graph(search* s, vn_classic_algo algo, const wishes* w, const vn_graph_source* source,
                           outcome* out, vn_detail* detail) {
    const vn_graph* graph = source->graph(source->self);
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result = {0};
    request.algo = algo;
    request.heuristic = (vn_heuristic)w->heuristic;
    request.weight = w->weight > 0 ? w->weight : 1;
    request.budget = (uint64_t)w->budget;
    request.observe = w->order != 0 ? glue_observe : NULL;
    request.observe_user = &s->order;
    request.voxel_size = (double)s->info.resolution;

    vn_status status = prepare_graph_query(s, graph, detail);
    if (status == VN_OK)
        status = vn_graph_query_find_path(s->graph_query, graph, &request, &result, detail);
    if (status == VN_OK)
        out->points = vn_graph_query_points(s->graph_query, &out->count);
    out->cost = out->search_cost = result.cost * (double)s->info.resolution;
    out->bound = result.bound;
    out->expanded = out->closed = result.expanded;
    out->touched = result.touched;
    out->sights = result.sight_checks;
    return status;
}

/// One plan from the beginning. The points are the planner's: they are copied before it goes.
static vn_status run_planner(search* s, vn_replan_algo algo, bool backward, const wishes* w,
                             const vn_graph_source* source, outcome* out, vn_detail* detail) {
    vn_replan_def def = vn_default_replan_def();
    vn_planner planner;
    vn_plan plan = {0};
    vn_point ends[2];
    const uint32_t nodes[2] = {VN_START_NODE, VN_GOAL_NODE};
    const vn_graph* graph = source->graph(source->self);
    graph->points(graph->self, nodes, 2, ends);
    def.algo = algo;
    def.backward = backward;
    def.heuristic = (vn_heuristic)w->heuristic;
    def.weight = w->weight > 0 ? w->weight : 1;
    def.observe = w->order != 0 ? glue_observe : NULL;
    def.observe_user = &s->order;
    def.voxel_size = (double)s->info.resolution;
    vn_status status = vn_replan_create(source, &def, &planner, detail);
    if (status != VN_OK)
        return status;

    status = planner.begin(planner.self, 0, ends[0], ends[1], detail);
    if (status == VN_OK)
        status = planner.step(planner.self, w->budget > 0 ? (uint64_t)w->budget : UINT64_MAX);
    status = status == VN_RUNNING ? VN_BUDGET_SPENT : status;
    const vn_status laid = planner.path(planner.self, &plan);
    status = status == VN_OK ? laid : status;
    if (status == VN_OK && plan.point_count > 0) {
        vn_point* copy = glue_room(&s->points, plan.point_count * sizeof *copy);
        status = copy == NULL ? VN_OUT_OF_MEMORY : VN_OK;
        if (copy != NULL)
            memcpy(copy, plan.points, plan.point_count * sizeof *copy);
        out->points = copy;
        out->count = copy != NULL ? plan.point_count : 0;
    }
    out->cost = out->search_cost = plan.cost * (double)s->info.resolution;
    out->bound = plan.bound;
    out->expanded = out->closed = plan.expanded;
    out->sights = plan.sight_checks;
    planner.free(planner.self);
    return status;
}

/// Is there a search of the core or of the classics for it, that needs no graph?
static bool is_direct(const search* s, bool is_cells, bool is_classic) {
    return (is_cells && s->kind == CELLS) || (is_classic && s->classic != NULL);
}

static vn_status run(search* s, const char* name, const wishes* w, const double* ends, outcome* out,
                     vn_detail* detail) {
    const bool is_cells = strcmp(name, "cells") == 0;
    vn_classic_algo classic = VN_CLASSIC_ASTAR;
    vn_replan_algo planner = VN_REPLAN_LPA;
    bool backward = false;
    const bool is_classic = !is_cells && vn_classic_algo_from_name(name, &classic);
    s->last = (vn_graph_source){0};
    s->was_classic = is_direct(s, false, is_classic);
    const bool is_planner = !is_cells && !is_classic && vn_replan_algo_from_name(name, &planner, &backward);
    if (is_direct(s, is_cells, is_classic))
        return is_cells ? run_core(s, w, ends, out, detail) : run_classic(s, classic, w, ends, out, detail);
    if (!is_classic && !is_planner)
        return is_cells ? VN_UNSUPPORTED : VN_NOT_FOUND;

    vn_graph_source source;
    s->by_number = false;
    vn_status status = glue_search_source(s, w, &source, detail);
    if (status == VN_OK)
        status = set_end(s, &source, VN_START_NODE, glue_position(ends), w->snap);
    if (status == VN_OK)
        status = set_end(s, &source, VN_GOAL_NODE, glue_position(ends + 3), w->snap);
    if (status != VN_OK)
        return status;
    if (is_classic)
        s->last = source;
    return is_classic ? run_graph(s, classic, w, &source, out, detail)
                      : run_planner(s, planner, backward, w, &source, out, detail);
}

// ---------- interface
// interface

static vn_status put_positions(search* s, const outcome* o) {
    vn_dvec3* to = glue_room(&s->positions, (o->count > 0 ? o->count : 1) * sizeof *to);
    if (to == NULL)
        return VN_OUT_OF_MEMORY;
    if (o->count > 0)
        vn_space_points_to_world(s->space, o->points, o->count, to);
    glue_put_pointer(0, to);
    glue_out[1] = o->count;
    glue_out[2] = o->count > 0 ? vn_positions_length(to, o->count) : 0;
    return VN_OK;
}

/// Returns the status of the search. `n`: wishes. out: positions, how many, length, cost, cost of the search,
/// expanded, touched, sights, closed, bound, passes; with an order that, from 12 on.
EXPORT(js_search_find) int js_search_find(search* s, const char* algo, const double* ends, const double* n) {
    wishes w;
    outcome o = {0};
    memcpy(&w, n, sizeof w);
    glue_free_order(&s->order);
    vn_status status = run(s, algo, &w, ends, &o, glue_begin());
    const vn_status put = put_positions(s, &o);
    const double numbers[] = {
        o.cost,  o.search_cost, (double)o.expanded, (double)o.touched, (double)o.sights, (double)o.closed,
        o.bound, o.passes};
    memcpy(glue_out + 3, numbers, sizeof numbers);
    const vn_status given =
        w.order != 0 ? glue_give_order(12, &s->order, s->space, glue_search_box, s) : VN_OK;
    status = status == VN_OK ? put : status;
    return glue_done(status == VN_OK ? given : status);
}

/// The name of an algorithm; null beyond the last.
EXPORT(js_search_name) const char* js_search_name(uint32_t index) {
    if (index == 0)
        return "cells";
    if (index <= VN_CLASSIC_ALGO_COUNT)
        return vn_classic_algo_name((vn_classic_algo)(index - 1));
    return vn_replan_algo_name((vn_replan_algo)(index - 1 - VN_CLASSIC_ALGO_COUNT));
}

/// Can it search here? Returns a status; the reason is in the detail.
EXPORT(js_search_supports) int js_search_supports(search* s, uint32_t index, const double* n) {
    const vn_classic_algo classic = (vn_classic_algo)(index - 1);
    wishes w;
    memcpy(&w, n, sizeof w);
    vn_detail* detail = glue_begin();
    if (index == 0)
        return glue_done(s->kind == CELLS ? VN_OK : VN_UNSUPPORTED);
    if (index <= VN_CLASSIC_ALGO_COUNT && s->classic != NULL) {
        const vn_classic_request request = classic_request(s, classic, &w);
        return glue_done(vn_classic_supports(s->classic, &request, detail));
    }

    vn_graph_source source;
    const vn_status status = glue_search_source(s, &w, &source, detail);
    if (status != VN_OK)
        return glue_done(status);
    const vn_graph* graph = source.graph(source.self);
    return glue_done(
        index <= VN_CLASSIC_ALGO_COUNT
            ? vn_graph_supports(graph, classic, detail)
            : vn_replan_supports(graph, (vn_replan_algo)(index - 1 - VN_CLASSIC_ALGO_COUNT), detail));
}
