/// classic/live_greedy.c: splitting and greedy merging on a table of voxels.
#include "classic/live_greedy.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "classic/boxes.h"
#include "classic/cube_state.h"
#include "classic/split.h"

#include <string.h>

#define NO_BOX UINT32_MAX

// ---------------------------------------------------------------------------------------------- the table

static uint32_t voxel_at(const vni_live_greedy* live, int32_t x, int32_t y, int32_t z) {
    return (uint32_t)x + (uint32_t)live->dims[0] * ((uint32_t)y + (uint32_t)live->dims[1] * (uint32_t)z);
}

static void paint(vni_live_greedy* live, const vni_box* box, uint32_t number) {
    for (int32_t z = box->low[2]; z < box->high[2]; ++z)
        for (int32_t y = box->low[1]; y < box->high[1]; ++y) {
            uint32_t* row = &live->of_voxel[voxel_at(live, box->low[0], y, z)];
            for (int32_t i = 0; i < box->high[0] - box->low[0]; ++i)
                row[i] = number;
        }
}

static void list_fresh(vni_live_greedy* live, uint32_t number) {
    if (live->boxes[number].listed == live->update)
        return;
    live->boxes[number].listed = live->update;
    live->fresh[live->fresh_count++] = number;
}

/// The capacity is enough: no more boxes than voxels exist.
static uint32_t add_box(vni_live_greedy* live, const vni_box* box) {
    uint32_t number = live->box_limit;
    if (live->free_count > 0)
        number = live->free[--live->free_count];
    else
        ++live->box_limit;
    vni_greedy_box* at = &live->boxes[number];
    *at = (vni_greedy_box){*box, live->update, at->listed, true};
    list_fresh(live, number);
    paint(live, box, number);
    return number;
}

/// Notes a box of before the update that is about to go or to change.
static void note_went(vni_live_greedy* live, uint32_t number, vni_box_lists* out) {
    vni_greedy_box* at = &live->boxes[number];
    if (at->born == live->update)
        return;
    at->born = live->update;
    const bool added = vni_box_lists_add(out, &out->went, &at->box);
    VNI_ASSERT(added); // it was reserved
    (void)added;
}

static void remove_box(vni_live_greedy* live, uint32_t number, vni_box_lists* out) {
    note_went(live, number, out);
    live->boxes[number].exists = false;
    live->free[live->free_count++] = number;
}

// ------------------------------------------------------------------------------------------- split and merge

static void add_parts(vni_live_greedy* live, const vni_occupancy* now, const vni_box* box, int32_t edge) {
    vni_box part;
    for (vni_parts parts = vni_parts_in(box, edge, box); vni_parts_next(&parts, &part);) {
        const vni_cube_state state = vni_box_state_of(now, &part);
        if (state == VNI_CUBE_FREE)
            add_box(live, &part);
        else if (state == VNI_CUBE_MIXED)
            add_parts(live, now, &part, vni_split_cube(edge));
    }
}

static void split(vni_live_greedy* live, const vni_occupancy* now, uint32_t number, vni_box_lists* out) {
    const vni_box box = live->boxes[number].box;
    const int32_t edge = vni_split_box(&box, live->dims);
    paint(live, &box, NO_BOX);
    remove_box(live, number, out);
    if (edge > 0)
        add_parts(live, now, &box, edge);
}

static void take_changes(vni_live_greedy* live, const vni_occupancy* now, const vni_box* change,
                         vni_box_lists* out) {
    for (int32_t z = change->low[2]; z < change->high[2]; ++z)
        for (int32_t y = change->low[1]; y < change->high[1]; ++y)
            for (int32_t x = change->low[0]; x < change->high[0]; ++x) {
                const uint32_t number = live->of_voxel[voxel_at(live, x, y, z)];
                const bool is_free = vni_occupancy_free_at(now, x, y, z);
                if (number != NO_BOX && !is_free)
                    split(live, now, number, out);
                else if (number == NO_BOX && is_free)
                    add_box(live, &(vni_box){{x, y, z}, {x + 1, y + 1, z + 1}});
            }
}

/// The box across a side if the two share the whole of it; NO_BOX.
static uint32_t partner(const vni_live_greedy* live, const vni_box* box, uint32_t side) {
    const uint32_t axis = side >> 1;
    int32_t at[3] = {box->low[0], box->low[1], box->low[2]};
    at[axis] = side & 1 ? box->high[axis] : box->low[axis] - 1;
    if (at[axis] < 0 || at[axis] >= live->dims[axis])
        return NO_BOX;

    const uint32_t number = live->of_voxel[voxel_at(live, at[0], at[1], at[2])];
    for (uint32_t i = 0; number != NO_BOX && i < 3; ++i)
        if (i != axis && (live->boxes[number].box.low[i] != box->low[i] ||
                          live->boxes[number].box.high[i] != box->high[i]))
            return NO_BOX;
    return number;
}

