/// nav/graph.c: one reader's graph of a layer: a pinned version, a view of it, and the changes that lead to
/// it. On any thread; what is shared is touched under the monitor, or in a ring.
#include "base/alloc.h"
#include "base/fail.h"
#include "live/boxes_view.h"
#include "live/cells.h"
#include "nav/live_inside.h"

#include <string.h>

#define GRAPH_COOKIE 0x6e677201u

struct vn_nav_graph {
    vn_nav* nav;
    vn_nav_graph_def def;
    uint32_t layer;
    vni_nav_version* version;      ///< pinned
    const vni_slot_version* slots; ///< of cells: the graph in that version, pinned; otherwise null
    const vn_space* space;         ///< its layer
    bool has_end[2];
    vn_point ends[2];

    // the view, by kind
    vni_boxes_view boxes;
    vni_live_grid grid;
    vni_zone_buffer* zones; ///< null: length
    vni_cost cost;
    vn_graph graph;

    // what the last advance went through: versions [first, first + count)
    uint64_t first;
    uint32_t count;
    const vni_ring_item** held;  ///< history of them: vni_boxes_delta, or vni_nav_record for grids
    const vn_changes* looked_at; ///< whose bricks the source gave out last; null: none
};

vn_nav_graph_def vn_default_nav_graph_def(void) {
    return (vn_nav_graph_def){.kind = VN_NAV_CELLS_PORTAL, .cookie = GRAPH_COOKIE};
}

static bool is_grid(const vn_nav_graph* graph) {
    return graph->def.kind == VN_NAV_GRID6 || graph->def.kind == VN_NAV_GRID26;
}

static vni_boxes_graph kind_of(const vn_nav_graph* graph) {
    return graph->def.kind == VN_NAV_CELLS_CENTRE ? VNI_BOXES_CENTRES : VNI_BOXES_TRANSITIONS;
}

// ---------- versions

static void unpin(const vn_nav_graph* graph) {
    vn_nav* nav = graph->nav;
    if (graph->slots != NULL)
        vni_live_boxes_unpin(nav->fixed.live->followers[graph->layer].boxes, graph->slots);
    if (graph->version == NULL)
        return;
    vni_nav_enter(nav);
    vni_nav_version_unpin(nav, graph->version);
    vni_nav_leave(nav);
}

/// Goes on to the newest version that is not after `most`, or stays: a graph over cells may have to be
/// brought up to it.
static vn_status pin_newest(vn_nav_graph* graph, uint64_t most, vn_detail* detail) {
    vn_nav* nav = graph->nav;
    vni_nav_version* version;
    const vni_slot_version* slots = NULL;
    if (is_grid(graph)) {
        vni_nav_enter(nav);
        version = vni_nav_version_upto(nav, most, graph->version);
        ++version->pins;
        vni_nav_leave(nav);
    } else {
        version = graph->version;
        const vn_status status = vni_nav_follow(nav, graph->layer, most, &version, &slots, detail);
        if (status != VN_OK)
            return status;
    }

    unpin(graph);
    graph->version = version;
    graph->slots = slots;
    graph->space = version->view.spaces[graph->layer];
    return VN_OK;
}

static const vni_zones* take_zones(vn_nav_graph* graph) {
    if (graph->zones == NULL)
        return NULL;
    const vni_nav_zones* zones = &graph->version->zones;
    const vni_frame frame = {graph->space->low, (double)graph->space->resolution};
    vni_zone_buffer_clear(graph->zones);
    vni_zone_buffer_add(graph->zones, zones->items, zones->count, graph->def.zone_flags, &frame);
    return &graph->zones->set;
}

/// The view of the pinned version, with the ends that are set.
static vn_status show(vn_nav_graph* graph, vn_detail* detail) {
    const vni_zones* zones = take_zones(graph);
    const vni_occupancy* occupancy = &graph->space->occupancy;
    if (is_grid(graph)) {
        const vn_status status = vni_live_grid_make(occupancy, graph->def.kind == VN_NAV_GRID26 ? 26 : 6,
                                                    zones, &graph->grid, detail);
        if (status != VN_OK)
            return status;
        graph->graph = vni_live_grid_graph(&graph->grid);
    } else {
        if (zones != NULL)
            graph->cost = vni_cost_zones(VNI_METRIC_EUCLIDEAN, 26, zones);
        vni_boxes_view_make(graph->slots, occupancy->dims, occupancy, kind_of(graph),
                            zones != NULL ? &graph->cost : NULL, &graph->boxes);
        graph->graph = vni_boxes_view_graph(&graph->boxes);
        if (zones != NULL && vni_zones_weigh(zones))
            graph->graph.capabilities |= VN_GRAPH_HAS_ZONES;
    }

    for (uint32_t end = 0; end < 2; ++end)
        if (graph->has_end[end])
            (void)vn_nav_graph_set_end(graph, end, graph->ends[end]);
    return VN_OK;
}

