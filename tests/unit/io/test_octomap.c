/// OctoMap's binary trees: the bytes of a file by hand, random maps against an array of voxels, heads good
/// and bad, hostile bytes, memory, and the two shapes in a world.
#include "cmocka_all.h"
#include "support.h"
#include "tests/unit/io/bt.h"
#include "tests/unit/io/octomap.h"
#include "volnav/space.h"

static void assert_empty(const vn_octomap* map) {
    assert_null(map->occupied);
    assert_null(map->unknown);
    assert_int_equal(map->occupied_count + map->unknown_count, 0);
    assert_int_equal(map->dims.x, 0);
}

static void assert_box(const vn_voxel_box* box, int32_t x, int32_t y, int32_t z, int32_t to_x, int32_t to_y,
                       int32_t to_z) {
    const vn_voxel_box expected = {{x, y, z}, {to_x, to_y, to_z}};
    assert_memory_equal(box, &expected, sizeof expected);
}

// --------------------------------------------------------------------------------------------- by hand

#define HEAD(size, res) "# Octomap OcTree binary file\nid OcTree\nsize " size "\nres " res "\ndata\n"

/// Joins a head and the bytes of a tree, given as a string without its last zero.
#define FILE_OF(head, tree) head tree, sizeof(head) - 1 + sizeof(tree) - 1

/// The root has two children: child 1 (upper x) is a free cube, child 6 (upper y and z) is an occupied one.
static void two_large_cubes(void** state) {
    (void)state;
    vn_octomap map;
    assert_int_equal(vnt_octomap_read(FILE_OF(HEAD("3", "0.5"), "\x04\x20"), 1, NULL, &map, NULL), VN_OK);
    const int32_t half = 32768;
    assert_true(map.resolution == 0.5);
    assert_true(map.low.x == -16384);
    assert_true(map.low.y == -16384);
    assert_true(map.low.z == -16384);
    assert_true(map.dims.x == 65536);
    assert_true(map.dims.y == 65536);
    assert_true(map.dims.z == 65536);
    assert_int_equal(map.occupied_count, 1);
    assert_box(&map.occupied[0], 0, half, half, half, 2 * half, 2 * half);
    assert_int_equal(map.unknown_count, 6);
    assert_box(&map.unknown[0], 0, 0, 0, half, half, half);
    assert_box(&map.unknown[1], 0, half, 0, half, 2 * half, half);
    const uint64_t cube = (uint64_t)1 << 45;
    assert_true(map.occupied_voxels == cube);
    assert_true(map.free_voxels == cube);
    assert_true(map.unknown_voxels == 6 * cube);
    vn_octomap_free(&map);
    assert_empty(&map);
}

/// One voxel at key (32768, 32768, 32768), whose low corner is the map's origin, and its neighbour in x: the
/// path down is child 7 of the root, then child 0 fourteen times.
static void two_voxels_at_the_origin(void** state) {
    (void)state;
    char bytes[256];
    size_t size = sizeof HEAD("18", "0.1") - 1;
    memcpy(bytes, HEAD("18", "0.1"), size);
    const unsigned char root[2] = {0x00, 0xc0}, down[2] = {0x03, 0x00}, last[2] = {0x06, 0x00};

    memcpy(bytes + size, root, 2);
    for (size_t i = 1; i < 15; ++i)
        memcpy(bytes + size + 2 * i, down, 2);

    memcpy(bytes + size + 30, last, 2);
    vn_octomap map;
    assert_int_equal(vnt_octomap_read(bytes, size + 32, 7, NULL, &map, NULL), VN_OK);
    assert_true(map.low.x == 0);
    assert_true(map.low.y == 0);
    assert_true(map.low.z == 0);
    assert_true(map.dims.x == 2);
    assert_true(map.dims.y == 1);
    assert_true(map.dims.z == 1);
    assert_int_equal(map.occupied_count, 1);
    assert_box(&map.occupied[0], 0, 0, 0, 1, 1, 1);
    assert_true(map.occupied_voxels == 1);
    assert_true(map.free_voxels == 1);
    assert_true(map.unknown_voxels == 0);
    assert_null(map.unknown);
    vn_octomap_free(&map);
}

// ----------------------------------------------------------------------------------- against an array

typedef struct painted {
    unsigned char states[VNT_BT_SIDE][VNT_BT_SIDE][VNT_BT_SIDE];
} painted;

