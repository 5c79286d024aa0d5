/// volnav/experiment/maruszczyk_flights.c: tables 5 to 11 of Maruszczyk 2016: autopilots in asteroid fields,
/// on all cores, and the limits of our own.
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/flights.h"
#include "experiment/maruszczyk.h"

/// As many flights as in the thesis, or more. Groups 1 and 2 are slow in the maze, whose paths are long.
const maruszczyk_field maruszczyk_fields[MARUSZCZYK_FIELDS] = {{"sparse",
                                                                "4 % rock, 50 asteroids per 30³ m",
                                                                {100, 100, 100, 100, 100, 100, 100, 100},
                                                                {2, 1, 1, 1, 1, 1, 1, 2}},
                                                               {"sparse-300",
                                                                "4 % rock, 300 asteroids per 40³ m",
                                                                {20, 20, 20, 20, 20, 20, 20, 100},
                                                                {1, 0, 0, 0, 0, 0, 1, 1}},
                                                               {"even-300",
                                                                "16 % rock, evenly spread, 300 per 40³ m",
                                                                {20, 20, 20, 20, 20, 20, 20, 100},
                                                                {0, 0, 0, 0, 0, 0, 1, 1}},
                                                               {"maze-300",
                                                                "16 % rock, a maze, 300 per 40³ m",
                                                                {20, 0, 0, 20, 20, 20, 20, 100},
                                                                {0, 0, 0, 0, 0, 0, 0, 1}},
                                                               {"large",
                                                                "300 × 100 × 700 m, 4 % rock, 50 per 30³ m",
                                                                {20, 0, 0, 0, 0, 20, 20, 20},
                                                                {0, 0, 0, 0, 0, 0, 1, 1}}};

const maruszczyk_pilot maruszczyk_pilots[MARUSZCZYK_PILOTS] = {
    {"0: no avoidance", VN_PILOT_NONE, false},
    {"1: whole path at each move", VN_PILOT_WHOLE, false},
    {"2: path lookup", VN_PILOT_LOOKUP, false},
    {"3: fragment at each move", VN_PILOT_FRAGMENT, true},
    {"3: fragment when detected", VN_PILOT_FRAGMENT, false},
    {"4: extended lookup", VN_PILOT_EXTENDED, false},
    {"5: speed control, radar", VN_PILOT_RADAR, false},
    {"6: prediction (ours)", VN_PILOT_PREDICT, false}};

const char* const maruszczyk_columns[MARUSZCZYK_COLUMNS] = {"path time", "calls", "length", "dynamic nodes",
                                                            "collisions"};

// ------------------------------------------------------------------------------------------------ the thesis

/// Tables 5 to 8. Nodes of the extended lookup: 589.83 in table 7, 548 in table 8.
static const double printed[MARUSZCZYK_PREDICT][MARUSZCZYK_COLUMNS] = {
    {204.2, 1, 60, NAN, 4.7},   {NAN, NAN, NAN, NAN, NAN},     {NAN, NAN, NAN, NAN, NAN},
    {226.5, 61, 60, 27.3, 3.6}, {222.6, 15.83, 60, 26.7, 1.5}, {221.5, 13.5, 60, 589.83, 0.3},
    {213, 11.3, 60, 535, 0.05}};

/// Tables 9 to 11: the final autopilot only.
static const double final_ones[MARUSZCZYK_FIELDS][MARUSZCZYK_COLUMNS] = {{213, 11.3, 60, 535, 0.05},
                                                                         {213, 11.3, 60, 535, 0.05},
                                                                         {277, 6.6, 112, 1344, 0.05},
                                                                         {353, 8.75, 112, 1458, 0.1},
                                                                         {1587, 7, 158, 784, 0.05}};

double maruszczyk_theirs(int field, int pilot, int column) {
    if (pilot == MARUSZCZYK_RADAR) {
        return final_ones[field][column];
    }
    return field == MARUSZCZYK_SPARSE && pilot < MARUSZCZYK_PREDICT ? printed[pilot][column] : (double)NAN;
}

// ---------------------------------------------------------------------------------------------------- flying

static void add(maruszczyk_sum* sum, const vn_run_result* r) {
    const bool arrived = r->end == VN_RUN_ARRIVED;
    const double hits = r->collisions;
    sum->clearance = sum->runs == 0 ? r->clearance : fmin(sum->clearance, r->clearance);
    sum->wall_clearance = sum->runs == 0 ? r->wall_clearance : fmin(sum->wall_clearance, r->wall_clearance);
    ++sum->runs;
    sum->arrived += arrived ? 1 : 0;
    sum->with_collision += r->collisions > 0 ? 1 : 0;
    sum->collisions += r->collisions;
    sum->wall_hits += r->wall_hits;
    sum->squares += hits * hits;
    sum->seconds += arrived ? r->seconds : 0;
    sum->nominal += arrived ? r->nominal : 0;
    sum->length += arrived ? r->length : 0;
    sum->fuel += arrived ? r->fuel : 0;

    sum->calls += (double)r->calls;
    sum->dynamic += (double)r->dynamic_nodes;
    sum->expanded += (double)r->expanded;
    sum->path_seconds += r->path_seconds;
    sum->worst_step = fmax(sum->worst_step, r->worst_step);
    sum->steps += (double)r->steps;
    sum->stopped += (double)r->stopped;
    sum->unverified += (double)r->unverified;
}

