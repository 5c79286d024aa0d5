/// live/boxes_advance.c: from the boxes that went and came to the next version and its delta.
///
///     1. boxes that went     out of the hash; their portals are gone; boxes beyond these are touched
///     2. boxes that came     a slot each, into the hash
///     3. portals that came   for each box that came, its faces with others; one whose rectangle is that of
///                            a portal that is gone takes its slot
///     4. lists               of touched boxes and those that came: without what is gone, with what came
///     5. slots               of what is gone are given back: not before, so that no id goes and comes at
///     once
///     6. costs               nodes whose edges meet regions in which costs changed
#include "base/fail.h"
#include "live/boxes_inside.h"

#include <string.h>

/// Slots end below this: ids must fit, and cursors have a flag (live/boxes_view.c).
#define MOST_SLOTS (((uint32_t)1 << 31) - 2 * VN_FIRST_NODE)

static const vni_slot_version* now(const vni_live_boxes* live) {
    return live->store.building;
}

// ---------- marks and lists

static vni_mark* mark_portal(vni_live_boxes* live, uint32_t slot) {
    return vni_marks_at(&live->def.allocator, &live->portals, slot);
}

static uint32_t voxel_index(const vni_live_boxes* live, const int32_t at[3]) {
    const uint32_t x = (uint32_t)live->def.dims[0], y = (uint32_t)live->def.dims[1];
    return (uint32_t)at[0] + x * ((uint32_t)at[1] + y * (uint32_t)at[2]);
}

static bool add_local(vni_live_boxes* live, uint32_t slot, vni_fate fate) {
    if (live->local_count == live->local_capacity &&
        !vni_grow(&live->def.allocator, &live->locals, &live->local_capacity, (uint64_t)live->local_count + 1,
                  sizeof *live->locals))
        return false;
    live->locals[live->local_count++] = (vni_local){slot, fate, VNI_NO_SLOT};
    return true;
}

/// Notes where the last local box is, for the lookups of this advance: nearly all are of boxes that came or
/// are touched, and the hash of all boxes is far from the cache.
static bool note_near(vni_live_boxes* live, const vni_box* box) {
    vni_mark* m = vni_marks_at(&live->def.allocator, &live->near, voxel_index(live, box->low));
    if (m != NULL)
        m->chain = live->local_count - 1;
    return m != NULL;
}

static bool push(vni_live_boxes* live, vni_id_list* list, uint32_t id) {
    return vni_id_list_add(&live->def.allocator, list, id);
}

/// Notes a slot in a list of the delta, as a node, if that graph has deltas.
static bool note(vni_live_boxes* live, vni_boxes_graph graph, vni_id_list* list, uint32_t slot) {
    return !(live->def.graphs >> graph & 1u) || push(live, list, slot + VN_FIRST_NODE);
}

static bool push_sorted(vni_live_boxes* live, vni_sorted* list, uint64_t item) {
    return vni_sorted_push(&live->def.allocator, list, item);
}

/// A box that stays, and whose portals change: `*local` (may be null) gets its index.
static bool touch(vni_live_boxes* live, uint32_t slot, uint32_t* local) {
    vni_mark* m = vni_marks_at(&live->def.allocator, &live->boxes, slot);
    if (m == NULL)
        return false;
    if (m->chain == VNI_NO_SLOT) {
        m->chain = live->local_count;
        if (!add_local(live, slot, VNI_FATE_CHANGED) ||
            !note_near(live, &vni_live_box_at(now(live), slot)->box))
            return false;
    }

    if (local != NULL)
        *local = m->chain;
    return true;
}

/// The index of a box that is there now, which is touched if it did not come; VNI_NO_SLOT if there is none,
/// or no memory (`*ok` is false then).
static uint32_t find_local(vni_live_boxes* live, const vni_box* box, bool* ok) {
    const vni_mark* m = vni_marks_find(&live->near, voxel_index(live, box->low));
    const uint32_t slot =
        m != NULL ? live->locals[m->chain].slot : vni_live_find(now(live), vni_box_low(box));
    *ok = true;
    if (slot == VNI_NO_SLOT || !vni_box_equals(&vni_live_box_at(now(live), slot)->box, box))
        return VNI_NO_SLOT;
    if (m != NULL)
        return m->chain;

    uint32_t local = VNI_NO_SLOT;
    *ok = touch(live, slot, &local);
    return local;
}

