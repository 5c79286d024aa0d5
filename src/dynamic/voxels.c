/// dynamic/voxels.c: makes a new block of voxels from the dirty bricks of an old one, and adds boxes to the
/// delta.
///
/// A brick is blocked where one of `statics` and `covers` is. Chunks without a change are copied in packed
/// form.
#include "base/alloc.h"
#include "dynamic/dynamic_inside.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- the delta

/// The low voxel of a brick.
static vn_voxel brick_low(const vni_dynamic* dynamic, uint32_t block, uint32_t brick) {
    const int32_t* low = dynamic->newest->space.cells.views[block].low;
    uint32_t chunk = brick >> 6;
    vn_voxel v = {low[0] + (int32_t)(16 * (chunk & 3) + 4 * (brick & 3)),
                  low[1] + (int32_t)(16 * (chunk >> 2 & 3) + 4 * (brick >> 2 & 3)),
                  low[2] + (int32_t)(16 * (chunk >> 4) + 4 * (brick >> 4 & 3))};
    return v;
}

static void grow_axis(int32_t* low, int32_t* high, int32_t at, uint32_t first, uint32_t last) {
    const int32_t from = at + (int32_t)first, to = at + (int32_t)last + 1;
    *low = from < *low ? from : *low;
    *high = to > *high ? to : *high;
}

/// Grows a box by the voxels of a brick; an empty box has low above high.
static void grow_box(vn_voxel_box* box, vn_voxel low, uint64_t bits) {
    if (!bits)
        return;

    // project the brick along z to 4 x 4 bits, and these along y to a row of 4: the lowest and highest bit of
    // each are the extent along z, y and x
    uint64_t flat = bits | bits >> 32;
    flat = (flat | flat >> 16) & 0xffffu;
    uint64_t row = flat | flat >> 8;
    row = (row | row >> 4) & 15u;
    grow_axis(&box->low.x, &box->high.x, low.x, vni_lowest_bit(row), vni_highest_bit(row));
    grow_axis(&box->low.y, &box->high.y, low.y, vni_lowest_bit(flat) >> 2, vni_highest_bit(flat) >> 2);
    grow_axis(&box->low.z, &box->high.z, low.z, vni_lowest_bit(bits) >> 4, vni_highest_bit(bits) >> 4);
}

static bool add_box(const vni_dynamic* dynamic, vn_voxel_box** list, uint64_t* capacity, uint32_t* count,
                    const vn_voxel_box* box) {
    if (box->low.x >= box->high.x)
        return true;
    if (!vni_grow(&dynamic->allocator, list, capacity, (uint64_t)*count + 1, sizeof **list))
        return false;
    (*list)[(*count)++] = *box;
    return true;
}

/// Boxes around the voxels of the current chunk that became blocked, and free.
typedef struct chunk_change {
    uint32_t chunk; ///< of the block; UINT32_MAX: none yet
    vn_voxel_box blocked, freed;
} chunk_change;

static const vn_voxel_box nothing = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};

/// Adds the boxes of the current chunk to the delta.
static bool end_chunk(const vni_dynamic* dynamic, vni_lane* lane, chunk_change* change) {
    vni_delta_buffer* delta = &lane->delta;
    bool ok = change->chunk == UINT32_MAX ||
              (add_box(dynamic, &delta->blocked, &delta->blocked_capacity, &delta->blocked_count,
                       &change->blocked) &&
               add_box(dynamic, &delta->freed, &delta->freed_capacity, &delta->freed_count, &change->freed));
    change->blocked = change->freed = nothing;

    return ok;
}

// ------------------------------------------------------------------------------------------------- the block

/// The words of one chunk of a block (null: all free).
static void unpack_chunk(const vni_block* block, uint32_t chunk, uint64_t words[64]) {
    memset(words, 0, 64 * sizeof *words);
    if (block == NULL)
        return;

    const uint64_t* next = block->bricks + block->first[chunk];
    for (uint64_t some = block->some[chunk]; some != 0; some &= some - 1) {
        const uint32_t brick = vni_lowest_bit(some);
        words[brick] = block->full[chunk] >> brick & 1 ? ~(uint64_t)0 : *next++;
    }
}

