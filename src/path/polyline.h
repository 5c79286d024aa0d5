/// path/polyline.h: a polyline that grows from its last point backwards, as the parents of a search lead.
/// Points that come twice, and points in line with both neighbours, are left out.
#ifndef VNI_PATH_POLYLINE_H
#define VNI_PATH_POLYLINE_H

#include "volnav/math.h"

/// The points lie at the end of the array until it is settled.
typedef struct vni_polyline {
    vn_point* points;
    uint32_t capacity, count;
    bool every; ///< points in line stay
} vni_polyline;

/// Adds a point in front. False if there is no room.
bool vni_polyline_prepend(vni_polyline* line, vn_point point);

/// Moves the points to the front of the array; then nothing may be added.
void vni_polyline_settle(vni_polyline* line);

/// Leaves out what need not be there in a polyline at the front of an array. Returns the new count.
uint32_t vni_polyline_tidy(vn_point* points, uint32_t count);

#endif
