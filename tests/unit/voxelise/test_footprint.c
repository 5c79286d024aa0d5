/// tests/unit/voxelise/test_footprint.c: the voxels of one obstacle, as bricks, against voxelising a world
/// with that obstacle alone, and against every voxel tested alone.
#include "base/bits.h"
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "tests/unit/geom/hulls.h"
#include "voxelise/footprint.h"
#include "voxelise/stamp.h"
#include <stdlib.h>

#define SLACK    1e-9
#define SIDES    20 /* of the largest prism */
#define VERTICES (2 * SIDES)

/// A frame and a world with one obstacle; buffers for the arrays that its shape points to.
typedef struct scene {
    vn_world* world;
    vni_frame frame;
    int32_t dims[3];
    bool dyadic; ///< coordinates on quarters of a voxel
    vnt_polyhedron hull;
    vn_vec3 corners[8], prism[VERTICES];
    uint32_t prism_faces[3 * (4 * SIDES - 4)];
    vn_voxel voxels[60];
    vn_voxel_box boxes[4];
} scene;

// ------------------------------------------------------------------------------------------- random scenes

static double snapped(const scene* s, double voxels) {
    return s->dyadic ? floor(voxels * 4) / 4 : voxels;
}

/// From `beyond` voxels below 0 to as many above the dimensions, as metres.
static vn_vec3 position(const scene* s, vni_rng* rng, double beyond) {
    const double low[3] = {s->frame.low.x, s->frame.low.y, s->frame.low.z};
    float p[3];
    for (int i = 0; i < 3; ++i)
        p[i] = (float)(low[i] +
                       snapped(s, vni_rng_real(rng) * (s->dims[i] + 2 * beyond) - beyond) * s->frame.size);
    return vnt_vec(p[0], p[1], p[2]);
}

static float length(const scene* s, vni_rng* rng, double most) {
    return (float)(snapped(s, vni_rng_real(rng) * most) * s->frame.size);
}

static vn_quat random_turn(const scene* s, vni_rng* rng) {
    double q[4], sum = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = s->dyadic ? (double)vni_rng_range(rng, 0, 1) : vni_rng_real(rng) - 0.5;
        sum += q[i] * q[i];
    }

    if (sum == 0)
        q[3] = sum = 1;

    double l = sqrt(sum);
    return (vn_quat){(float)(q[0] / l), (float)(q[1] / l), (float)(q[2] / l), (float)(q[3] / l)};
}

static vn_shape box_shape(scene* s, vni_rng* rng, double most) {
    vn_vec3 p = position(s, rng, 6);
    vn_vec3 q = vnt_vec(p.x + length(s, rng, most), p.y + length(s, rng, most), p.z + length(s, rng, most));
    if (vni_rng_below(rng, 5) == 0)
        q.y = p.y;
    return vnt_box_shape(p, q);
}

static vn_shape oriented_shape(scene* s, vni_rng* rng, double most) {
    vn_vec3 half = vnt_vec(length(s, rng, most), length(s, rng, most / 2), length(s, rng, most));
    if (vni_rng_below(rng, 5) == 0)
        half.z = 0;
    return vnt_oriented_shape(position(s, rng, 6), half, random_turn(s, rng));
}

static void move_hull(vnt_polyhedron* hull, vn_vec3 to) {
    for (uint32_t i = 0; i < hull->vertex_count; ++i) {
        hull->vertices[i].x += to.x;
        hull->vertices[i].y += to.y;
        hull->vertices[i].z += to.z;
    }
}

