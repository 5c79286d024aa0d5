/// classic/boxes.c: the leaves of an octree as boxes, and the portals between boxes.
#include "classic/boxes.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "geom/units.h"
#include "geom/vec.h"
#include <string.h>

typedef uint32_t pair[2];

/// Pairs of boxes that touch, before they become portals.
typedef struct linker {
    const vni_boxes* boxes;
    pair* pairs;
    uint64_t count, capacity;
} linker;

// ----------------------------------------------------------------------------------------------- who touches

static uint32_t box_of(const vni_boxes* boxes, uint32_t leaf) {
    return boxes->of_leaf != NULL ? boxes->of_leaf[leaf] : leaf;
}

/// The leaf of equal or larger size across a face, if it is for this leaf to name the pair: of two equal ones
/// the lower does, else the smaller. VNI_NO_LEAF.
static uint32_t leaf_across(const vni_octree* tree, uint32_t leaf, uint32_t direction) {
    const uint64_t code = tree->codes[leaf], beside = vni_octree_code_beside(code, direction);
    uint32_t level;
    const uint32_t node = beside ? vni_octree_node_at(tree, beside, &level) : UINT32_MAX;
    if (node == UINT32_MAX)
        return VNI_NO_LEAF;

    const uint32_t other = tree->nodes[node].leaf;
    const bool is_equal = other != VNI_NO_LEAF && level == vni_lowest_bit(code) / 3;
    return is_equal && !(direction & 1) ? VNI_NO_LEAF : other;
}

/// The pairs of one leaf; those inside a box do not count.
static vn_status add_pairs(linker* l, uint32_t leaf) {
    for (uint32_t direction = 0; direction < 6; ++direction) {
        const uint32_t other = leaf_across(l->boxes->tree, leaf, direction);
        if (other == VNI_NO_LEAF)
            continue;

        const uint32_t a = box_of(l->boxes, leaf), b = box_of(l->boxes, other);
        if (a == b)
            continue;
        if (l->count == VNI_BOXES_MAX_PORTALS)
            return VN_TOO_LARGE;
        if (!vni_grow(&l->boxes->allocator, &l->pairs, &l->capacity, l->count + 1, sizeof(pair)))
            return VN_OUT_OF_MEMORY;

        l->pairs[l->count][0] = direction & 1 ? a : b;
        l->pairs[l->count++][1] = direction & 1 ? b : a;
    }

    return VN_OK;
}

static vn_status add_all_pairs(linker* l) {
    vn_status status = VN_OK;
    for (uint32_t leaf = 0; status == VN_OK && leaf < l->boxes->tree->leaf_count; ++leaf)
        status = add_pairs(l, leaf);
    return status;
}

// ------------------------------------------------------------------------------------------------- ordering

/// Sorts by one of the two boxes; equals stay in order. `starts` has a capacity of box_count + 1.
static void sort_pairs(pair* pairs, uint64_t count, uint32_t side, uint32_t box_count, uint32_t* starts,
                       pair* out) {
    memset(starts, 0, ((size_t)box_count + 1) * sizeof *starts);
    for (uint64_t i = 0; i < count; ++i)
        ++starts[pairs[i][side] + 1];

    for (uint32_t box = 0; box < box_count; ++box)
        starts[box + 1] += starts[box];

    for (uint64_t i = 0; i < count; ++i)
        memcpy(out[starts[pairs[i][side]]++], pairs[i], sizeof(pair));
}

static uint64_t drop_repeated(pair* pairs, uint64_t count) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; ++i)
        if (kept == 0 || memcmp(pairs[kept - 1], pairs[i], sizeof(pair)) != 0)
            memmove(pairs[kept++], pairs[i], sizeof(pair));
    return kept;
}

/// The pairs in order, each once.
static bool order_pairs(linker* l, uint32_t* starts) {
    const vn_allocator* allocator = &l->boxes->allocator;
    pair* other = VNI_NEW_ARRAY(allocator, pair, l->count);
    if (other == NULL && l->count)
        return false;

    sort_pairs(l->pairs, l->count, 1, l->boxes->box_count, starts, other);
    sort_pairs(other, l->count, 0, l->boxes->box_count, starts, l->pairs);
    VNI_DELETE_ARRAY(allocator, other, l->count);
    l->count = drop_repeated(l->pairs, l->count);
    return true;
}

/// The portals of each box; `first` is made, the other arrays are filled.
static void list_by_box(vni_boxes* boxes) {
    uint32_t* first = boxes->first;
    memset(first, 0, ((size_t)boxes->box_count + 1) * sizeof *first);
    for (uint32_t i = 0; i < boxes->portal_count; ++i)
        for (uint32_t side = 0; side < 2; ++side)
            ++first[boxes->portals[i][side]];

    for (uint32_t box = 0, sum = 0; box <= boxes->box_count; ++box) {
        sum += first[box];
        first[box] = sum;
    }

    VNI_ASSERT(first[boxes->box_count] == 2 * boxes->portal_count);

    for (uint32_t i = boxes->portal_count; i-- > 0;)
        for (uint32_t side = 0; side < 2; ++side)
            boxes->on_box[--first[boxes->portals[i][side]]] = i;
}

