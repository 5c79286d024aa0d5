/// voxelise/stamp.c: stamps a shape top-down: chunks (16^3), bricks (4^3), voxels.
///
/// A cube that is clear or full as a whole is decided at once. The coarse tests report "mixed" within a
/// margin far above rounding error, so that each voxel gets the result of the exact rule for it alone.
///
///     chunk 16^3 --mixed--> brick 4^3 --mixed--> voxel (exact test)
///        | clear, full         | clear, full        (convex shapes: rows instead of bricks, stamp_rows.h)
#include "voxelise/stamp.h"

#include "base/bits.h"
#include "voxelise/stamp_rows.h"

#define HALF_DIAGONAL 0.8660254037844387
#define LEAST_SLACK   1e-9
#define SLACK_SCALE   8.8817841970012523e-16 /* 2^-50 */

/// Local coordinates of windows are clamped here: obstacles lie within 1e6 metres.
#define FAR_AWAY 1e7

typedef enum cover { CLEAR, MIXED, FULL } cover;

/// Inclusive ranges of voxels.
typedef struct span {
    int32_t low[3], high[3];
} span;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static float cut_to_float(double x) {
    VNI_ASSERT(x == x);
    return (float)vni_clamp(x, -FAR_AWAY, FAR_AWAY);
}

