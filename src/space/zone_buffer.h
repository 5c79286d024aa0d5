/// space/zone_buffer.h: zones as callers give them, taken into voxel units, in room that is made once.
#ifndef VNI_SPACE_ZONE_BUFFER_H
#define VNI_SPACE_ZONE_BUFFER_H

#include "graph/zones.h"
#include "volnav/world.h"

/// Planes of all hulls: those of two full arrays of vn_zone.
#define VNI_MAX_ZONE_PLANES (2 * VN_MAX_ZONE_PLANES)

/// `set` points into the room: it is not to be copied. About 48 KB, of which only what is used is touched.
typedef struct vni_zone_buffer {
    vni_zones set;
    uint32_t box_count, ball_count, hull_count, plane_count;
    vni_zone boxes[VNI_MAX_ZONES];
    vni_zone_ball balls[VNI_MAX_ZONES];
    vni_zone_hull hulls[VNI_MAX_ZONES];
    vni_zone_plane planes[VNI_MAX_ZONE_PLANES];
} vni_zone_buffer;

/// A grid of voxels: its low corner (local, metres) and the edge of a voxel.
typedef struct vni_zone_grid {
    vn_dvec3 low;
    double size;
} vni_zone_grid;

void vni_zone_buffer_clear(vni_zone_buffer* room);

/// Takes those that have no flags or one of `flags`. They are known to be right; all that the room gets, with
/// their planes, must fit. `room->set` is what it has.
void vni_zone_buffer_add(vni_zone_buffer* room, const vn_zone* zones, uint32_t count, uint32_t flags,
                         const vni_zone_grid* grid);

/// Copies zones and their planes, which go to `planes` one after the other; returns how many of these there
/// are.
uint32_t vni_zones_copy(const vn_zone* from, uint32_t count, vn_zone* to, vn_plane* planes);

#endif
