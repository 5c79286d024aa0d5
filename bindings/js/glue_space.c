/// bindings/js/glue_space.c: layers and spaces: baking, files, sight, boxes for drawing.
#include "glue.h"

// -------------------------------------------------------------------------------------------------- layers
// A space is a set of layers here, of one layer mostly: so that files and bakes are the same thing.

/// `bounds`: six numbers, or null. out: the handle.
EXPORT(js_layers_bake)
int js_layers_bake(const vn_world* world, double resolution, const float* radii, uint32_t count,
                   const float* bounds, double margin) {
    vn_space_def def = vn_default_space_def();
    vn_layer_def layers[VN_MAX_LAYERS];
    vn_layers* made = NULL;
    def.resolution = (float)resolution;
    def.margin = (float)margin;
    def.has_bounds = bounds != NULL;
    if (bounds != NULL)
        def.bounds = (vn_box){glue_vector(bounds), glue_vector(bounds + 3)};
    for (uint32_t i = 0; i < count && i < VN_MAX_LAYERS; ++i)
        layers[i] = (vn_layer_def){.radius = radii[i]};

    const vn_status status = vn_layers_bake(world, &def, layers, count, &made, glue_begin());
    glue_put_pointer(0, made);
    return glue_done(status);
}
EXPORT(js_layers_destroy) void js_layers_destroy(vn_layers* layers) {
    vn_layers_destroy(layers);
}
EXPORT(js_layers_count) uint32_t js_layers_count(const vn_layers* layers) {
    return vn_layers_count(layers);
}
EXPORT(js_layers_space) const vn_space* js_layers_space(const vn_layers* layers, uint32_t index) {
    return vn_layers_space(layers, index);
}

/// Reads a .vnav, or the layers of a .vnrec. `sections`: those packed with zstd, unpacked. out: the handle.
EXPORT(js_layers_read)
int js_layers_read(const unsigned char* data, size_t size, const glue_section* sections, uint32_t count) {
    glue_sections all = {data, sections, count};
    const vn_codec codec = glue_codec(&all);
    vn_load_def def = vn_default_load_def();
    vn_layers* made = NULL;
    def.codec = &codec;
    def.max_bytes = (uint64_t)1 << 31;
    const vn_status status = vn_layers_read(data, size, &def, &made, glue_begin());
    glue_put_pointer(0, made);
    return glue_done(status);
}

/// out: where the bytes are, and how many; js_free frees them.
EXPORT(js_layers_write) int js_layers_write(const vn_layers* layers) {
    glue_list bytes = {0};
    const vn_store_def def = vn_default_store_def();
    const vn_sink sink = {.write = glue_append, .user = &bytes};
    const vn_status status = vn_layers_write(layers, &def, NULL, &sink, glue_begin());
    if (status != VN_OK)
        glue_free(&bytes);
    const vn_status given = glue_give(0, &bytes);
    return glue_done(status != VN_OK ? status : given);
}

// -------------------------------------------------------------------------------------------------- spaces

/// out: dims, resolution, radius, low corner, voxels blocked and free, cells, links, components.
EXPORT(js_space_info) void js_space_info(const vn_space* space) {
    vn_space_info info;
    vn_space_get_info(space, &info);
    glue_put(0, (vn_dvec3){info.dims.x, info.dims.y, info.dims.z});
    glue_out[3] = (double)info.resolution;
    glue_out[4] = (double)info.radius;
    glue_put(5,
             (vn_dvec3){info.origin.x + info.low.x, info.origin.y + info.low.y, info.origin.z + info.low.z});
    glue_out[8] = (double)info.blocked_voxels;
    glue_out[9] = (double)info.free_voxels;
    glue_out[10] = (double)info.cells;
    glue_out[11] = (double)info.links;
    glue_out[12] = (double)info.components;
}

/// As two halves, because a double has not all of its bits.
EXPORT(js_space_hash) void js_space_hash(const vn_space* space) {
    const uint64_t hash = vn_space_content_hash(space);
    glue_out[0] = (double)(hash >> 32);
    glue_out[1] = (double)(hash & 0xffffffffu);
}
EXPORT(js_space_free) int js_space_free(const vn_space* space, double x, double y, double z) {
    return vn_space_position_free(space, (vn_dvec3){x, y, z});
}
EXPORT(js_space_visible)
int js_space_visible(const vn_space* space, double ax, double ay, double az, double bx, double by,
                     double bz) {
    return vn_space_visible_positions(space, (vn_dvec3){ax, ay, az}, (vn_dvec3){bx, by, bz});
}

/// Returns 1 if something is hit. out: fraction, position, contact, normal.
EXPORT(js_space_raycast)
int js_space_raycast(const vn_space* space, double ax, double ay, double az, double bx, double by,
                     double bz) {
    vn_hit hit;
    const bool hits =
        vn_space_raycast_positions(space, NULL, (vn_dvec3){ax, ay, az}, (vn_dvec3){bx, by, bz}, &hit);
    glue_out[0] = hit.fraction;
    glue_put(1, hit.position);
    glue_put(4, hit.contact);
    glue_put(7, (vn_dvec3){(double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z});
    return hits;
}

/// out: the position.
EXPORT(js_space_nearest)
int js_space_nearest(const vn_space* space, double x, double y, double z, double most) {
    vn_dvec3 found = {0};
    double distance = 0;
    glue_begin();
    const vn_status status =
        vn_space_nearest_free_position(space, (vn_dvec3){x, y, z}, most, &found, &distance);
    glue_put(0, found);
    glue_out[3] = distance;
    return glue_done(status);
}

/// out: the position, and what the next seed is, as two halves.
EXPORT(js_space_random) int js_space_random(const vn_space* space, uint32_t seed_high, uint32_t seed_low) {
    uint64_t random = (uint64_t)seed_high << 32 | seed_low;
    vn_dvec3 found = {0};
    glue_begin();
    const vn_status status = vn_space_random_position(space, &random, &found);
    glue_put(0, found);
    glue_out[3] = (double)(random >> 32);
    glue_out[4] = (double)(random & 0xffffffffu);
    return glue_done(status);
}

static bool add_box(glue_list* list, vn_voxel low, vn_voxel high) {
    float* to = glue_more(list, 6 * sizeof *to);
    if (to == NULL)
        return false;
    to[0] = (float)low.x, to[1] = (float)low.y, to[2] = (float)low.z;
    to[3] = (float)high.x, to[4] = (float)high.y, to[5] = (float)high.z;
    return true;
}

static bool add_run(void* user, vn_voxel first, int32_t length) {
    return add_box(user, first, (vn_voxel){first.x + length, first.y + 1, first.z + 1});
}

static bool add_cell(void* user, vn_voxel low, vn_voxel high) {
    return add_box(user, low, high);
}

/// Rows of blocked voxels (what = 0) or cells (1) as boxes of six floats, in voxels. out: where they are, and
/// how many bytes; js_free frees them.
EXPORT(js_space_boxes) int js_space_boxes(const vn_space* space, int what) {
    vn_space_info info;
    glue_list list = {0};
    glue_begin();
    vn_space_get_info(space, &info);
    if (what == 0)
        vn_space_visit_blocked(space, (vn_voxel){0, 0, 0}, info.dims, add_run, &list);
    else
        vn_space_visit_cells(space, (vn_voxel){0, 0, 0}, info.dims, add_cell, &list);
    return glue_done(glue_give(0, &list));
}
