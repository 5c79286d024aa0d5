/// volnav/search/roads.h: hybrid graph and waypoints (volnav/roadmap.h) on the command line: made or loaded,
/// and searched.
#ifndef ROADS_H
#define ROADS_H

#include "search/search.h"
#include "volnav/roadmap.h"

/// Make it with {0}.
typedef struct road_options {
    args_list areas; ///< boxes in which obstacles can move: low and high corner, world metres
} road_options;

void roads_add_options(args_table* table, road_options* options);
extern const char roads_help[];

/// One roadmap over the layer that is searched, and the scratch of its last search. Make it with {0}.
typedef struct roads {
    vn_roadmap* roadmap; ///< null: none was needed
    vn_roadmap_view* view;
    vn_graph_query* query;
    double seconds; ///< wall time that baking or loading took
    bool is_loaded; ///< from a .vnav
} roads;

/// Is this the name of such a space?
bool roads_kind(const char* space, vn_roadmap_kind* kind);

/// EXIT_BAD after a message if an option means nothing for this space.
int roads_check(const char* space, const road_options* options);

/// Loads the roadmap that a .vnav has for the layer, unless options ask for another one; otherwise makes it.
/// EXIT_BAD after a message. Free it either way.
int roads_build(const loaded* in, const road_options* options, vn_roadmap_kind kind, bool quiet, roads* out);
void roads_free(roads* r);

/// The request for a search of such a graph. EXIT_BAD after a message if it asks for what these searches do
/// not know.
int roads_request(const search_options* options, const search_algo* algo, const vn_path_request* request,
                  vn_graph_request* out);

/// From world position to world position, then through both checkers, as search_run. EXIT_BAD after a
/// message.
int roads_run(const loaded* in, roads* r, const vn_graph_request* request, double snap, const double* from,
              const double* to, search_outcome* out);

#endif
