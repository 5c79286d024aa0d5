/// classic/classic_view.c: the graphs of a classic that follows, for planners: views, changes by node, and a
/// source.
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/classic_inside.h"
#include "live/held.h"

struct vn_classic_view {
    vn_classic* classic;
    vn_classic_graph kind;
    vni_boxes_view view;
    vn_graph graph;
    vni_held held; ///< what the source's last advance went through
};

static vni_boxes_graph graph_of(vn_classic_graph graph) {
    return graph == VN_GRAPH_CENTRES ? VNI_BOXES_CENTRES : VNI_BOXES_TRANSITIONS;
}

static vn_status refuse(vn_detail* detail) {
    return vni_fail(detail, VN_BAD_ARGUMENT,
                    "only a classic that follows changes has such graphs: set `follows` in its def");
}

// ---------------------------------------------------------------------------------------------------- views

/// Shows the newest version.
static void attach(vn_classic_view* view) {
    const vni_occupancy* occupancy = &view->classic->space->occupancy;
    vni_boxes_view_make(vni_live_boxes_pin(view->classic->follow.boxes), occupancy->dims, occupancy,
                        graph_of(view->kind), NULL, &view->view);
    view->graph = vni_boxes_view_graph(&view->view);
}

vn_status vn_classic_view_create(vn_classic* classic, vn_classic_graph graph, vn_classic_view** out,
                                 vn_detail* detail) {
    VNI_ASSERT(classic != NULL && out != NULL);
    *out = NULL;
    if (!classic->follows)
        return refuse(detail);

    vn_classic_view* view = VNI_NEW(&classic->allocator, vn_classic_view);
    if (view == NULL ||
        !vni_held_make(&classic->allocator, vni_live_boxes_ring(classic->follow.boxes), &view->held)) {
        VNI_DELETE(&classic->allocator, view);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for a view of a classic");
    }

    view->classic = classic;
    view->kind = graph;
    attach(view);
    *out = view;
    return VN_OK;
}

void vn_classic_view_destroy(vn_classic_view* view) {
    if (view == NULL)
        return;
    vni_held_free(&view->classic->allocator, &view->held);
    vni_live_boxes_unpin(view->classic->follow.boxes, view->view.version);
    VNI_DELETE(&view->classic->allocator, view);
}

void vn_classic_view_advance(vn_classic_view* view) {
    VNI_ASSERT(view != NULL);
    const vni_slot_version* old = view->view.version;
    vni_held_release(&view->held);
    attach(view);
    vni_live_boxes_unpin(view->classic->follow.boxes, old);
}

uint64_t vn_classic_view_version(const vn_classic_view* view) {
    return view->view.version->number;
}

const vn_graph* vn_classic_view_graph(const vn_classic_view* view) {
    return &view->graph;
}

vn_status vn_classic_view_set_end(vn_classic_view* view, uint32_t node, vn_point point) {
    VNI_ASSERT(view != NULL && node <= VN_GOAL_NODE);
    const vn_classic* classic = view->classic;
    vni_endpoint end;
    vn_status status = view->view.version->number != classic->follow.version ? VN_STALE : VN_OK;
    if (status == VN_OK)
        status = vni_classic_place(classic, point, 0, &end);

    vni_box box = {{-1, -1, -1}, {0, 0, 0}}; // there is none
    if (status == VN_OK)
        (void)vni_follow_at(&classic->follow, end.voxel, &box);
    const bool is_set = vni_boxes_view_set_end(&view->view, node, point, vni_box_low(&box));
    return status == VN_OK && !is_set ? VN_BLOCKED : status;
}

// -------------------------------------------------------------------------------------------------- changes

vn_status vn_classic_hold_changes(const vn_classic* classic, vn_classic_graph graph, uint64_t version,
                                  vn_held_changes* out, vn_detail* detail) {
    VNI_ASSERT(classic != NULL && out != NULL);
    *out = (vn_held_changes){0};
    if (!classic->follows)
        return refuse(detail);

    const vni_boxes_delta* delta;
    const vn_status status = vni_live_boxes_hold(classic->follow.boxes, version, &delta);
    if (status == VN_STALE)
        return vni_fail(detail, status, "the changes of version %llu are not kept any more: begin anew",
                        (unsigned long long)version);
    if (status != VN_OK)
        return vni_fail(detail, status, "there are no changes of version %llu", (unsigned long long)version);

    out->nodes = vni_boxes_delta_nodes(delta, graph_of(graph));
    out->held = delta;
    return VN_OK;
}

void vn_classic_release_changes(const vn_classic* classic, vn_held_changes* changes) {
    if (changes->held != NULL)
        vni_live_boxes_release(classic->follow.boxes, (const vni_boxes_delta*)changes->held);
    *changes = (vn_held_changes){0};
}

// ------------------------------------------------------------------------------------ as a source of
// planners

static const vn_graph* source_graph(void* self) {
    return vn_classic_view_graph((const vn_classic_view*)self);
}

static uint64_t source_version(void* self) {
    return vn_classic_view_version((const vn_classic_view*)self);
}

static vn_status source_set_end(void* self, uint32_t node, vn_point point) {
    return vn_classic_view_set_end((vn_classic_view*)self, node, point);
}

/// There is the newest version only.
static vn_status source_advance(void* self, uint64_t version) {
    (void)version;
    vn_classic_view* view = (vn_classic_view*)self;
    const uint64_t from = vn_classic_view_version(view);
    vn_classic_view_advance(view);
    return vni_held_take(&view->held, from, vn_classic_view_version(view));
}

static vn_status source_get_changes(void* self, uint64_t version, vn_node_changes* out) {
    const vn_classic_view* view = (const vn_classic_view*)self;
    const vni_ring_item* item;
    const vn_status status = vni_held_find(&view->held, version, &item);
    *out = item != NULL
               ? vni_boxes_delta_nodes((const vni_boxes_delta*)(const void*)item, graph_of(view->kind))
               : (vn_node_changes){.version = version};
    return status;
}

vn_graph_source vn_classic_view_source(vn_classic_view* view) {
    VNI_ASSERT(view != NULL);
    return (vn_graph_source){.self = view,
                             .graph = source_graph,
                             .version = source_version,
                             .set_end = source_set_end,
                             .advance = source_advance,
                             .get_changes = source_get_changes};
}
