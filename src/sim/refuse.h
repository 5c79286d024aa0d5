/// sim/refuse.h: a refusal with its reason.
#ifndef VNI_SIM_REFUSE_H
#define VNI_SIM_REFUSE_H

#include "volnav/base.h"

/// Fills the detail (may be null) with a text of less than 240 characters. Returns `status`.
vn_status vni_refuse(vn_detail* detail, vn_status status, uint64_t index, const char* text);

#endif
