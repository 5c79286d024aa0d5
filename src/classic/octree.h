/// classic/octree.h: the free voxels as the leaves of an octree (Albertini 2022 ch. 2 to 4, Massonnat
/// 2023 3.2).
///
/// A tree of cubes over the occupancy, or several trees side by side where the space is no cube (Massonnat
/// 2023 ch. 7). What counts of a cube is its part inside the space: a cube is split while that part is
/// neither free nor blocked throughout and it is not yet at the greatest depth, and anyway above the least
/// depth; a cube at the greatest depth that is not free throughout counts as blocked. Branches without a leaf
/// are left out. Regions that nothing can reach, such as the insides of meshes, are closed when the space is
/// baked.
///
/// A leaf is a free cube, cut to the space: so leaves at the rim may be flatter than their edge, and none
/// reaches out. Without limits of depth the leaves hold every free voxel once.
///
/// Leaves are numbered by root (x fastest), then in Morton order (x lowest): canonical. Immutable once made;
/// any number of threads may read it.
#ifndef VNI_CLASSIC_OCTREE_H
#define VNI_CLASSIC_OCTREE_H

#include "geom/box.h"
#include "occupancy/occupancy.h"

#define VNI_NO_LEAF UINT32_MAX

/// A tree may not have more nodes than this, nor a space more roots.
#define VNI_OCTREE_MAX_NODES (1u << 28)
#define VNI_OCTREE_MAX_ROOTS 4096

/// No tree is deeper: the edge of a root is 2^20 voxels at the most.
#define VNI_OCTREE_MAX_LEVELS 20

typedef enum vni_octree_root {
    VNI_ROOT_CUBE, ///< one cube, the least power of two that holds the space
    VNI_ROOT_GCD   ///< cubes side by side: the sides of the space are rounded up to multiples of the least
                   ///< power of two that holds the shortest of them; this power is then their greatest common
    ///< divisor, and the edge of the roots (of a flat space a greater one, so that there are no
    ///< more than VNI_OCTREE_MAX_ROOTS)
} vni_octree_root;

typedef struct vni_octree_def {
    vni_octree_root root;
    uint32_t min_depth; ///< every leaf is at least this deep; at most the depth at which cubes are voxels
    uint32_t max_depth; ///< and at most this; UINT32_MAX, like all beyond the voxel: down to the voxel. min =
                        ///< max is a grid
} vni_octree_def;

/// A node: eight children in a row, x lowest, or none.
typedef struct vni_octree_node {
    uint32_t children; ///< index of the first of eight; 0: a leaf, blocked, or outside the space
    uint32_t leaf;     ///< number of the free leaf; VNI_NO_LEAF
} vni_octree_node;

typedef struct vni_octree {
    vn_allocator allocator;
    const vni_occupancy* occupancy; ///< must outlive the tree
    vni_octree_node* nodes;         ///< the roots first, x fastest
    uint64_t* codes;                ///< by leaf; see vni_octree_code
    uint32_t node_count, leaf_count;
    int32_t roots[3];   ///< trees along each axis
    int32_t root_edge;  ///< voxels; the edge at depth d is root_edge >> d
    uint32_t levels;    ///< root_edge == 1 << levels
    uint32_t max_depth; ///< that leaves may have; at most `levels`
    uint32_t deepest;   ///< that a leaf has; 0 if there is none
} vni_octree;

/// VN_TOO_LARGE (nodes), VN_BAD_ARGUMENT (depths), VN_OUT_OF_MEMORY: then `out` is zeroed. O(blocks * levels
/// + nodes): what is all free or all blocked is leapt over.
vn_status vni_octree_make(const vn_allocator* allocator, const vni_occupancy* occupancy,
                          const vni_octree_def* def, vni_octree* out, vn_detail* detail);

/// The roots alone, without a leaf, as if everything were blocked. Errors as above.
vn_status vni_octree_make_empty(const vn_allocator* allocator, const vni_occupancy* occupancy,
                                const vni_octree_def* def, vni_octree* out, vn_detail* detail);

/// The same tree from its codes, in order, which are not believed: VN_BAD_FORMAT unless they are those that
/// vni_octree_make gives. def->max_depth must be no limit. O(leaves * depth). Other errors as above.
vn_status vni_octree_from_codes(const vn_allocator* allocator, const vni_occupancy* occupancy,
                                const vni_octree_def* def, const uint64_t* codes, uint32_t count,
                                vni_octree* out, vn_detail* detail);

/// A zeroed tree is allowed.
void vni_octree_free(vni_octree* tree);
size_t vni_octree_bytes(const vni_octree* tree);

/// Location code of the cube with this low corner and an edge of 1 << level: the octants that lead down from
/// far above the roots, three bits each (z y x), then a 1 that marks the end, then zeros. So codes sort in
/// Morton order, codes of cubes that hold one another share their front, and the neighbour of equal size is
/// found by flipping bits of one axis.
uint64_t vni_octree_code(const int32_t low[3], uint32_t level);

/// The reverse; returns the level. Codes are never 0.
uint32_t vni_octree_decode(uint64_t code, int32_t low[3]);

/// The code of the neighbour of equal size across the face `direction` (0 .. 5: -x +x -y +y -z +z), wherever
/// that is; 0 if it lies below zero.
uint64_t vni_octree_code_beside(uint64_t code, uint32_t direction);

/// The cube with this code, and that of a leaf, cut to the space.
vni_box vni_octree_code_box(const vni_octree* tree, uint64_t code);
vni_box vni_octree_leaf_box(const vni_octree* tree, uint32_t leaf);

/// The leaf that holds a voxel; VNI_NO_LEAF if it is in none, or outside. O(depth).
uint32_t vni_octree_leaf_at(const vni_octree* tree, vn_voxel voxel);

/// The node of the cube with this code; if the tree ends above it, the node where it does. UINT32_MAX if the
/// cube lies outside the space. `*level` is that of the node. O(depth).
uint32_t vni_octree_node_at(const vni_octree* tree, uint64_t code, uint32_t* level);

/// Visits the leaves that share a part of a face with the leaf across its face `direction`, as in
/// vni_octree_code_beside: one of equal or larger size, or all smaller ones, in order of their numbers. Stops
/// when `visit` returns false.
typedef bool vni_visit_leaf(void* user, uint32_t leaf);
void vni_octree_visit_neighbours(const vni_octree* tree, uint32_t leaf, uint32_t direction,
                                 vni_visit_leaf* visit, void* user);

/// Visits the leaves that have voxels in the region, in the order of roots and codes. Stops when `visit`
/// returns false, and returns false then. O(leaves visited * depth).
bool vni_octree_visit_in(const vni_octree* tree, const vni_box* region, vni_visit_leaf* visit, void* user);

/// The leaf whose closed box is nearest to the point, wherever that lies (inside an obstacle, outside the
/// space); ties go to the lower root, then the lower code. Squared distance in lattice steps if `distance2`
/// is not null; which leaf it is is decided in integers. VNI_NO_LEAF if there are no leaves. Branch and bound
/// from the roots.
uint32_t vni_octree_nearest(const vni_octree* tree, vn_point point, double* distance2);

#endif
