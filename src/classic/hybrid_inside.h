/// classic/hybrid_inside.h: steps of making a hybrid graph. Private to classic/hybrid*.c.
#ifndef VNI_CLASSIC_HYBRID_INSIDE_H
#define VNI_CLASSIC_HYBRID_INSIDE_H

#include "classic/hybrid.h"

/// hybrid_edges.c: finds the edges of all nodes, and orders them by target and by the dynamic nodes on their
/// lines. VN_OUT_OF_MEMORY (without detail), VN_TOO_LARGE, VN_CANCELLED: what was made so far is freed with
/// the graph.
vn_status vni_hybrid_join(vni_hybrid* hybrid, const vni_occupancy* fixed, vn_progress* progress,
                          void* progress_user, vn_detail* detail);

#endif
