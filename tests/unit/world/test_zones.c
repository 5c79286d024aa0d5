/// Zones of a world: where they are after any move, against the shape itself; ids, refusals, limits, memory;
/// and nothing else of the world knows of them.
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "tests/unit/geom/hulls.h"

#include "volnav/space.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const vn_shape_kind kinds[] = {VN_SHAPE_BOX, VN_SHAPE_ORIENTED, VN_SHAPE_SPHERE, VN_SHAPE_HULL};
enum { KINDS = 4 };

static vn_world* make_world(const vn_allocator* allocator) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    if (allocator != NULL)
        def.allocator = *allocator;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static vn_quat random_turn(vni_rng* rng) {
    vn_quat q = vnt_random_quat(rng);
    const float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (vn_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/// A shape around the origin; hulls have their arrays in `arrays`.
static vn_zone_def random_def(vni_rng* rng, vn_shape_kind kind, vnt_polyhedron* arrays) {
    vn_zone_def def = vn_default_zone_def();
    const vn_vec3 a = vnt_float_vec(vnt_random_vec(rng, 3));
    const vn_vec3 half = {(float)vnt_between(rng, 0.2, 3), (float)vnt_between(rng, 0.2, 3),
                          (float)vnt_between(rng, 0.2, 3)};
    def.factor = (float)vnt_between(rng, 0.1, 20);

    def.flags = vni_rng_below(rng, 3);
    if (kind == VN_SHAPE_BOX)
        def.shape = vnt_box_shape(a, vnt_vec(a.x + half.x, a.y + half.y, a.z + half.z));

    if (kind == VN_SHAPE_ORIENTED)
        def.shape = vnt_oriented_shape(a, half, random_turn(rng));

    if (kind == VN_SHAPE_SPHERE)
        def.shape = vnt_sphere_shape(a, half.x);

    if (kind == VN_SHAPE_HULL) {
        *arrays = vni_rng_below(rng, 3) ? vnt_random_polyhedron(rng, 4 + vni_rng_below(rng, 6))
                                        : vnt_box_polyhedron((vni_aabb){{-1, -1, -1}, {2, 1, 1}});
        def.shape =
            vnt_hull_of(arrays->vertices, arrays->vertex_count, arrays->indices, arrays->triangle_count);
    }

    return def;
}

static vn_transform random_transform(vni_rng* rng) {
    vn_transform transform = vn_transform_identity();
    transform.position = vnt_float_vec(vnt_random_vec(rng, 50));
    if (vni_rng_below(rng, 3))
        transform.rotation = random_turn(rng);

    if (vni_rng_below(rng, 3) == 0)
        transform.rotation = (vn_quat){0, 0.70710678f, 0, 0.70710678f};

    transform.scale = vni_rng_below(rng, 2) ? 1 : (float)vnt_between(rng, 0.25, 4);
    return transform;
}

// ------------------------------------------------------------------------------------ where they are

/// From the world into the frame of a transform.
static vni_vec into_frame(const vn_transform* transform, vni_vec p) {
    vni_vec axis[3];
    vni_quat_axes(transform->rotation, axis);
    const vni_vec d = vni_sub(p, vni_v_from(transform->position));
    return vni_scale(vni_v(vni_dot(axis[0], d), vni_dot(axis[1], d), vni_dot(axis[2], d)),
                     1 / (double)transform->scale);
}

/// How far outside the shape a point of its frame is; below 0: inside. Right in sign, and near the rim in
/// size.
static double outside_shape(const vn_shape* shape, vni_vec p) {
    if (shape->kind == VN_SHAPE_SPHERE)
        return vni_length(vni_sub(p, vni_v_from(shape->as.sphere.center))) - (double)shape->as.sphere.radius;
    double farthest = -1e9;
    if (shape->kind == VN_SHAPE_HULL) {
        for (uint32_t i = 0; i < shape->as.hull.triangle_count; ++i) {
            const uint32_t* t = shape->as.hull.indices + 3 * (size_t)i;
            const vni_vec a = vni_v_from(shape->as.hull.vertices[t[0]]),
                          b = vni_v_from(shape->as.hull.vertices[t[1]]),
                          c = vni_v_from(shape->as.hull.vertices[t[2]]),
                          n = vni_cross(vni_sub(b, a), vni_sub(c, a));
            farthest = fmax(farthest, vni_dot(n, vni_sub(p, a)) / vni_length(n));
        }

        return farthest;
    }

    vni_vec center, half, axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (shape->kind == VN_SHAPE_BOX) {
        const vni_vec low = vni_v_from(shape->as.box.min), high = vni_v_from(shape->as.box.max);
        center = vni_scale(vni_add(low, high), 0.5);
        half = vni_scale(vni_sub(high, low), 0.5);
    } else {
        center = vni_v_from(shape->as.oriented.center);
        half = vni_v_from(shape->as.oriented.half);
        vni_quat_axes(shape->as.oriented.rotation, axis);
    }

    const vni_vec d = vni_sub(p, center);
    return fmax(fmax(fabs(vni_dot(axis[0], d)) - half.x, fabs(vni_dot(axis[1], d)) - half.y),
                fabs(vni_dot(axis[2], d)) - half.z);
}

static bool zone_holds(const vn_zone* zone, vni_vec p) {
    if (zone->kind == VN_ZONE_BOX)
        return p.x >= (double)zone->box.min.x && p.x <= (double)zone->box.max.x &&
               p.y >= (double)zone->box.min.y && p.y <= (double)zone->box.max.y &&
               p.z >= (double)zone->box.min.z && p.z <= (double)zone->box.max.z;

    if (zone->kind == VN_ZONE_SPHERE)
        return vni_length(vni_sub(p, vni_v_from(zone->center))) <= (double)zone->radius;
    for (uint32_t i = 0; i < zone->plane_count; ++i)
        if (vni_dot(vni_v_from(zone->planes[i].normal), p) > (double)zone->planes[i].offset)
            return false;

    return true;
}

static vn_zone only_zone(const vn_world* world) {
    vn_zone zone;
    uint32_t count;
    assert_int_equal(vn_world_get_zones(world, &zone, 1, &count), VN_OK);
    assert_int_equal(count, 1);
    return zone;
}

static void check_where(vni_rng* rng, const vn_world* world, const vn_zone_def* def,
                        const vn_transform* transform, uint32_t hits[2]) {
    const vn_zone zone = only_zone(world);
    const vni_world_zone* kept = vni_zone_at(&world->zones, 0);
    const vn_box bounds = vni_zone_bounds(kept);
    assert_true(zone.factor == def->factor);
    assert_true(zone.flags == def->flags);
    for (uint32_t i = 0; i < 60; ++i) {
        const double reach = 4 * (double)transform->scale;
        const vni_vec p = vni_add(vni_v_from(transform->position), vnt_random_vec(rng, reach));
        const double outside =
            outside_shape(&def->shape, into_frame(transform, p)) * (double)transform->scale;
        if (fabs(outside) < 1e-4) // as near as float planes and quaternions tell
            continue;

        assert_true(zone_holds(&zone, p) == (outside < 0));
        ++hits[outside < 0];
        if (outside < 0) {
            assert_true(p.x >= (double)bounds.min.x);
            assert_true(p.x <= (double)bounds.max.x);
            assert_true(p.y >= (double)bounds.min.y);
            assert_true(p.y <= (double)bounds.max.y);
            assert_true(p.z >= (double)bounds.min.z);
            assert_true(p.z <= (double)bounds.max.z);
        }
    }
}

static void assert_same_zone(const vn_zone* a, const vn_zone* b) {
    assert_true(a->kind == b->kind);
    assert_true(a->plane_count == b->plane_count);
    assert_true(a->factor == b->factor);
    if (a->kind == VN_ZONE_BOX)
        assert_memory_equal(&a->box, &b->box, sizeof a->box);
    else if (a->kind == VN_ZONE_SPHERE) {
        assert_true(memcmp(&a->center, &b->center, sizeof a->center) == 0);
        assert_true(a->radius == b->radius);
    } else
        assert_memory_equal(a->planes, b->planes, a->plane_count * sizeof *a->planes);
}

/// Moved again and again, it is where the shape is, and just as if it had been added there.
static void test_moves(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zones/moves", 41));
    uint32_t hits[2] = {0, 0};
    for (uint32_t i = 0; i < vnt_scale(200, 4000); ++i) {
        vnt_polyhedron arrays;
        vn_zone_def def = random_def(&rng, kinds[i % KINDS], &arrays);
        vn_world *world = make_world(NULL), *fresh = make_world(NULL);
        vn_zone_id id;
        vn_transform transform = random_transform(&rng), told;
        def.transform = transform;

        assert_int_equal(vn_world_add_zone(world, &def, &id, NULL), VN_OK);
        for (uint32_t step = 0; step < 4; ++step) {
            check_where(&rng, world, &def, &transform, hits);
            transform = random_transform(&rng);
            assert_int_equal(vn_world_move_zone(world, id, &transform, NULL), VN_OK);
        }

        assert_int_equal(vn_world_get_zone_transform(world, id, &told), VN_OK);
        assert_memory_equal(&told, &transform, sizeof transform);
        def.transform = transform;
        assert_int_equal(vn_world_add_zone(fresh, &def, NULL, NULL), VN_OK);
        const vn_zone moved = only_zone(world), added = only_zone(fresh);
        assert_same_zone(&moved, &added);
        vn_world_destroy(world);
        vn_world_destroy(fresh);
    }

    assert_true(hits[0] > 1000);
    assert_true(hits[1] > 1000);
}

/// A box that stands straight stays a box; one that is turned has 6 planes; a hull has one for each face.
static void test_kinds(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_zone_def def = vn_default_zone_def();
    vn_zone_id id;
    def.shape = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(1, 2, 4));
    assert_int_equal(vn_world_add_zone(world, &def, &id, NULL), VN_OK);
    assert_true(only_zone(world).kind == VN_ZONE_BOX);
    assert_true(only_zone(world).plane_count == 0);
    vn_transform transform = vn_transform_identity();
    transform.position = vnt_vec(10, 0, 0);
    transform.rotation = (vn_quat){0, 0, 0.70710678f, 0.70710678f}; // x goes to y, y goes to -x
    assert_int_equal(vn_world_move_zone(world, id, &transform, NULL), VN_OK);
    const vn_box turned = {{8, 0, 0}, {10, 1, 4}};
    assert_true(only_zone(world).kind == VN_ZONE_BOX);
    vn_zone zone = only_zone(world);
    assert_memory_equal(&zone.box, &turned, sizeof turned);
    transform.rotation = (vn_quat){0, 0, 0.5f, 0.8660254f};
    assert_int_equal(vn_world_move_zone(world, id, &transform, NULL), VN_OK);
    assert_true(only_zone(world).kind == VN_ZONE_HULL);
    assert_true(only_zone(world).plane_count == 6);
    transform = vn_transform_identity();
    assert_int_equal(vn_world_move_zone(world, id, &transform, NULL), VN_OK);
    assert_true(only_zone(world).kind == VN_ZONE_BOX);
    assert_int_equal(vn_world_remove_zone(world, id), VN_OK);
    def.shape = vnt_hull_shape(); // a tetrahedron
    assert_int_equal(vn_world_add_zone(world, &def, &id, NULL), VN_OK);
    assert_true(only_zone(world).kind == VN_ZONE_HULL);
    assert_true(only_zone(world).plane_count == 4);
    vn_world_destroy(world);
}

// ----------------------------------------------------------------------------------- ids, order, revision

static void test_ids_and_revision(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_zone_def def = vn_default_zone_def();
    vn_zone_id ids[3], null = {0, 0};
    vn_zone zones[3];
    vn_transform transform = vn_transform_identity();
    uint32_t count;

    uint64_t revision = vn_world_zone_revision(world), before = vn_world_revision(world);
    for (uint32_t i = 0; i < 3; ++i) {
        def.shape = vnt_sphere_shape(vnt_vec((float)i, 0, 0), 1);
        def.factor = 2;
        assert_int_equal(vn_world_add_zone(world, &def, &ids[i], NULL), VN_OK);
        assert_true(vn_world_zone_revision(world) > revision);
        revision = vn_world_zone_revision(world);
    }

    assert_int_equal(vn_world_get_zones(world, zones, 2, &count), VN_CAPACITY);
    assert_true(count == 3);
    assert_true(zones[1].center.x == 1);
    assert_int_equal(vn_world_get_zones(world, NULL, 0, &count), VN_CAPACITY);
    assert_int_equal(vn_world_remove_zone(world, ids[1]), VN_OK);
    assert_true(vn_world_zone_revision(world) > revision);
    revision = vn_world_zone_revision(world);
    assert_int_equal(vn_world_get_zones(world, zones, 3, &count), VN_OK);
    assert_true(count == 2);
    assert_true(zones[0].center.x == 0);
    assert_true(zones[1].center.x == 2);
    assert_int_equal(vn_world_move_zone(world, ids[2], &transform, NULL), VN_OK); // to where it is
    assert_true(vn_world_zone_revision(world) == revision);
    transform.scale = 3;
    assert_int_equal(vn_world_move_zone(world, ids[2], &transform, NULL), VN_OK);
    assert_true(vn_world_zone_revision(world) > revision);
    vn_detail detail;
    assert_int_equal(vn_world_move_zone(world, ids[1], &transform, &detail), VN_STALE_ID);
    assert_int_equal(vn_world_remove_zone(world, ids[1]), VN_STALE_ID);
    assert_int_equal(vn_world_get_zone_transform(world, ids[1], &transform), VN_STALE_ID);
    assert_false(vn_world_has_zone(world, ids[1]));
    assert_false(vn_world_has_zone(world, null));
    vn_zone_id again;
    assert_int_equal(vn_world_add_zone(world, &def, &again, NULL), VN_OK);
    assert_true(again.index1 == ids[1].index1);
    assert_true(again.generation != ids[1].generation);
    assert_true(vn_world_has_zone(world, again));
    assert_true(!vn_world_has_zone(world, ids[1]));
    assert_true(vn_world_revision(world) == before);
    vn_world_destroy(world);
}

/// Neither hash, bounds, count nor any voxel.
static void test_nothing_else_knows(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_shape box = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(4, 4, 4));
    assert_int_equal(vn_world_add(world, &box, NULL, NULL), VN_OK);
    vn_space_def bake = vn_default_space_def();
    bake.has_bounds = true;
    bake.bounds = (vn_box){{-8, -8, -8}, {8, 8, 8}};
    vn_space *before, *after;
    assert_int_equal(vn_space_bake(world, &bake, &before, NULL), VN_OK);
    const uint64_t hash = vn_world_hash(world);
    vn_zone_def def = vn_default_zone_def();
    def.shape = vnt_box_shape(vnt_vec(-6, -6, -6), vnt_vec(60, 6, 6));
    assert_int_equal(vn_world_add_zone(world, &def, NULL, NULL), VN_OK);
    vn_box bounds;
    assert_true(vn_world_get_bounds(world, &bounds));
    assert_true(bounds.max.x == 4);
    assert_true(vn_world_count(world) == 1);
    assert_true(vn_world_hash(world) == hash);
    assert_int_equal(vn_space_bake(world, &bake, &after, NULL), VN_OK);
    assert_true(vn_space_content_hash(before) == vn_space_content_hash(after));
    vn_space_destroy(before);
    vn_space_destroy(after);
    vn_world_destroy(world);
}

