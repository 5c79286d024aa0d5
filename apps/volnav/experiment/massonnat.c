/// volnav/experiment/massonnat.c: the experiment "massonnat-static": measuring on the six handmade maps of
/// Massonnat 2023.
#include "experiment/massonnat.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "shell/stats.h"

/// Paths over the middles of the faces between voxels, leaves or boxes.
#define METHOD(space, refinement)                                                                            \
    { NULL, (space), VN_CLASSIC_ASTAR, VN_GRAPH_TRANSITIONS, 26, (refinement), false }

static const run_contender methods[MASSONNAT_METHODS] = {
    METHOD(RUN_GRID, VN_REFINE_NONE),
    METHOD(RUN_OCTREE, VN_REFINE_NONE),
    METHOD(RUN_OCTREE, VN_REFINE_PRUNE),
    METHOD(RUN_OCTREE, VN_REFINE_FUNNEL),
    METHOD(RUN_OCTREE, VN_REFINE_FUNNEL_PRUNE),
    METHOD(RUN_MERGED, VN_REFINE_NONE),
    METHOD(RUN_MERGED, VN_REFINE_PRUNE),
    METHOD(RUN_MERGED, VN_REFINE_FUNNEL),
    METHOD(RUN_MERGED, VN_REFINE_FUNNEL_PRUNE),
    {NULL, RUN_GRID, VN_CLASSIC_ASTAR, VN_GRAPH_CENTRES, 26, VN_REFINE_NONE, false},
    {NULL, RUN_CELLS, VN_CLASSIC_ASTAR, VN_GRAPH_DEFAULT, 26, VN_REFINE_DEFAULT, false}};

/// For granularity: voxels, octree, merged octree, cells.
static const run_contender plain[4] = {
    METHOD(RUN_GRID, VN_REFINE_NONE),
    METHOD(RUN_OCTREE, VN_REFINE_NONE),
    METHOD(RUN_MERGED, VN_REFINE_NONE),
    {NULL, RUN_CELLS, VN_CLASSIC_ASTAR, VN_GRAPH_DEFAULT, 26, VN_REFINE_DEFAULT, false}};

const char* const massonnat_names[MASSONNAT_METHODS] = {"Voxel",
                                                        "Octree",
                                                        "Octree + pruning",
                                                        "Octree + funnel",
                                                        "Octree + funnel + pruning",
                                                        "Merged octree",
                                                        "Merged octree + pruning",
                                                        "Merged octree + funnel",
                                                        "Merged octree + funnel + pruning",
                                                        "Voxel centres, 26 neighbours",
                                                        "cells"};

/// Table 6.2, a row for each map.
static const double printed_lengths[MASSONNAT_MAPS][MASSONNAT_PRINTED] = {
    {14.70, 13.79, 12.65, 12.80, 12.64, 16.61, 13.88, 13.63, 13.42},  // Zigzag
    {11.82, 12.58, 11.68, 11.77, 11.61, 12.51, 11.97, 11.79, 11.73},  // Building_1
    {13.76, 13.42, 12.32, 12.45, 12.30, 13.09, 12.56, 12.43, 12.37},  // Building_2
    {14.06, 13.70, 12.33, 12.48, 12.29, 14.04, 12.55, 12.64, 12.41},  // Building_3
    {13.52, 12.82, 11.84, 12.02, 11.85, 13.71, 12.20, 12.31, 12.06},  // Cave
    {13.38, 12.30, 11.28, 11.42, 11.27, 12.23, 11.33, 11.43, 11.30}}; // Industrial

static const massonnat_map plans[MASSONNAT_MAPS] = {
    {.scene = "zigzag", .title = "Zigzag", .printed_cells = {31488, 2130, 52}},
    {.scene = "building-1", .title = "Building 1", .printed_cells = {28190, 4226, 303}},
    {.scene = "building-2", .title = "Building 2", .printed_cells = {28628, 3975, 147}},
    {.scene = "building-3", .title = "Building 3", .printed_cells = {29816, 4243, 182}},
    {.scene = "cave", .title = "Cave", .printed_cells = {29510, 8190, 316}},
    {.scene = "industrial", .title = "Industrial", .printed_cells = {31833, 1671, 157}}};

enum { PAIRS = 10000, QUICK_PAIRS = 40, GRAIN_PAIRS = 1000, QUICK_GRAIN_PAIRS = 10 };

