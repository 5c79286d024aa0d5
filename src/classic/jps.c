/// classic/jps.c: the search: expansions, runs over edges, jumps along rows.
#include "classic/jps.h"
#include "classic/jps_jump.h"
#include "search/open.h"

#include <math.h>
#include <string.h>

/// A node whose steps are taken.
typedef struct place {
    int32_t at[3];
    uint32_t id;
    double g;
} place;

// ----------------------------------------------------------------------------------------------- costs

static double octile(const int32_t d[3]) {
    int32_t x = d[0], y = d[1], z = d[2];

    // Sorted distances: `least` steps over corners, then over edges up to `middle`, then straight.
    int32_t high = x > y ? x : y, low = x > y ? y : x;
    int32_t most = high > z ? high : z, least = low < z ? low : z, middle = x + y + z - most - least;
    return (double)(most - middle) + VNI_EDGE_STEP * (double)(middle - least) +
           VNI_CORNER_STEP * (double)least;
}

static double lower_bound(const vni_jps* s, const int32_t at[3]) {
    int32_t d[3];
    for (int i = 0; i < 3; ++i)
        d[i] = at[i] > s->goal_at[i] ? at[i] - s->goal_at[i] : s->goal_at[i] - at[i];

    if (s->bound == VNI_JPS_BOUND_OCTILE)
        return octile(d);
    if (s->bound == VNI_JPS_BOUND_MANHATTAN)
        return (double)d[0] + (double)d[1] + (double)d[2];

    double h;
    vn_voxel from = {at[0], at[1], at[2]}, to = {s->goal_at[0], s->goal_at[1], s->goal_at[2]};
    vn_point point = vn_voxel_center(from);
    s->cost->lower_bounds(s->cost->self, &point, 1, vn_voxel_center(to), &h);
    return h * s->cost->least;
}

static vni_jps_bound bound_of(const vni_cost* cost, uint32_t neighbours) {
    if (cost->least == 1 && cost->lower_bounds == vni_cost_length(VNI_METRIC_OCTILE, neighbours).lower_bounds)
        return VNI_JPS_BOUND_OCTILE;
    if (cost->least == 1 &&
        cost->lower_bounds == vni_cost_length(VNI_METRIC_MANHATTAN, neighbours).lower_bounds)
        return VNI_JPS_BOUND_MANHATTAN;
    return VNI_JPS_BOUND_ASKED;
}

// --------------------------------------------------------------------------------------------- records

static uint32_t node_at(const vni_jps* s, const int32_t at[3]) {
    vn_voxel v = {at[0], at[1], at[2]};
    return vni_grid_node(s->index->grid, v);
}

static bool is_open(const vni_node* node) {
    return node->position < VNI_NODE_FRESH;
}

static vni_heap_entry entry_of(const vni_jps* s, uint32_t id, uint32_t slot, double g, double h) {
    vni_heap_entry entry = {g + s->def.weight * h, h, id, slot};
    return entry;
}

static void keep_nearest(vni_jps* s, uint32_t id, double h) {
    if (s->def.track_nearest && h < s->nearest_h) {
        s->nearest_h = h;
        s->nearest = id;
    }
}

/// The voxel is reached at this cost: into the open set, if that is news. A closed node opens again if the
/// cost is lower; without that a weight would not bound the cost. False if the capacity is used up.
static bool reach(vni_jps* s, const int32_t at[3], uint32_t parent, double g) {
    uint32_t id = node_at(s, at), slot = vni_scratch_slot(s->scratch, id);
    if (slot == UINT32_MAX)
        return false;

    vni_node* node = &s->scratch->nodes[slot];

    // Equal costs keep the first parent: which of the best predecessors it is does not matter (see the
    // header).
    if (node->position != VNI_NODE_UNSEEN && g >= node->g)
        return true;

    s->touched += node->position == VNI_NODE_UNSEEN;
    node->g = g;
    node->parent = parent;
    vni_heap_entry entry = entry_of(s, id, slot, g, lower_bound(s, at));
    if (!is_open(node))
        return vni_heap_push(&s->open, entry);

    vni_heap_update(&s->open, node->position, entry.key, entry.tie);
    return true;
}

