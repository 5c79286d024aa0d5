/// live/recorded.h: the neighbours of boxes that came, written down: an advance (live/boxes.h) can be made
/// later, on another thread, when the decomposition has gone on.
#ifndef VNI_LIVE_RECORDED_H
#define VNI_LIVE_RECORDED_H

#include "live/boxes.h"

/// Lists that grow; memory is kept for the next time.
typedef struct vni_recorded {
    vni_box* boxes; ///< the neighbours of the first box, then those of the second ...
    uint32_t* ends; ///< of each box that came: where its neighbours end
    uint64_t box_capacity, end_capacity;
    uint32_t box_count, end_count;
} vni_recorded;

/// Writes down the neighbours of `came`, as the source has them now. False if memory runs out.
bool vni_recorded_fill(const vn_allocator* allocator, const vni_boxes_source* source,
                       const vn_voxel_box* came, uint32_t came_count, vni_recorded* out);

void vni_recorded_free(const vn_allocator* allocator, vni_recorded* recorded);

/// Reads them: once, in the order of the boxes that came, as an advance asks.
typedef struct vni_recorded_reader {
    const vni_recorded* recorded;
    uint32_t next; ///< begins at 0
} vni_recorded_reader;

/// Points to the reader, and moves it on.
vni_boxes_source vni_recorded_source(vni_recorded_reader* reader);

#endif
