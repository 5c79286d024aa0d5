/// nav: a change has the status that a plain world returns for it, for any numbers in the call.
#include "scene.h"

#include "nav/nav_inside.h"

#define MOST 12

typedef struct pair {
    vn_nav* nav;
    vn_world* twin;
    vn_obstacle_id ids[MOST];
    vn_zone_id zones[MOST];
    vni_rng rng;
    uint32_t taken, refused;
} pair;

static void count(pair* p, vn_status nav, vn_status twin) {
    assert_int_equal(nav, twin);
    p->taken += nav == VN_OK;
    p->refused += nav != VN_OK;
}

// --------------------------------------------------------------------------------------------- odd numbers

static float odd_number(vni_rng* rng) {
    static const float odd[] = {0,     -0.0f,   1e-45f,   1e-38f,    1e-20f, 0.25f,   1,
                                3,     1e3f,    999999,   1e6f,      -1e6f,  1000001, 1048576.0f,
                                1e20f, 3.4e38f, INFINITY, -INFINITY, NAN};
    return odd[vni_rng_below(rng, sizeof odd / sizeof *odd)];
}

static float some_number(vni_rng* rng) {
    return vni_rng_below(rng, 6) ? (float)vni_rng_range(rng, -40, 60) / 4 : odd_number(rng);
}

static vn_vec3 some_vec(vni_rng* rng) {
    const float x = some_number(rng), y = some_number(rng), z = some_number(rng);
    return vnt_vec(x, y, z);
}

static vn_quat some_rotation(vni_rng* rng) {
    static const vn_quat some[] = {{0, 0, 0, 1},       {0, 0, 0.70710678f, 0.70710678f},
                                   {1, 0, 0, 0},       {0, 0.6f, 0, 0.8f},
                                   {0, 0, 0, 1.0005f}, {0, 0, 0, 0},
                                   {0, 0, 0, 2}};
    return some[vni_rng_below(rng, vni_rng_below(rng, 3) ? 4 : 7)];
}

static vn_transform some_transform(vni_rng* rng) {
    vn_transform transform;
    transform.position = some_vec(rng);
    transform.rotation = some_rotation(rng);
    transform.scale = vni_rng_below(rng, 3) ? 1 : odd_number(rng);
    return transform;
}

static vn_shape some_shape(vni_rng* rng) {
    static const vn_voxel voxels[3] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 5}};
    static vn_vec3 corners[8];
    vn_vec3 a = some_vec(rng), b = some_vec(rng);
    vn_shape shape;
    if (vni_rng_below(rng, 3)) {
        a = vnt_vec(-1, -2, -1);
        b = vnt_vec(1, 2, 1);
    }
    switch (vni_rng_below(rng, 9)) {
    case 0: return vnt_box_shape(a, b);
    case 1: return vnt_sphere_shape(a, b.x);
    case 2: return vnt_oriented_shape(a, b, some_rotation(rng));
    case 3: vnt_octahedron(a, b, corners); return vnt_hull_of(corners, 6, vnt_octahedron_faces, 8);
    case 4:
        shape = vnt_voxels_shape((vn_voxel){3, 2, 6}, b.x, voxels, 3);
        shape.as.voxels.low = a;
        return shape;
    case 5: return vnt_box_mesh(a, b, vni_rng_below(rng, 2), corners);
    case 6: return vnt_capsule_shape(a, b, some_vec(rng).x);
    case 7: return vnt_cylinder_shape(a, vni_rng_below(rng, 4) ? b : a, some_vec(rng).x);
    default:
        shape = vnt_box_shape(a, b);
        shape.kind = (vn_shape_kind)99;
        return shape;
    }
}

// ---------------------------------------------------------------------------------------------------- calls

static void add(pair* p) {
    vni_rng* rng = &p->rng;
    const uint32_t at = vni_rng_below(rng, MOST), flags = vni_rng_below(rng, 3);
    const vn_shape shape = some_shape(rng);
    const vn_transform transform = some_transform(rng);
    const bool moves = vni_rng_below(rng, 4) > 0;
    vn_obstacle_id id = {0, 0}, twin_id = {0, 0};

    if (vn_nav_has(p->nav, p->ids[at]))
        return;
    const vn_status status = moves ? vn_nav_add_moving(p->nav, &shape, &transform, flags, &id, NULL)
                                   : vn_nav_add(p->nav, &shape, flags, &id, NULL);
    count(p, status,
          moves ? vn_world_add_moving(p->twin, &shape, &transform, &twin_id, NULL)
                : vn_world_add(p->twin, &shape, &twin_id, NULL));
    assert_true(id.index1 == twin_id.index1);
    assert_true(id.generation == twin_id.generation);

    if (status != VN_OK)
        return;
    p->ids[at] = id;
    assert_int_equal(vn_world_set_flags(p->twin, id, flags), VN_OK);
}

