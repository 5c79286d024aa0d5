/// classic/classic_names.c: names of spaces, graphs and algorithms.
#include "volnav/classic.h"

#include <string.h>

static const char* const kind_names[VN_CLASSIC_KIND_COUNT] = {"grid", "octree", "merged"};
static const char* const graph_names[VN_GRAPH_COUNT] = {"default", "centres", "transitions"};
static const char* const algo_names[VN_CLASSIC_ALGO_COUNT] = {
    "astar", "dijkstra", "greedy", "astar-list", "ara", "jps", "jps6", "theta", "lazy-theta", "theta-fast"};

static bool find(const char* name, const char* const* names, unsigned count, unsigned* out) {
    for (*out = 0; *out < count; ++*out)
        if (strcmp(name, names[*out]) == 0)
            return true;
    return false;
}

const char* vn_classic_kind_name(vn_classic_kind kind) {
    return (unsigned)kind < VN_CLASSIC_KIND_COUNT ? kind_names[kind] : NULL;
}

bool vn_classic_kind_from_name(const char* name, vn_classic_kind* out) {
    unsigned index;
    if (!find(name, kind_names, VN_CLASSIC_KIND_COUNT, &index))
        return false;
    *out = (vn_classic_kind)index;
    return true;
}

const char* vn_classic_graph_name(vn_classic_graph graph) {
    return (unsigned)graph < VN_GRAPH_COUNT ? graph_names[graph] : NULL;
}

bool vn_classic_graph_from_name(const char* name, vn_classic_graph* out) {
    unsigned index;
    if (!find(name, graph_names, VN_GRAPH_COUNT, &index))
        return false;
    *out = (vn_classic_graph)index;
    return true;
}

const char* vn_classic_algo_name(vn_classic_algo algo) {
    return (unsigned)algo < VN_CLASSIC_ALGO_COUNT ? algo_names[algo] : NULL;
}

bool vn_classic_algo_from_name(const char* name, vn_classic_algo* out) {
    unsigned index;
    if (!find(name, algo_names, VN_CLASSIC_ALGO_COUNT, &index))
        return false;
    *out = (vn_classic_algo)index;
    return true;
}
