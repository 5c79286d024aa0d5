/// replan/field.c: Field D* (Ferguson and Stentz 2006; in 3D Carsten, Ferguson and Stentz 2006; Krafft 2019,
/// 2.2.6): D* Lite on the corners of cells. A path leaves a corner through any point of the far faces of its
/// eight cells; what it costs from there on is interpolated between the face's corners.
///
/// Each far face is split from its corner nearest to the node to its farthest: with the node, its corners are
/// steps along one, two and three axes, in six orders in each of eight cells. The best of these 48 triangles
/// is the node's *support*; it takes the place of a parent, and a node is raised with any of its corners.
///
/// Bounds. A node's cost exceeds that of a corner of its support by at least c / sqrt 3 for a step along one
/// axis, and by at least c for the others (replan/field_cell.c), which is less than their distance. So that
/// all of a support still has lesser keys than the node, the bound is the straight distance times the least
/// cost and 0.577, just below 1 / sqrt 3; then values do not depend on history. It is a weak bound. With a
/// weight w, the key of a node that falls has w times the bound, that of one that rises has the plain one
/// (as Krafft 2019, 4.3.3.1): no value that counts is too low, some may be higher than they need be.
///
/// The start is no node: the search ends when all corners of its cell are settled. Nor is the goal: the
/// corners of its cell know their way to it.
#include "replan/field.h"
#include "replan/family.h"

#include <math.h>
#include <string.h>

#define BOUND 0.577

/// Voxels: with a weight, see lower.
#define LEAST_GAIN 0.0078125 // 2^-7

/// Supports: 6 * cell + order; and two more.
enum { AT_GOAL = 48, NO_SUPPORT = 255 };

/// By order of the axes: the first two corners of the triangle, as steps from the node; the third is 7.
static const uint8_t first[6] = {1, 1, 2, 2, 4, 4}, second[6] = {3, 5, 3, 6, 5, 6};

static bool holds(uint32_t order, uint32_t step) {
    return step == first[order] || step == second[order] || step == 7;
}

static double distance(vn_voxel corner, vn_point to) {
    return vni_distance(vni_field_point(corner), to);
}

// ---------- the open set

double vni_field_bound(const vni_field* f, vn_voxel corner) {
    return BOUND * f->core->cost.least * distance(corner, f->core->leaf_point);
}

static double key_of(const vni_field* f, const vni_plan_node* node, vn_voxel corner, double* tie) {
    const bool is_over = node->g > node->rhs;
    *tie = is_over ? node->rhs : node->g;
    return *tie + (is_over ? f->core->weight : 1) * vni_field_bound(f, corner) + f->core->km;
}

static void queue(const vni_field* f, vni_plan_node* node) {
    vni_lifelong* l = f->core;
    if (node->g == node->rhs) {
        vni_lifelong_close(l, node);
        return;
    }

    const uint32_t slot = (uint32_t)(node - l->nodes.nodes), id = vni_plan_id(&l->nodes, slot);
    double tie;
    const double key = key_of(f, node, vni_field_corner_of(f, id), &tie);
    if (node->position != VNI_PLAN_OUT)
        vni_heap_update(&l->open, node->position, key, tie);
    else if (!vni_heap_push(&l->open, (vni_heap_entry){key, tie, id, slot}))
        l->is_full = true; // as many entries as nodes: cannot be
}

static void rekey(const vni_field* f) {
    vni_lifelong* l = f->core;
    l->km = 0;
    for (uint32_t i = 0; i < l->open.count; ++i) {
        vni_heap_entry* entry = &l->open.entries[i];
        entry->key = key_of(f, &l->nodes.nodes[entry->slot], vni_field_corner_of(f, entry->id), &entry->tie);
    }
    vni_open_sort(&l->open);
}

// ---------- groups

static void set_mask(vni_plan_node* node, uint32_t mask) {
    node->marks = (node->marks & ~(255u << VNI_FIELD_MASK_SHIFT)) | mask << VNI_FIELD_MASK_SHIFT;
}

static void set_support(vni_plan_node* node, uint32_t support) {
    node->marks = (node->marks & ~(255u << VNI_FIELD_SUPPORT_SHIFT)) | support << VNI_FIELD_SUPPORT_SHIFT;
}

