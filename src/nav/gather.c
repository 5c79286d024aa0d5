/// nav/gather.c: which obstacles came, went and moved since the newest version, gathered while changes are
/// applied to the world.
#include "base/alloc.h"
#include "nav/live_inside.h"

#include <string.h>

static uint32_t slot_of(vn_obstacle_id id) {
    return id.index1 - 1;
}

static bool is_same_id(vn_obstacle_id a, vn_obstacle_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

/// The entry of an obstacle; null if it has none.
static vni_gathered* find(vni_nav_live* live, vn_obstacle_id id) {
    const uint32_t at = live->shapes[slot_of(id)].at;
    vni_gathered* entry = at < live->gathered.count ? &live->gathered.items[at] : NULL;
    return entry != NULL && is_same_id(entry->change.id, id) ? entry : NULL;
}

static bool reserve(vni_nav_live* live, uint32_t slot) {
    const uint64_t before = live->shape_capacity;
    if (!vni_grow(&live->allocator, &live->gathered.items, &live->gathered.capacity,
                  (uint64_t)live->gathered.count + 1, sizeof *live->gathered.items))
        return false;
    if (slot < before)
        return true;
    if (!vni_grow(&live->allocator, &live->shapes, &live->shape_capacity, (uint64_t)slot + 1,
                  sizeof *live->shapes))
        return false;
    memset(live->shapes + before, 0, (size_t)(live->shape_capacity - before) * sizeof *live->shapes);
    return true;
}

static void drop_next(vni_nav_live* live) {
    vni_shape_copy_release(&live->allocator, live->next.copy);
    live->next.copy = NULL;
}

bool vni_nav_live_expect(vn_nav* nav, const vni_op* op) {
    vni_nav_live* live = nav->fixed.live;
    if (live == NULL || op->kind == VNI_OP_SENSE)
        return true; // what a sensor saw is in the bricks

    // one that was expected and then not applied, because memory ran out
    drop_next(live);
    const uint32_t slot = slot_of(op->id);
    if (!reserve(live, slot))
        return false;
    if (find(live, op->id) != NULL)
        return true;

    const bool comes = op->kind == VNI_OP_ADD;
    const vni_obstacle* obstacle = comes ? op->record : vni_world_obstacle(nav->fixed.world, slot);
    vni_known_shape* known = &live->shapes[slot];
    live->next.copy = known->copy != NULL && known->generation == op->id.generation
                          ? vni_shape_copy_retain(known->copy)
                          : vni_shape_copy_make(&live->allocator, obstacle);
    if (live->next.copy == NULL)
        return false;

    live->next.change = (vn_obstacle_change){.id = op->id,
                                             .was = !comes,
                                             .moves = obstacle->motion != NULL,
                                             .shape = &live->next.copy->shape,
                                             .before = vni_obstacle_transform(obstacle),
                                             .bounds_before = obstacle->info.bounds,
                                             .flags_before = obstacle->info.flags};
    return true;
}

/// The obstacle as it is now in the world.
static void set_after(const vn_nav* nav, vn_obstacle_change* change) {
    const vni_obstacle* obstacle = vni_world_obstacle(nav->fixed.world, slot_of(change->id));
    change->is = true;
    change->after = vni_obstacle_transform(obstacle);
    change->bounds_after = obstacle->info.bounds;
    change->flags_after = obstacle->info.flags;
}

void vni_nav_live_note(vn_nav* nav, const vni_op* op) {
    vni_nav_live* live = nav->fixed.live;
    if (live == NULL || op->kind == VNI_OP_SENSE)
        return;

    vni_known_shape* known = &live->shapes[slot_of(op->id)];
    if (live->next.copy != NULL) {
        known->at = live->gathered.count;
        live->gathered.items[live->gathered.count++] = live->next;
        if (known->copy != live->next.copy) {
            vni_shape_copy_release(&live->allocator, known->copy);
            known->copy = vni_shape_copy_retain(live->next.copy);
            known->generation = op->id.generation;
        }
        live->next.copy = NULL;
    }

    vni_gathered* entry = find(live, op->id);
    VNI_ASSERT(entry != NULL);
    if (op->kind != VNI_OP_REMOVE) {
        set_after(nav, &entry->change);
        return;
    }

    entry->change.is = false;
    vni_shape_copy_release(&live->allocator, known->copy);
    known->copy = NULL;
}

/// Came and went in between, or is back as it was?
static bool is_nothing(const vn_obstacle_change* c) {
    if (c->was != c->is)
        return false;
    return !c->was ||
           (c->flags_before == c->flags_after && memcmp(&c->before, &c->after, sizeof c->after) == 0);
}

bool vni_nav_live_has_changes(vn_nav* nav) {
    vni_nav_live* live = nav->fixed.live;
    if (live == NULL)
        return false;
    for (uint32_t i = 0; i < live->gathered.count; ++i)
        if (!is_nothing(&live->gathered.items[i].change))
            return true;

    // whatever is left is nothing: no version is made for it
    vni_nav_gathered_clear(live);
    return false;
}

void vni_nav_gathered_clear(vni_nav_live* live) {
    for (uint32_t i = 0; i < live->gathered.count; ++i)
        vni_shape_copy_release(&live->allocator, live->gathered.items[i].copy);
    live->gathered.count = 0;
}

bool vni_nav_gathered_reserve(vni_nav_live* live, vni_nav_record* record) {
    return vni_grow(&live->allocator, &record->obstacles, &record->obstacle_capacity,
                    (uint64_t)live->gathered.count, sizeof *record->obstacles) &&
           vni_grow(&live->allocator, &record->copies, &record->copy_capacity, (uint64_t)live->gathered.count,
                    sizeof *record->copies);
}

void vni_nav_gathered_move(vni_nav_live* live, vni_nav_record* record) {
    VNI_ASSERT(record->copy_count == 0);
    for (uint32_t i = 0; i < live->gathered.count; ++i) {
        const vni_gathered* entry = &live->gathered.items[i];
        if (is_nothing(&entry->change))
            continue;
        record->obstacles[record->copy_count] = entry->change;
        record->copies[record->copy_count++] = vni_shape_copy_retain(entry->copy);
    }

    vni_nav_gathered_clear(live);
    record->changes.obstacles = record->obstacles;
    record->changes.obstacle_count = record->copy_count;
}

void vni_nav_record_clear(const vn_allocator* allocator, vni_nav_record* record) {
    for (uint32_t i = 0; i < record->copy_count; ++i)
        vni_shape_copy_release(allocator, record->copies[i]);
    record->copy_count = 0;
}

void vni_nav_gathered_free(vni_nav_live* live) {
    drop_next(live);
    vni_nav_gathered_clear(live);
    for (uint64_t i = 0; i < live->shape_capacity; ++i)
        vni_shape_copy_release(&live->allocator, live->shapes[i].copy);
    VNI_DELETE_ARRAY(&live->allocator, live->gathered.items, live->gathered.capacity);
    VNI_DELETE_ARRAY(&live->allocator, live->shapes, live->shape_capacity);
}
