/// volnav/experiment/krafft19.c: the experiment "krafft-2019": plans of all methods on all graphs while the
/// obstacles move.
#include "experiment/krafft19.h"

#include <stdlib.h>

#include "shell/rotation.h"

enum { CELLS = KRAFFT19_GRAPHS * KRAFFT19_METHODS, CONTENDERS };

// The thesis updates its graph again and again, and plans after each update: 282.15 ms on the grid.
const krafft19_scenario krafft19_scenarios[KRAFFT19_SCENARIOS] = {
    {"updates", "A plan every 282 ms, as often as the thesis updates its grid", 1 / 0.28215, 300, 10},
    {"frames", "60 plans a second", 60, 300, 10}};

#define SEARCH(title, number, ...)                                                                           \
    { .name = (title), .algo = (number), .heuristic = VN_HEURISTIC_EUCLIDEAN, __VA_ARGS__ }

const krafft19_method krafft19_methods[KRAFFT19_METHODS] = {
    {SEARCH("A*, ε = 1", VN_CLASSIC_ASTAR, .weight = 1), 1, false, 0},
    {SEARCH("A*, ε = 2", VN_CLASSIC_ASTAR, .weight = 2), 2, false, 0},
    {SEARCH("ARA*, δ = 0.2", VN_CLASSIC_ARA, .step = 0.2), 1, false, 4},
    {SEARCH("ARA*, δ = 0.4", VN_CLASSIC_ARA, .step = 0.4), 1, false, 4},
    {SEARCH("Theta*, ε = 1", VN_CLASSIC_THETA, .weight = 1), 0, false, 1},
    {SEARCH("Theta*, ε = 2", VN_CLASSIC_THETA, .weight = 2), 0, false, 1},
    {SEARCH("D* Lite, ε = 1", VN_REPLAN_DSTAR_LITE, .repairs = true, .weight = 1), 1, false, 2},
    {SEARCH("D* Lite, ε = 2", VN_REPLAN_DSTAR_LITE, .repairs = true, .weight = 2), 2, false, 2},
    {SEARCH("AD*, δ = 0.2", VN_REPLAN_AD, .repairs = true, .step = 0.2), 1, false, 3},
    {SEARCH("AD*, δ = 0.4", VN_REPLAN_AD, .repairs = true, .step = 0.4), 1, false, 3},
    {SEARCH("AD*, δ = 0.2, down to 1.4", VN_REPLAN_AD, .repairs = true, .step = 0.2, .least = 1.4), 1.4,
     false, 7},
    {SEARCH("D* Lite, ε = 1, resets", VN_REPLAN_DSTAR_LITE, .repairs = true, .weight = 1), 1, true, 2},
    {SEARCH("D* Lite, ε = 2, resets", VN_REPLAN_DSTAR_LITE, .repairs = true, .weight = 2), 2, true, 2},
    {SEARCH("AD*, δ = 0.2, resets", VN_REPLAN_AD, .repairs = true, .step = 0.2), 1, true, 3},
    {SEARCH("AD*, δ = 0.4, resets", VN_REPLAN_AD, .repairs = true, .step = 0.4), 1, true, 3}};

typedef struct study {
    experiment* e;
    const krafft19_scenario* scenario;
    krafft19_stage stage;
    krafft19_race* out;
    racer racers[KRAFFT19_GRAPHS][KRAFFT19_METHODS];
    racer_answer answers[KRAFFT19_GRAPHS][KRAFFT19_METHODS]; ///< of this frame
    uint32_t steps;
} study;

bool krafft19_takes_part(int graph, int method) {
    return graph != KRAFFT19_GRID || !krafft19_methods[method].resets;
}

// --------------------------------------------------------------------------------------------------- costs

/// Costs are rounded edge by edge, by less than this part.
static const double rounding = 1e-7;

static int refuse_cost(const study* s, int graph, int method, uint32_t frame, double best) {
    const racer_answer* answer = &s->answers[graph][method];
    return say_bad("%s, %s, plan %u of \"%s\": %s %.9g, but a fresh A* has %.9g", krafft19_graphs[graph],
                   krafft19_methods[method].racer.name, (unsigned)frame, s->scenario->name,
                   answer->row.found ? "a path that costs" : "no path: cost", answer->cost, best);
}

