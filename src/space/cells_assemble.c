/// space/cells_assemble.c: puts a block together from what is kept of the old one and what is new: cells,
/// links, ranks, components.
#include "base/sets.h"
#include "space/cells_work.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------- copying

/// Cells of kept chunks move by few different distances: indices from `from` on move by `by` more.
typedef struct step {
    int32_t from, by;
} step;

/// A chunk is linked to itself, to six others, and to whole cells: more steps than this are rare.
#define MAX_STEPS 2

typedef struct writer {
    const vni_work* w;
    vni_cell_block* out;
    uint32_t cell, group;       ///< written so far
    uint32_t run, run_end;      ///< kept old cells that wait to be copied together
    step all[VNI_CHUNK_COUNT];  ///< of all kept chunks
    uint8_t at[VNI_CHUNK_COUNT]; ///< the chunk where each is
    uint32_t all_count;
    step steps[MAX_STEPS]; ///< of the cells that those of the chunk in work are linked to
    uint32_t step_count;
    bool by_table; ///< look up each index
} writer;

static void find_all_steps(writer* r) {
    const vni_work* w = r->w;
    int32_t by = 0;
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const uint32_t from = w->old->first_of_chunk[c];
        const int32_t now = (int32_t)(w->first[c] - from);
        if (now == by || w->fresh >> c & 1 || vni_work_count(w, c) == 0)
            continue;
        r->at[r->all_count] = (uint8_t)c;
        r->all[r->all_count++] = (step){(int32_t)from, now - by};
        by = now;
    }
}

/// The steps among the chunks that this one may be linked to, but for fresh ones. False if there are too many.
static bool find_steps(writer* r, uint32_t chunk) {
    const uint32_t reach = VNI_CHUNKS * VNI_CHUNKS;
    uint32_t i = 0;
    r->step_count = 0;
    for (; i < r->all_count && r->at[i] + reach <= chunk; ++i) { // below all that it is linked to: in one
        r->step_count = 1;
        r->steps[0].from = r->all[i].from;
        r->steps[0].by = (i > 0 ? r->steps[0].by : 0) + r->all[i].by;
    }
    for (; i < r->all_count && r->at[i] <= chunk + reach; ++i) {
        if (r->step_count == MAX_STEPS)
            return false;
        r->steps[r->step_count++] = r->all[i];
    }
    return true;
}

static void copy_by_table(const vni_work* w, const vni_link_group* from, vni_link_group* to, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t cells[4];
        for (uint32_t k = 0; k < 4; ++k)
            cells[k] = vni_work_now(w, from[i].to[k]);
        to[i] = from[i];
        memcpy(to[i].to, cells, sizeof cells);
    }
}

/// VNI_NO_CELL is below all others as a signed number: it does not move.
#if VOLNAV_SIMD && defined(__SSE2__)
static inline __m128i moved(__m128i cells, __m128i before, __m128i by) {
    return _mm_add_epi32(cells, _mm_and_si128(_mm_cmpgt_epi32(cells, before), by));
}

static void copy_by_step(const vni_link_group* from, vni_link_group* to, uint32_t count, step s) {
    const __m128i before = _mm_set1_epi32(s.from - 1), by = _mm_set1_epi32(s.by);
    const __m128i* in = (const __m128i*)(const void*)from;
    __m128i* out = (__m128i*)(void*)to;
    uint32_t i = 0;
    for (; i + 1 < count; i += 2, in += 4, out += 4) {
        const __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1);
        const __m128i c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);
        _mm_storeu_si128(out, a);
        _mm_storeu_si128(out + 1, moved(b, before, by));
        _mm_storeu_si128(out + 2, c);
        _mm_storeu_si128(out + 3, moved(d, before, by));
    }
    if (i < count) {
        _mm_storeu_si128(out, _mm_loadu_si128(in));
        _mm_storeu_si128(out + 1, moved(_mm_loadu_si128(in + 1), before, by));
    }
}
#else
static void copy_by_step(const vni_link_group* from, vni_link_group* to, uint32_t count, step s) {
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = from[i];
        for (uint32_t k = 0; k < 4; ++k)
            to[i].to[k] += (uint32_t)(-(int32_t)((int32_t)to[i].to[k] >= s.from) & s.by);
    }
}
#endif

