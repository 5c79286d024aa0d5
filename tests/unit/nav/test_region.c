/// nav with a seed: what is not connected with it is closed, as in a bake with that seed, in every version.
#include "scene.h"

#include "space/space.h"
#include "tests/unit/store/files.h"
#include "volnav/store.h"

#include <stdio.h>

#define BOXES 24

/// Walls that divide a small space at random, and boxes that move in it.
typedef struct maze {
    vn_nav* nav;
    vn_obstacle_id boxes[BOXES];
    vni_rng rng;
} maze;

static vn_nav_def maze_def(void) {
    vn_nav_def def = vn_default_nav_def();
    def.space.has_bounds = true;
    def.space.bounds = (vn_box){{0, 0, 0}, {70, 24, 20}};
    def.space.has_seed = true;
    def.space.seed = vnt_vec(10.5f, 10.5f, 10.5f);
    def.layer_count = 2;
    def.layers[1].radius = 1;
    return def;
}

static vn_transform maze_transform(vni_rng* rng) {
    return scene_at((float)vni_rng_range(rng, 0, 70), (float)vni_rng_range(rng, 0, 24),
                    (float)vni_rng_range(rng, 0, 20));
}

/// A wall across the space with a hole that a box can close.
static void add_wall(vn_world* world, float x) {
    const vn_box parts[] = {{{x, 0, 0}, {x + 1, 10, 20}},
                            {{x, 13, 0}, {x + 1, 24, 20}},
                            {{x, 10, 0}, {x + 1, 13, 9}},
                            {{x, 10, 12}, {x + 1, 13, 20}}};
    for (uint32_t i = 0; i < 4; ++i) {
        const vn_shape shape = vnt_box_shape(parts[i].min, parts[i].max);
        assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    }
}

static vn_world* maze_world(maze* m, uint64_t seed) {
    const vn_world_def def = vn_default_world_def();
    vn_world* world;
    memset(m, 0, sizeof *m);
    m->rng = vni_rng_make(seed);
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    for (uint32_t i = 0; i < 4; ++i)
        add_wall(world, 15 + 13 * (float)i);

    for (uint32_t i = 0; i < BOXES; ++i) {
        const vn_shape shape = vnt_box_shape(vnt_vec(-2, -2, -2), vnt_vec(2, 2, 2));
        const vn_transform transform = scene_at(60, 3, 3);
        assert_int_equal(vn_world_add_moving(world, &shape, &transform, &m->boxes[i], NULL), VN_OK);
    }
    return world;
}

/// Some boxes close holes, some stand about.
static void move_boxes(maze* m) {
    for (uint32_t i = 0; i < 6; ++i) {
        vn_transform transform = maze_transform(&m->rng);
        if (vni_rng_below(&m->rng, 2))
            transform = scene_at(15.5f + 13 * (float)vni_rng_below(&m->rng, 4), 11.5f, 10.5f);
        const uint32_t which = vni_rng_below(&m->rng, BOXES);
        assert_int_equal(vn_nav_move(m->nav, m->boxes[which], &transform, NULL), VN_OK);
    }
}

/// The world as it is now.
static vn_world* copy_world(const maze* m, uint64_t seed) {
    maze twin;
    vn_world* world = maze_world(&twin, seed);
    for (uint32_t i = 0; i < BOXES; ++i) {
        vn_transform transform;
        assert_int_equal(vn_nav_get_transform(m->nav, m->boxes[i], &transform), VN_OK);
        assert_int_equal(vn_world_move(world, twin.boxes[i], &transform, NULL), VN_OK);
    }
    return world;
}

typedef struct counts {
    uint32_t covered, closed, open, nearest, drawn, paths, refused;
} counts;

static vn_point some_point(vni_rng* rng) {
    vn_point p = {vni_rng_range(rng, 0, 70 * VN_LATTICE), vni_rng_range(rng, 0, 24 * VN_LATTICE),
                  vni_rng_range(rng, 0, 20 * VN_LATTICE)};
    if (vni_rng_below(rng, 3) == 0) // on a face, an edge or a corner
        p = (vn_point){p.x & ~(VN_LATTICE - 1), p.y & ~(VN_LATTICE - 1), p.z};
    return p;
}

