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
    *out = VNI_NEW(&roadmap->allocator, vn_roadmap_view);
    if (*out == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a view of a roadmap");

    (*out)->roadmap = roadmap;
    (*out)->version = vni_roadmap_pin(roadmap);
    attach(*out);
    return VN_OK;
}

void vn_roadmap_view_destroy(vn_roadmap_view* view) {
    if (view == NULL)
        return;
    vni_roadmap_unpin(view->roadmap, view->version);
    VNI_DELETE(&view->roadmap->allocator, view);
}

void vn_roadmap_view_advance(vn_roadmap_view* view) {
    VNI_ASSERT(view != NULL);
    const vni_roadmap_version* old = view->version;
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
