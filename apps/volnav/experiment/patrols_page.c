/// volnav/experiment/patrols_page.c: tables and charts of the experiment "massonnat-dynamic".
#include <math.h>

#include "experiment/patrols.h"

/// Milliseconds, thesis's and ours.
static double in_ms(double seconds) {
    return seconds * 1e3;
}

/// A row of table 6.3 that puts two columns into one has no figure in the second.
static double shown(const patrols_costs* c, int row, int column) {
    const bool both = row == PATROLS_OCTREE_NEW || row == PATROLS_MERGED_NEW || row == PATROLS_CELLS;
    return both && column == PATROLS_GRAPH ? (double)NAN : in_ms(c->seconds[row][column]);
}

// ------------------------------------------------------------------------------------------------ table 6.3

static void add_costs(files_csv* csv, const char* map, const patrols_costs* c, bool printed) {
    for (int row = 0; row < PATROLS_ROWS; ++row) {
        if (c->cells[row] == 0) {
            continue; // not run here
        }

        files_csv_text(csv, map);
        files_csv_real(csv, c->granularity);
        files_csv_text(csv, patrols_names[row]);
        files_csv_real(csv, c->updates);
        files_csv_real(csv, in_ms(c->voxels));
        for (int k = 0; k < PATROLS_COLUMNS; ++k) {
            files_csv_real(csv, shown(c, row, k));
        }
        for (int k = 0; k < PATROLS_COLUMNS; ++k) {
            files_csv_real(csv, printed ? patrols_theirs(row, k) : (double)NAN);
        }
        files_csv_real(csv, c->cells[row]);
        files_csv_real(csv, c->length[row]);
        files_csv_end_row(csv);
    }
}

static int write_costs_csv(experiment* e, const patrols_costs* costs, const patrols_costs* grains) {
    files_csv csv =
        files_begin_csv("map,granularity,method,updates,voxels_ms,space_ms,graph_ms,path_ms,total_ms,"
                        "thesis_space_ms,thesis_graph_ms,thesis_path_ms,thesis_total_ms,cells,length");
    add_costs(&csv, "industrial", costs, true);
    for (int g = 0; g < PATROLS_GRAINS; ++g) {
        add_costs(&csv, "cave", &grains[g], false);
    }
    return files_write_csv(&e->folder, "updates.csv", &csv);
}

static void write_costs(page* p, const patrols_costs* c) {
    static const char* const heads[] = {"update method", "ours", "thesis", "ours",    "thesis", "ours",
                                        "thesis",        "ours", "thesis", "/ cells", "ours"};
    page_heading(p, 2, "What an update costs");
    page_add(
        p,
        "One obstacle; %u updates in %u frames of a 60th of a second. A path between two points is kept: "
        "it is searched again after each update, by A* over transitions without refinement; every 100 "
        "updates there are two other points. The voxels of an update take %.4f ms, which no row "
        "contains. At %u updates there was no path at all, in no space.",
        (unsigned)c->updates, (unsigned)c->frames, in_ms(c->voxels), (unsigned)c->blind);
    page_begin_table(p, "Table 6.3: mean time of an update, ms",
                     " |octree:2|graph:2|path:2|total:2|total|cells there", heads, 11);
    for (int row = 0; row < PATROLS_ROWS; ++row) {
        page_text(p, patrols_names[row]);
        for (int k = 0; k < PATROLS_COLUMNS; ++k) {
            page_real(p, shown(c, row, k));
            page_theirs(p, patrols_theirs(row, k));
        }
        page_real(p, c->seconds[row][PATROLS_TOTAL] / c->seconds[PATROLS_CELLS][PATROLS_TOTAL]);
        page_real(p, c->cells[row]);
        page_end_row(p);
    }
    page_end_table(p);
    page_add(p, "Built anew: tree and graph together are in the first column. Cells: the whole update of the "
                "nav without the voxels. Greedy: boxes that something entered are split and then merged with "
                "whatever is around them, instead of being restored.");
}

