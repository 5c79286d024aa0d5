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
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
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

static void save_map(const char* path) {
    vn_detail detail = {0};
    assert_int_equal(vn_3dmap_write_file(path, some_dims, some_voxels, 3, &detail), VN_OK);
    vn_3dmap map;
    assert_int_equal(vn_3dmap_read_file(path, NULL, &map, &detail), VN_OK);
    assert_int_equal(map.voxel_count, 3);
    vn_3dmap_free(&map);
}

static bool is_link(const char* path) {
    struct stat found;
    assert_int_equal(lstat(path, &found), 0);
    return S_ISLNK(found.st_mode);
}

static unsigned mode_of(const char* path) {
    struct stat found;
    assert_int_equal(stat(path, &found), 0);
    return (unsigned)found.st_mode & 07777;
}

/// Links to a link, to a file in another folder, and to a file that is not there yet.
static void symbolic_links_are_followed(void** state) {
    (void)state;
    assert_int_equal(mkdir(in_folder("real"), 0777), 0);
    assert_int_equal(symlink("real/map.3dmap", in_folder("link.3dmap")), 0);
    assert_int_equal(symlink(in_folder("link.3dmap"), in_folder("far.3dmap")), 0);
    for (int round = 0; round < 2; ++round) { // the first makes the file
        save_map(in_folder(round == 0 ? "link.3dmap" : "far.3dmap"));
        assert_true(is_link(in_folder("link.3dmap")));
        assert_true(is_link(in_folder("far.3dmap")));
        assert_false(is_link(in_folder("real/map.3dmap")));
        assert_int_equal(count_files(), 3);
    }

    assert_int_equal(symlink("loop.3dmap", in_folder("loop.3dmap")), 0);
    refuse_to_write(in_folder("loop.3dmap"), ELOOP);
    const char* made[] = {"real/map.3dmap", "real", "link.3dmap", "far.3dmap", "loop.3dmap"};
    for (size_t i = 0; i < sizeof made / sizeof *made; ++i)
        assert_int_equal(remove(in_folder(made[i])), 0);
}

static void the_mode_is_kept(void** state) {
    (void)state;
    const char* path = in_folder("map.3dmap");
    const mode_t mask = umask(022);
    static const unsigned modes[] = {0600, 0640, 0666, 0444, 0755};
    save_map(path);

    assert_int_equal(mode_of(path), 0644);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        assert_int_equal(chmod(path, (mode_t)modes[i]), 0);
        save_map(path);
        assert_int_equal(mode_of(path), modes[i]);
    }

    umask(mask);
    remove(path);
}

/// Makes a file in the folder that was last written `age` seconds ago.
static void leave(const char* name, time_t age) {
    const char* path = in_folder(name);
    put_file(path, "left");
    struct timespec times[2] = {{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/// The number of a process that is gone.
static long dead_process(void) {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return (long)child;
}

static void leftovers_are_swept(void** state) {
    (void)state;
    char dead[100], fresh[100], alive[100], other[100];
    long gone = dead_process();
    snprintf(dead, sizeof dead, "map.3dmap.tmp-%ld-7", gone);
    snprintf(fresh, sizeof fresh, "map.3dmap.tmp-%ld-8", gone);
    snprintf(alive, sizeof alive, "map.3dmap.tmp-%ld-0", (long)getpid());
    snprintf(other, sizeof other, "other.3dmap.tmp-%ld-0", gone);
    const char* kept[] = {
        fresh, alive, other, "map.3dmap.tmp-0002", "map.3dmap.tmp-mine", "map.3dmap.tmp-1-"};

    leave(dead, 120);
    leave("map.3dmap.tmp-0001", 7200); // the name of an older version
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
        leave(kept[i], i == 0 || i == 3 ? 0 : 7200);

    save_map(in_folder("map.3dmap"));

    assert_int_equal(count_files(), 1 + sizeof kept / sizeof *kept);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
        assert_int_equal(remove(in_folder(kept[i])), 0);

    remove(in_folder("map.3dmap"));
}

static void leftovers_never_block_a_save(void** state) {
    (void)state;
    char name[100];
    for (int i = 0; i < 1000; ++i) {
        snprintf(name, sizeof name, "map.3dmap.tmp-%04d", i);
        put_file(in_folder(name), "");
    }

    save_map(in_folder("map.3dmap"));
    for (int i = 0; i < 1000; ++i) {
        snprintf(name, sizeof name, "map.3dmap.tmp-%04d", i);
        remove(in_folder(name));
    }

    remove(in_folder("map.3dmap"));
}

static void endless_text_is_refused(void** state) {
    (void)state;
    const char* path = in_folder("zeros.3dmap");
    vn_detail detail = {0};
    vn_3dmap map;
    vn_3dscen scen;
    vn_octomap tree;
    put_file(path, "");
    assert_int_equal(truncate(path, (off_t)1 << 36), 0); // 64 GiB of zeros: one word, were it read whole
    assert_int_equal(vn_3dmap_read_file(path, NULL, &map, &detail), VN_BAD_FORMAT);
    assert_int_equal(vn_3dscen_read_file(path, NULL, &scen, &detail), VN_BAD_FORMAT);
    assert_int_equal(vn_octomap_read_file(path, NULL, &tree, &detail), VN_BAD_FORMAT);
    assert_int_equal(vn_3dmap_read_file("/dev/zero", NULL, &map, &detail), VN_IO);
    assert_non_null(strstr(detail.text, "device"));
    remove(path);
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
        cmocka_unit_test(symbolic_links_are_followed),
        cmocka_unit_test(the_mode_is_kept),
        cmocka_unit_test(leftovers_are_swept),
        cmocka_unit_test(leftovers_never_block_a_save),
        cmocka_unit_test(endless_text_is_refused),
#endif
        cmocka_unit_test(real_maps),
    };
    return cmocka_run_group_tests_name("io/files", tests, set_up, tear_down);
}
