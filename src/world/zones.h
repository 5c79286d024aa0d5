/// world/zones.h: the table of a world's cost zones: shapes with ids that move by transforms. For this module
/// and for the owner of the world (nav).
///
/// Independent of the obstacles: one thread may change zones while another changes obstacles.
#ifndef VNI_WORLD_ZONES_H
#define VNI_WORLD_ZONES_H

#include "base/idpool.h"
#include "volnav/world.h"

struct vni_obstacle;

/// One zone; dead if `shape` is null.
typedef struct vni_world_zone {
    struct vni_obstacle* shape; ///< a moving obstacle outside the tree, for its transform
    vn_zone now;                ///< as queries see it; points to `planes`
    vn_plane* planes;
    uint32_t* faces; ///< hull, by plane: 2 * index of its normal, + 1 on the side against the normal
    uint32_t plane_capacity;
} vni_world_zone;

typedef struct vni_zone_table {
    vn_allocator allocator;
    vni_idpool ids;
    vni_world_zone zones[VN_MAX_ZONES]; ///< by slot
    uint32_t plane_capacity;            ///< sum over all zones
    uint64_t revision;
} vni_zone_table;

void vni_zone_table_make(vni_zone_table* table, const vn_allocator* allocator);
void vni_zone_table_free(vni_zone_table* table);
size_t vni_zone_table_bytes(const vni_zone_table* table); ///< heap memory

/// The zone in a slot, or null.
const vni_world_zone* vni_zone_at(const vni_zone_table* table, uint32_t slot);

/// Bounds, and transform, of a zone that is alive.
vn_box vni_zone_bounds(const vni_world_zone* zone);
vn_transform vni_zone_transform(const vni_world_zone* zone);

#endif
