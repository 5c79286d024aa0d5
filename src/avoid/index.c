/// avoid/index.c: finds agents and obstacles near an agent: hash buckets of cubic cells, sorted by counting.
///
/// The bucket of cell (x, y, z) is hash(y, z) + x, so that the cells of a row along x are one run of entries.
/// Rows may share buckets: an entry counts only if it belongs to the row that is looked at.
#include "avoid/avoid_inside.h"
#include "base/alloc.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/simd.h"

#include <string.h>

/// Four entries are read at a time, so that some beyond the last one are read too.
#define PAD 3

/// Most cells along the range of a query, and rows that it then meets along an axis.
#define MOST_CELLS 4
#define MOST_ROWS  (2 * MOST_CELLS + 1)

/// Rows within the range, each of one run or two, and entries in them, for which one pass is worth while.
#define MOST_RUNS  18
#define MOST_FOUND 28

/// Entries that an agent meets in its own bucket, in the mean, above and below which cells become smaller and
/// larger: a row of cells to look into costs about as much as ten entries.
#define CROWDED 16
#define SPARSE  4

static uint32_t buckets_for(uint32_t count) {
    uint32_t buckets = 64;
    while (buckets < 2 * count)
        buckets *= 2;
    return buckets;
}

bool vni_index_make(vni_index* index, const vn_allocator* allocator, uint32_t capacity) {
    const uint64_t padded = (uint64_t)capacity + PAD;
    index->cells = 1;
    index->capacity = capacity;
    for (int k = 0; k < 3; ++k)
        index->at[k] = VNI_NEW_ARRAY(allocator, float, padded);
    index->slots = VNI_NEW_ARRAY(allocator, uint32_t, padded);
    index->rows = VNI_NEW_ARRAY(allocator, float, padded);
    index->unsorted = VNI_NEW_ARRAY(allocator, vni_entry, padded);
    index->starts = VNI_NEW_ARRAY(allocator, uint32_t, (uint64_t)buckets_for(capacity) + 1);
    return index->at[0] != NULL && index->at[1] != NULL && index->at[2] != NULL && index->slots != NULL &&
           index->rows != NULL && index->unsorted != NULL && index->starts != NULL;
}

void vni_index_free(vni_index* index, const vn_allocator* allocator) {
    const uint64_t padded = (uint64_t)index->capacity + PAD;
    for (int k = 0; k < 3; ++k)
        VNI_DELETE_ARRAY(allocator, index->at[k], padded);
    VNI_DELETE_ARRAY(allocator, index->slots, padded);
    VNI_DELETE_ARRAY(allocator, index->rows, padded);
    VNI_DELETE_ARRAY(allocator, index->unsorted, padded);
    VNI_DELETE_ARRAY(allocator, index->starts, (uint64_t)buckets_for(index->capacity) + 1);
}

size_t vni_index_bytes(const vni_index* index) {
    const size_t entry = 4 * sizeof(float) + sizeof(uint32_t) + sizeof(vni_entry);
    return (index->capacity + PAD) * entry +
           ((size_t)buckets_for(index->capacity) + 1) * sizeof *index->starts;
}

/// The cell of a coordinate relative to the base. Entries and queries convert the same way, far ones too.
static int32_t cell_of(const vni_index* index, float metres) {
    float cell = metres * index->scale;
    cell = cell > 1e9f ? 1e9f : cell < -1e9f ? -1e9f : cell;
    // rounds down without a call of floorf, which old processors do not have as an instruction
    int32_t whole = (int32_t)cell;
    return whole - (cell < (float)whole);
}

static uint32_t row_of(int32_t y, int32_t z) {
    return (uint32_t)y * 0x9e3779b1u ^ (uint32_t)z * 0x85ebca77u;
}

/// A row of cells, different for all rows that one query meets: a whole number that a float holds exactly.
static float name_of_row(int32_t y, int32_t z) {
    return (float)(int32_t)(((uint32_t)y & 0xfff) | ((uint32_t)z & 0xfff) << 12);
}

/// Empties the index; at most `most` entries follow.
static void begin_entries(vni_index* index, uint32_t most) {
    const uint32_t buckets = buckets_for(most);
    index->mask = buckets - 1;
    index->count = 0;
    memset(index->starts, 0, ((size_t)buckets + 1) * sizeof *index->starts);
}

