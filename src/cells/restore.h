/// cells/restore.h: makes cells again from what a file stores of them: the boxes, and of each link only the
/// cell beyond. The rectangle of a link is what its two boxes share, so it is made here, and checked on the
/// way: a block is proved to be right while it is in the cache. What cannot be proved is left to
/// vni_cells_validate_rest, which says what is wrong with it.
#ifndef VNI_CELLS_RESTORE_H
#define VNI_CELLS_RESTORE_H

#include "cells/cells.h"

/// What is stored of a block. Its cells follow, then the groups of its links, in the order of cells and
/// faces: each as a number (uint32_t) that says whose it is, vni_stored_group, and the index of the cell
/// beyond each of its links (uint32_t).
typedef struct vni_stored_block {
    uint32_t cell_count, group_count, link_count, component_count;
    uint32_t rank_count[VNI_FACES];
    uint32_t first_of_chunk[VNI_CHUNK_COUNT + 1];
} vni_stored_block;

typedef struct vni_stored_cell {
    uint8_t low[3], high[3], zero[2];
    uint32_t component;
} vni_stored_cell;

/// A group of 1 to 4 links through a face of a cell, which is below 2^26.
static inline uint32_t vni_stored_group(uint32_t cell, uint32_t face, uint32_t links) {
    return cell << 3 | face | (links - 1) << 30;
}

/// What is stored of a seam. The number of links of each list follows (uint32_t), then the cells beyond.
typedef struct vni_stored_seam {
    uint32_t a_count, b_count, link_count;
    uint32_t group_count; ///< of all lists
} vni_stored_seam;

/// What is proved of a block: its seams, by axis, and then its cells with their links.
enum { VNI_PROVED_BLOCKS = 3, VNI_PROVED_TABLES };

/// Cells in the making.
typedef struct vni_restore {
    vni_cells* cells;               ///< its tables, and the occupancy, are the caller's
    const vni_occupancy* occupancy; ///< null: nothing is to be proved
    uint32_t worker_count;
    struct vni_validator* workers;
    uint8_t* proved[VNI_PROVED_TABLES]; ///< by block: is its seam along an axis, or its own content, right?
} vni_restore;

/// False if there is no memory; then there is nothing to free.
bool vni_restore_make(vni_cells* cells, const vni_occupancy* occupancy, uint32_t worker_count,
                      vni_restore* out);
void vni_restore_free(vni_restore* restore);

/// Makes the block with this index, and enters it in the table. `bytes`: its stored cells and cells beyond,
/// at any address, as many as `head` says; cells have fewer than 2^26. VN_BAD_DATA: `*what` says what is
/// wrong, and the table has an entry or not. VN_OUT_OF_MEMORY. Runs on any worker, for distinct blocks.
vn_status vni_restore_block(vni_restore* restore, uint32_t worker, uint32_t index,
                            const vni_stored_block* head, const uint8_t* bytes, const char** what);

/// The same for the seam between a block and its upper neighbour along an axis, after all blocks.
vn_status vni_restore_seam(vni_restore* restore, uint32_t worker, uint32_t block, int axis,
                           const vni_stored_seam* head, const uint8_t* bytes, const char** what);

/// As vni_cells_validate_with, without what has been proved. After all tables are filled.
vn_status vni_restore_validate(const vni_restore* restore, const vn_jobs* jobs, vn_detail* detail);

#endif
