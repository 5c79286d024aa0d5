/// volnav/experiment/krafft21_csv.c: the numbers of "krafft-2021" as files: every plan, and the sums. What is
/// run in real time follows from measured times, differs from run to run, and has files of its own.
#include <math.h>

#include "experiment/krafft21.h"

static double in_ms(double seconds) {
    return seconds * 1e3;
}

static int write_frames(experiment* e, const krafft21_run* run, const char* file, bool live) {
    files_csv csv = files_begin_csv(RACE_FRAMES_HEADS);
    for (int s = 0; s < KRAFFT21_SCENARIOS; ++s) {
        const krafft21_race* race = &run->races[s];
        for (int i = 0; i < KRAFFT21_CONTENDERS && krafft21_scenarios[s].live == live; ++i) {
            race_add_frames(&csv, krafft21_scenarios[s].name, krafft21_contenders[i].name, race->at,
                            race->frames, &race->sums[i]);
        }
    }
    return files_write_csv(&e->folder, file, &csv);
}

static void add_total(files_csv* csv, const krafft21_race* race, int scenario, int contender) {
    const race_sum *sum = &race->sums[contender], *astar = &race->sums[KRAFFT21_ASTAR];
    const krafft21_flight* flight = &race->flights[contender];
    const bool any = sum->found > 0;

    // in the order of the columns
    const double values[] = {sum->frames,
                             sum->found,
                             sum->valid,
                             sum->nodes,
                             sum->nodes / astar->nodes,
                             sum->worst_nodes,
                             in_ms(sum->total),
                             sum->total / astar->total,
                             sum->nodes > 0 ? sum->total / sum->nodes * 1e9 : (double)NAN,
                             in_ms(sum->p99),
                             in_ms(sum->worst),
                             sum->late,
                             any ? race_mean_length(sum) : (double)NAN,
                             sum->sights,
                             (double)sum->restarts,
                             flight->arrival,
                             race->slower,
                             flight->blind};

    files_csv_text(csv, krafft21_scenarios[scenario].name);
    files_csv_text(csv, krafft21_contenders[contender].name);
    for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
        files_csv_real(csv, values[k]);
    }
    files_csv_end_row(csv);
}

static int write_totals(experiment* e, const krafft21_run* run, const char* file, bool live) {
    files_csv csv = files_begin_csv("scenario,contender,plans,found,valid,expanded,expanded_over_astar,"
                                    "worst_expanded,total_ms,total_over_astar,ns_per_node,p99_ms,worst_ms,"
                                    "late,length,sight_checks,resets,arrival_s,slower,covered");
    for (int s = 0; s < KRAFFT21_SCENARIOS; ++s) {
        for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
            if (krafft21_scenarios[s].live == live && run->races[s].sums[i].frames > 0) {
                add_total(&csv, &run->races[s], s, i);
            }
        }
    }
    return files_write_csv(&e->folder, file, &csv);
}

int krafft21_write_numbers(experiment* e, const krafft21_run* run) {
    int code = write_frames(e, run, "frames.csv", false);
    code = code == EXIT_DONE ? write_totals(e, run, "totals.csv", false) : code;
    code = code == EXIT_DONE ? write_frames(e, run, "real-time-frames.csv", true) : code;
    return code == EXIT_DONE ? write_totals(e, run, "real-time-totals.csv", true) : code;
}
