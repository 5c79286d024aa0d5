/// volnav/experiment/patrols.c: the experiment "massonnat-dynamic": what an update costs while an obstacle
/// patrols (Massonnat 2023, table 6.3), and the run of all its parts.
#include "experiment/patrols.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/follower.h"
#include "shell/rotation.h"

const char* const patrols_names[PATROLS_ROWS] = {"Octree + graph building",
                                                 "Octree + local graph update",
                                                 "Merged octree + graph building",
                                                 "Merged octree + local graph update",
                                                 "Octree, built anew",
                                                 "Merged octree, built anew",
                                                 "Merged octree, greedy + local update",
                                                 "cells"};

static const double printed[PATROLS_PRINTED][PATROLS_COLUMNS] = {
    {1.36, 0.92, 1.82, 4.10}, {0.22, 0.03, 1.26, 1.51}, {0.44, 0.34, 0.72, 1.50}, {0.39, 0.03, 0.55, 0.97}};

double patrols_theirs(int row, int column) {
    assert(row >= 0 && row < PATROLS_ROWS && column >= 0 && column < PATROLS_COLUMNS);
    return row < PATROLS_PRINTED ? printed[row][column] : (double)NAN;
}

enum { PAIR_UPDATES = 100 }; ///< updates with one pair of ends

/// The scene of table 6.3, with room to move: how large and how fast the obstacle is, is ours.
static const moving_patrols one_patrol = {
    .scene = "industrial", .coarser = 1, .count = 1, .places = 200, .size = 2, .speed = 4};

static const double snap = 2.5; ///< units: out of an obstacle that covers an end

/// One measurement under way.
typedef struct study {
    experiment* e;
    moving_place place, staged; ///< the second has its stages measured
    follower trees[PATROLS_ROWS];
    unsigned rows;
    vn_point from, to;
    uint64_t random;
    run_row found;     ///< the path of cells
    bool way;          ///< there is one
    patrols_costs sum; ///< until the end, sums instead of means
    double tick;       ///< of all updates, seconds
    uint32_t paths;    ///< updates with one
} study;

static bool has_row(const study* s, int row) {
    return (s->rows & 1u << row) != 0;
}

static bool is_built(int row) {
    return row == PATROLS_OCTREE_BUILD || row == PATROLS_MERGED_BUILD;
}

static bool is_new(int row) {
    return row == PATROLS_OCTREE_NEW || row == PATROLS_MERGED_NEW;
}

static vn_classic_kind kind_of(int row) {
    return row == PATROLS_OCTREE || row == PATROLS_OCTREE_BUILD || row == PATROLS_OCTREE_NEW
               ? VN_CLASSIC_OCTREE
               : VN_CLASSIC_MERGED;
}

// ------------------------------------------------------------------------------------------------- one row

static void add(study* s, int row, int column, double seconds) {
    s->sum.seconds[row][column] += seconds;
    s->sum.seconds[row][PATROLS_TOTAL] += seconds;
}

static void add_path(study* s, int row, const run_row* path) {
    run_count(s->e, path);
    s->sum.length[row] += path->length;
    add(s, row, PATROLS_PATH, path->seconds);
}

