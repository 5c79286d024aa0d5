/// cells/assemble.c: writes the new block from the parts of the old one that stay and the parts that are new:
/// cells, links, ranks.
///
/// After a small change most of a block is copied, so copying must be fast. Cells that stay and follow each
/// other are copied as one run. The indices in their links must be translated, by one of three methods:
///
///     memcpy        nothing before the linked cells has changed its count
///     by steps      all linked chunks moved by one or two distances: compare and add, in registers
///     by table      else, look up each index in remap
#include "cells/work.h"

#include <stddef.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------- copying

/// Cells of a chunk that is not fresh all move by the same distance, and that changes at few chunks only:
/// indices from `from` on move by `by` more than those below.
///
///     old index   0 ........ 40 ........ 90 ......      steps {40, +3} {90, -1}
///     moved by        +0          +3         +2
typedef struct step {
    int32_t from, by;
} step;

/// A chunk is linked to itself, to six others, and to whole cells: more steps among these are rare.
#define MAX_STEPS 2

typedef struct writer {
    vni_work* w;
    vni_cell_block* out;
    uint32_t cell, group;        ///< written so far
    uint32_t run, run_end;       ///< kept old cells that wait to be copied together
    step all[VNI_CHUNK_COUNT];   ///< of the block
    uint8_t at[VNI_CHUNK_COUNT]; ///< the chunk where each one is
    uint32_t all_count;
    step steps[MAX_STEPS]; ///< that concern the cells to which the current chunk is linked
    uint32_t step_count;
    bool by_table; ///< the current run: look up each index instead
} writer;

/// The steps of the block. Fresh chunks have none: links to their cells are rebuilt or looked up.
static void find_all_steps(writer* r) {
    const vni_work* w = r->w;
    int32_t by = 0;
    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const uint32_t from = w->old.block->first_of_chunk[c];
        const int32_t now = (int32_t)(w->now.first[c] - from);
        if (now == by || w->chunks.fresh >> c & 1 || vni_work_count(w, c) == 0)
            continue;

        r->at[r->all_count] = (uint8_t)c;
        r->all[r->all_count++] = (step){(int32_t)from, now - by};
        by = now;
    }
}

/// The steps that concern the chunks to which this one may be linked: these lie at most 16 before or after
/// it. False if there are too many.
static bool find_steps(writer* r, uint32_t chunk) {
    const uint32_t reach = VNI_CHUNKS * VNI_CHUNKS;
    uint32_t i = 0;
    r->step_count = 0;
    // steps before all linked chunks apply to each of these: they are added up to one
    for (; i < r->all_count && r->at[i] + reach <= chunk; ++i) {
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
        memcpy(&to[i], &from[i], offsetof(vni_link_group, to));
        to[i].to[0] = vni_work_moved(w, from[i].to[0]);
        to[i].to[1] = vni_work_moved(w, from[i].to[1]);
        to[i].to[2] = vni_work_moved(w, from[i].to[2]);
        to[i].to[3] = vni_work_moved(w, from[i].to[3]);
    }
}

/// Adds a step to the indices. As a signed number, VNI_NO_CELL is below all others: it does not move.
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
    const vni_link_group* from = r->w->old.block->groups + first;
    vni_link_group* to = r->out->groups + r->group;
    VNI_ASSERT(first + count <= r->w->old.block->group_count && r->group + count <= r->out->group_count);

    r->group += count;
    if (r->by_table)
        copy_by_table(r->w, from, to, count);
    else if (r->step_count == 0)
        memcpy(to, from, count * sizeof *to);
    else
        copy_by_step(from, to, count, r->steps[r->step_count - 1]);

    // the higher step went first: moved indices stay above the lower step's start, and are moved by it too
    for (uint32_t i = r->by_table ? 0 : r->step_count; i-- > 1;)
        copy_by_step(to, to, count, r->steps[i - 1]);
}

/// Notes the first kept cell of an old component, while components come in ascending order, as they do unless
/// one has lost its first cells. Returns the new count. For keep_labels in label.c, at no extra pass.
static uint32_t note_component(vni_work* w, uint32_t component, uint32_t cell) {
    if (component == w->components.kept_count)
        w->components.first_kept[w->components.kept_count++] = cell;
    else
        w->components.kept_count = UINT32_MAX;
    return w->components.kept_count;
}

