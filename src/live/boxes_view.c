/// live/boxes_view.c: the two graphs over boxes.
#include "live/boxes_view.h"
#include "probe/sight.h"

/// Flag in the cursor of a portal: the nodes on its lower box are done. The rest is 1 + the number of the
/// next node on the box: the two ends first, then its portals in order.
#define ON_SECOND 0x80000000u

void vni_boxes_view_make(const vni_slot_version* version, const int32_t dims[3],
                         const vni_occupancy* occupancy, vni_boxes_graph kind, const vni_cost* cost,
                         vni_boxes_view* out) {
    *out = (vni_boxes_view){.version = version,
                            .occupancy = occupancy,
                            .kind = kind,
                            .cost = cost,
                            .dims = {dims[0], dims[1], dims[2]},
                            .end_boxes = {VNI_NO_SLOT, VNI_NO_SLOT}};
}

bool vni_boxes_view_set_end(vni_boxes_view* view, uint32_t end, vn_point point, vn_voxel box_low) {
    VNI_ASSERT(end < 2);
    view->ends[end] = point;
    view->end_boxes[end] = vni_live_find(view->version, box_low);
    return view->end_boxes[end] != VNI_NO_SLOT;
}

static vn_point centre_of(const vni_boxes_view* view, uint32_t slot) {
    const vni_box* box = &vni_live_box_at(view->version, slot)->box;
    return vni_box_middle(box->low, box->high);
}

static vn_point point_of(const vni_boxes_view* view, uint32_t node) {
    if (node < VN_FIRST_NODE) {
        VNI_ASSERT(node <= VN_GOAL_NODE);
        return view->ends[node];
    }

    const uint32_t slot = node - VN_FIRST_NODE;
    return view->kind == VNI_BOXES_CENTRES ? centre_of(view, slot)
                                           : vni_live_portal_at(view->version, slot)->point;
}

static double cost_of(const vni_boxes_view* view, vn_point a, vn_point b) {
    return view->cost != NULL ? view->cost->segment(view->cost->self, a, b) : vni_distance(a, b);
}

// ---------- the nodes on a box

/// Walks along the portals of a box, from number `first` on.
typedef struct walk {
    const vni_slot_version* version;
    uint32_t at, index; ///< record of the list, and place in it
} walk;

static walk begin_walk(const vni_slot_version* version, const vni_live_box* box, uint32_t first) {
    walk w = {version, box->list, first};
    for (; w.index >= VNI_LIVE_LIST && w.at != VNI_NO_SLOT; w.index -= VNI_LIVE_LIST)
        w.at = vni_live_list_at(version, w.at)->next;
    return w;
}

/// The next portal, or VNI_NO_SLOT.
static uint32_t next_portal(walk* w) {
    if (w->at == VNI_NO_SLOT)
        return VNI_NO_SLOT;
    const vni_live_list* list = vni_live_list_at(w->version, w->at);
    const uint32_t portal = list->portals[w->index];
    if (++w->index == VNI_LIVE_LIST) {
        w->index = 0;
        w->at = list->next;
    }

    return portal;
}

/// Appends the ends in a box, from number `*at` on, but not `node` itself.
static uint32_t gather_ends(const vni_boxes_view* view, uint32_t slot, uint32_t node, uint32_t* at,
                            uint32_t* to, uint32_t count) {
    for (; *at < 2 && count < VN_EDGE_BATCH; ++*at)
        if (view->end_boxes[*at] == slot && *at != node)
            to[count++] = *at;
    return count;
}

/// Appends the nodes on a box from number `*at` on, but not `node`: the ends, then the portals. Returns the
/// new count; `*at` is the number of portals + 2 once the box is done.
static uint32_t gather(const vni_boxes_view* view, uint32_t slot, uint32_t node, uint32_t* at, uint32_t* to,
                       uint32_t count) {
    const vni_live_box* box = vni_live_box_at(view->version, slot);
    count = gather_ends(view, slot, node, at, to, count);
    if (*at < 2)
        return count;

    walk w = begin_walk(view->version, box, *at - 2);
    for (; *at < box->count + 2 && count < VN_EDGE_BATCH; ++*at) {
        to[count] = next_portal(&w) + VN_FIRST_NODE;
        count += to[count] != node;
    }

    return count;
}

// ---------- transitions

static uint32_t expand_portal(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const vni_boxes_view* view = (const vni_boxes_view*)self;
    const bool is_end = node < VN_FIRST_NODE;
    const uint32_t* boxes =
        is_end ? &view->end_boxes[node] : vni_live_portal_at(view->version, node - VN_FIRST_NODE)->boxes;
    uint32_t second = *cursor >> 31, at = *cursor != 0 ? (*cursor & ~ON_SECOND) - 1 : 0, count = 0;
    const uint32_t sides = is_end ? (boxes[0] != VNI_NO_SLOT) : 2;

    *cursor = 0;
    for (; second < sides; ++second, at = 0) {
        count = gather(view, boxes[second], node, &at, out->to, count);
        if (at < vni_live_box_at(view->version, boxes[second])->count + 2) {
            *cursor = (at + 1) | (second ? ON_SECOND : 0);
            break;
        }
    }

    const vn_point from = point_of(view, node);
    for (uint32_t i = 0; i < count; ++i)
        out->cost[i] = cost_of(view, from, point_of(view, out->to[i]));
    return count;
}

