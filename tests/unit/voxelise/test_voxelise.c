/// tests/unit/voxelise/test_voxelise.c: voxelised worlds against brute force over every voxel and every
/// shape.
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "voxelise/stamp.h"
#include "voxelise/voxelise.h"
#include <stdlib.h>

#define SLACK      1e-9
#define SET_VOXELS 40

/// A frame, a world in it, and the voxel sets as they were given (the world keeps them in a form of its own).
typedef struct scene {
    vn_world* world;
    vni_frame frame;
    vn_voxel dims;
    bool dyadic;
    uint32_t set_count;
    struct {
        vn_vec3 low;
        float size;
        vn_voxel voxels[SET_VOXELS];
    } sets[8];
} scene;

// ------------------------------------------------------------------------------------------- random scenes

/// A coordinate in voxels from a little below 0 to a little above `dim`, on quarters of a voxel in dyadic
/// scenes; as local metres.
static float coordinate(const scene* s, vni_rng* rng, double low, int32_t dim) {
    double voxels = vni_rng_real(rng) * (dim + 4) - 2;
    if (s->dyadic)
        voxels = floor(voxels * 4) / 4;
    return (float)(low + voxels * s->frame.size);
}

static vn_vec3 position(const scene* s, vni_rng* rng) {
    vn_vec3 p = {coordinate(s, rng, s->frame.low.x, s->dims.x), coordinate(s, rng, s->frame.low.y, s->dims.y),
                 coordinate(s, rng, s->frame.low.z, s->dims.z)};
    return p;
}

/// 0 to `most` voxels, as metres.
static float length(const scene* s, vni_rng* rng, double most) {
    double voxels = vni_rng_real(rng) * most;
    return (float)((s->dyadic ? floor(voxels * 4) / 4 : voxels) * s->frame.size);
}

static void add(scene* s, const vn_shape* shape) {
    vn_detail detail;
    if (vn_world_add(s->world, shape, NULL, &detail) != VN_OK)
        fail_msg("%s", detail.text);
}

static void add_box(scene* s, vni_rng* rng) {
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    vn_vec3 p = position(s, rng);
    shape.as.box.min = p;
    shape.as.box.max = (vn_vec3){p.x + length(s, rng, 6), p.y + length(s, rng, 6), p.z + length(s, rng, 6)};
    if (vni_rng_below(rng, 4) == 0)
        shape.as.box.max.y = p.y;

    add(s, &shape);
}

static void add_oriented(scene* s, vni_rng* rng) {
    vn_shape shape = {.kind = VN_SHAPE_ORIENTED};
    shape.as.oriented.center = position(s, rng);
    shape.as.oriented.half = (vn_vec3){length(s, rng, 15), length(s, rng, 9), length(s, rng, 9)};
    double q[4], sum = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = s->dyadic ? (double)vni_rng_range(rng, 0, 1) : vni_rng_real(rng) - 0.5;
        sum += q[i] * q[i];
    }

    if (sum == 0)
        q[3] = sum = 1;

    double l = sqrt(sum);
    shape.as.oriented.rotation =
        (vn_quat){(float)(q[0] / l), (float)(q[1] / l), (float)(q[2] / l), (float)(q[3] / l)};
    add(s, &shape);
}

static void add_sphere(scene* s, vni_rng* rng) {
    vn_shape shape = {.kind = VN_SHAPE_SPHERE};
    shape.as.sphere.center = position(s, rng);
    shape.as.sphere.radius = vni_rng_below(rng, 5) ? length(s, rng, 9) : 0;
    add(s, &shape);
}

/// An octahedron with random radii and a shear.
static void add_hull(scene* s, vni_rng* rng) {
    vn_vec3 c = position(s, rng), v[6];
    float unit = (float)s->frame.size;
    float a = unit + length(s, rng, 8), b = unit + length(s, rng, 8), h = unit + length(s, rng, 8),
          shear = length(s, rng, 3);
    vnt_octahedron(c, vnt_vec(a, b, h), v);
    v[4].x += shear;
    v[5].x -= shear;
    vn_shape shape = vnt_hull_of(v, 6, vnt_octahedron_faces, 8);
    add(s, &shape);
}

