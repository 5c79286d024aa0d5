/// store/bundle.c: refusing what is not ours, not whole or not as it was written, with the reason.
#include "store/bundle.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "base/jobs.h"
#include "base/threads.h"
#include "base/xxh64.h"

#include <string.h>

/// A byte that no text has, and ends of lines that a transfer as text would change.
const uint8_t vni_bundle_magic[VNI_FILE_MAGIC_SIZE] = {0xb6, 'v', 'n', 'a', 'v', '\r', '\n', 0x1a};

_Static_assert(sizeof(vni_file_head) == VN_STORE_HEAD_SIZE && offsetof(vni_file_head, hash) == 56,
               "the head has no padding");
_Static_assert(sizeof(vni_file_entry) == 56 && offsetof(vni_file_entry, offset) == 24,
               "an entry has no padding");

int vni_bundle_compare(const vni_file_entry* a, const vni_file_entry* b) {
    VNI_ASSERT(a != NULL && b != NULL);
    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

uint64_t vni_bundle_head_hash(const vni_file_head* head, const void* table, uint64_t table_size) {
    return vni_xxh64(table, (size_t)table_size, vni_xxh64(head, offsetof(vni_file_head, hash), 0));
}

const char* vni_tag_name(uint32_t tag) {
    switch (tag) {
    case VNI_TAG_PARAMS: return "parameters";
    case VNI_TAG_OCCUPANCY: return "occupancy";
    case VNI_TAG_UNKNOWN: return "unknown space";
    case VNI_TAG_CELLS: return "cells";
    case VNI_TAG_SEAMS: return "seams";
    case VNI_TAG_COMPONENTS: return "components";
    case VNI_TAG_TREE: return "tree";
    case VNI_TAG_COMMENT: return "comment";
    case VNI_TAG_CONNECTIONS: return "connections";
    case VNI_TAG_SENSED: return "sensed voxels";
    case VNI_TAG_REQUEST: return "request";
    case VNI_TAG_REQUEST_ZONES: return "zones of the request";
    case VNI_TAG_REQUEST_CONNECTIONS: return "connections of the request";
    case VNI_TAG_RESULT: return "result";
    case VNI_TAG_POINTS: return "points";
    case VNI_TAG_CONNECTION_USES: return "connections used";
    case VNI_TAG_REQUEST_SHAPES: return "shapes of the request's zones";
    case VNI_TAG_RUN: return "run";
    case VNI_TAG_RUN_RESULT: return "result of the run";
    case VNI_TAG_RUN_MARKS: return "marks of the run";
    default: return "section of a kind unknown to this version";
    }
}

static bool is_known(uint32_t tag) {
    return (tag >= VNI_TAG_PARAMS && tag <= VNI_TAG_TREE) || tag == VNI_TAG_COMMENT ||
           tag == VNI_TAG_CONNECTIONS || tag == VNI_TAG_SENSED ||
           (tag >= VNI_TAG_REQUEST && tag <= VNI_TAG_REQUEST_SHAPES) ||
           (tag >= VNI_TAG_RUN && tag <= VNI_TAG_RUN_MARKS);
}

// ---------- header and table

static bool machine_is_little_endian(void) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/// Checks that this is a file of this format and of a version that the library reads. The magic bytes hold a
/// CR LF, as those of PNG do: a transfer as text changes it, and is told apart from another format by the
/// first five bytes.
static vn_status check_identity(const vni_bundle* bundle, vn_detail* detail) {
    if (bundle->size < VNI_FILE_MAGIC_SIZE || memcmp(bundle->data, vni_bundle_magic, 5) != 0)
        return vni_fail(detail, VN_BAD_FORMAT, "this is no .vnav or .vnrec file: it begins with other bytes");
    if (memcmp(bundle->data, vni_bundle_magic, VNI_FILE_MAGIC_SIZE) != 0)
        return vni_fail(detail, VN_BAD_FORMAT,
                        "the line endings in the file were changed, as by a transfer as text: copy it again "
                        "as binary");

    if (bundle->size < sizeof(vni_file_head))
        return vni_fail(detail, VN_BAD_FORMAT, "the file is truncated: it ends inside its header");
    if (!machine_is_little_endian())
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the file is little-endian and this machine is big-endian: bake it there instead");

    if (bundle->head.byte_order == 0x04030201u)
        return vni_fail(detail, VN_UNSUPPORTED, "the file is big-endian: only little-endian ones are read");
    if (bundle->head.byte_order != VNI_FILE_BYTE_ORDER)
        return vni_fail(detail, VN_BAD_FORMAT, "the file is damaged: its byte order mark is wrong");

    if (bundle->head.version > VN_STORE_VERSION)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the file has format version %u, and this library reads up to %d: use a newer "
                        "volnav, or save the file with an older one",
                        bundle->head.version, VN_STORE_VERSION);

    return VN_OK;
}

