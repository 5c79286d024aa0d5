/// sim/turn.c: Taylor series within an eighth of a turn around the nearest quarter.
#include "sim/turn.h"

#include <assert.h>
#include <math.h>

double vni_wrap(double value, double period) {
    assert(period > 0);
    const double rest = value - floor(value / period) * period;

    // The division rounds: the rest may come out a little below 0, or as the period itself.
    return rest >= 0 && rest < period ? rest : 0;
}

/// The terms up to x^15 and x^16: beyond them is less than 1e-16 for |x| <= pi/4.
static void series(double x, double* cosine, double* sine) {
    const double square = x * x;
    double s = 1, c = 1;
    for (int n = 14; n > 0; n -= 2) {
        s = 1 - s * square / (n * (n + 1));
    }

    for (int n = 15; n > 0; n -= 2) {
        c = 1 - c * square / (n * (n + 1));
    }

    *cosine = c;
    *sine = s * x;
}

void vni_turn(double turns, double* cosine, double* sine) {
    const double part = turns - floor(turns), quarter = floor(4 * part + 0.5);
    double c, s;
    series((part - 0.25 * quarter) * VNI_TAU, &c, &s);

    switch ((int)quarter % 4) {
    case 0: *cosine = c, *sine = s; break;
    case 1: *cosine = -s, *sine = c; break;
    case 2: *cosine = -c, *sine = -s; break;
    default: *cosine = s, *sine = -c; break;
    }
}
