/// Validation of cells and tables: forgeries that are nearly right, each refused for its own reason.
#include "validate_scene.h"

// -------------------------------------------------------------------------------------------------- cover

static void test_small_cells(void** state) {
    (void)state;
    scene s = make_house();
    vni_cell_block* b = s.cells.table[0];
    uint32_t small = b->first_of_chunk[0];
    while (b->cells[small].high[1] - b->cells[small].low[1] < 2)
        ++small;

    const vni_cell kept = b->cells[small];
    b->cells[small].high[0] = (uint8_t)(kept.high[0] + 64);
    expect_refusal(&s, "sticks out");
    b->cells[small].high[0] = kept.low[0];
    expect_refusal(&s, "empty");
    b->cells[small] = b->cells[small + 1];
    expect_refusal(&s, "of another cell");
    b->cells[small] = kept;
    b->cells[small].high[1] = (uint8_t)(kept.high[1] - 1);
    expect_refusal(&s, "in no cell");
    free_scene(&s);
}

/// A cell that is there three times holds each of its voxels an odd number of times, as it should; only the
/// sum of all volumes tells.
static void test_three_times_the_same(void** state) {
    (void)state;
    scene s = make_dust(210);
    vni_cell_block* b = s.cells.table[0];
    const uint32_t count = b->cell_count;
    b->cells = with_length(b->cells, sizeof *b->cells, count, count + (size_t)2);
    b->cells[count] = b->cells[count + 1] = b->cells[count - 1];
    for (uint32_t chunk = VNI_CHUNK_COUNT; b->first_of_chunk[chunk] == count; --chunk)
        b->first_of_chunk[chunk] += 2;

    b->cell_count += 2;
    s.cells.base[1] += 2;
    update_view(&s, 0);
    expect_refusal(&s, "holds a voxel of another cell");
    free_scene(&s);
}

/// 48 x 16 x 20 voxels: five free chunks, cut at 20, and one with a blocked voxel.
static scene make_chunks(void) {
    const vn_voxel dims = {48, 16, 20};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 40, 8, 8);
    scene s = scene_of(voxels);
    assert_int_equal(s.cells.table[0]->first_of_chunk[0], 2); // [0, 32) below, and [32, 48) on top
    return s;
}

static void test_large_cells(void** state) {
    (void)state;
    scene s = make_chunks();
    vni_cell* large = s.cells.table[0]->cells;
    const vni_cell kept = large[0];
    large[0].high[0] = 48;
    expect_refusal(&s, "part of a chunk that has its own cells");
    large[0] = kept;
    large[0].high[2] = 32;
    expect_refusal(&s, "sticks out of the space");
    large[0] = kept;
    large[0].high[0] = 24;
    expect_refusal(&s, "whole chunks");
    large[0] = kept;
    const vni_cell other = large[1];
    large[1].low[0] = 16;
    expect_refusal(&s, "of another cell");
    large[1] = other;
    large[0].high[0] = 16;
    expect_refusal(&s, "a free chunk lies in no cell");
    free_scene(&s);
}

/// The only free voxel is a chunk of its own, cut at the rim, and there is no cell: no sum misses it.
static void test_no_cell_at_all(void** state) {
    (void)state;
    const vn_voxel dims = {17, 17, 17};
    vnt_voxels voxels = vnt_voxels_make(dims);
    memset(voxels.blocked, 1, 17 * 17 * 17);
    voxels.blocked[17 * 17 * 17 - 1] = 0;
    scene s = scene_of(voxels);
    vni_cell_block* b = s.cells.table[0];
    b->cell_count = b->component_count = s.cells.component_count = 0;
    s.cells.base[1] = s.cells.component_base[1] = 0;
    memset(b->first_of_chunk, 0, sizeof b->first_of_chunk);
    expect_refusal(&s, "a free chunk lies in no cell");
    free_scene(&s);
}

static void test_order_of_chunks(void** state) {
    (void)state;
    scene s = make_house();
    vni_cell_block* b = s.cells.table[0];
    uint32_t last = VNI_CHUNK_COUNT - 1, first = 0;
    while (b->first_of_chunk[last] == b->first_of_chunk[last + 1])
        --last;

    while (b->first_of_chunk[first] == b->first_of_chunk[first + 1])
        ++first;

    assert_true(first > 0);
    assert_true(last + 1 < VNI_CHUNK_COUNT);
    b->first_of_chunk[last + 1] += 1000; // beyond the cells
    expect_refusal(&s, "out of order");
    b->first_of_chunk[last + 1] -= 1000;
    ++b->first_of_chunk[first]; // the chunk before it is free
    expect_refusal(&s, "has cells of its own");
    --b->first_of_chunk[first];
    const uint32_t count = b->cell_count;
    b->cells = with_length(b->cells, sizeof *b->cells, count, count + (size_t)1);
    b->cells[count] = b->cells[count - 1];

    ++b->cell_count;
    for (uint32_t i = 1; i <= 2; ++i)
        ++s.cells.base[i];

    ++s.cells.views[1].base;
    update_view(&s, 0);
    expect_refusal(&s, "do not end with the last cell");
    free_scene(&s);
}

// ------------------------------------------------------------------------------------------------- tables

static void test_tables(void** state) {
    (void)state;
    scene s = make_house();
    vni_cells* c = &s.cells;
    ++c->views[1].base;
    expect_refusal(&s, "block 1: its view shows something else");
    --c->views[1].base;
    c->views[1].groups = c->views[0].groups;
    expect_refusal(&s, "block 1: its view shows something else");
    update_view(&s, 1);
    c->views[1].low[2] = 64;
    expect_refusal(&s, "block 1: its view is somewhere else");
    c->views[1].low[2] = 0;
    ++c->base[2];
    expect_refusal(&s, "do not end");
    --c->base[2];
    ++c->component_base[2];
    expect_refusal(&s, "do not end");
    --c->component_base[2];
    c->stride[2] = 1;
    expect_refusal(&s, "steps");
    c->stride[2] = 2;
    c->dims[1] = 41;
    expect_refusal(&s, "not of the size of the space");
    c->dims[1] = 40;
    vni_cell_block* kept = c->table[1];
    c->table[1] = NULL;
    expect_refusal(&s, "block 1: it has no cells");
    c->table[1] = kept;
    free_scene(&s);
}

/// A block's cells where others belong, with all tables as they should be.
static void test_block_in_the_wrong_place(void** state) {
    (void)state;
    const vn_voxel dims = {128, 64, 64};
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 30, 30, 30);
    scene s = scene_of(voxels);
    vni_cell_block *mixed = s.cells.table[0], *open = s.cells.table[1];
    s.cells.table[0] = open;
    update_view(&s, 0);
    s.cells.base[1] = s.cells.views[1].base = 1;
    s.cells.base[2] = 2;
    expect_refusal(&s, "block 0, cell 0");
    s.cells.table[0] = s.cells.table[1] = mixed;
    update_view(&s, 0);
    update_view(&s, 1);
    s.cells.base[1] = s.cells.views[1].base = mixed->cell_count;
    s.cells.base[2] = 2 * mixed->cell_count;
    expect_refusal(&s, "block 1: it is all free, but is not one cell");
    s.cells.table[0] = mixed;
    s.cells.table[1] = open;
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_cells),
        cmocka_unit_test(test_large_cells),
        cmocka_unit_test(test_no_cell_at_all),
        cmocka_unit_test(test_order_of_chunks),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_block_in_the_wrong_place),
        cmocka_unit_test(test_three_times_the_same),
    };
    return cmocka_run_group_tests_name("cells/validate_faults", tests, NULL, NULL);
}
