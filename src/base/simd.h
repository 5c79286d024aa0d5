/// base/simd.h: four floats at a time, with SSE2, NEON, SIMD128 of WebAssembly or plain C (VOLNAV_SIMD=0).
/// All give the same bits: there are only + - * / sqrt, min, max and comparisons, correctly rounded, and no
/// fused or approximate instructions. Arguments of min and max must not be NaN.
#ifndef VNI_BASE_SIMD_H
#define VNI_BASE_SIMD_H

#include <stdint.h>
#include <string.h>

#ifndef VOLNAV_SIMD
#define VOLNAV_SIMD 1
#endif

#if VOLNAV_SIMD && (defined(__SSE2__) || defined(_M_X64))
#include <emmintrin.h>

typedef __m128 vni_f4;

static inline vni_f4 vni_f4_all(float x) {
    return _mm_set1_ps(x);
}
static inline vni_f4 vni_f4_load(const float from[4]) {
    return _mm_loadu_ps(from);
}
static inline vni_f4 vni_f4_of(float x, float y, float z, float w) {
    return _mm_setr_ps(x, y, z, w);
}
static inline void vni_f4_store(float out[4], vni_f4 a) {
    _mm_storeu_ps(out, a);
}
/// Lane k of the n-th becomes lane n of the k-th.
static inline void vni_f4_transpose(vni_f4* a, vni_f4* b, vni_f4* c, vni_f4* d) {
    _MM_TRANSPOSE4_PS(*a, *b, *c, *d);
}
/// Bit i: a[i] == b[i].
static inline uint32_t vni_f4_equal(vni_f4 a, vni_f4 b) {
    return (uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(a, b));
}
/// Bit i: a[i] <= b[i]. False for NaN.
static inline uint32_t vni_f4_not_above(vni_f4 a, vni_f4 b) {
    return (uint32_t)_mm_movemask_ps(_mm_cmple_ps(a, b));
}
/// Four bytes as floats.
static inline vni_f4 vni_f4_from_bytes(const uint8_t bytes[4]) {
    int32_t word;
    memcpy(&word, bytes, 4);
    __m128i zero = _mm_setzero_si128();
    __m128i wide = _mm_unpacklo_epi8(_mm_cvtsi32_si128(word), zero);
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(wide, zero));
}
static inline vni_f4 vni_f4_add(vni_f4 a, vni_f4 b) {
    return _mm_add_ps(a, b);
}
static inline vni_f4 vni_f4_sub(vni_f4 a, vni_f4 b) {
    return _mm_sub_ps(a, b);
}
static inline vni_f4 vni_f4_mul(vni_f4 a, vni_f4 b) {
    return _mm_mul_ps(a, b);
}
static inline vni_f4 vni_f4_div(vni_f4 a, vni_f4 b) {
    return _mm_div_ps(a, b);
}
static inline vni_f4 vni_f4_sqrt(vni_f4 a) {
    return _mm_sqrt_ps(a);
}
static inline vni_f4 vni_f4_min(vni_f4 a, vni_f4 b) {
    return _mm_min_ps(a, b);
}
static inline vni_f4 vni_f4_max(vni_f4 a, vni_f4 b) {
    return _mm_max_ps(a, b);
}

#elif VOLNAV_SIMD && defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>

typedef float32x4_t vni_f4;

