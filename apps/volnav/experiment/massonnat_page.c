/// volnav/experiment/massonnat_page.c: tables and charts of the six handmade maps.
#include <assert.h>
#include <math.h>

#include "experiment/massonnat.h"

// ----------------------------------------------------------------------------------------------------- cells

static int write_cells(experiment* e, const massonnat_map* maps) {
    static const char* const heads[] = {"map",  "ours",   "thesis", "ours",   "thesis",
                                        "ours", "thesis", "ours",   "thesis", "ours"};
    page* p = &e->page;
    files_csv csv =
        files_begin_csv("map,voxels,voxels_thesis,octree,octree_thesis,merged,merged_thesis,cells");
    page_heading(p, 2, "Cells in each space");
    page_begin_table(p, "Table 6.1", " |voxels:2|octree:2|merged octree:2|octree / merged:2|cells", heads,
                     10);

    for (int i = 0; i < MASSONNAT_MAPS; ++i) {
        page_text(p, maps[i].title);
        files_csv_text(&csv, maps[i].scene);
        for (int k = 0; k < 3; ++k) {
            page_real(p, maps[i].cells[k]);
            page_theirs(p, maps[i].printed_cells[k]);
            files_csv_real(&csv, maps[i].cells[k]);
            files_csv_real(&csv, maps[i].printed_cells[k]);
        }

        page_real(p, maps[i].cells[1] / maps[i].cells[2]);
        page_theirs(p, maps[i].printed_cells[1] / maps[i].printed_cells[2]);
        page_real(p, maps[i].cells[3]);
        files_csv_real(&csv, maps[i].cells[3]);
        page_end_row(p);
        files_csv_end_row(&csv);
    }

    page_end_table(p);
    return files_write_csv(&e->folder, "cells.csv", &csv);
}

// --------------------------------------------------------------------------------------------------- lengths

static void write_lengths(page* p, const massonnat_map* maps) {
    static const char* const heads[] = {"method", "ours",   "thesis", "ours",   "thesis", "ours",  "thesis",
                                        "ours",   "thesis", "ours",   "thesis", "ours",   "thesis"};
    page_heading(p, 2, "Path length");
    page_begin_table(p, "Table 6.2: mean length, units",
                     " |Zigzag:2|Building 1:2|Building 2:2|Building 3:2|Cave:2|Industrial:2", heads, 13);

    for (int m = 0; m < MASSONNAT_METHODS; ++m) {
        page_text(p, massonnat_names[m]);
        for (int i = 0; i < MASSONNAT_MAPS; ++i) {
            page_real(p, maps[i].sums[m].length);
            page_theirs(p, massonnat_length(i, m));
        }
        page_end_row(p);
    }

    page_end_table(p);
}

static void write_times(page* p, const massonnat_map* maps) {
    static const char* const heads[] = {"method",     "Zigzag", "Building 1", "Building 2",
                                        "Building 3", "Cave",   "Industrial"};
    page_heading(p, 2, "Time");
    page_begin_table(p, "Mean time for one path, ms", NULL, heads, 7);
    for (int m = 0; m < MASSONNAT_METHODS; ++m) {
        page_text(p, massonnat_names[m]);
        for (int i = 0; i < MASSONNAT_MAPS; ++i) {
            page_real(p, maps[i].sums[m].seconds * 1e3);
        }
        page_end_row(p);
    }

    page_end_table(p);
}

static int write_methods_csv(experiment* e, const massonnat_map* maps) {
    files_csv csv = files_begin_csv(
        "map,method,pairs,time_ms,median_ms,added_ms,length,length_thesis,closed,sight_checks");
    for (int i = 0; i < MASSONNAT_MAPS; ++i) {
        for (int m = 0; m < MASSONNAT_METHODS; ++m) {
            const run_summary* sum = &maps[i].sums[m];
            files_csv_text(&csv, maps[i].scene);
            files_csv_text(&csv, massonnat_names[m]);
            files_csv_real(&csv, (double)sum->count);
            files_csv_real(&csv, sum->seconds * 1e3);
            files_csv_real(&csv, sum->median * 1e3);
            files_csv_real(&csv, maps[i].added[m] * 1e3);
            files_csv_real(&csv, sum->length);
            files_csv_real(&csv, massonnat_length(i, m));
            files_csv_real(&csv, sum->closed);
            files_csv_real(&csv, sum->sight_checks);
            files_csv_end_row(&csv);
        }
    }

    return files_write_csv(&e->folder, "methods.csv", &csv);
}

