/// volnav/experiment/krafft21_judge_angle.c: what Krafft 2021 says of any-angle MT-D* Lite on the hybrid
/// graph, held against the figures of this run.
#include "experiment/krafft21_judge.h"

/// In how many frames the first expands fewer nodes.
static uint32_t frames_below(const race_sum* a, const race_sum* b, uint32_t frames) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < frames; ++i) {
        count += a->expanded[i] < b->expanded[i] ? 1 : 0;
    }
    return count;
}

/// Plans that take longer than the longest of another contender.
static uint32_t count_spikes(const race_sum* a, const race_sum* b, uint32_t frames) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < frames; ++i) {
        count += a->seconds[i] > b->worst ? 1 : 0;
    }
    return count;
}

// ------------------------------------------------------------------------------- figure 52, frame by frame

/// The least nodes of a plan.
static double least_nodes(const race_sum* sum, uint32_t frames) {
    double least = sum->worst_nodes;
    for (uint32_t i = 0; i < frames; ++i) {
        least = sum->expanded[i] < least ? sum->expanded[i] : least;
    }
    return least;
}

static void judge_steady(order_book* book, const krafft21_race* race) {
    const race_sum *theta = &race->sums[KRAFFT21_THETA_HYBRID], *mt = &race->sums[KRAFFT21_MT_HYBRID],
                   *aamt = &race->sums[KRAFFT21_AAMT_HYBRID];
    const double least = least_nodes(theta, race->frames), mt_mean = mt->nodes / mt->frames,
                 aamt_mean = aamt->nodes / aamt->frames;

    order_add_claim(book,
                    "Figure 52: Theta*'s nodes are constantly high; those of (any-angle) MT-D* Lite vary.",
                    least > mt_mean && least > aamt_mean && mt->worst_nodes > 3 * mt_mean &&
                        aamt->worst_nodes > 3 * aamt_mean,
                    NULL, "Theta* at least %.0f; MT %.0f in the mean, %.0f at most; any-angle %.0f and %.0f",
                    least, mt_mean, mt->worst_nodes, aamt_mean, aamt->worst_nodes);
}

static void judge_frames(order_book* book, const krafft21_race* race) {
    const race_sum* astar = &race->sums[KRAFFT21_ASTAR_HYBRID];
    const race_sum *theta = &race->sums[KRAFFT21_THETA_HYBRID], *mt = &race->sums[KRAFFT21_MT_HYBRID],
                   *aamt = &race->sums[KRAFFT21_AAMT_HYBRID];
    const uint32_t mt_below = frames_below(mt, theta, race->frames),
                   aamt_below = frames_below(aamt, theta, race->frames);

    order_add_claim(
        book,
        "Figure 52: (any-angle) MT-D* Lite mostly expands fewer nodes than Theta*, with very high "
        "peaks.",
        2 * mt_below > mt->frames && 2 * aamt_below > aamt->frames && mt->worst_nodes > theta->worst_nodes &&
            aamt->worst_nodes > theta->worst_nodes,
        NULL, "fewer in %u and %u of %u plans (MT, any-angle); at most %.0f and %.0f, Theta* %.0f",
        (unsigned)mt_below, (unsigned)aamt_below, (unsigned)theta->frames, mt->worst_nodes, aamt->worst_nodes,
        theta->worst_nodes);

    order_add_claim(
        book, "Figure 52 i: the peaks of any-angle MT-D* Lite are lower than those of MT-D* Lite.",
        aamt->worst_nodes < mt->worst_nodes,
        mt->worst_nodes < 1.5 * astar->worst_nodes
            ? "Those of MT-D* Lite are less than half again a search of A* from scratch here: they leave "
              "little to be lower than."
            : NULL,
        "%.0f and %.0f nodes; A* from scratch %.0f", aamt->worst_nodes, mt->worst_nodes, astar->worst_nodes);

    order_add_claim(book,
                    "Figure 52 ii: it takes more time than MT-D* Lite, and at times significantly more than "
                    "Theta*.",
                    aamt->total > mt->total && aamt->worst > KRAFFT21_SLIGHT * theta->worst, NULL,
                    "%.1f times in all; worst plan %.1f ms, Theta* %.1f ms", krafft21_time_ratio(aamt, mt),
                    aamt->worst * 1e3, theta->worst * 1e3);
}

// ----------------------------------------------------------------------------------- figures 53 and 54, sums

