/// cells/boxes.c: covers free voxels with few boxes, by a greedy rule.
///
/// A cube of up to 16^3 places is a stack of rows of bits, 1 for a place that is free and not taken yet. The
/// first of the largest aligned cubes of ones is a seed (sizes 8, 4, 2, 1, as in an octree). It grows by
/// whole slabs, one face after the other, until no face can; then its places are taken:
///
///     . . . . # .      . . . . # .      1 1 1 1 # .        seed 2 x 2, grown to the left, right and up;
///     . S S . . .  ->  + S S + . .  ->  1 1 1 1 . .        # stops the growth to the right
///     . S S . . .      + S S + . .      1 1 1 1 . .
///
/// Growing an octree's seeds into boxes gives fewer cells than the octree's cubes. The rule depends on
/// the free places alone, so that a cut is canonical. The same routine joins free chunks (a place is a chunk)
/// and cuts mixed ones (a place is a voxel). Places outside the space count as free, and cells are clipped at
/// the limit at the end: dimensions that are no multiple of a chunk cost no extra cells.
#include "base/alloc.h"
#include "cells/cut.h"

#include <string.h>

#define MAX_SIDE 16

/// Four rows of 16 places to a word: the place (x, y, z) is bit x of lane y & 3 of words[z][y >> 2].
///
///     words[z][w]:   63 ...... 48 | 47 ...... 32 | 31 ...... 16 | 15 ....... 0
///                      y = 4w + 3     y = 4w + 2     y = 4w + 1     y = 4w       x = bit in the lane
typedef struct places {
    uint64_t words[MAX_SIDE][MAX_SIDE / 4];
    int side;
} places;

/// The same 16 bits in all four lanes.
#define ROWS(bits) ((uint64_t)(bits)*0x0001000100010001u)

typedef struct box {
    int low[3], high[3];
} box;

/// The places x of a box, as bits of a row.
static inline uint32_t x_bits(const box* b) {
    return (1u << b->high[0]) - (1u << b->low[0]);
}

/// Ones in the lanes of word `w` whose rows lie in [low, high).
static inline uint64_t lanes_of(int w, int low, int high) {
    int from = low - 4 * w, to = high - 4 * w;
    uint64_t upper = to >= 4 ? ~(uint64_t)0 : ((uint64_t)1 << 16 * to) - 1;
    return from <= 0 ? upper : upper & ~(((uint64_t)1 << 16 * from) - 1);
}

/// Spreads four nibbles, rows of a brick, over the low bits of the four lanes.
static inline uint64_t spread(uint64_t nibbles) {
    nibbles = (nibbles | nibbles << 24) & 0x000000ff000000ffu;
    return (nibbles | nibbles << 12) & 0x000f000f000f000fu;
}

/// A box while it grows.
typedef struct growth {
    const places* p;
    box b;
    uint32_t bits; ///< its places x: x_bits
    uint32_t open; ///< the places x that are available in all its rows: it may grow along x there
    uint64_t lanes[MAX_SIDE / 4]; ///< its rows, as lanes of ones; the same at each z
} growth;

/// The places x that are available in all rows of the box at one z: an AND over the lanes.
static inline uint32_t rows_at_z(const growth* g, int z) {
    const uint64_t* words = g->p->words[z];
    uint64_t all = (words[0] | ~g->lanes[0]) & (words[1] | ~g->lanes[1]) & (words[2] | ~g->lanes[2]) &
                   (words[3] | ~g->lanes[3]);
    all &= all >> 32; // four lanes to two, to one
    return (uint32_t)(all & all >> 16) & 0xffffu;
}

/// The places x that are available at one y, at every z of the box.
static inline uint32_t rows_at_y(const growth* g, int y) {
    uint64_t all = ~(uint64_t)0;
    for (int z = g->b.low[2]; z < g->b.high[2]; ++z)
        all &= g->p->words[z][y >> 2];
    return (uint32_t)(all >> 16 * (y & 3)) & 0xffffu;
}

static inline bool grow_x(growth* g, int at) {
    if (!(g->open >> at & 1)) // `open` has no bits beyond the side
        return false;
    g->bits |= 1u << at;
    return true;
}

