/// world/sense.c: reads the batches of a sensor: entries in any order become lists of bricks in order.
///
///   entries            v v v v v v v v        neighbours in one brick are put together at once: sensors
///   runs               [ A ][ B ][ A ]        deliver voxels that lie close to each other
///   sorted, stable     [ A ][ A ][ B ]        by the key of the brick, so that the later one is behind
///   joined             [  A   ][ B ]          the later one wins
#include "world/sense.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/bits.h"
#include "base/fail.h"
#include "geom/morton.h"
#include "geom/vec.h"
#include "world/build.h"
#include "world/radix.h"

#define KEY_DIGITS 32 /* bits of a key that one round sorts by */

/// Voxels of one brick as a batch says them.
typedef struct run {
    uint64_t key;
    uint64_t named, occupied, unknown; ///< the last two are subsets of the first, and disjoint
} run;

typedef struct runs {
    run* items;
    uint64_t* codes; ///< scratch of the sort, two for each run
    uint32_t count;
} runs;

vni_map_grid vni_sensed_grid(const vni_obstacle* obstacle) {
    if (obstacle->info.kind != VN_SHAPE_VOXELS || !obstacle->as.voxels.sensed)
        return (vni_map_grid){0};
    const vni_voxels* set = &obstacle->as.voxels;
    return (vni_map_grid){set->low, set->size, set->dims};
}

void vni_edits_free(const vn_allocator* allocator, vni_edits* edits) {
    VNI_DELETE_ARRAY(allocator, edits->items, edits->capacity);
    *edits = (vni_edits){0};
}

// ------------------------------------------------------------------------------------------------- checking

static bool is_same_grid(const vni_map_grid* a, const vni_map_grid* b) {
    return a->size == b->size && a->low.x == b->low.x && a->low.y == b->low.y && a->low.z == b->low.z &&
           a->dims.x == b->dims.x && a->dims.y == b->dims.y && a->dims.z == b->dims.z;
}

vn_status vni_sense_check(const vn_sense_batch* batch, const vni_map_grid* occupied,
                          const vni_map_grid* unknown, vn_detail* detail) {
    if (occupied->size == 0 || (unknown != NULL && unknown->size == 0))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the obstacle cannot be sensed: add a static voxel set with as.voxels.sensed");
    if (unknown != NULL && batch->occupied.index1 == batch->unknown.index1)
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "occupied and unknown voxels are one set: give each its own");
    if (unknown != NULL && !is_same_grid(occupied, unknown))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the sets of occupied and unknown voxels have different grids: give both the same "
                        "low corner, size and dims");
    if (batch->count > 0 && batch->voxels == NULL && batch->positions == NULL)
        return vni_fail(detail, VN_BAD_ARGUMENT, "the batch has neither voxels nor positions");
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- reading

/// The voxel along an axis that holds a local coordinate; -1: outside.
static int32_t voxel_along(double metres, float low, double size, int32_t dim) {
    const double at = floor((metres - (double)low) / size);
    return at >= 0 && at < dim ? (int32_t)at : -1;
}

static vn_status voxel_of(const vn_sense_batch* batch, uint32_t i, const vni_map_grid* grid, vn_dvec3 origin,
                          vn_voxel* out, vn_detail* detail) {
    if (batch->voxels != NULL) {
        *out = batch->voxels[i];
        return VN_OK;
    }

    const vn_dvec3 p = batch->positions[i];
    const double size = (double)grid->size;
    if (!vni_is_finite(p.x) || !vni_is_finite(p.y) || !vni_is_finite(p.z))
        return vni_fail_index(detail, VN_BAD_DATA, i, "position %u of the batch is not finite", (unsigned)i);
    *out = (vn_voxel){voxel_along(p.x - origin.x, grid->low.x, size, grid->dims.x),
                      voxel_along(p.y - origin.y, grid->low.y, size, grid->dims.y),
                      voxel_along(p.z - origin.z, grid->low.z, size, grid->dims.z)};
    return VN_OK;
}

