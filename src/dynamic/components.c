/// dynamic/components.c: finds which components of blocks are joined across seams, and labels the connected
/// regions of the space.
///
/// For each seam the pairs of components that it joins are stored:
///
///     seam between blocks 4 and 5:   (0, 0) (0, 2) (1, 1)
///
/// So labels are found from a few pairs instead of all links. And if no block's count of components and no
/// seam's pairs change, as in most updates, no label does: they are copied.
#include "base/alloc.h"
#include "base/sets.h"
#include "dynamic/dynamic_inside.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- pairs

/// Entries of a small cache of pairs, to skip most duplicates before the sort.
#define SEEN 64

/// Collects the pairs of a seam in lane->pair_buffer, in order and without duplicates; false if memory
/// runs out.
static bool find_pairs(const vni_dynamic* dynamic, vni_lane* lane, const vni_seam* seam,
                       const vni_cell_block* a, const vni_cell_block* b, uint32_t axis, uint32_t* count) {
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
                if (!vni_grow(&dynamic->allocator, &lane->pair_buffer, &lane->pair_capacity,
                              2 * ((uint64_t)found + 1), sizeof *lane->pair_buffer))
                    return false;

                lane->pair_buffer[found++] = pair;
            }
    }

    // the cache forgets: sort, and remove the duplicates that are left
    *count = 0;
    if (found == 0) // the buffer may be null
        return true;

    vni_sort_keys(lane->pair_buffer, found, lane->pair_buffer + found);
    for (uint32_t i = 0; i < found; ++i)
        if (i == 0 || lane->pair_buffer[i] != lane->pair_buffer[i - 1])
            lane->pair_buffer[(*count)++] = lane->pair_buffer[i];

    return true;
}

static bool copy_pairs(const vni_dynamic* dynamic, const vni_lane* lane, uint32_t count, vni_pairs* out) {
    *out = (vni_pairs){VNI_NEW_ARRAY(&dynamic->allocator, uint64_t, count), count};
    if (count > 0 && out->pairs == NULL)
        return false;
    if (count > 0)
        memcpy(out->pairs, lane->pair_buffer, count * sizeof *out->pairs);
    return true;
}

void vni_pairs_free(const vni_dynamic* dynamic, vni_pairs* pairs) {
    VNI_DELETE_ARRAY(&dynamic->allocator, pairs->pairs, pairs->count);
    *pairs = (vni_pairs){NULL, 0};
}

/// Do the cells on a face have the same components as before, rank by rank? There are as many.
static bool same_labels(const vni_cell_block* old, const vni_cell_block* now, uint32_t face) {
    VNI_ASSERT(old->rank_count[face] == now->rank_count[face]);
    for (uint32_t i = 0; old != now && i < now->rank_count[face]; ++i)
        if (old->cells[old->ranked[face][i]].component != now->cells[now->ranked[face][i]].component)
            return false;
    return true;
}

bool vni_dynamic_find_pairs(vni_dynamic* dynamic, vni_lane* lane, vni_touched_seam* s) {
    const vni_cells* before = &dynamic->newest->space.cells;
    const uint32_t upper = s->lower + before->stride[s->axis], face = 2 * s->axis + 1;
    const vni_cell_block *a = vni_dynamic_cells_now(dynamic, s->lower),
                         *b = vni_dynamic_cells_now(dynamic, upper);
    const vni_pairs* old = &dynamic->pairs[s->axis][s->lower];
    uint32_t count;
    // the cheap test first: the same links between cells with the same components
    if (s->same_lists && (s->same_labels || (same_labels(before->table[s->lower], a, face) &&
                                             same_labels(before->table[upper], b, face - 1))))
        return true;
    if (!find_pairs(dynamic, lane, s->seam, a, b, s->axis, &count))
        return false;
    if (count == old->count &&
        (count == 0 || memcmp(lane->pair_buffer, old->pairs, count * sizeof *old->pairs) == 0))
        return true;

    s->joins_others = copy_pairs(dynamic, lane, count, &s->pairs);
    return s->joins_others;
}

bool vni_dynamic_make_pairs(vni_dynamic* dynamic) {
    const vni_cells* cells = &dynamic->newest->space.cells;
    vni_lane* lane = &dynamic->lanes[0];
    for (uint32_t axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i < vni_dynamic_blocks(dynamic); ++i) {
            const vni_seam* seam = cells->seams[axis][i];
            uint32_t count;
            if (seam != NULL && (!find_pairs(dynamic, lane, seam, cells->table[i],
                                             cells->table[i + cells->stride[axis]], axis, &count) ||
                                 !copy_pairs(dynamic, lane, count, &dynamic->pairs[axis][i])))
                return false;
        }

    return true;
}

// ------------------------------------------------------------------------------------------------- labels

/// Joins all pairs; the entries of `components` are the parents of the sets meanwhile.
static void join_pairs(const vni_dynamic* dynamic, vni_cells* cells) {
    const uint32_t blocks = vni_dynamic_blocks(dynamic);
    uint32_t* parents = cells->components;
    for (uint32_t i = 0; i < cells->component_base[blocks]; ++i)
        parents[i] = i;

    for (uint32_t axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i < blocks; ++i) {
            const vni_pairs* pairs = &dynamic->pairs[axis][i];
            for (uint32_t k = 0; k < pairs->count; ++k)
                vni_sets_join(parents, cells->component_base[i] + (uint32_t)(pairs->pairs[k] >> 32),
                              cells->component_base[i + cells->stride[axis]] + (uint32_t)pairs->pairs[k]);
        }
}

/// Turns parents into labels from 0, in order of the lowest member of each set, which is its root. A parent
/// is never above its child: in an ascending pass it points to its root, and then has its label, before the
/// child reads it.
static void number_labels(vni_cells* cells, uint32_t count) {
    uint32_t* labels = cells->components;
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; ++i)
        labels[i] = labels[labels[i]];

    for (uint32_t i = 0; i < count; ++i)
        labels[i] = labels[i] == i ? next++ : labels[labels[i]];

    cells->component_count = next;
}

/// Replaces the pairs of seams by the new ones; true if there are any. Cannot fail, and is not undone.
static bool take_pairs(vni_dynamic* dynamic) {
    bool any = false;
    for (uint32_t i = 0; i < dynamic->seam_count; ++i) {
        vni_touched_seam* s = &dynamic->seams[i];
        if (!s->joins_others)
            continue;

        vni_pairs_free(dynamic, &dynamic->pairs[s->axis][s->lower]);
        dynamic->pairs[s->axis][s->lower] = s->pairs;
        s->pairs = (vni_pairs){NULL, 0};
        any = true;
    }

    return any;
}

bool vni_dynamic_label(vni_dynamic* dynamic, vni_version* version) {
    vni_cells* cells = &version->space.cells;
    const vni_cells* before = &dynamic->newest->space.cells;
    const uint32_t count = cells->component_base[vni_dynamic_blocks(dynamic)];
    // everything that may fail is done: from here on, dynamic->pairs belong to the new version
    if (!vni_version_reserve_components(dynamic, version, count))
        return false;

    bool same = !take_pairs(dynamic);
    for (uint32_t i = 0; i < dynamic->touched_count && same; ++i) {
        const vni_touched* t = &dynamic->touched[i];
        same = t->cells->component_count == before->table[t->block]->component_count;
    }

    dynamic->stats.components_rebuilt = !same;
    if (same) {
        if (count > 0) // a space that is blocked throughout has none
            memcpy(cells->components, before->components, count * sizeof *cells->components);
        return true;
    }

    join_pairs(dynamic, cells);
    number_labels(cells, count);
    return true;
}
