/// The widest path against brute force: every width as a threshold, and flood fills; one space and several
/// layers; the bottleneck; limits, capacities and order of calls; a small room in a large map.
#include "passages.h"
#include "shapes.h"
#include "support.h"
#include "voxels.h"

#include "volnav/query.h"

// ------------------------------------------------------------------------------------------------- asking

static void check_failure(const house* h, uint32_t flags, vn_point start, vn_point goal, vn_status status) {
    bool any = false, start_free = false, goal_free = false;
    for (uint32_t i = 0; i < h->count; ++i) {
        bool fits = opens_only(h->spaces[i], flags);
        any |= fits;
        start_free |= fits && vn_space_point_free(h->spaces[i], start);
        goal_free |= fits && vn_space_point_free(h->spaces[i], goal);
    }

    vn_status blocked = !start_free ? VN_START_BLOCKED : !goal_free ? VN_GOAL_BLOCKED : VN_NO_PATH;
    assert_int_equal(status, any ? blocked : VN_UNSUPPORTED);
}

static bool is_near(double a, double b) {
    return a == b || fabs(a - b) <= 1e-9;
}

static void check_passage(const expected* a, const vn_passage* p, bool thorough) {
    assert_int_equal(p->status, VN_OK);
    assert_true(is_near(p->radius, a->radius));
    assert_true(p->layer_radius == a->layer->radius);
    assert_int_equal(p->limited, a->limited);
    vn_voxel v = {p->bottleneck.x >> 10, p->bottleneck.y >> 10, p->bottleneck.z >> 10};
    vn_point center = vn_voxel_center(v);
    assert_memory_equal(&center, &p->bottleneck, sizeof center);

    assert_true(is_near(a->d.width[index_of(&a->d, v)], a->radius));
    if (thorough)
        assert_true(lies_on_way(&a->d, a->start, a->goal, index_of(&a->d, v), a->radius));
}

/// What the results were like, so that a test can see that it has tested something.
typedef struct tally {
    uint32_t found, narrow; ///< narrow: wider than the layer, but not limited
} tally;

/// Asks, and compares with brute force. `may_fail` allows VN_CAPACITY.
static void check_request(tally* t, const house* h, vn_query* query, vn_point start, vn_point goal,
                          uint32_t flags, double up_to, bool may_fail, bool thorough) {
    expected a = expected_of(h, flags, start, goal, up_to);
    vn_passage passage;
    vn_detail detail = {0};
    vn_status status = vn_query_find_passage(query, start, goal, flags, up_to, 0, &passage, &detail);
    assert_int_equal(status, passage.status);
    assert_int_equal(status == VN_OK ? VN_OK : detail.status, status);

    bool gave_up = may_fail && status == VN_CAPACITY;
    if (!gave_up && a.layer != NULL) {
        check_passage(&a, &passage, thorough && a.d.count < 1000);
        ++t->found;
        t->narrow += !a.limited && a.radius > (double)a.layer->radius;
    }

    if (!gave_up && a.layer == NULL)
        check_failure(h, flags, start, goal, status);

    dense_free(&a.d);
}

// ------------------------------------------------------------------------------------------- random worlds

static vn_query* make_query(const vn_space* space, const vn_layers* layers, uint32_t max_nodes) {
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.scratch = VN_SCRATCH_GRID;
    def.max_nodes = max_nodes;
    def.max_points = 64;
    assert_int_equal(layers ? vn_query_create_layers(layers, &def, &query, NULL)
                            : vn_query_create(space, &def, &query, NULL),
                     VN_OK);

    return query;
}

static bool is_clear(const vn_space* space, vn_voxel v) {
    const int32_t* dims = space->occupancy.dims;
    for (int32_t i = 0; i < 27; ++i) {
        vn_voxel to = {v.x + i % 3 - 1, v.y + i / 3 % 3 - 1, v.z + i / 9 - 1};
        bool inside =
            to.x >= 0 && to.y >= 0 && to.z >= 0 && to.x < dims[0] && to.y < dims[1] && to.z < dims[2];
        if (inside && !vn_space_voxel_free(space, to))
            return false;
    }

    return true;
}

