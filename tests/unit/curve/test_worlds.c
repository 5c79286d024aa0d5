/// test_worlds.c: curves and trajectories in random worlds, judged from outside: free at every step of 1/60 s
/// by the exact checker, no limit exceeded, no overshoot; what is refused says where and why.
#include "judge.h"
#include "support.h"
#include "volnav/query.h"
#include "voxels.h"

#include <stdio.h>
#include <string.h>

/// Sums over all worlds, by kind of curve.
typedef struct sums {
    uint32_t made, refused, steep, stops, corners, tightened, helices;
    double length, path, seconds;
    judge_verdict worst;
} sums;

typedef struct run {
    vni_rng rng;
    const vn_world* world; ///< null: voxels only
    const vn_space* space;
    const vn_point* points;
    uint32_t count;
    double path;
    sums kinds[VN_CURVE_KIND_COUNT];
} run;

/// One of two values, as the dice fall.
static double either(vni_rng* rng, double chance, double a, double b) {
    return vni_rng_real(rng) < chance ? a : b;
}

static double between(vni_rng* rng, double low, double high) {
    return low + (high - low) * vni_rng_real(rng);
}

static vn_curve_def random_def(vni_rng* rng) {
    vn_curve_def def = vn_default_curve_def();
    def.max_speed = between(rng, 0.5, 8);
    double usual = between(rng, 0.5, 10), strong = between(rng, 10, 100);
    def.max_acceleration = either(rng, 0.2, strong, usual);
    double step = between(rng, 1.0 / 60, 1.0 / 10); // needs a margin that can be seen
    def.step = either(rng, 0.2, step, 1.0 / 60);
    double rate = between(rng, 0.5, 4), slope = between(rng, 0.3, 2), climb = between(rng, 0.3, 3);
    def.max_turn_rate = either(rng, 0.6, rate, HUGE_VAL);
    def.max_slope = either(rng, 0.3, slope, HUGE_VAL);
    def.max_climb_rate = either(rng, 0.3, climb, HUGE_VAL);
    double least = between(rng, 0, 0.5), wanted = between(rng, 0, 4);
    def.min_turn_radius = either(rng, 0.3, least, 0);
    def.turn_radius = either(rng, 0.3, wanted, 0);
    return def;
}

static void keep_worst(judge_verdict* worst, const judge_verdict* v) {
    judge_most(&worst->speed, v->speed);
    judge_most(&worst->acceleration, v->acceleration);
    judge_most(&worst->turn, v->turn);
    judge_most(&worst->slope, v->slope);
    judge_most(&worst->climb, v->climb);
    judge_most(&worst->velocity, v->velocity);
    judge_most(&worst->overshoot, v->overshoot);
    judge_most(&worst->missed, v->missed);
}

/// What a curve that was made says about itself.
static void check_info(const run* r, const vn_curve* curve, const vn_curve_def* def, sums* s) {
    vn_curve_info info;
    uint32_t count;
    vn_curve_get_info(curve, &info);
    assert_int_equal(vn_curve_get_stops(curve, NULL, 0, &count), info.stops > 0 ? VN_CAPACITY : VN_OK);
    assert_int_equal(count, info.stops);
    assert_true(info.least_turn_radius >= def->min_turn_radius * (1 - 1e-6));
    assert_true(info.steepest_slope <= def->max_slope * (1 + 1e-6));

    s->stops += info.stops;
    s->corners += info.corners;
    s->tightened += info.tightened;
    s->helices += info.helices;
    s->length += info.length;
    s->path += r->path;
}

/// From rest to rest, or at random speeds that the curve allows.
static vn_trajectory* time_curve(run* r, const vn_curve* curve, const vn_curve_def* def) {
    vn_trajectory_def timing = vn_default_trajectory_def();
    vn_trajectory* trajectory;
    double start = between(&r->rng, 0, def->max_speed), end = between(&r->rng, 0, def->max_speed);
    timing.start_speed = either(&r->rng, 0.5, start, 0);
    timing.end_speed = either(&r->rng, 0.5, end, 0);
    vn_status status = vn_trajectory_make(curve, &timing, &trajectory, NULL);
    while (status == VN_NOT_FOUND && timing.start_speed + timing.end_speed > 1e-3) {
        timing.start_speed /= 2;
        timing.end_speed /= 2;
        status = vn_trajectory_make(curve, &timing, &trajectory, NULL);
    }

    if (status == VN_NOT_FOUND) // no length: no speed but 0
        status = vn_trajectory_make(curve, &(vn_trajectory_def){timing.allocator, 0, 0, timing.cookie},
                                    &trajectory, NULL);
    assert_int_equal(status, VN_OK);
    return trajectory;
}

