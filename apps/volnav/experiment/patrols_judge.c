/// volnav/experiment/patrols_judge.c: what Massonnat 2023 concludes from its moving obstacles, held against
/// the figures of this run.
#include <assert.h>
#include <math.h>

#include "experiment/patrols.h"

// ------------------------------------------------------------------------------------------------ table 6.3

/// With local updates of the graph instead of building it, the thesis has the pair in the order found here.
static bool test_memory(const void* figures, const order_column* c, int less, int more) {
    (void)figures;
    const bool builds = less == PATROLS_OCTREE_BUILD || less == PATROLS_MERGED_BUILD ||
                        more == PATROLS_OCTREE_BUILD || more == PATROLS_MERGED_BUILD;
    return c->column == PATROLS_TREE && builds &&
           patrols_theirs(less | 1, c->column) > patrols_theirs(more | 1, c->column);
}

static_assert(PATROLS_OCTREE == (PATROLS_OCTREE_BUILD | 1) && PATROLS_MERGED == (PATROLS_MERGED_BUILD | 1),
              "a row with building stands before the one with local updates");

/// The figures of the octrees follow the number of cells that there are.
static bool test_cells(const void* figures, const order_column* c, int less, int more) {
    const patrols_costs* costs = figures;
    return c->column == PATROLS_GRAPH && costs->cells[less] > costs->cells[more];
}

static const order_reason reasons[] = {
    {test_memory, "The thesis's own rows with local updates have the order found here; it puts its other "
                  "figure down to memory that building graphs takes and gives back."},
    {test_cells, "Follows the number of cells."},
};

static void compare_costs(order_book* book, const patrols_costs* c) {
    static const char* const titles[PATROLS_COLUMNS] = {"octree update", "graph update", "path", "total"};
    for (int k = 0; k < PATROLS_COLUMNS; ++k) {
        order_item items[PATROLS_PRINTED];
        const order_column column = {0, "6.3", k, titles[k], true};
        for (int row = 0; row < PATROLS_PRINTED; ++row) {
            items[row] = (order_item){patrols_names[row], patrols_theirs(row, k), c->seconds[row][k]};
        }
        order_compare(book, &column, items, PATROLS_PRINTED);
    }
}

/// Space and graph together.
static double both_of(const patrols_costs* c, int row) {
    return c->seconds[row][PATROLS_TREE] + c->seconds[row][PATROLS_GRAPH];
}

static void judge_graph(order_book* book, const patrols_costs* c) {
    const double octree =
        c->seconds[PATROLS_OCTREE_BUILD][PATROLS_GRAPH] / c->seconds[PATROLS_OCTREE][PATROLS_GRAPH];
    const double merged =
        c->seconds[PATROLS_MERGED_BUILD][PATROLS_GRAPH] / c->seconds[PATROLS_MERGED][PATROLS_GRAPH];
    order_add_claim(book,
                    "Updating the graph locally is cheaper than building it anew (31 times on the octree, 11 "
                    "on the merged one).",
                    octree > 1 && merged > 1, NULL, "%.0f times and %.1f times", octree, merged);

    const double fresh[2] = {both_of(c, PATROLS_OCTREE_NEW) / both_of(c, PATROLS_OCTREE),
                             both_of(c, PATROLS_MERGED_NEW) / both_of(c, PATROLS_MERGED)};
    order_add_claim(book, "Following is cheaper than building tree and graph anew (not in the thesis).",
                    fresh[0] > 1 && fresh[1] > 1, NULL,
                    "%.1f times (octree), %.1f times (merged), against plain arrays that cannot follow",
                    fresh[0], fresh[1]);

    const double share[2] = {
        c->seconds[PATROLS_OCTREE_BUILD][PATROLS_GRAPH] / c->seconds[PATROLS_OCTREE_BUILD][PATROLS_TREE],
        c->seconds[PATROLS_MERGED_BUILD][PATROLS_GRAPH] / c->seconds[PATROLS_MERGED_BUILD][PATROLS_TREE]};
    const bool similar = share[0] > 0.5 && share[0] < 2 && share[1] > 0.5 && share[1] < 2;
    const bool local = share[0] > 2 && c->seconds[PATROLS_OCTREE_NEW][PATROLS_TREE] >
                                           5 * c->seconds[PATROLS_OCTREE][PATROLS_TREE];
    order_add_claim(
        book, "Building the graph anew costs about as much as updating the octree (0.7 to 0.8 times).",
        similar,
        local ? "Our update looks at the changed voxels only: building the whole octree takes more "
                "than five times as long."
              : NULL,
        "%.1f times (octree), %.1f times (merged)", share[0], share[1]);
}

static void judge_growth(order_book* book, const patrols_costs* grains) {
    const patrols_costs *a = &grains[0], *b = &grains[PATROLS_GRAINS - 1];
    double grow[4];
    for (int row = 0; row < PATROLS_PRINTED; ++row) {
        grow[row] = b->seconds[row][PATROLS_GRAPH] / a->seconds[row][PATROLS_GRAPH];
    }
    order_add_claim(
        book, "The cost of building the graph grows with the map; that of local updates does not.",
        grow[PATROLS_OCTREE_BUILD] > grow[PATROLS_OCTREE] &&
            grow[PATROLS_MERGED_BUILD] > grow[PATROLS_MERGED],
        NULL, "with 64 times the voxels: octree %.0f times built, %.1f times local; merged %.0f and %.1f",
        grow[PATROLS_OCTREE_BUILD], grow[PATROLS_OCTREE], grow[PATROLS_MERGED_BUILD], grow[PATROLS_MERGED]);
}

