/// path/segment_obstacle.c: a segment against an obstacle of any kind.
#include "base/assert.h"
#include "path/segment.h"

/// A bvh splits at the median: its depth stays below 33, and one node a level waits.
#define WAITING 64

// ------------------------------------------------------------------------------------------------ hulls

/// Narrows [begin, end] to where the segment lies between the two planes square to `normal` that hold the
/// hull's vertices between them, and at least `depth` from both; false if nothing is left.
static bool clip_slab(const vni_segment* segment, const vni_hull* hull, vni_vec normal, double depth,
                      double* begin, double* end) {
    const vni_vec base = hull->vertices[0];
    double length = vni_length(normal), low = 0.0, high = 0.0;
    VNI_ASSERT(length > 0.0);

    for (uint32_t i = 1; i < hull->vertex_count; ++i) {
        double height = vni_dot(vni_sub(hull->vertices[i], base), normal) / length;
        low = height < low ? height : low;
        high = height > high ? height : high;
    }

    low += depth;
    high -= depth;
    double from = vni_dot(vni_sub(segment->from, base), normal) / length,
           along = vni_dot(segment->along, normal) / length;
    if (along == 0.0)
        return from >= low && from <= high;

    double in = ((along > 0.0 ? low : high) - from) / along,
           out = ((along > 0.0 ? high : low) - from) / along;
    *begin = in > *begin ? in : *begin;
    *end = out < *end ? out : *end;
    return *begin <= *end;
}

/// The part [begin, end] of the segment that lies at least `depth` inside all slabs of the hull, which must
/// not be flat; false if there is none. A hull may be convex only nearly, and then its slabs hold more than
/// it encloses.
static bool clip_slabs(const vni_segment* segment, const vni_hull* hull, double depth, double* begin,
                       double* end) {
    VNI_ASSERT(hull->vertex_count != 0 && hull->normal_count != 0);
    *begin = 0.0;
    *end = 1.0;
    for (uint32_t i = 0; i < hull->normal_count; ++i) {
        if (!clip_slab(segment, hull, hull->normals[i], depth, begin, end))
            return false;
    }

    return true;
}

/// A sum of angles without trigonometry: the angle of (x, y), above -180 and up to 180 degrees, and whole
/// turns.
typedef struct turning {
    double x, y;
    int turns;
} turning;

static bool is_positive_angle(double x, double y) {
    return y > 0.0 || (y == 0.0 && x < 0.0);
}

/// Adds the angle of (x, y).
static void turn_by(turning* sum, double x, double y) {
    const double length = sqrt(x * x + y * y);
    if (!(length > 0.0))
        return;

    const double to_x = (sum->x * x - sum->y * y) / length, to_y = (sum->x * y + sum->y * x) / length;

    // Both angles to one side, and the sum not on that side: it has gone past half a turn.
    if (is_positive_angle(sum->x, sum->y) && is_positive_angle(x, y) && !is_positive_angle(to_x, to_y))
        ++sum->turns;

    if (sum->y < 0.0 && y < 0.0 && to_y >= 0.0)
        --sum->turns;

    sum->x = to_x;
    sum->y = to_y;
}

/// The triangles go around the point, which must not lie on one of them. Half the solid angles at which they
/// are seen from it (van Oosterom and Strackee 1983) add up to as many whole turns as they go around it.
static bool encloses(const vni_hull* hull, vni_vec point) {
    turning sum = {1.0, 0.0, 0};
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* index = hull->indices + 3 * (size_t)i;
        const vni_vec a = vni_sub(hull->vertices[index[0]], point);
        const vni_vec b = vni_sub(hull->vertices[index[1]], point);
        const vni_vec c = vni_sub(hull->vertices[index[2]], point);
        const double la = vni_length(a), lb = vni_length(b), lc = vni_length(c);
        turn_by(&sum, la * lb * lc + vni_dot(a, b) * lc + vni_dot(b, c) * la + vni_dot(c, a) * lb,
                vni_dot(a, vni_cross(b, c)));
    }

    return sum.turns != 0;
}

static vni_nearest segment_surface(const vni_segment* segment, const vni_hull* hull) {
    vni_nearest best = {(double)INFINITY, 0.0};
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* index = hull->indices + 3 * (size_t)i;
        best = vni_nearer(best, vni_segment_triangle(segment, hull->vertices[index[0]],
                                                     hull->vertices[index[1]], hull->vertices[index[2]]));
    }

    return best;
}