vn_box vni_window_box(const vni_window* window, const vni_frame* frame, double radius) {
    const double low[3] = {frame->low.x, frame->low.y, frame->low.z};
    float min[3], max[3];
    for (int i = 0; i < 3; ++i) {
        double from = low[i] + window->low[i] * frame->size, to = low[i] + window->high[i] * frame->size;
        // Boxes of obstacles are floats: 2^-24 of the coordinates, covered by 1e-6 of them.
        double grow = (radius + 0.01) * frame->size + 1e-6 * (vni_abs(from) + vni_abs(to));
        min[i] = cut_to_float(from - grow);
        max[i] = cut_to_float(to + grow);
    }

    return (vn_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

static vni_stamp stamp_with_bounds(vn_shape_kind kind, bool surface, const vni_aabb* bounds) {
    VNI_ASSERT(bounds->min.x <= bounds->max.x && bounds->min.y <= bounds->max.y);
    VNI_ASSERT(bounds->min.z <= bounds->max.z);
    double x = larger(vni_abs(bounds->min.x), vni_abs(bounds->max.x));
    double y = larger(vni_abs(bounds->min.y), vni_abs(bounds->max.y));
    double z = larger(vni_abs(bounds->min.z), vni_abs(bounds->max.z));
    vni_stamp stamp = {.kind = kind, .surface = surface, .bounds = *bounds};
    // The slack follows the spacing of doubles at the largest coordinate: 2^-50 of it is a few units in the
    // last place.
    stamp.slack = larger(LEAST_SLACK, SLACK_SCALE * larger(x, larger(y, z)));

    return stamp;
}

vni_stamp vni_stamp_of_box(const vni_aabb* box, bool surface) {
    vni_stamp stamp = stamp_with_bounds(VN_SHAPE_BOX, surface, box);
    stamp.as.box = *box;
    return stamp;
}

vni_stamp vni_stamp_of_oriented(const vni_obb* oriented, bool surface) {
    vni_aabb bounds = vni_obb_bounds(oriented);
    vni_stamp stamp = stamp_with_bounds(VN_SHAPE_ORIENTED, surface, &bounds);
    stamp.as.oriented = *oriented;
    return stamp;
}

vni_stamp vni_stamp_of_sphere(vni_vec center, double radius, bool surface) {
    VNI_ASSERT(radius >= 0);
    vni_vec reach = vni_v(radius, radius, radius);
    vni_aabb bounds = {vni_sub(center, reach), vni_add(center, reach)};
    vni_stamp stamp = stamp_with_bounds(VN_SHAPE_SPHERE, surface, &bounds);
    stamp.as.sphere.center = center;
    stamp.as.sphere.radius = radius;

    return stamp;
}

vni_stamp vni_stamp_of_hull(const vni_hull* hull, bool surface) {
    VNI_ASSERT(hull->vertex_count > 0);

    vni_aabb bounds = {hull->vertices[0], hull->vertices[0]};
    for (uint32_t i = 1; i < hull->vertex_count; ++i) {
        bounds.min = vni_min(bounds.min, hull->vertices[i]);
        bounds.max = vni_max(bounds.max, hull->vertices[i]);
    }

    vni_stamp stamp = stamp_with_bounds(VN_SHAPE_HULL, surface, &bounds);
    stamp.as.hull = *hull;
    stamp.bulge = HUGE_VAL;
    return stamp;
}

vni_stamp vni_stamp_of_triangle(const vni_triangle* triangle) {
    vni_aabb bounds = vni_triangle_bounds(triangle);
    vni_stamp stamp = stamp_with_bounds(VN_SHAPE_MESH, true, &bounds);
    stamp.as.mesh.triangle = *triangle;
    stamp.as.mesh.prep = vni_triangle_prepare(triangle);
    return stamp;
}

vni_stamp vni_stamp_of_capsule(const vni_capsule* capsule, bool surface) {
    vni_aabb bounds = vni_capsule_bounds(capsule);
    vni_stamp stamp = stamp_with_bounds(VN_SHAPE_CAPSULE, surface, &bounds);
    stamp.as.capsule = *capsule;
    return stamp;
}

vni_stamp vni_stamp_of_cylinder(const vni_cylinder* cylinder, bool surface) {
    vni_aabb bounds = vni_cylinder_bounds(cylinder);
    vni_stamp stamp = stamp_with_bounds(VN_SHAPE_CYLINDER, surface, &bounds);
    stamp.as.cylinder = *cylinder;
    return stamp;
}

vni_stamp vni_stamp_of_obstacle(const vni_obstacle* obstacle, const vni_frame* frame,
                                const vni_vec* vertices) {
    bool flat = vni_obstacle_is_flat(obstacle);
    VNI_ASSERT(obstacle->info.kind != VN_SHAPE_MESH && obstacle->info.kind != VN_SHAPE_VOXELS);
    switch (obstacle->info.kind) {
    case VN_SHAPE_ORIENTED: {
        vni_obb obb = obstacle->as.oriented;
        obb.center = vni_to_frame(frame, obb.center);
        for (int i = 0; i < 3; ++i)
            obb.half[i] /= frame->size;
        return vni_stamp_of_oriented(&obb, flat);
    }
    case VN_SHAPE_SPHERE:
        return vni_stamp_of_sphere(vni_to_frame(frame, obstacle->as.sphere.center),
                                   obstacle->as.sphere.radius / frame->size, flat);
    case VN_SHAPE_HULL: {
        VNI_ASSERT(vertices != NULL);
        vni_hull hull = obstacle->as.hull;
        hull.vertices = vertices;
        vni_stamp stamp = vni_stamp_of_hull(&hull, flat);
        stamp.bulge = obstacle->bulge / frame->size;
        return stamp;
    }
    case VN_SHAPE_CAPSULE: {
        const vni_capsule* c = &obstacle->as.capsule;
        vni_capsule capsule = {vni_to_frame(frame, c->a), vni_to_frame(frame, c->b), c->radius / frame->size};
        return vni_stamp_of_capsule(&capsule, flat);
    }
    case VN_SHAPE_CYLINDER: {
        vni_cylinder cylinder = obstacle->as.cylinder;
        cylinder.center = vni_to_frame(frame, cylinder.center);
        cylinder.half /= frame->size;
        cylinder.radius /= frame->size;
        return vni_stamp_of_cylinder(&cylinder, flat);
    }
    default: {
        vni_aabb box = {vni_to_frame(frame, obstacle->as.box.min), vni_to_frame(frame, obstacle->as.box.max)};
        return vni_stamp_of_box(&box, flat);
    }
    }
}

// ------------------------------------------------------------------------------------- a shape and one box

/// Are the closed sets within `slack` of each other? May be true for slightly larger distances.
static bool touches(const vni_stamp* stamp, const vni_aabb* box, double slack) {
    switch (stamp->kind) {
    case VN_SHAPE_MESH: return vni_triangle_prep_touches_box(&stamp->as.mesh.prep, box, slack);
    case VN_SHAPE_ORIENTED: return vni_obb_touches_box(&stamp->as.oriented, box, slack);
    case VN_SHAPE_HULL: return vni_hull_touches_box(&stamp->as.hull, box, slack);
    case VN_SHAPE_SPHERE:
        return vni_sphere_box_distance(stamp->as.sphere.center, stamp->as.sphere.radius, box) <= slack;
    case VN_SHAPE_CAPSULE: return vni_capsule_box_distance(&stamp->as.capsule, box) <= slack;
    case VN_SHAPE_CYLINDER: return vni_cylinder_touches_box(&stamp->as.cylinder, box, slack);
    default: return vni_aabb_box_distance2(&stamp->as.box, box) <= slack * slack;
    }
}

static bool enters(const vni_stamp* stamp, const vni_aabb* box) {
    VNI_ASSERT(!stamp->surface);
    switch (stamp->kind) {
    case VN_SHAPE_ORIENTED: return vni_obb_enters_box(&stamp->as.oriented, box);
    case VN_SHAPE_HULL: return vni_hull_enters_box(&stamp->as.hull, box);
    case VN_SHAPE_SPHERE: return vni_sphere_enters_box(stamp->as.sphere.center, stamp->as.sphere.radius, box);
    case VN_SHAPE_CAPSULE: return vni_capsule_enters_box(&stamp->as.capsule, box);
    case VN_SHAPE_CYLINDER: return vni_cylinder_enters_box(&stamp->as.cylinder, box);
    default: return vni_aabb_enters_box(&stamp->as.box, box);
    }
}

static bool closer_than(const vni_stamp* stamp, const vni_aabb* box, double radius) {
    switch (stamp->kind) {
    case VN_SHAPE_MESH: return vni_triangle_box_distance2(&stamp->as.mesh.triangle, box) < radius * radius;
    case VN_SHAPE_ORIENTED: return vni_obb_box_distance2(&stamp->as.oriented, box) < radius * radius;
    case VN_SHAPE_HULL: return vni_hull_box_distance2(&stamp->as.hull, box) < radius * radius;
    case VN_SHAPE_SPHERE:
        return vni_sphere_box_distance(stamp->as.sphere.center, stamp->as.sphere.radius, box) < radius;
    case VN_SHAPE_CAPSULE: return vni_capsule_box_distance(&stamp->as.capsule, box) < radius;
    case VN_SHAPE_CYLINDER: return vni_cylinder_box_distance(&stamp->as.cylinder, box) < radius;
    default: return vni_aabb_box_distance2(&stamp->as.box, box) < radius * radius;
    }
}

static double oriented_distance(const vni_obb* oriented, vni_vec point) {
    vni_vec offset = vni_sub(point, oriented->center);
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        double beyond = vni_abs(vni_dot(offset, oriented->axis[i])) - oriented->half[i];
        sum += beyond > 0 ? beyond * beyond : 0;
    }

    return sqrt(sum);
}

/// Distance of a point to the shape, 0 inside a volume.
static double point_distance(const vni_stamp* stamp, vni_vec point) {
    vni_aabb dot = {point, point};
    switch (stamp->kind) {
    case VN_SHAPE_MESH: return sqrt(vni_point_triangle_distance2(point, &stamp->as.mesh.triangle));
    case VN_SHAPE_ORIENTED: return oriented_distance(&stamp->as.oriented, point);
    case VN_SHAPE_HULL: return sqrt(vni_hull_box_distance2(&stamp->as.hull, &dot));
    case VN_SHAPE_SPHERE:
        return vni_sphere_box_distance(stamp->as.sphere.center, stamp->as.sphere.radius, &dot);
    case VN_SHAPE_CAPSULE: return vni_capsule_box_distance(&stamp->as.capsule, &dot);
    case VN_SHAPE_CYLINDER: return vni_point_cylinder_distance(point, &stamp->as.cylinder);
    default: return sqrt(vni_point_box_distance2(point, &stamp->as.box));
    }
}

/// Does the cube lie behind all face planes, at least `margin` away?
static bool hull_holds(const vni_hull* hull, vni_vec center, double half, double margin) {
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* corner = hull->indices + 3 * (size_t)i;
        vni_vec a = hull->vertices[corner[0]];
        vni_vec n = vni_cross(vni_sub(hull->vertices[corner[1]], a), vni_sub(hull->vertices[corner[2]], a));
        double support = half * (vni_abs(n.x) + vni_abs(n.y) + vni_abs(n.z));
        if (vni_dot(n, vni_sub(center, a)) + support > -margin * vni_length(n))
            return false;
    }

    return true;
}