/// A portal that stays, unless its mark says that it is gone: its edges change. Null if memory runs out.
static const vni_mark* change_portal(vni_live_boxes* live, uint32_t slot) {
    vni_mark* m = mark_portal(live, slot);
    if (m == NULL || m->mark != VNI_FATE_NONE)
        return m;
    m->mark = VNI_FATE_CHANGED;
    const bool ok = note(live, VNI_BOXES_TRANSITIONS, &live->delta->of[VNI_BOXES_TRANSITIONS].changed, slot);
    return ok ? m : NULL;
}

// ---------- the hash

static uint32_t* write_head(vni_live_boxes* live, vn_voxel low) {
    const uint32_t heads = now(live)->arrays[VNI_LIVE_HEADS].limit * VNI_LIVE_HEADS_A_RECORD;
    const uint32_t at = vni_live_head_of(heads, low);
    vni_live_heads* record =
        (vni_live_heads*)vni_slots_write(&live->store, VNI_LIVE_HEADS, at / VNI_LIVE_HEADS_A_RECORD);
    return record != NULL ? &record->slots[at % VNI_LIVE_HEADS_A_RECORD] : NULL;
}

static vni_live_box* write_box(vni_live_boxes* live, uint32_t slot) {
    return (vni_live_box*)vni_slots_write(&live->store, VNI_LIVE_BOXES, slot);
}

static bool hash_in(vni_live_boxes* live, uint32_t slot, vni_live_box* box) {
    uint32_t* head = write_head(live, vni_box_low(&box->box));
    if (head == NULL)
        return false;
    box->next = *head;
    *head = slot;
    return true;
}

static bool hash_out(vni_live_boxes* live, uint32_t slot) {
    const vni_live_box* box = vni_live_box_at(now(live), slot);
    uint32_t* head = write_head(live, vni_box_low(&box->box));
    if (head == NULL)
        return false;
    if (*head == slot) {
        *head = box->next;
        return true;
    }

    uint32_t before = *head;
    while (vni_live_box_at(now(live), before)->next != slot)
        before = vni_live_box_at(now(live), before)->next;

    vni_live_box* writable = write_box(live, before);
    if (writable == NULL)
        return false;
    writable->next = vni_live_box_at(now(live), slot)->next;
    return true;
}

/// More heads if there are more than two boxes for each: all boxes are hashed again.
static bool reserve_heads(vni_live_boxes* live, uint64_t boxes) {
    const vni_slots *heads = &now(live)->arrays[VNI_LIVE_HEADS], *all = &now(live)->arrays[VNI_LIVE_BOXES];
    // in records, a power of two of them, and whole pages
    uint64_t count = heads->limit > 0 ? heads->limit : VNI_SLOT_PAGE;
    while (2 * count * VNI_LIVE_HEADS_A_RECORD < boxes)
        count *= 2;
    if (count == heads->limit)
        return true;

    for (uint32_t at = VNI_NO_SLOT; heads->live < count;)
        if (vni_slots_take(&live->store, VNI_LIVE_HEADS, VNI_NO_SLOT, &at) == NULL)
            return false;

    for (uint32_t i = 0; i < heads->limit; ++i) {
        void* record = vni_slots_write(&live->store, VNI_LIVE_HEADS, i);
        if (record == NULL)
            return false;
        memset(record, 0xff, sizeof(vni_live_heads)); // VNI_NO_SLOT
    }

    for (uint32_t i = 0; i < all->limit; ++i) {
        if (!vni_live_has_box(now(live), i))
            continue;
        vni_live_box* box = write_box(live, i);
        if (box == NULL || !hash_in(live, i, box))
            return false;
    }

    return true;
}

// ---------- 1: boxes that went

static bool note_gone(vni_live_boxes* live, uint32_t portal, uint32_t key) {
    vni_mark* m = vni_marks_at(&live->def.allocator, &live->gone_keys, key);
    if (m == NULL || !vni_grow(&live->def.allocator, &live->gone, &live->gone_capacity,
                               (uint64_t)live->gone_count + 1, sizeof *live->gone))
        return false;
    m->chain = live->gone_count;
    live->gone[live->gone_count++] = (vni_gone){portal, false};
    return true;
}

