/// classic/roadmap.c: the life of a roadmap: its first version, and those that follow.
#include "base/alloc.h"
#include "base/fail.h"
#include "base/sort.h"
#include "classic/roadmap_inside.h"
#include "world/shape_copy.h"

#include <string.h>

#define ROADMAP_COOKIE 0x60ad3a91u

const char* vn_roadmap_kind_name(vn_roadmap_kind kind) {
    return kind == VN_ROADMAP_HYBRID ? "hybrid" : kind == VN_ROADMAP_WAYPOINTS ? "waypoints" : NULL;
}

// ----------------------------------------------------------------------------------------------------- areas

vn_status vn_area_create(const vn_allocator* allocator, const vn_space* space, vn_area** out,
                         vn_detail* detail) {
    VNI_ASSERT(allocator != NULL && space != NULL && out != NULL);
    *out = NULL;
    vn_area* area = VNI_NEW(allocator, vn_area);
    vn_status status = VN_OUT_OF_MEMORY;
    if (area != NULL)
        status = vni_area_make(allocator, &space->occupancy, &area->voxels, detail);
    if (status == VN_OK) {
        *out = area;
        return VN_OK;
    }

    if (area != NULL)
        VNI_DELETE(allocator, area);
    return vni_fail(detail, status, "no memory for a set of voxels");
}

void vn_area_destroy(vn_area* area) {
    if (area == NULL)
        return;
    const vn_allocator allocator = area->voxels.allocator;
    vni_area_free(&area->voxels);
    VNI_DELETE(&allocator, area);
}

void vn_area_add_box(vn_area* area, vn_voxel low, vn_voxel high) {
    VNI_ASSERT(area != NULL);
    vni_area_add_box(&area->voxels, low, high);
}

static bool is_same_size(const int32_t dims[3], const vn_space* space) {
    return memcmp(dims, space->occupancy.dims, sizeof space->occupancy.dims) == 0;
}

