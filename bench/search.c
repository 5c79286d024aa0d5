/// bench/search.c: the best-first searches on the voxel grid, side by side on the same questions.
#include "bench.h"

typedef struct row {
    const char* name;
    vn_algo algo;
    uint32_t neighbours;
    double seconds, cost;
    uint64_t expanded;
} row;

static void ask(vn_query* query, row* r, vn_point start, vn_point goal) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = start;
    request.goal = goal;
    request.algo = r->algo;
    request.neighbours = r->neighbours;
    double begin = vnb_seconds();
    vn_find_path(query, &request, &result, NULL);
    r->seconds += vnb_seconds() - begin;
    r->expanded += result.expanded;
    r->cost += result.cost;
}

int main(void) {
    row rows[] = {
        {"astar", VN_ALGO_ASTAR, 26, 0, 0, 0},
        {"dijkstra", VN_ALGO_DIJKSTRA, 26, 0, 0, 0},
        {"greedy", VN_ALGO_GREEDY, 26, 0, 0, 0},
        {"astar, 6 neighbours", VN_ALGO_ASTAR, 6, 0, 0, 0},
    };
    const uint32_t questions = 20;
    vn_space* space = vnb_space(96, 400, 5);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_detail detail = {0};
    vnb_must(vn_query_create(space, &def, &query, &detail), &detail);
    vni_rng rng = vni_rng_make(6);
    for (uint32_t i = 0; i < questions; ++i) {
        vn_point start = vnb_free_point(&rng, space), goal = vnb_free_point(&rng, space);
        for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
            ask(query, &rows[k], start, goal);
    }
    printf("calibration: %.0f M steps/s\n\n", vnb_calibration());
    printf("%-20s %10s %10s %12s %8s %8s\n", "search", "ms/query", "expanded", "M expand/s", "time", "cost");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
        printf("%-20s %10.3f %10.0f %12.2f %8.2f %8.3f\n", rows[k].name, rows[k].seconds / questions * 1e3,
               (double)rows[k].expanded / questions, (double)rows[k].expanded / rows[k].seconds * 1e-6,
               rows[k].seconds / rows[0].seconds, rows[k].cost / rows[0].cost);
    vn_query_destroy(query);
    vn_space_destroy(space);
    return 0;
}
