/// space/zone_buffer.h: converts a caller's cost zones from local metres to voxel units, in a buffer of fixed
/// size.
#ifndef VNI_SPACE_ZONE_BUFFER_H
#define VNI_SPACE_ZONE_BUFFER_H

#include "geom/units.h"
#include "graph/zones.h"
#include "volnav/world.h"

/// Planes of all hulls: those of two full arrays of vn_zone.
#define VNI_MAX_ZONE_PLANES (2 * VN_MAX_ZONE_PLANES)

/// `set` points into the buffer itself, so the buffer must not be copied. About 48 KB; only the used part is
/// ever touched.
typedef struct vni_zone_buffer {
    vni_zones set;
    uint32_t box_count, ball_count, hull_count, plane_count;
    vni_zone boxes[VNI_MAX_ZONES];
    vni_zone_ball balls[VNI_MAX_ZONES];
    vni_zone_hull hulls[VNI_MAX_ZONES];
    vni_zone_plane planes[VNI_MAX_ZONE_PLANES];
} vni_zone_buffer;

void vni_zone_buffer_clear(vni_zone_buffer* buffer);

/// Adds the zones that have no flags or one of `flags`, and makes `buffer->set` of all that it holds. The
/// zones are valid; together with their planes they fit.
void vni_zone_buffer_add(vni_zone_buffer* buffer, const vn_zone* zones, uint32_t count, uint32_t flags,
                         const vni_frame* frame);

/// Copies zones, and their planes one after the other to `planes`; returns the number of planes.
uint32_t vni_zones_copy(const vn_zone* from, uint32_t count, vn_zone* to, vn_plane* planes);

#endif
