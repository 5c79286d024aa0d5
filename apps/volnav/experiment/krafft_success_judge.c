/// volnav/experiment/krafft_success_judge.c: what Krafft 2019 says of its figures 49 to 53 and of table 1,
/// held against the figures of this run.
#include <math.h>

#include "experiment/krafft_success.h"

static const char few_text[] = "The 95 % intervals of our two shares overlap: so few runs do not tell them "
                               "apart.";

/// Both were flown.
static bool has_both(const success_sum* a, const success_sum* b) {
    return success_counted(a) > 0 && success_counted(b) > 0;
}

static bool overlap(const success_sum* a, const success_sum* b) {
    const stats_interval x = success_interval(a), y = success_interval(b);
    return x.low <= y.high && y.low <= x.high;
}

static const success_sum* thesis_of(const success_study* s, int group, int agent) {
    return &s->sums[group][agent][LATENCY_THESIS];
}

static double share_of(const success_study* s, int group, int agent) {
    return success_mean(thesis_of(s, group, agent), SUCCESS_SHARE);
}

static double grid_mean(const success_study* s, int agent, int column) {
    return success_mean(thesis_of(s, SUCCESS_GRID, agent), column);
}

/// Has each of these agents of the grid a run that reached its goal?
static bool have_grid(const success_study* s, const int* agents, int count) {
    for (int i = 0; i < count; ++i) {
        if (thesis_of(s, SUCCESS_GRID, agents[i])->reached == 0) {
            return false;
        }
    }
    return true;
}

static bool all_flown(const success_study* s, success_group group) {
    int count;
    (void)success_agents(group, &count);
    for (int i = 0; i < count; ++i) {
        if (success_counted(thesis_of(s, (int)group, i)) == 0) {
            return false;
        }
    }
    return true;
}

// --------------------------------------------------------------------------------------------------- reasons

static bool test_few(const void* figures, const order_column* c, int less, int more) {
    return c->column == SUCCESS_SHARE &&
           overlap(thesis_of(figures, c->table, less), thesis_of(figures, c->table, more));
}

/// The same two differ the same way without any latency.
static bool test_without(const void* figures, const order_column* c, int less, int more) {
    const success_study* s = figures;
    return c->column == SUCCESS_LENGTH && success_mean(&s->sums[c->table][less][LATENCY_NONE], c->column) >
                                              success_mean(&s->sums[c->table][more][LATENCY_NONE], c->column);
}

static const char without_text[] =
    "It is so without any latency too. The thesis explains its lengths by agents "
    "that turn back when a search was slow, and how long a search takes is no "
    "part of these runs.";

static bool repairs(int agent) {
    return agent >= SUCCESS_DSTAR;
}

/// Does it expand fewer nodes than the other if the destination stands?
static bool saves_still(const success_study* s, int agent, int other) {
    return success_mean(thesis_of(s, SUCCESS_STILL, agent), SUCCESS_NODES) <
           success_mean(thesis_of(s, SUCCESS_STILL, other), SUCCESS_NODES);
}

static bool test_still(const void* figures, const order_column* c, int less, int more) {
    return c->table == SUCCESS_GRID && c->column == SUCCESS_NODES && repairs(less) && !repairs(more) &&
           saves_still(figures, less, more);
}

static const char still_text[] =
    "A planner that repairs begins anew whenever its goal is another node. To a destination that stands it "
    "expands fewer here too. Krafft 2021 measures the same agents again and finds that D* Lite mostly "
    "expands more than A* when the destination moves.";

/// It expands more nodes here than the one that takes more time in the thesis.
static bool test_nodes(const void* figures, const order_column* c, int less, int more) {
    return c->column == SUCCESS_MS && success_mean(thesis_of(figures, c->table, less), SUCCESS_NODES) >
                                          success_mean(thesis_of(figures, c->table, more), SUCCESS_NODES);
}

/// The thesis's nodes are in this order as well: less time with more nodes.
static bool test_time(const void* figures, const order_column* c, int less, int more) {
    int count;
    const success_agent* agents = success_agents((success_group)c->table, &count);
    return test_nodes(figures, c, less, more) &&
           agents[less].theirs[SUCCESS_NODES] > agents[more].theirs[SUCCESS_NODES];
}

static const order_reason reasons[] = {
    {test_few, few_text},
    {test_without, without_text},
    {test_time, "Follows the expanded nodes, which are in this order here and in the thesis. Its Theta* runs "
                "in the main thread, piece by piece."},
    {test_still, still_text},
    {test_nodes, "Follows the expanded nodes, which are in another order here: see there."},
};