/// Mostly the centre of a free voxel, if there are some of one that touches no wall; sometimes a point on
/// faces, edges and corners.
static vn_point random_end(vni_rng* rng, const vn_space* space) {
    const int32_t* dims = space->occupancy.dims;
    vn_point found = vnt_random_point(rng, (vn_voxel){dims[0], dims[1], dims[2]}, 512);
    if (vni_rng_below(rng, 8) == 0)
        return found;

    for (int i = 0; i < 30; ++i) {
        vn_voxel v = {vni_rng_range(rng, 0, dims[0] - 1), vni_rng_range(rng, 0, dims[1] - 1),
                      vni_rng_range(rng, 0, dims[2] - 1)};
        if (vn_space_voxel_free(space, v))
            found = vn_voxel_center(v);
        if (is_clear(space, v))
            break;
    }

    return found;
}

static double random_limit(vni_rng* rng) {
    return vni_rng_below(rng, 4) == 0 ? HUGE_VAL : vni_rng_real(rng) * 4;
}

static void test_one_space(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("passage, one space", 4101));
    tally t = {0, 0};
    for (uint32_t i = 0; i < vnt_scale(550, 20000); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, i % 2 ? 9 : 18));
        vn_jobs jobs = vn_serial_jobs();
        vn_space* space = i % 3 ? vnt_voxels_cells(&voxels, &jobs) : vnt_voxels_space(&voxels);
        bool tight = i % 5 == 0;
        vn_query* query = make_query(space, NULL, tight ? 64 * (1 + vni_rng_below(&rng, 3)) : 0);

        house h = house_of(space, NULL);
        for (int k = 0; k < 3; ++k)
            check_request(&t, &h, query, random_end(&rng, space), random_end(&rng, space), 0,
                          random_limit(&rng), tight, i % 8 == 0);

        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    assert_true(t.found > vnt_scale(550, 20000));
    assert_true(t.narrow > vnt_scale(100, 3000));
}

static void add_shape(vni_rng* rng, vn_world* world, vn_voxel dims) {
    const float at[3] = {(float)(vni_rng_real(rng) * dims.x), (float)(vni_rng_real(rng) * dims.y),
                         (float)(vni_rng_real(rng) * dims.z)};
    vn_vec3 center = {at[0], at[1], at[2]}, high = center;
    high.x += (float)vni_rng_real(rng) * 4;
    high.y += (float)vni_rng_real(rng) * 4;
    high.z += (float)vni_rng_real(rng) * 4;
    vn_shape shape = vni_rng_below(rng, 2) ? vnt_box_shape(center, high)
                                           : vnt_sphere_shape(center, (float)vni_rng_real(rng) * 2);
    vn_obstacle_id id;

    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    if (vni_rng_below(rng, 3) == 0)
        assert_int_equal(vn_world_set_flags(world, id, 1u << vni_rng_below(rng, 2)), VN_OK);
}

/// A wall across x with a hole in it, not on the grid; a door may close the hole.
static void add_wall(vni_rng* rng, vn_world* world, vn_voxel dims) {
    float x = (float)(vni_rng_real(rng) * dims.x), y = (float)(vni_rng_real(rng) * dims.y),
          hole = 0.5f + 4 * (float)vni_rng_real(rng), to = (float)dims.y, z = (float)dims.z;
    vn_shape below = vnt_box_shape((vn_vec3){x, 0, 0}, (vn_vec3){x + 0.6f, y, z});
    vn_shape above =
        vnt_box_shape((vn_vec3){x, y + hole, 0}, (vn_vec3){x + 0.6f, y + hole > to ? y + hole : to, z});
    assert_int_equal(vn_world_add(world, &below, NULL, NULL), VN_OK);

    assert_int_equal(vn_world_add(world, &above, NULL, NULL), VN_OK);
    if (vni_rng_below(rng, 2)) {
        vn_shape door = vnt_box_shape((vn_vec3){x, y, 0}, (vn_vec3){x + 0.6f, y + hole, z});
        vn_obstacle_id id;
        assert_int_equal(vn_world_add(world, &door, &id, NULL), VN_OK);
        assert_int_equal(vn_world_set_flags(world, id, 1u << vni_rng_below(rng, 2)), VN_OK);
    }
}

