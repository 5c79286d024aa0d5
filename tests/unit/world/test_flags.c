/// Flags of obstacles, and the hash that says whether a world is still the one that was baked.
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "world/world.h"

static const vn_quat turned = {0, 0, 0.6f, 0.8f};
static const vn_voxel some_voxels[3] = {{0, 0, 0}, {4, 1, 2}, {7, 7, 7}};

static vn_shape shape_of_kind(vn_shape_kind kind) {
    static vnt_mesh mesh;
    switch (kind) {
    case VN_SHAPE_BOX: return vnt_box_shape(vnt_vec(-1, -2, -3), vnt_vec(1, 2, 3));
    case VN_SHAPE_ORIENTED: return vnt_oriented_shape(vnt_vec(5, 0, 0), vnt_vec(1, 2, 3), turned);
    case VN_SHAPE_SPHERE: return vnt_sphere_shape(vnt_vec(0, 9, 0), 2);
    case VN_SHAPE_HULL: return vnt_hull_shape();
    case VN_SHAPE_MESH:
        memset(&mesh, 0, sizeof mesh);
        vnt_add_cube(&mesh, 2, 0);
        return vnt_mesh_shape(&mesh, true);
    case VN_SHAPE_CAPSULE: return vnt_capsule_shape(vnt_vec(0, 0, 5), vnt_vec(1, 1, 7), 2);
    case VN_SHAPE_CYLINDER: return vnt_cylinder_shape(vnt_vec(1, 2, -9), vnt_vec(3, 5, -7), 2);
    case VN_SHAPE_VOXELS: break;
    }
    return vnt_voxels_shape((vn_voxel){8, 8, 8}, 0.5f, some_voxels, 3);
}