static void compare(order_book* book, const success_study* s, int group, const char* name) {
    static const char* const titles[SUCCESS_COLUMNS] = {"success", "length", "expanded nodes", "time"};
    int count;
    const success_agent* agents = success_agents((success_group)group, &count);
    for (int c = 0; c < SUCCESS_COLUMNS; ++c) {
        order_item items[SUCCESS_AGENTS_MAX];
        for (int i = 0; i < count; ++i) {
            items[i] =
                (order_item){agents[i].name, agents[i].theirs[c], success_mean(thesis_of(s, group, i), c)};
        }
        const order_column column = {group, name, c, titles[c], c == SUCCESS_MS};
        order_compare(book, &column, items, count);
    }
}

// --------------------------------------------------------------------------------------------------- success

static void judge_waypoints(order_book* book, const success_study* s) {
    double most = 0;
    int less = 0;
    bool can_all = true;
    const success_sum grid = success_pool(s, SUCCESS_GRID, LATENCY_THESIS),
                      way = success_pool(s, SUCCESS_WAYPOINTS, LATENCY_THESIS);
    for (int i = 0; i < SUCCESS_METHODS; ++i) {
        most = fmax(most, share_of(s, SUCCESS_WAYPOINTS, i));
        can_all = can_all && success_interval(thesis_of(s, SUCCESS_WAYPOINTS, i)).low < 40;
        less += share_of(s, SUCCESS_WAYPOINTS, i) < share_of(s, SUCCESS_GRID, i) ? 1 : 0;
    }
    order_add_claim(book, "Figure 49: on waypoints every algorithm succeeds in less than 40 % of the runs.",
                    most < 40,
                    can_all ? "Less than 40 % is inside the 95 % interval of each of our shares." : NULL,
                    "in %.1f %% at most, in %.1f %% of all", most, success_mean(&way, SUCCESS_SHARE));
    order_add_claim(book, "Figure 49: every algorithm succeeds less often on waypoints than on the grid.",
                    less == SUCCESS_METHODS, NULL, "%d of 10 do; all together %.1f %% and %.1f %%", less,
                    success_mean(&way, SUCCESS_SHARE), success_mean(&grid, SUCCESS_SHARE));
}

static void judge_latency(order_book* book, const success_study* s, success_group group, const char* said) {
    const success_sum none = success_pool(s, group, LATENCY_NONE),
                      ours = success_pool(s, group, LATENCY_OURS),
                      theirs = success_pool(s, group, LATENCY_THESIS);
    if (has_both(&none, &theirs)) {
        order_add_claim(book, said, success_mean(&none, SUCCESS_SHARE) > success_mean(&theirs, SUCCESS_SHARE),
                        overlap(&none, &theirs) ? few_text : NULL,
                        "%.1f %% of all runs succeed without latency, %.1f %% with ours, %.1f %% with the "
                        "thesis's",
                        success_mean(&none, SUCCESS_SHARE), success_mean(&ours, SUCCESS_SHARE),
                        success_mean(&theirs, SUCCESS_SHARE));
    }
}

/// ε = 2 against ε = 1 of A* and Theta*.
static void judge_weights(order_book* book, const success_study* s) {
    const double a1 = share_of(s, SUCCESS_GRID, SUCCESS_ASTAR),
                 a2 = share_of(s, SUCCESS_GRID, SUCCESS_ASTAR + 1),
                 t1 = share_of(s, SUCCESS_GRID, SUCCESS_THETA),
                 t2 = share_of(s, SUCCESS_GRID, SUCCESS_THETA + 1);
    const bool near_a = overlap(thesis_of(s, SUCCESS_GRID, SUCCESS_ASTAR),
                                thesis_of(s, SUCCESS_GRID, SUCCESS_ASTAR + 1)),
               near_t = overlap(thesis_of(s, SUCCESS_GRID, SUCCESS_THETA),
                                thesis_of(s, SUCCESS_GRID, SUCCESS_THETA + 1));
    order_add_claim(book, "Figure 49 i: A* and Theta* succeed more often with ε = 2 than with 1.",
                    a2 > a1 && t2 > t1, (a2 > a1 || near_a) && (t2 > t1 || near_t) ? few_text : NULL,
                    "A* %.1f and %.1f %%, Theta* %.1f and %.1f %%, with 2 and with 1", a2, a1, t2, t1);
}

/// Is an agent of the grid the best of the given ones; and if not, do intervals tell it from the best?
static void judge_best(order_book* book, const success_study* s) {
    int best = 0;
    for (int i = 1; i < SUCCESS_METHODS; ++i) {
        best = share_of(s, SUCCESS_GRID, i) > share_of(s, SUCCESS_GRID, best) ? i : best;
    }
    const int astar = SUCCESS_ASTAR + 1;
    const double own = share_of(s, SUCCESS_GRID, astar), most = share_of(s, SUCCESS_GRID, best);
    int count;
    order_add_claim(
        book, "Figure 49 i: A* with ε = 2 succeeds most often (93.277 %).", own >= most,
        overlap(thesis_of(s, SUCCESS_GRID, astar), thesis_of(s, SUCCESS_GRID, best)) ? few_text : NULL,
        "%.1f %%; the most has %s with %.1f %%", own, success_agents(SUCCESS_GRID, &count)[best].name, most);
}

