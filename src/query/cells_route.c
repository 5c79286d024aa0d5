/// query/cells_route.c: laying a polyline through a row of cells, and making it short, or cheap.
#include "query/cells_route.h"
#include "geom/vec.h"
#include "path/funnel.h"
#include "path/refine.h"
#include "path/refine_clear.h"
#include "path/shorten.h"
#include "probe/sight.h"
#include "query/cells_enter.h"
#include "query/query_inside.h"
#include "space/frame.h"

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

static void take_limits(vn_query* query, vni_lattice_box* out) {
    const int32_t low[3] = {query->limit_low.x, query->limit_low.y, query->limit_low.z},
                  high[3] = {query->limit_high.x, query->limit_high.y, query->limit_high.z};
    for (int i = 0; i < 3; ++i) {
        int32_t most = vni_voxel_to_steps(query->space->occupancy.dims[i]);
        out->low[i] = query->has_limits && low[i] > 0 ? low[i] : 0;
        out->high[i] = query->has_limits && high[i] < most ? high[i] : most;
    }
}

/// Voxels. Walls farther away are nobody's concern, and looking for them would be slow; distances far below a
/// voxel say nothing about walls that are made of voxels.
#define MIN_CLEARANCE 0.1
#define MAX_CLEARANCE 64

void vni_cells_route_prepare(vn_query* query) {
    VNI_ASSERT(query->space->resolution > 0);

    vni_route_terms* terms = &query->cells.terms;
    const vn_path_request* request = &query->request;
    double distance =
        vni_clamp(vni_metres_to_voxels(query->space, (double)request->preferred_clearance), 0, MAX_CLEARANCE);
    terms->clearance = (vni_clearance){&query->space->occupancy, distance, (double)request->clearance_weight};
    bool is_clear = distance < MIN_CLEARANCE || !(request->clearance_weight > 0);
    terms->costs = (vni_terms){query->zones, is_clear ? NULL : &terms->clearance};
    terms->has_cost = terms->costs.zones || terms->costs.clearance;
    terms->cost = vni_cost_terms(VNI_METRIC_EUCLIDEAN, 26, &terms->costs);
    terms->inner = terms->cost;
    terms->inner.self = terms;
    terms->inner.segment = inner_segment;
    terms->goal.kind = VNI_GOAL_NONE;
    take_limits(query, &terms->limits);
}

/// What the passes go by: null for plain length.
static const vni_cost* cost_of(const vn_query* query) {
    return query->cells.terms.has_cost ? &query->cells.terms.cost : NULL;
}

double vni_cells_route_cost(const vn_query* query, const vn_point* points, uint32_t count) {
    return vni_steps_to_metres(query->space, vni_polyline_cost(cost_of(query), points, count));
}

// ---------------------------------------------------------------------------------------------------- laying

/// The points of the leg in work: the last of the query's.
typedef struct line {
    vn_point* points;
    uint32_t count, capacity;
} line;

