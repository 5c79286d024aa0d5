/// cells/validate_group.h: the rectangles of a group of four links, from the cells that they join: to check a
/// group, or to write it. Private to cells/validate_links.c, which proves the rest, and cells/restore.c.
#ifndef VNI_CELLS_VALIDATE_GROUP_H
#define VNI_CELLS_VALIDATE_GROUP_H

#include "base/simd.h"
#include "cells/validate.h"

#include <string.h>

/// The checks are the inner loop of a load: their results stay in registers only if they are inlined.
#if defined(__GNUC__)
#define VNI_INLINED static inline __attribute__((always_inline))
#else
#define VNI_INLINED static inline
#endif

/// Asks for the group that a loop reaches later; `left` are left. The loops are faster than the prefetching
/// of processors, which ends with each page.
VNI_INLINED void vni_prefetch_group(const vni_link_group* group, uint32_t left) {
#if defined(__GNUC__)
    __builtin_prefetch(group + (left > 40 ? 40 : 0));
#else
    (void)group;
    (void)left;
#endif
}

/// Paints the rectangle of a cell on a face of its block, a word for each row: toggles the first row, and the
/// one behind the last, of what vni_finish_rows sums up. No two cells share a voxel. `key` is along the axis;
/// false if it is not a box.
VNI_INLINED bool vni_paint_face(uint64_t rows[65], vni_box_key key) {
    const vni_box_key sides = key ^ VNI_KEY_HIGH;
    const uint32_t low = sides >> 8 & 0xff, high = sides >> 40 & 0xff;
    const uint32_t first = sides >> 16 & 0xff, end = sides >> 48 & 0xff;
    if (low >= high || high > VNI_BLOCK_SIZE || first >= end || end > VNI_BLOCK_SIZE)
        return false;
    const uint64_t bits = ~(uint64_t)0 >> (64 - (high - low)) << low;
    rows[first] ^= bits;
    rows[end] ^= bits;
    return true;
}

VNI_INLINED void vni_finish_rows(uint64_t rows[65]) {
    for (uint32_t row = 1; row < 64; ++row)
        rows[row] ^= rows[row - 1];
}

/// Where both sides of a seam are free: exactly one link of each must lie there.
VNI_INLINED uint64_t vni_shared_area(const vni_validator* worker) {
    uint64_t area = 0;
    for (uint32_t row = 0; row < 64; ++row)
        area += vni_popcount(worker->rows[0][row] & worker->rows[1][row]);
    return area;
}

/// The cells beyond the face, by lane; the last one again in the lanes after it.
typedef struct vni_group_cells {
    uint32_t at[4];
    uint32_t ends; ///< by lane, as bits: there is no link
} vni_group_cells;

/// Is there a first link, do the lanes after the last one lead to no cell, and all others to one below
/// `count`, which is below 2^31? `out` is only right if so.
VNI_INLINED bool vni_take_cells(const vni_link_group* g, uint32_t count, vni_group_cells* out);

/// Sums over groups: links, their area, and what is wrong with any of them. Whoever has added all groups asks
/// once whether they are right, and only if not one by one: that saves the branches of each.
typedef struct vni_link_sums vni_link_sums;

VNI_INLINED vni_link_sums vni_link_sums_make(void);

/// The rectangles of a group, as its first 16 bytes.
typedef struct vni_group_sides vni_group_sides;

/// The rectangles that a cell shares with four others through one of its faces: from the first on, as many as
/// `ends` says there are links, as from vni_take_cells; the others are the last one again. Adds them. Wrong
/// is an empty rectangle, two cells that do not touch on this side, different tags, and a low corner that
/// does not follow the one before. All keys are along the axis and tagged. `high`: 1 if it is the upper face
/// of the cell, else 0; across a seam `from` is the face of the cell in coordinates of the other block, with
/// both sides along the axis in its plane, and `high` is 0.
VNI_INLINED vni_group_sides vni_share_four(vni_link_sums* sums, vni_box_key from, const vni_box_key to[4],
                                           uint32_t ends, uint32_t high);

/// The same for a group of one link, as most are.
VNI_INLINED vni_group_sides vni_share_one(vni_link_sums* sums, vni_box_key from, vni_box_key to,
                                          uint32_t high);

/// Wrong is a group with other rectangles.
VNI_INLINED void vni_compare_sides(vni_link_sums* sums, const vni_link_group* g, vni_group_sides sides);

/// Wrong are lanes after the first that lead to a cell.
VNI_INLINED void vni_compare_single(vni_link_sums* sums, const vni_link_group* g);

