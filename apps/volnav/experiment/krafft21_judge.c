/// volnav/experiment/krafft21_judge.c: what Krafft 2021 says of planners that repair, held against the
/// figures of this run.
#include "experiment/krafft21.h"

void krafft21_judge(experiment* e, const krafft21_run* run) {
    const krafft21_sum* s = run->races[KRAFFT21_DYNAMIC_VERTICAL].sums;
    const krafft21_sum *astar = &s[KRAFFT21_ASTAR], *basic = &s[KRAFFT21_BASIC];
    order_add_claim(&e->orders,
                    "Figure 36: with a vertical destination A* expands more than four times the nodes of "
                    "Basic MT-D* Lite.",
                    astar->nodes > 4 * basic->nodes, NULL, "%.2f times: %.0f and %.0f",
                    astar->nodes / basic->nodes, astar->nodes, basic->nodes);
}
