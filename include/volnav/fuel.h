/// volnav/fuel.h: what a path burns: the fuel model of Maruszczyk (2016), called R16 here, and one of
/// gravity.
///
/// A model in a request (vn_path_request.fuel) makes fuel the cost that the search minimises; vn_fuel_of_path
/// measures any path. Bad weather is a zone (volnav/world.h) with a factor: R16 doubles the fuel there.
///
/// With `per_metre` the fuel of a metre of level flight in fair weather, f the factor of the weather (where
/// zones overlap, the largest), s the sine of the pitch and t = min(|pitch| / 45 degrees, 1), a metre burns
/// per_metre times
///
///     VN_FUEL_R16       f (1 + climb t) upwards, f (1 - sink t) downwards
///     VN_FUEL_GRAVITY   f + climb s upwards, max(0, f - sink |s|) downwards
///
/// R16: at 45 degrees a climb burns 1.5 and a descent 0.75 of level flight; steeper counts as 45. Gravity:
/// lifting costs the same at any pitch and in any weather; of what it takes to climb a metre, sink / climb
/// comes back on the way down, but never more than the drag.
///
/// Grid searches (VN_ALGO_ASTAR, VN_ALGO_DIJKSTRA) with weight 1 find the least fuel on the grid. Their lower
/// bound is the fuel of the cheapest sum of steps between the ends in the best weather anywhere, found by
/// linear programming: it never exceeds the fuel of any path on the grid, and satisfies the triangle
/// inequality. The proof is in src/graph/fuel.h. The cells search (VN_ALGO_CELLS) makes the plan of the same
/// request without fuel, and a second one by fuel, makes both cheaper, and returns the one that burns less:
/// never more than without fuel, but not provably least.
#ifndef VOLNAV_FUEL_H
#define VOLNAV_FUEL_H

#include "volnav/space.h"

typedef enum vn_fuel_kind {
    VN_FUEL_NONE = 0, ///< a path costs its length, or what zones make of it
    VN_FUEL_R16 = 1,
    VN_FUEL_GRAVITY = 2,
    VN_FUEL_KIND_COUNT
} vn_fuel_kind;

/// The name used on the command line ("none", "r16", "gravity"); null for an unknown value.
VN_API const char* vn_fuel_kind_name(vn_fuel_kind kind);
VN_API bool vn_fuel_kind_from_name(const char* name, vn_fuel_kind* out);

/// The factor of a zone of bad weather in R16.
#define VN_BAD_WEATHER 2.0f

/// Most consecutive climbs that can be asked for.
#define VN_MAX_CLIMBS 15

/// Plain data; all zero is VN_FUEL_NONE.
typedef struct vn_fuel_model {
    vn_fuel_kind kind;
    uint32_t up;      ///< axis: 0 x, 1 y, 2 z
    double per_metre; ///< 1e-9 to 1e9
    double climb;     ///< 0 to 1000
    double sink;      ///< 0 to 1000; R16: at most 1; gravity: at most `climb`

    /// The meter always counts the weather. The search does so only if both of these are true: in R16 the
    /// weather avoidance relies on the dynamic avoidance, and is off without it. Otherwise zones cost the
    /// search nothing.
    bool avoids_weather; ///< weather avoidance is on
    bool avoids_moving;  ///< dynamic avoidance is on

    /// Most consecutive steps upwards, 1 to VN_MAX_CLIMBS: after so many the path must go level or down for a
    /// step. 0: no limit. Grid searches only, without refinement, with any kind, VN_FUEL_NONE included; the
    /// query's def must allow for it (vn_query_def.max_climbs). The segments between the ends and the centres
    /// of their voxels do not count. The search goes over pairs of a voxel and a number of climbs, up to
    /// max_climbs + 1 times as many.
    uint32_t max_climbs;
} vn_fuel_model;

/// R16: 0.2 a metre, climb 0.5, sink 0.25. Gravity: 0.2 a metre, climb 1, sink 0.5. Up is +Y, both kinds of
/// avoidance are on, climbs are not limited.
VN_API vn_fuel_model vn_default_fuel_model(vn_fuel_kind kind);

/// The fuel that a polyline in `space` burns through those of `zones` that `zone_flags` selects, exactly up
/// to rounding: segments are cut where the weather changes. VN_FUEL_NONE burns nothing. VN_BAD_ARGUMENT: the
/// model or a zone is invalid, and the detail says why. VN_CAPACITY: too many zones. Any thread; no
/// allocation; O(count * zones).
VN_NODISCARD vn_status vn_fuel_of_path(const vn_space* space, const vn_fuel_model* model,
                                       const vn_zone* zones, uint32_t zone_count, uint32_t zone_flags,
                                       const vn_point* points, uint32_t count, double* fuel,
                                       vn_detail* detail);

#endif
