/// classic/jps_rows.c: finding the ends of straight runs, a brick of 64 voxels at a time.
#include "classic/jps_rows.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/jps_words.h"

#include <string.h>

/// A chunk's bricks with one more on every side, z slowest; bits of voxels outside the space are set.
typedef struct surroundings {
    uint64_t bricks[6][6][6];
} surroundings;

/// One pass over all bricks near blocked ones: first counts the events of each row, then writes them.
typedef struct pass {
    const vni_grid* grid;
    const vni_occupancy* occupancy;
    const vni_jps_rules* rules;
    vni_jps_rows* rows;
    bool writes;
} pass;

// ------------------------------------------------------------------------------- words of 4 x 4 x 4 bits

/// At each voxel the bit of the voxel one lower on the axis; `below` is the word before.
static inline uint64_t from_below(int axis, uint64_t word, uint64_t below) {
    return vni_jps_raise(axis, word) | vni_jps_last_to_first(axis, below);
}

/// The same of the voxel one higher.
static inline uint64_t from_above(int axis, uint64_t word, uint64_t above) {
    return vni_jps_lower(axis, word) | vni_jps_first_to_last(axis, above);
}

static inline uint64_t spread(int axis, const uint64_t w[3]) {
    return w[1] | from_below(axis, w[1], w[0]) | from_above(axis, w[1], w[2]);
}

/// Bricks of a brick (bricks of a chunk, as bits) that have a set one among the 27 around them.
static uint64_t spread_all(uint64_t words[3][3][3]) {
    uint64_t planes[3];
    for (int z = 0; z < 3; ++z) {
        uint64_t rows[3];
        for (int y = 0; y < 3; ++y)
            rows[y] = spread(0, words[z][y]);
        planes[z] = spread(1, rows);
    }

    return spread(2, planes);
}

/// out[k]: at each voxel of the middle brick, is the voxel k of the 3x3x3 around it blocked or outside?
static void look_around(const surroundings* s, int bx, int by, int bz, uint64_t out[27]) {
    // Three shifts, one axis after another, share their partial results: 27 words for 9 + 9 + 9 shifts.
    uint64_t rows[3][3][3], planes[3][3][3]; // [z][y][x], shifted along x, then also along y
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 3; ++y) {
            const uint64_t* w = &s->bricks[bz + z][by + y][bx];
            rows[z][y][0] = from_below(0, w[1], w[0]);
            rows[z][y][1] = w[1];
            rows[z][y][2] = from_above(0, w[1], w[2]);
        }

    for (int z = 0; z < 3; ++z)
        for (int x = 0; x < 3; ++x) {
            planes[z][0][x] = from_below(1, rows[z][1][x], rows[z][0][x]);
            planes[z][1][x] = rows[z][1][x];
            planes[z][2][x] = from_above(1, rows[z][1][x], rows[z][2][x]);
        }

    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) {
            out[x + 3 * y] = from_below(2, planes[1][y][x], planes[0][y][x]);
            out[x + 3 * y + 9] = planes[1][y][x];
            out[x + 3 * y + 18] = from_above(2, planes[1][y][x], planes[2][y][x]);
        }
}

// ------------------------------------------------------------------------------------------------ chunks

/// Bits of the brick at these brick coordinates that lie outside the space.
static uint64_t outside_bits(const pass* p, int32_t bx, int32_t by, int32_t bz) {
    const int32_t at[3] = {bx, by, bz};
    uint64_t bits = 0;
    for (int i = 0; i < 3; ++i) {
        int32_t left = p->occupancy->dims[i] - 4 * at[i]; // planes that are inside
        if (at[i] < 0 || left <= 0)
            return ~(uint64_t)0;
        for (int32_t plane = left; plane < 4; ++plane)
            bits |= vni_jps_plane(i, plane);
    }

    return bits;
}

