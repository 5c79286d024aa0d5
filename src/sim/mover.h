/// sim/mover.h: one mover of a scene: its motion checked once, then a pure function of the time.
#ifndef VNI_SIM_MOVER_H
#define VNI_SIM_MOVER_H

#include "sim/rail.h"
#include "volnav/sim.h"

typedef struct vni_mover {
    vn_mover_info info;
    vn_motion motion; ///< `points` is null: `rail` has them
    vni_rail rail;    ///< patrol, orbit
    vn_box bounds;    ///< of the scene
    vn_dvec3 half;    ///< half extents of the shape
    double appears, vanishes;
    uint64_t seed;    ///< draws the later lives of drifting ones
    uint32_t blinker; ///< which bit of vn_blinkers
} vni_mover;

/// Checks a def and copies it; `index` is for the detail. VN_BAD_DEF, VN_BAD_ARGUMENT, VN_UNSUPPORTED,
/// VN_OUT_OF_MEMORY; then nothing is to be freed.
vn_status vni_mover_create(vni_mover* mover, const vn_mover_def* def, const vn_box* bounds, uint64_t seed,
                           const vn_allocator* allocator, uint64_t index, vn_detail* detail);
void vni_mover_free(vni_mover* mover, const vn_allocator* allocator);

/// The state at a time in 0 to VN_MAX_SCENE_SECONDS; blinkers by their timers.
void vni_mover_at(const vni_mover* mover, double seconds, vn_mover_state* out);

/// Where `velocity` leads from `position` to in `seconds`, reflected by the faces of a box that holds the
/// position. `velocity` becomes what it is then.
vn_dvec3 vni_bounce(vn_dvec3 low, vn_dvec3 high, vn_dvec3 position, vn_dvec3* velocity, double seconds);

/// State of a generator for number `a` of a seed: independent of that for any other number.
uint64_t vni_random_of(uint64_t seed, uint64_t a);

/// Uniform in [low, high).
double vni_random_real(uint64_t* random, double low, double high);

#endif
