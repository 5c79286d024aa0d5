/// probe/sight.h: decides whether points, balls and boxes pass through the occupancy, and where they are
/// stopped.
///
/// The rules of contact are in docs/contact.md.
#ifndef VNI_PROBE_SIGHT_H
#define VNI_PROBE_SIGHT_H

#include "geom/vec.h"
#include "occupancy/occupancy.h"

/// Is the segment from a to b free for a point agent? Exact, in integers; symmetric; leaps over all-free
/// blocks, chunks and bricks. False if an end lies outside the closed bounds.
bool vni_sight(const vni_occupancy* occupancy, vn_point a, vn_point b);

/// The same by the pieces of geom/lattice.h, one voxel at a time: slower; used for segments that lie in a
/// plane between voxels.
bool vni_sight_by_pieces(const vni_occupancy* occupancy, vn_point a, vn_point b);

/// Where a segment is stopped.
typedef struct vni_stop {
    int64_t numerator, denominator; ///< the last point reached, as a fraction of the segment
    vn_voxel voxel;                 ///< the voxel that stops it; beyond the dimensions if `outside`
    int32_t normal[3];              ///< sum of the normals of the faces that stop it; zero if `inside`
    bool outside;                   ///< it leaves the space there
    bool inside;                    ///< no free voxel touches the start
} vni_stop;

/// Where the segment from a to b, which may lie anywhere, is stopped; false exactly if vni_sight is true. The
/// faces that count are those between a voxel reached at the last point and a blocked or missing one ahead of
/// it. Exact, leaps.
bool vni_sight_stop(const vni_occupancy* occupancy, vn_point a, vn_point b, vni_stop* out);

/// Where the segment from a, which lies in the closed bounds, to b leaves the space, whatever is blocked;
/// false if b lies in the bounds too.
bool vni_exit_point(const vni_occupancy* occupancy, vn_point a, vn_point b, vni_stop* out);

/// A point is *plain* if a free voxel touches it and all free voxels that do are connected over faces among
/// themselves. Two free segments that meet at a plain point make a free path.
bool vni_point_is_plain(const vni_occupancy* occupancy, vn_point point);

/// Does the segment keep at least `radius` (voxel units, > 0) from every blocked voxel? a and b in voxel
/// units.
bool vni_sweep_is_free(const vni_occupancy* occupancy, vni_vec a, vni_vec b, double radius);

/// The first blocked voxel that comes closer to the ball than its radius, and the fraction of the segment
/// where it does, up to `limit` (0 to 1); among equals the first in z, y, x order. With limit 1, true exactly
/// if vni_sweep_is_free is false. The fraction is accurate to about 1e-9 of a voxel in terms of the distance.
/// At a the ball must be clear.
bool vni_sweep_touch(const vni_occupancy* occupancy, vni_vec a, vni_vec b, double radius, double limit,
                     vn_voxel* voxel, double* at);

/// Does the point lie in the closed bounds?
bool vni_point_is_inside(const vni_occupancy* occupancy, vn_point point);

/// Are all voxels of [low, high) inside and free?
bool vni_box_is_free(const vni_occupancy* occupancy, vn_voxel low, vn_voxel high);

#endif
