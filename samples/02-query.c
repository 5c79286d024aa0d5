/// 02-query: a world, a space, a path. Everything else in volnav builds on these five calls.
#include "hall.h"

static void print_path(const vn_space* space, const vn_query* query, const vn_path_result* result) {
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    printf("%.2f m over %u points:\n", result->length, (unsigned)count);
    for (uint32_t i = 0; i < count; ++i) {
        vn_dvec3 p = vn_space_point_to_world(space, points[i]);
        printf("  %5.2f %5.2f %5.2f\n", p.x, p.y, p.z);
    }
}

int main(void) {
    vn_world* world = NULL;
    vn_status status = hall_world(false, &world);

    vn_space_def space_def = hall_space_def();
    space_def.radius = 0.5f; // of the agent, metres
    vn_space* space = NULL;  // free space for that agent: immutable, shared by all threads
    if (status == VN_OK)
        status = vn_space_bake(world, &space_def, &space, NULL);

    vn_query_def query_def = vn_default_query_def();
    vn_query* query = NULL; // scratch memory: one query object per thread
    if (status == VN_OK)
        status = vn_query_create(space, &query_def, &query, NULL);

    vn_path_result result = {.status = status};
    if (status == VN_OK) {
        vn_path_request request = hall_route(space);
        status = vn_query_find_path(query, &request, &result, NULL);
    }

    if (status == VN_OK)
        print_path(space, query, &result);
    else
        printf("no path: %s\n", vn_status_text(status));

    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
    return status == VN_OK ? 0 : 1;
}