/// A prism along y: its sides are four-cornered and flat but for rounding to float.
static vn_shape prism_shape(scene* s, vni_rng* rng, vn_vec3 c, vn_vec3 half) {
    uint32_t n = 3 + vni_rng_below(rng, SIDES - 2), count = 0;
    double start = vni_rng_real(rng);
    for (uint32_t i = 0; i < n; ++i) {
        double angle = (start + i) * 6.283185307179586 / n;
        s->prism[i] =
            vnt_vec(c.x + half.x * (float)cos(angle), c.y - half.y, c.z - half.z * (float)sin(angle));
        s->prism[n + i] = s->prism[i];
        s->prism[n + i].y = c.y + half.y;
    }

    for (uint32_t i = 0; i < n; ++i) {
        uint32_t k = (i + 1) % n;
        const uint32_t faces[12] = {i, k, n + k, i, n + k, n + i, 0, i + 1, i, n, n + i, n + i + 1};
        uint32_t used = i == 0 || i == n - 1 ? 6 : 12;
        memcpy(s->prism_faces + count, faces, used * sizeof *faces);
        count += used;
    }

    return vnt_hull_of(s->prism, 2 * n, s->prism_faces, count / 3);
}

/// Moves the corners so that faces bend inwards and outwards by a little less than a hull may.
static void bend(vnt_polyhedron* hull, vni_rng* rng, float by) {
    for (uint32_t i = 0; i < hull->vertex_count; ++i) {
        hull->vertices[i].x += by * (float)(vni_rng_real(rng) - 0.5);
        hull->vertices[i].y += by * (float)(vni_rng_real(rng) - 0.5);
        hull->vertices[i].z += by * (float)(vni_rng_real(rng) - 0.5);
    }
}

/// A box, exact or bent, a hull of random points, a prism, an octahedron, or a flat plate.
static vn_shape hull_shape(scene* s, vni_rng* rng, double most) {
    float unit = (float)s->frame.size;
    vn_vec3 half =
        vnt_vec(unit + length(s, rng, most), unit + length(s, rng, most), unit + length(s, rng, most));
    vn_vec3 c = position(s, rng, 6);
    uint32_t kind = vni_rng_below(rng, 6);

    if (kind == 4)
        return prism_shape(s, rng, c, half);
    if (kind == 0 || kind == 5) {
        vni_aabb box = {vni_v_from(vnt_vec(-half.x, -half.y, -half.z)), vni_v_from(half)};
        s->hull = vnt_box_polyhedron(box);
        float widest = half.x > half.y ? half.x : half.y;
        bend(&s->hull, rng, kind == 5 ? 7e-6f * (widest > half.z ? widest : half.z) : 0);
        move_hull(&s->hull, c);
    } else if (kind == 1) {
        s->hull = vnt_random_polyhedron(rng, 4 + vni_rng_below(rng, 7));
        for (uint32_t i = 0; i < s->hull.vertex_count; ++i) {
            vn_vec3 v = s->hull.vertices[i];
            s->hull.vertices[i] = vnt_vec(v.x * half.x / 2, v.y * half.y / 2, v.z * half.z / 2);
        }
        move_hull(&s->hull, c);
    } else {
        if (kind == 2)
            half.y = 0;
        vnt_octahedron(c, half, s->corners);
        return vnt_hull_of(s->corners, 6, vnt_octahedron_faces, 8);
    }

    return vnt_hull_of(s->hull.vertices, s->hull.vertex_count, s->hull.indices, s->hull.triangle_count);
}

static vn_shape mesh_shape(scene* s, vni_rng* rng, double most) {
    vn_vec3 low = position(s, rng, 6);
    vn_vec3 high =
        vnt_vec(low.x + length(s, rng, most), low.y + length(s, rng, most), low.z + length(s, rng, most));
    return vnt_box_mesh(low, high, vni_rng_below(rng, 2) == 0, s->corners);
}