/// The voxel is passed at this cost, and its steps are taken without the open set. False if the capacity is
/// used up.
static bool pass(vni_jps* s, uint32_t id, uint32_t parent, double g) {
    uint32_t slot = vni_scratch_slot(s->scratch, id);
    if (slot == UINT32_MAX)
        return false;

    vni_node* node = &s->scratch->nodes[slot];
    VNI_ASSERT(!is_open(node));

    s->touched += node->position == VNI_NODE_UNSEEN;
    node->g = g;
    node->parent = parent;
    node->position = VNI_NODE_CLOSED;
    return true;
}

// ----------------------------------------------------------------------------------------------- jumps

/// Gives the voxel from `from` to `end` that is nearest to the goal a record, if it is nearer than all
/// before. If a step is forced at `end`, that has been reached.
static bool pass_nearest(vni_jps* s, const place* from, int axis, int32_t end) {
    int32_t at[3] = {from->at[0], from->at[1], from->at[2]}, goal = s->goal_at[axis];
    int32_t low = end < at[axis] ? end : at[axis], high = end < at[axis] ? at[axis] : end;

    // Along the row only this coordinate changes, so the nearest voxel is where it comes closest to the
    // goal's.
    at[axis] = goal < low ? low : goal > high ? high : goal;
    double h = lower_bound(s, at);
    if (h >= s->nearest_h)
        return true;

    uint32_t id = node_at(s, at);
    double g = from->g + fabs((double)at[axis] - from->at[axis]);
    const vni_node* node = vni_scratch_find(s->scratch, id);
    VNI_ASSERT(node == NULL || node->position != VNI_NODE_CLOSED); // such a node would have been the nearest

    keep_nearest(s, id, h);
    return node != NULL && is_open(node) ? reach(s, at, from->id, g) : pass(s, id, from->id, g);
}

/// Does the row from `from` to `end` along the axis hold the goal?
static bool holds_goal(const vni_jps* s, const place* from, int axis, int32_t end) {
    for (int i = 0; i < 3; ++i)
        if (i != axis && from->at[i] != s->goal_at[i])
            return false;
    int32_t at = from->at[axis], goal = s->goal_at[axis];
    return end > at ? goal > at && goal <= end : goal < at && goal >= end;
}

/// Jumps along a row and reaches the goal or the voxel at which a step is forced.
static bool follow_row(vni_jps* s, const place* from, uint32_t direction) {
    const vni_jps_index* index = s->index;
    int axis = vni_jps_axis(index->grid, direction);
    vni_jps_jump jump = index->rows != NULL
                            ? vni_jps_jump_rows(index->grid, &index->rules, index->rows, direction, from->at)
                            : vni_jps_jump_bricks(index->grid, &index->rules, direction, from->at);
    s->scanned += jump.looked;

    // The index knows nothing of goals: a goal inside the run ends it early.
    bool is_goal = holds_goal(s, from, axis, jump.end);
    if (is_goal)
        jump.end = s->goal_at[axis];

    if (is_goal || jump.is_forced) {
        int32_t at[3] = {from->at[0], from->at[1], from->at[2]};
        at[axis] = jump.end;
        if (!reach(s, at, from->id, from->g + fabs((double)jump.end - from->at[axis])))
            return false;
    }

    return !s->def.track_nearest || pass_nearest(s, from, axis, jump.end);
}

static bool follow_rows(vni_jps* s, const place* from, uint32_t directions) {
    for (; directions; directions &= directions - 1)
        if (!follow_row(s, from, vni_lowest_bit(directions)))
            return false;
    return true;
}

// ------------------------------------------------------------------------------------------------ runs

