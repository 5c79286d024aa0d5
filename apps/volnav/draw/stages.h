/// volnav/draw/stages.h: one path before and after each pass of refinement, for pictures.
#ifndef STAGES_H
#define STAGES_H

#include "draw/picture.h"
#include "search/search.h"

enum { STAGES_MAX = 4 };

/// The paths, from the rawest to the outcome. It owns the points; free with stages_free.
typedef struct stages {
    picture_route routes[STAGES_MAX];
    vn_point* points[STAGES_MAX];
    uint32_t count;
} stages;

/// Searches again, with the weight that the outcome was found with, for each stage that came before it: over
/// cells as found, taut, and pruned; on the grid none. With a
/// preferred clearance: the path without it. `request` is what led to the outcome. Returns
/// EXIT_DONE, or EXIT_BAD after a message; an outcome without a path has no stages.
int stages_run(const loaded* in, const search_options* options, const vn_path_request* request,
               const search_outcome* outcome, stages* out);
void stages_free(stages* s);

#endif
