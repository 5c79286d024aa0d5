/// Calls with positions: each is the call with points, at the nearest points of the lattice.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "space/space.h"
#include "volnav/nav.h"
#include "volnav/path.h"
#include "volnav/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    vnt_voxels voxels;
    vn_space* space;
    vn_query* query;
} place;

/// A random world, somewhere on a planet.
static place make_place(vni_rng* rng) {
    const vn_jobs jobs = vn_serial_jobs();
    const vn_query_def def = vn_default_query_def();
    place p = {.voxels = vnt_voxels_random(rng, vnt_random_dims(rng, 12))};
    p.voxels.blocked[0] = 0;
    p.space = vnt_voxels_cells(&p.voxels, &jobs);
    p.space->resolution = (float)(0.1 + vni_rng_real(rng));
    p.space->origin = (vn_dvec3){vni_rng_real(rng) * 1e6, -vni_rng_real(rng) * 1e5, 300};
    p.space->low = (vn_dvec3){-vni_rng_real(rng) * 100, 7, 0.25};
    assert_int_equal(vn_query_create(p.space, &def, &p.query, NULL), VN_OK);
    return p;
}

static void free_place(place* p) {
    vn_query_destroy(p->query);
    vn_space_destroy(p->space);
    vnt_voxels_free(&p->voxels);
}

/// A position a third of a step beside a lattice point that lies in the space, or a little beside it.
static vn_dvec3 near_point(vni_rng* rng, const place* p, vn_point* point) {
    const vn_voxel d = p->voxels.dims;
    *point =
        (vn_point){vni_rng_range(rng, -600, d.x * 1024 + 600), vni_rng_range(rng, -600, d.y * 1024 + 600),
                   vni_rng_range(rng, -600, d.z * 1024 + 600)};
    vn_dvec3 at = vn_space_point_to_world(p->space, *point);
    const double third = (double)p->space->resolution / 1024 / 3;
    at.x += third * vni_rng_range(rng, -1, 1);
    at.y += third * vni_rng_range(rng, -1, 1);
    at.z += third * vni_rng_range(rng, -1, 1);
    return at;
}

static bool is_same_hit(const vn_hit* a, const vn_hit* b) {
    return a->fraction == b->fraction && memcmp(&a->position, &b->position, sizeof a->position) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->leaves_space == b->leaves_space &&
           a->starts_blocked == b->starts_blocked && memcmp(&a->voxel, &b->voxel, sizeof a->voxel) == 0;
}

static void check_probes(vni_rng* rng, const place* p) {
    vn_point a, b, rounded;
    const vn_dvec3 from = near_point(rng, p, &a), to = near_point(rng, p, &b);
    const vn_space* s = p->space;
    const bool inside = vn_space_point_from_world(s, from, &rounded) == VN_OK;
    assert_true(!inside || memcmp(&a, &rounded, sizeof a) == 0);
    assert_int_equal(vn_space_position_free(s, from), vn_space_point_free(s, a));
    assert_int_equal(vn_space_visible_positions(s, from, to), vn_space_visible(s, a, b));
    assert_int_equal(vn_space_reachable_positions(s, from, to), vn_space_reachable(s, a, b));

    for (int i = 0; i < 2; ++i) {
        const float radius = 0.2f * (float)i;
        vn_hit hit, expected;
        assert_int_equal(vn_space_sweep_positions(s, NULL, from, to, radius, &hit),
                         vn_space_sweep(s, NULL, a, b, radius, &expected));
        assert_true(is_same_hit(&hit, &expected));
    }

    vn_wall wall, expected;
    const vn_status status = vn_space_nearest_wall_position(s, from, 5, &wall);
    assert_int_equal(status, inside ? vn_space_nearest_wall(s, a, 5, &expected) : VN_OUTSIDE);
    assert_true(status != VN_OK || wall.distance == expected.distance);

    vn_dvec3 nearest;
    vn_point point;
    double distance, same;
    assert_int_equal(vn_space_nearest_free_position(s, from, INFINITY, &nearest, &distance), VN_OK);
    assert_int_equal(vn_space_nearest_free(s, from, INFINITY, &point, &same), VN_OK);
    const vn_dvec3 at = vn_space_point_to_world(s, point);
    assert_true(distance == same && memcmp(&nearest, &at, sizeof at) == 0);
}

static void probes_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("positions", 71));
    for (uint32_t world = 0; world < vnt_scale(100, 2000); ++world) {
        place p = make_place(&rng);
        for (int i = 0; i < 20; ++i)
            check_probes(&rng, &p);

        uint64_t one = 3, two = 3;
        vn_dvec3 position;
        vn_point point;
        assert_int_equal(vn_space_random_position(p.space, &one, &position), VN_OK);
        assert_int_equal(vn_space_random_point(p.space, &two, &point), VN_OK);
        const vn_dvec3 at = vn_space_point_to_world(p.space, point);
        assert_true(one == two && memcmp(&position, &at, sizeof at) == 0);
        free_place(&p);
    }
}

