/// store/request_bytes.h: requests and results as bytes, field by field.
#ifndef VNI_STORE_REQUEST_BYTES_H
#define VNI_STORE_REQUEST_BYTES_H

#include "store/bytes.h"
#include "volnav/query.h"

/// Capacity of the query object, which may decide the result.
typedef struct vni_query_sizes {
    uint32_t max_points, max_nodes;
    bool on_layers; ///< made on layers, not on one space
} vni_query_sizes;

/// Without zones and connections, which have sections; their counts are those of the sections.
void vni_put_request(vni_bytes* out, const vn_path_request* request, const vni_query_sizes* sizes);
bool vni_read_request(vni_reader* in, vn_path_request* out, vni_query_sizes* sizes);

void vni_put_result(vni_bytes* out, const vn_path_result* result);
bool vni_read_result(vni_reader* in, vn_path_result* out);

/// Zones are stored in one of two ways: boxes alone as readers of version 1 know them, or by kind.
bool vni_zones_are_boxes(const vn_zone* zones, uint32_t count);

#define VNI_ZONE_BYTES 32

void vni_put_zones(vni_bytes* out, const vn_zone* zones, uint32_t count);

/// As many as there are bytes for, up to VN_MAX_ZONES; false otherwise.
bool vni_read_zones(vni_reader* in, vn_zone out[VN_MAX_ZONES], uint32_t* count);

/// Most bytes of zones by kind.
#define VNI_ZONE_SHAPES_BYTES (VN_MAX_ZONES * 36 + VN_MAX_ZONE_PLANES * 16)

void vni_put_zone_shapes(vni_bytes* out, const vn_zone* zones, uint32_t count);

/// The same by kind; the planes go to `planes`, one after the other. False: too many, or of no kind.
bool vni_read_zone_shapes(vni_reader* in, vn_zone out[VN_MAX_ZONES], vn_plane planes[VN_MAX_ZONE_PLANES],
                          uint32_t* count);

#endif
