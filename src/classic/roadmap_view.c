/// classic/roadmap_view.c: readers of a roadmap, and what it tells of itself.
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/roadmap_inside.h"

#include <string.h>

void vn_roadmap_get_info(const vn_roadmap* roadmap, vn_roadmap_info* out) {
    VNI_ASSERT(roadmap != NULL && out != NULL);
    const vni_hybrid* h = &roadmap->hybrid;
    const vni_waypoints* w = &roadmap->newest->waypoints;
    const bool is_hybrid = roadmap->kind == VN_ROADMAP_HYBRID;
    *out = (vn_roadmap_info){.kind = roadmap->kind,
                             .version = roadmap->newest->number,
                             .nodes = is_hybrid ? h->node_count : w->node_count,
                             .edges = is_hybrid ? h->edge_count : w->to_count,
                             .static_nodes = h->node_count - h->dynamic_count - h->neighbour_count,
                             .dynamic_nodes = h->dynamic_count,
                             .neighbour_nodes = h->neighbour_count,
                             .blocked = w->node_count - w->free_count,
                             .without = w->without,
                             .left = roadmap->left};
}

void vn_roadmap_get_memory(const vn_roadmap* roadmap, vn_memory* out) {
    memset(out, 0, sizeof *out);
    vni_memory_add(out, "nodes and edges",
                   roadmap->kind == VN_ROADMAP_HYBRID ? vni_hybrid_bytes(&roadmap->hybrid)
                                                      : vni_waypoints_bytes(&roadmap->newest->waypoints));
    vni_memory_add(out, "states", (size_t)vni_bits_words(roadmap->hybrid.edge_count) * sizeof(uint64_t));
    vni_memory_add(out, "roadmap", sizeof *roadmap);
}

static void attach(vn_roadmap_view* view) {
    if (view->roadmap->kind == VN_ROADMAP_HYBRID) {
        vni_hybrid_view_make(&view->version->hybrid, &view->hybrid);
        view->graph = vni_hybrid_view_graph(&view->hybrid);
    } else {
        vni_waypoints_view_make(&view->version->waypoints, &view->waypoints);
        view->graph = vni_waypoints_view_graph(&view->waypoints);
    }
}

vn_status vn_roadmap_view_create(vn_roadmap* roadmap, vn_roadmap_view** out, vn_detail* detail) {
    VNI_ASSERT(roadmap != NULL && out != NULL);
    *out = NULL;
    vn_roadmap_view* view = VNI_NEW(&roadmap->allocator, vn_roadmap_view);
    if (view == NULL || !vni_held_make(&roadmap->allocator, &roadmap->deltas, &view->held)) {
        VNI_DELETE(&roadmap->allocator, view);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a view of a roadmap");
    }

    view->roadmap = roadmap;
    view->version = vni_roadmap_pin(roadmap);
    attach(view);
    *out = view;
    return VN_OK;
}

void vn_roadmap_view_destroy(vn_roadmap_view* view) {
    if (view == NULL)
        return;
    vni_held_free(&view->roadmap->allocator, &view->held);
    vni_roadmap_unpin(view->roadmap, view->version);
    VNI_DELETE(&view->roadmap->allocator, view);
}

void vn_roadmap_view_advance(vn_roadmap_view* view) {
    VNI_ASSERT(view != NULL);
    const vni_roadmap_version* old = view->version;
    vni_held_release(&view->held);
    view->version = vni_roadmap_pin(view->roadmap);
    vni_roadmap_unpin(view->roadmap, old);
    attach(view);
}

uint64_t vn_roadmap_view_version(const vn_roadmap_view* view) {
    return view->version->number;
}

const vn_space* vn_roadmap_view_space(const vn_roadmap_view* view) {
    return view->version->space;
}

const vn_graph* vn_roadmap_view_graph(const vn_roadmap_view* view) {
    return &view->graph;
}

vn_status vn_roadmap_view_set_end(vn_roadmap_view* view, uint32_t node, vn_point point) {
    VNI_ASSERT(view != NULL && node <= VN_GOAL_NODE);
    vni_ends* ends = view->roadmap->kind == VN_ROADMAP_HYBRID ? &view->hybrid.ends : &view->waypoints.ends;
    const vn_space* space = view->version->space;
    vn_voxel voxel;
    if (!vni_space_free_voxel_at(space, point, &voxel)) {
        ends->at[node] = (vni_end){0};
        ends->see = false;
        return vni_point_is_within(point, space->occupancy.dims) ? VN_BLOCKED : VN_OUTSIDE;
    }

    if (view->roadmap->kind == VN_ROADMAP_HYBRID)
        vni_hybrid_view_set_end(&view->hybrid, node, point, voxel);
    else
        vni_waypoints_view_set_end(&view->waypoints, node, point);
    return VN_OK;
}

// ------------------------------------------------------------------------------------ as a source of
// planners

static const vn_graph* source_graph(void* self) {
    return vn_roadmap_view_graph((const vn_roadmap_view*)self);
}

static uint64_t source_version(void* self) {
    return vn_roadmap_view_version((const vn_roadmap_view*)self);
}

static vn_status source_set_end(void* self, uint32_t node, vn_point point) {
    return vn_roadmap_view_set_end((vn_roadmap_view*)self, node, point);
}

/// There is the newest version only.
static vn_status source_advance(void* self, uint64_t version) {
    (void)version;
    vn_roadmap_view* view = (vn_roadmap_view*)self;
    const uint64_t from = view->version->number;
    vn_roadmap_view_advance(view);
    return vni_held_take(&view->held, from, view->version->number);
}

static vn_status source_get_changes(void* self, uint64_t version, vn_node_changes* out) {
    const vn_roadmap_view* view = (const vn_roadmap_view*)self;
    const vni_ring_item* item;
    const vn_status status = vni_held_find(&view->held, version, &item);
    *out = item != NULL ? vni_roadmap_delta_nodes((const vni_roadmap_delta*)item)
                        : (vn_node_changes){.version = version};
    return status;
}

static vn_status source_get_bricks(void* self, uint64_t version, const vn_brick_change** out,
                                   uint32_t* count) {
    const vn_roadmap_view* view = (const vn_roadmap_view*)self;
    const vni_ring_item* item;
    const vn_status status = vni_held_find(&view->held, version, &item);
    const vni_roadmap_delta* delta = (const vni_roadmap_delta*)item;
    *out = delta != NULL ? delta->bricks : NULL;
    *count = delta != NULL ? delta->brick_count : 0;
    return status;
}

vn_graph_source vn_roadmap_view_source(vn_roadmap_view* view) {
    VNI_ASSERT(view != NULL);
    return (vn_graph_source){.self = view,
                             .graph = source_graph,
                             .version = source_version,
                             .set_end = source_set_end,
                             .advance = source_advance,
                             .get_changes = source_get_changes,
                             .get_bricks = source_get_bricks};
}
