/// query/cells_search.c: expanding cells four links at a time.
///
/// Bidirectional A* (Hart, Nilsson, Raphael 1968; front-to-end as in Pohl 1971), changed in one point: the
/// nodes are cells, but costs run between entry points that are chosen anew for each parent
/// (query/cells_enter.h). So neither g nor f of a cell is a property of the cell, and the usual proofs do not
/// apply: what is found is short, not provably shortest.
#include "query/cells_search.h"
#include "base/alloc.h"
#include "query/cells_enter.h"

#include <math.h>
#include <string.h>

#define LINE 64u

static uint64_t block_bytes(const vni_cells_search* search) {
    return (uint64_t)search->capacity * sizeof *search->entries + LINE;
}

vn_status vni_cells_search_make(const vn_allocator* allocator, uint32_t capacity, vni_cells_search* out) {
    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
    out->capacity = capacity;
    out->block = vni_alloc_zero(allocator, block_bytes(out), 1);

    bool ok = out->block != NULL;
    for (int d = 0; d < 2; ++d) {
        // At most one key for each cell is current; when stale keys fill the other half, they are removed.
        out->queues[d].capacity = 2 * capacity + 64;
        out->queues[d].keys = VNI_NEW_ARRAY(allocator, uint64_t, out->queues[d].capacity);
        ok = ok && out->queues[d].keys != NULL;
    }

    if (!ok) {
        vni_cells_search_free(out);
        return VN_OUT_OF_MEMORY;
    }

    // A cell's two records, 64 bytes, share one cache line only if the array is aligned to lines.
    uintptr_t address = ((uintptr_t)out->block + LINE - 1) & ~(uintptr_t)(LINE - 1);
    out->entries = (vni_entry(*)[2])address;
    return VN_OK;
}

void vni_cells_search_free(vni_cells_search* search) {
    if (search->allocator.alloc == NULL)
        return;
    vni_free(&search->allocator, search->block, block_bytes(search), 1);
    for (int d = 0; d < 2; ++d)
        VNI_DELETE_ARRAY(&search->allocator, search->queues[d].keys, search->queues[d].capacity);
    memset(search, 0, sizeof *search);
}

size_t vni_cells_search_bytes(const vni_cells_search* search) {
    return (size_t)block_bytes(search) +
           ((size_t)search->queues[0].capacity + search->queues[1].capacity) * sizeof(uint64_t);
}

// Inlined, it would make the code of plain searches larger and slower.
#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif

/// The cost of a segment through zones, or in fuel.
APART static float priced_cost(const vni_cells_search* s, int direction, const float a[3], const float b[3]) {
    const double from[3] = {(double)a[0], (double)a[1], (double)a[2]},
                 to[3] = {(double)b[0], (double)b[1], (double)b[2]};
    if (s->fuel != NULL)
        return (float)(direction == 0 ? vni_fuel_cost(s->fuel, from, to) : vni_fuel_cost(s->fuel, to, from));
    return (float)vni_zones_cost(s->zones, from, to);
}

static inline bool is_priced(const vni_cells_search* s) {
    return s->zones != NULL || s->fuel != NULL;
}

/// Cost of the straight segment from a to b, which lies in one cell and is free, for a search in `direction`:
/// the path of direction 1 runs from b to a.
static inline float segment_cost(const vni_cells_search* s, int direction, const float a[3],
                                 const float b[3]) {
    return is_priced(s) ? priced_cost(s, direction, a, b) : vni_float_distance(a, b);
}

/// What is left from a point to the far end, at least, times the weight.
static float weighted_rest(const vni_cells_search* s, int direction, const float a[3]) {
    const float* b = s->ends[direction ^ 1];
    if (s->fuel == NULL)
        return s->weight * s->least * vni_float_distance(a, b);
    const double from[3] = {(double)a[0], (double)a[1], (double)a[2]},
                 to[3] = {(double)b[0], (double)b[1], (double)b[2]};
    const double rest =
        direction == 0 ? vni_fuel_fair_cost(s->fuel, from, to) : vni_fuel_fair_cost(s->fuel, to, from);
    return s->weight * (float)rest;
}

