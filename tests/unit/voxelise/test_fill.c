/// tests/unit/voxelise/test_fill.c: the inside of meshes against winding numbers by solid angles, volumes,
/// holes and wrong orientations.
#include "base/rng.h"
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"
#include "voxelise/fill.h"
#include "voxelise/fill_exact.h"
#include "voxelise/stamp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VERTICES  20000
#define MAX_TRIANGLES 40000
#define PI            3.14159265358979323846

/// A mesh in the making, in voxel units. One at a time.
typedef struct maker {
    vni_mesh mesh;
    vn_vec3 vertices[MAX_VERTICES];
    uint32_t indices[3 * MAX_TRIANGLES];
} maker;

static maker* start(void) {
    static maker m;
    m.mesh = (vni_mesh){.vertices = m.vertices, .indices = m.indices};
    return &m;
}

static uint32_t vertex(maker* m, double x, double y, double z) {
    assert_true(m->mesh.vertex_count < MAX_VERTICES);
    m->vertices[m->mesh.vertex_count] = (vn_vec3){(float)x, (float)y, (float)z};
    return m->mesh.vertex_count++;
}

static void triangle(maker* m, uint32_t a, uint32_t b, uint32_t c) {
    assert_true(m->mesh.triangle_count < MAX_TRIANGLES);
    uint32_t* i = m->indices + 3 * m->mesh.triangle_count++;
    i[0] = a;
    i[1] = b;
    i[2] = c;
}

static void flip(maker* m, uint32_t index) {
    uint32_t* i = m->indices + 3 * index;
    uint32_t swap = i[1];
    i[1] = i[2];
    i[2] = swap;
}

static void remove_triangle(maker* m, uint32_t index) {
    memcpy(m->indices + 3 * index, m->indices + 3 * --m->mesh.triangle_count, 3 * sizeof(uint32_t));
}

static void add_box(maker* m, const double low[3], const double high[3]) {
    const uint32_t* faces = vnt_box_faces;
    uint32_t first = m->mesh.vertex_count;
    for (int i = 0; i < 8; ++i)
        vertex(m, i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]);
    for (int i = 0; i < 36; i += 3)
        triangle(m, first + faces[i], first + faces[i + 1], first + faces[i + 2]);
}

/// A grid of quads that closes on itself in both directions; `at` gives the point of two angles.
static void add_wrapped(maker* m, uint32_t n, uint32_t k, void (*at)(double, double, const double*, double*),
                        const double* shape) {
    uint32_t first = m->mesh.vertex_count;
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < k; ++j) {
            double p[3];
            at(2 * PI * i / n, 2 * PI * j / k, shape, p);
            vertex(m, p[0], p[1], p[2]);
        }

    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < k; ++j) {
            uint32_t a = first + i * k + j, b = first + (i + 1) % n * k + j;
            uint32_t c = first + i * k + (j + 1) % k, d = first + (i + 1) % n * k + (j + 1) % k;
            triangle(m, a, b, c);
            triangle(m, b, d, c);
        }
}

/// shape: centre (3), radius of the ring, radius of the tube.
static void torus_at(double u, double v, const double* s, double* p) {
    double r = s[3] + s[4] * cos(v);
    p[0] = s[0] + r * cos(u);
    p[1] = s[1] + r * sin(u);
    p[2] = s[2] + s[4] * sin(v);
}

/// A sphere as a cube whose faces are bulged; shape as above with s[3] = radius.
static void add_sphere(maker* m, const double c[3], double radius, uint32_t n) {
    for (int face = 0; face < 6; ++face) {
        uint32_t first = m->mesh.vertex_count;
        int axis = face / 2;
        for (uint32_t i = 0; i <= n; ++i)
            for (uint32_t j = 0; j <= n; ++j) {
                double d[3];
                d[axis] = face % 2 ? 1 : -1;
                d[(axis + 1) % 3] = 2.0 * i / n - 1;
                d[(axis + 2) % 3] = 2.0 * j / n - 1;
                double l = radius / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                vertex(m, c[0] + d[0] * l, c[1] + d[1] * l, c[2] + d[2] * l);
            }

        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t j = 0; j < n; ++j) {
                uint32_t a = first + i * (n + 1) + j, b = a + n + 1;
                triangle(m, a, face % 2 ? b : a + 1, face % 2 ? a + 1 : b);
                triangle(m, b, face % 2 ? b + 1 : a + 1, face % 2 ? a + 1 : b + 1);
            }
    }
}

