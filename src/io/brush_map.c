/// io/brush_map.c: levels of Quake and its relatives as text (.map): entities of keys and brushes.
///
///   {                                   an entity
///   "classname" "func_wall"             its keys
///   {                                   a brush: faces, one on a line
///   ( x y z ) ( x y z ) ( x y z ) TEXTURE shift shift turn scale scale
///   ( x y z ) ( x y z ) ( x y z ) TEXTURE [ x y z shift ] [ x y z shift ] turn scale scale
///   }
///   }
///
/// Words are parted by blanks; `//` begins a comment. What a brush becomes is decided by the class of its
/// entity and by the textures of its faces: volnav/io.h has the rules.
#include "io/brush.h"
#include "io/file.h"
#include "io/lines.h"
#include <string.h>

#define MOST_VERTICES ((uint64_t)1 << 30)

/// Numbers after the texture of a face: the classic form, and with the two axes of Valve's.
#define CLASSIC_NUMBERS 5
#define VALVE_NUMBERS   11
#define MOST_NUMBERS    32

typedef enum token {
    TOKEN_WORD,
    TOKEN_MARK,   ///< one of ( ) { } [ ]
    TOKEN_STRING, ///< what stood in quotes
    TOKEN_LINE_END,
    TOKEN_TEXT_END,
    TOKEN_ERROR ///< the source failed, or a string does not end; `status` says which
} token;

/// What an entity has so far.
typedef struct entity {
    char class_name[VNI_LINES_WORD];
    uint64_t first_brush, first_vertex, first_index; ///< sizes of the lists before it
    uint64_t skipped, broken;
    uint32_t broken_line;
} entity;

typedef struct reader {
    vni_lines* lines;
    vn_detail* detail;
    vn_status status;
    vn_brush_map* map;
    uint64_t vertex_capacity, index_capacity, brush_capacity;
    entity entity;
    vni_brush_plane planes[VNI_BRUSH_FACES];
    uint32_t plane_count;
    bool is_skipped, is_broken; ///< of the brush
    vni_brush_solid solid;
} reader;

// -------------------------------------------------------------------------------------------------- tokens

