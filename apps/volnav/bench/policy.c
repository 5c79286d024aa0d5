/// volnav/bench/policy.c: patrols, a path that is kept, and the clock.
#include "bench/policy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "bench/dynamic.h"
#include "shell/system.h"
#include "volnav/path.h"

enum { PATROLS = 3, WAY_MAX = 1024, WAYS_ELSEWHERE = 6 };

/// An obstacle that flies along a path at a steady speed.
typedef struct patrol {
    vn_obstacle_id id;
    vn_point way[WAY_MAX];
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
    vn_point start, goal;    ///< of the path that is kept
    vn_point route[WAY_MAX]; ///< as it was without obstacles
    uint32_t route_count;
    vn_watch_id watch;
    vn_request_id ticket;
    uint64_t replans;
} scene;

static const double speed = 0.5; ///< voxels a tick

static vn_point random_end(scene* s) {
    const vn_scen_line* line = &s->scen->lines[vn_random_next(&s->random) % s->scen->line_count];
    return vn_voxel_center(vn_random_next(&s->random) & 1 ? line->start : line->goal);
}

static uint32_t find_way(scene* s, vn_point from, vn_point to, vn_point* out) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    uint32_t count = 0;
    request.start = from;

    request.goal = to;
    if (vn_query_find_path(s->query, &request, &result, NULL) != VN_OK) {
        return 0;
    }

    const vn_point* points = vn_query_points(s->query, &count);
    count = count < WAY_MAX ? count : 0;
    memcpy(out, points, count * sizeof *points);
    return count;
}

// -------------------------------------------------------------------------------------------------- patrols

/// From where it is to somewhere else; one way in WAYS_ELSEWHERE + 1 leads to the path that is kept. On these
/// large maps patrols that know nothing of it would hardly ever cross it; so they make about as many new
/// paths necessary as in the thesis, 0.6 a second.
static void next_way(scene* s, patrol* p) {
    const vn_point from = p->last;
    p->segment = 0;
    p->along = 0;
    p->count = 0;
    for (int tries = 0; tries < 20 && p->count < 2; tries++) {
        const bool cross = vn_random_next(&s->random) % (WAYS_ELSEWHERE + 1) == 0;
        const vn_point to = cross ? s->route[vn_random_next(&s->random) % s->route_count] : random_end(s);
        p->count = find_way(s, from, to, p->way);
    }
}

static double leg_length(vn_point a, vn_point b) {
    const double x = (double)b.x - a.x, y = (double)b.y - a.y, z = (double)b.z - a.z;
    return sqrt(x * x + y * y + z * z) / VN_LATTICE;
}

/// One tick further; false if the way has ended.
static bool fly(patrol* p, double* x, double* y, double* z) {
    p->along += speed;
    while (p->segment + 1 < p->count) {
        const vn_point a = p->way[p->segment], b = p->way[p->segment + 1];
        const double length = leg_length(a, b);
        if (p->along <= length && length > 0) {
            const double at = p->along / length;
            *x = (a.x + at * ((double)b.x - a.x)) / VN_LATTICE;
            *y = (a.y + at * ((double)b.y - a.y)) / VN_LATTICE;
            *z = (a.z + at * ((double)b.z - a.z)) / VN_LATTICE;
            return true;
        }

        p->along -= length;
        p->segment++;
    }

    p->last = p->count > 0 ? p->way[p->count - 1] : p->last;
    return false;
}

static void move_patrols(scene* s) {
    for (int i = 0; i < PATROLS; i++) {
        patrol* p = &s->patrols[i];
        vn_transform place = vn_transform_identity();
        double x, y, z;
        if (!fly(p, &x, &y, &z)) {
            next_way(s, p);
            continue;
        }

        place.position = (vn_vec3){(float)x, (float)y, (float)z};
        vn_nav_move(s->nav, p->id, &place, NULL);
    }
}

// ------------------------------------------------------------------------------------------ the path that is
// kept

static void ask(scene* s) {
    vn_nav_request request = vn_default_nav_request();
    request.path.start = s->start;
    request.path.goal = s->goal;
    request.path.snap_distance = 64;
    if (vn_nav_submit(s->nav, &request, &s->ticket, NULL) == VN_OK) {
        s->replans++;
    }
}

static void take_news(scene* s) {
    vn_nav_event event;
    vn_nav_result answer;
    while (vn_nav_next_event(s->nav, &event)) {
        if (event.kind == VN_EVENT_PATH_BLOCKED && event.watch == s->watch) {
            s->watch = 0;
        }
    }

    while (vn_nav_next_result(s->nav, &answer)) {
        s->ticket = 0;
        if (answer.result.status == VN_OK) {
            vn_nav_watch(s->nav, answer.points, answer.point_count, 0, 0, &s->watch);
        }
        vn_nav_release_result(s->nav, answer.id);
    }
}

static bool start_scene(scene* s) {
    const vn_scen_line* line = &s->scen->lines[s->scen->line_count / 2];
    s->start = vn_voxel_center(line->start);
    s->goal = vn_voxel_center(line->goal);
    s->route_count = find_way(s, s->start, s->goal, s->route);
    if (s->route_count < 2 || vn_nav_watch(s->nav, s->route, s->route_count, 0, 0, &s->watch) != VN_OK) {
        return false;
    }

    for (int i = 0; i < PATROLS; i++) {
        patrol* p = &s->patrols[i];
        p->last = random_end(s);
        p->id = dynamic_add_box(s->nav, p->last);
        next_way(s, p);
    }

    return vn_nav_tick(s->nav, NULL) == VN_OK;
}

bool policy_run(vn_nav* nav, const vn_space* space, const vn_3dscen* scen, uint64_t seed, uint64_t ticks,
                policy_figures* out) {
    static scene s; // large, and one at a time
    const vn_query_def def = vn_default_query_def();
    vn_nav_stats before, after;
    assert(ticks > 0);

    s = (scene){.nav = nav, .scen = scen, .random = seed};
    if (vn_query_create(space, &def, &s.query, NULL) != VN_OK) {
        return false;
    }

    const bool ready = start_scene(&s);
    vn_nav_get_stats(nav, &before);
    double seconds = 0;
    for (uint64_t tick = 0; ready && tick < ticks; tick++) {
        move_patrols(&s);
        if (s.watch == 0 && s.ticket == 0) {
            ask(&s);
        }

        const double begin = system_thread_seconds();
        vn_nav_tick(nav, NULL);
        seconds += system_thread_seconds() - begin;
        take_news(&s);
    }

    vn_nav_get_stats(nav, &after);
    *out = (policy_figures){.seconds = seconds * DYNAMIC_FRAME_RATE / (double)ticks,
                            .update_seconds = (double)(after.total_update_ns - before.total_update_ns) *
                                              1e-9 * DYNAMIC_FRAME_RATE / (double)ticks,
                            .updates = after.updates - before.updates,
                            .replans = s.replans,
                            .ticks = ticks};
    vn_query_destroy(s.query);

    return ready;
}
