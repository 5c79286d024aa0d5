/// query/terms_search.c: expanding cells and links under the agent's terms.
#include "query/terms_search.h"
#include "base/hash.h"
#include "geom/units.h"
#include "query/cells_enter.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------- small pieces

static vni_entry* entry_of(const vni_terms_search* s, uint32_t node) {
    VNI_ASSERT(node < s->again + s->cells);
    return node < s->again ? &s->room->entries[node][0] : &s->room->entries[node - s->again][1];
}

const vni_entry* vni_terms_search_entry(const vni_terms_search* s, uint32_t node) {
    VNI_ASSERT(vni_is_reached(s->room, entry_of(s, node)));
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
    const vni_cell* cell = &view->cells[ref.cell];
    vni_lattice_box box;
    for (int i = 0; i < 3; ++i) {
        box.low[i] = vni_voxel_to_steps(view->low[i] + cell->low[i]);
        box.high[i] = vni_voxel_to_steps(view->low[i] + cell->high[i]);
    }

    return limits ? vni_lattice_box_cut(&box, limits) : box;
}

static vni_lattice_box room_of(const vni_terms_def* def, vni_cell_ref ref) {
    return vni_cell_box(def->cells, ref, def->has_limits ? &def->limits : NULL);
}

/// What the straight way from a to b costs, but for walls and jitter.
static float plain_way(const vni_terms_search* s, const float a[3], const float b[3]) {
    const vni_zones* zones = s->def.costs->zones;
    if (!zones)
        return vni_float_distance(a, b);
    const double from[3] = {(double)a[0], (double)a[1], (double)a[2]},
                 to[3] = {(double)b[0], (double)b[1], (double)b[2]};
    return (float)vni_zones_cost(zones, from, to);
}

/// The part of the preferred clearance that is missing at p.
static float missing_at(const vni_terms_search* s, const float p[3]) {
    return (float)vni_clearance_missing(s->def.costs->clearance,
                                        vni_v((double)p[0], (double)p[1], (double)p[2]));
}

/// 1 to 1 + jitter, by the place of a cell.
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

/// What is left from p to the goal at the least: straight there, or by the best of the links. `aim` (may be
/// null) gets where that way goes first.
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

    if (aim && towards)
        memcpy(aim, towards, 3 * sizeof *aim);
    else if (aim)
        vni_goal_aim(&s->def.goal, p, aim);

    return left;
}

// ------------------------------------------------------------------------------------------------- beginning

/// Fills hop_ahead, by Dijkstra's algorithm over the links alone, backwards from the goal: the ways between
/// them count as straight.
static void look_ahead(vni_terms_search* s) {
    const vni_terms_def* def = &s->def;
    bool done[VNI_MAX_HOPS] = {false};
    float ends[VNI_MAX_HOPS][3];
    for (uint32_t i = 0; i < def->hop_count; ++i) {
        vni_lattice_voxels(def->hops[i].from, s->hop_starts[i]);
        vni_lattice_voxels(def->hops[i].to, ends[i]);
        s->hop_cells[i] = vni_cell_id(def->cells, def->hops[i].from_cell);
        s->hop_ahead[i] = (float)def->hops[i].cost + s->least * vni_goal_least(&def->goal, ends[i]);
    }

    for (uint32_t round = 0; round < def->hop_count; ++round) {
        uint32_t next = VNI_MAX_HOPS;
        for (uint32_t i = 0; i < def->hop_count; ++i)
            if (!done[i] && (next == VNI_MAX_HOPS || s->hop_ahead[i] < s->hop_ahead[next]))
                next = i;

        VNI_ASSERT(next < def->hop_count);

        done[next] = true;
        for (uint32_t i = 0; i < def->hop_count; ++i) {
            float by = (float)def->hops[i].cost +
                       s->least * vni_float_distance(ends[i], s->hop_starts[next]) + s->hop_ahead[next];
            s->hop_ahead[i] = !done[i] && by < s->hop_ahead[i] ? by : s->hop_ahead[i];
        }
    }
}

