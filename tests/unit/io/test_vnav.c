/// .vnav and .vnrec on the disk: they come back, they replace others whole or not at all, and zstd that was
/// tampered with does no harm.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "tests/unit/store/files.h"
#include "volnav/io.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#ifdef _WIN32
#include <direct.h>
#define make_folder(path)   _mkdir(path)
#define remove_folder(path) _rmdir(path)
#else
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#define make_folder(path)   mkdir(path, 0777)
#define remove_folder(path) rmdir(path)
#endif

static char folder[512], file_path[600];

static int set_up(void** state) {
    (void)state;
    const char* base = getenv("TMPDIR");
    for (int i = 0; i < 1000; ++i) {
        snprintf(folder, sizeof folder, "%s/volnav-test-vnav-%d", base != NULL && *base != 0 ? base : "/tmp",
                 i);
        snprintf(file_path, sizeof file_path, "%s/space.vnav", folder);
        if (make_folder(folder) == 0)
            return 0;
    }

    return -1;
}

static int tear_down(void** state) {
    (void)state;
    remove(file_path);
    return remove_folder(folder);
}

/// Names in the folder, without . and ..
static int count_files(void) {
    DIR* dir = opendir(folder);
    assert_non_null(dir);
    int count = 0;
    for (struct dirent* entry = readdir(dir); entry != NULL; entry = readdir(dir))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;

    closedir(dir);
    return count;
}

static vnt_file slurp(void) {
    vnt_file out = vnt_file_make();
    char buffer[4096];
    FILE* file = fopen(file_path, "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        assert_true(vnt_file_take(&out, buffer, got));

    fclose(file);
    return out;
}

static bool has_zstd(void) {
    return vn_zstd_codec(0).pack != NULL;
}

static vn_layers* make_layers(uint64_t seed, uint32_t count) {
    vni_rng rng = vni_rng_make(seed);
    const vnt_layers_def def = {{70, 40, 30}, count, true, VN_UNKNOWN_REFUSED};
    return vnt_random_layers(&rng, &def);
}

static void expect_same(const vn_layers* a, const vn_layers* b) {
    assert_int_equal(vn_layers_count(a), vn_layers_count(b));
    for (uint32_t i = 0; i < vn_layers_count(a); ++i)
        assert_true(vn_space_content_hash(vn_layers_space(a, i)) ==
                    vn_space_content_hash(vn_layers_space(b, i)));
}

// ---------------------------------------------------------------------------------------------------- codec

static void zstd_packs_and_unpacks(void** state) {
    (void)state;
    static uint8_t data[100000], packed[200000], back[100001];
    static const int levels[] = {-5, 0, 1, 19, 500};
    const vn_codec codec = vn_zstd_codec(0);

    assert_int_equal(codec.id, 1);
    if (!has_zstd()) {
        assert_true(codec.bound == NULL);
        assert_true(codec.unpack == NULL);
        return;
    }

    for (size_t i = 0; i < sizeof data; ++i)
        data[i] = (uint8_t)(i / 7 * i);

    for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i) {
        vn_codec one = vn_zstd_codec(levels[i]);
        assert_true(one.bound(one.user, sizeof data) <= sizeof packed);
        size_t size = one.pack(one.user, data, sizeof data, packed, sizeof packed);
        assert_true(size > 0);
        assert_true(size < sizeof data);
        memset(back, 1, sizeof back);
        assert_true(one.unpack(one.user, packed, size, back, sizeof data));
        assert_memory_equal(back, data, sizeof data);
        assert_int_equal(back[sizeof data], 1);
        assert_false(one.unpack(one.user, packed, size, back, sizeof data - 1));
        assert_false(one.unpack(one.user, packed, size, back, sizeof data + 1));
        assert_false(one.unpack(one.user, packed, size - 1, back, sizeof data));
        assert_int_equal(one.pack(one.user, data, sizeof data, packed, 10), 0);
    }
}

// ---------------------------------------------------------------------------------------------------- files

