/// volnav/experiment/krafft19_judge.c: what Krafft 2019 says of its figures 43 to 50, held against the
/// figures of this run.
#include <math.h>

#include "experiment/krafft19.h"

static const race_sum* sums_of(const krafft19_run* run, int graph) {
    return run->races[KRAFFT19_UPDATES].sums[graph];
}

static double mean_ms(const race_sum* sum) {
    return sum->frames > 0 ? sum->total / sum->frames * 1e3 : 0;
}

static double mean_nodes(const race_sum* sum) {
    return sum->frames > 0 ? sum->nodes / sum->frames : 0;
}

/// Of the methods that the thesis has.
static double most_nodes(const race_sum* sums) {
    double most = 0;
    for (int m = 0; m < KRAFFT19_PAIRED; ++m) {
        most = fmax(most, mean_nodes(&sums[m]));
    }
    return most;
}

static bool is_theta(int method) {
    return method == KRAFFT19_THETA || method == KRAFFT19_THETA + 1;
}

/// The second of a pair over the first: ε = 2 over ε = 1, or δ = 0.4 over δ = 0.2.
static double length_ratio(const race_sum* sums, int method) {
    return race_mean_length(&sums[method + 1]) / race_mean_length(&sums[method]);
}

static double node_ratio(const race_sum* sums, int method) {
    return sums[method + 1].nodes / sums[method].nodes;
}

// -------------------------------------------------------------------------------------------------- lengths

static void judge_graphs(order_book* book, const krafft19_run* run) {
    const race_sum *grid = sums_of(run, KRAFFT19_GRID), *one = sums_of(run, KRAFFT19_WAYPOINTS),
                   *eight = sums_of(run, KRAFFT19_WAYPOINTS_8);
    int shorter = 0, shorter_eight = 0;
    for (int m = 0; m < KRAFFT19_PAIRED; ++m) {
        shorter += race_mean_length(&grid[m]) < race_mean_length(&one[m]) ? 1 : 0;
        shorter_eight += race_mean_length(&grid[m]) < race_mean_length(&eight[m]) ? 1 : 0;
    }

    order_add_claim(
        book,
        "Figure 48 i, ii: most algorithms find shorter paths on the grid than on waypoints (A*, ε "
        "= 1: 130.28 and 144.126 units).",
        2 * shorter > KRAFFT19_PAIRED, NULL,
        "%d of 10 do, and %d against eight indirect neighbours; A* %.1f, %.1f and %.1f units", shorter,
        shorter_eight, race_mean_length(&grid[KRAFFT19_ASTAR]), race_mean_length(&one[KRAFFT19_ASTAR]),
        race_mean_length(&eight[KRAFFT19_ASTAR]));

    const double theta = race_mean_length(&one[KRAFFT19_THETA]) / race_mean_length(&grid[KRAFFT19_THETA]),
                 theta_eight =
                     race_mean_length(&eight[KRAFFT19_THETA]) / race_mean_length(&grid[KRAFFT19_THETA]);
    order_add_claim(
        book, "Figure 48 i, ii: Theta* finds paths of almost the same length in both.", fabs(theta - 1) < 0.1,
        theta > 1.1 && fabs(theta_eight - 1) < 0.1 &&
                run->races[KRAFFT19_UPDATES].nodes[KRAFFT19_WAYPOINTS] < 2062 / 3
            ? "One neighbour on another obstacle joins our waypoints poorly, which are less than a third of "
              "the "
              "thesis's 2,062: all paths on them lead far around. With eight neighbours it holds."
            : NULL,
        "%.2f times as long on waypoints; with eight indirect neighbours %.2f times", theta, theta_eight);
}

