/// classic/roadmap_shapes.c: a hybrid graph that follows shapes: every dynamic node against every moving
/// obstacle, by separating axes (Krafft 2021, 5.2.2).
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/roadmap_inside.h"
#include "space/frame.h"

/// Voxels that are nearer to touching than this, in voxels, are looked at in the space.
#define SLACK 1e-4

vn_status vn_roadmap_shape_create(const vn_allocator* allocator, const vn_shape* shape,
                                  vn_roadmap_shape** out, vn_detail* detail) {
    VNI_ASSERT(allocator != NULL && shape != NULL && out != NULL);
    *out = VNI_NEW(allocator, vn_roadmap_shape);
    if (*out == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the separating axes of a shape");

    const vn_status status = vni_overlap_make(allocator, shape, &(*out)->overlap, detail);
    if (status != VN_OK) {
        VNI_DELETE(allocator, *out);
        *out = NULL;
    }

    return status;
}

void vn_roadmap_shape_destroy(vn_roadmap_shape* shape) {
    if (shape == NULL)
        return;
    const vn_allocator allocator = shape->overlap.allocator;
    vni_overlap_free(&shape->overlap);
    VNI_DELETE(&allocator, shape);
}

// ------------------------------------------------------------------------------------------------ following

/// What vn_roadmap_follow_shapes was given.
typedef struct placed {
    const vn_roadmap_place* places;
    uint32_t count;
} placed;

/// The obstacles may block a voxel: 0 none does, 1 one does, 2 it is too close to call.
static int test_voxel(const placed* p, vn_voxel v) {
    int close = 0;
    for (uint32_t i = 0; i < p->count; ++i) {
        const vni_overlap* o = &p->places[i].shape->overlap;
        if (!vni_overlap_meets(o, v, SLACK))
            continue;
        if (vni_overlap_meets(o, v, -SLACK))
            return 1;
        close = 2;
    }

    return close;
}

/// The dynamic voxels of a brick that are blocked now. Those that are too close to call differ from before,
/// so that the space decides.
static uint64_t test_brick(const vni_hybrid* h, const placed* p, uint64_t brick, uint64_t before) {
    uint64_t after = 0;
    for (uint64_t rest = h->dynamic[brick]; rest != 0; rest &= rest - 1) {
        const uint32_t bit = vni_lowest_bit(rest);
        const int found = test_voxel(p, vni_grid_voxel(&h->grid, (uint32_t)(brick << 6 | bit)));
        const uint64_t blocked = found < 2 ? (uint64_t)found : ~(before >> bit) & 1;
        after |= blocked << bit;
    }

    return after;
}

/// The bricks whose dynamic voxels changed; false if memory runs out.
static bool list_bricks(vn_roadmap* roadmap, const placed* p, uint32_t* count) {
    const vni_hybrid* h = &roadmap->hybrid;
    const vni_occupancy* occupancy = &roadmap->newest->space->occupancy;
    *count = 0;
    for (uint64_t i = 0; i < h->brick_count; ++i) {
        if (h->dynamic[i] == 0)
            continue;
        const vn_voxel low = vni_grid_voxel(&h->grid, (uint32_t)(i << 6));
        const uint64_t before = vni_occupancy_brick(occupancy, low.x, low.y, low.z) & h->dynamic[i];
        const vn_brick_change change = {low, before, test_brick(h, p, i, before)};
        if (change.before == change.after)
            continue;
        if (!vni_grow(&roadmap->allocator, &roadmap->bricks, &roadmap->brick_capacity, (uint64_t)*count + 1,
                      sizeof *roadmap->bricks))
            return false;
        roadmap->bricks[(*count)++] = change;
    }

    return true;
}

static vn_status fill_from_shapes(vn_roadmap* roadmap, vni_roadmap_version* version, void* user,
                                  vni_brick_list* bricks, vn_detail* detail) {
    uint32_t count;
    if (!list_bricks(roadmap, (const placed*)user, &count))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the voxels that shapes block");
    *bricks = (vni_brick_list){roadmap->bricks, count};
    return vni_hybrid_state_next(&roadmap->newest->hybrid, &version->space->occupancy, roadmap->bricks, count,
                                 &roadmap->scratch, &version->hybrid, &roadmap->hybrid_delta, detail);
}

vn_status vn_roadmap_follow_shapes(vn_roadmap* roadmap, const vn_space* space, uint64_t version,
                                   const vn_roadmap_place* places, uint32_t count, vn_detail* detail) {
    VNI_ASSERT(roadmap != NULL && space != NULL && (places != NULL || count == 0));
    const vn_status status = vni_roadmap_check_next(roadmap, space, version, detail);
    if (status != VN_OK)
        return status;
    if (roadmap->kind != VN_ROADMAP_HYBRID)
        return vni_fail(detail, VN_UNSUPPORTED, "waypoints follow changes; a hybrid graph follows shapes");
    if (space->radius > 0)
        return vni_fail(
            detail, VN_UNSUPPORTED,
            "separating axes know no radius, and the layer is for one of %g m: follow its changes",
            (double)space->radius);

    const vni_frame frame = vni_space_frame(space);
    for (uint32_t i = 0; i < count; ++i)
        vni_overlap_place(&places[i].shape->overlap, &places[i].transform, &frame);
    placed p = {places, count};
    return vni_roadmap_advance(roadmap, space, version, fill_from_shapes, &p, detail);
}
