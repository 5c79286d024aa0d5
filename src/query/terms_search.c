/// query/terms_search.c: expanding cells and connections under the agent's terms.
///
/// A* (Hart, Nilsson, Raphael 1968) from the start alone, over entry points that depend on the parent
/// (query/cells_enter.h). From one end, because a goal may be a region, or a place in sight, which has no
/// cell to start from; and because connections and jitter need the true cost from the start.
#include "query/terms_search.h"
#include "base/hash.h"
#include "geom/units.h"
#include "query/cells_enter.h"
#include "query/terms_portals.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------- small pieces

// Nodes, by number, and the record that each of them has:
//
//     0 ........ cells ........ again ............ again + cells
//     | cells    | hops         | cells, 2nd entry |
//     entries[n][0]             entries[n - again][1]
//
// The scratch belongs to a search from both ends: its second records and its second queue serve the second
// entries, which exist only where connections do.

static vni_entry* entry_of(const vni_terms_search* s, uint32_t node) {
    VNI_ASSERT(node < s->again + s->cells);
    return node < s->again ? &s->scratch->entries[node][0] : &s->scratch->entries[node - s->again][1];
}

const vni_entry* vni_terms_search_entry(const vni_terms_search* s, uint32_t node) {
    VNI_ASSERT(vni_is_reached(s->scratch, entry_of(s, node)));
    return entry_of(s, node);
}

static bool is_hop(const vni_terms_search* s, uint32_t node) {
    return node >= s->cells && node < s->again;
}

vni_cell_ref vni_terms_search_cell(const vni_terms_search* s, uint32_t node) {
    if (is_hop(s, node))
        return s->def.hops[node - s->cells].to_cell;
    uint32_t block = entry_of(s, node)->block, id = node < s->cells ? node : node - s->again;
    vni_cell_ref ref = {block, id - s->def.cells->base[block]};
    return ref;
}

vni_lattice_box vni_cell_box(const vni_cells* cells, vni_cell_ref ref, const vni_lattice_box* limits) {
    const vni_block_view* view = &cells->views[ref.block];
    vni_lattice_box box;
    vni_cell_bounds(view, &view->cells[ref.cell], box.low, box.high);
    for (int i = 0; i < 3; ++i) {
        box.low[i] = vni_voxel_to_steps(box.low[i]);
        box.high[i] = vni_voxel_to_steps(box.high[i]);
    }

    return limits != NULL ? vni_lattice_box_cut(&box, limits) : box;
}

static vni_lattice_box box_of(const vni_terms_def* def, vni_cell_ref ref) {
    return vni_cell_box(def->cells, ref, def->has_limits ? &def->limits : NULL);
}

/// Cost of the straight segment from a to b without walls and jitter.
static float plain_cost(const vni_terms_search* s, const float a[3], const float b[3]) {
    const vni_zones* zones = s->def.costs->zones;
    if (zones == NULL)
        return vni_float_distance(a, b);
    const double from[3] = {(double)a[0], (double)a[1], (double)a[2]},
                 to[3] = {(double)b[0], (double)b[1], (double)b[2]};
    return (float)vni_zones_cost(zones, from, to);
}

/// The part of the preferred clearance that is missing at p, 0 to 1.
static float missing_at(const vni_terms_search* s, const float p[3]) {
    return (float)vni_clearance_missing(s->def.costs->clearance,
                                        vni_v((double)p[0], (double)p[1], (double)p[2]));
}

/// A factor from 1 to 1 + jitter that depends on the low corner of a cell alone, so that it is the same in
/// every search with the same seed.
static float factor_of(const vni_terms_def* def, vni_cell_ref ref) {
    VNI_ASSERT(def->jitter >= 0 && def->jitter <= 1);

    if (def->jitter == 0)
        return 1;
    const vni_block_view* view = &def->cells->views[ref.block];
    const vni_cell* cell = &view->cells[ref.cell];

    uint64_t hash = def->jitter_seed;
    for (int i = 0; i < 3; ++i)
        hash = vni_hash_mix(hash + 0x9e3779b97f4a7c15u + (uint64_t)(view->low[i] + cell->low[i]));

    return (float)(1 + def->jitter * ((double)(hash >> 40) / (double)(1 << 24)));
}