static bool oriented_holds(const vni_obb* oriented, vni_vec center, double half, double margin) {
    vni_vec offset = vni_sub(center, oriented->center);
    for (int i = 0; i < 3; ++i) {
        vni_vec axis = oriented->axis[i];
        double support = half * (vni_abs(axis.x) + vni_abs(axis.y) + vni_abs(axis.z));
        if (vni_abs(vni_dot(offset, axis)) + support > oriented->half[i] - margin)
            return false;
    }

    return true;
}

static bool capsule_holds(const vni_capsule* capsule, vni_vec center, double half, double margin) {
    vni_aabb dot = {center, center};
    double distance = sqrt(vni_segment_box_distance2(capsule->a, capsule->b, &dot));
    return distance + 2 * HALF_DIAGONAL * half + margin < capsule->radius;
}

static bool cylinder_holds(const vni_cylinder* cylinder, vni_vec center, double half, double margin) {
    vni_vec offset = vni_sub(center, cylinder->center), axis = vni_abs_each(cylinder->axis);
    double height = vni_dot(offset, cylinder->axis);
    double width = vni_length(vni_add_scaled(offset, cylinder->axis, -height));
    return vni_abs(height) + half * (axis.x + axis.y + axis.z) + margin < cylinder->half &&
           width + 2 * HALF_DIAGONAL * half + margin < cylinder->radius;
}

