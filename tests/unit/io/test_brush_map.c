/// Maps of brushes: solids from planes against the planes themselves, what blocks by rule, both forms of
/// texture alignment, bad text and its line, memory, hostile bytes.
#include "cmocka_all.h"
#include "io/brush.h"
#include "support.h"
#include "tests/unit/io/text.h"
#include "volnav/io.h"
#include <math.h>
#include <stdio.h>

static vn_status read_text(const char* bytes, size_t size, size_t chunk, const vn_allocator* allocator,
                           vn_brush_map* map, vn_detail* detail) {
    vnt_text text = vnt_text_of(bytes, size);
    text.chunk = chunk;
    vn_source source = vnt_text_source(&text);
    return vn_brush_map_read(&source, allocator, map, detail);
}

static void assert_empty(const vn_brush_map* map) {
    assert_null(map->vertices);
    assert_null(map->indices);
    assert_null(map->brushes);
    assert_int_equal(map->brush_count + map->vertex_count + map->index_count, 0);
}

#define CLASSIC " 0 0 0 1 1\n"
#define VALVE   " [ 1 0 0 0 ] [ 0 -1 0 0 ] 0 1 1\n"

/// The box from (0, 0, 0) to (2, 3, 4).
#define BOX_OF(texture, end)                                                                                 \
    "{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) " texture end "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) stone" end                \
    "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) stone" end "( 2 3 4 ) ( 2 4 4 ) ( 3 3 4 ) stone" end                      \
    "( 2 3 4 ) ( 3 3 4 ) ( 2 3 5 ) stone" end "( 2 3 4 ) ( 2 3 5 ) ( 2 4 4 ) stone" end "}\n"
#define BOX BOX_OF("stone", CLASSIC)

static vn_obstacle_info add_to_world(const vn_brush_map* map, uint64_t brush) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    vn_obstacle_id id;
    vn_detail detail = {0};
    vn_shape shape = vn_brush_map_shape(map, brush);
    vn_obstacle_info info = {0};

    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, &shape, &id, &detail), VN_OK);
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    vn_world_destroy(world);
    return info;
}

/// A map with this text has the box as its only brush, which is a door if `door`.
static void accept_box(const char* text, uint64_t skipped, bool door) {
    for (size_t chunk = 1; chunk < 40; chunk += 13) {
        vn_brush_map map;
        vn_detail detail = {0};
        assert_int_equal(read_text(text, strlen(text), chunk, NULL, &map, &detail), VN_OK);
        assert_int_equal(map.brush_count, 1);
        assert_int_equal(map.vertex_count, 8);
        assert_int_equal(map.index_count, 36);
        assert_int_equal(map.skipped, skipped);
        assert_int_equal(map.broken, 0);
        assert_true(map.brushes[0].is_door == door);

        const vn_obstacle_info info = add_to_world(&map, 0);
        assert_true(info.volume == 24);
        assert_true(info.area == 52);
        vn_brush_map_free(&map);
        assert_empty(&map);
    }
}

static void good_maps(void** state) {
    (void)state;
    accept_box("{\n" BOX "}\n", 0, false);
    accept_box("// a comment\n{\n\"classname\" \"worldspawn\" // another\n" BOX "}", 0, false);
    accept_box("{\n" BOX_OF("stone", VALVE) "}\n", 0, false);
    accept_box("{\n" BOX_OF("stone", " 0 0 0 1 1 134217728 0 0\n") "}\n", 0, false);
    accept_box("{\r\n" BOX_OF("\"two words\"", " 0 0 0 1 1 // end\r\n") "}\r\n", 0, false);
    accept_box("{\n" BOX_OF("{fence(", VALVE) "}\n", 0, false);
    accept_box("{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) twice" CLASSIC
               "( 0 7 0 ) ( 0 9 0 ) ( 0 7 2 ) twice" CLASSIC "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) a" CLASSIC
               "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a" CLASSIC "( 2 3 4 ) ( 2 4 4 ) ( 3 3 4 ) a" CLASSIC
               "( 2 3 4 ) ( 3 3 4 ) ( 2 3 5 ) a" CLASSIC "( 2 3 4 ) ( 2 3 5 ) ( 2 4 4 ) a" CLASSIC "}\n}\n",
               0, false);
    accept_box("{\n\"message\" \"} // {\"\n" BOX "}\n", 0, false);
    accept_box("{{( 0 0 0 )(0 1 0)(0 0 1) a 0 0 0 1 1\n(0 0 0)(0 0 1)(1 0 0) a 0 0 0 1 1\n"
               "(0 0 0)(1 0 0)(0 1 0) a 0 0 0 1 1\n(2 3 4)(2 4 4)(3 3 4) a 0 0 0 1 1\n"
               "(2 3 4)(3 3 4)(2 3 5) a 0 0 0 1 1\n(2 3 4)(2 3 5)(2 4 4) a 0 0 0 1 1\n}}",
               0, false);
}

