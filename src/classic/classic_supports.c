/// classic/classic_supports.c: is a request right, and is there such a combination?
#include "base/fail.h"
#include "classic/classic_inside.h"
#include "query/zones_check.h"

#include <string.h>

#define REQUEST_COOKIE 0x71b40065u

vn_classic_request vn_default_classic_request(void) {
    vn_classic_request request;
    memset(&request, 0, sizeof request);
    request.algo = VN_CLASSIC_ASTAR;
    request.neighbours = 26;
    request.g_weight = request.h_weight = 1;
    request.ara_first = 3;
    request.ara_step = 0.2;
    request.cookie = REQUEST_COOKIE;

    return request;
}

static vn_status check_words(const vn_classic_request* r, vn_detail* detail) {
    if (vn_classic_algo_name(r->algo) == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no algorithm number %d", (int)r->algo);
    if (vn_classic_graph_name(r->graph) == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no graph number %d", (int)r->graph);
    if (vn_heuristic_name(r->heuristic) == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no heuristic number %d", (int)r->heuristic);
    if (vn_refine_name(r->refine) == NULL)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no refinement number %d", (int)r->refine);
    if (r->neighbours != 6 && r->neighbours != 26)
        return vni_fail(detail, VN_UNSUPPORTED, "a grid has 6 or 26 neighbours, not %u", r->neighbours);

    return VN_OK;
}

static vn_status check_numbers(const vn_classic_request* r, vn_detail* detail) {
    if (r->weight != 0 && !(r->weight >= 1 && r->weight <= 1e6))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the weight is %g; it must be 1 to 1e6", r->weight);
    if (!(r->g_weight >= 0 && r->g_weight <= 1 && r->h_weight >= 0 && r->h_weight <= 1) ||
        (r->g_weight == 0 && r->h_weight == 0))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "the weights on g and h are %g and %g; they must be 0 to 1, and not both 0",
                        r->g_weight, r->h_weight);

    if (!(r->snap_distance >= 0))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the snap distance is %g; it must not be negative",
                        r->snap_distance);

    if (r->algo != VN_CLASSIC_ARA)
        return VN_OK;
    if (!(r->ara_first >= 1 && r->ara_first <= 1e6))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the first weight of ara is %g; it must be 1 to 1e6",
                        r->ara_first);

    if (!(r->ara_step > 0 && r->ara_step <= 1e6) ||
        (r->ara_first - 1) / r->ara_step >= (double)(VNI_ARA_MAX_PASSES - 1))
        return vni_fail(
            detail, VN_BAD_ARGUMENT,
            "ara's weight falls by %g from pass to pass; it must be more than 0, and large enough "
            "for fewer than %u passes",
            r->ara_step, VNI_ARA_MAX_PASSES);

    return VN_OK;
}

static vn_status check_jps(const vn_classic* classic, const vn_classic_request* r, vn_detail* detail) {
    const char* algo = vn_classic_algo_name(r->algo);
    unsigned neighbours = r->algo == VN_CLASSIC_JPS ? 26 : 6;
    if (classic->kind != VN_CLASSIC_GRID)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "%s needs the grid's centres with %u neighbours; the space %s has no grid view", algo,
                        neighbours, vn_classic_kind_name(classic->kind));

    if (r->graph == VN_GRAPH_TRANSITIONS)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "%s needs the grid's centres with %u neighbours; transitions have no grid view", algo,
                        neighbours);

    if (r->algo == VN_CLASSIC_JPS && r->neighbours != 26)
        return vni_fail(detail, VN_UNSUPPORTED, "jps needs 26 neighbours; with 6 it is jps6");
    return VN_OK;
}

static vn_status check_refine(const vn_classic* classic, const vn_classic_request* r, vn_detail* detail) {
    if (r->refine == VN_REFINE_TAUT)
        return vni_fail(detail, VN_UNSUPPORTED, "taut needs the cells of the core: use vn_query_find_path");
    if (r->refine != VN_REFINE_FUNNEL && r->refine != VN_REFINE_FUNNEL_PRUNE)
        return VN_OK;

    if (vni_is_theta(r->algo))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the funnel needs a corridor of boxes; the legs of %s are lines of sight, not edges",
                        vn_classic_algo_name(r->algo));

    if (classic->kind == VN_CLASSIC_GRID && r->graph == VN_GRAPH_CENTRES && r->neighbours == 26)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "the funnel needs a corridor of shared faces; steps to 26 neighbours also pass through "
            "edges and corners: use 6 neighbours or transitions");

    return VN_OK;
}

