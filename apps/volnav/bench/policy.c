/// volnav/bench/policy.c: patrols, the path that is kept up to date, and the time that ticks take.
#include "bench/policy.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/dynamic.h"
#include "shell/rotation.h"
#include "shell/system.h"
#include "volnav/path.h"

enum { PATROLS = 3, POINTS_MAX = 1024, PATHS_ELSEWHERE = 6 };

/// An obstacle that flies along a path at a steady speed.
typedef struct patrol {
    vn_obstacle_id id;
    vn_point path[POINTS_MAX];
    uint32_t count, segment;
    double along; ///< voxels on the segment
    vn_point last;
} patrol;

typedef struct scene {
    vn_nav* nav;
    vn_query* query; ///< on the map without obstacles
    const vn_3dscen* scen;
    uint64_t random;
    patrol patrols[PATROLS];
    vn_point start, goal;      ///< of the path that is kept
    vn_point kept[POINTS_MAX]; ///< as it was without obstacles
    uint32_t kept_count;
    vn_watch_id watch;     ///< 0: the path is blocked
    vn_request_id request; ///< 0: none under way
    uint64_t replans;
    double seconds; ///< of all ticks
} scene;

static const double speed = 0.5; ///< voxels a tick

static vn_point random_end(scene* s) {
    const vn_scen_line* line = &s->scen->lines[vn_random_next(&s->random) % s->scen->line_count];
    return vn_voxel_center(vn_random_next(&s->random) & 1 ? line->start : line->goal);
}

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

/// Points of a path on the map without obstacles; 0 if there is none, or it is too long to keep.
static int find_path(scene* s, vn_point from, vn_point to, vn_point* out, uint32_t* count) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail = {0};
    *count = 0;
    request.start = from;
    request.goal = to;

    const vn_status status = vn_query_find_path(s->query, &request, &result, &detail);
    if (status != VN_OK) {
        return bench_is_outcome(status) ? EXIT_DONE : check("path of a patrol", status, &detail);
    }

    const vn_point* points = vn_query_points(s->query, count);
    *count = *count < POINTS_MAX ? *count : 0;
    memcpy(out, points, *count * sizeof *points);
    return EXIT_DONE;
}

// -------------------------------------------------------------------------------------------------- patrols

/// From where it is to another end of a query; one path in PATHS_ELSEWHERE + 1 leads to the path that is
/// kept. Patrols that ignore it rarely cross it on these large maps; this way they block it about as often as
/// in the thesis, 0.6 times a second.
static int next_path(scene* s, patrol* p) {
    int code = EXIT_DONE;
    p->segment = 0;
    p->along = 0;
    p->count = 0;
    for (int tries = 0; tries < 20 && p->count < 2 && code == EXIT_DONE; ++tries) {
        const bool cross = vn_random_next(&s->random) % (PATHS_ELSEWHERE + 1) == 0;
        const vn_point to = cross ? s->kept[vn_random_next(&s->random) % s->kept_count] : random_end(s);
        code = find_path(s, p->last, to, p->path, &p->count);
    }
    return code;
}

static double segment_length(vn_point a, vn_point b) {
    const double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return sqrt(x * x + y * y + z * z) / VN_LATTICE;
}

/// One tick further; false at the end of the path.
static bool fly(patrol* p, double* x, double* y, double* z) {
    p->along += speed;
    while (p->segment + 1 < p->count) {
        const vn_point a = p->path[p->segment], b = p->path[p->segment + 1];
        const double length = segment_length(a, b);
        if (p->along <= length && length > 0) {
            const double at = p->along / length;
            *x = (a.x + at * ((double)b.x - a.x)) / VN_LATTICE;
            *y = (a.y + at * ((double)b.y - a.y)) / VN_LATTICE;
            *z = (a.z + at * ((double)b.z - a.z)) / VN_LATTICE;
            return true;
        }

        p->along -= length;
        ++p->segment;
    }

    p->last = p->count > 0 ? p->path[p->count - 1] : p->last;
    return false;
}

static int move_patrols(scene* s) {
    int code = EXIT_DONE;
    for (int i = 0; i < PATROLS && code == EXIT_DONE; ++i) {
        patrol* p = &s->patrols[i];
        vn_transform to = vn_transform_identity();
        vn_detail detail = {0};
        double x, y, z;
        if (!fly(p, &x, &y, &z)) {
            code = next_path(s, p);
            continue;
        }

        to.position = (vn_vec3){(float)x, (float)y, (float)z};
        code = check("moving a patrol", vn_nav_move(s->nav, p->id, &to, &detail), &detail);
    }
    return code;
}

// ------------------------------------------------------------------------------------ the path that is kept

static int request_path(scene* s) {
    vn_nav_request request = vn_default_nav_request();
    vn_detail detail = {0};
    request.path.start = s->start;
    request.path.goal = s->goal;
    request.path.snap_distance = 64;
    ++s->replans;
    return check("requesting a path", vn_nav_submit(s->nav, &request, &s->request, &detail), &detail);
}

/// A blocked path is dropped: watching ends with it.
static vn_watch_def once(void) {
    vn_watch_def def = vn_default_watch_def();
    def.once = true;
    return def;
}

