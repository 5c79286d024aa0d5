/// sim/rail.h: a closed tour of straight lines and circles, passed at constant speed.
#ifndef VNI_SIM_RAIL_H
#define VNI_SIM_RAIL_H

#include "volnav/math.h"

typedef struct vni_rail_part {
    double begin;   ///< metres from the beginning of the tour
    double radius;  ///< of a horizontal circle; 0: straight
    vn_dvec3 from;  ///< where a straight part begins; the centre of a circle, which begins at +x of it
    vn_dvec3 along; ///< straight: unit length
} vni_rail_part;

typedef struct vni_rail {
    vni_rail_part* parts;
    uint32_t count, capacity;
    double length; ///< metres; the last part ends where the first begins
} vni_rail;

/// Memory for `capacity` parts. VN_OUT_OF_MEMORY.
vn_status vni_rail_create(vni_rail* rail, const vn_allocator* allocator, uint32_t capacity);
void vni_rail_free(vni_rail* rail, const vn_allocator* allocator);

/// A straight part between two points; none if they are equal.
void vni_rail_straight(vni_rail* rail, vn_dvec3 from, vn_dvec3 to);

/// `turns` times around a centre.
void vni_rail_circle(vni_rail* rail, vn_dvec3 center, double radius, uint32_t turns);

/// Point and direction (unit length) after so many metres, wrapped. The rail has a length. O(log parts).
void vni_rail_at(const vni_rail* rail, double metres, vn_dvec3* point, vn_dvec3* direction);

#endif
