/// store/record.h: the struct behind vn_record, and how one is written.
#ifndef VNI_STORE_RECORD_H
#define VNI_STORE_RECORD_H

#include "query/last_search.h"
#include "store/request_bytes.h"
#include "volnav/store.h"

struct vn_record {
    vn_allocator allocator;
    vn_layers* layers;
    vn_path_request request; ///< its zones, their planes, and connections are these:
    vn_zone zones[VN_MAX_ZONES];
    vn_plane planes[VN_MAX_ZONE_PLANES];
    vn_connection connections[VN_MAX_CONNECTIONS];
    vni_query_sizes scratch;
    vn_path_result result;
    vn_point* points;                   ///< result.point_count
    vn_connection_use* connection_uses; ///< result.connections_used
};

/// Writes a .vnrec of a search that ended, as vn_record_write; the def has been checked.
vn_status vni_record_write(const vni_last_search* last, const vn_path_request* request,
                           const vn_path_result* result, const vn_store_def* def,
                           const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail);

#endif
