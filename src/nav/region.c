/// nav/region.c: limits a nav to what is connected with a seed.
///
/// A bake blocks all voxels that are not connected with its seed. In a world that changes that would be a
/// flood at each update, so that a nav keeps all voxels and their components, and notes in each space which
/// component counts (space/space.h): that of the seed. An update costs one look at the seed's cell for each
/// layer.
#include "base/fail.h"
#include "nav/nav_inside.h"

#include <math.h>

/// The free voxel at the seed; while an obstacle covers the seed, the one nearest to it. False if nothing is
/// free. The space has no region yet.
static bool find_seed(const vn_nav* nav, const vn_space* space, vn_voxel* out) {
    const vn_vec3 seed = nav->fixed.def.space.seed;
    const vn_dvec3 o = space->origin;
    const vn_dvec3 position = {o.x + (double)seed.x, o.y + (double)seed.y, o.z + (double)seed.z};
    vn_point point;
    double distance;
    if (vn_space_point_from_local(space, seed, &point) == VN_OK) {
        *out = vn_space_voxel_at(space, point);
        if (vn_space_voxel_free(space, *out))
            return true;
    }

    return vn_space_nearest_free(space, position, HUGE_VAL, &point, &distance) == VN_OK &&
           vni_space_free_voxel_at(space, point, out);
}

static uint32_t region_of_seed(const vn_nav* nav, const vn_space* space) {
    vn_voxel voxel;
    vni_cell_ref cell;
    const bool found = find_seed(nav, space, &voxel) && vni_cells_find(&space->cells, voxel, &cell);
    return found ? vni_cells_component(&space->cells, cell) + 1 : VNI_NO_REGION;
}

void vni_nav_find_regions(const vn_nav* nav, vni_nav_version* version) {
    // A space that an older version shares has its region already, and readers: it is not written again.
    for (uint32_t i = 0; nav->fixed.def.space.has_seed && i < version->view.count; ++i)
        if (version->view.spaces[i]->region == 0)
            version->view.spaces[i]->region = region_of_seed(nav, version->view.spaces[i]);
}

vn_status vni_nav_check_seed(const vn_nav* nav, vn_detail* detail) {
    const vn_vec3 seed = nav->fixed.def.space.seed;
    bool is_free = false;
    for (uint32_t i = 0; nav->fixed.def.space.has_seed && i < nav->fixed.def.layer_count; ++i) {
        uint64_t version = 0;
        const bool is_static = nav->fixed.dynamic[i] == NULL;
        const vn_space* space =
            is_static ? nav->fixed.static_spaces[i] : vni_dynamic_pin(nav->fixed.dynamic[i], &version);
        vn_point point;
        const bool inside = vn_space_point_from_local(space, seed, &point) == VN_OK;
        is_free = is_free || (inside && vn_space_voxel_free(space, vn_space_voxel_at(space, point)));
        if (!is_static)
            vni_dynamic_unpin(nav->fixed.dynamic[i], version);
        if (!inside)
            return vni_fail(detail, VN_OUTSIDE,
                            "the seed (%g, %g, %g) lies outside the space: move it inside, or enlarge the "
                            "bounds",
                            (double)seed.x, (double)seed.y, (double)seed.z);
    }

    if (nav->fixed.def.space.has_seed && !is_free)
        return vni_fail(detail, VN_BLOCKED,
                        "the seed lies in a blocked voxel of every layer: move it into free space");
    return VN_OK;
}