// ------------------------------------------------------------------------------------------------ refusals

static void refused(const vn_zone_def* def, vn_status expected) {
    vn_world* world = make_world(NULL);
    vn_zone_id id = {7, 7};
    vn_detail detail = {0};
    uint32_t count;
    assert_int_equal(vn_world_add_zone(world, def, &id, &detail), expected);
    assert_true(detail.text[0] != 0);
    assert_true(id.index1 == 7);
    assert_true(vn_world_zone_revision(world) == 0);
    assert_int_equal(vn_world_get_zones(world, NULL, 0, &count), VN_OK);
    vn_world_destroy(world);
}

static void test_bad_zones(void** state) {
    (void)state;
    vn_zone_def good = vn_default_zone_def();
    good.shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 1);
    vn_zone_def def = good;
    def.cookie = 0;
    refused(&def, VN_BAD_DEF);

    const float factors[5] = {0, 1e-7f, 2e6f, NAN, -1};
    for (int i = 0; i < 5; ++i) {
        def = good;
        def.factor = factors[i];
        refused(&def, VN_BAD_DATA);
    }

    vn_vec3 corners[8];
    def = good;
    def.shape = vnt_box_mesh(vnt_vec(0, 0, 0), vnt_vec(1, 1, 1), true, corners);
    refused(&def, VN_UNSUPPORTED);
    const vn_voxel voxel = {0, 0, 0};
    def.shape = vnt_voxels_shape((vn_voxel){1, 1, 1}, 1, &voxel, 1);
    refused(&def, VN_UNSUPPORTED);
    memset(&def.shape, 0, sizeof def.shape);
    refused(&def, VN_BAD_ARGUMENT);
    def.shape = vnt_sphere_shape(vnt_vec(NAN, 0, 0), 1);
    refused(&def, VN_BAD_DATA);
    def.shape = vnt_box_shape(vnt_vec(1, 0, 0), vnt_vec(0, 1, 1));
    refused(&def, VN_BAD_DATA);
    uint32_t flipped[36];

    vnt_box_mesh(vnt_vec(0, 0, 0), vnt_vec(1, 1, 1), false, corners);
    for (int i = 0; i < 36; ++i)
        flipped[i] = vnt_box_faces[35 - i];

    def.shape = vnt_hull_of(corners, 8, flipped, 12); // inside out
    refused(&def, VN_BAD_DATA);
    corners[7] = vnt_vec(0.1f, 0.1f, 0.1f);
    def.shape = vnt_hull_of(corners, 8, vnt_box_faces, 12); // a dent
    refused(&def, VN_BAD_DATA);
    static const vn_vec3 leaf[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t sides[6] = {0, 1, 2, 0, 2, 1};
    def.shape = vnt_hull_of(leaf, 3, sides, 2); // flat
    refused(&def, VN_BAD_DATA);
    def = good;
    def.transform.scale = 0;
    refused(&def, VN_BAD_DATA);
    def = good;
    def.transform.position.y = 2e6f;
    refused(&def, VN_BAD_DATA);
    def = good;
    def.transform.rotation.w = 2;
    refused(&def, VN_BAD_DATA);
}