static void seed(vni_cells_search* s, int direction, vni_cell_ref ref) {
    uint32_t id = vni_cell_id(s->cells, ref);
    vni_entry* entry = &s->entries[id][direction];
    memcpy(entry->point, s->ends[direction], sizeof entry->point);
    entry->g = 0;
    entry->f = s->weight * s->least * vni_float_distance(s->ends[0], s->ends[1]);
    entry->parent = VNI_NO_CELL;
    entry->block = ref.block;
    entry->stamp = s->generation;
    s->queues[direction].count = 0;
    vni_queue_push(&s->queues[direction], vni_queue_key(entry->f, id));
}

vn_status vni_cells_search_begin(vni_cells_search* s, const vni_cells* cells, const float start[3],
                                 vni_cell_ref start_cell, const float goal[3], vni_cell_ref goal_cell,
                                 float weight, const vni_zones* zones, uint64_t budget, bool partial) {
    VNI_ASSERT(weight >= 1);

    if (vni_cells_count(cells) > s->capacity)
        return VN_CAPACITY;
    vni_next_generation(s);
    s->cells = cells;
    memcpy(s->ends[0], start, sizeof s->ends[0]);
    memcpy(s->ends[1], goal, sizeof s->ends[1]);
    s->weight = weight;
    s->zones = zones;
    s->least = zones != NULL ? (float)zones->least : 1;
    s->best = HUGE_VALF;
    s->meeting = VNI_NO_CELL;
    s->expanded = 0;
    s->budget = budget;
    s->partial = partial;
    s->observer = NULL;
    s->fuel = NULL;
    s->start_side = 0;
    s->nearest = VNI_NO_CELL;
    s->nearest_distance = HUGE_VALF;

    // Components are labelled beforehand: ends in different ones need no search.
    s->status = VN_RUNNING;
    if (!partial && vni_cells_component(cells, start_cell) != vni_cells_component(cells, goal_cell)) {
        s->status = VN_NO_PATH;
        return VN_OK;
    }

    seed(s, 0, start_cell);
    seed(s, 1, goal_cell);
    if (start_cell.block == goal_cell.block && start_cell.cell == goal_cell.cell) {
        s->meeting = vni_cell_id(cells, start_cell);
        s->best = segment_cost(s, 0, start, goal);
        s->status = VN_OK;
    }

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- expansion

/// A new entry into cell `id`, if it is better than the one there; and if the other direction has reached the
/// cell, perhaps a shorter path.
static inline void reach(vni_cells_search* s, int direction, uint32_t id, const vni_face_portals* portals,
                         float a, float b, float g, float f, uint32_t parent) {
    VNI_ASSERT(id < s->capacity && g >= 0 && f >= 0);

    // Two g's at different points of a cell cannot be compared: the smaller one may be on the wrong side. f
    // contains what is left from there, and decides. A closed cell is not reopened.
    vni_entry* entry = &s->entries[id][direction];
    if ((entry->stamp | 1u) == (s->generation | 1u) && (entry->stamp != s->generation || f >= entry->f))
        return;

    vni_face_point(portals, a, b, entry->point);
    entry->g = g;
    entry->f = f;
    entry->parent = parent;
    entry->block = portals->block;
    entry->stamp = s->generation;
    vni_push_open(s, direction, f, id);

    // The cell is convex: between the entry points of the two directions the segment is straight and free.
    const vni_entry* other = &s->entries[id][direction ^ 1];
    if ((other->stamp | 1u) == (s->generation | 1u)) {
        float length = g + other->g + segment_cost(s, direction, entry->point, other->point);
        if (length < s->best) {
            s->best = length;
            s->meeting = id;
        }
    }
}

/// Groups of links whose entry points are computed together: first the arithmetic of all of them, which the
/// processor overlaps, then the decisions, which it cannot predict.
#define BATCH 16

typedef struct batch {
    uint32_t count;
    const vni_link_group* groups[BATCH];
    uint8_t faces[BATCH];
    vni_quad quads[BATCH];
    vni_face_portals portals[VNI_FACES];
} batch;

/// With zones or fuel: the true cost of the segments to the entry points, and the least cost that is left
/// from there.
static void reprice(const vni_cells_search* s, int direction, const vni_entry* from,
                    const vni_face_portals* portals, vni_quad* q) {
    for (int k = 0; k < 4; ++k) {
        float point[3];
        vni_face_point(portals, q->a[k], q->b[k], point);
        q->g[k] = from->g + segment_cost(s, direction, from->point, point);
        q->f[k] = q->g[k] + weighted_rest(s, direction, point);
    }
}

static void flush(vni_cells_search* s, int direction, uint32_t id, const vni_entry* from, batch* b) {
    for (uint32_t i = 0; i < b->count; ++i) {
        const vni_face_portals* portals = &b->portals[b->faces[i]];
        const vni_rects rects = vni_rects_of(b->groups[i], portals);
        const vni_targets targets = vni_target_all(portals, s->ends[direction ^ 1]);
        vni_enter(&rects, portals, from, &targets, s->weight, &b->quads[i]);
    }

    const bool priced = is_priced(s);
    for (uint32_t i = 0; i < b->count; ++i) {
        const vni_quad* q = &b->quads[i];
        const vni_face_portals* portals = &b->portals[b->faces[i]];
        if (priced)
            reprice(s, direction, from, portals, &b->quads[i]);

        for (int k = 0; k < 4; ++k)
            if (q->f[k] < s->best && b->groups[i]->to[k] != VNI_NO_CELL)
                reach(s, direction, portals->base + b->groups[i]->to[k], portals, q->a[k], q->b[k], q->g[k],
                      q->f[k], id);
    }

    b->count = 0;
}

static void expand_cell(vni_cells_search* s, int direction, uint32_t id) {
    // A copy: reaching other cells writes records, and the compiler could not keep this one in registers.
    const vni_cells* cells = s->cells;
    const vni_entry from = s->entries[id][direction];
    const vni_block_view* view = &cells->views[from.block];
    const vni_cell* cell = &view->cells[id - view->base];
    const vni_link_group* inner = view->groups + cell->first_group;
    batch b;

    // Links inside the block lie face after face behind first_group. A face on the block's rim has none of
    // these; its links are in the seam to the next block.
    b.count = 0;
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        const vni_link_group* groups = inner;
        uint32_t beyond = from.block, count = cell->faces[face];
        if (vni_cell_is_on_rim(cell, face))
            count = vni_cells_rim_face(cells, from.block, cell, face, &groups, &beyond);
        else
            inner += count;

        if (count == 0)
            continue;
        vni_face_portals_open(cells, cell, view->low, face, beyond, &b.portals[face]);
        for (uint32_t i = 0; i < count; ++i) {
            if (b.count == BATCH)
                flush(s, direction, id, &from, &b);
            vni_prefetch(s, &groups[i], b.portals[face].base);
            b.groups[b.count] = &groups[i];
            b.faces[b.count++] = (uint8_t)face;
        }
    }

    flush(s, direction, id, &from, &b);
}