/// Points of a version are free where those of a bake with the seed are, and the nearest ones are the same.
static void check_points(maze* m, const vn_space* space, const vn_space* expected, counts* out) {
    for (uint32_t i = 0; i < 200; ++i) {
        const vn_point p = some_point(&m->rng);
        const bool is_free = vn_space_point_free(expected, p);
        assert_int_equal(vn_space_point_free(space, p), is_free);
        ++*(is_free ? &out->open : &out->closed);
        if (i % 10 != 0)
            continue;

        vn_point a, b;
        double from_a, from_b;
        const vn_dvec3 at = vn_space_point_to_world(space, p);
        const double most = vni_rng_below(&m->rng, 2) ? HUGE_VAL : 5;
        const vn_status status = vn_space_nearest_free(expected, at, most, &b, &from_b);
        assert_int_equal(vn_space_nearest_free(space, at, most, &a, &from_a), status);
        if (status == VN_OK) {
            assert_memory_equal(&a, &b, sizeof a);
            assert_true(from_a == from_b);
            out->nearest += from_a > 0;
        }
    }
}

static void check_random(maze* m, const vn_space* space, const vn_space* expected, counts* out) {
    for (uint32_t i = 0; i < 50; ++i) {
        vn_point p;
        uint64_t random = vni_rng_next(&m->rng);
        const vn_status status = vn_space_random_point(space, &random, &p);
        vn_space_info info;
        vn_space_get_info(expected, &info);
        assert_int_equal(status, info.free_voxels > 0 ? VN_OK : VN_NOT_FOUND);
        if (status == VN_OK) {
            assert_true(vn_space_point_free(expected, p));
            ++out->drawn;
        }
    }
}

