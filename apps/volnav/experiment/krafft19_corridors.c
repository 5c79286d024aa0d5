/// volnav/experiment/krafft19_corridors.c: paths of single moments (Krafft 2019, figures 42 to 47): those of
/// each ε, and one that an obstacle cuts.
#include <math.h>
#include <stdlib.h>

#include "experiment/krafft19.h"
#include "volnav/path.h"

static const double steps[2] = {0.2, 0.4}; ///< δ
static const double first_weight = 3;      ///< ε₀

enum { MOMENTS = 60, CUT_FRAMES = 60 * MOVING_FRAMES }; ///< moments: one a second

/// Keeps a path.
static krafft19_pass keep(const vn_space* space, const vn_point* points, uint32_t count) {
    krafft19_pass pass = {.count = count, .points = say_alloc(count + 1, sizeof *pass.points)};
    for (uint32_t i = 0; i < count; ++i) {
        pass.points[i] = vn_space_point_to_world(space, points[i]);
    }
    return pass;
}

/// One path of a method on a graph as it is now; without one, count is 0.
static int find_one(krafft19_stage* s, int graph, const racer_def* def, krafft19_pass* out) {
    racer r = {.begun = false};
    racer_answer answer = {.points = NULL};
    int code = krafft19_open_racer(s, graph, def, &r);
    code = code == EXIT_DONE ? racer_find(&r, s->place.space, s->from, s->to, false, &answer) : code;
    if (code == EXIT_DONE && answer.row.found) {
        *out = keep(s->place.space, answer.points, answer.count);
        out->weight = def->weight;
        out->cost = answer.row.length;
        out->expanded = answer.row.closed;
    }
    racer_close(&r);
    return code;
}

// --------------------------------------------------------------------------------------------------- passes

typedef struct listener {
    const vn_space* space; ///< null: the points are not kept
    krafft19_passes* out;
} listener;

static bool hear(void* user, const vn_classic_pass* pass) {
    const listener* l = user;
    if (l->out->count == KRAFFT19_PASSES) {
        return false;
    }

    krafft19_pass* p = &l->out->all[l->out->count++];
    *p = l->space != NULL ? keep(l->space, pass->points, pass->point_count) : (krafft19_pass){.points = NULL};
    p->weight = floor(pass->weight * 1e6 + 0.5) / 1e6; // it fell step by step
    p->cost = pass->cost;
    p->expanded = (double)pass->expanded;
    return true;
}

/// The passes of ARA* on the voxels of this moment.
static int run_ara(const krafft19_stage* s, double step, bool points, krafft19_passes* out) {
    vn_classic_request request = vn_default_classic_request();
    listener l = {points ? s->place.space : NULL, out};
    racer_answer answer;
    request.start = s->from;
    request.goal = s->to;
    request.algo = VN_CLASSIC_ARA;
    request.neighbours = 6;
    request.heuristic = VN_HEURISTIC_EUCLIDEAN;
    request.ara_first = first_weight;
    request.ara_step = step;
    request.on_pass = hear;
    request.on_pass_user = &l;
    return racer_search_voxels("ARA*", s->place.space, &request, &answer);
}

/// The passes of AD*: for each a planner that ends with it, as all of them do the same until then.
static int run_ad(krafft19_stage* s, double step, krafft19_passes* out) {
    int code = EXIT_DONE;
    double weight = first_weight, before = first_weight + 1;
    while (weight < before && out->count < KRAFFT19_PASSES && code == EXIT_DONE) {
        const racer_def def = {.name = "AD*",
                               .repairs = true,
                               .algo = VN_REPLAN_AD,
                               .heuristic = VN_HEURISTIC_EUCLIDEAN,
                               .step = step,
                               .least = weight};
        krafft19_pass* pass = &out->all[out->count++];
        code = find_one(s, KRAFFT19_GRID, &def, pass);
        pass->weight = floor(weight * 1e6 + 0.5) / 1e6;
        before = weight;
        weight = fmax(1, first_weight - step * out->count);
    }
    return code;
}

static bool is_same_cost(double a, double b) {
    return fabs(a - b) < 1e-6;
}

/// The weight at which the last cost was first there.
static double settled_at(const krafft19_passes* p) {
    int i = p->count - 1;
    while (i > 0 && is_same_cost(p->all[i - 1].cost, p->all[i].cost)) {
        --i;
    }
    return p->all[i].weight;
}

/// The path that held at a weight. Passes end early when the bound is 1: then the last one holds.
static const krafft19_pass* pass_at(const krafft19_passes* p, double weight) {
    int i = 0;
    while (i + 1 < p->count && p->all[i].weight > weight + 1e-6) {
        ++i;
    }
    return &p->all[i];
}

static int count_lengths(const krafft19_passes* p) {
    int count = 1;
    for (int i = 1; i < p->count; ++i) {
        count += is_same_cost(p->all[i - 1].cost, p->all[i].cost) ? 0 : 1;
    }
    return count;
}

/// Notes what ARA* did at a moment. The one with the most different lengths is drawn, if there are several
/// one in which the waypoints join the ends.
static void add_moment(krafft19_corridors* out, const krafft19_passes* p, bool joined, double seconds) {
    const double settled = settled_at(p);
    const int lengths = count_lengths(p), worth = 2 * lengths + (joined ? 1 : 0);
    ++out->moments;
    out->kept += is_same_cost(p->all[0].cost, pass_at(p, 2)->cost) ? 1 : 0;
    out->equal += lengths == 1 ? 1 : 0;
    out->settled += settled;
    if (worth > out->worth) {
        out->worth = worth;
        out->seconds = seconds;
        out->settled_drawn = settled;
    }
}

