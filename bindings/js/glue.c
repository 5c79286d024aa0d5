/// bindings/js/glue.c: what all calls share: the array of results, reasons, lists, shapes from numbers.
#include "glue.h"

#include <stdlib.h>
#include <string.h>

double glue_out[GLUE_OUT];
static vn_detail detail;

vn_detail* glue_begin(void) {
    detail = (vn_detail){.status = VN_OK};
    return &detail;
}

int glue_done(vn_status status) {
    if (status == VN_OK)
        detail.text[0] = '\0';
    return (int)status;
}

void glue_put(int at, vn_dvec3 v) {
    glue_out[at] = v.x;
    glue_out[at + 1] = v.y;
    glue_out[at + 2] = v.z;
}

void glue_put_pointer(int at, const void* pointer) {
    glue_out[at] = (double)(uintptr_t)pointer;
}

void glue_put_64(int at, uint64_t x) {
    glue_out[at] = (double)(x >> 32);
    glue_out[at + 1] = (double)(x & 0xffffffffu);
}

EXPORT(js_out) double* js_out(void) {
    return glue_out;
}
EXPORT(js_detail) const char* js_detail(void) {
    return detail.text;
}
/// Of a text file; 0: no line is to blame.
EXPORT(js_detail_line) uint32_t js_detail_line(void) {
    return detail.line;
}
EXPORT(js_status_word) const char* js_status_word(int status) {
    return vn_status_word((vn_status)status);
}
EXPORT(js_version) uint32_t js_version(void) {
    return vn_version();
}
EXPORT(js_alloc) void* js_alloc(size_t size) {
    return malloc(size);
}
EXPORT(js_free) void js_free(void* block) {
    free(block);
}

// --------------------------------------------------------------------------------------------------- numbers

vn_vec3 glue_vector(const float* v) {
    return (vn_vec3){v[0], v[1], v[2]};
}

vn_dvec3 glue_position(const double* v) {
    return (vn_dvec3){v[0], v[1], v[2]};
}

vn_transform glue_transform(const float* v) {
    return (vn_transform){glue_vector(v), {v[3], v[4], v[5], v[6]}, 1};
}

vn_shape glue_shape(int kind, const float* v) {
    vn_shape shape = {.kind = (vn_shape_kind)kind};
    if (shape.kind == VN_SHAPE_BOX) {
        shape.as.box = (vn_box){glue_vector(v), glue_vector(v + 3)};
    } else if (shape.kind == VN_SHAPE_SPHERE) {
        shape.as.sphere.center = glue_vector(v);
        shape.as.sphere.radius = v[3];
    } else if (shape.kind == VN_SHAPE_CAPSULE) {
        shape.as.capsule.a = glue_vector(v);
        shape.as.capsule.b = glue_vector(v + 3);
        shape.as.capsule.radius = v[6];
    }
    return shape;
}

// ----------------------------------------------------------------------------------------------------- lists

void* glue_more(glue_list* list, size_t size) {
    if (list->data == NULL || list->size + size > list->capacity) {
        const size_t capacity = 2 * (list->size + size) + 256;
        unsigned char* grown = realloc(list->data, capacity);
        if (grown == NULL) {
            list->failed = true;
            return NULL;
        }
        list->data = grown;
        list->capacity = capacity;
    }

    void* at = list->data + list->size;
    list->size += size;
    return at;
}

void* glue_room(glue_list* list, size_t size) {
    list->size = 0;
    return glue_more(list, size);
}

void glue_free(glue_list* list) {
    free(list->data);
    *list = (glue_list){0};
}

bool glue_append(void* list, const void* data, size_t size) {
    void* at = glue_more(list, size);
    if (at != NULL && size > 0)
        memcpy(at, data, size);
    return at != NULL;
}

vn_status glue_give(int at, glue_list* list) {
    const bool failed = list->failed;
    if (failed)
        glue_free(list);
    glue_put_pointer(at, list->data);
    glue_out[at + 1] = (double)list->size;
    return failed ? VN_OUT_OF_MEMORY : VN_OK;
}

// ----------------------------------------------------------------------------------------------------- files

static bool take_unpacked(void* user, const void* data, size_t size, void* to, size_t to_size) {
    const glue_sections* all = user;
    const size_t offset = (size_t)((const unsigned char*)data - all->file);
    (void)size;
    for (uint32_t i = 0; i < all->count; ++i) {
        const glue_section* one = &all->list[i];
        if (one->offset == offset && one->size == to_size) {
            memcpy(to, (const void*)(uintptr_t)one->at, to_size);
            return true;
        }
    }
    return false;
}

vn_codec glue_codec(glue_sections* sections) {
    return (vn_codec){.id = 1, .unpack = take_unpacked, .user = sections};
}
