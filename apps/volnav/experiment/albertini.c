/// volnav/experiment/albertini.c: the experiment "albertini": the five worlds of Albertini 2022, octree
/// against grid, one target against many.
#include "experiment/albertini.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The searches of the thesis, on leaf centres and over faces, Basic Theta* as printed.
#define ROW(space, algorithm, refinement)                                                                    \
    { NULL, (space), (algorithm), VN_GRAPH_CENTRES, 6, (refinement), true }
#define ROWS(space)                                                                                          \
    {                                                                                                        \
        ROW(space, VN_CLASSIC_DIJKSTRA, VN_REFINE_NONE), ROW(space, VN_CLASSIC_GREEDY, VN_REFINE_NONE),      \
            ROW(space, VN_CLASSIC_ASTAR, VN_REFINE_NONE), ROW(space, VN_CLASSIC_DIJKSTRA, VN_REFINE_SMOOTH), \
            ROW(space, VN_CLASSIC_GREEDY, VN_REFINE_SMOOTH), ROW(space, VN_CLASSIC_ASTAR, VN_REFINE_SMOOTH), \
            ROW(space, VN_CLASSIC_THETA, VN_REFINE_NONE), ROW(space, VN_CLASSIC_LAZY_THETA, VN_REFINE_NONE), \
            ROW(RUN_CELLS, VN_CLASSIC_ASTAR, VN_REFINE_DEFAULT)                                              \
    }

static const run_contender on_octree[ALBERTINI_ROWS] = ROWS(RUN_OCTREE);
static const run_contender on_grid[ALBERTINI_ROWS] = ROWS(RUN_GRID);

const char* const albertini_names[ALBERTINI_ROWS] = {"Dijkstra",     "BestFirstSearch",    "A*",
                                                     "Dijkstra PS",  "BestFirstSearch PS", "A* PS",
                                                     "Basic Theta*", "Lazy Theta*",        "cells"};

typedef struct world_plan {
    const char* scene;
    const char* title;
    int depth;
    uint64_t leaves; ///< the thesis's
} world_plan;

enum { WORLDS = 5, QUICK_TARGETS = 20 };

static const world_plan worlds[WORLDS] = {{"sparse", "World 1: sparse objects", 6, 21091},
                                          {"wall", "World 2: a large wall", 6, 8701},
                                          {"maze", "World 3: a maze", 5, 7271},
                                          {"concave", "World 4: one concave mesh", 6, 9054},
                                          {"mixed", "World 5: concave and convex meshes", 6, 19797}};

/// What has been measured so far.
typedef struct study {
    experiment* e;
    albertini_table tables[ALBERTINI_TABLES];
    files_csv worlds;
    double leaves[WORLDS], voxels[WORLDS], cells[WORLDS], groups[WORLDS];
} study;

// ------------------------------------------------------------------------------------------------- measuring

/// The centres of the octree's leaves.
typedef struct leaf_list {
    vn_point* points;
    size_t count, capacity;
} leaf_list;

static bool add_leaf(void* user, vn_voxel low, vn_voxel high) {
    leaf_list* list = user;
    assert(list->count < list->capacity);
    list->points[list->count++] =
        (vn_point){(low.x + high.x) * (VN_LATTICE / 2), (low.y + high.y) * (VN_LATTICE / 2),
                   (low.z + high.z) * (VN_LATTICE / 2)};
    return true;
}

/// Every leaf once, in random order. Moves the source to the centre of its leaf.
static leaf_list random_leaves(run_place* place, uint64_t seed) {
    const vn_classic* octree = place->classics[RUN_OCTREE];
    const vn_voxel at = vn_space_voxel_at(place->space, place->source);
    leaf_list source = {.points = &place->source, .capacity = 1};
    leaf_list all = {.capacity = (size_t)place->about[RUN_OCTREE].leaves};
    all.points = say_alloc(all.capacity, sizeof *all.points);
    vn_classic_visit_boxes(octree, at, (vn_voxel){at.x + 1, at.y + 1, at.z + 1}, add_leaf, &source);
    vn_classic_visit_boxes(octree, (vn_voxel){0, 0, 0}, place->info.dims, add_leaf, &all);
    run_shuffle(all.points, all.count, sizeof *all.points, seed);

    return all;
}

static void fill_table(albertini_table* table, int row, const run_summary* sum) {
    double* out = table->ours[row];
    out[ALBERTINI_TIME] = sum->seconds * 1e3;
    out[ALBERTINI_LENGTH] = sum->length;
    out[ALBERTINI_SIGHT] = sum->sight_checks;
    out[ALBERTINI_CLOSED] = sum->closed;
    out[ALBERTINI_TRADE] = out[ALBERTINI_TIME] * sum->length / 100;
}

static void fill_all(albertini_table* table, const run_row* rows, uint32_t count) {
    for (int c = 0; c < ALBERTINI_ROWS; ++c) {
        const run_summary sum = run_sum(rows + (size_t)c * count, count);
        fill_table(table, c, &sum);
        if (c == ALBERTINI_THETA) {
            table->theta = sum;
        }
    }
}

