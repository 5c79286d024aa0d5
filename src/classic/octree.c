/// classic/octree.c: builds an octree from the occupancy, from the roots down (Meagher, 1982; for paths in
/// volumes Albertini 2022 and Massonnat 2023).
#include "classic/octree.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "classic/cube_state.h"

#define NODE_BYTES sizeof(vni_octree_node)

typedef struct maker {
    vni_octree* tree;
    const uint64_t* codes; ///< null, or: the leaves that are expected
    uint32_t next, count;  ///< the first that has not been placed
    uint64_t volume;       ///< voxels of leaves from codes
    uint64_t node_capacity, code_capacity;
    uint32_t min_depth;
    vn_status status; ///< the first failure
} maker;

// ----------------------------------------------------------------------------------------------- growing

static bool fail_with(maker* m, vn_status status) {
    m->status = status;
    return false;
}

/// Adds nodes without children; true if the capacity allows it.
static bool add_nodes(maker* m, uint32_t count) {
    vni_octree* tree = m->tree;
    if (tree->node_count + count > VNI_OCTREE_MAX_NODES)
        return fail_with(m, VN_TOO_LARGE);
    if (!vni_grow(&tree->allocator, &tree->nodes, &m->node_capacity, tree->node_count + count, NODE_BYTES))
        return fail_with(m, VN_OUT_OF_MEMORY);

    for (uint32_t i = 0; i < count; ++i)
        tree->nodes[tree->node_count++] = (vni_octree_node){0, VNI_NO_LEAF};

    return true;
}

static bool add_leaf(maker* m, uint32_t node, const int32_t low[3], uint32_t depth) {
    vni_octree* tree = m->tree;
    VNI_ASSERT(tree->nodes[node].children == 0 && tree->nodes[node].leaf == VNI_NO_LEAF);

    if (!vni_grow(&tree->allocator, &tree->codes, &m->code_capacity, tree->leaf_count + 1, sizeof(uint64_t)))
        return fail_with(m, VN_OUT_OF_MEMORY);
    tree->codes[tree->leaf_count] = vni_octree_code(low, tree->levels - depth);
    tree->nodes[node].leaf = tree->leaf_count++;
    if (tree->deepest < depth)
        tree->deepest = depth;

    return true;
}

static bool fill_node(maker* m, uint32_t node, const int32_t low[3], uint32_t depth);

/// Gives a node its children; takes them back if none has a leaf.
static bool split(maker* m, uint32_t node, const int32_t low[3], uint32_t depth) {
    vni_octree* tree = m->tree;
    const uint32_t first = tree->node_count;
    const int32_t half = tree->root_edge >> (depth + 1);
    if (!add_nodes(m, 8))
        return false;

    // Bit `axis` of a child's number says whether it lies in the upper half. vni_grow may move the nodes
    // meanwhile, so indices are kept, not pointers.
    bool any = false;
    for (uint32_t i = 0; i < 8; ++i) {
        int32_t corner[3];
        for (uint32_t axis = 0; axis < 3; ++axis)
            corner[axis] = low[axis] + (i >> axis & 1 ? half : 0);
        any |= fill_node(m, first + i, corner, depth + 1);
        if (m->status != VN_OK)
            return false;
    }

    // Without a leaf below, every grandchild has been taken back before: these eight are the last nodes.
    if (any)
        tree->nodes[node].children = first;
    else
        tree->node_count = first;

    return any;
}

/// Makes the tree below a node that is there; false if it has no leaf, or on failure. Recursion ends at the
/// voxel, 20 levels down at the most.
static bool fill_node(maker* m, uint32_t node, const int32_t low[3], uint32_t depth) {
    const vni_octree* tree = m->tree;
    VNI_ASSERT(depth <= tree->max_depth && node < tree->node_count);

    if (!vni_occupancy_inside(tree->occupancy, low[0], low[1], low[2]))
        return false;
    const vni_cube_state what = vni_cube_state_of(tree->occupancy, low, tree->root_edge >> depth);
    if (what == VNI_CUBE_FREE && depth >= m->min_depth)
        return add_leaf(m, node, low, depth);
    if (what == VNI_CUBE_BLOCKED || depth == tree->max_depth)
        return false;

    return split(m, node, low, depth);
}

// -------------------------------------------------------------------------------------------------- codes

/// Does a cube hold the next code? Codes that begin as the cube's do lie between its first and last voxel.
static bool holds_next(const maker* m, const int32_t low[3], uint32_t level) {
    const uint64_t first = vni_octree_code(low, 0), size = (uint64_t)2 << 3 * level;
    return m->next < m->count && m->codes[m->next] - (first & ~(uint64_t)1) < size;
}

static uint64_t volume_of(const vni_box* b) {
    return (uint64_t)(b->high[0] - b->low[0]) * (uint64_t)(b->high[1] - b->low[1]) *
           (uint64_t)(b->high[2] - b->low[2]);
}

static bool place_codes(maker* m, uint32_t node, const int32_t low[3], uint32_t depth);