/// Every rule: what blocks and what does not, also when the class follows the brushes.
static void rules(void** state) {
    (void)state;
    accept_box("{\n\"classname\" \"func_wall\"\n" BOX "}\n", 0, false);
    accept_box("{\n\"classname\" \"func_door_secret\"\n" BOX "}\n", 0, true);
    accept_box("{\n" BOX "}\n{\n\"classname\" \"trigger_once\"\n" BOX BOX "}\n", 2, false);
    accept_box("{\n" BOX "\"classname\" \"trigger_once\"\n}\n{\n" BOX "}\n", 1, false);
    accept_box("{\n" BOX "}\n{\n\"classname\" \"func_illusionary\"\n" BOX "}\n", 1, false);
    accept_box("{\n" BOX "}\n{\n\"classname\" \"monster_x\"\n" BOX "}\n", 1, false);
    const char* const textures[] = {BOX_OF("clip", CLASSIC),        BOX_OF("common/Clip", CLASSIC),
                                    BOX_OF("*water1", CLASSIC),     BOX_OF("!slime", CLASSIC),
                                    BOX_OF("trigger", CLASSIC),     BOX_OF("HINT", CLASSIC),
                                    BOX_OF("origin", CLASSIC),      BOX_OF("common/areaportal", CLASSIC),
                                    BOX_OF("monsterclip", CLASSIC), BOX_OF("playerclip", CLASSIC)};
    for (size_t i = 0; i < sizeof textures / sizeof *textures; ++i) {
        char text[2048];
        snprintf(text, sizeof text, "{\n%s%s}\n", textures[i], BOX);
        accept_box(text, 1, false);
    }

    accept_box("{\n" BOX_OF("eclipse", CLASSIC) "}\n", 0, false);
    accept_box("{\n" BOX_OF("skip", CLASSIC) "}\n", 0, false);
    accept_box("{\n" BOX_OF("sky", CLASSIC) "}\n", 0, false);
}

static void refuse_as(const char* text, vn_status status, uint32_t line, const char* words) {
    for (size_t chunk = 1; chunk < 40; chunk += 13) {
        vnt_memory memory = vnt_memory_make();
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_brush_map map;
        vn_detail detail = {0};
        assert_int_equal(read_text(text, strlen(text), chunk, &allocator, &map, &detail), status);
        assert_int_equal(detail.status, status);
        assert_int_equal(detail.line, line);
        assert_non_null(strstr(detail.text, words));
        assert_empty(&map);
        assert_int_equal(memory.live_blocks, 0);
    }
}

static void refuse(const char* text, uint32_t line, const char* words) {
    refuse_as(text, VN_BAD_FORMAT, line, words);
}

static void bad_maps(void** state) {
    (void)state;
    refuse("", 1, "no entity");
    refuse("// nothing\n", 2, "no entity");
    refuse("solid cube\n", 1, "the '{' of an entity");
    refuse("{", 1, "truncated");
    refuse("{\n" BOX, 10, "truncated");
    refuse("{\n}\n}\n", 3, "'}' is not the '{'");
    refuse("{\n\"classname\n}\n", 2, "no quote");
    refuse("{\n\"classname\"\n}\n", 2, "the line ends before a value");
    refuse("{\n\"a\" b\n}\n", 2, "a value in quotes");
    refuse("{\nword\n}\n", 2, "a key in quotes");
    refuse("{\n{\nface\n}\n}\n", 3, "a face");
    refuse("{\n{\n( 0 0 0 ) ( 0 1 0 ) x 0 0 0 1 1\n}\n}\n", 3, "'x' is not '('");
    refuse("{\n{\n( 0 0 x ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n}\n}\n", 3, "'x' is not a number");
    refuse("{\n{\n( 0 0 nan ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n}\n}\n", 3, "is not a number");
    refuse("{\n{\n( 0 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n}\n}\n", 3, "'0' is not ')'");
    refuse("{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0\n 1 ) a 0 0 0 1 1\n}\n}\n", 3, "the line ends");
    refuse("{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )\n}\n}\n", 3, "the line ends before a texture");
    refuse("{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1\n}\n}\n", 3, "all its numbers");
    refuse("{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a [ 0 0 0 1 ] 0 0 0 1 1\n}\n}\n", 3, "all its numbers");
    refuse("{\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 b 1\n}\n}\n", 3, "'b' is not a number");
    refuse_as("{\n{\n( 0 0 1e7 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n}\n}\n", VN_TOO_LARGE, 3, "1e6 units");
    refuse_as("{\n{\npatchDef2\n{\n}\n}\n}\n", VN_UNSUPPORTED, 3, "patches");
    refuse_as("{\n{\nbrushDef3\n{\n}\n}\n}\n", VN_UNSUPPORTED, 3, "Valve 220");
}