static void surround(const pass* p, const int32_t chunk[3], surroundings* out) {
    for (int32_t z = 0; z < 6; ++z)
        for (int32_t y = 0; y < 6; ++y)
            for (int32_t x = 0; x < 6; ++x) {
                int32_t bx = 4 * chunk[0] + x - 1, by = 4 * chunk[1] + y - 1, bz = 4 * chunk[2] + z - 1;
                uint64_t outside = outside_bits(p, bx, by, bz);
                out->bricks[z][y][x] =
                    ~outside ? outside | vni_occupancy_brick(p->occupancy, 4 * bx, 4 * by, 4 * bz) : outside;
            }
}

/// A chunk's bricks with a blocked voxel; 0 outside the space.
static uint64_t some_of(const vni_occupancy* o, int32_t cx, int32_t cy, int32_t cz) {
    int32_t x = 16 * cx, y = 16 * cy, z = 16 * cz;
    if (!vni_occupancy_inside(o, x, y, z))
        return 0;
    const vni_block* block = vni_occupancy_block(o, x, y, z);
    return block != NULL ? block->some[vni_chunk_of(x, y, z)] : 0;
}

/// The chunk's bricks that have a blocked voxel in the 27 bricks around.
static uint64_t bricks_near(const vni_occupancy* o, const int32_t chunk[3]) {
    uint64_t words[3][3][3], any = 0;
    for (int32_t z = 0; z < 3; ++z)
        for (int32_t y = 0; y < 3; ++y)
            for (int32_t x = 0; x < 3; ++x) {
                words[z][y][x] = some_of(o, chunk[0] + x - 1, chunk[1] + y - 1, chunk[2] + z - 1);
                any |= words[z][y][x];
            }

    return any ? spread_all(words) : 0;
}

// ------------------------------------------------------------------------------------------------ events

/// Voxels of a brick at which a straight run along `direction` has a forced step.
static uint64_t forced_in(const vni_jps_rules* rules, uint32_t direction, const uint64_t blocked[27]) {
    uint64_t watched = 0, out = 0;
    for (uint32_t left = rules->watch[direction]; left; left &= left - 1)
        watched |= blocked[vni_lowest_bit(left)];

    if (!watched)
        return 0;

    // All 64 voxels at once: a step is forced where each mask has a blocked voxel and all that the step needs
    // is free.
    for (uint32_t i = 0; i < rules->forced_count[direction]; ++i) {
        const vni_jps_forced* f = &rules->forced[direction][i];
        uint64_t holds = watched & ~out;
        for (uint32_t k = 0; k < 3 && f->masks[k] != UINT32_MAX; ++k) {
            uint64_t any = 0;
            for (uint32_t left = f->masks[k]; left; left &= left - 1)
                any |= blocked[vni_lowest_bit(left)];
            holds &= any;
        }

        for (uint32_t left = f->needs; left && holds; left &= left - 1)
            holds &= ~blocked[vni_lowest_bit(left)];

        out |= holds;
    }

    return out;
}

/// Adds the voxels `forced` and `walls` of the brick at voxel `low` to their rows.
static void take(const pass* p, uint32_t direction, const int32_t low[3], uint64_t forced, uint64_t walls) {
    const vni_jps_rows* rows = p->rows;
    int axis = rows->axis[direction], u = vni_jps_row_low(axis), v = vni_jps_row_high(axis);
    uint32_t column = rows->columns[axis][(low[u] >> 6) + rows->blocks[u] * (low[v] >> 6)];
    VNI_ASSERT(column != VNI_JPS_NO_COLUMN && (forced & walls) == 0);

    uint32_t* first = rows->first[direction] + column;

    // Counting sort in two passes over the same bricks. The first counts row r in first[r + 2]; summed up,
    // first[r + 1] is where row r begins, and the second pass moves it to where row r + 1 begins: first[r] is
    // then right for all.
    for (uint64_t left = forced | walls; left; left &= left - 1) {
        uint32_t bit = vni_lowest_bit(left);
        const int32_t at[3] = {low[0] + (int32_t)(bit & 3), low[1] + (int32_t)(bit >> 2 & 3),
                               low[2] + (int32_t)(bit >> 4)};
        VNI_ASSERT(vni_occupancy_inside(p->occupancy, at[0], at[1], at[2]));

        uint32_t row = (uint32_t)((at[u] & 63) | (at[v] & 63) << 6);
        if (p->writes)
            rows->events[direction][first[row + 1]++] =
                (uint32_t)at[axis] << 1 | (uint32_t)(forced >> bit & 1);
        else
            ++first[row + 2];
    }
}