/// Would the node be the next to be taken from the open set, and is it no worse than the one at hand?
static bool is_next(const vni_jps* s, const vni_heap_entry* entry, double key) {
    return entry->key <= key && (s->open.count == 0 || vni_heap_less(entry, &s->open.entries[0]));
}

/// Walks in a direction after which, with nothing forced, only rows and the direction itself follow. Nodes
/// that would be taken from the open set at once never enter it: their rows are followed in line. The run
/// ends at a voxel that was reached before as cheaply, or in the open set.
static bool run(vni_jps* s, const place* from, uint32_t direction, double key) {
    const vni_jps_index* index = s->index;
    const vni_jps_rules* rules = &index->rules;
    const int32_t* by = index->grid->step[direction];
    uint32_t origin = from->id, rows = rules->natural[direction] & rules->rows,
             needs = rules->needs[direction];
    VNI_ASSERT(!(rules->rows >> direction & 1) && vni_popcount(rows) == 2);

    place to = *from;
    for (uint32_t free = needs; (free & needs) == needs;) {
        vn_voxel v = {to.at[0] += by[0], to.at[1] += by[1], to.at[2] += by[2]};
        to.id = vni_grid_node(index->grid, v);
        to.g += s->index->grid->cost[direction];
        ++s->scanned;
        const vni_node* node = vni_scratch_find(s->scratch, to.id);
        bool is_seen = node != NULL && node->position != VNI_NODE_UNSEEN;

        // The run meets a voxel that has been reached as cheaply: all that follows has been done from there.
        if (is_seen && node->g <= to.g)
            return true;
        vni_heap_entry entry = entry_of(s, to.id, 0, to.g, lower_bound(s, to.at));

        // From here on the order of the open set decides: A* would expand another node first.
        if ((is_seen && is_open(node)) || to.id == s->goal || !is_next(s, &entry, key))
            return reach(s, to.at, origin, to.g);

        // A forced step needs the node itself in the open set, with its arrival: expansion looks at all
        // successors.
        free = vni_grid_free_around(index->grid->occupancy, v);
        if (vni_jps_is_forced(rules, direction, free))
            return reach(s, to.at, origin, to.g);
        if (!pass(s, to.id, origin, to.g))
            return false;

        keep_nearest(s, to.id, entry.tie);
        if (!follow_rows(s, &to, rows & vni_jps_successors(rules, direction, free)))
            return false;
    }

    return true;
}

/// One step in a direction after which others follow than rows: through the open set.
static bool single_step(vni_jps* s, const place* from, uint32_t direction) {
    const int32_t* by = s->index->grid->step[direction];
    const int32_t at[3] = {from->at[0] + by[0], from->at[1] + by[1], from->at[2] + by[2]};
    ++s->scanned;
    return reach(s, at, from->id, from->g + s->index->grid->cost[direction]);
}

// ------------------------------------------------------------------------------------------- expansion

/// The direction in which a node was reached from its parent, straight.
static uint32_t arrival_of(const vni_jps* s, uint32_t parent, vn_voxel v) {
    if (parent == VN_NO_NODE)
        return VNI_JPS_NO_ARRIVAL;
    vn_voxel p = vni_grid_voxel(s->index->grid, parent);
    return vni_jps_direction(&s->index->rules, (v.x > p.x) - (v.x < p.x), (v.y > p.y) - (v.y < p.y),
                             (v.z > p.z) - (v.z < p.z));
}

static bool expand(vni_jps* s, uint32_t id, const vni_node* node, double key) {
    const vni_jps_rules* rules = &s->index->rules;
    vn_voxel v = vni_grid_voxel(s->index->grid, id);
    place from = {{v.x, v.y, v.z}, id, node->g};
    uint32_t free = vni_grid_free_around(s->index->grid->occupancy, v);

    uint32_t steps = vni_jps_successors(rules, arrival_of(s, node->parent, v), free);

    // Rows follow below, in one go. With 26 neighbours `only_rows` holds for edges: after them come the edge
    // itself and its two rows. After a corner come edges too, which wait their turn in the open set.
    for (uint32_t left = steps & ~rules->rows; left; left &= left - 1) {
        uint32_t d = vni_lowest_bit(left);
        bool only_rows = (rules->natural[d] & ~rules->rows) == 1u << d;
        if (!(only_rows ? run(s, &from, d, key) : single_step(s, &from, d)))
            return false;
    }

    return follow_rows(s, &from, steps & rules->rows);
}