double maruszczyk_mean(const maruszczyk_sum* sum, int column) {
    const double runs = sum->runs > 0 ? sum->runs : (double)NAN;
    const double arrived = sum->arrived > 0 ? sum->arrived : (double)NAN;
    switch (column) {
    case MARUSZCZYK_MS: return 1e3 * sum->path_seconds / runs;
    case MARUSZCZYK_CALLS: return sum->calls / runs;
    case MARUSZCZYK_LENGTH: return sum->length / arrived / (double)VN_ROCK_NODE;
    case MARUSZCZYK_DYNAMIC: return sum->dynamic / runs;
    default: return (double)sum->collisions / runs;
    }
}

double maruszczyk_margin(const maruszczyk_sum* sum) {
    const double n = sum->runs, mean = (double)sum->collisions / n;
    if (sum->collisions == 0) {
        return 3 / n; // the rule of three: the upper end of an interval that begins at 0
    }
    const double variance = n > 1 ? (sum->squares - n * mean * mean) / (n - 1) : (double)NAN;
    return 1.96 * sqrt(variance / n);
}

bool maruszczyk_failed(const maruszczyk_sum* sum) {
    return sum->collisions > 0 || sum->wall_hits > 0 || sum->arrived < sum->runs;
}

// ---------------------------------------------------------------------------------------------------- fields

static vn_run_def def_of(const experiment* e, int field, int pilot, uint32_t i) {
    vn_run_def def = vn_default_run_def();
    def.scene = "asteroids";
    def.variant = maruszczyk_fields[field].variant;
    def.autopilot = maruszczyk_pilots[pilot].group;
    def.each_move = maruszczyk_pilots[pilot].each_move;
    def.seed = e->options->seed * 1000003 + i;
    def.clock = system_thread_seconds;
    return def;
}

/// Flights of a pilot in a field; --sample also raises them.
static uint32_t count_of(const experiment* e, int field, int pilot) {
    const uint32_t normal = maruszczyk_fields[field].runs[pilot];
    const uint32_t quick = maruszczyk_fields[field].quick[pilot];
    const uint32_t standard = e->options->quick ? quick : normal;
    return standard > 0 && e->options->sample > 0 ? (uint32_t)e->options->sample : standard;
}

static void write_row(files_csv* csv, const char* field, const char* pilot, const vn_run_def* def,
                      const vn_run_result* r) {
    char hash[24];
    const double numbers[] = {(double)def->seed,
                              r->collisions,
                              r->wall_hits,
                              r->seconds,
                              r->nominal,
                              r->length,
                              r->fuel,
                              (double)r->calls,
                              1e3 * r->path_seconds,
                              1e3 * r->path_seconds / (r->calls > 0 ? (double)r->calls : 1),
                              (double)r->dynamic_nodes,
                              (double)r->expanded,
                              (double)r->steps,
                              (double)r->stopped,
                              (double)r->unverified,
                              r->clearance,
                              r->wall_clearance};
    snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
    files_csv_text(csv, field);
    files_csv_text(csv, pilot);
    files_csv_text(csv, vn_run_end_name(r->end));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        files_csv_real(csv, numbers[i]);
    }
    files_csv_text(csv, hash);
    files_csv_end_row(csv);
}

/// The flights of our own pilot count as paths: found if it arrives, valid if it touches nothing.
static void count_flight(experiment* e, const vn_run_result* r) {
    const bool arrived = r->end == VN_RUN_ARRIVED;
    ++e->queries;
    e->found += arrived ? 1 : 0;
    e->valid += arrived && r->collisions == 0 && r->wall_hits == 0 ? 1 : 0;
}

/// All pilots of a field together, so that no core waits for the last flight of one of them.
static int fly_field(experiment* e, vn_pool* pool, int field, maruszczyk_flights* out) {
    uint32_t total = 0, at = 0;
    for (int p = 0; p < MARUSZCZYK_PILOTS; ++p) {
        total += count_of(e, field, p);
    }

    flights_one* flights = say_alloc(total > 0 ? total : 1, sizeof *flights);
    for (int p = 0; p < MARUSZCZYK_PILOTS; ++p) {
        for (uint32_t i = 0; i < count_of(e, field, p); ++i) {
            flights[at++].def = def_of(e, field, p, i);
        }
    }

    const int code = flights_fly(e, pool, maruszczyk_fields[field].variant, flights, total);
    at = 0;
    for (int p = 0; p < MARUSZCZYK_PILOTS && code == EXIT_DONE; ++p) {
        for (uint32_t i = 0; i < count_of(e, field, p); ++i, ++at) {
            const flights_one* f = &flights[at];
            add(&out->sums[field][p], &f->result);
            write_row(&out->csv, maruszczyk_fields[field].variant, maruszczyk_pilots[p].name, &f->def,
                      &f->result);
            if (p == MARUSZCZYK_PREDICT) {
                count_flight(e, &f->result);
            }
        }
    }

    free(flights);
    return code;
}

