/// The same choices everywhere: what searches with each kind of terms, fields, passages and grids find, and
/// how many nodes they expand for it, in numbers that were written down. Other tests say that a result is
/// valid and good; this one says that it is the same as before, one number for each kind of request.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "base/hash.h"
#include "space/space.h"
#include "volnav/volnav.h"

#include <math.h>
#include <string.h>

enum { REQUESTS = 24 };

static vn_layers* layers; ///< of all tests

typedef struct scene {
    const vn_space* space; ///< the narrower layer
    vn_query* query;
    vni_rng rng;
    uint64_t hash;
    uint32_t found;
} scene;

/// Three blocks in a row, with slabs that have holes, balls and turned boxes.
static vn_world* make_world(void) {
    vn_world_def def = vn_default_world_def();
    vn_world* world;
    vni_rng rng = vni_rng_make(2025);
    assert_int_equal(vn_world_create(&def, &world), VN_OK);
    for (uint32_t i = 0; i < 110; ++i) {
        vn_vec3 at = {(float)vni_rng_range(&rng, 0, 2400) / 16, (float)vni_rng_range(&rng, 0, 900) / 16,
                      (float)vni_rng_range(&rng, 0, 1000) / 16};
        float size = 1 + (float)vni_rng_range(&rng, 0, 120) / 16;
        vn_shape shape = {.kind = VN_SHAPE_SPHERE, .as.sphere = {at, size}};
        if (i % 3 == 1)
            shape = (vn_shape){.kind = VN_SHAPE_BOX,
                               .as.box = {at, {at.x + 2, at.y + 3 * size, at.z + 4 * size}}};

        if (i % 3 == 2)
            shape = (vn_shape){.kind = VN_SHAPE_ORIENTED,
                               .as.oriented = {at, {size, 1, 2 * size}, {0.5f, 0.1f, 0.1f, 0.854400375f}}};

        assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    }

    return world;
}

static int bake(void** state) {
    (void)state;
    vn_world* world = make_world();
    vn_space_def def = vn_default_space_def();
    const vn_layer_def defs[2] = {{0.5f, 0}, {2, 0}};
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {150, 57, 62}};
    vn_status status = vn_layers_bake(world, &def, defs, 2, &layers, NULL);
    vn_world_destroy(world);
    return status == VN_OK ? 0 : -1;
}

static int release(void** state) {
    (void)state;
    vn_layers_destroy(layers);
    return 0;
}

static scene make_scene(uint64_t seed) {
    vn_query_def def = vn_default_query_def();
    scene s = {.rng = vni_rng_make(seed), .space = vn_layers_space(layers, 0)};
    def.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_query_create_layers(layers, &def, &s.query, NULL), VN_OK);
    return s;
}

/// Compares, and frees the scene.
static void check_scene(scene* s, const char* name, uint64_t want) {
    print_message("%s: 0x%016llxu, %u found\n", name, (unsigned long long)s->hash, s->found);
    if (s->hash != want)
        fail_msg("%s: 0x%016llx, written down is 0x%016llx", name, (unsigned long long)s->hash,
                 (unsigned long long)want);

    assert_true(s->found > REQUESTS / 3);
    vn_query_destroy(s->query);
}

static vn_voxel free_voxel(scene* s) {
    vn_voxel v;
    do {
        v.x = vni_rng_range(&s->rng, 0, s->space->occupancy.dims[0] - 1);
        v.y = vni_rng_range(&s->rng, 0, s->space->occupancy.dims[1] - 1);
        v.z = vni_rng_range(&s->rng, 0, s->space->occupancy.dims[2] - 1);
    } while (!vn_space_voxel_free(s->space, v));

    return v;
}

static vn_vec3 local_of(vn_voxel v) {
    return (vn_vec3){(float)v.x + 0.5f, (float)v.y + 0.5f, (float)v.z + 0.5f};
}

static void add(scene* s, uint64_t value) {
    s->hash = vni_hash_mix(s->hash ^ value);
}

static void add_point(scene* s, vn_point p) {
    add(s, (uint64_t)(uint32_t)p.x << 42 ^ (uint64_t)(uint32_t)p.y << 21 ^ (uint64_t)(uint32_t)p.z);
}

