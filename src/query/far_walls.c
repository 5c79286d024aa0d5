/// query/far_walls.c: open space around two voxels, remembered.
#include "query/far_walls.h"
#include "probe/nearest.h"

static double voxel_distance(vn_voxel a, vn_voxel b) {
    return vni_length(vni_v((double)a.x - b.x, (double)a.y - b.y, (double)a.z - b.z));
}

/// By the triangle inequality, a voxel at distance d from one whose walls are `reach` away has its walls at
/// least `reach` - d away. The margin exceeds the rounding error.
static bool is_open(const vni_opening* o, vn_voxel v, double most) {
    return o->reach >= 0 && o->reach - voxel_distance(o->at, v) >= most * (1 + 1e-9) + 1e-6;
}

/// The one to be replaced: the nearer one, so that each end of a search keeps its own.
static vni_opening* opening_near(vni_far_walls* far, vn_voxel v) {
    vni_opening *a = &far->openings[0], *b = &far->openings[1];
    if (a->reach < 0 || b->reach < 0)
        return a->reach < 0 ? a : b;
    return voxel_distance(a->at, v) <= voxel_distance(b->at, v) ? a : b;
}

void vni_far_walls_begin(vni_far_walls* far, const vni_occupancy* occupancy) {
    far->occupancy = occupancy;
    far->openings[0].reach = far->openings[1].reach = -1;
}

bool vni_far_walls_find(vni_far_walls* far, vn_voxel voxel, double most, double* distance) {
    VNI_ASSERT(most > VNI_FAR && distance != NULL);

    if (is_open(&far->openings[0], voxel, most) || is_open(&far->openings[1], voxel, most))
        return false;

    // A quarter farther than requested: if nothing is found, the voxels around need no search of their own.
    double look = 1.25 * most;
    vni_vec low = vni_v(voxel.x, voxel.y, voxel.z), high = vni_v(voxel.x + 1.0, voxel.y + 1.0, voxel.z + 1.0);
    vn_voxel wall;
    bool found = vni_nearest_blocked_counted(far->occupancy, low, high, look, &wall, distance, &far->looks);
    *opening_near(far, voxel) = (vni_opening){voxel, found ? *distance : look};

    return found && *distance <= most;
}
