/// volnav/commands/bake.c: the command bake.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "draw/road_slice.h"
#include "draw/slice.h"
#include "search/classics.h"
#include "search/layers.h"
#include "search/roads.h"
#include "shell/system.h"
#include "shell/text.h"
#include "volnav/io.h"

static const char help[] =
    "Usage: volnav bake IN [-o OUT.vnav] [options]\n"
    "\n"
    "Turns a world into voxels and cells and reports how many there are, how long it\n"
    "took and what memory they hold. With -o F.vnav everything is saved: all layers,\n"
    "compressed and checksummed, to be loaded in milliseconds by other commands or by\n"
    "vn_layers_load_file. With -o F.3dmap the blocked voxels of one layer are\n"
    "written as a map, which has no metres: its voxel (0,0,0) is the low corner of\n"
    "the space (`low` in the JSON).\n"
    "\n"
    "  -o, --output FILE    FILE must end with .vnav or .3dmap\n"
    "  --picture F.svg      draw a slice: blocked voxels, the cells that it cuts by\n"
    "                       size, portals, borders of blocks; of an octree its\n"
    "                       leaves or merged boxes; of hybrid graph and waypoints\n"
    "                       nodes and edges\n"
    "  --slice AXIS[=M]     which slice: across x, y or z, at M metres (y, through\n"
    "                       the middle)\n"
    "  --min-depth D        of an octree: least depth of leaves (0)\n"
    "  --max-depth D        greatest depth of leaves (down to the voxel)\n"
    "  --split-root         several roots side by side, for a long space\n"
    "\n"
    "An octree, merged or not, is reported (of several layers the first one's), and\n"
    "saved beside its voxels, unless it has a greatest depth; a file with a tree has\n"
    "no cells. The commands that search it with --space octree or merged, and no\n"
    "depths or roots of their own, load it; without one they build the tree.\n"
    "\n"
    "The same holds for Krafft's graphs. --space hybrid: nodes at edges of obstacles,\n"
    "and, if --moving-area says where, one for each voxel that a moving obstacle can\n"
    "block; up to 2^26 voxels. --space waypoints: nodes off the corners and along\n"
    "the edges of each obstacle, which needs shapes or meshes, not voxels. Both can\n"
    "follow moving obstacles once they are loaded (vn_roadmap_read).\n"
    "\n";

static const char examples[] =
    "\n"
    "Examples:\n"
    "  volnav bake ship.glb --resolution 0.25 --radius 0,0.4,1.5 -o ship.vnav\n"
    "  volnav bake spot.obj --resolution 0.02 --solid -o spot.3dmap --json\n"
    "  volnav bake samples/scenes/station.scene --picture a.svg --slice y=36.5\n"
    "  volnav bake Complex.3dmap --space merged\n"
    "  volnav bake samples/scenes/gallery.scene --space hybrid -o gallery.vnav \\\n"
    "      --moving-area 30,2,40,36,8,50 --picture hybrid.svg\n"
    "\n"
    "JSON: space, cells, links, blocked_voxels, seconds, bytes, memory, tree (of an\n"
    "octree: leaves, depth, root_edge, roots, seconds, bytes), graph (of hybrid and\n"
    "waypoints: nodes by kind, or blocked and without; seconds, bytes; `cells` and\n"
    "`links` are its nodes and edges), dims,\n"
    "low, resolution, radius, volume, mesh_volume, duplicates, hash, layers,\n"
    "warnings, output. With several layers the numbers are the first one's; `bytes`,\n"
    "`memory` and `seconds` are those of all.\n"
    "\n"
    "Exit codes: 0 done; 2 bad usage or bad input.\n";

// ------------------------------------------------------------------------------------------------ output

typedef struct collector {
    vn_voxel* voxels;
    uint64_t count;
} collector;

static bool collect(void* user, vn_voxel first, int32_t length) {
    collector* into = user;
    for (int32_t i = 0; i < length; ++i) {
        into->voxels[into->count++] = (vn_voxel){first.x + i, first.y, first.z};
    }
    return true;
}