static vn_world* make_world(const vn_allocator* allocator, vn_dvec3 origin) {
    vn_world_def def = vn_default_world_def();
    if (allocator != NULL)
        def.allocator = *allocator;

    def.origin = origin;
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static vn_obstacle_id add(vn_world* world, vn_shape shape) {
    vn_obstacle_id id;
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    return id;
}

/// One obstacle of each kind, in order.
static vn_world* make_full_world(const vn_allocator* allocator, vn_dvec3 origin) {
    vn_world* world = make_world(allocator, origin);
    for (vn_shape_kind kind = VN_SHAPE_BOX; kind <= VN_SHAPE_VOXELS; ++kind)
        add(world, shape_of_kind(kind));
    return world;
}

static uint64_t hash_of(vn_shape shape) {
    vn_world* world = make_world(NULL, (vn_dvec3){0, 0, 0});
    add(world, shape);
    uint64_t hash = vn_world_hash(world);
    vn_world_destroy(world);
    return hash;
}

// ------------------------------------------------------------------------------------------------- flags

static void flags_are_kept(void** state) {
    (void)state;
    vn_world* world = make_world(NULL, (vn_dvec3){0, 0, 0});
    vn_obstacle_info info;
    vn_obstacle_id a = add(world, shape_of_kind(VN_SHAPE_BOX)), b = add(world, shape_of_kind(VN_SHAPE_MESH));
    assert_int_equal(vn_world_get_info(world, a, &info), VN_OK);
    assert_int_equal(info.flags, 0);
    assert_int_equal(vn_world_set_flags(world, a, 5 | VN_FLAG_UNKNOWN), VN_OK);
    assert_int_equal(vn_world_get_info(world, a, &info), VN_OK);
    assert_int_equal(info.flags, 5 | VN_FLAG_UNKNOWN);
    assert_int_equal(info.kind, VN_SHAPE_BOX);
    assert_int_equal(vn_world_get_info(world, b, &info), VN_OK);
    assert_int_equal(info.flags, 0);
    vn_world_destroy(world);
}

static void flags_go_with_their_obstacle(void** state) {
    (void)state;
    vn_world* world = make_world(NULL, (vn_dvec3){0, 0, 0});
    vn_obstacle_id a = add(world, shape_of_kind(VN_SHAPE_BOX));
    assert_int_equal(vn_world_set_flags(world, a, 7), VN_OK);
    assert_int_equal(vn_world_remove(world, a), VN_OK);
    assert_int_equal(vn_world_set_flags(world, a, 7), VN_STALE_ID);
    assert_int_equal(vn_world_set_flags(world, (vn_obstacle_id){0, 0}, 7), VN_STALE_ID);
    vn_obstacle_id b = add(world, shape_of_kind(VN_SHAPE_SPHERE));
    assert_int_equal(b.index1, a.index1);
    vn_obstacle_info info;
    assert_int_equal(vn_world_set_flags(world, a, 9), VN_STALE_ID);
    assert_int_equal(vn_world_get_info(world, b, &info), VN_OK);
    assert_int_equal(info.flags, 0);
    vn_world_destroy(world);
}

// -------------------------------------------------------------------------------------------------- hash

/// Another allocator, other addresses, other neighbours in time: the same slots give the same number.
static void hash_knows_the_content_alone(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vn_world* plain = make_full_world(NULL, (vn_dvec3){1, 2, 3});
    vn_world* other = make_world(&allocator, (vn_dvec3){1, 2, 3});

    vn_obstacle_id ids[40];
    for (uint32_t i = 0; i < 40; ++i)
        ids[i] = add(other, vnt_sphere_shape(vnt_vec((float)i, 0, 0), 1));

    for (uint32_t i = 40; i-- > 0;)
        assert_int_equal(vn_world_remove(other, ids[i]), VN_OK);

    assert_int_not_equal(vn_world_hash(other), vn_world_hash(plain));
    for (vn_shape_kind kind = VN_SHAPE_BOX; kind <= VN_SHAPE_VOXELS; ++kind)
        add(other, shape_of_kind(kind));

    uint64_t calls = memory.calls;
    assert_int_equal(vn_world_hash(other), vn_world_hash(plain));
    assert_int_equal(vn_world_hash(other), vn_world_hash(other));
    assert_int_equal(vn_world_set_flags(other, (vn_obstacle_id){1, vni_world_id(other, 0).generation}, 3),
                     VN_OK);
    assert_int_not_equal(vn_world_hash(other), vn_world_hash(plain));
    assert_int_equal(vn_world_set_flags(other, vni_world_id(other, 0), 0), VN_OK);
    assert_int_equal(vn_world_hash(other), vn_world_hash(plain));
    assert_int_equal(memory.calls, calls);
    vn_world_destroy(other);
    vn_world_destroy(plain);
    assert_int_equal(memory.live_blocks, 0);
}

/// The number is part of the file format: worlds saved today are recognised tomorrow and elsewhere.
static void hash_is_golden(void** state) {
    (void)state;
    vn_world* world = make_world(NULL, (vn_dvec3){0, 0, 0});
    assert_int_equal(vn_world_hash(world), UINT64_C(0xc1b9ef75b8473aa6));
    vn_world_destroy(world);
    world = make_full_world(NULL, (vn_dvec3){1, 2, 3});
    assert_int_equal(vn_world_hash(world), UINT64_C(0x45824756aead95c6));
    vn_world_destroy(world);
}

static void hash_knows_order_flags_and_origin(void** state) {
    (void)state;
    uint64_t seen[64];
    uint32_t count = 0;
    vn_world* world = make_full_world(NULL, (vn_dvec3){1, 2, 3});

    seen[count++] = vn_world_hash(world);
    for (uint32_t slot = 0; slot < 6; ++slot) {
        for (uint32_t bit = 0; bit < 32; bit += 31) {
            assert_int_equal(vn_world_set_flags(world, vni_world_id(world, slot), (uint32_t)1 << bit), VN_OK);
            seen[count++] = vn_world_hash(world);
        }
        assert_int_equal(vn_world_set_flags(world, vni_world_id(world, slot), 0), VN_OK);
    }

    assert_int_equal(vn_world_hash(world), seen[0]);
    for (uint32_t slot = 6; slot-- > 0;) {
        assert_int_equal(vn_world_remove(world, vni_world_id(world, slot)), VN_OK);
        seen[count++] = vn_world_hash(world);
    }

    add(world, shape_of_kind(VN_SHAPE_SPHERE));
    add(world, shape_of_kind(VN_SHAPE_BOX));
    seen[count++] = vn_world_hash(world);
    vn_world_destroy(world);
    for (int axis = 0; axis < 3; ++axis) {
        world = make_full_world(NULL, (vn_dvec3){1 + (axis == 0), 2 + (axis == 1), 3 + (axis == 2)});
        seen[count++] = vn_world_hash(world);
        vn_world_destroy(world);
    }

    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < i; ++k)
            assert_true(seen[i] != seen[k]);
}