static void add_entry(vni_index* index, vn_vec3 at, uint32_t slot) {
    const int32_t x = cell_of(index, at.x), y = cell_of(index, at.y), z = cell_of(index, at.z);
    const uint32_t bucket = (row_of(y, z) + (uint32_t)x) & index->mask;
    index->unsorted[index->count++] = (vni_entry){at, slot, bucket, name_of_row(y, z)};
    ++index->starts[bucket];
}

/// Sorts the entries by bucket; those of one bucket keep their order. Returns the sum of the squares of the
/// numbers of entries in the buckets.
static uint64_t sort_entries(vni_index* index) {
    uint64_t met = 0;
    uint32_t sum = 0;

    // ends of the buckets; placing from the last entry on turns them into starts
    for (uint32_t b = 0; b <= index->mask + 1; ++b) {
        const uint32_t here = index->starts[b];
        met += (uint64_t)here * here;
        index->starts[b] = sum += here;
    }

    for (uint32_t i = index->count; i-- > 0;) {
        const vni_entry* e = &index->unsorted[i];
        const uint32_t to = --index->starts[e->bucket];
        index->at[0][to] = e->at.x;
        index->at[1][to] = e->at.y;
        index->at[2][to] = e->at.z;
        index->slots[to] = e->slot;
        index->rows[to] = e->row;
    }

    for (uint32_t i = index->count; i < index->count + PAD; ++i) {
        index->at[0][i] = index->at[1][i] = index->at[2][i] = (float)VNI_FAR_AWAY;
        index->slots[i] = 0;
        index->rows[i] = 0;
    }
    return met;
}

// ---------- update

static void update_live(vn_avoid* avoid) {
    if (!avoid->live_is_old)
        return;

    avoid->live_count = 0;
    for (uint32_t slot = 0; slot < avoid->agent_ids.slots; ++slot)
        if (avoid->agent_ids.generations[slot] & 1)
            avoid->live[avoid->live_count++] = slot;
    avoid->live_is_old = false;
}

/// Greatest radius and speed, and the lowest corner of all positions: the base of the indices.
static void measure(vn_avoid* avoid) {
    vni_vec low = avoid->live_count > 0 ? avoid->bodies[avoid->live[0]].position : vni_v(0, 0, 0);
    avoid->widest = 0;
    avoid->fastest = 0;
    for (uint32_t i = 0; i < avoid->live_count; ++i) {
        const uint32_t slot = avoid->live[i];
        const vni_seen* body = &avoid->bodies[slot];
        low = vni_min(low, body->position);
        avoid->widest = body->radius > avoid->widest ? body->radius : avoid->widest;
        avoid->fastest =
            avoid->limits[slot].speed > avoid->fastest ? avoid->limits[slot].speed : avoid->fastest;
    }

    avoid->agent_index.base = low;
    avoid->obstacle_index.base = low;
}

/// How far two agents may approach each other while a list is kept.
static float drift(const vn_avoid* avoid) {
    return 2 * avoid->fastest * avoid->def.refresh;
}

static vni_vec relative(const vni_index* index, vni_vec position) {
    return vni_sub(position, index->base);
}

/// Cells for each range of a query: more where agents are crowded. By the occupancy that an agent meets in
/// its own bucket, in the mean; for the next step.
static void adapt_cells(vni_index* index, uint64_t met) {
    if (met > (uint64_t)index->count * CROWDED && index->cells < MOST_CELLS)
        ++index->cells;
    else if (met < (uint64_t)index->count * SPARSE && index->cells > 0)
        --index->cells;
}

static void index_agents(vn_avoid* avoid) {
    vni_index* index = &avoid->agent_index;
    index->rings = index->cells > 0 ? index->cells : 1;
    index->edge = (avoid->def.reach + 2 * avoid->widest + drift(avoid)) /
                  (index->cells > 0 ? (float)index->cells : 0.5f);
    index->scale = 1 / index->edge;
    begin_entries(index, avoid->live_count);
    for (uint32_t i = 0; i < avoid->live_count; ++i) {
        const uint32_t slot = avoid->live[i];
        add_entry(index, vni_narrow(relative(index, avoid->bodies[slot].position)), slot);
    }

    adapt_cells(index, sort_entries(index));
}

