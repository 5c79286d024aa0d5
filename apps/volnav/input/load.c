/// volnav/input/load.c: input, world, layers.
#include "input/load.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shell/progress.h"
#include "shell/system.h"
#include "volnav/classic.h"
#include "volnav/io.h"
#include "volnav/roadmap.h"

const char load_help[] = "Making the space:\n"
                         "  --resolution M       edge of a voxel in metres (1)\n"
                         "  --radius M[,M...]    radius of the agent (0, a point); with bake several: a\n"
                         "                       layer for each\n"
                         "  --open N[,N...]      obstacles with one of these flags are open for the agent\n"
                         "                       (0: none); with bake several: layers for each\n"
                         "  --bounds x,y,z,x,y,z the part of the world to take, low and high corner\n"
                         "  --margin M           space around the obstacles if there are no bounds (0)\n"
                         "  --seed x,y,z         keep only the free region around this point\n"
                         "  --solid              fill closed meshes\n"
                         "  --hull               take the convex hull of each mesh\n"
                         "  --scale S            multiply the coordinates of meshes, .bt, .ot and .map by\n"
                         "                       S (1); for Quake's units 0.03125\n"
                         "  --up y|z|x           the axis of a mesh, .bt or .ot that points up (y); of a\n"
                         "                       .map (z)\n"
                         "  --space S            cells for the fast search (default), grid (the voxels),\n"
                         "                       octree, or merged (an octree whose leaves are merged);\n"
                         "                       bake, query: hybrid (nodes at edges of obstacles), or\n"
                         "                       waypoints (around their corners)\n"
                         "  --unknown U          unseen space (.bt, .ot, `unknown` in a scene): blocked\n"
                         "                       (default), free, or refused: blocked, and a query into it\n"
                         "                       says so\n"
                         "  --source IN          of a .vnav: what it was baked from; refuse it if that has\n"
                         "                       changed, and check paths against its shapes\n"
                         "  --threads N          workers (0: one for each processor)\n"
                         "\n"
                         "Output:\n"
                         "  --json               JSON on standard output\n"
                         "  --quiet              no progress bar and no warnings\n"
                         "  --help               this text\n";

load_options load_defaults(void) {
    return (load_options){.resolution = 1, .scale = 1, .up = "y", .space = "cells", .unknown = "blocked"};
}

void load_add_options(args_table* table, load_options* o) {
    args_add(table, "--resolution", ARGS_REAL, ARGS_POSITIVE, &o->resolution, &o->has_resolution);
    args_add(table, "--radius", ARGS_LIST, ARGS_NOT_NEGATIVE, &o->radii, NULL);
    args_add(table, "--open", ARGS_LIST, ARGS_NOT_NEGATIVE, &o->open, NULL);
    args_add(table, "--unknown", ARGS_TEXT, ARGS_ANY, &o->unknown, &o->has_unknown);
    args_add(table, "--source", ARGS_TEXT, ARGS_ANY, &o->source, NULL);
    args_add(table, "--margin", ARGS_REAL, ARGS_NOT_NEGATIVE, &o->margin, &o->has_margin);
    args_add(table, "--bounds", ARGS_BOX, ARGS_ANY, o->bounds, &o->has_bounds);
    args_add(table, "--seed", ARGS_POINT, ARGS_ANY, o->seed, &o->has_seed);
    args_add(table, "--scale", ARGS_REAL, ARGS_POSITIVE, &o->scale, &o->has_scale);
    args_add(table, "--up", ARGS_TEXT, ARGS_ANY, &o->up, &o->has_up);
    args_add(table, "--space", ARGS_TEXT, ARGS_ANY, &o->space, NULL);
    args_add(table, "--threads", ARGS_COUNT, ARGS_ANY, &o->threads, NULL);
    args_add(table, "--solid", ARGS_FLAG, ARGS_ANY, &o->solid, NULL);
    args_add(table, "--hull", ARGS_FLAG, ARGS_ANY, &o->hull, NULL);
    args_add(table, "--json", ARGS_FLAG, ARGS_ANY, &o->json, NULL);
    args_add(table, "--quiet", ARGS_FLAG, ARGS_ANY, &o->quiet, NULL);
}

double load_radius(const load_options* options) {
    return options->radii.count > 0 ? options->radii.values[0] : 0;
}