static int run_following(study* s, int row) {
    follower* f = &s->trees[row];
    follower_times times;
    vn_detail detail = {0};
    int code = follower_update(f, s->place.space, &s->place.changes->layers[0], &times);
    if (code == EXIT_DONE && is_built(row)) {
        vn_classic_query_forget(f->query);
        const double begin = system_thread_seconds();
        const vn_status status =
            vn_classic_rebuild_graph(f->classic, vn_classic_version(f->classic) + 1, &detail);
        times.graph = system_thread_seconds() - begin;
        code = status == VN_OK ? EXIT_DONE : say_status(patrols_names[row], status, &detail);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    add(s, row, PATROLS_TREE, times.tree);
    add(s, row, PATROLS_GRAPH, times.graph);
    s->sum.cells[row] += (double)follower_cells(f);
    if (s->way) {
        const run_row path = follower_find(f, &s->place, s->from, s->to, snap);
        add_path(s, row, &path);
    }
    return EXIT_DONE;
}

/// A new tree with a new graph; the path is found a second time, in memory that has been touched.
static int run_new(study* s, int row) {
    vn_classic_def def = vn_default_classic_def();
    const vn_classic_query_def query = vn_default_classic_query_def();
    follower f = {.classic = NULL};
    vn_detail detail = {0};
    def.kind = kind_of(row);
    const double begin = system_thread_seconds();
    vn_status status = vn_classic_build(s->place.space, &def, &f.classic, &detail);
    const double seconds = system_thread_seconds() - begin;
    status = status == VN_OK ? vn_classic_query_create(f.classic, &query, &f.query, &detail) : status;
    if (status != VN_OK) {
        follower_close(&f);
        return say_status(patrols_names[row], status, &detail);
    }

    add(s, row, PATROLS_TREE, seconds);
    s->sum.cells[row] += (double)follower_cells(&f);
    if (s->way) {
        follower_find(&f, &s->place, s->from, s->to, snap);
        const run_row path = follower_find(&f, &s->place, s->from, s->to, snap);
        add_path(s, row, &path);
    }

    follower_close(&f);
    return EXIT_DONE;
}

/// The path is already there; the update was the tick's.
static void run_cells(study* s) {
    vn_space_info info;
    vn_space_get_info(s->place.space, &info);
    s->sum.cells[PATROLS_CELLS] += (double)info.cells;
    if (s->way) {
        add_path(s, PATROLS_CELLS, &s->found);
    }
}

// ----------------------------------------------------------------------------------------------- one update

/// Is there a path at all? With an obstacle in the only door there may be none, for no space.
static int look_for_way(study* s) {
    vn_nav_result result;
    double seconds = 0;
    const int code = moving_ask(&s->place, s->from, s->to, snap, &result, &seconds);
    if (code != EXIT_DONE) {
        return code;
    }

    s->found = moving_row(&s->place, &result, seconds);
    s->way = s->found.found;
    s->sum.blind += s->way ? 0 : 1;
    s->paths += s->way ? 1 : 0;
    return EXIT_DONE;
}

static int draw_pair(study* s) {
    vn_status status = vn_space_random_point(s->place.space, &s->random, &s->from);
    status =
        status == VN_OK ? vn_space_random_reachable(s->place.space, s->from, &s->random, &s->to) : status;
    return status == VN_OK ? EXIT_DONE : say_bad("nothing is free");
}

static int run_update(study* s) {
    int code = s->sum.updates % PAIR_UPDATES == 0 ? draw_pair(s) : EXIT_DONE;
    code = code == EXIT_DONE ? look_for_way(s) : code;
    for (uint32_t i = 0; i < PATROLS_ROWS && code == EXIT_DONE; ++i) {
        const int row = (int)rotation_at(PATROLS_ROWS, s->sum.updates, i);
        if (!has_row(s, row)) {
            continue;
        }
        if (row == PATROLS_CELLS) {
            run_cells(s);
        } else {
            code = is_new(row) ? run_new(s, row) : run_following(s, row);
        }
    }

    s->tick += s->place.tick;
    ++s->sum.updates;
    return code;
}

// ----------------------------------------------------------------------------------------------------- run

static int open_study(study* s, const char* scene, double coarser) {
    moving_patrols patrols = one_patrol;
    patrols.scene = scene;
    patrols.coarser = coarser;
    patrols.size *= (float)coarser;
    patrols.speed *= coarser;
    int code = moving_open_patrols(s->e, &patrols, &(moving_def){.stages = false}, &s->place);
    code = code == EXIT_DONE ? moving_open_patrols(s->e, &patrols, &(moving_def){.stages = true}, &s->staged)
                             : code;
    for (int row = 0; row < PATROLS_ROWS && code == EXIT_DONE; ++row) {
        if (has_row(s, row) && !is_new(row) && row != PATROLS_CELLS) {
            code = follower_open(&s->place, kind_of(row), row == PATROLS_GREEDY, &s->trees[row]);
        }
    }
    return code;
}

static void close_study(study* s) {
    for (int row = 0; row < PATROLS_ROWS; ++row) {
        follower_close(&s->trees[row]);
    }
    moving_close(&s->place);
    moving_close(&s->staged);
}

static void close_sums(study* s) {
    patrols_costs* sum = &s->sum;
    const double updates = sum->updates, paths = s->paths > 0 ? s->paths : 1,
                 share = moving_voxel_share(&s->staged);
    sum->voxels = s->tick / updates * share;
    for (int row = 0; row < PATROLS_ROWS; ++row) {
        double* seconds = sum->seconds[row];
        seconds[PATROLS_TREE] =
            row == PATROLS_CELLS ? s->tick / updates * (1 - share) : seconds[PATROLS_TREE] / updates;
        seconds[PATROLS_GRAPH] /= updates;
        seconds[PATROLS_PATH] /= paths;
        seconds[PATROLS_TOTAL] = seconds[PATROLS_TREE] + seconds[PATROLS_GRAPH] + seconds[PATROLS_PATH];
        sum->cells[row] /= updates;
        sum->length[row] /= paths;
    }
}

int patrols_measure_costs(experiment* e, const char* scene, double coarser, uint32_t updates, unsigned rows,
                          patrols_costs* out) {
    study* s = say_alloc(1, sizeof *s);
    *s = (study){.e = e, .rows = rows, .random = e->options->seed};
    int code = open_study(s, scene, coarser);
    while (code == EXIT_DONE && s->sum.updates < updates) {
        bool changed = false;
        const double seconds = (double)++s->sum.frames / MOVING_FRAMES;
        code = moving_step(&s->place, seconds, &changed);
        code = code == EXIT_DONE ? moving_step(&s->staged, seconds, NULL) : code;
        code = code == EXIT_DONE && changed ? run_update(s) : code;
        progress_report(&e->bar, "updates", (double)s->sum.updates / updates);
    }

    if (code == EXIT_DONE) {
        vn_space_info info;
        vn_space_get_info(s->place.space, &info);
        close_sums(s);
        s->sum.granularity = (double)info.resolution;
        *out = s->sum;
    }

    close_study(s);
    free(s);
    return code;
}

// ------------------------------------------------------------------------------------------------ all parts

/// How much is run: in full, and with --quick.
enum {
    UPDATES = 1000,
    QUICK_UPDATES = 60,
    GRAIN_UPDATES = 200,
    QUICK_GRAIN_UPDATES = 8,
    MOVES = 100000,
    QUICK_MOVES = 10000,
    SECONDS = 60,
    QUICK_SECONDS = 10
};

static void write_opening(experiment* e) {
    page* p = &e->page;
    page_add(p,
             "Massonnat (2023), chapters 5 and 6.5: octrees that follow moving obstacles. What is entered is "
             "split, what is free again is joined (octree) or restored as it was at the beginning (merged "
             "octree); the graph is repaired around the change or built anew; the path is searched again. "
             "Our Industrial map (seed %llu), 20 units along each edge at a granularity of 0.625, has boxes "
             "of %.0f units that patrol at %.0f units a second along paths of the map between random places; "
             "the thesis tells neither size nor speed.",
             (unsigned long long)e->options->seed, (double)one_patrol.size, one_patrol.speed);
    page_add(p, "Times are processor time of one thread, here and now; the thesis's are those of C# in Unity "
                "on a laptop of 2022, so that orders and ratios can be compared, not milliseconds. All rows "
                "follow the same frames in one run, in rotated order. The row \"cells\" is volnav's own "
                "space, kept by a nav.");
    page_add(p, "The voxels that an obstacle covers are found once, by the nav, for all spaces; the trees "
                "are told which 4 × 4 × 4 bricks changed. What that takes stands beside the table; in "
                "the thesis it is a part of the octree's update.");
}

int experiment_massonnat_dynamic(experiment* e) {
    static const double coarser[PATROLS_GRAINS] = {1, 0.5, 0.25};
    const unsigned all = (1u << PATROLS_ROWS) - 1;
    const unsigned few = 1u << PATROLS_OCTREE_BUILD | 1u << PATROLS_OCTREE | 1u << PATROLS_MERGED_BUILD |
                         1u << PATROLS_MERGED | 1u << PATROLS_CELLS;
    patrols_costs* costs = say_alloc(1, sizeof *costs);
    patrols_costs* grains = say_alloc(PATROLS_GRAINS, sizeof *grains);
    patrols_drift* drift = say_alloc(1, sizeof *drift);
    patrols_policies_run policies;
    int code = patrols_measure_costs(e, one_patrol.scene, 1, experiment_sample(e, UPDATES, QUICK_UPDATES),
                                     all, costs);
    for (int i = 0; i < PATROLS_GRAINS && code == EXIT_DONE; ++i) {
        const uint32_t updates = experiment_sample(e, GRAIN_UPDATES, QUICK_GRAIN_UPDATES);
        code = patrols_measure_costs(e, "cave", coarser[i], updates, few, &grains[i]);
    }

    code =
        code == EXIT_DONE ? patrols_measure_drift(e, e->options->quick ? QUICK_MOVES : MOVES, drift) : code;
    code = code == EXIT_DONE
               ? patrols_measure_policies(e, e->options->quick ? QUICK_SECONDS : SECONDS, &policies)
               : code;
    if (code == EXIT_DONE) {
        write_opening(e);
        code = patrols_write(e, costs, grains, drift, &policies);
        patrols_judge(e, costs, grains, drift, &policies);
    }

    free(costs);
    free(grains);
    free(drift);
    return code;
}
