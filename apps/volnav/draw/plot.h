/// volnav/draw/plot.h: charts as SVG: bars, lines and points, on linear and logarithmic axes, with legends.
///
/// Text is measured by an estimate that is on the wide side, and nothing is put where it would run into other
/// text. Colours tell series apart for the colour-blind too; lines also have markers of their own.
#ifndef PLOT_H
#define PLOT_H

#include <stdbool.h>

#include "draw/svg.h"

enum { PLOT_SERIES_MAX = 12, PLOT_COLOURS = 8 };

typedef struct plot_series {
    const char* name;
    const double*
        values; ///< one for each category or x; what is not finite, or 0 on a logarithmic axis, is left out
    int colour; ///< below PLOT_COLOURS
    bool pale;  ///< bars and points: a paler fill; lines: dashed
    const double *low, *high; ///< bars: null, or the ends of an interval around each value; not finite: none
    const double* x;          ///< points: of this series alone
    const double* sizes;      ///< points: null, or what their radius grows with
    int count;                ///< points: how many
} plot_series;

/// Make it with {0} and plot_add.
typedef struct plot_chart {
    const char* title;
    const char* label;             ///< of the axis of values, with its unit
    const char* x_label;           ///< lines and points: of the other axis, with its unit
    int width;                     ///< pixels: 900 is a page's width, 440 half of it
    bool logarithmic;              ///< the axis of values
    const char* const* categories; ///< bars
    const double* x;               ///< lines; ascending, from 0 on; what is not finite is left out
    int count;                     ///< categories, or values of x
    int marker_every;              ///< lines: at which points there are markers; 0: at each
    double mark;                   ///< bars: a line stands at this value; 0: none
    const char* mark_name;         ///< of that, in the legend
    plot_series series[PLOT_SERIES_MAX];
    int series_count;
} plot_chart;

void plot_add(plot_chart* chart, const char* name, const double* values, int colour, bool pale);

/// The same for bars with intervals.
void plot_add_intervals(plot_chart* chart, const char* name, const double* values, const double* low,
                        const double* high, int colour, bool pale);

/// Points of one series: `count` of x, values and sizes (null: all alike).
void plot_add_points(plot_chart* chart, const char* name, const double* x, const double* values,
                     const double* sizes, int count, int colour, bool pale);

/// Bars that lie, one group for each category, each with its value behind it.
void plot_bars(const plot_chart* chart, svg_text* out);

/// Lines over x.
void plot_lines(const plot_chart* chart, svg_text* out);

/// Points, each at an x of its own, or bubbles if they have sizes: from the least of all sizes to the largest
/// the radius grows evenly.
void plot_points(const plot_chart* chart, svg_text* out);

/// Opens an SVG on white with its title at the top, as charts have it. Close it with "</svg>\n".
void plot_begin(svg_text* out, const char* title, int width, double height);

/// A text at a place; `anchor` is "start", "middle" or "end".
void plot_add_text(svg_text* out, double x, double y, int size, const char* anchor, const char* text);

/// The colour of a series, below PLOT_COLOURS.
const char* plot_colour(int i);

/// The width that a text takes at most, pixels.
double plot_text_width(const char* text, double size);

/// A number for people: four digits that count, thousands in groups. `text` holds 32 bytes.
void plot_format(double value, char* text);

#endif
