/// view/portals.c: numbers the portals, lists them by cell, and makes the graph over them.
#include "view/portals.h"
#include "base/alloc.h"
#include "geom/units.h"
#include "graph/cost.h"
#include "probe/sight.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------ index

/// Calls `add` for every portal once: for each cell, in order, those in its upper faces.
static void for_each_portal(vni_portal_index* index,
                            void (*add)(vni_portal_index* index, const vni_portal_node* portal)) {
    const vni_cells* cells = index->cells;
    for (uint32_t block = 0; block < vni_cells_block_count(cells); ++block)
        for (uint32_t cell = 0; cell < cells->table[block]->cell_count; ++cell)
            for (uint32_t face = 1; face < VNI_FACES; face += 2) {
                const vni_link_group* groups = NULL;
                vni_cell_ref ref = {block, cell};
                uint32_t beyond = 0, count = vni_cells_face(cells, ref, face, &groups, &beyond);
                int axis = (int)(face >> 1);
                for (uint32_t i = 0; i < 4 * count; ++i) {
                    const vni_link_group* group = &groups[i >> 2];
                    uint32_t lane = i & 3;
                    if (group->to[lane] == VNI_NO_CELL)
                        continue;

                    const int32_t* low = cells->views[block].low;
                    int32_t twice[3]; // the centre, in half voxels
                    twice[axis] = 2 * (low[axis] + cells->views[block].cells[cell].high[axis]);
                    twice[vni_other_axes[axis][0]] =
                        2 * low[vni_other_axes[axis][0]] + group->low_a[lane] + group->high_a[lane];
                    twice[vni_other_axes[axis][1]] =
                        2 * low[vni_other_axes[axis][1]] + group->low_b[lane] + group->high_b[lane];
                    vni_portal_node portal = {
                        {cells->base[block] + cell, cells->base[beyond] + group->to[lane]},
                        {vni_half_voxels_to_steps(twice[0]), vni_half_voxels_to_steps(twice[1]),
                         vni_half_voxels_to_steps(twice[2])}};
                    add(index, &portal);
                }
            }
}

/// First pass: counts the portals of each cell, in the next cell's entry of `first`.
static void count_portal(vni_portal_index* index, const vni_portal_node* portal) {
    ++index->first[portal->cells[0] + 1];
    ++index->first[portal->cells[1] + 1];
    ++index->portal_count;
}

/// Second pass: lists them. `first` advances through each cell's list and is moved back afterwards.
static void add_portal(vni_portal_index* index, const vni_portal_node* portal) {
    uint32_t id = index->portal_count++;
    index->portals[id] = *portal;
    index->on_cell[index->first[portal->cells[0]]++] = id;
    index->on_cell[index->first[portal->cells[1]]++] = id;
}

vn_status vni_portal_index_make(const vn_allocator* allocator, const vni_cells* cells,
                                vni_portal_index* out) {
    uint32_t cell_count = vni_cells_count(cells);
    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
    out->cells = cells;

    out->first = (uint32_t*)vni_alloc_zero(allocator, (uint64_t)cell_count + 1, sizeof(uint32_t));
    if (out->first != NULL) {
        for_each_portal(out, count_portal);
        for (uint32_t i = 0; i < cell_count; ++i)
            out->first[i + 1] += out->first[i];
        out->portals = VNI_NEW_ARRAY(allocator, vni_portal_node, out->portal_count);
        out->on_cell = VNI_NEW_ARRAY(allocator, uint32_t, 2 * (uint64_t)out->portal_count);
    }

    if (out->first == NULL || (out->portal_count && (out->portals == NULL || out->on_cell == NULL))) {
        vni_portal_index_free(out);
        return VN_OUT_OF_MEMORY;
    }

    out->portal_count = 0;
    for_each_portal(out, add_portal);
    for (uint32_t i = cell_count; i > 0; --i)
        out->first[i] = out->first[i - 1];

    out->first[0] = 0;
    VNI_ASSERT(2 * (uint64_t)out->portal_count == cells->link_count);

    return VN_OK;
}

void vni_portal_index_free(vni_portal_index* index) {
    if (index->allocator.alloc == NULL)
        return;
    VNI_DELETE_ARRAY(&index->allocator, index->first, (uint64_t)vni_cells_count(index->cells) + 1);
    VNI_DELETE_ARRAY(&index->allocator, index->portals, index->portal_count);
    VNI_DELETE_ARRAY(&index->allocator, index->on_cell, 2 * (uint64_t)index->portal_count);
    memset(index, 0, sizeof *index);
}

size_t vni_portal_index_bytes(const vni_portal_index* index) {
    size_t portals = index->portal_count * (sizeof(vni_portal_node) + 2 * sizeof(uint32_t));
    return portals + ((size_t)vni_cells_count(index->cells) + 1) * sizeof(uint32_t);
}

// ------------------------------------------------------------------------------------------------- view

bool vni_portal_view_make(const vni_portal_index* index, const vni_occupancy* occupancy, vn_point start,
                          vn_voxel start_voxel, vn_point goal, vn_voxel goal_voxel, vni_portal_view* out) {
    const vn_voxel voxels[2] = {start_voxel, goal_voxel};
    out->index = index;
    out->occupancy = occupancy;
    out->ends[0] = start;
    out->ends[1] = goal;
    out->incidence =
        (vni_incidence){index->first,           index->on_cell,      (const unsigned char*)index->portals,
                        sizeof *index->portals, index->portal_count, {0, 0}};

    for (int i = 0; i < 2; ++i) {
        vni_cell_ref ref;
        if (!vni_cells_find(index->cells, voxels[i], &ref))
            return false;
        out->incidence.end_cells[i] = index->cells->base[ref.block] + ref.cell;
    }

    return true;
}

static vn_point point_of(const vni_portal_view* view, uint32_t node) {
    VNI_ASSERT(node <= vni_portal_view_goal(view));
    uint32_t count = view->index->portal_count;
    return node < count ? view->index->portals[node].point : view->ends[node - count];
}

static uint32_t view_expand(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const vni_portal_view* view = (const vni_portal_view*)self;
    uint32_t count = vni_incidence_expand(&view->incidence, node, cursor, out->to);
    vn_point from = point_of(view, node);
    for (uint32_t i = 0; i < count; ++i)
        out->cost[i] = vni_distance(from, point_of(view, out->to[i]));
    return count;
}

static void view_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const vni_portal_view* view = (const vni_portal_view*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = point_of(view, nodes[i]);
}

static bool view_visible(const void* self, uint32_t a, uint32_t b) {
    const vni_portal_view* view = (const vni_portal_view*)self;
    return vni_sight(view->occupancy, point_of(view, a), point_of(view, b));
}

vn_graph vni_portal_view_graph(const vni_portal_view* view) {
    vn_graph graph = {0};
    graph.self = view;
    graph.node_limit = view->index->portal_count + 2;
    graph.capabilities = VN_GRAPH_SEES;
    graph.expand = view_expand;
    vni_graph_set_symmetric(&graph);
    graph.points = view_points;
    graph.visible = view_visible;

    return graph;
}