static int write_map(const char* path, const loaded* in) {
    const vn_voxel low = {0, 0, 0};
    vn_detail detail = {0};
    if (in->info.blocked_voxels > SIZE_MAX / sizeof(vn_voxel)) {
        return say_bad("%s: too many voxels for this machine", path);
    }

    collector all = {say_alloc((size_t)in->info.blocked_voxels, sizeof(vn_voxel)), 0};
    vn_space_visit_blocked(in->space, low, in->info.dims, collect, &all);
    const vn_status status = vn_3dmap_write_file(path, in->info.dims, all.voxels, all.count, &detail);
    free(all.voxels);
    return status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
}

/// The bytes of a tree.
typedef struct page {
    uint8_t* data;
    size_t size, capacity;
} page;

static bool append(void* user, const void* data, size_t size) {
    page* p = user;
    if (p->capacity < p->size + size) {
        p->capacity = 2 * (p->size + size);
        p->data = say_resize(p->data, p->capacity, 1);
    }

    memcpy(p->data + p->size, data, size);
    p->size += size;
    return true;
}

static int save_layers(const char* path, const char* input, const loaded* in, const vn_store_tree* tree) {
    vn_detail detail = {0};
    vn_store_def def = vn_default_store_def();
    def.trees = tree;
    def.tree_count = tree != NULL ? 1 : 0;
    def.connections = in->scene.connections;
    def.connection_count = in->scene.connection_count;
    def.comment = load_file_name(input);
    const vn_status status = vn_layers_save_file(in->layers, path, &def, &detail);

    return status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
}

// ------------------------------------------------------------------------------------------------ report

typedef struct bake_options {
    load_options load;
    search_options tree; ///< depths and roots only
    road_options roads;
    const char *output, *picture, *slice;
    slice_place place;
} bake_options;

/// An octree or a merged octree over the first layer.
typedef struct tree {
    bool wanted;
    classics classics;
    vn_classic_info info;
    double seconds;
    vn_memory memory;
} tree;

static int build_tree(const bake_options* options, const loaded* in, tree* out) {
    vn_classic_kind kind;
    out->wanted = vn_classic_kind_from_name(options->load.space, &kind) && kind != VN_CLASSIC_GRID;
    if (!out->wanted) {
        return EXIT_DONE;
    }

    const int code = classics_build(in, &options->tree, kind, options->load.quiet, &out->classics);
    if (code == EXIT_DONE) {
        vn_classic_get_info(out->classics.kinds[kind], &out->info);
        vn_classic_get_memory(out->classics.kinds[kind], &out->memory);
        out->seconds = out->classics.seconds[kind];
    }

    return code;
}

/// A hybrid graph or waypoints over the first layer.
typedef struct road {
    bool wanted;
    roads roads;
    vn_roadmap_info info;
    vn_memory memory;
} road;

static int build_road(const bake_options* options, const loaded* in, road* out) {
    vn_roadmap_kind kind;
    out->wanted = roads_kind(options->load.space, &kind);
    if (!out->wanted) {
        return EXIT_DONE;
    }

    const int code = roads_build(in, &options->roads, kind, options->load.quiet, &out->roads);
    if (code == EXIT_DONE) {
        vn_roadmap_get_info(out->roads.roadmap, &out->info);
        vn_roadmap_get_memory(out->roads.roadmap, &out->memory);
    }

    return code;
}

static double blocked_volume(const loaded* in) {
    const double r = (double)in->info.resolution;
    return (double)in->info.blocked_voxels * r * r * r;
}

static void write_memory(json_writer* json, const vn_memory* memory) {
    json_begin_object(json, "memory");
    for (uint32_t i = 0; i < memory->count; ++i) {
        json_count(json, memory->parts[i].name, memory->parts[i].bytes);
    }
    json_end(json);
}

static void write_tree_json(json_writer* json, const tree* t) {
    json_begin_object(json, "tree");
    json_count(json, "leaves", t->info.leaves);
    json_count(json, "depth", t->info.depth);
    json_count(json, "root_edge", (uint64_t)t->info.root_edge);
    json_triple(json, "roots", t->info.roots.x, t->info.roots.y, t->info.roots.z);
    json_real(json, "seconds", t->seconds);
    json_count(json, "bytes", t->memory.total);
    json_end(json);
}