static vn_layers* random_layers(vni_rng* rng, vn_voxel dims, bool cells) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    uint32_t shapes = vni_rng_below(rng, dims.x > 12 ? 80 : 5);
    for (uint32_t i = 0; i < shapes; ++i)
        add_shape(rng, world, dims);

    if (vni_rng_below(rng, 3))
        add_wall(rng, world, dims);

    vn_space_def def = vn_default_space_def();
    static const float resolutions[4] = {1, 0.7f, 0.5f, 0.4f};
    static const float radii[2][6] = {{0, 0.25f, 0.6f, 1, 1.7f, 2.5f}, {0, 0.25f, 0.5f, 0.6f, 1, 1.5f}};
    def.resolution = resolutions[vni_rng_below(rng, 4)];
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){(float)dims.x, (float)dims.y, (float)dims.z};
    def.cells = cells;
    vn_layer_def layer_defs[12];

    uint32_t count = 0, fine = vni_rng_below(rng, 2), step = 2 - fine + vni_rng_below(rng, 3);
    for (uint32_t r = vni_rng_below(rng, 3); r < 6; r += step)
        for (uint32_t flags = 0; flags < 4; ++flags)
            if (count < 12 && vni_rng_below(rng, 4) < (flags == 0 ? 3 : 1))
                layer_defs[count++] = (vn_layer_def){radii[fine][r], flags};

    if (vni_rng_below(rng, 4) == 0) {
        def.has_seed = true;
        def.seed = (vn_vec3){0.1f, 0.1f, 0.1f};
    }

    if (count == 0)
        layer_defs[count++] = (vn_layer_def){0, 0};

    vn_layers* layers = NULL;
    vn_status status = vn_layers_bake(world, &def, layer_defs, count, &layers, NULL);
    assert_true(status == VN_OK || (status == VN_BLOCKED && def.has_seed));
    vn_world_destroy(world);
    return layers;
}

static void test_layers(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("passage, layers", 4102));
    tally t = {0, 0};
    for (uint32_t i = 0; i < vnt_scale(500, 10000); ++i) {
        int32_t size = i % 100 == 0 ? 20 : i % 4 == 0 ? 10 : 6;
        vn_voxel dims = {vni_rng_range(&rng, size / 3, size), vni_rng_range(&rng, 2, size),
                         vni_rng_range(&rng, 1, size / 2)};
        vn_layers* layers = random_layers(&rng, dims, i % 6 != 0);
        if (layers == NULL)
            continue;

        vn_query* query = make_query(NULL, layers, 0);
        house h = house_of(NULL, layers);
        for (int k = 0; k < 3; ++k) {
            const vn_space* space = h.spaces[vni_rng_below(&rng, h.count)];
            double up_to = k == 0 ? random_limit(&rng) : (double)space->radius;
            check_request(&t, &h, query, random_end(&rng, space), random_end(&rng, space),
                          vni_rng_below(&rng, 4), up_to, false, i % 8 == 0);
        }

        vn_query_destroy(query);
        vn_layers_destroy(layers);
    }

    assert_true(t.found > vnt_scale(500, 10000));
    assert_true(t.narrow > vnt_scale(50, 1500));
}

