/// volnav/experiment/maruszczyk_judge.c: what Maruszczyk 2016 concludes, held against the figures of this
/// run.
#include <math.h>

#include "experiment/maruszczyk.h"

#define THEIR_FLIGHTS 20 ///< behind each figure of tables 5 to 11

/// What is put in order: the pilots in the sparse field, and the final pilot in fields.
enum { TABLE_PILOTS, TABLE_ROCKS, TABLE_SIZES };

static const int rock_fields[] = {MARUSZCZYK_SPARSE_300, MARUSZCZYK_EVEN_300, MARUSZCZYK_MAZE_300};
static const int size_fields[] = {MARUSZCZYK_SPARSE, MARUSZCZYK_LARGE};

static const maruszczyk_sum* sum_of(const maruszczyk_study* s, int table, int index) {
    switch (table) {
    case TABLE_PILOTS: return &s->flights.sums[MARUSZCZYK_SPARSE][index];
    case TABLE_ROCKS: return &s->flights.sums[rock_fields[index]][MARUSZCZYK_RADAR];
    default: return &s->flights.sums[size_fields[index]][MARUSZCZYK_RADAR];
    }
}

static double theirs_of(int table, int index, int column) {
    switch (table) {
    case TABLE_PILOTS: return maruszczyk_theirs(MARUSZCZYK_SPARSE, index, column);
    case TABLE_ROCKS: return maruszczyk_theirs(rock_fields[index], MARUSZCZYK_RADAR, column);
    default: return maruszczyk_theirs(size_fields[index], MARUSZCZYK_RADAR, column);
    }
}

// --------------------------------------------------------------------------------------------------- reasons

/// Probability of at most `k` of `n` with probability p each.
static double at_most(int k, int n, double p) {
    double term = pow(1 - p, n), sum = 0;
    for (int i = 0; i <= k; ++i) {
        sum += term;
        term *= p / (1 - p) * (n - i) / (i + 1);
    }
    return sum;
}

/// Can counts `first` and `second` come from means whose ratio second / first is `ratio`? At 95 %.
static bool can_be(int first, int second, double ratio) {
    const double p = ratio / (1 + ratio);
    const int n = first + second;
    return at_most(second, n, p) >= 0.025 && 1 - at_most(second - 1, n, p) >= 0.025;
}

static int their_count(double mean) {
    return (int)lround(mean * THEIR_FLIGHTS);
}

/// The thesis's collisions of these two can come from means with our ratio.
static bool are_few(double theirs_first, double theirs_second, double first, double second) {
    return first > 0 && second > 0 &&
           can_be(their_count(theirs_first), their_count(theirs_second), second / first);
}

static const char few_text[] = "The thesis counts few collisions in 20 flights: with our ratio of means, its "
                               "counts are inside the 95 % interval.";

static bool test_few(const void* figures, const order_column* c, int less, int more) {
    return c->column == MARUSZCZYK_COLLISIONS &&
           are_few(theirs_of(c->table, less, c->column), theirs_of(c->table, more, c->column),
                   maruszczyk_mean(sum_of(figures, c->table, less), c->column),
                   maruszczyk_mean(sum_of(figures, c->table, more), c->column));
}

static double expanded_of(const maruszczyk_sum* sum) {
    return sum->runs > 0 ? sum->expanded / sum->runs : (double)NAN;
}

static const char taking_text[] = "Most of a pilot's time goes into taking in what it sees, of one that does "
                                  "not avoid too. By expanded nodes it is as "
                                  "in the thesis.";

static bool test_taking(const void* figures, const order_column* c, int less, int more) {
    return c->column == MARUSZCZYK_MS &&
           expanded_of(sum_of(figures, c->table, less)) < expanded_of(sum_of(figures, c->table, more));
}

static bool test_follows_seconds(const void* figures, const order_column* c, int less, int more) {
    const maruszczyk_sum *a = sum_of(figures, c->table, less), *b = sum_of(figures, c->table, more);
    return c->column == MARUSZCZYK_MS && a->steps / a->runs > b->steps / b->runs;
}

static bool test_follows_dynamic(const void* figures, const order_column* c, int less, int more) {
    return c->column == MARUSZCZYK_CALLS &&
           maruszczyk_mean(sum_of(figures, c->table, less), MARUSZCZYK_DYNAMIC) >
               maruszczyk_mean(sum_of(figures, c->table, more), MARUSZCZYK_DYNAMIC);
}

static double a_metre(const maruszczyk_sum* sum, int column) {
    return maruszczyk_mean(sum, column) / maruszczyk_mean(sum, MARUSZCZYK_LENGTH);
}

