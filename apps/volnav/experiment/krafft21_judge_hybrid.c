/// volnav/experiment/krafft21_judge_hybrid.c: what Krafft 2021 says of the hybrid graph and of waypoints,
/// held against the figures of this run.
#include "experiment/krafft21_judge.h"

// ------------------------------------------------------------------------------------- figures 11 and 46

static void judge_waypoints(order_book* book, const race_sum* s) {
    const race_sum *astar = &s[KRAFFT21_ASTAR_WAYPOINTS], *theta = &s[KRAFFT21_THETA_WAYPOINTS],
                   *lite = &s[KRAFFT21_DSTAR_LITE_WAYPOINTS];
    const double a = krafft21_length_ratio(astar, &s[KRAFFT21_ASTAR]),
                 t = krafft21_length_ratio(theta, &s[KRAFFT21_THETA]),
                 straight = krafft21_length_ratio(astar, &s[KRAFFT21_THETA]);

    order_add_claim(
        book, "Figure 11: paths are slightly longer on waypoints than on the grid.",
        a > 1 && t > 1 && a < KRAFFT21_SLIGHT && t<KRAFFT21_SLIGHT, t> 1 && a <= 1 &&
                straight < KRAFFT21_SLIGHT
            ? "Of Theta* they are. Those of A* follow axes on the grid, but straight lines between "
              "waypoints: with eight neighbours on other obstacles (thesis: one) these come near "
              "to Theta*'s."
            : NULL,
        "A* %.2f, Theta* %.2f times; A* on waypoints %.2f times Theta* on the grid", a, t, straight);

    order_add_claim(
        book, "Figure 11: nodes and time are significantly lower on waypoints.",
        astar->nodes < s[KRAFFT21_ASTAR].nodes / 2 && theta->nodes < s[KRAFFT21_THETA].nodes / 2 &&
            lite->nodes < s[KRAFFT21_DSTAR_LITE].nodes / 2 && astar->total < s[KRAFFT21_ASTAR].total / 2 &&
            theta->total < s[KRAFFT21_THETA].total / 2 && lite->total < s[KRAFFT21_DSTAR_LITE].total / 2,
        NULL, "nodes %.4f, %.4f, %.4f; time %.3f, %.3f, %.3f times (A*, Theta*, D* Lite)",
        krafft21_nodes_ratio(astar, &s[KRAFFT21_ASTAR]), krafft21_nodes_ratio(theta, &s[KRAFFT21_THETA]),
        krafft21_nodes_ratio(lite, &s[KRAFFT21_DSTAR_LITE]), krafft21_time_ratio(astar, &s[KRAFFT21_ASTAR]),
        krafft21_time_ratio(theta, &s[KRAFFT21_THETA]), krafft21_time_ratio(lite, &s[KRAFFT21_DSTAR_LITE]));

    const double one = krafft21_nodes_ratio(lite, astar),
                 two = krafft21_nodes_ratio(&s[KRAFFT21_DSTAR_LITE_WAYPOINTS_2],
                                            &s[KRAFFT21_ASTAR_WAYPOINTS_2]);

    order_add_claim(book, "Figure 11: on waypoints D* Lite expands more nodes than A*, with ε = 1 and 2.",
                    one > 1 && two > 1, NULL, "%.2f and %.2f times; %llu and %llu resets in %u plans", one,
                    two, (unsigned long long)lite->restarts,
                    (unsigned long long)s[KRAFFT21_DSTAR_LITE_WAYPOINTS_2].restarts, (unsigned)lite->frames);
}

static void judge_theta(order_book* book, const race_sum* s) {
    const race_sum *grid = &s[KRAFFT21_THETA], *hybrid = &s[KRAFFT21_THETA_HYBRID],
                   *fast = &s[KRAFFT21_THETA_FAST], *astar = &s[KRAFFT21_ASTAR_HYBRID];

    order_add_claim(
        book, "Figure 46 iii: Theta* takes longer there (31.13 and 34.17 ms).", hybrid->total > grid->total,
        hybrid->nodes < grid->nodes && hybrid->sights < KRAFFT21_SLIGHT * grid->sights
            ? "It expands fewer nodes there, and does not check the many more lines of sight that "
              "the thesis supposes."
            : NULL,
        "%.2f and %.2f ms; lines of sight %.2f times", race_mean(grid) * 1e3, race_mean(hybrid) * 1e3,
        hybrid->sights / grid->sights);

    order_add_claim(book,
                    "Figure 46: Theta* Fast lies between A* and Theta* in length and nodes, and between them "
                    "in time.",
                    fast->length >= hybrid->length && fast->length < astar->length &&
                        fast->nodes >= hybrid->nodes && fast->nodes <= astar->nodes &&
                        fast->total <= hybrid->total && fast->total >= astar->total,
                    NULL, "length %.2f, %.2f, %.2f; nodes a plan %.0f, %.0f, %.0f; ms %.2f, %.2f, %.2f",
                    race_mean_length(astar), race_mean_length(fast), race_mean_length(hybrid),
                    astar->nodes / astar->frames, fast->nodes / fast->frames, hybrid->nodes / hybrid->frames,
                    race_mean(astar) * 1e3, race_mean(fast) * 1e3, race_mean(hybrid) * 1e3);
}

