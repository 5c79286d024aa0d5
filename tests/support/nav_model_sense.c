/// tests/support/nav_model_sense.c: a map that a sensor tells: an array of states beside the nav.
#include "nav_model.h"
#include "shapes.h"

#include <math.h>
#include <string.h>

enum { MOST = 300 };

static vn_voxel voxel_at(uint32_t i) {
    return (vn_voxel){(int32_t)(i % VNT_MAP_X), (int32_t)(i / VNT_MAP_X % VNT_MAP_Y),
                      (int32_t)(i / (VNT_MAP_X * VNT_MAP_Y))};
}

static bool is_inside(vn_voxel v) {
    return v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < VNT_MAP_X && v.y < VNT_MAP_Y && v.z < VNT_MAP_Z;
}

/// The voxels with this state as a set; `voxels` has place for all.
static vn_shape shape_of(const vnt_map* map, vn_voxel_state state, vn_voxel* voxels) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < VNT_MAP; ++i)
        if (map->states[i] == state)
            voxels[count++] = voxel_at(i);

    vn_shape shape = vnt_voxels_shape((vn_voxel){VNT_MAP_X, VNT_MAP_Y, VNT_MAP_Z}, map->size, voxels, count);
    shape.as.voxels.low = map->low;
    return shape;
}

void vnt_model_build_map(const vnt_model* m, vn_world* world) {
    vn_voxel voxels[VNT_MAP];
    vn_obstacle_id id;
    if (!m->map.alive)
        return;

    vn_shape shape = shape_of(&m->map, VN_VOXEL_OCCUPIED, voxels);
    VNT_REQUIRE(m, vn_world_add(world, &shape, &id, NULL) == VN_OK);
    if (m->map.unknown.index1 == 0)
        return;
    shape = shape_of(&m->map, VN_VOXEL_UNKNOWN, voxels);
    VNT_REQUIRE(m, vn_world_add(world, &shape, &id, NULL) == VN_OK);
    VNT_REQUIRE(m, vn_world_set_flags(world, id, VN_FLAG_UNKNOWN) == VN_OK);
}

// --------------------------------------------------------------------------------------------------- the map

/// One of the two sets; false for lack of memory.
static bool add_set(vnt_model* m, vn_voxel_state state, uint32_t flags, vn_obstacle_id* out) {
    vn_voxel voxels[VNT_MAP];
    const uint32_t before = vnt_model_pending(m);
    vn_shape shape = shape_of(&m->map, state, voxels);
    shape.as.voxels.sensed = true;
    vnt_model_enter(m, "add a sensed set");
    const vn_status status = vn_nav_add(m->nav, &shape, flags, out, NULL);
    if (vnt_model_excused(m, status)) {
        *out = (vn_obstacle_id){0, 0};
        vnt_model_check_refused(m, before);
        return false;
    }

    VNT_REQUIRE(m, status == VN_OK);
    vnt_model_check_new_id(m, *out);
    ++m->revision;
    return true;
}

/// On the grid of the space, or not; all unknown, or anything.
static void add_map(vnt_model* m) {
    vnt_map* map = &m->map;
    vni_rng* rng = &m->rng;
    const bool aligned = vni_rng_below(rng, 2);
    map->size = aligned ? m->def.space.resolution : 0.75f;
    map->low = vnt_vec((float)vni_rng_range(rng, -2, 9), (float)vni_rng_range(rng, -2, 5),
                       (float)vni_rng_range(rng, -2, 5));
    const bool fresh = vni_rng_below(rng, 2);
    for (uint32_t i = 0; i < VNT_MAP; ++i)
        map->states[i] = (uint8_t)(fresh ? VN_VOXEL_UNKNOWN : vni_rng_below(rng, 3));

    map->alive = add_set(m, VN_VOXEL_OCCUPIED, 0, &map->occupied);
    if (map->alive)
        (void)add_set(m, VN_VOXEL_UNKNOWN, VN_FLAG_UNKNOWN, &map->unknown);
}

static bool remove_set(vnt_model* m, vn_obstacle_id id) {
    const uint32_t before = vnt_model_pending(m);
    const vn_status status = vn_nav_remove(m->nav, id);
    if (vnt_model_excused(m, status)) {
        vnt_model_check_refused(m, before);
        return false;
    }

    VNT_REQUIRE(m, status == VN_OK);
    vnt_model_note_gone(m, id);
    ++m->revision;
    return true;
}

/// First the unknown set: the map goes on without it if the other cannot be removed.
static void remove_map(vnt_model* m) {
    vnt_map* map = &m->map;
    vnt_model_enter(m, "remove a sensed set");
    if (map->unknown.index1 != 0) {
        if (!remove_set(m, map->unknown))
            return;
        map->unknown = (vn_obstacle_id){0, 0};
    }

    vnt_model_enter(m, "remove a sensed set");
    map->alive = !remove_set(m, map->occupied);
}

