/// cells/validate_cover.c: checks that the cells of a block hold each free voxel exactly once, and no other
/// voxel, where the lookup expects them.
///
/// Whole cells are painted as chunks of one word. Cells of a mixed chunk are toggled, all of them at once: a
/// voxel that lies in an odd number of cells must be free, one in an even number must not be, and the volumes
/// of all cells must add up to the free voxels of the block. A free voxel then lies in one cell at least, so
/// that the sum leaves no voxel a second one, and no blocked voxel any. Only the corners of cells are toggled
/// (toggle): what is compared is the difference of each voxel to its lower neighbours, along x, then y, then
/// z. A block that fails is painted cell by cell, to find out what is wrong.
///
/// Counting: each pair of free voxels that share a face lies either inside one cell, or on the two sides of a
/// link. So
///
///     area of all links inside the block = 2 (free pairs in the bricks - pairs inside cells)
///
/// with 2 for both directions. validate_links.c compares that with the links: none is missing.
#include "cells/validate.h"
#include "geom/vec.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------ voxels

#define ZERO_8 0, 0, 0, 0, 0, 0, 0, 0
#define ONES   (~(uint64_t)0)
#define ONES_8 ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES

static const uint64_t open_chunk[64] = {ZERO_8};
static const uint64_t closed_chunk[64] = {ONES_8, ONES_8, ONES_8, ONES_8, ONES_8, ONES_8, ONES_8, ONES_8};

/// The voxels of a block, chunk by chunk. Most chunks are all free or all blocked, and share one constant.
typedef struct chunks {
    const uint64_t* solid[VNI_CHUNK_COUNT]; ///< open_chunk, closed_chunk, or the worker's
    uint64_t open;                          ///< chunks that begin inside the limit and hold no blocked voxel
    uint64_t mixed;                         ///< chunks that have cells of their own
    uint64_t some[VNI_CHUNK_COUNT];         ///< of those: bricks that may hold a solid voxel
} chunks;

/// The blocked voxels of one chunk.
static void load_chunk(const vni_block* block, uint32_t chunk, uint64_t* solid) {
    const uint64_t full = block->full[chunk];
    const uint64_t* next = block->bricks + block->first[chunk];
    memset(solid, 0, 64 * sizeof *solid);
    for (uint64_t left = full; left; left &= left - 1)
        solid[vni_lowest_bit(left)] = ONES;

    for (uint64_t left = block->some[chunk] & ~full; left; left &= left - 1)
        solid[vni_lowest_bit(left)] = *next++;

    VNI_ASSERT(next <= block->bricks + block->mixed_count);
}

/// Where a chunk lies: -1 outside the limit, 0 across it, 1 inside.
static int side_of_limit(uint32_t chunk, const int32_t limit[3]) {
    int side = 1;
    for (int i = 0; i < 3; ++i) {
        int32_t low = VNI_CHUNK_SIZE * (int32_t)(chunk >> 2 * i & 3);
        if (low >= limit[i])
            return -1;
        side = low + VNI_CHUNK_SIZE > limit[i] ? 0 : side;
    }

    return side;
}

/// Voxels outside the limit count as solid.
static void load_chunks(vni_validator* worker, const vni_block* block, const int32_t limit[3], chunks* out) {
    out->open = out->mixed = 0;
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const uint64_t some = block->some[c], full = block->full[c], bit = (uint64_t)1 << c;
        const int side = side_of_limit(c, limit);
        out->solid[c] = side < 0 || full == ONES ? closed_chunk : open_chunk;
        out->open |= side >= 0 && !some ? bit : 0;
        if (side >= 0 && full != ONES && (some || side == 0)) {
            // a free chunk across the limit is loaded, for its voxels outside count as solid, but stays open
            out->mixed |= some ? bit : 0;
            out->some[c] = side == 0 ? ONES : some;
            out->solid[c] = worker->solid[c];
            load_chunk(block, c, worker->solid[c]);
        }

        for (uint32_t brick = 0; side == 0 && brick < 64; ++brick)
            worker->solid[c][brick] |= ~vni_brick_inside(c, brick, limit);
    }
}