static double signed_volume(const maker* m, double size) {
    double sum = 0;
    for (uint32_t i = 0; i < m->mesh.triangle_count; ++i) {
        vni_triangle t = vni_mesh_triangle(&m->mesh, i);
        sum += vni_dot(t.a, vni_cross(t.b, t.c)) / 6;
    }
    return sum / (size * size * size);
}

// ----------------------------------------------------------------------------------------------- marking

typedef struct filled {
    int32_t dims[3], blocks[3];
    uint64_t* dense;
} filled;

static filled fill(const maker* m, double size, int32_t x, int32_t y, int32_t z) {
    filled f = {{x, y, z}, {(x + 63) / 64, (y + 63) / 64, (z + 63) / 64}, NULL};
    vn_allocator allocator = vn_default_allocator();
    vni_frame frame = {{0, 0, 0}, size};
    vni_inside* inside;
    assert_int_equal(vni_inside_make(&allocator, &m->mesh, &frame, f.dims, &inside), VN_OK);
    size_t count = (size_t)(f.blocks[0] * f.blocks[1] * f.blocks[2]);

    f.dense = calloc(count * VNI_BLOCK_BRICKS, sizeof *f.dense);
    for (int32_t i = 0; i < (int32_t)count; ++i)
        vni_inside_mark(inside, i % f.blocks[0], i / f.blocks[0] % f.blocks[1], i / f.blocks[0] / f.blocks[1],
                        f.dense + (size_t)i * VNI_BLOCK_BRICKS);

    vni_inside_free(&allocator, inside);
    return f;
}

static bool is_inside(const filled* f, int32_t x, int32_t y, int32_t z) {
    size_t block = (size_t)((x >> 6) + f->blocks[0] * ((y >> 6) + f->blocks[1] * (z >> 6)));
    return f->dense[block * VNI_BLOCK_BRICKS + vni_dense_index(x, y, z)] >> vni_bit_of(x, y, z) & 1;
}

/// Voxels inside; also those beyond the dimensions, of which there must be none.
static uint64_t count_inside(const filled* f) {
    uint64_t within = 0, all = 0;
    for (int32_t z = 0; z < f->blocks[2] * 64; ++z)
        for (int32_t y = 0; y < f->blocks[1] * 64; ++y)
            for (int32_t x = 0; x < f->blocks[0] * 64; ++x) {
                bool in = is_inside(f, x, y, z);
                all += in;
                within += in && x < f->dims[0] && y < f->dims[1] && z < f->dims[2];
            }

    assert_int_equal(all, within);
    return within;
}

/// Winding number of a point by the solid angles of the triangles (van Oosterom and Strackee); *distance: to
/// the surface.
static double winding(const maker* m, vni_vec p, double* distance) {
    double sum = 0, nearest = INFINITY;
    for (uint32_t i = 0; i < m->mesh.triangle_count; ++i) {
        vni_triangle t = vni_mesh_triangle(&m->mesh, i);
        double d = vni_point_triangle_distance2(p, &t);
        nearest = d < nearest ? d : nearest;
        vni_vec a = vni_sub(t.a, p), b = vni_sub(t.b, p), c = vni_sub(t.c, p);
        double la = vni_length(a), lb = vni_length(b), lc = vni_length(c);
        double over = vni_dot(a, vni_cross(b, c));
        double under = la * lb * lc + vni_dot(a, b) * lc + vni_dot(b, c) * la + vni_dot(c, a) * lb;
        sum += 2 * atan2(over, under);
    }

    *distance = sqrt(nearest);
    return sum / (4 * PI);
}

/// Every voxel whose centre is not on the surface.
static void compare_with_winding(const maker* m, int32_t x, int32_t y, int32_t z, bool by_parity) {
    filled f = fill(m, 1, x, y, z);
    for (int32_t k = 0; k < z; ++k)
        for (int32_t j = 0; j < y; ++j)
            for (int32_t i = 0; i < x; ++i) {
                double distance, w = winding(m, vni_v(i + 0.5, j + 0.5, k + 0.5), &distance);
                int64_t number = (int64_t)floor(w + 0.5);
                bool expected = by_parity ? number % 2 != 0 : number != 0;
                if (distance > 1e-5 && expected != is_inside(&f, i, j, k))
                    fail_msg("voxel %d %d %d: winding number %g, distance %g", i, j, k, w, distance);
            }

    count_inside(&f);
    free(f.dense);
}

