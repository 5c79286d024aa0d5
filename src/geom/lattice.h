/// geom/lattice.h: the exact way of a straight lattice segment through the voxels, in 64-bit integers.
///
/// A segment meets the voxel lattice in a sequence of pieces: open stretches, along which the set of voxels
/// it touches is the same, and the points between them. Each piece is given as the box of voxels whose closed
/// cubes hold it: 1 voxel inside a cube, 2 on a face, 4 on an edge, 8 on a corner. Ends of the segment are
/// pieces too. So the sequence is point, stretch, point, ..., point.
#ifndef VNI_GEOM_LATTICE_H
#define VNI_GEOM_LATTICE_H

#include "volnav/math.h"

/// Largest coordinate, so that products of two differences fit in int64.
#define VNI_LATTICE_LIMIT (1 << 30)

typedef struct vni_lattice_piece {
    int32_t low[3], high[3]; ///< voxels, inclusive: high - low is 0 or 1 on each axis
    bool is_point;
} vni_lattice_piece;

typedef struct vni_lattice_walk {
    int64_t start[3];
    int64_t step[3];   ///< -1, 0 or 1
    int64_t length[3]; ///< |b - a| on each axis
    int64_t travel[3]; ///< distance from the start to the next lattice plane on each axis; beyond length if
                       ///< there is none
    int32_t low[3], high[3]; ///< of the current stretch
    uint32_t phase;
} vni_lattice_walk;

/// Coordinates within +- VNI_LATTICE_LIMIT.
vni_lattice_walk vni_lattice_begin(vn_point a, vn_point b);

/// The next piece; false after the last.
bool vni_lattice_next(vni_lattice_walk* walk, vni_lattice_piece* out);

#endif
