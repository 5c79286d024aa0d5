/// live/recorded.c: neighbours, written down and read again.
#include "live/recorded.h"
#include "base/alloc.h"
#include "base/assert.h"

/// Writing.
typedef struct pen {
    const vn_allocator* allocator;
    vni_recorded* out;
} pen;

static bool write_box(void* user, const vni_box* box) {
    const pen* p = (const pen*)user;
    vni_recorded* out = p->out;
    if (out->box_count == out->box_capacity && !vni_grow(p->allocator, &out->boxes, &out->box_capacity,
                                                         (uint64_t)out->box_count + 1, sizeof *out->boxes))
        return false;
    out->boxes[out->box_count++] = *box;
    return true;
}

bool vni_recorded_fill(const vn_allocator* allocator, const vni_boxes_source* source,
                       const vn_voxel_box* came, uint32_t came_count, vni_recorded* out) {
    out->box_count = out->end_count = 0;
    if (!vni_grow(allocator, &out->ends, &out->end_capacity, came_count, sizeof *out->ends))
        return false;

    pen p = {allocator, out};
    for (uint32_t i = 0; i < came_count; ++i) {
        const vni_box box = vni_box_of(came[i]);
        if (!source->neighbours(source->self, &box, write_box, &p))
            return false;
        out->ends[out->end_count++] = out->box_count;
    }

    return true;
}

void vni_recorded_free(const vn_allocator* allocator, vni_recorded* recorded) {
    VNI_DELETE_ARRAY(allocator, recorded->boxes, recorded->box_capacity);
    VNI_DELETE_ARRAY(allocator, recorded->ends, recorded->end_capacity);
    *recorded = (vni_recorded){0};
}

static bool visit_next(const void* self, const vni_box* box, vni_visit_box* visit, void* user) {
    vni_recorded_reader* reader = (vni_recorded_reader*)(uintptr_t)self; // the caller's, see the header
    const vni_recorded* recorded = reader->recorded;
    VNI_ASSERT(reader->next < recorded->end_count);
    (void)box;

    const uint32_t at = reader->next++;
    for (uint32_t i = at > 0 ? recorded->ends[at - 1] : 0; i < recorded->ends[at]; ++i)
        if (!visit(user, &recorded->boxes[i]))
            return false;
    return true;
}

vni_boxes_source vni_recorded_source(vni_recorded_reader* reader) {
    return (vni_boxes_source){reader, visit_next};
}
