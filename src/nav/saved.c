/// nav/saved.c: hands the state and the results of a nav to those who write files.
#include "nav/saved.h"
#include "base/fail.h"
#include "nav/nav_inside.h"

// ---------------------------------------------------------------------------------------------- the layers

/// The version that shows the world: one that was made but not adopted yet is ahead of the newest. Monitor
/// held; no update is ready or running.
static const vni_nav_version* last_version(const vn_nav* nav) {
    return nav->update.made != NULL ? nav->update.made : nav->shared.newest;
}

vn_status vni_nav_saved_layers(const vn_nav* nav, vn_layers* out, const vn_world** world, vn_detail* detail) {
    vni_nav_enter(nav);
    const vni_update_state state = nav->shared.update_state;
    const bool is_busy = state == VNI_UPDATE_READY || state == VNI_UPDATE_RUNNING;
    const bool has_failed = !is_busy && nav->update.status != VN_OK;
    if (!is_busy)
        *out = last_version(nav)->view;
    vni_nav_leave(nav);

    if (is_busy)
        return vni_fail(detail, VN_RUNNING,
                        "an update is running: call vn_nav_tick, and save just before the next call");
    if (has_failed)
        return vni_fail(detail, VN_STALE,
                        "the last update failed: free memory, and call vn_nav_tick until it returns VN_OK");

    // No update runs before the host's next tick: until then world and layers belong to this thread.
    out->allocator = nav->fixed.allocator;
    out->source = vn_world_hash(nav->fixed.world);
    *world = nav->fixed.world;
    return VN_OK;
}

// ---------------------------------------------------------------------------------------------- the search

static vn_status check_result(const vn_path_result* result, const vni_nav_version* version,
                              vn_detail* detail) {
    if (version == NULL || result->status == VN_OUT_OF_MEMORY)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the request was cancelled or ran out of memory: there is no search to record");

    // The search may have found a path that the nav did not keep.
    if (result->status == VN_CAPACITY)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the path has more points than the nav keeps: grow it (vn_nav_grow) and ask again");
    return VN_OK;
}

vn_status vni_nav_saved_search(const vn_nav* nav, vn_request_id id, vni_nav_search* out, vn_detail* detail) {
    vni_nav_enter(nav);
    const vni_request* request = vni_nav_collected(nav, id);
    vni_nav_leave(nav);
    if (request == NULL)
        return vni_fail(detail, VN_STALE_ID,
                        "no result of this request is collected: record it before it is released");

    if (request->input.planner != NULL)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "a planner's path depends on what it knew before: it cannot be replayed by itself");
    vn_status status = check_result(&request->result, request->version, detail);
    if (status != VN_OK)
        return status;

    *out = (vni_nav_search){
        .last = {.is_finished = true,
                 .layers = &request->version->view,
                 .space = request->space,
                 .request = &request->input.path,
                 .result = &request->result,
                 .points = request->points.items,
                 .connection_uses = request->uses,
                 .point_count = request->point_count,
                 .connection_use_count = request->use_count,
                 .max_points = vni_nav_query_points(request->points.capacity)},
        .zones = request->version->zones.items,
        .zone_count = request->version->zones.count,
    };
    return VN_OK;
}
