/// space/cells_boxes.c: covering free voxels with few boxes.
///
/// A cube of up to 16^3 places is a stack of rows of bits, 1 for a place that is free and not yet taken. The
/// largest aligned cube of places that is all ones is a seed; it grows by whole slabs, one face after the
/// other, until no face can; then it is taken. The same routine joins free chunks (its places are chunks) and
/// cuts mixed ones (its places are voxels). Places outside the space count as free, and what sticks out is
/// cut off at the end: so the rim of odd dimensions costs no extra cells.
#include "base/alloc.h"
#include "space/cells_cut.h"

#include <string.h>

#define MAX_SIDE 16

/// Bit x of rows[z][y].
typedef struct places {
    uint16_t rows[MAX_SIDE][MAX_SIDE];
    int side;
} places;

typedef struct box {
    int low[3], high[3];
} box;

static inline uint16_t x_bits(const box* b) {
    return (uint16_t)((1u << b->high[0]) - (1u << b->low[0]));
}

static bool is_available(const places* p, const box* b) {
    uint16_t bits = x_bits(b);
    for (int z = b->low[2]; z < b->high[2]; ++z)
        for (int y = b->low[1]; y < b->high[1]; ++y)
            if ((p->rows[z][y] & bits) != bits)
                return false;
    return true;
}

static void take(places* p, const box* b) {
    VNI_ASSERT(is_available(p, b));
    uint16_t bits = x_bits(b);
    for (int z = b->low[2]; z < b->high[2]; ++z)
        for (int y = b->low[1]; y < b->high[1]; ++y)
            p->rows[z][y] = (uint16_t)(p->rows[z][y] & ~bits);
}

/// Pushes one face out by one slab if that is available.
static bool grow_face(const places* p, box* b, int face) {
    VNI_ASSERT(face >= 0 && face < VNI_FACES);
    int axis = face >> 1;
    box slab = *b;
    if (face & 1) {
        if (b->high[axis] == p->side)
            return false;
        slab.low[axis] = b->high[axis];
        slab.high[axis] = b->high[axis] + 1;
    } else {
        if (b->low[axis] == 0)
            return false;
        slab.high[axis] = b->low[axis];
        slab.low[axis] = b->low[axis] - 1;
    }
    if (!is_available(p, &slab))
        return false;
    if (face & 1)
        ++b->high[axis];
    else
        --b->low[axis];
    return true;
}

static void grow(const places* p, box* b) {
    for (uint32_t stuck = 0; stuck != (1u << VNI_FACES) - 1;)
        for (int face = 0; face < VNI_FACES; ++face)
            if (!(stuck >> face & 1) && !grow_face(p, b, face))
                stuck |= 1u << face; // a slab that is not available now never will be: boxes only take places
                                     // away, and this one only gets wider
}

/// Adds the box, in places of `scale` voxels from `origin`, cut to the limit.
static void emit(vni_cut* cut, const box* b, int scale, const int origin[3], const int32_t limit[3]) {
    if (!vni_grow(&cut->allocator, &cut->cells, &cut->cell_capacity, (uint64_t)cut->cell_count + 1,
                  sizeof *cut->cells)) {
        cut->failed = true;
        return;
    }
    vni_cell* cell = &cut->cells[cut->cell_count++];
    memset(cell, 0, sizeof *cell);
    for (int i = 0; i < 3; ++i) {
        int high = origin[i] + b->high[i] * scale;
        cell->low[i] = (uint8_t)(origin[i] + b->low[i] * scale);
        cell->high[i] = (uint8_t)(high < limit[i] ? high : limit[i]);
        VNI_ASSERT(cell->low[i] < cell->high[i] && cell->high[i] <= VNI_BLOCK_SIZE);
    }
}

