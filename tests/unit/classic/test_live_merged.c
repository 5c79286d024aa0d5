/// The merged octree that follows changes against a plain function: the saved boxes split around what is
/// blocked now. Also what went and came, lookups, neighbours, restoring, memory, and the split rule itself.
#include "live_world.h"

#include "classic/cube_state.h"
#include "classic/live_merged.h"
#include "classic/split.h"

typedef struct scene {
    live_world world;
    vni_octree_def def;
    vnt_voxels beginning;  ///< the voxels that the saved boxes are of
    vn_space* saved_space; ///< and their space
    vni_live_merged live;
    vni_box_lists lists;
    box_set boxes; ///< kept up to date by the lists alone
} scene;

static scene scene_begin(live_world world, vni_octree_root root, const vn_allocator* allocator) {
    scene s = {.world = world, .def = {root, 0, UINT32_MAX}, .lists = vni_box_lists_make(allocator)};
    s.beginning = vnt_voxels_make(world.fixed.dims);
    memcpy(s.beginning.blocked, world.all.blocked, live_volume(&world.all));
    s.saved_space = vnt_voxels_space(&s.beginning);
    return s;
}

static scene scene_make(live_world world, vni_octree_root root) {
    const vn_allocator allocator = vn_default_allocator();
    scene s = scene_begin(world, root, &allocator);
    assert_int_equal(vni_live_merged_make(&allocator, &s.saved_space->occupancy, &s.def, &s.live, NULL),
                     VN_OK);
    for (uint32_t i = 0; i < s.live.saved.box_count; ++i)
        set_add(&s.boxes, &s.live.saved.boxes[i]);
    return s;
}

static scene scene_random(vni_rng* rng, int32_t limit) {
    return scene_make(live_random(rng, limit), vni_rng_below(rng, 2) ? VNI_ROOT_GCD : VNI_ROOT_CUBE);
}

static void scene_free(scene* s) {
    vni_box_lists_free(&s->lists);
    vni_live_merged_free(&s->live);
    set_free(&s->boxes);
    vn_space_destroy(s->saved_space);
    vnt_voxels_free(&s->beginning);
    live_free(&s->world);
}

static vn_status scene_update(scene* s) {
    vni_box_lists_clear(&s->lists);
    return vni_live_merged_update(&s->live, &s->world.space->occupancy, s->world.changes,
                                  s->world.change_count, &s->lists, NULL);
}

// ------------------------------------------------------------------------------------- the plain function

static bool all_free(const vnt_voxels* v, const vni_box* box) {
    for (int32_t z = box->low[2]; z < box->high[2]; ++z)
        for (int32_t y = box->low[1]; y < box->high[1]; ++y)
            for (int32_t x = box->low[0]; x < box->high[0]; ++x)
                if (!vnt_voxels_are_free(v, x, y, z))
                    return false;
    return true;
}

/// The greatest number below `most` that divides all three.
static int32_t divisor_below(const int32_t sides[3], int32_t most) {
    for (int32_t d = most - 1; d > 0; --d)
        if (sides[0] % d == 0 && sides[1] % d == 0 && sides[2] % d == 0)
            return d;
    return 0;
}

/// The box of these sides, which may reach beyond the space, around what is blocked now.
static void expect_box(const vnt_voxels* now, const int32_t low[3], const int32_t sides[3], box_set* out) {
    const int32_t dims[3] = {now->dims.x, now->dims.y, now->dims.z};
    vni_box box;
    for (int i = 0; i < 3; ++i) {
        box.low[i] = low[i];
        box.high[i] = low[i] + sides[i] < dims[i] ? low[i] + sides[i] : dims[i];
        if (box.low[i] >= box.high[i])
            return;
    }

    if (all_free(now, &box)) {
        set_add(out, &box);
        return;
    }

    const bool is_cube = sides[0] == sides[1] && sides[1] == sides[2];
    const int32_t edge = divisor_below(sides, is_cube ? sides[0] : sides[0] + 1);
    for (int32_t z = 0; edge > 0 && z < sides[2]; z += edge)
        for (int32_t y = 0; y < sides[1]; y += edge)
            for (int32_t x = 0; x < sides[0]; x += edge)
                expect_box(now, (int32_t[3]){low[0] + x, low[1] + y, low[2] + z},
                           (int32_t[3]){edge, edge, edge}, out);
}

