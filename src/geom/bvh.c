/// geom/bvh.c: builds and searches the static hierarchy of boxes.
///
/// Nodes lie in depth-first order, parent, first subtree, second subtree: a query that goes down reads memory
/// forwards, and only the second child needs an index.
#include "geom/bvh.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/hash.h"
#include <string.h>

enum { LEAF_ITEMS = 4, STACK = 64 };

typedef struct centre {
    double at[3]; ///< min + max: twice the centre
} centre;

static bool boxes_touch(const vn_box* a, const vn_box* b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static vn_box box_around(vn_box a, const vn_box* b) {
    a.min.x = b->min.x < a.min.x ? b->min.x : a.min.x;
    a.min.y = b->min.y < a.min.y ? b->min.y : a.min.y;
    a.min.z = b->min.z < a.min.z ? b->min.z : a.min.z;
    a.max.x = b->max.x > a.max.x ? b->max.x : a.max.x;
    a.max.y = b->max.y > a.max.y ? b->max.y : a.max.y;
    a.max.z = b->max.z > a.max.z ? b->max.z : a.max.z;

    return a;
}

/// Nodes of the tree over `count` items, counted by levels: halving leaves only nodes of `size` and of `size`
/// + 1 items on a level, `small` and `large` of them.
static uint32_t count_nodes(uint32_t count) {
    uint64_t total = 0, size = count, small = 1, large = 0;
    while (size > LEAF_ITEMS) {
        total += small + large;
        if (size & 1)
            large = small + 2 * large;
        else
            small = 2 * small + large;
        size /= 2;
    }

    total += small + large;
    if (size == LEAF_ITEMS)
        total += 2 * large;

    return (uint32_t)total;
}

typedef struct order {
    const centre* centres;
    int axis;
} order;

static bool comes_before(const order* by, uint32_t a, uint32_t b) {
    const double x = by->centres[a].at[by->axis], y = by->centres[b].at[by->axis];
    return x < y || (x == y && a < b);
}

static void swap(uint32_t* a, uint32_t* b) {
    const uint32_t t = *a;
    *a = *b;
    *b = t;
}

/// Picks a pivot, moves the items before it to its left and the others to its right, and returns its
/// position.
static uint32_t partition(uint32_t* items, uint32_t count, const order* by) {
    // A scattered pivot, so that no regular input makes this quadratic; and a fixed one, so that builds
    // repeat.
    swap(&items[vni_hash_mix(count) % count], &items[count - 1]);
    const uint32_t pivot = items[count - 1];
    uint32_t at = 0;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        if (comes_before(by, items[i], pivot))
            swap(&items[i], &items[at++]);
    }

    swap(&items[at], &items[count - 1]);
    return at;
}

/// Quickselect (Hoare 1961): reorders so that the first `half` items are the lowest.
static void split(uint32_t* items, uint32_t count, uint32_t half, const order* by) {
    VNI_ASSERT(half > 0 && half < count);

    while (count > 1) {
        const uint32_t at = partition(items, count, by);
        if (at == half)
            return;

        if (at > half) {
            count = at;
        } else {
            items += at + 1;
            count -= at + 1;
            half -= at + 1;
        }
    }
}

static int longest_axis(const centre* centres, const uint32_t* items, uint32_t count) {
    int best = 0;
    double best_length = -1;
    for (int axis = 0; axis < 3; ++axis) {
        double low = centres[items[0]].at[axis], high = low;
        for (uint32_t i = 1; i < count; ++i) {
            const double at = centres[items[i]].at[axis];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }

        if (high - low > best_length) {
            best = axis;
            best_length = high - low;
        }
    }

    return best;
}

static void sort_by_index(uint32_t* items, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        for (uint32_t j = i; j > 0 && items[j - 1] > items[j]; --j)
            swap(&items[j - 1], &items[j]);
    }
}

typedef struct range {
    uint32_t first, count;
    uint32_t parent; ///< the node whose second child this is, or UINT32_MAX
} range;

static vn_box box_of_items(const vn_box* boxes, const uint32_t* items, uint32_t count) {
    vn_box box = boxes[items[0]];
    for (uint32_t i = 1; i < count; ++i)
        box = box_around(box, &boxes[items[i]]);
    return box;
}

/// Writes the nodes depth first. The first child is pushed last, so that it comes next, at index + 1; the
/// second tells its parent where it is once it is reached.
static void build_nodes(vni_bvh* bvh, const vn_box* boxes, const centre* centres) {
    range stack[STACK];
    uint32_t depth = 0, node = 0;
    stack[depth++] = (range){0, bvh->item_count, UINT32_MAX};
    while (depth > 0) {
        const range r = stack[--depth];
        uint32_t* items = bvh->items + r.first;
        VNI_ASSERT(node < bvh->node_count && r.count > 0);

        if (r.parent != UINT32_MAX)
            bvh->nodes[r.parent].next_or_first = node;

        vni_bvh_node* out = &bvh->nodes[node];
        out->box = box_of_items(boxes, items, r.count);
        if (r.count <= LEAF_ITEMS) {
            // Partitioning leaves items of a leaf in any order: sorted, the tree is canonical.
            sort_by_index(items, r.count);
            out->next_or_first = r.first;
            out->count = r.count;
        } else {
            const order by = {centres, longest_axis(centres, items, r.count)};
            const uint32_t half = r.count / 2;
            split(items, r.count, half, &by);
            out->count = 0;
            VNI_ASSERT(depth + 2 <= STACK);
            stack[depth++] = (range){r.first + half, r.count - half, node};
            stack[depth++] = (range){r.first, half, UINT32_MAX};
        }

        ++node;
    }

    VNI_ASSERT(node == bvh->node_count);
}

