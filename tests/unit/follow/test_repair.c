/// Paths in worlds that change ahead of their agent: repaired locally, valid by the exact checker. And moves
/// that slide along walls.
#include "follow_worlds.h"

#include <stdlib.h>

typedef struct shares {
    uint32_t changes, kept, repaired, replanned, possible;
    uint64_t expanded, fresh_expanded;
    double longer;
} shares;

static vn_space* bake(const vnt_voxels* voxels) {
    const vn_jobs jobs = vn_serial_jobs();
    return vnt_voxels_cells(voxels, &jobs);
}

static vn_query* query_of(const vn_space* space) {
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.max_points = 4096;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    return query;
}

/// Voxels with obstacles of all kinds, sparse enough for long paths.
static vnt_voxels random_hall(vni_rng* rng) {
    const vn_voxel dims = {48, 32, 48};
    vnt_voxels v = vnt_voxels_make(dims);
    const uint32_t boxes = 10 + vni_rng_below(rng, 40);
    for (uint32_t i = 0; i < boxes; ++i) {
        const int32_t x = vni_rng_range(rng, 0, 47), y = vni_rng_range(rng, 0, 31),
                      z = vni_rng_range(rng, 0, 47), size = vni_rng_range(rng, 1, 9);
        for (int32_t k = 0; k < size * size * size; ++k)
            if (x + k % size < 48 && y + k / size % size < 32 && z + k / size / size < 48)
                vnt_voxels_block(&v, x + k % size, y + k / size % size, z + k / size / size);
    }

    return v;
}

/// A box of up to 6 voxels around a random place of the path ahead, not on the agent.
static void block_ahead(vni_rng* rng, vnt_voxels* v, const vn_corridor* corridor, const vn_space* space) {
    vn_corridor_place place;
    vn_corridor_info info;
    vn_corridor_get_info(corridor, &info);
    assert_int_equal(vn_corridor_predict(corridor, info.remaining * vni_rng_real(rng), 1, &place), VN_OK);
    const vn_voxel at = vn_space_voxel_at(space, place.point);
    vn_point agent;
    assert_int_equal(vn_space_point_from_world(space, info.position, &agent), VN_OK);
    const vn_voxel own = vn_space_voxel_at(space, agent);
    const int32_t size = vni_rng_range(rng, 1, 6), shift = vni_rng_range(rng, 0, size - 1);
    for (int32_t k = 0; k < size * size * size; ++k) {
        const int32_t x = at.x - shift + k % size, y = at.y - shift + k / size % size,
                      z = at.z - shift + k / size / size;
        const bool near = abs(x - own.x) <= 1 && abs(y - own.y) <= 1 && abs(z - own.z) <= 1;
        if (!near && vnt_voxels_are_free(v, x, y, z))
            vnt_voxels_block(v, x, y, z);
    }
}

/// One change ahead of the agent, and what became of the path.
static void change_once(vni_rng* rng, vnt_voxels* v, vn_corridor* corridor, vn_space** space, shares* s) {
    uint32_t count;
    vn_repair repair;
    vn_corridor_info before, after;
    vn_check_result fault;
    block_ahead(rng, v, corridor, *space);
    vn_space* next = bake(v);
    vn_query* query = query_of(next);
    vn_corridor_get_info(corridor, &before);
    assert_int_equal(vn_corridor_repair(corridor, next, query, 64, &repair), VN_OK);
    vn_corridor_get_info(corridor, &after);
    const vn_point* points = vn_corridor_points(corridor, &count);
    ++s->changes;
    s->kept += repair.kind == VN_REPAIR_KEPT;
    s->repaired += repair.kind == VN_REPAIR_REPAIRED;
    s->expanded += repair.expanded;
    assert_int_equal(repair.kind == VN_REPAIR_REPLAN, repair.reason != VN_OK);
    assert_int_equal(repair.kind == VN_REPAIR_KEPT, !(repair.blocked < INFINITY) && repair.reason == VN_OK);
    if (repair.kind == VN_REPAIR_REPAIRED) {
        if (!vn_space_check_path(next, points, count, &fault))
            fail_msg("repaired path: %s at %u", vn_check_fault_word(fault.fault), fault.segment);
        assert_true(fabs(after.remaining - (before.remaining + repair.change)) < 1.0);
        assert_true(after.target.x == before.target.x);
        assert_true(repair.expanded <= 64 + repair.searches);
        s->longer += repair.change;
    } else if (repair.kind == VN_REPAIR_REPLAN) {
        // nothing has changed; a search with all expansions tells whether there was a way
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        assert_true(after.remaining == before.remaining);
        request.start = points[0];
        request.goal = points[count - 1];
        assert_int_equal(vn_space_point_from_world(next, after.position, &request.start), VN_OK);
        s->possible += vn_query_find_path(query, &request, &result, NULL) == VN_OK;
        ++s->replanned;
    }

    vn_query_destroy(query);
    vn_space_destroy(*space);
    *space = next;
}

