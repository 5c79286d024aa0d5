/// probe/sight.h: line of sight and swept balls through the occupancy. The rules of contact are in
/// docs/contact.md.
#ifndef VNI_PROBE_SIGHT_H
#define VNI_PROBE_SIGHT_H

#include "geom/vec.h"
#include "occupancy/occupancy.h"

/// Is the straight way from a to b free for a point agent? Exact, in integers; symmetric; leaps over all-free
/// blocks, chunks and bricks. False if an end lies outside the closed bounds.
bool vni_sight(const vni_occupancy* occupancy, vn_point a, vn_point b);

/// The same by the pieces of geom/lattice.h, one voxel at a time: slower, and the way of segments that lie in
/// a lattice plane.
bool vni_sight_by_pieces(const vni_occupancy* occupancy, vn_point a, vn_point b);

/// Where a way is stopped.
typedef struct vni_stop {
    int64_t numerator, denominator; ///< the last point that it may reach, as a fraction of the way
    vn_voxel voxel;                 ///< may not be entered; beyond the dimensions if `outside`
    int32_t normal[3];              ///< sum of the normals of the faces that it meets there; zero if `inside`
    bool outside;                   ///< the way leaves the space there
    bool inside;                    ///< no free voxel touches the start
} vni_stop;

/// Where the way from a to b, which may lie anywhere, is stopped; false exactly if vni_sight is true. At the
/// last point that is right some voxels have been reached; the faces counted are those between a reached
/// voxel and a blocked or missing one ahead of it. Exact, leaps.
bool vni_sight_stop(const vni_occupancy* occupancy, vn_point a, vn_point b, vni_stop* out);

/// Where the way from a, which lies in the closed bounds, to b leaves the space, whatever is blocked; false
/// if b lies in the bounds too.
bool vni_exit_point(const vni_occupancy* occupancy, vn_point a, vn_point b, vni_stop* out);

/// A point is *plain* when some free voxel touches it, and all free voxels that do are connected over faces
/// among themselves. Two straight ways that are free by themselves are free when they are joined at a plain
/// point.
bool vni_point_is_plain(const vni_occupancy* occupancy, vn_point point);

/// Does the segment keep at least `radius` (voxel units, > 0) from every blocked voxel? a and b in voxel
/// units.
bool vni_sweep_is_free(const vni_occupancy* occupancy, vni_vec a, vni_vec b, double radius);

/// The first blocked voxel that such a ball comes closer to than its radius, and at which fraction of the
/// way, if that is no more than `limit` (0 to 1); among equals the least in z, y, x order. True for some
/// voxel exactly if vni_sweep_is_free is false, but for the limit; the fraction is right to about 1e-9 of a
/// voxel in terms of the distance. The ball is not too close to anything at a.
bool vni_sweep_touch(const vni_occupancy* occupancy, vni_vec a, vni_vec b, double radius, double limit,
                     vn_voxel* voxel, double* at);

/// Does the point lie in the closed bounds?
bool vni_point_is_inside(const vni_occupancy* occupancy, vn_point point);

/// Are all voxels of [low, high) inside and free?
bool vni_box_is_free(const vni_occupancy* occupancy, vn_voxel low, vn_voxel high);

#endif