/// Moves one number of a shape to the next float.
static float nudge(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    ++bits;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static void hash_knows_every_number(void** state) {
    (void)state;
    for (int i = 0; i < 6; ++i) {
        vn_shape shape = shape_of_kind(VN_SHAPE_BOX);
        uint64_t before = hash_of(shape);
        float* numbers = i < 3 ? &shape.as.box.min.x : &shape.as.box.max.x;
        numbers[i % 3] = nudge(numbers[i % 3]);
        assert_int_not_equal(hash_of(shape), before);
    }

    for (int i = 0; i < 6; ++i) {
        vn_shape shape = shape_of_kind(VN_SHAPE_ORIENTED);
        uint64_t before = hash_of(shape);
        float* numbers = i < 3 ? &shape.as.oriented.center.x : &shape.as.oriented.half.x;
        numbers[i % 3] = nudge(numbers[i % 3]);
        assert_int_not_equal(hash_of(shape), before);
    }

    for (int i = 0; i < 4; ++i) {
        vn_shape shape = shape_of_kind(VN_SHAPE_ORIENTED);
        uint64_t before = hash_of(shape);
        (&shape.as.oriented.rotation.x)[i] += 1e-4f;
        assert_int_not_equal(hash_of(shape), before);
    }

    for (int i = 0; i < 4; ++i) {
        vn_shape shape = shape_of_kind(VN_SHAPE_SPHERE);
        uint64_t before = hash_of(shape);
        float* number = i < 3 ? &shape.as.sphere.center.x + i : &shape.as.sphere.radius;
        *number = nudge(*number);
        assert_int_not_equal(hash_of(shape), before);
    }

    for (int i = 0; i < 14; ++i) {
        vn_shape shape = shape_of_kind(i < 7 ? VN_SHAPE_CAPSULE : VN_SHAPE_CYLINDER);
        uint64_t before = hash_of(shape);
        float* numbers[3] = {&shape.as.capsule.a.x, &shape.as.capsule.b.x, &shape.as.capsule.radius};
        if (i >= 7) {
            numbers[0] = &shape.as.cylinder.a.x;
            numbers[1] = &shape.as.cylinder.b.x;
            numbers[2] = &shape.as.cylinder.radius;
        }

        float* number = numbers[i % 7 / 3] + i % 7 % 3;
        *number = nudge(*number);
        assert_int_not_equal(hash_of(shape), before);
    }
}

static void hash_knows_triangles(void** state) {
    (void)state;
    vn_vec3 corners[8];
    uint32_t faces[36];
    memcpy(faces, vnt_box_faces, sizeof faces);
    vnt_box_mesh(vnt_vec(0, 0, 0), vnt_vec(1, 1, 1), true, corners);
    vn_shape mesh = vnt_triangles_shape(corners, 8, faces, 12, true);
    vn_shape hull = vnt_hull_of(corners, 8, faces, 12);
    uint64_t before = hash_of(mesh), hull_before = hash_of(hull);
    assert_int_not_equal(before, hull_before);
    mesh.as.mesh.solid = false;
    assert_int_not_equal(hash_of(mesh), before);
    mesh.as.mesh.solid = true;
    mesh.as.mesh.triangle_count = 11;
    assert_int_not_equal(hash_of(mesh), before);

    mesh.as.mesh.triangle_count = 12;
    for (uint32_t i = 0; i < 36; i += 5) {
        faces[i] ^= 1;
        assert_int_not_equal(hash_of(mesh), before);
        faces[i] ^= 1;
    }

    for (uint32_t i = 0; i < 24; i += 5) {
        float* number = &corners[i / 3].x + i % 3;
        float kept = *number;
        *number = nudge(kept);
        assert_int_not_equal(hash_of(mesh), before);
        assert_int_not_equal(hash_of(hull), hull_before);
        *number = kept;
    }

    assert_int_equal(hash_of(mesh), before);
    assert_int_equal(hash_of(hull), hull_before);
}

/// The same voxels in another order, with duplicates or as boxes are the same set.
static void hash_knows_voxels(void** state) {
    (void)state;
    static const vn_voxel again[5] = {{7, 7, 7}, {0, 0, 0}, {4, 1, 2}, {0, 0, 0}, {7, 7, 7}};
    static const vn_voxel_box boxes[2] = {{{7, 7, 7}, {8, 8, 8}}, {{4, 1, 2}, {5, 2, 3}}};
    vn_shape shape = shape_of_kind(VN_SHAPE_VOXELS);
    uint64_t before = hash_of(shape);
    assert_int_equal(hash_of(vnt_voxels_shape((vn_voxel){8, 8, 8}, 0.5f, again, 5)), before);
    vn_shape mixed = vnt_voxels_shape((vn_voxel){8, 8, 8}, 0.5f, some_voxels, 1);
    mixed.as.voxels.boxes = boxes;
    mixed.as.voxels.box_count = 2;
    assert_int_equal(hash_of(mixed), before);
    mixed.as.voxels.box_count = 1;
    assert_int_not_equal(hash_of(mixed), before);
    shape.as.voxels.dims.y = 9;
    assert_int_not_equal(hash_of(shape), before);
    shape = shape_of_kind(VN_SHAPE_VOXELS);
    shape.as.voxels.size = nudge(shape.as.voxels.size);
    assert_int_not_equal(hash_of(shape), before);
    shape = shape_of_kind(VN_SHAPE_VOXELS);
    shape.as.voxels.low.z = 1;
    assert_int_not_equal(hash_of(shape), before);
    shape.as.voxels.low.z = -0.0f;
    assert_int_equal(hash_of(shape), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_are_kept),
        cmocka_unit_test(flags_go_with_their_obstacle),
        cmocka_unit_test(hash_knows_the_content_alone),
        cmocka_unit_test(hash_is_golden),
        cmocka_unit_test(hash_knows_order_flags_and_origin),
        cmocka_unit_test(hash_knows_every_number),
        cmocka_unit_test(hash_knows_triangles),
        cmocka_unit_test(hash_knows_voxels),
    };

    return cmocka_run_group_tests_name("world/flags", tests, NULL, NULL);
}