/// Every box lies inside the dimensions, and on what no box has painted before.
static void paint(painted* p, const vn_octomap* map, const vn_voxel_box* boxes, uint64_t count,
                  unsigned char state) {
    for (uint64_t i = 0; i < count; ++i) {
        const vn_voxel low = boxes[i].low, high = boxes[i].high;
        assert_true(low.x >= 0);
        assert_true(low.y >= 0);
        assert_true(low.z >= 0);
        assert_true(low.x < high.x);
        assert_true(low.y < high.y);
        assert_true(low.z < high.z);
        assert_true(high.x <= map->dims.x);
        assert_true(high.y <= map->dims.y);
        assert_true(high.z <= map->dims.z);
        for (int32_t z = low.z; z < high.z; ++z)
            for (int32_t y = low.y; y < high.y; ++y)
                for (int32_t x = low.x; x < high.x; ++x) {
                    assert_int_equal(p->states[z][y][x], VNT_BT_FREE);
                    p->states[z][y][x] = state;
                }
    }
}

/// The box around everything known, relative to the array.
static vn_voxel_box known_box(const vnt_bt_map* map) {
    vn_voxel_box box = {{VNT_BT_SIDE, VNT_BT_SIDE, VNT_BT_SIDE}, {0, 0, 0}};
    for (int32_t z = 0; z < VNT_BT_SIDE; ++z)
        for (int32_t y = 0; y < VNT_BT_SIDE; ++y)
            for (int32_t x = 0; x < VNT_BT_SIDE; ++x) {
                if (map->states[z][y][x] == VNT_BT_UNKNOWN)
                    continue;
                box.low.x = x < box.low.x ? x : box.low.x;
                box.low.y = y < box.low.y ? y : box.low.y;
                box.low.z = z < box.low.z ? z : box.low.z;
                box.high.x = x >= box.high.x ? x + 1 : box.high.x;
                box.high.y = y >= box.high.y ? y + 1 : box.high.y;
                box.high.z = z >= box.high.z ? z + 1 : box.high.z;
            }

    return box;
}

static void assert_same(const vnt_bt_map* expected, const vn_octomap* map, double resolution) {
    const vn_voxel_box known = known_box(expected);
    const vn_voxel dims = {known.high.x - known.low.x, known.high.y - known.low.y,
                           known.high.z - known.low.z};
    assert_memory_equal(&map->dims, &dims, sizeof dims);
    assert_true(map->resolution == resolution);
    assert_true(map->low.x == (expected->base.x + known.low.x - 32768) * resolution);
    assert_true(map->low.y == (expected->base.y + known.low.y - 32768) * resolution);
    assert_true(map->low.z == (expected->base.z + known.low.z - 32768) * resolution);
    static painted p;
    memset(&p, VNT_BT_FREE, sizeof p);
    paint(&p, map, map->occupied, map->occupied_count, VNT_BT_OCCUPIED);
    paint(&p, map, map->unknown, map->unknown_count, VNT_BT_UNKNOWN);

    uint64_t counts[3] = {0, 0, 0};
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            for (int32_t x = 0; x < dims.x; ++x) {
                int state = expected->states[z + known.low.z][y + known.low.y][x + known.low.x];
                assert_int_equal(p.states[z][y][x], state);
                ++counts[state];
            }

    assert_int_equal(map->unknown_voxels, counts[VNT_BT_UNKNOWN]);
    assert_int_equal(map->free_voxels, counts[VNT_BT_FREE]);
    assert_int_equal(map->occupied_voxels, counts[VNT_BT_OCCUPIED]);
}

static void random_maps(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/octomap random maps", 61));
    static vnt_bt_map expected;
    for (uint32_t round = 0; round < vnt_scale(150, 5000); ++round) {
        vnt_bt_random(&expected, &rng);
        size_t size;
        char* bytes = vnt_bt_write(&expected, "0.05", round % 2 == 0 ? NULL : &rng, &size);
        vn_octomap map;
        vn_detail detail = {.line = 77};
        assert_int_equal(vnt_octomap_read(bytes, size, 1 + vni_rng_below(&rng, 3000), NULL, &map, &detail),
                         VN_OK);
        assert_int_equal(detail.line, 77);
        assert_same(&expected, &map, 0.05);
        vn_octomap_free(&map);
        free(bytes);
    }
}

// ----------------------------------------------------------------------------------------------- heads

#define TREE "\x04\x20"

