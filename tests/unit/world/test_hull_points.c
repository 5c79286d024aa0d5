/// tests/unit/world/test_hull_points.c: convex hulls of points: against qhull where it is installed, and by
/// what a hull is: closed, convex, outwards, with every point inside.
#include "base/rng.h"
#include "cmocka_all.h"
#include "geom/predicates.h"
#include "shapes.h"
#include "support.h"
#include "world/world.h"
#include <stdlib.h>

#ifdef VNT_QHULL
#include <libqhull_r/qhull_ra.h>
#endif

#define MOST 600

typedef struct cloud {
    vn_vec3 points[MOST];
    uint32_t count;
} cloud;

// ------------------------------------------------------------------------------------------------- clouds

static float real(vni_rng* rng, double reach) {
    return (float)((2 * vni_rng_real(rng) - 1) * reach);
}

/// Anywhere in a cube; on a small lattice; near a sphere; on the faces of a box; nearly on a plane; on two
/// circles; on a lattice that is turned, where rounding leaves faces not quite flat.
static vn_vec3 random_point(vni_rng* rng, uint32_t kind) {
    vn_vec3 p = vnt_vec(real(rng, 9), real(rng, 9), real(rng, 9));
    const vn_vec3 whole = vnt_vec((float)vni_rng_range(rng, -2, 2), (float)vni_rng_range(rng, -2, 2),
                                  (float)vni_rng_range(rng, -2, 2));
    const float angle = real(rng, 3.14159265), length = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z) + 1e-6f;
    switch (kind) {
    case 0: return p;
    case 1: return whole;
    case 2: return vnt_vec(7 * p.x / length, 7 * p.y / length, 7 * p.z / length);
    case 3: (&p.x)[vni_rng_below(rng, 3)] = vni_rng_below(rng, 2) ? 9.0f : -9.0f; return p;
    case 4: p.z = 3 * p.x - 2 * p.y + real(rng, 0.01); return p;
    case 5: return vnt_vec(5 * cosf(angle), 5 * sinf(angle), vni_rng_below(rng, 2) ? 1.0f : 3.0f);
    default:
        return vnt_vec(0.36f * whole.x + 0.48f * whole.y - 0.8f * whole.z, -0.8f * whole.x + 0.6f * whole.y,
                       0.48f * whole.x + 0.64f * whole.y + 0.6f * whole.z);
    }
}

static void make_cloud(cloud* c, vni_rng* rng, uint32_t kind) {
    c->count = 5 + vni_rng_below(rng, vni_rng_below(rng, 3) ? 40 : MOST - 5);
    for (uint32_t i = 0; i < c->count; ++i)
        c->points[i] =
            i > 0 && vni_rng_below(rng, 10) == 0 ? c->points[vni_rng_below(rng, i)] : random_point(rng, kind);
}

static void shuffle(cloud* c, vni_rng* rng) {
    for (uint32_t i = c->count; i-- > 1;) {
        const uint32_t k = vni_rng_below(rng, i + 1);
        const vn_vec3 t = c->points[i];
        c->points[i] = c->points[k];
        c->points[k] = t;
    }
}

// ------------------------------------------------------------------------------------------------ judging

/// Every edge once in each direction, every vertex used, every point behind every face: exactly.
static void assert_hull(const vn_hull* hull, const cloud* c) {
    assert_int_equal(hull->triangle_count, 2 * hull->vertex_count - 4);
    const size_t pairs = (size_t)hull->vertex_count * hull->vertex_count;
    uint8_t* edges = calloc(pairs, 1);
    assert_non_null(edges);
    for (uint32_t t = 0; t < hull->triangle_count; ++t) {
        const uint32_t* v = hull->indices + 3 * (size_t)t;
        for (int k = 0; k < 3; ++k) {
            uint8_t* edge = &edges[v[k] * (size_t)hull->vertex_count + v[(k + 1) % 3]];
            assert_int_equal(*edge, 0);
            *edge = 1;
        }

        for (uint32_t i = 0; i < c->count; ++i)
            assert_true(vni_side_of_plane(hull->vertices[v[0]], hull->vertices[v[1]], hull->vertices[v[2]],
                                          c->points[i]) <= 0);
    }

    for (uint32_t a = 0; a < hull->vertex_count; ++a)
        for (uint32_t b = 0; b < hull->vertex_count; ++b)
            assert_int_equal(edges[a * (size_t)hull->vertex_count + b],
                             edges[b * (size_t)hull->vertex_count + a]);
    free(edges);
}