/// Writes a group: `to` has the cells beyond by lane, as in vni_group_cells.
VNI_INLINED void vni_write_four(vni_link_group* g, vni_group_sides sides, const uint32_t to[4],
                                uint32_t ends);
VNI_INLINED void vni_write_one(vni_link_group* g, vni_group_sides sides, uint32_t to);

VNI_INLINED bool vni_link_sums_are_right(const vni_link_sums* sums);
VNI_INLINED uint64_t vni_link_sums_area(const vni_link_sums* sums);
VNI_INLINED uint64_t vni_link_sums_links(const vni_link_sums* sums);

/// Adds a group that is stored. `ends` and `to` are from vni_take_cells.
VNI_INLINED void vni_add_group(vni_link_sums* sums, const vni_link_group* g, vni_box_key from, uint32_t ends,
                               const vni_box_key to[4], uint32_t high);

/// The same for a group of one link. Lanes that lead to a cell after all are wrong too.
VNI_INLINED void vni_add_single(vni_link_sums* sums, const vni_link_group* g, vni_box_key from,
                                vni_box_key to, uint32_t high);

/// The low corner of a link, as lists are ordered.
VNI_INLINED int32_t vni_link_corner(const vni_link_group* g, uint32_t lane) {
    return g->low_b[lane] << 8 | g->low_a[lane];
}

// A lane after the last link leads to the same cell as the last one, so that it has the same rectangle. The
// intersection of two keys has, in the layout of vni_box_key, the rectangle in four bytes; along the axis
// both its sides lie in the plane, and its tag is that of both cells.

#if VOLNAV_SIMD && (defined(__SSE2__) || defined(_M_X64))

struct vni_link_sums {
    __m128i wrong;  ///< all zero if nothing is
    __m128i ends;   ///< of single links: lanes 1 to 3 are all ones
    __m128i single; ///< areas: the lowest lane
    __m128i areas;  ///< those of other groups: four lanes
    __m128i nones;  ///< minus the lanes of these without a link
    uint64_t links; ///< single ones, and all lanes of other groups
};

struct vni_group_sides {
    __m128i bytes;
};

VNI_INLINED vni_link_sums vni_link_sums_make(void) {
    const __m128i zero = _mm_setzero_si128();
    return (vni_link_sums){zero, _mm_set1_epi32(-1), zero, zero, zero, 0};
}

VNI_INLINED uint64_t vni_sum_of_lanes(__m128i lanes) {
    uint32_t four[4];
    _mm_storeu_si128((__m128i*)(void*)four, lanes);
    return (uint64_t)four[0] + four[1] + four[2] + four[3];
}

VNI_INLINED bool vni_link_sums_are_right(const vni_link_sums* sums) {
    const __m128i not_ended = _mm_andnot_si128(sums->ends, _mm_setr_epi32(0, -1, -1, -1));
    const __m128i wrong = _mm_or_si128(sums->wrong, not_ended);
    return _mm_movemask_epi8(_mm_cmpeq_epi8(wrong, _mm_setzero_si128())) == 0xffff;
}

VNI_INLINED uint64_t vni_link_sums_area(const vni_link_sums* sums) {
    return vni_sum_of_lanes(sums->areas) + (uint32_t)_mm_cvtsi128_si32(sums->single);
}

VNI_INLINED uint64_t vni_link_sums_links(const vni_link_sums* sums) {
    return sums->links - vni_sum_of_lanes(_mm_sub_epi32(_mm_setzero_si128(), sums->nones));
}

/// The byte of a key that is the side of a cell at its lower or upper face.
static const uint64_t vni_key_side[2] = {0xff, (uint64_t)0xff << 32};

