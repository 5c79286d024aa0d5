/// Metres and voxels: the same voxels at half the resolution, with every length of a request halved, give the
/// same points for the same effort, and lengths that are half as long. Halves are exact in floating point.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "space/space.h"
#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>

typedef struct scene {
    vnt_voxels voxels;
    vn_space *whole, *half;
    vn_query *on_whole, *on_half;
} scene;

static vn_query* make_query(const vn_space* space) {
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    return query;
}

static scene make_scene(vni_rng* rng) {
    vn_jobs serial = vn_serial_jobs();
    scene s = {.voxels = vnt_voxels_random(rng, (vn_voxel){24, 20, 16})};
    s.whole = vnt_voxels_cells(&s.voxels, &serial);
    s.half = vnt_voxels_cells(&s.voxels, &serial);
    s.half->resolution = 0.5f;
    s.on_whole = make_query(s.whole);
    s.on_half = make_query(s.half);
    return s;
}

static void free_scene(scene* s) {
    vn_query_destroy(s->on_whole);
    vn_query_destroy(s->on_half);
    vn_space_destroy(s->whole);
    vn_space_destroy(s->half);
    vnt_voxels_free(&s->voxels);
}

/// What a request points at.
typedef struct terms {
    vn_zone zones[2];
    vn_connection connections[3];
} terms;

static vn_vec3 halved(vn_vec3 v) {
    return (vn_vec3){v.x / 2, v.y / 2, v.z / 2};
}

static vn_box halved_box(vn_box box) {
    return (vn_box){halved(box.min), halved(box.max)};
}

static vn_vec3 random_vec(vni_rng* rng) {
    return (vn_vec3){(float)vni_rng_range(rng, 0, 48) / 2, (float)vni_rng_range(rng, 0, 40) / 2,
                     (float)vni_rng_range(rng, 0, 32) / 2};
}

static vn_box box_around(vn_vec3 at, float by) {
    return (vn_box){{at.x - by, at.y - by, at.z - by}, {at.x + by, at.y + by, at.z + by}};
}

static vn_vec3 local_of(vn_point p) {
    return (vn_vec3){(float)p.x / VN_LATTICE, (float)p.y / VN_LATTICE, (float)p.z / VN_LATTICE};
}

/// One kind of terms each, and all of a kind that go together.
static vn_path_request random_request(vni_rng* rng, const scene* s, terms* t, uint32_t kind) {
    vn_path_request r = vn_default_path_request();
    vn_voxel a = {0, 0, 0}, b = {0, 0, 0};
    vnt_random_free_voxel(rng, &s->voxels, &a);
    vnt_random_free_voxel(rng, &s->voxels, &b);
    r.start = vn_voxel_center(a);
    r.goal = vn_voxel_center(b);
    r.quality = (vn_quality)vni_rng_below(rng, VN_QUALITY_COUNT);
    r.goal_kind = kind % 2 ? (vn_goal_kind)(kind / 2 % VN_GOAL_KIND_COUNT) : VN_GOAL_POINT;
    r.goal_distance = 1 + vni_rng_below(rng, 8);
    r.goal_box = box_around(random_vec(rng), 2);
    r.snap_distance = kind % 3;
    r.preferred_clearance = kind % 5 == 0 ? 0.15f + (float)vni_rng_below(rng, 3) : 0;
    r.has_limits = kind % 7 == 0;
    r.limits = box_around(local_of(r.start), 7.25f);
    r.allow_partial = kind % 4 == 0;

    for (uint32_t i = 0; i < 2; ++i)
        t->zones[i] = (vn_zone){.kind = i ? VN_ZONE_SPHERE : VN_ZONE_BOX,
                                .box = box_around(random_vec(rng), 3),
                                .center = random_vec(rng),
                                .radius = 4,
                                .factor = 2 + (float)i};

    for (uint32_t i = 0; i < 3; ++i)
        t->connections[i] = (vn_connection){
            .from = random_vec(rng), .to = random_vec(rng), .cost = (float)i, .bidirectional = i > 0};

    r.zones = t->zones;
    r.zone_count = kind % 3 == 1 ? 2 : 0;
    r.connections = t->connections;
    r.connection_count = kind % 6 == 5 ? 3 : 0;
    return r;
}

static vn_path_request halved_request(vn_path_request r, terms* t) {
    for (uint32_t i = 0; i < 2; ++i) {
        t->zones[i] = r.zones[i];
        t->zones[i].box = halved_box(r.zones[i].box);
        t->zones[i].center = halved(r.zones[i].center);
        t->zones[i].radius /= 2;
    }

    for (uint32_t i = 0; i < 3; ++i) {
        t->connections[i] = r.connections[i];
        t->connections[i].from = halved(r.connections[i].from);
        t->connections[i].to = halved(r.connections[i].to);
        t->connections[i].cost /= 2;
    }

    r.zones = t->zones;
    r.connections = t->connections;
    r.goal_distance /= 2;
    r.goal_box = halved_box(r.goal_box);
    r.limits = halved_box(r.limits);
    r.snap_distance /= 2;
    r.preferred_clearance /= 2;
    return r;
}

