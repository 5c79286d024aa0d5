/// Jumps along rows, by events and by bricks, against walking voxel by voxel; and the memory of the rows.
#include "cmocka_all.h"
#include "support.h"

#include "classic/jps_jump.h"
#include "jps_worlds.h"
#include "space/space.h"

#include <stdio.h>

typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vni_grid grids[2]; // 26 and 6 neighbours
    vni_jps_rules rules[2];
    vni_jps_rows rows;
} scene;

static void open_scene(scene* s, vnt_voxels voxels) {
    vn_allocator allocator = vn_default_allocator();
    s->voxels = voxels;
    s->space = vnt_voxels_space(&voxels);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(vni_grid_make(&s->space->occupancy, i ? 6 : 26, &s->grids[i], NULL), VN_OK);
        vni_jps_rules_make(&s->grids[i], &s->rules[i]);
    }

    assert_int_equal(vni_jps_rows_make(&allocator, &s->grids[0], &s->rows, NULL), VN_OK);
}

static void close_scene(scene* s) {
    vni_jps_rows_free(&s->rows);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

/// The 3x3x3 from the array of bytes.
static uint32_t free_around(const vnt_voxels* v, const int32_t at[3]) {
    uint32_t free = 0;
    for (int32_t i = 0; i < 27; ++i)
        if (vnt_voxels_are_free(v, at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1))
            free |= 1u << i;
    return free;
}

static void check_jumps(const scene* s, int which, uint32_t direction, const int32_t from[3]) {
    const vni_grid* grid = &s->grids[which];
    const vni_jps_rules* rules = &s->rules[which];
    const int32_t* by = grid->step[direction];
    int axis = by[0] ? 0 : by[1] ? 1 : 2;
    int32_t at[3] = {from[0], from[1], from[2]};

    bool is_forced = false;
    while (!is_forced && vnt_voxels_are_free(&s->voxels, at[0] + by[0], at[1] + by[1], at[2] + by[2])) {
        at[axis] += by[axis];
        is_forced = vni_jps_is_forced(rules, direction, free_around(&s->voxels, at));
    }

    vni_jps_jump a = vni_jps_jump_rows(grid, rules, &s->rows, direction, from);
    vni_jps_jump b = vni_jps_jump_bricks(grid, rules, direction, from);
    assert_int_equal(a.is_forced, is_forced);
    assert_int_equal(b.is_forced, is_forced);
    assert_int_equal(a.end, at[axis]);
    assert_int_equal(b.end, at[axis]);
}

static void check_scene(const scene* s, vni_rng* rng, uint32_t tries) {
    for (uint32_t i = 0; i < tries; ++i) {
        vn_voxel v;
        if (!vnt_random_free_voxel(rng, &s->voxels, &v))
            return;

        const int32_t from[3] = {v.x, v.y, v.z};
        for (int which = 0; which < 2; ++which)
            for (uint32_t left = s->rules[which].rows; left; left &= left - 1)
                check_jumps(s, which, vni_lowest_bit(left), from);
    }
}

/// The events of one row, voxel by voxel.
static void check_row(const scene* s, uint32_t direction, int axis, const int32_t first_voxel[3]) {
    const int32_t* by = s->grids[0].step[direction];
    int32_t at[3] = {first_voxel[0], first_voxel[1], first_voxel[2]};
    uint32_t count, k = 0;
    const uint32_t* events = vni_jps_row(&s->rows, direction, first_voxel, &count);
    for (; at[axis] < s->space->occupancy.dims[axis]; ++at[axis]) {
        if (!vnt_voxels_are_free(&s->voxels, at[0] - by[0], at[1] - by[1], at[2] - by[2]))
            continue; // no run comes from there
        bool is_free = vnt_voxels_are_free(&s->voxels, at[0], at[1], at[2]);
        if (is_free && !vni_jps_is_forced(&s->rules[0], direction, free_around(&s->voxels, at)))
            continue;

        assert_true(k < count);
        assert_int_equal(events[k++], (uint32_t)at[axis] << 1 | is_free);
    }

    assert_int_equal(k, count);
}

static void test_events(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jps events", 324));
    for (uint32_t i = 0; i < vnt_scale(25, 500); ++i) {
        scene s;
        open_scene(&s, vnt_jps_world(&rng, i % 8 == 0 ? 70 : 14));
        const int32_t* dims = s.space->occupancy.dims;
        for (uint32_t d = 0; d < 6; ++d) {
            int axis = s.rows.axis[d], u = vni_jps_row_low(axis), v = vni_jps_row_high(axis);
            int32_t at[3] = {0, 0, 0}, step = dims[0] > 16 ? 3 : 1;
            for (at[v] = 0; at[v] < dims[v]; at[v] += step)
                for (at[u] = 0; at[u] < dims[u]; at[u] += step)
                    check_row(&s, d, axis, at);
        }

        close_scene(&s);
    }
}

static void test_jumps(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jps jumps", 321));
    for (uint32_t i = 0; i < vnt_scale(80, 3000); ++i) {
        scene s;
        open_scene(&s, vnt_jps_world(&rng, i % 20 == 0 ? 140 : 24));
        check_scene(&s, &rng, i % 10 == 0 ? 400 : 100);
        close_scene(&s);
    }
}

/// Single voxels near the faces of bricks, chunks and blocks: what is beside a leap must end it.
static void test_borders(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jps borders", 322));
    const int32_t places[] = {0, 3, 4, 15, 16, 17, 62, 63, 64, 65, 79, 80, 127, 128, 130};
    for (uint32_t i = 0; i < vnt_scale(25, 2000); ++i) {
        scene s;
        vn_voxel dims = {131, 131, 131};
        vnt_voxels voxels = vnt_voxels_make(dims);
        int32_t at[3];
        for (uint32_t k = 0; k < 3; ++k) {
            for (int axis = 0; axis < 3; ++axis)
                at[axis] = places[vni_rng_below(&rng, 15)];
            vnt_voxels_block(&voxels, at[0], at[1], at[2]);
        }

        open_scene(&s, voxels);
        for (uint32_t k = 0; k < 200; ++k) { // rows through the last voxel's surroundings
            int32_t from[3];
            for (int axis = 0; axis < 3; ++axis) {
                from[axis] = at[axis] + vni_rng_range(&rng, -2, 2);
                if (vni_rng_below(&rng, 3) == 0)
                    from[axis] = vni_rng_range(&rng, 0, 130);
            }
            if (!vnt_voxels_are_free(&s.voxels, from[0], from[1], from[2]))
                continue;
            for (uint32_t left = s.rules[0].rows; left; left &= left - 1)
                check_jumps(&s, 0, vni_lowest_bit(left), from);
        }

        close_scene(&s);
    }
}

/// Free chunks are leaped over: a jump through a large free space looks at few words.
static void test_leaps(void** state) {
    (void)state;
    vn_voxel dims = {640, 640, 640};
    scene s;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){1, 1, 1});
    open_scene(&s, voxels);
    vni_occupancy open;
    vni_grid grid;
    vn_allocator allocator = vn_default_allocator();
    assert_int_equal(vni_occupancy_make(&allocator, dims, &open, NULL), VN_OK);
    assert_int_equal(vni_grid_make(&open, 26, &grid, NULL), VN_OK);
    const int32_t from[3] = {0, 64, 63};
    vni_jps_jump jump =
        vni_jps_jump_bricks(&grid, &s.rules[0], vni_jps_direction(&s.rules[0], 1, 0, 0), from);
    assert_int_equal(jump.end, 639);
    assert_false(jump.is_forced);
    assert_int_equal(jump.looked, 10);
    vni_jps_rows rows;
    assert_int_equal(vni_jps_rows_make(&allocator, &grid, &rows, NULL), VN_OK);
    assert_true(vni_jps_rows_bytes(&rows) < 3000); // nothing to remember
    jump = vni_jps_jump_rows(&grid, &s.rules[0], &rows, vni_jps_direction(&s.rules[0], 0, -1, 0), from);
    assert_int_equal(jump.end, 0);
    vni_jps_rows_free(&rows);
    vni_occupancy_free(&open);
    close_scene(&s);
}

static void test_out_of_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("jps memory", 323));
    scene s;
    open_scene(&s, vnt_voxels_random(&rng, (vn_voxel){70, 20, 30}));
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = k;
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vni_jps_rows rows;
        vn_detail detail = {0};
        vn_status status = vni_jps_rows_make(&allocator, &s.grids[0], &rows, &detail);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);

        assert_int_equal(detail.status, status);
        if (status == VN_OK)
            assert_int_equal(vni_jps_rows_bytes(&rows), memory.live_bytes);

        vni_jps_rows_free(&rows);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (!memory.failed)
            break;
    }

    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_events), cmocka_unit_test(test_jumps),
                                       cmocka_unit_test(test_borders), cmocka_unit_test(test_leaps),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests_name("classic/jps_rows", tests, NULL, NULL);
}
