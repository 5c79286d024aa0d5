/// cells/link.c: finds which cells on two sides of a plane share part of a face, and writes lists of links;
/// also the memory of scratch, blocks and seams.
#include "base/alloc.h"
#include "base/simd.h"
#include "cells/work.h"

#include <string.h>

bool vni_cut_make(const vn_allocator* allocator, vni_cut* out) {
    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
    out->sides[0] = VNI_NEW_ARRAY(allocator, vni_face_cell, VNI_PLANE_CELLS);
    out->sides[1] = VNI_NEW_ARRAY(allocator, vni_face_cell, VNI_PLANE_CELLS);
    out->links = VNI_NEW_ARRAY(allocator, vni_face_cell, VNI_PLANE_CELLS);
    out->sorted = VNI_NEW_ARRAY(allocator, vni_face_cell, VNI_PLANE_CELLS);
    out->others = VNI_NEW_ARRAY(allocator, uint32_t, VNI_PLANE_CELLS);
    out->corners = (uint16_t*)vni_alloc_zero(allocator, VNI_PLANE_CELLS, sizeof *out->corners);

    if (out->sides[0] == NULL || out->sides[1] == NULL || out->links == NULL || out->sorted == NULL ||
        out->others == NULL || out->corners == NULL) {
        vni_cut_free(out);
        return false;
    }

    return true;
}

void vni_cut_free(vni_cut* cut) {
    if (cut->allocator.alloc == NULL)
        return;
    VNI_DELETE_ARRAY(&cut->allocator, cut->sides[0], VNI_PLANE_CELLS);
    VNI_DELETE_ARRAY(&cut->allocator, cut->sides[1], VNI_PLANE_CELLS);
    VNI_DELETE_ARRAY(&cut->allocator, cut->links, VNI_PLANE_CELLS);
    VNI_DELETE_ARRAY(&cut->allocator, cut->sorted, VNI_PLANE_CELLS);
    VNI_DELETE_ARRAY(&cut->allocator, cut->others, VNI_PLANE_CELLS);
    VNI_DELETE_ARRAY(&cut->allocator, cut->corners, VNI_PLANE_CELLS);
    VNI_DELETE_ARRAY(&cut->allocator, cut->cells, cut->cell_capacity);
    VNI_DELETE_ARRAY(&cut->allocator, cut->groups, cut->group_capacity);
    VNI_DELETE_ARRAY(&cut->allocator, cut->lists, cut->list_capacity);
    VNI_DELETE_ARRAY(&cut->allocator, cut->backs, cut->back_capacity);
    VNI_DELETE_ARRAY(&cut->allocator, cut->numbers, cut->number_capacity);
    memset(cut, 0, sizeof *cut);
}

// ------------------------------------------------------------------------------------------------ links

/// Two rectangles f and g overlap if on both axes each begins before the other ends: four comparisons, made
/// by one addition of one word for each rectangle (SIMD within a register). A byte of the sum is 127 + (end -
/// begin); its bit 7 says end > begin. All numbers are 0 to 64, so that no byte carries into the next.
///
///     byte           3                 2                1                0
///     from_key(f)    63 - f.low_b      63 + f.high_b    63 - f.low_a     63 + f.high_a
///     to_key(g)      64 + g.high_b     64 - g.low_b     64 + g.high_a    64 - g.low_a
///     sum > 127      g.high > f.low    f.high > g.low   g.high > f.low   f.high > g.low
#define OVERLAP 0x80808080u

static inline uint32_t from_key(const vni_face_cell* f) {
    return f->high - (f->low << 8) + 0x3f3f3f3fu;
}

static inline uint32_t to_key(const vni_face_cell* f) {
    return (f->high << 8) - f->low + 0x40404040u;
}

/// Which of the next four rectangles overlap one, as bits.
static inline uint32_t overlaps(const uint32_t others[4], uint32_t key) {
#if VOLNAV_SIMD && defined(__SSE2__)
    const __m128i bits = _mm_set1_epi32((int32_t)OVERLAP);
    __m128i sums =
        _mm_add_epi32(_mm_loadu_si128((const __m128i*)(const void*)others), _mm_set1_epi32((int32_t)key));
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(sums, bits), bits)));
#else
    uint32_t found = 0;
    for (uint32_t i = 0; i < 4; ++i)
        found |= (uint32_t)(((key + others[i]) & OVERLAP) == OVERLAP) << i;
    return found;
#endif
}

/// The rectangle that two faces share: on each axis the larger of the low ends and the smaller of the high
/// ones.
static inline vni_face_cell share(const vni_face_cell* f, const vni_face_cell* g) {
    // bit 7 of each coordinate is free: (x | tops) - y leaves it set where x >= y, and top - (top >> 7) turns
    // it into a mask of seven ones that selects the byte of f
    const uint32_t tops = 0x00800080u;
    uint32_t low_differs = f->low ^ g->low, high_differs = f->high ^ g->high;
    uint32_t f_low = ((f->low | tops) - g->low) & tops, f_high = ((f->high | tops) - g->high) & tops;
    vni_face_cell r;
    r.low = g->low ^ (low_differs & (f_low - (f_low >> 7)));
    r.high = f->high ^ (high_differs & (f_high - (f_high >> 7)));
    r.cell = g->cell;
    r.slot = f->slot;
    VNI_ASSERT((r.low & 0xff) < (r.high & 0xff) && r.low >> 16 < r.high >> 16);

    return r;
}

