/// volnav/experiment/crowd_fly.c: flies the agents of a stage step by step, and measures every step by code
/// that they do not share.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/crowd.h"
#include "volnav/path.h"

// ------------------------------------------------------------------------------------------------------ film

void crowd_film_add(crowd_film* film, const vn_dvec3* positions, uint32_t count) {
    if (film->frames == film->capacity) {
        film->capacity = 2 * film->capacity + 64;
        film->at = say_resize(film->at, (size_t)film->capacity * count, sizeof *film->at);
    }
    film->agents = count;
    memcpy(film->at + (size_t)film->frames++ * count, positions, count * sizeof *positions);
}

void crowd_film_free(crowd_film* film) {
    free(film->at);
    free(film->radii);
    film->at = NULL;
    film->radii = NULL;
}

static void begin_film(const crowd_stage* s, crowd_film* film) {
    film->bounds = s->bounds;
    film->radii = say_alloc(s->count, sizeof *film->radii);
    for (uint32_t i = 0; i < s->count; ++i) {
        film->radii[i] = (double)s->walkers[i].radius;
    }

    // From above neither the shell, floors and ceilings nor what is over a door.
    for (uint32_t i = 6; i < s->wall_count; ++i) {
        const bool is_flat = s->walls[i].max.y - s->walls[i].min.y < 2;
        if (!is_flat) {
            film->walls[film->wall_count++] = s->walls[i];
        }
    }
}

static void add_frame(const crowd_stage* s, crowd_film* film) {
    vn_dvec3* now = say_alloc(s->count, sizeof *now);
    for (uint32_t i = 0; i < s->count; ++i) {
        now[i] = s->walkers[i].position;
    }
    crowd_film_add(film, now, s->count);
    free(now);
}

// ---------------------------------------------------------------------------------------------------- wishes

