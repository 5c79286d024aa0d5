/// volnav/experiment/race.h: what a contender did, frame by frame, and all frames together.
#ifndef EXPERIMENT_RACE_H
#define EXPERIMENT_RACE_H

#include "experiment/racer.h"

/// Make it with race_open; free with race_free.
typedef struct race_sum {
    double *seconds, *expanded;    ///< of each frame; not a number: no plan
    double* lengths;               ///< likewise, or no path; units
    uint32_t frames, found, valid; ///< frames with a plan; all 0: it takes no part
    uint32_t late;                 ///< plans over 1/60 second
    double total, nodes, length;   ///< sums: seconds, expanded nodes, units
    double sights;                 ///< sum of line of sight checks; not a number: not counted
    double p99, worst;             ///< seconds
    double worst_nodes;            ///< of a plan after the first, which is from scratch for all
    uint64_t restarts;             ///< searches from scratch after the first, of a planner that repairs
} race_sum;

/// Nothing yet, with room for so many frames.
race_sum race_open(uint32_t frames);
void race_free(race_sum* sum);

void race_add(race_sum* sum, uint32_t frame, const racer_answer* answer);

/// After the last of `frames` frames: fills p99 and worst.
void race_close(race_sum* sum, uint32_t frames);

/// Seconds for an expanded node; 0 if there is none.
double race_per_node(const race_sum* sum);

/// Seconds of a plan; 0 if there is none.
double race_mean(const race_sum* sum);

/// Of the paths that were found; 0 if there is none.
double race_mean_length(const race_sum* sum);

/// What a chart over time shows of a frame, and "all": of this and all frames before it.
typedef enum race_value { RACE_NODES, RACE_TIME, RACE_ALL_NODES, RACE_ALL_TIME } race_value;

typedef struct race_line {
    const char* name;
    const race_sum* sum;
    int colour; ///< as in plot_series
    bool pale;
} race_line;

enum { RACE_LINES_MAX = 6 };

/// Lines over the time in the scene, up to the last frame with a plan of one of them. `at`: seconds of each
/// of the frames; null: lines over the number of the plan. Nothing is drawn if there is no plan.
int race_chart(experiment* e, const char* file, const char* title, race_value what, const double* at,
               uint32_t frames, const race_line* lines, int count);

/// A row for each plan.
#define RACE_FRAMES_HEADS "scenario,seconds,contender,expanded,length,ms"
void race_add_frames(files_csv* csv, const char* scenario, const char* contender, const double* at,
                     uint32_t frames, const race_sum* sum);

#endif
