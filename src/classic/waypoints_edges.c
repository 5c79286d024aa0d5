/// classic/waypoints_edges.c: which waypoints see which, found anew near changes only.
#include "base/alloc.h"
#include "classic/ends.h"
#include "classic/waypoints_inside.h"
#include "geom/units.h"
#include "probe/sight.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------- cells

static uint32_t cell_on(int32_t step, uint32_t cells) {
    const uint32_t cell = (uint32_t)vni_step_to_voxel(step) / VNI_WAYPOINT_CELL;
    return cell < cells ? cell : cells - 1;
}

static uint32_t cell_of(const vni_waypoints* w, vn_point p) {
    return cell_on(p.x, w->cells[0]) +
           w->cells[0] * (cell_on(p.y, w->cells[1]) + w->cells[1] * cell_on(p.z, w->cells[2]));
}

bool vni_waypoints_sort_cells(vni_waypoints* w) {
    w->cell_count = 1;
    for (int i = 0; i < 3; ++i) {
        w->cells[i] = ((uint32_t)w->space->occupancy.dims[i] + VNI_WAYPOINT_CELL - 1) / VNI_WAYPOINT_CELL;
        w->cell_count *= w->cells[i];
    }

    for (uint32_t i = 0; i < w->node_count; ++i)
        w->free_count += !w->nodes[i].blocked;
    w->cell_first =
        (uint32_t*)vni_alloc_zero(&w->def.allocator, (uint64_t)w->cell_count + 1, sizeof(uint32_t));
    w->cell_nodes = VNI_NEW_ARRAY(&w->def.allocator, uint32_t, w->free_count);
    if (w->cell_first == NULL || (w->free_count > 0 && w->cell_nodes == NULL))
        return false;

    // Counted one place further on, summed up, filled, and moved back: a counting sort.
    for (uint32_t i = 0; i < w->node_count; ++i)
        if (!w->nodes[i].blocked)
            ++w->cell_first[cell_of(w, w->nodes[i].point) + 1];
    for (uint32_t i = 0; i < w->cell_count; ++i)
        w->cell_first[i + 1] += w->cell_first[i];
    for (uint32_t i = 0; i < w->node_count; ++i)
        if (!w->nodes[i].blocked)
            w->cell_nodes[w->cell_first[cell_of(w, w->nodes[i].point)]++] = i;
    memmove(w->cell_first + 1, w->cell_first, w->cell_count * sizeof *w->cell_first);
    w->cell_first[0] = 0;
    return true;
}

// ------------------------------------------------------------------------------------------------- nearest

/// The nearest waypoints so far, in order.
typedef struct nearest {
    const vni_waypoints* w;
    vn_point from;
    uint32_t owner, capacity, count;
    uint32_t* nodes;
    int64_t distances[VNI_MAX_INDIRECT]; ///< squared, in steps
} nearest;

static int64_t squared(vn_point a, vn_point b) {
    const int64_t x = (int64_t)a.x - b.x, y = (int64_t)a.y - b.y, z = (int64_t)a.z - b.z;
    return x * x + y * y + z * z;
}

static bool comes_before(const nearest* n, uint32_t at, int64_t distance, uint32_t node) {
    return distance < n->distances[at] || (distance == n->distances[at] && node < n->nodes[at]);
}

static void offer(nearest* n, uint32_t node) {
    const vni_waypoint* other = &n->w->nodes[node];
    const int64_t distance = squared(n->from, other->point);
    const bool full = n->count == n->capacity;
    if (other->owner == n->owner || (full && !comes_before(n, n->count - 1, distance, node)))
        return;
    if (!vni_sight(&n->w->space->occupancy, n->from, other->point))
        return;

    uint32_t at = full ? n->count - 1 : n->count;
    n->count += !full;
    for (; at > 0 && comes_before(n, at - 1, distance, node); --at) {
        n->distances[at] = n->distances[at - 1];
        n->nodes[at] = n->nodes[at - 1];
    }
    n->distances[at] = distance;
    n->nodes[at] = node;
}

