/// volnav/search/roads.c: roadmaps of the command line.
#include "search/roads.h"

#include <math.h>
#include <string.h>

#include "search/graphs.h"
#include "shell/progress.h"
#include "shell/system.h"
#include "volnav/io.h"

const char roads_help[] = "  --moving-area LIST   of --space hybrid: x,y,z,x,y,z, the low and the high\n"
                          "                       corner of a box in which obstacles can move; up to five\n"
                          "                       boxes in one list. There every voxel is a node; without\n"
                          "                       a box there are only those at edges of obstacles\n";

void roads_add_options(args_table* table, road_options* options) {
    args_add(table, "--moving-area", ARGS_LIST, ARGS_ANY, &options->areas, NULL);
}

bool roads_kind(const char* space, vn_roadmap_kind* kind) {
    for (int i = VN_ROADMAP_HYBRID; i <= VN_ROADMAP_WAYPOINTS; ++i) {
        if (strcmp(space, vn_roadmap_kind_name((vn_roadmap_kind)i)) == 0) {
            *kind = (vn_roadmap_kind)i;
            return true;
        }
    }

    return false;
}

int roads_check(const char* space, const road_options* options) {
    if (options->areas.count == 0) {
        return EXIT_DONE;
    }

    if (strcmp(space, "hybrid") != 0) {
        return say_bad("--moving-area is for --space hybrid; --space %s has no use for it", space);
    }

    if (options->areas.count % 6 != 0) {
        return say_bad(
            "--moving-area: expected six numbers for each box, its low and its high corner, got %d",
            options->areas.count);
    }

    for (int i = 0; i < options->areas.count; ++i) {
        if (i % 6 < 3 && !(options->areas.values[i] < options->areas.values[i + 3])) {
            return say_bad("--moving-area: %g to %g is not from low to high", options->areas.values[i],
                           options->areas.values[i + 3]);
        }
    }

    return EXIT_DONE;
}

// --------------------------------------------------------------------------------------------------- making

/// The voxels from the one that holds `low` to the one that holds `high`; those outside do no harm.
static void add_area(const vn_space_info* info, const double* box, vn_area* area) {
    const double origin[3] = {info->origin.x + info->low.x, info->origin.y + info->low.y,
                              info->origin.z + info->low.z};
    int32_t at[6];
    for (int i = 0; i < 6; ++i) {
        const double voxels = (box[i] - origin[i % 3]) / (double)info->resolution;
        const double rounded = i < 3 ? floor(voxels + 1e-6) : ceil(voxels - 1e-6);
        at[i] = (int32_t)fmin(fmax(rounded, -1), 1 << 24);
    }

    vn_area_add_box(area, (vn_voxel){at[0], at[1], at[2]}, (vn_voxel){at[3], at[4], at[5]});
}

static vn_status make_hybrid(const loaded* in, const road_options* options, const vn_roadmap_def* def,
                             vn_roadmap** out, vn_detail* detail) {
    vn_area* area;
    vn_status status = vn_area_create(&def->allocator, in->space, &area, detail);
    if (status != VN_OK) {
        return status;
    }

    for (int i = 0; i < options->areas.count; i += 6) {
        add_area(&in->info, options->areas.values + i, area);
    }

    status = vn_roadmap_create_hybrid(in->space, area, in->space, def, out, detail);
    vn_area_destroy(area);
    return status;
}

/// The number of the layer that is searched.
static uint32_t layer_of(const loaded* in) {
    uint32_t layer = 0;
    while (layer + 1 < vn_layers_count(in->layers) && vn_layers_space(in->layers, layer) != in->space) {
        ++layer;
    }
    return layer;
}

/// VN_NOT_FOUND if the input is no .vnav, or has none for this layer.
static vn_status read_saved(const loaded* in, vn_roadmap_kind kind, const vn_roadmap_def* def,
                            vn_roadmap** out, vn_detail* detail) {
    const vn_load_def load = vn_default_load_def();
    void* data;
    size_t size;
    if (!in->is_file) {
        return VN_NOT_FOUND;
    }

    vn_status status = vn_tree_load_file(in->path, &load, layer_of(in), VN_ROADMAP_STORED + (uint32_t)kind,
                                         &data, &size, detail);
    if (status == VN_OK) {
        status = vn_roadmap_read(in->space, def, data, size, out, detail);
        load.allocator.release(load.allocator.user, data, size);
    }

    return status;
}

/// Waypoints stand around shapes: says so if there are none, or none with corners.
static int check_shapes(const vn_roadmap* roadmap) {
    vn_roadmap_info info;
    vn_roadmap_get_info(roadmap, &info);
    return info.nodes == 0 && info.without > 0
               ? say_bad("--space waypoints needs obstacles with corners, and this input has voxels only: "
                         "give shapes or a mesh, or choose another space such as cells or merged")
               : EXIT_DONE;
}

