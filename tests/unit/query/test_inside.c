/// Paths that start inside named obstacles, against brute force: a second world without these obstacles is
/// baked, and floods over its voxels say what must be found.
#include "cmocka_all.h"
#include "shapes.h"
#include "support.h"

#include "base/rng.h"
#include "volnav/path.h"
#include "volnav/query.h"
#include "volnav/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHAPES 70

/// A world, the same without the named obstacles, and both as spaces.
typedef struct trial {
    vni_rng rng;
    vn_world *world, *rest;
    vn_obstacle_id ids[SHAPES];
    vn_obstacle_id named[VN_MAX_INSIDE];
    uint32_t named_count;
    vn_space *space, *open;
    vn_voxel dims;
    float radius;
    bool is_crowded;  ///< of small shapes
    uint8_t* reached; ///< by voxel, as the next two
    bool *free, *own; ///< not blocked; blocked by the named obstacles alone
} trial;

static float random_at(vni_rng* rng, int32_t size) {
    // Often on the grid, where shapes touch voxels and each other exactly.
    const float at = (float)vni_rng_below(rng, (uint32_t)size * 8) / 8;
    return vni_rng_below(rng, 2) ? floorf(at) : at;
}

static vn_shape random_shape(trial* t) {
    const vn_vec3 low = {random_at(&t->rng, t->dims.x), random_at(&t->rng, t->dims.y),
                         random_at(&t->rng, t->dims.z)};
    const float size = 1 + random_at(&t->rng, t->is_crowded ? 2 : 4);
    if (vni_rng_below(&t->rng, 3) == 0)
        return vnt_sphere_shape(low, size / 2);
    return vnt_box_shape(low, vnt_vec(low.x + size, low.y + 1 + random_at(&t->rng, 5), low.z + size));
}

static vn_world* make_world(void) {
    const vn_world_def def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    return world;
}

static vn_space* bake(const trial* t, const vn_world* world, bool cells) {
    vn_space_def def = vn_default_space_def();
    vn_space* space;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {(float)t->dims.x, (float)t->dims.y, (float)t->dims.z}};
    def.radius = t->radius;
    def.cells = cells;
    assert_int_equal(vn_space_bake(world, &def, &space, NULL), VN_OK);
    return space;
}

static void fill_voxels(trial* t) {
    const size_t count = (size_t)t->dims.x * (size_t)t->dims.y * (size_t)t->dims.z;
    t->reached = calloc(count, 1);
    t->free = calloc(count, sizeof *t->free);
    t->own = calloc(count, sizeof *t->own);
    assert_true(t->reached != NULL && t->free != NULL && t->own != NULL);
    size_t at = 0;
    for (int32_t z = 0; z < t->dims.z; ++z)
        for (int32_t y = 0; y < t->dims.y; ++y)
            for (int32_t x = 0; x < t->dims.x; ++x, ++at) {
                t->free[at] = vn_space_voxel_free(t->space, (vn_voxel){x, y, z});
                t->own[at] = !t->free[at] && vn_space_voxel_free(t->open, (vn_voxel){x, y, z});
            }
}

static trial make_trial(uint64_t seed) {
    static const float radii[3] = {0, 0.75f, 1};
    trial t = {.rng = vni_rng_make(seed)};
    const bool is_long = vni_rng_below(&t.rng, 4) == 0; // more than one block
    t.dims = is_long ? (vn_voxel){70, 8, 8} : (vn_voxel){14, 12, 10};
    t.radius = radii[vni_rng_below(&t.rng, 3)];
    t.world = make_world();
    t.rest = make_world();
    t.named_count = 1 + vni_rng_below(&t.rng, 3);
    t.is_crowded = vni_rng_below(&t.rng, 2);
    const uint32_t count = t.is_crowded ? SHAPES : 6 + vni_rng_below(&t.rng, 20);
    for (uint32_t i = 0; i < count; ++i) {
        const vn_shape shape = random_shape(&t);
        assert_int_equal(vn_world_add(t.world, &shape, &t.ids[i], NULL), VN_OK);
        if (i < t.named_count)
            t.named[i] = t.ids[i];
        else
            assert_int_equal(vn_world_add(t.rest, &shape, NULL, NULL), VN_OK);
    }

    t.space = bake(&t, t.world, true);
    t.open = bake(&t, t.rest, true);
    fill_voxels(&t);
    return t;
}