// -------------------------------------------------------------------------------------------------- tests

/// Overlapping boxes and tetrahedra with corners on half voxels: nearly every line runs through edges and
/// vertices.
static void test_lines_through_edges(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fill/edges", 21));
    for (uint32_t round = 0; round < vnt_scale(60, 400); ++round) {
        maker* m = start();
        for (int part = 0; part < 3; ++part) {
            double low[3], high[3];
            for (int i = 0; i < 3; ++i) {
                low[i] = vni_rng_range(&rng, -4, 20) / 2.0;
                high[i] = low[i] + vni_rng_range(&rng, 1, 16) / 2.0;
            }

            if (part == 0) {
                add_box(m, low, high);
                continue;
            }

            uint32_t v[4];
            for (int k = 0; k < 4; ++k)
                v[k] = vertex(m, vni_rng_range(&rng, -4, 30) / 2.0, vni_rng_range(&rng, -4, 30) / 2.0,
                              vni_rng_range(&rng, -4, 30) / 2.0);

            triangle(m, v[0], v[1], v[2]);
            triangle(m, v[0], v[3], v[1]);
            triangle(m, v[1], v[3], v[2]);
            triangle(m, v[2], v[3], v[0]);
        }

        compare_with_winding(m, 13, 14, 12, false);
    }
}

/// The same with vertices anywhere, and a torus.
static void test_winding(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fill/winding", 22));
    for (uint32_t round = 0; round < vnt_scale(6, 30); ++round) {
        maker* m = start();
        double ring[5] = {7 + vni_rng_real(&rng), 7 + vni_rng_real(&rng), 5 + vni_rng_real(&rng), 5, 2};
        add_wrapped(m, 17, 11, torus_at, ring);
        double center[3] = {8, 8 + vni_rng_real(&rng), 6};
        add_sphere(m, center, 3 + vni_rng_real(&rng), 3);

        compare_with_winding(m, 15, 16, 11, false);
        for (uint32_t i = 0; i < m->mesh.triangle_count; ++i)
            flip(m, i);

        compare_with_winding(m, 15, 16, 11, false);
    }
}

/// Closed, with some triangles the wrong way round: a convex shape fills as if nothing were wrong, and so
/// does a torus but for few voxels.
static void test_flipped_triangles(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fill/flipped", 23));
    for (uint32_t round = 0; round < vnt_scale(10, 60); ++round) {
        maker* m = start();
        double center[3] = {20 + vni_rng_real(&rng), 20.5, 20.5};
        bool sphere = round % 2 == 0;
        double ring[5] = {center[0], center[1], center[2], 12, 6};
        if (sphere)
            add_sphere(m, center, 15, 8);
        else
            add_wrapped(m, 40, 20, torus_at, ring);

        filled before = fill(m, 1, 41, 42, 43);
        uint32_t flips = sphere ? m->mesh.triangle_count / 2 : 20;
        for (uint32_t i = 0; i < flips; ++i)
            flip(m, vni_rng_below(&rng, m->mesh.triangle_count));

        filled after = fill(m, 1, 41, 42, 43);
        uint64_t different = 0, all = count_inside(&before);
        for (int32_t z = 0; z < 43; ++z)
            for (int32_t y = 0; y < 42; ++y)
                for (int32_t x = 0; x < 41; ++x)
                    different += is_inside(&before, x, y, z) != is_inside(&after, x, y, z);

        assert_true(all > 8000);
        assert_true(sphere ? different == 0 : different * 100 < all);
        free(before.dense);
        free(after.dense);
    }
}

