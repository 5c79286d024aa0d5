/// store/writer.h: sections are collected, packed and hashed, then everything goes to the sink.
#ifndef VNI_STORE_WRITER_H
#define VNI_STORE_WRITER_H

#include "store/bytes.h"
#include "store/format.h"
#include "volnav/store.h"

/// Holds the whole file, packed, until it is written: the table in front needs every section's checksum.
typedef struct vni_writer {
    vn_allocator allocator;
    const vn_codec* codec; ///< may be null
    vni_bytes content;     ///< the section in work
    vni_bytes body;        ///< the sections that are done
    vni_file_entry* entries;
    uint64_t entry_capacity;
    uint32_t entry_count;
    bool failed; ///< memory ran out
} vni_writer;

vni_writer vni_writer_make(const vn_allocator* allocator, const vn_codec* codec);
void vni_writer_free(vni_writer* writer);

/// Makes writer->content the next section and empties it. Sections come in ascending order of layer, tag and
/// first. `packs`: by the codec, if that makes it smaller.
void vni_writer_add(vni_writer* writer, uint32_t layer, vni_tag tag, uint32_t first, uint32_t count,
                    bool packs);

/// VN_OUT_OF_MEMORY if it ran out at any time, VN_TOO_LARGE, VN_IO.
vn_status vni_writer_finish(vni_writer* writer, uint32_t kind, uint32_t layer_count, uint64_t source,
                            const vn_sink* sink, vn_detail* detail);

#endif
