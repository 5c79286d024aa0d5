/// path/polyline.h: a polyline that grows from its last point backwards, as the parents of a search lead.
/// Repeated points, and points in line with both neighbours, are dropped.
#ifndef VNI_PATH_POLYLINE_H
#define VNI_PATH_POLYLINE_H

#include "volnav/math.h"

/// The points lie at the end of the array until it is settled.
typedef struct vni_polyline {
    vn_point* points;
    uint32_t capacity, count;
    bool every; ///< keep points in line
} vni_polyline;

/// Adds a point in front. False if the array is full.
bool vni_polyline_prepend(vni_polyline* line, vn_point point);

/// Moves the points to the front of the array; then nothing may be added.
void vni_polyline_settle(vni_polyline* line);

/// Drops repeated points and points in line from a polyline at the front of an array. Returns the new count.
uint32_t vni_polyline_tidy(vn_point* points, uint32_t count);

#endif
