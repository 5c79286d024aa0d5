/// volnav/experiment/krafft21.c: the experiment "krafft-2021": planners that repair their path, beside
/// searches from scratch, in the scenarios of Krafft 2021.
#include "experiment/krafft21.h"

#include <math.h>
#include <stdlib.h>

#include "experiment/krafft21_stage.h"
#include "shell/rotation.h"
#include "shell/stats.h"

static const double frame_limit = 1.0 / 60; ///< seconds

// Neither the thesis's frames nor its speeds are known: at 10 plans a second the goal goes its way and back
// in 240 plans, and the agent, three times as fast, arrives after about 220.
const krafft21_scenario krafft21_scenarios[KRAFFT21_SCENARIOS] = {
    {"reset", "Nothing moves, and every plan begins anew", VN_GOAL_MOTION_NONE, KRAFFT21_IN_RESET, .rate = 10,
     .frames = 60, .quick = 8},
    {"waits", "Nothing moves", VN_GOAL_MOTION_NONE, KRAFFT21_IN_STILL, .rate = 10, .frames = 300, .quick = 8},
    {"waits-vertical", "Only the destination moves, vertically", VN_GOAL_MOTION_VERTICAL, KRAFFT21_IN_STILL,
     .rate = 10, .frames = 300, .quick = 16},
    {"waits-horizontal", "Only the destination moves, horizontally", VN_GOAL_MOTION_HORIZONTAL,
     KRAFFT21_IN_STILL, .rate = 10, .frames = 300, .quick = 16},
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
    {"dynamic-60", "Everything moves, 60 plans a second", VN_GOAL_MOTION_VERTICAL, KRAFFT21_IN_DYNAMIC,
     .movers = true, .flies = true, .rate = 60, .frames = 300, .quick = 20}};

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
     KRAFFT21_IN_RESET | KRAFFT21_IN_DYNAMIC, .all = true, .colour = 5},
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
    {"JPS", KRAFFT21_JUMP, VN_CLASSIC_JPS6, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_WATCHES,
     .colour = 7},
    {"A*, ε = 2", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"Theta*, ε = 2", KRAFFT21_SCRATCH, VN_CLASSIC_THETA, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"D* Lite, ε = 2", KRAFFT21_REPAIR, VN_REPLAN_DSTAR_LITE, VN_NAV_GRID6, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"cells", KRAFFT21_ASK, .where = KRAFFT21_IN_ALL, .colour = 3}};

/// The agent, and where it goes.
typedef struct study {
    experiment* e;
    const krafft21_scenario* scenario;
    int index; ///< of the scenario
    krafft21_stage stage;
    krafft21_race* out;
    vn_point home, from, to;
    vn_dvec3 at;  ///< of the agent, voxels
    double speed; ///< voxels a plan
} study;

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

// ---------------------------------------------------------------------------------------------------- agent

static void go_home(study* s) {
    s->from = s->home;
    s->at = (vn_dvec3){s->home.x / 1024.0, s->home.y / 1024.0, s->home.z / 1024.0};
}

static int place_agent(study* s) {
    const vn_space* space = s->stage.place.space;
    vn_moving_scene_info info;
    vn_moving_scene_get_info(s->stage.place.scene, &info);
    s->speed = info.agent_speed / s->scenario->rate / (double)info.resolution;
    const int code = check("krafft", vn_space_point_from_local(space, info.start, &s->home), NULL);
    s->home = vn_voxel_center(vn_space_voxel_at(space, s->home));
    go_home(s);
    return code;
}

static int place_goal(study* s, double seconds) {
    const vn_space* space = s->stage.place.space;
    vn_vec3 goal;
    vn_status status = vn_moving_scene_get_goal(s->stage.place.scene, seconds, &goal, NULL);
    status = status == VN_OK ? vn_space_point_from_local(space, goal, &s->to) : status;
    s->to = vn_voxel_center(vn_space_voxel_at(space, s->to));
    return check("krafft", status, NULL);
}

/// At constant speed along the path; plans begin at the middle of the voxel where the agent is.
static void fly(study* s, const krafft21_answer* lead) {
    double left = s->speed;
    for (uint32_t i = 1; i < lead->count && left > 0; ++i) {
        const double x = lead->points[i].x / 1024.0 - s->at.x, y = lead->points[i].y / 1024.0 - s->at.y,
                     z = lead->points[i].z / 1024.0 - s->at.z;
        const double length = sqrt(x * x + y * y + z * z);
        const double part = length > left ? left / length : 1;
        s->at = (vn_dvec3){s->at.x + x * part, s->at.y + y * part, s->at.z + z * part};
        left -= length;
    }
    s->from = vn_voxel_center((vn_voxel){(int32_t)s->at.x, (int32_t)s->at.y, (int32_t)s->at.z});
}

