/// tests/install/reader.c: a program that uses both installed libraries: reads a voxel map from memory, packs
/// some bytes with zstd if the library has it, and prints what came of it.
#include <stdio.h>
#include <string.h>
#include <volnav/io.h>
#include <volnav/volnav.h>

static const char map_text[] = "voxel 3 4 5\n0 0 0\n2 3 4\n";

static int64_t read_text(void* user, void* buffer, size_t size) {
    size_t* at = user;
    size_t left = sizeof map_text - 1 - *at;
    size_t count = left < size ? left : size;
    memcpy(buffer, map_text + *at, count);
    *at += count;
    return (int64_t)count;
}

/// Packed and unpacked again: smaller, then the same. A library without zstd says so by a codec without
/// functions.
static bool zstd_works(const vn_codec* codec) {
    unsigned char zeros[1000] = {0}, packed[2000], back[1000];
    if (codec->pack == NULL)
        return true;
    size_t size = codec->pack(codec->user, zeros, sizeof zeros, packed, sizeof packed);
    return size > 0 && size < 100 && codec->unpack(codec->user, packed, size, back, sizeof back) &&
           memcmp(zeros, back, sizeof back) == 0;
}

int main(void) {
    if (vn_version() != VN_VERSION) {
        fprintf(stderr, "headers are %d, the library is %u\n", VN_VERSION, (unsigned)vn_version());
        return 1;
    }

    size_t at = 0;
    vn_source source = {.read = read_text, .user = &at};
    vn_allocator allocator = vn_default_allocator();
    vn_detail detail;
    vn_3dmap map;

    vn_status status = vn_3dmap_read(&source, &allocator, &map, &detail);
    if (status != VN_OK) {
        fprintf(stderr, "%s\n", detail.text);
        return 1;
    }

    printf("volnav %s: a map with %u blocked voxels\n", VN_VERSION_TEXT, (unsigned)map.voxel_count);
    vn_3dmap_free(&map);
    vn_codec codec = vn_zstd_codec(0);
    printf("zstd: %s\n", codec.pack != NULL ? "yes" : "no");
    return zstd_works(&codec) ? 0 : 1;
}
