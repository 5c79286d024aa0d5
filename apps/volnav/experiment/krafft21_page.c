/// volnav/experiment/krafft21_page.c: tables and charts of the experiment "krafft-2021".
#include <math.h>

#include "experiment/krafft21.h"

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
    page_real(p, boxes || sum->nodes == 0 ? (double)NAN : sum->total / sum->nodes * 1e9);
    page_real(p, in_ms(sum->p99));
    page_real(p, in_ms(sum->worst));
    page_real(p, sum->late);
    page_real(p, sum->found > 0 ? sum->length / sum->found : (double)NAN);
    page_real(p, repairs ? (double)sum->restarts : (double)NAN);
    page_text(p, valid);
    page_end_row(p);
}

static void write_table(page* p, const krafft21_run* run, int scenario) {
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

// --------------------------------------------------------------------------------------------------- charts

typedef struct lines {
    const char* file;
    const char* title;
    int scenario;
    bool times; ///< instead of expanded nodes
    int contenders[RACE_LINES_MAX];
    int count;
} lines;

static int write_lines(experiment* e, const krafft21_run* run, const lines* l) {
    const krafft21_race* race = &run->races[l->scenario];
    race_line all[RACE_LINES_MAX];
    for (int i = 0; i < l->count; ++i) {
        const krafft21_contender* c = &krafft21_contenders[l->contenders[i]];
        all[i] = (race_line){c->name, &race->sums[l->contenders[i]], c->colour, c->pale};
    }
    return race_chart(e, l->file, l->title, l->times ? RACE_TIME : RACE_NODES, race->at, race->frames, all,
                      l->count);
}

static int write_all_lines(experiment* e, const krafft21_run* run, const lines* all, int count) {
    int code = EXIT_DONE;
    page_begin_charts(&e->page);
    for (int i = 0; i < count && code == EXIT_DONE; ++i) {
        code = write_lines(e, run, &all[i]);
    }
    page_end_charts(&e->page);
    return code;
}

/// What bars show of a contender.
typedef enum bar_value { BAR_NODES, BAR_TIME, BAR_PEAK } bar_value;

static double value_of(const race_sum* sum, bar_value what) {
    switch (what) {
    case BAR_NODES: return sum->nodes;
    case BAR_TIME: return in_ms(sum->total);
    default: return in_ms(sum->worst);
    }
}

/// Both full runs side by side.
static int write_bars(experiment* e, const krafft21_run* run, const char* file, const char* title,
                      const char* label, bar_value what) {
    const char* names[KRAFFT21_CONTENDERS];
    double vertical[KRAFFT21_CONTENDERS], horizontal[KRAFFT21_CONTENDERS];
    plot_chart chart = {.title = title, .label = label, .width = 900, .logarithmic = true};
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        if (krafft21_takes_part(i, KRAFFT21_DYNAMIC_VERTICAL)) {
            names[chart.count] = krafft21_contenders[i].name;
            vertical[chart.count] = value_of(&run->races[KRAFFT21_DYNAMIC_VERTICAL].sums[i], what);
            horizontal[chart.count++] = value_of(&run->races[KRAFFT21_DYNAMIC_HORIZONTAL].sums[i], what);
        }
    }

    plot_add(&chart, "destination moves vertically", vertical, 0, false);
    plot_add(&chart, "horizontally", horizontal, 1, false);
    chart.categories = names;
    svg_text svg = {0};
    plot_bars(&chart, &svg);
    return experiment_chart(e, file, &svg);
}

// ------------------------------------------------------------------------------------------------- sections

static void write_reset(experiment* e, const krafft21_run* run) {
    page_heading(&e->page, 2, "Every plan from scratch (figure 33)");
    page_add(&e->page,
             "What a planner that repairs costs when it cannot: nothing moves, and each plan forgets the one "
             "before. \"Not optimised\" looks at all predecessors of each successor of an over-consistent "
             "node, as the thesis's first version did; it gives the same paths.");
    write_table(&e->page, run, KRAFFT21_RESET);
}

