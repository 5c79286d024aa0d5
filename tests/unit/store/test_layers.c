/// Layers to bytes and back: the same content, the same answers, the same bytes; memory and sinks that fail.
#include "files.h"

#include "base/threads.h"
#include "space/layers.h"
#include "volnav/query.h"

#include <math.h>

static vnt_layers_def random_def(vni_rng* rng, int32_t limit) {
    vnt_layers_def def = {.dims = vnt_random_dims(rng, limit),
                          .layer_count = 1 + vni_rng_below(rng, 3),
                          .cells = vni_rng_below(rng, 4) != 0,
                          .unknown = (vn_unknown_policy)vni_rng_below(rng, 3)};
    return def;
}

static void expect_same_info(const vn_space* a, const vn_space* b) {
    vn_space_info m, n;
    memset(&m, 0, sizeof m);
    memset(&n, 0, sizeof n);
    vn_space_get_info(a, &m);
    vn_space_get_info(b, &n);
    assert_memory_equal(&m, &n, sizeof m);
    assert_true(vn_space_content_hash(a) == vn_space_content_hash(b));
    assert_true(vni_space_has_cells(a) == vni_space_has_cells(b));
    assert_true(vni_space_has_unknown(a) == vni_space_has_unknown(b));
}

/// Where memory is shared in one, it is in the other.
static void expect_same_sharing(const vn_space* a, const vn_space* b) {
    vn_memory m, n;
    vn_space_get_memory(a, &m);
    vn_space_get_memory(b, &n);
    assert_int_equal(m.total, n.total);
}

static void ask_both(vni_rng* rng, const vn_space* a, const vn_space* b) {
    vn_query_def def = vn_default_query_def();
    vn_space_info info;
    vn_query *first, *second;
    vn_path_result m, n;
    vn_space_get_info(a, &info);
    def.max_points = 1024;
    assert_int_equal(vn_query_create(a, &def, &first, NULL), VN_OK);

    assert_int_equal(vn_query_create(b, &def, &second, NULL), VN_OK);
    for (int i = 0; i < 4; ++i) {
        vn_path_request request = vn_default_path_request();
        uint32_t count_a, count_b;
        request.start = vnt_random_point(rng, info.dims, 256);
        request.goal = vnt_random_point(rng, info.dims, 256);
        request.algo = vni_space_has_cells(a) ? VN_ALGO_CELLS : VN_ALGO_ASTAR;
        request.snap_distance = 3;
        assert_int_equal(vn_query_find_path(first, &request, &m, NULL),
                         vn_query_find_path(second, &request, &n, NULL));
        const vn_point* p = vn_query_points(first, &count_a);
        const vn_point* q = vn_query_points(second, &count_b);
        assert_int_equal(count_a, count_b);
        assert_memory_equal(p, q, count_a * sizeof *p);
        assert_true(memcmp(&m.cost, &n.cost, sizeof m.cost) == 0);
        assert_true(vn_space_point_unknown(a, request.start) == vn_space_point_unknown(b, request.start));
        assert_true(vn_space_reachable(a, request.start, request.goal) ==
                    vn_space_reachable(b, request.start, request.goal));
    }

    vn_query_destroy(first);
    vn_query_destroy(second);
}

static void expect_round_trip(vni_rng* rng, const vn_layers* layers, const vn_store_def* def) {
    vn_load_def load = vn_default_load_def();
    vn_layers* back;
    vn_detail detail = {0};
    vnt_file file = vnt_write(layers, def);
    load.codec = def->codec;
    load.check_world_hash = true;
    load.world_hash = vn_layers_world_hash(layers);

    vn_status status = vn_layers_read(file.data, file.size, &load, &back, &detail);
    if (status != VN_OK)
        print_error("%s\n", detail.text);

    assert_int_equal(status, VN_OK);
    assert_int_equal(vn_layers_count(back), vn_layers_count(layers));
    assert_true(vn_layers_world_hash(back) == vn_layers_world_hash(layers));
    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        const vn_space *a = vn_layers_space(layers, i), *b = vn_layers_space(back, i);
        expect_same_info(a, b);
        expect_same_sharing(a, b);
        assert_int_equal(vn_space_validate(b, NULL), VN_OK);
        ask_both(rng, a, b);
    }

    vnt_file again = vnt_write(back, def);
    assert_int_equal(again.size, file.size);
    assert_memory_equal(again.data, file.data, file.size);
    vn_layers_destroy(back);
    vnt_file_free(&file);
    vnt_file_free(&again);
}