static void judge_lengths(order_book* book, const krafft19_run* run) {
    const race_sum *grid = sums_of(run, KRAFFT19_GRID), *one = sums_of(run, KRAFFT19_WAYPOINTS),
                   *eight = sums_of(run, KRAFFT19_WAYPOINTS_8);
    double largest = 0, least = INFINITY, most = 0;
    for (int m = 0; m < KRAFFT19_PAIRED; ++m) {
        const double length = race_mean_length(&grid[m]);
        least = is_theta(m) ? least : fmin(least, length);
        most = is_theta(m) ? most : fmax(most, length);
        largest = m % 2 == 0 ? fmax(largest, fabs(length_ratio(grid, m) - 1)) : largest;
        largest = m % 2 == 0 ? fmax(largest, fabs(length_ratio(one, m) - 1)) : largest;
    }

    order_add_claim(book, "Figure 48 i, ii: lengths vary little with ε or δ.", largest < 0.1, NULL,
                    "by %.1f %% at most", 100 * largest);

    order_add_claim(book,
                    "Figure 48 i, ii: they vary more on waypoints than on the grid (A*: 144.126 to 152.316, "
                    "1.06 times).",
                    length_ratio(one, KRAFFT19_ASTAR) > length_ratio(grid, KRAFFT19_ASTAR), NULL,
                    "A*: %.3f times on waypoints, %.3f with eight indirect neighbours, %.3f on the grid",
                    length_ratio(one, KRAFFT19_ASTAR), length_ratio(eight, KRAFFT19_ASTAR),
                    length_ratio(grid, KRAFFT19_ASTAR));

    order_add_claim(book, "Figure 48 i: all algorithms but Theta* find paths of about the same length.",
                    most < 1.05 * least, NULL, "%.1f to %.1f units on the grid", least, most);

    const double theta = race_mean_length(&grid[KRAFFT19_THETA]);
    order_add_claim(book, "Figure 48 i: Theta* finds much shorter ones (98.28 units, A* 130.28: 0.75 times).",
                    theta < 0.9 * least, NULL, "%.1f units, A* %.1f: %.2f times", theta,
                    race_mean_length(&grid[KRAFFT19_ASTAR]), theta / race_mean_length(&grid[KRAFFT19_ASTAR]));
}

// ---------------------------------------------------------------------------------------------------- nodes

static void judge_grid(order_book* book, const krafft19_run* run) {
    const race_sum* s = sums_of(run, KRAFFT19_GRID);
    const double astar = node_ratio(s, KRAFFT19_ASTAR), theta = node_ratio(s, KRAFFT19_THETA),
                 lite = node_ratio(s, KRAFFT19_DSTAR_LITE);

    order_add_claim(
        book,
        "Figure 48 iii: A*, Theta* and D* Lite expand significantly fewer nodes with ε = 2 than with 1.",
        astar < 0.8 && theta < 0.8 && lite < 0.8, NULL, "%.2f, %.2f and %.2f times", astar, theta, lite);

    const double nodes = s[KRAFFT19_THETA].nodes / s[KRAFFT19_ASTAR].nodes,
                 time = s[KRAFFT19_THETA].total / s[KRAFFT19_ASTAR].total,
                 per_node = race_per_node(&s[KRAFFT19_THETA]) / race_per_node(&s[KRAFFT19_ASTAR]);

    order_add_claim(book, "Figure 48 iii: Theta* expands significantly fewer nodes than A* with ε = 1.",
                    nodes < 0.8, NULL, "%.2f times", nodes);

    order_add_claim(book, "Figure 48 v: and takes longer, as it runs in coroutines.", time > 1,
                    nodes < 0.8 && per_node > 1.25
                        ? "Ours does not wait for frames of a game. A node takes it longer, because of the "
                          "lines of sight, but it expands so many fewer that the time is less."
                        : NULL,
                    "%.2f times; for a node %.2f times", time, per_node);

    const double lite_1 = s[KRAFFT19_DSTAR_LITE].nodes / s[KRAFFT19_ASTAR].nodes,
                 lite_2 = s[KRAFFT19_DSTAR_LITE + 1].nodes / s[KRAFFT19_ASTAR + 1].nodes,
                 ad_1 = s[KRAFFT19_AD].nodes / s[KRAFFT19_ARA].nodes,
                 ad_2 = s[KRAFFT19_AD + 1].nodes / s[KRAFFT19_ARA + 1].nodes;
    order_add_claim(book,
                    "Figure 48 iii: D* Lite and AD* expand fewer nodes than A* and ARA*, whatever ε or δ is.",
                    lite_1 < 1 && lite_2 < 1 && ad_1 < 1 && ad_2 < 1, NULL,
                    "D* Lite %.2f and %.2f, AD* %.2f and %.2f times", lite_1, lite_2, ad_1, ad_2);
}

