/// bindings/js/glue_world.c: worlds: obstacles that stand and that move.
#include "glue.h"

EXPORT(js_world_create) vn_world* js_world_create(double x, double y, double z) {
    vn_world_def def = vn_default_world_def();
    vn_world* world = NULL;
    def.origin = (vn_dvec3){x, y, z};
    return vn_world_create(&def, &world) == VN_OK ? world : NULL;
}
EXPORT(js_world_destroy) void js_world_destroy(vn_world* world) {
    vn_world_destroy(world);
}

static void put_id(vn_obstacle_id id) {
    glue_out[0] = id.index1;
    glue_out[1] = id.generation;
}

static vn_obstacle_id id_of(uint32_t index1, uint32_t generation) {
    return (vn_obstacle_id){index1, generation};
}

/// `transform`: null for what stands. out: the id.
EXPORT(js_world_add)
int js_world_add(vn_world* world, int kind, const float* numbers, const float* transform) {
    const vn_shape shape = glue_shape(kind, numbers);
    vn_obstacle_id id = {0};
    vn_status status;
    if (transform == NULL) {
        status = vn_world_add(world, &shape, &id, glue_begin());
    } else {
        const vn_transform t = glue_transform(transform);
        status = vn_world_add_moving(world, &shape, &t, &id, glue_begin());
    }
    put_id(id);
    return glue_done(status);
}

EXPORT(js_world_add_mesh)
int js_world_add_mesh(vn_world* world, const float* vertices, uint32_t vertex_count, const uint32_t* indices,
                      uint32_t triangle_count, int solid) {
    vn_shape shape = {.kind = VN_SHAPE_MESH};
    vn_obstacle_id id = {0};
    shape.as.mesh.vertices = (const vn_vec3*)vertices;
    shape.as.mesh.vertex_count = vertex_count;
    shape.as.mesh.indices = indices;
    shape.as.mesh.triangle_count = triangle_count;
    shape.as.mesh.solid = solid != 0;
    const vn_status status = vn_world_add(world, &shape, &id, glue_begin());
    put_id(id);
    return glue_done(status);
}

EXPORT(js_world_remove) int js_world_remove(vn_world* world, uint32_t index1, uint32_t generation) {
    glue_begin();
    return glue_done(vn_world_remove(world, id_of(index1, generation)));
}
