/// The graphs over boxes and voxels against all pairs of boxes: nodes, edges, costs, bends, A* and corridors.
#include "cmocka_all.h"
#include "support.h"
#include "voxels.h"

#include "classic/views.h"
#include "geom/vec.h"
#include "graph/cost.h"
#include "search/best_first.h"
#include "space/sight.h"
#include "space/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS 1200
#define MAX_NODES 2600

typedef enum source { BY_HAND, LEAVES, MERGED, VOXELS, SOURCE_COUNT } source;

/// A node as the test sees it: the cells that it lies on, the second the same as the first if it is only one.
typedef struct node {
    uint32_t id, cells[2];
    vn_point point;
} node;

typedef struct setting {
    source from;
    vni_view_kind kind;
    vnt_voxels voxels;
    vn_space* space;
    vni_octree tree;
    vni_boxes boxes;
    vni_grid grid;
    vni_view view;
    vni_graph graph;

    vni_box cells[MAX_CELLS]; ///< boxes in their order, or free voxels
    uint32_t cell_count;
    node nodes[MAX_NODES]; ///< the last two: start and goal
    uint32_t node_count;
} setting;

static setting scene; // large

// ------------------------------------------------------------------------------------------ boxes by hand

static bool is_all_free(const vnt_voxels* voxels, const vni_box* box) {
    for (int32_t z = box->low[2]; z < box->high[2]; ++z)
        for (int32_t y = box->low[1]; y < box->high[1]; ++y)
            for (int32_t x = box->low[0]; x < box->high[0]; ++x)
                if (!vnt_voxels_are_free(voxels, x, y, z))
                    return false;
    return true;
}

