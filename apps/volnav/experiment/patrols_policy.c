/// volnav/experiment/patrols_policy.c: when to update (Massonnat 2023, 5.4 and table 6.4): always, or at the
/// last moment, when a cell of the path is hit.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/follower.h"
#include "experiment/patrols.h"

const char* const patrols_policies[PATROLS_POLICIES] = {"merged octree, always", "merged octree, last moment",
                                                        "merged octree, cells ahead of the agent",
                                                        "cells, always", "cells, last moment"};

enum { TREES = PATROLS_CELLS_ALWAYS, POINTS_MAX = 1024 };

static const moving_patrols three_patrols = {
    .scene = "industrial", .coarser = 1, .count = 3, .places = 100, .size = 2, .speed = 4};

static const double snap = 2.5, agent_speed = 3, least_distance = 15; ///< units, a second

/// Bricks that changed since a tree was told, by number: what it knows, and what is true now.
typedef struct pending {
    vn_voxel dims; ///< bricks
    uint32_t count;
    bool* noted;
    uint64_t *before, *after;
    vn_brick_change* bricks; ///< for the tree
} pending;

/// A tree under one policy.
typedef struct keeper {
    follower tree;
    uint64_t pinned; ///< the version that the tree is at; 0: none
    pending news;
    vn_point ends[2];
    vn_point path[POINTS_MAX];
    uint32_t path_count;
    double length, progress; ///< voxels: of the path, and of the agent on it
    float* marks;            ///< by voxel: where on the path its cell is left; below 0: not on the path
    uint32_t updates, paths;
    double tree_seconds, graph_seconds, path_seconds;
} keeper;

typedef struct study {
    experiment* e;
    moving_place place, last; ///< the second updates at the last moment itself
    vn_voxel dims;
    double resolution;
    keeper keepers[TREES];
    vn_point ends[2];
    vn_watch_id watch; ///< of the nav that updates at the last moment; 0: no path
    uint32_t frames, changing;
    double tick;
    patrols_policies_run* out;
    uint32_t cells_paths[2];
    double cells_path_seconds[2];
} study;

// -------------------------------------------------------------------------------------------------- pending

static int32_t bricks_of(int32_t voxels) {
    return (voxels + 3) / 4;
}

static void pending_make(vn_voxel dims, pending* out) {
    *out = (pending){.dims = {bricks_of(dims.x), bricks_of(dims.y), bricks_of(dims.z)}};
    out->count = (uint32_t)(out->dims.x * out->dims.y * out->dims.z);
    out->noted = say_alloc(out->count, sizeof *out->noted);
    out->before = say_alloc(out->count, sizeof *out->before);
    out->after = say_alloc(out->count, sizeof *out->after);
    out->bricks = say_alloc(out->count, sizeof *out->bricks);
}

static void pending_free(pending* p) {
    free(p->noted);
    free(p->before);
    free(p->after);
    free(p->bricks);
}

static void pending_add(pending* p, const vn_layer_changes* changes) {
    for (uint32_t i = 0; i < changes->brick_count; ++i) {
        const vn_brick_change* b = &changes->bricks[i];
        const int32_t at = b->low.x / 4 + p->dims.x * (b->low.y / 4 + p->dims.y * (b->low.z / 4));
        if (!p->noted[at]) {
            p->noted[at] = true;
            p->before[at] = b->before;
        }
        p->after[at] = b->after;
    }
}

/// What is left of it all: changes that were undone in between are none.
static vn_layer_changes pending_take(pending* p) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->count; ++i) {
        if (p->noted[i] && p->before[i] != p->after[i]) {
            const int32_t at = (int32_t)i;
            const vn_voxel low = {4 * (at % p->dims.x), 4 * (at / p->dims.x % p->dims.y),
                                  4 * (at / p->dims.x / p->dims.y)};
            p->bricks[count++] = (vn_brick_change){low, p->before[i], p->after[i]};
        }
        p->noted[i] = false;
    }
    return (vn_layer_changes){.bricks = p->bricks, .brick_count = count};
}

// ----------------------------------------------------------------------------------------------------- path

static double distance(vn_point a, vn_point b) {
    const double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return sqrt(x * x + y * y + z * z) / VN_LATTICE;
}

