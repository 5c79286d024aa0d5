/// live/slots.h: arrays of records that change from version to version, where a record keeps its index for as
/// long as it lives and a reader keeps the version that it has pinned.
///
/// A version is, for each of a few arrays, a tree of three levels: a root, nodes of 32 pages, pages of 16
/// records. An update copies the roots, and the nodes and pages that it writes to; all others are shared:
///
///     root of version 7    [ a | b ]
///     nodes                  a   b   b'            b serves versions [3, 8), and is used again when none of
///                            |   |   |             these is left
///     root of version 8    [ a | b']
///
/// Which slots are taken is written in the pages themselves, so that a version is all there is: an update
/// that fails is dropped, and the last version stays as it was. Growing moves nothing.
///
/// One thread at a time updates (begin, write, take, give, publish, drop); any thread pins and unpins; memory
/// is taken and freed by the updating thread only. A pinned version is read without a lock.
#ifndef VNI_LIVE_SLOTS_H
#define VNI_LIVE_SLOTS_H

#include "base/assert.h"
#include "base/threads.h"

#define VNI_SLOT_SHIFT  4u
#define VNI_SLOT_PAGE   16u ///< records of a page: what a change copies
#define VNI_NODE_SHIFT  5u
#define VNI_NODE_PAGES  32u ///< pages of a node
#define VNI_SLOT_ARRAYS 4
#define VNI_NO_SLOT     UINT32_MAX

/// The head of a page or node. Readers do not look at it.
typedef struct vni_slot_head {
    uint64_t from, until;       ///< serials of the versions that have it: [from, until), if it was replaced
    struct vni_slot_head* next; ///< in a list of the store or of a version
    uint32_t kind;              ///< array of the page; VNI_SLOT_ARRAYS: a node
} vni_slot_head;

/// 16 records. `next` and `is_open` belong to the list of pages with many free slots.
typedef struct vni_slot_page {
    vni_slot_head head;
    uint32_t used; ///< slots that are taken, as bits
    uint32_t next; ///< page, or VNI_NO_SLOT
    uint32_t is_open, unused;
    uint64_t records[];
} vni_slot_page;

typedef struct vni_slot_node {
    vni_slot_head head;
    vni_slot_page* pages[VNI_NODE_PAGES];
} vni_slot_node;

/// One array in one version.
typedef struct vni_slots {
    vni_slot_node** nodes;
    uint64_t node_capacity;
    uint32_t page_count;
    uint32_t limit;  ///< indices are below this: 16 * page_count
    uint32_t live;   ///< that are taken
    uint32_t open;   ///< the first page with many free slots, or VNI_NO_SLOT
    uint32_t stride; ///< bytes of a record, a multiple of 4
} vni_slots;

typedef struct vni_slot_version {
    vni_slots arrays[VNI_SLOT_ARRAYS];
    uint64_t number;               ///< the caller's
    uint64_t serial;               ///< of the store: 1, 2, 3 ...
    uint32_t pins;                 ///< under the monitor, like `next`
    struct vni_slot_version* next; ///< the next older one, or the next spare one
    vni_slot_head* held; ///< what was replaced, and stays because this one has it; the updating thread's
} vni_slot_version;

/// All but `newest`, `spare`, pins and next belongs to the updating thread.
typedef struct vni_slot_store {
    vn_allocator allocator;
    uint32_t array_count;
    uint32_t strides[VNI_SLOT_ARRAYS];
#if VOLNAV_THREADS
    vni_monitor* monitor;
#endif
    vni_slot_version* newest;                   ///< null before the first is published
    vni_slot_version* spare;                    ///< for their tables
    vni_slot_version* building;                 ///< null: no update is under way
    vni_slot_head* fresh;                       ///< made by the update
    vni_slot_head* replaced;                    ///< by the update
    vni_slot_head* spares[VNI_SLOT_ARRAYS + 1]; ///< to use again, by kind
    uint64_t bytes;                             ///< of all pages and nodes
} vni_slot_store;

/// `strides`: bytes of a record of each array. VN_OUT_OF_MEMORY.
vn_status vni_slot_store_make(const vn_allocator* allocator, const uint32_t* strides, uint32_t array_count,
                              vni_slot_store* out);

/// A zeroed store is allowed. Nothing may be pinned.
void vni_slot_store_free(vni_slot_store* store);

/// Begins an update with a copy of the newest version's roots, or with empty arrays. False if memory runs
/// out. O(slots / 512).
bool vni_slots_begin(vni_slot_store* store);

/// A record of the update, to write to; null if memory runs out. Valid until the update ends.
void* vni_slots_write(vni_slot_store* store, uint32_t array, uint32_t index);

/// Takes a slot and returns its record, with undefined content; null if memory runs out. If the page
/// of `hint` has a free one, it comes from there: what changes together lies together, and few pages are
/// copied. Otherwise from a page that is half empty, or a new one.
void* vni_slots_take(vni_slot_store* store, uint32_t array, uint32_t hint, uint32_t* index);

/// Gives a slot back. False if memory runs out.
bool vni_slots_give(vni_slot_store* store, uint32_t array, uint32_t index);

/// Ends the update: all readers see it or none. `number` is above that of the newest version. What neither
/// the new version nor a pinned one has is kept for later updates. Cannot fail.
void vni_slots_publish(vni_slot_store* store, uint64_t number);
void vni_slots_drop(vni_slot_store* store);

/// The newest version; null if there is none. It stays valid until it is unpinned. Any thread.
const vni_slot_version* vni_slots_pin(vni_slot_store* store);

/// One more pin on a version that is pinned. Any thread.
const vni_slot_version* vni_slots_pin_again(vni_slot_store* store, const vni_slot_version* version);
void vni_slots_unpin(vni_slot_store* store, const vni_slot_version* version);

/// Bytes of all that it holds. On the updating thread.
size_t vni_slots_bytes(const vni_slot_store* store);

static inline const vni_slot_page* vni_slots_page(const vni_slots* slots, uint32_t index) {
    VNI_ASSERT(index < slots->limit);
    return slots->nodes[index >> (VNI_SLOT_SHIFT + VNI_NODE_SHIFT)]
        ->pages[index >> VNI_SLOT_SHIFT & (VNI_NODE_PAGES - 1)];
}

static inline const void* vni_slots_at(const vni_slots* slots, uint32_t index) {
    const vni_slot_page* page = vni_slots_page(slots, index);
    return (const unsigned char*)page->records + (size_t)(index & (VNI_SLOT_PAGE - 1)) * slots->stride;
}

/// Is the slot taken? Any index is allowed.
static inline bool vni_slots_has(const vni_slots* slots, uint32_t index) {
    return index < slots->limit && (vni_slots_page(slots, index)->used >> (index & (VNI_SLOT_PAGE - 1)) & 1u);
}

#endif
