/// volnav/commands/sim_summary.h: what the runs of a campaign came to.
#ifndef SIM_SUMMARY_H
#define SIM_SUMMARY_H

#include "commands/sim_campaign.h"
#include "shell/stats.h"

/// Runs in which the agent was enclosed count apart: all shares and means are over the others, `counted`.
typedef struct sim_summary {
    uint64_t runs, enclosed, counted;
    uint64_t reached, timeouts, lost;
    uint64_t clean;   ///< nothing was touched: neither what moves, nor walls, nor other agents
    uint64_t perfect; ///< reached and clean
    stats_interval reached_share, clean_share, perfect_share;

    uint64_t collisions, wall_hits, agent_hits, caught; ///< sums
    double collisions_mean;
    stats_interval collisions_interval;
    double clearance, wall_clearance; ///< least; HUGE_VAL if there was nothing to be clear of

    uint64_t flights; ///< that arrived: the next four are their means; not numbers if there are none
    double seconds, ratio, length, fuel; ///< ratio: to the nominal time, where there is one

    uint64_t steps, stopped, unverified, calls, expanded, dynamic_nodes; ///< sums
    double path_us;                                                      ///< CPU time of a call, mean
    double frame_us_mean, frame_us_p99; ///< of a step, all agents; p99 to 9 %, rounded up
    double worst_step_us;
    bool failed;         ///< a run did not arrive or touched something
    uint64_t shown_seed; ///< of the first run that failed; else of the first enclosed one; else the first
    const char* shown;   ///< "failed", "enclosed" or "first"
} sim_summary;

sim_summary sim_summarise(const sim_campaign* campaign);

void sim_print_table(const sim_campaign* campaign, const sim_summary* summary);
void sim_print_json(const sim_campaign* campaign, const sim_summary* summary);

#endif
