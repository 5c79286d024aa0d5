/// Limits: a path is found exactly when a flood over the voxels within them says so, and all of it stays
/// inside, whatever else is asked.
#include "terms_oracle.h"

/// Limits around a point, aligned to voxels or not, now and then flat, though not between two voxels.
static vn_box random_limits(vni_rng* rng, vn_point around) {
    static const int32_t steps[4] = {1, 100, 512, 1024};
    const int32_t at[3] = {around.x, around.y, around.z};
    int32_t step = steps[vni_rng_below(rng, 4)];
    float low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        int32_t below = vni_rng_range(rng, 0, 6 * VN_LATTICE) / step * step,
                above = vni_rng_range(rng, 0, 6 * VN_LATTICE) / step * step;
        int32_t from = (at[i] - below) / step * step, to = (at[i] + above + step - 1) / step * step;
        if (vni_rng_below(rng, 8) == 0)
            from = to = at[i];

        if (vni_rng_below(rng, 2) == 0) { // one axis free
            from = -5 * VN_LATTICE;
            to = 100 * VN_LATTICE;
        }

        low[i] = (float)from / VN_LATTICE;
        high[i] = (float)to / VN_LATTICE;
    }

    vn_box box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return box;
}

typedef struct tally {
    double cost, grid, worst;
    uint32_t found, none;
} tally;

static void check_request(const scene* s, vni_rng* rng, vn_voxel a, vn_voxel b, tally* t) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);
    request.quality = (vn_quality)vni_rng_below(rng, VN_QUALITY_COUNT);
    request.refine =
        vni_rng_below(rng, 3) ? VN_REFINE_DEFAULT : (vn_refine)vni_rng_below(rng, VN_REFINE_TAUT + 1);
    request.has_limits = true;
    request.limits = random_limits(rng, request.start);
    bounds limits = bounds_of(request.limits);
    unsigned char* reached = flood(&s->voxels, a, &limits, NULL, 0);
    double* grid = grid_costs(&s->voxels, a, &limits, NULL, 0);
    bool is_inside = bounds_hold(&limits, request.goal);
    uint32_t goal = index_of(&s->voxels, b);
    vn_status status = vn_query_find_path(s->query, &request, &result, NULL);

    assert_int_equal(status, !is_inside ? VN_OUTSIDE : reached[goal] ? VN_OK : VN_NO_PATH);
    if (status == VN_OK) {
        vn_point end = check_legs(s, &request, &result);
        assert_memory_equal(&end, &request.goal, sizeof end);
        ++t->found;
        if (grid[goal] < HUGE_VAL && request.refine == VN_REFINE_DEFAULT) {
            t->cost += result.cost;
            t->grid += grid[goal];
            t->worst = grid[goal] > 2 ? fmax(t->worst, result.cost / grid[goal]) : t->worst;
        }
    } else {
        ++t->none;
        if (is_inside) {
            request.allow_partial = true;
            assert_int_equal(vn_query_find_path(s->query, &request, &result, NULL), VN_PARTIAL);
            check_legs(s, &request, &result);
        }
    }

    free(reached);
    free(grid);
}

static void test_against_flood(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("limits", 421));
    tally t = {0, 0, 0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(150, 5000); ++world) {
        scene s = random_scene(&rng, world);
        vn_voxel a, b;
        for (uint32_t i = 0; i < 6 && vnt_random_free_voxel(&rng, &s.voxels, &a) &&
                             vnt_random_free_voxel(&rng, &s.voxels, &b);
             ++i)
            check_request(&s, &rng, a, b, &t);

        free_scene(&s);
    }

    print_message("%u found, %u not; cost over the grid's %.4f, at worst %.3f\n", t.found, t.none,
                  t.cost / t.grid, t.worst);
    assert_true(t.found > 100);
    assert_true(t.none > 50);
    assert_true(t.cost < 0.99 * t.grid);
    assert_true(t.worst < 1.4);
}

