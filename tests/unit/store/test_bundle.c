/// The container: what is not ours, not whole or not for this reader is refused with the reason; what is not
/// known is skipped.
#include "files.h"

static vn_layers* make_layers(void) {
    vni_rng rng = vni_rng_make(11);
    const vnt_layers_def def = {{40, 20, 30}, 2, true, VN_UNKNOWN_BLOCKED};
    return vnt_random_layers(&rng, &def);
}

static vnt_file make_file(void) {
    vn_store_def store = vn_default_store_def();
    store.comment = "a comment";
    vn_layers* layers = make_layers();
    vnt_file file = vnt_write(layers, &store);
    vn_layers_destroy(layers);
    return file;
}

static vn_status read_with(const vnt_file* file, const vn_load_def* def, vn_detail* detail) {
    vn_layers* layers;
    vn_status status = vn_layers_read(file->data, file->size, def, &layers, detail);
    assert_true((layers != NULL) == (status == VN_OK));
    vn_layers_destroy(layers);
    return status;
}

/// Refused, and the text says this.
static void expect(const vnt_file* file, vn_status status, const char* text) {
    static vn_store_info info;
    vn_load_def def = vn_default_load_def();
    vn_detail detail = {0};
    assert_int_equal(read_with(file, &def, &detail), status);

    assert_int_equal(detail.status, status);
    if (strstr(detail.text, text) == NULL)
        print_error("'%s' does not say '%s'\n", detail.text, text);

    assert_non_null(strstr(detail.text, text));
    assert_int_equal(vn_store_read_info(file->data, file->size, NULL, &info, NULL), status);
}

static void set_head(vnt_file* file, const vni_file_head* head, bool sealed) {
    memcpy(file->data, head, sizeof *head);
    if (sealed)
        vnt_reseal(file);
}

static void foreign_files(void** state) {
    (void)state;
    vnt_file file = make_file(), copy = vnt_file_copy(&file);
    memcpy(copy.data, "PK\3\4 a zip", 10);
    expect(&copy, VN_BAD_FORMAT, "no .vnav");
    copy.size = 0;
    expect(&copy, VN_BAD_FORMAT, "no .vnav");
    copy.size = 7;
    expect(&copy, VN_BAD_FORMAT, "no .vnav");
    vnt_file_free(&copy);

    // as if each CR LF had become LF
    copy = vnt_file_copy(&file);
    memmove(copy.data + 5, copy.data + 6, copy.size - 6);
    expect(&copy, VN_BAD_FORMAT, "as text");
    vnt_file_free(&copy);
    vnt_file_free(&file);
}

static void other_versions_and_byte_orders(void** state) {
    (void)state;
    vnt_file file = make_file();
    const vni_file_head good = vnt_head(&file);
    vni_file_head head = good;
    head.version = VN_STORE_VERSION + 1;
    set_head(&file, &head, false);
    expect(&file, VN_UNSUPPORTED, "version 3");
    head.version = 0;
    set_head(&file, &head, true);
    expect(&file, VN_BAD_FORMAT, "invalid");
    head = good;
    head.byte_order = 0x04030201;
    set_head(&file, &head, false);
    expect(&file, VN_UNSUPPORTED, "big-endian");
    head.byte_order = 0x01020305;
    set_head(&file, &head, false);
    expect(&file, VN_BAD_FORMAT, "byte order");
    vnt_file_free(&file);
}

static void lengths(void** state) {
    (void)state;
    vnt_file file = make_file();
    const uint8_t more[3] = {0};
    file.size = 40;
    expect(&file, VN_BAD_FORMAT, "truncated");
    file.size = 64;
    expect(&file, VN_BAD_FORMAT, "truncated");
    file.size = (size_t)vnt_head(&file).size - 1;
    expect(&file, VN_BAD_FORMAT, "truncated");
    file.size += 1;
    assert_true(vnt_file_take(&file, more, sizeof more));
    expect(&file, VN_BAD_FORMAT, "3 bytes follow");
    vni_file_head head = vnt_head(&file); // the head knows of them, but no section does
    head.size += sizeof more;
    set_head(&file, &head, true);
    expect(&file, VN_BAD_FORMAT, "belong to no section");
    vnt_file_free(&file);
}