/// The portals of a box that went are gone, and the boxes beyond them touched.
static bool lose_portals(vni_live_boxes* live, uint32_t slot) {
    for (uint32_t at = vni_live_box_at(now(live), slot)->list; at != VNI_NO_SLOT;) {
        const vni_live_list* list = vni_live_list_at(now(live), at);
        for (uint32_t i = 0; i < VNI_LIVE_LIST && list->portals[i] != VNI_NO_SLOT; ++i) {
            const uint32_t portal = list->portals[i];
            vni_mark* m = mark_portal(live, portal);
            if (m == NULL)
                return false;
            if (m->mark == VNI_FATE_GONE)
                continue;

            m->mark = VNI_FATE_GONE;
            const uint32_t* boxes = vni_live_portal_at(now(live), portal)->boxes;
            if (!note_gone(live, portal, list->keys[i]) || !touch(live, boxes[boxes[0] == slot], NULL))
                return false;
        }

        // the records of the list serve others
        const uint32_t next = list->next;
        live->list_hint = at;
        if (!vni_slots_give(&live->store, VNI_LIVE_LISTS, at))
            return false;
        at = next;
    }

    return true;
}

static vn_status take_away(vni_live_boxes* live, const vni_box_changes* changes, vn_detail* detail) {
    for (uint32_t i = 0; i < changes->went_count; ++i) {
        const vni_box box = vni_box_of(changes->went[i]);
        const uint32_t slot = vni_live_find(now(live), vni_box_low(&box));
        if (slot == VNI_NO_SLOT || !vni_box_equals(&vni_live_box_at(now(live), slot)->box, &box))
            return vni_fail_index(detail, VN_BAD_DATA, i, "box %u that went was not there", (unsigned)i);

        vni_mark* m = vni_marks_at(&live->def.allocator, &live->boxes, slot);
        if (m != NULL)
            m->chain = live->local_count;
        if (m == NULL || !hash_out(live, slot) || !add_local(live, slot, VNI_FATE_GONE) ||
            !note(live, VNI_BOXES_CENTRES, &live->delta->of[VNI_BOXES_CENTRES].went, slot))
            return VN_OUT_OF_MEMORY;
    }

    for (uint32_t i = 0; i < changes->went_count; ++i)
        if (!lose_portals(live, live->locals[i].slot))
            return VN_OUT_OF_MEMORY;

    return VN_OK;
}

// ---------- 2: boxes that came

static bool bring(vni_live_boxes* live, const vni_box* box, uint32_t hint) {
    uint32_t slot;
    vni_live_box* record = (vni_live_box*)vni_slots_take(&live->store, VNI_LIVE_BOXES, hint, &slot);
    if (record == NULL)
        return false;
    *record = (vni_live_box){.box = *box, .list = VNI_NO_SLOT, .next = VNI_NO_SLOT, .count = 0};
    return hash_in(live, slot, record) && add_local(live, slot, VNI_FATE_CAME) && note_near(live, box) &&
           note(live, VNI_BOXES_CENTRES, &live->delta->of[VNI_BOXES_CENTRES].came, slot);
}

// ---------- 3: portals that came

/// Puts a portal on the chain of a local box.
static bool add_to(vni_live_boxes* live, uint32_t local, uint64_t portal) {
    if (live->added_count == live->added_capacity &&
        !vni_grow(&live->def.allocator, &live->added, &live->added_capacity, (uint64_t)live->added_count + 1,
                  sizeof *live->added))
        return false;
    live->added[live->added_count] = (vni_added){portal, live->locals[local].chain};
    live->locals[local].chain = live->added_count++;
    return true;
}

/// Does the portal in a slot have this middle? Of two with the same key it then is the same rectangle.
static bool is_at(const vni_live_boxes* live, uint32_t slot, vn_point point) {
    const vn_point was = vni_live_portal_at(now(live), slot)->point;
    return was.x == point.x && was.y == point.y && was.z == point.z;
}

/// The slot for a portal that is there now: that of the same rectangle before, or a new one near those that
/// are gone.
static vni_live_portal* take_portal(vni_live_boxes* live, uint32_t key, vn_point point, uint32_t* slot) {
    vni_boxes_delta* delta = live->delta;
    const vni_mark* m = vni_marks_find(&live->gone_keys, key);
    vni_gone* gone =
        m != NULL && is_at(live, live->gone[m->chain].slot, point) ? &live->gone[m->chain] : NULL;
    if (gone != NULL) {
        gone->is_kept = true;
        *slot = gone->slot;
        return note(live, VNI_BOXES_TRANSITIONS, &delta->of[VNI_BOXES_TRANSITIONS].changed, *slot)
                   ? (vni_live_portal*)vni_slots_write(&live->store, VNI_LIVE_PORTALS, *slot)
                   : NULL;
    }

    // any of those that are gone will do as a hint; in turn, so that their pages fill evenly
    const uint32_t turn = live->gone_count > 0 ? live->added_count % live->gone_count : 0;
    const uint32_t hint = live->gone_count > 0 ? live->gone[turn].slot : VNI_NO_SLOT;
    vni_live_portal* record = (vni_live_portal*)vni_slots_take(&live->store, VNI_LIVE_PORTALS, hint, slot);
    const bool ok =
        record != NULL && note(live, VNI_BOXES_TRANSITIONS, &delta->of[VNI_BOXES_TRANSITIONS].came, *slot);
    return ok ? record : NULL;
}

