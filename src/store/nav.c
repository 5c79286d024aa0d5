/// store/nav.c: a running nav as a .vnav, and its results as .vnrec.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "nav/saved.h"
#include "space/layers.h"
#include "space/zone_buffer.h"
#include "store/layers.h"
#include "store/record.h"
#include "world/sense.h"

/// The sensed sets of a world, which keeps their bricks; returns their number. `out` may be null.
static uint32_t list_sensed(const vn_world* world, vni_saved_set* out) {
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle == NULL || vni_sensed_grid(obstacle).size == 0)
            continue;
        if (out != NULL)
            out[count] = (vni_saved_set){slot, obstacle->as.voxels.brick_count, obstacle->as.voxels.bricks};
        ++count;
    }

    return count;
}

vn_status vn_nav_write(const vn_nav* nav, const vn_store_def* def, const vn_allocator* allocator,
                       const vn_sink* sink, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && def != NULL && sink != NULL && sink->write != NULL);

    vn_layers layers;
    const vn_world* world;
    const vn_allocator own = allocator != NULL ? *allocator : vn_default_allocator();
    vn_status status = vni_nav_saved_layers(nav, &layers, &world, detail);
    if (status != VN_OK)
        return status;

    const uint32_t count = list_sensed(world, NULL);
    layers.sensed = VNI_NEW_ARRAY(&own, vni_saved_set, count);
    layers.sensed_count = count;
    if (count > 0 && layers.sensed == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a list of %u sensed sets",
                        (unsigned)count);

    list_sensed(world, layers.sensed);
    status = vn_layers_write(&layers, def, &own, sink, detail);
    VNI_DELETE_ARRAY(&own, layers.sensed, count);
    return status;
}

// ------------------------------------------------------------------------------------------------- records

/// The zones of a search in one array: first those of the version, then those of the request, as the search
/// had them.
typedef struct joined_zones {
    vn_zone items[2 * VN_MAX_ZONES];
    vn_plane planes[2 * VN_MAX_ZONE_PLANES];
    uint32_t count, plane_count;
} joined_zones;

/// Adds the zones that count for a request with these flags. It holds two full arrays.
static void add_zones(joined_zones* out, const vn_zone* zones, uint32_t count, uint32_t flags) {
    for (uint32_t i = 0; i < count; ++i) {
        if (zones[i].flags != 0 && !(zones[i].flags & flags))
            continue;
        out->plane_count +=
            vni_zones_copy(&zones[i], 1, &out->items[out->count++], out->planes + out->plane_count);
    }
}

static vn_status write_search(const vni_nav_search* search, joined_zones* zones, const vn_store_def* def,
                              const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail) {
    vn_path_request request = *search->last.request;
    add_zones(zones, search->zones, search->zone_count, request.zone_flags);
    add_zones(zones, request.zones, request.zone_count, request.zone_flags);
    if (zones->count > VN_MAX_ZONES || zones->plane_count > VN_MAX_ZONE_PLANES)
        return vni_fail(detail, VN_CAPACITY,
                        "the search had %u zones with %u planes, those of its version and its own; a record "
                        "holds %d with %d",
                        (unsigned)zones->count, (unsigned)zones->plane_count, VN_MAX_ZONES,
                        VN_MAX_ZONE_PLANES);

    request.zones = zones->items;
    request.zone_count = zones->count;
    return vni_record_write(&search->last, &request, search->last.result, def, allocator, sink, detail);
}

vn_status vn_nav_write_record(const vn_nav* nav, vn_request_id id, const vn_store_def* def,
                              const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail) {
    VNI_ASSERT(nav != NULL && def != NULL && sink != NULL && sink->write != NULL);

    vni_nav_search search;
    vn_allocator own = allocator != NULL ? *allocator : vn_default_allocator();
    vn_status status = vni_check_store_def(def, detail);
    if (status == VN_OK)
        status = vni_nav_saved_search(nav, id, &search, detail);
    if (status != VN_OK)
        return status;

    joined_zones* zones = VNI_NEW(&own, joined_zones);
    if (zones == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the zones of a record");

    status = write_search(&search, zones, def, &own, sink, detail);
    VNI_DELETE(&own, zones);
    return status;
}