static void heads_that_cannot_be(void** state) {
    (void)state;
    vnt_file file = make_file();
    const vni_file_head good = vnt_head(&file);
    for (int i = 0; i < 6; ++i) {
        vni_file_head head = good;
        head.kind = i == 0 ? 4 : i == 5 ? VNI_FILE_RUN : head.kind; // a run has no layers
        head.layer_count = i == 1 ? 0 : i == 2 ? VN_MAX_LAYERS + 1 : head.layer_count;
        head.zero_1 = i == 3;
        head.zero_2 = i == 4;
        set_head(&file, &head, true);
        expect(&file, VN_BAD_FORMAT, "invalid");
    }

    vni_file_head head = good;
    head.source ^= 1;
    set_head(&file, &head, false);
    expect(&file, VN_BAD_FORMAT, "checksum");
    head = good;
    head.layer_count = 1; // there are two
    set_head(&file, &head, true);
    expect(&file, VN_BAD_FORMAT, "misplaced");
    head = good;
    head.layer_count = 3;
    set_head(&file, &head, true);
    expect(&file, VN_BAD_FORMAT, "no parameters");
    vnt_file_free(&file);
}

static void stale_sources(void** state) {
    (void)state;
    vnt_file file = make_file();
    vn_load_def def = vn_default_load_def();
    vn_detail detail = {0};
    def.check_world_hash = true;
    def.world_hash = vnt_head(&file).source + 1;
    assert_int_equal(read_with(&file, &def, &detail), VN_STALE);
    assert_non_null(strstr(detail.text, "bake it again"));
    def.world_hash -= 1;
    assert_int_equal(read_with(&file, &def, &detail), VN_OK);
    vnt_file_free(&file);
}

static void too_large(void** state) {
    (void)state;
    vnt_file file = make_file();
    vn_load_def def = vn_default_load_def();
    vn_detail detail = {0};
    def.max_bytes = 2000;
    assert_int_equal(read_with(&file, &def, &detail), VN_TOO_LARGE);
    assert_non_null(strstr(detail.text, "max_bytes allows 2000"));
    vnt_file_free(&file);
}

/// A file of one layer without cells that claims to be as large as can be: its tables are not made.
static void tables_are_counted(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(1);
    const vnt_layers_def def = {{10, 20, 30}, 1, true, VN_UNKNOWN_BLOCKED};
    vn_layers* layers = vnt_random_layers(&rng, &def);
    vn_store_def store = vn_default_store_def();
    vnt_file file = vnt_write(layers, &store);
    vni_file_params params;
    vni_file_entry entry = vnt_entry(&file, 0);
    vnt_memory memory = vnt_memory_make();
    vn_load_def load = vn_default_load_def();
    vn_detail detail = {0};
    assert_int_equal(entry.tag, VNI_TAG_PARAMS);
    memcpy(&params, file.data + entry.offset, sizeof params);
    params.dims[0] = params.dims[1] = 64 * 2048;
    params.dims[2] = 64;
    memcpy(file.data + entry.offset, &params, sizeof params);
    vnt_reseal(&file);
    load.allocator = vnt_memory_allocator(&memory);
    load.max_bytes = 1 << 20;
    assert_int_equal(read_with(&file, &load, &detail), VN_TOO_LARGE);
    assert_non_null(strstr(detail.text, "tables"));
    assert_int_equal(memory.calls, 0);
    params.dims[2] = 65; // one row of blocks more than there can be
    memcpy(file.data + entry.offset, &params, sizeof params);
    vnt_reseal(&file);
    assert_int_equal(read_with(&file, &load, &detail), VN_BAD_FORMAT);
    assert_int_equal(memory.calls, 0);
    vnt_file_free(&file);
    vn_layers_destroy(layers);
}

// ------------------------------------------------------------------------------------------------- sections

/// The file with one more section at index `at` of the table. Returns a new file.
static vnt_file insert_section(const vnt_file* file, uint32_t at, vni_file_entry extra, const void* content) {
    const vni_file_head old = vnt_head(file);
    vni_file_head head = old;
    vnt_file out = vnt_file_make();
    static const uint8_t zeros[64];
    uint64_t end = sizeof head + (old.section_count + 1) * sizeof extra;
    vni_file_entry entries[64];
    assert_true(old.section_count < 64);

    head.section_count = old.section_count + 1;
    for (uint32_t i = 0; i < head.section_count; ++i) {
        entries[i] = i == at ? extra : vnt_entry(file, i < at ? i : i - 1);
        entries[i].offset = vni_bundle_align(end);
        end = entries[i].offset + entries[i].stored;
    }

    head.size = end;
    vnt_file_take(&out, &head, sizeof head);
    vnt_file_take(&out, entries, head.section_count * sizeof extra);
    for (uint32_t i = 0; i < head.section_count; ++i) {
        vnt_file_take(&out, zeros, (size_t)entries[i].offset - out.size);
        vnt_file_take(&out, i == at ? content : file->data + vnt_entry(file, i < at ? i : i - 1).offset,
                      (size_t)entries[i].stored);
    }

    assert_int_equal(out.size, head.size);
    vnt_reseal(&out);
    return out;
}

