/// replan/replan.c: the frame of all planners: source, ends, versions, memory, and when to begin anew.
#include "base/alloc.h"
#include "base/fail.h"
#include "replan/replan_inside.h"

#include <math.h>
#include <string.h>

#define REPLAN_COOKIE 0x72706c01u

static const vni_planner_kind* const kinds[VN_REPLAN_ALGO_COUNT] = {
    [VN_REPLAN_LPA] = &vni_plan_lpa,
    [VN_REPLAN_DSTAR_LITE] = &vni_plan_dstar_lite,
    [VN_REPLAN_AD] = &vni_plan_ad,
    [VN_REPLAN_DSTAR] = &vni_plan_dstar,
    [VN_REPLAN_MT_BASIC] = &vni_plan_mt_basic,
    [VN_REPLAN_MT] = &vni_plan_mt,
    [VN_REPLAN_AAMT] = &vni_plan_aamt,
    [VN_REPLAN_AAMT_FAST] = &vni_plan_aamt_fast,
    [VN_REPLAN_FIELD] = &vni_plan_field,
    [VN_REPLAN_ADAPTIVE] = &vni_plan_adaptive,
    [VN_REPLAN_MPAA] = &vni_plan_mpaa,
    [VN_REPLAN_TREE_ADAPTIVE] = &vni_plan_tree_adaptive,
    [VN_REPLAN_AA_AD] = &vni_plan_aa_ad,
};

// ---------- names

const char* vn_replan_algo_name(vn_replan_algo algo) {
    const bool is_known = (unsigned)algo < VN_REPLAN_ALGO_COUNT && kinds[algo] != NULL;
    return is_known ? kinds[algo]->name : NULL;
}

bool vn_replan_algo_from_name(const char* name, vn_replan_algo* out, bool* backward) {
    VNI_ASSERT(name != NULL && out != NULL && backward != NULL);
    for (uint32_t i = 0; i < VN_REPLAN_ALGO_COUNT; ++i) {
        if (kinds[i] == NULL)
            continue;
        const size_t length = strlen(kinds[i]->name);
        if (strncmp(name, kinds[i]->name, length) != 0)
            continue;

        const bool is_turned = kinds[i]->turns && strcmp(name + length, "-backward") == 0;
        if (name[length] != '\0' && !is_turned)
            continue;
        *out = (vn_replan_algo)i;
        *backward = is_turned;
        return true;
    }
    return false;
}

// ---------- bounds

vni_cost vni_replan_bounds(const vni_replan* r) {
    const vn_graph* graph = r->source.graph(r->source.self);
    const bool is_grid = (graph->capabilities & VN_GRAPH_IS_GRID) != 0;
    const uint32_t neighbours = graph->cells != NULL ? graph->cells->neighbours : 26;
    vni_metric metric = VNI_METRIC_EUCLIDEAN_GRID; // rounded down to the unit, as the core needs it
    if (is_grid && r->def.heuristic == VN_HEURISTIC_DEFAULT && !(r->kind->needs & VN_GRAPH_SEES))
        metric = neighbours == 26 ? VNI_METRIC_OCTILE : VNI_METRIC_MANHATTAN;
    else if (r->def.heuristic == VN_HEURISTIC_OCTILE)
        metric = VNI_METRIC_OCTILE;
    else if (r->def.heuristic == VN_HEURISTIC_MANHATTAN)
        metric = VNI_METRIC_MANHATTAN;

    vni_cost cost = vni_cost_length(metric, neighbours);
    if (graph->least > 0)
        cost.least = graph->least;
    return cost;
}

vn_point vni_replan_end(const vni_replan* r, uint32_t end) {
    const vn_graph* graph = r->source.graph(r->source.self);
    vn_point point = r->ends[end];
    if (r->end_status[end] == VN_OK)
        graph->points(graph->self, &end, 1, &point);
    return point;
}

// ---------- beginning and repairing

