/// geom/tree.c: inserts into, removes from and searches the dynamic hierarchy of boxes.
///
/// A new leaf goes down to where the surface of the boxes grows least (after Goldsmith and Salmon 1987: the
/// surface of a box is proportional to the chance that a query meets it). Heights of siblings differ by at
/// most 1, as in the trees of Adelson-Velsky and Landis 1962, so that the depth stays below 1.45 log2 n.
#include "geom/tree.h"
#include "base/alloc.h"
#include "base/assert.h"

enum { STACK = 64 };

/// Height of a node on the free list, which is linked by `parent`.
#define FREE_NODE UINT32_MAX

static bool boxes_touch(const vn_box* a, const vn_box* b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static float lower(float a, float b) {
    return a < b ? a : b;
}

static float upper(float a, float b) {
    return a > b ? a : b;
}

static vn_box box_around(const vn_box* a, const vn_box* b) {
    const vn_box box = {
        {lower(a->min.x, b->min.x), lower(a->min.y, b->min.y), lower(a->min.z, b->min.z)},
        {upper(a->max.x, b->max.x), upper(a->max.y, b->max.y), upper(a->max.z, b->max.z)},
    };
    return box;
}

static bool boxes_equal(const vn_box* a, const vn_box* b) {
    return a->min.x == b->min.x && a->min.y == b->min.y && a->min.z == b->min.z && a->max.x == b->max.x &&
           a->max.y == b->max.y && a->max.z == b->max.z;
}

/// Half the surface of a box.
static double area(const vn_box* box) {
    const double x = (double)box->max.x - (double)box->min.x;
    const double y = (double)box->max.y - (double)box->min.y;
    const double z = (double)box->max.z - (double)box->min.z;
    return x * y + y * z + z * x;
}

static bool is_leaf(const vni_tree_node* node) {
    return node->left == VNI_TREE_NULL;
}

// ------------------------------------------------------------------------------------------------ nodes

vni_tree vni_tree_make(const vn_allocator* allocator) {
    VNI_ASSERT(vni_allocator_is_valid(allocator));
    vni_tree tree = {.allocator = *allocator, .free_list = VNI_TREE_NULL, .root = VNI_TREE_NULL};
    return tree;
}

void vni_tree_destroy(vni_tree* tree) {
    VNI_ASSERT(tree != NULL);
    VNI_DELETE_ARRAY(&tree->allocator, tree->nodes, tree->capacity);
    *tree = vni_tree_make(&tree->allocator);
}

/// An insertion takes two nodes: a leaf and an inner one. The free list may have them.
bool vni_tree_reserve(vni_tree* tree) {
    uint32_t ready = 0;
    for (uint32_t i = tree->free_list; i != VNI_TREE_NULL && ready < 2; i = tree->nodes[i].parent)
        ++ready;

    const uint64_t need = (uint64_t)tree->used + 2 - ready;
    if (need > VNI_TREE_NULL)
        return false;

    return need <= tree->capacity ||
           vni_grow(&tree->allocator, &tree->nodes, &tree->capacity, need, sizeof *tree->nodes);
}

static uint32_t take_node(vni_tree* tree) {
    uint32_t index = tree->free_list;
    if (index != VNI_TREE_NULL)
        tree->free_list = tree->nodes[index].parent;
    else
        index = tree->used++;

    VNI_ASSERT(index < tree->capacity);

    tree->nodes[index] =
        (vni_tree_node){.parent = VNI_TREE_NULL, .left = VNI_TREE_NULL, .right = VNI_TREE_NULL};
    return index;
}

static void return_node(vni_tree* tree, uint32_t index) {
    VNI_ASSERT(index < tree->used && tree->nodes[index].height != FREE_NODE);
    tree->nodes[index].height = FREE_NODE;
    tree->nodes[index].parent = tree->free_list;
    tree->free_list = index;
}

/// Links `with` to the parent of `index`, in its stead.
static void replace_child(vni_tree* tree, uint32_t index, uint32_t with) {
    const uint32_t parent = tree->nodes[index].parent;
    tree->nodes[with].parent = parent;
    if (parent == VNI_TREE_NULL)
        tree->root = with;
    else if (tree->nodes[parent].left == index)
        tree->nodes[parent].left = with;
    else
        tree->nodes[parent].right = with;
}

static void set_children(vni_tree* tree, uint32_t index, uint32_t left, uint32_t right) {
    tree->nodes[index].left = left;
    tree->nodes[index].right = right;
    tree->nodes[left].parent = index;
    tree->nodes[right].parent = index;
}

/// Recomputes box and height from the children.
static void refit(vni_tree* tree, uint32_t index) {
    vni_tree_node* node = &tree->nodes[index];
    VNI_ASSERT(!is_leaf(node));
    const vni_tree_node *left = &tree->nodes[node->left], *right = &tree->nodes[node->right];
    node->box = box_around(&left->box, &right->box);
    node->height = 1 + (left->height > right->height ? left->height : right->height);
}

// -------------------------------------------------------------------------------------------- balancing

/// Should grandchild `a` rather than `b` become the sibling of `sibling`? The lower one does; if heights are
/// equal, the one that makes the smaller box with it.
static bool goes_down(const vni_tree* tree, uint32_t a, uint32_t b, uint32_t sibling) {
    const vni_tree_node *node_a = &tree->nodes[a], *node_b = &tree->nodes[b];
    if (node_a->height != node_b->height)
        return node_a->height < node_b->height;
    const vn_box with_a = box_around(&node_a->box, &tree->nodes[sibling].box);
    const vn_box with_b = box_around(&node_b->box, &tree->nodes[sibling].box);
    return area(&with_a) < area(&with_b);
}

/// Swaps `index` with its child `high`. Returns `high`. Siblings have no order here, so the lower grandchild
/// can always be the one that goes down: a single rotation balances where ordered trees may need two.
///
///     index             high
///     +- low      ->    +- index
///     +- high           |  +- low
///        +- down        |  +- down
///        +- up          +- up
static uint32_t rotate(vni_tree* tree, uint32_t index, uint32_t high, uint32_t low) {
    uint32_t down = tree->nodes[high].left, up = tree->nodes[high].right;
    VNI_ASSERT(tree->nodes[high].height == tree->nodes[low].height + 2);

    if (!goes_down(tree, down, up, low)) {
        const uint32_t t = down;
        down = up;
        up = t;
    }

    replace_child(tree, index, high);
    set_children(tree, index, low, down);
    set_children(tree, high, index, up);
    refit(tree, index);
    refit(tree, high);

    return high;
}

/// Restores boxes, heights and balance from `index` up to the root.
static void repair_up(vni_tree* tree, uint32_t index) {
    while (index != VNI_TREE_NULL) {
        const uint32_t left = tree->nodes[index].left, right = tree->nodes[index].right;
        const uint32_t left_height = tree->nodes[left].height, right_height = tree->nodes[right].height;
        if (left_height > right_height + 1)
            index = rotate(tree, index, left, right);
        else if (right_height > left_height + 1)
            index = rotate(tree, index, right, left);
        else
            refit(tree, index);

        index = tree->nodes[index].parent;
    }
}

static double growth(const vni_tree_node* node, const vn_box* box) {
    const vn_box both = box_around(&node->box, box);
    return area(&both) - area(&node->box);
}

/// Descends into the child whose surface grows less; on a tie into the smaller one, then the left one.
static uint32_t find_sibling(const vni_tree* tree, const vn_box* box) {
    uint32_t index = tree->root;
    while (!is_leaf(&tree->nodes[index])) {
        const vni_tree_node* left = &tree->nodes[tree->nodes[index].left];
        const vni_tree_node* right = &tree->nodes[tree->nodes[index].right];
        const double by_left = growth(left, box), by_right = growth(right, box);
        const bool go_right =
            by_right < by_left || (by_right == by_left && area(&right->box) < area(&left->box));
        index = go_right ? tree->nodes[index].right : tree->nodes[index].left;
    }

    return index;
}

bool vni_tree_insert(vni_tree* tree, const vn_box* box, uint32_t item, uint32_t* leaf) {
    VNI_ASSERT(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z);
    VNI_ASSERT(leaf != NULL);

    if (!vni_tree_reserve(tree))
        return false;
    const uint32_t index = take_node(tree);
    tree->nodes[index].box = *box;
    tree->nodes[index].item = item;
    ++tree->leaf_count;

    *leaf = index;
    if (tree->root == VNI_TREE_NULL) {
        tree->root = index;
        return true;
    }

    // A new inner node replaces the sibling and has both as children.
    const uint32_t sibling = find_sibling(tree, box);
    const uint32_t parent = take_node(tree);
    replace_child(tree, sibling, parent);
    set_children(tree, parent, sibling, index);
    repair_up(tree, parent);

    return true;
}

void vni_tree_remove(vni_tree* tree, uint32_t leaf) {
    VNI_ASSERT(leaf < tree->used && tree->nodes[leaf].height == 0);

    const uint32_t parent = tree->nodes[leaf].parent;
    if (parent == VNI_TREE_NULL) {
        tree->root = VNI_TREE_NULL;
    } else {
        // The parent goes too: the sibling takes its position.
        const uint32_t left = tree->nodes[parent].left, right = tree->nodes[parent].right;
        replace_child(tree, parent, left == leaf ? right : left);
        const uint32_t above = tree->nodes[parent].parent;
        return_node(tree, parent);
        repair_up(tree, above);
    }

    return_node(tree, leaf);
    --tree->leaf_count;
}

// ---------------------------------------------------------------------------------------------- reading

bool vni_tree_bounds(const vni_tree* tree, vn_box* out) {
    VNI_ASSERT(out != NULL);
    if (tree->root == VNI_TREE_NULL)
        return false;
    *out = tree->nodes[tree->root].box;
    return true;
}

void vni_tree_query(const vni_tree* tree, const vn_box* box, vni_tree_visit* visit, void* user) {
    VNI_ASSERT(visit != NULL && box != NULL);

    uint32_t stack[STACK];
    uint32_t depth = 0;
    if (tree->root != VNI_TREE_NULL)
        stack[depth++] = tree->root;

    while (depth > 0) {
        const vni_tree_node* node = &tree->nodes[stack[--depth]];
        if (!boxes_touch(&node->box, box))
            continue;

        if (!is_leaf(node)) {
            VNI_ASSERT(depth + 2 <= STACK);
            stack[depth++] = node->right;
            stack[depth++] = node->left;
        } else if (!visit(user, node->item)) {
            return;
        }
    }
}

static bool inner_is_valid(const vni_tree* tree, uint32_t index) {
    const vni_tree_node* node = &tree->nodes[index];
    if (node->left >= tree->used || node->right >= tree->used)
        return false;

    const vni_tree_node *left = &tree->nodes[node->left], *right = &tree->nodes[node->right];
    const uint32_t high = left->height > right->height ? left->height : right->height;
    const uint32_t low = left->height > right->height ? right->height : left->height;
    const vn_box both = box_around(&left->box, &right->box);
    return left->parent == index && right->parent == index && node->height == high + 1 && high - low <= 1 &&
           boxes_equal(&both, &node->box);
}

bool vni_tree_is_valid(const vni_tree* tree) {
    if (tree->root == VNI_TREE_NULL)
        return tree->leaf_count == 0;
    uint32_t stack[STACK];
    uint32_t depth = 0, leaves = 0, visited = 0;
    if (tree->root >= tree->used || tree->nodes[tree->root].parent != VNI_TREE_NULL)
        return false;

    stack[depth++] = tree->root;
    while (depth > 0) {
        const uint32_t index = stack[--depth];
        const vni_tree_node* node = &tree->nodes[index];
        if (++visited > tree->used)
            return false;

        if (is_leaf(node)) {
            ++leaves;
            if (node->height != 0 || node->right != VNI_TREE_NULL)
                return false;
        } else {
            if (!inner_is_valid(tree, index) || depth + 2 > STACK)
                return false;
            stack[depth++] = node->right;
            stack[depth++] = node->left;
        }
    }

    return leaves == tree->leaf_count;
}

size_t vni_tree_bytes(const vni_tree* tree) {
    return (size_t)tree->capacity * sizeof *tree->nodes;
}
