/// store/occupancy_bytes.c: blocks of voxels as records: which bricks hold something, which are full, and the
/// others bit by bit.
#include "base/alloc.h"
#include "store/space_bytes.h"

#include <string.h>

#define CHUNKS 64

/// Bytes of a record: `some`, `full` and the bricks.
static uint64_t record_size(uint32_t mixed_count) {
    return 2 * CHUNKS * sizeof(uint64_t) + mixed_count * sizeof(uint64_t);
}

static const vni_block* block_at(const void* context, uint32_t index) {
    return ((const vni_occupancy*)context)->table[index];
}

static uint32_t head_of(const void* context, uint32_t index) {
    const vni_block* block = block_at(context, index);
    return block != NULL ? block->mixed_count : VNI_FILE_NONE;
}

static uint64_t size_of(const void* context, uint32_t index) {
    const vni_block* block = block_at(context, index);
    return block != NULL ? record_size(block->mixed_count) : 0;
}

static void put(const void* context, uint32_t index, vni_bytes* out) {
    const vni_block* block = block_at(context, index);
    VNI_ASSERT(block != NULL && block->mixed_count <= VNI_BLOCK_BRICKS);
    vni_bytes_put(out, block->some, sizeof block->some);
    vni_bytes_put(out, block->full, sizeof block->full);
    vni_bytes_put(out, block->bricks, block->mixed_count * sizeof(uint64_t));
}

void vni_put_occupancy(vni_writer* writer, uint32_t layer, vni_tag tag, const vni_occupancy* occupancy) {
    const vni_part_source source = {occupancy, head_of, size_of, put};
    vni_put_parts(writer, layer, tag, vni_occupancy_block_count(occupancy), &source);
}

// ------------------------------------------------------------------------------------------------ reading

/// What can be counted is not stored: where each chunk's bricks begin, and the blocked voxels.
static void count_bricks(vni_block* block) {
    uint32_t mixed = 0, full = 0, single = 0;
    VNI_ASSERT(block->mixed_count <= VNI_BLOCK_BRICKS);

    for (uint32_t i = 0; i < CHUNKS; ++i) {
        block->first[i] = (uint16_t)mixed;
        mixed += vni_popcount(block->some[i] & ~block->full[i]);
        full += vni_popcount(block->full[i]);
    }

    for (uint32_t i = 0; i < block->mixed_count; ++i)
        single += vni_popcount(block->bricks[i]);

    block->blocked_voxels = 64 * full + single;
}

static const char* take(void* context, uint32_t index, uint32_t head, vni_reader* in, uint32_t worker) {
    (void)worker;
    vni_occupancy* occupancy = (vni_occupancy*)context;
    VNI_ASSERT(occupancy->table[index] == NULL);

    if (head == VNI_FILE_NONE)
        return NULL;
    if (head > VNI_BLOCK_BRICKS || in->left < record_size(head))
        return "has more bricks than there are bytes";

    vni_block* block =
        (vni_block*)vni_alloc(&occupancy->allocator, 1, sizeof *block + head * sizeof(uint64_t));
    if (block == NULL)
        return vni_part_no_memory;

    occupancy->table[index] = block;
    vni_atomic_store(&block->references, 1);
    block->mixed_count = head;
    VNI_ASSERT(vni_block_bytes(block) == sizeof *block + head * sizeof(uint64_t));

    vni_read(in, block->some, sizeof block->some);
    vni_read(in, block->full, sizeof block->full);
    vni_read(in, block->bricks, head * sizeof(uint64_t));
    count_bricks(block);
    return NULL;
}

vn_status vni_take_occupancy(vni_loader* loader, uint32_t layer, vni_tag tag, vni_occupancy* occupancy,
                             vn_detail* detail) {
    uint32_t count = vni_occupancy_block_count(occupancy);
    vn_status status = vni_take_parts(loader, layer, tag, count, take, occupancy, detail);
    for (uint32_t i = 0; status == VN_OK && i < count; ++i)
        occupancy->blocked_voxels += occupancy->table[i] != NULL ? occupancy->table[i]->blocked_voxels : 0;
    return status;
}