/// Gives one node of a corner its group; true if it had another.
static bool set_group(const vni_field* f, uint32_t id, uint32_t mask) {
    vni_lifelong* l = f->core;
    if (mask == 0 && vni_plan_find(&l->nodes, id) == NULL)
        return false;
    const uint32_t slot = vni_plan_slot(&l->nodes, id);
    l->is_full = l->is_full || slot == UINT32_MAX;
    if (l->is_full)
        return false;

    vni_plan_node* node = &l->nodes.nodes[slot];
    const uint32_t before = vni_field_mask(node);
    set_mask(node, mask);
    if (mask == 0) {
        vni_lifelong_close(l, node);
        node->g = node->rhs = HUGE_VAL;
        set_support(node, NO_SUPPORT);
    }
    return before != 0 && before != mask;
}

/// Gives the nodes of a corner the groups of now; true if some that were known are others.
static bool set_groups(const vni_field* f, vn_voxel corner) {
    double cost[8];
    uint32_t groups[VNI_FIELD_GROUPS];
    f->cells->around(f->cells->self, corner, cost);
    vni_field_groups(cost, groups);

    bool differs = false;
    for (uint32_t i = 0; i < VNI_FIELD_GROUPS; ++i)
        differs = set_group(f, vni_field_id(f, corner, i), groups[i]) || differs;
    return differs;
}

static bool is_known(const vni_field* f, vn_voxel corner) {
    const vni_plan_node* node = vni_plan_find(&f->core->nodes, vni_field_id(f, corner, 0));
    return node != NULL && vni_field_mask(node) != 0;
}

/// Loads a cell after making all of its corners known.
static void reach_cell(const vni_field* f, vn_voxel low, vni_field_cell* out) {
    for (uint32_t t = 0; t < 8; ++t)
        if (!is_known(f, vni_field_corner(low, t)))
            (void)set_groups(f, vni_field_corner(low, t));
    vni_field_load(f, low, out);
}

// ---------- values

/// What corner t of a cell costs over one triangle of it.
static double over(const vni_field_cell* cell, double c, uint32_t t, uint32_t order) {
    return vni_field_triangle(cell->g[t ^ first[order]], cell->g[t ^ second[order]], cell->g[t ^ 7], c);
}

/// Finds rhs and support of a node over all of its cells.
static void recompute(const vni_field* f, vni_plan_node* node) {
    const vn_voxel corner =
        vni_field_corner_of(f, vni_plan_id(&f->core->nodes, (uint32_t)(node - f->core->nodes.nodes)));
    double cost[8], best = HUGE_VAL;
    uint32_t support = NO_SUPPORT;
    f->cells->around(f->cells->self, corner, cost);

    for (uint32_t i = 0; i < 8; ++i) {
        if (!(vni_field_mask(node) >> i & 1))
            continue;
        vni_field_cell cell;
        vni_field_load(f, vni_field_beside(corner, i), &cell);
        for (uint32_t order = 0; order < 6; ++order) {
            const double value = over(&cell, cost[i], 7 - i, order);
            support = value < best ? 6 * i + order : support;
            best = value < best ? value : best;
        }

        const double direct = f->has_goal && vni_field_same(cell.low, f->goal_cell)
                                  ? cost[i] * distance(corner, f->goal)
                                  : HUGE_VAL;
        support = direct < best ? AT_GOAL : support;
        best = direct < best ? direct : best;
    }

    node->rhs = best;
    set_support(node, support);
}

// ---------- expansion

/// Offers a settled node, corner `from` of a cell, to the cell's other corners.
static void lower(const vni_field* f, const vni_field_cell* cell, double c, uint32_t from) {
    for (uint32_t t = 0; t < 8; ++t) {
        // what it may gain, see above; with a weight, a node that has fallen does not fall again by a little
        vni_plan_node* node = cell->nodes[t];
        const uint32_t step = t ^ from;
        const double least = c * ((step & (step - 1)) == 0 ? BOUND : 0.999);
        if (node == NULL || !(cell->g[from] + least < node->rhs))
            continue;
        const double enough =
            f->core->weight > 1 && node->g == node->rhs ? node->rhs - c * LEAST_GAIN : node->rhs;

        const double before = node->rhs;
        for (uint32_t order = 0; order < 6; ++order) {
            const double value = holds(order, step) ? over(cell, c, t, order) : HUGE_VAL;
            if (!(value < node->rhs) || !(value < enough))
                continue;
            node->rhs = value;
            set_support(node, 6 * (7 - t) + order);
        }
        if (node->rhs < before)
            queue(f, node);
    }
}

