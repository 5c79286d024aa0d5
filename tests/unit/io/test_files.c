/// Files on the disk: reasons for what cannot be read or written, nothing left half-written, and the real
/// maps when they are there.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "support.h"
#include "volnav/io.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static char folder[512];
static char path_buffer[4][1024];

/// A path inside the test's own folder; four may be in use at once.
static const char* in_folder(const char* name) {
    static int next;
    char* path = path_buffer[next++ % 4];
    snprintf(path, sizeof path_buffer[0], "%s/%s", folder, name);
    return path;
}

static int set_up(void** state) {
    (void)state;
    const char* base = getenv("TMPDIR");
    for (int i = 0; i < 1000; ++i) {
        snprintf(folder, sizeof folder, "%s/volnav-test-io-%d", base != NULL && *base != 0 ? base : "/tmp",
                 i);
        if (make_folder(folder) == 0)
            return 0;
    }
    return -1;
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

static int tear_down(void** state) {
    (void)state;
    remove(in_folder("map.3dmap"));
    return remove_folder(folder);
}

static void put_file(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void refuse_to_read(const char* path, const char* part_of_path, int reason) {
    vn_3dmap map;
    vn_3dscen scen;
    vn_detail detail = {0};
    assert_int_equal(vn_3dmap_read_file(path, NULL, &map, &detail), VN_IO);
    assert_null(map.voxels);
    assert_int_equal(detail.status, VN_IO);
    assert_non_null(strstr(detail.text, part_of_path));
    assert_non_null(strstr(detail.text, strerror(reason)));
    assert_int_equal(vn_3dscen_read_file(path, NULL, &scen, &detail), VN_IO);
    assert_null(scen.lines);
    assert_non_null(strstr(detail.text, strerror(reason)));
    assert_int_equal(vn_3dmap_read_file(path, NULL, &map, NULL), VN_IO);
}

static void unreadable_files_have_a_reason(void** state) {
    (void)state;
    refuse_to_read(in_folder("missing.3dmap"), "missing.3dmap", ENOENT);
    char long_name[230];
    memset(long_name, 'n', 229);
    strcpy(long_name + 220, ".3dmap");
    refuse_to_read(in_folder(long_name), "nnnn.3dmap", ENOENT);
#ifndef _WIN32
    refuse_to_read(folder, "volnav-test-io", EISDIR);
#endif
}

static void content_errors_keep_their_line(void** state) {
    (void)state;
    const char* path = in_folder("map.3dmap");
    vn_3dmap map;
    vn_3dscen scen;
    vn_detail detail = {0};
    put_file(path, "voxel 3 3 3\n0 0 0\n0 0 3\n");
    assert_int_equal(vn_3dmap_read_file(path, NULL, &map, &detail), VN_BAD_FORMAT);
    assert_int_equal(detail.line, 3);
    assert_int_equal(vn_3dscen_read_file(path, NULL, &scen, &detail), VN_BAD_FORMAT);
    assert_int_equal(detail.line, 1);
    put_file(path, "");
    assert_int_equal(vn_3dmap_read_file(path, NULL, &map, &detail), VN_BAD_FORMAT);
    assert_int_equal(detail.line, 1);
    put_file(path, "version 1\nm\n1 1 1 2 2 2 3 1\n");
    assert_int_equal(vn_3dscen_read_file(path, NULL, &scen, &detail), VN_OK);
    assert_int_equal(scen.line_count, 1);
    vn_3dscen_free(&scen);
    remove(path);
}

static const vn_voxel some_voxels[3] = {{0, 0, 0}, {2, 1, 0}, {1, 1, 2}};
static const vn_voxel some_dims = {3, 3, 3};

static void round_trip_through_a_file(void** state) {
    (void)state;
    const char* path = in_folder("map.3dmap");
    for (int round = 0; round < 2; ++round) { // the second time it replaces the first
        assert_int_equal(vn_3dmap_write_file(path, some_dims, some_voxels + round, 2, NULL), VN_OK);
        assert_int_equal(count_files(), 1);
        vn_3dmap map;
        assert_int_equal(vn_3dmap_read_file(path, NULL, &map, NULL), VN_OK);
        assert_int_equal(map.voxel_count, 2);
        assert_memory_equal(map.voxels, some_voxels + round, 2 * sizeof *some_voxels);
        vn_3dmap_free(&map);
    }
    put_file(in_folder("map.3dmap.tmp-0000"), "left behind by a crash");
    assert_int_equal(vn_3dmap_write_file(path, some_dims, some_voxels, 3, NULL), VN_OK);
    assert_int_equal(count_files(), 2);
    remove(in_folder("map.3dmap.tmp-0000"));
    remove(path);
}

static void refuse_to_write(const char* path, int reason) {
    vn_detail detail = {0};
    assert_int_equal(vn_3dmap_write_file(path, some_dims, some_voxels, 3, &detail), VN_IO);
    assert_int_equal(detail.status, VN_IO);
    assert_non_null(strstr(detail.text, strerror(reason)));
}

static void nothing_is_left_half_written(void** state) {
    (void)state;
    const char* path = in_folder("map.3dmap");
    put_file(path, "old");
    vn_detail detail = {0};
    assert_int_equal(vn_3dmap_write_file(path, (vn_voxel){3, 1, 3}, some_voxels, 3, &detail), VN_BAD_DATA);
    assert_int_equal(detail.index, 1);
    assert_int_equal(count_files(), 1);
    char text[8] = "";
    FILE* file = fopen(path, "rb");
    assert_int_equal(fread(text, 1, sizeof text, file), 3);
    fclose(file);
    assert_string_equal(text, "old");
    refuse_to_write(in_folder("no/such/folder/map.3dmap"), ENOENT);
    assert_int_equal(count_files(), 1);
    remove(path);
    static char endless[5000];
    memset(endless, 'e', sizeof endless - 1);
    refuse_to_write(endless, ENAMETOOLONG);
#ifndef _WIN32
    refuse_to_write(folder, EISDIR);
#endif
    assert_int_equal(count_files(), 0);
}

#ifndef _WIN32
static void unwritable_folder(void** state) {
    (void)state;
    put_file(in_folder("map.3dmap"), "");
    refuse_to_write(in_folder("map.3dmap/map.3dmap"), ENOTDIR);
    remove(in_folder("map.3dmap"));
    if (geteuid() == 0)
        return; // to the superuser every folder is writable
    assert_int_equal(chmod(folder, 0555), 0);
    refuse_to_write(in_folder("map.3dmap"), EACCES);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(count_files(), 0);
}

/// A limit on the size of files stands for a full disk.
static void full_disk(void** state) {
    (void)state;
    static vn_voxel voxels[20000];
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    small = before;
    small.rlim_cur = 50000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    vn_detail detail = {0};
    vn_status status = vn_3dmap_write_file(in_folder("map.3dmap"), some_dims, voxels, 20000, &detail);
    vn_status status_small = vn_3dmap_write_file(in_folder("map.3dmap"), some_dims, voxels, 100, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, old_handler);
    assert_int_equal(status, VN_IO);
    assert_non_null(strstr(detail.text, strerror(EFBIG)));
    assert_int_equal(status_small, VN_OK);
    assert_int_equal(count_files(), 1);
    remove(in_folder("map.3dmap"));
}

static void devices_are_not_replaced(void** state) {
    (void)state;
    assert_int_equal(vn_3dmap_write_file("/dev/null", some_dims, some_voxels, 3, NULL), VN_OK);
    struct stat found;
    assert_int_equal(stat("/dev/null", &found), 0);
    assert_true(S_ISCHR(found.st_mode));
}
#endif

/// Long runs only, with VN_DATA naming the folder of the shared data.
static void real_maps(void** state) {
    (void)state;
    const char* data = getenv("VN_DATA");
    if (vnt_scale(0, 1) == 0 || data == NULL)
        skip();
    const char* names[] = {"A1",  "BA1", "BC1", "Complex", "DA1", "DB1",   "DC1",
                           "EB1", "EC1", "ED1", "EE1",     "FB1", "Full1", "Simple"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char path[1024], scen_path[1100];
        snprintf(path, sizeof path, "%s/warframe/%s.3dmap", data, names[i]);
        snprintf(scen_path, sizeof scen_path, "%s.3dscen", path);
        vn_3dmap map, again;
        vn_3dscen scen;
        assert_int_equal(vn_3dmap_read_file(path, NULL, &map, NULL), VN_OK);
        assert_int_equal(vn_3dscen_read_file(scen_path, NULL, &scen, NULL), VN_OK);
        assert_int_equal(scen.line_count, 10000);
        assert_int_equal(vn_3dscen_check(&scen, path, map.dims, NULL), VN_OK);
        assert_int_equal(
            vn_3dmap_write_file(in_folder("map.3dmap"), map.dims, map.voxels, map.voxel_count, NULL), VN_OK);
        assert_int_equal(vn_3dmap_read_file(in_folder("map.3dmap"), NULL, &again, NULL), VN_OK);
        assert_int_equal(again.voxel_count, map.voxel_count);
        assert_memory_equal(again.voxels, map.voxels, (size_t)map.voxel_count * sizeof *map.voxels);
        vn_3dmap_free(&map);
        vn_3dmap_free(&again);
        vn_3dscen_free(&scen);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unreadable_files_have_a_reason),
        cmocka_unit_test(content_errors_keep_their_line),
        cmocka_unit_test(round_trip_through_a_file),
        cmocka_unit_test(nothing_is_left_half_written),
#ifndef _WIN32
        cmocka_unit_test(unwritable_folder),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(devices_are_not_replaced),
#endif
        cmocka_unit_test(real_maps),
    };
    return cmocka_run_group_tests_name("io/files", tests, set_up, tear_down);
}
