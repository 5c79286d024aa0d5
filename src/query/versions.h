/// query/versions.h: query objects that go from one version of changing layers to the next.
#ifndef VNI_QUERY_VERSIONS_H
#define VNI_QUERY_VERSIONS_H

#include "volnav/query.h"

/// As vn_query_create_layers, with scratch for this many cells more.
vn_status vni_query_create_spare(const vn_layers* layers, const vn_query_def* def, uint32_t spare_cells,
                                 vn_query** out, vn_detail* detail);

/// From now on the query searches these layers; its last request is forgotten. They must have the grid of the
/// layers that the query was created with. VN_CAPACITY: they have more cells than its scratch; VN_BAD_ORDER:
/// a search is running. Then nothing has changed.
vn_status vni_query_use_layers(vn_query* query, const vn_layers* layers);

/// From now on these zones count in every request besides its own; up to VN_MAX_ZONES with up to
/// VN_MAX_ZONE_PLANES, which must be valid. They are read when a search begins, and must live until the next
/// call.
void vni_query_use_zones(vn_query* query, const vn_zone* zones, uint32_t count);

/// From now on requests may start in this body (null: none), whatever obstacles they name. It must live
/// until the next call.
struct vni_body;
void vni_query_use_body(vn_query* query, const struct vni_body* body);

/// The checks of vn_query_begin for a query on these layers with scratch for the cells search, without a
/// search.
vn_status vni_query_check(const vn_layers* layers, const vn_path_request* request, vn_detail* detail);

#endif