static void test_bad_moves(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zones/bad", 43));
    for (int i = 0; i < KINDS; ++i) {
        vn_world* world = make_world(NULL);
        vnt_polyhedron arrays;
        vn_zone_def def = random_def(&rng, kinds[i], &arrays);
        def.transform = random_transform(&rng);
        vn_zone_id id;
        assert_int_equal(vn_world_add_zone(world, &def, &id, NULL), VN_OK);
        const uint64_t revision = vn_world_zone_revision(world);
        vn_plane planes[64];

        vn_zone before = only_zone(world);
        if (before.plane_count > 0)
            memcpy(planes, before.planes, before.plane_count * sizeof *planes);

        before.planes = planes;
        vn_transform bad[4] = {def.transform, def.transform, def.transform, def.transform};
        bad[0].scale = NAN;
        bad[1].position.x = 1e6f + 100;
        bad[2].rotation.x = 3;

        bad[3].scale = 1e9f;
        for (int k = 0; k < 4; ++k) {
            vn_detail detail = {0};
            assert_int_equal(vn_world_move_zone(world, id, &bad[k], &detail), VN_BAD_DATA);
            assert_true(detail.text[0] != 0);
        }

        const vn_zone after = only_zone(world);
        assert_same_zone(&before, &after);
        assert_true(vn_world_zone_revision(world) == revision);
        vn_world_destroy(world);
    }
}

