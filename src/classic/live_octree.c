/// classic/live_octree.c: an update in two steps. The *plan* walks from the roots to what changed and back,
/// and lists the leaves that go and come, without touching the tree; then the leaves are taken out and put
/// in. So a failure in the plan has changed nothing, and one while putting in is undone with the nodes that
/// taking out has set free.
#include "classic/live_octree.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "classic/cube_state.h"

#include <string.h>

#define NODE_BYTES sizeof(vni_octree_node)
#define NO_NODE    UINT32_MAX
#define MAX_LEVELS 21

// ---------------------------------------------------------------------------------------------------- life

static vn_status adopt(vni_live_octree* live, const vni_octree_def* def, vn_detail* detail) {
    const vni_octree* tree = &live->tree;
    live->node_capacity = tree->node_count;
    live->code_capacity = tree->leaf_count;
    live->min_depth = def->min_depth;
    if (vni_grow(&tree->allocator, &live->free_leaves, &live->free_capacity, tree->leaf_count,
                 sizeof(uint32_t)))
        return VN_OK;

    vni_live_octree_free(live);
    return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for an octree that follows changes");
}

vn_status vni_live_octree_make(const vn_allocator* allocator, const vni_occupancy* occupancy,
                               const vni_octree_def* def, vni_live_octree* out, vn_detail* detail) {
    *out = (vni_live_octree){0};
    const vn_status status = vni_octree_make(allocator, occupancy, def, &out->tree, detail);
    return status == VN_OK ? adopt(out, def, detail) : status;
}

vn_status vni_live_octree_adopt(vni_octree* tree, const vni_octree_def* def, vni_live_octree* out,
                                vn_detail* detail) {
    *out = (vni_live_octree){.tree = *tree};
    *tree = (vni_octree){0};
    return adopt(out, def, detail);
}

vn_status vni_live_octree_make_opened(const vn_allocator* allocator, const vni_occupancy* before,
                                      const vni_octree_def* def, vni_live_octree* out, vn_detail* detail) {
    *out = (vni_live_octree){0};
    const vn_status status = vni_octree_make_empty(allocator, before, def, &out->tree, detail);
    out->opened = before;
    return status == VN_OK ? adopt(out, def, detail) : status;
}

void vni_live_octree_free(vni_live_octree* live) {
    const vn_allocator allocator = live->tree.allocator;
    if (live->tree.nodes != NULL) {
        VNI_DELETE_ARRAY(&allocator, live->tree.nodes, live->node_capacity);
        VNI_DELETE_ARRAY(&allocator, live->tree.codes, live->code_capacity);
        VNI_DELETE_ARRAY(&allocator, live->changes, live->change_capacity);
        VNI_DELETE_ARRAY(&allocator, live->free_leaves, live->free_capacity);
        VNI_DELETE_ARRAY(&allocator, live->went.at, live->went.capacity);
        VNI_DELETE_ARRAY(&allocator, live->came.at, live->came.capacity);
    }

    *live = (vni_live_octree){0};
}

size_t vni_live_octree_bytes(const vni_live_octree* live) {
    const uint64_t codes = live->code_capacity + live->went.capacity + live->came.capacity;
    return (size_t)live->node_capacity * NODE_BYTES + (size_t)codes * sizeof(uint64_t) +
           (size_t)live->change_capacity * sizeof(vni_box) + (size_t)live->free_capacity * sizeof(uint32_t);
}

// ---------------------------------------------------------------------------------------------------- plan

typedef struct planner {
    vni_live_octree* live; ///< only its lists `went` and `came` are written to
    const vni_occupancy* now;
    bool failed; ///< no memory
} planner;

/// What a cube is before the update.
typedef enum past {
    WAS_NOTHING, ///< no leaf below
    WAS_PART,    ///< of a leaf above
    WAS_LEAF,
    WAS_SPLIT
} past;

/// What becomes of it.
typedef enum outcome { OUTSIDE, NOTHING, OLD_LEAF, NEW_LEAF, PARTS } outcome;