/// What the header promises: a bake of the voxels for this radius joins the ends, one for more does not.
static void test_bakes_agree(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("passage, bakes", 4103));
    uint32_t tested = 0;
    for (uint32_t i = 0; i < vnt_scale(60, 1000); ++i) {
        vnt_voxels voxels = vnt_voxels_random(&rng, vnt_random_dims(&rng, 9));
        vn_space* space = vnt_voxels_space(&voxels);
        vn_query* query = make_query(space, NULL, 0);
        vn_world_def world_def = vn_default_world_def();
        vn_world* world;
        assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
        vn_voxel* list = malloc((size_t)(voxels.dims.x * voxels.dims.y * voxels.dims.z) * sizeof *list);

        uint32_t count = 0;
        for (int32_t k = 0; k < voxels.dims.x * voxels.dims.y * voxels.dims.z; ++k)
            if (voxels.blocked[k])
                list[count++] = (vn_voxel){k % voxels.dims.x, k / voxels.dims.x % voxels.dims.y,
                                           k / voxels.dims.x / voxels.dims.y};

        vn_shape shape = vnt_voxels_shape(voxels.dims, 1, list, count);
        assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
        vn_point start = random_end(&rng, space), goal = random_end(&rng, space);
        start.x |= 512, start.y |= 512, start.z |= 512; // inside a voxel, so that it is the same in each bake
        goal.x |= 512, goal.y |= 512, goal.z |= 512;

        vn_passage passage;
        if (vn_query_find_passage(query, start, goal, 0, 100, 0, &passage, NULL) == VN_OK &&
            !passage.limited) {
            for (int wider = 0; wider < 2; ++wider) {
                vn_space_def def = vn_default_space_def();
                def.radius = (float)(passage.radius * (wider ? 1 : 1 - 1e-6) + (wider ? 1e-3 : 0));
                vn_space* baked;
                assert_int_equal(vn_space_bake(world, &def, &baked, NULL), VN_OK);
                assert_int_equal(vn_space_reachable(baked, start, goal), !wider);
                vn_space_destroy(baked);
            }

            ++tested;
        }

        free(list);
        vn_world_destroy(world);
        vn_query_destroy(query);
        vn_space_destroy(space);
        vnt_voxels_free(&voxels);
    }

    assert_true(tested > 20);
}

// ------------------------------------------------------------------------------------------ known worlds

static void block_box(vnt_voxels* v, vn_voxel low, vn_voxel high) {
    for (int32_t z = low.z; z < high.z; ++z)
        for (int32_t y = low.y; y < high.y; ++y)
            for (int32_t x = low.x; x < high.x; ++x)
                vnt_voxels_block(v, x, y, z);
}

/// Two rooms and a cupboard; all doors are 3 voxels wide and high. The door to the cupboard is nearer to
/// everything, but the path goes through the other.
static vn_space* two_rooms(void) {
    vnt_voxels v = vnt_voxels_make((vn_voxel){40, 30, 15});
    vn_jobs jobs = vn_serial_jobs();
    block_box(&v, (vn_voxel){19, 0, 0}, (vn_voxel){21, 30, 15});
    block_box(&v, (vn_voxel){28, 10, 0}, (vn_voxel){29, 21, 15});
    block_box(&v, (vn_voxel){19, 10, 0}, (vn_voxel){29, 11, 15});

    block_box(&v, (vn_voxel){19, 20, 0}, (vn_voxel){29, 21, 15});
    for (int32_t z = 6; z < 9; ++z)
        for (int32_t k = 0; k < 3; ++k)
            for (int32_t x = 19; x < 21; ++x) {
                v.blocked[x + 40 * (14 + k + 30 * z)] = 0; // into the cupboard
                v.blocked[x + 40 * (2 + k + 30 * z)] = 0;  // into the other hall
            }

    vn_space* space = vnt_voxels_cells(&v, &jobs);
    vnt_voxels_free(&v);
    return space;
}