static void judge_searches(order_book* book, const race_sum* s) {
    const race_sum *grid = &s[KRAFFT21_ASTAR], *hybrid = &s[KRAFFT21_ASTAR_HYBRID];
    const race_sum *theta_grid = &s[KRAFFT21_THETA], *theta = &s[KRAFFT21_THETA_HYBRID];
    const double a = krafft21_length_ratio(hybrid, grid), t = krafft21_length_ratio(theta, theta_grid);

    order_add_claim(
        book, "Figure 46 i: paths are shorter on the hybrid graph than on the grid, of A* more so.",
        a < 1 && t < 1 && a < t,
        a < 1 && krafft21_is_between(t, 0.99, 1.01)
            ? "Of A* they are. Theta* is not bound to axes on the grid either: on both graphs its "
              "paths differ by less than 1 %."
            : NULL,
        "A* %.3f, Theta* %.3f times", a, t);

    order_add_claim(book, "Figure 46 ii: A* and Theta* expand considerably fewer nodes there.",
                    KRAFFT21_SLIGHT * hybrid->nodes < grid->nodes &&
                        KRAFFT21_SLIGHT * theta->nodes < theta_grid->nodes,
                    NULL, "A* %.2f, Theta* %.2f times", krafft21_nodes_ratio(hybrid, grid),
                    krafft21_nodes_ratio(theta, theta_grid));

    order_add_claim(book, "Figure 46 iii: A* is faster there (17 and 6 ms: almost three times).",
                    hybrid->total < grid->total, NULL, "%.2f and %.2f ms: %.1f times", race_mean(grid) * 1e3,
                    race_mean(hybrid) * 1e3, grid->total / hybrid->total);
}

// ------------------------------------------------------------------------------------- figures 49 and 50

/// A node takes longer on the hybrid graph whoever expands it: shown by A*, which repairs nothing.
static const char* explain_nodes(const race_sum* s) {
    return race_per_node(&s[KRAFFT21_ASTAR_HYBRID]) > KRAFFT21_SLIGHT * race_per_node(&s[KRAFFT21_ASTAR])
               ? "A node of the hybrid graph has more neighbours than the six of the grid, and takes longer: "
                 "of "
                 "A* too. The thesis expects that, and finds less of it."
               : NULL;
}

static void judge_graphs(order_book* book, const krafft21_run* run) {
    const race_sum *s = run->races[KRAFFT21_DYNAMIC_VERTICAL].sums, *live = run->races[KRAFFT21_LIVE].sums;
    const race_sum *grid = &s[KRAFFT21_MT], *hybrid = &s[KRAFFT21_MT_HYBRID];
    const double basic_nodes = krafft21_nodes_ratio(&s[KRAFFT21_BASIC_HYBRID], &s[KRAFFT21_BASIC]),
                 basic_time = krafft21_time_ratio(&s[KRAFFT21_BASIC_HYBRID], &s[KRAFFT21_BASIC]),
                 nodes = krafft21_nodes_ratio(hybrid, grid), time = krafft21_time_ratio(hybrid, grid);

    order_add_claim(book, "Figure 49 i: (Basic) MT-D* Lite expands far fewer nodes on the hybrid graph.",
                    KRAFFT21_SLIGHT * basic_nodes < 1 && KRAFFT21_SLIGHT * nodes < 1, NULL,
                    "Basic %.2f, MT %.2f times those on the grid; in real time %.2f and %.2f", basic_nodes,
                    nodes, krafft21_nodes_ratio(&live[KRAFFT21_BASIC_HYBRID], &live[KRAFFT21_BASIC]),
                    krafft21_nodes_ratio(&live[KRAFFT21_MT_HYBRID], &live[KRAFFT21_MT]));

    order_add_claim(book, "Figure 49 ii: and takes less time, but gains less of it than of nodes.",
                    basic_time < 1 && time < 1 && basic_time > basic_nodes && time > nodes,
                    basic_time > basic_nodes && time > nodes ? explain_nodes(s) : NULL,
                    "Basic %.2f, MT %.2f times that on the grid; in real time %.2f and %.2f", basic_time,
                    time, krafft21_time_ratio(&live[KRAFFT21_BASIC_HYBRID], &live[KRAFFT21_BASIC]),
                    krafft21_time_ratio(&live[KRAFFT21_MT_HYBRID], &live[KRAFFT21_MT]));

    order_add_claim(book,
                    "Figure 50 i: a plan of MT-D* Lite takes longer on the grid, with much higher peaks.",
                    race_mean(grid) > race_mean(hybrid) && grid->worst > KRAFFT21_SLIGHT * hybrid->worst,
                    hybrid->nodes / hybrid->frames < grid->nodes / grid->frames ? explain_nodes(s) : NULL,
                    "mean %.2f and %.2f ms, worst %.2f and %.2f ms (grid, hybrid)", race_mean(grid) * 1e3,
                    race_mean(hybrid) * 1e3, grid->worst * 1e3, hybrid->worst * 1e3);

    const double per_node = race_per_node(hybrid) / race_per_node(grid),
                 of_astar = race_per_node(&s[KRAFFT21_ASTAR_HYBRID]) / race_per_node(&s[KRAFFT21_ASTAR]);

    order_add_claim(book, "Figure 50 ii: for the same number of nodes neither graph is much faster.",
                    krafft21_is_like(per_node), per_node > 1 ? explain_nodes(s) : NULL,
                    "a node takes MT-D* Lite %.2f times as long on the hybrid graph, A* %.2f times", per_node,
                    of_astar);
}

