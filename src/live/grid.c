/// live/grid.c: the grid with ends, costs of its voxels, and its changes by node.
#include "live/grid.h"
#include "live/sorted.h"
#include "probe/sight.h"

#include <math.h>
#include <string.h>

// ---------- the graph

static uint32_t expand_end(const vni_live_grid* live, uint32_t end, const vn_edges* out) {
    if (live->ends[end] == VN_NO_NODE)
        return 0;
    out->to[0] = live->ends[end];
    out->cost[0] = 0;
    return 1;
}

static vn_point point_of(const vni_live_grid* live, uint32_t node) {
    const uint32_t at = node < VN_FIRST_NODE ? live->ends[node] : node;
    if (at == VN_NO_NODE)
        return vn_point_outside();
    return vn_voxel_center(vni_grid_voxel(&live->grid, at - VN_FIRST_NODE));
}

static uint32_t live_expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const vni_live_grid* live = (const vni_live_grid*)self;
    if (node < VN_FIRST_NODE)
        return expand_end(live, node, out);

    const vn_graph grid = vni_grid_graph(&live->grid);
    uint32_t count = grid.expand(grid.self, node - VN_FIRST_NODE, cursor, out);
    for (uint32_t i = 0; i < count; ++i) {
        out->to[i] += VN_FIRST_NODE;
        if (live->zones != NULL)
            out->cost[i] =
                live->cost.segment(live->cost.self, point_of(live, node), point_of(live, out->to[i]));
    }

    for (uint32_t end = 0; end < 2; ++end)
        if (live->ends[end] == node) {
            out->to[count] = end;
            out->cost[count++] = 0;
        }

    return count;
}

static void live_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    for (uint32_t i = 0; i < count; ++i)
        out[i] = point_of((const vni_live_grid*)self, nodes[i]);
}

static bool live_visible(const void* self, uint32_t a, uint32_t b) {
    const vni_live_grid* live = (const vni_live_grid*)self;
    return vni_sight(live->grid.occupancy, point_of(live, a), point_of(live, b));
}

// ---------- its cells

static uint32_t cell_node(const void* self, vn_voxel voxel) {
    return vni_live_grid_node((const vni_live_grid*)self, voxel);
}

static vn_voxel cell_voxel(const void* self, uint32_t node) {
    VNI_ASSERT(node >= VN_FIRST_NODE);
    return vni_grid_voxel(&((const vni_live_grid*)self)->grid, node - VN_FIRST_NODE);
}

static double cost_of(const vni_live_grid* live, int32_t x, int32_t y, int32_t z) {
    if (!vni_occupancy_free_at(live->grid.occupancy, x, y, z))
        return HUGE_VAL;
    const double low[3] = {x, y, z}, high[3] = {x + 1.0, y + 1.0, z + 1.0};
    return live->zones != NULL ? vni_zones_most(live->zones, low, high) : 1;
}

static void cell_costs(const void* self, const vn_voxel* voxels, uint32_t count, double* out) {
    for (uint32_t i = 0; i < count; ++i)
        out[i] = cost_of((const vni_live_grid*)self, voxels[i].x, voxels[i].y, voxels[i].z);
}

static void costs_around(const void* self, vn_voxel c, double out[8]) {
    for (int32_t i = 0; i < 8; ++i)
        out[i] = cost_of((const vni_live_grid*)self, c.x - 1 + (i & 1), c.y - 1 + (i >> 1 & 1),
                         c.z - 1 + (i >> 2));
}

// ---------- making

vn_status vni_live_grid_make(const vni_occupancy* occupancy, uint32_t neighbours, const vni_zones* zones,
                             vni_live_grid* out, vn_detail* detail) {
    vn_status status = vni_grid_make(occupancy, neighbours, &out->grid, detail);
    if (status != VN_OK)
        return status;

    out->zones = zones;
    if (zones != NULL)
        out->cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, neighbours, zones);
    out->ends[0] = out->ends[1] = VN_NO_NODE;
    out->cells = (vn_grid_cells){.self = out,
                                 .dims = {occupancy->dims[0], occupancy->dims[1], occupancy->dims[2]},
                                 .neighbours = neighbours,
                                 .node = cell_node,
                                 .voxel = cell_voxel,
                                 .costs = cell_costs,
                                 .around = costs_around};
    return VN_OK;
}