static void too_many_faces(void** state) {
    (void)state;
    const char face[] = "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n";
    char* text = malloc(8 + sizeof face * 130);
    assert_non_null(text);
    strcpy(text, "{\n{\n");
    for (int i = 0; i < 129; ++i)
        strcat(text, face);
    refuse_as(text, VN_TOO_LARGE, 131, "128 faces");
    free(text);
}

/// Brushes that are no solids are counted and left out; the rest of the map is read.
static void broken_brushes(void** state) {
    (void)state;
    const char text[] =
        "{\n" BOX "{\n( 0 0 0 ) ( 0 1 0 ) ( 0 2 0 ) a" CLASSIC "}\n"
        "{\n}\n"
        "{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a" CLASSIC "}\n"
        "{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a" CLASSIC "( 1 0 0 ) ( 1 1 0 ) ( 1 0 1 ) a" CLASSIC "}\n}\n";
    vn_brush_map map;
    assert_int_equal(read_text(text, sizeof text - 1, SIZE_MAX, NULL, &map, NULL), VN_OK);
    assert_int_equal(map.brush_count, 1);
    assert_int_equal(map.broken, 4);
    assert_int_equal(map.broken_line, 10);
    vn_brush_map_free(&map);

    const char none[] = "{\n\"classname\" \"light\"\n}\n";
    assert_int_equal(read_text(none, sizeof none - 1, SIZE_MAX, NULL, &map, NULL), VN_OK);
    assert_int_equal(map.entity_count, 1);
    assert_empty(&map);
    vn_brush_map_free(&map);
}

// ------------------------------------------------------------------------------------------ random solids

static double uniform(vni_rng* rng, double low, double high) {
    return low + (high - low) * (double)vni_rng_below(rng, 1 << 20) / (1 << 20);
}

/// A box somewhere, cut by planes near its centre; one plane twice.
static uint32_t random_planes(vni_rng* rng, vni_brush_plane* planes, double* low, double* high) {
    uint32_t count = 0;
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = floor(uniform(rng, -4000, 4000));
        high[axis] = low[axis] + 1 + vni_rng_below(rng, 300);
        for (int side = 0; side < 2; ++side) {
            planes[count] = (vni_brush_plane){{0, 0, 0}, side == 0 ? -low[axis] : high[axis]};
            planes[count++].normal[axis] = side == 0 ? -1 : 1;
        }
    }

    for (uint32_t cuts = vni_rng_below(rng, 12); cuts > 0; --cuts) {
        double points[3][3];
        for (int i = 0; i < 3; ++i)
            for (int axis = 0; axis < 3; ++axis)
                points[i][axis] = floor(uniform(rng, low[axis], high[axis] + 1));
        count += vni_brush_plane_of((const double(*)[3])points, &planes[count]);
    }

    planes[count] = planes[vni_rng_below(rng, count)];
    return count + 1;
}

static double height_above(const vni_brush_plane* plane, const double* p) {
    return plane->normal[0] * p[0] + plane->normal[1] * p[1] + plane->normal[2] * p[2] - plane->offset;
}

/// How far a point stands out of the planes; below 0: inside.
static double outside_planes(const vni_brush_plane* planes, uint32_t count, const double* p) {
    double out = -INFINITY;
    for (uint32_t i = 0; i < count; ++i)
        out = fmax(out, height_above(&planes[i], p));
    return out;
}

static void position_of(const vni_brush_solid* solid, uint32_t vertex, double* out) {
    out[0] = (double)solid->vertices[vertex].x;
    out[1] = (double)solid->vertices[vertex].y;
    out[2] = (double)solid->vertices[vertex].z;
}

/// Height of a triangle over its longest side.
static double height_of_triangle(const double points[3][3]) {
    double area = 0, side = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        const double normal = (points[1][b] - points[0][b]) * (points[2][c] - points[0][c]) -
                              (points[1][c] - points[0][c]) * (points[2][b] - points[0][b]);
        area += normal * normal;
    }

    for (int i = 0; i < 3; ++i) {
        const double *p = points[i], *q = points[(i + 1) % 3];
        side = fmax(side, hypot(hypot(q[0] - p[0], q[1] - p[1]), q[2] - p[2]));
    }

    return side > 0 ? sqrt(area) / side : 0;
}

