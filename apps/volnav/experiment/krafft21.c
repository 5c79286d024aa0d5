/// volnav/experiment/krafft21.c: the experiment "krafft-2021": planners that repair their path, beside
/// searches from scratch, in the scenarios of Krafft 2021.
#include "experiment/krafft21.h"

#include <math.h>
#include <stdlib.h>

#include "experiment/krafft21_stage.h"
#include "shell/rotation.h"

// Neither the thesis's frames nor its speeds are known. The goal enters another cell twice a second and goes
// its way and back in 24 seconds; the agent is three times as fast, and arrives after about 22.
const krafft21_scenario krafft21_scenarios[KRAFFT21_SCENARIOS] = {
    {"reset", "Nothing moves, and every plan begins anew", VN_GOAL_MOTION_NONE, KRAFFT21_IN_RESET, .rate = 10,
     .frames = 20, .quick = 8},
    {"waits", "Nothing moves", VN_GOAL_MOTION_NONE, KRAFFT21_IN_STILL, .rate = 10, .frames = 30, .quick = 8},
    {"waits-vertical", "Only the destination moves, vertically", VN_GOAL_MOTION_VERTICAL, KRAFFT21_IN_STILL,
     .rate = 2, .frames = 96, .quick = 16},
    {"waits-horizontal", "Only the destination moves, horizontally", VN_GOAL_MOTION_HORIZONTAL,
     KRAFFT21_IN_STILL, .rate = 2, .frames = 96, .quick = 16},
    {"flies-vertical", "Agent and destination move, vertically", VN_GOAL_MOTION_VERTICAL, KRAFFT21_IN_STILL,
     .flies = true, .rate = 10, .frames = 300, .quick = 16},
    {"flies-horizontal", "Agent and destination move, horizontally", VN_GOAL_MOTION_HORIZONTAL,
     KRAFFT21_IN_STILL, .flies = true, .rate = 10, .frames = 300, .quick = 16},
    {"watches", "The agent waits; destination and obstacles move", VN_GOAL_MOTION_VERTICAL,
     KRAFFT21_IN_WATCHES, .movers = true, .rate = 60, .frames = 300, .quick = 16},
    {"dynamic-vertical", "Everything moves, the destination vertically", VN_GOAL_MOTION_VERTICAL,
     KRAFFT21_IN_DYNAMIC, .movers = true, .flies = true, .once = true, .rate = 10, .frames = 600,
     .quick = 20},
    {"dynamic-horizontal", "Everything moves, the destination horizontally", VN_GOAL_MOTION_HORIZONTAL,
     KRAFFT21_IN_DYNAMIC, .movers = true, .flies = true, .once = true, .rate = 10, .frames = 600,
     .quick = 20},
    {"dynamic-60", "Everything moves, one agent for all", VN_GOAL_MOTION_VERTICAL, KRAFFT21_IN_DYNAMIC,
     .movers = true, .flies = true, .shared = true, .rate = 60, .frames = 300, .quick = 20}};