/// Does the volume contain the whole cube around `center`, with a margin? A surface contains none.
static bool holds(const vni_stamp* stamp, vni_vec center, double half, double margin) {
    if (stamp->surface)
        return false;
    vni_vec reach = vni_v(half + margin, half + margin, half + margin);
    vni_vec low = vni_sub(center, reach), high = vni_add(center, reach);
    const vni_aabb* b = &stamp->bounds;
    if (low.x < b->min.x || low.y < b->min.y || low.z < b->min.z || high.x > b->max.x || high.y > b->max.y ||
        high.z > b->max.z)
        return false;
    switch (stamp->kind) {
    case VN_SHAPE_ORIENTED: return oriented_holds(&stamp->as.oriented, center, half, margin);
    case VN_SHAPE_HULL: return hull_holds(&stamp->as.hull, center, half, margin);
    case VN_SHAPE_SPHERE:
        return vni_length(vni_sub(center, stamp->as.sphere.center)) + 2 * HALF_DIAGONAL * half + margin <
               stamp->as.sphere.radius;
    case VN_SHAPE_CAPSULE: return capsule_holds(&stamp->as.capsule, center, half, margin);
    case VN_SHAPE_CYLINDER: return cylinder_holds(&stamp->as.cylinder, center, half, margin);
    default: return true;
    }
}

/// Decides all voxels of a cube of `edge` voxels by the distance `d` of its centre from the shape. No voxel
/// is closer than d minus half the cube's diagonal. And each voxel contains the ball of radius 1/2 around its
/// centre, which lies at most (edge - 1) half diagonals from the cube's centre: none is farther than d plus
/// that minus 1/2.
static cover cover_by_distance(double d, int32_t edge, double radius, double margin) {
    if (d > radius + edge * HALF_DIAGONAL + margin)
        return CLEAR;
    return d + (edge - 1) * HALF_DIAGONAL - 0.5 < radius - margin ? FULL : MIXED;
}

/// All voxels of the cube of `edge` voxels at (x, y, z): clear, full, or mixed (maybe).
static cover classify(const vni_stamp* stamp, double radius, int32_t x, int32_t y, int32_t z, int32_t edge) {
    VNI_ASSERT(edge == 4 || edge == 16);

    // At a radius the distance of the centre decides most cubes; at radius 0, contact with the whole cube
    // does.
    double half = 0.5 * edge, margin = VNI_STAMP_MARGIN * stamp->slack;
    vni_vec center = vni_v(x + half, y + half, z + half);
    if (radius > 0) {
        cover by_distance = cover_by_distance(point_distance(stamp, center), edge, radius, margin);
        if (by_distance != MIXED)
            return by_distance;
    } else {
        vni_vec reach = vni_v(half, half, half);
        vni_aabb box = {vni_sub(center, reach), vni_add(center, reach)};
        if (!touches(stamp, &box, margin))
            return CLEAR;
    }

    return holds(stamp, center, half, margin) ? FULL : MIXED;
}

