/// tests/fuzz/api/reader.h: bytes of an input as numbers: mostly sensible ones, sometimes extreme ones.
///
/// At the end of the input every number is 0. The same bytes give the same numbers on every machine.
#ifndef VNF_READER_H
#define VNF_READER_H

#include "volnav/math.h"

typedef struct vnf_reader {
    const uint8_t* data;
    size_t left;
    bool wild; ///< one number in four is extreme: not finite, at a limit, or any bits
} vnf_reader;

uint8_t vnf_byte(vnf_reader* in);

/// Little endian, `bytes` of them (up to 8).
uint64_t vnf_bits(vnf_reader* in, int bytes);

/// [0, count), count > 0.
uint32_t vnf_below(vnf_reader* in, uint32_t count);

/// True once in `count` times, up to 256; false at the end of the input.
bool vnf_chance(vnf_reader* in, uint32_t count);
bool vnf_coin(vnf_reader* in);

/// [low, high]; extreme if wild.
int32_t vnf_int(vnf_reader* in, int32_t low, int32_t high);

/// [0, count); any number if wild.
uint32_t vnf_count(vnf_reader* in, uint32_t count);

/// A place: eighths of a metre, -2 to 18; extreme if wild.
float vnf_metres(vnf_reader* in);

/// [0, most] in 255 steps; extreme if wild.
float vnf_part(vnf_reader* in, float most);
double vnf_real(vnf_reader* in, double most);

vn_vec3 vnf_vec(vnf_reader* in);
vn_dvec3 vnf_dvec(vnf_reader* in);

/// min <= max unless wild.
vn_box vnf_box(vnf_reader* in);

/// Quarter turns, other unit rotations; any four numbers if wild.
vn_quat vnf_rotation(vnf_reader* in);
vn_transform vnf_place(vnf_reader* in);

/// A voxel a little around [0, dims).
vn_voxel vnf_voxel(vnf_reader* in, vn_voxel dims);

/// A lattice point of [0, dims], often a corner or a centre of a voxel; anywhere if wild.
vn_point vnf_point(vnf_reader* in, vn_voxel dims);

#endif
