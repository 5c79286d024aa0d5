/// space/cells_assemble.c: puts a block together from what is kept of the old one and what is new: cells,
/// links, ranks, components.
#include "base/sets.h"
#include "space/cells_work.h"

#include <stddef.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------- copying

/// Most kept cells move by few different distances: indices from `from` on move by `by` more.
typedef struct step {
    int32_t from, by;
} step;

#define MAX_STEPS 6

typedef struct writer {
    const vni_work* w;
    vni_cell_block* out;
    uint32_t cell, group;  ///< written so far
    uint32_t run, run_end; ///< kept old cells that wait to be copied together
    step steps[MAX_STEPS]; ///< highest first
    uint32_t step_count;
    bool by_table; ///< too many steps: look up each index
} writer;

static void find_steps(writer* r) {
    const vni_work* w = r->w;
    int32_t moved_by = 0;
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const uint32_t begin = w->old->first_of_chunk[c];
        const int32_t by = (int32_t)(w->first[c] - begin);
        if (w->fresh >> c & 1 || vni_work_count(w, c) == 0 || by == moved_by)
            continue;
        if (r->step_count == MAX_STEPS) {
            r->step_count = 0;
            r->by_table = true;
            return;
        }
        memmove(r->steps + 1, r->steps, r->step_count++ * sizeof *r->steps);
        r->steps[0] = (step){(int32_t)begin, by - moved_by};
        moved_by = by;
    }
}

/// VNI_NO_CELL is below all others as a signed number: it does not move.
static inline uint32_t moved(uint32_t index, step s) {
    return (uint32_t)((int32_t)index + (-(int32_t)((int32_t)index >= s.from) & s.by));
}

static void copy_by_step(const vni_link_group* restrict from, vni_link_group* restrict to, uint32_t count,
                         step s) {
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(to[i].low_a, from[i].low_a, offsetof(vni_link_group, to));
        for (uint32_t k = 0; k < 4; ++k)
            to[i].to[k] = moved(from[i].to[k], s);
    }
}

static void move_by_step(vni_link_group* groups, uint32_t count, step s) {
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < 4; ++k)
            groups[i].to[k] = moved(groups[i].to[k], s);
}

static void copy_by_table(const vni_link_group* from, vni_link_group* to, uint32_t count,
                          const uint32_t* remap) {
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = from[i];
        for (uint32_t k = 0; k < 4; ++k) {
            const uint32_t index = from[i].to[k];
            VNI_ASSERT(index == VNI_NO_CELL || remap[index] != VNI_NO_CELL);
            to[i].to[k] = index == VNI_NO_CELL ? index : remap[index];
        }
    }
}

/// Copies groups of the old block, with the new indices of the cells that they lead to.
static void copy_groups(writer* r, uint32_t first, uint32_t count) {
    const uint32_t batch = 128; // stays in the cache for all steps
    const vni_link_group* from = r->w->old->groups + first;
    vni_link_group* to = r->out->groups + r->group;
    VNI_ASSERT(first + count <= r->w->old->group_count && r->group + count <= r->out->group_count);
    r->group += count;
    if (r->by_table)
        copy_by_table(from, to, count, r->w->remap);
    else if (r->step_count == 0)
        memcpy(to, from, count * sizeof *to);
    for (uint32_t done = 0; done < count && r->step_count > 0 && !r->by_table; done += batch) {
        const uint32_t now = count - done < batch ? count - done : batch;
        copy_by_step(from + done, to + done, now, r->steps[0]);
        for (uint32_t i = 1; i < r->step_count; ++i)
            move_by_step(to + done, now, r->steps[i]);
    }
}

static void end_run(writer* r) {
    if (r->run == r->run_end)
        return;
    const uint32_t first = vni_work_old_group(r->w, r->run), end = vni_work_old_group(r->w, r->run_end);
    const uint32_t count = r->run_end - r->run, by = r->group - first;
    VNI_ASSERT(r->run_end <= r->w->old->cell_count && r->cell + count <= r->out->cell_count);
    vni_cell* to = r->out->cells + r->cell;
    memcpy(to, r->w->old->cells + r->run, count * sizeof *to);
    for (uint32_t i = 0; i < count; ++i)
        to[i].first_group += by;
    if (first < end)
        copy_groups(r, first, end - first);
    r->cell += count;
    r->run = r->run_end;
}

/// Kept cells without patches: copied with those next to them.
static void keep(writer* r, uint32_t old, uint32_t count) {
    if (r->run_end != old) {
        end_run(r);
        r->run = old;
    }
    r->run_end = old + count;
}