static bool test_a_metre(const void* figures, const order_column* c, int less, int more) {
    return c->table != TABLE_PILOTS && c->column != MARUSZCZYK_LENGTH &&
           a_metre(sum_of(figures, c->table, less), c->column) <
               a_metre(sum_of(figures, c->table, more), c->column);
}

static const order_reason reasons[] = {
    {test_few, few_text},
    {test_taking, taking_text},
    {test_follows_dynamic,
     "Follows the dynamic nodes: where more nodes are found blocked, more paths are repaired."},
    {test_a_metre, "For each metre flown the order is the thesis's: the flights differ in length."},
    {test_follows_seconds, "Follows the flight times: a longer flight has more steps."},
};

static void compare(order_book* book, const maruszczyk_study* s, int table, const char* name,
                    const char* const* names, int count) {
    for (int c = 0; c < MARUSZCZYK_COLUMNS; ++c) {
        order_item items[MARUSZCZYK_PILOTS];
        for (int i = 0; i < count; ++i) {
            items[i] =
                (order_item){names[i], theirs_of(table, i, c), maruszczyk_mean(sum_of(s, table, i), c)};
        }
        const order_column column = {table, name, c, maruszczyk_columns[c], c == MARUSZCZYK_MS};
        order_compare(book, &column, items, count);
    }
}

static void compare_all(order_book* book, const maruszczyk_study* s) {
    static const char* const rocks[] = {"4 %", "16 % even", "16 % maze"};
    static const char* const sizes[] = {"200 × 100 × 200", "300 × 100 × 700"};
    const char* pilots[MARUSZCZYK_PREDICT];
    for (int i = 0; i < MARUSZCZYK_PREDICT; ++i) {
        pilots[i] = maruszczyk_pilots[i].name;
    }
    compare(book, s, TABLE_PILOTS, "5 to 8", pilots, MARUSZCZYK_PREDICT);
    compare(book, s, TABLE_SIZES, "9", sizes, 2);
    compare(book, s, TABLE_ROCKS, "10, 11", rocks, 3);
}

// --------------------------------------------------------------------------------------------- tables 2 to 4

static double ms_of(const maruszczyk_study* s, int size, int rocks, int which) {
    return s->worlds[size][rocks].searches[which].ms;
}

static void judge_list(order_book* book, const maruszczyk_study* s) {
    double ratios[2][MARUSZCZYK_SIZES], least = INFINITY;
    for (int i = 0; i < 2 * MARUSZCZYK_SIZES; ++i) {
        const int size = i / 2, rocks = i % 2;
        ratios[rocks][size] = ms_of(s, size, rocks, MARUSZCZYK_LIST) / ms_of(s, size, rocks, MARUSZCZYK_HEAP);
        least = fmin(least, ratios[rocks][size]);
    }
    order_add_claim(
        book, "A* with a heap is much faster than with a list, in every world.", least > 1, NULL,
        "list / heap: empty %.2f, %.2f, %.2f (thesis 6, 17, 16), rocks %.1f, %.1f, %.1f (18, 54, 444)",
        ratios[0][0], ratios[0][1], ratios[0][2], ratios[1][0], ratios[1][1], ratios[1][2]);
    order_add_claim(book, "The improvement is the bigger the larger the world (with obstacles).",
                    ratios[1][0] < ratios[1][1] && ratios[1][1] < ratios[1][2], NULL,
                    "%.1f, %.1f and %.1f times", ratios[1][0], ratios[1][1], ratios[1][2]);
}