uint32_t load_open_flags(const load_options* options) {
    return options->open.count > 0 ? (uint32_t)options->open.values[0] : 0;
}

int load_check_one_agent(const load_options* options) {
    return options->radii.count > 1 || options->open.count > 1
               ? say_bad("--radius and --open: one agent at a time here; several make layers, with bake")
               : EXIT_DONE;
}

void load_find_bounds(const vn_space_info* info, vn_dvec3* low, vn_dvec3* high) {
    const double r = (double)info->resolution;
    *low =
        (vn_dvec3){info->origin.x + info->low.x, info->origin.y + info->low.y, info->origin.z + info->low.z};
    *high = (vn_dvec3){low->x + r * info->dims.x, low->y + r * info->dims.y, low->z + r * info->dims.z};
}

bool load_is_vnav(const char* path) {
    return system_ends_with(path, ".vnav");
}

const char* load_file_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool unknown_policy(const char* name, vn_unknown_policy* out) {
    *out = strcmp(name, "free") == 0      ? VN_UNKNOWN_FREE
           : strcmp(name, "refused") == 0 ? VN_UNKNOWN_REFUSED
                                          : VN_UNKNOWN_BLOCKED;
    return *out != VN_UNKNOWN_BLOCKED || strcmp(name, "blocked") == 0;
}

static int check_options(const load_options* options) {
    vn_classic_kind kind;
    const bool is_roadmap = strcmp(options->space, vn_roadmap_kind_name(VN_ROADMAP_HYBRID)) == 0 ||
                            strcmp(options->space, vn_roadmap_kind_name(VN_ROADMAP_WAYPOINTS)) == 0;
    if (is_roadmap && !options->takes_roadmaps) {
        return say_bad("--space %s: bake and query know it; here there are: cells, grid, octree, merged",
                       options->space);
    }

    if (!is_roadmap && strcmp(options->space, "cells") != 0 &&
        !vn_classic_kind_from_name(options->space, &kind)) {
        return say_bad("--space %s is not in this version; there are: cells, grid, octree, merged%s",
                       options->space, options->takes_roadmaps ? ", hybrid, waypoints" : "");
    }

    if (strlen(options->up) != 1 || strchr("xyz", options->up[0]) == NULL) {
        return say_bad("--up %s: expected y, z or x", options->up);
    }

    if (options->threads > 1024) {
        return say_bad("--threads %llu: 1024 at most", (unsigned long long)options->threads);
    }

    for (int i = 0; i < options->open.count; ++i) {
        const double flags = options->open.values[i];
        if (flags != floor(flags) || flags >= (double)VN_FLAG_UNKNOWN) {
            return say_bad("--open: flags are whole numbers from 0 to 2147483647");
        }
    }

    vn_unknown_policy unknown;
    return unknown_policy(options->unknown, &unknown)
               ? EXIT_DONE
               : say_bad("--unknown %s: there are blocked, free, refused", options->unknown);
}

/// Options that mean nothing for a map are not an error: scripts pass the same options to every input.
static void remark_map(const char* path, const load_options* options, say_warnings* warnings) {
    const bool is_placed = import_is_octomap(path) || import_is_brush_map(path);
    if (is_placed && (options->solid || options->hull)) {
        say_warning(warnings, "%s: --solid and --hull apply to meshes; this map has none", path);
    } else if (!is_placed && (options->solid || options->hull || options->has_scale || options->has_up)) {
        say_warning(warnings, "%s: --solid, --hull, --scale and --up apply to meshes; a map has none", path);
    }
}

/// The world of a scene, which is taken out of it, and its zones.
static int take_scene(const char* path, const import_options* import, loaded* out) {
    const int code = scene_read(path, import, &out->warnings, &out->report, &out->scene);
    if (code != EXIT_DONE) {
        return code;
    }

    out->world = out->scene.world;
    out->scene.world = NULL;
    const vn_status status = vn_world_get_zones(out->world, out->zones, VN_MAX_ZONES, &out->zone_count);
    return status == VN_OK ? EXIT_DONE : say_status(path, status, NULL);
}

