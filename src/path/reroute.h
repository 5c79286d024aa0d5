/// path/reroute.h: a polyline that is changed piece by piece: some vertices in a row are replaced by others,
/// if the new ones may be vertices (plain, inside the box), the segments between them are free, and the cost
/// falls.
///
/// For passes that try much: what is known of a segment is cached, tries that length alone rules out cost
/// next to nothing, and those that run into a wall not much more. Costs are in lattice steps. Nothing
/// allocates.
#ifndef VNI_PATH_REROUTE_H
#define VNI_PATH_REROUTE_H

#include "graph/cost.h"
#include "occupancy/occupancy.h"

/// Vertices that one change may put in, or take out.
#define VNI_REROUTE_MOST 4

/// What is known of a segment.
typedef struct vni_known_segment {
    vn_point a, b;
    double cost;  ///< below 0: not known
    double clear; ///< for the caller's use: 0 at first
} vni_known_segment;

#define VNI_KNOWN_SHIFT 7

typedef struct vni_reroute {
    const vni_occupancy* occupancy;
    const vni_cost* cost;
    const vn_point *low, *high; ///< null, or a closed box for new vertices
    vn_point* points;           ///< the caller's; inner vertices are plain (path/refine.h) and stay so
    uint32_t count, capacity;
    double gained; ///< at least this much cheaper than at first
    vni_known_segment known[1 << VNI_KNOWN_SHIFT];
} vni_reroute;

/// `out` points to all that it is given.
void vni_reroute_begin(vni_reroute* out, const vni_occupancy* occupancy, const vni_cost* cost,
                       vn_point* points, uint32_t count, uint32_t capacity, const vn_point* low,
                       const vn_point* high);

/// The cache entry of the segment from a to b; valid until the next call.
vni_known_segment* vni_reroute_know(vni_reroute* reroute, vn_point a, vn_point b);

/// A new vertex may lie there, as far as the bounds and the box are concerned.
bool vni_reroute_allows(const vni_reroute* reroute, vn_point point);

/// Cost of a polyline.
double vni_reroute_cost(vni_reroute* reroute, const vn_point* points, uint32_t count);

/// Cost of both segments at an inner vertex.
double vni_reroute_corner_cost(vni_reroute* reroute, uint32_t vertex);

/// Replaces the vertices [first, last) by `count` others (up to VNI_REROUTE_MOST), if then the route from the
/// vertex before them to the one behind costs less than `*cost`, which becomes its cost. False if nothing has
/// changed.
bool vni_reroute_replace(vni_reroute* reroute, uint32_t first, uint32_t last, const vn_point* vertices,
                         uint32_t count, double* cost);

/// Takes out a vertex if that costs at most `loss` more; all losses together stay below what has been gained.
bool vni_reroute_drop(vni_reroute* reroute, uint32_t vertex, double loss);

/// A stretch of the polyline: it begins on the segment to the vertex `first` and ends on the segment to the
/// vertex `last`, at new points or at vertices.
typedef struct vni_stretch {
    uint32_t first, last;
    vn_point ends[2];
    bool is_new[2]; ///< the end is not a vertex yet
} vni_stretch;

/// Begins `from` voxels along the segment to the vertex `first`, ends `to` voxels along the segment to the
/// vertex `last`; what is left over before or behind it becomes part of it if it is shorter than `shortest`
/// voxels.
vni_stretch vni_reroute_cut(const vni_reroute* reroute, uint32_t first, uint32_t last, double from, double to,
                            double shortest);

/// Leads the stretch over `count` new vertices (up to 2) instead of those between its ends, if that makes it
/// cheaper by more than `margin`. Returns the vertex that the first segment behind the stretch leads to; 0 if
/// nothing has changed.
uint32_t vni_reroute_lead(vni_reroute* reroute, const vni_stretch* stretch, const vn_point* vertices,
                          uint32_t count, double margin);

#endif
