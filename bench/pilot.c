/// bench/pilot.c: the groups of autopilots in asteroid fields (Maruszczyk 2016, experiments 3 and 4): how
/// often each collides, how long it flies, what a step costs.
///
///     bench_pilot [runs] [first seed] [field] [group]
///
/// Every group flies the same rocks; the asteroids are aimed at the route that the group takes without them.
#include "bench.h"

#include "../tests/support/flight.c"

#include <math.h>

typedef struct field {
    const char* name;
    vn_rock_layout layout;
    uint32_t count;
    double tile;
    double speed;
    bool limits; ///< flown by groups 0 and 6 only: where does the latter end?
    bool without_velocity;
    double noise;
} field;

static const field fields[] = {
    {"4 %, 50 per 30^3", VN_ROCKS_SPARSE, 50, 30, 0.8, false, false, 0},
    {"4 %, 300 per 40^3", VN_ROCKS_SPARSE, 300, 40, 0.8, false, false, 0},
    {"16 % even, 300 per 40^3", VN_ROCKS_EVEN, 300, 40, 0.8, false, false, 0},
    {"16 % maze, 300 per 40^3", VN_ROCKS_MAZE, 300, 40, 0.8, false, false, 0},
    {"4 %, 300 per 40^3, velocities unknown", VN_ROCKS_SPARSE, 300, 40, 0.8, true, true, 0},
    {"4 %, 300 per 40^3, positions off by 0.1", VN_ROCKS_SPARSE, 300, 40, 0.8, true, false, 0.1},
    {"4 %, 600 per 40^3", VN_ROCKS_SPARSE, 600, 40, 0.8, true, false, 0},
    {"4 %, 1200 per 40^3", VN_ROCKS_SPARSE, 1200, 40, 0.8, true, false, 0},
    {"4 %, 2400 per 40^3", VN_ROCKS_SPARSE, 2400, 40, 0.8, true, false, 0},
    {"4 %, 300 per 40^3, 1.6 m/s", VN_ROCKS_SPARSE, 300, 40, 1.6, true, false, 0},
    {"4 %, 600 per 40^3, 1.6 m/s", VN_ROCKS_SPARSE, 600, 40, 1.6, true, false, 0},
    {"4 %, 300 per 40^3, 2.4 m/s", VN_ROCKS_SPARSE, 300, 40, 2.4, true, false, 0},
    {"4 %, 300 per 40^3, 3.2 m/s", VN_ROCKS_SPARSE, 300, 40, 3.2, true, false, 0},
    {"4 %, 600 per 40^3, 3.2 m/s", VN_ROCKS_SPARSE, 600, 40, 3.2, true, false, 0},
};
enum { FIELDS = sizeof fields / sizeof *fields };

typedef struct row {
    vn_pilot_group group;
    bool each_move;
    const char* name;
} row;

static const row rows[] = {{VN_PILOT_NONE, false, "0 none"},
                           {VN_PILOT_WHOLE, false, "1 whole path each move"},
                           {VN_PILOT_LOOKUP, false, "2 path lookup"},
                           {VN_PILOT_FRAGMENT, true, "3 fragment each move"},
                           {VN_PILOT_FRAGMENT, false, "3 fragment on detection"},
                           {VN_PILOT_EXTENDED, false, "4 extended lookup"},
                           {VN_PILOT_RADAR, false, "5 speed control, radar"},
                           {VN_PILOT_PREDICT, false, "6 prediction"}};
enum { ROWS = sizeof rows / sizeof *rows };

/// Sums over the runs of one group.
typedef struct total {
    uint64_t collisions, with_collision, wall_hits, timeouts, steps, stopped, unverified, arrived;
    double clearance, wall_clearance, seconds, nominal, step_seconds, worst;
} total;

