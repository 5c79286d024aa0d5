/// agent/layers.c: the layers that agents use, in the newest version; the query over them; and what moves.
#include "agent/crowd_inside.h"
#include "base/fail.h"
#include "cells/cells.h"
#include "query/versions.h"
#include "space/space.h"

#include <string.h>

// --------------------------------------------------------------------------------------------------- layers

vn_status vni_crowd_use_layer(vn_crowd* crowd, float radius, uint32_t open_flags, uint32_t* out,
                              vn_detail* detail) {
    for (uint32_t i = 0; i < crowd->layer_count; ++i)
        if (crowd->layers[i].radius == radius && crowd->layers[i].open_flags == open_flags) {
            *out = i;
            return VN_OK;
        }

    vni_crowd_layer* layer = &crowd->layers[crowd->layer_count];
    if (crowd->layer_count == sizeof crowd->layers / sizeof *crowd->layers)
        return vni_fail(detail, VN_CAPACITY, "agents of more than %u sizes and flags",
                        (unsigned)crowd->layer_count);

    *layer = (vni_crowd_layer){.radius = radius, .open_flags = open_flags};
    layer->space = vn_nav_pin(crowd->nav, (double)radius, open_flags, &layer->version);
    if (layer->space == NULL)
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the nav has no layer for a radius of %g that opens the flags 0x%x: add one to "
                        "vn_nav_def.layers",
                        (double)radius, (unsigned)open_flags);

    *out = crowd->layer_count++;
    return VN_OK;
}

/// The walls of an agent in the version that it sees now. Where it stands in what has become a wall, it waits
/// until that has gone: nothing is to be done about it here.
static void give_walls(vn_crowd* crowd) {
    for (uint32_t i = 0; i < crowd->slots; ++i)
        if (crowd->agents[i].alive)
            (void)vn_avoid_set_space(crowd->avoid, crowd->agents[i].id,
                                     vni_agent_walls(crowd, &crowd->agents[i]));
}

void vni_crowd_refresh_layers(vn_crowd* crowd) {
    uint64_t old[2 * VN_MAX_LAYERS];
    crowd->is_new = false;
    for (uint32_t i = 0; i < crowd->layer_count; ++i) {
        vni_crowd_layer* layer = &crowd->layers[i];
        old[i] = layer->version;
        layer->space = vn_nav_pin(crowd->nav, (double)layer->radius, layer->open_flags, &layer->version);
        VNI_ASSERT(layer->space != NULL); // layers do not go
        crowd->is_new = crowd->is_new || layer->version != old[i];
    }

    if (crowd->is_new)
        give_walls(crowd);

    // Last: until now the old walls may have been read.
    for (uint32_t i = 0; i < crowd->layer_count; ++i)
        (void)vn_nav_unpin(crowd->nav, old[i]);
}

void vni_crowd_release_layers(vn_crowd* crowd) {
    for (uint32_t i = 0; i < crowd->layer_count; ++i)
        (void)vn_nav_unpin(crowd->nav, crowd->layers[i].version);
    crowd->layer_count = 0;
}

// ---------------------------------------------------------------------------------------------------- query

static vn_status make_query(vn_crowd* crowd) {
    vn_query_def def = vn_default_query_def();
    def.allocator = crowd->def.allocator;
    def.scratch = VN_SCRATCH_CELLS;
    vn_query_destroy(crowd->query);
    crowd->query = NULL;

    // An eighth to spare: a world that changes does not replace the query at every version.
    const uint32_t cells = vni_cells_count(&crowd->view.spaces[0]->cells);
    return vni_query_create_spare(&crowd->view, &def, cells / 8 + 4096, &crowd->query, NULL);
}

vn_status vni_crowd_use_query(vn_crowd* crowd, uint32_t layer) {
    const vni_crowd_layer* now = &crowd->layers[layer];
    if (crowd->query != NULL && crowd->view.spaces[0] == now->space && crowd->in_query == now->version)
        return VN_OK;

    crowd->view.count = 1;
    crowd->view.spaces[0] = (vn_space*)(uintptr_t)now->space; // a query only reads it
    vn_status status = crowd->query != NULL ? vni_query_use_layers(crowd->query, &crowd->view) : VN_CAPACITY;
    if (status == VN_CAPACITY)
        status = make_query(crowd);

    const vn_zone* zones;
    uint32_t count;
    crowd->in_query = status == VN_OK ? now->version : 0;
    if (status == VN_OK && vn_nav_get_zones(crowd->nav, now->version, &zones, &count) == VN_OK)
        vni_query_use_zones(crowd->query, zones, count);
    return status;
}