/// Triangles of any shape; every fifth has no area.
static void add_mesh(scene* s, vni_rng* rng) {
    vn_vec3 v[30];
    uint32_t indices[30];
    for (uint32_t i = 0; i < 30; i += 3) {
        v[i] = position(s, rng);
        for (uint32_t k = 1; k < 3; ++k)
            v[i + k] = i % 2 ? position(s, rng)
                             : (vn_vec3){v[i].x + length(s, rng, 5), v[i].y - length(s, rng, 5),
                                         v[i].z + length(s, rng, 5)};

        if (i % 5 == 0)
            v[i + 2] = v[i + 1];

        for (uint32_t k = 0; k < 3; ++k)
            indices[i + k] = i + k;
    }

    vn_shape shape = vnt_triangles_shape(v, 30, indices, 10, false);
    add(s, &shape);
}

/// Capsules and cylinders, every third along an axis.
static void add_rod(scene* s, vni_rng* rng) {
    vn_vec3 a = position(s, rng), b = vnt_vec(a.x + length(s, rng, 9), a.y - length(s, rng, 9), a.z + 0.5f);
    if (vni_rng_below(rng, 3) == 0)
        b.x = a.x, b.y = a.y;
    float radius = vni_rng_below(rng, 5) ? length(s, rng, 7) : 0;
    vn_shape shape =
        vni_rng_below(rng, 2) ? vnt_capsule_shape(a, b, radius) : vnt_cylinder_shape(a, b, radius);
    add(s, &shape);
}

/// On the frame's grid in about half of the cases.
static void add_set(scene* s, vni_rng* rng) {
    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    shape.as.voxels.low = position(s, rng);
    shape.as.voxels.size = (float)s->frame.size;
    if (vni_rng_below(rng, 2)) {
        vn_voxel to = {vni_rng_range(rng, -9, s->dims.x), vni_rng_range(rng, -9, s->dims.y),
                       vni_rng_range(rng, -9, s->dims.z)};
        shape.as.voxels.low = (vn_vec3){(float)(s->frame.low.x + to.x * s->frame.size),
                                        (float)(s->frame.low.y + to.y * s->frame.size),
                                        (float)(s->frame.low.z + to.z * s->frame.size)};
    } else if (vni_rng_below(rng, 2)) {
        shape.as.voxels.size *= vni_rng_below(rng, 2) ? 0.5f : 1.75f;
    }

    shape.as.voxels.dims = (vn_voxel){23, 21, 70};
    uint32_t set = s->set_count++;
    assert_true(set < 8);
    for (int i = 0; i < SET_VOXELS; ++i) {
        vn_voxel v = {vni_rng_range(rng, 0, 22), vni_rng_range(rng, 0, 20), vni_rng_range(rng, 0, 69)};
        if (i % 3)
            v = (vn_voxel){(s->sets[set].voxels[i - 1].x + 1) % 23, s->sets[set].voxels[i - 1].y,
                           s->sets[set].voxels[i - 1].z};
        s->sets[set].voxels[i] = v;
    }

    s->sets[set].low = shape.as.voxels.low;
    s->sets[set].size = shape.as.voxels.size;
    shape.as.voxels.voxels = s->sets[set].voxels;
    shape.as.voxels.voxel_count = SET_VOXELS;
    add(s, &shape);
}

static scene make_scene(vni_rng* rng, bool dyadic, bool with[8]) {
    scene s = {.dyadic = dyadic};
    vn_world_def def = vn_default_world_def();
    assert_int_equal(vn_world_create(&def, &s.world), VN_OK);
    s.frame.size = dyadic ? 0.5 : (double)(float)(0.1 + vni_rng_real(rng));
    double scale = dyadic ? 1 : 0.37;
    s.frame.low = (vn_dvec3){scale * vni_rng_range(rng, -20, 20), scale * vni_rng_range(rng, -20, 20), scale};
    int32_t longer = vni_rng_range(rng, 0, 2);
    s.dims = (vn_voxel){longer == 0 ? 75 : 18, longer == 1 ? 75 : 17, longer == 2 ? 75 : 13};
    void (*const makers[8])(scene*, vni_rng*) = {add_box,  add_oriented, add_sphere, add_hull,
                                                 add_mesh, add_set,      add_rod,    add_rod};

    for (int kind = 0; kind < 8; ++kind)
        for (int n = 0; n < 2 && with[kind]; ++n)
            makers[kind](&s, rng);

    return s;
}

// --------------------------------------------------------------------------------------------- brute force