static int64_t volume_of(const vni_box* b) {
    return (int64_t)(b->high[0] - b->low[0]) * (b->high[1] - b->low[1]) * (b->high[2] - b->low[2]);
}

/// The larger one stays and grows; returns it.
static uint32_t merge(vni_live_greedy* live, uint32_t a, uint32_t b, vni_box_lists* out) {
    if (volume_of(&live->boxes[a].box) < volume_of(&live->boxes[b].box)) {
        const uint32_t other = a;
        a = b;
        b = other;
    }

    const vni_box gone = live->boxes[b].box;
    note_went(live, a, out);
    remove_box(live, b, out);
    paint(live, &gone, a);
    vni_box* box = &live->boxes[a].box;
    for (int i = 0; i < 3; ++i) {
        box->low[i] = gone.low[i] < box->low[i] ? gone.low[i] : box->low[i];
        box->high[i] = gone.high[i] > box->high[i] ? gone.high[i] : box->high[i];
    }

    list_fresh(live, a);
    return a;
}

/// The order of sides of classic/merge.c.
static void grow(vni_live_greedy* live, uint32_t number, vni_box_lists* out) {
    static const uint32_t order[6] = {4, 5, 0, 1, 2, 3};
    uint32_t stuck = 0;
    for (uint32_t at = 0; stuck < 6; at = at == 5 ? 0 : at + 1) {
        const uint32_t other = partner(live, &live->boxes[number].box, order[at]);
        stuck = other == NO_BOX ? stuck + 1 : 0;
        if (other != NO_BOX)
            number = merge(live, number, other, out);
    }
}

// -------------------------------------------------------------------------------------------------- reading

static vni_box space_of(const vni_live_greedy* live) {
    return (vni_box){{0, 0, 0}, {live->dims[0], live->dims[1], live->dims[2]}};
}

bool vni_live_greedy_at(const vni_live_greedy* live, vn_voxel voxel, vni_box* out) {
    const int32_t* dims = live->dims;
    if (voxel.x < 0 || voxel.y < 0 || voxel.z < 0 || voxel.x >= dims[0] || voxel.y >= dims[1] ||
        voxel.z >= dims[2])
        return false;
    const uint32_t number = live->of_voxel[voxel_at(live, voxel.x, voxel.y, voxel.z)];
    if (number != NO_BOX)
        *out = live->boxes[number].box;
    return number != NO_BOX;
}

/// The first voxel of a box inside a region, in the order of the loops below.
static bool is_first(const vni_box* box, const vni_box* region, const int32_t at[3]) {
    for (int i = 0; i < 3; ++i)
        if (at[i] != box->low[i] && at[i] != region->low[i])
            return false;
    return true;
}

bool vni_live_greedy_visit_in(const vni_live_greedy* live, const vni_box* region, vni_visit_box* visit,
                              void* user) {
    const vni_box space = space_of(live), r = vni_box_cut(region, &space);
    int32_t v[3];
    for (v[2] = r.low[2]; v[2] < r.high[2]; ++v[2])
        for (v[1] = r.low[1]; v[1] < r.high[1]; ++v[1])
            for (v[0] = r.low[0]; v[0] < r.high[0]; ++v[0]) {
                const uint32_t number = live->of_voxel[voxel_at(live, v[0], v[1], v[2])];
                if (number == NO_BOX || !is_first(&live->boxes[number].box, &r, v))
                    continue;
                const vni_box box = live->boxes[number].box;
                if (!visit(user, &box))
                    return false;
            }
    return true;
}

bool vni_live_greedy_neighbours(const vni_live_greedy* live, const vni_box* box, vni_visit_box* visit,
                                void* user) {
    for (uint32_t side = 0; side < 6; ++side) {
        const uint32_t axis = side >> 1;
        vni_box beside = *box;
        beside.low[axis] = side & 1 ? box->high[axis] : box->low[axis] - 1;
        beside.high[axis] = beside.low[axis] + 1;
        if (!vni_live_greedy_visit_in(live, &beside, visit, user))
            return false;
    }
    return true;
}

size_t vni_live_greedy_bytes(const vni_live_greedy* live) {
    return (size_t)live->voxel_count * (3 * sizeof(uint32_t) + sizeof *live->boxes);
}

// --------------------------------------------------------------------------------------------------- update