static int write_waits(experiment* e, const krafft21_run* run) {
    static const lines charts[] = {{"waits-vertical",
                                    "Only the destination moves, vertically (figure 31 i)",
                                    KRAFFT21_WAITS_VERTICAL,
                                    false,
                                    {KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC_BACK, KRAFFT21_MT_BACK},
                                    3},
                                   {"waits-horizontal",
                                    "Only the destination moves, horizontally (figure 31 ii)",
                                    KRAFFT21_WAITS_HORIZONTAL,
                                    false,
                                    {KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC_BACK, KRAFFT21_MT_BACK},
                                    3}};

    page_heading(&e->page, 2, "The world and the agent stand (figure 31)");
    page_add(&e->page,
             "Backward searches have their root at the destination, so that each of its steps moves the "
             "root; D* Lite begins anew. There is a plan for each cell that the destination enters; after 24 "
             "of them it turns. The obstacles stand where they are at time 0. The worst frame is "
             "that after the first, in which all search from scratch.");
    for (int i = KRAFFT21_WAITS; i <= KRAFFT21_WAITS_HORIZONTAL; ++i) {
        write_table(&e->page, run, i);
    }
    return write_all_lines(e, run, charts, 2);
}

static int write_flies(experiment* e, const krafft21_run* run) {
    static const lines charts[] = {{"flies-vertical-backward",
                                    "Backward, destination vertical (figure 32 i)",
                                    KRAFFT21_FLIES_VERTICAL,
                                    false,
                                    {KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC_BACK, KRAFFT21_MT_BACK},
                                    3},
                                   {"flies-vertical-forward",
                                    "Forward, destination vertical (figure 32 ii)",
                                    KRAFFT21_FLIES_VERTICAL,
                                    false,
                                    {KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC, KRAFFT21_MT},
                                    3},
                                   {"flies-horizontal-backward",
                                    "Backward, destination horizontal (figure 32 iii)",
                                    KRAFFT21_FLIES_HORIZONTAL,
                                    false,
                                    {KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC_BACK, KRAFFT21_MT_BACK},
                                    3},
                                   {"flies-horizontal-forward",
                                    "Forward, destination horizontal (figure 32 iv)",
                                    KRAFFT21_FLIES_HORIZONTAL,
                                    false,
                                    {KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC, KRAFFT21_MT},
                                    3}};

    page_heading(&e->page, 2, "The agent flies in a world that stands (figure 32)");
    page_add(&e->page,
             "The agent flies along the path and begins again when it has arrived. Forward searches have "
             "their root at the agent, which moves along its own path, so that most of the tree stays. A "
             "planner that knows nothing about its new root begins anew: a reset.");
    write_table(&e->page, run, KRAFFT21_FLIES_VERTICAL);
    write_table(&e->page, run, KRAFFT21_FLIES_HORIZONTAL);
    return write_all_lines(e, run, charts, 4);
}

static int write_watches(experiment* e, const krafft21_run* run) {
    static const lines charts[] = {
        {"watches-nodes",
         "The agent waits, the world moves: expanded nodes (figure 52)",
         KRAFFT21_WATCHES,
         false,
         {KRAFFT21_ASTAR, KRAFFT21_THETA, KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC, KRAFFT21_MT},
         5},
        {"watches-times",
         "The agent waits, the world moves: time (figure 52)",
         KRAFFT21_WATCHES,
         true,
         {KRAFFT21_ASTAR, KRAFFT21_THETA, KRAFFT21_DSTAR_LITE, KRAFFT21_BASIC, KRAFFT21_MT},
         5}};

    page_heading(&e->page, 2, "The agent waits in a world that moves (figures 11, 12, 24, 30, 52)");
    page_add(&e->page, "Figure 52 is of the hybrid graph in the thesis, and of the grid here. JPS is jump "
                       "point search with 6 neighbours on the voxels themselves, of which only the search is "
                       "timed. ε is the weight of the heuristic.");
    write_table(&e->page, run, KRAFFT21_WATCHES);
    return write_all_lines(e, run, charts, 2);
}

