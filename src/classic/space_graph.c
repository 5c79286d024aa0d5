/// classic/space_graph.c: voxels or cells of a space that stays as it is, as a graph and as a source of
/// planners.
#include "base/alloc.h"
#include "base/fail.h"
#include "live/boxes_view.h"
#include "live/cells.h"
#include "live/grid.h"
#include "query/zones_check.h"
#include "space/zone_buffer.h"
#include "volnav/classic.h"

#include <string.h>

#define GRAPH_COOKIE 0x5f2ac871u

struct vn_space_graph {
    vn_allocator allocator;
    const vn_space* space;
    bool is_grid;
    vni_live_grid grid;
    vni_live_boxes* cells; ///< null: a grid
    vni_boxes_view view;   ///< of cells, in their only version
    vni_zone_buffer* zones;
    vni_cost cost;
    vn_graph graph;
};

// ------------------------------------------------------------------------------------------ making and
// freeing

vn_space_graph_def vn_default_space_graph_def(void) {
    return (vn_space_graph_def){
        .allocator = vn_default_allocator(), .kind = VN_NAV_GRID26, .cookie = GRAPH_COOKIE};
}

static vn_status check(const vn_space* space, const vn_space_graph_def* def, vn_detail* detail) {
    if (def->cookie != GRAPH_COOKIE)
        return vni_fail(detail, VN_BAD_DEF,
                        "start from vn_default_space_graph_def, then change what you need");
    if (!vni_allocator_is_valid(&def->allocator))
        return vni_fail(detail, VN_BAD_ARGUMENT, "the allocator lacks a function");
    if ((unsigned)def->kind >= VN_NAV_GRAPH_KINDS)
        return vni_fail(detail, VN_BAD_ARGUMENT, "there is no graph of kind %d", (int)def->kind);
    if (def->kind >= VN_NAV_CELLS_PORTAL && !vni_space_has_cells(space))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the space has no cells: bake it with them, or take a graph of its voxels");
    return vni_zones_check(def->zones, def->zone_count, detail);
}

static vn_status take_zones(vn_space_graph* graph, const vn_space_graph_def* def, vn_detail* detail) {
    const vni_frame frame = {graph->space->low, (double)graph->space->resolution};
    if (def->zone_count == 0)
        return VN_OK;

    graph->zones = VNI_NEW(&def->allocator, vni_zone_buffer);
    if (graph->zones == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the zones of a graph");
    vni_zone_buffer_clear(graph->zones);
    vni_zone_buffer_add(graph->zones, def->zones, def->zone_count, def->zone_flags, &frame);
    return VN_OK;
}

static vn_status show_grid(vn_space_graph* graph, uint32_t neighbours, vn_detail* detail) {
    const vni_zones* zones = graph->zones != NULL ? &graph->zones->set : NULL;
    const vn_status status =
        vni_live_grid_make(&graph->space->occupancy, neighbours, zones, &graph->grid, detail);
    if (status == VN_OK)
        graph->graph = vni_live_grid_graph(&graph->grid);
    return status;
}

static vn_status show_cells(vn_space_graph* graph, vni_boxes_graph kind, vn_detail* detail) {
    const vni_occupancy* occupancy = &graph->space->occupancy;
    vni_live_boxes_def def = {.allocator = graph->allocator, .history = 1};
    memcpy(def.dims, occupancy->dims, sizeof def.dims);
    const vn_status status = vni_live_cells_make(&def, graph->space, &graph->cells, detail);
    if (status != VN_OK)
        return status;

    const vni_zones* zones = graph->zones != NULL ? &graph->zones->set : NULL;
    if (zones != NULL)
        graph->cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, zones);
    vni_boxes_view_make(vni_live_boxes_pin(graph->cells), occupancy->dims, occupancy, kind,
                        zones != NULL ? &graph->cost : NULL, &graph->view);
    graph->graph = vni_boxes_view_graph(&graph->view);
    if (zones != NULL && vni_zones_weigh(zones))
        graph->graph.capabilities |= VN_GRAPH_HAS_ZONES;
    return VN_OK;
}

vn_status vn_space_graph_create(const vn_space* space, const vn_space_graph_def* def, vn_space_graph** out,
                                vn_detail* detail) {
    VNI_ASSERT(space != NULL && def != NULL && out != NULL);
    *out = NULL;
    vn_status status = check(space, def, detail);
    if (status != VN_OK)
        return status;

    vn_space_graph* graph = VNI_NEW(&def->allocator, vn_space_graph);
    if (graph == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a graph");
    graph->allocator = def->allocator;
    graph->space = space;
    graph->is_grid = def->kind == VN_NAV_GRID6 || def->kind == VN_NAV_GRID26;
    status = take_zones(graph, def, detail);
    if (status == VN_OK && graph->is_grid)
        status = show_grid(graph, def->kind == VN_NAV_GRID26 ? 26 : 6, detail);
    else if (status == VN_OK)
        status = show_cells(
            graph, def->kind == VN_NAV_CELLS_CENTRE ? VNI_BOXES_CENTRES : VNI_BOXES_TRANSITIONS, detail);

    if (status == VN_OK)
        *out = graph;
    else
        vn_space_graph_destroy(graph);
    return status;
}

void vn_space_graph_destroy(vn_space_graph* graph) {
    if (graph == NULL)
        return;
    const vn_allocator allocator = graph->allocator;
    if (graph->view.version != NULL)
        vni_live_boxes_unpin(graph->cells, graph->view.version);
    vni_live_boxes_free(graph->cells);
    VNI_DELETE(&allocator, graph->zones);
    VNI_DELETE(&allocator, graph);
}

// --------------------------------------------------------------------------------------------- as a source

static const vn_graph* source_graph(void* self) {
    return &((const vn_space_graph*)self)->graph;
}

static uint64_t source_version(void* self) {
    (void)self;
    return 1;
}

static vn_status source_set_end(void* self, uint32_t node, vn_point point) {
    vn_space_graph* graph = (vn_space_graph*)self;
    const vn_space* space = graph->space;
    vn_voxel voxel = {-1, -1, -1}, low = {-1, -1, -1}; // no voxel, no cell
    if (node > VN_GOAL_NODE)
        return VN_BAD_ARGUMENT;

    const bool is_free = vni_space_free_voxel_at(space, point, &voxel);
    if (!is_free)
        voxel = (vn_voxel){-1, -1, -1};
    if (graph->is_grid) {
        (void)vni_live_grid_set_end(&graph->grid, node, voxel);
    } else {
        (void)vni_cells_low_at(&space->cells, voxel, &low);
        (void)vni_boxes_view_set_end(&graph->view, node, point, low);
    }

    if (is_free)
        return VN_OK;
    return vni_point_is_within(point, space->occupancy.dims) ? VN_BLOCKED : VN_OUTSIDE;
}

/// There is one version.
static vn_status source_advance(void* self, uint64_t version) {
    (void)self;
    (void)version;
    return VN_OK;
}

static vn_status source_get_changes(void* self, uint64_t version, vn_node_changes* out) {
    (void)self;
    *out = (vn_node_changes){.version = version};
    return VN_STALE;
}

vn_graph_source vn_space_graph_source(vn_space_graph* graph) {
    VNI_ASSERT(graph != NULL);
    return (vn_graph_source){.self = graph,
                             .graph = source_graph,
                             .version = source_version,
                             .set_end = source_set_end,
                             .advance = source_advance,
                             .get_changes = source_get_changes};
}
