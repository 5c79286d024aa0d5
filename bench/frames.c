/// bench/frames.c: a frame loop on a nav: the tick's longest time without workers, how long requests wait
/// for one worker under many changes, and the memory of a nav whose obstacles turn.
///
///     bench_frames [game|crowd|memory] [seconds]
///
/// `game`: 30 boxes move, 10 agents fly, no worker; CPU time of the host's thread in vn_nav_tick. Without and
/// with a budget (VN_BENCH_BUDGET, work units a tick).
/// `crowd`: 1,000 boxes move, 8 requests a frame, 60 frames a second by the wall clock, one worker; then
/// (`slot`: only) the same with one slot, by CPU time. `memory`: 1,000 hulls turn, no worker, everything is
/// released at once; bytes by a counting allocator.
///
/// The map is VN_BENCH_MAP, or else a made world of 256^3 voxels.
#include "bench.h"

#include <math.h>
#include <string.h>

enum { CROWD = 1000, BOXES = 30, AGENTS = 10, REQUESTS = 8, RATE = 60 };

// ------------------------------------------------------------------------------------- a counting allocator

typedef struct counter {
    _Atomic int64_t live, peak;
} counter;

static void count(counter* c, int64_t by) {
    const int64_t live = atomic_fetch_add(&c->live, by) + by;
    int64_t peak = atomic_load(&c->peak);
    while (live > peak && !atomic_compare_exchange_weak(&c->peak, &peak, live)) {
    }
}

static void* counted_alloc(void* user, size_t size) {
    void* block = malloc(size);
    count(user, block != NULL ? (int64_t)size : 0);
    return block;
}

static void* counted_resize(void* user, void* block, size_t old_size, size_t new_size) {
    void* moved = realloc(block, new_size);
    count(user, moved != NULL ? (int64_t)new_size - (int64_t)old_size : 0);
    return moved;
}

static void counted_release(void* user, void* block, size_t size) {
    count(user, -(int64_t)size);
    free(block);
}

// ---------------------------------------------------------------------------------------------------- scene

typedef struct scene {
    vn_nav* nav;
    vni_rng rng;
    uint32_t boxes;
    bool turn; ///< hulls that turn instead of boxes that fly
    vn_obstacle_id ids[CROWD];
    vn_vec3 at[CROWD], speed[CROWD];
    vn_dvec3 size;   ///< of the space, metres
    vn_space* first; ///< a bake of the empty map, for points
    uint64_t submitted, refused, finished, paths, wait_sum, wait_most;
    counter memory;
} scene;

static vn_shape shape_of(bool hull) {
    static const vn_vec3 vertices[4] = {{-4, -4, -4}, {6, -4, -4}, {-4, 6, -4}, {-4, -4, 6}};
    static const uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    if (hull)
        return (vn_shape){.kind = VN_SHAPE_HULL, .as.hull = {vertices, 4, indices, 4}};
    return (vn_shape){.kind = VN_SHAPE_BOX, .as.box = {{-4, -4, -4}, {4, 4, 4}}};
}

static vn_transform transform_of(const scene* s, uint32_t i, uint32_t frame) {
    vn_transform t = vn_transform_identity();
    t.position = s->at[i];
    if (s->turn) {
        const float half = 0.02f * (float)frame + (float)i;
        t.rotation = (vn_quat){0, sinf(half), 0, cosf(half)};
    }

    return t;
}

static void add_movers(scene* s, vn_world* world) {
    const vn_shape shape = shape_of(s->turn);
    for (uint32_t i = 0; i < s->boxes; ++i) {
        const vn_point p = vnb_free_point(&s->rng, s->first);
        float at[3];
        vnb_to_voxels(p, at);
        s->at[i] = (vn_vec3){at[0], at[1], at[2]};
        for (int k = 0; k < 3; ++k)
            (&s->speed[i].x)[k] = (float)(vni_rng_real(&s->rng) - 0.5);

        const vn_transform t = transform_of(s, i, 0);
        vnb_must(vn_world_add_moving(world, &shape, &t, &s->ids[i], NULL), NULL);
    }
}

static void make(scene* s, uint32_t boxes, bool turn, vn_nav_def* def) {
    vn_detail detail = {0};
    vn_space_def space;
    memset(s, 0, sizeof *s);
    s->rng = vni_rng_make(9);
    s->boxes = boxes;
    s->turn = turn;

    vn_world* world = vnb_world(256, 400, 3, &space);
    vnb_must(vn_space_bake(world, &space, &s->first, &detail), &detail);
    vn_space_info info;
    vn_space_get_info(s->first, &info);
    s->size = (vn_dvec3){(double)info.dims.x, (double)info.dims.y, (double)info.dims.z};
    space.has_bounds = true;
    vn_world_get_bounds(world, &space.bounds);
    add_movers(s, world);

    def->space = space;
    def->allocator = (vn_allocator){counted_alloc, counted_resize, counted_release, &s->memory};
    vnb_must(vn_nav_create(world, def, &s->nav, &detail), &detail);
}

