/// classic/split.c: divisors, and the parts of a box.
#include "classic/split.h"

#include "classic/box_lists.h"

static int32_t gcd(int32_t a, int32_t b) {
    while (b != 0) {
        const int32_t rest = a % b;
        a = b;
        b = rest;
    }

    return a;
}

int32_t vni_split_cube(int32_t edge) {
    if (edge == 1)
        return 0;
    if (edge % 2 == 0)
        return edge / 2;

    int32_t factor = 3;
    while (edge % factor != 0 && factor * factor <= edge)
        factor += 2;
    return edge % factor == 0 ? edge / factor : 1;
}

/// A side as it would be if leaves were not cut to the space.
static int32_t uncut_side(const vni_box* box, const int32_t dims[3], int axis) {
    const int32_t side = box->high[axis] - box->low[axis];
    if (box->high[axis] < dims[axis])
        return side;

    int32_t power = 1;
    while (power < side)
        power *= 2;
    return power;
}

int32_t vni_split_box(const vni_box* box, const int32_t dims[3]) {
    const int32_t x = uncut_side(box, dims, 0), y = uncut_side(box, dims, 1), z = uncut_side(box, dims, 2);
    return x == y && y == z ? vni_split_cube(x) : gcd(gcd(x, y), z);
}

vni_parts vni_parts_in(const vni_box* box, int32_t edge, const vni_box* region) {
    VNI_ASSERT(edge > 0);
    vni_parts parts = {.box = *box, .edge = edge};
    const vni_box inside = vni_box_cut(box, region);
    for (int i = 0; i < 3; ++i) {
        parts.first[i] = parts.at[i] = (inside.low[i] - box->low[i]) / edge;
        parts.end[i] =
            vni_box_is_empty(&inside) ? parts.first[i] : (inside.high[i] - box->low[i] + edge - 1) / edge;
    }

    return parts;
}

bool vni_parts_next(vni_parts* parts, vni_box* out) {
    if (parts->at[2] >= parts->end[2])
        return false;

    for (int i = 0; i < 3; ++i) {
        out->low[i] = parts->box.low[i] + parts->at[i] * parts->edge;
        const int32_t high = out->low[i] + parts->edge;
        out->high[i] = high < parts->box.high[i] ? high : parts->box.high[i];
    }

    // To the next one: along x, then y, then z.
    if (++parts->at[0] == parts->end[0]) {
        parts->at[0] = parts->first[0];
        if (++parts->at[1] == parts->end[1]) {
            parts->at[1] = parts->first[1];
            ++parts->at[2];
        }
    }

    return true;
}