static void write_road_json(json_writer* json, const road* r) {
    json_begin_object(json, "graph");
    json_count(json, "nodes", r->info.nodes);
    json_count(json, "edges", r->info.edges);
    if (r->info.kind == VN_ROADMAP_HYBRID) {
        json_count(json, "static_nodes", r->info.static_nodes);
        json_count(json, "dynamic_nodes", r->info.dynamic_nodes);
        json_count(json, "neighbour_nodes", r->info.neighbour_nodes);
    } else {
        json_count(json, "blocked", r->info.blocked);
        json_count(json, "without", r->info.without);
    }

    json_real(json, "seconds", r->roads.seconds);
    json_count(json, "bytes", r->memory.total);
    json_end(json);
}

static const char* space_name(const loaded* in, const tree* t, const road* r) {
    return r->wanted            ? vn_roadmap_kind_name(r->info.kind)
           : t->wanted          ? vn_classic_kind_name(t->info.kind)
           : in->info.cells > 0 ? "cells"
                                : "grid";
}

/// A grid's links are implied.
static void write_sizes(json_writer* json, const loaded* in, const tree* t, const road* r) {
    const bool has_cells = in->info.cells > 0;
    json_count(json, "cells",
               r->wanted   ? r->info.nodes
               : t->wanted ? t->info.cells
               : has_cells ? in->info.cells
                           : in->info.free_voxels);
    json_count(json, "links", r->wanted ? r->info.edges : t->wanted ? 2 * t->info.portals : in->info.links);
}

static void write_json(const char* path, const char* output, const loaded* in, const tree* t, const road* r,
                       const vn_memory* memory) {
    char hash[24];
    json_writer json = json_open(stdout);
    snprintf(hash, sizeof hash, "%016" PRIx64, vn_space_content_hash(in->space));
    json_begin_object(&json, NULL);
    json_text(&json, "input", path);
    json_text(&json, "space", space_name(in, t, r));
    write_sizes(&json, in, t, r);
    json_count(&json, "components", in->info.components);
    json_count(&json, "blocked_voxels", in->info.blocked_voxels);
    json_real(&json, "seconds", in->bake_seconds + t->seconds + r->roads.seconds);
    json_real(&json, "read_seconds", in->read_seconds);
    json_count(&json, "bytes", memory->total + t->memory.total + r->memory.total);

    write_memory(&json, memory);
    if (t->wanted) {
        write_tree_json(&json, t);
    }

    if (r->wanted) {
        write_road_json(&json, r);
    }

    json_triple(&json, "dims", in->info.dims.x, in->info.dims.y, in->info.dims.z);
    json_triple(&json, "low", in->info.low.x, in->info.low.y, in->info.low.z);
    json_real(&json, "resolution", (double)in->info.resolution);
    json_real(&json, "radius", (double)in->info.radius);

    json_real(&json, "volume", blocked_volume(in));
    if (in->report.meshes > 0) {
        json_count(&json, "meshes", in->report.meshes);
        json_count(&json, "triangles", in->report.triangles);
        json_real(&json, "mesh_volume", in->report.mesh_volume);
    }

    json_count(&json, "duplicates", in->report.duplicates);
    json_text(&json, "hash", hash);
    layers_write(&json, in->layers);
    load_write_warnings(&json, in);
    json_text(&json, "output", output);
    json_end(&json);
}

static void print_bounds(const vn_space_info* info) {
    const double r = (double)info->resolution;
    vn_dvec3 low, high;
    load_find_bounds(info, &low, &high);
    printf("  bounds   %s to %s\n", text_point(low, r).s, text_point(high, r).s);
}

static void print_road(const road* r) {
    const vn_roadmap_info* i = &r->info;
    printf("  %-8s %s, %s", vn_roadmap_kind_name(i->kind), text_count(i->nodes, "node").s,
           text_count(i->edges, "edge").s);
    if (i->kind == VN_ROADMAP_HYBRID) {
        printf("; %u static, %u dynamic, %u beside these\n", (unsigned)i->static_nodes,
               (unsigned)i->dynamic_nodes, (unsigned)i->neighbour_nodes);
    } else {
        printf("; %u blocked; %s without waypoints\n", (unsigned)i->blocked,
               text_count(i->without, "obstacle").s);
    }

    printf("           %.3f s to %s, %.3f MB\n", r->roads.seconds, r->roads.is_loaded ? "load" : "build",
           (double)r->memory.total / 1e6);
}

