/// dynamic/cover.c: counts how many moving obstacles cover each voxel, in bricks that exist only where there
/// are any.
#include "base/alloc.h"
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
    const uint32_t before = cover->page_count;
    bool ok = vni_map_reserve(&cover->slots, cover->slots.count + more);

    // twice: a brick whose counts overflow takes a second slot
    while (ok && (uint64_t)cover->page_count * VNI_COVER_PAGE < (uint64_t)cover->used + 2 * (uint64_t)more)
        ok = add_page(cover);

    // what did not suffice is not kept: others may need it
    while (!ok && cover->page_count > before) {
        --cover->page_count;
        VNI_DELETE_ARRAY(&cover->allocator, cover->pages[cover->page_count], VNI_COVER_PAGE);
    }

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

    *at_slot(cover, slot) = (vni_cover_brick){.more = NO_SLOT};
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

/// Removes a brick without cover; its slots join the free list.
static void drop(vni_cover* cover, uint64_t key) {
    uint32_t slot = *vni_map_find(&cover->slots, key);
    vni_map_remove(&cover->slots, key);
    while (slot != NO_SLOT) {
        vni_cover_brick* brick = at_slot(cover, slot);
        const uint32_t more = brick->more;
        brick->bits = cover->free_slot;
        cover->free_slot = slot;
        slot = more;
    }
}

/// Adds 1 to the counts of these voxels: what a plane carries goes to the next one.
static void add(vni_cover* cover, vni_cover_brick* brick, uint64_t carry) {
    for (;;) {
        brick->bits |= carry;
        for (uint32_t i = 0; i < VNI_COVER_PLANES && carry != 0; ++i) {
            const uint64_t next = brick->planes[i] & carry;
            brick->planes[i] ^= carry;
            carry = next;
        }

        if (carry == 0)
            return;
        if (brick->more == NO_SLOT)
            brick->more = take_slot(cover); // it was reserved; bricks do not move
        brick = at_slot(cover, brick->more);
    }
}

/// Takes 1 from the counts of these voxels, none of which is 0. Returns the voxels whose count is not 0.
static uint64_t subtract(vni_cover* cover, vni_cover_brick* brick, uint64_t borrow) {
    uint64_t some = 0;
    for (;;) {
        for (uint32_t i = 0; i < VNI_COVER_PLANES; ++i) {
            const uint64_t next = ~brick->planes[i] & borrow;
            brick->planes[i] ^= borrow;
            some |= brick->planes[i];
            borrow = next;
        }

        if (brick->more == NO_SLOT)
            break;
        brick = at_slot(cover, brick->more);
    }

    VNI_ASSERT(borrow == 0);
    return some;
}

void vni_cover_change(vni_cover* cover, uint64_t key, uint64_t removed, uint64_t added) {
    VNI_ASSERT((removed & added) == 0);

    vni_cover_brick* brick = brick_at(cover, key);
    add(cover, brick, added);
    if (removed != 0)
        brick->bits = subtract(cover, brick, removed);

    if (brick->bits == 0)
        drop(cover, key);
}

uint64_t vni_cover_bits(const vni_cover* cover, uint64_t key) {
    const uint32_t* slot = vni_map_find(&cover->slots, key);
    return slot != NULL ? at_slot(cover, *slot)->bits : 0;
}

uint32_t vni_cover_count(const vni_cover* cover, uint64_t key, uint32_t bit) {
    const uint32_t* first = vni_map_find(&cover->slots, key);
    uint32_t count = 0, plane = 0;
    for (uint32_t slot = first != NULL ? *first : NO_SLOT; slot != NO_SLOT; slot = at_slot(cover, slot)->more)
        for (uint32_t i = 0; i < VNI_COVER_PLANES; ++i)
            count |= (uint32_t)(at_slot(cover, slot)->planes[i] >> bit & 1) << plane++;
    return count;
}
