/// run/krafft_course.c: the world that an agent in Krafft's scene knows, in a nav, and its paths: by the
/// nav's own cells, by a search from scratch each time, or by a planner that repairs.
#include "run/krafft_inside.h"

enum { HISTORY = 64, TICKS = 8 };

typedef enum way { ASK, SEARCH, REPAIR } way;

/// "-2": with a weight of 2; "-04": passes whose weights fall by 0.4 (Krafft 2019, 5.2).
const char vni_course_algos[] = "cells astar theta theta-fast ara dstar-lite ad-star mtdstar-basic mtdstar "
                                "aamtdstar aamtdstar-fast astar-2 theta-2 dstar-lite-2 ara-04 ad-star-04";
const char vni_course_spaces[] = "cells grid hybrid waypoints";

static const struct {
    way way;
    int algo;
    bool any_angle;
    double weight; ///< on the heuristic; 0: 1
    double fall;   ///< ARA*, AD*: what weights fall by; 0: their default
} algos[] = {{ASK, 0, true, 0, 0},
             {SEARCH, VN_CLASSIC_ASTAR, false, 0, 0},
             {SEARCH, VN_CLASSIC_THETA, true, 0, 0},
             {SEARCH, VN_CLASSIC_THETA_FAST, true, 0, 0},
             {SEARCH, VN_CLASSIC_ARA, false, 0, 0},
             {REPAIR, VN_REPLAN_DSTAR_LITE, false, 0, 0},
             {REPAIR, VN_REPLAN_AD, false, 0, 0},
             {REPAIR, VN_REPLAN_MT_BASIC, false, 0, 0},
             {REPAIR, VN_REPLAN_MT, false, 0, 0},
             {REPAIR, VN_REPLAN_AAMT, true, 0, 0},
             {REPAIR, VN_REPLAN_AAMT_FAST, true, 0, 0},
             {SEARCH, VN_CLASSIC_ASTAR, false, 2, 0},
             {SEARCH, VN_CLASSIC_THETA, true, 2, 0},
             {REPAIR, VN_REPLAN_DSTAR_LITE, false, 2, 0},
             {SEARCH, VN_CLASSIC_ARA, false, 0, 0.4},
             {REPAIR, VN_REPLAN_AD, false, 0, 0.4}};

bool vni_course_walks(const vni_course_def* def) {
    return def->space == VNI_ON_GRID && !algos[def->algo].any_angle;
}

bool vni_course_is_any_angle(const vni_course_def* def) {
    return algos[def->algo].any_angle;
}

// ------------------------------------------------------------------------------------------------ the world

static vn_status add_reaches(const vn_moving_scene* scene, vn_world* world, vn_detail* detail) {
    vn_moving_scene_info info;
    vn_status status = VN_OK;
    vn_moving_scene_get_info(scene, &info);
    for (uint32_t i = 0; status == VN_OK && i < info.movers; ++i) {
        vn_mover_info mover;
        vn_moving_scene_get_mover(scene, i, &mover);
        const vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = mover.reach};
        status = vn_world_add(world, &shape, NULL, detail);
    }
    return status;
}

vn_status vni_krafft_world(const vn_allocator* allocator, const vn_moving_scene* scene, bool reach,
                           vn_staging* staging, const vn_blinkers* blinkers, vn_world** out,
                           vn_detail* detail) {
    vn_world_def def = vn_default_world_def();
    def.allocator = *allocator;
    vn_status status = vn_world_create(&def, out);
    if (status != VN_OK) {
        *out = NULL;
        return vni_refuse(detail, status, 0, "no memory for a world");
    }

    status = vn_moving_scene_build(scene, *out, detail);
    if (status == VN_OK && reach)
        status = add_reaches(scene, *out, detail);
    if (status == VN_OK && staging != NULL)
        status = vn_staging_to_world(staging, *out, 0, blinkers, detail);
    if (status != VN_OK) {
        vn_world_destroy(*out);
        *out = NULL;
    }
    return status;
}

vn_space_def vni_krafft_space(const vn_allocator* allocator, const vn_moving_scene* scene, float radius) {
    vn_space_def def = vn_default_space_def();
    vn_moving_scene_info info;
    vn_moving_scene_get_info(scene, &info);
    def.allocator = *allocator;
    def.resolution = info.resolution;
    def.radius = radius;
    def.has_bounds = true;
    def.bounds = info.bounds;
    return def;
}

