/// live/held.c: a row of held records.
#include "live/held.h"
#include "base/alloc.h"
#include "base/assert.h"

bool vni_held_make(const vn_allocator* allocator, vni_ring* ring, vni_held* out) {
    *out = (vni_held){.ring = ring};
    out->items = VNI_NEW_ARRAY(allocator, const vni_ring_item*, ring->history);
    return out->items != NULL;
}

void vni_held_free(const vn_allocator* allocator, vni_held* held) {
    if (held->items == NULL)
        return;
    vni_held_release(held);
    VNI_DELETE_ARRAY(allocator, held->items, held->ring->history);
    *held = (vni_held){0};
}

void vni_held_release(vni_held* held) {
    for (uint32_t i = 0; i < held->count; ++i)
        vni_ring_release(held->ring, held->items[i]);
    held->count = 0;
    held->from = held->to = 0;
}

vn_status vni_held_take(vni_held* held, uint64_t from, uint64_t to) {
    VNI_ASSERT(from <= to);
    vni_held_release(held);

    // once the first one is held, the ring has had all of the others
    for (uint64_t at = from; at < to;) {
        const vni_ring_item* item = NULL;
        const bool fits = held->count < held->ring->history;
        if (!fits || vni_ring_hold_after(held->ring, at, &item) != VN_OK) {
            vni_held_release(held);
            return VN_STALE;
        }
        held->items[held->count++] = item;
        at = item->version;
    }

    held->from = from;
    held->to = to;
    return VN_OK;
}

vn_status vni_held_find(const vni_held* held, uint64_t version, const vni_ring_item** out) {
    *out = NULL;
    if (version <= held->from || version > held->to)
        return VN_STALE;
    for (uint32_t i = 0; i < held->count; ++i)
        if (held->items[i]->version == version)
            *out = held->items[i];
    return VN_OK;
}
