/// Searches that mind zones: on the grid A* = Dijkstra in cost; over cells the path is valid, its cost is
/// what its points cost, and it is cheaper than a path that minds length alone. Boxes, spheres and hulls, in
/// requests and from worlds.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "graph/zones.h"
#include "path/refine.h"
#include "volnav/path.h"
#include "volnav/query.h"

#include <math.h>
#include <string.h>

enum { ZONES = 5, PLANES = 8 };

static vni_zones random_zones(vni_rng* rng, vn_voxel dims, vni_zone* zones) {
    const int32_t size[3] = {dims.x, dims.y, dims.z};
    for (uint32_t i = 0; i < ZONES; ++i) {
        for (int k = 0; k < 3; ++k) {
            zones[i].low[k] = vni_rng_range(rng, 0, size[k] - 1);
            zones[i].high[k] = zones[i].low[k] + vni_rng_range(rng, 1, size[k] / 2 + 1);
        }
        zones[i].factor = i == 0 ? 0.5 : 1 + vni_rng_range(rng, 0, 112) / 16.0; // exact in float
    }

    return vni_zones_make(zones, ZONES);
}

/// The same zones as a request has them: resolution 1, low corner at the origin.
static void to_request(const vni_zones* zones, vn_zone* out, vn_path_request* request) {
    for (uint32_t i = 0; i < zones->count; ++i) {
        const vni_zone* z = &zones->zones[i];
        memset(&out[i], 0, sizeof out[i]);
        out[i].box.min = (vn_vec3){(float)z->low[0], (float)z->low[1], (float)z->low[2]};
        out[i].box.max = (vn_vec3){(float)z->high[0], (float)z->high[1], (float)z->high[2]};
        out[i].factor = (float)z->factor;
    }

    request->zones = out;
    request->zone_count = zones->count;
}

/// Cost of the query's points by its zones, metres.
static double cost_of_points(const vn_query* query, const vni_zones* zones) {
    vni_cost cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, zones);
    uint32_t count;
    const vn_point* points = vn_query_points(query, &count);
    return vni_polyline_cost(&cost, points, count) / VN_LATTICE;
}

static void check_request(const vn_space* space, vn_query* query, const vni_zones* zones,
                          vn_path_request request, double sums[4]) {
    vn_path_result dijkstra, astar, result;
    uint32_t count;
    vn_zone items[ZONES];
    to_request(zones, items, &request);
    request.algo = VN_ALGO_DIJKSTRA;
    vn_query_find_path(query, &request, &dijkstra, NULL);
    request.algo = VN_ALGO_ASTAR;
    vn_query_find_path(query, &request, &astar, NULL);
    assert_int_equal(astar.status, dijkstra.status);

    assert_true(fabs(astar.cost - dijkstra.cost) <= 1e-9 * (1 + dijkstra.cost));
    if (astar.status == VN_OK)
        assert_true(fabs(astar.cost - cost_of_points(query, zones)) <= 1e-6 * (1 + astar.cost));

    request.algo = VN_ALGO_CELLS;
    for (int quality = 0; quality < VN_QUALITY_COUNT; ++quality) {
        request.quality = (vn_quality)quality;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), dijkstra.status);
        if (result.status != VN_OK)
            return;

        const vn_point* points = vn_query_points(query, &count);
        assert_true(vn_space_check_path(space, points, count, NULL));
        assert_true(fabs(result.cost - cost_of_points(query, zones)) <= 1e-9 * (1 + result.cost));
        assert_true(result.cost >= zones->least * result.length * (1 - 1e-9));
        if (quality == VN_QUALITY_STANDARD)
            sums[0] += result.cost;

        if (quality == VN_QUALITY_BEST)
            sums[1] += result.cost;
    }

    request.zone_count = 0;
    request.quality = VN_QUALITY_BEST;
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    assert_true(fabs(result.cost - result.length) <= 1e-9 * (1 + result.length));
    sums[2] += cost_of_points(query, zones);
    sums[3] += dijkstra.cost;
}

