/// volnav/experiment/massonnat_judge.c: what Massonnat 2023 concludes from its six handmade maps, held
/// against the figures of this run.
#include <math.h>

#include "experiment/massonnat.h"

/// A tree and its three refinements, on one map: each is a case of what the thesis says about refinement.
enum { CASES = 2 * MASSONNAT_MAPS, RAW = 0, PRUNED, FUNNELED, BOTH };

static int base_of(int number) {
    return number % 2 == 0 ? MASSONNAT_OCTREE : MASSONNAT_MERGED;
}

// ------------------------------------------------------------------------------------------------- reasons

/// The thesis itself has the pair in both orders, on different maps.
static bool test_both_orders(const void* figures, const order_column* c, int less, int more) {
    int first = 0, second = 0;
    (void)figures;
    (void)c;
    for (int i = 0; i < MASSONNAT_MAPS; ++i) {
        const double ratio = massonnat_length(i, less) / massonnat_length(i, more);
        first += ratio < 1 ? 1 : 0;
        second += ratio > 1 ? 1 : 0;
    }
    return first > 0 && second > 0;
}

/// In the mean over all maps, the pair has the thesis's order here as well.
static bool test_mean_agrees(const void* figures, const order_column* c, int less, int more) {
    const massonnat_map* maps = figures;
    double here = 0;
    (void)c;
    for (int i = 0; i < MASSONNAT_MAPS; ++i) {
        here += log(maps[i].sums[less].length / maps[i].sums[more].length);
    }
    return here < 0;
}

static const order_reason reasons[] = {
    {test_both_orders, "The thesis's own maps have this pair in both orders."},
    {test_mean_agrees, "On this map only: in the mean over the six maps the order is the thesis's."},
};

// ------------------------------------------------------------------------------------------------- lengths

static void compare_lengths(order_book* book, const massonnat_map* maps) {
    for (int i = 0; i < MASSONNAT_MAPS; ++i) {
        order_item items[MASSONNAT_PRINTED];
        const order_column column = {i, maps[i].title, 0, "length", false};
        for (int m = 0; m < MASSONNAT_PRINTED; ++m) {
            items[m] = (order_item){massonnat_names[m], massonnat_length(i, m), maps[i].sums[m].length};
        }
        order_compare(book, &column, items, MASSONNAT_PRINTED);
    }
}

static void judge_refinement(order_book* book, const massonnat_map* maps) {
    int funnel = 0, prune = 0, both = 0;
    double excess = 0;
    for (int k = 0; k < CASES; ++k) {
        const run_summary* s = &maps[k / 2].sums[base_of(k)];
        funnel += s[FUNNELED].length < s[RAW].length ? 1 : 0;
        prune += s[PRUNED].length < s[FUNNELED].length ? 1 : 0;
        const double best = fmin(s[PRUNED].length, s[FUNNELED].length);
        both += s[BOTH].length <= best ? 1 : 0;
        excess = fmax(excess, s[BOTH].length / best - 1);
    }

    order_add_claim(book, "The funnel shortens paths.", funnel == CASES, NULL, "in %d of %d cases", funnel,
                    CASES);
    order_add_claim(book, "Pruning mostly shortens them more than the funnel.", 2 * prune > CASES, NULL,
                    "in %d of %d cases", prune, CASES);
    order_add_claim(book, "Both together are best.", both == CASES,
                    excess < 0.005 ? "Where they are not, they are longer by less than 0.5 %." : NULL,
                    "in %d of %d cases; at most %.2f %% longer than the better of the two", both, CASES,
                    100 * excess);
}

