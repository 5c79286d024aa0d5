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

/// The face that links go through, and the cells beyond it.
typedef struct vni_link_face {
    const vni_box_key* to; ///< the cells beyond, along the axis
    uint32_t to_count;     ///< below 2^31
    uint32_t plane;        ///< coordinate of the face
    vni_box_key
        from; ///< the cell, along the axis; across a seam: its face, in coordinates of the other block
} vni_link_face;

/// What a group that is right says. Corners are b << 8 | a.
typedef struct vni_group_facts {
    uint32_t a, b, c, d; ///< the cells beyond, by lane; the last one again in the lanes after it
    uint32_t links, area;
    int32_t first_corner, last_corner; ///< low corners of lanes 0 and 3
} vni_group_facts;

/// Is each link exactly the rectangle that its two cells share, not empty, in strict order of low corners?
/// Is there a first one, and do the lanes after the last one repeat its rectangle and lead to no cell?
/// `out` is only right if so.
VNI_INLINED bool vni_check_group(const vni_link_group* g, const vni_link_face* face, vni_group_facts* out);

/// The same for a group of one link, as most are, to a cell with this key. `*area` is set.
VNI_INLINED bool vni_check_single(const vni_link_group* g, vni_box_key from, vni_box_key to, uint32_t plane,
                                  uint32_t* area);

/// Are two boxes, along the axis, apart in no other direction than this one, where they touch in the plane?
/// Takes their intersection; sets the area of the rectangle that they share. Each byte of the sum is 127 -
/// size.
VNI_INLINED bool vni_key_is_flat(vni_box_key shared, uint32_t plane, uint32_t* area) {
    const uint32_t sums = (uint32_t)shared + (uint32_t)(shared >> 32);
    *area = (127 - (sums >> 8 & 0xff)) * (127 - (sums >> 16 & 0xff));
    return ((sums + 0x010101) & 0x8080ff) == 0x80 && (uint8_t)shared == plane;
}

// A lane after the last link is compared as if it led to the same cell as the last one: that proves the
// repeated rectangle. What is compared is the whole key of the intersection, in the layout of vni_box_key:
// along the axis both its sides lie in the plane.

#if VOLNAV_SIMD && (defined(__SSE2__) || defined(_M_X64))

VNI_INLINED bool vni_check_single(const vni_link_group* g, vni_box_key from, vni_box_key to, uint32_t plane,
                                  uint32_t* area) {
    const __m128i shared = _mm_max_epu8(_mm_cvtsi64_si128((int64_t)from), _mm_cvtsi64_si128((int64_t)to));

    // from (plane, low a, low b, 0, plane, high a, high b, 0) to each of them four times, as in the group
    __m128i sides = _mm_unpacklo_epi8(shared, shared);
    sides = _mm_shufflehi_epi16(_mm_shufflelo_epi16(sides, _MM_SHUFFLE(2, 2, 1, 1)), _MM_SHUFFLE(2, 2, 1, 1));
    sides = _mm_xor_si128(_mm_shuffle_epi32(sides, _MM_SHUFFLE(3, 1, 2, 0)),
                          _mm_setr_epi32(0, 0x7f7f7f7f, 0, 0x7f7f7f7f));
    const __m128i equal = _mm_cmpeq_epi8(sides, _mm_loadu_si128((const __m128i*)(const void*)g));
    return vni_key_is_flat((vni_box_key)_mm_cvtsi128_si64(shared), plane, area) &&
           _mm_movemask_epi8(equal) == 0xffff && (g->to[1] & g->to[2] & g->to[3]) == VNI_NO_CELL;
}

VNI_INLINED __m128i vni_two_keys(const vni_box_key* keys, uint32_t a, uint32_t b) {
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i*)(const void*)&keys[a]),
                              _mm_loadl_epi64((const __m128i*)(const void*)&keys[b]));
}

