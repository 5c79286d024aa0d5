/// classic/merge.c: greedy merging of an octree's leaves to larger boxes.
///
/// Massonnat's algorithm 2 takes the cells from a stack in no particular order. Here each box, in the order
/// of the leaves, grows until it is stuck, by one neighbour at a time on its six sides in turn: always the
/// same boxes, and on real maps 5 to 10 % fewer than random orders give. A box that is stuck can only get a
/// new partner when that one grows, and then the growing one finds it. So one round over all boxes is enough.
#include "base/alloc.h"
#include "base/fail.h"
#include "base/sets.h"
#include "classic/boxes.h"
#include <string.h>

/// Boxes by leaf, as sets of leaves: what counts is the box at the root of a set, its lowest leaf.
typedef struct merger {
    const vni_octree* tree;
    uint32_t* parents;
    vni_box* boxes;
} merger;

/// The sides in the order in which boxes grow, as directions of vni_octree_code_beside. Horizontal ones first
/// (y is up): of the six orders of the axes the one with the fewest boxes on real maps in total.
static const uint32_t side_order[6] = {4, 5, 0, 1, 2, 3};

/// The leaf that holds the low corner of a box's face, on the other side.
static uint32_t leaf_beyond(const merger* m, const vni_box* box, uint32_t direction) {
    int32_t at[3] = {box->low[0], box->low[1], box->low[2]};
    const uint32_t axis = direction >> 1;
    at[axis] = direction & 1 ? box->high[axis] : box->low[axis] - 1;
    const vn_voxel voxel = {at[0], at[1], at[2]};
    return vni_octree_leaf_at(m->tree, voxel);
}

static bool share_whole_side(const vni_box* a, const vni_box* b, uint32_t axis) {
    for (uint32_t i = 0; i < 3; ++i)
        if (i != axis && (a->low[i] != b->low[i] || a->high[i] != b->high[i]))
            return false;
    return true;
}

/// The box across a side if it can be merged; VNI_NO_LEAF.
static uint32_t partner(const merger* m, uint32_t box, uint32_t direction) {
    const uint32_t leaf = leaf_beyond(m, &m->boxes[box], direction);
    if (leaf == VNI_NO_LEAF)
        return VNI_NO_LEAF;
    const uint32_t other = vni_sets_find(m->parents, leaf);
    VNI_ASSERT(other != box);
    return share_whole_side(&m->boxes[box], &m->boxes[other], direction >> 1) ? other : VNI_NO_LEAF;
}

static uint32_t merge(merger* m, uint32_t a, uint32_t b) {
    VNI_ASSERT(a != b && m->parents[a] == a && m->parents[b] == b);
    const vni_box* other = &m->boxes[a > b ? a : b];
    vni_box* box = &m->boxes[vni_sets_join(m->parents, a, b)];
    for (int i = 0; i < 3; ++i) {
        box->low[i] = other->low[i] < box->low[i] ? other->low[i] : box->low[i];
        box->high[i] = other->high[i] > box->high[i] ? other->high[i] : box->high[i];
    }

    return a < b ? a : b;
}

/// Until all six sides in a row have no partner.
static void grow_box(merger* m, uint32_t box) {
    uint32_t stuck = 0;
    for (uint32_t at = 0; stuck < 6; at = at == 5 ? 0 : at + 1) {
        const uint32_t other = partner(m, box, side_order[at]);
        if (other == VNI_NO_LEAF) {
            ++stuck;
        } else {
            box = merge(m, box, other);
            stuck = 0;
        }
    }
}

static void merge_all(merger* m) {
    for (uint32_t leaf = 0; leaf < m->tree->leaf_count; ++leaf) {
        m->parents[leaf] = leaf;
        m->boxes[leaf] = vni_octree_leaf_box(m->tree, leaf);
    }

    for (uint32_t leaf = 0; leaf < m->tree->leaf_count; ++leaf)
        if (m->parents[leaf] == leaf)
            grow_box(m, leaf);
}

/// Turns the parents into numbers of boxes and moves the boxes to the front; returns how many there are. A
/// root is the lowest of its set: its number is set before the others need it.
static uint32_t number_boxes(merger* m) {
    uint32_t count = 0;
    for (uint32_t leaf = 0; leaf < m->tree->leaf_count; ++leaf)
        m->parents[leaf] = vni_sets_find(m->parents, leaf);

    for (uint32_t leaf = 0; leaf < m->tree->leaf_count; ++leaf) {
        if (m->parents[leaf] == leaf) {
            m->boxes[count] = m->boxes[leaf];
            m->parents[leaf] = count++;
        } else {
            m->parents[leaf] = m->parents[m->parents[leaf]];
        }
    }

    return count;
}