VNI_INLINED vni_group_sides vni_share_one(vni_link_sums* sums, vni_box_key from, vni_box_key to,
                                          uint32_t high) {
    const __m128i one = _mm_cvtsi64_si128((int64_t)from);
    const __m128i shared = _mm_max_epu8(one, _mm_cvtsi64_si128((int64_t)to));

    // from (plane, low a, low b, tag, plane, high a, high b, tag) to each of a and b four times, as in the
    // group
    __m128i sides = _mm_unpacklo_epi8(shared, shared);
    sides = _mm_shufflehi_epi16(_mm_shufflelo_epi16(sides, _MM_SHUFFLE(2, 2, 1, 1)), _MM_SHUFFLE(2, 2, 1, 1));
    sides = _mm_xor_si128(_mm_shuffle_epi32(sides, _MM_SHUFFLE(3, 1, 2, 0)),
                          _mm_setr_epi32(0, 0x7f7f7f7f, 0, 0x7f7f7f7f));

    // In the lowest four bytes, low + (127 - high) = 127 - size: 127 along the axis, at most 126 along the
    // two others, 255 for equal tags. Then the two cells touch; on the right side if this side is the cell's
    // own.
    const __m128i sizes = _mm_add_epi8(shared, _mm_srli_epi64(shared, 32));
    const __m128i not_flat = _mm_subs_epu8(_mm_xor_si128(sizes, _mm_cvtsi32_si128((int32_t)0xff00007fu)),
                                           _mm_setr_epi32(0x007e7e00, -1, -1, -1));
    const __m128i moved =
        _mm_and_si128(_mm_xor_si128(shared, one), _mm_cvtsi64_si128((int64_t)vni_key_side[high]));

    // words 0 and (0, a, b), of a link that is right; a * b is in the lowest product
    const __m128i words =
        _mm_unpacklo_epi8(_mm_xor_si128(sizes, _mm_set1_epi32(0x7f7f7f)), _mm_setzero_si128());
    const __m128i turned = _mm_shufflelo_epi16(words, _MM_SHUFFLE(0, 0, 2, 0));
    sums->wrong = _mm_or_si128(sums->wrong, _mm_or_si128(not_flat, moved));
    sums->single = _mm_add_epi32(sums->single, _mm_madd_epi16(words, turned));
    ++sums->links;
    return (vni_group_sides){sides};
}

/// By ends >> 1: the lanes without a link.
static const int32_t vni_lanes_ended[8][4] = {
    {0}, {0}, {0}, {0}, {0, 0, 0, -1}, {0}, {0, 0, -1, -1}, {0, -1, -1, -1}};

VNI_INLINED vni_group_sides vni_share_four(vni_link_sums* sums, vni_box_key from, const vni_box_key to[4],
                                           uint32_t ends, uint32_t high) {
    const __m128i none = _mm_loadu_si128((const __m128i*)(const void*)vni_lanes_ended[ends >> 1]);
    const __m128i one = _mm_set1_epi64x((int64_t)from), zero = _mm_setzero_si128();
    const __m128i shared_0 = _mm_max_epu8(one, _mm_set_epi64x((int64_t)to[1], (int64_t)to[0]));
    const __m128i shared_2 = _mm_max_epu8(one, _mm_set_epi64x((int64_t)to[3], (int64_t)to[2]));
    const __m128i moved =
        _mm_and_si128(_mm_or_si128(_mm_xor_si128(shared_0, one), _mm_xor_si128(shared_2, one)),
                      _mm_set1_epi64x((int64_t)vni_key_side[high]));

    // from four keys to each byte of them by lane: plane, low a, low b, tag; plane, high a, high b, tag
    const __m128i even = _mm_unpacklo_epi8(shared_0, shared_2), odd = _mm_unpackhi_epi8(shared_0, shared_2);
    const __m128i lows = _mm_unpacklo_epi8(even, odd), highs = _mm_unpackhi_epi8(even, odd);
    const __m128i sizes = _mm_add_epi8(lows, highs); // as in vni_share_one
    const __m128i not_flat = _mm_subs_epu8(_mm_xor_si128(sizes, _mm_setr_epi32(0x7f7f7f7f, 0, 0, -1)),
                                           _mm_setr_epi32(0, 0x7e7e7e7e, 0x7e7e7e7e, 0));

    // corners of lanes 1 to 3, as far as there are links, beside those of lanes 0 to 2; 16 bits each
    const __m128i corners = _mm_unpacklo_epi8(_mm_srli_si128(lows, 4), _mm_srli_si128(lows, 8));
    const __m128i grows = _mm_cmpgt_epi16(_mm_srli_si128(corners, 2), corners);
    const __m128i in_order = _mm_or_si128(grows, _mm_srli_si128(_mm_packs_epi32(none, none), 2));
    const __m128i unordered = _mm_andnot_si128(in_order, _mm_setr_epi32(-1, 0xffff, 0, 0));

    const __m128i turned = _mm_xor_si128(sizes, _mm_set1_epi32(0x7f7f7f7f));
    const __m128i widths = _mm_unpacklo_epi8(_mm_srli_si128(turned, 4), zero);
    const __m128i heights = _mm_unpacklo_epi8(_mm_srli_si128(turned, 8), zero);
    const __m128i areas = _mm_unpacklo_epi16(_mm_mullo_epi16(widths, heights), zero);
    sums->wrong = _mm_or_si128(_mm_or_si128(sums->wrong, moved), _mm_or_si128(not_flat, unordered));
    sums->areas = _mm_add_epi32(sums->areas, _mm_andnot_si128(none, areas));
    sums->nones = _mm_add_epi32(sums->nones, none);
    sums->links += 4;

    // low a, high a, low b, high b
    const __m128d first = _mm_castsi128_pd(_mm_unpacklo_epi32(lows, highs)),
                  second = _mm_castsi128_pd(_mm_unpackhi_epi32(lows, highs));
    return (vni_group_sides){_mm_xor_si128(_mm_castpd_si128(_mm_shuffle_pd(first, second, 1)),
                                           _mm_setr_epi32(0, 0x7f7f7f7f, 0, 0x7f7f7f7f))};
}

