/// Voxel maps from text and to text: what is accepted, what is refused and at which line, memory, and hostile
/// bytes.
#include "base/rng.h"
#include "support.h"
#include "tests/unit/io/text.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

static vn_status read_text(const char* bytes, size_t size, size_t chunk, const vn_allocator* allocator,
                           vn_3dmap* map, vn_detail* detail) {
    vnt_text text = vnt_text_of(bytes, size);
    text.chunk = chunk;
    vn_source source = vnt_text_source(&text);
    return vn_3dmap_read(&source, allocator, map, detail);
}

static void assert_empty(const vn_3dmap* map) {
    assert_null(map->voxels);
    assert_int_equal(map->voxel_count, 0);
    assert_int_equal(map->dims.x, 0);
}

static void accept(const char* bytes, uint64_t count) {
    for (size_t chunk = 1; chunk < 20; chunk += 3) {
        vn_3dmap map;
        vn_detail detail = {.line = 77};
        assert_int_equal(read_text(bytes, strlen(bytes), chunk, NULL, &map, &detail), VN_OK);
        assert_int_equal(detail.line, 77);
        assert_int_equal(map.dims.x, 3);
        assert_int_equal(map.dims.y, 4);
        assert_int_equal(map.dims.z, 5);

        assert_int_equal(map.voxel_count, count);
        for (uint64_t i = 0; i < count; ++i) {
            assert_int_equal(map.voxels[i].x, i);
            assert_int_equal(map.voxels[i].y, i + 1);
            assert_int_equal(map.voxels[i].z, i + 2);
        }

        vn_3dmap_free(&map);
        assert_empty(&map);
    }
}

static void good_maps(void** state) {
    (void)state;
    accept("voxel 3 4 5\n0 1 2\n1 2 3\n2 3 4\n", 3);
    accept("voxel 3 4 5\n0 1 2\n1 2 3\n2 3 4", 3);
    accept("voxel 3 4 5\r\n0 1 2\r\n1 2 3\r\n2 3 4\r\n", 3);
    accept("\n \t\nvoxel\t3   4 5  \n\n0 1 2 \n\n\n   1 2 3\n2 3 4\n\n", 3);
    accept("voxel 3 4 5\n", 0);
    accept("voxel 3 4 5", 0);
    accept("voxel +3 004 5\n0 1 2\n", 1);
}

static void refuse_bytes(const char* bytes, size_t size, vn_status status, uint32_t line) {
    for (size_t chunk = 1; chunk < 40; chunk += 9) {
        vn_3dmap map;
        vn_detail detail = {0};
        assert_int_equal(read_text(bytes, size, chunk, NULL, &map, &detail), status);
        assert_int_equal(detail.status, status);
        assert_int_equal(detail.line, line);
        assert_true(strlen(detail.text) > 10);
        assert_empty(&map);
        assert_int_equal(read_text(bytes, size, chunk, NULL, &map, NULL), status);
    }
}

static void refuse(const char* text, uint32_t line) {
    refuse_bytes(text, strlen(text), VN_BAD_FORMAT, line);
}

static void bad_headers(void** state) {
    (void)state;
    refuse("", 1);
    refuse("\n\n  \n", 4);
    refuse("3 4 5\n", 1);
    refuse("voxels 3 4 5\n", 1);
    refuse("\nVOXEL 3 4 5\n", 2);
    refuse("voxel\n3 4 5\n", 1);
    refuse("voxel 3 4\n5\n", 1);
    refuse("voxel 3 4", 1);
    refuse("voxel 3 4 5 6\n", 1);
    refuse("voxel 3 4 z\n", 1);
    refuse("voxel 3.0 4 5\n", 1);
    refuse("voxel 0 4 5\n", 1);
    refuse("voxel 3 -4 5\n", 1);
    refuse("voxel 3 4 -99999999999999999999\n", 1);
    refuse_bytes("voxel\0 3 4 5\n", 13, VN_BAD_FORMAT, 1);
    refuse_bytes("\x89PNG\r\n\x1a\n\0\0", 10, VN_BAD_FORMAT, 1);
}

