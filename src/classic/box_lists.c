/// classic/box_lists.c: lists of boxes that grow.
#include "classic/box_lists.h"

#include "base/alloc.h"

vni_box_lists vni_box_lists_make(const vn_allocator* allocator) {
    return (vni_box_lists){.allocator = *allocator};
}

void vni_box_lists_free(vni_box_lists* lists) {
    if (lists->went.at != NULL)
        VNI_DELETE_ARRAY(&lists->allocator, lists->went.at, lists->went.capacity);
    if (lists->came.at != NULL)
        VNI_DELETE_ARRAY(&lists->allocator, lists->came.at, lists->came.capacity);
    *lists = (vni_box_lists){0};
}

void vni_box_lists_clear(vni_box_lists* lists) {
    lists->went.count = lists->came.count = 0;
}

size_t vni_box_lists_bytes(const vni_box_lists* lists) {
    return (size_t)(lists->went.capacity + lists->came.capacity) * sizeof(vn_voxel_box);
}

static bool reserve(const vn_allocator* allocator, vni_box_list* list, uint64_t more) {
    return vni_grow(allocator, &list->at, &list->capacity, list->count + more, sizeof(vn_voxel_box));
}

bool vni_box_lists_reserve(vni_box_lists* lists, uint64_t went, uint64_t came) {
    return reserve(&lists->allocator, &lists->went, went) && reserve(&lists->allocator, &lists->came, came);
}

bool vni_box_lists_add(const vni_box_lists* lists, vni_box_list* list, const vni_box* box) {
    VNI_ASSERT(list == &lists->went || list == &lists->came);
    if (!reserve(&lists->allocator, list, 1))
        return false;

    list->at[list->count++] =
        (vn_voxel_box){{box->low[0], box->low[1], box->low[2]}, {box->high[0], box->high[1], box->high[2]}};
    return true;
}

uint32_t vni_boxes_select(vni_box* boxes, uint32_t count, const vni_box* box) {
    uint32_t selected = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (vni_box_overlaps(&boxes[i], box)) {
            const vni_box other = boxes[i];
            boxes[i] = boxes[selected];
            boxes[selected++] = other;
        }

    return selected;
}
