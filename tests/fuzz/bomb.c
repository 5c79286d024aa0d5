/// tests/fuzz/bomb.c: packed sections that unpack to something else than the file says.
#include "store/bundle.h"
#include "tests/fuzz/probe.h"
#include "volnav/io.h"
#include <stdlib.h>
#include <string.h>

#define FRAMES         4
#define LARGEST_FRAME  4096
#define LARGEST_ZEROES ((size_t)1 << 24)

/// Zeroes, packed: a few bytes that unpack to many.
typedef struct frame {
    uint64_t unpacked;
    size_t size;
    uint8_t data[LARGEST_FRAME];
} frame;

static frame frames[FRAMES];

static void pack_frames(const vn_codec* codec) {
    static const size_t sizes[FRAMES] = {64, 65536, (size_t)1 << 20, LARGEST_ZEROES};
    const size_t bound = codec->bound(codec->user, LARGEST_ZEROES);
    uint8_t *zeroes = calloc(LARGEST_ZEROES, 1), *packed = malloc(bound);
    VNF_REQUIRE(zeroes != NULL && packed != NULL);
    for (int i = 0; i < FRAMES; ++i) {
        frames[i].unpacked = sizes[i];
        frames[i].size = codec->pack(codec->user, zeroes, sizes[i], packed, bound);
        VNF_REQUIRE(frames[i].size > 0 && frames[i].size <= LARGEST_FRAME);
        memcpy(frames[i].data, packed, frames[i].size);
    }

    free(zeroes);
    free(packed);
}

/// What the file says that the section unpacks to.
static uint64_t claim(const frame* f, uint64_t before, uint32_t seed) {
    const uint64_t claims[8] = {f->unpacked,     f->unpacked, before,     f->unpacked - 1,
                                f->unpacked + 1, 1,           UINT64_MAX, (uint64_t)1 << 40};
    return claims[seed % 8];
}

/// Puts the frame where the section's bytes were, and moves what follows. Returns the new size of the file.
static size_t replace(uint8_t* data, size_t size, size_t capacity, vni_file_entry* entry, const frame* f) {
    const uint64_t old_tail = vni_bundle_align(entry->offset + entry->stored);
    const uint64_t new_tail = vni_bundle_align(entry->offset + f->size);
    const size_t tail = old_tail < size ? size - (size_t)old_tail : 0;
    if (new_tail > capacity || tail > capacity - new_tail)
        return 0;

    memmove(data + new_tail, data + size - tail, tail);
    memcpy(data + entry->offset, f->data, f->size);
    entry->stored = f->size;
    return tail > 0 ? (size_t)new_tail + tail : (size_t)entry->offset + f->size;
}

size_t vnf_bomb_store(uint8_t* data, size_t size, size_t capacity, uint32_t seed) {
    const vn_codec codec = vn_zstd_codec(1);
    vni_file_head head;
    if (codec.pack == NULL || size < sizeof head)
        return size;

    if (frames[0].size == 0)
        pack_frames(&codec);

    memcpy(&head, data, sizeof head);
    const uint64_t most = (size - sizeof head) / sizeof(vni_file_entry);
    if (head.section_count == 0 || head.section_count > most)
        return size;

    vni_file_entry entry;
    const frame* f = &frames[seed / 8 % FRAMES];
    uint8_t* at = data + sizeof head + seed / 32 % head.section_count * sizeof entry;
    memcpy(&entry, at, sizeof entry);
    if (entry.offset > size || entry.stored > size - entry.offset ||
        entry.offset < sizeof head + head.section_count * sizeof entry)
        return size;

    const uint64_t before = entry.unpacked;
    const size_t grown = replace(data, size, capacity, &entry, f);
    if (grown == 0)
        return size;

    entry.codec = codec.id;
    entry.unpacked = claim(f, before, seed);
    memcpy(at, &entry, sizeof entry);
    vnf_repair_store(data, grown, true);
    return grown;
}
