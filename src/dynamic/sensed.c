/// dynamic/sensed.c: turns edits of sensed voxel sets into dirty bricks.
///
/// An edit changes the voxels of one brick of a set, and what it blocks lies within the radius of them. So
/// the chunks near edited bricks are marked, and then stamped again from all sensed sets, block by block;
/// bricks that differ from what the layer had are dirty. Doing it twice does no harm: after a failure the
/// update is repeated.
#include "base/alloc.h"
#include "dynamic/dynamic_inside.h"
#include "geom/morton.h"

#include <string.h>

// -------------------------------------------------------------------------------------------------- marking

static bool make_scratch(vni_dynamic* dynamic, uint32_t unknown) {
    const vn_allocator* allocator = &dynamic->allocator;
    if (dynamic->sense_scratch == NULL) {
        dynamic->sense_scratch = VNI_NEW(allocator, vni_sense_scratch);
        if (dynamic->sense_scratch == NULL)
            return false;
        vni_reach_make(dynamic->radius / dynamic->frame.size, &dynamic->sense_scratch->reach);
    }

    uint64_t** chunks = &dynamic->sensed_chunks[unknown];
    if (*chunks == NULL)
        *chunks = vni_alloc_zero(allocator, vni_dynamic_blocks(dynamic), sizeof **chunks);
    return *chunks != NULL && vni_dynamic_make_static(dynamic, VNI_SENSED + 2 * unknown);
}

/// Chunks [first, last] along an axis that a brick of the set may block voxels of; last below first: none.
static void chunk_range(const vni_dynamic* dynamic, double low, double high, int axis, int32_t* first,
                        int32_t* last) {
    // a voxel more than the radius: far above rounding
    const double grow = dynamic->radius / dynamic->frame.size + 1;
    const int32_t dim = dynamic->statics[VNI_FIXED].dims[axis];
    const double from = low - grow, to = high + grow;
    *first = 0;
    *last = -1;
    if (to < 0 || from >= dim)
        return;
    *first = from > 0 ? (int32_t)from / VNI_CHUNK_SIZE : 0;
    *last = (to < dim ? (int32_t)to : dim - 1) / VNI_CHUNK_SIZE;
}

static void mark_brick(vni_dynamic* dynamic, const vni_voxels* set, uint64_t key, uint64_t* chunks) {
    const vni_vec corner = vni_to_frame(&dynamic->frame, vni_v_from(set->low));
    const double offset[3] = {corner.x, corner.y, corner.z};
    const double edge = 4 * (double)set->size / dynamic->frame.size;
    uint32_t at[3];
    int32_t first[3], last[3];
    vni_morton_decode(key, &at[0], &at[1], &at[2]);
    for (int i = 0; i < 3; ++i) {
        const double low = offset[i] + edge * at[i];
        chunk_range(dynamic, low, low + edge, i, &first[i], &last[i]);
    }

    // 4 chunks along each axis of a block
    for (int32_t z = first[2]; z <= last[2]; ++z)
        for (int32_t y = first[1]; y <= last[1]; ++y)
            for (int32_t x = first[0]; x <= last[0]; ++x)
                chunks[vni_block_index(dynamic->statics[VNI_FIXED].blocks, x >> 2, y >> 2, z >> 2)] |=
                    (uint64_t)1 << ((x & 3) | (y & 3) << 2 | (z & 3) << 4);
}

vn_status vni_dynamic_mark_sensed(vni_dynamic* dynamic, const vn_world* world, const vni_change* changes,
                                  uint32_t count, bool* any) {
    // marks of an update that failed may still be there: its changes are among these
    *any = false;
    for (uint32_t i = 0; i < count; ++i) {
        const vni_obstacle* obstacle =
            changes[i].edited ? vni_dynamic_obstacle_of(dynamic, world, &changes[i]) : NULL;
        if (obstacle == NULL)
            continue;

        const uint32_t unknown = vni_dynamic_static_of(dynamic, obstacle) >= VNI_UNKNOWN_FIXED;
        const vni_voxels* set = &obstacle->as.voxels;
        if (!make_scratch(dynamic, unknown))
            return VN_OUT_OF_MEMORY;
        *any = *any || set->edited_count > 0;
        for (uint32_t k = 0; k < set->edited_count; ++k)
            mark_brick(dynamic, set, set->edited[k], dynamic->sensed_chunks[unknown]);
    }

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- stamping

/// The box around the marked chunks of a block, within the dimensions.
static vni_window window_of(const vni_dynamic* dynamic, uint32_t block, uint64_t chunks) {
    const vni_occupancy* o = &dynamic->statics[VNI_FIXED];
    int32_t corner[3], low[3] = {4, 4, 4}, high[3] = {0, 0, 0};
    vni_block_low(o->blocks, block, corner);
    for (uint64_t left = chunks; left != 0; left &= left - 1) {
        const uint32_t chunk = vni_lowest_bit(left);
        const int32_t at[3] = {(int32_t)(chunk & 3), (int32_t)(chunk >> 2 & 3), (int32_t)(chunk >> 4)};
        for (int i = 0; i < 3; ++i) {
            low[i] = at[i] < low[i] ? at[i] : low[i];
            high[i] = at[i] >= high[i] ? at[i] + 1 : high[i];
        }
    }

    vni_window window = {.dense = dynamic->sense_scratch->dense};
    for (int i = 0; i < 3; ++i) {
        const int32_t end = corner[i] + VNI_CHUNK_SIZE * high[i];
        window.low[i] = corner[i] + VNI_CHUNK_SIZE * low[i];
        window.high[i] = end < o->dims[i] ? end : o->dims[i];
    }

    return window;
}

/// Fills the words of the marked chunks.
static void stamp(const vni_dynamic* dynamic, const vn_world* world, uint32_t index, uint32_t block,
                  uint64_t chunks) {
    vni_sense_scratch* scratch = dynamic->sense_scratch;
    const vni_shape_filter filter = vni_dynamic_static_filter(dynamic, index);
    const vni_window window = window_of(dynamic, block, chunks);
    memset(scratch->dense, 0, sizeof scratch->dense);
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle != NULL && vni_filter_takes(&filter, obstacle))
            vni_stamp_set(&obstacle->as.voxels, &dynamic->frame, dynamic->radius / dynamic->frame.size,
                          &scratch->reach, &window, scratch->rows);
    }
}

