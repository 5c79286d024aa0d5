/// avoid/avoid.c: makes and frees a vn_avoid.
#include "avoid/avoid_inside.h"
#include "base/alloc.h"
#include "base/assert.h"
#include "base/fail.h"
#include "base/jobs.h"

#include <string.h>

#define COOKIE 0x61766f31u // "avo1"

vn_avoid_def vn_default_avoid_def(void) {
    return (vn_avoid_def){.allocator = vn_default_allocator(),
                          .jobs = vn_serial_jobs(),
                          .max_agents = 1024,
                          .max_obstacles = 64,
                          .max_straits = 64,
                          .mode = VN_AVOID_RECIPROCAL,
                          .neighbours = 10,
                          .reach = 4,
                          .horizon = 1.5f,
                          .wall_horizon = 0.3f,
                          .contact_time = 0.05f,
                          .refresh = 0.13f,
                          .bias = 0.35f,
                          .lane_width = 5,
                          .box_reach = 5,
                          .up = {0, 1, 0},
                          .cookie = COOKIE};
}

static bool is_positive(float x) {
    return x > 0 && vni_is_finite((double)x);
}

static bool is_not_negative(float x) {
    return x >= 0 && vni_is_finite((double)x);
}

static vn_status check_times(const vn_avoid_def* def, vn_detail* detail) {
    if (!is_positive(def->reach) || !is_positive(def->horizon) || !is_positive(def->wall_horizon) ||
        !is_positive(def->contact_time) || !is_positive(def->box_reach))
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "reach, horizon, wall_horizon, contact_time and box_reach must be above 0");
    if (!is_not_negative(def->refresh) || !is_not_negative(def->bias) || !is_not_negative(def->lane_width))
        return vni_fail(detail, VN_BAD_ARGUMENT, "refresh, bias and lane_width must be 0 or more");

    double up2 = vni_length2(vni_wide(def->up));
    if (!(up2 > 0.998 && up2 < 1.002))
        return vni_fail(detail, VN_BAD_ARGUMENT, "up must be a unit vector");
    return VN_OK;
}

static vn_status check_def(const vn_avoid_def* def, vn_detail* detail) {
    if (def->cookie != COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "make the def with vn_default_avoid_def()");
    if (!vni_allocator_is_valid(&def->allocator) || !vni_jobs_are_valid(&def->jobs))
        return vni_fail(detail, VN_BAD_ARGUMENT, "a function of the allocator or of the jobs is missing");
    if (def->max_agents < 1 || def->max_agents > 1u << 20 || def->max_obstacles > 1u << 16 ||
        def->max_straits > 4096)
        return vni_fail(detail, VN_BAD_ARGUMENT,
                        "give 1 to 2^20 agents, at most 2^16 obstacles and at most 4096 straits");
    if (def->neighbours < 1 || def->neighbours > VN_AVOID_MAX_NEIGHBOURS)
        return vni_fail(detail, VN_BAD_ARGUMENT, "neighbours is %u: give 1 to %u", (unsigned)def->neighbours,
                        (unsigned)VN_AVOID_MAX_NEIGHBOURS);
    if ((uint32_t)def->mode > VN_AVOID_NONE)
        return vni_fail(detail, VN_BAD_ARGUMENT, "mode %u does not exist", (unsigned)def->mode);
    return check_times(def, detail);
}

// ---------- memory

/// Each array with its element size and count; `visit` gets the address of the pointer.
typedef bool visit_array(vn_avoid* avoid, void* array, uint64_t count, size_t size);

#define ARRAYS(visit, avoid, agents, obstacles)                                                              \
    (visit(avoid, &(avoid)->bodies, agents, sizeof(vni_seen)) &&                                             \
     visit(avoid, &(avoid)->next, agents, sizeof(vni_seen)) &&                                               \
     visit(avoid, &(avoid)->limits, agents, sizeof(vni_limits)) &&                                           \
     visit(avoid, &(avoid)->boxes, agents, sizeof(vni_free_box)) &&                                          \
     visit(avoid, &(avoid)->spaces, agents, sizeof(vn_space*)) &&                                            \
     visit(avoid, &(avoid)->lists, (agents)*VN_AVOID_MAX_NEIGHBOURS, sizeof(uint32_t)) &&                    \
     visit(avoid, &(avoid)->obstacle_lists, (agents)*VNI_LISTED_OBSTACLES, sizeof(uint16_t)) &&              \
     visit(avoid, &(avoid)->list_counts, agents, 1) && visit(avoid, &(avoid)->obstacle_counts, agents, 1) && \
     visit(avoid, &(avoid)->turns, agents, sizeof(vni_turn)) &&                                              \
     visit(avoid, &(avoid)->live, agents, sizeof(uint32_t)) &&                                               \
     visit(avoid, &(avoid)->movers, obstacles, sizeof(vni_mover)) &&                                         \
     visit(avoid, &(avoid)->large, obstacles, sizeof(uint32_t)) &&                                           \
     visit(avoid, &(avoid)->straits, (avoid)->def.max_straits, sizeof(vni_strait)))

