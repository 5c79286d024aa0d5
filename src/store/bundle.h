/// store/bundle.h: a file in memory: its head, its table, its sections. Nothing of it is believed before it
/// has been checked.
#ifndef VNI_STORE_BUNDLE_H
#define VNI_STORE_BUNDLE_H

#include "store/bytes.h"
#include "store/format.h"
#include "volnav/store.h"

extern const uint8_t vni_bundle_magic[VNI_FILE_MAGIC_SIZE];

/// The next offset at which a section may begin.
static inline uint64_t vni_bundle_align(uint64_t offset) {
    return (offset + VNI_FILE_ALIGN - 1) / VNI_FILE_ALIGN * VNI_FILE_ALIGN;
}

/// Order of the table: by layer, tag, first. Below 0, 0, above 0.
int vni_bundle_compare(const vni_file_entry* a, const vni_file_entry* b);

/// What head->hash must be.
uint64_t vni_bundle_head_hash(const vni_file_head* head, const void* table, uint64_t table_size);

/// Static text for messages.
const char* vni_tag_name(uint32_t tag);

typedef struct vni_bundle {
    const uint8_t* data; ///< the caller's, at any address
    uint64_t size;
    vni_file_head head;
    const vn_codec* codec; ///< may be null
} vni_bundle;

/// Checks head and table: afterwards every section lies inside the data, none touches another, there is
/// nothing between them, and everything outside of them has been compared with its checksum.
vn_status vni_bundle_open(const void* data, size_t size, const vn_codec* codec, vni_bundle* out,
                          vn_detail* detail);

/// index < head.section_count.
vni_file_entry vni_bundle_get(const vni_bundle* bundle, uint32_t index);

/// The sections with this layer and tag: index of the first, and how many. O(log n).
uint32_t vni_bundle_find(const vni_bundle* bundle, uint32_t layer, vni_tag tag, uint32_t* count);

/// Compares all sections with their checksums, the unknown ones too. VN_BAD_FORMAT names the first that
/// differs.
vn_status vni_bundle_check_hashes(const vni_bundle* bundle, const vn_jobs* jobs, vn_detail* detail);

/// Is a section as its checksum says?
bool vni_bundle_hash_is_right(const vni_bundle* bundle, const vni_file_entry* entry);

/// The same with what is wrong.
vn_status vni_bundle_check_hash(const vni_bundle* bundle, uint32_t index, vn_detail* detail);

/// Can the sections whose tags we know be read: do we have the codec, are they not too large? All of them
/// together may have `max_bytes`.
vn_status vni_bundle_check_sizes(const vni_bundle* bundle, uint64_t max_bytes, vn_detail* detail);

/// Points `out` at the unpacked section. A packed one is unpacked into `scratch`, which has `capacity` bytes;
/// one that is stored lies where it is. False if it is packed wrongly, or scratch is too small.
bool vni_bundle_unpack(const vni_bundle* bundle, const vni_file_entry* entry, uint8_t* scratch,
                       uint64_t capacity, vni_reader* out);

/// An unpacked copy of a section whose size and codec have been checked, of `*out_size` bytes from the
/// allocator. VN_BAD_FORMAT: nothing in it, or packed wrongly. VN_OUT_OF_MEMORY.
vn_status vni_bundle_take(const vni_bundle* bundle, const vni_file_entry* entry,
                          const vn_allocator* allocator, void** out, size_t* out_size, vn_detail* detail);

/// The only section with a tag, its checksum compared, unpacked into `scratch` if it must be. VN_OK with
/// `*there` false if there is none.
vn_status vni_bundle_read_one(const vni_bundle* bundle, uint32_t layer, vni_tag tag, uint8_t* scratch,
                              uint64_t capacity, vni_reader* out, bool* there, vn_detail* detail);

#endif
