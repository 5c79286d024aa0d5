/// tests/support/crowd.h: scenes of many agents for the tests of avoidance: who starts where and wants what,
/// run by fixed steps until all have arrived, with every step measured by code that avoidance does not share.
#ifndef VNT_CROWD_H
#define VNT_CROWD_H

#include "base/rng.h"
#include "volnav/avoid.h"

/// Distances over free voxels to one goal, 26 neighbours.
typedef struct vnt_field {
    const vn_space* space;
    vn_voxel dims;
    vn_dvec3 goal;
    float* distance; ///< voxels; infinite where the goal is not reached
    vn_voxel* next;  ///< the neighbour nearer to the goal
} vnt_field;

typedef struct vnt_walker {
    vn_avoid_agent_id id;
    vn_dvec3 goal, position, carrot;
    vn_vec3 velocity;
    vn_vec3 heading; ///< unit, if not zero: it goes this way and arrives when it passes the goal
    float radius, speed;
    const vnt_field* field; ///< null: straight to the goal
    bool arrived;
    double arrival; ///< seconds
} vnt_walker;

typedef struct vnt_crowd {
    vn_space* space; ///< null: no walls
    vn_avoid_def def;
    vn_avoid* avoid;
    vnt_walker* walkers;
    uint32_t count, capacity;
    vnt_field* fields; ///< at most 8
    uint32_t field_count;
    double arrive; ///< metres from the goal
    bool stays;    ///< who arrives stays in the scene; otherwise is removed
} vnt_crowd;

typedef struct vnt_crowd_report {
    uint32_t arrived;
    double last;          ///< seconds until the last arrival, or the limit
    double overlap;       ///< deepest, as a share of the radii's sum
    uint32_t wall_faults; ///< steps whose segment the checker refuses
    double longest_held;  ///< seconds
    double speed_excess;  ///< as a share of the limit
    uint64_t hash;        ///< of all positions after the last step
    uint64_t steps;
} vnt_crowd_report;

/// Jobs and mode of the scenes that are made from now on.
extern vn_jobs vnt_crowd_jobs;
extern vn_avoid_mode vnt_crowd_mode;

/// Jobs that run every range from its end, one index at a time: another order of the same work.
vn_jobs vnt_reverse_jobs(void);

/// An empty scene. `space` is taken over.
vnt_crowd vnt_crowd_make(vn_space* space, uint32_t capacity);
void vnt_crowd_free(vnt_crowd* crowd);

vnt_walker* vnt_crowd_add(vnt_crowd* crowd, vn_dvec3 start, vn_dvec3 goal, const vn_avoid_agent_def* def);

/// A field to the goal, which is free.
const vnt_field* vnt_crowd_field(vnt_crowd* crowd, vn_dvec3 goal);

/// One step; the report is brought up to date.
void vnt_crowd_step(vnt_crowd* crowd, float dt, vnt_crowd_report* report);

/// Until all have arrived or so many seconds have passed.
vnt_crowd_report vnt_crowd_run(vnt_crowd* crowd, float dt, double seconds);

// ---------- scenes. Agents have a radius of 0.375 m and a speed of 1.5 m/s; `mixed`: 0.2 to 0.375 m, 1 to
// 2 m/s, priorities 0 to 2

/// On a ring of this radius, at exactly equal angles, each to the opposite place.
vnt_crowd vnt_ring(uint32_t count, double radius);

/// On a sphere, spread evenly, each to the opposite place.
vnt_crowd vnt_sphere(uint32_t count, double area);

/// A corridor 60 m long, 4 m wide and `height` high for bodies, with `count` agents at each end.
vnt_crowd vnt_corridor(uint32_t count, double height, bool mixed, uint64_t seed);

/// Two rooms and a door one agent wide between them; `count` agents in each room go to the other.
vnt_crowd vnt_door(uint32_t count, bool mixed, uint64_t seed);

/// A station: three by three halls on two floors, doors 2.4 m wide, shafts; agents go from random places to
/// one of six exits.
vnt_crowd vnt_station(uint32_t count, bool mixed, uint64_t seed);

#endif