static void judge_sums(order_book* book, const krafft21_race* race) {
    const race_sum *mt = &race->sums[KRAFFT21_MT_HYBRID], *aamt = &race->sums[KRAFFT21_AAMT_HYBRID],
                   *fast = &race->sums[KRAFFT21_AAMT_FAST];
    const double nodes = krafft21_nodes_ratio(aamt, mt), time = krafft21_time_ratio(aamt, mt),
                 fast_nodes = krafft21_nodes_ratio(fast, aamt), fast_time = krafft21_time_ratio(fast, aamt);

    order_add_claim(book,
                    "Figure 53 i: any-angle MT-D* Lite expands about as many nodes as MT-D* Lite (slightly "
                    "more).",
                    krafft21_is_like(nodes), NULL, "%.2f times", nodes);

    order_add_claim(book, "Figure 53 ii: in a distinctly larger time.", time > KRAFFT21_SLIGHT, NULL,
                    "%.2f times", time);

    order_add_claim(book,
                    "Figure 53: its Fast form expands about as many nodes as it (slightly more), in less "
                    "time.",
                    krafft21_is_like(fast_nodes) && fast_time < 1, NULL,
                    "nodes %.2f, time %.2f, lines of sight %.2f times", fast_nodes, fast_time,
                    fast->sights / aamt->sights);

    order_add_claim(book, "Figure 53 ii: which still is more than that of MT-D* Lite.",
                    fast->total > mt->total, NULL, "%.2f times", krafft21_time_ratio(fast, mt));
}

static void judge_per_node(order_book* book, const krafft21_race* race) {
    const race_sum* mt = &race->sums[KRAFFT21_MT_HYBRID];
    const double per_mt = race_per_node(mt), per_theta = race_per_node(&race->sums[KRAFFT21_THETA_HYBRID]),
                 per_aamt = race_per_node(&race->sums[KRAFFT21_AAMT_HYBRID]),
                 per_fast = race_per_node(&race->sums[KRAFFT21_AAMT_FAST]);

    // Its first plan is a search from scratch; all others are repairs.
    const double scratch = mt->seconds[0] / mt->expanded[0];

    order_add_claim(book,
                    "Figure 53 iii: for a node MT-D* Lite takes the least time and any-angle MT-D* Lite the "
                    "most, more than Theta*.",
                    per_mt < per_theta && per_mt < per_fast && per_aamt > per_theta && per_aamt > per_fast,
                    per_aamt > per_theta && per_aamt > per_fast && per_mt < per_fast && scratch < per_theta
                        ? "From scratch a node does take MT-D* Lite less time than Theta*; the nodes of its "
                          "repairs take longer."
                        : NULL,
                    "MT %.0f (its first plan %.0f), Theta* %.0f, Fast %.0f, any-angle %.0f ns", per_mt * 1e9,
                    scratch * 1e9, per_theta * 1e9, per_fast * 1e9, per_aamt * 1e9);
}

static void judge_lengths(order_book* book, const krafft21_race* race) {
    const race_sum *theta = &race->sums[KRAFFT21_THETA_HYBRID], *mt = &race->sums[KRAFFT21_MT_HYBRID],
                   *aamt = &race->sums[KRAFFT21_AAMT_HYBRID], *fast = &race->sums[KRAFFT21_AAMT_FAST];
    const double any = krafft21_length_ratio(aamt, theta), loss = krafft21_length_ratio(fast, aamt);

    order_add_claim(book, "Figure 54: MT-D* Lite finds longer paths than the any-angle algorithms.",
                    mt->length > theta->length && mt->length > aamt->length && mt->length > fast->length,
                    NULL, "%.2f; Theta* %.2f, any-angle %.2f, Fast %.2f units", race_mean_length(mt),
                    race_mean_length(theta), race_mean_length(aamt), race_mean_length(fast));

    order_add_claim(book, "Figure 54: those of Theta* and any-angle MT-D* Lite hardly differ.",
                    krafft21_is_between(any, 0.99, 1.01), NULL, "%.4f times", any);

    order_add_claim(book, "Figure 54: those of its Fast form are only slightly longer.",
                    krafft21_is_between(loss, 1, 1.02), NULL, "%.4f times", loss);
}

// --------------------------------------------------------------------------------- figure 55, the full run

