/// tests/fuzz/bytes.c: sources and sinks in memory, and memory with a limit.
#include "tests/fuzz/bytes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vnf_failed(const char* condition, const char* file, int line, const char* text) {
    fprintf(stderr, "%s:%d: does not hold: %s %s\n", file, line, condition, text);
    abort();
}

static int64_t read_bytes(void* user, void* buffer, size_t size) {
    vnf_bytes* bytes = user;
    size_t count = size < bytes->left ? size : bytes->left;
    if (count > 0)
        memcpy(buffer, bytes->data, count);

    bytes->data += count;
    bytes->left -= count;
    return (int64_t)count;
}

vn_source vnf_source(vnf_bytes* bytes) {
    vn_source source = {read_bytes, bytes};
    return source;
}

static bool write_bytes(void* user, const void* data, size_t size) {
    vnf_page* page = user;
    if (size > page->capacity - page->size) {
        page->capacity = 2 * (page->size + size);
        page->data = realloc(page->data, page->capacity);
        VNF_REQUIRE(page->data != NULL);
    }

    if (size > 0)
        memcpy(page->data + page->size, data, size);

    page->size += size;
    return true;
}

vn_sink vnf_sink(vnf_page* page) {
    vn_sink sink = {write_bytes, page};
    return sink;
}

// ----------------------------------------------------------------------------------------------- memory

static void* purse_alloc(void* user, size_t size) {
    vnf_purse* purse = user;
    void* block = size <= purse->most - purse->live ? malloc(size) : NULL;
    purse->live += block != NULL ? size : 0;
    return block;
}

static void* purse_resize(void* user, void* block, size_t old_size, size_t new_size) {
    vnf_purse* purse = user;
    if (new_size > old_size && new_size - old_size > purse->most - purse->live)
        return NULL;

    void* moved = realloc(block, new_size);
    purse->live += moved != NULL ? new_size - old_size : 0;
    return moved;
}

static void purse_release(void* user, void* block, size_t size) {
    vnf_purse* purse = user;
    purse->live -= size;
    free(block);
}

vn_allocator vnf_purse_allocator(vnf_purse* purse) {
    vn_allocator allocator = {purse_alloc, purse_resize, purse_release, purse};
    return allocator;
}