static vn_status link_pairs(linker* l, vni_boxes* boxes) {
    const vn_allocator* allocator = &boxes->allocator;
    const uint64_t starts = (uint64_t)boxes->box_count + 1;
    uint32_t* first = VNI_NEW_ARRAY(allocator, uint32_t, starts);
    bool done = first != NULL && order_pairs(l, first);
    pair* portals = done ? VNI_NEW_ARRAY(allocator, pair, l->count) : NULL;

    uint32_t* on_box = done ? VNI_NEW_ARRAY(allocator, uint32_t, 2 * l->count) : NULL;
    if (!done || (l->count && (portals == NULL || on_box == NULL))) {
        VNI_DELETE_ARRAY(allocator, first, starts);
        VNI_DELETE_ARRAY(allocator, portals, l->count);
        VNI_DELETE_ARRAY(allocator, on_box, 2 * l->count);
        return VN_OUT_OF_MEMORY;
    }

    if (l->count)
        memcpy(portals, l->pairs, (size_t)l->count * sizeof(pair));

    boxes->portals = portals;
    boxes->portal_count = (uint32_t)l->count;
    boxes->first = first;
    boxes->on_box = on_box;
    list_by_box(boxes);

    return VN_OK;
}

vn_status vni_boxes_link(vni_boxes* boxes, vn_detail* detail) {
    VNI_ASSERT(boxes->portals == NULL && boxes->first == NULL && boxes->on_box == NULL);

    linker l = {.boxes = boxes};
    vn_status status = add_all_pairs(&l);
    if (status == VN_OK)
        status = link_pairs(&l, boxes);

    VNI_DELETE_ARRAY(&boxes->allocator, l.pairs, l.capacity);
    if (status == VN_TOO_LARGE)
        return vni_fail(
            detail, status,
            "more than 2^30 faces between leaves of the octree: give a smaller greatest depth, or "
            "larger voxels");

    if (status != VN_OK)
        return vni_fail(detail, status, "no memory for the portals between %u boxes", boxes->box_count);
    return VN_OK;
}

// ---------------------------------------------------------------------------------------------- leaves, life

vn_status vni_boxes_from_leaves(const vn_allocator* allocator, const vni_octree* tree, vni_boxes* out,
                                vn_detail* detail) {
    vni_boxes boxes = {.allocator = *allocator, .tree = tree, .box_count = tree->leaf_count};
    *out = (vni_boxes){0};
    boxes.boxes = VNI_NEW_ARRAY(allocator, vni_box, boxes.box_count);
    if (boxes.boxes == NULL && boxes.box_count)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u boxes", boxes.box_count);

    for (uint32_t leaf = 0; leaf < tree->leaf_count; ++leaf)
        boxes.boxes[leaf] = vni_octree_leaf_box(tree, leaf);

    vn_status status = vni_boxes_link(&boxes, detail);
    if (status != VN_OK)
        vni_boxes_free(&boxes);
    else
        *out = boxes;

    return status;
}

void vni_boxes_free(vni_boxes* boxes) {
    if (boxes->tree != NULL) {
        const vn_allocator* allocator = &boxes->allocator;
        VNI_DELETE_ARRAY(allocator, boxes->boxes, boxes->box_count);
        VNI_DELETE_ARRAY(allocator, boxes->of_leaf, boxes->tree->leaf_count);
        VNI_DELETE_ARRAY(allocator, boxes->portals, boxes->portal_count);
        VNI_DELETE_ARRAY(allocator, boxes->first, (uint64_t)boxes->box_count + 1);
        VNI_DELETE_ARRAY(allocator, boxes->on_box, 2 * (uint64_t)boxes->portal_count);
    }

    *boxes = (vni_boxes){0};
}

size_t vni_boxes_bytes(const vni_boxes* boxes) {
    const size_t count = boxes->box_count, portals = boxes->portal_count;
    if (boxes->tree == NULL)
        return 0;
    return count * sizeof(vni_box) +
           (boxes->of_leaf != NULL ? boxes->tree->leaf_count * sizeof(uint32_t) : 0) +
           portals * (sizeof(pair) + 2 * sizeof(uint32_t)) + (count + 1) * sizeof(uint32_t);
}

// -------------------------------------------------------------------------------------------------- portals

vni_portal vni_boxes_portal(const vni_box* lower, const vni_box* upper) {
    int32_t axis = 0;
    while (axis < 2 && lower->high[axis] != upper->low[axis])
        ++axis;

    VNI_ASSERT(lower->high[axis] == upper->low[axis]);

    vni_portal portal = {.axis = axis, .plane = (float)upper->low[axis]};
    for (int i = 0; i < 2; ++i) {
        const int other = vni_other_axes[axis][i];
        const int32_t low = lower->low[other] > upper->low[other] ? lower->low[other] : upper->low[other];
        const int32_t high =
            lower->high[other] < upper->high[other] ? lower->high[other] : upper->high[other];
        VNI_ASSERT(low < high);
        portal.low[i] = (float)low;
        portal.high[i] = (float)high;
    }

    return portal;
}

static vn_point point_of(const int32_t at[3]) {
    const vn_point point = {at[0], at[1], at[2]};
    return point;
}

vn_point vni_box_centre(const vni_box* box) {
    int32_t at[3];
    for (int i = 0; i < 3; ++i)
        at[i] = vni_half_voxels_to_steps(box->low[i] + box->high[i]);
    return point_of(at);
}

vn_point vni_portal_centre(const vni_portal* portal) {
    int32_t at[3];
    at[portal->axis] = vni_voxel_to_steps((int32_t)portal->plane);
    for (int i = 0; i < 2; ++i)
        at[vni_other_axes[portal->axis][i]] =
            vni_half_voxels_to_steps((int32_t)portal->low[i] + (int32_t)portal->high[i]);
    return point_of(at);
}