/// What both refinements take off the raw path of a case: the thesis's and ours.
static void judge_gain(order_book* book, const massonnat_map* maps) {
    double low = INFINITY, high = 0, mean = 0, raw_here = 0, raw_there = 0;
    for (int k = 0; k < CASES; ++k) {
        const run_summary* s = &maps[k / 2].sums[base_of(k)];
        const double gain = 1 - s[BOTH].length / s[RAW].length;
        low = fmin(low, gain);
        high = fmax(high, gain);
        mean += gain / CASES;
    }

    // Where merging makes raw paths longer, there is more to gain.
    for (int i = 0; i < MASSONNAT_MAPS; ++i) {
        raw_here += log(maps[i].sums[MASSONNAT_MERGED].length / maps[i].sums[MASSONNAT_OCTREE].length);
        raw_there += log(massonnat_length(i, MASSONNAT_MERGED) / massonnat_length(i, MASSONNAT_OCTREE));
    }

    order_add_claim(
        book, "Refinement makes paths 5 to 10 % shorter on average.", mean >= 0.05 && mean <= 0.1,
        mean > 0.1 && raw_here > raw_there
            ? "The merged octree's raw paths are longer here, compared with the octree's, than there, "
              "which leaves more to gain."
            : NULL,
        "%.1f %% (%.1f to %.1f %%)", 100 * mean, 100 * low, 100 * high);
}

// --------------------------------------------------------------------------------------------------- times

static void judge_spaces(order_book* book, const massonnat_map* maps) {
    int order = 0;
    for (int i = 0; i < MASSONNAT_MAPS; ++i) {
        const run_summary* s = maps[i].sums;
        order += s[MASSONNAT_VOXEL].seconds > s[MASSONNAT_OCTREE].seconds &&
                         s[MASSONNAT_OCTREE].seconds > s[MASSONNAT_MERGED].seconds
                     ? 1
                     : 0;
    }

    order_add_claim(book, "Voxels take longest, then the octree, then the merged octree.",
                    order == MASSONNAT_MAPS, NULL, "on %d of %d maps", order, MASSONNAT_MAPS);
}

static void judge_added(order_book* book, const massonnat_map* maps) {
    int cost = 0;
    double pruning = 0, funnel = 0, checks = 0;
    for (int k = 0; k < CASES; ++k) {
        const int base = base_of(k);
        const double* added = &maps[k / 2].added[base];
        cost += added[FUNNELED] < added[BOTH] && added[BOTH] < added[PRUNED] ? 1 : 0;
        pruning += added[PRUNED] * 1e6 / CASES;
        funnel += added[FUNNELED] * 1e6 / CASES;
        checks += maps[k / 2].sums[base + PRUNED].sight_checks / CASES;
    }

    order_add_claim(
        book, "Of the refinements the funnel costs least, then both together, then pruning alone.",
        cost == CASES, NULL,
        "in %d of %d cases; median added: pruning %+.2f µs with %.1f lines of sight, funnel %+.2f µs", cost,
        CASES, pruning, checks, funnel);
}

static void judge_cells(order_book* book, const massonnat_map* maps) {
    double low = INFINITY, high = 0;
    for (int i = 0; i < MASSONNAT_MAPS; ++i) {
        low = fmin(low, maps[i].cells[1] / maps[i].cells[2]);
        high = fmax(high, maps[i].cells[1] / maps[i].cells[2]);
    }

    order_add_claim(book, "Merging leaves one cell of 10.6 to 41 (computed from table 6.1).",
                    low >= 10.6 && high <= 41, NULL, "one of %.1f to %.1f", low, high);
}

static void judge_grains(order_book* book, const massonnat_grain* grains) {
    double growth[3];
    for (int m = 0; m < 3; ++m) {
        growth[m] = grains[MASSONNAT_GRAINS - 1].sums[m].seconds / grains[0].sums[m].seconds;
    }

    order_add_claim(
        book,
        "With finer granularity the time grows most for voxels, less for the octree, least for the merged "
        "octree.",
        growth[0] > growth[1] && growth[1] > growth[2], NULL,
        "from 1.25 to 0.3125: %.0f, %.0f and %.0f times", growth[0], growth[1], growth[2]);
}

void massonnat_judge(experiment* e, const massonnat_map* maps, const massonnat_grain* grains) {
    e->orders.figures = maps;
    e->orders.reasons = reasons;
    e->orders.reason_count = sizeof reasons / sizeof *reasons;
    compare_lengths(&e->orders, maps);
    judge_cells(&e->orders, maps);
    judge_spaces(&e->orders, maps);
    judge_added(&e->orders, maps);
    judge_refinement(&e->orders, maps);
    judge_gain(&e->orders, maps);
    judge_grains(&e->orders, grains);
}