static void random_layers_come_back(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("random_layers_come_back", 1));
    const vn_codec codec = vnt_zero_codec();
    const vn_connection connections[2] = {{{1, 2, 3}, {4, 5, 6}, 7, true, 8},
                                          {{-1, 0, 0}, {0, 0, -1}, 0, false, 9}};
    for (uint32_t i = 0; i < vnt_scale(14, 300); ++i) {
        vnt_layers_def def = random_def(&rng, i % 4 == 0 ? 140 : 70);
        if (i % 4 == 0)
            def.layer_count = 1;

        vn_layers* layers = vnt_random_layers(&rng, &def);
        vn_store_def store = vn_default_store_def();
        store.codec = i % 2 ? &codec : NULL;
        store.connections = connections;
        store.connection_count = i % 3;
        store.comment = i % 3 ? "made by a test: \xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa6" : NULL;
        expect_round_trip(&rng, layers, &store);
        vn_layers_destroy(layers);
    }
}

/// One layer whose blocks are mostly open: they are written once.
static void open_space_is_small(void** state) {
    (void)state;
    vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    vn_store_def store = vn_default_store_def();
    const vn_layer_def layer = {0};
    vn_world* world;
    vn_layers* layers;
    vni_rng rng = vni_rng_make(1);
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){640, 640, 640};
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box.max = (vn_vec3){70, 20, 30};
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    assert_int_equal(vn_layers_bake(world, &def, &layer, 1, &layers, NULL), VN_OK);
    vnt_file file = vnt_write(layers, &store);
    assert_true(file.size < 1000 * 4 * 5 + 16000); // five numbers a block, and little else
    vnt_file_free(&file);
    expect_round_trip(&rng, layers, &store);
    vn_layers_destroy(layers);
    vn_world_destroy(world);
}

