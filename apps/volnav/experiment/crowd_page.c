/// volnav/experiment/crowd_page.c: tables, charts and pictures of the experiment "crowd".
#include <math.h>
#include <stdio.h>

#include "experiment/crowd.h"

static const char* const mode_names[CROWD_MODES] = {"ours", "pushing"};

static const char* const about[CROWD_STAGES] = {
    "exact symmetry: each to the opposite place, all through the middle",
    "each to the opposite place of a sphere, 10 m² each",
    "60 × 4 × 4 m, half of them at each end; 0.2 to 0.375 m, 1 to 2 m/s, three priorities",
    "two rooms, and an opening for one agent between them",
    "nine halls on two floors, six exits; agents look for their paths; 1 to 2 m/s, three priorities"};

static void write_opening(experiment* e) {
    page* p = &e->page;
    page_add(
        p,
        "Agents of 0.375 m and 1.5 m/s, unless the table says otherwise, that all fly at once, in steps of "
        "1/60 s (seed %llu). Ours: reciprocal velocity obstacles, walls, lanes and straits "
        "(volnav/avoid.h), in the station with the paths of volnav/crowd.h. Pushing: the rule of Albertini "
        "2022, 8.2, where a faster agent pushes a slower one away and nothing else happens; the replanning "
        "of stuck agents every 30 s is left out.",
        (unsigned long long)e->options->seed);
    page_add(
        p,
        "Every step of every agent goes through the exact checker of paths, and the deepest overlap of two "
        "bodies is measured over all pairs in all steps, as a share of the sum of their radii. What is "
        "counted as a path here is an agent: found when it arrives, valid if no step of it left the free "
        "voxels.");
}

// --------------------------------------------------------------------------------------------------- scenes

static void write_row(page* p, const crowd_report* r, const char* name, const char* mode, const char* text) {
    page_text(p, name);
    page_text(p, text);
    page_text(p, mode);
    page_real(p, r->agents);
    page_real(p, r->arrived);
    page_real(p, r->arrived == r->agents ? r->last : (double)NAN);
    page_real(p, r->overlap);
    page_real(p, r->wall_faults);
    page_real(p, r->us);
    page_end_row(p);
}

static void write_stages(page* p, const crowd_study* s) {
    static const char* const heads[] = {"scene",   "<what it is",     "<agents avoid",
                                        "agents",  "arrived",         "last, s",
                                        "overlap", "wall violations", "µs an agent and step"};
    page_heading(p, 2, "Scenes with one goal for each agent");
    page_begin_table(p, "Who arrives", NULL, heads, 9);
    for (int i = 0; i < CROWD_STAGES; ++i) {
        for (int mode = 0; mode < CROWD_MODES; ++mode) {
            write_row(p, &s->reports[i][mode], crowd_names[i], mode_names[mode], mode == 0 ? about[i] : "");
        }
    }
    page_end_table(p);
}

static int draw_arrivals(experiment* e, const crowd_study* s) {
    double values[CROWD_MODES][CROWD_STAGES], overlaps[CROWD_MODES][CROWD_STAGES];
    for (int i = 0; i < CROWD_STAGES; ++i) {
        for (int mode = 0; mode < CROWD_MODES; ++mode) {
            const crowd_report* r = &s->reports[i][mode];
            values[mode][i] = 100.0 * r->arrived / r->agents;
            overlaps[mode][i] = 100 * r->overlap;
        }
    }

    plot_chart arrivals = {.title = "Agents that arrive", .label = "arrived (%)", .width = 440};
    plot_chart depths = {.title = "Deepest overlap", .label = "of the radii's sum (%)", .width = 440};
    svg_text svg[2] = {{0}, {0}};
    arrivals.categories = depths.categories = crowd_names;
    arrivals.count = depths.count = CROWD_STAGES;
    for (int mode = 0; mode < CROWD_MODES; ++mode) {
        plot_add(&arrivals, mode_names[mode], values[mode], mode, false);
        plot_add(&depths, mode_names[mode], overlaps[mode], mode, false);
    }
    plot_bars(&arrivals, &svg[0]);
    plot_bars(&depths, &svg[1]);
    page_begin_charts(&e->page);
    int code = experiment_chart(e, "arrivals", &svg[0]);
    code = code == EXIT_DONE ? experiment_chart(e, "overlaps", &svg[1]) : code;
    page_end_charts(&e->page);
    return code;
}

