/// curve/detour.c: the way beside a segment that touches walls so often that its bends cannot just be moved:
/// from centre to centre of the free voxels around it.
///
/// By the rules of contact the free voxels that a free segment touches are connected over faces. Between the
/// centres of two voxels that share a face, and from anywhere in a voxel to its centre, half a voxel or the
/// distance that was there before is kept. So there is always a way, as long as the margin is below half a
/// voxel.
#include "curve/curve_inside.h"
#include "geom/box.h"
#include "geom/shapes.h"
#include "probe/hit.h"

/// Voxels that take part are at most this far from the segment, voxels: where bends may have moved to.
#define REACH 0.3
/// At most this many take part.
#define MAX_VOXELS 4096

/// A voxel that was reached, and from which one.
typedef struct step {
    vn_voxel voxel;
    uint32_t from;
} step;

typedef struct tube {
    const vni_build* build;
    vni_vec a, b; ///< the segment, voxel units
    vni_vec goal; ///< voxel units
    step* steps;
    uint64_t count, capacity;
} tube;

static bool is_new(const tube* t, vn_voxel v) {
    for (uint64_t i = t->count; i > 0; --i) {
        vn_voxel seen = t->steps[i - 1].voxel;
        if (seen.x == v.x && seen.y == v.y && seen.z == v.z)
            return false;
    }

    return true;
}

static bool takes_part(const tube* t, vn_voxel v) {
    vni_aabb cube = vni_aabb_of_voxel(v.x, v.y, v.z);
    return vni_occupancy_free_at(&t->build->space->occupancy, v.x, v.y, v.z) &&
           vni_segment_box_distance2(t->a, t->b, &cube) <= REACH * REACH && is_new(t, v);
}

static bool contains(vn_voxel voxel, vni_vec at) {
    vni_vec n = vni_nearest_in_voxel(at, voxel);
    return n.x == at.x && n.y == at.y && n.z == at.z;
}

static bool add_step(tube* t, vn_voxel voxel, uint32_t from) {
    if (!vni_grow(&t->build->def->allocator, &t->steps, &t->capacity, t->count + 1, sizeof *t->steps))
        return false;
    t->steps[t->count++] = (step){voxel, from};
    return true;
}

/// The free voxels that contain a place, in voxel units.
static bool add_around(tube* t, vni_vec at) {
    for (int i = 0; i < 8; ++i) {
        vn_voxel v = {(int32_t)floor(at.x) - (i & 1), (int32_t)floor(at.y) - (i >> 1 & 1),
                      (int32_t)floor(at.z) - (i >> 2 & 1)};
        if (contains(v, at) && takes_part(t, v) && !add_step(t, v, UINT32_MAX))
            return false;
    }

    return true;
}

static bool add_neighbours(tube* t, uint32_t from) {
    static const int32_t faces[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    vn_voxel v = t->steps[from].voxel;
    for (int i = 0; i < 6; ++i) {
        vn_voxel next = {v.x + faces[i][0], v.y + faces[i][1], v.z + faces[i][2]};
        if (takes_part(t, next) && !add_step(t, next, from))
            return false;
    }

    return true;
}

/// Breadth first from the voxels around `from`; the step that contains the goal, or UINT32_MAX. False if
/// memory runs out.
static bool find_way(tube* t, vni_vec from, uint32_t* last) {
    *last = UINT32_MAX;
    if (!add_around(t, from))
        return false;

    for (uint32_t i = 0; i < t->count && t->count < MAX_VOXELS; ++i) {
        if (contains(t->steps[i].voxel, t->goal)) {
            *last = i;
            return true;
        }

        if (!add_neighbours(t, i))
            return false;
    }

    return true;
}

/// Appends the steps from the last one back to the first, without those between. False if memory runs out.
static bool line_up(tube* t, uint32_t last) {
    for (uint32_t i = last; i != UINT32_MAX; i = t->steps[i].from)
        if (!add_step(t, t->steps[i].voxel, UINT32_MAX))
            return false;
    return true;
}

static vni_vec center_of(const tube* t, uint64_t i) {
    vn_voxel v = t->steps[i].voxel;
    return vni_scale(vni_v(v.x + 0.5, v.y + 0.5, v.z + 0.5), t->build->size);
}

/// Adds bends at the centres from step `first` on, and leaves out those that are not needed.
static bool add_bends(vni_build* build, const tube* t, uint64_t first, vni_bend a, vni_bend b) {
    vni_vec at = a.at;
    for (uint64_t i = first; i < t->count && !vni_build_is_free(build, at, b.at, build->margin);) {
        uint64_t far = t->count - 1;
        while (far > i && !vni_build_is_free(build, at, center_of(t, far), build->margin))
            --far;

        at = center_of(t, far);
        if (!vni_build_add(build, (vni_bend){.at = at, .source = a.source}))
            return false;
        i = far + 1;
    }

    return vni_build_add(build, b);
}

bool vni_curve_detour(vni_build* build, vni_bend a, vni_bend b) {
    double scale = 1 / build->size;
    const vn_point* segment = build->points + a.source;
    tube t = {.build = build, .goal = vni_scale(a.at, scale)}; // from b to a: the steps lead back
    t.a = vni_point_in_voxels(segment[0]);
    t.b = vni_point_in_voxels(segment[1]);

    uint32_t last;
    bool is_done = find_way(&t, vni_scale(b.at, scale), &last);
    uint64_t first = t.count;
    if (!is_done || !line_up(&t, last))
        build->status = VN_OUT_OF_MEMORY;
    else if (last == UINT32_MAX || build->margin >= 0.499 * build->size)
        vni_build_refuse(build, a.source, "there is no free space beside a wall");
    else
        add_bends(build, &t, first, a, b);

    VNI_DELETE_ARRAY(&build->def->allocator, t.steps, t.capacity);
    return build->status == VN_OK;
}
