/// cells/validate_group.h: checks one group of four links against the cells that they join. Private to
/// cells/validate_links.c, which proves the rest.
#ifndef VNI_CELLS_VALIDATE_GROUP_H
#define VNI_CELLS_VALIDATE_GROUP_H

#include "base/simd.h"
#include "cells/validate.h"

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

/// Adds a group. Wrong is a link that is not exactly the rectangle that its two cells share, an empty one,
/// one that does not follow the one before in the order of low corners, cells with different tags, and lanes
/// after the last one that do not repeat its rectangle. All keys are along the axis and tagged. `plane` is
/// the coordinate of the face; across a seam `from` is the face of the cell in coordinates of the other
/// block. `ends` and `to` are from vni_take_cells.
VNI_INLINED void vni_add_group(vni_link_sums* sums, const vni_link_group* g, vni_box_key from, uint32_t plane,
                               uint32_t ends, const vni_box_key to[4]);

/// The same for a group of one link, as most are. Lanes that lead to a cell after all are wrong too. `high`:
/// 1 if it is the upper face of the cell, else 0.
VNI_INLINED void vni_add_single(vni_link_sums* sums, const vni_link_group* g, vni_box_key from,
                                vni_box_key to, uint32_t high);

VNI_INLINED bool vni_link_sums_are_right(const vni_link_sums* sums);
VNI_INLINED uint64_t vni_link_sums_area(const vni_link_sums* sums);
VNI_INLINED uint64_t vni_link_sums_links(const vni_link_sums* sums);

/// The low corner of a link, as lists are ordered.
VNI_INLINED int32_t vni_link_corner(const vni_link_group* g, uint32_t lane) {
    return g->low_b[lane] << 8 | g->low_a[lane];
}

// A lane after the last link is compared as if it led to the same cell as the last one: that proves the
// repeated rectangle. What is compared is the whole key of the intersection, in the layout of vni_box_key:
// along the axis both its sides lie in the plane, and its tag is that of both cells.

#if VOLNAV_SIMD && (defined(__SSE2__) || defined(_M_X64))