static double volume_in_world(const vn_hull* hull) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    vn_obstacle_id id;
    vn_obstacle_info info;
    vn_detail detail;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    const vn_shape shape = vn_hull_shape(hull);
    if (vn_world_add(world, &shape, &id, &detail) != VN_OK)
        fail_msg("%s", detail.text);
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    vn_world_destroy(world);
    return info.volume;
}

#ifdef VNT_QHULL
/// The volume by qhull; below 0 if it finds none.
static double volume_by_qhull(const cloud* c) {
    static double coordinates[3 * MOST];
    for (uint32_t i = 0; i < c->count; ++i) {
        coordinates[3 * i] = (double)c->points[i].x;
        coordinates[3 * i + 1] = (double)c->points[i].y;
        coordinates[3 * i + 2] = (double)c->points[i].z;
    }

    qhT state;
    char command[] = "qhull FA";
    FILE* silent = fopen("/dev/null", "w");
    qh_zero(&state, silent);
    const int failed = qh_new_qhull(&state, 3, (int)c->count, coordinates, False, command, silent, silent);
    double volume = -1;
    if (failed == 0) {
        qh_getarea(&state, state.facet_list);
        volume = state.totvol;
    }

    int blocks = 0, bytes = 0;
    qh_freeqhull(&state, !qh_ALL);
    qh_memfreeshort(&state, &blocks, &bytes);
    if (silent != NULL)
        fclose(silent);
    return volume;
}

static void compare_with_qhull(const cloud* c, double volume) {
    const double expected = volume_by_qhull(c);
    if (expected >= 0)
        assert_true(fabs(volume - expected) <= 1e-6 * (expected + 1e-3));
}
#else
static void compare_with_qhull(const cloud* c, double volume) {
    (void)c;
    (void)volume;
}
#endif

// -------------------------------------------------------------------------------------------------- tests

/// The same in any order, each point given several times or once.
static void assert_same_in_any_order(cloud* c, const vn_hull* hull, vni_rng* rng) {
    vn_hull again;
    shuffle(c, rng);
    assert_int_equal(vn_hull_from_points(NULL, c->points, c->count, &again, NULL), VN_OK);
    assert_int_equal(again.vertex_count, hull->vertex_count);
    assert_memory_equal(again.vertices, hull->vertices, hull->vertex_count * sizeof *hull->vertices);
    assert_memory_equal(again.indices, hull->indices,
                        3 * (size_t)hull->triangle_count * sizeof *hull->indices);
    vn_hull_free(&again);

    // Its own vertices give the same hull: all of them are extreme.
    assert_int_equal(vn_hull_from_points(NULL, hull->vertices, hull->vertex_count, &again, NULL), VN_OK);
    assert_int_equal(again.vertex_count, hull->vertex_count);
    vn_hull_free(&again);
}

static void hulls_are_hulls(void** state) {
    (void)state;
    static cloud c;
    vni_rng rng = vni_rng_make(vnt_seed("hull/points", 51));
    uint32_t made = 0;
    for (uint32_t round = 0; round < vnt_scale(210, 10000); ++round) {
        make_cloud(&c, &rng, round % 7);
        vn_hull hull;
        vn_detail detail;
        const vn_status status = vn_hull_from_points(NULL, c.points, c.count, &hull, &detail);
        if (status == VN_DEGENERATE)
            continue;
        if (status != VN_OK)
            fail_msg("kind %u: %s", round % 7, detail.text);

        ++made;
        assert_hull(&hull, &c);
        compare_with_qhull(&c, volume_in_world(&hull));
        assert_same_in_any_order(&c, &hull, &rng);
        vn_hull_free(&hull);
    }

    assert_true(made > 150);
}

/// All points of a lattice: 8 corners, 12 triangles, nothing on edges or faces.
static void lattices_have_corners_only(void** state) {
    (void)state;
    vn_vec3 points[125];
    for (int i = 0; i < 125; ++i)
        points[i] = vnt_vec((float)(i % 5), (float)(i / 5 % 5), (float)(i / 25));
    vn_hull hull;
    assert_int_equal(vn_hull_from_points(NULL, points, 125, &hull, NULL), VN_OK);
    assert_int_equal(hull.vertex_count, 8);
    assert_int_equal(hull.triangle_count, 12);
    assert_true(volume_in_world(&hull) == 64);
    vn_hull_free(&hull);
    vn_hull_free(&hull);
    vn_hull_free(NULL);
}

