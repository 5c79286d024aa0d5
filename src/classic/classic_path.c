/// classic/classic_path.c: the nodes that a search found as a polyline, and what happens to it then.
#include "classic/classic_inside.h"
#include "path/funnel.h"
#include "path/polyline.h"
#include "path/shorten.h"
#include "space/frame.h"
#include "volnav/path.h"

double vni_classic_length(const vn_classic_query* query, const vn_point* points, uint32_t count) {
    return vni_steps_to_metres(query->classic->space, vni_polyline_length(points, count));
}

/// Start and goal are one node: two points in one voxel.
static bool is_one_node(const vn_classic_query* query) {
    return vni_view_start(&query->view) == vni_view_goal(&query->view);
}

static vn_point point_of(const vn_classic_query* query, uint32_t node) {
    vn_point point;
    query->graph.points(query->graph.self, &node, 1, &point);
    return point;
}

/// Does the leg from a node to its parent bend? A leg of Theta* only if it is no line of sight.
static bool leg_bends(const vn_classic_query* query, uint32_t node, uint32_t parent, vn_point* at) {
    if (!vni_view_bend(&query->view, node, parent, at))
        return false;
    return !vni_is_theta(query->request.algo) || !query->graph.visible(query->graph.self, node, parent);
}

/// The legs from the start to the goal of the view, voxels. Not g, whose steps are rounded on the grid
/// (graph/fixed.h); there steps are counted, so that equal costs stay equal.
static double cost_of_legs(const vn_classic_query* query) {
    const bool is_plain = query->cost.is_length && !vni_is_theta(query->request.algo);
    const bool has_steps = (query->graph.capabilities & VN_GRAPH_IS_GRID) && is_plain;
    vni_step_counts steps = {0, 0, 0};
    double voxels = 0;
    for (uint32_t at = query->view.goal, parent; at != query->view.start; at = parent) {
        vn_point bend;
        parent = vni_scratch_parent(&query->scratch, at);
        if (has_steps) {
            vni_grid_add_steps(query->view.grid, parent, at, &steps);
            continue;
        }

        const vn_point* over = leg_bends(query, at, parent, &bend) ? &bend : NULL;
        voxels += vni_price_way(&query->cost, point_of(query, parent), over, point_of(query, at));
    }

    return voxels + vni_grid_length(&steps);
}

/// From an end to its node, or back; nodes add nothing there.
static double cost_to_end(const vn_classic_query* query, vn_point a, vn_point b) {
    return query->cost.at_nodes ? vni_distance(a, b) : query->cost.segment(query->cost.self, a, b);
}

double vni_classic_cost(const vn_classic_query* query) {
    const vni_view* view = &query->view;
    double voxels;
    if (is_one_node(query))
        voxels = cost_to_end(query, view->ends[0], view->ends[1]);
    else
        voxels = cost_of_legs(query) + cost_to_end(query, view->ends[0], point_of(query, view->start)) +
                 cost_to_end(query, point_of(query, view->goal), view->ends[1]);

    return vni_voxels_to_metres(query->classic->space, voxels);
}

/// The node that comes next on the leg from `at` to `parent`: a jump of JPS is a run of equal steps.
static uint32_t next_on_leg(const vn_classic_query* query, uint32_t at, uint32_t parent) {
    if (parent == VN_NO_NODE || !vni_is_jps(query->request.algo))
        return parent;
    vn_voxel v = vni_grid_voxel(query->view.grid, at), to = vni_grid_voxel(query->view.grid, parent);
    v.x += (to.x > v.x) - (to.x < v.x);
    v.y += (to.y > v.y) - (to.y < v.y);
    v.z += (to.z > v.z) - (to.z < v.z);
    VNI_ASSERT(vni_occupancy_free_at(query->view.occupancy, v.x, v.y, v.z));
    return vni_grid_node(query->view.grid, v);
}

