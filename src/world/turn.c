/// world/turn.c: rotates voxel sets by quarter turns, brick by brick.
///
/// Reversed along an axis, voxel x of D becomes D - 1 - x. With B = ceil(D / 4) bricks and a pad of 4 B - D
/// that is 4 B - 1 - (x + pad): once the set is shifted up by its pad, whole bricks map to whole bricks.
///
///     D = 6, B = 2, pad = 2     voxels   |0 1 2 3|4 5 . .|
///                               shifted  |. . 0 1|2 3 4 5|     bricks swap, bits within a brick reverse:
///                               reversed |5 4 3 2|1 0 . .|
#include "base/alloc.h"
#include "base/assert.h"
#include "base/bits.h"
#include "geom/morton.h"
#include "world/moving.h"
#include <string.h>

static uint32_t pad_of(int32_t dim) {
    return (4 - ((uint32_t)dim & 3)) & 3;
}

// ------------------------------------------------------------------------------------------- shifting a list

/// Heap order by key among the first `count`: sinks the brick at `at`.
static void sift_down(vni_voxel_brick* bricks, uint32_t count, uint32_t at) {
    vni_voxel_brick moved = bricks[at];
    for (;;) {
        uint64_t child = 2 * (uint64_t)at + 1;
        if (child >= count)
            break;

        if (child + 1 < count && bricks[child + 1].key > bricks[child].key)
            ++child;

        if (bricks[child].key <= moved.key)
            break;
        bricks[at] = bricks[child];
        at = (uint32_t)child;
    }

    bricks[at] = moved;
}

/// Heapsort by key: in place, O(n log n) whatever the order of the input.
static void sort_bricks(vni_voxel_brick* bricks, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(bricks, count, i);

    for (uint32_t end = count; end > 1;) {
        vni_voxel_brick last = bricks[--end];
        bricks[end] = bricks[0];
        bricks[0] = last;
        sift_down(bricks, end, 0);
    }
}

/// Sorted bricks with equal keys become one; returns how many are left.
static uint32_t join_equal(vni_voxel_brick* bricks, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (kept > 0 && bricks[kept - 1].key == bricks[i].key)
            bricks[kept - 1].bits |= bricks[i].bits;
        else
            bricks[kept++] = bricks[i];
    }

    return kept;
}

/// Shifts the bits of a brick up by `by` (1 to 3) voxels along an axis: returns those that stay in the brick,
/// and in `*over` those that fall into the next one. Bit x + 4 y + 16 z is voxel (x, y, z), so a voxel along
/// the axis is 1, 4 or 16 bits; below[axis][by] are the voxels with coordinate < 4 - by, which stay.
static uint64_t move_bits(uint64_t bits, uint32_t by, uint32_t axis, uint64_t* over) {
    static const uint64_t below[3][4] = {
        {0, 0x7777777777777777u, 0x3333333333333333u, 0x1111111111111111u},
        {0, 0x0fff0fff0fff0fffu, 0x00ff00ff00ff00ffu, 0x000f000f000f000fu},
        {0, 0x0000ffffffffffffu, 0x00000000ffffffffu, 0x000000000000ffffu},
    };
    VNI_ASSERT(by > 0 && by < 4 && axis < 3);

    uint32_t stride = 1u << 2 * axis;
    *over = (bits & ~below[axis][by]) >> stride * (4 - by);
    return (bits & below[axis][by]) << stride * by;
}

/// Shifts `count` sorted bricks up along an axis into `out`, of at least 2 * count bricks; returns the new
/// count.
static uint32_t move_list(const vni_voxel_brick* bricks, uint32_t count, uint32_t axis, uint32_t by,
                          vni_voxel_brick* out) {
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t at[3];
        uint64_t over, stay = move_bits(bricks[i].bits, by, axis, &over);
        vni_morton_decode(bricks[i].key, &at[0], &at[1], &at[2]);
        if (stay != 0)
            out[written++] = (vni_voxel_brick){bricks[i].key, stay};

        ++at[axis];
        if (over != 0)
            out[written++] = (vni_voxel_brick){vni_morton_encode(at[0], at[1], at[2]), over};
    }

    VNI_ASSERT(written <= 2 * (uint64_t)count);

    sort_bricks(out, written);
    return join_equal(out, written);
}

// ------------------------------------------------------------------------------------------------- the lists

/// Makes the list of the axes in `mask` from that of all but the highest of them.
static bool make_list(const vn_allocator* allocator, uint32_t mask, const uint32_t pad[3],
                      vni_voxel_brick* spare, vni_voxel_turns* turns) {
    uint32_t axis = mask >> 2 ? 2 : mask >> 1 ? 1 : 0, from = mask & ~(1u << axis);
    VNI_ASSERT(turns->lists[from] != NULL);

    uint32_t count = move_list(turns->lists[from], turns->counts[from], axis, pad[axis], spare);
    vni_voxel_brick* list = VNI_NEW_ARRAY(allocator, vni_voxel_brick, count);
    if (list == NULL)
        return false;

    memcpy(list, spare, count * sizeof *list);
    turns->lists[mask] = list;
    turns->counts[mask] = count;
    turns->capacity = count > turns->capacity ? count : turns->capacity;
    return true;
}

