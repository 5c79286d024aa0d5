/// bindings/js/glue_file.c: files that were dropped on a page: records of queries, maps, scenes.
#include "glue_query.h"
#include "volnav/io.h"
#include "volnav/sim.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ what a file
// holds

/// out: kind of file (vn_store_kind), layers, comment as text, bytes unpacked.
EXPORT(js_store_info)
int js_store_info(const unsigned char* data, size_t size, const glue_section* sections, uint32_t count) {
    static vn_store_info info;
    glue_sections all = {data, sections, count};
    const vn_codec codec = glue_codec(&all);
    const vn_status status = vn_store_read_info(data, size, &codec, &info, glue_begin());
    glue_out[0] = info.kind;
    glue_out[1] = info.layer_count;
    glue_put_pointer(2, info.comment);
    glue_out[3] = (double)info.unpacked_bytes;
    return glue_done(status);
}

// ------------------------------------------------------------------------------------------ recorded queries

/// As js_layers_read. out: the handle.
EXPORT(js_record_read)
int js_record_read(const unsigned char* data, size_t size, const glue_section* sections, uint32_t count) {
    glue_sections all = {data, sections, count};
    const vn_codec codec = glue_codec(&all);
    vn_load_def def = vn_default_load_def();
    vn_record* record = NULL;
    def.codec = &codec;
    def.max_bytes = (uint64_t)1 << 31;
    const vn_status status = vn_record_read(data, size, &def, &record, glue_begin());
    glue_put_pointer(0, record);
    return glue_done(status);
}
EXPORT(js_record_destroy) void js_record_destroy(vn_record* record) {
    vn_record_destroy(record);
}
EXPORT(js_record_layers) uint32_t js_record_layers(const vn_record* record) {
    return vn_layers_count(vn_record_layers(record));
}
EXPORT(js_record_space) const vn_space* js_record_space(const vn_record* record, uint32_t index) {
    return vn_layers_space(vn_record_layers(record), index);
}

/// The space whose frame the points have: that of the layer that was searched.
static const vn_space* searched(const vn_record* record) {
    const vn_layers* layers = vn_record_layers(record);
    const float radius = vn_record_result(record)->layer_radius;
    vn_space_info info;
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        vn_space_get_info(vn_layers_space(layers, i), &info);
        if (info.radius == radius)
            return vn_layers_space(layers, i);
    }
    return vn_layers_space(layers, 0);
}

static vn_dvec3 end_of(const vn_space* space, bool use, vn_dvec3 position, vn_point point) {
    return use ? position : vn_space_point_to_world(space, point);
}

/// out: as glue_put_path; from 16 on start, goal, algo, quality, refine, snap distance, radius, status.
EXPORT(js_record_get) int js_record_get(const vn_record* record) {
    static glue_list positions;
    const vn_space* space = searched(record);
    const vn_path_request* r = vn_record_request(record);
    const vn_path_result* result = vn_record_result(record);
    uint32_t count = 0;
    const vn_point* points = vn_record_points(record, &count);
    glue_begin();
    vn_dvec3* to = glue_room(&positions, (count + 1) * sizeof *to);
    if (to == NULL)
        return glue_done(VN_OUT_OF_MEMORY);

    if (count > 0)
        vn_space_points_to_world(space, points, count, to);
    glue_put_path(to, count, result);
    glue_put(16, end_of(space, r->use_positions, r->start_position, r->start));
    glue_put(19, end_of(space, r->use_positions, r->goal_position, r->goal));
    const double numbers[] = {r->algo,          r->quality,        r->refine,
                              r->snap_distance, (double)r->radius, result->status};
    memcpy(glue_out + 22, numbers, sizeof numbers);
    return glue_done(VN_OK);
}

/// Searches again. out: same, a sentence as text, first point that differs (negative: none).
EXPORT(js_record_replay) int js_record_replay(const vn_record* record) {
    static vn_replay replay;
    const vn_status status = vn_record_replay(record, NULL, &replay, glue_begin());
    glue_out[0] = status == VN_OK && replay.same;
    glue_put_pointer(1, replay.text);
    glue_out[2] = replay.first_difference == VN_NO_POINT ? -1 : (double)replay.first_difference;
    return glue_done(status);
}

// ------------------------------------------------------------------------------------------- maps and scenes

typedef struct reading {
    const unsigned char* data;
    size_t size, at;
} reading;

static int64_t read_some(void* user, void* buffer, size_t size) {
    reading* r = user;
    const size_t left = r->size - r->at, taken = size < left ? size : left;
    memcpy(buffer, r->data + r->at, taken);
    r->at += taken;
    return (int64_t)taken;
}

/// A world with one shape; `flags` for the shape. out: the handle.
static vn_status add_to(vn_world** world, vn_dvec3 origin, const vn_shape* shape, uint32_t flags,
                        vn_detail* detail) {
    vn_world_def def = vn_default_world_def();
    vn_obstacle_id id = {0};
    def.origin = origin;
    vn_status status = *world == NULL ? vn_world_create(&def, world) : VN_OK;
    if (status == VN_OK)
        status = vn_world_add(*world, shape, &id, detail);
    if (status == VN_OK && flags != 0)
        status = vn_world_set_flags(*world, id, flags);
    return status;
}