const krafft21_contender krafft21_contenders[KRAFFT21_CONTENDERS] = {
    {"A*", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_ALL,
     .colour = 0},
    {"Theta*", KRAFFT21_SCRATCH, VN_CLASSIC_THETA, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_ALL,
     .colour = 1},
    {"D* Lite", KRAFFT21_REPAIR, VN_REPLAN_DSTAR_LITE, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_ALL,
     .colour = 2},
    {"Basic MT-D* Lite", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_ALL, .colour = 4},
    {"MT-D* Lite", KRAFFT21_REPAIR, VN_REPLAN_MT, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_ALL,
     .colour = 6},
    {"Basic MT-D* Lite, backward", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_ALL, .backward = true, .colour = 4, .pale = true},
    {"MT-D* Lite, backward", KRAFFT21_REPAIR, VN_REPLAN_MT, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_ALL, .backward = true, .colour = 6, .pale = true},
    {"MT-D* Lite, not optimised", KRAFFT21_REPAIR, VN_REPLAN_MT, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_RESET, .all = true, .colour = 5},
    {"A*, Manhattan", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, VN_NAV_GRID6, VN_HEURISTIC_MANHATTAN,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"Basic MT-D* Lite, Manhattan", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, VN_NAV_GRID6, VN_HEURISTIC_MANHATTAN,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"MT-D* Lite, Manhattan", KRAFFT21_REPAIR, VN_REPLAN_MT, VN_NAV_GRID6, VN_HEURISTIC_MANHATTAN,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"A*, 26 neighbours", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, VN_NAV_GRID26, VN_HEURISTIC_DEFAULT,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"Basic MT-D* Lite, 26 neighbours", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, VN_NAV_GRID26,
     VN_HEURISTIC_DEFAULT, KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"A*, cells-portal", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, VN_NAV_CELLS_PORTAL, VN_HEURISTIC_DEFAULT,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"Basic MT-D* Lite, cells-portal", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, VN_NAV_CELLS_PORTAL,
     VN_HEURISTIC_DEFAULT, KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"MT-D* Lite, cells-portal", KRAFFT21_REPAIR, VN_REPLAN_MT, VN_NAV_CELLS_PORTAL, VN_HEURISTIC_DEFAULT,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"any-angle MT-D* Lite", KRAFFT21_REPAIR, VN_REPLAN_AAMT, VN_NAV_GRID6, VN_HEURISTIC_DEFAULT,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"any-angle MT-D* Lite, cells-portal", KRAFFT21_REPAIR, VN_REPLAN_AAMT, VN_NAV_CELLS_PORTAL,
     VN_HEURISTIC_DEFAULT, KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"JPS", KRAFFT21_JUMP, VN_CLASSIC_JPS6, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_WATCHES,
     .colour = 7},
    {"A*, ε = 2", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"Theta*, ε = 2", KRAFFT21_SCRATCH, VN_CLASSIC_THETA, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"D* Lite, ε = 2", KRAFFT21_REPAIR, VN_REPLAN_DSTAR_LITE, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"cells", KRAFFT21_ASK, .where = KRAFFT21_IN_ALL, .colour = 3}};

/// Where an agent is: plans begin at the middle of its voxel.
typedef struct agent {
    vn_point from;
    double ahead; ///< voxels that it is past this point on its path; before it, if negative
    bool done;    ///< has arrived, and stays
} agent;

typedef struct study {
    experiment* e;
    const krafft21_scenario* scenario;
    int index; ///< of the scenario
    krafft21_stage stage;
    krafft21_race* out;
    agent agents[KRAFFT21_CONTENDERS];
    vn_point home, to;
    double speed; ///< voxels a plan
} study;

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

// ---------------------------------------------------------------------------------------------------- agent

static int place_agents(study* s) {
    const vn_space* space = s->stage.place.space;
    vn_moving_scene_info info;
    vn_moving_scene_get_info(s->stage.place.scene, &info);
    s->speed = info.agent_speed / s->scenario->rate / (double)info.resolution;
    const int code = check("krafft", vn_space_point_from_local(space, info.start, &s->home), NULL);
    s->home = vn_voxel_center(vn_space_voxel_at(space, s->home));
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        s->agents[i] = (agent){.from = s->home};
    }
    return code;
}

/// The agent that a contender plans for.
static agent* agent_of(study* s, int contender) {
    return &s->agents[s->scenario->shared ? KRAFFT21_ASTAR : contender];
}

static int place_goal(study* s, double seconds) {
    const vn_space* space = s->stage.place.space;
    vn_vec3 goal;
    vn_status status = vn_moving_scene_get_goal(s->stage.place.scene, seconds, &goal, NULL);
    status = status == VN_OK ? vn_space_point_from_local(space, goal, &s->to) : status;
    s->to = vn_voxel_center(vn_space_voxel_at(space, s->to));
    return check("krafft", status, NULL);
}