static void observe(const vni_cells_search* s, int direction, uint32_t id) {
    const vni_entry* entry = &s->entries[id][direction];
    const vni_entry* before = entry->parent != VNI_NO_CELL ? &s->entries[entry->parent][direction] : entry;
    vni_observe_cell(s->observer, id, entry->point, before->point, (double)entry->g, (double)entry->f,
                     direction != s->start_side);
}

/// Closes the best open cell of a direction and expands it.
static void expand_best(vni_cells_search* s, int direction) {
    uint32_t id = vni_queue_id(vni_queue_pop(&s->queues[direction]));
    vni_entry* entry = &s->entries[id][direction];
    entry->stamp |= 1u;
    VNI_ASSERT(entry->stamp == (s->generation | 1u));

    // A partial path ends where the start's side came nearest to the goal.
    ++s->expanded;
    if (s->observer != NULL)
        observe(s, direction, id);

    if (direction == 0 && s->partial) {
        float left = vni_float_distance(entry->point, s->ends[1]);
        if (left < s->nearest_distance) {
            s->nearest_distance = left;
            s->nearest = id;
        }
    }

    // A cell that both sides have closed leads nowhere new: the other side has already offered its
    // neighbours.
    if (s->entries[id][direction ^ 1].stamp != (s->generation | 1u))
        expand_cell(s, direction, id);
}