static void unmake(scene* s) {
    vn_nav_destroy(s->nav);
    vn_space_destroy(s->first);
}

/// Boxes fly and turn around at the walls of the space; hulls turn on the spot.
static void move_all(scene* s, uint32_t frame) {
    const double size[3] = {s->size.x, s->size.y, s->size.z};
    for (uint32_t i = 0; i < s->boxes; ++i) {
        for (int k = 0; k < 3 && !s->turn; ++k) {
            float *at = &(&s->at[i].x)[k], *speed = &(&s->speed[i].x)[k];
            if ((double)*at + (double)*speed < 0 || (double)*at + (double)*speed > size[k])
                *speed = -*speed;
            *at += *speed;
        }

        const vn_transform t = transform_of(s, i, frame);
        vnb_must(vn_nav_move(s->nav, s->ids[i], &t, NULL), NULL);
    }
}

static void submit(scene* s, uint32_t frame) {
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    request.path.start = vnb_free_point(&s->rng, s->first);
    request.path.goal = vnb_free_point(&s->rng, s->first);
    request.path.snap_distance = 20;
    request.user = frame;
    const vn_status status = vn_nav_submit(s->nav, &request, &id, NULL);
    if (status == VN_CAPACITY)
        ++s->refused;
    else
        vnb_must(status, NULL);
    s->submitted += status == VN_OK;
}

static void collect(scene* s, uint32_t frame) {
    vn_nav_result result;
    vn_nav_event event;
    while (vn_nav_next_result(s->nav, &result)) {
        const uint64_t wait = frame - result.user;
        ++s->finished;
        s->paths += result.result.status == VN_OK;
        s->wait_sum += wait;
        s->wait_most = wait > s->wait_most ? wait : s->wait_most;
        vn_nav_release_result(s->nav, result.id);
    }

    while (vn_nav_next_event(s->nav, &event)) {
    }
}

// ------------------------------------------------------------------------------------------------ measuring

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void print_ticks(double* ticks, uint32_t frames) {
    double sum = 0;
    uint32_t worst = 0;
    for (uint32_t i = 0; i < frames; ++i) {
        sum += ticks[i];
        worst = ticks[i] > ticks[worst] ? i : worst;
    }

    qsort(ticks, frames, sizeof *ticks, compare);
    printf("  tick, CPU time: mean %.3f ms, median %.3f, p99 %.3f, worst %.3f (frame %u)\n",
           1e3 * sum / frames, 1e3 * ticks[frames / 2], 1e3 * ticks[(uint64_t)frames * 99 / 100],
           1e3 * ticks[frames - 1], worst);
}

static void print_waits(const scene* s) {
    vn_nav_stats stats;
    vn_nav_get_stats(s->nav, &stats);
    printf("  requests: %llu submitted, %llu refused (none free), %llu answered (%llu paths), %llu never "
           "taken\n",
           (unsigned long long)(s->submitted + s->refused), (unsigned long long)s->refused,
           (unsigned long long)s->finished, (unsigned long long)s->paths,
           (unsigned long long)(s->submitted - s->finished));
    printf("  waits: mean %.2f frames, most %llu; updates %llu, lag at the end %llu frames\n",
           s->finished > 0 ? (double)s->wait_sum / (double)s->finished : 0.0,
           (unsigned long long)s->wait_most, (unsigned long long)stats.updates,
           (unsigned long long)stats.version_lag);
}

static void game(uint32_t seconds, uint64_t budget) {
    static scene s;
    const uint32_t frames = seconds * RATE;
    double* ticks = vnb_alloc(frames, sizeof *ticks);
    vn_nav_def def = vn_default_nav_def();
    def.budget = budget;
    make(&s, BOXES, false, &def);

    for (uint32_t i = 0; i < frames; ++i) {
        move_all(&s, i);
        for (uint32_t k = 0; k < AGENTS; ++k)
            if ((i + 6 * k) % RATE == 0) // each agent asks once a second
                submit(&s, i);

        const double begin = vnb_seconds();
        vnb_must(vn_nav_tick(s.nav, NULL), NULL);
        ticks[i] = vnb_seconds() - begin;
        collect(&s, i);
    }

    printf("game: %d boxes, %d agents, %u s, no worker, budget %llu\n", BOXES, AGENTS, seconds,
           (unsigned long long)budget);
    print_ticks(ticks, frames);
    print_waits(&s);
    unmake(&s);
    free(ticks);
}