static int give_world(vn_status status, vn_world* world) {
    if (status != VN_OK && world != NULL) {
        vn_world_destroy(world);
        world = NULL;
    }
    glue_put_pointer(0, world);
    return glue_done(status);
}

/// out: the world, dims, voxels.
EXPORT(js_3dmap_read) int js_3dmap_read(const unsigned char* data, size_t size) {
    reading r = {data, size, 0};
    const vn_source source = {read_some, &r};
    vn_detail* detail = glue_begin();
    vn_world* world = NULL;
    vn_3dmap map;
    vn_status status = vn_3dmap_read(&source, NULL, &map, detail);
    if (status != VN_OK)
        return glue_done(status);

    const vn_shape shape = vn_3dmap_shape(&map);
    glue_put(1, (vn_dvec3){map.dims.x, map.dims.y, map.dims.z});
    glue_out[4] = (double)map.voxel_count;
    vn_world_def def = vn_default_world_def();
    status =
        map.voxel_count > 0 ? add_to(&world, def.origin, &shape, 0, detail) : vn_world_create(&def, &world);
    vn_3dmap_free(&map);
    return give_world(status, world);
}

/// out: the world, dims, resolution, low corner, voxels occupied, free and unknown.
EXPORT(js_octomap_read) int js_octomap_read(const unsigned char* data, size_t size, int unknown) {
    reading r = {data, size, 0};
    const vn_source source = {read_some, &r};
    vn_detail* detail = glue_begin();
    vn_world* world = NULL;
    vn_octomap map;
    vn_status status = vn_octomap_read(&source, NULL, &map, detail);
    if (status != VN_OK)
        return glue_done(status);

    const vn_shape occupied = vn_octomap_occupied_shape(&map), unseen = vn_octomap_unknown_shape(&map);
    vn_world_def def = vn_default_world_def();
    def.origin = map.low;
    status = vn_world_create(&def, &world);
    if (status == VN_OK && map.occupied_count > 0)
        status = add_to(&world, map.low, &occupied, 0, detail);
    if (status == VN_OK && unknown != 0 && map.unknown_count > 0)
        status = add_to(&world, map.low, &unseen, VN_FLAG_UNKNOWN, detail);
    glue_put(1, (vn_dvec3){map.dims.x, map.dims.y, map.dims.z});
    glue_out[4] = map.resolution;
    glue_put(5, map.low);
    glue_out[8] = (double)map.occupied_voxels;
    glue_out[9] = (double)map.free_voxels;
    glue_out[10] = (double)map.unknown_voxels;
    vn_octomap_free(&map);
    return give_world(status, world);
}

/// out: the world, has resolution, resolution, has bounds, low, high, routes by glue_give (from 11 on): 80
/// bytes each, a name of 32 and both ends.
EXPORT(js_scene_read) int js_scene_read(const unsigned char* data, size_t size) {
    static vn_scene_text scene;
    reading r = {data, size, 0};
    const vn_source source = {read_some, &r};
    const vn_scene_text_def def = vn_default_scene_text_def();
    glue_list routes = {0};
    vn_status status = vn_scene_text_read(&source, &def, &scene, glue_begin());
    if (status != VN_OK)
        return glue_done(status);

    for (uint64_t i = 0; i < scene.route_count; ++i) {
        (void)glue_append(&routes, scene.routes[i].name, sizeof scene.routes[i].name);
        (void)glue_append(&routes, &scene.routes[i].from, sizeof(vn_dvec3));
        (void)glue_append(&routes, &scene.routes[i].to, sizeof(vn_dvec3));
    }
    status = glue_give(11, &routes);
    glue_out[1] = scene.has_resolution;
    glue_out[2] = scene.resolution;
    glue_out[3] = scene.has_bounds;
    glue_put(4, scene.low);
    glue_put(7, scene.high);
    vn_world* world = scene.world;
    scene.world = NULL;
    vn_scene_text_free(&scene);
    return give_world(status, world);
}

// ----------------------------------------------------------------------------------- scenes of the theses

EXPORT(js_world_scene_count) uint32_t js_world_scene_count(void) {
    return vn_scene_count();
}

/// out: name, source and description as texts; resolution, bounds.
EXPORT(js_world_scene_get) void js_world_scene_get(uint32_t index) {
    const vn_scene_info* info = vn_scene_get(index);
    if (info == NULL)
        return;
    glue_put_pointer(0, info->name);
    glue_put_pointer(1, info->source);
    glue_put_pointer(2, info->description);
    const vn_vec3 low = info->bounds.min, high = info->bounds.max;
    glue_out[3] = (double)info->resolution;
    glue_put(4, (vn_dvec3){(double)low.x, (double)low.y, (double)low.z});
    glue_put(7, (vn_dvec3){(double)high.x, (double)high.y, (double)high.z});
}

/// out: the world.
EXPORT(js_world_scene_build) int js_world_scene_build(uint32_t index, uint32_t seed_high, uint32_t seed_low) {
    const vn_world_def def = vn_default_world_def();
    vn_world* world = NULL;
    vn_detail* detail = glue_begin();
    vn_status status = vn_world_create(&def, &world);
    if (status == VN_OK)
        status = vn_scene_build(index, (uint64_t)seed_high << 32 | seed_low, world, detail);
    return give_world(status, world);
}