static void test_zones(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zone searches", 151));
    vn_jobs serial = vn_serial_jobs();
    double sums[4] = {0, 0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(24, 400); ++world) {
        vn_voxel dims = {vni_rng_range(&rng, 8, 26), vni_rng_range(&rng, 8, 26), vni_rng_range(&rng, 8, 26)},
                 a, b;
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        vni_zone items[ZONES];
        vni_zones zones = random_zones(&rng, dims, items);
        def.scratch = VN_SCRATCH_ALL;

        assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
        for (uint32_t i = 0;
             i < 4 && vnt_random_free_voxel(&rng, &voxels, &a) && vnt_random_free_voxel(&rng, &voxels, &b);
             ++i) {
            vn_path_request request = vn_default_path_request();
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            check_request(space, query, &zones, request, sums);
        }

        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("cost over the grid's optimum: standard %.4f, best %.4f, minding length alone %.4f\n",
                  sums[0] / sums[3], sums[1] / sums[3], sums[2] / sums[3]);
    assert_true(sums[0] < 0.95 * sums[2]);
    assert_true(sums[1] < sums[0] * 1.01);
}

/// One dear box in open space: the path goes around it.
static void test_goes_around(void** state) {
    (void)state;
    const vn_voxel dims = {60, 40, 40}, a = {2, 20, 20}, b = {57, 20, 20};
    const vni_zone rain = {{25, 12, 5}, {35, 28, 35}, 20};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vni_zones zones = vni_zones_make(&rain, 1);
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    request.start = vn_voxel_center(a);
    request.goal = vn_voxel_center(b);
    vn_zone item;
    to_request(&zones, &item, &request);
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    assert_true(result.cost < 1.15 * 55);
    assert_true(result.length > 55.5); // straight through would cost 245
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

// ------------------------------------------------------------------------------------ spheres and hulls

/// Zones as a request has them, with their planes.
typedef struct shapes {
    vn_zone zones[ZONES];
    vn_plane planes[ZONES][PLANES];
} shapes;

/// A turned slab, a cone of planes, a half-space: whatever `count` planes around a point are.
static void random_planes(vni_rng* rng, vn_vec3 at, float reach, vn_plane* planes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const vn_vec3 n = {(float)vni_rng_real(rng) * 2 - 1, (float)vni_rng_real(rng) * 2 - 1,
                           (float)vni_rng_real(rng) * 2 - 1.001f};
        const float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
        planes[i] = (vn_plane){n, n.x * at.x + n.y * at.y + n.z * at.z + length * reach};
    }
}

static void random_shapes(vni_rng* rng, vn_voxel dims, shapes* out) {
    for (uint32_t i = 0; i < ZONES; ++i) {
        const vn_vec3 at = {(float)vni_rng_real(rng) * (float)dims.x,
                            (float)vni_rng_real(rng) * (float)dims.y,
                            (float)vni_rng_real(rng) * (float)dims.z};
        const float reach = 1 + (float)vni_rng_real(rng) * (float)dims.x / 4;
        vn_zone* zone = &out->zones[i];
        *zone = (vn_zone){.kind = (vn_zone_kind)(i % VN_ZONE_KIND_COUNT)};
        zone->factor = i == 0 ? 0.5f : 1 + (float)vni_rng_range(rng, 0, 112) / 16;
        zone->box = (vn_box){at, {at.x + reach, at.y + reach, at.z + 2 * reach}};
        zone->center = at;
        zone->radius = reach;
        zone->planes = out->planes[i];
        zone->plane_count = 3 + vni_rng_below(rng, PLANES - 2);
        random_planes(rng, at, reach, out->planes[i], zone->plane_count);
    }
}

static bool holds(const vn_zone* zone, double x, double y, double z) {
    if (zone->kind == VN_ZONE_BOX)
        return x > (double)zone->box.min.x && x < (double)zone->box.max.x && y > (double)zone->box.min.y &&
               y < (double)zone->box.max.y && z > (double)zone->box.min.z && z < (double)zone->box.max.z;

    if (zone->kind == VN_ZONE_SPHERE) {
        const double dx = x - (double)zone->center.x, dy = y - (double)zone->center.y,
                     dz = z - (double)zone->center.z;
        return dx * dx + dy * dy + dz * dz < (double)zone->radius * (double)zone->radius;
    }

    for (uint32_t i = 0; i < zone->plane_count; ++i) {
        const vn_plane* plane = &zone->planes[i];
        if ((double)plane->normal.x * x + (double)plane->normal.y * y + (double)plane->normal.z * z >
            (double)plane->offset)
            return false;
    }

    return true;
}

/// Cost of a polyline by sampling it, metres; voxels of a metre from the origin.
static double sampled_cost(const vn_zone* zones, uint32_t count, const vn_point* points,
                           uint32_t point_count) {
    enum { PARTS = 300 };
    double sum = 0;
    for (uint32_t i = 0; i + 1 < point_count; ++i) {
        const vn_point a = points[i], b = points[i + 1];
        const double dx = (double)(b.x - a.x) / VN_LATTICE, dy = (double)(b.y - a.y) / VN_LATTICE,
                     dz = (double)(b.z - a.z) / VN_LATTICE;
        for (int k = 0; k < PARTS; ++k) {
            const double t = (k + 0.5) / PARTS, x = (double)a.x / VN_LATTICE + t * dx,
                         y = (double)a.y / VN_LATTICE + t * dy, z = (double)a.z / VN_LATTICE + t * dz;
            double factor = 0;
            for (uint32_t n = 0; n < count; ++n)
                if ((double)zones[n].factor > factor && holds(&zones[n], x, y, z))
                    factor = (double)zones[n].factor;

            sum += (factor > 0 ? factor : 1) / PARTS * sqrt(dx * dx + dy * dy + dz * dz);
        }
    }

    return sum;
}

static void check_shapes(const vn_space* space, vn_query* query, const shapes* s, vn_path_request request,
                         double sums[3]) {
    vn_path_result dijkstra, result, back;
    uint32_t count;
    request.zones = s->zones;
    request.zone_count = ZONES;
    request.algo = VN_ALGO_DIJKSTRA;
    vn_query_find_path(query, &request, &dijkstra, NULL);
    request.algo = VN_ALGO_ASTAR;
    vn_query_find_path(query, &request, &result, NULL);
    assert_int_equal(result.status, dijkstra.status);
    assert_true(fabs(result.cost - dijkstra.cost) <= 1e-9 * (1 + dijkstra.cost));
    vn_path_request other = request;
    other.start = request.goal;
    other.goal = request.start;
    vn_query_find_path(query, &other, &back, NULL);

    assert_true(fabs(result.cost - back.cost) <= 1e-9 * (1 + back.cost));
    for (int quality = 0; quality < VN_QUALITY_COUNT; ++quality) {
        shapes copy = *s; // the caller's arrays are read by begin only
        for (uint32_t i = 0; i < ZONES; ++i)
            copy.zones[i].planes = copy.planes[i];

        request.algo = VN_ALGO_CELLS;
        request.quality = (vn_quality)quality;
        request.zones = copy.zones;
        assert_int_equal(vn_query_begin(query, &request, NULL), VN_OK);

        memset(&copy, 0xff, sizeof copy);
        while (vn_query_step(query, 7) == VN_RUNNING) {
        }

        assert_int_equal(vn_query_finish(query, &result), dijkstra.status);
        if (result.status != VN_OK)
            return;

        const vn_point* points = vn_query_points(query, &count);
        assert_true(vn_space_check_path(space, points, count, NULL));
        assert_true(fabs(result.cost - sampled_cost(s->zones, ZONES, points, count)) <=
                    0.01 * result.cost + 0.02);

        const vn_point ends[2] = {request.start, request.goal};
        if (quality == VN_QUALITY_BEST && vn_space_visible(space, ends[0], ends[1]))
            sums[2] = fmax(sums[2], result.cost / (sampled_cost(s->zones, ZONES, ends, 2) + 0.02));

        sums[0] += quality == VN_QUALITY_BEST ? result.cost : 0;
        sums[1] += quality == VN_QUALITY_BEST ? dijkstra.cost : 0;
    }
}

static void test_shapes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("zone shapes", 152));
    vn_jobs serial = vn_serial_jobs();
    double sums[3] = {0, 0, 0};
    for (uint32_t world = 0; world < vnt_scale(8, 250); ++world) {
        vn_voxel dims = {vni_rng_range(&rng, 8, 26), vni_rng_range(&rng, 8, 26), vni_rng_range(&rng, 8, 26)},
                 a, b;
        vnt_voxels voxels = vnt_voxels_random(&rng, dims);
        vn_space* space = vnt_voxels_cells(&voxels, &serial);
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        shapes s;
        random_shapes(&rng, dims, &s);
        def.scratch = VN_SCRATCH_ALL;

        assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
        for (uint32_t i = 0;
             i < 4 && vnt_random_free_voxel(&rng, &voxels, &a) && vnt_random_free_voxel(&rng, &voxels, &b);
             ++i) {
            vn_path_request request = vn_default_path_request();
            request.start = vn_voxel_center(a);
            request.goal = vn_voxel_center(b);
            check_shapes(space, query, &s, request, sums);
        }

        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    print_message("shapes: cost over the grid's optimum %.4f, over the straight segment at most %.4f\n",
                  sums[0] / sums[1], sums[2]);
    assert_true(sums[0] < 1.05 * sums[1]);
    assert_true(sums[2] < 1.01);
}

