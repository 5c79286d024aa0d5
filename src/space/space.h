/// space/space.h: a vn_space: the baked voxels and cells of a world for one kind of agent, and where they
/// lie.
#ifndef VNI_SPACE_SPACE_H
#define VNI_SPACE_SPACE_H

#include "cells/cells.h"
#include "geom/vec.h"
#include "occupancy/occupancy.h"
#include "volnav/space.h"

struct vn_space {
    vn_allocator allocator;
    vni_occupancy occupancy;
    vni_cells cells; ///< all zero if the space was baked without
    vn_dvec3 origin; ///< the world's
    vn_dvec3 low;    ///< low corner of voxel (0, 0, 0) relative to origin
    float resolution, radius;
    uint32_t open_flags; ///< obstacles with one of these flags were left out
    vn_unknown_policy unknown_policy;

    /// VN_UNKNOWN_REFUSED: marks as *blocked* the voxels that only unknown space blocks, a subset of those
    /// blocked in `occupancy`. All zero if there are none.
    vni_occupancy unknown;

    /// Label + 1 of the one component in which points count as free; VNI_NO_REGION: in none; 0: in all.
    /// Voxels, sight and rays are not affected. Only a space with cells has one.
    uint32_t region;
};

#define VNI_NO_REGION UINT32_MAX

/// Blocked voxels that count as free for one agent: those that its own obstacles alone block.
typedef struct vni_body {
    bool (*holds)(const void* user, vn_voxel voxel);
    const void* user;
} vni_body;

static inline bool vni_space_has_cells(const vn_space* space) {
    return space->cells.table != NULL;
}

static inline bool vni_space_has_unknown(const vn_space* space) {
    return space->unknown.table != NULL;
}

/// Obstacles with one of these flags were left out of the bake.
static inline uint32_t vni_space_without(const vn_space* space) {
    return space->open_flags | (space->unknown_policy == VN_UNKNOWN_FREE ? VN_FLAG_UNKNOWN : 0);
}

/// The voxels that touch a point: 1 inside a voxel, 2 on a face, 4 on an edge, 8 on a corner; that of
/// vn_space_voxel_at first. Some may lie outside the space. Returns their number.
uint32_t vni_voxels_around(vn_point point, vn_voxel out[8]);

/// The lattice point nearest to a position in voxel units, inside the space or not; vn_point_outside if the
/// lattice does not reach that far.
vn_point vni_nearest_point(vni_vec v);

/// Lets both occupancies share a block wherever everything blocked in it is unknown. The memory of a space
/// then follows from its voxels, whether it was baked, cut to a region or loaded.
void vni_space_share_unknown(vn_space* space);

/// Checks that every unknown voxel is blocked; both occupancies are valid. VN_OK or VN_BAD_DATA.
vn_status vni_space_validate_unknown(const vn_space* space, vn_detail* detail);

/// Makes a space that shares all blocks, cells and seams with `from`, and has its own tables. Either may be
/// destroyed first: the last one frees what they share, so that both allocators must lead to the same memory.
/// Null if memory runs out. Any thread.
vn_space* vni_space_share(const vn_space* from, const vn_allocator* allocator);

/// Is a free voxel in the space's region?
bool vni_space_region_holds(const vn_space* space, vn_voxel voxel);

static inline bool vni_space_in_region(const vn_space* space, vn_voxel voxel) {
    return space->region == 0 || vni_space_region_holds(space, voxel);
}

/// The region, which the space has, as components. No component bears the label of VNI_NO_REGION.
static inline vni_components vni_space_region_components(const vn_space* space) {
    VNI_ASSERT(space->region != 0);
    return (vni_components){{space->region - 1}, 1};
}

/// A free voxel of the region that touches the point, that of vn_space_voxel_at if it is free. False if there
/// is none.
bool vni_space_free_voxel_at(const vn_space* space, vn_point point, vn_voxel* out);

/// The components of the free voxels that touch a point, each once; none if the point is not free. The space
/// has cells.
vni_components vni_space_components_at(const vn_space* space, vn_point point);

/// The first pair of free voxels that touch a and b and lie in the same region. False, with nothing written,
/// if there is none. The space has cells.
bool vni_space_join(const vn_space* space, vn_point a, vn_point b, vn_voxel* voxel_a, vn_voxel* voxel_b);

#endif
