/// volnav/shell/stats.c: mean, median, p99, max.
#include "shell/stats.h"

#include <assert.h>
#include <stdlib.h>

static int by_value(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

stats_summary stats_of(double* values, size_t count) {
    stats_summary out = {0};
    if (count == 0) {
        return out;
    }

    qsort(values, count, sizeof *values, by_value);
    for (size_t i = 0; i < count; ++i) {
        out.sum += values[i];
    }

    out.mean = out.sum / (double)count;
    out.median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    out.p99 = values[(count * 99 + 99) / 100 - 1];
    out.max = values[count - 1];
    assert(out.median <= out.p99 && out.p99 <= out.max);

    return out;
}