/// One target after another.
static int measure_single(study* s, run_place* place, const run_contender* contenders,
                          const vn_point* targets, uint32_t count, albertini_table* table) {
    run_pair* pairs = say_alloc(count, sizeof *pairs);
    run_row* rows = say_alloc((size_t)count * ALBERTINI_ROWS, sizeof *rows);
    for (uint32_t i = 0; i < count; ++i) {
        pairs[i] = (run_pair){place->source, targets[i]};
    }

    const int code = run_pairs(s->e, place, table->world, contenders, ALBERTINI_ROWS, pairs, count, rows);
    fill_all(table, rows, count);
    free(pairs);
    free(rows);
    return code;
}

static int measure_multi(study* s, run_place* place, const vn_point* targets, uint32_t groups,
                         albertini_table* table) {
    run_row* rows = say_alloc((size_t)groups * ALBERTINI_ROWS, sizeof *rows);
    const int code = run_groups(s->e, place, table->world, on_octree, ALBERTINI_ROWS, targets, groups, rows);
    fill_all(table, rows, groups);
    free(rows);
    return code;
}

/// How many groups of five are run: until every leaf was a target once, or fewer.
static uint32_t group_count(const study* s, size_t leaves) {
    const uint32_t targets = experiment_sample(s->e, (uint32_t)leaves, QUICK_TARGETS);
    return targets >= RUN_GROUP ? targets / RUN_GROUP : 1;
}

static int measure_world(study* s, int w) {
    run_place place = {0};
    albertini_table* single = &s->tables[2 * w];
    single[0] = (albertini_table){
        .number = 2 * w + 1, .world = worlds[w].scene, .space = "octree", .targets = "single"};
    single[1] = (albertini_table){
        .number = 2 * w + 2, .world = worlds[w].scene, .space = "octree", .targets = "multi"};

    int code = run_open_scene(s->e, worlds[w].scene, 1, 1u << RUN_OCTREE | 1u << RUN_CELLS, &place);
    if (code == EXIT_DONE) {
        leaf_list leaves = random_leaves(&place, s->e->options->seed);
        const uint32_t groups = group_count(s, leaves.count);
        s->leaves[w] = single[0].nodes = single[1].nodes = (double)leaves.count;
        s->voxels[w] = (double)place.info.free_voxels;
        s->cells[w] = (double)place.info.cells;
        s->groups[w] = groups;
        code = measure_single(s, &place, on_octree, leaves.points, groups * RUN_GROUP, &single[0]);
        code = code == EXIT_DONE ? measure_multi(s, &place, leaves.points, groups, &single[1]) : code;
        free(leaves.points);
    }

    run_close(&place);
    return code;
}

/// Tables 11 and 12: one level less deep, which is what their numbers of closed nodes fit; one target, the
/// same for both: the middle of the voxel at the centre of a leaf.
static int measure_grid(study* s) {
    run_place place = {0};
    s->tables[10] = (albertini_table){.number = 11, .world = "sparse", .space = "grid", .targets = "single"};
    s->tables[11] =
        (albertini_table){.number = 12, .world = "sparse", .space = "octree", .targets = "single"};
    int code = run_open_scene(s->e, "sparse", 2, 1u << RUN_OCTREE | 1u << RUN_GRID | 1u << RUN_CELLS, &place);
    if (code == EXIT_DONE) {
        const vn_point source = place.source;
        leaf_list leaves = random_leaves(&place, s->e->options->seed);
        const uint32_t count = group_count(s, leaves.count) * RUN_GROUP;
        s->tables[10].nodes = (double)place.info.free_voxels;
        s->tables[11].nodes = (double)leaves.count;
        place.source = source;
        for (size_t i = 0; i < leaves.count; ++i) {
            leaves.points[i] = vn_voxel_center(vn_space_voxel_at(place.space, leaves.points[i]));
        }

        code = measure_single(s, &place, on_grid, leaves.points, count, &s->tables[10]);
        code = code == EXIT_DONE ? measure_single(s, &place, on_octree, leaves.points, count, &s->tables[11])
                                 : code;
        free(leaves.points);
    }

    run_close(&place);
    return code;
}

// --------------------------------------------------------------------------------------------------- writing

static void write_opening(const study* s) {
    page* p = &s->e->page;
    page_add(p,
             "Albertini (2022) compares Dijkstra, greedy best-first search, A*, each with and without "
             "post-smoothing, Basic Theta* and Lazy Theta* on the dual graph of an octree, in five worlds, "
             "with one target at a time and with five that share open and closed sets. The thesis shows its "
             "worlds as pictures; these are our own, made by rule (seed %llu) after what it says about them.",
             (unsigned long long)s->e->options->seed);
    page_add(
        p,
        "All figures are for one target (see below): five random leaves make a group, %s. The source "
        "stands still. Lengths are in the units of a world of 1024 units along its edge. Times are processor "
        "time of one thread, here and now; the thesis's are those of C# in Unity on a laptop of 2017, so "
        "that orders and ratios can be compared, not milliseconds.",
        s->e->options->quick || s->e->options->sample > 0
            ? "and only some of the groups were run (the thesis goes on until every leaf was a target once)"
            : "until every leaf was a target once");
    page_add(
        p, "The row \"cells\" is volnav's own search on the same points: a plain query for one target, a "
           "cost field and five paths in it for five. It counts expanded cells as closed nodes, and no lines "
           "of sight. Basic Theta* checks sight for every open neighbour, as the thesis prints it.");
    page_add(p, "Trade-off is time times length over 100, which is what the thesis's tables hold (its text "
                "says time over length).");
}

