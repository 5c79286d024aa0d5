/// cells/label.c: labels the connected components of a block after some of its cells were replaced.
///
/// This is dynamic connectivity of a small graph, without a structure that is kept between updates. Two facts
/// keep the work near the change: a component of kept cells can fall apart only where a cell is gone, and two
/// can merge only through a new cell. Both happen at patches, the cells with rebuilt lists. So patches are
/// joined by union-find (base/sets.h), in steps of growing cost, and the first one that decides ends the
/// search:
///
///     1. by the links of new cells             relink.c has joined them already
///     2. by the links of kept patches          one pass over their lists
///     3. around each hole: were the neighbours of cells that are gone connected only through them?
///     4. breadth-first from all patches at once, until at most one set of each component can still grow
///
/// Most updates end in step 1 or 2, and all labels stay. Labels are dense, in order of the lowest cell of
/// each component: they depend on the cells alone, not on the order of the joins.
#include "base/sets.h"
#include "cells/work.h"

#include <string.h>

static const uint32_t no_label = UINT32_MAX;

/// The end of a cell's groups.
static uint32_t end_of_groups(const vni_cell_block* block, uint32_t cell) {
    return cell + 1 < block->cell_count ? block->cells[cell + 1].first_group : block->group_count;
}

// ---------- steps 1 to 3: is every component still in one piece?

/// Are the kept patches of each old component all in one set? Then no component has fallen apart: each piece
/// of a component that did would have a patch, beside the hole.
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

/// Step 2: joins kept patches that are linked.
static void join_patches(const vni_work* w, const vni_cell_block* out) {
    for (uint32_t i = w->patches.new_count; i < w->patches.count; ++i) {
        const uint32_t end = end_of_groups(out, w->patches.cells[i]);
        for (uint32_t g = out->cells[w->patches.cells[i]].first_group; g < end; ++g)
            for (uint32_t k = 0; k < 4 && out->groups[g].to[k] != VNI_NO_CELL; ++k) {
                const uint32_t other = w->patches.of[out->groups[g].to[k]];
                if (other != 0 && other <= i) // once for each pair: the later patch does it
                    vni_sets_join(w->patches.sets, i, other - 1);
            }
    }
}

/// Joins an old cell that is gone with the old cells that it was linked to.
static void join_around(const vni_work* w, uint32_t old_cell) {
    const uint32_t end = end_of_groups(w->old.block, old_cell);
    for (uint32_t g = w->old.block->cells[old_cell].first_group; g < end; ++g)
        for (uint32_t k = 0; k < 4 && w->old.block->groups[g].to[k] != VNI_NO_CELL; ++k)
            vni_sets_join(w->components.old_sets, old_cell, w->old.block->groups[g].to[k]);
}

/// Are the kept neighbours of a cell that is gone in the same set of patches as all others around the same
/// hole? The first one that is found sets old_roots, the rest are compared with it.
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

/// Step 3. Cells that are gone and touch each other form a hole, a set in old_sets. If the kept cells around
/// each hole are in one set of patches, then every old path through the hole has a detour around it.
static bool are_still_joined(const vni_work* w) {
    vni_count_up(w->components.old_sets, w->old.block->cell_count, 0);
    for (uint32_t i = 0; i < w->old.gone_count; ++i)
        join_around(w, w->old.gone[i]);

    // all joins come first: roots of sets are final only then
    for (uint32_t i = 0; i < w->old.gone_count; ++i)
        w->components.old_roots[vni_sets_find(w->components.old_sets, w->old.gone[i])] = VNI_NO_CELL;

    for (uint32_t i = 0; i < w->old.gone_count; ++i)
        if (!is_still_joined(w, w->old.gone[i]))
            return false;

    return true;
}

// ---------- step 4: search outward from the patches

/// Has each old component at most one set of patches with pending cells? Then the cells that were not reached
/// belong to that set, and all other sets of the component are complete pieces of their own.
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

