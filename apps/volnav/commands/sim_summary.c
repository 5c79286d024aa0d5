/// volnav/commands/sim_summary.c: sums, means and intervals over runs.
#include "commands/sim_summary.h"

#include <math.h>
#include <stdlib.h>

#include "shell/say.h"

static bool is_clean(const vn_run_result* r) {
    return r->collisions == 0 && r->wall_hits == 0 && r->agent_hits == 0;
}

static void add_counts(sim_summary* s, const vn_run_result* r) {
    const bool reached = r->end == VN_RUN_ARRIVED, clean = is_clean(r);
    s->reached += reached;
    s->timeouts += r->end == VN_RUN_TIMEOUT;
    s->lost += r->end == VN_RUN_LOST;
    s->clean += clean;
    s->perfect += reached && clean;
    s->collisions += r->collisions;
    s->wall_hits += r->wall_hits;
    s->agent_hits += r->agent_hits;
    s->caught += r->caught;
    s->clearance = r->clearance < s->clearance ? r->clearance : s->clearance;
    s->wall_clearance = r->wall_clearance < s->wall_clearance ? r->wall_clearance : s->wall_clearance;
}

static void add_work(sim_summary* s, const vn_run_result* r) {
    s->steps += r->steps;
    s->stopped += r->stopped;
    s->unverified += r->unverified;
    s->calls += r->calls;
    s->expanded += r->expanded;
    s->dynamic_nodes += r->dynamic_nodes;
    s->path_us += 1e6 * r->path_seconds;
    s->worst_step_us = 1e6 * r->worst_step > s->worst_step_us ? 1e6 * r->worst_step : s->worst_step_us;
}

/// Means over the runs that arrived.
static void add_flights(sim_summary* s, const sim_campaign* c) {
    uint64_t with_nominal = 0;
    for (uint64_t i = 0; i < c->runs; ++i) {
        const vn_run_result* r = &c->outcomes[i].result;
        if (r->end != VN_RUN_ARRIVED) {
            continue;
        }
        ++s->flights;
        s->seconds += r->seconds;
        s->length += r->length;
        s->fuel += r->fuel;
        s->ratio += r->nominal > 0 ? r->seconds / r->nominal : 0;
        with_nominal += r->nominal > 0;
    }

    const double n = s->flights > 0 ? (double)s->flights : NAN;
    s->seconds /= n;
    s->length /= n;
    s->fuel /= n;
    s->ratio /= with_nominal > 0 ? (double)with_nominal : NAN;
}

/// The upper end of the class that 99 % of all steps do not exceed.
static void add_frames(sim_summary* s, const sim_campaign* c) {
    uint64_t all = 0, sum = 0, by_class[SIM_CLASSES] = {0};
    for (uint64_t i = 0; i < c->runs; ++i) {
        for (int k = 0; k < SIM_CLASSES; ++k) {
            by_class[k] += c->outcomes[i].times[k];
            all += c->outcomes[i].times[k];
        }
    }

    int last = 0;
    for (; last < SIM_CLASSES - 1; ++last) {
        sum += by_class[last];
        if (100 * sum >= 99 * all) {
            break;
        }
    }
    s->frame_us_mean = all > 0 ? s->path_us / (double)all : NAN;
    s->frame_us_p99 = all > 0 ? 0.1 * exp2((last + 1) / 8.0) : NAN;
}

static void add_intervals(sim_summary* s, const sim_campaign* c) {
    double* values = say_alloc((size_t)c->runs, sizeof *values);
    size_t count = 0;
    for (uint64_t i = 0; i < c->runs; ++i) {
        if (c->outcomes[i].result.end != VN_RUN_ENCLOSED) {
            values[count++] = c->outcomes[i].result.collisions;
        }
    }

    s->collisions_mean = count > 0 ? (double)s->collisions / (double)count : NAN;
    s->collisions_interval = stats_mean_interval(values, count);
    s->reached_share = stats_wilson(s->reached, s->counted);
    s->clean_share = stats_wilson(s->clean, s->counted);
    s->perfect_share = stats_wilson(s->perfect, s->counted);
    free(values);
}

/// The run that is worth a record.
static void choose_shown(sim_summary* s, const sim_campaign* c) {
    bool has_enclosed = false;
    s->shown = "first";
    s->shown_seed = c->def.seed;
    for (uint64_t i = 0; i < c->runs && !s->failed; ++i) {
        const vn_run_result* r = &c->outcomes[i].result;
        const bool enclosed = r->end == VN_RUN_ENCLOSED;
        s->failed = !enclosed && (r->end != VN_RUN_ARRIVED || !is_clean(r));
        if (s->failed || (enclosed && !has_enclosed)) {
            s->shown = s->failed ? "failed" : "enclosed";
            s->shown_seed = c->def.seed + i;
        }
        has_enclosed |= enclosed;
    }
}

sim_summary sim_summarise(const sim_campaign* c) {
    sim_summary s = {.runs = c->runs, .clearance = HUGE_VAL, .wall_clearance = HUGE_VAL};
    for (uint64_t i = 0; i < c->runs; ++i) {
        const vn_run_result* r = &c->outcomes[i].result;
        if (r->end == VN_RUN_ENCLOSED) {
            ++s.enclosed;
        } else {
            add_counts(&s, r);
        }
        add_work(&s, r);
    }

    s.counted = s.runs - s.enclosed;
    add_flights(&s, c);
    add_frames(&s, c);
    add_intervals(&s, c);
    choose_shown(&s, c);
    s.path_us = s.calls > 0 ? s.path_us / (double)s.calls : NAN;
    return s;
}