/// Watches the new path. While obstacles leave none, the next tick asks again.
static int take_result(scene* s, const vn_nav_result* result) {
    const vn_status status = result->result.status;
    if (status != VN_OK) {
        return bench_is_outcome(status) ? EXIT_DONE : check("result of a request", status, NULL);
    }
    const vn_watch_def def = once();
    vn_detail detail = {0};
    return check("watching a path", vn_nav_watch(s->nav, result, &def, &s->watch, &detail), &detail);
}

static int take_news(scene* s) {
    vn_nav_event event;
    vn_nav_result result;
    int code = EXIT_DONE;
    while (vn_nav_next_event(s->nav, &event)) {
        if (event.kind == VN_EVENT_PATH_BLOCKED && event.watch == s->watch) {
            s->watch = 0;
        }
    }

    while (code == EXIT_DONE && vn_nav_next_result(s->nav, &result)) {
        s->request = 0;
        code = take_result(s, &result);
        vn_nav_release_result(s->nav, result.id);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------- the measured
// run

static int start_path(scene* s) {
    const vn_scen_line* line = &s->scen->lines[s->scen->line_count / 2];
    s->start = vn_voxel_center(line->start);
    s->goal = vn_voxel_center(line->goal);
    const int code = find_path(s, s->start, s->goal, s->kept, &s->kept_count);
    if (code != EXIT_DONE) {
        return code;
    }

    if (s->kept_count < 2) {
        return say_bad("line %u of the scenario has no path to watch", (unsigned)line->line);
    }

    const vn_watch_def def = once();
    vn_detail detail = {0};
    return check("watching a path",
                 vn_nav_watch_points(s->nav, s->kept, s->kept_count, &def, &s->watch, &detail), &detail);
}

static int start_scene(scene* s) {
    vn_detail detail = {0};
    int code = start_path(s);
    for (int i = 0; i < PATROLS && code == EXIT_DONE; ++i) {
        patrol* p = &s->patrols[i];
        p->last = random_end(s);
        code = dynamic_add_box(s->nav, p->last, &p->id);
        if (code == EXIT_DONE) {
            code = next_path(s, p);
        }
    }

    return code == EXIT_DONE ? check("first tick", vn_nav_tick(s->nav, &detail), &detail) : code;
}

/// Only the tick is timed: updates, the check of the watched path and the search for a new one.
static int run_tick(scene* s) {
    vn_detail detail = {0};
    int code = move_patrols(s);
    if (code == EXIT_DONE && s->watch == 0 && s->request == 0) {
        code = request_path(s);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    const double begin = system_thread_seconds();
    const vn_status status = vn_nav_tick(s->nav, &detail);
    s->seconds += system_thread_seconds() - begin;
    code = check("tick", status, &detail);
    return code == EXIT_DONE ? take_news(s) : code;
}

static int run_scenes(scene* scenes, uint64_t ticks, policy_figures* out) {
    vn_nav_stats before[POLICY_COUNT], after;
    int code = EXIT_DONE;
    for (int i = 0; i < POLICY_COUNT && code == EXIT_DONE; ++i) {
        code = start_scene(&scenes[i]);
        vn_nav_get_stats(scenes[i].nav, &before[i]);
    }

    for (uint64_t tick = 0; tick < ticks; ++tick) {
        for (uint32_t turn = 0; turn < POLICY_COUNT && code == EXIT_DONE; ++turn) {
            code = run_tick(&scenes[rotation_at(POLICY_COUNT, tick, turn)]);
        }
    }

    const double a_second = DYNAMIC_FRAME_RATE / (double)ticks;
    for (int i = 0; i < POLICY_COUNT && code == EXIT_DONE; ++i) {
        vn_nav_get_stats(scenes[i].nav, &after);
        const double update_seconds = (double)(after.total_update_ns - before[i].total_update_ns) * 1e-9;
        out[i] = (policy_figures){.seconds = scenes[i].seconds * a_second,
                                  .update_seconds = update_seconds * a_second,
                                  .updates = after.updates - before[i].updates,
                                  .replans = scenes[i].replans,
                                  .ticks = ticks};
    }
    return code;
}

int policy_run(vn_nav* const navs[POLICY_COUNT], const vn_space* space, const vn_3dscen* scen, uint64_t seed,
               uint64_t ticks, policy_figures out[POLICY_COUNT]) {
    const vn_query_def def = vn_default_query_def();
    vn_detail detail = {0};
    vn_query* query = NULL;
    assert(ticks > 0);

    int code = check("patrols", vn_query_create(space, &def, &query, &detail), &detail);
    if (code != EXIT_DONE) {
        return code;
    }

    scene* scenes = say_alloc(POLICY_COUNT, sizeof *scenes);
    for (int i = 0; i < POLICY_COUNT; ++i) {
        scenes[i].nav = navs[i];
        scenes[i].query = query;
        scenes[i].scen = scen;
        scenes[i].random = seed;
    }

    code = run_scenes(scenes, ticks, out);
    free(scenes);
    vn_query_destroy(query);
    return code;
}