static int draw_stage(experiment* e, const crowd_study* s, int which, double part, uint32_t before,
                      int width) {
    static const char* const titles[CROWD_MODES] = {"ours", "pushing"};
    int code = EXIT_DONE;
    for (int mode = 0; code == EXIT_DONE && mode < CROWD_MODES; ++mode) {
        const crowd_film* film = &s->films[which][mode];
        const uint32_t last = s->films[which][CROWD_OURS].frames - 1;
        uint32_t frame = (uint32_t)(part * last);
        frame = frame < film->frames ? frame : film->frames - 1;
        svg_text svg = {0};
        char title[80], name[64];
        snprintf(title, sizeof title, "%s, %s: after %.1f s", crowd_names[which], titles[mode],
                 CROWD_FRAME * frame);
        snprintf(name, sizeof name, "%s-%s", crowd_names[which], titles[mode]);
        crowd_draw(film, title, frame, before, width, &svg);
        code = experiment_chart(e, name, &svg);
    }
    return code;
}

static int draw_stages(experiment* e, const crowd_study* s) {
    page_heading(&e->page, 3, "Pictures");
    page_add(&e->page,
             "From above. Of the ring whole tracks, otherwise those of the last two seconds; both columns "
             "show the same moment. In the corridor and at the door colours are directions.");
    page_begin_charts(&e->page);
    int code = draw_stage(e, s, CROWD_RING, 1, UINT32_MAX, 440);
    code = code == EXIT_DONE ? draw_stage(e, s, CROWD_CORRIDOR, 0.4, 8, 900) : code;
    code = code == EXIT_DONE ? draw_stage(e, s, CROWD_DOOR, 0.3, 8, 440) : code;
    code = code == EXIT_DONE ? draw_stage(e, s, CROWD_STATION, 0.2, 8, 440) : code;
    page_end_charts(&e->page);
    return code;
}

// ----------------------------------------------------------------------------------------------------- runs

static void write_runs(page* p, const crowd_study* s) {
    static const char* const heads[] = {
        "scene",           "agents",          "s simulated",         "goals reached",
        "with each other", "with what moves", "with walls",          "each other, m",
        "what moves, m",   "walls, m",        "µs an agent and step"};
    page_heading(p, 2, "Scenes in which goal follows goal");
    page_add(
        p,
        "Runs of volnav/run.h: drones between shelves, lifts and sliding doors, and schools of fish around "
        "rocks. Their judge sweeps the true shapes and knows no voxels.");

    page_begin_table(p, "Warehouse and reef", "||||contacts:3|nearest, surface to surface:3|", heads, 11);
    for (int i = 0; i < CROWD_RUNS; ++i) {
        const vn_run_result* r = &s->runs[i];
        page_text(p, crowd_runs[i]);
        page_real(p, r->agents);
        page_real(p, r->seconds);
        page_real(p, r->goals);
        page_real(p, r->agent_hits);
        page_real(p, r->collisions);
        page_real(p, r->wall_hits);
        page_real(p, r->agent_clearance);
        page_real(p, r->clearance);
        page_real(p, r->wall_clearance);
        page_real(p, 1e6 * r->path_seconds / (double)r->steps);
        page_end_row(p);
    }
    page_end_table(p);
}

