/// classic/hybrid_state.h: which edges of a hybrid graph are open in one version of the space, made anew or
/// from the version before (Krafft 2021, 5.2.2).
///
/// Between adjacent voxels of which one is dynamic the occupancy itself tells; so the state has bits for the
/// stored edges only. An update looks at the edges that are noted with changed dynamic voxels. The graph was
/// made for obstacles that stay on the dynamic nodes: voxels that change elsewhere have *left* it. Their
/// edges are then found by looking at the boxes of all edges, so that the state is right all the same, but
/// slower; and paths may be longer than need be, because no nodes are there.
#ifndef VNI_CLASSIC_HYBRID_STATE_H
#define VNI_CLASSIC_HYBRID_STATE_H

#include "classic/hybrid.h"
#include "volnav/changes.h"

typedef struct vni_hybrid_state {
    const vni_hybrid* hybrid;       ///< must outlive the state
    const vni_occupancy* occupancy; ///< of the version; must outlive it, too
    uint64_t* open;                 ///< by stored edge
} vni_hybrid_state;

/// All edges looked at anew. VN_OUT_OF_MEMORY leaves it zeroed. O(edges * length).
vn_status vni_hybrid_state_make(const vni_hybrid* hybrid, const vni_occupancy* occupancy,
                                vni_hybrid_state* out, vn_detail* detail);

/// A zeroed state is allowed.
void vni_hybrid_state_free(vni_hybrid_state* state);

/// What one update changed.
typedef struct vni_hybrid_delta {
    uint32_t* nodes; ///< with an edge, to or from them, that was opened or closed; each once,
                     ///< in an order that follows from the changes
    uint64_t capacity;
    uint32_t count;
    uint32_t left; ///< voxels that became blocked outside the dynamic nodes
} vni_hybrid_delta;

/// Scratch of updates; made once for a graph.
typedef struct vni_hybrid_scratch {
    vn_allocator allocator;
    uint32_t* edge_stamps; ///< by edge: last update that looked at it
    uint32_t* node_stamps; ///< by node: last update that listed it, or looked at its steps
    uint32_t* step_stamps;
    uint32_t edge_count, node_count;
    uint32_t stamp;
} vni_hybrid_scratch;

vn_status vni_hybrid_scratch_make(const vn_allocator* allocator, const vni_hybrid* hybrid,
                                  vni_hybrid_scratch* out, vn_detail* detail);
void vni_hybrid_scratch_free(vni_hybrid_scratch* scratch);

/// A state for `occupancy`, from that of the version before and the bricks in which the two differ. The delta
/// is of the caller and keeps its memory. VN_OUT_OF_MEMORY: `out` is zeroed, and nothing else has changed.
vn_status vni_hybrid_state_next(const vni_hybrid_state* before, const vni_occupancy* occupancy,
                                const vn_brick_change* bricks, uint32_t count, vni_hybrid_scratch* scratch,
                                vni_hybrid_state* out, vni_hybrid_delta* delta, vn_detail* detail);

#endif