// ---------------------------------------------------------------------------------------------------- limits

#define ASTEROID_SPEED 0.8 ///< metres per second, that of the thesis

static const double speeds[MARUSZCZYK_SPEEDS] = {0.8, 1.6, 2.4, 3.2};
static const double densities[MARUSZCZYK_DENSITIES] = {50, 150, 300, 600, 1200, 2400, 4800};
static const double quick_speeds[] = {0.8, 3.2};
static const double quick_densities[] = {300, 1200};

enum {
    LIMIT_RUNS = 20,
    QUICK_LIMIT_RUNS = 1,
    QUICK_SPEEDS = 2,
    QUICK_DENSITIES = 2,
    ALWAYS = 6 ///< so many densities are flown whatever comes out
};

static int fly_limit(experiment* e, vn_pool* pool, maruszczyk_limits* l, int s, int d, files_csv* csv) {
    const uint32_t standard = e->options->quick ? QUICK_LIMIT_RUNS : LIMIT_RUNS;
    const uint32_t runs = e->options->sample > 0 ? (uint32_t)e->options->sample : standard;
    flights_one* flights = say_alloc(runs, sizeof *flights);
    char field[64];
    for (uint32_t i = 0; i < runs; ++i) {
        flights[i].def = def_of(e, MARUSZCZYK_SPARSE_300, MARUSZCZYK_PREDICT, i);
        flights[i].def.obstacles = (uint32_t)l->densities[d];
        flights[i].def.speed = l->speeds[s] / ASTEROID_SPEED;
    }

    snprintf(field, sizeof field, "limit %g m/s %g", l->speeds[s], l->densities[d]);
    const int code = flights_fly(e, pool, field, flights, runs);
    for (uint32_t i = 0; i < runs && code == EXIT_DONE; ++i) {
        add(&l->sums[s][d], &flights[i].result);
        write_row(csv, field, maruszczyk_pilots[MARUSZCZYK_PREDICT].name, &flights[i].def,
                  &flights[i].result);
    }

    free(flights);
    return code;
}

/// Denser and denser at one speed; beyond those that are always flown, until something is touched or a flight
/// does not arrive.
static int raise_density(experiment* e, vn_pool* pool, maruszczyk_limits* l, int s, files_csv* csv) {
    int code = EXIT_DONE;
    l->holds[s] = 0;
    l->fails[s] = (double)NAN;
    for (int d = 0; d < l->density_count && code == EXIT_DONE; ++d) {
        const bool failed = !isnan(l->fails[s]);
        if (failed && d >= ALWAYS) {
            break;
        }

        code = fly_limit(e, pool, l, s, d, csv);
        ++l->flown[s];
        if (failed) {
            continue;
        }
        if (maruszczyk_failed(&l->sums[s][d])) {
            l->fails[s] = l->densities[d];
        } else {
            l->holds[s] = l->densities[d];
        }
    }
    return code;
}

static int fly_limits(experiment* e, vn_pool* pool, maruszczyk_flights* out) {
    maruszczyk_limits* l = &out->limits;
    const bool quick = e->options->quick;
    int code = EXIT_DONE;
    l->speed_count = quick ? QUICK_SPEEDS : MARUSZCZYK_SPEEDS;
    l->density_count = quick ? QUICK_DENSITIES : MARUSZCZYK_DENSITIES;
    memcpy(l->speeds, quick ? quick_speeds : speeds, (size_t)l->speed_count * sizeof *speeds);
    memcpy(l->densities, quick ? quick_densities : densities, (size_t)l->density_count * sizeof *densities);
    for (int s = 0; s < l->speed_count && code == EXIT_DONE; ++s) {
        code = raise_density(e, pool, l, s, &out->csv);
    }
    return code;
}

int maruszczyk_fly(experiment* e, maruszczyk_flights* out) {
    vn_pool* pool = NULL;
    int code = flights_start_pool(e, &pool);
    out->csv =
        files_begin_csv("field,pilot,end,seed,collisions,wall_hits,seconds,seconds_empty,length_m,fuel,calls,"
                        "path_ms,call_ms,dynamic_nodes,expanded,steps,stopped,unverified,clearance_m,"
                        "wall_clearance_m,hash");
    for (int f = 0; f < MARUSZCZYK_FIELDS && code == EXIT_DONE; ++f) {
        code = fly_field(e, pool, f, out);
    }

    code = code == EXIT_DONE ? fly_limits(e, pool, out) : code;
    vn_pool_destroy(pool);
    return code;
}
