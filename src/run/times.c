/// run/times.c: a histogram of times, so that percentiles need no list of all of them.
#include "run/run_inside.h"

#include <string.h>

enum { PARTS = 32, PART_BITS = 5, OCTAVES = 33 };

#define LEAST (1.0 / (1 << 30))

/// Exponent and highest bits of a double, as one number.
static uint64_t leading_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> (52 - PART_BITS);
}

void vni_run_times_add(vni_run_times* times, double seconds) {
    uint64_t step = seconds > LEAST ? leading_bits(seconds) - leading_bits(LEAST) : 0;
    step = step < OCTAVES * PARTS ? step : OCTAVES * PARTS - 1;
    ++times->counts[step];
    ++times->count;
}

double vni_run_times_part(const vni_run_times* times, double part) {
    uint64_t sum = 0;
    double octave = LEAST;
    for (uint32_t i = 0; i < OCTAVES * PARTS; ++i) {
        sum += times->counts[i];
        if (sum > 0 && (double)sum >= part * (double)times->count)
            return octave * (1 + (double)(i % PARTS + 1) / PARTS);
        if (i % PARTS == PARTS - 1)
            octave *= 2;
    }
    return 0;
}
