/// volnav/experiment/krafft_success_page.c: tables, charts and numbers of the experiment "krafft-success".
#include <math.h>
#include <stdio.h>

#include "experiment/krafft_success.h"

static void write_opening(experiment* e) {
    page* p = &e->page;
    page_add(p,
             "One agent flies through 64 × 56 × 16 m to a destination that moves up and down, among 16 "
             "obstacles that slide, turn, come and go (seed %llu). It is faster than all of them, and plans "
             "anew ten times a second, or as often as its graph is updated. A run succeeds if the agent "
             "reaches its destination and touches nothing: a swept test against the true shapes says so, "
             "which shares no code with what plans "
             "and steers. Runs of all agents have the same seeds.",
             (unsigned long long)e->options->seed);

    page_add(
        p,
        "By the theses' rules (Krafft 2019, 4.4) the agent follows the newest path at constant speed, also "
        "while there is no newer one. Each path begins at the next point of the one before, unless that is "
        "blocked or, for paths at any angle, out of sight: then at the node closest to the agent. Updates "
        "of the graph follow one another, and a collision ends the run. Latency is the time "
        "until the agent learns what has happened and has the path for it: none; ours, as measured in "
        "krafft-spaces (grid 12.9 ms, waypoints 1.5, hybrid graph 10.2, cells 0.58); the theses', which "
        "are their updates of the graph (grid 282 ms, waypoints 328, hybrid graph 1.35). How long a search "
        "itself takes is no part of a run: ARA* and AD* end their last pass before the agent moves on.");

    page_add(p,
             "Shares have Wilson's interval at 95 %%. Runs in which what moves left the agent no way out, "
             "whatever it had done, are counted apart. Lengths, nodes and times are means of the runs that "
             "succeeded, as in the theses. The theses do not say how many runs they made: the percentages "
             "of 2019 are fractions of at least 119 (111 / 119 = 93.277 %%), 133, 139 and 128 runs. Most of "
             "their figures are bars without numbers; here stand the numbers that the texts give.");
}

// ---------------------------------------------------------------------------------------------------- tables

/// Spaces that do not break keep it in one line.
static void write_share(page* p, const success_sum* sum) {
    const stats_interval i = success_interval(sum);
    char text[64] = "";
    if (success_counted(sum) > 0) {
        snprintf(text, sizeof text, "%.1f\u00a0(%.0f\u00a0to\u00a0%.0f)", success_mean(sum, SUCCESS_SHARE),
                 i.low, i.high);
    }
    page_text(p, text);
}

/// Shares under the three latencies, and what ended the runs under the thesis's.
static void write_shares(page* p, const success_study* s, success_group group, const char* caption) {
    static const char* const heads[] = {"agent", "thesis",   "<none", "<ours",     "<thesis's",
                                        "runs",  "obstacle", "wall",  "not there", "enclosed"};
    int count;
    const success_agent* agents = success_agents(group, &count);
    page_begin_table(p, caption, "|%|success by latency, % (95 %):3|under the thesis's latency:5", heads, 10);
    for (int i = 0; i < count; ++i) {
        const success_sum* sums = s->sums[group][i];
        const success_sum* last = &sums[LATENCY_THESIS];
        if (last->runs == 0) {
            continue;
        }

        page_text(p, agents[i].name);
        page_theirs(p, agents[i].theirs[SUCCESS_SHARE]);
        for (int l = 0; l < LATENCY_KINDS; ++l) {
            write_share(p, &sums[l]);
        }
        page_real(p, last->runs);
        page_real(p, last->by_movers);
        page_real(p, last->by_walls);
        page_real(p, last->late);
        page_real(p, last->enclosed);
        page_end_row(p);
    }
    page_end_table(p);
}