typedef struct cube {
    int32_t low[3];
    uint32_t depth;
    uint32_t node; ///< NO_NODE below the tree's end
    past past;
} cube;

static int32_t edge_of(const planner* p, const cube* c) {
    return p->live->tree.root_edge >> c->depth;
}

static vni_box box_of(const planner* p, const cube* c) {
    vni_box box;
    for (int i = 0; i < 3; ++i) {
        const int32_t dim = p->now->dims[i], high = c->low[i] + edge_of(p, c);
        box.low[i] = c->low[i];
        box.high[i] = high < dim ? high : dim;
    }

    return box;
}

static void add(planner* p, vni_code_list* list, uint64_t code) {
    if (vni_grow(&p->live->tree.allocator, &list->at, &list->capacity, (uint64_t)list->count + 1,
                 sizeof(uint64_t)))
        list->at[list->count++] = code;
    else
        p->failed = true;
}

static void goes(planner* p, uint32_t leaf) {
    add(p, &p->live->went, p->live->tree.codes[leaf]);
}

static outcome comes(planner* p, const cube* c) {
    add(p, &p->live->came, vni_octree_code(c->low, p->live->tree.levels - c->depth));
    return NEW_LEAF;
}

/// All leaves at and below a node.
static void all_go(planner* p, uint32_t node) {
    const vni_octree_node* at = &p->live->tree.nodes[node];
    if (at->leaf != VNI_NO_LEAF)
        goes(p, at->leaf);
    for (uint32_t i = 0; at->children && i < 8; ++i)
        all_go(p, at->children + i);
}

static past past_of(const vni_octree_node* node) {
    return node->children ? WAS_SPLIT : node->leaf != VNI_NO_LEAF ? WAS_LEAF : WAS_NOTHING;
}

static cube child_of(const planner* p, const cube* c, uint32_t number) {
    const int32_t half = edge_of(p, c) / 2;
    cube child = {.depth = c->depth + 1, .node = NO_NODE, .past = c->past};
    for (uint32_t axis = 0; axis < 3; ++axis)
        child.low[axis] = c->low[axis] + (number >> axis & 1 ? half : 0);

    if (c->past == WAS_SPLIT) {
        child.node = p->live->tree.nodes[c->node].children + number;
        child.past = past_of(&p->live->tree.nodes[child.node]);
    } else if (c->past == WAS_LEAF) {
        child.past = WAS_PART;
    }

    return child;
}

/// Of a cube without changes.
static outcome unchanged(planner* p, const cube* c) {
    switch (c->past) {
    case WAS_LEAF: return OLD_LEAF;
    case WAS_SPLIT: return PARTS;
    case WAS_PART: return comes(p, c);
    default: return NOTHING;
    }
}

static outcome all_free(planner* p, const cube* c) {
    if (c->past == WAS_LEAF)
        return OLD_LEAF;
    if (c->past == WAS_SPLIT)
        all_go(p, c->node);
    return comes(p, c);
}

static outcome all_blocked(planner* p, const cube* c) {
    if (c->past == WAS_LEAF || c->past == WAS_SPLIT)
        all_go(p, c->node);
    return NOTHING;
}

/// Of opened space, a voxel counts as free if it is so now and was not before. Where both times are mixed,
/// so is the answer, though it may turn out to be nothing.
static vni_cube_state state_of(const planner* p, const cube* c) {
    const int32_t edge = edge_of(p, c);
    const vni_cube_state now = vni_cube_state_of(p->now, c->low, edge);
    if (p->live->opened == NULL || now == VNI_CUBE_BLOCKED)
        return now;

    const vni_cube_state before = vni_cube_state_of(p->live->opened, c->low, edge);
    return before == VNI_CUBE_FREE                              ? VNI_CUBE_BLOCKED
           : before == VNI_CUBE_BLOCKED && now == VNI_CUBE_FREE ? VNI_CUBE_FREE
                                                                : VNI_CUBE_MIXED;
}

