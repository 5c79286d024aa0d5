/// space/sight.h: line of sight and swept balls through the occupancy. The rules of contact are in
/// docs/contact.md.
#ifndef VNI_SPACE_SIGHT_H
#define VNI_SPACE_SIGHT_H

#include "geom/vec.h"
#include "space/occupancy.h"

/// Is the straight way from a to b free for a point agent? Exact, in integers; symmetric; leaps over all-free
/// blocks, chunks and bricks. False if an end lies outside the closed bounds.
bool vni_sight(const vni_occupancy* occupancy, vn_point a, vn_point b);

/// The same by the pieces of geom/lattice.h, one voxel at a time: slower, and the way of segments that lie in
/// a lattice plane.
bool vni_sight_by_pieces(const vni_occupancy* occupancy, vn_point a, vn_point b);

/// A point is *plain* when some free voxel touches it, and all free voxels that do are connected over faces among themselves. Two straight ways that are free by
/// themselves are free when they are joined at a plain point.
bool vni_point_is_plain(const vni_occupancy* occupancy, vn_point point);

/// Does the segment keep at least `radius` (voxel units, > 0) from every blocked voxel? a and b in voxel
/// units.
bool vni_sweep_is_free(const vni_occupancy* occupancy, vni_vec a, vni_vec b, double radius);

/// Are all voxels of [low, high) inside and free?
bool vni_box_is_free(const vni_occupancy* occupancy, vn_voxel low, vn_voxel high);

#endif
