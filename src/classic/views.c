/// classic/views.c: four graphs over boxes and voxels.
#include "classic/views.h"
#include "geom/units.h"
#include "geom/vec.h"
#include "graph/cost.h"
#include "probe/sight.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ where nodes are

static vn_point portal_point(const vni_boxes* boxes, uint32_t portal) {
    VNI_ASSERT(portal < boxes->portal_count);
    const uint32_t* pair = boxes->portals[portal];
    const vni_portal shared = vni_boxes_portal(&boxes->boxes[pair[0]], &boxes->boxes[pair[1]]);
    return vni_portal_centre(&shared);
}

void vni_view_centres(const vni_boxes* boxes, vn_point* out) {
    for (uint32_t i = 0; i < boxes->portal_count; ++i)
        out[i] = portal_point(boxes, i);
}

static vn_point face_point(const vni_grid* grid, uint32_t face) {
    vn_point p = vn_voxel_center(vni_grid_voxel(grid, face / 3));
    int32_t* across[3] = {&p.x, &p.y, &p.z};
    *across[face % 3] -= VN_LATTICE / 2;
    return p;
}

static vn_point point_of(const vni_view* view, uint32_t node) {
    bool centres = view->kind == VNI_VIEW_CENTRES;
    VNI_ASSERT(view->boxes != NULL || !centres); // centres of voxels are the grid's

    if (node >= view->node_count) {
        VNI_ASSERT(node <= view->goal);
        return view->ends[node - view->node_count];
    }

    if (view->boxes == NULL)
        return face_point(view->grid, node);
    if (centres)
        return vni_box_centre(&view->boxes->boxes[node]);

    return view->centres != NULL ? view->centres[node] : portal_point(view->boxes, node);
}

static void view_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    const vni_view* view = (const vni_view*)self;
    for (uint32_t i = 0; i < count; ++i)
        out[i] = point_of(view, nodes[i]);
}

static bool view_visible(const void* self, uint32_t a, uint32_t b) {
    const vni_view* view = (const vni_view*)self;
    return vni_sight(view->occupancy, point_of(view, a), point_of(view, b));
}

// ---------------------------------------------------------------------------------------------------- bends

static bool bends_at(const vni_boxes* boxes, uint32_t portal, vn_point* at) {
    const uint32_t* pair = boxes->portals[portal];
    if (vni_box_is_straight(&boxes->boxes[pair[0]], &boxes->boxes[pair[1]]))
        return false;
    *at = portal_point(boxes, portal);
    return true;
}

bool vni_view_bend(const vni_view* view, uint32_t a, uint32_t b, vn_point* at) {
    if (view->follow != NULL)
        return view->kind == VNI_VIEW_CENTRES && a >= VN_FIRST_NODE && b >= VN_FIRST_NODE &&
               vni_boxes_view_bend(&view->live, a, b, at);
    if (view->boxes == NULL || view->kind != VNI_VIEW_CENTRES || a >= view->node_count ||
        b >= view->node_count)
        return false;
    const vni_boxes* boxes = view->boxes;
    uint32_t few = boxes->first[a + 1] - boxes->first[a] < boxes->first[b + 1] - boxes->first[b] ? a : b;

    uint32_t other = few == a ? b : a;
    for (uint32_t i = boxes->first[few]; i < boxes->first[few + 1]; ++i) {
        uint32_t portal = boxes->on_box[i];
        if (boxes->portals[portal][0] == other || boxes->portals[portal][1] == other)
            return bends_at(boxes, portal, at);
    }

    return false;
}

// ------------------------------------------------------------------------------------------ centres of boxes

/// An end is joined with its box's centre, and with the other end in the same box.
static uint32_t expand_end(const vni_view* view, uint32_t end, const vn_edges* out) {
    out->to[0] = view->end_cells[end];
    out->cost[0] = vni_distance(view->ends[end], point_of(view, out->to[0]));
    if (view->end_cells[0] != view->end_cells[1])
        return 1;

    out->to[1] = view->node_count + 1 - end;
    out->cost[1] = vni_distance(view->ends[0], view->ends[1]);
    return 2;
}