static inline vni_f4 vni_f4_all(float x) {
    return vdupq_n_f32(x);
}
static inline vni_f4 vni_f4_load(const float from[4]) {
    return vld1q_f32(from);
}
static inline vni_f4 vni_f4_of(float x, float y, float z, float w) {
    return (vni_f4){x, y, z, w};
}
static inline void vni_f4_store(float out[4], vni_f4 a) {
    vst1q_f32(out, a);
}
static inline void vni_f4_transpose(vni_f4* a, vni_f4* b, vni_f4* c, vni_f4* d) {
    const float32x4x2_t ac = vzipq_f32(*a, *c), bd = vzipq_f32(*b, *d);
    const float32x4x2_t low = vzipq_f32(ac.val[0], bd.val[0]), high = vzipq_f32(ac.val[1], bd.val[1]);
    *a = low.val[0];
    *b = low.val[1];
    *c = high.val[0];
    *d = high.val[1];
}
static inline uint32_t vni_f4_equal(vni_f4 a, vni_f4 b) {
    const uint32x4_t bits = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vceqq_f32(a, b), bits));
}
static inline uint32_t vni_f4_not_above(vni_f4 a, vni_f4 b) {
    const uint32x4_t bits = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcleq_f32(a, b), bits));
}
static inline vni_f4 vni_f4_from_bytes(const uint8_t bytes[4]) {
    uint32_t word;
    memcpy(&word, bytes, 4);
    uint16x8_t wide = vmovl_u8(vcreate_u8(word));
    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(wide)));
}
static inline vni_f4 vni_f4_add(vni_f4 a, vni_f4 b) {
    return vaddq_f32(a, b);
}
static inline vni_f4 vni_f4_sub(vni_f4 a, vni_f4 b) {
    return vsubq_f32(a, b);
}
static inline vni_f4 vni_f4_mul(vni_f4 a, vni_f4 b) {
    return vmulq_f32(a, b);
}
static inline vni_f4 vni_f4_div(vni_f4 a, vni_f4 b) {
    return vdivq_f32(a, b);
}
static inline vni_f4 vni_f4_sqrt(vni_f4 a) {
    return vsqrtq_f32(a);
}
static inline vni_f4 vni_f4_min(vni_f4 a, vni_f4 b) {
    return vminq_f32(a, b);
}
static inline vni_f4 vni_f4_max(vni_f4 a, vni_f4 b) {
    return vmaxq_f32(a, b);
}

#elif VOLNAV_SIMD && defined(__wasm_simd128__)
#include <wasm_simd128.h>

typedef v128_t vni_f4;

static inline vni_f4 vni_f4_all(float x) {
    return wasm_f32x4_splat(x);
}
static inline vni_f4 vni_f4_load(const float from[4]) {
    return wasm_v128_load(from);
}
static inline vni_f4 vni_f4_of(float x, float y, float z, float w) {
    return wasm_f32x4_make(x, y, z, w);
}
static inline void vni_f4_store(float out[4], vni_f4 a) {
    wasm_v128_store(out, a);
}
static inline void vni_f4_transpose(vni_f4* a, vni_f4* b, vni_f4* c, vni_f4* d) {
    const v128_t ac_low = wasm_i32x4_shuffle(*a, *c, 0, 4, 1, 5),
                 ac_high = wasm_i32x4_shuffle(*a, *c, 2, 6, 3, 7),
                 bd_low = wasm_i32x4_shuffle(*b, *d, 0, 4, 1, 5),
                 bd_high = wasm_i32x4_shuffle(*b, *d, 2, 6, 3, 7);
    *a = wasm_i32x4_shuffle(ac_low, bd_low, 0, 4, 1, 5);
    *b = wasm_i32x4_shuffle(ac_low, bd_low, 2, 6, 3, 7);
    *c = wasm_i32x4_shuffle(ac_high, bd_high, 0, 4, 1, 5);
    *d = wasm_i32x4_shuffle(ac_high, bd_high, 2, 6, 3, 7);
}
static inline uint32_t vni_f4_equal(vni_f4 a, vni_f4 b) {
    return (uint32_t)wasm_i32x4_bitmask(wasm_f32x4_eq(a, b));
}
static inline uint32_t vni_f4_not_above(vni_f4 a, vni_f4 b) {
    return (uint32_t)wasm_i32x4_bitmask(wasm_f32x4_le(a, b));
}
static inline vni_f4 vni_f4_from_bytes(const uint8_t bytes[4]) {
    const v128_t wide = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(bytes));
    return wasm_f32x4_convert_u32x4(wasm_u32x4_extend_low_u16x8(wide));
}
static inline vni_f4 vni_f4_add(vni_f4 a, vni_f4 b) {
    return wasm_f32x4_add(a, b);
}
static inline vni_f4 vni_f4_sub(vni_f4 a, vni_f4 b) {
    return wasm_f32x4_sub(a, b);
}
static inline vni_f4 vni_f4_mul(vni_f4 a, vni_f4 b) {
    return wasm_f32x4_mul(a, b);
}
static inline vni_f4 vni_f4_div(vni_f4 a, vni_f4 b) {
    return wasm_f32x4_div(a, b);
}
static inline vni_f4 vni_f4_sqrt(vni_f4 a) {
    return wasm_f32x4_sqrt(a);
}
// pmin and pmax, with the arguments turned round, keep the one of two zeros that SSE2 keeps.
static inline vni_f4 vni_f4_min(vni_f4 a, vni_f4 b) {
    return wasm_f32x4_pmin(b, a);
}
static inline vni_f4 vni_f4_max(vni_f4 a, vni_f4 b) {
    return wasm_f32x4_pmax(b, a);
}