// --------------------------------------------------------------------------------------------------- movers

/// A sphere is a ball; any other shape is the box around it, which turns along.
static vn_avoid_obstacle body_of(const vn_nav_mover* mover, vn_dvec3 origin, const vn_crowd_def* def) {
    const vn_transform* t = &mover->transform;
    const vni_vec low = vni_v_from(mover->bounds.min), high = vni_v_from(mover->bounds.max);
    const vni_vec half = vni_scale(vni_sub(high, low), 0.5 * (double)t->scale);
    const vni_vec centre = vni_scale(vni_add(high, low), 0.5 * (double)t->scale);

    // v' = v + 2 q x (q x v + w v)
    const vni_vec q = vni_v((double)t->rotation.x, (double)t->rotation.y, (double)t->rotation.z);
    const vni_vec inner = vni_add(vni_cross(q, centre), vni_scale(centre, (double)t->rotation.w));
    const vni_vec at = vni_add(vni_add(centre, vni_scale(vni_cross(q, inner), 2)), vni_v_from(t->position));

    vn_avoid_obstacle body = {.rotation = t->rotation, .velocity = mover->velocity};
    body.position = (vn_dvec3){origin.x + at.x, origin.y + at.y, origin.z + at.z};
    body.has_velocity = mover->velocity.x != 0 || mover->velocity.y != 0 || mover->velocity.z != 0;
    body.radius = def->mover_margin;
    body.may_reverse = def->movers_reverse;
    if (mover->kind == VN_SHAPE_SPHERE)
        body.radius += (float)half.x;
    else
        body.half = (vn_vec3){(float)half.x, (float)half.y, (float)half.z};
    return body;
}

static vni_mover* find_mover(vn_crowd* crowd, vn_obstacle_id id) {
    for (uint32_t i = 0; i < crowd->mover_count; ++i)
        if (crowd->movers[i].id.index1 == id.index1 && crowd->movers[i].id.generation == id.generation)
            return &crowd->movers[i];
    return NULL;
}

/// Movers come in the order of their slots, as the list has them: mostly the next one is the one.
static vni_mover* next_mover(vn_crowd* crowd, uint32_t* guess, vn_obstacle_id id) {
    vni_mover* mover = *guess < crowd->mover_count ? &crowd->movers[*guess] : NULL;
    if (mover == NULL || mover->id.index1 != id.index1 || mover->id.generation != id.generation)
        mover = find_mover(crowd, id);
    if (mover != NULL)
        *guess = (uint32_t)(mover - crowd->movers) + 1;
    return mover;
}

static void put_mover(vn_crowd* crowd, uint32_t* guess, const vn_nav_mover* mover, vn_dvec3 origin) {
    const vn_avoid_obstacle body = body_of(mover, origin, &crowd->def);
    vni_mover* known = next_mover(crowd, guess, mover->id);
    if (known != NULL) {
        known->seen = true;
        (void)vn_avoid_move_obstacle(crowd->avoid, known->body, &body);
        return;
    }

    vni_mover* added = &crowd->movers[crowd->mover_count];
    if (crowd->mover_count < crowd->def.max_movers &&
        vn_avoid_add_obstacle(crowd->avoid, &body, &added->body, NULL) == VN_OK) {
        added->id = mover->id;
        added->seen = true;
        ++crowd->mover_count;
    }
}

void vni_crowd_look_at_movers(vn_crowd* crowd) {
    if (crowd->def.mover_flags == 0 || crowd->layer_count == 0)
        return;

    vn_nav_mover mover;
    uint32_t guess = 0, kept = 0;
    for (uint32_t i = 0; i < crowd->mover_count; ++i)
        crowd->movers[i].seen = false;
    for (uint32_t at = 0; vn_nav_next_mover(crowd->nav, &at, &mover);)
        if (mover.flags & crowd->def.mover_flags)
            put_mover(crowd, &guess, &mover, crowd->layers[0].space->origin);

    for (uint32_t i = 0; i < crowd->mover_count; ++i) {
        if (crowd->movers[i].seen)
            crowd->movers[kept++] = crowd->movers[i];
        else
            (void)vn_avoid_remove_obstacle(crowd->avoid, crowd->movers[i].body);
    }
    crowd->mover_count = kept;
}
