/// query/last_search.h: what a recorder may know of a query's last search, and how far a running one has
/// come.
#ifndef VNI_QUERY_LAST_SEARCH_H
#define VNI_QUERY_LAST_SEARCH_H

#include "volnav/query.h"

/// A view of a query; everything belongs to it and is valid until its next call.
typedef struct vni_last_search {
    bool is_finished;        ///< the last request was for a path, and its result has been fetched
    const vn_layers* layers; ///< null: the query was made on one space
    const vn_space* space;   ///< the layer that was searched
    const vn_path_request* request;
    const vn_path_result* result;
    const vn_point* points;
    const vn_connection_use* connection_uses;
    uint32_t point_count, connection_use_count;
    uint32_t max_points, max_nodes; ///< capacity: it may decide the result
} vni_last_search;

vni_last_search vni_query_last_search(const vn_query* query);

/// Expansions of the last search so far, all rounds together.
uint64_t vni_query_expanded(const vn_query* query);

/// The last search has ended its first round and is in its second (best quality, or a preferred clearance).
bool vni_query_is_in_second_round(const vn_query* query);

#endif