/// Follows the parents from the goal to the start; with `every` node between, else without those in line.
/// 0: they do not fit.
static uint32_t lay_nodes(const vn_classic_query* query, vn_point* points, uint32_t capacity, bool every) {
    const vni_view* view = &query->view;
    vni_polyline line = {points, capacity, 0, every};
    bool fits = vni_polyline_prepend(&line, view->ends[1]);
    for (uint32_t at = is_one_node(query) ? VN_NO_NODE : view->goal; fits && at != VN_NO_NODE;) {
        uint32_t node = at, parent = vni_scratch_parent(&query->scratch, node);
        vn_point bend;
        for (; fits && at != parent; at = every ? next_on_leg(query, at, parent) : parent)
            fits = vni_polyline_prepend(&line, point_of(query, at));
        if (fits && parent != VN_NO_NODE && leg_bends(query, node, parent, &bend))
            fits = vni_polyline_prepend(&line, bend);
    }

    fits = fits && vni_polyline_prepend(&line, view->ends[0]);
    vni_polyline_settle(&line);
    return fits ? line.count : 0;
}

// -------------------------------------------------------------------------------------------------- funnel

/// The row of nodes from start to goal, each joined with the next, at the end of `nodes`; how many, 0 if they
/// do not fit.
static uint32_t row_of_nodes(vn_classic_query* query) {
    uint32_t count = 0;
    for (uint32_t at = vni_view_goal(&query->view); at != VN_NO_NODE;) {
        uint32_t parent = vni_scratch_parent(&query->scratch, at);
        do {
            if (count == query->max_points)
                return 0;
            query->nodes[query->max_points - ++count] = at;
            at = next_on_leg(query, at, parent);
        } while (at != parent);
    }

    return count;
}

/// The way through the corridor's portals, no longer than the one over the places where the nodes' way
/// crosses them. 0: it does not fit.
static uint32_t lay_funnel(vn_classic_query* query, vn_point* points, uint32_t capacity) {
    const vni_view* view = &query->view;
    uint32_t nodes = row_of_nodes(query);
    if (nodes == 0)
        return 0;

    uint32_t portals = vni_view_corridor(view, query->nodes + (query->max_points - nodes), nodes,
                                         query->portals, query->crossings, query->max_points);
    VNI_ASSERT(portals < nodes);

    return vni_funnel_over(query->portals, query->crossings[0], portals, view->ends[0], view->ends[1], points,
                           capacity);
}

/// Post-smoothing, or pruning from the goal; its lines of sight count for the result.
static uint32_t shorten(vn_classic_query* query, vn_point* points, uint32_t count, bool smooth) {
    vni_sight_log log = {0, query->observer};
    count = smooth ? vni_post_smooth(query->view.occupancy, points, count, &log)
                   : vni_prune_from_goal(query->view.occupancy, points, count, &log);
    query->result.sight_checks += log.count;
    return count;
}

/// The theses leave out nodes, so these see all of them.
static uint32_t lay_shortened(vn_classic_query* query, vn_point* points, uint32_t capacity) {
    uint32_t count = lay_nodes(query, points, capacity, true);
    return shorten(query, points, count, query->request.refine == VN_REFINE_SMOOTH);
}

uint32_t vni_classic_lay(vn_classic_query* query, vn_point* points, uint32_t capacity, bool refined) {
    uint32_t count;
    VNI_ASSERT(points >= query->points && points + capacity <= query->points + query->max_points);
    switch (refined ? query->request.refine : VN_REFINE_NONE) {
    case VN_REFINE_PRUNE:
    case VN_REFINE_SMOOTH: count = lay_shortened(query, points, capacity); break;
    case VN_REFINE_FUNNEL: count = lay_funnel(query, points, capacity); break;
    case VN_REFINE_FUNNEL_PRUNE:
        count = lay_funnel(query, points, capacity);
        count = shorten(query, points, count, false);
        break;
    default: return lay_nodes(query, points, capacity, false);
    }
    return vni_polyline_tidy(points, count);
}

// --------------------------------------------------------------------------------------------------- judge

bool vni_classic_judge(vn_classic_query* query, const vn_point* points, uint32_t count) {
#if defined(VOLNAV_ASSERTS) && VOLNAV_ASSERTS
    bool wanted = true;
#else
    bool wanted = query->request.check;
#endif
    bool is_free = !wanted || vn_space_check_path(query->classic->space, points, count, NULL);
    VNI_ASSERT(is_free);
    return is_free;
}
