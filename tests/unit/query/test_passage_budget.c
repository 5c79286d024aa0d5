/// The budget of a passage pays for voxels, and for looking for walls that are far away.
#include "cmocka_all.h"
#include "support.h"

#include "volnav/path.h"
#include "volnav/query.h"
#include "volnav/world.h"

/// Open space of 768 x 768 x 64 metres.
static vn_space* make_plain(void) {
    vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    vn_world* world;
    vn_space* space;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {768, 768, 64}};
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_world_destroy(world);
    return space;
}

/// A search that expands a few voxels, but looks through many blocks for walls: a budget for its voxels alone
/// is spent, the least that suffices lies above, and a large one is no harm.
static void looking_far_is_paid(void** state) {
    (void)state;
    vn_space* space = make_plain();
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_passage all, p;
    const vn_point start = vn_voxel_center((vn_voxel){384, 384, 32}),
                   goal = vn_voxel_center((vn_voxel){390, 384, 32});
    def.scratch = VN_SCRATCH_ALL;
    def.max_nodes = 1 << 16;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 300, 0, &all, NULL), VN_OK);
    assert_true(all.limited);
    assert_true(all.radius == 300);
    assert_true(all.expanded > 0);

    uint64_t enough = 1;
    while (vn_query_find_passage(query, start, goal, 0, 300, enough, &p, NULL) != VN_OK) {
        assert_int_equal(p.status, VN_BUDGET_SPENT);
        assert_true(enough < 1000);
        ++enough;
    }

    print_message("%u voxels expanded, a budget of %u suffices\n", (unsigned)all.expanded, (unsigned)enough);
    assert_true(enough > all.expanded + 1);
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 300, 1000000, &p, NULL), VN_OK);
    assert_int_equal(p.expanded, all.expanded);

    // Near walls are free of charge.
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 50, 0, &all, NULL), VN_OK);
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 50, all.expanded, &p, NULL), VN_OK);
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 50, all.expanded - 1, &p, NULL),
                     VN_BUDGET_SPENT);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(looking_far_is_paid)};
    return cmocka_run_group_tests_name("query/passage_budget", tests, NULL, NULL);
}
