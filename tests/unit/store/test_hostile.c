/// tests/unit/store/test_hostile.c: files changed by accident and on purpose.
#include "files.h"

#include "base/alloc.h"
#include "space/layers.h"
#include "volnav/query.h"

/// Two sensed sets, as a saved nav has them: one with bricks, and an empty one.
static void add_sensed(vni_rng* rng, uint32_t bricks, vn_layers* layers) {
    vni_saved_set* sets = VNI_NEW_ARRAY(&layers->allocator, vni_saved_set, 2);
    assert_non_null(sets);
    sets[0] = (vni_saved_set){3, bricks, VNI_NEW_ARRAY(&layers->allocator, vni_voxel_brick, bricks)};
    sets[1] = (vni_saved_set){5, 0, NULL};
    assert_non_null(sets[0].bricks);
    for (uint32_t i = 0; i < bricks; ++i)
        sets[0].bricks[i] = (vni_voxel_brick){9 * i + vni_rng_below(rng, 9), 1 + vni_rng_below(rng, 5000)};
    layers->sensed = sets;
    layers->sensed_count = 2;
}

static vnt_file make_file(vni_rng* rng, uint32_t kind, const vn_codec* codec) {
    const vnt_layers_def def = {.dims = kind % 2 ? (vn_voxel){40, 12, 70} : (vn_voxel){24, 24, 20},
                                .layer_count = 1 + kind % 3,
                                .cells = kind % 5 != 4,
                                .unknown = kind % 2 ? VN_UNKNOWN_REFUSED : VN_UNKNOWN_BLOCKED};
    vn_layers* layers = vnt_random_layers(rng, &def);
    vn_store_def store = vn_default_store_def();
    if (kind % 2)
        add_sensed(rng, kind % 4 == 1 ? 30 : 1100, layers);
    const vn_connection connection = {{1, 2, 3}, {4, 5, 6}, 7, true, 8};
    store.comment = "a comment";
    store.connections = &connection;
    store.connection_count = 1;
    store.codec = codec;
    vnt_file file = vnt_write(layers, &store);
    vn_layers_destroy(layers);

    return file;
}

/// Damaged files are never read.
static void expect_refused(const uint8_t* data, size_t size, const vn_codec* codec) {
    static vn_store_info info;
    vn_load_def def = vn_default_load_def();
    vn_layers* layers;
    vn_detail detail = {0};
    def.codec = codec;
    vn_status status = vn_layers_read(data, size, &def, &layers, &detail);
    assert_true(status == VN_BAD_FORMAT || status == VN_UNSUPPORTED);
    assert_int_equal(detail.status, status);
    assert_true(detail.text[0] != 0);
    assert_null(layers);
    (void)vn_store_read_info(data, size, codec, &info, NULL); // may be right: it does not look at everything
}

static void any_flip_is_refused(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("any_flip_is_refused", 21));
    const vn_codec codec = vnt_zero_codec();
    uint32_t flips = vnt_scale(800, 10000);
    for (uint32_t i = 0; i < flips;) {
        const vn_codec* packed = i / 50 % 2 ? &codec : NULL;
        vnt_file file = make_file(&rng, i / 50, packed);
        for (int k = 0; k < 50; ++k, ++i) {
            uint32_t at = vni_rng_below(&rng, k % 4 ? (uint32_t)file.size : 400);
            uint8_t by = (uint8_t)(k % 2 ? 1u << vni_rng_below(&rng, 8) : 1 + vni_rng_below(&rng, 255));
            file.data[at] ^= by;
            expect_refused(file.data, file.size, packed);
            file.data[at] ^= by;
        }

        vnt_file_free(&file);
    }
}

/// Damage in any section is named, whether the section is read or skipped, and whatever else is wrong: here a
/// number of cells that does not fit, under right checksums.
static void damage_comes_first(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("damage_comes_first", 23));
    vn_load_def load = vn_default_load_def();
    for (uint32_t round = 0; round < 4; ++round) {
        vnt_file file = make_file(&rng, 1 + round / 2 * 2, NULL);
        vni_file_entry params = vnt_entry(&file, 0);
        assert_int_equal(params.tag, VNI_TAG_PARAMS);
        file.data[params.offset + offsetof(vni_file_params, cells)] ^= round % 2;
        vnt_reseal(&file);
        for (uint32_t i = 0; i < vnt_head(&file).section_count; ++i) {
            const vni_file_entry entry = vnt_entry(&file, i);
            uint8_t* place = file.data + entry.offset + entry.stored / 2;
            vn_detail detail = {0};
            vn_layers* layers;
            *place ^= 4;
            assert_int_equal(vn_layers_read(file.data, file.size, &load, &layers, &detail), VN_BAD_FORMAT);
            assert_non_null(strstr(detail.text, "does not match its checksum; copy it again"));
            assert_int_equal(detail.index, i);
            assert_null(layers);
            *place ^= 4;
        }

        vnt_file_free(&file);
    }
}