static void layers_come_back(void** state) {
    (void)state;
    static vn_store_info info;
    vn_layers *layers = make_layers(1, 3), *back;
    vn_store_def store = vn_default_store_def();
    vn_load_def load = vn_default_load_def();
    vn_detail detail = {0};

    store.comment = "saved by a test";
    for (int round = 0; round < 2; ++round) { // the second time it replaces the first
        assert_int_equal(vn_layers_save_file(layers, file_path, &store, &detail), VN_OK);
        assert_int_equal(count_files(), 1);
        assert_int_equal(vn_layers_load_file(file_path, &load, &back, &detail), VN_OK);
        expect_same(layers, back);
        vn_layers_destroy(back);
    }

    vnt_file stored = vnt_write(layers, &store);
    assert_int_equal(vn_store_read_info_file(file_path, &info, &detail), VN_OK);
    assert_string_equal(info.comment, store.comment);
    assert_int_equal(info.layer_count, 3);
    if (has_zstd())
        assert_true(info.bytes < stored.size / 2);
    else
        assert_int_equal(info.bytes, stored.size);

    load.check_world_hash = true;
    load.world_hash = vn_layers_world_hash(layers) + 1;
    assert_int_equal(vn_layers_load_file(file_path, &load, &back, &detail), VN_STALE);
    assert_null(back);
    vnt_file_free(&stored);
    vn_layers_destroy(layers);
}

static void records_come_back(void** state) {
    (void)state;
    vn_layers *layers = make_layers(2, 2), *none;
    vn_query_def query_def = vn_default_query_def();
    vn_query* query;
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_store_def store = vn_default_store_def();
    vn_load_def load = vn_default_load_def();
    vn_record* record;
    vn_replay replay;
    vn_detail detail = {0};
    assert_int_equal(vn_query_create_layers(layers, &query_def, &query, NULL), VN_OK);
    request.start = (vn_point){1024, 1024, 1024};
    request.goal = (vn_point){60 * 1024, 30 * 1024, 20 * 1024};
    request.snap_distance = 100;
    request.radius = 0;
    assert_int_equal(vn_record_save_file(query, &request, &result, file_path, &store, &detail), VN_BAD_ORDER);
    vn_query_find_path(query, &request, &result, NULL);
    assert_int_equal(vn_record_save_file(query, &request, &result, file_path, &store, &detail), VN_OK);
    assert_int_equal(vn_record_load_file(file_path, &load, &record, &detail), VN_OK);
    assert_int_equal(vn_record_replay(record, NULL, &replay, &detail), VN_OK);
    assert_true(replay.same);
    vn_record_destroy(record);
    assert_int_equal(vn_layers_load_file(file_path, &load, &none, &detail), VN_OK);
    vn_layers_destroy(none);
    assert_int_equal(vn_layers_save_file(layers, file_path, &store, &detail), VN_OK);
    assert_int_equal(vn_record_load_file(file_path, &load, &record, &detail), VN_BAD_FORMAT);
    assert_null(record);
    vn_query_destroy(query);
    vn_layers_destroy(layers);
}

/// A save that fails leaves what was there, and nothing else.
static void failed_saves_change_nothing(void** state) {
    (void)state;
    vn_layers *layers = make_layers(3, 2), *other = make_layers(4, 1);
    vn_store_def store = vn_default_store_def(), bad = store;
    vn_detail detail = {0};
    assert_int_equal(vn_layers_save_file(layers, file_path, &store, &detail), VN_OK);
    vnt_file before = slurp();
    bad.comment = "\xff";
    assert_int_equal(vn_layers_save_file(other, file_path, &bad, &detail), VN_BAD_ARGUMENT);
    bad.cookie = 0;
    assert_int_equal(vn_layers_save_file(other, file_path, &bad, &detail), VN_BAD_DEF);
#ifndef _WIN32
    struct rlimit old, tight = {1000, 1000};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight.rlim_max = old.rlim_max;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    vn_status status = vn_layers_save_file(other, file_path, &store, &detail);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, VN_IO);
    assert_non_null(strstr(detail.text, strerror(EFBIG)));