/// On the frame's own grid in half of the cases.
static vn_shape set_shape(scene* s, vni_rng* rng, double most) {
    (void)most;
    vn_voxel dims = {22, 21, 40};
    for (int i = 0; i < 60; ++i)
        s->voxels[i] =
            (vn_voxel){vni_rng_range(rng, 0, 21), vni_rng_range(rng, 0, 20), vni_rng_range(rng, 0, 39)};

    for (int i = 0; i < 4; ++i) {
        vn_voxel low = s->voxels[i];
        s->boxes[i] = (vn_voxel_box){
            low,
            {vni_rng_range(rng, low.x, 22), vni_rng_range(rng, low.y, 21), vni_rng_range(rng, low.z, 40)}};
    }

    vn_shape shape = vnt_voxels_shape(dims, (float)s->frame.size, s->voxels, 60);
    shape.as.voxels.boxes = s->boxes;
    shape.as.voxels.box_count = vni_rng_below(rng, 5);
    shape.as.voxels.low = position(s, rng, 20);
    if (vni_rng_below(rng, 2)) {
        const double low[3] = {s->frame.low.x, s->frame.low.y, s->frame.low.z};
        float to[3];
        for (int i = 0; i < 3; ++i)
            to[i] = (float)(low[i] + vni_rng_range(rng, -30, s->dims[i]) * s->frame.size);
        shape.as.voxels.low = vnt_vec(to[0], to[1], to[2]);
    } else if (vni_rng_below(rng, 2)) {
        shape.as.voxels.size *= vni_rng_below(rng, 2) ? 0.5f : 1.75f;
    }

    return shape;
}

static vn_shape random_shape(scene* s, vni_rng* rng, uint32_t kind, double most) {
    switch (kind) {
    case 0: return box_shape(s, rng, most);
    case 1: return oriented_shape(s, rng, most);
    case 2: return vnt_sphere_shape(position(s, rng, 6), vni_rng_below(rng, 6) ? length(s, rng, most) : 0);
    case 3: return hull_shape(s, rng, most);
    case 4: return mesh_shape(s, rng, most);
    case 6: return vnt_capsule_shape(position(s, rng, 6), position(s, rng, 6), length(s, rng, most / 2));
    case 7: return vnt_cylinder_shape(position(s, rng, 6), vnt_vec(99, 0, 1), length(s, rng, most / 2));
    default: return set_shape(s, rng, most);
    }
}

static scene make_scene(vni_rng* rng, int32_t largest) {
    scene s = {.dyadic = vni_rng_below(rng, 2) == 0};
    vn_world_def def = vn_default_world_def();
    assert_int_equal(vn_world_create(&def, &s.world), VN_OK);
    s.frame.size = s.dyadic ? 0.5 : (double)(float)(0.1 + vni_rng_real(rng));
    double scale = s.dyadic ? 1 : 0.37;

    s.frame.low = (vn_dvec3){scale * vni_rng_range(rng, -20, 20), scale * vni_rng_range(rng, -20, 20), scale};
    for (int i = 0; i < 3; ++i)
        s.dims[i] = vni_rng_range(rng, 1, largest);

    return s;
}

static const vni_obstacle* add(scene* s, const vn_shape* shape, const vn_transform* transform) {
    vn_detail detail;
    vn_obstacle_id id;
    vn_status status = transform != NULL ? vn_world_add_moving(s->world, shape, transform, &id, &detail)
                                         : vn_world_add(s->world, shape, &id, &detail);
    if (status != VN_OK)
        fail_msg("%s", detail.text);

    return vni_world_obstacle(s->world, id.index1 - 1);
}

// ---------------------------------------------------------------------------------------------- comparing

static uint64_t print_bits(const vni_footprint* print, uint32_t at, uint32_t block, uint32_t brick) {
    bool here = at < print->count && print->bricks[at].block == block && print->bricks[at].brick == brick;
    return here ? print->bricks[at].bits : 0;
}

/// The world's only obstacle, voxelised.
static void compare_with_voxelise(const scene* s, double radius, const vni_footprint* print) {
    vn_allocator allocator = vn_default_allocator();
    vn_jobs jobs = vn_serial_jobs();
    vni_shape_filter filter = {.without = 0};
    vni_occupancy occupancy;
    vn_voxel dims = {s->dims[0], s->dims[1], s->dims[2]};
    assert_int_equal(vni_occupancy_make(&allocator, dims, &occupancy, NULL), VN_OK);
    assert_int_equal(vni_voxelise(s->world, &filter, &s->frame, radius, &jobs, NULL, NULL, &occupancy, NULL),
                     VN_OK);

    uint32_t at = 0;
    for (uint32_t block = 0; block < vni_occupancy_block_count(&occupancy); ++block)
        for (uint32_t brick = 0; occupancy.table[block] != NULL && brick < VNI_BLOCK_BRICKS; ++brick) {
            uint64_t bits = vni_block_brick(occupancy.table[block], brick >> 6, brick & 63);
            if (bits != print_bits(print, at, block, brick))
                fail_msg("block %u brick %u: %llx, not %llx", block, brick,
                         (unsigned long long)print_bits(print, at, block, brick), (unsigned long long)bits);
            at += bits != 0;
        }

    assert_int_equal(at, print->count);
    vni_occupancy_free(&occupancy);
}

