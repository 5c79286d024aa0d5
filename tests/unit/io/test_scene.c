/// Scenes: every command, repeats, meshes through the caller, bad text and its line, limits, memory, hostile
/// bytes.
#include "cmocka_all.h"
#include "io/scene_inside.h"
#include "support.h"
#include "tests/unit/io/text.h"
#include "volnav/io.h"
#include <math.h>
#include <stdio.h>

static vn_status read_bytes(const char* bytes, size_t size, size_t chunk, const vn_scene_text_def* def,
                            vn_scene_text* out, vn_detail* detail) {
    vnt_text text = vnt_text_of(bytes, size);
    text.chunk = chunk;
    const vn_source source = vnt_text_source(&text);
    return vn_scene_text_read(&source, def, out, detail);
}

static vn_status read_text(const char* text, vn_scene_text* out, vn_detail* detail) {
    const vn_scene_text_def def = vn_default_scene_text_def();
    return read_bytes(text, strlen(text), 7, &def, out, detail);
}

static void accept(const char* text, vn_scene_text* out) {
    vn_detail detail = {0};
    const vn_status status = read_text(text, out, &detail);
    assert_string_equal(detail.text, "");
    assert_int_equal(status, VN_OK);
    assert_non_null(out->world);
}

static void assert_empty(const vn_scene_text* scene) {
    assert_null(scene->world);
    assert_null(scene->routes);
    assert_int_equal(scene->route_count, 0);
    assert_int_equal(scene->connection_count, 0);
}

static void refuse(const char* text, vn_status expected, uint32_t line, const char* word) {
    vn_scene_text scene;
    vn_detail detail = {0};
    assert_int_equal(read_text(text, &scene, &detail), expected);
    assert_int_equal(detail.status, expected);
    assert_int_equal(detail.line, line);
    if (strstr(detail.text, word) == NULL)
        fail_msg("'%s' does not say '%s'", detail.text, word);
    assert_empty(&scene);
    vn_scene_text_free(&scene);
}

static vn_box bounds_of(const vn_scene_text* scene) {
    vn_box box;
    assert_true(vn_world_get_bounds(scene->world, &box));
    return box;
}

