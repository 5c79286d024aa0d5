/// volnav/experiment/krafft19_page.c: tables and charts of the experiment "krafft-2019".
#include <math.h>
#include <stdio.h>

#include "experiment/krafft19.h"

static double in_ms(double seconds) {
    return seconds * 1e3;
}

static double mean_of(double sum, const race_sum* s) {
    return s->frames > 0 ? sum / s->frames : (double)NAN;
}

static double length_of(const race_sum* sum) {
    return sum->found > 0 ? race_mean_length(sum) : (double)NAN;
}

// -------------------------------------------------------------------------------------------------- opening

static void write_opening(experiment* e) {
    page* p = &e->page;
    page_add(p,
             "Krafft (2019), 5.1: agent and destination stand while the obstacles move, and each algorithm "
             "plans again and again, on the grid with 6 neighbours and on waypoints. The scene is 64 × 56 × "
             "16 units with cells of one unit, static walls, and 16 obstacles that patrol, turn, appear and "
             "disappear (seed %llu; docs/experiments.md says what of it is ours). The heuristic is the "
             "straight distance, times ε. A*, Theta* and D* Lite have ε = 1 and 2; ARA* and AD* begin with "
             "ε = 3, which falls by δ = 0.2 or 0.4 from pass to pass down to 1, and is 3 again after each "
             "change.",
             (unsigned long long)e->options->seed);

    page_add(p,
             "All of them plan in the same frames of one run, in rotated order. Nodes and times of ARA* and "
             "AD* are those of all passes of a plan together, as in the thesis; their length is that of the "
             "last path. Every cost is held against a fresh A* in the same frame, on the grid against one "
             "over a grid made from the voxels alone: a cost above its bound ends the run with an error "
             "instead of a page. \"Cost / A*\" is the largest in any frame.");

    page_add(p,
             "Times are processor time of one thread, here and now: following the new version of the graph, "
             "planning, and the path. The thesis's times are those of C# in Unity, and it shows most of its "
             "figures as pictures without numbers: what is compared is what its text says of them. The row "
             "\"cells\" is volnav's own search, from scratch in every frame.");
}

// --------------------------------------------------------------------------------------------------- tables

/// The name of a contender: lines do not break at its "=".
static void write_name(page* p, const char* name) {
    char text[96];
    size_t size = 0;
    for (size_t i = 0; name[i] != '\0' && size + 3 < sizeof text; ++i) {
        const bool keeps = name[i] == ' ' && (name[i + 1] == '=' || (i > 0 && name[i - 1] == '='));
        if (keeps) {
            text[size++] = '\xc2'; // with the next byte: a space that does not break
        }
        text[size++] = keeps ? '\xa0' : name[i];
    }
    text[size] = '\0';
    page_text(p, text);
}

/// `costs` is null for cells: their nodes are boxes, and their costs those of another graph.
static void write_row(page* p, const char* name, const race_sum* sum, const race_sum* astar,
                      const krafft19_costs* costs, bool repairs) {
    const bool like = costs != NULL && sum->nodes > 0;
    write_name(p, name);
    page_real(p, length_of(sum));
    page_real(p, mean_of(sum->nodes, sum));
    page_real(p, like ? sum->nodes / astar->nodes : (double)NAN);
    page_real(p, sum->worst_nodes);
    page_real(p, in_ms(mean_of(sum->total, sum)));
    page_real(p, sum->total / astar->total);
    page_real(p, in_ms(sum->worst));
    page_real(p, like ? race_per_node(sum) * 1e9 : (double)NAN);
    page_real(p, sum->nodes * 1e-3);
    page_real(p, in_ms(sum->total));
    page_real(p, repairs ? (double)sum->restarts : (double)NAN);
    page_real(p, like && costs->count > 0 ? costs->worst : (double)NAN);
    page_real(p, sum->valid);
    page_end_row(p);
}