static void unknown_sections_are_skipped(void** state) {
    (void)state;
    static const char content[] = "something from a later version";
    vnt_file file = make_file();
    uint32_t count = vnt_head(&file).section_count, skipped = 0;
    vn_load_def def = vn_default_load_def();

    vn_detail detail = {0};
    for (uint32_t at = 0; at <= count; ++at) {
        vni_file_entry before = at ? vnt_entry(&file, at - 1) : (vni_file_entry){0};
        vni_file_entry extra = {.layer = at ? before.layer : 0,
                                .tag = at ? before.tag + 500 : 0,
                                .codec = 9,
                                .stored = sizeof content,
                                .unpacked = UINT64_MAX};

        if (at < count && vnt_entry(&file, at).layer == extra.layer && vnt_entry(&file, at).tag < extra.tag)
            continue;
        vnt_file more = insert_section(&file, at, extra, content);
        assert_int_equal(read_with(&more, &def, &detail), VN_OK);

        // it is compared with its checksum all the same
        more.data[vnt_entry(&more, at).offset + 3] ^= 1;
        assert_int_equal(read_with(&more, &def, &detail), VN_BAD_FORMAT);
        assert_non_null(strstr(detail.text, "checksum"));
        assert_int_equal(detail.index, at);
        vnt_file_free(&more);
        ++skipped;
    }

    assert_true(skipped >= 3);
    vnt_file_free(&file);
}

static void sections_twice_or_out_of_order(void** state) {
    (void)state;
    vnt_file file = make_file(), more;
    uint32_t count = vnt_head(&file).section_count;
    for (uint32_t i = 0; i < count; ++i) {
        vni_file_entry entry = vnt_entry(&file, i);
        more = insert_section(&file, i + 1, entry, file.data + entry.offset);
        expect(&more, VN_BAD_FORMAT, "repeated");
        vnt_file_free(&more);
        entry.first = UINT32_MAX - 5; // as if the list went on
        entry.count = 3;
        more = insert_section(&file, i + 1, entry, file.data + entry.offset);
        vn_load_def def = vn_default_load_def();
        vn_status status = read_with(&more, &def, NULL);
        assert_int_equal(status,
                         entry.tag == VNI_TAG_COMMENT ? VN_OK : VN_BAD_FORMAT); // layers read no comment
        vnt_file_free(&more);
    }

    vni_file_entry a = vnt_entry(&file, 0), b = vnt_entry(&file, 1);
    vnt_set_entry(&file, 0, &b);
    vnt_set_entry(&file, 1, &a);
    vnt_reseal(&file);
    expect(&file, VN_BAD_FORMAT, "out of order");
    vnt_file_free(&file);
}

/// Each field of each entry, changed by one: never accepted.
static void entries_that_cannot_be(void** state) {
    (void)state;
    vnt_file file = make_file();
    vn_load_def def = vn_default_load_def();
    vn_detail detail = {0};

    uint32_t count = vnt_head(&file).section_count;
    for (uint32_t i = 0; i < count; ++i)
        for (int field = 0; field < 6; ++field) {
            const vni_file_entry good = vnt_entry(&file, i);
            vni_file_entry entry = good;
            bool comment = entry.tag == VNI_TAG_COMMENT; // its content is not checked
            entry.zero += field == 0;
            entry.offset += field == 1 ? 16 : 0;
            entry.stored += field == 2;
            entry.unpacked += field == 3;
            entry.count += field == 4 && !comment;
            entry.codec += field == 5;
            vnt_set_entry(&file, i, &entry);
            vnt_reseal(&file);
            vn_status status = read_with(&file, &def, &detail);

            bool params = entry.tag == VNI_TAG_PARAMS; // there is only one
            if (field == 4 && (comment || params))
                assert_int_equal(status, VN_OK);
            else
                assert_int_equal(status, field == 5 ? VN_UNSUPPORTED : VN_BAD_FORMAT);

            vnt_set_entry(&file, i, &good);
        }

    vnt_file_free(&file);
}