static bool triangle_blocks(const vni_triangle* t, const vni_aabb* cube, double r) {
    return r > 0 ? vni_triangle_box_distance2(t, cube) < r * r : vni_triangle_touches_box(t, cube, SLACK);
}

static bool mesh_blocks(const scene* s, const vni_mesh* mesh, const vni_aabb* cube, double r) {
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        vni_triangle t = vni_mesh_triangle(mesh, i);
        t = (vni_triangle){vni_to_frame(&s->frame, t.a), vni_to_frame(&s->frame, t.b),
                           vni_to_frame(&s->frame, t.c)};
        if (triangle_blocks(&t, cube, r))
            return true;
    }

    return false;
}

static bool box_blocks(const vni_aabb* box, const vni_aabb* cube, double r, bool flat) {
    if (r > 0)
        return vni_aabb_box_distance2(box, cube) < r * r;
    return flat ? vni_aabb_box_distance2(box, cube) <= SLACK * SLACK : vni_aabb_enters_box(box, cube);
}

static bool hull_blocks(const scene* s, const vni_hull* local, const vni_aabb* cube, double r) {
    vni_vec vertices[6];
    vni_vec low = vni_v(s->frame.low.x, s->frame.low.y, s->frame.low.z);
    vni_hull hull = vni_hull_to_frame(local, low, 1 / s->frame.size, vertices);
    return r > 0 ? vni_hull_box_distance2(&hull, cube) < r * r : vni_hull_enters_box(&hull, cube);
}

static bool oriented_blocks(const scene* s, vni_obb obb, const vni_aabb* cube, double r, bool flat) {
    obb.center = vni_to_frame(&s->frame, obb.center);
    for (int i = 0; i < 3; ++i)
        obb.half[i] /= s->frame.size;
    if (r > 0)
        return vni_obb_box_distance2(&obb, cube) < r * r;
    return flat ? vni_obb_touches_box(&obb, cube, SLACK) : vni_obb_enters_box(&obb, cube);
}

static bool sphere_blocks(vni_vec center, double radius, const vni_aabb* cube, double r) {
    if (r > 0)
        return vni_sphere_box_distance(center, radius, cube) < r;
    return radius == 0 ? vni_point_box_distance2(center, cube) <= SLACK * SLACK
                       : vni_sphere_enters_box(center, radius, cube);
}

static bool capsule_blocks(const scene* s, vni_capsule c, const vni_aabb* cube, double r, bool flat) {
    c = (vni_capsule){vni_to_frame(&s->frame, c.a), vni_to_frame(&s->frame, c.b), c.radius / s->frame.size};
    if (r > 0)
        return vni_capsule_box_distance(&c, cube) < r;
    return flat ? vni_capsule_box_distance(&c, cube) <= SLACK : vni_capsule_enters_box(&c, cube);
}

static bool cylinder_blocks(const scene* s, vni_cylinder c, const vni_aabb* cube, double r, bool flat) {
    c.center = vni_to_frame(&s->frame, c.center);
    c.half /= s->frame.size;
    c.radius /= s->frame.size;
    if (r > 0)
        return vni_cylinder_box_distance(&c, cube) < r;
    return flat ? vni_cylinder_touches_box(&c, cube, SLACK) : vni_cylinder_enters_box(&c, cube);
}

static double on_grid(double x) {
    return vni_abs(x - floor(x + 0.5)) <= SLACK ? floor(x + 0.5) : x;
}

static bool sets_block(const scene* s, const vni_aabb* cube, double r) {
    for (uint32_t i = 0; i < s->set_count; ++i) {
        double ratio = (double)s->sets[i].size / s->frame.size;
        vni_vec low = vni_to_frame(&s->frame, vni_v_from(s->sets[i].low));
        vni_vec snapped = vni_v(on_grid(low.x), on_grid(low.y), on_grid(low.z));
        vni_vec off = vni_sub(low, snapped);
        if (ratio == 1 && vni_abs(off.x) <= SLACK && vni_abs(off.y) <= SLACK && vni_abs(off.z) <= SLACK)
            low = snapped;

        for (int k = 0; k < SET_VOXELS; ++k) {
            vn_voxel v = s->sets[i].voxels[k];
            vni_vec min = vni_add_scaled(low, vni_v(v.x, v.y, v.z), ratio);
            vni_vec max = vni_add_scaled(low, vni_v(v.x + 1, v.y + 1, v.z + 1), ratio);
            vni_aabb box = {min, max};
            if (box_blocks(&box, cube, r, false))
                return true;
        }
    }

    return false;
}