static vn_point between(vn_point a, vn_point b, double part) {
    return (vn_point){a.x + (int32_t)(part * ((double)b.x - a.x)),
                      a.y + (int32_t)(part * ((double)b.y - a.y)),
                      a.z + (int32_t)(part * ((double)b.z - a.z))};
}

/// The place on the path so many voxels from its start.
static vn_point place_at(const keeper* k, double along) {
    for (uint32_t i = 0; i + 1 < k->path_count; ++i) {
        const double length = distance(k->path[i], k->path[i + 1]);
        if (along < length) {
            return between(k->path[i], k->path[i + 1], along / length);
        }
        along -= length;
    }
    return k->path[k->path_count - 1];
}

typedef struct brush {
    const study* s;
    keeper* k;
    float along;
} brush;

/// The path is in this cell at `along`; it comes in ascending order.
static bool paint(void* user, vn_voxel low, vn_voxel high) {
    const brush* b = user;
    const vn_voxel d = b->s->dims;
    for (int32_t z = low.z; z < high.z; ++z) {
        for (int32_t y = low.y; y < high.y; ++y) {
            for (int32_t x = low.x; x < high.x; ++x) {
                b->k->marks[x + d.x * (y + d.y * z)] = b->along;
            }
        }
    }
    return true;
}

static void mark_path(study* s, keeper* k) {
    const size_t voxels = (size_t)s->dims.x * (size_t)s->dims.y * (size_t)s->dims.z;
    for (size_t i = 0; i < voxels; ++i) {
        k->marks[i] = -1;
    }

    for (double along = 0.25; along < k->length; along += 0.5) {
        const vn_voxel v = vn_space_voxel_at(s->place.space, place_at(k, along));
        brush b = {s, k, (float)along};
        vn_classic_visit_boxes(k->tree.classic, v, (vn_voxel){v.x + 1, v.y + 1, v.z + 1}, paint, &b);
    }
}

/// Does something come into a cell of the path, ahead of the agent?
static bool is_hit(const study* s, const keeper* k, const vn_layer_changes* changes) {
    for (uint32_t i = 0; i < changes->brick_count; ++i) {
        const vn_brick_change* b = &changes->bricks[i];
        const uint64_t came = b->after & ~b->before;
        for (int bit = 0; bit < 64; ++bit) {
            const vn_voxel v = {b->low.x + bit % 4, b->low.y + bit / 4 % 4, b->low.z + bit / 16};
            if ((came >> bit & 1) != 0 && v.x < s->dims.x && v.y < s->dims.y && v.z < s->dims.z &&
                k->marks[v.x + s->dims.x * (v.y + s->dims.y * v.z)] >= (float)k->progress) {
                return true;
            }
        }
    }
    return false;
}

static int check_found(study* s, run_row* row, vn_point from, vn_point to) {
    vn_nav_result result;
    double seconds = 0;
    if (!row->found) {
        const int code = moving_ask(&s->place, from, to, snap, &result, &seconds);
        if (code != EXIT_DONE) {
            return code;
        }
        if (!moving_row(&s->place, &result, seconds).found) {
            return EXIT_DONE; // nor has any other space one
        }
    }

    run_count(s->e, row);
    return EXIT_DONE;
}

/// A new path from where the agent is; the tree is up to date.
static int find_path(study* s, keeper* k) {
    const vn_point from = k->path_count > 0 ? place_at(k, k->progress) : k->ends[0];
    run_row row = follower_find(&k->tree, &s->place, from, k->ends[1], snap);
    uint32_t count = 0;
    const vn_point* points = vn_classic_query_points(k->tree.query, &count);
    k->path_seconds += row.seconds;
    ++k->paths;
    if (row.found) {
        assert(count <= POINTS_MAX);
        memcpy(k->path, points, count * sizeof *points);
        k->path_count = count;
        k->progress = 0;
        k->length = row.length / s->resolution;
        mark_path(s, k);
    } else {
        k->path_count = 0;
        k->ends[0] = from;
    }
    return check_found(s, &row, from, k->ends[1]);
}

// --------------------------------------------------------------------------------------------------- keepers