static int draw_runs(experiment* e, const crowd_study* s) {
    int code = EXIT_DONE;
    page_begin_charts(&e->page);
    for (int i = 0; code == EXIT_DONE && i < CROWD_RUNS; ++i) {
        const crowd_film* film = &s->run_films[i];
        svg_text svg = {0};
        char title[80];
        snprintf(title, sizeof title, "%s: after %.1f s", crowd_runs[i], CROWD_FRAME * (film->frames - 1));
        crowd_draw(film, title, film->frames - 1, 12, 900, &svg);
        code = experiment_chart(e, crowd_runs[i], &svg);
    }
    page_end_charts(&e->page);
    return code;
}

// ---------------------------------------------------------------------------------------------------- times

static int write_times(experiment* e, const crowd_times* t) {
    static const char* const heads[] = {"layout", "100",   "1,000",  "10,000",
                                        "100",    "1,000", "10,000", "10,000 / 1,000"};
    page* p = &e->page;
    double values[CROWD_LAYOUTS][CROWD_SIZES];
    page_heading(p, 2, "Times");
    page_add(
        p,
        "One step of avoidance on one thread, at the same density for all sizes. The calibration loop made "
        "%.0f steps a microsecond; the ratio to it is what can be compared between machines.",
        t->calibration);
    page_begin_table(p, "An agent and step", "|µs:3|steps of the calibration loop:3|growth", heads, 8);
    for (int i = 0; i < CROWD_LAYOUTS; ++i) {
        page_text(p, crowd_layouts[i]);
        for (int k = 0; k < CROWD_SIZES; ++k) {
            page_real(p, t->us[i][k]);
        }
        for (int k = 0; k < CROWD_SIZES; ++k) {
            values[i][k] = t->us[i][k] * t->calibration;
            page_real(p, values[i][k]);
        }
        page_real(p, crowd_growth(t, i));
        page_end_row(p);
    }
    page_end_table(p);

    static const char* const names[CROWD_SIZES] = {"100", "1,000", "10,000"};
    plot_chart chart = {.title = "An agent and step, by the number of agents",
                        .label = "steps of the calibration loop",
                        .width = 440,
                        .categories = names,
                        .count = CROWD_SIZES};
    svg_text svg = {0};
    for (int i = 0; i < CROWD_LAYOUTS; ++i) {
        plot_add(&chart, crowd_layouts[i], values[i], i, false);
    }
    plot_bars(&chart, &svg);
    page_begin_charts(p);
    const int code = experiment_chart(e, "times", &svg);
    page_end_charts(p);
    return code;
}

// ------------------------------------------------------------------------------------------------- verdicts

static void add_verdict(page* p, const char* what, bool holds, const char* found) {
    page_text(p, what);
    page_text(p, found);
    page_text(p, holds ? "yes" : "no");
    page_end_row(p);
}

static void write_verdicts(page* p, const crowd_study* s) {
    static const char* const heads[] = {"what must hold", "<here", "<holds"};
    uint32_t agents = 0, arrived = 0, faults = 0, contacts = 0;
    double overlap = 0, growth = 0;
    char found[120];
    for (int i = 0; i < CROWD_STAGES; ++i) {
        const crowd_report* r = &s->reports[i][CROWD_OURS];
        agents += r->agents;
        arrived += r->arrived;
        faults += r->wall_faults;
        overlap = fmax(overlap, r->overlap);
    }
    for (int i = 0; i < CROWD_RUNS; ++i) {
        contacts += s->runs[i].collisions + s->runs[i].wall_hits + s->runs[i].agent_hits;
    }
    for (int i = 0; i < 2; ++i) {
        growth = fmax(growth, crowd_growth(&s->times, i));
    }

    page_heading(p, 2, "What holds");
    page_begin_table(p, "Ours", NULL, heads, 3);
    snprintf(found, sizeof found, "%u of %u", arrived, agents);
    add_verdict(p, "Everyone arrives, in every scene.", arrived == agents, found);
    snprintf(found, sizeof found, "%u steps", faults);
    add_verdict(p, "No step touches a wall.", faults == 0, found);
    snprintf(found, sizeof found, "%.3f at most", overlap);
    add_verdict(p, "Bodies overlap by less than 0.15 of their radii's sum.", overlap < s->overlap_limit,
                found);
    snprintf(found, sizeof found, "%u contacts", contacts);
    add_verdict(p, "Warehouse and reef: nothing is touched.", contacts == 0, found);
    snprintf(found, sizeof found, "%.2f times at most", growth);
    add_verdict(p,
                "Near-linear: an agent among 10,000 takes less than 1.5 times the time of one among 1,000.",
                growth < s->growth_limit, found);
    page_end_table(p);
}

