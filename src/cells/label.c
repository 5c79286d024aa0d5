/// cells/label.c: the components of a block after some of its cells were replaced.
///
/// A component of kept cells can come apart only where a cell is gone, and can be joined with another one
/// only by a new cell. So it is enough to look at patches: new cells and those beside new and gone ones.
#include "base/sets.h"
#include "cells/work.h"

#include <string.h>

static const uint32_t no_label = UINT32_MAX;

static uint32_t end_of_groups(const vni_cell_block* block, uint32_t cell) {
    return cell + 1 < block->cell_count ? block->cells[cell + 1].first_group : block->group_count;
}

// ------------------------------------------------------------------------------------- have any come apart?

/// Is each component of kept cells that has patches still in one set of them? Then none has come apart.
static bool are_together(const vni_work* w, const vni_cell_block* out) {
    uint32_t* set_of = w->components.set_of;
    memset(set_of, 0xff, w->old.block->component_count * sizeof *set_of);
    for (uint32_t i = w->patches.new_count; i < w->patches.count; ++i) {
        const uint32_t component = out->cells[w->patches.cells[i]].component,
                       set = vni_sets_find(w->patches.sets, i);
        if (set_of[component] != VNI_NO_CELL && set_of[component] != set)
            return false;
        set_of[component] = set;
    }

    return true;
}

/// Joins kept patches with those that their links lead to.
static void join_patches(const vni_work* w, const vni_cell_block* out) {
    for (uint32_t i = w->patches.new_count; i < w->patches.count; ++i) {
        const uint32_t end = end_of_groups(out, w->patches.cells[i]);
        for (uint32_t g = out->cells[w->patches.cells[i]].first_group; g < end; ++g)
            for (uint32_t k = 0; k < 4 && out->groups[g].to[k] != VNI_NO_CELL; ++k) {
                const uint32_t other = w->patches.of[out->groups[g].to[k]];
                if (other != 0 && other <= i) // the others will find this one
                    vni_sets_join(w->patches.sets, i, other - 1);
            }
    }
}

/// Joins old cells with those that one that is gone was linked to.
static void join_around(const vni_work* w, uint32_t old_cell) {
    const uint32_t end = end_of_groups(w->old.block, old_cell);
    for (uint32_t g = w->old.block->cells[old_cell].first_group; g < end; ++g)
        for (uint32_t k = 0; k < 4 && w->old.block->groups[g].to[k] != VNI_NO_CELL; ++k)
            vni_sets_join(w->components.old_sets, old_cell, w->old.block->groups[g].to[k]);
}

/// Are the kept cells that this one was linked to in one set of patches with all others that they were joined
/// with by way of cells that are gone? w->components.old_roots has by old set one of its sets of patches.
static bool is_still_joined(const vni_work* w, uint32_t old_cell) {
    const vni_cell_block* old = w->old.block;
    const uint32_t set = vni_sets_find(w->components.old_sets, old_cell), end = end_of_groups(old, old_cell);
    for (uint32_t g = old->cells[old_cell].first_group; g < end; ++g)
        for (uint32_t k = 0; k < 4 && old->groups[g].to[k] != VNI_NO_CELL; ++k) {
            const uint32_t cell = w->old.remap[old->groups[g].to[k]];
            if (cell == VNI_NO_CELL)
                continue;

            VNI_ASSERT(w->patches.of[cell] > w->patches.new_count);

            const uint32_t root = vni_sets_find(w->patches.sets, w->patches.of[cell] - 1);
            if (w->components.old_roots[set] == VNI_NO_CELL)
                w->components.old_roots[set] = root;
            else if (w->components.old_roots[set] != root)
                return false;
        }

    return true;
}

/// Whatever was joined by way of cells that are gone still is, by way of patches.
static bool are_still_joined(const vni_work* w) {
    vni_count_up(w->components.old_sets, w->old.block->cell_count, 0);
    for (uint32_t i = 0; i < w->old.gone_count; ++i)
        join_around(w, w->old.gone[i]);

    for (uint32_t i = 0; i < w->old.gone_count; ++i)
        w->components.old_roots[vni_sets_find(w->components.old_sets, w->old.gone[i])] = VNI_NO_CELL;

    for (uint32_t i = 0; i < w->old.gone_count; ++i)
        if (!is_still_joined(w, w->old.gone[i]))
            return false;

    return true;
}

// ------------------------------------------------------------------------------------------ looking farther

/// Has each component at most one set of patches that may still grow? Then all that was not reached belongs
/// to that one.
static bool is_decided(const vni_work* w, const vni_cell_block* out) {
    uint32_t* open = w->components.set_of; // with pending cells
    memset(open, 0xff, w->old.block->component_count * sizeof *open);
    for (uint32_t i = w->patches.new_count; i < w->patches.count; ++i) {
        const uint32_t component = out->cells[w->patches.cells[i]].component,
                       set = vni_sets_find(w->patches.sets, i);
        if (w->components.pending[set] == 0)
            continue;
        if (open[component] != VNI_NO_CELL && open[component] != set)
            return false;
        open[component] = set;
    }

    return true;
}

/// Two sets of patches meet; true if that decides.
static bool meet(const vni_work* w, const vni_cell_block* out, uint32_t a, uint32_t b) {
    a = vni_sets_find(w->patches.sets, a);
    b = vni_sets_find(w->patches.sets, b);
    if (a == b)
        return false;

    const uint32_t pending = w->components.pending[a] + w->components.pending[b];
    w->components.pending[vni_sets_join(w->patches.sets, a, b)] = pending;
    return is_decided(w, out);
}