static void expect_saved(const vnt_voxels* now, const vni_box* box, box_set* out) {
    const int32_t dims[3] = {now->dims.x, now->dims.y, now->dims.z};
    int32_t sides[3];
    for (int i = 0; i < 3; ++i) {
        sides[i] = box->high[i] - box->low[i];
        while (box->high[i] == dims[i] && (sides[i] & (sides[i] - 1)) != 0)
            ++sides[i];
    }

    expect_box(now, box->low, sides, out);
}

/// Leaves of an octree over what is free now and was not in the beginning.
static void expect_opened(const scene* s, box_set* out) {
    vnt_voxels opened = vnt_voxels_make(s->beginning.dims);
    for (size_t i = 0; i < live_volume(&opened); ++i)
        opened.blocked[i] = s->world.all.blocked[i] || !s->beginning.blocked[i];

    vn_space* space = vnt_voxels_space(&opened);
    const vn_allocator allocator = vn_default_allocator();
    vni_octree tree;
    assert_int_equal(vni_octree_make(&allocator, &space->occupancy, &s->def, &tree, NULL), VN_OK);
    for (uint32_t i = 0; i < tree.leaf_count; ++i) {
        const vni_box box = vni_octree_leaf_box(&tree, i);
        set_add(out, &box);
    }

    vni_octree_free(&tree);
    vn_space_destroy(space);
    vnt_voxels_free(&opened);
}

/// The saved boxes are those of a merged octree of the beginning.
static box_set expect_all(const scene* s) {
    const vn_allocator allocator = vn_default_allocator();
    vni_octree tree;
    vni_boxes saved;
    box_set expected = {0};
    assert_int_equal(vni_octree_make(&allocator, &s->saved_space->occupancy, &s->def, &tree, NULL), VN_OK);
    assert_int_equal(vni_boxes_merged(&allocator, &tree, &saved, NULL), VN_OK);
    for (uint32_t i = 0; i < saved.box_count; ++i)
        expect_saved(&s->world.all, &saved.boxes[i], &expected);

    expect_opened(s, &expected);
    vni_boxes_free(&saved);
    vni_octree_free(&tree);
    return expected;
}

// --------------------------------------------------------------------------------------------------- checks

static box_set boxes_now(const scene* s) {
    box_set now = {0};
    const vn_voxel d = s->beginning.dims;
    assert_true(vni_live_merged_visit_in(&s->live, &(vni_box){{-5, -5, -5}, {d.x + 5, d.y + 5, d.z + 5}},
                                         set_visit, &now));
    return now;
}

static void check_equal(scene* s) {
    box_set expected = expect_all(s), now = boxes_now(s);
    assert_int_equal(vni_live_merged_count(&s->live), expected.count);
    assert_same_sets(&expected, &now);
    assert_same_sets(&expected, &s->boxes);
    set_free(&expected);
    set_free(&now);
}

/// Every voxel is in its box, or in none if it is blocked or outside.
static void check_lookups(const scene* s) {
    for (int32_t z = -1; z <= s->beginning.dims.z; ++z)
        for (int32_t y = -1; y <= s->beginning.dims.y; ++y)
            for (int32_t x = -1; x <= s->beginning.dims.x; ++x) {
                vni_box box;
                const vni_box voxel = {{x, y, z}, {x + 1, y + 1, z + 1}};
                const bool found = vni_live_merged_at(&s->live, (vn_voxel){x, y, z}, &box);
                assert_int_equal(found, vnt_voxels_are_free(&s->world.all, x, y, z));
                assert_true(!found || vni_box_holds(&box, &voxel));
                assert_true(!found || set_has(&s->boxes, &box));
            }
}

