/// nav and sensors: a map told in batches, at any number of workers, in either mode, with several radii, is
/// in the end the bake of the whole, byte for byte; results name unknown space; memory that runs out.
#include "scene.h"
#include "sensor.h"

#include "volnav/io.h"
#include "volnav/store.h"

#include <stdio.h>

// ---------------------------------------------------------------------------------------------------- bytes

typedef struct bytes {
    uint8_t* data;
    size_t size, capacity;
} bytes;

static bool append(void* user, const void* data, size_t size) {
    bytes* to = user;
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->data = realloc(to->data, to->capacity);
    }

    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

static bytes save_nav(const vn_nav* nav) {
    bytes b = {NULL, 0, 0};
    const vn_sink sink = {append, &b};
    const vn_store_def def = vn_default_store_def();
    assert_int_equal(vn_nav_write(nav, &def, NULL, &sink, NULL), VN_OK);
    return b;
}

/// Compares the newest version with a bake.
static void check_bake(vn_nav* nav, const vn_world* world, const vn_nav_def* def) {
    vn_layers* layers;
    assert_int_equal(vn_layers_bake(world, &def->space, def->layers, def->layer_count, &layers, NULL), VN_OK);
    for (uint32_t i = 0; i < def->layer_count; ++i) {
        uint64_t version;
        const vn_space* now = vn_nav_pin(nav, (double)def->layers[i].radius, 0, &version);
        assert_true(vn_space_content_hash(now) == vn_space_content_hash(vn_layers_space(layers, i)));
        assert_int_equal(vn_nav_unpin(nav, version), VN_OK);
    }

    vn_layers_destroy(layers);
}

/// The nav of a world that knows everything from the beginning, as bytes; `nav` has the same content.
static bytes save_whole(const vnt_sensor* s, const vn_nav_def* def, vn_nav* nav) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    vn_nav* whole;
    vn_sense_batch ids = {0};
    world_def.origin = s->origin;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vnt_sensor_add(s, world, true, &ids), VN_OK);
    check_bake(nav, world, def);
    assert_int_equal(vn_nav_create(world, def, &whole, NULL), VN_OK);
    bytes b = save_nav(whole);
    vn_nav_destroy(whole);
    return b;
}

static void check_same(bytes* a, bytes* b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
    free(a->data);
    free(b->data);
}

// --------------------------------------------------------------------------------------------------- replay

static vn_nav* make_nav(const vnt_sensor* s, const vn_nav_def* def, vn_sense_batch* ids) {
    vn_world_def world_def = vn_default_world_def();
    vn_world* world;
    vn_nav* nav;
    world_def.allocator = def->allocator;
    world_def.origin = s->origin;
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    assert_int_equal(vnt_sensor_add(s, world, false, ids), VN_OK);
    assert_int_equal(vn_nav_create(world, def, &nav, NULL), VN_OK);
    return nav;
}

static vn_nav_def sensor_def(const vnt_sensor* s) {
    vn_nav_def def = vn_default_nav_def();
    def.space.resolution = s->size;
    def.space.unknown = VN_UNKNOWN_REFUSED;
    def.layer_count = 2;
    def.layers[1].radius = 1.9f * s->size;
    return def;
}

/// Ticks until everything that was told is in a version.
static void settle(vn_nav* nav) {
    vn_nav_stats stats;
    do {
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
        vn_nav_get_stats(nav, &stats);
    } while (stats.version_lag > 0 || stats.pending_changes > 0);
}

static void replay(vnt_sensor* s, const vn_nav_def* def, uint32_t batches, uint32_t most) {
    vn_sense_batch batch = {0};
    vn_nav* nav = make_nav(s, def, &batch);
    for (uint32_t i = 0; i < batches; ++i) {
        uint32_t outside = 1;
        vnt_sensor_batch(s, i, batches, most, &batch);
        assert_int_equal(vn_nav_sense(nav, &batch, &outside, NULL), VN_OK);
        assert_int_equal(outside, 0);
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
    }

    settle(nav);
    bytes told = save_nav(nav), whole = save_whole(s, def, nav);
    check_same(&told, &whole);
    vn_nav_destroy(nav);
}