static bool obstacle_blocks(const scene* s, const vni_obstacle* o, const vni_aabb* cube, double r) {
    bool flat = vni_obstacle_is_flat(o);
    switch (o->info.kind) {
    case VN_SHAPE_BOX: {
        vni_aabb box = {vni_to_frame(&s->frame, o->as.box.min), vni_to_frame(&s->frame, o->as.box.max)};
        return box_blocks(&box, cube, r, flat);
    }
    case VN_SHAPE_ORIENTED: return oriented_blocks(s, o->as.oriented, cube, r, flat);
    case VN_SHAPE_SPHERE:
        return sphere_blocks(vni_to_frame(&s->frame, o->as.sphere.center),
                             o->as.sphere.radius / s->frame.size, cube, r);
    case VN_SHAPE_HULL: return hull_blocks(s, &o->as.hull, cube, r);
    case VN_SHAPE_MESH: return mesh_blocks(s, &o->as.mesh, cube, r);
    case VN_SHAPE_CAPSULE: return capsule_blocks(s, o->as.capsule, cube, r, flat);
    case VN_SHAPE_CYLINDER: return cylinder_blocks(s, o->as.cylinder, cube, r, flat);
    default: return false;
    }
}

static bool brute_force(const scene* s, const vni_aabb* cube, double r) {
    for (uint32_t slot = 0; slot < vni_world_slots(s->world); ++slot)
        if (obstacle_blocks(s, vni_world_obstacle(s->world, slot), cube, r))
            return true;
    return sets_block(s, cube, r);
}

static vni_occupancy voxelise_some(const scene* s, vni_shape_filter filter, double radius,
                                   const vn_jobs* jobs) {
    vn_allocator allocator = vn_default_allocator();
    vni_occupancy occupancy;
    assert_int_equal(vni_occupancy_make(&allocator, s->dims, &occupancy, NULL), VN_OK);
    assert_int_equal(vni_voxelise(s->world, &filter, &s->frame, radius, jobs, NULL, NULL, &occupancy, NULL),
                     VN_OK);
    return occupancy;
}

static vni_occupancy voxelise(const scene* s, double radius, const vn_jobs* jobs) {
    return voxelise_some(s, (vni_shape_filter){.without = 0}, radius, jobs);
}

static void compare(const scene* s, double radius) {
    vn_jobs jobs = vn_serial_jobs();
    vni_occupancy occupancy = voxelise(s, radius, &jobs);
    double r = radius / s->frame.size;
    uint64_t blocked = 0;
    for (int32_t z = 0; z < s->dims.z; ++z)
        for (int32_t y = 0; y < s->dims.y; ++y)
            for (int32_t x = 0; x < s->dims.x; ++x) {
                vni_aabb cube = vni_aabb_of_voxel(x, y, z);
                bool expected = brute_force(s, &cube, r);
                if (expected == vni_occupancy_free_at(&occupancy, x, y, z))
                    fail_msg("voxel %d %d %d at radius %g voxels: brute force says %d", x, y, z, r, expected);
                blocked += expected;
            }

    assert_true(occupancy.blocked_voxels == blocked);
    vni_occupancy_free(&occupancy);
}

/// Every kind alone, then all together, on quarter voxels and anywhere, at radii in voxels that are met
/// exactly and ones that are not.
static void test_brute_force(void** state) {
    (void)state;
    static const double radii[] = {0, 0.3, 1, 1.7, 2.25, 6};
    vni_rng rng = vni_rng_make(vnt_seed("voxelise/brute_force", 11));
    for (uint32_t round = 0; round < vnt_scale(4, 20); ++round)
        for (int kind = 0; kind < 9; ++kind) {
            bool with[8];
            for (int i = 0; i < 8; ++i)
                with[i] = kind == i || kind == 8;

            scene s = make_scene(&rng, round % 2 == 0, with);
            for (size_t i = 0; i < sizeof radii / sizeof *radii; ++i)
                if (kind < 8 || i == round % 6)
                    compare(&s, radii[i] * s.frame.size);

            vn_world_destroy(s.world);
        }
}