/// The cell's corners that are supported by a node which has lost its value look for another support.
static void raise(const vni_field* f, const vni_field_cell* cell, uint32_t from) {
    for (uint32_t t = 0; t < 8; ++t) {
        vni_plan_node* node = cell->nodes[t];
        const uint32_t support = node != NULL ? node->marks >> VNI_FIELD_SUPPORT_SHIFT & 255 : NO_SUPPORT;
        if (support >= AT_GOAL || support / 6 != 7 - t || !holds(support % 6, t ^ from))
            continue;
        recompute(f, node);
        queue(f, node);
    }
}

static void corner_points(const void* self, const uint32_t* nodes, uint32_t count, vn_point* out) {
    for (uint32_t i = 0; i < count; ++i)
        out[i] = vni_field_point(vni_field_corner_of((const vni_field*)self, nodes[i]));
}

static void observe(const vni_field* f, const vni_heap_entry* entry, const vni_plan_node* node) {
    const vn_graph corners = {.self = f, .points = corner_points};
    vni_observe_expansion(f->core->observer, &corners, entry, VN_NO_NODE, node->rhs);
}

static void expand(const vni_field* f) {
    vni_lifelong* l = f->core;
    const vni_heap_entry entry = vni_heap_pop(&l->open);
    vni_plan_node* node = &l->nodes.nodes[entry.slot];
    node->position = VNI_PLAN_OUT;
    ++l->expanded;
    if (l->observer != NULL)
        observe(f, &entry, node);

    const bool lowers = node->g > node->rhs;
    const vn_voxel corner = vni_field_corner_of(f, entry.id);
    double cost[8];
    f->cells->around(f->cells->self, corner, cost);
    node->g = lowers ? node->rhs : HUGE_VAL;
    for (uint32_t i = 0; i < 8 && !l->is_full; ++i) {
        if (!(vni_field_mask(node) >> i & 1))
            continue;
        vni_field_cell cell;
        reach_cell(f, vni_field_beside(corner, i), &cell);
        if (lowers)
            lower(f, &cell, cost[i], 7 - i);
        else
            raise(f, &cell, 7 - i);
    }

    if (!lowers) {
        recompute(f, node);
        queue(f, node);
    }
}

// ---------- the end of the search

double vni_field_leaf_key(const vni_field* f, vn_voxel start, double weight) {
    vni_field_cell cell;
    double most = 0;
    vni_field_load(f, start, &cell);
    for (uint32_t t = 0; t < 8; ++t) {
        if (cell.g[t] == HUGE_VAL || cell.g[t] != cell.nodes[t]->rhs)
            return HUGE_VAL;
        const double key = cell.g[t] + weight * vni_field_bound(f, vni_field_corner(start, t));
        most = key > most ? key : most;
    }
    return most;
}

/// Is the first entry in its place? If the start has moved, its key may be too small: then it gets the one of
/// now.
static bool top_is_settled(const vni_field* f) {
    const vni_heap_entry* top = &f->core->open.entries[0];
    double tie;
    const double key = key_of(f, &f->core->nodes.nodes[top->slot], vni_field_corner_of(f, top->id), &tie);
    if (f->core->km == 0 || key <= top->key)
        return true;
    vni_heap_update(&f->core->open, 0, key, tie);
    return false;
}

static bool is_done(const vni_field* f, vn_voxel start) {
    const vni_lifelong* l = f->core;
    while (l->open.count > 0 && !top_is_settled(f))
        continue;
    return l->open.count == 0 || l->open.entries[0].key >= vni_field_leaf_key(f, start, l->weight) + l->km;
}

static vn_status step(vni_replan* r, uint64_t max_expansions) {
    const vni_field f = vni_field_of(r);
    vn_voxel start;
    if (!vni_field_end_cell(r->core.graph, VN_START_NODE, &start))
        return VN_NO_PATH; // the frame asks for no path from a blocked start

    for (; !r->core.is_full && !is_done(&f, start); --max_expansions) {
        if (max_expansions == 0)
            return VN_RUNNING;
        expand(&f);
    }

    if (r->core.is_full)
        return VN_CAPACITY;
    return vni_field_leaf_key(&f, start, 1) < HUGE_VAL ? VN_OK : VN_NO_PATH;
}

// ---------- changes

/// Also one of which nothing is known: a corner asks those around it, and is not told by them.
static void touch(const vni_field* f, vn_voxel corner) {
    const uint32_t id = vni_field_id(f, corner, 0);
    if (vni_plan_slot(&f->core->nodes, id) == UINT32_MAX)
        f->core->is_full = true;
    else
        vni_lifelong_touch(f->core, id);
}

