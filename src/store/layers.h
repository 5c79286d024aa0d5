/// store/layers.h: what reading and writing a .vnav and a .vnrec have in common.
#ifndef VNI_STORE_LAYERS_H
#define VNI_STORE_LAYERS_H

#include "store/bundle.h"

/// Checks cookie, comment and connections. VN_BAD_DEF, VN_BAD_ARGUMENT.
vn_status vni_check_store_def(const vn_store_def* def, vn_detail* detail);

/// Opens a file and compares all that the def, which is checked first, demands: checksums, codec, sizes, the
/// source.
vn_status vni_open_checked(const void* data, size_t size, const vn_load_def* def, vni_bundle* out,
                           vn_detail* detail);

/// The layers of a file that was opened by vni_open_checked.
vn_status vni_take_layers(const vni_bundle* bundle, const vn_load_def* def, vn_layers** out,
                          vn_detail* detail);

#endif