/// A cell with lists that were made anew; `old` is the cell before, null for a new one.
static void write_patched(writer* r, const vni_cell* cell, const vni_cell* old, const vni_link_list* lists) {
    end_run(r);
    const vni_link_group* groups = r->w->cut->groups;
    uint32_t old_group = old ? old->first_group : 0;
    VNI_ASSERT(r->cell < r->out->cell_count);
    vni_cell* to = &r->out->cells[r->cell++];
    memcpy(to, old ? old : cell, sizeof *to);
    to->first_group = r->group;
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        if (vni_cell_is_on_rim(to, face))
            continue;
        const uint32_t old_count = old ? old->faces[face] : 0;
        if (lists[face].groups == VNI_KEPT) {
            if (old_count)
                copy_groups(r, old_group, old_count);
        } else {
            const uint32_t count = lists[face].groups;
            if (count)
                memcpy(r->out->groups + r->group, groups + lists[face].first, count * sizeof *groups);
            to->faces[face] = (uint16_t)count;
            r->group += count;
        }
        old_group += old_count;
    }
}

static const vni_link_list* lists_of(const vni_work* w, uint32_t cell) {
    VNI_ASSERT(w->patch_of[cell] > 0);
    return w->cut->lists + VNI_FACES * (size_t)(w->patch_of[cell] - 1);
}

/// Whole cells may change their order: what links to them is looked up.
static void write_whole(writer* r) {
    const vni_work* w = r->w;
    const bool by_table = r->by_table;
    r->by_table = by_table || w->whole_changed;
    for (uint32_t i = 0; i < w->first[0]; ++i) {
        const uint32_t old = w->whole_old[i];
        if (!w->patch_of[i])
            keep(r, old, 1);
        else
            write_patched(r, &w->whole[i], old == VNI_NO_CELL ? NULL : &w->old->cells[old], lists_of(w, i));
    }
    end_run(r);
    r->by_table = by_table;
}

/// The list of a cell of a mixed chunk to a whole cell has this one link only.
static void rename_whole(vni_cell_block* out, uint32_t cell, uint32_t face, uint32_t whole) {
    uint32_t group = out->cells[cell].first_group;
    for (uint32_t i = 0; i < face; ++i)
        group += vni_cell_is_on_rim(&out->cells[cell], i) ? 0 : out->cells[cell].faces[i];
    VNI_ASSERT(out->cells[cell].faces[face] == 1 && out->groups[group].to[1] == VNI_NO_CELL);
    out->groups[group].to[0] = whole;
}

/// Steps do not tell where kept whole cells come to be. Their own links say who has to know.
static void rename_wholes(const vni_work* w, vni_cell_block* out) {
    for (uint32_t i = 0; i < w->first[0]; ++i) {
        if (w->whole_old[i] == i || w->whole_old[i] == VNI_NO_CELL)
            continue;
        const vni_link_group* group = out->groups + out->cells[i].first_group;
        for (uint32_t face = 0; face < VNI_FACES; ++face) {
            const uint32_t count = vni_cell_is_on_rim(&out->cells[i], face) ? 0 : out->cells[i].faces[face];
            for (const vni_link_group* end = group + count; group < end; ++group)
                for (uint32_t k = 0; k < 4 && group->to[k] != VNI_NO_CELL; ++k)
                    if (group->to[k] >= w->first[0])
                        rename_whole(out, group->to[k], face ^ 1, i);
        }
    }
}

static void write_chunk(writer* r, uint32_t chunk, bool is_near) {
    const vni_work* w = r->w;
    const uint32_t first = w->first[chunk], count = vni_work_count(w, chunk);
    const bool fresh = w->fresh >> chunk & 1;
    const uint32_t old = w->old->first_of_chunk[chunk];
    if (!fresh && !is_near && count > 0)
        keep(r, old, count);
    for (uint32_t i = 0; (fresh || is_near) && i < count; ++i) {
        const vni_cell* cell = &w->cells[chunk][i];
        if (!w->patch_of[first + i])
            keep(r, old + i, 1);
        else
            write_patched(r, cell, fresh ? NULL : cell, lists_of(w, first + i));
    }
}

/// Chunks that share a face with one that has changed.
static uint64_t chunks_near(uint64_t changed) {
    const uint64_t x = 0x1111111111111111u, y = 0x000f000f000f000fu;
    return (changed << 1 & ~x) | (changed >> 1 & ~(x << 3)) | (changed << 4 & ~y) |
           (changed >> 4 & ~(y << 12)) | changed << 16 | changed >> 16;
}

