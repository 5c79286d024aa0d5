/// volnav/input/maps.c: maps of voxels, trees and brushes into a world.
#include "input/maps.h"

#include <assert.h>
#include <stdlib.h>

#include "shell/system.h"
#include "volnav/io.h"

/// Everything that one map needs.
typedef struct importer {
    vn_world* world;
    const char* path;
    const import_options* options;
    say_warnings* warnings;
    import_report* report;
} importer;

bool import_is_octomap(const char* path) {
    return system_ends_with(path, ".bt") || system_ends_with(path, ".ot");
}

bool import_is_brush_map(const char* path) {
    return system_ends_with(path, ".map");
}

bool import_is_map(const char* path) {
    return system_ends_with(path, ".3dmap") || import_is_octomap(path) || import_is_brush_map(path);
}

vn_dvec3 import_place(const import_options* options, double x, double y, double z) {
    const double s = options->scale;
    vn_dvec3 out = {s * x, s * y, s * z};
    if (options->up == 'z') {
        out = (vn_dvec3){s * x, s * z, -s * y};
    } else if (options->up == 'x') {
        out = (vn_dvec3){-s * y, s * x, s * z};
    }

    return (vn_dvec3){out.x + options->shift.x, out.y + options->shift.y, out.z + options->shift.z};
}

// ----------------------------------------------------------------------------------------------- .3dmap

static void remark_duplicates(importer* in, const vn_obstacle_info* info) {
    in->report->has_map = true;
    in->report->duplicates += info->duplicates;
    in->report->occupied_voxels += info->voxels;
    if (info->duplicates > 0) {
        say_warning(in->warnings, "%s: %llu voxels are given more than once; the repetitions are ignored",
                    in->path, (unsigned long long)info->duplicates);
    }
}

static int import_voxels(importer* in) {
    const vn_allocator allocator = vn_default_allocator();
    const vn_dvec3 shift = in->options->shift;
    vn_detail detail = {0};
    vn_3dmap map;
    vn_status status = vn_3dmap_read_file(in->path, &allocator, &map, &detail);
    if (status != VN_OK) {
        return say_status(in->path, status, &detail);
    }

    vn_shape shape = vn_3dmap_shape(&map);
    vn_obstacle_id id;
    vn_obstacle_info info;
    shape.as.voxels.low = (vn_vec3){(float)shift.x, (float)shift.y, (float)shift.z};
    status = vn_world_add(in->world, &shape, &id, &detail);
    vn_3dmap_free(&map);
    if (status == VN_OK) {
        status = vn_world_get_info(in->world, id, &info);
    }

    if (status != VN_OK) {
        return say_status(in->path, status, &detail);
    }

    vn_world_set_flags(in->world, id, in->options->flags);
    remark_duplicates(in, &info);
    return EXIT_DONE;
}

// ------------------------------------------------------------------------------------------ .bt and .ot

/// One axis of the turned map: an axis of the file, and whether it runs the other way.
typedef struct axis {
    int from;
    bool reversed;
} axis;

static const axis* axes_of(char up) {
    static const axis straight[3] = {{0, false}, {1, false}, {2, false}};
    static const axis from_z[3] = {{0, false}, {2, false}, {1, true}};
    static const axis from_x[3] = {{1, true}, {0, false}, {2, false}};
    return up == 'z' ? from_z : up == 'x' ? from_x : straight;
}

static vn_voxel voxel_of(const int32_t v[3]) {
    return (vn_voxel){v[0], v[1], v[2]};
}

/// A box of a grid of `dims` voxels after the turn.
static vn_voxel_box turn_box(const axis* axes, vn_voxel dims, const vn_voxel_box* box) {
    const int32_t size[3] = {dims.x, dims.y, dims.z};
    const int32_t low[3] = {box->low.x, box->low.y, box->low.z};
    const int32_t high[3] = {box->high.x, box->high.y, box->high.z};
    int32_t out_low[3], out_high[3];
    for (int i = 0; i < 3; ++i) {
        const int from = axes[i].from;
        out_low[i] = axes[i].reversed ? size[from] - high[from] : low[from];
        out_high[i] = axes[i].reversed ? size[from] - low[from] : high[from];
    }

    return (vn_voxel_box){voxel_of(out_low), voxel_of(out_high)};
}

