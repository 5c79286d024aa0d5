/// tests/fuzz/api/reader.c: numbers from bytes.
#include "tests/fuzz/api/reader.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

uint8_t vnf_byte(vnf_reader* in) {
    if (in->left == 0)
        return 0;

    --in->left;
    return *in->data++;
}

uint64_t vnf_bits(vnf_reader* in, int bytes) {
    uint64_t bits = 0;
    for (int i = 0; i < bytes; ++i)
        bits |= (uint64_t)vnf_byte(in) << 8 * i;
    return bits;
}

uint32_t vnf_below(vnf_reader* in, uint32_t count) {
    const uint64_t bits = vnf_bits(in, count <= 256 ? 1 : count <= 65536 ? 2 : 4);
    return (uint32_t)(bits % count);
}

bool vnf_chance(vnf_reader* in, uint32_t count) {
    return vnf_below(in, count) == count - 1 && in->left > 0;
}

bool vnf_coin(vnf_reader* in) {
    return (vnf_byte(in) & 1) != 0;
}

// ------------------------------------------------------------------------------------------- wild numbers

static bool goes_wild(vnf_reader* in) {
    return in->wild && vnf_chance(in, 4);
}

static float any_float(vnf_reader* in) {
    static const float extremes[] = {
        NAN,      INFINITY,   -INFINITY,   1e30f,      -1e30f,        FLT_MAX,        -FLT_MAX,
        FLT_MIN,  1e-45f,     -1e-45f,     0.0f,       -0.0f,         1e6f,           -1e6f,
        1e6f + 1, 1048576.0f, -1048576.0f, 1048575.9f, 2147483648.0f, -2147483648.0f, 1e-9f,
        1e9f,     1e-6f,      65536.0f,    -1.0f,      16777216.0f};
    const uint32_t which = vnf_below(in, COUNT_OF(extremes) + 6);

    if (which < COUNT_OF(extremes))
        return extremes[which];

    const uint32_t bits = (uint32_t)vnf_bits(in, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double any_double(vnf_reader* in) {
    static const double extremes[] = {DBL_MAX, -DBL_MAX, DBL_MIN,           5e-324, 1e300, 1e18,
                                      -1e18,   9.3e18,   4503599627370496.0};
    const uint32_t which = vnf_below(in, 2 * COUNT_OF(extremes));
    return which < COUNT_OF(extremes) ? extremes[which] : (double)any_float(in);
}

static int32_t any_int(vnf_reader* in) {
    static const int32_t extremes[] = {INT32_MIN,  INT32_MIN + 1, INT32_MAX,     INT32_MAX - 1, 0,
                                       -1,         1 << 20,       (1 << 20) - 1, -(1 << 20),    1 << 30,
                                       -(1 << 30), INT32_MAX / 2, 1 << 10,       INT32_MIN / 2, 65536,
                                       -65536};
    const uint32_t which = vnf_below(in, COUNT_OF(extremes) + 4);
    return which < COUNT_OF(extremes) ? extremes[which] : (int32_t)vnf_bits(in, 4);
}

// ------------------------------------------------------------------------------------------------- numbers

int32_t vnf_int(vnf_reader* in, int32_t low, int32_t high) {
    if (goes_wild(in))
        return any_int(in);

    const uint32_t span = (uint32_t)high - (uint32_t)low + 1;
    return (int32_t)((int64_t)low + (int64_t)vnf_below(in, span));
}

uint32_t vnf_count(vnf_reader* in, uint32_t count) {
    return goes_wild(in) ? (uint32_t)any_int(in) : vnf_below(in, count);
}

float vnf_metres(vnf_reader* in) {
    return goes_wild(in) ? any_float(in) : (float)((int)(vnf_byte(in) % 160) - 16) * 0.125f;
}

float vnf_part(vnf_reader* in, float most) {
    return goes_wild(in) ? any_float(in) : most * (float)vnf_byte(in) / 255;
}

double vnf_real(vnf_reader* in, double most) {
    return goes_wild(in) ? any_double(in) : most * vnf_byte(in) / 255;
}

vn_vec3 vnf_vec(vnf_reader* in) {
    vn_vec3 v;
    v.x = vnf_metres(in);
    v.y = vnf_metres(in);
    v.z = vnf_metres(in);
    return v;
}

vn_dvec3 vnf_dvec(vnf_reader* in) {
    vn_dvec3 v;
    v.x = goes_wild(in) ? any_double(in) : (double)vnf_metres(in);
    v.y = goes_wild(in) ? any_double(in) : (double)vnf_metres(in);
    v.z = goes_wild(in) ? any_double(in) : (double)vnf_metres(in);
    return v;
}

vn_box vnf_box(vnf_reader* in) {
    vn_box box = {vnf_vec(in), {0, 0, 0}};
    box.max.x = box.min.x + vnf_part(in, 8);
    box.max.y = box.min.y + vnf_part(in, 8);
    box.max.z = box.min.z + vnf_part(in, 8);
    return box;
}

vn_quat vnf_rotation(vnf_reader* in) {
    static const vn_quat turns[] = {{0, 0, 0, 1},
                                    {0, 0, 0.70710678f, 0.70710678f},
                                    {1, 0, 0, 0},
                                    {0.5f, 0.5f, 0.5f, 0.5f},
                                    {0, 0.38268343f, 0, 0.92387953f},
                                    {0.6f, 0, 0, 0.8f},
                                    {0, 0, 0, -1},
                                    {0.1f, 0.7f, 0.1f, 0.7f},
                                    {0, 1e-7f, 0, 1},
                                    {0.28f, 0.96f, 0, 0}};

    if (!goes_wild(in))
        return turns[vnf_below(in, COUNT_OF(turns))];

    vn_quat q;
    q.x = any_float(in);
    q.y = vnf_part(in, 1);
    q.z = vnf_part(in, 1);
    q.w = any_float(in);

    return q;
}

vn_transform vnf_place(vnf_reader* in) {
    static const float scales[] = {1, 1, 1, 2, 0.5f, 3, 0.01f, 1.7f};
    vn_transform place;
    place.position = vnf_vec(in);
    place.rotation = vnf_rotation(in);
    place.scale = goes_wild(in) ? any_float(in) : scales[vnf_below(in, COUNT_OF(scales))];
    return place;
}

vn_voxel vnf_voxel(vnf_reader* in, vn_voxel dims) {
    vn_voxel v;
    v.x = vnf_int(in, -1, dims.x);
    v.y = vnf_int(in, -1, dims.y);
    v.z = vnf_int(in, -1, dims.z);
    return v;
}

static int32_t lattice(vnf_reader* in, int32_t dim) {
    if (goes_wild(in))
        return any_int(in);

    const int32_t voxel = (int32_t)vnf_below(in, (uint32_t)dim);
    const uint8_t within = vnf_byte(in);
    const int32_t rest = within < 64    ? VN_LATTICE / 2
                         : within < 96  ? 0
                         : within < 128 ? VN_LATTICE
                                        : (int32_t)within * 4 + within % 4;

    return voxel * VN_LATTICE + rest;
}

vn_point vnf_point(vnf_reader* in, vn_voxel dims) {
    vn_point p;
    p.x = lattice(in, dims.x);
    p.y = lattice(in, dims.y);
    p.z = lattice(in, dims.z);
    return p;
}
