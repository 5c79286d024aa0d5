/// volnav/commands/info.c: the command info.
#include <inttypes.h>
#include <stdlib.h>

#include "commands/commands.h"
#include "commands/info_inside.h"
#include "commands/run_file.h"
#include "input/load.h"
#include "search/layers.h"
#include "search/roads.h"
#include "shell/system.h"
#include "shell/text.h"
#include "volnav/io.h"

static const char help[] =
    "Usage: volnav info FILE [--json]\n"
    "       volnav info F.vnav [--source IN] [--json]\n"
    "\n"
    "Says what a file holds. Of a mesh, a map (.3dmap, .bt, .ot, .map) or a .scene:\n"
    "its bounds, what is in it, and a resolution to begin with; nothing is baked. Of\n"
    "a .vnav or .vnrec: its layers, cells, trees, components and links, and what\n"
    "each part takes; only the head is read, unless --check or --source is given. Of\n"
    "a recorded run (.vnrec): scene, seed, how it was flown, how it ended.\n"
    "\n"
    "  --check              load everything and check it from the ground up\n"
    "  --source IN          is the file still up to date with what it was baked from?\n"
    "                       Give the options for meshes (--solid, --hull, --scale,\n"
    "                       --up) as they were for bake; an input takes them too\n"
    "  --json               JSON on standard output\n"
    "  --help               this text\n"
    "\n"
    "Examples:\n"
    "  volnav info ship.vnav\n"
    "  volnav info ship.vnav --source ship.glb\n"
    "  volnav info samples/scenes/halls.map --scale 0.03125\n"
    "\n"
    "JSON: version, kind, space, bounds, resolution, layers, cells, components,\n"
    "links, trees (octree, merged, hybrid, waypoints: kind, layer, bytes,\n"
    "unpacked_bytes), comment, source, bytes (by part), unpacked_bytes; `space` is\n"
    "cells, the first of the trees, or grid. Of an input: input,\n"
    "kind (mesh, map, octomap, brushes, scene), bounds, obstacles, meshes, triangles,\n"
    "brushes, doors, skipped_brushes, occupied_voxels, free_voxels, unknown_voxels,\n"
    "zones, links, routes, suggested_resolution, warnings. Of a recorded run: kind\n"
    "(run), and the keys of volnav replay.\n"
    "\n"
    "Exit codes: 0 a good file; 2 one that is refused, or stale.\n";

typedef struct info_options {
    load_options load;
    bool check;
} info_options;

static uint64_t sum_cells(const vn_store_info* info) {
    uint64_t cells = 0;
    for (uint32_t i = 0; i < info->layer_count; ++i) {
        cells += info->layers[i].cells;
    }
    return cells;
}

static void write_bytes(json_writer* json, const vn_store_info* info) {
    uint64_t rest = info->bytes;
    char name[32];
    json_begin_object(json, "bytes");
    json_count(json, "total", info->bytes);
    for (uint32_t i = 0; i < info->layer_count; ++i) {
        snprintf(name, sizeof name, "layer %u", (unsigned)i);
        json_count(json, name, info->layer_bytes[i]);
        rest -= info->layer_bytes[i];
    }

    json_count(json, "other", rest);
    json_end(json);
}

static void write_bounds(json_writer* json, const vn_space_info* s) {
    vn_dvec3 low, high;
    load_find_bounds(s, &low, &high);
    json_begin_array(json, "bounds", false);
    json_triple(json, NULL, low.x, low.y, low.z);
    json_triple(json, NULL, high.x, high.y, high.z);
    json_end(json);
}

/// "octree", "merged", "hybrid", "waypoints"; what a later version writes is "unknown".
static const char* name_of_tree(uint32_t kind) {
    const bool is_roadmap = kind >= VN_ROADMAP_STORED;
    const char* name = is_roadmap ? vn_roadmap_kind_name((vn_roadmap_kind)(kind - VN_ROADMAP_STORED))
                                  : vn_classic_kind_name((vn_classic_kind)kind);
    return name != NULL ? name : "unknown";
}

