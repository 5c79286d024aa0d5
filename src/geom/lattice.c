/// geom/lattice.c: the walk from piece to piece.
///
/// As in Amanatides and Woo 1987, each axis keeps its next plane and the nearest one is crossed first. Here
/// the parameters travel / length are fractions of integers, compared by cross-multiplication: ties, where
/// the segment passes an edge or a corner of a voxel, are found exactly.
#include "geom/lattice.h"
#include "base/assert.h"
#include "geom/units.h"

#define PHASE_START   0u
#define PHASE_STRETCH 1u
#define PHASE_POINT   2u
#define PHASE_DONE    3u

/// Voxels that touch a coordinate: one inside a voxel, two on a plane between voxels.
static void voxels_at(int64_t coordinate, int32_t* low, int32_t* high) {
    *high = vni_step_to_voxel64(coordinate);
    *low = *high - vni_step_is_on_plane(coordinate);
}

vni_lattice_walk vni_lattice_begin(vn_point a, vn_point b) {
    vni_lattice_walk walk;
    const int32_t from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; ++i) {
        VNI_ASSERT(from[i] >= -VNI_LATTICE_LIMIT && from[i] <= VNI_LATTICE_LIMIT);
        VNI_ASSERT(to[i] >= -VNI_LATTICE_LIMIT && to[i] <= VNI_LATTICE_LIMIT);

        int64_t difference = (int64_t)to[i] - from[i];
        int64_t offset = vni_step_in_voxel(from[i]);
        walk.start[i] = from[i];
        walk.step[i] = (difference > 0) - (difference < 0);

        // A segment that starts on a plane crosses the next one a whole voxel away.
        walk.length[i] = difference < 0 ? -difference : difference;
        if (difference == 0)
            walk.travel[i] = INT64_MAX;
        else if (offset == 0)
            walk.travel[i] = VN_LATTICE;
        else
            walk.travel[i] = difference > 0 ? VN_LATTICE - offset : offset;

        voxels_at(from[i], &walk.low[i], &walk.high[i]);
    }

    walk.phase = PHASE_START;
    return walk;
}

/// From the voxels around the start to those of the first stretch: on axes that move only the voxel ahead
/// remains.
static void enter_first_stretch(vni_lattice_walk* walk) {
    for (int i = 0; i < 3; ++i) {
        if (walk->step[i] > 0)
            walk->low[i] = walk->high[i];
        else if (walk->step[i] < 0)
            walk->high[i] = walk->low[i];
    }
}

/// The axis whose next plane is met first; -1 if the segment ends before any. travel_i / length_i < travel_f
/// / length_f, without dividing.
static int first_axis(const vni_lattice_walk* walk) {
    int first = -1;
    for (int i = 0; i < 3; ++i) {
        if (walk->step[i] == 0 || walk->travel[i] >= walk->length[i])
            continue; // a plane through the end belongs to the end
        if (first < 0 || walk->travel[i] * walk->length[first] < walk->travel[first] * walk->length[i])
            first = i;
    }

    return first;
}

static void emit(const vni_lattice_walk* walk, vni_lattice_piece* out, bool is_point) {
    for (int i = 0; i < 3; ++i) {
        out->low[i] = walk->low[i];
        out->high[i] = walk->high[i];
    }
    out->is_point = is_point;
}

/// Emits the point where the planes of `first`, and of axes that tie with it, are crossed: its voxels are
/// those of the stretch and the ones ahead. The walk goes on with the latter only.
static void cross(vni_lattice_walk* walk, int first, vni_lattice_piece* out) {
    int64_t travel = walk->travel[first], length = walk->length[first];
    emit(walk, out, true);
    for (int i = 0; i < 3; ++i) {
        if (walk->step[i] == 0 || walk->travel[i] * length != travel * walk->length[i])
            continue;
        int32_t ahead = walk->high[i] + (int32_t)walk->step[i];
        if (walk->step[i] > 0)
            out->high[i] = ahead;
        else
            out->low[i] = ahead;

        walk->low[i] = walk->high[i] = ahead;
        walk->travel[i] += VN_LATTICE;
    }
}

static void arrive(const vni_lattice_walk* walk, vni_lattice_piece* out) {
    for (int i = 0; i < 3; ++i)
        voxels_at(walk->start[i] + walk->step[i] * walk->length[i], &out->low[i], &out->high[i]);
    out->is_point = true;
}

bool vni_lattice_next(vni_lattice_walk* walk, vni_lattice_piece* out) {
    // Points and stretches take turns: the start, a stretch, a crossing, a stretch ... the end.
    switch (walk->phase) {
    case PHASE_START: {
        bool moves = walk->step[0] || walk->step[1] || walk->step[2];
        emit(walk, out, true);
        enter_first_stretch(walk);
        walk->phase = moves ? PHASE_STRETCH : PHASE_DONE;
        return true;
    }
    case PHASE_STRETCH:
        emit(walk, out, false);
        walk->phase = PHASE_POINT;
        return true;
    case PHASE_POINT: {
        int first = first_axis(walk);
        if (first < 0) {
            arrive(walk, out);
            walk->phase = PHASE_DONE;
        } else {
            cross(walk, first, out);
            walk->phase = PHASE_STRETCH;
        }
        return true;
    }
    default: return false;
    }
}
