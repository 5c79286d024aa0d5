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

bool vn_space_raycast(const vn_space* space, const vn_world* world, vn_point a, vn_point b, vn_hit* out) {
    VNI_ASSERT(space != NULL && out != NULL);
    vni_stop stop;
    bool stopped = vni_sight_stop(&space->occupancy, a, b, &stop);
    *out = stopped ? vni_hit_of_stop(space, world, a, b, &stop) : vni_hit_none(space, b);
    return stopped;
}