static void accept(const char* head) {
    char bytes[1024];
    size_t length = strlen(head);
    memcpy(bytes, head, length);
    memcpy(bytes + length, TREE, 2);
    for (size_t chunk = 1; chunk < 40; chunk += 9) {
        vn_octomap map;
        assert_int_equal(vnt_octomap_read(bytes, length + 2, chunk, NULL, &map, NULL), VN_OK);
        assert_true(map.resolution == 0.1);
        assert_true(map.occupied_count == 1);
        assert_true(map.unknown_count == 6);
        vn_octomap_free(&map);
    }
}

static void good_heads(void** state) {
    (void)state;
    accept("# Octomap OcTree binary file\nid OcTree\nsize 3\nres 0.1\ndata\n");
    accept(
        "# Octomap OcTree binary file\n# (feel free to add / change comments, but leave the first line as it "
        "is!)\n#\nid OcTree\nsize 3\nres 0.1\ndata\n");
    accept("# Octomap OcTree binary file, of the house\r\nid OcTree\r\nsize 3\r\nres 0.1\r\ndata\r\n");
    accept("# Octomap OcTree binary file\nres 1e-1\n\n  size 3\n#\n#data\n# id Nonsense\nid "
           "ColorOcTree\ndata\n");
    accept(
        "# Octomap OcTree binary file\nid OcTreeStamped\nsize 3\nframe map 7 8 9\nres .1\ndata and more\n");
    accept("# Octomap OcTree binary file\nid 1 size 3 res 0.1\ndata\n");
}

static void bytes_after_the_tree_do_not_count(void** state) {
    (void)state;
    vn_octomap map;
    assert_int_equal(vnt_octomap_read(FILE_OF(HEAD("3", "0.1"), TREE "\nmore"), 5, NULL, &map, NULL), VN_OK);
    assert_int_equal(map.occupied_count, 1);
    vn_octomap_free(&map);
}

