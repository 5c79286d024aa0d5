/// Queries that go from one version of changing layers to the next: scratch to spare, zones that stand, and
/// requests that are checked without a search.
#include "cmocka_all.h"
#include "support.h"

#include "query/last_search.h"
#include "query/versions.h"
#include "space/space.h"
#include "volnav/path.h"
#include "volnav/world.h"

#include <math.h>

/// A hall of 24 x 8 x 8 metres with `pillars` pillars, for two radii.
static vn_layers* make_layers(uint32_t pillars) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    for (uint32_t i = 0; i < pillars; ++i) {
        const float x = 3 + 5 * (float)i;
        const vn_shape pillar = {.kind = VN_SHAPE_BOX, .as.box = {{x, 3, 0}, {x + 1, 4, 6}}};
        assert_int_equal(vn_world_add(world, &pillar, NULL, NULL), VN_OK);
    }

    vn_space_def def = vn_default_space_def();
    const vn_layer_def defs[2] = {{3, 0}, {0.5f, 0}};
    vn_layers* layers;
    def.has_bounds = true;
    def.bounds = (vn_box){{0, 0, 0}, {24, 8, 8}};
    assert_int_equal(vn_layers_bake(world, &def, defs, 2, &layers, NULL), VN_OK);
    vn_world_destroy(world);
    return layers;
}

static uint32_t cells_of(const vn_layers* layers, uint32_t index) {
    return vni_cells_count(&vn_layers_space(layers, index)->cells);
}

static vn_path_request request_of(float radius) {
    vn_path_request request = vn_default_path_request();
    request.start = vn_voxel_center((vn_voxel){0, 0, 0});
    request.goal = vn_voxel_center((vn_voxel){23, 0, 0});
    request.radius = radius;
    return request;
}

/// The scratch is for the layer with the most cells, whichever that is, and for as many more as are spared.
static void scratch_to_spare(void** state) {
    (void)state;
    vn_layers *few = make_layers(1), *many = make_layers(4);
    assert_true(cells_of(few, 1) > cells_of(few, 0)); // the most, but not in the first layer
    assert_true(cells_of(many, 0) > cells_of(many, 1));
    assert_true(cells_of(many, 0) > cells_of(few, 1) + 1);
    const uint32_t more = cells_of(many, 0) - cells_of(few, 1);
    for (uint32_t spare = more - 1; spare <= more; ++spare) {
        vn_query_def def = vn_default_query_def();
        vn_query* query;
        vn_path_result result;
        assert_int_equal(vni_query_create_spare(few, &def, spare, &query, NULL), VN_OK);
        vn_path_request request = request_of(0.5f);
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(result.layer_radius == 0.5f);

        // Too many cells: nothing has changed.
        const vn_layers* used = spare < more ? few : many;
        assert_int_equal(vni_query_use_layers(query, many), spare < more ? VN_CAPACITY : VN_OK);
        assert_true(vni_query_last_search(query).layers == used);
        assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
        assert_true(vni_query_last_search(query).space == vn_layers_find(used, 0.5, 0));
        vn_query_destroy(query);
    }

    vn_layers_destroy(few);
    vn_layers_destroy(many);
}

/// More spare cells than there are numbers: the query is made for what there is.
static void more_than_can_be_spared(void** state) {
    (void)state;
    vn_layers* layers = make_layers(1);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    assert_int_equal(vni_query_create_spare(layers, &def, UINT32_MAX, &query, NULL), VN_OK);
    assert_int_equal(vni_query_use_layers(query, layers), VN_OK);
    vn_query_destroy(query);
    vn_layers_destroy(layers);
}

/// The last search and the field are forgotten with the layers; a running search is not interrupted.
static void other_layers_forget(void** state) {
    (void)state;
    vn_layers *few = make_layers(1), *many = make_layers(4);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_path_result result;
    vn_path_request request = request_of(0.5f);
    vn_field_request field = vn_default_field_request();
    double cost;
    assert_int_equal(vn_query_create_layers(many, &def, &query, NULL), VN_OK);
    assert_int_equal(vn_query_begin(query, &request, NULL), VN_OK);
    assert_int_equal(vni_query_use_layers(query, few), VN_BAD_ORDER);
    assert_true(vni_query_last_search(query).layers == many);
    vn_query_finish(query, &result);

    field.source = request.start;
    field.radius = 0.5f;
    assert_int_equal(vn_query_build_field(query, &field, NULL, NULL), VN_OK);
    assert_int_equal(vn_query_field_costs(query, &request.goal, 1, &cost), VN_OK);
    assert_int_equal(vni_query_use_layers(query, few), VN_OK);
    assert_int_equal(vn_query_field_costs(query, &request.goal, 1, &cost), VN_BAD_ORDER);
    assert_true(vni_query_last_search(query).layers == few);
    vn_query_destroy(query);
    vn_layers_destroy(few);
    vn_layers_destroy(many);
}

/// Standing zones count besides those of a request, until others replace them.
static void zones_stand(void** state) {
    (void)state;
    vn_layers* layers = make_layers(0);
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    vn_path_result result;
    vn_path_request request = request_of(0.5f);
    const vn_zone all = {.box = {{-1, -1, -1}, {25, 9, 9}}, .factor = 3},
                  part = {.box = {{10, -1, -1}, {11, 9, 9}}, .factor = 5};
    assert_int_equal(vn_query_create_layers(layers, &def, &query, NULL), VN_OK);
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    assert_true(fabs(result.cost - 23) < 1e-9);

    vni_query_use_zones(query, &all, 1);
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    assert_true(fabs(result.cost - 3 * 23) < 1e-9);
    request.zones = &part;
    request.zone_count = 1;
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    assert_true(fabs(result.cost - (3 * 22 + 5)) < 1e-6);

    vni_query_use_zones(query, NULL, 0);
    assert_int_equal(vn_query_find_path(query, &request, &result, NULL), VN_OK);
    assert_true(fabs(result.cost - (22 + 5)) < 1e-6);
    vn_query_destroy(query);
    vn_layers_destroy(layers);
}

/// The statuses of vn_query_begin, without a query.
static void requests_are_checked(void** state) {
    (void)state;
    vn_layers* layers = make_layers(1);
    vn_detail detail;
    vn_path_request request = request_of(0.5f);
    assert_int_equal(vni_query_check(layers, &request, &detail), VN_OK);
    request.radius = 4;
    assert_int_equal(vni_query_check(layers, &request, &detail), VN_UNSUPPORTED);
    request = request_of(0.5f);
    request.jitter = 2;
    assert_int_equal(vni_query_check(layers, &request, &detail), VN_BAD_ARGUMENT);
    request = request_of(0.5f);
    request.algo = VN_ALGO_ASTAR; // scratch for the cells search only
    assert_int_equal(vni_query_check(layers, &request, &detail), VN_UNSUPPORTED);
    request.cookie = 0;
    assert_int_equal(vni_query_check(layers, &request, &detail), VN_BAD_DEF);
    vn_layers_destroy(layers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratch_to_spare),     cmocka_unit_test(more_than_can_be_spared),
        cmocka_unit_test(other_layers_forget),  cmocka_unit_test(zones_stand),
        cmocka_unit_test(requests_are_checked),
    };

    return cmocka_run_group_tests_name("query/versions", tests, NULL, NULL);
}