static void begin_anew(vni_replan* r) {
    ++r->restarts;
    r->must_begin = false;
    r->status = VN_RUNNING;
    r->bound = 1;
    r->anytime = (vni_anytime){0};
    r->kind->begin(r);
}

static void set_ends(vni_replan* r, vn_point start, vn_point goal) {
    r->ends[VN_START_NODE] = start;
    r->ends[VN_GOAL_NODE] = goal;
    for (uint32_t end = 0; end < 2; ++end)
        r->end_status[end] = r->source.set_end(r->source.self, end, r->ends[end]);
}

static void begin_plan(vni_replan* r) {
    r->core.expanded = 0;
    r->sight_checks = 0;
    r->point_count = 0;
    r->status = VN_RUNNING;
}

/// Memory for the graph as it is now. VN_OUT_OF_MEMORY: as before.
static vn_status fit(vni_replan* r, vn_detail* detail) {
    const vn_graph* graph = r->source.graph(r->source.self);
    const uint32_t limit =
        r->kind->node_limit != NULL ? (uint32_t)r->kind->node_limit(graph) : graph->node_limit;
    const uint32_t usual = r->kind->usual_nodes != NULL ? r->kind->usual_nodes(graph) : UINT32_MAX;
    const uint32_t most = r->def.max_nodes > 0 ? r->def.max_nodes : usual;
    if (!vni_plan_nodes_grow(&r->core.nodes, limit, most))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to plan on a graph of %u nodes", limit);

    r->core.open.entries = r->core.nodes.entries;
    r->core.open.capacity = r->core.nodes.page_capacity << 6;
    r->core.open.positions = (unsigned char*)&r->core.nodes.nodes[0].position;
    return VN_OK;
}

static vn_status do_begin(void* self, uint64_t version, vn_point start, vn_point goal, vn_detail* detail) {
    vni_replan* r = (vni_replan*)self;
    r->has_begun = false;
    begin_plan(r);
    const vn_status advanced = r->source.advance(r->source.self, version);
    r->failed = advanced == VN_OUT_OF_MEMORY ? vni_fail(detail, advanced, "no memory for the newest version")
                                             : fit(r, detail);
    if (r->failed != VN_OK)
        return r->failed;

    r->has_begun = true;
    set_ends(r, start, goal);
    begin_anew(r);
    return VN_OK;
}

static void pause(vni_replan* r) {
    if (!r->must_begin && r->kind->pause != NULL)
        r->kind->pause(r);
}

static vn_status do_move(void* self, vn_point start, vn_point goal) {
    vni_replan* r = (vni_replan*)self;
    if (!r->has_begun)
        return VN_BAD_ORDER;

    const vn_point to[2] = {start, goal};
    const vn_point from[2] = {r->ends[0], r->ends[1]};
    if (memcmp(from, to, sizeof to) != 0)
        pause(r);
    begin_plan(r);
    set_ends(r, start, goal);
    if (r->must_begin)
        return VN_OK; // there may be no memory for the graph of now: a step or an advance begins

    bool repaired = true;
    for (uint32_t end = 0; end < 2 && repaired; ++end)
        if (memcmp(&from[end], &to[end], sizeof to[end]) != 0)
            repaired = r->kind->end_changed(r, end, true);
    if (!repaired)
        begin_anew(r);
    else
        r->kind->apply(r);
    return VN_OK;
}