/// Lists what came. No box comes that went: one that was split has a blocked voxel, one that was merged has
/// grown.
static void list_came(const vni_live_greedy* live, vni_box_lists* out) {
    for (uint32_t i = 0; i < live->fresh_count; ++i) {
        const vni_greedy_box* at = &live->boxes[live->fresh[i]];
        if (at->exists)
            vni_box_lists_add(out, &out->came, &at->box);
    }
}

vn_status vni_live_greedy_update(vni_live_greedy* live, const vni_occupancy* occupancy,
                                 const vni_box* changes, uint32_t change_count, vni_box_lists* out,
                                 vn_detail* detail) {
    // As many boxes as voxels may go and come; nothing else is allocated.
    if (!vni_box_lists_reserve(out, live->voxel_count, live->voxel_count))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to update greedily merged boxes");

    const vni_box space = space_of(live);
    ++live->update;
    live->fresh_count = 0;
    for (uint32_t i = 0; i < change_count; ++i) {
        const vni_box change = vni_box_cut(&changes[i], &space);
        take_changes(live, occupancy, &change, out);
    }

    // The list grows at its end: boxes that have grown come again only if they were not in it.
    for (uint32_t i = 0; i < live->fresh_count; ++i)
        if (live->boxes[live->fresh[i]].exists)
            grow(live, live->fresh[i], out);

    list_came(live, out);
    return VN_OK;
}

// ----------------------------------------------------------------------------------------------------- life

static vn_status copy_boxes(vni_live_greedy* live, const vni_boxes* boxes, vn_detail* detail) {
    const vn_allocator* allocator = &live->allocator;
    const uint32_t count = live->voxel_count;
    live->of_voxel = VNI_NEW_ARRAY(allocator, uint32_t, count);
    live->boxes = (vni_greedy_box*)vni_alloc_zero(allocator, count, sizeof *live->boxes);
    live->free = VNI_NEW_ARRAY(allocator, uint32_t, count);
    live->fresh = VNI_NEW_ARRAY(allocator, uint32_t, count);
    if (live->of_voxel == NULL || live->boxes == NULL || live->free == NULL || live->fresh == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for greedily merged boxes of %u voxels", count);

    memset(live->of_voxel, 255, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < boxes->box_count; ++i) {
        live->boxes[i] = (vni_greedy_box){boxes->boxes[i], 0, 0, true};
        paint(live, &boxes->boxes[i], i);
    }

    live->box_limit = boxes->box_count;
    return VN_OK;
}

static void note_tree(vni_live_greedy* live, const vni_octree* tree) {
    live->leaves = tree->leaf_count;
    live->deepest = tree->deepest;
    live->root_edge = tree->root_edge;
    for (int i = 0; i < 3; ++i)
        live->roots[i] = tree->roots[i];
}

vn_status vni_live_greedy_make(const vn_allocator* allocator, const vni_occupancy* occupancy,
                               const vni_octree_def* def, vni_live_greedy* out, vn_detail* detail) {
    const int32_t* dims = occupancy->dims;
    const uint64_t voxels = (uint64_t)dims[0] * (uint64_t)dims[1] * (uint64_t)dims[2];
    *out = (vni_live_greedy){.allocator = *allocator, .dims = {dims[0], dims[1], dims[2]}};
    if (voxels > VNI_GREEDY_MAX_VOXELS)
        return vni_fail(detail, VN_TOO_LARGE,
                        "greedy merging keeps a table of all voxels, at most 2^24: use "
                        "larger voxels, or the merged octree");

    vni_octree tree;
    vni_boxes boxes = {0};
    out->voxel_count = (uint32_t)voxels;
    vn_status status = vni_octree_make(allocator, occupancy, def, &tree, detail);
    if (status == VN_OK)
        status = vni_boxes_merge(allocator, &tree, &boxes, detail);
    if (status == VN_OK)
        status = copy_boxes(out, &boxes, detail);
    if (status == VN_OK)
        note_tree(out, &tree);

    vni_boxes_free(&boxes);
    vni_octree_free(&tree);
    if (status != VN_OK)
        vni_live_greedy_free(out);
    return status;
}

void vni_live_greedy_free(vni_live_greedy* live) {
    const uint32_t count = live->voxel_count;
    if (count > 0) {
        VNI_DELETE_ARRAY(&live->allocator, live->of_voxel, count);
        VNI_DELETE_ARRAY(&live->allocator, live->boxes, count);
        VNI_DELETE_ARRAY(&live->allocator, live->free, count);
        VNI_DELETE_ARRAY(&live->allocator, live->fresh, count);
    }

    *live = (vni_live_greedy){0};
}
