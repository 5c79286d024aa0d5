/// tests/fuzz/tool.c: a file for each input, and quiet messages.
#define _XOPEN_SOURCE 700 // P_tmpdir
#include "tests/fuzz/tool.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_ENDINGS 8

static char paths[MAX_ENDINGS][256];
static int path_count;
static char message[1024];

// ------------------------------------------------------------------------------------------------- file

static void remove_files(void) {
    for (int i = 0; i < path_count; ++i)
        remove(paths[i]);
}

/// In memory if the system has such a folder: ten times as many inputs in the same time.
static const char* folder(void) {
    const char* chosen = getenv("TMPDIR");
    if (chosen != NULL)
        return chosen;
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : P_tmpdir;
}

/// One file for each ending, named after the process, so that several fuzzers can run at once.
static const char* path_for(const char* ending) {
    for (int i = 0; i < path_count; ++i) {
        const char* dot = strrchr(paths[i], '.');
        if (dot != NULL && strcmp(dot, ending) == 0)
            return paths[i];
    }

    VNF_REQUIRE(path_count < MAX_ENDINGS);
    if (path_count == 0)
        atexit(remove_files);

    snprintf(paths[path_count], sizeof paths[0], "%s/volnav_fuzz_%ld%s", folder(), (long)getpid(), ending);
    return paths[path_count++];
}

const char* vnf_tool_file(const char* ending, const uint8_t* data, size_t size) {
    const char* path = path_for(ending);
    FILE* out = fopen(path, "wb");
    VNF_REQUIRE(out != NULL);
    VNF_REQUIRE(fwrite(data, 1, size, out) == size && fclose(out) == 0);
    return path;
}

// --------------------------------------------------------------------------------------------- messages

const char* vnf_tool_message(void) {
    return message;
}

void vnf_tool_forget_message(void) {
    message[0] = '\0';
}

int say_bad(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return EXIT_BAD;
}

int say_status(const char* file, vn_status status, const vn_detail* detail) {
    return say_bad("%s: %s", file != NULL ? file : "",
                   detail != NULL && detail->text[0] != '\0' ? detail->text : vn_status_text(status));
}

void say_warning(say_warnings* warnings, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ++warnings->count;
}

void say_free_warnings(say_warnings* warnings) {
    warnings->count = 0;
}

void* say_alloc(size_t count, size_t size) {
    void* block = calloc(count == 0 ? 1 : count, size);
    VNF_REQUIRE(block != NULL);
    return block;
}

void* say_resize(void* block, size_t count, size_t size) {
    VNF_REQUIRE(size == 0 || count <= SIZE_MAX / size);
    void* moved = realloc(block, count == 0 ? size : count * size);
    VNF_REQUIRE(moved != NULL);
    return moved;
}