static void write_table(page* p, const krafft19_race* race, int scenario, int graph) {
    static const char* const heads[] = {"contender", "units",  "mean",  "/ A*", "worst",
                                        "mean",      "/ A*",   "worst", "ns",   "1000 nodes",
                                        "ms",        "resets", "/ A*",  "valid"};
    const race_sum* sums = race->sums[graph];
    char caption[200];
    snprintf(caption, sizeof caption, "%s; %s; %u plans", krafft19_scenarios[scenario].title,
             krafft19_graphs[graph], (unsigned)sums[KRAFFT19_ASTAR].frames);
    page_begin_table(p, caption, "|length|expanded nodes:3|ms a plan:3|node|all plans:2||cost|paths", heads,
                     14);
    for (int m = 0; m < KRAFFT19_METHODS; ++m) {
        if (sums[m].frames > 0) {
            write_row(p, krafft19_methods[m].racer.name, &sums[m], &sums[KRAFFT19_ASTAR],
                      &race->costs[graph][m], krafft19_methods[m].racer.repairs);
        }
    }
    if (graph == KRAFFT19_GRID) {
        write_row(p, "cells", &race->cells, &sums[KRAFFT19_ASTAR], NULL, false);
    }
    page_end_table(p);
}

static void write_tables(page* p, const krafft19_run* run, int scenario) {
    const krafft19_race* race = &run->races[scenario];
    for (int g = 0; g < KRAFFT19_GRAPHS; ++g) {
        write_table(p, race, scenario, g);
    }
    page_add(
        p,
        "%u frames; in %u of them an obstacle covered an end, and there was no plan. An update took %.2f "
        "ms in the mean for the grid, %.2f for waypoints and %.2f for those with eight neighbours: the "
        "whole tick of the nav, its cells included, and what the waypoints take.",
        (unsigned)race->frames, (unsigned)race->blind, in_ms(race->update[KRAFFT19_GRID]),
        in_ms(race->update[KRAFFT19_WAYPOINTS]), in_ms(race->update[KRAFFT19_WAYPOINTS_8]));
}

// --------------------------------------------------------------------------------------------------- charts

enum { ALGORITHMS = KRAFFT19_PAIRED / 2 };

/// The algorithms, in the order of the methods.
static const char* const algorithms[ALGORITHMS] = {"A*", "ARA*", "Theta*", "D* Lite", "AD*"};

/// What bars show of a method.
typedef enum bar_value { BAR_LENGTH, BAR_NODES, BAR_TIME } bar_value;

static double value_of(const race_sum* sum, bar_value what) {
    switch (what) {
    case BAR_LENGTH: return length_of(sum);
    case BAR_NODES: return mean_of(sum->nodes, sum);
    default: return in_ms(mean_of(sum->total, sum));
    }
}

static void fill_bars(const race_sum* sums, bar_value what, double values[2][ALGORITHMS]) {
    for (int i = 0; i < KRAFFT19_PAIRED; ++i) {
        values[i % 2][i / 2] = value_of(&sums[i], what);
    }
}

/// One of the six parts of figure 48, as the thesis groups it.
typedef struct bars {
    const char* file;
    const char* title;
    const char* label;
    bar_value what;
    bool waypoints;            ///< else the grid
    double theirs[ALGORITHMS]; ///< with ε = 1; all 0: none
} bars;

