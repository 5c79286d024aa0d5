/// How work grows: every query on spaces of n, 2n and 4n voxels along each axis in turn.
///
/// Work is counted, not timed: the core that this program is linked with calls the function below in every
/// basic block (-fsanitize-coverage=trace-pc). The same request takes the same count on every run.
///
/// Bounds. Each query states one: what its work may be multiplied by when the space is twice as long, in the
/// mean of two doublings: with jitter and zones a search may expand a few cells more or fewer.
///   FLAT    nothing that a query does here depends on the length
///   LINEAR  in proportion to the blocks, cells or voxels that it passes, or n log n (heaps): 2, with a
///   margin for
///           the log and for what comes in steps
#include "cmocka_all.h"
#include "volnav/nav.h"
#include "volnav/volnav.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t work;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    ++work;
}

#define FLAT   1.25
#define LINEAR 2.5

#define SHORTEST 16384 /* voxels: 256 blocks, more than what passes look at one by one */
#define SIDE     16
#define SPACING  128

/// What blocks the straight segment.
typedef enum scenery {
    EMPTY,   ///< one voxel in a corner
    GATES,   ///< walls that leave one half open, this and that in turn: the path has a turn at each
    PILLARS, ///< beside the straight segment, which is free but too close to each
    SCENERIES
} scenery;

typedef struct scene {
    int axis;
    int32_t length;
    vn_world* world;
    vn_space* space;
    vn_query* query;
    vn_point start, goal; ///< at the two ends
} scene;

static vn_vec3 vec_of(const float at[3]) {
    return (vn_vec3){at[0], at[1], at[2]};
}

/// A box given by its place along the axis and across it.
static void add_box(const scene* s, float from, float to, const float low[2], const float high[2]) {
    float min[3], max[3];
    const int a = (s->axis + 1) % 3, b = (s->axis + 2) % 3;
    min[s->axis] = from;
    max[s->axis] = to;
    min[a] = low[0];
    max[a] = high[0];
    min[b] = low[1];
    max[b] = high[1];
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {vec_of(min), vec_of(max)}};
    assert_int_equal(vn_world_add(s->world, &box, NULL, NULL), VN_OK);
}

static void furnish(const scene* s, scenery what) {
    add_box(s, 0, 1, (const float[2]){0, 0}, (const float[2]){1, 1});
    for (int32_t i = 1; what != EMPTY && i * SPACING < s->length - 8; ++i) {
        const float at = (float)(i * SPACING), half = SIDE / 2;
        if (what == PILLARS)
            add_box(s, at, at + 2, (const float[2]){half + 1, 0}, (const float[2]){half + 2, SIDE});
        else
            add_box(s, at, at + 1, (const float[2]){i & 1 ? half : 0, 0},
                    (const float[2]){i & 1 ? SIDE : half, SIDE});
    }
}

/// The centre of a voxel near one end, or the other, in the middle of the cross-section.
static vn_point end_of(const scene* s, bool far) {
    int32_t at[3] = {SIDE / 2, SIDE / 2, SIDE / 2};
    at[s->axis] = far ? s->length - 4 : 3;
    return vn_voxel_center((vn_voxel){at[0], at[1], at[2]});
}

static vn_space_def space_def(const scene* s) {
    vn_space_def def = vn_default_space_def();
    float max[3] = {SIDE, SIDE, SIDE};
    max[s->axis] = (float)s->length;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, vec_of(max)};
    return def;
}

static scene make_scene(int axis, int32_t length, scenery what) {
    scene s = {.axis = axis, .length = length};
    vn_world_def def = vn_default_world_def();
    assert_int_equal(vn_world_create(&def, &s.world), VN_OK);
    furnish(&s, what);
    const vn_space_def space = space_def(&s);
    assert_int_equal(vn_space_bake(s.world, &space, &s.space, NULL), VN_OK);
    vn_query_def query = vn_default_query_def();
    query.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_query_create(s.space, &query, &s.query, NULL), VN_OK);
    s.start = end_of(&s, false);
    s.goal = end_of(&s, true);

    return s;
}

static void free_scene(scene* s) {
    vn_query_destroy(s->query);
    vn_space_destroy(s->space);
    vn_world_destroy(s->world);
}

// --------------------------------------------------------------------------------------------------- queries

static void find(scene* s, const vn_path_request* request) {
    vn_path_result result;
    assert_int_equal(vn_query_find_path(s->query, request, &result, NULL), VN_OK);
}

static vn_path_request request_of(const scene* s) {
    vn_path_request request = vn_default_path_request();
    request.start = s->start;
    request.goal = s->goal;
    return request;
}