static void check_neighbours(const scene* s) {
    for (uint32_t i = 0; i < s->boxes.count; ++i) {
        box_set expected = {0}, found = {0};
        for (uint32_t k = 0; k < s->boxes.count; ++k) {
            vni_face face;
            if (vni_box_face(&s->boxes.at[i], &s->boxes.at[k], &face) ||
                vni_box_face(&s->boxes.at[k], &s->boxes.at[i], &face))
                set_add(&expected, &s->boxes.at[k]);
        }

        assert_true(vni_live_merged_neighbours(&s->live, &s->boxes.at[i], set_visit, &found));
        assert_same_sets(&expected, &found);
        set_free(&expected);
        set_free(&found);
    }
}

static void step_and_check(scene* s, vni_rng* rng) {
    live_step(&s->world, rng);
    assert_int_equal(scene_update(s), VN_OK);
    set_apply(&s->boxes, s->lists.went.at, s->lists.went.count, s->lists.came.at, s->lists.came.count);
    check_equal(s);
}

static void test_boxes_are_the_saved_ones_split(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live merged", 81));
    for (uint32_t i = vnt_scale(60, 600); i > 0; --i) {
        scene s = scene_random(&rng, 24);
        check_equal(&s);
        for (uint32_t k = vnt_scale(12, 60); k > 0; --k)
            step_and_check(&s, &rng);
        scene_free(&s);
    }
}

static void test_lookups_and_neighbours(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live merged lookups", 82));
    for (uint32_t i = vnt_scale(25, 250); i > 0; --i) {
        scene s = scene_random(&rng, 11);
        for (uint32_t k = 0; k < 4; ++k) {
            step_and_check(&s, &rng);
            check_lookups(&s);
            check_neighbours(&s);
        }

        scene_free(&s);
    }
}

/// However the obstacles went: when they are gone, all is as it was.
static void test_everything_is_restored(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live merged restored", 83));
    for (uint32_t i = vnt_scale(20, 200); i > 0; --i) {
        scene s = scene_random(&rng, 24);
        for (uint32_t k = 0; k < 12; ++k)
            step_and_check(&s, &rng);

        s.world.change_count = 0;
        live_changed(&s.world, &(vni_box){{0, 0, 0}, {24, 24, 24}});
        memset(s.world.exists, 0, sizeof s.world.exists);
        memcpy(s.world.fixed.blocked, s.beginning.blocked, live_volume(&s.beginning));
        live_publish(&s.world);
        assert_int_equal(scene_update(&s), VN_OK);
        assert_int_equal(vni_live_merged_count(&s.live), s.live.saved.box_count);
        assert_int_equal(s.live.whole_count, s.live.saved.box_count);
        box_set saved = {0}, now = boxes_now(&s);
        for (uint32_t k = 0; k < s.live.saved.box_count; ++k)
            set_add(&saved, &s.live.saved.boxes[k]);
        assert_same_sets(&saved, &now);
        set_free(&saved);
        set_free(&now);
        scene_free(&s);
    }
}

/// An explosion opens a wall: leaves where no box was, and the boxes beside it stay as they are.
static void test_static_geometry_vanishes(void** state) {
    (void)state;
    const vn_voxel dims = {16, 16, 16};
    vnt_voxels voxels = vnt_voxels_make(dims);
    live_fill(&voxels, &(vni_box){{8, 0, 0}, {10, 16, 16}}, 1);
    scene s = scene_make(live_make(voxels), VNI_ROOT_CUBE);
    assert_int_equal(s.live.saved.box_count, 2);

    const vni_box hole = {{8, 4, 4}, {10, 8, 8}};
    live_fill(&s.world.fixed, &hole, 0);
    live_changed(&s.world, &hole);
    live_publish(&s.world);
    assert_int_equal(scene_update(&s), VN_OK);
    assert_int_equal(s.lists.went.count, 0);
    assert_int_equal(s.lists.came.count, 4); // cubes of two voxels
    set_apply(&s.boxes, NULL, 0, s.lists.came.at, s.lists.came.count);
    check_equal(&s);
    check_neighbours(&s);
    scene_free(&s);
}