/// In a world of shapes the samples keep the radius of the space from every one.
static void check_shapes(const run* r, const vn_trajectory* trajectory) {
    vn_space_info info;
    double duration = vn_trajectory_duration(trajectory);
    vn_space_get_info(r->space, &info);
    vn_point pair[2];
    for (uint32_t i = 0; r->world != NULL && i / 60.0 < duration; ++i) {
        vn_trajectory_state a, b;
        vn_trajectory_sample(trajectory, i / 60.0, &a);
        vn_trajectory_sample(trajectory, (i + 1) / 60.0, &b);
        assert_int_equal(vn_space_point_from_world(r->space, a.position, &pair[0]), VN_OK);
        assert_int_equal(vn_space_point_from_world(r->space, b.position, &pair[1]), VN_OK);
        assert_true(vn_world_check_path(r->world, r->space, pair, 2, (double)info.radius, NULL));
    }
}

static void check_curve(run* r, const vn_curve* curve, const vn_curve_def* def, sums* s) {
    vn_trajectory* trajectory = time_curve(r, curve, def);
    judge_verdict v = judge_run(r->space, curve, trajectory, def, r->points[0], r->points[r->count - 1]);
    if (!judge_accepts(&v)) {
        fprintf(stderr, "%s: ", vn_curve_kind_name(def->kind));
        judge_print(&v);
    }

    assert_true(judge_accepts(&v));
    check_shapes(r, trajectory);
    keep_worst(&s->worst, &v);
    s->seconds += vn_trajectory_duration(trajectory);
    vn_trajectory_destroy(trajectory);
}

static void check_kind(run* r, vn_curve_kind kind, vn_curve_def def) {
    sums* s = &r->kinds[kind];
    vn_detail detail = {0};
    vn_curve* curve;
    def.kind = kind;
    vn_status status = vn_curve_make(r->space, r->points, r->count, &def, &curve, &detail);
    if (status != VN_OK) {
        // Only these can fail: all else has a curve, with stops if it must be.
        assert_int_equal(status, VN_NOT_FOUND);
        assert_null(curve);
        assert_true(detail.index + 1 < r->count || r->count == 1);
        bool is_steep = strstr(detail.text, "steeper") != NULL;
        if (!is_steep)
            fprintf(stderr, "refused: %s\n", detail.text);
        s->steep += is_steep;
        ++s->refused;
        return;
    }

    ++s->made;
    check_info(r, curve, &def, s);
    check_curve(r, curve, &def, s);
    vn_curve_destroy(curve);
}

/// A random end: anywhere in a free voxel, on its faces and corners too.
static vn_point random_end(vni_rng* rng, vn_voxel voxel) {
    static const int32_t steps[] = {1, 512, 1024};
    const int32_t step = steps[vni_rng_below(rng, 3)];
    vn_point p;
    p.x = voxel.x * VN_LATTICE + step * vni_rng_range(rng, 0, VN_LATTICE / step);
    p.y = voxel.y * VN_LATTICE + step * vni_rng_range(rng, 0, VN_LATTICE / step);
    p.z = voxel.z * VN_LATTICE + step * vni_rng_range(rng, 0, VN_LATTICE / step);
    return p;
}

static bool random_ends(vni_rng* rng, const vnt_voxels* voxels, vn_path_request* request) {
    vn_voxel start, goal;
    if (!vnt_random_free_voxel(rng, voxels, &start) || !vnt_random_free_voxel(rng, voxels, &goal))
        return false;
    request->start = random_end(rng, start);
    request->goal = random_end(rng, goal);
    return true;
}

static void try_path(run* r, vn_query* query, const vn_path_request* request) {
    vn_path_result result;
    if (vn_query_find_path(query, request, &result, NULL) != VN_OK)
        return;

    r->points = vn_query_points(query, &r->count);
    r->path = result.length;
    vn_curve_def def = random_def(&r->rng);
    for (int kind = 0; kind < VN_CURVE_KIND_COUNT; ++kind)
        check_kind(r, (vn_curve_kind)kind, def);
}

