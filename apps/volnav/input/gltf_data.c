/// volnav/input/gltf_data.c: from the numbers in the JSON to bytes, and from bytes to numbers.
#include "input/gltf_data.h"

#include <stdlib.h>
#include <string.h>

enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT = 5125, FLOAT };

/// A view into a buffer.
typedef struct view {
    const uint8_t* data;
    uint64_t size, stride; ///< stride 0: not said
} view;

/// An array in a view, with as many bytes as it needs.
typedef struct array {
    const uint8_t* data; ///< null: zeros
    uint64_t count, stride, type;
    bool normalized;
} array;

gltf_list gltf_list_of(const json_document* document, const char* key) {
    gltf_list list;
    list.items = json_elements(document, json_member(document, 0, key), &list.count);
    return list;
}

void gltf_data_begin(gltf_data* data) {
    data->accessors = gltf_list_of(data->document, "accessors");
    data->views = gltf_list_of(data->document, "bufferViews");
    data->buffers = gltf_list_of(data->document, "buffers");
    data->loaded = say_alloc(data->buffers.count, sizeof *data->loaded);
}

void gltf_data_free(gltf_data* data) {
    for (size_t i = 0; i < data->buffers.count; ++i) {
        if (!data->loaded[i].borrowed) {
            free(data->loaded[i].data);
        }
    }

    free(data->loaded);
    free(data->accessors.items);
    free(data->views.items);
    free(data->buffers.items);
}

/// A whole number of an object, such as a length.
static bool whole(const gltf_data* data, uint32_t object, const char* key, uint64_t missing, uint64_t* out) {
    return json_whole(data->document, json_member(data->document, object, key), missing, out);
}

// ------------------------------------------------------------------------------------------------ buffers

static int sextet(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* digit = c != '\0' ? strchr(digits, c) : NULL;
    return digit == NULL ? -1 : (int)(digit - digits);
}

/// "data:...;base64,...". Null if it is not that.
static uint8_t* decode(const char* uri, uint64_t* size) {
    const char* text = strstr(uri, ";base64,");
    if (text == NULL) {
        return NULL;
    }

    text += strlen(";base64,");
    uint8_t* out = say_alloc(strlen(text) / 4 * 3 + 3, 1);
    uint32_t bits = 0;
    int held = 0;
    for (*size = 0; *text != '\0' && *text != '='; ++text) {
        const int six = sextet(*text);
        if (six < 0) {
            free(out);
            return NULL;
        }

        bits = bits << 6 | (uint32_t)six;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out[(*size)++] = (uint8_t)(bits >> held);
        }
    }

    return out;
}

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/// %20 and the like, in place.
static void undo_percent(char* text) {
    char* out = text;
    for (; *text != '\0'; ++text) {
        const int high = *text == '%' ? hex(text[1]) : -1, low = high >= 0 ? hex(text[2]) : -1;
        *out++ = low > 0 || (low == 0 && high > 0) ? (char)(high * 16 + low) : *text;
        text += low > 0 || (low == 0 && high > 0) ? 2 : 0;
    }

    *out = '\0';
}