/// A ray may end far beyond what the lattice reaches: it stops where a short one stops.
static void rays_may_be_long(void** state) {
    (void)state;
    vnt_voxels voxels = vnt_voxels_make((vn_voxel){16, 16, 16});
    vnt_voxels_block(&voxels, 12, 8, 8);
    vn_space* space = vnt_voxels_space(&voxels);
    const vn_dvec3 from = {4.5, 8.5, 8.5};
    vn_hit hit;
    for (double length = 10; length < 1e300; length *= 1000) {
        assert_true(vn_space_raycast_positions(space, NULL, from, (vn_dvec3){4.5 + length, 8.5, 8.5}, &hit));
        assert_int_equal(hit.voxel.x, 12);
        assert_true(fabs(hit.fraction * length - 7.5) < 1e-6);
        assert_true(fabs(hit.position.x - 12) < 1e-9);
        const vn_dvec3 up = {4.5 + length / 2, 8.5 + length, 8.5};
        assert_true(vn_space_raycast_positions(space, NULL, from, up, &hit));
        assert_true(hit.leaves_space && fabs(hit.position.y - 16) < 1e-6 &&
                    fabs(hit.position.x - 8.25) < 1e-3);
    }

    // Ends that are nowhere.
    const vn_dvec3 bad[2] = {{NAN, 8, 8}, {8, INFINITY, 8}};
    for (int i = 0; i < 2; ++i) {
        assert_true(vn_space_raycast_positions(space, NULL, from, bad[i], &hit));
        assert_true(hit.leaves_space && !hit.starts_blocked && hit.fraction == 0);
        assert_true(vn_space_raycast_positions(space, NULL, bad[i], from, &hit));
        assert_true(hit.leaves_space && hit.starts_blocked);
    }

    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// ------------------------------------------------------------------------------------------------ requests

static bool is_same_position(vn_dvec3 a, vn_dvec3 b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_path_positions(const place* p) {
    uint32_t count, positions;
    const vn_point* points = vn_query_points(p->query, &count);
    vn_dvec3* out = calloc(count + 1, sizeof *out);
    assert_non_null(out);
    assert_int_equal(vn_query_get_positions(p->query, out, count, &positions), VN_OK);
    assert_int_equal(positions, count);
    for (uint32_t i = 0; i < count; ++i)
        assert_true(is_same_position(out[i], vn_space_point_to_world(p->space, points[i])));

    memset(out, 0, (count + 1) * sizeof *out);
    if (count > 0) {
        assert_int_equal(vn_query_get_positions(p->query, out, count - 1, &positions), VN_CAPACITY);
        assert_int_equal(positions, count);
        assert_true(is_same_position(out[count - 1], (vn_dvec3){0, 0, 0}));
    }

    free(out);
}

typedef struct buffer {
    unsigned char* bytes;
    size_t size, capacity;
} buffer;

static bool append(void* user, const void* data, size_t size) {
    buffer* b = user;
    if (b->size + size > b->capacity)
        return false;
    memcpy(b->bytes + b->size, data, size);
    b->size += size;
    return true;
}

/// The record of a request in positions replays as the points that it was searched as.
static void check_record(const place* p, const vn_path_request* request, const vn_path_result* result) {
    buffer b = {malloc(1 << 20), 0, 1 << 20};
    assert_non_null(b.bytes);
    const vn_sink sink = {append, &b};
    const vn_store_def def = vn_default_store_def();
    const vn_load_def load = vn_default_load_def();
    vn_path_request other = *request;
    vn_record* record = NULL;
    vn_replay replay;
    other.goal_position.x += 1;
    assert_int_equal(vn_record_write(p->query, &other, result, &def, NULL, &sink, NULL), VN_BAD_ARGUMENT);
    assert_int_equal(vn_record_write(p->query, request, result, &def, NULL, &sink, NULL), VN_OK);
    assert_int_equal(vn_record_read(b.bytes, b.size, &load, &record, NULL), VN_OK);
    assert_int_equal(vn_record_replay(record, NULL, &replay, NULL), VN_OK);
    assert_true(replay.same);
    vn_record_destroy(record);
    free(b.bytes);
}

static void check_request(vni_rng* rng, const place* p) {
    vn_path_request request = vn_default_path_request(), lattice;
    vn_path_result result, expected;
    lattice = request;
    request.use_positions = true;
    request.start_position = near_point(rng, p, &lattice.start);
    request.goal_position = near_point(rng, p, &lattice.goal);
    request.snap_distance = lattice.snap_distance = vni_rng_real(rng) * 2;
    const vn_status status = vn_query_find_path(p->query, &lattice, &expected, NULL);
    assert_int_equal(vn_query_find_path(p->query, &request, &result, NULL), status);

    // All but where the legs begin and end, which is exact in one form and on the lattice in the other.
    result.start_leg.from = expected.start_leg.from;
    result.goal_leg.to = expected.goal_leg.to;
    assert_memory_equal(&result.start, &expected.start, sizeof result.start);
    assert_memory_equal(&result.goal, &expected.goal, sizeof result.goal);
    assert_true(result.length == expected.length && result.expanded == expected.expanded);
    assert_true(is_same_position(result.start_position, vn_space_point_to_world(p->space, result.start)));
    assert_true(is_same_position(result.goal_position, vn_space_point_to_world(p->space, result.goal)));
    if (result.has_nearest)
        assert_true(
            is_same_position(result.nearest_position, vn_space_point_to_world(p->space, result.nearest)));

    check_path_positions(p);
    check_record(p, &request, &result);
}

static void requests_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("positions of requests", 72));
    for (uint32_t world = 0; world < vnt_scale(60, 1000); ++world) {
        place p = make_place(&rng);
        for (int i = 0; i < 8; ++i)
            check_request(&rng, &p);
        free_place(&p);
    }
}