/// Cuts at random places, until a part is free and chance does not want it cut.
static void cut(setting* s, vni_rng* rng, vni_box box) {
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
static int axis_between(const vni_box* a, const vni_box* b) {
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

static void make_boxes_by_hand(setting* s) {
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

// ------------------------------------------------------------------------------------------- the test's own
// model

static vn_point middle(const vni_box* a, const vni_box* b) {
    int32_t at[3];
    for (int i = 0; i < 3; ++i) {
        int32_t low = a->low[i] > b->low[i] ? a->low[i] : b->low[i];
        int32_t high = a->high[i] < b->high[i] ? a->high[i] : b->high[i];
        at[i] = (low + high) * VN_LATTICE / 2;
    }
    return (vn_point){at[0], at[1], at[2]};
}

static void add_node(setting* s, uint32_t id, uint32_t a, uint32_t b, vn_point point) {
    assert_true(s->node_count < MAX_NODES);
    s->nodes[s->node_count++] = (node){id, {a, b}, point};
}

static void add_transition(setting* s, uint32_t a, uint32_t b, uint32_t id) {
    add_node(s, id, a, b, middle(&s->cells[a], &s->cells[b]));
}

/// The portals of the boxes are all pairs that share a face, once each, the lower one first.
static void add_portals(setting* s) {
    uint32_t pairs = 0;
    for (uint32_t a = 0; a < s->cell_count; ++a)
        for (uint32_t b = 0; b < s->cell_count; ++b)
            pairs += axis_between(&s->cells[a], &s->cells[b]) < 3;
    assert_int_equal(pairs, 2 * s->boxes.portal_count);
    for (uint32_t i = 0; i < s->boxes.portal_count; ++i) {
        uint32_t a = s->boxes.portals[i][0], b = s->boxes.portals[i][1];
        int axis = axis_between(&s->cells[a], &s->cells[b]);
        assert_true(axis < 3 && s->cells[a].high[axis] == s->cells[b].low[axis]);
        add_transition(s, a, b, i);
    }
}

static void add_faces(setting* s) {
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

static uint32_t cell_of(const setting* s, vn_voxel v) {
    for (uint32_t i = 0; i < s->cell_count; ++i) {
        const vni_box* box = &s->cells[i];
        if (v.x >= box->low[0] && v.y >= box->low[1] && v.z >= box->low[2] && v.x < box->high[0] &&
            v.y < box->high[1] && v.z < box->high[2])
            return i;
    }
    fail();
    return 0;
}

static bool is_end(const setting* s, uint32_t number) {
    return number + 2 >= s->node_count;
}

/// Are two nodes of the model joined?
static bool is_joined(const setting* s, uint32_t a, uint32_t b) {
    const uint32_t *ca = s->nodes[a].cells, *cb = s->nodes[b].cells;
    if (a == b)
        return false;
    bool share = ca[0] == cb[0] || ca[0] == cb[1] || ca[1] == cb[0] || ca[1] == cb[1];
    if (share || s->kind == VNI_VIEW_TRANSITIONS || is_end(s, a) || is_end(s, b))
        return share;
    return axis_between(&s->cells[ca[0]], &s->cells[cb[0]]) < 3;
}

/// Does the straight way between two centres pass through the face between their boxes? In double.
static bool passes_face(const setting* s, uint32_t a, uint32_t b) {
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

static double expected_cost(const setting* s, uint32_t a, uint32_t b) {
    vn_point from = s->nodes[a].point, to = s->nodes[b].point;
    bool centres = s->kind == VNI_VIEW_CENTRES && !is_end(s, a) && !is_end(s, b);
    if (!centres || passes_face(s, a, b))
        return vni_distance(from, to);
    vn_point at = middle(&s->cells[s->nodes[a].cells[0]], &s->cells[s->nodes[b].cells[0]]);
    return vni_distance(from, at) + vni_distance(at, to);
}

// --------------------------------------------------------------------------------------------------- scenes

static void make_cells(setting* s, vni_rng* rng) {
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

static void make_voxel_cells(setting* s) {
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
static vn_point point_in(vni_rng* rng, vn_voxel v) {
    int32_t at[3];
    for (int i = 0; i < 3; ++i) {
        uint32_t where = vni_rng_below(rng, 4);
        at[i] = where == 0 ? 0 : where == 1 ? VN_LATTICE : vni_rng_range(rng, 0, VN_LATTICE);
    }
    return (vn_point){v.x * VN_LATTICE + at[0], v.y * VN_LATTICE + at[1], v.z * VN_LATTICE + at[2]};
}

static void make_view(setting* s, vn_point start, vn_voxel start_voxel, vn_point goal, vn_voxel goal_voxel) {
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
static bool make_setting(setting* s, vni_rng* rng, source from, vni_view_kind kind, vnt_voxels voxels) {
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

static void free_setting(setting* s) {
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
static void for_scenes(vni_rng* rng, uint32_t rounds, int32_t limit,
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
static uint32_t number_of(const setting* s, uint32_t id) {
    for (uint32_t i = 0; i < s->node_count; ++i)
        if (s->nodes[i].id == id)
            return i;
    fail();
    return 0;
}

/// By number in the model: what the edge costs by the view, or below 0.
static void fill_edges(const setting* s, uint32_t from, double* costs) {
    uint32_t to[VNI_EDGE_BATCH], cursor = 0;
    double cost[VNI_EDGE_BATCH];
    const vni_edges edges = {to, cost};
    for (uint32_t i = 0; i < s->node_count; ++i)
        costs[i] = -1;
    do {
        uint32_t count = s->graph.expand(s->graph.self, s->nodes[from].id, &cursor, &edges);
        assert_true(count <= VNI_EDGE_BATCH);
        for (uint32_t i = 0; i < count; ++i)
            costs[number_of(s, to[i])] = cost[i];
    } while (cursor != 0);
}

static bool is_cube(const vni_box* box) {
    int32_t edge = box->high[0] - box->low[0];
    return box->high[1] - box->low[1] == edge && box->high[2] - box->low[2] == edge;
}

/// The straight way is free; of a bent one both parts are.
static void check_way(const setting* s, uint32_t a, uint32_t b) {
    const node *from = &s->nodes[a], *to = &s->nodes[b];
    const vni_occupancy* occupancy = &s->space->occupancy;
    vn_point at;
    if (vni_view_bend(&s->view, from->id, to->id, &at)) {
        assert_false(s->from == LEAVES && is_cube(&s->cells[from->cells[0]]) &&
                     is_cube(&s->cells[to->cells[0]]));
        assert_true(vni_sight(occupancy, from->point, at) && vni_sight(occupancy, at, to->point));
        assert_true(vni_point_is_plain(occupancy, at));
    } else {
        assert_true(vni_sight(occupancy, from->point, to->point));
        assert_true(s->graph.visible(s->graph.self, from->id, to->id));
    }
}

static void check_edges(setting* s, vni_rng* rng) {
    static double costs[MAX_NODES];
    (void)rng;
    uint32_t step = 1 + s->node_count / 60;
    for (uint32_t i = 0; i < s->node_count; i += i + 3 < s->node_count ? step : 1) {
        vn_point at;
        s->graph.points(s->graph.self, &s->nodes[i].id, 1, &at);
        assert_memory_equal(&at, &s->nodes[i].point, sizeof at);
        assert_true(is_end(s, i) || vni_point_is_plain(&s->space->occupancy, at));
        vni_box box = vni_view_box(&s->view, s->nodes[i].id);
        assert_memory_equal(&box, &s->cells[s->nodes[i].cells[0]], sizeof box);
        fill_edges(s, i, costs);
        for (uint32_t k = 0; k < s->node_count; ++k) {
            assert_int_equal(costs[k] >= 0, is_joined(s, i, k));
            if (costs[k] < 0)
                continue;
            assert_true(fabs(costs[k] - expected_cost(s, i, k)) <= 1e-9);
            assert_true(fabs(costs[k] - expected_cost(s, k, i)) <= 1e-9);
            check_way(s, i, k);
        }
    }
}

static void test_edges(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view edges", 901));
    for_scenes(&rng, vnt_scale(25, 400), 7, check_edges);
}

/// A plate with its voxels at z = `at` (0 or 1) made one box, and single voxels on its other side; `both`:
/// the ends lie in it, else one of them in a voxel.
static void make_plate(setting* s, vni_rng* rng, vn_voxel dims, int32_t at, bool both) {
    const uint32_t plate = (uint32_t)(dims.x * dims.y);
    vn_allocator allocator = vn_default_allocator();
    vni_octree_def def = {VNI_ROOT_CUBE, 0, UINT32_MAX};
    while (1 << def.min_depth < dims.x || 1 << def.min_depth < dims.y)
        ++def.min_depth;
    s->from = BY_HAND;
    s->voxels = vnt_voxels_make(dims);
    s->space = vnt_voxels_space(&s->voxels);
    make_voxel_cells(s);
    if (at == 0)
        memmove(s->cells, s->cells + plate, plate * sizeof s->cells[0]);
    s->cells[plate] = (vni_box){{0, 0, at}, {dims.x, dims.y, at + 1}};
    s->cell_count = plate + 1;
    assert_int_equal(vni_octree_make(&allocator, &s->space->occupancy, &def, &s->tree, NULL), VN_OK);
    make_boxes_by_hand(s);
    const vn_voxel start = {1, 0, at}, goal = {3, 0, both ? at : 1 - at};
    make_view(s, point_in(rng, start), start, point_in(rng, goal), goal);
}

/// A bar beside a row of single voxels: as many portals as it is long, around the size of a batch; and a
/// plate.
static void test_batches(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view batches", 902));
    for (int32_t length = 59; length <= 67; ++length)
        for (int i = 0; i < 8; ++i) {
            const vn_voxel dims = {length < 67 ? length : 17, length < 67 ? 1 : 11, 2};
            scene.kind = i & 1 ? VNI_VIEW_CENTRES : VNI_VIEW_TRANSITIONS;
            make_plate(&scene, &rng, dims, i >> 1 & 1, i & 4);
            check_edges(&scene, &rng);
            free_setting(&scene);
        }
}

// --------------------------------------------------------------------------------------------------- search

/// Dijkstra over the model, without a heap; the cost of the goal.
static double least_cost(const setting* s) {
    static double g[MAX_NODES];
    static bool closed[MAX_NODES];
    for (uint32_t i = 0; i < s->node_count; ++i) {
        g[i] = HUGE_VAL;
        closed[i] = false;
    }
    g[s->node_count - 2] = 0;
    for (;;) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < s->node_count; ++i)
            if (!closed[i] && g[i] < HUGE_VAL && (best == UINT32_MAX || g[i] < g[best]))
                best = i;
        if (best == UINT32_MAX || best == s->node_count - 1)
            return g[s->node_count - 1];
        closed[best] = true;
        for (uint32_t i = 0; i < s->node_count; ++i)
            if (!closed[i] && is_joined(s, best, i) && g[best] + expected_cost(s, best, i) < g[i])
                g[i] = g[best] + expected_cost(s, best, i);
    }
}

/// The cell beyond the portal, seen from a cell; fails if the portal is not the whole face between the two.
static uint32_t beyond(const setting* s, uint32_t cell, const vni_portal* portal) {
    for (uint32_t i = 0; i < s->cell_count; ++i) {
        const vni_box *a = &s->cells[cell], *b = &s->cells[i];
        int axis = axis_between(a, b);
        if (axis != portal->axis)
            continue;
        bool equal = portal->plane == (float)(a->low[axis] < b->low[axis] ? a->high[axis] : a->low[axis]);
        for (int k = 0; k < 2; ++k) {
            int across = vni_other_axes[axis][k];
            int32_t low = a->low[across] > b->low[across] ? a->low[across] : b->low[across];
            int32_t high = a->high[across] < b->high[across] ? a->high[across] : b->high[across];
            equal = equal && portal->low[k] == (float)low && portal->high[k] == (float)high;
        }
        if (equal)
            return i;
    }
    fail();
    return 0;
}

/// Crossings lie in their portals, and the way over them is no longer than the way over the nodes.
static void check_crossings(const setting* s, const uint32_t* nodes, uint32_t count,
                            const vni_portal* portals, float (*crossings)[3], uint32_t found) {
    double along = 0, over = 0;
    for (uint32_t i = 1; i < count; ++i)
        along += expected_cost(s, number_of(s, nodes[i - 1]), number_of(s, nodes[i]));
    vn_point at = s->nodes[number_of(s, nodes[0])].point,
             last = s->nodes[number_of(s, nodes[count - 1])].point;
    for (uint32_t i = 0; i < found; ++i) {
        const vni_portal* p = &portals[i];
        assert_true(fabsf(crossings[i][p->axis] - p->plane) <= 1e-5f);
        for (int k = 0; k < 2; ++k) {
            float c = crossings[i][vni_other_axes[p->axis][k]];
            assert_true(c >= p->low[k] - 1e-5f && c <= p->high[k] + 1e-5f);
        }
        vn_point next = {(int32_t)floorf(crossings[i][0] * VN_LATTICE + 0.5f),
                         (int32_t)floorf(crossings[i][1] * VN_LATTICE + 0.5f),
                         (int32_t)floorf(crossings[i][2] * VN_LATTICE + 0.5f)};
        over += vni_distance(at, next);
        at = next;
    }
    assert_true(over + vni_distance(at, last) <= along + 0.002 * (found + 1));
}

/// The portals lead from the cell of the first node to one of the last.
static void check_corridor(const setting* s, const uint32_t* nodes, uint32_t count) {
    static vni_portal portals[MAX_NODES], few[MAX_NODES];
    static float crossings[MAX_NODES][3];
    uint32_t found = vni_view_corridor(&s->view, nodes, count, portals, crossings, MAX_NODES);
    assert_true(found <= count);
    uint32_t some = found / 2, cell = s->nodes[number_of(s, nodes[0])].cells[0];
    few[some].axis = -7;
    assert_int_equal(vni_view_corridor(&s->view, nodes, count, few, NULL, some), found);
    assert_memory_equal(few, portals, some * sizeof few[0]);
    assert_int_equal(few[some].axis, -7);
    for (uint32_t i = 0; i < found; ++i)
        cell = beyond(s, cell, &portals[i]);
    const uint32_t* last = s->nodes[number_of(s, nodes[count - 1])].cells;
    assert_true(cell == last[0] || cell == last[1]);
    check_crossings(s, nodes, count, portals, crossings, found);
}

static void check_search(setting* s, vni_rng* rng) {
    (void)rng;
    vn_allocator allocator = vn_default_allocator();
    vni_scratch scratch;
    vni_best_first search;
    vni_cost cost = vni_cost_length(VNI_METRIC_EUCLIDEAN, 26);
    uint32_t limit = s->graph.node_limit;
    assert_int_equal(vni_scratch_make(&allocator, limit, limit, &scratch), VN_OK);
    double least = least_cost(s);
    for (int i = 0; i < 3; ++i) { // A*, Dijkstra, greedy
        const vni_best_first_def def = {i < 2, i != 1, false, false, 0};
        assert_int_equal(vni_best_first_begin(&search, &def, &s->graph, &cost, &scratch,
                                              vni_view_start(&s->view), vni_view_goal(&s->view)),
                         VN_OK);
        assert_int_equal(vni_best_first_step(&search, UINT64_MAX), least < HUGE_VAL ? VN_OK : VN_NO_PATH);
        if (least == HUGE_VAL)
            break;
        double found = vni_best_first_g(&search, vni_view_goal(&s->view));
        assert_true(found >= least - 1e-9 && (i == 2 || found <= least + 1e-9));
        static uint32_t row[MAX_NODES];
        uint32_t count = 0;
        for (uint32_t at = vni_view_goal(&s->view); at != VNI_NO_NODE;
             at = vni_best_first_parent(&search, at))
            row[MAX_NODES - ++count] = at;
        check_corridor(s, row + (MAX_NODES - count), count);
    }
    vni_scratch_free(&scratch);
}

static void test_searches(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view searches", 903));
    for_scenes(&rng, vnt_scale(30, 500), 6, check_search);
}

/// Rows that no search would find: there and back, along portals that are not passed.
static void check_random_rows(setting* s, vni_rng* rng) {
    static double costs[MAX_NODES];
    uint32_t row[12] = {vni_view_start(&s->view)}, count = 1;
    for (uint32_t at = s->node_count - 2; count < 12; ++count) {
        uint32_t joined = 0, taken = 0;
        fill_edges(s, at, costs);
        for (uint32_t i = 0; i < s->node_count; ++i)
            joined += costs[i] >= 0;
        if (joined == 0)
            break;
        taken = vni_rng_below(rng, joined);
        for (uint32_t i = 0; i < s->node_count; ++i)
            if (costs[i] >= 0 && taken-- == 0)
                at = i;
        row[count] = s->nodes[at].id;
    }
    check_corridor(s, row, count);
}

static void test_random_rows(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view rows", 904));
    for_scenes(&rng, vnt_scale(30, 400), 6, check_random_rows);
}

// -------------------------------------------------------------------------------------------- centres of
// voxels

static void test_centres_of_voxels(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("view voxels", 905));
    const vn_voxel dims = {9, 6, 5}, start = {1, 2, 3}, goal = {7, 5, 0};
    setting* s = &scene;
    s->voxels = vnt_voxels_make(dims);
    s->space = vnt_voxels_space(&s->voxels);
    make_voxel_cells(s);
    for (uint32_t neighbours = 6; neighbours <= 26; neighbours += 20) {
        vni_view view;
        s->grid.neighbours = neighbours;
        assert_int_equal(vni_view_of_voxels(&s->grid, VNI_VIEW_CENTRES, point_in(&rng, start), start,
                                            point_in(&rng, goal), goal, &view),
                         VN_OK);
        assert_int_equal(vni_view_start(&view), vni_grid_node(&s->grid, start));
        assert_int_equal(vni_view_goal(&view), vni_grid_node(&s->grid, goal));
        vni_graph graph = vni_view_graph(&view);
        assert_true((graph.capabilities & VNI_IS_GRID) && graph.grid == &s->grid);
        assert_int_equal(graph.node_limit, vni_view_limit_of_voxels(&s->grid, VNI_VIEW_CENTRES));
        uint32_t row[6];
        for (int32_t i = 0; i < 6; ++i)
            row[i] = vni_grid_node(&s->grid, (vn_voxel){1 + i, 2, 3});
        vni_portal portals[6];
        uint32_t found = vni_view_corridor(&view, row, 6, portals, NULL, 6);
        assert_int_equal(found, neighbours == 6 ? 5 : UINT32_MAX);
        for (int32_t i = 0; i < 5 && neighbours == 6; ++i) {
            const vni_portal want = {0, (float)(2 + i), {2, 3}, {3, 4}};
            assert_memory_equal(&portals[i], &want, sizeof want);
        }
        vni_box box = vni_view_box(&view, row[4]), want = {{5, 2, 3}, {6, 3, 4}};
        assert_memory_equal(&box, &want, sizeof box);
        vn_point at;
        assert_false(vni_view_bend(&view, row[0], row[1], &at));
        assert_int_equal(vni_view_corridor(&view, row, 1, portals, NULL, 6),
                         neighbours == 6 ? 0 : UINT32_MAX);
    }
    vn_space_destroy(s->space);
    vnt_voxels_free(&s->voxels);
}

/// Ids of faces do not fit where those of voxels do.
static void test_too_large(void** state) {
    (void)state;
    const vn_voxel dims = {1200, 1200, 1200}, low = {0, 0, 0};
    vn_allocator allocator = vn_default_allocator();
    vni_occupancy occupancy;
    assert_int_equal(vni_occupancy_make(&allocator, dims, &occupancy, NULL), VN_OK);
    vni_view view;
    vn_point at = {0, 0, 0};
    assert_int_equal(vni_grid_make(&occupancy, 26, &scene.grid, NULL), VN_OK);
    assert_int_equal(vni_view_of_voxels(&scene.grid, VNI_VIEW_CENTRES, at, low, at, low, &view), VN_OK);
    assert_int_equal(vni_view_of_voxels(&scene.grid, VNI_VIEW_TRANSITIONS, at, low, at, low, &view),
                     VN_TOO_LARGE);
    vni_occupancy_free(&occupancy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),     cmocka_unit_test(test_batches),
        cmocka_unit_test(test_searches),  cmocka_unit_test(test_random_rows),
        cmocka_unit_test(test_too_large), cmocka_unit_test(test_centres_of_voxels)};
    return cmocka_run_group_tests_name("classic/views", tests, NULL, NULL);
}