static bool is_blank(int byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool is_mark(int byte) {
    return byte > 0 && strchr("(){}[]", byte) != NULL;
}

static void keep(vni_lines* lines, int byte) {
    if (lines->length < VNI_LINES_WORD - 1) {
        lines->word[lines->length] = (char)byte;
        lines->word[lines->length + 1] = 0;
    }
    ++lines->length;
}

/// Up to the end of the line, or to a zero byte, which the next token refuses.
static void skip_comment(vni_lines* lines) {
    while (vni_lines_peek(lines) > 0 && vni_lines_peek(lines) != '\n')
        vni_lines_byte(lines);
}

/// What stands between two quotes on one line.
static token read_string(reader* in) {
    vni_lines* lines = in->lines;
    vni_lines_byte(lines);
    for (int byte = vni_lines_byte(lines); byte != '"'; byte = vni_lines_byte(lines)) {
        if (byte <= 0 || byte == '\n') {
            in->status = lines->failed ? vni_lines_failed(lines, in->detail)
                                       : vni_io_fail(in->detail, VN_BAD_FORMAT, lines->line,
                                                     "a string has no quote at its end");
            return TOKEN_ERROR;
        }
        keep(lines, byte);
    }

    return TOKEN_STRING;
}

/// Up to a blank; marks end a word too, but not the name of a texture, which may have them.
static token read_word(vni_lines* lines, bool is_texture) {
    for (int byte = vni_lines_peek(lines); byte > 0 && byte != '\n' && !is_blank(byte);
         byte = vni_lines_peek(lines)) {
        if (!is_texture && is_mark(byte))
            break;
        keep(lines, vni_lines_byte(lines));
    }

    return TOKEN_WORD;
}

/// The next token on this line, or its end.
static token next_on_line(reader* in, bool is_texture) {
    vni_lines* lines = in->lines;
    while (is_blank(vni_lines_peek(lines)))
        vni_lines_byte(lines);

    const int byte = vni_lines_peek(lines);
    lines->line = lines->next_line;
    lines->length = 0;
    lines->word[0] = 0;
    if (byte < 0) {
        in->status = lines->failed ? vni_lines_failed(lines, in->detail) : VN_OK;
        return lines->failed ? TOKEN_ERROR : TOKEN_TEXT_END;
    }

    if (byte == '\n') {
        vni_lines_byte(lines);
        ++lines->next_line;
        return TOKEN_LINE_END;
    }

    if (byte == 0) {
        in->status =
            vni_io_fail(in->detail, VN_BAD_FORMAT, lines->line, "a zero byte: this is not a text file");
        return TOKEN_ERROR;
    }

    if (byte == '"')
        return read_string(in);
    if (is_mark(byte) && !is_texture) {
        keep(lines, vni_lines_byte(lines));
        return TOKEN_MARK;
    }

    read_word(lines, is_texture);
    if (!is_texture && strncmp(lines->word, "//", 2) == 0) {
        skip_comment(lines);
        return next_on_line(in, false); // the end of the line, or of the text
    }

    return TOKEN_WORD;
}

/// The next token, on whatever line it is.
static token next(reader* in) {
    token got = next_on_line(in, false);
    while (got == TOKEN_LINE_END)
        got = next_on_line(in, false);
    return got;
}

static bool is_this_mark(const reader* in, token got, char mark) {
    return got == TOKEN_MARK && in->lines->word[0] == mark;
}

/// VN_BAD_FORMAT at the last token, or what stopped the tokens.
static vn_status refuse(reader* in, token got, const char* what, const char* wanted) {
    if (got == TOKEN_ERROR)
        return in->status;
    if (got == TOKEN_TEXT_END)
        return vni_io_fail(in->detail, VN_BAD_FORMAT, in->lines->line,
                           "%s: the file ends here: it may be truncated", what);
    if (got == TOKEN_LINE_END)
        return vni_io_fail(in->detail, VN_BAD_FORMAT, in->lines->line, "%s: the line ends before %s", what,
                           wanted);

    return vni_lines_refuse(in->lines, what, wanted, in->detail);
}

// --------------------------------------------------------------------------------------------------- faces

static bool equals_in_any_case(const char* a, const char* b) {
    for (; *a != 0 && *b != 0; ++a, ++b) {
        const char lower = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
        if (lower != *b)
            return false;
    }

    return *a == *b;
}

/// Is a brush with this texture no obstacle? Folders before the name do not count.
static bool is_passable_texture(const char* texture) {
    static const char* const names[] = {"clip",      "playerclip", "monsterclip", "weapclip",
                                        "full_clip", "trigger",    "aaatrigger",  "hint",
                                        "hintskip",  "origin",     "areaportal"};
    const char* slash = strrchr(texture, '/');
    const char* name = slash == NULL ? texture : slash + 1;
    if (name[0] == '*' || name[0] == '!')
        return true; // liquids

    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (equals_in_any_case(name, names[i]))
            return true;

    return false;
}

/// Three numbers and a closing mark; the opening one has been read.
static vn_status read_point(reader* in, double* out) {
    for (int axis = 0; axis < 3; ++axis) {
        const token got = next_on_line(in, false);
        if (got != TOKEN_WORD || !vni_lines_decimal(in->lines, &out[axis]))
            return refuse(in, got, "point of a face '( x y z )'", "a number");
        if (!(out[axis] >= -VNI_BRUSH_LIMIT && out[axis] <= VNI_BRUSH_LIMIT))
            return vni_io_fail(in->detail, VN_TOO_LARGE, in->lines->line,
                               "point of a face: a coordinate is beyond 1e6 units");
    }

    const token got = next_on_line(in, false);
    return is_this_mark(in, got, ')') ? VN_OK : refuse(in, got, "point of a face '( x y z )'", "')'");
}

/// The numbers after the texture, up to the end of the line.
static vn_status read_alignment(reader* in) {
    uint32_t numbers = 0;
    bool has_axes = false;
    token got = next_on_line(in, false);
    for (; got == TOKEN_WORD || got == TOKEN_MARK; got = next_on_line(in, false)) {
        double value;
        const bool is_bracket = is_this_mark(in, got, '[') || is_this_mark(in, got, ']');
        has_axes = has_axes || is_bracket;
        numbers += !is_bracket;
        if ((!is_bracket && !vni_lines_decimal(in->lines, &value)) || numbers > MOST_NUMBERS)
            return refuse(in, got, "numbers after the texture of a face", "a number");
    }

    if (numbers < (has_axes ? VALVE_NUMBERS : CLASSIC_NUMBERS) || got == TOKEN_STRING)
        return refuse(in, got, "numbers after the texture of a face", "all its numbers");
    return got == TOKEN_ERROR ? in->status : VN_OK;
}

/// A face; its first '(' has been read.
static vn_status read_face(reader* in) {
    double points[3][3];
    if (in->plane_count == VNI_BRUSH_FACES)
        return vni_io_fail(in->detail, VN_TOO_LARGE, in->lines->line, "a brush has more than %d faces",
                           VNI_BRUSH_FACES);

    for (int i = 0; i < 3; ++i) {
        const token got = i == 0 ? TOKEN_MARK : next_on_line(in, false);
        if (i > 0 && !is_this_mark(in, got, '('))
            return refuse(in, got, "face '( x y z ) ( x y z ) ( x y z ) TEXTURE'", "'('");
        const vn_status status = read_point(in, points[i]);
        if (status != VN_OK)
            return status;
    }

    const token got = next_on_line(in, true);
    if (got != TOKEN_WORD && got != TOKEN_STRING)
        return refuse(in, got, "face '( x y z ) ( x y z ) ( x y z ) TEXTURE'", "a texture");
    in->is_skipped = in->is_skipped || is_passable_texture(in->lines->word);
    in->is_broken =
        !vni_brush_plane_of((const double(*)[3])points, &in->planes[in->plane_count]) || in->is_broken;
    ++in->plane_count;

    return read_alignment(in);
}

// ------------------------------------------------------------------------------------------------- brushes

static bool make_space(const reader* in, void* data, uint64_t* capacity, uint64_t count, size_t size) {
    while (*capacity < count)
        if (!vni_io_grow(&in->map->allocator, data, capacity, size))
            return false;
    return true;
}

/// Appends the solid as a brush that begins on `line`.
static vn_status add_solid(reader* in, uint32_t line) {
    vn_brush_map* map = in->map;
    const vni_brush_solid* solid = &in->solid;
    const uint64_t vertices = map->vertex_count + solid->vertex_count;
    const uint64_t indices = map->index_count + 3 * (uint64_t)solid->triangle_count;
    if (vertices > MOST_VERTICES || indices > UINT32_MAX)
        return vni_io_fail(in->detail, VN_TOO_LARGE, line, "the brushes have more than 2^30 vertices");

    if (!make_space(in, &map->vertices, &in->vertex_capacity, vertices, sizeof *map->vertices) ||
        !make_space(in, &map->indices, &in->index_capacity, indices, sizeof *map->indices) ||
        !make_space(in, &map->brushes, &in->brush_capacity, map->brush_count + 1, sizeof *map->brushes))
        return vni_io_fail(in->detail, VN_OUT_OF_MEMORY, line, "no memory for more brushes");

    map->brushes[map->brush_count++] = (vn_brush){(uint32_t)map->vertex_count,
                                                  solid->vertex_count,
                                                  (uint32_t)map->index_count,
                                                  solid->triangle_count,
                                                  line,
                                                  false};
    memcpy(map->vertices + map->vertex_count, solid->vertices, solid->vertex_count * sizeof *solid->vertices);
    memcpy(map->indices + map->index_count, solid->indices,
           3 * (size_t)solid->triangle_count * sizeof *solid->indices);
    map->vertex_count = vertices;
    map->index_count = indices;

    return VN_OK;
}

static vn_status finish_brush(reader* in, uint32_t line) {
    if (in->is_skipped) {
        ++in->entity.skipped;
        return VN_OK;
    }

    if (!in->is_broken && vni_brush_make(in->planes, in->plane_count, &in->solid))
        return add_solid(in, line);
    if (in->entity.broken++ == 0)
        in->entity.broken_line = line;
    return VN_OK;
}

/// A brush; its '{' has been read.
static vn_status read_brush(reader* in) {
    const uint32_t line = in->lines->line;
    in->plane_count = 0;
    in->is_skipped = in->is_broken = false;
    for (;;) {
        const token got = next(in);
        if (is_this_mark(in, got, '}'))
            return finish_brush(in, line);
        if (got == TOKEN_WORD &&
            (vni_lines_word_is(in->lines, "patchDef2") || strncmp(in->lines->word, "brushDef", 8) == 0))
            return vni_io_fail(
                in->detail, VN_UNSUPPORTED, in->lines->line,
                "curved patches and brushes of Quake 3's newer form are not read; save the map in "
                "the classic or Valve 220 form");
        if (!is_this_mark(in, got, '('))
            return refuse(in, got, "brush", "a face '( x y z ) ...' or '}'");

        const vn_status status = read_face(in);
        if (status != VN_OK)
            return status;
    }
}

// ------------------------------------------------------------------------------------------------ entities

static bool begins_with(const char* text, const char* beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/// Do the brushes of this class block? The world's do, and those of functions, doors closed, except where a
/// game lets everything through.
static bool is_solid_class(const char* name) {
    static const char* const passable[] = {"func_illusionary", "func_detail_illusionary", "func_water",
                                           "func_ladder",      "func_areaportal",         "func_friction",
                                           "func_dustmotes",   "func_smokevolume",        "func_viscluster",
                                           "func_occluder",    "func_particlefield"};
    if (name[0] == 0 || strcmp(name, "worldspawn") == 0)
        return true;

    for (size_t i = 0; i < sizeof passable / sizeof *passable; ++i)
        if (strcmp(name, passable[i]) == 0)
            return false;

    return begins_with(name, "func_");
}

static void begin_entity(reader* in) {
    const vn_brush_map* map = in->map;
    in->entity = (entity){.class_name = "",
                          .first_brush = map->brush_count,
                          .first_vertex = map->vertex_count,
                          .first_index = map->index_count};
}

/// The class may come after the brushes, so it is looked at here: what it lets pass is taken back.
static void finish_entity(reader* in) {
    vn_brush_map* map = in->map;
    const entity* e = &in->entity;
    const bool is_door = begins_with(e->class_name, "func_door");
    ++map->entity_count;
    map->skipped += e->skipped;

    if (!is_solid_class(e->class_name)) {
        map->skipped += map->brush_count - e->first_brush + e->broken;
        map->brush_count = e->first_brush;
        map->vertex_count = e->first_vertex;
        map->index_count = e->first_index;
        return;
    }

    for (uint64_t i = e->first_brush; i < map->brush_count; ++i)
        map->brushes[i].is_door = is_door;
    if (map->broken == 0)
        map->broken_line = e->broken_line;
    map->broken += e->broken;
}

/// "key" "value"; the key has been read.
static vn_status read_key(reader* in) {
    const bool is_class = vni_lines_word_is(in->lines, "classname");
    const token got = next_on_line(in, false);
    if (got != TOKEN_STRING)
        return refuse(in, got, "key of an entity", "a value in quotes");
    if (is_class)
        memcpy(in->entity.class_name, in->lines->word, sizeof in->entity.class_name);
    return VN_OK;
}

/// An entity; its '{' has been read.
static vn_status read_entity(reader* in) {
    begin_entity(in);
    for (;;) {
        vn_status status;
        const token got = next(in);
        if (is_this_mark(in, got, '}')) {
            finish_entity(in);
            return VN_OK;
        }

        if (got == TOKEN_STRING)
            status = read_key(in);
        else if (is_this_mark(in, got, '{'))
            status = read_brush(in);
        else
            status = refuse(in, got, "entity", "a key in quotes, a brush '{' or '}'");
        if (status != VN_OK)
            return status;
    }
}

static vn_status read_entities(reader* in) {
    token got = next(in);
    for (; is_this_mark(in, got, '{'); got = next(in)) {
        const vn_status status = read_entity(in);
        if (status != VN_OK)
            return status;
    }

    if (got != TOKEN_TEXT_END)
        return refuse(in, got, "map", "the '{' of an entity");
    return in->map->entity_count > 0
               ? VN_OK
               : vni_io_fail(in->detail, VN_BAD_FORMAT, in->lines->line, "there is no entity in this map");
}

// ------------------------------------------------------------------------------------------------ the whole

static void free_block(const vn_allocator* allocator, void* block, uint64_t capacity, size_t size) {
    if (block != NULL)
        allocator->release(allocator->user, block, (size_t)capacity * size);
}

/// Gives back what a list does not need. False if the allocator refuses.
static bool fit(const reader* in, void* data, uint64_t* capacity, uint64_t count, size_t size) {
    if (count == 0 || !vni_io_shrink(&in->map->allocator, data, *capacity, count, size))
        return count == 0;
    *capacity = count;
    return true;
}

static void drop(reader* in) {
    vn_brush_map* map = in->map;
    const vn_allocator allocator = map->allocator;
    free_block(&allocator, map->vertices, in->vertex_capacity, sizeof *map->vertices);
    free_block(&allocator, map->indices, in->index_capacity, sizeof *map->indices);
    free_block(&allocator, map->brushes, in->brush_capacity, sizeof *map->brushes);
    *map = (vn_brush_map){.allocator = allocator};
}

/// A map whose brushes are all skipped keeps no memory.
static vn_status finish_map(reader* in) {
    vn_brush_map* map = in->map;
    if (map->brush_count == 0) {
        const vn_brush_map counts = *map;
        drop(in);
        map->entity_count = counts.entity_count;
        map->skipped = counts.skipped;
        map->broken = counts.broken;
        map->broken_line = counts.broken_line;
        return VN_OK;
    }

    if (!fit(in, &map->vertices, &in->vertex_capacity, map->vertex_count, sizeof *map->vertices) ||
        !fit(in, &map->indices, &in->index_capacity, map->index_count, sizeof *map->indices) ||
        !fit(in, &map->brushes, &in->brush_capacity, map->brush_count, sizeof *map->brushes))
        return vni_io_fail(in->detail, VN_OUT_OF_MEMORY, 0, "no memory to shrink the lists of brushes");
    return VN_OK;
}

/// The reader is too large for a small stack, so it is in memory of its own.
static vn_status read_source(const vn_source* source, void* out, vn_detail* detail) {
    vn_brush_map* map = out;
    const vn_allocator allocator = map->allocator;
    reader* in = allocator.alloc(allocator.user, sizeof *in);
    if (in == NULL)
        return vni_io_fail(detail, VN_OUT_OF_MEMORY, 0, "no memory to read a map with");

    vni_lines lines;
    vni_lines_begin(&lines, source);
    memset(in, 0, sizeof *in);
    in->lines = &lines;
    in->detail = detail;
    in->map = map;

    vn_status status = read_entities(in);
    if (status == VN_OK)
        status = finish_map(in);
    if (status != VN_OK)
        drop(in);
    allocator.release(allocator.user, in, sizeof *in);

    return status;
}

vn_status vn_brush_map_read(const vn_source* source, const vn_allocator* allocator, vn_brush_map* out,
                            vn_detail* detail) {
    VNI_IO_ASSERT(source != NULL && source->read != NULL && out != NULL);
    *out = (vn_brush_map){.allocator = vni_io_allocator(allocator)};
    return read_source(source, out, detail);
}

vn_status vn_brush_map_read_file(const char* path, const vn_allocator* allocator, vn_brush_map* out,
                                 vn_detail* detail) {
    VNI_IO_ASSERT(path != NULL && out != NULL);
    *out = (vn_brush_map){.allocator = vni_io_allocator(allocator)};
    return vni_file_read(path, read_source, out, detail);
}

void vn_brush_map_free(vn_brush_map* map) {
    if (map == NULL)
        return;
    free_block(&map->allocator, map->vertices, map->vertex_count, sizeof *map->vertices);
    free_block(&map->allocator, map->indices, map->index_count, sizeof *map->indices);
    free_block(&map->allocator, map->brushes, map->brush_count, sizeof *map->brushes);
    *map = (vn_brush_map){0};
}

vn_shape vn_brush_map_shape(const vn_brush_map* map, uint64_t brush) {
    VNI_IO_ASSERT(map != NULL && brush < map->brush_count);
    const vn_brush* b = &map->brushes[brush];
    vn_shape shape = {.kind = VN_SHAPE_HULL};
    shape.as.hull.vertices = map->vertices + b->first_vertex;
    shape.as.hull.vertex_count = b->vertex_count;
    shape.as.hull.indices = map->indices + b->first_index;
    shape.as.hull.triangle_count = b->triangle_count;

    return shape;
}