/// A box in one block and unseen space in the next: there the unknown voxels are all that is blocked.
static vn_layers* half_unseen(bool has_seed) {
    vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    const vn_layer_def layer = {0};
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    vn_world* world;
    vn_layers* layers;
    vn_obstacle_id unseen;

    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    shape.as.box.min = (vn_vec3){10, 10, 10};
    shape.as.box.max = (vn_vec3){20, 20, 20};
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    shape.as.box.min.x = 90;
    shape.as.box.max.x = 100;
    assert_int_equal(vn_world_add(world, &shape, &unseen, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(world, unseen, VN_FLAG_UNKNOWN), VN_OK);

    def.has_bounds = true;
    def.bounds.max = (vn_vec3){128, 64, 64};
    def.unknown = VN_UNKNOWN_REFUSED;
    def.has_seed = has_seed;
    def.seed = (vn_vec3){1.5f, 1.5f, 1.5f};
    assert_int_equal(vn_layers_bake(world, &def, &layer, 1, &layers, NULL), VN_OK);
    vn_world_destroy(world);

    return layers;
}

/// The unknown voxels of such a block take no memory of their own, however the space was made.
static void unseen_blocks_are_shared(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(1);
    const vn_store_def store = vn_default_store_def();
    for (int has_seed = 0; has_seed < 2; ++has_seed) {
        vn_layers* layers = half_unseen(has_seed);
        const vn_space* space = vn_layers_space(layers, 0);
        assert_int_equal(vn_layers_count(layers), 1);
        assert_non_null(space->unknown.table[1]);
        assert_ptr_equal(space->unknown.table[1], space->occupancy.table[1]);
        expect_round_trip(&rng, layers, &store);
        vn_layers_destroy(layers);
    }
}

/// Enough cells for several sections of each kind, read by two workers.
static void many_sections_in_parallel(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(3);
    vn_allocator allocator = vn_default_allocator();
    const vn_codec codec = vnt_zero_codec();

    vnt_voxels v = vnt_voxels_make((vn_voxel){140, 70, 66});
    for (size_t i = 0; i < (size_t)140 * 70 * 66; ++i)
        v.blocked[i] = vni_rng_below(&rng, 100) < 12;

    vn_jobs serial = vn_serial_jobs();
    vn_space* space = vnt_voxels_cells(&v, &serial);
    vn_layers* layers;
    assert_int_equal(vni_layers_adopt(&allocator, &space, 1, 5, &layers), VN_OK);
    vn_store_def store = vn_default_store_def();
    store.codec = &codec;
    vnt_file file = vnt_write(layers, &store);
    vni_bundle bundle;
    assert_int_equal(vni_bundle_open(file.data, file.size, &codec, &bundle, NULL), VN_OK);
    uint32_t sections;
    vni_bundle_find(&bundle, 0, VNI_TAG_CELLS, &sections);
    assert_true(sections > 3);
    vn_pool* pool;
    assert_int_equal(vn_pool_create(&allocator, VOLNAV_THREADS ? 2 : 1, &pool), VN_OK);
    vn_load_def load = vn_default_load_def();
    vn_layers* back;
    load.codec = &codec;
    load.jobs = vn_pool_jobs(pool);
    assert_int_equal(vn_layers_read(file.data, file.size, &load, &back, NULL), VN_OK);
    expect_same_info(space, vn_layers_space(back, 0));
    expect_same_sharing(space, vn_layers_space(back, 0));
    vn_layers_destroy(back);
    vn_pool_destroy(pool);
    vn_layers_destroy(layers);
    vnt_voxels_free(&v);
    vnt_file_free(&file);
}

// -------------------------------------------------------------------------------------------------- failing

static vn_layers* small_layers(uint64_t seed) {
    vni_rng rng = vni_rng_make(seed);
    const vnt_layers_def def = {{70, 20, 30}, 2, true, VN_UNKNOWN_REFUSED};
    vn_layers* layers = NULL;
    for (;;) { // some have nothing unknown
        layers = vnt_random_layers(&rng, &def);
        if (vni_space_has_unknown(vn_layers_space(layers, 0)))
            return layers;
        vn_layers_destroy(layers);
    }
}

static void memory_may_run_out(void** state) {
    (void)state;
    vn_layers* layers = small_layers(2);
    const vn_codec codec = vnt_zero_codec();
    vn_store_def store = vn_default_store_def();
    const vn_connection connection = {{1, 2, 3}, {4, 5, 6}, 7, true, 8};
    store.codec = &codec;
    store.comment = "a comment";
    store.connections = &connection;
    store.connection_count = 1;
    vnt_file file = vnt_file_make();

    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_sink sink = vnt_file_sink(&file);
        memory.fail_at = k;
        status = vn_layers_write(layers, &store, &allocator, &sink, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
        assert_true(status == VN_OK || file.calls == 0); // nothing half-written
    }

    status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_load_def load = vn_default_load_def();
        vn_layers* back;
        vn_detail detail = {0};
        load.codec = &codec;
        load.allocator = vnt_memory_allocator(&memory);
        memory.fail_at = k;
        status = vn_layers_read(file.data, file.size, &load, &back, &detail);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_true(status == VN_OK || detail.status == VN_OUT_OF_MEMORY);
        assert_true((back != NULL) == (status == VN_OK));
        vn_layers_destroy(back);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    vnt_file_free(&file);
    vn_layers_destroy(layers);
}

static void refuse_each_call(const vn_layers* layers, const vn_store_def* def) {
    vn_status status = VN_IO;
    for (uint32_t k = 0; status != VN_OK; ++k) {
        vnt_file file = vnt_file_make();
        vn_sink sink = vnt_file_sink(&file);
        vn_detail detail = {0};
        file.fail_at = k;
        status = vn_layers_write(layers, def, NULL, &sink, &detail);
        assert_int_equal(status, file.calls > k ? VN_IO : VN_OK);
        assert_int_equal(file.calls, status == VN_OK ? k : k + 1); // no call after a refusal
        assert_int_equal(detail.status, status);
        vnt_file_free(&file);
    }
}

static void sinks_may_refuse(void** state) {
    (void)state;
    vn_layers* layers = small_layers(4);
    vn_store_def store = vn_default_store_def();
    refuse_each_call(layers, &store);
    store.comment = "one section more, so that there is a gap after the table, or none";
    refuse_each_call(layers, &store);
    vn_layers_destroy(layers);
}

static void bad_defs_are_refused(void** state) {
    (void)state;
    vn_layers* layers = small_layers(5);
    vnt_file file = vnt_file_make();
    vn_sink sink = vnt_file_sink(&file);
    static char comment[4002];
    vn_connection connection = {{1, 2, 3}, {4, 5, 6}, -7, true, 8};
    vn_codec codec = {.id = 0};
    vn_store_def good = vn_default_store_def(), def = good;
    vn_detail detail = {0};
    def.cookie = 0;
    assert_int_equal(vn_layers_write(layers, &def, NULL, &sink, &detail), VN_BAD_DEF);
    def = good;
    def.codec = &codec;
    assert_int_equal(vn_layers_write(layers, &def, NULL, &sink, &detail), VN_BAD_ARGUMENT);
    def = good;
    def.connections = &connection;
    def.connection_count = 1;
    assert_int_equal(vn_layers_write(layers, &def, NULL, &sink, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(detail.index, 0);
    def.connection_count = VN_MAX_CONNECTIONS + 1;
    assert_int_equal(vn_layers_write(layers, &def, NULL, &sink, &detail), VN_BAD_ARGUMENT);
    def = good;
    memset(comment, 'x', 4001);
    def.comment = comment;
    assert_int_equal(vn_layers_write(layers, &def, NULL, &sink, &detail), VN_BAD_ARGUMENT);
    static const char* const no_text[] = {"\xff",
                                          "\xc3",
                                          "\xc0\x80",
                                          "\xe2\x28\xa1",
                                          "\xed\xa0\x80",
                                          "\xf5\x80\x80\x80",
                                          "\xf4\x90\x80\x80",
                                          "\xe0\x80\xaf",
                                          "\x80"};

    for (size_t i = 0; i < sizeof no_text / sizeof *no_text; ++i) {
        def.comment = no_text[i];
        assert_int_equal(vn_layers_write(layers, &def, NULL, &sink, &detail), VN_BAD_ARGUMENT);
    }

    assert_int_equal(file.calls, 0);
    vn_layers* back;
    vn_load_def load = vn_default_load_def();
    load.cookie = 1;
    assert_int_equal(vn_layers_read("", 0, &load, &back, &detail), VN_BAD_DEF);
    load = vn_default_load_def();
    load.allocator.resize = NULL;
    assert_int_equal(vn_layers_read("", 0, &load, &back, &detail), VN_BAD_ARGUMENT);
    load = vn_default_load_def();
    load.jobs.worker_count = 0;
    assert_int_equal(vn_layers_read("", 0, &load, &back, &detail), VN_BAD_ARGUMENT);
    vn_layers_destroy(layers);
}

// ----------------------------------------------------------------------------------------------------- info

static void info_tells_what_is_there(void** state) {
    (void)state;
    static vn_store_info info;
    static char comment[4001];
    vn_layers* layers = small_layers(6);
    const vn_codec codec = vnt_zero_codec();
    vn_store_def store = vn_default_store_def();
    vn_connection connections[VN_MAX_CONNECTIONS];

    memset(connections, 0, sizeof connections);
    for (uint32_t i = 0; i < VN_MAX_CONNECTIONS; ++i)
        connections[i] = (vn_connection){{(float)i, 0, 1}, {2, (float)i, 3}, (float)i, i % 2 == 0, i};

    memset(comment, 'c', 4000);
    store.codec = &codec;
    store.connections = connections;
    store.connection_count = VN_MAX_CONNECTIONS;
    store.comment = comment;
    vnt_file file = vnt_write(layers, &store);
    assert_int_equal(vn_store_read_info(file.data, file.size, &codec, &info, NULL), VN_OK);
    assert_int_equal(info.version, VN_STORE_VERSION);
    assert_false(info.is_record);
    assert_int_equal(info.bytes, file.size);
    assert_true(info.unpacked_bytes > file.size / 2);
    assert_true(info.world_hash == vn_layers_world_hash(layers));
    assert_int_equal(info.layer_count, 2);
    assert_string_equal(info.comment, comment);

    assert_int_equal(info.connection_count, VN_MAX_CONNECTIONS);
    for (uint32_t i = 0; i < VN_MAX_CONNECTIONS; ++i) {
        assert_true(connections[i].from.x == info.connections[i].from.x);
        assert_true(connections[i].to.y == info.connections[i].to.y);
        assert_true(connections[i].cost == info.connections[i].cost);
        assert_true(connections[i].id == info.connections[i].id);
        assert_true(connections[i].bidirectional == info.connections[i].bidirectional);
    }

    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 2; ++i) {
        vn_space_info want;
        memset(&want, 0, sizeof want);
        vn_space_get_info(vn_layers_space(layers, i), &want);
        assert_memory_equal(&info.layers[i], &want, sizeof want);
        bytes += info.layer_bytes[i];
    }

    assert_true(bytes > 0);
    assert_true(bytes < file.size);
    vn_detail detail = {0};
    assert_int_equal(vn_store_read_info(file.data, file.size, NULL, &info, &detail), VN_UNSUPPORTED);
    vnt_file_free(&file);
    vn_layers_destroy(layers);
}

/// Comments and connections that no writer writes.
static void info_refuses_what_cannot_be(void** state) {
    (void)state;
    static vn_store_info info;
    vn_layers* layers = small_layers(7);
    vn_store_def store = vn_default_store_def();
    const vn_connection connection = {{1, 2, 3}, {4, 5, 6}, 7, true, 8};
    store.connections = &connection;
    store.connection_count = 1;
    store.comment = "a comment";
    const vnt_file good = vnt_write(layers, &store);
    uint32_t last = vnt_head(&good).section_count - 1; // the connections; the comment is before them
    static const struct {
        uint32_t at;
        float number;
    } changes[] = {{0, INFINITY}, {20, NAN}, {24, -1}, {24, 2e6f}, {28, 2}};

    vn_detail detail = {0};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        vnt_file file = vnt_file_copy(&good);
        vni_file_entry entry = vnt_entry(&file, last);
        assert_int_equal(entry.tag, VNI_TAG_CONNECTIONS);
        memcpy(file.data + entry.offset + changes[i].at, &changes[i].number, sizeof(float));
        vnt_reseal(&file);
        assert_int_equal(vn_store_read_info(file.data, file.size, NULL, &info, &detail), VN_BAD_FORMAT);
        vnt_file_free(&file);
    }

    vnt_file file = vnt_file_copy(&good);
    vni_file_entry entry = vnt_entry(&file, last - 1);
    assert_int_equal(entry.tag, VNI_TAG_COMMENT);
    file.data[entry.offset + 2] = 0;
    vnt_reseal(&file);
    assert_int_equal(vn_store_read_info(file.data, file.size, NULL, &info, &detail), VN_BAD_FORMAT);
    vnt_file_free(&file);
    free(good.data);
    vn_layers_destroy(layers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_layers_come_back),   cmocka_unit_test(open_space_is_small),
        cmocka_unit_test(many_sections_in_parallel), cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(sinks_may_refuse),          cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(info_tells_what_is_there),  cmocka_unit_test(info_refuses_what_cannot_be),
        cmocka_unit_test(unseen_blocks_are_shared),
    };

    return cmocka_run_group_tests_name("store/layers", tests, NULL, NULL);
}
