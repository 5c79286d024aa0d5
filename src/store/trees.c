/// store/trees.c: writing and reading trees as bytes.
#include "store/trees.h"

#include "base/assert.h"
#include "base/fail.h"
#include "store/bundle.h"

_Static_assert(VN_STORE_MAX_TREE == VNI_FILE_MAX_SECTION, "a tree is one section");

vn_status vni_check_trees(const vn_store_def* def, uint32_t layer_count, vn_detail* detail) {
    for (uint32_t i = 0; i < def->tree_count; ++i) {
        const vn_store_tree *tree = &def->trees[i], *before = i > 0 ? tree - 1 : NULL;
        const bool in_order = before == NULL || before->layer < tree->layer ||
                              (before->layer == tree->layer && before->kind < tree->kind);
        if (!in_order || tree->layer >= layer_count || tree->data == NULL || tree->size == 0)
            return vni_fail_index(
                detail, VN_BAD_ARGUMENT, i,
                "tree %u has no bytes, is of a layer that does not exist, or comes after one "
                "of a greater layer or kind",
                i);
        if (tree->size > VN_STORE_MAX_TREE)
            return vni_fail_index(detail, VN_TOO_LARGE, i,
                                  "tree %u has more than 2^26 bytes: save the layers without it", i);
    }

    return VN_OK;
}

void vni_put_trees(vni_writer* writer, uint32_t layer, const vn_store_def* def) {
    for (uint32_t i = 0; i < def->tree_count; ++i) {
        const vn_store_tree* tree = &def->trees[i];
        if (tree->layer != layer)
            continue;
        vni_bytes_put(&writer->content, tree->data, tree->size);
        vni_writer_add(writer, layer, VNI_TAG_TREE, tree->kind, 1, true);
    }
}

/// The section of a tree; VN_NOT_FOUND.
static vn_status find_tree(const vni_bundle* bundle, uint32_t layer, uint32_t kind, vni_file_entry* out,
                           vn_detail* detail) {
    uint32_t count = 0, index = vni_bundle_find(bundle, layer, VNI_TAG_TREE, &count);
    for (uint32_t i = index; i < index + count; ++i) {
        *out = vni_bundle_get(bundle, i);
        if (out->first == kind)
            return vni_bundle_check_hash(bundle, i, detail);
    }

    return vni_fail(detail, VN_NOT_FOUND, "the file has no tree of this kind for layer %u: build it", layer);
}

vn_status vn_store_read_tree(const void* data, size_t size, const vn_codec* codec, uint32_t layer,
                             uint32_t kind, const vn_allocator* allocator, void** out, size_t* out_size,
                             vn_detail* detail) {
    VNI_ASSERT(allocator != NULL && out != NULL && out_size != NULL);
    vni_bundle bundle;
    vni_file_entry entry = {0};
    *out = NULL;
    *out_size = 0;
    vn_status status = vni_bundle_open(data, size, codec, &bundle, detail);
    if (status == VN_OK)
        status = vni_bundle_check_sizes(&bundle, UINT64_MAX, detail);
    if (status == VN_OK)
        status = find_tree(&bundle, layer, kind, &entry, detail);
    if (status != VN_OK)
        return status;

    return vni_bundle_take(&bundle, &entry, allocator, out, out_size, detail);
}