static void assert_half(double half, double whole) {
    assert_true(fabs(2 * half - whole) <= 1e-12 * fabs(whole));
}

static void check_paths(const scene* s, const vn_path_request* request, const vn_path_request* halves) {
    vn_path_result a, b;
    uint32_t a_count, b_count;
    vn_status status = vn_query_find_path(s->on_whole, request, &a, NULL);
    assert_int_equal(vn_query_find_path(s->on_half, halves, &b, NULL), status);
    const vn_point* a_points = vn_query_points(s->on_whole, &a_count);
    const vn_point* b_points = vn_query_points(s->on_half, &b_count);
    assert_int_equal(a_count, b_count);
    if (a_count > 0)
        assert_memory_equal(a_points, b_points, a_count * sizeof *a_points);

    assert_half(b.length, a.length);
    assert_half(b.cost, a.cost);
    assert_half(b.nearest_distance, a.nearest_distance);
    assert_int_equal(a.expanded, b.expanded);
    assert_int_equal(a.connections_used, b.connections_used);
    assert_int_equal(a.connections_ignored, b.connections_ignored);
}

static void test_paths(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("resolution, paths", 611));
    for (uint32_t world = 0; world < vnt_scale(6, 100); ++world) {
        scene s = make_scene(&rng);
        for (uint32_t kind = 0; kind < 40; ++kind) {
            terms whole, half;
            const vn_path_request request = random_request(&rng, &s, &whole, kind);
            const vn_path_request halves = halved_request(request, &half);
            check_paths(&s, &request, &halves);
        }

        free_scene(&s);
    }
}

static void test_grids(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("resolution, grids", 612));
    scene s = make_scene(&rng);
    for (uint32_t i = 0; i < 30; ++i) {
        terms whole, half;
        vn_path_request request = random_request(&rng, &s, &whole, 6 * (i % 2) + 4); // zones now and then
        request.algo = (vn_algo)(VN_ALGO_ASTAR + i % 3);
        request.has_limits = false;
        request.preferred_clearance = 0;
        request.goal_kind = VN_GOAL_POINT;
        const vn_path_request halves = halved_request(request, &half);
        check_paths(&s, &request, &halves);
    }

    free_scene(&s);
}

static void test_fields(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("resolution, fields", 613));
    for (uint32_t i = 0; i < vnt_scale(12, 200); ++i) {
        scene s = make_scene(&rng);
        vn_field_request request = vn_default_field_request();
        vn_voxel source = {0, 0, 0}, target = {0, 0, 0};
        uint64_t a_cells = 0, b_cells = 0, a_random = i, b_random = i;
        vnt_random_free_voxel(&rng, &s.voxels, &source);
        request.source = vn_voxel_center(source);
        request.max_cost = i % 2 ? 9 : 0;
        vn_field_request halves = request;
        halves.max_cost /= 2;
        vn_status status = vn_query_build_field(s.on_whole, &request, &a_cells, NULL);
        assert_int_equal(vn_query_build_field(s.on_half, &halves, &b_cells, NULL), status);
        assert_int_equal(a_cells, b_cells);

        for (uint32_t k = 0; status == VN_OK && k < 10; ++k) {
            vn_point a, b;
            double a_cost = 0, b_cost = 0;
            status = vn_query_field_random(s.on_whole, &a_random, &a, &a_cost);
            assert_int_equal(vn_query_field_random(s.on_half, &b_random, &b, &b_cost), status);
            assert_memory_equal(&a, &b, sizeof a);
            assert_half(b_cost, a_cost);
            vnt_random_free_voxel(&rng, &s.voxels, &target);
            const vn_point at = vn_voxel_center(target);
            vn_query_field_costs(s.on_whole, &at, 1, &a_cost);
            vn_query_field_costs(s.on_half, &at, 1, &b_cost);
            assert_true(a_cost == HUGE_VAL ? b_cost == HUGE_VAL : fabs(2 * b_cost - a_cost) <= 1e-9);
        }

        free_scene(&s);
    }
}

static void test_passages(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("resolution, passages", 614));
    for (uint32_t i = 0; i < vnt_scale(12, 200); ++i) {
        scene s = make_scene(&rng);
        vn_voxel a = {0, 0, 0}, b = {0, 0, 0};
        vnt_random_free_voxel(&rng, &s.voxels, &a);
        vnt_random_free_voxel(&rng, &s.voxels, &b);
        const vn_point start = vn_voxel_center(a), goal = vn_voxel_center(b);
        vn_passage whole, half;
        vn_status status = vn_query_find_passage(s.on_whole, start, goal, 0, 5, 0, &whole, NULL);
        assert_int_equal(vn_query_find_passage(s.on_half, start, goal, 0, 2.5, 0, &half, NULL), status);
        assert_half(half.radius, whole.radius);
        assert_int_equal(half.limited, whole.limited);
        assert_int_equal(half.expanded, whole.expanded);
        assert_memory_equal(&half.bottleneck, &whole.bottleneck, sizeof half.bottleneck);
        free_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_passages),
    };

    return cmocka_run_group_tests_name("query/resolution", tests, NULL, NULL);
}