// ------------------------------------------------------------------------------------------------ the rule

static void check_split(vni_box box, int32_t expected) {
    const int32_t dims[3] = {100, 100, 100};
    assert_int_equal(vni_split_box(&box, dims), expected);
}

static void test_the_split_rule(void** state) {
    (void)state;
    check_split((vni_box){{0, 0, 0}, {4, 1, 1}}, 1); // the thesis's own example: four cubes of 1
    check_split((vni_box){{4, 8, 2}, {16, 14, 20}}, 6);
    check_split((vni_box){{0, 0, 0}, {8, 8, 8}}, 4);
    check_split((vni_box){{0, 0, 0}, {9, 9, 9}}, 3);
    check_split((vni_box){{0, 0, 0}, {7, 7, 7}}, 1);
    check_split((vni_box){{5, 5, 5}, {6, 6, 6}}, 0);
    check_split((vni_box){{64, 0, 0}, {100, 64, 64}}, 32);  // 36 at the rim count as 64: a cube
    check_split((vni_box){{64, 0, 0}, {100, 128, 16}}, 16); // and here too
    assert_int_equal(vni_split_cube(1), 0);
    assert_int_equal(vni_split_cube(2), 1);
    assert_int_equal(vni_split_cube(25), 5);
    assert_int_equal(vni_split_cube(35), 7);
    assert_int_equal(vni_split_cube(1009), 1);
}

/// A box of 12 x 6 x 6 around one blocked voxel: 2 cubes of 6, one of them split.
static void test_a_box_is_split_by_its_divisor(void** state) {
    (void)state;
    const vn_voxel dims = {32, 32, 32};
    vnt_voxels voxels = vnt_voxels_make(dims);
    live_fill(&voxels, &(vni_box){{0, 0, 0}, {32, 32, 32}}, 1);
    live_fill(&voxels, &(vni_box){{4, 2, 2}, {16, 8, 8}}, 0);
    scene s = scene_make(live_make(voxels), VNI_ROOT_CUBE);
    assert_int_equal(s.live.saved.box_count, 1);

    s.world.obstacles[0] = (vni_box){{15, 7, 7}, {16, 8, 8}};
    s.world.exists[0] = true;
    live_changed(&s.world, &s.world.obstacles[0]);
    live_publish(&s.world);
    assert_int_equal(scene_update(&s), VN_OK);
    assert_int_equal(s.lists.went.count, 1);
    assert_int_equal(s.lists.came.count, 1 + 7 + 26); // of 6, of 3, of 1
    scene_free(&s);
}

/// The state of any box against its voxels.
static void test_states_of_boxes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("states of boxes", 84));
    for (uint32_t i = vnt_scale(300, 3000); i > 0; --i) {
        vnt_voxels v = vnt_voxels_random(&rng, vnt_random_dims(&rng, i % 8 ? 30 : 90));
        const vni_box full = live_random_box(&rng, v.dims, 70);
        live_fill(&v, &full, i % 2);
        vn_space* space = vnt_voxels_space(&v);
        for (uint32_t k = 0; k < 20; ++k) {
            vni_box box = live_random_box(&rng, v.dims, k % 2 ? 70 : 5);
            box = vni_box_cut(&box, &(vni_box){{0, 0, 0}, {v.dims.x, v.dims.y, v.dims.z}});
            if (vni_box_is_empty(&box))
                continue;
            bool some_free = false, some_blocked = false;
            for (int32_t z = box.low[2]; z < box.high[2]; ++z)
                for (int32_t y = box.low[1]; y < box.high[1]; ++y)
                    for (int32_t x = box.low[0]; x < box.high[0]; ++x) {
                        some_free |= vnt_voxels_are_free(&v, x, y, z);
                        some_blocked |= !vnt_voxels_are_free(&v, x, y, z);
                    }

            const vni_cube_state expected = some_free && some_blocked ? VNI_CUBE_MIXED
                                            : some_free               ? VNI_CUBE_FREE
                                                                      : VNI_CUBE_BLOCKED;
            assert_int_equal(vni_box_state_of(&space->occupancy, &box), expected);
        }

        vn_space_destroy(space);
        vnt_voxels_free(&v);
    }
}

