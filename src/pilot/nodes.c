/// pilot/nodes.c: the grid of an autopilot that flies from node to node: nodes that are blocked for a time
/// because they hold an obstacle, and A* (Hart, Nilsson, Raphael 1968) around them.
#include "base/alloc.h"
#include "base/bits.h"
#include "base/fail.h"
#include "pilot/pilot_inside.h"

#include <string.h>

static bool is_marked(const uint64_t* marks, uint32_t node) {
    return marks[node >> 6] >> (node & 63) & 1;
}

/// Marks of the 3x3x3 around a node, as bits like those of vni_grid.needs.
static uint32_t marks_around(const vni_pilot_nodes* nodes, uint32_t node) {
    const vni_grid* grid = &nodes->grid;
    const vn_voxel v = vni_grid_voxel(grid, node);
    uint32_t free = vni_grid_free_around(grid->occupancy, v), bits = 0;
    for (uint32_t d = 0; d < grid->neighbours; ++d) {
        const int32_t* s = grid->step[d];
        const uint32_t bit = (uint32_t)((s[0] + 1) + 3 * (s[1] + 1) + 9 * (s[2] + 1));
        if ((free >> bit & 1) && is_marked(nodes->marks, node + grid->offset[node & 63][d]))
            bits |= 1u << bit;
    }

    return bits;
}

/// The edges of the grid, without those that span a marked node.
static uint32_t expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const vni_pilot_nodes* nodes = (const vni_pilot_nodes*)self;
    const vni_grid* grid = &nodes->grid;
    const uint32_t marks = nodes->marked > 0 ? marks_around(nodes, node) : 0;
    const uint32_t free = vni_grid_free_around(grid->occupancy, vni_grid_voxel(grid, node)) & ~marks;
    const uint32_t self_bit = 1u << 13; // the ship may stand in a marked node
    uint32_t count = 0;
    VNI_ASSERT(*cursor == 0);
    (void)cursor;
    for (uint32_t d = 0; d < grid->neighbours; ++d) {
        out->to[count] = node + grid->offset[node & 63][d];
        out->cost[count] = grid->cost[d];
        count += ((free | self_bit) & grid->needs[d]) == grid->needs[d];
    }

    return count;
}

static void points(const void* self, const uint32_t* ids, uint32_t count, vn_point* out) {
    const vni_pilot_nodes* nodes = (const vni_pilot_nodes*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = vn_voxel_center(vni_grid_voxel(&nodes->grid, ids[i]));
}

void vni_pilot_nodes_bind(vni_pilot_nodes* nodes, const vni_zone_buffer* weather) {
    nodes->graph.self = nodes;
    nodes->graph.expand = expand;
    nodes->graph.points = points;
    nodes->graph.capabilities = VN_GRAPH_IS_GRID;
    nodes->cost = weather != NULL ? vni_cost_added(VNI_METRIC_OCTILE, 26, &weather->set)
                                  : vni_cost_length(VNI_METRIC_OCTILE, 26);
}

vn_status vni_pilot_nodes_make(vni_pilot_nodes* nodes, const vn_pilot_def* def, const vn_space* space,
                               vn_detail* detail) {
    memset(nodes, 0, sizeof *nodes);
    vn_status status = vni_grid_make(&space->occupancy, 26, &nodes->grid, detail);
    if (status != VN_OK)
        return status;

    nodes->graph.node_limit = vni_grid_graph(&nodes->grid).node_limit;
    nodes->mark_words = nodes->graph.node_limit >> 6;
    uint32_t max_nodes = def->max_nodes > 0 ? def->max_nodes : nodes->graph.node_limit;
    status = vni_scratch_make(&def->allocator, nodes->graph.node_limit, max_nodes, &nodes->scratch);
    nodes->marks = (uint64_t*)vni_alloc_zero(&def->allocator, nodes->mark_words, sizeof *nodes->marks);
    nodes->found = VNI_NEW_ARRAY(&def->allocator, uint32_t, def->max_path);
    if (status == VN_OK && nodes->marks != NULL && nodes->found != NULL)
        return VN_OK;

    vni_pilot_nodes_free(nodes, def);
    return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a search of %u voxels: set max_nodes lower",
                    max_nodes);
}

void vni_pilot_nodes_free(vni_pilot_nodes* nodes, const vn_pilot_def* def) {
    vni_scratch_free(&nodes->scratch);
    VNI_DELETE_ARRAY(&def->allocator, nodes->marks, nodes->mark_words);
    VNI_DELETE_ARRAY(&def->allocator, nodes->found, def->max_path);
    memset(nodes, 0, sizeof *nodes);
}

// ------------------------------------------------------------------------------------------------- places

/// The voxel of a place, clamped to the space.
static vn_voxel voxel_at(const vn_space* space, vni_vec at) {
    const double size = (double)space->resolution;
    const int32_t* dims = space->occupancy.dims;
    vn_voxel v = {(int32_t)vni_clamp(floor(at.x / size), 0, dims[0] - 1),
                  (int32_t)vni_clamp(floor(at.y / size), 0, dims[1] - 1),
                  (int32_t)vni_clamp(floor(at.z / size), 0, dims[2] - 1)};
    return v;
}

