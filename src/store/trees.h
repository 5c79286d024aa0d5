/// store/trees.h: trees over a layer, as sections that the core does not look into.
#ifndef VNI_STORE_TREES_H
#define VNI_STORE_TREES_H

#include "store/writer.h"

/// Are the trees of a def in order, of layers that exist, and not too large? VN_BAD_ARGUMENT, VN_TOO_LARGE.
vn_status vni_check_trees(const vn_store_def* def, uint32_t layer_count, vn_detail* detail);

/// The trees of one layer, of a def that has been checked.
void vni_put_trees(vni_writer* writer, uint32_t layer, const vn_store_def* def);

#endif