/// A hall with pillars behind a wall with a door; beyond its walls nothing is known.
static vnt_sensor make_hall(void) {
    vnt_sensor s = vnt_sensor_make((vn_voxel){90, 40, 20}, 0.25f);
    const vn_voxel_box all = {{0, 0, 0}, {90, 40, 20}}, hall = {{3, 3, 3}, {87, 37, 17}},
                       inner = {{4, 4, 4}, {86, 36, 16}}, wall = {{40, 4, 4}, {42, 36, 16}},
                       door = {{40, 10, 4}, {42, 16, 12}};
    s.origin = (vn_dvec3){100, -20, 5};
    vnt_sensor_fill(&s, &all, VN_VOXEL_UNKNOWN);
    vnt_sensor_fill(&s, &hall, VN_VOXEL_OCCUPIED);
    vnt_sensor_fill(&s, &inner, VN_VOXEL_FREE);
    vnt_sensor_fill(&s, &wall, VN_VOXEL_OCCUPIED);
    vnt_sensor_fill(&s, &door, VN_VOXEL_FREE);
    for (int32_t x = 10; x < 80; x += 14) {
        const vn_voxel_box pillar = {{x, 20, 4}, {x + 3, 23, 16}};
        vnt_sensor_fill(&s, &pillar, VN_VOXEL_OCCUPIED);
    }

    vnt_sensor_ready(&s);
    return s;
}

static void batches_become_the_bake_of_the_whole(void** state) {
    (void)state;
    vnt_sensor s = make_hall();
    for (uint32_t i = 0; i < 12; ++i) {
        vn_nav_def def = sensor_def(&s);
        def.mode = i % 2 ? VN_NAV_LOCKSTEP : VN_NAV_REALTIME;
        def.workers = VOLNAV_THREADS ? i / 2 % 3 : 0;
        def.policy = (vn_update_policy)(i < 6 ? VN_UPDATE_ALWAYS : VN_UPDATE_EVERY_N);
        def.budget = i == 0 ? 300 : 0;
        def.space.unknown = (vn_unknown_policy)(i % 4 == 3 ? VN_UNKNOWN_BLOCKED : VN_UNKNOWN_REFUSED);
        replay(&s, &def, 30, 9000);
    }

    vnt_sensor_free(&s);
}

/// Long runs only, with VN_DATA naming the folder of the shared data.
static void a_real_map_in_200_batches(void** state) {
    (void)state;
    const char* data = getenv("VN_DATA");
    if (vnt_scale(0, 1) == 0 || data == NULL)
        skip();

    char path[1024];
    vn_octomap map;
    snprintf(path, sizeof path, "%s/real/geb079.bt", data);
    assert_int_equal(vn_octomap_read_file(path, NULL, &map, NULL), VN_OK);
    vnt_sensor s = vnt_sensor_octomap(&map);
    vn_nav_def def = sensor_def(&s);
    def.workers = VOLNAV_THREADS ? 1 : 0;
    replay(&s, &def, 200, 100000);
    vnt_sensor_free(&s);
    vn_octomap_free(&map);
}

// -------------------------------------------------------------------------------------------------- results

static vn_status ask(vn_nav* nav, vn_dvec3 from, vn_dvec3 to, vn_nav_result* out) {
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    request.path.use_positions = true;
    request.path.start_position = from;
    request.path.goal_position = to;
    request.path.radius = 0;
    assert_int_equal(vn_nav_submit(nav, &request, &id, NULL), VN_OK);
    do
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
    while (!vn_nav_next_result(nav, out));
    vn_nav_release_result(nav, id);
    return out->result.status;
}

