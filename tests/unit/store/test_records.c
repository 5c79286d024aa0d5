/// Recorded requests: the result is found again, and a changed result is noticed.
#include "files.h"
#include "zones.h"

#include "query/query_inside.h"
#include "store/record.h"

// -------------------------------------------------------------------------------------------------- records

enum { PLANES = 4 };

typedef struct scene {
    vn_layers* layers;
    vn_query* query;
    vn_path_request request;
    vn_path_result result;
    vn_zone zones[3];
    vn_plane planes[3][PLANES];
    vn_connection connections[2];
} scene;

static vn_voxel dims_of(const scene* s) {
    vn_space_info info;
    vn_space_get_info(vn_layers_space(s->layers, 0), &info);
    return info.dims;
}

static vn_vec3 random_place(vni_rng* rng, vn_voxel dims) {
    return (vn_vec3){(float)(vni_rng_real(rng) * dims.x), (float)(vni_rng_real(rng) * dims.y),
                     (float)(vni_rng_real(rng) * dims.z)};
}

static vn_box box_around(vn_vec3 a, vn_vec3 b) {
    vn_box box = {{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z},
                  {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z}};
    return box;
}

/// A request with about everything that a request can have.
static void random_request(vni_rng* rng, scene* s, bool cells) {
    vn_voxel dims = dims_of(s);
    vn_path_request* r = &s->request;
    *r = vn_default_path_request();
    r->radius = 0;
    r->start = vnt_random_point(rng, dims, 256);
    r->goal = vnt_random_point(rng, dims, 256);
    r->algo = cells ? VN_ALGO_CELLS : (vn_algo)(1 + vni_rng_below(rng, 3));
    r->quality = (vn_quality)vni_rng_below(rng, VN_QUALITY_COUNT);
    r->snap_distance = vni_rng_below(rng, 4);
    r->allow_partial = vni_rng_below(rng, 2);
    r->budget = vni_rng_below(rng, 3) ? 0 : 1 + vni_rng_below(rng, 20);
    r->radius = vni_rng_below(rng, 2) ? 0.5f : 0;
    r->open_flags = vni_rng_below(rng, 2);

    r->zone_count = vni_rng_below(rng, 4);
    for (uint32_t i = 0; i < r->zone_count; ++i) {
        vn_zone* zone = &s->zones[i];
        zone->kind =
            vni_rng_below(rng, 2) ? VN_ZONE_BOX : (vn_zone_kind)vni_rng_below(rng, VN_ZONE_KIND_COUNT);
        zone->box = box_around(random_place(rng, dims), random_place(rng, dims));
        zone->factor = 0.5f + (float)vni_rng_real(rng) * 4;
        zone->flags = vni_rng_below(rng, 4);
        zone->center = random_place(rng, dims);
        zone->radius = (float)vni_rng_real(rng) * 20;
        zone->planes = s->planes[i];

        zone->plane_count = PLANES;
        for (uint32_t k = 0; k < PLANES; ++k)
            s->planes[i][k] =
                (vn_plane){{(float)vni_rng_range(rng, -2, 2), (float)vni_rng_range(rng, -2, 2), 1},
                           (float)vni_rng_range(rng, 0, 60)};
    }

    r->zones = s->zones;
    r->zone_flags = vni_rng_below(rng, 4);
    r->fuel = vn_default_fuel_model((vn_fuel_kind)vni_rng_below(rng, VN_FUEL_KIND_COUNT));
    r->fuel.max_climbs = cells ? 0 : vni_rng_below(rng, 3);
    const bool burns = r->fuel.kind != VN_FUEL_NONE;
    r->connection_count = cells && !burns ? vni_rng_below(rng, 3) : 0;
    for (uint32_t i = 0; i < r->connection_count; ++i)
        s->connections[i] = (vn_connection){random_place(rng, dims), random_place(rng, dims),
                                            (float)vni_rng_real(rng), vni_rng_below(rng, 2), i};

    r->connections = s->connections;
}

