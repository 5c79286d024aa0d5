/// 06-radii: one bake for agents of several sizes. Each request states its radius and is searched in the
/// layer with the smallest sufficient radius; the path keeps that distance from every shape.
#include "hall.h"

static void fly(const vn_layers* layers, vn_query* query, const vn_world* world, float radius) {
    vn_path_request request = vn_default_path_request();
    request.use_positions = true;
    request.start_position = (vn_dvec3){14, 6.25, 2};
    request.goal_position = (vn_dvec3){19, 6.25, 2};
    request.radius = radius;
    vn_path_result result;

    vn_status status = vn_query_find_path(query, &request, &result, NULL);
    if (status != VN_OK) {
        printf("radius %.2f m: %s; a layer of %.2f m would pass\n", (double)radius,
               vn_path_status_word(status), (double)result.passing_radius);
        return;
    }

    uint32_t count;
    const vn_space* frame = vn_layers_space(layers, 0); // a lattice point is the same position in all layers
    const vn_point* points = vn_query_points(query, &count);
    vn_check_result check; // the checker shares no code with the search
    bool keeps = vn_world_check_path(world, frame, points, count, (double)radius, &check);
    printf("radius %.2f m: layer %.2f m, %6.2f m long, never closer than %.3f m: %s\n", (double)radius,
           (double)result.layer_radius, result.length, check.clearance, keeps ? "checked" : "TOO CLOSE");
}

int main(void) {
    const vn_layer_def sizes[4] = {{0, 0}, {0.25f, 0}, {0.75f, 0}, {1.5f, 0}};
    const float agents[5] = {0, 0.2f, 0.3f, 0.75f, 1.2f};
    const vn_space_def def = hall_space_def();
    const vn_query_def query_def = vn_default_query_def();
    vn_world* world = NULL;
    vn_layers* layers = NULL;
    vn_query* query = NULL;

    vn_status status = hall_world(false, &world);
    if (status == VN_OK)
        status = vn_layers_bake(world, &def, sizes, 4, &layers, NULL);
    if (status == VN_OK)
        status = vn_query_create_layers(layers, &query_def, &query, NULL);

    for (int i = 0; status == VN_OK && i < 5; ++i) // small agents take the duct, the others the door
        fly(layers, query, world, agents[i]);

    vn_query_destroy(query);
    vn_layers_destroy(layers);
    vn_world_destroy(world);
    return status == VN_OK ? 0 : 1;
}