// --------------------------------------------------------------------------------------------------- buckets

static int write_buckets_csv(experiment* e, const massonnat_map* maps) {
    files_csv csv = files_begin_csv("map,method,bucket,pairs,merged_length,time_ms,length");
    for (int i = 0; i < MASSONNAT_MAPS; ++i) {
        for (int m = 0; m < MASSONNAT_METHODS; ++m) {
            for (int k = 0; k < MASSONNAT_BUCKETS; ++k) {
                const run_summary* sum = &maps[i].buckets[m][k];
                files_csv_text(&csv, maps[i].scene);
                files_csv_text(&csv, massonnat_names[m]);
                files_csv_real(&csv, k + 1);
                files_csv_real(&csv, (double)sum->count);
                files_csv_real(&csv, maps[i].bucket_length[k]);
                files_csv_real(&csv, sum->seconds * 1e3);
                files_csv_real(&csv, sum->length);
                files_csv_end_row(&csv);
            }
        }
    }

    return files_write_csv(&e->folder, "buckets.csv", &csv);
}

/// One line of a chart: a method, its name there, and how it looks.
typedef struct curve {
    int method;
    const char* name;
    int colour;
    bool dashed;
} curve;

static int write_curves(experiment* e, const massonnat_map* map, const char* kind, const char* title,
                        const curve* curves, int count) {
    double values[PLOT_SERIES_MAX][MASSONNAT_BUCKETS];
    char text[96], file[64];
    assert(count <= PLOT_SERIES_MAX);
    snprintf(text, sizeof text, "%s: %s", map->title, title);
    snprintf(file, sizeof file, "%s-%s", map->scene, kind);
    plot_chart chart = {.title = text, .label = "time (ms)", .x_label = "path length (units)", .width = 440};
    chart.logarithmic = true;
    chart.x = map->bucket_length;

    chart.count = MASSONNAT_BUCKETS;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < MASSONNAT_BUCKETS; ++k) {
            values[i][k] = map->buckets[curves[i].method][k].seconds * 1e3;
        }
        plot_add(&chart, curves[i].name, values[i], curves[i].colour, curves[i].dashed);
    }

    svg_text svg = {0};
    plot_lines(&chart, &svg);
    return experiment_chart(e, file, &svg);
}

/// What each refinement adds to the search, as bars.
static int write_added(experiment* e, const massonnat_map* maps) {
    static const char* const names[6] = {"octree, pruning", "octree, funnel", "octree, both",
                                         "merged, pruning", "merged, funnel", "merged, both"};
    static const int colours[3] = {4, 3, 6};
    double values[6][MASSONNAT_MAPS];
    const char* categories[MASSONNAT_MAPS];
    plot_chart chart = {
        .title = "What refinement adds to the search", .label = "added time, median (µs)", .width = 900};

    for (int k = 0; k < 6; ++k) {
        const int base = k < 3 ? MASSONNAT_OCTREE : MASSONNAT_MERGED;
        for (int i = 0; i < MASSONNAT_MAPS; ++i) {
            values[k][i] = maps[i].added[base + 1 + k % 3] * 1e6;
            categories[i] = maps[i].title;
        }
        plot_add(&chart, names[k], values[k], colours[k % 3], k >= 3);
    }

    chart.categories = categories;
    chart.count = MASSONNAT_MAPS;
    svg_text svg = {0};
    plot_bars(&chart, &svg);
    return experiment_chart(e, "refinement-added", &svg);
}

