/// store/layer.h: one space as sections of a file.
#ifndef VNI_STORE_LAYER_H
#define VNI_STORE_LAYER_H

#include "space/space.h"
#include "store/store_inside.h"

/// All sections of a space.
void vni_put_space(vni_writer* writer, uint32_t layer, const vn_space* space);

/// The parameters, checked as far as they can be without the rest.
vn_status vni_take_params(const vni_bundle* bundle, uint32_t layer, vni_file_params* out, vn_detail* detail);

/// Bytes of the tables that a space needs whatever it holds.
uint64_t vni_params_table_bytes(const vni_file_params* params);

/// Reads and validates the space that the parameters describe. VN_BAD_FORMAT, VN_OUT_OF_MEMORY.
vn_status vni_take_space(vni_loader* loader, uint32_t layer, const vni_file_params* params, vn_space** out,
                         vn_detail* detail);

#endif