static void judge_trees(order_book* book, const patrols_costs* c) {
    const double tree = c->seconds[PATROLS_MERGED][PATROLS_TREE] / c->seconds[PATROLS_OCTREE][PATROLS_TREE];
    const double path = c->seconds[PATROLS_MERGED][PATROLS_PATH] / c->seconds[PATROLS_OCTREE][PATROLS_PATH];
    int best = 0;
    for (int row = 0; row < PATROLS_PRINTED; ++row) {
        best = c->seconds[row][PATROLS_TOTAL] < c->seconds[best][PATROLS_TOTAL] ? row : best;
    }

    order_add_claim(book, "Updating the merged octree costs more than updating the octree (1.8 times).",
                    tree > 1, NULL, "%.2f times", tree);
    order_add_claim(book, "On the merged octree a new path costs less (0.44 times).", path < 1, NULL,
                    "%.2f times", path);
    order_add_claim(book, "In all, the merged octree with local updates of the graph is the cheapest.",
                    best == PATROLS_MERGED, NULL, "%s: %.3f ms", patrols_names[best],
                    c->seconds[best][PATROLS_TOTAL] * 1e3);
}

// ---------------------------------------------------------------------------------------------- figure 6.13

static double mean_of(const double* values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; ++i) {
        sum += values[i];
    }
    return sum / (to - from);
}

static void judge_drift(order_book* book, const patrols_drift* d) {
    const int tenth = PATROLS_SAMPLES / 10;
    double ratio[PATROLS_TREES];
    for (int k = 0; k < PATROLS_TREES; ++k) {
        ratio[k] = mean_of(d->counts[k], PATROLS_SAMPLES + 1 - tenth, PATROLS_SAMPLES + 1) /
                   mean_of(d->counts[k], 1, tenth + 1);
    }

    order_add_claim(
        book, "With repair the number of cells stays stable.",
        d->last[0] == d->first[0] && d->last[1] == d->first[1], NULL,
        "octree %.0f before, %.0f in the end; merged %.0f and %.0f; last tenth over first %.3f and %.3f",
        d->first[0], d->last[0], d->first[1], d->last[1], ratio[0], ratio[1]);
    order_add_claim(book, "With greedy merging more and more cells are split and not merged back.",
                    d->last[2] > d->first[2] && ratio[2] > 1, NULL,
                    "%.0f before, %.0f in the end; last tenth over first %.2f", d->first[2], d->last[2],
                    ratio[2]);
    order_add_claim(book, "Greedy merging ends with more cells than the octree without merging.",
                    d->last[2] > d->first[0], NULL, "%.0f against %.0f", d->last[2], d->first[0]);
    order_add_claim(book, "It ends with a number comparable to the voxels.", d->last[2] > 0.5 * d->voxels,
                    NULL, "%.0f of %.0f voxels: %.1f %%", d->last[2], d->voxels,
                    100 * d->last[2] / d->voxels);
}

// ------------------------------------------------------------------------------------------------ table 6.4

static double all_of(const patrols_policy* p) {
    return (p->tree + (isfinite(p->graph) ? p->graph : 0)) * p->updates + p->path * p->paths;
}

static void judge_policies(order_book* book, const patrols_policies_run* run) {
    const patrols_policy *always = &run->of[PATROLS_ALWAYS], *last = &run->of[PATROLS_LAST];
    const patrols_policy* ahead = &run->of[PATROLS_AHEAD];
    order_add_claim(book, "At the last moment there are far fewer updates (56 a second become 0.6).",
                    last->updates < always->updates / 10, NULL,
                    "%.1f a second become %.2f; %.2f with the cells ahead of an agent", always->updates,
                    last->updates, ahead->updates);
    order_add_claim(book, "Each of them takes longer, because more has changed (10 times).",
                    last->tree > always->tree, NULL, "%.1f times", last->tree / always->tree);

    // The thesis: 5.44 ms against 1.17, 56 a second against 0.6.
    const double dearer = (all_of(last) / last->updates) / (all_of(always) / always->updates);
    const double rarer = always->updates / last->updates;
    order_add_claim(
        book, "All of it costs a twentieth.", all_of(last) <= all_of(always) / 20,
        rarer < 56 / 0.6 && dearer < 1.5 * 5.44 / 1.17
            ? "One of these updates costs about as many times more as in the thesis, but the path "
              "is hit more often, compared with how often voxels change."
            : NULL,
        "%.2f ms a second become %.2f: one part in %.1f; cells: one in %.0f", all_of(always) * 1e3,
        all_of(last) * 1e3, all_of(always) / all_of(last),
        all_of(&run->of[PATROLS_CELLS_ALWAYS]) / all_of(&run->of[PATROLS_CELLS_LAST]));
}

void patrols_judge(experiment* e, const patrols_costs* costs, const patrols_costs* grains,
                   const patrols_drift* drift, const patrols_policies_run* policies) {
    e->orders.figures = costs;
    e->orders.reasons = reasons;
    e->orders.reason_count = sizeof reasons / sizeof *reasons;
    compare_costs(&e->orders, costs);
    judge_graph(&e->orders, costs);
    judge_growth(&e->orders, grains);
    judge_trees(&e->orders, costs);
    judge_drift(&e->orders, drift);
    judge_policies(&e->orders, policies);
    e->orders.figures = NULL;
}