/// Points on triangles: every voxel whose closed cube holds one is blocked.
static void test_conservative(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("voxelise/conservative", 12));
    bool meshes[8] = {[4] = true};
    for (uint32_t round = 0; round < vnt_scale(40, 1000); ++round) {
        scene s = make_scene(&rng, round % 2 == 0, meshes);
        vn_jobs jobs = vn_serial_jobs();
        vni_occupancy occupancy = voxelise(&s, 0, &jobs);
        const vni_mesh* mesh = &vni_world_obstacle(s.world, 0)->as.mesh;
        for (int sample = 0; sample < 2000; ++sample) {
            vni_triangle t = vni_mesh_triangle(mesh, vni_rng_below(&rng, mesh->triangle_count));
            double u = vni_rng_below(&rng, 9) / 8.0, v = vni_rng_real(&rng) * (1 - u);
            vni_vec p = vni_add_scaled(vni_add_scaled(t.a, vni_sub(t.b, t.a), u), vni_sub(t.c, t.a), v);
            p = vni_to_frame(&s.frame, p);
            for (int corner = 0; corner < 8; ++corner) {
                double tiny = 1e-12;
                int32_t x = (int32_t)floor(p.x + (corner & 1 ? tiny : -tiny));
                int32_t y = (int32_t)floor(p.y + (corner & 2 ? tiny : -tiny));
                int32_t z = (int32_t)floor(p.z + (corner & 4 ? tiny : -tiny));
                assert_false(vni_occupancy_free_at(&occupancy, x, y, z));
            }
        }

        vni_occupancy_free(&occupancy);
        vn_world_destroy(s.world);
    }
}

/// Offsets of the reach table against the distance of cubes.
static void test_reach(void** state) {
    (void)state;
    static const double radii[] = {0.001, 0.5, 1, 1.4142135623730951, 1.5, 2, 5, 9.9, 64};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; ++i) {
        vni_reach reach;
        vni_reach_make(radii[i], &reach);
        int32_t n = reach.count < 12 ? reach.count + 2 : 12;
        vni_aabb from = vni_aabb_of_voxel(0, 0, 0);
        for (int32_t x = 0; x <= n; ++x)
            for (int32_t y = 0; y <= n; ++y)
                for (int32_t z = 0; z <= n; ++z) {
                    vni_aabb to = vni_aabb_of_voxel(x, y, z);
                    bool near = vni_aabb_box_distance2(&from, &to) < radii[i] * radii[i];
                    assert_int_equal(near, y <= reach.count && z <= reach.count && x <= reach.width[y][z]);
                }
    }
}

/// A dense set, moved by 0 to 4 voxels along each axis and across block borders: copied to the voxel.
static void test_shifted_sets(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("voxelise/shifted", 14));
    enum { EDGE = 13, COUNT = EDGE * EDGE * EDGE };
    static vn_voxel voxels[COUNT];
    static bool blocked[COUNT];

    uint64_t count = 0;
    for (int32_t i = 0; i < COUNT; ++i) {
        blocked[i] = vni_rng_below(&rng, 2);
        if (blocked[i])
            voxels[count++] = (vn_voxel){i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
    }

    vn_jobs jobs = vn_serial_jobs();
    for (int32_t shift = 0; shift < 125; ++shift) {
        vn_voxel at = {55 + shift % 5, shift / 5 % 5 - 2, shift / 25};
        scene s = {.frame = {{0, 0, 0}, 1}, .dims = {70, 16, 15}};
        vn_world_def def = vn_default_world_def();
        assert_int_equal(vn_world_create(&def, &s.world), VN_OK);
        vn_shape shape = {.kind = VN_SHAPE_VOXELS};
        shape.as.voxels.low = (vn_vec3){(float)at.x, (float)at.y, (float)at.z};
        shape.as.voxels.size = 1;
        shape.as.voxels.dims = (vn_voxel){EDGE, EDGE, EDGE};
        shape.as.voxels.voxels = voxels;
        shape.as.voxels.voxel_count = count;
        add(&s, &shape);

        vni_occupancy occupancy = voxelise(&s, 0, &jobs);
        for (int32_t i = 0; i < s.dims.x * s.dims.y * s.dims.z; ++i) {
            int32_t x = i % s.dims.x, y = i / s.dims.x % s.dims.y, z = i / s.dims.x / s.dims.y;
            vn_voxel v = {x - at.x, y - at.y, z - at.z};
            bool in = v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < EDGE && v.y < EDGE && v.z < EDGE;
            assert_int_equal(in && blocked[v.x + EDGE * (v.y + EDGE * v.z)],
                             !vni_occupancy_free_at(&occupancy, x, y, z));
        }

        vni_occupancy_free(&occupancy);
        vn_world_destroy(s.world);
    }
}

