/// Debug drawing into a sink that records: what is drawn is what is there; limits are exact; functions that
/// the host lacks are skipped; nothing is allocated.
#include "drawing.h"
#include "shapes.h"
#include "support.h"
#include "voxels.h"

#include "query/query_inside.h"

// --------------------------------------------------------------------------------------------------- spaces

typedef struct part {
    const vn_space* space;
    vn_voxel low, high;
} part;

static uint32_t draw_blocked(const void* what, const vn_draw* draw) {
    const part* p = what;
    return vn_space_draw_blocked(p->space, p->low, p->high, draw);
}

static uint32_t draw_cells(const void* what, const vn_draw* draw) {
    const part* p = what;
    return vn_space_draw_cells(p->space, p->low, p->high, draw);
}

static int32_t to_voxel(double at, double origin, double size) {
    double v = (at - origin) / size;
    assert_true(is_near(v, floor(v + 0.5), 1e-9));
    return (int32_t)floor(v + 0.5);
}

/// A box as voxels; it must lie within the dimensions.
static void box_of(const vn_space* s, const mark* m, vn_voxel* low, vn_voxel* high) {
    const double size = (double)s->resolution;
    const int32_t* dims = s->occupancy.dims;
    assert_int_equal(m->kind, BOX);
    *low = (vn_voxel){to_voxel(m->p[0].x, s->origin.x, size), to_voxel(m->p[0].y, s->origin.y, size),
                      to_voxel(m->p[0].z, s->origin.z, size)};
    *high = (vn_voxel){to_voxel(m->p[1].x, s->origin.x, size), to_voxel(m->p[1].y, s->origin.y, size),
                       to_voxel(m->p[1].z, s->origin.z, size)};
    assert_true(low->x >= 0);
    assert_true(low->y >= 0);
    assert_true(low->z >= 0);
    assert_true(low->x < high->x);
    assert_true(low->y < high->y);
    assert_true(low->z < high->z);
    assert_true(high->x <= dims[0]);
    assert_true(high->y <= dims[1]);
    assert_true(high->z <= dims[2]);
}

/// The boxes after the first are the blocked voxels of the part, each once, as runs that cannot be longer.
static void check_blocked(const part* p, const vnt_voxels* voxels, const recording* r) {
    vnt_voxels drawn = vnt_voxels_make(voxels->dims);
    vn_voxel low, high;
    box_of(p->space, &r->marks[0], &low, &high);
    assert_true(low.x == 0);
    assert_true(low.y == 0);
    assert_true(low.z == 0);

    assert_memory_equal(&high, &voxels->dims, sizeof high);
    for (uint32_t i = 1; i < r->count; ++i) {
        box_of(p->space, &r->marks[i], &low, &high);
        assert_true(high.y == low.y + 1);
        assert_true(high.z == low.z + 1);
        for (int32_t x = low.x; x < high.x; ++x) {
            assert_true(vnt_voxels_are_free(&drawn, x, low.y, low.z));
            vnt_voxels_block(&drawn, x, low.y, low.z);
        }

        assert_true(low.x == p->low.x || vnt_voxels_are_free(voxels, low.x - 1, low.y, low.z) || low.x == 0);
        assert_true(high.x == p->high.x || vnt_voxels_are_free(voxels, high.x, low.y, low.z) ||
                    high.x == voxels->dims.x);
    }

    for (int32_t i = 0; i < voxels->dims.x * voxels->dims.y * voxels->dims.z; ++i) {
        vn_voxel v = {i % voxels->dims.x, i / voxels->dims.x % voxels->dims.y,
                      i / voxels->dims.x / voxels->dims.y};
        bool inside = v.x >= p->low.x && v.y >= p->low.y && v.z >= p->low.z && v.x < p->high.x &&
                      v.y < p->high.y && v.z < p->high.z;
        assert_int_equal(drawn.blocked[i], inside && voxels->blocked[i]);
    }

    vnt_voxels_free(&drawn);
}