/// Lengths under the three latencies; times and nodes under the thesis's, on the grid also to a destination
/// that stands.
static void write_work(page* p, const success_study* s, success_group group, const char* caption) {
    static const char* const heads[] = {"agent",  "thesis", "none",   "ours", "thesis's",
                                        "thesis", "ours",   "thesis", "ours", "ours"};
    const bool with_still = group == SUCCESS_GRID;
    int count;
    const success_agent* agents = success_agents(group, &count);
    page_begin_table(p, caption,
                     with_still
                         ? "|length by latency, m:4|time, ms:2|expanded nodes:2|nodes, destination stands"
                         : "|length by latency, m:4|time, ms:2|expanded nodes:2",
                     heads, with_still ? 10 : 9);
    for (int i = 0; i < count; ++i) {
        const success_sum* sum = &s->sums[group][i][LATENCY_THESIS];
        if (sum->runs == 0) {
            continue;
        }

        page_text(p, agents[i].name);
        page_theirs(p, agents[i].theirs[SUCCESS_LENGTH]);
        for (int l = 0; l < LATENCY_KINDS; ++l) {
            page_real(p, success_mean(&s->sums[group][i][l], SUCCESS_LENGTH));
        }
        page_theirs(p, agents[i].theirs[SUCCESS_MS]);
        page_real(p, success_mean(sum, SUCCESS_MS));
        page_theirs(p, agents[i].theirs[SUCCESS_NODES]);
        page_real(p, success_mean(sum, SUCCESS_NODES));
        if (with_still) {
            page_real(p, success_mean(&s->sums[SUCCESS_STILL][i][LATENCY_THESIS], SUCCESS_NODES));
        }
        page_end_row(p);
    }
    page_end_table(p);
}

static void write_six_table(page* p, const success_study* s) {
    static const char* const heads[] = {
        "agent",    "latency",   "runs", "<success, % (95 %)", "obstacle", "wall", "not there",
        "enclosed", "length, m", "s",    "least clearance, m", "time, ms"};
    int count;
    const success_agent* agents = success_agents(SUCCESS_SIX, &count);

    page_begin_table(p, "Our sixth autopilot", NULL, heads, 12);
    for (int i = 0; i < count * LATENCY_KINDS; ++i) {
        const success_sum* sum = &s->sums[SUCCESS_SIX][i / LATENCY_KINDS][i % LATENCY_KINDS];
        if (sum->runs == 0) {
            continue;
        }

        page_text(p, agents[i / LATENCY_KINDS].name);
        page_text(p, success_latency_names[i % LATENCY_KINDS]);
        page_real(p, sum->runs);
        write_share(p, sum);
        page_real(p, sum->by_movers);
        page_real(p, sum->by_walls);
        page_real(p, sum->late);
        page_real(p, sum->enclosed);
        page_real(p, success_mean(sum, SUCCESS_LENGTH));
        page_real(p, sum->reached > 0 ? sum->seconds / sum->reached : (double)NAN);
        page_real(p, sum->clearance);
        page_real(p, success_mean(sum, SUCCESS_MS));
        page_end_row(p);
    }
    page_end_table(p);
}

// ---------------------------------------------------------------------------------------------------- charts

/// What a chart needs of the agents of a group that were flown.
typedef struct bars {
    const char* names[SUCCESS_AGENTS_MAX];
    double theirs[SUCCESS_AGENTS_MAX];
    double values[LATENCY_KINDS][SUCCESS_AGENTS_MAX];
    double low[LATENCY_KINDS][SUCCESS_AGENTS_MAX], high[LATENCY_KINDS][SUCCESS_AGENTS_MAX];
    int count;
    bool printed; ///< the thesis gives a number for one of them
} bars;

static void collect(const success_study* s, success_group group, int column, bars* out) {
    int count;
    const success_agent* agents = success_agents(group, &count);
    *out = (bars){.count = 0};
    for (int i = 0; i < count; ++i) {
        const success_sum* sums = s->sums[group][i];
        if (sums[LATENCY_NONE].runs + sums[LATENCY_THESIS].runs == 0) {
            continue;
        }
        out->names[out->count] = agents[i].name;
        out->theirs[out->count] = agents[i].theirs[column];
        out->printed = out->printed || isfinite(agents[i].theirs[column]);
        for (int l = 0; l < LATENCY_KINDS; ++l) {
            const stats_interval interval = success_interval(&sums[l]);
            out->values[l][out->count] = success_mean(&sums[l], column);
            out->low[l][out->count] = column == SUCCESS_SHARE ? interval.low : (double)NAN;
            out->high[l][out->count] = column == SUCCESS_SHARE ? interval.high : (double)NAN;
        }
        ++out->count;
    }
}