/// A large world in several blocks: the same bytes for any number of workers, and for a radius beyond the
/// reach table.
static void test_workers(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("voxelise/workers", 13));
    bool all[8] = {true, true, true, true, true, true, true, true};
    scene s = make_scene(&rng, false, all);
    s.dims = (vn_voxel){150, 140, 90};
    uint64_t hash[2] = {0, 0};
    static const uint32_t workers[] = {1, 2, 5};

    vn_allocator allocator = vn_default_allocator();
    for (int i = 0; i < 3; ++i) {
        vn_pool* pool;
        if (vn_pool_create(&allocator, workers[i], &pool) != VN_OK)
            continue;

        vn_jobs jobs = vn_pool_jobs(pool);
        for (int k = 0; k < 2; ++k) {
            vni_occupancy occupancy = voxelise(&s, k * 1.3 * s.frame.size, &jobs);
            uint64_t now = vni_occupancy_hash(&occupancy);
            assert_true(i == 0 || now == hash[k]);
            hash[k] = now;
            vni_occupancy_free(&occupancy);
        }

        vn_pool_destroy(pool);
    }

    assert_true(hash[0] != 0);
    assert_true(hash[0] != hash[1]);
    vn_world_destroy(s.world);
}

static uint64_t hash_of(const scene* s, vni_shape_filter filter, double radius) {
    vn_jobs jobs = vn_serial_jobs();
    vni_occupancy occupancy = voxelise_some(s, filter, radius, &jobs);
    uint64_t hash = vni_occupancy_hash(&occupancy);
    vni_occupancy_free(&occupancy);
    return hash;
}

/// What a filter leaves out might as well have been removed from the world.
static void test_filter(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("voxelise/filter", 15));
    bool all[8] = {true, true, true, true, true, true, true, true};
    for (uint32_t round = 0; round < vnt_scale(12, 200); ++round) {
        scene s = make_scene(&rng, round % 2 == 0, all);
        vn_vec3 low = position(&s, &rng), corners[8];
        vn_shape solid = vnt_box_mesh(low, vnt_vec(low.x + 2, low.y + 2, low.z + 2), true, corners);
        add(&s, &solid);
        for (uint32_t slot = 0; slot < vni_world_slots(s.world); ++slot)
            vn_world_set_flags(s.world, vni_world_id(s.world, slot), vni_rng_below(&rng, 8));

        vni_shape_filter filter = {.without = vni_rng_below(&rng, 8), .only = vni_rng_below(&rng, 8)};
        double radius = round % 3 * 0.7 * s.frame.size;
        uint64_t filtered = hash_of(&s, filter, radius);
        for (uint32_t slot = 0; slot < vni_world_slots(s.world); ++slot) {
            uint32_t flags = vni_world_obstacle(s.world, slot)->info.flags;
            if ((flags & filter.without) != 0 || (filter.only != 0 && (flags & filter.only) == 0))
                vn_world_remove(s.world, vni_world_id(s.world, slot));
        }

        assert_true(filtered == hash_of(&s, (vni_shape_filter){.without = 0}, radius));
        vn_world_destroy(s.world);
    }
}

/// Full bricks go in as one box, on the frame's grid and on others: the same as two sets like a chessboard,
/// which have none.
static void test_full_bricks(void** state) {
    (void)state;
    enum { EDGE = 12, COUNT = EDGE * EDGE * EDGE };
    static vn_voxel voxels[COUNT];
    uint64_t even = (COUNT + 1) / 2, count[2] = {0, even};
    for (int32_t i = 0; i < COUNT; ++i) {
        vn_voxel v = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
        voxels[count[(v.x + v.y + v.z) & 1]++] = v;
    }

    static const double radii[] = {0, 0.2, 1, 2.6, 5.5, 70};
    static const float sizes[] = {0.37f, 1.5f, 1};
    static const vn_vec3 lows[] = {{60.3f, 2.25f, 3}, {58.9f, 2, -1.5f}, {58, 2, 3}};
    for (int i = 0; i < 18; ++i) {
        uint64_t hash[2];
        for (int parts = 1; parts <= 2; ++parts) {
            scene s = {.frame = {{0, 0, 0}, 1}, .dims = {74, 20, 21}};
            vn_world_def def = vn_default_world_def();
            assert_int_equal(vn_world_create(&def, &s.world), VN_OK);
            for (int part = 0; part < parts; ++part) {
                vn_shape shape = vnt_voxels_shape((vn_voxel){EDGE, EDGE, EDGE}, sizes[i / 6], voxels, COUNT);
                shape.as.voxels.low = lows[i / 6];
                shape.as.voxels.voxels += part * (int64_t)even;
                shape.as.voxels.voxel_count = parts == 1 ? COUNT : part ? COUNT - even : even;
                add(&s, &shape);
            }

            hash[parts - 1] = hash_of(&s, (vni_shape_filter){.without = 0}, radii[i % 6]);
            vn_world_destroy(s.world);
        }

        assert_true(hash[0] == hash[1]);
    }
}

