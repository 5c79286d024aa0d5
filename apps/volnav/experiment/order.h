/// volnav/experiment/order.h: does our measurement put things into the same order as the thesis's? Every
/// difference is kept, with a reason if one passes its test on the figures of this run.
#ifndef EXPERIMENT_ORDER_H
#define EXPERIMENT_ORDER_H

#include "draw/page.h"
#include "experiment/files.h"
#include "shell/json.h"

/// Two lengths or counts that differ by less than this part count as equal. Times: see order_book.
#define ORDER_MARGIN 0.02

/// One thing to be put in order by one column of a table.
typedef struct order_item {
    const char* name;    ///< lives as long as the orders
    double theirs, ours; ///< not finite: not compared
} order_item;

/// A column of a table that is compared.
typedef struct order_column {
    int table;        ///< for the tests of reasons
    const char* name; ///< of the table, in a few letters
    int column;       ///< for the tests of reasons
    const char* title;
    bool timed; ///< it is about times
} order_column;

/// Do the figures of this run show that a reason holds for this difference? `less` and `more` are the rows,
/// as the thesis orders them.
typedef bool order_test(const void* figures, const order_column* column, int less, int more);

/// Why a difference may be there. It is shown only where its test succeeds; the first that does counts.
typedef struct order_reason {
    order_test* test;
    const char* text;
} order_reason;

/// Two things that the thesis orders one way and we the other.
typedef struct order_difference {
    const char* column;
    const char* a; ///< the less of the two in the thesis
    const char* b;
    const char* reason;  ///< null: no reason passed its test
    char tables[160];    ///< where it is so, with commas
    int count;           ///< in how many tables
    double theirs, ours; ///< b over a, in the first of them
} order_difference;

enum { ORDER_DIFFERENCES_MAX = 256, ORDER_CLAIMS_MAX = 96 };

/// Something that the thesis says, and what we find.
typedef struct order_claim {
    const char* said;
    char found[240];
    bool holds;
    const char* reason; ///< if it does not hold; null: not explained
} order_claim;

/// Make it with time_margin, rough, figures and the reasons.
typedef struct order_book {
    double time_margin;  ///< as ORDER_MARGIN, where times are compared
    bool rough;          ///< few queries were run: the page says that figures may be noise
    const void* figures; ///< for the tests of reasons
    const order_reason* reasons;
    int reason_count;
    uint64_t compared, same; ///< pairs that both sides tell apart
    order_difference differences[ORDER_DIFFERENCES_MAX];
    int difference_count;
    order_claim claims[ORDER_CLAIMS_MAX];
    int claim_count;
} order_book;

/// Compares every pair of the items by a column.
void order_compare(order_book* book, const order_column* column, const order_item* items, int count);

/// `said` and `reason` live as long as the book; the rest is what we found, in words. `reason` is null unless
/// the caller has tested it on the figures of this run.
void order_add_claim(order_book* book, const char* said, bool holds, const char* reason, const char* format,
                     ...) SAY_PRINTF(5, 6);

int order_holding(const order_book* book); ///< claims that hold

/// Differences and claims without a reason.
int order_unexplained(const order_book* book);

/// A table of the claims; there is one at least.
void order_write_claims(const order_book* book, page* p);

/// The section "Same order?" of a page.
void order_write_page(const order_book* book, page* p);
void order_write_json(const order_book* book, json_writer* json);

/// orders.csv
int order_write_csv(const order_book* book, files_folder* folder);

#endif
