/// store/layers.h: what reading and writing a .vnav and a .vnrec have in common.
#ifndef VNI_STORE_LAYERS_H
#define VNI_STORE_LAYERS_H

#include "store/bundle.h"

/// Checks cookie, comment and connections. VN_BAD_DEF, VN_BAD_ARGUMENT.
vn_status vni_check_store_def(const vn_store_def* def, vn_detail* detail);

/// Opens a file and compares all that the def, which is checked first, demands: codec, sizes, the source; not
/// yet the checksums of the sections. vni_take_layers does that section by section, and vni_outcome for what
/// failed before.
vn_status vni_open_file(const void* data, size_t size, const vn_load_def* def, vni_bundle* out,
                        vn_detail* detail);

/// The layers of a file that was opened by vni_open_file. On VN_OK all sections of the file match their
/// checksums.
vn_status vni_take_layers(const vni_bundle* bundle, const vn_load_def* def, vn_layers** out,
                          vn_detail* detail);

/// What reading a file returns after `status`. A file that is damaged anywhere is called damaged, whatever
/// was found wrong first: VN_BAD_FORMAT then names the first section that does not match its checksum.
vn_status vni_outcome(const vni_bundle* bundle, const vn_load_def* def, vn_status status, vn_detail* detail);

#endif
