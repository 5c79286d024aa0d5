/// voxelise/stamp.h: stamps one shape, in voxel units, into the voxels of one 64^3 block. No allocation.
#ifndef VNI_VOXELISE_STAMP_H
#define VNI_VOXELISE_STAMP_H

#include "voxelise/voxelise.h"

/// Voxels [low, high) of one block that lie within the dimensions (all of them, if low is the block's
/// corner), and the block's dense brick words, indexed chunk * 64 + brick as vni_block_pack takes them.
typedef struct vni_window {
    int32_t low[3], high[3];
    uint64_t* dense;
} vni_window;

/// The window in local metres, grown by the radius (in voxels) and by far more than the rounding to float:
/// whatever blocks a voxel of the window touches this box.
vn_box vni_window_box(const vni_window* window, const vni_frame* frame, double radius);

/// A shape in voxel units, ready to be stamped.
typedef struct vni_stamp {
    vn_shape_kind kind; ///< VN_SHAPE_MESH stands for one triangle; VN_SHAPE_VOXELS does not occur
    bool surface;       ///< at radius 0 a contact blocks
    double slack;       ///< tolerance of a contact, voxels
    double bulge;       ///< hull: largest height of a vertex above a face's plane, voxels
    vni_aabb bounds;
    union {
        vni_aabb box;
        vni_obb oriented;
        struct {
            vni_vec center;
            double radius;
        } sphere;
        vni_hull hull;
        struct {
            vni_triangle triangle;
            vni_triangle_prep prep;
        } mesh;
        vni_capsule capsule;
        vni_cylinder cylinder;
    } as;
} vni_stamp;

vni_stamp vni_stamp_of_box(const vni_aabb* box, bool surface);
vni_stamp vni_stamp_of_oriented(const vni_obb* oriented, bool surface);
vni_stamp vni_stamp_of_sphere(vni_vec center, double radius, bool surface);
vni_stamp vni_stamp_of_hull(const vni_hull* hull, bool surface);
vni_stamp vni_stamp_of_triangle(const vni_triangle* triangle);

vni_stamp vni_stamp_of_capsule(const vni_capsule* capsule, bool surface);
vni_stamp vni_stamp_of_cylinder(const vni_cylinder* cylinder, bool surface);

/// A box, oriented box, sphere, capsule, cylinder or hull of the world in voxel units. `vertices`: of a hull,
/// in voxel units (vni_hull_to_frame); the stamp points to them.
vni_stamp vni_stamp_of_obstacle(const vni_obstacle* obstacle, const vni_frame* frame,
                                const vni_vec* vertices);

/// Sets the voxels of the window that the shape blocks by the rule of voxelise/voxelise.h; `radius` in
/// voxels.
void vni_stamp_shape(const vni_stamp* stamp, double radius, const vni_window* window);

/// Tests that decide many voxels at once leave those to the exact test that lie within this many slacks of
/// the boundary.
#define VNI_STAMP_MARGIN 1000.0

/// The exact test for one voxel.
bool vni_stamp_blocks_voxel(const vni_stamp* stamp, double radius, int32_t x, int32_t y, int32_t z);

/// Largest radius, in voxels, at which aligned voxel sets are dilated by runs.
#define VNI_MAX_REACH 64

/// The dilation of one voxel: the voxel at offset (dx, dy, dz) is closer than the radius exactly if |dx| <=
/// width[|dy|][|dz|] (-1: none).
typedef struct vni_reach {
    int32_t count; ///< largest offset on one axis; above VNI_MAX_REACH the table is not filled
    int8_t width[VNI_MAX_REACH + 1][VNI_MAX_REACH + 1];
} vni_reach;

/// `radius` in voxels, >= 0.
void vni_reach_make(double radius, vni_reach* out);

/// Sets the voxels of the window that the set blocks. `radius` in voxels, `reach` made from it, `rows`
/// scratch of 4096 words. Also sets voxels beyond the dimensions, and some that it blocks beyond the window.
void vni_stamp_set(const vni_voxels* set, const vni_frame* frame, double radius, const vni_reach* reach,
                   const vni_window* window, uint64_t* rows);

/// Bits of the brick with low voxel (x, y, z) that lie within the dimensions; 0 if none do.
static inline uint64_t vni_brick_within(const int32_t dims[3], int32_t x, int32_t y, int32_t z) {
    int32_t rest_x = dims[0] - x, rest_y = dims[1] - y, rest_z = dims[2] - z;
    if (rest_x >= 4 && rest_y >= 4 && rest_z >= 4)
        return ~(uint64_t)0;
    if (rest_x <= 0 || rest_y <= 0 || rest_z <= 0)
        return 0;

    return vni_brick_span(0, rest_x < 4 ? rest_x - 1 : 3, 0, rest_y < 4 ? rest_y - 1 : 3, 0,
                          rest_z < 4 ? rest_z - 1 : 3);
}

/// Index in a block's dense words of the brick that contains a voxel.
static inline uint32_t vni_dense_index(int32_t x, int32_t y, int32_t z) {
    return vni_chunk_of(x, y, z) * 64 + vni_brick_of(x, y, z);
}

#endif