static bool take(vn_avoid* avoid, void* array, uint64_t count, size_t size) {
    void* block = vni_alloc_zero(&avoid->def.allocator, count, size);
    memcpy(array, &block, sizeof block);
    return block != NULL || count == 0;
}

static bool give(vn_avoid* avoid, void* array, uint64_t count, size_t size) {
    void* block;
    memcpy(&block, array, sizeof block);
    vni_free(&avoid->def.allocator, block, count, size);
    return true;
}

static bool each_array(vn_avoid* avoid, visit_array* visit) {
    const uint64_t agents = avoid->def.max_agents, obstacles = avoid->def.max_obstacles;
    return ARRAYS(visit, avoid, agents, obstacles);
}

static bool make_indices(vn_avoid* avoid) {
    const vn_allocator* from = &avoid->def.allocator;
    return vni_index_make(&avoid->agent_index, from, avoid->def.max_agents) &&
           vni_index_make(&avoid->obstacle_index, from, avoid->def.max_obstacles * VNI_OBSTACLE_CELLS);
}

vn_status vn_avoid_create(const vn_avoid_def* def, vn_avoid** out, vn_detail* detail) {
    VNI_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    vn_status status = check_def(def, detail);
    if (status != VN_OK)
        return status;

    vn_avoid* avoid = VNI_NEW(&def->allocator, vn_avoid);
    if (avoid == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for avoidance");
    avoid->def = *def;
    avoid->agent_ids = vni_idpool_make(&def->allocator);
    avoid->obstacle_ids = vni_idpool_make(&def->allocator);

    if (!each_array(avoid, take) || !make_indices(avoid)) {
        vn_avoid_destroy(avoid);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %u agents", (unsigned)def->max_agents);
    }

    *out = avoid;
    return VN_OK;
}

void vn_avoid_destroy(vn_avoid* avoid) {
    if (avoid == NULL)
        return;
    vn_allocator allocator = avoid->def.allocator;
    (void)each_array(avoid, give);
    vni_index_free(&avoid->agent_index, &allocator);
    vni_index_free(&avoid->obstacle_index, &allocator);
    vni_idpool_destroy(&avoid->agent_ids);
    vni_idpool_destroy(&avoid->obstacle_ids);
    VNI_DELETE(&allocator, avoid);
}

void vn_avoid_get_memory(const vn_avoid* avoid, vn_memory* out) {
    VNI_ASSERT(avoid != NULL && out != NULL);
    const size_t agents = avoid->def.max_agents, obstacles = avoid->def.max_obstacles;
    size_t lists = VN_AVOID_MAX_NEIGHBOURS * sizeof(uint32_t) + VNI_LISTED_OBSTACLES * sizeof(uint16_t) + 2;
    size_t agent = 2 * sizeof(vni_seen) + sizeof(vni_limits) + sizeof(vni_free_box) + sizeof(vn_space*) +
                   sizeof(vni_turn) + sizeof(uint32_t);
    *out = (vn_memory){0};
    vni_memory_add(out, "object", sizeof *avoid);
    vni_memory_add(out, "agents", agents * agent);
    vni_memory_add(out, "lists", agents * lists);
    vni_memory_add(out, "obstacles", obstacles * (sizeof(vni_mover) + sizeof(uint32_t)));
    vni_memory_add(out, "straits", avoid->def.max_straits * sizeof(vni_strait));
    vni_memory_add(out, "index",
                   vni_index_bytes(&avoid->agent_index) + vni_index_bytes(&avoid->obstacle_index));
    vni_memory_add(out, "ids", vni_idpool_bytes(&avoid->agent_ids) + vni_idpool_bytes(&avoid->obstacle_ids));
}
