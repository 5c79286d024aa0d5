/// curve/fit.c: the lists of a curve in the making, and what fits into the space.
#include "curve/curve_inside.h"
#include "probe/sight.h"

bool vni_build_add(vni_build* build, vni_bend bend) {
    vni_bends* next = &build->next;
    if (!vni_grow(&build->def->allocator, &next->data, &next->capacity, next->count + 1,
                  sizeof *next->data)) {
        build->status = VN_OUT_OF_MEMORY;
        return false;
    }

    next->data[next->count++] = bend;
    return true;
}

void vni_build_swap(vni_build* build) {
    vni_bends bends = build->bends;
    build->bends = build->next;
    build->next = bends;
    build->next.count = 0;
}

vn_status vni_build_refuse(vni_build* build, uint32_t source, const char* text) {
    if (build->status == VN_OK)
        build->status = vni_fail_index(build->detail, VN_NOT_FOUND, source, "segment %u of the path: %s",
                                       (unsigned)source, text);
    return build->status;
}

bool vni_build_is_inside(const vni_build* build, vni_vec at) {
    const int32_t* dims = build->space->occupancy.dims;
    return at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x <= dims[0] * build->size &&
           at.y <= dims[1] * build->size && at.z <= dims[2] * build->size;
}

static bool is_swept(const vni_build* build, vni_vec a, vni_vec b, double radius) {
    double scale = 1 / build->size;
    return vni_sweep_is_free(&build->space->occupancy, vni_scale(a, scale), vni_scale(b, scale),
                             radius * scale);
}

bool vni_build_is_free(const vni_build* build, vni_vec a, vni_vec b, double radius) {
    return vni_build_is_inside(build, a) && vni_build_is_inside(build, b) && is_swept(build, a, b, radius);
}

bool vni_build_box_is_free(const vni_build* build, vni_vec low, vni_vec high) {
    const int32_t* dims = build->space->occupancy.dims;
    double grow = build->margin, scale = 1 / build->size;
    vn_voxel from = {(int32_t)vni_clamp(floor((low.x - grow) * scale), 0, dims[0]),
                     (int32_t)vni_clamp(floor((low.y - grow) * scale), 0, dims[1]),
                     (int32_t)vni_clamp(floor((low.z - grow) * scale), 0, dims[2])};
    vn_voxel to = {(int32_t)vni_clamp(floor((high.x + grow) * scale) + 1, 0, dims[0]),
                   (int32_t)vni_clamp(floor((high.y + grow) * scale) + 1, 0, dims[1]),
                   (int32_t)vni_clamp(floor((high.z + grow) * scale) + 1, 0, dims[2])};
    return vni_box_is_free(&build->space->occupancy, from, to);
}

/// A Bezier piece stays inside the box around its control points.
static bool hull_is_free(const vni_build* build, const vni_piece* piece) {
    const vni_vec* p = piece->p;
    vni_vec low = vni_min(vni_min(p[0], p[1]), vni_min(p[2], p[3]));
    vni_vec high = vni_max(vni_max(p[0], p[1]), vni_max(p[2], p[3]));
    return vni_build_box_is_free(build, low, high);
}

bool vni_build_piece_is_free(const vni_build* build, const vni_piece* piece) {
    double tolerance = build->size / 128;
    uint32_t chords = vni_piece_chords(piece, tolerance);
    if (piece->kind == VNI_PIECE_BEZIER && hull_is_free(build, piece))
        return true;
    if (chords >= VNI_MAX_CHORDS) // the tolerance is no longer kept
        return false;

    vni_vec from = vni_piece_chord_end(piece, 0, chords);
    for (uint32_t i = 1; i <= chords; ++i) {
        vni_vec to = vni_piece_chord_end(piece, i, chords);
        if (!is_swept(build, from, to, build->margin + tolerance))
            return false;
        from = to;
    }

    return true;
}

double vni_build_max_sine(const vni_build* build) {
    double slope = build->def->max_slope;
    return vni_is_finite(slope) ? slope / sqrt(1 + slope * slope) : 1;
}

bool vni_build_is_flat(const vni_build* build, vni_vec a, vni_vec b) {
    vni_vec along = vni_sub(b, a);
    return vni_abs(vni_dot(along, build->up)) <= vni_build_max_sine(build) * vni_length(along) * (1 + 1e-12);
}
