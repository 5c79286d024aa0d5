/// classic/hybrid_state.c: opens and closes the edges of a hybrid graph.
#include "classic/hybrid_state.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "geom/box.h"

#include <string.h>

static bool edge_is_open(const vni_hybrid* h, const vni_occupancy* occupancy, uint32_t edge) {
    return vni_hybrid_line_is_open(occupancy, vni_hybrid_voxel(h, h->edges[edge].from),
                                   vni_hybrid_voxel(h, h->edges[edge].to));
}

static uint64_t open_words(const vni_hybrid* h) {
    return vni_bits_words(h->edge_count);
}

/// Without its bits set.
static vn_status make_state(const vni_hybrid* h, const vni_occupancy* occupancy, vni_hybrid_state* out,
                            vn_detail* detail) {
    const vni_hybrid_state state = {
        h, occupancy, (uint64_t*)vni_alloc_zero(&h->allocator, open_words(h), sizeof(uint64_t))};
    *out = (vni_hybrid_state){0};
    if (h->edge_count > 0 && state.open == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the state of %u edges", h->edge_count);

    *out = state;
    return VN_OK;
}

vn_status vni_hybrid_state_make(const vni_hybrid* hybrid, const vni_occupancy* occupancy,
                                vni_hybrid_state* out, vn_detail* detail) {
    const vn_status status = make_state(hybrid, occupancy, out, detail);
    for (uint32_t i = 0; status == VN_OK && i < hybrid->edge_count; ++i)
        if (edge_is_open(hybrid, occupancy, i))
            vni_bits_set(out->open, i);
    return status;
}

void vni_hybrid_state_free(vni_hybrid_state* state) {
    if (state->open != NULL)
        VNI_DELETE_ARRAY(&state->hybrid->allocator, state->open, open_words(state->hybrid));
    *state = (vni_hybrid_state){0};
}

// -------------------------------------------------------------------------------------------------- scratch

vn_status vni_hybrid_scratch_make(const vn_allocator* allocator, const vni_hybrid* hybrid,
                                  vni_hybrid_scratch* out, vn_detail* detail) {
    vni_hybrid_scratch s = {
        .allocator = *allocator, .edge_count = hybrid->edge_count, .node_count = hybrid->node_count};
    s.edge_stamps = (uint32_t*)vni_alloc_zero(allocator, s.edge_count, sizeof(uint32_t));
    s.node_stamps = (uint32_t*)vni_alloc_zero(allocator, s.node_count, sizeof(uint32_t));
    s.step_stamps = (uint32_t*)vni_alloc_zero(allocator, s.node_count, sizeof(uint32_t));

    *out = (vni_hybrid_scratch){0};
    const bool made = (s.edge_count == 0 || s.edge_stamps != NULL) &&
                      (s.node_count == 0 || (s.node_stamps != NULL && s.step_stamps != NULL));
    if (!made) {
        vni_hybrid_scratch_free(&s);
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to update a hybrid graph");
    }

    *out = s;
    return VN_OK;
}

void vni_hybrid_scratch_free(vni_hybrid_scratch* s) {
    if (s->edge_stamps != NULL)
        VNI_DELETE_ARRAY(&s->allocator, s->edge_stamps, s->edge_count);
    if (s->node_stamps != NULL)
        VNI_DELETE_ARRAY(&s->allocator, s->node_stamps, s->node_count);
    if (s->step_stamps != NULL)
        VNI_DELETE_ARRAY(&s->allocator, s->step_stamps, s->node_count);
    *s = (vni_hybrid_scratch){0};
}

/// A stamp that no entry has. After 2^32 updates all are cleared once.
static void next_stamp(vni_hybrid_scratch* s) {
    if (++s->stamp != 0)
        return;
    if (s->edge_count > 0)
        memset(s->edge_stamps, 0, s->edge_count * sizeof(uint32_t));
    if (s->node_count > 0) {
        memset(s->node_stamps, 0, s->node_count * sizeof(uint32_t));
        memset(s->step_stamps, 0, s->node_count * sizeof(uint32_t));
    }
    s->stamp = 1;
}

// --------------------------------------------------------------------------------------------------- update

typedef struct updater {
    const vni_hybrid* h;
    const vni_hybrid_state* before;
    vni_hybrid_state* now;
    vni_hybrid_scratch* scratch;
    vni_hybrid_delta* delta;
    vni_box left; ///< around the voxels that changed outside the dynamic nodes; empty: none did
} updater;

/// Lists a node once. The delta has the capacity for all nodes.
static void list_node(updater* u, uint32_t node) {
    if (u->scratch->node_stamps[node] == u->scratch->stamp)
        return;
    u->scratch->node_stamps[node] = u->scratch->stamp;
    u->delta->nodes[u->delta->count++] = node;
}

static void look_at_edge(updater* u, uint32_t edge) {
    if (u->scratch->edge_stamps[edge] == u->scratch->stamp)
        return;
    u->scratch->edge_stamps[edge] = u->scratch->stamp;

    const bool open = edge_is_open(u->h, u->now->occupancy, edge);
    if (open == vni_bits_get(u->now->open, edge))
        return;
    if (open)
        vni_bits_set(u->now->open, edge);
    else
        vni_bits_clear(u->now->open, edge);

    list_node(u, u->h->edges[edge].from);
    list_node(u, u->h->edges[edge].to);
}

/// Directions in which the grid allows a step from a voxel; none from a blocked one.
static uint32_t steps_from(const vni_hybrid* h, const vni_occupancy* occupancy, vn_voxel v) {
    const uint32_t free = vni_grid_free_around(occupancy, v);
    uint32_t steps = 0;
    for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d)
        if ((free & h->grid.needs[d]) == h->grid.needs[d])
            steps |= 1u << d;
    return steps;
}