/// Tells the kind of all versions that the source went through. False: it must begin anew.
static bool take_changes(vni_replan* r, uint64_t from) {
    uint32_t count = 0;
    for (uint64_t v = from + 1; v <= r->source.version(r->source.self); ++v) {
        vn_node_changes c;
        if (r->source.get_changes(r->source.self, v, &c) != VN_OK)
            return false;

        for (uint32_t i = 0; i < c.went_count; ++i)
            r->kind->node_went(r, c.went[i]);
        for (uint32_t i = 0; i < c.came_count; ++i)
            r->kind->node_changed(r, c.came[i]);
        for (uint32_t i = 0; i < c.changed_count; ++i)
            r->kind->node_changed(r, c.changed[i]);
        count += c.went_count + c.came_count + c.changed_count;
    }

    // The edges of the ends are the reader's: they are in no list.
    return r->kind->end_changed(r, VN_START_NODE, false) && r->kind->end_changed(r, VN_GOAL_NODE, false) &&
           (r->kind->graph_changed == NULL || r->kind->graph_changed(r, count));
}

static vn_status do_advance(void* self, uint64_t version, vn_detail* detail) {
    vni_replan* r = (vni_replan*)self;
    if (!r->has_begun)
        return VN_BAD_ORDER;

    const uint64_t from = r->source.version(r->source.self);
    pause(r);
    begin_plan(r);
    const vn_status advanced = r->source.advance(r->source.self, version);
    r->failed = advanced == VN_OUT_OF_MEMORY ? vni_fail(detail, advanced, "no memory for the next version")
                                             : fit(r, detail);
    if (r->failed != VN_OK) {
        // What the versions changed is lost with the next advance.
        r->must_begin = r->must_begin || advanced != VN_OUT_OF_MEMORY;
        r->anytime.has_path = false;
        return r->status = r->failed;
    }

    set_ends(r, r->ends[0], r->ends[1]);
    if (advanced != VN_OK || r->must_begin || !take_changes(r, from))
        begin_anew(r);
    else
        r->kind->apply(r);
    return VN_OK;
}

// ---------- stepping

static vn_status ends_status(const vni_replan* r) {
    if (r->end_status[0] == VN_STALE || r->end_status[1] == VN_STALE)
        return VN_STALE;
    if (r->end_status[0] == VN_OUTSIDE || r->end_status[1] == VN_OUTSIDE)
        return VN_OUTSIDE;
    if (r->end_status[VN_START_NODE] != VN_OK)
        return VN_START_BLOCKED;
    return r->end_status[VN_GOAL_NODE] != VN_OK ? VN_GOAL_BLOCKED : VN_OK;
}

static vn_status do_step(void* self, uint64_t max_expansions) {
    vni_replan* r = (vni_replan*)self;
    if (!r->has_begun)
        return VN_BAD_ORDER;
    if (r->failed != VN_OK)
        return r->status = r->failed;
    r->status = ends_status(r);
    if (r->status != VN_OK)
        return r->status;

    if (r->must_begin)
        begin_anew(r);
    r->status = r->kind->step(r, max_expansions);
    r->must_begin = r->status == VN_CAPACITY;
    return r->status;
}

// ---------- the path

static bool append(vni_replan* r, vn_point point) {
    // an end on a node, or an edge that bends at one, gives the same point twice
    if (r->point_count > 0 && memcmp(&r->points[r->point_count - 1], &point, sizeof point) == 0)
        return true;
    if (r->point_count == r->max_points)
        return false;
    r->points[r->point_count++] = point;
    return true;
}

static void turn_around(vni_replan* r) {
    for (uint32_t i = 0, j = r->point_count; i + 1 < j; ++i) {
        const vn_point point = r->points[i];
        r->points[i] = r->points[--j];
        r->points[j] = point;
    }
}

/// Of two neighbours whose edge bends: does the path go over the line of sight?
static bool is_straight(const vni_replan* r, uint32_t node, uint32_t parent) {
    const vn_graph* graph = r->core.graph;
    const uint32_t both[2] = {node, parent};
    vn_point points[2];
    if (!(r->kind->needs & VN_GRAPH_SEES))
        return false;
    graph->points(graph->self, both, 2, points);
    const double cost = vni_plan_at(&r->core.nodes, node)->rhs - vni_plan_at(&r->core.nodes, parent)->g;
    return cost == vni_lifelong_length(vni_distance(points[0], points[1])) &&
           graph->visible(graph->self, node, parent);
}