static inline bool grow_y(growth* g, int at) {
    const uint32_t slab = rows_at_y(g, at);
    if ((slab & g->bits) != g->bits)
        return false;
    g->open &= slab;
    g->lanes[at >> 2] |= (uint64_t)0xffffu << 16 * (at & 3);
    return true;
}

static inline bool grow_z(growth* g, int at) {
    const uint32_t slab = rows_at_z(g, at);
    if ((slab & g->bits) != g->bits)
        return false;
    g->open &= slab;
    return true;
}

/// Takes the places of the box.
static void take(places* p, const growth* g) {
    const uint64_t rows = ROWS(g->bits);
    for (int z = g->b.low[2]; z < g->b.high[2]; ++z)
        for (int w = 0; w < MAX_SIDE / 4; ++w) {
            VNI_ASSERT((~p->words[z][w] & rows & g->lanes[w]) == 0);
            p->words[z][w] &= ~(rows & g->lanes[w]);
        }
}

/// Pushes out one face after the other by one slab, while the slab is available, and takes the box then. A
/// face that is stopped once stays stopped: places are only ever taken, and the slab only gets larger.
static void grow(places* p, box* b) {
    const int side = p->side;
    growth g = {.p = p, .b = *b, .bits = x_bits(b), .open = 0xffffu};
    bool low_x = true, high_x = true, low_y = true, high_y = true, low_z = true, high_z = true;
    for (int w = b->low[1] >> 2; w <= (b->high[1] - 1) >> 2; ++w)
        g.lanes[w] = lanes_of(w, b->low[1], b->high[1]);

    for (int z = b->low[2]; z < b->high[2]; ++z)
        g.open &= rows_at_z(&g, z);

    // the fixed order of the faces is part of the canonical result
    while (low_x | high_x | low_y | high_y | low_z | high_z) {
        low_x = low_x && g.b.low[0] > 0 && grow_x(&g, g.b.low[0] - 1);
        g.b.low[0] -= low_x;
        high_x = high_x && grow_x(&g, g.b.high[0]);
        g.b.high[0] += high_x;
        low_y = low_y && g.b.low[1] > 0 && grow_y(&g, g.b.low[1] - 1);
        g.b.low[1] -= low_y;
        high_y = high_y && g.b.high[1] < side && grow_y(&g, g.b.high[1]);
        g.b.high[1] += high_y;
        low_z = low_z && g.b.low[2] > 0 && grow_z(&g, g.b.low[2] - 1);
        g.b.low[2] -= low_z;
        high_z = high_z && g.b.high[2] < side && grow_z(&g, g.b.high[2]);
        g.b.high[2] += high_z;
    }

    take(p, &g);
    *b = g.b;
}

/// From places to voxels: a place is a cube of `scale` voxels, the first one at `origin`; cells end at the
/// limit.
typedef struct placement {
    int scale, origin[3];
    const int32_t* limit;
} placement;

/// Appends a box to the cells.
static void emit(vni_cut* cut, const box* b, const placement* where) {
    if (cut->cell_count == cut->cell_capacity &&
        !vni_grow(&cut->allocator, &cut->cells, &cut->cell_capacity, (uint64_t)cut->cell_count + 1,
                  sizeof *cut->cells)) {
        cut->failed = true;
        return;
    }

    vni_cell* cell = &cut->cells[cut->cell_count++];
    memset(cell, 0, sizeof *cell);
    for (int i = 0; i < 3; ++i) {
        int high = where->origin[i] + b->high[i] * where->scale;
        cell->low[i] = (uint8_t)(where->origin[i] + b->low[i] * where->scale);
        cell->high[i] = (uint8_t)(high < where->limit[i] ? high : where->limit[i]);
        VNI_ASSERT(cell->low[i] < cell->high[i] && cell->high[i] <= VNI_BLOCK_SIZE);
    }
}

