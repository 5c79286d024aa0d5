/// world/journal.h: lists which obstacles changed since the last reader, for incremental rebakes.
///
/// Each changed slot is noted once, with its state before the first change since vni_world_forget_changes.
/// Capacity is reserved when slots are made, so noting a change neither allocates nor fails. Unchanged
/// obstacles cost nothing.
#ifndef VNI_WORLD_JOURNAL_H
#define VNI_WORLD_JOURNAL_H

#include "volnav/world.h"

typedef struct vni_change {
    uint32_t slot;
    bool moving;   ///< the obstacle before, or the one now, can move
    bool edited;   ///< a sensed voxel set of which only voxels changed: those in its `edited` bricks
    bool was, is;  ///< the slot held an obstacle before; holds one now (vni_world_obstacle)
    vn_box before; ///< bounds, if `was`
    vn_box after;  ///< bounds, if `is`
} vni_change;

/// The changes by ascending slot; null if there are none. Valid until the world changes again. An obstacle
/// that changed several times appears once (flags count as a change, velocity does not); one that was added
/// and removed again does not appear; a slot that held one obstacle and now holds another appears once, with
/// `was` and `is`. O(n) for n changes, O(n log n) if they were noted out of order.
const vni_change* vni_world_changes(vn_world* world, uint32_t* count);

/// Call this instead of vni_world_forget_changes if only some readers have processed the list (memory ran out
/// halfway). The next list is then right for readers in either state: what exists now also counts as `was`,
/// so that an obstacle that comes and goes between two tries is still listed, with `before` around every
/// position where a reader may have it. O(changes).
void vni_world_keep_changes(vn_world* world);

/// All readers are up to date: starts a new list. O(changes).
void vni_world_forget_changes(vn_world* world);

// --------------------------------------------------------------------------------------- for world.c alone

/// Per slot.
typedef struct vni_noted {
    bool changed;
    bool was_moving; ///< the obstacle before could move
    bool whole;      ///< more than some of its voxels changed
} vni_noted;

typedef struct vni_journal {
    vni_change* changes; ///< `moving`, `is` and `after` are filled in by vni_world_changes
    vni_noted* noted;    ///< by slot
    uint64_t change_capacity, noted_capacity;
    uint32_t count;
    bool unsorted; ///< the changes are not in order of slot
} vni_journal;

/// Makes capacity for this many slots. False if memory runs out: everything noted so far stays.
bool vni_journal_reserve(vni_journal* journal, const vn_allocator* allocator, uint64_t slots);
void vni_journal_free(vni_journal* journal, const vn_allocator* allocator);
size_t vni_journal_bytes(const vni_journal* journal);

/// Call this before the change, with the bounds of the slot's obstacle, or null if it has none. O(1).
void vni_journal_note(vni_journal* journal, uint32_t slot, const vn_box* before, bool was_moving);

/// The same for a sensed voxel set of which only the bricks change that its `edited` list names.
void vni_journal_note_edit(vni_journal* journal, uint32_t slot, const vn_box* bounds);

#endif
