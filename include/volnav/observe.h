/// volnav/observe.h: watching a search while it runs, for pictures, tests and teaching.
///
/// A request may name an observer: it is called for each node that the search expands, and for each line of
/// sight that it checks, in the order in which that happens, on the thread that searches. Without one,
/// nothing is paid for it.
///
/// The observer must not use the query that searches. What it is told depends on the request and the space
/// alone, however the search is sliced.
#ifndef VOLNAV_OBSERVE_H
#define VOLNAV_OBSERVE_H

#include "volnav/math.h"

typedef enum vn_search_event_kind {
    VN_SEARCH_EXPAND = 0, ///< a node was removed from the open set: as often as `expanded` of the result says
    VN_SEARCH_SIGHT =
        1 ///< a line of sight was checked: as often as `sight_checks` of a classic's result says
} vn_search_event_kind;

typedef struct vn_search_event {
    vn_search_event_kind kind;
    uint32_t node; ///< expanded: its number in the graph that is searched; cells: the cell, or beyond all
                   ///< cells a connection. Not for sight: UINT32_MAX
    vn_point
        point; ///< expanded: where the node is, or where the cell was entered; sight: where the line begins
    vn_point parent; ///< expanded: the same of the node before it, of the start its own; sight: where it ends
    double g;        ///< expanded: cost from the start, metres; of the goal's side, from the goal
    double h;        ///< estimate of the rest, metres; cells: weighted
    double key;      ///< by which the open set is ordered, metres: g and h weighted
    bool from_goal;  ///< expanded: by the side of a search over cells that comes from the goal
    bool visible;    ///< sight: the line is free
} vn_search_event;

/// `event` lives until the function returns.
typedef void vn_search_observer(void* user, const vn_search_event* event);

#endif