/// Lower bound of the cost from p to the goal: straight there, or by the best of the connections. `aim` (may
/// be null) gets the place that this route heads for first.
static float left_from(const vni_terms_search* s, const float p[3], float aim[3]) {
    float left = s->least * vni_goal_least(&s->def.goal, p);
    const float* towards = NULL;
    for (uint32_t i = 0; i < s->shortcut_count; ++i) {
        uint32_t hop = s->shortcuts[i];
        float by = s->least * vni_float_distance(p, s->hop_starts[hop]) + s->hop_ahead[hop];
        if (by < left) {
            left = by;
            towards = s->hop_starts[hop];
        }
    }

    if (aim != NULL && towards != NULL)
        memcpy(aim, towards, 3 * sizeof *aim);
    else if (aim != NULL)
        vni_goal_aim(&s->def.goal, p, aim);

    return left;
}

// ------------------------------------------------------------------------------------------------- beginning

/// Fills hop_ahead, by Dijkstra's algorithm (1959) over the connections alone, backwards from the goal:
/// between them straight segments of the least cost count. That keeps the heuristic admissible where a
/// connection is a shortcut.
static void look_ahead(vni_terms_search* s) {
    const vni_terms_def* def = &s->def;
    bool done[VNI_MAX_HOPS] = {false};
    for (uint32_t i = 0; i < def->hop_count; ++i) {
        vni_lattice_voxels(def->hops[i].from, s->hop_starts[i]);
        vni_lattice_voxels(def->hops[i].to, s->hop_ends[i]);
        s->hop_cells[i] = vni_cell_id(def->cells, def->hops[i].from_cell);
        s->hop_ahead[i] = (float)def->hops[i].cost + s->least * vni_goal_least(&def->goal, s->hop_ends[i]);
    }

    // With up to 128 hops a linear scan for the next one is as fast as a heap.
    for (uint32_t round = 0; round < def->hop_count; ++round) {
        uint32_t next = VNI_MAX_HOPS;
        for (uint32_t i = 0; i < def->hop_count; ++i)
            if (!done[i] && (next == VNI_MAX_HOPS || s->hop_ahead[i] < s->hop_ahead[next]))
                next = i;

        VNI_ASSERT(next < def->hop_count);

        done[next] = true;
        for (uint32_t i = 0; i < def->hop_count; ++i) {
            float by = (float)def->hops[i].cost +
                       s->least * vni_float_distance(s->hop_ends[i], s->hop_starts[next]) +
                       s->hop_ahead[next];
            s->hop_ahead[i] = !done[i] && by < s->hop_ahead[i] ? by : s->hop_ahead[i];
        }
    }
}

/// Keeps the hops that may improve the heuristic anywhere. One that does not improve it at its own beginning
/// does not improve it elsewhere, by the triangle inequality.
static void choose_shortcuts(vni_terms_search* s) {
    s->shortcut_count = 0;
    for (uint32_t i = 0; i < s->def.hop_count; ++i)
        if (s->hop_ahead[i] < s->least * vni_goal_least(&s->def.goal, s->hop_starts[i]))
            s->shortcuts[s->shortcut_count++] = i;
}

static void seed(vni_terms_search* s, vni_cell_ref cell, const float start[3]) {
    uint32_t id = vni_cell_id(s->def.cells, cell);
    vni_entry* entry = entry_of(s, id);
    memcpy(entry->point, start, sizeof entry->point);
    entry->g = 0;
    entry->f = s->def.weight * left_from(s, entry->point, NULL);
    entry->parent = VNI_NO_CELL;
    entry->block = cell.block;
    entry->stamp = s->scratch->generation;
    vni_push_open(s->scratch, 0, entry->f, id);
}