/// Where available cubes of a size begin in the rows of words[z][w], at multiples of the size on each axis.
static inline uint64_t seeds(const places* p, int size, int w, int z) {
    if (size == 1)
        return p->words[z][w];
    const int words = size > 4 ? size / 4 : 1;
    uint64_t found = ~(uint64_t)0;
    for (int k = z; k < z + size; ++k)
        for (int i = w; i < w + words; ++i)
            found &= p->words[k][i];

    // by doubling: after the step s, a bit stands for 2 s places along x, and 2 s rows while these fit in a
    // word. Bits that the shift brings in from the next row come where no cube can begin
    for (int step = 1; step < size && found; step <<= 1) {
        found &= found >> step;
        if (step < 4)
            found &= found >> 16 * step;
    }

    // keep the aligned places only
    const uint64_t lanes = size == 2 ? 0x0000ffff0000ffffu : 0xffffu;
    return found & lanes & ROWS(0xffffu / ((1u << size) - 1));
}

/// Grows and takes boxes from all seeds of one size in the rows of words[z][w], in order of y, then x. Seeds
/// are found again after each box, which may have taken some.
static void cover_from(vni_cut* cut, places* p, int size, int w, int z, uint64_t inside,
                       const placement* where) {
    for (uint64_t left = inside, at; (at = seeds(p, size, w, z) & left) != 0;) {
        const int bit = (int)vni_lowest_bit(at), x = bit & 15, y = 4 * w + (bit >> 4);
        box b = {{x, y, z}, {x + size, y + size, z + size}};
        grow(p, &b);
        emit(cut, &b, where);
        left = inside & ~(((uint64_t)2 << bit) - 1);
    }
}

/// Covers all available places that begin inside the limit, from seeds of the size `largest` down to 1.
static void cover(vni_cut* cut, places* p, int largest, const placement* where) {
    int inside[3]; // places that begin inside the limit
    for (int i = 0; i < 3; ++i) {
        int count = (where->limit[i] - where->origin[i] + where->scale - 1) / where->scale;
        inside[i] = count < p->side ? count : p->side;
        if (inside[i] <= 0)
            return;
    }

    for (int size = largest; size > 0; size >>= 1)
        for (int z = 0; z < inside[2]; z += size)
            for (int w = 0; 4 * w<inside[1]; w += size> 4 ? size / 4 : 1)
                if (p->words[z][w])
                    cover_from(cut, p, size, w, z, lanes_of(w, 0, inside[1]) & ROWS((1u << inside[0]) - 1),
                               where);
}

void vni_cut_whole(vni_cut* cut, uint64_t free_chunks, const int32_t limit[3]) {
    const placement where = {VNI_CHUNK_SIZE, {0, 0, 0}, limit};
    places p;
    memset(&p, 0, sizeof p);
    p.side = VNI_CHUNKS;
    for (int z = 0; z < VNI_CHUNKS; ++z)
        p.words[z][0] = spread(free_chunks >> 16 * z & 0xffffu);

    cover(cut, &p, VNI_CHUNKS, &where);
}

void vni_cut_chunk(vni_cut* cut, const vni_block* block, uint32_t chunk, const int32_t limit[3]) {
    VNI_ASSERT(chunk < VNI_CHUNK_COUNT && block->some[chunk] != 0);

    placement where = {1, {0, 0, 0}, limit};
    for (int i = 0; i < 3; ++i)
        where.origin[i] = (int)vni_chunk_at(chunk, i) * VNI_CHUNK_SIZE;

    if (block->full[chunk] == ~(uint64_t)0)
        return;

    // all free at first; blocked bricks clear their places
    const uint64_t* next = block->bricks + block->first[chunk];
    places p;
    memset(p.words, 0xff, sizeof p.words);
    p.side = VNI_CHUNK_SIZE;

    for (uint64_t some = block->some[chunk]; some != 0; some &= some - 1) {
        uint32_t brick = vni_lowest_bit(some), x = brick & 3, y = brick >> 2 & 3, z = brick >> 4;
        uint64_t word = block->full[chunk] >> brick & 1 ? ~(uint64_t)0 : *next++;

        // a plane of the brick across z is 16 bits, 4 rows of 4: a nibble for each lane, moved to its x
        for (uint32_t plane = 0; plane < 4; ++plane)
            p.words[4 * z + plane][y] &= ~(spread(word >> 16 * plane & 0xffffu) << 4 * x);
    }

    cover(cut, &p, VNI_CHUNK_SIZE / 2, &where); // 16 cannot be: the chunk is not all free
}