/// The visit of the neighbours of one box that came.
typedef struct visit {
    vni_live_boxes* live;
    uint32_t local, slot; ///< of the box
    vni_box box;
    vn_status status;
} visit;

static bool fail_visit(visit* v, vn_status status) {
    v->status = status;
    return false;
}

static bool visit_neighbour(void* user, const vni_box* box) {
    visit* v = (visit*)user;
    vni_live_boxes* live = v->live;
    bool ok;
    const uint32_t local = find_local(live, box, &ok);
    if (!ok || local == VNI_NO_SLOT)
        return fail_visit(v, ok ? VN_BAD_DATA : VN_OUT_OF_MEMORY);

    vni_face face;
    const bool is_lower = vni_box_face(&v->box, box, &face);
    if (!is_lower && !vni_box_face(box, &v->box, &face))
        return fail_visit(v, VN_BAD_DATA);

    // between two that came, the lower one makes the portal
    if (!is_lower && live->locals[local].fate == VNI_FATE_CAME)
        return true;

    const uint32_t key = 3 * voxel_index(live, face.low) + (uint32_t)face.axis;
    const vn_point point = vni_box_middle(face.low, face.high);
    uint32_t slot;
    vni_live_portal* portal = take_portal(live, key, point, &slot);
    if (portal == NULL)
        return fail_visit(v, VN_OUT_OF_MEMORY);
    if (slot >= MOST_SLOTS)
        return fail_visit(v, VN_TOO_LARGE);

    const uint32_t other = live->locals[local].slot;
    *portal = (vni_live_portal){{is_lower ? v->slot : other, is_lower ? other : v->slot}, key, point};
    const uint64_t entry = (uint64_t)key << 32 | slot;
    ok = add_to(live, v->local, entry) && add_to(live, local, entry);
    return ok || fail_visit(v, VN_OUT_OF_MEMORY);
}

static vn_status join_up(vni_live_boxes* live, const vni_boxes_source* source) {
    for (uint32_t i = 0; i < live->local_count; ++i) {
        if (live->locals[i].fate != VNI_FATE_CAME)
            continue;
        visit v = {live, i, live->locals[i].slot, {{0}, {0}}, VN_OK};
        v.box = vni_live_box_at(now(live), v.slot)->box;
        if (!source->neighbours(source->self, &v.box, visit_neighbour, &v))
            return v.status;
    }

    return VN_OK;
}

// ---------- 4: lists

/// Collects the portals of a box as they are now, in order, in `live->list`. Those that stay have other
/// neighbours than before.
static bool collect(vni_live_boxes* live, const vni_local* local) {
    live->list.count = live->fresh.count = 0;
    for (uint32_t i = local->chain; i != VNI_NO_SLOT; i = live->added[i].next)
        if (!push_sorted(live, &live->fresh, live->added[i].portal))
            return false;
    vni_sorted_sort(&live->fresh);

    // a merge; portals that are gone or kept are left out here, and the kept ones are among the fresh
    uint32_t next = 0;
    for (uint32_t at = vni_live_box_at(now(live), local->slot)->list; at != VNI_NO_SLOT;) {
        const vni_live_list* list = vni_live_list_at(now(live), at);
        for (uint32_t i = 0; i < VNI_LIVE_LIST && list->portals[i] != VNI_NO_SLOT; ++i) {
            const uint32_t portal = list->portals[i];
            const vni_mark* m = change_portal(live, portal);
            if (m == NULL)
                return false;
            if (m->mark == VNI_FATE_GONE)
                continue;

            const uint64_t entry = (uint64_t)list->keys[i] << 32 | portal;
            while (next < live->fresh.count && live->fresh.items[next] < entry)
                if (!push_sorted(live, &live->list, live->fresh.items[next++]))
                    return false;
            if (!push_sorted(live, &live->list, entry))
                return false;
        }
        at = list->next;
    }

    while (next < live->fresh.count)
        if (!push_sorted(live, &live->list, live->fresh.items[next++]))
            return false;
    return true;
}