static int write_bucket_charts(experiment* e, const massonnat_map* maps) {
    static const curve spaces[] = {{MASSONNAT_VOXEL, "voxels", 0, false},
                                   {MASSONNAT_OCTREE, "octree", 1, false},
                                   {MASSONNAT_MERGED, "merged octree", 2, false},
                                   {MASSONNAT_VOXEL_26, "voxels, 26", 0, true},
                                   {MASSONNAT_CELLS, "cells", 6, false}};
    static const curve refined[] = {
        {MASSONNAT_OCTREE, "octree", 1, false},          {MASSONNAT_OCTREE_PRUNE, "+ pruning", 4, false},
        {MASSONNAT_OCTREE_FUNNEL, "+ funnel", 3, false}, {MASSONNAT_OCTREE_BOTH, "+ both", 6, false},
        {MASSONNAT_MERGED, "merged", 1, true},           {MASSONNAT_MERGED_PRUNE, "+ pruning", 4, true},
        {MASSONNAT_MERGED_FUNNEL, "+ funnel", 3, true},  {MASSONNAT_MERGED_BOTH, "+ both", 6, true}};
    int code = EXIT_DONE;
    page_heading(&e->page, 3, "By path length, in ten buckets (figure 6.6)");

    page_begin_charts(&e->page);
    for (int i = 0; i < MASSONNAT_MAPS && code == EXIT_DONE; ++i) {
        code = write_curves(e, &maps[i], "spaces", "spaces", spaces, 5);
    }

    page_end_charts(&e->page);
    page_heading(&e->page, 3, "What refinement costs (figure 6.7)");
    page_add(&e->page, "Full lines: octree, with the refinement that follows it; dashed: merged octree.");
    page_begin_charts(&e->page);
    for (int i = 0; i < MASSONNAT_MAPS && code == EXIT_DONE; ++i) {
        code = write_curves(e, &maps[i], "refinement", "refinement", refined, 8);
    }

    code = code == EXIT_DONE ? write_added(e, maps) : code;
    page_end_charts(&e->page);
    return code;
}

int massonnat_write_maps(experiment* e, const massonnat_map* maps) {
    int code = write_cells(e, maps);
    write_lengths(&e->page, maps);
    write_times(&e->page, maps);
    code = code == EXIT_DONE ? write_methods_csv(e, maps) : code;
    code = code == EXIT_DONE ? write_buckets_csv(e, maps) : code;
    return code == EXIT_DONE ? write_bucket_charts(e, maps) : code;
}

// ----------------------------------------------------------------------------------------------- granularity

static const char* const spaces[4] = {"voxels", "octree", "merged octree", "cells"};

int massonnat_write_grains(experiment* e, const massonnat_grain* grains) {
    static const char* const heads[] = {"space",    "cells", "time, ms", "cells",
                                        "time, ms", "cells", "time, ms"};
    static const char* const names[MASSONNAT_GRAINS] = {"1.25", "0.625", "0.3125"};
    double values[MASSONNAT_GRAINS][4];
    page* p = &e->page;
    files_csv csv = files_begin_csv("granularity,space,cells,time_ms,length");
    plot_chart chart = {
        .title = "Cave: time by granularity", .label = "mean time for one path (ms)", .width = 900};
    page_heading(p, 2, "Granularity (figure 6.8)");

    page_begin_table(p, "Cave; the same pairs for all, no refinement", " |1.25:2|0.625:2|0.3125:2", heads, 7);
    for (int m = 0; m < 4; ++m) {
        page_text(p, spaces[m]);
        for (int g = 0; g < MASSONNAT_GRAINS; ++g) {
            values[g][m] = grains[g].sums[m].seconds * 1e3;
            page_real(p, grains[g].cells[m]);
            page_real(p, values[g][m]);
            files_csv_real(&csv, grains[g].granularity);
            files_csv_text(&csv, spaces[m]);
            files_csv_real(&csv, grains[g].cells[m]);
            files_csv_real(&csv, values[g][m]);
            files_csv_real(&csv, grains[g].sums[m].length);
            files_csv_end_row(&csv);
        }

        page_end_row(p);
    }

    page_end_table(p);
    chart.logarithmic = true;
    chart.categories = spaces;
    chart.count = 4;
    for (int g = 0; g < MASSONNAT_GRAINS; ++g) {
        plot_add(&chart, names[g], values[g], g, false);
    }

    svg_text svg = {0};
    plot_bars(&chart, &svg);
    page_begin_charts(p);
    const int code = experiment_chart(e, "granularity", &svg);
    page_end_charts(p);

    return code == EXIT_DONE ? files_write_csv(&e->folder, "granularity.csv", &csv) : EXIT_BAD;
}
