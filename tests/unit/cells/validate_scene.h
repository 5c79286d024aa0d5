/// tests/unit/cells/validate_scene.h: small worlds whose cells are forged, for the tests of their validation.
#ifndef VNT_VALIDATE_SCENE_H
#define VNT_VALIDATE_SCENE_H

#include "cells_copy.h"
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "space/space.h"

#include <stdlib.h>
#include <string.h>

typedef struct scene {
    vnt_voxels voxels;
    vn_space* space;
    vni_cells cells; ///< a copy
} scene;

static inline scene scene_of(vnt_voxels voxels) {
    vn_jobs serial = vn_serial_jobs();
    scene s = {.voxels = voxels, .space = vnt_voxels_cells(&voxels, &serial)};
    s.cells = vnt_cells_copy(&s.space->cells);
    assert_int_equal(vni_cells_validate(&s.cells, &s.space->occupancy, NULL), VN_OK);
    return s;
}

/// 2 x 1 x 1 blocks: a wall with two windows and a closed box in the first, one voxel near the face between
/// them in the second.
static inline scene make_house(void) {
    const vn_voxel dims = {128, 40, 40};
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            if (!(y > 3 && y < 7 && z > 3 && z < 9) && !(y == 30 && z == 30))
                vnt_voxels_block(&voxels, 20, y, z);

    vnt_voxels_block(&voxels, 66, 20, 20);
    for (int32_t k = 0; k < 27; ++k) // a closed box with one free voxel
        if (k != 13)
            vnt_voxels_block(&voxels, 50 + k % 3, 10 + k / 3 % 3, 10 + k / 9);

    return scene_of(voxels);
}

/// One block with dust in its lower part.
static inline scene make_dust(uint64_t seed) {
    const vn_voxel dims = {40, 40, 48};
    vni_rng rng = vni_rng_make(vnt_seed("validate dust", seed));
    vnt_voxels voxels = vnt_voxels_make(dims);
    for (int32_t k = 0; k < 700; ++k)
        vnt_voxels_block(&voxels, vni_rng_range(&rng, 0, 39), vni_rng_range(&rng, 0, 39),
                         vni_rng_range(&rng, 0, 15));

    return scene_of(voxels);
}

static inline void free_scene(scene* s) {
    vnt_cells_copy_free(&s->space->cells, &s->cells);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

/// After arrays of a block have been replaced.
static inline void update_view(scene* s, uint32_t block) {
    s->cells.views[block].cells = s->cells.table[block]->cells;
    s->cells.views[block].groups = s->cells.table[block]->groups;
}

static inline void expect_refusal(const scene* s, const char* words) {
    vn_detail detail = {0};
    assert_int_equal(vni_cells_validate(&s->cells, &s->space->occupancy, &detail), VN_BAD_DATA);
    if (strstr(detail.text, words) == NULL)
        print_message("'%s' instead of '%s'\n", detail.text, words);
    assert_non_null(strstr(detail.text, words));
}

/// A longer or shorter array with the same beginning; what is new is all ones.
static inline void* with_length(void* data, size_t size, size_t old_count, size_t new_count) {
    const size_t bytes = size * new_count;
    void* out = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(out);
    memset(out, 255, bytes);
    memcpy(out, data, size * (old_count < new_count ? old_count : new_count));
    free(data);

    return out;
}

#endif