// ---------- making and freeing

/// The layer of the def; UINT32_MAX if there is none that is dynamic.
static uint32_t find_layer(vn_nav* nav, const vn_nav_graph_def* def) {
    vni_nav_enter(nav);
    const vn_layers* layers = &nav->shared.newest->view;
    const vn_space* space = vn_layers_find(layers, (double)def->radius, def->open_flags);
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < layers->count; ++i)
        if (layers->spaces[i] == space && nav->fixed.dynamic[i] != NULL)
            found = i;
    vni_nav_leave(nav);
    return found;
}

static vn_status check(vn_nav* nav, const vn_nav_graph_def* def, uint32_t* layer, vn_detail* detail) {
    if (def->cookie != GRAPH_COOKIE)
        return vni_fail(detail, VN_BAD_DEF, "start from vn_default_nav_graph_def, then change what you need");
    if ((unsigned)def->kind >= VN_NAV_GRAPH_KINDS || !(nav->fixed.def.graphs >> def->kind & 1u))
        return vni_fail(detail, VN_UNSUPPORTED,
                        "the nav does not follow graphs of kind %d: set their bit in vn_nav_def.graphs",
                        (int)def->kind);

    *layer = find_layer(nav, def);
    if (*layer == UINT32_MAX)
        return vni_fail(detail, VN_UNSUPPORTED, "no dynamic layer serves an agent of radius %g",
                        (double)def->radius);
    return VN_OK;
}

vn_status vn_nav_graph_create(vn_nav* nav, const vn_nav_graph_def* def, vn_nav_graph** out,
                              vn_detail* detail) {
    VNI_ASSERT(nav != NULL && def != NULL && out != NULL);
    *out = NULL;
    uint32_t layer = 0;
    vn_status status = check(nav, def, &layer, detail);
    if (status != VN_OK)
        return status;

    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_LAYERS);
    vn_nav_graph* graph = VNI_NEW(allocator, vn_nav_graph);
    if (graph == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a graph");

    graph->nav = nav;
    graph->def = *def;
    graph->layer = layer;
    graph->held = VNI_NEW_ARRAY(allocator, const vni_ring_item*, nav->fixed.def.history);
    graph->zones = def->zones ? VNI_NEW(allocator, vni_zone_buffer) : NULL;
    status = graph->held == NULL || (def->zones && graph->zones == NULL)
                 ? vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for a graph")
                 : pin_newest(graph, UINT64_MAX, detail);
    if (status == VN_OK)
        status = show(graph, detail);

    if (status == VN_OK)
        *out = graph;
    else
        vn_nav_graph_destroy(graph);
    return status;
}

// ---------- changes

static vni_ring* ring_of(const vn_nav_graph* graph) {
    vni_nav_live* live = graph->nav->fixed.live;
    return is_grid(graph) ? &live->ring : vni_live_boxes_ring(live->followers[graph->layer].boxes);
}

static void let_go(vn_nav_graph* graph) {
    for (uint32_t i = 0; i < graph->count; ++i)
        vni_ring_release(ring_of(graph), graph->held[i]);
    graph->count = 0;
    if (graph->looked_at != NULL)
        vn_nav_release_changes(graph->nav, graph->looked_at);
    graph->looked_at = NULL;
}

void vn_nav_graph_destroy(vn_nav_graph* graph) {
    if (graph == NULL)
        return;
    vn_nav* nav = graph->nav;
    const vn_allocator* allocator = vni_nav_allocator(nav, VNI_PART_LAYERS);
    let_go(graph);
    unpin(graph);
    VNI_DELETE_ARRAY(allocator, graph->held, nav->fixed.def.history);
    VNI_DELETE(allocator, graph->zones);
    VNI_DELETE(allocator, graph);
}

vn_status vn_nav_graph_advance(vn_nav_graph* graph) {
    return vn_nav_graph_advance_to(graph, UINT64_MAX);
}

vn_status vn_nav_graph_advance_to(vn_nav_graph* graph, uint64_t version) {
    VNI_ASSERT(graph != NULL);
    const uint64_t from = graph->version->number;
    vn_status status = pin_newest(graph, version, NULL);
    if (status != VN_OK)
        return status;
    let_go(graph);
    (void)show(graph, NULL); // the dims are the same: it fits as before

    // all of them or none: what is missing makes the rest useless
    const uint64_t missed = graph->version->number - from;
    status = missed > graph->nav->fixed.def.history ? VN_STALE : VN_OK;
    graph->first = from + 1;
    for (uint64_t i = 0; i < missed && status == VN_OK; ++i) {
        status = vni_ring_hold(ring_of(graph), graph->first + i, &graph->held[i]);
        graph->count += status == VN_OK;
    }

    if (status != VN_OK)
        let_go(graph);
    return status == VN_OK ? VN_OK : VN_STALE;
}

