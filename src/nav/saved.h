/// nav/saved.h: what a file needs to know of a nav. On the host's thread.
#ifndef VNI_NAV_SAVED_H
#define VNI_NAV_SAVED_H

#include "query/last_search.h"
#include "space/layers.h"
#include "volnav/nav.h"

/// The layers of the newest state of the world, with the hash of that world. Nothing is copied: `out` is
/// valid until the next call on the nav, like `*world`. VN_RUNNING: an update is changing the world.
/// VN_STALE: the last update failed, and the layers are older than the world.
vn_status vni_nav_saved_layers(const vn_nav* nav, vn_layers* out, const vn_world** world, vn_detail* detail);

/// The search of a collected result. Everything is valid until the result is released.
typedef struct vni_nav_search {
    vni_last_search last;
    const vn_zone* zones; ///< of the version, besides those of the request
    uint32_t zone_count;
} vni_nav_search;

/// VN_STALE_ID: no such result is collected. VN_UNSUPPORTED: it did not come from a search that can be
/// repeated.
vn_status vni_nav_saved_search(const vn_nav* nav, vn_request_id id, vni_nav_search* out, vn_detail* detail);

#endif
