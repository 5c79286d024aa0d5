/// volnav/experiment/race.c: sums and charts over frames.
#include "experiment/race.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "shell/stats.h"

static const double frame_limit = 1.0 / 60; ///< seconds

race_sum race_open(uint32_t frames) {
    race_sum sum = {.seconds = say_alloc(frames, sizeof *sum.seconds),
                    .expanded = say_alloc(frames, sizeof *sum.expanded),
                    .lengths = say_alloc(frames, sizeof *sum.lengths)};
    for (uint32_t k = 0; k < frames; ++k) {
        sum.seconds[k] = sum.expanded[k] = sum.lengths[k] = (double)NAN;
    }
    return sum;
}

void race_free(race_sum* sum) {
    free(sum->seconds);
    free(sum->expanded);
    free(sum->lengths);
}

void race_add(race_sum* sum, uint32_t frame, const racer_answer* answer) {
    const run_row* row = &answer->row;
    sum->seconds[frame] = row->seconds;
    sum->expanded[frame] = row->closed;
    sum->lengths[frame] = row->found ? row->length : (double)NAN;
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
    sum->sights += row->sight_checks;
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

double race_mean(const race_sum* sum) {
    return sum->frames > 0 ? sum->total / sum->frames : 0;
}

double race_mean_length(const race_sum* sum) {
    return sum->found > 0 ? sum->length / sum->found : 0;
}

// --------------------------------------------------------------------------------------------------- charts

/// What a line shows of a frame, or, by number, of a plan. Returns how many values it has up to the last
/// plan: agents arrive at different times. What is behind that is not a number.
static uint32_t take_line(const race_sum* sum, race_value what, bool by_number, uint32_t frames,
                          double* out) {
    const bool times = what == RACE_TIME || what == RACE_ALL_TIME,
               all = what == RACE_ALL_NODES || what == RACE_ALL_TIME;
    double before = 0;
    uint32_t plans = 0, last = 0;
    for (uint32_t k = 0; k < frames; ++k) {
        out[k] = (double)NAN;
        if (isfinite(sum->seconds[k])) {
            const uint32_t place = by_number ? plans : k;
            const double value = times ? sum->seconds[k] * 1e3 : sum->expanded[k];
            out[place] = all ? before + value : value;
            before += value;
            last = place + 1;
            ++plans;
        }
    }
    return last;
}

int race_chart(experiment* e, const char* file, const char* title, race_value what, const double* at,
               uint32_t frames, const race_line* lines, int count) {
    static const char* const labels[] = {"expanded nodes", "time of a plan (ms)", "expanded nodes so far",
                                         "time so far (ms)"};
    plot_chart chart = {.title = title,
                        .label = labels[what],
                        .x_label = at == NULL ? "number of the plan" : "time in the scene (s)",
                        .width = 900};
    double *values[RACE_LINES_MAX] = {NULL}, *numbers = say_alloc(frames + 1, sizeof *numbers);
    uint32_t shown = 0;
    assert(count <= RACE_LINES_MAX);
    for (int i = 0; i < count; ++i) {
        values[i] = say_alloc(frames + 1, sizeof *values[i]);
        const uint32_t last = take_line(lines[i].sum, what, at == NULL, frames, values[i]);
        shown = last > shown ? last : shown;
        plot_add(&chart, lines[i].name, values[i], lines[i].colour, lines[i].pale);
    }

    for (uint32_t k = 0; k < frames; ++k) {
        numbers[k] = k + 1;
    }

    svg_text svg = {0};
    chart.x = at == NULL ? numbers : at;
    chart.count = (int)shown;
    chart.marker_every = (int)shown / 16 + 1;
    if (shown > 0) {
        plot_lines(&chart, &svg);
    }
    for (int i = 0; i < count; ++i) {
        free(values[i]);
    }
    free(numbers);
    return shown > 0 ? experiment_chart(e, file, &svg) : EXIT_DONE;
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
        files_csv_real(csv, sum->lengths[k]);
        files_csv_real(csv, sum->seconds[k] * 1e3);
        files_csv_end_row(csv);
    }
}
