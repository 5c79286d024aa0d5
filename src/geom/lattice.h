/// geom/lattice.h: walks a straight segment between lattice points through the voxels, exactly, in integers.
///
/// A segment meets the voxels in a sequence of pieces: open stretches along which it touches the same voxels,
/// and the points between them. Each piece comes as the box of voxels whose closed cubes contain it: 1 voxel
/// inside a cube, 2 on a face, 4 on an edge, 8 on a corner. The ends of the segment are pieces too:
///
///        +-------+-------+
///        |       |    __b|     point a (1 voxel), stretch (1), point on the face (2), stretch (1),
///        |    ___|--'    |     point b (1)
///        |a--'   |       |
///        +-------+-------+
#ifndef VNI_GEOM_LATTICE_H
#define VNI_GEOM_LATTICE_H

#include "volnav/math.h"

/// Largest coordinate: differences have 31 bits then, and products of two of them fit in an int64.
#define VNI_LATTICE_LIMIT (1 << 30)

typedef struct vni_lattice_piece {
    int32_t low[3], high[3]; ///< voxels, inclusive: high - low is 0 or 1 on each axis
    bool is_point;
} vni_lattice_piece;

typedef struct vni_lattice_walk {
    int64_t start[3];
    int64_t step[3];   ///< -1, 0 or 1
    int64_t length[3]; ///< |b - a| on each axis
    int64_t travel[3]; ///< per axis: steps from the start to the next plane between voxels; may exceed length
    int32_t low[3], high[3]; ///< voxels of the current stretch
    uint32_t phase;
} vni_lattice_walk;

/// Coordinates within +- VNI_LATTICE_LIMIT.
vni_lattice_walk vni_lattice_begin(vn_point a, vn_point b);

/// Writes the next piece; false after the last.
bool vni_lattice_next(vni_lattice_walk* walk, vni_lattice_piece* out);

#endif