static void write_text(const char* path, const char* output, const loaded* in, const tree* t, const road* r,
                       const vn_memory* memory) {
    const vn_space_info* info = &in->info;
    printf("%s: %d x %d x %d voxels of %g m, radius %g m\n", path, info->dims.x, info->dims.y, info->dims.z,
           (double)info->resolution, (double)info->radius);
    print_bounds(info);
    if (vn_layers_count(in->layers) > 1) {
        layers_print(in->layers);
    }

    printf("  blocked  %s, %s cubic metres\n", text_count(info->blocked_voxels, "voxel").s,
           text_volume(blocked_volume(in)).s);
    printf("  free     %s\n", text_count(info->free_voxels, "voxel").s);
    if (info->cells > 0) {
        printf("  cells    %" PRIu64 ", %s, %s\n", info->cells, text_count(info->links, "link").s,
               text_count(info->components, "component").s);
    }

    if (in->report.meshes > 0) {
        printf("  meshes   %" PRIu64 " with %s, signed volume %s cubic metres\n", in->report.meshes,
               text_count(in->report.triangles, "triangle").s, text_volume(in->report.mesh_volume).s);
    }

    if (t->wanted) {
        printf("  %-8s %" PRIu64 " leaves, %" PRIu64 " boxes, %s between them, %u deep\n",
               vn_classic_kind_name(t->info.kind), t->info.leaves, t->info.cells,
               text_count(t->info.portals, "face").s, (unsigned)t->info.depth);
        printf("           %.3f s to build, %.3f MB\n", t->seconds, (double)t->memory.total / 1e6);
    }

    if (r->wanted) {
        print_road(r);
    }

    printf("  time     %.3f s to read, %.3f s to voxelise\n", in->read_seconds, in->bake_seconds);
    printf("  memory   %.3f MB\n", (double)memory->total / 1e6);
    if (output != NULL) {
        printf("  written  %s\n", output);
    }
}

// ----------------------------------------------------------------------------------------------- command

/// With the tree of the first layer, if there is one and it has no greatest depth, or its roadmap.
static int write_layers(const bake_options* options, const char* input, const loaded* in, const tree* t,
                        const road* r) {
    vn_detail detail = {0};
    page bytes = {0};
    const vn_sink sink = {append, &bytes};
    int code = EXIT_DONE;
    if (t->wanted && !options->tree.has_max_depth) {
        const vn_status status = vn_classic_write(t->classics.kinds[t->info.kind], &sink, &detail);
        code = status == VN_OK ? EXIT_DONE : say_status(options->output, status, &detail);
    }

    if (code == EXIT_DONE && r->wanted) {
        const vn_status status = vn_roadmap_write(r->roads.roadmap, &sink, &detail);
        code = status == VN_OK ? EXIT_DONE : say_status(options->output, status, &detail);
    }

    // A tree that does not fit is left out: commands build it then. A roadmap they could not build the same.
    const uint32_t kind = r->wanted ? VN_ROADMAP_STORED + (uint32_t)r->info.kind : (uint32_t)t->info.kind;
    const vn_store_tree saved = {0, kind, bytes.data, bytes.size};
    const bool fits = bytes.size > 0 && bytes.size <= VN_STORE_MAX_TREE;
    if (code == EXIT_DONE && r->wanted && !fits) {
        code = say_bad("%s: the graph takes %.0f MB, and a file holds one of up to 64: choose a coarser "
                       "--resolution, or fewer areas",
                       options->output, (double)bytes.size / 1048576);
    }

    if (code == EXIT_DONE) {
        code = save_layers(options->output, input, in, fits ? &saved : NULL);
    }

    free(bytes.data);
    return code;
}

