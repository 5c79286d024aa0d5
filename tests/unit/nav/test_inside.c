/// nav: agents that are obstacles themselves: their requests start inside their own bodies, and their watches
/// do not report them. Each answer is compared with a query on a mirror of the world, whose footprints are
/// found in another way, and with a world without the bodies.
#include "scene.h"

#include "volnav/path.h"

#define BODIES 3
#define OTHERS 5

/// A nav, and a world that gets the same calls.
typedef struct mirror {
    vni_rng rng;
    vn_nav* nav;
    vn_world* world;
    vn_obstacle_id ids[BODIES + OTHERS];
    vn_transform at[BODIES + OTHERS];
    float radius;
} mirror;

static const vn_box bounds = {{0, 0, 0}, {24, 16, 16}};

static vn_shape shape_of(uint32_t i) {
    if (i % 3 == 1)
        return vnt_sphere_shape(vnt_vec(0, 0, 0), 2.25f);
    const float half = i < BODIES ? 2 : 1.5f + (float)(i % 2);
    return vnt_box_shape(vnt_vec(-half, -half, -2), vnt_vec(half, half, 2));
}

static vn_transform random_transform(mirror* m) {
    vn_transform t = vn_transform_identity();
    t.position = vnt_vec((float)vni_rng_below(&m->rng, 48) / 2, (float)vni_rng_below(&m->rng, 32) / 2,
                         (float)vni_rng_below(&m->rng, 32) / 2);
    return t;
}

static vn_world* make_world(void) {
    const vn_world_def def = vn_default_world_def();
    const vn_shape wall = vnt_box_shape(vnt_vec(11, 0, 0), vnt_vec(12, 16, 9));
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    assert_int_equal(vn_world_add(world, &wall, NULL, NULL), VN_OK);
    return world;
}

static vn_space_def space_def(const mirror* m) {
    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds = bounds;
    def.radius = m->radius;
    return def;
}

static void tick(mirror* m) {
    assert_int_equal(vn_nav_tick(m->nav, NULL), VN_OK);
}

static mirror make_mirror(uint64_t seed, uint32_t workers) {
    mirror m = {.rng = vni_rng_make(seed)};
    m.radius = vni_rng_below(&m.rng, 2) ? 1 : 0;
    m.world = make_world();
    vn_nav_def def = vn_default_nav_def();
    def.mode = VN_NAV_LOCKSTEP;
    def.workers = workers;
    def.space = space_def(&m);
    def.layers[0].radius = m.radius;
    assert_int_equal(vn_nav_create(make_world(), &def, &m.nav, NULL), VN_OK);
    for (uint32_t i = 0; i < BODIES + OTHERS; ++i) {
        const vn_shape shape = shape_of(i);
        vn_obstacle_id id;
        m.at[i] = random_transform(&m);
        assert_int_equal(vn_world_add_moving(m.world, &shape, &m.at[i], &m.ids[i], NULL), VN_OK);
        assert_int_equal(vn_nav_add_moving(m.nav, &shape, &m.at[i], i < BODIES ? VN_FLAG_BODY : 0, &id, NULL),
                         VN_OK);
        assert_memory_equal(&id, &m.ids[i], sizeof id);
    }

    return m;
}

static void free_mirror(mirror* m) {
    vn_nav_destroy(m->nav);
    vn_world_destroy(m->world);
}

/// Moves some, also onto each other: two may change places, which changes no voxel.
static void move_some(mirror* m) {
    for (uint32_t n = 1 + vni_rng_below(&m->rng, 3); n > 0; --n) {
        const uint32_t i = vni_rng_below(&m->rng, BODIES + OTHERS),
                       k = vni_rng_below(&m->rng, BODIES + OTHERS);
        const bool swaps = vni_rng_below(&m->rng, 3) == 0;
        const vn_transform old = m->at[i];
        m->at[i] = swaps || vni_rng_below(&m->rng, 4) == 0 ? m->at[k] : random_transform(m);
        if (swaps)
            m->at[k] = old;
    }

    for (uint32_t i = 0; i < BODIES + OTHERS; ++i) {
        assert_int_equal(vn_nav_move(m->nav, m->ids[i], &m->at[i], NULL), VN_OK);
        assert_int_equal(vn_world_move(m->world, m->ids[i], &m->at[i], NULL), VN_OK);
    }

    for (uint32_t i = 0; i < 8; ++i)
        tick(m);
}