static int write_dynamic(experiment* e, const krafft21_run* run) {
    static const lines charts[] = {{"dynamic-vertical-nodes",
                                    "Everything moves, destination vertical: expanded nodes (figure 34)",
                                    KRAFFT21_DYNAMIC_VERTICAL,
                                    false,
                                    {KRAFFT21_ASTAR, KRAFFT21_BASIC, KRAFFT21_MT},
                                    3},
                                   {"dynamic-vertical-times",
                                    "Everything moves, destination vertical: time (figure 34 v)",
                                    KRAFFT21_DYNAMIC_VERTICAL,
                                    true,
                                    {KRAFFT21_ASTAR, KRAFFT21_BASIC, KRAFFT21_MT},
                                    3},
                                   {"dynamic-horizontal-nodes",
                                    "Everything moves, destination horizontal: expanded nodes (figure 34)",
                                    KRAFFT21_DYNAMIC_HORIZONTAL,
                                    false,
                                    {KRAFFT21_ASTAR, KRAFFT21_BASIC, KRAFFT21_MT},
                                    3},
                                   {"dynamic-horizontal-times",
                                    "Everything moves, destination horizontal: time (figure 34 vi)",
                                    KRAFFT21_DYNAMIC_HORIZONTAL,
                                    true,
                                    {KRAFFT21_ASTAR, KRAFFT21_BASIC, KRAFFT21_MT},
                                    3}};

    page_heading(&e->page, 2, "Everything moves (figures 34 to 36, 55, 59)");
    page_add(&e->page,
             "Full runs: from the start until the agent has reached the destination. Krafft's planners run "
             "in real time, so that a slow one makes fewer plans; ours all make a plan in every frame, and "
             "\"late\" counts those that took more than 1/60 second, after which a planner in real time "
             "would miss a frame. The third table is the same scene at 60 plans a second.");
    for (int i = KRAFFT21_DYNAMIC_VERTICAL; i <= KRAFFT21_DYNAMIC_60; ++i) {
        write_table(&e->page, run, i);
    }

    int code = write_all_lines(e, run, charts, 4);
    page_begin_charts(&e->page);
    if (code == EXIT_DONE)
        code = write_bars(e, run, "cumulated-nodes", "A full run: expanded nodes (figures 35, 36)",
                          "expanded nodes, all plans", BAR_NODES);
    if (code == EXIT_DONE)
        code = write_bars(e, run, "cumulated-times", "A full run: time (figures 35, 36)",
                          "time of all plans (ms)", BAR_TIME);
    if (code == EXIT_DONE)
        code = write_bars(e, run, "peaks", "A full run: the longest plan (figure 59)",
                          "time of the longest plan (ms)", BAR_PEAK);
    page_end_charts(&e->page);
    return code;
}

static double mean_ms(const race_sum* sum) {
    return in_ms(sum->total / sum->frames);
}

static void write_numbers(page* p, const krafft21_run* run) {
    const race_sum *watches = run->races[KRAFFT21_WATCHES].sums, *reset = run->races[KRAFFT21_RESET].sums,
                   *waits = run->races[KRAFFT21_WAITS_VERTICAL].sums,
                   *full = run->races[KRAFFT21_DYNAMIC_VERTICAL].sums;
    const double begin_anew = waits[KRAFFT21_DSTAR_LITE].worst_nodes;

    experiment_begin_numbers(p, "What the text gives a number for; the destination moves vertically");
    experiment_add_number(p, "A*, ms a plan, agent waits", "30, 46", 17, mean_ms(&watches[KRAFFT21_ASTAR]));
    experiment_add_number(p, "Theta*, ms a plan, agent waits", "30", 31.13,
                          mean_ms(&watches[KRAFFT21_THETA]));
    experiment_add_number(p, "MT-D* Lite, not optimised, ms a reset", "33", 640,
                          mean_ms(&reset[KRAFFT21_MT_ALL]));
    experiment_add_number(p, "MT-D* Lite, ms a reset", "33", 291, mean_ms(&reset[KRAFFT21_MT]));
    experiment_add_number(p, "MT-D* Lite backward, worst frame / a reset", "31: as many", 1,
                          waits[KRAFFT21_MT_BACK].worst_nodes / begin_anew);
    experiment_add_number(p, "Basic MT-D* Lite backward, worst frame / a reset", "31: about twice", 2,
                          waits[KRAFFT21_BASIC_BACK].worst_nodes / begin_anew);
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
    page_end_table(p);
}