/// Bars under each latency beside the thesis's.
static int draw_bars(experiment* e, const success_study* s, success_group group, int column,
                     const char* title, const char* file) {
    static const char* const names[LATENCY_KINDS] = {"no latency", "our latency", "thesis's latency"};
    static const int colours[LATENCY_KINDS] = {5, 2, 1};
    bars b;
    svg_text svg = {0};
    collect(s, group, column, &b);
    if (b.count == 0) {
        return EXIT_DONE;
    }

    plot_chart chart = {.title = title,
                        .label = column == SUCCESS_SHARE ? "success and its 95 % interval (%)" : "length (m)",
                        .width = 440,
                        .categories = b.names,
                        .count = b.count};
    if (b.printed) {
        plot_add(&chart, "thesis", b.theirs, 0, true);
    }
    for (int l = 0; l < LATENCY_KINDS; ++l) {
        plot_add_intervals(&chart, names[l], b.values[l], b.low[l], b.high[l], colours[l], false);
    }
    plot_bars(&chart, &svg);
    return experiment_chart(e, file, &svg);
}

static int draw_nodes(experiment* e, const success_study* s) {
    bars moving, stands;
    svg_text svg = {0};
    collect(s, SUCCESS_GRID, SUCCESS_NODES, &moving);
    collect(s, SUCCESS_STILL, SUCCESS_NODES, &stands);
    if (moving.count == 0) {
        return EXIT_DONE;
    }

    plot_chart chart = {.title = "Figures 52 and 53: expanded nodes of a run",
                        .label = "expanded nodes of a run that succeeded",
                        .width = 900,
                        .categories = moving.names,
                        .count = moving.count};
    plot_add(&chart, "thesis, destination moves", moving.theirs, 0, true);
    plot_add(&chart, "ours, destination moves", moving.values[LATENCY_THESIS], 1, false);
    if (stands.count == moving.count) {
        plot_add(&chart, "ours, destination stands", stands.values[LATENCY_THESIS], 2, false);
    }
    plot_bars(&chart, &svg);
    return experiment_chart(e, "nodes-grid", &svg);
}

static int draw_six(experiment* e, const success_study* s) {
    bars b;
    svg_text svg = {0};
    collect(s, SUCCESS_SIX, SUCCESS_SHARE, &b);
    plot_chart chart = {.title = "Our sixth autopilot: success, no latency",
                        .label = "success and its 95 % interval (%)",
                        .width = 440,
                        .categories = b.names,
                        .count = b.count};
    plot_add_intervals(&chart, "group 6", b.values[LATENCY_NONE], b.low[LATENCY_NONE], b.high[LATENCY_NONE],
                       2, false);
    plot_bars(&chart, &svg);
    int code = experiment_chart(e, "success-six", &svg);

    collect(s, SUCCESS_SIX, SUCCESS_LENGTH, &b);
    chart.title = "Our sixth autopilot: length, no latency";
    chart.label = "length (m)";
    chart.series_count = 0;
    svg = (svg_text){0};
    plot_add(&chart, "group 6", b.values[LATENCY_NONE], 2, false);
    plot_bars(&chart, &svg);
    return code == EXIT_DONE ? experiment_chart(e, "lengths-six", &svg) : code;
}

// -------------------------------------------------------------------------------------------------- sections