static void take_brick(const pass* p, const surroundings* s, const int32_t chunk[3], uint32_t brick) {
    int bx = (int)(brick & 3), by = (int)(brick >> 2 & 3), bz = (int)(brick >> 4);
    const int32_t low[3] = {16 * chunk[0] + 4 * bx, 16 * chunk[1] + 4 * by, 16 * chunk[2] + 4 * bz};
    uint64_t outside = outside_bits(p, low[0] >> 2, low[1] >> 2, low[2] >> 2), blocked[27];
    if (!~outside)
        return;

    look_around(s, bx, by, bz, blocked);

    // An event needs a run that comes in: the voxel before it along the direction is free.
    for (uint32_t d = 0; d < 6; ++d) {
        const int32_t* step = p->grid->step[d];
        uint64_t entered = ~blocked[13 - step[0] - 3 * step[1] - 9 * step[2]];
        uint64_t forced = forced_in(p->rules, d, blocked) & entered;
        uint64_t walls = blocked[13] & entered & ~outside;
        if (forced | walls)
            take(p, d, low, forced, walls);
    }
}

/// Chunks in order, x fastest, and so their bricks: each row's events come in rising order.
static void take_all(const pass* p) {
    int32_t chunk[3], count[3];
    for (int i = 0; i < 3; ++i)
        count[i] = (p->occupancy->dims[i] + 15) >> 4;

    for (chunk[2] = 0; chunk[2] < count[2]; ++chunk[2])
        for (chunk[1] = 0; chunk[1] < count[1]; ++chunk[1])
            for (chunk[0] = 0; chunk[0] < count[0]; ++chunk[0]) {
                uint64_t left = bricks_near(p->occupancy, chunk);
                if (!left)
                    continue;

                surroundings s;
                surround(p, chunk, &s);
                for (; left; left &= left - 1)
                    take_brick(p, &s, chunk, vni_lowest_bit(left));
            }
}

// ------------------------------------------------------------------------------------------------ memory

/// Marks the columns of all three axes that pass through the block or beside it.
static void mark_columns(vni_jps_rows* rows, const int32_t block[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        int u = vni_jps_row_low(axis), v = vni_jps_row_high(axis);
        for (int32_t dv = -1; dv <= 1; ++dv)
            for (int32_t du = -1; du <= 1; ++du) {
                int32_t bu = block[u] + du, bv = block[v] + dv;
                if ((uint32_t)bu < (uint32_t)rows->blocks[u] && (uint32_t)bv < (uint32_t)rows->blocks[v])
                    rows->columns[axis][bu + rows->blocks[u] * bv] = 0;
            }
    }
}

/// Numbers the rows of the marked columns. False if they do not fit in 32 bits.
static bool number_columns(vni_jps_rows* rows, int axis) {
    uint64_t next = 0;
    for (uint32_t i = 0; i < rows->column_count[axis]; ++i)
        if (rows->columns[axis][i] != VNI_JPS_NO_COLUMN) {
            rows->columns[axis][i] = (uint32_t)next;
            next += VNI_JPS_COLUMN_ROWS;
            if (next >= UINT32_MAX - 2)
                return false;
        }

    rows->row_count[axis] = (uint32_t)next;
    return true;
}

static vn_status make_columns(vni_jps_rows* rows, const vni_occupancy* o, vn_detail* detail) {
    for (int axis = 0; axis < 3; ++axis) {
        rows->column_count[axis] =
            (uint32_t)o->blocks[vni_jps_row_low(axis)] * (uint32_t)o->blocks[vni_jps_row_high(axis)];
        rows->columns[axis] = VNI_NEW_ARRAY(&rows->allocator, uint32_t, rows->column_count[axis]);
        if (rows->columns[axis] == NULL)
            return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the rows of jump point search");
        memset(rows->columns[axis], 0xff, rows->column_count[axis] * sizeof(uint32_t));
    }

    int32_t at[3];
    for (at[2] = 0; at[2] < o->blocks[2]; ++at[2])
        for (at[1] = 0; at[1] < o->blocks[1]; ++at[1])
            for (at[0] = 0; at[0] < o->blocks[0]; ++at[0])
                if (o->table[vni_block_index(o->blocks, at[0], at[1], at[2])] != NULL)
                    mark_columns(rows, at);

    for (int axis = 0; axis < 3; ++axis)
        if (!number_columns(rows, axis))
            return vni_fail(detail, VN_TOO_LARGE, "more rows of voxels than jump point search can number");

    return VN_OK;
}

