/// io/3dmap.c: voxel maps as text.
#include "io/file.h"
#include "io/text.h"

#define HEADER "header 'voxel X Y Z'"
#define RECORD "voxel 'x y z'"

// ------------------------------------------------------------------------------------------------- reading

static vn_status check_dims(const vni_lines* lines, const int64_t dims[3], vn_detail* detail) {
    for (int axis = 0; axis < 3; ++axis) {
        if (dims[axis] < 1)
            return vni_io_fail(detail, VN_BAD_FORMAT, lines->line, HEADER ": %c is below 1", "XYZ"[axis]);
        if (dims[axis] > VNI_IO_DIM_LIMIT)
            return vni_io_fail(detail, VN_TOO_LARGE, lines->line, HEADER ": %c is above %d", "XYZ"[axis],
                               VNI_IO_DIM_LIMIT);
    }

    return VN_OK;
}

static vn_status read_header(vni_lines* lines, void* head, vn_detail* detail) {
    vn_3dmap* map = head;
    vni_token token = vni_lines_next_word(lines);
    if (token == VNI_TOKEN_ERROR)
        return vni_lines_failed(lines, detail);

    if (token == VNI_TOKEN_TEXT_END)
        return vni_io_fail(detail, VN_BAD_FORMAT, lines->line,
                           "the text is empty; a map begins with its " HEADER);

    if (!vni_lines_word_is(lines, "voxel"))
        return vni_lines_refuse(lines, HEADER, "'voxel': this is no map", detail);
    vn_status status = vni_lines_expect_word(lines, HEADER, detail);
    int64_t read[3];
    if (status == VN_OK)
        status = vni_lines_integers(lines, HEADER, 3, read, detail);
    if (status == VN_OK)
        status = check_dims(lines, read, detail);
    if (status == VN_OK)
        status = vni_lines_expect_end(lines, HEADER, detail);
    if (status == VN_OK)
        map->dims = (vn_voxel){(int32_t)read[0], (int32_t)read[1], (int32_t)read[2]};

    return status;
}

static vn_status read_voxel(vni_lines* lines, const void* head, void* record, vn_detail* detail) {
    const vn_voxel dims = ((const vn_3dmap*)head)->dims;
    int64_t read[3];
    vn_status status = vni_lines_integers(lines, RECORD, 3, read, detail);
    if (status != VN_OK)
        return status;

    if (!vni_io_is_within(read[0], read[1], read[2], dims))
        return vni_io_fail(detail, VN_BAD_FORMAT, lines->line,
                           RECORD ": it lies outside the dimensions %d x %d x %d", (int)dims.x, (int)dims.y,
                           (int)dims.z);

    *(vn_voxel*)record = (vn_voxel){(int32_t)read[0], (int32_t)read[1], (int32_t)read[2]};
    return vni_lines_expect_end(lines, RECORD, detail);
}

static const vni_text_format format = {sizeof(vn_voxel), "voxels", read_header, read_voxel};

/// Into `user`, a vn_3dmap that is empty but for its allocator.
static vn_status read_source(const vn_source* source, void* user, vn_detail* detail) {
    vn_3dmap* out = user;
    vn_3dmap map = {.allocator = out->allocator};
    vni_records voxels;
    vn_status status = vni_text_read(&format, source, &map.allocator, &map, &voxels, detail);
    if (status != VN_OK)
        return status;

    map.voxels = voxels.items;
    map.voxel_count = voxels.count;
    *out = map;
    return VN_OK;
}

vn_status vn_3dmap_read(const vn_source* source, const vn_allocator* allocator, vn_3dmap* out,
                        vn_detail* detail) {
    VNI_IO_ASSERT(source != NULL && out != NULL);
    *out = (vn_3dmap){.allocator = vni_io_allocator(allocator)};
    return read_source(source, out, detail);
}

vn_status vn_3dmap_read_file(const char* path, const vn_allocator* allocator, vn_3dmap* out,
                             vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && out != NULL);
    *out = (vn_3dmap){.allocator = vni_io_allocator(allocator)};
    return vni_file_read(path, read_source, out, detail);
}

void vn_3dmap_free(vn_3dmap* map) {
    if (map == NULL)
        return;
    vni_records_free(&map->allocator, map->voxels, map->voxel_count, sizeof *map->voxels);
    *map = (vn_3dmap){0};
}

