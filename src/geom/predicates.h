/// geom/predicates.h: exact answers about points with float coordinates.
#ifndef VNI_GEOM_PREDICATES_H
#define VNI_GEOM_PREDICATES_H

#include "volnav/math.h"

/// Where d lies to the plane through a, b and c: 1 on the side from which they are seen counter-clockwise, -1
/// on the other, 0 in the plane. Exact for finite coordinates below 1e30.
int vni_side_of_plane(vn_vec3 a, vn_vec3 b, vn_vec3 c, vn_vec3 d);

/// Do the three lie on one line? Exact.
bool vni_are_collinear(vn_vec3 a, vn_vec3 b, vn_vec3 c);

#endif