static void refuse_bytes(const char* bytes, size_t size, vn_status status, uint32_t line, const char* words) {
    for (size_t chunk = 1; chunk < 60; chunk += 19) {
        vn_octomap map;
        vn_detail detail = {0};
        assert_int_equal(vnt_octomap_read(bytes, size, chunk, NULL, &map, &detail), status);
        assert_int_equal(detail.status, status);

        assert_int_equal(detail.line, line);
        if (strstr(detail.text, words) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", detail.text, words);

        assert_empty(&map);
        assert_int_equal(vnt_octomap_read(bytes, size, chunk, NULL, &map, NULL), status);
    }
}

static void refuse(const char* head, uint32_t line, const char* words) {
    refuse_bytes(head, strlen(head), VN_BAD_FORMAT, line, words);
}

#define FIRST "# Octomap OcTree binary file\n"

static void bad_heads(void** state) {
    (void)state;
    refuse("", 1, "no OctoMap file");
    refuse("voxel 3 4 5\n1 1 1\n", 1, "no OctoMap file");
    refuse("\003", 1, "convert_octree");
    refuse_bytes("\x89PNG\r\n\x1a\n\0\0", 10, VN_BAD_FORMAT, 1, "no OctoMap file");
    refuse(FIRST, 2, "ends before the line 'data'");
    refuse(FIRST "id OcTree\nsize 3\nres 0.1\n", 5, "ends before the line 'data'");
    refuse(FIRST "size 3\nres 0.1\ndata\n", 4, "no 'id'");
    refuse(FIRST "id OcTree\nres 0.1\ndata\n", 4, "no 'size'");
    refuse(FIRST "id OcTree\nsize 3\ndata\n", 4, "no 'res'");
    refuse(FIRST "id RoughOcTree\nsize 3\n", 2, "'RoughOcTree' is not a kind of tree that is known");
    refuse(FIRST "id\nsize 3\n", 2, "id: the line is too short");
    refuse(FIRST "#\nsize many\n", 3, "'many' is not a number of nodes");
    refuse(FIRST "size -3\n", 2, "number of nodes");
    refuse(FIRST "size 3.5\n", 2, "number of nodes");
    refuse(FIRST "size 0\n", 2, "nothing is known");
    refuse(FIRST "size", 2, "truncated");
    refuse(FIRST "res 0\n", 2, "'0' is not a resolution");
    refuse(FIRST "res -0.1\n", 2, "resolution");
    refuse(FIRST "res nan\n", 2, "resolution");
    refuse(FIRST "res 1e400\n", 2, "resolution");
    refuse(FIRST "res 1e-400\n", 2, "resolution");
    const char* many = FIRST "size 4294967296\n";
    refuse_bytes(many, strlen(many), VN_TOO_LARGE, 2, "limit");
}

static void bad_trees(void** state) {
    (void)state;
    refuse_bytes(FILE_OF(HEAD("3", "0.1"), ""), VN_BAD_FORMAT, 0, "truncated");
    refuse_bytes(FILE_OF(HEAD("3", "0.1"), "\x04"), VN_BAD_FORMAT, 0, "truncated");
    refuse_bytes(FILE_OF(HEAD("3", "0.1"), "\x07\x00"), VN_BAD_FORMAT, 0, "truncated");
    refuse_bytes(FILE_OF(HEAD("2", "0.1"), TREE), VN_BAD_FORMAT, 0, "more nodes");
    refuse_bytes(FILE_OF(HEAD("4", "0.1"), TREE), VN_BAD_FORMAT, 0, "fewer nodes");
    refuse_bytes(FILE_OF(HEAD("1", "0.1"), "\0\0"), VN_BAD_FORMAT, 0, "nothing is known");
    refuse_bytes(FILE_OF(HEAD("2", "0.1"), "\x03\0\0\0"), VN_BAD_FORMAT, 0, "no children");
    refuse_bytes(FILE_OF(HEAD("3", "20"), TREE), VN_TOO_LARGE, 0, "1000 km");
    char deep[128];
    size_t size = sizeof HEAD("18", "0.1") - 1;

    memcpy(deep, HEAD("18", "0.1"), size);
    for (size_t i = 0; i < 17; ++i)
        memcpy(deep + size + 2 * i, i < 16 ? "\0\xc0" : "\0\x80", 2);

    refuse_bytes(deep, size + 34, VN_BAD_FORMAT, 0, "deeper than 16");
}

// ------------------------------------------------------------------------------------- memory and bytes

static char* small_file(size_t* size) {
    vni_rng rng = vni_rng_make(7);
    static vnt_bt_map map;
    memset(&map, 0, sizeof map);
    map.base = (vn_voxel){32760, 32760, 32760};
    for (int i = 0; i < 40; ++i)
        vnt_bt_paint(&map, &rng, 6);

    return vnt_bt_write(&map, "0.25", &rng, size);
}

static void every_truncation(void** state) {
    (void)state;
    size_t size;
    char* bytes = small_file(&size);
    for (size_t cut = 0; cut < size; ++cut) {
        char* copy = malloc(cut + 1);
        assert_non_null(copy);
        memcpy(copy, bytes, cut);
        vn_octomap map;
        vn_detail detail = {0};
        assert_int_equal(vnt_octomap_read(copy, cut, SIZE_MAX, NULL, &map, &detail), VN_BAD_FORMAT);
        assert_true(strlen(detail.text) > 10);
        assert_empty(&map);
        free(copy);
    }

    free(bytes);
}

static void failing_source(void** state) {
    (void)state;
    size_t size;
    char* bytes = small_file(&size);
    for (size_t at = 0; at < size; at += at < 100 ? 1 : 37) {
        vnt_memory memory = vnt_memory_make();
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vnt_text text = vnt_text_of(bytes, size);
        text.chunk = 1;
        text.fail_at = at;
        vn_source source = vnt_text_source(&text);
        vn_octomap map;
        vn_detail detail = {0};
        assert_int_equal(vn_octomap_read(&source, &allocator, &map, &detail), VN_IO);
        assert_int_equal(detail.status, VN_IO);
        assert_empty(&map);
        assert_int_equal(memory.live_blocks, 0);
    }

    free(bytes);
}

static void running_out_of_memory(void** state) {
    (void)state;
    size_t size;
    char* bytes = small_file(&size);
    for (uint64_t fail_at = 0;; ++fail_at) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = fail_at;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_octomap map;
        vn_detail detail = {0};
        vn_status status = vnt_octomap_read(bytes, size, SIZE_MAX, &allocator, &map, &detail);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);

        assert_int_equal(detail.status, status);
        if (status != VN_OK)
            assert_empty(&map);
        else
            assert_int_equal(memory.live_bytes,
                             (map.occupied_count + map.unknown_count) * sizeof(vn_voxel_box));

        vn_octomap_free(&map);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed) {
            assert_true(fail_at >= 4);
            break;
        }
    }

    free(bytes);
}

