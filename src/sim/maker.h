/// sim/maker.h: puts shapes into a world one after another and keeps the first failure, so that a scene reads
/// as a list of what is in it.
#ifndef VNI_SIM_MAKER_H
#define VNI_SIM_MAKER_H

#include "volnav/sim.h"

/// One thread. Once `status` is not VN_OK, nothing more is added.
typedef struct vni_maker {
    vn_world* world;
    vn_detail* detail; ///< may be null
    vn_status status;
    uint64_t random; ///< state of vn_random_next: the scene's seed at first
    float unit;      ///< coordinates below are in units of so many metres
} vni_maker;

typedef void vni_scene_maker(vni_maker* maker);

/// Uniform in [0, limit); limit > 0. The same on every machine.
uint32_t vni_maker_below(vni_maker* maker, uint32_t limit);

/// Uniform in [low, high), in steps of (high - low) / 2^24.
float vni_maker_real(vni_maker* maker, float low, float high);

void vni_maker_box(vni_maker* maker, vn_vec3 low, vn_vec3 high);
void vni_maker_sphere(vni_maker* maker, vn_vec3 center, float radius);

/// A box with a random rotation.
void vni_maker_turned(vni_maker* maker, vn_vec3 center, vn_vec3 half);

/// A pot: a ball with a wall of a tenth of its radius, cut open on the side of `axis` (0 to 2) that `up`
/// says. A closed, solid mesh, and the simplest one that catches a greedy search.
void vni_maker_pot(vni_maker* maker, vn_vec3 center, float radius, int axis, bool up);

/// A rectangle on a plate: along the two axes that follow the plate's own (x, y, z, x ...).
typedef struct vni_rect {
    float low[2], high[2];
} vni_rect;

/// A plate across `axis`, from low to high, without the holes, which may overlap and stick out.
void vni_maker_plate(vni_maker* maker, int axis, float low, float high, vni_rect rect, const vni_rect* holes,
                     uint32_t hole_count);

#endif