/// Copies groups of the old block, with the new indices of the cells that they lead to.
static void copy_groups(writer* r, uint32_t first, uint32_t count) {
    const vni_link_group* from = r->w->old->groups + first;
    vni_link_group* to = r->out->groups + r->group;
    VNI_ASSERT(first + count <= r->w->old->group_count && r->group + count <= r->out->group_count);
    r->group += count;
    if (r->by_table)
        copy_by_table(r->w, from, to, count);
    else if (r->step_count == 0)
        memcpy(to, from, count * sizeof *to);
    else
        copy_by_step(from, to, count, r->steps[r->step_count - 1]);
    for (uint32_t i = r->by_table ? 0 : r->step_count; i-- > 1;)
        copy_by_step(to, to, count, r->steps[i - 1]); // the higher one first: it leaves none below the other
}

static void end_run(writer* r) {
    if (r->run == r->run_end)
        return;
    const uint32_t first = vni_work_old_group(r->w, r->run), end = vni_work_old_group(r->w, r->run_end);
    const uint32_t count = r->run_end - r->run, by = r->group - first;
    VNI_ASSERT(r->run_end <= r->w->old->cell_count && r->cell + count <= r->out->cell_count);
    const vni_cell* from = r->w->old->cells + r->run;
    vni_cell* to = r->out->cells + r->cell;
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(&to[i], &from[i], sizeof *to);
        to[i].first_group += by;
    }
    if (first < end)
        copy_groups(r, first, end - first);
    r->cell += count;
    r->run = r->run_end;
}

static void look_up(writer* r, bool by_table) {
    if (r->by_table != by_table)
        end_run(r);
    r->by_table = by_table;
}

/// Kept cells without patches: copied with those next to them.
static void keep(writer* r, uint32_t old, uint32_t count) {
    if (r->run_end != old) {
        end_run(r);
        r->run = old;
    }
    r->run_end = old + count;
}

/// A new cell, with all its lists.
static void write_new(writer* r, const vni_cell* cell, const vni_link_list* lists) {
    const vni_link_group* groups = r->w->cut->groups;
    VNI_ASSERT(r->cell < r->out->cell_count);
    vni_cell* to = &r->out->cells[r->cell++];
    memcpy(to, cell, sizeof *to);
    to->first_group = r->group;
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        to->faces[face] = (uint16_t)lists[face].groups;
        for (uint32_t i = 0; i < lists[face].groups; ++i)
            r->out->groups[r->group++] = groups[lists[face].first + i];
    }
}

/// A kept cell of which some lists were made anew.
static void write_patched(writer* r, const vni_cell* old, const vni_link_list* lists) {
    const vni_link_group* groups = r->w->cut->groups;
    uint32_t begin = old->first_group, end = begin; // old lists that wait to be copied together
    VNI_ASSERT(r->cell < r->out->cell_count);
    vni_cell* to = &r->out->cells[r->cell++];
    memcpy(to, old, sizeof *to);
    to->first_group = r->group;
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        const uint32_t count = lists[face].groups;
        if (vni_cell_is_on_rim(old, face))
            continue;
        if (count == VNI_KEPT) {
            end += old->faces[face];
            continue;
        }
        if (begin < end)
            copy_groups(r, begin, end - begin);
        begin = end += old->faces[face];
        for (uint32_t i = 0; i < count; ++i)
            r->out->groups[r->group++] = groups[lists[face].first + i];
        to->faces[face] = (uint16_t)count;
    }
    if (begin < end)
        copy_groups(r, begin, end - begin);
}

