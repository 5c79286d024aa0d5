/// 10-classics: searches of the literature on one space, side by side: grid, octree and merged octree; A*,
/// JPS and Lazy Theta*, with and without the funnel; and from one source to many targets.
#include "hall.h"

#include <volnav/classic.h>

/// The classics take points of the lattice. A position outside becomes a point that every call refuses.
static vn_point point_at(const vn_space* space, double x, double y, double z) {
    vn_point point;
    vn_status status = vn_space_point_from_world(space, (vn_dvec3){x, y, z}, &point);
    return status == VN_OK ? point : vn_point_outside();
}

/// A search to try on each space.
typedef struct trial {
    vn_classic_algo algo;
    vn_refine refine;
} trial;

static const trial trials[] = {{VN_CLASSIC_ASTAR, VN_REFINE_NONE},
                               {VN_CLASSIC_ASTAR, VN_REFINE_FUNNEL_PRUNE},
                               {VN_CLASSIC_JPS, VN_REFINE_NONE},
                               {VN_CLASSIC_LAZY_THETA, VN_REFINE_NONE}};

/// Prints one line: the path, or the reason why there is none.
static int try_one(vn_classic_query* query, const vn_classic_info* info, vn_classic_request request) {
    vn_classic_result result;
    vn_detail detail = {0};
    request.check = true;
    printf("%-7s %-11s %-13s ", vn_classic_kind_name(info->kind), vn_classic_algo_name(request.algo),
           vn_refine_name(request.refine));

    vn_status status = vn_classic_query_find_path(query, &request, &result, &detail);
    if (status == VN_UNSUPPORTED)
        printf("%s\n", detail.text);
    else if (status == VN_OK)
        printf("%6.2f m, %5llu nodes, %4llu lines of sight\n", result.path.length,
               (unsigned long long)result.path.expanded, (unsigned long long)result.sight_checks);
    else
        printf("%s\n", vn_status_text(status));

    return status == VN_OK ? 1 : 0;
}

/// Finds paths to several targets at once, with searches that share their nodes. Results say whether their
/// cost is proven to be the least in spite of sharing.
static bool try_many(vn_classic_query* query, vn_classic_request request, const vn_point* targets,
                     uint32_t count, vn_classic_sharing sharing) {
    vn_classic_target out[8];
    vn_classic_result total;
    uint32_t least = 0;
    request.algo = VN_CLASSIC_ASTAR;
    request.refine = VN_REFINE_NONE;

    vn_status status =
        vn_classic_query_find_many(query, &request, targets, count, sharing, out, &total, NULL);
    for (uint32_t i = 0; i < count; ++i)
        least += out[i].optimal;

    printf("        %u targets, %-10s %4llu nodes, %6.2f m, %u costs proven the least\n", count,
           sharing == VN_SHARING_KEPT_KEYS ? "kept keys:" : "new keys:",
           (unsigned long long)total.path.expanded, total.path.length, least);
    return status == VN_OK && (least == count || sharing == VN_SHARING_KEPT_KEYS);
}

static bool try_space(const vn_space* space, vn_classic_kind kind) {
    vn_classic_def def = vn_default_classic_def();
    vn_classic_query_def query_def = vn_default_classic_query_def();
    vn_classic* classic = NULL;
    vn_classic_query* query = NULL;
    vn_classic_info info;
    def.kind = kind;

    if (vn_classic_build(space, &def, &classic, NULL) != VN_OK)
        return false;

    vn_classic_get_info(classic, &info);
    bool ok = vn_classic_query_create(classic, &query_def, &query, NULL) == VN_OK;
    if (ok) {
        vn_classic_request request = vn_default_classic_request();
        int found = 0;
        request.start = point_at(space, 4, 2, 4);
        request.goal = point_at(space, 30, 2, 8);
        for (size_t i = 0; i < sizeof trials / sizeof *trials; ++i) {
            request.algo = trials[i].algo;
            request.refine = trials[i].refine;
            found += try_one(query, &info, request);
        }

        const vn_point targets[3] = {point_at(space, 30, 2, 8), point_at(space, 20, 6, 3),
                                     point_at(space, 8, 1, 12)};
        ok = found >= 3 && try_many(query, request, targets, 3, VN_SHARING_EXACT) &&
             try_many(query, request, targets, 3, VN_SHARING_KEPT_KEYS);
    }

    vn_classic_query_destroy(query);
    vn_classic_destroy(classic);
    return ok;
}

int main(void) {
    vn_world* world = NULL;
    vn_space* space = NULL;
    vn_space_def def = hall_space_def();
    def.cells = false; // the classics need voxels only

    vn_status status = hall_world(false, &world);
    if (status == VN_OK)
        status = vn_space_bake(world, &def, &space, NULL);

    bool ok = status == VN_OK;
    for (int kind = 0; kind < (int)VN_CLASSIC_KIND_COUNT && ok; ++kind)
        ok = try_space(space, (vn_classic_kind)kind);

    vn_space_destroy(space);
    vn_world_destroy(world);
    return ok ? 0 : 1;
}