/// The scratch must have been left clean: so one is used for everything.
static vni_footprint_scratch* scratch;
static vni_footprint print;

static int open_scratch(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    scratch = vni_footprint_scratch_make(&allocator);
    return scratch != NULL ? 0 : 1;
}

static int close_scratch(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    vni_footprint_free(&allocator, &print);
    vni_footprint_scratch_free(&allocator, scratch);
    vni_footprint_scratch_free(&allocator, NULL);
    return 0;
}

static void print_of(const scene* s, const vni_obstacle* obstacle, double radius) {
    vn_allocator allocator = vn_default_allocator();
    assert_int_equal(vni_footprint_of(obstacle, &s->frame, radius, s->dims, &allocator, scratch, &print),
                     VN_OK);
}

static void is_what_voxelise_makes(void** state) {
    (void)state;
    static const double radii[] = {0, 0.3, 2, 0, 1, 7.3};
    vni_rng rng = vni_rng_make(vnt_seed("footprint/voxelise", 21));
    uint64_t bricks = 0;
    for (uint32_t round = 0; round < vnt_scale(480, 20000); ++round) {
        scene s = make_scene(&rng, 150);
        vn_shape shape = random_shape(&s, &rng, round % 8, vni_rng_below(&rng, 8) ? 12 : 90);
        const vni_obstacle* obstacle = add(&s, &shape, NULL);
        double radius = radii[vni_rng_below(&rng, 6)] * s.frame.size;
        print_of(&s, obstacle, radius);
        compare_with_voxelise(&s, radius, &print);
        bricks += print.count;
        vn_world_destroy(s.world);
    }

    assert_true(bricks > 1000);
}

/// Moving obstacles, turned and scaled, from frame to frame.
static void follows_what_moves(void** state) {
    (void)state;
    static const double radii[] = {0, 0, 0.3, 2};
    vni_rng rng = vni_rng_make(vnt_seed("footprint/moving", 22));
    for (uint32_t round = 0; round < vnt_scale(80, 3000); ++round) {
        scene s = make_scene(&rng, 100);
        uint32_t kind = round % 8;
        vn_shape shape = random_shape(&s, &rng, kind, 8);
        vn_transform transform = vn_transform_identity();

        const vni_obstacle* obstacle = add(&s, &shape, &transform);
        for (int step = 0; step < 6; ++step) {
            transform.position = position(&s, &rng, 6);
            bool was = s.dyadic;
            s.dyadic = kind == 5 || was;
            transform.rotation =
                kind == 5 ? (vn_quat){0, 0.70710678f, 0, 0.70710678f} : random_turn(&s, &rng);
            s.dyadic = was;
            transform.scale = 0.25f + (float)vni_rng_below(&rng, 5) * 0.25f;
            assert_int_equal(vn_world_move(s.world, vni_world_id(s.world, 0), &transform, NULL), VN_OK);
            double radius = radii[vni_rng_below(&rng, 4)] * s.frame.size;
            print_of(&s, obstacle, radius);
            compare_with_voxelise(&s, radius, &print);
        }

        vn_world_destroy(s.world);
    }
}

// --------------------------------------------------------------------------------------------- brute force

static bool box_blocks(const vni_aabb* box, const vni_aabb* cube, double r, bool flat) {
    if (r > 0)
        return vni_aabb_box_distance2(box, cube) < r * r;
    return flat ? vni_aabb_box_distance2(box, cube) <= SLACK * SLACK : vni_aabb_enters_box(box, cube);
}