// ------------------------------------------------------------------------------------------------- pairs

/// Pairs of face neighbours inside a box: (x - 1) y z + x (y - 1) z + x y (z - 1).
static inline uint32_t box_pairs(uint32_t x, uint32_t y, uint32_t z) {
    return 3 * x * y * z - x * y - x * z - y * z;
}

/// Set bits of each byte; several results may be added before they are summed.
static inline uint64_t byte_counts(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
}

static inline uint32_t sum_of_bytes(uint64_t x) {
    x = (x & 0x00ff00ff00ff00ffu) + (x >> 8 & 0x00ff00ff00ff00ffu);
    return (uint32_t)((x * 0x0001000100010001u) >> 48);
}

/// Solid voxels whose upper neighbour along an axis is solid too. The neighbours are the brick moved down by
/// one place; the last place is filled from the brick above:
///
///     row of a brick   3 2 1 0    and of the one above   7 6 5 4    neighbours   4 3 2 1
static inline uint64_t solid_pairs(uint64_t brick, uint64_t above, int axis) {
    static const uint64_t tops[3] = {0x8888888888888888u, 0xf000f000f000f000u, 0xffff000000000000u};
    const uint32_t step = 1u << 2 * axis; // 1, 4, 16
    return brick & ((brick >> step & ~tops[axis]) | (above << 3 * step & tops[axis]));
}

/// Set bits of three words, by byte: up to 24. Adds the words bit by bit, so that only two are counted.
static inline uint64_t byte_counts_of_three(uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t one = a ^ b, ones = one ^ c, twos = (a & b) | (one & c);
    return byte_counts(ones) + 2 * byte_counts(twos);
}

/// Solid pairs from the voxels of a chunk to their upper neighbours, which may lie in the three chunks above
/// it. Four bricks along x at a time, without a branch among them, so that compilers use vectors.
static uint32_t count_pairs(const uint64_t* solid, const uint64_t* const above[3]) {
    uint32_t count = 0;
    for (uint32_t row = 0; row < 64; row += 4) {
        const uint64_t* y = row % 16 < 12 ? solid + row + 4 : above[1] + row - 12;
        const uint64_t* z = row < 48 ? solid + row + 16 : above[2] + row - 48;
        const uint64_t* word = solid + row;
        if ((word[0] | word[1] | word[2] | word[3]) == 0)
            continue;

        const uint64_t x[4] = {word[1], word[2], word[3], above[0][row]};
        uint64_t counts[4];
        for (uint32_t i = 0; i < 4; ++i)
            counts[i] = byte_counts_of_three(solid_pairs(word[i], x[i], 0), solid_pairs(word[i], y[i], 1),
                                             solid_pairs(word[i], z[i], 2));

        count += sum_of_bytes(counts[0] + counts[1] + counts[2] + counts[3]);
    }

    return count;
}

/// Solid voxels in the lowest (place 0) or highest (3) plane of a chunk across an axis. The planes of four
/// bricks fit in one word: each is moved to a place of its own.
static uint32_t count_plane(const uint64_t* solid, int axis, uint32_t place) {
    const uint32_t step = 1u << 2 * axis, a = 1u << 2 * vni_other_axes[axis][0],
                   b = 1u << 2 * vni_other_axes[axis][1];
    uint64_t counts = 0; // up to 4 * 8 a byte
    if (solid == open_chunk || solid == closed_chunk)
        return solid == open_chunk ? 0 : VNI_CHUNK_SIZE * VNI_CHUNK_SIZE;

    solid += place * step;
    for (uint32_t row = 0; row < 4 * b; row += b) {
        uint64_t word = 0;
        for (uint32_t i = 0; i < 4; ++i)
            word |= (solid[row + i * a] >> place * step & vni_axis_bits[axis][1]) << i * step;
        counts += byte_counts(word);
    }

    return sum_of_bytes(counts);
}