static int write_bars(experiment* e, const krafft19_race* race, const bars* b) {
    double one[2][ALGORITHMS], eight[2][ALGORITHMS];
    char mark[80];
    plot_chart chart = {.title = b->title,
                        .label = b->label,
                        .width = 440,
                        .categories = algorithms,
                        .count = ALGORITHMS,
                        .logarithmic = b->what != BAR_LENGTH};
    if (b->what == BAR_TIME) {
        chart.mark = in_ms(race->update[b->waypoints ? KRAFFT19_WAYPOINTS : KRAFFT19_GRID]);
        snprintf(mark, sizeof mark, "an update of the graph%s: %.2f ms", b->waypoints ? ", 1 indirect" : "",
                 chart.mark);
        chart.mark_name = mark;
    }

    fill_bars(race->sums[b->waypoints ? KRAFFT19_WAYPOINTS : KRAFFT19_GRID], b->what, one);
    fill_bars(race->sums[KRAFFT19_WAYPOINTS_8], b->what, eight);
    plot_add(&chart, "ε = 1, δ = 0.2", one[0], 0, false);
    plot_add(&chart, "ε = 2, δ = 0.4", one[1], 1, false);
    if (b->waypoints) {
        plot_add(&chart, "ε = 1, δ = 0.2, 8 indirect", eight[0], 0, true);
        plot_add(&chart, "ε = 2, δ = 0.4, 8 indirect", eight[1], 1, true);
    }
    if (b->theirs[0] > 0) {
        plot_add(&chart, "thesis, ε = 1", b->theirs, 6, true);
    }

    svg_text svg = {0};
    plot_bars(&chart, &svg);
    return experiment_chart(e, b->file, &svg);
}

static int write_figure_48(experiment* e, const krafft19_run* run) {
    static const bars all[] = {
        {"lengths-grid",
         "Length, grid (figures 48 i, 58)",
         "mean length (units)",
         BAR_LENGTH,
         false,
         {130.28, NAN, 98.28, NAN, NAN}},
        {"lengths-waypoints",
         "Length, waypoints (figures 48 ii, 61)",
         "mean length (units)",
         BAR_LENGTH,
         true,
         {144.126, NAN, NAN, NAN, NAN}},
        {"nodes-grid", "Nodes, grid (figures 48 iii, 59)", "expanded nodes, mean", BAR_NODES, false, {0}},
        {"nodes-waypoints",
         "Nodes, waypoints (figures 48 iv, 62)",
         "expanded nodes, mean",
         BAR_NODES,
         true,
         {0}},
        {"times-grid", "Time, grid (figures 48 v, 50, 60)", "mean time (ms)", BAR_TIME, false, {0}},
        {"times-waypoints",
         "Time, waypoints (figures 48 vi, 50, 63)",
         "mean time (ms)",
         BAR_TIME,
         true,
         {0}}};

    int code = EXIT_DONE;
    page_begin_charts(&e->page);
    for (size_t i = 0; i < sizeof all / sizeof *all && code == EXIT_DONE; ++i) {
        code = write_bars(e, &run->races[KRAFFT19_UPDATES], &all[i]);
    }

    page_end_charts(&e->page);
    return code;
}

typedef struct lines {
    const char* file;
    const char* title;
    int scenario, graph;
    race_value what;
} lines;

/// The five algorithms with ε = 1 or δ = 0.2.
static int write_lines(experiment* e, const krafft19_run* run, const lines* l) {
    const krafft19_race* race = &run->races[l->scenario];
    race_line all[ALGORITHMS];
    for (int i = 0; i < ALGORITHMS; ++i) {
        const krafft19_method* m = &krafft19_methods[2 * i];
        all[i] = (race_line){m->racer.name, &race->sums[l->graph][2 * i], m->colour, m->racer.repairs};
    }
    return race_chart(e, l->file, l->title, l->what, race->at, race->frames, all, ALGORITHMS);
}

static int write_all_lines(experiment* e, const krafft19_run* run, const lines* all, int count) {
    int code = EXIT_DONE;
    page_begin_charts(&e->page);
    for (int i = 0; i < count && code == EXIT_DONE; ++i) {
        code = write_lines(e, run, &all[i]);
    }
    page_end_charts(&e->page);
    return code;
}

// ------------------------------------------------------------------------------------------------- sections

