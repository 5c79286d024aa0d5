/// nav/bodies.c: obstacles that are the bodies of agents (VN_FLAG_BODY), as each version knows them.
///
/// A version keeps the footprint of every body, and for each voxel of it how many obstacles block it. A voxel
/// counts as free for an agent if as many of its own obstacles cover it: then no other one does.
#include "base/alloc.h"
#include "base/fail.h"
#include "nav/nav_inside.h"

#include <string.h>

// On the thread of the update.

static bool add_body(vn_nav* nav, vni_nav_bodies* out, uint32_t slot, uint32_t layer) {
    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_LAYERS);
    const vni_dynamic* dynamic = nav->fixed.dynamic[layer];
    const uint32_t count = dynamic != NULL ? vni_dynamic_own(dynamic, slot, NULL, 0) : 0;
    if (count == 0)
        return true;

    if (!vni_grow(allocator, &out->items, &out->item_capacity, (uint64_t)out->item_count + 1,
                  sizeof *out->items) ||
        !vni_grow(allocator, &out->bricks, &out->brick_capacity, (uint64_t)out->brick_count + count,
                  sizeof *out->bricks))
        return false;

    vni_nav_body* body = &out->items[out->item_count++];
    memset(body, 0, sizeof *body); // compared as bytes
    *body = (vni_nav_body){vni_world_id(nav->fixed.world, slot), layer, out->brick_count, count};
    vni_dynamic_own(dynamic, slot, out->bricks + out->brick_count, count);
    out->brick_count += count;
    return true;
}

bool vni_nav_bodies_find(vn_nav* nav) {
    vni_nav_bodies* out = &nav->update.bodies;
    const vn_world* world = nav->fixed.world;
    out->item_count = out->brick_count = 0;
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle == NULL || !(obstacle->info.flags & VN_FLAG_BODY))
            continue;
        for (uint32_t layer = 0; layer < nav->fixed.def.layer_count; ++layer)
            if (!add_body(nav, out, slot, layer))
                return false;
    }

    return true;
}

bool vni_nav_bodies_same(const vni_nav_bodies* a, const vni_nav_bodies* b) {
    if (a->item_count != b->item_count || a->brick_count != b->brick_count)
        return false;
    return a->item_count == 0 || (memcmp(a->items, b->items, a->item_count * sizeof *a->items) == 0 &&
                                  memcmp(a->bricks, b->bricks, a->brick_count * sizeof *a->bricks) == 0);
}

void vni_nav_bodies_put(vn_nav* nav, vni_nav_version* version) {
    const vni_nav_bodies swap = version->bodies;
    version->bodies = nav->update.bodies;
    nav->update.bodies = swap;
}

void vni_nav_bodies_free(const vn_nav* nav, vni_nav_bodies* bodies) {
    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_LAYERS);
    VNI_DELETE_ARRAY(allocator, bodies->items, bodies->item_capacity);
    VNI_DELETE_ARRAY(allocator, bodies->bricks, bodies->brick_capacity);
}

// ------------------------------------------------------------------------------------------------ one agent

vn_status vni_nav_check_inside(const vn_nav* nav, const vn_obstacle_id* ids, uint32_t count,
                               vn_detail* detail) {
    if (count > VN_MAX_INSIDE)
        return vni_fail(detail, VN_CAPACITY, "%u obstacles are named in `inside`; %d are possible",
                        (unsigned)count, VN_MAX_INSIDE);

    for (uint32_t i = 0; i < count; ++i) {
        if (!vn_nav_has(nav, ids[i]))
            return vni_fail_index(detail, VN_STALE_ID, i, "obstacle %u of `inside` does not exist any more",
                                  (unsigned)i);

        const vni_known* known = &nav->host.known[ids[i].index1 - 1];
        if (known->motion == NULL || !(known->flags & VN_FLAG_BODY))
            return vni_fail_index(detail, VN_UNSUPPORTED, i,
                                  "obstacle %u of `inside` is no body: add it with vn_nav_add_moving and "
                                  "VN_FLAG_BODY",
                                  (unsigned)i);
    }

    return VN_OK;
}

static const vni_own_brick* find_brick(const vni_own_brick* bricks, uint32_t count, uint64_t key) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (bricks[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }

    return low < count && bricks[low].key == key ? &bricks[low] : NULL;
}

static bool holds(const void* user, vn_voxel v) {
    const vni_nav_agent* agent = user;
    if (!vni_occupancy_inside(agent->occupancy, v.x, v.y, v.z))
        return false;

    const uint64_t key = vni_own_key(agent->occupancy, v);
    const uint32_t bit = vni_bit_of(v.x, v.y, v.z);
    uint32_t own = 0, all = 0;
    for (uint32_t i = 0; i < agent->count; ++i) {
        const vni_own_brick* brick = find_brick(agent->bricks[i], agent->brick_counts[i], key);
        if (brick == NULL || !(brick->bits >> bit & 1))
            continue;

        // The same number for each of them.
        all = 0;
        for (uint32_t k = 0; k < VNI_OWN_PLANES; ++k)
            all |= (uint32_t)(brick->counts[k] >> bit & 1) << k;
        ++own;
    }

    return own > 0 && own == all;
}

static bool is_named(const vn_obstacle_id* ids, uint32_t count, vn_obstacle_id id) {
    for (uint32_t i = 0; i < count; ++i)
        if (ids[i].index1 == id.index1 && ids[i].generation == id.generation)
            return true;
    return false;
}

const vni_body* vni_nav_agent_body(const vni_nav_version* version, const vn_space* space,
                                   const vn_obstacle_id* ids, uint32_t count, vni_nav_agent* out) {
    const vni_nav_bodies* bodies = &version->bodies;
    out->occupancy = &space->occupancy;
    out->body = (vni_body){holds, out};
    out->count = 0;
    for (uint32_t i = 0; count > 0 && i < bodies->item_count; ++i) {
        const vni_nav_body* body = &bodies->items[i];
        if (version->view.spaces[body->layer] != space || !is_named(ids, count, body->id))
            continue;
        out->bricks[out->count] = bodies->bricks + body->first;
        out->brick_counts[out->count++] = body->count;
    }

    return out->count > 0 ? &out->body : NULL;
}
