/// world/zones.h: the zones that a world keeps: shapes that cost, named by ids, moved by transforms. Inside
/// this room and for whoever owns the world.
///
/// The table has nothing to do with the obstacles: one thread may change zones while another one changes
/// obstacles.
#ifndef VNI_WORLD_ZONES_H
#define VNI_WORLD_ZONES_H

#include "base/idpool.h"
#include "volnav/world.h"

struct vni_obstacle;

/// One zone; dead if `shape` is null.
typedef struct vni_world_zone {
    struct vni_obstacle* shape; ///< a moving one, in no tree: it knows how to be placed
    vn_zone now;                ///< where it is; its planes are these:
    vn_plane* planes;
    uint32_t* faces; ///< hull: by plane, which normal it has, doubled, and 1 for the lower side of it
    uint32_t plane_capacity;
} vni_world_zone;

typedef struct vni_zone_table {
    vn_allocator allocator;
    vni_idpool ids;
    vni_world_zone zones[VN_MAX_ZONES]; ///< by slot
    uint32_t plane_capacity;            ///< of all
    uint64_t revision;
} vni_zone_table;

void vni_zone_table_make(vni_zone_table* table, const vn_allocator* allocator);
void vni_zone_table_free(vni_zone_table* table);
size_t vni_zone_table_bytes(const vni_zone_table* table); ///< that it has allocated

/// The zone in a slot, or null.
const vni_world_zone* vni_zone_at(const vni_zone_table* table, uint32_t slot);

/// Around a zone that is alive.
vn_box vni_zone_bounds(const vni_world_zone* zone);
vn_transform vni_zone_place(const vni_world_zone* zone);

#endif