/// The cells that touch the part: free, apart from each other, and all of it.
static void check_cells(const part* p, const vnt_voxels* voxels, const recording* r) {
    vnt_voxels drawn = vnt_voxels_make(voxels->dims);
    for (uint32_t i = 0; i < r->count; ++i) {
        vn_voxel low, high;
        box_of(p->space, &r->marks[i], &low, &high);
        for (int32_t z = low.z; z < high.z; ++z)
            for (int32_t y = low.y; y < high.y; ++y)
                for (int32_t x = low.x; x < high.x; ++x) {
                    assert_true(vnt_voxels_are_free(voxels, x, y, z));
                    assert_true(vnt_voxels_are_free(&drawn, x, y, z));
                    vnt_voxels_block(&drawn, x, y, z);
                }

        for (uint32_t k = 0; k < i; ++k) {
            vn_voxel other, end;
            box_of(p->space, &r->marks[k], &other, &end);
            bool joined = vn_space_reachable(p->space, vn_voxel_center(low), vn_voxel_center(other));
            if (joined)
                assert_true(r->marks[i].color == r->marks[k].color);
        }
    }

    for (int32_t z = p->low.z; z < p->high.z; ++z)
        for (int32_t y = p->low.y; y < p->high.y; ++y)
            for (int32_t x = p->low.x; x < p->high.x; ++x)
                if (vnt_voxels_are_free(voxels, x, y, z))
                    assert_false(vnt_voxels_are_free(&drawn, x, y, z));

    vnt_voxels_free(&drawn);
}

static void test_spaces(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("draw, spaces", 4201));
    recording r = record_make();
    vn_jobs jobs = vn_serial_jobs();
    for (uint32_t i = 0; i < vnt_scale(40, 1000); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 12));
        vn_space* space = vnt_voxels_cells(&voxels, &jobs);
        space->resolution = 0.5f;
        space->origin = (vn_dvec3){1e6, -2e6, 3e6};

        part p = {space, {0, 0, 0}, voxels.dims};
        if (i % 2) {
            vn_voxel a = {vni_rng_range(&rng, -2, voxels.dims.x), vni_rng_range(&rng, -2, voxels.dims.y),
                          vni_rng_range(&rng, -2, voxels.dims.z)};
            p.low = a;
            p.high = (vn_voxel){a.x + vni_rng_range(&rng, 0, 8), a.y + vni_rng_range(&rng, 0, 8),
                                a.z + vni_rng_range(&rng, 0, 8)};
        }

        draw_every_way(draw_blocked, &p, &r);
        check_blocked(&p, &voxels, &r);
        draw_every_way(draw_cells, &p, &r);
        check_cells(&p, &voxels, &r);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    record_free(&r);
}

/// Walls across x make sixteen rooms: no two have the same colour.
static void test_component_colors(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){31, 2, 2});
    for (int32_t x = 1; x < 31; x += 2)
        for (int32_t i = 0; i < 4; ++i)
            vnt_voxels_block(&voxels, x, i & 1, i >> 1);

    vn_jobs jobs = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&voxels, &jobs);
    recording r = record_make();
    part p = {space, {0, 0, 0}, voxels.dims};
    draw_every_way(draw_cells, &p, &r);

    assert_int_equal(r.count, 16);
    for (uint32_t i = 0; i < 16; ++i)
        for (uint32_t k = 0; k < i; ++k)
            assert_true(r.marks[i].color != r.marks[k].color);

    record_free(&r);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// ---------------------------------------------------------------------------------------------------- world

static const vn_dvec3 far_away = {1e6, 2e6, -3e6};

typedef struct sight {
    const vn_world* world;
    const vn_box* box;
} sight;

static uint32_t draw_world(const void* what, const vn_draw* draw) {
    const sight* s = what;
    return vn_world_draw(s->world, s->box, draw);
}

static vn_world* world_of(const vn_shape* shapes, uint32_t count) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    def.origin = far_away;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    for (uint32_t i = 0; i < count; ++i)
        assert_int_equal(vn_world_add(world, &shapes[i], NULL, NULL), VN_OK);

    return world;
}

/// Draws one shape; its marks are moved back to local coordinates.
static void draw_shape(const vn_shape* shape, recording* r) {
    vn_world* world = world_of(shape, 1);
    sight s = {world, NULL};
    draw_every_way(draw_world, &s, r);
    for (uint32_t i = 0; i < r->count; ++i)
        for (int k = 0; k < 3; ++k) {
            r->marks[i].p[k].x -= far_away.x;
            r->marks[i].p[k].y -= far_away.y;
            r->marks[i].p[k].z -= far_away.z;
        }

    vn_world_destroy(world);
}

