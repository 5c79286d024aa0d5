/// live/ring.c: records by version, newest first.
#include "live/ring.h"
#include "base/alloc.h"
#include "base/assert.h"

#include <string.h>

static void enter(vni_ring* ring) {
#if VOLNAV_THREADS
    vni_monitor_enter(ring->monitor);
#else
    (void)ring;
#endif
}

static void leave(vni_ring* ring) {
#if VOLNAV_THREADS
    vni_monitor_leave(ring->monitor);
#else
    (void)ring;
#endif
}

vn_status vni_ring_make(const vn_allocator* allocator, uint32_t history, size_t item_size,
                        void (*free_item)(const vn_allocator* allocator, vni_ring_item* item),
                        vni_ring* out) {
    VNI_ASSERT(history >= 1 && item_size >= sizeof(vni_ring_item));

    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
    out->history = history;
    out->item_size = item_size;
    out->free_item = free_item;
#if VOLNAV_THREADS
    out->monitor = vni_monitor_create(allocator);
    if (out->monitor == NULL)
        return VN_OUT_OF_MEMORY;
#endif

    return VN_OK;
}

static void free_items(vni_ring* ring, vni_ring_item* first) {
    while (first != NULL) {
        vni_ring_item* item = first;
        first = item->next;
        ring->free_item(&ring->allocator, item);
        vni_free(&ring->allocator, item, 1, ring->item_size);
    }
}

void vni_ring_free(vni_ring* ring) {
    if (ring->history == 0)
        return;
    free_items(ring, ring->newest);
    free_items(ring, ring->spare);
#if VOLNAV_THREADS
    if (ring->monitor != NULL)
        vni_monitor_destroy(&ring->allocator, ring->monitor);
#endif
    memset(ring, 0, sizeof *ring);
}

vni_ring_item* vni_ring_take(vni_ring* ring) {
    enter(ring);
    vni_ring_item* item = ring->spare;
    if (item != NULL)
        ring->spare = item->next;
    leave(ring);
    return item != NULL ? item : (vni_ring_item*)vni_alloc_zero(&ring->allocator, 1, ring->item_size);
}

void vni_ring_put_back(vni_ring* ring, vni_ring_item* item) {
    enter(ring);
    item->next = ring->spare;
    ring->spare = item;
    leave(ring);
}

/// One reference less; the last one makes it a spare one. Monitor held. It is in no list if it is held by
/// readers alone: the ring gave up its own reference when it dropped it.
static void let_go(vni_ring* ring, vni_ring_item* item) {
    VNI_ASSERT(item->references > 0);
    if (--item->references > 0)
        return;
    item->next = ring->spare;
    ring->spare = item;
}

void vni_ring_push(vni_ring* ring, vni_ring_item* item, uint64_t version) {
    item->version = version;
    item->references = 1;
    enter(ring);
    VNI_ASSERT(ring->newest == NULL || version > ring->newest->version);
    item->next = ring->newest;
    ring->newest = item;
    ++ring->count;

    // the oldest one leaves
    if (ring->count > ring->history) {
        vni_ring_item** at = &ring->newest;
        while ((*at)->next != NULL)
            at = &(*at)->next;
        vni_ring_item* oldest = *at;
        *at = NULL;
        --ring->count;
        ring->dropped = oldest->version;
        let_go(ring, oldest);
    }

    leave(ring);
}

vn_status vni_ring_hold(vni_ring* ring, uint64_t version, const vni_ring_item** out) {
    *out = NULL;
    enter(ring);
    const uint64_t newest = ring->newest != NULL ? ring->newest->version : 0;
    vni_ring_item* item = ring->newest;
    while (item != NULL && item->version > version)
        item = item->next;

    const bool found = item != NULL && item->version == version;
    if (found)
        ++item->references;
    leave(ring);

    *out = found ? item : NULL;
    if (found)
        return VN_OK;
    return version == 0 || version > newest ? VN_BAD_ARGUMENT : VN_STALE;
}

vn_status vni_ring_hold_after(vni_ring* ring, uint64_t version, const vni_ring_item** out) {
    *out = NULL;
    enter(ring);
    vni_ring_item* item = ring->newest;
    const bool is_behind = item != NULL && item->version > version;
    while (is_behind && item->next != NULL && item->next->version > version)
        item = item->next;

    // the oldest record leads on from the one that left before it, or from the first version
    const bool found = is_behind && (item->next != NULL || ring->dropped <= version);
    if (found)
        ++item->references;
    leave(ring);

    *out = found ? item : NULL;
    if (found)
        return VN_OK;
    return is_behind ? VN_STALE : VN_BAD_ARGUMENT;
}

void vni_ring_release(vni_ring* ring, const vni_ring_item* item) {
    enter(ring);
    let_go(ring, (vni_ring_item*)(uintptr_t)item); // readers hold it as const; the count is the ring's
    leave(ring);
}
