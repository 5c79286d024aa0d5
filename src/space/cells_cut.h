/// space/cells_cut.h: one block's free voxels become boxes, and boxes become linked cells. Scratch is the
/// worker's.
#ifndef VNI_SPACE_CELLS_CUT_H
#define VNI_SPACE_CELLS_CUT_H

#include "space/cells.h"

/// Working memory for one block at a time; about 4 MB. Nothing in it is meaningful between two blocks.
typedef struct vni_cut {
    vn_allocator allocator;
    uint64_t* dense;   ///< 4096 brick words
    vni_cell* cells;   ///< of the block in work
    uint32_t* owner;   ///< 64^3, x fastest: cell + 1, or 0
    uint32_t* plane;   ///< 64^2: the same for one face of a block
    uint32_t* parents; ///< of the union of components
    vni_link_group* groups;
    uint64_t cell_capacity, group_capacity, parent_capacity;
    uint32_t cell_count, group_count;
    uint32_t first_of_chunk[VNI_CHUNK_COUNT + 1];
    bool failed; ///< memory ran out
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

/// Fills cut->cells, cell_count and first_of_chunk (cells_boxes.c).
void vni_cut_boxes(vni_cut* cut, const vni_block* block, const int32_t limit[3]);

#endif
