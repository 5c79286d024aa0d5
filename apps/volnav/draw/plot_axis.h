/// volnav/draw/plot_axis.h: an axis of a chart: its range, its ticks, and where a value lies on it.
#ifndef PLOT_AXIS_H
#define PLOT_AXIS_H

#include <stdbool.h>

enum { PLOT_TICKS_MAX = 24 };

typedef struct plot_axis {
    double low, high;
    bool logarithmic;
    double ticks[PLOT_TICKS_MAX]; ///< ascending
    int tick_count;
} plot_axis;

/// An axis for values of [least, most] that has `length` pixels. A linear one begins at 0; a logarithmic one
/// begins below `least`, which must be above 0. Ticks are so far apart that their labels do not meet;
/// `upright`: these stand one above the other, else side by side.
plot_axis plot_axis_make(double least, double most, bool logarithmic, double length, bool upright);

/// 0 at the low end, 1 at the high end.
double plot_axis_at(const plot_axis* axis, double value);

#endif