static int draw(const bake_options* options, const char* path, const loaded* in, const tree* t, road* r) {
    slice_plan plan = {
        .space = in->space, .title = load_file_name(path), .axis = options->place.axis, .unit = "cell"};
    plan.tree = t->wanted ? t->classics.kinds[t->info.kind] : NULL;
    const int code = slice_find(in->space, &options->place, NAN, &plan.slab);
    if (code == EXIT_DONE && r->wanted) {
        return road_slice_write(options->picture, in->space, r->roads.roadmap, plan.title, plan.axis,
                                plan.slab);
    }

    return code == EXIT_DONE ? slice_write(options->picture, &plan) : code;
}

static int bake(const bake_options* options, const char* path) {
    loaded in;
    tree t = {.wanted = false};
    road r = {.wanted = false};
    vn_memory memory = {0};
    int code = load_input(path, &options->load, &in);
    if (code == EXIT_DONE) {
        code = build_tree(options, &in, &t);
    }

    if (code == EXIT_DONE) {
        code = build_road(options, &in, &r);
    }

    if (code == EXIT_DONE && options->picture != NULL) {
        code = draw(options, path, &in, &t, &r);
    }

    if (code == EXIT_DONE && options->output != NULL) {
        const bool is_vnav = load_is_vnav(options->output);
        code = is_vnav ? write_layers(options, path, &in, &t, &r) : write_map(options->output, &in);
    }

    if (code == EXIT_DONE) {
        vn_layers_get_memory(in.layers, &memory);
        (options->load.json ? write_json : write_text)(path, options->output, &in, &t, &r, &memory);
        if (options->picture != NULL && !options->load.json && !system_is_special(options->picture)) {
            printf("The picture is in %s\n", options->picture);
        }
    }

    classics_free(&t.classics);
    roads_free(&r.roads);
    load_free(&in);
    return code;
}

int command_bake(int argc, char** argv) {
    bake_options o = {.load = load_defaults(), .tree = search_defaults()};
    o.load.takes_roadmaps = true;
    args_table table = {.command = "bake", .positional_max = 1};
    args_add(&table, "-o", ARGS_TEXT, ARGS_ANY, &o.output, NULL);
    args_add(&table, "--output", ARGS_TEXT, ARGS_ANY, &o.output, NULL);
    args_add(&table, "--picture", ARGS_TEXT, ARGS_ANY, &o.picture, NULL);
    args_add(&table, "--slice", ARGS_TEXT, ARGS_ANY, &o.slice, NULL);
    args_add(&table, "--min-depth", ARGS_COUNT, ARGS_ANY, &o.tree.min_depth, NULL);
    args_add(&table, "--max-depth", ARGS_COUNT, ARGS_ANY, &o.tree.max_depth, &o.tree.has_max_depth);
    args_add(&table, "--split-root", ARGS_FLAG, ARGS_ANY, &o.tree.split_root, NULL);
    roads_add_options(&table, &o.roads);
    load_add_options(&table, &o.load);

    const int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }

    if (table.help) {
        printf("%s%s%s%s", help, roads_help, load_help, examples);
        return EXIT_DONE;
    }

    if (table.positional_count == 0) {
        return say_bad("bake needs an input: a .scene, a .3dmap, a .bt or a mesh. Try volnav bake "
                       "samples/scenes/gallery.scene, or see volnav bake --help.");
    }

    if (o.output != NULL && !load_is_vnav(o.output) && !system_ends_with(o.output, ".3dmap")) {
        return say_bad("%s: there are two formats to write: name a file that ends with .vnav or .3dmap",
                       o.output);
    }

    if (o.output != NULL && !load_is_vnav(o.output) && load_check_one_agent(&o.load) != EXIT_DONE) {
        return EXIT_BAD;
    }

    if (o.slice != NULL && o.picture == NULL) {
        return say_bad("--slice %s: there is nothing to draw; add --picture F.svg", o.slice);
    }

    if (slice_parse(o.slice != NULL ? o.slice : "y", &o.place) != EXIT_DONE) {
        return EXIT_BAD;
    }

    if (roads_check(o.load.space, &o.roads) != EXIT_DONE) {
        return EXIT_BAD;
    }

    return bake(&o, table.positional[0]);
}
