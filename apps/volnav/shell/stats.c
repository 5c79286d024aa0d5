/// volnav/shell/stats.c: mean, median, p99, max, and intervals of confidence.
#include "shell/stats.h"

#include <assert.h>
#include <math.h>
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

// ----------------------------------------------------------------------------------------------- intervals

stats_interval stats_wilson(uint64_t hits, uint64_t count) {
    assert(hits <= count);
    if (count == 0) {
        return (stats_interval){NAN, NAN};
    }

    const double z = 1.959964, n = (double)count, share = (double)hits / n;
    const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return (stats_interval){hits == 0 ? 0 : middle - half, hits == count ? 1 : middle + half};
}

/// The 97.5 % point of Student's distribution; beyond 30 degrees of freedom to 0.003.
static double student(size_t freedom) {
    static const double points[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                    2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    return freedom <= 30 ? points[freedom - 1] : 1.96 + 2.4 / (double)freedom;
}

stats_interval stats_mean_interval(const double* values, size_t count) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; ++i) {
        sum += values[i];
    }
    if (count > 0 && sum == 0) {
        return (stats_interval){0, 3.688879 / (double)count};
    }
    if (count < 2) {
        return (stats_interval){NAN, NAN};
    }

    const double mean = sum / (double)count;
    for (size_t i = 0; i < count; ++i) {
        squares += (values[i] - mean) * (values[i] - mean);
    }

    const double deviation = sqrt(squares / (double)(count - 1));
    const double half = student(count - 1) * deviation / sqrt((double)count);
    return (stats_interval){mean > half ? mean - half : 0, mean + half};
}
