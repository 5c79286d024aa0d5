/// cells/cut.h: one block's free voxels become boxes, and boxes become linked cells. Scratch is the
/// worker's.
#ifndef VNI_CELLS_CUT_H
#define VNI_CELLS_CUT_H

#include "cells/cells.h"
#include "geom/vec.h"

/// Chunks of a block along an axis.
#define VNI_CHUNKS (VNI_BLOCK_SIZE / VNI_CHUNK_SIZE)

/// Voxels of one face of a block: no more cells can lie on one side of a plane.
#define VNI_PLANE_CELLS (VNI_BLOCK_SIZE * VNI_BLOCK_SIZE)

/// A cell as seen through one of its faces. Bytes 0 and 2 of `low` and `high` are its extent along the two
/// other axes (a before b).
typedef struct vni_face_cell {
    uint32_t low, high;
    uint32_t cell; ///< what links to it shall name
    uint32_t slot; ///< of its own list, in vni_cut.lists
} vni_face_cell;

/// A list of links under construction.
typedef struct vni_link_list {
    uint32_t first, groups; ///< in vni_cut.groups
} vni_link_list;

/// One worker's scratch for one block or seam at a time: some 300 kB, plus what the largest block so far
/// needed. A block or seam that is not larger allocates only itself. Nothing in it is meaningful between two
/// calls, except for the arrays that a vni_recut_report points to.
typedef struct vni_cut {
    vn_allocator allocator;
    vni_cell* cells;         ///< cut anew
    vni_link_group* groups;  ///< of the lists that are made anew
    vni_link_list* lists;    ///< by slot
    vni_face_cell* backs;    ///< links that kept cells gain, in chains by `slot` (relink.c)
    uint32_t* numbers;       ///< all arrays of a recut (work.h), one after the other
    vni_face_cell* sides[2]; ///< the cells on both sides of a plane; VNI_PLANE_CELLS each
    vni_face_cell* links;    ///< of one list, or the cells of one face; VNI_PLANE_CELLS
    vni_face_cell* sorted;   ///< of one list, in order; VNI_PLANE_CELLS
    uint32_t* others;        ///< what link.c compares of the cells beyond; VNI_PLANE_CELLS
    uint16_t* corners;       ///< by low corner in a plane or chunk: the cell or link; VNI_PLANE_CELLS
    uint64_t cell_capacity, group_capacity, list_capacity, back_capacity, number_capacity;
    uint32_t cell_count, group_count, link_count; ///< links in the groups
    bool failed;                                  ///< memory ran out
} vni_cut;

bool vni_cut_make(const vn_allocator* allocator, vni_cut* out);
void vni_cut_free(vni_cut* cut);

/// Cuts a block (null: all free) of which only [0, limit) on each axis lies inside the space. Null if there
/// is no memory.
vni_cell_block* vni_cut_block(vni_cut* cut, const vn_allocator* allocator, const vni_block* block,
                              const int32_t limit[3]);

/// The links across the face between `a` and its upper neighbour `b` along `axis`. Null if there is no
/// memory.
vni_seam* vni_cut_seam(vni_cut* cut, const vn_allocator* allocator, const vni_cell_block* a,
                       const vni_cell_block* b, int axis);

void vni_cell_block_release(const vn_allocator* allocator, vni_cell_block* block);
void vni_seam_release(const vn_allocator* allocator, vni_seam* seam);

size_t vni_cell_block_bytes(const vni_cell_block* block);
size_t vni_seam_bytes(const vni_seam* seam);

/// Parts with room for these counts and one reference; nothing else is filled but the counts and pointers.
/// Null if there is no memory.
vni_cell_block* vni_cell_block_alloc(const vn_allocator* allocator, uint32_t cell_count, uint32_t group_count,
                                     const uint32_t rank_count[VNI_FACES]);
vni_seam* vni_seam_alloc(const vn_allocator* allocator, uint32_t a_count, uint32_t b_count,
                         uint32_t group_count);

/// Links in these groups.
uint64_t vni_count_links(const vni_link_group* groups, uint32_t count);

/// Fills `components`, which has room for component_base[block count], and component_count, from blocks and
/// seams.
void vni_cells_join_components(vni_cells* cells);

// ------------------------------------------------------------------------------- boxes (cells_boxes.c)

/// Adds the cells that are made of whole free chunks to cut->cells, all numbers but their boxes 0. Chunks
/// outside the limit count as free.
void vni_cut_whole(vni_cut* cut, uint64_t free_chunks, const int32_t limit[3]);

/// Adds the cells of one chunk that holds a blocked voxel.
void vni_cut_chunk(vni_cut* cut, const vni_block* block, uint32_t chunk, const int32_t limit[3]);

/// A chunk's place along an axis, 0 to 3.
static inline uint32_t vni_chunk_at(uint32_t chunk, int axis) {
    return chunk >> 2 * axis & 3;
}

// -------------------------------------------------------------------------------- links (cells_link.c)

/// The face of a cell across `axis`.
static inline vni_face_cell vni_cut_face(const vni_cell* cell, int axis, uint32_t index, uint32_t slot) {
    const int a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    VNI_ASSERT(cell->high[a] <= VNI_BLOCK_SIZE && cell->high[b] <= VNI_BLOCK_SIZE);
    return (vni_face_cell){cell->low[a] | (uint32_t)cell->low[b] << 16,
                           cell->high[a] | (uint32_t)cell->high[b] << 16, index, slot};
}

/// Makes the lists of all cells of `from` to those of `to`, which lie on the other side of a plane:
/// rectangles that they share, in order of their low corners (b, then a). The cells of a side are disjoint.
/// Sets cut->failed if there is no memory.
void vni_cut_link(vni_cut* cut, const vni_face_cell* from, uint32_t from_count, const vni_face_cell* to,
                  uint32_t to_count);

#endif