static void test_box(void** state) {
    (void)state;
    recording r = record_make();
    vn_shape box = vnt_box_shape((vn_vec3){1, 2, 3}, (vn_vec3){4, 6, 8});
    draw_shape(&box, &r);
    assert_true(r.count == 1);
    assert_true(r.of[BOX] == 1);
    assert_true(apart(r.marks[0].p[0], (vn_dvec3){1, 2, 3}) == 0);
    assert_true(apart(r.marks[0].p[1], (vn_dvec3){4, 6, 8}) == 0);
    record_free(&r);
}

static void test_oriented(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("draw, oriented", 4202));
    recording r = record_make();
    for (uint32_t i = 0; i < vnt_scale(50, 1000); ++i) {
        double q[4], length = 0;
        for (int k = 0; k < 4; ++k) {
            q[k] = vni_rng_real(&rng) * 2 - 1;
            length += q[k] * q[k];
        }

        length = sqrt(length) + 1e-9;
        vn_quat turn = {(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length),
                        (float)(q[3] / length)};
        vn_vec3 half = {(float)(1 + vni_rng_below(&rng, 4)), 2, 3}, center = {5, 6, 7};
        vn_shape shape = vnt_oriented_shape(center, half, turn);
        draw_shape(&shape, &r);
        assert_true(r.count == 12);
        assert_true(r.of[TRIANGLE] == 12);
        double area, volume, x = (double)half.x, far = sqrt(x * x + 13);
        measure(&r, &area, &volume);

        assert_true(is_near(area, 8 * (x * 2 + x * 3 + 6), 1e-5));
        assert_true(is_near(volume, 8 * x * 6, 1e-5));
        for (uint32_t k = 0; k < 12; ++k)
            for (int c = 0; c < 3; ++c) // corners are as far from the centre as nothing else
                assert_true(is_near(apart(r.marks[k].p[c], (vn_dvec3){5, 6, 7}), far, 1e-5));
    }

    record_free(&r);
}

static void test_sphere(void** state) {
    (void)state;
    recording r = record_make();
    vn_shape sphere = vnt_sphere_shape((vn_vec3){3, -4, 5}, 2.5f);
    draw_shape(&sphere, &r);
    assert_true(r.count == 320);
    assert_true(r.of[TRIANGLE] == 320);
    double area, volume, ball = 4.0 / 3 * 3.14159265358979 * 2.5 * 2.5 * 2.5;
    measure(&r, &area, &volume);

    assert_true(volume < ball);
    assert_true(volume > 0.95 * ball);
    for (uint32_t i = 0; i < r.count; ++i) {
        vni_vec out = vni_sub(vec(r.marks[i].p[0]), vni_v(3, -4, 5));
        assert_true(vni_dot(area_of(&r.marks[i]), out) > 0);
        for (int c = 0; c < 3; ++c)
            assert_true(is_near(apart(r.marks[i].p[c], (vn_dvec3){3, -4, 5}), 2.5, 1e-8));
    }

    record_free(&r);
}

static void test_triangles(void** state) {
    (void)state;
    recording r = record_make();
    vn_shape hull = vnt_hull_shape();
    draw_shape(&hull, &r);
    double area, volume;
    assert_true(r.count == 4);
    assert_true(r.of[TRIANGLE] == 4);
    measure(&r, &area, &volume);
    assert_true(is_near(volume, 1, 1e-8));
    vn_vec3 corners[6];
    vnt_octahedron((vn_vec3){1, 2, 3}, (vn_vec3){4, 5, 6}, corners);
    vn_shape mesh = {.kind = VN_SHAPE_MESH};
    mesh.as.mesh.vertices = corners;
    mesh.as.mesh.vertex_count = 6;
    mesh.as.mesh.indices = vnt_octahedron_faces;
    mesh.as.mesh.triangle_count = 8;
    draw_shape(&mesh, &r);

    assert_int_equal(r.count, 8);
    for (uint32_t i = 0; i < 8; ++i)
        for (int c = 0; c < 3; ++c) {
            vn_vec3 v = corners[vnt_octahedron_faces[3 * i + (uint32_t)c]];
            assert_true(apart(r.marks[i].p[c], (vn_dvec3){(double)v.x, (double)v.y, (double)v.z}) == 0);
        }

    record_free(&r);
}

