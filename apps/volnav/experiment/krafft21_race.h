/// volnav/experiment/krafft21_race.h: what both ways to run a scenario of "krafft-2021" share.
#ifndef EXPERIMENT_KRAFFT21_RACE_H
#define EXPERIMENT_KRAFFT21_RACE_H

#include "experiment/krafft21_agent.h"

/// A scenario under way.
typedef struct krafft21_study {
    experiment* e;
    const krafft21_scenario* scenario;
    int index; ///< of the scenario
    krafft21_stage stage;
    krafft21_run* run;
    krafft21_race* out;
    krafft21_ends ends;
    krafft21_agent agents[KRAFFT21_CONTENDERS];
} krafft21_study;

/// Brings everything but the agents to a frame and counts it. EXIT_BAD after a message.
typedef int krafft21_frame(krafft21_study* s, uint32_t frame, void* user);

/// Runs a scenario: opens it, calls `plan` in each frame once scene and goal are there, until all agents are
/// done, and closes it. `user` goes to `plan`.
int krafft21_run_frames(experiment* e, const krafft21_ground* ground, int scenario, krafft21_run* run,
                        krafft21_frame* plan, void* user);

/// One contender's plan of a frame for an agent, counted. No points: the agent is done, takes no part, or an
/// end is covered.
int krafft21_plan(krafft21_study* s, int contender, const krafft21_agent* agent, uint32_t frame,
                  racer_answer* out);

/// Is the agent there? Counts it, and it begins again, or is done.
void krafft21_note_arrival(krafft21_study* s, int contender, uint32_t frame, krafft21_agent* agent);

#endif