/// What one chunk takes from the pairs of a block: its solid pairs, and its solid voxels on the faces of the
/// block, which lack a neighbour there.
static uint32_t count_chunk(const chunks* c, uint32_t chunk) {
    const uint64_t *solid = c->solid[chunk], *above[3];
    uint32_t count = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const uint32_t at = chunk >> 2 * axis & 3;
        above[axis] = at < 3 ? c->solid[chunk + (1u << 2 * axis)] : open_chunk;
        count += at == 0 ? count_plane(solid, axis, 0) : 0;
        count += at == 3 ? count_plane(solid, axis, 3) : 0;
        count += solid == closed_chunk ? count_plane(above[axis], axis, 0) : 0;
    }

    return count + (solid == closed_chunk ? box_pairs(VNI_CHUNK_SIZE, VNI_CHUNK_SIZE, VNI_CHUNK_SIZE)
                                          : count_pairs(solid, above));
}

/// All pairs of free neighbours in the block: all pairs, without those that have a solid voxel. Each solid
/// voxel is in six, unless it lies on the face of the block; those of two solid voxels count once.
static uint32_t count_block_pairs(const chunks* c, uint32_t solid_voxels) {
    uint32_t twice = 0;
    for (uint32_t i = 0; i < VNI_CHUNK_COUNT; ++i)
        twice += c->solid[i] != open_chunk ? count_chunk(c, i) : 0;
    return box_pairs(VNI_BLOCK_SIZE, VNI_BLOCK_SIZE, VNI_BLOCK_SIZE) - (6 * solid_voxels - twice);
}

// ------------------------------------------------------------------------------------------------- cells

/// The block that is being checked.
typedef struct job {
    vni_validator* worker;
    const vni_cell_block* cells;
    const vni_block* voxels;
    int32_t limit[3];
    chunks chunks;
    uint32_t tags; ///< bits of a component that tags hold; 0 in a block of one, whose number is checked alone
    uint64_t faces;  ///< of the cells so far, three a cell, in voxels
    uint64_t volume; ///< of the cells so far, in voxels
} job;

/// Sets the keys of a cell; false if it is not a box inside the block.
static inline bool set_key(const job* j, uint32_t index, vni_box_key* key) {
    VNI_ASSERT(index < j->cells->cell_count);
    const vni_cell* cell = &j->cells->cells[index];
    *key = vni_key_of_cell(cell);
    vni_key_each(*key, cell->component & j->tags, j->worker->keys + 4 * (size_t)index);
    return vni_key_is_box(*key);
}

/// The sizes of a box along each axis, a byte each. No byte borrows.
static inline uint32_t sizes_of(vni_box_key key) {
    return 0x7f7f7f - ((uint32_t)key + (uint32_t)(key >> 32));
}

/// Adds the volume of a cell, and what its three lower faces have in voxels: pairs are 3 * volume - faces.
static inline void count_cell(job* j, uint32_t sizes) {
    const uint32_t x = sizes & 0xff, y = sizes >> 8 & 0xff, yz = y * (sizes >> 16);
    j->faces += x * (y + (sizes >> 16)) + yz;
    j->volume += x * yz;
}

/// Paints a whole cell: its chunks as bits of `*done`. What is wrong, or null.
static const char* paint_large(const vni_cell* cell, const int32_t limit[3], const chunks* c,
                               uint64_t* done) {
    uint64_t bits = ONES;
    VNI_ASSERT((c->open & c->mixed) == 0);

    for (int i = 0; i < 3; ++i) {
        if (cell->high[i] > limit[i])
            return "sticks out of the space";
        if (cell->low[i] % VNI_CHUNK_SIZE || (cell->high[i] % VNI_CHUNK_SIZE && cell->high[i] != limit[i]))
            return "is one of the large ones, but is not made of whole chunks";
        uint32_t first = cell->low[i] / VNI_CHUNK_SIZE, end = (cell->high[i] + 15u) / VNI_CHUNK_SIZE;
        bits &= vni_axis_bits[i][(1u << end) - (1u << first)];
    }

    if (bits & ~c->open)
        return "holds a blocked voxel, or part of a chunk that has its own cells";
    if (bits & *done)
        return "holds a voxel of another cell";

    *done |= bits;
    return NULL;
}

