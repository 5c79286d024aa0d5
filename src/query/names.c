/// query/names.c: what algorithms, heuristics, qualities, refinements, goals and kinds of fuel are called.
#include "volnav/query.h"

#include <string.h>

static const char* const algo_names[VN_ALGO_COUNT] = {"cells", "astar", "dijkstra", "greedy", "astar-list"};
static const char* const heuristic_names[VN_HEURISTIC_COUNT] = {"default", "octile", "euclidean", "manhattan",
                                                                "r16"};
static const char* const quality_names[VN_QUALITY_COUNT] = {"standard", "fast", "best"};
static const char* const refine_names[VN_REFINE_COUNT] = {"default", "none",   "prune",       "taut",
                                                          "smooth",  "funnel", "funnel+prune"};
static const char* const goal_names[VN_GOAL_KIND_COUNT] = {"point", "box", "sphere", "sight"};

static const char* const fuel_names[VN_FUEL_KIND_COUNT] = {"none", "r16", "gravity"};

static const char* name_of(unsigned index, const char* const* names, unsigned count) {
    return index < count ? names[index] : NULL;
}

static bool find_name(const char* name, const char* const* names, int count, int* out) {
    for (int i = 0; i < count; ++i)
        if (strcmp(name, names[i]) == 0) {
            *out = i;
            return true;
        }
    return false;
}

const char* vn_algo_name(vn_algo algo) {
    return name_of((unsigned)algo, algo_names, VN_ALGO_COUNT);
}

bool vn_algo_from_name(const char* name, vn_algo* out) {
    int index;
    bool found = find_name(name, algo_names, VN_ALGO_COUNT, &index);
    if (found)
        *out = (vn_algo)index;
    return found;
}

const char* vn_heuristic_name(vn_heuristic heuristic) {
    return name_of((unsigned)heuristic, heuristic_names, VN_HEURISTIC_COUNT);
}

bool vn_heuristic_from_name(const char* name, vn_heuristic* out) {
    int index;
    bool found = find_name(name, heuristic_names, VN_HEURISTIC_COUNT, &index);
    if (found)
        *out = (vn_heuristic)index;
    return found;
}

const char* vn_quality_name(vn_quality quality) {
    return name_of((unsigned)quality, quality_names, VN_QUALITY_COUNT);
}

bool vn_quality_from_name(const char* name, vn_quality* out) {
    int index;
    bool found = find_name(name, quality_names, VN_QUALITY_COUNT, &index);
    if (found)
        *out = (vn_quality)index;
    return found;
}

const char* vn_refine_name(vn_refine refine) {
    return name_of((unsigned)refine, refine_names, VN_REFINE_COUNT);
}

bool vn_refine_from_name(const char* name, vn_refine* out) {
    int index;
    bool found = find_name(name, refine_names, VN_REFINE_COUNT, &index);
    if (found)
        *out = (vn_refine)index;
    return found;
}

const char* vn_goal_kind_name(vn_goal_kind kind) {
    return name_of((unsigned)kind, goal_names, VN_GOAL_KIND_COUNT);
}

bool vn_goal_kind_from_name(const char* name, vn_goal_kind* out) {
    int index;
    bool found = find_name(name, goal_names, VN_GOAL_KIND_COUNT, &index);
    if (found)
        *out = (vn_goal_kind)index;
    return found;
}

const char* vn_fuel_kind_name(vn_fuel_kind kind) {
    return name_of((unsigned)kind, fuel_names, VN_FUEL_KIND_COUNT);
}

bool vn_fuel_kind_from_name(const char* name, vn_fuel_kind* out) {
    int index;
    bool found = find_name(name, fuel_names, VN_FUEL_KIND_COUNT, &index);
    if (found)
        *out = (vn_fuel_kind)index;
    return found;
}
