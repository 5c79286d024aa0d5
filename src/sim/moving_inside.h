/// sim/moving_inside.h: a moving scene from inside: moving.c makes and reads it, krafft.c and drifting.c fill
/// it.
#ifndef VNI_SIM_MOVING_INSIDE_H
#define VNI_SIM_MOVING_INSIDE_H

#include "sim/mover.h"

enum { VNI_MAX_WALLS = 32 };

struct vn_moving_scene {
    vn_allocator allocator;
    vn_moving_scene_info info;
    vni_mover* movers;
    uint32_t capacity; ///< of `movers`
    uint32_t zones;    ///< movers with an influence
    vn_box walls[VNI_MAX_WALLS];
    vni_mover goal; ///< if info.has_agent; its shape means nothing
};

/// Adds a mover: the scene has the capacity for as many as it said.
vn_status vni_moving_add(vn_moving_scene* scene, const vn_mover_def* def, vn_detail* detail);

/// Fills an empty scene: info.start and the like, walls, movers.
typedef vn_status vni_moving_fill(vn_moving_scene* scene, const vn_moving_scene_def* def, vn_detail* detail);

enum { VNI_KRAFFT_MOVERS = 16 };
vni_moving_fill vni_fill_krafft;

/// Massonnat 2023, 5.4: `def->count` movers drawn from the seed.
vni_moving_fill vni_fill_debris, vni_fill_hunters;

#endif