/// The coordinates [low, high) within a chunk, as 16 bits.
static inline uint32_t places(vni_box_key key, int axis) {
    const uint32_t low = (uint32_t)(key >> 8 * axis) & 127,
                   high = 127 - ((uint32_t)(key >> (32 + 8 * axis)) & 127);
    VNI_ASSERT(low < high && (low & 15) + (high - low) <= VNI_CHUNK_SIZE);
    return ((1u << (high - low)) - 1) << (low & 15);
}

/// The bricks of a chunk that a cell reaches into, one bit each.
static inline uint64_t bricks_of(const uint32_t at[3]) {
    uint64_t bricks = ONES;
    for (int i = 0; i < 3; ++i) {
        // a bit for each four places, gathered into the lowest four bits
        const uint32_t pairs = at[i] | at[i] >> 1, fours = (pairs | pairs >> 2) & 0x1111;
        bricks &= vni_axis_bits[i][(fours * 0x1248) >> 12 & 15];
    }

    return bricks;
}

/// Paints a cell inside one chunk, brick by brick; false if one of its voxels is set already. In each brick
/// three masks give the voxels of the box.
static inline bool paint_small(uint64_t* solid, vni_box_key key) {
    const uint32_t at[3] = {places(key, 0), places(key, 1), places(key, 2)};
    uint64_t clash = 0;
    for (uint64_t left = bricks_of(at); left; left &= left - 1) {
        const uint32_t brick = vni_lowest_bit(left);
        const uint64_t bits = vni_axis_bits[0][at[0] >> 4 * (brick & 3) & 15] &
                              vni_axis_bits[1][at[1] >> (brick & 12) & 15] &
                              vni_axis_bits[2][at[2] >> (brick >> 2 & 12) & 15];
        clash |= solid[brick] & bits;
        solid[brick] |= bits;
    }

    return clash == 0;
}

/// Finds out why a cell clashed, from the occupancy: the bits have been painted over.
static const char* why_taken(const vni_block* block, const vni_cell* cell, const int32_t limit[3]) {
    VNI_ASSERT(block != NULL);

    for (int i = 0; i < 3; ++i)
        if (cell->high[i] > limit[i])
            return "sticks out of the space";

    for (int32_t z = cell->low[2]; z < cell->high[2]; ++z)
        for (int32_t y = cell->low[1]; y < cell->high[1]; ++y)
            for (int32_t x = cell->low[0]; x < cell->high[0]; ++x)
                if (vni_block_brick(block, vni_chunk_of(x, y, z), vni_brick_of(x, y, z)) >>
                        vni_bit_of(x, y, z) &
                    1)
                    return "holds a blocked voxel";

    return "holds a voxel of another cell";
}

static const char* check_large(job* j, uint32_t* cell) {
    uint64_t done = 0;
    for (uint32_t i = 0; i < j->cells->first_of_chunk[0]; ++i) {
        const vni_cell* c = &j->cells->cells[i];
        vni_box_key key;
        *cell = i;
        if (!set_key(j, i, &key))
            return "is empty, or sticks out of its block";

        const char* what = paint_large(c, j->limit, &j->chunks, &done);
        if (what != NULL)
            return what;

        count_cell(j, sizes_of(key));
    }

    *cell = VNI_NO_CELL;
    return done == j->chunks.open ? NULL : "a free chunk lies in no cell";
}