static vn_status make_staging(const vni_course_def* def, vn_staging** out) {
    vn_staging_def staging = vn_default_staging_def();
    staging.allocator = def->allocator;
    staging.scene = def->scene;
    staging.planning = def->planning;
    return vn_staging_create(&staging, out);
}

static vn_status open_nav(vni_course* c, vn_detail* detail) {
    vn_nav_def def = vn_default_nav_def();
    vn_world* world = NULL;
    vn_status status = make_staging(&c->def, &c->staging);
    if (status == VN_OK)
        status = vni_krafft_world(&c->def.allocator, c->def.scene, false, c->staging, &c->def.blinkers,
                                  &world, detail);
    if (status != VN_OK)
        return status;

    def.allocator = c->def.allocator;
    def.workers = c->def.workers;
    def.mode = VN_NAV_LOCKSTEP;
    def.latency = 1;
    def.space = vni_krafft_space(&c->def.allocator, c->def.scene, 0);
    def.layers[0].radius = c->def.radius;
    def.max_points = VNI_KRAFFT_POINTS;
    def.max_requests = 2;
    def.history = HISTORY;
    def.graphs = c->def.space == VNI_ON_GRID    ? 1u << VN_NAV_GRID6
                 : c->def.space == VNI_ON_CELLS ? 1u << VN_NAV_CELLS_PORTAL
                                                : 0;
    status = vn_nav_create(world, &def, &c->nav, detail);
    if (status != VN_OK) {
        vn_world_destroy(world);
        return status;
    }
    c->space = vn_nav_pin(c->nav, (double)c->def.radius, 0, &c->version);
    return c->space != NULL ? VN_OK : vni_refuse(detail, VN_UNSUPPORTED, 0, "the nav has no such layer");
}

// ------------------------------------------------------------------------------------------------- roadmaps

static double square(double x) {
    return x * x;
}

/// The voxels that a rotor about z or x may ever block: column by column along its axis. `grown`: what the
/// layer and the voxels themselves add.
static void add_rotor(vn_area* area, const vn_mover_info* m, double grown) {
    const vn_dvec3 low = vni_exact(m->reach.min), high = vni_exact(m->reach.max);
    const vn_dvec3 middle = vni_scaled(vni_sum(low, high), 0.5);
    const bool about_z = m->axis == 2;
    const double a = about_z ? middle.x : middle.z, from = (about_z ? low.x : low.z) - grown,
                 to = (about_z ? high.x : high.z) + grown, radius = 0.5 * (to - from) + 1;
    for (int32_t i = (int32_t)floor(from); i <= (int32_t)floor(to); ++i) {
        const double rest = square(radius) - square(i + 0.5 - a), half = rest > 0 ? sqrt(rest) : 0;
        const int32_t first = (int32_t)floor(middle.y - half), last = (int32_t)floor(middle.y + half) + 1;
        const int32_t along_low = (int32_t)floor((about_z ? low.z : low.x) - grown),
                      along_high = (int32_t)floor((about_z ? high.z : high.x) + grown) + 1;
        vn_area_add_box(area, about_z ? (vn_voxel){i, first, along_low} : (vn_voxel){along_low, first, i},
                        about_z ? (vn_voxel){i + 1, last, along_high} : (vn_voxel){along_high, last, i + 1});
    }
}

static void add_box(vn_area* area, const vn_box* b, double grown) {
    const vn_dvec3 low = vni_exact(b->min), high = vni_exact(b->max);
    vn_area_add_box(area,
                    (vn_voxel){(int32_t)floor(low.x - grown), (int32_t)floor(low.y - grown),
                               (int32_t)floor(low.z - grown)},
                    (vn_voxel){(int32_t)floor(high.x + grown) + 1, (int32_t)floor(high.y + grown) + 1,
                               (int32_t)floor(high.z + grown) + 1});
}