struct vni_link_sums {
    __m128i wrong;  ///< all zero if nothing is
    __m128i ends;   ///< of single links: lanes 1 to 3 are all ones
    __m128i single; ///< areas: the lowest lane
    __m128i areas;  ///< those of other groups: four lanes
    __m128i nones;  ///< minus the lanes of these without a link
    uint64_t links; ///< single ones, and all lanes of other groups
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

VNI_INLINED void vni_add_single(vni_link_sums* sums, const vni_link_group* g, vni_box_key from,
                                vni_box_key to, uint32_t high) {
    static const uint64_t side[2] = {0xff, (uint64_t)0xff << 32};
    const __m128i one = _mm_cvtsi64_si128((int64_t)from);
    const __m128i shared = _mm_max_epu8(one, _mm_cvtsi64_si128((int64_t)to));

    // from (plane, low a, low b, tag, plane, high a, high b, tag) to each of a and b four times, as in the
    // group
    __m128i sides = _mm_unpacklo_epi8(shared, shared);
    sides = _mm_shufflehi_epi16(_mm_shufflelo_epi16(sides, _MM_SHUFFLE(2, 2, 1, 1)), _MM_SHUFFLE(2, 2, 1, 1));
    sides = _mm_xor_si128(_mm_shuffle_epi32(sides, _MM_SHUFFLE(3, 1, 2, 0)),
                          _mm_setr_epi32(0, 0x7f7f7f7f, 0, 0x7f7f7f7f));
    const __m128i differs = _mm_xor_si128(sides, _mm_loadu_si128((const __m128i*)(const void*)g));

    // In the lowest four bytes, low + (127 - high) = 127 - size: 127 along the axis, at most 126 along the
    // two others, 255 for equal tags. Then the two cells touch; on the right side if this side is the cell's
    // own.
    const __m128i sizes = _mm_add_epi8(shared, _mm_srli_epi64(shared, 32));
    const __m128i not_flat = _mm_subs_epu8(_mm_xor_si128(sizes, _mm_cvtsi32_si128((int32_t)0xff00007fu)),
                                           _mm_setr_epi32(0x007e7e00, -1, -1, -1));
    const __m128i moved = _mm_and_si128(_mm_xor_si128(shared, one), _mm_cvtsi64_si128((int64_t)side[high]));
    const __m128i wrong = _mm_or_si128(_mm_or_si128(differs, not_flat), moved);

    // words 0 and (0, a, b), of a link that is right; a * b is in the lowest product
    const __m128i words =
        _mm_unpacklo_epi8(_mm_xor_si128(sizes, _mm_set1_epi32(0x7f7f7f)), _mm_setzero_si128());
    const __m128i turned = _mm_shufflelo_epi16(words, _MM_SHUFFLE(0, 0, 2, 0));
    sums->wrong = _mm_or_si128(sums->wrong, wrong);
    sums->ends = _mm_and_si128(sums->ends, _mm_loadu_si128((const __m128i*)(const void*)g->to));
    sums->single = _mm_add_epi32(sums->single, _mm_madd_epi16(words, turned));
    ++sums->links;
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

VNI_INLINED void vni_add_group(vni_link_sums* sums, const vni_link_group* g, vni_box_key from, uint32_t plane,
                               uint32_t ends, const vni_box_key to[4]) {
    (void)ends; // as a vector below
    const __m128i none =
        _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i*)(const void*)g->to), _mm_set1_epi32(-1));

    // from low_a[4] high_a[4] low_b[4] high_b[4] to four keys: lows has (plane, a, b, 0) for each lane
    const __m128i sides = _mm_loadu_si128((const __m128i*)(const void*)g);
    const __m128i first = _mm_unpacklo_epi8(_mm_set1_epi8((char)plane), sides);
    const __m128i second = _mm_unpackhi_epi8(sides, _mm_setzero_si128());
    const __m128i lows = _mm_unpacklo_epi16(first, second), highs = _mm_unpackhi_epi16(first, second);
    const __m128i turned = _mm_xor_si128(highs, _mm_set1_epi32(0x7f7f7f));

    // the tag of `from` taken out: 0 if it is that of the other cell too
    const __m128i one = _mm_set1_epi64x((int64_t)from);
    const __m128i tags = _mm_set1_epi64x((int64_t)(from & VNI_KEY_TAGS));
    const __m128i shared_0 = _mm_max_epu8(one, _mm_set_epi64x((int64_t)to[1], (int64_t)to[0]));
    const __m128i shared_2 = _mm_max_epu8(one, _mm_set_epi64x((int64_t)to[3], (int64_t)to[2]));
    const __m128i differs_0 = _mm_xor_si128(_mm_xor_si128(shared_0, tags), _mm_unpacklo_epi32(lows, turned));
    const __m128i differs_2 = _mm_xor_si128(_mm_xor_si128(shared_2, tags), _mm_unpackhi_epi32(lows, turned));

    // corners of lanes 1 to 3, as far as there are links, beside those of lanes 0 to 2
    const __m128i corners = _mm_srli_epi32(lows, 8);
    const __m128i grows = _mm_cmpgt_epi32(_mm_srli_si128(corners, 4), corners);
    const __m128i in_order = _mm_or_si128(grows, _mm_srli_si128(none, 4));
    const __m128i unordered = _mm_andnot_si128(in_order, _mm_setr_epi32(-1, -1, -1, 0));

    // bytes 1 and 2 of a lane: width and height
    const __m128i empty = _mm_andnot_si128(_mm_cmpgt_epi8(highs, lows), _mm_set1_epi32(0x00ffff00));
    const __m128i sizes = _mm_sub_epi8(highs, lows);
    const __m128i widths = _mm_and_si128(_mm_srli_epi32(sizes, 8), _mm_set1_epi32(0xff));
    const __m128i areas = _mm_andnot_si128(none, _mm_madd_epi16(widths, _mm_srli_epi32(sizes, 16)));

    sums->wrong = _mm_or_si128(_mm_or_si128(sums->wrong, differs_0),
                               _mm_or_si128(_mm_or_si128(differs_2, unordered), empty));
    sums->areas = _mm_add_epi32(sums->areas, areas);
    sums->nones = _mm_add_epi32(sums->nones, none);
    sums->links += 4;
}

#else

struct vni_link_sums {
    uint64_t area, links;
    bool is_wrong;
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

VNI_INLINED void vni_add_group(vni_link_sums* sums, const vni_link_group* g, vni_box_key from, uint32_t plane,
                               uint32_t ends, const vni_box_key to[4]) {
    const uint64_t both = (plane | (uint64_t)plane << 32) ^ VNI_KEY_HIGH ^ (from & VNI_KEY_TAGS);
    for (uint32_t lane = 0; lane < 4; ++lane) {
        const bool is_link = (ends >> lane & 1) == 0;
        const uint32_t width = (uint32_t)g->high_a[lane] - g->low_a[lane],
                       height = (uint32_t)g->high_b[lane] - g->low_b[lane];
        const uint64_t sides = (uint64_t)g->low_a[lane] << 8 | (uint64_t)g->low_b[lane] << 16 |
                               (uint64_t)g->high_a[lane] << 40 | (uint64_t)g->high_b[lane] << 48;
        const bool grows = lane == 0 || vni_link_corner(g, lane) > vni_link_corner(g, lane - 1);
        vni_box_key shared;

        // (n - 1) >> 31 is not 0 for 0 and for a negative n: the rectangle is empty
        sums->is_wrong |= !vni_key_meet(from, to[lane], &shared) || (shared ^ both) != sides ||
                          (width - 1) >> 31 || (height - 1) >> 31 || (is_link && !grows);
        sums->area += is_link ? width * height : 0;
        sums->links += is_link;
    }
}

VNI_INLINED void vni_add_single(vni_link_sums* sums, const vni_link_group* g, vni_box_key from,
                                vni_box_key to, uint32_t high) {
    const vni_box_key same[4] = {to, to, to, to};
    const uint32_t plane = (uint8_t)((from ^ VNI_KEY_HIGH) >> 32 * high);
    sums->is_wrong |= (g->to[1] & g->to[2] & g->to[3]) != VNI_NO_CELL;
    vni_add_group(sums, g, from, plane, 14, same);
}

#endif

#endif
