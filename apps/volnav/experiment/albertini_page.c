/// volnav/experiment/albertini_page.c: tables and charts of the experiment "albertini", and its conclusions.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "experiment/albertini.h"

static const char* const columns[ALBERTINI_COLUMNS] = {"time", "length", "lines of sight", "closed",
                                                       "trade-off"};

/// Table 3 repeats the figures of table 2 almost to the digit; table 6's first row is of another size than
/// the rest and has table 1's kind of numbers.
static bool is_doubtful(int table, int row) {
    return table == 2 || (table == 5 && row == 0);
}

double albertini_theirs(int table, int row, int column, bool trusted) {
    assert(table >= 0 && table < ALBERTINI_TABLES && row >= 0 && row < ALBERTINI_ROWS);
    if (row >= ALBERTINI_ALGORITHMS || (trusted && is_doubtful(table, row))) {
        return NAN;
    }
    return albertini_printed[table][row][column];
}

const char* albertini_flag(int table) {
    return table == 2
               ? "Table 3 of the thesis looks like World 1 with many targets again (compare table 2): shown "
                 "as printed, and left out where orders are compared."
           : table == 5
               ? "The Dijkstra row of table 6 in the thesis does not belong there (closed nodes above the "
                 "number of leaves): shown as printed, and left out where orders are compared."
               : NULL;
}

// ---------------------------------------------------------------------------------------------------- tables

static void write_table(page* p, const albertini_table* table) {
    static const char* const heads[] = {"algorithm", "ours", "thesis", "ours", "thesis", "ours",
                                        "thesis",    "ours", "thesis", "ours", "thesis"};
    char caption[160];
    snprintf(caption, sizeof caption, "%s, %s, %s (table %d)", table->world, table->space,
             strcmp(table->targets, "multi") == 0 ? "five targets at once" : "one target at a time",
             table->number);
    page_begin_table(p, caption, " |time, ms:2|length, units:2|lines of sight:2|closed nodes:2|trade-off:2",
                     heads, 11);

    for (int row = 0; row < ALBERTINI_ROWS; row++) {
        page_text(p, albertini_names[row]);
        for (int c = 0; c < ALBERTINI_COLUMNS; c++) {
            page_real(p, table->ours[row][c]);
            page_theirs(p, albertini_theirs(table->number - 1, row, c, false));
        }
        page_end_row(p);
    }

    page_end_table(p);
    if (albertini_flag(table->number - 1) != NULL) {
        page_note(p, "%s", albertini_flag(table->number - 1));
    }
}

// ---------------------------------------------------------------------------------------------------- charts

static const char* series_name(const albertini_table* table, bool grid, bool theirs) {
    static const char* const names[8] = {"one target",           "five targets", "one target, thesis",
                                         "five targets, thesis", "octree",       "grid",
                                         "octree, thesis",       "grid, thesis"};
    const bool second = grid ? strcmp(table->space, "grid") == 0 : strcmp(table->targets, "multi") == 0;
    return names[(grid ? 4 : 0) + (theirs ? 2 : 0) + (second ? 1 : 0)];
}

/// One column of one or two tables as bars, beside the thesis's.
static int write_chart(experiment* e, const char* name, const albertini_table* tables, int count,
                       int column) {
    static const char* const labels[ALBERTINI_COLUMNS] = {"time for one path (ms)", "length (units)",
                                                          "lines of sight checked", "closed nodes",
                                                          "time × length / 100 (ms × units)"};
    static const char* const files[ALBERTINI_COLUMNS] = {"time", "length", "sight", "closed", "tradeoff"};
    double values[4][ALBERTINI_ROWS];
    char title[96], file[64];
    const bool grid = count == 2 && strcmp(tables[0].space, tables[1].space) != 0;
    assert(count == 1 || count == 2);
    snprintf(title, sizeof title, "%s: %s", name, columns[column]);
    snprintf(file, sizeof file, "%s-%s", name, files[column]);
    plot_chart chart = {
        .title = title, .label = labels[column], .width = column == ALBERTINI_TIME ? 900 : 440};
    chart.logarithmic = column != ALBERTINI_LENGTH;
    chart.categories = albertini_names;

    chart.count = ALBERTINI_ROWS;
    for (int i = 0; i < 2 * count; i++) {
        const albertini_table* table = &tables[i % count];
        const bool theirs = i >= count;
        for (int row = 0; row < ALBERTINI_ROWS; row++) {
            values[i][row] =
                theirs ? albertini_theirs(table->number - 1, row, column, false) : table->ours[row][column];
        }

        plot_add(&chart, series_name(table, grid, theirs), values[i], i % count, theirs);
    }

    svg_text svg = {0};
    plot_bars(&chart, &svg);
    return experiment_chart(e, file, &svg);
}

