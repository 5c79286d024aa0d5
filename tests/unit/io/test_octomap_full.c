/// OctoMap's full trees (.ot): the same map as a binary tree gives the same result; the threshold, colours,
/// bad trees, truncation, memory, hostile bytes.
#include "cmocka_all.h"
#include "support.h"
#include "tests/unit/io/bt.h"
#include "tests/unit/io/octomap.h"

// ------------------------------------------------------------------------------------------- the writer

#define OT_SIZE (8 * 65536)

typedef struct ot {
    char bytes[OT_SIZE];
    size_t size;
    uint32_t nodes;
    bool color;
    vni_rng* rng;
} ot;

static void put_node(ot* out, float log_odds, uint32_t children) {
    uint32_t bits;
    memcpy(&bits, &log_odds, 4);
    if (out->size + 8 > OT_SIZE)
        abort();

    for (int i = 0; i < 4; ++i)
        out->bytes[out->size++] = (char)(bits >> 8 * i & 255);
    for (int i = 0; i < 3 && out->color; ++i)
        out->bytes[out->size++] = (char)vni_rng_below(out->rng, 256);
    out->bytes[out->size++] = (char)children;
    ++out->nodes;
}

/// Occupied: 0 or more, in this order of likelihood; free: less.
static float draw_log_odds(vni_rng* rng, int state) {
    const float occupied[] = {0.0f, 0.85f, 3.5f, 1e-30f}, free_values[] = {-0.4f, -2.0f, -1e-30f, -1e30f};
    return state == VNT_BT_OCCUPIED ? occupied[vni_rng_below(rng, 4)] : free_values[vni_rng_below(rng, 4)];
}

static void put_cube(ot* out, const vnt_bt_map* map, vn_voxel low, int32_t edge) {
    const int state = vnt_bt_state(map, low, edge);
    if (state != 3) {
        put_node(out, draw_log_odds(out->rng, state), 0);
        return;
    }

    const int32_t half = edge / 2;
    vn_voxel lows[8];
    uint32_t children = 0;
    for (uint32_t i = 0; i < 8; ++i) {
        lows[i] = vnt_bt_child(low, half, i);
        children |= (uint32_t)(vnt_bt_state(map, lows[i], half) != VNT_BT_UNKNOWN) << i;
    }

    put_node(out, draw_log_odds(out->rng, 1 + (int)vni_rng_below(out->rng, 2)), children);
    for (uint32_t i = 0; i < 8; ++i)
        if (children >> i & 1)
            put_cube(out, map, lows[i], half);
}

/// The whole file; free it.
static char* write_full(const vnt_bt_map* map, bool color, vni_rng* rng, size_t* size) {
    ot* out = calloc(1, sizeof *out);
    char* file = malloc(OT_SIZE + 256);
    if (out == NULL || file == NULL)
        abort();

    out->rng = rng;
    out->color = color;
    put_cube(out, map, (vn_voxel){0, 0, 0}, 65536);
    const int head =
        snprintf(file, 256, "# Octomap OcTree file\n# made for a test\nid %s\nsize %010u\nres 0.05\ndata\n",
                 color ? "ColorOcTree" : "OcTree", (unsigned)out->nodes);
    memcpy(file + head, out->bytes, out->size);
    *size = (size_t)head + out->size;
    free(out);

    return file;
}

// ------------------------------------------------------------------------------------------------ tests

static void assert_same(const vn_octomap* a, const vn_octomap* b) {
    assert_memory_equal(&a->dims, &b->dims, sizeof a->dims);
    assert_memory_equal(&a->low, &b->low, sizeof a->low);
    assert_true(a->resolution == b->resolution);
    assert_int_equal(a->occupied_voxels, b->occupied_voxels);
    assert_int_equal(a->free_voxels, b->free_voxels);
    assert_int_equal(a->unknown_voxels, b->unknown_voxels);
    assert_int_equal(a->occupied_count, b->occupied_count);
    assert_int_equal(a->unknown_count, b->unknown_count);
    if (a->occupied_count > 0)
        assert_memory_equal(a->occupied, b->occupied, (size_t)a->occupied_count * sizeof *a->occupied);
    if (a->unknown_count > 0)
        assert_memory_equal(a->unknown, b->unknown, (size_t)a->unknown_count * sizeof *a->unknown);
}

static void same_as_binary(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/octomap_full same as binary", 62));
    static vnt_bt_map drawn;
    for (uint32_t round = 0; round < vnt_scale(150, 5000); ++round) {
        vnt_bt_random(&drawn, &rng);
        size_t binary_size, full_size;
        char* binary = vnt_bt_write(&drawn, "0.05", NULL, &binary_size);
        char* full = write_full(&drawn, round % 2 == 1, &rng, &full_size);
        vn_octomap expected, map;

        assert_int_equal(vnt_octomap_read(binary, binary_size, SIZE_MAX, NULL, &expected, NULL), VN_OK);
        const size_t chunk = 1 + vni_rng_below(&rng, 3000);
        assert_int_equal(vnt_octomap_read(full, full_size, chunk, NULL, &map, NULL), VN_OK);
        assert_same(&expected, &map);
        vn_octomap_free(&expected);
        vn_octomap_free(&map);
        free(binary);
        free(full);
    }
}

