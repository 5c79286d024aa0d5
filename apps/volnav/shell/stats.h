/// volnav/shell/stats.h: the few numbers that describe many times.
#ifndef STATS_H
#define STATS_H

#include <stddef.h>
#include <stdint.h>

typedef struct stats_summary {
    double mean, median, p99, max, sum;
} stats_summary;

/// Sorts `values`. The median of an even number is the mean of the middle two; p99 is the least value that 99
/// % do not exceed. All 0 for none.
stats_summary stats_of(double* values, size_t count);

/// Where a figure lies, with a confidence of 95 %. Not numbers if there is too little to say.
typedef struct stats_interval {
    double low, high;
} stats_interval;

/// Of a share: `hits` of `count` (Wilson's score interval). `count` 0: not numbers.
stats_interval stats_wilson(uint64_t hits, uint64_t count);

/// Of the mean of counts that are not negative (Student's t, not below 0). Where all are 0 the upper end is
/// that of a Poisson distribution: 3.69 / count. One value above 0, or none: not numbers.
stats_interval stats_mean_interval(const double* values, size_t count);

#endif
