/// volnav/experiment/warframe.c: the large maps of Massonnat 2023, 6.4: merged octree with refinement against
/// JPS, and our cells.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/massonnat.h"

enum { ASTAR, JPS, MERGED, MERGED_PRUNE, MERGED_FUNNEL, MERGED_BOTH, CELLS, CONTENDERS };

#define MOVEMENT(refinement)                                                                                 \
    { NULL, RUN_MERGED, VN_CLASSIC_ASTAR, VN_GRAPH_TRANSITIONS, 26, (refinement), false }

static const run_contender contenders[CONTENDERS] = {
    {NULL, RUN_GRID, VN_CLASSIC_ASTAR, VN_GRAPH_CENTRES, 26, VN_REFINE_NONE, false},
    {NULL, RUN_GRID, VN_CLASSIC_JPS, VN_GRAPH_CENTRES, 26, VN_REFINE_NONE, false},
    MOVEMENT(VN_REFINE_NONE),
    MOVEMENT(VN_REFINE_PRUNE),
    MOVEMENT(VN_REFINE_FUNNEL),
    MOVEMENT(VN_REFINE_FUNNEL_PRUNE),
    {NULL, RUN_CELLS, VN_CLASSIC_ASTAR, VN_GRAPH_DEFAULT, 26, VN_REFINE_DEFAULT, false}};

static const char* const names[CONTENDERS] = {
    "A*, voxels", "JPS, voxels", "merged", "merged + pruning", "merged + funnel", "merged + funnel + pruning",
    "cells"};

static const int colours[CONTENDERS] = {0, 1, 3, 4, 5, 2, 6};

/// One map of each series, as in the thesis; those that are not there are named on the page.
static const char* const map_names[] = {"A1",  "BA1", "BB1", "BC1", "Complex", "DA1",
                                        "DB1", "DC1", "EA1", "EB1", "EC1",     "ED1",
                                        "EE1", "FA1", "FB1", "FC1", "Full1",   "Simple"};

enum { MAPS = sizeof map_names / sizeof *map_names, SAMPLE = 200, QUICK_SAMPLE = 10, FOLDER_SIZE = 512 };

/// What one map gave.
typedef struct large_map {
    const char* name;
    double voxels, leaves, merged, cells;
    run_summary sums[CONTENDERS];
    double bucket_length[MASSONNAT_BUCKETS];
    run_summary buckets[CONTENDERS][MASSONNAT_BUCKETS];
} large_map;

typedef struct large_study {
    experiment* e;
    char folder[FOLDER_SIZE];
    large_map maps[MAPS];
    int count;
} large_study;

// --------------------------------------------------------------------------------------------------- finding

static bool has_map(const char* folder, const char* name) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s.3dmap", folder, name);
    FILE* file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }

    return file != NULL;
}

static bool has_any_map(const char* folder) {
    for (int i = 0; i < MAPS; ++i) {
        if (has_map(folder, map_names[i])) {
            return true;
        }
    }
    return false;
}

/// The folder that was given, or its folder warframe; empty if none was given, or there are no maps in it.
static void find_folder(const experiment_options* o, char* out, size_t size) {
    const char* usual = getenv("VN_DATA");
    const char* data = o->data != NULL ? o->data : usual != NULL ? usual : "";
    snprintf(out, size, "%s", data);
    if (data[0] != '\0' && !has_any_map(out)) {
        snprintf(out, size, "%s/warframe", data);
        out[has_any_map(out) ? size - 1 : 0] = '\0';
    }
}

int massonnat_check_data(const experiment_options* o) {
    char folder[FOLDER_SIZE];
    find_folder(o, folder, sizeof folder);
    return o->data == NULL || folder[0] != '\0'
               ? EXIT_DONE
               : say_bad("--data %s: there is no Warframe map in it, such as Complex.3dmap", o->data);
}

void massonnat_find_map(const experiment_options* o, const char* name, char* path, size_t size) {
    char folder[FOLDER_SIZE];
    find_folder(o, folder, sizeof folder);
    path[0] = '\0';
    if (folder[0] != '\0' && has_map(folder, name)) {
        snprintf(path, size, "%s/%s.3dmap", folder, name);
    }
}

/// With --quick the two small ones.
static bool is_wanted(const large_study* s, const char* name) {
    return s->folder[0] != '\0' && has_map(s->folder, name) &&
           (!s->e->options->quick || strcmp(name, "Simple") == 0 || strcmp(name, "Complex") == 0);
}

