/// bindings/js/glue_plan.c: planners that repair their path in a nav (volnav/replan.h), frame by frame.
#include "glue_nav.h"
#include "glue_order.h"
#include "volnav/replan.h"

#include <stdlib.h>

typedef struct repairer {
    navigator* nav;
    vn_nav_graph* graph;
    vn_planner planner;
    bool watched; ///< what it expands is kept for the next plan
    bool cells;
    glue_order order;
    glue_list positions;
    double voxel;
} repairer;

EXPORT(js_plan_destroy) void js_plan_destroy(repairer* r) {
    if (r == NULL)
        return;
    if (r->planner.free != NULL)
        r->planner.free(r->planner.self);
    vn_nav_graph_destroy(r->graph);
    glue_free_order(&r->order);
    glue_free(&r->positions);
    js_nav_destroy(r->nav);
    free(r);
}

static vn_status make(repairer* r, const char* algo, int kind, double weight, vn_detail* detail) {
    vn_nav_graph_def graph = vn_default_nav_graph_def();
    vn_replan_def def = vn_default_replan_def();
    vn_space_info info;
    graph.kind = (vn_nav_graph_kind)kind;
    graph.radius = r->nav->layers[0].radius;
    graph.open_flags = r->nav->layers[0].open_flags;
    if (!vn_replan_algo_from_name(algo, &def.algo, &def.backward))
        return VN_NOT_FOUND;
    const vn_status status = vn_nav_graph_create(r->nav->nav, &graph, &r->graph, detail);
    if (status != VN_OK)
        return status;

    vn_space_get_info(vn_nav_graph_space(r->graph), &info);
    r->voxel = def.voxel_size = (double)info.resolution;
    r->cells = graph.kind == VN_NAV_CELLS_PORTAL || graph.kind == VN_NAV_CELLS_CENTRE;
    def.weight = weight;
    def.observe = r->watched ? glue_observe : NULL;
    def.observe_user = &r->order;
    const vn_graph_source source = vn_nav_graph_source(r->graph);
    return vn_replan_create(&source, &def, &r->planner, detail);
}

/// `kind`: vn_nav_graph_kind, one that the nav has. out: the handle.
EXPORT(js_plan_create)
int js_plan_create(navigator* nav, const char* algo, int kind, double weight, int watched) {
    repairer* r = calloc(1, sizeof *r);
    vn_status status = VN_OUT_OF_MEMORY;
    glue_begin();
    if (r != NULL) {
        r->nav = nav;
        ++nav->users;
        r->watched = watched != 0;
        status = make(r, algo, kind, weight, glue_begin());
    }
    if (status != VN_OK) {
        js_plan_destroy(r);
        r = NULL;
    }
    glue_put_pointer(0, r);
    return glue_done(status);
}

/// Begins anew from start to goal (`what` 0), or moves the ends (1).
EXPORT(js_plan_ends) int js_plan_ends(repairer* r, const double* ends, int what) {
    const vn_space* space = vn_nav_graph_space(r->graph);
    vn_point start, goal;
    glue_begin();
    vn_status status = vn_space_point_from_world(space, glue_position(ends), &start);
    if (status == VN_OK)
        status = vn_space_point_from_world(space, glue_position(ends + 3), &goal);
    if (status != VN_OK)
        return glue_done(status);
    return glue_done(what == 0 ? r->planner.begin(r->planner.self, 0, start, goal, glue_begin())
                               : r->planner.move(r->planner.self, start, goal));
}

/// To the newest version of the nav.
EXPORT(js_plan_advance) int js_plan_advance(repairer* r) {
    return glue_done(r->planner.advance(r->planner.self, 0, glue_begin()));
}

static bool take_first(void* user, vn_voxel low, vn_voxel high) {
    *(vn_voxel_box*)user = (vn_voxel_box){low, high};
    return false;
}

static void box_of(void* user, const glue_step* step, vn_voxel* low, vn_voxel* high) {
    const repairer* r = user;
    const vn_space* space = vn_nav_graph_space(r->graph);
    const vn_voxel at = vn_space_voxel_at(space, step->point);
    const vn_voxel next = {at.x + 1, at.y + 1, at.z + 1};
    vn_voxel_box box = {at, next};
    if (r->cells)
        vn_space_visit_cells(space, at, next, take_first, &box);
    *low = box.low;
    *high = box.high;
}

/// Works for up to `most` expansions, 0: to the end. Returns the status. out: positions, how many, cost,
/// bound, expanded, sights, restarts, version; of a watched one the order of what it expanded since the last
/// call, from 12 on.
EXPORT(js_plan_step) int js_plan_step(repairer* r, double most) {
    const vn_space* space = vn_nav_graph_space(r->graph);
    vn_plan plan = {0};
    glue_begin();
    const vn_status status = r->planner.step(r->planner.self, most > 0 ? (uint64_t)most : UINT64_MAX);
    (void)r->planner.path(r->planner.self, &plan);
    vn_dvec3* to = glue_room(&r->positions, (plan.point_count + 1) * sizeof *to);
    if (to == NULL)
        return glue_done(VN_OUT_OF_MEMORY);

    if (plan.point_count > 0)
        vn_space_points_to_world(space, plan.points, plan.point_count, to);
    glue_put_pointer(0, to);
    glue_out[1] = plan.point_count;
    glue_out[2] = plan.cost * r->voxel;
    glue_out[3] = plan.bound;
    glue_out[4] = (double)plan.expanded;
    glue_out[5] = (double)plan.sight_checks;
    glue_out[6] = (double)plan.restarts;
    glue_out[7] = (double)plan.version;
    const vn_status given = r->watched ? glue_give_order(12, &r->order, space, box_of, r) : VN_OK;
    return glue_done(given != VN_OK ? given : status);
}
