/// Recorded requests and results as bytes: every field comes back.
#include "files.h"

#include "store/record.h"

/// A request that differs from the default in every field; in those of the fuel only if it shall.
static vn_path_request strange_request(bool burns) {
    vn_path_request r = vn_default_path_request();
    r.start = (vn_point){1, -2, 3};
    r.goal = (vn_point){INT32_MAX, INT32_MIN, 6};
    r.goal_kind = VN_GOAL_SIGHT;
    r.goal_box = (vn_box){{1.5f, 2.5f, 3.5f}, {4.5f, 5.5f, 6.5f}};
    r.goal_distance = 7.25;
    r.radius = 0.125f;
    r.open_flags = 0x12345678;
    r.algo = VN_ALGO_ASTAR_LIST;
    r.quality = VN_QUALITY_BEST;
    r.refine = VN_REFINE_TAUT;
    r.heuristic = VN_HEURISTIC_R16;
    r.neighbours = 6;
    r.weight = 1.75;
    r.budget = 0x123456789abcdef0;
    r.allow_partial = true;
    r.snap_distance = 8.5;
    r.zone_flags = 0x9abcdef0;
    r.has_limits = true;
    r.limits = (vn_box){{-1.5f, -2.5f, -3.5f}, {-0.5f, -0.25f, -0.125f}};
    r.preferred_clearance = 2.75f;
    r.clearance_weight = 9.5f;
    r.jitter = 0.375f;
    r.jitter_seed = 0xfedcba9876543210;
    r.check = true;
    if (burns)
        r.fuel = (vn_fuel_model){VN_FUEL_GRAVITY, 2, 0.75, 1.25, 0.625, true, false, 7};

    return r;
}

