/// classic/waypoints_delta.c: names that stay, and what changed by name.
#include "base/alloc.h"
#include "classic/waypoints_inside.h"
#include "geom/vec.h"

// ---------------------------------------------------------------------------------------------------- names

/// Free ids of before, lowest first, then new ones. Those of waypoints that just went are not free yet.
static uint32_t next_id(const vni_waypoints* before, uint32_t* from) {
    const uint32_t limit = before != NULL ? before->id_count : 0;
    while (*from < limit && before->nodes_of[*from] != VNI_NO_WAYPOINT)
        ++*from;
    return (*from)++;
}

bool vni_waypoints_name(vni_waypoint_work* work) {
    vni_waypoints* now = work->now;
    const vni_waypoints* before = work->before;
    uint32_t from = 0, limit = before != NULL ? before->id_count : 0;
    now->ids = VNI_NEW_ARRAY(&now->def.allocator, uint32_t, now->node_count);
    if (now->node_count > 0 && now->ids == NULL)
        return false;

    for (uint32_t i = 0; i < now->node_count; ++i) {
        const uint32_t old = work->old_of[i];
        now->ids[i] = old != VNI_NO_WAYPOINT ? before->ids[old] : VN_FIRST_NODE + next_id(before, &from);
        limit = now->ids[i] - VN_FIRST_NODE >= limit ? now->ids[i] - VN_FIRST_NODE + 1 : limit;
    }

    now->id_count = limit;
    now->nodes_of = VNI_NEW_ARRAY(&now->def.allocator, uint32_t, limit);
    if (limit > 0 && now->nodes_of == NULL)
        return false;
    for (uint32_t i = 0; i < limit; ++i)
        now->nodes_of[i] = VNI_NO_WAYPOINT;
    for (uint32_t i = 0; i < now->node_count; ++i)
        now->nodes_of[now->ids[i] - VN_FIRST_NODE] = i;
    return true;
}

// ---------------------------------------------------------------------------------------------------- delta

static bool reserve(const vni_waypoint_work* work, vni_waypoint_delta* d) {
    const vn_allocator* a = &work->now->def.allocator;
    return vni_grow(a, &d->came, &d->came_capacity, work->now->node_count, sizeof *d->came) &&
           vni_grow(a, &d->changed, &d->changed_capacity, work->now->node_count, sizeof *d->changed) &&
           vni_grow(a, &d->went, &d->went_capacity, work->before->node_count, sizeof *d->went);
}

/// Had the node this edge before, at the same cost?
static bool had_edge(const vni_waypoint_work* work, uint32_t node, uint32_t to) {
    const uint32_t old = work->old_of[node], old_to = work->old_of[to];
    if (!vni_waypoint_stands(work, node) || !vni_waypoint_stands(work, to))
        return false;
    const vni_waypoint* n = &work->before->nodes[old];
    for (uint32_t i = 0; i < n->count; ++i)
        if (work->before->to[n->first + i] == old_to)
            return true;
    return false;
}

static bool has_edge(const vni_waypoint_work* work, uint32_t old, uint32_t old_to) {
    const uint32_t node = work->new_of[old], to = work->new_of[old_to];
    if (node == VNI_NO_WAYPOINT || to == VNI_NO_WAYPOINT || !vni_waypoint_stands(work, node) ||
        !vni_waypoint_stands(work, to))
        return false;
    const vni_waypoint* n = &work->now->nodes[node];
    for (uint32_t i = 0; i < n->count; ++i)
        if (work->now->to[n->first + i] == to)
            return true;
    return false;
}

/// Marks both ends of every edge that is new, or is no more, or costs something else.
static void mark_edges(const vni_waypoint_work* work, uint64_t* changed) {
    const vni_waypoints *now = work->now, *before = work->before;
    for (uint32_t node = 0; node < now->node_count; ++node)
        for (uint32_t i = 0; i < now->nodes[node].count; ++i) {
            const uint32_t to = now->to[now->nodes[node].first + i];
            if (had_edge(work, node, to))
                continue;
            vni_bits_set(changed, node);
            vni_bits_set(changed, to);
        }

    for (uint32_t old = 0; old < before->node_count; ++old)
        for (uint32_t i = 0; i < before->nodes[old].count; ++i) {
            const uint32_t old_to = before->to[before->nodes[old].first + i];
            if (has_edge(work, old, old_to))
                continue;
            if (work->new_of[old] != VNI_NO_WAYPOINT)
                vni_bits_set(changed, work->new_of[old]);
            if (work->new_of[old_to] != VNI_NO_WAYPOINT)
                vni_bits_set(changed, work->new_of[old_to]);
        }
}

bool vni_waypoints_compare(const vni_waypoint_work* work, vni_waypoint_delta* delta) {
    const vni_waypoints *now = work->now, *before = work->before;
    const uint64_t words = vni_bits_words(now->node_count);
    uint64_t* changed = (uint64_t*)vni_alloc_zero(&now->def.allocator, words, sizeof(uint64_t));
    const bool made = (words == 0 || changed != NULL) && reserve(work, delta);
    if (made) {
        delta->came_count = delta->went_count = delta->changed_count = 0;
        mark_edges(work, changed);
        for (uint32_t i = 0; i < now->node_count; ++i) {
            if (work->old_of[i] == VNI_NO_WAYPOINT)
                delta->came[delta->came_count++] = now->ids[i];
            else if (vni_bits_get(changed, i) || !vni_waypoint_stands(work, i))
                delta->changed[delta->changed_count++] = now->ids[i];
        }
        for (uint32_t i = 0; i < before->node_count; ++i)
            if (work->new_of[i] == VNI_NO_WAYPOINT)
                delta->went[delta->went_count++] = before->ids[i];
    }

    if (changed != NULL)
        VNI_DELETE_ARRAY(&now->def.allocator, changed, words);
    return made;
}

void vni_waypoint_delta_free(const vn_allocator* allocator, vni_waypoint_delta* delta) {
    if (delta->came != NULL)
        VNI_DELETE_ARRAY(allocator, delta->came, delta->came_capacity);
    if (delta->went != NULL)
        VNI_DELETE_ARRAY(allocator, delta->went, delta->went_capacity);
    if (delta->changed != NULL)
        VNI_DELETE_ARRAY(allocator, delta->changed, delta->changed_capacity);
    *delta = (vni_waypoint_delta){0};
}
