/// volnav/draw/page.c: HTML.
#include "draw/page.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot.h"

static const char* const style[] = {
    "body{max-width:920px;margin:0 auto;padding:16px;color:#222;background:#fff;",
    "font:15px/1.5 Helvetica,Arial,sans-serif}",
    "h1{font-size:26px}h2{font-size:20px;margin-top:36px;border-top:1px solid #ccc;padding-top:16px}",
    "h3{font-size:16px;margin-top:24px}",
    "table{border-collapse:collapse;margin:12px 0 20px;font-size:13px;line-height:1.35}",
    "caption{text-align:left;font-weight:bold;padding-bottom:6px}",
    "th,td{padding:3px 8px;border-bottom:1px solid #ddd;text-align:right;vertical-align:top}",
    "th{border-bottom:1px solid #666;vertical-align:bottom}",
    "th:first-child,td:first-child,td.text,th.text{text-align:left}td:first-child{min-width:9em}",
    "th.group{text-align:center;border-bottom:1px solid #ccc}",
    "td.theirs{color:#555;background:#f4f4f4}",
    "p.note{border-left:4px solid #c98500;padding-left:10px}",
    ".charts{display:flex;flex-wrap:wrap;align-items:flex-start;gap:12px;margin:12px 0}",
    "svg{max-width:100%;height:auto}",
};

page page_begin(const char* title) {
    page p = {.column = 0};
    svg_add(&p.text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>");
    svg_add_escaped(&p.text, title);
    svg_add(&p.text, "</title>\n<style>\n");
    for (size_t i = 0; i < sizeof style / sizeof *style; ++i) {
        svg_add(&p.text, "%s\n", style[i]);
    }

    svg_add(&p.text, "</style>\n</head>\n<body>\n<h1>");
    svg_add_escaped(&p.text, title);
    svg_add(&p.text, "</h1>\n");
    return p;
}

void page_end(page* p) {
    svg_add(&p->text, "</body>\n</html>\n");
}

void page_heading(page* p, int level, const char* text) {
    assert(level >= 2 && level <= 4);
    svg_add(&p->text, "<h%d>", level);
    svg_add_escaped(&p->text, text);
    svg_add(&p->text, "</h%d>\n", level);
}

static void paragraph(page* p, const char* open, const char* format, va_list args) {
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    svg_add(&p->text, "%s", open);
    svg_add_escaped(&p->text, text);
    svg_add(&p->text, "</p>\n");
}

void page_add(page* p, const char* format, ...) {
    va_list args;
    va_start(args, format);
    paragraph(p, "<p>", format, args);
    va_end(args);
}

void page_note(page* p, const char* format, ...) {
    va_list args;
    va_start(args, format);
    paragraph(p, "<p class=\"note\">", format, args);
    va_end(args);
}

/// "a|b:3" becomes a head over one column and one over three.
static void add_groups(page* p, const char* groups) {
    svg_add(&p->text, "<tr>");
    for (const char* at = groups; *at != '\0';) {
        const size_t length = strcspn(at, "|"), name = strcspn(at, "|:");
        const long columns = at[name] == ':' ? strtol(at + name + 1, NULL, 10) : 1;
        svg_add(&p->text, "<th class=\"group\" colspan=\"%ld\">%.*s</th>", columns, (int)name, at);
        at += length + (at[length] == '|' ? 1 : 0);
    }

    svg_add(&p->text, "</tr>\n");
}

void page_begin_table(page* p, const char* caption, const char* groups, const char* const* heads, int count) {
    svg_add(&p->text, "<table>\n<caption>");
    svg_add_escaped(&p->text, caption);
    svg_add(&p->text, "</caption>\n<thead>\n");
    if (groups != NULL) {
        add_groups(p, groups);
    }

    svg_add(&p->text, "<tr>");
    for (int i = 0; i < count; ++i) {
        const bool text = heads[i][0] == '<';
        svg_add(&p->text, text ? "<th class=\"text\">" : "<th>");
        svg_add_escaped(&p->text, heads[i] + (text ? 1 : 0));
        svg_add(&p->text, "</th>");
    }

    svg_add(&p->text, "</tr>\n</thead>\n<tbody>\n");
    p->column = 0;
}

static void cell(page* p, const char* attributes, const char* value) {
    svg_add(&p->text, "%s<td%s>", p->column++ == 0 ? "<tr>" : "", attributes);
    svg_add_escaped(&p->text, value);
    svg_add(&p->text, "</td>");
}

void page_text(page* p, const char* value) {
    cell(p, " class=\"text\"", value);
}

void page_link(page* p, const char* file, const char* value) {
    svg_add(&p->text, "%s<td class=\"text\"><a href=\"%s\">", p->column++ == 0 ? "<tr>" : "", file);
    svg_add_escaped(&p->text, value);
    svg_add(&p->text, "</a></td>");
}

/// Four digits that count, zeros at the end too, so that columns line up.
void page_real(page* p, double value) {
    char text[32];
    const double size = fabs(value);
    if (!isfinite(value) || value == floor(value) || size >= 1000 || size < 1e-4) {
        plot_format(value, text);
    } else {
        const int whole = (int)floor(log10(size));
        snprintf(text, sizeof text, "%.*f", 3 - whole, value);
    }

    cell(p, "", text);
}

/// As printed: no zeros that were not there.
void page_theirs(page* p, double value) {
    char text[32];
    if (isfinite(value) && fabs(value) < 1000) {
        snprintf(text, sizeof text, "%.4g", value);
    } else {
        plot_format(value, text);
    }

    cell(p, " class=\"theirs\"", text);
}

void page_end_row(page* p) {
    assert(p->column > 0);
    svg_add(&p->text, "</tr>\n");
    p->column = 0;
}

void page_end_table(page* p) {
    assert(p->column == 0);
    svg_add(&p->text, "</tbody>\n</table>\n");
}

void page_begin_charts(page* p) {
    svg_add(&p->text, "<div class=\"charts\">\n");
}

/// svg_add takes short texts only.
void page_chart(page* p, const svg_text* chart) {
    for (size_t i = 0; i < chart->size; ++i) {
        svg_add_char(&p->text, chart->data[i]);
    }
}

void page_end_charts(page* p) {
    svg_add(&p->text, "</div>\n");
}
