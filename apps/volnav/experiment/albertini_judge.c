/// volnav/experiment/albertini_judge.c: what Albertini 2022 concludes, held against the tables of this run.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "experiment/albertini.h"

/// Tables with five targets at once have odd indices, and the same world with one target before them.
static bool is_multi(int table) {
    return table < 10 && table % 2 == 1;
}

static double ours_of(const albertini_table* tables, int table, int row, int column) {
    return tables[table].ours[row][column];
}

// ------------------------------------------------------------------------------------------------- reasons

/// Smoothing runs after the same search: it closes the same nodes and cannot take less time.
static bool test_smoothing(const void* figures, const order_column* c, int less, int more) {
    const albertini_table* tables = figures;
    const bool pair = less == more + 3 && more <= ALBERTINI_ASTAR;
    return c->column == ALBERTINI_TIME && pair &&
           ours_of(tables, c->table, less, ALBERTINI_CLOSED) ==
               ours_of(tables, c->table, more, ALBERTINI_CLOSED);
}

/// The pair has the thesis's order by `column` in the thesis, and the opposite here.
static bool is_turned(const albertini_table* tables, int table, int column, int less, int more) {
    return albertini_theirs(table, less, column, true) < albertini_theirs(table, more, column, true) &&
           ours_of(tables, table, less, column) > ours_of(tables, table, more, column);
}

static bool test_follows_time(const void* figures, const order_column* c, int less, int more) {
    return c->column == ALBERTINI_TRADE && is_turned(figures, c->table, ALBERTINI_TIME, less, more);
}

static bool test_follows_closed(const void* figures, const order_column* c, int less, int more) {
    return c->column == ALBERTINI_TIME && is_turned(figures, c->table, ALBERTINI_CLOSED, less, more);
}

/// What a line of sight costs, in closed nodes: A* gives the time of a node, and what Basic Theta* takes
/// beyond its nodes is shared among its checks.
static double sight_cost(const double* astar, const double* theta) {
    const double node = astar[ALBERTINI_TIME] / astar[ALBERTINI_CLOSED];
    return (theta[ALBERTINI_TIME] / node - theta[ALBERTINI_CLOSED]) / theta[ALBERTINI_SIGHT];
}

/// Our counts, priced as the thesis's times price them, come in the thesis's order; priced as ours do, in
/// ours. `dearer`: a line of sight costs more nodes there than here.
static bool is_by_price(const albertini_table* table, const order_column* c, int less, int more,
                        bool dearer) {
    const double(*theirs)[ALBERTINI_COLUMNS] = albertini_printed[c->table];
    const double *a = table->ours[less], *b = table->ours[more];
    if (c->column != ALBERTINI_TIME || (less >= ALBERTINI_THETA) == (more >= ALBERTINI_THETA)) {
        return false;
    }

    const double there = sight_cost(theirs[ALBERTINI_ASTAR], theirs[ALBERTINI_THETA]);
    const double here = sight_cost(table->ours[ALBERTINI_ASTAR], table->ours[ALBERTINI_THETA]);
    const double nodes = b[ALBERTINI_CLOSED] - a[ALBERTINI_CLOSED];
    const double checks = b[ALBERTINI_SIGHT] - a[ALBERTINI_SIGHT];
    return dearer == (there > here) && nodes + there * checks > 0 && nodes + here * checks < 0;
}

static bool test_sight_dearer(const void* figures, const order_column* c, int less, int more) {
    return is_by_price((const albertini_table*)figures + c->table, c, less, more, true);
}

static bool test_sight_cheaper(const void* figures, const order_column* c, int less, int more) {
    return is_by_price((const albertini_table*)figures + c->table, c, less, more, false);
}

/// The same world and targets without sharing have the thesis's order.
static bool test_sharing(const void* figures, const order_column* c, int less, int more) {
    return !c->timed && is_multi(c->table) &&
           ours_of(figures, c->table - 1, less, c->column) < ours_of(figures, c->table - 1, more, c->column);
}

static double detour(const double (*rows)[ALBERTINI_COLUMNS]) {
    return rows[ALBERTINI_GREEDY][ALBERTINI_LENGTH] / rows[ALBERTINI_DIJKSTRA][ALBERTINI_LENGTH];
}

static bool is_greedy(int row) {
    return row == ALBERTINI_GREEDY || row == ALBERTINI_GREEDY_PS;
}

/// Greedy search makes larger detours there, and its rows come behind others; here they do not.
static bool test_detours(const void* figures, const order_column* c, int less, int more) {
    const albertini_table* tables = figures;
    return c->column == ALBERTINI_LENGTH && is_greedy(more) && !is_greedy(less) &&
           detour(tables[c->table].ours) < detour(albertini_printed[c->table]);
}

