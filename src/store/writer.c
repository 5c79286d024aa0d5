/// store/writer.c: the table of sections, and the sections behind it.
#include "store/writer.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "base/xxh64.h"
#include "store/bundle.h"

#include <string.h>

vni_writer vni_writer_make(const vn_allocator* allocator, const vn_codec* codec) {
    return (vni_writer){.allocator = *allocator,
                        .codec = codec,
                        .content = vni_bytes_make(allocator),
                        .body = vni_bytes_make(allocator)};
}

void vni_writer_free(vni_writer* writer) {
    vni_bytes_free(&writer->content);
    vni_bytes_free(&writer->body);
    VNI_DELETE_ARRAY(&writer->allocator, writer->entries, writer->entry_capacity);
}

/// Zeros up to the place where the next section may begin.
static void align(vni_bytes* bytes) {
    uint64_t gap = vni_bundle_align(bytes->size) - bytes->size;
    uint8_t* at = gap ? vni_bytes_add(bytes, gap) : NULL;
    if (at != NULL)
        memset(at, 0, (size_t)gap);
}

/// Packs the content to the end of the body; 0 if that is not possible or not worth it.
static uint64_t pack(vni_writer* writer) {
    const vn_codec* codec = writer->codec;
    const vni_bytes* content = &writer->content;
    vni_bytes* body = &writer->body;
    if (codec == NULL || codec->pack == NULL || content->size == 0)
        return 0;

    // Packed in place: the body grows by the worst case, and gives back what was not needed, or all of it.
    size_t bound = codec->bound(codec->user, (size_t)content->size);
    uint64_t begin = body->size;
    uint8_t* at = vni_bytes_add(body, bound);
    size_t size = at != NULL ? codec->pack(codec->user, content->data, (size_t)content->size, at, bound) : 0;
    VNI_ASSERT(size <= bound);

    bool smaller = size > 0 && size < content->size;
    if (at != NULL)
        body->size = begin + (smaller ? size : 0);

    return smaller ? size : 0;
}

static bool comes_after(const vni_file_entry* a, const vni_file_entry* b) {
    return vni_bundle_compare(a, b) < 0;
}

void vni_writer_add(vni_writer* writer, uint32_t layer, vni_tag tag, uint32_t first, uint32_t count,
                    bool packs) {
    vni_file_entry entry = {.layer = layer, .tag = (uint32_t)tag, .first = first, .count = count};
    vni_bytes *content = &writer->content, *body = &writer->body;
    align(body);
    entry.offset = body->size;
    entry.unpacked = content->size;
    VNI_ASSERT(content->size <= VNI_FILE_MAX_SECTION);

    entry.stored = packs ? pack(writer) : 0;
    if (entry.stored) {
        entry.codec = writer->codec->id;
    } else {
        entry.stored = content->size;
        vni_bytes_put(body, content->data, content->size);
    }

    writer->failed |= content->failed || body->failed ||
                      !vni_grow(&writer->allocator, &writer->entries, &writer->entry_capacity,
                                (uint64_t)writer->entry_count + 1, sizeof entry);
    content->size = 0;
    if (writer->failed)
        return;

    entry.hash = vni_xxh64(body->data + entry.offset, (size_t)entry.stored, 0);
    VNI_ASSERT(writer->entry_count == 0 || comes_after(&writer->entries[writer->entry_count - 1], &entry));

    writer->entries[writer->entry_count++] = entry;
}

static vni_file_head make_head(const vni_writer* writer, uint32_t kind, uint32_t layer_count, uint64_t source,
                               uint64_t body_offset) {
    uint64_t table_size = writer->entry_count * sizeof *writer->entries;
    vni_file_head head = {.version = VN_STORE_VERSION,
                          .byte_order = VNI_FILE_BYTE_ORDER,
                          .kind = kind,
                          .section_count = writer->entry_count,
                          .size = body_offset + writer->body.size,
                          .source = source,
                          .layer_count = layer_count};
    memcpy(head.magic, vni_bundle_magic, sizeof head.magic);
    head.hash = vni_bundle_head_hash(&head, writer->entries, table_size);

    return head;
}

vn_status vni_writer_finish(vni_writer* writer, uint32_t kind, uint32_t layer_count, uint64_t source,
                            const vn_sink* sink, vn_detail* detail) {
    static const uint8_t zeros[VNI_FILE_ALIGN];
    VNI_ASSERT((layer_count == 0) == (kind == VNI_FILE_RUN) && layer_count <= VN_MAX_LAYERS);

    if (writer->failed)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the bytes of the file");
    if (writer->entry_count > VN_STORE_MAX_SECTIONS)
        return vni_fail(detail, VN_TOO_LARGE, "the file would have %u sections, and %u are possible",
                        writer->entry_count, (unsigned)VN_STORE_MAX_SECTIONS);

    // Offsets were relative to the body; the length of the table is known only now.
    uint64_t table_size = writer->entry_count * sizeof *writer->entries;
    uint64_t table_end = sizeof(vni_file_head) + table_size, body_offset = vni_bundle_align(table_end);
    for (uint32_t i = 0; i < writer->entry_count; ++i)
        writer->entries[i].offset += body_offset;

    vni_file_head head = make_head(writer, kind, layer_count, source, body_offset);
    size_t gap = (size_t)(body_offset - table_end);
    bool written = sink->write(sink->user, &head, sizeof head) &&
                   sink->write(sink->user, writer->entries, (size_t)table_size) &&
                   (gap == 0 || sink->write(sink->user, zeros, gap)) &&
                   sink->write(sink->user, writer->body.data, (size_t)writer->body.size);

    return written ? VN_OK : vni_fail(detail, VN_IO, "the sink refused to take more bytes");
}