/// The same of the triangles of a solid. Slivers, whose planes mean nothing, do not count; `*slivers` says
/// whether there are any.
static double outside_solid(const vni_brush_solid* solid, const double* p, bool* slivers) {
    double out = -INFINITY;
    *slivers = false;
    for (uint32_t i = 0; i < solid->triangle_count; ++i) {
        double points[3][3];
        vni_brush_plane plane;
        for (uint32_t k = 0; k < 3; ++k)
            position_of(solid, solid->indices[3 * i + 2 - k], points[k]);

        if (height_of_triangle((const double(*)[3])points) > 0.5 &&
            vni_brush_plane_of((const double(*)[3])points, &plane))
            out = fmax(out, height_above(&plane, p));
        else
            *slivers = true;
    }

    return out;
}

/// Vertices lie on the planes, points inside the planes lie inside the solid, and the other way round.
static void check_solid(vni_rng* rng, const vni_brush_plane* planes, uint32_t count, const double* low,
                        const double* high, const vni_brush_solid* solid) {
    for (uint32_t i = 0; i < solid->vertex_count; ++i) {
        double p[3];
        position_of(solid, i, p);
        assert_true(fabs(outside_planes(planes, count, p)) < 0.02);
    }

    for (int i = 0; i < 50; ++i) {
        double p[3];
        for (int axis = 0; axis < 3; ++axis)
            p[axis] = uniform(rng, low[axis] - 5, high[axis] + 5);
        bool slivers;
        const double expected = outside_planes(planes, count, p), out = outside_solid(solid, p, &slivers);
        if (expected < -0.1)
            assert_true(out < 0);
        if (expected > 0.1 && !slivers)
            assert_true(out > 0);
    }
}

static void random_solids(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("random_solids", 1));
    static vni_brush_solid solid;
    uint32_t made = 0, rounds = vnt_scale(2000, 100000);
    for (uint32_t i = 0; i < rounds; ++i) {
        vni_brush_plane planes[32];
        double low[3], high[3];
        const uint32_t count = random_planes(&rng, planes, low, high);
        if (!vni_brush_make(planes, count, &solid))
            continue;

        ++made;
        check_solid(&rng, planes, count, low, high, &solid);
        vn_brush brush = {0, solid.vertex_count, 0, solid.triangle_count, 1, false};
        const vn_brush_map map = {.vertices = solid.vertices,
                                  .vertex_count = solid.vertex_count,
                                  .indices = solid.indices,
                                  .index_count = 3 * (uint64_t)solid.triangle_count,
                                  .brushes = &brush,
                                  .brush_count = 1};
        assert_true(add_to_world(&map, 0).volume > 0);
    }

    assert_true(made > rounds / 10);
}

// ------------------------------------------------------------------------------------------------- memory

static void failing_memory_and_source(void** state) {
    (void)state;
    const char text[] = "{\n" BOX BOX "}\n{\n\"classname\" \"trigger_x\"\n" BOX "}\n";
    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_brush_map map;
        const vn_status status = read_text(text, sizeof text - 1, 100, &allocator, &map, NULL);
        done = status == VN_OK;
        assert_true(done || status == VN_OUT_OF_MEMORY);
        vn_brush_map_free(&map);
        assert_int_equal(memory.live_blocks, 0);
    }

    for (size_t at = 0; at < sizeof text - 1; at += 7) {
        vnt_text bytes = vnt_text_of(text, sizeof text - 1);
        bytes.chunk = 1;
        bytes.fail_at = at;
        vn_source source = vnt_text_source(&bytes);
        vn_brush_map map;
        assert_int_equal(vn_brush_map_read(&source, NULL, &map, NULL), VN_IO);
        assert_empty(&map);
    }
}

static void spoiled_texts(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("spoiled_texts", 1));
    const char text[] = "// map\n{\n\"classname\" \"func_door\"\n" BOX BOX_OF("*w", VALVE) "}\n";
    for (uint32_t i = 0; i < vnt_scale(3000, 200000); ++i) {
        size_t size;
        char* bytes = vnt_text_spoil(&rng, text, &size);
        vn_brush_map map;
        vn_detail detail = {0};
        const vn_status status = read_text(bytes, size, 1 + vni_rng_below(&rng, 50), NULL, &map, &detail);
        if (status != VN_OK)
            assert_empty(&map);
        for (uint64_t k = 0; k < map.brush_count; ++k)
            add_to_world(&map, k);
        vn_brush_map_free(&map);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_maps),
        cmocka_unit_test(rules),
        cmocka_unit_test(bad_maps),
        cmocka_unit_test(too_many_faces),
        cmocka_unit_test(broken_brushes),
        cmocka_unit_test(random_solids),
        cmocka_unit_test(failing_memory_and_source),
        cmocka_unit_test(spoiled_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