static void free_trial(trial* t) {
    free(t->reached);
    free(t->free);
    free(t->own);
    vn_space_destroy(t->space);
    vn_space_destroy(t->open);
    vn_world_destroy(t->world);
    vn_world_destroy(t->rest);
}

// ------------------------------------------------------------------------------------------------- oracle

static bool is_inside(const trial* t, vn_voxel v) {
    return v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < t->dims.x && v.y < t->dims.y && v.z < t->dims.z;
}

static int32_t index_of(const trial* t, vn_voxel v) {
    return v.x + t->dims.x * (v.y + t->dims.y * v.z);
}

static bool is_free(const trial* t, vn_voxel v) {
    return is_inside(t, v) && t->free[index_of(t, v)];
}

static bool is_own(const trial* t, vn_voxel v) {
    return is_inside(t, v) && t->own[index_of(t, v)];
}

static uint8_t* reached_at(const trial* t, vn_voxel v) {
    return &t->reached[index_of(t, v)];
}

/// Floods from the voxels that touch a point, over those that the named obstacles alone block, and from
/// there (or from the point itself, `walks`) over free ones: the result is what a path may reach.
static void flood(const trial* t, vn_point start, bool walks) {
    memset(t->reached, 0, (size_t)t->dims.x * (size_t)t->dims.y * (size_t)t->dims.z);
    for (int i = 0; i < 8; ++i) {
        if ((i & 1 && start.x % 1024 != 0) || (i & 2 && start.y % 1024 != 0) ||
            (i & 4 && start.z % 1024 != 0))
            continue;
        const vn_voxel v = {(start.x >> 10) - (i & 1), (start.y >> 10) - (i >> 1 & 1),
                            (start.z >> 10) - (i >> 2)};
        if (walks ? is_free(t, v) : is_own(t, v))
            *reached_at(t, v) = 1;
    }

    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t z = 0; z < t->dims.z; ++z)
            for (int32_t y = 0; y < t->dims.y; ++y)
                for (int32_t x = 0; x < t->dims.x; ++x) {
                    const vn_voxel v = {x, y, z};
                    if (!*reached_at(t, v))
                        continue;
                    const vn_voxel next[6] = {{x - 1, y, z}, {x + 1, y, z}, {x, y - 1, z},
                                              {x, y + 1, z}, {x, y, z - 1}, {x, y, z + 1}};
                    for (int k = 0; k < 6; ++k) {
                        // Back from free voxels into the obstacles leads no way.
                        const bool goes = is_free(t, next[k]) || (is_free(t, v) ? false : is_own(t, next[k]));
                        if (goes && !*reached_at(t, next[k])) {
                            *reached_at(t, next[k]) = 1;
                            changed = true;
                        }
                    }
                }
    }
}

static bool reaches_free(const trial* t) {
    for (int32_t z = 0; z < t->dims.z; ++z)
        for (int32_t y = 0; y < t->dims.y; ++y)
            for (int32_t x = 0; x < t->dims.x; ++x)
                if (*reached_at(t, (vn_voxel){x, y, z}) && is_free(t, (vn_voxel){x, y, z}))
                    return true;
    return false;
}

/// Is there any voxel inside the obstacles at the point?
static bool starts_inside(const trial* t, vn_point start) {
    flood(t, start, false);
    const size_t count = (size_t)t->dims.x * (size_t)t->dims.y * (size_t)t->dims.z;
    for (size_t i = 0; i < count; ++i)
        if (t->reached[i])
            return true;
    return false;
}

// -------------------------------------------------------------------------------------------------- trials

typedef struct tally {
    uint32_t found, enclosed, apart, bent;
} tally;