static void test_bottleneck(void** state) {
    (void)state;
    vn_space* space = two_rooms();
    vn_query* query = make_query(space, NULL, 0);
    vn_point start = vn_voxel_center((vn_voxel){9, 15, 7}), goal = vn_voxel_center((vn_voxel){34, 15, 7});
    for (int swap = 0; swap < 2; ++swap) {
        vn_passage passage;
        assert_int_equal(
            vn_query_find_passage(query, swap ? goal : start, swap ? start : goal, 0, 10, 0, &passage, NULL),
            VN_OK);
        assert_true(passage.radius == 1);
        assert_true(!passage.limited);
        vn_point middle = vn_voxel_center((vn_voxel){swap ? 21 : 18, 3, 7}); // before the door
        assert_memory_equal(&passage.bottleneck, &middle, sizeof middle);
        assert_int_equal(vn_query_find_passage(query, start, goal, 0, 1, 0, &passage, NULL), VN_OK);
        assert_true(passage.radius == 1);
        assert_true(passage.limited);
        assert_int_equal(vn_query_find_passage(query, start, goal, 0, 0, 0, &passage, NULL), VN_OK);
        assert_true(passage.radius == 0);
        assert_true(passage.limited);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
}

/// A long corridor from the left, a corner, a short corridor up. Two voxels of the corner, side by side, are
/// narrower than everything before and behind them, and the short side has nothing else when it comes to
/// them, while the long side is still busy: the voxels that both have reached count.
static void test_shared_voxels(void** state) {
    (void)state;
    vnt_voxels v = vnt_voxels_make((vn_voxel){48, 14, 1});
    block_box(&v, (vn_voxel){0, 1, 0}, (vn_voxel){48, 2, 1});
    block_box(&v, (vn_voxel){0, 7, 0}, (vn_voxel){42, 14, 1});
    block_box(&v, (vn_voxel){47, 0, 0}, (vn_voxel){48, 14, 1});
    vnt_voxels_block(&v, 46, 2, 0);
    vn_jobs jobs = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&v, &jobs);
    vn_query* query = make_query(space, NULL, 0);

    vn_point ends[2] = {vn_voxel_center((vn_voxel){38, 4, 0}), vn_voxel_center((vn_voxel){44, 8, 0})};
    for (int swap = 0; swap < 2; ++swap) {
        vn_passage p;
        assert_int_equal(vn_query_find_passage(query, ends[swap], ends[1 - swap], 0, 10, 0, &p, NULL), VN_OK);
        assert_true(fabs(p.radius - sqrt(2)) < 1e-12);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
    vnt_voxels_free(&v);
}

static void add_box(vn_world* world, vn_vec3 low, vn_vec3 high, uint32_t flags) {
    vn_shape shape = vnt_box_shape(low, high);
    vn_obstacle_id id;
    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(world, id, flags), VN_OK);
}

static vn_layers* bake_two(vn_world* world, vn_vec3 size, vn_layer_def a, vn_layer_def b) {
    vn_space_def def = vn_default_space_def();
    def.resolution = 0.5f;
    def.has_bounds = true;
    def.bounds.max = size;
    const vn_layer_def layer_defs[2] = {a, b};
    vn_layers* layers;
    assert_int_equal(vn_layers_bake(world, &def, layer_defs, 2, &layers, NULL), VN_OK);

    return layers;
}

/// A hall with an opening of 5 m and a door of 7 m, which only the narrower layer opens. The path is wider
/// than the wider layer, which must not count as a limit then, nor its cells as wider than they are.
static void test_door(void** state) {
    (void)state;
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    add_box(world, (vn_vec3){7, 0, 0}, (vn_vec3){8, 2, 9}, 0);
    add_box(world, (vn_vec3){7, 7, 0}, (vn_vec3){8, 9, 9}, 0);
    add_box(world, (vn_vec3){15, 0, 0}, (vn_vec3){16, 1, 9}, 0);
    add_box(world, (vn_vec3){15, 8, 0}, (vn_vec3){16, 9, 9}, 0);
    add_box(world, (vn_vec3){15, 1, 0}, (vn_vec3){16, 8, 9}, 1);
    vn_layers* layers =
        bake_two(world, (vn_vec3){24, 9, 9}, (vn_layer_def){0.5f, 1}, (vn_layer_def){1.5f, 0});
    vn_query* query = make_query(NULL, layers, 0);
    house h = house_of(NULL, layers);
    vn_point a = vn_voxel_center((vn_voxel){3, 9, 9}), b = vn_voxel_center((vn_voxel){44, 9, 9}),
             m = vn_voxel_center((vn_voxel){23, 9, 9});

    tally t = {0, 0};
    for (int i = 0; i < 4; ++i) {
        check_request(&t, &h, query, a, b, 1, 1 + i, false, false);
        check_request(&t, &h, query, m, b, 1, 1 + i, false, false);
        check_request(&t, &h, query, b, a, 3, 1 + i, false, false);
        check_request(&t, &h, query, a, b, 2, 1 + i, false, false); // only the wider layer, which is closed
    }

    assert_int_equal(t.found, 12);
    assert_int_equal(t.narrow, 5);
    vn_query_destroy(query);
    vn_layers_destroy(layers);
    vn_world_destroy(world);
}

