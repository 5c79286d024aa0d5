/// cells/recut.h: cuts a block again after some of its chunks have changed: byte for byte what vni_cut_block
/// would make, at the cost of the changed chunks and one copy of the rest.
#ifndef VNI_CELLS_RECUT_H
#define VNI_CELLS_RECUT_H

#include "cells/cut.h"
#include "cells/stages.h"

/// What became of the cells. An old cell survives if a new one has the same box and comes from the same mixed
/// chunk, or both are whole cells. The arrays lie in the scratch and stay valid until the next block is cut
/// or recut with it; cutting seams leaves them alone.
typedef struct vni_recut_report {
    const uint32_t* remap; ///< by old cell: its new index, or VNI_NO_CELL
    const uint32_t* gone;  ///< old cells that do not survive, ascending
    const uint32_t* made;  ///< cells that are not survivors, ascending
    uint32_t gone_count, made_count;
    uint32_t
        rim_changed; ///< faces of the block, as bits; on the others, cells have the same rectangles and ranks
    int64_t link_change;  ///< links inside the block: count now minus before; both directions count
    bool same_components; ///< as many components as before; each surviving cell keeps its label, and each
                          ///< label has a surviving cell
} vni_recut_report;

/// Precondition: `old` was cut with this limit from voxels that differ from `block` (null: all free) at most
/// in the chunks of `touched` (bit x + 4 y + 16 z). `old` is not changed. Null if memory runs out: the report
/// is then empty. `report` and `stages` may be null. One allocation from `allocator`; the scratch allocates
/// only if a block is larger than all before.
vni_cell_block* vni_recut_block(vni_cut* cut, const vn_allocator* allocator, const vni_cell_block* old,
                                const vni_block* block, const int32_t limit[3], uint64_t touched,
                                vni_recut_report* report, vni_stages* stages);

/// One side of a seam, before and after.
typedef struct vni_seam_side {
    const vni_cell_block *old, *now; ///< may be the same object
    bool may_differ; ///< false: the cells on the face have the same rectangles and ranks, see rim_changed
} vni_seam_side;

/// The seam between `a` and its upper neighbour `b` after one or both were replaced: what vni_cut_seam of the
/// new blocks would make. `old` is the seam of the old ones. If nothing changes, the result is `old` with one
/// more reference. Where the faces of the cells are the same, lists are copied with new indices;
/// `*same_lists` is set if that holds everywhere. Null if memory runs out.
vni_seam* vni_recut_seam(vni_cut* cut, const vn_allocator* allocator, vni_seam* old, const vni_seam_side* a,
                         const vni_seam_side* b, int axis, bool* same_lists);

#endif
