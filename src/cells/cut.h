/// cells/cut.h: cuts one block into linked cells, and links two blocks by a seam, with scratch memory that a
/// worker keeps from block to block.
#ifndef VNI_CELLS_CUT_H
#define VNI_CELLS_CUT_H

#include "cells/cells.h"
#include "geom/vec.h"

/// Chunks of a block along an axis.
#define VNI_CHUNKS (VNI_BLOCK_SIZE / VNI_CHUNK_SIZE)

/// Voxels of one face of a block: an upper bound of the cells on one side of a plane. Also the voxels of a
/// chunk.
#define VNI_PLANE_CELLS (VNI_BLOCK_SIZE * VNI_BLOCK_SIZE)

/// The rectangle of a cell in the plane of one of its faces; also a link in the making. Two coordinates a
/// word, so that both axes are compared or clipped at once:
///
///     bit  31 ... 24 23 ... 16 15 .... 8 7 ..... 0
///             0         b         0         a          b > a: an order of words is an order by b, then a
typedef struct vni_face_cell {
    uint32_t low, high;
    uint32_t cell; ///< the index that links to it get
    uint32_t slot; ///< of its own list, in vni_cut.lists; of a link in vni_cut.backs: the next one
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
    vni_cell* cells;         ///< cut in this call
    vni_link_group* groups;  ///< of the lists made in this call
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

/// Cuts a block (null: all free) whose voxels [0, limit) lie inside the space. Null if memory runs out.
vni_cell_block* vni_cut_block(vni_cut* cut, const vn_allocator* allocator, const vni_block* block,
                              const int32_t limit[3]);

/// The links across the face between `a` and its upper neighbour `b` along `axis`. Null if memory runs out.
vni_seam* vni_cut_seam(vni_cut* cut, const vn_allocator* allocator, const vni_cell_block* a,
                       const vni_cell_block* b, int axis);

void vni_cell_block_release(const vn_allocator* allocator, vni_cell_block* block);
void vni_seam_release(const vn_allocator* allocator, vni_seam* seam);

size_t vni_cell_block_bytes(const vni_cell_block* block);
size_t vni_seam_bytes(const vni_seam* seam);

/// Objects with memory for these counts and one reference. Only counts and pointers are set. Null if memory
/// runs out.
vni_cell_block* vni_cell_block_alloc(const vn_allocator* allocator, uint32_t cell_count, uint32_t group_count,
                                     const uint32_t rank_count[VNI_FACES]);
vni_seam* vni_seam_alloc(const vn_allocator* allocator, uint32_t a_count, uint32_t b_count,
                         uint32_t group_count);

/// Links in these groups.
uint64_t vni_count_links(const vni_link_group* groups, uint32_t count);

/// Fills `components`, which has component_base[block count] entries, and component_count, from blocks and
/// seams.
void vni_cells_join_components(vni_cells* cells);

// ------------------------------------------------------------------------------- boxes (boxes.c)

/// Appends the whole cells to cut->cells, with all fields but their boxes 0. Chunks outside the limit must be
/// set in `free_chunks`.
void vni_cut_whole(vni_cut* cut, uint64_t free_chunks, const int32_t limit[3]);

/// Appends the cells of one chunk that holds a blocked voxel.
void vni_cut_chunk(vni_cut* cut, const vni_block* block, uint32_t chunk, const int32_t limit[3]);

/// Coordinate of a chunk in its block along an axis, 0 to 3.
static inline uint32_t vni_chunk_at(uint32_t chunk, int axis) {
    return chunk >> 2 * axis & 3;
}

// -------------------------------------------------------------------------------- links (link.c)

/// The face of a cell across `axis`.
static inline vni_face_cell vni_cut_face(const vni_cell* cell, int axis, uint32_t index, uint32_t slot) {
    const int a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    VNI_ASSERT(cell->high[a] <= VNI_BLOCK_SIZE && cell->high[b] <= VNI_BLOCK_SIZE);
    return (vni_face_cell){cell->low[a] | (uint32_t)cell->low[b] << 16,
                           cell->high[a] | (uint32_t)cell->high[b] << 16, index, slot};
}

/// Makes the lists of all cells of `from` to those of `to` on the other side of a plane: the rectangles that
/// two cells share, in order of their low corners (b, then a). The cells of a side do not overlap. Sets
/// cut->failed if memory runs out. O(from x to), four pairs at a time.
void vni_cut_link(vni_cut* cut, const vni_face_cell* from, uint32_t from_count, const vni_face_cell* to,
                  uint32_t to_count);

#endif