/// The cursor counts through the portals of the box, then through the two ends.
static uint32_t expand_centre(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const vni_view* view = (const vni_view*)self;
    const vni_boxes* boxes = view->boxes;
    if (node >= view->node_count)
        return expand_end(view, node - view->node_count, out);

    uint32_t first = boxes->first[node], portals = boxes->first[node + 1] - first, count = 0;
    vn_point from = point_of(view, node), at;
    for (; *cursor < portals && count < VN_EDGE_BATCH; ++*cursor, ++count) {
        uint32_t portal = boxes->on_box[first + *cursor];
        const uint32_t* pair = boxes->portals[portal];
        uint32_t other = pair[0] == node ? pair[1] : pair[0];
        vn_point to = point_of(view, other);
        out->to[count] = other;
        out->cost[count] = bends_at(boxes, portal, &at) ? vni_distance(from, at) + vni_distance(at, to)
                                                        : vni_distance(from, to);
    }

    if (count + 2 > VN_EDGE_BATCH)
        return count; // the ends come with the next batch
    for (uint32_t end = 0; end < 2; ++end)
        if (view->end_cells[end] == node) {
            out->to[count] = view->node_count + end;
            out->cost[count++] = vni_distance(from, view->ends[end]);
        }

    *cursor = 0;
    return count;
}

// -------------------------------------------------------------------------------------- transitions of boxes

static uint32_t expand_portal(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    const vni_view* view = (const vni_view*)self;
    uint32_t count = vni_incidence_expand(&view->incidence, node, cursor, out->to);
    vn_point from = point_of(view, node);
    for (uint32_t i = 0; i < count; ++i)
        out->cost[i] = vni_distance(from, point_of(view, out->to[i]));
    return count;
}

// ------------------------------------------------------------------------------------- transitions of voxels

/// The voxel below a face, by its node.
static uint32_t node_below(const vni_grid* grid, uint32_t face) {
    vn_voxel v = vni_grid_voxel(grid, face / 3);
    v.x -= face % 3 == 0;
    v.y -= face % 3 == 1;
    v.z -= face % 3 == 2;
    VNI_ASSERT(vni_occupancy_free_at(grid->occupancy, v.x, v.y, v.z));
    return vni_grid_node(grid, v);
}

/// The faces of a voxel that lead to free ones, and the ends in it; `node` is left out.
static uint32_t gather_faces(const vni_view* view, uint32_t cell, uint32_t node, uint32_t* to,
                             uint32_t count) {
    const vni_grid* grid = view->grid;
    VNI_ASSERT(count + 8 <= VN_EDGE_BATCH);

    uint32_t free = vni_grid_free_around(grid->occupancy, vni_grid_voxel(grid, cell));
    for (uint32_t d = 0; d < 6; ++d) {
        if ((free & grid->needs[d]) != grid->needs[d])
            continue;
        const int32_t* step = grid->step[d];
        uint32_t axis = step[0] ? 0 : step[1] ? 1 : 2, beyond = cell + grid->offset[cell & 63][d];
        to[count] = 3 * (step[axis] < 0 ? cell : beyond) + axis;
        count += to[count] != node;
    }

    for (uint32_t end = 0; end < 2; ++end)
        if (view->end_cells[end] == cell && view->node_count + end != node)
            to[count++] = view->node_count + end;

    return count;
}

static uint32_t expand_face(const void* self, uint32_t node, uint32_t* cursor, const vn_edges* out) {
    VNI_ASSERT(*cursor == 0); // one batch holds them all

    (void)cursor;
    const vni_view* view = (const vni_view*)self;
    uint32_t count;
    if (node >= view->node_count) {
        count = gather_faces(view, view->end_cells[node - view->node_count], node, out->to, 0);
    } else {
        count = gather_faces(view, node_below(view->grid, node), node, out->to, 0);
        count = gather_faces(view, node / 3, node, out->to, count);
    }

    vn_point from = point_of(view, node);
    for (uint32_t i = 0; i < count; ++i)
        out->cost[i] = vni_distance(from, point_of(view, out->to[i]));

    return count;
}

// --------------------------------------------------------------------------------------------------- making

uint64_t vni_view_limit_of_boxes(const vni_boxes* boxes, vni_view_kind kind) {
    return (uint64_t)(kind == VNI_VIEW_CENTRES ? boxes->box_count : boxes->portal_count) + 2;
}

uint64_t vni_view_limit_of_voxels(const vni_grid* grid, vni_view_kind kind) {
    uint64_t nodes = vni_grid_graph(grid).node_limit;
    return kind == VNI_VIEW_CENTRES ? nodes : 3 * nodes + 2;
}

