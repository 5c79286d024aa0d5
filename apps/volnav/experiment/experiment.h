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
} experiment;

typedef int experiment_run(experiment* e);

/// Each returns EXIT_DONE, or EXIT_BAD after a message.
experiment_run experiment_albertini, experiment_massonnat, experiment_massonnat_dynamic,
    experiment_krafft_spaces, experiment_krafft_2019, experiment_krafft_2021;

/// How many queries to run: `normal`, with --quick `quick`, with --sample that many, but not above `normal`.
uint32_t experiment_sample(const experiment* e, uint32_t normal, uint32_t quick);

/// Writes a chart as NAME.svg and puts it on the page. Frees it. EXIT_BAD after a message.
int experiment_chart(experiment* e, const char* name, svg_text* chart);

/// A table of what the text of a thesis gives a number for; end it with page_end_table.
void experiment_begin_numbers(page* p, const char* caption);

/// A row of it: what, in which figure, their number and ours. What is not finite is a dash.
void experiment_add_number(page* p, const char* what, const char* figure, double theirs, double ours);

#endif
