/// cells/validate.h: the stages that check cells against the occupancy. Private to cells/validate*.c,
/// cells/restore.c, their tests and their benchmark.
///
/// No index, count or order is trusted before it is checked; only the lengths of arrays are, see
/// vni_cells_validate_with. The stages run in this order, each relying on the ones before:
///
///     vni_validation_make         tables: views, bases, counts
///     vni_validation_blocks       each free voxel in exactly one cell (validate_cover.c), then the lists
///                                 inside the block (validate_links.c)
///     vni_validation_seams        lists between blocks (validate_links.c)
///     vni_validation_components   labels of the whole space
#ifndef VNI_CELLS_VALIDATE_H
#define VNI_CELLS_VALIDATE_H

#include "cells/cells.h"
#include "occupancy/limit.h"

#include <stddef.h>

// ------------------------------------------------------------------------------------------------- keys

/// A box in one word, so that all six sides are compared at once. A key is *along* an axis, which comes
/// first; the two others follow in their order. The bytes of a key along x:
///
///     bit   63..56   55...48    47...40    39...32    31..24   23..16   15...8    7...0
///              0     127-high z 127-high y 127-high x    0      low z    low y    low x
///
///     along y:       127-high z 127-high x 127-high y           low z    low x    low y
///     along z:       127-high y 127-high x 127-high z           low y    low x    low z
///
/// High sides are stored as 127 - high, so that for every byte "greater" means "the box is smaller on this
/// side": the intersection of two boxes is the byte-wise maximum, and a holds b if every byte of a is at most
/// that of b. Sides are 0 to 64, so that bit 7 of each byte is free for comparisons without borrow: in (x |
/// VNI_KEY_TOPS) - y it stays set where x >= y.
///
/// A key that links are checked with is tagged: the two bytes that are 0 above hold the number of its
/// component modulo 256, and 255 minus it. The byte-wise maximum of two tagged keys has the larger number and
/// 255 minus the smaller one: their sum is 255 exactly if the numbers are equal.
typedef uint64_t vni_box_key;

#define VNI_KEY_TOPS 0x0080808000808080u ///< bit 7 of each byte in use
#define VNI_KEY_HIGH 0x007f7f7f00000000u ///< turns 127 - high into high and back
#define VNI_KEY_AXIS 0x000000ff000000ffu ///< both sides along the axis; shifted by 8 and 16: the others'
#define VNI_KEY_TAGS 0xff000000ff000000u ///< the tag

/// Along x. The sides are not checked: if a bit of VNI_KEY_TOPS is set, the result is not a key.
static inline vni_box_key vni_key_of(const uint8_t low[3], const uint8_t high[3]) {
    uint64_t word = (uint64_t)low[0] | (uint64_t)low[1] << 8 | (uint64_t)low[2] << 16 |
                    (uint64_t)high[0] << 32 | (uint64_t)high[1] << 40 | (uint64_t)high[2] << 48;
    return word ^ VNI_KEY_HIGH;
}

/// The same for a cell: its first eight bytes are the sides, low ones first, and two of padding, which are
/// left out. Compilers make one load of it.
static inline vni_box_key vni_key_of_cell(const vni_cell* cell) {
    const uint8_t* sides = (const uint8_t*)cell;
    const uint64_t word = (uint64_t)sides[0] | (uint64_t)sides[1] << 8 | (uint64_t)sides[2] << 16 |
                          (uint64_t)sides[3] << 24 | (uint64_t)sides[4] << 32 | (uint64_t)sides[5] << 40 |
                          (uint64_t)sides[6] << 48 | (uint64_t)sides[7] << 56;
    return ((word & 0xffffff) | (word << 8 & 0x00ffffff00000000u)) ^ VNI_KEY_HIGH;
}

_Static_assert(offsetof(vni_cell, low) == 0 && offsetof(vni_cell, high) == 3 && sizeof(vni_cell) >= 8,
               "vni_key_of_cell reads the sides as they lie");

/// From a key along x to the one along y: swaps the first two bytes of both halves.
static inline vni_box_key vni_key_y(vni_box_key x) {
    return (x & VNI_KEY_AXIS) << 8 | (x >> 8 & VNI_KEY_AXIS) | (x & VNI_KEY_AXIS << 16);
}

/// From a key along x to the one along z: moves the third byte of both halves to the front.
static inline vni_box_key vni_key_z(vni_box_key x) {
    return (x & (VNI_KEY_AXIS | VNI_KEY_AXIS << 8)) << 8 | (x >> 16 & VNI_KEY_AXIS);
}

/// The tag of a component. Exact for the first 256 of a block.
static inline vni_box_key vni_key_tag(uint32_t component) {
    return ((uint64_t)(component & 255) << 24 | (uint64_t)(~component & 255) << 56);
}

/// The tagged keys of a cell, by axis, from the one along x. The fourth is no key.
static inline void vni_key_each(vni_box_key x, uint32_t component, vni_box_key out[4]) {
    const vni_box_key tag = vni_key_tag(component);
    out[0] = x | tag;
    out[1] = vni_key_y(x) | tag;
    out[2] = vni_key_z(x) | tag;
    out[3] = 0;
}

/// The key of a cell along an axis, with the same tag for all: across a seam components are not compared.
static inline vni_box_key vni_key_along(const vni_cell* cell, uint32_t axis) {
    const vni_box_key x = vni_key_of_cell(cell);
    return (axis == 0 ? x : axis == 1 ? vni_key_y(x) : vni_key_z(x)) | vni_key_tag(0);
}

/// A face of a cell on the rim of its block, in coordinates of the block beyond. `key` is along its axis.
static inline vni_box_key vni_key_beyond(vni_box_key key, uint32_t face) {
    const uint64_t plane = face & 1 ? 0 : VNI_BLOCK_SIZE;
    return (key & ~VNI_KEY_AXIS) | plane | (127 - plane) << 32;
}

