/// volnav/experiment/krafft21.c: the experiment "krafft-2021": planners that repair their path, beside
/// searches from scratch, in the scenarios of Krafft 2021.
#include "experiment/krafft21.h"

#include <stdlib.h>

/// In which the dynamic nodes of the hybrid graph are found.
enum { OBSERVED_SECONDS = 60, QUICK_OBSERVED_SECONDS = 10 };

/// Of A* on the grid while the agent waits, in the mean (Krafft 2021, 5.2.3.2): how slow the thesis's machine
/// is.
static const double their_seconds = 0.017;

static void write_opening(experiment* e) {
    page* p = &e->page;
    page_add(p,
             "Krafft (2021): planners that repair the last path when the world, the agent or the destination "
             "has moved, beside searches from scratch. The scene is 64 × 56 × 16 units with cells of one "
             "unit, static walls, and 16 obstacles that patrol, turn, appear and disappear (seed %llu; "
             "docs/experiments.md says what of it is ours). Unless a row says otherwise, the graph is the "
             "grid with 6 neighbours and the heuristic the straight distance, as in the thesis, with ε = 1.",
             (unsigned long long)e->options->seed);

    page_add(
        p, "All contenders of a scenario plan in the same frames of one run, in rotated order. Where the "
           "agent flies, each contender has one of its own, which follows its paths at constant speed, as "
           "in the thesis; only in the scenario \"one agent for all\" all plan from the place of one agent, "
           "which follows A*. A frame in which an obstacle covers an end has no plan, and the agent waits.");

    page_add(
        p, "Times are processor time of one thread, here and now: following the new version of the graph, "
           "moving both ends, planning, and the path. The update of the graph itself is not in them "
           "(krafft-spaces is about that). The thesis's times are those of C# in Unity, so that orders and "
           "ratios compare, milliseconds do not. \"Slightly\" is taken as up to a quarter more, "
           "\"considerably\" and the like as more than that. The row \"cells\" is volnav's own search, from "
           "scratch in every frame.");
}

static int run_all(experiment* e, krafft21_run* run) {
    krafft21_ground ground = {.fixed = NULL};
    int code = moving_observe_krafft(e, e->options->quick ? QUICK_OBSERVED_SECONDS : OBSERVED_SECONDS,
                                     &ground.fixed, &ground.area);
    for (int i = 0; i < KRAFFT21_SCENARIOS && code == EXIT_DONE; ++i) {
        const double ours = race_mean(&run->races[KRAFFT21_WATCHES].sums[KRAFFT21_ASTAR]);
        const double slower = i == KRAFFT21_LIVE_SLOW && ours > 0 ? their_seconds / ours : 1;
        code = krafft21_scenarios[i].live ? krafft21_measure_live(e, &ground, i, slower, run)
                                          : krafft21_measure(e, &ground, i, run);
    }

    vn_area_destroy(ground.area);
    vn_space_destroy(ground.fixed);
    return code;
}

int experiment_krafft_2021(experiment* e) {
    krafft21_run* run = say_alloc(1, sizeof *run);
    int code = run_all(e, run);
    if (code == EXIT_DONE) {
        write_opening(e);
        code = krafft21_write(e, run);
        krafft21_judge(e, run);
    }
    if (code == EXIT_DONE) {
        code = krafft21_write_numbers(e, run);
    }

    for (int i = 0; i < KRAFFT21_SCENARIOS; ++i) {
        krafft21_free_race(&run->races[i]);
    }
    free(run);
    return code;
}