/// A record for the list of a box: the one that it has there, or a new one. `*at` gets its number.
static vni_live_list* next_record(vni_live_boxes* live, uint32_t hint, uint32_t* at) {
    if (*at != VNI_NO_SLOT)
        return (vni_live_list*)vni_slots_write(&live->store, VNI_LIVE_LISTS, *at);
    vni_live_list* record = (vni_live_list*)vni_slots_take(&live->store, VNI_LIVE_LISTS, hint, at);
    if (record != NULL)
        record->next = VNI_NO_SLOT;
    return record;
}

static bool give_records(vni_live_boxes* live, uint32_t at) {
    while (at != VNI_NO_SLOT) {
        const uint32_t next = vni_live_list_at(now(live), at)->next;
        if (!vni_slots_give(&live->store, VNI_LIVE_LISTS, at))
            return false;
        at = next;
    }
    return true;
}

/// Writes `live->list` as the list of a box, over the records that it has.
static bool write_list(vni_live_boxes* live, uint32_t slot) {
    vni_live_box* box = write_box(live, slot);
    if (box == NULL)
        return false;

    uint32_t* link = &box->list;
    for (uint32_t i = 0, hint = live->list_hint; i < live->list.count;) {
        uint32_t at = *link;
        vni_live_list* record = next_record(live, hint, &at);
        if (record == NULL)
            return false;
        for (uint32_t k = 0; k < VNI_LIVE_LIST; ++k, ++i) {
            const uint64_t entry = i < live->list.count ? live->list.items[i] : UINT64_MAX;
            record->portals[k] = (uint32_t)entry;
            record->keys[k] = (uint32_t)(entry >> 32);
        }

        *link = hint = at;
        link = &record->next;
    }

    const uint32_t rest = *link;
    *link = VNI_NO_SLOT;
    box->count = live->list.count;
    return give_records(live, rest);
}

static bool relist_all(vni_live_boxes* live) {
    for (uint32_t i = 0; i < live->local_count; ++i) {
        const vni_local* local = &live->locals[i];
        if (local->fate == VNI_FATE_GONE)
            continue;
        if (!collect(live, local) || !write_list(live, local->slot))
            return false;
        if (local->fate == VNI_FATE_CHANGED &&
            !note(live, VNI_BOXES_CENTRES, &live->delta->of[VNI_BOXES_CENTRES].changed, local->slot))
            return false;
    }

    return true;
}

// ---------- 5: slots

static bool give_back(vni_live_boxes* live) {
    for (uint32_t i = 0; i < live->gone_count; ++i) {
        const vni_gone* gone = &live->gone[i];
        if (!gone->is_kept &&
            (!vni_slots_give(&live->store, VNI_LIVE_PORTALS, gone->slot) ||
             !note(live, VNI_BOXES_TRANSITIONS, &live->delta->of[VNI_BOXES_TRANSITIONS].went, gone->slot)))
            return false;
    }

    for (uint32_t i = 0; i < live->local_count && live->locals[i].fate == VNI_FATE_GONE; ++i)
        if (!vni_slots_give(&live->store, VNI_LIVE_BOXES, live->locals[i].slot))
            return false;
    return true;
}

// ---------- 6: costs

static bool touches(const vni_box* a, const vni_box* b) {
    for (int i = 0; i < 3; ++i)
        if (a->low[i] > b->high[i] || b->low[i] > a->high[i])
            return false;
    return true;
}

static bool change_centre(vni_live_boxes* live, uint32_t slot) {
    vni_mark* m = vni_marks_at(&live->def.allocator, &live->boxes, slot);
    if (m == NULL || m->mark != VNI_FATE_NONE || m->chain != VNI_NO_SLOT)
        return m != NULL;
    m->mark = VNI_FATE_CHANGED;
    return note(live, VNI_BOXES_CENTRES, &live->delta->of[VNI_BOXES_CENTRES].changed, slot);
}

/// Edges inside a box cost something else: those between its portals, and those of its centre, which lead to
/// the boxes around.
static bool change_costs_in(vni_live_boxes* live, uint32_t slot) {
    if (!change_centre(live, slot))
        return false;
    for (uint32_t at = vni_live_box_at(now(live), slot)->list; at != VNI_NO_SLOT;) {
        const vni_live_list* list = vni_live_list_at(now(live), at);
        for (uint32_t i = 0; i < VNI_LIVE_LIST && list->portals[i] != VNI_NO_SLOT; ++i) {
            const vni_live_portal* p = vni_live_portal_at(now(live), list->portals[i]);
            if (change_portal(live, list->portals[i]) == NULL ||
                !change_centre(live, p->boxes[p->boxes[0] == slot]))
                return false;
        }
        at = list->next;
    }

    return true;
}

