/// cells/recut.h: a block of cells after some of its chunks have changed, byte for byte what
/// vni_cut_block would make of it, at the cost of those chunks and of one copy of the rest.
#ifndef VNI_CELLS_RECUT_H
#define VNI_CELLS_RECUT_H

#include "cells/cut.h"
#include "cells/stages.h"

/// What became of the cells. An old cell survives when a new one has the same box and comes from the same
/// chunk, or if both are made of whole chunks. The arrays are in the scratch, and stay until the next block
/// is cut or recut with it (seams may be).
typedef struct vni_recut_report {
    const uint32_t* remap; ///< by old cell: its new index, or VNI_NO_CELL
    const uint32_t* gone;  ///< old cells that do not survive, ascending
    const uint32_t* made;  ///< new cells that no old one became, ascending
    uint32_t gone_count, made_count;
    uint32_t
        rim_changed; ///< faces of the block, as bits: the others have the same rectangles in the same ranks
    int64_t link_change;  ///< inner links, directed, more than before
    bool same_components; ///< as many components as before; each surviving cell has the label it had, and
                          ///< each label a surviving cell
} vni_recut_report;

/// `old` was cut with this limit from an occupancy block that differs from `block` (null: all free) at most
/// in the 16^3 chunks of `touched` (bit x + 4 y + 16 z); it stays as it is. Null if there is no memory: the
/// report is then empty. `report` and `stages` may be null. One allocation with `allocator`; the scratch
/// allocates only when a block is larger than all before.
vni_cell_block* vni_recut_block(vni_cut* cut, const vn_allocator* allocator, const vni_cell_block* old,
                                const vni_block* block, const int32_t limit[3], uint64_t touched,
                                vni_recut_report* report, vni_stages* stages);

/// One side of a seam, before and now.
typedef struct vni_seam_side {
    const vni_cell_block *old, *now; ///< may be the same object
    bool may_differ; ///< else the cells on the face have the same rectangles in the same ranks, see
                     ///< rim_changed
} vni_seam_side;

/// The seam between `a` and its upper neighbour `b`, of which one or both were replaced: what vni_cut_seam of
/// the blocks now would make. `old` is that between the old ones. If nothing in it changes, the result is
/// `old` itself with one more reference; where the faces of the cells are the same, only indices are written
/// anew, and if they are the same all over, `same_lists` says so. Null if there is no memory.
vni_seam* vni_recut_seam(vni_cut* cut, const vn_allocator* allocator, vni_seam* old, const vni_seam_side* a,
                         const vni_seam_side* b, int axis, bool* same_lists);

#endif