static void judge_searches(order_book* book, const maruszczyk_study* s) {
    int dijkstra = 0, astar = 0, greedy = 0, alike = 0;
    for (int size = 0; size < MARUSZCZYK_SIZES; ++size) {
        const maruszczyk_search* empty = s->worlds[size][0].searches;
        for (int rocks = 0; rocks < 2; ++rocks) {
            dijkstra +=
                ms_of(s, size, rocks, MARUSZCZYK_DIJKSTRA) > ms_of(s, size, rocks, MARUSZCZYK_HEAP) &&
                        ms_of(s, size, rocks, MARUSZCZYK_DIJKSTRA) > ms_of(s, size, rocks, MARUSZCZYK_GREEDY)
                    ? 1
                    : 0;
        }
        astar += empty[MARUSZCZYK_HEAP].ms < empty[MARUSZCZYK_GREEDY].ms * (1 + book->time_margin) ? 1 : 0;
        alike += empty[MARUSZCZYK_HEAP].expanded >= empty[MARUSZCZYK_GREEDY].expanded ? 1 : 0;
        greedy += ms_of(s, size, 1, MARUSZCZYK_GREEDY) < ms_of(s, size, 1, MARUSZCZYK_HEAP) ? 1 : 0;
    }

    order_add_claim(book, "Dijkstra is the least efficient of the three.", dijkstra == 6, NULL,
                    "in %d of 6 worlds", dijkstra);
    order_add_claim(
        book, "Without obstacles A* performs best.", astar == MARUSZCZYK_SIZES,
        alike == MARUSZCZYK_SIZES
            ? "Best first search expands no more nodes than A* in any of the empty worlds."
            : NULL,
        "in %d of 3 worlds; expanded nodes of A* and best first: %.0f and %.0f, %.0f and %.0f, %.0f and %.0f",
        astar, s->worlds[0][0].searches[MARUSZCZYK_HEAP].expanded,
        s->worlds[0][0].searches[MARUSZCZYK_GREEDY].expanded,
        s->worlds[1][0].searches[MARUSZCZYK_HEAP].expanded,
        s->worlds[1][0].searches[MARUSZCZYK_GREEDY].expanded,
        s->worlds[2][0].searches[MARUSZCZYK_HEAP].expanded,
        s->worlds[2][0].searches[MARUSZCZYK_GREEDY].expanded);
    order_add_claim(book, "With obstacles best first search is faster than A*.", greedy == MARUSZCZYK_SIZES,
                    NULL, "in %d of 3 worlds", greedy);
}

static void judge_lengths(order_book* book, const maruszczyk_study* s) {
    double more[MARUSZCZYK_SIZES], ratio[MARUSZCZYK_SIZES];
    for (int size = 0; size < MARUSZCZYK_SIZES; ++size) {
        const maruszczyk_search* with = s->worlds[size][1].searches;
        more[size] = with[MARUSZCZYK_GREEDY].nodes - with[MARUSZCZYK_HEAP].nodes;
        ratio[size] = with[MARUSZCZYK_GREEDY].nodes / with[MARUSZCZYK_HEAP].nodes;
    }
    order_add_claim(book, "Paths of best first search are longer than those of A*.",
                    more[0] > 0 && more[1] > 0 && more[2] > 0, NULL,
                    "%.2f, %.2f and %.2f times (thesis 1.18, 1.26, 1.37)", ratio[0], ratio[1], ratio[2]);
    order_add_claim(book, "The difference is the bigger the larger the search space.",
                    more[0] < more[1] && more[1] < more[2], NULL,
                    "%.1f, %.1f and %.1f nodes (thesis 5, 14, 42)", more[0], more[1], more[2]);
}

// --------------------------------------------------------------------------------------------- tables 5 to 8

static double pilot_of(const maruszczyk_study* s, int pilot, int column) {
    return maruszczyk_mean(sum_of(s, TABLE_PILOTS, pilot), column);
}

static void judge_control(order_book* book, const maruszczyk_study* s) {
    double least = INFINITY;
    const double none = pilot_of(s, MARUSZCZYK_NONE, MARUSZCZYK_COLLISIONS);
    for (int i = MARUSZCZYK_WHOLE; i < MARUSZCZYK_PILOTS; ++i) {
        least = fmin(least, none - pilot_of(s, i, MARUSZCZYK_COLLISIONS));
    }
    order_add_claim(book, "Without avoidance there is a high number of collisions: more than with any.",
                    least > 0, NULL, "%.2f a flight (thesis 4.7)", none);
}

static void judge_fragment(order_book* book, const maruszczyk_study* s) {
    const double none = pilot_of(s, MARUSZCZYK_NONE, MARUSZCZYK_MS);
    const double each = pilot_of(s, MARUSZCZYK_EACH_MOVE, MARUSZCZYK_MS);
    const double seen = pilot_of(s, MARUSZCZYK_FRAGMENT, MARUSZCZYK_MS);
    const double nodes[3] = {expanded_of(sum_of(s, TABLE_PILOTS, MARUSZCZYK_NONE)),
                             expanded_of(sum_of(s, TABLE_PILOTS, MARUSZCZYK_EACH_MOVE)),
                             expanded_of(sum_of(s, TABLE_PILOTS, MARUSZCZYK_FRAGMENT))};
    order_add_claim(
        book, "Recalculating fragments raises the total path time over no avoidance.",
        each > none && seen > none, nodes[1] > nodes[0] && nodes[2] > nodes[0] ? taking_text : NULL,
        "%.2f and %.2f over %.2f ms (thesis 226.5 and 222.6 over 204.2); expanded %.0f and %.0f over %.0f",
        each, seen, none, nodes[1], nodes[2], nodes[0]);

    const double calls = pilot_of(s, MARUSZCZYK_FRAGMENT, MARUSZCZYK_CALLS) /
                         pilot_of(s, MARUSZCZYK_EACH_MOVE, MARUSZCZYK_CALLS);
    order_add_claim(book, "When detected instead of at each move: the number of calls decreases greatly.",
                    calls < 0.5, NULL, "to %.2f times (thesis 0.26)", calls);

    const double a = pilot_of(s, MARUSZCZYK_EACH_MOVE, MARUSZCZYK_COLLISIONS);
    const double b = pilot_of(s, MARUSZCZYK_FRAGMENT, MARUSZCZYK_COLLISIONS);
    order_add_claim(book, "And most importantly, it is safer.", b < a,
                    are_few(3.6, 1.5, a, b) ? few_text : NULL,
                    "%.2f becomes %.2f collisions (thesis 3.6 becomes 1.5)", a, b);
}

