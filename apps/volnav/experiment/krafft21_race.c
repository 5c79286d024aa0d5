/// volnav/experiment/krafft21_race.c: scenarios frame by frame, with a plan of each contender in every one.
#include "experiment/krafft21_race.h"

#include <math.h>
#include <stdlib.h>

#include "shell/rotation.h"

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// ---------------------------------------------------------------------------------------------------- plans

int krafft21_plan(krafft21_study* s, int contender, const krafft21_agent* agent, uint32_t frame,
                  racer_answer* out) {
    const vn_space* space = s->stage.place.space;
    *out = (racer_answer){.points = NULL};
    if (agent->done || !krafft21_takes_part(contender, s->index)) {
        return EXIT_DONE;
    }

    if (!vn_space_point_free(space, agent->from) || !vn_space_point_free(space, s->ends.to)) {
        ++s->out->flights[contender].blind;
        return EXIT_DONE;
    }

    const bool reset = s->scenario->set == KRAFFT21_IN_RESET;
    const int code = krafft21_stage_find(&s->stage, contender, agent->from, s->ends.to, reset, out);
    if (code == EXIT_DONE) {
        race_add(&s->out->sums[contender], frame, out);
        run_count(s->e, &out->row);
    }
    return code;
}

void krafft21_note_arrival(krafft21_study* s, int contender, uint32_t frame, krafft21_agent* agent) {
    krafft21_flight* flight = &s->out->flights[contender];
    if (agent->done || !krafft21_has_arrived(agent, &s->ends)) {
        return;
    }

    if (flight->arrivals++ == 0) {
        flight->arrival = s->out->at[frame];
    }
    agent->done = s->scenario->once;
    *agent = agent->done ? *agent : (krafft21_agent){.from = s->ends.home};
}

/// The agent flies on along the path that a contender has found; of a shared one, after all have planned. The
/// path begins in the middle of its voxel.
static void go_on(krafft21_study* s, int contender, uint32_t frame, const racer_answer* answer) {
    krafft21_agent* a = &s->agents[contender];
    const vn_point before = a->from;
    if (s->scenario->flies && answer->row.found) {
        a->ahead += s->ends.speed;
        if (a->ahead > 0 && answer->count >= 2) {
            krafft21_put(s->stage.place.space, answer->points, answer->count, a->ahead, a);
        }
    }

    krafft21_note_arrival(s, contender, frame, a);
    s->out->flights[contender].moves += is_same(before, a->from) ? 0 : 1;
}

/// All contenders in turns; then the agents fly on.
static int plan_all(krafft21_study* s, uint32_t frame, void* user) {
    racer_answer answer, lead = {.points = NULL};
    int code = EXIT_DONE;
    (void)user;
    for (uint32_t i = 0; i < KRAFFT21_CONTENDERS && code == EXIT_DONE; ++i) {
        const int contender = (int)rotation_at(KRAFFT21_CONTENDERS, frame, i);
        const krafft21_agent* agent = &s->agents[s->scenario->shared ? KRAFFT21_ASTAR : contender];
        code = krafft21_plan(s, contender, agent, frame, &answer);
        if (contender == KRAFFT21_ASTAR) {
            lead = answer;
        }
        if (!s->scenario->shared && code == EXIT_DONE) {
            go_on(s, contender, frame, &answer);
        }
    }

    if (s->scenario->shared && code == EXIT_DONE) {
        go_on(s, KRAFFT21_ASTAR, frame, &lead);
    }
    return code;
}

int krafft21_measure(experiment* e, const krafft21_ground* ground, int scenario, krafft21_run* run) {
    return krafft21_run_frames(e, ground, scenario, run, plan_all, NULL);
}

// --------------------------------------------------------------------------------------------------- frames

static void open_race(krafft21_race* race, uint32_t frames) {
    race->at = say_alloc(frames, sizeof *race->at);
    race->slower = 1;
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        race->sums[i] = race_open(frames);
        race->flights[i].arrival = (double)NAN;
    }
}

static void close_race(krafft21_race* race) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        race_close(&race->sums[i], race->frames);
    }
}

void krafft21_free_race(krafft21_race* race) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        race_free(&race->sums[i]);
    }
    free(race->at);
}

static int run_frame(krafft21_study* s, uint32_t frame, krafft21_frame* plan, void* user) {
    const double seconds = frame / s->scenario->rate;
    const vn_point before = s->ends.to;
    int code = s->scenario->movers && frame > 0 ? krafft21_stage_step(&s->stage, seconds) : EXIT_DONE;
    code = code == EXIT_DONE ? krafft21_ends_step(&s->stage.place, seconds, &s->ends) : code;
    s->out->moves += frame == 0 || is_same(before, s->ends.to) ? 0 : 1;
    s->out->at[frame] = seconds;
    ++s->out->frames;
    return code == EXIT_DONE ? plan(s, frame, user) : code;
}

static bool are_done(const krafft21_study* s) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        if (krafft21_takes_part(i, s->index) && !s->agents[i].done) {
            return false;
        }
    }
    return true;
}

static void note_roads(krafft21_study* s) {
    for (int i = 0; i < KRAFFT21_GRAPHS; ++i) {
        if (s->stage.roads[i] != NULL) {
            vn_roadmap_info info;
            vn_roadmap_get_info(s->stage.roads[i], &info);
            s->run->nodes[i] = info.nodes;
        }
    }
    s->run->left += s->stage.left;
}

int krafft21_run_frames(experiment* e, const krafft21_ground* ground, int scenario, krafft21_run* run,
                        krafft21_frame* plan, void* user) {
    krafft21_study* s = say_alloc(1, sizeof *s);
    *s = (krafft21_study){.e = e, .scenario = &krafft21_scenarios[scenario], .index = scenario, .run = run};
    s->out = &run->races[scenario];
    const uint32_t frames = e->options->quick ? s->scenario->quick : s->scenario->frames;
    open_race(s->out, frames);

    int code = krafft21_stage_open(e, ground, scenario, &s->stage);
    code = code == EXIT_DONE ? krafft21_ends_open(&s->stage.place, s->scenario->rate, &s->ends) : code;
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        s->agents[i] = (krafft21_agent){.from = s->ends.home};
    }

    for (uint32_t frame = 0; frame < frames && code == EXIT_DONE && !are_done(s); ++frame) {
        code = run_frame(s, frame, plan, user);
        progress_report(&e->bar, s->scenario->name, (double)(frame + 1) / frames);
    }

    note_roads(s);
    close_race(s->out);
    krafft21_stage_close(&s->stage);
    free(s);
    return code;
}
