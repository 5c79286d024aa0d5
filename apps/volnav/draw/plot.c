/// volnav/draw/plot.c: the parts of a chart.
#include "draw/plot.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/plot_axis.h"
#include "shell/utf8.h"

enum {
    TITLE_SIZE = 14,
    TEXT_SIZE = 12,
    TICK_SIZE = 11,
    VALUE_SIZE = 10,
    LEGEND_ROW = 20,
    BAR = 12,
    GAP = 10
};

/// After Okabe and Ito, without their yellow, which is lost on white.
static const char* const colours[PLOT_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#b0508a",
                                                  "#c98500", "#3a9bdc", "#444444", "#7a5195"};

/// What stands in a chart.
typedef enum chart_kind { BARS, LINES, POINTS } chart_kind;

/// What a chart needs while it is drawn.
typedef struct canvas {
    const plot_chart* chart;
    svg_text* out;
    plot_axis values, across;        ///< across: of x
    double left, top, right, bottom; ///< of the field
    double height;
} canvas;

// ----------------------------------------------------------------------------------------------------- text

double plot_text_width(const char* text, double size) {
    double count = 0;
    for (; *text != '\0'; ++count) {
        const size_t length = utf8_length(text);
        text += length == 0 ? 1 : length;
    }
    return count * 0.6 * size;
}

/// Digits of a whole number in groups of three.
static void group(char* text) {
    const size_t length = strlen(text), first = text[0] == '-' ? 1 : 0;
    char out[32];
    size_t n = 0;
    for (size_t i = 0; i < length; ++i) {
        if (i > first && (length - i) % 3 == 0) {
            out[n++] = ',';
        }
        out[n++] = text[i];
    }

    out[n] = '\0';
    memcpy(text, out, n + 1);
}

void plot_format(double value, char* text) {
    const double size = fabs(value);
    if (!isfinite(value)) {
        snprintf(text, 32, "%s", "–");
    } else if (size >= 1e15 || (size > 0 && size < 1e-4)) {
        snprintf(text, 32, "%.2g", value);
    } else if (size >= 1000) {
        snprintf(text, 32, "%.0f", value);
        group(text);
    } else {
        snprintf(text, 32, "%.*g", size >= 100 ? 4 : 3, value);
    }
}

void plot_add_text(svg_text* out, double x, double y, int size, const char* anchor, const char* text) {
    svg_add(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\">", x, y, size, anchor);
    svg_add_escaped(out, text);
    svg_add(out, "</text>\n");
}

static void add_upright_text(svg_text* out, double x, double y, const char* text) {
    svg_add(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"middle\" ", x, y, TEXT_SIZE);
    svg_add(out, "transform=\"rotate(-90 %.1f %.1f)\">", x, y);
    svg_add_escaped(out, text);
    svg_add(out, "</text>\n");
}

const char* plot_colour(int i) {
    assert(i >= 0 && i < PLOT_COLOURS);
    return colours[i];
}

