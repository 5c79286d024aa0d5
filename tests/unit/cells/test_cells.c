/// Cells: valid in random worlds of all shapes and sizes, the same for any number of workers, right
/// components, lookup of every voxel, memory.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "cells/cells.h"
#include "space/space.h"

#include <string.h>

static void check_space(const vn_space* space) {
    vn_detail detail;
    vn_status status = vn_space_validate(space, &detail);
    if (status != VN_OK)
        print_message("%s\n", detail.text);
    assert_int_equal(status, VN_OK);
}

/// Every voxel is found in the cell that holds it, and no blocked or outside voxel is found.
static void check_lookup(const vnt_voxels* voxels, const vn_space* space) {
    const vni_cells* cells = &space->cells;
    for (int32_t z = -1; z <= voxels->dims.z; ++z)
        for (int32_t y = -1; y <= voxels->dims.y; ++y)
            for (int32_t x = -1; x <= voxels->dims.x; ++x) {
                const vn_voxel v = {x, y, z};
                vni_cell_ref ref;
                bool found = vni_cells_find(cells, v, &ref);
                assert_int_equal(found, vnt_voxels_are_free(voxels, x, y, z));
                if (!found)
                    continue;

                const vni_cell* c = &cells->table[ref.block]->cells[ref.cell];
                const int32_t* low = cells->views[ref.block].low;
                assert_true(x >= low[0] + c->low[0]);
                assert_true(x < low[0] + c->high[0]);
                assert_true(y >= low[1] + c->low[1]);
                assert_true(y < low[1] + c->high[1]);
                assert_true(z >= low[2] + c->low[2]);
                assert_true(z < low[2] + c->high[2]);
            }
}

static void test_random_worlds(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("cells", 91));
    vn_jobs serial = vn_serial_jobs();
    for (uint32_t i = 0; i < vnt_scale(30, 600); ++i) {
        vn_voxel dims = vnt_random_dims(&rng, i % 3 == 0 ? 90 : 24);
        if (i % 7 == 0)
            dims =
                (vn_voxel){vni_rng_range(&rng, 1, 300), 1 + (int32_t)vni_rng_below(&rng, 4), 5}; // elongated

        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        check_space(space);
        if (i % 5 == 0)
            check_lookup(&voxels, space);

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

/// Labels against a flood over voxels.
static void test_components(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("components", 92));
    vn_jobs serial = vn_serial_jobs();
    for (uint32_t i = 0; i < vnt_scale(30, 300); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 20));
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        int32_t X = voxels.dims.x, Y = voxels.dims.y, Z = voxels.dims.z;
        static uint32_t label[20 * 20 * 20];
        uint32_t regions = 0;

        memset(label, 0, sizeof label);
        for (int32_t at = 0; at < X * Y * Z; ++at) {
            if (voxels.blocked[at] || label[at])
                continue;
            label[at] = ++regions;
            for (bool changed = true; changed;) { // spread until nothing changes
                changed = false;
                for (int32_t k = 0; k < X * Y * Z; ++k) {
                    int32_t x = k % X, y = k / X % Y, z = k / X / Y;
                    if (voxels.blocked[k] || label[k])
                        continue;

                    bool touches =
                        (x > 0 && label[k - 1] == regions) || (x + 1 < X && label[k + 1] == regions) ||
                        (y > 0 && label[k - X] == regions) || (y + 1 < Y && label[k + X] == regions) ||
                        (z > 0 && label[k - X * Y] == regions) || (z + 1 < Z && label[k + X * Y] == regions);
                    if (touches) {
                        label[k] = regions;
                        changed = true;
                    }
                }
            }
        }

        assert_int_equal(space->cells.component_count, regions);
        for (int32_t k = 0; k < X * Y * Z; ++k) { // labels come in the order of blocks and cells: compare as
                                                  // partitions, by a pair with the first voxel
            vn_voxel v = {k % X, k / X % Y, k / X / Y}, first = {0, 0, 0};
            vni_cell_ref a, b;
            if (!vni_cells_find(&space->cells, v, &a) || !vni_cells_find(&space->cells, first, &b))
                continue;
            bool same = vni_cells_component(&space->cells, a) == vni_cells_component(&space->cells, b);
            assert_int_equal(same, label[k] == label[0]);
        }

        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }
}

static void test_any_number_of_workers(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("cells workers", 93));
    vn_allocator allocator = vn_default_allocator();
    vn_jobs serial = vn_serial_jobs();
    for (uint32_t i = 0; i < 6; ++i) {
        vn_voxel dims = {100 + (int32_t)vni_rng_below(&rng, 60), 90, 130};
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* want = vnt_voxels_cells(&voxels, &serial);
        for (uint32_t workers = 2; workers <= 5; ++workers) {
            vn_pool* pool;
            if (vn_pool_create(&allocator, workers, &pool) != VN_OK)
                break; // a build without threads

            vn_jobs jobs = vn_pool_jobs(pool);
            vn_space* got = vnt_voxels_cells(&voxels, &jobs);
            assert_true(vn_space_content_hash(got) == vn_space_content_hash(want));
            vn_space_destroy(got);
            vn_pool_destroy(pool);
        }

        vn_space_destroy(want);
        vnt_voxels_free(&voxels);
    }
}

