/// path/refine_clear.h: leading a polyline away from walls.
///
/// A taut path touches every corner that it goes around. With a cost that includes clearance
/// (probe/clearance.h) this pass bends it outwards until length and clearance are in balance.
#ifndef VNI_PATH_REFINE_CLEAR_H
#define VNI_PATH_REFINE_CLEAR_H

#include "graph/cost.h"
#include "occupancy/occupancy.h"

/// Lowers the cost of a free polyline whose inner vertices are plain (path/refine.h): adds vertices where it
/// comes closer to walls than `distance` (voxels, > 0), moves them outwards, and drops those that
/// gain little. Works in place, keeps the ends, never raises the cost; the segments stay free and the
/// vertices plain. `low` and `high` (null: none) are a closed box in which new and moved vertices must lie.
/// `cost` is the cost of a segment, and should include clearance. Returns the new count, at most `capacity`.
///
/// Work: at most 8 tries for each stretch that is too close to a wall, which add up to 4 vertices each time,
/// and 30 for each vertex; a try needs the cost of up to 5 segments. Most tries end before that, and costs of
/// segments are cached: in all it takes as long as computing the cost of the polyline 8 to 20 times.
/// Allocates nothing; 6 KB of stack.
uint32_t vni_refine_clear(const vni_occupancy* occupancy, const vni_cost* cost, double distance,
                          vn_point* points, uint32_t count, uint32_t capacity, const vn_point* low,
                          const vn_point* high);

#endif
