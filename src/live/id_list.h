/// live/id_list.h: a list of ids that grows.
#ifndef VNI_LIVE_ID_LIST_H
#define VNI_LIVE_ID_LIST_H

#include "base/alloc.h"

typedef struct vni_id_list {
    uint32_t* items;
    uint64_t capacity;
    uint32_t count;
} vni_id_list;

/// Appends to a list; false if memory runs out.
static inline bool vni_id_list_add(const vn_allocator* allocator, vni_id_list* list, uint32_t id) {
    if (list->count == list->capacity &&
        !vni_grow(allocator, &list->items, &list->capacity, (uint64_t)list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = id;
    return true;
}

static inline void vni_id_list_free(const vn_allocator* allocator, vni_id_list* list) {
    VNI_DELETE_ARRAY(allocator, list->items, list->capacity);
    *list = (vni_id_list){0};
}

#endif