/// What repairing waypoints costs against beginning anew.
static void write_repairs(page* p, const krafft19_race* race) {
    const race_sum *one = race->sums[KRAFFT19_WAYPOINTS], *eight = race->sums[KRAFFT19_WAYPOINTS_8];
    page_add(p,
             "Repair or reset on waypoints: D* Lite (ε = 1) that repairs expands %.2f times the nodes of one "
             "that resets, in %.2f times its time; with eight indirect neighbours %.2f and %.2f times. "
             "Waypoints go with their obstacles, so that whatever moves changes its edges in every version. "
             "AD* begins anew by itself when more than a quarter of the nodes that it knows have changed: in "
             "%llu of %u plans.",
             one[KRAFFT19_DSTAR_LITE].nodes / one[KRAFFT19_DSTAR_LITE_RESET].nodes,
             one[KRAFFT19_DSTAR_LITE].total / one[KRAFFT19_DSTAR_LITE_RESET].total,
             eight[KRAFFT19_DSTAR_LITE].nodes / eight[KRAFFT19_DSTAR_LITE_RESET].nodes,
             eight[KRAFFT19_DSTAR_LITE].total / eight[KRAFFT19_DSTAR_LITE_RESET].total,
             (unsigned long long)one[KRAFFT19_AD].restarts, (unsigned)one[KRAFFT19_AD].frames);
}

static int write_updates(experiment* e, const krafft19_run* run) {
    static const lines charts[] = {
        {"updates-nodes", "Grid, a plan every 282 ms: expanded nodes of a plan", KRAFFT19_UPDATES,
         KRAFFT19_GRID, RACE_NODES},
        {"updates-all-nodes", "Grid, a plan every 282 ms: expanded nodes, cumulated", KRAFFT19_UPDATES,
         KRAFFT19_GRID, RACE_ALL_NODES},
        {"updates-all-times", "Grid, a plan every 282 ms: time, cumulated", KRAFFT19_UPDATES, KRAFFT19_GRID,
         RACE_ALL_TIME},
        {"updates-waypoints-all-times", "Waypoints with 8 indirect neighbours, every 282 ms: time, cumulated",
         KRAFFT19_UPDATES, KRAFFT19_WAYPOINTS_8, RACE_ALL_TIME}};

    page_heading(&e->page, 2, "A plan after each update (figures 48, 50, 58 to 63)");
    page_add(&e->page,
             "The thesis updates its whole graph without a pause, which takes 282.15 ms on the grid and "
             "327.71 ms on waypoints, and plans on each new graph: obstacles move that long between two "
             "plans. Here all graphs have a plan every 282 ms of the scene. \"Resets\" is what the thesis "
             "does on waypoints: as these change their neighbours, D* Lite and AD* forget everything. Ours "
             "repair there too: nodes that went and came are changes like others. \"Down to 1.4\" is a wish "
             "of 6.4. Waypoints of one indirect neighbour often do not join the ends: then no method finds a "
             "path, and lengths are means over the paths that were found, nodes and times over all plans.");
    const int code = write_figure_48(e, run);
    write_tables(&e->page, run, KRAFFT19_UPDATES);
    write_repairs(&e->page, &run->races[KRAFFT19_UPDATES]);
    return code == EXIT_DONE ? write_all_lines(e, run, charts, 4) : code;
}

static int write_frames(experiment* e, const krafft19_run* run) {
    static const lines charts[] = {{"frames-nodes", "Grid, 60 plans a second: expanded nodes of a plan",
                                    KRAFFT19_FRAMES, KRAFFT19_GRID, RACE_NODES},
                                   {"frames-times", "Grid, 60 plans a second: time of a plan",
                                    KRAFFT19_FRAMES, KRAFFT19_GRID, RACE_TIME},
                                   {"frames-all-nodes", "Grid, 60 plans a second: expanded nodes, cumulated",
                                    KRAFFT19_FRAMES, KRAFFT19_GRID, RACE_ALL_NODES},
                                   {"frames-all-times", "Grid, 60 plans a second: time, cumulated",
                                    KRAFFT19_FRAMES, KRAFFT19_GRID, RACE_ALL_TIME}};

    page_heading(&e->page, 2, "A plan in every frame");
    page_add(&e->page, "Not in the thesis, whose updates take too long for it: 60 plans a second. The fewer "
                       "changes between two plans, the more a planner that repairs can keep.");
    write_tables(&e->page, run, KRAFFT19_FRAMES);
    return write_all_lines(e, run, charts, 4);
}

