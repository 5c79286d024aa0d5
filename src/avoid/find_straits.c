/// avoid/find_straits.c: finds the passages of a space that are too narrow for two agents side by side.
///
/// A passage is a free box that walls bound on four sides. Cells are where it shows: one that is narrow on
/// two axes is widened on these from its middle voxel; if it stays narrow, that voxel belongs to a passage,
/// which is as long as its cross-section stays free and narrow.
#include "avoid/avoid_inside.h"
#include "base/assert.h"
#include "probe/sight.h"
#include "space/frame.h"

typedef struct search {
    const vn_space* space;
    int32_t widest; ///< voxels across a passage, at most
    vn_avoid_strait* out;
    uint32_t capacity, count;
    bool full;
} search;

typedef struct bounds {
    int32_t low[3], high[3];
} bounds;

static bool is_free(const search* s, const bounds* b) {
    return vni_box_is_free(&s->space->occupancy, (vn_voxel){b->low[0], b->low[1], b->low[2]},
                           (vn_voxel){b->high[0], b->high[1], b->high[2]});
}

/// Widens a box of one voxel's length along `axis` across it, up to one voxel more than is narrow.
static bool is_narrow(const search* s, int axis, bounds* b) {
    for (int turn = 0; turn < 2; ++turn) {
        const int k = vni_other_axes[axis][turn];
        bounds next = *b;
        for (--next.low[k]; b->high[k] - next.low[k] <= s->widest + 1 && is_free(s, &next); --next.low[k])
            b->low[k] = next.low[k];
        next = *b;
        for (++next.high[k]; next.high[k] - b->low[k] <= s->widest + 1 && is_free(s, &next); ++next.high[k])
            b->high[k] = next.high[k];
        if (b->high[k] - b->low[k] > s->widest)
            return false;
    }

    return true;
}

/// One voxel further along the axis: the same cross-section, free and not wider.
static bool goes_on(const search* s, int axis, const bounds* slice, int32_t at) {
    bounds next = *slice, wider;
    next.low[axis] = at;
    next.high[axis] = at + 1;
    if (!is_free(s, &next))
        return false;

    wider = next;
    return is_narrow(s, axis, &wider) &&
           wider.low[vni_other_axes[axis][0]] == slice->low[vni_other_axes[axis][0]] &&
           wider.low[vni_other_axes[axis][1]] == slice->low[vni_other_axes[axis][1]] &&
           wider.high[vni_other_axes[axis][0]] == slice->high[vni_other_axes[axis][0]] &&
           wider.high[vni_other_axes[axis][1]] == slice->high[vni_other_axes[axis][1]];
}

static vn_avoid_strait strait_of(const search* s, int axis, const bounds* b) {
    vn_avoid_strait strait = {.axis = (uint32_t)axis};
    strait.low = vni_voxels_to_world(s->space, vni_v(b->low[0], b->low[1], b->low[2]));
    strait.high = vni_voxels_to_world(s->space, vni_v(b->high[0], b->high[1], b->high[2]));
    return strait;
}

static bool is_same(const vn_avoid_strait* a, const vn_avoid_strait* b) {
    return a->axis == b->axis && a->low.x == b->low.x && a->low.y == b->low.y && a->low.z == b->low.z &&
           a->high.x == b->high.x && a->high.y == b->high.y && a->high.z == b->high.z;
}

/// Both ends of a passage are open: an agent can go on there.
static bool is_open(const search* s, int axis, const bounds* b) {
    bounds end = *b;
    end.low[axis] = b->high[axis];
    end.high[axis] = b->high[axis] + 1;
    if (!is_free(s, &end))
        return false;
    end.high[axis] = b->low[axis];
    end.low[axis] = b->low[axis] - 1;
    return is_free(s, &end);
}

static void try_axis(search* s, int axis, vn_voxel middle) {
    bounds b = {{middle.x, middle.y, middle.z}, {middle.x + 1, middle.y + 1, middle.z + 1}};
    if (!is_narrow(s, axis, &b))
        return;

    const bounds slice = b;
    while (goes_on(s, axis, &slice, b.high[axis]))
        ++b.high[axis];
    while (goes_on(s, axis, &slice, b.low[axis] - 1))
        --b.low[axis];
    if (!is_open(s, axis, &b))
        return;

    // several cells may lie in one passage
    vn_avoid_strait strait = strait_of(s, axis, &b);
    for (uint32_t i = 0; i < s->count && i < s->capacity; ++i)
        if (is_same(&s->out[i], &strait))
            return;
    if (s->count < s->capacity)
        s->out[s->count] = strait;
    else
        s->full = true;
    s->count += s->count < s->capacity;
}

static bool visit_cell(void* user, vn_voxel low, vn_voxel high) {
    search* s = user;
    vn_voxel middle = {(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
    const int32_t size[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
    for (int axis = 0; axis < 3; ++axis)
        if (size[vni_other_axes[axis][0]] <= s->widest && size[vni_other_axes[axis][1]] <= s->widest)
            try_axis(s, axis, middle);
    return !s->full;
}

vn_status vn_avoid_find_straits(const vn_space* space, float radius, vn_avoid_strait* out, uint32_t capacity,
                                uint32_t* count) {
    VNI_ASSERT(space != NULL && count != NULL && (out != NULL || capacity == 0));
    *count = 0;
    if (!(radius > 0) || !vni_is_finite((double)radius))
        return VN_BAD_ARGUMENT;
    if (!vni_space_has_cells(space))
        return VN_UNSUPPORTED;

    // narrower than two radii between centres, in whole voxels
    double voxels = 2 * (double)radius / (double)space->resolution;
    double whole = floor(voxels);
    const int32_t* dims = space->occupancy.dims;
    search s = {space, (int32_t)vni_clamp(whole == voxels ? whole - 1 : whole, 0, 1 << 20), out, capacity, 0,
                false};
    vn_space_visit_cells(space, (vn_voxel){0, 0, 0}, (vn_voxel){dims[0], dims[1], dims[2]}, visit_cell, &s);
    *count = s.count;
    return s.full ? VN_CAPACITY : VN_OK;
}