static void test_voxel_sets(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("draw, voxel sets", 4203));
    recording r = record_make();
    for (uint32_t i = 0; i < vnt_scale(30, 500); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 14));
        int32_t all = voxels.dims.x * voxels.dims.y * voxels.dims.z;
        vn_voxel* list = calloc((uint32_t)all, sizeof *list);
        uint32_t count = 0;
        for (int32_t k = 0; k < all; ++k)
            if (voxels.blocked[k])
                list[count++] = (vn_voxel){k % voxels.dims.x, k / voxels.dims.x % voxels.dims.y,
                                           k / voxels.dims.x / voxels.dims.y};

        vn_shape shape = vnt_voxels_shape(voxels.dims, 0.5f, list, count);
        vn_world* world = world_of(&shape, 1);
        vn_space* frame = vnt_voxels_space(&voxels);
        frame->resolution = 0.5f;
        frame->origin = far_away;
        sight s = {world, NULL};
        draw_every_way(draw_world, &s, &r);

        // As if the bounds had been drawn first: the same boxes as those of a space.
        memmove(r.marks + 1, r.marks, r.count * sizeof(mark));
        r.marks[0] =
            (mark){.kind = BOX,
                   .p = {far_away, vn_space_point_to_world(frame, (vn_point){voxels.dims.x * VN_LATTICE,
                                                                             voxels.dims.y * VN_LATTICE,
                                                                             voxels.dims.z * VN_LATTICE})}};
        ++r.count;
        part p = {frame, {0, 0, 0}, voxels.dims};
        check_blocked(&p, &voxels, &r);
        vn_space_destroy(frame);
        vn_world_destroy(world);
        free(list);
        vnt_voxels_free(&voxels);
    }

    record_free(&r);
}

/// Only what touches the box; of meshes and voxel sets only the parts that do; flags change the colour.
static void test_world_box(void** state) {
    (void)state;
    static const vn_vec3 strip[8] = {{0, 0, 0},  {1, 0, 0},  {0, 1, 0},  {10, 0, 0},
                                     {11, 0, 0}, {10, 1, 0}, {20, 0, 0}, {20, 1, 0}};
    static const uint32_t triangles[9] = {0, 1, 2, 3, 4, 5, 5, 6, 7};
    const vn_voxel set[3] = {{0, 0, 0}, {1, 0, 0}, {10, 0, 0}};
    vn_shape shapes[4] = {vnt_box_shape((vn_vec3){0, 0, 0}, (vn_vec3){1, 1, 1}),
                          vnt_box_shape((vn_vec3){10, 0, 0}, (vn_vec3){11, 1, 1}),
                          {.kind = VN_SHAPE_MESH},
                          vnt_voxels_shape((vn_voxel){16, 1, 1}, 1, set, 3)};
    shapes[2].as.mesh.vertices = strip;
    shapes[2].as.mesh.vertex_count = 8;
    shapes[2].as.mesh.indices = triangles;
    shapes[2].as.mesh.triangle_count = 3;
    vn_world* world = world_of(shapes, 4);
    recording r = record_make();
    vn_box box = {{-5, -5, -5}, {5, 5, 5}}, nothing = {{100, 0, 0}, {101, 1, 1}};
    sight s = {world, NULL};
    draw_every_way(draw_world, &s, &r);
    assert_true(r.of[BOX] == 4);
    assert_true(r.of[TRIANGLE] == 3);
    s.box = &box;
    draw_every_way(draw_world, &s, &r);
    assert_true(r.of[BOX] == 2);
    assert_true(r.of[TRIANGLE] == 1);
    vn_color plain = r.marks[0].color;
    assert_int_equal(vn_world_set_flags(world, (vn_obstacle_id){1, 1}, 4), VN_OK);
    draw_every_way(draw_world, &s, &r);
    assert_true(r.marks[0].color != plain);
    assert_true(r.marks[1].color == plain);
    s.box = &nothing;
    draw_every_way(draw_world, &s, &r);
    assert_int_equal(r.count, 0);
    record_free(&r);
    vn_world_destroy(world);
}

// ------------------------------------------------------------------------------------------------- searches

