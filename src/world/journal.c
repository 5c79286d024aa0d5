/// world/journal.c: changes by slot, each slot once.
#include "world/journal.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "world/world.h"
#include <string.h>

bool vni_journal_reserve(vni_journal* journal, const vn_allocator* allocator, uint64_t slots) {
    uint64_t before = journal->noted_capacity;
    if (slots > journal->change_capacity &&
        !vni_grow(allocator, &journal->changes, &journal->change_capacity, slots, sizeof *journal->changes))
        return false;
    if (slots <= before)
        return true;
    if (!vni_grow(allocator, &journal->noted, &journal->noted_capacity, slots, sizeof *journal->noted))
        return false;

    memset(journal->noted + before, 0, (size_t)(journal->noted_capacity - before) * sizeof *journal->noted);
    return true;
}

void vni_journal_free(vni_journal* journal, const vn_allocator* allocator) {
    VNI_DELETE_ARRAY(allocator, journal->changes, journal->change_capacity);
    VNI_DELETE_ARRAY(allocator, journal->noted, journal->noted_capacity);
    *journal = (vni_journal){0};
}

size_t vni_journal_bytes(const vni_journal* journal) {
    return (size_t)journal->change_capacity * sizeof *journal->changes +
           (size_t)journal->noted_capacity * sizeof *journal->noted;
}

static void note(vni_journal* journal, uint32_t slot, const vn_box* before, bool was_moving, bool whole) {
    VNI_ASSERT(slot < journal->noted_capacity && journal->count <= journal->change_capacity);
    VNI_ASSERT(before != NULL || !was_moving);

    vni_noted* noted = &journal->noted[slot];
    noted->whole |= whole;
    if (noted->changed)
        return; // only the oldest state counts: that is what readers have

    VNI_ASSERT(journal->count < journal->change_capacity);

    vni_change change = {.slot = slot, .was = before != NULL};
    if (before != NULL)
        change.before = *before;

    // Bulk loads note slots in ascending order: the sort is only paid for where they do not come so.
    if (journal->count > 0 && journal->changes[journal->count - 1].slot > slot)
        journal->unsorted = true;

    journal->changes[journal->count++] = change;
    *noted = (vni_noted){true, was_moving, whole};
}

void vni_journal_note(vni_journal* journal, uint32_t slot, const vn_box* before, bool was_moving) {
    note(journal, slot, before, was_moving, true);
}

void vni_journal_note_edit(vni_journal* journal, uint32_t slot, const vn_box* bounds) {
    note(journal, slot, bounds, false, false);
}

// ------------------------------------------------------------------------------------------------ sorting

static void sift_down(vni_change* changes, uint32_t count, uint32_t at) {
    vni_change moved = changes[at];
    for (;;) {
        uint64_t child = 2 * (uint64_t)at + 1;
        if (child >= count)
            break;

        if (child + 1 < count && changes[child + 1].slot > changes[child].slot)
            ++child;

        if (changes[child].slot <= moved.slot)
            break;
        changes[at] = changes[child];
        at = (uint32_t)child;
    }

    changes[at] = moved;
}

/// Heapsort by slot, in place; slots are distinct.
static void sort_changes(vni_change* changes, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(changes, count, i);

    for (uint32_t end = count; end > 1;) {
        vni_change last = changes[--end];
        changes[end] = changes[0];
        changes[0] = last;
        sift_down(changes, end, 0);
    }
}

// ------------------------------------------------------------------------------------------------- reading

/// Fills in the current state; false if the slot was empty and is empty: added and removed in between.
static bool finish(const vn_world* world, vni_change* change) {
    const vni_obstacle* now = vni_world_obstacle(world, change->slot);
    change->is = now != NULL;
    change->edited = !world->journal.noted[change->slot].whole;
    change->moving = world->journal.noted[change->slot].was_moving || (now != NULL && now->motion != NULL);
    change->after = now != NULL ? now->info.bounds : (vn_box){0};
    return change->was || change->is;
}

const vni_change* vni_world_changes(vn_world* world, uint32_t* count) {
    VNI_ASSERT(world != NULL && count != NULL);

    // Compacts in place. A dropped slot is no longer noted: its next change is a first one again.
    vni_journal* journal = &world->journal;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < journal->count; ++i) {
        vni_change change = journal->changes[i];
        if (finish(world, &change))
            journal->changes[kept++] = change;
        else
            journal->noted[change.slot] = (vni_noted){0};
    }

    journal->count = kept;
    if (journal->unsorted)
        sort_changes(journal->changes, kept);

    journal->unsorted = false;
    *count = kept;
    return kept > 0 ? journal->changes : NULL;
}

static float least(float a, float b) {
    return a < b ? a : b;
}

static float most(float a, float b) {
    return a > b ? a : b;
}

static vn_box box_around_both(const vn_box* a, const vn_box* b) {
    return (vn_box){{least(a->min.x, b->min.x), least(a->min.y, b->min.y), least(a->min.z, b->min.z)},
                    {most(a->max.x, b->max.x), most(a->max.y, b->max.y), most(a->max.z, b->max.z)}};
}

void vni_world_keep_changes(vn_world* world) {
    VNI_ASSERT(world != NULL);

    vni_journal* journal = &world->journal;
    for (uint32_t i = 0; i < journal->count; ++i) {
        vni_change* change = &journal->changes[i];
        const vni_obstacle* now = vni_world_obstacle(world, change->slot);
        if (now == NULL)
            continue;

        const vn_box* bounds = &now->info.bounds;
        change->before = change->was ? box_around_both(&change->before, bounds) : *bounds;
        change->was = true;
        journal->noted[change->slot].was_moving |= now->motion != NULL;
    }
}

void vni_world_forget_changes(vn_world* world) {
    VNI_ASSERT(world != NULL);
    vni_journal* journal = &world->journal;
    for (uint32_t i = 0; i < journal->count; ++i) {
        const uint32_t slot = journal->changes[i].slot;
        vni_obstacle* now = &world->obstacles[slot];
        if (now->alive && now->info.kind == VN_SHAPE_VOXELS)
            now->as.voxels.edited_count = 0;
        journal->noted[slot] = (vni_noted){0};
    }

    journal->count = 0;
    journal->unsorted = false;
}
