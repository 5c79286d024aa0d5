/// avoid/index.c: finds agents and obstacles near an agent: hash buckets of cubic cells, sorted by counting.
///
/// The bucket of cell (x, y, z) is hash(y, z) + x, so that the cells of a row along x are one run of entries.
/// Rows may share buckets: an entry counts only if its own cell lies in the row that is looked at.
#include "avoid/avoid_inside.h"
#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

bool vni_index_make(vni_index* index, const vn_allocator* allocator, uint32_t capacity) {
    uint32_t buckets = 64;
    while (buckets < 2 * capacity)
        buckets *= 2;

    index->mask = buckets - 1;
    index->cells = 1;
    index->capacity = capacity;
    index->entries = VNI_NEW_ARRAY(allocator, vni_entry, capacity);
    index->unsorted = VNI_NEW_ARRAY(allocator, vni_entry, capacity);
    index->bucket = VNI_NEW_ARRAY(allocator, uint32_t, capacity);
    index->starts = VNI_NEW_ARRAY(allocator, uint32_t, (uint64_t)buckets + 1);
    return index->starts != NULL &&
           (capacity == 0 || (index->entries != NULL && index->unsorted != NULL && index->bucket != NULL));
}

void vni_index_free(vni_index* index, const vn_allocator* allocator) {
    VNI_DELETE_ARRAY(allocator, index->entries, index->capacity);
    VNI_DELETE_ARRAY(allocator, index->unsorted, index->capacity);
    VNI_DELETE_ARRAY(allocator, index->bucket, index->capacity);
    VNI_DELETE_ARRAY(allocator, index->starts, (uint64_t)index->mask + 2);
}