/// Cuts the words of a chunk to the dimensions.
static void cut_chunk(const vni_dynamic* dynamic, const int32_t low[3], uint32_t chunk, uint64_t* words) {
    for (uint32_t brick = 0; brick < 64; ++brick)
        words[brick] &= vni_brick_within(dynamic->statics[VNI_FIXED].dims,
                                         low[0] + (int32_t)(16 * (chunk & 3) + 4 * (brick & 3)),
                                         low[1] + (int32_t)(16 * (chunk >> 2 & 3) + 4 * (brick >> 2 & 3)),
                                         low[2] + (int32_t)(16 * (chunk >> 4) + 4 * (brick >> 4)));
}

/// Notes the bricks of a chunk that differ; true if there are any. `*voxels` follows. Memory is reserved.
static bool note_chunk(vni_dynamic* dynamic, const vni_block* old, uint32_t block, uint32_t chunk,
                       const uint64_t* words, uint32_t* voxels) {
    bool any = false;
    for (uint32_t brick = 0; brick < 64; ++brick) {
        const uint64_t was = old != NULL ? vni_block_brick(old, chunk, brick) : 0;
        if (words[brick] == was)
            continue;
        vni_dynamic_note(dynamic, vni_brick_key(block, 64 * chunk + brick));
        *voxels += vni_popcount(words[brick]) - vni_popcount(was);
        any = true;
    }

    return any;
}

static bool take_block(vni_dynamic* dynamic, const vn_world* world, uint32_t index, uint32_t block,
                       uint64_t chunks) {
    vni_occupancy* sensed = &dynamic->statics[index];
    vni_block *old = sensed->table[block], *now = NULL;
    uint64_t* dense = dynamic->sense_scratch->dense;
    uint32_t voxels = old != NULL ? old->blocked_voxels : 0;
    uint64_t changed = 0;
    int32_t low[3];
    if (!vni_dynamic_reserve_dirty(dynamic, 64 * vni_popcount(chunks)))
        return false;

    stamp(dynamic, world, index, block, chunks);
    vni_block_low(sensed->blocks, block, low);
    for (uint64_t left = chunks; left != 0; left &= left - 1) {
        const uint32_t chunk = vni_lowest_bit(left);
        cut_chunk(dynamic, low, chunk, dense + (size_t)64 * chunk);
        if (note_chunk(dynamic, old, block, chunk, dense + (size_t)64 * chunk, &voxels))
            changed |= (uint64_t)1 << chunk;
    }

    // bricks that were noted, but not replaced for lack of memory, differ again next time
    if (changed == 0)
        return true;
    if (!vni_dynamic_repack(dynamic, dense, old, changed, voxels, &now))
        return false;
    vni_occupancy_set_block(sensed, block, now);
    return true;
}

vn_status vni_dynamic_take_sensed(vni_dynamic* dynamic, const vn_world* world, uint32_t* next,
                                  uint32_t* chunks) {
    const uint32_t blocks = vni_dynamic_blocks(dynamic);
    *chunks = 0;
    for (; *next < blocks && *chunks == 0; ++*next)
        for (uint32_t unknown = 0; unknown < 2; ++unknown) {
            uint64_t* marks = dynamic->sensed_chunks[unknown];
            if (marks == NULL || marks[*next] == 0)
                continue;
            *chunks += vni_popcount(marks[*next]);
            if (!take_block(dynamic, world, VNI_SENSED + 2 * unknown, *next, marks[*next]))
                return VN_OUT_OF_MEMORY;
            marks[*next] = 0;
        }

    return VN_OK;
}