/// A prism with this many sides, as a hull; arrays can hold 2 n vertices and 4 n triangles.
static vn_shape prism(uint32_t n, vn_vec3* vertices, uint32_t* indices) {
    uint32_t* to = indices;
    for (uint32_t i = 0; i < n; ++i) {
        const double angle = 6.283185307179586 * i / n;
        const uint32_t next = (i + 1) % n;
        vertices[i] = vnt_vec((float)(10 * cos(angle)), (float)(10 * sin(angle)), 0);
        vertices[n + i] = vnt_vec(vertices[i].x, vertices[i].y, 1);
        const uint32_t side[6] = {i, next, n + i, next, n + next, n + i};
        memcpy(to, side, sizeof side);
        to += 6;

        if (i < 2)
            continue;
        const uint32_t caps[6] = {0, i, i - 1, n, n + i - 1, n + i};
        memcpy(to, caps, sizeof caps);
        to += 6;
    }

    return vnt_hull_of(vertices, 2 * n, indices, (uint32_t)(to - indices) / 3);
}

static void test_limits(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vn_zone_def def = vn_default_zone_def();
    vn_zone_id ids[VN_MAX_ZONES], one;
    vn_detail detail;

    def.shape = vnt_oriented_shape(vnt_vec(0, 0, 0), vnt_vec(1, 2, 3), (vn_quat){0.6f, 0, 0, 0.8f});
    for (uint32_t i = 0; i < VN_MAX_ZONES; ++i) // as many turned boxes as zones
        assert_int_equal(vn_world_add_zone(world, &def, &ids[i], NULL), VN_OK);

    assert_int_equal(vn_world_add_zone(world, &def, &one, &detail), VN_CAPACITY);
    assert_int_equal(vn_world_remove_zone(world, ids[9]), VN_OK);
    assert_int_equal(vn_world_add_zone(world, &def, &one, &detail), VN_OK);
    vn_world_destroy(world);
    static vn_vec3 vertices[2 * 600];
    static uint32_t indices[12 * 600];
    world = make_world(NULL);
    def.shape = prism(600, vertices, indices);
    assert_int_equal(vn_world_add_zone(world, &def, &one, &detail), VN_CAPACITY);
    def.shape = prism(VN_MAX_ZONE_PLANES - 2, vertices, indices);
    assert_int_equal(vn_world_add_zone(world, &def, &one, &detail), VN_OK);
    assert_int_equal(only_zone(world).plane_count, VN_MAX_ZONE_PLANES);
    def.shape = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(1, 1, 1));
    assert_int_equal(vn_world_add_zone(world, &def, NULL, &detail), VN_CAPACITY);
    def.shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 1);
    assert_int_equal(vn_world_add_zone(world, &def, NULL, &detail), VN_OK);
    assert_int_equal(vn_world_remove_zone(world, one), VN_OK);
    def.shape = vnt_box_shape(vnt_vec(0, 0, 0), vnt_vec(1, 1, 1));
    assert_int_equal(vn_world_add_zone(world, &def, NULL, &detail), VN_OK);
    vn_world_destroy(world);
}

