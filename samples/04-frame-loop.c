/// 04-frame-loop: one question spread over several frames, so that none of them waits for it.
#include "hall.h"

enum { EXPANSIONS_A_FRAME = 2 };

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
        request = hall_route(space);
        status = vn_query_begin(query, &request, NULL); // checks the request; nothing is searched yet
    }

    bool waiting = status == VN_OK;
    vn_path_result result = {.status = status};
    for (int frame = 1; waiting && frame <= 1000; ++frame) {
        // ... the game moves, draws, plays sound ...
        status = vn_query_step(query, EXPANSIONS_A_FRAME);
        if (status == VN_RUNNING)
            continue;

        status = vn_query_finish(query, &result);
        printf("frame %d: %s, %.2f m, %llu cells expanded\n", frame, vn_status_word(status), result.length,
               (unsigned long long)result.expanded);
        waiting = false;
    }

    // A question that is no longer wanted: finish it early. With allow_partial there is a way to what was
    // reached.
    vn_status early = status;
    if (status == VN_OK) {
        request.allow_partial = true;
        vn_query_begin(query, &request, NULL);
        vn_query_step(query, EXPANSIONS_A_FRAME);
        early = vn_query_finish(query, &result);
        printf("given up early: %s because of %s, %.2f m\n", vn_status_word(early),
               vn_status_word(result.reason), result.length);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
    return status == VN_OK && early == VN_PARTIAL ? 0 : 1;
}