/// The agent is the root of its straight lines. Does it cost more nodes, compared with MT-D* Lite, when the
/// root moves than when it stands?
static bool is_root(const race_sum* moves, const race_sum* waits, int contender) {
    return krafft21_nodes_ratio(&moves[contender], &moves[KRAFFT21_MT_HYBRID]) >
           1.1 * krafft21_nodes_ratio(&waits[contender], &waits[KRAFFT21_MT_HYBRID]);
}

static void judge_run(order_book* book, const krafft21_run* run) {
    const krafft21_race *race = &run->races[KRAFFT21_DYNAMIC_VERTICAL], *live = &run->races[KRAFFT21_LIVE];
    const race_sum *s = race->sums, *l = live->sums, *watches = run->races[KRAFFT21_WATCHES].sums;
    const race_sum *theta = &s[KRAFFT21_THETA_HYBRID], *fast = &s[KRAFFT21_AAMT_FAST];
    const uint32_t spikes = count_spikes(fast, theta, race->frames),
                   live_spikes =
                       count_spikes(&l[KRAFFT21_AAMT_FAST], &l[KRAFFT21_THETA_HYBRID], live->frames);

    order_add_claim(
        book, "Figure 55 i: the Fast form hardly has plans that take longer than Theta*'s.",
        50 * spikes <= fast->frames,
        50 * live_spikes <= l[KRAFFT21_AAMT_FAST].frames
            ? "In real time it has hardly any: the fewer changes between two plans, the more it keeps."
        : is_root(s, watches, KRAFFT21_AAMT_FAST)
            ? "The agent is the root of its straight lines: when it moves, many of them are others."
            : NULL,
        "%u of %u, in real time %u of %u; the worst %.1f ms, Theta* %.1f ms", (unsigned)spikes,
        (unsigned)fast->frames, (unsigned)live_spikes, (unsigned)l[KRAFFT21_AAMT_FAST].frames,
        fast->worst * 1e3, theta->worst * 1e3);

    order_add_claim(
        book, "Figure 55 ii: it even expands fewer nodes than MT-D* Lite.",
        fast->nodes < s[KRAFFT21_MT_HYBRID].nodes,
        is_root(s, watches, KRAFFT21_AAMT_FAST)
            ? "The agent is the root of its straight lines: when it moves, many of them are others, "
              "while MT-D* Lite keeps its tree behind the new root."
            : NULL,
        "%.2f times; in real time %.2f, while the agent waits %.2f times",
        krafft21_nodes_ratio(fast, &s[KRAFFT21_MT_HYBRID]),
        krafft21_nodes_ratio(&l[KRAFFT21_AAMT_FAST], &l[KRAFFT21_MT_HYBRID]),
        krafft21_nodes_ratio(&watches[KRAFFT21_AAMT_FAST], &watches[KRAFFT21_MT_HYBRID]));
}

static void judge_theta(order_book* book, const krafft21_run* run) {
    const int scenarios[4] = {KRAFFT21_DYNAMIC_VERTICAL, KRAFFT21_DYNAMIC_60, KRAFFT21_LIVE,
                              KRAFFT21_WATCHES};
    double ratios[4];
    for (int i = 0; i < 4; ++i) {
        const race_sum* s = run->races[scenarios[i]].sums;
        ratios[i] = krafft21_time_ratio(&s[KRAFFT21_AAMT_HYBRID], &s[KRAFFT21_THETA_HYBRID]);
    }

    order_add_claim(
        book, "Figure 55 iii: in a full run any-angle MT-D* Lite takes less time than Theta*.", ratios[0] < 1,
        ratios[1] < 1 && ratios[3] < 1
            ? "At 60 plans a second it does: the more changes between two plans, the less it keeps. "
              "How often the thesis planned is not known."
            : NULL,
        "%.2f times at ten plans a second, %.2f at 60, %.2f in real time, %.2f while the agent waits",
        ratios[0], ratios[1], ratios[2], ratios[3]);
}

static void judge_gain(order_book* book, const krafft21_run* run) {
    const race_sum *full = run->races[KRAFFT21_DYNAMIC_VERTICAL].sums,
                   *watches = run->races[KRAFFT21_WATCHES].sums;
    const race_sum *fast = &full[KRAFFT21_AAMT_FAST], *normal = &full[KRAFFT21_AAMT_HYBRID],
                   *fast_waits = &watches[KRAFFT21_AAMT_FAST], *waits = &watches[KRAFFT21_AAMT_HYBRID];
    const double gain = krafft21_time_ratio(fast, normal), before = krafft21_time_ratio(fast_waits, waits),
                 lines = fast->sights / normal->sights, lines_before = fast_waits->sights / waits->sights;
    const bool more_lines = lines > lines_before;

    order_add_claim(
        book, "Figure 55 iii: it gains more time over the normal form than in figure 53.", gain < before,
        more_lines ? "It saves fewer of the lines of sight than while the agent waits." : NULL,
        "takes %.2f times its time, %.2f while the agent waits; lines of sight %.2f and %.2f times", gain,
        before, lines, lines_before);
}