static bool oriented_blocks(const scene* s, vni_obb obb, const vni_aabb* cube, double r, bool flat) {
    obb.center = vni_to_frame(&s->frame, obb.center);
    for (int i = 0; i < 3; ++i)
        obb.half[i] /= s->frame.size;
    if (r > 0)
        return vni_obb_box_distance2(&obb, cube) < r * r;
    return flat ? vni_obb_touches_box(&obb, cube, SLACK) : vni_obb_enters_box(&obb, cube);
}

static bool hull_blocks(const scene* s, const vni_hull* local, const vni_aabb* cube, double r) {
    vni_vec vertices[VERTICES];
    vni_vec low = vni_v(s->frame.low.x, s->frame.low.y, s->frame.low.z);
    vni_hull hull = vni_hull_to_frame(local, low, 1 / s->frame.size, vertices);
    if (r > 0)
        return vni_hull_box_distance2(&hull, cube) < r * r;
    return hull.flat ? vni_hull_touches_box(&hull, cube, SLACK) : vni_hull_enters_box(&hull, cube);
}

static bool sphere_blocks(const scene* s, const vni_obstacle* o, const vni_aabb* cube, double r) {
    vni_vec center = vni_to_frame(&s->frame, o->as.sphere.center);
    double radius = o->as.sphere.radius / s->frame.size;
    if (r > 0)
        return vni_sphere_box_distance(center, radius, cube) < r;
    return radius == 0 ? vni_sphere_box_distance(center, radius, cube) <= SLACK
                       : vni_sphere_enters_box(center, radius, cube);
}

static bool blocks(const scene* s, const vni_obstacle* o, const vni_aabb* cube, double r) {
    bool flat = vni_obstacle_is_flat(o);
    switch (o->info.kind) {
    case VN_SHAPE_ORIENTED: return oriented_blocks(s, o->as.oriented, cube, r, flat);
    case VN_SHAPE_SPHERE: return sphere_blocks(s, o, cube, r);
    case VN_SHAPE_HULL: return hull_blocks(s, &o->as.hull, cube, r);
    default: {
        vni_aabb box = {vni_to_frame(&s->frame, o->as.box.min), vni_to_frame(&s->frame, o->as.box.max)};
        return box_blocks(&box, cube, r, flat);
    }
    }
}

static bool has_voxel(const scene* s, int32_t x, int32_t y, int32_t z) {
    uint32_t blocks_x = (uint32_t)(s->dims[0] + 63) >> 6, blocks_y = (uint32_t)(s->dims[1] + 63) >> 6;
    uint32_t block = (uint32_t)(x >> 6) + blocks_x * ((uint32_t)(y >> 6) + blocks_y * (uint32_t)(z >> 6));
    uint32_t brick = vni_dense_index(x, y, z);
    uint32_t low = 0, high = print.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const vni_footprint_brick* b = &print.bricks[middle];
        if (b->block < block || (b->block == block && b->brick < brick))
            low = middle + 1;
        else
            high = middle;
    }

    return print_bits(&print, low, block, brick) >> vni_bit_of(x, y, z) & 1;
}

/// Voxels [low, high) around the obstacle.
static void range_around(const scene* s, const vni_obstacle* o, double r, int32_t low[3], int32_t high[3]) {
    vni_vec from = vni_to_frame(&s->frame, vni_v_from(o->info.bounds.min));
    vni_vec to = vni_to_frame(&s->frame, vni_v_from(o->info.bounds.max));
    const double min[3] = {from.x, from.y, from.z}, max[3] = {to.x, to.y, to.z};
    for (int i = 0; i < 3; ++i) {
        low[i] = (int32_t)vni_clamp(min[i] - r - 3, 0, s->dims[i]);
        high[i] = (int32_t)vni_clamp(max[i] + r + 3, 0, s->dims[i]);
    }
}

