/// query/cells_enter.h: what the searches over cells share: entry points, four links at a time, and the open
/// set.
///
/// The entry point q of a portal is chosen for a traveller who comes from p, where the cell was entered, and
/// heads for t, the far end: the point of the rectangle that makes |pq| + |qt| least:
///
///          p .            a: in-plane, b: in-plane (out of the page)
///            .\ dp = distance of p from the plane
///     ---[----q----]---   the plane, with the rectangle
///               .\ dt
///                 t       q divides the in-plane distance as dp : dt
///
/// That is A* (Hart, Nilsson, Raphael 1968) over points that are not fixed beforehand: where a cell is
/// entered depends on its parent.
#ifndef VNI_QUERY_CELLS_ENTER_H
#define VNI_QUERY_CELLS_ENTER_H

#include "base/simd.h"
#include "geom/units.h"
#include "geom/vec.h"
#include "query/cells_search.h"

#include <string.h>

/// The portals in one face of the cell in work: what is the same for all of them.
typedef struct vni_face_portals {
    int a, b, axis;       ///< the in-plane axes, and the one across
    float low_a, low_b;   ///< of the block: rectangles are relative to it
    float plane;          ///< of the face
    uint32_t base, block; ///< ids and block beyond
} vni_face_portals;

/// The portals of four links as rectangles, voxels.
typedef struct vni_rects {
    vni_f4 low_a, high_a, low_b, high_b;
} vni_rects;

/// Entry points of four links (in-plane coordinates), and their g and f.
typedef struct vni_quad {
    float a[4], b[4], g[4], f[4];
} vni_quad;

static inline uint32_t vni_cell_id(const vni_cells* cells, vni_cell_ref ref) {
    return cells->base[ref.block] + ref.cell;
}

static inline float vni_float_distance(const float a[3], const float b[3]) {
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrtf(x * x + y * y + z * z);
}

/// A lattice point in voxels.
static inline void vni_lattice_voxels(vn_point p, float out[3]) {
    vni_point_to_voxels_f(p, out);
}

// ---------------------------------------------------------------------------------------------- entry points

static inline void vni_face_portals_open(const vni_cells* cells, const vni_cell* cell, const int32_t low[3],
                                         uint32_t face, uint32_t beyond, vni_face_portals* out) {
    out->axis = (int)(face >> 1);
    out->a = vni_other_axes[out->axis][0];
    out->b = vni_other_axes[out->axis][1];
    out->low_a = (float)low[out->a];
    out->low_b = (float)low[out->b];
    out->plane = (float)(low[out->axis] + (face & 1 ? cell->high[out->axis] : cell->low[out->axis]));
    out->block = beyond;
    out->base = cells->views[beyond].base;
}

/// Decodes the rectangles of four links: bytes relative to the block become voxels.
static inline vni_rects vni_rects_of(const vni_link_group* group, const vni_face_portals* portals) {
    const vni_rects rects = {vni_f4_add(vni_f4_from_bytes(group->low_a), vni_f4_all(portals->low_a)),
                             vni_f4_add(vni_f4_from_bytes(group->high_a), vni_f4_all(portals->low_a)),
                             vni_f4_add(vni_f4_from_bytes(group->low_b), vni_f4_all(portals->low_b)),
                             vni_f4_add(vni_f4_from_bytes(group->high_b), vni_f4_all(portals->low_b))};
    return rects;
}

static inline vni_f4 vni_f4_clamp(vni_f4 x, vni_f4 low, vni_f4 high) {
    return vni_f4_min(vni_f4_max(x, low), high);
}

/// Decodes one of them in integers, for tests that must be exact.
static inline void vni_rect_of(const vni_link_group* group, const vni_face_portals* portals, int k,
                               int32_t low[2], int32_t high[2]) {
    const int32_t low_a = (int32_t)portals->low_a, low_b = (int32_t)portals->low_b;
    low[0] = low_a + group->low_a[k];
    low[1] = low_b + group->low_b[k];
    high[0] = low_a + group->high_a[k];
    high[1] = low_b + group->high_b[k];
}

/// A point of a face in space.
static inline void vni_face_point(const vni_face_portals* portals, float a, float b, float out[3]) {
    out[portals->axis] = portals->plane;
    out[portals->a] = a;
    out[portals->b] = b;
}

/// What four links head for: in-plane coordinates, and the distance across, from the plane.
typedef struct vni_targets {
    vni_f4 a, b, across;
} vni_targets;

/// The same point for all four.
static inline vni_targets vni_target_all(const vni_face_portals* portals, const float t[3]) {
    const vni_targets targets = {vni_f4_all(t[portals->a]), vni_f4_all(t[portals->b]),
                                 vni_f4_all(t[portals->axis] - portals->plane)};
    return targets;
}

static inline vni_f4 vni_f4_abs(vni_f4 x) {
    return vni_f4_max(x, vni_f4_sub(vni_f4_all(0), x));
}

