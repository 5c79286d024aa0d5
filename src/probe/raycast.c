/// probe/raycast.c: public rays, from the stops of probe/sight.c.
#include "probe/hit.h"

vn_vec3 vni_unit(vni_vec v) {
    vni_vec size = vni_abs_each(v);
    double largest = size.x > size.y ? size.x : size.y;
    largest = size.z > largest ? size.z : largest;
    vn_vec3 unit = {0, 0, 0};
    if (largest > 0) { // scaled first: squares of tiny numbers underflow
        vni_vec scaled = vni_v(v.x / largest, v.y / largest, v.z / largest);
        double length = vni_length(scaled);
        unit.x = (float)(scaled.x / length);
        unit.y = (float)(scaled.y / length);
        unit.z = (float)(scaled.z / length);
    }

    return unit;
}

vn_hit vni_hit_none(const vn_space* space, vn_point b) {
    vn_hit hit = {.fraction = 1};
    hit.position = hit.contact = vni_voxels_to_world(space, vni_point_in_voxels(b));
    return hit;
}

vn_hit vni_hit_of_stop(const vn_space* space, const vn_world* world, vn_point a, vn_point b,
                       const vni_stop* stop) {
    VNI_ASSERT(stop->denominator > 0 && stop->numerator >= 0 && stop->numerator <= stop->denominator);

    vni_vec from = vni_point_in_voxels(a), segment = vni_sub(vni_point_in_voxels(b), from);
    vn_hit hit = {.voxel = stop->voxel, .leaves_space = stop->outside, .starts_blocked = stop->inside};
    hit.fraction = (double)stop->numerator / (double)stop->denominator;
    hit.position = hit.contact = vni_voxels_to_world(space, vni_add_scaled(from, segment, hit.fraction));

    hit.normal = vni_unit(vni_v(stop->normal[0], stop->normal[1], stop->normal[2]));
    if (world != NULL && !stop->outside)
        hit.obstacle = vn_space_obstacle_at(space, world, stop->voxel);

    return hit;
}

/// An end is vn_point_outside: nothing is known about the way there.
static vn_hit refused_hit(const vn_space* space, vn_point a) {
    vn_hit hit = {.leaves_space = true, .starts_blocked = vn_point_is_outside(a)};
    hit.voxel = vn_space_voxel_at(space, vn_point_outside());
    hit.position = hit.contact = vni_voxels_to_world(space, vni_point_in_voxels(a));
    return hit;
}

bool vn_space_raycast(const vn_space* space, const vn_world* world, vn_point a, vn_point b, vn_hit* out) {
    VNI_ASSERT(space != NULL && out != NULL);
    if (vn_point_is_outside(a) || vn_point_is_outside(b)) {
        *out = refused_hit(space, a);
        return true;
    }

    vni_stop stop;
    bool stopped = vni_sight_stop(&space->occupancy, a, b, &stop);
    *out = stopped ? vni_hit_of_stop(space, world, a, b, &stop) : vni_hit_none(space, b);
    return stopped;
}

// ----------------------------------------------------------------------------------------------- positions

/// Voxel units from the low corner: beyond every space, and well within the lattice.
#define REACH (VNI_MAX_DIM + 1.0)

/// The fraction of the way from a to b, along one axis, that stays within reach.
static double within_reach(double a, double b) {
    double limit = b > REACH ? REACH : -REACH;
    return b > REACH || b < -REACH ? (limit - a) / (b - a) : 1;
}

/// The end of a segment on the lattice, brought nearer along the segment if it is out of reach: `part` gets
/// the fraction that is left. Out of reach is outside, so that nothing inside the space changes.
static vn_point end_of_segment(vni_vec a, vni_vec b, double* part) {
    double x = within_reach(a.x, b.x), y = within_reach(a.y, b.y), z = within_reach(a.z, b.z);
    *part = x < y ? x : y;
    *part = z < *part ? z : *part;
    return vni_nearest_point(*part < 1 ? vni_add_scaled(a, vni_sub(b, a), *part) : b);
}

bool vn_space_sweep_positions(const vn_space* space, const vn_world* world, vn_dvec3 from, vn_dvec3 to,
                              float radius, vn_hit* out) {
    VNI_ASSERT(space != NULL && out != NULL);

    vni_vec a = vni_world_to_voxels(space, from), b = vni_world_to_voxels(space, to);
    double part;
    vn_point start = vni_nearest_point(a), end = end_of_segment(a, b, &part);
    bool stopped = vn_space_sweep(space, world, start, end, radius, out);
    if (stopped)
        out->fraction *= part;

    // A start that the lattice does not reach has no position on it.
    if (vn_point_is_outside(start))
        out->position = out->contact = from;
    return stopped;
}

bool vn_space_raycast_positions(const vn_space* space, const vn_world* world, vn_dvec3 from, vn_dvec3 to,
                                vn_hit* out) {
    return vn_space_sweep_positions(space, world, from, to, 0, out);
}