VNI_INLINED bool vni_check_group(const vni_link_group* g, const vni_link_face* face, vni_group_facts* out) {
    VNI_ASSERT(face->to_count > 0 && face->to_count <= INT32_MAX);
    const __m128i cells = _mm_loadu_si128((const __m128i*)(const void*)g->to);
    const __m128i none = _mm_cmpeq_epi32(cells, _mm_set1_epi32(-1));
    const __m128i over = _mm_cmpgt_epi32(cells, _mm_set1_epi32((int32_t)(face->to_count - 1)));
    const uint32_t ends = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(none));
    const uint32_t negative = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(cells));

    // lanes after the last one: none, the last, the last two or three (the bits of 0x5101)
    if (_mm_movemask_epi8(over) != 0 || negative != ends || (0x5101u >> ends & 1) == 0)
        return false;

    out->a = g->to[0];
    out->b = ends & 2 ? out->a : g->to[1];
    out->c = ends & 4 ? out->b : g->to[2];
    out->d = ends & 8 ? out->c : g->to[3];

    // from low_a[4] high_a[4] low_b[4] high_b[4] to four keys: lows has (plane, a, b, 0) for each lane
    const __m128i sides = _mm_loadu_si128((const __m128i*)(const void*)g);
    const __m128i first = _mm_unpacklo_epi8(_mm_set1_epi8((char)face->plane), sides);
    const __m128i second = _mm_unpackhi_epi8(sides, _mm_setzero_si128());
    const __m128i lows = _mm_unpacklo_epi16(first, second), highs = _mm_unpackhi_epi16(first, second);
    const __m128i turned = _mm_xor_si128(highs, _mm_set1_epi32(0x7f7f7f));

    const __m128i from = _mm_set1_epi64x((int64_t)face->from);
    const __m128i shared_0 = _mm_max_epu8(from, vni_two_keys(face->to, out->a, out->b));
    const __m128i shared_2 = _mm_max_epu8(from, vni_two_keys(face->to, out->c, out->d));
    const __m128i equal_0 = _mm_cmpeq_epi8(shared_0, _mm_unpacklo_epi32(lows, turned));
    const __m128i equal_2 = _mm_cmpeq_epi8(shared_2, _mm_unpackhi_epi32(lows, turned));

    // corners of lanes 1 to 3 beside those of lanes 0 to 2
    const __m128i corners = _mm_srli_epi32(lows, 8);
    const __m128i grows = _mm_cmpgt_epi32(_mm_srli_si128(corners, 4), corners);
    const uint32_t in_order = (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(grows)) | ends >> 1;

    // bytes 1 and 2 of a lane: width and height
    const __m128i sizes = _mm_sub_epi8(highs, lows);
    const __m128i widths = _mm_and_si128(_mm_srli_epi32(sizes, 8), _mm_set1_epi32(0xff));
    __m128i areas = _mm_andnot_si128(none, _mm_madd_epi16(widths, _mm_srli_epi32(sizes, 16)));
    areas = _mm_add_epi32(areas, _mm_shuffle_epi32(areas, _MM_SHUFFLE(1, 0, 3, 2)));
    areas = _mm_add_epi32(areas, _mm_shuffle_epi32(areas, _MM_SHUFFLE(2, 3, 0, 1)));

    out->area = (uint32_t)_mm_cvtsi128_si32(areas);
    out->links = 4 - (ends >> 1 & 1) - (ends >> 2 & 1) - (ends >> 3);
    out->first_corner = _mm_cvtsi128_si32(corners);
    out->last_corner = _mm_cvtsi128_si32(_mm_shuffle_epi32(corners, _MM_SHUFFLE(3, 3, 3, 3)));
    return _mm_movemask_epi8(_mm_and_si128(equal_0, equal_2)) == 0xffff && (in_order & 7) == 7 &&
           _mm_movemask_epi8(_mm_cmpgt_epi8(highs, lows)) == 0x6666;
}

#else

VNI_INLINED bool vni_check_single(const vni_link_group* g, vni_box_key from, vni_box_key to, uint32_t plane,
                                  uint32_t* area) {
    const vni_box_key shared = vni_key_shared(from, to), sides = shared ^ VNI_KEY_HIGH;
    uint8_t wanted[16];
    for (int i = 0; i < 4; ++i) {
        wanted[i] = (uint8_t)(sides >> 8);
        wanted[i + 4] = (uint8_t)(sides >> 40);
        wanted[i + 8] = (uint8_t)(sides >> 16);
        wanted[i + 12] = (uint8_t)(sides >> 48);
    }

    return vni_key_is_flat(shared, plane, area) && memcmp(g, wanted, sizeof wanted) == 0 &&
           (g->to[1] & g->to[2] & g->to[3]) == VNI_NO_CELL;
}

VNI_INLINED bool vni_check_group(const vni_link_group* g, const vni_link_face* face, vni_group_facts* out) {
    const uint64_t plane = (face->plane | (uint64_t)face->plane << 32) ^ VNI_KEY_HIGH;
    uint32_t links = 0, area = 0, last = 0, to[4];
    int32_t corner = -1;
    for (uint32_t lane = 0; lane < 4; ++lane) {
        const bool is_link = g->to[lane] != VNI_NO_CELL;
        if (is_link ? links != lane || g->to[lane] >= face->to_count : lane == 0)
            return false;

        const uint32_t width = (uint32_t)g->high_a[lane] - g->low_a[lane],
                       height = (uint32_t)g->high_b[lane] - g->low_b[lane];
        const uint64_t sides = (uint64_t)g->low_a[lane] << 8 | (uint64_t)g->low_b[lane] << 16 |
                               (uint64_t)g->high_a[lane] << 40 | (uint64_t)g->high_b[lane] << 48;
        const int32_t next = g->low_b[lane] << 8 | g->low_a[lane];
        last = to[lane] = is_link ? g->to[lane] : last;

        // (n - 1) >> 31 is not 0 for 0 and for a negative n: the rectangle is empty
        if ((vni_key_shared(face->from, face->to[last]) ^ plane) != sides || (width - 1) >> 31 ||
            (height - 1) >> 31 || (is_link && next <= corner))
            return false;

        corner = next;
        links += is_link;
        area += is_link ? width * height : 0;
    }

    out->a = to[0];
    out->b = to[1];
    out->c = to[2];
    out->d = to[3];
    out->first_corner = g->low_b[0] << 8 | g->low_a[0];
    out->last_corner = corner;
    out->links = links;
    out->area = area;
    return true;
}

#endif

#endif
