/// classic/hybrid_inside.h: steps of making a hybrid graph. Private to classic/hybrid*.c.
#ifndef VNI_CLASSIC_HYBRID_INSIDE_H
#define VNI_CLASSIC_HYBRID_INSIDE_H

#include "classic/hybrid.h"

/// Edges as they were saved, instead of those that stepping finds.
typedef struct vni_hybrid_saved {
    vni_number_reader masks;   ///< by node that is not dynamic: u32, the directions in which it has an edge
    vni_number_reader targets; ///< by edge: u32, the node that it leads to
} vni_hybrid_saved;

/// hybrid.c: makes nodes, then edges; `saved` may be null. As vni_hybrid_make, and VN_BAD_FORMAT.
vn_status vni_hybrid_make_from(const vn_allocator* allocator, const vni_occupancy* fixed,
                               const vni_area* area, vni_hybrid_saved* saved, vn_progress* progress,
                               void* progress_user, vni_hybrid* out, vn_detail* detail);

/// hybrid_edges.c: finds the edges of all nodes, or takes the saved ones, and orders them by target and by
/// the dynamic nodes on their lines. VN_OUT_OF_MEMORY (without detail), VN_TOO_LARGE, VN_CANCELLED,
/// VN_BAD_FORMAT: what was made so far is freed with the graph.
vn_status vni_hybrid_join(vni_hybrid* hybrid, const vni_occupancy* fixed, vni_hybrid_saved* saved,
                          vn_progress* progress, void* progress_user, vn_detail* detail);

#endif
