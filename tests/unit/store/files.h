/// tests/unit/store/files.h: files in memory for the tests of store: layers of random worlds, sinks, a codec
/// that needs no library, and checksums made right again after a change.
#ifndef VNT_STORE_FILES_H
#define VNT_STORE_FILES_H

#include "cmocka_all.h"

#include "base/rng.h"
#include "base/xxh64.h"
#include "space/space.h"
#include "store/bundle.h"
#include "support.h"
#include "volnav/store.h"
#include "voxels.h"

#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------------------------------- sinks

/// Bytes that a writer gave; the call with number `fail_at` is refused.
typedef struct vnt_file {
    uint8_t* data;
    size_t size, capacity;
    uint32_t calls, fail_at;
} vnt_file;

static inline bool vnt_file_take(void* user, const void* data, size_t size) {
    vnt_file* file = user;
    if (file->calls++ == file->fail_at)
        return false;

    if (file->capacity < file->size + size) {
        file->capacity = 2 * (file->size + size);
        file->data = realloc(file->data, file->capacity);
        assert_non_null(file->data);
    }

    memcpy(file->data + file->size, data, size);
    file->size += size;
    return true;
}

static inline vnt_file vnt_file_make(void) {
    return (vnt_file){.fail_at = UINT32_MAX};
}

static inline void vnt_file_free(vnt_file* file) {
    free(file->data);
    *file = vnt_file_make();
}

static inline vn_sink vnt_file_sink(vnt_file* file) {
    return (vn_sink){vnt_file_take, file};
}

static inline vnt_file vnt_file_copy(const vnt_file* file) {
    vnt_file copy = vnt_file_make();
    assert_true(vnt_file_take(&copy, file->data, file->size));
    return copy;
}

// --------------------------------------------------------------------------------------------------- codec

/// A zero and how many there are of it instead of each row of zeros; everything else as it is.
static inline size_t vnt_pack_bound(void* user, size_t size) {
    (void)user;
    return 2 * size;
}

static inline size_t vnt_pack(void* user, const void* data, size_t size, void* out, size_t capacity) {
    const uint8_t* in = data;
    uint8_t* to = out;
    size_t at = 0;
    (void)user;

    assert_true(capacity >= 2 * size);
    for (size_t i = 0; i < size;) {
        uint8_t run = 0;
        while (i + run < size && run < 255 && in[i + run] == 0)
            ++run;

        to[at++] = in[i];
        if (run > 0)
            to[at++] = run;

        i += run > 0 ? run : 1;
    }

    return at;
}

static inline bool vnt_unpack(void* user, const void* data, size_t size, void* out, size_t out_size) {
    const uint8_t* in = data;
    uint8_t* to = out;
    size_t at = 0;
    (void)user;
    for (size_t i = 0; i < size; ++i) {
        size_t run = in[i] == 0 ? (i + 1 < size ? in[i + 1] : 0) : 1;
        if (run == 0 || run > out_size - at)
            return false;
        memset(to + at, in[i], run);
        at += run;
        i += in[i] == 0;
    }

    return at == out_size;
}

static inline vn_codec vnt_zero_codec(void) {
    return (vn_codec){.id = 77, .bound = vnt_pack_bound, .pack = vnt_pack, .unpack = vnt_unpack};
}

// -------------------------------------------------------------------------------------------------- worlds

/// What a world is like.
typedef struct vnt_layers_def {
    vn_voxel dims;
    uint32_t layer_count; ///< up to 3: radii 0, 0.75 and 1.5, the second with flag 1 open
    bool cells;
    vn_unknown_policy unknown;
} vnt_layers_def;

static inline void vnt_add_random_box(vn_world* world, vni_rng* rng, vn_voxel dims, uint32_t flags) {
    const int32_t size[3] = {dims.x, dims.y, dims.z};
    vn_shape shape = {.kind = VN_SHAPE_BOX};
    vn_obstacle_id id;
    float* low = &shape.as.box.min.x;

    float* high = &shape.as.box.max.x;
    for (int i = 0; i < 3; ++i) {
        low[i] = (float)vni_rng_range(rng, 0, size[i] - 1);
        high[i] = low[i] + (float)vni_rng_range(rng, 1, size[i] / 3 + 1);
    }

    assert_int_equal(vn_world_add(world, &shape, &id, NULL), VN_OK);
    assert_int_equal(vn_world_set_flags(world, id, flags), VN_OK);
}