double massonnat_length(int map, int method) {
    assert(map >= 0 && map < MASSONNAT_MAPS && method >= 0 && method < MASSONNAT_METHODS);
    return method < MASSONNAT_PRINTED ? printed_lengths[map][method] : (double)NAN;
}

// --------------------------------------------------------------------------------------------------- buckets

typedef struct sort_key {
    double length;
    uint32_t index;
} sort_key;

static int by_length(const void* a, const void* b) {
    const sort_key *x = a, *y = b;
    return x->length < y->length ? -1 : x->length > y->length ? 1 : x->index < y->index ? -1 : 1;
}

void massonnat_sort(const run_row* key, uint32_t count, uint32_t* order) {
    sort_key* keys = say_alloc(count, sizeof *keys);
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = (sort_key){key[i].length, i};
    }

    qsort(keys, count, sizeof *keys, by_length);
    for (uint32_t i = 0; i < count; ++i) {
        order[i] = keys[i].index;
    }

    free(keys);
}

/// Pair by pair, because the searches differ far more from pair to pair than refinement costs.
static void fill_added(massonnat_map* map, const run_row* rows, uint32_t count) {
    double* seconds = say_alloc(count, sizeof *seconds);
    for (int m = MASSONNAT_OCTREE; m < MASSONNAT_PRINTED; ++m) {
        const int raw = m < MASSONNAT_MERGED ? MASSONNAT_OCTREE : MASSONNAT_MERGED;
        for (uint32_t i = 0; i < count; ++i) {
            seconds[i] = rows[(size_t)m * count + i].seconds - rows[(size_t)raw * count + i].seconds;
        }
        map->added[m] = stats_of(seconds, count).median;
    }

    free(seconds);
}

static void fill_buckets(massonnat_map* map, const run_row* rows, uint32_t count) {
    uint32_t* order = say_alloc(count, sizeof *order);
    run_row* sorted = say_alloc(count, sizeof *sorted);
    massonnat_sort(rows + (size_t)MASSONNAT_MERGED * count, count, order);
    for (int m = 0; m < MASSONNAT_METHODS; ++m) {
        for (uint32_t i = 0; i < count; ++i) {
            sorted[i] = rows[(size_t)m * count + order[i]];
        }

        map->sums[m] = run_sum(sorted, count);
        for (uint32_t k = 0; k < MASSONNAT_BUCKETS; ++k) {
            const uint32_t begin = k * count / MASSONNAT_BUCKETS, end = (k + 1) * count / MASSONNAT_BUCKETS;
            map->buckets[m][k] = run_sum(sorted + begin, end - begin);
        }
    }

    for (int k = 0; k < MASSONNAT_BUCKETS; ++k) {
        map->bucket_length[k] = map->buckets[MASSONNAT_MERGED][k].length;
    }

    free(order);
    free(sorted);
}

// ------------------------------------------------------------------------------------------------- measuring

static int random_pairs(const run_place* place, const char* scene, uint64_t seed, run_pair* pairs,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (vn_space_random_point(place->space, &seed, &pairs[i].from) != VN_OK ||
            vn_space_random_point(place->space, &seed, &pairs[i].to) != VN_OK) {
            return say_bad("%s: nothing is free", scene);
        }
    }

    return EXIT_DONE;
}

static void count_cells(const run_place* place, double out[4]) {
    out[0] = (double)place->info.free_voxels;
    out[1] = (double)place->about[RUN_OCTREE].leaves;
    out[2] = (double)place->about[RUN_MERGED].cells;
    out[3] = (double)place->info.cells;
}

static int measure_map(experiment* e, massonnat_map* map) {
    const uint32_t count = experiment_sample(e, PAIRS, QUICK_PAIRS);
    run_pair* pairs = say_alloc(count, sizeof *pairs);
    run_row* rows = say_alloc((size_t)count * MASSONNAT_METHODS, sizeof *rows);
    run_place place = {0};
    int code = run_open_scene(e, map->scene, 1, RUN_ALL, &place);

    code = code == EXIT_DONE ? random_pairs(&place, map->scene, e->options->seed, pairs, count) : code;
    if (code == EXIT_DONE) {
        count_cells(&place, map->cells);
        code = run_pairs(e, &place, map->scene, methods, MASSONNAT_METHODS, pairs, count, rows);
    }

    if (code == EXIT_DONE) {
        fill_buckets(map, rows, count);
        fill_added(map, rows, count);
    }

    run_close(&place);
    free(pairs);
    free(rows);
    return code;
}