static void judge_theta(order_book* book, const success_study* s) {
    static const int anytime[] = {SUCCESS_ARA, SUCCESS_ARA + 1, SUCCESS_AD, SUCCESS_AD + 1};
    const double own = share_of(s, SUCCESS_GRID, SUCCESS_THETA + 1);
    double most = 0;
    bool near_all = true;
    for (size_t i = 0; i < sizeof anytime / sizeof *anytime; ++i) {
        const success_sum* sum = thesis_of(s, SUCCESS_GRID, anytime[i]);
        most = fmax(most, success_mean(sum, SUCCESS_SHARE));
        near_all = near_all && (success_mean(sum, SUCCESS_SHARE) < own ||
                                overlap(sum, thesis_of(s, SUCCESS_GRID, SUCCESS_THETA + 1)));
    }
    order_add_claim(book, "Figure 49 i: Theta* with ε = 2 succeeds more often than ARA* and AD*.", own > most,
                    near_all ? few_text : NULL, "%.1f %%, ARA* and AD* %.1f %% at most", own, most);
}

// --------------------------------------------------------------------------------------------------- lengths

static double length_ratio(const success_study* s, int agent, latency_kind latency) {
    return success_mean(&s->sums[SUCCESS_GRID][agent + 1][latency], SUCCESS_LENGTH) /
           success_mean(&s->sums[SUCCESS_GRID][agent][latency], SUCCESS_LENGTH);
}

static void judge_lengths(order_book* book, const success_study* s) {
    static const int weighted[] = {SUCCESS_ASTAR, SUCCESS_THETA, SUCCESS_DSTAR};
    double ratios[3];
    bool holds = true, same_without = true;
    for (int i = 0; i < 3; ++i) {
        ratios[i] = length_ratio(s, weighted[i], LATENCY_THESIS);
        holds = holds && ratios[i] < 1;
        same_without = same_without && (ratios[i] < 1 || length_ratio(s, weighted[i], LATENCY_NONE) >= 1);
    }
    order_add_claim(book,
                    "Figure 51: agents of A*, Theta* and D* Lite travel less with ε = 2 than with 1 (A* "
                    "160.109 and 177.373: 0.90 times).",
                    holds, same_without ? without_text : NULL,
                    "A* %.2f, Theta* %.2f, D* Lite %.2f times; A* %.1f and %.1f m", ratios[0], ratios[1],
                    ratios[2], grid_mean(s, SUCCESS_ASTAR + 1, SUCCESS_LENGTH),
                    grid_mean(s, SUCCESS_ASTAR, SUCCESS_LENGTH));

    double least = INFINITY;
    for (int i = 0; i < SUCCESS_METHODS; ++i) {
        const bool theta = i == SUCCESS_THETA || i == SUCCESS_THETA + 1;
        least = theta ? least : fmin(least, grid_mean(s, i, SUCCESS_LENGTH));
    }
    const double own = grid_mean(s, SUCCESS_THETA + 1, SUCCESS_LENGTH);
    order_add_claim(book, "Figure 51, table 1: agents of Theta* (ε = 2) travel least (134.303; A* 160.109).",
                    own < least, NULL, "%.1f m, the others %.1f at least", own, least);
}

// ------------------------------------------------------------------------------------------------------ work

static double node_ratio(const success_study* s, success_group group, int a, int b) {
    return success_mean(thesis_of(s, (int)group, a), SUCCESS_NODES) /
           success_mean(thesis_of(s, (int)group, b), SUCCESS_NODES);
}

