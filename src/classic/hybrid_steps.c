/// classic/hybrid_steps.c: stepping, with rows of bits instead of single voxels.
///
/// The innermost loop of every search is a run along one axis until something is used or blocked. Rows along
/// each axis, with a bit for each such voxel, answer a run with one look at a word or two; so an edge
/// neighbour takes O(side) and a vertex neighbour O(side^2), however far away they are.
#include "classic/hybrid_steps.h"
#include "base/alloc.h"
#include "base/fail.h"

/// The other two axes, which number the rows.
static const int next_axis[3] = {1, 2, 0}, last_axis[3] = {2, 0, 1};

static uint64_t row_of(const vni_stepper* s, int axis, const int32_t at[3]) {
    const int u = next_axis[axis], v = last_axis[axis];
    return ((uint64_t)at[u] + (uint64_t)s->dims[u] * (uint64_t)at[v]) * s->row_words[axis];
}

static uint64_t stop_words(const vni_stepper* s, int axis) {
    return (uint64_t)s->dims[next_axis[axis]] * (uint64_t)s->dims[last_axis[axis]] * s->row_words[axis];
}

/// The number of a voxel's brick, as in view/grid.h.
static uint64_t brick_of(const vni_stepper* s, const int32_t at[3]) {
    const uint64_t row = (uint64_t)(at[1] >> 2) + (uint64_t)s->bricks[1] * (uint64_t)(at[2] >> 2);
    return (uint64_t)(at[0] >> 2) + (uint64_t)s->bricks[0] * row;
}

/// Sets the bits of one brick's voxels in the rows of all three axes.
static void add_brick(vni_stepper* s, const int32_t low[3], uint64_t word) {
    for (; word != 0; word &= word - 1) {
        const int32_t bit = (int32_t)vni_lowest_bit(word);
        const int32_t at[3] = {low[0] + (bit & 3), low[1] + (bit >> 2 & 3), low[2] + (bit >> 4)};
        for (int axis = 0; axis < 3; ++axis)
            vni_bits_set(s->stops[axis] + row_of(s, axis, at), (uint64_t)at[axis]);
    }
}

vn_status vni_stepper_make(const vn_allocator* allocator, const vni_occupancy* fixed, const uint64_t* used,
                           vni_stepper* out, vn_detail* detail) {
    vni_stepper s = {.allocator = *allocator, .used = used};
    bool made = true;
    for (int axis = 0; axis < 3; ++axis) {
        s.dims[axis] = fixed->dims[axis];
        s.row_words[axis] = vni_bits_words((uint64_t)fixed->dims[axis]);
    }

    s.bricks[0] = (s.dims[0] + 3) >> 2;
    s.bricks[1] = (s.dims[1] + 3) >> 2;
    for (int axis = 0; axis < 3 && made; ++axis) {
        s.stops[axis] = (uint64_t*)vni_alloc_zero(allocator, stop_words(&s, axis), sizeof(uint64_t));
        made = s.stops[axis] != NULL;
    }

    *out = (vni_stepper){0};
    if (!made) {
        vni_stepper_free(&s);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the rows of a hybrid graph");
    }

    for (int32_t z = 0; z < s.dims[2]; z += 4)
        for (int32_t y = 0; y < s.dims[1]; y += 4)
            for (int32_t x = 0; x < s.dims[0]; x += 4) {
                const int32_t at[3] = {x, y, z};
                add_brick(&s, at, vni_occupancy_brick(fixed, x, y, z) | used[brick_of(&s, at)]);
            }

    *out = s;
    return VN_OK;
}

void vni_stepper_free(vni_stepper* stepper) {
    for (int axis = 0; axis < 3; ++axis)
        if (stepper->stops[axis] != NULL)
            VNI_DELETE_ARRAY(&stepper->allocator, stepper->stops[axis], stop_words(stepper, axis));
    *stepper = (vni_stepper){0};
}

size_t vni_stepper_bytes(const vni_stepper* stepper) {
    uint64_t words = 0;
    for (int axis = 0; axis < 3; ++axis)
        words += stop_words(stepper, axis);
    return (size_t)(words * sizeof(uint64_t));
}

