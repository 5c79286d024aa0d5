/// volnav/experiment/experiment.h: what the experiments share: their options, and everything that one of them
/// writes to.
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include "draw/page.h"
#include "draw/plot.h"
#include "experiment/files.h"
#include "experiment/order.h"
#include "shell/progress.h"
#include "volnav/base.h"

typedef struct experiment_options {
    const char* out;  ///< null: out/experiment-NAME
    const char* data; ///< null: none
    uint64_t seed, threads;
    uint64_t sample; ///< queries in each place at most; 0: not given
    bool quick, json, quiet;
    bool has_threads; ///< --threads was given
} experiment_options;

/// One run of an experiment.
typedef struct experiment {
    const experiment_options* options;
    files_folder folder;
    page page;
    order_book orders;
    vn_pool* pool;
    progress_bar bar;
    uint64_t queries, found, valid; ///< paths asked for, found, and passed by the checker
    uint32_t workers;               ///< of the pool
} experiment;

typedef int experiment_run(experiment* e);

/// Each returns EXIT_DONE, or EXIT_BAD after a message.
experiment_run experiment_albertini, experiment_massonnat, experiment_massonnat_dynamic,
    experiment_krafft_spaces, experiment_krafft_2019, experiment_krafft_2021, experiment_krafft_success,
    experiment_maruszczyk, experiment_crowd;

/// One of the experiments.
typedef struct experiment_entry {
    const char* name;
    const char* title; ///< of its page
    const char* about;
    experiment_run* run;
} experiment_entry;

/// Runs an experiment and writes its page and files into a folder; what came out stays in `e`, which is zero
/// before, until experiment_forget. `folder` lives as long. EXIT_DONE; EXIT_NO_PATH: a path was not found or
/// failed its check; EXIT_BAD after a message.
int experiment_make(const experiment_entry* which, const experiment_options* options, const char* folder,
                    experiment* e, double* seconds);
void experiment_forget(experiment* e);

/// Runs all of them and writes an index with one summary. Exit codes as experiment_make: the worst.
int experiment_make_all(const experiment_entry* entries, int count, const experiment_options* options);

/// How many queries to run: `normal`, with --quick `quick`, with --sample that many, but not above `normal`.
uint32_t experiment_sample(const experiment* e, uint32_t normal, uint32_t quick);

/// Writes a chart as NAME.svg and puts it on the page. Frees it. EXIT_BAD after a message.
int experiment_chart(experiment* e, const char* name, svg_text* chart);

/// A table of what the text of a thesis gives a number for; end it with page_end_table.
void experiment_begin_numbers(page* p, const char* caption);

/// A row of it: what, in which figure, their number and ours. What is not finite is a dash.
void experiment_add_number(page* p, const char* what, const char* figure, double theirs, double ours);

#endif
