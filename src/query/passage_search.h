/// query/passage_search.h: the widest path between two voxels of one layer. For the query module only.
#ifndef VNI_QUERY_PASSAGE_SEARCH_H
#define VNI_QUERY_PASSAGE_SEARCH_H

#include "search/scratch.h"
#include "space/space.h"
#include "view/grid.h"
#include "volnav/query.h"

/// The layer, the ends and the scratch of a search, and what it adds to.
typedef struct vni_passage_search {
    const vn_space* layer;
    const vn_space* wider; ///< null, or a wider layer that opens no more doors, with cells
    const vni_grid* grid;  ///< with 6 neighbours, for its numbers; all layers have the same
    vni_scratch* scratch;
    vn_voxel start, goal; ///< free in the layer
    double up_to;         ///< metres: wider is not told apart
    uint64_t budget;      ///< nodes of all layers together; 0: no limit
    uint64_t expanded;    ///< nodes so far, over all layers
    uint64_t looks;       ///< likewise, blocks that searches for far walls have passed
} vni_passage_search;

/// Writes radius, bottleneck, layer radius, `limited` and expansions. VN_OK, VN_NO_PATH (never in a layer
/// with cells that connects the ends), VN_BUDGET_SPENT, VN_CAPACITY; with cells the layer's own radius is a
/// result in each case.
vn_status vni_passage_search_run(vni_passage_search* search, vn_passage* out);

#endif