static void path_fast(scene* s) {
    vn_path_request request = request_of(s);
    request.quality = VN_QUALITY_FAST;
    find(s, &request);
}

static void path_standard(scene* s) {
    vn_path_request request = request_of(s);
    find(s, &request);
}

static void path_best(scene* s) {
    vn_path_request request = request_of(s);
    request.quality = VN_QUALITY_BEST;
    find(s, &request);
}

static void path_funnel(scene* s) {
    vn_path_request request = request_of(s);
    request.refine = VN_REFINE_FUNNEL_PRUNE;
    find(s, &request);
}

static void path_clear(scene* s) {
    vn_path_request request = request_of(s);
    request.preferred_clearance = 3;
    find(s, &request);
}

static void path_zones(scene* s) {
    vn_path_request request = request_of(s);
    float low[3] = {0, 0, 0}, high[3] = {SIDE, SIDE, SIDE};
    low[s->axis] = (float)s->length / 4;
    high[s->axis] = (float)s->length / 2;
    high[(s->axis + 1) % 3] = SIDE / 2;
    const vn_zone zone = {.kind = VN_ZONE_BOX, .box = {vec_of(low), vec_of(high)}, .factor = 3};
    request.zones = &zone;
    request.zone_count = 1;
    find(s, &request);
}

static void path_terms(scene* s) {
    vn_path_request request = request_of(s);
    request.jitter = 0.2f;
    request.has_limits = true;
    request.limits = (vn_box){{0, 0, 0}, {1e6f, 1e6f, 1e6f}};
    request.goal_kind = VN_GOAL_SPHERE;
    request.goal_distance = 2;
    find(s, &request);
}

static void path_grid(scene* s) {
    vn_path_request request = request_of(s);
    request.algo = VN_ALGO_ASTAR;
    request.refine = VN_REFINE_PRUNE;
    find(s, &request);
}

static void check(scene* s) {
    path_fast(s);
    uint32_t count;
    const vn_point* points = vn_query_points(s->query, &count);
    assert_true(vn_space_check_path(s->space, points, count, NULL));
}

/// From the middle on, where walls may be far. To the end it would take all voxels: this is what a budget
/// bounds.
static void passage(scene* s) {
    int32_t middle[3] = {SIDE / 2, SIDE / 2, SIDE / 2};
    middle[s->axis] = s->length / 2 + 8;
    const vn_point start = vn_voxel_center((vn_voxel){middle[0], middle[1], middle[2]});
    vn_passage out;
    vn_status status = vn_query_find_passage(s->query, start, s->goal, 0, INFINITY, 2000, &out, NULL);
    assert_true(status == VN_OK || status == VN_BUDGET_SPENT);
}

static void wall(scene* s) {
    vn_wall out;
    assert_int_equal(vn_space_nearest_wall(s->space, s->goal, INFINITY, &out), VN_OK);
}

static void ray(scene* s) {
    vn_hit hit;
    vn_space_raycast(s->space, s->world, s->start, s->goal, &hit);
    vn_space_visible(s->space, s->start, s->goal);
}

/// In a plane of the lattice, voxel by voxel.
static void ray_in_plane(scene* s) {
    vn_point a = s->start, b = s->goal;
    a.x -= 512;
    b.x -= 512;
    a.y -= 512;
    b.y -= 512;
    a.z -= 512;
    b.z -= 512;
    vn_space_visible(s->space, a, b);
}

static void sweep(scene* s) {
    vn_hit hit;
    vn_space_sweep(s->space, s->world, s->start, s->goal, 0.4f, &hit);
}

static void nearest(scene* s) {
    vn_point out;
    double distance;
    const vn_dvec3 blocked = {0.5, 0.5, 0.5}, outside = {-5000, 3, 9};
    assert_int_equal(vn_space_nearest_free(s->space, blocked, INFINITY, &out, &distance), VN_OK);
    assert_int_equal(vn_space_nearest_free(s->space, outside, INFINITY, &out, &distance), VN_OK);
}

static void random_points(scene* s) {
    vn_point out;
    uint64_t random = 1;
    for (int i = 0; i < 100; ++i)
        assert_int_equal(vn_space_random_point(s->space, &random, &out), VN_OK);
}

static void reachable(scene* s) {
    assert_true(vn_space_reachable(s->space, s->start, s->goal));
    assert_true(vn_space_point_free(s->space, s->goal));
}

static void field(scene* s) {
    vn_field_request request = vn_default_field_request();
    double cost;
    uint64_t random = 1;
    vn_point out;
    request.source = s->start;
    assert_int_equal(vn_query_build_field(s->query, &request, NULL, NULL), VN_OK);
    assert_int_equal(vn_query_field_costs(s->query, &s->goal, 1, &cost), VN_OK);
    assert_int_equal(vn_query_field_random(s->query, &random, &out, NULL), VN_OK);
}