/// Boxes without portals; false if there is no memory.
static bool make_boxes(vni_boxes* boxes) {
    const vn_allocator* allocator = &boxes->allocator;
    const uint32_t leaves = boxes->tree->leaf_count;
    merger m = {boxes->tree, VNI_NEW_ARRAY(allocator, uint32_t, leaves),
                VNI_NEW_ARRAY(allocator, vni_box, leaves)};

    boxes->of_leaf = m.parents;
    if (m.parents != NULL && m.boxes != NULL) {
        merge_all(&m);
        boxes->box_count = number_boxes(&m);
        boxes->boxes = VNI_NEW_ARRAY(allocator, vni_box, boxes->box_count);
        if (boxes->boxes != NULL)
            memcpy(boxes->boxes, m.boxes, boxes->box_count * sizeof(vni_box));
    }

    VNI_DELETE_ARRAY(allocator, m.boxes, leaves);
    return leaves == 0 || boxes->boxes != NULL;
}

vn_status vni_boxes_merge(const vn_allocator* allocator, const vni_octree* tree, vni_boxes* out,
                          vn_detail* detail) {
    *out = (vni_boxes){.allocator = *allocator, .tree = tree};
    if (make_boxes(out))
        return VN_OK;

    vni_boxes_free(out);
    return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to merge %u leaves", tree->leaf_count);
}

vn_status vni_boxes_merged(const vn_allocator* allocator, const vni_octree* tree, vni_boxes* out,
                           vn_detail* detail) {
    vn_status status = vni_boxes_merge(allocator, tree, out, detail);
    if (status == VN_OK)
        status = vni_boxes_link(out, detail);
    if (status != VN_OK)
        vni_boxes_free(out);

    return status;
}

// ------------------------------------------------------------------------------------------------ from
// numbers

static uint64_t volume_of(const vni_box* b) {
    return (uint64_t)(b->high[0] - b->low[0]) * (uint64_t)(b->high[1] - b->low[1]) *
           (uint64_t)(b->high[2] - b->low[2]);
}

/// The box around the leaves of each number, and how many voxels they have (`volumes`). False if the numbers
/// are not in order.
static bool gather_boxes(const vni_octree* tree, const uint32_t* numbers, vni_boxes* boxes,
                         uint64_t* volumes) {
    uint32_t seen = 0;
    for (uint32_t leaf = 0; leaf < tree->leaf_count; ++leaf) {
        const vni_box part = vni_octree_leaf_box(tree, leaf);
        if (numbers[leaf] > seen || numbers[leaf] >= boxes->box_count)
            return false;

        vni_box* box = &boxes->boxes[numbers[leaf]];
        if (numbers[leaf] == seen) {
            *box = part;
            volumes[seen] = 0;
            ++seen;
        }

        for (int i = 0; i < 3; ++i) {
            box->low[i] = part.low[i] < box->low[i] ? part.low[i] : box->low[i];
            box->high[i] = part.high[i] > box->high[i] ? part.high[i] : box->high[i];
        }

        volumes[numbers[leaf]] += volume_of(&part);
    }

    for (uint32_t i = 0; i < seen; ++i)
        if (volumes[i] != volume_of(&boxes->boxes[i]))
            return false;
    return seen == boxes->box_count;
}

vn_status vni_boxes_from_numbers(const vn_allocator* allocator, const vni_octree* tree,
                                 const uint32_t* numbers, uint32_t box_count, vni_boxes* out,
                                 vn_detail* detail) {
    *out = (vni_boxes){.allocator = *allocator, .tree = tree, .box_count = box_count};
    if (box_count > tree->leaf_count) {
        *out = (vni_boxes){0};
        return vni_fail(detail, VN_BAD_FORMAT, "the saved tree has more merged boxes than leaves");
    }

    uint64_t* volumes = VNI_NEW_ARRAY(allocator, uint64_t, box_count);
    out->boxes = VNI_NEW_ARRAY(allocator, vni_box, box_count);
    out->of_leaf = VNI_NEW_ARRAY(allocator, uint32_t, tree->leaf_count);
    vn_status status = VN_OK;
    if ((box_count > 0 && (volumes == NULL || out->boxes == NULL)) ||
        (tree->leaf_count > 0 && out->of_leaf == NULL))
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u merged boxes", box_count);
    else if (!gather_boxes(tree, numbers, out, volumes))
        status = vni_fail(detail, VN_BAD_FORMAT, "the merged boxes of the saved tree are no boxes: build it");
    else if (tree->leaf_count > 0)
        memcpy(out->of_leaf, numbers, tree->leaf_count * sizeof *numbers);

    VNI_DELETE_ARRAY(allocator, volumes, box_count);
    if (status != VN_OK)
        vni_boxes_free(out);
    return status;
}