static void add(total* t, const vnt_flight* f, const vnt_flight* nominal) {
    t->collisions += f->collisions;
    t->with_collision += f->collisions > 0;
    t->wall_hits += f->wall_hits;
    t->timeouts += !f->arrived || !nominal->arrived;
    t->steps += f->steps;
    t->stopped += f->stopped;
    t->unverified += f->unverified;
    t->clearance = f->clearance < t->clearance ? f->clearance : t->clearance;
    t->wall_clearance = f->wall_clearance < t->wall_clearance ? f->wall_clearance : t->wall_clearance;
    t->step_seconds += f->step_seconds;
    t->worst = f->worst_step > t->worst ? f->worst_step : t->worst;
    if (f->arrived) {
        ++t->arrived;
        t->seconds += f->seconds;
        t->nominal += nominal->seconds;
    }
}

static void print(const row* r, const total* t, uint32_t runs) {
    const double steps = (double)t->steps, arrived = t->arrived > 0 ? (double)t->arrived : 1;
    printf("%-24s %6.2f %4llu %4llu %4llu %7.2f ", r->name, (double)t->collisions / runs,
           (unsigned long long)t->with_collision, (unsigned long long)t->wall_hits,
           (unsigned long long)t->timeouts, 100 * (double)t->stopped / steps);
    if (r->group == VN_PILOT_PREDICT)
        printf("%9.4f ", 100 * (double)t->unverified / steps);
    else
        printf("%9s ", "-");
    printf("%8.3f %8.3f %8.1f %8.1f %8.1f %8.0f\n", t->clearance, t->wall_clearance, t->seconds / arrived,
           t->nominal / arrived, 1e6 * t->step_seconds / steps, 1e6 * t->worst);
    fflush(stdout);
}

static void fly_rows(const field* f, uint32_t runs, uint64_t first, int only) {
    printf("\n%s, %u runs from seed %llu\n", f->name, runs, (unsigned long long)first);
    printf("%-24s %6s %4s %4s %4s %7s %9s %8s %8s %8s %8s %8s %8s\n", "group", "coll/r", "hit", "wall",
           "late", "stop %", "no plan %", "least", "l. wall", "flight s", "empty s", "us/step", "worst us");
    for (int i = 0; i < ROWS; ++i) {
        total t = {.clearance = HUGE_VAL, .wall_clearance = HUGE_VAL};
        const bool flies = !f->limits || rows[i].group == VN_PILOT_NONE || rows[i].group == VN_PILOT_PREDICT;
        if (!flies || (only >= 0 && only != (int)rows[i].group))
            continue;

        for (uint32_t k = 0; k < runs; ++k) {
            vnt_flight flight, nominal;
            vnt_flight_def def = vnt_default_flight(rows[i].group, first + k);
            def.pilot.fragment_each_move = rows[i].each_move;
            def.pilot.obstacle_speed = 1.2 * f->speed;
            def.layout = f->layout;
            def.count = f->count;
            def.tile = f->tile;
            def.speed = f->speed;
            def.without_velocity = f->without_velocity;
            def.noise = f->noise;
            def.pilot.error = 1.8 * f->noise; // of a point in a cube: its diagonal
            def.clock = vnb_seconds;
            if (!vnt_fly_field(&def, &flight, &nominal))
                vnb_fail("a flight failed");
            add(&t, &flight, &nominal);
        }

        print(&rows[i], &t, runs);
    }
}

int main(int argc, char** argv) {
    const uint32_t runs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000;
    const int which = argc > 3 ? atoi(argv[3]) : -1, group = argc > 4 ? atoi(argv[4]) : -1;
    printf("calibration: %.0f M steps/s\n", vnb_calibration());
    printf("coll/r: collisions a run; hit: runs with one; wall: wall hits; late: timeouts (600 s), also "
           "without asteroids; no plan: "
           "steps without a verified manoeuvre;\nleast: least clearance, metres; flight and empty: seconds "
           "with and without asteroids, of flights that arrived\n");
    for (int i = 0; i < FIELDS; ++i)
        if (which < 0 || which == i)
            fly_rows(&fields[i], runs, first, group);
    return 0;
}