/// A file beside the glTF file.
static uint8_t* load_file(gltf_data* data, char* uri, uint64_t* size) {
    undo_percent(uri);
    const char *path = data->sink->path, *slash = strrchr(path, '/');
    const size_t folder = slash == NULL || uri[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    char* name = say_alloc(folder + strlen(uri) + 1, 1);
    memcpy(name, path, folder);
    memcpy(name + folder, uri, strlen(uri));
    FILE* file = triangles_open(data->sink, name, size);

    free(name);
    if (file == NULL) {
        return NULL;
    }

    uint8_t* out = say_alloc((size_t)*size, 1);
    *size = fread(out, 1, (size_t)*size, file);
    fclose(file);
    return out;
}

/// The bytes of a buffer, from the file itself, from its text, or from another file.
static int fetch(gltf_data* data, uint64_t index, gltf_buffer* out) {
    const uint32_t value = json_member(data->document, data->buffers.items[index], "uri");
    char* uri = json_string(data->document, value);
    const bool inlined = uri != NULL && strncmp(uri, "data:", 5) == 0;
    int code = EXIT_DONE;
    if (value == JSON_NONE) {
        out->data = index == 0 ? data->binary : NULL;
        out->size = data->binary_size;
        out->borrowed = out->data != NULL;
        code = out->borrowed
                   ? EXIT_DONE
                   : triangles_refuse(data->sink, "buffer %llu has no uri, and the file no data for it",
                                      (unsigned long long)index);
    } else if (uri != NULL) {
        out->data = inlined ? decode(uri, &out->size) : load_file(data, uri, &out->size);
    }

    if (code == EXIT_DONE && out->data == NULL) {
        code = triangles_refuse(data->sink, "buffer %llu: '%.100s' %s", (unsigned long long)index,
                                uri == NULL ? "uri" : uri,
                                inlined ? "is not data in base64" : "is not a file that can be read");
    }

    free(uri);
    return code;
}

static int load(gltf_data* data, uint64_t index, gltf_buffer** out) {
    uint64_t length;
    if (index >= data->buffers.count) {
        return triangles_refuse(data->sink, "there is no buffer %llu", (unsigned long long)index);
    }

    *out = &data->loaded[index];
    if ((*out)->data != NULL) {
        return EXIT_DONE;
    }

    const int code = fetch(data, index, *out);
    if (code != EXIT_DONE) {
        return code;
    }

    if (!whole(data, data->buffers.items[index], "byteLength", UINT64_MAX, &length) ||
        length > (*out)->size) {
        return triangles_refuse(data->sink, "buffer %llu is shorter than its byteLength: it has %llu bytes",
                                (unsigned long long)index, (unsigned long long)(*out)->size);
    }

    (*out)->size = length;
    return EXIT_DONE;
}

static int open_view(gltf_data* data, uint64_t index, view* out) {
    uint64_t buffer, offset;
    gltf_buffer* bytes = NULL;
    const uint32_t object = index < data->views.count ? data->views.items[index] : JSON_NONE;
    if (object == JSON_NONE || !whole(data, object, "buffer", UINT64_MAX, &buffer) ||
        !whole(data, object, "byteOffset", 0, &offset) ||
        !whole(data, object, "byteLength", UINT64_MAX, &out->size) ||
        !whole(data, object, "byteStride", 0, &out->stride)) {
        return triangles_refuse(data->sink, "bufferView %llu is not there, or makes no sense",
                                (unsigned long long)index);
    }

    const int code = load(data, buffer, &bytes);
    if (code != EXIT_DONE) {
        return code;
    }

    if (offset > bytes->size || out->size > bytes->size - offset) {
        return triangles_refuse(data->sink, "bufferView %llu goes beyond the end of its buffer",
                                (unsigned long long)index);
    }

    out->data = bytes->data + offset;
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------- accessors

static uint64_t size_of(uint64_t type) {
    switch (type) {
    case BYTE:
    case UNSIGNED_BYTE: return 1;
    case SHORT:
    case UNSIGNED_SHORT: return 2;
    case UNSIGNED_INT:
    case FLOAT: return 4;
    default: return 0;
    }
}

/// `count` elements of `components` numbers each, at an offset of a view.
static int open_array(gltf_data* data, uint64_t number, uint64_t offset, uint64_t components, array* out) {
    view bytes;
    const int code = open_view(data, number, &bytes);
    if (code != EXIT_DONE) {
        return code;
    }

    const uint64_t element = size_of(out->type) * components;
    out->stride = bytes.stride == 0 ? element : bytes.stride;
    const uint64_t left = offset > bytes.size ? 0 : bytes.size - offset;
    if (out->stride < element || left < element || (out->count - 1) > (left - element) / out->stride) {
        return triangles_refuse(data->sink, "an accessor of %llu elements does not fit into bufferView %llu",
                                (unsigned long long)out->count, (unsigned long long)number);
    }

    out->data = bytes.data + offset;
    return EXIT_DONE;
}

static uint32_t accessor_at(const gltf_data* data, uint64_t index) {
    return index < data->accessors.count ? data->accessors.items[index] : JSON_NONE;
}

int gltf_count(gltf_data* data, uint64_t accessor, uint64_t* out) {
    const uint32_t object = accessor_at(data, accessor);
    return object != JSON_NONE && whole(data, object, "count", 0, out) && *out > 0 && *out <= UINT32_MAX
               ? EXIT_DONE
               : triangles_refuse(data->sink, "accessor %llu is not there, or its count is not possible",
                                  (unsigned long long)accessor);
}

/// Base values of an accessor; data null where it has no bufferView, which only a sparse one may lack.
static int open_accessor(gltf_data* data, uint64_t index, const char* type, uint64_t components, array* out) {
    uint64_t number, offset;
    const uint32_t object = accessor_at(data, index);
    memset(out, 0, sizeof *out);
    const int code = gltf_count(data, index, &out->count);
    if (code != EXIT_DONE) {
        return code;
    }

    if (!whole(data, object, "componentType", 0, &out->type) || size_of(out->type) == 0 ||
        !whole(data, object, "byteOffset", 0, &offset) ||
        !whole(data, object, "bufferView", UINT64_MAX, &number) ||
        !json_equals(data->document, json_member(data->document, object, "type"), type)) {
        return triangles_refuse(data->sink, "accessor %llu is not of type %s, or makes no sense",
                                (unsigned long long)index, type);
    }

    out->normalized = json_is(data->document, json_member(data->document, object, "normalized"), JSON_TRUE);
    if (number == UINT64_MAX) {
        return json_member(data->document, object, "sparse") != JSON_NONE
                   ? EXIT_DONE
                   : triangles_refuse(data->sink, "accessor %llu has no data: neither bufferView nor sparse",
                                      (unsigned long long)index);
    }

    return open_array(data, number, offset, components, out);
}

static uint32_t little(const uint8_t* bytes, uint64_t size) {
    uint32_t out = 0;
    for (uint64_t i = 0; i < size; ++i) {
        out |= (uint32_t)bytes[i] << (8 * i);
    }
    return out;
}

/// One number, as KHR_mesh_quantization says: normalised ones run from -1 or 0 to 1.
static float component(const uint8_t* bytes, uint64_t type, bool normalized) {
    const uint32_t bits = little(bytes, size_of(type));
    double value = 0, most = 1;
    float real;
    switch (type) {
    case FLOAT: memcpy(&real, &bits, sizeof real); return real;
    case BYTE: value = (double)(int8_t)(uint8_t)bits, most = 127; break;
    case SHORT: value = (double)(int16_t)(uint16_t)bits, most = 32767; break;
    case UNSIGNED_BYTE: value = (double)bits, most = 255; break;
    case UNSIGNED_SHORT: value = (double)bits, most = 65535; break;
    default:
        value = (double)bits;
        most = 4294967295.0;
        break;
    }
    if (normalized) {
        value = value < -most ? -1 : value / most;
    }
    return (float)value;
}

static void copy_positions(const array* from, float* out) {
    const uint64_t size = size_of(from->type);
    for (uint64_t i = 0; from->data != NULL && i < from->count; ++i) {
        for (uint64_t k = 0; k < 3; ++k) {
            out[3 * i + k] =
                component(from->data + i * from->stride + k * size, from->type, from->normalized);
        }
    }
}

/// One of the two arrays of a sparse accessor.
static int open_sparse(gltf_data* data, uint32_t object, uint64_t components, array* out) {
    uint64_t number, offset;
    if (!whole(data, object, "bufferView", UINT64_MAX, &number) ||
        !whole(data, object, "byteOffset", 0, &offset) || size_of(out->type) == 0) {
        return triangles_refuse(data->sink, "a sparse accessor makes no sense");
    }
    return open_array(data, number, offset, components, out);
}

/// Puts the values of a sparse accessor over the base values.
static int put_sparse(gltf_data* data, uint32_t sparse, const array* base, float* out) {
    array places = {0}, values = {.type = base->type, .normalized = base->normalized};
    const uint32_t indices = json_member(data->document, sparse, "indices");
    if (!whole(data, sparse, "count", 0, &places.count) || places.count == 0 || places.count > base->count ||
        !whole(data, indices, "componentType", 0, &places.type)) {
        return triangles_refuse(data->sink, "a sparse accessor makes no sense");
    }

    values.count = places.count;
    int code = open_sparse(data, indices, 1, &places);
    if (code == EXIT_DONE) {
        code = open_sparse(data, json_member(data->document, sparse, "values"), 3, &values);
    }

    for (uint64_t i = 0; i < places.count && code == EXIT_DONE; ++i) {
        const uint64_t place = little(places.data + i * places.stride, size_of(places.type));
        if (place >= base->count) {
            return triangles_refuse(data->sink, "a sparse accessor names an element that does not exist");
        }
        const array one = {values.data + i * values.stride, 1, 0, values.type, values.normalized};
        copy_positions(&one, out + 3 * place);
    }

    return code;
}

int gltf_positions(gltf_data* data, uint64_t accessor, float** out, uint64_t* count) {
    array base;
    *out = NULL;
    int code = open_accessor(data, accessor, "VEC3", 3, &base);
    if (code != EXIT_DONE) {
        return code;
    }

    *count = base.count;
    *out = say_alloc((size_t)base.count * 3, sizeof **out);
    copy_positions(&base, *out);
    const uint32_t sparse = json_member(data->document, accessor_at(data, accessor), "sparse");
    if (sparse != JSON_NONE) {
        code = put_sparse(data, sparse, &base, *out);
    }

    return code;
}

int gltf_indices(gltf_data* data, uint64_t accessor, uint32_t** out, uint64_t* count) {
    array from;
    *out = NULL;
    const int code = open_accessor(data, accessor, "SCALAR", 1, &from);
    if (code != EXIT_DONE) {
        return code;
    }

    if (from.data == NULL ||
        (from.type != UNSIGNED_BYTE && from.type != UNSIGNED_SHORT && from.type != UNSIGNED_INT)) {
        return triangles_refuse(data->sink, "accessor %llu holds no indices", (unsigned long long)accessor);
    }

    *count = from.count;
    *out = say_alloc((size_t)from.count, sizeof **out);
    for (uint64_t i = 0; i < from.count; ++i) {
        (*out)[i] = little(from.data + i * from.stride, size_of(from.type));
    }

    return EXIT_DONE;
}