static void judge_anytime(order_book* book, const krafft19_run* run) {
    const race_sum *grid = sums_of(run, KRAFFT19_GRID), *one = sums_of(run, KRAFFT19_WAYPOINTS);
    const double ratios[4] = {node_ratio(grid, KRAFFT19_ARA), node_ratio(grid, KRAFFT19_AD),
                              node_ratio(one, KRAFFT19_ARA), node_ratio(one, KRAFFT19_AD)};
    double largest = 0;
    int fewer = 0;
    for (int i = 0; i < 4; ++i) {
        largest = fmax(largest, fabs(ratios[i] - 1));
        fewer += ratios[i] < 1 ? 1 : 0;
    }

    order_add_claim(book,
                    "Figure 48 iii, iv: nodes of ARA* and AD* vary slightly with δ, and are mostly more with "
                    "0.2 than with 0.4.",
                    largest < 0.15 && fewer > 2, NULL,
                    "with 0.4 %.3f and %.3f times those with 0.2 on the grid, %.3f and %.3f on waypoints",
                    ratios[0], ratios[1], ratios[2], ratios[3]);
}

/// D* Lite and AD* that reset, against A* and ARA*, on waypoints with one neighbour: `time` or nodes.
static void ratios_of_resets(const race_sum* s, bool time, double out[4]) {
    for (int k = 0; k < 2; ++k) {
        const race_sum *lite = &s[KRAFFT19_DSTAR_LITE_RESET + k], *astar = &s[KRAFFT19_ASTAR + k],
                       *ad = &s[KRAFFT19_AD_RESET + k], *ara = &s[KRAFFT19_ARA + k];
        out[k] = time ? lite->total / astar->total : lite->nodes / astar->nodes;
        out[2 + k] = time ? ad->total / ara->total : ad->nodes / ara->nodes;
    }
}

static bool are_all_above(const double* values, int count, double limit) {
    bool all = true;
    for (int i = 0; i < count; ++i) {
        all = all && values[i] > limit;
    }
    return all;
}

static void judge_waypoints(order_book* book, const krafft19_run* run) {
    const race_sum *s = sums_of(run, KRAFFT19_WAYPOINTS), *grid = sums_of(run, KRAFFT19_GRID);
    double nodes[4], times[4];
    ratios_of_resets(s, false, nodes);
    ratios_of_resets(s, true, times);
    order_add_claim(
        book,
        "Figure 48 iv: on waypoints D* Lite and AD*, which reset there, expand no fewer nodes than A* "
        "and ARA*.",
        are_all_above(nodes, 4, 1 - 1e-9), NULL, "D* Lite %.2f and %.2f, AD* %.2f and %.2f times", nodes[0],
        nodes[1], nodes[2], nodes[3]);
    order_add_claim(book, "Figure 48 vi: and take longer.", are_all_above(times, 4, 1), NULL,
                    "D* Lite %.2f and %.2f, AD* %.2f and %.2f times", times[0], times[1], times[2], times[3]);

    int least = KRAFFT19_ASTAR;
    for (int m = 0; m < KRAFFT19_PAIRED; ++m) {
        least = s[m].total < s[least].total ? m : least;
    }
    order_add_claim(
        book, "5.1: on waypoints A* with ε = 2 expands fewer nodes than with ε = 1, and takes little time.",
        node_ratio(s, KRAFFT19_ASTAR) < 1 && s[KRAFFT19_ASTAR + 1].total < 1.1 * s[least].total, NULL,
        "%.2f times the nodes, %.3f ms a plan; the least: %s, %.3f ms", node_ratio(s, KRAFFT19_ASTAR),
        mean_ms(&s[KRAFFT19_ASTAR + 1]), krafft19_methods[least].racer.name, mean_ms(&s[least]));

    order_add_claim(
        book,
        "Figure 48 iii, iv: the most nodes of any algorithm are more than ten times as many on the "
        "grid as on waypoints (29,141.04 and 2,168.02).",
        most_nodes(grid) > 10 * most_nodes(s), NULL, "%.0f and %.0f", most_nodes(grid), most_nodes(s));
}