/// Boxes and portals that came, or are kept, are in the delta already.
static bool mark_listed(vni_live_boxes* live) {
    for (uint32_t i = 0; i < live->local_count; ++i) {
        vni_mark* m = vni_marks_at(&live->def.allocator, &live->boxes, live->locals[i].slot);
        if (m == NULL)
            return false;
        m->mark = live->locals[i].fate;
    }

    for (uint32_t i = 0; i < live->added_count; ++i) {
        vni_mark* m = mark_portal(live, (uint32_t)live->added[i].portal);
        if (m == NULL)
            return false;
        m->mark = VNI_FATE_CAME;
    }

    return true;
}

/// All boxes against all regions: O(boxes * regions), plus what is changed.
static bool change_costs(vni_live_boxes* live, const vni_box_changes* changes) {
    const vni_slots* boxes = &now(live)->arrays[VNI_LIVE_BOXES];
    if (changes->cost_count == 0)
        return true;
    if (!mark_listed(live))
        return false;

    for (uint32_t slot = 0; slot < boxes->limit; ++slot) {
        const vni_live_box* box = vni_live_box_at(now(live), slot);
        for (uint32_t i = 0; i < changes->cost_count && vni_live_has_box(now(live), slot); ++i)
            if (touches(&box->box, &changes->costs[i])) {
                if (!change_costs_in(live, slot))
                    return false;
                break;
            }
    }

    return true;
}

// ---------- all of it

static vn_status run(vni_live_boxes* live, const vni_box_changes* changes, const vni_boxes_source* source,
                     vn_detail* detail) {
    const vn_allocator* allocator = &live->def.allocator;
    const uint32_t moved = changes->went_count + changes->came_count;
    const uint64_t count = (uint64_t)now(live)->arrays[VNI_LIVE_BOXES].live + changes->came_count;
    if (!reserve_heads(live, count) || !vni_marks_begin(allocator, &live->boxes, 2 * moved) ||
        !vni_marks_begin(allocator, &live->portals, 8 * moved) ||
        !vni_marks_begin(allocator, &live->gone_keys, 4 * moved) ||
        !vni_marks_begin(allocator, &live->near, 2 * moved))
        return VN_OUT_OF_MEMORY;

    vn_status status = take_away(live, changes, detail);
    if (status != VN_OK)
        return status;

    for (uint32_t i = 0; i < changes->came_count; ++i) {
        const vni_box box = vni_box_of(changes->came[i]);
        const uint32_t went = changes->went_count;
        if (!bring(live, &box, went > 0 ? live->locals[i % went].slot : VNI_NO_SLOT))
            return VN_OUT_OF_MEMORY;
    }

    status = join_up(live, source);
    if (status == VN_BAD_DATA)
        return vni_fail(detail, status, "the source names a neighbour that is not there");
    if (status != VN_OK)
        return status;
    return relist_all(live) && give_back(live) && change_costs(live, changes) ? VN_OK : VN_OUT_OF_MEMORY;
}

vn_status vni_live_boxes_prepare(vni_live_boxes* live, const vni_box_changes* changes,
                                 const vni_boxes_source* source, vn_detail* detail) {
    VNI_ASSERT(live->delta == NULL);
    live->list_hint = VNI_NO_SLOT;
    live->local_count = live->gone_count = live->added_count = 0;

    live->delta = (vni_boxes_delta*)(void*)vni_ring_take(&live->ring);
    vn_status status = live->delta != NULL && vni_slots_begin(&live->store) ? VN_OK : VN_OUT_OF_MEMORY;
    for (int i = 0; live->delta != NULL && i < VNI_BOXES_GRAPHS; ++i)
        live->delta->of[i].came.count = live->delta->of[i].went.count = live->delta->of[i].changed.count = 0;

    if (status == VN_OK)
        status = run(live, changes, source, detail);
    if (status == VN_OK)
        return VN_OK;

    vni_live_boxes_drop(live);
    if (status == VN_BAD_DATA)
        return status;
    return vni_fail(detail, status, "no room left for the next version of a graph; the last one stays");
}