// --------------------------------------------------------------------------------------------------- memory

static void fail_next(vnt_memory* memory, uint64_t which) {
    memory->fail_at = memory->calls + which;
    memory->failed = false;
}

/// Each allocation of an update fails once; then nothing has changed.
static void update_with_failures(scene* s, vnt_memory* memory) {
    for (uint64_t k = 0;; ++k) {
        fail_next(memory, k);
        const vn_status status = scene_update(s);
        assert_int_equal(status, memory->failed ? VN_OUT_OF_MEMORY : VN_OK);
        if (status == VN_OK)
            break;

        assert_int_equal(s->lists.went.count + s->lists.came.count, 0);
        box_set now = boxes_now(s);
        assert_same_sets(&s->boxes, &now);
        set_free(&now);
    }

    set_apply(&s->boxes, s->lists.went.at, s->lists.went.count, s->lists.came.at, s->lists.came.count);
    check_equal(s);
}

static void test_failing_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live merged memory", 85));
    for (uint32_t i = vnt_scale(6, 60); i > 0; --i) {
        vnt_memory memory = vnt_memory_make();
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        scene s = scene_begin(live_random(&rng, 20), VNI_ROOT_CUBE, &allocator);
        vn_status status = VN_OUT_OF_MEMORY;
        for (uint64_t k = 0; status != VN_OK; ++k) {
            fail_next(&memory, k);
            status = vni_live_merged_make(&allocator, &s.saved_space->occupancy, &s.def, &s.live, NULL);
            assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
            assert_true(status == VN_OK || memory.live_blocks == 0);
        }

        for (uint32_t k = 0; k < s.live.saved.box_count; ++k)
            set_add(&s.boxes, &s.live.saved.boxes[k]);
        for (uint32_t k = 0; k < 6; ++k) {
            live_step(&s.world, &rng);
            update_with_failures(&s, &memory);
        }

        scene_free(&s);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

/// A box that goes round and round: after two rounds nothing is allocated.
static void test_steady_state_allocates_nothing(void** state) {
    (void)state;
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_allocator(&memory);
    scene s = scene_begin(live_make(vnt_voxels_make((vn_voxel){40, 30, 20})), VNI_ROOT_CUBE, &allocator);
    assert_int_equal(vni_live_merged_make(&allocator, &s.saved_space->occupancy, &s.def, &s.live, NULL),
                     VN_OK);

    uint64_t calls = 0;
    for (int32_t i = 0; i < 96; ++i) {
        const int32_t x = i % 32;
        s.world.change_count = 0;
        if (s.world.exists[0])
            live_changed(&s.world, &s.world.obstacles[0]);
        s.world.obstacles[0] = (vni_box){{x, 5, 7}, {x + 8, 13, 15}};
        s.world.exists[0] = true;
        live_changed(&s.world, &s.world.obstacles[0]);
        live_publish(&s.world);
        if (i == 64)
            calls = memory.calls;
        assert_int_equal(scene_update(&s), VN_OK);
    }

    assert_int_equal(memory.calls, calls);
    assert_true(vni_live_merged_bytes(&s.live) > 0);
    scene_free(&s);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_are_the_saved_ones_split),
        cmocka_unit_test(test_lookups_and_neighbours),
        cmocka_unit_test(test_everything_is_restored),
        cmocka_unit_test(test_static_geometry_vanishes),
        cmocka_unit_test(test_the_split_rule),
        cmocka_unit_test(test_a_box_is_split_by_its_divisor),
        cmocka_unit_test(test_states_of_boxes),
        cmocka_unit_test(test_failing_memory),
        cmocka_unit_test(test_steady_state_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
