/// tests/unit/store/test_limits.c: small files that would take much memory or time. Their checksums, tables
/// and lists are right, but for what each test is about.
#include "files.h"

#include "cells/restore.h"
#include "store/cells_inside.h"
#include "store/writer.h"

/// A row of free blocks along x that are not whole, so that each is validated: all share one record of cells,
/// and all seams share one too.
typedef struct row {
    uint32_t blocks;
    uint32_t cells;         ///< in the record, each the same box
    uint32_t components;    ///< of the record
    uint32_t ranks;         ///< on the lower face along x, as the record says
    uint32_t links, groups; ///< of the seam; the first list has all links but one
    uint8_t high;           ///< of each cell, along x
} row;

static const row right_row = {4, 1, 1, 1, 2, 2, 64};

static void put_params(vni_writer* w, const row* r) {
    const vni_file_params params = {.resolution = 1,
                                    .dims = {64 * (int32_t)r->blocks, 32, 32},
                                    .parts = VNI_PARTS_CELLS,
                                    .cells = (uint64_t)r->cells * r->blocks,
                                    .links = 2 * ((uint64_t)r->blocks - 1),
                                    .components = 1};
    vni_bytes_put(&w->content, &params, sizeof params);
    vni_writer_add(w, 0, VNI_TAG_PARAMS, 0, 1, false);
    for (uint32_t i = 0; i < r->blocks; ++i)
        vni_put_u32(&w->content, VNI_FILE_NONE);
    vni_writer_add(w, 0, VNI_TAG_OCCUPANCY, 0, r->blocks, true);
}

static void put_blocks(vni_writer* w, const row* r) {
    vni_stored_block head = {.cell_count = r->cells, .component_count = r->components};
    const vni_stored_cell cell = {.high = {r->high, 32, 32}};
    for (uint32_t i = 0; i <= VNI_CHUNK_COUNT; ++i)
        head.first_of_chunk[i] = r->cells;
    for (uint32_t i = 0; i < VNI_FACES; ++i)
        head.rank_count[i] = i == 3 || i == 5 ? 0 : i == 0 ? r->ranks : r->cells;
    for (uint32_t i = 0; i < r->blocks; ++i)
        vni_put_u32(&w->content, 0);
    vni_bytes_put(&w->content, &head, sizeof head);
    for (uint32_t i = 0; i < r->cells; ++i)
        vni_bytes_put(&w->content, &cell, sizeof cell);
    vni_writer_add(w, 0, VNI_TAG_CELLS, 0, r->blocks, true);
}

static void put_seams(vni_writer* w, const row* r) {
    const vni_stored_seam head = {1, 1, r->links, r->groups};
    for (uint32_t i = 0; i < 3 * r->blocks; ++i)
        vni_put_u32(&w->content, i % 3 == 0 && i / 3 + 1 < r->blocks ? 0 : VNI_FILE_NONE);
    vni_bytes_put(&w->content, &head, sizeof head);
    vni_put_u32(&w->content, r->links - 1);
    vni_put_u32(&w->content, 1);
    for (uint32_t i = 0; i < r->links; ++i)
        vni_put_u32(&w->content, 0);
    vni_writer_add(w, 0, VNI_TAG_SEAMS, 0, 3 * r->blocks, true);
}

static vnt_file make_row(const row* r, const vn_codec* codec) {
    const vn_allocator allocator = vn_default_allocator();
    vni_writer w = vni_writer_make(&allocator, codec);
    vnt_file file = vnt_file_make();
    const vn_sink sink = vnt_file_sink(&file);
    put_params(&w, r);
    put_blocks(&w, r);
    put_seams(&w, r);
    for (uint32_t i = 0; i < r->blocks; ++i)
        vni_put_u32(&w.content, 0);
    vni_writer_add(&w, 0, VNI_TAG_COMPONENTS, 0, r->blocks, true);
    assert_int_equal(vni_writer_finish(&w, VNI_FILE_LAYERS, 1, 0, &sink, NULL), VN_OK);
    vni_writer_free(&w);
    return file;
}