size_t vni_index_bytes(const vni_index* index) {
    return index->capacity * (2 * sizeof(vni_entry) + sizeof(uint32_t)) +
           ((size_t)index->mask + 2) * sizeof(uint32_t);
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

static void add_entry(vni_index* index, vni_entry entry) {
    uint32_t row = row_of(cell_of(index, entry.y), cell_of(index, entry.z));
    index->bucket[index->count] = (row + (uint32_t)cell_of(index, entry.x)) & index->mask;
    index->unsorted[index->count++] = entry;
}

/// Sorts the entries by bucket; those of one bucket keep their order.
static void sort_entries(vni_index* index) {
    const uint32_t buckets = index->mask + 1;
    memset(index->starts, 0, ((size_t)buckets + 1) * sizeof *index->starts);
    for (uint32_t i = 0; i < index->count; ++i)
        ++index->starts[index->bucket[i]];

    // ends of the buckets; placing from the last entry on turns them into starts
    for (uint32_t b = 1; b <= buckets; ++b)
        index->starts[b] += index->starts[b - 1];
    for (uint32_t i = index->count; i-- > 0;)
        index->entries[--index->starts[index->bucket[i]]] = index->unsorted[i];
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

/// Cells for each range of a query: more where agents are crowded. By the occupancy that an agent met in its
/// own bucket in the last step, in the mean.
static void adapt_cells(vni_index* index) {
    uint64_t met = 0;
    for (uint32_t b = 0; b <= index->mask && index->count > 0; ++b) {
        const uint64_t here = index->starts[b + 1] - index->starts[b];
        met += here * here;
    }

    if (met > (uint64_t)index->count * 6 && index->cells < 4)
        ++index->cells;
    else if (met < (uint64_t)index->count * 3 / 2 && index->cells > 1)
        --index->cells;
}

static void index_agents(vn_avoid* avoid) {
    vni_index* index = &avoid->agent_index;
    adapt_cells(index);
    index->count = 0;
    index->edge = (avoid->def.reach + 2 * avoid->widest + drift(avoid)) / (float)index->cells;
    index->scale = 1 / index->edge;
    for (uint32_t i = 0; i < avoid->live_count; ++i) {
        const uint32_t slot = avoid->live[i];
        const vni_seen* body = &avoid->bodies[slot];
        vn_vec3 at = vni_narrow(relative(index, body->position));
        add_entry(index, (vni_entry){at.x, at.y, at.z, body->radius, slot});
    }

    sort_entries(index);
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
                add_entry(index, (vni_entry){((float)x + 0.5f) * edge, ((float)y + 0.5f) * edge,
                                             ((float)z + 0.5f) * edge, 0, slot});
    return true;
}

static void index_obstacles(vn_avoid* avoid) {
    vni_index* index = &avoid->obstacle_index;
    const float range = avoid->def.reach + avoid->widest + drift(avoid);
    index->count = 0;
    index->scale = 1 / (2 * range);
    avoid->large_count = 0;
    for (uint32_t slot = 0; slot < avoid->obstacle_ids.slots; ++slot)
        if ((avoid->obstacle_ids.generations[slot] & 1) && !spread(index, &avoid->movers[slot], slot, range))
            avoid->large[avoid->large_count++] = slot;

    sort_entries(index);
}

void vni_index_update(vn_avoid* avoid) {
    update_live(avoid);
    measure(avoid);
    index_agents(avoid);
    if (avoid->def.max_obstacles > 0)
        index_obstacles(avoid);
}

// ---------- lists

/// The nearest found so far, sorted by gap, then slot.
typedef struct nearest {
    uint32_t count, most;
    float gap[VN_AVOID_MAX_NEIGHBOURS];
    uint32_t slot[VN_AVOID_MAX_NEIGHBOURS];
} nearest;

static void offer(nearest* found, float gap, uint32_t slot) {
    uint32_t at = found->count;
    if (at == found->most) {
        if (gap > found->gap[at - 1] || (gap == found->gap[at - 1] && slot > found->slot[at - 1]))
            return;
        --at;
    } else
        ++found->count;

    for (; at > 0 && (found->gap[at - 1] > gap || (found->gap[at - 1] == gap && found->slot[at - 1] > slot));
         --at) {
        found->gap[at] = found->gap[at - 1];
        found->slot[at] = found->slot[at - 1];
    }

    found->gap[at] = gap;
    found->slot[at] = slot;
}

/// What is looked for, around which entry, in which row of cells.
typedef struct look {
    const vni_index* index;
    vni_entry at;
    float reach;  ///< from surface to surface
    float range2; ///< from centre to centre, squared, at most: shrinks when the list is full
    float widest;
    int32_t low, high, y, z;
    nearest found;
} look;

static void set_range(look* l, float gap) {
    const float range = gap + l->at.radius + l->widest;
    l->range2 = range > 0 ? range * range : 0;
}

static void look_into(look* l, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
        const vni_entry* e = &l->index->entries[i];
        float x = e->x - l->at.x, y = e->y - l->at.y, z = e->z - l->at.z;
        float distance2 = x * x + y * y + z * z;
        if (distance2 > l->range2 || e->slot == l->at.slot)
            continue;

        float gap = sqrtf(distance2) - e->radius - l->at.radius;
        int32_t cell = cell_of(l->index, e->x);
        if (gap > l->reach || cell_of(l->index, e->y) != l->y || cell_of(l->index, e->z) != l->z ||
            cell < l->low || cell > l->high)
            continue;
        offer(&l->found, gap, e->slot);
        if (l->found.count == l->found.most)
            set_range(l, l->found.gap[l->found.most - 1]);
    }
}

/// Distance along one axis from a coordinate to a cell.
static float to_cell(const vni_index* index, float at, int32_t cell) {
    const float edge = index->edge, low = (float)cell * edge;
    return at < low ? low - at : at > low + edge ? at - low - edge : 0;
}

/// The buckets of a row, as far as it lies within the range; a run that goes beyond the last bucket goes on
/// at the first.
static void look_along(look* l) {
    const vni_index* index = l->index;
    const float y = to_cell(index, l->at.y, l->y), z = to_cell(index, l->at.z, l->z);
    const float room = l->range2 - y * y - z * z;
    if (room < 0)
        return;

    const float half = sqrtf(room);
    l->low = cell_of(index, l->at.x - half);
    l->high = cell_of(index, l->at.x + half);
    uint32_t first = (row_of(l->y, l->z) + (uint32_t)l->low) & index->mask;
    uint32_t length = (uint32_t)(l->high - l->low) + 1, left = index->mask + 1 - first;
    look_into(l, index->starts[first], index->starts[first + (length < left ? length : left)]);
    if (length > left)
        look_into(l, index->starts[0], index->starts[length - left]);
}

/// The rows of one ring around the agent's own, outwards: the nearest come first and shrink the range.
static void look_around(look* l, int32_t y, int32_t z, int32_t ring) {
    for (l->z = z - ring; l->z <= z + ring; ++l->z) {
        const int32_t step = l->z == z - ring || l->z == z + ring || ring == 0 ? 1 : 2 * ring;
        for (l->y = y - ring; l->y <= y + ring; l->y += step)
            look_along(l);
    }
}

static void list_agents(vn_avoid* avoid, uint32_t slot) {
    const vni_seen* body = &avoid->bodies[slot];
    const vni_index* index = &avoid->agent_index;
    vn_vec3 at = vni_narrow(relative(index, body->position));
    look l = {.index = index, .at = {at.x, at.y, at.z, body->radius, slot}, .widest = avoid->widest};
    l.reach = avoid->def.reach + drift(avoid);
    l.found.most = VN_AVOID_MAX_NEIGHBOURS;
    set_range(&l, l.reach);
    for (int32_t ring = 0; ring <= (int32_t)index->cells; ++ring)
        look_around(&l, cell_of(index, at.y), cell_of(index, at.z), ring);

    avoid->list_counts[slot] = (uint8_t)l.found.count;
    memcpy(avoid->lists + (size_t)slot * VN_AVOID_MAX_NEIGHBOURS, l.found.slot,
           l.found.count * sizeof *l.found.slot);
}

static void offer_obstacle(const vn_avoid* avoid, const vni_seen* body, uint32_t slot, nearest* found) {
    const vni_mover* mover = &avoid->movers[slot];
    vni_vec to =
        vni_sub(vni_v(mover->def.position.x, mover->def.position.y, mover->def.position.z), body->position);
    float gap = (float)(vni_length(to) - mover->size - (double)body->radius);
    if (gap <= avoid->def.reach + drift(avoid))
        offer(found, gap, slot);
}

static void list_obstacles(vn_avoid* avoid, uint32_t slot) {
    const vni_seen* body = &avoid->bodies[slot];
    const vni_index* index = &avoid->obstacle_index;
    vn_vec3 at = vni_narrow(relative(index, body->position));
    const int32_t x = cell_of(index, at.x), y = cell_of(index, at.y), z = cell_of(index, at.z);
    const uint32_t bucket = (row_of(y, z) + (uint32_t)x) & index->mask;
    nearest found = {.most = VNI_LISTED_OBSTACLES};

    for (uint32_t i = index->starts[bucket]; i < index->starts[bucket + 1]; ++i) {
        const vni_entry* e = &index->entries[i];
        if (cell_of(index, e->x) == x && cell_of(index, e->y) == y && cell_of(index, e->z) == z)
            offer_obstacle(avoid, body, e->slot, &found);
    }
    for (uint32_t i = 0; i < avoid->large_count; ++i)
        offer_obstacle(avoid, body, avoid->large[i], &found);

    avoid->obstacle_counts[slot] = (uint8_t)found.count;
    for (uint32_t i = 0; i < found.count; ++i)
        avoid->obstacle_lists[(size_t)slot * VNI_LISTED_OBSTACLES + i] = (uint16_t)found.slot[i];
}

void vni_list_neighbours(vn_avoid* avoid, uint32_t slot) {
    list_agents(avoid, slot);
    if (avoid->obstacle_ids.live > 0)
        list_obstacles(avoid, slot);
    else
        avoid->obstacle_counts[slot] = 0;
}
