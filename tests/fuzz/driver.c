/// tests/fuzz/driver.c: a fuzz target without libFuzzer, for every build and compiler.
///
///   driver FOLDER...   every file of the folders must be accepted; then many random mutations of them, and
///                      random bytes if the target takes them
///   driver FILE...     tries the files and says which are accepted
///
/// The seed is printed; VN_SEED sets it, VN_FUZZ_RUNS the number of mutations. With VN_FUZZ_SAVE=F each
/// mutation is written to the file F before it is tried: after a crash F holds the bytes that caused it.
#include "base/rng.h"
#include "support.h"
#include "tests/fuzz/probe.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILES    256
#define LARGEST_FILE 8192
#define LARGEST_COPY (2 * LARGEST_FILE)

typedef struct file {
    size_t size;
    uint8_t data[LARGEST_FILE];
} file;

static file files[MAX_FILES];
static uint32_t file_count;

static void stop(const char* what, const char* path) {
    fprintf(stderr, "%s: %s\n", path, what);
    exit(1);
}

// ---------------------------------------------------------------------------------------------- the corpus

static void add_file(const char* path) {
    if (file_count == MAX_FILES)
        stop("too many files", path);

    file* f = &files[file_count++];
    FILE* in = fopen(path, "rb");
    if (in == NULL)
        stop("cannot be opened", path);

    f->size = fread(f->data, 1, sizeof f->data, in);
    if (ferror(in) || fgetc(in) != EOF)
        stop("cannot be read, or is larger than 8 KB", path);

    fclose(in);
}

static int compare_names(const void* a, const void* b) {
    return strcmp(a, b);
}

/// All files of a folder, in order of their names, so that the same seed means the same bytes everywhere.
/// False if it is no folder.
static bool add_folder(const char* path) {
    static char names[MAX_FILES][256];
    uint32_t count = 0;
    DIR* folder = opendir(path);
    if (folder == NULL)
        return false;

    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
        if (entry->d_name[0] != '.') {
            if (count == MAX_FILES)
                stop("too many files", path);
            snprintf(names[count++], sizeof names[0], "%s", entry->d_name);
        }

    closedir(folder);
    qsort(names, count, sizeof names[0], compare_names);
    for (uint32_t i = 0; i < count; ++i) {
        char whole[1024];
        int length = snprintf(whole, sizeof whole, "%s/%s", path, names[i]);
        if (length < 0 || (size_t)length >= sizeof whole)
            stop("its path is too long", names[i]);

        add_file(whole);
        const file* f = &files[file_count - 1];
        const bool accepted = vnf_the_target.accepts(f->data, f->size);
        if (!accepted && vnf_the_target.random_size == 0) // random bytes are no format
            stop("was accepted once and is refused now", whole);
    }

    return true;
}

