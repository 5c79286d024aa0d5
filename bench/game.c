/// bench/game.c: the scene of sample 11 (30 boxes, 10 agents, a minute at 60 Hz, one thread and no worker):
/// how long vn_nav_tick takes in CPU time of the thread, which other programs hardly disturb.
///
///     bench_game [seconds]
///
/// First as the sample is, in lockstep, then in real time without and with a budget (VN_BENCH_BUDGET, work
/// units a tick).
#include "bench.h"

#include <string.h>

static struct {
    vn_nav_mode mode;
    uint64_t budget;
    double* ticks;
    uint32_t count, capacity;
} run;

/// In the place of the sample's calls: the nav that this run wants, and a tick that is timed.
static vn_status create(vn_world* world, vn_nav_def* def, vn_nav** out, vn_detail* detail) {
    def->mode = run.mode;
    def->budget = run.budget;
    return vn_nav_create(world, def, out, detail);
}

static vn_status tick(vn_nav* nav, vn_detail* detail) {
    const double begin = vnb_seconds();
    const vn_status status = vn_nav_tick(nav, detail);
    const double seconds = vnb_seconds() - begin;
    if (run.count == run.capacity)
        vnb_fail("more ticks than frames");
    run.ticks[run.count++] = seconds;
    return status;
}

int sample_main(int argc, char** argv);
#define main          sample_main
#define vn_nav_create create
#define vn_nav_tick   tick
#include "../samples/11-frame-loop-game.c"
#undef main
#undef vn_nav_create
#undef vn_nav_tick

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void measure(const char* name, vn_nav_mode mode, uint64_t budget, uint32_t seconds) {
    double sum = 0;
    uint32_t worst = 0;
    run.mode = mode;
    run.budget = budget;
    run.count = 0;
    game g = {.horizon = 2, .random = 1};
    start(&g);
    for (int frame = 0; frame < (int)seconds * HZ; ++frame)
        play(&g, frame);
    vn_nav_destroy(g.nav);
    for (uint32_t i = 0; i < run.count; ++i) {
        sum += run.ticks[i];
        worst = run.ticks[i] > run.ticks[worst] ? i : worst;
    }

    const uint32_t frame = worst;
    qsort(run.ticks, run.count, sizeof *run.ticks, compare);
    printf("%s, budget %llu: %d paths, blocked %d times\n", name, (unsigned long long)budget, g.paths, g.blocked);
    printf("  tick, CPU time: mean %.3f ms, median %.3f, p99 %.3f, p99.9 %.3f, worst %.3f (frame %u of %u)\n",
           1e3 * sum / run.count, 1e3 * run.ticks[run.count / 2],
           1e3 * run.ticks[(uint64_t)run.count * 99 / 100], 1e3 * run.ticks[(uint64_t)run.count * 999 / 1000],
           1e3 * run.ticks[run.count - 1], frame, run.count);
}

int main(int argc, char** argv) {
    const uint32_t seconds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 60;
    const char* text = getenv("VN_BENCH_BUDGET");
    const uint64_t budget = text != NULL ? strtoull(text, NULL, 10) : 1500;
    run.capacity = seconds * HZ;
    run.ticks = vnb_alloc(run.capacity, sizeof *run.ticks);
    printf("calibration: %.0f M steps/s\n", vnb_calibration());
    measure("lockstep", VN_NAV_LOCKSTEP, 0, seconds);
    measure("real time", VN_NAV_REALTIME, 0, seconds);
    measure("real time", VN_NAV_REALTIME, budget, seconds);
    free(run.ticks);
    return 0;
}