/// Requests end as in a bake with the seed.
static void check_request(maze* m, const vn_layers* expected, counts* out) {
    vn_nav_request request = vn_default_nav_request();
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_path_result result;
    vn_nav_result got;
    vn_request_id id;
    request.path.start = some_point(&m->rng);
    request.path.goal = some_point(&m->rng);
    request.path.radius = (float)vni_rng_below(&m->rng, 2);
    request.path.snap_distance = vni_rng_below(&m->rng, 2) ? 3 : 0;
    def.scratch = VN_SCRATCH_CELLS;

    assert_int_equal(vn_nav_submit(m->nav, &request, &id, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(m->nav, NULL), VN_OK);
    assert_true(vn_nav_next_result(m->nav, &got));
    assert_int_equal(vn_query_create_layers(expected, &def, &query, NULL), VN_OK);
    (void)vn_query_find_path(query, &request.path, &result, NULL);
    assert_int_equal(got.result.status, result.status);
    assert_true(got.result.passing_radius == result.passing_radius);
    if (result.status == VN_OK) {
        assert_memory_equal(&got.result.start, &result.start, sizeof result.start);
        assert_memory_equal(&got.result.goal, &result.goal, sizeof result.goal);
        assert_true(fabs(got.result.length - result.length) <= 0.15 * result.length + 1e-9);
    }

    ++*(result.status == VN_OK ? &out->paths : &out->refused);
    vn_query_destroy(query);
    vn_nav_release_result(m->nav, id);
}

/// Compares the newest version with a bake; where the seed is covered there is none to compare with.
static void check_version(maze* m, const vn_nav_def* def, uint64_t seed, counts* out) {
    vn_world* world = copy_world(m, seed);
    vn_layers* expected;
    const vn_status status =
        vn_layers_bake(world, &def->space, def->layers, def->layer_count, &expected, NULL);
    vn_world_destroy(world);
    if (status != VN_OK) {
        assert_int_equal(status, VN_BLOCKED);
        ++out->covered;
        return;
    }

    bool whole = true;
    for (uint32_t i = 0; i < 2; ++i) {
        uint64_t version;
        vn_space_info info;
        const vn_space* space = vn_nav_pin(m->nav, i, 0, &version);
        vn_space_get_info(vn_layers_space(expected, i), &info);
        whole = whole && info.free_voxels > 0;
        if (info.free_voxels > 0) {
            check_points(m, space, vn_layers_space(expected, i), out);
            check_random(m, space, vn_layers_space(expected, i), out);
        }
        assert_int_equal(vn_nav_unpin(m->nav, version), VN_OK);
    }

    for (uint32_t i = 0; whole && i < 5; ++i)
        check_request(m, expected, out);
    vn_layers_destroy(expected);
}

static void test_same_as_bake(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("nav region", 1);
    vn_nav_def def = maze_def();
    counts all = {0};
    for (uint32_t round = 0; round < vnt_scale(4, 100); ++round) {
        maze m;

        // behind several holes: the label of its component changes when they are closed
        def.space.seed.x = round % 2 ? 64.5f : 10.5f;
        vn_world* world = maze_world(&m, seed + round);
        assert_int_equal(vn_nav_create(world, &def, &m.nav, NULL), VN_OK);
        for (uint32_t i = 0; i < 25; ++i) {
            move_boxes(&m);
            assert_int_equal(vn_nav_tick(m.nav, NULL), VN_OK);
            check_version(&m, &def, seed + round, &all);
        }
        vn_nav_destroy(m.nav);
    }

    printf("%u closed, %u open, %u nearest, %u drawn, %u paths, %u refused, %u covered\n", all.closed,
           all.open, all.nearest, all.drawn, all.paths, all.refused, all.covered);
    assert_true(all.closed > 0 && all.open > 0 && all.nearest > 0 && all.drawn > 0 && all.paths > 0 &&
                all.refused > 0);
}

/// A box over the seed does not close the nav: the free voxel beside it takes the place of the seed. Where
/// nothing is free, nothing is found.
static void test_covered_seed(void** state) {
    (void)state;
    maze m;
    const vn_nav_def def = maze_def();
    vn_world* world = maze_world(&m, 1);
    assert_int_equal(vn_nav_create(world, &def, &m.nav, NULL), VN_OK);
    const vn_transform over = scene_at(10.5f, 10.5f, 10.5f);
    uint64_t version, random = 1;
    vn_point point;
    assert_int_equal(vn_nav_move(m.nav, m.boxes[0], &over, NULL), VN_OK);
    for (uint32_t i = 0; i < 4; ++i) { // and the first hole is closed: there is an inside and an outside
        const vn_transform hole = scene_at(15.5f + 13 * (float)i, 11.5f, 10.5f);
        assert_int_equal(vn_nav_move(m.nav, m.boxes[1 + i], &hole, NULL), VN_OK);
    }

    assert_int_equal(vn_nav_tick(m.nav, NULL), VN_OK);
    const vn_space* space = vn_nav_pin(m.nav, 0, 0, &version);
    assert_false(vn_space_point_free(space, scene_point(10, 10, 10)));
    assert_true(vn_space_point_free(space, scene_point(3, 3, 3)));
    assert_false(vn_space_point_free(space, scene_point(20, 10, 10)));
    assert_true(vn_space_voxel_free(space, (vn_voxel){20, 10, 10}));

    const vn_shape all = vnt_box_shape(vnt_vec(-1, -1, -1), vnt_vec(80, 30, 30));
    assert_int_equal(vn_nav_add(m.nav, &all, 0, NULL, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(m.nav, NULL), VN_OK);
    space = vn_nav_pin(m.nav, 0, 0, &version);
    assert_int_equal(vn_space_random_point(space, &random, &point), VN_NOT_FOUND);
    vn_nav_destroy(m.nav);
}

/// Zones alone make a version that shares its spaces: their regions stay as they are.
static void test_zone_version(void** state) {
    (void)state;
    maze m;
    const vn_nav_def def = maze_def();
    vn_world* world = maze_world(&m, 1);
    vn_zone_def zone = vn_default_zone_def();
    uint64_t version;
    zone.shape = vnt_sphere_shape(vnt_vec(4, 4, 4), 2);
    zone.factor = 3;
    assert_int_equal(vn_nav_create(world, &def, &m.nav, NULL), VN_OK);
    const uint32_t region = vn_nav_pin(m.nav, 0, 0, &version)->region;
    assert_int_equal(vn_nav_add_zone(m.nav, &zone, NULL, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(m.nav, NULL), VN_OK);
    assert_int_equal(vn_nav_pin(m.nav, 0, 0, &version)->region, region);
    assert_true(version == 2 && region != 0);
    vn_nav_destroy(m.nav);
}

/// A file keeps the region, for queries and replays; a nav that is made from it takes that of its own seed.
static void test_file(void** state) {
    (void)state;
    maze m, other;
    vn_nav_def def = maze_def();
    vn_world* world = maze_world(&m, 1);
    assert_int_equal(vn_nav_create(world, &def, &m.nav, NULL), VN_OK);
    const vn_transform hole = scene_at(15.5f, 11.5f, 10.5f);
    assert_int_equal(vn_nav_move(m.nav, m.boxes[0], &hole, NULL), VN_OK);
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    vn_nav_result result;
    request.path.radius = 0;
    request.path.start = scene_point(3, 3, 3);
    request.path.goal = scene_point(20, 3, 3);
    assert_int_equal(vn_nav_tick(m.nav, NULL), VN_OK);
    assert_int_equal(vn_nav_submit(m.nav, &request, &id, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(m.nav, NULL), VN_OK);
    assert_true(vn_nav_next_result(m.nav, &result));
    assert_int_equal(result.result.status, VN_GOAL_BLOCKED);

    const vn_store_def store = vn_default_store_def();
    const vn_load_def load = vn_default_load_def();
    vnt_file record_file = vnt_file_make(), file = vnt_file_make();
    vn_sink sink = vnt_file_sink(&record_file);
    vn_record* record;
    vn_replay replay;
    assert_int_equal(vn_nav_write_record(m.nav, id, &store, NULL, &sink, NULL), VN_OK);
    assert_int_equal(vn_record_read(record_file.data, record_file.size, &load, &record, NULL), VN_OK);
    assert_int_equal(vn_record_replay(record, NULL, &replay, NULL), VN_OK);
    assert_true(replay.same);
    vn_record_destroy(record);

    vn_layers* layers;
    sink = vnt_file_sink(&file);
    assert_int_equal(vn_nav_write(m.nav, &store, NULL, &sink, NULL), VN_OK);
    assert_int_equal(vn_layers_read(file.data, file.size, &load, &layers, NULL), VN_OK);
    assert_true(vn_space_point_free(vn_layers_space(layers, 0), request.path.start));
    assert_false(vn_space_point_free(vn_layers_space(layers, 0), request.path.goal));

    uint64_t version;
    world = copy_world(&m, 1);
    def.space.seed = vnt_vec(20.5f, 3.5f, 3.5f);
    assert_int_equal(vn_nav_create_baked(world, layers, &def, &other.nav, NULL), VN_OK);
    const vn_space* space = vn_nav_pin(other.nav, 0, 0, &version);
    assert_false(vn_space_point_free(space, request.path.start));
    assert_true(vn_space_point_free(space, request.path.goal));
    vn_nav_destroy(other.nav);
    vn_layers_destroy(layers);
    vn_nav_destroy(m.nav);
    vnt_file_free(&record_file);
    vnt_file_free(&file);
}

static void test_refused(void** state) {
    (void)state;
    maze m;
    vn_nav_def def = maze_def();
    vn_detail detail;
    vn_world* world = maze_world(&m, 1);
    def.space.seed = vnt_vec(100, 3, 3);
    assert_int_equal(vn_nav_create(world, &def, &m.nav, &detail), VN_OUTSIDE);
    def.space.seed = vnt_vec(15.5f, 3, 3); // in a wall
    assert_int_equal(vn_nav_create(world, &def, &m.nav, &detail), VN_BLOCKED);
    assert_non_null(strstr(detail.text, "seed"));
    vn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_bake), cmocka_unit_test(test_covered_seed),
        cmocka_unit_test(test_zone_version), cmocka_unit_test(test_file),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests_name("nav/region", tests, NULL, NULL);
}