vn_status vni_terms_search_begin(vni_terms_search* s, vni_cells_search* scratch, const vni_terms_def* def) {
    VNI_ASSERT(def->weight >= 1 && def->hop_count <= VNI_MAX_HOPS && def->costs != NULL);
    VNI_ASSERT(!def->has_limits || vni_lattice_box_holds(&def->limits, def->start));
    VNI_ASSERT(def->start_count > 0 && def->start_count <= VNI_MAX_STARTS);

    s->cells = vni_cells_count(def->cells);
    if (scratch->capacity < VNI_TERMS_EXTRA || s->cells > scratch->capacity - VNI_TERMS_EXTRA)
        return VN_CAPACITY;

    vni_next_generation(scratch);
    s->scratch = scratch;
    s->def = *def;
    s->again = s->cells + def->hop_count;
    s->least = def->costs->zones != NULL ? (float)def->costs->zones->least : 1;
    s->best = HUGE_VALF;
    s->arrival = VNI_NO_CELL;
    s->nearest = vni_cell_id(def->cells, def->start_cells[0]);
    s->nearest_away = HUGE_VALF;
    s->sweep = 0;
    s->expanded = 0;
    s->shortcut_count = 0;
    s->status = VN_RUNNING;

    look_ahead(s);
    if (def->goal.kind != VNI_GOAL_NONE) {
        choose_shortcuts(s);
        if (!def->partial && !vni_terms_may_arrive(def))
            s->status = VN_NO_PATH;
    }

    float start[3];
    vni_lattice_voxels(def->start, start);
    scratch->queues[0].count = scratch->queues[1].count = 0;
    for (uint32_t i = 0; i < def->start_count; ++i)
        seed(s, def->start_cells[i], start);

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- expansion

/// The node in work.
typedef struct work {
    uint32_t node;
    vni_entry from;
    vni_cell_ref ref;
    vni_lattice_box box;
    float aim[3];
    float factor;  ///< by jitter, on every cost inside the cell
    float missing; ///< part of the preferred clearance at the entry
} work;

/// Cost of the straight segment from the entry to b in the same cell. What walls add is estimated from three
/// places by Simpson's rule: good enough to choose a corridor, in a tenth of the time of the exact integral.
static float cost_to(const vni_terms_search* s, const work* w, const float b[3]) {
    const vni_clearance* clearance = s->def.costs->clearance;
    float cost = plain_cost(s, w->from.point, b);
    if (clearance != NULL) {
        const float* a = w->from.point;
        const float middle[3] = {0.5f * (a[0] + b[0]), 0.5f * (a[1] + b[1]), 0.5f * (a[2] + b[2])};
        float missing = (w->missing + 4 * missing_at(s, middle) + missing_at(s, b)) / 6;
        cost += (float)clearance->weight * missing * vni_float_distance(a, b);
    }

    return w->factor * cost;
}

/// Writes a new entry, which is better than the one there. Two g's at different points cannot be compared: f
/// decides.
static void reach(vni_terms_search* s, uint32_t node, const float point[3], float g, float f, uint32_t parent,
                  uint32_t block) {
    VNI_ASSERT(g >= 0 && f >= 0);

    vni_entry* entry = entry_of(s, node);
    VNI_ASSERT(!vni_is_closed(s->scratch, entry));

    memcpy(entry->point, point, sizeof entry->point);
    entry->g = g;
    entry->f = f;
    entry->parent = parent;
    entry->block = block;

    entry->stamp = s->scratch->generation;
    if (node < s->again)
        vni_push_open(s->scratch, 0, f, node);
    else
        vni_push_open(s->scratch, 1, f, node - s->again);
}

/// An entry of this g and f would be of use: it can beat the best arrival, and its node is neither closed nor
/// open with a smaller f.
static bool is_wanted(const vni_terms_search* s, uint32_t node, float g, float f) {
    const vni_entry* entry = entry_of(s, node);
    return f < s->best && g <= s->def.max_cost && !vni_is_closed(s->scratch, entry) &&
           !(entry->stamp == s->scratch->generation && f >= entry->f);
}

/// The node for an entry into a cell. Connections may lead back into a cell that has been expanded, to a
/// place there that is more expensive to reach from its first entry: that becomes its second entry.
static uint32_t node_for(const vni_terms_search* s, uint32_t cell, const float point[3], float g) {
    const vni_entry* entry = entry_of(s, cell);
    bool again = s->def.hop_count > 0 && vni_is_closed(s->scratch, entry) &&
                 g < entry->g + plain_cost(s, entry->point, point);
    return again ? s->again + cell : cell;
}

/// The lattice point of an entry, inside the box of its cell.
static vn_point lattice_of(const vni_lattice_box* box, const float p[3]) {
    const double at[3] = {vni_voxels_to_steps((double)p[0]), vni_voxels_to_steps((double)p[1]),
                          vni_voxels_to_steps((double)p[2])};
    return vni_lattice_box_nearest(box, at);
}

static void arrive_at(vni_terms_search* s, const work* w, vn_point p) {
    float at[3];
    vni_lattice_voxels(p, at);
    float cost = w->from.g + cost_to(s, w, at);
    if (cost < s->best) {
        s->best = cost;
        s->arrival = w->node;
        s->arrived = p;
    }
}

/// From the entry straight to the beginning of each connection in this cell, and through it.
static void try_hops(vni_terms_search* s, const work* w) {
    uint32_t id = vni_cell_id(s->def.cells, w->ref);
    for (uint32_t i = 0; i < s->def.hop_count; ++i) {
        const vni_hop* hop = &s->def.hops[i];
        // A beginning on the limits may belong to a cell beyond them, which is never entered: then it counts
        // for every cell whose closed box holds it.
        bool is_here = s->hop_cells[i] == id;
        if (!is_here && !(s->def.has_limits && vni_lattice_box_holds(&w->box, hop->from)))
            continue;

        const float* to = s->hop_ends[i];
        float g = w->from.g + cost_to(s, w, s->hop_starts[i]) + (float)hop->cost;
        float f = g + s->def.weight * left_from(s, to, NULL);
        if (is_wanted(s, s->cells + i, g, f))
            reach(s, s->cells + i, to, g, f, w->node, hop->to_cell.block);
    }
}

/// Through one portal. The cost of zones and walls is expensive to compute: first a lower bound decides
/// whether the entry could be of use at all.
static void try_portal(vni_terms_search* s, const work* w, const vni_face_portals* portals,
                       const vni_link_group* group, int k, const vni_quad* q) {
    uint32_t cell = portals->base + group->to[k];
    float point[3];
    vni_face_point(portals, q->a[k], q->b[k], point);
    float left =
        s->def.goal.kind == VNI_GOAL_NONE ? q->f[k] - q->g[k] : s->def.weight * left_from(s, point, NULL);
    float g = w->from.g + w->factor * s->least * vni_float_distance(w->from.point, point);

    if (!is_wanted(s, node_for(s, cell, point, g), g, g + left) ||
        (s->def.has_limits && !vni_terms_passable(&s->def, portals, group, k)))
        return;

    g = w->from.g + cost_to(s, w, point);
    uint32_t node = node_for(s, cell, point, g);
    if (is_wanted(s, node, g, g + left))
        reach(s, node, point, g, g + left, w->node, portals->block);
}

static void try_group(vni_terms_search* s, const work* w, const vni_face_portals* portals,
                      const vni_link_group* group) {
    const vni_rects rects = vni_terms_rects(&s->def, group, portals);
    const vni_targets targets = s->def.goal.kind == VNI_GOAL_NONE ? vni_terms_middles(&s->def, portals, group)
                                                                  : vni_target_all(portals, w->aim);
    vni_quad q;

    vni_enter(&rects, portals, &w->from, &targets, 1, &q);
    for (int k = 0; k < 4 && group->to[k] != VNI_NO_CELL; ++k)
        try_portal(s, w, portals, group, k, &q);
}

static void try_portals(vni_terms_search* s, const work* w) {
    const vni_cells* cells = s->def.cells;
    const vni_block_view* view = &cells->views[w->ref.block];
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        const vni_link_group* groups = NULL;
        uint32_t beyond = 0, count = vni_cells_face(cells, w->ref, face, &groups, &beyond);
        vni_face_portals portals;
        if (count == 0)
            continue;

        vni_face_portals_open(cells, &view->cells[w->ref.cell], view->low, face, beyond, &portals);
        if (!vni_terms_continue(&s->def, &portals, face & 1))
            continue;

        // All records of the face first: they arrive while the first groups are computed.
        for (uint32_t i = 0; i < count; ++i)
            vni_prefetch(s->scratch, &groups[i], portals.base);

        for (uint32_t i = 0; i < count; ++i)
            try_group(s, w, &portals, &groups[i]);
    }
}