/// A hole that is seen along one axis only changes nothing; small holes anywhere cost next to nothing, and
/// nothing outside fills.
static void test_holes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fill/holes", 24));
    maker* m = start();
    double low[3] = {3.5, 4.25, 5}, high[3] = {40.5, 41, 42};
    add_box(m, low, high);

    filled whole = fill(m, 1, 50, 50, 50);
    for (uint32_t i = 0; i < 12; ++i) {
        maker* copy = start();
        add_box(copy, low, high);
        remove_triangle(copy, i);
        filled holed = fill(copy, 1, 50, 50, 50);
        assert_int_equal(count_inside(&holed), count_inside(&whole));
        assert_memory_equal(holed.dense, whole.dense, VNI_BLOCK_BRICKS * sizeof(uint64_t));
        free(holed.dense);
    }

    free(whole.dense);
    for (uint32_t round = 0; round < vnt_scale(10, 60); ++round) {
        m = start();
        double center[3] = {32.5, 32.5 + vni_rng_real(&rng), 32};
        add_sphere(m, center, 25, 16);
        whole = fill(m, 1, 66, 66, 66);
        for (int i = 0; i < 8; ++i)
            remove_triangle(m, vni_rng_below(&rng, m->mesh.triangle_count));

        filled holed = fill(m, 1, 66, 66, 66);
        uint64_t all = count_inside(&whole), rest = count_inside(&holed), outside = 0;
        for (int32_t z = 0; z < 66; ++z)
            for (int32_t y = 0; y < 66; ++y)
                for (int32_t x = 0; x < 66; ++x)
                    outside += is_inside(&holed, x, y, z) && !is_inside(&whole, x, y, z);

        assert_true(rest <= all);
        assert_true((all - rest) * 200 < all);
        assert_int_equal(outside, 0);
        free(whole.dense);
        free(holed.dense);
    }
}

/// Two boxes whose facing sides are missing: the lines along x take the gap for inside, and are outvoted.
static void test_facing_holes(void** state) {
    (void)state;
    double low[2][3] = {{2, 2, 2}, {20, 2, 2}}, high[2][3] = {{10, 12, 12}, {28, 12, 12}};
    maker* m = start();
    add_box(m, low[0], high[0]);
    m->mesh.triangle_count -= 2;
    add_box(m, low[1], high[1]);
    remove_triangle(m, 10 + 9);
    remove_triangle(m, 10 + 8);
    filled f = fill(m, 1, 30, 14, 14);
    assert_int_equal(count_inside(&f), 2 * 8 * 10 * 10);
    assert_true(is_inside(&f, 5, 5, 5));
    assert_true(is_inside(&f, 25, 5, 5));
    assert_true(!is_inside(&f, 15, 5, 5));
    free(f.dense);
}

/// (n + 1)(n - 1) is n n - 1, and (n + k)(n + k) is n (n + 2 k) + k k: far beyond what doubles tell apart.
static void test_exact_signs(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fill/exact", 25));
    for (int i = 0; i < 10000; ++i) {
        int64_t n = (int64_t)(vni_rng_next(&rng) >> (3 + vni_rng_below(&rng, 58))) + 2,
                k = (int64_t)vni_rng_below(&rng, 1000);
        assert_int_equal(vni_difference_sign(n + 1, n - 1, n, n), -1);
        assert_int_equal(vni_difference_sign(n, n, n + 1, n - 1), 1);
        assert_int_equal(vni_difference_sign(-n, n, n + 1, 1 - n), -1);
        assert_int_equal(vni_difference_sign(-n, -n, n, n), 0);
        assert_int_equal(vni_difference_sign(n + k, n + k, n, n + 2 * k), k > 0);
        assert_int_equal(vni_difference_sign(0, n, k, 0), 0);
        assert_int_equal(vni_difference_sign(n, 1, -n, 1), 1);
    }
}

/// A cavity whose walls face it stays free; one whose walls face away fills.
static void test_cavity(void** state) {
    (void)state;
    for (int away = 0; away < 2; ++away) {
        maker* m = start();
        double center[3] = {20, 20, 20};
        add_sphere(m, center, 18, 8);
        uint32_t outer = m->mesh.triangle_count;

        add_sphere(m, center, 9, 8);
        for (uint32_t i = outer; i < m->mesh.triangle_count && !away; ++i)
            flip(m, i);

        filled f = fill(m, 1, 40, 40, 40);
        assert_int_equal(is_inside(&f, 20, 20, 20), away);
        assert_true(is_inside(&f, 20, 6, 20));
        free(f.dense);
    }
}

/// The count of centres inside converges to the volume as voxels get smaller.
static void test_volume_converges(void** state) {
    (void)state;
    for (int shape = 0; shape < 2; ++shape) {
        for (int level = 0; level < 4; ++level) {
            maker* m = start();
            double center[3] = {10.1, 10.3, 10.2}, ring[5] = {10.1, 10.3, 10.2, 6, 2.5},
                   size = 1 / (double)(1 << level);
            if (shape)
                add_wrapped(m, 48, 24, torus_at, ring);
            else
                add_sphere(m, center, 8, 12);

            int32_t n = 20 << level;
            filled f = fill(m, size, n, n, n);
            double volume = signed_volume(m, size), error = fabs((double)count_inside(&f) - volume) / volume;
            assert_true(volume > 0);
            assert_true(error < 0.03 * size);
            free(f.dense);
        }
    }
}

