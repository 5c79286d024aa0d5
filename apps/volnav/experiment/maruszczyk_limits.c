/// volnav/experiment/maruszczyk_limits.c: where group 6 fails: faster and denser asteroids, beside what a
/// prototype of the same rules had reached.
#include <math.h>
#include <stdio.h>

#include "experiment/maruszczyk.h"

/// Collisions a flight of the prototype, in a simulation of its own with the same ship.
static const struct {
    double speed;
    double clean;           ///< none up to this density
    double density, failed; ///< and so many at this one; 0: none is known
} prototype[] = {{0.8, 1200, 2400, 8.6}, {1.6, 600, 1200, 1.0}, {2.4, 300, 0, 0}, {3.2, 0, 300, 0.76}};

enum { PROTOTYPE = sizeof prototype / sizeof *prototype };

/// NAN: not known.
static double of_prototype(double speed, double density) {
    for (int i = 0; i < PROTOTYPE; ++i) {
        if (fabs(prototype[i].speed - speed) < 1e-9 && density <= prototype[i].clean) {
            return 0;
        }
        if (fabs(prototype[i].speed - speed) < 1e-9 && density == prototype[i].density) {
            return prototype[i].failed;
        }
    }
    return (double)NAN;
}

static double share_of(const maruszczyk_sum* sum) {
    return sum->runs > 0 ? 100.0 * sum->with_collision / sum->runs : (double)NAN;
}

// --------------------------------------------------------------------------------------------------- the
// table

static void write_cell(page* p, const maruszczyk_sum* sum) {
    char text[96];
    const double mean = maruszczyk_mean(sum, MARUSZCZYK_COLLISIONS);
    int at = sum->collisions == 0 ? snprintf(text, sizeof text, "0")
                                  : snprintf(text, sizeof text, "%.3g in %.0f %%", mean, share_of(sum));
    if (sum->arrived < sum->runs) {
        at += snprintf(text + at, sizeof text - (size_t)at, ", %u late", sum->runs - sum->arrived);
    }
    if (sum->wall_hits > 0) {
        at += snprintf(text + at, sizeof text - (size_t)at, ", rocks hit: %llu",
                       (unsigned long long)sum->wall_hits);
    }
    if (sum->arrived > 0) {
        snprintf(text + at, sizeof text - (size_t)at, "; %.0f s", sum->seconds / sum->arrived);
    }
    page_text(p, text);
}

static void write_row(page* p, const maruszczyk_limits* l, int s) {
    char name[32];
    snprintf(name, sizeof name, "%.1f m/s", l->speeds[s]);
    page_text(p, name);
    for (int d = 0; d < l->density_count; ++d) {
        if (d < l->flown[s]) {
            write_cell(p, &l->sums[s][d]);
        } else {
            page_text(p, "");
        }
    }
    page_end_row(p);
}

static void write_prototype_row(page* p, const maruszczyk_limits* l, int s) {
    char name[48], text[32];
    snprintf(name, sizeof name, "%.1f m/s, prototype", l->speeds[s]);
    page_text(p, name);
    for (int d = 0; d < l->density_count; ++d) {
        const double value = of_prototype(l->speeds[s], l->densities[d]);
        snprintf(text, sizeof text, "%.3g", value);
        page_text(p, isnan(value) ? "" : text);
    }
    page_end_row(p);
}

static void write_table(page* p, const maruszczyk_limits* l) {
    const char* heads[MARUSZCZYK_DENSITIES + 1] = {"asteroids at"};
    char names[MARUSZCZYK_DENSITIES][32];
    for (int d = 0; d < l->density_count; ++d) {
        snprintf(names[d], sizeof names[d], "<%.0f", l->densities[d]);
        heads[1 + d] = names[d];
    }

    page_begin_table(p, "Group 6: asteroids per 40³ m", NULL, heads, l->density_count + 1);
    for (int s = 0; s < l->speed_count; ++s) {
        write_row(p, l, s);
        write_prototype_row(p, l, s);
    }
    page_end_table(p);
}

// -------------------------------------------------------------------------------------------------- the
// charts