static void write_doubts(page* p) {
    page_note(
        p,
        "Lines of sight: smoothing checks once for each inner node of a path. In the maze, 4,353 units are "
        "136 steps from leaf to leaf; the thesis counts 26.5 checks, a fifth of that. Ours are counted for "
        "each target, as the search makes them.");
}

static void write_worlds(study* s) {
    static const char* const heads[] = {"scene",  "<after",      "depth", "leaves",
                                        "thesis", "free voxels", "cells", "groups of five"};
    page* p = &s->e->page;
    files_csv csv = files_begin_csv("scene,depth,leaves,leaves_thesis,free_voxels,cells,groups");
    page_heading(p, 2, "The worlds");

    page_begin_table(p, "Leaves of the octree", NULL, heads, 8);
    for (int w = 0; w < WORLDS; ++w) {
        const double numbers[6] = {worlds[w].depth, s->leaves[w], (double)worlds[w].leaves,
                                   s->voxels[w],    s->cells[w],  s->groups[w]};
        page_text(p, worlds[w].scene);
        page_text(p, worlds[w].title);

        files_csv_text(&csv, worlds[w].scene);
        for (int i = 0; i < 6; ++i) {
            files_csv_real(&csv, numbers[i]);
            if (i == 2) {
                page_theirs(p, numbers[i]);
            } else {
                page_real(p, numbers[i]);
            }
        }

        page_end_row(p);
        files_csv_end_row(&csv);
    }

    page_end_table(p);
    s->worlds = csv;
}

static int write_csv(study* s) {
    files_csv csv = files_begin_csv(
        "table,world,space,targets,algorithm,time_ms,length,sight_checks,closed,trade_off,thesis_time_ms,"
        "thesis_length,thesis_sight_checks,thesis_closed,thesis_trade_off,thesis_flag");
    for (int t = 0; t < ALBERTINI_TABLES; ++t) {
        for (int row = 0; row < ALBERTINI_ROWS; ++row) {
            const albertini_table* table = &s->tables[t];
            files_csv_real(&csv, table->number);
            files_csv_text(&csv, table->world);
            files_csv_text(&csv, table->space);
            files_csv_text(&csv, table->targets);

            files_csv_text(&csv, albertini_names[row]);
            for (int c = 0; c < ALBERTINI_COLUMNS; ++c) {
                files_csv_real(&csv, table->ours[row][c]);
            }

            for (int c = 0; c < ALBERTINI_COLUMNS; ++c) {
                files_csv_real(&csv, albertini_theirs(t, row, c, false));
            }

            const bool doubtful = row < ALBERTINI_ALGORITHMS && isnan(albertini_theirs(t, row, 0, true));
            files_csv_text(&csv, doubtful ? "doubtful" : "");
            files_csv_end_row(&csv);
        }
    }

    return files_write_csv(&s->e->folder, "tables.csv", &csv);
}

static int write_all(study* s) {
    page* p = &s->e->page;
    write_opening(s);
    write_doubts(p);
    write_worlds(s);
    int code = files_write_csv(&s->e->folder, "worlds.csv", &s->worlds);

    code = code == EXIT_DONE ? write_csv(s) : code;
    for (int w = 0; w < WORLDS && code == EXIT_DONE; ++w) {
        page_heading(p, 2, worlds[w].title);
        code = albertini_write(s->e, worlds[w].scene, &s->tables[2 * w], 2);
    }

    page_heading(p, 2, "Octree against grid");
    page_add(p, "Tables 11 and 12: World 1, one target. A grid whose Dijkstra closes 10,397 nodes in the "
                "mean has about 20,800, and the octree beside it about 5,400 leaves: that fits a depth of 5, "
                "not 6. So this is our World 1 with voxels twice as large. Grid and octree get the same "
                "targets.");
    code = code == EXIT_DONE ? albertini_write(s->e, "grid", &s->tables[10], 2) : code;
    albertini_write_units(p, s->tables);
    code = code == EXIT_DONE ? albertini_write_ratios(s->e, s->tables) : code;
    albertini_judge(s->e, s->tables);

    return code;
}

int experiment_albertini(experiment* e) {
    study* s = say_alloc(1, sizeof *s);
    int code = EXIT_DONE;
    s->e = e;
    for (int w = 0; w < WORLDS && code == EXIT_DONE; ++w) {
        code = measure_world(s, w);
    }

    code = code == EXIT_DONE ? measure_grid(s) : code;
    code = code == EXIT_DONE ? write_all(s) : code;
    free(s);
    return code;
}