/// A corner whose groups are others than before is seen differently by all around it.
static void regroup(const vni_field* f, vn_voxel corner) {
    if (!set_groups(f, corner))
        return;
    const vn_voxel dims = f->cells->dims;
    for (int32_t i = 0; i < 27; ++i) {
        const vn_voxel at = {corner.x + i % 3 - 1, corner.y + i / 3 % 3 - 1, corner.z + i / 9 - 1};
        const bool is_inside =
            at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x <= dims.x && at.y <= dims.y && at.z <= dims.z;
        if (is_inside && is_known(f, at))
            touch(f, at);
    }
}

static void apply(vni_replan* r) {
    const vni_field f = vni_field_of(r);
    vni_lifelong* l = &r->core;

    // all groups first; the list grows meanwhile
    for (uint32_t i = 0; i < l->listed && !l->is_full; ++i)
        regroup(&f, vni_field_corner_of(&f, l->nodes.list[i]));

    for (uint32_t i = 0; i < l->listed && !l->is_full; ++i) {
        vni_plan_at(&l->nodes, l->nodes.list[i])->marks &= ~(uint32_t)VNI_PLAN_LISTED;
        for (uint32_t group = 0; group < VNI_FIELD_GROUPS; ++group) {
            vni_plan_node* node = vni_plan_find(&l->nodes, l->nodes.list[i] + group * f.corners);
            if (node == NULL || vni_field_mask(node) == 0)
                break;
            recompute(&f, node);
            queue(&f, node);
        }
    }
    l->listed = 0;
}

static void touch_cell(const vni_field* f, vn_voxel cell) {
    for (uint32_t t = 0; t < 8; ++t)
        touch(f, vni_field_corner(cell, t));
}

static void node_changed(vni_replan* r, uint32_t node) {
    const vni_field f = vni_field_of(r);
    touch_cell(&f, f.cells->voxel(f.cells->self, node));
}

static void begin(vni_replan* r) {
    vni_family_begin(r);
    r->core.weight = r->def.weight;
    r->bound = 0;
    vni_lifelong* l = &r->core;
    if (l->is_full)
        return;

    // the core has opened the goal as a node
    vni_lifelong_close(l, vni_plan_at(&l->nodes, l->root));
    r->field = (vni_field_root){.goal = vni_replan_end(r, VN_GOAL_NODE)};
    r->field.has_goal = vni_field_end_cell(l->graph, VN_GOAL_NODE, &r->field.goal_cell);
    if (!r->field.has_goal)
        return;

    const uint32_t goal = VN_GOAL_NODE;
    l->graph->points(l->graph->self, &goal, 1, &r->field.goal);
    const vni_field f = vni_field_of(r);
    touch_cell(&f, r->field.goal_cell);
    apply(r);
}

static bool end_changed(vni_replan* r, uint32_t node, bool is_elsewhere) {
    // corners of the goal's cell are looked at again when the cell changes
    vn_voxel cell;
    if (node == VN_GOAL_NODE)
        return !is_elsewhere &&
               (r->field.has_goal || !vni_field_end_cell(r->core.graph, VN_GOAL_NODE, &cell));

    // Bounds fall by at most the bound between the two places. A start that is no longer blocked may be
    // elsewhere, too.
    const vn_point to = vni_replan_end(r, VN_START_NODE);
    if (memcmp(&to, &r->core.leaf_point, sizeof to) != 0) {
        r->core.km += BOUND * r->core.weight * r->core.cost.least * vni_distance(r->core.leaf_point, to) +
                      VNI_COST_UNIT;
        r->core.leaf_point = to;
    }
    return true;
}

static bool graph_changed(vni_replan* r, uint32_t nodes) {
    (void)nodes;
    const vni_cost bounds = vni_replan_bounds(r);
    const bool same = bounds.least == r->core.cost.least;
    r->core.cost = bounds;
    const vni_field f = vni_field_of(r);
    if (!same)
        rekey(&f);
    return true;
}

const vni_planner_kind vni_plan_field = {
    .name = "field-dstar",
    .backward = true,
    .needs = VN_GRAPH_HAS_CELLS,
    .begin = begin,
    .end_changed = end_changed,
    .node_went = node_changed,
    .node_changed = node_changed,
    .graph_changed = graph_changed,
    .apply = apply,
    .step = step,
    .node_limit = vni_field_node_limit,
    .usual_nodes = vni_field_usual_nodes,
    .lay = vni_field_lay,
};
