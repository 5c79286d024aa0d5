/// nav: watched paths at the ends of the largest spaces, and with points anywhere in int32_t.
#include "scene.h"

static vn_nav* start(const vn_box* bounds, float resolution) {
    const vn_world_def world_def = vn_default_world_def();
    vn_nav_def def = vn_default_nav_def();
    def.policy = VN_UPDATE_LAST_MOMENT;
    def.max_points = 8;
    def.max_requests = 2;
    def.max_watches = 2;
    def.space.resolution = resolution;
    def.space.has_bounds = true;
    def.space.bounds = *bounds;
    vn_world* world;
    vn_nav* nav;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_nav_create(world, &def, &nav, NULL), VN_OK);

    return nav;
}

static uint32_t pending(const vn_nav* nav) {
    vn_nav_stats stats;
    vn_nav_get_stats(nav, &stats);
    return stats.pending_changes;
}

static uint32_t count_blocked(vn_nav* nav) {
    vn_nav_event event;
    uint32_t count = 0;
    while (vn_nav_next_event(nav, &event))
        count += event.kind == VN_EVENT_PATH_BLOCKED;
    return count;
}

// ------------------------------------------------------------------------------------ the largest spaces

static vn_point on_axis(int axis, int32_t along) {
    vn_point p = {VN_LATTICE, VN_LATTICE, VN_LATTICE};
    *(axis == 0 ? &p.x : axis == 1 ? &p.y : &p.z) = along;
    return p;
}

static vn_box slab(int axis, float low, float high, float width) {
    vn_box box = {{0, 0, 0}, {width, width, width}};
    *(axis == 0 ? &box.min.x : axis == 1 ? &box.min.y : &box.min.z) = low;
    *(axis == 0 ? &box.max.x : axis == 1 ? &box.max.y : &box.max.z) = high;
    return box;
}

