/// volnav/experiment/krafft_judge.c: what Krafft 2019 and 2021 conclude about their search graphs, held
/// against the figures of this run.
#include <math.h>

#include "experiment/krafft.h"

// ------------------------------------------------------------------------------------------------ comparing

/// Times follow the lines of sight, of which the graph with more neighbours needs fewer here.
static bool test_sights(const void* figures, const order_column* c, int less, int more) {
    const krafft_run* run = figures;
    return c->timed && less == KRAFFT_THETA_GRID && more == KRAFFT_THETA_HYBRID &&
           run->sums[more].sights < run->sums[less].sights;
}

/// Times follow the expanded nodes.
static bool test_expanded(const void* figures, const order_column* c, int less, int more) {
    const krafft_run* run = figures;
    return c->timed && run->sums[more].expanded < run->sums[less].expanded;
}

static const order_reason reasons[] = {
    {test_sights,
     "Theta* checks fewer lines of sight on the hybrid graph here, of which the thesis supposes more."},
    {test_expanded, "Follows the expanded nodes."},
};

/// A search that misses paths has its means from other frames than the rest: it is not compared.
static void compare(order_book* book, const krafft_run* run) {
    order_item times[KRAFFT_SEARCHES], lengths[KRAFFT_SEARCHES];
    const order_column time = {46, "K21 46", 0, "time", true}, length = {48, "K19 48", 1, "length", false};
    for (int i = 0; i < KRAFFT_SEARCHES; ++i) {
        const krafft_search* s = &krafft_searches[i];
        const bool any = run->sums[i].found > 0 && run->sums[i].found == run->sums[i].asked;
        times[i] = (order_item){s->name, s->their_ms, any ? run->sums[i].seconds : (double)NAN};
        lengths[i] = (order_item){s->name, s->their_length, any ? run->sums[i].length : (double)NAN};
    }
    order_compare(book, &time, times, KRAFFT_SEARCHES);
    order_compare(book, &length, lengths, KRAFFT_SEARCHES);
}

// --------------------------------------------------------------------------------------------------- claims

static void judge_updates(order_book* book, const krafft_run* run) {
    const double* u = run->update;

    order_add_claim(book, "Updating waypoints takes longer than updating the grid (K19: 328 against 282 ms).",
                    u[KRAFFT_WAYPOINTS] > u[KRAFFT_GRID], NULL, "%.3f against %.3f ms",
                    u[KRAFFT_WAYPOINTS] * 1e3, u[KRAFFT_GRID] * 1e3);

    // The thesis's grid looks at all cells, ours at those that changed.
    const bool cheap = u[KRAFFT_GRID] - run->voxels < u[KRAFFT_CELLS];

    order_add_claim(
        book, "The hybrid graph is updated more than 150 times as fast as the grid (K21: 1.35 ms).",
        u[KRAFFT_GRID] > 150 * u[KRAFFT_HYBRID],
        cheap ? "Our grid is told which voxels changed, as all spaces are: its own part takes less "
                "than an update of the cells."
              : NULL,
        "%.3f ms; the grid takes %.2f times that", u[KRAFFT_HYBRID] * 1e3, u[KRAFFT_GRID] / u[KRAFFT_HYBRID]);

    order_add_claim(book, "The hybrid graph is updated within a frame at 60 a second.",
                    u[KRAFFT_HYBRID] < 1 / 60.0, NULL, "%.3f ms a frame; cells %.3f ms",
                    u[KRAFFT_HYBRID] * 1e3, u[KRAFFT_CELLS] * 1e3);
}

static void judge_searches(order_book* book, const krafft_run* run) {
    const krafft_sum* s = run->sums;
    const krafft_sum *grid = &s[KRAFFT_ASTAR_GRID], *hybrid = &s[KRAFFT_ASTAR_HYBRID];
    const krafft_sum *theta_grid = &s[KRAFFT_THETA_GRID], *theta = &s[KRAFFT_THETA_HYBRID];
    const krafft_sum* fast = &s[KRAFFT_FAST_HYBRID];

    order_add_claim(book, "A* is faster on the hybrid graph (17 and 6 ms: almost three times).",
                    grid->seconds > hybrid->seconds, NULL, "%.2f and %.2f ms: %.1f times",
                    grid->seconds * 1e3, hybrid->seconds * 1e3, grid->seconds / hybrid->seconds);

    order_add_claim(book, "A* and Theta* find shorter paths on the hybrid graph, and A* gains more.",
                    hybrid->length < grid->length && theta->length < theta_grid->length &&
                        hybrid->length / grid->length < theta->length / theta_grid->length,
                    NULL, "A* %.2f and %.2f, Theta* %.2f and %.2f units", grid->length, hybrid->length,
                    theta_grid->length, theta->length);

    order_add_claim(book, "Both expand considerably fewer nodes on it.",
                    hybrid->expanded < grid->expanded && theta->expanded < theta_grid->expanded, NULL,
                    "A* %.0f and %.0f, Theta* %.0f and %.0f", grid->expanded, hybrid->expanded,
                    theta_grid->expanded, theta->expanded);

    order_add_claim(
        book, "Theta* takes longer on it than on the grid (34 against 31 ms).",
        theta->seconds > theta_grid->seconds,
        theta->seconds < theta_grid->seconds && theta->expanded < theta_grid->expanded &&
                theta->sights < theta_grid->sights
            ? "It expands fewer nodes and checks fewer lines of sight there; the thesis supposes more "
              "lines."
            : NULL,
        "%.2f against %.2f ms; lines of sight %.0f against %.0f", theta->seconds * 1e3,
        theta_grid->seconds * 1e3, theta->sights, theta_grid->sights);

    order_add_claim(book, "Theta* Fast lies between A* and Theta* in length, expanded nodes and time.",
                    fast->length >= theta->length && fast->length < hybrid->length &&
                        fast->expanded >= theta->expanded && fast->expanded <= hybrid->expanded &&
                        fast->seconds <= theta->seconds && fast->seconds >= hybrid->seconds,
                    NULL, "length %.2f, %.2f, %.2f; nodes %.0f, %.0f, %.0f; ms %.2f, %.2f, %.2f",
                    hybrid->length, fast->length, theta->length, hybrid->expanded, fast->expanded,
                    theta->expanded, hybrid->seconds * 1e3, fast->seconds * 1e3, theta->seconds * 1e3);
}