/// A set on the frame's grid at a radius that is beyond the reach table equals the sphere of offsets.
static void test_large_radius(void** state) {
    (void)state;
    scene s = {.frame = {{0, 0, 0}, 1}, .dims = {150, 70, 3}};
    vn_world_def def = vn_default_world_def();
    assert_int_equal(vn_world_create(&def, &s.world), VN_OK);
    vn_voxel only = {2, 3, 1};
    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    shape.as.voxels.size = 1;
    shape.as.voxels.dims = (vn_voxel){4, 4, 4};
    shape.as.voxels.voxels = &only;
    shape.as.voxels.voxel_count = 1;
    add(&s, &shape);
    vn_jobs jobs = vn_serial_jobs();

    static const double radii[] = {63.5, 65, 80};
    for (int i = 0; i < 3; ++i) {
        vni_occupancy occupancy = voxelise(&s, radii[i], &jobs);
        vni_aabb from = vni_aabb_of_voxel(only.x, only.y, only.z);
        for (int32_t z = 0; z < s.dims.z; ++z)
            for (int32_t y = 0; y < s.dims.y; ++y)
                for (int32_t x = 0; x < s.dims.x; ++x) {
                    vni_aabb to = vni_aabb_of_voxel(x, y, z);
                    bool near = vni_aabb_box_distance2(&from, &to) < radii[i] * radii[i];
                    assert_int_equal(near, !vni_occupancy_free_at(&occupancy, x, y, z));
                }

        vni_occupancy_free(&occupancy);
    }

    vn_world_destroy(s.world);
}

/// Contact: a volume whose faces lie on voxel faces blocks no neighbour; a flat one blocks both sides; a
/// sphere that touches blocks nothing.
static void test_contact(void** state) {
    (void)state;
    scene s = {.frame = {{0, 0, 0}, 1}, .dims = {12, 12, 12}};
    vn_world_def def = vn_default_world_def();
    assert_int_equal(vn_world_create(&def, &s.world), VN_OK);
    vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{2, 2, 2}, {4, 4, 4}}};
    vn_shape sheet = {.kind = VN_SHAPE_BOX, .as.box = {{6, 6, 6}, {7, 7, 6}}};
    vn_shape ball = {.kind = VN_SHAPE_SPHERE};
    ball.as.sphere.center = (vn_vec3){9.5f, 9.5f, 9.5f};
    ball.as.sphere.radius = 0.5f;
    add(&s, &box);
    add(&s, &sheet);
    add(&s, &ball);
    vn_jobs jobs = vn_serial_jobs();
    vni_occupancy occupancy = voxelise(&s, 0, &jobs);
    assert_int_equal(occupancy.blocked_voxels, 8 + 3 * 3 * 2 + 1);
    vni_occupancy_free(&occupancy);
    occupancy = voxelise(&s, 0.001, &jobs);
    assert_int_equal(occupancy.blocked_voxels, 64 + 3 * 3 * 2 + 7);
    vni_occupancy_free(&occupancy);
    vn_world_destroy(s.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contact),      cmocka_unit_test(test_reach),
        cmocka_unit_test(test_shifted_sets), cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_conservative), cmocka_unit_test(test_workers),
        cmocka_unit_test(test_large_radius), cmocka_unit_test(test_filter),
        cmocka_unit_test(test_full_bricks),
    };

    return cmocka_run_group_tests_name("space/voxelise", tests, NULL, NULL);
}
