/// run/spawners.h: spawners of asteroids (Maruszczyk 2016, "True Dynamic obstacles"): boxes that throw so
/// many per volume and time at a ship. Private to run.
///
/// Unlike the fields of volnav/sim.h they depend on where the ship is: what is in flight is state. A function
/// of seed, steps and the ship's positions.
#ifndef VNI_RUN_SPAWNERS_H
#define VNI_RUN_SPAWNERS_H

#include "volnav/sim.h"

enum { VNI_SPAWNERS_MOST = 64, VNI_SPAWNED_MOST = 8192 };

typedef struct vni_spawners_def {
    vn_allocator allocator;
    uint64_t seed;
    vn_box boxes[VNI_SPAWNERS_MOST]; ///< metres; where asteroids appear
    uint32_t box_count;
    double rate;          ///< asteroids per cubic metre of a box and second
    double lifetime;      ///< seconds after which one is destroyed ...
    vn_box bounds;        ///< ... or when its centre is outside of these
    double speed, spread; ///< metres per second, and the fraction by which it varies
    double radius[2];     ///< least and largest, metres
    double off;           ///< they are aimed so many metres beside the ship, at most
} vni_spawners_def;

/// The ship that they throw at.
typedef struct vni_spawners_ship {
    vn_dvec3 position, velocity;
    double clear; ///< metres from its centre to a new asteroid's surface at least: none appears nearer
} vni_spawners_ship;

typedef struct vni_spawners vni_spawners;

/// VN_OUT_OF_MEMORY.
vn_status vni_spawners_create(const vni_spawners_def* def, vni_spawners** out);

/// Null is allowed.
void vni_spawners_destroy(vni_spawners* spawners);

/// What happens from `seconds` - `step` to `seconds`: what is too old or outside is destroyed, new ones
/// appear; one that would appear too near does not, nor one beyond VNI_SPAWNED_MOST. Each is aimed at where
/// it meets the ship if that keeps its velocity; if it cannot, at where the ship is.
void vni_spawners_step(vni_spawners* spawners, double seconds, double step, const vni_spawners_ship* ship);

/// As vn_asteroids_near, for a time that is not after that of the last step: of those in flight now.
vn_status vni_spawners_near(const vni_spawners* spawners, double seconds, vn_dvec3 position, double reach,
                            vn_asteroid* out, uint32_t capacity, uint32_t* count);

/// So many have appeared so far, and so many are in flight.
void vni_spawners_count(const vni_spawners* spawners, uint64_t* appeared, uint32_t* flying);

#endif
