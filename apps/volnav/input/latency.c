/// volnav/input/latency.c: the latencies that runs know by name.
#include "input/latency.h"

#include <stddef.h>
#include <string.h>

double latency_of(latency_kind kind, const char* space) {
    static const struct {
        const char* space;
        double seconds[LATENCY_KINDS];
    } known[] = {{"grid", {0, 0.0129, 0.282}},
                 {"waypoints", {0, 0.0015, 0.328}},
                 {"hybrid", {0, 0.0102, 0.00135}},
                 {"cells", {0, 0.00058, 0.282}}};
    size_t at = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        at = strcmp(known[i].space, space) == 0 ? i : at;
    }
    return known[at].seconds[kind];
}
