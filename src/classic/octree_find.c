/// classic/octree_find.c: location codes, and finding leaves: by voxel, beside another, nearest to a point.
#include "classic/octree.h"

#include "classic/box_lists.h"
#include "geom/morton.h"
#include "geom/units.h"

/// Bits of the x axis in a Morton code.
#define AXIS_BITS UINT64_C(0x1249249249249249)

// --------------------------------------------------------------------------------------------------- codes

uint64_t vni_octree_code(const int32_t low[3], uint32_t level) {
    VNI_ASSERT(level <= 20 && low[0] >= 0 && low[1] >= 0 && low[2] >= 0);
    VNI_ASSERT(((uint32_t)(low[0] | low[1] | low[2]) & ((1u << level) - 1)) == 0);
    return vni_morton_encode((uint32_t)low[0], (uint32_t)low[1], (uint32_t)low[2]) << 1 | (uint64_t)1
                                                                                              << 3 * level;
}

/// The Morton code of the low corner.
static uint64_t morton_of(uint64_t code) {
    return (code & (code - 1)) >> 1;
}

static uint32_t level_of(uint64_t code) {
    VNI_ASSERT(vni_lowest_bit(code) % 3 == 0);
    return vni_lowest_bit(code) / 3;
}

uint32_t vni_octree_decode(uint64_t code, int32_t low[3]) {
    uint32_t x, y, z;
    vni_morton_decode(morton_of(code), &x, &y, &z);
    low[0] = (int32_t)x;
    low[1] = (int32_t)y;
    low[2] = (int32_t)z;
    return level_of(code);
}

/// Upwards, the bits of the axis are flipped from the cube's level up to and with the first that is 0;
/// downwards, the first that is 1. That is an addition whose carry runs through this axis alone. If no bit
/// stops a flip downwards, the cube lies at zero: flipping all bits would lead to the other end.
uint64_t vni_octree_code_beside(uint64_t code, uint32_t direction) {
    VNI_ASSERT(direction < 6);
    const uint32_t level = level_of(code);
    const uint64_t bits = AXIS_BITS << (direction >> 1), unit = (uint64_t)1 << (3 * level + (direction >> 1));
    const uint64_t morton = morton_of(code);
    if (!(direction & 1) && !(morton & bits))
        return 0;

    const uint64_t flipped = direction & 1 ? (morton | ~bits) + unit : (morton & bits) - unit;
    return ((morton & ~bits) | (flipped & bits)) << 1 | (uint64_t)1 << 3 * level;
}

vni_box vni_octree_code_box(const vni_octree* tree, uint64_t code) {
    vni_box box;
    const int32_t edge = 1 << vni_octree_decode(code, box.low);
    for (int i = 0; i < 3; ++i) {
        const int32_t dim = tree->occupancy->dims[i];
        box.high[i] = dim - box.low[i] < edge ? dim : box.low[i] + edge;
    }

    return box;
}

vni_box vni_octree_leaf_box(const vni_octree* tree, uint32_t leaf) {
    VNI_ASSERT(leaf < tree->leaf_count);
    return vni_octree_code_box(tree, tree->codes[leaf]);
}

// ----------------------------------------------------------------------------------------------- descending

static uint32_t root_at(const vni_octree* tree, const int32_t low[3]) {
    const int32_t x = low[0] >> tree->levels, y = low[1] >> tree->levels, z = low[2] >> tree->levels;
    VNI_ASSERT(x < tree->roots[0] && y < tree->roots[1] && z < tree->roots[2]);
    return (uint32_t)(x + tree->roots[0] * (y + tree->roots[1] * z));
}

static void root_low(const vni_octree* tree, uint32_t root, int32_t low[3]) {
    const uint32_t row = (uint32_t)tree->roots[0], layer = row * (uint32_t)tree->roots[1];
    low[0] = (int32_t)(root % row) << tree->levels;
    low[1] = (int32_t)(root % layer / row) << tree->levels;
    low[2] = (int32_t)(root / layer) << tree->levels;
}

uint32_t vni_octree_node_at(const vni_octree* tree, uint64_t code, uint32_t* level) {
    int32_t low[3];
    const uint32_t least = vni_octree_decode(code, low);
    if (!vni_occupancy_inside(tree->occupancy, low[0], low[1], low[2]))
        return UINT32_MAX;

    const uint64_t morton = morton_of(code);
    uint32_t node = root_at(tree, low), at = tree->levels;
    while (at > least && tree->nodes[node].children) {
        --at;
        node = tree->nodes[node].children + (uint32_t)(morton >> 3 * at & 7);
    }

    *level = at;
    return node;
}

