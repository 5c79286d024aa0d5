/// volnav/experiment/krafft21_charts.h: the kinds of charts on the page of "krafft-2021".
#ifndef EXPERIMENT_KRAFFT21_CHARTS_H
#define EXPERIMENT_KRAFFT21_CHARTS_H

#include "experiment/krafft21.h"

enum { KRAFFT21_SHOWN = 12 };

/// Who is in a chart.
typedef struct krafft21_cast {
    int contenders[KRAFFT21_SHOWN];
    int count;
    bool apart; ///< colours by place in the list, because two of them have the same
} krafft21_cast;

/// Of each plan, over the time in the scene.
typedef struct krafft21_lines {
    const char *file, *title;
    int scenario;
    bool times;     ///< instead of expanded nodes
    bool by_number; ///< over the number of the plan, instead of the time
    krafft21_cast cast;
} krafft21_lines;

/// What bars and bubbles show of a contender.
typedef enum krafft21_value {
    KRAFFT21_NODES,
    KRAFFT21_TIME,
    KRAFFT21_PEAK,
    KRAFFT21_P99,
    KRAFFT21_LENGTH,
    KRAFFT21_EXCESS ///< bubbles: length above that of the shortest, per cent
} krafft21_value;

/// Up to three scenarios side by side; a null name ends them.
typedef struct krafft21_bars {
    const char *file, *title;
    krafft21_value value;
    int scenarios[3];
    const char* names[3];
    bool mean; ///< of a plan instead of the sum, for nodes and times
    krafft21_cast cast;
} krafft21_bars;

/// Time over expanded nodes, a point for each plan.
typedef struct krafft21_points {
    const char *file, *title;
    int scenario;
    krafft21_cast cast;
} krafft21_points;

/// A bubble for each contender.
typedef struct krafft21_bubbles {
    const char *file, *title;
    int scenario;
    krafft21_value x, y, size;
    krafft21_cast cast;
} krafft21_bubbles;

// Each writes a chart and puts it on the page. EXIT_BAD after a message.
int krafft21_write_lines(experiment* e, const krafft21_run* run, const krafft21_lines* lines);
int krafft21_write_bars(experiment* e, const krafft21_run* run, const krafft21_bars* bars);
int krafft21_write_points(experiment* e, const krafft21_run* run, const krafft21_points* points);
int krafft21_write_bubbles(experiment* e, const krafft21_run* run, const krafft21_bubbles* bubbles);

#endif
