/// volnav/experiment/krafft21_agent.h: agents of "krafft-2021" that fly along paths.
#ifndef EXPERIMENT_KRAFFT21_AGENT_H
#define EXPERIMENT_KRAFFT21_AGENT_H

#include "experiment/krafft21_stage.h"

/// Where an agent is: plans begin at the middle of its voxel.
typedef struct krafft21_agent {
    vn_point from;
    double ahead; ///< voxels that it is past this point on its path; before it, if negative
    bool done;    ///< has arrived, and stays
} krafft21_agent;

/// The ends of a scenario: where agents begin, where their goal is now, how far they fly in a frame.
typedef struct krafft21_ends {
    vn_point home, to;
    double speed; ///< voxels a frame
} krafft21_ends;

/// Home and speed, of frames at a rate. EXIT_BAD after a message.
int krafft21_ends_open(const moving_place* place, double rate, krafft21_ends* out);

/// The goal at a time.
int krafft21_ends_step(const moving_place* place, double seconds, krafft21_ends* ends);

/// The point of a path at a distance from its begin, or its end; voxels. `*direction` is that of the path
/// there, as it was if the path has no length.
vn_dvec3 krafft21_walk(const vn_point* points, uint32_t count, double distance, vn_dvec3* direction);

/// Brings the agent to a distance from the begin of a path. False: that is on the face of a blocked voxel, or
/// in one, and it stays.
bool krafft21_put(const vn_space* space, const vn_point* points, uint32_t count, double distance,
                  krafft21_agent* agent);

bool krafft21_has_arrived(const krafft21_agent* agent, const krafft21_ends* ends);

#endif