static work take_up(const vni_terms_search* s, uint32_t node) {
    work w = {.node = node, .from = *entry_of(s, node), .ref = vni_terms_search_cell(s, node)};
    w.box = box_of(&s->def, w.ref);
    w.factor = factor_of(&s->def, w.ref);
    w.missing = s->def.costs->clearance != NULL ? missing_at(s, w.from.point) : 0;
    VNI_ASSERT(!vni_lattice_box_is_empty(&w.box));
    return w;
}

/// Checks whether the goal can be reached inside this cell, and notes the entry that is nearest to it.
static void look_for_goal(vni_terms_search* s, work* w) {
    float away = vni_goal_away(&s->def.goal, w->from.point);
    vn_point from = lattice_of(&w->box, w->from.point), arrived;
    left_from(s, w->from.point, w->aim);
    if (away < s->nearest_away) {
        s->nearest_away = away;
        s->nearest = w->node;
    }

    if (vni_goal_reach(&s->def.goal, s->def.occupancy, &w->box, from, &arrived))
        arrive_at(s, w, arrived);
}

/// Second entries have the number of their cell.
static void observe(const vni_terms_search* s, uint32_t node) {
    const vni_entry* entry = entry_of(s, node);
    const vni_entry* before = entry->parent != VNI_NO_CELL ? entry_of(s, entry->parent) : entry;
    vni_observe_cell(s->def.observer, node < s->again ? node : node - s->again, entry->point, before->point,
                     (double)entry->g, (double)entry->f, false);
}