// ------------------------------------------------------------------------------------------------- figure 50

/// How many of the ten take less time than an update; `out` gets the slowest.
static int count_faster(const krafft19_race* race, int graph, int* slowest) {
    int faster = 0;
    *slowest = 0;
    for (int m = 0; m < KRAFFT19_PAIRED; ++m) {
        const race_sum* sum = &race->sums[graph][m];
        faster += mean_ms(sum) < race->update[graph] * 1e3 ? 1 : 0;
        *slowest = sum->total > race->sums[graph][*slowest].total ? m : *slowest;
    }
    return faster;
}

static void judge_updates(order_book* book, const krafft19_run* run) {
    const krafft19_race* race = &run->races[KRAFFT19_UPDATES];
    int slowest;
    int faster = count_faster(race, KRAFFT19_GRID, &slowest);
    const double grid = race->update[KRAFFT19_GRID] * 1e3, one = race->update[KRAFFT19_WAYPOINTS] * 1e3;
    order_add_claim(
        book,
        "Figure 50: on the grid an update (282.15 ms) takes longer than a plan of all algorithms but "
        "Theta* with ε = 1.",
        faster == KRAFFT19_PAIRED - 1 && slowest == KRAFFT19_THETA,
        grid < 28.2 ? "Ours does not look at all cells, but only at those around what moved: an update takes "
                      "less than a tenth of the thesis's, and a plan is what takes time."
                    : NULL,
        "%.2f ms; %d of 10 take less; the slowest: %s, %.2f ms", grid, faster,
        krafft19_methods[slowest].racer.name, mean_ms(&race->sums[KRAFFT19_GRID][slowest]));

    faster = count_faster(race, KRAFFT19_WAYPOINTS, &slowest);
    order_add_claim(book, "Figure 50: on waypoints (327.71 ms) longer than any of them.",
                    faster == KRAFFT19_PAIRED, NULL, "%.2f ms; %d of 10 take less; the slowest: %s, %.2f ms",
                    one, faster, krafft19_methods[slowest].racer.name,
                    mean_ms(&race->sums[KRAFFT19_WAYPOINTS][slowest]));
}

// ------------------------------------------------------------------------------------------------ corridors

static void judge_corridors(order_book* book, const krafft19_corridors* c) {
    order_add_claim(
        book,
        "4.3.2.2: while ε falls, ARA* finds its first path again for a while: that of ε = 2 is that of 3.",
        2 * c->kept > c->moments, NULL, "of the same length in %u of %u moments", (unsigned)c->kept,
        (unsigned)c->moments);
    order_add_claim(book,
                    "4.4.3: the shortest path is there long before ε = 1 (in the thesis's example: 1.8).",
                    c->settled >= 1.8, NULL, "at ε = %.2f in the mean, at %.1f in the moment that is drawn",
                    c->settled, c->settled_drawn);
    order_add_claim(book,
                    "Figure 46: with the adjusted keys D* Lite with ε = 2 reaches the goal after an obstacle "
                    "has cut its path.",
                    c->after.count > 0 && c->after.cost <= 2 * c->cut_best, NULL,
                    "%.1f units, the shortest path %.1f", c->after.cost, c->cut_best);
}

