/// volnav/draw/stages.c: searching again.
#include "draw/stages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void add(stages* s, const char* label, const vn_path_result* result, const vn_point* points,
                uint32_t count) {
    if (count == 0) {
        return;
    }

    assert(s->count < STAGES_MAX);
    vn_point* kept = say_alloc(count, sizeof *kept);
    memcpy(kept, points, count * sizeof *kept);
    s->points[s->count] = kept;
    s->routes[s->count++] = (picture_route){.label = label,
                                            .points = kept,
                                            .count = count,
                                            .length = result->length,
                                            .partial = result->status == VN_PARTIAL};
}

static void search_again(stages* s, vn_query* query, const char* label, vn_path_request request,
                         vn_refine refine, vn_quality quality) {
    vn_path_result result;
    uint32_t count = 0;
    request.refine = refine;
    request.quality = quality;
    vn_query_find_path(query, &request, &result, NULL);
    const vn_point* points = vn_query_points(query, &count);
    add(s, label, &result, points, count);
}

static const char* last_label(const vn_path_request* request) {
    if (request->algo != VN_ALGO_CELLS) {
        return "path";
    }
    switch (request->refine) {
    case VN_REFINE_NONE: return "as found";
    case VN_REFINE_TAUT: return "taut";
    case VN_REFINE_PRUNE: return "pruned";
    default: break;
    }
    return request->quality == VN_QUALITY_FAST       ? "taut and pruned"
           : request->quality == VN_QUALITY_STANDARD ? "taut, pruned and pulled"
                                                     : "all passes, best of two";
}

int stages_run(const loaded* in, const search_options* options, const vn_path_request* request,
               const search_outcome* outcome, stages* out) {
    vn_query* query = NULL;
    const bool cells = request->algo == VN_ALGO_CELLS, all = request->refine == VN_REFINE_DEFAULT;
    vn_path_request again = *request;
    memset(out, 0, sizeof *out);
    if (outcome->count == 0) {
        return EXIT_DONE;
    }

    const int code = search_create(in, options, &request->algo, 1, &query);
    if (code != EXIT_DONE) {
        return code;
    }

    if (request->preferred_clearance > 0) { // its effect says more than the passes do
        again.preferred_clearance = 0;
        search_again(out, query, "as short as can be", again, request->refine, request->quality);
        add(out, "with clearance", &outcome->path, outcome->points, outcome->count);
        vn_query_destroy(query);
        return EXIT_DONE;
    }

    again.weight = outcome->path.weight;
    if (cells && request->refine != VN_REFINE_NONE) {
        search_again(out, query, "as found", again, VN_REFINE_NONE, request->quality);
    }

    if (cells && all) {
        search_again(out, query, "taut", again, VN_REFINE_TAUT, request->quality);
    }

    if (cells && all && request->quality == VN_QUALITY_STANDARD) { // fast does the same without the pull
        search_again(out, query, "taut and pruned", again, VN_REFINE_DEFAULT, VN_QUALITY_FAST);
    }

    add(out, last_label(request), &outcome->path, outcome->points, outcome->count);
    vn_query_destroy(query);
    return EXIT_DONE;
}

void stages_free(stages* s) {
    for (uint32_t i = 0; i < s->count; ++i) {
        free(s->points[i]);
    }
    memset(s, 0, sizeof *s);
}
