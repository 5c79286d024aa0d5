/// tests/unit/classic/views_scene.h: random boxes and voxels with the graphs over them, and the same graphs
/// by brute force over all pairs of boxes.
#ifndef VNT_VIEWS_SCENE_H
#define VNT_VIEWS_SCENE_H

#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "classic/views.h"
#include "geom/vec.h"
#include "graph/cost.h"
#include "space/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS 1200
#define MAX_NODES 2600

typedef enum source { BY_HAND, LEAVES, MERGED, VOXELS, SOURCE_COUNT } source;

/// A node as the test sees it: the cells that it lies on, the second the same as the first if it is only one.
typedef struct spot {
    uint32_t id, cells[2];
    vn_point point;
} spot;

typedef struct setting {
    source from;
    vni_view_kind kind;
    vnt_voxels voxels;
    vn_space* space;
    vni_octree tree;
    vni_boxes boxes;
    vni_grid grid;
    vni_view view;
    vn_graph graph;

    vni_box cells[MAX_CELLS]; ///< boxes in their order, or free voxels
    uint32_t cell_count;
    spot nodes[MAX_NODES]; ///< the last two: start and goal
    uint32_t node_count;
} setting;

static setting scene; // too large for the stack

// ------------------------------------------------------------------------------------------ boxes by hand

static inline bool is_all_free(const vnt_voxels* voxels, const vni_box* box) {
    for (int32_t z = box->low[2]; z < box->high[2]; ++z)
        for (int32_t y = box->low[1]; y < box->high[1]; ++y)
            for (int32_t x = box->low[0]; x < box->high[0]; ++x)
                if (!vnt_voxels_are_free(voxels, x, y, z))
                    return false;
    return true;
}

/// Cuts at random places, until a part is free and chance does not want it cut.
static inline void cut(setting* s, vni_rng* rng, vni_box box) {
    int32_t longest = 0;
    for (int i = 0; i < 3; ++i)
        longest = box.high[i] - box.low[i] > longest ? box.high[i] - box.low[i] : longest;

    bool is_free = is_all_free(&s->voxels, &box);
    if (is_free && (longest == 1 || vni_rng_below(rng, 3))) {
        assert_true(s->cell_count < MAX_CELLS);
        s->cells[s->cell_count++] = box;
        return;
    }

    if (longest == 1)
        return;
    int axis;
    do
        axis = (int)vni_rng_below(rng, 3);

    while (box.high[axis] - box.low[axis] == 1);
    vni_box upper = box;
    box.high[axis] = upper.low[axis] = vni_rng_range(rng, box.low[axis] + 1, box.high[axis] - 1);
    cut(s, rng, box);
    cut(s, rng, upper);
}

/// The axis across the face that two boxes share; 3 if they share none.
static inline int axis_between(const vni_box* a, const vni_box* b) {
    int touching = 3;
    for (int i = 0; i < 3; ++i) {
        int32_t low = a->low[i] > b->low[i] ? a->low[i] : b->low[i];
        int32_t high = a->high[i] < b->high[i] ? a->high[i] : b->high[i];
        if (low > high || (low == high && touching < 3))
            return 3;
        if (low == high)
            touching = i;
    }

    return touching;
}

static inline void make_boxes_by_hand(setting* s) {
    vni_boxes* out = &s->boxes;
    memset(out, 0, sizeof *out);
    out->tree = &s->tree;
    out->box_count = s->cell_count;
    out->boxes = malloc((s->cell_count + 1) * sizeof *out->boxes);
    memcpy(out->boxes, s->cells, s->cell_count * sizeof *out->boxes);

    out->of_leaf = malloc((s->tree.leaf_count + 1) * sizeof *out->of_leaf);
    for (uint32_t leaf = 0; leaf < s->tree.leaf_count; ++leaf) {
        vni_box voxel = vni_octree_leaf_box(&s->tree, leaf);
        for (uint32_t i = 0; i < s->cell_count; ++i) {
            const vni_box* box = &s->cells[i];
            bool holds = true;
            for (int k = 0; k < 3; ++k)
                holds = holds && voxel.low[k] >= box->low[k] && voxel.high[k] <= box->high[k];
            if (holds)
                out->of_leaf[leaf] = i;
        }
    }

    out->portals = malloc(MAX_NODES * sizeof *out->portals);
    out->on_box = malloc(2 * MAX_NODES * sizeof *out->on_box);
    out->first = calloc(s->cell_count + 1, sizeof *out->first);
    for (uint32_t a = 0; a < s->cell_count; ++a)
        for (uint32_t b = 0; b < s->cell_count; ++b) {
            int axis = axis_between(&s->cells[a], &s->cells[b]);
            if (axis == 3 || s->cells[a].low[axis] > s->cells[b].low[axis])
                continue;
            assert_true(out->portal_count < MAX_NODES - 2);
            out->portals[out->portal_count][0] = a;
            out->portals[out->portal_count++][1] = b;
        }

    uint32_t count = 0;
    for (uint32_t box = 0; box < s->cell_count; ++box) {
        for (uint32_t i = 0; i < out->portal_count; ++i)
            if (out->portals[i][0] == box || out->portals[i][1] == box)
                out->on_box[count++] = i;
        out->first[box + 1] = count;
    }
}