/// Sorts links by their low corners, b before a. Many links: their corners are distinct, so that a bitmap of
/// the plane, read row by row, has them in order: O(count + rows).
static void sort_links(vni_cut* cut, vni_face_cell* links, uint32_t count) {
    if (count <= 16) {
        for (uint32_t i = 1; i < count; ++i) {
            const vni_face_cell link = links[i];
            uint32_t at = i;
            for (; at > 0 && links[at - 1].low > link.low; --at)
                links[at] = links[at - 1];
            links[at] = link;
        }

        return;
    }

    uint64_t rows[VNI_BLOCK_SIZE] = {0};
    vni_face_cell* sorted = cut->sorted;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t a = links[i].low & 0xff, b = links[i].low >> 16;
        rows[b] |= (uint64_t)1 << a;
        cut->corners[VNI_BLOCK_SIZE * b + a] = (uint16_t)i;
    }

    for (uint32_t b = 0; b < VNI_BLOCK_SIZE; ++b)
        for (uint64_t row = rows[b]; row != 0; row &= row - 1)
            *sorted++ = links[cut->corners[VNI_BLOCK_SIZE * b + vni_lowest_bit(row)]];

    memcpy(links, sorted - count, count * sizeof *links);
}

/// Writes a group from the first four of `count` links. Lanes after the last link repeat its rectangle and
/// lead to VNI_NO_CELL: a search may compute with all four lanes and then ignore these.
#if VOLNAV_SIMD && defined(__SSE2__)
static inline __m128i load_link(const vni_face_cell* link) {
    return _mm_loadu_si128((const __m128i*)(const void*)link);
}

static inline void write_group(vni_link_group* group, const vni_face_cell* links, uint32_t count) {
    const uint32_t last = count - 1;
    const __m128i a = load_link(links), b = load_link(links + (last < 1 ? last : 1));
    const __m128i c = load_link(links + (last < 2 ? last : 2)), d = load_link(links + (last < 3 ? last : 3));

    // transpose four links {low, high, cell, slot} into a vector for each field
    const __m128i ac = _mm_unpacklo_epi32(a, c), bd = _mm_unpacklo_epi32(b, d); // low low high high
    const __m128i low = _mm_unpacklo_epi32(ac, bd), high = _mm_unpackhi_epi32(ac, bd);
    const __m128i cells = _mm_unpacklo_epi32(_mm_unpackhi_epi32(a, c), _mm_unpackhi_epi32(b, d));

    // then narrow each coordinate to a byte: low_a high_a low_b high_b, and set the lanes after the last to
    // none
    const __m128i none = _mm_cmpgt_epi32(_mm_setr_epi32(0, 1, 2, 3), _mm_set1_epi32((int32_t)last));
    const __m128i byte = _mm_set1_epi32(0xff);
    const __m128i of_a = _mm_packs_epi32(_mm_and_si128(low, byte), _mm_and_si128(high, byte));
    const __m128i of_b = _mm_packs_epi32(_mm_srli_epi32(low, 16), _mm_srli_epi32(high, 16));
    __m128i* out = (__m128i*)(void*)group;
    _mm_storeu_si128(out, _mm_packus_epi16(of_a, of_b));
    _mm_storeu_si128(out + 1, _mm_or_si128(cells, none));
}
#else
static inline void write_group(vni_link_group* group, const vni_face_cell* links, uint32_t count) {
    for (uint32_t lane = 0; lane < 4; ++lane) {
        const vni_face_cell* link = &links[lane < count ? lane : count - 1];
        group->low_a[lane] = (uint8_t)link->low;
        group->high_a[lane] = (uint8_t)link->high;
        group->low_b[lane] = (uint8_t)(link->low >> 16);
        group->high_b[lane] = (uint8_t)(link->high >> 16);
        group->to[lane] = lane < count ? link->cell : VNI_NO_CELL;
    }
}
#endif

void vni_cut_sorted(vni_cut* cut, uint32_t slot, const vni_face_cell* links, uint32_t count) {
    VNI_ASSERT(slot < cut->list_capacity && count <= VNI_PLANE_CELLS);

    const uint32_t groups = (count + 3) >> 2;
    const uint64_t need = (uint64_t)cut->group_count + groups;
    if (need > cut->group_capacity &&
        !vni_grow(&cut->allocator, &cut->groups, &cut->group_capacity, need, sizeof *cut->groups)) {
        cut->failed = true;
        return;
    }

    for (uint32_t i = 0; i < groups; ++i)
        write_group(cut->groups + cut->group_count + i, links + 4 * (size_t)i, count - 4 * i);

    cut->lists[slot] = (vni_link_list){cut->group_count, groups};
    cut->group_count += groups;
    cut->link_count += count;
}