static int look_at_moments(experiment* e, krafft19_stage* s, krafft19_corridors* out) {
    int code = EXIT_DONE;
    for (int i = 0; i < MOMENTS && code == EXIT_DONE; ++i) {
        krafft19_passes passes = {.count = 0};
        krafft19_pass way = {.points = NULL};
        code = i > 0 ? krafft19_stage_step(s, i) : EXIT_DONE;
        if (code == EXIT_DONE && krafft19_ends_are_free(s)) {
            code = run_ara(s, steps[0], false, &passes);
            code = code == EXIT_DONE
                       ? find_one(s, KRAFFT19_WAYPOINTS, &krafft19_methods[KRAFFT19_ASTAR].racer, &way)
                       : code;
        }
        if (passes.count > 0) {
            add_moment(out, &passes, way.count > 0, i);
        }
        free(way.points);
        progress_report(&e->bar, "corridors", (double)(i + 1) / MOMENTS);
    }
    out->settled /= out->moments > 0 ? out->moments : 1;
    return code;
}

// ----------------------------------------------------------------------------------------------------- cut

static bool is_cut(const vn_space* space, const vn_point* points, uint32_t count) {
    return !vn_space_check_path(space, points, count, NULL);
}

static krafft19_pass keep_answer(const vn_space* space, const racer_answer* answer) {
    krafft19_pass pass = keep(space, answer->points, answer->count);
    pass.weight = 2;
    pass.cost = answer->row.length;
    pass.expanded = answer->row.closed;
    return pass;
}

/// Frames pass until an obstacle is on the path; then the planner goes on.
static int cut_path(krafft19_stage* s, racer* r, krafft19_corridors* out) {
    racer_answer answer = {.points = NULL}, afresh = {.points = NULL};
    int code = racer_find(r, s->place.space, s->from, s->to, false, &answer);
    if (code != EXIT_DONE || !answer.row.found) {
        return code;
    }

    uint32_t frame = 0;
    out->before = keep_answer(s->place.space, &answer);
    do {
        code = krafft19_stage_step(s, (double)++frame / MOVING_FRAMES);
    } while (code == EXIT_DONE && frame < CUT_FRAMES && !is_cut(s->place.space, answer.points, answer.count));

    code = code == EXIT_DONE ? racer_find(r, s->place.space, s->from, s->to, false, &answer) : code;
    code = code == EXIT_DONE ? krafft19_search_afresh(s, &afresh) : code;
    if (code == EXIT_DONE && answer.row.found && frame < CUT_FRAMES) {
        out->after = keep_answer(s->place.space, &answer);
        out->cut_at = (double)frame / MOVING_FRAMES;
        out->cut_best = afresh.row.length;
    }
    return code;
}

static int run_cut(experiment* e, krafft19_stage* s, krafft19_corridors* out) {
    (void)e;
    racer r = {.begun = false};
    int code = krafft19_open_racer(s, KRAFFT19_GRID, &krafft19_methods[KRAFFT19_DSTAR_LITE + 1].racer, &r);
    code = code == EXIT_DONE ? cut_path(s, &r, out) : code;
    racer_close(&r);
    return code;
}

// -------------------------------------------------------------------------------------------------- all

static int run_moment(experiment* e, krafft19_stage* s, krafft19_corridors* out) {
    (void)e;
    int code = out->seconds > 0 ? krafft19_stage_step(s, out->seconds) : EXIT_DONE;
    for (int k = 0; k < 2; ++k) {
        for (int g = 0; g < KRAFFT19_GRAPHS && code == EXIT_DONE; ++g) {
            code = find_one(s, g, &krafft19_methods[KRAFFT19_ASTAR + k].racer, &out->astar[g][k]);
            code = code == EXIT_DONE
                       ? find_one(s, g, &krafft19_methods[KRAFFT19_THETA + k].racer, &out->theta[g][k])
                       : code;
        }
        code = code == EXIT_DONE ? run_ara(s, steps[k], true, &out->ara[k]) : code;
        code = code == EXIT_DONE ? run_ad(s, steps[k], &out->ad[k]) : code;
    }
    return code;
}

/// A part of the measurement on a scene of its own.
typedef int part(experiment* e, krafft19_stage* s, krafft19_corridors* out);

static int run_part(experiment* e, part* run, krafft19_corridors* out) {
    krafft19_stage s = {.from = {0, 0, 0}};
    int code = krafft19_stage_open(e, &s);
    code = code == EXIT_DONE ? run(e, &s, out) : code;
    krafft19_stage_close(&s);
    return code;
}

int krafft19_measure_corridors(experiment* e, krafft19_corridors* out) {
    int code = run_part(e, look_at_moments, out);
    code = code == EXIT_DONE ? run_part(e, run_moment, out) : code;
    return code == EXIT_DONE ? run_part(e, run_cut, out) : code;
}

static void free_passes(krafft19_passes* p) {
    for (int i = 0; i < p->count; ++i) {
        free(p->all[i].points);
    }
}

void krafft19_free_corridors(krafft19_corridors* c) {
    for (int k = 0; k < 2; ++k) {
        free_passes(&c->ara[k]);
        free_passes(&c->ad[k]);
        for (int g = 0; g < KRAFFT19_GRAPHS; ++g) {
            free(c->astar[g][k].points);
            free(c->theta[g][k].points);
        }
    }
    free(c->before.points);
    free(c->after.points);
}
