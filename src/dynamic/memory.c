/// dynamic/memory.c: how much memory the objects of a version take.
#include "dynamic/dynamic_inside.h"

size_t vni_dynamic_object_bytes(const vni_dynamic* dynamic) {
    const vn_space* space = &dynamic->newest->space;
    size_t bytes = 0;
    for (uint32_t i = 0; i < vni_dynamic_blocks(dynamic); ++i) {
        const vni_block* voxels = space->occupancy.table[i];
        const vni_cell_block* cells = space->cells.table[i];
        const vni_block* unknown =
            dynamic->newest->unknown.table != NULL ? dynamic->newest->unknown.table[i] : NULL;
        bytes += voxels != NULL ? vni_block_bytes(voxels) : 0;
        bytes += unknown != NULL && unknown != voxels ? vni_block_bytes(unknown) : 0;
        bytes += cells != dynamic->open_block ? vni_cell_block_bytes(cells) : 0;
        for (int axis = 0; axis < 3; ++axis) {
            const vni_seam* seam = space->cells.seams[axis][i];
            bytes += seam != NULL && seam != dynamic->open_seams[axis] ? vni_seam_bytes(seam) : 0;
        }
    }

    return bytes;
}
