/// run/rocks.h: the judge's list of rocks, boxes along the axes that stand, and how near a step comes to
/// them. Private to run.
#ifndef VNI_RUN_ROCKS_H
#define VNI_RUN_ROCKS_H

#include "volnav/run.h"

typedef struct vni_run_rocks {
    vn_allocator allocator;
    vn_box* boxes;
    uint32_t* near; ///< those near `around`, by index
    uint32_t count, near_count;
    vn_dvec3 around;
    bool gathered; ///< near and around are set
} vni_run_rocks;

/// Lists all that stands in the world. VN_OUT_OF_MEMORY.
vn_status vni_run_rocks_create(const vn_world* world, const vn_allocator* allocator, vni_run_rocks* out);

/// Also for a struct of zeros.
void vni_run_rocks_destroy(vni_run_rocks* rocks);

/// Least distance from all rocks of a point that moves from p to q, if that is below `enough`; otherwise
/// something not below `enough`. O(rocks) now and then, O(those nearby) in most steps that follow one
/// another.
double vni_run_rocks_distance(vni_run_rocks* rocks, vn_dvec3 p, vn_dvec3 q, double enough);

#endif
