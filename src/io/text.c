/// io/text.c: the loop over records, and its memory.
#include "io/text.h"

static vn_status read_records(const vni_text_format* format, vni_lines* lines, const vn_allocator* allocator,
                              const void* head, vni_records* records, uint64_t* capacity, vn_detail* detail) {
    vni_token token = vni_lines_next_word(lines);
    for (; token == VNI_TOKEN_WORD; token = vni_lines_next_word(lines)) {
        if (records->count == *capacity &&
            !vni_io_grow(allocator, &records->items, capacity, format->record_size))
            return vni_io_fail(detail, VN_OUT_OF_MEMORY, lines->line, "no memory for more %s",
                               format->plural);

        unsigned char* record = (unsigned char*)records->items + (size_t)records->count * format->record_size;
        vn_status status = format->read_record(lines, head, record, detail);
        if (status != VN_OK)
            return status;

        ++records->count;
    }

    if (token == VNI_TOKEN_ERROR)
        return vni_lines_failed(lines, detail);
    if (!vni_io_shrink(allocator, &records->items, *capacity, records->count, format->record_size))
        return vni_io_fail(detail, VN_OUT_OF_MEMORY, lines->line, "no memory to shrink the list of %s",
                           format->plural);

    return VN_OK;
}

vn_status vni_text_read(const vni_text_format* format, const vn_source* source, const vn_allocator* allocator,
                        void* head, vni_records* out, vn_detail* detail) {
    VNI_IO_ASSERT(format->record_size > 0 && source != NULL);
    *out = (vni_records){NULL, 0};
    vni_lines lines;
    vni_lines_begin(&lines, source);
    vni_records records = {NULL, 0};
    uint64_t capacity = 0;

    vn_status status = format->read_head(&lines, head, detail);
    if (status == VN_OK)
        status = read_records(format, &lines, allocator, head, &records, &capacity, detail);
    if (status == VN_OK)
        *out = records;
    else
        vni_records_free(allocator, records.items, capacity, format->record_size);

    return status;
}

void vni_records_free(const vn_allocator* allocator, void* items, uint64_t count, size_t record_size) {
    if (items != NULL)
        allocator->release(allocator->user, items, (size_t)count * record_size);
}