static outcome plan(planner* p, const cube* c, vni_box* changes, uint32_t count);

/// All children that lie in the space are leaves: one leaf instead of them. What the children added to the
/// list of leaves that come since `mark` is void.
static outcome join(planner* p, const cube* c, const outcome children[8], uint32_t mark) {
    p->live->came.count = mark;
    if (c->past == WAS_LEAF)
        return OLD_LEAF;

    for (uint32_t i = 0; i < 8; ++i)
        if (children[i] == OLD_LEAF)
            goes(p, p->live->tree.nodes[p->live->tree.nodes[c->node].children + i].leaf);
    return comes(p, c);
}

static outcome plan_children(planner* p, const cube* c, vni_box* changes, uint32_t count) {
    const uint32_t mark = p->live->came.count;
    outcome children[8];
    bool any = false, all = c->depth >= p->live->min_depth;
    for (uint32_t i = 0; i < 8; ++i) {
        const cube child = child_of(p, c, i);
        const vni_box box = box_of(p, &child);
        children[i] = vni_box_is_empty(&box)
                          ? OUTSIDE
                          : plan(p, &child, changes, vni_boxes_select(changes, count, &box));
        any |= children[i] > NOTHING;
        all &= children[i] == OUTSIDE || children[i] == OLD_LEAF || children[i] == NEW_LEAF;
    }

    if (all)
        return join(p, c, children, mark);
    if (c->past == WAS_LEAF)
        all_go(p, c->node);

    return any ? PARTS : NOTHING;
}

/// Cubes of whole blocks are always looked at through their children that changed: asking for all their
/// blocks would take time in proportion to the cube, not to the change.
static outcome plan(planner* p, const cube* c, vni_box* changes, uint32_t count) {
    if (p->failed)
        return NOTHING;
    if (count == 0)
        return unchanged(p, c);

    const bool is_last = c->depth == p->live->tree.max_depth;
    if (is_last || edge_of(p, c) < VNI_BLOCK_SIZE) {
        const vni_cube_state state = state_of(p, c);
        if (state == VNI_CUBE_FREE && c->depth >= p->live->min_depth)
            return all_free(p, c);
        if (state == VNI_CUBE_BLOCKED || is_last)
            return all_blocked(p, c);
    }

    return plan_children(p, c, changes, count);
}

static void plan_roots(planner* p, vni_box* changes, uint32_t count) {
    const vni_octree* tree = &p->live->tree;
    uint32_t node = 0;
    for (int32_t z = 0; z < tree->roots[2]; ++z)
        for (int32_t y = 0; y < tree->roots[1]; ++y)
            for (int32_t x = 0; x < tree->roots[0]; ++x, ++node) {
                const cube c = {{x << tree->levels, y << tree->levels, z << tree->levels},
                                0,
                                node,
                                past_of(&tree->nodes[node])};
                const vni_box box = box_of(p, &c);
                const uint32_t meeting = vni_boxes_select(changes, count, &box);
                if (meeting > 0)
                    plan(p, &c, changes, meeting);
            }
}

// ------------------------------------------------------------------------------------------- leaves in, out

static uint32_t root_of(const vni_octree* tree, const int32_t low[3]) {
    const int32_t x = low[0] >> tree->levels, y = low[1] >> tree->levels, z = low[2] >> tree->levels;
    return (uint32_t)(x + tree->roots[0] * (y + tree->roots[1] * z));
}

/// Which of the eight children leads on to a cube, at the level of the children.
static uint32_t octant_of(const int32_t low[3], uint32_t level) {
    return ((uint32_t)low[0] >> level & 1) | ((uint32_t)low[1] >> level & 1) << 1 |
           ((uint32_t)low[2] >> level & 1) << 2;
}

static bool are_empty(const vni_octree_node* eight) {
    for (uint32_t i = 0; i < 8; ++i)
        if (eight[i].children || eight[i].leaf != VNI_NO_LEAF)
            return false;
    return true;
}

