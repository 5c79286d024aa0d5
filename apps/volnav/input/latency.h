/// volnav/input/latency.h: the latencies that runs know by name.
#ifndef INPUT_LATENCY_H
#define INPUT_LATENCY_H

typedef enum latency_kind { LATENCY_NONE, LATENCY_OURS, LATENCY_THESIS, LATENCY_KINDS } latency_kind;

/// Seconds until an agent learns of a change and has a path for it, in a space of the scene "krafft". From
/// Krafft 2019 and 2021, and what came out in docs/experiments.md; other spaces take those of the grid.
double latency_of(latency_kind kind, const char* space);

#endif
