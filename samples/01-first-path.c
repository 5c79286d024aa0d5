/// 01-first-path: a world with one wall, a space, a path around the wall. Everything else in volnav builds on
/// these five calls.
#include <stdio.h>
#include <volnav/volnav.h>

int main(void) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world = NULL;
    if (vn_world_create(&world_def, &world) != VN_OK)
        return 1;
    vn_shape wall = {.kind = VN_SHAPE_BOX,
                     .as.box = {{4, 0, 0}, {5, 8, 10}}}; // 1 m thick, 8 m high; the world is 10 m high
    vn_status status = vn_world_add(world, &wall, NULL, NULL);

    vn_space_def space_def = vn_default_space_def();
    space_def.resolution = 0.5f; // metres to a voxel
    space_def.radius = 0.5f;     // of the agent
    space_def.has_bounds = true;
    space_def.bounds = (vn_box){{0, 0, 0}, {10, 10, 10}};
    vn_space* space = NULL;
    if (status == VN_OK)
        status = vn_space_bake(world, &space_def, &space, NULL);

    vn_query_def query_def = vn_default_query_def();
    vn_query* query = NULL; // scratch memory: one for each thread
    if (status == VN_OK)
        status = vn_query_create(space, &query_def, &query, NULL);

    vn_path_request request = vn_default_path_request();
    vn_path_result result = {.status = status};
    if (status == VN_OK) {
        vn_space_local_point(space, (vn_vec3){1, 1, 5}, &request.start);
        vn_space_local_point(space, (vn_vec3){9, 1, 5}, &request.goal);
        status = vn_find_path(query, &request, &result, NULL);
    }
    if (status != VN_OK) {
        printf("no path: %s\n", vn_status_text(status));
    } else {
        uint32_t count;
        const vn_point* points = vn_query_points(query, &count);
        printf("%.2f m over %u points:\n", result.length, count);
        for (uint32_t i = 0; i < count; ++i) {
            vn_dvec3 p = vn_space_position(space, points[i]);
            printf("  %5.2f %5.2f %5.2f\n", p.x, p.y, p.z);
        }
    }
    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
    return status == VN_OK ? 0 : 1;
}
