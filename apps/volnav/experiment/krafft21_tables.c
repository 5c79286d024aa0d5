/// volnav/experiment/krafft21_tables.c: tables of plans and of their sums.
#include "experiment/krafft21_tables.h"

#include <math.h>
#include <stdio.h>

static double in_ms(double seconds) {
    return seconds * 1e3;
}

// --------------------------------------------------------------------------------------------------- tables

static void write_row(page* p, const krafft21_race* race, int contender) {
    const race_sum *sum = &race->sums[contender], *astar = &race->sums[KRAFFT21_ASTAR];
    const bool repairs = krafft21_contenders[contender].way == KRAFFT21_REPAIR;
    const bool boxes = krafft21_contenders[contender].way == KRAFFT21_ASK;
    char valid[48];
    snprintf(valid, sizeof valid, "%u of %u", (unsigned)sum->valid, (unsigned)sum->frames);
    page_text(p, krafft21_contenders[contender].name);
    page_real(p, sum->nodes);
    page_real(p, sum->nodes / astar->nodes);
    page_real(p, race->frames > 1 ? sum->worst_nodes : (double)NAN);

    page_real(p, in_ms(sum->total));
    page_real(p, sum->total / astar->total);
    page_real(p, boxes || sum->nodes == 0 ? (double)NAN : race_per_node(sum) * 1e9);
    page_real(p, in_ms(sum->p99));
    page_real(p, in_ms(sum->worst));
    page_real(p, sum->late);

    page_real(p, sum->found > 0 ? race_mean_length(sum) : (double)NAN);
    page_real(p, repairs ? (double)sum->restarts : (double)NAN);
    page_text(p, valid);
    page_end_row(p);
}

void krafft21_write_table(page* p, const krafft21_run* run, int scenario) {
    static const char* const heads[] = {"contender", "all",   "/ A*", "worst", "all, ms", "/ A*",   "ns",
                                        "99 of 100", "worst", "late", "units", "resets",  "checked"};
    const krafft21_scenario* s = &krafft21_scenarios[scenario];
    const krafft21_race* race = &run->races[scenario];
    char caption[160];
    snprintf(caption, sizeof caption, "%s: %u frames at %.0f a second", s->title, (unsigned)race->frames,
             s->rate);
    page_begin_table(p, caption, " |expanded nodes:3|time:2|a node|ms a plan:3|length| |paths", heads, 13);
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        if (race->sums[i].frames > 0) {
            write_row(p, race, i);
        }
    }
    page_end_table(p);

    if (s->flies) {
        const krafft21_flight* astar = &race->flights[KRAFFT21_ASTAR];
        page_add(p, "The agent of A* arrived %u times; in %u frames an obstacle covered an end of its path.",
                 (unsigned)astar->arrivals, (unsigned)astar->blind);
    }
}

static void write_live_row(page* p, const krafft21_race* race, int contender) {
    const race_sum *sum = &race->sums[contender], *astar = &race->sums[KRAFFT21_ASTAR];
    const double arrival = race->flights[contender].arrival;
    page_text(p, krafft21_contenders[contender].name);
    page_real(p, sum->frames);
    page_real(p, arrival);
    page_real(p, sum->frames / arrival);
    page_real(p, sum->nodes);
    page_real(p, sum->nodes / astar->nodes);
    page_real(p, in_ms(sum->total));
    page_real(p, sum->total / astar->total);
    page_real(p, in_ms(race_mean(sum)));
    page_real(p, in_ms(sum->p99));
    page_real(p, in_ms(sum->worst));
    page_end_row(p);
}

void krafft21_write_live_table(page* p, const krafft21_run* run, int scenario) {
    static const char* const heads[] = {"contender", "all",  "arrival", "a second",  "all",  "/ A*",
                                        "all, ms",   "/ A*", "mean",    "99 of 100", "worst"};
    const krafft21_race* race = &run->races[scenario];
    char caption[160];
    snprintf(caption, sizeof caption, "%s: 60 frames a second; a plan counts %.2f times what it takes here",
             krafft21_scenarios[scenario].title, race->slower);
    page_begin_table(p, caption, " |plans|s|plans|expanded nodes:2|time:2|ms a plan:3", heads, 11);
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        if (race->sums[i].frames > 0) {
            write_live_row(p, race, i);
        }
    }
    page_end_table(p);
}

// ------------------------------------------------------------------------------------------------- in short

/// A contender against one that it shall beat.
typedef struct rivals {
    int contender, other;
    double nodes;   ///< at most this many times the other's; 0: any
    bool any_angle; ///< paths shall be within 1 % of the other's
} rivals;

/// Paths compare in length only where both plan from the same places.
static void write_rivals(page* p, const krafft21_run* run, int scenario, const rivals* r) {
    const race_sum *a = &run->races[scenario].sums[r->contender], *b = &run->races[scenario].sums[r->other];
    const bool same_ends = !krafft21_scenarios[scenario].flies || krafft21_scenarios[scenario].shared;
    const double nodes = a->nodes / b->nodes, length = race_mean_length(a) / race_mean_length(b);
    const bool cheap = (r->nodes == 0 || nodes <= r->nodes) && a->total < b->total;
    const bool near = !r->any_angle || !same_ends || length <= 1.01;
    page_text(p, krafft21_contenders[r->contender].name);
    page_text(p, krafft21_contenders[r->other].name);
    page_text(p, krafft21_scenarios[scenario].title);
    page_real(p, nodes);
    page_real(p, a->total / b->total);
    page_real(p, r->any_angle && same_ends ? length : (double)NAN);

    page_real(p, in_ms(a->p99));
    page_real(p, in_ms(b->p99));
    page_real(p, in_ms(a->worst));
    page_real(p, in_ms(b->worst));
    page_text(p, cheap && near ? "yes" : "no");
    page_end_row(p);
}