static void write_cell(writer* r, uint32_t index, const vni_cell* cell) {
    const vni_work* w = r->w;
    const uint32_t old = w->origin[index], patch = w->patch_of[index];
    if (!patch) {
        keep(r, old, 1);
        return;
    }
    const vni_link_list* lists = w->cut->lists + VNI_FACES * (size_t)(patch - 1);
    end_run(r);
    if (old == VNI_NO_CELL)
        write_new(r, cell, lists);
    else
        write_patched(r, &w->old->cells[old], lists);
}

/// Where a kept chunk meets chunks whose cells may have changed their order: by face of a cell that lies there,
/// low ones first, its place on the axis; 255 where there is none.
typedef struct planes {
    uint8_t at[8];
} planes;

static bool find_planes(uint64_t changed, uint32_t chunk, planes* out) {
    bool any = false;
    memset(out->at, 0xff, sizeof out->at);
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        const uint32_t axis = face >> 1, high = face & 1, next = 1u << 2 * axis;
        const uint32_t at = vni_chunk_at(chunk, (int)axis);
        if (at == (high ? VNI_CHUNKS - 1 : 0) || !(changed >> (high ? chunk + next : chunk - next) & 1))
            continue;
        out->at[axis + 3 * high] = (uint8_t)(VNI_CHUNK_SIZE * (at + high));
        any = true;
    }
    return any;
}

/// Does one of a cell's faces lie on one of the planes?
static bool is_on_planes(const vni_cell* cell, const planes* p) {
    uint64_t box = 0, at;
    memcpy(&box, cell, sizeof cell->low + sizeof cell->high); // they come first
    memcpy(&at, p->at, sizeof at);
    const uint64_t differs = box ^ at; // a byte of 0 where they are the same
    return ((differs - 0x0101010101010101u) & ~differs & 0x8080808080808080u) != 0;
}

static void write_chunk(writer* r, uint32_t chunk) {
    const vni_work* w = r->w;
    const uint32_t first = w->first[chunk], count = vni_work_count(w, chunk);
    const bool fresh = w->fresh >> chunk & 1;
    planes near;
    if (count == 0)
        return;
    end_run(r);
    const bool by_table = fresh || !find_steps(r, chunk);
    look_up(r, by_table);
    if (!fresh && !find_planes(w->changed, chunk, &near)) {
        keep(r, w->old->first_of_chunk[chunk], count);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!by_table)
            look_up(r, is_on_planes(&w->cells[chunk][i], &near));
        write_cell(r, first + i, &w->cells[chunk][i]);
    }
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
        if (w->origin[i] == i || w->origin[i] == VNI_NO_CELL)
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

/// Gives ranks to those of cells [begin, end) that lie on a face.
static uint32_t count_ranks(vni_cell_block* out, uint32_t face, uint32_t begin, uint32_t end, uint32_t rank) {
    for (uint32_t i = begin; i < end; ++i)
        if (vni_cell_is_on_rim(&out->cells[i], face)) {
            VNI_ASSERT(rank < out->rank_count[face]);
            out->cells[i].faces[face] = (uint16_t)rank;
            out->ranked[face][rank++] = i;
        }
    return rank;
}

/// Ranks are in the order of cells; only chunks on the face have any but whole cells. Those of kept chunks come
/// in the old order.
static void write_ranks(const vni_work* w, vni_cell_block* out, uint32_t face) {
    const uint32_t axis = face >> 1, side = face & 1 ? VNI_CHUNKS - 1 : 0;
    const uint32_t *old = w->old->ranked[face], *old_end = old + w->old->rank_count[face];
    uint32_t rank = count_ranks(out, face, 0, w->first[0], 0);
    while (old < old_end && *old < w->old->first_of_chunk[0])
        ++old;
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const uint32_t end = w->old->first_of_chunk[c + 1];
        if (vni_chunk_at(c, (int)axis) != side)
            continue;
        if (w->fresh >> c & 1)
            rank = count_ranks(out, face, w->first[c], w->first[c + 1], rank);
        for (; old < old_end && *old < end; ++old) {
            if (w->fresh >> c & 1)
                continue;
            const uint32_t cell = w->remap[*old];
            out->cells[cell].faces[face] = (uint16_t)rank;
            out->ranked[face][rank++] = cell;
        }
    }
    VNI_ASSERT(rank == out->rank_count[face]);
}