static void assert_box(vn_box box, float x, float y, float z, float X, float Y, float Z) {
    const float got[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
    const float wanted[6] = {x, y, z, X, Y, Z};
    for (int i = 0; i < 6; ++i)
        assert_float_equal(got[i], wanted[i], 1e-5);
}

// ---------------------------------------------------------------------------------------------- what it
// reads

static void test_shapes(void** state) {
    (void)state;
    static const struct {
        const char* text;
        vn_box box;
    } cases[] = {
        {"box 1 2 3 4 5 6", {{1, 2, 3}, {4, 5, 6}}},
        {"sphere 1 2 3 0.5", {{0.5f, 1.5f, 2.5f}, {1.5f, 2.5f, 3.5f}}},
        {"capsule 1 1 1  1 5 1  0.5", {{0.5f, 0.5f, 0.5f}, {1.5f, 5.5f, 1.5f}}},
        {"cylinder 1 1 1  1 5 1  0.5", {{0.5f, 1, 0.5f}, {1.5f, 5, 1.5f}}},
        {"hull 0 0 0  2 0 0  0 3 0  0 0 4  0.1 0.1 0.1", {{0, 0, 0}, {2, 3, 4}}},
        {"oriented 0 0 0  1 2 3  0 0 5  90", {{-2, -1, -3}, {2, 1, 3}}},
        {"oriented 1 1 1  1 2 3  0 1 0  -630", {{-2, -1, 0}, {4, 3, 2}}},
        {"  box\t1 2 3\t4 5 6\r", {{1, 2, 3}, {4, 5, 6}}},
        {"box 1 2 3 4 5 6#nothing 1", {{1, 2, 3}, {4, 5, 6}}},
        {"# a\n\n box +1 2.0 .3e1 4. 50e-1 6 # b", {{1, 2, 3}, {4, 5, 6}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        static vn_scene_text scene;
        accept(cases[i].text, &scene);
        const vn_box b = cases[i].box;
        assert_int_equal(vn_world_count(scene.world), 1);
        assert_box(bounds_of(&scene), b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z);
        vn_scene_text_free(&scene);
        assert_empty(&scene);
    }
}

static void test_the_rest(void** state) {
    (void)state;
    static vn_scene_text scene;
    accept("resolution 0.25\nbounds -1 -2 -3  1 2 3\n"
           "route first 1 2 3 4 5 6\nroute a-name-that-is-longer-than-thirty-one-bytes 0 0 0 1 1 1\n"
           "link 1 1 1 2 2 2 3\n\nlink 4 4 4 5 5 5 6 both\n",
           &scene);

    assert_true(scene.has_resolution);
    assert_true(scene.has_bounds);
    assert_float_equal(scene.resolution, 0.25, 0);
    assert_float_equal(scene.low.y, -2, 0);
    assert_float_equal(scene.high.z, 3, 0);
    assert_int_equal(scene.route_count, 2);
    assert_string_equal(scene.routes[0].name, "first");
    assert_float_equal(scene.routes[0].from.z, 3, 0);
    assert_float_equal(scene.routes[0].to.x, 4, 0);
    assert_string_equal(scene.routes[1].name, "a-name-that-is-longer-than-thir");

    assert_int_equal(scene.connection_count, 2);
    assert_false(scene.connections[0].bidirectional);
    assert_int_equal(scene.connections[0].id, 5);
    assert_true(scene.connections[1].bidirectional);
    assert_int_equal(scene.connections[1].id, 7);
    assert_float_equal(scene.connections[1].cost, 6, 0);
    vn_scene_text_free(&scene);

    accept("", &scene);
    assert_false(scene.has_resolution || scene.has_bounds);
    assert_int_equal(vn_world_count(scene.world), 0);
    vn_scene_text_free(&scene);
}

static void test_zones(void** state) {
    (void)state;
    static vn_scene_text scene;
    vn_zone zones[VN_MAX_ZONES];
    uint32_t count = 0;
    accept("zone 0 0 0 3 3 3 2\nzone-sphere 6 6 6 3 4\nzone-oriented 6 2 6 1 1 1 1 0 0 45 0.5\n"
           "zone-hull 1 1 1 3 1 1 1 3 1 1 1 3 8\n",
           &scene);
    assert_int_equal(vn_world_count(scene.world), 0);
    assert_int_equal(vn_world_get_zones(scene.world, zones, VN_MAX_ZONES, &count), VN_OK);
    assert_int_equal(count, 4);
    const float factors[4] = {2, 4, 0.5f, 8};
    for (uint32_t i = 0; i < 4; ++i)
        assert_float_equal(zones[i].factor, factors[i], 0);
    assert_int_equal(zones[3].plane_count, 4);
    vn_scene_text_free(&scene);

    accept("zone 0 0 0 3 3 3 2\nbox 0 0 0 1 1 1\n", &scene); // what follows a zone is none
    assert_int_equal(vn_world_count(scene.world), 1);
    vn_scene_text_free(&scene);
}

/// A room whose flagged door is left out by a bake that opens it; unknown space has volnav's own flag.
static void test_flags(void** state) {
    (void)state;
    static vn_scene_text scene;
    static const uint32_t open[4] = {0, 2, VN_FLAG_UNKNOWN, 1};
    static const uint64_t blocked[4] = {3, 2, 3, 3};
    accept("box 0 0 0 1 1 1\nflags 2\nbox 2 0 0 3 1 1\nunknown\nbox 4 0 0 5 1 1\nflags 0\n", &scene);
    for (int i = 0; i < 4; ++i) {
        vn_space_def def = vn_default_space_def();
        vn_space* space = NULL;
        vn_space_info info;
        def.open_flags = open[i] == VN_FLAG_UNKNOWN ? 0 : open[i];
        assert_int_equal(vn_space_bake(scene.world, &def, &space, NULL), VN_OK);
        vn_space_get_info(space, &info);
        assert_int_equal(info.blocked_voxels, blocked[i]);
        vn_space_destroy(space);
    }

    vn_space_def def = vn_default_space_def();
    vn_space* space = NULL;
    vn_space_info info;
    def.unknown = VN_UNKNOWN_FREE;
    assert_int_equal(vn_space_bake(scene.world, &def, &space, NULL), VN_OK);
    vn_space_get_info(space, &info);
    assert_int_equal(info.blocked_voxels, 2);
    vn_space_destroy(space);
    vn_scene_text_free(&scene);
}

static void test_repeats(void** state) {
    (void)state;
    static vn_scene_text scene;
    accept("repeat 3  2 0 0\n repeat 2  0 4 1\n  box 0 0 0 1 1 1\n end\n sphere 0 9 0 0.5\nend\n", &scene);
    assert_int_equal(vn_world_count(scene.world), 9);
    assert_box(bounds_of(&scene), -0.5f, 0, -0.5f, 5, 9.5f, 2);
    vn_scene_text_free(&scene);

    accept("repeat 0 1 1 1\nbox 0 0 0 1 1 1\nend\nrepeat 1000000 0 0 0\nend\n", &scene);
    assert_int_equal(vn_world_count(scene.world), 0);
    vn_scene_text_free(&scene);
}

/// Against the C library's functions, which are not the same on every machine.
static void test_angles(void** state) {
    (void)state;
    for (int i = -7200; i <= 7200; ++i) {
        double sine, cosine;
        const double degrees = i / 4.0, radians = degrees * (3.14159265358979323846 / 180);
        vni_scene_turn(degrees, &sine, &cosine);
        assert_true(fabs(sine - sin(radians)) < 1e-14);
        assert_true(fabs(cosine - cos(radians)) < 1e-14);
        if (i % 360 == 0) {
            assert_true(sine == floor(sine));
            assert_true(cosine == floor(cosine));
        }
    }
}

// --------------------------------------------------------------------------------------------------- meshes

typedef struct seen {
    vn_scene_mesh meshes[4];
    uint32_t count;
    vn_status status;
    const char* text;
} seen;

static vn_status see_mesh(void* user, vn_world* world, const vn_scene_mesh* mesh, vn_detail* detail) {
    seen* s = user;
    assert_non_null(world);
    assert_string_equal(mesh->file, "a/b.obj");
    s->meshes[s->count++] = *mesh;
    if (s->text != NULL)
        snprintf(detail->text, sizeof detail->text, "%s", s->text);
    return s->status;
}

static void test_meshes(void** state) {
    (void)state;
    static vn_scene_text scene;
    static const char text[] = "flags 4\nrepeat 2 1 2 3\nmesh a/b.obj\nend\nmesh a/b.obj solid\n";
    seen s = {.status = VN_OK};
    vn_scene_text_def def = vn_default_scene_text_def();
    vn_detail detail = {0};
    def.add_mesh = see_mesh;
    def.mesh_user = &s;
    assert_int_equal(read_bytes(text, strlen(text), 99, &def, &scene, &detail), VN_OK);
    assert_int_equal(s.count, 3);
    assert_float_equal(s.meshes[1].shift.z, 3, 0);
    assert_int_equal(s.meshes[1].line, 3);
    assert_int_equal(s.meshes[1].flags, 4);
    assert_false(s.meshes[1].solid);
    assert_true(s.meshes[2].solid);
    vn_scene_text_free(&scene);

    s = (seen){.status = VN_DEGENERATE};
    assert_int_equal(read_bytes(text, strlen(text), 99, &def, &scene, &detail), VN_DEGENERATE);
    assert_int_equal(detail.line, 3);
    assert_non_null(strstr(detail.text, "mesh"));
    s = (seen){.status = VN_IO, .text = "the disk is gone"};
    assert_int_equal(read_bytes(text, strlen(text), 99, &def, &scene, &detail), VN_IO);
    assert_string_equal(detail.text, "the disk is gone");

    refuse("\nmesh a.obj\n", VN_UNSUPPORTED, 2, "volnav bake");
}

// ------------------------------------------------------------------------------------------------- refusals

static void test_wrong_lines(void** state) {
    (void)state;
    static const struct {
        const char* text;
        uint32_t line;
        const char* word;
    } cases[] = {{"resolution 0", 1, "above 0"},
                 {"resolution x", 1, "'x'"},
                 {"resolution 1e400", 1, "finite"},
                 {"\n\nbox 1 2 3\n", 3, "expected: box"},
                 {"box 3 3 3 1 1 1", 1, "low corner"},
                 {"bounds 0 0 0 0 1 1", 1, "low corner"},
                 {"sphere 1 1 1 -1", 1, "negative"},
                 {"sphere 1 1 nan 1", 1, "nan"},
                 {"sphere 1 1 0x1 1", 1, "0x1"},
                 {"capsule 1 1 1 2 2 2 -1", 1, "negative"},
                 {"cylinder 1 1 1 2 2 2 -1", 1, "negative"},
                 {"oriented 1 1 1 1 1 1 0 0 0 45", 1, "axis"},
                 {"oriented 1 1 1 1 1 1 1e200 0 0 45", 1, "axis"},
                 {"oriented 1 1 1 1 1 1 1 0 0 1e10", 1, "angle"},
                 {"hull 0 0 0 1 0 0 0 1 0", 1, "four"},
                 {"hull 0 0 0 1 0 0 0 1 0 0 0 1 2", 1, "three numbers"},
                 {"hull 0 0 0 1 0 0 0 1 0 0 0 x", 1, "'x'"},
                 {"zone-hull", 1, "factor"},
                 {"zone 0 0 0 1 1 1 0", 1, "factor"},
                 {"blox 1", 1, "did you mean 'box'"},
                 {"qqqqqqqqqqqq", 1, "begins with resolution"},
                 {"repeat 2 1 1 1\nbox 0 0 0 1 1 1\n", 1, "no end"},
                 {"repeat 2 1 1 1\nrepeat 2 1 1 1\nend\n", 1, "no end"},
                 {"box 0 0 0 1 1 1\nend\n", 2, "end without"},
                 {"repeat 2 1 1 1\nresolution 1\nend\n", 2, "inside repeat"},
                 {"repeat 2 1 1 1\nroute a 0 0 0 1 1 1\nend\n", 2, "inside repeat"},
                 {"repeat -1 1 1 1\nend\n", 1, "repeat N"},
                 {"repeat 99999999999999999999 1 1 1\nend\n", 1, "repeat N"},
                 {"repeat 1000001 1 1 1\nend\n", 1, "repeat N"},
                 {"repeat 2 1 1 x\nbox 0 0 0 1 1 1\nend\n", 1, "'x'"},
                 {"route a 1 2 3", 1, "route"},
                 {"mesh", 1, "mesh FILE"},
                 {"mesh a b", 1, "mesh FILE"},
                 {"flags 1.5", 1, "whole"},
                 {"flags 2147483648", 1, "whole"},
                 {"unknown 1", 1, "nothing after"},
                 {"link 1 1 1 2 2 2 -1", 1, "cost"},
                 {"link 1 1 1e39 2 2 2 1", 1, "1e38"},
                 {"link 1 1 1 2 2 2 1 maybe", 1, "both"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        refuse(cases[i].text, VN_BAD_FORMAT, cases[i].line, cases[i].word);
}

/// What the world itself refuses comes with its status, and with the line.
static void test_wrong_shapes(void** state) {
    (void)state;
    refuse("\nbox 0 0 0 9e9 1 1\n", VN_BAD_DATA, 2, "");
    refuse("hull 0 0 0 1 0 0 0 1 0 1 1 0\n", VN_DEGENERATE, 1, "plane");
    refuse("cylinder 1 1 1 1 1 1 2\n", VN_BAD_DATA, 1, "axis");
    refuse("repeat 65 3 0 0\nzone 0 0 0 1 1 1 2\nend\n", VN_CAPACITY, 2, "");
    refuse("repeat 65 3 0 0\nlink 0 0 0 1 1 1 2\nend\n", VN_BAD_FORMAT, 2, "64 links");
}

static void test_limits(void** state) {
    (void)state;
    char text[1024];
    refuse("repeat 1000 1 0 0\nrepeat 1001 0 1 0\nbox 0 0 0 1 1 1\nend\nend\n", VN_TOO_LARGE, 3, "million");
    refuse("repeat 1000000 0 0 0\nrepeat 1000000 0 0 0\nflags 1\nend\nend\n", VN_TOO_LARGE, 3, "ten million");

    // A million counted with wrap-around would be few: 10^6 to the fourth is 2^24 times an odd number.
    refuse("repeat 1000000 0 0 0\nrepeat 1000000 0 0 0\nrepeat 1000000 0 0 0\nrepeat 1000000 0 0 0\n"
           "box 0 0 0 1 1 1\nend\nend\nend\nend\n",
           VN_TOO_LARGE, 5, "million");

    text[0] = 0;
    for (int i = 0; i < 17; ++i)
        strcat(text, "repeat 1 0 0 0\n");
    strcat(text, "flags 1\n");
    for (int i = 0; i < 17; ++i)
        strcat(text, "end\n");
    refuse(text, VN_BAD_FORMAT, 17, "16 deep");
}

/// Long lines and long words count as several lines, so that repeats cannot make work without end.
static void test_long_lines(void** state) {
    (void)state;
    const size_t size = 1u << 20;
    char* text = malloc(size + 64);
    assert_non_null(text);
    strcpy(text, "repeat 1000000 0 0 0\nflags ");
    size_t at = strlen(text);
    memset(text + at, '0', size);
    strcpy(text + at + size, "\nend\n");
    refuse(text, VN_TOO_LARGE, 2, "ten million");

    strcpy(text, "hull");
    at = 4;
    for (uint32_t i = 0; i < 3 * 4097; ++i, at += 2)
        memcpy(text + at, " 1", 3);
    refuse(text, VN_BAD_FORMAT, 1, "4096");
    free(text);
}

/// So do hulls of many points, which the world compares with each other. Four corners come again and again.
static void test_hulls_count(void** state) {
    (void)state;
    enum { POINTS = 4096 };
    static char text[64 + 8 * POINTS];
    for (int zone = 0; zone < 2; ++zone) {
        strcpy(text, zone ? "repeat 700 20 0 0\nzone-hull" : "repeat 700 20 0 0\nhull");
        char* at = text + strlen(text);
        for (int i = 0; i < POINTS; ++i)
            at += sprintf(at, " %d %d %d", i % 4 == 1, i % 4 == 2, i % 4 == 3);
        strcpy(at, zone ? " 2\nend\n" : "\nend\n");
        refuse(text, VN_TOO_LARGE, 2, "ten million");
    }
}

/// An inner repeat that runs nothing does not cost what it contains.
static void test_skipped_lines(void** state) {
    (void)state;
    static vn_scene_text scene;
    const uint32_t lines = 200000;
    char* text = malloc(8 * (size_t)lines + 128);
    assert_non_null(text);
    strcpy(text, "repeat 1000000 0 0 0\nrepeat 0 0 0 0\n");
    size_t at = strlen(text);
    for (uint32_t i = 0; i < lines; ++i, at += 8)
        memcpy(text + at, "flags 1\n", 9);
    strcpy(text + at, "end\nend\n");
    accept(text, &scene); // with a scan for each copy this would take minutes
    vn_scene_text_free(&scene);
    free(text);
}

static void test_no_text(void** state) {
    (void)state;
    static vn_scene_text scene;
    const vn_scene_text_def def = vn_default_scene_text_def();
    vn_detail detail = {0};
    assert_int_equal(read_bytes("box\0", 4, 4, &def, &scene, &detail), VN_BAD_FORMAT);
    assert_empty(&scene);

    const size_t size = (16u << 20) + 1;
    char* text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    assert_int_equal(read_bytes(text, size, size, &def, &scene, &detail), VN_TOO_LARGE);
    assert_int_equal(read_bytes(text, size - 1, size, &def, &scene, &detail), VN_OK);
    vn_scene_text_free(&scene);
    free(text);

    vnt_text broken = vnt_text_of("box 1 2 3 4 5 6\n", 16);
    broken.chunk = broken.fail_at = 5;
    const vn_source source = vnt_text_source(&broken);
    assert_int_equal(vn_scene_text_read(&source, &def, &scene, &detail), VN_IO);
    assert_empty(&scene);

    const vn_scene_text_def zero = {0};
    assert_int_equal(read_bytes("", 0, 1, &zero, &scene, &detail), VN_BAD_DEF);
    assert_empty(&scene);
    assert_int_equal(vn_scene_text_read_file("/nowhere/a.scene", &def, &scene, &detail), VN_IO);
    assert_non_null(strstr(detail.text, "/nowhere/a.scene"));
    vn_scene_text_free(NULL);
}

// ------------------------------------------------------------------------------------- memory, hostile bytes

static const char everything[] =
    "# Every command once.\nresolution 0.5\nbounds 0 0 0  12 12 12\nbox 3 0 0  4 6 12\nflags 3\n"
    "oriented 6 6 6  1 2 1  0 1 0  30\nunknown\nsphere 9 3 3  1.5\nflags 0\n"
    "hull 8 8 8  10 8 8  8 10 8  8 8 10  10 10 10\ncapsule 1 1 1 2 2 2 1\ncylinder 1 1 1 2 2 2 1\n"
    "repeat 2  0 0 3\n  repeat 2  2 0 0\n    box 1 8 1  2 9 2\n  end\nend\n"
    "route across  1 1 1  11 11 11\nroute back  11 11 11  1 1 1\nzone 0 0 0  3 3 3  2\n"
    "zone-sphere 6 6 6  3  4\nzone-oriented 6 2 6  1 1 1  1 0 0  45  0.5\n"
    "zone-hull 1 1 1  3 1 1  1 3 1  1 1 3  8\nlink 1 1 1  11 1 11  3 both\n";

static void test_memory(void** state) {
    (void)state;
    static vn_scene_text scene;
    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t fail_at = 0; status != VN_OK; ++fail_at) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = fail_at;
        vn_scene_text_def def = vn_default_scene_text_def();
        vn_detail detail = {0};
        def.world.allocator = vnt_memory_allocator(&memory);
        status = read_bytes(everything, strlen(everything), 64, &def, &scene, &detail);
        assert_true(status == VN_OK || status == VN_OUT_OF_MEMORY);
        if (status != VN_OK)
            assert_empty(&scene);
        vn_scene_text_free(&scene);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

static void test_hostile(void** state) {
    (void)state;
    static vn_scene_text scene;
    vni_rng rng = vni_rng_make(vnt_seed("scene hostile", 20261117));
    uint32_t refused = 0;
    const uint32_t rounds = vnt_scale(2000, 200000);
    for (uint32_t i = 0; i < rounds; ++i) {
        size_t size;
        char* bytes = vnt_text_spoil(&rng, everything, &size);
        const vn_scene_text_def def = vn_default_scene_text_def();
        vn_detail detail = {0};
        const vn_status status = read_bytes(bytes, size, 100, &def, &scene, &detail);
        refused += status != VN_OK;
        assert_true((status == VN_OK) == (detail.text[0] == 0));
        assert_true((status == VN_OK) == (scene.world != NULL));
        vn_scene_text_free(&scene);
        free(bytes);
    }

    assert_in_range(refused, rounds / 4, rounds - rounds / 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),       cmocka_unit_test(test_the_rest),
        cmocka_unit_test(test_zones),        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_repeats),      cmocka_unit_test(test_angles),
        cmocka_unit_test(test_meshes),       cmocka_unit_test(test_wrong_lines),
        cmocka_unit_test(test_wrong_shapes), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_long_lines),   cmocka_unit_test(test_skipped_lines),
        cmocka_unit_test(test_no_text),      cmocka_unit_test(test_memory),
        cmocka_unit_test(test_hostile),      cmocka_unit_test(test_hulls_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