/// The segment lies at least `depth` inside the hull somewhere; `at` is the first such place. The part within
/// the slabs does if it comes to the surface, or if all of it is enclosed.
static bool enters_hull(const vni_segment* segment, const vni_hull* hull, double depth, double* at) {
    double begin, end;
    if (!clip_slabs(segment, hull, depth, &begin, &end))
        return false;
    *at = begin;
    const vni_segment part =
        vni_segment_make(vni_segment_point(segment, begin), vni_segment_point(segment, end));
    return segment_surface(&part, hull).distance <= depth || encloses(hull, vni_segment_point(&part, 0.5));
}

static vni_nearest segment_hull(const vni_segment* segment, const vni_obstacle* obstacle) {
    const vni_hull* hull = &obstacle->as.hull;
    const vn_box* bounds = &obstacle->info.bounds;
    double at;
    if (!vni_obstacle_is_flat(obstacle) &&
        vni_segment_meets_box(segment, vni_v_from(bounds->min), vni_v_from(bounds->max), &at) &&
        enters_hull(segment, hull, 0.0, &at)) {
        vni_nearest met = {0.0, at};
        return met;
    }

    return segment_surface(segment, hull);
}

// ----------------------------------------------------------------------------------------------- meshes

static double box_at_least(const vni_segment* segment, const vn_box* box, double limit) {
    return vni_segment_box_at_least(segment, vni_v_from(box->min), vni_v_from(box->max), limit);
}

static vni_nearest segment_leaf(const vni_segment* segment, const vni_mesh* mesh, const vni_bvh_node* leaf,
                                double limit) {
    vni_nearest best = {(double)INFINITY, 0.0};
    for (uint32_t i = 0; i < leaf->count; ++i) {
        uint32_t item = mesh->bvh.items[leaf->next_or_first + i];
        if (box_at_least(segment, &mesh->boxes[item], limit) > limit)
            continue;
        vni_triangle t = vni_mesh_triangle(mesh, item);
        best = vni_nearer(best, vni_segment_triangle(segment, t.a, t.b, t.c));
        limit = best.distance < limit ? best.distance : limit;
    }

    return best;
}

static vni_nearest segment_mesh(const vni_segment* segment, const vni_mesh* mesh, double limit) {
    struct {
        uint32_t node;
        double at_least;
    } stack[WAITING];
    vni_nearest best = {(double)INFINITY, 0.0};

    uint32_t count = 0;
    if (mesh->bvh.node_count != 0) {
        stack[0].node = 0;
        stack[0].at_least = 0.0;
        count = 1;
    }

    while (count > 0) {
        uint32_t index = stack[--count].node;
        const vni_bvh_node* node = &mesh->bvh.nodes[index];
        if (stack[count].at_least > limit)
            continue;

        if (node->count != 0) {
            best = vni_nearer(best, segment_leaf(segment, mesh, node, limit));
            limit = best.distance < limit ? best.distance : limit;
            continue;
        }

        VNI_ASSERT(count + 2 <= WAITING);

        // The nearer child comes last, so that it is taken first and lowers the limit for the other.
        const uint32_t child[2] = {index + 1, node->next_or_first};
        double first = box_at_least(segment, &mesh->bvh.nodes[child[0]].box, limit);
        double second = box_at_least(segment, &mesh->bvh.nodes[child[1]].box, limit);
        uint32_t far = first > second ? 0 : 1;
        stack[count].node = child[far];
        stack[count++].at_least = far == 0 ? first : second;
        stack[count].node = child[1 - far];
        stack[count++].at_least = far == 0 ? second : first;
    }

    return best;
}

// ----------------------------------------------------------------------------------------- oriented box

/// The segment in the frame of the box: centre at zero, its axes as x, y and z.
static vni_segment segment_in_frame(const vni_segment* segment, const vni_obb* box) {
    vni_vec a = vni_sub(segment->from, box->center), b = vni_add(a, segment->along);
    return vni_segment_make(
        vni_v(vni_dot(a, box->axis[0]), vni_dot(a, box->axis[1]), vni_dot(a, box->axis[2])),
        vni_v(vni_dot(b, box->axis[0]), vni_dot(b, box->axis[1]), vni_dot(b, box->axis[2])));
}

