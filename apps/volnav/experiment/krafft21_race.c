/// volnav/experiment/krafft21_race.c: scenarios frame by frame, with a plan of each contender in every one.
#include "experiment/krafft21_race.h"

#include <math.h>
#include <stdlib.h>

#include "shell/rotation.h"
#include "shell/stats.h"

static const double frame_limit = 1.0 / 60; ///< seconds

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// ---------------------------------------------------------------------------------------------------- plans

static void add_answer(krafft21_study* s, int contender, uint32_t frame, const krafft21_answer* answer) {
    krafft21_sum* sum = &s->out->sums[contender];
    const run_row* row = &answer->row;
    sum->seconds[frame] = row->seconds;
    sum->expanded[frame] = row->closed;
    sum->lengths[frame] = row->found ? row->length : (double)NAN;
    if (sum->frames > 0 && row->closed > sum->worst_nodes) {
        sum->worst_nodes = row->closed;
    }

    ++sum->frames;
    sum->found += row->found ? 1 : 0;
    sum->valid += row->valid ? 1 : 0;
    sum->late += row->seconds > frame_limit ? 1 : 0;
    sum->total += row->seconds;
    sum->nodes += row->closed;
    sum->length += row->found ? row->length : 0;
    sum->sights += row->sight_checks;
    sum->restarts = answer->restarts > 0 ? answer->restarts - 1 : 0;
    run_count(s->e, row);
}

int krafft21_plan(krafft21_study* s, int contender, const krafft21_agent* agent, uint32_t frame,
                  krafft21_answer* out) {
    const vn_space* space = s->stage.place.space;
    *out = (krafft21_answer){.points = NULL};
    if (agent->done || !krafft21_takes_part(contender, s->index)) {
        return EXIT_DONE;
    }

    if (!vn_space_point_free(space, agent->from) || !vn_space_point_free(space, s->ends.to)) {
        ++s->out->sums[contender].blind;
        return EXIT_DONE;
    }

    const bool reset = s->scenario->set == KRAFFT21_IN_RESET;
    const int code = krafft21_stage_find(&s->stage, contender, agent->from, s->ends.to, reset, out);
    if (code == EXIT_DONE) {
        add_answer(s, contender, frame, out);
    }
    return code;
}

void krafft21_note_arrival(krafft21_study* s, int contender, uint32_t frame, krafft21_agent* agent) {
    krafft21_sum* sum = &s->out->sums[contender];
    if (agent->done || !krafft21_has_arrived(agent, &s->ends)) {
        return;
    }

    if (sum->arrivals++ == 0) {
        sum->arrival = s->out->at[frame];
    }
    agent->done = s->scenario->once;
    *agent = agent->done ? *agent : (krafft21_agent){.from = s->ends.home};
}

/// The agent flies on along the path that a contender has found; of a shared one, after all have planned. The
/// path begins in the middle of its voxel.
static void go_on(krafft21_study* s, int contender, uint32_t frame, const krafft21_answer* answer) {
    krafft21_agent* a = &s->agents[contender];
    const vn_point before = a->from;
    if (s->scenario->flies && answer->row.found) {
        a->ahead += s->ends.speed;
        if (a->ahead > 0 && answer->count >= 2) {
            krafft21_put(s->stage.place.space, answer->points, answer->count, a->ahead, a);
        }
    }

    krafft21_note_arrival(s, contender, frame, a);
    s->out->sums[contender].moves += is_same(before, a->from) ? 0 : 1;
}

/// All contenders in turns; then the agents fly on.
static int plan_all(krafft21_study* s, uint32_t frame, void* user) {
    krafft21_answer answer, lead = {.points = NULL};
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

static void open_sums(krafft21_race* race, uint32_t frames) {
    race->at = say_alloc(frames, sizeof *race->at);
    race->slower = 1;
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        krafft21_sum* sum = &race->sums[i];
        sum->seconds = say_alloc(frames, sizeof *sum->seconds);
        sum->expanded = say_alloc(frames, sizeof *sum->expanded);
        sum->lengths = say_alloc(frames, sizeof *sum->lengths);
        sum->arrival = (double)NAN;
        for (uint32_t k = 0; k < frames; ++k) {
            sum->seconds[k] = sum->expanded[k] = sum->lengths[k] = (double)NAN;
        }
    }
}

static void close_sums(krafft21_race* race) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        krafft21_sum* sum = &race->sums[i];
        double* sorted = say_alloc(sum->frames + 1, sizeof *sorted);
        uint32_t count = 0;
        for (uint32_t k = 0; k < race->frames; ++k) {
            if (isfinite(sum->seconds[k])) {
                sorted[count++] = sum->seconds[k];
            }
        }

        const stats_summary about = stats_of(sorted, count);
        sum->p99 = about.p99;
        sum->worst = about.max;
        free(sorted);
    }
}

void krafft21_free_race(krafft21_race* race) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        free(race->sums[i].seconds);
        free(race->sums[i].expanded);
        free(race->sums[i].lengths);
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
    open_sums(s->out, frames);

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
    close_sums(s->out);
    krafft21_stage_close(&s->stage);
    free(s);
    return code;
}