static void bake(scene* s) {
    const vn_space_def def = space_def(s);
    vn_space* space;
    assert_int_equal(vn_space_bake(s->world, &def, &space, NULL), VN_OK);
    vn_space_destroy(space);
}

/// A path from end to end is watched while an obstacle moves onto it.
static void watch(scene* s) {
    vn_nav_def def = vn_default_nav_def();
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    vn_nav* nav;
    vn_watch_id id;
    const vn_point points[2] = {s->start, s->goal};
    float low[3] = {0, 0, 0}, high[3] = {SIDE, SIDE, SIDE};
    low[s->axis] = (float)s->length / 2;
    high[s->axis] = low[s->axis] + 2;
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {vec_of(low), vec_of(high)}};
    def.space = space_def(s);
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_nav_create(world, &def, &nav, NULL), VN_OK);
    const vn_watch_def watch = vn_default_watch_def();
    assert_int_equal(vn_nav_watch_points(nav, points, 2, &watch, &id, NULL), VN_OK);

    assert_int_equal(vn_nav_add(nav, &box, 0, NULL, NULL), VN_OK);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);

    vn_nav_destroy(nav);
}

typedef struct query {
    const char* name;
    void (*run)(scene* s);
    double bound;
    bool empty_only; ///< elsewhere it would take too long for a test, or has nothing to show
} query;

static const query queries[] = {
    {"path fast", path_fast, LINEAR, false},
    {"path standard", path_standard, LINEAR, false},
    {"path best", path_best, LINEAR, false},
    {"path funnel", path_funnel, LINEAR, false},
    {"path clearance", path_clear, LINEAR, false},
    {"path zones", path_zones, LINEAR, false},
    {"path terms", path_terms, LINEAR, false},
    {"path grid", path_grid, LINEAR, true},
    {"check", check, LINEAR, false},
    {"passage", passage, FLAT, false}, // what takes the time counts for the budget
    {"wall", wall, LINEAR, false},     // the blocks up to the wall
    {"ray", ray, LINEAR, false},
    {"ray in a plane", ray_in_plane, LINEAR, false},
    {"sweep", sweep, LINEAR, false},
    {"nearest free", nearest, FLAT, false},
    {"random", random_points, FLAT, false},
    {"reachable", reachable, FLAT, false},
    {"field", field, LINEAR, false},
    {"bake", bake, LINEAR, false},
    {"watch", watch, LINEAR, true},
};

#define QUERIES (sizeof queries / sizeof queries[0])

// --------------------------------------------------------------------------------------------------- growing

static void check_growth(int axis, scenery what) {
    static const char* const names[SCENERIES] = {"empty", "gates", "pillars"};
    uint64_t counts[3][QUERIES];
    uint32_t faults = 0;
    for (int size = 0; size < 3; ++size) {
        scene s = make_scene(axis, SHORTEST << size, what);
        for (size_t i = 0; i < QUERIES; ++i) {
            if (queries[i].empty_only && what != EMPTY)
                continue;
            work = 0;
            queries[i].run(&s);
            counts[size][i] = work;
        }

        free_scene(&s);
    }

    for (size_t i = 0; i < QUERIES; ++i) {
        if (queries[i].empty_only && what != EMPTY)
            continue;
        const uint64_t* const n[3] = {&counts[0][i], &counts[1][i], &counts[2][i]};
        double first = (double)*n[1] / (double)*n[0], second = (double)*n[2] / (double)*n[1];
        bool fits = first * second <= queries[i].bound * queries[i].bound;
        faults += !fits;
        printf("%c %-8s %-16s %12llu  x %.2f  x %.2f%s\n", "xyz"[axis], names[what], queries[i].name,
               (unsigned long long)*n[0], first, second, fits ? "" : "  TOO FAST");
    }

    assert_int_equal(faults, 0);
}

static void test_x(void** state) {
    (void)state;
    for (int what = 0; what < SCENERIES; ++what)
        check_growth(0, (scenery)what);
}

static void test_y(void** state) {
    (void)state;
    for (int what = 0; what < SCENERIES; ++what)
        check_growth(1, (scenery)what);
}

static void test_z(void** state) {
    (void)state;
    for (int what = 0; what < SCENERIES; ++what)
        check_growth(2, (scenery)what);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_x), cmocka_unit_test(test_y),
                                       cmocka_unit_test(test_z)};
    return cmocka_run_group_tests_name("scaling", tests, NULL, NULL);
}