static void any_truncation_is_refused(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("any_truncation_is_refused", 22));
    uint32_t cuts = vnt_scale(600, 10000);
    for (uint32_t i = 0; i < cuts;) {
        vnt_file file = make_file(&rng, i / 100, NULL);
        for (uint32_t k = 0; k < 100; ++k, ++i) {
            size_t size = k < 10 ? file.size - 1 - k : vni_rng_below(&rng, (uint32_t)file.size);
            uint8_t* copy = malloc(size ? size : 1); // so that reading beyond it is noticed
            assert_non_null(copy);
            memcpy(copy, file.data, size);
            expect_refused(copy, size, NULL);
            free(copy);
        }

        vnt_file_free(&file);
    }
}

/// Runs a few requests on a space from a changed file; any result will do.
static void ask(vni_rng* rng, const vn_space* space) {
    vn_query_def def = vn_default_query_def();
    vn_space_info info;
    vn_query* query;
    vn_path_result result;
    vn_space_get_info(space, &info);
    def.max_points = 256;
    def.max_nodes = 4096;

    assert_int_equal(vn_query_create(space, &def, &query, NULL), VN_OK);
    for (int i = 0; i < 2; ++i) {
        vn_path_request request = vn_default_path_request();
        request.start = vnt_random_point(rng, info.dims, 512);
        request.goal = vnt_random_point(rng, info.dims, 512);
        request.algo = vni_space_has_cells(space) ? VN_ALGO_CELLS : VN_ALGO_ASTAR;
        request.budget = 5000;
        request.check = true;
        vn_status status = vn_query_find_path(query, &request, &result, NULL);
        assert_true(status != VN_BAD_DATA);
        vn_space_point_unknown(space, request.start);
    }

    vn_query_destroy(query);
}

/// Nothing in a file is without meaning: what was accepted is written again as it was. Unless its table was
/// changed, so that a comment or connections are no longer known.
static void expect_same_bytes(const vn_layers* layers, const vnt_file* file) {
    static vn_store_info info;
    if (vn_store_read_info(file->data, file->size, NULL, &info, NULL) != VN_OK)
        return; // layers can be read without them

    vn_store_def store = vn_default_store_def();
    store.comment = info.comment;
    store.connections = info.connections;
    store.connection_count = info.connection_count;
    vnt_file again = vnt_write(layers, &store);

    vni_file_head a = vnt_head(file), b = vnt_head(&again);
    if (a.section_count == b.section_count) {
        size_t table = sizeof a + a.section_count * sizeof(vni_file_entry);
        assert_int_equal(again.size, file->size);
        assert_memory_equal(again.data + table, file->data + table, file->size - table);
    }

    vnt_file_free(&again);
}

/// Sets by slot, bricks by key, none empty: what the world relies on.
static void check_sensed(const vn_layers* layers) {
    for (uint32_t i = 0; i < layers->sensed_count; ++i) {
        const vni_saved_set* set = &layers->sensed[i];
        assert_true(i == 0 || set->slot > layers->sensed[i - 1].slot);
        for (uint32_t k = 0; k < set->count; ++k) {
            assert_true(set->bricks[k].bits != 0 && set->bricks[k].key < (uint64_t)1 << 54);
            assert_true(k == 0 || set->bricks[k].key > set->bricks[k - 1].key);
        }
    }
}

/// Reads a changed file whose checksums are right; returns true if it was accepted.
static bool read_changed(vni_rng* rng, const vnt_file* file, const vn_codec* codec) {
    vn_load_def def = vn_default_load_def();
    vn_layers* layers;
    vn_detail detail = {0};
    def.codec = codec;
    def.max_bytes = 1 << 26;

    vn_status status = vn_layers_read(file->data, file->size, &def, &layers, &detail);
    if (status != VN_OK) {
        assert_true(status == VN_BAD_FORMAT || status == VN_UNSUPPORTED || status == VN_TOO_LARGE);
        assert_null(layers);
        return false;
    }

    for (uint32_t i = 0; i < vn_layers_count(layers); ++i) {
        const vn_space* space = vn_layers_space(layers, i);
        assert_int_equal(vni_occupancy_validate(&space->occupancy, NULL), VN_OK);
        assert_int_equal(vn_space_validate(space, NULL), VN_OK);
        ask(rng, space);
    }

    check_sensed(layers);
    if (!codec)
        expect_same_bytes(layers, file);

    vn_layers_destroy(layers);
    return true;
}