static vn_dvec3 minus(vn_dvec3 a, vn_dvec3 b) {
    return (vn_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double length(vn_dvec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

/// Where it flies to now.
static vn_dvec3 aim_of(const crowd_walker* w) {
    const bool has_passed = (w->goal.x - w->via.x) * (w->position.x - w->via.x) > 0;
    return w->has_via && !has_passed ? w->via : w->goal;
}

static vn_vec3 wish_of(const crowd_walker* w) {
    const float side = w->goal.x > w->position.x ? w->speed : -w->speed;
    if (w->goes_along) {
        return (vn_vec3){side, 0, 0};
    }

    const vn_dvec3 to = minus(aim_of(w), w->position);
    const double all = length(to), far = length(minus(w->goal, w->position));
    const double speed = far < 0.5 * (double)w->speed ? 2 * far : (double)w->speed;
    const double scale = all > 1e-9 ? speed / all : 0;
    return (vn_vec3){(float)(to.x * scale), (float)(to.y * scale), (float)(to.z * scale)};
}

static bool flies(const crowd_stage* s, const crowd_walker* w) {
    return !w->arrived || s->stays;
}

/// One step; its processor time.
static int move(crowd_stage* s, double* seconds) {
    vn_detail detail = {0};
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && s->avoid != NULL && i < s->count; ++i) {
        if (flies(s, &s->walkers[i])) {
            status = vn_avoid_set_preferred(s->avoid, s->walkers[i].id, wish_of(&s->walkers[i]));
        }
    }

    const double begin = system_thread_seconds();
    if (status == VN_OK) {
        status = s->avoid != NULL ? vn_avoid_step(s->avoid, (float)s->dt)
                                  : vn_crowd_update(s->crowd, s->dt, &detail);
    }
    *seconds += system_thread_seconds() - begin;
    return status == VN_OK ? EXIT_DONE : say_status(crowd_names[s->which], status, &detail);
}

// --------------------------------------------------------------------------------------------------- judging

static vn_status place_of(const crowd_stage* s, const crowd_walker* w, vn_dvec3* out) {
    vn_avoid_state state;
    vn_agent_info info;
    vn_status status = VN_OK;
    if (s->avoid != NULL) {
        status = vn_avoid_get_agent(s->avoid, w->id, &state);
        *out = state.position;
    } else {
        status = vn_crowd_get_agent(s->crowd, w->id, &info);
        *out = info.position;
    }
    return status;
}

static bool is_there(const crowd_stage* s, const crowd_walker* w, double from_x) {
    const vn_dvec3 to = minus(w->goal, w->position);
    return w->goes_along ? to.x * (w->goal.x - from_x) <= 0 : length(to) <= s->arrive;
}

static vn_status remove_walker(crowd_stage* s, const crowd_walker* w) {
    return s->avoid != NULL ? vn_avoid_remove_agent(s->avoid, w->id) : vn_crowd_remove_agent(s->crowd, w->id);
}

/// The walls by the exact checker, then the goal.
static vn_status judge_walker(crowd_stage* s, crowd_walker* w, double now, crowd_report* out) {
    vn_dvec3 to;
    vn_point ends[2];
    vn_status status = place_of(s, w, &to);
    if (status == VN_OK && s->space != NULL &&
        (vn_space_point_from_world(s->space, w->position, &ends[0]) != VN_OK ||
         vn_space_point_from_world(s->space, to, &ends[1]) != VN_OK ||
         !vn_space_check_path(s->space, ends, 2, NULL))) {
        ++out->wall_faults;
        w->faulty = true;
    }

    const double from_x = w->position.x;
    w->position = to;
    if (status != VN_OK || w->arrived || !is_there(s, w, from_x)) {
        return status;
    }
    w->arrived = true;
    out->last = now;
    ++out->arrived;
    out->clean += w->faulty ? 0 : 1;
    return s->stays ? VN_OK : remove_walker(s, w);
}

static int by_x(const void* a, const void* b) {
    const crowd_walker *const *v = a, *const *w = b;
    return (*v)->position.x < (*w)->position.x ? -1 : (*v)->position.x > (*w)->position.x;
}

/// The deepest overlap of all pairs, as a share of their radii's sum; sorted along x.
static double deepest(const crowd_stage* s, const crowd_walker** sorted) {
    uint32_t count = 0;
    double worst = 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        if (flies(s, &s->walkers[i])) {
            sorted[count++] = &s->walkers[i];
        }
    }

    qsort(sorted, count, sizeof *sorted, by_x);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = i + 1; j < count && sorted[j]->position.x - sorted[i]->position.x < 1; ++j) {
            const double sum = (double)(sorted[i]->radius + sorted[j]->radius);
            const double share = 1 - length(minus(sorted[i]->position, sorted[j]->position)) / sum;
            worst = share > worst ? share : worst;
        }
    }
    return worst;
}

static int judge(crowd_stage* s, double now, const crowd_walker** sorted, crowd_report* out) {
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < s->count; ++i) {
        if (flies(s, &s->walkers[i])) {
            status = judge_walker(s, &s->walkers[i], now, out);
        }
    }

    const double share = deepest(s, sorted);
    out->overlap = share > out->overlap ? share : out->overlap;
    return status == VN_OK ? EXIT_DONE : say_status(crowd_names[s->which], status, NULL);
}

int crowd_fly(crowd_stage* stage, crowd_report* out, crowd_film* film) {
    const crowd_walker** sorted = say_alloc(stage->count, sizeof *sorted);
    const uint64_t most = (uint64_t)(stage->limit / stage->dt),
                   every = (uint64_t)(CROWD_FRAME / stage->dt + 0.5);
    uint64_t flown = 0;
    double seconds = 0;
    int code = EXIT_DONE;
    *out = (crowd_report){.agents = stage->count, .last = stage->limit};
    if (film != NULL) {
        begin_film(stage, film);
    }

    for (uint64_t step = 1; code == EXIT_DONE && step <= most && out->arrived < stage->count; ++step) {
        if (film != NULL && step % every == 1) {
            add_frame(stage, film);
        }
        flown += stage->stays ? stage->count : stage->count - out->arrived;
        code = move(stage, &seconds);
        code = code == EXIT_DONE ? judge(stage, (double)step * stage->dt, sorted, out) : code;
    }

    out->last = out->arrived < stage->count ? stage->limit : out->last;
    out->us = flown > 0 ? 1e6 * seconds / (double)flown : (double)NAN;
    free(sorted);
    return code;
}
