/// volnav/commands/sim_campaign.h: a campaign: many runs of one scene that differ in their seeds, on all
/// cores.
#ifndef SIM_CAMPAIGN_H
#define SIM_CAMPAIGN_H

#include <stdio.h>

#include "volnav/run.h"

/// Times of steps are counted in classes, eight an octave from 0.1 microseconds to 1.6 seconds.
enum { SIM_CLASSES = 192, SIM_MOST_RUNS = 1000000 };

/// One run.
typedef struct sim_outcome {
    bool done;
    vn_run_result result;
    uint32_t times[SIM_CLASSES]; ///< CPU times of its steps
} sim_outcome;

/// Make it with {0}, then fill in the first part.
typedef struct sim_campaign {
    vn_run_def def; ///< names, step, limit and agents filled in; seed: of the first run
    uint64_t runs;
    uint64_t threads;       ///< 0: one for each processor
    const char* checkpoint; ///< null: none
    bool quiet;             ///< no progress

    sim_outcome* outcomes; ///< by seed: `runs` of them, and maybe more from the checkpoint
    uint64_t outcome_count;
    uint64_t resumed; ///< how many of `runs` came from the checkpoint
} sim_campaign;

/// Flies all runs that the checkpoint does not have. Whatever the number of threads, outcomes are the same
/// but for times. EXIT_DONE, or EXIT_BAD after a message; what is done then is in the checkpoint all the
/// same.
int sim_campaign_run(sim_campaign* campaign);
void sim_campaign_free(sim_campaign* campaign);

// ----------------------------------------------------------------------------------------- the checkpoint

/// Reads the outcomes of an earlier session; nothing if there is no such file. Refuses the file of another
/// campaign: one that differs in anything but the number of runs.
int sim_checkpoint_read(sim_campaign* campaign);

/// Replaces the file as a whole.
int sim_checkpoint_write(const sim_campaign* campaign);

// ------------------------------------------------------------------------------------------------ rows

/// Bytes of the longest row.
enum { SIM_ROW = 4096 };

/// The numbers of a result, separated by commas, in the order of sim_row_names; `times`: with CPU times,
/// which are the last two. `row` holds SIM_ROW bytes.
void sim_row_print(const vn_run_result* result, bool times, char* row);
void sim_row_names(bool times, char* row);

/// Reads what sim_row_print wrote with times, and moves `*row` behind it. False if it is something else.
bool sim_row_read(const char** row, vn_run_result* result);

/// "0" to "6", or "thesis".
const char* sim_pilot_name(const vn_run_def* def);

/// Writes the CSV: one line a run. EXIT_DONE, or EXIT_BAD after a message.
int sim_csv_write(const sim_campaign* campaign, const char* path);

#endif
