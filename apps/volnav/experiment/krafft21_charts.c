/// volnav/experiment/krafft21_charts.c: charts of plans and of their sums.
#include "experiment/krafft21_charts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static double in_ms(double seconds) {
    return seconds * 1e3;
}

static int colour_of(const krafft21_cast* cast, int place) {
    return cast->apart ? place % PLOT_COLOURS : krafft21_contenders[cast->contenders[place]].colour;
}

static bool is_pale(const krafft21_cast* cast, int place) {
    return !cast->apart && krafft21_contenders[cast->contenders[place]].pale;
}

// ---------------------------------------------------------------------------------------------------- lines

int krafft21_write_lines(experiment* e, const krafft21_run* run, const krafft21_lines* l) {
    const krafft21_race* race = &run->races[l->scenario];
    race_line all[RACE_LINES_MAX];
    assert(l->cast.count <= RACE_LINES_MAX);
    for (int i = 0; i < l->cast.count; ++i) {
        const int contender = l->cast.contenders[i];
        all[i] = (race_line){krafft21_contenders[contender].name, &race->sums[contender],
                             colour_of(&l->cast, i), is_pale(&l->cast, i)};
    }
    return race_chart(e, l->file, l->title, l->times ? RACE_TIME : RACE_NODES, l->by_number ? NULL : race->at,
                      race->frames, all, l->cast.count);
}

// ----------------------------------------------------------------------------------------------------- bars

static double value_of(const race_sum* sum, krafft21_value what, bool mean) {
    const double plans = mean && sum->frames > 0 ? sum->frames : 1;
    switch (what) {
    case KRAFFT21_NODES: return sum->nodes / plans;
    case KRAFFT21_TIME: return in_ms(sum->total) / plans;
    case KRAFFT21_PEAK: return in_ms(sum->worst);
    case KRAFFT21_P99: return in_ms(sum->p99);
    default: return race_mean_length(sum);
    }
}

static const char* label_of(krafft21_value what, bool mean) {
    switch (what) {
    case KRAFFT21_NODES: return mean ? "expanded nodes, mean of a plan" : "expanded nodes, all plans";
    case KRAFFT21_TIME: return mean ? "time, mean of a plan (ms)" : "time of all plans (ms)";
    case KRAFFT21_PEAK: return "time of the longest plan (ms)";
    case KRAFFT21_P99: return "time that 99 of 100 plans keep (ms)";
    case KRAFFT21_EXCESS: return "length above the shortest (%)";
    default: return "length of a path, in the mean (units)";
    }
}

/// Cells expand so little that all others would look alike.
static bool has_cells(const krafft21_cast* cast) {
    for (int i = 0; i < cast->count; ++i) {
        if (cast->contenders[i] == KRAFFT21_CELLS) {
            return true;
        }
    }
    return false;
}

int krafft21_write_bars(experiment* e, const krafft21_run* run, const krafft21_bars* b) {
    const char* names[KRAFFT21_SHOWN];
    double values[3][KRAFFT21_SHOWN];
    plot_chart chart = {.title = b->title, .label = label_of(b->value, b->mean), .width = 900};
    chart.logarithmic = has_cells(&b->cast);
    chart.categories = names;
    chart.count = b->cast.count;
    for (int k = 0; k < 3 && b->names[k] != NULL; ++k) {
        for (int i = 0; i < b->cast.count; ++i) {
            const race_sum* sum = &run->races[b->scenarios[k]].sums[b->cast.contenders[i]];
            names[i] = krafft21_contenders[b->cast.contenders[i]].name;
            values[k][i] = sum->frames > 0 ? value_of(sum, b->value, b->mean) : (double)NAN;
        }
        plot_add(&chart, b->names[k], values[k], k, false);
    }

    svg_text svg = {0};
    plot_bars(&chart, &svg);
    return experiment_chart(e, b->file, &svg);
}

// --------------------------------------------------------------------------------------------------- points

int krafft21_write_points(experiment* e, const krafft21_run* run, const krafft21_points* p) {
    const krafft21_race* race = &run->races[p->scenario];
    plot_chart chart = {.title = p->title,
                        .label = "time of a plan (ms)",
                        .x_label = "expanded nodes of the plan",
                        .width = 900};
    double* times[KRAFFT21_SHOWN] = {NULL};
    for (int i = 0; i < p->cast.count; ++i) {
        const race_sum* sum = &race->sums[p->cast.contenders[i]];
        times[i] = say_alloc(race->frames + 1, sizeof *times[i]);
        for (uint32_t k = 0; k < race->frames; ++k) {
            times[i][k] = in_ms(sum->seconds[k]);
        }
        plot_add_points(&chart, krafft21_contenders[p->cast.contenders[i]].name, sum->expanded, times[i],
                        NULL, (int)race->frames, colour_of(&p->cast, i), is_pale(&p->cast, i));
    }

    svg_text svg = {0};
    plot_points(&chart, &svg);
    for (int i = 0; i < p->cast.count; ++i) {
        free(times[i]);
    }
    return experiment_chart(e, p->file, &svg);
}

/// As value_of; a length above the shortest needs all of them.
static double bubble_value(const krafft21_race* race, const krafft21_cast* cast, int place,
                           krafft21_value what) {
    const race_sum* sum = &race->sums[cast->contenders[place]];
    double least = race_mean_length(sum);
    if (what != KRAFFT21_EXCESS) {
        return value_of(sum, what, false);
    }

    for (int i = 0; i < cast->count; ++i) {
        least = fmin(least, race_mean_length(&race->sums[cast->contenders[i]]));
    }
    return least > 0 ? 100 * (race_mean_length(sum) / least - 1) : 0;
}

int krafft21_write_bubbles(experiment* e, const krafft21_run* run, const krafft21_bubbles* b) {
    double x[KRAFFT21_SHOWN], y[KRAFFT21_SHOWN], size[KRAFFT21_SHOWN];
    plot_chart chart = {.title = b->title, .label = label_of(b->y, false), .width = 900};
    chart.x_label = label_of(b->x, false);
    for (int i = 0; i < b->cast.count; ++i) {
        const krafft21_race* race = &run->races[b->scenario];
        x[i] = bubble_value(race, &b->cast, i, b->x);
        y[i] = bubble_value(race, &b->cast, i, b->y);
        size[i] = bubble_value(race, &b->cast, i, b->size);
        plot_add_points(&chart, krafft21_contenders[b->cast.contenders[i]].name, &x[i], &y[i], &size[i], 1,
                        colour_of(&b->cast, i), is_pale(&b->cast, i));
    }

    svg_text svg = {0};
    plot_points(&chart, &svg);
    return experiment_chart(e, b->file, &svg);
}
