/// volnav/experiment/albertini_page.c: tables and charts of the experiment "albertini".
#include <assert.h>
#include <math.h>
#include <string.h>

#include "experiment/albertini.h"

const char* const albertini_columns[ALBERTINI_COLUMNS] = {"time", "length", "lines of sight", "closed",
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
           : table == 10 ? "Table 11 of the thesis has Basic Theta* at 0.443 of A*'s length. Steps between 6 "
                           "neighbours "
                           "along a line of length L add up to at most sqrt(3) L, so that no path through "
                           "the same grid can "
                           "be below 0.577 of the shortest one: these lengths cannot be those of whole paths."
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

    for (int row = 0; row < ALBERTINI_ROWS; ++row) {
        page_text(p, albertini_names[row]);
        for (int c = 0; c < ALBERTINI_COLUMNS; ++c) {
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
    snprintf(title, sizeof title, "%s: %s", name, albertini_columns[column]);
    snprintf(file, sizeof file, "%s-%s", name, files[column]);
    plot_chart chart = {
        .title = title, .label = labels[column], .width = column == ALBERTINI_TIME ? 900 : 440};
    chart.logarithmic = column != ALBERTINI_LENGTH;
    chart.categories = albertini_names;

    chart.count = ALBERTINI_ROWS;
    for (int i = 0; i < 2 * count; ++i) {
        const albertini_table* table = &tables[i % count];
        const bool theirs = i >= count;
        for (int row = 0; row < ALBERTINI_ROWS; ++row) {
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
    for (int i = 0; i < count; ++i) {
        write_table(&e->page, &tables[i]);
    }

    page_begin_charts(&e->page);
    for (int c = 0; c < ALBERTINI_COLUMNS && code == EXIT_DONE; ++c) {
        code = write_chart(e, name, tables, count, c);
    }

    page_end_charts(&e->page);
    return code;
}