#endif
    vnt_file after = slurp();
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.data, before.data, before.size);
    assert_int_equal(count_files(), 1);
    vnt_file_free(&before);
    vnt_file_free(&after);
    vn_layers_destroy(layers);
    vn_layers_destroy(other);
}

static void missing_and_large_files(void** state) {
    (void)state;
    static vn_store_info info;
    vn_layers *layers = make_layers(5, 1), *back;
    vn_record* record;
    vn_store_def store = vn_default_store_def();
    vn_load_def load = vn_default_load_def();
    vn_detail detail = {0};
    char path[700];
    snprintf(path, sizeof path, "%s/missing.vnav", folder);
    assert_int_equal(vn_layers_load_file(path, &load, &back, &detail), VN_IO);
    assert_null(back);
    assert_non_null(strstr(detail.text, strerror(ENOENT)));
    assert_int_equal(vn_record_load_file(path, &load, &record, &detail), VN_IO);
    assert_int_equal(vn_store_read_info_file(path, &info, &detail), VN_IO);
    snprintf(path, sizeof path, "%s/missing/space.vnav", folder);
    assert_int_equal(vn_layers_save_file(layers, path, &store, &detail), VN_IO);
    assert_int_equal(vn_layers_save_file(layers, file_path, &store, &detail), VN_OK);
    load.max_bytes = 1000;
    assert_int_equal(vn_layers_load_file(file_path, &load, &back, &detail), VN_TOO_LARGE);
    FILE* file = fopen(file_path, "wb"); // not ours, and not even read to its end

    assert_non_null(file);
    for (int i = 0; i < 300000; ++i)
        fputc('x', file);

    fclose(file);
    assert_int_equal(vn_layers_load_file(file_path, &load, &back, &detail), VN_BAD_FORMAT);
    assert_int_equal(vn_layers_save_file(layers, file_path, &store, &detail), VN_OK);
    load.cookie = 0;
    load.max_bytes = UINT64_MAX;
    assert_int_equal(vn_layers_load_file(file_path, &load, &back, &detail), VN_BAD_DEF);
    vn_layers_destroy(layers);
}

/// Counts what is asked for, and gives it.
typedef struct meter {
    vn_allocator under;
    size_t most;
} meter;

static void* metered_alloc(void* user, size_t size) {
    meter* m = user;
    m->most = size > m->most ? size : m->most;
    return m->under.alloc(m->under.user, size);
}

static void* metered_resize(void* user, void* block, size_t old_size, size_t size) {
    meter* m = user;
    m->most = size > m->most ? size : m->most;
    return m->under.resize(m->under.user, block, old_size, size);
}

static void metered_release(void* user, void* block, size_t size) {
    meter* m = user;
    m->under.release(m->under.user, block, size);
}

/// A long file costs no memory before its first bytes are ours and its length is what they say.
static void the_head_is_looked_at_first(void** state) {
    (void)state;
    meter m = {.under = vn_default_allocator()};
    vn_layers *layers = make_layers(6, 1), *back;
    vn_store_def store = vn_default_store_def();
    vn_load_def load = vn_default_load_def();
    vn_detail detail = {0};
    load.allocator = (vn_allocator){metered_alloc, metered_resize, metered_release, &m};

    for (int round = 0; round < 2; ++round) { // other bytes; then ours, but longer than they say
        assert_int_equal(vn_layers_save_file(layers, file_path, &store, &detail), VN_OK);
        FILE* file = fopen(file_path, "r+b");
        assert_non_null(file);
        if (round == 0)
            fputc('x', file);
        assert_int_equal(fseek(file, 40000000, SEEK_SET), 0);
        fputc(0, file);
        fclose(file);
        assert_int_equal(vn_layers_load_file(file_path, &load, &back, &detail), VN_BAD_FORMAT);
        assert_int_equal(m.most, 0);
        assert_non_null(strstr(detail.text, round == 0 ? "other bytes" : "follow the end"));
    }

    vn_layers_destroy(layers);
}