static int write_costs_chart(experiment* e, const patrols_costs* c) {
    static const char* const names[] = {"octree + building", "octree + local", "merged + building",
                                        "merged + local",    "octree anew",    "merged anew",
                                        "merged, greedy",    "cells"};
    double values[3][PATROLS_ROWS];
    plot_chart chart = {.title = "An update: space, graph, path", .label = "mean time (µs)", .width = 900};
    for (int row = 0; row < PATROLS_ROWS; ++row) {
        for (int k = 0; k < 3; ++k) {
            values[k][row] = shown(c, row, k) * 1e3;
        }
    }

    plot_add(&chart, "octree or cells", values[PATROLS_TREE], 0, false);
    plot_add(&chart, "graph", values[PATROLS_GRAPH], 1, false);
    plot_add(&chart, "path", values[PATROLS_PATH], 2, false);
    chart.logarithmic = true;
    chart.categories = names;
    chart.count = PATROLS_ROWS;
    svg_text svg = {0};
    plot_bars(&chart, &svg);
    page_begin_charts(&e->page);
    const int code = experiment_chart(e, "updates", &svg);
    page_end_charts(&e->page);
    return code;
}

static void write_grains(page* p, const patrols_costs* grains) {
    static const int rows[] = {PATROLS_OCTREE_BUILD, PATROLS_OCTREE, PATROLS_MERGED_BUILD, PATROLS_MERGED,
                               PATROLS_CELLS};
    static const char* const heads[] = {"update method", "space", "graph", "cells there", "space", "graph",
                                        "cells there",   "space", "graph", "cells there"};
    page_heading(p, 2, "Larger maps");
    page_add(p, "The thesis expects the cost of building the graph to grow with the map, and that of a local "
                "update not to. Our Cave with smaller and smaller voxels, and an obstacle that always covers "
                "as many voxels as above.");
    page_begin_table(p, "Cave: update of space and graph by granularity, ms", " |0.625:3|0.3125:3|0.15625:3",
                     heads, 10);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        page_text(p, patrols_names[rows[i]]);
        for (int g = 0; g < PATROLS_GRAINS; ++g) {
            page_real(p, shown(&grains[g], rows[i], PATROLS_TREE));
            page_real(p, shown(&grains[g], rows[i], PATROLS_GRAPH));
            page_real(p, grains[g].cells[rows[i]]);
        }
        page_end_row(p);
    }
    page_end_table(p);
}

// ---------------------------------------------------------------------------------------------- figure 6.13

static const char* const spaces[PATROLS_TREES] = {"octree, repaired", "merged octree, repaired",
                                                  "merged octree, greedy", "cells"};

static int write_drift_csv(experiment* e, const patrols_drift* d) {
    files_csv csv = files_begin_csv("moves,octree,merged,greedy,cells");
    for (int i = 0; i <= PATROLS_SAMPLES; ++i) {
        files_csv_real(&csv, d->at[i]);
        for (int k = 0; k < PATROLS_TREES; ++k) {
            files_csv_real(&csv, d->counts[k][i]);
        }
        files_csv_end_row(&csv);
    }
    return files_write_csv(&e->folder, "drift.csv", &csv);
}

/// All samples as lines, and two levels: the octree before any update, and the free voxels.
static int write_drift_chart(experiment* e, const patrols_drift* d) {
    static const int colours[PATROLS_TREES] = {1, 2, 4, 6};
    double levels[2][PATROLS_SAMPLES + 1];
    plot_chart chart = {.title = "Cells while an obstacle patrols (figure 6.13)",
                        .label = "number of cells",
                        .x_label = "moves of half a voxel",
                        .width = 900};
    for (int i = 0; i <= PATROLS_SAMPLES; ++i) {
        levels[0][i] = d->first[0];
        levels[1][i] = d->voxels;
    }

    for (int k = 0; k < PATROLS_TREES; ++k) {
        plot_add(&chart, spaces[k], d->counts[k], colours[k], false);
    }
    plot_add(&chart, "octree before", levels[0], 5, true);
    plot_add(&chart, "free voxels", levels[1], 0, true);
    chart.logarithmic = true;
    chart.x = d->at;
    chart.count = PATROLS_SAMPLES + 1;
    svg_text svg = {0};
    plot_lines(&chart, &svg);
    page_begin_charts(&e->page);
    const int code = experiment_chart(e, "drift", &svg);
    page_end_charts(&e->page);
    return code;
}

