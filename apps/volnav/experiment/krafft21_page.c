/// volnav/experiment/krafft21_page.c: the page of the experiment "krafft-2021": what stands where, and which
/// charts there are.
#include "experiment/krafft21_charts.h"
#include "experiment/krafft21_tables.h"

// --------------------------------------------------------------------------------------------- many charts

static int write_lines(experiment* e, const krafft21_run* run, const krafft21_lines* all, size_t count) {
    int code = EXIT_DONE;
    page_begin_charts(&e->page);
    for (size_t i = 0; i < count && code == EXIT_DONE; ++i) {
        code = krafft21_write_lines(e, run, &all[i]);
    }
    page_end_charts(&e->page);
    return code;
}

static int write_bars(experiment* e, const krafft21_run* run, const krafft21_bars* all, size_t count) {
    int code = EXIT_DONE;
    page_begin_charts(&e->page);
    for (size_t i = 0; i < count && code == EXIT_DONE; ++i) {
        code = krafft21_write_bars(e, run, &all[i]);
    }
    page_end_charts(&e->page);
    return code;
}

static int write_points(experiment* e, const krafft21_run* run, const krafft21_points* all, size_t count) {
    int code = EXIT_DONE;
    page_begin_charts(&e->page);
    for (size_t i = 0; i < count && code == EXIT_DONE; ++i) {
        code = krafft21_write_points(e, run, &all[i]);
    }
    page_end_charts(&e->page);
    return code;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

// ---------------------------------------------------------------------------------------- a world that
// stands

static void write_reset(experiment* e, const krafft21_run* run) {
    page_heading(&e->page, 2, "Every plan from scratch (figure 33)");
    page_add(&e->page,
             "What a planner that repairs costs when it cannot: nothing moves, and each plan forgets the one "
             "before. \"Not optimised\" looks at all predecessors of each successor of an over-consistent "
             "node, as the thesis's first version did; it gives the same paths.");
    krafft21_write_table(&e->page, run, KRAFFT21_RESET);
}

#define BACKWARD                                                                                             \
    { {KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC_BACK, KRAFFT21_MT_BACK}, 3, false }
#define FORWARD                                                                                              \
    { {KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC, KRAFFT21_MT}, 3, false }

static int write_waits(experiment* e, const krafft21_run* run) {
    static const krafft21_lines charts[] = {
        {"waits-vertical", "Only the destination moves, vertically (figure 31 i)", KRAFFT21_WAITS_VERTICAL,
         .cast = BACKWARD},
        {"waits-horizontal", "Only the destination moves, horizontally (figure 31 ii)",
         KRAFFT21_WAITS_HORIZONTAL, .cast = BACKWARD}};

    page_heading(&e->page, 2, "The world and the agent stand (figure 31)");
    page_add(&e->page,
             "Backward searches have their root at the destination, so that each of its steps moves the "
             "root; D* Lite begins anew. There is a plan for each cell that the destination enters; after 24 "
             "of them it turns. The obstacles stand where they are at time 0. The worst frame is "
             "that after the first, in which all search from scratch.");
    for (int i = KRAFFT21_WAITS; i <= KRAFFT21_WAITS_HORIZONTAL; ++i) {
        krafft21_write_table(&e->page, run, i);
    }
    return write_lines(e, run, charts, COUNT(charts));
}

static int write_flies(experiment* e, const krafft21_run* run) {
    static const krafft21_lines charts[] = {
        {"flies-vertical-backward", "Backward, destination vertical (figure 32 i)", KRAFFT21_FLIES_VERTICAL,
         .cast = BACKWARD},
        {"flies-vertical-forward", "Forward, destination vertical (figure 32 ii)", KRAFFT21_FLIES_VERTICAL,
         .cast = FORWARD},
        {"flies-horizontal-backward", "Backward, destination horizontal (figure 32 iii)",
         KRAFFT21_FLIES_HORIZONTAL, .cast = BACKWARD},
        {"flies-horizontal-forward", "Forward, destination horizontal (figure 32 iv)",
         KRAFFT21_FLIES_HORIZONTAL, .cast = FORWARD}};

    page_heading(&e->page, 2, "The agent flies in a world that stands (figure 32)");
    page_add(&e->page,
             "The agent flies along the path and begins again when it has arrived. Forward searches have "
             "their root at the agent, which moves along its own path, so that most of the tree stays. A "
             "planner that knows nothing about its new root begins anew: a reset.");
    krafft21_write_table(&e->page, run, KRAFFT21_FLIES_VERTICAL);
    krafft21_write_table(&e->page, run, KRAFFT21_FLIES_HORIZONTAL);
    return write_lines(e, run, charts, COUNT(charts));
}

// ------------------------------------------------------------------------------------------ the agent waits

static int write_watches(experiment* e, const krafft21_run* run) {
    static const krafft21_lines lines[] = {
        {"watches-nodes", "The agent waits, the world moves, grid: expanded nodes", KRAFFT21_WATCHES,
         .cast = {{KRAFFT21_ASTAR, KRAFFT21_THETA, KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC, KRAFFT21_MT},
                  5,
                  false}},
        {"watches-times", "The agent waits, the world moves, grid: time", KRAFFT21_WATCHES, .times = true,
         .cast = {
             {KRAFFT21_ASTAR, KRAFFT21_THETA, KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC, KRAFFT21_MT}, 5, false}}};
    static const krafft21_points points[] = {
        {"watches-per-node", "Time against expanded nodes, grid (figure 12)", KRAFFT21_WATCHES,
         .cast = {{KRAFFT21_ASTAR, KRAFFT21_THETA, KRAFFT21_DSTAR_LITE}, 3, false}}};

    page_heading(&e->page, 2, "The agent waits in a world that moves (figures 11, 12, 24, 30)");
    page_add(&e->page,
             "JPS is jump point search with 6 neighbours on the voxels themselves, of which only the search "
             "is timed. ε is the weight of the heuristic. The waypoints have eight neighbours on other "
             "obstacles, not one as in the thesis, with which they fall into pieces here (krafft-spaces).");
    krafft21_write_table(&e->page, run, KRAFFT21_WATCHES);
    const int code = write_lines(e, run, lines, COUNT(lines));
    return code == EXIT_DONE ? write_points(e, run, points, COUNT(points)) : code;
}

#define SEARCHES                                                                                             \
    {                                                                                                        \
        {KRAFFT21_ASTAR, KRAFFT21_THETA, KRAFFT21_ASTAR_HYBRID, KRAFFT21_THETA_HYBRID, KRAFFT21_THETA_FAST}, \
            5, false                                                                                         \
    }
#define ANY_ANGLE                                                                                            \
    { {KRAFFT21_THETA_HYBRID, KRAFFT21_MT_HYBRID, KRAFFT21_AAMT_HYBRID, KRAFFT21_AAMT_FAST}, 4, false }

static int write_hybrid_bars(experiment* e, const krafft21_run* run) {
    static const krafft21_bars bars[] = {{"hybrid-lengths",
                                          "Grid and hybrid graph: length (figure 46 i)",
                                          KRAFFT21_LENGTH,
                                          {KRAFFT21_WATCHES},
                                          {"the agent waits"},
                                          true,
                                          SEARCHES},
                                         {"hybrid-nodes",
                                          "Grid and hybrid graph: expanded nodes (figure 46 ii)",
                                          KRAFFT21_NODES,
                                          {KRAFFT21_WATCHES},
                                          {"the agent waits"},
                                          true,
                                          SEARCHES},
                                         {"hybrid-times",
                                          "Grid and hybrid graph: time (figure 46 iii)",
                                          KRAFFT21_TIME,
                                          {KRAFFT21_WATCHES},
                                          {"the agent waits"},
                                          true,
                                          SEARCHES},
                                         {"any-angle-nodes",
                                          "300 frames: expanded nodes (figure 53 i)",
                                          KRAFFT21_NODES,
                                          {KRAFFT21_WATCHES},
                                          {"the agent waits"},
                                          false,
                                          ANY_ANGLE},
                                         {"any-angle-times",
                                          "300 frames: time (figure 53 ii)",
                                          KRAFFT21_TIME,
                                          {KRAFFT21_WATCHES},
                                          {"the agent waits"},
                                          false,
                                          ANY_ANGLE},
                                         {"any-angle-lengths",
                                          "300 frames: length (figure 54)",
                                          KRAFFT21_LENGTH,
                                          {KRAFFT21_WATCHES},
                                          {"the agent waits"},
                                          false,
                                          ANY_ANGLE}};

    return write_bars(e, run, bars, COUNT(bars));
}

static int write_hybrid(experiment* e, const krafft21_run* run) {
    static const krafft21_lines lines[] = {
        {"hybrid-watches-nodes", "The agent waits, hybrid graph: expanded nodes (figure 52 i)",
         KRAFFT21_WATCHES,
         .cast = {{KRAFFT21_THETA_HYBRID, KRAFFT21_MT_HYBRID, KRAFFT21_AAMT_HYBRID}, 3, false}},
        {"hybrid-watches-times", "The agent waits, hybrid graph: time (figure 52 ii)", KRAFFT21_WATCHES,
         .times = true,
         .cast = {{KRAFFT21_THETA_HYBRID, KRAFFT21_MT_HYBRID, KRAFFT21_AAMT_HYBRID}, 3, false}}};
    static const krafft21_points points[] = {{"hybrid-per-node",
                                              "Time against expanded nodes, hybrid graph (figure 53 iii)",
                                              KRAFFT21_WATCHES, .cast = ANY_ANGLE}};

    page_heading(&e->page, 2, "The same on the hybrid graph (figures 46, 52 to 54)");
    page_add(&e->page,
             "The figures are those of the table above, of the rows \"hybrid\". Any-angle MT-D* Lite has φ = "
             "1, its Fast form φ = 0.5. The hybrid graph has %.0f nodes (thesis: 21,259); obstacles left its "
             "dynamic nodes in %.0f voxels in all scenarios. Every straight edge is open or blocked as the "
             "voxels that it crosses are.",
             run->nodes[KRAFFT21_HYBRID], run->left);
    int code = write_lines(e, run, lines, COUNT(lines));
    code = code == EXIT_DONE ? write_hybrid_bars(e, run) : code;
    return code == EXIT_DONE ? write_points(e, run, points, COUNT(points)) : code;
}

// ----------------------------------------------------------------------------------------- everything moves

static int write_dynamic_charts(experiment* e, const krafft21_run* run) {
#define GRID_THREE                                                                                           \
    { {KRAFFT21_ASTAR, KRAFFT21_BASIC, KRAFFT21_MT}, 3, false }
    static const krafft21_lines lines[] = {
        {"dynamic-vertical-nodes", "Everything moves, destination vertical: expanded nodes (figure 34 iii)",
         KRAFFT21_DYNAMIC_VERTICAL, .cast = GRID_THREE},
        {"dynamic-vertical-times", "Everything moves, destination vertical: time (figure 34 v)",
         KRAFFT21_DYNAMIC_VERTICAL, .times = true, .cast = GRID_THREE},
        {"dynamic-horizontal-nodes",
         "Everything moves, destination horizontal: expanded nodes (figure 34 iv)",
         KRAFFT21_DYNAMIC_HORIZONTAL, .cast = GRID_THREE},
        {"dynamic-horizontal-times", "Everything moves, destination horizontal: time (figure 34 vi)",
         KRAFFT21_DYNAMIC_HORIZONTAL, .times = true, .cast = GRID_THREE}};
    static const krafft21_points points[] = {
        {"dynamic-vertical-per-node", "Time against expanded nodes, destination vertical (figure 34 i)",
         KRAFFT21_DYNAMIC_VERTICAL, .cast = {{KRAFFT21_BASIC, KRAFFT21_MT}, 2, false}},
        {"dynamic-horizontal-per-node", "Time against expanded nodes, destination horizontal (figure 34 ii)",
         KRAFFT21_DYNAMIC_HORIZONTAL, .cast = {{KRAFFT21_BASIC, KRAFFT21_MT}, 2, false}}};
    const int code = write_lines(e, run, lines, COUNT(lines));
    return code == EXIT_DONE ? write_points(e, run, points, COUNT(points)) : code;
}

static int write_dynamic_bars(experiment* e, const krafft21_run* run) {
#define GRID_ALL                                                                                             \
    {                                                                                                        \
        {KRAFFT21_ASTAR,      KRAFFT21_THETA,   KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC, KRAFFT21_MT,            \
         KRAFFT21_BASIC_BACK, KRAFFT21_MT_BACK, KRAFFT21_AAMT,       KRAFFT21_CELLS},                        \
            9, false                                                                                         \
    }
#define FULL_RUNS                                                                                            \
    {KRAFFT21_DYNAMIC_VERTICAL, KRAFFT21_DYNAMIC_HORIZONTAL}, {                                              \
        "destination moves vertically", "horizontally"                                                       \
    }
    static const krafft21_bars bars[] = {
        {"cumulated-nodes", "A full run on the grid: expanded nodes (figures 35, 36)", KRAFFT21_NODES,
         FULL_RUNS, false, GRID_ALL},
        {"cumulated-times", "A full run on the grid: time (figures 35, 36)", KRAFFT21_TIME, FULL_RUNS, false,
         GRID_ALL},
        {"peaks", "A full run on the grid: the longest plan", KRAFFT21_PEAK, FULL_RUNS, false, GRID_ALL},
        {"peaks-99", "A full run on the grid: 99 of 100 plans", KRAFFT21_P99, FULL_RUNS, false, GRID_ALL}};
    return write_bars(e, run, bars, COUNT(bars));
}

static int write_dynamic(experiment* e, const krafft21_run* run) {
    page_heading(&e->page, 2, "Everything moves (figures 34 to 36)");
    page_add(&e->page,
             "Full runs: from the start until the agent has reached the destination. Here all make a plan in "
             "every frame, ten a second, and \"late\" counts those that took more than 1/60 second; the "
             "thesis's form, in real time, is below. The third table is the same scene at 60 plans a "
             "second.");
    for (int i = KRAFFT21_DYNAMIC_VERTICAL; i <= KRAFFT21_DYNAMIC_60; ++i) {
        krafft21_write_table(&e->page, run, i);
    }

    const int code = write_dynamic_charts(e, run);
    return code == EXIT_DONE ? write_dynamic_bars(e, run) : code;
}

static int write_dynamic_hybrid(experiment* e, const krafft21_run* run) {
#define BOTH_GRAPHS                                                                                          \
    { {KRAFFT21_BASIC, KRAFFT21_MT, KRAFFT21_BASIC_HYBRID, KRAFFT21_MT_HYBRID}, 4, false }
    static const krafft21_bars bars[] = {
        {"graphs-nodes", "A full run on grid and hybrid graph: expanded nodes (figure 49 i)", KRAFFT21_NODES,
         FULL_RUNS, false, BOTH_GRAPHS},
        {"graphs-times", "A full run on grid and hybrid graph: time (figure 49 ii)", KRAFFT21_TIME, FULL_RUNS,
         false, BOTH_GRAPHS},
        {"any-angle-run-nodes", "A full run, any-angle planners: expanded nodes (figure 55 ii)",
         KRAFFT21_NODES, FULL_RUNS, false, ANY_ANGLE},
        {"any-angle-run-times", "A full run, any-angle planners: time (figure 55 iii)", KRAFFT21_TIME,
         FULL_RUNS, false, ANY_ANGLE}};
    static const krafft21_lines lines[] = {
        {"graphs-each-time", "A full run of MT-D* Lite on both graphs: time (figure 50 i, step by step)",
         KRAFFT21_DYNAMIC_VERTICAL, .times = true, .cast = {{KRAFFT21_MT, KRAFFT21_MT_HYBRID}, 2, true}},
        {"any-angle-run", "A full run, any-angle planners: time (figure 55 i)", KRAFFT21_DYNAMIC_VERTICAL,
         .times = true, .cast = ANY_ANGLE}};
    static const krafft21_points points[] = {
        {"graphs-per-node", "Time against expanded nodes of MT-D* Lite, both graphs (figure 50 ii)",
         KRAFFT21_DYNAMIC_VERTICAL, .cast = {{KRAFFT21_MT, KRAFFT21_MT_HYBRID}, 2, true}}};

    page_heading(&e->page, 2, "Everything moves, on the hybrid graph (figures 49, 50, 55)");
    page_add(&e->page, "The figures are those of the tables above, of the rows \"hybrid\".");
    int code = write_bars(e, run, bars, COUNT(bars));
    code = code == EXIT_DONE ? write_lines(e, run, lines, COUNT(lines)) : code;
    return code == EXIT_DONE ? write_points(e, run, points, COUNT(points)) : code;
}

// ------------------------------------------------------------------------------------------------ real time

static int write_live(experiment* e, const krafft21_run* run) {
#define LIVE_ALL                                                                                             \
    {                                                                                                        \
        {KRAFFT21_ASTAR,        KRAFFT21_THETA,        KRAFFT21_BASIC,        KRAFFT21_MT,                   \
         KRAFFT21_AAMT,         KRAFFT21_ASTAR_HYBRID, KRAFFT21_THETA_HYBRID, KRAFFT21_THETA_FAST,           \
         KRAFFT21_BASIC_HYBRID, KRAFFT21_MT_HYBRID,    KRAFFT21_AAMT_HYBRID,  KRAFFT21_AAMT_FAST},           \
            12, false                                                                                        \
    }
#define LIVE_RUNS                                                                                            \
    {KRAFFT21_LIVE, KRAFFT21_LIVE_SLOW}, {                                                                   \
        "in real time", "in real time, slower machine"                                                       \
    }
    static const krafft21_bars bars[] = {{"real-time-nodes",
                                          "In real time: expanded nodes (figures 36, 49 i, 55 ii)",
                                          KRAFFT21_NODES, LIVE_RUNS, false, LIVE_ALL},
                                         {"real-time-times", "In real time: time (figures 36, 49 ii, 55 iii)",
                                          KRAFFT21_TIME, LIVE_RUNS, false, LIVE_ALL}};
    static const krafft21_lines lines[] = {
        {"real-time-plans", "MT-D* Lite in real time, slower machine, plan by plan (figure 50 i)",
         KRAFFT21_LIVE_SLOW, .times = true, .by_number = true,
         .cast = {{KRAFFT21_MT, KRAFFT21_MT_HYBRID}, 2, true}}};
    const krafft21_race* slow = &run->races[KRAFFT21_LIVE_SLOW];

    page_heading(&e->page, 2, "In real time (figures 36, 49, 50, 55)");
    page_add(&e->page,
             "As the thesis runs its planners: at 60 frames a second, a plan begins in the frame after the "
             "last one was ready and is ready in the next frame or, if it takes longer, in a later one. "
             "Meanwhile world and agent move on, along the old path; the agent waits before what is blocked. "
             "A slow planner so makes fewer plans. The second table is the same on a machine as slow as the "
             "thesis's, where A* takes 17 ms on the grid while the agent waits: each plan counts %.2f times "
             "what it takes here. Times in the tables are as measured. These figures follow from times: they "
             "differ a little from run to run.",
             slow->slower);
    krafft21_write_live_table(&e->page, run, KRAFFT21_LIVE);
    krafft21_write_live_table(&e->page, run, KRAFFT21_LIVE_SLOW);
    const int code = write_bars(e, run, bars, COUNT(bars));
    return code == EXIT_DONE ? write_lines(e, run, lines, COUNT(lines)) : code;
}

static int write_tradeoff(experiment* e, const krafft21_run* run) {
#define HYBRID_ALL                                                                                           \
    {                                                                                                        \
        {KRAFFT21_ASTAR_HYBRID, KRAFFT21_THETA_HYBRID, KRAFFT21_THETA_FAST, KRAFFT21_BASIC_HYBRID,           \
         KRAFFT21_MT_HYBRID,    KRAFFT21_AAMT_HYBRID,  KRAFFT21_AAMT_FAST},                                  \
            7, false                                                                                         \
    }
    static const krafft21_bubbles bubbles[] = {
        {"tradeoff-peaks", "All plans, the longest, and length: the larger, the longer (figure 59 i)",
         KRAFFT21_DYNAMIC_60, KRAFFT21_TIME, KRAFFT21_PEAK, KRAFFT21_LENGTH, HYBRID_ALL},
        {"tradeoff-lengths", "All plans, length, and the longest plan: the larger, the longer (figure 59 ii)",
         KRAFFT21_DYNAMIC_60, KRAFFT21_TIME, KRAFFT21_EXCESS, KRAFFT21_PEAK, HYBRID_ALL}};

    page_heading(&e->page, 2, "Time, peaks and length (figure 59)");
    page_add(&e->page, "On the hybrid graph, everything moves, 60 plans a second from the place of one agent "
                       "for all: there lengths compare. The peaks as numbers are in the third table of "
                       "\"Everything moves\".");
    page_begin_charts(&e->page);
    int code = krafft21_write_bubbles(e, run, &bubbles[0]);
    code = code == EXIT_DONE ? krafft21_write_bubbles(e, run, &bubbles[1]) : code;
    page_end_charts(&e->page);
    return code;
}

// ------------------------------------------------------------------------------------------------- the page

static void write_missing(page* p) {
    page_heading(p, 2, "What is not here");
    page_add(p, "Figures 57 and 58 are of success rates, collisions and flown distances: they need agents "
                "that collide, which are not part of this page. Figure 13, the times of updates, is on the "
                "page of krafft-spaces. The thesis shows most of its figures as pictures only: what is "
                "compared is what its text says of them, and where it has no number there is none of the "
                "thesis's on this page. Figure 53's caption speaks of path lengths, its text of time for a "
                "node; the text is followed.");
}

int krafft21_write(experiment* e, const krafft21_run* run) {
    krafft21_write_in_short(&e->page, run);
    write_reset(e, run);
    int code = write_waits(e, run);
    code = code == EXIT_DONE ? write_flies(e, run) : code;
    code = code == EXIT_DONE ? write_watches(e, run) : code;
    code = code == EXIT_DONE ? write_hybrid(e, run) : code;
    code = code == EXIT_DONE ? write_dynamic(e, run) : code;
    code = code == EXIT_DONE ? write_dynamic_hybrid(e, run) : code;
    code = code == EXIT_DONE ? write_live(e, run) : code;
    code = code == EXIT_DONE ? write_tradeoff(e, run) : code;
    krafft21_write_thesis(&e->page, run);
    write_missing(&e->page);
    return code;
}