/// A hop that is no better for somebody who stands at its beginning is no better for anybody.
static void choose_shortcuts(vni_terms_search* s) {
    s->shortcut_count = 0;
    for (uint32_t i = 0; i < s->def.hop_count; ++i)
        if (s->hop_ahead[i] < s->least * vni_goal_least(&s->def.goal, s->hop_starts[i]))
            s->shortcuts[s->shortcut_count++] = i;
}

static void seed(vni_terms_search* s, vni_cell_ref cell) {
    uint32_t id = vni_cell_id(s->def.cells, cell);
    vni_entry* entry = entry_of(s, id);
    vni_lattice_voxels(s->def.start, entry->point);
    entry->g = 0;
    entry->f = s->def.weight * left_from(s, entry->point, NULL);
    entry->parent = VNI_NO_CELL;
    entry->block = cell.block;
    entry->stamp = s->room->generation;
    vni_push_open(s->room, 0, entry->f, id);
}

vn_status vni_terms_search_begin(vni_terms_search* s, vni_cells_search* room, const vni_terms_def* def) {
    VNI_ASSERT(def->weight >= 1 && def->hop_count <= VNI_MAX_HOPS && def->costs);
    VNI_ASSERT(!def->has_limits || vni_lattice_box_holds(&def->limits, def->start));
    VNI_ASSERT(def->start_count > 0 && def->start_count <= VNI_MAX_STARTS);

    s->cells = vni_cells_count(def->cells);
    if (room->capacity < VNI_TERMS_EXTRA || s->cells > room->capacity - VNI_TERMS_EXTRA)
        return VN_CAPACITY;

    vni_next_generation(room);
    s->room = room;
    s->def = *def;
    s->again = s->cells + def->hop_count;
    s->least = def->costs->zones ? (float)def->costs->zones->least : 1;
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

    room->queues[0].count = room->queues[1].count = 0;
    for (uint32_t i = 0; i < def->start_count; ++i)
        seed(s, def->start_cells[i]);

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- expansion

/// The node in work.
typedef struct work {
    uint32_t node;
    vni_entry from;
    vni_cell_ref ref;
    vni_lattice_box room;
    float aim[3];
    float factor;  ///< what a way inside the cell costs, by jitter
    float missing; ///< part of the preferred clearance at the entry
} work;

/// What the way from the entry straight to b, in the same cell, costs. What walls add is a guess from three
/// places, by Simpson's rule: good enough to choose a corridor by, and a tenth of the time.
static float way(const vni_terms_search* s, const work* w, const float b[3]) {
    const vni_clearance* clearance = s->def.costs->clearance;
    float cost = plain_way(s, w->from.point, b);
    if (clearance) {
        const float* a = w->from.point;
        const float middle[3] = {0.5f * (a[0] + b[0]), 0.5f * (a[1] + b[1]), 0.5f * (a[2] + b[2])};
        float missing = (w->missing + 4 * missing_at(s, middle) + missing_at(s, b)) / 6;
        cost += (float)clearance->weight * missing * vni_float_distance(a, b);
    }

    return w->factor * cost;
}

/// A new entry, if it is better than the one there. Two g's at different points cannot be compared: f
/// decides.
static void reach(vni_terms_search* s, uint32_t node, const float point[3], float g, float f, uint32_t parent,
                  uint32_t block) {
    VNI_ASSERT(g >= 0 && f >= 0);

    vni_entry* entry = entry_of(s, node);
    VNI_ASSERT(!vni_is_closed(s->room, entry));

    memcpy(entry->point, point, sizeof entry->point);
    entry->g = g;
    entry->f = f;
    entry->parent = parent;
    entry->block = block;

    entry->stamp = s->room->generation;
    if (node < s->again)
        vni_push_open(s->room, 0, f, node);
    else
        vni_push_open(s->room, 1, f, node - s->again);
}

/// Could an entry of this f be of use?
static bool is_wanted(const vni_terms_search* s, uint32_t node, float g, float f) {
    const vni_entry* entry = entry_of(s, node);
    return f < s->best && g <= s->def.max_cost && !vni_is_closed(s->room, entry) &&
           !(entry->stamp == s->room->generation && f >= entry->f);
}

/// The node for an entry into a cell. Links may lead back into one that has been expanded, and to a place
/// there that is dearer to get to from its first entry: that is its second one.
static uint32_t node_for(const vni_terms_search* s, uint32_t cell, const float point[3], float g) {
    const vni_entry* entry = entry_of(s, cell);
    bool again = s->def.hop_count > 0 && vni_is_closed(s->room, entry) &&
                 g < entry->g + plain_way(s, entry->point, point);
    return again ? s->again + cell : cell;
}

/// The lattice point of an entry, in its room.
static vn_point lattice_of(const vni_lattice_box* room, const float p[3]) {
    const double at[3] = {vni_voxels_to_steps((double)p[0]), vni_voxels_to_steps((double)p[1]),
                          vni_voxels_to_steps((double)p[2])};
    return vni_lattice_box_nearest(room, at);
}

static void arrive_at(vni_terms_search* s, const work* w, vn_point p) {
    float at[3];
    vni_lattice_voxels(p, at);
    float cost = w->from.g + way(s, w, at);
    if (cost < s->best) {
        s->best = cost;
        s->arrival = w->node;
        s->arrived = p;
    }
}

static void try_hops(vni_terms_search* s, const work* w) {
    uint32_t id = vni_cell_id(s->def.cells, w->ref);
    for (uint32_t i = 0; i < s->def.hop_count; ++i) {
        const vni_hop* hop = &s->def.hops[i];
        bool is_here = s->hop_cells[i] == id; // one on the limits may belong to a cell beyond them
        if (!is_here && !(s->def.has_limits && vni_lattice_box_holds(&w->room, hop->from)))
            continue;

        float to[3], g = w->from.g + way(s, w, s->hop_starts[i]) + (float)hop->cost;
        vni_lattice_voxels(hop->to, to);
        float f = g + s->def.weight * left_from(s, to, NULL);
        if (is_wanted(s, s->cells + i, g, f))
            reach(s, s->cells + i, to, g, f, w->node, hop->to_cell.block);
    }
}

/// Under limits a door is passable when a lattice point within them lies inside its rectangle, off the rim.
static bool is_passable(const vni_terms_def* def, const vni_face_portals* gate, const vni_link_group* group,
                        int k) {
    const int32_t low_a = (int32_t)gate->low_a, low_b = (int32_t)gate->low_b;
    const int32_t low[2] = {vni_voxel_to_steps(low_a + group->low_a[k]) + 1,
                            vni_voxel_to_steps(low_b + group->low_b[k]) + 1};
    const int32_t high[2] = {vni_voxel_to_steps(low_a + group->high_a[k]) - 1,
                             vni_voxel_to_steps(low_b + group->high_b[k]) - 1};

    const int axes[2] = {gate->a, gate->b};
    for (int i = 0; i < 2; ++i)
        if (low[i] > def->limits.high[axes[i]] || high[i] < def->limits.low[axes[i]])
            return false;

    return true;
}

/// Do the limits go on behind this plane, on its upper or lower side? A cell that they only touch there is
/// not entered: nobody slides along them.
static bool goes_on(const vni_terms_def* def, const vni_face_portals* gate, bool upwards) {
    int32_t plane = vni_voxel_to_steps((int32_t)gate->plane);
    int32_t low = def->limits.low[gate->axis], high = def->limits.high[gate->axis];
    return !def->has_limits || (upwards ? plane >= low && plane < high : plane > low && plane <= high);
}

static void clip(const vni_terms_def* def, int axis, vni_f4* low, vni_f4* high) {
    const vni_f4 from = vni_f4_all(vni_steps_to_voxels_f((float)def->limits.low[axis])),
                 to = vni_f4_all(vni_steps_to_voxels_f((float)def->limits.high[axis]));
    *low = vni_f4_max(*low, from);
    *high = vni_f4_max(*low, vni_f4_min(*high, to));
}

/// Keeps away from the rim, up to `distance` where there is room.
static void inset(float distance, vni_f4* low, vni_f4* high) {
    const vni_f4 half = vni_f4_mul(vni_f4_sub(*high, *low), vni_f4_all(0.5f));
    const vni_f4 by = vni_f4_min(half, vni_f4_all(distance));
    *low = vni_f4_add(*low, by);
    *high = vni_f4_max(*low, vni_f4_sub(*high, by));
}

static vni_rects rects_of(const vni_terms_def* def, const vni_link_group* group,
                          const vni_face_portals* gate) {
    vni_rects rects = vni_rects_of(group, gate);
    if (def->has_limits) {
        clip(def, gate->a, &rects.low_a, &rects.high_a);
        clip(def, gate->b, &rects.low_b, &rects.high_b);
    }

    if (def->costs->clearance) {
        float distance = (float)def->costs->clearance->distance;
        inset(distance, &rects.low_a, &rects.high_a);
        inset(distance, &rects.low_b, &rects.high_b);
    }

    return rects;
}

/// Without a goal: the middles of the cells beyond, cut to the limits. A cell's cheapest way to its middle is
/// a good way to most of it, and to what lies behind.
static vni_targets middles_beyond(const vni_terms_def* def, const vni_face_portals* gate,
                                  const vni_link_group* group) {
    const vni_block_view* view = &def->cells->views[gate->block];
    uint8_t low[3][4], high[3][4];
    vni_f4 middle[3];
    for (int k = 0; k < 4; ++k) {
        const vni_cell* cell = &view->cells[group->to[group->to[k] == VNI_NO_CELL ? 0 : k]];
        for (int i = 0; i < 3; ++i) {
            low[i][k] = cell->low[i];
            high[i][k] = cell->high[i];
        }
    }

    for (int i = 0; i < 3; ++i) {
        const vni_f4 sum = vni_f4_add(vni_f4_from_bytes(low[i]), vni_f4_from_bytes(high[i]));
        middle[i] = vni_f4_add(vni_f4_mul(sum, vni_f4_all(0.5f)), vni_f4_all((float)view->low[i]));
        if (def->has_limits)
            middle[i] = vni_f4_clamp(middle[i], vni_f4_all(vni_steps_to_voxels_f((float)def->limits.low[i])),
                                     vni_f4_all(vni_steps_to_voxels_f((float)def->limits.high[i])));
    }

    const vni_targets targets = {middle[gate->a], middle[gate->b],
                                 vni_f4_sub(middle[gate->axis], vni_f4_all(gate->plane))};
    return targets;
}

/// Through one door. What zones and walls cost is asked only if the entry would be of use without them.
static void try_door(vni_terms_search* s, const work* w, const vni_face_portals* gate,
                     const vni_link_group* group, int k, const vni_quad* q) {
    uint32_t cell = gate->base + group->to[k];
    float point[3];
    point[gate->axis] = gate->plane;
    point[gate->a] = q->a[k];
    point[gate->b] = q->b[k];
    float left =
        s->def.goal.kind == VNI_GOAL_NONE ? q->f[k] - q->g[k] : s->def.weight * left_from(s, point, NULL);
    float g = w->from.g + w->factor * s->least * vni_float_distance(w->from.point, point);

    if (!is_wanted(s, node_for(s, cell, point, g), g, g + left) ||
        (s->def.has_limits && !is_passable(&s->def, gate, group, k)))
        return;

    g = w->from.g + way(s, w, point);
    uint32_t node = node_for(s, cell, point, g);
    if (is_wanted(s, node, g, g + left))
        reach(s, node, point, g, g + left, w->node, gate->block);
}

static void try_group(vni_terms_search* s, const work* w, const vni_face_portals* gate,
                      const vni_link_group* group) {
    const vni_rects rects = rects_of(&s->def, group, gate);
    const vni_targets targets = s->def.goal.kind == VNI_GOAL_NONE ? middles_beyond(&s->def, gate, group)
                                                                  : vni_target_all(gate, w->aim);
    vni_quad q;

    vni_enter(&rects, gate, &w->from, &targets, 1, &q);
    for (int k = 0; k < 4 && group->to[k] != VNI_NO_CELL; ++k)
        try_door(s, w, gate, group, k, &q);
}

static void try_doors(vni_terms_search* s, const work* w) {
    const vni_cells* cells = s->def.cells;
    const vni_block_view* view = &cells->views[w->ref.block];
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        const vni_link_group* groups = NULL;
        uint32_t beyond = 0, count = vni_cells_face(cells, w->ref, face, &groups, &beyond);
        vni_face_portals gate;
        if (count == 0)
            continue;

        vni_face_portals_open(cells, &view->cells[w->ref.cell], view->low, face, beyond, &gate);
        if (!goes_on(&s->def, &gate, face & 1))
            continue;

        for (uint32_t i = 0; i < count; ++i)
            vni_prefetch(s->room, &groups[i], gate.base);

        for (uint32_t i = 0; i < count; ++i)
            try_group(s, w, &gate, &groups[i]);
    }
}