// ------------------------------------------------------------------------------------------------- measuring

static int read_pairs(const large_study* s, const char* path, const run_place* place, run_pair** out,
                      uint32_t* count) {
    char file[640];
    vn_3dscen scen = {.lines = NULL};
    vn_detail detail = {0};
    const experiment_options* o = s->e->options;
    snprintf(file, sizeof file, "%s.3dscen", path);
    vn_status status = vn_3dscen_read_file(file, NULL, &scen, &detail);

    status = status == VN_OK ? vn_3dscen_check(&scen, path, place->info.dims, &detail) : status;
    if (status != VN_OK || scen.line_count == 0) {
        vn_3dscen_free(&scen);
        return status != VN_OK ? say_status(file, status, &detail)
                               : say_bad("%s: there are no queries in it", file);
    }

    const uint64_t wanted = o->sample > 0 ? o->sample : o->quick ? QUICK_SAMPLE : SAMPLE;
    *count = (uint32_t)(wanted < scen.line_count ? wanted : scen.line_count);
    *out = say_alloc(*count, sizeof **out);
    for (uint32_t i = 0; i < *count; ++i) {
        const vn_scen_line* line = &scen.lines[i * scen.line_count / *count];
        (*out)[i] = (run_pair){vn_voxel_center(line->start), vn_voxel_center(line->goal)};
    }

    vn_3dscen_free(&scen);
    return EXIT_DONE;
}

/// Buckets by the length of JPS's paths, which is the grid's least.
static void sum_up(large_map* map, const run_row* rows, uint32_t count) {
    uint32_t* order = say_alloc(count, sizeof *order);
    run_row* sorted = say_alloc(count, sizeof *sorted);
    massonnat_sort(rows + (size_t)JPS * count, count, order);
    for (int c = 0; c < CONTENDERS; ++c) {
        for (uint32_t i = 0; i < count; ++i) {
            sorted[i] = rows[(size_t)c * count + order[i]];
        }

        map->sums[c] = run_sum(sorted, count);
        for (uint32_t k = 0; k < MASSONNAT_BUCKETS; ++k) {
            const uint32_t begin = k * count / MASSONNAT_BUCKETS, end = (k + 1) * count / MASSONNAT_BUCKETS;
            map->buckets[c][k] = run_sum(sorted + begin, end - begin);
        }
    }

    for (int k = 0; k < MASSONNAT_BUCKETS; ++k) {
        map->bucket_length[k] = map->buckets[JPS][k].length;
    }

    free(order);
    free(sorted);
}

static int measure_map(large_study* s, const char* name) {
    char path[600];
    run_place place = {0};
    run_pair* pairs = NULL;
    uint32_t count = 0;
    large_map* map = &s->maps[s->count];
    snprintf(path, sizeof path, "%s/%s.3dmap", s->folder, name);
    int code = run_open_map(s->e, path, name, RUN_ALL, &place);

    code = code == EXIT_DONE ? read_pairs(s, path, &place, &pairs, &count) : code;
    if (code == EXIT_DONE) {
        run_row* rows = say_alloc((size_t)count * CONTENDERS, sizeof *rows);
        *map = (large_map){.name = name,
                           .voxels = (double)place.info.free_voxels,
                           .leaves = (double)place.about[RUN_OCTREE].leaves,
                           .merged = (double)place.about[RUN_MERGED].cells,
                           .cells = (double)place.info.cells};

        code = run_pairs(s->e, &place, name, contenders, CONTENDERS, pairs, count, rows);
        if (code == EXIT_DONE) {
            sum_up(map, rows, count);
            ++s->count;
        }

        free(rows);
    }

    free(pairs);
    run_close(&place);
    return code;
}

// --------------------------------------------------------------------------------------------------- writing

static void write_absent(const large_study* s) {
    page* p = &s->e->page;
    char absent[256] = "";
    for (int i = 0; i < MAPS; ++i) {
        const size_t used = strlen(absent);
        if (!has_map(s->folder, map_names[i])) {
            snprintf(absent + used, sizeof absent - used, "%s%s", used > 0 ? ", " : "", map_names[i]);
        }
    }

    if (absent[0] != '\0') {
        page_add(p, "Not in the folder: %s.", absent);
    }

    page_note(p, "The thesis also uses Full4 (figures 6.4 and 6.12), plant02 (figure 6.9) and level01 "
                 "(figure 6.10). These maps were not to be had, so those curves are missing here; Full1 "
                 "stands in for Full4.");
}