/// The world of the mirror without these obstacles, as a space.
static vn_space* bake_without(const mirror* m, const vn_obstacle_id* ids, uint32_t count) {
    vn_world* world = make_world();
    const vn_space_def def = space_def(m);
    vn_space* space;
    for (uint32_t i = 0; i < BODIES + OTHERS; ++i) {
        const vn_shape shape = shape_of(i);
        bool named = false;
        for (uint32_t k = 0; k < count; ++k)
            named = named || ids[k].index1 == m->ids[i].index1;
        if (!named)
            assert_int_equal(vn_world_add_moving(world, &shape, &m->at[i], NULL, NULL), VN_OK);
    }

    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    vn_world_destroy(world);
    return space;
}

static vn_nav_request request_from(mirror* m, uint32_t body) {
    vn_nav_request request = vn_default_nav_request();
    const vn_vec3 at = m->at[body].position;
    request.path.use_positions = true;
    request.path.start_position = (vn_dvec3){(double)at.x, (double)at.y, (double)at.z};
    request.path.goal_position = (vn_dvec3){1 + vni_rng_below(&m->rng, 22), 1 + vni_rng_below(&m->rng, 14),
                                            1 + vni_rng_below(&m->rng, 14)};
    request.path.check = true;
    request.path.inside[0] = m->ids[body];
    request.path.inside[1] = m->ids[(body + 1) % BODIES];
    request.path.inside[2] = m->ids[body]; // twice does no harm
    request.path.inside_count = 1 + vni_rng_below(&m->rng, 3);
    return request;
}

static vn_nav_result ask(mirror* m, const vn_nav_request* request) {
    vn_request_id id;
    vn_nav_result result;
    assert_int_equal(vn_nav_submit(m->nav, request, &id, NULL), VN_OK);
    for (uint32_t i = 0; i < 4; ++i)
        tick(m);
    assert_true(vn_nav_next_result(m->nav, &result));
    assert_true(result.id == id);
    return result;
}

/// The same request on a bake of the mirror.
static void compare(const mirror* m, const vn_nav_request* request, const vn_nav_result* is) {
    const vn_space_def def = space_def(m);
    const vn_query_def query_def = vn_default_query_def();
    vn_path_request path = request->path;
    vn_path_result expected;
    vn_space* space;
    vn_query* query;
    uint32_t count;
    path.inside_world = m->world;
    assert_int_equal(vn_space_bake(m->world, &def, &space, NULL), VN_OK);
    assert_int_equal(vn_query_create(space, &query_def, &query, NULL), VN_OK);
    vn_query_find_path(query, &path, &expected, NULL);
    const vn_point* points = vn_query_points(query, &count);
    assert_true(vn_space_content_hash(space) == vn_space_content_hash(is->space));
    assert_int_equal(is->result.status, expected.status);
    assert_int_equal(is->result.inside_points, expected.inside_points);
    assert_int_equal(is->point_count, count);
    if (count > 0)
        assert_memory_equal(is->points, points, count * sizeof *points);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

/// Wherever the bodies are, the path is blocked only by others.
static uint32_t follow(mirror* m, const vn_nav_result* result, const vn_nav_request* request,
                       uint32_t* free) {
    const vn_watch_def def = vn_default_watch_def();
    vn_watch_id watch;
    uint32_t blocked = 0;
    assert_int_equal(vn_nav_watch(m->nav, result, &def, &watch, NULL), VN_OK);
    for (uint32_t round = 0; round < 4; ++round) {
        vn_watch_info info;
        if (round > 0)
            move_some(m);
        else
            for (uint32_t i = 0; i < 4; ++i)
                tick(m);

        if (round == 2) // back and forth: the host checks by itself
            assert_int_equal(vn_nav_watch_advance(m->nav, watch, result->point_count - 1), VN_OK);
        if (round >= 2)
            assert_int_equal(vn_nav_watch_advance(m->nav, watch, 0), VN_OK);

        vn_space* open = bake_without(m, request->path.inside, request->path.inside_count);
        const bool is_free = vn_space_check_path(open, result->points, result->point_count, NULL);
        assert_int_equal(vn_nav_get_watch(m->nav, watch, &info), VN_OK);
        assert_true(info.known);
        assert_int_equal(info.blocked, !is_free);
        vn_space_destroy(open);
        blocked += !is_free;
        *free += is_free;
    }

    assert_int_equal(vn_nav_unwatch(m->nav, watch), VN_OK);
    return blocked;
}

static void run(uint64_t seed, uint32_t workers, uint32_t rounds, uint32_t counts[4]) {
    mirror m = make_mirror(seed, workers);
    for (uint32_t round = 0; round < rounds; ++round) {
        move_some(&m);
        const vn_nav_request request = request_from(&m, vni_rng_below(&m.rng, BODIES));
        const vn_nav_result result = ask(&m, &request);
        compare(&m, &request, &result);
        counts[0] += result.result.inside_points > 0;
        counts[1] += result.result.status == VN_START_BLOCKED;
        if (result.result.status == VN_OK)
            counts[2] += follow(&m, &result, &request, &counts[3]);
        vn_nav_release_result(m.nav, result.id);
    }

    free_mirror(&m);
}

static void test_mirror(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("nav/inside", 1);
    uint32_t counts[4] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < vnt_scale(6, 100); ++i)
        run(seed + i, VOLNAV_THREADS ? i % 3 : 0, 12, counts);

    print_message("%u from inside, %u cannot leave; watched: %u blocked, %u free\n", counts[0], counts[1],
                  counts[2], counts[3]);
    assert_true(counts[0] > 20 && counts[1] > 0 && counts[2] > 20 && counts[3] > 20);
}

