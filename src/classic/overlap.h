/// classic/overlap.h: which voxels a convex obstacle overlaps, by separating axes prepared once (Krafft 2021,
/// 5.2.2.1 and 5.2.2.2): the thesis's way to update its hybrid graph, for comparison.
///
/// Made once for a shape: its vertices, and the directions of its faces and edges, each once, opposite ones
/// taken for equal. For each transform: the axes that can separate it from a cube of the grid (the grid's
/// own, the normals, and the cross products of the edges with the grid's axes, without those that are
/// parallel to the grid's), and its extent along each. A voxel is then compared along the axes until one
/// separates. The library itself voxelises only around an obstacle (voxelise/footprint.h), whatever its
/// shape.
#ifndef VNI_CLASSIC_OVERLAP_H
#define VNI_CLASSIC_OVERLAP_H

#include "geom/units.h"
#include "volnav/world.h"

typedef struct vni_overlap {
    vn_allocator allocator;
    vni_vec* vertices;
    vni_vec* normals; ///< unit, different
    vni_vec* edges;   ///< unit, different
    uint32_t vertex_count, normal_count, edge_count;
    uint32_t vertex_capacity, normal_capacity, edge_capacity;

    // under the last transform
    struct vni_overlap_axis {
        vni_vec axis;
        double low, high; ///< extent of the obstacle along it, voxel units
        double reach;     ///< half the extent of a voxel
    } * axes;             ///< the grid's first
    uint32_t axis_count, axis_capacity;
} vni_overlap;

/// Boxes and hulls. VN_UNSUPPORTED for other shapes, whose faces are not flat, or which are not convex;
/// VN_OUT_OF_MEMORY. `out` is zeroed then.
vn_status vni_overlap_make(const vn_allocator* allocator, const vn_shape* shape, vni_overlap* out,
                           vn_detail* detail);

/// A zeroed one is allowed.
void vni_overlap_free(vni_overlap* overlap);

/// Puts the obstacle where the transform says. Allocates nothing. O(axes * vertices).
void vni_overlap_place(vni_overlap* overlap, const vn_transform* transform, const vni_frame* frame);

/// Do the obstacle's interior and the voxel's meet? Touching is not meeting. The obstacle counts as larger by
/// `slack` (or smaller, if it is negative) along each axis, in voxels. O(axes).
bool vni_overlap_meets(const vni_overlap* overlap, vn_voxel voxel, double slack);

#endif