/// Walls that lie beyond the bounds block no voxel of the narrower layer: the wider one knows of them.
static void test_walls_outside(void** state) {
    (void)state;
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    add_box(world, (vn_vec3){4, -3, -3}, (vn_vec3){6, -0.2f, 7}, 0);
    add_box(world, (vn_vec3){4, 4.2f, -3}, (vn_vec3){6, 7, 7}, 0);
    vn_layers* layers = bake_two(world, (vn_vec3){10, 4, 4}, (vn_layer_def){0, 0}, (vn_layer_def){2, 0});
    vn_query* query = make_query(NULL, layers, 0);
    vn_passage p;

    vn_voxel at;
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(vn_query_find_passage(query, vn_voxel_center((vn_voxel){0, 4, 4}),
                                               vn_voxel_center((vn_voxel){19, 4, 4}), 0, 2 + i, 0, &p, NULL),
                         VN_OK);
        at = vn_space_voxel_at(vn_layers_space(layers, 0), p.bottleneck);
        assert_true(p.radius == 2);
        assert_true(p.layer_radius == 0);
        assert_true(!p.limited);
        assert_false(vn_space_voxel_free(vn_layers_space(layers, 1), at));
    }

    vn_query_destroy(query);
    vn_layers_destroy(layers);
    vn_world_destroy(world);
}

/// A closed cube of walls around [low, low + size), with a door of `door` metres in the middle of its side.
static void add_room(vn_world* world, float low, float size, float door) {
    float a = low - 1, b = low + size + 1, m = low + size / 2, h = door / 2;
    const vn_box walls[9] = {
        {{a, a, a}, {b, low, b}},       {{a, b - 1, a}, {b, b, b}},     {{a, a, a}, {b, b, low}},
        {{a, a, b - 1}, {b, b, b}},     {{a, a, a}, {low, b, b}},       {{b - 1, a, a}, {b, m - h, b}},
        {{b - 1, m + h, a}, {b, b, b}}, {{b - 1, a, a}, {b, b, m - h}}, {{b - 1, a, m + h}, {b, b, b}}};

    for (int i = 0; i < 9; ++i)
        add_box(world, walls[i].min, walls[i].max, 0);
}

/// Costs the room, not the map, nor the long way through it: with a layer in which both ends are free, and
/// with one in which the start is not. Without layers as long as the path beyond the door is no maze.
static void test_small_room(void** state) {
    (void)state;
    const float size = (float)vnt_scale(120, 250);
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    add_room(world, 20, 16, 6);

    bool low = false;
    for (float x = 50; x < size - 10; x += 12, low = !low) // a long way through the map, which is wide enough
        add_box(world, (vn_vec3){x, low ? 0 : 12, 0}, (vn_vec3){x + 1, low ? size - 12 : size, size}, 0);

    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){size, size, size};
    const vn_layer_def layer_defs[3] = {{0, 0}, {1, 0}, {3, 0}};
    vn_layers* layers;
    assert_int_equal(vn_layers_bake(world, &def, layer_defs, 3, &layers, NULL), VN_OK);
    vn_query* all = make_query(NULL, layers, 1 << 18);
    vn_query* one = make_query(vn_layers_space(layers, 0), NULL, 1 << 18);
    vn_point in = vn_voxel_center((vn_voxel){28, 28, 28}),
             out = vn_voxel_center((vn_voxel){(int32_t)size - 3, (int32_t)size / 2, (int32_t)size / 2});
    vn_point before = vn_voxel_center((vn_voxel){45, (int32_t)size / 2, (int32_t)size / 2});
    vn_point corner = vn_voxel_center((vn_voxel){20, 20, 20});
    vn_passage p;
    assert_int_equal(vn_query_find_passage(all, in, out, 0, 3, 0, &p, NULL), VN_OK);
    assert_true(p.radius == 2);
    assert_true(p.layer_radius == 1);
    assert_true(!p.limited);
    assert_true(p.expanded < 300);
    assert_int_equal(vn_query_find_passage(all, out, in, 0, 3, 0, &p, NULL), VN_OK);
    assert_true(p.radius == 2);
    assert_true(p.layer_radius == 1);
    assert_true(!p.limited);
    assert_true(p.expanded < 300);
    assert_int_equal(vn_query_find_passage(all, corner, out, 0, 3, 0, &p, NULL), VN_OK);
    assert_true(p.radius == 0);
    assert_true(p.layer_radius == 0);
    assert_true(p.expanded < 300);
    assert_int_equal(vn_query_find_passage(one, in, before, 0, 3, 0, &p, NULL), VN_OK);
    assert_true(p.radius == 2);
    assert_true(p.layer_radius == 0);
    assert_true(!p.limited);
    assert_true(p.expanded < 16 * 16 * 16);
    vn_query_destroy(all);
    vn_query_destroy(one);
    vn_layers_destroy(layers);
    vn_world_destroy(world);
}