static void make_scene(vni_rng* rng, scene* s, bool cells, bool on_layers) {
    const vnt_layers_def def = {
        .dims = {70, 30, 40}, .layer_count = 3, .cells = cells, .unknown = VN_UNKNOWN_REFUSED};
    vn_query_def query_def = vn_default_query_def();
    memset(s, 0, sizeof *s);
    query_def.max_climbs = 2;
    s->layers = vnt_random_layers(rng, &def);
    query_def.max_points = 2 + vni_rng_below(rng, vni_rng_below(rng, 2) ? 500 : 5);

    query_def.max_nodes = 1 + vni_rng_below(rng, vni_rng_below(rng, 2) ? 100000 : 1000);
    if (on_layers)
        assert_int_equal(vn_query_create_layers(s->layers, &query_def, &s->query, NULL), VN_OK);
    else
        assert_int_equal(vn_query_create(vn_layers_space(s->layers, 1), &query_def, &s->query, NULL), VN_OK);
}

static void free_scene(scene* s) {
    vn_query_destroy(s->query);
    vn_layers_destroy(s->layers);
}

static vnt_file record(const scene* s, const vn_codec* codec) {
    vnt_file file = vnt_file_make();
    vn_sink sink = vnt_file_sink(&file);
    vn_store_def def = vn_default_store_def();
    vn_detail detail = {0};
    def.codec = codec;
    def.comment = "it flew into the wall";

    vn_status status = vn_record_write(s->query, &s->request, &s->result, &def, NULL, &sink, &detail);
    if (status != VN_OK)
        print_error("%s\n", detail.text);

    assert_int_equal(status, VN_OK);
    return file;
}

static vn_record* read_record(const vnt_file* file, const vn_codec* codec) {
    vn_load_def def = vn_default_load_def();
    vn_record* out;
    vn_detail detail = {0};
    def.codec = codec;

    vn_status status = vn_record_read(file->data, file->size, &def, &out, &detail);
    if (status != VN_OK)
        print_error("%s\n", detail.text);

    assert_int_equal(status, VN_OK);
    return out;
}

static void expect_same_result(const scene* s, const vn_record* r) {
    uint32_t count, recorded;
    const vn_point* points = vn_query_points(s->query, &count);
    const vn_point* again = vn_record_points(r, &recorded);
    assert_int_equal(count, recorded);
    if (count > 0)
        assert_memory_equal(points, again, count * sizeof *points);

    const vn_connection_use* uses = vn_query_connections(s->query, &count);
    const vn_connection_use* recorded_uses = vn_record_connections(r, &recorded);
    assert_int_equal(count, recorded);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(uses[i].point == recorded_uses[i].point);
        assert_true(uses[i].connection == recorded_uses[i].connection);
        assert_true(uses[i].reversed == recorded_uses[i].reversed);
    }

    const vn_path_request* request = vn_record_request(r);
    assert_int_equal(request->zone_count, s->request.zone_count);
    assert_int_equal(request->connection_count, s->request.connection_count);
    for (uint32_t i = 0; i < request->zone_count; ++i)
        expect_same_zone(&request->zones[i], &s->zones[i]);

    assert_int_equal(vn_record_result(r)->status, s->result.status);
    vn_replay replay;
    vn_detail detail = {0};
    assert_int_equal(vn_record_replay(r, NULL, &replay, &detail), VN_OK);
    if (!replay.same)
        print_error("%s\n", replay.text);

    assert_true(replay.same);
    assert_int_equal(replay.first_difference, VN_NO_POINT);
    assert_int_equal(replay.result.status, s->result.status);
    assert_int_equal(replay.result.reason, s->result.reason);
}

static void results_are_found_again(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("results_are_found_again", 31));
    const vn_codec codec = vnt_zero_codec();
    uint32_t found = 0, full = 0;
    for (uint32_t i = 0; i < vnt_scale(8, 100); ++i) {
        scene s;
        bool cells = i % 4 != 3, on_layers = i % 2;
        make_scene(&rng, &s, cells, on_layers);
        for (int k = 0; k < 6; ++k) {
            random_request(&rng, &s, cells);
            vn_status status = vn_query_find_path(s.query, &s.request, &s.result, NULL);
            vnt_file file = record(&s, k % 2 ? &codec : NULL);
            vn_record* r = read_record(&file, k % 2 ? &codec : NULL);
            expect_same_result(&s, r);
            assert_int_equal(vn_layers_count(vn_record_layers(r)), on_layers && status != VN_OK ? 3 : 1);
            found += status == VN_OK;
            full += s.result.reason == VN_CAPACITY;
            vn_record_destroy(r);
            vnt_file_free(&file);
        }

        free_scene(&s);
    }

    assert_true(found > 0);
    assert_true(full > 0); // its capacity decides too
}