/// Several changes in one world, while the agent flies on; stops when the path cannot be repaired.
static void change_world(vni_rng* rng, shares* s) {
    vnt_voxels v = random_hall(rng);
    vn_corridor_def def = vn_default_corridor_def();
    vn_corridor* corridor;
    vn_path_request request;
    vn_path_result result;
    follow_world w = {.space = bake(&v)};
    w.query = query_of(w.space);
    def.keep_corners = vni_rng_below(rng, 4) == 0;
    assert_int_equal(vn_corridor_create(&def, &corridor, NULL), VN_OK);
    if (follow_route(rng, &w, &request, &result)) {
        uint32_t count;
        const vn_point* points = vn_query_points(w.query, &count);
        const uint32_t replanned = s->replanned;
        assert_int_equal(vn_corridor_set(corridor, w.space, points, count), VN_OK);
        for (int i = 0; i < 5 && s->replanned == replanned; ++i) {
            change_once(rng, &v, corridor, &w.space, s);
            (void)vn_corridor_advance(corridor, 0.1 * result.length);
        }
    }

    vn_corridor_destroy(corridor);
    vn_query_destroy(w.query);
    vn_space_destroy(w.space);
    vnt_voxels_free(&v);
}

static void test_changes_ahead_are_repaired(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("repair", 1621));
    const uint32_t changes = vnt_scale(100, 1000);
    shares s = {0};
    while (s.changes < changes)
        change_world(&rng, &s);

    const uint32_t blocked = s.changes - s.kept;
    print_message(
        "%u changes, %u block the path: %u repaired (%.1f %%, %.1f expansions each, %.2f m longer), %u "
        "to plan anew, %u of these possible\n",
        s.changes, blocked, s.repaired, 100.0 * s.repaired / blocked,
        (double)s.expanded / (s.repaired + s.replanned), s.longer / s.repaired, s.replanned, s.possible);
    assert_true(s.repaired > blocked * 8 / 10);
}

static void test_what_cannot_be_repaired(void** state) {
    (void)state;
    vnt_voxels v = vnt_voxels_make((vn_voxel){16, 4, 4});
    vn_corridor_def def = vn_default_corridor_def();
    vn_corridor* corridor;
    vn_repair repair;
    const vn_point path[2] = {{512, 512, 512}, {15 * 1024 + 512, 512, 512}};
    vn_space* open = bake(&v);
    vn_query* old = query_of(open);
    assert_int_equal(vn_corridor_create(&def, &corridor, NULL), VN_OK);
    assert_int_equal(vn_corridor_repair(corridor, open, old, 0, &repair), VN_OK);
    assert_int_equal(repair.kind, VN_REPAIR_KEPT); // nothing to repair
    assert_int_equal(vn_corridor_set(corridor, open, path, 2), VN_OK);
    assert_int_equal(vn_corridor_repair(corridor, open, old, 0, &repair), VN_OK);
    assert_int_equal(repair.kind, VN_REPAIR_KEPT);

    // a wall with a way around it
    for (int32_t i = 0; i < 15; ++i)
        vnt_voxels_block(&v, 8, i % 4, i / 4);
    vn_space* gap = bake(&v);
    vn_query* query = query_of(gap);
    assert_int_equal(vn_corridor_repair(corridor, gap, old, 0, &repair), VN_OK);
    assert_int_equal(repair.reason, VN_STALE); // the query searches the open space
    assert_int_equal(vn_corridor_repair(corridor, gap, query, 1, &repair), VN_OK);
    assert_int_equal(repair.kind, VN_REPAIR_REPLAN);
    assert_int_equal(repair.reason, VN_BUDGET_SPENT);
    assert_true(fabs(repair.blocked - 7.5) < 0.01);
    assert_int_equal(vn_corridor_repair(corridor, gap, query, 0, &repair), VN_OK);
    assert_int_equal(repair.kind, VN_REPAIR_REPAIRED);

    // none, then the target, then the agent
    vnt_voxels_block(&v, 8, 3, 3);
    vn_space* shut = bake(&v);
    vn_query* shut_query = query_of(shut);
    assert_int_equal(vn_corridor_repair(corridor, shut, shut_query, 0, &repair), VN_OK);
    assert_int_equal(repair.reason, VN_NO_PATH);
    vnt_voxels_block(&v, 15, 0, 0);
    vn_space* goal = bake(&v);
    assert_int_equal(vn_corridor_repair(corridor, goal, shut_query, 0, &repair), VN_OK);
    assert_int_equal(repair.reason, VN_GOAL_BLOCKED);
    vnt_voxels_block(&v, 0, 0, 0);
    vn_space* start = bake(&v);
    assert_int_equal(vn_corridor_repair(corridor, start, shut_query, 0, &repair), VN_OK);
    assert_int_equal(repair.reason, VN_START_BLOCKED);

    vn_query_destroy(old);
    vn_query_destroy(query);
    vn_query_destroy(shut_query);
    vn_space_destroy(open);
    vn_space_destroy(gap);
    vn_space_destroy(shut);
    vn_space_destroy(goal);
    vn_space_destroy(start);
    vn_corridor_destroy(corridor);
    vnt_voxels_free(&v);
}

