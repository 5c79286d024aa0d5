/// classic/classic_bytes.c: a tree as bytes, little-endian:
///
///     u32 version, kind, split_root, min_depth; i32 dims[3]; u32 leaves, boxes
///     u64 code of each leaf, in order
///     u32 box of each leaf, if it is a merged octree
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/classic_inside.h"
#include "classic/numbers.h"

#define BYTES_VERSION 1u
#define HEAD_WORDS    9

// ------------------------------------------------------------------------------------------------- writing

/// The tree that is saved, and the box of each leaf; null if it is not merged.
static const vni_octree* tree_of(const vn_classic* classic, const uint32_t** numbers, uint32_t* boxes) {
    const vni_follow* follow = &classic->follow;
    const vni_boxes* merged = classic->follows ? &follow->merged.saved : &classic->boxes;
    const bool merges = classic->kind == VN_CLASSIC_MERGED;
    *numbers = merges ? merged->of_leaf : NULL;
    *boxes = merges ? merged->box_count : 0;
    return !classic->follows ? &classic->tree : merges ? &follow->merged.saved_tree : &follow->tree.tree;
}

typedef struct code_visit {
    vni_number_writer* w;
    const vni_octree* tree;
} code_visit;

static bool put_code(void* user, uint32_t leaf) {
    const code_visit* v = (const code_visit*)user;
    vni_put_number(v->w, v->tree->codes[leaf], 8);
    return true;
}

static void put_tree(vni_number_writer* w, const vn_classic* classic) {
    uint32_t boxes;
    const uint32_t* numbers;
    const vni_octree* tree = tree_of(classic, &numbers, &boxes);
    const int32_t* dims = classic->space->occupancy.dims;
    const bool live = classic->follows && numbers == NULL;
    const uint32_t leaves = live ? vni_live_octree_count(&classic->follow.tree) : tree->leaf_count;
    const uint32_t head[HEAD_WORDS] = {BYTES_VERSION,
                                       (uint32_t)classic->kind,
                                       classic->split_root,
                                       classic->min_depth,
                                       (uint32_t)dims[0],
                                       (uint32_t)dims[1],
                                       (uint32_t)dims[2],
                                       leaves,
                                       boxes};
    for (int i = 0; i < HEAD_WORDS; ++i)
        vni_put_number(w, head[i], 4);

    // In the order of roots and codes, which the numbers of a tree that follows changes do not have.
    const vni_box all = {{0, 0, 0}, {dims[0], dims[1], dims[2]}};
    code_visit v = {w, tree};
    vni_octree_visit_in(tree, &all, put_code, &v);
    for (uint32_t i = 0; numbers != NULL && i < leaves; ++i)
        vni_put_number(w, numbers[i], 4);
    vni_numbers_flush(w);
}

vn_status vn_classic_write(const vn_classic* classic, const vn_sink* sink, vn_detail* detail) {
    VNI_ASSERT(classic != NULL && sink != NULL && sink->write != NULL);
    if (classic->kind == VN_CLASSIC_GRID || classic->max_depth < VNI_OCTREE_MAX_LEVELS ||
        classic->follow.greedy)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "an octree or a merged one without a greatest depth can be saved, nothing else");

    vni_number_writer* w = VNI_NEW(&classic->allocator, vni_number_writer);
    if (w == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to write a tree");

    w->sink = sink;
    put_tree(w, classic);
    const bool failed = w->failed;
    VNI_DELETE(&classic->allocator, w);
    return failed ? vni_fail(detail, VN_IO, "the tree could not be written") : VN_OK;
}

// ------------------------------------------------------------------------------------------------- reading

/// What the bytes say of themselves.
typedef struct content {
    uint32_t head[HEAD_WORDS];
    const uint8_t* codes;
    uint32_t leaves, boxes;
    bool merges;
} content;