/// Ranks are in the order of cells; only chunks on the face have any but whole cells.
static void count_ranks(const vni_work* w, vni_cell_block* out, uint32_t face) {
    const uint32_t axis = face >> 1, side = face & 1 ? VNI_CHUNKS - 1 : 0;
    uint32_t rank = 0;
    for (uint32_t c = 0; c <= VNI_CHUNK_COUNT; ++c) {
        if (c > 0 && vni_chunk_at(c - 1, (int)axis) != side)
            continue;
        const uint32_t begin = c == 0 ? 0 : w->first[c - 1], end = w->first[c == 0 ? 0 : c];
        for (uint32_t i = begin; i < end; ++i)
            if (vni_cell_is_on_rim(&out->cells[i], face)) {
                VNI_ASSERT(rank < out->rank_count[face]);
                out->cells[i].faces[face] = (uint16_t)rank;
                out->ranked[face][rank++] = i;
            }
    }
    VNI_ASSERT(rank == out->rank_count[face]);
}

void vni_work_assemble(const vni_work* w, vni_cell_block* out) {
    writer r;
    memset(&r, 0, sizeof r);
    r.w = w;
    r.out = out;
    find_steps(&r);
    const uint64_t near = chunks_near(w->changed);
    write_whole(&r);
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c)
        write_chunk(&r, c, near >> c & 1);
    end_run(&r);
    VNI_ASSERT(r.cell == out->cell_count && r.group == out->group_count);
    rename_wholes(w, out);
    memcpy(out->first_of_chunk, w->first, sizeof w->first);
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        if (w->rim_changed >> face & 1)
            count_ranks(w, out, face);
        else
            for (uint32_t i = 0; i < out->rank_count[face]; ++i)
                out->ranked[face][i] = w->remap[w->old->ranked[face][i]];
}

// ------------------------------------------------------------------------------------------- components

static void make_sets(uint32_t* parents, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        parents[i] = i;
}

static uint32_t end_of_groups(const vni_cell_block* block, uint32_t cell) {
    return cell + 1 < block->cell_count ? block->cells[cell + 1].first_group : block->group_count;
}

/// Joins a cell with those that its links lead to.
static void join_links(const vni_cell_block* block, uint32_t* parents, uint32_t cell) {
    const uint32_t end = end_of_groups(block, cell);
    for (uint32_t g = block->cells[cell].first_group; g < end; ++g)
        for (uint32_t k = 0; k < 4 && block->groups[g].to[k] != VNI_NO_CELL; ++k)
            vni_sets_join(parents, cell, block->groups[g].to[k]);
}

/// Joins the patches whose cells are linked. True if all have become one, and then some links are not looked
/// at.
static bool join_patches(const vni_work* w, const vni_cell_block* out) {
    uint32_t left = w->patch_count;
    make_sets(w->sets, w->patch_count);
    for (uint32_t i = 0; i < w->patch_count; ++i) {
        const uint32_t end = end_of_groups(out, w->patched[i]);
        for (uint32_t g = out->cells[w->patched[i]].first_group; g < end; ++g)
            for (uint32_t k = 0; k < 4 && out->groups[g].to[k] != VNI_NO_CELL; ++k) {
                const uint32_t other = w->patch_of[out->groups[g].to[k]];
                if (other == 0 || other > i + 1) // those will find this one
                    continue;
                const uint32_t mine = vni_sets_find(w->sets, i), its = vni_sets_find(w->sets, other - 1);
                vni_sets_join(w->sets, mine, its);
                left -= mine != its;
                if (left == 1)
                    return true;
            }
    }
    return left <= 1;
}

typedef bool visit_dropped(const vni_work* w, uint32_t old_cell);

static bool each_dropped(const vni_work* w, visit_dropped* visit) {
    for (uint32_t i = 0; i < w->old->first_of_chunk[0]; ++i)
        if (w->remap[i] == VNI_NO_CELL && !visit(w, i))
            return false;
    for (uint64_t fresh = w->fresh; fresh != 0; fresh &= fresh - 1) {
        const uint32_t c = vni_lowest_bit(fresh);
        for (uint32_t i = w->old->first_of_chunk[c]; i < w->old->first_of_chunk[c + 1]; ++i)
            if (!visit(w, i))
                return false;
    }
    return true;
}

static bool join_dropped(const vni_work* w, uint32_t old_cell) {
    join_links(w->old, w->old_sets, old_cell);
    return true;
}

