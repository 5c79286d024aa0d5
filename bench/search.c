/// bench/search.c: whole queries: cells and the best-first searches on the voxel grid, on the same ends.
#include "bench.h"

typedef struct row {
    const char* name;
    vn_algo algo;
    uint32_t neighbours;
    double seconds, cost;
    uint64_t expanded, found;
} row;

static void run(vn_query* query, row* r, vn_point start, vn_point goal) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail = {0};
    request.start = start;
    request.goal = goal;
    request.algo = r->algo;
    request.neighbours = r->neighbours;
    double begin = vnb_seconds();
    vn_status status = vn_query_find_path(query, &request, &result, &detail);

    r->seconds += vnb_seconds() - begin;
    if (status != VN_CAPACITY) // a large map may be too much for dijkstra
        vnb_must(status, &detail);

    r->found += status == VN_OK;
    r->expanded += result.expanded;
    r->cost += result.cost;
}

int main(void) {
    row rows[] = {
        {"cells", VN_ALGO_CELLS, 26, 0, 0, 0, 0},
        {"astar", VN_ALGO_ASTAR, 26, 0, 0, 0, 0},
        {"dijkstra", VN_ALGO_DIJKSTRA, 26, 0, 0, 0, 0},
        {"greedy", VN_ALGO_GREEDY, 26, 0, 0, 0, 0},
        {"astar, 6 neighbours", VN_ALGO_ASTAR, 6, 0, 0, 0, 0},
    };
    const uint32_t count = sizeof rows / sizeof *rows;
    uint32_t queries = 0;
    vn_space* space = vnb_space(96, 400, 5);
    vn_query_def def = vn_default_query_def();
    def.scratch = VN_SCRATCH_ALL;
    vn_query* query;
    vn_detail detail = {0};
    vnb_must(vn_query_create(space, &def, &query, &detail), &detail);
    vni_rng rng = vni_rng_make(6);

    double begin = vnb_seconds();
    while (queries < 20 && (queries == 0 || vnb_seconds() - begin < 10)) {
        vnb_ends q = vnb_random_ends(&rng, space);
        for (uint32_t turn = 0; turn < count; ++turn)
            run(query, &rows[rotation_at(count, queries, turn)], q.start, q.goal);
        ++queries;
    }

    printf("%-20s %6s %10s %10s %12s %8s %8s\n", "search", "found", "ms/query", "expanded", "M expand/s",
           "time", "cost");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
        printf("%-20s %6.2f %10.3f %10.0f %12.2f %8.2f %8.3f\n", rows[k].name,
               (double)rows[k].found / queries, rows[k].seconds / queries * 1e3,
               (double)rows[k].expanded / queries, (double)rows[k].expanded / rows[k].seconds * 1e-6,
               rows[k].seconds / rows[0].seconds, rows[k].cost / rows[0].cost);

    vn_query_destroy(query);
    vn_space_destroy(space);
    return 0;
}