static void judge_nodes(order_book* book, const success_study* s) {
    const double astar = node_ratio(s, SUCCESS_GRID, SUCCESS_ASTAR + 1, SUCCESS_ASTAR),
                 theta = node_ratio(s, SUCCESS_GRID, SUCCESS_THETA + 1, SUCCESS_THETA),
                 dstar = node_ratio(s, SUCCESS_GRID, SUCCESS_DSTAR + 1, SUCCESS_DSTAR);
    order_add_claim(book, "Figure 52: A*, Theta* and D* Lite expand less with ε = 2 than with 1.",
                    astar < 1 && theta < 1 && dstar < 1, NULL, "%.2f, %.2f and %.2f times", astar, theta,
                    dstar);

    const double one = node_ratio(s, SUCCESS_GRID, SUCCESS_THETA, SUCCESS_ASTAR),
                 two = node_ratio(s, SUCCESS_GRID, SUCCESS_THETA + 1, SUCCESS_ASTAR + 1);
    order_add_claim(book, "Figure 52: Theta* expands less than A* (ε = 2: 0.57 times).", one < 1 && two < 1,
                    NULL, "%.2f times with ε = 1, %.2f with 2", one, two);

    const double ara = node_ratio(s, SUCCESS_GRID, SUCCESS_ARA, SUCCESS_ARA + 1),
                 ad = node_ratio(s, SUCCESS_GRID, SUCCESS_AD, SUCCESS_AD + 1);
    order_add_claim(book, "Figure 52: ARA* and AD* expand more with δ = 0.2 than with 0.4.",
                    ara > 1 && ad > 1, NULL, "ARA* %.3f, AD* %.3f times", ara, ad);

    const double lite = node_ratio(s, SUCCESS_GRID, SUCCESS_DSTAR, SUCCESS_ASTAR),
                 lite_two = node_ratio(s, SUCCESS_GRID, SUCCESS_DSTAR + 1, SUCCESS_ASTAR + 1),
                 anytime = node_ratio(s, SUCCESS_GRID, SUCCESS_AD, SUCCESS_ARA);
    order_add_claim(book, "Figure 52: D* Lite and AD* expand less than A* and ARA*.",
                    lite < 1 && lite_two < 1 && anytime < 1,
                    saves_still(s, SUCCESS_DSTAR, SUCCESS_ASTAR) &&
                            saves_still(s, SUCCESS_DSTAR + 1, SUCCESS_ASTAR + 1) &&
                            saves_still(s, SUCCESS_AD, SUCCESS_ARA)
                        ? still_text
                        : NULL,
                    "D* Lite %.2f (ε = 1) and %.2f times (2), AD* %.2f times", lite, lite_two, anytime);

    const double still = node_ratio(s, SUCCESS_STILL, SUCCESS_DSTAR, SUCCESS_ASTAR),
                 still_ad = node_ratio(s, SUCCESS_STILL, SUCCESS_AD, SUCCESS_ARA);
    order_add_claim(book, "Figure 53: to a destination that stands, D* Lite and AD* save much more.",
                    still < lite && still_ad < anytime, NULL,
                    "D* Lite %.2f times the nodes of A* (moving: %.2f), AD* %.2f times those of ARA* (%.2f)",
                    still, lite, still_ad, anytime);
}

static void judge_times(order_book* book, const success_study* s) {
    const double astar = grid_mean(s, SUCCESS_ASTAR + 1, SUCCESS_MS),
                 theta = grid_mean(s, SUCCESS_THETA + 1, SUCCESS_MS),
                 lite = grid_mean(s, SUCCESS_DSTAR + 1, SUCCESS_MS);
    order_add_claim(
        book, "Table 1: A* takes less time than D* Lite and Theta* (3,038, 5,987 and 8,051 ms a run).",
        astar < lite && astar < theta,
        node_ratio(s, SUCCESS_GRID, SUCCESS_THETA + 1, SUCCESS_ASTAR + 1) < 1 &&
                (lite > astar || node_ratio(s, SUCCESS_GRID, SUCCESS_DSTAR + 1, SUCCESS_ASTAR + 1) < 1)
            ? "It expands more nodes than the one that is faster here, as in the thesis: an expansion "
              "costs about the same in all three."
            : NULL,
        "%.0f, %.0f and %.0f ms, all with ε = 2", astar, lite, theta);
}

// ------------------------------------------------------------------------------------------------------- all

void success_judge(experiment* e, const success_study* s) {
    static const int all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    order_book* book = &e->orders;
    book->figures = s;
    book->reasons = reasons;
    book->reason_count = sizeof reasons / sizeof *reasons;
    compare(book, s, SUCCESS_GRID, "49 to 52");
    compare(book, s, SUCCESS_HYBRID, "57");
    judge_latency(book, s, SUCCESS_GRID,
                  "Krafft 2019, 5.2: slow updates of the graph are why agents fail on the grid.");
    judge_latency(book, s, SUCCESS_WAYPOINTS, "Krafft 2019, 5.2: and on waypoints above all.");

    if (all_flown(s, SUCCESS_GRID) && all_flown(s, SUCCESS_WAYPOINTS)) {
        judge_waypoints(book, s);
        judge_weights(book, s);
        judge_best(book, s);
        judge_theta(book, s);
    }
    if (have_grid(s, all, SUCCESS_METHODS)) {
        judge_lengths(book, s);
        judge_times(book, s);
    }
    if (have_grid(s, all, SUCCESS_METHODS) && all_flown(s, SUCCESS_STILL)) {
        judge_nodes(book, s);
    }
    success_judge_2021(book, s);
}