/// Closes the best open node and expands it.
static void expand_best(vni_terms_search* s, int queue) {
    uint32_t node = vni_queue_id(vni_queue_pop(&s->scratch->queues[queue])) + (queue ? s->again : 0);
    VNI_ASSERT(entry_of(s, node)->stamp == s->scratch->generation);

    entry_of(s, node)->stamp |= 1u;
    work w = take_up(s, node);

    // Without connections the second queue is idle: it lists the expanded nodes for fields (query/field.c).
    if (s->def.hop_count == 0)
        s->scratch->queues[1].keys[s->expanded] = node;

    ++s->expanded;
    if (s->def.observer != NULL)
        observe(s, node);
    if (s->def.goal.kind != VNI_GOAL_NONE)
        look_for_goal(s, &w);

    try_hops(s, &w);
    try_portals(s, &w);
}

/// No entry sees the goal, and sight is tried at a few places of each cell only. So every voxel of the cells
/// that were reached is tried, one cell for each step.
static vn_status sweep_next(vni_terms_search* s) {
    VNI_ASSERT(s->def.goal.kind == VNI_GOAL_SIGHT);

    for (; s->sweep < s->cells + s->def.hop_count; ++s->sweep) {
        if (!vni_is_closed(s->scratch, entry_of(s, s->sweep)))
            continue;
        work w = take_up(s, s->sweep++);
        vn_point from = lattice_of(&w.box, w.from.point), arrived;
        if (vni_goal_sweep(&s->def.goal, s->def.occupancy, &w.box, from, HUGE_VAL, &arrived))
            arrive_at(s, &w, arrived);

        return VN_RUNNING;
    }

    return s->arrival != VNI_NO_CELL ? VN_OK : VN_NO_PATH;
}

static vn_status advance(vni_terms_search* s) {
    const vni_queue* queues = s->scratch->queues;
    bool open = vni_settle_top(s->scratch, 0), again = vni_settle_top(s->scratch, 1),
         arrived = s->arrival != VNI_NO_CELL;
    int queue = again && (!open || vni_queue_cost(queues[1].keys[0]) < vni_queue_cost(queues[0].keys[0]));
    open = open || again;

    // Sight is searched in two phases: `sweep` above 0 says that the second one has begun.
    if (s->sweep > 0 || (!open && !arrived && s->def.goal.kind == VNI_GOAL_SIGHT))
        return sweep_next(s);
    if (!open)
        return arrived || s->def.goal.kind == VNI_GOAL_NONE ? VN_OK : VN_NO_PATH;
    if (vni_queue_cost(queues[queue].keys[0]) >= s->best)
        return VN_OK;
    if (s->def.budget && s->expanded >= s->def.budget)
        return arrived ? VN_OK : VN_BUDGET_SPENT;

    expand_best(s, queue);
    return VN_RUNNING;
}

