/// store/cells_old.c: cells and seams of format version 1, which stores the rectangles of links too.
#include "cells/cut.h"
#include "store/cells_inside.h"

#include <string.h>

_Static_assert(sizeof(vni_link_group) == 32 && offsetof(vni_link_group, to) == 16, "groups are stored as is");
_Static_assert(sizeof(vni_cell) == 28 && offsetof(vni_cell, component) == 8 &&
                   offsetof(vni_cell, first_group) == 12 && offsetof(vni_cell, faces) == 16,
               "cells are stored as they are");
_Static_assert(sizeof(vni_file_cells) == 296 && sizeof(vni_file_seam) == 12, "heads have no padding");
_Static_assert(VNI_CHUNK_COUNT == 64 && VNI_FACES == 6, "as in vni_file_cells");

/// The two bytes of padding in a cell: zero in files, so that equal cells give equal bytes.
#define CELL_PADDING offsetof(vni_cell, high) + 3

static uint64_t cell_block_size(uint64_t cell_count, uint64_t group_count) {
    return sizeof(vni_file_cells) + cell_count * sizeof(vni_cell) + group_count * sizeof(vni_link_group);
}

static uint64_t seam_size(uint64_t ranks, uint64_t group_count) {
    return sizeof(vni_file_seam) + (ranks + 1) * sizeof(uint32_t) + group_count * sizeof(vni_link_group);
}

/// A block with arrays of the sizes that the head names.
static vni_cell_block* new_block(const vn_allocator* allocator, const vni_file_cells* head) {
    vni_cell_block* block =
        vni_cell_block_alloc(allocator, head->cell_count, head->group_count, head->rank_count);
    if (block == NULL)
        return NULL;

    block->component_count = head->component_count;
    memcpy(block->first_of_chunk, head->first_of_chunk, sizeof block->first_of_chunk);
    return block;
}

/// The first eight bytes of a cell: low sides, high sides, padding. Files are read on little-endian machines
/// only.
static inline uint64_t head_of_cell(const vni_cell* cell) {
    uint64_t word;
    memcpy(&word, cell, sizeof word);
    return word;
}

/// Which faces lie on those of the block: bit 7 of each byte that is 0, or 64 on a high side. Adding 127 to
/// the lower seven bits sets it unless they are 0.
static inline uint64_t rim_of(uint64_t head) {
    const uint64_t sides = head ^ 0x404040000000u, sevens = 0x7f7f7f7f7f7fu;
    return ~(((sides & sevens) + sevens) | sides) & 0x808080808080u;
}

/// Fills the lists by rank, in the order of the cells. False if there are more on a face than the head says,
/// or padding is not zero.
static bool rank_cells(vni_cell_block* block) {
    uint32_t next[VNI_FACES] = {0};
    uint64_t all = 0;
    for (uint32_t i = 0; i < block->cell_count; ++i) {
        const vni_cell* cell = &block->cells[i];
        const uint64_t head = head_of_cell(cell);
        all |= head;
        for (uint64_t rim = rim_of(head); rim; rim &= rim - 1) {
            const uint32_t side = vni_lowest_bit(rim) >> 3, face = side < 3 ? 2 * side : 2 * side - 5;
            VNI_ASSERT(vni_cell_is_on_rim(cell, face));
            if (next[face] == block->rank_count[face])
                return false;
            block->ranked[face][next[face]++] = i;
        }
    }

    return all >> 8 * (CELL_PADDING) == 0;
}

/// The section has bytes for everything that memory will be allocated for.
static bool head_is_sound(const vni_file_cells* head, uint64_t bytes) {
    return cell_block_size(head->cell_count, head->group_count) - sizeof *head <= bytes &&
           vni_cell_counts_are_sound(head->cell_count, head->component_count, head->rank_count);
}

const char* vni_take_old_block(void* context, uint32_t index, uint32_t head, vni_reader* in,
                               uint32_t worker) {
    vni_cells_target* target = (vni_cells_target*)context;
    vni_file_cells sizes;
    (void)worker;
    VNI_ASSERT(index < vni_cells_block_count(target->cells) && target->cells->table[index] == NULL);

    target->same[index] = head;
    if (head != index)
        return NULL;
    if (!vni_read(in, &sizes, sizeof sizes) || !head_is_sound(&sizes, in->left))
        return "has invalid counts";
    if (!vni_spend_block(target, sizes.cell_count, sizes.group_count, sizes.rank_count))
        return vni_part_too_large;

    vni_cell_block* block = new_block(&target->cells->allocator, &sizes);
    if (block == NULL)
        return vni_part_no_memory;

    target->cells->table[index] = block;
    vni_read(in, block->groups, block->group_count * sizeof(vni_link_group));
    vni_read(in, block->cells, block->cell_count * sizeof(vni_cell));
    return rank_cells(block) ? NULL : "has more cells on a face than it says";
}

const char* vni_take_old_seam(void* context, uint32_t index, uint32_t head, vni_reader* in, uint32_t worker) {
    vni_cells_target* target = (vni_cells_target*)context;
    vni_cells* cells = target->cells;
    vni_file_seam sizes;
    (void)worker;
    VNI_ASSERT(index < 3 * vni_cells_block_count(cells) && cells->seams[index % 3][index / 3] == NULL);

    target->same[index] = head;
    if (head != index)
        return NULL;
    if (!vni_read(in, &sizes, sizeof sizes) ||
        !vni_seam_counts_are_sound(sizes.a_count, sizes.b_count, sizes.group_count) ||
        seam_size((uint64_t)sizes.a_count + sizes.b_count, sizes.group_count) - sizeof sizes > in->left)
        return "has invalid counts";
    if (!vni_spend_seam(target, sizes.a_count, sizes.b_count, sizes.group_count))
        return vni_part_too_large;

    vni_seam* seam = vni_seam_alloc(&cells->allocator, sizes.a_count, sizes.b_count, sizes.group_count);
    if (seam == NULL)
        return vni_part_no_memory;

    cells->seams[index % 3][index / 3] = seam;
    vni_read(in, seam->first, ((uint64_t)sizes.a_count + sizes.b_count + 1) * sizeof(uint32_t));
    vni_read(in, seam->groups, sizes.group_count * sizeof(vni_link_group));
    return NULL;
}
