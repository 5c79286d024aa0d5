/// world/world.c: adds, moves and removes obstacles, keeping records, tree and journal in step.
#include "world/world.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "world/build.h"
#include "world/moving.h"
#include <string.h>

#define WORLD_COOKIE 0x776f726cu

vn_world_def vn_default_world_def(void) {
    vn_world_def def = {.allocator = vn_default_allocator(), .cookie = WORLD_COOKIE};
    return def;
}

vn_status vn_world_create(const vn_world_def* def, vn_world** out) {
    VNI_ASSERT(def != NULL && out != NULL);

    *out = NULL;
    if (def->cookie != WORLD_COOKIE)
        return VN_BAD_DEF;
    if (!vni_allocator_is_valid(&def->allocator))
        return VN_BAD_ARGUMENT;
    if (!vni_is_finite(def->origin.x) || !vni_is_finite(def->origin.y) || !vni_is_finite(def->origin.z))
        return VN_BAD_ARGUMENT;

    vn_world* world = VNI_NEW(&def->allocator, vn_world);
    if (world == NULL)
        return VN_OUT_OF_MEMORY;

    world->allocator = def->allocator;
    world->origin = def->origin;
    world->ids = vni_idpool_make(&world->allocator);
    world->tree = vni_tree_make(&world->allocator);
    vni_zone_table_make(&world->zones, &world->allocator);
    *out = world;

    return VN_OK;
}

void vn_world_destroy(vn_world* world) {
    if (world == NULL)
        return;
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        if (world->obstacles[slot].alive)
            vni_obstacle_free(&world->allocator, &world->obstacles[slot]);
    }

    VNI_DELETE_ARRAY(&world->allocator, world->obstacles, world->capacity);
    vni_idpool_destroy(&world->ids);
    vni_tree_destroy(&world->tree);
    vni_journal_free(&world->journal, &world->allocator);
    vni_zone_table_free(&world->zones);
    vn_allocator allocator = world->allocator;
    VNI_DELETE(&allocator, world);
}

// --------------------------------------------------------------------------------------- adding, removing

/// Notes the state of a slot just before it changes.
static void note_change(vn_world* world, uint32_t slot) {
    const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
    vni_journal_note(&world->journal, slot, obstacle != NULL ? &obstacle->info.bounds : NULL,
                     obstacle != NULL && obstacle->motion != NULL);
    ++world->revision;
}

/// Makes capacity for one more slot; new records are dead.
static bool reserve_record(vn_world* world) {
    uint64_t before = world->capacity;
    uint64_t need = (uint64_t)vni_world_slots(world) + 1;
    if (!vni_journal_reserve(&world->journal, &world->allocator, need))
        return false;
    if (need <= before)
        return true;
    if (!vni_grow(&world->allocator, &world->obstacles, &world->capacity, need, sizeof *world->obstacles))
        return false;

    memset(world->obstacles + before, 0, (size_t)(world->capacity - before) * sizeof *world->obstacles);
    return true;
}

/// Gives the record a slot and a leaf of the tree; false if memory runs out. The id is taken last of all that
/// may fail: an id taken and returned would advance the slot's generation, and ids that nav has promised to
/// its callers would not be the ones that they get.
static bool put(vn_world* world, const vni_obstacle* made, vn_obstacle_id* id) {
    uint32_t slot, generation, leaf;
    if (!reserve_record(world) || !vni_tree_reserve(&world->tree) ||
        !vni_idpool_take(&world->ids, &slot, &generation))
        return false;

    VNI_ASSERT(slot < world->capacity && !world->obstacles[slot].alive);

    bool hangs = vni_tree_insert(&world->tree, &made->info.bounds, slot, &leaf);
    VNI_ASSERT(hangs); // reserved

    (void)hangs;

    note_change(world, slot);
    world->obstacles[slot] = *made;
    world->obstacles[slot].leaf = leaf;
    *id = (vn_obstacle_id){slot + 1, generation};
    return true;
}