void plot_begin(svg_text* out, const char* title, int width, double height) {
    svg_add(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
            "font-family=\"Helvetica, Arial, sans-serif\" fill=\"#222\" role=\"img\">\n",
            width, height, width, height);
    svg_add(out, "<title>");
    svg_add_escaped(out, title);
    svg_add(out, "</title>\n<rect width=\"%d\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
    svg_add(out, "<g font-weight=\"bold\">");
    plot_add_text(out, GAP, 18, TITLE_SIZE, "start", title);
    svg_add(out, "</g>\n");
}

// -------------------------------------------------------------------------------------------------- legend

static double legend_width(const plot_series* series) {
    return 24 + plot_text_width(series->name, TEXT_SIZE) + 18;
}

/// Where each entry goes; returns the number of rows.
static int legend_places(const plot_chart* chart, double* x, int* row) {
    double at = GAP;
    int rows = 1;
    for (int i = 0; i < chart->series_count; ++i) {
        const double width = legend_width(&chart->series[i]);
        if (at > GAP && at + width > chart->width) {
            ++rows;
            at = GAP;
        }

        x[i] = at;
        row[i] = rows - 1;
        at += width;
    }

    return rows;
}

/// Bars: a patch; lines: a piece of line with its marker.
static void add_marker(svg_text* out, int kind, double x, double y, const char* colour) {
    switch (kind % 4) {
    case 0: svg_add(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", x, y, colour); break;
    case 1:
        svg_add(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"6.4\" height=\"6.4\" fill=\"%s\"/>\n", x - 3.2,
                y - 3.2, colour);
        break;
    case 2: svg_add(out, "<path d=\"M%.1f %.1fl4.4 7.4h-8.8z\" fill=\"%s\"/>\n", x, y - 4.6, colour); break;
    default:
        svg_add(out, "<path d=\"M%.1f %.1fl4.6 4.6l-4.6 4.6l-4.6 -4.6z\" fill=\"%s\"/>\n", x, y - 4.6,
                colour);
        break;
    }
}

static const char* fill_of(const plot_series* series) {
    return series->pale ? " fill-opacity=\"0.3\"" : "";
}

static void add_bar(svg_text* out, const plot_series* series, double x, double y, double width) {
    const char* colour = colours[series->colour];
    svg_add(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"%s stroke=\"%s\"/>\n",
            x, y, width, BAR - 3, colour, fill_of(series), colour);
}

static void add_stroke(svg_text* out, const plot_series* series) {
    svg_add(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", colours[series->colour],
            series->pale ? " stroke-dasharray=\"6 4\"" : "");
}

static void add_bubble(svg_text* out, const plot_series* series, double x, double y, double radius) {
    const char* colour = colours[series->colour];
    svg_add(out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" fill-opacity=\"%s\" stroke=\"%s\"/>\n", x,
            y, radius, colour, series->pale ? "0.15" : "0.5", colour);
}

static void add_legend(const canvas* c, double top, chart_kind kind) {
    double x[PLOT_SERIES_MAX];
    int row[PLOT_SERIES_MAX];
    legend_places(c->chart, x, row);
    for (int i = 0; i < c->chart->series_count; ++i) {
        const plot_series* series = &c->chart->series[i];
        const double y = top + LEGEND_ROW * row[i] + 10;
        if (kind == POINTS) {
            add_bubble(c->out, series, x[i] + 10, y, 5);
        } else if (kind == LINES) {
            svg_add(c->out, "<path d=\"M%.1f %.1fh20", x[i], y);
            add_stroke(c->out, series);
            add_marker(c->out, i, x[i] + 10, y, colours[series->colour]);
        } else {
            add_bar(c->out, series, x[i], y - 5, 18);
        }

        plot_add_text(c->out, x[i] + 24, y + 4, TEXT_SIZE, "start", series->name);
    }
}

// --------------------------------------------------------------------------------------------------- frame

static bool is_drawn(const plot_chart* chart, double value) {
    return isfinite(value) && (!chart->logarithmic || value > 0);
}

/// How many values a series has.
static int count_of(const plot_chart* chart, const plot_series* series) {
    return series->x != NULL ? series->count : chart->count;
}

static void widen(double value, double* least, double* most, bool* any) {
    *least = !*any || value < *least ? value : *least;
    *most = !*any || value > *most ? value : *most;
    *any = true;
}

/// The least and the most of what is drawn; 1 to 1 if that is nothing.
static void value_range(const plot_chart* chart, double* least, double* most) {
    bool any = chart->mark > 0;
    *least = *most = any ? chart->mark : 1;
    for (int i = 0; i < chart->series_count; ++i) {
        for (int k = 0; k < count_of(chart, &chart->series[i]); ++k) {
            const plot_series* series = &chart->series[i];
            if (is_drawn(chart, series->values[k])) {
                widen(series->values[k], least, most, &any);
            }
            if (series->high != NULL && is_drawn(chart, series->high[k])) {
                widen(series->high[k], least, most, &any);
            }
        }
    }
}

static double title_height(const plot_chart* chart) {
    double x[PLOT_SERIES_MAX];
    int row[PLOT_SERIES_MAX];
    return 28 + LEGEND_ROW * (legend_places(chart, x, row) + (chart->mark > 0 ? 1 : 0)) + 8;
}

/// The line at a value, and its row below the legend.
static void add_mark(const canvas* c) {
    const char* const stroke = "stroke=\"#c00000\" stroke-width=\"2\" stroke-dasharray=\"7 4\"";
    const double x = c->left + (c->right - c->left) * plot_axis_at(&c->values, c->chart->mark),
                 y = c->top - LEGEND_ROW + 2;
    svg_add(c->out, "<path d=\"M%.1f %.1fV%.1f\" %s/>\n", x, c->top, c->bottom, stroke);
    svg_add(c->out, "<path d=\"M%d %.1fh20\" %s/>\n", GAP, y, stroke);
    plot_add_text(c->out, GAP + 24, y + 4, TEXT_SIZE, "start", c->chart->mark_name);
}

static void add_line(svg_text* out, double x0, double y0, double x1, double y1, const char* colour) {
    svg_add(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\"/>\n", x0, y0, x1, y1, colour);
}

/// Ticks of an axis that lies below the field, and its label.
static void add_lying_axis(const canvas* c, const plot_axis* axis, const char* label) {
    for (int i = 0; i < axis->tick_count; ++i) {
        const double x = c->left + (c->right - c->left) * plot_axis_at(axis, axis->ticks[i]);
        char text[32];
        plot_format(axis->ticks[i], text);
        add_line(c->out, x, c->top, x, c->bottom, "#ddd");
        plot_add_text(c->out, x, c->bottom + 15, TICK_SIZE, "middle", text);
    }

    add_line(c->out, c->left, c->bottom, c->right, c->bottom, "#666");
    plot_add_text(c->out, (c->left + c->right) / 2, c->bottom + 33, TEXT_SIZE, "middle", label);
}

// ---------------------------------------------------------------------------------------------------- bars

static double name_width(const plot_chart* chart) {
    double width = 0;
    for (int k = 0; k < chart->count; ++k) {
        const double needed = plot_text_width(chart->categories[k], TEXT_SIZE);
        width = needed > width ? needed : width;
    }
    return width;
}

static double across(const canvas* c, double value) {
    return fmax(0, (c->right - c->left) * plot_axis_at(&c->values, value));
}

/// Returns how far it reaches, from the left of the field.
static double add_whisker(const canvas* c, const plot_series* series, int category, double y) {
    if (series->high == NULL || !is_drawn(c->chart, series->low[category]) ||
        !is_drawn(c->chart, series->high[category])) {
        return 0;
    }
    const double low = across(c, series->low[category]), high = across(c, series->high[category]);
    svg_add(c->out, "<path d=\"M%.1f %.1fv5m0 -2.5H%.1fm0 -2.5v5\" fill=\"none\" stroke=\"#222\"/>\n",
            c->left + low, y - 2.5, c->left + high);
    return high;
}

static void add_group(const canvas* c, int category, double y) {
    const plot_chart* chart = c->chart;
    const double middle = y + BAR * chart->series_count / 2.0;
    plot_add_text(c->out, c->left - 6, middle + 3, TEXT_SIZE, "end", chart->categories[category]);
    for (int i = 0; i < chart->series_count; ++i) {
        const double value = chart->series[i].values[category], top = y + BAR * i;
        char text[32];
        if (is_drawn(chart, value)) {
            const double width = across(c, value);
            plot_format(value, text);
            add_bar(c->out, &chart->series[i], c->left, top, width);
            const double reach = fmax(width, add_whisker(c, &chart->series[i], category, top + 4.5));
            plot_add_text(c->out, c->left + reach + 5, top + 8.5, VALUE_SIZE, "start", text);
        }
    }
}

void plot_bars(const plot_chart* chart, svg_text* out) {
    assert(chart->count > 0 && chart->series_count > 0 && chart->width >= 300);
    canvas c = {.chart = chart, .out = out};
    const double group_height = BAR * chart->series_count + GAP;
    double least, most;
    c.left = GAP + name_width(chart) + 6;
    c.right = chart->width - 64;
    c.top = title_height(chart);
    c.bottom = c.top + group_height * chart->count + 4;
    c.height = c.bottom + 42;
    value_range(chart, &least, &most);
    c.values = plot_axis_make(least, most, chart->logarithmic, c.right - c.left, false);

    plot_begin(out, chart->title, chart->width, c.height);
    for (int k = 0; k < chart->count; k += 2) {
        svg_add(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#f4f4f4\"/>\n",
                c.left, c.top + group_height * k, c.right - c.left, group_height);
    }

    add_lying_axis(&c, &c.values, chart->label);
    add_legend(&c, 28, BARS);
    for (int k = 0; k < chart->count; ++k) {
        add_group(&c, k, c.top + GAP / 2.0 + group_height * k);
    }

    if (chart->mark > 0) {
        add_mark(&c);
    }

    svg_add(out, "</svg>\n");
}

// --------------------------------------------------------------------------------------------------- lines

static double tick_width(const plot_axis* axis) {
    double width = 0;
    for (int i = 0; i < axis->tick_count; ++i) {
        char text[32];
        plot_format(axis->ticks[i], text);
        const double needed = plot_text_width(text, TICK_SIZE);
        width = needed > width ? needed : width;
    }

    return width;
}

static void add_standing_axis(const canvas* c) {
    for (int i = 0; i < c->values.tick_count; ++i) {
        const double y = c->bottom - (c->bottom - c->top) * plot_axis_at(&c->values, c->values.ticks[i]);
        char text[32];
        plot_format(c->values.ticks[i], text);
        add_line(c->out, c->left, y, c->right, y, "#ddd");
        plot_add_text(c->out, c->left - 6, y + 4, TICK_SIZE, "end", text);
    }

    add_line(c->out, c->left, c->top, c->left, c->bottom, "#666");
    add_upright_text(c->out, 15, (c->top + c->bottom) / 2, c->chart->label);
}

static double x_of(const canvas* c, int k) {
    return c->left + (c->right - c->left) * plot_axis_at(&c->across, c->chart->x[k]);
}

static double y_of(const canvas* c, double value) {
    return c->bottom - (c->bottom - c->top) * plot_axis_at(&c->values, value);
}

static bool is_point(const canvas* c, const plot_series* series, int k) {
    return isfinite(c->chart->x[k]) && is_drawn(c->chart, series->values[k]);
}

static void add_curve(const canvas* c, int number) {
    const plot_series* series = &c->chart->series[number];
    char lead = 'M';
    svg_add(c->out, "<path d=\"M%.1f %.1f", c->left, c->bottom);
    for (int k = 0; k < c->chart->count; ++k) {
        if (is_point(c, series, k)) {
            svg_add(c->out, "%c%.1f %.1f", lead, x_of(c, k), y_of(c, series->values[k]));
            lead = 'L';
        }
    }

    add_stroke(c->out, series);
    const int every = c->chart->marker_every > 0 ? c->chart->marker_every : 1;
    for (int k = 0; k < c->chart->count; k += every) {
        if (is_point(c, series, k)) {
            add_marker(c->out, number, x_of(c, k), y_of(c, series->values[k]), colours[series->colour]);
        }
    }
}

/// 1 if there is none.
static double largest_x(const plot_chart* chart) {
    double most = 0;
    for (int k = 0; k < chart->count; ++k) {
        most = isfinite(chart->x[k]) && chart->x[k] > most ? chart->x[k] : most;
    }
    return most > 0 ? most : 1;
}

void plot_lines(const plot_chart* chart, svg_text* out) {
    assert(chart->count > 0 && chart->series_count > 0 && chart->width >= 300);
    enum { FIELD = 230 };
    canvas c = {.chart = chart, .out = out};
    double least, most;
    value_range(chart, &least, &most);
    c.values = plot_axis_make(least, most, chart->logarithmic, FIELD, true);
    c.left = 30 + tick_width(&c.values);
    c.right = chart->width - 24;
    c.top = title_height(chart);
    c.bottom = c.top + FIELD;
    c.height = c.bottom + 42;
    c.across = plot_axis_make(0, largest_x(chart), false, c.right - c.left, false);
    plot_begin(out, chart->title, chart->width, c.height);
    add_lying_axis(&c, &c.across, chart->x_label);
    add_standing_axis(&c);

    add_legend(&c, 28, LINES);
    for (int i = 0; i < chart->series_count; ++i) {
        add_curve(&c, i);
    }

    svg_add(out, "</svg>\n");
}

// -------------------------------------------------------------------------------------------------- points

/// The least and the most of x (false) or the sizes (true) of all series; 0 to 1 if there are none.
static void point_range(const plot_chart* chart, bool sizes, double* least, double* most) {
    bool any = false;
    *least = 0;
    *most = 1;
    for (int i = 0; i < chart->series_count; ++i) {
        const plot_series* series = &chart->series[i];
        const double* values = sizes ? series->sizes : series->x;
        for (int k = 0; values != NULL && k < series->count; ++k) {
            if (isfinite(values[k])) {
                *least = !any || values[k] < *least ? values[k] : *least;
                *most = !any || values[k] > *most ? values[k] : *most;
                any = true;
            }
        }
    }
}

static void add_points(const canvas* c, const plot_series* series) {
    double least, most;
    point_range(c->chart, true, &least, &most);
    for (int k = 0; k < series->count; ++k) {
        if (!isfinite(series->x[k]) || !is_drawn(c->chart, series->values[k])) {
            continue;
        }

        const double x = c->left + (c->right - c->left) * plot_axis_at(&c->across, series->x[k]);
        const double part = series->sizes == NULL || most <= least || !isfinite(series->sizes[k])
                                ? 0
                                : (series->sizes[k] - least) / (most - least);
        add_bubble(c->out, series, x, y_of(c, series->values[k]),
                   series->sizes == NULL ? 2.5 : 6 + 14 * part);
    }
}

void plot_points(const plot_chart* chart, svg_text* out) {
    assert(chart->series_count > 0 && chart->width >= 300);
    enum { FIELD = 280 };
    canvas c = {.chart = chart, .out = out};
    double least, most, first, last;
    value_range(chart, &least, &most);
    point_range(chart, false, &first, &last);
    c.values = plot_axis_make(least, most, chart->logarithmic, FIELD, true);
    c.left = 30 + tick_width(&c.values);
    c.right = chart->width - 24;
    c.top = title_height(chart);
    c.bottom = c.top + FIELD;
    c.height = c.bottom + 42;
    c.across = plot_axis_make(0, last > 0 ? last : 1, false, c.right - c.left, false);

    // Points first: a large bubble may reach over an axis, whose numbers stay readable on it.
    plot_begin(out, chart->title, chart->width, c.height);
    for (int i = 0; i < chart->series_count; ++i) {
        add_points(&c, &chart->series[i]);
    }

    add_lying_axis(&c, &c.across, chart->x_label);
    add_standing_axis(&c);
    add_legend(&c, 28, POINTS);

    svg_add(out, "</svg>\n");
}

// -------------------------------------------------------------------------------------------------- series

static plot_series* add_series(plot_chart* chart, const char* name, const double* values, int colour,
                               bool pale) {
    assert(chart->series_count < PLOT_SERIES_MAX && colour >= 0 && colour < PLOT_COLOURS);
    plot_series* series = &chart->series[chart->series_count++];
    *series = (plot_series){.name = name, .values = values, .colour = colour, .pale = pale};
    return series;
}

void plot_add(plot_chart* chart, const char* name, const double* values, int colour, bool pale) {
    add_series(chart, name, values, colour, pale);
}

void plot_add_intervals(plot_chart* chart, const char* name, const double* values, const double* low,
                        const double* high, int colour, bool pale) {
    plot_add(chart, name, values, colour, pale);
    chart->series[chart->series_count - 1].low = low;
    chart->series[chart->series_count - 1].high = high;
}

void plot_add_points(plot_chart* chart, const char* name, const double* x, const double* values,
                     const double* sizes, int count, int colour, bool pale) {
    plot_series* series = add_series(chart, name, values, colour, pale);
    series->x = x;
    series->sizes = sizes;
    series->count = count;
}
