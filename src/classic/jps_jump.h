/// classic/jps_jump.h: one jump: from a voxel straight on until a step is forced or the row is blocked.
#ifndef VNI_CLASSIC_JPS_JUMP_H
#define VNI_CLASSIC_JPS_JUMP_H

#include "classic/jps_rows.h"

typedef struct vni_jps_jump {
    int32_t end;     ///< coordinate along the row of the last voxel that was reached; maybe the first one
    bool is_forced;  ///< a step is forced there; else the row ends there
    uint32_t looked; ///< words or events looked at
} vni_jps_jump;

/// Along `direction`, one of the rules' `rows`, from the free voxel `from`. By the rows' events.
vni_jps_jump vni_jps_jump_rows(const vni_grid* grid, const vni_jps_rules* rules, const vni_jps_rows* rows,
                               uint32_t direction, const int32_t from[3]);

/// The same by scanning the bricks, with leaps over free chunks and blocks.
vni_jps_jump vni_jps_jump_bricks(const vni_grid* grid, const vni_jps_rules* rules, uint32_t direction,
                                 const int32_t from[3]);

#endif
