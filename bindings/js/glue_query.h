/// bindings/js/glue_query.h: a path query with the positions of its last path.
#ifndef GLUE_QUERY_H
#define GLUE_QUERY_H

#include "glue.h"

/// JavaScript looks at the positions in place.
typedef struct finder {
    vn_query* query;
    const vn_space* space; ///< of the first layer
    glue_list positions;
    glue_list zones; ///< vn_zone: of all requests
    vn_path_request request;
    vn_path_result result; ///< of the last search, for its record
} finder;

/// On the layers, or if these are null on the space, which outlive it.
vn_status glue_finder_create(const vn_layers* layers, const vn_space* space, finder** out, vn_detail* detail);

/// A request from numbers: `ends` are start and goal; `options`: algo, quality, refine, snap distance, radius
/// (negative: not given), allow partial, check.
vn_path_request glue_request(const double* ends, const double* options);

/// out: positions, how many, length, cost, expanded, turns, bound, checked, has nearest, nearest position,
/// its distance, passing radius, reason.
void glue_put_path(const vn_dvec3* positions, uint32_t count, const vn_path_result* result);

int js_query_find(finder* f, const double* ends, const double* options);
void js_query_destroy(finder* f);

#endif
