/// run/rocks.c: the judge's list of rocks.
#include "run/rocks.h"
#include "run/run_inside.h"

#define NEAR  12.0 ///< rocks this near to a place are gathered, metres
#define DRIFT 4.0  ///< and used until the ship is farther than this from the place

static void put(const vni_run_rocks* r, void* block, size_t size) {
    if (block != NULL)
        r->allocator.release(r->allocator.user, block, r->count * size);
}

void vni_run_rocks_destroy(vni_run_rocks* rocks) {
    put(rocks, rocks->boxes, sizeof *rocks->boxes);
    put(rocks, rocks->near, sizeof *rocks->near);
    *rocks = (vni_run_rocks){0};
}

static vn_status take_boxes(const vn_world* world, const vn_box* all, vni_run_rocks* r, vn_obstacle_id* ids) {
    uint32_t count;
    vn_status status = vn_world_query_box(world, all, ids, r->count, &count);
    for (uint32_t i = 0; status == VN_OK && i < r->count; ++i) {
        vn_obstacle_info info;
        status = vn_world_get_info(world, ids[i], &info);
        r->boxes[i] = info.bounds;
    }
    return status;
}

vn_status vni_run_rocks_create(const vn_world* world, const vn_allocator* allocator, vni_run_rocks* out) {
    vni_run_rocks r = {.allocator = *allocator};
    vn_box all;
    *out = (vni_run_rocks){0};
    if (!vn_world_get_bounds(world, &all))
        return VN_OK;

    // with a capacity of 0 only the count comes back
    vn_status status = vn_world_query_box(world, &all, NULL, 0, &r.count);
    vn_obstacle_id* ids = allocator->alloc(allocator->user, r.count * sizeof *ids);
    r.boxes = allocator->alloc(allocator->user, r.count * sizeof *r.boxes);
    r.near = allocator->alloc(allocator->user, r.count * sizeof *r.near);
    const bool got = ids != NULL && r.boxes != NULL && r.near != NULL;
    status = got ? take_boxes(world, &all, &r, ids) : VN_OUT_OF_MEMORY;
    put(&r, ids, sizeof *ids);
    if (status != VN_OK) {
        vni_run_rocks_destroy(&r);
        return status;
    }

    *out = r;
    return VN_OK;
}

static void gather(vni_run_rocks* r, vn_dvec3 p) {
    r->near_count = 0;
    for (uint32_t i = 0; i < r->count; ++i)
        if (vni_judge_box(p, p, &r->boxes[i]) < NEAR)
            r->near[r->near_count++] = i;
    r->around = p;
    r->gathered = true;
}

/// The smaller one of `least` and the distance from a box.
static double smaller(vn_dvec3 p, vn_dvec3 q, double way, const vn_box* box, double least) {
    // from p alone, which is far cheaper: the rest of the segment is at most its length nearer
    if (vni_judge_box(p, p, box) - way >= least)
        return least;
    const double d = vni_judge_box(p, q, box);
    return d < least ? d : least;
}

double vni_run_rocks_distance(vni_run_rocks* rocks, vn_dvec3 p, vn_dvec3 q, double enough) {
    const double way = vni_length(vni_difference(q, p));
    double least = enough;
    if (!rocks->gathered || vni_length(vni_difference(p, rocks->around)) > DRIFT)
        gather(rocks, p);
    for (uint32_t i = 0; i < rocks->near_count; ++i)
        least = smaller(p, q, way, &rocks->boxes[rocks->near[i]], least);
    if (least <= NEAR - DRIFT - way)
        return least;

    // one that was not gathered may be nearer
    for (uint32_t i = 0; i < rocks->count; ++i)
        least = smaller(p, q, way, &rocks->boxes[i], least);
    return least;
}
