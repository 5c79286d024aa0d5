/// tests/support/flight.h: flies an autopilot through a field of asteroids and judges the flight by the swept
/// tests of runs, exact for straight steps, that share no code with the pilot. Unlike the scene "asteroids"
/// of volnav/run.h it leaves the ship to the caller, and can let it see inexactly.
#ifndef VNT_FLIGHT_H
#define VNT_FLIGHT_H

#include "volnav/pilot.h"
#include "volnav/sim.h"

/// Seconds of CPU time, for those who measure; null: not measured.
typedef double vnt_clock(void);

typedef struct vnt_flight_def {
    vn_pilot_def pilot; ///< space, position and goal are set by the flight
    vn_rock_layout layout;
    uint64_t seed;         ///< of rocks and asteroids
    uint32_t count;        ///< asteroids per tile; 0: none
    double tile, speed;    ///< metres, metres per second
    double sight;          ///< how far groups 1 to 5 see, metres. Group 6 sees as far as its radar
    double limit;          ///< seconds until the flight is given up
    bool without_velocity; ///< sightings come without
    double noise;          ///< metres by which sightings are off, at most, along each axis
    vnt_clock* clock;
    const vn_dvec3* route; ///< that the asteroids are aimed at: of a flight without any
    uint32_t route_count;
} vnt_flight_def;

/// The 4 % field of Maruszczyk 2016 with 50 asteroids per 30^3 metres.
vnt_flight_def vnt_default_flight(vn_pilot_group group, uint64_t seed);

typedef struct vnt_flight {
    bool arrived;
    uint32_t collisions;   ///< asteroids that touched the ship
    uint32_t wall_hits;    ///< times that it came nearer to a rock than its radius
    double clearance;      ///< least distance from an asteroid's surface to the ship's, metres
    double wall_clearance; ///< and from a rock
    double seconds, length;
    double top_speed, top_change; ///< metres per second: largest velocity, largest change in a step
    uint64_t steps, stopped, unverified;
    double step_seconds, worst_step; ///< CPU time: of all steps, and of the longest
    uint64_t hash;                   ///< of all positions, bit by bit
    vn_pilot_stats stats;
} vnt_flight;

/// False if something failed, and then says what on stderr.
bool vnt_fly(const vnt_flight_def* def, vnt_flight* out);

/// A flight without asteroids for the route, then the flight. `nominal` may be null.
bool vnt_fly_field(const vnt_flight_def* def, vnt_flight* out, vnt_flight* nominal);

#endif