/// Recorded, read and replayed, the last result is the same.
static void expect_replays(scene* s) {
    vnt_file file = record(s, NULL);
    vn_record* r = read_record(&file, NULL);
    expect_same_result(s, r);
    vn_record_destroy(r);
    vnt_file_free(&file);
}

/// A search that its caller gave up before the first step, though a step of none would have solved it.
static void cancelled_before_the_first_step(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(33);
    scene s;
    make_scene(&rng, &s, true, false);
    random_request(&rng, &s, false);
    const vn_path_request plain = vn_default_path_request();
    const vn_point start = s.request.start;
    s.request = plain;
    s.request.radius = 0;
    s.request.start = s.request.goal = start;
    assert_int_equal(vn_query_begin(s.query, &s.request, NULL), VN_OK);
    assert_int_equal(vn_query_step(s.query, 0), VN_OK);
    vn_query_finish(s.query, &s.result);

    assert_int_equal(vn_query_begin(s.query, &s.request, NULL), VN_OK);
    assert_int_equal(vn_query_finish(s.query, &s.result), VN_CANCELLED);
    expect_replays(&s);
    free_scene(&s);
}

/// A search that its caller gave up.
static void cancelled_searches(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(32);
    for (uint32_t i = 0; i < 6; ++i) {
        scene s;
        make_scene(&rng, &s, i % 2, false);
        random_request(&rng, &s, i % 2);
        s.request.allow_partial = true;

        s.request.budget = 0;
        if (vn_query_begin(s.query, &s.request, NULL) == VN_OK) {
            vn_query_step(s.query, 3);
            vn_query_finish(s.query, &s.result);
            expect_replays(&s);
        }

        free_scene(&s);
    }
}

/// Ended one step after another: each result is recorded, those of a search that had a path and was still
/// trying to better it included, and each replays as it was.
static void check_cancelled(uint64_t seed, vn_fuel_kind fuel) {
    vni_rng rng = vni_rng_make(seed);
    uint32_t with_path = 0;
    for (uint32_t world = 0; world < 8; ++world) {
        scene s;
        make_scene(&rng, &s, true, false);
        random_request(&rng, &s, false);
        const vn_path_request chosen = s.request;
        s.request = vn_default_path_request();
        s.request.radius = 0;
        s.request.start = chosen.start;
        s.request.goal = chosen.goal;
        s.request.quality = VN_QUALITY_BEST;
        s.request.fuel = vn_default_fuel_model(fuel);

        vn_status status = VN_RUNNING;
        for (uint32_t steps = 1; status == VN_RUNNING && steps < 90; ++steps) {
            assert_int_equal(vn_query_begin(s.query, &s.request, NULL), VN_OK);
            for (uint32_t i = 0; i < steps; ++i)
                status = vn_query_step(s.query, 1);
            vn_query_finish(s.query, &s.result);
            with_path += s.result.status == VN_OK && s.result.reason == VN_CANCELLED;
            expect_replays(&s);
        }

        free_scene(&s);
    }

    assert_true(with_path > 0);
}

static void cancelled_at_every_step(void** state) {
    (void)state;
    check_cancelled(34, VN_FUEL_NONE);
    check_cancelled(100, VN_FUEL_R16); // cancelled just where its third round begins, too
    check_cancelled(36, VN_FUEL_GRAVITY);
}

/// The middle of the voxel at a point, in metres.
static vn_vec3 middle(vn_point p) {
    return (vn_vec3){(float)(p.x >> VN_LATTICE_SHIFT) + 0.5f, (float)(p.y >> VN_LATTICE_SHIFT) + 0.5f,
                     (float)(p.z >> VN_LATTICE_SHIFT) + 0.5f};
}

