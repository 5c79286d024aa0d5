/// tests/unit/world/test_moving.c: obstacles that move, against worlds in which they were put at once.
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "volnav/path.h"
#include "volnav/space.h"
#include "world/world.h"
#include <math.h>
#include <string.h>

#define KINDS  8
#define VOXELS 40

static const vn_shape_kind kinds[KINDS] = {VN_SHAPE_BOX,      VN_SHAPE_ORIENTED, VN_SHAPE_SPHERE,
                                           VN_SHAPE_HULL,     VN_SHAPE_VOXELS,   VN_SHAPE_CAPSULE,
                                           VN_SHAPE_CYLINDER, VN_SHAPE_MESH};

static vn_world* make_world(const vn_allocator* allocator) {
    vn_world_def def = vn_default_world_def();
    if (allocator != NULL)
        def.allocator = *allocator;
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static void must(vn_status status, const vn_detail* detail) {
    if (status != VN_OK)
        fail_msg("%s", detail->text);
}

static vn_obstacle_id add_moving(vn_world* world, const vn_shape* shape, const vn_transform* transform) {
    vn_obstacle_id id;
    vn_detail detail;
    must(vn_world_add_moving(world, shape, transform, &id, &detail), &detail);
    return id;
}

static void move(vn_world* world, vn_obstacle_id id, const vn_transform* transform) {
    vn_detail detail;
    must(vn_world_move(world, id, transform, &detail), &detail);
}

// ------------------------------------------------------------------------------------------------- shapes

/// A shape and the arrays that it points to. Coordinates are quarters, so that quarter turns, whole moves and
/// scales by powers of 2 are exact in float.
typedef struct model {
    vn_shape shape;
    vn_vec3 vertices[6];
    vn_voxel voxels[VOXELS];
} model;

static float quarters(vni_rng* rng, int32_t low, int32_t high) {
    return (float)vni_rng_range(rng, 4 * low, 4 * high) / 4;
}

static vn_vec3 random_vec(vni_rng* rng, int32_t low, int32_t high) {
    return vnt_vec(quarters(rng, low, high), quarters(rng, low, high), quarters(rng, low, high));
}

static void make_voxels(model* m, vni_rng* rng) {
    vn_voxel dims = {vni_rng_range(rng, 1, 13), vni_rng_range(rng, 1, 13), vni_rng_range(rng, 1, 13)};
    for (int i = 0; i < VOXELS; ++i)
        m->voxels[i] = (vn_voxel){vni_rng_range(rng, 0, dims.x - 1), vni_rng_range(rng, 0, dims.y - 1),
                                  vni_rng_range(rng, 0, dims.z - 1)};
    m->shape = vnt_voxels_shape(dims, vni_rng_below(rng, 2) ? 0.5f : 1.0f, m->voxels, VOXELS);
    m->shape.as.voxels.low = random_vec(rng, -3, 3);
}

static void make_model(model* m, vni_rng* rng, vn_shape_kind kind) {
    vn_vec3 a = random_vec(rng, -5, 5), size = random_vec(rng, 1, 4);
    switch (kind) {
    case VN_SHAPE_BOX:
        if (vni_rng_below(rng, 4) == 0)
            size.y = 0;
        m->shape = vnt_box_shape(a, vnt_vec(a.x + size.x, a.y + size.y, a.z + size.z));
        return;
    case VN_SHAPE_ORIENTED: m->shape = vnt_oriented_shape(a, size, (vn_quat){0, 0, 0, 1}); return;
    case VN_SHAPE_SPHERE: m->shape = vnt_sphere_shape(a, vni_rng_below(rng, 4) ? size.x : 0); return;
    case VN_SHAPE_HULL:
    case VN_SHAPE_MESH:
        vnt_octahedron(a, size, m->vertices);
        m->shape = vnt_triangles_shape(m->vertices, 6, vnt_octahedron_faces, 8, true);
        m->shape.kind = kind;
        return;
    case VN_SHAPE_CAPSULE: m->shape = vnt_capsule_shape(a, random_vec(rng, -5, 5), size.y / 2); return;
    case VN_SHAPE_CYLINDER: m->shape = vnt_cylinder_shape(a, vnt_vec(a.x, a.y, a.z + 2), size.y / 2); return;
    default: make_voxels(m, rng);
    }
}

// -------------------------------------------------------------------------------------------------- turns

/// Whole turns about axes, faces and corners of a cube: 24 in all, each as a matrix of -1, 0 and 1.
typedef struct turn {
    vn_quat q;
    int to[3][3]; ///< column i: where axis i goes
} turn;

static int rounded(double x) {
    return x > 0.5 ? 1 : x < -0.5 ? -1 : 0;
}

static turn turn_of(double x, double y, double z, double w) {
    double l = sqrt(x * x + y * y + z * z + w * w);
    x /= l;
    y /= l;
    z /= l;
    w /= l;
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};

    turn t = {{(float)x, (float)y, (float)z, (float)w}, {{0}}};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            t.to[i][k] = rounded(m[i][k]);

    return t;
}