/// An allocator whose `refuse_at`-th resize to less fails.
typedef struct keeper {
    vn_allocator inner;
    uint32_t shrinks, refuse_at;
} keeper;

static void* keeper_alloc(void* user, size_t size) {
    keeper* k = user;
    return k->inner.alloc(k->inner.user, size);
}

static void* keeper_resize(void* user, void* block, size_t old_size, size_t new_size) {
    keeper* k = user;
    if (new_size < old_size && k->shrinks++ == k->refuse_at)
        return NULL;
    return k->inner.resize(k->inner.user, block, old_size, new_size);
}

static void keeper_release(void* user, void* block, size_t size) {
    keeper* k = user;
    k->inner.release(k->inner.user, block, size);
}

static void allocator_that_does_not_shrink(void** state) {
    (void)state;
    size_t size;
    char* bytes = small_file(&size);
    for (uint32_t refuse_at = 0; refuse_at < 3; ++refuse_at) {
        vnt_memory memory = vnt_memory_make();
        keeper k = {vnt_memory_allocator(&memory), 0, refuse_at};
        const vn_allocator allocator = {keeper_alloc, keeper_resize, keeper_release, &k};
        vn_octomap map;
        vn_status status = vnt_octomap_read(bytes, size, SIZE_MAX, &allocator, &map, NULL);
        assert_int_equal(status, refuse_at < 2 ? VN_OUT_OF_MEMORY : VN_OK);
        vn_octomap_free(&map);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    free(bytes);
}

static void from_a_file(void** state) {
    (void)state;
    const char* folder = getenv("TMPDIR");
    char path[1024];
    FILE* file = NULL;
    for (int i = 0; i < 1000 && file == NULL; ++i) {
        snprintf(path, sizeof path, "%s/volnav-test-octomap-%d.bt",
                 folder != NULL && *folder != 0 ? folder : "/tmp", i);
        file = fopen(path, "wbx");
    }

    assert_non_null(file);
    size_t size;
    char* bytes = small_file(&size);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    vn_octomap map, same;
    assert_int_equal(vn_octomap_read_file(path, NULL, &map, NULL), VN_OK);
    assert_int_equal(vnt_octomap_read(bytes, size, SIZE_MAX, NULL, &same, NULL), VN_OK);
    assert_int_equal(map.unknown_count, same.unknown_count);
    assert_memory_equal(map.unknown, same.unknown, (size_t)map.unknown_count * sizeof *map.unknown);
    vn_octomap_free(&map);
    vn_octomap_free(&same);
    vn_octomap_free(NULL);
    free(bytes);
    assert_int_equal(remove(path), 0);
    vn_detail detail = {0};
    assert_int_equal(vn_octomap_read_file(path, NULL, &map, &detail), VN_IO);
    assert_non_null(strstr(detail.text, "volnav-test-octomap"));
    assert_empty(&map);
}

/// What was accepted is consistent: boxes inside and not empty, volumes that add up.
static void assert_sound(const vn_octomap* map) {
    uint64_t voxels[2] = {0, 0};
    for (int list = 0; list < 2; ++list) {
        const vn_voxel_box* boxes = list == 0 ? map->occupied : map->unknown;
        for (uint64_t i = 0; i < (list == 0 ? map->occupied_count : map->unknown_count); ++i) {
            const vn_voxel a = boxes[i].low, b = boxes[i].high;
            assert_true(a.x >= 0);
            assert_true(a.y >= 0);
            assert_true(a.z >= 0);
            assert_true(a.x < b.x);
            assert_true(a.y < b.y);
            assert_true(a.z < b.z);
            assert_true(b.x <= map->dims.x);
            assert_true(b.y <= map->dims.y);
            assert_true(b.z <= map->dims.z);
            voxels[list] += (uint64_t)(b.x - a.x) * (uint64_t)(b.y - a.y) * (uint64_t)(b.z - a.z);
        }
    }

    assert_int_equal(voxels[0], map->occupied_voxels);
    assert_int_equal(voxels[1], map->unknown_voxels);
    uint64_t all = (uint64_t)map->dims.x * (uint64_t)map->dims.y * (uint64_t)map->dims.z;
    assert_true(map->occupied_voxels + map->free_voxels + map->unknown_voxels == all);
}

static void hostile_bytes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/octomap hostile", 62));
    size_t size, accepted = 0;
    char* bytes = small_file(&size);
    for (uint32_t round = 0; round < vnt_scale(5000, 300000); ++round) {
        char* copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        for (uint32_t edits = 1 + vni_rng_below(&rng, 3); edits > 0; --edits)
            copy[vni_rng_below(&rng, (uint32_t)size)] ^= (char)(1 + vni_rng_below(&rng, 127));

        vn_octomap map;
        vn_detail detail = {0};
        vn_status status = vnt_octomap_read(copy, size, SIZE_MAX, NULL, &map, &detail);
        assert_true(status == VN_OK || status == VN_BAD_FORMAT || status == VN_TOO_LARGE);

        assert_int_equal(detail.status, status);
        if (status == VN_OK) {
            assert_sound(&map);
            ++accepted;
        }

        vn_octomap_free(&map);
        free(copy);
    }

    assert_true(accepted > 0);
    free(bytes);
}

