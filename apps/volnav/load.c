/// volnav/load.c: input, world, space.
#include "load.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "progress.h"
#include "system.h"

const char load_help[] = "Making the space:\n"
                         "  --resolution M       edge of a voxel in metres (1)\n"
                         "  --radius M           radius of the agent (0, a point)\n"
                         "  --bounds x,y,z,x,y,z the part of the world to take, low and high corner\n"
                         "  --margin M           room around the obstacles if there are no bounds (0)\n"
                         "  --seed x,y,z         keep only the free region around this point\n"
                         "  --solid              fill closed meshes\n"
                         "  --hull               take the convex hull of each mesh\n"
                         "  --scale S            multiply the coordinates of meshes by S (1)\n"
                         "  --up y|z|x           the axis of a mesh file that points up (y)\n"
                         "  --space cells|grid   cut free space into cells for the fast search, or leave\n"
                         "                       it as a grid of voxels (cells)\n"
                         "  --threads N          workers (0: one for each processor)\n"
                         "\n"
                         "Output:\n"
                         "  --json               JSON on standard output\n"
                         "  --quiet              no progress bar and no warnings\n"
                         "  --help               this text\n";

load_options load_defaults(void) {
    return (load_options){.resolution = 1, .scale = 1, .up = "y", .space = "cells"};
}

void load_add_options(args_table* table, load_options* o) {
    args_add(table, "--resolution", ARGS_REAL, ARGS_POSITIVE, &o->resolution, &o->has_resolution);
    args_add(table, "--radius", ARGS_REAL, ARGS_NOT_NEGATIVE, &o->radius, NULL);
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

const char* load_file_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static int check_options(const load_options* options) {
    if (strcmp(options->space, "cells") != 0 && strcmp(options->space, "grid") != 0) {
        return say_bad("--space %s is not in this version; there are: cells, grid", options->space);
    }
    if (strlen(options->up) != 1 || strchr("xyz", options->up[0]) == NULL) {
        return say_bad("--up %s: expected y, z or x", options->up);
    }
    if (options->threads > 1024) {
        return say_bad("--threads %llu: 1024 at most", (unsigned long long)options->threads);
    }
    return EXIT_DONE;
}

/// Options that mean nothing for a map are not an error: scripts pass the same options to every input.
static void remark_map(const char* path, const load_options* options, say_warnings* warnings) {
    if (options->solid || options->hull || options->has_scale || options->has_up) {
        say_warning(warnings, "%s: --solid, --hull, --scale and --up apply to meshes; a map has none", path);
    }
}

static int read_world(const char* path, const load_options* options, loaded* out) {
    const vn_world_def def = vn_default_world_def();
    const vn_status status = vn_world_create(&def, &out->world);
    if (status != VN_OK) {
        return say_status(path, status, NULL);
    }
    const import_options import = {options->scale, options->up[0], options->solid, options->hull, {0, 0, 0}};
    if (system_ends_with(path, ".scene")) {
        return scene_read(out->world, path, &import, &out->warnings, &out->report, &out->scene);
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
    assert(options->resolution > 0 && options->radius >= 0 && options->margin >= 0);
    const bool scene_resolution = !options->has_resolution && in->scene.has_resolution;
    def.resolution = (float)(scene_resolution ? in->scene.resolution : options->resolution);
    def.radius = (float)options->radius;
    def.margin = (float)options->margin;
    def.has_bounds = options->has_bounds || (in->scene.has_bounds && !options->has_margin);
    if (def.has_bounds) {
        const double* bounds = options->has_bounds ? options->bounds : in->scene.bounds;
        def.bounds = (vn_box){vec_of(bounds), vec_of(bounds + 3)};
    }
    def.has_seed = options->has_seed;
    def.seed = vec_of(options->seed);
    return def;
}

static int explain_bake(const char* path, const loaded* in, vn_status status, const vn_detail* detail) {
    if (status == VN_OUT_OF_MEMORY) {
        return say_bad(
            "%s: not enough memory for this many voxels; try a larger --resolution or smaller --bounds",
            path);
    }
    if (status == VN_BAD_DATA && vn_world_count(in->world) == 0) {
        return say_bad("%s: there is nothing in it and no bounds are given; add --bounds x,y,z,x,y,z", path);
    }
    return say_status(path, status, detail);
}

static int bake(const char* path, const load_options* options, loaded* out) {
    vn_detail detail = {0};
    vn_space_def def = space_def(options, out);
    progress_bar bar = progress_begin(options->quiet);
    def.jobs = vn_pool_jobs(out->pool);
    def.progress = progress_report;
    def.progress_user = &bar;
    const double begin = system_wall_seconds();
    def.cells = strcmp(options->space, "cells") == 0;
    const vn_status status = vn_space_bake(out->world, &def, &out->space, &detail);
    out->bake_seconds = system_wall_seconds() - begin;
    progress_end(&bar);
    if (status != VN_OK) {
        return explain_bake(path, out, status, &detail);
    }
    vn_space_get_info(out->space, &out->info);
    return EXIT_DONE;
}

/// A build without threads, or a system that gives none, works with one worker and the same results.
static int start_pool(const load_options* options, loaded* out) {
    const vn_allocator allocator = vn_default_allocator();
    vn_status status = vn_pool_create(&allocator, (uint32_t)options->threads, &out->pool);
    if (status == VN_UNSUPPORTED) {
        say_warning(&out->warnings,
                    "--threads %llu: there are no threads to be had here; one worker does it all",
                    (unsigned long long)options->threads);
        status = vn_pool_create(&allocator, 1, &out->pool);
    }
    return status == VN_OK ? EXIT_DONE : say_status("--threads", status, NULL);
}

int load_input(const char* path, const load_options* options, loaded* out) {
    memset(out, 0, sizeof *out);
    out->warnings.quiet = options->quiet;
    int code = check_options(options);
    if (code == EXIT_DONE && strcmp(path, "-") == 0) {
        code = say_bad("-: standard input is not read; give the name of a file");
    }
    if (code != EXIT_DONE) {
        return code;
    }
    code = start_pool(options, out);
    if (code != EXIT_DONE) {
        return code;
    }
    const double begin = system_wall_seconds();
    code = read_world(path, options, out);
    out->read_seconds = system_wall_seconds() - begin;
    return code == EXIT_DONE ? bake(path, options, out) : code;
}

void load_free(loaded* in) {
    scene_free(&in->scene);
    say_free_warnings(&in->warnings);
    vn_space_destroy(in->space);
    vn_world_destroy(in->world);
    vn_pool_destroy(in->pool);
    memset(in, 0, sizeof *in);
}

void load_write_warnings(json_writer* json, const loaded* in) {
    json_begin_array(json, "warnings", false);
    for (size_t i = 0; i < in->warnings.count; i++) {
        json_text(json, NULL, in->warnings.texts[i]);
    }
    json_end(json);
}