#else
#include <math.h>

typedef struct vni_f4 {
    float v[4];
} vni_f4;

#define VNI_F4_EACH(expression)                                                                              \
    vni_f4 r;                                                                                                \
    for (int i = 0; i < 4; ++i)                                                                              \
        r.v[i] = (expression);                                                                               \
    return r

static inline vni_f4 vni_f4_all(float x) {
    VNI_F4_EACH(x);
}
static inline vni_f4 vni_f4_load(const float from[4]) {
    vni_f4 r;
    memcpy(r.v, from, sizeof r.v);
    return r;
}
static inline vni_f4 vni_f4_of(float x, float y, float z, float w) {
    vni_f4 r = {{x, y, z, w}};
    return r;
}
static inline void vni_f4_store(float out[4], vni_f4 a) {
    memcpy(out, a.v, sizeof a.v);
}
static inline void vni_f4_transpose(vni_f4* a, vni_f4* b, vni_f4* c, vni_f4* d) {
    vni_f4* rows[4] = {a, b, c, d};
    for (int n = 0; n < 4; ++n)
        for (int k = 0; k < n; ++k) {
            const float other = rows[n]->v[k];
            rows[n]->v[k] = rows[k]->v[n];
            rows[k]->v[n] = other;
        }
}
static inline uint32_t vni_f4_equal(vni_f4 a, vni_f4 b) {
    uint32_t bits = 0;
    for (int i = 0; i < 4; ++i)
        bits |= (uint32_t)(a.v[i] == b.v[i]) << i;
    return bits;
}
static inline uint32_t vni_f4_not_above(vni_f4 a, vni_f4 b) {
    uint32_t bits = 0;
    for (int i = 0; i < 4; ++i)
        bits |= (uint32_t)(a.v[i] <= b.v[i]) << i;
    return bits;
}
static inline vni_f4 vni_f4_from_bytes(const uint8_t bytes[4]) {
    VNI_F4_EACH((float)bytes[i]);
}
static inline vni_f4 vni_f4_add(vni_f4 a, vni_f4 b) {
    VNI_F4_EACH(a.v[i] + b.v[i]);
}
static inline vni_f4 vni_f4_sub(vni_f4 a, vni_f4 b) {
    VNI_F4_EACH(a.v[i] - b.v[i]);
}
static inline vni_f4 vni_f4_mul(vni_f4 a, vni_f4 b) {
    VNI_F4_EACH(a.v[i] * b.v[i]);
}
static inline vni_f4 vni_f4_div(vni_f4 a, vni_f4 b) {
    VNI_F4_EACH(a.v[i] / b.v[i]);
}
static inline vni_f4 vni_f4_sqrt(vni_f4 a) {
    VNI_F4_EACH(sqrtf(a.v[i]));
}
static inline vni_f4 vni_f4_min(vni_f4 a, vni_f4 b) {
    VNI_F4_EACH(a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
}
static inline vni_f4 vni_f4_max(vni_f4 a, vni_f4 b) {
    VNI_F4_EACH(a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
}
#undef VNI_F4_EACH
#endif

#endif
