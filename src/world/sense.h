/// world/sense.h: changes of sensed voxel sets: batches of a sensor, brought into order, brick by brick.
#ifndef VNI_WORLD_SENSE_H
#define VNI_WORLD_SENSE_H

#include "world/world.h"

/// The grid of a voxel set; a size of 0: none.
typedef struct vni_map_grid {
    vn_vec3 low;
    float size;
    vn_voxel dims;
} vni_map_grid;

/// That of a sensed voxel set; none for other obstacles.
vni_map_grid vni_sensed_grid(const vni_obstacle* obstacle);

/// What happens to the voxels of one brick; no voxel is in both.
typedef struct vni_voxel_edit {
    uint64_t key; ///< as in vni_voxel_brick
    uint64_t clear, set;
} vni_voxel_edit;

/// Ascending by key, without duplicates.
typedef struct vni_edits {
    vni_voxel_edit* items;
    uint32_t count, capacity;
} vni_edits;

void vni_edits_free(const vn_allocator* allocator, vni_edits* edits);

/// A batch as two lists. Statuses and `outside` (not null) as vn_world_sense, except for ids; on failure both
/// lists are empty. `origin` is the world's.
vn_status vni_sense_read(const vn_allocator* allocator, const vn_sense_batch* batch, const vni_map_grid* grid,
                         vn_dvec3 origin, vni_edits* occupied, vni_edits* unknown, uint32_t* outside,
                         vn_detail* detail);

/// Checks the sets of a batch; `unknown` may be null. The caller has checked that they exist.
vn_status vni_sense_check(const vn_sense_batch* batch, const vni_map_grid* occupied,
                          const vni_map_grid* unknown, vn_detail* detail);

/// `first`, then `then`, as one list in `then`. False if memory runs out, with nothing changed.
bool vni_edits_join(const vn_allocator* allocator, const vni_edits* first, vni_edits* then);

/// Box around the voxels that the list sets, local metres; false if there are none.
bool vni_edits_bounds(const vni_edits* edits, const vni_map_grid* grid, vn_box* out);

/// Makes capacity for vni_world_edit with these edits. False if memory runs out.
bool vni_world_reserve_edit(vn_world* world, uint32_t slot, const vni_edits* edits);

/// Changes a sensed set, and notes the bricks that differ. There must be capacity. O(edits log bricks), and
/// a move of its bricks if some come or go.
void vni_world_edit(vn_world* world, uint32_t slot, const vni_edits* edits);

#endif
