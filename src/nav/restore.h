/// nav/restore.h: gives the sensed sets of a world the voxels that a saved nav had.
#ifndef VNI_NAV_RESTORE_H
#define VNI_NAV_RESTORE_H

#include "space/layers.h"

/// What the sets had before.
typedef struct vni_restored {
    const vni_saved_set* saved;
    vni_obstacle* before; ///< one for each of the `count` sets
    uint32_t count;
} vni_restored;

/// Replaces the voxels of these sets. VN_STALE: a slot without a sensed set, or voxels outside its grid.
/// VN_OUT_OF_MEMORY. On failure nothing has changed.
vn_status vni_world_restore(vn_world* world, const vni_saved_set* saved, uint32_t count, vni_restored* out,
                            vn_detail* detail);

/// Keeps the new voxels, or puts back those before; frees the others.
void vni_world_end_restore(vn_world* world, vni_restored* restored, bool keep);

#endif