static void sleep_until(double when) {
    const double left = when - vnb_wall();
    if (left <= 0)
        return;
    const struct timespec t = {(time_t)left, (long)((left - floor(left)) * 1e9)};
    nanosleep(&t, NULL);
}

/// The rest of a frame: this thread works in the place of a worker that has a processor of its own.
static void work_until(vn_nav* nav, double when) {
    while (vnb_seconds() < when && vn_nav_work(nav, 0)) {
    }
}

/// `real`: a worker, by the wall clock. Else one thread for both, by its CPU time, which other programs do
/// not disturb. No requests in the last second: what is not answered then never is.
static void crowd(uint32_t seconds, bool real) {
    static scene s;
    const uint32_t frames = seconds * RATE;
    double* ticks = vnb_alloc(frames, sizeof *ticks);
    vn_nav_def def = vn_default_nav_def();
    def.workers = real ? 1 : 0;
    def.slots = real ? 0 : 1;
    make(&s, CROWD, false, &def);

    const double start = vnb_wall();
    for (uint32_t i = 0; i < frames; ++i) {
        move_all(&s, i);
        for (uint32_t k = 0; k < REQUESTS && i + RATE < frames; ++k)
            submit(&s, i);

        const double begin = vnb_seconds();
        vnb_must(vn_nav_tick(s.nav, NULL), NULL);
        ticks[i] = vnb_seconds() - begin;
        collect(&s, i);
        if (real)
            sleep_until(start + (double)(i + 1) / RATE);
        else
            work_until(s.nav, begin + 1.0 / RATE);
    }

    printf("crowd: %d boxes, %d requests a frame, %u s, one %s\n", CROWD, REQUESTS, seconds,
           real ? "worker" : "slot, by CPU time");
    print_ticks(ticks, frames);
    print_waits(&s);
    unmake(&s);
    free(ticks);
}

static void memory(uint32_t seconds) {
    static scene s;
    vn_nav_def def = vn_default_nav_def();
    def.max_requests = def.max_watches = 16;
    make(&s, CROWD, true, &def);
    const int64_t first = atomic_load(&s.memory.live);
    atomic_store(&s.memory.peak, first);
    for (uint32_t i = 0; i < seconds * RATE; ++i) {
        move_all(&s, i + 1);
        submit(&s, i);
        vnb_must(vn_nav_tick(s.nav, NULL), NULL);
        collect(&s, i);
    }

    uint64_t version;
    vn_memory space;
    vn_space_get_memory(vn_nav_pin(s.nav, 0, 0, &version), &space);
    vnb_must(vn_nav_unpin(s.nav, version), NULL);
    printf("memory: %d turning hulls, %u updates; space %.1f MB\n", CROWD, seconds * RATE,
           (double)space.total * 1e-6);
    printf("  at first %.1f MB, at the end %.1f MB, most %.1f MB: %.2f x the space\n", (double)first * 1e-6,
           (double)atomic_load(&s.memory.live) * 1e-6, (double)atomic_load(&s.memory.peak) * 1e-6,
           (double)atomic_load(&s.memory.peak) / (double)space.total);

    vn_memory parts;
    vn_nav_get_memory(s.nav, &parts);
    for (uint32_t i = 0; i < parts.count; ++i)
        printf("  %-24s %8.2f MB\n", parts.parts[i].name, (double)parts.parts[i].bytes * 1e-6);
    unmake(&s);
}

int main(int argc, char** argv) {
    const char* which = argc > 1 ? argv[1] : "all";
    const uint32_t seconds = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 10;
    const char* budget = getenv("VN_BENCH_BUDGET");
    const bool all = strcmp(which, "all") == 0;
    printf("calibration: %.0f M steps/s; map: %s\n", vnb_calibration(),
           vnb_map() != NULL ? vnb_map() : "made, 256^3");

    if (all || strcmp(which, "game") == 0) {
        game(seconds, 0);
        game(seconds, budget != NULL ? strtoull(budget, NULL, 10) : 1500);
    }

    if (all || strcmp(which, "crowd") == 0) {
        crowd(seconds, true);
        crowd(seconds, false);
    }

    if (strcmp(which, "slot") == 0)
        crowd(seconds, false);

    if (all || strcmp(which, "memory") == 0)
        memory(seconds);

    return 0;
}
