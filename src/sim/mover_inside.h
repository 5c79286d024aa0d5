/// sim/mover_inside.h: shared by the files that make a mover.
#ifndef VNI_SIM_MOVER_INSIDE_H
#define VNI_SIM_MOVER_INSIDE_H

#include "sim/mover.h"

#define VNI_MOVER_COOKIE 0x6d6f7601u

/// VN_OK, or a refusal with its detail.
vn_status vni_mover_check(const vn_mover_def* def, const vn_box* bounds, uint64_t index, vn_detail* detail);

#endif