// ---------- centres

static double cost_between(const vni_boxes_view* view, const vni_live_portal* portal) {
    const vni_box *lower = &vni_live_box_at(view->version, portal->boxes[0])->box,
                  *upper = &vni_live_box_at(view->version, portal->boxes[1])->box;
    const vn_point a = vni_box_middle(lower->low, lower->high), b = vni_box_middle(upper->low, upper->high);
    return vni_box_is_straight(lower, upper)
               ? cost_of(view, a, b)
               : cost_of(view, a, portal->point) + cost_of(view, portal->point, b);
}

/// An end is joined with the centre of its box, and with the other end in it.
static uint32_t expand_end(const vni_boxes_view* view, uint32_t end, const vn_edges* out) {
    const uint32_t box = view->end_boxes[end];
    if (box == VNI_NO_SLOT)
        return 0;

    out->to[0] = box + VN_FIRST_NODE;
    out->cost[0] = cost_of(view, view->ends[end], centre_of(view, box));
    if (view->end_boxes[1 - end] != box)
        return 1;

    out->to[1] = 1 - end;
    out->cost[1] = cost_of(view, view->ends[0], view->ends[1]);
    return 2;
}

static uint32_t expand_centre(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const vni_boxes_view* view = (const vni_boxes_view*)self;
    if (node < VN_FIRST_NODE)
        return expand_end(view, node, out);

    const uint32_t slot = node - VN_FIRST_NODE;
    const vni_live_box* box = vni_live_box_at(view->version, slot);
    uint32_t at = *cursor != 0 ? *cursor - 1 : 0;
    uint32_t count = gather_ends(view, slot, node, &at, out->to, 0);
    for (uint32_t i = 0; i < count; ++i)
        out->cost[i] = cost_of(view, centre_of(view, slot), view->ends[out->to[i]]);

    walk w = begin_walk(view->version, box, at - 2);
    for (; at < box->count + 2 && count < VN_EDGE_BATCH; ++at, ++count) {
        const vni_live_portal* portal = vni_live_portal_at(view->version, next_portal(&w));
        out->to[count] = portal->boxes[portal->boxes[0] == slot] + VN_FIRST_NODE;
        out->cost[count] = cost_between(view, portal);
    }

    *cursor = at < box->count + 2 ? at + 1 : 0;
    return count;
}

bool vni_boxes_view_bend(const vni_boxes_view* view, uint32_t a, uint32_t b, vn_point* at) {
    if (view->kind != VNI_BOXES_CENTRES || a < VN_FIRST_NODE || b < VN_FIRST_NODE)
        return false;

    const vni_live_box *x = vni_live_box_at(view->version, a - VN_FIRST_NODE),
                       *y = vni_live_box_at(view->version, b - VN_FIRST_NODE);
    vni_face face;
    if (!vni_box_face(&x->box, &y->box, &face) && !vni_box_face(&y->box, &x->box, &face))
        return false;
    if (vni_box_is_straight(&x->box, &y->box))
        return false;

    *at = vni_box_middle(face.low, face.high);
    return true;
}

// ---------- the graph

static void view_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const vni_boxes_view* view = (const vni_boxes_view*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = point_of(view, nodes[i]);
}

static bool view_visible(const void* self, uint32_t a, uint32_t b) {
    const vni_boxes_view* view = (const vni_boxes_view*)self;
    return vni_sight(view->occupancy, point_of(view, a), point_of(view, b));
}

static uint32_t key_of(const vni_boxes_view* view, uint32_t node) {
    if (node < VN_FIRST_NODE)
        return node;
    if (view->kind == VNI_BOXES_TRANSITIONS)
        return vni_live_portal_at(view->version, node - VN_FIRST_NODE)->key + 2;

    const int32_t* low = vni_live_box_at(view->version, node - VN_FIRST_NODE)->box.low;
    const uint32_t x = (uint32_t)view->dims[0], y = (uint32_t)view->dims[1];
    return (uint32_t)low[0] + x * ((uint32_t)low[1] + y * (uint32_t)low[2]) + 2;
}

static void view_keys(const void* self, const uint32_t* nodes, uint32_t count, uint32_t* out) {
    for (uint32_t i = 0; i < count; ++i)
        out[i] = key_of((const vni_boxes_view*)self, nodes[i]);
}

static bool view_bend(const void* self, uint32_t a, uint32_t b, vn_point* at) {
    return vni_boxes_view_bend((const vni_boxes_view*)self, a, b, at);
}

vn_graph vni_boxes_view_graph(const vni_boxes_view* view) {
    const bool centres = view->kind == VNI_BOXES_CENTRES;
    const vni_slots* nodes = &view->version->arrays[centres ? VNI_LIVE_BOXES : VNI_LIVE_PORTALS];
    vn_graph graph = {0};
    graph.self = view;
    graph.node_limit = nodes->limit + VN_FIRST_NODE;
    graph.capabilities = view->occupancy != NULL ? VN_GRAPH_SEES : 0;
    graph.expand = centres ? expand_centre : expand_portal;
    graph.points = view_points;
    graph.visible = view->occupancy != NULL ? view_visible : NULL;
    graph.keys = view_keys;
    graph.bend = centres ? view_bend : NULL;
    graph.least = view->cost != NULL ? view->cost->least : 1;
    vni_graph_set_symmetric(&graph);
    return graph;
}
