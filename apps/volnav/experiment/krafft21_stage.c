/// volnav/experiment/krafft21_stage.c: contenders on one scene.
#include "experiment/krafft21_stage.h"

enum { HISTORY = 64 }; ///< more frames than an obstacle covers an end, as a rule

bool krafft21_takes_part(int contender, int scenario) {
    return (krafft21_contenders[contender].where & krafft21_scenarios[scenario].set) != 0;
}

// -------------------------------------------------------------------------------------------------- opening

static bool has_graph(const krafft21_contender* c) {
    return c->way == KRAFFT21_SCRATCH || c->way == KRAFFT21_REPAIR;
}

static int open_racer(krafft21_stage* s, int contender) {
    const krafft21_contender* c = &krafft21_contenders[contender];
    const racer_def def = {.name = c->name,
                           .repairs = c->way == KRAFFT21_REPAIR,
                           .algo = c->algo,
                           .heuristic = c->heuristic,
                           .backward = c->backward,
                           .all = c->all,
                           .weight = c->weight};
    return has_graph(c) ? racer_open_nav(&def, s->place.nav, c->kind, &s->racers[contender]) : EXIT_DONE;
}

int krafft21_stage_open(experiment* e, int scenario, krafft21_stage* out) {
    moving_def def = {.every = true, .history = HISTORY, .goal = krafft21_scenarios[scenario].goal};
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        const bool graph = krafft21_takes_part(i, scenario) && has_graph(&krafft21_contenders[i]);
        def.graphs |= graph ? 1u << krafft21_contenders[i].kind : 0;
    }

    int code = moving_open_krafft(e, &def, &out->place);
    for (int i = 0; i < KRAFFT21_CONTENDERS && code == EXIT_DONE; ++i) {
        code = krafft21_takes_part(i, scenario) ? open_racer(out, i) : EXIT_DONE;
    }
    return code;
}

void krafft21_stage_close(krafft21_stage* s) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        racer_close(&s->racers[i]);
    }
    moving_close(&s->place);
}

// ------------------------------------------------------------------------------------------------ searching

static int ask(krafft21_stage* s, vn_point from, vn_point to, racer_answer* out) {
    vn_nav_result result;
    double seconds = 0;
    const int code = moving_ask(&s->place, from, to, 0, &result, &seconds);
    if (code != EXIT_DONE) {
        return code;
    }

    // The row releases the result, and its points with it.
    out->points = s->points;
    out->count = result.point_count < KRAFFT21_POINTS ? result.point_count : KRAFFT21_POINTS;
    for (uint32_t i = 0; i < out->count; ++i) {
        s->points[i] = result.points[i];
    }
    out->row = moving_row(&s->place, &result, seconds);
    return EXIT_DONE;
}

static int jump(krafft21_stage* s, const krafft21_contender* c, vn_point from, vn_point to,
                racer_answer* out) {
    vn_classic_request request = vn_default_classic_request();
    request.start = from;
    request.goal = to;
    request.algo = (vn_classic_algo)c->algo;
    request.heuristic = c->heuristic;
    return racer_search_voxels(c->name, s->place.space, &request, out);
}

int krafft21_stage_find(krafft21_stage* s, int contender, vn_point from, vn_point to, bool reset,
                        racer_answer* out) {
    const krafft21_contender* c = &krafft21_contenders[contender];
    *out = (racer_answer){.points = NULL};
    if (c->way == KRAFFT21_ASK) {
        return ask(s, from, to, out);
    }

    return c->way == KRAFFT21_JUMP ? jump(s, c, from, to, out)
                                   : racer_find(&s->racers[contender], s->place.space, from, to, reset, out);
}
