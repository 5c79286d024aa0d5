/// tests/unit/path/test_check_hull.c: hulls that are convex only nearly: whatever baking leaves free, the
/// checker accepts, and what the triangles go around it refuses.
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "volnav/path.h"
#include "volnav/space.h"
#include "volnav/world.h"
#include <stdlib.h>

enum { L = VN_LATTICE, SIDE = 14 };

/// A needle: its largest extent is 1e6 m, so that dents of 10 m at its foot pass.
static vn_shape needle_of(const vn_vec3 vertices[6]) {
    return vnt_hull_of(vertices, 6, vnt_octahedron_faces, 8);
}

static vn_world* make_world(void) {
    vn_world_def def = vn_default_world_def();
    vn_world* world = NULL;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static vn_space* bake(const vn_world* world, float radius) {
    vn_space_def def = vn_default_space_def();
    def.radius = radius;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {SIDE, SIDE, SIDE}};
    vn_space* space = NULL;
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);

    return space;
}

/// The four diagonals of a voxel.
static bool diagonals_pass(const vn_world* world, const vn_space* space, vn_voxel v, float radius) {
    bool pass = true;
    for (int i = 0; i < 4; ++i) {
        const int x = i & 1, y = i >> 1;
        const vn_point ends[2] = {{(v.x + x) * L, (v.y + y) * L, v.z * L},
                                  {(v.x + 1 - x) * L, (v.y + 1 - y) * L, (v.z + 1) * L}};
        pass = pass && vn_world_check_path(world, space, ends, 2, (double)radius, NULL);
    }

    return pass;
}

/// Every free voxel is free for the checker; returns how many there are.
static uint32_t compare(const vn_world* world, float radius) {
    vn_space* space = bake(world, radius);
    uint32_t free = 0;
    for (int32_t i = 0; i < SIDE * SIDE * SIDE; ++i) {
        const vn_voxel v = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        if (!vn_space_voxel_free(space, v))
            continue;
        assert_true(diagonals_pass(world, space, v, radius));
        ++free;
    }

    vn_space_destroy(space);
    return free;
}

/// Vertex 0 stands 824 km out of the plane of the triangle 3, 1, 5, which is too small to be judged.
static void a_dented_foot_is_no_wall(void** state) {
    (void)state;
    static const vn_vec3 vertices[6] = {{13.625f, 1e6f, -1.625f},
                                        {-1.9754900932312012f, 4.5f, 8.75f},
                                        {-2, 0, -2},
                                        {1.75f, 3.4803919792175293f, 8.75f},
                                        {1.75f, 4.5f, 13.573529243469238f},
                                        {10.125f, 9.375f, 2}};
    vn_world* world = make_world();
    const vn_shape shape = needle_of(vertices);
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    assert_true(compare(world, 0) > 0);
    vn_world_destroy(world);
}

static float near(vni_rng* rng, double middle, double reach) {
    return (float)(middle + reach * (2 * vni_rng_real(rng) - 1));
}

/// An octahedron with one corner 1e6 m up, the others anywhere around its foot.
static void needles_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("path/check_hull needles", 17));
    const uint32_t rounds = vnt_scale(40, 1000);
    uint32_t accepted = 0, free = 0;
    for (uint32_t round = 0; round < rounds; ++round) {
        vn_vec3 vertices[6];
        const float half = near(&rng, 7, 3);
        vnt_octahedron((vn_vec3){7, 7, 7}, (vn_vec3){half, half, half}, vertices);
        for (int i = 0; i < 6; ++i)
            vertices[i] =
                (vn_vec3){near(&rng, (double)vertices[i].x, 4), near(&rng, (double)vertices[i].y, 4),
                          near(&rng, (double)vertices[i].z, 4)};

        vertices[2].y = 1e6f;
        vn_world* world = make_world();
        const vn_shape shape = needle_of(vertices);
        if (vn_world_add(world, &shape, NULL, NULL) == VN_OK) {
            ++accepted;
            free += compare(world, 0);
            free += compare(world, near(&rng, 0.75, 0.7));
        }

        vn_world_destroy(world);
    }

    print_message("%u of %u needles accepted, %u free voxels\n", accepted, rounds, free);
    assert_true(accepted > rounds / 10);
    assert_true(free > 0);
}

static bool is_free(const vn_world* world, const vn_space* space, vn_point a, vn_point b) {
    const vn_point points[2] = {a, b};
    return vn_world_check_path(world, space, points, 2, 0, NULL);
}

/// From the middle the faces are seen at equal angles, whose sum comes to exactly half a turn on its way.
static void what_is_enclosed_is_refused(void** state) {
    (void)state;
    vn_vec3 vertices[6];
    vnt_octahedron((vn_vec3){7, 7, 7}, (vn_vec3){4, 4, 4}, vertices);
    vn_world* world = make_world();
    const vn_shape shape = needle_of(vertices);
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    vn_space* space = bake(world, 0);

    const vn_point middle = {7 * L, 7 * L, 7 * L}, corner = {L, L, L};
    assert_false(is_free(world, space, middle, middle));
    assert_true(is_free(world, space, corner, corner));
    vni_rng rng = vni_rng_make(vnt_seed("path/check_hull inside", 5));
    for (uint32_t round = 0; round < vnt_scale(2000, 200000); ++round) {
        const vn_point p = {vni_rng_range(&rng, 2 * L, 12 * L), vni_rng_range(&rng, 2 * L, 12 * L),
                            vni_rng_range(&rng, 2 * L, 12 * L)};
        const int32_t away = abs(p.x - 7 * L) + abs(p.y - 7 * L) + abs(p.z - 7 * L);
        assert_int_equal(is_free(world, space, p, p), away >= 4 * L);
    }

    vn_space_destroy(space);
    vn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dented_foot_is_no_wall),
        cmocka_unit_test(needles_agree),
        cmocka_unit_test(what_is_enclosed_is_refused),
    };
    return cmocka_run_group_tests_name("path/check_hull", tests, NULL, NULL);
}