/// Lattice points of a space whose voxels are `factor` times as large, in this one: exact.
static vn_point finer(vn_point p, int32_t factor) {
    return (vn_point){p.x * factor, p.y * factor, p.z * factor};
}

/// The same pairs for every size of voxels: drawn where the coarsest are free, which all finer ones are then.
static int measure_grains(experiment* e, massonnat_grain* grains) {
    static const double factors[MASSONNAT_GRAINS] = {2, 1, 0.5};
    const uint32_t count = experiment_sample(e, GRAIN_PAIRS, QUICK_GRAIN_PAIRS);
    run_pair* coarse = say_alloc(count, sizeof *coarse);
    run_pair* pairs = say_alloc(count, sizeof *pairs);
    run_row* rows = say_alloc((size_t)count * 4, sizeof *rows);

    int code = EXIT_DONE;
    for (int g = 0; g < MASSONNAT_GRAINS && code == EXIT_DONE; ++g) {
        run_place place = {0};
        code = run_open_scene(e, "cave", factors[g], RUN_ALL, &place);
        if (code == EXIT_DONE && g == 0) {
            code = random_pairs(&place, "cave", e->options->seed, coarse, count);
        }

        for (uint32_t i = 0; i < count; ++i) {
            pairs[i] = (run_pair){finer(coarse[i].from, 1 << g), finer(coarse[i].to, 1 << g)};
        }

        if (code == EXIT_DONE) {
            grains[g].granularity = (double)place.info.resolution;
            count_cells(&place, grains[g].cells);
            code = run_pairs(e, &place, "cave, granularity", plain, 4, pairs, count, rows);
        }

        for (uint32_t m = 0; m < 4 && code == EXIT_DONE; ++m) {
            grains[g].sums[m] = run_sum(rows + (size_t)m * count, count);
        }

        run_close(&place);
    }

    free(coarse);
    free(pairs);
    free(rows);
    return code;
}

static void write_opening(experiment* e) {
    page* p = &e->page;
    page_add(p,
             "Massonnat (2023) cuts free space into voxels, into the leaves of an octree, or into the boxes "
             "that remain when leaves are merged while they stay boxes; A* runs over the middles of the "
             "faces between them, and pruning and a funnel in three dimensions shorten what it finds. The "
             "thesis shows its six handmade maps as pictures; these are our own, made by rule (seed %llu) "
             "after what it says about them, 20 units along each edge, at a granularity of 0.625: 32 voxels "
             "along each edge.",
             (unsigned long long)e->options->seed);
    const uint32_t pairs = experiment_sample(e, PAIRS, QUICK_PAIRS);
    page_add(p,
             "Each map gets %u random pairs of free points%s, in ten buckets of equal size by the length "
             "that the merged octree finds. Times are processor time of one thread, here and now; the "
             "thesis's are those of C# in Unity on a laptop of 2022, so that orders and ratios can be "
             "compared, not milliseconds.",
             (unsigned)pairs, pairs < PAIRS ? " (the thesis has 10,000)" : ", as in the thesis");
    page_add(p,
             "Two rows are ours: A* over the centres of voxels with 26 neighbours and the octile distance, "
             "which is how grids are searched mostly, and \"cells\", volnav's own search.");
    page_add(
        p, "Two random points in a cube of 20 units are 13.2 units apart in the mean. The thesis's paths are "
           "shorter than that on some maps, so its pairs were drawn in some other way, which it does not "
           "say: compare lengths within a column, not across.");
}

int experiment_massonnat(experiment* e) {
    massonnat_map* maps = say_alloc(MASSONNAT_MAPS, sizeof *maps);
    massonnat_grain grains[MASSONNAT_GRAINS] = {{0}};
    int code = massonnat_check_data(e->options);
    for (int i = 0; i < MASSONNAT_MAPS && code == EXIT_DONE; ++i) {
        maps[i] = plans[i];
        code = measure_map(e, &maps[i]);
    }

    code = code == EXIT_DONE ? measure_grains(e, grains) : code;
    if (code == EXIT_DONE) {
        write_opening(e);
        code = massonnat_write_maps(e, maps);
    }

    code = code == EXIT_DONE ? massonnat_write_grains(e, grains) : code;
    if (code == EXIT_DONE) {
        massonnat_judge(e, maps, grains);
        code = massonnat_warframe(e);
    }

    free(maps);
    return code;
}
