/// bench/game.c: the scene of sample 11 (30 boxes, 10 agents, a minute at 60 Hz, one thread and no worker):
/// how long vn_nav_tick takes in CPU time of the thread, which other programs hardly disturb.
///
///     bench_game [seconds [runs]]
///
/// First as the sample is, in lockstep, then in real time without and with a budget (VN_BENCH_BUDGET, work
/// units a tick). Every run does the same work in the same frame, so that the least time of a frame in all
/// runs is what it costs, and the rest is the machine: interrupts, and on a virtual one whatever else its
/// host does. A loop of constant length, timed after each tick in the same way, shows how much that is.
#include "bench.h"

#include <string.h>

static struct {
    vn_nav_mode mode;
    uint64_t budget;
    double *ticks, *least; ///< of this run; in all runs
    double loop;           ///< the longest that the constant loop took
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

/// About as much as a tick, and always the same.
static void time_loop(void) {
    vni_rng rng = vni_rng_make(1);
    uint64_t sum = 0;
    const double begin = vnb_seconds();
    for (uint32_t i = 0; i < 200000; ++i)
        sum += vni_rng_next(&rng);
    const double seconds = vnb_seconds() - begin;
    run.loop = sum != 0 && seconds > run.loop ? seconds : run.loop;
}

/// Plays the game; returns the longest tick.
static double play_once(uint32_t seconds, bool first, game* g) {
    double worst = 0;
    *g = (game){.horizon = 2, .random = 1};
    run.count = 0;
    run.loop = 0;
    start(g);
    for (int frame = 0; frame < (int)seconds * HZ; ++frame) {
        play(g, frame);
        time_loop();
    }

    vn_nav_destroy(g->nav);
    for (uint32_t i = 0; i < run.count; ++i) {
        const double tick = run.ticks[i];
        run.least[i] = first || tick < run.least[i] ? tick : run.least[i];
        worst = tick > worst ? tick : worst;
    }

    return worst;
}

static void print_ticks(void) {
    double sum = 0, *ticks = run.least;
    uint32_t worst = 0;
    for (uint32_t i = 0; i < run.count; ++i) {
        sum += ticks[i];
        worst = ticks[i] > ticks[worst] ? i : worst;
    }

    qsort(ticks, run.count, sizeof *ticks, compare);
    printf("  tick, CPU time, the least of all runs: mean %.3f ms, median %.3f, p99 %.3f, p99.9 %.3f, worst "
           "%.3f "
           "(frame %u of %u)\n",
           1e3 * sum / run.count, 1e3 * ticks[run.count / 2], 1e3 * ticks[(uint64_t)run.count * 99 / 100],
           1e3 * ticks[(uint64_t)run.count * 999 / 1000], 1e3 * ticks[run.count - 1], worst, run.count);
}

static void measure(const char* name, vn_nav_mode mode, uint64_t budget, uint32_t seconds, uint32_t runs) {
    game g, before = {0};
    run.mode = mode;
    run.budget = budget;
    printf("%s, budget %llu\n", name, (unsigned long long)budget);
    for (uint32_t i = 0; i < runs; ++i) {
        const double worst = play_once(seconds, i == 0, &g);
        printf("  run %u: %d paths, blocked %d times, worst tick %.3f ms; a constant loop at worst %.3f ms\n",
               i, g.paths, g.blocked, 1e3 * worst, 1e3 * run.loop);
        if (i > 0 && (g.paths != before.paths || g.blocked != before.blocked))
            vnb_fail("two runs differ");
        before = g;
    }

    print_ticks();
}

int main(int argc, char** argv) {
    const uint32_t seconds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 60;
    const uint32_t runs = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 3;
    const char* text = getenv("VN_BENCH_BUDGET");
    const uint64_t budget = text != NULL ? strtoull(text, NULL, 10) : 1500;
    run.capacity = seconds * HZ;
    run.ticks = vnb_alloc(run.capacity, sizeof *run.ticks);
    run.least = vnb_alloc(run.capacity, sizeof *run.least);
    printf("calibration: %.0f M steps/s\n", vnb_calibration());
    measure("lockstep", VN_NAV_LOCKSTEP, 0, seconds, runs);
    measure("real time", VN_NAV_REALTIME, 0, seconds, runs);
    measure("real time", VN_NAV_REALTIME, budget, seconds, runs);
    free(run.ticks);
    free(run.least);
    return 0;
}
