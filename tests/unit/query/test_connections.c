/// Connections: a path is found exactly when voxels and connections together have one, it costs no more than
/// the best path over the grid and the connections, and a connection is taken when it pays.
#include "terms_oracle.h"

enum { MOST = 6 };

static vn_vec3 center_of(vn_voxel v) {
    vn_vec3 at = {(float)v.x + 0.5f, (float)v.y + 0.5f, (float)v.z + 0.5f};
    return at;
}

/// Links between random free voxels, and the same as jumps, one for each direction.
static uint32_t random_connections(vni_rng* rng, const vnt_voxels* v, vn_voxel start, uint32_t count,
                                   vn_connection* connections, jump* jumps) {
    uint32_t jump_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        vn_voxel a, b;
        if (!vnt_random_free_voxel(rng, v, &a))
            a = start;

        if (!vnt_random_free_voxel(rng, v, &b))
            b = start;

        double cost = vni_rng_range(rng, 0, 12) / 4.0;
        connections[i] =
            (vn_connection){center_of(a), center_of(b), (float)cost, vni_rng_below(rng, 2) == 0, i};
        jumps[jump_count++] = (jump){a, b, cost};
        if (connections[i].bidirectional)
            jumps[jump_count++] = (jump){b, a, cost};
    }

    return jump_count;
}

typedef struct tally {
    double cost, grid, worst;
    uint32_t found, none, uses;
} tally;

static void check_request(const scene* s, vni_rng* rng, vn_path_request request, vn_voxel start,
                          vn_voxel goal, tally* t) {
    vn_connection connections[MOST];
    jump jumps[2 * MOST];
    vn_path_result result;
    bounds everywhere = no_bounds();
    request.connection_count = 1 + vni_rng_below(rng, MOST);
    request.connections = connections;
    uint32_t jump_count =
        random_connections(rng, &s->voxels, start, request.connection_count, connections, jumps);
    double* grid = grid_costs(&s->voxels, start, &everywhere, jumps, jump_count);
    double best = grid[index_of(&s->voxels, goal)];
    unsigned char* reached = flood(&s->voxels, start, &everywhere, jumps, jump_count);
    assert_int_equal(reached[index_of(&s->voxels, goal)], best < HUGE_VAL);
    vn_status status = vn_query_find_path(s->query, &request, &result, NULL);
    assert_int_equal(status, best < HUGE_VAL ? VN_OK : VN_NO_PATH);

    assert_int_equal(result.connections_ignored, 0);
    if (status == VN_OK) {
        vn_point end = check_legs(s, &request, &result);
        assert_memory_equal(&end, &request.goal, sizeof end);
        t->cost += result.cost;
        t->grid += best;
        t->worst = best > 2 ? fmax(t->worst, result.cost / best) : t->worst;
        t->uses += result.connections_used;
        ++t->found;
    } else {
        assert_int_equal(result.expanded, 0); // known from the labels
        ++t->none;
    }

    free(grid);
    free(reached);
}

static void test_against_brute_force(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("connections", 411));
    tally t = {0, 0, 0, 0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(80, 2500); ++world) {
        scene s = random_scene(&rng, world);
        vn_voxel a, b;
        for (uint32_t i = 0; i < 6 && vnt_random_free_voxel(&rng, &s.voxels, &a) &&
                             vnt_random_free_voxel(&rng, &s.voxels, &b);
             ++i) {
            vn_path_request request = vn_default_path_request();
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            request.quality = (vn_quality)vni_rng_below(&rng, VN_QUALITY_COUNT);
            check_request(&s, &rng, request, a, b, &t);
        }

        free_scene(&s);
    }

    print_message("%u found, %u not, %u connections taken; cost over the grid's %.4f, at worst %.3f\n",
                  t.found, t.none, t.uses, t.cost / t.grid, t.worst);
    assert_true(t.found > 100);
    assert_true(t.none > 10);
    assert_true(t.uses > 100);
    assert_true(t.cost < 0.99 * t.grid);
    assert_true(t.worst < 1.35);
}

/// Ends anywhere on the lattice, goals of all kinds, limits: whatever is asked, legs are free and add up.
static void test_anywhere(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("connections anywhere", 412));
    uint32_t uses = 0;
    for (uint32_t world = 0; world < vnt_scale(150, 4000); ++world) {
        scene s = random_scene(&rng, world);
        vn_connection connections[MOST];
        for (uint32_t i = 0; i < MOST; ++i) {
            vn_point a = vnt_random_point(&rng, s.voxels.dims, 256),
                     b = vnt_random_point(&rng, s.voxels.dims, 512);
            connections[i] =
                (vn_connection){{(float)a.x / VN_LATTICE, (float)a.y / VN_LATTICE, (float)a.z / VN_LATTICE},
                                {(float)b.x / VN_LATTICE, (float)b.y / VN_LATTICE, (float)b.z / VN_LATTICE},
                                (float)vni_rng_below(&rng, 3),
                                true,
                                i};
        }

        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.connections = connections;
        request.connection_count = MOST;
        request.start = vnt_random_point(&rng, s.voxels.dims, 512);
        request.goal = vnt_random_point(&rng, s.voxels.dims, 512);
        request.goal_kind = (vn_goal_kind)vni_rng_below(&rng, VN_GOAL_KIND_COUNT);
        request.goal_distance = 1;
        request.goal_box.max = connections[0].from;
        request.has_limits = vni_rng_below(&rng, 2) == 0;
        request.limits = (vn_box){{0, 0, 0}, {60, (float)vni_rng_range(&rng, 8, 104) / 8, 60}};
        request.allow_partial = vni_rng_below(&rng, 2) == 0;

        vn_status status = vn_query_find_path(s.query, &request, &result, NULL);
        if (status == VN_OK || status == VN_PARTIAL)
            check_legs(&s, &request, &result);

        uses += result.connections_used;
        free_scene(&s);
    }

    assert_true(uses > 20);
}