static vn_status advance(vni_cells_search* s) {
    bool open0 = vni_settle_top(s, 0), open1 = vni_settle_top(s, 1), met = s->meeting != VNI_NO_CELL;
    if (met && (!open0 || !open1))
        return VN_OK;
    if (!open0 || (!open1 && !s->partial))
        return VN_NO_PATH;

    // Every path still unknown passes an open cell of each side; once either side has none below the best
    // meeting, nothing better is expected.
    if (met &&
        (vni_queue_cost(s->queues[0].keys[0]) >= s->best || vni_queue_cost(s->queues[1].keys[0]) >= s->best))
        return VN_OK;
    if (s->budget && s->expanded >= s->budget)
        return VN_BUDGET_SPENT;

    // The smaller front grows (Pohl's cardinality rule): an enclosed end is exhausted soon.
    expand_best(s, open1 && s->queues[1].count < s->queues[0].count);
    return VN_RUNNING;
}

vn_status vni_cells_search_step(vni_cells_search* s, uint64_t max_expansions) {
    for (uint64_t i = 0; i < max_expansions && s->status == VN_RUNNING; ++i)
        s->status = advance(s);
    return s->status;
}

// -------------------------------------------------------------------------------------------------- corridor

static uint32_t chain_length(const vni_cells_search* s, int direction, uint32_t id) {
    uint32_t count = 0;
    for (; id != VNI_NO_CELL; id = s->entries[id][direction].parent)
        ++count;
    return count;
}

static vni_cell_ref ref_of(const vni_cells_search* s, int direction, uint32_t id) {
    uint32_t block = s->entries[id][direction].block;
    vni_cell_ref ref = {block, id - s->cells->base[block]};
    return ref;
}

uint32_t vni_cells_search_corridor(const vni_cells_search* s, vni_cell_ref* out, float (*points)[3],
                                   uint32_t capacity) {
    bool met = s->meeting != VNI_NO_CELL;
    uint32_t middle = met ? s->meeting : s->nearest;
    if (middle == VNI_NO_CELL)
        return 0;

    // Parents of the start's side lead back to the start: the corridor is filled from the meeting cell down.
    uint32_t before = chain_length(s, 0, middle), after = met ? chain_length(s, 1, middle) - 1 : 0;
    uint32_t index = before;
    for (uint32_t id = middle; id != VNI_NO_CELL; id = s->entries[id][0].parent)
        if (--index < capacity) {
            out[index] = ref_of(s, 0, id);
            if (index > 0)
                memcpy(points[index - 1], s->entries[id][0].point, sizeof points[0]);
        }

    // Parents of the goal's side lead on to the goal. It entered a cell where the path leaves it, so the
    // crossing into the parent is this cell's entry point.
    index = before;
    for (uint32_t id = middle; met && s->entries[id][1].parent != VNI_NO_CELL;
         id = s->entries[id][1].parent, ++index)
        if (index < capacity) {
            out[index] = ref_of(s, 1, s->entries[id][1].parent);
            memcpy(points[index - 1], s->entries[id][1].point, sizeof points[0]);
        }

    return before + after;
}