static int write_drift(experiment* e, const patrols_drift* d) {
    static const char* const heads[] = {"space",       "before",     "in the end",
                                        "first tenth", "last tenth", "last / first"};
    page* p = &e->page;
    page_heading(p, 2, "Cells after many moves (figure 6.13)");
    page_add(
        p,
        "The obstacle makes %u moves. In the end it is taken away: with repair there are exactly as many "
        "cells as before it came.",
        (unsigned)d->moves);
    page_begin_table(p, "Cells without the obstacle, and time of a path", " |cells:2|ms for a path:3", heads,
                     6);
    for (int k = 0; k < PATROLS_TREES; ++k) {
        page_text(p, spaces[k]);
        page_real(p, d->first[k]);
        page_real(p, d->last[k]);
        page_real(p, in_ms(d->path[k][0]));
        page_real(p, in_ms(d->path[k][1]));
        page_real(p, d->path[k][1] / d->path[k][0]);
        page_end_row(p);
    }
    page_end_table(p);
    const int code = write_drift_chart(e, d);
    return code == EXIT_DONE ? write_drift_csv(e, d) : code;
}

// ------------------------------------------------------------------------------------------------ table 6.4

/// What the thesis prints for its two policies.
static const double printed[5][2] = {{56, 0.6}, {0.47, 4.81}, {0.03, 0.03}, {0.56, 0.6}, {65.5, 3.26}};

static double policy_figure(const patrols_policy* p, int row) {
    const double graph = isfinite(p->graph) ? p->graph : 0;
    const double values[5] = {p->updates, in_ms(p->tree), in_ms(p->graph), in_ms(p->path),
                              in_ms((p->tree + graph) * p->updates + p->path * p->paths)};
    return values[row];
}

static int write_policies(experiment* e, const patrols_policies_run* run) {
    static const char* const rows[5] = {"updates a second", "update of the space, ms",
                                        "update of the graph, ms", "new path, ms", "all of it, ms a second"};
    static const char* const heads[] = {
        " ", "always", "last moment", "always", "last moment", "ahead of an agent", "always", "last moment"};
    page* p = &e->page;
    files_csv csv = files_begin_csv("policy,updates_per_second,space_ms,graph_ms,path_ms,ms_per_second");
    page_heading(p, 2, "When to update (table 6.4)");
    page_add(p,
             "Three obstacles, %.0f seconds at 60 frames a second; voxels change in %.1f frames a second. "
             "Always: space, graph and path are brought up to date whenever voxels changed. Last moment: "
             "changes are gathered, those that are undone drop out, and the rest is applied when something "
             "comes into a cell of the path. Ahead of an agent: it flies along the path at 3 units a second "
             "and back, and only the cells that it has not left yet count; where it turns round, there is an "
             "update too. Cells at the last moment: the nav's own policy, by a watch on the path itself.",
             run->seconds, run->changing);
    page_begin_table(p, "Table 6.4", " |thesis:2|merged octree:3|cells:2", heads, 8);
    for (int r = 0; r < 5; ++r) {
        page_text(p, rows[r]);
        page_theirs(p, printed[r][0]);
        page_theirs(p, printed[r][1]);
        for (int i = 0; i < PATROLS_POLICIES; ++i) {
            page_real(p, policy_figure(&run->of[i], r));
        }
        page_end_row(p);
    }
    page_end_table(p);

    for (int i = 0; i < PATROLS_POLICIES; ++i) {
        files_csv_text(&csv, patrols_policies[i]);
        for (int r = 0; r < 5; ++r) {
            files_csv_real(&csv, policy_figure(&run->of[i], r));
        }
        files_csv_end_row(&csv);
    }
    return files_write_csv(&e->folder, "policies.csv", &csv);
}

int patrols_write(experiment* e, const patrols_costs* costs, const patrols_costs* grains,
                  const patrols_drift* drift, const patrols_policies_run* policies) {
    write_costs(&e->page, costs);
    int code = write_costs_chart(e, costs);
    write_grains(&e->page, grains);
    code = code == EXIT_DONE ? write_costs_csv(e, costs, grains) : code;
    code = code == EXIT_DONE ? write_drift(e, drift) : code;
    return code == EXIT_DONE ? write_policies(e, policies) : code;
}