/// A byte of the content, or now and then of head and table.
static uint32_t choose_byte(vni_rng* rng, const vnt_file* file) {
    vni_file_head head = vnt_head(file);
    if (vni_rng_below(rng, 8) == 0)
        return vni_rng_below(rng, (uint32_t)(sizeof head + head.section_count * sizeof(vni_file_entry)));
    vni_file_entry entry = vnt_entry(file, vni_rng_below(rng, head.section_count));
    return (uint32_t)(entry.offset + vni_rng_below(rng, (uint32_t)entry.stored));
}

static void changed_on_purpose(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("changed_on_purpose", 23));
    const vn_codec codec = vnt_zero_codec();
    uint32_t flips = vnt_scale(900, 10020), accepted = 0;
    for (uint32_t i = 0; i < flips;) {
        const vn_codec* packed = i / 60 % 3 == 2 ? &codec : NULL;
        vnt_file file = make_file(&rng, i / 60, packed);
        for (int k = 0; k < 60; ++k, ++i) {
            vnt_file changed = vnt_file_copy(&file);
            for (uint32_t more = 1 + (k % 10 == 0 ? vni_rng_below(&rng, 4) : 0); more > 0; --more)
                changed.data[choose_byte(&rng, &file)] ^=
                    (uint8_t)(k % 2 ? 1u << vni_rng_below(&rng, 8) : 1 + vni_rng_below(&rng, 255));

            vnt_reseal(&changed);
            accepted += read_changed(&rng, &changed, packed);
            vnt_file_free(&changed);
        }

        vnt_file_free(&file);
    }

    assert_true(accepted > 0);
    assert_true(accepted < flips); // a radius, an origin, the source: these may differ
}

/// Layers that are mostly open, so that blocks and seams share.
static vn_layers* open_layers(void) {
    vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    const vn_layer_def layer = {0};
    vn_world* world;
    vn_layers* layers;
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);
    shape.as.box.max = (vn_vec3){20, 30, 70};
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){200, 128, 130};
    assert_int_equal(vn_layers_bake(world, &def, &layer, 1, &layers, NULL), VN_OK);
    vn_world_destroy(world);

    return layers;
}

/// Each place that has an object, shares an earlier one's, or has none, is told otherwise. What leaves its
/// record without an owner, or names no earlier one, is refused; others are right only if their content is.
static void shared_places(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(24);
    vn_layers* layers = open_layers();
    vn_store_def store = vn_default_store_def();
    vnt_file file = vnt_write(layers, &store);
    vni_bundle bundle;
    uint32_t shared = 0, none = 0;

    assert_int_equal(vni_bundle_open(file.data, file.size, NULL, &bundle, NULL), VN_OK);
    for (uint32_t tag = VNI_TAG_CELLS; tag <= VNI_TAG_SEAMS; ++tag) {
        uint32_t sections, first = vni_bundle_find(&bundle, 0, (vni_tag)tag, &sections);
        vni_file_entry entry = vni_bundle_get(&bundle, first);
        assert_int_equal(sections, 1);
        for (uint32_t i = 0; i < entry.count; ++i) {
            uint8_t* place = file.data + entry.offset + i * sizeof(uint32_t);
            uint32_t good;
            memcpy(&good, place, sizeof good);
            shared += good != VNI_FILE_NONE && good != i;

            none += good == VNI_FILE_NONE;
            for (uint32_t j = 0; j < entry.count + 3; ++j) {
                uint32_t to = j == entry.count + 1   ? VNI_FILE_NONE
                              : j == entry.count + 2 ? UINT32_MAX / 2
                                                     : j;
                memcpy(place, &to, sizeof to);
                vnt_reseal(&file);
                bool accepted = read_changed(&rng, &file, NULL);
                assert_true(accepted || to != good);
                assert_false(accepted && to != good && (to >= i || good == VNI_FILE_NONE || good == i));
            }

            memcpy(place, &good, sizeof good);
        }
    }

    assert_true(shared > 4);
    assert_true(none > 4);
    vnt_file_free(&file);
    vn_layers_destroy(layers);
}

/// A voxel that is moved out of the space, where no cells notice it.
static void voxels_outside(void** state) {
    (void)state;
    vn_allocator allocator = vn_default_allocator();
    vnt_voxels v = vnt_voxels_make((vn_voxel){10, 10, 10});
    vnt_voxels_block(&v, 8, 0, 0); // third brick, first bit: there are two voxels of it in each row
    vn_space* space = vnt_voxels_space(&v);
    vn_layers* layers;
    vni_rng rng = vni_rng_make(26);
    assert_int_equal(vni_layers_adopt(&allocator, &space, 1, 5, &layers), VN_OK);
    vn_store_def store = vn_default_store_def();
    vnt_file file = vnt_write(layers, &store);
    vni_file_entry entry = vnt_entry(&file, 1);
    uint64_t brick;
    assert_int_equal(entry.tag, VNI_TAG_OCCUPANCY);
    assert_int_equal(entry.stored, sizeof(uint32_t) + 129 * sizeof brick);

    uint8_t* place = file.data + entry.offset + entry.stored - sizeof brick;
    for (int bit = 0; bit < 64; ++bit) {
        bool inside = bit % 4 < 2;
        brick = (uint64_t)1 << bit;
        memcpy(place, &brick, sizeof brick);
        vnt_reseal(&file);
        assert_true(read_changed(&rng, &file, NULL) == inside);
    }

    vnt_file_free(&file);
    vn_layers_destroy(layers);
    vnt_voxels_free(&v);
}

