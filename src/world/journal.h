/// world/journal.h: what has changed since somebody looked last.
///
/// Every change of the world is noted by slot, once: what was there at the first change since changes were
/// forgotten last. Room is reserved when slots are made, so that nothing is ever lost and nothing allocates
/// in between. Static and moving obstacles are told apart, and what did not change costs nothing.
#ifndef VNI_WORLD_JOURNAL_H
#define VNI_WORLD_JOURNAL_H

#include "volnav/world.h"

typedef struct vni_change {
    uint32_t slot;
    bool moving;   ///< the obstacle that was there, or is there now, is one that moves
    bool was, is;  ///< there was one before; there is one now (its record: vni_world_obstacle)
    vn_box before; ///< bounds, if `was`
    vn_box after;  ///< bounds, if `is`
} vni_change;

/// The changes in order of slot; valid until the world changes again. An obstacle that changed several times
/// appears once (other flags are a change, another velocity is none); one that was added and removed in
/// between does not appear; a slot that held one obstacle and now holds another gives one change with `was`
/// and `is`. Null if there are none. O(changes), times their logarithm if they came out of order.
const vni_change* vni_world_changes(vn_world* world, uint32_t* count);

/// Call this instead of vni_world_forget_changes if only some readers have taken what vni_world_changes gave
/// (memory ran out on the way). The next changes then lead to the right end from both states: what is there
/// now also counts as what was there before, so that an obstacle that comes and goes between two tries is
/// still listed, with `before` around all places where a reader may have it. O(changes).
void vni_world_keep_changes(vn_world* world);

/// From now on changes count from here. O(changes).
void vni_world_forget_changes(vn_world* world);

// --------------------------------------------------------------------------------------- for world.c alone

/// What is known of a slot.
typedef struct vni_noted {
    bool changed;
    bool was_moving; ///< what was there before moved
} vni_noted;

typedef struct vni_journal {
    vni_change* changes; ///< `moving`, `is` and `after` are filled in when somebody asks
    vni_noted* noted;    ///< by slot
    uint64_t change_capacity, noted_capacity;
    uint32_t count;
    bool unsorted; ///< the changes are not in order of slot
} vni_journal;

/// Room for this many slots; false if there is no memory: everything noted so far stays.
bool vni_journal_reserve(vni_journal* journal, const vn_allocator* allocator, uint64_t slots);
void vni_journal_free(vni_journal* journal, const vn_allocator* allocator);
size_t vni_journal_bytes(const vni_journal* journal);

/// To be called before the change, with the bounds of what is in the slot; null if nothing is. O(1).
void vni_journal_note(vni_journal* journal, uint32_t slot, const vn_box* before, bool was_moving);

#endif