static vn_status make(const vn_allocator* allocator, const vn_shape* shape, const vn_transform* at,
                      vni_obstacle* out, vn_detail* detail) {
    return at != NULL ? vni_moving_make(allocator, shape, at, out, detail)
                      : vni_obstacle_make(allocator, shape, out, detail);
}

static vn_status add(vn_world* world, const vn_shape* shape, const vn_transform* at, vn_obstacle_id* out,
                     vn_detail* detail) {
    vni_obstacle made;
    vn_obstacle_id id;
    vn_status status = make(&world->allocator, shape, at, &made, detail);
    if (status != VN_OK)
        return status;

    if (!put(world, &made, &id)) {
        vni_obstacle_free(&world->allocator, &made);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for obstacle number %u",
                        (unsigned)world->ids.live + 1);
    }

    if (out != NULL)
        *out = id;

    return VN_OK;
}

vn_status vn_world_add(vn_world* world, const vn_shape* shape, vn_obstacle_id* out, vn_detail* detail) {
    VNI_ASSERT(world != NULL && shape != NULL);
    return add(world, shape, NULL, out, detail);
}

vn_status vn_world_add_moving(vn_world* world, const vn_shape* shape, const vn_transform* at,
                              vn_obstacle_id* out, vn_detail* detail) {
    VNI_ASSERT(world != NULL && shape != NULL && at != NULL);
    return add(world, shape, at, out, detail);
}