static void add_points(scene* s) {
    uint32_t count;
    const vn_point* points = vn_query_points(s->query, &count);
    add(s, count);
    for (uint32_t i = 0; i < count; ++i)
        add_point(s, points[i]);
}

/// A metre of cost in 1,024 steps, as whole numbers are compared.
static void add_cost(scene* s, double cost) {
    add(s, cost < 1e9 ? (uint64_t)floor(cost * 1024 + 0.5) : UINT64_MAX);
}

static bool add_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    add_point(user, (vn_point){low.x, low.y, low.z});
    add_point(user, (vn_point){high.x, high.y, high.z});
    add(user, in_corridor);
    return true;
}

static void run(scene* s, const vn_path_request* request) {
    vn_path_result result;
    uint32_t count;
    s->found += vn_query_find_path(s->query, request, &result, NULL) == VN_OK;
    add(s, (uint64_t)result.status << 32 | (uint64_t)result.reason);
    add(s, result.expanded);
    add(s, result.touched);
    add_cost(s, result.cost);
    add_point(s, result.goal);
    add_points(s);
    vn_query_visit_expanded(s->query, add_box, s);
    const vn_connection_use* uses = vn_query_connections(s->query, &count);
    for (uint32_t i = 0; i < count; ++i)
        add(s, (uint64_t)uses[i].point << 32 | uses[i].connection << 1 | (uint32_t)uses[i].reversed);
}

/// Requests between random voxels, of each quality in turn.
static vn_path_request next_request(scene* s, uint32_t i) {
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center(free_voxel(s));
    request.goal = vn_voxel_center(free_voxel(s));
    request.start.x += (int32_t)(i % 3) * 300;
    request.goal.z += (int32_t)(i % 2) * 512; // on a face
    request.quality = (vn_quality)(i % VN_QUALITY_COUNT);
    request.radius = 0;
    return request;
}

/// A box of `size` voxels to each side of one.
static vn_box box_around(vn_voxel v, float size) {
    vn_vec3 at = local_of(v);
    return (vn_box){{at.x - size, at.y - size, at.z - size}, {at.x + size, at.y + size, at.z + size}};
}

// -------------------------------------------------------------------------------------------- over cells

static void test_plain(void** state) {
    (void)state;
    scene s = make_scene(1);
    const vn_refine passes[6] = {VN_REFINE_DEFAULT, VN_REFINE_NONE,   VN_REFINE_PRUNE,
                                 VN_REFINE_TAUT,    VN_REFINE_FUNNEL, VN_REFINE_FUNNEL_PRUNE};
    for (uint32_t i = 0; i < 2 * REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        request.refine = i < REQUESTS ? VN_REFINE_DEFAULT : passes[i % 6];
        request.weight = i % 5 == 4 ? 1 : 0;
        run(&s, &request);
    }

    check_scene(&s, "plain", 0xf0a8c694b16a3d9eu);
}

static void random_zones(scene* s, vn_zone zones[4]) {
    for (uint32_t i = 0; i < 4; ++i) {
        vn_voxel v = free_voxel(s);
        zones[i] = (vn_zone){.kind = i % 2 ? VN_ZONE_SPHERE : VN_ZONE_BOX,
                             .box = box_around(v, (float)(3 + 5 * i)),
                             .center = local_of(v),
                             .radius = (float)(5 + 4 * i),
                             .factor = i == 0 ? 0.5f : 2 + (float)i};
    }
}

static void test_zones(void** state) {
    (void)state;
    scene s = make_scene(2);
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        vn_zone zones[4];
        random_zones(&s, zones);
        request.zones = zones;
        request.zone_count = 4;
        request.refine = i % 4 == 3 ? VN_REFINE_FUNNEL_PRUNE : VN_REFINE_DEFAULT;
        run(&s, &request);
    }

    check_scene(&s, "zones", 0x87b7bc43295b31c5u);
}

static void test_clearance(void** state) {
    (void)state;
    scene s = make_scene(3);
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        request.preferred_clearance = 1 + (float)(i % 4);
        request.clearance_weight = 1 + (float)(i % 7);
        run(&s, &request);
    }

    check_scene(&s, "clearance", 0x5d68e80047691297u);
}