/// The point of a path at a distance from its begin, or its end, and the direction there; voxels.
static vn_dvec3 walk(const racer_answer* path, double distance, vn_dvec3* direction) {
    vn_dvec3 at = {0};
    double left = distance;
    for (uint32_t i = 0; i + 1 < path->count; ++i) {
        const vn_point p = path->points[i], q = path->points[i + 1];
        const double x = (q.x - p.x) / 1024.0, y = (q.y - p.y) / 1024.0, z = (q.z - p.z) / 1024.0;
        const double length = sqrt(x * x + y * y + z * z), part = length > left ? left / length : 1;
        at = (vn_dvec3){p.x / 1024.0 + x * part, p.y / 1024.0 + y * part, p.z / 1024.0 + z * part};
        if (length > 0) {
            *direction = (vn_dvec3){x / length, y / length, z / length};
        }
        left -= length;
        if (left <= 0) {
            break;
        }
    }
    return at;
}

/// At constant speed along the path, which begins in the middle of the agent's voxel.
static void fly(const study* s, const racer_answer* path, agent* a) {
    vn_dvec3 direction = {0};
    a->ahead += s->speed;
    if (a->ahead <= 0 || path->count < 2) {
        return;
    }

    const vn_dvec3 at = walk(path, a->ahead, &direction);
    const vn_voxel voxel = {(int32_t)at.x, (int32_t)at.y, (int32_t)at.z};
    if (vn_space_voxel_free(s->stage.place.space, voxel)) { // not on the face of a blocked one
        a->from = vn_voxel_center(voxel);
        a->ahead = (at.x - voxel.x - 0.5) * direction.x + (at.y - voxel.y - 0.5) * direction.y +
                   (at.z - voxel.z - 0.5) * direction.z;
    }
}

static bool has_arrived(const study* s, const agent* a) {
    const double near = 2.5 * 1024;
    const double x = a->from.x - s->to.x, y = a->from.y - s->to.y, z = a->from.z - s->to.z;
    return x * x + y * y + z * z < near * near;
}

// --------------------------------------------------------------------------------------------------- frames

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// The agent flies on along the path that a contender has found; of a shared one, after all have planned.
static void go_on(study* s, int contender, const racer_answer* answer) {
    agent* a = &s->agents[contender];
    const vn_point before = a->from;
    if (s->scenario->flies && answer->row.found) {
        fly(s, answer, a);
    }

    if (!a->done && has_arrived(s, a)) {
        ++s->out->flights[contender].arrivals;
        a->done = s->scenario->once;
        *a = a->done ? *a : (agent){.from = s->home};
    }
    s->out->flights[contender].moves += is_same(before, a->from) ? 0 : 1;
}

static int plan_one(study* s, int contender, uint32_t frame, racer_answer* out) {
    const vn_space* space = s->stage.place.space;
    const agent* a = agent_of(s, contender);
    *out = (racer_answer){.points = NULL};
    if (a->done || !krafft21_takes_part(contender, s->index)) {
        return EXIT_DONE;
    }

    if (!vn_space_point_free(space, a->from) || !vn_space_point_free(space, s->to)) {
        ++s->out->flights[contender].blind;
        return EXIT_DONE;
    }

    const bool reset = s->scenario->set == KRAFFT21_IN_RESET;
    const int code = krafft21_stage_find(&s->stage, contender, a->from, s->to, reset, out);
    if (code == EXIT_DONE) {
        race_add(&s->out->sums[contender], frame, out);
        run_count(s->e, &out->row);
    }
    return code;
}

/// All contenders in turns; then the agents fly on.
static int plan_all(study* s, uint32_t frame) {
    racer_answer answer, lead = {.points = NULL};
    int code = EXIT_DONE;
    for (uint32_t i = 0; i < KRAFFT21_CONTENDERS && code == EXIT_DONE; ++i) {
        const int contender = (int)rotation_at(KRAFFT21_CONTENDERS, frame, i);
        code = plan_one(s, contender, frame, &answer);
        if (contender == KRAFFT21_ASTAR) {
            lead = answer;
        }
        if (!s->scenario->shared && code == EXIT_DONE) {
            go_on(s, contender, &answer);
        }
    }

    if (s->scenario->shared && code == EXIT_DONE) {
        go_on(s, KRAFFT21_ASTAR, &lead);
    }
    return code;
}