/// Gives a node the children that the codes name. Eight leaves side by side would have been one.
static bool place_children(maker* m, uint32_t node, const int32_t low[3], uint32_t depth) {
    vni_octree* tree = m->tree;
    const uint32_t first = tree->node_count;
    const int32_t half = tree->root_edge >> (depth + 1);
    bool all = depth >= m->min_depth;
    if (!add_nodes(m, 8))
        return false;

    tree->nodes[node].children = first;
    for (uint32_t i = 0; i < 8; ++i) {
        const int32_t corner[3] = {low[0] + (i & 1 ? half : 0), low[1] + (i & 2 ? half : 0),
                                   low[2] + (i & 4 ? half : 0)};
        if (!vni_occupancy_inside(tree->occupancy, corner[0], corner[1], corner[2]))
            continue;
        if (!place_codes(m, first + i, corner, depth + 1))
            return false;
        all &= tree->nodes[first + i].leaf != VNI_NO_LEAF;
    }

    return !all || fail_with(m, VN_BAD_FORMAT);
}

/// Places the codes that lie in a cube; false on failure.
static bool place_codes(maker* m, uint32_t node, const int32_t low[3], uint32_t depth) {
    const vni_octree* tree = m->tree;
    const uint32_t level = tree->levels - depth;
    if (!holds_next(m, low, level))
        return true;

    if (m->codes[m->next] != vni_octree_code(low, level)) {
        const bool placed = depth < tree->levels && place_children(m, node, low, depth);
        if (m->status == VN_OK && (!placed || holds_next(m, low, level)))
            m->status = VN_BAD_FORMAT;
        return m->status == VN_OK;
    }

    const vni_box box = vni_octree_code_box(tree, m->codes[m->next]);
    ++m->next;
    m->volume += volume_of(&box);
    if (depth < m->min_depth ||
        vni_cube_state_of(tree->occupancy, low, tree->root_edge >> depth) != VNI_CUBE_FREE)
        return fail_with(m, VN_BAD_FORMAT);
    return add_leaf(m, node, low, depth);
}

// ------------------------------------------------------------------------------------------------- roots

static int32_t power_of_two_from(int32_t least) {
    int32_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

/// Chooses edge and number of the roots.
static void set_roots(vni_octree* tree, vni_octree_root root) {
    const int32_t* dims = tree->occupancy->dims;
    int32_t shortest = dims[0], longest = dims[0];
    for (int i = 1; i < 3; ++i) {
        shortest = dims[i] < shortest ? dims[i] : shortest;
        longest = dims[i] > longest ? dims[i] : longest;
    }

    // One cube around everything, or a grid of cubes with the shortest side's edge (a flat map then has no
    // deep levels above it). Too many roots: the edge is doubled until they fit.
    int64_t count;
    int32_t edge = power_of_two_from(root == VNI_ROOT_GCD ? shortest : longest) / 2;
    do {
        edge = edge ? 2 * edge : 1;
        for (int i = 0; i < 3; ++i)
            tree->roots[i] = (dims[i] + edge - 1) / edge;
        count = (int64_t)tree->roots[0] * tree->roots[1] * tree->roots[2];
    } while (count > VNI_OCTREE_MAX_ROOTS);

    tree->root_edge = edge;
    tree->levels = vni_highest_bit((uint64_t)edge);
    VNI_ASSERT(root == VNI_ROOT_GCD || count == 1);
}

static vn_status set_depths(vni_octree* tree, const vni_octree_def* def, vn_detail* detail) {
    if (def->min_depth > def->max_depth)
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "the least depth of the octree (%u) is greater than the greatest (%u): give one that "
                        "is not",
                        def->min_depth, def->max_depth);

    if (def->min_depth > tree->levels)
        return vni_fail(
            detail, VN_BAD_ARGUMENT,
            "the least depth of the octree is %u, but its cubes are single voxels at depth %u: give "
            "no greater one",
            def->min_depth, tree->levels);

    tree->max_depth = def->max_depth < tree->levels ? def->max_depth : tree->levels;
    return VN_OK;
}

static void fill_roots(maker* m) {
    vni_octree* tree = m->tree;
    uint32_t node = 0;
    for (int32_t z = 0; z < tree->roots[2]; ++z)
        for (int32_t y = 0; y < tree->roots[1]; ++y)
            for (int32_t x = 0; x < tree->roots[0]; ++x) {
                const int32_t low[3] = {x * tree->root_edge, y * tree->root_edge, z * tree->root_edge};
                if (m->codes != NULL)
                    place_codes(m, node++, low, 0);
                else
                    fill_node(m, node++, low, 0);
                if (m->status != VN_OK)
                    return;
            }
}