/// A slot whose generations are used up is lost. A zone that is refused for that changes nothing, no id
/// either.
static void test_lost_slot(void** state) {
    (void)state;
    vn_world* world = make_world(NULL);
    vni_idpool* ids = &world->zones.ids;
    vn_zone_def def = vn_default_zone_def();
    vn_zone_id zones[VN_MAX_ZONES], one;

    def.shape = vnt_sphere_shape(vnt_vec(0, 0, 0), 1);
    for (uint32_t i = 0; i < VN_MAX_ZONES; ++i)
        assert_int_equal(vn_world_add_zone(world, &def, &zones[i], NULL), VN_OK);

    zones[7].generation = ids->generations[7] = UINT32_MAX;
    assert_int_equal(vn_world_remove_zone(world, zones[7]), VN_OK);
    const uint64_t revision = vn_world_zone_revision(world);
    for (uint32_t i = 0; i < 3; ++i)
        assert_int_equal(vn_world_add_zone(world, &def, &one, NULL), VN_CAPACITY);

    assert_true(ids->slots == VN_MAX_ZONES);
    assert_true(ids->live == VN_MAX_ZONES - 1);
    assert_true(ids->free_count == 0);
    assert_true(vn_world_zone_revision(world) == revision);

    assert_int_equal(vn_world_remove_zone(world, zones[9]), VN_OK);
    assert_int_equal(vn_world_add_zone(world, &def, &one, NULL), VN_OK);
    assert_true(one.index1 == 10);
    assert_true(one.generation == 3);
    vn_world_destroy(world);
}