// ---------------------------------------------------------------------------------------------- fixed worlds

static scene empty_hall(void) {
    const vn_voxel dims = {60, 40, 40};
    return make_scene(vnt_voxels_make(dims));
}

static vn_path_request along_the_hall(const vn_connection* connections, uint32_t count) {
    const vn_voxel a = {2, 20, 20}, b = {57, 20, 20};
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);
    request.connections = connections;
    request.connection_count = count;

    return request;
}

/// All of it in one convex cell: the connection is taken if it pays, in its direction only.
static void test_when_it_pays(void** state) {
    (void)state;
    scene s = empty_hall();
    vn_connection connection = {{4.5f, 22.5f, 20.5f}, {55.5f, 20.5f, 20.5f}, 0, false, 7};
    vn_path_request request = along_the_hall(&connection, 1);
    vn_path_result result;
    uint32_t count;
    request.quality = VN_QUALITY_BEST; // exact in one cell
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    check_legs(&s, &request, &result);
    assert_int_equal(result.connections_used, 1);
    assert_true(fabs(result.cost - (sqrt(8) + 2)) < 1e-6);
    assert_true(fabs(result.length - result.cost) < 1e-9);
    assert_false(vn_query_connections(s.query, &count)->reversed);
    connection.cost = 50;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    assert_true(result.connections_used == 1);
    assert_true(fabs(result.cost - (sqrt(8) + 52)) < 1e-5);
    connection.cost = 51; // 55 straight
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    assert_true(result.connections_used == 0);
    assert_true(fabs(result.cost - 55) < 1e-9);
    connection.cost = 0;
    vn_point swap = request.start;
    request.start = request.goal;
    request.goal = swap;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    assert_int_equal(result.connections_used, 0);
    connection.bidirectional = true;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    check_legs(&s, &request, &result);
    assert_true(result.connections_used == 1);
    assert_true(vn_query_connections(s.query, &count)->reversed);
    free_scene(&s);
}

/// A row of free connections, each a little off the path: all of them are taken.
static void test_a_row(void** state) {
    (void)state;
    scene s = empty_hall();
    vn_connection connections[VN_MAX_CONNECTIONS];
    for (uint32_t i = 0; i < VN_MAX_CONNECTIONS; ++i) {
        float x = 4 + 50 * (float)i / VN_MAX_CONNECTIONS, step = 50.0f / VN_MAX_CONNECTIONS;
        connections[i] = (vn_connection){{x, 20.5f, 20.5f}, {x + step, 20.5f, 20.5f}, 0, true, i};
    }

    vn_path_request request = along_the_hall(connections, VN_MAX_CONNECTIONS);
    vn_path_result result;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    check_legs(&s, &request, &result);
    assert_int_equal(result.connections_used, VN_MAX_CONNECTIONS);
    assert_true(fabs(result.cost - 5) < 1e-3);
    free_scene(&s);
}

/// A closed wall: only the connection leads through it, and one whose end is in the wall is left out and
/// counted.
static void test_through_a_wall(void** state) {
    (void)state;
    const vn_voxel dims = {60, 40, 40};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t z = 0; z < 40; ++z)
        for (int32_t y = 0; y < 40; ++y)
            vnt_voxels_block(&voxels, 30, y, z);

    scene s = make_scene(voxels);
    const vn_connection connections[3] = {{{29.5f, 5.5f, 5.5f}, {31.5f, 5.5f, 5.5f}, 3, false, 0},
                                          {{29.5f, 20.5f, 20.5f}, {30.5f, 20.5f, 20.5f}, 0, false, 1},
                                          {{29.5f, 20.5f, 20.5f}, {99.5f, 20.5f, 20.5f}, 0, false, 2}};
    vn_path_request request = along_the_hall(connections, 3);
    vn_path_result result;
    uint32_t count;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_OK);
    check_legs(&s, &request, &result);
    assert_true(result.connections_used == 1);
    assert_true(result.connections_ignored == 2);
    assert_int_equal(vn_query_connections(s.query, &count)[0].connection, 0);
    assert_true(fabs(result.cost - result.length - 3) < 1e-6);
    request.has_limits = true;
    request.limits = (vn_box){{0, 10, 0}, {60, 40, 40}}; // without the first connection's ends
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_NO_PATH);
    assert_int_equal(result.connections_ignored, 3);
    request.has_limits = false;
    request.connections = connections + 1;
    request.connection_count = 2;
    assert_int_equal(vn_query_find_path(s.query, &request, &result, NULL), VN_NO_PATH);
    assert_int_equal(result.expanded, 0);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_brute_force), cmocka_unit_test(test_anywhere),
        cmocka_unit_test(test_when_it_pays),        cmocka_unit_test(test_a_row),
        cmocka_unit_test(test_through_a_wall),
    };
    return cmocka_run_group_tests_name("query/connections", tests, NULL, NULL);
}