static void move(pair* p, vn_obstacle_id id) {
    const vn_transform transform = some_transform(&p->rng);
    vn_detail detail = {.status = VN_OK}, twin_detail = {.status = VN_OK};
    const vn_status status = vn_nav_move(p->nav, id, &transform, &detail);
    count(p, status, vn_world_move(p->twin, id, &transform, &twin_detail));
    assert_int_equal(detail.status, twin_detail.status);

    vn_transform now, twin_now;
    const vn_status known = vn_nav_get_transform(p->nav, id, &now);
    assert_int_equal(known, vn_world_get_transform(p->twin, id, &twin_now));
    if (known == VN_OK)
        assert_memory_equal(&now, &twin_now, sizeof now);
}

static void add_zone(pair* p) {
    vn_zone_def def = vn_default_zone_def();
    const uint32_t at = vni_rng_below(&p->rng, MOST);
    vn_zone_id id = {0, 0}, twin_id = {0, 0};
    def.shape = some_shape(&p->rng);
    def.transform = some_transform(&p->rng);
    def.factor = some_number(&p->rng);
    count(p, vn_nav_add_zone(p->nav, &def, &id, NULL), vn_world_add_zone(p->twin, &def, &twin_id, NULL));
    assert_true(id.index1 == twin_id.index1);
    assert_true(id.generation == twin_id.generation);
    p->zones[at] = id.index1 ? id : p->zones[at];
}

static void call(pair* p) {
    const vn_obstacle_id id = p->ids[vni_rng_below(&p->rng, MOST)];
    const vn_zone_id zone = p->zones[vni_rng_below(&p->rng, MOST)];
    const vn_transform transform = some_transform(&p->rng);
    const uint32_t flags = vni_rng_below(&p->rng, 3);
    switch (vni_rng_below(&p->rng, 10)) {
    case 0:
    case 1: add(p); break;
    case 2: count(p, vn_nav_remove(p->nav, id), vn_world_remove(p->twin, id)); break;
    case 3: count(p, vn_nav_set_flags(p->nav, id, flags), vn_world_set_flags(p->twin, id, flags)); break;
    case 4: add_zone(p); break;
    case 5:
        count(p, vn_nav_move_zone(p->nav, zone, &transform, NULL),
              vn_world_move_zone(p->twin, zone, &transform, NULL));
        break;
    case 6: count(p, vn_nav_remove_zone(p->nav, zone), vn_world_remove_zone(p->twin, zone)); break;
    default: move(p, id); break;
    }
}

static void assert_agree(pair* p, const vn_nav_def* def) {
    vn_space* baked;
    uint64_t version;
    assert_true(vn_world_hash(p->nav->fixed.world) == vn_world_hash(p->twin));
    assert_int_equal(vn_space_bake(p->twin, &def->space, &baked, NULL), VN_OK);
    const vn_space* shown = vn_nav_pin(p->nav, 0, 0, &version);
    assert_true(vn_space_content_hash(shown) == vn_space_content_hash(baked));
    assert_int_equal(vn_nav_unpin(p->nav, version), VN_OK);
    vn_space_destroy(baked);
}

static void test_odd_numbers(void** state) {
    (void)state;
    const vn_world_def world_def = vn_default_world_def();
    vn_nav_def def = scene_def();
    pair p;
    memset(&p, 0, sizeof p);
    p.rng = vni_rng_make(vnt_seed("nav agreement", 3));
    def.space.bounds = (vn_box){{0, 0, 0}, {16, 12, 16}};
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_world_create(&world_def, &p.twin), VN_OK);
    assert_int_equal(vn_nav_create(world, &def, &p.nav, NULL), VN_OK);

    for (uint32_t i = 0; i < vnt_scale(600, 20000); ++i) {
        for (uint32_t k = vni_rng_below(&p.rng, 12); k > 0; --k)
            call(&p);
        assert_int_equal(vn_nav_tick(p.nav, NULL), VN_OK);
        assert_agree(&p, &def);
    }

    assert_true(p.taken > 300);
    assert_true(p.refused > 300);
    vn_world_destroy(p.twin);
    vn_nav_destroy(p.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_odd_numbers),
    };
    return cmocka_run_group_tests_name("nav/agreement", tests, NULL, NULL);
}
