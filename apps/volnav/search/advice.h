/// volnav/search/advice.h: what to try after a query that found no path: a margin, another scale, a finer
/// resolution, or that an end lies in an enclosed region.
#ifndef ADVICE_H
#define ADVICE_H

#include <stdio.h>

#include "search/search.h"

/// Prints nothing if there is nothing to say. `to` may be null: the goal is a box.
void advice_print(FILE* file, const loaded* in, const load_options* options, const double* from,
                  const double* to, const search_outcome* outcome);

#endif