/// A position beyond the lattice is outside, and comes back as it was given.
static void positions_may_be_anywhere(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(73);
    place p = make_place(&rng);
    const vn_dvec3 far[3] = {{1e30, 0, 0}, {NAN, 0, 0}, {0, -INFINITY, 0}};
    for (int i = 0; i < 3; ++i) {
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.use_positions = true;
        request.start_position = far[i];
        request.snap_distance = INFINITY;
        assert_int_equal(vn_query_find_path(p.query, &request, &result, NULL), VN_OUTSIDE);
        assert_int_equal(result.end, VN_END_START);
        assert_true(is_same_position(result.start_position, far[i]));
    }

    // Set, but not asked for: most likely a mistake.
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.goal_position = (vn_dvec3){0, 0, 0};
    assert_int_equal(vn_query_find_path(p.query, &request, &result, NULL), VN_BAD_ARGUMENT);
    free_place(&p);
}

// ------------------------------------------------------------------------------------------------------ nav

static vn_nav_result run_request(vn_nav* nav, const vn_nav_request* request) {
    vn_request_id id;
    vn_nav_result result;
    assert_int_equal(vn_nav_submit(nav, request, &id, NULL), VN_OK);
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
        if (vn_nav_next_result(nav, &result))
            return result;
    }

    fail_msg("no result");
    return result;
}

/// A wall with a way around it: three points or more.
static vn_nav* wall_nav(uint32_t max_points) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world = NULL;
    const vn_shape wall = {.kind = VN_SHAPE_BOX, .as.box = {{8, 0, 0}, {9, 16, 12}}};
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, &wall, NULL, NULL), VN_OK);
    vn_nav_def def = vn_default_nav_def();
    vn_nav* nav = NULL;
    def.max_points = max_points;
    def.space.has_bounds = true;
    def.space.bounds = (vn_box){{0, 0, 0}, {16, 16, 16}};
    assert_int_equal(vn_nav_create(world, &def, &nav, NULL), VN_OK);
    return nav;
}

static void navs_take_and_give_positions(void** state) {
    (void)state;
    vn_nav_request request = vn_default_nav_request();
    request.path.use_positions = true;
    request.path.start_position = (vn_dvec3){2.25, 8, 2};
    request.path.goal_position = (vn_dvec3){14, 8, 2.5};

    vn_nav* nav = wall_nav(64);
    vn_nav_result result = run_request(nav, &request);
    vn_dvec3 path[8];
    uint32_t count;
    assert_int_equal(result.result.status, VN_OK);
    assert_int_equal(vn_nav_get_positions(nav, &result, path, 8, &count), VN_OK);
    assert_true(count > 2 && count == result.point_count);
    assert_true(is_same_position(path[0], request.path.start_position));
    assert_true(is_same_position(path[count - 1], request.path.goal_position));
    assert_int_equal(vn_nav_get_positions(nav, &result, path, 2, &count), VN_CAPACITY);
    const uint32_t needed = result.point_count;
    vn_nav_release_result(nav, result.id);
    assert_int_equal(vn_nav_get_positions(nav, &result, path, 8, &count), VN_STALE_ID);
    assert_int_equal(count, 0);
    vn_nav_destroy(nav);

    // Too few points: the result says how many the path has.
    nav = wall_nav(2);
    result = run_request(nav, &request);
    assert_int_equal(result.result.status, VN_CAPACITY);
    assert_int_equal(result.result.needed_points, needed);
    assert_int_equal(vn_nav_get_positions(nav, &result, path, 8, &count), VN_OK);
    assert_int_equal(count, 0);
    vn_nav_destroy(nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probes_agree),
        cmocka_unit_test(rays_may_be_long),
        cmocka_unit_test(requests_agree),
        cmocka_unit_test(positions_may_be_anywhere),
        cmocka_unit_test(navs_take_and_give_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