static int run_frame(study* s, uint32_t frame) {
    const double seconds = frame / s->scenario->rate;
    int code = s->scenario->movers && frame > 0 ? moving_step(&s->stage.place, seconds, NULL) : EXIT_DONE;
    const vn_point before = s->to;
    code = code == EXIT_DONE ? place_goal(s, seconds) : code;
    s->out->moves += frame == 0 || is_same(before, s->to) ? 0 : 1;
    s->out->at[frame] = seconds;
    ++s->out->frames;
    return code == EXIT_DONE ? plan_all(s, frame) : code;
}

static bool are_done(const study* s) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        if (krafft21_takes_part(i, s->index) && !s->agents[i].done) {
            return false;
        }
    }
    return true;
}

int krafft21_measure(experiment* e, int scenario, krafft21_race* out) {
    study* s = say_alloc(1, sizeof *s);
    *s = (study){.e = e, .scenario = &krafft21_scenarios[scenario], .index = scenario, .out = out};
    const uint32_t frames = e->options->quick ? s->scenario->quick : s->scenario->frames;
    out->at = say_alloc(frames, sizeof *out->at);
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        out->sums[i] = race_open(frames);
    }

    int code = krafft21_stage_open(e, scenario, &s->stage);
    code = code == EXIT_DONE ? place_agents(s) : code;
    for (uint32_t frame = 0; frame < frames && code == EXIT_DONE; ++frame) {
        code = run_frame(s, frame);
        progress_report(&e->bar, s->scenario->name, (double)(frame + 1) / frames);
        if (are_done(s)) {
            break;
        }
    }

    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        race_close(&out->sums[i], out->frames);
    }
    krafft21_stage_close(&s->stage);
    free(s);
    return code;
}

void krafft21_free_race(krafft21_race* race) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        race_free(&race->sums[i]);
    }
    free(race->at);
}

// ------------------------------------------------------------------------------------------------ all parts

static void write_opening(experiment* e) {
    page* p = &e->page;
    page_add(p,
             "Krafft (2021): planners that repair the last path when the world, the agent or the destination "
             "has moved, beside searches from scratch. The scene is 64 × 56 × 16 units with cells of one "
             "unit, static walls, and 16 obstacles that patrol, turn, appear and disappear (seed %llu; "
             "docs/experiments.md says what of it is ours). Unless a row says otherwise, the graph is the "
             "grid with 6 neighbours and the heuristic the straight distance, as in the thesis, with ε = 1.",
             (unsigned long long)e->options->seed);
    page_add(p,
             "All contenders of a scenario plan in the same frames of one run, in rotated order. Where the "
             "agent flies, each contender has one of its own, which follows its paths at constant speed, as "
             "in the thesis; only in the last table all plan from the place of one agent, which follows A*. "
             "A frame in which an obstacle covers an end has no plan, and the agent waits.");
    page_add(p,
             "Times are processor time of one thread, here and now: following the new version of the graph, "
             "moving both ends, planning, and the path. The update of the graph itself is the nav's, and is "
             "not in them (krafft-spaces is about that). The thesis's times are those of C# in Unity, so "
             "that orders and ratios compare, milliseconds do not. The row \"cells\" is volnav's own search, "
             "from scratch in every frame.");
}

int experiment_krafft_2021(experiment* e) {
    krafft21_run* run = say_alloc(1, sizeof *run);
    int code = EXIT_DONE;
    for (int i = 0; i < KRAFFT21_SCENARIOS && code == EXIT_DONE; ++i) {
        code = krafft21_measure(e, i, &run->races[i]);
    }

    if (code == EXIT_DONE) {
        write_opening(e);
        code = krafft21_write(e, run);
        krafft21_judge(e, run);
    }

    for (int i = 0; i < KRAFFT21_SCENARIOS; ++i) {
        krafft21_free_race(&run->races[i]);
    }
    free(run);
    return code;
}
