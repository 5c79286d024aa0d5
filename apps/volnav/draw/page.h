/// volnav/draw/page.h: one HTML page that needs nothing but itself: text, tables, charts.
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>

#include "draw/svg.h"

/// Make it with page_begin; free with svg_free(&page.text).
typedef struct page {
    svg_text text;
    int column; ///< of the table that is open
} page;

page page_begin(const char* title);
void page_end(page* p);

void page_heading(page* p, int level, const char* text);

/// A paragraph; at most 1023 characters.
void page_add(page* p, const char* format, ...) SAY_PRINTF(2, 3);

/// The same, with a bar at its side: something to know before the figures are believed.
void page_note(page* p, const char* format, ...) SAY_PRINTF(2, 3);

/// `groups` (may be null) is a first row of heads, each over so many columns: "|" parts them, and ":3" at the
/// end of one says over how many. A head that begins with "<" (not shown) stands over texts.
void page_begin_table(page* p, const char* caption, const char* groups, const char* const* heads, int count);
void page_text(page* p, const char* value);
void page_link(page* p, const char* file, const char* value); ///< `file` needs no escapes
void page_real(page* p, double value);                        ///< a dash if not finite
void page_theirs(page* p, double value);                      ///< a thesis's own number: set apart
void page_end_row(page* p);
void page_end_table(page* p);

/// Charts side by side while there is room.
void page_begin_charts(page* p);
void page_chart(page* p, const svg_text* chart);
void page_end_charts(page* p);

#endif
