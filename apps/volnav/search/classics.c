/// volnav/search/classics.c: requests, spaces and scratch of the classics.
#include "search/classics.h"

#include <assert.h>
#include <string.h>

#include "search/graphs.h"
#include "search/legs.h"
#include "shell/progress.h"
#include "shell/system.h"
#include "volnav/io.h"

bool classics_needed(const char* space, const search_options* options, const search_algo* algo,
                     const vn_path_request* request, vn_classic_kind* kind) {
    const bool is_tree = vn_classic_kind_from_name(space, kind) && *kind != VN_CLASSIC_GRID;
    if (is_tree || search_is_cells(algo)) {
        return is_tree;
    }

    *kind = VN_CLASSIC_GRID;
    return !algo->has_core || request->refine > VN_REFINE_TAUT || strcmp(options->graph, "default") != 0 ||
           options->g_weight != 1 || options->h_weight != 1;
}

int classics_request(const search_options* options, const search_algo* algo, const vn_path_request* request,
                     vn_classic_request* out) {
    const char* unknown = graphs_unknown_part(request);
    *out = vn_default_classic_request();
    if (unknown != NULL) {
        return say_bad("%s does not know %s here; the search over cells does: leave out --algo, --space and "
                       "--graph",
                       algo->name, unknown);
    }

    if (request->fuel.max_climbs > 0) {
        return say_bad("%s does not know --climbs here; astar, dijkstra and greedy on the grid do",
                       algo->name);
    }

    const bool has_graph = vn_classic_graph_from_name(options->graph, &out->graph);
    assert(has_graph); // search_request has checked it
    (void)has_graph;
    assert(algo->has_classic); // a tree has no cells, and search_read_algo has said so
    out->algo = algo->classic;
    out->neighbours = out->algo == VN_CLASSIC_JPS6 ? 6 : request->neighbours;
    out->heuristic = request->heuristic;
    out->weight = request->weight;
    out->g_weight = options->g_weight;
    out->h_weight = options->h_weight;
    out->every_sight = options->every_sight;
    out->ara_first = options->ara_first;
    out->ara_step = options->ara_step;
    out->refine = request->refine;
    out->budget = request->budget;
    out->snap_distance = request->snap_distance;
    out->zones = request->zones;
    out->zone_count = request->zone_count;
    out->zone_flags = request->zone_flags;

    return EXIT_DONE;
}

/// The number of the layer that is searched.
static uint32_t layer_of(const loaded* in) {
    uint32_t layer = 0;
    while (layer + 1 < vn_layers_count(in->layers) && vn_layers_space(in->layers, layer) != in->space) {
        ++layer;
    }
    return layer;
}

/// The tree that a .vnav has for this layer; false if there is none, or not one of these depths and roots.
/// One that cannot be read is built, with a warning: it says nothing that the layer does not.
static bool read_saved(const loaded* in, const vn_classic_def* def, vn_classic** out) {
    const vn_load_def load = vn_default_load_def();
    const bool plain = def->min_depth == 0 && def->max_depth == UINT32_MAX && !def->split_root;
    vn_detail detail = {0};
    void* data;
    size_t size;
    if (!in->is_file || !plain || def->kind == VN_CLASSIC_GRID) {
        return false;
    }

    vn_status status =
        vn_tree_load_file(in->path, &load, layer_of(in), (uint32_t)def->kind, &data, &size, &detail);
    if (status == VN_NOT_FOUND) {
        return false;
    }

    if (status == VN_OK) {
        status = vn_classic_read(in->space, def, data, size, out, &detail);
        load.allocator.release(load.allocator.user, data, size);
    }

    if (status != VN_OK) {
        say_status(in->path, status, &detail);
    }
    return status == VN_OK;
}

int classics_build(const loaded* in, const search_options* options, vn_classic_kind kind, bool quiet,
                   classics* out) {
    vn_detail detail = {0};
    vn_classic_def def = vn_default_classic_def();
    if (out->kinds[kind] != NULL) {
        return EXIT_DONE;
    }

    if (options->min_depth > 64 || options->max_depth > 64) {
        return say_bad("--min-depth, --max-depth: a tree is at most 20 deep");
    }

    progress_bar bar = progress_begin(quiet);
    def.kind = kind;
    def.min_depth = (uint32_t)options->min_depth;
    def.max_depth = options->has_max_depth ? (uint32_t)options->max_depth : def.max_depth;
    def.split_root = options->split_root;
    def.follows = out->follows;
    def.progress = progress_report;
    def.progress_user = &bar;
    const double begin = system_wall_seconds();
    vn_status status = VN_OK;
    if (!read_saved(in, &def, &out->kinds[kind])) {
        status = vn_classic_build(in->space, &def, &out->kinds[kind], &detail);
    }
    out->seconds[kind] = system_wall_seconds() - begin;
    progress_end(&bar);

    return status == VN_OK ? EXIT_DONE : say_status(vn_classic_kind_name(kind), status, &detail);
}

void classics_free(classics* all) {
    for (int i = 0; i < (int)VN_CLASSIC_KIND_COUNT; ++i) {
        vn_classic_destroy(all->kinds[i]);
    }
    memset(all, 0, sizeof *all);
}

int classics_make_scratch(const classics* all, const search_options* options, classics_scratch* out) {
    vn_classic_query_def def = vn_default_classic_query_def();
    memset(out, 0, sizeof *out);
    if (options->max_nodes > UINT32_MAX - 1) {
        return say_bad("--max-nodes %llu is too large", (unsigned long long)options->max_nodes);
    }

    def.max_nodes = (uint32_t)options->max_nodes;
    for (int i = 0; i < (int)VN_CLASSIC_KIND_COUNT; ++i) {
        vn_detail detail = {0};
        const vn_status status = all->kinds[i] != NULL
                                     ? vn_classic_query_create(all->kinds[i], &def, &out->kinds[i], &detail)
                                     : VN_OK;
        if (status != VN_OK) {
            return say_status(NULL, status, &detail);
        }
    }

    return EXIT_DONE;
}

void classics_free_scratch(classics_scratch* scratch) {
    for (int i = 0; i < (int)VN_CLASSIC_KIND_COUNT; ++i) {
        vn_classic_query_destroy(scratch->kinds[i]);
    }
    memset(scratch, 0, sizeof *scratch);
}

void classics_run(const loaded* in, vn_classic_query* query, vn_classic_request* request, const double* from,
                  const double* to, search_outcome* out) {
    vn_classic_result result = {0};
    assert(query != NULL && from != NULL && to != NULL);
    if (!search_place(in, from, to, request->snap_distance, &request->start, &request->goal, out)) {
        return;
    }

    const double begin = system_thread_seconds();
    const vn_status status = vn_classic_query_find_path(query, request, &result, &out->detail);
    out->seconds = system_thread_seconds() - begin;
    out->path = result.path;
    out->sight_checks = result.sight_checks;
    out->closed = result.closed;
    out->passes = result.passes;
    out->search_cost = result.search_cost;
    out->by_classic = true;
    out->too_coarse = (status == VN_START_BLOCKED && vn_space_point_free(in->space, request->start)) ||
                      (status == VN_GOAL_BLOCKED && vn_space_point_free(in->space, request->goal));
    out->points = status == VN_OK ? vn_classic_query_points(query, &out->count) : NULL;
    search_judge(in, status, (double)in->info.radius, NULL, 0, out);
    legs_judge(in, request->start, &request->goal, out);
}
