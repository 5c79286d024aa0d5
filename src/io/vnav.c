/// io/vnav.c: .vnav and .vnrec as files.
#include "io/file.h"
#include <string.h>

// ------------------------------------------------------------------------------------------------- reading

/// A whole file in memory.
typedef struct content {
    vn_allocator allocator;
    uint8_t* data;
    uint64_t size, capacity;
} content;

static void free_content(content* c) {
    if (c->data != NULL)
        c->allocator.release(c->allocator.user, c->data, (size_t)c->capacity);
}

/// Up to `size` bytes; fewer where the file ends.
static vn_status read_bytes(const vn_source* source, uint8_t* out, uint64_t size, uint64_t* got) {
    for (*got = 0; *got < size;) {
        int64_t more = source->read(source->user, out + *got, (size_t)(size - *got));
        if (more < 0)
            return VN_IO;
        if (more == 0)
            return VN_OK;
        *got += (uint64_t)more;
    }

    return VN_OK;
}

/// Looks at the head first, so that what is no file of ours costs nothing, whatever its size.
static vn_status read_content(const vni_file_source* file, const vn_source* source, uint64_t max_bytes,
                              content* out, vn_detail* detail) {
    uint8_t head[VN_STORE_HEAD_SIZE];
    uint64_t got = 0, more = 0;
    vn_status status = read_bytes(source, head, sizeof head, &got);
    const uint64_t size = got > file->size ? got : file->size; // it may have grown since it was opened
    if (status == VN_OK)
        status = vn_store_check_head(head, (size_t)got, size, detail);

    if (status != VN_OK)
        return status;
    if (size > max_bytes)
        return vni_io_fail(detail, VN_TOO_LARGE, 0, "the file is larger than max_bytes allows");

    VNI_IO_ASSERT(got == sizeof head); // or it would have been refused
    if (size <= SIZE_MAX / 2)
        out->data = out->allocator.alloc(out->allocator.user, (size_t)size);

    if (out->data == NULL)
        return vni_io_fail(detail, VN_OUT_OF_MEMORY, 0, "no memory left to read the file");
    out->capacity = size;

    memcpy(out->data, head, sizeof head);
    status = read_bytes(source, out->data + got, size - got, &more);
    out->size = got + more;
    return status;
}

/// The file's bytes; on failure there is nothing to free.
static vn_status read_whole(const char* path, const vn_allocator* allocator, uint64_t max_bytes, content* out,
                            vn_detail* detail) {
    vni_file_source file;
    *out = (content){.allocator = *allocator};
    vn_status status = vni_file_open(&file, path, VNI_FILE_REGULAR, detail);
    if (status != VN_OK)
        return status;

    vn_source source = vni_file_as_source(&file);
    status = vni_file_close(&file, path, read_content(&file, &source, max_bytes, out, detail), detail);
    if (status != VN_OK)
        free_content(out);

    return status;
}

/// An allocator that can be used before the def has been checked by those who know how.
static vn_allocator reading_allocator(const vn_load_def* def) {
    const vn_allocator* a = &def->allocator;
    return a->alloc != NULL && a->resize != NULL && a->release != NULL ? *a : vn_default_allocator();
}

/// What becomes of a file's bytes. The def names a codec.
typedef vn_status read_content_as(const content* file, const vn_load_def* def, void* out, vn_detail* detail);

/// Reads the file with zstd where the def names no codec.
static vn_status load(const char* path, const vn_load_def* def, read_content_as* read, void* out,
                      vn_detail* detail) {
    const vn_allocator allocator = reading_allocator(def);
    const vn_codec zstd = vn_zstd_codec(0);
    vn_load_def own = *def;
    if (own.codec == NULL)
        own.codec = &zstd;

    content file;
    vn_status status = read_whole(path, &allocator, def->max_bytes, &file, detail);
    if (status != VN_OK)
        return status;

    status = read(&file, &own, out, detail);
    free_content(&file);
    return status;
}

static vn_status read_layers(const content* file, const vn_load_def* def, void* out, vn_detail* detail) {
    return vn_layers_read(file->data, (size_t)file->size, def, out, detail);
}

static vn_status read_record(const content* file, const vn_load_def* def, void* out, vn_detail* detail) {
    return vn_record_read(file->data, (size_t)file->size, def, out, detail);
}

static vn_status read_info(const content* file, const vn_load_def* def, void* out, vn_detail* detail) {
    return vn_store_read_info(file->data, (size_t)file->size, def->codec, out, detail);
}

/// Which tree, and where it goes.
typedef struct tree_request {
    uint32_t layer, kind;
    void** out;
    size_t* out_size;
} tree_request;

