/// store/sensed.c: sensed sets as elements of up to PIECE bricks: the slot, how many, keys and bits. A set
/// without voxels is one element without bricks.
#include "store/sensed.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"

#include <string.h>

#define PIECE    1024u
#define KEY_BITS 54 /* of Morton keys: 18 for each axis */

// ------------------------------------------------------------------------------------------------- writing

typedef struct saved_sets {
    const vni_saved_set* sets;
    uint32_t count;
} saved_sets;

static uint32_t pieces_of(uint32_t bricks) {
    return bricks == 0 ? 1 : (bricks - 1) / PIECE + 1;
}

/// The bricks of an element.
static const vni_saved_set* piece_at(const void* context, uint32_t index, uint32_t* first, uint32_t* count) {
    const saved_sets* all = context;
    const vni_saved_set* set = all->sets;
    for (; index >= pieces_of(set->count); ++set)
        index -= pieces_of(set->count);

    *first = index * PIECE;
    *count = set->count - *first < PIECE ? set->count - *first : PIECE;
    return set;
}

static uint32_t head_of(const void* context, uint32_t index) {
    uint32_t first, count;
    return piece_at(context, index, &first, &count)->slot;
}

static uint64_t size_of(const void* context, uint32_t index) {
    uint32_t first, count;
    piece_at(context, index, &first, &count);
    return sizeof(uint32_t) + (uint64_t)count * 2 * sizeof(uint64_t);
}

static void put_piece(const void* context, uint32_t index, vni_bytes* out) {
    uint32_t first, count;
    const vni_saved_set* set = piece_at(context, index, &first, &count);
    vni_put_u32(out, count);
    for (uint32_t i = first; i < first + count; ++i) {
        vni_put_u64(out, set->bricks[i].key);
        vni_put_u64(out, set->bricks[i].bits);
    }
}

void vni_put_sensed(vni_writer* writer, const vni_saved_set* sets, uint32_t count) {
    const saved_sets all = {sets, count};
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; ++i)
        total += pieces_of(sets[i].count);

    const vni_part_source source = {&all, head_of, size_of, put_piece};
    vni_put_parts(writer, VNI_FILE_ALL_LAYERS, VNI_TAG_SENSED, total, &source);
}

// ------------------------------------------------------------------------------------------------- reading

typedef struct taken_pieces {
    const vn_allocator* allocator;
    vni_saved_set* pieces;
} taken_pieces;

static const char* take_piece(void* context, uint32_t index, uint32_t head, vni_reader* in, uint32_t worker) {
    (void)worker;
    const taken_pieces* to = context;
    vni_saved_set* piece = &to->pieces[index];
    const uint32_t count = vni_read_u32(in);
    if (count > PIECE || in->left < (uint64_t)count * 2 * sizeof(uint64_t))
        return "has more bricks than it can have";

    vni_voxel_brick* bricks = VNI_NEW_ARRAY(to->allocator, vni_voxel_brick, count);
    if (count > 0 && bricks == NULL)
        return vni_part_no_memory;

    *piece = (vni_saved_set){head, count, bricks};
    for (uint32_t i = 0; i < count; ++i) {
        bricks[i].key = vni_read_u64(in);
        bricks[i].bits = vni_read_u64(in);
        if (bricks[i].bits == 0 || bricks[i].key >> KEY_BITS != 0 ||
            (i > 0 && bricks[i].key <= bricks[i - 1].key))
            return "has bricks that are empty or not in order";
    }

    return NULL;
}

/// Does a piece go on with the set of the piece before it? `*valid` is false if the two are not in order. A
/// set is cut in one way only, so that the same voxels are the same bytes.
static bool continues(const vni_saved_set* before, const vni_saved_set* piece, bool* valid) {
    const bool same = before->slot == piece->slot;
    *valid = same ? before->count == PIECE && piece->count > 0 &&
                        piece->bricks[0].key > before->bricks[PIECE - 1].key
                  : before->slot < piece->slot;
    return same;
}

/// Counts the sets of the pieces; false if these are not in order.
static bool count_sets(const vni_saved_set* pieces, uint32_t total, uint32_t* sets) {
    bool valid = true;
    *sets = total > 0;
    for (uint32_t i = 1; i < total && valid; ++i)
        *sets += !continues(&pieces[i - 1], &pieces[i], &valid);
    return valid;
}

/// Joins the pieces of each set; false if memory runs out.
static bool join_pieces(const vn_allocator* allocator, const vni_saved_set* pieces, uint32_t total,
                        vni_saved_set* sets) {
    for (uint32_t first = 0, end; first < total; first = end, ++sets) {
        uint64_t count = 0;
        for (end = first; end < total && pieces[end].slot == pieces[first].slot; ++end)
            count += pieces[end].count;

        vni_voxel_brick* to = count <= UINT32_MAX ? VNI_NEW_ARRAY(allocator, vni_voxel_brick, count) : NULL;
        if (count > 0 && to == NULL)
            return false;
        *sets = (vni_saved_set){pieces[first].slot, (uint32_t)count, to};
        for (uint32_t i = first; i < end && count > 0; ++i) {
            memcpy(to, pieces[i].bricks, pieces[i].count * sizeof *to);
            to += pieces[i].count;
        }
    }

    return true;
}

static vn_status make_sets(const vn_allocator* allocator, const vni_saved_set* pieces, uint32_t total,
                           vni_saved_set** sets, uint32_t* count, vn_detail* detail) {
    if (!count_sets(pieces, total, count))
        return vni_fail(detail, VN_BAD_FORMAT, "the sensed voxels of the file are not in order");

    *sets = vni_alloc_zero(allocator, *count, sizeof **sets);
    if (*sets != NULL && join_pieces(allocator, pieces, total, *sets))
        return VN_OK;

    vni_saved_sets_free(allocator, *sets, *count);
    *sets = NULL;
    return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the sensed voxels");
}

vn_status vni_take_sensed(vni_loader* loader, vni_saved_set** sets, uint32_t* count, vn_detail* detail) {
    const vn_allocator* allocator = &loader->allocator;
    uint32_t sections;
    uint64_t total = 0;
    const uint32_t first = vni_bundle_find(&loader->bundle, VNI_FILE_ALL_LAYERS, VNI_TAG_SENSED, &sections);
    *sets = NULL;
    *count = 0;
    if (sections == 0)
        return VN_OK;

    // a piece takes 8 bytes at least: their number is bounded by the file before anything is allocated
    for (uint32_t i = 0; i < sections; ++i) {
        const vni_file_entry entry = vni_bundle_get(&loader->bundle, first + i);
        if ((uint64_t)entry.count * 2 * sizeof(uint32_t) > entry.unpacked)
            return vni_fail(detail, VN_BAD_FORMAT, "the sensed voxels of the file are truncated");
        total += entry.count;
    }

    vni_saved_set* pieces = total <= UINT32_MAX ? vni_alloc_zero(allocator, total, sizeof *pieces) : NULL;
    if (total > 0 && pieces == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the sensed voxels");

    taken_pieces to = {allocator, pieces};
    vn_status status =
        vni_take_parts(loader, VNI_FILE_ALL_LAYERS, VNI_TAG_SENSED, (uint32_t)total, take_piece, &to, detail);
    if (status == VN_OK)
        status = make_sets(allocator, pieces, (uint32_t)total, sets, count, detail);

    vni_saved_sets_free(allocator, pieces, (uint32_t)total);
    return status;
}
