/// volnav/draw/plot_axis.c: round numbers for ticks.
#include "draw/plot_axis.h"

#include <assert.h>
#include <math.h>

#include "draw/plot.h"

#define TICK_SIZE 11.0

/// 1, 2 or 5 times a power of ten; `number` counts them, 0 being 1.
static double round_number(int number) {
    static const double digits[3] = {1, 2, 5};
    const int decade = number >= 0 ? number / 3 : -((2 - number) / 3);
    return digits[number - 3 * decade] * pow(10, decade);
}

/// The largest round number that is at most `value`.
static int round_below(double value) {
    int number = 3 * (int)floor(log10(value));
    while (round_number(number) > value) {
        --number;
    }

    while (round_number(number + 1) <= value * (1 + 1e-12)) {
        ++number;
    }

    return number;
}

static double tick_extent(double value, bool upright) {
    char text[32];
    plot_format(value, text);
    return upright ? 1.5 * TICK_SIZE : plot_text_width(text, TICK_SIZE) + TICK_SIZE;
}

double plot_axis_at(const plot_axis* axis, double value) {
    assert(axis->low < axis->high);
    return axis->logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                             : (value - axis->low) / (axis->high - axis->low);
}

/// Do the labels of all ticks have room?
static bool has_room(const plot_axis* axis, double length, bool upright) {
    for (int i = 1; i < axis->tick_count; ++i) {
        const double apart =
            (plot_axis_at(axis, axis->ticks[i]) - plot_axis_at(axis, axis->ticks[i - 1])) * length;
        const double needed =
            (tick_extent(axis->ticks[i], upright) + tick_extent(axis->ticks[i - 1], upright)) / 2;
        if (apart < needed) {
            return false;
        }
    }

    return true;
}

static void linear_ticks(plot_axis* axis, double step) {
    axis->tick_count = 0;
    for (int i = 0; i * step <= axis->high + 1e-9 * step && i < PLOT_TICKS_MAX; ++i) {
        axis->ticks[axis->tick_count++] = i * step;
    }
}

static plot_axis make_linear(double most, double length, bool upright) {
    plot_axis axis = {.low = 0};
    for (int number = round_below(most / 12);; ++number) {
        const double step = round_number(number);
        axis.high = step * ceil(most / step - 1e-9);
        linear_ticks(&axis, step);
        if (axis.tick_count < PLOT_TICKS_MAX && has_room(&axis, length, upright)) {
            return axis;
        }
    }
}

/// All round numbers of the range, or the powers of ten, or every other of these, and so on.
static plot_axis make_logarithmic(double least, double most, double length, bool upright) {
    const int first = round_below(least * 0.8), last = round_below(most) + 1;
    plot_axis axis = {.low = round_number(first), .high = round_number(last), .logarithmic = true};
    for (int step = 1;; step = step == 1 ? 3 : step + 3) {
        axis.tick_count = 0;
        for (int number = first; number <= last && axis.tick_count < PLOT_TICKS_MAX; ++number) {
            if (((number % step) + step) % step == 0) {
                axis.ticks[axis.tick_count++] = round_number(number);
            }
        }

        if (axis.tick_count < PLOT_TICKS_MAX && has_room(&axis, length, upright)) {
            return axis;
        }
    }
}

plot_axis plot_axis_make(double least, double most, bool logarithmic, double length, bool upright) {
    assert(least <= most && (!logarithmic || least > 0) && length > 0);
    return logarithmic ? make_logarithmic(least, most, length, upright)
                       : make_linear(most > 0 ? most : 1, length, upright);
}