static uint32_t draw_query(const void* what, const vn_draw* draw) {
    return vn_query_draw(what, draw);
}

/// A hall of 20 x 8 x 8 with a wall at x = 9 that leaves a gap at the top, and a closed cupboard.
static vn_space* make_hall(void) {
    vnt_voxels v = vnt_voxels_make((vn_voxel){20, 8, 8});
    for (int32_t z = 0; z < 8; ++z)
        for (int32_t y = 0; y < 7; ++y)
            vnt_voxels_block(&v, 9, y, z);

    for (int32_t i = 0; i < 27; ++i)
        if (i != 13)
            vnt_voxels_block(&v, 14 + i % 3, i / 3 % 3, i / 9);

    vn_jobs jobs = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&v, &jobs);
    space->resolution = 0.5f;
    space->origin = (vn_dvec3){1000, 0, -1000};
    vnt_voxels_free(&v);

    return space;
}

static vn_query* make_query(const vn_space* space, const vn_allocator* allocator) {
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.scratch = VN_SCRATCH_ALL;
    if (allocator != NULL)
        def.allocator = *allocator;

    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    return query;
}

static vn_status find(vn_query* query, vn_algo algo, vn_voxel from, vn_voxel to, vn_path_result* result) {
    vn_path_request request = vn_default_path_request();
    request.algo = algo;
    request.start = vn_voxel_center(from);
    request.goal = vn_voxel_center(to);
    return vn_query_find_path(query, &request, result, NULL);
}

static bool count_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    (void)low;
    (void)high;
    uint32_t* counts = user;
    ++counts[in_corridor];
    return true;
}

static bool is_inside(const vn_space* s, vn_dvec3 p) {
    const double x = p.x - s->origin.x, y = p.y - s->origin.y, z = p.z - s->origin.z;
    return x >= 0 && y >= 0 && z >= 0 && x <= 10 && y <= 4 && z <= 4;
}