vn_status vni_replan_lay(vni_replan* r) {
    const vn_graph* graph = r->core.graph;
    r->point_count = 0;
    for (uint32_t node = r->core.leaf, before = VN_NO_NODE; node != VN_NO_NODE;) {
        vn_point point, at;
        graph->points(graph->self, &node, 1, &point);
        const bool bends = before != VN_NO_NODE && graph->bend != NULL &&
                           graph->bend(graph->self, before, node, &at) && !is_straight(r, before, node);
        if ((bends && !append(r, at)) || !append(r, point)) {
            r->point_count = 0;
            return VN_CAPACITY;
        }
        before = node;
        node = node == r->core.root ? VN_NO_NODE : vni_plan_at(&r->core.nodes, node)->parent;
    }

    if (!r->core.backward)
        turn_around(r);
    return VN_OK;
}

static vn_status do_path(void* self, vn_plan* out) {
    vni_replan* r = (vni_replan*)self;
    const bool has_earlier = r->status == VN_RUNNING && r->anytime.has_path && !r->must_begin;
    const bool has_path = r->status == VN_OK || has_earlier;
    *out = (vn_plan){.status = r->has_begun ? r->status : VN_BAD_ORDER,
                     .version = r->source.version(r->source.self),
                     .expanded = r->core.expanded,
                     .sight_checks = r->sight_checks,
                     .restarts = r->restarts};
    if (!r->has_begun || !has_path)
        return out->status;

    out->cost = vni_lifelong_cost(&r->core);
    const vn_status laid = r->kind->lay != NULL ? r->kind->lay(r, &out->cost) : vni_replan_lay(r);
    if (laid != VN_OK)
        return out->status = laid;
    out->points = r->points;
    out->point_count = r->point_count;
    out->bound = r->bound;
    return out->status;
}

// ---------- life

vn_replan_def vn_default_replan_def(void) {
    return (vn_replan_def){.allocator = vn_default_allocator(),
                           .weight = 1,
                           .ad_first = 3,
                           .ad_step = 0.2,
                           .ad_floor = 1,
                           .ad_restart = 0.25,
                           .voxel_size = 1,
                           .cookie = REPLAN_COOKIE};
}

vn_status vn_replan_supports(const vn_graph* graph, vn_replan_algo algo, vn_detail* detail) {
    VNI_ASSERT(graph != NULL);
    const char* name = vn_replan_algo_name(algo);
    if (name == NULL)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no planner number %d", (int)algo);

    const uint32_t missing = kinds[algo]->needs & ~graph->capabilities;
    if (missing & VN_GRAPH_REVERSES)
        return vni_fail(detail, VN_UNSUPPORTED, "%s needs a graph with predecessors", name);
    if (missing & VN_GRAPH_SEES)
        return vni_fail(detail, VN_UNSUPPORTED, "%s needs a graph that can check lines of sight", name);
    if (missing & VN_GRAPH_HAS_KINDS)
        return vni_fail(detail, VN_UNSUPPORTED, "%s needs kinds of nodes; the hybrid graph has them", name);
    if (missing & VN_GRAPH_HAS_CELLS)
        return vni_fail(detail, VN_UNSUPPORTED, "%s needs the voxels of a grid", name);
    if ((kinds[algo]->needs & VN_GRAPH_SEES) && vni_graph_has_zones(graph))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "%s takes straight lines for as long as they are, and this graph has zones: take "
                        "field-dstar on a grid, or mtdstar",
                        name);
    if (kinds[algo]->node_limit != NULL && kinds[algo]->node_limit(graph) > UINT32_MAX)
        return vni_fail(detail, VN_UNSUPPORTED, "%s needs more nodes than there are ids: a smaller grid",
                        name);
    return VN_OK;
}