/// What the file was baked for: cells, the first of its trees, or the grid.
static const char* name_of_space(const vn_store_info* info) {
    return info->layers[0].cells > 0 ? "cells"
           : info->tree_count > 0    ? name_of_tree(info->trees[0].kind)
                                     : "grid";
}

static void write_trees(json_writer* json, const vn_store_info* info) {
    json_begin_array(json, "trees", false);
    for (uint32_t i = 0; i < info->tree_count; ++i) {
        json_begin_object(json, NULL);
        json_text(json, "kind", name_of_tree(info->trees[i].kind));
        json_count(json, "layer", info->trees[i].layer);
        json_count(json, "bytes", info->trees[i].bytes);
        json_count(json, "unpacked_bytes", info->trees[i].unpacked_bytes);
        json_end(json);
    }
    json_end(json);
}

static void write_json(const vn_store_info* info) {
    char source[24];
    json_writer json = json_open(stdout);
    snprintf(source, sizeof source, "%016" PRIx64, info->world_hash);
    json_begin_object(&json, NULL);
    json_count(&json, "version", info->version);
    json_text(&json, "kind", info->is_record ? "record" : "layers");
    json_text(&json, "space", name_of_space(info));
    write_bounds(&json, &info->layers[0]);
    json_triple(&json, "dims", info->layers[0].dims.x, info->layers[0].dims.y, info->layers[0].dims.z);
    json_real(&json, "resolution", (double)info->layers[0].resolution);

    json_begin_array(&json, "layers", false);
    for (uint32_t i = 0; i < info->layer_count; ++i) {
        layers_write_one(&json, &info->layers[i]);
    }

    json_end(&json);
    json_count(&json, "cells", sum_cells(info));
    json_count(&json, "components", info->layers[0].components);
    json_count(&json, "links", info->connection_count);
    write_trees(&json, info);
    json_text(&json, "comment", info->comment);
    json_text(&json, "source", source);
    write_bytes(&json, info);
    json_count(&json, "unpacked_bytes", info->unpacked_bytes);
    json_end(&json);
}

static void write_text(const char* path, const vn_store_info* info) {
    const vn_space_info* s = &info->layers[0];
    const double r = (double)s->resolution;
    vn_dvec3 low, high;
    load_find_bounds(s, &low, &high);
    printf("%s: %s, format %u, from %s\n", path, info->is_record ? "a recorded query" : "baked space",
           (unsigned)info->version, info->comment[0] != '\0' ? info->comment : "an unnamed source");
    printf("  space    %d x %d x %d voxels of %g m\n", s->dims.x, s->dims.y, s->dims.z, r);
    printf("  bounds   %s to %s\n", text_point(low, r).s, text_point(high, r).s);

    for (uint32_t i = 0; i < info->layer_count; ++i) {
        layers_print_one(&info->layers[i]);
    }

    for (uint32_t i = 0; i < info->tree_count; ++i) {
        printf("  %-8s of layer %u, %.3f MB, %.3f MB unpacked\n", name_of_tree(info->trees[i].kind),
               (unsigned)info->trees[i].layer, (double)info->trees[i].bytes / 1e6,
               (double)info->trees[i].unpacked_bytes / 1e6);
    }

    if (info->connection_count > 0) {
        printf("  links    %u placed by hand\n", (unsigned)info->connection_count);
    }

    printf("  source   %016" PRIx64 "\n", info->world_hash);
    printf("  file     %.3f MB, %.3f MB unpacked\n", (double)info->bytes / 1e6,
           (double)info->unpacked_bytes / 1e6);
}

