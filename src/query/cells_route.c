/// query/cells_route.c: laying a polyline through a corridor of cells, and making it short, or cheap.
///
/// The search leaves a row of convex cells and one crossing point in each portal between them. Straight
/// segments between crossings of the same cell are free, so the crossings are a valid route already; what
/// follows only improves it, in this order:
///
///   1. taut string (path/taut.h) or funnel (path/funnel.h; Massonnat 2023) inside the corridor: both know
///      nothing but the portals, and are cheap;
///   2. prune and pull (path/refine.h) by line of sight, which may leave the corridor;
///   3. with zones or a preferred clearance, passes that trade length for cost;
///   4. at a goal that is a region, the end moves to where the refined route arrives first.
///
/// No pass makes the route dearer, and every pass keeps it free.
#include "query/cells_route.h"
#include "geom/units.h"
#include "geom/vec.h"
#include "path/funnel.h"
#include "path/refine.h"
#include "path/refine_clear.h"
#include "path/shorten.h"
#include "probe/sight.h"
#include "query/cells_enter.h"

const vni_effort vni_efforts[VN_QUALITY_COUNT] = {
    [VN_QUALITY_STANDARD] = {1.11, 3, 1, 4, 0, 1},
    [VN_QUALITY_FAST] = {1.25, 3, 0, 0, 0, 1},
    [VN_QUALITY_BEST] = {1.0, 8, 2, 6, 1, 2},
};

// ----------------------------------------------------------------------------------------------------- terms

static double inner_segment(const void* self, vn_point from, vn_point to) {
    const vni_route_terms* terms = (const vni_route_terms*)self;
    if (!vni_lattice_box_holds(&terms->limits, from) || !vni_lattice_box_holds(&terms->limits, to))
        return HUGE_VAL;
    return terms->cost.segment(terms->cost.self, from, to);
}

static void take_limits(vni_route_terms* terms, const int32_t dims[3], const vni_lattice_box* limits) {
    terms->has_limits = limits != NULL;
    for (int i = 0; i < 3; ++i) {
        int32_t most = vni_voxel_to_steps(dims[i]);
        terms->limits.low[i] = limits != NULL && limits->low[i] > 0 ? limits->low[i] : 0;
        terms->limits.high[i] = limits != NULL && limits->high[i] < most ? limits->high[i] : most;
    }
}

/// Voxels. Looking for walls beyond the upper limit would be slow and change little; a distance far below a
/// voxel is finer than the walls, which are made of voxels.
#define MIN_CLEARANCE 0.1
#define MAX_CLEARANCE 64

void vni_route_terms_set(vni_route_terms* terms, const vn_path_request* request,
                         const vni_occupancy* occupancy, double resolution, const vni_zones* zones,
                         const vni_lattice_box* limits) {
    VNI_ASSERT(resolution > 0);

    double distance = vni_clamp((double)request->preferred_clearance / resolution, 0, MAX_CLEARANCE);
    terms->clearance = (vni_clearance){occupancy, distance, (double)request->clearance_weight};
    bool ignores_walls = distance < MIN_CLEARANCE || !(request->clearance_weight > 0);
    terms->costs = (vni_terms){zones, ignores_walls ? NULL : &terms->clearance};
    terms->has_cost = terms->costs.zones != NULL || terms->costs.clearance != NULL;
    terms->cost = vni_cost_terms(VNI_METRIC_EUCLIDEAN, 26, &terms->costs);

    terms->inner = terms->cost;
    terms->inner.self = terms;
    terms->inner.segment = inner_segment;
    terms->goal.kind = VNI_GOAL_NONE;
    terms->resolution = resolution;
    take_limits(terms, occupancy->dims, limits);
}

void vni_route_terms_burn(vni_route_terms* terms, const vni_fuel* fuel) {
    terms->costs = (vni_terms){fuel->zones, NULL};
    terms->has_cost = true;
    terms->cost = vni_cost_fuel(fuel);
    terms->inner = terms->cost;
    terms->inner.self = terms;
    terms->inner.segment = inner_segment;
}

/// What the passes minimise; null: plain length, which they compute faster themselves.
static const vni_cost* cost_of(const vni_route_terms* terms) {
    return terms->has_cost ? &terms->cost : NULL;
}

double vni_route_cost(const vni_route_terms* terms, const vn_point* points, uint32_t count) {
    return vni_steps_to_voxels(vni_polyline_cost(cost_of(terms), points, count)) * terms->resolution;
}

// ---------------------------------------------------------------------------------------------------- laying

/// The points of the leg in work, behind those of the legs before it.
typedef struct line {
    vn_point* points;
    uint32_t count, capacity;
} line;