// ---------------------------------------------------------------------------------------------------- slide

static void test_slides_along_a_wall(void** state) {
    (void)state;
    vnt_voxels v = vnt_voxels_make((vn_voxel){8, 8, 8});
    for (int32_t i = 0; i < 64; ++i)
        vnt_voxels_block(&v, 4, i % 8, i / 8);
    vn_space* space = vnt_voxels_space(&v);
    const vn_dvec3 at = {3.5, 1.5, 1.5};
    vn_dvec3 d = vn_space_slide(space, at, (vn_dvec3){0.25, 1, 0.5});
    assert_true(d.x == 0.25);
    assert_true(d.y == 1);

    // as far as the wall, then along it
    d = vn_space_slide(space, at, (vn_dvec3){2, 1, -0.5});
    assert_true(fabs(d.x - 0.5) < 0.003);
    assert_true(fabs(d.y - 1) < 0.003);
    assert_true(fabs(d.z + 0.5) < 0.003);

    // into the corner with the bounds of the space, and straight at the wall
    d = vn_space_slide(space, at, (vn_dvec3){2, -9, 0});
    assert_true(fabs(d.x - 0.5) < 0.003);
    assert_true(fabs(d.y + 1.5) < 0.003);
    d = vn_space_slide(space, (vn_dvec3){4, 1.5, 1.5}, (vn_dvec3){1, 0, 0});
    assert_true(follow_size(d) == 0);
    assert_true(follow_size(vn_space_slide(space, (vn_dvec3){4.5, 1, 1}, (vn_dvec3){1, 0, 0})) == 0);
    assert_true(follow_size(vn_space_slide(space, at, (vn_dvec3){NAN, 0, 0})) == 0);
    d = vn_space_slide(space, at, (vn_dvec3){0, 1e30, 0});
    assert_true(fabs(d.y - 6.5) < 0.003);
    vn_space_destroy(space);
    vnt_voxels_free(&v);
}

/// A walk of random moves is free from end to end, never longer than wanted, and gets somewhere.
static void test_random_slides_are_free(void** state) {
    (void)state;
    static follow_trace trace;
    vni_rng rng = vni_rng_make(vnt_seed("slides", 1622));
    uint32_t moves = 0, moved = 0;
    for (uint32_t i = 0; i < vnt_scale(60, 2000); ++i) {
        follow_world w = follow_world_make(&rng);
        vn_point point;
        uint64_t random = vni_rng_next(&rng);
        if (vn_space_random_point(w.space, &random, &point) == VN_OK) {
            vn_dvec3 at = vn_space_point_to_world(w.space, point);
            follow_trace_begin(&trace, &w, at);
            for (uint32_t k = 0; k < 50; ++k) {
                const vn_vec3 wish = follow_random_vec(&rng, -2, 2);
                const vn_dvec3 wanted = {(double)wish.x, (double)wish.y, (double)wish.z};
                const vn_dvec3 d = vn_space_slide(w.space, at, wanted);
                assert_true(follow_size(d) <= follow_size(wanted) + 3 * w.step);
                at = (vn_dvec3){at.x + d.x, at.y + d.y, at.z + d.z};
                follow_trace_add(&trace, &w, at);
                ++moves;
                moved += follow_size(d) > 0.1 * follow_size(wanted);
            }

            follow_trace_check(&trace, &w);
        }

        follow_world_free(&w);
    }

    print_message("%u moves, %u of them go on for a tenth or more\n", moves, moved);
    assert_true(moved > moves / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_ahead_are_repaired),
        cmocka_unit_test(test_what_cannot_be_repaired),
        cmocka_unit_test(test_slides_along_a_wall),
        cmocka_unit_test(test_random_slides_are_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