static bool is_within(vn_voxel v, vn_voxel dims) {
    return v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < dims.x && v.y < dims.y && v.z < dims.z;
}

/// What `then` says replaces what `to` says of the same voxels.
static void overrule(run* to, const run* then) {
    to->named |= then->named;
    to->occupied = (to->occupied & ~then->named) | then->occupied;
    to->unknown = (to->unknown & ~then->named) | then->unknown;
}

/// Adds a voxel to the last run, or as a new one.
static void add_voxel(runs* to, vn_voxel v, uint32_t state) {
    const uint64_t bit = (uint64_t)1 << ((v.x & 3) + 4 * (v.y & 3) + 16 * (v.z & 3));
    const run one = {.key = vni_morton_encode((uint32_t)v.x >> 2, (uint32_t)v.y >> 2, (uint32_t)v.z >> 2),
                     .named = bit,
                     .occupied = state == VN_VOXEL_OCCUPIED ? bit : 0,
                     .unknown = state == VN_VOXEL_UNKNOWN ? bit : 0};
    if (to->count > 0 && to->items[to->count - 1].key == one.key)
        overrule(&to->items[to->count - 1], &one);
    else
        to->items[to->count++] = one;
}

static vn_status read_runs(const vn_sense_batch* batch, const vni_map_grid* grid, vn_dvec3 origin, runs* out,
                           uint32_t* outside, vn_detail* detail) {
    *outside = 0;
    for (uint32_t i = 0; i < batch->count; ++i) {
        const uint32_t state = batch->states != NULL ? batch->states[i] : (uint32_t)batch->state;
        vn_voxel v = {0, 0, 0};
        if (state > VN_VOXEL_UNKNOWN)
            return vni_fail_index(detail, VN_BAD_DATA, i,
                                  "state %u of entry %u does not exist: use one of VN_VOXEL_...",
                                  (unsigned)state, (unsigned)i);

        const vn_status status = voxel_of(batch, i, grid, origin, &v, detail);
        if (status != VN_OK)
            return status;

        if (is_within(v, grid->dims))
            add_voxel(out, v, state);
        else
            ++*outside;
    }

    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- in order

/// The order of the runs by key, in the lower halves of `codes`; stable.
static void sort_runs(runs* r) {
    uint64_t used = 0;
    for (uint32_t i = 0; i < r->count; ++i) {
        r->codes[i] = i;
        used |= r->items[i].key;
    }

    // A code is part of a key above an index: stable rounds from the low part to the high one.
    for (uint32_t shift = 0; shift < 64 && used >> shift != 0; shift += KEY_DIGITS) {
        for (uint32_t i = 0; i < r->count; ++i) {
            const uint64_t index = r->codes[i] & UINT32_MAX;
            r->codes[i] = (r->items[index].key >> shift & UINT32_MAX) << 32 | index;
        }

        vni_radix_sort(r->codes, r->codes + r->count, r->count, 32, 64);
    }
}

/// Joins runs with equal keys, in order, into the two lists; `unknown` may be null.
static void write_edits(const runs* r, vni_edits* occupied, vni_edits* unknown) {
    for (uint32_t i = 0; i < r->count;) {
        run all = r->items[r->codes[i] & UINT32_MAX];
        for (++i; i < r->count && r->items[r->codes[i] & UINT32_MAX].key == all.key; ++i)
            overrule(&all, &r->items[r->codes[i] & UINT32_MAX]);

        VNI_ASSERT(occupied->count < occupied->capacity);
        occupied->items[occupied->count++] =
            (vni_voxel_edit){all.key, all.named & ~all.occupied, all.occupied};
        if (unknown != NULL)
            unknown->items[unknown->count++] =
                (vni_voxel_edit){all.key, all.named & ~all.unknown, all.unknown};
    }
}

static uint32_t count_keys(const runs* r) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count; ++i)
        count +=
            i == 0 || r->items[r->codes[i] & UINT32_MAX].key != r->items[r->codes[i - 1] & UINT32_MAX].key;
    return count;
}