static void compare_with_brute_force(const scene* s, const vni_obstacle* o, double radius) {
    double r = radius / s->frame.size;
    int32_t low[3], high[3];
    uint64_t expected_voxels = 0, voxels = 0;
    range_around(s, o, r, low, high);
    for (int32_t z = low[2]; z < high[2]; ++z)
        for (int32_t y = low[1]; y < high[1]; ++y)
            for (int32_t x = low[0]; x < high[0]; ++x) {
                vni_aabb cube = vni_aabb_of_voxel(x, y, z);
                bool expected = blocks(s, o, &cube, r);
                expected_voxels += expected;
                if (expected != has_voxel(s, x, y, z))
                    fail_msg("kind %d, voxel %d %d %d at radius %g: alone it says %d", (int)o->info.kind, x,
                             y, z, radius, expected);
            }

    for (uint32_t i = 0; i < print.count; ++i)
        voxels += vni_popcount(print.bricks[i].bits);

    assert_true(voxels == expected_voxels);
}

/// Volumes on quarters of a voxel, where contacts are exact, and anywhere; large ones, and thin ones.
static void is_what_every_voxel_says(void** state) {
    (void)state;
    static const double radii[] = {0, 0, 0, 0.3, 2};
    static const double sizes[] = {3, 8, 12, 40};
    vni_rng rng = vni_rng_make(vnt_seed("footprint/brute_force", 23));
    for (uint32_t round = 0; round < vnt_scale(240, 20000); ++round) {
        scene s = make_scene(&rng, 24);
        double radius = radii[vni_rng_below(&rng, 5)] * s.frame.size;
        vn_shape shape = random_shape(&s, &rng, round % 4, sizes[vni_rng_below(&rng, 4)]);
        const vni_obstacle* obstacle = add(&s, &shape, NULL);
        print_of(&s, obstacle, radius);
        compare_with_brute_force(&s, obstacle, radius);
        vn_world_destroy(s.world);
    }
}

/// Hardly turned, far from the origin, in large spaces: where rounding and short axes would show.
static void hard_cases(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("footprint/hard", 26));
    for (uint32_t round = 0; round < vnt_scale(200, 20000); ++round) {
        scene s = make_scene(&rng, 30);
        int far = vni_rng_range(&rng, 0, 2);
        s.dyadic = round % 2 == 0;
        s.frame = (vni_frame){{0, 0, 0}, s.dyadic ? 0.25 : 0.1};
        vn_shape shape = random_shape(&s, &rng, round % 8 < 5 ? 1 : 3, 5);
        s.dims[0] = round % 3 == 0 ? 500000 : 30;
        vn_vec3 at = shape.kind == VN_SHAPE_ORIENTED ? shape.as.oriented.center : shape.as.hull.vertices[0];

        float tiny = 1;
        for (int32_t i = vni_rng_range(&rng, 0, 12); i > 0; --i)
            tiny *= 0.1f;

        if (shape.kind == VN_SHAPE_ORIENTED) {
            float q[4] = {0, 0, 0, 1};
            q[far] = tiny * 0.1f;
            q[(far + 1) % 3] = vni_rng_below(&rng, 2) ? tiny * 0.05f : 0;
            float l = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + 1);
            shape.as.oriented.rotation = (vn_quat){q[0] / l, q[1] / l, q[2] / l, q[3] / l};
        }

        s.frame.low.x =
            (double)at.x - (s.dims[0] == 30 ? 15 : floor(vni_rng_real(&rng) * s.dims[0])) * s.frame.size;
        s.frame.low.y = (double)at.y - 15 * s.frame.size;
        s.frame.low.z = (double)at.z - 15 * s.frame.size;

        // distances to edges that are nearly parallel to an axis are not exact far out
        double radius = s.dims[0] > 30 || vni_rng_below(&rng, 2) ? 0 : 0.75 * s.frame.size;
        const vni_obstacle* obstacle = add(&s, &shape, NULL);
        print_of(&s, obstacle, radius);
        compare_with_brute_force(&s, obstacle, radius);
        vn_world_destroy(s.world);
    }
}

// ------------------------------------------------------------------------------------------------- memory

