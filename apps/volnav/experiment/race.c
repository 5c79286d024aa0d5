/// volnav/experiment/race.c: sums and charts over frames.
#include "experiment/race.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "shell/stats.h"

static const double frame_limit = 1.0 / 60; ///< seconds

race_sum race_open(uint32_t frames) {
    race_sum sum = {.seconds = say_alloc(frames, sizeof *sum.seconds),
                    .expanded = say_alloc(frames, sizeof *sum.expanded)};
    for (uint32_t k = 0; k < frames; ++k) {
        sum.seconds[k] = sum.expanded[k] = (double)NAN;
    }
    return sum;
}

void race_free(race_sum* sum) {
    free(sum->seconds);
    free(sum->expanded);
}

void race_add(race_sum* sum, uint32_t frame, const racer_answer* answer) {
    const run_row* row = &answer->row;
    sum->seconds[frame] = row->seconds;
    sum->expanded[frame] = row->closed;
    if (sum->frames > 0 && row->closed > sum->worst_nodes) {
        sum->worst_nodes = row->closed;
    }

    ++sum->frames;
    sum->found += row->found ? 1 : 0;
    sum->valid += row->valid ? 1 : 0;
    sum->late += row->seconds > frame_limit ? 1 : 0;
    sum->total += row->seconds;
    sum->nodes += row->closed;
    sum->length += row->found ? row->length : 0;
    sum->restarts = answer->restarts > 0 ? answer->restarts - 1 : 0;
}

void race_close(race_sum* sum, uint32_t frames) {
    double* sorted = say_alloc(sum->frames + 1, sizeof *sorted);
    uint32_t count = 0;
    for (uint32_t k = 0; k < frames; ++k) {
        if (isfinite(sum->seconds[k])) {
            sorted[count++] = sum->seconds[k];
        }
    }

    const stats_summary about = stats_of(sorted, count);
    sum->p99 = about.p99;
    sum->worst = about.max;
    free(sorted);
}

double race_per_node(const race_sum* sum) {
    return sum->nodes > 0 ? sum->total / sum->nodes : 0;
}

double race_mean_length(const race_sum* sum) {
    return sum->found > 0 ? sum->length / sum->found : 0;
}

// --------------------------------------------------------------------------------------------------- charts

/// Frames up to the last with a plan of one of them: agents arrive at different times.
static int last_frame(uint32_t frames, const race_line* lines, int count) {
    uint32_t last = 0;
    for (uint32_t k = 0; k < frames; ++k) {
        for (int i = 0; i < count; ++i) {
            last = isfinite(lines[i].sum->seconds[k]) ? k + 1 : last;
        }
    }
    return (int)last;
}

static double* values_of(const race_sum* sum, race_value what, uint32_t frames) {
    const bool times = what == RACE_TIME || what == RACE_ALL_TIME,
               all = what == RACE_ALL_NODES || what == RACE_ALL_TIME;
    double* values = say_alloc(frames, sizeof *values);
    double before = 0;
    for (uint32_t k = 0; k < frames; ++k) {
        const double value = times ? sum->seconds[k] * 1e3 : sum->expanded[k];
        values[k] = all ? before + value : value;
        before += isfinite(value) ? value : 0;
    }
    return values;
}

int race_chart(experiment* e, const char* file, const char* title, race_value what, const double* at,
               uint32_t frames, const race_line* lines, int count) {
    static const char* const labels[] = {"expanded nodes", "time of a plan (ms)", "expanded nodes so far",
                                         "time so far (ms)"};
    const int shown = last_frame(frames, lines, count);
    plot_chart chart = {.title = title,
                        .label = labels[what],
                        .x_label = "time in the scene (s)",
                        .width = 900,
                        .x = at,
                        .count = shown,
                        .marker_every = shown / 16 + 1};
    double* values[RACE_LINES_MAX] = {NULL};
    assert(count <= RACE_LINES_MAX);
    if (shown == 0) {
        return EXIT_DONE;
    }

    for (int i = 0; i < count; ++i) {
        values[i] = values_of(lines[i].sum, what, frames);
        plot_add(&chart, lines[i].name, values[i], lines[i].colour, lines[i].pale);
    }

    svg_text svg = {0};
    plot_lines(&chart, &svg);
    for (int i = 0; i < count; ++i) {
        free(values[i]);
    }
    return experiment_chart(e, file, &svg);
}

// -------------------------------------------------------------------------------------------------- numbers

void race_add_frames(files_csv* csv, const char* scenario, const char* contender, const double* at,
                     uint32_t frames, const race_sum* sum) {
    for (uint32_t k = 0; k < frames; ++k) {
        if (!isfinite(sum->seconds[k])) {
            continue;
        }
        files_csv_text(csv, scenario);
        files_csv_real(csv, at[k]);
        files_csv_text(csv, contender);
        files_csv_real(csv, sum->expanded[k]);
        files_csv_real(csv, sum->seconds[k] * 1e3);
        files_csv_end_row(csv);
    }
}