/// What is not known yet is named; a path appears when the way is known, and is blocked by what is seen.
static void results_follow_what_is_known(void** state) {
    (void)state;
    vnt_sensor s = make_hall();
    vn_nav_def def = sensor_def(&s);
    vn_sense_batch batch = {0};
    vn_nav* nav = make_nav(&s, &def, &batch);
    const vn_dvec3 from = {102, -17, 7}, to = {120, -17, 7}; // voxels (8, 12, 8) and (80, 12, 8)
    vn_nav_result result;
    assert_int_equal(ask(nav, from, to, &result), VN_UNKNOWN_SPACE);

    for (uint32_t i = 0; i < 30; ++i) {
        vnt_sensor_batch(&s, i, 30, 9000, &batch);
        assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_OK);
        const vn_status status = ask(nav, from, to, &result);
        assert_int_equal(status, i < 27 ? VN_UNKNOWN_SPACE : VN_OK);
    }

    // the door closes
    static vn_voxel door[2 * 6 * 8];
    uint32_t count = 0;
    for (int32_t k = 0; k < 2 * 6 * 8; ++k)
        door[count++] = (vn_voxel){40 + k % 2, 10 + k / 2 % 6, 4 + k / 12};
    batch.voxels = door;
    batch.states = NULL;
    batch.state = VN_VOXEL_OCCUPIED;
    batch.count = count;
    assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_OK);
    assert_int_equal(ask(nav, from, to, &result), VN_NO_PATH);
    batch.state = VN_VOXEL_UNKNOWN;
    assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_OK);
    assert_int_equal(ask(nav, from, to, &result), VN_NO_PATH);
    batch.state = VN_VOXEL_FREE;
    assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_OK);
    assert_int_equal(ask(nav, from, to, &result), VN_OK);

    // positions in metres; those beyond the grid are counted
    const vn_dvec3 seen[3] = {{110.3, -17, 7}, {-4, 0, 0}, {110.3, -17, 1e9}};
    uint32_t outside = 0;
    batch.voxels = NULL;
    batch.positions = seen;
    batch.count = 3;
    assert_int_equal(vn_nav_sense(nav, &batch, &outside, NULL), VN_OK);
    assert_int_equal(outside, 2);

    // what it cannot take changes nothing
    vn_nav_stats stats;
    vn_nav_get_stats(nav, &stats);
    const uint32_t pending = stats.pending_changes;
    batch.state = (vn_voxel_state)7;
    assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_BAD_DATA);
    batch.occupied.generation += 1;
    assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_STALE_ID);
    vn_nav_get_stats(nav, &stats);
    assert_int_equal(stats.pending_changes, pending);
    vn_nav_destroy(nav);
    vnt_sensor_free(&s);
}

/// Many batches before an update are one change for each set, and their memory is counted.
static void batches_are_joined(void** state) {
    (void)state;
    vnt_sensor s = make_hall();
    vn_nav_def def = sensor_def(&s);
    vn_sense_batch batch = {0};
    vn_nav* nav = make_nav(&s, &def, &batch);
    vn_nav_stats stats;
    vn_memory before, after;
    vn_nav_get_memory(nav, &before);
    for (uint32_t i = 0; i < 30; ++i) {
        vnt_sensor_batch(&s, i, 30, 9000, &batch);
        assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_OK);
        vn_nav_get_stats(nav, &stats);
        assert_int_equal(stats.pending_changes, 2);
    }

    // 21 x 9 x 4 cubes of 4^3 voxels, 24 bytes each, in two lists; no more than twice that
    vn_nav_get_memory(nav, &after);
    assert_true(after.total > before.total + 2 * 24 * 600);
    assert_true(after.total < before.total + 4 * 24 * 22 * 10 * 5);
    settle(nav);
    bytes told = save_nav(nav), whole = save_whole(&s, &def, nav);
    check_same(&told, &whole);
    vn_nav_destroy(nav);
    vnt_sensor_free(&s);
}