static uint32_t count_mixed(const uint64_t words[64]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 64; ++i)
        count += words[i] + 1 > 1; // neither 0 nor all ones
    return count;
}

static void pack_chunk(vni_block* block, uint32_t chunk, const uint64_t words[64]) {
    uint64_t some = 0, full = 0;
    block->first[chunk] = (uint16_t)block->mixed_count;
    for (uint32_t brick = 0; brick < 64; ++brick) {
        const uint64_t word = words[brick];
        some |= (uint64_t)(word != 0) << brick;
        full |= (uint64_t)(word == ~(uint64_t)0) << brick;
        if (word + 1 > 1)
            block->bricks[block->mixed_count++] = word;
    }

    block->some[chunk] = some;
    block->full[chunk] = full;
}

/// Copies the chunks [begin, end) of the old block (null: all free).
static void copy_chunks(vni_block* block, const vni_block* old, uint32_t begin, uint32_t end) {
    if (begin == end)
        return;
    const uint32_t first = old != NULL ? old->first[begin] : 0;
    const uint32_t last = old != NULL ? (end < 64 ? old->first[end] : old->mixed_count) : 0;
    const uint32_t by = block->mixed_count - first;
    VNI_ASSERT(first <= last);

    for (uint32_t i = begin; i < end; ++i) {
        block->first[i] = (uint16_t)((old != NULL ? old->first[i] : 0) + by);
        block->some[i] = old != NULL ? old->some[i] : 0;
        block->full[i] = old != NULL ? old->full[i] : 0;
    }

    if (first < last)
        memcpy(block->bricks + block->mixed_count, old->bricks + first,
               (last - first) * sizeof *block->bricks);

    block->mixed_count += last - first;
}

bool vni_dynamic_repack(const vni_dynamic* dynamic, const uint64_t* dense, const vni_block* old,
                        uint64_t chunks, uint32_t voxels, vni_block** out) {
    vni_block sizes = {.mixed_count = old != NULL ? old->mixed_count : 0};
    *out = NULL;
    if (voxels == 0)
        return true;

    for (uint64_t left = chunks; left != 0; left &= left - 1) {
        const uint32_t c = vni_lowest_bit(left);
        sizes.mixed_count += count_mixed(dense + 64 * c);
        sizes.mixed_count -= old != NULL ? vni_popcount(old->some[c] & ~old->full[c]) : 0;
    }

    vni_block* block = (vni_block*)vni_alloc(&dynamic->allocator, 1, vni_block_bytes(&sizes));
    if (block == NULL)
        return false;

    uint32_t done = 0;
    vni_atomic_store(&block->references, 1);
    block->mixed_count = 0;
    block->blocked_voxels = voxels;
    for (uint64_t left = chunks; left != 0; left &= left - 1) {
        const uint32_t c = vni_lowest_bit(left);
        copy_chunks(block, old, done, c);
        pack_chunk(block, c, dense + 64 * c);
        done = c + 1;
    }

    copy_chunks(block, old, done, 64);
    VNI_ASSERT(block->mixed_count == sizes.mixed_count);

    *out = block;
    return true;
}

/// The blocked voxels of a brick; `*unknown`: those that only refused unknown space blocks.
static uint64_t brick_now(const vni_dynamic* dynamic, uint64_t key, uint64_t* unknown) {
    const uint32_t block = (uint32_t)(key >> 12), brick = (uint32_t)key & (VNI_BLOCK_BRICKS - 1);
    const vni_occupancy* statics = dynamic->statics;
    const uint64_t known = vni_cover_bits(&dynamic->covers[0], key) |
                           vni_static_brick(&statics[VNI_FIXED], block, brick) |
                           vni_static_brick(&statics[VNI_SENSED], block, brick);
    *unknown = 0;
    if (dynamic->refuses)
        *unknown =
            (vni_cover_bits(&dynamic->covers[1], key) | vni_static_brick(&statics[VNI_UNKNOWN_FIXED], block, brick) |
             vni_static_brick(&statics[VNI_UNKNOWN_SENSED], block, brick)) &
            ~known;
    return known | *unknown;
}