vn_status vn_area_observe(vn_area* area, const vn_space* fixed, const vn_space* now) {
    VNI_ASSERT(area != NULL && fixed != NULL && now != NULL);
    if (!is_same_size(area->voxels.dims, fixed) || !is_same_size(area->voxels.dims, now))
        return VN_BAD_ARGUMENT;
    vni_area_add_blocked(&area->voxels, &fixed->occupancy, &now->occupancy);
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- versions

static void enter(vn_roadmap* roadmap) {
#if VOLNAV_THREADS
    vni_monitor_enter(roadmap->monitor);
#else
    (void)roadmap;
#endif
}

static void leave(vn_roadmap* roadmap) {
#if VOLNAV_THREADS
    vni_monitor_leave(roadmap->monitor);
#else
    (void)roadmap;
#endif
}

const vni_roadmap_version* vni_roadmap_pin(vn_roadmap* roadmap) {
    enter(roadmap);
    vni_roadmap_version* version = roadmap->newest;
    ++version->pins;
    leave(roadmap);
    return version;
}

void vni_roadmap_unpin(vn_roadmap* roadmap, const vni_roadmap_version* version) {
    // The version is one of the list's, whose pins and next alone change.
    enter(roadmap);
    vni_roadmap_version* at = roadmap->newest;
    while (at != version)
        at = at->next;
    VNI_ASSERT(at->pins > 0);
    --at->pins;
    leave(roadmap);
}

static void free_version(vn_roadmap* roadmap, vni_roadmap_version* version) {
    vni_hybrid_state_free(&version->hybrid);
    vni_waypoints_free(&version->waypoints);
    if (version->space != NULL)
        vn_space_destroy(version->space);
    VNI_DELETE(&roadmap->allocator, version);
}

/// With its own share of the space; null if memory runs out.
static vni_roadmap_version* make_version(vn_roadmap* roadmap, const vn_space* space, uint64_t number) {
    vni_roadmap_version* version = VNI_NEW(&roadmap->allocator, vni_roadmap_version);
    if (version == NULL)
        return NULL;
    version->number = number;
    version->space = vni_space_share(space, &roadmap->allocator);
    if (version->space == NULL) {
        VNI_DELETE(&roadmap->allocator, version);
        return NULL;
    }

    return version;
}

/// Old versions that no view has are taken from the list under the lock, and freed outside of it.
static void publish(vn_roadmap* roadmap, vni_roadmap_version* version) {
    vni_roadmap_version* unused = NULL;
    enter(roadmap);
    version->next = roadmap->newest;
    roadmap->newest = version;
    for (vni_roadmap_version** at = &version->next; *at != NULL;) {
        vni_roadmap_version* old = *at;
        if (old->pins > 0) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        old->next = unused;
        unused = old;
    }
    leave(roadmap);

    while (unused != NULL) {
        vni_roadmap_version* next = unused->next;
        free_version(roadmap, unused);
        unused = next;
    }
}

static void free_delta(const vn_allocator* allocator, vni_ring_item* item) {
    vni_roadmap_delta* delta = (vni_roadmap_delta*)item;
    vni_id_list_free(allocator, &delta->came);
    vni_id_list_free(allocator, &delta->went);
    vni_id_list_free(allocator, &delta->changed);
    VNI_DELETE_ARRAY(allocator, delta->bricks, delta->brick_capacity);
}

// ------------------------------------------------------------------------------------------------------ life

vn_roadmap_def vn_default_roadmap_def(void) {
    return (vn_roadmap_def){.allocator = vn_default_allocator(),
                            .history = 64,
                            .version = 1,
                            .spacing = 5,
                            .indirect = 1,
                            .cookie = ROADMAP_COOKIE};
}

static vn_status check_def(const vn_roadmap_def* def, vn_detail* detail) {
    if (def->cookie != ROADMAP_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "make the roadmap's def with vn_default_roadmap_def, then change what you mean");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if (def->history == 0 || def->version == 0)
        return vni_fail(detail, VN_BAD_ARGUMENT, "history and version are 1 or more");
    if (!(def->spacing > 0 && def->margin >= 0) || def->indirect < 1 || def->indirect > VNI_MAX_INDIRECT)
        return vni_fail(
            detail, VN_BAD_ARGUMENT,
            "waypoints have a spacing above 0, a margin of 0 or more, and 1 to %d indirect neighbours",
            VNI_MAX_INDIRECT);
    return VN_OK;
}

vn_status vni_roadmap_make(vn_roadmap_kind kind, const vn_roadmap_def* def, vn_roadmap** out,
                           vn_detail* detail) {
    vn_status status = check_def(def, detail);
    *out = NULL;
    if (status != VN_OK)
        return status;

    vn_roadmap* roadmap = VNI_NEW(&def->allocator, vn_roadmap);
    bool made = roadmap != NULL;
    if (made) {
        roadmap->allocator = def->allocator;
        roadmap->kind = kind;
#if VOLNAV_THREADS
        roadmap->monitor = vni_monitor_create(&def->allocator);
        made = roadmap->monitor != NULL;
#endif
    }

    made = made && vni_ring_make(&def->allocator, def->history, sizeof(vni_roadmap_delta), free_delta,
                                 &roadmap->deltas) == VN_OK;
    if (!made) {
        vn_roadmap_destroy(roadmap);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a roadmap");
    }

    *out = roadmap;
    return VN_OK;
}

void vn_roadmap_destroy(vn_roadmap* roadmap) {
    if (roadmap == NULL)
        return;
    const vn_allocator allocator = roadmap->allocator;
    while (roadmap->newest != NULL) {
        vni_roadmap_version* version = roadmap->newest;
        roadmap->newest = version->next;
        VNI_ASSERT(version->pins == 0);
        free_version(roadmap, version);
    }

    vni_hybrid_scratch_free(&roadmap->scratch);
    vni_hybrid_free(&roadmap->hybrid);
    if (roadmap->hybrid_delta.nodes != NULL)
        VNI_DELETE_ARRAY(&allocator, roadmap->hybrid_delta.nodes, roadmap->hybrid_delta.capacity);
    vni_waypoint_delta_free(&allocator, &roadmap->waypoint_delta);
    if (roadmap->sorted != NULL)
        VNI_DELETE_ARRAY(&allocator, roadmap->sorted, roadmap->sorted_capacity);
    if (roadmap->bricks != NULL)
        VNI_DELETE_ARRAY(&allocator, roadmap->bricks, roadmap->brick_capacity);
    vni_ring_free(&roadmap->deltas);
#if VOLNAV_THREADS
    if (roadmap->monitor != NULL)
        vni_monitor_destroy(&allocator, roadmap->monitor);
#endif
    VNI_DELETE(&allocator, roadmap);
}

vn_status vni_roadmap_begin(vn_roadmap* roadmap, const vn_space* space, uint64_t number,
                            vni_roadmap_fill* fill, void* user, vn_detail* detail) {
    vni_roadmap_version* version = make_version(roadmap, space, number);
    if (version == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a version of a roadmap");
    vni_brick_list none;
    const vn_status status = fill(roadmap, version, user, &none, detail);
    if (status == VN_OK)
        publish(roadmap, version);
    else
        free_version(roadmap, version);
    return status;
}

static vn_status fill_hybrid(vn_roadmap* roadmap, vni_roadmap_version* version, void* user,
                             vni_brick_list* bricks, vn_detail* detail) {
    (void)bricks;
    (void)user;
    return vni_hybrid_state_make(&roadmap->hybrid, &version->space->occupancy, &version->hybrid, detail);
}

vn_status vn_roadmap_create_hybrid(const vn_space* fixed, const vn_area* area, const vn_space* now,
                                   const vn_roadmap_def* def, vn_roadmap** out, vn_detail* detail) {
    VNI_ASSERT(fixed != NULL && area != NULL && now != NULL && def != NULL && out != NULL);
    *out = NULL;
    if (!is_same_size(area->voxels.dims, fixed) || !is_same_size(area->voxels.dims, now))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the two spaces and the area are not of one size");

    vn_roadmap* roadmap;
    vn_status status = vni_roadmap_make(VN_ROADMAP_HYBRID, def, &roadmap, detail);
    if (status != VN_OK)
        return status;
    status = vni_hybrid_make(&def->allocator, &fixed->occupancy, &area->voxels, def->progress,
                             def->progress_user, &roadmap->hybrid, detail);
    if (status == VN_OK)
        status = vni_hybrid_scratch_make(&def->allocator, &roadmap->hybrid, &roadmap->scratch, detail);
    if (status == VN_OK)
        status = vni_roadmap_begin(roadmap, now, def->version, fill_hybrid, NULL, detail);

    if (status == VN_OK)
        *out = roadmap;
    else
        vn_roadmap_destroy(roadmap);
    return status;
}

// ------------------------------------------------------------------------------------- obstacles of a world

/// All obstacles as changes: they came.
typedef struct listing {
    const vn_world* world;
    vn_obstacle_change* changes;
    vni_shape_copy** copies;
    uint64_t capacity;
    uint32_t count;
} listing;

static void free_listing(const vn_allocator* allocator, listing* l) {
    for (uint32_t i = 0; i < l->count; ++i)
        vni_shape_copy_release(allocator, l->copies[i]);
    if (l->changes != NULL)
        VNI_DELETE_ARRAY(allocator, l->changes, l->capacity);
    if (l->copies != NULL)
        VNI_DELETE_ARRAY(allocator, l->copies, l->capacity);
}

/// False if memory runs out.
static bool list_obstacles(const vn_allocator* allocator, const vn_world* world, listing* l) {
    const uint32_t slots = vni_world_slots(world);
    *l = (listing){.world = world, .capacity = slots};
    l->changes = VNI_NEW_ARRAY(allocator, vn_obstacle_change, slots);
    l->copies = (vni_shape_copy**)vni_alloc(allocator, slots, sizeof *l->copies);
    if (slots > 0 && (l->changes == NULL || l->copies == NULL))
        return false;

    for (uint32_t slot = 0; slot < slots; ++slot) {
        const vni_obstacle* obstacle = vni_world_obstacle(world, slot);
        if (obstacle == NULL)
            continue;
        vni_shape_copy* copy = vni_shape_copy_make(allocator, obstacle);
        if (copy == NULL)
            return false;
        l->copies[l->count] = copy;
        l->changes[l->count++] = (vn_obstacle_change){.id = vni_world_id(world, slot),
                                                      .is = true,
                                                      .moves = obstacle->motion != NULL,
                                                      .shape = &copy->shape,
                                                      .after = vni_obstacle_transform(obstacle),
                                                      .bounds_after = obstacle->info.bounds,
                                                      .flags_after = obstacle->info.flags};
    }

    return true;
}

static vn_status fill_waypoints(vn_roadmap* roadmap, vni_roadmap_version* version, void* user,
                                vni_brick_list* bricks, vn_detail* detail) {
    (void)bricks;
    const listing* l = (const listing*)user;
    return vni_waypoints_make(&roadmap->waypoints, version->space, l->changes, l->count, &version->waypoints,
                              detail);
}

vn_status vn_roadmap_create_waypoints(const vn_world* world, const vn_space* space, const vn_roadmap_def* def,
                                      vn_roadmap** out, vn_detail* detail) {
    VNI_ASSERT(world != NULL && space != NULL && def != NULL && out != NULL);
    *out = NULL;
    vn_roadmap* roadmap;
    vn_status status = vni_roadmap_make(VN_ROADMAP_WAYPOINTS, def, &roadmap, detail);
    if (status != VN_OK)
        return status;

    const double margin = def->margin > 0 ? (double)def->margin : 2 * (double)space->resolution;
    roadmap->waypoints = (vni_waypoints_def){.allocator = def->allocator,
                                             .radius = (double)space->radius,
                                             .margin = margin,
                                             .spacing = (double)def->spacing,
                                             .indirect = def->indirect};
    listing l;
    if (list_obstacles(&def->allocator, world, &l))
        status = vni_roadmap_begin(roadmap, space, def->version, fill_waypoints, &l, detail);
    else
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the obstacles of a world");
    free_listing(&def->allocator, &l);

    if (status == VN_OK)
        *out = roadmap;
    else
        vn_roadmap_destroy(roadmap);
    return status;
}

// ------------------------------------------------------------------------------------------------- following

static bool copy_ids(const vn_allocator* allocator, vni_id_list* list, const uint32_t* ids, uint32_t count,
                     uint32_t shift) {
    list->count = 0;
    if (!vni_grow(allocator, &list->items, &list->capacity, count, sizeof *list->items))
        return false;
    for (uint32_t i = 0; i < count; ++i)
        list->items[i] = ids[i] + shift;
    list->count = count;
    return true;
}

static bool copy_bricks(const vn_allocator* allocator, vni_roadmap_delta* delta, vni_brick_list bricks) {
    delta->brick_count = 0;
    if (!vni_grow(allocator, &delta->bricks, &delta->brick_capacity, bricks.count, sizeof *delta->bricks))
        return false;
    if (bricks.count > 0)
        memcpy(delta->bricks, bricks.items, bricks.count * sizeof *delta->bricks);
    delta->brick_count = bricks.count;
    return true;
}

/// Fills a record of the ring; false if memory runs out.
static bool record(vn_roadmap* roadmap, vni_brick_list bricks, vni_roadmap_delta* delta) {
    const vn_allocator* a = &roadmap->allocator;
    if (!copy_bricks(a, delta, bricks))
        return false;

    const vni_waypoint_delta* w = &roadmap->waypoint_delta;
    if (roadmap->kind == VN_ROADMAP_HYBRID) {
        delta->came.count = delta->went.count = 0;
        return copy_ids(a, &delta->changed, roadmap->hybrid_delta.nodes, roadmap->hybrid_delta.count,
                        VN_FIRST_NODE);
    }
    return copy_ids(a, &delta->came, w->came, w->came_count, 0) &&
           copy_ids(a, &delta->went, w->went, w->went_count, 0) &&
           copy_ids(a, &delta->changed, w->changed, w->changed_count, 0);
}

/// By slot; of one slot what went before what came.
static int compare_changes(const void* a, const void* b) {
    const vn_obstacle_change *x = (const vn_obstacle_change*)a, *y = (const vn_obstacle_change*)b;
    if (x->id.index1 != y->id.index1)
        return x->id.index1 < y->id.index1 ? -1 : 1;
    return x->is == y->is ? 0 : x->is ? 1 : -1;
}

static vn_status next_waypoints(vn_roadmap* roadmap, vni_roadmap_version* version, const vn_changes* changes,
                                vni_brick_list bricks, vn_detail* detail) {
    const uint32_t count = changes->obstacle_count;
    vn_obstacle_change spare;
    if (!vni_grow(&roadmap->allocator, &roadmap->sorted, &roadmap->sorted_capacity, count,
                  sizeof *roadmap->sorted))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u obstacles that changed", count);
    if (count > 0)
        memcpy(roadmap->sorted, changes->obstacles, count * sizeof *roadmap->sorted);
    vni_sort(roadmap->sorted, count, sizeof *roadmap->sorted, compare_changes, &spare);
    return vni_waypoints_next(&roadmap->newest->waypoints, version->space, roadmap->sorted, count,
                              bricks.items, bricks.count, &version->waypoints, &roadmap->waypoint_delta,
                              detail);
}

/// The bricks in which two spaces differ, by looking at all. False if memory runs out.
static bool compare_bricks(vn_roadmap* roadmap, const vni_occupancy* before, const vni_occupancy* after,
                           uint32_t* count) {
    *count = 0;
    for (int32_t z = 0; z < after->dims[2]; z += 4)
        for (int32_t y = 0; y < after->dims[1]; y += 4)
            for (int32_t x = 0; x < after->dims[0]; x += 4) {
                const vn_brick_change change = {
                    {x, y, z}, vni_occupancy_brick(before, x, y, z), vni_occupancy_brick(after, x, y, z)};
                if (change.before == change.after)
                    continue;
                if (!vni_grow(&roadmap->allocator, &roadmap->bricks, &roadmap->brick_capacity,
                              (uint64_t)*count + 1, sizeof *roadmap->bricks))
                    return false;
                roadmap->bricks[(*count)++] = change;
            }
    return true;
}

/// Those of the layer; without one, all are looked at. False if memory runs out.
static bool find_bricks(vn_roadmap* roadmap, const vn_layer_changes* layer, const vni_occupancy* now,
                        vni_brick_list* out) {
    if (layer != NULL) {
        *out = (vni_brick_list){layer->bricks, layer->brick_count};
        return true;
    }

    const bool found = compare_bricks(roadmap, &roadmap->newest->space->occupancy, now, &out->count);
    out->items = roadmap->bricks;
    return found;
}

static vn_status next_hybrid(vn_roadmap* roadmap, vni_roadmap_version* version, vni_brick_list bricks,
                             vn_detail* detail) {
    return vni_hybrid_state_next(&roadmap->newest->hybrid, &version->space->occupancy, bricks.items,
                                 bricks.count, &roadmap->scratch, &version->hybrid, &roadmap->hybrid_delta,
                                 detail);
}

vn_status vni_roadmap_check_next(const vn_roadmap* roadmap, const vn_space* space, uint64_t version,
                                 vn_detail* detail) {
    if (version <= roadmap->newest->number)
        return vni_fail(detail, VN_BAD_ARGUMENT, "version %llu is not above %llu, at which the roadmap is",
                        (unsigned long long)version, (unsigned long long)roadmap->newest->number);
    if (!is_same_size(roadmap->newest->space->occupancy.dims, space))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the space has another size: make a new roadmap");
    return VN_OK;
}

static vn_status check_follow(const vn_roadmap* roadmap, const vn_space* space, uint64_t version,
                              const vn_changes* changes, uint32_t layer, vn_detail* detail) {
    const vn_status status = vni_roadmap_check_next(roadmap, space, version, detail);
    if (status != VN_OK)
        return status;
    if (changes != NULL && layer >= changes->layer_count)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no layer %u", layer);
    if (changes != NULL && (changes->version <= roadmap->newest->number || changes->version > version))
        return vni_fail(detail, VN_BAD_ARGUMENT, "changes of version %llu do not lead from %llu to %llu",
                        (unsigned long long)changes->version, (unsigned long long)roadmap->newest->number,
                        (unsigned long long)version);
    if (roadmap->kind == VN_ROADMAP_WAYPOINTS &&
        (changes == NULL || version != roadmap->newest->number + 1 || changes->version != version))
        return vni_fail(
            detail, VN_STALE,
            "waypoints follow version by version, with the changes of each: the next is %llu. Make "
            "them anew",
            (unsigned long long)roadmap->newest->number + 1);
    if (changes != NULL && changes->version == version && version != roadmap->newest->number + 1)
        return vni_fail(detail, VN_STALE,
                        "the changes of version %llu come before those of %llu: give them first, or none at "
                        "all, so that everything is looked at",
                        (unsigned long long)roadmap->newest->number + 1, (unsigned long long)version);
    return VN_OK;
}

vn_status vni_roadmap_advance(vn_roadmap* roadmap, const vn_space* space, uint64_t version,
                              vni_roadmap_fill* fill, void* user, vn_detail* detail) {
    // Everything that can fail comes before anything that can be seen.
    vni_roadmap_version* next = make_version(roadmap, space, version);
    vni_ring_item* item = next != NULL ? vni_ring_take(&roadmap->deltas) : NULL;
    vn_status status =
        item != NULL ? VN_OK : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a version of a roadmap");
    vni_brick_list bricks = {0};
    if (status == VN_OK)
        status = fill(roadmap, next, user, &bricks, detail);
    if (status == VN_OK && !record(roadmap, bricks, (vni_roadmap_delta*)item))
        status = vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the changes of a roadmap");

    if (status != VN_OK) {
        if (item != NULL)
            vni_ring_put_back(&roadmap->deltas, item);
        if (next != NULL)
            free_version(roadmap, next);
        return status;
    }

    roadmap->left = roadmap->hybrid_delta.left;
    vni_ring_push(&roadmap->deltas, item, version);
    publish(roadmap, next);
    return VN_OK;
}

/// What vn_roadmap_follow was given.
typedef struct followed {
    const vn_changes* changes;
    uint32_t layer;
} followed;

static vn_status fill_next(vn_roadmap* roadmap, vni_roadmap_version* version, void* user,
                           vni_brick_list* bricks, vn_detail* detail) {
    const followed* f = (const followed*)user;
    const vn_layer_changes* layer = f->changes != NULL ? &f->changes->layers[f->layer] : NULL;
    if (!find_bricks(roadmap, layer, &version->space->occupancy, bricks))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to compare two versions of a space");
    return roadmap->kind == VN_ROADMAP_HYBRID ? next_hybrid(roadmap, version, *bricks, detail)
                                              : next_waypoints(roadmap, version, f->changes, *bricks, detail);
}

vn_status vn_roadmap_follow(vn_roadmap* roadmap, const vn_space* space, uint64_t version,
                            const vn_changes* changes, uint32_t layer, vn_detail* detail) {
    VNI_ASSERT(roadmap != NULL && space != NULL);
    followed f = {changes, layer};
    const vn_status status = check_follow(roadmap, space, version, changes, layer, detail);
    return status == VN_OK ? vni_roadmap_advance(roadmap, space, version, fill_next, &f, detail) : status;
}

vn_node_changes vni_roadmap_delta_nodes(const vni_roadmap_delta* delta) {
    return (vn_node_changes){.version = delta->item.version,
                             .came = delta->came.items,
                             .went = delta->went.items,
                             .changed = delta->changed.items,
                             .came_count = delta->came.count,
                             .went_count = delta->went.count,
                             .changed_count = delta->changed.count};
}

vn_status vn_roadmap_hold_changes(vn_roadmap* roadmap, uint64_t version, vn_held_changes* out) {
    VNI_ASSERT(roadmap != NULL && out != NULL);
    const vni_ring_item* item;
    *out = (vn_held_changes){0};
    const vn_status status = vni_ring_hold(&roadmap->deltas, version, &item);
    if (status != VN_OK)
        return status;

    out->held = item;
    out->nodes = vni_roadmap_delta_nodes((const vni_roadmap_delta*)item);
    return VN_OK;
}

void vn_roadmap_release_changes(vn_roadmap* roadmap, vn_held_changes* changes) {
    VNI_ASSERT(roadmap != NULL && changes != NULL);
    if (changes->held != NULL)
        vni_ring_release(&roadmap->deltas, (const vni_ring_item*)changes->held);
    *changes = (vn_held_changes){0};
}