/// Are the kept cells that this one is linked to in one set of patches with all others that they were joined
/// with by way of dropped cells? w->gone has by old set one of its sets of patches.
static bool is_still_joined(const vni_work* w, uint32_t old_cell) {
    const vni_cell_block* old = w->old;
    const uint32_t set = vni_sets_find(w->old_sets, old_cell), end = end_of_groups(old, old_cell);
    for (uint32_t g = old->cells[old_cell].first_group; g < end; ++g)
        for (uint32_t k = 0; k < 4 && old->groups[g].to[k] != VNI_NO_CELL; ++k) {
            const uint32_t cell = w->remap[old->groups[g].to[k]];
            if (cell == VNI_NO_CELL)
                continue;
            VNI_ASSERT(w->patch_of[cell] > w->new_count);
            const uint32_t root = vni_sets_find(w->sets, w->patch_of[cell] - 1);
            if (w->gone[set] == VNI_NO_CELL)
                w->gone[set] = root;
            else if (w->gone[set] != root)
                return false;
        }
    return true;
}

/// Whatever was joined by way of dropped cells still is, by way of patched ones: so no component of kept
/// cells has come apart. May be false though they have not, because what joins them is farther away.
static bool are_still_joined(const vni_work* w) {
    make_sets(w->old_sets, w->old->cell_count);
    each_dropped(w, join_dropped);
    memset(w->gone, 0xff, w->old->cell_count * sizeof *w->gone); // VNI_NO_CELL
    return each_dropped(w, is_still_joined);
}

static const uint32_t no_label = UINT32_MAX;

/// The frequent case: components of kept cells are not joined, keep their labels, and all new cells belong to
/// them. Gives labels to the new cells; false if it is not so.
static bool label_same(const vni_work* w, vni_cell_block* out) {
    uint32_t* labels = w->labels; // by set of patches: the label of its kept cells
    uint32_t next = 0;
    for (uint32_t i = 0; i < w->patch_count; ++i)
        labels[i] = no_label;
    for (uint32_t i = w->new_count; i < w->patch_count; ++i) {
        uint32_t* label = &labels[vni_sets_find(w->sets, i)];
        const uint32_t old = out->cells[w->patched[i]].component;
        if (*label != no_label && *label != old)
            return false;
        *label = old;
    }
    for (uint32_t i = 0; i < w->new_count; ++i)
        out->cells[w->patched[i]].component = labels[vni_sets_find(w->sets, i)];
    for (uint32_t i = 0; i < out->cell_count; ++i) {
        const uint32_t label = out->cells[i].component;
        if (label > next)
            return false; // a new one, or they come in another order
        next += label == next;
    }
    out->component_count = next;
    return next == w->old->component_count;
}

/// Components of kept cells may have been joined, but have not come apart. Joint sets: of old components,
/// then of patches.
static void label_joined(const vni_work* w, vni_cell_block* out) {
    const uint32_t old_count = w->old->component_count;
    uint32_t count = 0;
    make_sets(w->joint, old_count + w->patch_count);
    memset(w->labels, 0xff, (old_count + (size_t)w->patch_count) * sizeof *w->labels); // no_label
    for (uint32_t i = 0; i < w->patch_count; ++i) {
        vni_sets_join(w->joint, old_count + i, old_count + vni_sets_find(w->sets, i));
        if (i >= w->new_count)
            vni_sets_join(w->joint, out->cells[w->patched[i]].component, old_count + i);
    }
    for (uint32_t i = 0; i < out->cell_count; ++i) { // in order of the first cell
        const uint32_t item =
            vni_work_is_new(w, i) ? old_count + w->patch_of[i] - 1 : out->cells[i].component;
        uint32_t* label = &w->labels[vni_sets_find(w->joint, item)];
        if (*label == no_label)
            *label = count++;
        out->cells[i].component = *label;
    }
    out->component_count = count;
}

/// From the links of all cells. True if they are the same as before.
static bool label_all(const vni_work* w, vni_cell_block* out) {
    const uint32_t old_count = w->old->component_count;
    uint32_t count = 0, found = 0;
    bool same = true;
    memset(w->joint, 0, old_count * sizeof *w->joint); // by old component: has a kept cell
    make_sets(w->sets, out->cell_count);
    for (uint32_t i = 0; i < out->cell_count; ++i)
        join_links(out, w->sets, i);
    for (uint32_t i = 0; i < out->cell_count; ++i) {
        const uint32_t root = vni_sets_find(w->sets, i);
        w->labels[i] = root == i ? count++ : w->labels[root];
        if (!vni_work_is_new(w, i)) {
            const uint32_t old = out->cells[i].component;
            same = same && old == w->labels[i];
            found += w->joint[old] == 0;
            w->joint[old] = 1;
        }
        out->cells[i].component = w->labels[i];
    }
    out->component_count = count;
    return same && count == old_count && found == old_count;
}

bool vni_work_label(const vni_work* w, vni_cell_block* out) {
    if (!join_patches(w, out) && !are_still_joined(w))
        return label_all(w, out);
    if (label_same(w, out))
        return true;
    label_joined(w, out);
    return false;
}
