/// 04-frame-loop: one search spread over several frames, so that no frame has to wait for it.
#include "hall.h"

enum { EXPANSIONS_PER_FRAME = 2 };

int main(void) {
    vn_world* world = NULL;
    vn_space* space = NULL;
    vn_query* query = NULL;
    const vn_space_def space_def = hall_space_def();
    const vn_query_def query_def = vn_default_query_def();

    vn_status status = hall_world(false, &world);
    if (status == VN_OK)
        status = vn_space_bake(world, &space_def, &space, NULL);
    if (status == VN_OK)
        status = vn_query_create(space, &query_def, &query, NULL);

    vn_path_request request;
    if (status == VN_OK) {
        request = hall_route();
        status = vn_query_begin(query, &request, NULL); // checks the request, does not search yet
    }

    bool waiting = status == VN_OK;
    vn_path_result result = {.status = status};
    for (int frame = 1; waiting && frame <= 1000; ++frame) {
        // ... the game simulates, draws, plays sound ...
        status = vn_query_step(query, EXPANSIONS_PER_FRAME);
        if (status == VN_RUNNING)
            continue;

        status = vn_query_finish(query, &result);
        printf("frame %d: %s, %.2f m, %llu cells expanded\n", frame, vn_path_status_word(status),
               result.length, (unsigned long long)result.expanded);
        waiting = false;
    }

    // A search that is no longer needed can be finished early. With allow_partial it returns the path to the
    // reached point nearest to the goal.
    vn_status early = status;
    if (status == VN_OK) {
        request.allow_partial = true;
        early = vn_query_begin(query, &request, NULL);
    }

    if (early == VN_OK && vn_query_step(query, EXPANSIONS_PER_FRAME) == VN_RUNNING) {
        early = vn_query_finish(query, &result);
        printf("finished early: %s because of %s, %.2f m\n", vn_path_status_word(early),
               vn_status_word(result.reason), result.length);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
    return status == VN_OK && early == VN_PARTIAL ? 0 : 1;
}