/// The rectangle that two neighbouring cells share.
static vni_portal portal_between(const vni_cells* cells, vni_cell_ref u, vni_cell_ref v) {
    const vni_block_view *ub = &cells->views[u.block], *vb = &cells->views[v.block];
    const vni_cell *uc = &ub->cells[u.cell], *vc = &vb->cells[v.cell];
    int32_t low[3], high[3]; // what the two closed boxes share: flat along one axis
    vni_portal portal = {0, 0, {0, 0}, {0, 0}};
    for (int i = 0; i < 3; ++i) {
        int32_t a = ub->low[i] + uc->low[i], b = vb->low[i] + vc->low[i];
        int32_t c = ub->low[i] + uc->high[i], d = vb->low[i] + vc->high[i];
        low[i] = a > b ? a : b;
        high[i] = c < d ? c : d;
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

/// Cuts a portal that can be passed within the limits to them.
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

static void find_portals(vn_query* query, const vni_leg* leg) {
    vni_cells_engine* e = &query->cells;
    for (uint32_t i = leg->first; i < leg->last; ++i) {
        e->portals[i] = portal_between(&query->space->cells, e->corridor[i], e->corridor[i + 1]);
        if (query->has_limits)
            cut_portal(&e->terms.limits, &e->portals[i]);
    }
}

/// Where the way crosses a portal: a step off its rim at the least, and within the limits.
static vn_point crossing(const vn_query* query, uint32_t i) {
    const vni_cells_engine* e = &query->cells;
    VNI_ASSERT(i + 1 < e->corridor_count);
    if (!query->has_limits)
        return vni_portal_lattice(&e->portals[i], e->crossings[i]);

    vni_portal whole = portal_between(&query->space->cells, e->corridor[i], e->corridor[i + 1]);
    vn_point p = vni_portal_lattice(&whole, e->crossings[i]);
    const double at[3] = {p.x, p.y, p.z};
    return vni_lattice_box_nearest(&e->terms.limits, at);
}

/// Moves the end to where it is best for the last crossing. False if it is there.
static bool move_end(const vn_query* query, vni_leg* leg) {
    const vni_cells_engine* e = &query->cells;
    vni_lattice_box room = vni_cell_box(&query->space->cells, e->corridor[leg->last], &e->terms.limits);
    vn_point before = leg->last > leg->first ? crossing(query, leg->last - 1) : leg->start, end;
    if (!vni_goal_reach(&e->terms.goal, &query->space->occupancy, &room, before, &end) ||
        vni_is_same_point(end, leg->end))
        return false;

    leg->end = end;
    return true;
}

static void pull_taut(vn_query* query, vni_leg* leg) {
    vni_cells_engine* e = &query->cells;
    float from[3], to[3];
    vni_lattice_voxels(leg->start, from);
    for (int pass = 0; pass < 3; ++pass) {
        vni_lattice_voxels(leg->end, to);
        vni_taut(e->portals + leg->first, e->crossings + leg->first, leg->last - leg->first, from, to,
                 vni_efforts[query->request.quality].sweeps);
        if (!leg->ends || !move_end(query, leg))
            break;
    }
}

/// Start, a point in each portal, end.
static vn_point point_of(const vn_query* query, const vni_leg* leg, uint32_t i) {
    uint32_t last = leg->last - leg->first + 1;
    VNI_ASSERT(i <= last);
    return i == 0 ? leg->start : i == last ? leg->end : crossing(query, leg->first + i - 1);
}

static void lay(const vn_query* query, const vni_leg* leg, line* out) {
    VNI_ASSERT(leg->last - leg->first + 2 <= out->capacity);
    for (out->count = 0; out->count < leg->last - leg->first + 2; ++out->count)
        out->points[out->count] = point_of(query, leg, out->count);
}

/// What the leg would cost if it were laid.
static double cost_of_leg(const vn_query* query, const vni_cost* cost, const vni_leg* leg) {
    double sum = 0;
    vn_point two[2] = {leg->start, leg->start};
    for (uint32_t i = 1; i < leg->last - leg->first + 2; ++i, two[0] = two[1]) {
        two[1] = point_of(query, leg, i);
        sum += vni_polyline_cost(cost, two, 2);
    }

    return sum;
}

static bool is_within_limits(const vn_query* query, const line* l) {
    for (uint32_t i = 0; i < l->count; ++i)
        if (!vni_lattice_box_holds(&query->cells.terms.limits, l->points[i]))
            return false;
    return true;
}

/// Lays the funnel's way, if it is no dearer than the one that the search found. Limits that floats cannot
/// tell may be missed by a little: then the search's way stays as well.
static void lay_funnel(const vn_query* query, const vni_leg* leg, line* out) {
    const vni_cells_engine* e = &query->cells;
    const vni_cost* cost = cost_of(query);
    double slack = cost ? cost_of_leg(query, cost, leg) : HUGE_VAL;
    out->count = vni_funnel_over(e->portals + leg->first, e->crossings[leg->first], leg->last - leg->first,
                                 leg->start, leg->end, out->points, out->capacity);
    VNI_ASSERT(out->count > 0); // there is room for a point in each portal
    if ((cost && vni_polyline_cost(cost, out->points, out->count) > slack) || !is_within_limits(query, out))
        lay(query, leg, out);
}

/// Lays the leg, pulled taut if that is asked for. A taut string minds length alone, so that with a cost the
/// slack one stays if it is cheaper.
static void lay_best(vn_query* query, vni_leg leg, line* out) {
    const vni_cost* cost = cost_of(query);
    vn_refine passes = query->request.refine;
    bool pull = leg.taut && (passes == VN_REFINE_DEFAULT || passes == VN_REFINE_TAUT);
    find_portals(query, &leg);
    if (leg.taut && (passes == VN_REFINE_FUNNEL || passes == VN_REFINE_FUNNEL_PRUNE)) {
        lay_funnel(query, &leg, out);
        return;
    }

    if (!pull || cost)
        lay(query, &leg, out);

    if (!pull)
        return;
    double slack = cost ? vni_polyline_cost(cost, out->points, out->count) : HUGE_VAL;
    pull_taut(query, &leg);
    if (!cost || cost_of_leg(query, cost, &leg) < slack)
        lay(query, &leg, out);
}

/// A start that lies on its first portal, or equal ends, would leave points without a distance between them.
static void drop_repeats(line* l) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; ++i)
        if (kept == 0 || !vni_is_same_point(l->points[kept - 1], l->points[i]))
            l->points[kept++] = l->points[i];
    l->count = kept;
}

// -------------------------------------------------------------------------------------------------- refining

static void prune(const vn_query* query, line* l) {
    l->count = vni_refine_prune(&query->space->occupancy, cost_of(query), l->points, l->count);
}

/// With a cost: from the start, since Massonnat's way minds length alone.
static void prune_from_goal(const vn_query* query, line* l) {
    if (cost_of(query))
        prune(query, l);
    else
        l->count = vni_prune_from_goal(&query->space->occupancy, l->points, l->count, NULL);
}