/// The rectangle that two neighbouring cells share.
static vni_portal portal_between(const vni_cells* cells, vni_cell_ref u, vni_cell_ref v) {
    const vni_block_view *ub = &cells->views[u.block], *vb = &cells->views[v.block];
    int32_t low[3], high[3]; // what the two closed boxes share: flat along one axis
    int32_t v_low[3], v_high[3];
    vni_portal portal = {0, 0, {0, 0}, {0, 0}};
    vni_cell_bounds(ub, &ub->cells[u.cell], low, high);
    vni_cell_bounds(vb, &vb->cells[v.cell], v_low, v_high);
    for (int i = 0; i < 3; ++i) {
        low[i] = low[i] > v_low[i] ? low[i] : v_low[i];
        high[i] = high[i] < v_high[i] ? high[i] : v_high[i];
        if (low[i] == high[i])
            portal.axis = i;
    }

    VNI_ASSERT(low[portal.axis] == high[portal.axis]);

    portal.plane = (float)low[portal.axis];
    for (int i = 0; i < 2; ++i) {
        int k = vni_other_axes[portal.axis][i];
        VNI_ASSERT(low[k] < high[k]);
        portal.low[i] = (float)low[k];
        portal.high[i] = (float)high[k];
    }

    return portal;
}

/// Cuts a portal, part of which lies within the limits, to that part.
static void cut_portal(const vni_lattice_box* limits, vni_portal* portal) {
    for (int i = 0; i < 2; ++i) {
        int k = vni_other_axes[portal->axis][i];
        float low = vni_steps_to_voxels_f((float)limits->low[k]),
              high = vni_steps_to_voxels_f((float)limits->high[k]);
        portal->low[i] = low > portal->low[i] ? low : portal->low[i];
        portal->high[i] = high < portal->high[i] ? high : portal->high[i];
        portal->high[i] = portal->high[i] > portal->low[i] ? portal->high[i] : portal->low[i];
    }
}

/// Decodes the portals of a leg, once for all passes.
static void find_portals(vni_route* r, const vni_leg* leg) {
    for (uint32_t i = leg->first; i < leg->last; ++i) {
        r->portals[i] = portal_between(r->cells, r->corridor[i], r->corridor[i + 1]);
        if (r->terms->has_limits)
            cut_portal(&r->terms->limits, &r->portals[i]);
    }
}

/// Where the route crosses a portal: at least one step off its rim, and within the limits.
static vn_point crossing(const vni_route* r, uint32_t i) {
    VNI_ASSERT(i + 1 < r->corridor_count);
    if (!r->terms->has_limits)
        return vni_portal_lattice(&r->portals[i], r->crossings[i]);

    // Limits lie on the lattice, finer than a float of voxels. So the point is rounded inside the whole
    // portal, whose rim is exact, and then moved into the limits in integers.
    vni_portal whole = portal_between(r->cells, r->corridor[i], r->corridor[i + 1]);
    vn_point p = vni_portal_lattice(&whole, r->crossings[i]);
    const double at[3] = {p.x, p.y, p.z};
    return vni_lattice_box_nearest(&r->terms->limits, at);
}

/// Moves the end to the best place for the last crossing. False if it is already there.
static bool move_end(const vni_route* r, vni_leg* leg) {
    const vni_route_terms* terms = r->terms;
    vni_lattice_box box = vni_cell_box(r->cells, r->corridor[leg->last], &terms->limits);
    vn_point before = leg->last > leg->first ? crossing(r, leg->last - 1) : leg->start, end;
    if (!vni_goal_reach(&terms->goal, r->occupancy, &box, before, &end) || vni_is_same_point(end, leg->end))
        return false;

    leg->end = end;
    return true;
}

static void pull_taut(vni_route* r, vni_leg* leg) {
    float from[3], to[3];
    vni_lattice_voxels(leg->start, from);
    vni_lattice_voxels(leg->end, to);

    // The best end depends on the last crossing, and the crossings depend on the end: a few alternations are
    // enough, since the end moves within one cell.
    for (int pass = 0; pass < 3; ++pass) {
        vni_taut(r->portals + leg->first, r->crossings + leg->first, leg->last - leg->first, from, to,
                 r->effort->sweeps);
        if (!leg->ends || !move_end(r, leg))
            break;
        vni_lattice_voxels(leg->end, to);
    }
}

/// The leg as it stands: start, a point in each portal, end.
static vn_point point_of(const vni_route* r, const vni_leg* leg, uint32_t i) {
    uint32_t last = leg->last - leg->first + 1;
    VNI_ASSERT(i <= last);
    return i == 0 ? leg->start : i == last ? leg->end : crossing(r, leg->first + i - 1);
}