/// A block of voxels in the making.
typedef struct patch {
    const vni_block* old;
    uint64_t* dense;
    uint64_t chunks; ///< that have changed
    uint32_t voxels;
} patch;

/// Sets the word of a brick, which differs.
static void patch_brick(patch* p, uint32_t brick, uint64_t bits, uint64_t was) {
    const uint32_t chunk = brick >> 6;
    if (!(p->chunks >> chunk & 1))
        unpack_chunk(p->old, chunk, p->dense + (size_t)64 * chunk);
    p->chunks |= (uint64_t)1 << chunk;
    p->dense[brick] = bits;
    p->voxels += vni_popcount(bits) - vni_popcount(was);
}

static bool end_patch(const vni_dynamic* dynamic, const patch* p, vni_block** out) {
    return p->chunks == 0 || vni_dynamic_repack(dynamic, p->dense, p->old, p->chunks, p->voxels, out);
}

/// The unknown voxels of the block, once its voxels are made. Where everything that is blocked is unknown,
/// both are one block, as in a bake.
static bool end_unknown(const vni_dynamic* dynamic, const patch* voxels, const patch* unknown,
                        vni_touched* t) {
    const vni_block* before = dynamic->newest->unknown.table[t->block];
    vni_block* now = voxels->chunks != 0 ? t->voxels : dynamic->newest->space.occupancy.table[t->block];
    const bool all = now != NULL && unknown->voxels == now->blocked_voxels;
    t->unknown_changed = unknown->chunks != 0 || (all && before != now);
    if (!t->unknown_changed)
        return true;
    if (!all)
        return end_patch(dynamic, unknown, &t->unknown);

    vni_block_retain(now);
    t->unknown = now;
    return true;
}

bool vni_dynamic_patch(vni_dynamic* dynamic, vni_lane* lane, vni_touched* t) {
    const uint64_t* keys = dynamic->sorted + t->first;
    const uint32_t index = t->block, count = t->end - t->first;
    const vni_block *old = dynamic->newest->space.occupancy.table[index],
                    *hidden = dynamic->refuses ? dynamic->newest->unknown.table[index] : NULL;
    patch voxels = {old, lane->dense, 0, old != NULL ? old->blocked_voxels : 0};
    patch unknown = {hidden, lane->dense + VNI_BLOCK_BRICKS, 0, hidden != NULL ? hidden->blocked_voxels : 0};
    chunk_change change = {UINT32_MAX, nothing, nothing};

    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t brick = (uint32_t)keys[i] & (VNI_BLOCK_BRICKS - 1), chunk = brick >> 6;
        VNI_ASSERT(keys[i] >> 12 == index && (i == 0 || keys[i - 1] <= keys[i]));
        if (i > 0 && keys[i - 1] == keys[i]) // a duplicate
            continue;

        uint64_t unseen;
        const uint64_t bits = brick_now(dynamic, keys[i], &unseen);
        const uint64_t was = old != NULL ? vni_block_brick(old, chunk, brick & 63) : 0;
        const uint64_t was_unseen = hidden != NULL ? vni_block_brick(hidden, chunk, brick & 63) : 0;
        if (unseen != was_unseen)
            patch_brick(&unknown, brick, unseen, was_unseen);
        if (bits == was) // back to what it was
            continue;

        // the first change in a chunk: keys are in order, so that the chunk before is done
        if (change.chunk != chunk && !end_chunk(dynamic, lane, &change))
            return false;
        change.chunk = chunk;
        patch_brick(&voxels, brick, bits, was);
        grow_box(&change.blocked, brick_low(dynamic, index, brick), bits & ~was);
        grow_box(&change.freed, brick_low(dynamic, index, brick), was & ~bits);
        ++lane->bricks;
    }

    t->chunks = voxels.chunks;
    return end_chunk(dynamic, lane, &change) && end_patch(dynamic, &voxels, &t->voxels) &&
           (!dynamic->refuses || end_unknown(dynamic, &voxels, &unknown, t));
}
