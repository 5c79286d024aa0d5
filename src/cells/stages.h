/// cells/stages.h: where the time of an update goes, stage by stage, by a clock of the caller's.
#ifndef VNI_CELLS_STAGES_H
#define VNI_CELLS_STAGES_H

#include <stddef.h>
#include <stdint.h>

typedef enum vni_stage {
    VNI_STAGE_FOOTPRINT,  ///< what the obstacles cover
    VNI_STAGE_OCCUPANCY,  ///< bricks and blocks of voxels
    VNI_STAGE_CELLS,      ///< boxes: cut, numbered, matched with the old ones
    VNI_STAGE_LINKS,      ///< inside blocks; and putting blocks together
    VNI_STAGE_SEAMS,      ///< links between blocks
    VNI_STAGE_COMPONENTS, ///< of blocks, and of the whole
    VNI_STAGE_DELTA,      ///< what has changed, for those who ask
    VNI_STAGE_PUBLISH,    ///< tables, versions, what is freed
    VNI_STAGES
} vni_stage;

/// All zero: nothing is measured.
typedef struct vni_stages {
    uint64_t (*clock)(void* user); ///< in units of its own; null: none
    void* user;
    uint64_t last;
    uint64_t spent[VNI_STAGES];
} vni_stages;

/// Time counts from here.
static inline void vni_stages_begin(vni_stages* stages) {
    if (stages->clock)
        stages->last = stages->clock(stages->user);
}

/// What has passed since the last mark was this stage. Null is allowed.
static inline void vni_stage_end(vni_stages* stages, vni_stage stage) {
    if (!stages || !stages->clock)
        return;
    const uint64_t now = stages->clock(stages->user);
    stages->spent[stage] += now - stages->last;
    stages->last = now;
}

#endif
