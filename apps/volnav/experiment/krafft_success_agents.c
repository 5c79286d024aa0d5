/// volnav/experiment/krafft_success_agents.c: the agents of the experiment "krafft-success", and what the
/// theses print of them.
#include <math.h>

#include "experiment/krafft_success.h"

#define NO   (double)NAN
#define NONE SUCCESS_QUICK_NONE
#define ONE  SUCCESS_QUICK_ONE
#define ALL  SUCCESS_QUICK_ALL

/// Table 1, and what the text says of figures 49 and 51.
static const success_agent grid[SUCCESS_METHODS] = {
    {"A*, ε = 1", "astar", "grid", true, NONE, {NO, 177.373, NO, NO}},
    {"A*, ε = 2", "astar-2", "grid", true, ALL, {93.277, 160.109, 360037.395, 3037.616}},
    {"ARA*, δ = 0.2", "ara", "grid", true, NONE, {NO, NO, NO, NO}},
    {"ARA*, δ = 0.4", "ara-04", "grid", true, NONE, {NO, NO, NO, NO}},
    {"Theta*, ε = 1", "theta", "grid", true, NONE, {NO, NO, NO, NO}},
    {"Theta*, ε = 2", "theta-2", "grid", true, NONE, {88.722, 134.303, 203758.367, 8050.889}},
    {"D* Lite, ε = 1", "dstar-lite", "grid", true, NONE, {NO, NO, NO, NO}},
    {"D* Lite, ε = 2", "dstar-lite-2", "grid", true, NONE, {91.367, 180.144, 129771.117, 5987.049}},
    {"AD*, δ = 0.2", "ad-star", "grid", true, NONE, {NO, NO, NO, NO}},
    {"AD*, δ = 0.4", "ad-star-04", "grid", true, NONE, {NO, NO, NO, NO}},
};

static const success_agent waypoints[SUCCESS_METHODS] = {
    {"A*, ε = 1", "astar", "waypoints", true, NONE, {NO, NO, NO, NO}},
    {"A*, ε = 2", "astar-2", "waypoints", true, NONE, {NO, NO, NO, NO}},
    {"ARA*, δ = 0.2", "ara", "waypoints", true, NONE, {NO, NO, NO, NO}},
    {"ARA*, δ = 0.4", "ara-04", "waypoints", true, NONE, {NO, NO, NO, NO}},
    {"Theta*, ε = 1", "theta", "waypoints", true, NONE, {NO, NO, NO, NO}},
    {"Theta*, ε = 2", "theta-2", "waypoints", true, ONE, {33.594, NO, NO, NO}},
    {"D* Lite, ε = 1", "dstar-lite", "waypoints", true, NONE, {NO, NO, NO, NO}},
    {"D* Lite, ε = 2", "dstar-lite-2", "waypoints", true, NONE, {NO, NO, NO, NO}},
    {"AD*, δ = 0.2", "ad-star", "waypoints", true, NONE, {NO, NO, NO, NO}},
    {"AD*, δ = 0.4", "ad-star-04", "waypoints", true, NONE, {NO, NO, NO, NO}},
};

static const success_agent still[SUCCESS_METHODS] = {
    {"A*, ε = 1", "astar", "grid", false, NONE, {NO, NO, NO, NO}},
    {"A*, ε = 2", "astar-2", "grid", false, NONE, {NO, NO, NO, NO}},
    {"ARA*, δ = 0.2", "ara", "grid", false, NONE, {NO, NO, NO, NO}},
    {"ARA*, δ = 0.4", "ara-04", "grid", false, NONE, {NO, NO, NO, NO}},
    {"Theta*, ε = 1", "theta", "grid", false, NONE, {NO, NO, NO, NO}},
    {"Theta*, ε = 2", "theta-2", "grid", false, NONE, {NO, NO, NO, NO}},
    {"D* Lite, ε = 1", "dstar-lite", "grid", false, NONE, {NO, NO, NO, NO}},
    {"D* Lite, ε = 2", "dstar-lite-2", "grid", false, NONE, {NO, NO, NO, NO}},
    {"AD*, δ = 0.2", "ad-star", "grid", false, NONE, {NO, NO, NO, NO}},
    {"AD*, δ = 0.4", "ad-star-04", "grid", false, NONE, {NO, NO, NO, NO}},
};

/// Of figure 57 the text gives four numbers.
static const success_agent hybrid[SUCCESS_HYBRIDS] = {
    {"A*", "astar", "hybrid", true, ONE, {100, NO, NO, NO}},
    {"Theta*", "theta", "hybrid", true, NONE, {NO, NO, NO, NO}},
    {"Theta* Fast", "theta-fast", "hybrid", true, NONE, {NO, NO, NO, NO}},
    {"Basic MT-D* Lite", "mtdstar-basic", "hybrid", true, NONE, {100, NO, NO, NO}},
    {"MT-D* Lite", "mtdstar", "hybrid", true, NONE, {100, NO, NO, NO}},
    {"AAMT-D* Lite", "aamtdstar", "hybrid", true, NONE, {NO, NO, NO, NO}},
    {"AAMT-D* Lite Fast", "aamtdstar-fast", "hybrid", true, NONE, {96, NO, NO, NO}},
};

static const success_agent six[SUCCESS_SIXES] = {
    {"cells", "cells", "cells", true, ALL, {NO, NO, NO, NO}},
    {"A*, grid", "astar", "grid", false, NONE, {NO, NO, NO, NO}},
    {"Theta*, grid", "theta", "grid", false, NONE, {NO, NO, NO, NO}},
    {"D* Lite, grid", "dstar-lite", "grid", false, NONE, {NO, NO, NO, NO}},
    {"MT-D* Lite, grid", "mtdstar", "grid", false, ONE, {NO, NO, NO, NO}},
    {"AAMT-D* Lite, grid", "aamtdstar", "grid", false, NONE, {NO, NO, NO, NO}},
    {"A*, hybrid", "astar", "hybrid", false, NONE, {NO, NO, NO, NO}},
    {"Theta*, hybrid", "theta", "hybrid", false, NONE, {NO, NO, NO, NO}},
    {"D* Lite, hybrid", "dstar-lite", "hybrid", false, NONE, {NO, NO, NO, NO}},
    {"MT-D* Lite, hybrid", "mtdstar", "hybrid", false, NONE, {NO, NO, NO, NO}},
    {"AAMT-D* Lite, hybrid", "aamtdstar", "hybrid", false, NONE, {NO, NO, NO, NO}},
};

const char* const success_latency_names[LATENCY_KINDS] = {"none", "ours", "thesis's"};

const success_agent* success_agents(success_group group, int* count) {
    static const success_agent* const all[SUCCESS_GROUPS] = {grid, waypoints, still, hybrid, six};
    static const int counts[SUCCESS_GROUPS] = {SUCCESS_METHODS, SUCCESS_METHODS, SUCCESS_METHODS,
                                               SUCCESS_HYBRIDS, SUCCESS_SIXES};
    *count = counts[group];
    return all[group];
}
