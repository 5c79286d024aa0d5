/// curve/angle.c: sine, cosine and angles by series, the same bytes on every machine.
#include "curve/curve_inside.h"

/// Halvings before the series, and doublings after it.
#define HALVINGS 4

void vni_curve_rotate(double angle, double* cosine, double* sine) {
    VNI_ASSERT(angle >= -4 && angle <= 4);
    double x = angle / (1 << HALVINGS), square = x * x, s = 1, c = 1;
    for (int n = 14; n > 0; n -= 2) {
        s = 1 - s * square / (n * (n + 1));
        c = 1 - c * square / (n * (n - 1));
    }

    // 1 - cos doubles without cancellation: it stays small.
    double less = 1 - c;
    s *= x;
    for (int i = 0; i < HALVINGS; ++i) {
        double twice = 2 * s * (1 - less);
        less = 2 * s * s;
        s = twice;
    }

    *cosine = 1 - less;
    *sine = s;
}

/// Arc tangent of x in [0, 1]: three halvings, then the series.
static double arc_tangent(double x) {
    for (int i = 0; i < 3; ++i)
        x = x / (1 + sqrt(1 + x * x));

    double square = x * x, sum = 0;
    for (int n = 17; n > 0; n -= 2)
        sum = 1.0 / n - sum * square;

    return 8 * x * sum;
}

double vni_curve_angle(vni_vec a, vni_vec b) {
    double apart = vni_length(vni_sub(b, a)), along = vni_length(vni_add(a, b));
    if (apart == 0)
        return 0;
    return 2 * (apart <= along ? arc_tangent(apart / along) : VNI_PI / 2 - arc_tangent(along / apart));
}