void vni_jps_index_make(const vni_grid* grid, const vni_jps_rows* rows, vni_jps_index* out) {
    VNI_ASSERT(rows == NULL || memcmp(rows->blocks, grid->occupancy->blocks, sizeof rows->blocks) == 0);
    out->grid = grid;
    out->rows = rows;
    vni_jps_rules_make(grid, &out->rules);
}

vn_status vni_jps_begin(vni_jps* s, const vni_jps_def* def, const vni_jps_index* index, const vni_cost* cost,
                        vni_scratch* scratch, uint32_t start, uint32_t goal) {
    VNI_ASSERT(def->weight >= 1 && index->grid != NULL);

    const vni_grid* grid = index->grid;
    memset(s, 0, sizeof *s);
    s->status = VN_BAD_ORDER;
    if (!cost->is_length)
        return VN_UNSUPPORTED;

    const vn_graph graph = vni_grid_graph(grid);
    if (!vni_open_begin(&s->open, &graph, scratch))
        return VN_CAPACITY;

    s->def = *def;
    s->index = index;
    s->cost = cost;
    s->bound = bound_of(cost, grid->neighbours);
    s->scratch = scratch;
    s->start = s->nearest = start;

    s->goal = goal;
    vn_voxel v = vni_grid_voxel(grid, start), to = vni_grid_voxel(grid, goal);
    VNI_ASSERT(vni_occupancy_inside(grid->occupancy, v.x, v.y, v.z));
    VNI_ASSERT(vni_occupancy_inside(grid->occupancy, to.x, to.y, to.z));

    s->goal_at[0] = to.x;
    s->goal_at[1] = to.y;
    s->goal_at[2] = to.z;
    const int32_t at[3] = {v.x, v.y, v.z};
    s->nearest_h = lower_bound(s, at);

    if (!reach(s, at, VN_NO_NODE, 0))
        return VN_CAPACITY;
    s->status = VN_RUNNING;
    return VN_OK;
}

/// Takes the best node and expands it. What it returns becomes the status of the search.
static vn_status advance(vni_jps* s) {
    if (s->open.count == 0)
        return VN_NO_PATH;
    if (s->def.budget && s->expanded >= s->def.budget)
        return VN_BUDGET_SPENT;

    vni_heap_entry entry = vni_heap_pop(&s->open);
    vni_node* node = &s->scratch->nodes[entry.slot];
    node->position = VNI_NODE_CLOSED;
    ++s->expanded;
    keep_nearest(s, entry.id, entry.tie);
    if (s->observer != NULL) {
        const vn_graph graph = vni_grid_graph(s->index->grid);
        vni_observe_expansion(s->observer, &graph, &entry, node->parent, node->g);
    }

    if (entry.id == s->goal)
        return VN_OK;
    return expand(s, entry.id, node, entry.key) ? VN_RUNNING : VN_CAPACITY;
}

vn_status vni_jps_step(vni_jps* s, uint64_t max_expansions) {
    for (uint64_t i = 0; i < max_expansions && s->status == VN_RUNNING; ++i)
        s->status = advance(s);
    return s->status;
}

static const vni_node* record_of(const vni_jps* s, uint32_t node) {
    const vni_node* record = vni_scratch_find(s->scratch, node);
    VNI_ASSERT(record != NULL && record->position != VNI_NODE_UNSEEN);
    return record;
}

uint32_t vni_jps_parent(const vni_jps* s, uint32_t node) {
    return record_of(s, node)->parent;
}

double vni_jps_g(const vni_jps* s, uint32_t node) {
    return record_of(s, node)->g;
}