/// Unknown space is there only where it is refused.
static void unknown_space_of_another_policy(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(27);
    uint32_t tried = 0;
    while (tried < 3) {
        vnt_file file = make_file(&rng, 1, NULL);
        vni_file_entry entry = vnt_entry(&file, 0);
        vni_file_params params;
        memcpy(&params, file.data + entry.offset, sizeof params);
        for (uint32_t policy = 0; policy < 4 && (params.parts & VNI_PARTS_UNKNOWN); ++policy, ++tried) {
            params.unknown_policy = policy;
            memcpy(file.data + entry.offset, &params, sizeof params);
            vnt_reseal(&file);
            assert_true(read_changed(&rng, &file, NULL) == (policy == VN_UNKNOWN_REFUSED));
        }

        vnt_file_free(&file);
    }
}

/// The last list of the file, a number shorter than its count says.
static void short_lists(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(28);
    for (uint32_t cells = 0; cells < 2; ++cells) {
        const vnt_layers_def def = {{20, 20, 20}, 1, cells, VN_UNKNOWN_BLOCKED};
        vn_layers* layers = vnt_random_layers(&rng, &def);
        vn_store_def store = vn_default_store_def();
        vnt_file file = vnt_write(layers, &store);
        vni_file_head head = vnt_head(&file);
        vni_file_entry entry = vnt_entry(&file, head.section_count - 1);

        assert_int_equal(entry.tag, cells ? VNI_TAG_COMPONENTS : VNI_TAG_OCCUPANCY);
        while (entry.stored > 0) {
            uint64_t less = entry.stored > 4 ? entry.stored / 2 : 1;
            entry.stored = entry.unpacked = entry.stored - less;
            head.size -= less;
            file.size -= (size_t)less;
            memcpy(file.data, &head, sizeof head);
            vnt_set_entry(&file, head.section_count - 1, &entry);
            vnt_reseal(&file);
            vnt_file copy = vnt_file_make();
            copy.data = malloc(file.size); // not a byte more, so that reading beyond it is noticed
            assert_non_null(copy.data);
            memcpy(copy.data, file.data, file.size);
            copy.size = file.size;
            assert_false(read_changed(&rng, &copy, NULL));
            vnt_file_free(&copy);
        }

        vnt_file_free(&file);
        vn_layers_destroy(layers);
    }
}

/// Numbers that name more than there is take no memory, wherever they stand.
static void counts_take_no_memory(void** state) {
    (void)state;
    static const uint32_t large[] = {UINT32_MAX, UINT32_MAX - 1, 1u << 31, 1u << 28, 1u << 20, 4097};
    vni_rng rng = vni_rng_make(25);
    vnt_file file = make_file(&rng, 1, NULL);
    for (uint32_t s = 0; s < vnt_head(&file).section_count; ++s) {
        vni_file_entry entry = vnt_entry(&file, s);
        for (uint64_t at = 0; at + 4 <= entry.stored && at < 400; at += 4)
            for (size_t k = 0; k < sizeof large / sizeof *large; ++k) {
                uint8_t* place = file.data + entry.offset + at;
                uint32_t good;
                vnt_memory memory = vnt_memory_make();
                vn_load_def load = vn_default_load_def();
                vn_layers* layers;
                memcpy(&good, place, sizeof good);
                memcpy(place, &large[k], sizeof good);
                vnt_reseal(&file);
                load.allocator = vnt_memory_allocator(&memory);
                load.max_bytes = 2 * file.size;
                (void)vn_layers_read(file.data, file.size, &load, &layers, NULL); // may be a good one too
                vn_layers_destroy(layers);
                assert_true(memory.peak_bytes < 4 * file.size + 100000);
                assert_int_equal(memory.live_blocks, 0);
                memcpy(place, &good, sizeof good);
            }
    }

    vnt_file_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_flip_is_refused), cmocka_unit_test(any_truncation_is_refused),
        cmocka_unit_test(changed_on_purpose),  cmocka_unit_test(shared_places),
        cmocka_unit_test(voxels_outside),      cmocka_unit_test(unknown_space_of_another_policy),
        cmocka_unit_test(short_lists),         cmocka_unit_test(counts_take_no_memory),
        cmocka_unit_test(damage_comes_first),
    };

    return cmocka_run_group_tests_name("store/hostile", tests, NULL, NULL);
}