// -------------------------------------------------------------------------------------------------- memory

static void test_moves_allocate_nothing(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zones/steady", 44));
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vn_world* world = make_world(&allocator);
    vn_zone_id ids[8];

    vnt_polyhedron arrays;
    for (uint32_t i = 0; i < 8; ++i) {
        vn_zone_def def = random_def(&rng, kinds[i % KINDS], &arrays);
        assert_int_equal(vn_world_add_zone(world, &def, &ids[i], NULL), VN_OK);
    }

    vn_memory parts;
    vn_world_get_memory(world, &parts);
    assert_true(parts.total == memory.live_bytes);
    const uint64_t calls = memory.calls;
    for (uint32_t i = 0; i < 200; ++i) {
        vn_transform transform = random_transform(&rng);
        assert_int_equal(vn_world_move_zone(world, ids[i % 8], &transform, NULL), VN_OK);
    }

    assert_true(memory.calls == calls);
    for (uint32_t i = 0; i < 8; ++i)
        assert_int_equal(vn_world_remove_zone(world, ids[i]), VN_OK);

    vn_world_get_memory(world, &parts);
    assert_true(parts.total == memory.live_bytes);
    vn_world_destroy(world);
    assert_true(memory.live_blocks == 0);
    assert_true(!memory.mismatch);
}