bool vni_live_grid_set_end(vni_live_grid* live, uint32_t end, vn_voxel v) {
    VNI_ASSERT(end < 2);
    const bool is_free = vni_occupancy_free_at(live->grid.occupancy, v.x, v.y, v.z);
    live->ends[end] = is_free ? vni_live_grid_node(live, v) : VN_NO_NODE;
    return is_free;
}

vn_graph vni_live_grid_graph(const vni_live_grid* live) {
    vn_graph graph = {0};
    graph.self = live;
    graph.node_limit = vni_grid_graph(&live->grid).node_limit + VN_FIRST_NODE;
    graph.capabilities = VN_GRAPH_SEES | VN_GRAPH_IS_GRID | VN_GRAPH_HAS_CELLS;
    graph.expand = live_expand;
    graph.points = live_points;
    graph.visible = live_visible;
    graph.cells = &live->cells;
    graph.least = live->zones != NULL ? live->zones->least : 1;
    if (live->zones != NULL && vni_zones_weigh(live->zones))
        graph.capabilities |= VN_GRAPH_HAS_ZONES;
    vni_graph_set_symmetric(&graph);
    return graph;
}

// ---------- changes by node

/// Voxels of one brick to look at: beside a voxel that changed, or in a region with other costs.
typedef struct candidates {
    uint64_t near, cost;
} candidates;

/// The search for changes. `order` has brick << 32 | entry of `items`; a brick may occur several times.
typedef struct look {
    const vn_allocator* allocator;
    const vni_occupancy *before, *after;
    vni_grid grid;
    candidates* items;
    uint64_t capacity;
    uint32_t count;
    vni_sorted order;
    vni_grid_delta* out;
} look;

static bool add_candidates(look* l, vn_voxel low, candidates c) {
    const int32_t* dims = l->after->dims;
    if ((c.near | c.cost) == 0 || low.x < 0 || low.y < 0 || low.z < 0 || low.x >= dims[0] ||
        low.y >= dims[1] || low.z >= dims[2])
        return true;
    if (!vni_grow(l->allocator, &l->items, &l->capacity, (uint64_t)l->count + 1, sizeof *l->items))
        return false;

    const uint64_t brick = vni_grid_node(&l->grid, low) >> 6;
    l->items[l->count] = c;
    return vni_sorted_push(l->allocator, &l->order, brick << 32 | l->count++);
}

/// The voxels of the 27 bricks around a brick that are at most a step from one of its changed voxels.
static void spread(uint64_t changed, uint64_t out[27]) {
    memset(out, 0, 27 * sizeof *out);
    for (; changed != 0; changed &= changed - 1) {
        const uint32_t bit = vni_lowest_bit(changed);
        for (int32_t i = 0; i < 27; ++i) {
            // shifted by a brick, so that all coordinates are positive
            const int32_t x = (int32_t)(bit & 3) + i % 3 + 3, y = (int32_t)(bit >> 2 & 3) + i / 3 % 3 + 3,
                          z = (int32_t)(bit >> 4) + i / 9 + 3;
            out[(x >> 2) + 3 * (y >> 2) + 9 * (z >> 2)] |= (uint64_t)1 << vni_bit_of(x, y, z);
        }
    }
}

static bool look_around(look* l, const vn_brick_change* change) {
    uint64_t near[27];
    spread(change->before ^ change->after, near);
    for (int32_t i = 0; i < 27; ++i) {
        const vn_voxel low = {change->low.x + 4 * (i % 3 - 1), change->low.y + 4 * (i / 3 % 3 - 1),
                              change->low.z + 4 * (i / 9 - 1)};
        if (!add_candidates(l, low, (candidates){near[i], 0}))
            return false;
    }

    return true;
}

/// The part of a run of four voxels from `at` on that lies in [low, high).
static uint64_t run_bits(int32_t at, int32_t low, int32_t high) {
    uint64_t bits = 0;
    for (int32_t i = 0; i < 4; ++i)
        bits |= (uint64_t)(at + i >= low && at + i < high) << i;
    return bits;
}