/// Around a ball, around a turned box, and towards the gap between two half-spaces.
static void test_goes_around_shapes(void** state) {
    (void)state;
    const vn_voxel dims = {60, 40, 40}, a = {2, 20, 20}, b = {57, 20, 20};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    const vn_plane turned[6] = {{{1, 1, 0}, 50 + 9},   {{-1, -1, 0}, -50 + 9}, {{1, -1, 0}, 10 + 9},
                                {{-1, 1, 0}, -10 + 9}, {{0, 0, 1}, 32},        {{0, 0, -1}, -8}};
    const vn_plane below = {{0, 1, 0}, 24}, above = {{0, -1, 0}, -26};
    const vn_zone cases[3][2] = {
        {{.kind = VN_ZONE_SPHERE, .center = {30, 20, 20}, .radius = 8, .factor = 20}},
        {{.kind = VN_ZONE_HULL, .planes = turned, .plane_count = 6, .factor = 20}},
        {{.kind = VN_ZONE_HULL, .planes = &below, .plane_count = 1, .factor = 20},
         {.kind = VN_ZONE_HULL, .planes = &above, .plane_count = 1, .factor = 20}},
    };
    const double most[3] = {58.5, 59,
                            0.6 * 20 * 55}; // the last is a gap inside one cell: found by refinement alone

    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    for (int i = 0; i < 3; ++i) {
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = vn_voxel_center(a);
        request.goal = vn_voxel_center(b);
        request.zones = cases[i];
        request.zone_count = i == 2 ? 2 : 1;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(result.cost < most[i]);
        assert_true(result.length > 55.1);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// The dearest zone there can be, over everything: nothing overflows, and the path is still found.
static void test_dearest_zone(void** state) {
    (void)state;
    const vn_voxel dims = {60, 40, 40}, a = {2, 20, 20}, b = {57, 20, 20};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t y = 0; y < 39; ++y)
        for (int32_t z = 0; z < 40; ++z)
            vnt_voxels_block(&voxels, 30, y, z);

    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    const vn_zone zones[2] = {{.box = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}}, .factor = 1e6f},
                              {.box = {{5, 0, 0}, {20, 40, 40}}, .factor = 1e-6f}};

    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    for (int quality = 0; quality < VN_QUALITY_COUNT; ++quality) {
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = vn_voxel_center(a);
        request.goal = vn_voxel_center(b);
        request.quality = (vn_quality)quality;
        request.zones = zones;
        request.zone_count = 2;
        request.check = true;
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(result.checked);
        assert_true(fabs(result.cost / result.length / 1e6 - 1) < 1e-6);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// The transforms of the slab in test_zones_of_a_world, and how thick it is on a line along x.
static vn_transform slab_transform(int step, double* thick) {
    const double all[4] = {4, 4 * sqrt(2), 8, 0};
    vn_transform transform = vn_transform_identity();
    transform.position.x = step == 3 ? 500 : 15;
    if (step == 1)
        transform.rotation = (vn_quat){0, 0, 0.38268343f, 0.92387953f}; // an eighth of a turn

    if (step == 2)
        transform.scale = 2;

    *thick = all[step];
    return transform;
}

/// A path and a field from `start` to `goal` cost what the zone makes of the straight segment: `straight`, or
/// up to `less` below it.
static void check_zone(vn_query* query, const vn_zone* zone, vn_point start, vn_point goal, double straight,
                       double less) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    request.start = start;
    request.goal = goal;
    request.zones = zone;
    request.zone_count = 1;
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    assert_true(result.cost <= straight + 1e-4);
    assert_true(result.cost > straight - less);

    vn_field_request field = vn_default_field_request();
    double cost;
    field.source = start;
    field.zones = zone;
    field.zone_count = 1;
    assert_int_equal(vn_query_build_field(query, &field, NULL, NULL), VN_OK);
    assert_int_equal(vn_query_field_costs(query, &goal, 1, &cost), VN_OK);
    assert_true(cost <= straight * 1.1);
    assert_true(cost > straight - less);
}