static void set_centres(const vn_box* boxes, uint32_t count, centre* centres) {
    for (uint32_t i = 0; i < count; ++i) {
        const vn_box* b = &boxes[i];
        VNI_ASSERT(b->min.x <= b->max.x && b->min.y <= b->max.y && b->min.z <= b->max.z);
        centres[i].at[0] = (double)b->min.x + (double)b->max.x;
        centres[i].at[1] = (double)b->min.y + (double)b->max.y;
        centres[i].at[2] = (double)b->min.z + (double)b->max.z;
    }
}

vn_status vni_bvh_build(const vn_allocator* allocator, const vn_box* boxes, uint32_t count, vni_bvh* out) {
    VNI_ASSERT(out != NULL && (boxes != NULL || count == 0));

    *out = (vni_bvh){0};
    if (count == 0)
        return VN_OK;

    vni_bvh bvh = {.node_count = count_nodes(count), .item_count = count};
    bvh.nodes = VNI_NEW_ARRAY(allocator, vni_bvh_node, bvh.node_count);
    bvh.items = VNI_NEW_ARRAY(allocator, uint32_t, count);
    centre* centres = VNI_NEW_ARRAY(allocator, centre, count);
    if (bvh.nodes == NULL || bvh.items == NULL || centres == NULL) {
        VNI_DELETE_ARRAY(allocator, centres, count);
        vni_bvh_free(allocator, &bvh);
        return VN_OUT_OF_MEMORY;
    }

    for (uint32_t i = 0; i < count; ++i)
        bvh.items[i] = i;

    set_centres(boxes, count, centres);
    build_nodes(&bvh, boxes, centres);
    VNI_DELETE_ARRAY(allocator, centres, count);
    *out = bvh;
    return VN_OK;
}

vn_status vni_bvh_copy(const vn_allocator* allocator, const vni_bvh* bvh, vni_bvh* out) {
    *out = (vni_bvh){0};
    if (bvh->node_count == 0)
        return VN_OK;

    vni_bvh copy = *bvh;
    copy.nodes = VNI_NEW_ARRAY(allocator, vni_bvh_node, bvh->node_count);
    copy.items = VNI_NEW_ARRAY(allocator, uint32_t, bvh->item_count);
    if (copy.nodes == NULL || copy.items == NULL) {
        vni_bvh_free(allocator, &copy);
        return VN_OUT_OF_MEMORY;
    }

    memcpy(copy.nodes, bvh->nodes, bvh->node_count * sizeof *bvh->nodes);
    memcpy(copy.items, bvh->items, bvh->item_count * sizeof *bvh->items);
    *out = copy;
    return VN_OK;
}

/// Both children of a node come after it, so backwards they are done first.
void vni_bvh_refit(vni_bvh* bvh, const vn_box* boxes) {
    for (uint32_t i = bvh->node_count; i-- > 0;) {
        vni_bvh_node* node = &bvh->nodes[i];
        if (node->count > 0) {
            node->box = box_of_items(boxes, bvh->items + node->next_or_first, node->count);
            continue;
        }

        const vn_box children[2] = {bvh->nodes[i + 1].box, bvh->nodes[node->next_or_first].box};
        node->box = box_of_items(children, (const uint32_t[]){0, 1}, 2);
    }
}

void vni_bvh_free(const vn_allocator* allocator, vni_bvh* bvh) {
    VNI_ASSERT(bvh != NULL);
    VNI_DELETE_ARRAY(allocator, bvh->nodes, bvh->node_count);
    VNI_DELETE_ARRAY(allocator, bvh->items, bvh->item_count);
    *bvh = (vni_bvh){0};
}

size_t vni_bvh_bytes(const vni_bvh* bvh) {
    return bvh->node_count * sizeof *bvh->nodes + bvh->item_count * sizeof *bvh->items;
}

static bool visit_leaf(const vni_bvh* bvh, const vni_bvh_node* leaf, const vn_box* boxes, const vn_box* box,
                       vni_bvh_visit* visit, void* user) {
    for (uint32_t i = 0; i < leaf->count; ++i) {
        const uint32_t item = bvh->items[leaf->next_or_first + i];
        if (boxes_touch(&boxes[item], box) && !visit(user, item))
            return false;
    }
    return true;
}

void vni_bvh_query(const vni_bvh* bvh, const vn_box* boxes, const vn_box* box, vni_bvh_visit* visit,
                   void* user) {
    VNI_ASSERT(visit != NULL && box != NULL);

    uint32_t stack[STACK];
    uint32_t depth = 0;
    if (bvh->node_count > 0)
        stack[depth++] = 0;

    while (depth > 0) {
        const uint32_t index = stack[--depth];
        const vni_bvh_node* node = &bvh->nodes[index];
        if (!boxes_touch(&node->box, box))
            continue;

        if (node->count > 0) {
            if (!visit_leaf(bvh, node, boxes, box, visit, user))
                return;
        } else {
            VNI_ASSERT(depth + 2 <= STACK);
            // The first child is visited first, so items come in the order of the array.
            stack[depth++] = node->next_or_first;
            stack[depth++] = index + 1;
        }
    }
}