/// Both ends lie within the limits, whose sides are off the lattice of voxels.
static void test_limits(void** state) {
    (void)state;
    scene s = make_scene(4);
    for (uint32_t i = 0; i < 2 * REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        const float by = 0.3f + (float)(i % 9);
        const vn_point a = request.start, b = request.goal;
        request.has_limits = true;
        request.limits = (vn_box){{(float)(a.x < b.x ? a.x : b.x) / VN_LATTICE - by,
                                   (float)(a.y < b.y ? a.y : b.y) / VN_LATTICE - by,
                                   (float)(a.z < b.z ? a.z : b.z) / VN_LATTICE - 2 * by},
                                  {(float)(a.x > b.x ? a.x : b.x) / VN_LATTICE + by,
                                   (float)(a.y > b.y ? a.y : b.y) / VN_LATTICE + 2 * by,
                                   (float)(a.z > b.z ? a.z : b.z) / VN_LATTICE + by}};
        request.refine = i % 4 == 3 ? VN_REFINE_FUNNEL : VN_REFINE_DEFAULT;
        run(&s, &request);
    }

    check_scene(&s, "limits", 0xa35cb4c8489ad1b8u);
}

static void test_goals(void** state) {
    (void)state;
    scene s = make_scene(5);
    for (uint32_t i = 0; i < 3 * REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i / 3);
        request.goal_kind = (vn_goal_kind)(1 + i % 3);
        request.goal_box = box_around(free_voxel(&s), (float)(i % 5));
        request.goal_distance = i % 4 == 3 ? 0 : 1 + (double)(i % 20);
        request.allow_partial = i % 5 == 4;
        run(&s, &request);
    }

    check_scene(&s, "goals", 0xf3db5d3716e965cbu);
}

/// Limits around the start alone: the goal's centre often lies beyond them, and portals reach across.
static void test_limited_goals(void** state) {
    (void)state;
    scene s = make_scene(12);
    for (uint32_t i = 0; i < 2 * REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        const vn_voxel around = {request.start.x / VN_LATTICE, request.start.y / VN_LATTICE,
                                 request.start.z / VN_LATTICE};
        request.has_limits = true;
        request.limits = box_around(around, 12.3f + (float)(i % 7));
        request.goal_kind = i % 2 ? VN_GOAL_SPHERE : VN_GOAL_SIGHT;
        request.goal_distance = 25 + (double)(i % 40);
        request.preferred_clearance = i % 4 < 2 ? 0 : 2.5f;
        request.allow_partial = true;
        run(&s, &request);
    }

    check_scene(&s, "limited_goals", 0x1f8acddcdd177824u);
}

static void test_connections(void** state) {
    (void)state;
    scene s = make_scene(6);
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        vn_connection connections[12];
        for (uint32_t k = 0; k < 12; ++k)
            connections[k] = (vn_connection){.from = local_of(free_voxel(&s)),
                                             .to = local_of(free_voxel(&s)),
                                             .cost = (float)(k % 5),
                                             .bidirectional = k % 3 != 0};

        request.connections = connections;
        request.connection_count = 12;
        run(&s, &request);
    }

    check_scene(&s, "connections", 0xfe4451db5c2bb7e9u);
}

static void test_jitter(void** state) {
    (void)state;
    scene s = make_scene(7);
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        request.jitter = 0.1f + 0.1f * (float)(i % 9);
        request.jitter_seed = i;
        run(&s, &request);
    }

    check_scene(&s, "jitter", 0xba53602437b0319fu);
}

/// Budgets that often do not suffice.
static void test_partial(void** state) {
    (void)state;
    scene s = make_scene(8);
    for (uint32_t i = 0; i < 2 * REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        request.budget = 2 + i % 30;
        request.allow_partial = i % 8 != 7;
        request.jitter = i % 2 ? 0.1f : 0; // both searches
        run(&s, &request);
    }

    check_scene(&s, "partial", 0x0472c544034852dcu);
}

// ------------------------------------------------------------------------------------------- the others

static void test_grid(void** state) {
    (void)state;
    scene s = make_scene(9);
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        request.algo = (vn_algo)(VN_ALGO_ASTAR + i % 3);
        request.neighbours = i % 2 ? 6 : 26;
        request.heuristic = (vn_heuristic)(i % VN_HEURISTIC_COUNT);
        request.refine = i % 4 == 3 ? VN_REFINE_PRUNE : VN_REFINE_NONE;
        request.budget = i % 3 == 1 ? 2000 : 0;
        request.allow_partial = i % 2;
        run(&s, &request);
    }

    check_scene(&s, "grid", 0x189a214f034c9335u);
}

