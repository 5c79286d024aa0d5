/// probe/obstacle_at.c: finds the obstacle that blocks a voxel, in local metres, the frame of the shapes.
#include "geom/morton.h"
#include "geom/shapes.h"
#include "space/space.h"
#include "world/world.h"

/// Search boxes are clamped here: obstacles lie within 1e6 metres.
#define FAR_AWAY 1e7

/// How near a shape is: by distance; at distance 0, a volume that only touches the cube comes after shapes
/// that enter it.
typedef struct nearness {
    double distance2;
    bool touches;
} nearness;

static const nearness far_away = {HUGE_VAL, false};

static bool is_nearer(nearness a, nearness b) {
    return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.touches < b.touches);
}

/// Can no shape be nearer?
static bool is_nearest(nearness a) {
    return a.distance2 == 0 && !a.touches;
}

typedef struct search {
    const vn_world* world;
    uint32_t without; ///< obstacles with one of these flags do not count
    vni_aabb cube;
    vni_aabb core; ///< the cube shrunk by the slack: volumes that do not enter it only touch the cube
    vn_box reach;  ///< contains everything within the limit
    double size;
    double slack;
    double limit2; ///< squared; farther shapes do not count
    nearness best;
    uint32_t slot;
    bool found;

    const vni_mesh* mesh; ///< the current one
    nearness nearest;     ///< of its triangles
} search;

/// Distances within the slack count as 0.
static nearness nearness_of(const search* s, double distance2, bool surface, bool enters) {
    VNI_ASSERT(distance2 >= 0 && s->slack > 0);
    if (distance2 > s->slack * s->slack)
        return (nearness){distance2, false};
    return (nearness){0, !surface && !enters};
}

// ---------------------------------------------------------------------------------------------- volumes

static nearness nearness_of_volume(const search* s, const vni_obstacle* o) {
    VNI_ASSERT(o->info.kind != VN_SHAPE_MESH && o->info.kind != VN_SHAPE_VOXELS);
    const vni_aabb *cube = &s->cube, *core = &s->core;
    bool flat = vni_obstacle_is_flat(o);
    switch (o->info.kind) {
    case VN_SHAPE_ORIENTED:
        return nearness_of(s, vni_obb_box_distance2(&o->as.oriented, cube), flat,
                           vni_obb_enters_box(&o->as.oriented, core));
    case VN_SHAPE_SPHERE: {
        double distance = vni_sphere_box_distance(o->as.sphere.center, o->as.sphere.radius, cube);
        return nearness_of(s, distance * distance, flat,
                           vni_sphere_enters_box(o->as.sphere.center, o->as.sphere.radius, core));
    }
    case VN_SHAPE_HULL:
        return nearness_of(s, vni_hull_box_distance2(&o->as.hull, cube), flat,
                           vni_hull_enters_box(&o->as.hull, core));
    case VN_SHAPE_CAPSULE: {
        double distance = vni_capsule_box_distance(&o->as.capsule, cube);
        return nearness_of(s, distance * distance, flat, vni_capsule_enters_box(&o->as.capsule, core));
    }
    case VN_SHAPE_CYLINDER: {
        double distance = vni_cylinder_box_distance(&o->as.cylinder, cube);
        return nearness_of(s, distance * distance, flat, vni_cylinder_enters_box(&o->as.cylinder, core));
    }
    default:
        return nearness_of(s, vni_aabb_box_distance2(&o->as.box, cube), flat,
                           vni_aabb_enters_box(&o->as.box, core));
    }
}

// ------------------------------------------------------------------------------------------- voxel sets

/// Bricks [first, last) of a set, all in one cube of 2^level bricks: the sorted keys are an octree.
typedef struct node {
    uint32_t first, last, level;
} node;

/// The cube of `edge` voxels of the set at (x, y, z) as a box.
static vni_aabb set_box(const vni_voxels* set, uint32_t x, uint32_t y, uint32_t z, double edge) {
    double size = (double)set->size;
    vni_vec low = vni_v_from(set->low), from = vni_v(x, y, z);
    vni_aabb box = {vni_add_scaled(low, from, size),
                    vni_add_scaled(low, vni_add(from, vni_v(edge, edge, edge)), size)};
    return box;
}

static nearness nearness_of_cubes(const search* s, const vni_aabb* box) {
    return nearness_of(s, vni_aabb_box_distance2(box, &s->cube), false, vni_aabb_enters_box(box, &s->core));
}

static void take_nearest_voxel(const search* s, const vni_voxels* set, const vni_voxel_brick* brick,
                               nearness* best) {
    uint32_t x, y, z;
    vni_morton_decode(brick->key, &x, &y, &z);
    for (uint64_t bits = brick->bits; bits && !is_nearest(*best); bits &= bits - 1) {
        uint32_t bit = vni_lowest_bit(bits);
        vni_aabb box = set_box(set, 4 * x + (bit & 3), 4 * y + (bit >> 2 & 3), 4 * z + (bit >> 4), 1);
        nearness n = nearness_of_cubes(s, &box);
        if (is_nearer(n, *best))
            *best = n;
    }
}