void vni_work_assemble(const vni_work* w, vni_cell_block* out) {
    writer r;
    r.w = w;
    r.out = out;
    r.cell = r.group = r.run = r.run_end = r.all_count = r.step_count = 0;
    r.by_table = true;
    find_all_steps(&r);
    for (uint32_t i = 0; i < w->first[0]; ++i)
        write_cell(&r, i, &w->whole[i]);
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c)
        write_chunk(&r, c);
    end_run(&r);
    VNI_ASSERT(r.cell == out->cell_count && r.group == out->group_count);
    rename_wholes(w, out);
    memcpy(out->first_of_chunk, w->first, sizeof w->first);
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        if (w->rim_changed >> face & 1)
            write_ranks(w, out, face);
        else
            for (uint32_t i = 0; i < out->rank_count[face]; ++i)
                out->ranked[face][i] = w->remap[w->old->ranked[face][i]];
}

// ------------------------------------------------------------------------------------------- components

static void make_sets(uint32_t* parents, uint32_t count) {
    vni_count_up(parents, count, 0);
}

static uint32_t end_of_groups(const vni_cell_block* block, uint32_t cell) {
    return cell + 1 < block->cell_count ? block->cells[cell + 1].first_group : block->group_count;
}

/// Joins a cell with those below `limit` that its links lead to.
static void join_links(const vni_cell_block* block, uint32_t* parents, uint32_t cell, uint32_t limit) {
    const uint32_t end = end_of_groups(block, cell);
    for (uint32_t g = block->cells[cell].first_group; g < end; ++g)
        for (uint32_t k = 0; k < 4; ++k)
            if (block->groups[g].to[k] < limit)
                vni_sets_join(parents, cell, block->groups[g].to[k]);
}

/// Joins patches [first, end) with those that their links lead to.
static void join_patches(const vni_work* w, const vni_cell_block* out, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; ++i) {
        const uint32_t stop = end_of_groups(out, w->patched[i]);
        for (uint32_t g = out->cells[w->patched[i]].first_group; g < stop; ++g)
            for (uint32_t k = 0; k < 4 && out->groups[g].to[k] != VNI_NO_CELL; ++k) {
                const uint32_t other = w->patch_of[out->groups[g].to[k]];
                if (other != 0 && (other <= i || other > end)) // those between will find this one
                    vni_sets_join(w->sets, i, other - 1);
            }
    }
}

/// Is each component of kept cells that has patches still in one set of them? Then none has come apart.
static bool are_together(const vni_work* w, const vni_cell_block* out) {
    uint32_t* set_of = w->labels; // by old component
    memset(set_of, 0xff, w->old->component_count * sizeof *set_of);
    for (uint32_t i = w->new_count; i < w->patch_count; ++i) {
        const uint32_t component = out->cells[w->patched[i]].component, set = vni_sets_find(w->sets, i);
        if (set_of[component] != VNI_NO_CELL && set_of[component] != set)
            return false;
        set_of[component] = set;
    }
    return true;
}

/// Are the kept cells that this one is linked to in one set of patches with all others that they were joined
/// with by way of cells that are gone? w->roots has by old set one of its sets of patches.
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
            if (w->roots[set] == VNI_NO_CELL)
                w->roots[set] = root;
            else if (w->roots[set] != root)
                return false;
        }
    return true;
}