static int try_files(int count, char** paths) {
    for (int i = 0; i < count; ++i) {
        add_file(paths[i]);
        const file* f = &files[file_count - 1];
        printf("%s: %s\n", paths[i], vnf_the_target.accepts(f->data, f->size) ? "accepted" : "refused");
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------ mutations

typedef struct copy {
    size_t size;
    uint8_t data[LARGEST_COPY];
} copy;

/// A place in the copy, which is not empty.
static size_t some_place(const copy* c, vni_rng* rng) {
    return vni_rng_below(rng, (uint32_t)c->size);
}

static void change_byte(copy* c, vni_rng* rng) {
    static const uint8_t special[8] = {0, 1, 0x7f, 0x80, 0xff, ' ', '-', '\n'};
    uint8_t* byte = &c->data[some_place(c, rng)];
    if (*byte >= '0' && *byte <= '9' && vni_rng_below(rng, 4) != 0) { // in a text a number stays one
        *byte = (uint8_t)('0' + vni_rng_below(rng, 10));
        return;
    }
    switch (vni_rng_below(rng, 3)) {
    case 0: *byte ^= (uint8_t)(1u << vni_rng_below(rng, 8)); break;
    case 1: *byte = (uint8_t)vni_rng_below(rng, 256); break;
    default: *byte = special[vni_rng_below(rng, 8)]; break;
    }
}

/// Takes four or eight bytes, more often where lengths stand: at multiples of four, for a number.
static void change_number(copy* c, vni_rng* rng) {
    size_t width = vni_rng_below(rng, 2) == 0 ? 4 : 8;
    size_t at = some_place(c, rng);
    at -= vni_rng_below(rng, 4) != 0 ? at % 4 : 0;
    if (at + width > c->size)
        return;

    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i)
        value |= (uint64_t)c->data[at + i] << 8 * i;

    const uint64_t choices[8] = {0,
                                 1,
                                 value + 1,
                                 value - 1,
                                 value + vni_rng_below(rng, 1000),
                                 c->size,
                                 UINT32_MAX,
                                 (uint64_t)1 << vni_rng_below(rng, 64)};

    value = choices[vni_rng_below(rng, 8)];
    for (size_t i = 0; i < width; ++i)
        c->data[at + i] = (uint8_t)(value >> 8 * i);
}

static void cut_out(copy* c, vni_rng* rng) {
    size_t from = some_place(c, rng);
    size_t length = 1 + vni_rng_below(rng, vni_rng_below(rng, 2) == 0 ? 8 : (uint32_t)c->size);
    length = length > c->size - from ? c->size - from : length;
    memmove(c->data + from, c->data + from + length, c->size - from - length);
    c->size -= length;
}

/// Puts a piece of some file in, or over what is there.
static void splice(copy* c, vni_rng* rng) {
    const file* other = &files[vni_rng_below(rng, file_count)];
    if (other->size == 0)
        return;

    size_t from = vni_rng_below(rng, (uint32_t)other->size);
    size_t length = 1 + vni_rng_below(rng, (uint32_t)(other->size - from));
    size_t at = vni_rng_below(rng, (uint32_t)c->size + 1);
    bool inserts = vni_rng_below(rng, 2) == 0 && c->size + length <= LARGEST_COPY;
    if (inserts) {
        memmove(c->data + at + length, c->data + at, c->size - at);
        c->size += length;
    }

    length = length > c->size - at ? c->size - at : length;
    memcpy(c->data + at, other->data + from, length);
}

static void mutate(copy* c, vni_rng* rng) {
    for (uint32_t edits = 1 + vni_rng_below(rng, 4); edits > 0 && c->size > 0; --edits) {
        switch (vni_rng_below(rng, 10)) {
        case 0: c->size = some_place(c, rng); break;
        case 1: cut_out(c, rng); break;
        case 2: splice(c, rng); break;
        case 3:
        case 4:
        case 5: change_number(c, rng); break;
        default: change_byte(c, rng); break;
        }
    }

    if (vnf_the_target.repair != NULL && vni_rng_below(rng, 4) != 0)
        vnf_the_target.repair(c->data, c->size, vni_rng_below(rng, 2) == 0);

    if (vnf_the_target.bomb != NULL && vni_rng_below(rng, 8) == 0)
        c->size = vnf_the_target.bomb(c->data, c->size, LARGEST_COPY, vni_rng_below(rng, UINT32_MAX));
}

static void save(const char* path, const uint8_t* data, size_t size) {
    FILE* out = fopen(path, "wb");
    if (out == NULL || fwrite(data, 1, size, out) != size || fclose(out) != 0)
        stop("cannot be written", path);
}

/// In a block of just its size, so that reading beyond it is seen.
static bool try_copy(const copy* c) {
    uint8_t* block = malloc(c->size > 0 ? c->size : 1);
    if (block == NULL)
        abort();

    memcpy(block, c->data, c->size);
    const char* path = getenv("VN_FUZZ_SAVE");
    if (path != NULL)
        save(path, block, c->size);

    bool accepted = vnf_the_target.accepts(block, c->size);
    free(block);
    return accepted;
}

/// A mutation of a file, or random bytes.
static void make_input(copy* c, vni_rng* rng) {
    const uint32_t random_size = vnf_the_target.random_size;
    if (random_size > 0 && vni_rng_below(rng, 2) == 0) {
        c->size = 1 + vni_rng_below(rng, random_size);
        for (size_t i = 0; i < c->size; ++i)
            c->data[i] = (uint8_t)vni_rng_below(rng, 256);
        return;
    }

    const file* f = &files[vni_rng_below(rng, file_count)];
    c->size = f->size;
    memcpy(c->data, f->data, f->size);
    mutate(c, rng);
}

static void run_mutations(uint32_t runs) {
    static copy c;
    char name[64];
    snprintf(name, sizeof name, "fuzz/%s", vnf_the_target.name);
    vni_rng rng = vni_rng_make(vnt_seed(name, 91));

    uint32_t accepted = 0;
    for (uint32_t i = 0; i < runs; ++i) {
        make_input(&c, &rng);
        accepted += try_copy(&c);
    }

    printf("%s: %u files, %u inputs, %u of them accepted\n", name, file_count, runs, accepted);
}

int main(int count, char** arguments) {
    if (count > 1 && !add_folder(arguments[1]))
        return try_files(count - 1, arguments + 1);
    for (int i = 2; i < count; ++i)
        if (!add_folder(arguments[i]))
            stop("is no folder", arguments[i]);

    if (file_count == 0)
        stop("no files: name the folders of the corpus", arguments[0]);

    const char* runs = getenv("VN_FUZZ_RUNS");
    run_mutations(runs != NULL ? (uint32_t)strtoul(runs, NULL, 10) : vnt_scale(2000, 100000));
    return 0;
}