/// Wherever a mover, or its planning volume, can be. Voxels are metres in this scene.
static void fill_area(const vni_course_def* def, vn_area* area) {
    vn_moving_scene_info info;
    vn_moving_scene_get_info(def->scene, &info);
    for (uint32_t i = 0; i < info.movers; ++i) {
        vn_mover_info m;
        vn_moving_scene_get_mover(def->scene, i, &m);
        const double stretch = (double)m.planning.as.box.max.x - (double)m.shape.as.box.max.x +
                               (double)m.planning.as.box.max.y - (double)m.shape.as.box.max.y +
                               (double)m.planning.as.box.max.z - (double)m.shape.as.box.max.z;
        const double grown = (double)def->radius + (def->planning ? stretch : 0);
        if (m.kind == VN_MOTION_TURN && m.axis != 1)
            add_rotor(area, &m, grown);
        else
            add_box(area, &m.reach, grown);
    }
}

static vn_status make_hybrid(vni_course* c, const vn_roadmap_def* def, const vn_space* fixed,
                             vn_detail* detail) {
    vn_area* area = NULL;
    vn_status status = vn_area_create(&c->def.allocator, fixed, &area, detail);
    if (status == VN_OK) {
        fill_area(&c->def, area);
        status = vn_roadmap_create_hybrid(fixed, area, c->space, def, &c->roadmap, detail);
    }
    vn_area_destroy(area);
    return status;
}

/// Hybrid graphs begin from the walls alone, waypoints from the whole world as it is at first.
static vn_status open_roadmap(vni_course* c, vn_detail* detail) {
    const bool hybrid = c->def.space == VNI_ON_HYBRID;
    const vn_space_def bake = vni_krafft_space(&c->def.allocator, c->def.scene, c->def.radius);
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_staging* staging = NULL;
    vn_world* world = NULL;
    vn_space* space = NULL;
    def.allocator = c->def.allocator;
    def.version = c->version;
    def.history = HISTORY;
    def.margin = 0.7f;
    def.indirect = 8; // with the one of Krafft 2019 the graph falls into pieces here
    vn_status status = hybrid ? VN_OK : make_staging(&c->def, &staging);
    if (status == VN_OK)
        status = vni_krafft_world(&c->def.allocator, c->def.scene, false, staging, &c->def.blinkers, &world,
                                  detail);
    if (status == VN_OK)
        status = vn_space_bake(world, &bake, &space, detail);
    if (status == VN_OK)
        status = hybrid ? make_hybrid(c, &def, space, detail)
                        : vn_roadmap_create_waypoints(world, space, &def, &c->roadmap, detail);

    vn_space_destroy(space);
    if (world != NULL)
        vn_world_destroy(world);
    vn_staging_destroy(staging);
    if (status == VN_OK)
        status = vn_roadmap_view_create(c->roadmap, &c->view, detail);
    if (status == VN_OK)
        c->source = vn_roadmap_view_source(c->view);
    return status;
}

// -------------------------------------------------------------------------------------------------- opening

static vn_status open_graph(vni_course* c, vn_detail* detail) {
    vn_nav_graph_def def = vn_default_nav_graph_def();
    def.kind = c->def.space == VNI_ON_GRID ? VN_NAV_GRID6 : VN_NAV_CELLS_PORTAL;
    def.radius = c->def.radius;
    const vn_status status = vn_nav_graph_create(c->nav, &def, &c->graph, detail);
    if (status == VN_OK)
        c->source = vn_nav_graph_source(c->graph);
    return status;
}

/// The theses search by straight distances; on the grid Manhattan's finds paths of the same length sooner.
static vn_heuristic heuristic_of(const vni_course* c) {
    return c->def.planning ? VN_HEURISTIC_EUCLIDEAN : VN_HEURISTIC_DEFAULT;
}

static double setting(double own, double standard) {
    return own > 0 ? own : standard;
}

static vn_status open_search(vni_course* c, vn_detail* detail) {
    const vn_graph* graph = c->source.graph(c->source.self);
    if (algos[c->def.algo].way == SEARCH) {
        vn_graph_query_def def = vn_default_graph_query_def();
        def.allocator = c->def.allocator;
        def.node_limit = graph->node_limit;
        const vn_status status = vn_graph_supports(graph, (vn_classic_algo)algos[c->def.algo].algo, detail);
        return status == VN_OK ? vn_graph_query_create(&def, &c->query, detail) : status;
    }

    vn_replan_def def = vn_default_replan_def();
    def.allocator = c->def.allocator;
    def.algo = (vn_replan_algo)algos[c->def.algo].algo;
    def.heuristic = heuristic_of(c);
    def.weight = setting(algos[c->def.algo].weight, def.weight);
    def.ad_step = setting(algos[c->def.algo].fall, def.ad_step);
    return vn_replan_create(&c->source, &def, &c->planner, detail);
}

