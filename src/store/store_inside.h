/// store/store_inside.h: long lists in several sections, so that they can be packed and unpacked in parallel
/// and through little memory. An element is a number (its head) and perhaps a record; a section has the heads
/// of its elements, then their records.
#ifndef VNI_STORE_STORE_INSIDE_H
#define VNI_STORE_STORE_INSIDE_H

#include "base/threads.h"
#include "store/bundle.h"
#include "store/writer.h"

/// A section is full when it has this many bytes.
#define VNI_PART_BYTES ((uint64_t)1 << 17)

/// How to write a list. `size` and `put` may be null: then there are only heads.
typedef struct vni_part_source {
    const void* context;
    uint32_t (*head)(const void* context, uint32_t index);
    uint64_t (*size)(const void* context, uint32_t index); ///< bytes of the record; 0: none
    void (*put)(const void* context, uint32_t index, vni_bytes* out);
} vni_part_source;

/// Writes the elements [0, total) as sections of `layer` with this tag.
void vni_put_parts(vni_writer* writer, uint32_t layer, vni_tag tag, uint32_t total,
                   const vni_part_source* source);

/// What reading needs besides the file: memory, and a buffer for each worker to unpack into.
typedef struct vni_loader {
    vni_bundle bundle;
    vn_allocator allocator;
    vn_jobs jobs;
    vni_bytes* scratch; ///< one a worker
    uint8_t* compared;  ///< by section: 1 if it has been compared with its checksum
    bool trusted;       ///< cells and links are not validated
    vni_atomic spent;   ///< memory of cells and links so far, in units of 64 bytes
    uint32_t most;      ///< of it; UINT32_MAX: any
} vni_loader;

/// False if there is no memory.
bool vni_loader_make(vni_loader* loader, const vni_bundle* bundle, const vn_allocator* allocator,
                     const vn_jobs* jobs);
void vni_loader_free(vni_loader* loader);

/// Takes one element from `in`, which stands at its record. Returns null, or what is wrong with it.
/// `vni_part_no_memory` if memory ran out. Runs on any `worker`, for distinct indices.
typedef const char* vni_take_part(void* context, uint32_t index, uint32_t head, vni_reader* in,
                                  uint32_t worker);

extern const char vni_part_no_memory[], vni_part_too_large[];

/// Limits what the layers may take in memory. Before anything is read.
void vni_loader_limit(vni_loader* loader, uint64_t bytes);

/// Counts an object of less than 2^30 bytes before it is made. False if that is more than the limit allows:
/// then the element is `vni_part_too_large`. On any worker.
bool vni_loader_spend(vni_loader* loader, uint64_t bytes);

/// Reads the elements [0, total) of a list, each section right after it has been compared with its checksum,
/// while it is in the cache. VN_BAD_FORMAT if some are missing, or one is wrong: then detail->index is the
/// first that is. VN_OUT_OF_MEMORY, VN_TOO_LARGE.
vn_status vni_take_parts(vni_loader* loader, uint32_t layer, vni_tag tag, uint32_t total, vni_take_part* take,
                         void* context, vn_detail* detail);

/// How many elements the sections of a list have, none of which claims more than it has heads for; else
/// UINT64_MAX.
uint64_t vni_count_parts(const vni_bundle* bundle, uint32_t layer, vni_tag tag);

/// Compares the sections that have not been taken with their checksums. VN_BAD_FORMAT names the first that
/// differs.
vn_status vni_loader_compare_rest(const vni_loader* loader, vn_detail* detail);

#endif