static void lay(const vni_route* r, const vni_leg* leg, line* out) {
    VNI_ASSERT(leg->last - leg->first + 2 <= out->capacity);
    for (out->count = 0; out->count < leg->last - leg->first + 2; ++out->count)
        out->points[out->count] = point_of(r, leg, out->count);
}

/// Cost of the leg if it were laid.
static double cost_of_leg(const vni_route* r, const vni_cost* cost, const vni_leg* leg) {
    double sum = 0;
    vn_point two[2] = {leg->start, leg->start};
    for (uint32_t i = 1; i < leg->last - leg->first + 2; ++i, two[0] = two[1]) {
        two[1] = point_of(r, leg, i);
        sum += vni_polyline_cost(cost, two, 2);
    }

    return sum;
}

static bool is_within_limits(const vni_route* r, const line* l) {
    for (uint32_t i = 0; i < l->count; ++i)
        if (!vni_lattice_box_holds(&r->terms->limits, l->points[i]))
            return false;
    return true;
}

/// Lays the funnel's polyline unless the crossings of the search are cheaper. The funnel works on floats:
/// where it misses the limits by their rounding, the crossings stay as well.
static void lay_funnel(const vni_route* r, const vni_leg* leg, line* out) {
    const vni_cost* cost = cost_of(r->terms);
    double slack = cost != NULL ? cost_of_leg(r, cost, leg) : HUGE_VAL;
    out->count = vni_funnel_over(r->portals + leg->first, r->crossings[leg->first], leg->last - leg->first,
                                 leg->start, leg->end, out->points, out->capacity);
    VNI_ASSERT(out->count > 0); // the capacity allows for a point in each portal

    if ((cost != NULL && vni_polyline_cost(cost, out->points, out->count) > slack) ||
        !is_within_limits(r, out))
        lay(r, leg, out);
}

/// Lays the leg, pulled taut if the request wants it. A taut string minimises length alone, so with a cost
/// the slack one stays if it is cheaper.
static void lay_best(vni_route* r, vni_leg leg, line* out) {
    const vni_cost* cost = cost_of(r->terms);
    vn_refine passes = r->refine;
    bool pull = leg.taut && (passes == VN_REFINE_DEFAULT || passes == VN_REFINE_TAUT);
    find_portals(r, &leg);
    if (leg.taut && (passes == VN_REFINE_FUNNEL || passes == VN_REFINE_FUNNEL_PRUNE)) {
        lay_funnel(r, &leg, out);
        return;
    }

    // The slack polyline is needed as the result, or as what the taut one is compared with. Pulling
    // overwrites the crossings, so it is laid before.
    if (!pull || cost != NULL)
        lay(r, &leg, out);
    if (!pull)
        return;

    double slack = cost != NULL ? vni_polyline_cost(cost, out->points, out->count) : HUGE_VAL;
    pull_taut(r, &leg);
    if (cost == NULL || cost_of_leg(r, cost, &leg) < slack)
        lay(r, &leg, out);
}

/// A start that lies on its first portal, or equal ends, would leave segments of length zero.
static void drop_repeats(line* l) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; ++i)
        if (kept == 0 || !vni_is_same_point(l->points[kept - 1], l->points[i]))
            l->points[kept++] = l->points[i];
    l->count = kept;
}

// -------------------------------------------------------------------------------------------------- refining

static void prune(const vni_route* r, line* l) {
    l->count = vni_refine_prune(r->occupancy, cost_of(r->terms), l->points, l->count);
}

/// With a cost: from the start, since pruning from the goal (Massonnat 2023) minimises length alone.
static void prune_from_goal(const vni_route* r, line* l) {
    if (r->terms->has_cost)
        prune(r, l);
    else
        l->count = vni_prune_from_goal(r->occupancy, l->points, l->count, NULL);
}

static bool pull(const vni_route* r, line* l, uint32_t halvings) {
    return vni_refine_pull(r->occupancy, cost_of(r->terms), l->points, l->count, halvings);
}

/// The one pass that tries vertices beyond the limits: there they cost infinity.
static void bypass(const vni_route* r, line* l) {
    const vni_cost* cost = r->terms->has_limits ? &r->terms->inner : cost_of(r->terms);
    l->count = vni_refine_bypass(r->occupancy, cost, l->points, l->count);
}

/// With zones: leads the route around them where that is cheaper. Splitting gives the expensive segments a
/// vertex that the other passes can move.
static void avoid_zones(const vni_route* r, line* l) {
    l->count = vni_refine_split(r->occupancy, cost_of(r->terms), l->points, l->count, l->capacity);
    bypass(r, l);
    pull(r, l, 6);
    prune(r, l);
}