/// Against the cost of a fresh A*; 0: it found no path.
static int check_cost(study* s, int graph, int method, uint32_t frame, double best) {
    const krafft19_method* m = &krafft19_methods[method];
    const racer_answer* answer = &s->answers[graph][method];
    krafft19_costs* costs = &s->out->costs[graph][method];
    if (answer->row.found != (best > 0)) {
        return refuse_cost(s, graph, method, frame, best);
    }

    const double ratio = best > 0 ? answer->cost / best : 1;
    if (m->bound > 0 && (ratio < 1 - rounding || ratio > m->bound * (1 + rounding))) {
        return refuse_cost(s, graph, method, frame, best);
    }

    if (best > 0) {
        costs->sum += ratio;
        costs->least = costs->count == 0 || ratio < costs->least ? ratio : costs->least;
        costs->worst = ratio > costs->worst ? ratio : costs->worst;
        ++costs->count;
    }
    return EXIT_DONE;
}

/// The fresh A* is a grid's own; on waypoints the search from scratch among the contenders.
static int check_costs(study* s, uint32_t frame) {
    racer_answer afresh;
    int code = krafft19_search_afresh(&s->stage, &afresh);
    for (int g = 0; g < KRAFFT19_GRAPHS; ++g) {
        const racer_answer* best = g == KRAFFT19_GRID ? &afresh : &s->answers[g][KRAFFT19_ASTAR];
        for (int m = 0; m < KRAFFT19_METHODS && code == EXIT_DONE; ++m) {
            code = krafft19_takes_part(g, m) ? check_cost(s, g, m, frame, best->row.found ? best->cost : 0)
                                             : EXIT_DONE;
        }
    }
    return code;
}

// --------------------------------------------------------------------------------------------------- frames

/// Where waypoints do not join the ends, no method finds a path: such plans are not counted as paths.
static int plan_one(study* s, int graph, int method, uint32_t frame) {
    racer_answer* answer = &s->answers[graph][method];
    if (!krafft19_takes_part(graph, method)) {
        return EXIT_DONE;
    }

    const int code = racer_find(&s->racers[graph][method], s->stage.place.space, s->stage.from, s->stage.to,
                                krafft19_methods[method].resets, answer);
    if (code == EXIT_DONE) {
        race_add(&s->out->sums[graph][method], frame, answer);
        if (graph == KRAFFT19_GRID || answer->row.found) {
            run_count(s->e, &answer->row);
        }
    }
    return code;
}

static int ask_cells(study* s, uint32_t frame) {
    racer_answer answer = {.points = NULL};
    vn_nav_result result;
    double seconds = 0;
    const int code = moving_ask(&s->stage.place, s->stage.from, s->stage.to, 0, &result, &seconds);
    if (code == EXIT_DONE) {
        answer.row = moving_row(&s->stage.place, &result, seconds);
        race_add(&s->out->cells, frame, &answer);
        run_count(s->e, &answer.row);
    }
    return code;
}

static int plan_all(study* s, uint32_t frame) {
    int code = EXIT_DONE;
    for (uint32_t i = 0; i < CONTENDERS && code == EXIT_DONE; ++i) {
        const int contender = (int)rotation_at(CONTENDERS, frame, i);
        code = contender == CELLS
                   ? ask_cells(s, frame)
                   : plan_one(s, contender / KRAFFT19_METHODS, contender % KRAFFT19_METHODS, frame);
    }
    return code == EXIT_DONE ? check_costs(s, frame) : code;
}

static int step(study* s, double seconds) {
    const int code = krafft19_stage_step(&s->stage, seconds);
    for (int g = 0; g < KRAFFT19_GRAPHS; ++g) {
        s->out->update[g] += s->stage.update[g];
    }
    ++s->steps;
    return code;
}

static int run_frame(study* s, uint32_t frame) {
    const double seconds = frame / s->scenario->rate;
    const int code = frame > 0 ? step(s, seconds) : EXIT_DONE;
    s->out->at[frame] = seconds;
    ++s->out->frames;
    if (code == EXIT_DONE && !krafft19_ends_are_free(&s->stage)) {
        ++s->out->blind;
        return EXIT_DONE;
    }
    return code == EXIT_DONE ? plan_all(s, frame) : code;
}

