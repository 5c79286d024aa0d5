#include "cells_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Each array in a block of memory of its own, just as long as it is said to be.
static void* copy_array(const void* data, size_t size) {
    void* copy = malloc(size ? size : 1);
    if (copy == NULL) {
        fprintf(stderr, "the test ran out of memory\n");
        abort();
    }

    if (size)
        memcpy(copy, data, size);

    return copy;
}

static vni_cell_block* copy_block(const vni_cell_block* block) {
    vni_cell_block* copy = copy_array(block, sizeof *block);
    copy->cells = copy_array(block->cells, block->cell_count * sizeof *block->cells);
    copy->groups = copy_array(block->groups, block->group_count * sizeof *block->groups);
    for (int face = 0; face < VNI_FACES; ++face)
        copy->ranked[face] = copy_array(block->ranked[face], block->rank_count[face] * sizeof(uint32_t));
    return copy;
}

static vni_seam* copy_seam(const vni_seam* seam) {
    vni_seam* copy = copy_array(seam, sizeof *seam);
    copy->first = copy_array(seam->first, (seam->a_count + seam->b_count + (size_t)1) * sizeof *seam->first);
    copy->groups = copy_array(seam->groups, seam->group_count * sizeof *seam->groups);
    return copy;
}

vni_cells vnt_cells_copy(const vni_cells* cells) {
    const uint32_t count = vnt_cells_blocks(cells);
    vni_cells copy = *cells;
    copy.table = copy_array(cells->table, count * sizeof *cells->table);
    copy.views = copy_array(cells->views, count * sizeof *cells->views);
    copy.base = copy_array(cells->base, (count + (size_t)1) * sizeof *cells->base);
    copy.component_base = copy_array(cells->component_base, (count + (size_t)1) * sizeof *cells->base);

    copy.components = copy_array(cells->components, cells->component_base[count] * sizeof *cells->components);
    for (int axis = 0; axis < 3; ++axis)
        copy.seams[axis] = copy_array(cells->seams[axis], count * sizeof *cells->seams[axis]);

    for (uint32_t i = 0; i < count; ++i) {
        uint32_t same = 0;
        while (cells->table[same] != cells->table[i])
            ++same;

        copy.table[i] = same < i ? copy.table[same] : copy_block(cells->table[i]);
        copy.views[i].cells = copy.table[i]->cells;
        copy.views[i].groups = copy.table[i]->groups;
        for (int axis = 0; axis < 3; ++axis) {
            vni_seam** seams = cells->seams[axis];
            for (same = 0; seams[same] != seams[i];)
                ++same;
            if (seams[i] != NULL)
                copy.seams[axis][i] = same < i ? copy.seams[axis][same] : copy_seam(seams[i]);
        }
    }

    return copy;
}

void vnt_cells_copy_free(const vni_cells* original, vni_cells* copy) {
    for (uint32_t i = 0; i < vnt_cells_blocks(original); ++i) {
        uint32_t same = 0;
        while (original->table[same] != original->table[i])
            ++same;

        if (same == i) {
            free(copy->table[i]->cells);
            free(copy->table[i]->groups);
            for (int face = 0; face < VNI_FACES; ++face)
                free(copy->table[i]->ranked[face]);
            free(copy->table[i]);
        }

        for (int axis = 0; axis < 3; ++axis) {
            for (same = 0; original->seams[axis][same] != original->seams[axis][i];)
                ++same;

            if (same == i && copy->seams[axis][i] != NULL) {
                free(copy->seams[axis][i]->first);
                free(copy->seams[axis][i]->groups);
                free(copy->seams[axis][i]);
            }
        }
    }

    for (int axis = 0; axis < 3; ++axis)
        free(copy->seams[axis]);

    free(copy->table);
    free(copy->views);
    free(copy->base);
    free(copy->component_base);
    free(copy->components);
}