// ------------------------------------------------------------------------------------- the test's own model

static inline vn_point middle(const vni_box* a, const vni_box* b) {
    int32_t at[3];
    for (int i = 0; i < 3; ++i) {
        int32_t low = a->low[i] > b->low[i] ? a->low[i] : b->low[i];
        int32_t high = a->high[i] < b->high[i] ? a->high[i] : b->high[i];
        at[i] = (low + high) * VN_LATTICE / 2;
    }

    return (vn_point){at[0], at[1], at[2]};
}

static inline void add_node(setting* s, uint32_t id, uint32_t a, uint32_t b, vn_point point) {
    assert_true(s->node_count < MAX_NODES);
    s->nodes[s->node_count++] = (spot){id, {a, b}, point};
}

static inline void add_transition(setting* s, uint32_t a, uint32_t b, uint32_t id) {
    add_node(s, id, a, b, middle(&s->cells[a], &s->cells[b]));
}

/// The portals of the boxes are all pairs that share a face, once each, the lower one first.
static inline void add_portals(setting* s) {
    uint32_t pairs = 0;
    for (uint32_t a = 0; a < s->cell_count; ++a)
        for (uint32_t b = 0; b < s->cell_count; ++b)
            pairs += axis_between(&s->cells[a], &s->cells[b]) < 3;

    assert_int_equal(pairs, 2 * s->boxes.portal_count);
    for (uint32_t i = 0; i < s->boxes.portal_count; ++i) {
        uint32_t a = s->boxes.portals[i][0], b = s->boxes.portals[i][1];
        int axis = axis_between(&s->cells[a], &s->cells[b]);
        assert_true(axis < 3);
        assert_true(s->cells[a].high[axis] == s->cells[b].low[axis]);
        add_transition(s, a, b, i);
    }
}

static inline void add_faces(setting* s) {
    for (uint32_t a = 0; a < s->cell_count; ++a)
        for (uint32_t b = 0; b < s->cell_count; ++b) {
            int axis = axis_between(&s->cells[a], &s->cells[b]);
            const int32_t* low = s->cells[b].low;
            if (axis < 3 && s->cells[a].low[axis] < low[axis])
                add_transition(s, a, b,
                               3 * vni_grid_node(&s->grid, (vn_voxel){low[0], low[1], low[2]}) +
                                   (uint32_t)axis);
        }
}

static inline uint32_t cell_of(const setting* s, vn_voxel v) {
    for (uint32_t i = 0; i < s->cell_count; ++i) {
        const vni_box* box = &s->cells[i];
        if (v.x >= box->low[0] && v.y >= box->low[1] && v.z >= box->low[2] && v.x < box->high[0] &&
            v.y < box->high[1] && v.z < box->high[2])
            return i;
    }

    fail();
    return 0;
}

static inline bool is_end(const setting* s, uint32_t number) {
    return number + 2 >= s->node_count;
}

/// Are two nodes of the model joined?
static inline bool is_joined(const setting* s, uint32_t a, uint32_t b) {
    const uint32_t *ca = s->nodes[a].cells, *cb = s->nodes[b].cells;
    if (a == b)
        return false;

    bool share = ca[0] == cb[0] || ca[0] == cb[1] || ca[1] == cb[0] || ca[1] == cb[1];
    if (share || s->kind == VNI_VIEW_TRANSITIONS || is_end(s, a) || is_end(s, b))
        return share;
    return axis_between(&s->cells[ca[0]], &s->cells[cb[0]]) < 3;
}