/// Takes a leaf out of the tree, and the nodes above it that have no leaf any more. Returns its number.
static uint32_t take_out(vni_live_octree* live, uint64_t code) {
    vni_octree* tree = &live->tree;
    uint32_t path[MAX_LEVELS + 1], steps = 0;
    int32_t low[3];
    const uint32_t level = vni_octree_decode(code, low);
    path[0] = root_of(tree, low);
    for (uint32_t at = tree->levels; at > level; --at, ++steps) {
        VNI_ASSERT(tree->nodes[path[steps]].children != 0);
        path[steps + 1] = tree->nodes[path[steps]].children + octant_of(low, at - 1);
    }

    const uint32_t leaf = tree->nodes[path[steps]].leaf;
    VNI_ASSERT(leaf != VNI_NO_LEAF);
    tree->nodes[path[steps]].leaf = VNI_NO_LEAF;

    while (steps-- > 0) {
        const uint32_t children = tree->nodes[path[steps]].children;
        if (!are_empty(&tree->nodes[children]))
            break;
        tree->nodes[path[steps]].children = 0;
        tree->nodes[children].children = live->free_nodes;
        live->free_nodes = children;
        ++live->free_groups;
    }

    return leaf;
}

/// Makes sure that `groups` times eight nodes can be taken.
static vn_status reserve_nodes(vni_live_octree* live, uint32_t groups) {
    if (groups <= live->free_groups)
        return VN_OK;
    const uint64_t need = live->tree.node_count + 8 * (uint64_t)(groups - live->free_groups);
    if (need > VNI_OCTREE_MAX_NODES)
        return VN_TOO_LARGE;
    return vni_grow(&live->tree.allocator, &live->tree.nodes, &live->node_capacity, need, NODE_BYTES)
               ? VN_OK
               : VN_OUT_OF_MEMORY;
}

/// Eight empty nodes, which have been reserved.
static uint32_t take_nodes(vni_live_octree* live) {
    vni_octree* tree = &live->tree;
    uint32_t first = live->free_nodes;
    if (first != 0) {
        live->free_nodes = tree->nodes[first].children;
        --live->free_groups;
    } else {
        first = tree->node_count;
        tree->node_count += 8;
        VNI_ASSERT(tree->node_count <= live->node_capacity);
    }

    for (uint32_t i = 0; i < 8; ++i)
        tree->nodes[first + i] = (vni_octree_node){0, VNI_NO_LEAF};
    return first;
}

/// Puts a leaf in; on failure nothing has changed.
static vn_status put_in(vni_live_octree* live, uint64_t code, uint32_t leaf) {
    vni_octree* tree = &live->tree;
    int32_t low[3];
    const uint32_t level = vni_octree_decode(code, low);
    uint32_t node = root_of(tree, low), at = tree->levels;
    for (; at > level && tree->nodes[node].children; --at)
        node = tree->nodes[node].children + octant_of(low, at - 1);

    const vn_status status = reserve_nodes(live, at - level);
    if (status != VN_OK)
        return status;
    for (; at > level; --at) {
        const uint32_t children = take_nodes(live);
        tree->nodes[node].children = children;
        node = children + octant_of(low, at - 1);
    }

    VNI_ASSERT(!tree->nodes[node].children && tree->nodes[node].leaf == VNI_NO_LEAF);
    tree->nodes[node].leaf = leaf;
    tree->codes[leaf] = code;
    return VN_OK;
}

/// A leaf number, with capacity for its code; VNI_NO_LEAF if there is no memory.
static uint32_t take_number(vni_live_octree* live) {
    vni_octree* tree = &live->tree;
    if (live->free_count > 0)
        return live->free_leaves[--live->free_count];

    const uint64_t need = (uint64_t)tree->leaf_count + 1;
    if (!vni_grow(&tree->allocator, &tree->codes, &live->code_capacity, need, sizeof(uint64_t)) ||
        !vni_grow(&tree->allocator, &live->free_leaves, &live->free_capacity, need, sizeof(uint32_t)))
        return VNI_NO_LEAF;

    return tree->leaf_count++;
}