vn_status vn_nav_graph_get_changes(const vn_nav_graph* graph, uint64_t version, vn_node_changes* out) {
    VNI_ASSERT(graph != NULL && out != NULL);
    *out = (vn_node_changes){.version = version};
    if (version < graph->first || version - graph->first >= graph->count)
        return VN_STALE;

    const vni_ring_item* item = graph->held[version - graph->first];
    if (!is_grid(graph)) {
        *out = vni_boxes_delta_nodes((const vni_boxes_delta*)(const void*)item, kind_of(graph));
        return VN_OK;
    }

    const vni_nav_record* record = (const vni_nav_record*)(const void*)item;
    const vni_grid_delta* delta = &record->grids[graph->layer][graph->def.kind == VN_NAV_GRID26];
    *out = (vn_node_changes){version,           delta->came.items, delta->went.items,   delta->changed.items,
                             delta->came.count, delta->went.count, delta->changed.count};
    return VN_OK;
}

// ---------- reading

const vn_graph* vn_nav_graph_get(const vn_nav_graph* graph) {
    VNI_ASSERT(graph != NULL);
    return &graph->graph;
}

uint64_t vn_nav_graph_version(const vn_nav_graph* graph) {
    VNI_ASSERT(graph != NULL);
    return graph->version->number;
}

const vn_space* vn_nav_graph_space(const vn_nav_graph* graph) {
    VNI_ASSERT(graph != NULL);
    return graph->space;
}

static void put_end(vn_nav_graph* graph, uint32_t end, vn_voxel voxel) {
    if (is_grid(graph)) {
        (void)vni_live_grid_set_end(&graph->grid, end, voxel);
        return;
    }

    vn_voxel low = {-1, -1, -1}; // no box
    (void)vni_cells_low_at(&graph->space->cells, voxel, &low);
    (void)vni_boxes_view_set_end(&graph->boxes, end, graph->ends[end], low);
}

vn_status vn_nav_graph_set_end(vn_nav_graph* graph, uint32_t end, vn_point point) {
    VNI_ASSERT(graph != NULL);
    if (end > 1)
        return VN_BAD_ARGUMENT;

    vn_voxel voxel = {-1, -1, -1};
    const bool is_free = vni_space_free_voxel_at(graph->space, point, &voxel);
    if (!is_free)
        voxel = (vn_voxel){-1, -1, -1};

    graph->has_end[end] = true;
    graph->ends[end] = point;
    put_end(graph, end, voxel);
    if (is_free)
        return VN_OK;
    return vni_point_is_within(point, graph->space->occupancy.dims) ? VN_BLOCKED : VN_OUTSIDE;
}

// ---------- as a source of planners

static const vn_graph* source_graph(void* self) {
    return vn_nav_graph_get((const vn_nav_graph*)self);
}

static uint64_t source_version(void* self) {
    return vn_nav_graph_version((const vn_nav_graph*)self);
}

static vn_status source_set_end(void* self, uint32_t node, vn_point point) {
    return vn_nav_graph_set_end((vn_nav_graph*)self, node, point);
}

static vn_status source_advance(void* self, uint64_t version) {
    return vn_nav_graph_advance_to((vn_nav_graph*)self, version != 0 ? version : UINT64_MAX);
}

static vn_status source_get_changes(void* self, uint64_t version, vn_node_changes* out) {
    return vn_nav_graph_get_changes((const vn_nav_graph*)self, version, out);
}

static vn_status source_get_bricks(void* self, uint64_t version, const vn_brick_change** out,
                                   uint32_t* count) {
    vn_nav_graph* graph = (vn_nav_graph*)self;
    if (graph->looked_at != NULL)
        vn_nav_release_changes(graph->nav, graph->looked_at);
    graph->looked_at = NULL;

    const vn_status status = vn_nav_get_changes(graph->nav, version, &graph->looked_at);
    *out = status == VN_OK ? graph->looked_at->layers[graph->layer].bricks : NULL;
    *count = status == VN_OK ? graph->looked_at->layers[graph->layer].brick_count : 0;
    return status;
}

vn_graph_source vn_nav_graph_source(vn_nav_graph* graph) {
    VNI_ASSERT(graph != NULL);
    return (vn_graph_source){.self = graph,
                             .graph = source_graph,
                             .version = source_version,
                             .set_end = source_set_end,
                             .advance = source_advance,
                             .get_changes = source_get_changes,
                             .get_bricks = source_get_bricks};
}