static work take_up(const vni_terms_search* s, uint32_t node) {
    work w = {.node = node, .from = *entry_of(s, node), .ref = vni_terms_search_cell(s, node)};
    w.room = room_of(&s->def, w.ref);
    w.factor = factor_of(&s->def, w.ref);
    w.missing = s->def.costs->clearance ? missing_at(s, w.from.point) : 0;
    VNI_ASSERT(!vni_lattice_box_is_empty(&w.room));
    return w;
}

/// Is the goal in this cell? Otherwise, how far is it?
static void look_for_goal(vni_terms_search* s, work* w) {
    float away = vni_goal_away(&s->def.goal, w->from.point);
    vn_point from = lattice_of(&w->room, w->from.point), arrived;
    left_from(s, w->from.point, w->aim);
    if (away < s->nearest_away) {
        s->nearest_away = away;
        s->nearest = w->node;
    }

    if (vni_goal_reach(&s->def.goal, s->def.occupancy, &w->room, from, &arrived))
        arrive_at(s, w, arrived);
}

/// Closes the best open node and expands it.
static void expand_best(vni_terms_search* s, int queue) {
    uint32_t node = vni_queue_id(vni_queue_pop(&s->room->queues[queue])) + (queue ? s->again : 0);
    VNI_ASSERT(entry_of(s, node)->stamp == s->room->generation);

    entry_of(s, node)->stamp |= 1u;
    work w = take_up(s, node);
    if (s->def.hop_count == 0)
        s->room->queues[1].keys[s->expanded] = node;

    ++s->expanded;
    if (s->def.goal.kind != VNI_GOAL_NONE)
        look_for_goal(s, &w);

    try_hops(s, &w);
    try_doors(s, &w);
}