/// `size` is that of the whole file, its head at least.
static vn_status check_size(const vni_file_head* head, uint64_t size, vn_detail* detail) {
    uint64_t table_size = head->section_count * (uint64_t)sizeof(vni_file_entry);
    VNI_ASSERT(size >= sizeof *head);

    if (size < head->size || size - sizeof *head < table_size)
        return vni_fail(detail, VN_BAD_FORMAT,
                        "the file is truncated: it has %llu bytes of %llu; copy it again",
                        (unsigned long long)size, (unsigned long long)head->size);

    if (size > head->size)
        return vni_fail(detail, VN_BAD_FORMAT, "%llu bytes follow the end of the file",
                        (unsigned long long)(size - head->size));

    return VN_OK;
}

static bool kind_is_sound(const vni_file_head* head) {
    if (head->kind == VNI_FILE_RUN)
        return head->layer_count == 0;
    return (head->kind == VNI_FILE_LAYERS || head->kind == VNI_FILE_RECORD) && head->layer_count >= 1 &&
           head->layer_count <= VN_MAX_LAYERS;
}

static vn_status check_head(const vni_bundle* bundle, vn_detail* detail) {
    const vni_file_head* head = &bundle->head;
    uint64_t table_size = head->section_count * (uint64_t)sizeof(vni_file_entry);
    vn_status status = check_size(head, bundle->size, detail);
    if (status != VN_OK)
        return status;

    if (vni_bundle_head_hash(head, bundle->data + sizeof *head, table_size) != head->hash)
        return vni_fail(detail, VN_BAD_FORMAT,
                        "the file is damaged: its header or table does not match its checksum");

    if (head->version == 0 || !kind_is_sound(head) || head->section_count > VN_STORE_MAX_SECTIONS ||
        head->zero_1 != 0 || head->zero_2 != 0)
        return vni_fail(detail, VN_BAD_FORMAT, "invalid file header");

    return VN_OK;
}

static bool is_zero(const uint8_t* bytes, uint64_t size) {
    uint8_t any = 0;
    for (uint64_t i = 0; i < size; ++i)
        any |= bytes[i];
    return any == 0;
}

/// One entry: in order, directly behind the section before (which ends at `end`), and inside the file. Every
/// byte of a file belongs to something, so that two files with the same content are equal.
static bool entry_is_sound(const vni_bundle* bundle, const vni_file_entry* before,
                           const vni_file_entry* entry, uint64_t end) {
    if (before != NULL && vni_bundle_compare(before, entry) >= 0)
        return false;
    if (entry->layer >= bundle->head.layer_count && entry->layer != VNI_FILE_ALL_LAYERS)
        return false;
    if (entry->offset != vni_bundle_align(end) || entry->offset > bundle->size ||
        entry->stored > bundle->size - entry->offset)
        return false;
    if (entry->zero != 0 || entry->count > UINT32_MAX - entry->first)
        return false;

    return is_zero(bundle->data + end, entry->offset - end);
}

static vn_status check_table(const vni_bundle* bundle, vn_detail* detail) {
    uint64_t end = sizeof(vni_file_head) + bundle->head.section_count * (uint64_t)sizeof(vni_file_entry);
    vni_file_entry before = {0};
    for (uint32_t i = 0; i < bundle->head.section_count; ++i) {
        vni_file_entry entry = vni_bundle_get(bundle, i);
        if (!entry_is_sound(bundle, i ? &before : NULL, &entry, end))
            return vni_fail_index(detail, VN_BAD_FORMAT, i,
                                  "section %u of the file (%s) is repeated, out of order, or misplaced", i,
                                  vni_tag_name(entry.tag));

        before = entry;
        end = entry.offset + entry.stored;
    }

    return end == bundle->size
               ? VN_OK
               : vni_fail(detail, VN_BAD_FORMAT, "the file ends with bytes that belong to no section");
}

vn_status vn_store_check_head(const void* head, size_t head_size, uint64_t file_size, vn_detail* detail) {
    VNI_ASSERT((head != NULL || head_size == 0) && head_size <= file_size);
    vni_bundle bundle = {.data = (const uint8_t*)head, .size = head_size};
    if (head_size >= sizeof bundle.head)
        memcpy(&bundle.head, head, sizeof bundle.head);
    vn_status status = check_identity(&bundle, detail);
    return status == VN_OK ? check_size(&bundle.head, file_size, detail) : status;
}