/// One line for each speed over the density: collisions a flight, or the part of flights with one.
static int draw_curve(experiment* e, const maruszczyk_limits* l, bool share) {
    static const int colours[MARUSZCZYK_SPEEDS] = {2, 4, 3, 1};
    double values[MARUSZCZYK_SPEEDS][MARUSZCZYK_DENSITIES];
    char names[MARUSZCZYK_SPEEDS][32];
    plot_chart chart = {.title = share ? "Flights with a collision" : "Collisions a flight",
                        .label = share ? "flights with a collision (%)" : "collisions a flight",
                        .x_label = "asteroids per 40 × 40 × 40 m",
                        .width = 440,
                        .x = l->densities,
                        .count = l->density_count};
    svg_text svg = {0};
    for (int s = 0; s < l->speed_count; ++s) {
        for (int d = 0; d < l->density_count; ++d) {
            const maruszczyk_sum* sum = &l->sums[s][d];
            const double value = share ? share_of(sum) : maruszczyk_mean(sum, MARUSZCZYK_COLLISIONS);
            values[s][d] = d < l->flown[s] ? value : (double)NAN;
        }
        snprintf(names[s], sizeof names[s], "%.1f m/s", l->speeds[s]);
        plot_add(&chart, names[s], values[s], colours[s], false);
    }
    plot_lines(&chart, &svg);
    return experiment_chart(e, share ? "limits-share" : "limits-collisions", &svg);
}

static int draw_limits(experiment* e, const maruszczyk_limits* l) {
    double clean[MARUSZCZYK_SPEEDS];
    plot_chart chart = {.title = "How dense a field may be",
                        .label = "asteroids per 40 × 40 × 40 m",
                        .x_label = "speed of the asteroids (m/s)",
                        .width = 440,
                        .logarithmic = true,
                        .x = l->speeds,
                        .count = l->speed_count};
    svg_text svg = {0};
    for (int s = 0; s < l->speed_count; ++s) {
        clean[s] = (double)NAN;
        for (int d = 0; d < l->density_count; ++d) {
            clean[s] = of_prototype(l->speeds[s], l->densities[d]) == 0 ? l->densities[d] : clean[s];
        }
    }

    plot_add(&chart, "no failure", l->holds, 2, false);
    plot_add(&chart, "first failure", l->fails, 1, false);
    plot_add(&chart, "prototype: no failure", clean, 0, true);
    plot_lines(&chart, &svg);
    return experiment_chart(e, "limits", &svg);
}

static int write_numbers(experiment* e, const maruszczyk_limits* l) {
    files_csv csv =
        files_begin_csv("speed,density,flights,arrived,collisions,with_collision,wall_hits,seconds,"
                        "unverified_share,prototype_collisions_a_flight");
    for (int s = 0; s < l->speed_count; ++s) {
        for (int d = 0; d < l->flown[s]; ++d) {
            const maruszczyk_sum* sum = &l->sums[s][d];
            const double numbers[] = {l->speeds[s],
                                      l->densities[d],
                                      sum->runs,
                                      sum->arrived,
                                      (double)sum->collisions,
                                      sum->with_collision,
                                      (double)sum->wall_hits,
                                      sum->arrived > 0 ? sum->seconds / sum->arrived : (double)NAN,
                                      sum->unverified / sum->steps,
                                      of_prototype(l->speeds[s], l->densities[d])};

            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
                files_csv_real(&csv, numbers[k]);
            }
            files_csv_end_row(&csv);
        }
    }

    return files_write_csv(&e->folder, "limits.csv", &csv);
}

int maruszczyk_write_limits(experiment* e, const maruszczyk_limits* l) {
    page* p = &e->page;
    page_heading(p, 3, "Until it fails");
    page_add(
        p,
        "4 %% rock, more and faster asteroids. Each field of the table shows the collisions a flight "
        "and in how many of the flights there was one (0: in none), flights that are not there after "
        "600 s (late), and the seconds of those that arrive. Flights in each field: %u. The prototype is an "
        "earlier pilot of this kind, in a simulation of its own with the same ship: its collisions a "
        "flight; at 3.2 m/s it also had 0.01 at 20 asteroids per 40³ m.",
        l->sums[0][0].runs);
    write_table(p, l);
    page_begin_charts(p);
    int code = draw_curve(e, l, false);
    code = code == EXIT_DONE ? draw_curve(e, l, true) : code;
    code = code == EXIT_DONE ? draw_limits(e, l) : code;
    page_end_charts(p);
    return code == EXIT_DONE ? write_numbers(e, l) : code;
}
