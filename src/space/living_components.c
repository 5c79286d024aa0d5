/// space/living_components.c: which components of blocks are joined across seams, and the labels of the
/// whole.
///
/// Each seam has the pairs of components that it joins, so that labels are found from few pairs instead of
/// all links; and as long as no block's number of components and no seam's pairs change, no label does.
#include "base/alloc.h"
#include "base/sets.h"
#include "space/living_parts.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- pairs

/// Pairs that were seen before, but for some that fell out.
#define SEEN 64

/// The pairs of a seam, once each and in order, in living->pair_room; false if there is no memory.
static bool find_pairs(vni_living* living, const vni_seam* seam, const vni_cell_block* a,
                       const vni_cell_block* b, uint32_t axis, uint32_t* count) {
    uint64_t seen[SEEN];
    uint32_t found = 0;
    memset(seen, 0xff, sizeof seen);
    for (uint32_t rank = 0; rank < seam->a_count; ++rank) {
        const uint32_t from = a->cells[a->ranked[2 * axis + 1][rank]].component;
        for (uint32_t g = seam->first[rank]; g < seam->first[rank + 1]; ++g)
            for (uint32_t k = 0; k < 4 && seam->groups[g].to[k] != VNI_NO_CELL; ++k) {
                const uint32_t to = b->cells[seam->groups[g].to[k]].component;
                const uint64_t pair = (uint64_t)from << 32 | to;
                uint64_t* at = &seen[(from + 5 * to) % SEEN];
                if (*at == pair)
                    continue;
                *at = pair;
                if (!vni_grow(&living->allocator, &living->pair_room, &living->pair_capacity,
                              2 * ((uint64_t)found + 1), sizeof *living->pair_room))
                    return false;
                living->pair_room[found++] = pair;
            }
    }
    *count = 0;
    if (found == 0) // there may be no room yet
        return true;

    vni_sort_keys(living->pair_room, found, living->pair_room + found);
    for (uint32_t i = 0; i < found; ++i)
        if (i == 0 || living->pair_room[i] != living->pair_room[i - 1])
            living->pair_room[(*count)++] = living->pair_room[i];
    return true;
}

static bool copy_pairs(const vni_living* living, uint32_t count, vni_pairs* out) {
    *out = (vni_pairs){VNI_NEW_ARRAY(&living->allocator, uint64_t, count), count};
    if (count > 0 && !out->pairs)
        return false;
    if (count > 0)
        memcpy(out->pairs, living->pair_room, count * sizeof *out->pairs);
    return true;
}

void vni_pairs_free(const vni_living* living, vni_pairs* pairs) {
    VNI_DELETE_ARRAY(&living->allocator, pairs->pairs, pairs->count);
    *pairs = (vni_pairs){NULL, 0};
}

/// Have the cells on a face the same labels, rank by rank? There are as many as before.
static bool same_labels(const vni_cell_block* old, const vni_cell_block* now, uint32_t face) {
    VNI_ASSERT(old->rank_count[face] == now->rank_count[face]);
    for (uint32_t i = 0; old != now && i < now->rank_count[face]; ++i)
        if (old->cells[old->ranked[face][i]].component != now->cells[now->ranked[face][i]].component)
            return false;
    return true;
}

static bool find_new_pairs(vni_living* living, const vni_cells* now, vni_touched_seam* s) {
    const vni_cells* before = &living->newest->space.cells;
    const uint32_t upper = s->lower + before->stride[s->axis], face = 2 * s->axis + 1;
    const vni_pairs* old = &living->pairs[s->axis][s->lower];
    uint32_t count;
    if (s->same_lists &&
        (s->same_labels || (same_labels(before->table[s->lower], now->table[s->lower], face) &&
                            same_labels(before->table[upper], now->table[upper], face - 1))))
        return true;
    if (!find_pairs(living, s->seam, now->table[s->lower], now->table[upper], s->axis, &count))
        return false;
    if (count == old->count &&
        (count == 0 || memcmp(living->pair_room, old->pairs, count * sizeof *old->pairs) == 0))
        return true;
    s->joins_others = copy_pairs(living, count, &s->pairs);
    return s->joins_others;
}

bool vni_living_make_pairs(vni_living* living) {
    const vni_cells* cells = &living->newest->space.cells;
    for (uint32_t axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i < vni_living_blocks(living); ++i) {
            const vni_seam* seam = cells->seams[axis][i];
            uint32_t count;
            if (seam && (!find_pairs(living, seam, cells->table[i], cells->table[i + cells->stride[axis]],
                                     axis, &count) ||
                         !copy_pairs(living, count, &living->pairs[axis][i])))
                return false;
        }
    return true;
}

// ------------------------------------------------------------------------------------------------- labels

static void join_pairs(const vni_living* living, vni_cells* cells) {
    const uint32_t blocks = vni_living_blocks(living);
    uint32_t* parents = cells->components;
    for (uint32_t i = 0; i < cells->component_base[blocks]; ++i)
        parents[i] = i;
    for (uint32_t axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i < blocks; ++i) {
            const vni_pairs* pairs = &living->pairs[axis][i];
            for (uint32_t k = 0; k < pairs->count; ++k)
                vni_sets_join(parents, cells->component_base[i] + (uint32_t)(pairs->pairs[k] >> 32),
                              cells->component_base[i + cells->stride[axis]] + (uint32_t)pairs->pairs[k]);
        }
}

/// Labels from 0, in order of the lowest member: the root, which has its label before the others ask. A
/// parent is never above its children, so that it has found its root before they do.
static void number_labels(vni_cells* cells, uint32_t count) {
    uint32_t* labels = cells->components;
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; ++i)
        labels[i] = labels[labels[i]];
    for (uint32_t i = 0; i < count; ++i)
        labels[i] = labels[i] == i ? next++ : labels[labels[i]];
    cells->component_count = next;
}

/// Puts the new pairs in their places; true if there are any.
static bool take_pairs(vni_living* living) {
    bool any = false;
    for (uint32_t i = 0; i < living->seam_count; ++i) {
        vni_touched_seam* s = &living->seams[i];
        if (!s->joins_others)
            continue;
        vni_pairs_free(living, &living->pairs[s->axis][s->lower]);
        living->pairs[s->axis][s->lower] = s->pairs;
        s->pairs = (vni_pairs){NULL, 0};
        any = true;
    }
    return any;
}

bool vni_living_label(vni_living* living, vni_version* version) {
    vni_cells* cells = &version->space.cells;
    const vni_cells* before = &living->newest->space.cells;
    const uint32_t count = cells->component_base[vni_living_blocks(living)];
    for (uint32_t i = 0; i < living->seam_count; ++i)
        if (!find_new_pairs(living, cells, &living->seams[i]))
            return false;
    if (!vni_version_reserve_components(living, version, count))
        return false;
    bool same = !take_pairs(living);
    for (uint32_t i = 0; i < living->touched_count && same; ++i) {
        const vni_touched* t = &living->touched[i];
        same = t->cells->component_count == before->table[t->block]->component_count;
    }
    living->stats.components_rebuilt = !same;
    if (same) {
        memcpy(cells->components, before->components, count * sizeof *cells->components);
        return true;
    }
    join_pairs(living, cells);
    number_labels(cells, count);
    return true;
}