/// An end, and the box or voxel that it lies in.
static void set_end(vni_view* view, uint32_t end, vn_point point, vn_voxel voxel) {
    view->ends[end] = point;
    if (view->follow != NULL) {
        vni_box box;
        const bool found = vni_follow_at(view->follow, voxel, &box) &&
                           vni_boxes_view_set_end(&view->live, end, point, vni_box_low(&box));
        VNI_ASSERT(found);
        (void)found;
        view->end_cells[end] = view->live.end_boxes[end];
    } else if (view->boxes != NULL) {
        view->end_cells[end] = view->incidence.end_cells[end] = vni_boxes_at(view->boxes, voxel);
        VNI_ASSERT(view->end_cells[end] < view->boxes->box_count);
    } else {
        view->end_cells[end] = vni_grid_node(view->grid, voxel);
        VNI_ASSERT(vni_occupancy_free_at(view->occupancy, voxel.x, voxel.y, voxel.z));
    }
}

void vni_view_aim(vni_view* view, vn_point goal, vn_voxel goal_voxel) {
    set_end(view, 1, goal, goal_voxel);
    if (view->follow != NULL) {
        view->goal = VN_GOAL_NODE;
        return;
    }

    bool has_ends = view->boxes != NULL || view->kind == VNI_VIEW_TRANSITIONS;
    view->goal = has_ends ? view->node_count + 1 : view->end_cells[1];
}

vn_status vni_view_of_boxes(const vni_boxes* boxes, const vni_occupancy* occupancy, vni_view_kind kind,
                            vn_point start, vn_voxel start_voxel, vn_point goal, vn_voxel goal_voxel,
                            vni_view* out) {
    memset(out, 0, sizeof *out);
    uint64_t limit = vni_view_limit_of_boxes(boxes, kind);
    if (limit > UINT32_MAX)
        return VN_TOO_LARGE;

    out->boxes = boxes;
    out->occupancy = occupancy;
    out->kind = kind;
    out->node_count = out->start = (uint32_t)limit - 2;
    out->incidence =
        (vni_incidence){boxes->first,           boxes->on_box,       (const unsigned char*)boxes->portals,
                        sizeof *boxes->portals, boxes->portal_count, {0, 0}};
    set_end(out, 0, start, start_voxel);
    vni_view_aim(out, goal, goal_voxel);

    return VN_OK;
}

vn_status vni_view_of_voxels(const vni_grid* grid, vni_view_kind kind, vn_point start, vn_voxel start_voxel,
                             vn_point goal, vn_voxel goal_voxel, vni_view* out) {
    memset(out, 0, sizeof *out);
    uint64_t limit = vni_view_limit_of_voxels(grid, kind);
    if (limit > UINT32_MAX)
        return VN_TOO_LARGE;

    bool has_ends = kind == VNI_VIEW_TRANSITIONS;
    out->grid = grid;
    out->occupancy = grid->occupancy;
    out->kind = kind;
    out->node_count = (uint32_t)limit - (has_ends ? 2 : 0);
    set_end(out, 0, start, start_voxel);
    out->start = has_ends ? out->node_count : out->end_cells[0];
    vni_view_aim(out, goal, goal_voxel);

    return VN_OK;
}

void vni_view_of_follow(const vni_follow* follow, const vni_slot_version* version,
                        const vni_occupancy* occupancy, vni_view_kind kind, vn_point start,
                        vn_voxel start_voxel, vn_point goal, vn_voxel goal_voxel, vni_view* out) {
    memset(out, 0, sizeof *out);
    vni_boxes_view_make(version, occupancy->dims, occupancy,
                        kind == VNI_VIEW_CENTRES ? VNI_BOXES_CENTRES : VNI_BOXES_TRANSITIONS, NULL,
                        &out->live);
    out->follow = follow;
    out->occupancy = occupancy;
    out->kind = kind;
    out->start = VN_START_NODE;
    set_end(out, 0, start, start_voxel);
    vni_view_aim(out, goal, goal_voxel);
}

static bool view_bend(const void* self, uint32_t a, uint32_t b, vn_point* at) {
    return vni_view_bend((const vni_view*)self, a, b, at);
}

vn_graph vni_view_graph(const vni_view* view) {
    VNI_ASSERT((view->boxes != NULL) + (view->grid != NULL) + (view->follow != NULL) == 1);

    if (view->follow != NULL)
        return vni_boxes_view_graph(&view->live);

    bool centres = view->kind == VNI_VIEW_CENTRES;
    if (view->grid != NULL && centres)
        return vni_grid_graph(view->grid);

    vn_graph graph = {0};
    graph.self = view;
    graph.node_limit = view->node_count + 2;
    graph.capabilities = VN_GRAPH_SEES;
    graph.expand = view->grid != NULL ? expand_face : centres ? expand_centre : expand_portal;
    vni_graph_set_symmetric(&graph);
    graph.points = view_points;
    graph.visible = view_visible;
    graph.bend = centres ? view_bend : NULL;

    return graph;
}