static void dimensions_are_limited(void** state) {
    (void)state;
    const char* too_large[] = {"voxel 1048577 4 5\n", "voxel 3 99999999999999999999999 5\n1 1 1\n",
                               "voxel 3 4 4294967297\n"};
    for (size_t i = 0; i < sizeof too_large / sizeof *too_large; ++i)
        refuse_bytes(too_large[i], strlen(too_large[i]), VN_TOO_LARGE, 1);

    vnt_memory memory = vnt_memory_make();
    vn_allocator allocator = vnt_memory_allocator(&memory);
    const char* huge = "voxel 1048576 1048576 1048576\n1048575 1048575 1048575\n";
    vn_3dmap map;
    assert_int_equal(read_text(huge, strlen(huge), SIZE_MAX, &allocator, &map, NULL), VN_OK);
    assert_int_equal(map.voxels[0].z, 1048575);
    assert_int_equal(memory.live_bytes, sizeof(vn_voxel));
    assert_true(memory.peak_bytes < 4096);
    vn_3dmap_free(&map);
    assert_int_equal(memory.live_blocks, 0);
}

static void bad_voxels(void** state) {
    (void)state;
    refuse("voxel 3 4 5\n0 0 0\n3 0 0\n", 3);
    refuse("voxel 3 4 5\n0 4 0\n", 2);
    refuse("voxel 3 4 5\n\n\n0 0 5\n", 4);
    refuse("voxel 3 4 5\n-1 0 0\n", 2);
    refuse("voxel 3 4 5\n0 0 4294967296\n", 2);
    refuse("voxel 3 4 5\n0 0 0\n0 0\n0 0 0\n", 3);
    refuse("voxel 3 4 5\r\n0 0 0\r\n0", 3);
    refuse("voxel 3 4 5\n0 0 0 0\n", 2);
    refuse("voxel 3 4 5\n0 0 0 0 0 0\n", 2);
    refuse("voxel 3 4 5\n0 0 0\n0 x 0\n", 3);
    refuse("voxel 3 4 5\n0 0 0\n0 0 0 # wall\n", 3);
    refuse("voxel 3 4 5\n0 0 0\n0 1.5 0\n", 3);
    refuse("voxel 3 4 5\n0 0 0\nvoxel 3 4 5\n", 3);
    refuse_bytes("voxel 3 4 5\n0 0 0\n0\0 0 0\n", 25, VN_BAD_FORMAT, 3);
}

static void failing_source(void** state) {
    (void)state;
    const char* bytes = "voxel 3 4 5\n0 0 0\n0 0 0\n";
    for (size_t at = 0; at < strlen(bytes); ++at) {
        vnt_memory memory = vnt_memory_make();
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vnt_text text = vnt_text_of(bytes, strlen(bytes));
        text.chunk = 1;
        text.fail_at = at;
        vn_source source = vnt_text_source(&text);
        vn_3dmap map;
        vn_detail detail = {0};
        assert_int_equal(vn_3dmap_read(&source, &allocator, &map, &detail), VN_IO);
        assert_empty(&map);
        assert_int_equal(memory.live_blocks, 0);
    }
}

static void duplicates_and_order_are_kept(void** state) {
    (void)state;
    const char* bytes = "voxel 9 9 9\n8 8 8\n1 1 1\n8 8 8\n";
    vn_3dmap map;
    assert_int_equal(read_text(bytes, strlen(bytes), SIZE_MAX, NULL, &map, NULL), VN_OK);
    assert_int_equal(map.voxel_count, 3);
    vn_shape shape = vn_3dmap_shape(&map);
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    vn_obstacle_id id;
    vn_obstacle_info info;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    vn_3dmap_free(&map);
    assert_int_equal(vn_world_get_info(world, id, &info), VN_OK);
    assert_int_equal(info.voxels, 2);
    assert_int_equal(info.duplicates, 1);
    assert_true(info.bounds.min.x == 0);
    assert_true(info.bounds.max.z == 9);
    vn_world_destroy(world);
}

