/// live/compare.h: what differs between two versions of a space: voxels and cells.
///
/// Versions share the blocks that did not change, so this compares pointers first, and looks into the blocks
/// that differ only: O(blocks) pointers + O(bricks and cells of the blocks that differ). It needs neither the
/// journal nor the deltas of the updates in between: any two versions of one space can be compared, whatever
/// failed on the way from one to the other.
#ifndef VNI_LIVE_COMPARE_H
#define VNI_LIVE_COMPARE_H

#include "live/slots.h"
#include "space/space.h"
#include "volnav/changes.h"

/// Lists that grow; memory is kept for the next time.
typedef struct vni_difference {
    vn_brick_change* bricks;
    vn_voxel_box* went;
    vn_voxel_box* came;
    uint64_t brick_capacity, went_capacity, came_capacity;
    uint32_t brick_count, went_count, came_count;
} vni_difference;

/// Fills the lists, block by block, chunk by chunk. Both spaces have the same dims and cells. False if memory
/// runs out.
bool vni_compare_spaces(const vn_allocator* allocator, const vn_space* before, const vn_space* after,
                        vni_difference* out);

/// All cells of a space, as came.
bool vni_list_cells(const vn_allocator* allocator, const vn_space* space, vni_difference* out);

/// Cells of a space against the boxes of a pinned version of a graph (live/boxes.h): whatever lies in
/// between. No voxels. O(boxes + cells). False if memory runs out.
bool vni_compare_boxes(const vn_allocator* allocator, const vni_slot_version* before, const vn_space* after,
                       vni_difference* out);

void vni_difference_free(const vn_allocator* allocator, vni_difference* difference);

#endif