static vni_box_key chunk_key(uint32_t chunk) {
    uint8_t low[3], high[3];
    VNI_ASSERT(chunk < VNI_CHUNK_COUNT);
    for (int i = 0; i < 3; ++i) {
        low[i] = (uint8_t)(VNI_CHUNK_SIZE * (chunk >> 2 * i & 3));
        high[i] = (uint8_t)(low[i] + VNI_CHUNK_SIZE);
    }

    return vni_key_of(low, high);
}

/// A chunk with a brick more along each axis, for the corners of cells that end with the chunk.
#define TOGGLE_SIDE  5
#define TOGGLE_WORDS (TOGGLE_SIDE * TOGGLE_SIDE * TOGGLE_SIDE)

/// Where a coordinate of a chunk, 0 to 16, leads in such a chunk: for each axis the part of 64 word + bit.
#define TOGGLE_AT(i, bit, word) ((bit) * ((i)&3) + 64 * (word) * ((i) >> 2))
#define TOGGLE_4(i, b, w)                                                                                    \
    TOGGLE_AT(i, b, w), TOGGLE_AT((i) + 1, b, w), TOGGLE_AT((i) + 2, b, w), TOGGLE_AT((i) + 3, b, w)
#define TOGGLE_17(b, w)                                                                                      \
    { TOGGLE_4(0, b, w), TOGGLE_4(4, b, w), TOGGLE_4(8, b, w), TOGGLE_4(12, b, w), TOGGLE_AT(16, b, w) }

static const uint16_t toggle_at[3][17] = {TOGGLE_17(1, 1), TOGGLE_17(4, TOGGLE_SIDE),
                                          TOGGLE_17(16, TOGGLE_SIDE* TOGGLE_SIDE)};

static inline void toggle_bit(uint64_t words[TOGGLE_WORDS], uint32_t at) {
    words[at >> 6] ^= (uint64_t)1 << (at & 63);
}

/// Toggles the eight corners of a cell, low ones inside it, high ones behind it. Summed up along the three
/// axes, modulo 2, that toggles its voxels:
///
///     one row    corners  0 1 0 0 1 0    sums from the left  0 1 1 1 0 0
static inline void toggle(uint64_t words[TOGGLE_WORDS], vni_box_key key, uint32_t sizes) {
    const uint32_t x = (uint32_t)key & 15, y = (uint32_t)key >> 8 & 15, z = (uint32_t)key >> 16 & 15;
    const uint32_t ends[3] = {x + (sizes & 0xff), y + (sizes >> 8 & 0xff), z + (sizes >> 16)};
    VNI_ASSERT(ends[0] <= 16 && ends[1] <= 16 && ends[2] <= 16);
    const uint32_t x0 = toggle_at[0][x], x1 = toggle_at[0][ends[0]];
    const uint32_t y0 = toggle_at[1][y], y1 = toggle_at[1][ends[1]];
    const uint32_t z0 = toggle_at[2][z], z1 = toggle_at[2][ends[2]];

    toggle_bit(words, x0 + y0 + z0);
    toggle_bit(words, x1 + y0 + z0);
    toggle_bit(words, x0 + y1 + z0);
    toggle_bit(words, x1 + y1 + z0);
    toggle_bit(words, x0 + y0 + z1);
    toggle_bit(words, x1 + y0 + z1);
    toggle_bit(words, x0 + y1 + z1);
    toggle_bit(words, x1 + y1 + z1);
}

/// The voxels of a brick that differ from their lower neighbours along an axis. `below` is the brick there.
static inline uint64_t differences(uint64_t brick, uint64_t below, int axis) {
    static const uint64_t lows[3] = {0x1111111111111111u, 0x000f000f000f000fu, 0x000000000000ffffu};
    const uint32_t step = 1u << 2 * axis;
    return brick ^ ((brick << step & ~lows[axis]) | (below >> 3 * step & lows[axis]));
}

/// The differences of four bricks of a row along x, of two rows along y, or of two planes along z.
static inline void differ_x(const uint64_t in[4], uint64_t out[4]) {
    const uint64_t below[4] = {0, in[0], in[1], in[2]};
    for (uint32_t i = 0; i < 4; ++i)
        out[i] = differences(in[i], below[i], 0);
}