/// Pushes the children of a node: ranges of keys with equal prefixes.
static uint32_t push_children(const vni_voxels* set, node n, node* stack, uint32_t depth) {
    VNI_ASSERT(n.level > 0 && n.first < n.last);

    uint32_t level = n.level - 1, first = n.first;
    while (first < n.last) {
        uint64_t end = ((set->bricks[first].key >> 3 * level) + 1) << 3 * level;
        uint32_t low = first + 1, high = n.last;
        while (low < high) { // the first brick at or beyond the child's end
            uint32_t middle = low + (high - low) / 2;
            if (set->bricks[middle].key < end)
                low = middle + 1;
            else
                high = middle;
        }

        VNI_ASSERT(depth < 8 * 21);

        stack[depth++] = (node){first, low, level};
        first = low;
    }

    return depth;
}

static nearness nearness_of_set(const search* s, const vni_voxels* set) {
    node stack[8 * 21];
    uint32_t depth = 0;
    nearness best = far_away;
    if (set->brick_count > 0)
        stack[depth++] = (node){0, set->brick_count, 20};

    while (depth > 0 && !is_nearest(best)) {
        node n = stack[--depth];
        uint32_t x, y, z;
        vni_morton_decode(set->bricks[n.first].key >> 3 * n.level << 3 * n.level, &x, &y, &z);
        vni_aabb box = set_box(set, 4 * x, 4 * y, 4 * z, 4.0 * (double)((uint32_t)1 << n.level));
        nearness bound = nearness_of_cubes(s, &box);

        // The cube of a node is at least as near as any voxel in it: prune by it.
        if (!is_nearer(bound, best) || bound.distance2 > s->limit2)
            continue;
        if (n.level == 0)
            take_nearest_voxel(s, set, &set->bricks[n.first], &best);
        else
            depth = push_children(set, n, stack, depth);
    }

    return best;
}

// ----------------------------------------------------------------------------------------------- meshes

static bool take_nearest_triangle(void* user, uint32_t index) {
    search* s = user;
    vni_triangle triangle = vni_mesh_triangle(s->mesh, index);
    nearness n = nearness_of(s, vni_triangle_box_distance2(&triangle, &s->cube), true, false);
    if (is_nearer(n, s->nearest))
        s->nearest = n;
    return !is_nearest(s->nearest);
}

/// A line along an axis through a mesh: how often it crosses triangles, in all and before a point. The sums
/// count +1 where it goes in and -1 where it comes out.
typedef struct line {
    const vni_mesh* mesh;
    int axis;
    double u, v, along; ///< position of the line; position of the point along it
    int64_t sum, sum_before;
    uint64_t count, count_before;
} line;

typedef struct corner {
    double u, v, along;
} corner;

static corner corner_of(const line* l, vni_vec p) {
    const double at[3] = {p.x, p.y, p.z};
    corner c = {at[(l->axis + 1) % 3], at[(l->axis + 2) % 3], at[l->axis]};
    return c;
}

/// Twice the signed area of a, b and the line's foot: > 0 if the foot is to the left of a -> b. Exactly the
/// opposite for b -> a, since both compute the same difference: neighbouring triangles agree.
static double side(const line* l, const corner* a, const corner* b) {
    bool swapped = a->u > b->u || (a->u == b->u && a->v > b->v);
    const corner *p = swapped ? b : a, *q = swapped ? a : b;
    double area = (q->u - p->u) * (l->v - p->v) - (q->v - p->v) * (l->u - p->u);
    return swapped ? -area : area;
}

static bool cross_triangle(void* user, uint32_t index) {
    line* l = user;
    vni_triangle t = vni_mesh_triangle(l->mesh, index);
    const corner a = corner_of(l, t.a), b = corner_of(l, t.b), c = corner_of(l, t.c);
    double ab = side(l, &a, &b), bc = side(l, &b, &c), ca = side(l, &c, &a), sum = ab + bc + ca;
    bool left = ab > 0 && bc > 0 && ca > 0, right = ab < 0 && bc < 0 && ca < 0;

    // On an edge, or outside. The displacement makes hits of edges improbable.
    if (!left && !right)
        return true;
    double along = (bc * a.along + ca * b.along + ab * c.along) / sum;
    int turn = left ? -1 : 1; // counter-clockwise seen from the line's far end: it comes out
    l->sum += turn;

    ++l->count;
    if (along < l->along) {
        l->sum_before += turn;
        ++l->count_before;
    }

    return true;
}