// ------------------------------------------------------------------------------------------------ real time

/// Plans for each frame until the agent has arrived in which no end was covered; not a number if it has not.
static double plans_a_frame(const krafft21_race* race, int contender) {
    const krafft21_flight* flight = &race->flights[contender];
    return race->sums[contender].frames / (flight->arrival * 60 - flight->blind);
}

static void judge_live(order_book* book, const krafft21_run* run) {
    const race_sum *s = run->races[KRAFFT21_LIVE].sums, *slow = run->races[KRAFFT21_LIVE_SLOW].sums;
    const krafft21_race* slow_race = &run->races[KRAFFT21_LIVE_SLOW];
    const bool in_time =
        plans_a_frame(slow_race, KRAFFT21_MT) > 0.9 && plans_a_frame(slow_race, KRAFFT21_MT_HYBRID) > 0.9;
    const bool later =
        slow_race->flights[KRAFFT21_MT].arrival > slow_race->flights[KRAFFT21_MT_HYBRID].arrival;

    order_add_claim(book,
                    "Figure 36 as the thesis ran it, in real time: A* expands more than four times the nodes "
                    "of Basic MT-D* Lite in more than twice its time.",
                    s[KRAFFT21_ASTAR].nodes > 4 * s[KRAFFT21_BASIC].nodes &&
                        s[KRAFFT21_ASTAR].total > 2 * s[KRAFFT21_BASIC].total,
                    NULL, "nodes %.1f, time %.1f times; on a slower machine %.1f and %.1f times",
                    krafft21_nodes_ratio(&s[KRAFFT21_ASTAR], &s[KRAFFT21_BASIC]),
                    krafft21_time_ratio(&s[KRAFFT21_ASTAR], &s[KRAFFT21_BASIC]),
                    krafft21_nodes_ratio(&slow[KRAFFT21_ASTAR], &slow[KRAFFT21_BASIC]),
                    krafft21_time_ratio(&slow[KRAFFT21_ASTAR], &slow[KRAFFT21_BASIC]));

    order_add_claim(
        book,
        "Figure 50: in real time MT-D* Lite makes fewer plans on the grid than on the hybrid "
        "graph, until the agent arrives.",
        slow[KRAFFT21_MT].frames < slow[KRAFFT21_MT_HYBRID].frames,
        in_time && later
            ? "On either graph nearly every plan is ready in the next frame. On the grid the agent "
              "flies along axes and arrives later, so that there are more frames."
            : NULL,
        "%u and %u plans; at the speed of this machine %u and %u", (unsigned)slow[KRAFFT21_MT].frames,
        (unsigned)slow[KRAFFT21_MT_HYBRID].frames, (unsigned)s[KRAFFT21_MT].frames,
        (unsigned)s[KRAFFT21_MT_HYBRID].frames);
}

void krafft21_judge_hybrid(experiment* e, const krafft21_run* run) {
    const race_sum* watches = run->races[KRAFFT21_WATCHES].sums;
    judge_waypoints(&e->orders, watches);
    judge_searches(&e->orders, watches);
    judge_theta(&e->orders, watches);
    judge_graphs(&e->orders, run);
    judge_live(&e->orders, run);
}