/// Last moment: what is seen beside a watched path waits, what is seen on it is an update and an event.
static void a_watched_path_is_blocked_by_what_is_seen(void** state) {
    (void)state;
    vnt_sensor s = make_hall();
    vn_nav_def def = sensor_def(&s);
    vn_sense_batch batch = {0};
    vn_nav_event event;
    vn_nav_stats before, after;
    vn_watch_id watch;
    vn_detail detail;
    def.policy = VN_UPDATE_LAST_MOMENT;
    vn_nav* nav = make_nav(&s, &def, &batch);
    for (uint32_t i = 0; i < 30; ++i) {
        vnt_sensor_batch(&s, i, 30, 9000, &batch);
        assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_OK);
    }

    // from voxel (44, 12, 8) to (84, 12, 8), along x
    vn_nav_result result;
    assert_int_equal(ask(nav, (vn_dvec3){111.1, -16.9, 7.1}, (vn_dvec3){121.1, -16.9, 7.1}, &result), VN_OK);
    const vn_point path[2] = {vn_voxel_center((vn_voxel){44, 12, 8}), vn_voxel_center((vn_voxel){84, 12, 8})};
    vn_watch_def watch_def = vn_default_watch_def();
    watch_def.radius = 0;
    assert_int_equal(vn_nav_watch_points(nav, path, 2, &watch_def, &watch, &detail), VN_OK);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
    while (vn_nav_next_event(nav, &event))
        assert_int_equal(event.kind, VN_EVENT_VERSION);

    for (int on_path = 0; on_path < 2; ++on_path) {
        const vn_voxel voxel = {60, on_path ? 12 : 30, 8};
        batch = (vn_sense_batch){.occupied = batch.occupied,
                                 .unknown = batch.unknown,
                                 .voxels = &voxel,
                                 .state = VN_VOXEL_OCCUPIED,
                                 .count = 1};
        // each in a round of its own: the box of a change is around all of its cubes
        vn_nav_get_stats(nav, &before);
        assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_OK);
        for (int i = 0; i < 3; ++i)
            assert_int_equal(vn_nav_tick(nav, NULL), VN_OK);
        vn_nav_get_stats(nav, &after);
        assert_true((after.version > before.version) == on_path);
    }

    bool blocked = false;
    while (vn_nav_next_event(nav, &event))
        blocked = blocked || (event.kind == VN_EVENT_PATH_BLOCKED && event.watch == watch);
    assert_true(blocked);
    vn_nav_destroy(nav);
    vnt_sensor_free(&s);
}

// --------------------------------------------------------------------------------------------------- saving

static vn_layers* load(const bytes* file, const vn_allocator* allocator) {
    vn_load_def def = vn_default_load_def();
    vn_layers* layers = NULL;
    def.allocator = *allocator;
    assert_int_equal(vn_layers_read(file->data, file->size, &def, &layers, NULL), VN_OK);
    return layers;
}

/// A nav that was saved in the middle goes on with the map that it had: its world only has to have the sets.
static void a_saved_map_goes_on(void** state) {
    (void)state;
    vnt_sensor s = make_hall();
    vn_nav_def def = sensor_def(&s);
    vn_sense_batch batch = {0}, ids = {0};
    vn_nav *first = make_nav(&s, &def, &batch), *second = NULL;
    for (uint32_t i = 0; i < 30; ++i) {
        vnt_sensor_batch(&s, i, 30, 9000, &batch);
        assert_int_equal(vn_nav_sense(first, &batch, NULL, NULL), VN_OK);
        settle(first);
        if (second != NULL) {
            assert_int_equal(vn_nav_sense(second, &batch, NULL, NULL), VN_OK);
            settle(second);
            bytes a = save_nav(first), b = save_nav(second);
            check_same(&a, &b);
        }

        if (i % 7 != 3)
            continue;
        vn_world_def world_def = vn_default_world_def();
        vn_world* world;
        bytes file = save_nav(first);
        vn_layers* layers = load(&file, &def.allocator);
        world_def.origin = s.origin;
        vn_nav_destroy(second);
        assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
        assert_int_equal(vnt_sensor_add(&s, world, false, &ids), VN_OK);
        assert_int_equal(vn_nav_create_baked(world, layers, &def, &second, NULL), VN_OK);
        vn_layers_destroy(layers);
        free(file.data);
    }

    vn_nav_destroy(first);
    vn_nav_destroy(second);
    vnt_sensor_free(&s);
}