vn_status vni_terms_search_step(vni_terms_search* s, uint64_t max_expansions) {
    for (uint64_t i = 0; i < max_expansions && s->status == VN_RUNNING; ++i)
        s->status = advance(s);
    return s->status;
}

// ----------------------------------------------------------------------------------------------------- chain

/// The chain of parents of `node` leads through `through`.
static bool leads_through(const vni_terms_search* s, uint32_t node, uint32_t through) {
    while (node != VNI_NO_CELL && node != through)
        node = entry_of(s, node)->parent;
    return node == through;
}

/// Into the cell of `node` from the cells behind one of its faces; keeps the best in `best` and `out`. A
/// parent whose own chain comes through the cell would close a loop.
static void try_back(const vni_terms_search* s, uint32_t node, const vni_face_portals* portals,
                     const vni_link_group* group, const float target[3], float* best, vni_entry* out) {
    const vni_rects rects = vni_terms_rects(&s->def, group, portals);
    const vni_targets targets = vni_target_all(portals, target);
    for (int k = 0; k < 4 && group->to[k] != VNI_NO_CELL; ++k) {
        uint32_t parent = portals->base + group->to[k];
        const vni_entry* from = entry_of(s, parent);
        vni_quad q;
        if (!vni_is_closed(s->scratch, from) ||
            (s->def.has_limits && !vni_terms_passable(&s->def, portals, group, k)))
            continue;

        vni_enter(&rects, portals, from, &targets, 1, &q);
        float point[3];
        vni_face_point(portals, q.a[k], q.b[k], point);
        float g = from->g + plain_cost(s, from->point, point), cost = g + plain_cost(s, point, target);

        if (cost >= *best || leads_through(s, parent, node))
            continue;
        *best = cost;
        memcpy(out->point, point, sizeof point);
        out->g = g;
        out->parent = parent;
    }
}

float vni_terms_search_enter(const vni_terms_search* s, uint32_t node, vn_point target, vni_entry* out) {
    const vni_cells* cells = s->def.cells;
    *out = *entry_of(s, node);
    vni_cell_ref ref = vni_terms_search_cell(s, node);
    const vni_block_view* view = &cells->views[ref.block];
    float to[3];
    VNI_ASSERT(node < s->cells && vni_is_reached(s->scratch, out));

    vni_lattice_voxels(target, to);
    float cost = out->g + plain_cost(s, out->point, to);
    for (uint32_t face = 0; face < VNI_FACES && out->parent != VNI_NO_CELL; ++face) {
        const vni_link_group* groups = NULL;
        uint32_t beyond = 0, count = vni_cells_face(cells, ref, face, &groups, &beyond);
        vni_face_portals portals;
        if (count == 0)
            continue;

        vni_face_portals_open(cells, &view->cells[ref.cell], view->low, face, beyond, &portals);
        for (uint32_t i = 0; i < count && vni_terms_continue(&s->def, &portals, !(face & 1)); ++i)
            try_back(s, node, &portals, &groups[i], to, &cost, out);
    }

    return cost;
}

uint32_t vni_terms_search_chain(const vni_terms_search* s, uint32_t node, const vni_entry* entry,
                                vni_cell_ref* cells, float (*points)[3], uint32_t capacity, vni_hop_use* hops,
                                uint32_t* hop_count) {
    uint32_t count = 1, taken = is_hop(s, node);
    for (uint32_t n = entry->parent; n != VNI_NO_CELL; n = entry_of(s, n)->parent) {
        ++count;
        taken += is_hop(s, n);
    }

    VNI_ASSERT(taken <= VNI_MAX_HOPS);

    // Parents lead back to the start: both lists are filled from their ends.
    *hop_count = taken;
    for (uint32_t at = count; at-- > 0; node = entry->parent, entry = at ? entry_of(s, node) : NULL) {
        if (at < capacity) {
            cells[at] = vni_terms_search_cell(s, node);
            if (at > 0)
                memcpy(points[at - 1], entry->point, sizeof points[0]);
        }

        if (is_hop(s, node)) {
            vni_hop_use use = {at, node - s->cells};
            hops[--taken] = use;
        }
    }

    VNI_ASSERT(taken == 0);

    return count;
}