/// Joins the sets of two patches that have met, and their pending cells; true if that decides.
static bool meet(const vni_work* w, const vni_cell_block* out, uint32_t a, uint32_t b) {
    a = vni_sets_find(w->patches.sets, a);
    b = vni_sets_find(w->patches.sets, b);
    if (a == b)
        return false;

    const uint32_t pending = w->components.pending[a] + w->components.pending[b];
    w->components.pending[vni_sets_join(w->patches.sets, a, b)] = pending;
    return is_decided(w, out);
}

/// Follows the links of the next cell in the queue: its patch takes in cells that are in none, and joins the
/// patches of the others. True if that decides.
static bool follow_links(const vni_work* w, const vni_cell_block* out, uint32_t cell, uint32_t* count) {
    const uint32_t patch = w->patches.of[cell] - 1, end = end_of_groups(out, cell);
    for (uint32_t g = out->cells[cell].first_group; g < end; ++g)
        for (uint32_t k = 0; k < 4 && out->groups[g].to[k] != VNI_NO_CELL; ++k) {
            const uint32_t to = out->groups[g].to[k];
            if (w->patches.of[to] == 0) {
                w->patches.of[to] = patch + 1;
                w->patches.cells[(*count)++] = to; // capacity for all cells
                ++w->components.pending[vni_sets_find(w->patches.sets, patch)];
            } else if (meet(w, out, patch, w->patches.of[to] - 1)) {
                return true;
            }
        }

    return --w->components.pending[vni_sets_find(w->patches.sets, patch)] == 0 && is_decided(w, out);
}

/// Step 4: patches take in kept cells, breadth first, and join where they meet. patches.cells is the queue. A
/// set without pending cells is complete. Ends at the latest when all cells were reached.
static void search_outward(const vni_work* w, const vni_cell_block* out) {
    uint32_t count = w->patches.count;
    memset(w->components.pending, 0, w->patches.count * sizeof *w->components.pending);
    for (uint32_t i = w->patches.new_count; i < w->patches.count; ++i)
        ++w->components.pending[vni_sets_find(w->patches.sets, i)];

    for (uint32_t i = w->patches.new_count; i < count; ++i)
        if (follow_links(w, out, w->patches.cells[i], &count))
            return;
}

/// Steps 1 to 3. True: no component of kept cells has fallen apart. False: not known.
static bool are_whole(const vni_work* w, const vni_cell_block* out) {
    if (are_together(w, out))
        return true;
    join_patches(w, out);
    return are_together(w, out) || are_still_joined(w);
}

// ---------- labels

/// The frequent case: no two old components were merged, and each new cell belongs to one of them. Then all
/// labels stay, if their order does: a new cell may come before the first kept cell of its component, but not
/// before that of the component before it. Touches new cells only.
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

/// Joins nodes: old components, then patches. A patch is joined with its set, and with its old component
/// unless the set has split off: that is, it is complete although the component fell apart.
static void join_all(const vni_work* w, const vni_cell_block* out, bool whole) {
    const uint32_t old_count = w->old.block->component_count, joint_count = old_count + w->patches.count;
    vni_count_up(w->components.joint, joint_count, 0);
    for (uint32_t i = 0; i < w->patches.count; ++i) {
        const uint32_t set = vni_sets_find(w->patches.sets, i);
        vni_sets_join(w->components.joint, old_count + i, old_count + set);
        if (i >= w->patches.new_count && (whole || w->components.pending[set] > 0))
            vni_sets_join(w->components.joint, out->cells[w->patches.cells[i]].component, old_count + i);
    }

    // all roots at once: a parent is never above its child, so that it points to its root already
    for (uint32_t i = 0; i < joint_count; ++i)
        w->components.joint[i] = w->components.joint[w->components.joint[i]];
}

/// The general case: a pass over all cells gives each the label of its node, and counts labels in order of
/// their first cell. True if they are the same as before.
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
        search_outward(w, out);

    join_all(w, out, whole);
    return (whole && keep_labels(w, out)) || label_all(w, out);
}