/// Length and expanded nodes of a pass; dashes where the search had ended before.
static void write_pass(page* p, const krafft19_passes* passes, int number) {
    const krafft19_pass *pass = &passes->all[number], *last = &passes->all[passes->count - 1];
    const bool is_there = number < passes->count;
    page_real(p, is_there ? pass->cost : (double)NAN);
    page_real(p, is_there ? pass->expanded : (double)NAN);
    page_real(p, is_there ? pass->expanded / last->expanded : (double)NAN);
}

/// AD* always comes down to ε = 1.
static void write_passes(page* p, const krafft19_passes* ara, const krafft19_passes* ad) {
    static const char* const heads[] = {"ε",      "length",       "nodes so far", "/ all",
                                        "length", "nodes so far", "/ all"};
    page_begin_table(p, "The passes of that moment, grid, δ = 0.2", "|ARA*:3|AD*:3", heads, 7);
    for (int i = 0; i < ad->count; ++i) {
        char weight[16];
        snprintf(weight, sizeof weight, "%.1f", ad->all[i].weight);
        page_text(p, weight);
        write_pass(p, ara, i);
        write_pass(p, ad, i);
        page_end_row(p);
    }
    page_end_table(p);
}

static int write_corridors(experiment* e, const krafft19_corridors* c) {
    page* p = &e->page;
    page_heading(p, 2, "Corridors (figures 42 to 47)");
    page_add(
        p,
        "Paths at one moment, %g s after the beginning, from the front and from above: of the %u moments "
        "of a minute one in which ARA* has the most different lengths. Agent green, destination "
        "orange, walls grey, obstacles in the thesis's colours. Lines that would lie on each other are "
        "drawn side by side; passes of an anytime search that give the same corridor share a line. "
        "Theta* is not bound to the edges of the graph. ARA* ends before ε = 1 when its own bound says "
        "that the path is the shortest.",
        c->seconds, (unsigned)c->moments);

    const int code = krafft19_draw_corridors(e, c);
    write_passes(p, &c->ara[0], &c->ad[0]);
    page_add(p,
             "Over all moments ARA* (δ = 0.2) had its shortest path at ε = %.2f in the mean; in %u of %u the "
             "path of ε = 2 was as long as that of ε = 3, and in %u the first path was the shortest already.",
             c->settled, (unsigned)c->kept, (unsigned)c->moments, (unsigned)c->equal);

    if (c->cut_at > 0) {
        page_add(
            p,
            "D* Lite with ε = 2: after %.2f s an obstacle is on the corridor, and repairing it expands "
            "%.0f nodes (the first search: %.0f). The new one has %.1f units, the shortest %.1f. In the "
            "thesis it does not reach the goal with the keys of the original D* Lite (figure 46 i); ours "
            "has the adjusted keys of 4.3.3.1 when ε is above 1.",
            c->cut_at, c->after.expanded, c->before.expanded, c->after.cost, c->cut_best);
    }

    return code;
}

static double most_nodes(const race_sum* sums) {
    double most = 0;
    for (int m = 0; m < KRAFFT19_PAIRED; ++m) {
        most = fmax(most, mean_of(sums[m].nodes, &sums[m]));
    }
    return most;
}