uint32_t vni_octree_leaf_at(const vni_octree* tree, vn_voxel voxel) {
    if (!vni_occupancy_inside(tree->occupancy, voxel.x, voxel.y, voxel.z))
        return VNI_NO_LEAF;
    const int32_t low[3] = {voxel.x, voxel.y, voxel.z};
    uint32_t node = root_at(tree, low), at = tree->levels;
    while (tree->nodes[node].children) {
        --at;
        const uint32_t octant = ((uint32_t)voxel.x >> at & 1) | ((uint32_t)voxel.y >> at & 1) << 1 |
                                ((uint32_t)voxel.z >> at & 1) << 2;
        node = tree->nodes[node].children + octant;
    }

    return tree->nodes[node].leaf;
}

// ----------------------------------------------------------------------------------------------- neighbours

typedef struct visitor {
    const vni_octree* tree;
    vni_visit_leaf* visit;
    void* user;
    uint32_t axis, side; ///< which of a cube's children are wanted: those whose bit `axis` is `side`
} visitor;

/// Visits the leaves below a node that lie on the wanted side; false if the visit was stopped.
static bool visit_side(const visitor* v, uint32_t node) {
    const vni_octree_node* at = &v->tree->nodes[node];
    if (!at->children)
        return at->leaf == VNI_NO_LEAF || v->visit(v->user, at->leaf);

    for (uint32_t i = 0; i < 8; ++i)
        if ((i >> v->axis & 1) == v->side && !visit_side(v, at->children + i))
            return false;
    return true;
}

void vni_octree_visit_neighbours(const vni_octree* tree, uint32_t leaf, uint32_t direction,
                                 vni_visit_leaf* visit, void* user) {
    VNI_ASSERT(leaf < tree->leaf_count && direction < 6);

    const uint64_t code = vni_octree_code_beside(tree->codes[leaf], direction);
    if (!code)
        return;

    uint32_t level;
    const uint32_t node = vni_octree_node_at(tree, code, &level);
    const visitor v = {tree, visit, user, direction >> 1, !(direction & 1)};
    if (node != UINT32_MAX)
        visit_side(&v, node);
}

// ------------------------------------------------------------------------------------------------ in a
// region

typedef struct region_visit {
    const vni_octree* tree;
    const vni_box* region;
    vni_visit_leaf* visit;
    void* user;
} region_visit;

static bool meets_cube(const vni_box* region, const int32_t low[3], int32_t edge) {
    for (int i = 0; i < 3; ++i)
        if (region->low[i] >= low[i] + edge || region->high[i] <= low[i])
            return false;
    return true;
}

static bool visit_region(const region_visit* v, uint32_t node, const int32_t low[3], int32_t edge) {
    const vni_octree_node* at = &v->tree->nodes[node];
    if (!meets_cube(v->region, low, edge))
        return true;
    if (!at->children)
        return at->leaf == VNI_NO_LEAF || v->visit(v->user, at->leaf);

    const int32_t half = edge / 2;
    for (uint32_t i = 0; i < 8; ++i) {
        const int32_t corner[3] = {low[0] + (i & 1 ? half : 0), low[1] + (i & 2 ? half : 0),
                                   low[2] + (i & 4 ? half : 0)};
        if (!visit_region(v, at->children + i, corner, half))
            return false;
    }

    return true;
}

bool vni_octree_visit_in(const vni_octree* tree, const vni_box* region, vni_visit_leaf* visit, void* user) {
    // Cut to the space: leaves are cut too, and their cubes reach beyond.
    const int32_t* dims = tree->occupancy->dims;
    const vni_box space = {{0, 0, 0}, {dims[0], dims[1], dims[2]}}, inside = vni_box_cut(region, &space);
    const region_visit v = {tree, &inside, visit, user};
    const uint32_t count = (uint32_t)(tree->roots[0] * tree->roots[1] * tree->roots[2]);
    if (vni_box_is_empty(&inside))
        return true;

    for (uint32_t root = 0; root < count; ++root) {
        int32_t low[3];
        root_low(tree, root, low);
        if (!visit_region(&v, root, low, tree->root_edge))
            return false;
    }

    return true;
}

// --------------------------------------------------------------------------------------------------- nearest

typedef struct nearest {
    const vni_octree* tree;
    int64_t point[3]; ///< lattice
    uint64_t best;    ///< excess of the best leaf so far
    uint32_t leaf;
    uint32_t root, leaf_root; ///< at which it looks; of the best leaf
} nearest;

/// Distance along one axis from a point to [low, high]; 0 between them.
static uint64_t gap(int64_t at, int64_t low, int64_t high) {
    return (uint64_t)(at < low ? low - at : at > high ? at - high : 0);
}