vn_status vni_voxel_turns_make(const vn_allocator* allocator, const vni_voxels* set, vni_voxel_turns* out) {
    const uint32_t pad[3] = {pad_of(set->dims.x), pad_of(set->dims.y), pad_of(set->dims.z)};
    uint32_t padded = (pad[0] != 0) | (uint32_t)(pad[1] != 0) << 1 | (uint32_t)(pad[2] != 0) << 2;
    *out = (vni_voxel_turns){.capacity = set->brick_count, .now = {{0, 1, 2}, {false, false, false}}};
    out->lists[0] = set->bricks;
    out->counts[0] = set->brick_count;

    if (set->brick_count == 0 || padded == 0)
        return VN_OK;
    // A shift along one axis at most doubles the bricks, along three makes eight of one.
    uint64_t spare_capacity = 8 * (uint64_t)set->brick_count;
    vni_voxel_brick* spare =
        spare_capacity > UINT32_MAX ? NULL : VNI_NEW_ARRAY(allocator, vni_voxel_brick, spare_capacity);

    bool done = spare != NULL;
    for (uint32_t mask = 1; mask < 8 && done; ++mask) {
        if ((mask & ~padded) == 0)
            done = make_list(allocator, mask, pad, spare, out);
    }

    VNI_DELETE_ARRAY(allocator, spare, spare_capacity);
    if (!done)
        vni_voxel_turns_free(allocator, out);

    return done ? VN_OK : VN_OUT_OF_MEMORY;
}

void vni_voxel_turns_free(const vn_allocator* allocator, vni_voxel_turns* turns) {
    for (uint32_t mask = 1; mask < 8; ++mask)
        VNI_DELETE_ARRAY(allocator, turns->lists[mask], turns->counts[mask]);
    *turns = (vni_voxel_turns){0};
}

size_t vni_voxel_turns_bytes(const vni_voxel_turns* turns) {
    size_t bytes = 0;
    for (uint32_t mask = 1; mask < 8; ++mask)
        bytes += turns->counts[mask] * sizeof *turns->lists[mask];
    return bytes;
}

// -------------------------------------------------------------------------------------------------- rotating

/// The new coordinates of a brick, with `last` the last brick on each axis; or of a voxel in a brick, with
/// 3s.
static void turn_position(const vni_turn* turn, const uint32_t at[3], const uint32_t last[3],
                          uint32_t out[3]) {
    for (uint32_t i = 0; i < 3; ++i)
        out[turn->axis[i]] = turn->flip[i] ? last[i] - at[i] : at[i];
}

static uint64_t turn_bits(const uint8_t to[64], uint64_t bits) {
    if (bits == ~(uint64_t)0)
        return bits;
    uint64_t turned = 0;
    for (; bits != 0; bits &= bits - 1)
        turned |= (uint64_t)1 << to[vni_lowest_bit(bits)];
    return turned;
}

void vni_voxel_turns_apply(const vni_voxel_turns* turns, const vni_voxels* shape, const vni_turn* turn,
                           vni_voxels* out) {
    const int32_t dims[3] = {shape->dims.x, shape->dims.y, shape->dims.z};
    uint32_t last[3], mask = 0, new_dims[3];
    for (uint32_t i = 0; i < 3; ++i) {
        VNI_ASSERT(dims[i] > 0 && turn->axis[i] < 3);
        last[i] = ((uint32_t)dims[i] - 1) >> 2;
        mask |= (uint32_t)(turn->flip[i] && pad_of(dims[i]) != 0) << i;
        new_dims[turn->axis[i]] = (uint32_t)dims[i];
    }

    // Every brick permutes its 64 bits alike: one table serves them all.
    uint8_t to[64];
    for (uint32_t bit = 0; bit < 64; ++bit) {
        uint32_t to_at[3];
        turn_position(turn, (uint32_t[]){bit & 3, bit >> 2 & 3, bit >> 4}, (uint32_t[]){3, 3, 3}, to_at);
        to[bit] = (uint8_t)(to_at[0] + 4 * to_at[1] + 16 * to_at[2]);
    }

    for (uint32_t i = 0; i < turns->counts[mask]; ++i) {
        uint32_t at[3], to_at[3];
        vni_morton_decode(turns->lists[mask][i].key, &at[0], &at[1], &at[2]);
        turn_position(turn, at, last, to_at);
        out->bricks[i] = (vni_voxel_brick){vni_morton_encode(to_at[0], to_at[1], to_at[2]),
                                           turn_bits(to, turns->lists[mask][i].bits)};
    }

    out->brick_count = turns->counts[mask];
    VNI_ASSERT(out->brick_count <= turns->capacity);

    sort_bricks(out->bricks, out->brick_count);
    out->dims = (vn_voxel){(int32_t)new_dims[0], (int32_t)new_dims[1], (int32_t)new_dims[2]};
}