static int read_world(const char* path, const load_options* options, loaded* out) {
    const import_options import = {.scale = options->scale,
                                   .up = options->up[0],
                                   .solid = options->solid,
                                   .hull = options->hull,
                                   .has_up = options->has_up};
    if (system_ends_with(path, ".scene")) {
        return take_scene(path, &import, out);
    }

    const vn_world_def def = vn_default_world_def();
    const vn_status status = vn_world_create(&def, &out->world);
    if (status != VN_OK) {
        return say_status(path, status, NULL);
    }

    if (import_is_map(path)) {
        remark_map(path, options, &out->warnings);
    }

    return import_file(out->world, path, &import, &out->warnings, &out->report);
}

static vn_vec3 vec_of(const double* v) {
    return (vn_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

static vn_space_def space_def(const load_options* options, const loaded* in) {
    vn_space_def def = vn_default_space_def();
    assert(options->resolution > 0 && options->margin >= 0);
    const double own = in->scene.has_resolution ? in->scene.resolution : in->report.resolution;
    def.resolution = (float)(own > 0 && !options->has_resolution ? own : options->resolution);
    unknown_policy(options->unknown, &def.unknown);
    def.margin = (float)options->margin;

    def.has_bounds = options->has_bounds || (in->scene.has_bounds && !options->has_margin);
    if (def.has_bounds) {
        const vn_dvec3 *low = &in->scene.low, *high = &in->scene.high;
        const double own_bounds[6] = {low->x, low->y, low->z, high->x, high->y, high->z};
        const double* bounds = options->has_bounds ? options->bounds : own_bounds;
        def.bounds = (vn_box){vec_of(bounds), vec_of(bounds + 3)};
    }

    def.has_seed = options->has_seed;
    def.seed = vec_of(options->seed);
    return def;
}

// ---------------------------------------------------------------------------------------------- resolutions

/// The least of 1, 2 and 5 times a power of ten that is not below `value`, which is above 0.
static double round_up(double value) {
    const double power = pow(10, floor(log10(value)));
    const double steps[4] = {1, 2, 5, 10};
    for (int i = 0; i < 4; ++i) {
        if (value <= steps[i] * power * (1 + 1e-9)) {
            return steps[i] * power;
        }
    }

    return 10 * power;
}

double load_round_resolution(double longest) {
    return longest > 0 ? round_up(longest / 256) : 0;
}

/// What a space may have: blocks of 64^3 voxels, and voxels along an axis.
#define MOST_BLOCKS 4194304.0
#define MOST_VOXELS 1048576.0

static bool fits(const double size[3], double resolution) {
    double blocks = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double count = ceil(size[axis] / resolution) + 1; // bounds are rounded outwards to voxels
        if (count > MOST_VOXELS) {
            return false;
        }
        blocks *= ceil(count / 64);
    }

    return blocks <= MOST_BLOCKS;
}

/// The finest resolution, to two digits, at which the space is not too large; 0 if no bounds are known.
static double finest_that_fits(const load_options* options, const loaded* in) {
    const vn_space_def def = space_def(options, in);
    vn_box box = def.bounds;
    if (!def.has_bounds && !vn_world_get_bounds(in->world, &box)) {
        return 0;
    }

    const double margin = def.has_bounds ? 0 : 2 * ((double)def.margin);
    const double size[3] = {(double)box.max.x - (double)box.min.x + margin,
                            (double)box.max.y - (double)box.min.y + margin,
                            (double)box.max.z - (double)box.min.z + margin};
    const double longest = fmax(size[0], fmax(size[1], size[2]));
    if (!(longest > 0)) {
        return 0;
    }

    double power = pow(10, floor(log10(longest)) - 8);
    for (; power < 1e9; power *= 10) {
        for (int digits = 10; digits < 100; ++digits) {
            if (fits(size, digits * power)) {
                return digits * power;
            }
        }
    }

    return 0;
}

static int explain_bake(const char* path, const load_options* options, const loaded* in, vn_status status,
                        const vn_detail* detail) {
    if (status == VN_OUT_OF_MEMORY) {
        return say_bad(
            "%s: not enough memory for this many voxels; try a larger --resolution or smaller --bounds",
            path);
    }

    if (status == VN_TOO_LARGE) {
        const double finest = finest_that_fits(options, in);
        return finest > 0 ? say_bad("%s: %s. The finest that fits is --resolution %.6g", path,
                                    detail->text[0] != '\0' ? detail->text : vn_status_text(status), finest)
                          : say_status(path, status, detail);
    }

    if (status == VN_BAD_DATA && vn_world_count(in->world) == 0) {
        return say_bad("%s: there is nothing in it and no bounds are given; add --bounds x,y,z,x,y,z", path);
    }

    return say_status(path, status, detail);
}

/// A layer for each radius and each set of open doors, all doors closed included.
static int layer_defs(const load_options* options, bool with_point, vn_layer_def* out, uint32_t* count) {
    const int radii = options->radii.count > 0 ? options->radii.count : 1;
    const int opens = options->open.count > 0 ? options->open.count : 1;
    *count = 0;
    for (int r = with_point ? -1 : 0; r < radii; ++r) {
        for (int i = 0; i < opens; ++i) {
            if (*count == VN_MAX_LAYERS) {
                return say_bad("--radius and --open: %d layers at most", VN_MAX_LAYERS);
            }
            out[*count].radius = r < 0 || options->radii.count == 0 ? 0 : (float)options->radii.values[r];
            out[(*count)++].open_flags = options->open.count > 0 ? (uint32_t)options->open.values[i] : 0;
        }
    }

    return EXIT_DONE;
}

/// The layer for the agent is what the commands work on.
static int choose_space(const char* path, const load_options* options, loaded* out) {
    const bool is_any = options->radii.count != 1 && options->open.count != 1;
    out->space =
        is_any ? vn_layers_space(out->layers, 0)
               : vn_layers_find(out->layers, (double)(float)load_radius(options), load_open_flags(options));
    if (out->space == NULL) {
        vn_space_info widest;
        vn_space_get_info(vn_layers_space(out->layers, vn_layers_count(out->layers) - 1), &widest);
        return say_bad("%s: no layer is for an agent of radius %g with these flags; the widest is for %g. "
                       "Bake one for it: volnav bake IN --radius %g -o %s",
                       path, load_radius(options), (double)widest.radius, load_radius(options), path);
    }

    vn_space_get_info(out->space, &out->info);
    out->radius = is_any ? (double)out->info.radius : load_radius(options);
    return EXIT_DONE;
}

static int bake(const char* path, const load_options* options, bool with_point, loaded* out) {
    vn_detail detail = {0};
    vn_layer_def layers[VN_MAX_LAYERS];
    uint32_t count = 0;
    vn_space_def def = space_def(options, out);

    const int code = layer_defs(options, with_point, layers, &count);
    if (code != EXIT_DONE) {
        return code;
    }

    progress_bar bar = progress_begin(options->quiet);
    def.jobs = vn_pool_jobs(out->pool);
    def.progress = progress_report;
    def.progress_user = &bar;
    const double begin = system_wall_seconds();
    def.cells = with_point || strcmp(options->space, "cells") == 0; // cells know what a layer joins
    const vn_status status = vn_layers_bake(out->world, &def, layers, count, &out->layers, &detail);
    out->bake_seconds = system_wall_seconds() - begin;
    progress_end(&bar);

    return status == VN_OK ? choose_space(path, options, out)
                           : explain_bake(path, options, out, status, &detail);
}

int load_with_point_layer(const char* path, const load_options* options, loaded* in) {
    assert(in->world != NULL && !in->is_file && load_radius(options) > 0);
    vn_layers_destroy(in->layers);
    in->layers = NULL;
    in->space = NULL;
    return bake(path, options, true, in);
}

int load_start_pool(uint64_t threads, say_warnings* warnings, vn_pool** out) {
    const vn_allocator allocator = vn_default_allocator();
    vn_status status = vn_pool_create(&allocator, (uint32_t)threads, out);
    if (status == VN_UNSUPPORTED) {
        say_warning(warnings, "--threads %llu: there are no threads to be had here; one worker does it all",
                    (unsigned long long)threads);
        status = vn_pool_create(&allocator, 1, out);
    }

    return status == VN_OK ? EXIT_DONE : say_status("--threads", status, NULL);
}

/// The links that the file carries.
static int read_links(const char* path, loaded* out) {
    vn_detail detail = {0};
    vn_store_info* info = say_alloc(1, sizeof *info);
    const vn_status status = vn_store_read_info_file(path, info, &detail);
    if (status == VN_OK) {
        memcpy(out->scene.connections, info->connections, sizeof out->scene.connections);
        out->scene.connection_count = info->connection_count;
    }

    free(info);
    return status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
}

/// A .vnav: nothing is baked. With a source, that has been read and must be the one the file was made from.
static int read_layers(const char* path, const load_options* options, loaded* out) {
    vn_detail detail = {0};
    vn_load_def def = vn_default_load_def();
    out->is_file = true;
    out->path = path;
    def.jobs = vn_pool_jobs(out->pool);
    def.check_world_hash = options->source != NULL;
    def.world_hash = options->source != NULL ? vn_world_hash(out->world) : 0;

    const vn_status status = vn_layers_load_file(path, &def, &out->layers, &detail);
    if (status == VN_STALE) {
        return say_bad("%s is stale: %s is not what it was baked from. Bake it again: volnav bake %s -o %s",
                       path, options->source, options->source, path);
    }

    if (status != VN_OK) {
        return say_status(path, status, &detail);
    }

    const int code = read_links(path, out);
    return code == EXIT_DONE ? choose_space(path, options, out) : code;
}

/// The first option that decides a bake, and that a .vnav therefore has decided already; null if none is
/// given.
static const char* option_of_bake(const load_options* o) {
    const bool has_source = o->source != NULL; // then these say how to read it
    return o->has_resolution             ? "--resolution"
           : o->has_bounds               ? "--bounds"
           : o->has_margin               ? "--margin"
           : o->has_seed                 ? "--seed"
           : o->has_unknown              ? "--unknown"
           : !has_source && o->has_scale ? "--scale"
           : !has_source && o->has_up    ? "--up"
           : !has_source && o->solid     ? "--solid"
           : !has_source && o->hull      ? "--hull"
                                         : NULL;
}

static int check_path(const char* path, const load_options* options) {
    if (strcmp(path, "-") == 0) {
        return say_bad("-: standard input is not read; give the name of a file");
    }

    const char* baked = load_is_vnav(path) ? option_of_bake(options) : NULL;
    if (baked != NULL) {
        return say_bad(
            "%s: %s is decided when the file is baked; bake it again with it: volnav bake IN %s ... -o "
            "%s",
            path, baked, baked, path);
    }

    return options->source != NULL && !load_is_vnav(path)
               ? say_bad("--source is for a .vnav; %s is read as it is", path)
               : EXIT_DONE;
}

static int begin(const char* path, const load_options* options, loaded* out) {
    memset(out, 0, sizeof *out);
    out->warnings.quiet = options->quiet;
    const int code = check_options(options);
    return code == EXIT_DONE ? check_path(path, options) : code;
}

int load_world(const char* path, const load_options* options, loaded* out) {
    const int code = begin(path, options, out);
    assert(!load_is_vnav(path));
    return code == EXIT_DONE ? read_world(path, options, out) : code;
}

int load_input(const char* path, const load_options* options, loaded* out) {
    int code = begin(path, options, out);
    if (code != EXIT_DONE) {
        return code;
    }

    const char* geometry = load_is_vnav(path) ? options->source : path;
    const double begin = system_wall_seconds();
    if (geometry != NULL) {
        code = read_world(geometry, options, out);
    }

    if (code == EXIT_DONE) {
        code =
            load_start_pool(options->threads, &out->warnings, &out->pool); // after the importers, which fork
    }

    if (code == EXIT_DONE && load_is_vnav(path)) {
        code = read_layers(path, options, out);
    }

    out->read_seconds = system_wall_seconds() - begin;
    return code == EXIT_DONE && !out->is_file ? bake(path, options, false, out) : code;
}

void load_free(loaded* in) {
    vn_scene_text_free(&in->scene);
    say_free_warnings(&in->warnings);
    vn_layers_destroy(in->layers);
    vn_world_destroy(in->world);
    vn_pool_destroy(in->pool);
    memset(in, 0, sizeof *in);
}

void load_write_warnings(json_writer* json, const loaded* in) {
    json_begin_array(json, "warnings", false);
    for (size_t i = 0; i < in->warnings.count; ++i) {
        json_text(json, NULL, in->warnings.texts[i]);
    }
    json_end(json);
}