VNI_INLINED void vni_compare_sides(vni_link_sums* sums, const vni_link_group* g, vni_group_sides sides) {
    const __m128i stored = _mm_loadu_si128((const __m128i*)(const void*)g);
    sums->wrong = _mm_or_si128(sums->wrong, _mm_xor_si128(sides.bytes, stored));
}

VNI_INLINED void vni_compare_single(vni_link_sums* sums, const vni_link_group* g) {
    sums->ends = _mm_and_si128(sums->ends, _mm_loadu_si128((const __m128i*)(const void*)g->to));
}

VNI_INLINED void vni_write_four(vni_link_group* g, vni_group_sides sides, const uint32_t to[4],
                                uint32_t ends) {
    const __m128i none = _mm_loadu_si128((const __m128i*)(const void*)vni_lanes_ended[ends >> 1]);
    const __m128i cells = _mm_setr_epi32((int32_t)to[0], (int32_t)to[1], (int32_t)to[2], (int32_t)to[3]);
    _mm_storeu_si128((__m128i*)(void*)g, sides.bytes);
    _mm_storeu_si128((__m128i*)(void*)g->to, _mm_or_si128(cells, none));
}

VNI_INLINED void vni_write_one(vni_link_group* g, vni_group_sides sides, uint32_t to) {
    _mm_storeu_si128((__m128i*)(void*)g, sides.bytes);
    _mm_storeu_si128((__m128i*)(void*)g->to,
                     _mm_or_si128(_mm_cvtsi32_si128((int32_t)to), _mm_setr_epi32(0, -1, -1, -1)));
}

VNI_INLINED bool vni_take_cells(const vni_link_group* g, uint32_t count, vni_group_cells* out) {
    VNI_ASSERT(count <= INT32_MAX);
    const __m128i cells = _mm_loadu_si128((const __m128i*)(const void*)g->to);
    const __m128i none = _mm_cmpeq_epi32(cells, _mm_set1_epi32(-1));
    const __m128i over = _mm_cmpgt_epi32(cells, _mm_set1_epi32((int32_t)(count - 1)));
    const uint32_t ends = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(none));
    const uint32_t negative = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(cells));

    // lanes after the last one: none, the last, the last two or three (the bits of 0x5101)
    if (_mm_movemask_epi8(over) != 0 || negative != ends || (0x5101u >> ends & 1) == 0)
        return false;

    out->ends = ends;
    out->at[0] = g->to[0];
    for (uint32_t lane = 1; lane < 4; ++lane) // a choice by mask: how many links there are is hard to predict
        out->at[lane] = g->to[lane] ^ ((g->to[lane] ^ out->at[lane - 1]) & (0 - (ends >> lane & 1)));
    return true;
}

#else

struct vni_link_sums {
    uint64_t area, links;
    bool is_wrong;
};

struct vni_group_sides {
    uint8_t bytes[4][4]; ///< low a, high a, low b, high b; by lane
};

VNI_INLINED vni_link_sums vni_link_sums_make(void) {
    return (vni_link_sums){0, 0, false};
}

VNI_INLINED bool vni_link_sums_are_right(const vni_link_sums* sums) {
    return !sums->is_wrong;
}

VNI_INLINED uint64_t vni_link_sums_area(const vni_link_sums* sums) {
    return sums->area;
}

VNI_INLINED uint64_t vni_link_sums_links(const vni_link_sums* sums) {
    return sums->links;
}

/// The intersection of two boxes, with the tag of the first; false if their tags differ.
VNI_INLINED bool vni_key_meet(vni_box_key a, vni_box_key b, vni_box_key* out) {
    *out = vni_key_shared(a & ~VNI_KEY_TAGS, b & ~VNI_KEY_TAGS) | (a & VNI_KEY_TAGS);
    return ((a ^ b) & VNI_KEY_TAGS) == 0;
}