static vn_point random_point(trial* t) {
    vn_point p = {(int32_t)vni_rng_below(&t->rng, (uint32_t)t->dims.x * 1024 + 1),
                  (int32_t)vni_rng_below(&t->rng, (uint32_t)t->dims.y * 1024 + 1),
                  (int32_t)vni_rng_below(&t->rng, (uint32_t)t->dims.z * 1024 + 1)};
    if (vni_rng_below(&t->rng, 2))
        p.x &= ~1023;
    if (vni_rng_below(&t->rng, 3) == 0)
        p.y &= ~1023;
    return p;
}

/// The path is free without the named obstacles, and after its exit with them; by voxels and by shapes.
static void check_path(const trial* t, const vn_query* query, const vn_path_request* request,
                       const vn_path_result* result) {
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    const uint32_t inside = result->inside_points;
    assert_true(inside > 0 && inside < count);
    assert_memory_equal(&points[0], &request->start, sizeof *points);
    assert_memory_equal(&points[count - 1], &request->goal, sizeof *points);
    assert_memory_equal(&result->start, &request->start, sizeof *points);
    assert_true(result->checked);
    assert_int_equal(result->start_leg.state, VN_LEG_NONE);
    assert_true(vn_space_check_path(t->open, points, count, NULL));
    assert_true(vn_world_check_path(t->rest, t->open, points, count, (double)t->radius, NULL));
    assert_true(vn_space_check_path(t->space, points + inside, count - inside, NULL));
    assert_false(vn_space_check_path(t->space, points, inside, NULL));

    double length = 0;
    for (uint32_t i = 1; i < count; ++i) {
        const double d[3] = {points[i].x - points[i - 1].x, points[i].y - points[i - 1].y,
                             points[i].z - points[i - 1].z};
        length += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / 1024;
    }
    assert_true(fabs(length - result->length) <= 1e-9 * (1 + length));
    assert_true(fabs(length - result->cost) <= 1e-6 * (1 + length) || request->algo != VN_ALGO_CELLS);
}

static void try_point(trial* t, vn_query* query, vn_path_request* request, tally* sum) {
    vn_path_result result;
    vn_detail detail = {0};
    request->start = request->goal = random_point(t);
    for (uint32_t i = 0; i < 400 && !is_own(t, vn_space_voxel_at(t->space, request->start)); ++i)
        request->start = random_point(t);
    for (uint32_t i = 0; i < 100 && !vn_space_point_free(t->space, request->goal); ++i)
        request->goal = random_point(t);
    if (vn_space_point_free(t->space, request->start) || !vn_space_point_free(t->space, request->goal) ||
        !starts_inside(t, request->start))
        return;

    const bool leaves = reaches_free(t);
    bool joined = false;
    if (leaves) {
        // An exit may touch the goal only at an edge: what the goal reaches decides.
        uint8_t* mine = malloc((size_t)t->dims.x * (size_t)t->dims.y * (size_t)t->dims.z);
        const size_t voxels = (size_t)t->dims.x * (size_t)t->dims.y * (size_t)t->dims.z;
        assert_non_null(mine);
        memcpy(mine, t->reached, voxels);
        flood(t, request->goal, true);
        for (size_t i = 0; i < voxels; ++i)
            joined = joined || (mine[i] && t->reached[i]);
        free(mine);
    }

    const vn_status status = vn_query_find_path(query, request, &result, &detail);
    if (!leaves) {
        assert_int_equal(status, VN_START_BLOCKED);
        assert_int_equal(result.end, VN_END_START);
        assert_non_null(strstr(detail.text, "border no free space"));
    } else {
        assert_int_equal(status, joined ? VN_OK : VN_NO_PATH);
    }

    if (status == VN_OK)
        check_path(t, query, request, &result);
    sum->found += status == VN_OK;
    sum->enclosed += !leaves;
    sum->apart += leaves && !joined;
    sum->bent += status == VN_OK && result.inside_points > 1;
}