/// Does the straight segment between two centres pass through the face between their boxes? In double.
static inline bool passes_face(const setting* s, uint32_t a, uint32_t b) {
    const vni_box *box_a = &s->cells[s->nodes[a].cells[0]], *box_b = &s->cells[s->nodes[b].cells[0]];
    int axis = axis_between(box_a, box_b);
    const int32_t from[3] = {s->nodes[a].point.x, s->nodes[a].point.y, s->nodes[a].point.z},
                  to[3] = {s->nodes[b].point.x, s->nodes[b].point.y, s->nodes[b].point.z};
    double plane = VN_LATTICE * (box_a->low[axis] < box_b->low[axis] ? box_b->low[axis] : box_a->low[axis]);

    double t = (plane - from[axis]) / (to[axis] - from[axis]);
    for (int k = 0; k < 3; ++k) {
        double at = from[k] + t * (to[k] - from[k]);
        for (int i = 0; i < 2 && k != axis; ++i) {
            const vni_box* box = i ? box_a : box_b;
            if (at < box->low[k] * VN_LATTICE - 1e-6 || at > box->high[k] * VN_LATTICE + 1e-6)
                return false;
        }
    }

    return true;
}

static inline double expected_cost(const setting* s, uint32_t a, uint32_t b) {
    vn_point from = s->nodes[a].point, to = s->nodes[b].point;
    bool centres = s->kind == VNI_VIEW_CENTRES && !is_end(s, a) && !is_end(s, b);
    if (!centres || passes_face(s, a, b))
        return vni_distance(from, to);
    vn_point at = middle(&s->cells[s->nodes[a].cells[0]], &s->cells[s->nodes[b].cells[0]]);
    return vni_distance(from, at) + vni_distance(at, to);
}

// --------------------------------------------------------------------------------------------------- scenes

static inline void make_cells(setting* s, vni_rng* rng) {
    const vn_voxel dims = s->voxels.dims;
    vn_allocator allocator = vn_default_allocator();
    vni_octree_def def = {VNI_ROOT_CUBE, 0, UINT32_MAX};
    s->cell_count = 0;
    if (s->from == BY_HAND) { // a tree of voxels
        while (1 << def.min_depth < dims.x || 1 << def.min_depth < dims.y || 1 << def.min_depth < dims.z)
            ++def.min_depth;
        def.max_depth = def.min_depth;
    } else if (vni_rng_below(rng, 3) == 0) {
        def.root = VNI_ROOT_GCD;
    }

    assert_int_equal(vni_octree_make(&allocator, &s->space->occupancy, &def, &s->tree, NULL), VN_OK);
    if (s->from == BY_HAND) {
        cut(s, rng, (vni_box){{0, 0, 0}, {dims.x, dims.y, dims.z}});
        make_boxes_by_hand(s);
    } else {
        vn_status status = s->from == LEAVES ? vni_boxes_from_leaves(&allocator, &s->tree, &s->boxes, NULL)
                                             : vni_boxes_merged(&allocator, &s->tree, &s->boxes, NULL);
        assert_int_equal(status, VN_OK);
        assert_true(s->boxes.box_count <= MAX_CELLS);
        s->cell_count = s->boxes.box_count;
        memcpy(s->cells, s->boxes.boxes, s->cell_count * sizeof s->cells[0]);
    }
}

static inline void make_voxel_cells(setting* s) {
    s->cell_count = 0;
    const vn_voxel dims = s->voxels.dims;
    assert_int_equal(vni_grid_make(&s->space->occupancy, 6, &s->grid, NULL), VN_OK);
    for (int32_t z = 0; z < dims.z; ++z)
        for (int32_t y = 0; y < dims.y; ++y)
            for (int32_t x = 0; x < dims.x; ++x)
                if (vnt_voxels_are_free(&s->voxels, x, y, z))
                    s->cells[s->cell_count++] = (vni_box){{x, y, z}, {x + 1, y + 1, z + 1}};
}

/// A point of the closed voxel: inside it, or on a face, an edge or a corner.
static inline vn_point point_in(vni_rng* rng, vn_voxel v) {
    int32_t at[3];
    for (int i = 0; i < 3; ++i) {
        uint32_t where = vni_rng_below(rng, 4);
        at[i] = where == 0 ? 0 : where == 1 ? VN_LATTICE : vni_rng_range(rng, 0, VN_LATTICE);
    }
    return (vn_point){v.x * VN_LATTICE + at[0], v.y * VN_LATTICE + at[1], v.z * VN_LATTICE + at[2]};
}

