/// volnav/experiment/krafft21_stage.h: the contenders of "krafft-2021" at work on one moving scene.
#ifndef EXPERIMENT_KRAFFT21_STAGE_H
#define EXPERIMENT_KRAFFT21_STAGE_H

#include "experiment/krafft21.h"

enum { KRAFFT21_POINTS = 4096 };

/// Make it with {0}; free with krafft21_stage_close.
typedef struct krafft21_stage {
    moving_place place;
    vn_roadmap* roads[KRAFFT21_GRAPHS]; ///< hybrid graph and waypoints; null: not there
    double left;                        ///< voxels that left the hybrid graph's dynamic nodes so far
    racer racers[KRAFFT21_CONTENDERS];
    vn_point points[KRAFFT21_POINTS]; ///< of the last path from the nav's own search
} krafft21_stage;

/// Opens the scene and all contenders of a scenario. EXIT_BAD after a message.
int krafft21_stage_open(experiment* e, const krafft21_ground* ground, int scenario, krafft21_stage* out);
void krafft21_stage_close(krafft21_stage* s);

/// Brings the scene to a time, and the roadmaps with it.
int krafft21_stage_step(krafft21_stage* s, double seconds);

/// The path of a contender in the newest version. `reset`: a planner forgets what it knows.
int krafft21_stage_find(krafft21_stage* s, int contender, vn_point from, vn_point to, bool reset,
                        racer_answer* out);

#endif
