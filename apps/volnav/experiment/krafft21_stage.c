/// volnav/experiment/krafft21_stage.c: contenders on one scene.
#include "experiment/krafft21_stage.h"

enum { HISTORY = 64 }; ///< more frames than an obstacle covers an end, as a rule

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

// -------------------------------------------------------------------------------------------------- roadmaps

static bool needs(int scenario, krafft21_graph graph) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        const krafft21_contender* c = &krafft21_contenders[i];
        if (krafft21_takes_part(i, scenario) && c->way != KRAFFT21_ASK && c->graph == graph) {
            return true;
        }
    }
    return false;
}

static int open_hybrid(const krafft21_ground* ground, krafft21_stage* s) {
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_detail detail = {0};
    def.version = s->place.version;
    def.history = HISTORY;
    return check("hybrid graph",
                 vn_roadmap_create_hybrid(ground->fixed, ground->area, s->place.space, &def,
                                          &s->roads[KRAFFT21_HYBRID], &detail),
                 &detail);
}

static int follow(krafft21_stage* s, krafft21_graph graph) {
    vn_roadmap_info info;
    vn_detail detail = {0};
    if (s->roads[graph] == NULL) {
        return EXIT_DONE;
    }

    const vn_status status =
        vn_roadmap_follow(s->roads[graph], s->place.space, s->place.version, s->place.changes, 0, &detail);
    vn_roadmap_get_info(s->roads[graph], &info);
    s->left += graph == KRAFFT21_HYBRID ? info.left : 0;
    return check("following a scene", status, &detail);
}

int krafft21_stage_step(krafft21_stage* s, double seconds) {
    bool changed = false;
    int code = moving_step(&s->place, seconds, &changed);
    if (code == EXIT_DONE && changed) {
        code = follow(s, KRAFFT21_HYBRID);
        code = code == EXIT_DONE ? follow(s, KRAFFT21_WAYPOINTS) : code;
    }
    return code;
}

// -------------------------------------------------------------------------------------------------- opening

/// The kinds of the nav's graphs.
static const vn_nav_graph_kind kinds[] = {VN_NAV_GRID6, VN_NAV_GRID26, VN_NAV_CELLS_PORTAL};

static bool is_roadmap(krafft21_graph graph) {
    return graph == KRAFFT21_HYBRID || graph == KRAFFT21_WAYPOINTS;
}

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
    racer* out = &s->racers[contender];
    if (!has_graph(c)) {
        return EXIT_DONE;
    }
    return is_roadmap(c->graph) ? racer_open_roadmap(&def, s->roads[c->graph], out)
                                : racer_open_nav(&def, s->place.nav, kinds[c->graph], out);
}

int krafft21_stage_open(experiment* e, const krafft21_ground* ground, int scenario, krafft21_stage* out) {
    moving_def def = {.every = true, .history = HISTORY, .goal = krafft21_scenarios[scenario].goal};
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); ++i) {
        def.graphs |= needs(scenario, (krafft21_graph)i) ? 1u << kinds[i] : 0;
    }

    int code = moving_open_krafft(e, &def, &out->place);
    if (code == EXIT_DONE && needs(scenario, KRAFFT21_HYBRID)) {
        code = open_hybrid(ground, out);
    }
    if (code == EXIT_DONE && needs(scenario, KRAFFT21_WAYPOINTS)) {
        // With the thesis's one neighbour on other obstacles the graph falls into pieces here.
        code = moving_make_waypoints(&out->place, 8, &out->roads[KRAFFT21_WAYPOINTS]);
    }

    for (int i = 0; i < KRAFFT21_CONTENDERS && code == EXIT_DONE; ++i) {
        code = krafft21_takes_part(i, scenario) ? open_racer(out, i) : EXIT_DONE;
    }
    return code;
}

void krafft21_stage_close(krafft21_stage* s) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        racer_close(&s->racers[i]);
    }

    for (int i = 0; i < KRAFFT21_GRAPHS; ++i) {
        vn_roadmap_destroy(s->roads[i]);
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