static void write_missing(page* p) {
    page_heading(p, 2, "What is not here");
    page_add(
        p, "Figures 49 and 50 are of (Basic) MT-D* Lite on the hybrid graph, and 52 to 55 and 59 mostly of "
           "any-angle MT-D* Lite on it: the hybrid graph does not take part on this page. Any-angle MT-D* "
           "Lite does, on the grid and on cells-portal, in the tables where everything moves; what the texts "
           "say of it is not judged. What they say of Theta*, A* and MT-D* Lite is held against the grid. "
           "Figures 13 and 46 are on the "
           "page of krafft-spaces. The waypoints of figure 11 are left out. The thesis shows most of its "
           "figures as pictures only: what is compared is what its text says of them.");
}

// -------------------------------------------------------------------------------------------------- numbers

static int write_frames_csv(experiment* e, const krafft21_run* run) {
    files_csv csv = files_begin_csv(RACE_FRAMES_HEADS);
    for (int s = 0; s < KRAFFT21_SCENARIOS; ++s) {
        const krafft21_race* race = &run->races[s];
        for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
            race_add_frames(&csv, krafft21_scenarios[s].name, krafft21_contenders[i].name, race->at,
                            race->frames, &race->sums[i]);
        }
    }
    return files_write_csv(&e->folder, "frames.csv", &csv);
}

static void add_total(files_csv* csv, const krafft21_race* race, int scenario, int contender) {
    const race_sum *sum = &race->sums[contender], *astar = &race->sums[KRAFFT21_ASTAR];
    const double values[] = {sum->frames,
                             sum->found,
                             sum->valid,
                             sum->nodes,
                             sum->nodes / astar->nodes,
                             sum->worst_nodes,
                             in_ms(sum->total),
                             sum->total / astar->total,
                             sum->nodes > 0 ? sum->total / sum->nodes * 1e9 : (double)NAN,
                             in_ms(sum->p99),
                             in_ms(sum->worst),
                             sum->late,
                             sum->found > 0 ? sum->length / sum->found : (double)NAN,
                             (double)sum->restarts};
    files_csv_text(csv, krafft21_scenarios[scenario].name);
    files_csv_text(csv, krafft21_contenders[contender].name);
    for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
        files_csv_real(csv, values[k]);
    }
    files_csv_end_row(csv);
}

static int write_totals_csv(experiment* e, const krafft21_run* run) {
    files_csv csv = files_begin_csv("scenario,contender,plans,found,valid,expanded,expanded_over_astar,"
                                    "worst_expanded,total_ms,total_over_astar,ns_per_node,p99_ms,worst_ms,"
                                    "late,length,resets");
    for (int s = 0; s < KRAFFT21_SCENARIOS; ++s) {
        for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
            if (run->races[s].sums[i].frames > 0) {
                add_total(&csv, &run->races[s], s, i);
            }
        }
    }
    return files_write_csv(&e->folder, "totals.csv", &csv);
}

int krafft21_write(experiment* e, const krafft21_run* run) {
    write_reset(e, run);
    int code = write_waits(e, run);
    code = code == EXIT_DONE ? write_flies(e, run) : code;
    code = code == EXIT_DONE ? write_watches(e, run) : code;
    code = code == EXIT_DONE ? write_dynamic(e, run) : code;
    write_numbers(&e->page, run);
    write_missing(&e->page);
    code = code == EXIT_DONE ? write_frames_csv(e, run) : code;
    return code == EXIT_DONE ? write_totals_csv(e, run) : code;
}