/// What lies between the sections is zero, and nothing else.
static void gaps_are_zero(void** state) {
    (void)state;
    vnt_file file = make_file();
    uint64_t end = sizeof(vni_file_head) + vnt_head(&file).section_count * sizeof(vni_file_entry);
    uint32_t gaps = 0;
    for (uint32_t i = 0; i < vnt_head(&file).section_count; ++i) {
        vni_file_entry entry = vnt_entry(&file, i);
        for (; end < entry.offset; ++end, ++gaps) {
            file.data[end] = 1;
            expect(&file, VN_BAD_FORMAT, "misplaced");
            file.data[end] = 0;
        }

        end = entry.offset + entry.stored;
    }

    assert_true(gaps > 0);
    vnt_file_free(&file);
}

static size_t pack_badly(void* user, const void* data, size_t size, void* out, size_t capacity) {
    (void)user;
    (void)capacity;
    memcpy(out, data, size);
    return size;
}

static void codecs(void** state) {
    (void)state;
    vn_layers* layers = make_layers();
    vn_codec codec = vnt_zero_codec();
    vn_store_def store = vn_default_store_def();
    vn_load_def def = vn_default_load_def();
    vn_detail detail = {0};
    store.codec = &codec;
    vnt_file file = vnt_write(layers, &store);
    assert_int_equal(read_with(&file, &def, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "codec 77"));
    def.codec = &codec;
    assert_int_equal(read_with(&file, &def, &detail), VN_OK);

    uint32_t packed = 0;
    for (uint32_t i = 0; i < vnt_head(&file).section_count; ++i) { // packed, and nothing in it
        const vni_file_entry good = vnt_entry(&file, i);
        vni_file_entry entry = good;
        entry.unpacked = 0;
        packed += entry.codec == codec.id;
        vnt_set_entry(&file, i, &entry);
        vnt_reseal(&file);
        assert_int_equal(read_with(&file, &def, &detail), VN_BAD_FORMAT);
        vnt_set_entry(&file, i, &good);
    }

    vnt_reseal(&file);
    assert_true(packed > 2);
    codec.id = 78;
    assert_int_equal(read_with(&file, &def, &detail), VN_UNSUPPORTED);
    codec.id = 77;
    codec.unpack = NULL;
    assert_int_equal(read_with(&file, &def, &detail), VN_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "VOLNAV_ZSTD"));
    vnt_file_free(&file);
    codec.pack = pack_badly; // larger than before: stored as it is
    file = vnt_write(layers, &store);
    def.codec = NULL;
    assert_int_equal(read_with(&file, &def, &detail), VN_OK);
    vnt_file_free(&file);
    codec.pack = NULL; // cannot pack: stored as it is
    file = vnt_write(layers, &store);
    assert_int_equal(read_with(&file, &def, &detail), VN_OK);
    vnt_file_free(&file);
    vn_layers_destroy(layers);
}

/// The same file at every address.
static void any_alignment(void** state) {
    (void)state;
    vnt_file file = make_file();
    uint8_t* copy = malloc(file.size + 16);
    assert_non_null(copy);

    vn_load_def def = vn_default_load_def();
    for (size_t i = 0; i < 16; ++i) {
        vn_layers* layers;
        memcpy(copy + i, file.data, file.size);
        assert_int_equal(vn_layers_read(copy + i, file.size, &def, &layers, NULL), VN_OK);
        vn_layers_destroy(layers);
    }

    free(copy);
    vnt_file_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(foreign_files),
        cmocka_unit_test(other_versions_and_byte_orders),
        cmocka_unit_test(lengths),
        cmocka_unit_test(heads_that_cannot_be),
        cmocka_unit_test(stale_sources),
        cmocka_unit_test(too_large),
        cmocka_unit_test(tables_are_counted),
        cmocka_unit_test(unknown_sections_are_skipped),
        cmocka_unit_test(sections_twice_or_out_of_order),
        cmocka_unit_test(entries_that_cannot_be),
        cmocka_unit_test(gaps_are_zero),
        cmocka_unit_test(codecs),
        cmocka_unit_test(any_alignment),
    };

    return cmocka_run_group_tests_name("store/bundle", tests, NULL, NULL);
}