/// Reads a tree or a roadmap of the file; kinds that are not known are left alone.
static int check_tree(const loaded* in, const vn_store_tree_info* tree) {
    const vn_load_def load = vn_default_load_def();
    const vn_space* space = vn_layers_space(in->layers, tree->layer);
    vn_detail detail = {0};
    void* data;
    size_t size;
    vn_status status = vn_tree_load_file(in->path, &load, tree->layer, tree->kind, &data, &size, &detail);
    if (status != VN_OK) {
        return say_status(in->path, status, &detail);
    }

    if (tree->kind == VN_CLASSIC_OCTREE || tree->kind == VN_CLASSIC_MERGED) {
        const vn_classic_def def = vn_default_classic_def();
        vn_classic* classic = NULL;
        status = vn_classic_read(space, &def, data, size, &classic, &detail);
        vn_classic_destroy(classic);
    } else if (tree->kind >= VN_ROADMAP_STORED &&
               vn_roadmap_kind_name((vn_roadmap_kind)(tree->kind - VN_ROADMAP_STORED)) != NULL) {
        const vn_roadmap_def def = vn_default_roadmap_def();
        vn_roadmap* roadmap = NULL;
        status = vn_roadmap_read(space, &def, data, size, &roadmap, &detail);
        vn_roadmap_destroy(roadmap);
    }

    load.allocator.release(load.allocator.user, data, size);
    return status == VN_OK ? EXIT_DONE : say_status(in->path, status, &detail);
}

/// Loads the whole file, against its source if there is one; what loads is right.
static int check(const char* path, const load_options* options, const vn_store_info* info) {
    loaded in;
    vn_detail detail = {0};
    int code = load_input(path, options, &in);
    for (uint32_t i = 0; code == EXIT_DONE && i < vn_layers_count(in.layers); ++i) {
        const vn_status status = vn_space_validate(vn_layers_space(in.layers, i), &detail);
        code = status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
    }

    for (uint32_t i = 0; code == EXIT_DONE && i < info->tree_count; ++i) {
        code = check_tree(&in, &info->trees[i]);
    }

    load_free(&in);
    return code;
}

static int show(const info_options* o, const char* path) {
    vn_detail detail = {0};
    vn_store_info* info = say_alloc(1, sizeof *info);
    const vn_status status = vn_store_read_info_file(path, info, &detail);
    int code = status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
    const bool checks = o->check || o->load.source != NULL;
    if (code == EXIT_DONE && info->kind == VN_STORE_RUN && !checks) {
        free(info);
        return run_file_info(path, o->load.json);
    }

    if (code == EXIT_DONE && checks) {
        code = info->is_record ? say_bad("%s: --check and --source are for a .vnav; try volnav replay", path)
                               : check(path, &o->load, info);
    }

    if (code == EXIT_DONE && o->load.json) {
        write_json(info);
    } else if (code == EXIT_DONE) {
        write_text(path, info);
        if (checks) {
            printf("  checked  %s\n", o->load.source != NULL ? "whole, and up to date" : "whole");
        }
    }

    free(info);
    return code;
}

static int run(const info_options* o, const char* path) {
    if (load_is_vnav(path) || system_ends_with(path, ".vnrec")) {
        return show(o, path);
    }

    return o->check ? say_bad("%s: --check is for a .vnav; volnav bake %s checks an input", path, path)
                    : info_world(path, &o->load);
}

int command_info(int argc, char** argv) {
    info_options o = {.load = load_defaults()};
    args_table table = {.command = "info", .positional_max = 1};
    args_add(&table, "--check", ARGS_FLAG, ARGS_ANY, &o.check, NULL);
    args_add(&table, "--source", ARGS_TEXT, ARGS_ANY, &o.load.source, NULL);
    args_add(&table, "--solid", ARGS_FLAG, ARGS_ANY, &o.load.solid, NULL);
    args_add(&table, "--hull", ARGS_FLAG, ARGS_ANY, &o.load.hull, NULL);
    args_add(&table, "--scale", ARGS_REAL, ARGS_POSITIVE, &o.load.scale, &o.load.has_scale);
    args_add(&table, "--up", ARGS_TEXT, ARGS_ANY, &o.load.up, &o.load.has_up);
    args_add(&table, "--json", ARGS_FLAG, ARGS_ANY, &o.load.json, NULL);
    args_add(&table, "--quiet", ARGS_FLAG, ARGS_ANY, &o.load.quiet, NULL);

    const int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }

    if (table.help) {
        fputs(help, stdout);
        return EXIT_DONE;
    }

    if (table.positional_count == 0) {
        return say_bad(
            "info needs a file: a .vnav or .vnrec, a .scene, a map or a mesh. See volnav info --help.");
    }

    return run(&o, table.positional[0]);
}