/// Whatever was joined by way of cells that are gone still is, by way of patched ones: so no component of kept
/// cells has come apart. May be false though they have not, because what joins them is farther away.
static bool are_still_joined(const vni_work* w) {
    make_sets(w->old_sets, w->old->cell_count);
    for (uint32_t i = 0; i < w->gone_count; ++i)
        join_links(w->old, w->old_sets, w->gone[i], w->old->cell_count);
    for (uint32_t i = 0; i < w->gone_count; ++i)
        w->roots[vni_sets_find(w->old_sets, w->gone[i])] = VNI_NO_CELL;
    for (uint32_t i = 0; i < w->gone_count; ++i)
        if (!is_still_joined(w, w->gone[i]))
            return false;
    return true;
}

/// Joins patches until it is clear that no component of kept cells has come apart. Those of new cells are
/// looked at first: mostly they are enough. False if it is not clear.
static bool are_whole(const vni_work* w, const vni_cell_block* out) {
    make_sets(w->sets, w->patch_count);
    join_patches(w, out, 0, w->new_count);
    if (are_together(w, out))
        return true;
    join_patches(w, out, w->new_count, w->patch_count);
    return are_together(w, out) || are_still_joined(w);
}

static const uint32_t no_label = UINT32_MAX;

/// The frequent case: components of kept cells are not joined, and all new cells belong to them: so the labels
/// stay, if each still has its first cell before those of the next. Joint sets have become roots.
static bool keep_labels(const vni_work* w, vni_cell_block* out) {
    const uint32_t old_count = w->old->component_count;
    uint32_t next = 0;
    for (uint32_t i = 0; i < old_count; ++i)
        if (w->joint[i] != i)
            return false;
    for (uint32_t i = 0; i < w->new_count; ++i) {
        if (w->joint[old_count + i] >= old_count)
            return false;
        out->cells[w->patched[i]].component = w->joint[old_count + i];
    }
    for (uint32_t i = 0; i < out->cell_count; ++i) {
        if (out->cells[i].component > next)
            return false;
        next += out->cells[i].component == next;
    }
    out->component_count = next;
    return next == old_count;
}

/// Components of kept cells may have been joined, but have not come apart. True if they are the same as before.
/// Joint sets: of old components, then of patches.
static bool label_joined(const vni_work* w, vni_cell_block* out) {
    const uint32_t old_count = w->old->component_count, joint_count = old_count + w->patch_count;
    uint32_t count = 0;
    make_sets(w->joint, joint_count);
    for (uint32_t i = 0; i < w->patch_count; ++i) {
        vni_sets_join(w->joint, old_count + i, old_count + vni_sets_find(w->sets, i));
        if (i >= w->new_count)
            vni_sets_join(w->joint, out->cells[w->patched[i]].component, old_count + i);
    }
    for (uint32_t i = 0; i < joint_count; ++i)
        w->joint[i] = vni_sets_find(w->joint, i);
    if (keep_labels(w, out))
        return true;
    memset(w->labels, 0xff, joint_count * sizeof *w->labels); // no_label
    for (uint32_t i = 0; i < out->cell_count; ++i) {          // in order of the first cell
        const uint32_t item =
            vni_work_is_new(w, i) ? old_count + w->patch_of[i] - 1 : out->cells[i].component;
        uint32_t* label = &w->labels[w->joint[item]];
        if (*label == no_label)
            *label = count++;
        out->cells[i].component = *label;
    }
    out->component_count = count;
    return false;
}

/// From the links of all cells. True if they are the same as before.
static bool label_all(const vni_work* w, vni_cell_block* out) {
    const uint32_t old_count = w->old->component_count;
    uint32_t count = 0, found = 0;
    bool same = true;
    memset(w->joint, 0, old_count * sizeof *w->joint); // by old component: has a kept cell
    make_sets(w->sets, out->cell_count);
    for (uint32_t i = 0; i < out->cell_count; ++i)
        join_links(out, w->sets, i, i);
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
    return are_whole(w, out) ? label_joined(w, out) : label_all(w, out);
}