static int write_2019(experiment* e, const success_study* s) {
    page* p = &e->page;
    page_heading(p, 2, "Krafft 2019: grid and waypoints");
    write_shares(p, s, SUCCESS_GRID, "Figures 49 i and 64, table 1: success on the grid");
    write_shares(p, s, SUCCESS_WAYPOINTS, "Figures 49 ii and 65: success on waypoints");
    page_begin_charts(p);
    int code =
        draw_bars(e, s, SUCCESS_GRID, SUCCESS_SHARE, "Figure 49 i: success on the grid", "success-grid");
    code = code == EXIT_DONE ? draw_bars(e, s, SUCCESS_WAYPOINTS, SUCCESS_SHARE,
                                         "Figure 49 ii: success on waypoints", "success-waypoints")
                             : code;
    code = code == EXIT_DONE ? draw_bars(e, s, SUCCESS_GRID, SUCCESS_LENGTH, "Figure 51: length on the grid",
                                         "lengths-grid")
                             : code;
    code = code == EXIT_DONE ? draw_bars(e, s, SUCCESS_WAYPOINTS, SUCCESS_LENGTH,
                                         "Figure 72: length on waypoints", "lengths-waypoints")
                             : code;
    page_end_charts(p);

    write_work(p, s, SUCCESS_GRID,
               "Figures 51 to 53 and 66 to 71, table 1: a run on the grid that succeeded");
    write_work(p, s, SUCCESS_WAYPOINTS, "Figures 72 to 77: a run on waypoints that succeeded");
    page_begin_charts(p);
    code = code == EXIT_DONE ? draw_nodes(e, s) : code;
    page_end_charts(p);
    return code;
}

static int write_2021(experiment* e, const success_study* s) {
    page* p = &e->page;
    page_heading(p, 2, "Krafft 2021: the hybrid graph");
    page_add(p,
             "The text gives 100 %% for A*, Basic MT-D* Lite and MT-D* Lite, and 96 %% for the least, which "
             "it calls MT-D* Lite Fast: there is no such planner, and its figure 57 has AAMT-D* Lite Fast. "
             "Figure 58 shows the lengths of A*, Theta*, MT-D* Lite and AAMT-D* Lite only.");
    write_shares(p, s, SUCCESS_HYBRID, "Figure 57: success on the hybrid graph");
    write_work(p, s, SUCCESS_HYBRID, "Figure 58: a run on the hybrid graph that succeeded");
    page_begin_charts(p);
    int code = draw_bars(e, s, SUCCESS_HYBRID, SUCCESS_SHARE, "Figure 57: success on the hybrid graph",
                         "success-hybrid");
    code = code == EXIT_DONE ? draw_bars(e, s, SUCCESS_HYBRID, SUCCESS_LENGTH,
                                         "Figure 58: length on the hybrid graph", "lengths-hybrid")
                             : code;
    page_end_charts(p);
    return code;
}

/// An any-angle agent of ours and one that goes from node to node, on the same graph.
static const struct {
    const char* name;
    int any_angle, other; ///< in SUCCESS_SIX
} couples[] = {{"Theta* and A*, grid", 2, 1},   {"AAMT-D* Lite and MT-D* Lite, grid", 5, 4},
               {"Theta* and A*, hybrid", 7, 6}, {"AAMT-D* Lite and MT-D* Lite, hybrid", 10, 9},
               {"cells and A*, grid", 0, 1},    {"cells and MT-D* Lite, grid", 0, 4}};

static void write_couples(page* p, const success_study* s) {
    static const char* const heads[] = {
        "any-angle and from node to node", "pairs", "any-angle", "other", "ratio", "farther, pairs"};
    page_begin_table(p, "Who travels farther: runs with the same seed", "||length, m:2||", heads, 6);
    for (size_t i = 0; i < sizeof couples / sizeof *couples; ++i) {
        const success_sum* first = &s->sums[SUCCESS_SIX][couples[i].any_angle][LATENCY_NONE];
        const success_sum* second = &s->sums[SUCCESS_SIX][couples[i].other][LATENCY_NONE];
        const success_pairs pairs = success_compare(first, second);
        if (pairs.count > 0) {
            page_text(p, couples[i].name);
            page_real(p, pairs.count);
            page_real(p, pairs.first / pairs.count);
            page_real(p, pairs.second / pairs.count);
            page_real(p, pairs.first / pairs.second);
            page_real(p, pairs.farther);
            page_end_row(p);
        }
    }
    page_end_table(p);
}

