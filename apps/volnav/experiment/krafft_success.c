/// volnav/experiment/krafft_success.c: the experiment "krafft-success": which agents of Krafft 2019 and 2021
/// reach a moving destination without touching anything, by the theses' rules and by ours.
#include "experiment/krafft_success.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/flights.h"

#define NO (double)NAN

// --------------------------------------------------------------------------------------------------- figures

uint32_t success_counted(const success_sum* sum) {
    return sum->runs - sum->enclosed;
}

double success_mean(const success_sum* sum, int column) {
    const double reached = sum->reached > 0 ? sum->reached : NO;
    const double counted = success_counted(sum) > 0 ? success_counted(sum) : NO;
    switch (column) {
    case SUCCESS_SHARE: return 100 * sum->reached / counted;
    case SUCCESS_LENGTH: return sum->length / reached;
    case SUCCESS_NODES: return sum->nodes / reached;
    default: return sum->ms / reached;
    }
}

stats_interval success_interval(const success_sum* sum) {
    const stats_interval share = stats_wilson(sum->reached, success_counted(sum));
    return (stats_interval){100 * share.low, 100 * share.high};
}

success_sum success_pool(const success_study* s, success_group group, latency_kind latency) {
    success_sum all = {0};
    int count;
    (void)success_agents(group, &count);
    for (int i = 0; i < count; ++i) {
        const success_sum* one = &s->sums[group][i][latency];
        all.runs += one->runs;
        all.enclosed += one->enclosed;
        all.reached += one->reached;
        all.by_movers += one->by_movers;
        all.by_walls += one->by_walls;
        all.late += one->late;
        all.length += one->length;
        all.seconds += one->seconds;
        all.nodes += one->nodes;
        all.ms += one->ms;
    }
    return all;
}

success_pairs success_compare(const success_sum* first, const success_sum* second) {
    success_pairs out = {0};
    const uint32_t runs = first->runs < second->runs ? first->runs : second->runs;
    for (uint32_t i = 0; i < runs; ++i) {
        if (isfinite(first->lengths[i]) && isfinite(second->lengths[i])) {
            ++out.count;
            out.farther += first->lengths[i] > second->lengths[i] + 1e-3 ? 1 : 0;
            out.first += first->lengths[i];
            out.second += second->lengths[i];
        }
    }
    return out;
}

// ---------------------------------------------------------------------------------------------------- flying

enum { RUNS = 20, QUICK_RUNS = 1 };

static bool is_flown(const experiment* e, success_group group, const success_agent* a, latency_kind latency) {
    const latency_kind only = group == SUCCESS_SIX ? LATENCY_NONE : LATENCY_THESIS;
    const bool quick = e->options->quick;
    const bool every = a->all_latencies && (!quick || a->quick == SUCCESS_QUICK_ALL);
    return (every || latency == only) && (!quick || a->quick != SUCCESS_QUICK_NONE);
}

static uint32_t runs_of(const experiment* e) {
    const uint32_t standard = e->options->quick ? QUICK_RUNS : RUNS;
    return e->options->sample > 0 ? (uint32_t)e->options->sample : standard;
}

/// The theses end a run at its first collision; by our rules one would go on, so that all of them show.
static vn_run_def def_of(const experiment* e, success_group group, const success_agent* a,
                         latency_kind latency, uint32_t i) {
    vn_run_def def = vn_default_run_def();
    def.scene = "krafft";
    def.variant = group == SUCCESS_STILL ? "still" : "vertical";
    def.algo = a->algo;
    def.space = a->space;
    def.rules = group == SUCCESS_SIX ? VN_RUN_AUTOPILOT : VN_RUN_THESIS;
    def.end_at_collision = group != SUCCESS_SIX;
    def.latency = latency_of(latency, a->space);
    def.seed = e->options->seed * 1000003 + i;
    def.clock = system_thread_seconds;
    return def;
}

static bool reached(const vn_run_result* r) {
    return r->end == VN_RUN_ARRIVED && r->collisions == 0 && r->wall_hits == 0;
}

static void add(success_sum* sum, const vn_run_result* r) {
    const bool enclosed = r->end == VN_RUN_ENCLOSED, good = reached(r);
    sum->clearance = sum->runs == 0 ? r->clearance : fmin(sum->clearance, r->clearance);
    sum->lengths[sum->runs++] = good ? r->length : NO;
    if (enclosed || !good) {
        sum->enclosed += enclosed ? 1 : 0;
        sum->by_movers += !enclosed && r->collisions > 0 ? 1 : 0;
        sum->by_walls += !enclosed && r->collisions == 0 && r->wall_hits > 0 ? 1 : 0;
        sum->late += !enclosed && r->collisions == 0 && r->wall_hits == 0 ? 1 : 0;
        return;
    }
    ++sum->reached;
    sum->length += r->length;
    sum->seconds += r->seconds;
    sum->nodes += (double)r->expanded;
    sum->ms += 1e3 * r->path_seconds;
}