static void steady_state_allocates_nothing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(24);
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_footprint_scratch* own = vni_footprint_scratch_make(&allocator);
    vni_footprint out = {0};

    scene s = make_scene(&rng, 60);
    for (int i = 0; i < 3; ++i)
        s.dims[i] = 70;

    static const uint32_t kinds[5] = {0, 1, 2, 3, 5};
    uint64_t calls = 0;
    for (int turn = 0; turn < 2; ++turn) {
        for (uint32_t slot = 0; slot < 10; ++slot) {
            vn_shape shape = random_shape(&s, &rng, kinds[slot % 5], 12);
            if (turn == 0)
                add(&s, &shape, NULL);
            assert_int_equal(vni_footprint_of(vni_world_obstacle(s.world, slot), &s.frame, s.frame.size,
                                              s.dims, &allocator, own, &out),
                             VN_OK);
        }

        if (turn == 0)
            calls = memory.calls;
    }

    assert_true(calls > 0);
    assert_true(memory.calls == calls);
    vni_footprint_free(&allocator, &out);
    vni_footprint_scratch_free(&allocator, own);
    assert_int_equal(memory.live_blocks, 0);
    vn_world_destroy(s.world);
}

/// Fails each allocation of scratch and footprint once; what was in the footprint stays.
static bool survives(const scene* s, const vni_obstacle* o, uint64_t fail_at) {
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_footprint out = {0};
    out.bricks = allocator.alloc(allocator.user, sizeof *out.bricks);
    out.bricks[0] = (vni_footprint_brick){1, 2, 3};
    out.count = out.capacity = 1;
    memory.fail_at = memory.calls + fail_at;
    vni_footprint_scratch* own = vni_footprint_scratch_make(&allocator);

    vn_status status = VN_OUT_OF_MEMORY;
    if (own != NULL)
        status = vni_footprint_of(o, &s->frame, 0, s->dims, &allocator, own, &out);

    if (status == VN_OK) {
        assert_true(out.count > 1);
    } else {
        assert_int_equal(status, VN_OUT_OF_MEMORY);
        assert_true(out.count == 1);
        assert_true(out.bricks[0].bits == 3);
        assert_true(memory.failed);
    }

    if (own != NULL && status != VN_OK) { // the same again, on clean scratch
        memory.fail_at = UINT64_MAX;
        assert_int_equal(vni_footprint_of(o, &s->frame, 0, s->dims, &allocator, own, &out), VN_OK);
        compare_with_voxelise(s, 0, &out);
    }

    vni_footprint_free(&allocator, &out);
    vni_footprint_scratch_free(&allocator, own);
    assert_int_equal(memory.live_blocks, 0);
    assert_false(memory.mismatch);
    return status == VN_OK;
}

static void running_out_of_memory_changes_nothing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(25);
    for (uint32_t kind = 0; kind < 6; ++kind) {
        scene s = make_scene(&rng, 60);
        s.dyadic = true;
        s.frame = (vni_frame){{0, 0, 0}, 0.5};
        for (int i = 0; i < 3; ++i)
            s.dims[i] = 140;

        vn_shape shape = random_shape(&s, &rng, kind, 100);
        if (kind == 4)
            shape = vnt_box_mesh(vnt_vec(5, 5, 5), vnt_vec(40, 40, 40), true, s.corners);

        if (kind == 5)
            shape.as.voxels.low = vnt_vec(25, 25, 25);

        const vni_obstacle* o = add(&s, &shape, NULL);
        uint64_t k = 0;
        while (!survives(&s, o, k))
            ++k;

        assert_true(k >= 3);
        vn_world_destroy(s.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_what_voxelise_makes),
        cmocka_unit_test(follows_what_moves),
        cmocka_unit_test(is_what_every_voxel_says),
        cmocka_unit_test(hard_cases),
        cmocka_unit_test(steady_state_allocates_nothing),
        cmocka_unit_test(running_out_of_memory_changes_nothing),
    };

    return cmocka_run_group_tests_name("space/footprint", tests, open_scratch, close_scratch);
}