static vn_status read_head(const vn_space* space, const uint8_t* bytes, size_t size, content* out,
                           vn_detail* detail) {
    if (size < sizeof out->head)
        return vni_fail(detail, VN_BAD_FORMAT, "the saved tree is truncated");
    for (uint32_t i = 0; i < HEAD_WORDS; ++i)
        out->head[i] = (uint32_t)vni_get_number(bytes + 4 * (size_t)i, 4);

    const uint32_t* h = out->head;
    out->codes = bytes + sizeof out->head;
    out->leaves = h[7];
    out->boxes = h[8];
    out->merges = h[1] == VN_CLASSIC_MERGED;
    if (h[0] != BYTES_VERSION)
        return vni_fail(detail, VN_UNSUPPORTED, "a saved tree of version %u; this library reads %u", h[0],
                        BYTES_VERSION);
    if ((h[1] != VN_CLASSIC_OCTREE && !out->merges) || h[2] > 1 || h[3] > VNI_OCTREE_MAX_LEVELS ||
        size - sizeof out->head != (uint64_t)out->leaves * (out->merges ? 12 : 8) ||
        (!out->merges && out->boxes != 0))
        return vni_fail(detail, VN_BAD_FORMAT, "the saved tree is truncated, or no tree");

    for (int i = 0; i < 3; ++i)
        if (h[4 + i] != (uint32_t)space->occupancy.dims[i])
            return vni_fail(detail, VN_MISMATCH, "the saved tree is of a space of another size");
    return VN_OK;
}

/// The arrays as the tree and the boxes take them.
static vn_status read_arrays(const vn_classic* classic, const vn_classic_def* def, const content* c,
                             vni_octree* tree, vni_boxes* boxes, vn_detail* detail) {
    const vn_allocator* allocator = &classic->allocator;
    const vni_octree_def tree_def = {def->split_root ? VNI_ROOT_GCD : VNI_ROOT_CUBE, def->min_depth,
                                     UINT32_MAX};
    uint64_t* codes = VNI_NEW_ARRAY(allocator, uint64_t, (uint64_t)c->leaves + 1);
    uint32_t* numbers = VNI_NEW_ARRAY(allocator, uint32_t, (uint64_t)c->leaves + 1);
    vn_status status = VN_OK;
    if (codes == NULL || numbers == NULL)
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the %u leaves of a saved tree", c->leaves);

    for (uint32_t i = 0; status == VN_OK && i < c->leaves; ++i) {
        codes[i] = vni_get_number(c->codes + 8 * (size_t)i, 8);
        if (c->merges)
            numbers[i] = (uint32_t)vni_get_number(c->codes + 8 * (size_t)c->leaves + 4 * (size_t)i, 4);
    }

    if (status == VN_OK)
        status = vni_octree_from_codes(allocator, &classic->space->occupancy, &tree_def, codes, c->leaves,
                                       tree, detail);
    if (status == VN_BAD_ARGUMENT)
        status = vni_fail(detail, VN_BAD_FORMAT, "the saved tree has a least depth below the voxel");
    if (status == VN_OK && c->merges)
        status = vni_boxes_from_numbers(allocator, tree, numbers, c->boxes, boxes, detail);
    VNI_DELETE_ARRAY(allocator, codes, (uint64_t)c->leaves + 1);
    VNI_DELETE_ARRAY(allocator, numbers, (uint64_t)c->leaves + 1);
    return status;
}

static vn_status read_tree(vn_classic* classic, const vn_classic_def* def, const content* c,
                           vn_detail* detail) {
    vni_octree* tree = &classic->tree;
    vni_boxes* boxes = &classic->boxes;
    vn_status status = read_arrays(classic, def, c, tree, boxes, detail);
    if (status == VN_OK && def->follows)
        return vni_classic_build_live(classic, def, tree, boxes, detail);
    if (status == VN_OK)
        status = c->merges ? vni_boxes_link(boxes, detail)
                           : vni_boxes_from_leaves(&classic->allocator, tree, boxes, detail);
    return status == VN_OK ? vni_classic_make_centres(classic, detail) : status;
}

vn_status vn_classic_read(const vn_space* space, const vn_classic_def* def, const void* data, size_t size,
                          vn_classic** out, vn_detail* detail) {
    VNI_ASSERT(space != NULL && def != NULL && out != NULL && (data != NULL || size == 0));
    content c = {0};
    *out = NULL;
    if (def->greedy)
        return vni_fail(detail, VN_UNSUPPORTED, "greedy merging begins with a tree of its own: build it");
    vn_status status = read_head(space, (const uint8_t*)data, size, &c, detail);
    if (status != VN_OK)
        return status;

    vn_classic_def own = *def;
    own.kind = (vn_classic_kind)c.head[1];
    own.split_root = c.head[2] != 0;
    own.min_depth = c.head[3];
    own.max_depth = UINT32_MAX;
    status = vni_classic_begin(space, &own, out, detail);
    if (status == VN_OK)
        status = read_tree(*out, &own, &c, detail);
    if (status != VN_OK && *out != NULL) {
        vn_classic_destroy(*out);
        *out = NULL;
    }

    return status;
}