static vni_nearest segment_oriented(const vni_segment* segment, const vni_obb* box) {
    vni_segment inner = segment_in_frame(segment, box);
    vni_vec half = vni_v(box->half[0], box->half[1], box->half[2]);
    return vni_segment_box(&inner, vni_scale(half, -1.0), half);
}

static bool enters_oriented(const vni_segment* segment, const vni_obb* box, double depth, double* at) {
    vni_segment inner = segment_in_frame(segment, box);
    vni_vec half = vni_v(box->half[0] - depth, box->half[1] - depth, box->half[2] - depth);
    return vni_segment_meets_box(&inner, vni_scale(half, -1.0), half, at);
}

static bool enters_box(const vni_segment* segment, const vni_aabb* box, double depth, double* at) {
    vni_vec border = vni_v(depth, depth, depth);
    return vni_segment_meets_box(segment, vni_add(box->min, border), vni_sub(box->max, border), at);
}

// ------------------------------------------------------------------------------------------ any obstacle

vni_nearest vni_segment_obstacle(const vni_segment* segment, const vni_obstacle* obstacle, double limit) {
    VNI_ASSERT(obstacle->alive);
    switch (obstacle->info.kind) {
    case VN_SHAPE_BOX: return vni_segment_box(segment, obstacle->as.box.min, obstacle->as.box.max);
    case VN_SHAPE_ORIENTED: return segment_oriented(segment, &obstacle->as.oriented);
    case VN_SHAPE_SPHERE:
        return vni_segment_ball(segment, obstacle->as.sphere.center, obstacle->as.sphere.radius);
    case VN_SHAPE_HULL: return segment_hull(segment, obstacle);
    case VN_SHAPE_MESH: return segment_mesh(segment, &obstacle->as.mesh, limit);
    case VN_SHAPE_VOXELS: return vni_segment_voxels(segment, &obstacle->as.voxels, limit);
    case VN_SHAPE_CAPSULE:
        return vni_segment_capsule(segment, &obstacle->as.capsule, obstacle->as.capsule.radius);
    case VN_SHAPE_CYLINDER: return vni_segment_cylinder(segment, &obstacle->as.cylinder);
    }
    VNI_ASSERT(obstacle->info.kind == VN_SHAPE_BOX); // none of the kinds above: the record is broken
    vni_nearest touching = {0.0, 0.0};
    return touching;
}

static bool enters_ball(const vni_segment* segment, vni_vec center, double radius, double depth, double* at) {
    if (depth > radius)
        return false;
    vni_nearest core = vni_segment_ball(segment, center, radius - depth);
    *at = core.at;
    return core.distance == 0.0;
}

static bool enters_capsule(const vni_segment* segment, const vni_capsule* capsule, double depth, double* at) {
    if (depth > capsule->radius)
        return false;
    vni_nearest core = vni_segment_capsule(segment, capsule, capsule->radius - depth);
    *at = core.at;
    return core.distance == 0.0;
}

bool vni_segment_enters(const vni_segment* segment, const vni_obstacle* obstacle, double depth, double* at) {
    VNI_ASSERT(depth >= 0.0);
    if (obstacle->info.kind == VN_SHAPE_MESH || vni_obstacle_is_flat(obstacle)) {
        vni_nearest nearest = vni_segment_obstacle(segment, obstacle, depth);
        *at = nearest.at;
        return nearest.distance <= depth;
    }
    switch (obstacle->info.kind) {
    case VN_SHAPE_BOX: return enters_box(segment, &obstacle->as.box, depth, at);
    case VN_SHAPE_ORIENTED: return enters_oriented(segment, &obstacle->as.oriented, depth, at);
    case VN_SHAPE_SPHERE:
        return enters_ball(segment, obstacle->as.sphere.center, obstacle->as.sphere.radius, depth, at);
    case VN_SHAPE_HULL: return enters_hull(segment, &obstacle->as.hull, depth, at);
    case VN_SHAPE_VOXELS: return vni_segment_enters_voxels(segment, &obstacle->as.voxels, 0.5 * depth, at);
    case VN_SHAPE_CAPSULE: return enters_capsule(segment, &obstacle->as.capsule, depth, at);
    case VN_SHAPE_CYLINDER: return vni_segment_meets_cylinder(segment, &obstacle->as.cylinder, -depth, at);
    case VN_SHAPE_MESH: break;
    }
    *at = 0.0;
    return true;
}