/// Releases the unused capacity behind the last element; of an empty array all of it.
static bool trim(const vn_allocator* allocator, void** data, uint64_t capacity, uint64_t count, size_t size) {
    VNI_ASSERT(count <= capacity);

    if (count == capacity)
        return true;
    if (count == 0) {
        vni_free(allocator, *data, capacity, size);
        *data = NULL;
        return true;
    }

    void* block = allocator->resize(allocator->user, *data, (size_t)capacity * size, (size_t)count * size);
    if (block != NULL)
        *data = block;

    return block != NULL;
}

/// Makes both arrays as long as their counts, so that vni_octree_free can give them back.
static vn_status finish(maker* m) {
    vni_octree* tree = m->tree;
    void *nodes = tree->nodes, *codes = tree->codes;
    uint64_t node_count = tree->node_count, leaf_count = tree->leaf_count;
    if (m->status == VN_OK && !trim(&tree->allocator, &nodes, m->node_capacity, node_count, NODE_BYTES))
        m->status = VN_OUT_OF_MEMORY;
    if (m->status == VN_OK)
        m->node_capacity = node_count;
    if (m->status == VN_OK && !trim(&tree->allocator, &codes, m->code_capacity, leaf_count, sizeof(uint64_t)))
        m->status = VN_OUT_OF_MEMORY;

    if (m->status != VN_OK) {
        vni_free(&tree->allocator, nodes, m->node_capacity, NODE_BYTES);
        vni_free(&tree->allocator, codes, m->code_capacity, sizeof(uint64_t));
        return m->status;
    }

    VNI_ASSERT(nodes != NULL && (codes != NULL || leaf_count == 0));

    tree->nodes = nodes;
    tree->codes = codes;
    return VN_OK;
}

/// All codes have their place, and all free voxels are in leaves: free, disjoint, and none of them could be
/// larger.
static bool is_complete(const maker* m) {
    const vni_occupancy* o = m->tree->occupancy;
    const uint64_t voxels = (uint64_t)o->dims[0] * (uint64_t)o->dims[1] * (uint64_t)o->dims[2];
    return m->next == m->count && m->volume == voxels - o->blocked_voxels;
}

/// Roots and, if wanted, what is below them.
static vn_status make(const vn_allocator* allocator, const vni_occupancy* occupancy,
                      const vni_octree_def* def, maker m, bool filled, vni_octree* out, vn_detail* detail) {
    VNI_ASSERT(def->root == VNI_ROOT_CUBE || def->root == VNI_ROOT_GCD);

    vni_octree tree = {.allocator = *allocator, .occupancy = occupancy};
    *out = (vni_octree){0};
    set_roots(&tree, def->root);
    vn_status status = set_depths(&tree, def, detail);
    if (status != VN_OK)
        return status;

    m.tree = &tree;
    m.min_depth = def->min_depth;
    if (add_nodes(&m, (uint32_t)(tree.roots[0] * tree.roots[1] * tree.roots[2])) && filled)
        fill_roots(&m);
    if (m.status == VN_OK && m.codes != NULL && !is_complete(&m))
        m.status = VN_BAD_FORMAT;
    status = finish(&m);
    if (status == VN_BAD_FORMAT)
        return vni_fail(detail, status,
                        "the leaves of the saved octree are not those of the space: build it");
    if (status == VN_TOO_LARGE)
        return vni_fail(
            detail, status,
            "an octree with more than 2^28 nodes: give a smaller greatest depth, or larger voxels");

    if (status != VN_OK)
        return vni_fail(detail, status, "no memory for an octree of %u nodes and more", tree.node_count);
    *out = tree;
    return VN_OK;
}

vn_status vni_octree_make(const vn_allocator* allocator, const vni_occupancy* occupancy,
                          const vni_octree_def* def, vni_octree* out, vn_detail* detail) {
    return make(allocator, occupancy, def, (maker){.status = VN_OK}, true, out, detail);
}

vn_status vni_octree_make_empty(const vn_allocator* allocator, const vni_occupancy* occupancy,
                                const vni_octree_def* def, vni_octree* out, vn_detail* detail) {
    return make(allocator, occupancy, def, (maker){.status = VN_OK}, false, out, detail);
}

vn_status vni_octree_from_codes(const vn_allocator* allocator, const vni_occupancy* occupancy,
                                const vni_octree_def* def, const uint64_t* codes, uint32_t count,
                                vni_octree* out, vn_detail* detail) {
    VNI_ASSERT(def->max_depth >= VNI_OCTREE_MAX_LEVELS && codes != NULL);
    const maker m = {.codes = codes, .count = count, .status = VN_OK};
    return make(allocator, occupancy, def, m, true, out, detail);
}

void vni_octree_free(vni_octree* tree) {
    if (tree->nodes != NULL) {
        VNI_DELETE_ARRAY(&tree->allocator, tree->nodes, tree->node_count);
        VNI_DELETE_ARRAY(&tree->allocator, tree->codes, tree->leaf_count);
    }
    *tree = (vni_octree){0};
}

size_t vni_octree_bytes(const vni_octree* tree) {
    return tree->node_count * NODE_BYTES + tree->leaf_count * sizeof(uint64_t);
}