// ------------------------------------------------------------------------------------------------- corridor

/// The boxes that a node lies on, or the voxels as nodes of the grid; twice the same if it is only one.
static void cells_of(const vni_view* view, uint32_t node, uint32_t out[2]) {
    if (view->follow != NULL && node >= VN_FIRST_NODE) {
        const uint32_t slot = node - VN_FIRST_NODE;
        out[0] = out[1] = slot;
        if (view->kind == VNI_VIEW_TRANSITIONS)
            memcpy(out, vni_live_portal_at(view->live.version, slot)->boxes, 2 * sizeof *out);
    } else if (view->follow != NULL)
        out[0] = out[1] = view->end_cells[node];
    else if (node >= view->node_count)
        out[0] = out[1] = view->end_cells[node - view->node_count];
    else if (view->kind == VNI_VIEW_CENTRES)
        out[0] = out[1] = node;
    else if (view->boxes != NULL)
        memcpy(out, view->boxes->portals[node], 2 * sizeof *out);
    else {
        out[0] = node_below(view->grid, node);
        out[1] = node / 3;
    }
}

/// The cell that the path is in at nodes[i], of centres; after it, of transitions.
static uint32_t cell_on_way(const vni_view* view, const uint32_t* nodes, uint32_t i) {
    uint32_t here[2], next[2];
    cells_of(view, nodes[i], here);
    if (view->kind == VNI_VIEW_CENTRES)
        return here[0];

    cells_of(view, nodes[i + 1], next);
    uint32_t shared = here[0] == next[0] || here[0] == next[1] ? here[0] : here[1];
    VNI_ASSERT(shared == next[0] || shared == next[1]);
    return shared;
}

static vni_box box_of_cell(const vni_view* view, uint32_t cell) {
    if (view->boxes != NULL)
        return view->boxes->boxes[cell];
    if (view->follow != NULL)
        return vni_live_box_at(view->live.version, cell)->box;
    vn_voxel v = vni_grid_voxel(view->grid, cell);
    return (vni_box){{v.x, v.y, v.z}, {v.x + 1, v.y + 1, v.z + 1}};
}

/// Boxes that share a face touch along one axis only.
static vni_portal portal_between(const vni_box* a, const vni_box* b) {
    bool is_lower = a->high[0] == b->low[0] || a->high[1] == b->low[1] || a->high[2] == b->low[2];
    return is_lower ? vni_boxes_portal(a, b) : vni_boxes_portal(b, a);
}

/// Where the path from box a to box b passes their portal: at its centre, or where the straight segment
/// between the boxes' centres does.
static void cross(const vni_view* view, const vni_box* a, const vni_box* b, const vni_portal* portal,
                  float out[3]) {
    vn_point at = vni_portal_centre(portal);
    const int32_t centre[3] = {at.x, at.y, at.z};
    bool straight = view->kind == VNI_VIEW_CENTRES && vni_box_is_straight(a, b);
    double from = 0.5 * (a->low[portal->axis] + a->high[portal->axis]);
    double to = 0.5 * (b->low[portal->axis] + b->high[portal->axis]);
    VNI_ASSERT(from != to);

    double t = ((double)portal->plane - from) / (to - from);
    for (int k = 0; k < 3; ++k) {
        double low = 0.5 * (a->low[k] + a->high[k]), high = 0.5 * (b->low[k] + b->high[k]);
        out[k] = straight ? (float)(low + t * (high - low)) : vni_steps_to_voxels_f((float)centre[k]);
    }
}

uint32_t vni_view_corridor(const vni_view* view, const uint32_t* nodes, uint32_t count, vni_portal* portals,
                           float (*crossings)[3], uint32_t capacity) {
    bool centres = view->kind == VNI_VIEW_CENTRES;
    if (view->grid != NULL && centres && view->grid->neighbours == 26)
        return UINT32_MAX;

    uint32_t cells = centres || count == 0 ? count : count - 1, found = 0;
    for (uint32_t i = 0, before = 0; i < cells; ++i) {
        uint32_t cell = cell_on_way(view, nodes, i);
        if (i > 0 && cell != before && found++ < capacity) {
            vni_box a = box_of_cell(view, before), b = box_of_cell(view, cell);
            portals[found - 1] = portal_between(&a, &b);
            if (crossings != NULL)
                cross(view, &a, &b, &portals[found - 1], crossings[found - 1]);
        }

        before = cell;
    }

    return found;
}

vni_box vni_view_box(const vni_view* view, uint32_t node) {
    uint32_t cells[2];
    cells_of(view, node, cells);
    return box_of_cell(view, cells[0]);
}
