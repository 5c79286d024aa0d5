/// volnav/experiment/follower.c: trees that follow.
#include "experiment/follower.h"

#include "volnav/path.h"

/// A merged tree may get many times the boxes that it begins with.
enum { NODES_MAX = 1 << 18 };

int follower_open(const moving_place* place, vn_classic_kind kind, bool greedy, follower* out) {
    vn_classic_def def = vn_default_classic_def();
    vn_classic_query_def query = vn_default_classic_query_def();
    vn_detail detail = {0};
    def.kind = kind;
    def.follows = true;
    def.greedy = greedy;
    def.clock = moving_clock;
    query.max_nodes = NODES_MAX;

    vn_status status = vn_classic_build(place->space, &def, &out->classic, &detail);
    status = status == VN_OK ? vn_classic_query_create(out->classic, &query, &out->query, &detail) : status;
    return status == VN_OK ? EXIT_DONE : say_status(vn_classic_kind_name(kind), status, &detail);
}

void follower_close(follower* f) {
    vn_classic_query_destroy(f->query);
    vn_classic_destroy(f->classic);
    *f = (follower){.classic = NULL};
}

int follower_update(follower* f, const vn_space* space, const vn_layer_changes* changes,
                    follower_times* times) {
    vn_classic_times before, after;
    vn_detail detail = {0};
    vn_classic_get_times(f->classic, &before);
    const vn_status status =
        vn_classic_follow(f->classic, space, vn_classic_version(f->classic) + 1, changes, &detail);
    vn_classic_get_times(f->classic, &after);
    times->tree = (double)(after.tree_ns - before.tree_ns) * 1e-9;
    times->graph = (double)(after.graph_ns - before.graph_ns) * 1e-9;
    return status == VN_OK ? EXIT_DONE : say_status("following a scene", status, &detail);
}

run_row follower_find(follower* f, const moving_place* place, vn_point from, vn_point to, double snap) {
    vn_classic_request request = vn_default_classic_request();
    vn_classic_result result = {0};
    uint32_t count = 0;
    request.graph = VN_GRAPH_TRANSITIONS;
    request.start = from;
    request.goal = to;
    request.snap_distance = snap;
    const double begin = system_thread_seconds();
    const vn_status status = vn_classic_query_find_path(f->query, &request, &result, NULL);
    run_row row = {.seconds = system_thread_seconds() - begin, .found = status == VN_OK};
    row.length = result.path.length;
    row.closed = (double)result.closed;

    const vn_point* points = vn_classic_query_points(f->query, &count);
    row.valid = row.found && vn_space_check_path(place->space, points, count, NULL);
    return row;
}

uint64_t follower_cells(const follower* f) {
    vn_classic_info info;
    vn_classic_get_info(f->classic, &info);
    return info.cells;
}