/// Regions and limits together: what can be reached of the region within the limits counts.
static void test_regions(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("limits and regions", 422));
    uint32_t found = 0, none = 0;
    for (uint32_t world = 0; world < vnt_scale(200, 6000); ++world) {
        scene s = random_scene(&rng, world);
        vn_voxel a, b;
        if (vnt_random_free_voxel(&rng, &s.voxels, &a) && vnt_random_free_voxel(&rng, &s.voxels, &b)) {
            vn_path_request request = vn_default_path_request();
            vn_path_result result;
            request.start = vn_voxel_center(a);
            request.goal_kind = VN_GOAL_BOX;
            request.goal_box = random_limits(&rng, vn_voxel_center(b));
            request.has_limits = true;
            request.limits = random_limits(&rng, request.start);
            bounds limits = bounds_of(request.limits), goal = bounds_of(request.goal_box),
                   wanted = bounds_cut(&limits, &goal);
            unsigned char* reached = flood(&s.voxels, a, &limits, NULL, 0);

            bool exists = false;
            for (uint32_t i = 0; i < voxel_count(&s.voxels); ++i) {
                bounds voxel = bounds_of_voxel(voxel_of(&s.voxels, i)), shared = bounds_cut(&voxel, &wanted);
                exists = exists || (reached[i] && !bounds_are_empty(&shared));
            }

            assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL),
                             exists ? VN_OK : VN_NO_PATH);
            if (exists)
                assert_true(bounds_hold(&wanted, check_legs(&s, &request, &result)));

            found += exists;
            none += !exists;
            free(reached);
        }

        free_scene(&s);
    }

    assert_true(found > 30);
    assert_true(none > 30);
}

/// Zones, connections and clearance push a path around; it stays in its band all the same.
static void test_pushed_around(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("limits and costs", 423));
    uint32_t found = 0;
    for (uint32_t world = 0; world < vnt_scale(60, 2000); ++world) {
        scene s = random_scene(&rng, 7 + 8 * (world & 1));
        vn_voxel a, b;
        if (vnt_random_free_voxel(&rng, &s.voxels, &a) && vnt_random_free_voxel(&rng, &s.voxels, &b)) {
            vn_path_request request = vn_default_path_request();
            vn_path_result result;
            vn_zone zone = {.box = random_limits(&rng, vn_voxel_center(b)), .factor = 30};
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            request.has_limits = true;
            request.limits = (vn_box){{0, (float)(a.y < b.y ? a.y : b.y) - 0.25f, 0},
                                      {70, (float)(a.y > b.y ? a.y : b.y) + 1.25f, 70}};
            request.zones = &zone;
            request.zone_count = 1;
            request.preferred_clearance = world % 3 == 0 ? 2 : 0;

            request.quality = (vn_quality)(world % VN_QUALITY_COUNT);
            if (vn_query_find_path(s.query, &request, &result, NULL) == VN_OK) {
                check_legs(&s, &request, &result);
                ++found;
            }
        }

        free_scene(&s);
    }

    assert_true(found > 15);
}

/// A wall in the middle that can be passed above only: a band keeps the path down, and then there is none.
static void test_band(void** state) {
    (void)state;
    const vn_voxel dims = {60, 40, 30}, a = {2, 5, 15}, b = {57, 5, 15};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t z = 0; z < 30; ++z)
        for (int32_t y = 0; y < 40; ++y)
            if (y < 30 && (y >= 10 || z >= 3)) // free above, and a hole below at one side
                vnt_voxels_block(&voxels, 30, y, z);

    scene s = make_scene(voxels);
    vn_path_request request = vn_default_path_request();
    vn_path_result above, below;
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);
    assert_int_equal(vn_query_find_path(s.query, &request, &above, NULL), VN_OK);
    request.has_limits = true;
    request.limits = (vn_box){{0, 0, 4}, {60, 40, 30}};
    assert_int_equal(vn_query_find_path(s.query, &request, &above, NULL), VN_OK);
    check_legs(&s, &request, &above);
    assert_true(above.length > 2 * sqrt(27.5 * 27.5 + 24.5 * 24.5) - 0.1);
    request.limits = (vn_box){{0, 4.5f, 0}, {60, 6.25f, 30}};
    assert_int_equal(vn_query_find_path(s.query, &request, &below, NULL), VN_OK);
    check_legs(&s, &request, &below);
    assert_true(below.length < above.length);
    request.limits = (vn_box){{0, 4.5f, 4}, {60, 6.25f, 30}};
    assert_int_equal(vn_query_find_path(s.query, &request, &below, NULL), VN_NO_PATH);
    request.limits = (vn_box){{0, 5.5f, 0}, {60, 5.5f, 30}}; // flat, in the middle of the voxels
    assert_int_equal(vn_query_find_path(s.query, &request, &below, NULL), VN_OK);
    check_legs(&s, &request, &below);
    free_scene(&s);
}

