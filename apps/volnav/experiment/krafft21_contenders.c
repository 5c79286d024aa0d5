/// volnav/experiment/krafft21_contenders.c: who takes part in "krafft-2021", and in what.
#include "experiment/krafft21.h"

// Neither the thesis's frames nor its speeds are known. The goal enters another cell twice a second and goes
// its way and back in 24 seconds; the agent is three times as fast, and arrives after about 22.
const krafft21_scenario krafft21_scenarios[KRAFFT21_SCENARIOS] = {
    {"reset", "Nothing moves, and every plan begins anew", VN_GOAL_MOTION_NONE, KRAFFT21_IN_RESET, .rate = 10,
     .frames = 20, .quick = 4},
    {"waits", "Nothing moves", VN_GOAL_MOTION_NONE, KRAFFT21_IN_STILL, .rate = 10, .frames = 30, .quick = 4},
    {"waits-vertical", "Only the destination moves, vertically", VN_GOAL_MOTION_VERTICAL, KRAFFT21_IN_STILL,
     .rate = 2, .frames = 96, .quick = 12},
    {"waits-horizontal", "Only the destination moves, horizontally", VN_GOAL_MOTION_HORIZONTAL,
     KRAFFT21_IN_STILL, .rate = 2, .frames = 96, .quick = 12},
    {"flies-vertical", "Agent and destination move, vertically", VN_GOAL_MOTION_VERTICAL, KRAFFT21_IN_STILL,
     .flies = true, .rate = 10, .frames = 300, .quick = 12},
    {"flies-horizontal", "Agent and destination move, horizontally", VN_GOAL_MOTION_HORIZONTAL,
     KRAFFT21_IN_STILL, .flies = true, .rate = 10, .frames = 300, .quick = 12},
    {"watches", "The agent waits; destination and obstacles move", VN_GOAL_MOTION_VERTICAL,
     KRAFFT21_IN_WATCHES, .movers = true, .rate = 60, .frames = 300, .quick = 12},
    {"dynamic-vertical", "Everything moves, the destination vertically", VN_GOAL_MOTION_VERTICAL,
     KRAFFT21_IN_DYNAMIC, .movers = true, .flies = true, .once = true, .rate = 10, .frames = 600,
     .quick = 10},
    {"dynamic-horizontal", "Everything moves, the destination horizontally", VN_GOAL_MOTION_HORIZONTAL,
     KRAFFT21_IN_DYNAMIC, .movers = true, .flies = true, .once = true, .rate = 10, .frames = 600,
     .quick = 10},
    {"dynamic-60", "Everything moves, one agent for all", VN_GOAL_MOTION_VERTICAL, KRAFFT21_IN_DYNAMIC,
     .movers = true, .flies = true, .shared = true, .rate = 60, .frames = 300, .quick = 16},
    {"real-time", "Everything moves, in real time", VN_GOAL_MOTION_VERTICAL, KRAFFT21_IN_LIVE, .movers = true,
     .flies = true, .once = true, .live = true, .rate = 60, .frames = 2400, .quick = 20},
    {"real-time-slow", "Everything moves, in real time, on a slower machine", VN_GOAL_MOTION_VERTICAL,
     KRAFFT21_IN_LIVE, .movers = true, .flies = true, .once = true, .live = true, .rate = 60, .frames = 2400,
     .quick = 20},
};

