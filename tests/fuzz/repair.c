/// tests/fuzz/repair.c: makes a mutated .vnav or .vnrec whole again, so that mutations reach what lies behind
/// the checksums.
#include "base/xxh64.h"
#include "store/bundle.h"
#include "tests/fuzz/probe.h"
#include <string.h>

/// The sections one after the other, each where it must be; what does not fit any more ends with the file,
/// and the last one takes all that is left.
static void repair_layout(uint8_t* data, size_t size, uint32_t count) {
    uint64_t end = sizeof(vni_file_head) + count * sizeof(vni_file_entry);
    for (uint32_t i = 0; i < count; ++i) {
        vni_file_entry entry;
        uint8_t* at = data + sizeof(vni_file_head) + i * sizeof entry;
        memcpy(&entry, at, sizeof entry);
        uint64_t offset = vni_bundle_align(end) < size ? vni_bundle_align(end) : size;
        memset(data + end, 0, (size_t)(offset - end));
        bool fits = i + 1 < count && entry.stored <= size - offset;
        entry.offset = offset;
        entry.stored = fits ? entry.stored : size - offset;
        entry.unpacked = entry.codec == 0 ? entry.stored : entry.unpacked;
        entry.zero = 0;
        end = offset + entry.stored;
        memcpy(at, &entry, sizeof entry);
    }
}

static void repair_hashes(uint8_t* data, size_t size, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        vni_file_entry entry;
        uint8_t* at = data + sizeof(vni_file_head) + i * sizeof entry;
        memcpy(&entry, at, sizeof entry);
        if (entry.offset <= size && entry.stored <= size - entry.offset)
            entry.hash = vni_xxh64(data + entry.offset, (size_t)entry.stored, 0);
        memcpy(at, &entry, sizeof entry);
    }
}

void vnf_repair_store(uint8_t* data, size_t size, bool layout) {
    vni_file_head head;
    if (size < sizeof head)
        return;

    memcpy(&head, data, sizeof head);
    uint64_t capacity = (size - sizeof head) / sizeof(vni_file_entry);
    if (layout) {
        memcpy(head.magic, vni_bundle_magic, sizeof head.magic);
        head.version = VN_STORE_VERSION;
        head.byte_order = VNI_FILE_BYTE_ORDER;
        head.section_count = head.section_count < capacity ? head.section_count : (uint32_t)capacity;
        head.size = size;
        head.zero_1 = 0;
        head.zero_2 = 0;
        repair_layout(data, size, head.section_count);
    }

    if (head.section_count <= capacity) {
        repair_hashes(data, size, head.section_count);
        head.hash =
            vni_bundle_head_hash(&head, data + sizeof head, head.section_count * sizeof(vni_file_entry));
    }

    memcpy(data, &head, sizeof head);
}