static void run_world(run* r) {
    vn_voxel dims = {vni_rng_range(&r->rng, 3, 24), 0, 0};
    dims.y = vni_rng_range(&r->rng, 3, 24);
    dims.z = vni_rng_range(&r->rng, 3, 24);
    vnt_voxels voxels = vnt_voxels_random(&r->rng, dims);
    vn_jobs jobs = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&voxels, &jobs);
    vn_query_def query_def = vn_default_query_def();
    vn_query* query;
    query_def.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_query_create(space, &query_def, &query, NULL), VN_OK);

    r->space = space;
    for (int i = 0; i < 3; ++i) {
        vn_path_request request = vn_default_path_request();
        request.algo = i == 2 ? VN_ALGO_ASTAR : VN_ALGO_CELLS; // one path along the grid
        if (random_ends(&r->rng, &voxels, &request))
            try_path(r, query, &request);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

static void print_sums(const run* r) {
    for (int i = 0; i < VN_CURVE_KIND_COUNT; ++i) {
        const sums* s = &r->kinds[i];
        fprintf(stderr,
                "%-8s %u made, %u refused (%u too steep); corners %u (%u tightened), stops %u, helices %u; "
                "length / path %.4f, %.1f s each\n         worst: ",
                vn_curve_kind_name((vn_curve_kind)i), s->made, s->refused, s->steep, s->corners, s->tightened,
                s->stops, s->helices, s->length / s->path, s->seconds / s->made);
        judge_print(&s->worst);
    }
}

// -------------------------------------------------------------------------------------------------- shapes

/// Boxes and balls in 16 m, somewhere on a planet.
static vn_world* random_shapes(vni_rng* rng) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    def.origin = (vn_dvec3){123456.7, -2345.6, 345678.9};
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    uint32_t count = 5 + vni_rng_below(rng, 40);
    for (uint32_t i = 0; i < count; ++i) {
        vn_vec3 low, high;
        low.x = (float)between(rng, 0, 15);
        low.y = (float)between(rng, 0, 15);
        low.z = (float)between(rng, 0, 15);
        high.x = low.x + (float)between(rng, 0.1, 3);
        high.y = low.y + (float)between(rng, 0.1, 3);
        high.z = low.z + (float)between(rng, 0.1, 3);
        vn_shape shape = {.kind = VN_SHAPE_BOX, .as.box = {low, high}};
        if (i % 3 == 0)
            shape = (vn_shape){.kind = VN_SHAPE_SPHERE, .as.sphere = {low, high.x - low.x}};
        assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    }

    return world;
}

static vn_space* bake_shapes(vni_rng* rng, const vn_world* world) {
    vn_space_def def = vn_default_space_def();
    vn_space* space;
    def.resolution = (float)between(rng, 0.2, 0.6);
    def.radius = (float)between(rng, 0.05, 0.5);
    def.has_bounds = true;
    def.bounds = (vn_box){{-0.3f, -0.3f, -0.3f}, {16, 16, 16}};
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    return space;
}

static void run_shapes(run* r) {
    vn_world* world = random_shapes(&r->rng);
    vn_space* space = bake_shapes(&r->rng, world);
    vn_query_def query_def = vn_default_query_def();
    vn_query* query;
    uint64_t random = vni_rng_next(&r->rng);
    assert_int_equal(vn_query_create(space, &query_def, &query, NULL), VN_OK);
    r->world = world;
    r->space = space;
    for (int i = 0; i < 2; ++i) {
        vn_path_request request = vn_default_path_request();
        assert_int_equal(vn_space_random_point(space, &random, &request.start), VN_OK);
        assert_int_equal(vn_space_random_point(space, &random, &request.goal), VN_OK);
        try_path(r, query, &request);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vn_world_destroy(world);
}

static void test_shapes(void** state) {
    (void)state;
    run r = {.rng = vni_rng_make(vnt_seed("curves among shapes", 20261118))};
    const uint32_t worlds = vnt_scale(20, 300);
    for (uint32_t i = 0; i < worlds; ++i)
        run_shapes(&r);

    print_sums(&r);
    for (int i = 0; i < VN_CURVE_KIND_COUNT; ++i) {
        assert_true(r.kinds[i].made > worlds);
        assert_int_equal(r.kinds[i].refused, r.kinds[i].steep);
    }
}

static void test_worlds(void** state) {
    (void)state;
    run r = {.rng = vni_rng_make(vnt_seed("curves in worlds", 20261117))};
    const uint32_t worlds = vnt_scale(40, 1000);
    for (uint32_t i = 0; i < worlds; ++i)
        run_world(&r);

    print_sums(&r);
    for (int i = 0; i < VN_CURVE_KIND_COUNT; ++i) {
        const sums* s = &r.kinds[i];
        assert_true(s->made > worlds);
        // With no limit on the slope every path has a curve.
        assert_int_equal(s->refused, s->steep);
        assert_true(s->corners > 0);
        assert_true(s->stops > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds), cmocka_unit_test(test_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
