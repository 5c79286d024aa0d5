/// volnav/search/advice.c: the way out of a query's first failures.
#include "search/advice.h"

#include <math.h>

/// A point so many times farther away than the space is long is in other units.
#define FAR_AWAY 3

/// A space of so few voxels along its longest side shows nothing of its obstacles.
#define FEW_VOXELS 8

static double longest_side(const loaded* in) {
    const vn_voxel d = in->info.dims;
    const int most = d.x > d.y ? d.x : d.y;
    return (double)in->info.resolution * (most > d.z ? most : d.z);
}

// ------------------------------------------------------------------------------------------------- outside

/// How far a point lies outside the space along the axis on which it is farthest.
static double distance_outside(const loaded* in, const double* p) {
    const vn_space_info* s = &in->info;
    const double r = (double)s->resolution;
    const double low[3] = {s->origin.x + s->low.x, s->origin.y + s->low.y, s->origin.z + s->low.z};
    const double size[3] = {r * s->dims.x, r * s->dims.y, r * s->dims.z};
    double distance = 0;
    for (int axis = 0; axis < 3; ++axis) {
        distance = fmax(distance, fmax(low[axis] - p[axis], p[axis] - low[axis] - size[axis]));
    }

    return distance;
}

// ------------------------------------------------------------------------------------------------ enclosed

/// The region around a point while cells are visited.
typedef struct region {
    const vn_space* space;
    vn_voxel dims;
    vn_point point;
    double voxels;
    bool reaches_rim;
} region;

static bool visit(void* user, vn_voxel low, vn_voxel high) {
    region* r = user;
    const vn_point inside = {low.x * VN_LATTICE + VN_LATTICE / 2, low.y * VN_LATTICE + VN_LATTICE / 2,
                             low.z * VN_LATTICE + VN_LATTICE / 2};
    if (!vn_space_reachable(r->space, r->point, inside)) {
        return true;
    }

    r->voxels += (double)(high.x - low.x) * (high.y - low.y) * (high.z - low.z);
    r->reaches_rim = r->reaches_rim || low.x == 0 || low.y == 0 || low.z == 0 || high.x == r->dims.x ||
                     high.y == r->dims.y || high.z == r->dims.z;
    return true;
}

/// The volume of the region around a position, if nothing leads from it to the rim of the space; else 0.
static double enclosed_volume(const loaded* in, const double* at) {
    region r = {.space = in->space, .dims = in->info.dims};
    const vn_dvec3 position = {at[0], at[1], at[2]};
    if (in->info.cells == 0 || vn_space_point_from_world(in->space, position, &r.point) != VN_OK) {
        return 0;
    }

    const vn_voxel low = {0, 0, 0};
    vn_space_visit_cells(in->space, low, in->info.dims, visit, &r);
    return r.reaches_rim ? 0 : r.voxels * pow((double)in->info.resolution, 3);
}

static void advise_outside(FILE* file, const loaded* in, const load_options* options, const double* end,
                           const search_outcome* outcome) {
    const double distance = distance_outside(in, end), longest = longest_side(in);
    if (distance > FAR_AWAY * longest && in->report.meshes + in->report.brushes > 0) {
        fprintf(
            file,
            "It is %.3g times as far away as the space is long. Is the input in other units than metres?\n"
            "--scale S multiplies its coordinates; volnav info shows its bounds.\n",
            distance / longest);
        return;
    }

    const double margin = ceil((options->margin + distance + (double)in->info.resolution) * 10) / 10;
    if (options->has_bounds) {
        fputs("The space ends at --bounds: widen them.\n", file);
    } else if (in->is_file) {
        fprintf(file, "The space ends there: bake it again with --margin %.6g or more.\n", margin);
    } else {
        fprintf(file, "The space ends where the obstacles end. Add --margin %.6g for space around them.\n",
                margin);
    }

    const vn_dvec3 n = outcome->nearest;
    const double nearest[3] = {n.x, n.y, n.z};
    if (outcome->has_nearest && enclosed_volume(in, nearest) == 0) { // a closed mesh is no place to go to
        search_explain_nearest(file, in, outcome);
    }
}

static void advise_enclosed(FILE* file, const loaded* in, const char* name, const double* at) {
    const double volume = enclosed_volume(in, at);
    if (volume > 0) {
        fprintf(file, "The %s lies in an enclosed region of %.4g m\302\263: nothing leads out of it%s.\n",
                name, volume, in->report.meshes > 0 ? ", as inside a closed mesh" : "");
    }
}

// ------------------------------------------------------------------------------------------------- too few

/// Of the obstacles, which may be smaller than a voxel; of a saved file, of the space.
static double longest_extent(const loaded* in) {
    vn_box box;
    if (in->world == NULL || !vn_world_get_bounds(in->world, &box)) {
        return longest_side(in);
    }

    const double x = (double)box.max.x - (double)box.min.x, y = (double)box.max.y - (double)box.min.y;
    return fmax(x, fmax(y, (double)box.max.z - (double)box.min.z));
}

static void advise_few_voxels(FILE* file, const loaded* in) {
    const vn_voxel d = in->info.dims;
    const double better = load_round_resolution(longest_extent(in));
    if (d.x < FEW_VOXELS && d.y < FEW_VOXELS && d.z < FEW_VOXELS && better > 0) {
        fprintf(file, "The whole space is %d x %d x %d voxels of %g m: try --resolution %.6g%s.\n", d.x, d.y,
                d.z, (double)in->info.resolution, better, in->is_file ? " when it is baked" : "");
    }
}

void advice_print(FILE* file, const loaded* in, const load_options* options, const double* from,
                  const double* to, const search_outcome* outcome) {
    const vn_path_result* path = &outcome->path;
    if (path->status == VN_OK || in->space == NULL) {
        return;
    }

    const double* end = path->end == VN_END_START ? from : to;
    if (path->status == VN_OUTSIDE && !outcome->beyond_limits && end != NULL) {
        advise_outside(file, in, options, end, outcome);
        return;
    }

    if (path->status == VN_NO_PATH) {
        advise_enclosed(file, in, "start", from);
        if (to != NULL) {
            advise_enclosed(file, in, "goal", to);
        }
    }

    advise_few_voxels(file, in);
}