#define HEAD(size)          "# Octomap OcTree file\nid OcTree\nsize " size "\nres 0.5\ndata\n"
#define FILE_OF(head, tree) head tree, sizeof(head) - 1 + sizeof(tree) - 1

/// A root without children is one cube of all voxels.
static void a_root_alone(void** state) {
    (void)state;
    vn_octomap map;
    assert_int_equal(vnt_octomap_read(FILE_OF(HEAD("1"), "\0\0\0\0\0"), 1, NULL, &map, NULL), VN_OK);
    assert_int_equal(map.dims.x, 65536);
    assert_int_equal(map.occupied_count, 1);
    assert_true(map.occupied_voxels == (uint64_t)1 << 48);
    vn_octomap_free(&map);

    // -0 is not below 0: occupied, as OctoMap has it.
    assert_int_equal(vnt_octomap_read(FILE_OF(HEAD("1"), "\0\0\0\x80\0"), 1, NULL, &map, NULL), VN_OK);
    assert_int_equal(map.occupied_count, 1);
    vn_octomap_free(&map);
    assert_int_equal(vnt_octomap_read(FILE_OF(HEAD("1"), "\0\0\x80\xbf\0"), 1, NULL, &map, NULL), VN_OK);
    assert_int_equal(map.occupied_count, 0);
    assert_true(map.free_voxels == (uint64_t)1 << 48);
    vn_octomap_free(&map);
}

static void refuse(const char* bytes, size_t size, uint64_t node, const char* words) {
    vn_octomap map;
    vn_detail detail = {0};
    assert_int_equal(vnt_octomap_read(bytes, size, 3, NULL, &map, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, words));
    assert_int_equal(detail.index, node);
    assert_null(map.occupied);
    assert_null(map.unknown);
}

static void bad_trees(void** state) {
    (void)state;
    refuse(FILE_OF(HEAD("1"), ""), 0, "truncated");
    refuse(FILE_OF(HEAD("1"), "\0\0\0\0"), 0, "truncated");
    refuse(FILE_OF(HEAD("1"), "\0\0\0\0\x01"), 1, "truncated");
    refuse(FILE_OF(HEAD("1"), "\0\0\0\0\x01\0\0\0\0\0"), 2, "more nodes");
    refuse(FILE_OF(HEAD("2"), "\0\0\0\0\0"), 1, "fewer nodes");
    refuse(FILE_OF(HEAD("1"), "\0\0\xc0\x7f\0"), 0, "not a number");

    char deep[256];
    size_t size = sizeof HEAD("18") - 1;
    memcpy(deep, HEAD("18"), size);
    for (int i = 0; i < 18; ++i, size += 5)
        memcpy(deep + size, "\0\0\0\0\x01", 5);
    refuse(deep, size, 17, "deeper than 16 levels");
}

static void truncation_and_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/octomap_full truncation", 63));
    static vnt_bt_map drawn;
    vnt_bt_random(&drawn, &rng);
    size_t size;
    char* bytes = write_full(&drawn, false, &rng, &size);
    for (size_t cut = 0; cut < size; cut += 1 + size / 300) {
        vn_octomap map;
        assert_int_equal(vnt_octomap_read(bytes, cut, SIZE_MAX, NULL, &map, NULL), VN_BAD_FORMAT);
    }

    bool done = false;
    for (uint64_t k = 0; !done; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_octomap map;
        const vn_status status = vnt_octomap_read(bytes, size, SIZE_MAX, &allocator, &map, NULL);
        done = status == VN_OK;
        assert_true(done || status == VN_OUT_OF_MEMORY);
        vn_octomap_free(&map);
        assert_int_equal(memory.live_blocks, 0);
    }

    free(bytes);
}

static void hostile_bytes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/octomap_full hostile bytes", 64));
    static vnt_bt_map drawn;
    vnt_bt_random(&drawn, &rng);
    size_t size;
    char* bytes = write_full(&drawn, true, &rng, &size);
    for (uint32_t round = 0; round < vnt_scale(1000, 50000); ++round) {
        const size_t at = vni_rng_below(&rng, (uint32_t)size);
        const char before = bytes[at];
        bytes[at] = (char)vni_rng_below(&rng, 256);
        vn_octomap map;
        vn_detail detail = {0};
        const vn_status status = vnt_octomap_read(bytes, size, SIZE_MAX, NULL, &map, &detail);
        assert_true(status == VN_OK || detail.text[0] != 0);
        vn_octomap_free(&map);
        bytes[at] = before;
    }

    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_binary),        cmocka_unit_test(a_root_alone),  cmocka_unit_test(bad_trees),
        cmocka_unit_test(truncation_and_memory), cmocka_unit_test(hostile_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
