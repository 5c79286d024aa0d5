/// sim/staging.c: the state of a scene, carried into a world or a nav.
#include <assert.h>
#include <string.h>

#include "sim/refuse.h"
#include "volnav/sim.h"

#define STAGING_COOKIE 0x73746701u

typedef struct staged {
    vn_mover_info info;
    vn_obstacle_id id; ///< null while it is not there
    vn_zone_id zone;
    vn_transform transform; ///< set last
    vn_vec3 velocity;
    vn_transform zone_transform;
} staged;

struct vn_staging {
    vn_staging_def def;
    uint32_t count;
    staged movers[]; ///< by mover
};

/// What a world and a nav can both do; one of the two is null.
typedef struct target {
    vn_world* world;
    vn_nav* nav;
    vn_detail* detail;
} target;

static vn_status add_static(const target* t, const vn_shape* shape, uint32_t flags, vn_obstacle_id* out) {
    if (t->nav != NULL) {
        return vn_nav_add(t->nav, shape, flags, out, t->detail);
    }

    const vn_status status = vn_world_add(t->world, shape, out, t->detail);
    return status == VN_OK ? vn_world_set_flags(t->world, *out, flags) : status;
}

static vn_status add_moving(const target* t, const vn_shape* shape, const vn_transform* at, uint32_t flags,
                            vn_obstacle_id* out) {
    if (t->nav != NULL) {
        return vn_nav_add_moving(t->nav, shape, at, flags, out, t->detail);
    }

    const vn_status status = vn_world_add_moving(t->world, shape, at, out, t->detail);
    return status == VN_OK ? vn_world_set_flags(t->world, *out, flags) : status;
}

static vn_status move(const target* t, vn_obstacle_id id, const vn_transform* at) {
    return t->nav != NULL ? vn_nav_move(t->nav, id, at, t->detail)
                          : vn_world_move(t->world, id, at, t->detail);
}

static vn_status set_velocity(const target* t, vn_obstacle_id id, vn_vec3 velocity) {
    return t->nav != NULL ? vn_nav_set_velocity(t->nav, id, velocity)
                          : vn_world_set_velocity(t->world, id, velocity);
}

static vn_status remove_obstacle(const target* t, vn_obstacle_id id) {
    return t->nav != NULL ? vn_nav_remove(t->nav, id) : vn_world_remove(t->world, id);
}

static vn_status add_zone(const target* t, const vn_zone_def* def, vn_zone_id* out) {
    return t->nav != NULL ? vn_nav_add_zone(t->nav, def, out, t->detail)
                          : vn_world_add_zone(t->world, def, out, t->detail);
}

static vn_status move_zone(const target* t, vn_zone_id id, const vn_transform* at) {
    return t->nav != NULL ? vn_nav_move_zone(t->nav, id, at, t->detail)
                          : vn_world_move_zone(t->world, id, at, t->detail);
}

static vn_status remove_zone(const target* t, vn_zone_id id) {
    return t->nav != NULL ? vn_nav_remove_zone(t->nav, id) : vn_world_remove_zone(t->world, id);
}

// ------------------------------------------------------------------------------------------------ making

vn_staging_def vn_default_staging_def(void) {
    return (vn_staging_def){.allocator = vn_default_allocator(), .cookie = STAGING_COOKIE};
}

static size_t size_of(uint32_t count) {
    return sizeof(vn_staging) + count * sizeof(staged);
}

vn_status vn_staging_create(const vn_staging_def* def, vn_staging** out) {
    assert(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != STAGING_COOKIE) {
        return VN_BAD_DEF;
    }

    const vn_allocator* a = &def->allocator;
    if (def->scene == NULL || a->alloc == NULL || a->resize == NULL || a->release == NULL) {
        return VN_BAD_ARGUMENT;
    }

    vn_moving_scene_info info;
    vn_moving_scene_get_info(def->scene, &info);
    vn_staging* s = a->alloc(a->user, size_of(info.movers));
    if (s == NULL) {
        return VN_OUT_OF_MEMORY;
    }

    memset(s, 0, size_of(info.movers));
    s->def = *def;
    s->count = info.movers;
    for (uint32_t i = 0; i < s->count; ++i) {
        vn_moving_scene_get_mover(def->scene, i, &s->movers[i].info);
    }

    *out = s;
    return VN_OK;
}

void vn_staging_destroy(vn_staging* staging) {
    if (staging != NULL) {
        const vn_allocator a = staging->def.allocator;
        a.release(a.user, staging, size_of(staging->count));
    }
}

vn_obstacle_id vn_staging_obstacle(const vn_staging* staging, uint32_t index) {
    assert(staging != NULL && index < staging->count);
    return staging->movers[index].id;
}

// --------------------------------------------------------------------------------------------- one frame

