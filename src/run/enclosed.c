/// run/enclosed.c: a flood through space and time.
#include "run/enclosed.h"

#include <string.h>

#define CELL 0.5

enum { N = VNI_ENCLOSED_CELLS, ALL = N * N * N };

size_t vni_enclosed_bytes(void) {
    return 2 * (size_t)ALL;
}

/// Along one axis: a cell is reached if one of those up to `reach` cells away was.
static void spread(const uint8_t* from, uint8_t* to, int stride, int reach) {
    for (int i = 0; i < ALL; ++i) {
        const int at = i / stride % N, first = at > reach ? -reach : -at,
                  last = at + reach < N ? reach : N - 1 - at;
        uint8_t any = 0;
        for (int d = first; d <= last; ++d)
            any |= from[i + d * stride];
        to[i] = any;
    }
}

static vn_dvec3 centre_of(const vni_enclosure* e, int i) {
    const vn_dvec3 from = {i % N - N / 2, i / N % N - N / 2, i / (N * N) - N / 2};
    return vni_sum(e->start, vni_scaled(from, CELL));
}

static double outside(double x, double low, double high) {
    return x < low ? low - x : x > high ? x - high : 0;
}

/// Wherever in the cell the ball is, it touches something or is outside.
static bool is_solid(const vni_enclosure* e, vn_dvec3 p, uint32_t step) {
    const double half = 0.5 * CELL, corner = 0.866025403784438647 * CELL;
    return outside(p.x, e->low.x, e->high.x) > half || outside(p.y, e->low.y, e->high.y) > half ||
           outside(p.z, e->low.z, e->high.z) > half || e->distance(e->user, p, step) + corner < e->radius;
}

static bool is_rim(int i) {
    const int x = i % N, y = i / N % N, z = i / (N * N);
    return x == 0 || y == 0 || z == 0 || x == N - 1 || y == N - 1 || z == N - 1;
}

/// Takes away what is solid. False: nothing is left; `*rim` tells if the flood has come there.
static bool survive(const vni_enclosure* e, uint8_t* cells, uint32_t step, bool* rim) {
    bool any = false;
    for (int i = 0; i < ALL; ++i) {
        if (cells[i] == 0)
            continue;
        cells[i] = !is_solid(e, centre_of(e, i), step);
        any = any || cells[i] != 0;
        *rim = *rim || (cells[i] != 0 && is_rim(i));
    }
    return any;
}

bool vni_is_enclosed(const vni_enclosure* e, uint8_t* scratch) {
    uint8_t *now = scratch, *next = scratch + ALL;
    const int reach = (int)floor(e->reach / CELL) + 1; // cells whose gap is not wider than that
    bool rim = reach >= N / 2;
    memset(now, 0, ALL);
    now[N / 2 + N * (N / 2) + N * N * (N / 2)] = 1;
    for (uint32_t step = 1; step <= e->steps && !rim; ++step) {
        spread(now, next, 1, reach);
        spread(next, now, N, reach);
        spread(now, next, N * N, reach);
        uint8_t* swapped = now;
        now = next;
        next = swapped;
        if (!survive(e, now, step, &rim))
            return true;
    }
    return false;
}