static void test_out_of_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zones/memory", 45));
    for (int i = 0; i < KINDS; ++i) {
        vnt_polyhedron arrays;
        const vn_zone_def def = random_def(&rng, kinds[i], &arrays);
        bool done = false;
        for (uint64_t k = 0; !done; ++k) {
            vnt_memory memory = vnt_memory_make();
            vn_allocator allocator = vnt_memory_allocator(&memory);
            vn_world* world = make_world(&allocator);
            const uint64_t live = memory.live_blocks;
            uint32_t count;
            memory.fail_at = memory.calls + k;
            vn_status status = vn_world_add_zone(world, &def, NULL, NULL);
            done = status == VN_OK;
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            (void)vn_world_get_zones(world, NULL, 0, &count);
            assert_true(count == done);
            assert_true(done || vn_world_zone_revision(world) == 0);
            assert_true(done || memory.live_blocks <= live + 3); // an id pool keeps what it has grown to

            memory.fail_at = UINT64_MAX;
            if (!done)
                assert_int_equal(vn_world_add_zone(world, &def, NULL, NULL), VN_OK);

            vn_world_destroy(world);
            assert_true(memory.live_blocks == 0);
            assert_true(!memory.mismatch);
            assert_true(!done || k >= 4);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_ids_and_revision),
        cmocka_unit_test(test_nothing_else_knows),
        cmocka_unit_test(test_bad_zones),
        cmocka_unit_test(test_bad_moves),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_lost_slot),
        cmocka_unit_test(test_moves_allocate_nothing),
        cmocka_unit_test(test_out_of_memory),
    };

    return cmocka_run_group_tests_name("world/zones", tests, NULL, NULL);
}