/// Not in the thesis.
static void judge_ours(order_book* book, const krafft19_run* run) {
    const race_sum *full = &sums_of(run, KRAFFT19_GRID)[KRAFFT19_AD],
                   *low = &sums_of(run, KRAFFT19_GRID)[KRAFFT19_AD_FLOOR];
    const krafft19_race* frames = &run->races[KRAFFT19_FRAMES];
    const race_sum* s = frames->sums[KRAFFT19_GRID];
    int best = KRAFFT19_ASTAR;
    for (int m = 0; m < KRAFFT19_PAIRED; ++m) {
        best = s[m].total < s[best].total ? m : best;
    }

    order_add_claim(
        book,
        "Ours: with 60 plans a second D* Lite and AD* take less than a quarter of A*'s and ARA*'s time.",
        4 * s[KRAFFT19_DSTAR_LITE].total < s[KRAFFT19_ASTAR].total &&
            4 * s[KRAFFT19_AD].total < s[KRAFFT19_ARA].total,
        NULL, "%.3f and %.3f times (ε = 1, δ = 0.2)", s[KRAFFT19_DSTAR_LITE].total / s[KRAFFT19_ASTAR].total,
        s[KRAFFT19_AD].total / s[KRAFFT19_ARA].total);

    order_add_claim(book, "Ours: AD* that ends at ε = 1.4, as 6.4 wishes, takes less time than down to 1.",
                    low->total < full->total, NULL,
                    "nodes %.2f, time %.2f times; its paths cost at most %.3f times those of A*",
                    low->nodes / full->nodes, low->total / full->total,
                    run->races[KRAFFT19_UPDATES].costs[KRAFFT19_GRID][KRAFFT19_AD_FLOOR].worst);

    order_add_claim(book, "Ours: cells from scratch take less time than any contender on the grid.",
                    frames->cells.total < s[best].total, NULL,
                    "%.2f ms for all plans at 60 a second; next: %s, %.2f ms", frames->cells.total * 1e3,
                    krafft19_methods[best].racer.name, s[best].total * 1e3);
}

/// The few numbers that the text gives.
static void compare(order_book* book, const krafft19_run* run) {
    const krafft19_race* race = &run->races[KRAFFT19_UPDATES];
    const race_sum *grid = race->sums[KRAFFT19_GRID], *one = race->sums[KRAFFT19_WAYPOINTS];
    const order_column on_grid = {48, "K19 48 i", 0, "length", false},
                       between = {48, "K19 48 i, ii", 1, "length", false},
                       updates = {50, "K19 50", 2, "update", true};
    const order_item lengths[] = {
        {"A*, grid", 130.28, race_mean_length(&grid[KRAFFT19_ASTAR])},
        {"Theta*, grid", 98.28, race_mean_length(&grid[KRAFFT19_THETA])},
    };
    const order_item both[] = {
        {"A*, grid", 130.28, race_mean_length(&grid[KRAFFT19_ASTAR])},
        {"A*, ε = 1, waypoints", 144.126, race_mean_length(&one[KRAFFT19_ASTAR])},
        {"A*, ε = 2, waypoints", 152.316, race_mean_length(&one[KRAFFT19_ASTAR + 1])},
    };
    const order_item times[] = {{"grid", 282.15, race->update[KRAFFT19_GRID]},
                                {"waypoints", 327.71, race->update[KRAFFT19_WAYPOINTS]}};
    order_compare(book, &on_grid, lengths, 2);
    order_compare(book, &between, both, 3);
    order_compare(book, &updates, times, 2);
}

void krafft19_judge(experiment* e, const krafft19_run* run) {
    compare(&e->orders, run);
    judge_graphs(&e->orders, run);
    judge_lengths(&e->orders, run);
    judge_grid(&e->orders, run);
    judge_anytime(&e->orders, run);
    judge_waypoints(&e->orders, run);
    judge_updates(&e->orders, run);
    judge_corridors(&e->orders, &run->corridors);
    judge_ours(&e->orders, run);
}