/// The 24 turns, some of them more than once.
static turn random_quarter_turn(vni_rng* rng) {
    double q[4];
    uint32_t kind = vni_rng_below(rng, 3);
    for (int i = 0; i < 4; ++i)
        q[i] = kind == 2 ? (vni_rng_below(rng, 2) ? 1 : -1) : 0;

    uint32_t first = vni_rng_below(rng, 4);
    if (kind != 2)
        q[first] = vni_rng_below(rng, 2) ? 1 : -1;

    if (kind == 1)
        q[(first + 1 + vni_rng_below(rng, 3)) & 3] = vni_rng_below(rng, 2) ? 1 : -1;

    return turn_of(q[0], q[1], q[2], q[3]);
}

static vn_vec3 turned(const turn* t, vn_vec3 v) {
    const float in[3] = {v.x, v.y, v.z};
    float out[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            out[i] += (float)t->to[i][k] * in[k];
    return vnt_vec(out[0], out[1], out[2]);
}

static vn_vec3 transformed(const turn* t, const vn_transform* transform, vn_vec3 v) {
    vn_vec3 r = turned(t, vnt_vec(v.x * transform->scale, v.y * transform->scale, v.z * transform->scale));
    return vnt_vec(r.x + transform->position.x, r.y + transform->position.y, r.z + transform->position.z);
}

static vn_vec3 lower(vn_vec3 a, vn_vec3 b) {
    return vnt_vec(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static vn_vec3 upper(vn_vec3 a, vn_vec3 b) {
    return vnt_vec(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/// Voxel by voxel: its centre is turned, and counted from the low corner of the turned grid.
static void place_voxels(const model* m, const turn* t, const vn_transform* transform, model* out) {
    float size = m->shape.as.voxels.size * transform->scale;
    vn_vec3 low = m->shape.as.voxels.low;
    vn_voxel dims = m->shape.as.voxels.dims;
    float edge = m->shape.as.voxels.size;
    vn_vec3 high =
        vnt_vec(low.x + (float)dims.x * edge, low.y + (float)dims.y * edge, low.z + (float)dims.z * edge);

    vn_vec3 a = transformed(t, transform, low), b = transformed(t, transform, high), corner = lower(a, b),
            end = upper(a, b);
    for (int i = 0; i < VOXELS; ++i) {
        vn_voxel v = m->voxels[i];
        vn_vec3 center = vnt_vec(low.x + ((float)v.x + 0.5f) * edge, low.y + ((float)v.y + 0.5f) * edge,
                                 low.z + ((float)v.z + 0.5f) * edge);
        vn_vec3 c = transformed(t, transform, center);
        out->voxels[i] = (vn_voxel){(int32_t)((c.x - corner.x) / size), (int32_t)((c.y - corner.y) / size),
                                    (int32_t)((c.z - corner.z) / size)};
    }

    vn_voxel new_dims = {(int32_t)lround((double)((end.x - corner.x) / size)),
                         (int32_t)lround((double)((end.y - corner.y) / size)),
                         (int32_t)lround((double)((end.z - corner.z) / size))};
    out->shape = vnt_voxels_shape(new_dims, size, out->voxels, VOXELS);
    out->shape.as.voxels.low = corner;
}

/// The transformed shape as a static shape.
static void place_model(const model* m, const turn* t, const vn_transform* transform, model* out) {
    switch (m->shape.kind) {
    case VN_SHAPE_BOX: {
        vn_vec3 a = transformed(t, transform, m->shape.as.box.min),
                b = transformed(t, transform, m->shape.as.box.max);
        out->shape = vnt_box_shape(lower(a, b), upper(a, b));
        return;
    }
    case VN_SHAPE_ORIENTED: {
        vn_vec3 half = m->shape.as.oriented.half;
        float s = transform->scale;
        out->shape = vnt_oriented_shape(transformed(t, transform, m->shape.as.oriented.center),
                                        vnt_vec(half.x * s, half.y * s, half.z * s), t->q);
        return;
    }
    case VN_SHAPE_SPHERE:
        out->shape = vnt_sphere_shape(transformed(t, transform, m->shape.as.sphere.center),
                                      m->shape.as.sphere.radius * transform->scale);
        return;
    case VN_SHAPE_HULL:
    case VN_SHAPE_MESH: // the same fields at the start
        for (int i = 0; i < 6; ++i)
            out->vertices[i] = transformed(t, transform, m->vertices[i]);
        out->shape = m->shape;
        out->shape.as.hull.vertices = out->vertices;
        return;
    case VN_SHAPE_CAPSULE:
    case VN_SHAPE_CYLINDER: // alike
        out->shape = m->shape;
        out->shape.as.capsule.a = transformed(t, transform, m->shape.as.capsule.a);
        out->shape.as.capsule.b = transformed(t, transform, m->shape.as.capsule.b);
        out->shape.as.capsule.radius *= transform->scale;
        return;
    default: place_voxels(m, t, transform, out);
    }
}

// ---------------------------------------------------------------------------------------------- comparing

static void assert_same_info(const vn_obstacle_info* a, const vn_obstacle_info* b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->flags, b->flags);
    assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
    assert_true(a->vertices == b->vertices);
    assert_true(a->triangles == b->triangles);
    assert_true(a->voxels == b->voxels);
    assert_true(fabs(a->volume - b->volume) <= 1e-12 * fabs(b->volume));
    assert_true(fabs(a->area - b->area) <= 1e-12 * fabs(b->area));
}

static vn_space* bake(const vn_world* world, float radius) {
    vn_space_def def = vn_default_space_def();
    def.resolution = 0.5f;
    def.radius = radius;
    def.has_bounds = true;
    def.bounds = (vn_box){{-12, -12, -12}, {12, 12, 12}};
    vn_space* space = NULL;
    vn_detail detail;
    must(vn_space_bake(world, &def, &space, &detail), &detail);

    return space;
}

/// The same voxels, and the same verdicts on random segments.
static void assert_same_space(const vn_world* a, const vn_world* b, float radius, vni_rng* rng) {
    vn_space *space_a = bake(a, radius), *space_b = bake(b, radius);
    assert_true(vn_space_content_hash(space_a) == vn_space_content_hash(space_b));
    for (int i = 0; i < 20; ++i) {
        vn_point segment[2];
        for (int k = 0; k < 2; ++k)
            segment[k] =
                (vn_point){vni_rng_range(rng, 0, 48 * VN_LATTICE), vni_rng_range(rng, 0, 48 * VN_LATTICE),
                           vni_rng_range(rng, 0, 48 * VN_LATTICE)};

        vn_check_result of_a, of_b;
        bool free_a = vn_world_check_path(a, space_a, segment, 2, (double)radius, &of_a);
        bool free_b = vn_world_check_path(b, space_b, segment, 2, (double)radius, &of_b);
        assert_true(free_a == free_b);
        assert_true(of_a.clearance == of_b.clearance);
    }

    vn_space_destroy(space_a);
    vn_space_destroy(space_b);
}

/// Quarter turns, whole moves and scales by powers of 2: the record is the one of a shape that was added
/// there.
static void quarter_turns_are_exact(void** state) {
    (void)state;
    static const float scales[4] = {1, 1, 0.5f, 2};
    vni_rng rng = vni_rng_make(vnt_seed("moving/quarter", 31));
    for (uint32_t round = 0; round < vnt_scale(150, 5000); ++round) {
        model m = {0}, there = {0};
        make_model(&m, &rng, kinds[round % KINDS]);
        vn_transform transform = vn_transform_identity();
        vn_world *moving = make_world(NULL), *fixed = make_world(NULL);
        vn_obstacle_id id = add_moving(moving, &m.shape, &transform);
        turn t = {0};
        for (int step = 0; step < 4; ++step) {
            t = random_quarter_turn(&rng);
            transform = (vn_transform){random_vec(&rng, -6, 6), t.q, scales[vni_rng_below(&rng, 4)]};
            move(moving, id, &transform);
        }

        place_model(&m, &t, &transform, &there);
        vn_obstacle_id fixed_id;
        vn_detail detail;
        must(vn_world_add(fixed, &there.shape, &fixed_id, &detail), &detail);
        vn_obstacle_info a, b;
        assert_int_equal(vn_world_get_info(moving, id, &a), VN_OK);
        assert_int_equal(vn_world_get_info(fixed, fixed_id, &b), VN_OK);
        assert_same_info(&a, &b);
        assert_true(vn_world_hash(moving) == vn_world_hash(fixed));
        assert_int_equal(vni_obstacle_is_flat(vni_world_obstacle(moving, 0)),
                         vni_obstacle_is_flat(vni_world_obstacle(fixed, 0)));

        if (round / KINDS % 2 == 0)
            assert_same_space(moving, fixed, round % 3 == 0 ? 0.4f : 0, &rng);

        vn_world_destroy(moving);
        vn_world_destroy(fixed);
    }
}

static vn_transform random_transform(vni_rng* rng, vn_shape_kind kind) {
    vn_transform transform = {random_vec(rng, -8, 8), {0, 0, 0, 1}, 0.25f + (float)vni_rng_real(rng)};
    if (kind == VN_SHAPE_VOXELS) {
        transform.rotation = random_quarter_turn(rng).q;
        return transform;
    }

    double q[4], sum = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = vni_rng_real(rng) - 0.5;
        sum += q[i] * q[i];
    }

    double l = sqrt(sum);
    transform.rotation =
        (vn_quat){(float)(q[0] / l), (float)(q[1] / l), (float)(q[2] / l), (float)(q[3] / l)};
    return transform;
}

/// The normals of a hull that has been turned are square to its faces, and their supports hold it.
static void assert_hull_is_sound(const vni_hull* hull) {
    for (uint32_t i = 0; i < hull->normal_count; ++i) {
        vni_vec n = hull->normals[i];
        double low = vni_dot(n, hull->vertices[hull->supports[2 * i]]);
        double high = vni_dot(n, hull->vertices[hull->supports[2 * i + 1]]), slack = 1e-12 * vni_length(n);
        uint32_t square = 0;
        for (uint32_t k = 0; k < hull->vertex_count; ++k) {
            double at = vni_dot(n, hull->vertices[k]);
            assert_true(at >= low - 100 * slack);
            assert_true(at <= high + 100 * slack);
            square += at >= high - 100 * slack;
        }

        assert_true(square >= 3);
    }
}

/// Any transform after any other gives the same bytes as alone.
static void the_way_there_does_not_matter(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("moving/way", 32));
    for (uint32_t round = 0; round < vnt_scale(10, 400); ++round) {
        model m[KINDS] = {0};
        vn_transform transform[KINDS];
        vn_obstacle_id id[KINDS];
        vn_world *moved = make_world(NULL), *fresh = make_world(NULL);
        for (int i = 0; i < KINDS; ++i) {
            make_model(&m[i], &rng, kinds[i]);
            transform[i] = random_transform(&rng, kinds[i]);
            id[i] = add_moving(moved, &m[i].shape, &transform[i]);
        }

        for (int step = 0; step < 10; ++step) {
            uint32_t i = vni_rng_below(&rng, KINDS);
            transform[i] = random_transform(&rng, kinds[i]);
            move(moved, id[i], &transform[i]);
            assert_true(vni_tree_is_valid(&moved->tree));
        }

        for (int i = 0; i < KINDS; ++i)
            add_moving(fresh, &m[i].shape, &transform[i]);

        assert_true(vn_world_hash(moved) == vn_world_hash(fresh));
        vn_box a, b;
        assert_true(vn_world_get_bounds(moved, &a));
        assert_true(vn_world_get_bounds(fresh, &b));
        assert_memory_equal(&a, &b, sizeof a);
        assert_hull_is_sound(&vni_world_obstacle(moved, 3)->as.hull);
        assert_same_space(moved, fresh, round % 2 ? 0.3f : 0, &rng);
        vn_world_destroy(moved);
        vn_world_destroy(fresh);
    }
}

/// A turned box is where its corners are.
static void a_turned_box_is_an_oriented_box(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_shape shape = vnt_box_shape(vnt_vec(1, 0, 0), vnt_vec(3, 2, 4));
    vn_transform transform = vn_transform_identity();
    vn_obstacle_id id = add_moving(world, &shape, &transform);
    vn_obstacle_info info;
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    assert_int_equal(info.kind, VN_SHAPE_BOX);
    transform = (vn_transform){{10, 0, 0}, {0, 0, 0.6f, 0.8f}, 2}; // cos 0.28, sin 0.96
    move(world, id, &transform);
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    assert_int_equal(info.kind, VN_SHAPE_ORIENTED);
    assert_true(fabs(info.volume - 128) < 1e-9);
    const vni_obb* obb = &vni_world_obstacle(world, 0)->as.oriented;

    // the centre (2, 1, 2) of the box, scaled, turned about z, moved
    assert_true(fabs(obb->center.x - (10 + 2 * (2 * 0.28 - 1 * 0.96))) < 1e-6);
    assert_true(fabs(obb->center.y - 2 * (2 * 0.96 + 1 * 0.28)) < 1e-6);
    assert_true(fabs(obb->center.z - 4) < 1e-12);
    assert_true(fabs(obb->half[0] - 2) < 1e-12);
    assert_true(fabs(obb->half[2] - 4) < 1e-12);
    transform.rotation = (vn_quat){0, 0, 0, 1};
    move(world, id, &transform);
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    assert_int_equal(info.kind, VN_SHAPE_BOX);
    vn_box expected = {{12, 0, 0}, {16, 4, 8}};
    assert_memory_equal(&info.bounds, &expected, sizeof expected);
    vn_world_destroy(world);
}

/// What sin and cos in float make of a quarter turn counts as one.
static void nearly_quarter_turns_count(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_shape shape = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(1, 2, 4));
    vn_transform transform = vn_transform_identity();
    transform.rotation = (vn_quat){0, 0, 0.70710684f, 0.70710671f};
    vn_obstacle_id id = add_moving(world, &shape, &transform);
    vn_obstacle_info info;
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    assert_int_equal(info.kind, VN_SHAPE_BOX);
    vn_box expected = {{-2, 0, 0}, {0, 1, 4}};
    assert_memory_equal(&info.bounds, &expected, sizeof expected);
    transform.rotation = (vn_quat){0, 0, 0.70712f, 0.70709f};
    move(world, id, &transform);
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    assert_int_equal(info.kind, VN_SHAPE_ORIENTED);
    vn_world_destroy(world);
}

// ------------------------------------------------------------------------------------------------- finding

static bool boxes_touch(const vn_box* a, const vn_box* b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static void they_are_found_where_they_are(void** state) {
    (void)state;
    enum { COUNT = 60 };
    vni_rng rng = vni_rng_make(vnt_seed("moving/found", 33));
    vn_world* world = make_world(NULL);
    vn_obstacle_id ids[COUNT], found[COUNT];
    model m = {0};
    for (int i = 0; i < COUNT; ++i) {
        make_model(&m, &rng, kinds[i % KINDS]);
        vn_transform transform = random_transform(&rng, kinds[i % KINDS]);
        ids[i] = add_moving(world, &m.shape, &transform);
    }

    for (uint32_t round = 0; round < vnt_scale(200, 10000); ++round) {
        uint32_t i = vni_rng_below(&rng, COUNT);
        vn_transform transform = random_transform(&rng, kinds[i % KINDS]);
        transform.position.x *= 10;
        move(world, ids[i], &transform);
        vn_vec3 low = random_vec(&rng, -60, 50);
        vn_box box = {low, {low.x + 12, low.y + 60, low.z + 60}};
        uint32_t count, expected = 0;

        assert_int_equal(vn_world_query_box(world, &box, found, COUNT, &count), VN_OK);
        for (uint32_t k = 0; k < COUNT; ++k) {
            vn_obstacle_info info;
            assert_int_equal(vn_world_get_info(world, ids[k], &info), VN_OK);
            if (boxes_touch(&info.bounds, &box))
                assert_int_equal(found[expected++].index1, ids[k].index1);
        }

        assert_int_equal(count, expected);
    }

    assert_true(vni_tree_is_valid(&world->tree));
    vn_world_destroy(world);
}

// ------------------------------------------------------------------------------------------------- refusing

/// Nothing of the world may differ after a call that failed.
static void assert_refused(vn_world* world, vn_obstacle_id id, const vn_transform* transform,
                           vn_status expected) {
    uint64_t hash = vn_world_hash(world), revision = vn_world_revision(world);
    vn_transform before, after;
    vn_obstacle_info info_before, info_after;
    assert_int_equal(vn_world_get_transform(world, id, &before), VN_OK);
    assert_int_equal(vn_world_get_info(world, id, &info_before), VN_OK);
    vn_detail detail = {0};
    assert_int_equal(vn_world_move(world, id, transform, &detail), expected);
    assert_true(detail.text[0] != 0);
    assert_int_equal(vn_world_move(world, id, transform, NULL), expected);
    assert_int_equal(vn_world_get_transform(world, id, &after), VN_OK);
    assert_int_equal(vn_world_get_info(world, id, &info_after), VN_OK);
    assert_memory_equal(&before, &after, sizeof before);
    assert_same_info(&info_before, &info_after);
    assert_true(vn_world_hash(world) == hash);
    assert_true(vn_world_revision(world) == revision);
}

static void bad_places_are_refused(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(34);
    for (int i = 0; i < KINDS; ++i) {
        vn_world* world = make_world(NULL);
        model m = {0};
        make_model(&m, &rng, kinds[i]);
        vn_transform good = random_transform(&rng, kinds[i]), bad = good;
        vn_obstacle_id id = add_moving(world, &m.shape, &good);
        bad.position.y = NAN;
        assert_refused(world, id, &bad, VN_BAD_DATA);
        bad.position.y = 2e6f;
        assert_refused(world, id, &bad, VN_BAD_DATA);
        bad = good;
        bad.rotation.w += 0.1f;
        assert_refused(world, id, &bad, VN_BAD_DATA);
        bad = good;

        static const float scales[6] = {0, -1, INFINITY, NAN, 1e30f, 3e6f};
        for (int k = 0; k < 6; ++k) {
            bad.scale = scales[k];
            bool none = kinds[i] == VN_SHAPE_SPHERE && m.shape.as.sphere.radius == 0;
            if (k < 4 || !none)
                assert_refused(world, id, &bad, VN_BAD_DATA);
        }

        if (kinds[i] == VN_SHAPE_VOXELS) {
            bad = good;
            bad.rotation = (vn_quat){0, 0, 0.6f, 0.8f};
            assert_refused(world, id, &bad, VN_UNSUPPORTED);
            bad = good;
            bad.scale = 1e-45f;
            m.shape.as.voxels.size = 0.25f;
            vn_obstacle_id small = add_moving(world, &m.shape, &good);
            assert_refused(world, small, &bad, VN_BAD_DATA);
        }

        vn_world_destroy(world);
    }
}

static void bad_shapes_are_not_added(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_vec3 vertices[8];
    vn_shape mesh = vnt_box_mesh(vnt_vec(0, 0, 0), vnt_vec(1, 1, 1), false, vertices);
    vn_shape box = vnt_box_shape(vnt_vec(1, 0, 0), vnt_vec(0, 1, 1));
    vn_shape far = vnt_box_shape(vnt_vec(9e5f, 0, 0), vnt_vec(9e5f, 1, 1));
    vn_transform transform = vn_transform_identity();
    vn_obstacle_id id = {7, 7};
    vn_detail detail;
    mesh.as.mesh.triangle_count = VN_MAX_MOVING_TRIANGLES + 1;
    assert_int_equal(vn_world_add_moving(world, &mesh, &transform, &id, &detail), VN_TOO_LARGE);
    assert_int_equal(vn_world_add_moving(world, &box, &transform, &id, &detail), VN_BAD_DATA);
    transform.scale = 2;
    assert_int_equal(vn_world_add_moving(world, &far, &transform, &id, &detail), VN_BAD_DATA);
    assert_true(id.index1 == 7);
    assert_true(vn_world_count(world) == 0);
    assert_true(vn_world_revision(world) == 0);
    vn_world_destroy(world);
}

static void only_what_moves_has_a_place(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_shape shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 1);
    vn_obstacle_id fixed;
    vn_transform transform = vn_transform_identity(), got;
    vn_vec3 velocity = vnt_vec(1, 2, 3), zero = vnt_vec(0, 0, 0);
    assert_int_equal(vn_world_add(world, &shape, &fixed, NULL), VN_OK);
    vn_obstacle_id id = add_moving(world, &shape, &transform);
    assert_int_equal(vn_world_move(world, fixed, &transform, NULL), VN_UNSUPPORTED);
    assert_int_equal(vn_world_get_transform(world, fixed, &got), VN_UNSUPPORTED);
    assert_int_equal(vn_world_get_velocity(world, fixed, &velocity), VN_UNSUPPORTED);
    assert_int_equal(vn_world_set_velocity(world, fixed, velocity), VN_UNSUPPORTED);
    assert_int_equal(vn_world_get_velocity(world, id, &velocity), VN_OK);
    assert_memory_equal(&velocity, &zero, sizeof zero);
    uint64_t hash = vn_world_hash(world);
    assert_int_equal(vn_world_set_velocity(world, id, vnt_vec(4, 5, 6)), VN_OK);
    assert_int_equal(vn_world_set_velocity(world, id, vnt_vec(4, NAN, 6)), VN_BAD_ARGUMENT);
    assert_int_equal(vn_world_get_velocity(world, id, &velocity), VN_OK);
    assert_true(velocity.x == 4);
    assert_true(velocity.z == 6);
    assert_true(vn_world_hash(world) == hash);
    transform.position.x = 5;
    move(world, id, &transform);
    assert_true(vn_world_hash(world) != hash);
    assert_int_equal(vn_world_get_transform(world, id, &got), VN_OK);
    assert_memory_equal(&got, &transform, sizeof got);
    assert_int_equal(vn_world_remove(world, id), VN_OK);
    assert_int_equal(vn_world_move(world, id, &transform, NULL), VN_STALE_ID);
    assert_int_equal(vn_world_get_transform(world, id, &got), VN_STALE_ID);
    assert_int_equal(vn_world_get_velocity(world, id, &velocity), VN_STALE_ID);
    assert_int_equal(vn_world_set_velocity(world, id, velocity), VN_STALE_ID);
    vn_world_destroy(world);
}

static void revision_grows_with_every_change(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_shape shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 1);
    vn_transform transform = vn_transform_identity();
    assert_true(vn_world_revision(world) == 0);
    vn_obstacle_id id = add_moving(world, &shape, &transform);
    uint64_t last = vn_world_revision(world);
    assert_true(last > 0);
    move(world, id, &transform); // where it is already
    assert_int_equal(vn_world_set_flags(world, id, 0), VN_OK);
    assert_true(vn_world_revision(world) == last);
    transform.position.z = 1;
    move(world, id, &transform);
    assert_true(vn_world_revision(world) > last);
    last = vn_world_revision(world);
    assert_int_equal(vn_world_set_flags(world, id, 4), VN_OK);
    assert_true(vn_world_revision(world) > last);
    last = vn_world_revision(world);
    assert_int_equal(vn_world_set_velocity(world, id, vnt_vec(1, 0, 0)), VN_OK);
    assert_true(vn_world_revision(world) > last);
    last = vn_world_revision(world);
    assert_int_equal(vn_world_remove(world, id), VN_OK);
    assert_true(vn_world_revision(world) > last);
    vn_world_destroy(world);
}

