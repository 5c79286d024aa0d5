/// query/field.c: the cost field: from one source to many targets, and to random places.
///
/// The field is Dijkstra's algorithm (1959) over cells, the search with terms without a goal. It keeps one
/// entry point for each cell; the cost of a target is that of a path which is laid to it through the best
/// entry, and refined like any other path.
#include "base/fail.h"
#include "base/rng.h"
#include "path/refine.h"
#include "query/cells_enter.h"
#include "query/query_inside.h"
#include "space/frame.h"
#include "volnav/path.h"

#include <math.h>
#include <string.h>

/// Entry points are chosen for the centres of cells, so the costs of the search are somewhat above those of
/// taut paths: to miss nothing near the maximum it searches this much farther.
#define MARGIN 1.1

// -------------------------------------------------------------------------------------- volumes of the cells

// Random points are spread evenly over the volume: a cell is drawn by a number below the sum of all volumes.
// The sums need no memory of their own, since both queues are idle as long as the field lives:
//
//     queues[1].keys:  [ expanded cells, in order ... | volumes of the first 1, 2, 3 ... of them, as bits of
//     doubles ]
//                        0                              capacity

/// The part of a cell where random points may lie: within the limits, and no farther than a straight segment
/// of the field's maximum cost.
static vni_lattice_box random_box(const vn_query* query, vni_cell_ref ref) {
    const vni_cells_engine* e = &query->cells;
    const vn_point from = query->result.start;
    const double at[3] = {from.x, from.y, from.z};
    double reach =
        vni_voxels_to_steps(vni_metres_to_voxels(query->space, e->max_cost) / (double)e->wide.least);

    vni_lattice_box around = e->terms.limits;
    for (int i = 0; i < 3; ++i) {
        around.low[i] = (int32_t)vni_clamp(floor(at[i] - reach), around.low[i], around.high[i]);
        around.high[i] = (int32_t)vni_clamp(floor(at[i] + reach) + 1, around.low[i], around.high[i]);
    }

    return vni_cell_box(&query->space->cells, ref, &around);
}

/// Lattice points along an axis; the upper face belongs to the next cell. A box without extent has one.
static uint32_t steps_along(const vni_lattice_box* box, int axis) {
    VNI_ASSERT(box->low[axis] <= box->high[axis]);
    uint32_t extent = (uint32_t)(box->high[axis] - box->low[axis]);
    return extent ? extent : 1;
}

static double bits_to_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void add_up_volumes(vn_query* query) {
    const vni_terms_search* s = &query->cells.wide;
    uint64_t *keys = query->cells.search.queues[1].keys, *sums = keys + query->cells.search.capacity;
    VNI_ASSERT(s->expanded <= query->cells.search.capacity);

    double sum = 0;
    for (uint64_t i = 0; i < s->expanded; ++i) {
        vni_lattice_box box = random_box(query, vni_terms_search_cell(s, (uint32_t)keys[i]));
        if (!vni_lattice_box_is_empty(&box))
            sum += (double)steps_along(&box, 0) * (double)steps_along(&box, 1) * (double)steps_along(&box, 2);
        memcpy(&sums[i], &sum, sizeof sum);
    }
}

// ---------------------------------------------------------------------------------------------------- making