static void write_counts(const large_study* s) {
    static const char* const heads[] = {"map",    "free voxels", "leaves",          "thesis",
                                        "merged", "thesis",      "leaves / merged", "cells"};
    page* p = &s->e->page;
    page_begin_table(p, "Cells in each space", NULL, heads, 8);
    for (int i = 0; i < s->count; ++i) {
        const large_map* map = &s->maps[i];
        const bool complex = strcmp(map->name, "Complex") == 0;
        page_text(p, map->name);
        page_real(p, map->voxels);
        page_real(p, map->leaves);
        page_theirs(p, complex ? 41385 : (double)NAN);
        page_real(p, map->merged);
        page_theirs(p, complex ? 10552 : (double)NAN);
        page_real(p, map->leaves / map->merged);
        page_real(p, map->cells);
        page_end_row(p);
    }

    page_end_table(p);
}

static void explain_complex(page* p) {
    page_add(
        p,
        "Complex: the number of leaves depends on where the map lies in the root cube, and the number of "
        "merged boxes on the order of merging. The thesis gives neither; tools/complex_ranges computes the "
        "ranges of both.");
}

static void write_times(const large_study* s, bool median) {
    const char* heads[CONTENDERS + 3] = {"map"};
    page* p = &s->e->page;
    for (int c = 0; c < CONTENDERS; ++c) {
        heads[c + 1] = names[c];
    }

    heads[CONTENDERS + 1] = "best merged / JPS";
    heads[CONTENDERS + 2] = "JPS / cells";
    page_begin_table(p, median ? "Median time, ms" : "Mean time, ms", NULL, heads, CONTENDERS + 3);
    for (int i = 0; i < s->count; ++i) {
        double times[CONTENDERS];
        page_text(p, s->maps[i].name);
        for (int c = 0; c < CONTENDERS; ++c) {
            times[c] = (median ? s->maps[i].sums[c].median : s->maps[i].sums[c].seconds) * 1e3;
            page_real(p, times[c]);
        }

        page_real(p, times[MERGED_BOTH] / times[JPS]);
        page_real(p, times[JPS] / times[CELLS]);
        page_end_row(p);
    }

    page_end_table(p);
}

static void write_lengths(const large_study* s) {
    const char* heads[CONTENDERS + 2] = {"map"};
    page* p = &s->e->page;
    for (int c = 0; c < CONTENDERS; ++c) {
        heads[c + 1] = names[c];
    }

    heads[CONTENDERS + 1] = "best merged / JPS";
    page_begin_table(p, "Mean length, voxels", NULL, heads, CONTENDERS + 2);
    for (int i = 0; i < s->count; ++i) {
        page_text(p, s->maps[i].name);
        for (int c = 0; c < CONTENDERS; ++c) {
            page_real(p, s->maps[i].sums[c].length);
        }
        page_real(p, s->maps[i].sums[MERGED_BOTH].length / s->maps[i].sums[JPS].length);
        page_end_row(p);
    }

    page_end_table(p);
}

static int write_csv(const large_study* s) {
    files_csv csv = files_begin_csv(
        "map,method,queries,time_ms,median_ms,length,closed,sight_checks,free_voxels,leaves,merged,cells");
    for (int i = 0; i < s->count; ++i) {
        for (int c = 0; c < CONTENDERS; ++c) {
            const large_map* map = &s->maps[i];
            const run_summary* sum = &map->sums[c];
            const double numbers[10] = {
                (double)sum->count, sum->seconds * 1e3, sum->median * 1e3, sum->length, sum->closed,
                sum->sight_checks,  map->voxels,        map->leaves,       map->merged, map->cells};
            files_csv_text(&csv, map->name);

            files_csv_text(&csv, names[c]);
            for (int k = 0; k < 10; ++k) {
                files_csv_real(&csv, numbers[k]);
            }

            files_csv_end_row(&csv);
        }
    }

    return files_write_csv(&s->e->folder, "warframe.csv", &csv);
}

// ---------------------------------------------------------------------------------------------------- charts