#ifndef _WIN32
/// Neither is opened: a pipe without a writer would hold up the call.
static void pipes_and_devices_are_refused(void** state) {
    (void)state;
    static vn_store_info info;
    vn_load_def load = vn_default_load_def();
    vn_detail detail = {0};
    vn_layers* back;
    remove(file_path);
    assert_int_equal(mkfifo(file_path, 0666), 0);
    assert_int_equal(vn_layers_load_file(file_path, &load, &back, &detail), VN_IO);
    assert_non_null(strstr(detail.text, "pipe"));
    assert_int_equal(vn_layers_load_file("/dev/zero", &load, &back, &detail), VN_IO);
    assert_int_equal(vn_store_read_info_file("/dev/zero", &info, &detail), VN_IO);
    remove(file_path);
}
#endif

static void memory_may_run_out(void** state) {
    (void)state;
    vn_layers* layers = make_layers(6, 1);
    vn_store_def store = vn_default_store_def();
    vn_status status = VN_OUT_OF_MEMORY;

    assert_int_equal(vn_layers_save_file(layers, file_path, &store, NULL), VN_OK);
    for (uint64_t k = 0; status != VN_OK; ++k) {
        vnt_memory memory = vnt_memory_make();
        vn_load_def load = vn_default_load_def();
        vn_layers* back;
        load.allocator = vnt_memory_allocator(&memory);
        memory.fail_at = k;
        status = vn_layers_load_file(file_path, &load, &back, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        vn_layers_destroy(back);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    vn_layers_destroy(layers);
}

/// Flips in zstd's own bytes, with the checksums made right again.
static void packed_files_changed_on_purpose(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("packed_files_changed_on_purpose", 41));
    const vn_codec codec = vn_zstd_codec(0);
    uint32_t flips = vnt_scale(600, 10000);
    for (uint32_t i = 0; i < flips;) {
        vn_layers* layers = make_layers(i, 1 + i / 100 % 2);
        vn_store_def store = vn_default_store_def();
        store.codec = &codec;
        vnt_file file = vnt_write(layers, &store);
        for (int k = 0; k < 100; ++k, ++i) {
            vnt_file changed = vnt_file_copy(&file);
            vn_load_def load = vn_default_load_def();
            vn_layers* back;
            vni_file_entry entry = vnt_entry(&file, vni_rng_below(&rng, vnt_head(&file).section_count));
            changed.data[entry.offset + vni_rng_below(&rng, (uint32_t)entry.stored)] ^=
                (uint8_t)(1 + vni_rng_below(&rng, 255));
            load.codec = &codec;
            load.max_bytes = 1 << 26;
            assert_int_equal(vn_layers_read(changed.data, changed.size, &load, &back, NULL), VN_BAD_FORMAT);
            vnt_reseal(&changed);
            vn_status status = vn_layers_read(changed.data, changed.size, &load, &back, NULL);

            assert_true(status == VN_OK || status == VN_BAD_FORMAT || status == VN_TOO_LARGE);
            for (uint32_t m = 0; back != NULL && m < vn_layers_count(back); ++m)
                assert_int_equal(vn_space_validate(vn_layers_space(back, m), NULL), VN_OK);

            vn_layers_destroy(back);
            vnt_file_free(&changed);
        }

        vnt_file_free(&file);
        vn_layers_destroy(layers);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zstd_packs_and_unpacks),
        cmocka_unit_test(layers_come_back),
        cmocka_unit_test(records_come_back),
        cmocka_unit_test(failed_saves_change_nothing),
        cmocka_unit_test(missing_and_large_files),
        cmocka_unit_test(the_head_is_looked_at_first),
#ifndef _WIN32
        cmocka_unit_test(pipes_and_devices_are_refused),
#endif
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(packed_files_changed_on_purpose),
    };
    return cmocka_run_group_tests_name("io/vnav", tests, set_up, tear_down);
}
