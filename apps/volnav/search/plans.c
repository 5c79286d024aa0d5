/// volnav/search/plans.c: planners of the command line: their spaces, and one plan.
#include "search/plans.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/graphs.h"
#include "shell/system.h"

const char* plans_space_name(const char* space) {
    return strcmp(space, "cells") == 0 ? vn_classic_kind_name(VN_CLASSIC_GRID) : space;
}

static bool is_grid(const char* space) {
    return strcmp(plans_space_name(space), vn_classic_kind_name(VN_CLASSIC_GRID)) == 0;
}

// --------------------------------------------------------------------------------------------------- options

/// What planners do not know, in words; null: nothing.
static const char* unknown_part(const search_options* o, const vn_path_request* r, bool grid) {
    const char* unknown = graphs_unknown_part(r);
    return unknown != NULL                                                 ? unknown
           : r->refine != VN_REFINE_DEFAULT && r->refine != VN_REFINE_NONE ? "refinement"
           : o->g_weight != 1 || o->h_weight != 1                          ? "--weight-g and --weight-h"
           : !grid && r->zone_count > 0                                    ? "zones but on --space grid"
           : o->has_max_depth                                              ? "trees of limited depth"
                                                                           : NULL;
}

bool plans_is_any_angle(vn_replan_algo planner) {
    return planner == VN_REPLAN_AAMT || planner == VN_REPLAN_AAMT_FAST || planner == VN_REPLAN_FIELD ||
           planner == VN_REPLAN_AA_AD;
}

static void refuse(const search_options* options, const search_algo* algo, const char* space,
                   const vn_path_request* request, vn_detail* detail) {
    const bool grid = is_grid(space);
    const bool weighs = algo->planner == VN_REPLAN_DSTAR_LITE || algo->planner == VN_REPLAN_FIELD;
    const char* unknown = unknown_part(options, request, grid);
    detail->text[0] = '\0';
    if (unknown != NULL) {
        snprintf(detail->text, sizeof detail->text,
                 "%s is a planner, and planners do not know %s: leave that out, or leave out --algo",
                 algo->name, unknown);
    } else if (grid && strcmp(options->graph, "transitions") == 0) {
        snprintf(detail->text, sizeof detail->text,
                 "--graph transitions: on the grid planners go from voxel to voxel; leave it out, or choose "
                 "--space octree or merged");
    } else if (request->weight > 1 && !weighs) {
        snprintf(detail->text, sizeof detail->text,
                 "--weight: of the planners dstar-lite and field-dstar take one, %s does not; ad-star has "
                 "--ara-first and --ara-step",
                 algo->name);
    } else if (options->max_nodes > UINT32_MAX - 1) {
        snprintf(detail->text, sizeof detail->text, "--max-nodes %llu is too large",
                 (unsigned long long)options->max_nodes);
    }
}

vn_status plans_def(const search_options* options, const search_algo* algo, const char* space,
                    const vn_path_request* request, vn_replan_def* out, vn_detail* detail) {
    assert(algo->is_planner);
    *out = vn_default_replan_def();
    refuse(options, algo, space, request, detail);
    if (detail->text[0] != '\0') {
        return VN_UNSUPPORTED;
    }

    out->algo = algo->planner;
    out->backward = algo->backward;
    out->heuristic = request->heuristic;
    out->weight = request->weight > 1 ? request->weight : 1;
    out->ad_first = options->ara_first;
    out->ad_step = options->ara_step;
    out->max_nodes = (uint32_t)options->max_nodes;
    return VN_OK;
}

// ---------------------------------------------------------------------------------------------------- spaces

int plans_build(const loaded* in, const search_options* options, const road_options* areas, const char* space,
                bool quiet, plan_space* out) {
    if (out->name != NULL) {
        return EXIT_DONE;
    }

    out->name = plans_space_name(space);
    out->is_road = roads_kind(space, &out->road);
    if (out->is_road) {
        return roads_build(in, areas, out->road, quiet, &out->roads);
    }

    out->trees.follows = true;
    out->tree = VN_CLASSIC_GRID;
    return is_grid(space) || !vn_classic_kind_from_name(space, &out->tree)
               ? EXIT_DONE
               : classics_build(in, options, out->tree, quiet, &out->trees);
}

void plans_free_space(plan_space* space) {
    classics_free(&space->trees);
    roads_free(&space->roads);
    memset(space, 0, sizeof *space);
}

// ----------------------------------------------------------------------------------------------------- plans

static vn_status open_voxels(const loaded* in, const vn_path_request* request, one_plan* p,
                             vn_detail* detail) {
    vn_space_graph_def def = vn_default_space_graph_def();
    def.kind = request->neighbours == 6 ? VN_NAV_GRID6 : VN_NAV_GRID26;
    def.zones = request->zones;
    def.zone_count = request->zone_count;
    def.zone_flags = request->zone_flags;
    const vn_status status = vn_space_graph_create(in->space, &def, &p->voxels, detail);
    if (status == VN_OK) {
        p->source = vn_space_graph_source(p->voxels);
    }
    return status;
}

static vn_status open_tree(const plan_space* space, const search_options* options, one_plan* p,
                           vn_detail* detail) {
    vn_classic_graph graph = VN_GRAPH_DEFAULT;
    (void)vn_classic_graph_from_name(options->graph, &graph); // search_request has checked it
    const vn_status status = vn_classic_view_create(space->trees.kinds[space->tree], graph, &p->tree, detail);
    if (status == VN_OK) {
        p->source = vn_classic_view_source(p->tree);
    }
    return status;
}

static vn_status open_road(const plan_space* space, one_plan* p, vn_detail* detail) {
    const vn_status status = vn_roadmap_view_create(space->roads.roadmap, &p->road, detail);
    if (status == VN_OK) {
        p->source = vn_roadmap_view_source(p->road);
    }
    return status;
}

