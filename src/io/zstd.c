/// io/zstd.c: zstd as a codec, where the build has it.
#include "io/common.h"

#define ZSTD_CODEC_ID 1

#if defined(VOLNAV_ZSTD) && VOLNAV_ZSTD

#include <zstd.h>

#define DEFAULT_LEVEL 3
#define MAX_LEVEL     19

static size_t bound(void* user, size_t size) {
    (void)user;
    return ZSTD_compressBound(size);
}

static size_t pack(void* user, const void* data, size_t size, void* out, size_t capacity) {
    size_t packed = ZSTD_compress(out, capacity, data, size, (int)(intptr_t)user);
    return ZSTD_isError(packed) ? 0 : packed;
}

static bool unpack(void* user, const void* data, size_t size, void* out, size_t out_size) {
    (void)user;
    size_t unpacked = ZSTD_decompress(out, out_size, data, size);
    return !ZSTD_isError(unpacked) && unpacked == out_size;
}

vn_codec vn_zstd_codec(int level) {
    int chosen = level <= 0 ? DEFAULT_LEVEL : level > MAX_LEVEL ? MAX_LEVEL : level;
    return (vn_codec){
        .id = ZSTD_CODEC_ID, .bound = bound, .pack = pack, .unpack = unpack, .user = (void*)(intptr_t)chosen};
}

#else

vn_codec vn_zstd_codec(int level) {
    (void)level;
    return (vn_codec){.id = ZSTD_CODEC_ID};
}

#endif
