/// volnav/search/many.h: one start and many targets on the command line (vn_classic_query_find_many).
#ifndef SEARCH_MANY_H
#define SEARCH_MANY_H

#include "search/classics.h"

enum { MANY_MAX = ARGS_LIST_MAX / 3 };

/// Make it with many_defaults.
typedef struct many_options {
    args_list targets; ///< x,y,z of each, world positions
    const char* sharing;
} many_options;

/// What came of it.
typedef struct many_outcome {
    vn_status status; ///< VN_OK, or that of the first target without a path
    vn_classic_result total;
    double seconds; ///< processor time of the searches
    vn_detail detail;
    int count;
    vn_classic_target targets[MANY_MAX];
    bool checked[MANY_MAX];       ///< both checkers accept the path
    search_leg legs[MANY_MAX][2]; ///< of the start and the target, if they were snapped
    const vn_point* points;       ///< of all paths; the query's, until its next search
} many_outcome;

/// How the search is called in what is printed.
typedef struct many_words {
    const char *algo, *space, *refine, *unit;
} many_words;

many_options many_defaults(void);

/// EXIT_BAD after a message if the list is no list of points, or the way of sharing does not exist.
int many_check(const many_options* options);

/// Searches from `from` to all targets.
void many_run(const loaded* in, vn_classic_query* query, vn_classic_request* request, const double* from,
              const many_options* options, many_outcome* out);

/// Print the outcome, and return EXIT_DONE if every target was reached by a path that is checked, else
/// EXIT_NO_PATH, or EXIT_BAD after a message if the request was refused.
int many_write_json(const loaded* in, const many_options* options, const many_outcome* outcome,
                    const many_words* words);
int many_write_text(const loaded* in, const many_options* options, const many_outcome* outcome,
                    const many_words* words);

#endif