/// A wall falls on a watched path at `voxel`, in a space that begins at `low` metres: the next tick reports
/// it.
static void wall_at(int axis, float low, int32_t voxel) {
    const float size = 0.5f;
    const int32_t dim = 1 << 20;
    const vn_box bounds = slab(axis, low, low + size * (float)dim, 1);
    const float metres = low + size * (float)voxel;
    const int32_t first = voxel < 20 ? 0 : voxel - 20, last = voxel > dim - 20 ? dim : voxel + 20;
    const vn_point path[2] = {on_axis(axis, first * VN_LATTICE + 1), on_axis(axis, last * VN_LATTICE - 1)};
    vn_nav* nav = start(&bounds, size);
    vn_watch_id watch;
    assert_int_equal(scene_watch(nav, path, 2, &watch), VN_OK);
    assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
    assert_int_equal(count_blocked(nav), 0);

    const vn_box wall = slab(axis, metres, metres + size, 1);
    const vn_shape shape = vnt_box_shape(wall.min, wall.max);
    assert_int_equal(vn_nav_add(nav, &shape, 0, NULL, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
    assert_int_equal(pending(nav), 0);
    assert_int_equal(count_blocked(nav), 1);
    vn_nav_destroy(nav);
}

static void test_largest_spaces(void** state) {
    (void)state;
    static const int32_t voxels[] = {0, 1, 999999, 1000001, 1030000, (1 << 20) - 2, (1 << 20) - 1};
    for (uint32_t i = 0; i < sizeof voxels / sizeof *voxels; ++i) {
        wall_at(0, 0, voxels[i]);
        wall_at(0, -500000, voxels[i]);
    }

    wall_at(1, 0, 1030000);
    wall_at(2, 0, 1030000);
}

// ------------------------------------------------------------------------------------- points anywhere

static int32_t extreme(vni_rng* rng) {
    static const int32_t some[] = {INT32_MIN, INT32_MIN + 1, INT32_MIN / 2, -4096,         -1,       0,
                                   1,         4096,          INT32_MAX / 2, INT32_MAX - 1, INT32_MAX};
    const uint32_t count = sizeof some / sizeof *some, pick = vni_rng_below(rng, count + 4);
    if (pick < count)
        return some[pick];
    return pick < count + 2 ? vni_rng_range(rng, 0, 8 * VN_LATTICE) : (int32_t)(uint32_t)vni_rng_next(rng);
}

/// The fraction of the segment that lies in the cube from `low` to `high`; below 0: the fraction by which it
/// misses the cube.
static double overlap(vn_point a, vn_point b, double low, double high) {
    const double from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    double enter = 0, leave = 1;
    for (int i = 0; i < 3; ++i) {
        const double delta = to[i] - from[i];
        double first = (low - from[i]) / delta, last = (high - from[i]) / delta;
        if (delta == 0) {
            first = from[i] < low || from[i] > high ? 2 : 0;
            last = 1;
        }

        enter = fmax(enter, fmin(first, last));
        leave = fmin(leave, fmax(first, last));
    }

    return leave - enter;
}

/// Last moment: an update takes a change exactly if it touches a watched path: a box from 1 to 3 metres
/// reaches from voxel 0 to voxel 4, its faces and those of the voxels included.
static void test_points_anywhere(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("nav far watches", 5));
    const vn_box bounds = {{0, 0, 0}, {8, 8, 8}};
    const vn_shape box = vnt_box_shape(vnt_vec(1, 1, 1), vnt_vec(3, 3, 3));

    uint32_t met = 0, missed = 0;
    for (uint32_t i = 0; i < vnt_scale(300, 20000); ++i) {
        vn_point points[3];
        for (uint32_t k = 0; k < 3; ++k)
            points[k] = (vn_point){extreme(&rng), extreme(&rng), extreme(&rng)};

        vn_nav* nav = start(&bounds, 1);
        vn_watch_id watch;
        assert_int_equal(scene_watch(nav, points, 3, &watch), VN_OK);
        assert_int_equal(vn_nav_add(nav, &box, 0, NULL, NULL), VN_OK);
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);

        const double high = 4 * VN_LATTICE;
        const double most =
            fmax(overlap(points[0], points[1], 0, high), overlap(points[1], points[2], 0, high));
        if (most > 1e-12 || most < -1e-12)
            assert_int_equal(pending(nav), most > 0 ? 0 : 1);

        met += most > 1e-12;
        missed += most < -1e-12;
        (void)count_blocked(nav);
        vn_nav_destroy(nav);
    }

    assert_true(met > 20);
    assert_true(missed > 20);
}

/// The reported point of a path that leaves the space lies on the path.
static void test_far_event(void** state) {
    (void)state;
    const vn_box bounds = {{0, 0, 0}, {8, 8, 8}};
    const vn_point inside = {512, 512, 512};
    const vn_point far_away[3] = {
        {INT32_MAX, 512, 512}, {INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MIN}};

    for (uint32_t i = 0; i < 3; ++i) {
        const vn_point path[2] = {inside, far_away[i]};
        vn_nav* nav = start(&bounds, 1);
        vn_watch_id watch;
        vn_nav_event event = {.kind = VN_EVENT_VERSION};
        assert_int_equal(scene_watch(nav, path, 2, &watch), VN_OK);
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
        assert_true(vn_nav_next_event(nav, &event));
        assert_true(event.kind == VN_EVENT_PATH_BLOCKED);
        assert_true(event.watch == watch);
        assert_true(event.segment == 0);
        const int32_t most = 8 * VN_LATTICE;
        assert_true(event.point.x >= 0);
        assert_true(event.point.x <= most);
        assert_true(event.point.y >= 0);
        assert_true(event.point.y <= most);
        assert_true(event.point.z >= 0);
        assert_true(event.point.z <= most);
        vn_nav_destroy(nav);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_largest_spaces),
        cmocka_unit_test(test_points_anywhere),
        cmocka_unit_test(test_far_event),
    };
    return cmocka_run_group_tests_name("nav/far_watches", tests, NULL, NULL);
}