/// A world without the sets, with smaller ones, or with one obstacle more is another one, and stays as it is.
static void a_saved_map_of_another_world_is_refused(void** state) {
    (void)state;
    vnt_sensor s = make_hall();
    vn_nav_def def = sensor_def(&s);
    vn_sense_batch batch = {0}, ids = {0};
    vn_nav *nav = make_nav(&s, &def, &batch), *none = NULL;
    vnt_sensor_batch(&s, 29, 30, 9000, &batch);
    assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_OK);
    settle(nav);
    bytes file = save_nav(nav);
    vn_layers* layers = load(&file, &def.allocator);
    for (int i = 0; i < 3; ++i) {
        vn_world_def world_def = vn_default_world_def();
        vn_world* world;
        vnt_sensor other = s;
        const vn_shape box = vnt_box_shape(vnt_vec(1, 1, 1), vnt_vec(2, 2, 2));
        vn_detail detail;
        other.dims.x -= i == 1 ? 40 : 0;
        world_def.origin = s.origin;
        assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
        if (i > 0)
            assert_int_equal(vnt_sensor_add(&other, world, false, &ids), VN_OK);
        assert_int_equal(vn_world_add(world, &box, NULL, NULL), VN_OK);
        const uint64_t hash = vn_world_hash(world);
        assert_int_equal(vn_nav_create_baked(world, layers, &def, &none, &detail), VN_STALE);
        assert_true(vn_world_hash(world) == hash);
        vn_world_destroy(world);
    }

    vn_layers_destroy(layers);
    free(file.data);
    vn_nav_destroy(nav);
    vnt_sensor_free(&s);
}

/// Each allocation of loading fails once: nothing leaks, and the world stays as it was.
static void loading_survives_lack_of_memory(void** state) {
    (void)state;
    vnt_sensor s = make_hall();
    vn_nav_def def = sensor_def(&s);
    vn_sense_batch batch = {0};
    def.max_requests = def.max_watches = 1;
    vn_nav* nav = make_nav(&s, &def, &batch);
    vnt_sensor_batch(&s, 20, 30, 9000, &batch);
    assert_int_equal(vn_nav_sense(nav, &batch, NULL, NULL), VN_OK);
    settle(nav);
    bytes file = save_nav(nav);
    bool done = false;
    for (uint64_t k = 0; !done; k += vnt_scale(5, 1)) {
        vnt_memory memory = vnt_memory_make();
        vn_world_def world_def = vn_default_world_def();
        vn_load_def load_def = vn_default_load_def();
        vn_sense_batch ids = {0};
        vn_layers* layers = NULL;
        vn_world* world;
        vn_nav* again = NULL;
        def.allocator = load_def.allocator = world_def.allocator = vnt_memory_allocator(&memory);
        world_def.origin = s.origin;
        assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
        assert_int_equal(vnt_sensor_add(&s, world, false, &ids), VN_OK);
        const uint64_t hash = vn_world_hash(world);
        memory.fail_at = memory.calls + k;
        vn_status status = vn_layers_read(file.data, file.size, &load_def, &layers, NULL);
        if (status == VN_OK)
            status = vn_nav_create_baked(world, layers, &def, &again, NULL);
        done = status == VN_OK;
        assert_true(done || status == VN_OUT_OF_MEMORY);
        assert_true(done || vn_world_hash(world) == hash);
        vn_nav_destroy(again);
        if (!done)
            vn_world_destroy(world);
        vn_layers_destroy(layers);
        assert_int_equal(memory.live_blocks, 0);
        assert_true(!memory.mismatch);
    }

    free(file.data);
    vn_nav_destroy(nav);
    vnt_sensor_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_become_the_bake_of_the_whole),
        cmocka_unit_test(results_follow_what_is_known),
        cmocka_unit_test(batches_are_joined),
        cmocka_unit_test(a_watched_path_is_blocked_by_what_is_seen),
        cmocka_unit_test(a_saved_map_goes_on),
        cmocka_unit_test(a_saved_map_of_another_world_is_refused),
        cmocka_unit_test(loading_survives_lack_of_memory),
        cmocka_unit_test(a_real_map_in_200_batches),
    };

    return cmocka_run_group_tests_name("nav/sensed", tests, NULL, NULL);
}