static int write_six(experiment* e, const success_study* s) {
    page* p = &e->page;
    success_sum all = {0};
    for (int l = 0; l < LATENCY_KINDS; ++l) {
        const success_sum one = success_pool(s, SUCCESS_SIX, (latency_kind)l);
        all.runs += one.runs;
        all.enclosed += one.enclosed;
        all.reached += one.reached;
        all.by_movers += one.by_movers;
        all.by_walls += one.by_walls;
        all.late += one.late;
    }

    page_heading(p, 2, "Group 6");
    page_add(p,
             "The same scene by our own rules: the agent knows how an obstacle moves, not when, obeys an "
             "acceleration of 8 m/s², and flies along the newest path only as far as a manoeuvre is verified "
             "to a stop. Of %u runs %u succeeded; %u touched an obstacle, %u a wall, %u were not there after "
             "180 s, %u were enclosed.",
             all.runs, all.reached, all.by_movers, all.by_walls, all.late, all.enclosed);
    write_six_table(p, s);
    write_couples(p, s);
    page_begin_charts(p);
    const int code = draw_six(e, s);
    page_end_charts(p);
    return code;
}

// ------------------------------------------------------------------------------------------------------- CSV

static void write_csv_row(files_csv* csv, const success_agent* a, const success_sum* sum) {
    const stats_interval interval = success_interval(sum);
    const double numbers[] = {sum->runs,
                              sum->enclosed,
                              sum->reached,
                              sum->by_movers,
                              sum->by_walls,
                              sum->late,
                              success_mean(sum, SUCCESS_SHARE),
                              interval.low,
                              interval.high};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        files_csv_real(csv, numbers[i]);
    }
    for (int c = SUCCESS_LENGTH; c < SUCCESS_COLUMNS; ++c) {
        files_csv_real(csv, success_mean(sum, c));
    }
    files_csv_real(csv, sum->clearance);
    for (int c = 0; c < SUCCESS_COLUMNS; ++c) {
        files_csv_real(csv, a->theirs[c]);
    }
    files_csv_end_row(csv);
}

static int write_csv(experiment* e, const success_study* s) {
    static const char* const names[SUCCESS_GROUPS] = {"grid", "waypoints", "still", "hybrid", "group 6"};
    files_csv csv = files_begin_csv(
        "group,agent,latency,runs,enclosed,succeeded,obstacle,wall,late,share,low,high,length_m,"
        "expanded,path_ms,clearance_m,thesis_share,thesis_length,thesis_expanded,thesis_ms");
    for (int i = 0; i < SUCCESS_GROUPS * SUCCESS_AGENTS_MAX * LATENCY_KINDS; ++i) {
        const int group = i / (SUCCESS_AGENTS_MAX * LATENCY_KINDS);
        const int agent = i / LATENCY_KINDS % SUCCESS_AGENTS_MAX, latency = i % LATENCY_KINDS;
        const success_sum* sum = &s->sums[group][agent][latency];
        int count;
        const success_agent* agents = success_agents((success_group)group, &count);
        if (agent < count && sum->runs > 0) {
            files_csv_text(&csv, names[group]);
            files_csv_text(&csv, agents[agent].name);
            files_csv_text(&csv, success_latency_names[latency]);
            write_csv_row(&csv, &agents[agent], sum);
        }
    }
    return files_write_csv(&e->folder, "shares.csv", &csv);
}

int success_write(experiment* e, const success_study* s) {
    write_opening(e);
    int code = write_2019(e, s);
    code = code == EXIT_DONE ? write_2021(e, s) : code;
    code = code == EXIT_DONE ? write_six(e, s) : code;
    return code == EXIT_DONE ? write_csv(e, s) : code;
}