int albertini_write(experiment* e, const char* name, const albertini_table* tables, int count) {
    int code = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        write_table(&e->page, &tables[i]);
    }

    page_begin_charts(&e->page);
    for (int c = 0; c < ALBERTINI_COLUMNS && code == EXIT_DONE; c++) {
        code = write_chart(e, name, tables, count, c);
    }

    page_end_charts(&e->page);
    return code;
}

// --------------------------------------------------------------------------------------------------- judging

enum { DIJKSTRA, GREEDY, ASTAR, DIJKSTRA_PS, GREEDY_PS, ASTAR_PS, THETA, LAZY };

static void compare_table(order_book* book, const albertini_table* table) {
    for (int c = 0; c < ALBERTINI_COLUMNS; c++) {
        order_item items[ALBERTINI_ALGORITHMS];
        char name[16];
        snprintf(name, sizeof name, "%d", table->number);
        for (int row = 0; row < ALBERTINI_ALGORITHMS; row++) {
            items[row] = (order_item){albertini_names[row], albertini_theirs(table->number - 1, row, c, true),
                                      table->ours[row][c]};
        }

        const bool timed = c == ALBERTINI_TIME || c == ALBERTINI_TRADE;
        order_compare(book, name, columns[c], timed, items, ALBERTINI_ALGORITHMS);
    }
}

/// The row with the least value of a column, among the thesis's algorithms.
static int least_row(const albertini_table* table, int column) {
    int best = 0;
    for (int row = 1; row < ALBERTINI_ALGORITHMS; row++) {
        best = table->ours[row][column] < table->ours[best][column] ? row : best;
    }
    return best;
}

static void judge_best(order_book* book, const albertini_table* tables) {
    int greedy = 0, any_angle = 0;
    for (int t = 0; t < ALBERTINI_TABLES; t++) {
        const int trade = least_row(&tables[t], ALBERTINI_TRADE),
                  length = least_row(&tables[t], ALBERTINI_LENGTH);
        greedy += trade == GREEDY || trade == GREEDY_PS ? 1 : 0;
        any_angle += length == THETA || length == LAZY ? 1 : 0;
    }

    order_add_claim(
        book,
        "Greedy best-first search, with or without post-smoothing, has the best trade-off in all situations.",
        greedy == ALBERTINI_TABLES,
        "In the maze there is one way only and little to be greedy about: all searches close about the same "
        "nodes, and the best are within a few percent of each other.",
        "in %d of %d tables", greedy, ALBERTINI_TABLES);
    order_add_claim(book, "Any-angle searches give the shortest paths in every world.",
                    any_angle == ALBERTINI_TABLES,
                    "Where five targets share sets whose keys stay those of earlier targets, as in the "
                    "thesis, any-angle paths to later targets come out longer than they need be.",
                    "in %d of %d tables", any_angle, ALBERTINI_TABLES);
}

static void judge_theta(order_book* book, const albertini_table* tables) {
    int faster = 0;
    double low = INFINITY, high = 0, longer = 0;
    for (int t = 0; t < ALBERTINI_TABLES; t++) {
        const double* basic = tables[t].ours[THETA];
        const double* lazy = tables[t].ours[LAZY];
        const double checks = basic[ALBERTINI_SIGHT] / lazy[ALBERTINI_SIGHT];
        faster += lazy[ALBERTINI_TIME] < basic[ALBERTINI_TIME] ? 1 : 0;
        low = checks < low ? checks : low;
        high = checks > high ? checks : high;
        longer = fmax(longer, lazy[ALBERTINI_LENGTH] / basic[ALBERTINI_LENGTH] - 1);
    }

    order_add_claim(book, "Lazy Theta* is always faster than Basic Theta*.", faster == ALBERTINI_TABLES,
                    "Our Basic Theta* asks only for lines of sight that would help, so that the two are "
                    "close to each other.",
                    "in %d of %d tables", faster, ALBERTINI_TABLES);
    order_add_claim(book, "Its paths are of very similar length.", longer < 0.05, NULL,
                    "at most %.1f %% longer", 100 * longer);
    order_add_claim(
        book, "Basic Theta* checks 19 to 49 times as many lines of sight as Lazy Theta* (from its tables).",
        low >= 10,
        "Ours asks only where the shortcut would be shorter than what the neighbour already has; the "
        "thesis's asks for every neighbour. And Lazy Theta* asks once for each node that it closes, here as "
        "in the literature; the thesis counts an eighth of its closed nodes or less.",
        "%.1f to %.1f times", low, high);
}

static void judge_sharing(order_book* book, const albertini_table* tables) {
    int faster = 0, cases = 0;
    for (int w = 0; w < 5; w++) {
        for (int row = 0; row < ALBERTINI_ALGORITHMS; row++) {
            cases++;
            faster +=
                tables[2 * w + 1].ours[row][ALBERTINI_TIME] < tables[2 * w].ours[row][ALBERTINI_TIME] ? 1 : 0;
        }
    }

    order_add_claim(book,
                    "Sharing the sets among five targets saves time for most algorithms, in every world.",
                    faster > cases / 2, NULL, "in %d of %d rows", faster, cases);
}

