/// tests/support/cells_copy.h: cells whose arrays are blocks of memory of their own, to be spoilt: whoever
/// reads beyond one of them is found out by AddressSanitizer.
#ifndef VNT_CELLS_COPY_H
#define VNT_CELLS_COPY_H

#include "cells/cells.h"

static inline uint32_t vnt_cells_blocks(const vni_cells* cells) {
    return (uint32_t)cells->blocks[0] * (uint32_t)cells->blocks[1] * (uint32_t)cells->blocks[2];
}

/// Each array from malloc, just as long as its count says. What is shared stays shared. Aborts the test if
/// there is no memory.
vni_cells vnt_cells_copy(const vni_cells* cells);

/// The tables of the copy must be as they were; arrays may have been replaced by others from malloc.
void vnt_cells_copy_free(const vni_cells* original, vni_cells* copy);

#endif
