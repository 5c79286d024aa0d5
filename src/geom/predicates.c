/// geom/predicates.c: signs of determinants, exactly.
///
/// First in double, with a bound of the error (Shewchuk 1997). Where the value is below it, the determinant
/// is expanded into products of the coordinates themselves: a product of two floats is exact in a double, one
/// of three is exact as a sum of two doubles, and sums of doubles are kept exactly as lists of doubles that
/// do not overlap.
#include "geom/predicates.h"
#include "base/assert.h"
#include "geom/vec.h"

/// (7 + 56 e) e with e = 2^-53, rounded up.
#define SIDE_ERROR 7.8e-16

/// Splits a double into two halves of 26 bits.
#define SPLITTER 134217729.0 /* 2^27 + 1 */

#define MOST_PARTS 48

/// A number: the sum of its parts, which ascend in size and do not overlap. So the last one has its sign.
typedef struct exact {
    int count;
    double parts[MOST_PARTS];
} exact;

/// Adds a double to the number (Shewchuk's grow-expansion). Parts that become zero are dropped.
static void add_part(exact* e, double x) {
    int kept = 0;
    for (int i = 0; i < e->count; ++i) {
        // The sum and its rounding error, both exact (Knuth).
        double part = e->parts[i], sum = x + part, of_part = sum - x;
        double error = (x - (sum - of_part)) + (part - of_part);
        x = sum;
        if (error != 0)
            e->parts[kept++] = error;
    }

    VNI_ASSERT(kept < MOST_PARTS);
    if (x != 0)
        e->parts[kept++] = x;
    e->count = kept;
}

static int sign_of(const exact* e) {
    return e->count == 0 ? 0 : e->parts[e->count - 1] > 0 ? 1 : -1;
}

static double high_half(double x) {
    double t = SPLITTER * x;
    return t - (t - x);
}

/// Adds the product of a double and another one: the rounded product and its error (Dekker).
static void add_product(exact* e, double x, double y) {
    double product = x * y, x_high = high_half(x), y_high = high_half(y);
    double x_low = x - x_high, y_low = y - y_high;
    double error = x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low);
    add_part(e, error);
    add_part(e, product);
}

/// Adds sign * p . (q x r).
static void add_volume(exact* e, vni_vec p, vni_vec q, vni_vec r, double sign) {
    add_product(e, q.y * r.z, sign * p.x);
    add_product(e, -(q.z * r.y), sign * p.x);
    add_product(e, q.z * r.x, sign * p.y);
    add_product(e, -(q.x * r.z), sign * p.y);
    add_product(e, q.x * r.y, sign * p.z);
    add_product(e, -(q.y * r.x), sign * p.z);
}

static int exact_side(vni_vec a, vni_vec b, vni_vec c, vni_vec d) {
    exact e = {.count = 0};
    add_volume(&e, b, c, d, 1);
    add_volume(&e, a, c, d, -1);
    add_volume(&e, a, b, d, 1);
    add_volume(&e, a, b, c, -1);
    return sign_of(&e);
}

int vni_side_of_plane(vn_vec3 a, vn_vec3 b, vn_vec3 c, vn_vec3 d) {
    const vni_vec pa = vni_v_from(a), pb = vni_v_from(b), pc = vni_v_from(c), pd = vni_v_from(d);
    const vni_vec u = vni_sub(pb, pa), v = vni_sub(pc, pa), w = vni_sub(pd, pa);
    const double value = vni_dot(w, vni_cross(u, v));
    const double size = vni_abs(w.x) * (vni_abs(u.y * v.z) + vni_abs(u.z * v.y)) +
                        vni_abs(w.y) * (vni_abs(u.z * v.x) + vni_abs(u.x * v.z)) +
                        vni_abs(w.z) * (vni_abs(u.x * v.y) + vni_abs(u.y * v.x));
    if (value > SIDE_ERROR * size)
        return 1;
    if (value < -SIDE_ERROR * size)
        return -1;

    return exact_side(pa, pb, pc, pd);
}

/// Is the triangle without area in the projection to two axes?
static bool is_line(const double a[2], const double b[2], const double c[2]) {
    exact e = {.count = 0};
    add_part(&e, b[0] * c[1]);
    add_part(&e, -(b[1] * c[0]));
    add_part(&e, -(a[0] * c[1]));
    add_part(&e, a[1] * c[0]);
    add_part(&e, a[0] * b[1]);
    add_part(&e, -(a[1] * b[0]));
    return sign_of(&e) == 0;
}

bool vni_are_collinear(vn_vec3 a, vn_vec3 b, vn_vec3 c) {
    const vni_vec p = vni_v_from(a), q = vni_v_from(b), r = vni_v_from(c);
    return is_line((double[2]){p.x, p.y}, (double[2]){q.x, q.y}, (double[2]){r.x, r.y}) &&
           is_line((double[2]){p.y, p.z}, (double[2]){q.y, q.z}, (double[2]){r.y, r.z}) &&
           is_line((double[2]){p.z, p.x}, (double[2]){q.z, q.x}, (double[2]){r.z, r.x});
}
