/// path/refine.h: making a free polyline cheaper without leaving free space. Every pass works in place, keeps
/// the ends, and never raises the cost. `cost` is that of a segment; null: its length.
///
/// Inner vertices must be plain (vni_point_is_plain in probe/sight.h), and stay so: then two
/// segments that are free by themselves are free when joined.
#ifndef VNI_PATH_REFINE_H
#define VNI_PATH_REFINE_H

#include "geom/vec.h"
#include "graph/cost.h"
#include "occupancy/occupancy.h"

/// Drops vertices by line of sight, greedily from the start. Returns the new count.
uint32_t vni_refine_prune(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                          uint32_t count);

/// Moves each inner vertex towards the chord of its neighbours, as far as both segments stay free, by
/// `halvings` halvings. Returns whether any moved.
bool vni_refine_pull(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points, uint32_t count,
                     uint32_t halvings);

/// Tries to pass on another side: replaces one or two inner vertices by a single one around the chord of
/// their neighbours where that is shorter and free. Returns the new count.
uint32_t vni_refine_bypass(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                           uint32_t count);

/// Puts a vertex into the middle of every segment that costs more than its length, as far as `capacity`
/// allows, so that bypass and pull can lead it around what makes it expensive. Midpoints that are not plain
/// are skipped. Returns the new count.
uint32_t vni_refine_split(const vni_occupancy* occupancy, const vni_cost* cost, vn_point* points,
                          uint32_t count, uint32_t capacity);

/// Length in lattice steps.
double vni_polyline_length(const vn_point* points, uint32_t count);

/// Cost in lattice steps.
double vni_polyline_cost(const vni_cost* cost, const vn_point* points, uint32_t count);

/// Cost of the segment from a to b, in lattice steps.
double vni_leg_cost(const vni_cost* cost, vn_point a, vn_point b);

/// The segments a - v and v - b are free, and v is plain.
bool vni_is_free_corner(const vni_occupancy* occupancy, vn_point a, vn_point v, vn_point b);

/// The lattice point nearest to a vector.
static inline vn_point vni_point_of_v(vni_vec v) {
    vn_point p = {(int32_t)floor(v.x + 0.5), (int32_t)floor(v.y + 0.5), (int32_t)floor(v.z + 0.5)};
    return p;
}

#endif