vn_status vn_query_build_field(vn_query* query, const vn_field_request* request, uint64_t* cells,
                               vn_detail* detail) {
    VNI_ASSERT(query != NULL && request != NULL);

    if (query->phase != VNI_PHASE_IDLE)
        return vni_fail(detail, VN_BAD_ORDER,
                        "the search before has not been finished: call vn_query_finish first");

    vn_status status = vni_query_take_field(query, request, detail);
    if (status != VN_OK)
        return status;

    status = vni_query_place(query, VN_END_START, &query->result.start, &query->start_voxel);
    if (status != VN_OK)
        return vni_fail(detail, status, "the source of the field: %s", vn_status_text(status));

    vni_cells_engine* e = &query->cells;
    const vni_goal nowhere = {.kind = VNI_GOAL_NONE};
    vni_cells_engine_set_terms(query);
    query->result.weight = 1;
    e->corridor_count = 0;
    e->is_plain = false;
    e->max_cost = request->max_cost > 0 ? request->max_cost : HUGE_VAL;
    status = vni_cells_engine_begin_terms(query, &nowhere,
                                          e->max_cost * MARGIN / (double)query->space->resolution);

    if (status != VN_OK)
        return vni_fail(detail, status, "%s", vn_status_text(status));
    status = vni_terms_search_step(&e->wide, UINT64_MAX);
    add_up_volumes(query);

    query->has_field = query->has_search = true;
    if (cells != NULL)
        *cells = e->wide.expanded;

    return status;
}

// ---------- looking up

/// The voxel of a lattice coordinate, or of the step below it, along one axis. A target may lie anywhere.
static int32_t voxel_below(int32_t at, int32_t step) {
    return vni_step_to_voxel64((int64_t)at - step);
}

/// The cheapest entry to a target, over all cells that touch it; false if none of them was reached.
static bool find_entry(const vn_query* query, vn_point target, uint32_t* node, vni_entry* entry) {
    const vni_cells_engine* e = &query->cells;
    const vni_cells* cells = &query->space->cells;
    const int32_t at[3] = {target.x, target.y, target.z};
    float best = HUGE_VALF;
    for (int32_t k = 0; k < 8; ++k) {
        const int32_t below[3] = {k & 1, k >> 1 & 1, k >> 2}; // the lower voxel counts where both touch it
        const vn_voxel voxel = {voxel_below(at[0], below[0]), voxel_below(at[1], below[1]),
                                voxel_below(at[2], below[2])};
        vni_cell_ref ref;
        vni_entry found;

        if (!vni_cells_find(cells, voxel, &ref))
            continue;
        uint32_t id = vni_cell_id(cells, ref);
        if ((best < HUGE_VALF && id == *node) || !vni_is_reached(&e->search, &e->search.entries[id][0]))
            continue;

        float cost = vni_terms_search_enter(&e->wide, id, target, &found);
        if (cost < best) {
            best = cost;
            *node = id;
            *entry = found;
        }
    }

    return best < HUGE_VALF;
}

/// Discards the points of the last lookup. False if there is no field; then nothing has changed.
static bool begin_lookup(vn_query* query) {
    if (query->has_field)
        query->point_count = query->connection_use_count = 0;
    return query->has_field;
}

/// Lays the path to a target. VN_NO_PATH, VN_CAPACITY; `cost` in metres, infinite then.
static vn_status lay_path(vn_query* query, vn_point target, double* cost) {
    VNI_ASSERT(query->has_field);

    uint32_t node = VNI_NO_CELL;
    vni_entry entry;
    *cost = HUGE_VAL;
    query->point_count = 0;
    if (!vni_is_in_limits(query, target) || !find_entry(query, target, &node, &entry))
        return VN_NO_PATH;

    if (!vni_cells_engine_lay(query, node, &entry, target, true, false)) {
        query->point_count = 0;
        return VN_CAPACITY;
    }

    // The search went a margin beyond the maximum; the laid path decides.
    double laid = vni_route_cost(&query->cells.terms, query->points, query->point_count);
    if (laid > query->cells.max_cost) {
        query->point_count = 0;
        return VN_NO_PATH;
    }

    *cost = laid;
    return VN_OK;
}

vn_status vn_query_field_costs(vn_query* query, const vn_point* targets, uint32_t count, double* costs) {
    VNI_ASSERT(query != NULL && (count == 0 || (targets != NULL && costs != NULL)));
    if (!begin_lookup(query))
        return VN_BAD_ORDER;

    for (uint32_t i = 0; i < count; ++i)
        lay_path(query, targets[i], &costs[i]);

    query->point_count = 0;
    return VN_OK;
}