static vn_status read_tree(const content* file, const vn_load_def* def, void* out, vn_detail* detail) {
    const tree_request* r = out;
    return vn_store_read_tree(file->data, (size_t)file->size, def->codec, r->layer, r->kind, &def->allocator,
                              r->out, r->out_size, detail);
}

vn_status vn_tree_load_file(const char* path, const vn_load_def* def, uint32_t layer, uint32_t kind,
                            void** out, size_t* out_size, vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && def != NULL && out != NULL && out_size != NULL);
    tree_request request = {layer, kind, out, out_size};
    *out = NULL;
    return load(path, def, read_tree, &request, detail);
}

vn_status vn_layers_load_file(const char* path, const vn_load_def* def, vn_layers** out, vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && def != NULL && out != NULL);
    *out = NULL;
    return load(path, def, read_layers, out, detail);
}

vn_status vn_record_load_file(const char* path, const vn_load_def* def, vn_record** out, vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && def != NULL && out != NULL);
    *out = NULL;
    return load(path, def, read_record, out, detail);
}

vn_status vn_store_load_bytes(const char* path, const vn_load_def* def, void** out, size_t* out_size,
                              vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && def != NULL && out != NULL && out_size != NULL);
    const vn_allocator allocator = reading_allocator(def);
    content file;
    *out = NULL;
    *out_size = 0;
    vn_status status = read_whole(path, &allocator, def->max_bytes, &file, detail);
    if (status != VN_OK)
        return status;

    // The head has been compared with the size: fewer bytes than that were read if someone cut the file
    // since.
    if (file.size != file.capacity) {
        free_content(&file);
        return vni_io_fail(detail, VN_IO, 0, "%s: the file became shorter while it was read", path);
    }
    *out = file.data;
    *out_size = (size_t)file.size;
    return VN_OK;
}

vn_status vn_store_read_info_file(const char* path, vn_store_info* out, vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && out != NULL);
    const vn_load_def def = vn_default_load_def();
    memset(out, 0, sizeof *out);
    return load(path, &def, read_info, out, detail);
}

// ------------------------------------------------------------------------------------------------- writing

/// What is saved: which of these there are depends on the call.
typedef struct saved {
    const vn_layers* layers;
    const vn_nav* nav;
    vn_request_id id;
    const vn_query* query;
    const vn_path_request* request;
    const vn_path_result* result;
    vn_store_def def;
} saved;

/// Writes the file with zstd where the def names no codec.
static vn_status save(const char* path, saved what, const vn_store_def* def, vni_write_sink* write,
                      vn_detail* detail) {
    const vn_codec zstd = vn_zstd_codec(0);
    what.def = *def;
    if (what.def.codec == NULL)
        what.def.codec = &zstd;
    return vni_file_write(path, write, &what, detail);
}

static vn_status write_layers(const void* what, const vn_sink* sink, vn_detail* detail) {
    const saved* s = what;
    return vn_layers_write(s->layers, &s->def, NULL, sink, detail);
}

static vn_status write_nav(const void* what, const vn_sink* sink, vn_detail* detail) {
    const saved* s = what;
    return vn_nav_write(s->nav, &s->def, NULL, sink, detail);
}

static vn_status write_nav_record(const void* what, const vn_sink* sink, vn_detail* detail) {
    const saved* s = what;
    return vn_nav_write_record(s->nav, s->id, &s->def, NULL, sink, detail);
}

static vn_status write_record(const void* what, const vn_sink* sink, vn_detail* detail) {
    const saved* s = what;
    return vn_record_write(s->query, s->request, s->result, &s->def, NULL, sink, detail);
}

vn_status vn_layers_save_file(const vn_layers* layers, const char* path, const vn_store_def* def,
                              vn_detail* detail) {
    VNI_IO_ASSERT(layers != NULL && path != NULL && def != NULL);
    return save(path, (saved){.layers = layers}, def, write_layers, detail);
}

vn_status vn_nav_save_file(const vn_nav* nav, const char* path, const vn_store_def* def, vn_detail* detail) {
    VNI_IO_ASSERT(nav != NULL && path != NULL && def != NULL);
    return save(path, (saved){.nav = nav}, def, write_nav, detail);
}

vn_status vn_nav_save_record_file(const vn_nav* nav, vn_request_id id, const char* path,
                                  const vn_store_def* def, vn_detail* detail) {
    VNI_IO_ASSERT(nav != NULL && path != NULL && def != NULL);
    return save(path, (saved){.nav = nav, .id = id}, def, write_nav_record, detail);
}

vn_status vn_record_save_file(const vn_query* query, const vn_path_request* request,
                              const vn_path_result* result, const char* path, const vn_store_def* def,
                              vn_detail* detail) {
    VNI_IO_ASSERT(query != NULL && path != NULL && def != NULL);
    const saved what = {.query = query, .request = request, .result = result};
    return save(path, what, def, write_record, detail);
}