static void test_random(void** state) {
    (void)state;
    const uint64_t seed = vnt_seed("query/inside", 1);
    tally sum = {0};
    for (uint32_t i = 0; i < vnt_scale(30, 1000); ++i) {
        trial t = make_trial(seed + i);
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        vn_path_request request = vn_default_path_request();
        def.scratch = VN_SCRATCH_ALL;
        assert_int_equal(vn_query_create(t.space, &def, &query, NULL), VN_OK);
        request.check = true;
        request.inside_world = t.world;
        request.inside_count = t.named_count;
        memcpy(request.inside, t.named, sizeof t.named);
        for (uint32_t k = 0; k < 40; ++k) {
            request.algo = k % 3 == 0 ? VN_ALGO_ASTAR : VN_ALGO_CELLS;
            try_point(&t, query, &request, &sum);
        }

        vn_query_destroy(query);
        free_trial(&t);
    }

    print_message("%u paths (%u with a bent leg), %u enclosed, %u apart\n", sum.found, sum.bent, sum.enclosed,
                  sum.apart);
    assert_true(sum.found > 100 && sum.enclosed > 5 && sum.apart > 20 && sum.bent > 20);
}

// ------------------------------------------------------------------------------------------------- by hand

/// A box of 6 m in a hall of 20 m, and a query.
typedef struct hall {
    vn_world* world;
    vn_space* space;
    vn_query* query;
    vn_obstacle_id body;
    vn_path_request request;
} hall;

static hall make_hall(const vn_allocator* allocator) {
    hall h = {.world = make_world()};
    const vn_shape shape = vnt_box_shape(vnt_vec(4, 4, 4), vnt_vec(10, 10, 10));
    vn_space_def def = vn_default_space_def();
    vn_query_def query_def = vn_default_query_def();
    assert_int_equal(vn_world_add(h.world, &shape, &h.body, NULL), VN_OK);
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {20, 20, 20}};
    assert_int_equal(vn_space_bake(h.world, &def, &h.space, NULL), VN_OK);
    if (allocator != NULL)
        query_def.allocator = *allocator;
    assert_int_equal(vn_query_create(h.space, &query_def, &h.query, NULL), VN_OK);
    h.request = vn_default_path_request();
    h.request.use_positions = true;
    h.request.start_position = (vn_dvec3){7, 7, 7};
    h.request.goal_position = (vn_dvec3){18, 7, 7};
    h.request.inside_world = h.world;
    h.request.inside[0] = h.body;
    h.request.inside_count = 1;
    return h;
}

static void free_hall(hall* h) {
    vn_query_destroy(h->query);
    vn_space_destroy(h->space);
    vn_world_destroy(h->world);
}

/// A body that plugs the only door between two rooms: the way out leads to the room of the goal.
static void test_plug(void** state) {
    (void)state;
    static const vn_box boxes[] = {{{9, 0, 0}, {10, 8, 20}},
                                   {{9, 12, 0}, {10, 20, 20}},
                                   {{9, 8, 0}, {10, 12, 8}},
                                   {{9, 8, 12}, {10, 12, 20}},
                                   {{7, 8, 8}, {12, 12, 12}}}; // the last one is the body
    hall h = make_hall(NULL);
    free_hall(&h);
    h.world = make_world();
    for (uint32_t i = 0; i < 5; ++i) {
        const vn_shape shape = vnt_box_shape(boxes[i].min, boxes[i].max);
        assert_int_equal(vn_world_add(h.world, &shape, &h.body, NULL), VN_OK);
    }

    const trial room = {.dims = {20, 20, 20}};
    const vn_query_def def = vn_default_query_def();
    h.space = bake(&room, h.world, true);
    assert_int_equal(vn_query_create(h.space, &def, &h.query, NULL), VN_OK);
    h.request.inside_world = h.world;
    h.request.inside[0] = h.body;
    for (uint32_t i = 0; i < 6; ++i) {
        vn_path_result result;
        h.request.start_position = (vn_dvec3){7.25 + 0.875 * i, 10, 10};
        h.request.goal_position = (vn_dvec3){i % 2 ? 2 : 18, 10, 10};
        h.request.check = true;
        assert_int_equal(vn_query_find_path(h.query, &h.request, &result, NULL), VN_OK);
        assert_int_equal(result.inside_points, 1); // straight
    }

    free_hall(&h);
}