static bool is_weight(double weight) {
    return weight >= 1 && weight <= 1e6;
}

static vn_status check(const vn_graph_source* source, const vn_replan_def* def, vn_detail* detail) {
    if (def->cookie != REPLAN_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the planner's def with vn_default_replan_def, then change what you mean");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");

    const vn_graph* graph = source->graph(source->self);
    const vn_status status = vn_replan_supports(graph, def->algo, detail);
    if (status != VN_OK)
        return status;
    if (def->backward && !kinds[def->algo]->turns)
        return vni_fail(detail, VN_UNSUPPORTED, "%s has one direction only", kinds[def->algo]->name);
    if (!is_weight(def->weight) || !is_weight(def->ad_first) || !is_weight(def->ad_floor))
        return vni_fail(detail, VN_BAD_ARGUMENT, "a weight is 1 to 1e6");
    if (!(def->ad_step > 0) || !(def->ad_restart > 0) || !(def->voxel_size > 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "ad_step, ad_restart and voxel_size are above 0");
    if (def->heuristic == VN_HEURISTIC_R16)
        return vni_fail(detail, VN_UNSUPPORTED, "planners need a heuristic that never overestimates");
    if (def->heuristic == VN_HEURISTIC_MANHATTAN && graph->cells != NULL && graph->cells->neighbours == 26)
        return vni_fail(detail, VN_UNSUPPORTED, "the Manhattan heuristic overestimates with 26 neighbours");
    if (def->heuristic != VN_HEURISTIC_DEFAULT && def->heuristic != VN_HEURISTIC_EUCLIDEAN &&
        !(graph->capabilities & VN_GRAPH_IS_GRID))
        return vni_fail(detail, VN_UNSUPPORTED, "this graph takes the Euclidean heuristic only");
    return VN_OK;
}

static void do_free(void* self) {
    vni_replan* r = (vni_replan*)self;
    if (r == NULL)
        return;
    const vn_allocator allocator = r->def.allocator;
    vni_lifelong_free(&r->core);
    VNI_DELETE_ARRAY(&allocator, r->points, r->max_points);
    VNI_DELETE(&allocator, r);
}

vn_status vn_replan_create(const vn_graph_source* source, const vn_replan_def* def, vn_planner* out,
                           vn_detail* detail) {
    VNI_ASSERT(source != NULL && def != NULL && out != NULL);
    *out = (vn_planner){0};
    const vn_status status = check(source, def, detail);
    if (status != VN_OK)
        return status;

    vni_replan* r = VNI_NEW(&def->allocator, vni_replan);
    if (r == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a planner");
    r->source = *source;
    r->def = *def;
    r->kind = kinds[def->algo];
    r->observer = (vni_observer){def->observe, def->observe_user, def->voxel_size};
    vni_lifelong_make(&def->allocator, &r->core);
    r->core.rules = &r->kind->rules;
    r->core.self = r;
    r->core.backward = r->kind->turns ? def->backward : r->kind->backward;
    r->core.recompute_all = def->recompute_all;
    r->core.observer = def->observe != NULL ? &r->observer : NULL;

    const uint32_t points = def->max_points > 0 ? def->max_points : 65536;
    r->points = VNI_NEW_ARRAY(&def->allocator, vn_point, points);
    r->max_points = r->points != NULL ? points : 0;
    if (r->points == NULL) {
        do_free(r);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for paths of %u points", points);
    }

    *out = (vn_planner){r, do_begin, do_move, do_advance, do_step, do_path, do_free};
    return VN_OK;
}

void vn_replan_get_memory(const vn_planner* planner, vn_memory* out) {
    VNI_ASSERT(planner != NULL && planner->free == do_free && out != NULL);
    const vni_replan* r = (const vni_replan*)planner->self;
    vni_plan_nodes_memory(&r->core.nodes, out);
    vni_memory_add(out, "planner", sizeof *r + r->max_points * sizeof *r->points);
}