VNI_INLINED bool vni_take_cells(const vni_link_group* g, uint32_t count, vni_group_cells* out) {
    uint32_t links = 0;
    out->ends = 0;
    for (uint32_t lane = 0; lane < 4; ++lane) {
        const bool is_link = g->to[lane] != VNI_NO_CELL;
        if (is_link ? links != lane || g->to[lane] >= count : lane == 0)
            return false;

        out->at[lane] = is_link ? g->to[lane] : out->at[lane - 1];
        out->ends |= is_link ? 0 : 1u << lane;
        links += is_link;
    }

    return true;
}

VNI_INLINED vni_group_sides vni_share_four(vni_link_sums* sums, vni_box_key from, const vni_box_key to[4],
                                           uint32_t ends, uint32_t high) {
    const uint32_t plane = (uint8_t)((from ^ VNI_KEY_HIGH) >> 32 * high);
    vni_group_sides out;
    uint32_t before = 0;
    for (uint32_t lane = 0; lane < 4; ++lane) {
        const bool is_link = (ends >> lane & 1) == 0;
        vni_box_key shared;
        const bool same_tag = vni_key_meet(from, to[lane], &shared);
        const vni_box_key sides = shared ^ VNI_KEY_HIGH;
        const uint32_t low_a = sides >> 8 & 0xff, low_b = sides >> 16 & 0xff, high_a = sides >> 40 & 0xff,
                       high_b = sides >> 48 & 0xff, corner = 1 + (low_b << 8 | low_a);

        // corners count from 1 here; lanes after the last link repeat the one before
        sums->is_wrong |= !same_tag || (uint8_t)sides != plane || (uint8_t)(sides >> 32) != plane ||
                          low_a >= high_a || low_b >= high_b || (is_link && corner <= before);
        sums->area += is_link ? (high_a - low_a) * (high_b - low_b) : 0;
        sums->links += is_link;
        out.bytes[0][lane] = (uint8_t)low_a;
        out.bytes[1][lane] = (uint8_t)high_a;
        out.bytes[2][lane] = (uint8_t)low_b;
        out.bytes[3][lane] = (uint8_t)high_b;
        before = corner;
    }

    return out;
}

VNI_INLINED vni_group_sides vni_share_one(vni_link_sums* sums, vni_box_key from, vni_box_key to,
                                          uint32_t high) {
    const vni_box_key same[4] = {to, to, to, to};
    return vni_share_four(sums, from, same, 14, high);
}

VNI_INLINED void vni_compare_sides(vni_link_sums* sums, const vni_link_group* g, vni_group_sides sides) {
    sums->is_wrong |= memcmp(g, &sides, sizeof sides) != 0;
}

VNI_INLINED void vni_compare_single(vni_link_sums* sums, const vni_link_group* g) {
    sums->is_wrong |= (g->to[1] & g->to[2] & g->to[3]) != VNI_NO_CELL;
}

VNI_INLINED void vni_write_four(vni_link_group* g, vni_group_sides sides, const uint32_t to[4],
                                uint32_t ends) {
    memcpy(g, &sides, sizeof sides);
    for (uint32_t lane = 0; lane < 4; ++lane)
        g->to[lane] = ends >> lane & 1 ? VNI_NO_CELL : to[lane];
}

VNI_INLINED void vni_write_one(vni_link_group* g, vni_group_sides sides, uint32_t to) {
    const uint32_t same[4] = {to, to, to, to};
    vni_write_four(g, sides, same, 14);
}

#endif

VNI_INLINED void vni_add_group(vni_link_sums* sums, const vni_link_group* g, vni_box_key from, uint32_t ends,
                               const vni_box_key to[4], uint32_t high) {
    vni_compare_sides(sums, g, vni_share_four(sums, from, to, ends, high));
}

VNI_INLINED void vni_add_single(vni_link_sums* sums, const vni_link_group* g, vni_box_key from,
                                vni_box_key to, uint32_t high) {
    vni_compare_single(sums, g);
    vni_compare_sides(sums, g, vni_share_one(sums, from, to, high));
}

_Static_assert(offsetof(vni_link_group, high_a) == 4 && offsetof(vni_link_group, low_b) == 8 &&
                   offsetof(vni_link_group, high_b) == 12 && offsetof(vni_link_group, to) == 16,
               "vni_group_sides is the beginning of a group");

#endif