/// All cells at this distance from the home cell, counted in cells; false if there are none in the space.
static bool offer_ring(nearest* n, const int32_t home[3], int32_t ring) {
    const vni_waypoints* w = n->w;
    int32_t low[3], high[3];
    bool any = false;
    for (int i = 0; i < 3; ++i) {
        low[i] = home[i] - ring > 0 ? home[i] - ring : 0;
        high[i] = home[i] + ring < (int32_t)w->cells[i] - 1 ? home[i] + ring : (int32_t)w->cells[i] - 1;
        any |= home[i] - ring >= 0 || home[i] + ring < (int32_t)w->cells[i];
    }

    for (int32_t z = low[2]; any && z <= high[2]; ++z)
        for (int32_t y = low[1]; y <= high[1]; ++y) {
            // Inside the shell only its two sides along x belong to the ring.
            const bool inner =
                z > home[2] - ring && z < home[2] + ring && y > home[1] - ring && y < home[1] + ring;
            const int32_t step = inner && ring > 0 ? 2 * ring : 1;
            for (int32_t x = inner ? home[0] - ring : low[0]; x <= high[0]; x += step) {
                if (x < 0)
                    continue;
                const uint32_t cell = (uint32_t)x + w->cells[0] * ((uint32_t)y + w->cells[1] * (uint32_t)z);
                for (uint32_t i = w->cell_first[cell]; i < w->cell_first[cell + 1]; ++i)
                    offer(n, w->cell_nodes[i]);
            }
        }

    return any;
}

uint32_t vni_waypoints_seen(const vni_waypoints* w, vn_point from, uint32_t owner, uint32_t capacity,
                            uint32_t* out, double* reach) {
    VNI_ASSERT(capacity <= VNI_MAX_INDIRECT);
    nearest n = {.w = w, .from = from, .owner = owner, .capacity = capacity, .nodes = out};
    const int32_t home[3] = {(int32_t)cell_on(from.x, w->cells[0]), (int32_t)cell_on(from.y, w->cells[1]),
                             (int32_t)cell_on(from.z, w->cells[2])};
    for (int32_t ring = 0; capacity > 0; ++ring) {
        // Cells of this ring are at least so far away.
        const int64_t gap = ring > 0 ? vni_voxel_to_steps64((int64_t)(ring - 1) * VNI_WAYPOINT_CELL) : 0;
        if (n.count == capacity && n.distances[n.count - 1] < gap * gap)
            break;
        if (!offer_ring(&n, home, ring))
            break;
    }

    const bool full = n.count == capacity;
    if (reach != NULL)
        *reach = !full          ? HUGE_VAL
                 : capacity > 0 ? vni_voxels_between(from, w->nodes[out[n.count - 1]].point)
                                : 0;
    return n.count;
}

// ---------------------------------------------------------------------------------------------------- edges

/// The range of bricks on one axis that hold voxels touched by [low, high], in steps; false if it is empty.
static bool brick_range(int64_t low, int64_t high, int32_t bricks, int32_t* first, int32_t* last) {
    const int64_t from = (low - 1) >> (VN_LATTICE_SHIFT + 2), to = high >> (VN_LATTICE_SHIFT + 2);
    *first = from > 0 ? (int32_t)(from < bricks ? from : bricks) : 0;
    *last = to < bricks ? (int32_t)to : bricks - 1;
    return *first <= *last;
}

static bool range_is_dirty(const vni_waypoint_work* work, const int64_t low[3], const int64_t high[3]) {
    int32_t first[3], last[3];
    for (int i = 0; i < 3; ++i)
        if (!brick_range(low[i], high[i], work->bricks[i], &first[i], &last[i]))
            return false;
    for (int32_t z = first[2]; z <= last[2]; ++z)
        for (int32_t y = first[1]; y <= last[1]; ++y) {
            const uint64_t row =
                (uint64_t)work->bricks[0] * ((uint64_t)y + (uint64_t)work->bricks[1] * (uint64_t)z);
            for (int32_t x = first[0]; x <= last[0]; ++x)
                if (vni_bits_get(work->dirty, row + (uint64_t)x))
                    return true;
        }
    return false;
}

bool vni_waypoints_dirty(const vni_waypoint_work* work, vn_point a, vn_point b) {
    if (vn_point_is_outside(a) || vn_point_is_outside(b))
        return false;
    const int64_t low[3] = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
    const int64_t high[3] = {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z};
    return range_is_dirty(work, low, high);
}

/// Is anything dirty within the reach of a node's indirect neighbours?
static bool reach_is_dirty(const vni_waypoint_work* work, vn_point p, double reach) {
    if (reach == HUGE_VAL)
        return true;
    const int64_t r = (int64_t)vni_voxels_to_steps(reach) + 1;
    const int64_t low[3] = {p.x - r, p.y - r, p.z - r}, high[3] = {p.x + r, p.y + r, p.z + r};
    return range_is_dirty(work, low, high);
}

