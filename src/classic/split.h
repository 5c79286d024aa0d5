/// classic/split.h: how a box that something enters is split (Massonnat 2023, 5.2): into cubes of equal size,
/// whose edge is the greatest common divisor of the box's sides.
///
/// The thesis leaves three things open. Ours:
///
/// - A cube's greatest common divisor is its edge, which would split nothing. Cubes are split into cubes of
///   the greatest edge that divides theirs and is smaller: an edge of 12 into 8 of 6, of 9 into 27 of 3. Of
///   an even edge that makes eight, as in an octree (5.1).
/// - Its octree reaches beyond the level, ours is cut to the space. A side that ends at the high rim of the
///   space counts as the least power of two that holds it, as its uncut leaves would, and the cubes are cut;
///   else a space of 377 voxels would fall into single ones.
/// - Cubes that something is in are split again until they are free or single voxels; the others stay.
#ifndef VNI_CLASSIC_SPLIT_H
#define VNI_CLASSIC_SPLIT_H

#include "geom/box.h"

/// The edge of the cubes that a box of the saved decomposition is split into; 0 for a voxel.
int32_t vni_split_box(const vni_box* box, const int32_t dims[3]);

/// The edge of the cubes that a cube is split into; 0 for an edge of 1.
int32_t vni_split_cube(int32_t edge);

/// The parts of a box, of this edge and cut to the box, that have voxels in a region, x fastest:
///
///     for (vni_parts parts = vni_parts_in(&box, edge, &region); vni_parts_next(&parts, &part);)
typedef struct vni_parts {
    vni_box box;
    int32_t edge;
    int32_t first[3], end[3], at[3]; ///< in parts
} vni_parts;

vni_parts vni_parts_in(const vni_box* box, int32_t edge, const vni_box* region);

/// False after the last.
bool vni_parts_next(vni_parts* parts, vni_box* out);

#endif