/// Tells the tree all that it does not know yet; its old version may go then.
static int update(study* s, keeper* k) {
    const vn_layer_changes changes = pending_take(&k->news);
    const uint64_t old = k->pinned;
    follower_times times;
    const vn_space* space = vn_nav_pin(s->place.nav, 0, 0, &k->pinned);
    const int code = follower_update(&k->tree, space, &changes, &times);
    if (old != 0) {
        vn_nav_unpin(s->place.nav, old);
    }

    ++k->updates;
    k->tree_seconds += times.tree;
    k->graph_seconds += times.graph;
    return code;
}

/// The agent of PATROLS_AHEAD flies on, and turns round at the end.
static int fly(study* s, keeper* k) {
    k->progress += agent_speed / s->resolution / MOVING_FRAMES;
    if (k->path_count == 0 || k->progress < k->length) {
        return EXIT_DONE;
    }

    const vn_point end = k->ends[1];
    k->ends[1] = s->ends[end.x == s->ends[1].x && end.y == s->ends[1].y && end.z == s->ends[1].z ? 0 : 1];
    k->progress = k->length;
    const int code = update(s, k);
    return code == EXIT_DONE ? find_path(s, k) : code;
}

static int run_keeper(study* s, int policy, bool changed) {
    keeper* k = &s->keepers[policy];
    const vn_layer_changes* changes = &s->place.changes->layers[0];
    int code = EXIT_DONE;
    if (changed) {
        pending_add(&k->news, changes);
    }

    if (changed && (policy == PATROLS_ALWAYS || k->path_count == 0 || is_hit(s, k, changes))) {
        code = update(s, k);
        code = code == EXIT_DONE ? find_path(s, k) : code;
    }
    return code == EXIT_DONE && policy == PATROLS_AHEAD ? fly(s, k) : code;
}

// ----------------------------------------------------------------------------------------------------- cells

static void count_row(study* s, const run_row* row, int which, double seconds) {
    s->cells_path_seconds[which] += seconds;
    ++s->cells_paths[which];
    if (row->found) {
        run_count(s->e, row);
    }
}

static int run_always(study* s) {
    vn_nav_result result;
    double seconds = 0;
    const int code = moving_ask(&s->place, s->ends[0], s->ends[1], snap, &result, &seconds);
    if (code == EXIT_DONE) {
        const run_row row = moving_row(&s->place, &result, seconds);
        count_row(s, &row, 0, seconds);
    }
    return code;
}

/// The request updates first: what that takes belongs to the update.
static int ask_last(study* s) {
    const vn_watch_def def = vn_default_watch_def();
    vn_nav_stats before, after;
    vn_nav_result result;
    double seconds = 0;
    vn_nav_get_stats(s->last.nav, &before);
    const int code = moving_ask(&s->last, s->ends[0], s->ends[1], snap, &result, &seconds);
    if (code != EXIT_DONE) {
        return code;
    }

    vn_nav_get_stats(s->last.nav, &after);
    seconds -= (double)(after.total_update_ns - before.total_update_ns) * 1e-9;
    if (s->watch != 0) {
        vn_nav_unwatch(s->last.nav, s->watch);
    }
    s->watch = 0;
    if (result.result.status == VN_OK && vn_nav_watch(s->last.nav, &result, &def, &s->watch, NULL) != VN_OK) {
        return say_bad("a path cannot be watched");
    }

    const run_row row = moving_row(&s->last, &result, seconds);
    count_row(s, &row, 1, seconds);
    return EXIT_DONE;
}

static int run_last(study* s, double seconds) {
    vn_nav_event event;
    bool hit = s->watch == 0;
    const int code = moving_step(&s->last, seconds, NULL);
    while (vn_nav_next_event(s->last.nav, &event)) {
        hit = hit || event.kind == VN_EVENT_PATH_BLOCKED;
    }
    return code == EXIT_DONE && hit ? ask_last(s) : code;
}

// ------------------------------------------------------------------------------------------------------ run

static int draw_ends(study* s) {
    uint64_t random = s->e->options->seed;
    do {
        if (vn_space_random_point(s->place.space, &random, &s->ends[0]) != VN_OK ||
            vn_space_random_reachable(s->place.space, s->ends[0], &random, &s->ends[1]) != VN_OK) {
            return say_bad("industrial: nothing is free");
        }
    } while (distance(s->ends[0], s->ends[1]) * s->resolution < least_distance);
    return EXIT_DONE;
}