static void write_row(files_csv* csv, const char* rules, const success_agent* a, latency_kind latency,
                      const vn_run_def* def, const vn_run_result* r) {
    char hash[24];
    const double numbers[] = {(double)def->seed, r->collisions,        r->wall_hits,        r->seconds,
                              r->length,         (double)r->calls,     (double)r->expanded, r->clearance,
                              r->wall_clearance, 1e3 * r->path_seconds};
    snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
    files_csv_text(csv, rules);
    files_csv_text(csv, a->algo);
    files_csv_text(csv, a->space);
    files_csv_text(csv, def->variant);
    files_csv_text(csv, success_latency_names[latency]);
    files_csv_text(csv, vn_run_end_name(r->end));
    files_csv_text(csv, hash);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        files_csv_real(csv, numbers[i]);
    }
    files_csv_end_row(csv);
}

/// Runs by our own rules count as paths: found if the agent arrives, valid if it touches nothing. One that
/// was enclosed counts as neither asked for nor found.
static void count_run(experiment* e, const vn_run_result* r) {
    if (r->end != VN_RUN_ENCLOSED) {
        ++e->queries;
        e->found += r->end == VN_RUN_ARRIVED ? 1 : 0;
        e->valid += reached(r) ? 1 : 0;
    }
}

/// A run of a group, and whose it is.
typedef struct ticket {
    int agent;
    latency_kind latency;
} ticket;

static uint32_t fill(const experiment* e, success_group group, success_study* s, flights_one* flights,
                     ticket* tickets) {
    int count;
    uint32_t at = 0;
    const success_agent* agents = success_agents(group, &count);
    for (int i = 0; i < count * LATENCY_KINDS; ++i) {
        const ticket t = {i / LATENCY_KINDS, (latency_kind)(i % LATENCY_KINDS)};
        if (!is_flown(e, group, &agents[t.agent], t.latency)) {
            continue;
        }
        s->sums[group][t.agent][t.latency].lengths = say_alloc(runs_of(e), sizeof(double));
        for (uint32_t r = 0; r < runs_of(e); ++r) {
            flights[at].def = def_of(e, group, &agents[t.agent], t.latency, r);
            tickets[at++] = t;
        }
    }
    return at;
}

/// All agents of a group together, so that no core waits for the last run of one of them.
static int fly_group(experiment* e, vn_pool* pool, success_group group, success_study* s) {
    static const char* const stages[SUCCESS_GROUPS] = {"grid", "waypoints", "still", "hybrid", "group 6"};
    int count;
    const success_agent* agents = success_agents(group, &count);
    const size_t most = (size_t)count * LATENCY_KINDS * runs_of(e);
    flights_one* flights = say_alloc(most, sizeof *flights);
    ticket* tickets = say_alloc(most, sizeof *tickets);
    const uint32_t total = fill(e, group, s, flights, tickets);
    const int code = total > 0 ? flights_fly(e, pool, stages[group], flights, total) : EXIT_DONE;
    for (uint32_t i = 0; i < total && code == EXIT_DONE; ++i) {
        const ticket t = tickets[i];
        add(&s->sums[group][t.agent][t.latency], &flights[i].result);
        write_row(&s->csv, group == SUCCESS_SIX ? "group 6" : "thesis", &agents[t.agent], t.latency,
                  &flights[i].def, &flights[i].result);
        if (group == SUCCESS_SIX) {
            count_run(e, &flights[i].result);
        }
    }

    free(tickets);
    free(flights);
    return code;
}

int success_fly(experiment* e, success_study* s) {
    vn_pool* pool = NULL;
    int code = flights_start_pool(e, &pool);
    s->csv = files_begin_csv("rules,algo,space,variant,latency,end,hash,seed,collisions,wall_hits,seconds,"
                             "length_m,calls,expanded,clearance_m,wall_clearance_m,path_ms");
    for (int g = 0; g < SUCCESS_GROUPS && code == EXIT_DONE; ++g) {
        code = fly_group(e, pool, (success_group)g, s);
    }
    vn_pool_destroy(pool);
    return code;
}

void success_free(success_study* s) {
    for (int i = 0; i < SUCCESS_GROUPS * SUCCESS_AGENTS_MAX * LATENCY_KINDS; ++i) {
        const int agent = i / LATENCY_KINDS;
        free(s->sums[agent / SUCCESS_AGENTS_MAX][agent % SUCCESS_AGENTS_MAX][i % LATENCY_KINDS].lengths);
    }
    svg_free(&s->csv.text);
}

int experiment_krafft_success(experiment* e) {
    success_study* s = say_alloc(1, sizeof *s);
    int code = success_fly(e, s);
    code = code == EXIT_DONE ? success_write(e, s) : code;
    code = code == EXIT_DONE ? files_write_csv(&e->folder, "runs.csv", &s->csv) : code;
    if (code == EXIT_DONE) {
        success_judge(e, s);
    }

    success_free(s);
    free(s);
    return code;
}