vn_status vni_bundle_open(const void* data, size_t size, const vn_codec* codec, vni_bundle* out,
                          vn_detail* detail) {
    VNI_ASSERT((data != NULL || size == 0) && out != NULL);
    *out = (vni_bundle){.data = (const uint8_t*)data, .size = size, .codec = codec};
    if (size >= sizeof out->head)
        memcpy(&out->head, data, sizeof out->head);

    vn_status status = check_identity(out, detail);
    if (status == VN_OK)
        status = check_head(out, detail);

    return status == VN_OK ? check_table(out, detail) : status;
}

vni_file_entry vni_bundle_get(const vni_bundle* bundle, uint32_t index) {
    VNI_ASSERT(index < bundle->head.section_count);
    vni_file_entry entry;
    memcpy(&entry, bundle->data + sizeof(vni_file_head) + index * sizeof entry, sizeof entry);
    return entry;
}

/// The first entry that is not below `key`.
static uint32_t lower_bound(const vni_bundle* bundle, const vni_file_entry* key) {
    uint32_t low = 0, high = bundle->head.section_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        vni_file_entry entry = vni_bundle_get(bundle, middle);
        if (vni_bundle_compare(&entry, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }

    return low;
}

uint32_t vni_bundle_find(const vni_bundle* bundle, uint32_t layer, vni_tag tag, uint32_t* count) {
    const vni_file_entry key = {.layer = layer, .tag = (uint32_t)tag},
                         next = {.layer = layer, .tag = (uint32_t)tag + 1};
    uint32_t first = lower_bound(bundle, &key);
    *count = lower_bound(bundle, &next) - first;
    VNI_ASSERT(first + *count <= bundle->head.section_count);
    return first;
}

// ---------- sections

bool vni_bundle_hash_is_right(const vni_bundle* bundle, const vni_file_entry* entry) {
    VNI_ASSERT(entry->offset <= bundle->size && entry->stored <= bundle->size - entry->offset);
    return vni_xxh64(bundle->data + entry->offset, (size_t)entry->stored, 0) == entry->hash;
}

static vn_status wrong_hash(const vni_file_entry* entry, uint32_t index, vn_detail* detail) {
    return vni_fail_index(
        detail, VN_BAD_FORMAT, index,
        "the file is damaged: section %u (%s) does not match its checksum; copy it again, or "
        "bake it again",
        index, vni_tag_name(entry->tag));
}

vn_status vni_bundle_check_hash(const vni_bundle* bundle, uint32_t index, vn_detail* detail) {
    const vni_file_entry entry = vni_bundle_get(bundle, index);
    return vni_bundle_hash_is_right(bundle, &entry) ? VN_OK : wrong_hash(&entry, index, detail);
}

typedef struct hash_check {
    const vni_bundle* bundle;
    vni_atomic failed;
} hash_check;

static void check_some_hashes(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    hash_check* check = (hash_check*)context;
    (void)worker;
    for (uint32_t i = begin; i < end; ++i) {
        vni_file_entry entry = vni_bundle_get(check->bundle, i);
        if (!vni_bundle_hash_is_right(check->bundle, &entry))
            vni_atomic_store(&check->failed, 1);
    }
}

vn_status vni_bundle_check_hashes(const vni_bundle* bundle, const vn_jobs* jobs, vn_detail* detail) {
    VNI_ASSERT(vni_jobs_are_valid(jobs));

    hash_check check = {.bundle = bundle};
    vni_parallel_for(jobs, bundle->head.section_count, 1, check_some_hashes, &check);
    if (!vni_atomic_load(&check.failed))
        return VN_OK;

    for (uint32_t i = 0;; ++i) { // once more, one after the other: always the first is named
        vni_file_entry entry = vni_bundle_get(bundle, i);
        if (!vni_bundle_hash_is_right(bundle, &entry))
            return wrong_hash(&entry, i, detail);
    }
}

static vn_status check_codec(const vni_bundle* bundle, const vni_file_entry* entry, uint32_t index,
                             vn_detail* detail) {
    if (entry->codec == 0)
        return entry->stored == entry->unpacked
                   ? VN_OK
                   : vni_fail_index(detail, VN_BAD_FORMAT, index,
                                    "section %u (%s) is not packed, but its two sizes differ", index,
                                    vni_tag_name(entry->tag));

    if (entry->unpacked == 0)
        return vni_fail_index(detail, VN_BAD_FORMAT, index,
                              "section %u (%s) is packed, and there is nothing in it", index,
                              vni_tag_name(entry->tag));

    if (bundle->codec != NULL && bundle->codec->id == entry->codec && bundle->codec->unpack != NULL)
        return VN_OK;
    return vni_fail_index(
        detail, VN_UNSUPPORTED, index,
        "section %u (%s) is packed with codec %u%s, and there is nothing here to unpack it: "
        "%s",
        index, vni_tag_name(entry->tag), entry->codec, entry->codec == 1 ? " (zstd)" : "",
        bundle->codec != NULL && bundle->codec->id == entry->codec
            ? "this build of volnav_io has no zstd (VOLNAV_ZSTD=OFF)"
            : "give the codec in the def, or save the file unpacked");
}

vn_status vni_bundle_check_sizes(const vni_bundle* bundle, uint64_t max_bytes, vn_detail* detail) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < bundle->head.section_count; ++i) {
        vni_file_entry entry = vni_bundle_get(bundle, i);
        if (!is_known(entry.tag))
            continue;

        vn_status status = check_codec(bundle, &entry, i, detail);
        if (status != VN_OK)
            return status;

        if (entry.unpacked > VNI_FILE_MAX_SECTION)
            return vni_fail_index(detail, VN_BAD_FORMAT, i, "section %u (%s) has more than %llu bytes", i,
                                  vni_tag_name(entry.tag), (unsigned long long)VNI_FILE_MAX_SECTION);

        sum += entry.unpacked;
    }

    return sum <= max_bytes
               ? VN_OK
               : vni_fail(detail, VN_TOO_LARGE, "the file unpacks to %llu bytes, and max_bytes allows %llu",
                          (unsigned long long)sum, (unsigned long long)max_bytes);
}