bool vni_stamp_blocks_voxel(const vni_stamp* stamp, double radius, int32_t x, int32_t y, int32_t z) {
    vni_aabb cube = vni_aabb_of_voxel(x, y, z);
    if (radius > 0) {
        // The distance of a point is cheaper than that of a cube and decides most voxels; not for hulls,
        // where both go over all triangles.
        if (stamp->kind != VN_SHAPE_HULL) {
            double d = point_distance(stamp, vni_v(x + 0.5, y + 0.5, z + 0.5));
            cover by_distance = cover_by_distance(d, 1, radius, VNI_STAMP_MARGIN * stamp->slack);
            if (by_distance != MIXED)
                return by_distance == FULL;
        }

        return closer_than(stamp, &cube, radius);
    }

    return stamp->surface ? touches(stamp, &cube, stamp->slack) : enters(stamp, &cube);
}

// --------------------------------------------------------------------------------------- down the levels

static int32_t floor_within(double value, int32_t low, int32_t high) {
    return value <= low ? low : value >= high ? high : (int32_t)floor(value);
}

/// The voxels of the window that may be within `grow` of the bounds; false if there are none.
static bool span_of_bounds(const vni_aabb* bounds, double grow, const vni_window* window, span* out) {
    double min[3] = {bounds->min.x - grow, bounds->min.y - grow, bounds->min.z - grow};
    double max[3] = {bounds->max.x + grow, bounds->max.y + grow, bounds->max.z + grow};
    for (int i = 0; i < 3; ++i) {
        if (max[i] < window->low[i] || min[i] >= window->high[i])
            return false;
        out->low[i] = floor_within(min[i], window->low[i], window->high[i] - 1);
        out->high[i] = floor_within(max[i], window->low[i], window->high[i] - 1);
        VNI_ASSERT(out->low[i] <= out->high[i]);
    }

    return true;
}

/// The part of `all` within the aligned cube of `edge` voxels (a power of two) around (x, y, z).
static span part_of(const span* all, int32_t x, int32_t y, int32_t z, int32_t edge) {
    VNI_ASSERT(edge > 0 && (edge & (edge - 1)) == 0);

    int32_t at[3] = {x & -edge, y & -edge, z & -edge};
    span part;
    for (int i = 0; i < 3; ++i) {
        part.low[i] = all->low[i] > at[i] ? all->low[i] : at[i];
        part.high[i] = all->high[i] < at[i] + edge - 1 ? all->high[i] : at[i] + edge - 1;
        VNI_ASSERT(part.low[i] <= part.high[i]);
    }

    return part;
}

/// Bits of a span that lies within one brick.
static uint64_t span_bits(const span* s) {
    return vni_brick_span(s->low[0] & 3, s->high[0] & 3, s->low[1] & 3, s->high[1] & 3, s->low[2] & 3,
                          s->high[2] & 3);
}

static void fill_span(const span* s, const vni_window* window) {
    for (int32_t z = s->low[2] & -4; z <= s->high[2]; z += 4)
        for (int32_t y = s->low[1] & -4; y <= s->high[1]; y += 4)
            for (int32_t x = s->low[0] & -4; x <= s->high[0]; x += 4) {
                span part = part_of(s, x, y, z, 4);
                window->dense[vni_dense_index(x, y, z)] |= span_bits(&part);
            }
}

static void stamp_brick(const vni_stamp* stamp, double radius, const span* s, const vni_window* window) {
    int32_t x = s->low[0] & -4, y = s->low[1] & -4, z = s->low[2] & -4;
    uint64_t* word = &window->dense[vni_dense_index(x, y, z)];
    VNI_ASSERT(s->high[0] < x + 4 && s->high[1] < y + 4 && s->high[2] < z + 4);

    // Only voxels that no other shape has blocked yet; below four of them a coarse test does not pay.
    uint64_t open = span_bits(s) & ~*word;
    if (vni_popcount(open) > 3) {
        cover all = classify(stamp, radius, x, y, z, 4);
        if (all == FULL)
            *word |= open;
        if (all != MIXED)
            return;
    }

    while (open) {
        uint32_t bit = vni_lowest_bit(open);
        open &= open - 1;
        if (vni_stamp_blocks_voxel(stamp, radius, x + (int32_t)(bit & 3), y + (int32_t)(bit >> 2 & 3),
                                   z + (int32_t)(bit >> 4)))
            *word |= (uint64_t)1 << bit;
    }
}