/// A mesh that reaches far beyond the grid, or lies outside it; coordinates that no double product could
/// settle.
static void test_far_meshes(void** state) {
    (void)state;
    maker* m = start();
    double low[3] = {-900000, -800000.5, -700000.5}, high[3] = {5.5, 800000, 900000};
    add_box(m, low, high);
    filled f = fill(m, 1, 70, 9, 9);
    assert_int_equal(count_inside(&f), 6 * 9 * 9 - (is_inside(&f, 5, 4, 4) ? 0 : 9 * 9));
    assert_true(is_inside(&f, 4, 4, 4));
    assert_true(!is_inside(&f, 6, 4, 4));
    free(f.dense);
    f = fill(m, 0.0001, 70, 9, 9);
    assert_int_equal(count_inside(&f), 70 * 9 * 9);
    free(f.dense);
    m = start();
    double away_low[3] = {-20, 1, 1}, away_high[3] = {-10, 5, 5};
    add_box(m, away_low, away_high);
    f = fill(m, 1, 10, 10, 10);
    assert_int_equal(count_inside(&f), 0);
    free(f.dense);
}

static void test_out_of_memory(void** state) {
    (void)state;
    maker* m = start();
    double center[3] = {20, 20, 20};
    add_sphere(m, center, 18, 6);
    vni_frame frame = {{0, 0, 0}, 1};
    const int32_t dims[3] = {40, 40, 40};

    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        assert_true(k < 100);
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_inside* inside;
        status = vni_inside_make(&allocator, &m->mesh, &frame, dims, &inside);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_true(status == VN_OK || inside == NULL);
        vni_inside_free(&allocator, inside);
        assert_true(memory.live_blocks == 0);
        assert_true(memory.live_bytes == 0);
        assert_true(!memory.mismatch);
    }
}

/// In slices of any size the same comes out as at once; no slice is much more than what it was given.
static void test_slices(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("fill slices", 1102));
    maker* m = start();
    double center[3] = {30, 30, 30}, low[3] = {20, 3, 3}, high[3] = {61, 61, 9};
    add_sphere(m, center, 28, 6);
    add_box(m, low, high);
    vni_frame frame = {{0, 0, 0}, 1};
    const int32_t dims[3] = {64, 64, 64};
    vn_allocator allocator = vn_default_allocator();
    static uint64_t whole[VNI_BLOCK_BRICKS], sliced[VNI_BLOCK_BRICKS];
    vni_inside* inside;
    assert_int_equal(vni_inside_make(&allocator, &m->mesh, &frame, dims, &inside), VN_OK);
    memset(whole, 0, sizeof whole);
    vni_inside_mark(inside, 0, 0, 0, whole);

    vni_inside_free(&allocator, inside);
    for (uint32_t i = 0; i < vnt_scale(20, 200); ++i) {
        uint32_t slices = 0, most = 1 + vni_rng_below(&rng, 5000);
        double done = 0;
        vn_status status = vni_inside_begin(&allocator, &m->mesh, &frame, dims, &inside);
        while (status == VN_OK && (status = vni_inside_step(&allocator, inside, most)) == VN_RUNNING) {
            assert_true(vni_inside_progress(inside) >= done);
            assert_true(vni_inside_progress(inside) < 1);
            done = vni_inside_progress(inside);
            status = VN_OK;
            ++slices;
        }

        assert_int_equal(status, VN_OK);
        assert_true(slices >= 3 * 64 * 64 / most);
        assert_int_equal(vni_inside_step(&allocator, inside, 1), VN_OK);
        memset(sliced, 0, sizeof sliced);
        vni_inside_mark(inside, 0, 0, 0, sliced);
        assert_memory_equal(sliced, whole, sizeof whole);
        vni_inside_free(&allocator, inside);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_through_edges),
        cmocka_unit_test(test_winding),
        cmocka_unit_test(test_flipped_triangles),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_facing_holes),
        cmocka_unit_test(test_exact_signs),
        cmocka_unit_test(test_cavity),
        cmocka_unit_test(test_volume_converges),
        cmocka_unit_test(test_far_meshes),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_out_of_memory),
    };

    return cmocka_run_group_tests_name("space/fill", tests, NULL, NULL);
}
