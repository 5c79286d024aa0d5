/// cells/validate.h: the parts of validating cells. Private to cells/validate*.c, their tests and their
/// benchmark.
///
/// Nothing that these files read is believed before it has been checked: not an index, not a count, not an
/// order. What the caller promises is that arrays are as long as their counts say.
#ifndef VNI_CELLS_VALIDATE_H
#define VNI_CELLS_VALIDATE_H

#include "cells/cells.h"
#include "occupancy/limit.h"

// ------------------------------------------------------------------------------------------------- keys

/// A box in one word, so that all its sides are compared at once. Seen along an axis, which is then the first
/// of three (the others follow in their order): a byte for each low side and an empty one, then a byte for
/// 127 - each high side and an empty one. What two boxes share has the greater of each two bytes. No byte is
/// above 127.
typedef uint64_t vni_box_key;

#define VNI_KEY_TOPS 0x0080808000808080u ///< the bit above each number
#define VNI_KEY_HIGH 0x007f7f7f00000000u ///< turns 127 - high into high and back
#define VNI_KEY_AXIS 0x000000ff000000ffu ///< both sides along the axis; shifted by 8 and 16: the others'

/// Along x. Bytes as they are: with a bit of VNI_KEY_TOPS set this is no key.
static inline vni_box_key vni_key_of(const uint8_t low[3], const uint8_t high[3]) {
    uint64_t word = (uint64_t)low[0] | (uint64_t)low[1] << 8 | (uint64_t)low[2] << 16 |
                    (uint64_t)high[0] << 32 | (uint64_t)high[1] << 40 | (uint64_t)high[2] << 48;
    return word ^ VNI_KEY_HIGH;
}

/// From along x to along y and z.
static inline vni_box_key vni_key_y(vni_box_key x) {
    return (x & VNI_KEY_AXIS) << 8 | (x >> 8 & VNI_KEY_AXIS) | (x & VNI_KEY_AXIS << 16);
}
static inline vni_box_key vni_key_z(vni_box_key x) {
    return (x & (VNI_KEY_AXIS | VNI_KEY_AXIS << 8)) << 8 | (x >> 16 & VNI_KEY_AXIS);
}

/// Is no side above 127, and each low one below its high one?
static inline bool vni_key_is_box(vni_box_key key) {
    uint32_t sums = (uint32_t)key + (uint32_t)(key >> 32); // 127 - size
    return (key & VNI_KEY_TOPS) == 0 && ((sums + 0x010101) & 0x808080) == 0;
}

/// Does a hold b?
static inline bool vni_key_holds(vni_box_key a, vni_box_key b) {
    return (((b | VNI_KEY_TOPS) - a) & VNI_KEY_TOPS) == VNI_KEY_TOPS;
}

/// What two boxes share.
static inline vni_box_key vni_key_shared(vni_box_key a, vni_box_key b) {
    VNI_ASSERT(((a | b) & VNI_KEY_TOPS) == 0);
    uint64_t not_less = ((a | VNI_KEY_TOPS) - b) & VNI_KEY_TOPS;
    uint64_t take_a = not_less - (not_less >> 7);
    return b ^ ((a ^ b) & take_a);
}

// ---------------------------------------------------------------------------------------------- validation

/// What is wrong, and where. The lowest `order` of several is reported.
typedef struct vni_fault {
    const char* what; ///< null: nothing
    uint32_t order;   ///< block whose turn it was
    uint32_t block;   ///< that it was found in
    uint32_t cell;    ///< VNI_NO_CELL: none
} vni_fault;

/// One worker's scratch, for one block or seam at a time.
typedef struct vni_validator {
    uint64_t solid[VNI_CHUNK_COUNT][64]; ///< by chunk and brick: voxels that are blocked, outside, or in a
                                         ///< cell that has been seen
    uint64_t rows[2][64];                ///< a block's face, from both sides
    uint32_t* parents;                   ///< of the cells of the block: a linked one that is not above it
    uint32_t* firsts;                    ///< the first cell of each component
    uint64_t links;                      ///< seen so far
    vni_fault fault;
} vni_validator;

/// A validation in work: make it, run the stages in their order until one does not say VN_OK, free it.
typedef struct vni_validation {
    const vni_cells* cells;
    const vni_occupancy* occupancy;
    vn_jobs jobs;
    uint32_t block_count;
    uint32_t open;         ///< the first block that is whole and free; block_count: none
    uint32_t open_seam[3]; ///< the first seam between two blocks that are the same object as it
    uint32_t most_cells;   ///< in one block
    vni_box_key* keys[3];  ///< along each axis: by id of the cell
    uint32_t* areas;       ///< by block: of all links inside it, both ways
    vni_validator* workers;
} vni_validation;

static inline void vni_validation_set_key(const vni_validation* validation, uint32_t id, vni_box_key x) {
    validation->keys[0][id] = x;
    validation->keys[1][id] = vni_key_y(x);
    validation->keys[2][id] = vni_key_z(x);
}

/// `jobs` may be null. Checks the tables too, because the sizes of the scratch depend on them: VN_BAD_DATA,
/// VN_OUT_OF_MEMORY, and then there is nothing to free.
vn_status vni_validation_make(const vni_cells* cells, const vni_occupancy* occupancy, const vn_jobs* jobs,
                              vni_validation* out, vn_detail* detail);
void vni_validation_free(vni_validation* validation);

vn_status vni_validation_cells(vni_validation* validation, vn_detail* detail);
vn_status vni_validation_links(vni_validation* validation, vn_detail* detail);
vn_status vni_validation_seams(vni_validation* validation, vn_detail* detail);
vn_status vni_validation_components(vni_validation* validation, vn_detail* detail);

/// The parts of the stages, for one block: what is wrong, or null; `*cell` is then set to the cell at fault
/// if there is one.
const char* vni_validate_cells(const vni_validation* validation, vni_validator* worker, uint32_t block,
                               uint32_t* cell);
const char* vni_validate_links(const vni_validation* validation, vni_validator* worker, uint32_t block,
                               uint32_t* cell);

/// The seam from the block to its upper neighbour. `*in` becomes the block that the cell is in.
const char* vni_validate_seam(const vni_validation* validation, vni_validator* worker, uint32_t block,
                              int axis, uint32_t* in, uint32_t* cell);

#endif