/// A whole free world of odd dimensions costs one cell a block, and no more.
static void test_open_space_is_cheap(void** state) {
    (void)state;
    const vn_voxel dims = {200, 130, 65};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_space_info info;
    vn_space_get_info(space, &info);
    assert_int_equal(info.cells, 4 * 3 * 2);
    assert_int_equal(info.links, 2 * (3 * 3 * 2 + 4 * 2 * 2 + 4 * 3));
    assert_int_equal(info.components, 1);
    check_space(space);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Every second voxel blocked: as many cells as there are free voxels, and nothing breaks.
static void test_checkerboard(void** state) {
    (void)state;
    const vn_voxel dims = {70, 30, 20};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            for (int32_t x = 0; x < dims.x; ++x)
                if ((x + y + z) & 1)
                    vnt_voxels_block(&voxels, x, y, z);

    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_space_info info;
    vn_space_get_info(space, &info);
    assert_int_equal(info.cells, info.free_voxels);
    assert_int_equal(info.components, info.free_voxels);
    assert_int_equal(info.links, 0);
    check_space(space);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

typedef struct tally {
    uint64_t cells, volume;
} tally;

static bool count_cell(void* user, vn_voxel low, vn_voxel high) {
    tally* t = user;
    ++t->cells;
    t->volume += (uint64_t)(high.x - low.x) * (uint64_t)(high.y - low.y) * (uint64_t)(high.z - low.z);
    return true;
}

static void test_visiting(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("cells visiting", 95));
    vn_jobs serial = vn_serial_jobs();
    const vn_voxel dims = {130, 70, 66}, none = {0, 0, 0}, all = {1000, 1000, 1000}, corner = {5, 5, 5},
                   before = {-9, -9, -9};
    vnt_voxels voxels = vnt_voxels_random(&rng, dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_space_info info;
    tally t = {0, 0};
    vn_space_get_info(space, &info);
    vn_space_visit_cells(space, before, all, count_cell, &t);
    assert_int_equal(t.cells, info.cells);
    assert_int_equal(t.volume, info.free_voxels);
    t = (tally){0, 0};
    vn_space_visit_cells(space, none, corner, count_cell, &t);
    assert_true(t.cells > 0);
    assert_true(t.cells < info.cells);
    t = (tally){0, 0};
    vn_space_visit_cells(space, none, none, count_cell, &t);
    assert_int_equal(t.cells, 0);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void test_validation_finds_faults(void** state) {
    (void)state;
    const vn_voxel dims = {20, 20, 20};
    vn_jobs serial = vn_serial_jobs();
    vn_detail detail;
    vnt_voxels voxels = vnt_voxels_make(dims);
    vnt_voxels_block(&voxels, 9, 9, 9);
    vnt_voxels_block(&voxels, 3, 12, 5);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    check_space(space);

    vni_cell_block* block = space->cells.table[0];
    for (uint32_t fault = 0; fault < 6; ++fault) {
        vni_cell cell = block->cells[1];
        vni_link_group group = block->groups[0];
        uint32_t components = space->cells.component_count;
        if (fault == 0)
            block->cells[1].high[0] = (uint8_t)(cell.high[0] - 1); // leaves voxels out

        if (fault == 1)
            block->cells[1].low[1] = (uint8_t)(cell.low[1] ? cell.low[1] - 1 : 1); // overlaps, or leaves out

        if (fault == 2)
            block->groups[0].high_a[0] = (uint8_t)(group.high_a[0] - 1); // a portal that is too small

        if (fault == 3)
            block->groups[0].to[0] = block->cell_count; // no such cell

        if (fault == 4)
            block->groups[0].to[0] = VNI_NO_CELL; // a gap

        if (fault == 5)
            ++space->cells.component_count;

        assert_int_equal(vn_space_validate(space, &detail), VN_BAD_DATA);
        block->cells[1] = cell;
        block->groups[0] = group;
        space->cells.component_count = components;
    }

    check_space(space);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static bool cancel_at(void* user, const char* stage, double fraction) {
    (void)stage;
    (void)fraction;
    return (*(int*)user)-- > 0;
}

static void test_out_of_memory_and_cancel(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("cells memory", 94));
    vn_jobs serial = vn_serial_jobs();
    vn_voxel dims = {80, 70, 20};
    vnt_voxels voxels = vnt_voxels_random(&rng, dims);
    vn_space* space = vnt_voxels_space(&voxels);

    vni_cells cells;
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_status status = vni_cells_make(&allocator, &space->occupancy, &serial, NULL, NULL, &cells, NULL);

        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        if (status == VN_OK) {
            vn_memory report;
            memset(&report, 0, sizeof report);
            vni_cells_memory(&cells, &report);
            assert_int_equal(report.total, memory.live_bytes);
        }

        vni_cells_free(&cells);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }

    vn_allocator allocator = vn_default_allocator();
    int calls = 0;
    assert_int_equal(vni_cells_make(&allocator, &space->occupancy, &serial, cancel_at, &calls, &cells, NULL),
                     VN_CANCELLED);
    vni_cells_free(&cells); // empty: does no harm
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds),
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_any_number_of_workers),
        cmocka_unit_test(test_open_space_is_cheap),
        cmocka_unit_test(test_checkerboard),
        cmocka_unit_test(test_visiting),
        cmocka_unit_test(test_validation_finds_faults),
        cmocka_unit_test(test_out_of_memory_and_cancel),
    };

    return cmocka_run_group_tests_name("cells/cells", tests, NULL, NULL);
}