void krafft21_write_in_short(page* p, const krafft21_run* run) {
    static const char* const heads[] = {"contender", "<against", "<scenario", "nodes",   "time", "length",
                                        "its own",   "other's",  "its own",   "other's", "<wins"};
    static const rivals all[] = {
        {KRAFFT21_BASIC, KRAFFT21_ASTAR, 0.25, false},
        {KRAFFT21_AAMT, KRAFFT21_THETA, 0, true},
        {KRAFFT21_AAMT_HYBRID, KRAFFT21_THETA_HYBRID, 0, true},
        {KRAFFT21_AAMT_FAST, KRAFFT21_THETA_HYBRID, 0, true},
    };
    static const int scenarios[] = {KRAFFT21_DYNAMIC_VERTICAL, KRAFFT21_DYNAMIC_60, KRAFFT21_LIVE};

    page_heading(p, 2, "In short: repair against search, everything moves, the destination vertically");
    page_add(p,
             "Does repairing pay? Basic MT-D* Lite wins if it expands at most a quarter of the nodes of A* "
             "in less time (figure 36), an any-angle planner if it takes less time than Theta* and its "
             "paths are within 1 %% of those of Theta*, where both plan from the same places (figures 54, "
             "55). Sums of all plans; peaks beside them, because a planner that repairs is fast in the "
             "mean and not in its worst frame.");
    page_begin_table(p, "Sums of the first over sums of the second; then peaks of both, ms a plan",
                     " | | |ratio:3|99 of 100:2|worst:2| ", heads, 11);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; ++k) {
            write_rivals(p, run, scenarios[k], &all[i]);
        }
    }
    page_end_table(p);
}

// ---------------------------------------------------------------------------------------------- the numbers

static double mean_ms(const race_sum* sum) {
    return in_ms(race_mean(sum));
}

static void write_full_numbers(page* p, const race_sum* full) {
    experiment_add_number(p, "MT-D* Lite, expanded in a full run", "35", 835078, full[KRAFFT21_MT].nodes);
    experiment_add_number(p, "MT-D* Lite, ms in a full run", "35", 1468, in_ms(full[KRAFFT21_MT].total));
    experiment_add_number(p, "D* Lite, expanded in a full run", "52 of Krafft 2019", 1444702,
                          full[KRAFFT21_DSTAR_LITE].nodes);
    experiment_add_number(p, "D* Lite, ms in a full run", "52 of Krafft 2019", 23978.5,
                          in_ms(full[KRAFFT21_DSTAR_LITE].total));
    experiment_add_number(p, "A* / Basic MT-D* Lite, expanded", "36: more than", 4,
                          full[KRAFFT21_ASTAR].nodes / full[KRAFFT21_BASIC].nodes);
    experiment_add_number(p, "A* / Basic MT-D* Lite, time", "36: more than", 2,
                          full[KRAFFT21_ASTAR].total / full[KRAFFT21_BASIC].total);
}

void krafft21_write_thesis(page* p, const krafft21_run* run) {
    const race_sum *watches = run->races[KRAFFT21_WATCHES].sums, *reset = run->races[KRAFFT21_RESET].sums,
                   *waits = run->races[KRAFFT21_WAITS_VERTICAL].sums;
    const double begin_anew = waits[KRAFFT21_DSTAR_LITE].worst_nodes;

    experiment_begin_numbers(p, "What the text gives a number for; the destination moves vertically");
    experiment_add_number(p, "A*, ms a plan, agent waits", "30, 46", 17, mean_ms(&watches[KRAFFT21_ASTAR]));
    experiment_add_number(p, "Theta*, ms a plan, agent waits", "30, 46", 31.13,
                          mean_ms(&watches[KRAFFT21_THETA]));
    experiment_add_number(p, "A*, hybrid, ms a plan, agent waits", "46", 6,
                          mean_ms(&watches[KRAFFT21_ASTAR_HYBRID]));
    experiment_add_number(p, "Theta*, hybrid, ms a plan, agent waits", "46", 34.17,
                          mean_ms(&watches[KRAFFT21_THETA_HYBRID]));
    experiment_add_number(p, "Nodes of the hybrid graph", "37", 21259, run->nodes[KRAFFT21_HYBRID]);
    experiment_add_number(p, "MT-D* Lite, not optimised, ms a reset", "33", 640,
                          mean_ms(&reset[KRAFFT21_MT_ALL]));
    experiment_add_number(p, "MT-D* Lite, ms a reset", "33", 291, mean_ms(&reset[KRAFFT21_MT]));
    experiment_add_number(p, "MT-D* Lite backward, worst frame / a reset", "31: as many", 1,
                          waits[KRAFFT21_MT_BACK].worst_nodes / begin_anew);
    experiment_add_number(p, "Basic MT-D* Lite backward, worst frame / a reset", "31: about twice", 2,
                          waits[KRAFFT21_BASIC_BACK].worst_nodes / begin_anew);
    write_full_numbers(p, run->races[KRAFFT21_DYNAMIC_VERTICAL].sums);
    page_end_table(p);
}
