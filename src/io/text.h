/// io/text.h: reading a text that has a head and then records, one on a line: what the text formats share.
#ifndef VNI_IO_TEXT_H
#define VNI_IO_TEXT_H

#include "io/lines.h"

/// A format by its two readers. Both give a status with a detail; neither allocates.
typedef struct vni_text_format {
    size_t record_size; ///< bytes
    const char* plural; ///< of a record, for errors: "voxels"
    vn_status (*read_head)(vni_lines* lines, void* head, vn_detail* detail);

    /// The rest of a record's line, whose first word has been read.
    vn_status (*read_record)(vni_lines* lines, const void* head, void* record, vn_detail* detail);
} vni_text_format;

/// Exactly `count` records in one block; null if there are none.
typedef struct vni_records {
    void* items;
    uint64_t count;
} vni_records;

/// Reads the whole text. The head goes to `head`; the records are the caller's, to be freed with
/// vni_records_free. On failure there are none.
vn_status vni_text_read(const vni_text_format* format, const vn_source* source, const vn_allocator* allocator,
                        void* head, vni_records* out, vn_detail* detail);

/// Null items are allowed; then the allocator is not looked at.
void vni_records_free(const vn_allocator* allocator, void* items, uint64_t count, size_t record_size);

#endif
