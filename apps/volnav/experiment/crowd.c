/// volnav/experiment/crowd.c: the experiment "crowd": scenes of many agents, flown by ours and by pushing.
#include "experiment/crowd.h"

#include <math.h>
#include <stdlib.h>

const char* const crowd_runs[CROWD_RUNS] = {"warehouse", "reef"};

double crowd_growth(const crowd_times* times, int layout) {
    return times->us[layout][CROWD_SIZES - 1] / times->us[layout][CROWD_SIZES - 2];
}

/// Who flew by ours counts as a path: found when it arrived, valid if no step of it touched a wall.
static void count_agents(experiment* e, const crowd_report* r) {
    e->queries += r->agents;
    e->found += r->arrived;
    e->valid += r->clean;
}

static int fly_stage(experiment* e, crowd_study* s, int which, int mode) {
    static const uint32_t normal[CROWD_STAGES] = {64, 1000, 200, 200, 500},
                          quick[CROWD_STAGES] = {32, 100, 60, 30, 80};
    static const vn_avoid_mode modes[CROWD_MODES] = {VN_AVOID_RECIPROCAL, VN_AVOID_PUSH};
    const uint32_t agents = e->options->quick ? quick[which] : normal[which];
    crowd_stage stage;
    int code = crowd_stage_open(which, agents, modes[mode], e->options->seed, &stage);
    code = code == EXIT_DONE ? crowd_fly(&stage, &s->reports[which][mode], &s->films[which][mode]) : code;
    crowd_stage_close(&stage);
    if (code == EXIT_DONE && mode == CROWD_OURS) {
        count_agents(e, &s->reports[which][mode]);
    }
    return code;
}

// ------------------------------------------------------------------------------------------------------ runs

static vn_box box_of(const vn_run_thing* t) {
    const vn_vec3 p = t->transform.position;
    const vn_box b = t->shape.as.box;
    return (vn_box){{b.min.x + p.x, b.min.y + p.y, b.min.z + p.z},
                    {b.max.x + p.x, b.max.y + p.y, b.max.z + p.z}};
}

/// Green things move.
static void film_things(const vn_run_view* view, crowd_film* film) {
    film->bounds = view->bounds;
    film->wall_count = film->mover_count = 0;
    for (uint32_t i = 0; i < view->thing_count; ++i) {
        if (view->things[i].color != 0x8c8c8cffu && film->mover_count < 32) {
            film->movers[film->mover_count++] = box_of(&view->things[i]);
        } else if (film->wall_count < 160) {
            film->walls[film->wall_count++] = box_of(&view->things[i]);
        }
    }
}

static void film_agents(const vn_run_view* view, double radius, crowd_film* film) {
    vn_dvec3* now = say_alloc(view->agent_count, sizeof *now);
    if (film->radii == NULL) {
        film->radii = say_alloc(view->agent_count, sizeof *film->radii);
    }
    for (uint32_t i = 0; i < view->agent_count; ++i) {
        now[i] = view->agents[i].position;
        film->radii[i] = view->agents[i].radius > 0 ? view->agents[i].radius : radius;
    }
    crowd_film_add(film, now, view->agent_count);
    free(now);
}

static int fly_run(experiment* e, crowd_study* s, int which) {
    vn_run_def def = vn_default_run_def();
    vn_detail detail = {0};
    vn_run* run = NULL;
    def.scene = crowd_runs[which];
    def.seed = e->options->seed;
    def.limit = e->options->quick ? 10 : 120;
    def.clock = system_thread_seconds;
    vn_status status = vn_run_create(&def, &run, &detail);
    double next = 0;
    for (vn_status now = status == VN_OK ? VN_RUNNING : status; now == VN_RUNNING;) {
        vn_run_view view;
        now = vn_run_step(run, &detail);
        status = now == VN_RUNNING ? VN_OK : now;
        vn_run_get_view(run, &view);
        if (view.seconds >= next) {
            next += CROWD_FRAME;
            film_things(&view, &s->run_films[which]);
            film_agents(&view, 0.3, &s->run_films[which]);
        }
    }

    if (status == VN_OK) {
        vn_run_get_result(run, &s->runs[which]);
        const vn_run_result* r = &s->runs[which];
        const bool is_clean = r->collisions + r->wall_hits + r->agent_hits == 0;
        e->queries += r->agents;
        e->found += r->agents;
        e->valid += is_clean ? r->agents : 0;
    }
    vn_run_destroy(run);
    return status == VN_OK ? EXIT_DONE : say_status(crowd_runs[which], status, &detail);
}

// ------------------------------------------------------------------------------------------------------ all

static void forget(crowd_study* s) {
    for (int i = 0; i < CROWD_STAGES; ++i) {
        for (int mode = 0; mode < CROWD_MODES; ++mode) {
            crowd_film_free(&s->films[i][mode]);
        }
    }
    for (int i = 0; i < CROWD_RUNS; ++i) {
        crowd_film_free(&s->run_films[i]);
    }
    free(s);
}

int experiment_crowd(experiment* e) {
    crowd_study* s = say_alloc(1, sizeof *s);
    int code = EXIT_DONE;
    s->overlap_limit = 0.15;
    s->growth_limit = 1.5;
    for (int i = 0; code == EXIT_DONE && i < CROWD_STAGES * CROWD_MODES; ++i) {
        code = fly_stage(e, s, i / CROWD_MODES, i % CROWD_MODES);
    }
    for (int i = 0; code == EXIT_DONE && i < CROWD_RUNS; ++i) {
        code = fly_run(e, s, i);
    }

    code = code == EXIT_DONE ? crowd_measure(e, &s->times) : code;
    code = code == EXIT_DONE ? crowd_write(e, s) : code;
    forget(s);
    return code;
}