static void test_refused(void** state) {
    (void)state;
    hall h = make_hall(NULL);
    vn_path_result result;
    vn_detail detail;
    h.request.inside_world = NULL;
    assert_int_equal(vn_query_find_path(h.query, &h.request, &result, &detail), VN_BAD_ARGUMENT);
    assert_non_null(strstr(detail.text, "inside_world"));
    h.request.inside_world = h.world;
    h.request.inside[1] = (vn_obstacle_id){9, 1};
    h.request.inside_count = 2;
    assert_int_equal(vn_query_find_path(h.query, &h.request, &result, &detail), VN_STALE_ID);
    assert_int_equal(detail.index, 1);
    h.request.inside_count = VN_MAX_INSIDE + 1;
    assert_int_equal(vn_query_find_path(h.query, &h.request, &result, &detail), VN_CAPACITY);
    h.request.inside_count = 0;
    assert_int_equal(vn_query_find_path(h.query, &h.request, &result, &detail), VN_START_BLOCKED);

    // The goal stays strict.
    h.request.inside_count = 1;
    h.request.goal_position = (vn_dvec3){5, 7, 7};
    assert_int_equal(vn_query_find_path(h.query, &h.request, &result, &detail), VN_GOAL_BLOCKED);
    free_hall(&h);
}

static bool write_nothing(void* user, const void* bytes, size_t size) {
    (void)user;
    (void)bytes;
    (void)size;
    return true;
}

static void test_records_refuse(void** state) {
    (void)state;
    hall h = make_hall(NULL);
    vn_path_result result;
    vn_detail detail;
    const vn_store_def def = vn_default_store_def();
    const vn_sink sink = {write_nothing, NULL};
    assert_int_equal(vn_query_find_path(h.query, &h.request, &result, &detail), VN_OK);
    assert_int_equal(vn_record_write(h.query, &h.request, &result, &def, NULL, &sink, &detail),
                     VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "inside_points"));
    free_hall(&h);
}

/// A path that just fits, but not with the leg.
static void test_capacity(void** state) {
    (void)state;
    hall h = make_hall(NULL);
    vn_query_def def = vn_default_query_def();
    vn_query* small;
    vn_path_result result, again;
    assert_int_equal(vn_query_find_path(h.query, &h.request, &result, NULL), VN_OK);
    def.max_points = result.point_count - 1;
    assert_int_equal(vn_query_create(h.space, &def, &small, NULL), VN_OK);
    assert_int_equal(vn_query_find_path(small, &h.request, &again, NULL), VN_CAPACITY);
    assert_int_equal(again.point_count, 0);
    assert_int_equal(vn_query_grow(small, again.needed_points, again.needed_nodes, NULL), VN_OK);
    assert_int_equal(vn_query_find_path(small, &h.request, &again, NULL), VN_OK);
    assert_memory_equal(&again.length, &result.length, sizeof again.length);
    vn_query_destroy(small);
    free_hall(&h);
}

static void test_no_memory(void** state) {
    (void)state;
    uint64_t failures = 0;
    for (uint64_t k = 0;; ++k) {
        vnt_memory memory = vnt_memory_make();
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        hall h = make_hall(&allocator);
        vn_path_result result;
        vn_detail detail;
        memory.fail_at = memory.calls + k;
        const vn_status status = vn_query_find_path(h.query, &h.request, &result, &detail);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        failures += memory.failed;
        if (memory.failed) {
            vnt_memory_restore(&memory);
            assert_int_equal(vn_query_find_path(h.query, &h.request, &result, NULL), VN_OK);
        }

        const bool done = status == VN_OK;
        free_hall(&h);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        if (done)
            break;
    }

    assert_true(failures > 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),   cmocka_unit_test(test_plug),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_records_refuse),
        cmocka_unit_test(test_capacity), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