static bool has_arrived(const study* s) {
    const double near = 2.5 * 1024;
    const double x = s->from.x - s->to.x, y = s->from.y - s->to.y, z = s->from.z - s->to.z;
    return x * x + y * y + z * z < near * near;
}

// --------------------------------------------------------------------------------------------------- frames

static void add_answer(study* s, int contender, const krafft21_answer* answer) {
    krafft21_sum* sum = &s->out->sums[contender];
    const run_row* row = &answer->row;
    sum->seconds[sum->frames] = row->seconds;
    sum->expanded[sum->frames] = row->closed;
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
    sum->restarts = answer->restarts > 0 ? answer->restarts - 1 : 0;
    run_count(s->e, row);
}

/// All contenders from where the agent is, in turns; then it flies on along the path of the first.
static int plan_all(study* s) {
    krafft21_answer lead = {.points = NULL};
    int code = EXIT_DONE;
    for (uint32_t i = 0; i < KRAFFT21_CONTENDERS && code == EXIT_DONE; ++i) {
        const int contender = (int)rotation_at(KRAFFT21_CONTENDERS, s->out->frames, i);
        krafft21_answer answer;
        if (!krafft21_takes_part(contender, s->index)) {
            continue;
        }

        code = krafft21_stage_find(&s->stage, contender, s->from, s->to,
                                   s->scenario->set == KRAFFT21_IN_RESET, &answer);
        if (code == EXIT_DONE) {
            add_answer(s, contender, &answer);
            lead = contender == KRAFFT21_ASTAR ? answer : lead;
        }
    }

    if (code == EXIT_DONE && s->scenario->flies && lead.row.found) {
        fly(s, &lead);
    }
    return code;
}

static int run_frame(study* s, uint32_t frame) {
    const double seconds = frame / s->scenario->rate;
    int code = s->scenario->movers && frame > 0 ? moving_step(&s->stage.place, seconds, NULL) : EXIT_DONE;
    code = code == EXIT_DONE ? place_goal(s, seconds) : code;
    if (code != EXIT_DONE) {
        return code;
    }

    const vn_space* space = s->stage.place.space;
    if (!vn_space_point_free(space, s->from) || !vn_space_point_free(space, s->to)) {
        ++s->out->blind;
        return EXIT_DONE;
    }

    s->out->at[s->out->frames] = seconds;
    code = plan_all(s);
    ++s->out->frames;
    if (has_arrived(s)) {
        ++s->out->arrivals;
        go_home(s);
    }
    return code;
}

static void close_sums(krafft21_race* race) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        krafft21_sum* sum = &race->sums[i];
        double* sorted = say_alloc(sum->frames + 1, sizeof *sorted);
        for (uint32_t k = 0; k < sum->frames; ++k) {
            sorted[k] = sum->seconds[k];
        }

        const stats_summary about = stats_of(sorted, sum->frames);
        sum->p99 = about.p99;
        sum->worst = about.max;
        free(sorted);
    }
}

int krafft21_measure(experiment* e, int scenario, krafft21_race* out) {
    study* s = say_alloc(1, sizeof *s);
    *s = (study){.e = e, .scenario = &krafft21_scenarios[scenario], .index = scenario, .out = out};
    const uint32_t frames = e->options->quick ? s->scenario->quick : s->scenario->frames;
    out->at = say_alloc(frames, sizeof *out->at);
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        out->sums[i].seconds = say_alloc(frames, sizeof *out->sums[i].seconds);
        out->sums[i].expanded = say_alloc(frames, sizeof *out->sums[i].expanded);
    }

    int code = krafft21_stage_open(e, scenario, &s->stage);
    code = code == EXIT_DONE ? place_agent(s) : code;
    for (uint32_t frame = 0; frame < frames && code == EXIT_DONE; ++frame) {
        code = run_frame(s, frame);
        progress_report(&e->bar, s->scenario->name, (double)(frame + 1) / frames);
        if (s->scenario->once && out->arrivals > 0) {
            break;
        }
    }

    close_sums(out);
    krafft21_stage_close(&s->stage);
    free(s);
    return code;
}

void krafft21_free_race(krafft21_race* race) {
    for (int i = 0; i < KRAFFT21_CONTENDERS; ++i) {
        free(race->sums[i].seconds);
        free(race->sums[i].expanded);
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
             "All contenders of a scenario plan in the same frames of one run, in rotated order, from the "
             "same place to the same place: the one agent flies at constant speed along the path of A*. In "
             "the thesis every algorithm has an agent and a run of its own. A frame in which an obstacle "
             "covers an end has no plan, and the agent waits.");
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