static void write_numbers(page* p, const krafft19_run* run) {
    const krafft19_race* race = &run->races[KRAFFT19_UPDATES];
    const race_sum *grid = race->sums[KRAFFT19_GRID], *one = race->sums[KRAFFT19_WAYPOINTS],
                   *eight = race->sums[KRAFFT19_WAYPOINTS_8];

    // lengths
    experiment_begin_numbers(p, "What the text gives a number for; ours with a plan every 282 ms");
    experiment_add_number(p, "A*, ε = 1, grid: length", "48 i", 130.28, length_of(&grid[KRAFFT19_ASTAR]));
    experiment_add_number(p, "Theta*, ε = 1, grid: length", "48 i", 98.28, length_of(&grid[KRAFFT19_THETA]));
    experiment_add_number(p, "A*, ε = 1, waypoints: length", "48 ii", 144.126,
                          length_of(&one[KRAFFT19_ASTAR]));
    experiment_add_number(p, "the same, 8 indirect neighbours", "", (double)NAN,
                          length_of(&eight[KRAFFT19_ASTAR]));
    experiment_add_number(p, "A*, ε = 2, waypoints: length", "48 ii", 152.316,
                          length_of(&one[KRAFFT19_ASTAR + 1]));
    experiment_add_number(p, "the same, 8 indirect neighbours", "", (double)NAN,
                          length_of(&eight[KRAFFT19_ASTAR + 1]));

    // nodes and updates
    experiment_add_number(p, "most expanded nodes of any algorithm, grid", "48 iii", 29141.04,
                          most_nodes(grid));
    experiment_add_number(p, "the same, waypoints", "48 iv", 2168.02, most_nodes(one));
    experiment_add_number(p, "the same, 8 indirect neighbours", "", (double)NAN, most_nodes(eight));
    experiment_add_number(p, "nodes, grid", "5.1", 57344, race->nodes[KRAFFT19_GRID]);
    experiment_add_number(p, "nodes, waypoints", "5.1", 2062, race->nodes[KRAFFT19_WAYPOINTS]);
    experiment_add_number(p, "update of the grid, ms", "50", 282.15, in_ms(race->update[KRAFFT19_GRID]));
    experiment_add_number(p, "update of the waypoints, ms", "50", 327.71,
                          in_ms(race->update[KRAFFT19_WAYPOINTS]));
    page_end_table(p);
}

static void write_missing(page* p) {
    page_heading(p, 2, "What is not here");
    page_add(p,
             "What needs an agent that flies and collides: success rates, distances and sums of full runs "
             "(figures 49 and 51 to 53, table 1, and 64 to 77 of the appendix). The planning volumes around "
             "moving obstacles (4.4.4) are off, as they are for the thesis's waypoints. The thesis measures "
             "a path on "
             "waypoints from waypoint to waypoint, ours from the agent to the destination. Its anytime "
             "searches are cut short by the next change of the graph; ours always come down to ε = 1. "
             "Figure 46 i, the corridor that does not reach the goal, is an error that ours does not make.");
}

// -------------------------------------------------------------------------------------------------- numbers

/// The name of a contender in tables of numbers; `text` holds 96 bytes.
static const char* name_of(int graph, int method, char* text) {
    snprintf(text, 96, "%s; %s", krafft19_graphs[graph], krafft19_methods[method].racer.name);
    return text;
}

static int write_frames_csv(experiment* e, const krafft19_run* run) {
    files_csv csv = files_begin_csv(RACE_FRAMES_HEADS);
    char name[96];
    for (int s = 0; s < KRAFFT19_SCENARIOS; ++s) {
        const krafft19_race* race = &run->races[s];
        const char* scenario = krafft19_scenarios[s].name;
        for (int i = 0; i < KRAFFT19_GRAPHS * KRAFFT19_METHODS; ++i) {
            const int g = i / KRAFFT19_METHODS, m = i % KRAFFT19_METHODS;
            race_add_frames(&csv, scenario, name_of(g, m, name), race->at, race->frames, &race->sums[g][m]);
        }
        race_add_frames(&csv, scenario, "cells", race->at, race->frames, &race->cells);
    }
    return files_write_csv(&e->folder, "frames.csv", &csv);
}