/// Beams whose undersides lie on the lower limit, over one large cell: no path slides through below them.
static void test_no_sliding(void** state) {
    (void)state;
    const vn_voxel dims = {8, 3, 4}, a = {2, 2, 1}, b = {6, 2, 1};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t i = 0; i < 16; ++i)
        vnt_voxels_block(&voxels, 1 + i % 4 * 2, 2, i / 4);

    scene s = make_scene(voxels);
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);
    request.has_limits = true;
    request.limits = (vn_box){{0, 2, 0}, {8, 3, 4}};
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_NO_PATH);
    request.limits.min.y = 1.875f;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    check_legs(&s, &request, &result);
    free_scene(&s);
}

/// Ends that lie on the upper limit, below shafts that are beyond it, so that they belong to cells that are
/// not entered: the goal, the target of a field, and both ends of a connection.
static void test_ends_on_the_limit(void** state) {
    (void)state;
    const vn_voxel dims = {40, 20, 9};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (uint32_t i = 0; i < voxel_count(&voxels); ++i) {
        vn_voxel v = voxel_of(&voxels, i);
        bool is_shaft = v.z == 4 && (v.x == 15 || v.x == 25 || v.x == 38);
        if (v.x == 20 || (v.y >= 10 && !is_shaft))
            vnt_voxels_block(&voxels, v.x, v.y, v.z);
    }

    scene s = make_scene(voxels);
    const vn_connection connection = {{15.5f, 10, 4.5f}, {25.5f, 10, 4.5f}, 1, false, 0};
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = (vn_point){2 * VN_LATTICE + 512, 8 * VN_LATTICE, 4 * VN_LATTICE + 512};
    request.goal = (vn_point){38 * VN_LATTICE + 512, 10 * VN_LATTICE, 4 * VN_LATTICE + 512};
    request.has_limits = true;
    request.limits = (vn_box){{0, 5, 0}, {40, 10, 9}};
    request.connections = &connection;
    request.connection_count = 1;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    check_legs(&s, &request, &result);
    assert_true(result.connections_used == 1);
    assert_true(fabs(result.cost - sqrt(173) - 14) < 0.01);
    vn_field_request field = vn_default_field_request();
    const vn_point target = {15 * VN_LATTICE + 512, 10 * VN_LATTICE, 4 * VN_LATTICE + 512};
    double cost;
    field.source = request.start;
    field.has_limits = true;
    field.limits = request.limits;
    assert_int_equal(vn_query_build_field(s.query, &field, NULL, NULL), VN_OK);
    assert_int_equal(vn_query_field_costs(s.query, &target, 1, &cost), VN_OK);
    assert_true(fabs(cost - sqrt(173)) < 0.01);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_flood), cmocka_unit_test(test_regions),
        cmocka_unit_test(test_pushed_around), cmocka_unit_test(test_band),
        cmocka_unit_test(test_no_sliding),    cmocka_unit_test(test_ends_on_the_limit)};
    return cmocka_run_group_tests_name("query/limits", tests, NULL, NULL);
}