vn_shape vn_3dmap_shape(const vn_3dmap* map) {
    VNI_IO_ASSERT(map != NULL);
    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    shape.as.voxels.size = 1;
    shape.as.voxels.dims = map->dims;
    shape.as.voxels.voxels = map->voxels;
    shape.as.voxels.voxel_count = map->voxel_count;

    return shape;
}

// ------------------------------------------------------------------------------------------------- writing

/// Text to be written to a sink.
typedef struct writer {
    const vn_sink* sink;
    size_t held;
    bool failed;
    char buffer[8192];
} writer;

/// A line is at most this long: a word, three numbers of eleven characters, blanks and the line end.
#define LINE_SIZE 48

static void flush(writer* w) {
    if (w->held > 0 && !w->failed)
        w->failed = !w->sink->write(w->sink->user, w->buffer, w->held);
    w->held = 0;
}

static void put_number(writer* w, int32_t value) {
    VNI_IO_ASSERT(value >= 0);
    char digits[12];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);

    while (count > 0)
        w->buffer[w->held++] = digits[--count];
}

static void put_line(writer* w, const char* word, vn_voxel v) {
    if (w->held + LINE_SIZE > sizeof w->buffer)
        flush(w);

    while (*word != 0)
        w->buffer[w->held++] = *word++;

    put_number(w, v.x);
    w->buffer[w->held++] = ' ';
    put_number(w, v.y);
    w->buffer[w->held++] = ' ';
    put_number(w, v.z);
    w->buffer[w->held++] = '\n';
    VNI_IO_ASSERT(w->held <= sizeof w->buffer);
}

static vn_status check_map(vn_voxel dims, const vn_voxel* voxels, uint64_t count, vn_detail* detail) {
    if (dims.x < 1 || dims.y < 1 || dims.z < 1)
        return vni_io_fail(detail, VN_BAD_DATA, 0, "dims %d x %d x %d: each must be at least 1", (int)dims.x,
                           (int)dims.y, (int)dims.z);

    if (dims.x > VNI_IO_DIM_LIMIT || dims.y > VNI_IO_DIM_LIMIT || dims.z > VNI_IO_DIM_LIMIT)
        return vni_io_fail(detail, VN_TOO_LARGE, 0, "dims %d x %d x %d: each must be at most %d", (int)dims.x,
                           (int)dims.y, (int)dims.z, VNI_IO_DIM_LIMIT);

    for (uint64_t i = 0; i < count; ++i) {
        vn_voxel v = voxels[i];
        if (vni_io_is_within(v.x, v.y, v.z, dims))
            continue;

        vni_io_fail(detail, VN_BAD_DATA, 0, "voxel (%d, %d, %d) lies outside the dims %d x %d x %d", (int)v.x,
                    (int)v.y, (int)v.z, (int)dims.x, (int)dims.y, (int)dims.z);
        if (detail != NULL)
            detail->index = i;

        return VN_BAD_DATA;
    }

    return VN_OK;
}

vn_status vn_3dmap_write(const vn_sink* sink, vn_voxel dims, const vn_voxel* voxels, uint64_t count,
                         vn_detail* detail) {
    VNI_IO_ASSERT(sink != NULL && sink->write != NULL && (voxels != NULL || count == 0));
    vn_status status = check_map(dims, voxels, count, detail);
    if (status != VN_OK)
        return status;

    writer w = {.sink = sink};
    put_line(&w, "voxel ", dims);
    for (uint64_t i = 0; i < count && !w.failed; ++i)
        put_line(&w, "", voxels[i]);

    flush(&w);
    return w.failed ? vni_io_fail(detail, VN_IO, 0, "writing failed") : VN_OK;
}

vn_status vn_3dmap_write_file(const char* path, vn_voxel dims, const vn_voxel* voxels, uint64_t count,
                              vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL);
    vni_file_sink file;
    vn_status status = vni_file_create(&file, path, detail);
    if (status != VN_OK)
        return status;

    vn_sink sink = vni_file_as_sink(&file);
    status = vn_3dmap_write(&sink, dims, voxels, count, detail);
    return vni_file_commit(&file, status, detail);
}