/// Turns and scales the whole map: voxels stay voxels.
static void turn_map(vn_octomap* map, const import_options* options) {
    const axis* axes = axes_of(options->up);
    const double r = map->resolution;
    const vn_dvec3 a = import_place(options, map->low.x, map->low.y, map->low.z);
    const vn_dvec3 b = import_place(options, map->low.x + r * map->dims.x, map->low.y + r * map->dims.y,
                                    map->low.z + r * map->dims.z);
    for (uint64_t i = 0; i < map->occupied_count; ++i) {
        map->occupied[i] = turn_box(axes, map->dims, &map->occupied[i]);
    }

    for (uint64_t i = 0; i < map->unknown_count; ++i) {
        map->unknown[i] = turn_box(axes, map->dims, &map->unknown[i]);
    }

    const vn_voxel_box whole = {{0, 0, 0}, map->dims};
    map->dims = turn_box(axes, map->dims, &whole).high;
    map->resolution = r * options->scale;
    map->low = (vn_dvec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static void count_tree(importer* in, const vn_octomap* map) {
    in->report->has_map = true;
    in->report->resolution = map->resolution;
    in->report->occupied_voxels += map->occupied_voxels;
    in->report->free_voxels += map->free_voxels;
    in->report->unknown_voxels += map->unknown_voxels;
}

/// Occupied space becomes one obstacle, unknown space another.
static int import_tree(importer* in) {
    const vn_allocator allocator = vn_default_allocator();
    vn_detail detail = {0};
    vn_octomap map;
    vn_status status = vn_octomap_read_file(in->path, &allocator, &map, &detail);
    if (status != VN_OK) {
        return say_status(in->path, status, &detail);
    }

    turn_map(&map, in->options);
    vn_shape shapes[2] = {vn_octomap_occupied_shape(&map), vn_octomap_unknown_shape(&map)};
    const uint32_t flags[2] = {in->options->flags, in->options->flags | VN_FLAG_UNKNOWN};
    for (int i = 0; i < 2 && status == VN_OK; ++i) {
        vn_obstacle_id id;
        shapes[i].as.voxels.low = (vn_vec3){(float)map.low.x, (float)map.low.y, (float)map.low.z};
        status = vn_world_add(in->world, &shapes[i], &id, &detail);
        if (status == VN_OK) {
            status = vn_world_set_flags(in->world, id, flags[i]);
        }
    }

    count_tree(in, &map);
    vn_octomap_free(&map);
    return status == VN_OK ? EXIT_DONE : say_status(in->path, status, &detail);
}

// ------------------------------------------------------------------------------------------------- .map

/// Turns, scales and shifts every vertex. None of the three turns the faces' fronts inside.
static void place_brushes(vn_brush_map* map, const import_options* options) {
    for (uint64_t i = 0; i < map->vertex_count; ++i) {
        const vn_vec3 v = map->vertices[i];
        const vn_dvec3 p = import_place(options, (double)v.x, (double)v.y, (double)v.z);
        map->vertices[i] = (vn_vec3){(float)p.x, (float)p.y, (float)p.z};
    }
}

/// Adds a brush; one that the world refuses, because the shift leaves it too few digits, is counted.
static vn_status add_brush(importer* in, const vn_brush_map* map, uint64_t at, uint64_t* refused,
                           vn_detail* detail) {
    const vn_shape shape = vn_brush_map_shape(map, at);
    const bool is_door = map->brushes[at].is_door;
    vn_obstacle_id id;
    const vn_status status = vn_world_add(in->world, &shape, &id, detail);
    if (status == VN_BAD_DATA) {
        ++*refused;
        return VN_OK;
    }

    if (status == VN_OK) {
        ++in->report->brushes;
        in->report->doors += is_door;
        return vn_world_set_flags(in->world, id, in->options->flags | (is_door ? IMPORT_DOOR_FLAG : 0));
    }

    return status;
}

static void remark_brushes(importer* in, const vn_brush_map* map, uint64_t refused) {
    in->report->skipped_brushes += map->skipped;
    if (map->broken > 0) {
        say_warning(in->warnings,
                    "%s:%u: no solid: it is flat, open or not convex; %llu such brush%s left out", in->path,
                    (unsigned)map->broken_line, (unsigned long long)map->broken,
                    map->broken == 1 ? " is" : "es are");
    }

    if (refused > 0) {
        say_warning(in->warnings, "%s: %llu brush%s too thin or too far from the origin, and left out",
                    in->path, (unsigned long long)refused, refused == 1 ? " is" : "es are");
    }
}

static int import_brushes(importer* in) {
    const vn_allocator allocator = vn_default_allocator();
    import_options options = *in->options;
    options.up = options.has_up ? options.up : 'z';
    vn_detail detail = {0};
    vn_brush_map map;
    vn_status status = vn_brush_map_read_file(in->path, &allocator, &map, &detail);
    if (status != VN_OK) {
        return say_status(in->path, status, &detail);
    }

    uint64_t refused = 0;
    place_brushes(&map, &options);
    for (uint64_t i = 0; i < map.brush_count && status == VN_OK; ++i) {
        status = add_brush(in, &map, i, &refused, &detail);
    }

    remark_brushes(in, &map, refused);
    const uint64_t count = map.brush_count;
    vn_brush_map_free(&map);
    if (status != VN_OK) {
        return say_status(in->path, status, &detail);
    }

    return count > refused ? EXIT_DONE : say_bad("%s: no brush of it blocks anything", in->path);
}

int maps_import(vn_world* world, const char* path, const import_options* options, say_warnings* warnings,
                import_report* report) {
    assert(import_is_map(path));
    importer in = {world, path, options, warnings, report};
    if (import_is_octomap(path)) {
        return import_tree(&in);
    }

    return import_is_brush_map(path) ? import_brushes(&in) : import_voxels(&in);
}
