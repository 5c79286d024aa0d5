/// dynamic/cover.c: counts how many moving obstacles cover each voxel, in bricks that exist only where there
/// are any.
#include "base/alloc.h"
#include "base/bits.h"
#include "dynamic/dynamic_inside.h"

#include <string.h>

#define NO_SLOT UINT32_MAX

vni_cover vni_cover_make(const vn_allocator* allocator) {
    vni_cover cover;
    memset(&cover, 0, sizeof cover);
    cover.allocator = *allocator;
    cover.slots = vni_map_make(allocator);
    cover.free_slot = NO_SLOT;
    return cover;
}

void vni_cover_free(vni_cover* cover) {
    if (cover->allocator.alloc == NULL)
        return;
    vni_map_destroy(&cover->slots);
    for (uint32_t i = 0; i < cover->page_count; ++i)
        VNI_DELETE_ARRAY(&cover->allocator, cover->pages[i], VNI_COVER_PAGE);

    VNI_DELETE_ARRAY(&cover->allocator, cover->pages, cover->page_capacity);
    memset(cover, 0, sizeof *cover);
}

static bool add_page(vni_cover* cover) {
    if (!vni_grow(&cover->allocator, &cover->pages, &cover->page_capacity, (uint64_t)cover->page_count + 1,
                  sizeof *cover->pages))
        return false;
    vni_cover_brick* page = VNI_NEW_ARRAY(&cover->allocator, vni_cover_brick, VNI_COVER_PAGE);
    if (page == NULL)
        return false;
    cover->pages[cover->page_count++] = page;
    return true;
}

bool vni_cover_reserve(vni_cover* cover, uint32_t more) {
    bool ok = vni_map_reserve(&cover->slots, cover->slots.count + more);
    while (ok && (uint64_t)cover->page_count * VNI_COVER_PAGE < (uint64_t)cover->used + more)
        ok = add_page(cover);
    return ok;
}

static vni_cover_brick* at_slot(const vni_cover* cover, uint32_t slot) {
    VNI_ASSERT(slot / VNI_COVER_PAGE < cover->page_count);
    return &cover->pages[slot / VNI_COVER_PAGE][slot % VNI_COVER_PAGE];
}

/// A slot for a brick, all counts 0: from the free list, or at the end.
static uint32_t take_slot(vni_cover* cover) {
    uint32_t slot = cover->free_slot;
    if (slot == NO_SLOT)
        slot = cover->used++;
    else
        cover->free_slot = (uint32_t)at_slot(cover, slot)->bits;

    memset(at_slot(cover, slot), 0, sizeof(vni_cover_brick));
    return slot;
}

/// The brick with this key; added if there is none.
static vni_cover_brick* brick_at(vni_cover* cover, uint64_t key) {
    uint32_t* slot = vni_map_find(&cover->slots, key);
    if (slot != NULL)
        return at_slot(cover, *slot);

    uint32_t taken = take_slot(cover);
    bool put = vni_map_put(&cover->slots, key, taken);
    VNI_ASSERT(put); // it was reserved
    (void)put;
    return at_slot(cover, taken);
}

/// Removes a brick without cover; its slot joins the free list.
static void drop(vni_cover* cover, uint64_t key) {
    uint32_t slot = *vni_map_find(&cover->slots, key);
    vni_map_remove(&cover->slots, key);
    at_slot(cover, slot)->bits = cover->free_slot;
    cover->free_slot = slot;
}

void vni_cover_change(vni_cover* cover, uint64_t key, uint64_t removed, uint64_t added) {
    VNI_ASSERT((removed & added) == 0);

    vni_cover_brick* brick = brick_at(cover, key);
    for (uint64_t left = added; left; left &= left - 1)
        ++brick->counts[vni_lowest_bit(left)];

    brick->bits |= added;
    for (uint64_t left = removed; left; left &= left - 1) {
        uint32_t bit = vni_lowest_bit(left);
        VNI_ASSERT(brick->counts[bit] > 0);
        if (--brick->counts[bit] == 0)
            brick->bits &= ~((uint64_t)1 << bit);
    }

    if (brick->bits == 0)
        drop(cover, key);
}

uint64_t vni_cover_bits(const vni_cover* cover, uint64_t key) {
    const uint32_t* slot = vni_map_find(&cover->slots, key);
    return slot != NULL ? at_slot(cover, *slot)->bits : 0;
}

uint32_t vni_cover_count(const vni_cover* cover, uint64_t key, uint32_t bit) {
    const uint32_t* slot = vni_map_find(&cover->slots, key);
    return slot != NULL ? at_slot(cover, *slot)->counts[bit] : 0;
}