static inline void differ(const uint64_t in[4], const uint64_t below[4], int axis, uint64_t out[4]) {
    for (uint32_t i = 0; i < 4; ++i)
        out[i] = differences(in[i], below[i], axis);
}

/// Are the sums of all toggles the solid voxels of a chunk? Compares their differences. `some`: its bricks
/// with a solid voxel; rows of four bricks without one, and without one below, have none.
static bool sums_are_solid(const uint64_t toggles[TOGGLE_WORDS], const uint64_t solid[64], uint64_t some) {
    uint64_t of_x[4][5][4], of_y[5][4][4]; // by z and y + 1; by z + 1 and y: below the first are zeros
    uint64_t wrong[4] = {0, 0, 0, 0};
    memset(of_y, 0, sizeof of_y);
    memset(of_x, 0, sizeof of_x);

    // the lowest bit of each four, which are a row: its own bricks, and those of the row before
    const uint64_t pairs = some | some >> 1, rows = (pairs | pairs >> 2) & 0x1111111111111111u;
    const uint64_t y_rows = rows | (rows << 4 & 0x1110111011101110u);
    for (uint64_t left = rows; left; left &= left - 1) {
        const uint32_t brick = vni_lowest_bit(left);
        differ_x(solid + brick, of_x[brick / 16][brick / 4 % 4 + 1]);
    }

    for (uint64_t left = y_rows; left; left &= left - 1) {
        const uint32_t brick = vni_lowest_bit(left), z = brick / 16, y = brick / 4 % 4;
        differ(of_x[z][y + 1], of_x[z][y], 1, of_y[z + 1][y]);
    }

    for (uint32_t brick = 0; brick < 64; brick += 4) {
        const uint32_t z = brick / 16, y = brick / 4 % 4;
        const uint64_t* toggled = toggles + TOGGLE_SIDE * (TOGGLE_SIDE * z + y);
        uint64_t of_z[4];
        differ(of_y[z + 1][y], of_y[z][y], 2, of_z);
        for (uint32_t i = 0; i < 4; ++i)
            wrong[i] |= of_z[i] ^ toggled[i];
    }

    return (wrong[0] | wrong[1] | wrong[2] | wrong[3]) == 0;
}

/// Are the cells of a mixed chunk boxes inside it that may be right? Adds what they hold. All voxels of the
/// chunk are toggled first, by its lowest corner: what is left after the cells are the solid ones.
static bool check_small(job* j, uint32_t chunk) {
    uint64_t toggles[TOGGLE_WORDS] = {1};
    const vni_box_key around = chunk_key(chunk);
    const uint32_t end = j->cells->first_of_chunk[chunk + 1];
    for (uint32_t i = j->cells->first_of_chunk[chunk]; i < end; ++i) {
        vni_box_key key;
        if (!set_key(j, i, &key) || !vni_key_holds(around, key))
            return false;

        const uint32_t sizes = sizes_of(key);
        count_cell(j, sizes);
        toggle(toggles, key, sizes);
    }

    return sums_are_solid(toggles, j->worker->solid[chunk], j->chunks.some[chunk]);
}

/// What is wrong with the cells of a mixed chunk, or null: paints them one by one.
static const char* explain_small(const job* j, uint32_t chunk, uint32_t* cell) {
    uint64_t* solid = j->worker->solid[chunk];
    const vni_box_key around = chunk_key(chunk);
    const uint32_t end = j->cells->first_of_chunk[chunk + 1];
    for (uint32_t i = j->cells->first_of_chunk[chunk]; i < end; ++i) {
        const vni_cell* c = &j->cells->cells[i];
        const vni_box_key key = vni_key_of_cell(c);
        *cell = i;
        if (!vni_key_is_box(key))
            return "is empty, or sticks out of its block";
        if (!vni_key_holds(around, key))
            return "sticks out of its chunk, where the lookup does not find it";
        if (!paint_small(solid, key))
            return why_taken(j->voxels, c, j->limit);
    }

    *cell = VNI_NO_CELL;
    uint64_t all = ONES;
    for (uint32_t brick = 0; brick < 64; ++brick)
        all &= solid[brick];

    return all == ONES ? NULL : "a free voxel lies in no cell";
}