void vni_cut_list(vni_cut* cut, uint32_t slot, vni_face_cell* links, uint32_t count) {
    if (count > 1)
        sort_links(cut, links, count);
    vni_cut_sorted(cut, slot, links, count);
}

/// Makes the list of one cell; cut->others has the keys of `to`, up to a multiple of four.
static void link_cell(vni_cut* cut, const vni_face_cell* from, const vni_face_cell* to, uint32_t to_count) {
    const uint32_t key = from_key(from);
    uint32_t count = 0;
    for (uint32_t i = 0; i < to_count; i += 4)
        for (uint32_t found = overlaps(cut->others + i, key); found != 0; found &= found - 1)
            cut->links[count++] = share(from, &to[i + vni_lowest_bit(found)]);
    vni_cut_list(cut, from->slot, cut->links, count);
}

void vni_cut_link(vni_cut* cut, const vni_face_cell* from, uint32_t from_count, const vni_face_cell* to,
                  uint32_t to_count) {
    VNI_ASSERT(from_count <= VNI_PLANE_CELLS && to_count <= VNI_PLANE_CELLS);
    for (uint32_t i = 0; i < to_count; ++i)
        cut->others[i] = to_key(&to[i]);

    for (uint32_t i = to_count; i & 3; ++i)
        cut->others[i] = 0; // overlaps nothing

    for (uint32_t i = 0; i < from_count && !cut->failed; ++i)
        link_cell(cut, &from[i], to, to_count);
}

// ---------------------------------------------------------------------------------------------- objects

static size_t ranks_of(const vni_cell_block* block) {
    size_t ranks = 0;
    for (int face = 0; face < VNI_FACES; ++face)
        ranks += block->rank_count[face];
    return ranks;
}

size_t vni_cell_block_bytes(const vni_cell_block* block) {
    return sizeof *block + block->group_count * sizeof(vni_link_group) +
           block->cell_count * sizeof(vni_cell) + ranks_of(block) * sizeof(uint32_t);
}

/// One allocation for all, in order of falling alignment: the header, the groups, the cells, the ranks.
vni_cell_block* vni_cell_block_alloc(const vn_allocator* allocator, uint32_t cell_count, uint32_t group_count,
                                     const uint32_t rank_count[VNI_FACES]) {
    vni_cell_block sizes;
    memset(&sizes, 0, sizeof sizes);
    sizes.cell_count = cell_count;
    sizes.group_count = group_count;
    memcpy(sizes.rank_count, rank_count, sizeof sizes.rank_count);
    vni_cell_block* block = (vni_cell_block*)vni_alloc(allocator, 1, vni_cell_block_bytes(&sizes));

    if (block == NULL)
        return NULL;

    memcpy(block, &sizes, sizeof sizes);
    vni_atomic_store(&block->references, 1);
    block->groups = (vni_link_group*)(void*)(block + 1);
    block->cells = (vni_cell*)(void*)(block->groups + group_count);

    uint32_t* ranks = (uint32_t*)(void*)(block->cells + cell_count);
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        block->ranked[face] = ranks;
        ranks += rank_count[face];
    }

    return block;
}

void vni_cell_block_release(const vn_allocator* allocator, vni_cell_block* block) {
    VNI_ASSERT(block == NULL || vni_atomic_load(&block->references) > 0);
    if (block != NULL && vni_atomic_add(&block->references, UINT32_MAX) == 1)
        vni_free(allocator, block, 1, vni_cell_block_bytes(block));
}

size_t vni_seam_bytes(const vni_seam* seam) {
    return sizeof *seam + seam->group_count * sizeof(vni_link_group) +
           ((size_t)seam->a_count + seam->b_count + 1) * sizeof(uint32_t);
}

vni_seam* vni_seam_alloc(const vn_allocator* allocator, uint32_t a_count, uint32_t b_count,
                         uint32_t group_count) {
    vni_seam sizes;
    memset(&sizes, 0, sizeof sizes);
    sizes.a_count = a_count;
    sizes.b_count = b_count;
    sizes.group_count = group_count;
    vni_seam* seam = (vni_seam*)vni_alloc(allocator, 1, vni_seam_bytes(&sizes));

    if (seam == NULL)
        return NULL;

    memcpy(seam, &sizes, sizeof sizes);
    vni_atomic_store(&seam->references, 1);
    seam->groups = (vni_link_group*)(void*)(seam + 1);
    seam->first = (uint32_t*)(void*)(seam->groups + group_count);

    return seam;
}

void vni_seam_release(const vn_allocator* allocator, vni_seam* seam) {
    VNI_ASSERT(seam == NULL || vni_atomic_load(&seam->references) > 0);
    if (seam != NULL && vni_atomic_add(&seam->references, UINT32_MAX) == 1)
        vni_free(allocator, seam, 1, vni_seam_bytes(seam));
}