/// A scene whose search found a path of several points, over a connection from end to end that costs nothing.
static void solved_scene(scene* s) {
    vni_rng rng = vni_rng_make(33);
    for (;;) {
        make_scene(&rng, s, true, true);
        for (int i = 0; i < 50; ++i) {
            random_request(&rng, s, true);
            s->request.fuel = vn_default_fuel_model(VN_FUEL_NONE);
            s->request.budget = 0;
            s->request.connection_count = 1;
            s->connections[0] =
                (vn_connection){middle(s->request.start), middle(s->request.goal), 0, true, 5};
            if (vn_query_find_path(s->query, &s->request, &s->result, NULL) == VN_OK &&
                s->result.point_count > 3 && s->request.zone_count > 0 && s->result.connections_used > 0)
                return;
        }

        free_scene(s);
    }
}

static void changes_are_noticed(void** state) {
    (void)state;
    scene s;
    vn_replay replay;
    solved_scene(&s);
    vnt_file file = record(&s, NULL);
    vn_record* r = read_record(&file, NULL);
    ++r->points[2].y;
    assert_int_equal(vn_record_replay(r, NULL, &replay, NULL), VN_OK);
    assert_false(replay.same);
    assert_int_equal(replay.first_difference, 2);
    assert_non_null(strstr(replay.text, "point 2"));
    --r->points[2].y;
    r->result.cost += 0x1p-40;
    assert_int_equal(vn_record_replay(r, NULL, &replay, NULL), VN_OK);
    assert_false(replay.same);
    assert_int_equal(replay.first_difference, VN_NO_POINT);
    assert_non_null(strstr(replay.text, "cost"));
    r->result.cost = s.result.cost;
    r->result.status = VN_NO_PATH;
    assert_int_equal(vn_record_replay(r, NULL, &replay, NULL), VN_OK);
    assert_false(replay.same);
    assert_non_null(strstr(replay.text, "no-path"));
    r->result.status = VN_OK;
    uint32_t count = r->result.point_count;
    r->result.point_count = 2; // as if the path had ended there
    assert_int_equal(vn_record_replay(r, NULL, &replay, NULL), VN_OK);
    assert_false(replay.same);
    assert_int_equal(replay.first_difference, 2);
    r->result.point_count = count;
    assert_int_equal(vn_record_replay(r, NULL, &replay, NULL), VN_OK);
    assert_true(replay.same);
    vn_record_destroy(r);
    vnt_file_free(&file);
    free_scene(&s);
}