static inline void vnt_add_random_voxels(vn_world* world, vni_rng* rng, vn_voxel dims) {
    vnt_voxels v = vnt_voxels_random(rng, dims);
    size_t count = 0, all = (size_t)dims.x * (size_t)dims.y * (size_t)dims.z;
    vn_voxel* voxels = malloc(all * sizeof *voxels);
    assert_non_null(voxels);
    for (size_t i = 0; i < all; ++i)
        if (v.blocked[i])
            voxels[count++] =
                (vn_voxel){(int32_t)(i % (size_t)dims.x), (int32_t)(i / (size_t)dims.x % (size_t)dims.y),
                           (int32_t)(i / (size_t)dims.x / (size_t)dims.y)};

    vn_shape shape = {.kind = VN_SHAPE_VOXELS};
    shape.as.voxels.size = 1;
    shape.as.voxels.dims = dims;
    shape.as.voxels.voxels = voxels;
    shape.as.voxels.voxel_count = count;
    assert_int_equal(vn_world_add(world, &shape, NULL, NULL), VN_OK);
    free(voxels);
    vnt_voxels_free(&v);
}

/// Random voxels, a few doors and some unknown space.
static inline vn_layers* vnt_random_layers(vni_rng* rng, const vnt_layers_def* def) {
    static const vn_layer_def layers[3] = {{0, 0}, {0.75f, 1}, {1.5f, 0}};
    vn_world_def world_def = vn_default_world_def();
    vn_space_def space_def = vn_default_space_def();
    vn_world* world;
    vn_layers* out;
    vn_detail detail = {0};
    world_def.origin = (vn_dvec3){1e6, -3, 0.5};
    assert_int_equal(vn_world_create(&world_def, &world), VN_OK);

    vnt_add_random_voxels(world, rng, def->dims);
    for (uint32_t i = vni_rng_below(rng, 3); i > 0; --i)
        vnt_add_random_box(world, rng, def->dims, 1);

    for (uint32_t i = vni_rng_below(rng, 3); i > 0; --i)
        vnt_add_random_box(world, rng, def->dims, VN_FLAG_UNKNOWN);

    space_def.cells = def->cells;
    space_def.unknown = def->unknown;
    space_def.has_bounds = true;
    space_def.bounds.max = (vn_vec3){(float)def->dims.x, (float)def->dims.y, (float)def->dims.z};
    assert_int_equal(vn_layers_bake(world, &space_def, layers, def->layer_count, &out, &detail), VN_OK);
    vn_world_destroy(world);

    return out;
}

static inline vnt_file vnt_write(const vn_layers* layers, const vn_store_def* def) {
    vnt_file file = vnt_file_make();
    vn_sink sink = vnt_file_sink(&file);
    assert_int_equal(vn_layers_write(layers, def, NULL, &sink, NULL), VN_OK);
    return file;
}

// ------------------------------------------------------------------------------------------------- changes

static inline vni_file_head vnt_head(const vnt_file* file) {
    vni_file_head head;
    assert_true(file->size >= sizeof head);
    memcpy(&head, file->data, sizeof head);
    return head;
}

static inline vni_file_entry vnt_entry(const vnt_file* file, uint32_t index) {
    vni_file_entry entry;
    memcpy(&entry, file->data + sizeof(vni_file_head) + index * sizeof entry, sizeof entry);
    return entry;
}

static inline void vnt_set_entry(vnt_file* file, uint32_t index, const vni_file_entry* entry) {
    memcpy(file->data + sizeof(vni_file_head) + index * sizeof *entry, entry, sizeof *entry);
}

/// Makes all checksums right for what the file holds now, as far as its table makes sense.
static inline void vnt_reseal(vnt_file* file) {
    vni_file_head head = vnt_head(file);
    uint64_t most = (file->size - sizeof head) / sizeof(vni_file_entry);
    uint32_t count = head.section_count < most ? head.section_count : (uint32_t)most;
    for (uint32_t i = 0; i < count; ++i) {
        vni_file_entry entry = vnt_entry(file, i);
        if (entry.offset <= file->size && entry.stored <= file->size - entry.offset) {
            entry.hash = vni_xxh64(file->data + entry.offset, (size_t)entry.stored, 0);
            vnt_set_entry(file, i, &entry);
        }
    }

    head.hash = vni_bundle_head_hash(&head, file->data + sizeof head, count * sizeof(vni_file_entry));
    memcpy(file->data, &head, sizeof head);
}

#endif