/// An entry for each cell within reach of the obstacle, so that an agent looks into its own cell only.
static bool spread(vni_index* index, const vni_mover* mover, uint32_t slot, float range) {
    vni_vec at = relative(index, vni_v(mover->def.position.x, mover->def.position.y, mover->def.position.z));
    int32_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = cell_of(index, (float)(vni_axis(at, k) - mover->size) - range);
        high[k] = cell_of(index, (float)(vni_axis(at, k) + mover->size) + range);
        if (high[k] - low[k] > 2)
            return false;
    }

    const float edge = 1 / index->scale;
    for (int32_t z = low[2]; z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y)
            for (int32_t x = low[0]; x <= high[0]; ++x)
                add_entry(
                    index,
                    (vn_vec3){((float)x + 0.5f) * edge, ((float)y + 0.5f) * edge, ((float)z + 0.5f) * edge},
                    slot);
    return true;
}

static void index_obstacles(vn_avoid* avoid) {
    vni_index* index = &avoid->obstacle_index;
    const float range = avoid->def.reach + avoid->widest + drift(avoid);
    begin_entries(index, avoid->obstacle_ids.live * VNI_OBSTACLE_CELLS);
    index->scale = 1 / (2 * range);
    avoid->large_count = 0;
    for (uint32_t slot = 0; slot < avoid->obstacle_ids.slots; ++slot)
        if ((avoid->obstacle_ids.generations[slot] & 1) && !spread(index, &avoid->movers[slot], slot, range))
            avoid->large[avoid->large_count++] = slot;

    (void)sort_entries(index);
}

void vni_index_update(vn_avoid* avoid) {
    update_live(avoid);
    measure(avoid);
    index_agents(avoid);
    if (avoid->def.max_obstacles > 0)
        index_obstacles(avoid);
}

// ---------- lists

/// What is looked for, around which agent, in which cells.
typedef struct look {
    const vn_avoid* avoid;
    const vni_index* index;
    uint32_t slot, count;
    vn_vec3 at;
    float radius, reach; ///< `reach`: from surface to surface
    float range, range2; ///< from centre to centre, at most, with rounding: shrinks when the list is full
    float rounding;      ///< metres that the place of a cell may be wrong
    int32_t cell[3];     ///< of the agent
    float away2[2][MOST_ROWS];            ///< by y, by z: the row's distance along this axis, squared
    bool is_sorted;                       ///< `found` is kept sorted; otherwise only once it is full
    bool has_known;                       ///< the old list is full and was offered already
    float known[VN_AVOID_MAX_NEIGHBOURS]; ///< its slots, which a float holds exactly
    vni_near found[VN_AVOID_MAX_NEIGHBOURS];
} look;

static void set_range(look* l, float gap) {
    const float range = gap + l->radius + l->avoid->widest;
    l->range = (range > 0 ? range : 0) + l->rounding;
    l->range2 = l->range * l->range;
}

/// From now on the farthest of the found gives way to a nearer one.
static void sort_found(look* l) {
    uint32_t sorted = 0;
    for (uint32_t i = 0; i < l->count; ++i)
        vni_offer(l->found, &sorted, VN_AVOID_MAX_NEIGHBOURS, l->found[i].slot, l->found[i].gap);
    l->is_sorted = true;
}

static inline void offer_agent(look* l, uint32_t slot, float distance2) {
    const float gap = sqrtf(distance2) - l->avoid->bodies[slot].radius - l->radius;
    if (slot == l->slot || !(gap <= l->reach))
        return;
    if (l->is_sorted)
        vni_offer(l->found, &l->count, VN_AVOID_MAX_NEIGHBOURS, slot, gap);
    else
        l->found[l->count++] = (vni_near){slot, gap};
    if (l->count == VN_AVOID_MAX_NEIGHBOURS && !l->is_sorted)
        sort_found(l);
    if (l->count == VN_AVOID_MAX_NEIGHBOURS)
        set_range(l, l->found[VN_AVOID_MAX_NEIGHBOURS - 1].gap);
}