static double percent_less(double before, double after) {
    return before > 0 ? 100 * (1 - after / before) : 0;
}

static void judge_extended(order_book* book, const maruszczyk_study* s) {
    const double three = pilot_of(s, MARUSZCZYK_FRAGMENT, MARUSZCZYK_COLLISIONS);
    const double four = pilot_of(s, MARUSZCZYK_EXTENDED, MARUSZCZYK_COLLISIONS);
    const double five = pilot_of(s, MARUSZCZYK_RADAR, MARUSZCZYK_COLLISIONS);
    order_add_claim(book, "Extended lookup reduces collisions by 80 %.", four <= 0.25 * three,
                    are_few(1.5, 0.3, three, four) ? few_text : NULL, "by %.0f %%: %.2f becomes %.2f",
                    percent_less(three, four), three, four);
    order_add_claim(book, "Speed control and radar reduce them by over 80 % again.", five <= 0.2 * four,
                    are_few(0.3, 0.05, four, five) ? few_text : NULL, "by %.0f %%: %.2f becomes %.2f",
                    percent_less(four, five), four, five);

    const double time =
        pilot_of(s, MARUSZCZYK_EXTENDED, MARUSZCZYK_MS) / pilot_of(s, MARUSZCZYK_FRAGMENT, MARUSZCZYK_MS);
    const double dynamic = pilot_of(s, MARUSZCZYK_EXTENDED, MARUSZCZYK_DYNAMIC) /
                           pilot_of(s, MARUSZCZYK_FRAGMENT, MARUSZCZYK_DYNAMIC);
    const double searched = expanded_of(sum_of(s, TABLE_PILOTS, MARUSZCZYK_EXTENDED)) /
                            expanded_of(sum_of(s, TABLE_PILOTS, MARUSZCZYK_FRAGMENT));
    order_add_claim(book, "Extended lookup keeps the total path time at the same level.",
                    time<1.25, searched> 1.25
                        ? "Its fragments are searched among more blocked nodes and expand more of them."
                        : NULL,
                    "%.2f times (thesis 0.995), expanded nodes %.1f times", time, searched);
    order_add_claim(book, "It processes many more nodes as dynamic (26.7 become 589.83, or 548).",
                    dynamic > 5, NULL, "%.1f times (thesis 22)", dynamic);
}

static void judge_paths(order_book* book, const maruszczyk_study* s) {
    double least = INFINITY, most = 0;
    for (int i = MARUSZCZYK_NONE; i < MARUSZCZYK_PREDICT; ++i) {
        least = fmin(least, pilot_of(s, i, MARUSZCZYK_LENGTH));
        most = fmax(most, pilot_of(s, i, MARUSZCZYK_LENGTH));
    }
    order_add_claim(
        book, "The path is equally long with every mechanism (60 nodes).", most < 1.05 * least,
        least == pilot_of(s, MARUSZCZYK_NONE, MARUSZCZYK_LENGTH)
            ? "Ours is the length flown, and only the pilot without avoidance makes no detour: it flies the "
              "least."
            : NULL,
        "%.1f to %.1f edges of a node are flown", least, most);
}

// -------------------------------------------------------------------------------------------- tables 9 to 11