static int make(const loaded* in, const road_options* options, vn_roadmap_kind kind,
                const vn_roadmap_def* def, roads* out) {
    vn_detail detail = {0};
    if (kind == VN_ROADMAP_WAYPOINTS && in->world == NULL) {
        return say_bad("%s has no waypoints, and no shapes to put them around: bake it with --space "
                       "waypoints, or name its input with --source IN",
                       in->path);
    }

    const vn_status status =
        kind == VN_ROADMAP_HYBRID
            ? make_hybrid(in, options, def, &out->roadmap, &detail)
            : vn_roadmap_create_waypoints(in->world, in->space, def, &out->roadmap, &detail);
    if (status != VN_OK) {
        return say_status(vn_roadmap_kind_name(kind), status, &detail);
    }

    return kind == VN_ROADMAP_WAYPOINTS ? check_shapes(out->roadmap) : EXIT_DONE;
}

int roads_build(const loaded* in, const road_options* options, vn_roadmap_kind kind, bool quiet, roads* out) {
    vn_detail detail = {0};
    vn_roadmap_def def = vn_default_roadmap_def();
    progress_bar bar = progress_begin(quiet);
    def.progress = progress_report;
    def.progress_user = &bar;

    const double begin = system_wall_seconds();
    const vn_status status =
        options->areas.count > 0 ? VN_NOT_FOUND : read_saved(in, kind, &def, &out->roadmap, &detail);
    out->is_loaded = status == VN_OK;
    int code = EXIT_DONE;
    if (status == VN_NOT_FOUND) {
        code = make(in, options, kind, &def, out);
    } else if (status != VN_OK) {
        code = say_status(in->path, status, &detail);
    }

    out->seconds = system_wall_seconds() - begin;
    progress_end(&bar);
    return code;
}

void roads_free(roads* r) {
    vn_graph_query_destroy(r->query);
    vn_roadmap_view_destroy(r->view);
    vn_roadmap_destroy(r->roadmap);
    memset(r, 0, sizeof *r);
}

// ------------------------------------------------------------------------------------------------- searching

static const char* unknown_part(const search_options* o, const vn_path_request* r) {
    const char* unknown = graphs_unknown_part(r);
    return unknown != NULL                                                 ? unknown
           : r->fuel.max_climbs > 0                                        ? "a limit on climbs"
           : r->zone_count > 0                                             ? "zones"
           : r->refine != VN_REFINE_DEFAULT && r->refine != VN_REFINE_NONE ? "refinement"
           : strcmp(o->graph, "default") != 0                              ? "another --graph"
           : o->g_weight != 1 || o->h_weight != 1                          ? "--weight-g and --weight-h"
                                                                           : NULL;
}

int roads_request(const search_options* options, const search_algo* algo, const vn_path_request* request,
                  vn_graph_request* out) {
    const char* unknown = unknown_part(options, request);
    *out = vn_default_graph_request();
    if (unknown != NULL) {
        return say_bad("hybrid graph and waypoints do not know %s; --space cells may", unknown);
    }

    if (!algo->has_classic) {
        return say_bad("--algo %s does not search hybrid graph and waypoints; astar and theta do",
                       algo->name);
    }

    out->algo = algo->classic;
    out->heuristic = request->heuristic;
    out->weight = request->weight > 0 ? request->weight : 1;
    out->ara_first = options->ara_first;
    out->ara_step = options->ara_step;
    out->budget = request->budget;
    return EXIT_DONE;
}

static vn_status search(const loaded* in, roads* r, const vn_graph_request* request, search_outcome* out) {
    vn_graph_result result = {0};
    const double begin = system_thread_seconds();
    const vn_status status =
        vn_graph_query_find_path(r->query, vn_roadmap_view_graph(r->view), request, &result, &out->detail);
    out->seconds = system_thread_seconds() - begin;
    out->points = status == VN_OK ? vn_graph_query_points(r->query, &out->count) : NULL;
    out->sight_checks = result.sight_checks;
    out->search_cost = result.cost * (double)in->info.resolution;
    out->path.cost = out->search_cost;
    out->path.bound = result.bound;
    out->path.weight = request->weight;
    out->path.expanded = result.expanded;
    out->path.touched = result.touched;
    out->path.point_count = out->count;
    graphs_measure(in->space, out);
    return status;
}

static int prepare(roads* r) {
    const vn_graph_query_def def = vn_default_graph_query_def();
    vn_detail detail = {0};
    vn_status status = vn_roadmap_view_create(r->roadmap, &r->view, &detail);
    if (status == VN_OK) {
        status = vn_graph_query_create(&def, &r->query, &detail);
    }

    if (status == VN_OK) {
        status = vn_graph_query_grow(r->query, vn_roadmap_view_graph(r->view)->node_limit, &detail);
    }

    return status == VN_OK ? EXIT_DONE : say_status(NULL, status, &detail);
}

int roads_run(const loaded* in, roads* r, const vn_graph_request* request, double snap, const double* from,
              const double* to, search_outcome* out) {
    vn_point ends[2], asked[2];
    if (prepare(r) != EXIT_DONE) {
        return EXIT_BAD;
    }

    const vn_graph_source source = vn_roadmap_view_source(r->view);
    if (graphs_place(in, &source, from, to, snap, asked, ends, out)) {
        const vn_status status = search(in, r, request, out);
        out->path.reason = status;
        graphs_judge(in, status, asked, ends, out);
    }

    return EXIT_DONE;
}