static inline bool is_known(const look* l, uint32_t slot) {
    const vni_f4 wanted = vni_f4_all((float)slot);
    uint32_t hits = 0;
    for (int i = 0; i < VN_AVOID_MAX_NEIGHBOURS; i += 4)
        hits |= vni_f4_equal(wanted, vni_f4_load(l->known + i));
    return hits != 0;
}

/// Those of four entries that are of one row and within the range, as bits, and the distances of all four.
static inline uint32_t near_of_four(const look* l, uint32_t i, float row, float distance2[4]) {
    const vni_index* index = l->index;
    const vni_f4 x = vni_f4_sub(vni_f4_load(index->at[0] + i), vni_f4_all(l->at.x)),
                 y = vni_f4_sub(vni_f4_load(index->at[1] + i), vni_f4_all(l->at.y)),
                 z = vni_f4_sub(vni_f4_load(index->at[2] + i), vni_f4_all(l->at.z));
    const vni_f4 sum = vni_f4_add(vni_f4_add(vni_f4_mul(x, x), vni_f4_mul(y, y)), vni_f4_mul(z, z));
    vni_f4_store(distance2, sum);
    return vni_f4_not_above(sum, vni_f4_all(l->range2)) &
           vni_f4_equal(vni_f4_load(index->rows + i), vni_f4_all(row));
}

/// A run of entries, of which those of one row count. Up to three beyond the run are looked at too: they are
/// of another row or out of range.
static void look_into(look* l, uint32_t begin, uint32_t end, float row) {
    for (uint32_t i = begin; i < end; i += 4) {
        float distance2[4];
        for (uint32_t hits = near_of_four(l, i, row, distance2); hits != 0; hits &= hits - 1) {
            const uint32_t lane = vni_lowest_bit(hits), slot = l->index->slots[i + lane];
            if (!(l->has_known && is_known(l, slot)))
                offer_agent(l, slot, distance2[lane]);
        }
    }
}

/// Runs of entries to look into, and what they hold within the range: one pass without branches that depend
/// on the entries, which no processor foresees.
typedef struct sweep {
    uint32_t count, found;
    uint32_t begin[MOST_RUNS + 1], end[MOST_RUNS + 1];
    float row[MOST_RUNS + 1];
    uint32_t slots[MOST_FOUND + 4];
    float distance2[MOST_FOUND + 4];
} sweep;

static inline void add_run(sweep* s, uint32_t begin, uint32_t end, float row, bool is_near) {
    s->begin[s->count] = begin;
    s->end[s->count] = end;
    s->row[s->count] = row;
    s->count += is_near & (begin < end);
}

/// The runs of all rows within the range.
static void add_runs(const look* l, sweep* s) {
    const vni_index* index = l->index;
    const int32_t rings = (int32_t)index->rings;
    const int32_t low = cell_of(index, l->at.x - l->range), high = cell_of(index, l->at.x + l->range);
    const uint32_t length = (uint32_t)(high - low) + 1;
    for (int32_t z = -rings; z <= rings; ++z)
        for (int32_t y = -rings; y <= rings; ++y) {
            const float row = name_of_row(l->cell[1] + y, l->cell[2] + z);
            const uint32_t first = (row_of(l->cell[1] + y, l->cell[2] + z) + (uint32_t)low) & index->mask,
                           left = index->mask + 1 - first, here = length < left ? length : left;
            const bool is_near = l->away2[0][MOST_CELLS + y] + l->away2[1][MOST_CELLS + z] <= l->range2;
            add_run(s, index->starts[first], index->starts[first + here], row, is_near);
            if (here < length)
                add_run(s, index->starts[0], index->starts[length - here], row, is_near);
        }
}

/// Notes an entry; it stays if it is near.
static inline uint32_t note(sweep* s, uint32_t found, uint32_t slot, float distance2, uint32_t is_near) {
    s->slots[found] = slot;
    s->distance2[found] = distance2;
    return found + is_near;
}

/// The entries of the runs within the range; more than MOST_FOUND: there are others.
static void sweep_runs(const look* l, sweep* s) {
    uint32_t run = 0, i = s->begin[0], found = 0;
    while (run < s->count && found <= MOST_FOUND) {
        float distance2[4];
        const uint32_t hits = near_of_four(l, i, s->row[run], distance2), *slots = l->index->slots + i;
        found = note(s, found, slots[0], distance2[0], hits & 1);
        found = note(s, found, slots[1], distance2[1], hits >> 1 & 1);
        found = note(s, found, slots[2], distance2[2], hits >> 2 & 1);
        found = note(s, found, slots[3], distance2[3], hits >> 3);

        i += 4;
        const bool is_done = i >= s->end[run];
        run += is_done;
        i = is_done ? s->begin[run] : i;
    }

    s->found = found;
}

