/// volnav/search/classics.h: the searches of volnav/classic.h on the command line: when one is needed, its
/// request, its space (built once) and its scratch.
#ifndef CLASSICS_H
#define CLASSICS_H

#include "search/search.h"

/// Search spaces over one vn_space, by kind; null where none was needed.
typedef struct classics {
    vn_classic* kinds[VN_CLASSIC_KIND_COUNT];
    double seconds[VN_CLASSIC_KIND_COUNT]; ///< wall time that building took
    bool follows; ///< trees have graphs for planners (vn_classic_view); set it before they are built
} classics;

/// Scratch of one thread, by kind.
typedef struct classics_scratch {
    vn_classic_query* kinds[VN_CLASSIC_KIND_COUNT];
} classics_scratch;

/// Does this request, in a space of this name, need volnav/classic.h? Then `kind` is its space: the grid, if
/// the name is cells, which these searches do not know.
bool classics_needed(const char* space, const search_options* options, const search_algo* algo,
                     const vn_path_request* request, vn_classic_kind* kind);

/// The request for the same. EXIT_BAD after a message if an option means nothing, or if these searches do not
/// know what the request asks for.
int classics_request(const search_options* options, const search_algo* algo, const vn_path_request* request,
                     vn_classic_request* out);

/// Builds the space if it is not there yet. EXIT_BAD after a message.
int classics_build(const loaded* in, const search_options* options, vn_classic_kind kind, bool quiet,
                   classics* out);
void classics_free(classics* all);

/// Scratch for all spaces that were built. EXIT_BAD after a message; free it either way.
int classics_make_scratch(const classics* all, const search_options* options, classics_scratch* out);
void classics_free_scratch(classics_scratch* scratch);

/// From world position to world position, then through both checkers, as search_run.
void classics_run(const loaded* in, vn_classic_query* query, vn_classic_request* request, const double* from,
                  const double* to, search_outcome* out);

#endif