// ---------------------------------------------------------------------------------------------------- files

static int write_csv(experiment* e, const crowd_study* s) {
    files_csv csv = files_begin_csv("scene,mode,agents,arrived,last_s,overlap,wall_violations,us_agent_step");
    for (int i = 0; i < CROWD_STAGES * CROWD_MODES; ++i) {
        const crowd_report* r = &s->reports[i / CROWD_MODES][i % CROWD_MODES];
        files_csv_text(&csv, crowd_names[i / CROWD_MODES]);
        files_csv_text(&csv, mode_names[i % CROWD_MODES]);
        files_csv_real(&csv, r->agents);
        files_csv_real(&csv, r->arrived);
        files_csv_real(&csv, r->arrived == r->agents ? r->last : (double)NAN);
        files_csv_real(&csv, r->overlap);
        files_csv_real(&csv, r->wall_faults);
        files_csv_real(&csv, r->us);
        files_csv_end_row(&csv);
    }
    int code = files_write_csv(&e->folder, "scenes.csv", &csv);

    csv = files_begin_csv(
        "scene,agents,seconds,goals,agent_hits,collisions,wall_hits,agent_clearance_m,clearance_m,"
        "wall_clearance_m,us_agent_step");
    for (int i = 0; i < CROWD_RUNS; ++i) {
        const vn_run_result* r = &s->runs[i];
        const double numbers[] = {r->agents,          r->seconds,
                                  r->goals,           r->agent_hits,
                                  r->collisions,      r->wall_hits,
                                  r->agent_clearance, r->clearance,
                                  r->wall_clearance,  1e6 * r->path_seconds / (double)r->steps};
        files_csv_text(&csv, crowd_runs[i]);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
            files_csv_real(&csv, numbers[k]);
        }
        files_csv_end_row(&csv);
    }
    const int second = files_write_csv(&e->folder, "runs.csv", &csv);
    code = code == EXIT_DONE ? second : code;

    csv = files_begin_csv("layout,agents,us_agent_step,calibration_steps");
    for (int i = 0; i < CROWD_LAYOUTS * CROWD_SIZES; ++i) {
        const double us = s->times.us[i / CROWD_SIZES][i % CROWD_SIZES];
        files_csv_text(&csv, crowd_layouts[i / CROWD_SIZES]);
        files_csv_real(&csv, crowd_sizes[i % CROWD_SIZES]);
        files_csv_real(&csv, us);
        files_csv_real(&csv, us * s->times.calibration);
        files_csv_end_row(&csv);
    }
    const int third = files_write_csv(&e->folder, "times.csv", &csv);
    return code == EXIT_DONE ? third : code;
}

int crowd_write(experiment* e, const crowd_study* s) {
    write_opening(e);
    write_verdicts(&e->page, s);
    write_stages(&e->page, s);
    int code = draw_arrivals(e, s);
    code = code == EXIT_DONE ? draw_stages(e, s) : code;
    write_runs(&e->page, s);
    code = code == EXIT_DONE ? draw_runs(e, s) : code;
    code = code == EXIT_DONE ? write_times(e, &s->times) : code;
    return code == EXIT_DONE ? write_csv(e, s) : code;
}
