/// bindings/js/glue_query.c: path queries, and a path's stages and corridor.
#include "glue_query.h"
#include "glue_order.h"

#include <stdlib.h>
#include <string.h>

EXPORT(js_query_destroy) void js_query_destroy(finder* f) {
    if (f != NULL) {
        vn_query_destroy(f->query);
        glue_free(&f->positions);
        glue_free(&f->zones);
        free(f);
    }
}

vn_status glue_finder_create(const vn_layers* layers, const vn_space* space, finder** out,
                             vn_detail* detail) {
    finder* f = calloc(1, sizeof *f);
    vn_query_def def = vn_default_query_def();
    vn_status status = VN_OUT_OF_MEMORY;
    def.scratch = VN_SCRATCH_ALL;
    if (f != NULL) {
        f->space = layers != NULL ? vn_layers_space(layers, 0) : space;
        status = layers != NULL ? vn_query_create_layers(layers, &def, &f->query, detail)
                                : vn_query_create(space, &def, &f->query, detail);
    }
    if (status != VN_OK) {
        free(f);
        f = NULL;
    }
    *out = f;
    return status;
}

/// out: the handle.
EXPORT(js_query_create) int js_query_create(const vn_layers* layers) {
    finder* f;
    const vn_status status = glue_finder_create(layers, NULL, &f, glue_begin());
    glue_put_pointer(0, f);
    return glue_done(status);
}

vn_path_request glue_request(const double* ends, const double* options) {
    vn_path_request request = vn_default_path_request();
    request.use_positions = true;
    request.start_position = glue_position(ends);
    request.goal_position = glue_position(ends + 3);
    request.algo = (vn_algo)options[0];
    request.quality = (vn_quality)options[1];
    request.refine = (vn_refine)options[2];
    request.snap_distance = options[3];
    if (options[4] >= 0)
        request.radius = (float)options[4];
    request.allow_partial = options[5] != 0;
    request.check = options[6] != 0;
    return request;
}

void glue_put_path(const vn_dvec3* positions, uint32_t count, const vn_path_result* result) {
    memset(glue_out, 0, sizeof glue_out);
    glue_put_pointer(0, positions);
    glue_out[1] = count;
    glue_out[2] = result->length;
    glue_out[3] = result->cost;
    glue_out[4] = (double)result->expanded;
    glue_out[5] = result->turns;
    glue_out[6] = result->bound;
    glue_out[7] = result->checked;
    glue_out[8] = result->has_nearest;
    glue_put(9, result->nearest_position);
    glue_out[12] = result->nearest_distance;
    glue_out[13] = (double)result->passing_radius;
    glue_out[14] = result->reason;
}

/// Zones of all later requests, ten numbers each: kind, factor, low corner or centre, high corner, radius, 0.
/// World coordinates.
EXPORT(js_query_set_zones) int js_query_set_zones(finder* f, const double* n, uint32_t count) {
    vn_space_info info;
    glue_begin();
    vn_space_get_info(f->space, &info);
    const vn_dvec3 o = info.origin;
    vn_zone* zones = glue_room(&f->zones, (count > 0 ? count : 1) * sizeof *zones);
    if (zones == NULL)
        return glue_done(VN_OUT_OF_MEMORY);

    for (uint32_t i = 0; i < count; ++i, n += 10) {
        const vn_vec3 a = {(float)(n[2] - o.x), (float)(n[3] - o.y), (float)(n[4] - o.z)};
        const vn_vec3 b = {(float)(n[5] - o.x), (float)(n[6] - o.y), (float)(n[7] - o.z)};
        zones[i] = (vn_zone){.kind = (vn_zone_kind)n[0],
                             .factor = (float)n[1],
                             .box = {a, b},
                             .center = a,
                             .radius = (float)n[8]};
    }
    f->zones.size = count * sizeof *zones;
    return glue_done(VN_OK);
}

/// As glue_request and glue_put_path say. Returns the status of the search.
EXPORT(js_query_find) int js_query_find(finder* f, const double* ends, const double* options) {
    vn_path_request request = glue_request(ends, options);
    vn_path_result result;
    uint32_t count = 0;
    memset(&result, 0, sizeof result);
    request.zones = (const vn_zone*)(const void*)f->zones.data;
    request.zone_count = (uint32_t)(f->zones.size / sizeof(vn_zone));
    vn_status status = vn_query_find_path(f->query, &request, &result, glue_begin());
    (void)vn_query_points(f->query, &count);
    vn_dvec3* positions = glue_room(&f->positions, (count + 1) * sizeof *positions);
    if (positions == NULL)
        count = 0, status = VN_OUT_OF_MEMORY;
    else if (vn_query_get_positions(f->query, positions, count, &count) != VN_OK)
        status = VN_OUT_OF_MEMORY;
    f->request = request;
    f->result = result;
    glue_put_path(positions, count, &result);
    return glue_done(status);
}

/// The last search as a .vnrec. out: by glue_give.
EXPORT(js_query_save) int js_query_save(finder* f) {
    glue_list bytes = {0};
    const vn_store_def def = vn_default_store_def();
    const vn_sink sink = {.write = glue_append, .user = &bytes};
    const vn_status status =
        vn_record_write(f->query, &f->request, &f->result, &def, NULL, &sink, glue_begin());
    if (status != VN_OK)
        glue_free(&bytes);
    const vn_status given = glue_give(0, &bytes);
    return glue_done(status != VN_OK ? status : given);
}

// --------------------------------------------------------------------------------------------------- drawing

typedef struct corridor {
    vn_space_info info;
    glue_list boxes, flags;
} corridor;

static bool add_expanded(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    corridor* c = user;
    const uint8_t flag = in_corridor;
    float box[6];
    glue_put_box(box, &c->info, low, high);
    return glue_append(&c->boxes, box, sizeof box) && glue_append(&c->flags, &flag, 1);
}

/// What the last search expanded: boxes of six floats, metres; bytes that are 1 in the corridor. out: both by
/// glue_give.
EXPORT(js_query_corridor) int js_query_corridor(finder* f) {
    corridor c = {0};
    glue_begin();
    vn_space_get_info(f->space, &c.info);
    vn_query_visit_expanded(f->query, add_expanded, &c);
    const vn_status a = glue_give(0, &c.boxes), b = glue_give(2, &c.flags);
    return glue_done(a != VN_OK ? a : b);
}

/// The last path as a curve under the limits of an agent: `n`: kind, speed, acceleration, turn rate (0: no
/// limit). out: positions by glue_give, length.
EXPORT(js_query_curve) int js_query_curve(finder* f, const double* n) {
    vn_curve_def def = vn_default_curve_def();
    vn_curve* curve = NULL;
    glue_list list = {0};
    uint32_t count = 0;
    const vn_point* points = vn_query_points(f->query, &count);
    def.kind = (vn_curve_kind)n[0];
    def.max_speed = n[1];
    def.max_acceleration = n[2];
    if (n[3] > 0)
        def.max_turn_rate = n[3];
    const vn_status status = vn_curve_make(f->space, points, count, &def, &curve, glue_begin());
    if (status != VN_OK)
        return glue_done(status);

    vn_curve_info info;
    vn_curve_get_info(curve, &info);
    (void)!vn_curve_get_positions(curve, NULL, 0, &count);
    vn_dvec3* to = glue_room(&list, count * sizeof *to);
    if (to != NULL)
        (void)!vn_curve_get_positions(curve, to, count, &count);
    vn_curve_destroy(curve);
    glue_out[2] = info.length;
    return glue_done(glue_give(0, &list));
}
