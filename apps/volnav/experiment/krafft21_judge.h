/// volnav/experiment/krafft21_judge.h: what the parts of the judge of "krafft-2021" share.
#ifndef EXPERIMENT_KRAFFT21_JUDGE_H
#define EXPERIMENT_KRAFFT21_JUDGE_H

#include "experiment/krafft21.h"

/// "Slightly more", "hardly longer": up to this factor; "significantly", "far", "considerably": above it.
#define KRAFFT21_SLIGHT 1.25

// Of the first over the second: sums of expanded nodes and times, mean lengths.
static inline double krafft21_nodes_ratio(const race_sum* a, const race_sum* b) {
    return a->nodes / b->nodes;
}

static inline double krafft21_time_ratio(const race_sum* a, const race_sum* b) {
    return a->total / b->total;
}

static inline double krafft21_length_ratio(const race_sum* a, const race_sum* b) {
    return race_mean_length(a) / race_mean_length(b);
}

static inline bool krafft21_is_between(double value, double least, double most) {
    return value >= least && value <= most;
}

/// Differs only slightly from 1.
static inline bool krafft21_is_like(double ratio) {
    return krafft21_is_between(ratio, 1 / KRAFFT21_SLIGHT, KRAFFT21_SLIGHT);
}

// What the thesis says of planners on the grid, of the hybrid graph and real time, of any-angle planners.
void krafft21_judge_grid(experiment* e, const krafft21_run* run);
void krafft21_judge_hybrid(experiment* e, const krafft21_run* run);
void krafft21_judge_any_angle(experiment* e, const krafft21_run* run);

#endif