/// The voxels of which an edge, which reaches to the centre beyond, can meet the box.
static bool look_in(look* l, const vni_box* box) {
    int32_t low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = box->low[i] > 0 ? box->low[i] - 1 : 0;
        high[i] = box->high[i] < l->after->dims[i] ? box->high[i] + 1 : l->after->dims[i];
    }

    for (int32_t z = low[2] & ~3; z < high[2]; z += 4)
        for (int32_t y = low[1] & ~3; y < high[1]; y += 4)
            for (int32_t x = low[0] & ~3; x < high[0]; x += 4) {
                // a bit for each voxel along an axis, repeated across the other two (world/world.h)
                const uint64_t along_x = run_bits(x, low[0], high[0]) * 0x1111111111111111u;
                uint64_t along_y = 0, along_z = 0;
                for (int32_t i = 0; i < 4; ++i) {
                    if (y + i >= low[1] && y + i < high[1])
                        along_y |= (uint64_t)0x000f000f000f000fu << (4 * i);
                    if (z + i >= low[2] && z + i < high[2])
                        along_z |= (uint64_t)0xffffu << (16 * i);
                }
                if (!add_candidates(l, (vn_voxel){x, y, z}, (candidates){0, along_x & along_y & along_z}))
                    return false;
            }

    return true;
}

/// The directions in which a voxel has edges, as bits; and whether it is free.
static uint32_t edges_of(const look* l, const vni_occupancy* occupancy, vn_voxel v, bool* is_free) {
    const uint32_t free = vni_grid_free_around(occupancy, v);
    uint32_t edges = 0;
    for (uint32_t d = 0; d < l->grid.neighbours; ++d)
        edges |= (uint32_t)((free & l->grid.needs[d]) == l->grid.needs[d]) << d;
    *is_free = free >> 13 & 1u; // the middle of the 27
    return edges;
}

static bool judge(look* l, uint32_t node, bool other_costs) {
    const vn_voxel v = vni_grid_voxel(&l->grid, node);
    if (!vni_occupancy_inside(l->after, v.x, v.y, v.z))
        return true;

    bool was, is;
    const uint32_t before = edges_of(l, l->before, v, &was), after = edges_of(l, l->after, v, &is);
    const uint32_t id = node + VN_FIRST_NODE;
    if (was != is)
        return vni_id_list_add(l->allocator, is ? &l->out->came : &l->out->went, id);
    if (!is || (before == after && !other_costs))
        return true;
    return vni_id_list_add(l->allocator, &l->out->changed, id);
}

/// Goes through the candidates in order of nodes.
static bool judge_all(look* l) {
    vni_sorted_sort(&l->order);
    for (uint32_t i = 0; i < l->order.count;) {
        const uint32_t brick = (uint32_t)(l->order.items[i] >> 32);
        candidates all = {0, 0};
        for (; i < l->order.count && l->order.items[i] >> 32 == brick; ++i) {
            const candidates* c = &l->items[(uint32_t)l->order.items[i]];
            all.near |= c->near;
            all.cost |= c->cost;
        }

        for (uint64_t left = all.near | all.cost; left != 0; left &= left - 1) {
            const uint32_t bit = vni_lowest_bit(left);
            if (!judge(l, brick << 6 | bit, all.cost >> bit & 1))
                return false;
        }
    }

    return true;
}

bool vni_live_grid_compare(const vn_allocator* allocator, const vni_occupancy* before,
                           const vni_occupancy* after, const vn_brick_change* bricks, uint32_t brick_count,
                           const vni_box* costs, uint32_t cost_count, uint32_t neighbours,
                           vni_grid_delta* out) {
    look l = {.allocator = allocator, .before = before, .after = after, .out = out};
    out->came.count = out->went.count = out->changed.count = 0;
    bool ok = vni_grid_make(after, neighbours, &l.grid, NULL) == VN_OK;
    VNI_ASSERT(ok);

    for (uint32_t i = 0; i < brick_count && ok; ++i)
        ok = look_around(&l, &bricks[i]);
    for (uint32_t i = 0; i < cost_count && ok; ++i)
        ok = look_in(&l, &costs[i]);

    ok = ok && judge_all(&l);
    VNI_DELETE_ARRAY(allocator, l.items, l.capacity);
    vni_sorted_free(allocator, &l.order);
    return ok;
}

void vni_grid_delta_free(const vn_allocator* allocator, vni_grid_delta* delta) {
    vni_id_list_free(allocator, &delta->came);
    vni_id_list_free(allocator, &delta->went);
    vni_id_list_free(allocator, &delta->changed);
}
