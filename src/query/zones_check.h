/// query/zones_check.h: are the zones of a request right?
#ifndef VNI_QUERY_ZONES_CHECK_H
#define VNI_QUERY_ZONES_CHECK_H

#include "volnav/world.h"

/// VN_CAPACITY: too many zones or planes; VN_BAD_ARGUMENT: one is wrong, and `detail` says which.
vn_status vni_zones_check(const vn_zone* zones, uint32_t count, vn_detail* detail);

#endif