/// `costs` is null for cells, which have another graph.
static void add_total(files_csv* csv, const char* scenario, const char* graph, const char* method,
                      const race_sum* sum, const race_sum* astar, const krafft19_costs* costs) {
    const bool any = costs != NULL && costs->count > 0;
    const double values[] = {sum->frames,
                             sum->found,
                             sum->valid,
                             length_of(sum),
                             sum->nodes,
                             sum->nodes / astar->nodes,
                             sum->worst_nodes,
                             in_ms(sum->total),
                             sum->total / astar->total,
                             sum->nodes > 0 ? race_per_node(sum) * 1e9 : (double)NAN,
                             in_ms(sum->p99),
                             in_ms(sum->worst),
                             sum->late,
                             (double)sum->restarts,
                             any ? costs->count : (double)NAN,
                             any ? costs->least : (double)NAN,
                             any ? costs->sum / costs->count : (double)NAN,
                             any ? costs->worst : (double)NAN};
    files_csv_text(csv, scenario);
    files_csv_text(csv, graph);
    files_csv_text(csv, method);
    for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
        files_csv_real(csv, values[k]);
    }
    files_csv_end_row(csv);
}

static int write_totals_csv(experiment* e, const krafft19_run* run) {
    files_csv csv = files_begin_csv(
        "scenario,graph,method,plans,found,valid,length,expanded,expanded_over_astar,worst_expanded,total_ms,"
        "total_over_astar,ns_per_node,p99_ms,worst_ms,late,resets,costs_checked,cost_over_astar_least,"
        "cost_over_astar_mean,cost_over_astar_worst");
    for (int s = 0; s < KRAFFT19_SCENARIOS; ++s) {
        const krafft19_race* race = &run->races[s];
        const char* scenario = krafft19_scenarios[s].name;
        for (int i = 0; i < KRAFFT19_GRAPHS * KRAFFT19_METHODS; ++i) {
            const int g = i / KRAFFT19_METHODS, m = i % KRAFFT19_METHODS;
            if (race->sums[g][m].frames > 0) {
                add_total(&csv, scenario, krafft19_graphs[g], krafft19_methods[m].racer.name,
                          &race->sums[g][m], &race->sums[g][KRAFFT19_ASTAR], &race->costs[g][m]);
            }
        }
        add_total(&csv, scenario, "cells", "cells", &race->cells, &race->sums[KRAFFT19_GRID][KRAFFT19_ASTAR],
                  NULL);
    }
    return files_write_csv(&e->folder, "totals.csv", &csv);
}

static void add_passes(files_csv* csv, const char* search, double step, const krafft19_passes* passes) {
    for (int i = 0; i < passes->count; ++i) {
        files_csv_text(csv, search);
        files_csv_real(csv, step);
        files_csv_real(csv, passes->all[i].weight);
        files_csv_real(csv, passes->all[i].cost);
        files_csv_real(csv, passes->all[i].expanded);
        files_csv_end_row(csv);
    }
}

static int write_passes_csv(experiment* e, const krafft19_corridors* c) {
    files_csv csv = files_begin_csv("search,delta,epsilon,length,expanded");
    for (int k = 0; k < 2; ++k) {
        add_passes(&csv, "ARA*", 0.2 * (k + 1), &c->ara[k]);
        add_passes(&csv, "AD*", 0.2 * (k + 1), &c->ad[k]);
    }
    return files_write_csv(&e->folder, "passes.csv", &csv);
}

int krafft19_write(experiment* e, const krafft19_run* run) {
    write_opening(e);
    int code = write_updates(e, run);
    code = code == EXIT_DONE ? write_frames(e, run) : code;
    code = code == EXIT_DONE ? write_corridors(e, &run->corridors) : code;
    write_numbers(&e->page, run);
    write_missing(&e->page);
    code = code == EXIT_DONE ? write_frames_csv(e, run) : code;
    code = code == EXIT_DONE ? write_totals_csv(e, run) : code;
    return code == EXIT_DONE ? write_passes_csv(e, &run->corridors) : code;
}