static int write_bars(const large_study* s, const char* file, const char* title, const char* label, int what,
                      const int* which, int count) {
    double values[CONTENDERS][MAPS];
    const char* categories[MAPS];
    plot_chart chart = {.title = title, .label = label, .width = 900, .logarithmic = what != 2};
    for (int i = 0; i < s->count; ++i) {
        categories[i] = s->maps[i].name;
    }

    chart.categories = categories;
    chart.count = s->count;
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < s->count; ++i) {
            const run_summary* sum = &s->maps[i].sums[which[k]];
            values[k][i] = what == 0 ? sum->seconds * 1e3 : what == 1 ? sum->median * 1e3 : sum->length;
        }
        plot_add(&chart, names[which[k]], values[k], colours[which[k]], false);
    }

    svg_text svg = {0};
    plot_bars(&chart, &svg);
    return experiment_chart(s->e, file, &svg);
}

/// What a chart over path length shows.
typedef struct curves_plan {
    const char* file;  ///< after the map's name
    const char* title; ///< the same
    bool gain;         ///< how much shorter than without refinement; else time
    int which[4], count;
} curves_plan;

static double bucket_value(const large_map* map, int contender, int bucket, bool gain) {
    const run_summary* sum = &map->buckets[contender][bucket];
    return gain ? 100 * (1 - sum->length / map->buckets[MERGED][bucket].length) : sum->seconds * 1e3;
}

static int write_curves(const large_study* s, const large_map* map, const curves_plan* plan) {
    double values[4][MASSONNAT_BUCKETS];
    char title[96], file[64];
    snprintf(title, sizeof title, "%s: %s", map->name, plan->title);
    snprintf(file, sizeof file, "%s-%s", map->name, plan->file);
    plot_chart chart = {.title = title, .x_label = "path length on the grid (voxels)", .width = 440};
    chart.label = plan->gain ? "shorter than without (%)" : "time (ms)";
    chart.logarithmic = !plan->gain;
    chart.x = map->bucket_length;

    chart.count = MASSONNAT_BUCKETS;
    for (int k = 0; k < plan->count; ++k) {
        const int c = plan->which[k];
        for (int b = 0; b < MASSONNAT_BUCKETS; ++b) {
            values[k][b] = bucket_value(map, c, b, plan->gain);
        }
        plot_add(&chart, names[c], values[k], colours[c], false);
    }

    svg_text svg = {0};
    plot_lines(&chart, &svg);
    return experiment_chart(s->e, file, &svg);
}

static bool is_named(const large_map* map, const char* name) {
    return strcmp(map->name, name) == 0;
}

static int write_map_charts(const large_study* s, const large_map* map) {
    static const curves_plan cost = {"refinement-time",
                                     "refinement, time (figure 6.9)",
                                     false,
                                     {MERGED, MERGED_PRUNE, MERGED_FUNNEL, MERGED_BOTH},
                                     4};
    static const curves_plan gain = {"refinement-length",
                                     "refinement, length (figure 6.9)",
                                     true,
                                     {MERGED_PRUNE, MERGED_FUNNEL, MERGED_BOTH},
                                     3};
    static const curves_plan rivals = {
        "rivals", "against JPS (figure 6.12)", false, {JPS, MERGED_BOTH, CELLS}, 3};

    int code = EXIT_DONE;
    if (is_named(map, "BA1") || is_named(map, "Complex")) {
        code = write_curves(s, map, &cost);
        code = code == EXIT_DONE ? write_curves(s, map, &gain) : code;
    }

    if (code == EXIT_DONE && (is_named(map, "BA1") || is_named(map, "Full1"))) {
        code = write_curves(s, map, &rivals);
    }

    return code;
}

static int write_charts(const large_study* s) {
    static const int compared[] = {ASTAR, JPS, MERGED_BOTH, CELLS};
    page_begin_charts(&s->e->page);
    int code =
        write_bars(s, "warframe-mean", "Mean time (figure 6.10)", "time for one path (ms)", 0, compared, 4);
    code = code == EXIT_DONE ? write_bars(s, "warframe-median", "Median time (figure 6.10)",
                                          "time for one path (ms)", 1, compared, 4)
                             : code;
    code = code == EXIT_DONE ? write_bars(s, "warframe-length", "Mean length (figure 6.11)",
                                          "path length (voxels)", 2, compared + 1, 3)
                             : code;

    for (int i = 0; i < s->count && code == EXIT_DONE; ++i) {
        code = write_map_charts(s, &s->maps[i]);
    }

    page_end_charts(&s->e->page);
    return code;
}

// --------------------------------------------------------------------------------------------------- judging