vn_status vni_course_open(const vni_course_def* def, vni_course* c, vn_detail* detail) {
    const bool asks = algos[def->algo].way == ASK;
    c->def = *def;
    if (asks && def->space != VNI_ON_CELLS)
        return vni_refuse(detail, VN_UNSUPPORTED, 0, "the nav's own search is on cells only");
    c->points = def->allocator.alloc(def->allocator.user, VNI_KRAFFT_POINTS * sizeof *c->points);
    if (c->points == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a path");

    vn_status status = open_nav(c, detail);
    if (status == VN_OK && !asks)
        status = def->space == VNI_ON_GRID || def->space == VNI_ON_CELLS ? open_graph(c, detail)
                                                                         : open_roadmap(c, detail);
    return status == VN_OK && !asks ? open_search(c, detail) : status;
}

void vni_course_close(vni_course* c) {
    if (c->planner.free != NULL)
        c->planner.free(c->planner.self);
    vn_graph_query_destroy(c->query);
    vn_roadmap_view_destroy(c->view);
    vn_roadmap_destroy(c->roadmap);
    vn_nav_graph_destroy(c->graph);
    vn_nav_destroy(c->nav);
    vn_staging_destroy(c->staging);
    if (c->points != NULL)
        c->def.allocator.release(c->def.allocator.user, c->points, VNI_KRAFFT_POINTS * sizeof *c->points);
    *c = (vni_course){.count = 0};
}

// ------------------------------------------------------------------------------------------------ following

static vn_status follow(vni_course* c, uint64_t version, const vn_space* space, vn_detail* detail) {
    const vn_changes* changes;
    vn_status status = vn_nav_get_changes(c->nav, version, &changes);
    if (status != VN_OK)
        return vni_refuse(detail, status, 0, "the changes of a version are not kept");
    status = vn_roadmap_follow(c->roadmap, space, version, changes, 0, detail);
    vn_nav_release_changes(c->nav, changes);
    return status;
}

vn_status vni_course_advance(vni_course* c, double seconds, const vn_blinkers* blinkers, vn_detail* detail) {
    uint64_t version;
    vn_status status = vn_staging_to_nav(c->staging, c->nav, seconds, blinkers, detail);

    // An update that begins in one tick is there in the next.
    for (int i = 0; status == VN_OK && i < 2; ++i)
        status = vn_nav_tick(c->nav, detail);
    if (status != VN_OK)
        return status;

    const vn_space* space = vn_nav_pin(c->nav, (double)c->def.radius, 0, &version);
    if (version != c->version && c->roadmap != NULL)
        status = follow(c, version, space, detail);
    (void)vn_nav_unpin(c->nav, c->version);
    c->space = space;
    c->version = version;
    return status;
}

// ------------------------------------------------------------------------------------------------ searching

static bool is_answer(vn_status status) {
    return status == VN_OK || status == VN_NO_PATH || status == VN_START_BLOCKED ||
           status == VN_GOAL_BLOCKED || status == VN_TOO_NARROW || status == VN_BLOCKED ||
           status == VN_OUTSIDE;
}

static void take_points(vni_course* c, vn_status status, const vn_point* points, uint32_t count) {
    if (status != VN_OK)
        return;
    c->count = count < VNI_KRAFFT_POINTS ? count : VNI_KRAFFT_POINTS;
    vn_space_points_to_world(c->space, points, c->count, c->points);
}

static vn_status ask(vni_course* c, vn_point from, vn_point to, vn_detail* detail) {
    vn_nav_request request = vn_default_nav_request();
    vn_nav_result result = {0};
    vn_request_id id;
    bool got = false;
    request.path.start = from;
    request.path.goal = to;
    vn_status status = vn_nav_submit(c->nav, &request, &id, detail);
    for (int i = 0; status == VN_OK && !got && i < TICKS; ++i) {
        status = vn_nav_tick(c->nav, detail);
        got = status == VN_OK && vn_nav_next_result(c->nav, &result);
    }
    if (status != VN_OK || !got)
        return status != VN_OK ? status : vni_refuse(detail, VN_BAD_ORDER, 0, "a request has no result");

    status = result.result.status;
    c->expanded += result.result.expanded;
    take_points(c, status, result.points, result.point_count);
    vn_nav_release_result(c->nav, id);
    return status;
}

static vn_status search(vni_course* c, vn_point from, vn_point to, vn_detail* detail) {
    const vn_graph_source* source = &c->source;
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result = {0};
    request.algo = (vn_classic_algo)algos[c->def.algo].algo;
    request.heuristic = heuristic_of(c);
    request.weight = setting(algos[c->def.algo].weight, request.weight);
    request.ara_step = setting(algos[c->def.algo].fall, request.ara_step);

    // A search needs no changes: that some are no longer kept is nothing to it.
    vn_status status = source->advance(source->self, 0);
    status = status == VN_STALE ? VN_OK : status;
    if (status == VN_OK)
        status = source->set_end(source->self, VN_START_NODE, from);
    if (status == VN_OK)
        status = source->set_end(source->self, VN_GOAL_NODE, to);
    const vn_graph* graph = source->graph(source->self);
    if (status == VN_OK)
        status = vn_graph_query_grow(c->query, graph->node_limit, detail);
    if (status == VN_OK)
        status = vn_graph_query_find_path(c->query, graph, &request, &result, detail);

    uint32_t count = 0;
    const vn_point* points = vn_graph_query_points(c->query, &count);
    c->expanded += result.expanded;
    take_points(c, status, points, count);
    return status;
}

static vn_status repair(vni_course* c, vn_point from, vn_point to, vn_detail* detail) {
    const vn_planner* planner = &c->planner;
    vn_plan plan = {0};
    vn_status status;
    if (!c->begun) {
        status = planner->begin(planner->self, 0, from, to, detail);
    } else {
        status = planner->move(planner->self, from, to);
        if (status == VN_OK)
            status = planner->advance(planner->self, 0, detail);
    }
    if (status != VN_OK)
        return status;

    c->begun = true;
    do {
        status = planner->step(planner->self, UINT64_MAX);
    } while (status == VN_RUNNING);
    status = planner->path(planner->self, &plan);
    c->expanded += plan.expanded;
    take_points(c, status, plan.points, plan.point_count);
    return status;
}

/// The lattice point of a place if it is free, otherwise one near it.
static bool snap(const vn_space* space, vn_dvec3 place, double within, vn_point* out) {
    double distance;
    return (vn_space_point_from_world(space, place, out) == VN_OK &&
            vn_space_voxel_free(space, vn_space_voxel_at(space, *out))) ||
           vn_space_nearest_free(space, place, within, out, &distance) == VN_OK;
}

/// The middle of the free voxel that a point is in or touches: of the two beside a face, one may be blocked.
static vn_point free_middle(const vn_space* space, vn_point p) {
    for (int i = 0; i < 8; ++i) {
        const vn_voxel v =
            vn_space_voxel_at(space, (vn_point){p.x - (i & 1), p.y - (i >> 1 & 1), p.z - (i >> 2)});
        if (vn_space_voxel_free(space, v))
            return vn_voxel_center(v);
    }
    return vn_voxel_center(vn_space_voxel_at(space, p));
}

vn_status vni_course_find(vni_course* c, vn_dvec3 from, vn_dvec3 to, double within, vn_detail* detail) {
    static vn_status (*const ways[])(vni_course*, vn_point, vn_point, vn_detail*) = {ask, search, repair};
    vn_point start, goal;
    c->count = 0;
    ++c->calls;
    if (!snap(c->space, from, within, &start) || !snap(c->space, to, 4, &goal))
        return VN_OK;

    if (c->def.space == VNI_ON_GRID) {
        start = free_middle(c->space, start);
        goal = free_middle(c->space, goal);
    }
    const vn_status status = ways[algos[c->def.algo].way](c, start, goal, detail);
    return is_answer(status) ? VN_OK : vni_refuse(detail, status, 0, "a path could not be searched");
}