/// The vote of the line along an axis, as in voxelise/fill.h, but in doubles. The line is displaced a little
/// along u and much less along v, where that in fill.h is displaced infinitesimally: so it passes edges of
/// meshes that lie on a grid on the same side.
static bool votes_inside(const search* s, const vni_obstacle* o, int axis) {
    VNI_ASSERT(axis >= 0 && axis < 3 && o->info.kind == VN_SHAPE_MESH);

    line l = {.mesh = &o->as.mesh, .axis = axis};
    corner foot = corner_of(&l, vni_scale(vni_add(s->cube.min, s->cube.max), 0.5));
    l.u = foot.u + 0.000318309886 * s->size;
    l.v = foot.v + 0.000000101321 * s->size;
    l.along = foot.along;
    vn_box box = s->reach; // contains the line, with a margin for rounding

    const vn_box* all = &o->info.bounds;
    if (axis == 0) {
        box.min.x = all->min.x;
        box.max.x = all->max.x;
    } else if (axis == 1) {
        box.min.y = all->min.y;
        box.max.y = all->max.y;
    } else {
        box.min.z = all->min.z;
        box.max.z = all->max.z;
    }

    vni_mesh_query(l.mesh, &box, cross_triangle, &l);
    if (l.sum == 0)
        return l.sum_before != 0;

    return l.count % 2 == 0 && l.count_before % 2 == 1;
}

static bool holds_center(const search* s, const vni_obstacle* o) {
    int votes = 0;
    for (int axis = 0; axis < 3; ++axis)
        votes += votes_inside(s, o, axis);
    return votes >= 2;
}

static nearness nearness_of_mesh(search* s, const vni_obstacle* o) {
    const nearness inside = {0, false};
    s->mesh = &o->as.mesh;
    s->nearest = far_away;
    vni_mesh_query(s->mesh, &s->reach, take_nearest_triangle, s);
    if (s->mesh->solid && !is_nearest(s->nearest) && holds_center(s, o))
        return inside;

    return s->nearest;
}

// ------------------------------------------------------------------------------------------------- world

static bool take_obstacle(void* user, uint32_t slot) {
    search* s = user;
    const vni_obstacle* o = vni_world_obstacle(s->world, slot);
    if (o == NULL || o->info.flags & s->without || (s->found && is_nearest(s->best) && slot > s->slot))
        return true;

    nearness n = o->info.kind == VN_SHAPE_MESH     ? nearness_of_mesh(s, o)
                 : o->info.kind == VN_SHAPE_VOXELS ? nearness_of_set(s, &o->as.voxels)
                                                   : nearness_of_volume(s, o);
    // Ties go to the lowest slot, whatever the order of the tree.
    bool same = s->found && !is_nearer(n, s->best) && !is_nearer(s->best, n);
    if (n.distance2 > s->limit2 || (s->found && is_nearer(s->best, n)) || (same && slot > s->slot))
        return true;

    s->best = n;
    s->slot = slot;
    s->found = true;
    return true;
}

static float cut_to_float(double x) {
    VNI_ASSERT(x == x);
    return (float)vni_clamp(x, -FAR_AWAY, FAR_AWAY);
}

static search search_make(const vn_space* space, const vn_world* world, vn_voxel voxel) {
    const double low[3] = {space->low.x, space->low.y, space->low.z};
    const int32_t at[3] = {voxel.x, voxel.y, voxel.z};
    double size = (double)space->resolution, min[3], max[3], most = 0;
    VNI_ASSERT(size > 0 && space->radius >= 0);

    search s = {.world = world, .without = vni_space_without(space), .size = size};
    for (int i = 0; i < 3; ++i) {
        min[i] = low[i] + at[i] * size;
        max[i] = low[i] + (at[i] + 1.0) * size;
        most = vni_abs(min[i]) + vni_abs(max[i]) > most ? vni_abs(min[i]) + vni_abs(max[i]) : most;
    }

    // The tolerances of the bake (voxelise/voxelise.h), in metres: what blocked the voxel then must be found
    // now.
    s.slack = 1e-9 * size + 0x1p-50 * most;
    double limit = (double)space->radius + s.slack, grow = limit + 0.01 * size + 1e-6 * most;
    s.limit2 = limit * limit;
    s.cube = (vni_aabb){vni_v(min[0], min[1], min[2]), vni_v(max[0], max[1], max[2])};
    s.core = (vni_aabb){vni_add(s.cube.min, vni_v(s.slack, s.slack, s.slack)),
                        vni_sub(s.cube.max, vni_v(s.slack, s.slack, s.slack))};
    s.reach =
        (vn_box){{cut_to_float(min[0] - grow), cut_to_float(min[1] - grow), cut_to_float(min[2] - grow)},
                 {cut_to_float(max[0] + grow), cut_to_float(max[1] + grow), cut_to_float(max[2] + grow)}};

    return s;
}

vn_obstacle_id vn_space_obstacle_at(const vn_space* space, const vn_world* world, vn_voxel voxel) {
    VNI_ASSERT(space != NULL && world != NULL);
    const vn_obstacle_id none = {0, 0};
    if (!vni_occupancy_inside(&space->occupancy, voxel.x, voxel.y, voxel.z) ||
        vni_occupancy_free_at(&space->occupancy, voxel.x, voxel.y, voxel.z))
        return none;

    search s = search_make(space, world, voxel);
    vni_tree_query(&world->tree, &s.reach, take_obstacle, &s);
    return s.found ? vni_world_id(world, s.slot) : none;
}
