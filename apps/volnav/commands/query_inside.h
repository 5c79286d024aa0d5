/// volnav/commands/query_inside.h: the command query in parts: query.c searches, query_report.c prints what
/// it found, query_picture.c draws it, query_curve.c makes
/// curves and trajectories of it.
#ifndef QUERY_INSIDE_H
#define QUERY_INSIDE_H

#include "draw/slice.h"
#include "search/classics.h"
#include "search/many.h"
#include "search/plans.h"
#include "volnav/curve.h"

/// The options of curves; make it with query_curve_defaults.
typedef struct query_curve_options {
    const char* kinds; ///< as given; null: no curve
    const char* csv;
    double speed, acceleration;  ///< m/s, m/s^2
    double turn_rate, climb;     ///< degrees a second, degrees; 0: no limit
    double climb_rate;           ///< m/s; 0: no limit
    double radius, least_radius; ///< metres
    bool no_stops, has_climb;
} query_curve_options;

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
    query_curve_options curve;
    bool is_plan; ///< by a planner of volnav/replan.h, wherever
} query_options;

/// One curve along the path, and what came of it.
typedef struct query_curve {
    vn_curve_kind kind;
    vn_status status;
    vn_detail detail;
    vn_curve* curve; ///< null if there is none
    vn_trajectory* trajectory;
    vn_point* points; ///< of the trajectory at every 1/60 s
    uint32_t count;
    bool checked; ///< both checkers accept these
} query_curve;

typedef struct query_curves {
    query_curve list[VN_CURVE_KIND_COUNT];
    int count;
} query_curves;

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
    query_curves curves;
} query_session;

static inline bool query_has_path(const search_outcome* outcome) {
    return outcome->count > 0;
}

query_curve_options query_curve_defaults(void);
void query_curve_add_options(args_table* table, query_curve_options* options);
extern const char query_curve_help[];

/// EXIT_BAD after a message if options of curves do not go together.
int query_curve_check(const query_options* options);

/// Makes and checks the curves that were asked for, and writes the trajectory. EXIT_NO_PATH: a curve cannot
/// be made, or is not free; EXIT_BAD after a message.
int query_curve_run(const query_options* options, query_session* s);
void query_curve_free(query_curves* curves);
void query_curve_write(json_writer* json, const query_curves* curves);
void query_curve_print(const query_options* options, const query_curves* curves);

/// What the search expands: "cell", "voxel" or "node".
const char* query_unit(const query_options* options);

/// Prints the outcome, as JSON or as text.
void query_report(const query_options* options, const query_session* s);

/// Prints the outcome of --targets, as JSON or as text. The exit code.
int query_report_many(const query_options* options, const query_session* s);

/// Draws the picture or the slice that was asked for, if any. EXIT_BAD after a message.
int query_draw(const query_options* options, const char* path, const query_session* s);

#endif