static bool spans_many_bricks(const span* s) {
    int32_t bricks = 1;
    for (int i = 0; i < 3; ++i)
        bricks *= (s->high[i] >> 2) - (s->low[i] >> 2) + 1;
    return bricks > 4;
}

/// `rows` is null for shapes without a closed form.
static void stamp_chunk(const vni_stamp* stamp, double radius, const vni_rows* rows, const span* s,
                        const vni_window* window) {
    // One test of the chunk costs as much as one of a brick: it pays from a few bricks on.
    if (spans_many_bricks(s)) {
        cover all = classify(stamp, radius, s->low[0] & -16, s->low[1] & -16, s->low[2] & -16, 16);
        if (all == FULL)
            fill_span(s, window);
        if (all != MIXED)
            return;
    }

    if (rows != NULL) {
        vni_rows_stamp(rows, s->low, s->high, window);
        return;
    }

    for (int32_t z = s->low[2] & -4; z <= s->high[2]; z += 4)
        for (int32_t y = s->low[1] & -4; y <= s->high[1]; y += 4)
            for (int32_t x = s->low[0] & -4; x <= s->high[0]; x += 4) {
                span part = part_of(s, x, y, z, 4);
                stamp_brick(stamp, radius, &part, window);
            }
}

/// Is the span so small that testing chunks does not pay?
static bool is_small(const span* s) {
    bool small = true;
    for (int i = 0; i < 3; ++i)
        small = small && s->high[i] - s->low[i] < VNI_ROWS_SPAN;
    return small;
}

/// Axis-aligned boxes at radius 0 block a box of voxels: from floor(min) to ceil(max) - 1 by the open rule,
/// from ceil(min) - 1 to floor(max) by the closed one. Cuts `s` to it; false if nothing is left.
static bool span_of_box(const vni_stamp* stamp, span* s) {
    double slack = stamp->slack;
    const vni_aabb* b = &stamp->as.box;
    double min[3] = {b->min.x, b->min.y, b->min.z}, max[3] = {b->max.x, b->max.y, b->max.z};
    for (int i = 0; i < 3; ++i) {
        double first = stamp->surface ? -floor(1 - (min[i] - slack)) : floor(min[i]);
        double last = stamp->surface ? floor(max[i] + slack) : -floor(-max[i]) - 1;
        if (last < s->low[i] || first > s->high[i] || last < first)
            return false;
        s->low[i] = first > s->low[i] ? (int32_t)first : s->low[i];
        s->high[i] = last < s->high[i] ? (int32_t)last : s->high[i];
    }

    return true;
}

void vni_stamp_shape(const vni_stamp* stamp, double radius, const vni_window* window) {
    VNI_ASSERT(radius >= 0 && stamp->kind != VN_SHAPE_VOXELS);

    span s;
    if (!span_of_bounds(&stamp->bounds, radius + VNI_STAMP_MARGIN * stamp->slack, window, &s))
        return;

    // Boxes without radius need no test at all: they are spans of voxels.
    if (stamp->kind == VN_SHAPE_BOX && radius == 0) {
        if (span_of_box(stamp, &s))
            fill_span(&s, window);
        return;
    }

    // Small convex shapes go by rows at once; larger ones by chunks first, whose interiors are filled as a
    // whole.
    vni_rows rows;
    bool has_rows = vni_rows_prepare(stamp, radius, &rows);
    if (has_rows && is_small(&s)) {
        vni_rows_stamp(&rows, s.low, s.high, window);
        return;
    }

    for (int32_t z = s.low[2] & -16; z <= s.high[2]; z += 16)
        for (int32_t y = s.low[1] & -16; y <= s.high[1]; y += 16)
            for (int32_t x = s.low[0] & -16; x <= s.high[0]; x += 16) {
                span part = part_of(&s, x, y, z, 16);
                stamp_chunk(stamp, radius, has_rows ? &rows : NULL, &part, window);
            }
}