/// Is no side above 127, and each low one below its high one?
static inline bool vni_key_is_box(vni_box_key key) {
    // low + (127 - high) = 127 - size: adding 1 sets bit 7 exactly where the size is 0 or less
    uint32_t sums = (uint32_t)key + (uint32_t)(key >> 32);
    return (key & VNI_KEY_TOPS) == 0 && ((sums + 0x010101) & 0x808080) == 0;
}

/// Does box a hold box b?
static inline bool vni_key_holds(vni_box_key a, vni_box_key b) {
    return (((b | VNI_KEY_TOPS) - a) & VNI_KEY_TOPS) == VNI_KEY_TOPS;
}

/// The intersection of two boxes without tags; it need not be a box (vni_key_is_box).
static inline vni_box_key vni_key_shared(vni_box_key a, vni_box_key b) {
    VNI_ASSERT(((a | b) & VNI_KEY_TOPS) == 0);
    uint64_t not_less = ((a | VNI_KEY_TOPS) - b) & VNI_KEY_TOPS;
    uint64_t take_a = not_less - (not_less >> 7); // from bit 7 alone to the seven bits below it
    return b ^ ((a ^ b) & take_a);
}

// ---------------------------------------------------------------------------------------------- validation

/// What is wrong, and where. Of several the one with the lowest `order` is reported, so that the report does
/// not depend on the number of workers.
typedef struct vni_fault {
    const char* what; ///< null: nothing
    uint32_t order;   ///< the block that was being checked
    uint32_t block;   ///< the block at fault: the same, or the upper neighbour of a seam
    uint32_t cell;    ///< VNI_NO_CELL: none in particular
} vni_fault;

/// One worker's scratch, for one block or seam at a time.
typedef struct vni_validator {
    uint64_t solid[VNI_CHUNK_COUNT][64]; ///< by chunk and brick: voxels that are blocked, outside, or in a
                                         ///< cell that has been seen
    uint64_t rows[2][65];                ///< a block's face, from both sides, and a row beyond
    vni_box_key* keys;                   ///< tagged, by 4 * cell of the block + axis
    uint32_t area;     ///< of all links inside the block, both directions: what it must add up to
    uint32_t* parents; ///< by cell of the block: a linked cell with a lower index, or itself
    uint32_t* firsts;  ///< the first cell of each component
    uint16_t* lists;   ///< by 8 * cell of the block + face: groups of the list (restore.c)
    uint32_t* owners;  ///< by group of the block: the list that it is part of; a spare entry after the last
    uint32_t cell_capacity, group_capacity; ///< of keys, parents, firsts and lists; of owners
    uint64_t links;                         ///< seen so far
    vni_fault fault;
} vni_validator;

/// Makes the scratch large enough for a block of so many cells and groups. False if there is no memory. The
/// validator `w` may be zero.
bool vni_validator_fit(vni_validator* w, const vn_allocator* allocator, uint32_t cells, uint32_t groups);
void vni_validator_free(vni_validator* w, const vn_allocator* allocator);

/// A validation in progress: make it, run the stages in order until one does not return VN_OK, free it.
typedef struct vni_validation {
    const vni_cells* cells;
    const vni_occupancy* occupancy;
    vn_jobs jobs;
    uint32_t block_count;
    uint32_t open;         ///< the first block that is whole and free; block_count: none
    uint32_t open_seam[3]; ///< the first seam between two blocks that are the same object as that one
    uint32_t most_cells;   ///< in one block
    uint32_t most_groups;  ///< in one block
    vni_validator* workers;
    const uint8_t* const* proved; ///< null, or what need not be checked, as in vni_restore
    uint64_t proved_links;        ///< inside blocks and in seams that need not be checked
} vni_validation;

/// `jobs` may be null. Checks the tables too, because the sizes of the scratch depend on them. VN_OK,
/// VN_BAD_DATA or VN_OUT_OF_MEMORY; if it is not VN_OK, nothing needs to be freed.
vn_status vni_validation_make(const vni_cells* cells, const vni_occupancy* occupancy, const vn_jobs* jobs,
                              vni_validation* out, vn_detail* detail);
void vni_validation_free(vni_validation* validation);

vn_status vni_validation_blocks(vni_validation* validation, vn_detail* detail);
vn_status vni_validation_seams(vni_validation* validation, vn_detail* detail);
vn_status vni_validation_components(vni_validation* validation, vn_detail* detail);

/// Both steps for one block: what is wrong, or null. If something is, `*cell` is set to the cell at fault, if
/// there is one. The first leaves keys and area of the block in the worker, and the second needs them.
const char* vni_validate_cells(const vni_validation* validation, vni_validator* worker, uint32_t block,
                               uint32_t* cell);
const char* vni_validate_links(const vni_validation* validation, vni_validator* worker, uint32_t block,
                               uint32_t* cell);

/// Is each component of a block connected? What is wrong, or null, as above. The parents and firsts of the
/// worker are those of its cells, and no link leaves a component.
const char* vni_validate_connected(const vni_cell_block* block, const vni_validator* worker, uint32_t* cell);

/// The same for the seam from the block to its upper neighbour. `*in` is set to the block of the cell.
const char* vni_validate_seam(const vni_validation* validation, vni_validator* worker, uint32_t block,
                              int axis, uint32_t* in, uint32_t* cell);

/// As vni_cells_validate_with, without what has been proved before: `proved` as in vni_restore, and the
/// links in it.
vn_status vni_cells_validate_rest(const vni_cells* cells, const vni_occupancy* occupancy, const vn_jobs* jobs,
                                  const uint8_t* const* proved, uint64_t proved_links, vn_detail* detail);

#endif
