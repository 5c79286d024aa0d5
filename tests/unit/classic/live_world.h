/// tests/unit/classic/live_world.h: a random world of voxels that changes: boxes appear, move and vanish, and
/// static voxels are taken away or added. Each step gives a new space and boxes around what changed.
#ifndef VNT_LIVE_WORLD_H
#define VNT_LIVE_WORLD_H

#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "geom/box.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

#define LIVE_OBSTACLES 4
#define LIVE_CHANGES   16

typedef struct live_world {
    vnt_voxels fixed; ///< static geometry
    vnt_voxels all;   ///< with the obstacles
    vni_box obstacles[LIVE_OBSTACLES];
    bool exists[LIVE_OBSTACLES];
    vn_space *space, *before; ///< of now, and of the last step
    vni_box changes[LIVE_CHANGES];
    uint32_t change_count;
} live_world;

static inline size_t live_volume(const vnt_voxels* v) {
    return (size_t)v->dims.x * (size_t)v->dims.y * (size_t)v->dims.z;
}

static inline void live_fill(vnt_voxels* v, const vni_box* box, unsigned char blocked) {
    const int32_t dims[3] = {v->dims.x, v->dims.y, v->dims.z};
    for (int32_t z = box->low[2] < 0 ? 0 : box->low[2]; z < box->high[2] && z < dims[2]; ++z)
        for (int32_t y = box->low[1] < 0 ? 0 : box->low[1]; y < box->high[1] && y < dims[1]; ++y)
            for (int32_t x = box->low[0] < 0 ? 0 : box->low[0]; x < box->high[0] && x < dims[0]; ++x)
                v->blocked[(size_t)x + (size_t)dims[0] * ((size_t)y + (size_t)dims[1] * (size_t)z)] = blocked;
}

/// Static voxels and obstacles together, as a space.
static inline void live_publish(live_world* w) {
    memcpy(w->all.blocked, w->fixed.blocked, live_volume(&w->all));
    for (int i = 0; i < LIVE_OBSTACLES; ++i)
        if (w->exists[i])
            live_fill(&w->all, &w->obstacles[i], 1);

    if (w->before != NULL)
        vn_space_destroy(w->before);
    w->before = w->space;
    w->space = vnt_voxels_space(&w->all);
}

/// Takes over the voxels.
static inline live_world live_make(vnt_voxels fixed) {
    live_world w = {.fixed = fixed, .all = vnt_voxels_make(fixed.dims)};
    live_publish(&w);
    return w;
}

static inline live_world live_random(vni_rng* rng, int32_t limit) {
    return live_make(vnt_voxels_random(rng, vnt_random_dims(rng, limit)));
}

static inline void live_free(live_world* w) {
    vn_space_destroy(w->space);
    if (w->before != NULL)
        vn_space_destroy(w->before);
    vnt_voxels_free(&w->fixed);
    vnt_voxels_free(&w->all);
}

/// A box that may reach out of the space.
static inline vni_box live_random_box(vni_rng* rng, vn_voxel dims, int32_t most) {
    const int32_t sides[3] = {dims.x, dims.y, dims.z};
    vni_box box;
    for (int i = 0; i < 3; ++i) {
        box.low[i] = vni_rng_range(rng, -2, sides[i]);
        box.high[i] = box.low[i] + vni_rng_range(rng, 1, most);
    }

    return box;
}

static inline void live_changed(live_world* w, const vni_box* box) {
    assert_true(w->change_count < LIVE_CHANGES);
    w->changes[w->change_count++] = *box;
}

static inline void live_move(live_world* w, vni_rng* rng, int which) {
    vni_box* box = &w->obstacles[which];
    if (w->exists[which])
        live_changed(w, box);
    const uint32_t kind = vni_rng_below(rng, 4);
    if (!w->exists[which] || kind == 0) {
        *box = live_random_box(rng, w->fixed.dims, 6);
        w->exists[which] = true;
    } else if (kind == 1) {
        w->exists[which] = false;
        return;
    } else {
        for (int i = 0; i < 3; ++i) {
            const int32_t step = vni_rng_range(rng, -1, 1);
            box->low[i] += step;
            box->high[i] += step;
        }
    }

    live_changed(w, box);
}

/// One to three changes, then a new space.
static inline void live_step(live_world* w, vni_rng* rng) {
    w->change_count = 0;
    for (uint32_t i = 1 + vni_rng_below(rng, 3); i > 0; --i) {
        const uint32_t kind = vni_rng_below(rng, 8);
        if (kind < 6) {
            live_move(w, rng, (int)vni_rng_below(rng, LIVE_OBSTACLES));
            continue;
        }

        // Static geometry vanishes (an explosion), or is built.
        const vni_box box = live_random_box(rng, w->fixed.dims, kind == 6 ? 9 : 4);
        live_fill(&w->fixed, &box, kind == 7);
        live_changed(w, &box);
    }

    live_publish(w);
}

// ---------- sets of boxes

typedef struct box_set {
    vni_box* at;
    uint32_t count, capacity;
} box_set;

static inline void set_add(box_set* set, const vni_box* box) {
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? 2 * set->capacity : 64;
        set->at = realloc(set->at, set->capacity * sizeof *set->at);
        assert_non_null(set->at);
    }

    set->at[set->count++] = *box;
}

static inline int compare_boxes(const void* a, const void* b) {
    const vni_box *p = (const vni_box*)a, *q = (const vni_box*)b;
    for (int i = 2; i >= 0; --i)
        if (p->low[i] != q->low[i])
            return p->low[i] < q->low[i] ? -1 : 1;
    for (int i = 2; i >= 0; --i)
        if (p->high[i] != q->high[i])
            return p->high[i] < q->high[i] ? -1 : 1;
    return 0;
}

static inline void set_sort(box_set* set) {
    if (set->count > 0)
        qsort(set->at, set->count, sizeof *set->at, compare_boxes);
}

static inline void set_free(box_set* set) {
    free(set->at);
    *set = (box_set){0};
}

static inline void assert_same_sets(box_set* a, box_set* b) {
    set_sort(a);
    set_sort(b);
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; ++i)
        assert_memory_equal(&a->at[i], &b->at[i], sizeof(vni_box));
}

/// Takes a box out of a set; it must be there.
static inline void set_take(box_set* set, const vni_box* box) {
    for (uint32_t i = 0; i < set->count; ++i)
        if (compare_boxes(&set->at[i], box) == 0) {
            set->at[i] = set->at[--set->count];
            return;
        }

    fail_msg("a box went that was not there");
}

static inline bool set_has(const box_set* set, const vni_box* box) {
    for (uint32_t i = 0; i < set->count; ++i)
        if (compare_boxes(&set->at[i], box) == 0)
            return true;
    return false;
}

/// What a list of changes makes of a set: boxes that went were there, boxes that came were not.
static inline void set_apply(box_set* set, const vn_voxel_box* went, uint32_t went_count,
                             const vn_voxel_box* came, uint32_t came_count) {
    for (uint32_t i = 0; i < came_count; ++i) {
        const vni_box box = vni_box_of(came[i]);
        assert_false(set_has(set, &box));
    }

    for (uint32_t i = 0; i < went_count; ++i) {
        const vni_box box = vni_box_of(went[i]);
        set_take(set, &box);
    }

    for (uint32_t i = 0; i < came_count; ++i) {
        const vni_box box = vni_box_of(came[i]);
        set_add(set, &box);
    }
}

static inline bool set_visit(void* user, const vni_box* box) {
    set_add((box_set*)user, box);
    return true;
}

#endif