uint32_t vni_pilot_node_at(const vn_pilot* pilot, vni_vec at) {
    return vni_grid_node(&pilot->nodes.grid, voxel_at(pilot->space, at));
}

vni_vec vni_pilot_node_centre(const vn_pilot* pilot, uint32_t node) {
    const vn_voxel v = vni_grid_voxel(&pilot->nodes.grid, node);
    const double size = (double)pilot->space->resolution;
    return vni_v((v.x + 0.5) * size, (v.y + 0.5) * size, (v.z + 0.5) * size);
}

// -------------------------------------------------------------------------------------------------- marks

bool vni_pilot_is_marked(const vni_pilot_nodes* nodes, uint32_t node) {
    return is_marked(nodes->marks, node);
}

void vni_pilot_clear_marks(vn_pilot* pilot) {
    vni_pilot_nodes* nodes = &pilot->nodes;
    if (nodes->marked > 0)
        memset(nodes->marks, 0, nodes->mark_words * sizeof *nodes->marks);
    nodes->marked = 0;
}

static void mark(vn_pilot* pilot, uint32_t node) {
    vni_pilot_nodes* nodes = &pilot->nodes;
    if (is_marked(nodes->marks, node) || node == vni_pilot_node_at(pilot, pilot->goal))
        return;

    nodes->marks[node >> 6] |= (uint64_t)1 << (node & 63);
    ++nodes->marked;
    ++pilot->stats.marked;
}

/// Does the sphere that fits into the voxel touch the obstacle?
static bool holds(const vn_pilot* pilot, uint32_t node, const vni_seen* seen) {
    const double within = 0.5 * (double)pilot->space->resolution + seen->radius;
    return vni_length2(vni_sub(seen->at, vni_pilot_node_centre(pilot, node))) <= within * within;
}

bool vni_pilot_look_at(vn_pilot* pilot, uint32_t node) {
    for (uint32_t i = 0; i < pilot->seen_count; ++i)
        if (holds(pilot, node, &pilot->seen[i])) {
            mark(pilot, node);
            return vni_pilot_is_marked(&pilot->nodes, node);
        }

    return vni_pilot_is_marked(&pilot->nodes, node);
}

void vni_pilot_look_around(vn_pilot* pilot, uint32_t node) {
    const vni_grid* grid = &pilot->nodes.grid;
    const uint32_t free = vni_grid_free_around(grid->occupancy, vni_grid_voxel(grid, node));
    for (uint32_t d = 0; d < grid->neighbours; ++d) {
        const int32_t* s = grid->step[d];
        if (free >> ((s[0] + 1) + 3 * (s[1] + 1) + 9 * (s[2] + 1)) & 1)
            vni_pilot_look_at(pilot, node + grid->offset[node & 63][d]);
    }
}

/// The nodes that one obstacle may lie in: those around its box.
static void mark_held(vn_pilot* pilot, const vni_seen* seen) {
    const double r = seen->radius + 0.5 * (double)pilot->space->resolution;
    const vni_vec around = vni_v(r, r, r);
    const vn_voxel low = voxel_at(pilot->space, vni_sub(seen->at, around));
    const vn_voxel high = voxel_at(pilot->space, vni_add(seen->at, around));
    for (int32_t z = low.z; z <= high.z; ++z)
        for (int32_t y = low.y; y <= high.y; ++y)
            for (int32_t x = low.x; x <= high.x; ++x) {
                const uint32_t node = vni_grid_node(&pilot->nodes.grid, (vn_voxel){x, y, z});
                if (holds(pilot, node, seen))
                    mark(pilot, node);
            }
}

void vni_pilot_look_everywhere(vn_pilot* pilot) {
    for (uint32_t i = 0; i < pilot->seen_count; ++i)
        mark_held(pilot, &pilot->seen[i]);
}

// ------------------------------------------------------------------------------------------------- search

/// The nodes from the start to the goal, in order.
static uint32_t gather(vn_pilot* pilot, uint32_t to) {
    vni_pilot_nodes* nodes = &pilot->nodes;
    uint32_t count = 0;
    for (uint32_t at = to; at != VN_NO_NODE; at = vni_best_first_parent(&nodes->search, at)) {
        if (count == pilot->def.max_path)
            return 0;
        nodes->found[count++] = at;
    }

    for (uint32_t i = 0; i < count / 2; ++i) {
        const uint32_t kept = nodes->found[i];
        nodes->found[i] = nodes->found[count - 1 - i];
        nodes->found[count - 1 - i] = kept;
    }

    return count;
}

uint32_t vni_pilot_search(vn_pilot* pilot, uint32_t from, uint32_t to, vn_status* status) {
    vni_pilot_nodes* nodes = &pilot->nodes;
    const vni_best_first_def def = {1, 1, false, false, 0};
    *status =
        vni_best_first_begin(&nodes->search, &def, &nodes->graph, &nodes->cost, &nodes->scratch, from, to);
    if (*status == VN_OK || *status == VN_RUNNING)
        *status = vni_best_first_step(&nodes->search, UINT64_MAX);
    pilot->stats.expanded += nodes->search.expanded;
    if (*status != VN_OK)
        return 0;

    const uint32_t count = gather(pilot, to);
    if (count == 0)
        *status = VN_CAPACITY;
    return count;
}
