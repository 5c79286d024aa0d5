/// bindings/js/glue_search.h: a space as one of the literature's search spaces.
#ifndef GLUE_SEARCH_H
#define GLUE_SEARCH_H

#include "glue_order.h"
#include "volnav/classic.h"
#include "volnav/roadmap.h"

/// What is searched, by the numbers of search.ts.
typedef enum search_kind { CELLS, GRID, OCTREE, MERGED, HYBRID, WAYPOINTS } search_kind;

/// Objects are made when a search first needs them.
typedef struct search {
    search_kind kind;
    const vn_space* space;
    vn_space_info info;
    vn_query* query; ///< cells
    vn_classic* classic;
    vn_classic* following; ///< the same tree with graphs for planners
    vn_classic_query* classic_query;
    vn_classic_view* views[VN_GRAPH_COUNT];
    vn_space_graph* graphs[VN_NAV_GRAPH_KINDS];
    vn_roadmap* roadmap;
    vn_roadmap_view* roads;
    vn_graph_query* graph_query;
    glue_list cells;     ///< vn_voxel_box by number of the cell
    glue_list points;    ///< vn_point: of the last path, if its search does not keep them
    glue_list positions; ///< vn_dvec3: of the last path
    glue_order order;
    bool by_number;       ///< nodes of the order are numbers of cells
    vn_graph_source last; ///< of the last search on a graph; null functions: it was another one
    bool was_classic;     ///< the last search was one of the classics
} search;

/// Options of a search, in the order of search.ts.
typedef struct wishes {
    double graph, neighbours, heuristic, weight, refine, budget, snap, quality, check, order;
} wishes;

/// The space as a graph, for planners and for searches on any graph.
vn_status glue_search_source(search* s, const wishes* w, vn_graph_source* out, vn_detail* detail);

/// A glue_box_of: the cell or leaf around its point; of the cells search the cell of its number; elsewhere
/// its voxel.
void glue_search_box(void* user, const glue_step* step, vn_voxel* low, vn_voxel* high);

#endif