/// How much the squared distance from the point to the cube, cut to the space, exceeds that to the space
/// itself. Unlike the distances, which may not fit, it is below 2^64 for all points: along an axis it is
/// inner * (inner + 2 outer) with inner <= 2^30 and outer <= 2^31.
static uint64_t excess_of(const nearest* n, const int32_t low[3], int32_t edge) {
    uint64_t sum = 0;
    for (int i = 0; i < 3; ++i) {
        const int64_t dim = n->tree->occupancy->dims[i];
        const int64_t high = low[i] + (int64_t)edge < dim ? low[i] + (int64_t)edge : dim;
        const uint64_t outer = gap(n->point[i], 0, vni_voxel_to_steps64(dim));
        const uint64_t inner =
            gap(n->point[i], vni_voxel_to_steps64(low[i]), vni_voxel_to_steps64(high)) - outer;
        sum += inner * (inner + 2 * outer);
    }

    return sum;
}

/// The order of leaves, which their numbers need not follow (classic/live_octree.h).
static bool comes_before(const nearest* n, uint32_t leaf) {
    if (n->root != n->leaf_root)
        return n->root < n->leaf_root;
    return n->tree->codes[leaf] < n->tree->codes[n->leaf];
}

static void visit_near(nearest* n, uint32_t node, const int32_t low[3], int32_t edge);

/// The children of a cube, the one on the point's side of all three middles first.
static void visit_children(nearest* n, uint32_t first, const int32_t low[3], int32_t half) {
    uint32_t nearest_child = 0;
    for (uint32_t axis = 0; axis < 3; ++axis)
        nearest_child |= (uint32_t)(n->point[axis] >= vni_voxel_to_steps64(low[axis] + half)) << axis;

    for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t child = i ^ nearest_child;
        int32_t corner[3];
        for (uint32_t axis = 0; axis < 3; ++axis)
            corner[axis] = low[axis] + (child >> axis & 1 ? half : 0);
        visit_near(n, first + child, corner, half);
    }
}

static void visit_near(nearest* n, uint32_t node, const int32_t low[3], int32_t edge) {
    const vni_octree_node* at = &n->tree->nodes[node];
    if (!at->children && at->leaf == VNI_NO_LEAF)
        return;

    const uint64_t excess = excess_of(n, low, edge);
    if (excess > n->best)
        return;

    if (at->children) {
        visit_children(n, at->children, low, edge / 2);
    } else if (n->leaf == VNI_NO_LEAF || excess < n->best || comes_before(n, at->leaf)) {
        n->best = excess;
        n->leaf = at->leaf;
        n->leaf_root = n->root;
    }
}

static void visit_root(nearest* n, uint32_t root) {
    const vni_octree* tree = n->tree;
    int32_t low[3];
    root_low(tree, root, low);
    n->root = root;
    visit_near(n, root, low, tree->root_edge);
}

/// The root that holds the point of the space nearest to the point.
static uint32_t root_near(const nearest* n) {
    int32_t voxel[3];
    for (int i = 0; i < 3; ++i) {
        const int64_t at = n->point[i] < 0 ? 0 : n->point[i] / VN_LATTICE;
        const int32_t last = n->tree->occupancy->dims[i] - 1;
        voxel[i] = at < last ? (int32_t)at : last;
    }

    return root_at(n->tree, voxel);
}

static double distance2_to(const vni_octree* tree, uint32_t leaf, const int64_t point[3]) {
    const vni_box box = vni_octree_leaf_box(tree, leaf);
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        const double distance =
            (double)gap(point[i], vni_voxel_to_steps64(box.low[i]), vni_voxel_to_steps64(box.high[i]));
        sum += distance * distance;
    }

    return sum;
}

uint32_t vni_octree_nearest(const vni_octree* tree, vn_point point, double* distance2) {
    nearest n = {tree, {point.x, point.y, point.z}, UINT64_MAX, VNI_NO_LEAF, 0, 0};
    if (tree->leaf_count == 0)
        return VNI_NO_LEAF;

    const uint32_t first = root_near(&n);
    const uint32_t count = (uint32_t)(tree->roots[0] * tree->roots[1] * tree->roots[2]);
    visit_root(&n, first);
    for (uint32_t root = 0; root < count; ++root)
        if (root != first)
            visit_root(&n, root);

    VNI_ASSERT(n.leaf == VNI_NO_LEAF || n.leaf < tree->leaf_count);

    if (distance2 != NULL && n.leaf != VNI_NO_LEAF)
        *distance2 = distance2_to(tree, n.leaf, n.point);

    return n.leaf;
}