static bool same_box(const vn_box* a, const vn_box* b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static void assert_same_request(vn_path_request a, vn_path_request b) {
    assert_true(memcmp(&a.start, &b.start, sizeof a.start) == 0);
    assert_true(memcmp(&a.goal, &b.goal, sizeof a.goal) == 0);
    assert_true(a.goal_kind == b.goal_kind);
    assert_true(same_box(&a.goal_box, &b.goal_box));
    assert_true(a.goal_distance == b.goal_distance);
    assert_true(a.radius == b.radius);
    assert_true(a.open_flags == b.open_flags);
    assert_true(a.algo == b.algo);
    assert_true(a.quality == b.quality);
    assert_true(a.refine == b.refine);
    assert_true(a.heuristic == b.heuristic);
    assert_true(a.neighbours == b.neighbours);
    assert_true(a.weight == b.weight);
    assert_true(a.budget == b.budget);
    assert_true(b.allow_partial);
    assert_true(a.snap_distance == b.snap_distance);
    assert_true(a.zone_flags == b.zone_flags);
    assert_true(b.has_limits);
    assert_true(same_box(&a.limits, &b.limits));
    assert_true(a.preferred_clearance == b.preferred_clearance);
    assert_true(a.clearance_weight == b.clearance_weight);
    assert_true(a.jitter == b.jitter);
    assert_true(a.jitter_seed == b.jitter_seed);
    assert_true(b.check);
}

static void assert_same_fuel(const vn_fuel_model* a, const vn_fuel_model* b) {
    assert_true(a->kind == b->kind);
    assert_true(a->up == b->up);
    assert_true(a->per_metre == b->per_metre);
    assert_true(a->climb == b->climb);
    assert_true(a->sink == b->sink);
    assert_true(a->avoids_weather == b->avoids_weather);
    assert_true(a->avoids_moving == b->avoids_moving);
    assert_true(a->max_climbs == b->max_climbs);
}

static void check_request_bytes(bool burns) {
    const vn_path_request a = strange_request(burns);
    const vni_query_sizes sizes = {1000, 2000, true};
    vn_path_request b;
    vni_query_sizes back;
    vn_allocator allocator = vn_default_allocator();
    vni_bytes bytes = vni_bytes_make(&allocator);
    vni_put_request(&bytes, &a, &sizes);
    vni_reader in = {.at = bytes.data, .left = bytes.size};
    assert_true(vni_read_request(&in, &b, &back));
    assert_true(back.max_points == 1000);
    assert_true(back.max_nodes == 2000);
    assert_true(back.on_layers);
    assert_same_request(a, b);
    assert_same_fuel(&a.fuel, &b.fuel);
    assert_int_equal(bytes.size, burns ? 232 : 188);

    assert_true(b.zone_count == 0);
    assert_true(b.connection_count == 0);
    assert_true(!b.zones);
    assert_true(!b.connections);
    for (uint64_t size = 0; size < bytes.size; ++size) {
        in = (vni_reader){.at = bytes.data, .left = size};
        assert_false(vni_read_request(&in, &b, &back));
    }

    vni_bytes again = vni_bytes_make(&allocator);
    for (uint64_t bit = 0; bit < 8 * bytes.size; ++bit) { // what is accepted means what it says
        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        in = (vni_reader){.at = bytes.data, .left = bytes.size};
        again.size = 0;
        if (vni_read_request(&in, &b, &back)) {
            vni_put_request(&again, &b, &back);
            assert_memory_equal(again.data, bytes.data, bytes.size);
        }
        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }

    const vni_query_sizes bad_sizes[3] = {{0, 1, false}, {UINT32_MAX, 1, false}, {1, UINT32_MAX, false}};
    for (int i = 0; i < 3; ++i) {
        again.size = 0;
        vni_put_request(&again, &a, &bad_sizes[i]);
        in = (vni_reader){.at = again.data, .left = again.size};
        assert_false(vni_read_request(&in, &b, &back));
    }

    vni_bytes_free(&again);
    vni_bytes_free(&bytes);
}

/// A version that says "fuel" without any is refused: the same request has other bytes.
static void check_empty_fuel(void) {
    const vni_query_sizes sizes = {1000, 2000, true};
    vn_path_request a = strange_request(true), b;
    vni_query_sizes back;
    vn_allocator allocator = vn_default_allocator();
    vni_bytes bytes = vni_bytes_make(&allocator);
    a.fuel.max_climbs = 0;
    vni_put_request(&bytes, &a, &sizes);
    vni_reader in = {.at = bytes.data, .left = bytes.size};
    assert_true(vni_read_request(&in, &b, &back));

    memset(bytes.data + 188, 0, 4); // the kind
    in = (vni_reader){.at = bytes.data, .left = bytes.size};
    assert_false(vni_read_request(&in, &b, &back));
    vni_bytes_free(&bytes);
}

static void requests_keep_their_fields(void** state) {
    (void)state;
    check_request_bytes(false);
    check_request_bytes(true);
    check_empty_fuel();
}

static void assert_same_result(vn_path_result a, vn_path_result b) {
    assert_true(a.status == b.status);
    assert_true(a.reason == b.reason);
    assert_true(a.point_count == b.point_count);
    assert_true(a.length == b.length);
    assert_true(a.cost == b.cost);
    assert_true(a.bound == b.bound);
    assert_true(a.weight == b.weight);
    assert_true(a.turns == b.turns);
    assert_true(b.checked);
    assert_true(a.expanded == b.expanded);
    assert_true(a.touched == b.touched);
    assert_true(memcmp(&a.start, &b.start, sizeof a.start) == 0);
    assert_true(memcmp(&a.goal, &b.goal, sizeof a.goal) == 0);
    assert_true(a.end == b.end);
    assert_true(b.has_nearest);
    assert_true(memcmp(&a.nearest, &b.nearest, sizeof a.nearest) == 0);
    assert_true(a.nearest_distance == b.nearest_distance);
    assert_true(a.layer_radius == b.layer_radius);
    assert_true(a.passing_radius == b.passing_radius);
    assert_true(a.connections_used == b.connections_used);
    assert_true(a.connections_ignored == b.connections_ignored);
    assert_true(a.fuel == b.fuel);
}

static void check_result_bytes(double fuel) {
    const vn_path_result a = {.status = VN_PARTIAL,
                              .reason = VN_BUDGET_SPENT,
                              .point_count = 3,
                              .length = 1.5,
                              .cost = 2.5,
                              .bound = 3.5,
                              .weight = 4.5,
                              .turns = 5,
                              .checked = true,
                              .expanded = 6000000000,
                              .touched = 7000000000,
                              .start = {1, 2, 3},
                              .goal = {-4, 5, 6},
                              .end = VN_END_GOAL,
                              .has_nearest = true,
                              .nearest = {7, 8, -9},
                              .nearest_distance = 8.5,
                              .layer_radius = 0.5f,
                              .passing_radius = 0.25f,
                              .connections_used = 10,
                              .connections_ignored = 11,
                              .fuel = fuel};
    vn_path_result b;
    vn_allocator allocator = vn_default_allocator();
    vni_bytes bytes = vni_bytes_make(&allocator);
    vni_put_result(&bytes, &a);
    vni_reader in = {.at = bytes.data, .left = bytes.size};
    assert_true(vni_read_result(&in, &b));
    assert_same_result(a, b);

    for (uint64_t size = 0; size < bytes.size; ++size) {
        in = (vni_reader){.at = bytes.data, .left = size};
        assert_false(vni_read_result(&in, &b));
    }

    vni_bytes again = vni_bytes_make(&allocator);
    for (uint64_t bit = 0; bit < 8 * bytes.size; ++bit) {
        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        in = (vni_reader){.at = bytes.data, .left = bytes.size};
        again.size = 0;
        if (vni_read_result(&in, &b)) {
            vni_put_result(&again, &b);
            assert_memory_equal(again.data, bytes.data, bytes.size);
        }

        bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }

    vni_bytes_free(&again);
    vni_bytes_free(&bytes);
}

static void results_keep_their_fields(void** state) {
    (void)state;
    check_result_bytes(0);
    check_result_bytes(12.25);
}

/// A field that is added to one of them must be added to request_bytes.c, to docs/files.md and to the two
/// tests above; then these numbers change. Not in files, because they follow from other fields or only matter
/// to the caller of the search: positions, legs of snapped ends, capacities that would be needed, observers.
/// Requests that start inside obstacles are refused, so that `inside` and inside_points are not in files
/// either.
static void no_field_is_forgotten(void** state) {
    (void)state;
    if (sizeof(void*) == 8) {
        assert_int_equal(sizeof(vn_path_request), 408);
        assert_int_equal(sizeof(vn_path_result), 384);
        assert_int_equal(sizeof(vn_zone), 72);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_keep_their_fields),
        cmocka_unit_test(results_keep_their_fields),
        cmocka_unit_test(no_field_is_forgotten),
    };

    return cmocka_run_group_tests_name("store/record_fields", tests, NULL, NULL);
}
