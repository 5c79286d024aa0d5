/// volnav/experiment/krafft_success_judge21.c: what Krafft 2021 says of its figures 57 and 58, held against
/// the figures of this run.
#include <math.h>

#include "experiment/krafft_success.h"

static const success_sum* agent_of(const success_study* s, int agent) {
    return &s->sums[SUCCESS_HYBRID][agent][LATENCY_THESIS];
}

static double share_of(const success_study* s, int agent) {
    return success_mean(agent_of(s, agent), SUCCESS_SHARE);
}

static bool can_be(const success_sum* sum, double share) {
    return success_interval(sum).high >= share;
}

static void judge_shares(order_book* book, const success_study* s) {
    static const int walkers[] = {SUCCESS_H_ASTAR, SUCCESS_H_BASIC, SUCCESS_H_MT};
    double least = INFINITY, least_walker = INFINITY;
    bool can_all = true;
    for (int i = 0; i < SUCCESS_HYBRIDS; ++i) {
        least = fmin(least, share_of(s, i));
        can_all = can_all && can_be(agent_of(s, i), 96);
    }
    for (int i = 0; i < 3; ++i) {
        least_walker = fmin(least_walker, share_of(s, walkers[i]));
    }

    order_add_claim(book, "Figure 57: on the hybrid graph all succeed in 96 to 100 % of the runs.",
                    least >= 96, can_all ? "96 % is inside the 95 % interval of each of our shares." : NULL,
                    "in %.1f %% at least", least);
    order_add_claim(book, "Figure 57: A*, Basic MT-D* Lite and MT-D* Lite succeed in all runs.",
                    least_walker >= 100, NULL, "in %.1f, %.1f and %.1f %%", share_of(s, SUCCESS_H_ASTAR),
                    share_of(s, SUCCESS_H_BASIC), share_of(s, SUCCESS_H_MT));
}

/// Krafft 2021 blames its line of sight, which does not know the agent's size.
static void judge_any_angle(order_book* book, const success_study* s) {
    static const int any_angle[] = {SUCCESS_H_THETA, SUCCESS_H_THETA_FAST, SUCCESS_H_AAMT,
                                    SUCCESS_H_AAMT_FAST};
    uint32_t walls = 0, movers = 0, late = 0;
    for (int i = 0; i < 4; ++i) {
        walls += agent_of(s, any_angle[i])->by_walls;
        movers += agent_of(s, any_angle[i])->by_movers;
        late += agent_of(s, any_angle[i])->late;
    }
    order_add_claim(
        book, "Krafft 2021, 5.4: where any-angle agents fail, they touch a wall, nothing that moves.",
        walls > 0 && movers == 0,
        walls == 0 ? "Lines of sight are those of a ball of the agent's radius here: none of these "
                     "agents touched a wall."
                   : NULL,
        "%u touched a wall, %u something that moves, %u were not there in time", walls, movers, late);
}

static void judge_lengths(order_book* book, const success_study* s) {
    const success_pairs theta = success_compare(agent_of(s, SUCCESS_H_THETA), agent_of(s, SUCCESS_H_ASTAR)),
                        aamt = success_compare(agent_of(s, SUCCESS_H_AAMT), agent_of(s, SUCCESS_H_MT));
    if (theta.count == 0 || aamt.count == 0) {
        return;
    }
    const uint32_t pairs = theta.count + aamt.count, farther = theta.farther + aamt.farther;
    order_add_claim(book, "Figure 58: any-angle agents often travel farther than those of A* and MT-D* Lite.",
                    2 * farther >= pairs, NULL,
                    "Theta* in %u of %u runs with the same seed, AAMT-D* Lite in %u of %u; in the mean %.3f "
                    "and %.3f times "
                    "as far",
                    theta.farther, theta.count, aamt.farther, aamt.count, theta.first / theta.second,
                    aamt.first / aamt.second);
}

static void judge_theses(order_book* book, const success_study* s) {
    const double best_2019 = 93.277;
    double least = INFINITY, most = 0;
    bool can_all = true;
    for (int i = 0; i < SUCCESS_HYBRIDS; ++i) {
        least = fmin(least, share_of(s, i));
        can_all = can_all && can_be(agent_of(s, i), best_2019);
    }
    for (int i = 0; i < SUCCESS_METHODS; ++i) {
        const success_sum* grid = &s->sums[SUCCESS_GRID][i][LATENCY_THESIS];
        most = fmax(most, success_mean(grid, SUCCESS_SHARE));
        can_all = can_all && success_interval(grid).low <= best_2019;
    }

    order_add_claim(
        book,
        "Krafft 2021, 5.4: every agent on the hybrid graph succeeds more often than the best of 2019 "
        "(93.277 %).",
        least > most,
        can_all
            ? "So few runs do not tell: 93.277 % is no less than the lower end of any interval on the grid, "
              "and no more than the upper end of any on the hybrid graph."
            : NULL,
        "%.1f %% at least, on the grid with the latency of 2019 %.1f %% at most", least, most);
}

void success_judge_2021(order_book* book, const success_study* s) {
    bool all = true;
    for (int i = 0; i < SUCCESS_HYBRIDS; ++i) {
        all = all && success_counted(agent_of(s, i)) > 0;
    }
    if (all) {
        judge_shares(book, s);
        judge_any_angle(book, s);
        judge_lengths(book, s);
        judge_theses(book, s);
    }
}