static inline void make_view(setting* s, vn_point start, vn_voxel start_voxel, vn_point goal,
                             vn_voxel goal_voxel) {
    vn_status status = s->from == VOXELS ? vni_view_of_voxels(&s->grid, s->kind, start, start_voxel, start,
                                                              start_voxel, &s->view)
                                         : vni_view_of_boxes(&s->boxes, &s->space->occupancy, s->kind, start,
                                                             start_voxel, start, start_voxel, &s->view);
    assert_int_equal(status, VN_OK);
    vni_view_aim(&s->view, goal, goal_voxel);
    s->graph = vni_view_graph(&s->view);

    s->node_count = 0;
    if (s->kind == VNI_VIEW_CENTRES)
        for (uint32_t i = 0; i < s->cell_count; ++i)
            add_node(s, i, i, i, middle(&s->cells[i], &s->cells[i]));
    else if (s->from == VOXELS)
        add_faces(s);
    else
        add_portals(s);

    uint32_t a = cell_of(s, start_voxel), b = cell_of(s, goal_voxel);
    add_node(s, vni_view_start(&s->view), a, a, start);
    add_node(s, vni_view_goal(&s->view), b, b, goal);
    assert_int_equal(s->graph.node_limit, s->from == VOXELS ? vni_view_limit_of_voxels(&s->grid, s->kind)
                                                            : vni_view_limit_of_boxes(&s->boxes, s->kind));
}

/// False if there is no free voxel.
static inline bool make_setting(setting* s, vni_rng* rng, source from, vni_view_kind kind,
                                vnt_voxels voxels) {
    memset(&s->boxes, 0, sizeof s->boxes);
    memset(&s->tree, 0, sizeof s->tree);
    s->from = from;
    s->kind = kind;
    s->voxels = voxels;
    s->space = vnt_voxels_space(&voxels);
    vn_voxel start, goal;

    if (!vnt_random_free_voxel(rng, &voxels, &start) || !vnt_random_free_voxel(rng, &voxels, &goal))
        return false;
    if (from == VOXELS)
        make_voxel_cells(s);
    else
        make_cells(s, rng);

    if (vni_rng_below(rng, 4) == 0)
        goal = start;

    make_view(s, point_in(rng, start), start, point_in(rng, goal), goal);
    return true;
}

static inline void free_setting(setting* s) {
    if (s->from == BY_HAND) {
        free(s->boxes.boxes);
        free(s->boxes.of_leaf);
        free(s->boxes.portals);
        free(s->boxes.on_box);
        free(s->boxes.first);
    } else {
        vni_boxes_free(&s->boxes);
    }

    vni_octree_free(&s->tree);
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

/// Calls `check` for random worlds, each source and kind in turn; centres of voxels are the grid's.
static inline void for_scenes(vni_rng* rng, uint32_t rounds, int32_t limit,
                              void (*check)(setting* s, vni_rng* rng)) {
    for (uint32_t i = 0; i < rounds; ++i)
        for (int from = 0; from < SOURCE_COUNT; ++from)
            for (int kind = from == VOXELS ? VNI_VIEW_TRANSITIONS : 0; kind <= VNI_VIEW_TRANSITIONS; ++kind) {
                vnt_voxels voxels = vnt_voxels_random(rng, vnt_random_dims(rng, limit));
                if (make_setting(&scene, rng, (source)from, (vni_view_kind)kind, voxels))
                    check(&scene, rng);
                free_setting(&scene);
            }
}

// ---------------------------------------------------------------------------------------------------- edges

/// The model's number of a node.
static inline uint32_t number_of(const setting* s, uint32_t id) {
    for (uint32_t i = 0; i < s->node_count; ++i)
        if (s->nodes[i].id == id)
            return i;
    fail();
    return 0;
}

/// By number in the model: what the edge costs by the view, or below 0.
static inline void fill_edges(const setting* s, uint32_t from, double* costs) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    for (uint32_t i = 0; i < s->node_count; ++i)
        costs[i] = -1;

    do {
        uint32_t count = s->graph.expand(s->graph.self, s->nodes[from].id, &cursor, &edges);
        assert_true(count <= VN_EDGE_BATCH);
        for (uint32_t i = 0; i < count; ++i)
            costs[number_of(s, to[i])] = cost[i];
    } while (cursor != 0);
}

#endif
