/// query/terms_reach.c: what the labels of connected regions, and connections between them, say about a goal
/// before anything is searched.
#include "geom/vec.h"
#include "query/terms_search.h"

/// Components that can be reached: those of the start, and at most one more for each hop.
typedef struct reach_set {
    uint32_t labels[VNI_MAX_HOPS + VNI_MAX_STARTS];
    uint32_t count;
} reach_set;

static bool is_in(const reach_set* set, uint32_t label) {
    for (uint32_t i = 0; i < set->count; ++i)
        if (set->labels[i] == label)
            return true;
    return false;
}

static void find_reach(const vni_terms_def* def, reach_set* set) {
    for (set->count = 0; set->count < def->start_count; ++set->count)
        set->labels[set->count] = vni_cells_component(def->cells, def->start_cells[set->count]);

    // To a fixed point: a hop may start where another one ends, in any order.
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = 0; i < def->hop_count; ++i) {
            uint32_t to = vni_cells_component(def->cells, def->hops[i].to_cell);
            if (is_in(set, to) || !is_in(set, vni_cells_component(def->cells, def->hops[i].from_cell)))
                continue;
            VNI_ASSERT(set->count < VNI_MAX_HOPS + VNI_MAX_STARTS);
            set->labels[set->count++] = to;
            grown = true;
        }
    }
}

/// Some point of the goal in the block lies in a cell that can be reached.
static bool block_may_do(const vni_terms_def* def, const vni_goal* region, const reach_set* set,
                         uint32_t block) {
    for (uint32_t i = 0; i < def->cells->table[block]->cell_count; ++i) {
        const vni_cell_ref ref = {block, i};
        if (!is_in(set, vni_cells_component(def->cells, ref)))
            continue;

        vni_lattice_box box = vni_cell_box(def->cells, ref, def->has_limits ? &def->limits : NULL);
        vn_point at = {box.low[0], box.low[1], box.low[2]}, arrived;
        if (!vni_lattice_box_is_empty(&box) && vni_goal_reach(region, def->occupancy, &box, at, &arrived))
            return true;
    }

    return false;
}

bool vni_terms_may_arrive(const vni_terms_def* def) {
    VNI_ASSERT(def->goal.kind != VNI_GOAL_NONE);

    vni_goal region = def->goal;
    if (def->goal.kind == VNI_GOAL_SIGHT && def->has_limits)
        return true;

    // A line of sight is a free segment: what sees the point can reach it, so the point must be reachable.
    region.kind = def->goal.kind == VNI_GOAL_SIGHT ? VNI_GOAL_BALL : def->goal.kind;
    region.distance = def->goal.kind == VNI_GOAL_SIGHT ? 0 : def->goal.distance;
    const double center[3] = {region.center.x, region.center.y, region.center.z};
    const int32_t* blocks = def->cells->blocks;
    int32_t first[3], last[3];
    reach_set set;

    find_reach(def, &set);
    for (int i = 0; i < 3; ++i) {
        bool box = region.kind == VNI_GOAL_BOX;
        double low = box ? region.box.low[i] : center[i] - region.distance;
        double high = box ? region.box.high[i] : center[i] + region.distance;
        const double size = vni_voxels_to_steps(VNI_BLOCK_SIZE);
        first[i] = (int32_t)vni_clamp(floor((low - 1) / size), 0, blocks[i]);
        last[i] = (int32_t)vni_clamp(floor(high / size), -1, blocks[i] - 1);
    }

    for (int32_t z = first[2]; z <= last[2]; ++z)
        for (int32_t y = first[1]; y <= last[1]; ++y)
            for (int32_t x = first[0]; x <= last[0]; ++x)
                if (block_may_do(def, &region, &set, vni_block_index(blocks, x, y, z)))
                    return true;

    return false;
}