/// Lists a dynamic node whose steps differ, and the nodes on the other side of those that do.
static void look_at_steps(updater* u, uint32_t node) {
    if (u->scratch->step_stamps[node] == u->scratch->stamp)
        return;
    u->scratch->step_stamps[node] = u->scratch->stamp;

    const vn_voxel v = vni_hybrid_voxel(u->h, node);
    uint32_t differ = steps_from(u->h, u->before->occupancy, v) ^ steps_from(u->h, u->now->occupancy, v);
    if (differ != 0)
        list_node(u, node);
    for (; differ != 0; differ &= differ - 1) {
        const int32_t* s = u->h->grid.step[vni_lowest_bit(differ)];
        const uint32_t other = vni_hybrid_node(u->h, (vn_voxel){v.x + s[0], v.y + s[1], v.z + s[2]});
        if (other != VNI_NO_HYBRID)
            list_node(u, other);
    }
}

/// Steps around a changed voxel: its own, and those of the 26 around it.
static void look_around(updater* u, vn_voxel v) {
    const int32_t* dims = u->now->occupancy->dims;
    for (int32_t z = v.z - 1; z <= v.z + 1; ++z)
        for (int32_t y = v.y - 1; y <= v.y + 1; ++y)
            for (int32_t x = v.x - 1; x <= v.x + 1; ++x) {
                if (x < 0 || y < 0 || z < 0 || x >= dims[0] || y >= dims[1] || z >= dims[2])
                    continue;
                const uint32_t node = vni_hybrid_node(u->h, (vn_voxel){x, y, z});
                if (node != VNI_NO_HYBRID && vni_hybrid_is_dynamic(u->h, node))
                    look_at_steps(u, node);
            }
}

static void widen(vni_box* box, vn_voxel v) {
    const int32_t at[3] = {v.x, v.y, v.z};
    const bool empty = box->high[0] <= box->low[0];
    for (int i = 0; i < 3; ++i) {
        box->low[i] = empty || at[i] < box->low[i] ? at[i] : box->low[i];
        box->high[i] = empty || at[i] >= box->high[i] ? at[i] + 1 : box->high[i];
    }
}

static void take_voxel(updater* u, vn_voxel v, bool blocked) {
    const uint32_t node = vni_hybrid_node(u->h, v);
    look_around(u, v);
    if (node == VNI_NO_HYBRID || !vni_hybrid_is_dynamic(u->h, node)) {
        u->delta->left += blocked;
        widen(&u->left, v);
        return;
    }

    for (uint32_t i = u->h->cross_first[node]; i < u->h->cross_first[node + 1]; ++i)
        look_at_edge(u, u->h->cross[i]);
}

/// Does the range of voxels between a and b, both included, meet [low, high)? A line between centres touches
/// no voxel outside these ranges.
static bool spans_meet(int32_t a, int32_t b, int32_t low, int32_t high) {
    return (a < b ? a : b) < high && (a < b ? b : a) >= low;
}

/// What left the dynamic nodes is on no list: looks at every edge near it.
static void look_at_left(updater* u) {
    const vni_box* b = &u->left;
    if (b->high[0] <= b->low[0])
        return;

    for (uint32_t i = 0; i < u->h->edge_count; ++i) {
        const vn_voxel from = vni_hybrid_voxel(u->h, u->h->edges[i].from);
        const vn_voxel to = vni_hybrid_voxel(u->h, u->h->edges[i].to);
        if (spans_meet(from.x, to.x, b->low[0], b->high[0]) &&
            spans_meet(from.y, to.y, b->low[1], b->high[1]) &&
            spans_meet(from.z, to.z, b->low[2], b->high[2]))
            look_at_edge(u, i);
    }
}

vn_status vni_hybrid_state_next(const vni_hybrid_state* before, const vni_occupancy* occupancy,
                                const vn_brick_change* bricks, uint32_t count, vni_hybrid_scratch* scratch,
                                vni_hybrid_state* out, vni_hybrid_delta* delta, vn_detail* detail) {
    const vni_hybrid* h = before->hybrid;
    *out = (vni_hybrid_state){0};
    if (!vni_grow(&h->allocator, &delta->nodes, &delta->capacity, h->node_count, sizeof *delta->nodes))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for the changes of %u nodes", h->node_count);
    const vn_status status = make_state(h, occupancy, out, detail);
    if (status != VN_OK)
        return status;

    if (h->edge_count > 0)
        memcpy(out->open, before->open, (size_t)open_words(h) * sizeof(uint64_t));
    delta->count = delta->left = 0;
    next_stamp(scratch);
    updater u = {h, before, out, scratch, delta, {{0}, {0}}};

    for (uint32_t i = 0; i < count; ++i)
        for (uint64_t rest = bricks[i].before ^ bricks[i].after; rest != 0; rest &= rest - 1) {
            const int32_t bit = (int32_t)vni_lowest_bit(rest);
            const vn_voxel v = {bricks[i].low.x + (bit & 3), bricks[i].low.y + (bit >> 2 & 3),
                                bricks[i].low.z + (bit >> 4)};
            take_voxel(&u, v, bricks[i].after >> bit & 1);
        }

    look_at_left(&u);
    return VN_OK;
}