/// On how many maps refinement takes less than a tenth of the time.
static void judge_share(const large_study* s) {
    double most = 0;
    int small = 0;
    for (int i = 0; i < s->count; ++i) {
        const run_summary* sums = s->maps[i].sums;
        const double part = 1 - sums[MERGED].seconds / sums[MERGED_BOTH].seconds;
        most = fmax(most, part);
        small += part < 0.1 ? 1 : 0;
    }

    order_add_claim(&s->e->orders, "On large maps refinement takes less than 10 % of the time.",
                    small == s->count, NULL, "on %d of %d maps; at most %.1f %%", small, s->count,
                    100 * most);
}

/// Is JPS slower than the merged octree in the longest tenth of the queries, in the mean over the maps?
static bool loses_long_queries(const large_study* s) {
    double ratio = 0;
    for (int i = 0; i < s->count; ++i) {
        const int last = MASSONNAT_BUCKETS - 1;
        ratio += log(s->maps[i].buckets[MERGED_BOTH][last].seconds / s->maps[i].buckets[JPS][last].seconds);
    }
    return ratio < 0;
}

static void judge(const large_study* s) {
    order_book* book = &s->e->orders;
    double mean = 0, median = 0, length = 0;
    for (int i = 0; i < s->count; ++i) {
        const run_summary* sums = s->maps[i].sums;
        mean += log(sums[MERGED_BOTH].seconds / sums[JPS].seconds) / s->count;
        median += log(sums[MERGED_BOTH].median / sums[JPS].median) / s->count;
        length += log(sums[MERGED_BOTH].length / sums[JPS].length) / s->count;
    }

    order_add_claim(
        book,
        "By mean times JPS is faster than the merged octree with refinement (2.29 times, the geometric mean "
        "over 22 maps).",
        mean > 0,
        median > 0 && loses_long_queries(s) ? "The longest queries decide a mean: in the longest tenth JPS "
                                              "is slower here; by the median it is faster."
                                            : NULL,
        "%.2f times over %d maps", exp(mean), s->count);
    order_add_claim(book, "By median times it is faster (2.71 times).", median > 0, NULL, "%.2f times",
                    exp(median));
    order_add_claim(book, "The merged octree's paths are shorter than JPS's (by 5 %).", length < 0, NULL,
                    "%.1f %% shorter", 100 * (1 - exp(length)));
    judge_share(s);
}

/// By how much a contender's time grows from the shortest tenth of the queries to the longest.
static double growth(const large_map* map, int contender) {
    return map->buckets[contender][MASSONNAT_BUCKETS - 1].seconds / map->buckets[contender][0].seconds;
}

static void judge_growth(const large_study* s) {
    for (int i = 0; i < s->count; ++i) {
        if (is_named(&s->maps[i], "BA1")) {
            const double jps = growth(&s->maps[i], JPS), merged = growth(&s->maps[i], MERGED_BOTH);
            order_add_claim(
                &s->e->orders,
                "On BA1 JPS's time grows more with the length of the path than the merged octree's.",
                jps > merged, NULL, "from the shortest tenth to the longest: %.0f and %.0f times", jps,
                merged);
        }
    }
}

static int write_all(const large_study* s) {
    page* p = &s->e->page;
    page_add(
        p, "Voxels of size 1, queries of the benchmark's own scenarios, spread evenly over each file; all "
           "searches on the same queries. \"Best merged\" is the thesis's own choice: merged octree, funnel, "
           "then pruning.");
    write_absent(s);
    write_counts(s);
    explain_complex(&s->e->page);
    write_times(s, false);
    write_times(s, true);
    write_lengths(s);
    int code = write_csv(s);
    code = code == EXIT_DONE ? write_charts(s) : code;
    judge(s);
    judge_growth(s);

    return code;
}

int massonnat_warframe(experiment* e) {
    large_study* s = say_alloc(1, sizeof *s);
    int code = EXIT_DONE;
    s->e = e;
    find_folder(e->options, s->folder, sizeof s->folder);

    page_heading(&e->page, 2, "Large maps");
    for (int i = 0; i < MAPS && code == EXIT_DONE; ++i) {
        if (is_wanted(s, map_names[i])) {
            code = measure_map(s, map_names[i]);
        }
    }

    if (code == EXIT_DONE && s->count > 0) {
        code = write_all(s);
    } else if (code == EXIT_DONE) {
        page_note(
            &e->page,
            "No folder with the Warframe maps was given (--data DIR, or VN_DATA): this part of the "
            "experiment is missing. Full4, plant02 and level01 of the thesis are not to be had at all.");
    }

    free(s);
    return code;
}