static void judge_size(order_book* book, const maruszczyk_study* s) {
    const maruszczyk_sum *small = sum_of(s, TABLE_SIZES, 0), *large = sum_of(s, TABLE_SIZES, 1);
    if (small->runs == 0 || large->runs == 0) {
        return;
    }
    const double a = maruszczyk_mean(small, MARUSZCZYK_COLLISIONS),
                 b = maruszczyk_mean(large, MARUSZCZYK_COLLISIONS);
    const double margin = hypot(maruszczyk_margin(small), maruszczyk_margin(large));
    order_add_claim(book, "In a larger world the safety has not changed.",
                    small->runs > 1 && large->runs > 1 && fabs(a - b) <= margin,
                    are_few(0.05, 0.05, a, b) ? few_text : NULL,
                    "%.2f and %.2f collisions a flight; per 100 edges of a node %.2f and %.2f", a, b,
                    100 * a_metre(small, MARUSZCZYK_COLLISIONS), 100 * a_metre(large, MARUSZCZYK_COLLISIONS));

    const double calls = maruszczyk_mean(large, MARUSZCZYK_CALLS) / maruszczyk_mean(small, MARUSZCZYK_CALLS);
    const double each = a_metre(large, MARUSZCZYK_CALLS) / a_metre(small, MARUSZCZYK_CALLS);
    order_add_claim(
        book, "The search is called fewer times there (11.3 become 7).",
        calls<1, each> 0.67 && each < 1.5
            ? "Asteroids are as dense along the longer route: there are about as many calls for each metre."
            : NULL,
        "%.2f times as often, %.2f times for each metre", calls, each);
    const double time = maruszczyk_mean(large, MARUSZCZYK_MS) / maruszczyk_mean(small, MARUSZCZYK_MS);
    order_add_claim(book, "The total path time increases greatly there.", time > 2, NULL,
                    "%.1f times (thesis 7.5)", time);
}

static void judge_even(order_book* book, const maruszczyk_study* s) {
    const maruszczyk_sum *sparse = sum_of(s, TABLE_ROCKS, 0), *even = sum_of(s, TABLE_ROCKS, 1);
    if (sparse->runs < 2 || even->runs < 2) {
        return;
    }
    const double a = maruszczyk_mean(sparse, MARUSZCZYK_COLLISIONS),
                 b = maruszczyk_mean(even, MARUSZCZYK_COLLISIONS);
    const double margin = hypot(maruszczyk_margin(sparse), maruszczyk_margin(even));
    order_add_claim(book, "With 16 % rock spread evenly the autopilot is equally safe.",
                    fabs(a - b) <= margin, are_few(0.05, 0.05, a, b) ? few_text : NULL,
                    "%.2f and %.2f collisions a flight, ± %.2f", a, b, margin);
}

static void judge_maze(order_book* book, const maruszczyk_study* s) {
    const maruszczyk_sum *sparse = sum_of(s, TABLE_ROCKS, 0), *maze = sum_of(s, TABLE_ROCKS, 2);
    if (sparse->runs < 2 || maze->runs < 2) {
        return;
    }
    const double a = maruszczyk_mean(sparse, MARUSZCZYK_COLLISIONS),
                 b = maruszczyk_mean(maze, MARUSZCZYK_COLLISIONS);
    order_add_claim(book, "In a maze it is less safe (0.05 become 0.1).", b > a,
                    are_few(0.05, 0.1, a, b) ? few_text : NULL, "%.2f become %.2f", a, b);

    const double way = maruszczyk_mean(maze, MARUSZCZYK_LENGTH) / maruszczyk_mean(sparse, MARUSZCZYK_LENGTH);
    const double calls = maruszczyk_mean(maze, MARUSZCZYK_CALLS) / maruszczyk_mean(sparse, MARUSZCZYK_CALLS);
    const double each = a_metre(maze, MARUSZCZYK_CALLS) / a_metre(sparse, MARUSZCZYK_CALLS);
    order_add_claim(book, "In a maze the path is longer (60 become 112).", way > 1.2, NULL,
                    "%.2f times (thesis 1.87)", way);
    order_add_claim(
        book, "The search is called fewer times in a maze (11.3 become 8.75).",
        calls<1, each> 0.67 && each < 1.5
            ? "Asteroids are as dense along the longer route: there are about as many calls for each metre."
            : NULL,
        "%.2f times as often, %.2f times for each metre", calls, each);
}

void maruszczyk_judge(experiment* e, const maruszczyk_study* s) {
    order_book* book = &e->orders;
    book->figures = s;
    book->reasons = reasons;
    book->reason_count = sizeof reasons / sizeof *reasons;
    compare_all(book, s);
    judge_list(book, s);
    judge_searches(book, s);
    judge_lengths(book, s);
    judge_control(book, s);
    judge_fragment(book, s);
    judge_extended(book, s);
    judge_paths(book, s);
    judge_size(book, s);
    judge_even(book, s);
    judge_maze(book, s);
}