static const order_reason reasons[] = {
    {test_smoothing,
     "Smoothing runs after the same search, with the same closed nodes: it cannot take less time."},
    {test_follows_time, "Follows the times, which are in another order as well."},
    {test_follows_closed, "Follows the closed nodes, which are in another order as well."},
    {test_sight_dearer,
     "A line of sight costs more closed nodes there than here: with the thesis's price, computed "
     "from its A* and Basic Theta* rows, our counts come in its order."},
    {test_sight_cheaper,
     "A line of sight costs fewer closed nodes there than here: with the thesis's price, computed "
     "from its A* and Basic Theta* rows, our counts come in its order."},
    {test_sharing,
     "Sharing: with one target at a time, in the same world and with the same targets, the order is "
     "the thesis's."},
    {test_detours,
     "Greedy search makes smaller detours here: its raw paths are nearer to Dijkstra's than there."},
};

static void compare_table(order_book* book, const albertini_table* table) {
    char name[16];
    snprintf(name, sizeof name, "%d", table->number);
    for (int c = 0; c < ALBERTINI_COLUMNS; ++c) {
        order_item items[ALBERTINI_ALGORITHMS];
        for (int row = 0; row < ALBERTINI_ALGORITHMS; ++row) {
            items[row] = (order_item){albertini_names[row], albertini_theirs(table->number - 1, row, c, true),
                                      table->ours[row][c]};
        }

        const bool timed = c == ALBERTINI_TIME || c == ALBERTINI_TRADE;
        const order_column column = {table->number - 1, name, c, albertini_columns[c], timed};
        order_compare(book, &column, items, ALBERTINI_ALGORITHMS);
    }
}

// -------------------------------------------------------------------------------------------------- claims

/// The row with the least value of a column, among the thesis's algorithms.
static int least_row(const albertini_table* table, int column) {
    int best = 0;
    for (int row = 1; row < ALBERTINI_ALGORITHMS; ++row) {
        best = table->ours[row][column] < table->ours[best][column] ? row : best;
    }
    return best;
}

/// Tables by number, in words: "11 of 12 tables (not 6)".
typedef struct tally {
    int holding, count;
    char failing[80];
} tally;

static void add_to(tally* t, bool holds, int number) {
    const size_t used = strlen(t->failing);
    ++t->count;
    t->holding += holds ? 1 : 0;
    if (!holds) {
        snprintf(t->failing + used, sizeof t->failing - used, "%s%d", used > 0 ? ", " : "; not ", number);
    }
}

/// Most nodes that any row closes over fewest.
static double spread_of_closed(const albertini_table* table) {
    double low = INFINITY, high = 0;
    for (int row = 0; row < ALBERTINI_ALGORITHMS; ++row) {
        low = fmin(low, table->ours[row][ALBERTINI_CLOSED]);
        high = fmax(high, table->ours[row][ALBERTINI_CLOSED]);
    }
    return high / low;
}

static bool has_greedy_trade(const albertini_table* table) {
    return is_greedy(least_row(table, ALBERTINI_TRADE));
}

static bool has_any_angle_length(const albertini_table* table) {
    return least_row(table, ALBERTINI_LENGTH) >= ALBERTINI_THETA;
}

static void judge_best(order_book* book, const albertini_table* tables) {
    tally greedy = {0}, any_angle = {0};
    bool alike = true, shared = true;
    for (int t = 0; t < ALBERTINI_TABLES; ++t) {
        const bool trade = has_greedy_trade(&tables[t]), length = has_any_angle_length(&tables[t]);
        add_to(&greedy, trade, t + 1);
        add_to(&any_angle, length, t + 1);
        alike = alike && (trade || spread_of_closed(&tables[t]) < 2);
        shared = shared && (length || (is_multi(t) && has_any_angle_length(&tables[t - 1])));
    }

    order_add_claim(
        book,
        "Greedy best-first search, with or without post-smoothing, has the best trade-off in all situations.",
        greedy.holding == greedy.count,
        alike ? "Where it does not, all searches close about as many nodes: at most twice as many as the "
                "fewest."
              : NULL,
        "in %d of %d tables%s", greedy.holding, greedy.count, greedy.failing);
    order_add_claim(
        book, "Any-angle searches give the shortest paths in every world.",
        any_angle.holding == any_angle.count,
        shared ? "Only where five targets share sets whose keys stay those of earlier targets; with one "
                 "target at a time, in the same worlds, it holds."
               : NULL,
        "in %d of %d tables%s", any_angle.holding, any_angle.count, any_angle.failing);
}

/// The least and the largest of some ratios.
typedef struct range {
    double low, high;
} range;

