/// What the world finds out about meshes: area, volume, degenerate triangles, open edges, and whether they
/// can be filled.
#include "base/rng.h"
#include "shapes.h"
#include "support.h"
#include "world/world.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>

static vnt_mesh mesh;

static void clear(void) {
    memset(&mesh, 0, sizeof mesh);
}

static bool solid_in_world; ///< of the last call of measure

static vn_obstacle_info measure(void) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    vn_obstacle_id id;
    vn_obstacle_info info;
    vn_shape shape = vnt_mesh_shape(&mesh, true);
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    solid_in_world = vni_world_obstacle(world, 0)->as.mesh.solid;
    assert_int_equal(solid_in_world, info.fillable);
    vn_world_destroy(world);

    return info;
}

static void assert_near(double value, double expected) {
    assert_true(fabs(value - expected) <= 1e-9 * (1 + fabs(expected)));
}

static void closed_cubes(void** state) {
    (void)state;
    clear();
    vnt_add_cube(&mesh, 3, 0);
    vn_obstacle_info info = measure();
    assert_int_equal(info.open_edges, 0);
    assert_int_equal(info.degenerate, 0);
    assert_near(info.area, 54);
    assert_near(info.volume, 27);
    assert_true(info.fillable);
    vnt_flip(&mesh);
    info = measure();
    assert_int_equal(info.open_edges, 0);
    assert_near(info.volume, -27);

    assert_true(info.fillable);
    for (uint32_t i = 0; i < mesh.vertex_count; ++i)
        mesh.vertices[i].x += 900000;

    assert_near(measure().volume, -27);
}

static void parts_may_repeat_and_touch(void** state) {
    (void)state;
    clear();
    vnt_add_cube(&mesh, 2, 0);
    vnt_add_cube(&mesh, 2, 0);
    vn_obstacle_info info = measure();
    assert_int_equal(info.open_edges, 0);
    assert_near(info.volume, 16);

    assert_true(info.fillable);
    for (uint32_t i = 0; i < 144; ++i) { // the first cube now shares an edge only
        mesh.vertices[i].x += 2;
        mesh.vertices[i].y += 2;
    }

    info = measure();
    assert_int_equal(info.open_edges, 0);
    assert_true(info.fillable);
}

static void small_holes_are_fillable(void** state) {
    (void)state;
    clear();
    vnt_add_cube(&mesh, 10, 1);
    vn_obstacle_info info = measure();
    assert_int_equal(info.open_edges, 4);
    assert_near(info.area, 599);
    assert_true(info.fillable);
    clear();
    vnt_add_cube(&mesh, 10, 4); // 16 of 100 quads of its face
    assert_true(measure().fillable);
    clear();
    vnt_add_cube(&mesh, 10, 5); // 25
    info = measure();
    assert_int_equal(info.open_edges, 20);
    assert_false(info.fillable);
}

/// A cube of 600 quads without each `step`th.
static vn_obstacle_info measure_sieve(uint32_t step) {
    clear();
    vnt_add_cube(&mesh, 10, 0);
    uint32_t kept = 0;
    for (uint32_t quad = 0; quad < 600; ++quad) {
        if (quad % step == 0)
            continue;
        memmove(mesh.indices + 6 * kept, mesh.indices + 6 * quad, 6 * sizeof *mesh.indices);
        ++kept;
    }

    mesh.triangle_count = 2 * kept;
    return measure();
}

static void many_small_holes_are_one_large_one(void** state) {
    (void)state;
    vn_obstacle_info info = measure_sieve(41); // 15 holes
    assert_int_equal(info.open_edges, 60);
    assert_true(info.fillable);
    info = measure_sieve(13); // 47 holes
    assert_int_equal(info.open_edges, 188);
    assert_false(info.fillable);
}

static void a_missing_lid_is_no_small_hole(void** state) {
    (void)state;
    clear();
    vnt_add_cube(&mesh, 1, 0);
    mesh.triangle_count -= 2; // the face z = 1 comes last
    for (uint32_t i = 0; i < mesh.vertex_count; ++i)
        mesh.vertices[i].z *= 100; // a deep shaft: the lid is 0.25 % of the area

    vn_obstacle_info info = measure();
    assert_int_equal(info.open_edges, 4);
    assert_false(info.fillable);
}