static void test_path(void** state) {
    (void)state;
    vn_space* space = make_hall();
    vn_query* query = make_query(space, NULL);
    recording r = record_make();
    draw_every_way(draw_query, query, &r);

    assert_int_equal(r.count, 0); // nothing asked yet
    for (int cells = 0; cells < 2; ++cells) {
        vn_path_result result;
        assert_int_equal(find(query, cells ? VN_ALGO_CELLS : VN_ALGO_ASTAR, (vn_voxel){1, 1, 1},
                              (vn_voxel){18, 1, 6}, &result),
                         VN_OK);
        draw_every_way(draw_query, query, &r);
        uint32_t boxes[2] = {0, 0};
        vn_query_visit_expanded(query, count_box, boxes);
        assert_true(boxes[0] + boxes[1] > 0);
        assert_true(r.of[BOX] == boxes[0] + boxes[1]);
        assert_int_equal(r.of[LINE], result.point_count - 1);
        assert_int_equal(r.of[TEXT], 3);

        double length = 0;
        for (uint32_t i = 0; i < r.count; ++i) {
            const mark* m = &r.marks[i];
            length += m->kind == LINE ? apart(m->p[0], m->p[1]) : 0;
            assert_true(is_inside(space, m->p[0]));
            assert_true(m->kind == TEXT || is_inside(space, m->p[1]));
        }

        assert_true(is_near(length, result.length, 1e-9));
        assert_true(apart(find_text(&r, "start")->p[0], vn_space_point_to_world(space, result.start)) == 0);
        assert_true(apart(find_text(&r, "goal")->p[0], vn_space_point_to_world(space, result.goal)) == 0);
        assert_true(is_near(strtod(find_text(&r, " m")->text, NULL), result.length, 0.0051));
    }

    record_free(&r);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

/// The second piece of the path as a connection: eight dashes on its straight line, in another colour.
static void test_connection(void** state) {
    (void)state;
    vn_space* space = make_hall();
    vn_query* query = make_query(space, NULL);
    vn_path_result result;
    recording r = record_make();
    assert_int_equal(find(query, VN_ALGO_ASTAR, (vn_voxel){1, 1, 1}, (vn_voxel){18, 1, 6}, &result), VN_OK);
    assert_true(result.point_count >= 4);
    query->connection_uses[0] = (vn_connection_use){.point = 1};
    query->connection_use_count = 1;
    draw_every_way(draw_query, query, &r);
    assert_int_equal(r.of[LINE], result.point_count - 2 + 8);
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    vn_dvec3 a = vn_space_point_to_world(space, points[1]), b = vn_space_point_to_world(space, points[2]);

    const mark* lines = r.marks;
    while (lines->kind != LINE)
        ++lines;

    double drawn = 0;
    for (int i = 1; i < 9; ++i) {
        assert_true(lines[i].color == lines[1].color);
        assert_true(lines[i].color != lines[0].color);
        assert_true(is_near(apart(a, lines[i].p[0]) + apart(lines[i].p[0], b), apart(a, b), 1e-9));
        drawn += apart(lines[i].p[0], lines[i].p[1]);
    }

    assert_true(is_near(drawn, apart(a, b) * 8 / 15, 1e-9));
    assert_true(apart(lines[1].p[0], a) == 0);
    assert_true(is_near(apart(lines[8].p[1], b), 0, 1e-9));
    assert_true(lines[9].color == lines[0].color);
    record_free(&r);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

/// Each reason, at the end at fault.
static void test_failures(void** state) {
    (void)state;
    vn_space* space = make_hall();
    vn_query* query = make_query(space, NULL);
    vn_path_result result;
    recording r = record_make();
    const vn_voxel in = {1, 1, 1}, wall = {9, 2, 2}, cupboard = {15, 1, 1};
    assert_int_equal(find(query, VN_ALGO_CELLS, wall, in, &result), VN_START_BLOCKED);
    draw_every_way(draw_query, query, &r);
    assert_true(r.count == 4);
    assert_true(r.of[LINE] == 1);
    assert_true(r.of[TEXT] == 3);
    const mark* fault = find_text(&r, "start-blocked");
    assert_true(apart(fault->p[0], vn_space_point_to_world(space, result.start)) == 0);
    assert_true(apart(find_text(&r, "away")->p[0], vn_space_point_to_world(space, result.nearest)) == 0);
    assert_true(is_near(apart(r.marks[1].p[0], r.marks[1].p[1]), result.nearest_distance, 1e-3));
    assert_int_equal(find(query, VN_ALGO_CELLS, in, wall, &result), VN_GOAL_BLOCKED);
    draw_every_way(draw_query, query, &r);
    assert_true(apart(find_text(&r, "goal-blocked")->p[0], vn_space_point_to_world(space, result.goal)) == 0);
    assert_int_equal(find(query, VN_ALGO_CELLS, in, cupboard, &result), VN_NO_PATH);
    draw_every_way(draw_query, query, &r);
    assert_true(apart(find_text(&r, "no-path")->p[0], vn_space_point_to_world(space, result.goal)) == 0);
    assert_int_equal(find(query, VN_ALGO_CELLS, (vn_voxel){-3, 1, 1}, in, &result), VN_OUTSIDE);
    draw_every_way(draw_query, query, &r);
    assert_true(apart(find_text(&r, "outside")->p[0], vn_space_point_to_world(space, result.start)) == 0);
    query->result.status = VN_TOO_NARROW;
    query->result.end = VN_END_NONE;
    query->result.passing_radius = 0.25f;
    draw_every_way(draw_query, query, &r);
    assert_string_equal(find_text(&r, "too-narrow")->text, "goal: too-narrow, 0.25 m would pass");
    record_free(&r);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

static void test_goal_box_and_running(void** state) {
    (void)state;
    vn_space* space = make_hall();
    vn_query* query = make_query(space, NULL);
    recording r = record_make();
    vn_path_request request = vn_default_path_request();
    request.algo = VN_ALGO_DIJKSTRA;
    request.start = vn_voxel_center((vn_voxel){1, 1, 1});
    request.goal = vn_voxel_center((vn_voxel){18, 1, 6});
    assert_int_equal(vn_query_begin(query, &request, NULL), VN_OK);
    assert_int_equal(vn_query_step(query, 20), VN_RUNNING);
    draw_every_way(draw_query, query, &r);
    assert_true(r.of[BOX] == 20);
    assert_true(r.of[LINE] == 0);
    assert_true(find_text(&r, "running"));
    query->request.goal_kind = VN_GOAL_BOX;
    query->goal_low = (vn_point){0, 1024, 2048};
    query->goal_high = (vn_point){4096, 4096, 4096};
    draw_every_way(draw_query, query, &r);
    assert_int_equal(r.of[BOX], 21);
    assert_true(apart(find_text(&r, "goal")->p[0], (vn_dvec3){1001, 1.25, -998.5}) == 0);
    query->goal_high.x = -1;
    draw_every_way(draw_query, query, &r);
    assert_int_equal(r.of[BOX], 20); // nothing is inside
    record_free(&r);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

// ----------------------------------------------------------------------------------------------------- hits

typedef struct ray {
    const vn_space* space;
    vn_point from;
    vn_hit hit;
} ray;

static uint32_t draw_hit(const void* what, const vn_draw* draw) {
    const ray* q = what;
    return vn_hit_draw(q->space, q->from, &q->hit, draw);
}

static void test_hit(void** state) {
    (void)state;
    vn_space* space = make_hall();
    recording r = record_make();
    ray q = {.space = space, .from = vn_voxel_center((vn_voxel){1, 1, 1})};
    q.hit.position = (vn_dvec3){1004, 1, -999};
    q.hit.contact = (vn_dvec3){1004.5, 1, -999};
    draw_every_way(draw_hit, &q, &r);
    assert_int_equal(r.of[LINE], 4);
    assert_true(apart(r.marks[0].p[0], vn_space_point_to_world(space, q.from)) == 0);

    assert_true(apart(r.marks[0].p[1], q.hit.position) == 0);
    for (int i = 1; i < 4; ++i) {
        assert_true(apart(r.marks[i].p[0], q.hit.contact) == 0.0625);
        assert_true(apart(r.marks[i].p[1], q.hit.contact) == 0.0625);
    }

    q.hit.normal = (vn_vec3){-1, 0, 0};
    draw_every_way(draw_hit, &q, &r);
    assert_int_equal(r.of[LINE], 5);
    assert_true(apart(r.marks[4].p[1], (vn_dvec3){1004, 1, -999}) == 0);
    record_free(&r);
    vn_space_destroy(space);
}

// --------------------------------------------------------------------------------------------------- memory

static void test_allocates_nothing(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    vn_world_def world_def = vn_default_world_def();
    world_def.allocator = allocator;
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    vn_shape sphere = vnt_sphere_shape((vn_vec3){3, 3, 3}, 1), hull = vnt_hull_shape();
    assert_int_equal(vn_world_add(world, &sphere, NULL, NULL), VN_OK);
    assert_int_equal(vn_world_add(world, &hull, NULL, NULL), VN_OK);
    vn_space_def def = vn_default_space_def();
    def.allocator = allocator;
    def.resolution = 0.5f;
    vn_space* space;
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_query* query = make_query(space, &allocator);
    vn_path_result result;
    assert_int_equal(find(query, VN_ALGO_CELLS, (vn_voxel){7, 0, 0}, (vn_voxel){0, 7, 7}, &result), VN_OK);
    uint64_t calls = memory.calls;
    recording r = record_make();
    vn_draw draw = sink(&r, 15, 0);
    vn_voxel low = {0, 0, 0}, high = {1000, 1000, 1000};
    vn_hit hit = {0};
    assert_true(vn_world_draw(world, NULL, &draw) > 0);
    assert_true(vn_space_draw_blocked(space, low, high, &draw) > 0);
    assert_true(vn_space_draw_cells(space, low, high, &draw) > 0);
    assert_true(vn_query_draw(query, &draw) > 0);
    assert_true(vn_hit_draw(space, result.start, &hit, &draw) > 0);
    assert_int_equal(memory.calls, calls);
    record_free(&r);
    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spaces),     cmocka_unit_test(test_component_colors),
        cmocka_unit_test(test_box),        cmocka_unit_test(test_oriented),
        cmocka_unit_test(test_sphere),     cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_voxel_sets), cmocka_unit_test(test_world_box),
        cmocka_unit_test(test_path),       cmocka_unit_test(test_connection),
        cmocka_unit_test(test_failures),   cmocka_unit_test(test_goal_box_and_running),
        cmocka_unit_test(test_hit),        cmocka_unit_test(test_allocates_nothing),
    };

    return cmocka_run_group_tests_name("query/draw", tests, NULL, NULL);
}