static bool pull(const vn_query* query, line* l, uint32_t halvings) {
    return vni_refine_pull(&query->space->occupancy, cost_of(query), l->points, l->count, halvings);
}

/// The one pass that may look beyond the limits.
static void bypass(const vn_query* query, line* l) {
    const vni_cost* cost = query->has_limits ? &query->cells.terms.inner : cost_of(query);
    l->count = vni_refine_bypass(&query->space->occupancy, cost, l->points, l->count);
}

/// With zones: leads the way around them where that is cheaper.
static void avoid_zones(const vn_query* query, line* l) {
    l->count = vni_refine_split(&query->space->occupancy, cost_of(query), l->points, l->count, l->capacity);
    bypass(query, l);
    pull(query, l, 6);
    prune(query, l);
}

/// With a preferred clearance: leads the way away from walls.
static void keep_clear(const vn_query* query, line* l) {
    const vni_route_terms* terms = &query->cells.terms;
    VNI_ASSERT(terms->costs.clearance && l->count <= l->capacity);
    const vn_point low = {terms->limits.low[0], terms->limits.low[1], terms->limits.low[2]},
                   high = {terms->limits.high[0], terms->limits.high[1], terms->limits.high[2]};
    l->count = vni_refine_clear(&query->space->occupancy, &terms->cost, terms->clearance.distance, l->points,
                                l->count, l->capacity, &low, &high);
}

static void refine(const vn_query* query, line* l) {
    const vni_effort* takes = &vni_efforts[query->request.quality];
    prune(query, l);
    if (query->request.refine == VN_REFINE_PRUNE)
        return;

    for (uint32_t i = 0; query->zones && i < 2; ++i)
        avoid_zones(query, l);

    for (uint32_t i = 0; i <= takes->bypasses; ++i) {
        if (i > 0)
            bypass(query, l);

        for (uint32_t k = 0; k < takes->pulls; ++k) {
            if (!pull(query, l, takes->halvings))
                break;
            prune(query, l);
        }
    }

    if (query->cells.terms.costs.clearance)
        keep_clear(query, l);
}

// ---------------------------------------------------------------------------------------------------- ending

/// The goal's nearest point straight from the last vertex, if that is free and cheaper.
static void shorten_end(const vn_query* query, line* l) {
    VNI_ASSERT(l->count >= 2);

    const vni_route_terms* terms = &query->cells.terms;
    vn_point end, before = l->points[l->count - 2], *last = &l->points[l->count - 1];
    if (terms->goal.kind == VNI_GOAL_SIGHT ||
        !vni_goal_reach(&terms->goal, &query->space->occupancy, &terms->limits, before, &end))
        return;

    const vn_point now[2] = {before, *last}, then[2] = {before, end};
    if (vni_polyline_cost(cost_of(query), then, 2) < vni_polyline_cost(cost_of(query), now, 2) &&
        vni_sight(&query->space->occupancy, before, end))
        *last = end;
}

/// Places on each segment at which a goal in sight is looked for.
#define LOOKS 8

/// Ends the way where it first arrives: sooner than the search thought, since it has been refined.
static void cut_end(const vn_query* query, line* l) {
    const vni_goal* goal = &query->cells.terms.goal;
    const vni_occupancy* occupancy = &query->space->occupancy;
    int32_t looks = goal->kind == VNI_GOAL_SIGHT ? LOOKS : 1;
    for (uint32_t i = 1; i < l->count; ++i) {
        vni_vec a = vni_v_of_point(l->points[i - 1]), along = vni_sub(vni_v_of_point(l->points[i]), a);
        vn_point before = l->points[i - 1];
        for (int32_t k = 1; k <= looks; ++k) {
            vn_point p = vni_point_of_v(vni_add_scaled(a, along, (double)k / looks));
            if (vni_goal_holds(goal, occupancy, p)) {
                p = vni_goal_first(goal, occupancy, before, p);
                if (!vni_sight(occupancy, l->points[i - 1], p))
                    continue; // it lies a step off the way
                l->points[i] = p;
                l->count = i + 1;
                return;
            }

            before = p;
        }
    }
}

bool vni_cells_route_add(vn_query* query, const vni_leg* leg) {
    VNI_ASSERT(leg->first <= leg->last && query->point_count <= query->max_points);

    line l = {query->points + query->point_count, 0, query->max_points - query->point_count};
    vn_refine passes = query->request.refine;
    if (leg->last - leg->first + 2 > l.capacity)
        return false;

    lay_best(query, *leg, &l);
    drop_repeats(&l);
    if (passes == VN_REFINE_FUNNEL_PRUNE)
        prune_from_goal(query, &l);

    if (passes == VN_REFINE_DEFAULT || passes == VN_REFINE_PRUNE) {
        refine(query, &l);
        if (leg->ends && l.count > 1) {
            shorten_end(query, &l);
            cut_end(query, &l);
            drop_repeats(&l);
        }
    }

    VNI_ASSERT(l.count > 0 && l.count <= l.capacity);

    query->point_count += l.count;
    return true;
}