/// The point q of each rectangle that makes |pq| + |qt| short. Along a: where the straight segment (mirrored,
/// if both ends are on one side) crosses the plane, clamped to the rectangle; where b is clamped too, that is
/// not the constrained minimum. Then along b: exactly the best place with a held. A second exact step, along
/// a, gains nothing that the taut string does not gain later (docs/how-it-works.md).
static inline void vni_enter(const vni_rects* rects, const vni_face_portals* portals, const vni_entry* from,
                             const vni_targets* t, float weight, vni_quad* out) {
    const float dp = from->point[portals->axis] - portals->plane;
    const vni_f4 dp2 = vni_f4_all(dp * dp), dt2 = vni_f4_mul(t->across, t->across);
    const vni_f4 pa = vni_f4_all(from->point[portals->a]), pb = vni_f4_all(from->point[portals->b]);
    const vni_f4 wa = vni_f4_sub(t->a, pa), wb = vni_f4_sub(t->b, pb), tiny = vni_f4_all(1e-20f);

    // Along a: divide the in-plane distance as the distances from the plane. `tiny` keeps 0 / 0 from becoming
    // a NaN when both ends lie in the plane; the share is 0 then, and q starts at p.
    const vni_f4 ep = vni_f4_all(fabsf(dp)), et = vni_f4_abs(t->across);
    const vni_f4 ratio = vni_f4_div(ep, vni_f4_add(vni_f4_add(ep, et), tiny));
    const vni_f4 qa = vni_f4_clamp(vni_f4_add(pa, vni_f4_mul(wa, ratio)), rects->low_a, rects->high_a);

    // Along b, with a held: p and t now lie off the line (qa, *, plane) by e1 and e2, and the best place
    // divides the distance along b as e1 : e2.
    vni_f4 x = vni_f4_sub(qa, pa), y = vni_f4_sub(qa, t->a);
    const vni_f4 xa2 = vni_f4_add(vni_f4_mul(x, x), dp2), ya2 = vni_f4_add(vni_f4_mul(y, y), dt2);
    const vni_f4 e1 = vni_f4_sqrt(xa2), e2 = vni_f4_sqrt(ya2);
    const vni_f4 share = vni_f4_div(e1, vni_f4_add(vni_f4_add(e1, e2), tiny));
    const vni_f4 qb = vni_f4_clamp(vni_f4_add(pb, vni_f4_mul(wb, share)), rects->low_b, rects->high_b);

    // The squares along a and across are at hand: one more term each gives both distances.
    x = vni_f4_sub(qb, pb);
    y = vni_f4_sub(qb, t->b);
    vni_f4 g = vni_f4_add(vni_f4_all(from->g), vni_f4_sqrt(vni_f4_add(xa2, vni_f4_mul(x, x))));
    vni_f4 h = vni_f4_sqrt(vni_f4_add(ya2, vni_f4_mul(y, y)));
    vni_f4_store(out->a, qa);
    vni_f4_store(out->b, qb);
    vni_f4_store(out->g, g);
    vni_f4_store(out->f, vni_f4_add(g, vni_f4_mul(vni_f4_all(weight), h)));
}

/// Prefetches the records of a group's cells, to have them in the cache when the entry points are known.
static inline void vni_prefetch(const vni_cells_search* s, const vni_link_group* group, uint32_t base) {
#if defined(__GNUC__)
    for (int i = 0; i < 4; ++i)
        if (group->to[i] != VNI_NO_CELL)
            __builtin_prefetch(&s->entries[base + group->to[i]], 1);
#else
    (void)s;
    (void)group;
    (void)base;
#endif
}

// -------------------------------------------------------------------------------------------------- open set

// A record's stamp says which search wrote it, so that a new search need not clear the records of the last
// one:
//
//     31                    1 0
//    [ generation            |c]   c = 1: closed (expanded). Generations count in steps of two.
//
// stamp == generation: open; stamp == generation | 1: closed; anything else: not reached in this search.

/// Begins a new search. When generations run out, all records are cleared once.
static inline void vni_next_generation(vni_cells_search* s) {
    s->generation += 2;
    if (s->generation == 0) {
        memset(s->entries, 0, s->capacity * sizeof *s->entries);
        s->generation = 2;
    }
}

static inline bool vni_is_closed(const vni_cells_search* s, const vni_entry* entry) {
    return entry->stamp == (s->generation | 1u);
}

/// Open or closed in this search.
static inline bool vni_is_reached(const vni_cells_search* s, const vni_entry* entry) {
    return (entry->stamp | 1u) == (s->generation | 1u);
}

/// The queue has no decrease-key: a better f is pushed as another key, and the old one goes stale. A key is
/// current if its node is open with just this f.
static inline bool vni_is_current(const vni_cells_search* s, int direction, uint64_t key) {
    const vni_entry* entry = &s->entries[vni_queue_id(key)][direction];
    return entry->stamp == s->generation && entry->f == vni_queue_cost(key);
}

/// Pushes a node that has just got a better f. When the queue is full, stale keys are removed first; at most
/// one key for each node stays, and the queue holds twice as many, so that this happens at most once in as
/// many pushes as there are nodes.
static inline void vni_push_open(vni_cells_search* s, int direction, float f, uint32_t id) {
    vni_queue* queue = &s->queues[direction];
    VNI_ASSERT(id < s->capacity && s->entries[id][direction].stamp == s->generation);

    if (queue->count == queue->capacity) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < queue->count; ++i)
            if (vni_is_current(s, direction, queue->keys[i]))
                queue->keys[kept++] = queue->keys[i];
        queue->count = kept;
        vni_queue_rebuild(queue);
    }

    vni_queue_push(queue, vni_queue_key(f, id));
}

/// Drops stale keys from the top; false if nothing is left.
static inline bool vni_settle_top(vni_cells_search* s, int direction) {
    vni_queue* queue = &s->queues[direction];
    while (queue->count > 0) {
        if (vni_is_current(s, direction, queue->keys[0]))
            return true;
        vni_queue_pop(queue);
    }

    return false;
}

#endif