/// With a preferred clearance: leads the route away from walls.
static void keep_clear(const vni_route* r, line* l) {
    const vni_route_terms* terms = r->terms;
    VNI_ASSERT(terms->costs.clearance != NULL);
    VNI_ASSERT(l->count <= l->capacity);

    const vn_point low = {terms->limits.low[0], terms->limits.low[1], terms->limits.low[2]},
                   high = {terms->limits.high[0], terms->limits.high[1], terms->limits.high[2]};
    l->count = vni_refine_clear(r->occupancy, &terms->cost, terms->clearance.distance, l->points, l->count,
                                l->capacity, &low, &high);
}

static void refine(const vni_route* r, line* l) {
    const vni_effort* effort = r->effort;
    // Pruning first leaves few vertices, and every later pass costs time for each of them.
    prune(r, l);
    if (r->refine == VN_REFINE_PRUNE)
        return;

    for (uint32_t i = 0; r->terms->costs.zones != NULL && i < 2; ++i)
        avoid_zones(r, l);

    // Pulling moves vertices towards the chord, after which some can be dropped; bypassing opens other sides,
    // which then are pulled again.
    for (uint32_t i = 0; i <= effort->bypasses; ++i) {
        if (i > 0)
            bypass(r, l);

        for (uint32_t k = 0; k < effort->pulls; ++k) {
            if (!pull(r, l, effort->halvings))
                break;
            prune(r, l);
        }
    }

    // Last: a pull would undo it.
    if (r->terms->costs.clearance != NULL)
        keep_clear(r, l);
}

// ---------------------------------------------------------------------------------------------------- ending

/// Ends at the point of the goal that is nearest to the last vertex, if that is free and cheaper.
static void shorten_end(const vni_route* r, line* l) {
    VNI_ASSERT(l->count >= 2);

    const vni_route_terms* terms = r->terms;
    vn_point end, before = l->points[l->count - 2], *last = &l->points[l->count - 1];
    if (terms->goal.kind == VNI_GOAL_SIGHT ||
        !vni_goal_reach(&terms->goal, r->occupancy, &terms->limits, before, &end))
        return;

    const vn_point now[2] = {before, *last}, then[2] = {before, end};
    if (vni_polyline_cost(cost_of(r->terms), then, 2) < vni_polyline_cost(cost_of(r->terms), now, 2) &&
        vni_sight(r->occupancy, before, end))
        *last = end;
}

/// Places on each segment at which a goal in sight is looked for.
#define LOOKS 8

/// Ends the route where it first arrives. After refinement that may be earlier than in the search.
static void cut_end(const vni_route* r, line* l) {
    const vni_goal* goal = &r->terms->goal;
    const vni_occupancy* occupancy = r->occupancy;
    int32_t looks = goal->kind == VNI_GOAL_SIGHT ? LOOKS : 1;
    for (uint32_t i = 1; i < l->count; ++i) {
        vni_vec a = vni_v_of_point(l->points[i - 1]), along = vni_sub(vni_v_of_point(l->points[i]), a);
        vn_point before = l->points[i - 1];
        for (int32_t k = 1; k <= looks; ++k) {
            vn_point p = vni_point_of_v(vni_add_scaled(a, along, (double)k / looks));
            if (vni_goal_holds(goal, occupancy, p)) {
                p = vni_goal_first(goal, occupancy, before, p);
                if (!vni_sight(occupancy, l->points[i - 1], p))
                    continue; // it lies a step off the segment
                l->points[i] = p;
                l->count = i + 1;
                return;
            }

            before = p;
        }
    }
}

bool vni_route_add_leg(vni_route* r, const vni_leg* leg) {
    VNI_ASSERT(leg->first <= leg->last && leg->last < r->corridor_count);
    VNI_ASSERT(r->point_count <= r->max_points);

    line l = {r->points + r->point_count, 0, r->max_points - r->point_count};
    vn_refine passes = r->refine;
    if (leg->last - leg->first + 2 > l.capacity)
        return false;

    lay_best(r, *leg, &l);
    drop_repeats(&l);
    if (passes == VN_REFINE_FUNNEL_PRUNE)
        prune_from_goal(r, &l);

    if (passes == VN_REFINE_DEFAULT || passes == VN_REFINE_PRUNE) {
        refine(r, &l);
        if (leg->ends && l.count > 1) {
            shorten_end(r, &l);
            cut_end(r, &l);
            drop_repeats(&l);
        }
    }

    VNI_ASSERT(l.count > 0 && l.count <= l.capacity);

    r->point_count += l.count;
    return true;
}

void vni_route_refine_again(vni_route* r) {
    line l = {r->points, r->point_count, r->max_points};
    if (r->refine == VN_REFINE_DEFAULT || r->refine == VN_REFINE_PRUNE)
        refine(r, &l);

    VNI_ASSERT(l.count <= l.capacity);

    r->point_count = l.count;
}