// -------------------------------------------------------------------------------------------------- batches

typedef struct told {
    vn_voxel voxels[MOST];
    vn_dvec3 positions[MOST];
    uint8_t states[MOST];
    vn_sense_batch batch;
} told;

static void make_batch(vnt_model* m, told* t) {
    const vnt_map* map = &m->map;
    vni_rng* rng = &m->rng;
    const bool as_positions = vni_rng_below(rng, 2), one_state = vni_rng_below(rng, 3) == 0;
    t->batch = (vn_sense_batch){.occupied = map->occupied,
                                .unknown = map->unknown,
                                .states = one_state ? NULL : t->states,
                                .state = (vn_voxel_state)vni_rng_below(rng, 3),
                                .count = vni_rng_below(rng, vni_rng_below(rng, 2) ? MOST : 4)};
    for (uint32_t i = 0; i < t->batch.count; ++i) {
        const bool inside = vni_rng_below(rng, 20) != 0;
        t->voxels[i] = voxel_at(vni_rng_below(rng, VNT_MAP));
        t->voxels[i].y = inside ? t->voxels[i].y : vni_rng_below(rng, 2) ? -1 : VNT_MAP_Y;
        t->states[i] = (uint8_t)vni_rng_below(rng, 3);
        t->positions[i] = (vn_dvec3){(double)map->low.x + (t->voxels[i].x + 0.5) * (double)map->size,
                                     (double)map->low.y + (t->voxels[i].y + 0.5) * (double)map->size,
                                     (double)map->low.z + (t->voxels[i].z + 0.5) * (double)map->size};
    }

    if (as_positions)
        t->batch.positions = t->positions;
    else
        t->batch.voxels = t->voxels;
}

/// The batch in the array; returns how many entries lie outside.
static uint32_t note_batch(vnt_model* m, const told* t) {
    uint32_t outside = 0;
    for (uint32_t i = 0; i < t->batch.count; ++i) {
        const vn_voxel v = t->voxels[i];
        if (!is_inside(v)) {
            ++outside;
            continue;
        }

        m->map.states[v.x + VNT_MAP_X * (v.y + VNT_MAP_Y * v.z)] =
            t->batch.states != NULL ? t->states[i] : (uint8_t)t->batch.state;
    }

    return outside;
}

static void tell(vnt_model* m) {
    static told t;
    const uint32_t before = vnt_model_pending(m);
    uint32_t outside = UINT32_MAX;
    make_batch(m, &t);
    vnt_model_enter(m, "sense");
    const vn_status status = vn_nav_sense(m->nav, &t.batch, &outside, NULL);
    if (vnt_model_excused(m, status)) {
        vnt_model_check_refused(m, before);
        return;
    }

    VNT_REQUIRE(m, status == VN_OK);
    VNT_REQUIRE(m, outside == note_batch(m, &t));
    VNT_REQUIRE(m, vnt_model_pending(m) <= before + 2);
    m->revision += outside < t.batch.count;
    ++m->sensed;
}

void vnt_model_sense(vnt_model* m) {
    if (!m->map.alive)
        add_map(m);
    else if (vni_rng_below(&m->rng, 12) == 0)
        remove_map(m);
    else
        tell(m);
}

void vnt_model_sense_wrongly(vnt_model* m) {
    static told t;
    vn_status must = VN_STALE_ID;
    make_batch(m, &t);
    t.batch.count += t.batch.count == 0;
    if (!m->map.alive || m->map.unknown.index1 == 0) {
        t.batch.occupied = m->map.alive ? m->map.occupied : (vn_obstacle_id){0, 0};
        t.batch.unknown = (vn_obstacle_id){m->map.alive ? UINT32_MAX : 0, 1};
    } else {
        switch (vni_rng_below(&m->rng, 4)) {
        case 0: t.batch.unknown.generation += 1; break;
        case 1:
            t.batch.unknown = t.batch.occupied;
            must = VN_BAD_ARGUMENT;
            break;
        case 2:
            t.batch.voxels = NULL;
            t.positions[t.batch.count - 1].z = NAN;
            t.batch.positions = t.positions;
            must = VN_BAD_DATA;
            break;
        default:
            t.states[t.batch.count - 1] = 3;
            t.batch.states = t.states;
            must = VN_BAD_DATA;
            break;
        }
    }

    vnt_model_enter(m, "sense wrongly");
    const vn_status status = vn_nav_sense(m->nav, &t.batch, NULL, NULL);
    if (!vnt_model_excused(m, status))
        VNT_REQUIRE(m, status == must);
}