/// Two bodies change places, with the same voxels blocked: a request must see who is where.
static void test_changed_places(void** state) {
    (void)state;
    mirror m = make_mirror(1, 0);
    for (uint32_t i = 0; i < BODIES + OTHERS; ++i) {
        m.at[i].position = vnt_vec(-100, 0, 0);
        assert_int_equal(vn_nav_move(m.nav, m.ids[i], &m.at[i], NULL), VN_OK);
    }

    const vn_transform left = scene_at(5, 8, 8), right = scene_at(19, 8, 8);
    vn_nav_request request = vn_default_nav_request();
    request.path.use_positions = true;
    request.path.start_position = (vn_dvec3){5, 8, 8};
    request.path.goal_position = (vn_dvec3){5, 14, 14};
    request.path.inside_count = 1;
    request.path.inside[0] = m.ids[0];
    for (uint32_t round = 0; round < 4; ++round) {
        assert_int_equal(vn_nav_move(m.nav, m.ids[0], round % 2 ? &right : &left, NULL), VN_OK);
        assert_int_equal(vn_nav_move(m.nav, m.ids[2], round % 2 ? &left : &right, NULL), VN_OK);
        for (uint32_t i = 0; i < 8; ++i)
            tick(&m);
        const vn_nav_result result = ask(&m, &request);
        assert_int_equal(result.result.status, round % 2 ? VN_START_BLOCKED : VN_OK);
        vn_nav_release_result(m.nav, result.id);
    }

    free_mirror(&m);
}

static void test_refused(void** state) {
    (void)state;
    mirror m = make_mirror(1, 0);
    vn_nav_request request = request_from(&m, 0);
    vn_watch_def def = vn_default_watch_def();
    vn_request_id id;
    vn_watch_id watch;
    vn_detail detail;
    const vn_point points[2] = {{0, 0, 0}, {1024, 0, 0}};
    request.path.inside_count = 1;
    request.path.inside_world = m.world;
    assert_int_equal(vn_nav_submit(m.nav, &request, &id, &detail), VN_BAD_ARGUMENT);
    request.path.inside_world = NULL;
    request.path.inside[0] = m.ids[BODIES];
    assert_int_equal(vn_nav_submit(m.nav, &request, &id, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "VN_FLAG_BODY"));
    def.inside[0] = m.ids[BODIES];
    def.inside_count = 1;
    assert_int_equal(vn_nav_watch_points(m.nav, points, 2, &def, &watch, &detail), VN_UNSUPPORTED);

    // The flag may come later.
    assert_int_equal(vn_nav_set_flags(m.nav, m.ids[BODIES], VN_FLAG_BODY), VN_OK);
    assert_int_equal(vn_nav_submit(m.nav, &request, &id, &detail), VN_OK);
    assert_int_equal(vn_nav_watch_points(m.nav, points, 2, &def, &watch, &detail), VN_OK);
    request.path.inside[0] = (vn_obstacle_id){99, 1};
    assert_int_equal(vn_nav_submit(m.nav, &request, &id, &detail), VN_STALE_ID);
    request.path.inside_count = def.inside_count = VN_MAX_INSIDE + 1;
    assert_int_equal(vn_nav_submit(m.nav, &request, &id, &detail), VN_CAPACITY);
    assert_int_equal(vn_nav_watch_points(m.nav, points, 2, &def, &watch, &detail), VN_CAPACITY);
    free_mirror(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_changed_places),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
