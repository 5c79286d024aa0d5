/// io/3dscen.c: scenarios, the queries that belong to a voxel map.
#include "io/file.h"
#include "io/text.h"
#include <string.h>

#define HEADER "header 'version 1'"
#define RECORD "query 'sx sy sz gx gy gz cost ratio'"

// ------------------------------------------------------------------------------------------------- reading

static vn_status read_version(vni_lines* lines, vn_detail* detail) {
    vni_token token = vni_lines_next_word(lines);
    if (token == VNI_TOKEN_ERROR)
        return vni_lines_failed(lines, detail);

    if (token == VNI_TOKEN_TEXT_END)
        return vni_io_fail(detail, VN_BAD_FORMAT, lines->line,
                           "the text is empty; a scenario begins with its " HEADER);

    if (!vni_lines_word_is(lines, "version"))
        return vni_lines_refuse(lines, HEADER, "'version': this is no scenario", detail);
    vn_status status = vni_lines_expect_word(lines, HEADER, detail);
    if (status != VN_OK)
        return status;
    if (!vni_lines_word_is(lines, "1"))
        return vni_lines_refuse(lines, HEADER, "a version that is known", detail);

    return vni_lines_expect_end(lines, HEADER, detail);
}

static bool is_text(const char* text) {
    for (; *text != 0; ++text) {
        if ((unsigned char)*text < ' ' || *text == 127)
            return false;
    }
    return true;
}

static vn_status read_map_name(vni_lines* lines, vn_3dscen* scen, vn_detail* detail) {
    size_t length;
    vni_token token = vni_lines_next_text(lines, scen->map, sizeof scen->map, &length);
    if (token == VNI_TOKEN_ERROR)
        return vni_lines_failed(lines, detail);

    if (token != VNI_TOKEN_WORD)
        return vni_io_fail(detail, VN_BAD_FORMAT, lines->line,
                           "the map's name is missing: the text may be truncated");

    if (length >= sizeof scen->map)
        return vni_io_fail(detail, VN_BAD_FORMAT, lines->line, "the map's name is longer than %d bytes",
                           (int)sizeof scen->map - 1);

    if (strlen(scen->map) != length || !is_text(scen->map))
        return vni_io_fail(detail, VN_BAD_FORMAT, lines->line, "the map's name holds bytes that are no text");
    return vni_lines_expect_end(lines, "map's name", detail);
}

static vn_status read_measure(vni_lines* lines, double* out, vn_detail* detail) {
    vn_status status = vni_lines_expect_word(lines, RECORD, detail);
    if (status != VN_OK)
        return status;

    double value;
    if (!vni_lines_decimal(lines, &value) || !(value >= 0) || value - value != 0)
        return vni_lines_refuse(lines, RECORD, "a finite number that is not negative", detail);

    *out = value;
    return VN_OK;
}

static vn_status read_head(vni_lines* lines, void* head, vn_detail* detail) {
    vn_status status = read_version(lines, detail);
    return status == VN_OK ? read_map_name(lines, head, detail) : status;
}

static vn_status read_query(vni_lines* lines, const void* head, void* record, vn_detail* detail) {
    (void)head;
    vn_scen_line* out = record;
    int64_t v[6];
    vn_status status = vni_lines_integers(lines, RECORD, 6, v, detail);
    for (int i = 0; status == VN_OK && i < 6; ++i) {
        if (v[i] < 0 || v[i] >= VNI_IO_DIM_LIMIT)
            status = vni_io_fail(detail, VN_BAD_FORMAT, lines->line,
                                 RECORD ": coordinate %d is not in 0 to %d", i + 1, VNI_IO_DIM_LIMIT - 1);
    }

    if (status != VN_OK)
        return status;
    out->start = (vn_voxel){(int32_t)v[0], (int32_t)v[1], (int32_t)v[2]};
    out->goal = (vn_voxel){(int32_t)v[3], (int32_t)v[4], (int32_t)v[5]};
    out->line = lines->line;

    status = read_measure(lines, &out->cost, detail);
    if (status == VN_OK)
        status = read_measure(lines, &out->ratio, detail);

    return status == VN_OK ? vni_lines_expect_end(lines, RECORD, detail) : status;
}

static const vni_text_format format = {sizeof(vn_scen_line), "queries", read_head, read_query};

/// Into `user`, a vn_3dscen that is empty but for its allocator.
static vn_status read_source(const vn_source* source, void* user, vn_detail* detail) {
    vn_3dscen* out = user;
    vn_3dscen scen = {.allocator = out->allocator};
    vni_records lines;
    vn_status status = vni_text_read(&format, source, &scen.allocator, &scen, &lines, detail);
    if (status != VN_OK)
        return status;

    scen.lines = lines.items;
    scen.line_count = lines.count;
    *out = scen;
    return VN_OK;
}

vn_status vn_3dscen_read(const vn_source* source, const vn_allocator* allocator, vn_3dscen* out,
                         vn_detail* detail) {
    VNI_IO_ASSERT(source != NULL && out != NULL);
    *out = (vn_3dscen){.allocator = vni_io_allocator(allocator)};
    return read_source(source, out, detail);
}

vn_status vn_3dscen_read_file(const char* path, const vn_allocator* allocator, vn_3dscen* out,
                              vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && out != NULL);
    *out = (vn_3dscen){.allocator = vni_io_allocator(allocator)};
    return vni_file_read(path, read_source, out, detail);
}

void vn_3dscen_free(vn_3dscen* scen) {
    if (scen == NULL)
        return;
    vni_records_free(&scen->allocator, scen->lines, scen->line_count, sizeof *scen->lines);
    *scen = (vn_3dscen){0};
}

// ------------------------------------------------------------------------------------------------ checking

static const char* file_name(const char* path) {
    const char* name = path;
    for (; *path != 0; ++path) {
        if (*path == '/' || *path == '\\')
            name = path + 1;
    }
    return name;
}

static bool is_within(vn_voxel v, vn_voxel dims) {
    return vni_io_is_within(v.x, v.y, v.z, dims);
}

vn_status vn_3dscen_check(const vn_3dscen* scen, const char* map_path, vn_voxel dims, vn_detail* detail) {
    VNI_IO_ASSERT(scen != NULL);
    if (map_path != NULL && strcmp(file_name(map_path), file_name(scen->map)) != 0)
        return vni_io_fail(detail, VN_MISMATCH, 0, "the scenario belongs to the map '%.90s', not to '%.90s'",
                           file_name(scen->map), file_name(map_path));

    for (uint64_t i = 0; i < scen->line_count; ++i) {
        const vn_scen_line* line = &scen->lines[i];
        bool is_start = !is_within(line->start, dims);
        if (!is_start && is_within(line->goal, dims))
            continue;

        vn_voxel v = is_start ? line->start : line->goal;
        vni_io_fail(detail, VN_MISMATCH, line->line,
                    "%s (%d, %d, %d) lies outside the map's %d x %d x %d voxels", is_start ? "start" : "goal",
                    (int)v.x, (int)v.y, (int)v.z, (int)dims.x, (int)dims.y, (int)dims.z);
        if (detail != NULL)
            detail->index = i;

        return VN_MISMATCH;
    }

    return VN_OK;
}