static void give_number(vni_live_octree* live, uint32_t leaf) {
    live->tree.codes[leaf] = 0;
    live->free_leaves[live->free_count++] = leaf;
}

static vn_status put_in_new(vni_live_octree* live, uint64_t code) {
    const uint32_t leaf = take_number(live);
    if (leaf == VNI_NO_LEAF)
        return VN_OUT_OF_MEMORY;

    const vn_status status = put_in(live, code, leaf);
    if (status != VN_OK)
        give_number(live, leaf);
    return status;
}

/// Leaf by leaf backwards; the nodes for that were in use before, and the numbers are where they were given
/// back to.
static vn_status swap(vni_live_octree* live, const vni_code_list* out, const vni_code_list* in) {
    for (uint32_t i = 0; i < out->count; ++i)
        give_number(live, take_out(live, out->at[i]));

    for (uint32_t i = 0; i < in->count; ++i) {
        const vn_status status = put_in_new(live, in->at[i]);
        if (status == VN_OK)
            continue;

        while (i-- > 0)
            give_number(live, take_out(live, in->at[i]));
        for (uint32_t k = out->count; k-- > 0;)
            put_in_new(live, out->at[k]);
        return status;
    }

    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- update

/// The changes as a copy that the plan may put into another order.
static bool copy_changes(vni_live_octree* live, const vni_box* changes, uint32_t count) {
    if (!vni_grow(&live->tree.allocator, &live->changes, &live->change_capacity, count, sizeof(vni_box)))
        return false;
    if (count > 0)
        memcpy(live->changes, changes, count * sizeof *changes);
    return true;
}

static void list_boxes(const vni_live_octree* live, const vni_code_list* codes, vni_box_lists* lists,
                       vni_box_list* list) {
    for (uint32_t i = 0; i < codes->count; ++i) {
        const vni_box box = vni_octree_code_box(&live->tree, codes->at[i]);
        const bool added = vni_box_lists_add(lists, list, &box);
        VNI_ASSERT(added); // it was reserved
        (void)added;
    }
}

vn_status vni_live_octree_update(vni_live_octree* live, const vni_occupancy* occupancy,
                                 const vni_box* changes, uint32_t change_count, vni_box_lists* out,
                                 vn_detail* detail) {
    live->went.count = live->came.count = 0;
    planner p = {live, occupancy, !copy_changes(live, changes, change_count)};
    if (!p.failed)
        plan_roots(&p, live->changes, change_count);
    if (p.failed || !vni_box_lists_reserve(out, live->went.count, live->came.count))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to update an octree");

    const vn_status status = swap(live, &live->went, &live->came);
    if (status == VN_TOO_LARGE)
        return vni_fail(
            detail, status,
            "an octree with more than 2^28 nodes: give a smaller greatest depth, or larger voxels");
    if (status != VN_OK)
        return vni_fail(detail, status, "no memory to update an octree");

    live->tree.occupancy = occupancy;
    list_boxes(live, &live->went, out, &out->went);
    list_boxes(live, &live->came, out, &out->came);
    return VN_OK;
}

// ------------------------------------------------------------------------------------------------ neighbours

typedef struct around {
    const vni_live_octree* live;
    const vni_box* box;
    vni_visit_box* visit;
    void* user;
} around;

static bool visit_around(void* user, uint32_t leaf) {
    const around* a = (const around*)user;
    const vni_box box = vni_octree_leaf_box(&a->live->tree, leaf);
    return !vni_box_touches(a->box, &box) || a->visit(a->user, &box);
}

bool vni_live_octree_neighbours(const vni_live_octree* live, const vni_box* box, vni_visit_box* visit,
                                void* user) {
    const vni_box region = vni_box_grown(box);
    around a = {live, box, visit, user};
    return vni_octree_visit_in(&live->tree, &region, visit_around, &a);
}
