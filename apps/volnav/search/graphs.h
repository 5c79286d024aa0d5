/// volnav/search/graphs.h: what searches and planners on a vn_graph_source share on the command line: both
/// ends put into the graph, and the outcome completed.
#ifndef GRAPHS_H
#define GRAPHS_H

#include "search/search.h"

/// What only the searches of the core know and the request asks for; null: nothing.
const char* graphs_unknown_part(const vn_path_request* request);

/// Clears the outcome and puts both ends into the graph, snapped if they are blocked and may be. `asked` are
/// their points before that. False, with the outcome filled, if one has no place.
bool graphs_place(const loaded* in, const vn_graph_source* source, const double* from, const double* to,
                  double snap, vn_point asked[2], vn_point ends[2], search_outcome* out);

/// Length and turns of the outcome's points.
void graphs_measure(const vn_space* space, search_outcome* out);

/// Ends, status, both checkers and snapped legs of an outcome whose ends were placed.
void graphs_judge(const loaded* in, vn_status status, const vn_point asked[2], const vn_point ends[2],
                  search_outcome* out);

#endif