/// Dijkstra and greedy are two of the weightings; JPS and ARA* need keys that do not shrink.
static vn_status check_weights(const vn_classic_request* r, vn_detail* detail) {
    bool is_free = r->algo == VN_CLASSIC_ASTAR || r->algo == VN_CLASSIC_ASTAR_LIST || vni_is_theta(r->algo);
    if (is_free || (r->g_weight == 1 && r->h_weight == 1))
        return VN_OK;
    return vni_fail(detail, VN_UNSUPPORTED,
                    "weights on g and h are for astar, astar-list, theta and lazy-theta, not for %s",
                    vn_classic_algo_name(r->algo));
}

static vn_status check_zones(const vn_classic_request* r, vn_detail* detail) {
    if ((unsigned)r->zone_mode >= VN_ZONE_MODE_COUNT)
        return vni_fail(detail, VN_UNSUPPORTED, "there is no mode of zones number %d", (int)r->zone_mode);
    if (r->zone_count == 0)
        return VN_OK;
    if (vni_is_jps(r->algo))
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "%s leaves out steps because all cost their length; through zones they do not: use astar",
            vn_classic_algo_name(r->algo));

    if (r->refine != VN_REFINE_NONE)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "%s makes paths shorter and knows no zones: leave the path as found, or search cells",
                        vn_refine_name(r->refine));

    return vni_zones_check(r->zones, r->zone_count, detail);
}

static vn_status check_combination(const vn_classic* classic, const vn_classic_request* r,
                                   vn_detail* detail) {
    vn_status weights = check_weights(r, detail);
    if (weights != VN_OK)
        return weights;

    if (r->algo == VN_CLASSIC_THETA_FAST)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "theta-fast checks sight from static and dynamic neighbour nodes only; of all spaces the "
            "hybrid graph alone has such kinds of nodes");

    if (vni_is_jps(r->algo)) {
        vn_status status = check_jps(classic, r, detail);
        if (status != VN_OK)
            return status;
    }

    if (classic->kind == VN_CLASSIC_GRID && r->graph == VN_GRAPH_TRANSITIONS &&
        vni_view_limit_of_voxels(&classic->grid26, VNI_VIEW_TRANSITIONS) > UINT32_MAX)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "transitions need a number for each face, and so many voxels have more than 2^32: "
                        "search their centres, or a tree");

    vn_status status = check_refine(classic, r, detail);
    return status == VN_OK ? check_zones(r, detail) : status;
}

vn_status vni_classic_resolve(const vn_classic* classic, const vn_classic_request* request,
                              vn_classic_request* out, vn_detail* detail) {
    if (request->cookie != REQUEST_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the request with vn_default_classic_request, then change what you mean");

    bool grid = classic->kind == VN_CLASSIC_GRID;
    *out = *request;
    if (out->graph == VN_GRAPH_DEFAULT)
        out->graph = grid ? VN_GRAPH_CENTRES : VN_GRAPH_TRANSITIONS;

    if (out->algo == VN_CLASSIC_JPS6)
        out->neighbours = 6;

    if (out->refine == VN_REFINE_DEFAULT)
        out->refine = VN_REFINE_NONE;

    if (out->weight == 0)
        out->weight = 1;

    vn_status status = check_words(out, detail);
    if (status == VN_OK)
        status = check_numbers(out, detail);
    if (status == VN_OK)
        status = check_combination(classic, out, detail);

    if (out->heuristic == VN_HEURISTIC_DEFAULT) {
        bool steps = grid && out->graph == VN_GRAPH_CENTRES && !vni_is_theta(out->algo);
        out->heuristic = !steps                 ? VN_HEURISTIC_EUCLIDEAN
                         : out->neighbours == 6 ? VN_HEURISTIC_MANHATTAN
                                                : VN_HEURISTIC_OCTILE;
    }

    return status;
}

vn_status vn_classic_supports(const vn_classic* classic, const vn_classic_request* request,
                              vn_detail* detail) {
    VNI_ASSERT(classic != NULL && request != NULL);
    vn_classic_request resolved;
    return vni_classic_resolve(classic, request, &resolved, detail);
}

bool vn_classic_has_algo(const vn_classic* classic, vn_classic_algo algo) {
    VNI_ASSERT(classic != NULL);
    bool jumps = vni_is_jps(algo);
    if (algo == VN_CLASSIC_THETA_FAST)
        return false;
    return vn_classic_algo_name(algo) != NULL && (!jumps || classic->kind == VN_CLASSIC_GRID);
}