/// Copies the cells of the run that waits, and their groups.
static void end_run(writer* r) {
    if (r->run == r->run_end)
        return;
    const uint32_t first = vni_work_old_group(r->w, r->run), end = vni_work_old_group(r->w, r->run_end);
    const uint32_t count = r->run_end - r->run, by = r->group - first;
    VNI_ASSERT(r->run_end <= r->w->old.block->cell_count && r->cell + count <= r->out->cell_count);

    const vni_cell* from = r->w->old.block->cells + r->run;
    vni_cell* to = r->out->cells + r->cell;
    uint32_t seen = r->w->components.kept_count;
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(&to[i], &from[i], sizeof *to);
        to[i].first_group += by;
        if (from[i].component >= seen)
            seen = note_component(r->w, from[i].component, r->cell + i);
    }

    if (first < end)
        copy_groups(r, first, end - first);

    r->cell += count;
    r->run = r->run_end;
}

/// Sets how the next cells translate their links; a run has one method.
static inline void look_up(writer* r, bool by_table) {
    if (r->by_table != by_table)
        end_run(r);
    r->by_table = by_table;
}

/// Appends kept cells without patches to the run if they follow it; else starts a new one.
static void keep(writer* r, uint32_t old, uint32_t count) {
    if (r->run_end != old) {
        end_run(r);
        r->run = old;
    }
    r->run_end = old + count;
}

/// Writes a new cell, with all its lists.
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

/// Writes a kept cell with some lists rebuilt.
static void write_patched(writer* r, const vni_cell* old, const vni_link_list* lists) {
    const vni_link_group* groups = r->w->cut->groups;
    uint32_t begin = old->first_group, end = begin; // old lists that wait to be copied in one piece
    VNI_ASSERT(r->cell < r->out->cell_count);

    vni_cell* to = &r->out->cells[r->cell++];
    memcpy(to, old, sizeof *to);
    if (old->component >= r->w->components.kept_count)
        note_component(r->w, old->component, r->cell - 1);

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
    const uint32_t old = w->now.origin[index], patch = w->patches.of[index];
    if (!patch) {
        keep(r, old, 1);
        return;
    }

    const vni_link_list* lists = w->cut->lists + VNI_FACES * (size_t)(patch - 1);
    end_run(r);
    if (old == VNI_NO_CELL)
        write_new(r, cell, lists);
    else
        write_patched(r, &w->old.block->cells[old], lists);
}

/// The faces of a kept chunk towards changed chunks, in the layout of vni_work_box: the coordinate of the
/// face in the byte of the low or high side that lies on it; 255, which no cell has, if the chunk beyond has
/// not changed.
///
///     byte   7    6    5       4       3       2      1      0
///           255  255  high z  high y  high x  low z  low y  low x
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

/// Does a face of the cell lie on one of the planes? Then it may have links to cells that did not move by a
/// step.
static bool is_on_planes(const vni_cell* cell, const planes* p) {
    uint64_t at;
    memcpy(&at, p->at, sizeof at);

    // a byte is 0 where the two are equal; this finds a zero byte, see "Bit Twiddling Hacks" (S. E.
    // Anderson), haszero
    const uint64_t differs = vni_work_box(cell) ^ at;
    return ((differs - 0x0101010101010101u) & ~differs & 0x8080808080808080u) != 0;
}

/// Writes a kept chunk beside a changed one: runs of cells away from the planes, and the cells between them
/// one by one, by table.
static void write_near(writer* r, uint32_t chunk, const planes* near, bool by_table) {
    const vni_work* w = r->w;
    const uint32_t first = w->now.first[chunk], count = vni_work_count(w, chunk);
    const vni_cell* cells = w->now.cells[chunk];
    for (uint32_t i = 0, begin = 0; i < count; begin = ++i) {
        while (i < count && !w->patches.of[first + i] && !is_on_planes(&cells[i], near))
            ++i;

        look_up(r, by_table);
        if (begin < i)
            keep(r, w->old.block->first_of_chunk[chunk] + begin, i - begin);

        if (i == count)
            return;
        look_up(r, true);
        write_cell(r, first + i, &cells[i]);
    }
}

/// Writes the cells of one chunk.
static void write_chunk(writer* r, uint32_t chunk) {
    const vni_work* w = r->w;
    const uint32_t first = w->now.first[chunk], count = vni_work_count(w, chunk);
    planes near;
    if (count == 0)
        return;

    end_run(r);
    const bool fresh = w->chunks.fresh >> chunk & 1, by_table = fresh || !find_steps(r, chunk);
    look_up(r, by_table);
    for (uint32_t i = 0; fresh && i < count; ++i)
        write_cell(r, first + i, &w->now.cells[chunk][i]);

    if (fresh)
        return;
    if (find_planes(w->chunks.changed, chunk, &near))
        write_near(r, chunk, &near, by_table);
    else
        keep(r, w->old.block->first_of_chunk[chunk], count);
}