/// Turns the counts of the first pass into where each row begins, and takes memory for the events.
static bool make_events(vni_jps_rows* rows, uint32_t direction, uint32_t row_count) {
    uint32_t* first = rows->first[direction];
    VNI_ASSERT(first != NULL && rows->events[direction] == NULL);
    for (uint32_t i = 2; i < row_count + 2; ++i)
        first[i] += first[i - 1];

    uint32_t count = first[row_count + 1];
    rows->events[direction] = VNI_NEW_ARRAY(&rows->allocator, uint32_t, count);
    return count == 0 || rows->events[direction] != NULL;
}

static vn_status fill(vni_jps_rows* rows, const vni_grid* grid, vn_detail* detail) {
    vni_jps_rules rules;
    vni_jps_rules_make(grid, &rules);
    pass p = {grid, grid->occupancy, &rules, rows, false};
    for (uint32_t d = 0; d < 6; ++d) {
        uint32_t row_count = rows->row_count[vni_jps_axis(grid, d)];
        rows->first[d] = vni_alloc_zero(&rows->allocator, (uint64_t)row_count + 2, sizeof(uint32_t));
        if (rows->first[d] == NULL)
            return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the rows of jump point search");
    }

    take_all(&p);
    for (uint32_t d = 0; d < 6; ++d)
        if (!make_events(rows, d, rows->row_count[vni_jps_axis(grid, d)]))
            return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the rows of jump point search");

    p.writes = true;
    take_all(&p);
    return VN_OK;
}

vn_status vni_jps_rows_make(const vn_allocator* allocator, const vni_grid* grid, vni_jps_rows* out,
                            vn_detail* detail) {
    VNI_ASSERT(grid->neighbours == 26 && vni_allocator_is_valid(allocator));

    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
    memcpy(out->blocks, grid->occupancy->blocks, sizeof out->blocks);
    for (uint32_t d = 0; d < 6; ++d)
        out->axis[d] = (uint8_t)vni_jps_axis(grid, d);

    vn_status status = make_columns(out, grid->occupancy, detail);
    if (status == VN_OK)
        status = fill(out, grid, detail);

    if (status != VN_OK)
        vni_jps_rows_free(out);

    return status;
}

static uint32_t event_count(const vni_jps_rows* rows, uint32_t direction) {
    const uint32_t* first = rows->first[direction];
    return first != NULL ? first[rows->row_count[rows->axis[direction]] + 1] : 0;
}

void vni_jps_rows_free(vni_jps_rows* rows) {
    if (rows->columns[0] == NULL)
        return; // nothing was made
    for (uint32_t d = 0; d < 6; ++d) {
        uint64_t row_count = rows->row_count[rows->axis[d]];
        VNI_DELETE_ARRAY(&rows->allocator, rows->events[d], event_count(rows, d));
        VNI_DELETE_ARRAY(&rows->allocator, rows->first[d], row_count + 2);
    }

    for (int axis = 0; axis < 3; ++axis)
        VNI_DELETE_ARRAY(&rows->allocator, rows->columns[axis], rows->column_count[axis]);

    memset(rows, 0, sizeof *rows);
}

size_t vni_jps_rows_bytes(const vni_jps_rows* rows) {
    size_t bytes = 0;
    for (uint32_t d = 0; d < 6; ++d)
        if (rows->first[d] != NULL)
            bytes += ((size_t)event_count(rows, d) + rows->row_count[rows->axis[d]] + 2) * sizeof(uint32_t);

    for (int axis = 0; axis < 3; ++axis)
        bytes += rows->column_count[axis] * sizeof(uint32_t);
    return bytes;
}