// --------------------------------------------------------------------------------------------------- calls

static void test_failures(void** state) {
    (void)state;
    vn_space* space = two_rooms();
    vn_query* query = make_query(space, NULL, 0);
    vn_point in = vn_voxel_center((vn_voxel){9, 15, 7}), wall = vn_voxel_center((vn_voxel){19, 25, 7}),
             outside = {-1, 0, 0}, beyond = {0, 0, 15 * VN_LATTICE + 1};
    vn_passage p;
    vn_detail detail = {0};
    assert_int_equal(vn_query_find_passage(query, wall, in, 0, 1, 0, &p, &detail), VN_START_BLOCKED);
    assert_int_equal(vn_query_find_passage(query, in, wall, 0, 1, 0, &p, &detail), VN_GOAL_BLOCKED);
    assert_int_equal(vn_query_find_passage(query, outside, in, 0, 1, 0, &p, &detail), VN_OUTSIDE);
    assert_non_null(strstr(detail.text, "start"));
    assert_int_equal(vn_query_find_passage(query, in, beyond, 0, 1, 0, &p, &detail), VN_OUTSIDE);
    assert_non_null(strstr(detail.text, "goal"));
    assert_int_equal(vn_query_find_passage(query, in, in, 0, -1, 0, &p, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_query_find_passage(query, in, in, 0, (double)NAN, 0, &p, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(p.status, VN_BAD_ARGUMENT);
    assert_int_equal(vn_query_find_passage(query, in, in, 7, 0.5, 0, &p, NULL),
                     VN_OK); // one space: for all flags
    assert_true(p.limited);
    assert_true(p.radius == 0.5);
    assert_true(p.expanded == 0);
    vn_query_destroy(query);
    vn_query_def def = vn_default_query_def();
    def.scratch = VN_SCRATCH_CELLS;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    assert_int_equal(vn_query_find_passage(query, in, in, 0, 1, 0, &p, &detail), VN_UNSUPPORTED);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

static void test_no_layer_for_flags(void** state) {
    (void)state;
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    vn_layers* layers;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    vn_space_def def = vn_default_space_def();
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){4, 4, 4};
    vn_layer_def layer = {0, 2};
    assert_int_equal(vn_layers_bake(world, &def, &layer, 1, &layers, NULL), VN_OK);
    vn_query* query = make_query(NULL, layers, 0);
    vn_passage p;
    vn_point at = vn_voxel_center((vn_voxel){1, 1, 1});
    assert_int_equal(vn_query_find_passage(query, at, at, 1, 1, 0, &p, NULL), VN_UNSUPPORTED);
    assert_int_equal(vn_query_find_passage(query, at, at, 3, HUGE_VAL, 0, &p, NULL), VN_OK);
    assert_true(p.limited);
    assert_true(p.radius == HUGE_VAL); // nothing is blocked
    vn_query_destroy(query);
    vn_layers_destroy(layers);
    vn_world_destroy(world);
}

static void test_budget(void** state) {
    (void)state;
    vn_space* space = two_rooms();
    vn_query* query = make_query(space, NULL, 0);
    vn_point start = vn_voxel_center((vn_voxel){9, 15, 7}), goal = vn_voxel_center((vn_voxel){34, 15, 7});
    vn_passage free_of_limits, p;
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 10, 0, &free_of_limits, NULL), VN_OK);
    uint64_t need = free_of_limits.expanded;
    assert_true(need > 10);
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 10, need, &p, NULL), VN_OK);
    assert_true(p.expanded == need);
    assert_true(p.radius == free_of_limits.radius);
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 10, need - 1, &p, NULL), VN_BUDGET_SPENT);
    assert_true(p.expanded == need - 1);
    assert_true(p.radius == 0);
    assert_true(!p.limited);
    vn_query_destroy(query);
    vn_space_destroy(space);
}

