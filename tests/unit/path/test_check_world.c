/// tests/unit/path/test_check_world.c: paths against shapes: by hand, and against slow minimisation over
/// every primitive.
#include "base/rng.h"
#include "geom/shapes.h"
#include "path/segment.h"
#include "shapes.h"
#include "spaces.h"
#include "support.h"
#include "volnav/path.h"
#include "world/world.h"

#define L             VN_LATTICE
#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

static vn_world* make_world(void) {
    vn_world_def def = vn_default_world_def();
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static vn_obstacle_id add(vn_world* world, const vn_shape* shape) {
    vn_obstacle_id id = {0, 0};
    vn_detail detail = {0};
    vn_status status = vn_world_add(world, shape, &id, &detail);
    if (status != VN_OK)
        print_error("%s\n", detail.text);

    assert_int_equal(status, VN_OK);
    return id;
}

static vn_shape box_shape(float x0, float y0, float z0, float x1, float y1, float z1) {
    return vnt_box_shape(vnt_vec(x0, y0, z0), vnt_vec(x1, y1, z1));
}

static vn_shape sphere_shape(float x, float y, float z, float radius) {
    return vnt_sphere_shape(vnt_vec(x, y, z), radius);
}

static vn_shape mesh_shape(const vn_vec3* vertices, uint32_t vertex_count, const uint32_t* indices,
                           uint32_t triangle_count) {
    return vnt_triangles_shape(vertices, vertex_count, indices, triangle_count, false);
}

static vn_shape voxels_shape(const vn_voxel* voxels, uint64_t count, float size, int32_t dim) {
    return vnt_voxels_shape((vn_voxel){dim, dim, dim}, size, voxels, count);
}

static vn_shape hull_shape(const vn_vec3 vertices[6]) {
    return vnt_hull_of(vertices, 6, vnt_octahedron_faces, 8);
}

/// The verdict in a world that holds one shape, in a space of 8 m with voxels of 1 m.
static vn_check_result check_one(const vn_shape* shape, const vn_point* points, uint32_t count,
                                 double radius) {
    vn_world* world = make_world();
    vn_obstacle_id id = add(world, shape);
    vn_space space = vnt_space_make(8, 8, 8, 1.0f, NULL);
    vn_check_result r;
    bool free = vn_world_check_path(world, &space, points, count, radius, &r);
    assert_int_equal(free, r.fault == VN_CHECK_FREE);

    assert_int_equal(free, vn_world_check_path(world, &space, points, count, radius, NULL));
    if (!free) {
        assert_true(r.obstacle.index1 == id.index1);
        assert_true(r.obstacle.generation == id.generation);
    }

    vnt_space_free(&space);
    vn_world_destroy(world);
    return r;
}

#define ASK(shape, radius, ...)                                                                              \
    check_one((shape), (const vn_point[]){__VA_ARGS__}, LENGTH(((const vn_point[]){__VA_ARGS__})), (radius))

static void nothing_there(void** state) {
    (void)state;
    vn_world* world = make_world();
    vn_space space = vnt_space_make(8, 8, 8, 1.0f, NULL);
    const vn_point points[] = {{0, 0, 0}, {L, L, L}};
    vn_check_result r;
    assert_true(vn_world_check_path(world, &space, points, 2, 1e6, &r));
    assert_true(r.clearance == (double)INFINITY);
    assert_false(vn_world_check_path(world, &space, NULL, 0, 0.0, &r));
    assert_int_equal(r.fault, VN_CHECK_EMPTY);
    vn_shape box = box_shape(0, 0, 0, 8, 8, 8);
    vn_obstacle_id id = add(world, &box);
    assert_false(vn_world_check_path(world, &space, points, 2, 0.0, NULL));
    assert_int_equal(vn_world_remove(world, id), VN_OK);
    assert_true(vn_world_check_path(world, &space, points, 2, 0.0, NULL));
    vnt_space_free(&space);
    vn_world_destroy(world);
}

static void volumes_may_be_touched(void** state) {
    (void)state;
    vn_shape box = box_shape(2, 2, 2, 4, 4, 4);
    assert_int_equal(ASK(&box, 0, {L, 2 * L, 3 * L}, {7 * L, 2 * L, 3 * L}).fault, VN_CHECK_FREE);
    vn_check_result r = ASK(&box, 0, {L, 2 * L + 1, 3 * L}, {7 * L, 2 * L + 1, 3 * L});
    assert_int_equal(r.fault, VN_CHECK_BLOCKED);
    assert_true(r.clearance == 0.0);
    assert_true(r.fraction > 1.0 / 6 - 1e-12);
    assert_true(r.fraction < 1.0 / 6 + 1e-12);
    assert_int_equal(ASK(&box, 0, {2 * L, 2 * L, L}, {2 * L, 2 * L, 7 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&box, 0, {2 * L, 3 * L, 3 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&box, 0, {3 * L, 3 * L, 3 * L}).fault, VN_CHECK_BLOCKED);
    vn_shape ball = sphere_shape(3, 3, 3, 1);
    assert_int_equal(ASK(&ball, 0, {0, 2 * L, 3 * L}, {7 * L, 2 * L, 3 * L}).fault, VN_CHECK_FREE);
    r = ASK(&ball, 0, {0, 3 * L, 3 * L}, {6 * L, 3 * L, 3 * L});
    assert_int_equal(r.fault, VN_CHECK_BLOCKED);
    assert_true(r.fraction > 1.0 / 3 - 1e-9);
    assert_true(r.fraction < 1.0 / 3 + 1e-9);
    vn_vec3 vertices[6];
    vnt_octahedron((vn_vec3){3, 3, 3}, vnt_vec(1, 1, 1), vertices);
    vn_shape hull = hull_shape(vertices);
    assert_int_equal(ASK(&hull, 0, {0, 4 * L, 3 * L}, {7 * L, 4 * L, 3 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&hull, 0, {2 * L, 3 * L, 3 * L}, {3 * L, 4 * L, 3 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&hull, 0, {4 * L, 3 * L, 3 * L}, {3 * L, 2 * L, 3 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&hull, 0, {2 * L, 3 * L, 3 * L}, {3 * L, 3 * L, 2 * L}, {3 * L, 4 * L, 3 * L}).fault,
                     VN_CHECK_FREE);
    assert_int_equal(ASK(&hull, 0, {3 * L, 2 * L, 3 * L}, {3 * L, 3 * L, 4 * L}, {4 * L, 3 * L, 3 * L}).fault,
                     VN_CHECK_FREE);
    assert_int_equal(ASK(&hull, 0, {4 * L - 4, 3 * L, 3 * L}, {3 * L, 2 * L, 3 * L}).fault, VN_CHECK_BLOCKED);
    assert_int_equal(ASK(&hull, 0, {2 * L + 4, 3 * L, 3 * L}, {3 * L, 4 * L, 3 * L}).fault, VN_CHECK_BLOCKED);
    vn_shape turned = {.kind = VN_SHAPE_ORIENTED};
    turned.as.oriented.center = (vn_vec3){3, 3, 3};
    turned.as.oriented.half = (vn_vec3){1, 2, 1};
    turned.as.oriented.rotation =
        (vn_quat){0, 0, 0.70710678f, 0.70710678f}; // a quarter turn about z: y becomes -x
    assert_int_equal(ASK(&turned, 0, {L, 4 * L + 1, 3 * L}, {5 * L, 4 * L + 1, 3 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&turned, 0, {L, 4 * L - 1, 3 * L}, {5 * L, 4 * L - 1, 3 * L}).fault,
                     VN_CHECK_BLOCKED);
    assert_int_equal(ASK(&turned, 0, {L + 1, 3 * L, 0}, {L + 1, 3 * L, 7 * L}).fault, VN_CHECK_BLOCKED);
}

static void surfaces_may_not(void** state) {
    (void)state;
    const vn_vec3 corners[3] = {{2, 2, 2}, {4, 2, 2}, {2, 4, 2}};
    const uint32_t indices[3] = {0, 1, 2};
    vn_shape mesh = mesh_shape(corners, 3, indices, 1);
    assert_int_equal(ASK(&mesh, 0, {2500, 2500, 0}, {2500, 2500, 7 * L}).fault, VN_CHECK_BLOCKED);
    assert_int_equal(ASK(&mesh, 0, {2500, 2500, 0}, {2500, 2500, 2 * L}).fault, VN_CHECK_BLOCKED);
    assert_int_equal(ASK(&mesh, 0, {2500, 2500, 0}, {2500, 2500, 2 * L - 1}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&mesh, 0, {3 * L, 3 * L, 0}, {3 * L, 3 * L, 7 * L}).fault,
                     VN_CHECK_BLOCKED); // through an edge
    assert_int_equal(ASK(&mesh, 0, {2 * L, 2 * L, 0}, {2 * L, 2 * L, 7 * L}).fault,
                     VN_CHECK_BLOCKED); // and a corner
    assert_int_equal(ASK(&mesh, 0, {3 * L, 3 * L + 1, 0}, {3 * L, 3 * L + 1, 7 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&mesh, 0, {0, 3 * L, 2 * L}, {7 * L, 3 * L, 2 * L}).fault,
                     VN_CHECK_BLOCKED); // within its plane
    vn_shape plate = box_shape(2, 2, 2, 4, 4, 2);
    assert_int_equal(ASK(&plate, 0, {3 * L, 3 * L, 0}, {3 * L, 3 * L, 7 * L}).fault, VN_CHECK_BLOCKED);
    assert_int_equal(ASK(&plate, 0, {4 * L, 3 * L, 2 * L}).fault, VN_CHECK_BLOCKED);
    assert_int_equal(ASK(&plate, 0, {4 * L + 1, 3 * L, 2 * L}).fault, VN_CHECK_FREE);
    vn_shape dot = sphere_shape(3, 3, 3, 0);
    assert_int_equal(ASK(&dot, 0, {0, 3 * L, 3 * L}, {7 * L, 3 * L, 3 * L}).fault, VN_CHECK_BLOCKED);
    const uint32_t line[3] = {0, 1, 1}; // a triangle without area blocks as the segment that it is
    vn_shape thread = mesh_shape(corners, 3, line, 1);
    assert_int_equal(ASK(&thread, 0, {3 * L, 2 * L, 0}, {3 * L, 2 * L, 7 * L}).fault, VN_CHECK_BLOCKED);
    assert_int_equal(ASK(&thread, 0, {3 * L, 2 * L + 1, 0}, {3 * L, 2 * L + 1, 7 * L}).fault, VN_CHECK_FREE);
}

/// Between blocked voxels of one set there is no path in, also where only faces, edges or corners are met.
static void voxel_sets_have_no_seams(void** state) {
    (void)state;
    vn_voxel all[8];
    for (int32_t i = 0; i < 8; ++i)
        all[i] = (vn_voxel){2 + (i & 1), 2 + (i >> 1 & 1), 2 + (i >> 2)};

    vn_shape cube = voxels_shape(all, 8, 1.0f, 8);
    assert_int_equal(ASK(&cube, 0, {3 * L, 2 * L, 2500}, {3 * L, 3 * L, 2500}).fault,
                     VN_CHECK_BLOCKED); // a face
    assert_int_equal(ASK(&cube, 0, {3 * L, 3 * L, 2 * L}, {3 * L, 3 * L, 3 * L}).fault,
                     VN_CHECK_BLOCKED);                                             // an edge
    assert_int_equal(ASK(&cube, 0, {3 * L, 3 * L, 3 * L}).fault, VN_CHECK_BLOCKED); // a corner
    assert_int_equal(ASK(&cube, 0, {2 * L, 2 * L, 2 * L}, {4 * L, 2 * L, 2 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&cube, 0, {2 * L, 2 * L, 2 * L}, {4 * L, 4 * L, 2 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&cube, 0, {2 * L, 2 * L, 2 * L}, {4 * L, 4 * L, 4 * L}).fault, VN_CHECK_BLOCKED);
    vn_shape notch =
        voxels_shape(all, 7, 1.0f, 8); // without the highest voxel: its corner at (3, 3, 3) is outside
    assert_int_equal(ASK(&notch, 0, {3 * L, 3 * L, 3 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&notch, 0, {3 * L, 3 * L, 3 * L}, {4 * L, 3 * L, 3 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&notch, 0, {2900, 3 * L, 3 * L}, {4 * L, 3 * L, 3 * L}).fault, VN_CHECK_BLOCKED);
    const vn_voxel diagonal[2] = {{2, 2, 2}, {3, 3, 2}}; // the edge between them is on the skin of both
    vn_shape pair = voxels_shape(diagonal, 2, 1.0f, 8);
    assert_int_equal(ASK(&pair, 0, {3 * L, 3 * L, L}, {3 * L, 3 * L, 4 * L}).fault, VN_CHECK_FREE);
    const vn_voxel opposite[2] = {{2, 2, 2}, {3, 3, 3}};
    vn_shape corners = voxels_shape(opposite, 2, 1.0f, 8);
    assert_int_equal(ASK(&corners, 0, {2 * L, 4 * L, 3 * L}, {4 * L, 2 * L, 3 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&notch, 0.5, {3584, 3584, 3584}, {6 * L, 6 * L, 6 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&notch, 0.5, {3583, 3584, 3584}, {6 * L, 6 * L, 6 * L}).fault, VN_CHECK_TOO_CLOSE);
}

static void the_radius_is_kept_exactly(void** state) {
    (void)state;
    vn_shape box = box_shape(2, 2, 2, 4, 4, 4);
    vn_check_result r = ASK(&box, 0.5, {L, 1536, 3 * L}, {7 * L, 1536, 3 * L}); // half a metre below
    assert_int_equal(r.fault, VN_CHECK_FREE);
    assert_true(r.clearance == 0.5);
    r = ASK(&box, 0.5, {L, 512, L}, {L, 1536, 3 * L}, {7 * L, 1537, 3 * L});
    assert_int_equal(r.fault, VN_CHECK_TOO_CLOSE);
    assert_int_equal(r.segment, 1);
    assert_int_equal(ASK(&box, 0.5, {L, 3 * L, 3 * L}, {2 * L, 3 * L, 3 * L}).fault, VN_CHECK_TOO_CLOSE);
    assert_int_equal(ASK(&box, 0.5, {L, 3 * L, 3 * L}, {2 * L + 1, 3 * L, 3 * L}).fault, VN_CHECK_BLOCKED);

    // 3 and 4 to a corner: 5
    assert_int_equal(ASK(&box, 2.5, {5632, 6144, 3 * L}, {5632, 6144, 4 * L}).fault, VN_CHECK_FREE);
    assert_int_equal(ASK(&box, 2.5, {5632, 6143, 3 * L}, {5632, 6143, 4 * L}).fault, VN_CHECK_TOO_CLOSE);
}

/// Far from zero, where roundings are largest: no shortfall above the bound is missed, no path that keeps the
/// radius by the bound is refused.
static void the_bound_holds_far_out(void** state) {
    (void)state;
    vn_world* world = make_world();
    vn_shape box = box_shape(900000, 900000, 900000, 900004, 900004, 900004);
    add(world, &box);
    vn_space space = vnt_space_make(16, 16, 16, 0.7f, NULL);
    space.low = (vn_dvec3){900000.0 - 5.0, 900000.0 - 5.0, 900000.0 - 5.0};
    double bound = vn_check_error_bound(world, &space);
    assert_true(bound > 1e-9);
    assert_true(bound < 1e-8);
    const vn_point points[] = {{L, L, L}, {L, 12 * L, L}};
    vn_check_result r;
    assert_true(vn_world_check_path(world, &space, points, 2, 0.0, &r));
    double gap = 5.0 - (double)0.7f, exact = sqrt(gap * gap + gap * gap);
    assert_true(r.clearance > exact - bound);
    assert_true(r.clearance < exact + bound);
    assert_true(vn_world_check_path(world, &space, points, 2, exact - bound, NULL));
    assert_false(vn_world_check_path(world, &space, points, 2, exact + 2 * bound, NULL));
    vnt_space_free(&space);
    vn_world_destroy(world);
}

static void another_origin_is_another_place(void** state) {
    (void)state;
    vn_world_def def = vn_default_world_def();
    def.origin = (vn_dvec3){4.0e6, 0.0, 0.0};
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    vn_shape box = box_shape(2, 2, 2, 4, 4, 4);
    add(world, &box);
    vn_space space = vnt_space_make(8, 8, 8, 1.0f, NULL);
    space.origin = def.origin;
    const vn_point through[] = {{0, 3 * L, 3 * L}, {7 * L, 3 * L, 3 * L}};
    vn_check_result r;
    assert_false(vn_world_check_path(world, &space, through, 2, 0.0, &r));
    assert_true(r.position.x > 4.0e6 + 2 - 1e-6);
    assert_true(r.position.x < 4.0e6 + 2 + 1e-6);
    space.origin.x += 5.0;
    assert_true(vn_world_check_path(world, &space, through, 2, 0.0, &r));
    assert_true(r.clearance > 1.0 - 1e-6);
    assert_true(r.clearance < 1.0 + 1e-6);
    vnt_space_free(&space);
    vn_world_destroy(world);
}

/// Origins as far apart as double allows: free, with a clearance, and no product on the way is infinite.
static void origins_may_be_anywhere(void** state) {
    (void)state;
    const double far_away[] = {1e59, 1e61, 1e160, 1e308, -1e308};
    const vn_vec3 corners[3] = {vnt_vec(-2, 3.25f, 3.25f), vnt_vec(-2, 3.25f, 3.25f), vnt_vec(-1, 3.25f, 3)};
    const uint32_t indices[3] = {0, 1, 2};
    const vn_point points[] = {{512, 13967, 6693}, {7824, 512, 512}, {512, 512, 512}};
    vn_shape shapes[] = {mesh_shape(corners, 3, indices, 1), box_shape(1, 1, 1, 2, 2, 2),
                         sphere_shape(3, 3, 3, 1)};

    vn_world* world = make_world();
    for (uint32_t i = 0; i < LENGTH(shapes); ++i)
        add(world, &shapes[i]);

    vn_space space = vnt_space_make(8, 8, 8, 1.0f, NULL);
    for (uint32_t i = 0; i < LENGTH(far_away); ++i) {
        vn_check_result r;
        space.origin = (vn_dvec3){far_away[i], -far_away[i], far_away[i]};
        assert_true(vn_world_check_path(world, &space, points, 3, 1.0, &r));
        assert_true(r.clearance > 1e58);
        assert_true(r.clearance < 1e62);
    }

    vnt_space_free(&space);
    vn_world_destroy(world);
}

// --------------------------------------------------------------------------------------------- properties

/// A convex primitive of an obstacle.
typedef struct primitive {
    const vni_obstacle* obstacle;
    bool is_box;
    vni_aabb box;
    vni_triangle triangle;
} primitive;

/// Distance of a point to a primitive, by the plainest means.
static double point_distance(vni_vec p, const primitive* it) {
    const vni_obstacle* o = it->obstacle;
    if (it->is_box)
        return sqrt(vni_point_box_distance2(p, &it->box));

    if (o->info.kind == VN_SHAPE_SPHERE) {
        double d = vni_length(vni_sub(p, o->as.sphere.center)) - o->as.sphere.radius;
        return d > 0.0 ? d : 0.0;
    }

    if (o->info.kind == VN_SHAPE_ORIENTED) {
        const vni_obb* b = &o->as.oriented;
        vni_vec q = vni_sub(p, b->center);
        vni_vec local = vni_v(vni_dot(q, b->axis[0]), vni_dot(q, b->axis[1]), vni_dot(q, b->axis[2]));
        vni_aabb box = {vni_v(-b->half[0], -b->half[1], -b->half[2]),
                        vni_v(b->half[0], b->half[1], b->half[2])};
        return sqrt(vni_point_box_distance2(local, &box));
    }

    if (o->info.kind == VN_SHAPE_CAPSULE || o->info.kind == VN_SHAPE_CYLINDER) {
        const bool capsule = o->info.kind == VN_SHAPE_CAPSULE;
        const vni_cylinder* c = &o->as.cylinder;
        const vni_vec a = capsule ? o->as.capsule.a : vni_add_scaled(c->center, c->axis, -c->half);
        const vni_vec b = capsule ? o->as.capsule.b : vni_add_scaled(c->center, c->axis, c->half);
        const vni_vec d = vni_sub(b, a), from = vni_sub(p, a);
        const double length = vni_length(d), t = vni_dot(from, d) / length;
        const double over = t < 0 ? -t : t > length ? t - length : 0;
        const double width = vni_length(vni_cross(from, d)) / length;
        return capsule ? fmax(0, hypot(over, width) - o->as.capsule.radius)
                       : hypot(over, fmax(0, width - c->radius));
    }

    return sqrt(vni_point_triangle_distance2(p, &it->triangle));
}

/// The distance to a convex thing is convex along a segment: a ternary search finds its least value.
static double slow_distance(vni_vec a, vni_vec b, const primitive* it) {
    double low = 0.0, high = 1.0;
    vni_vec d = vni_sub(b, a);
    for (int i = 0; i < 60 && vni_length2(d) > 0.0; ++i) {
        double one = low + (high - low) / 3, two = high - (high - low) / 3;
        if (point_distance(vni_add_scaled(a, d, one), it) <= point_distance(vni_add_scaled(a, d, two), it))
            high = two;
        else
            low = one;
    }

    return point_distance(vni_add_scaled(a, d, 0.5 * (low + high)), it);
}

static bool inside_hull(const vni_hull* hull, vni_vec p) {
    for (uint32_t i = 0; i < hull->triangle_count; ++i) {
        const uint32_t* k = hull->indices + 3 * (size_t)i;
        vni_vec a = hull->vertices[k[0]];
        vni_vec normal = vni_cross(vni_sub(hull->vertices[k[1]], a), vni_sub(hull->vertices[k[2]], a));
        if (vni_dot(vni_sub(p, a), normal) > 0.0)
            return false;
    }

    return true;
}

static double slow_triangles(vni_vec a, vni_vec b, const vni_obstacle* o) {
    primitive it = {.obstacle = o};
    double best = (double)INFINITY;
    bool is_hull = o->info.kind == VN_SHAPE_HULL;
    if (is_hull && (inside_hull(&o->as.hull, a) || inside_hull(&o->as.hull, b)))
        return 0.0;

    for (uint32_t i = 0; i < o->info.triangles; ++i) {
        if (is_hull) {
            const uint32_t* k = o->as.hull.indices + 3 * (size_t)i;
            it.triangle = (vni_triangle){o->as.hull.vertices[k[0]], o->as.hull.vertices[k[1]],
                                         o->as.hull.vertices[k[2]]};
        } else {
            it.triangle = vni_mesh_triangle(&o->as.mesh, i);
        }

        double d = slow_distance(a, b, &it);
        best = d < best ? d : best;
    }

    return best;
}

static double slow_voxels(vni_vec a, vni_vec b, const vni_obstacle* o, const vn_voxel* voxels,
                          uint32_t count) {
    primitive it = {.obstacle = o, .is_box = true};
    double best = (double)INFINITY, size = (double)o->as.voxels.size;
    for (uint32_t i = 0; i < count; ++i) {
        vni_vec low = vni_add(vni_v_from(o->as.voxels.low),
                              vni_scale(vni_v(voxels[i].x, voxels[i].y, voxels[i].z), size));
        it.box = (vni_aabb){low, vni_add(low, vni_v(size, size, size))};
        double d = slow_distance(a, b, &it);
        best = d < best ? d : best;
    }

    return best;
}

#define MOST_VOXELS 40

/// A random world, with the list of its voxels.
typedef struct scene {
    vn_world* world;
    vn_voxel voxels[MOST_VOXELS];
} scene;

static double slow_obstacle(const scene* s, vni_vec a, vni_vec b, const vni_obstacle* o) {
    primitive it = {.obstacle = o};
    switch (o->info.kind) {
    case VN_SHAPE_HULL:
    case VN_SHAPE_MESH: return slow_triangles(a, b, o);
    case VN_SHAPE_VOXELS: return slow_voxels(a, b, o, s->voxels, MOST_VOXELS);
    case VN_SHAPE_BOX:
        it.is_box = true;
        it.box = o->as.box;
        return slow_distance(a, b, &it);
    default: return slow_distance(a, b, &it);
    }
}

static float real(vni_rng* rng, double low, double high) {
    return (float)(low + (high - low) * vni_rng_real(rng));
}

static vn_vec3 somewhere(vni_rng* rng) {
    vn_vec3 v = {real(rng, 1, 31), real(rng, 1, 31), real(rng, 1, 31)};
    return v;
}

static void add_soup(vni_rng* rng, vn_world* world) {
    vn_vec3 vertices[60];
    uint32_t indices[60];
    vn_vec3 center = somewhere(rng);
    for (uint32_t i = 0; i < 60; ++i) {
        vertices[i] =
            (vn_vec3){center.x + real(rng, -3, 3), center.y + real(rng, -3, 3), center.z + real(rng, -3, 3)};
        indices[i] = vni_rng_below(rng, 60); // now and then without area
    }

    vn_shape shape = mesh_shape(vertices, 60, indices, 20);
    add(world, &shape);
}

static void add_random(vni_rng* rng, scene* s, uint32_t kind) {
    vn_vec3 c = somewhere(rng), vertices[6];
    vn_shape shape = {0};
    float rx = real(rng, 0.1, 4), ry = real(rng, 0.1, 4), rz = real(rng, 0.1, 4);
    switch (kind) {
    case 0: shape = box_shape(c.x - rx, c.y - ry, c.z - rz, c.x + rx, c.y + ry, c.z + rz); break;
    case 1: shape = sphere_shape(c.x, c.y, c.z, rx); break;
    case 2: {
        double x = vni_rng_real(rng) - 0.5, y = vni_rng_real(rng) - 0.5, z = vni_rng_real(rng) - 0.5, w = 0.3;
        double n = sqrt(x * x + y * y + z * z + w * w);
        shape.kind = VN_SHAPE_ORIENTED;
        shape.as.oriented.center = c;
        shape.as.oriented.half = (vn_vec3){rx, ry, rz};
        shape.as.oriented.rotation =
            (vn_quat){(float)(x / n), (float)(y / n), (float)(z / n), (float)(w / n)};
        break;
    }
    case 3: shape = vnt_capsule_shape(c, vnt_vec(c.x - rz, c.y + ry, c.z + 2), rx); break;
    case 4: shape = vnt_cylinder_shape(c, vnt_vec(c.x + ry, c.y - rz, c.z - 2), rx); break;
    default:
        vnt_octahedron(c, vnt_vec(rx, ry, rz), vertices);
        shape = hull_shape(vertices);
        break;
    }
    add(s->world, &shape);
}

static scene random_scene(vni_rng* rng) {
    scene s = {make_world(), {{0, 0, 0}}};
    uint32_t count = vni_rng_below(rng, 24);
    for (uint32_t i = 0; i < count; ++i)
        add_random(rng, &s, vni_rng_below(rng, 6));

    add_soup(rng, s.world);
    for (uint32_t i = 0; i < MOST_VOXELS; ++i)
        s.voxels[i] =
            (vn_voxel){vni_rng_range(rng, 0, 60), vni_rng_range(rng, 0, 60), vni_rng_range(rng, 0, 60)};

    vn_shape shape = voxels_shape(s.voxels, MOST_VOXELS, 0.5f, 64);
    add(s.world, &shape);
    return s;
}

static vni_vec position_of(const vn_space* space, vn_point p) {
    double step = (double)space->resolution / VN_LATTICE;
    return vni_v(space->low.x + p.x * step, space->low.y + p.y * step, space->low.z + p.z * step);
}

/// Compares one answer with the slow distances of every segment to every obstacle. Answers within `fuzz` of a
/// limit may go either way.
static vn_check_fault compare(const scene* s, const vn_space* space, const vn_point* points, uint32_t count,
                              double radius) {
    const double fuzz = 1e-9;
    vn_check_result r;
    bool free = vn_world_check_path(s->world, space, points, count, radius, &r);
    assert_int_equal(free, vn_world_check_path(s->world, space, points, count, radius, NULL));
    double least = (double)INFINITY, least_before = (double)INFINITY, named = (double)INFINITY,
           least_there = (double)INFINITY;

    for (uint32_t i = 0; i + 1 < count; ++i) {
        vni_vec a = position_of(space, points[i]), b = position_of(space, points[i + 1]);
        for (uint32_t slot = 0; slot < vni_world_slots(s->world); ++slot) {
            double d = slow_obstacle(s, a, b, vni_world_obstacle(s->world, slot));
            least = d < least ? d : least;
            if (i < r.segment && d < least_before)
                least_before = d;

            if (i == r.segment && d < least_there)
                least_there = d;

            if (i == r.segment && slot + 1 == r.obstacle.index1)
                named = d;
        }
    }

    assert_true(fabs(r.clearance - least) < fuzz);
    assert_true(radius > 0.0 || free == (least > fuzz)); // random paths do not merely touch
    if (free) {
        assert_true(least > radius - fuzz);
        return r.fault;
    }

    assert_true(least < radius + fuzz);
    assert_true(least_before > radius - fuzz);
    assert_true(fabs(named - least_there) < fuzz);
    assert_true((r.fault == VN_CHECK_BLOCKED) == (named < fuzz));
    return r.fault;
}

static void agrees_with_slow_distances(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/check_world slow distances", 99));
    uint32_t faults[6] = {0}, rounds = vnt_scale(100, 3000);
    for (uint32_t round = 0; round < rounds; ++round) {
        scene s = random_scene(&rng);
        vn_space space = vnt_space_make(40, 40, 40, 0.8f, NULL);
        for (uint32_t k = 0; k < 6; ++k) {
            vn_point points[5];
            uint32_t count = 2 + vni_rng_below(&rng, 4);
            for (uint32_t i = 0; i < count; ++i) {
                int32_t reach = i == 0 ? 40 * L : 24 * L;
                vn_point from = i == 0 ? (vn_point){20 * L, 20 * L, 20 * L} : points[i - 1];
                points[i] = (vn_point){from.x + vni_rng_range(&rng, -reach / 2, reach / 2),
                                       from.y + vni_rng_range(&rng, -reach / 2, reach / 2),
                                       from.z + vni_rng_range(&rng, -reach / 2, reach / 2)};
            }

            ++faults[compare(&s, &space, points, count, vni_rng_below(&rng, 4) * 0.6)];
        }

        vnt_space_free(&space);
        vn_world_destroy(s.world);
    }

    // the random paths are worth something only if every result occurs often
    assert_true(faults[VN_CHECK_FREE] > rounds / 8);
    assert_true(faults[VN_CHECK_TOO_CLOSE] > rounds / 8);
    assert_true(faults[VN_CHECK_BLOCKED] > rounds / 8);
}

/// A path that the checker accepts at a radius keeps it at every sampled place.
static void an_accepted_radius_is_sound(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/check_world sound", 4));
    uint32_t accepted = 0;
    for (uint32_t round = 0; round < vnt_scale(100, 5000); ++round) {
        scene s = random_scene(&rng);
        vn_space space = vnt_space_make(40, 40, 40, 0.8f, NULL);
        vn_point points[2];
        for (uint32_t i = 0; i < 2; ++i)
            points[i] = (vn_point){vni_rng_range(&rng, 0, 40 * L), vni_rng_range(&rng, 0, 40 * L),
                                   vni_rng_range(&rng, 0, 40 * L)};

        double radius = 0.05 + vni_rng_real(&rng) * 0.5;
        if (vn_world_check_path(s.world, &space, points, 2, radius, NULL)) {
            ++accepted;
            vni_vec a = position_of(&space, points[0]), b = position_of(&space, points[1]);
            for (uint32_t k = 0; k <= 50; ++k) {
                vni_vec p = vni_add_scaled(a, vni_sub(b, a), k / 50.0);
                for (uint32_t slot = 0; slot < vni_world_slots(s.world); ++slot)
                    assert_true(slow_obstacle(&s, p, p, vni_world_obstacle(s.world, slot)) > radius - 1e-9);
            }
        }

        vnt_space_free(&space);
        vn_world_destroy(s.world);
    }

    assert_true(accepted > 20);
}

/// An open door is no obstacle, nor is unseen space where that is free.
static void open_obstacles_do_not_count(void** state) {
    (void)state;
    vn_world* world = make_world();
    vn_space space = vnt_space_make(8, 8, 8, 1, NULL);
    const vn_point points[2] = {{L, 4 * L, 4 * L}, {7 * L, 4 * L, 4 * L}};
    vn_shape door = box_shape(3, 0, 0, 4, 8, 8), fog = box_shape(5, 0, 0, 6, 8, 8);
    assert_int_equal(vn_world_set_flags(world, add(world, &door), 2), VN_OK);
    assert_int_equal(vn_world_set_flags(world, add(world, &fog), VN_FLAG_UNKNOWN), VN_OK);
    assert_false(vn_world_check_path(world, &space, points, 2, 0, NULL));
    space.open_flags = 3;
    assert_false(vn_world_check_path(world, &space, points, 2, 0, NULL));
    space.unknown_policy = VN_UNKNOWN_FREE;
    assert_true(vn_world_check_path(world, &space, points, 2, 0.5, NULL));
    space.open_flags = 1;
    assert_false(vn_world_check_path(world, &space, points, 2, 0, NULL));
    vnt_space_free(&space);
    vn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_there),
        cmocka_unit_test(volumes_may_be_touched),
        cmocka_unit_test(surfaces_may_not),
        cmocka_unit_test(voxel_sets_have_no_seams),
        cmocka_unit_test(the_radius_is_kept_exactly),
        cmocka_unit_test(the_bound_holds_far_out),
        cmocka_unit_test(another_origin_is_another_place),
        cmocka_unit_test(origins_may_be_anywhere),
        cmocka_unit_test(open_obstacles_do_not_count),
        cmocka_unit_test(agrees_with_slow_distances),
        cmocka_unit_test(an_accepted_radius_is_sound),
    };

    return cmocka_run_group_tests_name("path/check_world", tests, NULL, NULL);
}