/// After the reason why a planner cannot plan there: the option that helps.
static void add_way_out(vn_replan_algo planner, vn_detail* detail) {
    const char* way = planner == VN_REPLAN_FIELD       ? "; choose --space grid"
                      : planner == VN_REPLAN_AAMT_FAST ? "; choose --space hybrid"
                                                       : "";
    const size_t used = strlen(detail->text);
    snprintf(detail->text + used, sizeof detail->text - used, "%s", way);
}

vn_status plans_create(const loaded* in, const plan_space* space, const search_options* options,
                       const vn_replan_def* def, const vn_path_request* request, one_plan* out,
                       vn_detail* detail) {
    const vn_status status = space->is_road                   ? open_road(space, out, detail)
                             : space->tree != VN_CLASSIC_GRID ? open_tree(space, options, out, detail)
                                                              : open_voxels(in, request, out, detail);
    if (status != VN_OK) {
        return status;
    }

    const vn_status made = vn_replan_create(&out->source, def, &out->planner, detail);
    if (made == VN_UNSUPPORTED) {
        add_way_out(def->algo, detail);
    }
    return made;
}

void plans_free(one_plan* p) {
    if (p->planner.free != NULL) {
        p->planner.free(p->planner.self);
    }

    vn_space_graph_destroy(p->voxels);
    vn_classic_view_destroy(p->tree);
    vn_roadmap_view_destroy(p->road);
    free(p->points);
    memset(p, 0, sizeof *p);
}

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Voxels.
static double distance(vn_point a, vn_point b) {
    const double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z) / VN_LATTICE;
}

/// Is b on the way from a to c, exactly? No where numbers are too large to be sure.
static bool is_between(vn_point a, vn_point b, vn_point c) {
    const double p[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
    const double q[3] = {(double)c.x - b.x, (double)c.y - b.y, (double)c.z - b.z};
    for (int i = 0; i < 3; ++i) {
        const double left = p[i] * q[(i + 1) % 3], right = p[(i + 1) % 3] * q[i];
        if (left != right || fabs(left) > 9007199254740992.0 || p[i] * q[i] < 0) {
            return false;
        }
    }
    return true;
}

static void add_point(one_plan* p, vn_point point, uint32_t* count) {
    if (*count > 0 && is_same(p->points[*count - 1], point)) {
        return;
    }

    if (*count > 1 && is_between(p->points[*count - 2], p->points[*count - 1], point)) {
        --*count;
    }
    p->points[(*count)++] = point;
}

/// On the grid a plan leads from the centre of a voxel to that of another: the ends are joined to it, inside
/// their voxels, and cost what they are long. Collinear points are left out. Returns the cost, in voxels.
static double take_points(one_plan* p, const vn_plan* found, vn_point start, vn_point goal, uint32_t* count) {
    if (p->capacity < found->point_count + 2) {
        free(p->points);
        p->capacity = found->point_count + 2;
        p->points = say_alloc(p->capacity, sizeof *p->points);
    }

    *count = 0;
    add_point(p, start, count);
    const bool in_one_voxel = found->point_count == 1;
    for (uint32_t i = 0; i < found->point_count && !in_one_voxel; ++i) {
        add_point(p, found->points[i], count);
    }

    add_point(p, goal, count);
    return in_one_voxel ? distance(start, goal)
                        : found->cost + distance(start, found->points[0]) +
                              distance(found->points[found->point_count - 1], goal);
}

static double length_of(const one_plan* p, uint32_t count) {
    double length = 0;
    for (uint32_t i = 1; i < count; ++i) {
        length += distance(p->points[i - 1], p->points[i]);
    }
    return length;
}

vn_status plans_find(const loaded* in, one_plan* p, const vn_replan_def* def, vn_point start, vn_point goal,
                     uint64_t budget, vn_classic_result* out, uint32_t* count) {
    const double resolution = (double)in->info.resolution;
    vn_plan found = {0};
    memset(out, 0, sizeof *out);
    *count = 0;
    vn_status status = p->planner.begin(p->planner.self, 0, start, goal, NULL);
    if (status == VN_OK) {
        status = p->planner.step(p->planner.self, budget > 0 ? budget : UINT64_MAX);
        const vn_status laid = p->planner.path(p->planner.self, &found);
        status = status == VN_OK ? laid : status;
    }

    out->path.reason = status == VN_RUNNING ? VN_BUDGET_SPENT : status;
    status = status == VN_RUNNING && found.point_count > 0 ? VN_OK : out->path.reason;
    out->path.expanded = found.expanded;
    out->sight_checks = found.sight_checks;
    out->path.weight = def->weight;
    if (status == VN_OK) {
        out->path.cost = out->search_cost = resolution * take_points(p, &found, start, goal, count);
        out->path.length = resolution * length_of(p, *count);
        out->path.bound = found.bound;
        out->path.point_count = *count;
    }

    return out->path.status = status;
}

void plans_run(const loaded* in, one_plan* p, const vn_replan_def* def, const vn_path_request* request,
               const double* from, const double* to, search_outcome* out) {
    vn_classic_result result;
    vn_point asked[2], ends[2];
    if (!graphs_place(in, &p->source, from, to, request->snap_distance, asked, ends, out)) {
        return;
    }

    const double begin = system_thread_seconds();
    const vn_status status = plans_find(in, p, def, ends[0], ends[1], request->budget, &result, &out->count);
    out->seconds = system_thread_seconds() - begin;
    out->path = result.path;
    out->sight_checks = result.sight_checks;
    out->search_cost = result.search_cost;
    out->points = status == VN_OK ? p->points : NULL;
    graphs_measure(in->space, out);
    graphs_judge(in, status, asked, ends, out);
}
