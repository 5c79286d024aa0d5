/// path/refine.h: making a free polyline shorter without leaving free space. Every pass works in place, keeps
/// the ends, and never makes it longer.
///
/// Inner vertices must be plain (vni_point_is_plain in space/sight.h), and stay so: then two straight ways
/// that are free by themselves are free when joined.
#ifndef VNI_PATH_REFINE_H
#define VNI_PATH_REFINE_H

#include "space/occupancy.h"

/// Leaves out vertices that are not needed: greedy from the start, as far as the eye can see. Returns the new
/// count.
uint32_t vni_refine_prune(const vni_occupancy* occupancy, vn_point* points, uint32_t count);

/// Moves each inner vertex towards the chord of its neighbours, as far as both ways stay free, by `halvings`
/// halvings. Returns whether any moved.
bool vni_refine_pull(const vni_occupancy* occupancy, vn_point* points, uint32_t count, uint32_t halvings);

/// Tries to pass on another side: replaces one or two inner vertices by a single one around the chord of
/// their neighbours where that is shorter and free. Returns the new count.
uint32_t vni_refine_bypass(const vni_occupancy* occupancy, vn_point* points, uint32_t count);

/// Length in lattice steps.
double vni_polyline_length(const vn_point* points, uint32_t count);

#endif