// -------------------------------------------------------------------------------------------------- memory

static void moves_allocate_nothing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(35);
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    for (int i = 0; i < KINDS; ++i) {
        for (uint32_t count = 1; count < 20; count += 6) {
            vn_world* world = make_world(&allocator);
            vn_obstacle_id ids[20];
            for (uint32_t k = 0; k < count; ++k) {
                model m = {0};
                make_model(&m, &rng, kinds[i]);
                vn_transform transform = random_transform(&rng, kinds[i]);
                ids[k] = add_moving(world, &m.shape, &transform);
            }

            uint64_t calls = memory.calls;
            for (int step = 0; step < 100; ++step) {
                vn_transform transform = random_transform(&rng, kinds[i]);
                move(world, ids[vni_rng_below(&rng, count)], &transform);
            }

            assert_true(memory.calls == calls);
            vn_memory parts;
            vn_world_get_memory(world, &parts);
            assert_true(parts.total == memory.live_bytes);
            vn_world_destroy(world);
            assert_true(memory.live_blocks == 0);
            assert_true(!memory.mismatch);
        }
    }
}

/// True if adding went well although an allocation was to fail.
static bool add_with_failure(const model* m, const vn_transform* transform, uint64_t fail_after) {
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vn_world* world = make_world(&allocator);
    memory.fail_at = memory.calls + fail_after;
    vn_obstacle_id id = {0, 0};
    vn_detail detail = {0};
    vn_status status = vn_world_add_moving(world, &m->shape, transform, &id, &detail);
    assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
    assert_true(vn_world_count(world) == (status == VN_OK));
    assert_true(vn_world_has(world, id) == (status == VN_OK));
    assert_true(status == VN_OK || detail.text[0] != 0);
    vn_world_destroy(world);
    assert_true(memory.live_blocks == 0);
    assert_true(!memory.mismatch);

    return status == VN_OK;
}

static void running_out_of_memory_changes_nothing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(36);
    for (int i = 0; i < KINDS; ++i) {
        model m = {0};
        make_model(&m, &rng, kinds[i]);
        if (kinds[i] == VN_SHAPE_VOXELS)
            m.shape.as.voxels.dims = (vn_voxel){13, 14, 15};

        vn_transform transform = random_transform(&rng, kinds[i]);
        uint64_t k = 0;
        while (!add_with_failure(&m, &transform, k))
            ++k;

        assert_true(k >= 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turns_are_exact),
        cmocka_unit_test(the_way_there_does_not_matter),
        cmocka_unit_test(a_turned_box_is_an_oriented_box),
        cmocka_unit_test(nearly_quarter_turns_count),
        cmocka_unit_test(they_are_found_where_they_are),
        cmocka_unit_test(bad_places_are_refused),
        cmocka_unit_test(bad_shapes_are_not_added),
        cmocka_unit_test(only_what_moves_has_a_place),
        cmocka_unit_test(revision_grows_with_every_change),
        cmocka_unit_test(moves_allocate_nothing),
        cmocka_unit_test(running_out_of_memory_changes_nothing),
    };

    return cmocka_run_group_tests_name("world/moving", tests, NULL, NULL);
}