/// Looks at what one cell in the queue is linked to; true if that decides.
static bool go_on(const vni_work* w, const vni_cell_block* out, uint32_t cell, uint32_t* count) {
    const uint32_t patch = w->patches.of[cell] - 1, end = end_of_groups(out, cell);
    for (uint32_t g = out->cells[cell].first_group; g < end; ++g)
        for (uint32_t k = 0; k < 4 && out->groups[g].to[k] != VNI_NO_CELL; ++k) {
            const uint32_t to = out->groups[g].to[k];
            if (w->patches.of[to] == 0) {
                w->patches.of[to] = patch + 1;
                w->patches.cells[(*count)++] = to; // has room for all cells
                ++w->components.pending[vni_sets_find(w->patches.sets, patch)];
            } else if (meet(w, out, patch, w->patches.of[to] - 1)) {
                return true;
            }
        }

    return --w->components.pending[vni_sets_find(w->patches.sets, patch)] == 0 && is_decided(w, out);
}

/// Patches take in other kept cells, step by step, and join where they meet, until it is clear what has come
/// apart: sets without pending cells are all that there is of them.
static void look_farther(const vni_work* w, const vni_cell_block* out) {
    uint32_t count = w->patches.count;
    memset(w->components.pending, 0, w->patches.count * sizeof *w->components.pending);
    for (uint32_t i = w->patches.new_count; i < w->patches.count; ++i)
        ++w->components.pending[vni_sets_find(w->patches.sets, i)];

    for (uint32_t i = w->patches.new_count; i < count; ++i)
        if (go_on(w, out, w->patches.cells[i], &count))
            return;
}

/// Sets of patches are joined by the links of new cells. Joins more of them, until it is clear that no
/// component of kept cells has come apart. False if it is not.
static bool are_whole(const vni_work* w, const vni_cell_block* out) {
    if (are_together(w, out))
        return true;
    join_patches(w, out);
    return are_together(w, out) || are_still_joined(w);
}

// ---------------------------------------------------------------------------------------------- labelling

/// The frequent case: components of kept cells are not joined, and all new cells belong to them: so the
/// labels stay, if it is clear that each still has its first cell after that of the one before.
static bool keep_labels(const vni_work* w, vni_cell_block* out) {
    const uint32_t old_count = w->old.block->component_count;
    if (w->components.kept_count != old_count)
        return false;

    for (uint32_t i = 0; i < old_count; ++i)
        if (w->components.joint[i] != i)
            return false;

    for (uint32_t i = 0; i < w->patches.new_count; ++i) {
        const uint32_t label = w->components.joint[old_count + i];
        if (label >= old_count || (label > 0 && w->patches.cells[i] < w->components.first_kept[label - 1]))
            return false;
    }

    for (uint32_t i = 0; i < w->patches.new_count; ++i)
        out->cells[w->patches.cells[i]].component = w->components.joint[old_count + i];

    out->component_count = old_count;
    return true;
}

/// Sets of old components, then of patches. A component is one with its patches, but for sets that are not
/// part of it any more.
static void join_all(const vni_work* w, const vni_cell_block* out, bool whole) {
    const uint32_t old_count = w->old.block->component_count, joint_count = old_count + w->patches.count;
    vni_count_up(w->components.joint, joint_count, 0);
    for (uint32_t i = 0; i < w->patches.count; ++i) {
        const uint32_t set = vni_sets_find(w->patches.sets, i);
        vni_sets_join(w->components.joint, old_count + i, old_count + set);
        if (i >= w->patches.new_count && (whole || w->components.pending[set] > 0))
            vni_sets_join(w->components.joint, out->cells[w->patches.cells[i]].component, old_count + i);
    }

    for (uint32_t i = 0; i < joint_count; ++i)
        w->components.joint[i] =
            w->components
                .joint[w->components.joint[i]]; // the parent, which is not above, has found its root before
}

/// Gives every cell the label of its set, in order of the first cell. True if they are the same as before.
static bool label_all(const vni_work* w, vni_cell_block* out) {
    const uint32_t old_count = w->old.block->component_count;
    uint32_t count = 0, left = 0; // labels; old components that have kept cells
    uint32_t* seen = w->components.seen;
    bool same = true;
    memset(seen, 0, old_count * sizeof *seen);

    memset(w->components.labels, 0xff,
           (old_count + (size_t)w->patches.count) * sizeof *w->components.labels); // no_label
    for (uint32_t i = 0; i < out->cell_count; ++i) {
        const uint32_t old = out->cells[i].component;
        uint32_t* label =
            &w->components
                 .labels[w->components.joint[w->patches.of[i] ? old_count + w->patches.of[i] - 1 : old]];
        if (*label == no_label)
            *label = count++;

        if (!vni_work_is_new(w, i)) {
            same = same && old == *label;
            left += seen[old] == 0;
            seen[old] = 1;
        }

        out->cells[i].component = *label;
    }

    out->component_count = count;
    return same && count == old_count && left == old_count;
}

bool vni_work_label(const vni_work* w, vni_cell_block* out) {
    const bool whole = are_whole(w, out);
    if (!whole)
        look_farther(w, out);
    join_all(w, out, whole);
    return (whole && keep_labels(w, out)) || label_all(w, out);
}