/// What a world keeps goes into a request as it is, wherever its zones have moved; fields see it too.
static void test_zones_of_a_world(void** state) {
    (void)state;
    const vn_voxel dims = {30, 10, 10}, a = {1, 5, 5}, b = {28, 5, 5};
    vn_jobs serial = vn_serial_jobs();
    vnt_memory memory = vnt_memory_make();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_world_def world_def = vn_default_world_def();
    vn_query* query;
    vn_world* world;
    def.allocator = vnt_memory_allocator(&memory);
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    vn_zone_def slab = vn_default_zone_def();
    vn_zone_id id;
    slab.factor = 3;
    slab.shape.kind = VN_SHAPE_BOX;
    slab.shape.as.box = (vn_box){{-2, -50, -50}, {2, 50, 50}};
    assert_int_equal(vn_world_add_zone(world, &slab, &id, NULL), VN_OK);

    const uint64_t calls = memory.calls;
    for (int step = 0; step < 4; ++step) {
        vn_zone zone;
        uint32_t count;
        double thick;
        vn_transform transform = slab_transform(step, &thick);
        assert_int_equal(vn_world_move_zone(world, id, &transform, NULL), VN_OK);
        assert_int_equal(vn_world_get_zones(world, &zone, 1, &count), VN_OK);
        check_zone(query, &zone, vn_voxel_center(a), vn_voxel_center(b), 27 + 2 * thick,
                   step == 1 ? 3 : 1e-4);
    }

    assert_true(memory.calls == calls);
    vn_world_destroy(world);
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// A zone with flags counts for requests that have one of them.
static void test_flags(void** state) {
    (void)state;
    const vn_voxel dims = {16, 8, 8}, a = {1, 1, 1}, b = {14, 1, 1};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    const vn_zone zone = {.box = {{0, 0, 0}, {16, 8, 8}}, .factor = 3, .flags = 6};
    const uint32_t flags[4] = {0, 1, 2, 12};

    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    for (int i = 0; i < 4; ++i) {
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = vn_voxel_center(a);
        request.goal = vn_voxel_center(b);
        request.zones = &zone;
        request.zone_count = 1;
        request.zone_flags = flags[i];
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(fabs(result.cost - (flags[i] & 6 ? 39 : 13)) < 1e-9);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

/// Zone 7 of the request is each of several that do not work.
static void check_bad_shapes(vn_query* query, const vn_path_request* request, vn_zone* zones,
                             const vn_plane planes[2]) {
    vn_path_result result;
    vn_detail detail;
    const vn_zone bad[] = {{.box = {{0, 0, 0}, {1, 1, 1}}, .factor = 0},
                           {.box = {{0, 0, 0}, {1, 1, 1}}, .factor = 1e30f},
                           {.box = {{0, 0, 0}, {1, 1, 1}}, .factor = NAN},
                           {.box = {{2, 0, 0}, {1, 1, 1}}, .factor = 2},
                           {.kind = VN_ZONE_SPHERE, .center = {0, NAN, 0}, .radius = 1, .factor = 2},
                           {.kind = VN_ZONE_SPHERE, .center = {0, 0, 0}, .radius = -1, .factor = 2},
                           {.kind = VN_ZONE_SPHERE, .center = {0, 0, 0}, .radius = NAN, .factor = 2},
                           {.kind = VN_ZONE_SPHERE, .center = {0, 0, 0}, .radius = INFINITY, .factor = 2},
                           {.kind = VN_ZONE_HULL, .planes = planes, .plane_count = 0, .factor = 2},
                           {.kind = VN_ZONE_HULL, .planes = NULL, .plane_count = 1, .factor = 2},
                           {.kind = VN_ZONE_HULL, .planes = planes, .plane_count = 2, .factor = 0},
                           {.kind = VN_ZONE_KIND_COUNT, .factor = 2},
                           {.kind = (vn_zone_kind)77, .factor = 2}};

    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        zones[7] = bad[i];
        assert_int_equal(vn_query_find_path(query, request, &result, &detail), VN_BAD_ARGUMENT);
        assert_int_equal(detail.index, 7);
    }
}

/// Planes that do not work, and more planes than all zones together may have.
static void check_bad_planes(vn_query* query, const vn_path_request* request, vn_zone* zones,
                             vn_plane planes[2]) {
    vn_path_result result;
    vn_detail detail;
    const vn_plane bad[4] = {{{0, 0, 0}, 1}, {{NAN, 1, 0}, 1}, {{1, 0, 0}, NAN}, {{1, INFINITY, 0}, 1}};
    zones[7] = (vn_zone){.kind = VN_ZONE_HULL, .planes = planes, .plane_count = 2, .factor = 2};
    assert_int_equal(vn_query_find_path(query, request, &result, &detail), VN_OK);
    for (uint32_t i = 0; i < 4; ++i) {
        planes[1] = bad[i];
        assert_int_equal(vn_query_find_path(query, request, &result, &detail), VN_BAD_ARGUMENT);
    }

    static vn_plane many[VN_MAX_ZONE_PLANES];
    for (uint32_t i = 0; i < VN_MAX_ZONE_PLANES; ++i)
        many[i] = (vn_plane){{1, 0, 0}, 5};

    zones[7] =
        (vn_zone){.kind = VN_ZONE_HULL, .planes = many, .plane_count = VN_MAX_ZONE_PLANES, .factor = 2};
    assert_int_equal(vn_query_find_path(query, request, &result, &detail), VN_OK);
    zones[8] = (vn_zone){.kind = VN_ZONE_HULL, .planes = many, .plane_count = 1, .factor = 2};
    assert_int_equal(vn_query_find_path(query, request, &result, &detail), VN_CAPACITY);
    assert_int_equal(detail.index, 8);
    zones[8].plane_count = UINT32_MAX;
    assert_int_equal(vn_query_find_path(query, request, &result, &detail), VN_CAPACITY);
}

static void test_bad_zones(void** state) {
    (void)state;
    const vn_voxel dims = {8, 8, 8}, a = {1, 1, 1};
    vn_jobs serial = vn_serial_jobs();
    vnt_voxels voxels = vnt_voxels_make(dims);
    vn_space* space = vnt_voxels_cells(&voxels, &serial);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    request.start = request.goal = vn_voxel_center(a);

    static vn_zone zones[VN_MAX_ZONES + 1];
    for (int i = 0; i <= VN_MAX_ZONES; ++i)
        zones[i] = (vn_zone){.box = {{0, 0, 0}, {1, 1, 1}}, .factor = 2};

    request.zones = zones;
    request.zone_count = VN_MAX_ZONES + 1;
    assert_int_equal(vn_query_find_path(query, &request, &result, &detail), VN_CAPACITY);
    request.zone_count = VN_MAX_ZONES;
    assert_int_equal(vn_query_find_path(query, &request, &result, &detail), VN_OK);
    vn_plane planes[2] = {{{1, 0, 0}, 1}, {{0, 1, 0}, 1}};
    check_bad_shapes(query, &request, zones, planes);
    check_bad_planes(query, &request, zones, planes);
    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&voxels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zones),        cmocka_unit_test(test_goes_around),
        cmocka_unit_test(test_shapes),       cmocka_unit_test(test_goes_around_shapes),
        cmocka_unit_test(test_dearest_zone), cmocka_unit_test(test_zones_of_a_world),
        cmocka_unit_test(test_flags),        cmocka_unit_test(test_bad_zones),
    };

    return cmocka_run_group_tests_name("query/zones", tests, NULL, NULL);
}
