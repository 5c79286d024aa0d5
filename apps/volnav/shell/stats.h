/// volnav/shell/stats.h: the few numbers that describe many times.
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

typedef struct stats_summary {
    double mean, median, p99, max, sum;
} stats_summary;

/// Sorts `values`. The median of an even number is the mean of the middle two; p99 is the least value that 99
/// % do not exceed. All 0 for none.
stats_summary stats_of(double* values, size_t count);

#endif