/// Reads a row; `*peak` becomes the memory that it took.
static vn_status read_row(const row* r, uint64_t max_bytes, uint64_t* peak, vn_detail* detail) {
    const vn_codec codec = vnt_zero_codec();
    vnt_file file = make_row(r, &codec);
    vnt_memory memory = vnt_memory_make();
    vn_load_def load = vn_default_load_def();
    vn_layers* layers;
    load.codec = &codec;
    load.max_bytes = max_bytes;
    load.allocator = vnt_memory_allocator(&memory);
    const vn_status status = vn_layers_read(file.data, file.size, &load, &layers, detail);
    vn_layers_destroy(layers);
    assert_int_equal(memory.live_blocks, 0);
    *peak = memory.peak_bytes;
    vnt_file_free(&file);
    return status;
}

static void a_row_is_read(void** state) {
    (void)state;
    uint64_t peak;
    vn_detail detail = {0};
    assert_int_equal(read_row(&right_row, 1 << 20, &peak, &detail), VN_OK);
}

/// A face has 4096 voxels, so that a seam has no more links each way. More than that would be made in eight
/// times the bytes, and looked at once for each place that shares it.
static void links_of_a_seam(void** state) {
    (void)state;
    row r = right_row;
    uint64_t peak;
    vn_detail detail = {0};
    r.links = r.groups = 1 << 20;
    assert_int_equal(read_row(&r, 1 << 24, &peak, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, "seams, number 0 has invalid counts"));
    assert_true(peak < 6 << 20); // the section, unpacked
}

/// A block has 64^3 voxels, and no more cells.
static void cells_of_a_block(void** state) {
    (void)state;
    row r = right_row;
    uint64_t peak;
    vn_detail detail = {0};
    r.cells = 64 * 64 * 64 + 1;
    assert_int_equal(read_row(&r, 1 << 24, &peak, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, "cells, number 0 has invalid counts"));
    assert_true(peak < 8 << 20);
    r.cells = 1;
    r.ranks = 64 * 64 + 1;
    assert_int_equal(read_row(&r, 1 << 24, &peak, &detail), VN_BAD_FORMAT);
}

/// Places that share a block name its components again: more than the file has labels for.
static void components_of_shared_blocks(void** state) {
    (void)state;
    row r = right_row;
    uint64_t peak;
    vn_detail detail = {0};
    r.blocks = 8000;
    r.cells = r.components = r.ranks = 4000;
    assert_int_equal(read_row(&r, 1 << 24, &peak, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, "components"));
    assert_true(peak < 1 << 24);
}

/// Links take more bytes in memory than in a file: these count.
static void made_links_are_counted(void** state) {
    (void)state;
    row r = right_row;
    uint64_t peak;
    vn_detail detail = {0};
    r.links = r.groups = 8192; // 32 KB, made into 256 KB
    assert_int_equal(read_row(&r, 100000, &peak, &detail), VN_TOO_LARGE);
    assert_non_null(strstr(detail.text, "more memory than max_bytes allows"));
    assert_true(peak < 250000);
    assert_int_equal(read_row(&r, 300000, &peak, &detail), VN_BAD_FORMAT); // too many after all
}

/// Sides that no key holds are refused before links are made from them.
static void sides_of_a_cell(void** state) {
    (void)state;
    row r = right_row;
    uint64_t peak;
    vn_detail detail = {0};
    r.high = 200;
    assert_int_equal(read_row(&r, 1 << 20, &peak, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, "stick out of it"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_read),          cmocka_unit_test(links_of_a_seam),
        cmocka_unit_test(cells_of_a_block),       cmocka_unit_test(components_of_shared_blocks),
        cmocka_unit_test(made_links_are_counted), cmocka_unit_test(sides_of_a_cell),
    };

    return cmocka_run_group_tests_name("store/limits", tests, NULL, NULL);
}
