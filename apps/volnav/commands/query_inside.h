/// volnav/commands/query_inside.h: the command query in parts: query.c searches, query_report.c prints what
/// it found, query_picture.c draws it.
#ifndef QUERY_INSIDE_H
#define QUERY_INSIDE_H

#include "draw/slice.h"
#include "search/classics.h"
#include "search/many.h"
#include "search/plans.h"

typedef struct query_options {
    load_options load;
    search_options search;
    search_terms terms;
    const char* algo_name; ///< as given; null: the default of the space
    search_algo algo;
    const char *picture, *slice, *record;
    slice_place place;
    double from[3], to[3];
    bool has_from, has_to;
    many_options many;
    bool is_classic; ///< by volnav/classic.h, in this space:
    vn_classic_kind kind;
    bool is_road; ///< on one of volnav/roadmap.h:
    vn_roadmap_kind road;
    road_options roads;
    bool is_plan; ///< by a planner of volnav/replan.h, wherever
} query_options;

/// What is searched with, and what came of it.
typedef struct query_session {
    loaded in;
    vn_path_request request;
    vn_query* query; ///< null if a classic searches
    classics classics;
    classics_scratch scratch;
    roads roads;
    plan_space plan_space;
    one_plan plan;
    search_outcome outcome;
    many_outcome many; ///< instead, with --targets
} query_session;

static inline bool query_has_path(const search_outcome* outcome) {
    return outcome->count > 0;
}

/// What the search expands: "cell", "voxel" or "node".
const char* query_unit(const query_options* options);

/// Prints the outcome, as JSON or as text.
void query_report(const query_options* options, const query_session* s);

/// Prints the outcome of --targets, as JSON or as text. The exit code.
int query_report_many(const query_options* options, const query_session* s);

/// Draws the picture or the slice that was asked for, if any. EXIT_BAD after a message.
int query_draw(const query_options* options, const char* path, const query_session* s);

#endif