// -------------------------------------------------------------------------------------------------- opening

static int open_racers(study* s) {
    int code = EXIT_DONE;
    for (int i = 0; i < CELLS && code == EXIT_DONE; ++i) {
        const int g = i / KRAFFT19_METHODS, m = i % KRAFFT19_METHODS;
        code = krafft19_takes_part(g, m)
                   ? krafft19_open_racer(&s->stage, g, &krafft19_methods[m].racer, &s->racers[g][m])
                   : EXIT_DONE;
    }
    return code;
}

static void note_nodes(study* s) {
    vn_space_info info;
    vn_space_get_info(s->stage.place.space, &info);
    s->out->nodes[KRAFFT19_GRID] = (uint32_t)(info.dims.x * info.dims.y * info.dims.z);
    for (int g = KRAFFT19_WAYPOINTS; g < KRAFFT19_GRAPHS; ++g) {
        vn_roadmap_info about;
        vn_roadmap_get_info(s->stage.roadmaps[g], &about);
        s->out->nodes[g] = about.nodes;
    }
}

static void open_sums(krafft19_race* out, uint32_t frames) {
    out->at = say_alloc(frames, sizeof *out->at);
    out->cells = race_open(frames);
    for (int i = 0; i < CELLS; ++i) {
        out->sums[i / KRAFFT19_METHODS][i % KRAFFT19_METHODS] = race_open(frames);
    }
}

static void close_sums(const study* s) {
    krafft19_race* out = s->out;
    race_close(&out->cells, out->frames);
    for (int i = 0; i < CELLS; ++i) {
        race_close(&out->sums[i / KRAFFT19_METHODS][i % KRAFFT19_METHODS], out->frames);
    }
    for (int g = 0; g < KRAFFT19_GRAPHS; ++g) {
        out->update[g] /= s->steps > 0 ? s->steps : 1;
    }
}

int krafft19_measure(experiment* e, int scenario, krafft19_race* out) {
    study* s = say_alloc(1, sizeof *s);
    *s = (study){.e = e, .scenario = &krafft19_scenarios[scenario], .out = out};
    const uint32_t frames = experiment_sample(e, s->scenario->frames, s->scenario->quick);
    open_sums(out, frames);
    int code = krafft19_stage_open(e, &s->stage);
    code = code == EXIT_DONE ? open_racers(s) : code;
    for (uint32_t frame = 0; frame < frames && code == EXIT_DONE; ++frame) {
        code = run_frame(s, frame);
        progress_report(&e->bar, s->scenario->name, (double)(frame + 1) / frames);
    }

    if (code == EXIT_DONE) {
        note_nodes(s);
    }
    close_sums(s);
    for (int i = 0; i < CELLS; ++i) {
        racer_close(&s->racers[i / KRAFFT19_METHODS][i % KRAFFT19_METHODS]);
    }
    krafft19_stage_close(&s->stage);
    free(s);
    return code;
}

void krafft19_free_race(krafft19_race* race) {
    race_free(&race->cells);
    for (int i = 0; i < CELLS; ++i) {
        race_free(&race->sums[i / KRAFFT19_METHODS][i % KRAFFT19_METHODS]);
    }
    free(race->at);
}

// ------------------------------------------------------------------------------------------------ all parts

int experiment_krafft_2019(experiment* e) {
    krafft19_run* run = say_alloc(1, sizeof *run);
    int code = krafft19_measure_corridors(e, &run->corridors);
    for (int i = 0; i < KRAFFT19_SCENARIOS && code == EXIT_DONE; ++i) {
        code = krafft19_measure(e, i, &run->races[i]);
    }

    if (code == EXIT_DONE) {
        code = krafft19_write(e, run);
        krafft19_judge(e, run);
    }

    for (int i = 0; i < KRAFFT19_SCENARIOS; ++i) {
        krafft19_free_race(&run->races[i]);
    }
    krafft19_free_corridors(&run->corridors);
    free(run);
    return code;
}