/// Covers all available places that lie inside the limit.
static void cover(vni_cut* cut, places* p, int scale, const int origin[3], const int32_t limit[3]) {
    int inside[3]; // places that begin inside the limit
    for (int i = 0; i < 3; ++i) {
        int count = (limit[i] - origin[i] + scale - 1) / scale;
        inside[i] = count < p->side ? count : p->side;
    }
    for (int size = p->side; size > 0; size >>= 1)
        for (int z = 0; z < inside[2]; z += size)
            for (int y = 0; y < inside[1]; y += size)
                for (int x = 0; x < inside[0]; x += size) {
                    box b = {{x, y, z}, {x + size, y + size, z + size}};
                    if (!is_available(p, &b))
                        continue;
                    grow(p, &b);
                    take(p, &b);
                    emit(cut, &b, scale, origin, limit);
                }
}

/// Is the chunk at this corner all free inside the limit? Outside voxels have no bits, so that they count as
/// free.
static bool chunk_is_free(const uint64_t* dense, const int origin[3]) {
    for (int z = origin[2]; z < origin[2] + VNI_CHUNK_SIZE; z += 4)
        for (int y = origin[1]; y < origin[1] + VNI_CHUNK_SIZE; y += 4)
            for (int x = origin[0]; x < origin[0] + VNI_CHUNK_SIZE; x += 4)
                if (dense[vni_chunk_of(x, y, z) * 64 + vni_brick_of(x, y, z)])
                    return false;
    return true;
}

static void load_voxels(places* p, const uint64_t* dense, const int origin[3]) {
    memset(p->rows, 0, sizeof p->rows);
    p->side = VNI_CHUNK_SIZE;
    for (int z = 0; z < VNI_CHUNK_SIZE; ++z)
        for (int y = 0; y < VNI_CHUNK_SIZE; ++y)
            for (int x = 0; x < VNI_CHUNK_SIZE; x += 4) {
                int at[3] = {origin[0] + x, origin[1] + y, origin[2] + z};
                uint64_t word =
                    dense[vni_chunk_of(at[0], at[1], at[2]) * 64 + vni_brick_of(at[0], at[1], at[2])];
                uint32_t blocked = (uint32_t)(word >> vni_bit_of(0, at[1], at[2])) & 15u;
                p->rows[z][y] = (uint16_t)(p->rows[z][y] | (~blocked & 15u) << x);
            }
}

#define CHUNKS (64 / VNI_CHUNK_SIZE)

void vni_cut_boxes(vni_cut* cut, const vni_block* block, const int32_t limit[3]) {
    for (int i = 0; i < 3; ++i)
        VNI_ASSERT(limit[i] > 0 && limit[i] <= VNI_BLOCK_SIZE);
    static const int zero[3] = {0, 0, 0};
    places chunks = {.side = CHUNKS}, voxels;
    bool mixed[VNI_CHUNK_COUNT];
    vni_block_unpack(block, cut->dense);
    cut->cell_count = 0;
    for (int c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const int at[3] = {c % CHUNKS, c / CHUNKS % CHUNKS, c / CHUNKS / CHUNKS};
        const int origin[3] = {at[0] * VNI_CHUNK_SIZE, at[1] * VNI_CHUNK_SIZE, at[2] * VNI_CHUNK_SIZE};
        mixed[c] = !chunk_is_free(cut->dense, origin);
        chunks.rows[at[2]][at[1]] = (uint16_t)(chunks.rows[at[2]][at[1]] | !mixed[c] << at[0]);
    }
    cover(cut, &chunks, VNI_CHUNK_SIZE, zero, limit);
    for (int c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const int origin[3] = {c % CHUNKS * VNI_CHUNK_SIZE, c / CHUNKS % CHUNKS * VNI_CHUNK_SIZE,
                               c / CHUNKS / CHUNKS * VNI_CHUNK_SIZE};
        cut->first_of_chunk[c] = cut->cell_count;
        if (!mixed[c])
            continue;
        load_voxels(&voxels, cut->dense, origin);
        cover(cut, &voxels, 1, origin, limit);
    }
    cut->first_of_chunk[VNI_CHUNK_COUNT] = cut->cell_count;
}
