/// graph/cost.c: length as a cost, and its lower bounds.
#include "graph/cost.h"
#include "base/assert.h"
#include "geom/units.h"
#include "graph/fixed.h"

// Maruszczyk 2016 counts 14 for any diagonal step and 10 for a straight one: 1.4, rounded down.
#define R16_DIAGONAL (375809638 * VNI_COST_UNIT)

/// The absolute differences of the coordinates, sorted; returns the largest.
static double sorted_difference(vn_point a, vn_point b, double* middle, double* least) {
    double x = fabs((double)a.x - b.x), y = fabs((double)a.y - b.y), z = fabs((double)a.z - b.z), swap;
    if (x < y) {
        swap = x;
        x = y;
        y = swap;
    }

    if (y < z) {
        swap = y;
        y = z;
        z = swap;
    }

    if (x < y) {
        swap = x;
        x = y;
        y = swap;
    }

    *middle = y;
    *least = z;
    return x;
}

static double length(const void* self, vn_point a, vn_point b) {
    (void)self;
    return vni_distance(a, b);
}

/// Steps along three, then two, then one axis, at what they cost on the grid: the least cost on an empty
/// grid. Each product is a count times a cost of 29 bits, so that neither it nor the sum is rounded.
static void octile_bounds(const void* self, const vn_point* from, uint32_t count, vn_point to, double* out) {
    (void)self;
    VNI_ASSERT(count == 0 || (from != NULL && out != NULL));
    for (uint32_t i = 0; i < count; ++i) {
        double middle, least, most = sorted_difference(from[i], to, &middle, &least);
        double straight = vni_steps_to_voxels(most - middle);
        double edges = vni_steps_to_voxels(middle - least), corners = vni_steps_to_voxels(least);
        out[i] = straight + VNI_EDGE_STEP * edges + VNI_CORNER_STEP * corners;
    }
}

static void euclidean_bounds(const void* self, const vn_point* from, uint32_t count, vn_point to,
                             double* out) {
    for (uint32_t i = 0; i < count; ++i)
        out[i] = length(self, from[i], to);
}

static void euclidean_grid_bounds(const void* self, const vn_point* from, uint32_t count, vn_point to,
                                  double* out) {
    for (uint32_t i = 0; i < count; ++i)
        out[i] = vni_cost_down(length(self, from[i], to));
}

static void manhattan_bounds(const void* self, const vn_point* from, uint32_t count, vn_point to,
                             double* out) {
    (void)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = vni_steps_to_voxels(fabs((double)from[i].x - to.x) + fabs((double)from[i].y - to.y) +
                                     fabs((double)from[i].z - to.z));
}

/// Maruszczyk 2016, as printed: diagonal * (least + middle) + (most - middle - least). The last term may be
/// negative.
static void r16_bounds(const void* self, const vn_point* from, uint32_t count, vn_point to, double* out) {
    (void)self;
    for (uint32_t i = 0; i < count; ++i) {
        double middle, least, most = sorted_difference(from[i], to, &middle, &least);
        out[i] = vni_steps_to_voxels(R16_DIAGONAL * (least + middle) + (most - middle - least));
    }
}

vni_cost vni_cost_length(vni_metric metric, uint32_t neighbours) {
    VNI_ASSERT(neighbours == 6 || neighbours == 26);
    vni_cost cost = {NULL, true, true, 1, length, octile_bounds, false};
    switch (metric) {
    case VNI_METRIC_OCTILE: break;
    case VNI_METRIC_EUCLIDEAN: cost.lower_bounds = euclidean_bounds; break;
    case VNI_METRIC_EUCLIDEAN_GRID: cost.lower_bounds = euclidean_grid_bounds; break;
    case VNI_METRIC_MANHATTAN:
        cost.lower_bounds = manhattan_bounds;
        cost.admissible = neighbours == 6;
        break;
    case VNI_METRIC_R16:
        cost.lower_bounds = r16_bounds;
        cost.admissible = neighbours == 6;
        break;
    default: VNI_ASSERT(false);
    }
    return cost;
}
