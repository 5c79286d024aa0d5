/// cells/stages.h: measures how long each stage of an update takes, with a clock that the caller provides.
#ifndef VNI_CELLS_STAGES_H
#define VNI_CELLS_STAGES_H

#include <stddef.h>
#include <stdint.h>

typedef enum vni_stage {
    VNI_STAGE_FOOTPRINT,  ///< voxels that the obstacles cover
    VNI_STAGE_OCCUPANCY,  ///< bricks and blocks of voxels
    VNI_STAGE_CELLS,      ///< boxes: cut, numbered, matched with the old ones
    VNI_STAGE_LINKS,      ///< links inside blocks; assembling the blocks
    VNI_STAGE_SEAMS,      ///< links between blocks
    VNI_STAGE_COMPONENTS, ///< of blocks, and of the space
    VNI_STAGE_DELTA,      ///< the list of changes
    VNI_STAGE_PUBLISH,    ///< tables, versions, freeing
    VNI_STAGES
} vni_stage;

/// All zero: nothing is measured.
typedef struct vni_stages {
    uint64_t (*clock)(void* user); ///< in any unit; null: nothing is measured
    void* user;
    uint64_t last;
    uint64_t spent[VNI_STAGES];
} vni_stages;

/// Starts the clock of the first stage.
static inline void vni_stages_begin(vni_stages* stages) {
    if (stages->clock != NULL)
        stages->last = stages->clock(stages->user);
}

/// Adds the time since the last call to this stage. Null is allowed.
static inline void vni_stage_end(vni_stages* stages, vni_stage stage) {
    if (stages == NULL || stages->clock == NULL)
        return;
    const uint64_t now = stages->clock(stages->user);
    stages->spent[stage] += now - stages->last;
    stages->last = now;
}

#endif
