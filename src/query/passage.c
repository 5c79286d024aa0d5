/// query/passage.c: the widest path between two points: which layers are searched, in which order.
///
/// Layers are tried from the widest agent down. In the first one that connects the ends, the path is wider
/// than that agent and narrower than the next one: how much is the matter of query/passage_search.h.
#include "base/fail.h"
#include "geom/units.h"
#include "probe/endpoint.h"
#include "query/passage_search.h"
#include "query/query_inside.h"

// ------------------------------------------------------------------------------------------------- layers

/// Wider first, then those that open more.
static bool comes_before(const vn_space* a, const vn_space* b) {
    if (a->radius != b->radius)
        return a->radius > b->radius;
    return vni_popcount(a->open_flags) > vni_popcount(b->open_flags);
}

/// The layers that open nothing but `open_flags`, in order (insertion sort: there are few); the space if
/// there are no layers.
static uint32_t list_layers(const vn_query* query, uint32_t open_flags, const vn_space* out[VN_MAX_LAYERS]) {
    uint32_t count = 0, all = query->layers != NULL ? vn_layers_count(query->layers) : 0;
    if (query->layers == NULL)
        out[count++] = query->space;

    for (uint32_t i = 0; i < all; ++i) {
        const vn_space* space = vn_layers_space(query->layers, i);
        if (space->open_flags & ~open_flags)
            continue;

        uint32_t at = count++;
        for (; at > 0 && comes_before(space, out[at - 1]); --at)
            out[at] = out[at - 1];

        out[at] = space;
    }

    return count;
}

/// Of the wider layers that open no more than layers[index]: the one that opens most, and of these the
/// narrowest, since it has the most free voxels; of equals the first.
static const vn_space* find_wider(const vn_space* const* layers, uint32_t index) {
    const vn_space *layer = layers[index], *best = NULL;
    for (uint32_t i = 0; i < index; ++i) {
        const vn_space* space = layers[i];
        if (space->radius <= layer->radius || space->open_flags & ~layer->open_flags ||
            !vni_space_has_cells(space))
            continue;

        uint32_t opened = vni_popcount(space->open_flags),
                 most = best != NULL ? vni_popcount(best->open_flags) : 0;
        if (best == NULL || opened > most || (opened == most && space->radius < best->radius))
            best = space;
    }

    return best;
}

/// The request, and what is known of its ends so far.
typedef struct passage_request {
    vn_point start, goal;
    double up_to;
    bool start_free, goal_free; ///< in some layer
} passage_request;

/// Voxels of the ends that the layer may connect: of the sides that an end on a face, an edge or a corner
/// has, the pair with this number. Cells tell which pair is connected; without them only a search can.
static bool find_ends(const vn_space* layer, passage_request* q, uint32_t number, vn_voxel* start,
                      vn_voxel* goal) {
    vn_voxel starts[8], goals[8];
    uint32_t start_count = vni_space_sides(layer, q->start, NULL, NULL, starts);
    uint32_t goal_count = vni_space_sides(layer, q->goal, NULL, NULL, goals);
    q->start_free |= start_count > 0;
    q->goal_free |= goal_count > 0;

    if (number >= start_count * goal_count)
        return false;
    if (vni_space_has_cells(layer))
        return number == 0 && vni_space_join(layer, q->start, q->goal, start, goal);

    *start = starts[number / goal_count];
    *goal = goals[number % goal_count];
    return true;
}

static vn_status search_layers(vn_query* query, passage_request* q, const vn_space* const* layers,
                               uint32_t count, uint64_t budget, vn_passage* out) {
    vni_passage_search s = {
        .grid = &query->grid.grid6, .scratch = &query->grid.scratch, .up_to = q->up_to, .budget = budget};
    vn_status status = VN_NO_PATH;
    for (uint32_t i = 0; status == VN_NO_PATH && i < count; ++i) {
        s.layer = layers[i];
        s.wider = find_wider(layers, i);
        for (uint32_t k = 0; status == VN_NO_PATH && find_ends(layers[i], q, k, &s.start, &s.goal); ++k)
            status = vni_passage_search_run(&s, out);
    }

    return status;
}

// ---------- request

static bool is_inside(const vn_space* space, vn_point p) {
    return vni_point_is_within(p, space->occupancy.dims);
}

static vn_status check_request(const vn_query* query, const passage_request* q, uint32_t layer_count,
                               vn_detail* detail) {
    if (!(query->scratch & VN_SCRATCH_GRID))
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "this query has no scratch for grid searches: make it with VN_SCRATCH_GRID or VN_SCRATCH_ALL");

    if (!(q->up_to >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "max_radius is %g; it must be 0 metres or more", q->up_to);
    if (layer_count == 0)
        return vni_fail(detail, VN_UNSUPPORTED, "every layer opens more than these flags: bake one for them");
    if (!is_inside(query->space, q->start))
        return vni_fail(detail, VN_OUTSIDE, "the start lies outside the bounds of the space");
    if (!is_inside(query->space, q->goal))
        return vni_fail(detail, VN_OUTSIDE, "the goal lies outside the bounds of the space");

    return VN_OK;
}

/// A status in words. VN_NO_PATH may be about an end.
static vn_status explain(const passage_request* q, vn_status status, vn_detail* detail) {
    if (status == VN_NO_PATH && !q->start_free)
        return vni_fail(detail, VN_START_BLOCKED, "the start is blocked in every layer: move it");
    if (status == VN_NO_PATH && !q->goal_free)
        return vni_fail(detail, VN_GOAL_BLOCKED, "the goal is blocked in every layer: move it");
    if (status == VN_NO_PATH)
        return vni_fail(detail, status, "no layer connects the ends: a layer with a smaller radius might");
    if (status == VN_BUDGET_SPENT)
        return vni_fail(detail, status, "the budget was spent before the widest path was known: raise it");
    if (status == VN_CAPACITY)
        return vni_fail(detail, status,
                        "the scratch of the search is full: make the query with more max_nodes");

    return status;
}

/// Ends the query's last search, whose result stays.
static void end_search(vn_query* query) {
    if (query->phase == VNI_PHASE_SEARCH)
        query->result.status = query->result.reason = VN_CANCELLED;
    query->phase = VNI_PHASE_IDLE;
    query->has_field = false;
    if (query->request.algo != VN_ALGO_CELLS)
        query->has_search = false; // its voxels were in the scratch that this search overwrites
}

vn_status vn_query_find_passage(vn_query* query, vn_point start, vn_point goal, uint32_t open_flags,
                                double max_radius, uint64_t budget, vn_passage* out, vn_detail* detail) {
    VNI_ASSERT(query != NULL && out != NULL);

    const vn_space* layers[VN_MAX_LAYERS];
    uint32_t count = list_layers(query, open_flags, layers);
    passage_request q = {start, goal, max_radius, false, false};
    *out = (vn_passage){.bottleneck = start};
    out->status = check_request(query, &q, count, detail);

    if (out->status != VN_OK)
        return out->status;
    end_search(query);
    out->status = explain(&q, search_layers(query, &q, layers, count, budget, out), detail);
    out->bottleneck_position = vn_space_point_to_world(query->space, out->bottleneck);
    return out->status;
}