/// Replaces the target of a list from a cell of a mixed chunk to a whole cell: the list has this one link
/// only, for the whole cell covers all of the chunk beyond.
static void rename_whole(vni_cell_block* out, uint32_t cell, uint32_t face, uint32_t whole) {
    uint32_t group = out->cells[cell].first_group;
    for (uint32_t i = 0; i < face; ++i)
        group += vni_cell_is_on_rim(&out->cells[cell], i) ? 0 : out->cells[cell].faces[i];
    VNI_ASSERT(out->cells[cell].faces[face] == 1 && out->groups[group].to[1] == VNI_NO_CELL);
    out->groups[group].to[0] = whole;
}

/// Steps do not cover whole cells, which may change their order. A kept whole cell with a new index tells the
/// cells it is linked to: links are symmetric.
static void rename_wholes(const vni_work* w, vni_cell_block* out) {
    for (uint32_t i = 0; i < w->now.first[0]; ++i) {
        if (w->now.origin[i] == i || w->now.origin[i] == VNI_NO_CELL)
            continue;
        const vni_link_group* group = out->groups + out->cells[i].first_group;
        for (uint32_t face = 0; face < VNI_FACES; ++face) {
            const uint32_t count = vni_cell_is_on_rim(&out->cells[i], face) ? 0 : out->cells[i].faces[face];
            for (const vni_link_group* end = group + count; group < end; ++group)
                for (uint32_t k = 0; k < 4 && group->to[k] != VNI_NO_CELL; ++k)
                    if (group->to[k] >= w->now.first[0])
                        rename_whole(out, group->to[k], face ^ 1, i);
        }
    }
}

/// Gives ranks, from `rank` on, to those of cells [begin, end) that lie on a face. Returns the next rank.
static uint32_t count_ranks(vni_cell_block* out, uint32_t face, uint32_t begin, uint32_t end, uint32_t rank) {
    for (uint32_t i = begin; i < end; ++i)
        if (vni_cell_is_on_rim(&out->cells[i], face)) {
            VNI_ASSERT(rank < out->rank_count[face]);
            out->cells[i].faces[face] = (uint16_t)rank;
            out->ranked[face][rank++] = i;
        }

    return rank;
}

/// The ranks on one face, in the order of cells: whole ones, then those of the chunks on the face. Fresh
/// chunks are searched; the ranks of the others follow from the old ones, in order.
static void write_ranks(const vni_work* w, vni_cell_block* out, uint32_t face) {
    const uint32_t axis = face >> 1, side = face & 1 ? VNI_CHUNKS - 1 : 0;
    const uint32_t *old = w->old.block->ranked[face], old_count = w->old.block->rank_count[face];
    const uint32_t* old_end = old_count > 0 ? old + old_count : old; // `old` is null if there are none
    uint32_t rank = count_ranks(out, face, 0, w->now.first[0], 0);
    while (old < old_end && *old < w->old.block->first_of_chunk[0])
        ++old;

    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c) {
        const uint32_t end = w->old.block->first_of_chunk[c + 1];
        if (vni_chunk_at(c, (int)axis) != side)
            continue;

        if (w->chunks.fresh >> c & 1)
            rank = count_ranks(out, face, w->now.first[c], w->now.first[c + 1], rank);

        for (; old < old_end && *old < end; ++old) {
            if (w->chunks.fresh >> c & 1)
                continue;
            const uint32_t cell = w->old.remap[*old];
            out->cells[cell].faces[face] = (uint16_t)rank;
            out->ranked[face][rank++] = cell;
        }
    }

    VNI_ASSERT(rank == out->rank_count[face]);
}

void vni_work_assemble(vni_work* w, vni_cell_block* out) {
    writer r;
    r.w = w;
    r.out = out;
    r.cell = r.group = r.run = r.run_end = r.all_count = r.step_count = 0;
    r.by_table = true;

    find_all_steps(&r);
    for (uint32_t i = 0; i < w->now.first[0]; ++i)
        write_cell(&r, i, &w->now.whole[i]);

    for (uint32_t c = 0; c < VNI_CHUNK_COUNT; ++c)
        write_chunk(&r, c);

    end_run(&r);
    VNI_ASSERT(r.cell == out->cell_count && r.group == out->group_count);

    // needs all groups of the block
    rename_wholes(w, out);
    memcpy(out->first_of_chunk, w->now.first, sizeof w->now.first);
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        if (w->now.rim_changed >> face & 1)
            write_ranks(w, out, face);
        else
            for (uint32_t i = 0; i < out->rank_count[face]; ++i)
                out->ranked[face][i] = w->old.remap[w->old.block->ranked[face][i]];
}