static void judge_nodes(order_book* book, const krafft_run* run) {
    const double* per = run->seconds_per_node;

    order_add_claim(book, "For the same number of expanded nodes A* is faster than Theta* (figure 12).",
                    per[KRAFFT_ASTAR_GRID] < per[KRAFFT_THETA_GRID], NULL, "%.0f against %.0f ns a node",
                    per[KRAFFT_ASTAR_GRID] * 1e9, per[KRAFFT_THETA_GRID] * 1e9);
    const double astar = per[KRAFFT_ASTAR_HYBRID] / per[KRAFFT_ASTAR_GRID];
    const double theta = per[KRAFFT_THETA_HYBRID] / per[KRAFFT_THETA_GRID];

    order_add_claim(
        book,
        "A node takes about as long on the hybrid graph as on the grid (figure 50 ii, which is of "
        "MT-D* Lite).",
        astar < 1.5 && theta < 1.5 && astar > 1 / 1.5 && theta > 1 / 1.5,
        run->edges[KRAFFT_HYBRID] > 6 * run->nodes[KRAFFT_HYBRID]
            ? "A node of the hybrid graph has more neighbours than the six of the grid."
            : NULL,
        "A* %.2f times, Theta* %.2f times", astar, theta);
}

static void judge_frame(order_book* book, const krafft_run* run, const krafft_large* large) {
    const krafft_frame* f = run->frame;
    char others[120] = "";
    int kept = 0;
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        kept += i != KRAFFT_HYBRID_AXES && f[i].frames > 0 && f[i].late == 0 && f[i].missed == 0 ? 1 : 0;
    }

    snprintf(others, sizeof others, "%d of %d spaces keep it in all %u frames", kept, KRAFFT_SPACES - 1,
             (unsigned)f[KRAFFT_CELLS].frames);

    order_add_claim(book, "Update and A* on the hybrid graph stay within 16 ms.", f[KRAFFT_HYBRID].late == 0,
                    NULL, "worst %.2f ms; %s", f[KRAFFT_HYBRID].worst * 1e3, others);

    // Of the thesis: 282 ms, and 17 ms for 28,296 nodes.
    const bool faster =
        run->update[KRAFFT_GRID] < 0.282 && run->seconds_per_node[KRAFFT_ASTAR_GRID] < 0.017 / 28296;

    order_add_claim(
        book, "It is the only pair of search graph and algorithm that does so reliably.", kept == 1,
        kept > 1 && faster ? "Here the grid too is updated faster than in the thesis, and a search on it "
                             "takes less time for a node."
                           : NULL,
        "%s; cells: worst %.2f ms", others, f[KRAFFT_CELLS].worst * 1e3);
    if (large->there) {
        const krafft_frame* g = large->frame;
        order_add_claim(book, "The same on a large map (not in the thesis): cells keep the 16 ms.",
                        g[KRAFFT_CELLS].late == 0, NULL,
                        "cells worst %.2f ms; merged %.1f, octree %.1f, grid %.0f",
                        g[KRAFFT_CELLS].worst * 1e3, g[KRAFFT_MERGED].worst * 1e3,
                        g[KRAFFT_OCTREE].worst * 1e3, g[KRAFFT_GRID].worst * 1e3);
    }
}

void krafft_judge(experiment* e, const krafft_run* run, const krafft_large* large) {
    e->orders.figures = run;
    e->orders.reasons = reasons;
    e->orders.reason_count = sizeof reasons / sizeof *reasons;
    compare(&e->orders, run);
    judge_updates(&e->orders, run);
    judge_searches(&e->orders, run);
    judge_nodes(&e->orders, run);
    judge_frame(&e->orders, run, large);

    order_add_claim(&e->orders, "No straight edge of the hybrid graph leads through a blocked cell (ours).",
                    run->edges_blocked == 0, NULL, "%llu edges in %u frames, %llu of them blocked",
                    (unsigned long long)run->edges_checked, (unsigned)run->check_frames,
                    (unsigned long long)run->edges_blocked);
    e->orders.figures = NULL;
}
