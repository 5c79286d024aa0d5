/// store/replay.c: searching again for a recorded request, and comparing the results bit by bit.
///
/// A search is a function of its request, its layers and the capacity of its query, all of which are in the
/// record; no clock, no address and no thread count goes in. So any difference is a bug, or another version
/// of the library.
#include "base/assert.h"
#include "base/fail.h"
#include "query/last_search.h"
#include "store/record.h"

#include <string.h>

/// A query with the capacity that the recorded one had for this search.
static vn_status make_query(const vn_record* record, vn_query** out, vn_detail* detail) {
    VNI_ASSERT(record->layers != NULL && record->scratch.max_points > 0);
    vn_query_def def = vn_default_query_def();
    def.allocator = record->allocator;
    def.scratch = record->request.algo == VN_ALGO_CELLS ? VN_SCRATCH_CELLS : VN_SCRATCH_GRID;
    def.max_points = record->scratch.max_points;
    def.max_nodes = record->scratch.max_nodes;
    def.max_climbs = record->request.fuel.max_climbs;

    return record->scratch.on_layers ? vn_query_create_layers(record->layers, &def, out, detail)
                                     : vn_query_create(vn_layers_space(record->layers, 0), &def, out, detail);
}

static bool belongs(const vn_record* record, const vn_query* query) {
    const vni_last_search last = vni_query_last_search(query);
    if (last.layers != NULL)
        return last.layers == record->layers;
    for (uint32_t i = 0; i < vn_layers_count(record->layers); ++i)
        if (vn_layers_space(record->layers, i) == last.space)
            return true;
    return false;
}

/// Expands as many nodes as the recorded search had when its caller cancelled it. A step ends with a round at
/// the latest, so it may take several.
static void step_as_far(const vn_record* record, vn_query* query) {
    const uint64_t expanded = record->result.expanded;
    for (uint64_t done = 0; done < expanded; done = vni_query_expanded(query))
        if (vn_query_step(query, expanded - done) != VN_RUNNING)
            return;

    // The recorded search had a path, so its first round had ended: the next step notices that without
    // expanding anything. A search without a path may have stopped just before.
    if (record->result.status == VN_OK && !vni_query_is_in_second_round(query))
        vn_query_step(query, 1);
}

/// Searches as the recorded query did; `later`: a cancelled one with one more step.
static vn_status search(const vn_record* record, vn_query* query, bool later, vn_path_result* result,
                        vn_detail* detail) {
    const bool cancelled = record->result.reason == VN_CANCELLED;
    vn_status status = vn_query_begin(query, &record->request, detail);
    if (status != VN_OK)
        return status;

    if (cancelled)
        step_as_far(record, query);
    if (cancelled && later)
        vn_query_step(query, 1);

    while (!cancelled && vn_query_step(query, UINT64_MAX) == VN_RUNNING) {
    }

    vn_query_finish(query, result);
    return VN_OK;
}

static uint32_t find_difference(const vn_record* record, const vn_point* points, uint32_t count) {
    uint32_t recorded = record->result.point_count, both = count < recorded ? count : recorded;
    for (uint32_t i = 0; i < both; ++i)
        if (memcmp(&points[i], &record->points[i], sizeof *points) != 0)
            return i;
    return count == recorded ? VN_NO_POINT : both;
}

static void compare(const vn_record* record, const vn_query* query, vn_replay* out) {
    const vn_path_result *before = &record->result, *now = &out->result;
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);

    // The first difference in the order of importance: status, points, cost. Costs are compared as bits:
    // equal as numbers is not enough to call two searches the same.
    out->first_difference = find_difference(record, points, count);
    if (before->status != now->status)
        vni_format(out->text, sizeof out->text, "the status was %s and is %s now",
                   vn_path_status_word(before->status), vn_path_status_word(now->status));
    else if (out->first_difference != VN_NO_POINT)
        vni_format(out->text, sizeof out->text,
                   "the paths differ from point %u on: there were %u points, now there are %u",
                   out->first_difference, before->point_count, count);
    else if (memcmp(&before->cost, &now->cost, sizeof now->cost) != 0)
        vni_format(out->text, sizeof out->text, "the points are the same, but the cost was %g and is %g now",
                   before->cost, now->cost);
    else
        out->same = true;

    if (out->same)
        vni_format(out->text, sizeof out->text, "the result is the same, bit by bit");
}

vn_status vn_record_replay(const vn_record* record, vn_query* query, vn_replay* out, vn_detail* detail) {
    VNI_ASSERT(record != NULL && out != NULL);

    vn_query* own = NULL;
    memset(out, 0, sizeof *out);
    out->first_difference = VN_NO_POINT;
    if (query != NULL && !belongs(record, query))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the query was not made on the record's layers");

    vn_status status = query != NULL ? VN_OK : make_query(record, &own, detail);
    if (status != VN_OK)
        return status;

    query = query != NULL ? query : own;
    status = search(record, query, false, &out->result, detail);
    if (status == VN_OK)
        compare(record, query, out);

    // With fuel there may be three rounds. How much was expanded does not tell whether the second had just
    // ended or the third just begun.
    const bool may_be_later =
        record->result.reason == VN_CANCELLED && record->request.fuel.kind != VN_FUEL_NONE;
    if (status == VN_OK && !out->same && may_be_later) {
        status = search(record, query, true, &out->result, detail);
        if (status == VN_OK)
            compare(record, query, out);
    }

    vn_query_destroy(own);
    return status;
}