static void judge_grid(order_book* book, const albertini_table* tables) {
    int faster = 0, similar = 0;
    for (int row = 0; row < ALBERTINI_ALGORITHMS; row++) {
        const double* grid = tables[10].ours[row];
        const double* octree = tables[11].ours[row];
        faster += octree[ALBERTINI_TRADE] < grid[ALBERTINI_TRADE] ? 1 : 0;
        similar += fabs(octree[ALBERTINI_LENGTH] / grid[ALBERTINI_LENGTH] - 1) < 0.25 ? 1 : 0;
    }

    order_add_claim(book, "In most cases the octree has the better trade-off than the grid.",
                    faster > ALBERTINI_ALGORITHMS / 2, NULL, "in %d of %d rows", faster,
                    ALBERTINI_ALGORITHMS);
    order_add_claim(book, "Path lengths on both are very similar.", similar >= 6, NULL,
                    "within 25 %% in %d of %d rows", similar, ALBERTINI_ALGORITHMS);
}

#define EDGE_SEARCHES "Dijkstra|A*|Dijkstra PS|A* PS"
#define ANY_ANGLE     "Basic Theta*|Lazy Theta*"
#define GREEDIES      "BestFirstSearch|BestFirstSearch PS"
#define SMOOTHED      "Dijkstra PS|BestFirstSearch PS|A* PS"

static const order_reason reasons[] = {
    {"time|trade-off", EDGE_SEARCHES, ANY_ANGLE,
     "Our line of sight leaps over free blocks of voxels; the thesis casts a ball through the engine's "
     "physics, and its any-angle searches spend most of their time on that."},
    {"time|trade-off", ANY_ANGLE, EDGE_SEARCHES,
     "Here a line of sight costs more than taking a node from the open set; in the thesis nodes are dear as "
     "well, so that closing fewer of them wins."},
    {"time|trade-off", "BestFirstSearch PS", "BestFirstSearch",
     "Smoothing comes after the same search and cannot make it faster: times of some hundredths of a "
     "millisecond, which the thesis's clock does not tell apart."},
    {"time|trade-off", "A* PS|Dijkstra PS", "A*|Dijkstra",
     "Smoothing comes after the same search and cannot make it faster; that it seems to in the thesis is its "
     "clock, or what else ran. On the grid it takes more time than it saves in length."},
    {"length", ANY_ANGLE, SMOOTHED,
     "Five targets share open sets whose keys stay those of earlier targets, as in the thesis. Any-angle "
     "parents are chosen in that order, and the paths to later targets come out a little longer; with keys "
     "made anew for each target (VN_SHARING_NEW_KEYS) they do not."},
    {"trade-off", "BestFirstSearch", "BestFirstSearch PS",
     "Times of 0.02 to 0.06 ms in the thesis: its clock does not tell them apart. Smoothing costs us less "
     "than it saves in length."},
    {"length", "Dijkstra|A*", "BestFirstSearch PS",
     "Our greedy search makes fewer detours, so that smoothing brings it below paths that are not smoothed."},
    {"length", "Dijkstra PS|A* PS", "BestFirstSearch PS",
     "Many paths are equally short on a grid, and smoothing cuts corners only; greedy search happens to find "
     "straighter ones."},
    {"length", "BestFirstSearch PS", "Dijkstra|A*|Dijkstra PS|A* PS",
     "Greedy search is led astray more in our world than in the thesis's."},
    {"lines of sight", SMOOTHED, SMOOTHED,
     "Smoothing checks once for each inner node of the path that it gets: how many there are depends on the "
     "sizes of the leaves on the way, and so on the world."},
    {"closed|time|trade-off", GREEDIES, "A*|A* PS|" ANY_ANGLE,
     "Greedy search closes more where targets lie inside a pot: it fills the outside of the wall first. Ours "
     "has a narrow mouth, and many leaves inside."},
    {"closed|time|trade-off", EDGE_SEARCHES "|" ANY_ANGLE, GREEDIES,
     "The thesis's meshes trap greedy search more than ours do: in its World 5 it closes 2,700 of 19,800 "
     "leaves."},
};

void albertini_judge(experiment* e, const albertini_table* tables) {
    e->orders.reasons = reasons;
    e->orders.reason_count = sizeof reasons / sizeof *reasons;
    for (int t = 0; t < ALBERTINI_TABLES; t++) {
        compare_table(&e->orders, &tables[t]);
    }

    judge_best(&e->orders, tables);
    judge_theta(&e->orders, tables);
    judge_sharing(&e->orders, tables);
    judge_grid(&e->orders, tables);
}