/// Nobody has come into sight: looks from each voxel of the next node that was reached.
static vn_status sweep_next(vni_terms_search* s) {
    VNI_ASSERT(s->def.goal.kind == VNI_GOAL_SIGHT);

    for (; s->sweep < s->cells + s->def.hop_count; ++s->sweep) {
        if (!vni_is_closed(s->room, entry_of(s, s->sweep)))
            continue;
        work w = take_up(s, s->sweep++);
        vn_point from = lattice_of(&w.room, w.from.point), arrived;
        if (vni_goal_sweep(&s->def.goal, s->def.occupancy, &w.room, from, HUGE_VAL, &arrived))
            arrive_at(s, &w, arrived);

        return VN_RUNNING;
    }

    return s->arrival != VNI_NO_CELL ? VN_OK : VN_NO_PATH;
}

static vn_status advance(vni_terms_search* s) {
    const vni_queue* queues = s->room->queues;
    bool open = vni_settle_top(s->room, 0), again = vni_settle_top(s->room, 1),
         arrived = s->arrival != VNI_NO_CELL;
    int queue = again && (!open || vni_queue_cost(queues[1].keys[0]) < vni_queue_cost(queues[0].keys[0]));
    open = open || again;

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

/// Does the chain of parents of `node` lead through `through`?
static bool leads_through(const vni_terms_search* s, uint32_t node, uint32_t through) {
    while (node != VNI_NO_CELL && node != through)
        node = entry_of(s, node)->parent;
    return node == through;
}

/// Into the cell of `node` from the cells behind one of its faces; keeps the best in `best` and `out`.
static void try_back(const vni_terms_search* s, uint32_t node, const vni_face_portals* gate,
                     const vni_link_group* group, const float target[3], float* best, vni_entry* out) {
    const vni_rects rects = rects_of(&s->def, group, gate);
    const vni_targets targets = vni_target_all(gate, target);
    for (int k = 0; k < 4 && group->to[k] != VNI_NO_CELL; ++k) {
        uint32_t parent = gate->base + group->to[k];
        const vni_entry* from = entry_of(s, parent);
        vni_quad q;
        if (!vni_is_closed(s->room, from) || (s->def.has_limits && !is_passable(&s->def, gate, group, k)))
            continue;

        vni_enter(&rects, gate, from, &targets, 1, &q);
        float point[3];
        point[gate->axis] = gate->plane;
        point[gate->a] = q.a[k];
        point[gate->b] = q.b[k];
        float g = from->g + plain_way(s, from->point, point), cost = g + plain_way(s, point, target);

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
    VNI_ASSERT(node < s->cells && vni_is_reached(s->room, out));

    vni_lattice_voxels(target, to);
    float cost = out->g + plain_way(s, out->point, to);
    for (uint32_t face = 0; face < VNI_FACES && out->parent != VNI_NO_CELL; ++face) {
        const vni_link_group* groups = NULL;
        uint32_t beyond = 0, count = vni_cells_face(cells, ref, face, &groups, &beyond);
        vni_face_portals gate;
        if (count == 0)
            continue;

        vni_face_portals_open(cells, &view->cells[ref.cell], view->low, face, beyond, &gate);
        for (uint32_t i = 0; i < count && goes_on(&s->def, &gate, !(face & 1)); ++i)
            try_back(s, node, &gate, &groups[i], to, &cost, out);
    }

    return cost;
}

uint32_t vni_terms_search_chain(const vni_terms_search* s, uint32_t node, const vni_entry* entry,
                                vni_cell_ref* cells, float (*points)[3], uint32_t capacity, vni_hop_use* hops,
                                uint32_t* hop_count) {
    uint32_t count = 1, links = is_hop(s, node);
    for (uint32_t n = entry->parent; n != VNI_NO_CELL; n = entry_of(s, n)->parent) {
        ++count;
        links += is_hop(s, n);
    }

    VNI_ASSERT(links <= VNI_MAX_HOPS);

    *hop_count = links;
    for (uint32_t at = count; at-- > 0; node = entry->parent, entry = at ? entry_of(s, node) : NULL) {
        if (at < capacity) {
            cells[at] = vni_terms_search_cell(s, node);
            if (at > 0)
                memcpy(points[at - 1], entry->point, sizeof points[0]);
        }

        if (is_hop(s, node)) {
            vni_hop_use use = {at, node - s->cells};
            hops[--links] = use;
        }
    }

    VNI_ASSERT(links == 0);

    return count;
}