/// All mixed chunks; `free_voxels` are in the block.
static const char* check_mixed(job* j, uint64_t free_voxels, uint32_t* cell) {
    bool right = true;
    for (uint64_t left = j->chunks.mixed; left && right; left &= left - 1)
        right = check_small(j, vni_lowest_bit(left));
    if (right && j->volume == free_voxels)
        return NULL;

    const char* what = NULL;
    for (uint64_t left = j->chunks.mixed; left && what == NULL; left &= left - 1)
        what = explain_small(j, vni_lowest_bit(left), cell);

    VNI_ASSERT(what != NULL);
    return what != NULL ? what : "the cells do not hold each free voxel once";
}

/// The lists of the chunks must follow each other, end with the last cell, and be empty unless the chunk is
/// mixed.
static const char* check_order(const job* j) {
    const uint32_t* first = j->cells->first_of_chunk;
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c) {
        if (first[c] > first[c + 1])
            return "the chunks' lists of cells are out of order";
        if (first[c] != first[c + 1] && !(j->chunks.mixed >> c & 1))
            return "a chunk that is all free, all blocked or outside has cells of its own";
    }

    return first[VNI_CHUNK_COUNT] == j->cells->cell_count ? NULL
                                                          : "the chunks' lists do not end with the last cell";
}

/// A block without blocked voxels: nothing to load. Returns the pairs of free neighbours.
static uint32_t open_block(const int32_t limit[3], chunks* out) {
    out->open = ONES;
    out->mixed = 0;
    for (int i = 0; i < 3; ++i)
        out->open &= vni_axis_bits[i][vni_places_below(0, (limit[i] + VNI_CHUNK_SIZE - 1) / VNI_CHUNK_SIZE)];
    return box_pairs((uint32_t)limit[0], (uint32_t)limit[1], (uint32_t)limit[2]);
}

static uint32_t mixed_block(vni_validator* worker, const vni_block* voxels, const int32_t limit[3],
                            uint32_t free_voxels, chunks* out) {
    load_chunks(worker, voxels, limit, out);
    return count_block_pairs(out, VNI_BLOCK_SIZE * VNI_BLOCK_SIZE * VNI_BLOCK_SIZE - free_voxels);
}

const char* vni_validate_cells(const vni_validation* v, vni_validator* worker, uint32_t block,
                               uint32_t* cell) {
    VNI_ASSERT(block < v->block_count);

    job j = {.worker = worker, .cells = v->cells->table[block], .voxels = v->occupancy->table[block]};
    j.tags = j.cells->component_count > 1 ? UINT32_MAX : 0;
    vni_block_limit(v->cells->dims, v->cells->blocks, block, j.limit);
    const uint32_t blocked = j.voxels != NULL ? j.voxels->blocked_voxels : 0;
    const uint32_t free_voxels = (uint32_t)(j.limit[0] * j.limit[1] * j.limit[2]) - blocked;
    const uint32_t pairs = j.voxels != NULL ? mixed_block(worker, j.voxels, j.limit, free_voxels, &j.chunks)
                                            : open_block(j.limit, &j.chunks);

    const char* what = check_order(&j);
    if (what == NULL)
        what = check_large(&j, cell);

    // a block at fault stops here: the sums below hold only for one that is covered exactly
    if (what == NULL && j.chunks.mixed != 0)
        what = check_mixed(&j, free_voxels, cell);

    if (what == NULL) {
        const uint32_t inside = 3 * free_voxels - (uint32_t)j.faces;
        VNI_ASSERT(inside <= pairs && j.volume == free_voxels);
        worker->area = 2 * (pairs - inside);
    }

    return what;
}