uint64_t vni_stepper_walls(const vni_stepper* s, const int32_t low[3]) {
    uint64_t stops = 0;
    for (int32_t z = 0; z < 4 && low[2] + z < s->dims[2]; ++z)
        for (int32_t y = 0; y < 4 && low[1] + y < s->dims[1]; ++y) {
            // A brick's row of four lies in one word, and nothing is set beyond the end of the row.
            const int32_t at[3] = {low[0], low[1] + y, low[2] + z};
            const uint64_t row = s->stops[0][row_of(s, 0, at) + (uint64_t)(low[0] >> 6)];
            stops |= (row >> (low[0] & 63) & 15) << (4 * y + 16 * z);
        }

    // What stops and is no node is an obstacle.
    return stops & ~s->used[brick_of(s, low)];
}

/// The first set bit of a row after `at` upwards, or before it downwards; `none` if there is none.
static int32_t next_stop(const uint64_t* row, int32_t at, int32_t step, int32_t dim, int32_t none) {
    int32_t i = at + step;
    if (i < 0 || i >= dim)
        return none;

    if (step > 0) {
        for (uint64_t word = row[i >> 6] >> (i & 63) << (i & 63);; word = row[i >> 6]) {
            if (word != 0)
                return (i & ~63) + (int32_t)vni_lowest_bit(word);
            i = (i & ~63) + 64;
            if (i >= dim)
                return none;
        }
    }

    for (uint64_t word = row[i >> 6] << (63 - (i & 63)) >> (63 - (i & 63));; word = row[i >> 6]) {
        if (word != 0)
            return (i & ~63) + (int32_t)vni_highest_bit(word);
        i = (i & ~63) - 1;
        if (i < 0)
            return none;
    }
}

static bool is_used(const vni_stepper* s, const int32_t at[3]) {
    return s->used[brick_of(s, at)] >> vni_bit_of(at[0], at[1], at[2]) & 1;
}

/// Inside, and not blocked: stops that are used are free.
static bool is_free(const vni_stepper* s, const int32_t at[3]) {
    for (int i = 0; i < 3; ++i)
        if (at[i] < 0 || at[i] >= s->dims[i])
            return false;
    return !vni_bits_get(s->stops[0] + row_of(s, 0, at), (uint64_t)at[0]) || is_used(s, at);
}

/// The first used voxel along one axis; `*blocked_at_once`: the very first step is blocked, or leads outside.
static bool find_along(const vni_stepper* s, const int32_t from[3], int axis, int32_t step, int32_t out[3],
                       bool* blocked_at_once) {
    const uint64_t* row = s->stops[axis] + row_of(s, axis, from);
    const int32_t end = step > 0 ? s->dims[axis] : -1;
    const int32_t stop = next_stop(row, from[axis], step, s->dims[axis], end);
    for (int i = 0; i < 3; ++i)
        out[i] = from[i];

    out[axis] = stop;
    const bool found = stop != end && is_used(s, out);
    *blocked_at_once = !found && stop == from[axis] + step;
    return found;
}

/// Directions of up to three axes, in the order in which they are stepped along.
typedef struct split {
    int axis[3];
    int32_t step[3];
    int count;
} split;

/// One axis: a run. More: steps along the first of them, and from each step a search along the others.
/// Recursion ends after three levels.
static bool find(const vni_stepper* s, const int32_t from[3], const split* d, int level, int32_t out[3],
                 bool* blocked_at_once) {
    const int axis = d->axis[level];
    const int32_t step = d->step[level];
    if (level + 1 == d->count)
        return find_along(s, from, axis, step, out, blocked_at_once);

    int32_t at[3] = {from[0], from[1], from[2]};
    *blocked_at_once = true;
    for (at[axis] += step; is_free(s, at); at[axis] += step) {
        bool ends = false;
        *blocked_at_once = false;
        if (find(s, at, d, level + 1, out, &ends))
            return true;
        if (ends)
            return false;
    }

    return false;
}

bool vni_stepper_find(const vni_stepper* stepper, vn_voxel from, const int32_t direction[3], vn_voxel* out) {
    const int32_t start[3] = {from.x, from.y, from.z};
    int32_t found[3] = {0, 0, 0};
    bool ends;
    split d = {.count = 0};

    for (int axis = 0; axis < 3; ++axis) {
        if (direction[axis] == 0)
            continue;
        int32_t beside[3] = {start[0], start[1], start[2]};
        beside[axis] += direction[axis];
        if (!is_free(stepper, beside))
            return false;
        d.axis[d.count] = axis;
        d.step[d.count++] = direction[axis];
    }

    VNI_ASSERT(d.count > 0);
    if (!find(stepper, start, &d, 0, found, &ends))
        return false;
    *out = (vn_voxel){found[0], found[1], found[2]};
    return true;
}