static void queries_of_the_caller(void** state) {
    (void)state;
    scene s;
    vn_replay replay;
    vn_detail detail = {0};
    vn_query_def def = vn_default_query_def();
    vn_query* query;
    uint32_t count;
    solved_scene(&s);
    vnt_file file = record(&s, NULL);
    vn_record* r = read_record(&file, NULL);
    assert_int_equal(vn_record_replay(r, s.query, &replay, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(vn_query_create_layers(vn_record_layers(r), &def, &query, NULL), VN_OK);
    assert_int_equal(vn_record_replay(r, query, &replay, &detail), VN_OK);
    assert_true(replay.same);
    vn_query_points(query, &count);
    assert_int_equal(count, s.result.point_count);
    vn_query_destroy(query);
    def.scratch = VN_SCRATCH_GRID; // no scratch for this search
    assert_int_equal(vn_query_create(vn_layers_space(vn_record_layers(r), 0), &def, &query, NULL), VN_OK);
    assert_int_equal(vn_record_replay(r, query, &replay, &detail), VN_UNSUPPORTED);
    vn_query_destroy(query);
    vn_record_destroy(r);
    vnt_file_free(&file);
    free_scene(&s);
}

// -------------------------------------------------------------------------------------------------- failing

static void wrong_order_and_arguments(void** state) {
    (void)state;
    scene s;
    vnt_file file = vnt_file_make();
    vn_sink sink = vnt_file_sink(&file);
    vn_store_def def = vn_default_store_def();
    vn_detail detail = {0};
    vn_query_def query_def = vn_default_query_def();
    vn_query* fresh;
    solved_scene(&s);
    assert_int_equal(vn_query_create_layers(s.layers, &query_def, &fresh, NULL), VN_OK);
    assert_int_equal(vn_record_write(fresh, &s.request, &s.result, &def, NULL, &sink, &detail), VN_BAD_ORDER);
    assert_int_equal(vn_query_begin(fresh, &s.request, NULL), VN_OK);
    assert_int_equal(vn_record_write(fresh, &s.request, &s.result, &def, NULL, &sink, &detail), VN_BAD_ORDER);
    vn_path_result cancelled;
    vn_query_finish(fresh, &cancelled);
    vn_field_request field = vn_default_field_request();
    field.source = s.result.start;
    field.radius = 0;
    assert_int_equal(vn_query_build_field(fresh, &field, NULL, NULL), VN_OK);
    assert_int_equal(vn_record_write(fresh, &s.request, &cancelled, &def, NULL, &sink, &detail),
                     VN_BAD_ORDER);
    vn_query_destroy(fresh);
    vn_path_request other = s.request;
    other.goal.x ^= 1;
    assert_int_equal(vn_record_write(s.query, &other, &s.result, &def, NULL, &sink, &detail),
                     VN_BAD_ARGUMENT);
    vn_path_result result = s.result;
    --result.point_count;
    assert_int_equal(vn_record_write(s.query, &s.request, &result, &def, NULL, &sink, &detail),
                     VN_BAD_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(vn_record_write(s.query, &s.request, &s.result, &def, NULL, &sink, &detail), VN_BAD_DEF);
    assert_int_equal(file.calls, 0);

    // layers of a record may be read alone, a record of layers may not
    file = record(&s, NULL);
    vn_load_def load = vn_default_load_def();
    vn_layers* layers;
    vn_record* r;
    static vn_store_info info;
    assert_int_equal(vn_layers_read(file.data, file.size, &load, &layers, NULL), VN_OK);
    assert_int_equal(vn_store_read_info(file.data, file.size, NULL, &info, NULL), VN_OK);
    assert_true(info.is_record);
    assert_string_equal(info.comment, "it flew into the wall");
    vnt_file_free(&file);
    vn_store_def store = vn_default_store_def();
    file = vnt_write(layers, &store);
    assert_int_equal(vn_record_read(file.data, file.size, &load, &r, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, ".vnav"));
    assert_null(r);
    vnt_file_free(&file);
    vn_layers_destroy(layers);
    free_scene(&s);
}

static void memory_may_run_out(void** state) {
    (void)state;
    scene s;
    const vn_codec codec = vnt_zero_codec();
    vn_store_def def = vn_default_store_def();
    vn_status status = VN_OUT_OF_MEMORY;
    solved_scene(&s);
    def.codec = &codec;

    vnt_file file = vnt_file_make();
    for (uint64_t k = 0; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_allocator allocator = vnt_memory_allocator(&memory);
        vn_sink sink = vnt_file_sink(&file);
        memory.fail_at = k;
        status = vn_record_write(s.query, &s.request, &s.result, &def, &allocator, &sink, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    status = VN_OUT_OF_MEMORY;
    for (uint64_t k = 0; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_load_def load = vn_default_load_def();
        vn_record* r;
        vn_replay replay;
        load.codec = &codec;
        load.allocator = vnt_memory_allocator(&memory);
        memory.fail_at = k;

        status = vn_record_read(file.data, file.size, &load, &r, NULL);
        if (status == VN_OK)
            status = vn_record_replay(r, NULL, &replay, NULL);

        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        vn_record_destroy(r);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    vnt_file_free(&file);
    free_scene(&s);
}

/// Takes back what only costs time.
static void tame(vn_path_request* request) {
    request->budget = request->budget > 0 && request->budget < 2000 ? request->budget : 2000;
}

static void changed_files(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("changed_files", 34));
    scene s;
    solved_scene(&s);
    vnt_file file = record(&s, NULL);
    vn_load_def load = vn_default_load_def();
    load.max_bytes = 1 << 26;

    uint32_t count = vnt_head(&file).section_count, flips = vnt_scale(800, 10000), accepted = 0;
    for (uint32_t i = 0; i < flips; ++i) {
        vnt_file changed = vnt_file_copy(&file);
        vn_record* r;
        vni_file_entry entry = vnt_entry(&file, vni_rng_below(&rng, count));
        if (i % 4) // mostly what only records have
            entry = vnt_entry(&file, count - 1 - vni_rng_below(&rng, 6));

        changed.data[entry.offset + vni_rng_below(&rng, (uint32_t)entry.stored)] ^=
            (uint8_t)(1u << vni_rng_below(&rng, 8));
        assert_int_equal(vn_record_read(changed.data, changed.size, &load, &r, NULL), VN_BAD_FORMAT);
        vnt_reseal(&changed);
        vn_status status = vn_record_read(changed.data, changed.size, &load, &r, NULL);
        assert_true(status == VN_OK || status == VN_BAD_FORMAT || status == VN_TOO_LARGE);

        vn_replay replay;
        for (uint32_t k = 0; status == VN_OK && k < r->result.connections_used; ++k) {
            assert_true(r->connection_uses[k].point < r->result.point_count);
            assert_true(r->connection_uses[k].connection < r->request.connection_count);
        }

        if (status == VN_OK && r->scratch.max_points < 1 << 20) {
            tame(&r->request);
            (void)vn_record_replay(r, NULL, &replay, NULL); // whatever comes of it
            ++accepted;
        }

        vn_record_destroy(r);
        vnt_file_free(&changed);
    }

    assert_true(accepted > 0);
    vnt_file_free(&file);
    free_scene(&s);
}

/// The number of the request's algorithm: the section of the request as it is, uncompressed.
static uint8_t* algo_of(vnt_file* file) {
    const uint32_t before = 4 * 4 + 2 * sizeof(vn_point) + 4 + sizeof(vn_box) + 8 + 4 + 4;
    vni_file_head head = vnt_head(file);
    for (uint32_t i = 0; i < head.section_count; ++i) {
        vni_file_entry entry = vnt_entry(file, i);
        if (entry.tag == VNI_TAG_REQUEST)
            return file->data + entry.offset + before;
    }

    fail_msg("no request in the file");
    return NULL;
}

/// Numbers 5 to 9 were algorithms of the literature in earlier versions; volnav/classic.h has them now, and a
/// record of one is refused as any number is that no algorithm has.
static void algorithms_of_earlier_versions(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("algorithms_of_earlier_versions", 38));
    scene s;
    make_scene(&rng, &s, false, false);
    random_request(&rng, &s, false);
    s.request.algo = VN_ALGO_GREEDY;
    vn_query_find_path(s.query, &s.request, &s.result, NULL);
    vnt_file file = record(&s, NULL);
    assert_int_equal(*algo_of(&file), VN_ALGO_GREEDY);
    for (uint8_t number = 0; number < 12; ++number) {
        vn_load_def def = vn_default_load_def();
        vn_record* out;
        vn_detail detail = {0};
        *algo_of(&file) = number;
        vnt_reseal(&file);
        vn_status status = vn_record_read(file.data, file.size, &def, &out, &detail);
        assert_int_equal(status, number < VN_ALGO_COUNT ? VN_OK : VN_BAD_FORMAT);
        assert_true((out != NULL) == (status == VN_OK));
        assert_true((strlen(detail.text) > 0) == (status != VN_OK));
        vn_record_destroy(out);
    }

    vnt_file_free(&file);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_found_again),
        cmocka_unit_test(cancelled_searches),
        cmocka_unit_test(cancelled_before_the_first_step),
        cmocka_unit_test(cancelled_at_every_step),
        cmocka_unit_test(changes_are_noticed),
        cmocka_unit_test(queries_of_the_caller),
        cmocka_unit_test(wrong_order_and_arguments),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(changed_files),
        cmocka_unit_test(algorithms_of_earlier_versions),
    };

    return cmocka_run_group_tests_name("store/records", tests, NULL, NULL);
}
