/// volnav/load.h: from a file name and the options that all commands share to a world and its space.
#ifndef LOAD_H
#define LOAD_H

#include "args.h"
#include "json.h"
#include "scene.h"
#include "volnav/space.h"

/// The options that every command shares; make it with load_defaults.
typedef struct load_options {
    double resolution, radius, margin, scale;
    double bounds[6], seed[3];
    const char* up;
    const char* space;
    uint64_t threads;
    bool has_resolution, has_bounds, has_seed, has_margin, has_scale, has_up;
    bool solid, hull, json, quiet;
} load_options;

load_options load_defaults(void);
void load_add_options(args_table* table, load_options* options);

/// Text for --help.
extern const char load_help[];

/// Everything that an input became. Free with load_free.
typedef struct loaded {
    vn_world* world;
    vn_space* space;
    vn_space_info info;
    vn_pool* pool;
    scene_info scene;
    say_warnings warnings;
    import_report report;
    double read_seconds, bake_seconds; ///< wall time
} loaded;

/// Reads the input and bakes it. Returns EXIT_DONE, or EXIT_BAD after a message; call load_free either way.
int load_input(const char* path, const load_options* options, loaded* out);
void load_free(loaded* in);

/// The last part of a path, for titles.
const char* load_file_name(const char* path);

/// The array "warnings".
void load_write_warnings(json_writer* json, const loaded* in);

#endif