static void refuse(const vn_vec3* points, uint32_t count, vn_status status, const char* word) {
    vn_hull hull;
    vn_detail detail = {0};
    assert_int_equal(vn_hull_from_points(NULL, points, count, &hull, &detail), status);
    assert_non_null(strstr(detail.text, word));
    assert_null(hull.vertices);
    vn_hull_free(&hull);
}

static void what_has_no_volume_is_refused(void** state) {
    (void)state;
    vn_vec3 points[64];
    refuse(NULL, 0, VN_DEGENERATE, "no points");
    for (int i = 0; i < 64; ++i)
        points[i] = vnt_vec(0.1f, 0.2f, 0.3f);
    refuse(points, 64, VN_DEGENERATE, "same");
    for (int i = 0; i < 64; ++i)
        points[i] = vnt_vec((float)i * 0.125f, (float)i * 0.25f, -(float)i);
    refuse(points, 64, VN_DEGENERATE, "line");
    for (int i = 0; i < 64; ++i)
        points[i] = vnt_vec((float)(i % 8), (float)(i / 8), (float)(i % 8) - 2 * (float)(i / 8));
    refuse(points, 64, VN_DEGENERATE, "plane");
    points[9].z += 1e-6f; // thinner than a world makes a difference
    refuse(points, 64, VN_DEGENERATE, "plane");
    points[7].y = NAN;
    refuse(points, 64, VN_BAD_DATA, "point 7");
    points[7].y = 2e6f;
    refuse(points, 64, VN_BAD_DATA, "point 7");
}

/// Each allocation fails once; nothing is held then.
static void running_out_of_memory(void** state) {
    (void)state;
    static cloud c;
    vni_rng rng = vni_rng_make(52);
    make_cloud(&c, &rng, 0);
    for (uint64_t fail_at = 0;; ++fail_at) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = fail_at;
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_hull hull;
        const vn_status status = vn_hull_from_points(&allocator, c.points, c.count, &hull, NULL);
        if (status == VN_OK)
            vn_hull_free(&hull);
        assert_int_equal(memory.live_blocks, 0);
        if (status == VN_OK) {
            assert_true(fail_at > 5);
            return;
        }
        assert_int_equal(status, VN_OUT_OF_MEMORY);
    }
}

/// Signs of volumes of small whole tetrahedra in integers, and the same far from the origin, where doubles
/// alone lose them.
static void sides_are_exact(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("hull/sides", 53));
    uint32_t flat = 0;
    for (uint32_t round = 0; round < vnt_scale(20000, 500000); ++round) {
        int64_t at[4][3];
        vn_vec3 p[4];
        const bool far = round % 2;
        for (int i = 0; i < 4; ++i) {
            for (int k = 0; k < 3; ++k) {
                at[i][k] = vni_rng_range(&rng, -2, 2) + (far ? 900001 : 0);
                (&p[i].x)[k] = (float)at[i][k];
            }
        }

        int64_t u[3][3];
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                u[i][k] = at[i + 1][k] - at[0][k];
        const int64_t volume = u[0][0] * (u[1][1] * u[2][2] - u[1][2] * u[2][1]) +
                               u[0][1] * (u[1][2] * u[2][0] - u[1][0] * u[2][2]) +
                               u[0][2] * (u[1][0] * u[2][1] - u[1][1] * u[2][0]);
        assert_int_equal(vni_side_of_plane(p[0], p[1], p[2], p[3]), (volume > 0) - (volume < 0));
        flat += volume == 0;
        // A change of one digit is seen.
        if (volume == 0 && !vni_are_collinear(p[0], p[1], p[2])) {
            const vn_vec3 up = vnt_vec(p[3].x, p[3].y, nextafterf(p[3].z, 2e6f));
            const int64_t lean = u[0][0] * u[1][1] - u[0][1] * u[1][0];
            assert_int_equal(vni_side_of_plane(p[0], p[1], p[2], up), (lean > 0) - (lean < 0));
        }
    }

    assert_true(flat > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_are_hulls),
        cmocka_unit_test(lattices_have_corners_only),
        cmocka_unit_test(what_has_no_volume_is_refused),
        cmocka_unit_test(running_out_of_memory),
        cmocka_unit_test(sides_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