/// Offers what lies within the range, all at once. False, with nothing offered, if there is too much of it:
/// then rings from the inside out do better, as the range shrinks.
static bool look_at_once(look* l) {
    sweep s;
    s.count = 0;
    if (l->index->rings > 1)
        return false;

    add_runs(l, &s);
    s.begin[s.count] = 0;
    sweep_runs(l, &s);
    if (s.found > MOST_FOUND)
        return false;
    for (uint32_t k = 0; k < s.found; ++k)
        offer_agent(l, s.slots[k], s.distance2[k]);
    return true;
}

/// The buckets of a row from cell `low` on; a run that goes beyond the last bucket goes on at the first.
static inline void look_along(look* l, int32_t y, int32_t z, int32_t low, uint32_t length) {
    const vni_index* index = l->index;
    const float row = name_of_row(y, z);
    const uint32_t first = (row_of(y, z) + (uint32_t)low) & index->mask, left = index->mask + 1 - first;
    if (length > left) {
        look_into(l, index->starts[0], index->starts[length - left], row);
        length = left;
    }

    const uint32_t begin = index->starts[first], end = index->starts[first + length];
    if (begin < end)
        look_into(l, begin, end, row);
}

/// The rows of one ring around the agent's own, as far as they lie within the range; outwards, for the
/// nearest shrink the range.
static void look_around(look* l, int32_t ring) {
    const int32_t low = cell_of(l->index, l->at.x - l->range), high = cell_of(l->index, l->at.x + l->range);
    const uint32_t wanted = (uint32_t)(high - low) + 1, buckets = l->index->mask + 1;
    const uint32_t length = wanted < buckets ? wanted : buckets;
    const float *y_away2 = l->away2[0] + MOST_CELLS, *z_away2 = l->away2[1] + MOST_CELLS;
    for (int32_t z = -ring; z <= ring; ++z) {
        const int32_t step = z == -ring || z == ring ? 1 : 2 * ring;
        for (int32_t y = -ring; y <= ring; y += step)
            if (y_away2[y] + z_away2[z] <= l->range2)
                look_along(l, l->cell[1] + y, l->cell[2] + z, low, length);
    }
}

/// The distances of the rows along an axis, with rounding not too large.
static void measure_rows(look* l, int axis) {
    const float edge = l->index->edge;
    float* away2 = l->away2[axis - 1] + MOST_CELLS;
    float below = VNI_AXIS(l->at, axis) - (float)l->cell[axis] * edge, above = edge - below;
    away2[0] = 0;
    for (int32_t k = 1; k <= (int32_t)l->index->rings; ++k) {
        const float down = below > l->rounding ? below - l->rounding : 0,
                    up = above > l->rounding ? above - l->rounding : 0;
        away2[-k] = down * down;
        away2[k] = up * up;
        below += edge;
        above += edge;
    }
}

/// Begins with a full old list: nearly all of it stays, nearly in its order, and the range is short at once.
static void offer_list(look* l) {
    const uint32_t* list = l->avoid->lists + (size_t)l->slot * VN_AVOID_MAX_NEIGHBOURS;
    for (uint32_t i = 0; i < VN_AVOID_MAX_NEIGHBOURS; ++i) {
        const vn_vec3 at = vni_narrow(relative(l->index, l->avoid->bodies[list[i]].position));
        const float x = at.x - l->at.x, y = at.y - l->at.y, z = at.z - l->at.z;
        l->known[i] = (float)list[i];
        offer_agent(l, list[i], x * x + y * y + z * z);
    }

    l->has_known = true;
}