static void height_fields_and_triangles_are_open(void** state) {
    (void)state;
    clear();
    vnt_add_triangle(&mesh, vnt_vec(0, 0, 0), vnt_vec(1, 0, 0), vnt_vec(0, 1, 0));
    vn_obstacle_info info = measure();
    assert_int_equal(info.open_edges, 3);
    assert_near(info.area, 0.5);
    assert_false(info.fillable);

    clear();
    for (int x = 0; x < 10; ++x) {
        for (int y = 0; y < 10; ++y) {
            float a = (float)x, b = (float)y;
            float h[4] = {(float)(x * y % 7), (float)((x + 1) * y % 7), (float)((x + 1) * (y + 1) % 7),
                          (float)(x * (y + 1) % 7)};
            vnt_add_quad(&mesh, vnt_vec(a, b, h[0]), vnt_vec(a + 1, b, h[1]), vnt_vec(a + 1, b + 1, h[2]),
                         vnt_vec(a, b + 1, h[3]));
        }
    }

    info = measure();
    assert_int_equal(info.open_edges, 40);
    assert_false(info.fillable);
    clear();
    vnt_add_triangle(&mesh, vnt_vec(0, 0, 0), vnt_vec(1, 0, 0), vnt_vec(0, 1, 0));
    vnt_add_triangle(&mesh, vnt_vec(0, 0, 0), vnt_vec(0, 1, 0), vnt_vec(1, 0, 0)); // its other side closes it
    info = measure();
    assert_int_equal(info.open_edges, 0);
    assert_true(info.volume == 0);
}

/// A tube of 16 sides around z, turned about x by the angle with this cosine and sine.
static void add_tube(float length, float cosine, float sine) {
    vn_vec3 rim[2][17];
    for (int end = 0; end < 2; ++end) {
        for (int i = 0; i < 17; ++i) {
            double angle = (i % 16) * 0.39269908169872414;
            float x = (float)cos(angle), y = (float)sin(angle), z = end == 0 ? 0 : length;
            rim[end][i] = vnt_vec(x, cosine * y - sine * z, sine * y + cosine * z);
        }
    }

    for (int i = 0; i < 16; ++i)
        vnt_add_quad(&mesh, rim[0][i], rim[0][i + 1], rim[1][i + 1], rim[1][i]);
}

static void tubes_are_open(void** state) {
    (void)state;
    const float lengths[] = {0.5f, 2, 10, 1000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        clear();
        add_tube(lengths[i], 1, 0);
        vn_obstacle_info info = measure();
        assert_int_equal(info.open_edges, 32);
        assert_false(info.fillable);
        clear();
        add_tube(lengths[i], 0.8f, 0.6f);
        assert_false(measure().fillable);
    }
}