vn_status vni_record_make(const vn_allocator* allocator, const vn_shape* shape, const vn_transform* transform,
                          uint32_t flags, vni_obstacle** out, vn_detail* detail) {
    vni_obstacle* record = VNI_NEW(allocator, vni_obstacle);
    if (record == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for one more obstacle");

    vn_status status = make(allocator, shape, transform, record, detail);
    if (status != VN_OK) {
        VNI_DELETE(allocator, record);
        return status;
    }

    record->info.flags = flags;
    *out = record;
    return VN_OK;
}

void vni_record_free(const vn_allocator* allocator, vni_obstacle* record) {
    if (record == NULL)
        return;
    vni_obstacle_free(allocator, record);
    VNI_DELETE(allocator, record);
}

size_t vni_record_bytes(const vni_obstacle* record) {
    return sizeof *record + vni_obstacle_bytes(record);
}

bool vni_world_put(vn_world* world, vni_obstacle* record, vn_obstacle_id* out) {
    VNI_ASSERT(world != NULL && record != NULL && out != NULL);
    if (!put(world, record, out))
        return false;
    VNI_DELETE(&world->allocator, record);
    return true;
}

vn_status vn_world_remove(vn_world* world, vn_obstacle_id id) {
    VNI_ASSERT(world != NULL);

    if (!vn_world_has(world, id))
        return VN_STALE_ID;
    uint32_t slot = id.index1 - 1;
    vni_obstacle* obstacle = &world->obstacles[slot];
    note_change(world, slot);
    vni_tree_remove(&world->tree, obstacle->leaf);
    vni_obstacle_free(&world->allocator, obstacle);
    vni_idpool_give(&world->ids, slot, id.generation);

    return VN_OK;
}

vn_status vn_world_set_flags(vn_world* world, vn_obstacle_id id, uint32_t flags) {
    if (!vn_world_has(world, id))
        return VN_STALE_ID;
    uint32_t slot = id.index1 - 1;
    if (world->obstacles[slot].info.flags == flags)
        return VN_OK;

    note_change(world, slot);
    world->obstacles[slot].info.flags = flags;
    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- moving

/// The obstacle of an id. VN_STALE_ID; VN_UNSUPPORTED if it is static.
static vn_status find_moving(const vn_world* world, vn_obstacle_id id, vni_obstacle** out) {
    if (!vn_world_has(world, id))
        return VN_STALE_ID;
    *out = &world->obstacles[id.index1 - 1];
    return (*out)->motion != NULL ? VN_OK : VN_UNSUPPORTED;
}

/// Moves a leaf to its new bounds. Allocates nothing: the insertion reuses the two nodes that the removal
/// frees.
static void reinsert(vn_world* world, vni_obstacle* obstacle, uint32_t slot) {
    vni_tree_remove(&world->tree, obstacle->leaf);
    bool hangs = vni_tree_insert(&world->tree, &obstacle->info.bounds, slot, &obstacle->leaf);
    VNI_ASSERT(hangs);
    (void)hangs;
}

vn_status vn_world_move(vn_world* world, vn_obstacle_id id, const vn_transform* at, vn_detail* detail) {
    VNI_ASSERT(world != NULL && at != NULL);

    vni_obstacle* obstacle;
    vn_status status = find_moving(world, id, &obstacle);
    if (status == VN_STALE_ID)
        return vni_fail(detail, status, "there is no such obstacle any more");
    if (status != VN_OK)
        return vni_fail(detail, status, "the obstacle cannot move; add it with vn_world_add_moving");
    if (memcmp(at, &obstacle->motion->transform, sizeof *at) == 0)
        return VN_OK;

    vn_box before = obstacle->info.bounds;
    status = vni_moving_set_transform(obstacle, at, detail);
    if (status != VN_OK)
        return status;

    // Noted only now, since a rejected transform is no change; `before` was kept for that.
    vni_journal_note(&world->journal, id.index1 - 1, &before, true);
    ++world->revision;
    if (memcmp(&before, &obstacle->info.bounds, sizeof before) != 0)
        reinsert(world, obstacle, id.index1 - 1);

    return VN_OK;
}

vn_status vn_world_get_transform(const vn_world* world, vn_obstacle_id id, vn_transform* out) {
    VNI_ASSERT(out != NULL);
    vni_obstacle* obstacle;
    vn_status status = find_moving(world, id, &obstacle);
    if (status == VN_OK)
        *out = obstacle->motion->transform;
    return status;
}

vn_status vn_world_set_velocity(vn_world* world, vn_obstacle_id id, vn_vec3 velocity) {
    vni_obstacle* obstacle;
    vn_status status = find_moving(world, id, &obstacle);
    if (status != VN_OK)
        return status;
    if (!vni_v_is_finite(vni_v_from(velocity)))
        return VN_BAD_ARGUMENT;

    obstacle->motion->velocity = velocity;
    ++world->revision;
    return VN_OK;
}

vn_status vn_world_get_velocity(const vn_world* world, vn_obstacle_id id, vn_vec3* out) {
    VNI_ASSERT(out != NULL);
    vni_obstacle* obstacle;
    vn_status status = find_moving(world, id, &obstacle);
    if (status == VN_OK)
        *out = obstacle->motion->velocity;
    return status;
}

uint64_t vn_world_revision(const vn_world* world) {
    VNI_ASSERT(world != NULL);
    return world->revision;
}

// ------------------------------------------------------------------------------------------------- reading

bool vn_world_has(const vn_world* world, vn_obstacle_id id) {
    VNI_ASSERT(world != NULL);
    return id.index1 != 0 && vni_idpool_has(&world->ids, id.index1 - 1, id.generation);
}

vn_status vn_world_get_info(const vn_world* world, vn_obstacle_id id, vn_obstacle_info* out) {
    VNI_ASSERT(out != NULL);
    if (!vn_world_has(world, id))
        return VN_STALE_ID;
    *out = world->obstacles[id.index1 - 1].info;
    return VN_OK;
}

uint32_t vn_world_count(const vn_world* world) {
    return world->ids.live;
}

bool vn_world_get_bounds(const vn_world* world, vn_box* out) {
    VNI_ASSERT(world != NULL && out != NULL);
    if (vni_tree_bounds(&world->tree, out))
        return true;
    *out = (vn_box){0};
    return false;
}

vn_dvec3 vn_world_origin(const vn_world* world) {
    return world->origin;
}

// -------------------------------------------------------------------------------------------- query by box

/// The lowest slots found so far, as a heap in the caller's array with the highest on top: the result is the
/// same however the tree happens to be shaped, without memory for all that is found.
typedef struct lowest {
    const vn_world* world;
    vn_obstacle_id* heap;
    uint32_t held, capacity, found;
} lowest;

/// Heap order among the first `count`: sinks `id` from `at`.
static void sift_down(vn_obstacle_id* heap, uint32_t count, uint32_t at, vn_obstacle_id id) {
    for (;;) {
        uint64_t child = 2 * (uint64_t)at + 1;
        if (child >= count)
            break;

        if (child + 1 < count && heap[child + 1].index1 > heap[child].index1)
            ++child;

        if (heap[child].index1 <= id.index1)
            break;
        heap[at] = heap[child];
        at = (uint32_t)child;
    }

    heap[at] = id;
}

static void sift_up(vn_obstacle_id* heap, uint32_t at, vn_obstacle_id id) {
    while (at > 0 && heap[(at - 1) / 2].index1 < id.index1) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = id;
}

static bool keep_lowest(void* user, uint32_t slot) {
    lowest* kept = user;
    vn_obstacle_id id = vni_world_id(kept->world, slot);
    VNI_ASSERT(vn_world_has(kept->world, id));

    ++kept->found;
    if (kept->held < kept->capacity)
        sift_up(kept->heap, kept->held++, id);
    else if (kept->capacity > 0 && id.index1 < kept->heap[0].index1)
        sift_down(kept->heap, kept->held, 0, id);

    return true;
}

static void sort_heap(vn_obstacle_id* heap, uint32_t count) {
    while (count > 1) {
        vn_obstacle_id last = heap[--count];
        heap[count] = heap[0];
        sift_down(heap, count, 0, last);
    }
}

vn_status vn_world_query_box(const vn_world* world, const vn_box* box, vn_obstacle_id* out, uint32_t capacity,
                             uint32_t* count) {
    VNI_ASSERT(world != NULL && box != NULL && count != NULL && (out != NULL || capacity == 0));

    *count = 0;
    if (!(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z))
        return VN_BAD_ARGUMENT;

    lowest kept = {.world = world, .heap = out, .capacity = capacity};
    vni_tree_query(&world->tree, box, keep_lowest, &kept);
    sort_heap(out, kept.held);
    *count = kept.found;
    return kept.found > kept.held ? VN_CAPACITY : VN_OK;
}

// ------------------------------------------------------------------------------------------------- memory

void vn_world_get_memory(const vn_world* world, vn_memory* out) {
    VNI_ASSERT(world != NULL && out != NULL);

    size_t hulls = 0, meshes = 0, voxels = 0, moving = 0;
    for (uint32_t slot = 0; slot < vni_world_slots(world); ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle == NULL)
            continue;

        size_t bytes = vni_obstacle_bytes(obstacle);
        if (obstacle->motion != NULL) {
            moving += bytes;
            continue;
        }

        hulls += obstacle->info.kind == VN_SHAPE_HULL ? bytes : 0;
        meshes += obstacle->info.kind == VN_SHAPE_MESH ? bytes : 0;
        voxels += obstacle->info.kind == VN_SHAPE_VOXELS ? bytes : 0;
    }

    memset(out, 0, sizeof *out);
    vni_memory_add(out, "world", sizeof *world);
    vni_memory_add(out, "ids", vni_idpool_bytes(&world->ids));
    vni_memory_add(out, "records", (size_t)world->capacity * sizeof *world->obstacles);
    vni_memory_add(out, "tree", vni_tree_bytes(&world->tree));
    vni_memory_add(out, "hulls", hulls);
    vni_memory_add(out, "meshes", meshes);
    vni_memory_add(out, "voxels", voxels);
    vni_memory_add(out, "moving", moving);
    vni_memory_add(out, "journal", vni_journal_bytes(&world->journal));
    vni_memory_add(out, "zones", vni_zone_table_bytes(&world->zones));
}