static void test_fuel(void** state) {
    (void)state;
    scene s = make_scene(13);
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        vn_path_request request = next_request(&s, i);
        vn_zone zones[4];
        random_zones(&s, zones);
        request.zones = zones;
        request.zone_count = i % 3 ? 4 : 0;
        request.algo = i % 4 == 3 ? VN_ALGO_ASTAR : VN_ALGO_CELLS;
        request.budget = i % 4 == 3 ? 3000 : 0;
        request.allow_partial = true;
        request.fuel = vn_default_fuel_model(i % 2 ? VN_FUEL_GRAVITY : VN_FUEL_R16);
        run(&s, &request);
    }

    check_scene(&s, "fuel", 0xb4336337cd9a4a15u);
}

static void test_fields(void** state) {
    (void)state;
    scene s = make_scene(10);
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        vn_field_request request = vn_default_field_request();
        request.radius = 0;
        vn_path_result result;
        vn_zone zones[4];
        uint64_t cells, random = i;
        random_zones(&s, zones);
        request.source = vn_voxel_center(free_voxel(&s));
        request.zones = zones;
        request.zone_count = i % 3 == 1 ? 4 : 0;
        request.max_cost = i % 2 ? 60 : 0;
        request.has_limits = i % 4 == 3;
        request.limits = (vn_box){{0, 0, 0}, {150, 57, 62}};
        request.limits.max.x = (float)request.source.x / VN_LATTICE + 20.25f;
        add(&s, (uint64_t)vn_query_build_field(s.query, &request, &cells, NULL));
        add(&s, cells);
        for (uint32_t k = 0; k < 6; ++k) {
            vn_point target = vn_voxel_center(free_voxel(&s)), out;
            double cost = 0;
            if (k % 2) // on a corner, which up to eight cells share
                target = (vn_point){target.x - 512, target.y - 512, target.z - 512};

            add(&s, (uint64_t)vn_query_field_costs(s.query, &target, 1, &cost));
            add_cost(&s, cost);
            s.found += vn_query_field_path(s.query, target, &result) == VN_OK;
            add_points(&s);
            add(&s, (uint64_t)vn_query_field_random(s.query, &random, &out, k % 2 ? &cost : NULL));
            add_point(&s, out);
            add_cost(&s, cost);
        }
    }

    check_scene(&s, "fields", 0x4bf4e34136486cd1u);
}

/// With both layers, and with each of them alone.
static void test_passages(void** state) {
    (void)state;
    scene s = make_scene(11);
    vn_query_def def = vn_default_query_def();
    vn_query* alone;
    def.scratch = VN_SCRATCH_ALL;
    assert_int_equal(vn_query_create(s.space, &def, &alone, NULL), VN_OK);
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        vn_passage passage;
        vn_point start = vn_voxel_center(free_voxel(&s)), goal = vn_voxel_center(free_voxel(&s));
        start.y += (int32_t)(i % 3) * 256; // sometimes on a face
        const uint64_t budget = i % 6 == 5 ? 300 : 0;
        vn_query* query = i % 4 == 3 ? alone : s.query;
        s.found += vn_query_find_passage(query, start, goal, 0, i % 5 == 4 ? 3 : 40, budget, &passage,
                                         NULL) == VN_OK;
        add(&s, (uint64_t)passage.status << 1 | (uint64_t)passage.limited);
        add(&s, passage.expanded);
        add_cost(&s, passage.radius);
        add_point(&s, passage.bottleneck);
    }

    vn_query_destroy(alone);
    check_scene(&s, "passages", 0x03d568b0f76f8eb2u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),       cmocka_unit_test(test_zones),
        cmocka_unit_test(test_clearance),   cmocka_unit_test(test_limits),
        cmocka_unit_test(test_goals),       cmocka_unit_test(test_limited_goals),
        cmocka_unit_test(test_connections), cmocka_unit_test(test_jitter),
        cmocka_unit_test(test_partial),     cmocka_unit_test(test_grid),
        cmocka_unit_test(test_fuel),        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_passages),
    };

    return cmocka_run_group_tests_name("query/golden_terms", tests, bake, release);
}
