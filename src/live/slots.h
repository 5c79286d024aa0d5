/// live/slots.h: arrays of records that change from version to version, where a record keeps its index for as
/// long as it lives and a reader keeps the version that it has pinned.
///
/// A version is a table of pointers to pages of VNI_SLOT_PAGE records for each of a few arrays. An update
/// copies the table and the pages that it writes to, and shares all others:
///
///     tables of version 7    [ A | B | C ]
///                              |   |   |
///     pages                    A   B   C   B'      B serves versions [3, 8), and is freed when none of
///                              |       |   |       these is left
///     tables of version 8    [ A | B'| C | D ]     D: the array has grown; nothing has moved
///
/// Slots that are given back form a list inside the records themselves, so that a version is all there is: an
/// update that fails is dropped, and the last version stays as it was.
///
/// One thread at a time updates (begin, write, take, give, publish, drop); any thread pins and unpins; memory
/// is taken and freed by the updating thread only. A pinned version is read without a lock.
#ifndef VNI_LIVE_SLOTS_H
#define VNI_LIVE_SLOTS_H

#include "base/assert.h"
#include "base/threads.h"

#define VNI_SLOT_PAGE   64u
#define VNI_SLOT_ARRAYS 4
#define VNI_NO_SLOT     UINT32_MAX

typedef struct vni_slot_page {
    uint64_t from;      ///< serial of the first version that has it
    uint64_t records[]; ///< VNI_SLOT_PAGE times the stride of its array, in bytes
} vni_slot_page;

/// One array in one version.
typedef struct vni_slots {
    vni_slot_page** pages;
    uint64_t page_capacity;
    uint32_t limit;  ///< indices are below this
    uint32_t live;   ///< that are taken
    uint32_t free;   ///< the head of the list of free slots, whose first 32 bits say the next; VNI_NO_SLOT
    uint32_t stride; ///< bytes of a record, a multiple of 4
} vni_slots;

typedef struct vni_slot_version {
    vni_slots arrays[VNI_SLOT_ARRAYS];
    uint64_t number;               ///< the caller's
    uint64_t serial;               ///< of the store: 1, 2, 3 ...
    uint32_t pins;                 ///< under the monitor, like `next`
    struct vni_slot_version* next; ///< the next older one, or the next spare one
} vni_slot_version;

/// A page that an update has made, or that was replaced: versions with serials in [page->from, until) have
/// it.
typedef struct vni_slot_retired {
    vni_slot_page* page;
    uint32_t stride;
    uint64_t until;
} vni_slot_retired;

/// All but `newest`, `spare`, pins and next belongs to the updating thread.
typedef struct vni_slot_store {
    vn_allocator allocator;
    uint32_t array_count;
    uint32_t strides[VNI_SLOT_ARRAYS];
#if VOLNAV_THREADS
    vni_monitor* monitor;
#endif
    vni_slot_version* newest;   ///< null before the first is published
    vni_slot_version* spare;    ///< for their tables
    vni_slot_version* building; ///< null: no update is under way
    vni_slot_retired* fresh;    ///< pages that the update has made
    vni_slot_retired* retired;  ///< the first `retired_count` for good, then those of the update
    uint64_t fresh_capacity, retired_capacity;
    uint32_t fresh_count, retired_count, replaced_count;
} vni_slot_store;

/// `strides`: bytes of a record of each array. VN_OUT_OF_MEMORY.
vn_status vni_slot_store_make(const vn_allocator* allocator, const uint32_t* strides, uint32_t array_count,
                              vni_slot_store* out);

/// A zeroed store is allowed. Nothing may be pinned.
void vni_slot_store_free(vni_slot_store* store);

/// Begins an update with a copy of the newest version's tables, or with empty arrays. False if memory runs
/// out. O(pages of all arrays), in pointers.
bool vni_slots_begin(vni_slot_store* store);

/// A record of the update, to write to; null if memory runs out. Valid until the update ends.
void* vni_slots_write(vni_slot_store* store, uint32_t array, uint32_t index);

/// Takes a slot and returns its record, with undefined content; null if memory runs out.
void* vni_slots_take(vni_slot_store* store, uint32_t array, uint32_t* index);

/// Gives a slot back. The first 32 bits of its record become the next free slot; the caller marks the rest.
/// False if memory runs out.
bool vni_slots_give(vni_slot_store* store, uint32_t array, uint32_t index);

/// Ends the update: all readers see it or none. `number` is above that of the newest version. Frees what
/// neither the new version nor a pinned one has. Cannot fail.
void vni_slots_publish(vni_slot_store* store, uint64_t number);
void vni_slots_drop(vni_slot_store* store);

/// The newest version; null if there is none. It stays valid until it is unpinned. Any thread.
const vni_slot_version* vni_slots_pin(vni_slot_store* store);
void vni_slots_unpin(vni_slot_store* store, const vni_slot_version* version);

/// Bytes of all pages and tables. On the updating thread.
size_t vni_slots_bytes(const vni_slot_store* store);

static inline const void* vni_slots_at(const vni_slots* slots, uint32_t index) {
    VNI_ASSERT(index < slots->limit);
    const vni_slot_page* page = slots->pages[index / VNI_SLOT_PAGE];
    return (const unsigned char*)page->records + (size_t)(index % VNI_SLOT_PAGE) * slots->stride;
}

#endif
