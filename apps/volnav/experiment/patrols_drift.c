/// volnav/experiment/patrols_drift.c: how many cells there are after many moves (Massonnat 2023,
/// figure 6.13).
#include <math.h>
#include <stdlib.h>

#include "experiment/follower.h"
#include "experiment/patrols.h"

enum { TREES = PATROLS_TREES - 1, PATHS = 100 }; ///< paths in a tenth of the moves

/// Half a voxel a move, along a way as long as all moves of a full run.
static const moving_patrols long_patrol = {
    .scene = "industrial", .coarser = 1, .count = 1, .places = 2000, .size = 2, .speed = 1};

static const double step = 0.3125, snap = 2.5; ///< units

typedef struct study {
    experiment* e;
    moving_place place;
    follower trees[TREES];
    patrols_drift* out;
    uint64_t random;
    uint32_t paths[2];
} study;

static void count_cells(const study* s, double* counts) {
    vn_space_info info;
    vn_space_get_info(s->place.space, &info);
    for (int i = 0; i < TREES; ++i) {
        counts[i] = (double)follower_cells(&s->trees[i]);
    }
    counts[TREES] = (double)info.cells;
}

static int follow(study* s) {
    int code = EXIT_DONE;
    for (int i = 0; i < TREES && code == EXIT_DONE; ++i) {
        follower_times times;
        code = follower_update(&s->trees[i], s->place.space, &s->place.changes->layers[0], &times);
    }
    return code;
}

static void add_path(study* s, int space, int tenth, const run_row* row) {
    run_count(s->e, row);
    s->out->path[space][tenth] += row->seconds;
}

/// One path in each space, if there is any.
static int find_paths(study* s, int tenth) {
    vn_point from, to;
    vn_nav_result result;
    double seconds = 0;
    if (vn_space_random_point(s->place.space, &s->random, &from) != VN_OK ||
        vn_space_random_point(s->place.space, &s->random, &to) != VN_OK) {
        return say_bad("industrial: nothing is free");
    }

    const int code = moving_ask(&s->place, from, to, snap, &result, &seconds);
    if (code != EXIT_DONE) {
        return code;
    }

    const run_row cells = moving_row(&s->place, &result, seconds);
    if (!cells.found) {
        return EXIT_DONE;
    }

    ++s->paths[tenth];
    add_path(s, TREES, tenth, &cells);
    for (int i = 0; i < TREES; ++i) {
        const run_row row = follower_find(&s->trees[i], &s->place, from, to, snap);
        add_path(s, i, tenth, &row);
    }
    return EXIT_DONE;
}

static int run_move(study* s, uint32_t move) {
    const uint32_t moves = s->out->moves, tenth = moves / 10;
    bool changed = false;
    int code = moving_step(&s->place, move * step / long_patrol.speed, &changed);
    code = code == EXIT_DONE && changed ? follow(s) : code;

    const int which = move <= tenth ? 0 : move > moves - tenth ? 1 : -1;
    if (code == EXIT_DONE && which >= 0 && move % (tenth / PATHS) == 0) {
        code = find_paths(s, which);
    }

    if (code == EXIT_DONE && move % (moves / PATROLS_SAMPLES) == 0) {
        const uint32_t sample = move / (moves / PATROLS_SAMPLES);
        double counts[PATROLS_TREES];
        count_cells(s, counts);
        s->out->at[sample] = move;
        for (int i = 0; i < PATROLS_TREES; ++i) {
            s->out->counts[i][sample] = counts[i];
        }
        progress_report(&s->e->bar, "moves", (double)move / moves);
    }
    return code;
}

static int open_study(study* s) {
    vn_space_info info;
    int code = moving_open_patrols(s->e, &long_patrol, &(moving_def){.stages = false}, &s->place);
    for (int i = 0; i < TREES && code == EXIT_DONE; ++i) {
        code = follower_open(&s->place, i == 0 ? VN_CLASSIC_OCTREE : VN_CLASSIC_MERGED, i == 2, &s->trees[i]);
    }

    if (code == EXIT_DONE) {
        vn_space_get_info(s->place.space, &info);
        s->out->voxels = (double)info.free_voxels;
        count_cells(s, s->out->first);
        for (int i = 0; i < PATROLS_TREES; ++i) {
            s->out->counts[i][0] = s->out->first[i];
        }
    }
    return code;
}

int patrols_measure_drift(experiment* e, uint32_t moves, patrols_drift* out) {
    study s = {.e = e, .out = out, .random = e->options->seed};
    *out = (patrols_drift){.moves = moves};
    int code = open_study(&s);
    for (uint32_t move = 1; move <= moves && code == EXIT_DONE; ++move) {
        code = run_move(&s, move);
    }

    code = code == EXIT_DONE ? moving_clear(&s.place) : code;
    code = code == EXIT_DONE ? follow(&s) : code;
    if (code == EXIT_DONE) {
        count_cells(&s, out->last);
    }

    for (int i = 0; i < PATROLS_TREES; ++i) {
        out->path[i][0] /= s.paths[0] > 0 ? s.paths[0] : 1;
        out->path[i][1] /= s.paths[1] > 0 ? s.paths[1] : 1;
    }

    for (int i = 0; i < TREES; ++i) {
        follower_close(&s.trees[i]);
    }
    moving_close(&s.place);
    return code;
}
