/// Greedy merging that follows changes: boxes stay disjoint, free and complete, no two can be merged, the
/// lists are right; and the comparison: its boxes get more, those of the merged octree do not.
#include "live_world.h"

#include "classic/live_greedy.h"
#include "classic/live_merged.h"

static const vni_octree_def whole_def = {VNI_ROOT_CUBE, 0, UINT32_MAX};

static bool can_merge(const vni_box* a, const vni_box* b) {
    vni_face face;
    if (!vni_box_face(a, b, &face))
        return false;
    for (int i = 0; i < 3; ++i)
        if (i != face.axis && (a->low[i] != b->low[i] || a->high[i] != b->high[i]))
            return false;
    return true;
}

static void check_boxes(const live_world* w, const box_set* boxes) {
    int64_t volume = 0, free_voxels = 0;
    for (size_t i = 0; i < live_volume(&w->all); ++i)
        free_voxels += !w->all.blocked[i];

    for (uint32_t i = 0; i < boxes->count; ++i) {
        const vni_box* b = &boxes->at[i];
        for (int32_t z = b->low[2]; z < b->high[2]; ++z)
            for (int32_t y = b->low[1]; y < b->high[1]; ++y)
                for (int32_t x = b->low[0]; x < b->high[0]; ++x, ++volume)
                    assert_true(vnt_voxels_are_free(&w->all, x, y, z));

        for (uint32_t k = 0; k < boxes->count; ++k) {
            assert_true(i == k || !vni_box_overlaps(b, &boxes->at[k]));
            assert_false(can_merge(b, &boxes->at[k]));
        }
    }

    assert_int_equal(volume, free_voxels);
}

static void list_boxes(const vni_live_greedy* live, box_set* out) {
    for (uint32_t i = 0; i < live->box_limit; ++i)
        if (live->boxes[i].exists)
            set_add(out, &live->boxes[i].box);
    assert_int_equal(out->count, vni_live_greedy_count(live));
}

static void test_boxes_are_a_merged_decomposition(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vni_rng rng = vni_rng_make(vnt_seed("live greedy", 101));
    for (uint32_t i = vnt_scale(30, 300); i > 0; --i) {
        live_world w = live_random(&rng, 14);
        vni_live_greedy live;
        assert_int_equal(vni_live_greedy_make(&allocator, &w.space->occupancy, &whole_def, &live, NULL),
                         VN_OK);
        vni_box_lists lists = vni_box_lists_make(&allocator);
        box_set boxes = {0};
        list_boxes(&live, &boxes);
        for (uint32_t k = 0; k < 12; ++k) {
            live_step(&w, &rng);
            vni_box_lists_clear(&lists);
            assert_int_equal(
                vni_live_greedy_update(&live, &w.space->occupancy, w.changes, w.change_count, &lists, NULL),
                VN_OK);
            set_apply(&boxes, lists.went.at, lists.went.count, lists.came.at, lists.came.count);
            box_set now = {0};
            list_boxes(&live, &now);
            assert_same_sets(&boxes, &now);
            check_boxes(&w, &now);
            set_free(&now);
        }

        set_free(&boxes);
        vni_box_lists_free(&lists);
        vni_live_greedy_free(&live);
        live_free(&w);
    }
}

/// One obstacle wanders; when it has gone, restoring has the first boxes again, greedy merging more.
static void test_restoring_stays_greedy_drifts(void** state) {
    (void)state;
    const vn_allocator allocator = vn_default_allocator();
    vni_rng rng = vni_rng_make(vnt_seed("drift", 102));
    const vn_voxel dims = {32, 32, 32};
    live_world w = live_make(vnt_voxels_make(dims));
    vn_space* first = vnt_voxels_space(&w.all);
    vni_live_greedy greedy;
    vni_live_merged merged;
    assert_int_equal(vni_live_greedy_make(&allocator, &first->occupancy, &whole_def, &greedy, NULL), VN_OK);
    assert_int_equal(vni_live_merged_make(&allocator, &first->occupancy, &whole_def, &merged, NULL), VN_OK);
    vni_box_lists lists = vni_box_lists_make(&allocator);
    for (uint32_t i = 0; i < 300; ++i) {
        w.change_count = 0;
        if (w.exists[0])
            live_changed(&w, &w.obstacles[0]);
        w.exists[0] = i < 299;
        for (int k = 0; k < 3; ++k) {
            w.obstacles[0].low[k] = vni_rng_range(&rng, 0, 26);
            w.obstacles[0].high[k] = w.obstacles[0].low[k] + 6;
        }

        live_changed(&w, &w.obstacles[0]);
        live_publish(&w);
        vni_box_lists_clear(&lists);
        assert_int_equal(
            vni_live_greedy_update(&greedy, &w.space->occupancy, w.changes, w.change_count, &lists, NULL),
            VN_OK);
        vni_box_lists_clear(&lists);
        assert_int_equal(
            vni_live_merged_update(&merged, &w.space->occupancy, w.changes, w.change_count, &lists, NULL),
            VN_OK);
    }

    assert_int_equal(vni_live_merged_count(&merged), 1);
    assert_true(vni_live_greedy_count(&greedy) > 1);
    vni_box_lists_free(&lists);
    vni_live_greedy_free(&greedy);
    vni_live_merged_free(&merged);
    vn_space_destroy(first);
    live_free(&w);
}

static void test_failing_memory(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("live greedy memory", 103));
    live_world w = live_random(&rng, 12);
    vnt_memory memory = vnt_memory_make();
    const vn_allocator allocator = vnt_memory_allocator(&memory);
    vni_live_greedy live;
    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        memory.fail_at = memory.calls + k;
        memory.failed = false;
        status = vni_live_greedy_make(&allocator, &w.space->occupancy, &whole_def, &live, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_true(status == VN_OK || memory.live_blocks == 0);
    }

    vni_box_lists lists = vni_box_lists_make(&allocator);
    live_step(&w, &rng);
    status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        const uint32_t count = vni_live_greedy_count(&live);
        memory.fail_at = memory.calls + k;
        memory.failed = false;
        status = vni_live_greedy_update(&live, &w.space->occupancy, w.changes, w.change_count, &lists, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_true(status == VN_OK || vni_live_greedy_count(&live) == count);
    }

    box_set boxes = {0};
    list_boxes(&live, &boxes);
    check_boxes(&w, &boxes);
    set_free(&boxes);
    vni_box_lists_free(&lists);
    vni_live_greedy_free(&live);
    live_free(&w);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_are_a_merged_decomposition),
        cmocka_unit_test(test_restoring_stays_greedy_drifts),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