static void widen(range* r, double value) {
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

/// Lines of sight of Basic over Lazy Theta*, and of each for one closed node: here and, where the tables can
/// be trusted, there.
static void judge_checks(order_book* book, const albertini_table* tables) {
    range factor = {INFINITY, 0}, basic[2] = {{INFINITY, 0}, {INFINITY, 0}},
          lazy[2] = {{INFINITY, 0}, {INFINITY, 0}};
    for (int t = 0; t < ALBERTINI_TABLES; ++t) {
        for (int there = 0; there < 2; ++there) {
            const double(*rows)[ALBERTINI_COLUMNS] = there ? albertini_printed[t] : tables[t].ours;
            widen(&basic[there],
                  rows[ALBERTINI_THETA][ALBERTINI_SIGHT] / rows[ALBERTINI_THETA][ALBERTINI_CLOSED]);
            widen(&lazy[there],
                  rows[ALBERTINI_LAZY][ALBERTINI_SIGHT] / rows[ALBERTINI_LAZY][ALBERTINI_CLOSED]);
        }
        widen(&factor, tables[t].ours[ALBERTINI_THETA][ALBERTINI_SIGHT] /
                           tables[t].ours[ALBERTINI_LAZY][ALBERTINI_SIGHT]);
    }

    order_add_claim(
        book, "Basic Theta* checks 19 to 49 times as many lines of sight as Lazy Theta* (from its tables).",
        factor.low >= 19 && factor.high <= 49,
        lazy[1].high < 0.5 && lazy[0].low > 0.9
            ? "Lazy Theta* checks one line for each node that it takes (its algorithms 10 and 2), as it does "
              "here; "
              "the thesis counts far fewer. Per closed node, Basic Theta*'s counts compare."
            : NULL,
        "%.1f to %.1f times; for a closed node Basic %.2f to %.2f (thesis %.2f to %.2f), Lazy %.2f to %.2f "
        "(%.2f to %.2f)",
        factor.low, factor.high, basic[0].low, basic[0].high, basic[1].low, basic[1].high, lazy[0].low,
        lazy[0].high, lazy[1].low, lazy[1].high);
}

static void judge_theta(order_book* book, const albertini_table* tables) {
    tally faster = {0};
    double longer = 0;
    for (int t = 0; t < ALBERTINI_TABLES; ++t) {
        const double* basic = tables[t].ours[ALBERTINI_THETA];
        const double* lazy = tables[t].ours[ALBERTINI_LAZY];
        add_to(&faster, lazy[ALBERTINI_TIME] < basic[ALBERTINI_TIME], t + 1);
        longer = fmax(longer, fabs(lazy[ALBERTINI_LENGTH] / basic[ALBERTINI_LENGTH] - 1));
    }

    order_add_claim(book, "Lazy Theta* is always faster than Basic Theta*.", faster.holding == faster.count,
                    NULL, "in %d of %d tables%s", faster.holding, faster.count, faster.failing);
    order_add_claim(book, "Its paths are of very similar length.", longer < 0.05, NULL, "within %.1f %%",
                    100 * longer);
    judge_checks(book, tables);
}

/// World by world: "most algorithms" are more than half of its rows.
static void judge_sharing(order_book* book, const albertini_table* tables) {
    int worlds = 0, faster[5] = {0};
    for (int w = 0; w < 5; ++w) {
        for (int row = 0; row < ALBERTINI_ALGORITHMS; ++row) {
            faster[w] +=
                tables[2 * w + 1].ours[row][ALBERTINI_TIME] < tables[2 * w].ours[row][ALBERTINI_TIME] ? 1 : 0;
        }
        worlds += 2 * faster[w] > ALBERTINI_ALGORITHMS ? 1 : 0;
    }

    order_add_claim(book,
                    "Sharing the sets among five targets saves time for most algorithms, in every world.",
                    worlds == 5, NULL, "in %d of 5 worlds: %d, %d, %d, %d and %d of %d rows", worlds,
                    faster[0], faster[1], faster[2], faster[3], faster[4], ALBERTINI_ALGORITHMS);
}

static void judge_grid(order_book* book, const albertini_table* tables) {
    int faster = 0;
    range here = {INFINITY, 0}, there = {INFINITY, 0};
    for (int row = 0; row < ALBERTINI_ALGORITHMS; ++row) {
        const double* grid = tables[10].ours[row];
        const double* octree = tables[11].ours[row];
        faster += octree[ALBERTINI_TRADE] < grid[ALBERTINI_TRADE] ? 1 : 0;
        widen(&here, octree[ALBERTINI_LENGTH] / grid[ALBERTINI_LENGTH]);
        widen(&there,
              albertini_printed[11][row][ALBERTINI_LENGTH] / albertini_printed[10][row][ALBERTINI_LENGTH]);
    }

    order_add_claim(book, "In most cases the octree has the better trade-off than the grid.",
                    faster > ALBERTINI_ALGORITHMS / 2, NULL, "in %d of %d rows", faster,
                    ALBERTINI_ALGORITHMS);
    order_add_claim(book, "Path lengths on both are very similar (its own tables: 0.83 to 1.05).",
                    here.low > 0.8 && here.high < 1.25, NULL,
                    "octree over grid: %.2f to %.2f (thesis %.2f to %.2f)", here.low, here.high, there.low,
                    there.high);
}

void albertini_judge(experiment* e, const albertini_table* tables) {
    e->orders.figures = tables;
    e->orders.reasons = reasons;
    e->orders.reason_count = sizeof reasons / sizeof *reasons;
    for (int t = 0; t < ALBERTINI_TABLES; ++t) {
        compare_table(&e->orders, &tables[t]);
    }

    judge_best(&e->orders, tables);
    judge_theta(&e->orders, tables);
    judge_sharing(&e->orders, tables);
    judge_grid(&e->orders, tables);
}