static bool make_edits(const vn_allocator* allocator, uint32_t count, vni_edits* out) {
    *out = (vni_edits){VNI_NEW_ARRAY(allocator, vni_voxel_edit, count), 0, count};
    if (out->items == NULL)
        out->capacity = 0;
    return out->items != NULL || count == 0;
}

vn_status vni_sense_read(const vn_allocator* allocator, const vn_sense_batch* batch, const vni_map_grid* grid,
                         vn_dvec3 origin, vni_edits* occupied, vni_edits* unknown, uint32_t* outside,
                         vn_detail* detail) {
    VNI_ASSERT(grid->size > 0 && occupied != NULL && outside != NULL);

    const uint32_t count = batch->count;
    const bool has_unknown = batch->unknown.index1 != 0;
    *occupied = *unknown = (vni_edits){0};
    runs r = {VNI_NEW_ARRAY(allocator, run, count), VNI_NEW_ARRAY(allocator, uint64_t, 2 * (uint64_t)count),
              0};
    bool ok = count == 0 || (r.items != NULL && r.codes != NULL);
    vn_status status = ok ? read_runs(batch, grid, origin, &r, outside, detail) : VN_OK;

    if (ok && status == VN_OK) {
        sort_runs(&r);
        const uint32_t keys = count_keys(&r);
        ok = make_edits(allocator, keys, occupied) && (!has_unknown || make_edits(allocator, keys, unknown));
        if (ok)
            write_edits(&r, occupied, has_unknown ? unknown : NULL);
    }

    VNI_DELETE_ARRAY(allocator, r.items, count);
    VNI_DELETE_ARRAY(allocator, r.codes, 2 * (uint64_t)count);
    if (ok)
        return status;

    vni_edits_free(allocator, occupied);
    vni_edits_free(allocator, unknown);
    return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a batch of %u voxels", (unsigned)count);
}

// --------------------------------------------------------------------------------------------------- joining

static vni_voxel_edit after(const vni_voxel_edit* first, const vni_voxel_edit* then) {
    return (vni_voxel_edit){first->key, (first->clear & ~then->set) | then->clear,
                            (first->set & ~then->clear) | then->set};
}

bool vni_edits_join(const vn_allocator* allocator, const vni_edits* first, vni_edits* then) {
    const uint64_t most = (uint64_t)first->count + then->count;
    vni_edits all;
    if (most > UINT32_MAX || !make_edits(allocator, (uint32_t)most, &all))
        return false;

    for (uint32_t i = 0, k = 0; i < first->count || k < then->count;) {
        const uint64_t a = i < first->count ? first->items[i].key : UINT64_MAX;
        const uint64_t b = k < then->count ? then->items[k].key : UINT64_MAX;
        all.items[all.count++] = a < b   ? first->items[i]
                                 : b < a ? then->items[k]
                                         : after(&first->items[i], &then->items[k]);
        i += a <= b;
        k += b <= a;
    }

    vni_edits_free(allocator, then);
    *then = all;
    return true;
}

bool vni_edits_bounds(const vni_edits* edits, const vni_map_grid* grid, vn_box* out) {
    uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, high[3] = {0, 0, 0}, at[3];
    for (uint32_t i = 0; i < edits->count; ++i) {
        if (edits->items[i].set == 0)
            continue;
        vni_morton_decode(edits->items[i].key, &at[0], &at[1], &at[2]);
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
            high[axis] = at[axis] + 1 > high[axis] ? at[axis] + 1 : high[axis];
        }
    }

    const vni_vec corner = vni_v_from(grid->low);
    const double brick = 4 * (double)grid->size;
    if (high[0] == 0)
        return false;
    *out = vni_box_around(
        vni_add(corner, vni_scale(vni_v((double)low[0], (double)low[1], (double)low[2]), brick)),
        vni_add(corner, vni_scale(vni_v((double)high[0], (double)high[1], (double)high[2]), brick)));
    return true;
}