static void test_allocates_nothing(void** state) {
    (void)state;
    vn_space* space = two_rooms();
    vnt_memory memory = vnt_memory_make();
    vn_query_def def = vn_default_query_def();
    def.allocator = vnt_memory_allocator(&memory);
    def.scratch = VN_SCRATCH_ALL;
    vn_query* query;
    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    uint64_t calls = memory.calls;
    vn_passage a, b;
    vn_point start = vn_voxel_center((vn_voxel){9, 15, 7}), goal = vn_voxel_center((vn_voxel){34, 15, 7});
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 10, 0, &a, NULL), VN_OK);
    assert_int_equal(vn_query_find_passage(query, start, goal, 0, 10, 0, &b, NULL), VN_OK);
    assert_true(a.radius == b.radius);
    assert_true(a.expanded == b.expanded);
    assert_memory_equal(&a.bottleneck, &b.bottleneck, sizeof a.bottleneck);
    assert_int_equal(memory.calls, calls);
    vn_query_destroy(query);
    assert_int_equal(memory.live_blocks, 0);
    vn_space_destroy(space);
}

static bool count_box(void* user, vn_voxel low, vn_voxel high, bool in_corridor) {
    (void)low;
    (void)high;
    (void)in_corridor;
    ++*(uint32_t*)user;
    return true;
}

/// A search that is running ends; the result of one that has ended stays, and what it expanded too unless its
/// scratch was used again.
static void test_ends_a_search(void** state) {
    (void)state;
    vn_space* space = two_rooms();
    vn_query_def def = vn_default_query_def();
    def.scratch = VN_SCRATCH_ALL;
    vn_query* query;

    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    for (int cells = 0; cells < 2; ++cells) {
        vn_path_request request = vn_default_path_request();
        request.algo = cells ? VN_ALGO_CELLS : VN_ALGO_ASTAR;
        request.start = vn_voxel_center((vn_voxel){9, 15, 7});
        request.goal = vn_voxel_center((vn_voxel){34, 15, 7});
        vn_path_result result;
        vn_passage p;
        assert_int_equal(vn_query_begin(query, &request, NULL), VN_OK);
        assert_int_equal(vn_query_step(query, 1), VN_RUNNING);
        assert_int_equal(vn_query_find_passage(query, request.start, request.goal, 0, 1, 0, &p, NULL), VN_OK);
        assert_int_equal(vn_query_step(query, 1), VN_BAD_ORDER);
        assert_int_equal(vn_query_finish(query, &result), VN_BAD_ORDER);
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        assert_int_equal(vn_query_find_passage(query, request.start, request.goal, 0, 1, 0, &p, NULL), VN_OK);
        uint32_t boxes = 0, points;
        vn_query_visit_expanded(query, count_box, &boxes);
        assert_int_equal(boxes > 0, cells);
        vn_query_points(query, &points);
        assert_int_equal(points, result.point_count);
    }

    vn_query_destroy(query);
    vn_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_space),     cmocka_unit_test(test_layers),
        cmocka_unit_test(test_bakes_agree),   cmocka_unit_test(test_bottleneck),
        cmocka_unit_test(test_shared_voxels), cmocka_unit_test(test_door),
        cmocka_unit_test(test_walls_outside), cmocka_unit_test(test_small_room),
        cmocka_unit_test(test_failures),      cmocka_unit_test(test_no_layer_for_flags),
        cmocka_unit_test(test_budget),        cmocka_unit_test(test_allocates_nothing),
        cmocka_unit_test(test_ends_a_search),
    };

    return cmocka_run_group_tests_name("query/passage", tests, NULL, NULL);
}