static bool same_place(const vn_transform* a, const vn_transform* b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/// A still mover as a static obstacle: its shape where it stands.
static vn_shape shifted(vn_shape shape, vn_vec3 by) {
    if (shape.kind == VN_SHAPE_SPHERE) {
        shape.as.sphere.center = by;
    } else {
        const vn_box b = shape.as.box;
        shape.as.box = (vn_box){{b.min.x + by.x, b.min.y + by.y, b.min.z + by.z},
                                {b.max.x + by.x, b.max.y + by.y, b.max.z + by.z}};
    }

    return shape;
}

static vn_status appear(const vn_staging* s, staged* m, const target* t, const vn_mover_state* state) {
    const vn_shape* shape = s->def.planning ? &m->info.planning : &m->info.shape;
    vn_obstacle_id id = {0, 0};
    vn_status status;
    if (m->info.kind == VN_MOTION_STILL) {
        const vn_shape standing = shifted(*shape, state->transform.position);
        status = add_static(t, &standing, s->def.flags, &id);
    } else {
        status = add_moving(t, shape, &state->transform, s->def.flags, &id);
    }

    if (status == VN_OK) {
        m->id = id;
        m->transform = state->transform;
        m->velocity = (vn_vec3){0, 0, 0};
    }

    return status;
}

static vn_status bring(const vn_staging* s, staged* m, const target* t, const vn_mover_state* state) {
    const bool there = m->id.index1 != 0;
    vn_status status = VN_OK;
    if (!state->present) {
        if (there) {
            status = remove_obstacle(t, m->id);
            m->id = (vn_obstacle_id){0, 0};
        }
        return status;
    }

    if (!there) {
        status = appear(s, m, t, state);
    } else if (!same_place(&m->transform, &state->transform)) {
        status = move(t, m->id, &state->transform);
        m->transform = status == VN_OK ? state->transform : m->transform;
    }

    const vn_vec3 v = state->velocity, old = m->velocity;
    if (status == VN_OK && (v.x != old.x || v.y != old.y || v.z != old.z)) {
        status = set_velocity(t, m->id, v);
        m->velocity = status == VN_OK ? v : old;
    }

    return status;
}

static vn_status bring_zone(staged* m, const target* t, const vn_mover_state* state) {
    const bool there = m->zone.index1 != 0;
    vn_status status = VN_OK;
    if (!state->present) {
        if (there) {
            status = remove_zone(t, m->zone);
            m->zone = (vn_zone_id){0, 0};
        }
        return status;
    }

    if (there && !same_place(&m->zone_transform, &state->transform)) {
        status = move_zone(t, m->zone, &state->transform);
    } else if (!there) {
        vn_zone_def def = vn_default_zone_def();
        def.shape = (vn_shape){.kind = VN_SHAPE_SPHERE, .as.sphere = {{0, 0, 0}, m->info.influence}};
        def.transform = state->transform;
        def.factor = m->info.influence_factor;
        vn_zone_id id = {0, 0};
        status = add_zone(t, &def, &id);
        m->zone = status == VN_OK ? id : m->zone;
    }

    m->zone_transform = status == VN_OK ? state->transform : m->zone_transform;
    return status;
}

static vn_status stage(vn_staging* s, const target* t, double seconds, const vn_blinkers* blinkers) {
    for (uint32_t i = 0; i < s->count; ++i) {
        staged* m = &s->movers[i];
        vn_mover_state state;
        vn_status status = vn_moving_scene_get_state(s->def.scene, i, seconds, blinkers, &state);
        if (status != VN_OK) {
            return vni_refuse(t->detail, status, i, "the time is not in 0 to VN_MAX_SCENE_SECONDS");
        }

        status = bring(s, m, t, &state);
        if (status == VN_OK && m->info.influence > 0 && !s->def.no_zones) {
            status = bring_zone(m, t, &state);
        }

        if (status == VN_STALE_ID) { // the only one that comes without a detail
            return vni_refuse(t->detail, status, i, "this mover or its zone was removed by something else");
        }

        if (status != VN_OK) {
            return status;
        }
    }

    return VN_OK;
}

vn_status vn_staging_to_world(vn_staging* staging, vn_world* world, double seconds,
                              const vn_blinkers* blinkers, vn_detail* detail) {
    assert(staging != NULL && world != NULL);
    return stage(staging, &(target){.world = world, .detail = detail}, seconds, blinkers);
}

vn_status vn_staging_to_nav(vn_staging* staging, vn_nav* nav, double seconds, const vn_blinkers* blinkers,
                            vn_detail* detail) {
    assert(staging != NULL && nav != NULL);
    return stage(staging, &(target){.nav = nav, .detail = detail}, seconds, blinkers);
}
