/// live/boxes.c: made, found, published, held. What an advance does is in boxes_advance.c.
#include "base/fail.h"
#include "base/hash.h"
#include "live/boxes_inside.h"

#include <string.h>

// ---------- deltas

static void free_delta(const vn_allocator* allocator, vni_ring_item* item) {
    vni_boxes_delta* delta = (vni_boxes_delta*)(void*)item;
    for (int i = 0; i < VNI_BOXES_GRAPHS; ++i) {
        vni_id_list_free(allocator, &delta->of[i].came);
        vni_id_list_free(allocator, &delta->of[i].went);
        vni_id_list_free(allocator, &delta->of[i].changed);
    }
}

vn_node_changes vni_boxes_delta_nodes(const vni_boxes_delta* delta, vni_boxes_graph graph) {
    return (vn_node_changes){.version = delta->item.version,
                             .came = delta->of[graph].came.items,
                             .went = delta->of[graph].went.items,
                             .changed = delta->of[graph].changed.items,
                             .came_count = delta->of[graph].came.count,
                             .went_count = delta->of[graph].went.count,
                             .changed_count = delta->of[graph].changed.count};
}

// ---------- making and freeing

vn_status vni_live_boxes_make(const vni_live_boxes_def* def, vni_live_boxes** out, vn_detail* detail) {
    VNI_ASSERT(def->history >= 1);
    static const uint32_t strides[4] = {sizeof(vni_live_box), sizeof(vni_live_portal), sizeof(vni_live_list),
                                        sizeof(vni_live_heads)};
    *out = NULL;

    // keys are 3 * voxel + axis, and two more for the ends
    const uint64_t plane = (uint64_t)def->dims[0] * (uint64_t)def->dims[1];
    if (plane > UINT32_MAX || 3 * plane * (uint64_t)def->dims[2] > UINT32_MAX - 2)
        return vni_fail(detail, VN_TOO_LARGE,
                        "%d x %d x %d voxels are more than 32-bit keys of portals can tell apart (2^32 / 3); "
                        "choose a coarser resolution",
                        def->dims[0], def->dims[1], def->dims[2]);

    vni_live_boxes* live = VNI_NEW(&def->allocator, vni_live_boxes);
    if (live == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a graph that changes");

    live->def = *def;
    vn_status status = vni_slot_store_make(&def->allocator, strides, 4, &live->store);
    if (status == VN_OK)
        status =
            vni_ring_make(&def->allocator, def->history, sizeof(vni_boxes_delta), free_delta, &live->ring);
    if (status != VN_OK) {
        vni_live_boxes_free(live);
        return vni_fail(detail, status, "no memory left for a graph that changes");
    }

    *out = live;
    return VN_OK;
}

void vni_live_boxes_free(vni_live_boxes* live) {
    if (live == NULL)
        return;
    const vn_allocator allocator = live->def.allocator;
    if (live->delta != NULL)
        vni_live_boxes_drop(live);

    vni_slot_store_free(&live->store);
    vni_ring_free(&live->ring);
    vni_marks_free(&allocator, &live->boxes);
    vni_marks_free(&allocator, &live->portals);
    vni_marks_free(&allocator, &live->near);
    vni_marks_free(&allocator, &live->gone_keys);
    VNI_DELETE_ARRAY(&allocator, live->locals, live->local_capacity);
    VNI_DELETE_ARRAY(&allocator, live->gone, live->gone_capacity);
    VNI_DELETE_ARRAY(&allocator, live->added, live->added_capacity);
    vni_sorted_free(&allocator, &live->list);
    vni_sorted_free(&allocator, &live->fresh);
    VNI_DELETE(&allocator, live);
}

size_t vni_live_boxes_bytes(const vni_live_boxes* live) {
    size_t bytes = sizeof *live + vni_slots_bytes(&live->store);
    bytes += (live->boxes.capacity + live->portals.capacity + live->near.capacity) * sizeof(vni_mark);
    bytes += live->gone_keys.capacity * sizeof(vni_mark);
    bytes += live->gone_capacity * sizeof *live->gone + live->local_capacity * sizeof *live->locals;
    bytes += (live->list.capacity + live->fresh.capacity) * sizeof(uint64_t);
    return bytes + (size_t)live->added_capacity * sizeof *live->added;
}

// ---------- finding

uint32_t vni_live_head_of(uint32_t head_count, vn_voxel low) {
    const uint64_t chunk =
        (uint64_t)(low.x >> 4) | (uint64_t)(low.y >> 4) << 20 | (uint64_t)(low.z >> 4) << 40;
    const uint64_t inside =
        (uint64_t)(low.x & 15) | (uint64_t)(low.y & 15) << 4 | (uint64_t)(low.z & 15) << 8;
    const uint32_t group = (uint32_t)vni_hash_mix(chunk) & (head_count / VNI_LIVE_CHUNK_HEADS - 1);
    return group * VNI_LIVE_CHUNK_HEADS + ((uint32_t)vni_hash_mix(inside) & (VNI_LIVE_CHUNK_HEADS - 1));
}

uint32_t vni_live_find(const vni_slot_version* version, vn_voxel low) {
    const vni_slots* heads = &version->arrays[VNI_LIVE_HEADS];
    if (heads->limit == 0)
        return VNI_NO_SLOT;

    const uint32_t at = vni_live_head_of(heads->limit * VNI_LIVE_HEADS_A_RECORD, low);
    const vni_live_heads* record = (const vni_live_heads*)vni_slots_at(heads, at / VNI_LIVE_HEADS_A_RECORD);
    uint32_t slot = record->slots[at % VNI_LIVE_HEADS_A_RECORD];
    while (slot != VNI_NO_SLOT) {
        const vni_live_box* box = vni_live_box_at(version, slot);
        if (box->box.low[0] == low.x && box->box.low[1] == low.y && box->box.low[2] == low.z)
            return slot;
        slot = box->next;
    }

    return VNI_NO_SLOT;
}

// ---------- versions and deltas

vn_status vni_live_boxes_advance(vni_live_boxes* live, uint64_t version, const vni_box_changes* changes,
                                 const vni_boxes_source* source, vn_detail* detail) {
    vn_status status = vni_live_boxes_prepare(live, changes, source, detail);
    if (status == VN_OK)
        vni_live_boxes_commit(live, version, changes->skips);
    return status;
}

void vni_live_boxes_commit(vni_live_boxes* live, uint64_t version, bool skips) {
    VNI_ASSERT(live->delta != NULL);
    const bool has_delta = live->store.newest != NULL && !skips;
    vni_slots_publish(&live->store, version);

    // the delta after the version: who holds it finds the version, or a newer one
    if (has_delta)
        vni_ring_push(&live->ring, &live->delta->item, version);
    else
        vni_ring_put_back(&live->ring, &live->delta->item);
    live->delta = NULL;
    vni_marks_trim(&live->def.allocator, &live->boxes);
    vni_marks_trim(&live->def.allocator, &live->portals);
    vni_marks_trim(&live->def.allocator, &live->near);
    vni_marks_trim(&live->def.allocator, &live->gone_keys);
}

void vni_live_boxes_drop(vni_live_boxes* live) {
    if (live->store.building != NULL)
        vni_slots_drop(&live->store);
    if (live->delta != NULL)
        vni_ring_put_back(&live->ring, &live->delta->item);
    live->delta = NULL;
}

const vni_slot_version* vni_live_boxes_pin(vni_live_boxes* live) {
    return vni_slots_pin(&live->store);
}

const vni_slot_version* vni_live_boxes_pin_again(vni_live_boxes* live, const vni_slot_version* version) {
    return vni_slots_pin_again(&live->store, version);
}

void vni_live_boxes_unpin(vni_live_boxes* live, const vni_slot_version* version) {
    vni_slots_unpin(&live->store, version);
}

vn_status vni_live_boxes_hold(vni_live_boxes* live, uint64_t version, const vni_boxes_delta** out) {
    const vni_ring_item* item;
    vn_status status = vni_ring_hold(&live->ring, version, &item);
    *out = (const vni_boxes_delta*)(const void*)item;
    return status;
}

vni_ring* vni_live_boxes_ring(vni_live_boxes* live) {
    return &live->ring;
}

void vni_live_boxes_release(vni_live_boxes* live, const vni_boxes_delta* delta) {
    vni_ring_release(&live->ring, &delta->item);
}