const krafft21_contender krafft21_contenders[KRAFFT21_CONTENDERS] = {
    {"A*", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_STEPS | KRAFFT21_IN_LIVE, .colour = 0},
    {"Theta*", KRAFFT21_SCRATCH, VN_CLASSIC_THETA, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_STEPS | KRAFFT21_IN_LIVE, .colour = 1},
    {"D* Lite", KRAFFT21_REPAIR, VN_REPLAN_DSTAR_LITE, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_STEPS, .colour = 2},
    {"Basic MT-D* Lite", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_STEPS | KRAFFT21_IN_LIVE, .colour = 4},
    {"MT-D* Lite", KRAFFT21_REPAIR, VN_REPLAN_MT, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_STEPS | KRAFFT21_IN_LIVE, .colour = 6},
    {"Basic MT-D* Lite, backward", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_STEPS, .backward = true, .colour = 4, .pale = true},
    {"MT-D* Lite, backward", KRAFFT21_REPAIR, VN_REPLAN_MT, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_STEPS, .backward = true, .colour = 6, .pale = true},
    {"MT-D* Lite, not optimised", KRAFFT21_REPAIR, VN_REPLAN_MT, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_RESET, .all = true, .colour = 5},
    {"any-angle MT-D* Lite", KRAFFT21_REPAIR, VN_REPLAN_AAMT, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_MOTION, .colour = 7},
    {"JPS", KRAFFT21_JUMP, VN_CLASSIC_JPS6, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_WATCHES,
     .colour = 7},
    {"A*, ε = 2", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"Theta*, ε = 2", KRAFFT21_SCRATCH, VN_CLASSIC_THETA, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"D* Lite, ε = 2", KRAFFT21_REPAIR, VN_REPLAN_DSTAR_LITE, KRAFFT21_GRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"A*, hybrid", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, KRAFFT21_HYBRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_MOTION, .colour = 0},
    {"Theta*, hybrid", KRAFFT21_SCRATCH, VN_CLASSIC_THETA, KRAFFT21_HYBRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_MOTION, .colour = 1},
    {"Theta* Fast, hybrid", KRAFFT21_SCRATCH, VN_CLASSIC_THETA_FAST, KRAFFT21_HYBRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_MOTION, .colour = 1, .pale = true},
    {"Basic MT-D* Lite, hybrid", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, KRAFFT21_HYBRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_MOTION, .colour = 4},
    {"MT-D* Lite, hybrid", KRAFFT21_REPAIR, VN_REPLAN_MT, KRAFFT21_HYBRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_MOTION, .colour = 6},
    {"any-angle MT-D* Lite, hybrid", KRAFFT21_REPAIR, VN_REPLAN_AAMT, KRAFFT21_HYBRID, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_MOTION, .colour = 7},
    {"any-angle MT-D* Lite Fast, hybrid", KRAFFT21_REPAIR, VN_REPLAN_AAMT_FAST, KRAFFT21_HYBRID,
     VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_MOTION, .colour = 5},
    {"A*, waypoints", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, KRAFFT21_WAYPOINTS, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .colour = 7},
    {"Theta*, waypoints", KRAFFT21_SCRATCH, VN_CLASSIC_THETA, KRAFFT21_WAYPOINTS, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .colour = 7},
    {"D* Lite, waypoints", KRAFFT21_REPAIR, VN_REPLAN_DSTAR_LITE, KRAFFT21_WAYPOINTS, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .colour = 7},
    {"A*, waypoints, ε = 2", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, KRAFFT21_WAYPOINTS, VN_HEURISTIC_EUCLIDEAN,
     KRAFFT21_IN_WATCHES, .weight = 2},
    {"Theta*, waypoints, ε = 2", KRAFFT21_SCRATCH, VN_CLASSIC_THETA, KRAFFT21_WAYPOINTS,
     VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_WATCHES, .weight = 2},
    {"D* Lite, waypoints, ε = 2", KRAFFT21_REPAIR, VN_REPLAN_DSTAR_LITE, KRAFFT21_WAYPOINTS,
     VN_HEURISTIC_EUCLIDEAN, KRAFFT21_IN_WATCHES, .weight = 2},
    {"A*, Manhattan", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, KRAFFT21_GRID, VN_HEURISTIC_MANHATTAN,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"Basic MT-D* Lite, Manhattan", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, KRAFFT21_GRID,
     VN_HEURISTIC_MANHATTAN, KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"MT-D* Lite, Manhattan", KRAFFT21_REPAIR, VN_REPLAN_MT, KRAFFT21_GRID, VN_HEURISTIC_MANHATTAN,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"A*, 26 neighbours", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, KRAFFT21_GRID_26, VN_HEURISTIC_DEFAULT,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"Basic MT-D* Lite, 26 neighbours", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, KRAFFT21_GRID_26,
     VN_HEURISTIC_DEFAULT, KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"A*, cells-portal", KRAFFT21_SCRATCH, VN_CLASSIC_ASTAR, KRAFFT21_PORTAL, VN_HEURISTIC_DEFAULT,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"Basic MT-D* Lite, cells-portal", KRAFFT21_REPAIR, VN_REPLAN_MT_BASIC, KRAFFT21_PORTAL,
     VN_HEURISTIC_DEFAULT, KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"MT-D* Lite, cells-portal", KRAFFT21_REPAIR, VN_REPLAN_MT, KRAFFT21_PORTAL, VN_HEURISTIC_DEFAULT,
     KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"any-angle MT-D* Lite, cells-portal", KRAFFT21_REPAIR, VN_REPLAN_AAMT, KRAFFT21_PORTAL,
     VN_HEURISTIC_DEFAULT, KRAFFT21_IN_DYNAMIC, .colour = 7},
    {"cells", KRAFFT21_ASK, .where = KRAFFT21_IN_STEPS | KRAFFT21_IN_LIVE, .colour = 3},
};

bool krafft21_takes_part(int contender, int scenario) {
    return (krafft21_contenders[contender].where & krafft21_scenarios[scenario].set) != 0;
}

// ------------------------------------------------------------------------------------------------- figures

double krafft21_per_node(const krafft21_sum* sum) {
    return sum->nodes > 0 ? sum->total / sum->nodes : 0;
}

double krafft21_mean(const krafft21_sum* sum) {
    return sum->frames > 0 ? sum->total / sum->frames : 0;
}

double krafft21_length(const krafft21_sum* sum) {
    return sum->found > 0 ? sum->length / sum->found : 0;
}