/// A waypoint that stands where it did, blocked or free as it was.
static bool is_as_before(const vni_waypoint_work* work, uint32_t node) {
    return vni_waypoint_stands(work, node) &&
           work->before->nodes[work->old_of[node]].blocked == work->now->nodes[node].blocked;
}

/// Has a node the edges that it had before?
static bool keeps_edges(const vni_waypoint_work* work, uint32_t node) {
    const vni_waypoint* n = &work->now->nodes[node];
    if (!is_as_before(work, node))
        return false;
    if (n->blocked)
        return true;
    if (reach_is_dirty(work, n->point, work->before->nodes[work->old_of[node]].reach))
        return false;

    // An obstacle that turns about a waypoint moves the others, and a blocked one makes nothing dirty.
    const vni_waypoint_owner* owner = &work->now->owners[n->owner];
    const uint32_t place = node - owner->first;
    for (uint32_t i = owner->plan->first[place]; i < owner->plan->first[place + 1]; ++i) {
        const uint32_t other = owner->first + owner->plan->direct[i];
        if (!is_as_before(work, other) || vni_waypoints_dirty(work, n->point, work->now->nodes[other].point))
            return false;
    }

    return true;
}

static bool reserve_edges(vni_waypoints* w, uint32_t more) {
    return vni_grow(&w->def.allocator, &w->to, &w->to_capacity, (uint64_t)w->to_count + more, sizeof *w->to);
}

static bool copy_edges(const vni_waypoint_work* work, uint32_t node) {
    vni_waypoints* now = work->now;
    const vni_waypoint* old = &work->before->nodes[work->old_of[node]];
    if (!reserve_edges(now, old->count))
        return false;

    now->nodes[node].reach = old->reach;
    for (uint32_t i = 0; i < old->count; ++i) {
        const uint32_t to = work->new_of[work->before->to[old->first + i]];
        VNI_ASSERT(to != VNI_NO_WAYPOINT);
        now->to[now->to_count++] = to;
    }
    return true;
}

static bool find_edges(vni_waypoints* w, uint32_t node) {
    vni_waypoint* n = &w->nodes[node];
    const vni_waypoint_owner* owner = &w->owners[n->owner];
    const uint32_t* first = &owner->plan->first[node - owner->first];
    if (n->blocked)
        return true;
    if (!reserve_edges(w, first[1] - first[0] + w->def.indirect))
        return false;

    for (uint32_t i = first[0]; i < first[1]; ++i) {
        const uint32_t to = owner->first + owner->plan->direct[i];
        if (!w->nodes[to].blocked && vni_sight(&w->space->occupancy, n->point, w->nodes[to].point))
            w->to[w->to_count++] = to;
    }
    w->to_count += vni_waypoints_seen(w, n->point, n->owner, w->def.indirect, w->to + w->to_count, &n->reach);
    return true;
}

static bool reverse_edges(vni_waypoints* w) {
    w->back_first =
        (uint32_t*)vni_alloc_zero(&w->def.allocator, (uint64_t)w->node_count + 1, sizeof(uint32_t));
    w->back = VNI_NEW_ARRAY(&w->def.allocator, uint32_t, w->to_count);
    if (w->back_first == NULL || (w->to_count > 0 && w->back == NULL))
        return false;

    for (uint32_t i = 0; i < w->to_count; ++i)
        ++w->back_first[w->to[i] + 1];
    for (uint32_t i = 0; i < w->node_count; ++i)
        w->back_first[i + 1] += w->back_first[i];
    for (uint32_t node = 0; node < w->node_count; ++node)
        for (uint32_t i = 0; i < w->nodes[node].count; ++i)
            w->back[w->back_first[w->to[w->nodes[node].first + i]]++] = node;
    memmove(w->back_first + 1, w->back_first, w->node_count * sizeof *w->back_first);
    w->back_first[0] = 0;
    return true;
}

bool vni_waypoints_join(vni_waypoint_work* work) {
    vni_waypoints* now = work->now;
    for (uint32_t node = 0; node < now->node_count; ++node) {
        now->nodes[node].first = now->to_count;
        if (!(keeps_edges(work, node) ? copy_edges(work, node) : find_edges(now, node)))
            return false;
        now->nodes[node].count = now->to_count - now->nodes[node].first;
    }

    return reverse_edges(now);
}
