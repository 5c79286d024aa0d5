/// 02-query: a world, a space, a path. Everything else in volnav builds on these five calls.
#include "hall.h"

enum { MAX_POINTS = 64 };

static vn_status print_path(const vn_query* query, const vn_path_result* result) {
    vn_dvec3 path[MAX_POINTS]; // an agent's own copy, in metres
    uint32_t count;
    vn_status status = vn_query_get_positions(query, path, MAX_POINTS, &count);
    if (status != VN_OK)
        return status;

    printf("%.2f m over %u points:\n", result->length, (unsigned)count);
    for (uint32_t i = 0; i < count; ++i)
        printf("  %5.2f %5.2f %5.2f\n", path[i].x, path[i].y, path[i].z);

    return VN_OK;
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
        vn_path_request request = hall_route();
        status = vn_query_find_path(query, &request, &result, NULL);
    }

    if (status == VN_OK)
        status = print_path(query, &result);
    if (status != VN_OK)
        printf("no path: %s\n", vn_status_text(status));

    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
    return status == VN_OK ? 0 : 1;
}
