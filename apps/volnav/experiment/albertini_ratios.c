/// volnav/experiment/albertini_ratios.c: ratios of path lengths in Albertini 2022 and here, and what its
/// figures are counted for.
#include <math.h>
#include <string.h>

#include "experiment/albertini.h"

/// Two ratios within this part of each other count as the same.
#define RATIO_MARGIN 0.1

/// One line of the table: Basic Theta*'s length over that of others.
typedef struct ratios {
    double astar[2], smoothed[2];   ///< over A*'s and A* PS's: thesis, here
    double straight, no_last, bent; ///< here, over A* PS's: straight lines, Theta* without its last leg, and
                                    ///< with 0 for paths of one leg
} ratios;

static ratios ratios_of(const albertini_table* table) {
    ratios r;
    const int t = table->number - 1;
    const double theirs = albertini_theirs(t, ALBERTINI_THETA, ALBERTINI_LENGTH, true);
    const double smoothed = table->ours[ALBERTINI_ASTAR_PS][ALBERTINI_LENGTH];
    const run_summary* theta = &table->theta;
    r.astar[0] = theirs / albertini_theirs(t, ALBERTINI_ASTAR, ALBERTINI_LENGTH, true);
    r.astar[1] = theta->length / table->ours[ALBERTINI_ASTAR][ALBERTINI_LENGTH];
    r.smoothed[0] = theirs / albertini_theirs(t, ALBERTINI_ASTAR_PS, ALBERTINI_LENGTH, true);
    r.smoothed[1] = theta->length / smoothed;
    r.straight = theta->straight / smoothed;
    r.no_last = (theta->length - theta->last_leg) / smoothed;
    r.bent = theta->bent / smoothed;
    return r;
}

static bool is_near(double a, double b) {
    return fabs(a / b - 1) <= RATIO_MARGIN;
}

/// In how many tables each guess fits.
typedef struct guesses {
    int tables, as_here, below_straight, no_last, bent;
} guesses;

static void count_guesses(const ratios* r, guesses* g) {
    if (isfinite(r->smoothed[0])) {
        ++g->tables;
        g->as_here += is_near(r->smoothed[1], r->smoothed[0]) ? 1 : 0;
        g->below_straight += r->smoothed[0] < r->straight ? 1 : 0;
        g->no_last += is_near(r->no_last, r->smoothed[0]) ? 1 : 0;
        g->bent += is_near(r->bent, r->smoothed[0]) ? 1 : 0;
    }
}

static void write_verdict(page* p, const guesses* g) {
    const char* verdict = g->as_here == g->tables   ? "The ratios agree."
                          : g->no_last == g->tables ? "Explained: the thesis leaves out the last leg."
                          : g->bent == g->tables    ? "Explained: the thesis counts straight paths as 0."
                                                    : "The ratios differ, not explained.";
    page_add(
        p,
        "Basic Theta* over A* with post-smoothing agrees within %.0f %% in %d of the %d tables that can be "
        "trusted. In %d of them the thesis's ratio is below that of straight lines through all obstacles in "
        "our "
        "like world, which no search can beat. Two ways of losing a part of any-angle paths were tried on "
        "this "
        "run's paths: without the last leg the ratio fits in %d tables, with 0 for paths that are one "
        "straight "
        "line in %d. %s",
        100 * RATIO_MARGIN, g->as_here, g->tables, g->below_straight, g->no_last, g->bent, verdict);
    page_note(p, "%s", albertini_flag(10));
}

int albertini_write_ratios(experiment* e, const albertini_table* tables) {
    static const char* const heads[] = {"table", "<world",         "thesis",      "ours",         "thesis",
                                        "ours",  "straight lines", "no last leg", "straight as 0"};
    page* p = &e->page;
    files_csv csv =
        files_begin_csv("table,theta_astar_thesis,theta_astar,theta_smoothed_thesis,theta_smoothed,"
                        "straight_smoothed,no_last_leg_smoothed,straight_as_0_smoothed");
    guesses g = {0};
    page_heading(p, 2, "Ratios of lengths");
    page_begin_table(p, "Basic Theta* over other rows", " | |over A*:2|over A* PS:2|here, over A* PS:3",
                     heads, 9);
    for (int t = 0; t < ALBERTINI_TABLES; ++t) {
        const ratios r = ratios_of(&tables[t]);
        const double values[7] = {r.astar[0], r.astar[1], r.smoothed[0], r.smoothed[1],
                                  r.straight, r.no_last,  r.bent};
        count_guesses(&r, &g);
        page_real(p, tables[t].number);
        page_text(p, tables[t].world);
        files_csv_real(&csv, tables[t].number);
        for (int i = 0; i < 7; ++i) {
            (i == 0 || i == 2 ? page_theirs : page_real)(p, values[i]);
            files_csv_real(&csv, values[i]);
        }

        page_end_row(p);
        files_csv_end_row(&csv);
    }

    page_end_table(p);
    write_verdict(p, &g);
    return files_write_csv(&e->folder, "ratios.csv", &csv);
}

// --------------------------------------------------------------------------------------------------- units

/// The thesis's leaves by world.
static const double leaves[5] = {21091, 8701, 7271, 9054, 19797};

void albertini_write_units(page* p, const albertini_table* tables) {
    static const char* const heads[] = {"<world", "thesis", "ours", "thesis", "ours", "one", "five"};
    page_heading(p, 2, "For one target, or for five?");
    page_add(
        p,
        "Section 7.1 of the thesis says that time and closed nodes are those \"to find all 5 paths\". Its "
        "tables contradict: Dijkstra closes the nodes nearer than its target, half of them in the mean. Five "
        "targets would make 2.5 times the leaves one after another, and 5/6 of them (0.83) with shared sets; "
        "for each target that is 0.5 and 1/6 (0.17). Time over closed nodes is about the same in both tables "
        "of a world, so times are counted like nodes. Worlds 2 and 4 have 0.10 with five targets, below "
        "both: not "
        "explained. This page takes all figures as for one target.");
    page_begin_table(p, "Dijkstra: closed nodes over leaves; thesis's time for a closed node, µs",
                     " |one target:2|five targets:2|µs a node, thesis:2", heads, 7);
    for (int w = 0; w < 5; ++w) {
        page_text(p, tables[2 * w].world);
        for (int multi = 0; multi < 2; ++multi) {
            const albertini_table* table = &tables[2 * w + multi];
            page_theirs(p, albertini_theirs(2 * w + multi, ALBERTINI_DIJKSTRA, ALBERTINI_CLOSED, true) /
                               leaves[w]);
            page_real(p, table->ours[ALBERTINI_DIJKSTRA][ALBERTINI_CLOSED] / table->nodes);
        }

        for (int multi = 0; multi < 2; ++multi) {
            page_theirs(p, 1e3 * albertini_theirs(2 * w + multi, ALBERTINI_DIJKSTRA, ALBERTINI_TIME, true) /
                               albertini_theirs(2 * w + multi, ALBERTINI_DIJKSTRA, ALBERTINI_CLOSED, true));
        }
        page_end_row(p);
    }

    page_end_table(p);
}