// ---------------------------------------------------------------------------------------------- shapes

static vn_space* bake(const vn_octomap* map, vn_unknown_policy unknown) {
    vn_world_def world_def = vn_default_world_def();
    world_def.origin = map->low;
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    const vn_shape shapes[2] = {vn_octomap_occupied_shape(map), vn_octomap_unknown_shape(map)};

    vn_obstacle_id ids[2];
    for (int i = 0; i < 2; ++i)
        assert_int_equal(vn_world_add(world, &shapes[i], &ids[i], NULL), VN_OK);

    assert_int_equal(vn_world_set_flags(world, ids[1], VN_FLAG_UNKNOWN), VN_OK);
    vn_space_def def = vn_default_space_def();
    def.resolution = (float)map->resolution;
    def.unknown = unknown;
    vn_space* space;
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_world_destroy(world);

    return space;
}

/// The three ways to treat unknown space, voxel by voxel.
static void shapes_become_a_space(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/octomap shapes", 63));
    static vnt_bt_map expected;
    for (uint32_t round = 0; round < vnt_scale(12, 200); ++round) {
        vnt_bt_random(&expected, &rng);
        size_t size;
        static const char* const resolutions[] = {"0.25", "0.05", "0.1", "0.3"};
        char* bytes = vnt_bt_write(&expected, resolutions[round % 4], NULL, &size);
        vn_octomap map;
        assert_int_equal(vnt_octomap_read(bytes, size, SIZE_MAX, NULL, &map, NULL), VN_OK);
        free(bytes);
        const vn_voxel_box known = known_box(&expected);

        const vn_unknown_policy choices[3] = {VN_UNKNOWN_BLOCKED, VN_UNKNOWN_FREE, VN_UNKNOWN_REFUSED};
        for (int choice = 0; choice < 3; ++choice) {
            vn_space* space = bake(&map, choices[choice]);
            vn_space_info info;
            vn_space_get_info(space, &info);
            assert_memory_equal(&info.dims, &map.dims, sizeof info.dims);
            bool blocks = choices[choice] != VN_UNKNOWN_FREE;
            uint64_t blocked = map.occupied_voxels + (blocks ? map.unknown_voxels : 0);

            assert_int_equal(info.blocked_voxels, blocked);
            for (vn_voxel v = {0, 0, 0}; v.z < info.dims.z; ++v.z)
                for (v.y = 0; v.y < info.dims.y; ++v.y)
                    for (v.x = 0; v.x < info.dims.x; ++v.x) {
                        int seen = expected.states[v.z + known.low.z][v.y + known.low.y][v.x + known.low.x];
                        bool free_there = seen == VNT_BT_FREE || (seen == VNT_BT_UNKNOWN && !blocks);
                        assert_int_equal(vn_space_voxel_free(space, v), free_there);
                    }

            vn_space_destroy(space);
        }

        vn_octomap_free(&map);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_large_cubes),
        cmocka_unit_test(two_voxels_at_the_origin),
        cmocka_unit_test(random_maps),
        cmocka_unit_test(good_heads),
        cmocka_unit_test(bytes_after_the_tree_do_not_count),
        cmocka_unit_test(bad_heads),
        cmocka_unit_test(bad_trees),
        cmocka_unit_test(every_truncation),
        cmocka_unit_test(failing_source),
        cmocka_unit_test(running_out_of_memory),
        cmocka_unit_test(allocator_that_does_not_shrink),
        cmocka_unit_test(from_a_file),
        cmocka_unit_test(hostile_bytes),
        cmocka_unit_test(shapes_become_a_space),
    };

    return cmocka_run_group_tests_name("io/octomap", tests, NULL, NULL);
}
