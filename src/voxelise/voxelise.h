/// voxelise/voxelise.h: turns the obstacles of a world into blocked voxels.
///
/// Rule, in the frame where voxel (i, j, k) is the cube [i, i+1] x [j, j+1] x [k, k+1]:
///   * radius 0: a volume blocks the voxels whose open cube meets its interior; a surface (triangle, flat
///     volume) blocks every voxel whose closed cube it touches, with a slack of 1e-9 voxel so that rounding
///     misses none (2^-50 of the largest coordinate for shapes that reach beyond 2^20 voxels, where doubles
///     are coarser);
///   * radius r > 0: a shape blocks exactly the voxels whose closed cube comes closer than r to it;
///   * a solid mesh also blocks the voxels whose centre lies inside it (voxelise/fill.h).
/// A voxel set with the frame's voxel size whose low corner lies on a corner of the frame's grid, up to 1e-9
/// voxel and the rounding of metres to double, counts as exactly on that grid: its cubes do not leak into
/// their neighbours.
///
/// Work is divided into 64^3 blocks. The result of a block depends on the shapes alone: the same bytes for
/// any number of workers.
#ifndef VNI_VOXELISE_VOXELISE_H
#define VNI_VOXELISE_VOXELISE_H

#include "geom/units.h"
#include "occupancy/occupancy.h"
#include "world/world.h"

/// Whether sensed voxel sets count.
typedef enum vni_sensed { VNI_WITH_SENSED, VNI_WITHOUT_SENSED, VNI_SENSED_ONLY } vni_sensed;

/// Which obstacles count, and where.
typedef struct vni_shape_filter {
    uint32_t without; ///< excludes obstacles with one of these flags
    uint32_t only;    ///< if not 0: only obstacles with one of these flags
    bool fixed;       ///< only static obstacles
    vni_sensed sensed;
    const uint8_t* blocks;       ///< if not null, by block: 0 leaves the block free
    const vn_obstacle_id* named; ///< excludes these obstacles,
    uint32_t named_count;
    bool only_named; ///< or all others
} vni_shape_filter;

static inline bool vni_filter_takes_slot(const vni_shape_filter* filter, uint32_t slot) {
    bool is_named = false;
    for (uint32_t i = 0; i < filter->named_count; ++i)
        is_named = is_named || filter->named[i].index1 == slot + 1;
    return is_named == filter->only_named;
}

static inline bool vni_obstacle_is_sensed(const vni_obstacle* obstacle) {
    return obstacle->info.kind == VN_SHAPE_VOXELS && obstacle->as.voxels.sensed;
}

static inline bool vni_filter_takes(const vni_shape_filter* filter, const vni_obstacle* obstacle) {
    uint32_t flags = obstacle->info.flags;
    return !(flags & filter->without) && (filter->only == 0 || flags & filter->only) &&
           !(filter->fixed && obstacle->motion != NULL) &&
           (filter->sensed == VNI_WITH_SENSED ||
            vni_obstacle_is_sensed(obstacle) == (filter->sensed == VNI_SENSED_ONLY));
}

/// Blocks the voxels of the filter's obstacles in an all-free occupancy. `radius` in metres. Progress stages:
/// "fill" (if there are solid meshes among them), then "voxelise". VN_OUT_OF_MEMORY, VN_CANCELLED,
/// VN_TOO_LARGE (a solid mesh with more than 2^32 crossings) leave the occupancy all free. Scratch: 64 KB
/// a worker, 16 bytes a block and obstacle, the transformed hulls, and the crossings of solid meshes.
vn_status vni_voxelise(const vn_world* world, const vni_shape_filter* filter, const vni_frame* frame,
                       double radius, const vn_jobs* jobs, vn_progress* progress, void* progress_user,
                       vni_occupancy* occupancy, vn_detail* detail);

#endif
