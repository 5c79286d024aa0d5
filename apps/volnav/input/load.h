/// volnav/input/load.h: from a file name and the options that all commands share to a world and its layers.
#ifndef LOAD_H
#define LOAD_H

#include "input/scene.h"
#include "shell/args.h"
#include "shell/json.h"
#include "volnav/layers.h"

/// The options that every command shares; make it with load_defaults.
typedef struct load_options {
    double resolution, margin, scale;
    args_list radii; ///< none: 0
    args_list open;  ///< flags; none: 0
    double bounds[6], seed[3];
    const char* up;
    const char* space;
    const char* unknown;
    const char* source; ///< of a .vnav: the input that it was baked from; may be null
    uint64_t threads;
    bool has_resolution, has_bounds, has_seed, has_margin, has_scale, has_up, has_unknown;
    bool solid, hull, json, quiet;
    bool takes_roadmaps; ///< the command knows --space hybrid and waypoints
} load_options;

load_options load_defaults(void);
void load_add_options(args_table* table, load_options* options);

/// Text for --help.
extern const char load_help[];

/// The agent's radius and flags: the first of each list, or 0.
double load_radius(const load_options* options);
uint32_t load_open_flags(const load_options* options);

/// EXIT_BAD after a message if there is more than one agent; for commands that take one.
int load_check_one_agent(const load_options* options);

/// Everything that an input became. Free with load_free.
typedef struct loaded {
    vn_world* world; ///< null: read from a .vnav without --source
    vn_layers* layers;
    const vn_space* space; ///< the layer for the agent, or the first if there are several agents
    vn_space_info info;    ///< of that layer
    double radius;         ///< of the agent, as asked for; of a .vnav the layer may be for a wider one
    vn_pool* pool;
    vn_scene_text scene;         ///< of a .vnav: its links; its world is `world`
    vn_zone zones[VN_MAX_ZONES]; ///< of the world, which has their planes
    uint32_t zone_count;
    say_warnings warnings;
    import_report report;
    bool is_file;                      ///< read from a .vnav
    const char* path;                  ///< the caller's
    double read_seconds, bake_seconds; ///< wall time; of a .vnav all is reading
} loaded;

/// Reads an input that is no .vnav, and bakes nothing: `layers` stays null. EXIT_DONE, or EXIT_BAD after a
/// message; call load_free either way.
int load_world(const char* path, const load_options* options, loaded* out);

/// A resolution to begin with for a world of so many metres: 1, 2 or 5 times a power of ten, at most 256
/// voxels along its longest side; 0 for a world without extent.
double load_round_resolution(double longest);

/// Reads the input and bakes it, or loads it if it is a .vnav. Returns EXIT_DONE, or EXIT_BAD after a
/// message; call load_free either way.
int load_input(const char* path, const load_options* options, loaded* out);
void load_free(loaded* in);

/// A pool for --threads; destroy it. A build without threads, or a system that gives none, works with one
/// worker, a warning and the same results. EXIT_DONE, or EXIT_BAD after a message.
int load_start_pool(uint64_t threads, say_warnings* warnings, vn_pool** out);

/// Bakes the loaded world again with a layer for a point beside the agent's own, so that the library can tell
/// a path that is too narrow from none. EXIT_DONE, or EXIT_BAD after a message.
int load_with_point_layer(const char* path, const load_options* options, loaded* in);

/// The low and the high corner of a space, world coordinates.
void load_find_bounds(const vn_space_info* info, vn_dvec3* low, vn_dvec3* high);

/// Is this the name of a file with layers?
bool load_is_vnav(const char* path);

/// The last part of a path, for titles.
const char* load_file_name(const char* path);

/// The array "warnings".
void load_write_warnings(json_writer* json, const loaded* in);

#endif