/// A vertex in the middle of an edge that the triangle on the other side does not know: the crack is an open
/// edge, but no hole.
static void cracks_are_no_holes(void** state) {
    (void)state;
    clear();
    vnt_add_cube(&mesh, 1, 0);
    vn_vec3 a = mesh.vertices[mesh.indices[0]], b = mesh.vertices[mesh.indices[1]],
            c = mesh.vertices[mesh.indices[2]];
    vn_vec3 middle = vnt_vec((a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2);
    mesh.vertices[mesh.indices[1]] = middle;
    vnt_add_triangle(&mesh, middle, b, c);
    vn_obstacle_info info = measure();
    assert_int_equal(info.open_edges, 3);
    assert_near(info.volume, 1);
    assert_true(info.fillable);
}

static void degenerate_triangles_are_counted(void** state) {
    (void)state;
    clear();
    vnt_add_cube(&mesh, 1, 0);
    vnt_add_triangle(&mesh, vnt_vec(0, 0, 0), vnt_vec(0, 0, 0), vnt_vec(0, 0, 0));
    vnt_add_triangle(&mesh, vnt_vec(0, 0, 0), vnt_vec(1, 0, 0), vnt_vec(0, 0, 0));
    vn_obstacle_info info = measure();
    assert_int_equal(info.degenerate, 2);
    assert_int_equal(info.open_edges, 0);
    assert_true(info.fillable);
    vnt_add_triangle(&mesh, vnt_vec(0, 0, 0), vnt_vec(0.25f, 0.25f, 0.25f), vnt_vec(1, 1, 1));
    info = measure();
    assert_int_equal(info.degenerate, 3);
    assert_int_equal(info.open_edges, 3);
    assert_true(info.fillable);
    clear();
    vnt_add_triangle(&mesh, vnt_vec(0, 0, 0), vnt_vec(1, 0, 0), vnt_vec(2, 0, 0));
    info = measure();
    assert_int_equal(info.degenerate, 1);
    assert_false(info.fillable);
}

static void both_zeros_are_one_position(void** state) {
    (void)state;
    clear();
    vnt_add_cube(&mesh, 1, 0);
    for (uint32_t i = 0; i < mesh.vertex_count; i += 2) {
        if (mesh.vertices[i].y == 0)
            mesh.vertices[i].y = -0.0f;
    }

    assert_int_equal(measure().open_edges, 0);
}

static void unused_vertices_do_not_widen_the_bounds(void** state) {
    (void)state;
    clear();
    vnt_add_cube(&mesh, 1, 0);
    mesh.vertices[mesh.vertex_count++] = vnt_vec(100, 100, 100);
    assert_true(measure().bounds.max.x == 1);
}

static bool is_same(vn_vec3 a, vn_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// How many triangles run from a to b, less those from b to a.
static int balance(vn_vec3 a, vn_vec3 b) {
    int sum = 0;
    for (uint32_t i = 0; i < 3 * mesh.triangle_count; ++i) {
        vn_vec3 p = mesh.vertices[mesh.indices[i]],
                q = mesh.vertices[mesh.indices[i % 3 == 2 ? i - 2 : i + 1]];
        sum += is_same(p, a) && is_same(q, b);
        sum -= is_same(p, b) && is_same(q, a);
    }

    return sum;
}

static uint32_t brute_open_edges(void) {
    uint32_t open = 0;
    for (uint32_t i = 0; i < 3 * mesh.triangle_count; ++i) {
        vn_vec3 p = mesh.vertices[mesh.indices[i]],
                q = mesh.vertices[mesh.indices[i % 3 == 2 ? i - 2 : i + 1]];
        bool is_first = true;
        for (uint32_t j = 0; j < i && is_first; ++j) {
            vn_vec3 a = mesh.vertices[mesh.indices[j]],
                    b = mesh.vertices[mesh.indices[j % 3 == 2 ? j - 2 : j + 1]];
            is_first = !((is_same(p, a) && is_same(q, b)) || (is_same(p, b) && is_same(q, a)));
        }

        open += is_first && !is_same(p, q) && balance(p, q) != 0;
    }

    return open;
}

static void open_edges_agree_with_brute_force(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("world/mesh open edges", 31));
    for (uint32_t round = 0; round < vnt_scale(150, 3000); ++round) {
        clear();
        uint32_t triangles = 1 + vni_rng_below(&rng, 60);
        for (uint32_t i = 0; i < triangles; ++i) { // few positions, so that much coincides
            vn_vec3 v[3];
            for (int corner = 0; corner < 3; ++corner)
                v[corner] = vnt_vec((float)vni_rng_below(&rng, 2), (float)vni_rng_below(&rng, 2),
                                    (float)vni_rng_below(&rng, 2));
            vnt_add_triangle(&mesh, v[0], v[1], v[2]);
        }

        assert_int_equal(measure().open_edges, brute_open_edges());
    }
}

static int warnings;

static void count_warning(void* user, vn_log_level level, const char* message) {
    (void)user;
    warnings += level == VN_LOG_WARNING && strstr(message, "solid") != NULL;
}

static void an_open_mesh_that_was_to_be_solid_warns(void** state) {
    (void)state;
    warnings = 0;
    vn_set_log_handler(count_warning, NULL);
    clear();
    vnt_add_cube(&mesh, 1, 0);
    measure();
    assert_true(solid_in_world);
    assert_int_equal(warnings, 0);
    mesh.triangle_count -= 2;
    measure();
    assert_false(solid_in_world);
    assert_int_equal(warnings, 1);
    vn_set_log_handler(NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_cubes),
        cmocka_unit_test(parts_may_repeat_and_touch),
        cmocka_unit_test(small_holes_are_fillable),
        cmocka_unit_test(many_small_holes_are_one_large_one),
        cmocka_unit_test(a_missing_lid_is_no_small_hole),
        cmocka_unit_test(height_fields_and_triangles_are_open),
        cmocka_unit_test(tubes_are_open),
        cmocka_unit_test(cracks_are_no_holes),
        cmocka_unit_test(degenerate_triangles_are_counted),
        cmocka_unit_test(both_zeros_are_one_position),
        cmocka_unit_test(unused_vertices_do_not_widen_the_bounds),
        cmocka_unit_test(open_edges_agree_with_brute_force),
        cmocka_unit_test(an_open_mesh_that_was_to_be_solid_warns),
    };

    return cmocka_run_group_tests_name("world/mesh", tests, NULL, NULL);
}