static void judge_tradeoff(order_book* book, const krafft21_run* run) {
    const race_sum* s = run->races[KRAFFT21_DYNAMIC_60].sums;
    const race_sum *astar = &s[KRAFFT21_ASTAR_HYBRID], *theta = &s[KRAFFT21_THETA_HYBRID],
                   *basic = &s[KRAFFT21_BASIC_HYBRID], *mt = &s[KRAFFT21_MT_HYBRID],
                   *aamt = &s[KRAFFT21_AAMT_HYBRID], *fast = &s[KRAFFT21_AAMT_FAST];

    order_add_claim(book,
                    "Figure 59: on the hybrid graph too (Basic) MT-D* Lite takes less time than A*, with "
                    "higher peaks.",
                    basic->total < astar->total && mt->total < astar->total && basic->worst > astar->worst &&
                        mt->worst > astar->worst,
                    NULL, "time %.2f and %.2f, worst plan %.1f and %.1f times A*'s",
                    krafft21_time_ratio(basic, astar), krafft21_time_ratio(mt, astar),
                    basic->worst / astar->worst, mt->worst / astar->worst);

    order_add_claim(book,
                    "Figure 59: any-angle MT-D* Lite takes less time than Theta*, with shorter paths than "
                    "MT-D* Lite and very high peaks.",
                    aamt->total < theta->total && aamt->length < mt->length && aamt->worst > theta->worst,
                    NULL, "time %.2f, worst plan %.1f times Theta*'s; length %.3f times MT-D* Lite's",
                    krafft21_time_ratio(aamt, theta), aamt->worst / theta->worst,
                    krafft21_length_ratio(aamt, mt));

    order_add_claim(book, "6.2: and so does its Fast form, with lower peaks than the normal one.",
                    fast->total < theta->total && fast->worst < aamt->worst, NULL,
                    "time %.2f times Theta*'s; worst plan %.1f ms, normal %.1f ms",
                    krafft21_time_ratio(fast, theta), fast->worst * 1e3, aamt->worst * 1e3);
}

/// On the grid, where the thesis has no figures.
static void judge_ours(order_book* book, const krafft21_run* run) {
    const race_sum *full = run->races[KRAFFT21_DYNAMIC_VERTICAL].sums,
                   *fast = run->races[KRAFFT21_DYNAMIC_60].sums, *live = run->races[KRAFFT21_LIVE].sums;
    const double ten = krafft21_time_ratio(&full[KRAFFT21_AAMT], &full[KRAFFT21_THETA]),
                 sixty = krafft21_time_ratio(&fast[KRAFFT21_AAMT], &fast[KRAFFT21_THETA]),
                 real = krafft21_time_ratio(&live[KRAFFT21_AAMT], &live[KRAFFT21_THETA]),
                 length = krafft21_length_ratio(&fast[KRAFFT21_AAMT], &fast[KRAFFT21_THETA]);

    order_add_claim(
        book,
        "Ours: on the grid, everything moves, 60 plans a second, any-angle MT-D* Lite takes less "
        "time than Theta*, with paths within 1 %.",
        sixty < 1 && length <= 1.01, NULL,
        "time %.2f, length %.4f times; in real time %.2f, at ten plans a second %.2f times the time", sixty,
        length, real, ten);
}

void krafft21_judge_any_angle(experiment* e, const krafft21_run* run) {
    const krafft21_race* watches = &run->races[KRAFFT21_WATCHES];
    judge_steady(&e->orders, watches);
    judge_frames(&e->orders, watches);
    judge_sums(&e->orders, watches);
    judge_per_node(&e->orders, watches);
    judge_lengths(&e->orders, watches);
    judge_run(&e->orders, run);
    judge_theta(&e->orders, run);
    judge_gain(&e->orders, run);
    judge_tradeoff(&e->orders, run);
    judge_ours(&e->orders, run);
}