static void list_agents(vn_avoid* avoid, uint32_t slot) {
    const vni_seen* body = &avoid->bodies[slot];
    const vni_index* index = &avoid->agent_index;
    look l;
    l.avoid = avoid;
    l.index = index;
    l.slot = slot;
    l.count = 0;
    l.at = vni_narrow(relative(index, body->position));
    l.radius = body->radius;
    l.reach = avoid->def.reach + drift(avoid);
    l.rounding = 1e-6f * (l.at.x + l.at.y + l.at.z + index->edge);
    for (int k = 0; k < 3; ++k)
        l.cell[k] = cell_of(index, VNI_AXIS(l.at, k));
    measure_rows(&l, 1);
    measure_rows(&l, 2);

    set_range(&l, l.reach);
    l.has_known = false;
    // an agent that no other disturbs needs no order among them
    l.is_sorted = avoid->limits[slot].disturbed > 0;
    const bool is_full = avoid->list_counts[slot] == VN_AVOID_MAX_NEIGHBOURS;
    if (is_full || !look_at_once(&l)) {
        if (is_full)
            offer_list(&l);
        for (int32_t ring = 0; ring <= (int32_t)index->rings; ++ring)
            look_around(&l, ring);
    }

    avoid->list_counts[slot] = (uint8_t)l.count;
    for (uint32_t i = 0; i < l.count; ++i)
        avoid->lists[(size_t)slot * VN_AVOID_MAX_NEIGHBOURS + i] = l.found[i].slot;
}

/// The obstacles found so far, nearest first.
typedef struct nearest {
    uint32_t count;
    vni_near found[VNI_LISTED_OBSTACLES];
} nearest;

static void offer_obstacle(const vn_avoid* avoid, const vni_seen* body, uint32_t slot, nearest* n) {
    const vni_mover* mover = &avoid->movers[slot];
    vni_vec to =
        vni_sub(vni_v(mover->def.position.x, mover->def.position.y, mover->def.position.z), body->position);
    float gap = (float)(vni_length(to) - mover->size - (double)body->radius);
    if (gap <= avoid->def.reach + drift(avoid))
        vni_offer(n->found, &n->count, VNI_LISTED_OBSTACLES, slot, gap);
}

static void list_obstacles(vn_avoid* avoid, uint32_t slot) {
    const vni_seen* body = &avoid->bodies[slot];
    const vni_index* index = &avoid->obstacle_index;
    vn_vec3 at = vni_narrow(relative(index, body->position));
    const int32_t x = cell_of(index, at.x), y = cell_of(index, at.y), z = cell_of(index, at.z);
    const uint32_t bucket = (row_of(y, z) + (uint32_t)x) & index->mask;
    nearest n = {0};

    for (uint32_t i = index->starts[bucket]; i < index->starts[bucket + 1]; ++i)
        if (cell_of(index, index->at[0][i]) == x && cell_of(index, index->at[1][i]) == y &&
            cell_of(index, index->at[2][i]) == z)
            offer_obstacle(avoid, body, index->slots[i], &n);
    for (uint32_t i = 0; i < avoid->large_count; ++i)
        offer_obstacle(avoid, body, avoid->large[i], &n);

    avoid->obstacle_counts[slot] = (uint8_t)n.count;
    for (uint32_t i = 0; i < n.count; ++i)
        avoid->obstacle_lists[(size_t)slot * VNI_LISTED_OBSTACLES + i] = (uint16_t)n.found[i].slot;
}

void vni_list_neighbours(vn_avoid* avoid, uint32_t slot) {
    list_agents(avoid, slot);
    if (avoid->obstacle_ids.live > 0)
        list_obstacles(avoid, slot);
    else
        avoid->obstacle_counts[slot] = 0;
}

void vni_gather(const vn_avoid* avoid, vni_moment* m) {
    const uint32_t* list = avoid->lists + (size_t)m->slot * VN_AVOID_MAX_NEIGHBOURS;
    const uint32_t listed = avoid->list_counts[m->slot], most = avoid->def.neighbours;
    const vni_vec at = m->body->position;
    const float radius = m->body->radius, reach = avoid->def.reach;
    uint32_t count = 0;
    for (uint32_t i = 0; i < listed; ++i) {
        const vni_seen* other = &avoid->bodies[list[i]];
        const float distance = (float)vni_length(vni_sub(other->position, at));
        const float gap = distance - other->radius - radius;
        if (gap <= reach)
            vni_offer(m->near, &count, most, list[i], gap);
    }

    m->near_count = count;
}