bool vni_bundle_unpack(const vni_bundle* bundle, const vni_file_entry* entry, uint8_t* scratch,
                       uint64_t capacity, vni_reader* out) {
    const uint8_t* stored = bundle->data + entry->offset;
    *out = (vni_reader){.at = entry->codec ? scratch : stored, .left = entry->unpacked};
    if (entry->codec == 0)
        return entry->stored == entry->unpacked;

    VNI_ASSERT(bundle->codec != NULL && bundle->codec->id == entry->codec && bundle->codec->unpack != NULL);
    VNI_ASSERT(scratch != NULL || capacity == 0);

    return entry->unpacked <= capacity &&
           bundle->codec->unpack(bundle->codec->user, stored, (size_t)entry->stored, scratch,
                                 (size_t)entry->unpacked);
}

vn_status vni_bundle_take(const vni_bundle* bundle, const vni_file_entry* entry,
                          const vn_allocator* allocator, void** out, size_t* out_size, vn_detail* detail) {
    // Unpacked straight into the result; one that is not packed is copied.
    const uint64_t size = entry->unpacked;
    uint8_t* bytes = VNI_NEW_ARRAY(allocator, uint8_t, size);
    vni_reader in;
    if (bytes == NULL)
        return vni_fail(detail, size > 0 ? VN_OUT_OF_MEMORY : VN_BAD_FORMAT,
                        "no memory for a section (%s) of %llu bytes, or nothing in it",
                        vni_tag_name(entry->tag), (unsigned long long)size);
    if (!vni_bundle_unpack(bundle, entry, bytes, size, &in)) {
        VNI_DELETE_ARRAY(allocator, bytes, size);
        return vni_fail(detail, VN_BAD_FORMAT, "a section (%s) is packed wrongly", vni_tag_name(entry->tag));
    }

    if (in.at != bytes)
        memcpy(bytes, in.at, (size_t)size);
    *out = bytes;
    *out_size = (size_t)size;
    return VN_OK;
}

vn_status vni_bundle_read_one(const vni_bundle* bundle, uint32_t layer, vni_tag tag, uint8_t* scratch,
                              uint64_t capacity, vni_reader* out, bool* there, vn_detail* detail) {
    uint32_t count, index = vni_bundle_find(bundle, layer, tag, &count);
    *there = count > 0;
    if (count == 0)
        return VN_OK;

    vni_file_entry entry = vni_bundle_get(bundle, index);
    vn_status status = check_codec(bundle, &entry, index, detail);
    if (status != VN_OK)
        return status;
    if (!vni_bundle_hash_is_right(bundle, &entry))
        return wrong_hash(&entry, index, detail);

    if (count > 1 || entry.first != 0 || !vni_bundle_unpack(bundle, &entry, scratch, capacity, out))
        return vni_fail_index(detail, VN_BAD_FORMAT, index,
                              "section %u (%s) is there twice, too long, or packed wrongly", index,
                              vni_tag_name(tag));

    return VN_OK;
}