static int open_study(study* s) {
    vn_space_info info;
    int code = moving_open_patrols(s->e, &three_patrols, &(moving_def){.stages = false}, &s->place);
    code = code == EXIT_DONE ? moving_open_patrols(s->e, &three_patrols,
                                                   &(moving_def){.policy = VN_UPDATE_LAST_MOMENT}, &s->last)
                             : code;
    if (code != EXIT_DONE) {
        return code;
    }

    vn_space_get_info(s->place.space, &info);
    s->dims = info.dims;
    s->resolution = (double)info.resolution;
    code = draw_ends(s);
    for (int i = 0; i < TREES && code == EXIT_DONE; ++i) {
        keeper* k = &s->keepers[i];
        code = follower_open(&s->place, VN_CLASSIC_MERGED, false, &k->tree);
        vn_nav_pin(s->place.nav, 0, 0, &k->pinned); // the only version yet
        pending_make(s->dims, &k->news);
        k->marks = say_alloc((size_t)s->dims.x * (size_t)s->dims.y * (size_t)s->dims.z, sizeof *k->marks);
        k->ends[0] = s->ends[0];
        k->ends[1] = s->ends[1];
        code = code == EXIT_DONE ? find_path(s, k) : code;
    }
    return code;
}

static void close_study(study* s) {
    for (int i = 0; i < TREES; ++i) {
        keeper* k = &s->keepers[i];
        follower_close(&k->tree);
        pending_free(&k->news);
        free(k->marks);
    }
    moving_close(&s->place);
    moving_close(&s->last);
}

static int run_frame(study* s) {
    const double seconds = (double)++s->frames / MOVING_FRAMES;
    bool changed = false;
    int code = moving_step(&s->place, seconds, &changed);
    if (changed) {
        ++s->changing;
        s->tick += s->place.tick;
        code = code == EXIT_DONE ? run_always(s) : code;
    }

    for (int i = 0; i < TREES && code == EXIT_DONE; ++i) {
        code = run_keeper(s, (int)(((uint32_t)i + s->frames) % TREES), changed);
    }
    return code == EXIT_DONE ? run_last(s, seconds) : code;
}

static double mean(double sum, double count) {
    return count > 0 ? sum / count : 0;
}

static void close_sums(study* s) {
    patrols_policies_run* out = s->out;
    vn_nav_stats stats;
    vn_nav_get_stats(s->last.nav, &stats);
    out->changing = s->changing / out->seconds;
    for (int i = 0; i < TREES; ++i) {
        const keeper* k = &s->keepers[i];
        out->of[i] = (patrols_policy){k->updates / out->seconds, mean(k->tree_seconds, k->updates),
                                      mean(k->graph_seconds, k->updates), mean(k->path_seconds, k->paths),
                                      k->paths / out->seconds};
    }

    out->of[PATROLS_CELLS_ALWAYS] =
        (patrols_policy){s->changing / out->seconds, mean(s->tick, s->changing), NAN,
                         mean(s->cells_path_seconds[0], s->cells_paths[0]), s->cells_paths[0] / out->seconds};
    out->of[PATROLS_CELLS_LAST] =
        (patrols_policy){(double)stats.updates / out->seconds,
                         mean((double)stats.total_update_ns * 1e-9, (double)stats.updates), NAN,
                         mean(s->cells_path_seconds[1], s->cells_paths[1]), s->cells_paths[1] / out->seconds};
}

int patrols_measure_policies(experiment* e, double seconds, patrols_policies_run* out) {
    study* s = say_alloc(1, sizeof *s);
    *out = (patrols_policies_run){.seconds = seconds};
    *s = (study){.e = e, .out = out};
    int code = open_study(s);
    const uint32_t frames = (uint32_t)(seconds * MOVING_FRAMES);
    while (code == EXIT_DONE && s->frames < frames) {
        code = run_frame(s);
        progress_report(&e->bar, "policies", (double)s->frames / frames);
    }

    if (code == EXIT_DONE) {
        close_sums(s);
    }
    close_study(s);
    free(s);
    return code;
}
