/// run/run_inside.h: what the scenes of runs implement, and what they share. Private to run.
#ifndef VNI_RUN_INSIDE_H
#define VNI_RUN_INSIDE_H

#include "run/judge.h"
#include "sim/refuse.h"
#include "sim/vec.h"
#include "volnav/run.h"

/// A scene of runs: a table of functions. `make` gets a def whose names have been looked up, and whose zeros
/// have been filled in from `scene`; on failure it frees what it made.
typedef struct vni_run_kind {
    vn_run_scene scene;
    const char* variants; ///< names, with spaces between; the first is default
    vn_status (*make)(vn_run* run, void** self, vn_detail* detail);
    vn_status (*step)(void* self, vn_detail* detail); ///< one step; sets run->result.end when it is over
    void (*view)(void* self, vn_run_view* out);
    void (*free)(void* self);
} vni_run_kind;

struct vn_run {
    const vni_run_kind* kind;
    vn_run_def def;
    uint32_t algo, space, variant; ///< index among the names of the kind
    uint64_t steps;                ///< made so far; the time is steps * def.step
    vn_run_result result;          ///< kept by the kind; steps, seconds and limit by run.c
    void* self;
    struct vn_run_record* record; ///< null without def.record
};

extern const vni_run_kind vni_run_asteroids, vni_run_krafft, vni_run_lost, vni_run_warehouse, vni_run_reef,
    vni_run_albertini, vni_run_massonnat, vni_run_debris;

/// Mixes a position into the hash of a run.
void vni_run_hash(vn_run_result* result, vn_dvec3 position);

// ------------------------------------------------------------------------------------------------- times

/// How many times of each size there were, from 2^-30 to 8 seconds, by 32 steps an octave.
typedef struct vni_run_times {
    uint32_t counts[33 * 32];
    uint64_t count;
} vni_run_times;

void vni_run_times_add(vni_run_times* times, double seconds);

/// The time that `part` of all times (0 to 1) do not exceed: the upper end of its step. 0: there are none.
double vni_run_times_part(const vni_run_times* times, double part);

#endif