static void round_trip(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/3dmap round trip", 51));
    static vnt_page page;
    static vn_voxel voxels[100000];

    const vn_voxel dims = {1 << 20, 1 << 20, 1 << 20};
    for (uint32_t round = 0; round < 20; ++round) {
        uint32_t count = round < 3 ? round : vni_rng_below(&rng, 100000);
        for (uint32_t i = 0; i < count; ++i)
            voxels[i] = (vn_voxel){vni_rng_range(&rng, 0, dims.x - 1), vni_rng_range(&rng, 0, dims.y - 1),
                                   vni_rng_range(&rng, 0, dims.z - 1)};

        page.size = 0;
        page.limit = VNT_PAGE_SIZE;
        vn_sink sink = {vnt_page_write, &page};
        assert_int_equal(vn_3dmap_write(&sink, dims, voxels, count, NULL), VN_OK);
        vn_3dmap map;
        assert_int_equal(read_text(page.bytes, page.size, 1 + vni_rng_below(&rng, 5000), NULL, &map, NULL),
                         VN_OK);
        assert_memory_equal(&map.dims, &dims, sizeof dims);

        assert_int_equal(map.voxel_count, count);
        if (count > 0)
            assert_memory_equal(map.voxels, voxels, count * sizeof *voxels);

        vn_3dmap_free(&map);
        page.limit = page.size - 1;
        page.size = 0;
        vn_detail detail = {0};
        assert_int_equal(vn_3dmap_write(&sink, dims, voxels, count, &detail), VN_IO);
        assert_int_equal(detail.status, VN_IO);
    }
}

static void only_maps_are_written(void** state) {
    (void)state;
    static vnt_page page;
    page.limit = VNT_PAGE_SIZE;
    vn_sink sink = {vnt_page_write, &page};
    vn_detail detail = {0};
    const vn_voxel voxels[3] = {{0, 0, 0}, {0, 2, 0}, {0, 0, -1}};
    assert_int_equal(vn_3dmap_write(&sink, (vn_voxel){3, 3, 3}, voxels, 3, &detail), VN_BAD_DATA);
    assert_int_equal(detail.index, 2);
    assert_int_equal(vn_3dmap_write(&sink, (vn_voxel){3, 2, 3}, voxels, 3, &detail), VN_BAD_DATA);
    assert_int_equal(detail.index, 1);
    assert_int_equal(vn_3dmap_write(&sink, (vn_voxel){3, 0, 3}, voxels, 3, NULL), VN_BAD_DATA);
    assert_int_equal(vn_3dmap_write(&sink, (vn_voxel){3, (1 << 20) + 1, 3}, voxels, 3, NULL), VN_TOO_LARGE);
    assert_int_equal(page.size, 0);
}

static void running_out_of_memory(void** state) {
    (void)state;
    char bytes[4096] = "voxel 3 4 5\n";
    for (int i = 0; i < 300; ++i)
        strcat(bytes, "2 3 4\n");

    for (uint64_t fail_at = 0;; ++fail_at) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = fail_at;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_3dmap map;
        vn_detail detail = {0};
        vn_status status = read_text(bytes, strlen(bytes), SIZE_MAX, &allocator, &map, &detail);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);

        assert_int_equal(detail.status, status);
        if (status != VN_OK)
            assert_empty(&map);

        vn_3dmap_free(&map);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed) {
            assert_true(fail_at >= 3);
            break;
        }
    }
}

/// Flips, cuts and doubles bytes; whatever comes out has a status, and if it is a map, it is a sound one.
static void hostile_bytes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("io/3dmap hostile", 52));
    const char* seed_text = "voxel 30 40 50\n0 1 2\n29 39 49\r\n\n7 7 7\n1 22 33\n";
    for (uint32_t round = 0; round < vnt_scale(20000, 1000000); ++round) {
        size_t size;
        char* bytes = vnt_text_spoil(&rng, seed_text, &size);
        vn_3dmap map;
        vn_detail detail = {0};
        vn_status status = read_text(bytes, size, 1 + vni_rng_below(&rng, 64), NULL, &map, &detail);
        assert_true(status == VN_OK || status == VN_BAD_FORMAT || status == VN_TOO_LARGE);

        assert_true(status == VN_OK ? detail.line == 0 : detail.line >= 1 && detail.line <= 48);
        for (uint64_t i = 0; i < map.voxel_count; ++i) {
            vn_voxel v = map.voxels[i];
            assert_true(v.x >= 0);
            assert_true(v.y >= 0);
            assert_true(v.z >= 0);
            assert_true(v.x < map.dims.x);
            assert_true(v.y < map.dims.y);
            assert_true(v.z < map.dims.z);
        }

        vn_3dmap_free(&map);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_maps),
        cmocka_unit_test(bad_headers),
        cmocka_unit_test(dimensions_are_limited),
        cmocka_unit_test(bad_voxels),
        cmocka_unit_test(failing_source),
        cmocka_unit_test(duplicates_and_order_are_kept),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(only_maps_are_written),
        cmocka_unit_test(running_out_of_memory),
        cmocka_unit_test(hostile_bytes),
    };

    return cmocka_run_group_tests_name("io/3dmap", tests, NULL, NULL);
}