vn_status vn_query_field_path(vn_query* query, vn_point target, vn_path_result* result) {
    VNI_ASSERT(query != NULL && result != NULL);

    if (!begin_lookup(query))
        return VN_BAD_ORDER;
    double cost = HUGE_VAL;
    bool inside = vni_point_is_within(target, query->space->occupancy.dims);
    vn_status status = inside ? lay_path(query, target, &cost) : VN_OUTSIDE;
    bool found = status == VN_OK;
    VNI_ASSERT(!found || vn_space_check_path(query->space, query->points, query->point_count, NULL));

    *result = query->result;
    result->status = result->reason = status;
    result->goal = target;
    result->point_count = query->point_count;
    result->turns = query->point_count > 2 ? query->point_count - 2 : 0;
    result->length =
        vni_steps_to_metres(query->space, vni_polyline_length(query->points, query->point_count));
    result->cost = found ? cost : 0;
    result->needed_points = query->result.needed_points;
    result->expanded = query->cells.wide.expanded;

    return status;
}

// ---------------------------------------------------------------------------------------------------- random

/// The first expanded cell at which the sum of the volumes exceeds `volume`.
static uint32_t cell_at(const vn_query* query, double volume) {
    VNI_ASSERT(query->cells.wide.expanded > 0 && volume >= 0);

    const vni_cells_search* search = &query->cells.search;
    const uint64_t *keys = search->queues[1].keys, *sums = keys + search->capacity;
    uint64_t first = 0, last = query->cells.wide.expanded - 1;
    while (first < last) {
        uint64_t middle = (first + last) / 2;
        if (bits_to_double(sums[middle]) > volume)
            last = middle;
        else
            first = middle + 1;
    }

    return (uint32_t)keys[first];
}

static vn_point random_point(const vn_query* query, vni_rng* rng) {
    const vni_terms_search* s = &query->cells.wide;
    const uint64_t* sums = query->cells.search.queues[1].keys + query->cells.search.capacity;
    uint32_t node = cell_at(query, vni_rng_real(rng) * bits_to_double(sums[s->expanded - 1]));
    vni_lattice_box box = random_box(query, vni_terms_search_cell(s, node));

    int32_t at[3];
    for (int i = 0; i < 3; ++i)
        at[i] = box.low[i] + (int32_t)vni_rng_below(rng, steps_along(&box, i));

    vn_point p = {at[0], at[1], at[2]};
    return p;
}

/// Points that are tried. Each cell is drawn by its volume, but parts of it may be beyond the maximum cost.
#define TRIES 10000

vn_status vn_query_field_random(vn_query* query, uint64_t* random, vn_point* out, double* cost) {
    VNI_ASSERT(query != NULL && random != NULL && out != NULL);

    if (!begin_lookup(query) || query->cells.wide.expanded == 0)
        return VN_BAD_ORDER;
    const vni_cells_engine* e = &query->cells;
    const double size = vni_steps_to_metres(query->space, 1);
    vni_rng rng = vni_rng_make(*random);

    vn_status status = VN_NO_PATH;
    for (uint32_t i = 0; i < TRIES && status != VN_OK; ++i) {
        double laid = 0;
        *out = random_point(query, &rng);
        const vn_point straight[2] = {query->result.start, *out};
        // The straight segment at the least cost is a lower bound: most points beyond the maximum fail here.
        bool may_do = vni_polyline_length(straight, 2) * size * (double)e->wide.least <= e->max_cost;
        if (may_do && (cost != NULL || e->max_cost < HUGE_VAL))
            status = lay_path(query, *out, &laid);
        else if (may_do)
            status = VN_OK;

        if (cost != NULL)
            *cost = laid;
    }

    query->point_count = 0;
    *random = vni_rng_next(&rng);
    return status == VN_NO_PATH ? VN_NOT_FOUND : status;
}
