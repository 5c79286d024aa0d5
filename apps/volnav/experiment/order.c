/// volnav/experiment/order.c: comparing orders.
#include "experiment/order.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static const char* find_reason(const order_book* book, const order_column* column, int less, int more) {
    for (int i = 0; i < book->reason_count; ++i) {
        if (book->reasons[i].test(book->figures, column, less, more)) {
            return book->reasons[i].text;
        }
    }

    return NULL;
}

/// Tables in which the same pair differs for the same reason share an entry.
static order_difference* find_difference(order_book* book, const char* column, const char* a, const char* b,
                                         const char* reason) {
    for (int i = 0; i < book->difference_count; ++i) {
        order_difference* d = &book->differences[i];
        if (strcmp(d->column, column) == 0 && strcmp(d->a, a) == 0 && strcmp(d->b, b) == 0 &&
            d->reason == reason) {
            return d;
        }
    }

    assert(book->difference_count < ORDER_DIFFERENCES_MAX);
    order_difference* d = &book->differences[book->difference_count++];
    *d = (order_difference){.column = column, .a = a, .b = b, .reason = reason};
    return d;
}

static void add_difference(order_book* book, const order_column* column, const order_item* items, int less,
                           int more) {
    const order_item *a = &items[less], *b = &items[more];
    const char* reason = find_reason(book, column, less, more);
    order_difference* d = find_difference(book, column->title, a->name, b->name, reason);
    const size_t used = strlen(d->tables);
    snprintf(d->tables + used, sizeof d->tables - used, "%s%s", used > 0 ? ", " : "", column->name);
    if (d->count++ == 0) {
        d->theirs = b->theirs / a->theirs;
        d->ours = b->ours / a->ours;
    }
}

/// -1 or 1: which is the less; 0: too near to tell.
static int order_of(double a, double b, double margin) {
    const double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return !isfinite(a) || !isfinite(b) || fabs(a - b) <= margin * larger ? 0 : a < b ? -1 : 1;
}

void order_compare(order_book* book, const order_column* column, const order_item* items, int count) {
    const double margin = column->timed ? book->time_margin : ORDER_MARGIN;
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
            const int theirs = order_of(items[i].theirs, items[j].theirs, margin);
            const int ours = order_of(items[i].ours, items[j].ours, margin);
            if (theirs == 0 || ours == 0) {
                continue;
            }

            ++book->compared;
            if (theirs == ours) {
                ++book->same;
            } else {
                const bool swap = theirs > 0;
                add_difference(book, column, items, swap ? j : i, swap ? i : j);
            }
        }
    }
}

void order_add_claim(order_book* book, const char* said, bool holds, const char* reason, const char* format,
                     ...) {
    assert(book->claim_count < ORDER_CLAIMS_MAX);
    order_claim* claim = &book->claims[book->claim_count++];
    va_list args;
    *claim = (order_claim){.said = said, .holds = holds, .reason = holds ? NULL : reason};
    va_start(args, format);
    vsnprintf(claim->found, sizeof claim->found, format, args);
    va_end(args);
}

int order_holding(const order_book* book) {
    int count = 0;
    for (int i = 0; i < book->claim_count; ++i) {
        count += book->claims[i].holds ? 1 : 0;
    }
    return count;
}

int order_unexplained(const order_book* book) {
    int count = 0;
    for (int i = 0; i < book->difference_count; ++i) {
        count += book->differences[i].reason == NULL ? 1 : 0;
    }

    for (int i = 0; i < book->claim_count; ++i) {
        count += !book->claims[i].holds && book->claims[i].reason == NULL ? 1 : 0;
    }

    return count;
}

// ------------------------------------------------------------------------------------------------- writing

static const char none[] = "differs, not explained";

static const char* text_of(const char* reason) {
    return reason != NULL ? reason : none;
}

void order_write_claims(const order_book* book, page* p) {
    static const char* const heads[] = {"the thesis says", "<here", "<holds", "<why not, as tested"};
    page_begin_table(p, "What the thesis concludes", NULL, heads, 4);
    for (int i = 0; i < book->claim_count; ++i) {
        const order_claim* claim = &book->claims[i];
        page_text(p, claim->said);
        page_text(p, claim->found);
        page_text(p, claim->holds ? "yes" : "no");
        page_text(p, claim->holds ? "" : text_of(claim->reason));
        page_end_row(p);
    }

    page_end_table(p);
}

static void write_differences(const order_book* book, page* p) {
    static const char* const heads[] = {
        "column",  "<less in the thesis", "<more", "more / less, thesis", "here",
        "<tables", "<because, as tested"};
    page_begin_table(p, "Pairs in another order", NULL, heads, 7);
    for (int i = 0; i < book->difference_count; ++i) {
        const order_difference* d = &book->differences[i];
        page_text(p, d->column);
        page_text(p, d->a);
        page_text(p, d->b);
        page_theirs(p, d->theirs);
        page_real(p, d->ours);
        page_text(p, d->tables);
        page_text(p, text_of(d->reason));
        page_end_row(p);
    }

    page_end_table(p);
}

void order_write_page(const order_book* book, page* p) {
    if (book->claim_count == 0 && book->compared == 0) {
        return; // an experiment of ours: there is nothing to compare with
    }

    page_heading(p, 2, "Same order?");
    if (book->claim_count > 0) {
        order_write_claims(book, p);
    }

    page_add(p,
             "In each table and column, every pair was compared that both the thesis and we tell apart: by "
             "more than %.0f %% where times are in it, else by more than %.0f %%. Of these %llu pairs %llu "
             "are in the same order here as there.",
             100 * book->time_margin, 100 * ORDER_MARGIN, (unsigned long long)book->compared,
             (unsigned long long)book->same);

    if (book->difference_count > 0) {
        write_differences(book, p);
    }

    page_add(p,
             "A reason is shown only where a test of it on the figures of this run succeeded. %d claims and "
             "pairs differ and are not explained.",
             order_unexplained(book));
    if (book->rough) {
        page_note(p, "Few queries were run: small differences, above all of times, may be noise.");
    }
}

void order_write_json(const order_book* book, json_writer* json) {
    json_begin_object(json, "orders");
    json_count(json, "compared", book->compared);
    json_count(json, "same", book->same);
    json_count(json, "different", (uint64_t)book->difference_count);
    json_count(json, "claims", (uint64_t)book->claim_count);
    json_count(json, "claims_hold", (uint64_t)order_holding(book));
    json_count(json, "unexplained", (uint64_t)order_unexplained(book));
    json_end(json);
}

int order_write_csv(const order_book* book, files_folder* folder) {
    files_csv csv = files_begin_csv("column,less,more,ratio_thesis,ratio,tables,because");
    for (int i = 0; i < book->difference_count; ++i) {
        const order_difference* d = &book->differences[i];
        files_csv_text(&csv, d->column);
        files_csv_text(&csv, d->a);
        files_csv_text(&csv, d->b);
        files_csv_real(&csv, d->theirs);
        files_csv_real(&csv, d->ours);
        files_csv_text(&csv, d->tables);
        files_csv_text(&csv, text_of(d->reason));
        files_csv_end_row(&csv);
    }

    return files_write_csv(folder, "orders.csv", &csv);
}
