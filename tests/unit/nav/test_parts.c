/// nav: its memory by part is what the allocator has given out.
#include "scene.h"

#include "query/versions.h"
#include "space/layers.h"
#include "volnav/store.h"

/// The parts add up to the total, and the total is all that is alive.
static void check_sum(vn_nav* nav, const vnt_memory* memory) {
    vn_memory parts;
    size_t sum = 0;
    vn_nav_get_memory(nav, &parts);
    for (uint32_t i = 0; i < parts.count; ++i)
        sum += parts.parts[i].bytes;

    assert_true(parts.count >= 7);
    assert_true(sum == parts.total);
    assert_int_equal(parts.total, memory->live_bytes);
}

static size_t part(vn_nav* nav, const char* name) {
    vn_memory parts;
    vn_nav_get_memory(nav, &parts);
    for (uint32_t i = 0; i < parts.count; ++i)
        if (strcmp(parts.parts[i].name, name) == 0)
            return parts.parts[i].bytes;

    fail();
    return 0;
}

/// Everything that allocates: obstacles that come and go, zones, requests, watches, pins, failing
/// allocations.
static void run(scene* s, vnt_memory* memory, uint32_t frames) {
    vn_obstacle_id added = {0, 0};
    for (uint32_t i = 0; i < frames; ++i) {
        const vn_shape hull = vnt_hull_shape();
        const vn_transform transform = scene_transform(&s->rng);
        vn_zone_def zone = vn_default_zone_def();
        vn_nav_request request = scene_request(&s->rng);
        vn_request_id id;
        vn_nav_result result;
        request.path.radius = 0;
        zone.shape = hull;
        memory->fail_at = i % 3 == 2 ? memory->calls + vni_rng_below(&s->rng, 12) : UINT64_MAX;
        scene_move_some(s, 8);
        (void)vn_nav_remove(s->nav, added);
        if (vn_nav_add_moving(s->nav, &hull, &transform, 0, &added, NULL) != VN_OK)
            added = (vn_obstacle_id){0, 0};

        (void)vn_nav_add(s->nav, &hull, 0, NULL, NULL);
        (void)vn_nav_add_zone(s->nav, &zone, NULL, NULL);
        check_sum(s->nav, memory);
        assert_int_equal(vn_nav_submit(s->nav, &request, &id, NULL), VN_OK);
        (void)vn_nav_tick(s->nav, NULL);
        check_sum(s->nav, memory);
        memory->fail_at = UINT64_MAX;
        if (vn_nav_next_result(s->nav, &result))
            vn_nav_release_result(s->nav, result.id);
    }
}

static void test_baking(void** state) {
    (void)state;
    scene s;
    vnt_memory memory = vnt_memory_make();
    vn_nav_def def = scene_small_def(&memory);
    def.layer_count = 2;
    def.layers[1].radius = 1;
    def.static_layers = 1;
    vn_world* world = scene_world(&s, vnt_seed("nav parts", 1), &def.allocator);
    assert_int_equal(vn_nav_create(world, &def, &s.nav, NULL), VN_OK);
    check_sum(s.nav, &memory);
    run(&s, &memory, 40);
    vn_nav_destroy(s.nav);
    assert_true(memory.live_blocks == 0);
}

/// Layers that the caller has destroyed are the nav's, down to the byte.
static void test_baked(void** state) {
    (void)state;
    scene s;
    vnt_memory memory = vnt_memory_make();
    vn_nav_def def = scene_small_def(&memory);
    const vn_layer_def layer_defs[2] = {{0, 0}, {1, 0}};
    vn_layers* layers;
    vn_world* world = scene_world(&s, vnt_seed("nav parts", 2), &def.allocator);
    def.static_layers = 2;
    assert_int_equal(vn_layers_bake(world, &def.space, layer_defs, 2, &layers, NULL), VN_OK);
    assert_int_equal(vn_nav_create_baked(world, layers, &def, &s.nav, NULL), VN_OK);
    vn_layers_destroy(layers);
    check_sum(s.nav, &memory);
    run(&s, &memory, 40);
    vn_nav_destroy(s.nav);
    assert_true(memory.live_blocks == 0);
}

/// The scratch of a search in the largest layer, with an eighth and 4096 cells to spare.
static size_t scratch_of(vn_nav* nav) {
    vnt_memory memory = vnt_memory_make();
    const vn_space* largest = NULL;
    uint64_t most = 0;
    for (double radius = 0; radius <= 2; radius += 2) {
        uint64_t version;
        vn_space_info info;
        const vn_space* space = vn_nav_pin(nav, radius, 0, &version); // the scene stays as it is
        if (space == NULL)
            continue;

        vn_space_get_info(space, &info);
        largest = info.cells >= most ? space : largest;
        most = info.cells >= most ? info.cells : most;
        assert_int_equal(vn_nav_unpin(nav, version), VN_OK);
    }

    const vn_layers layers = {.spaces = {(vn_space*)(uintptr_t)largest}, .count = 1};
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    def.allocator = vnt_memory_allocator(&memory);
    def.scratch = VN_SCRATCH_CELLS;
    assert_int_equal(vni_query_create_spare(&layers, &def, (uint32_t)most / 8 + 4096, &query, NULL), VN_OK);
    const size_t bytes = (size_t)memory.live_bytes;
    vn_query_destroy(query);
    return bytes;
}

/// Each part grows with what it is for.
static void test_parts(void** state) {
    (void)state;
    static const char* const names[] = {"world", "layers", "requests", "watches", "workers", "zones", "nav"};
    scene a, b;
    vn_nav_def def = scene_def();
    scene_start(&a, 3, &def);
    def.layer_count = 2;
    def.layers[1].radius = 2;
    def.max_requests *= 2;
    def.max_watches *= 2;
    scene_start(&b, 3, &def);
    for (uint32_t i = 0; i < 7; ++i) {
        const size_t one = part(a.nav, names[i]), two = part(b.nav, names[i]);
        const bool grows = i >= 1 && i <= 3;
        const size_t more = i == 4 ? scratch_of(b.nav) - scratch_of(a.nav) : 0; // of the largest layer
        assert_true(one > 0 && (grows ? two > one : two == one + more));
    }

    vn_nav_request request = scene_request(&a.rng);
    vn_request_id id;
    const size_t before = part(a.nav, "workers");
    assert_int_equal(vn_nav_submit(a.nav, &request, &id, NULL), VN_OK);
    assert_int_equal(vn_nav_tick(a.nav, NULL), VN_OK);
    assert_int_equal(part(a.nav, "workers"), before); // a nav without threads makes its scratch at creation
    vn_nav_destroy(a.nav);
    vn_nav_destroy(b.nav);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_baking),
        cmocka_unit_test(test_baked),
        cmocka_unit_test(test_parts),
    };

    return cmocka_run_group_tests_name("nav/parts", tests, NULL, NULL);
}
