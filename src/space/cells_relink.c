/// space/cells_relink.c: makes the lists of links that a change of some chunks calls for: all of the new
/// cells, and those of kept cells through faces beyond which something has changed.
#include "base/alloc.h"
#include "space/cells_work.h"

/// Gives a cell six lists.
static void add_patch(vni_work* w, uint32_t cell, vni_link_list lists) {
    vni_cut* cut = w->cut;
    VNI_ASSERT(!w->patch_of[cell] && w->patch_count < w->cell_count);
    const uint64_t need = VNI_FACES * ((uint64_t)w->patch_count + 1);
    if (need > cut->list_capacity &&
        !vni_grow(&cut->allocator, &cut->lists, &cut->list_capacity, need, sizeof *cut->lists)) {
        cut->failed = true;
        return;
    }
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        cut->lists[VNI_FACES * w->patch_count + face] = lists;
    w->patched[w->patch_count] = cell;
    w->patch_of[cell] = ++w->patch_count;
}

/// Where the new list of a cell through a face goes. `old` is the cell before; not looked at if it is new.
static uint32_t slot_of(vni_work* w, uint32_t cell, const vni_cell* old, uint32_t face) {
    VNI_ASSERT(cell < w->cell_count && face < VNI_FACES);
    if (!w->patch_of[cell]) {
        add_patch(w, cell, (vni_link_list){0, VNI_KEPT});
        if (w->cut->failed)
            return 0;
    }
    const uint32_t slot = VNI_FACES * (w->patch_of[cell] - 1) + face;
    vni_link_list* list = &w->cut->lists[slot];
    if (list->groups == VNI_KEPT) {
        VNI_ASSERT(old && !vni_cell_is_on_rim(old, face));
        *list = (vni_link_list){0, 0};
        w->dropped += old->faces[face];
    }
    return slot;
}

static uint32_t chunk_face(uint32_t chunk, uint32_t face) {
    return VNI_CHUNK_SIZE * (vni_chunk_at(chunk, (int)(face >> 1)) + (face & 1));
}

/// The cells of a mixed chunk that lie on one of its faces. Without slots: nobody will make their lists.
static uint32_t gather(vni_work* w, uint32_t chunk, uint32_t face, bool with_slots, vni_face_cell* out) {
    const int axis = (int)(face >> 1);
    const uint32_t at = chunk_face(chunk, face);
    VNI_ASSERT(!(w->free >> chunk & 1));
    uint32_t count = 0;
    for (uint32_t i = 0; i < vni_work_count(w, chunk); ++i) {
        const vni_cell* cell = &w->cells[chunk][i];
        if ((face & 1 ? cell->high[axis] : cell->low[axis]) != at)
            continue;
        const uint32_t index = w->first[chunk] + i;
        out[count++] = vni_cut_face(cell, axis, index, with_slots ? slot_of(w, index, cell, face) : 0);
    }
    VNI_ASSERT(count <= VNI_CHUNK_SIZE * VNI_CHUNK_SIZE);
    return count;
}

// -------------------------------------------------------------------------------------- inside a chunk

/// Where the cells that begin or end at each place along an axis come, in order.
typedef struct bins {
    uint32_t first[VNI_CHUNK_SIZE + 2];
} bins;

static void fill_bins(bins* b, const uint32_t counts[VNI_CHUNK_SIZE + 1]) {
    b->first[0] = 0;
    for (int i = 0; i <= VNI_CHUNK_SIZE; ++i)
        b->first[i + 1] = b->first[i] + counts[i];
}

/// Two cells of a chunk meet where one ends and the other begins: sorted by that, only those need be
/// compared.
static void link_inside_along(vni_work* w, uint32_t chunk, int axis) {
    const vni_cell* cells = w->cells[chunk];
    const uint32_t count = vni_work_count(w, chunk), first = w->first[chunk];
    const uint32_t slots = VNI_FACES * (w->patch_of[first] - 1) + 2 * (uint32_t)axis;
    const uint32_t origin = chunk_face(chunk, 2 * (uint32_t)axis);
    vni_face_cell *ends = w->cut->sides[0], *begins = w->cut->sides[1];
    uint32_t counts[2][VNI_CHUNK_SIZE + 1] = {{0}, {0}};
    bins high, low;
    VNI_ASSERT(vni_work_is_new(w, first) && vni_work_is_new(w, first + count - 1));
    for (uint32_t i = 0; i < count; ++i) {
        ++counts[0][cells[i].high[axis] - origin];
        ++counts[1][cells[i].low[axis] - origin];
    }
    fill_bins(&high, counts[0]);
    fill_bins(&low, counts[1]);
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t end = cells[i].high[axis] - origin, begin = cells[i].low[axis] - origin;
        vni_face_cell face = vni_cut_face(&cells[i], axis, first + i, slots + VNI_FACES * i);
        begins[low.first[begin] + --counts[1][begin]] = face;
        ++face.slot;
        ends[high.first[end] + --counts[0][end]] = face;
    }
    for (uint32_t i = 1; i < VNI_CHUNK_SIZE && !w->cut->failed; ++i) {
        const uint32_t end = high.first[i], end_count = high.first[i + 1] - end;
        const uint32_t begin = low.first[i], begin_count = low.first[i + 1] - begin;
        if (end_count == 0 || begin_count == 0)
            continue;
        vni_cut_link(w->cut, ends + end, end_count, begins + begin, begin_count);
        vni_cut_link(w->cut, begins + begin, begin_count, ends + end, end_count);
    }
}

// -------------------------------------------------------------------------------------- between chunks

/// Links the cells of two neighbours, the lower first, of which at least one has changed. Whole cells get
/// their lists elsewhere: they may meet several chunks.
static void link_chunks(vni_work* w, uint32_t lower, uint32_t upper, int axis) {
    vni_face_cell* const* sides = w->cut->sides;
    const uint32_t high = 2 * (uint32_t)axis + 1, low = 2 * (uint32_t)axis;
    const bool lower_free = w->free >> lower & 1, upper_free = w->free >> upper & 1;
    VNI_ASSERT((w->changed >> lower | w->changed >> upper) & 1);
    if (lower_free && upper_free)
        return;
    if (lower_free || upper_free) {
        const uint32_t whole = w->whole_at[lower_free ? lower : upper];
        const uint32_t count =
            lower_free ? gather(w, upper, low, true, sides[0]) : gather(w, lower, high, true, sides[0]);
        sides[1][0] = vni_cut_face(&w->whole[whole], axis, whole, 0);
        if (!w->cut->failed)
            vni_cut_link(w->cut, sides[0], count, sides[1], 1);
        return;
    }
    const uint32_t lower_count = gather(w, lower, high, true, sides[0]);
    const uint32_t upper_count = gather(w, upper, low, true, sides[1]);
    if (!w->cut->failed)
        vni_cut_link(w->cut, sides[0], lower_count, sides[1], upper_count);
    if (!w->cut->failed)
        vni_cut_link(w->cut, sides[1], upper_count, sides[0], lower_count);
}

/// All pairs with a chunk that has changed, each once.
static void link_around(vni_work* w, uint32_t chunk) {
    for (uint32_t face = 0; face < VNI_FACES && !w->cut->failed; ++face) {
        const int axis = (int)(face >> 1);
        const uint32_t step = 1u << 2 * axis, at = vni_chunk_at(chunk, axis);
        if (at == (face & 1 ? VNI_CHUNKS - 1 : 0))
            continue;
        const uint32_t beyond = face & 1 ? chunk + step : chunk - step;
        if (face & 1 || !(w->changed >> beyond & 1))
            link_chunks(w, face & 1 ? chunk : beyond, face & 1 ? beyond : chunk, axis);
    }
}

// ---------------------------------------------------------------------------------------- whole cells

/// The chunks beyond a face of a whole cell; none at the rim.
static uint64_t chunks_beyond(const vni_cell* cell, uint32_t face) {
    const uint32_t axis = face >> 1;
    uint32_t low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        low[i] = cell->low[i] / VNI_CHUNK_SIZE;
        high[i] = (cell->high[i] + VNI_CHUNK_SIZE - 1u) / VNI_CHUNK_SIZE;
    }
    if (face & 1 ? high[axis] == VNI_CHUNKS : low[axis] == 0)
        return 0;
    low[axis] = face & 1 ? high[axis] : low[axis] - 1;
    high[axis] = low[axis] + 1;
    return vni_chunks_in(low, high);
}

/// The list of a whole cell through one face, to what there is in the chunks beyond.
static void link_whole(vni_work* w, uint32_t cell, uint32_t face, uint64_t beyond) {
    vni_face_cell *from = w->cut->sides[0], *to = w->cut->sides[1];
    const int axis = (int)(face >> 1);
    const uint32_t old = w->whole_old[cell];
    const uint32_t slot = slot_of(w, cell, old == VNI_NO_CELL ? NULL : &w->old->cells[old], face);
    uint64_t met = 0;
    uint32_t count = 0;
    VNI_ASSERT(cell < w->first[0] && !vni_cell_is_on_rim(&w->whole[cell], face));
    for (; beyond != 0; beyond &= beyond - 1) {
        const uint32_t chunk = vni_lowest_bit(beyond), whole = w->whole_at[chunk];
        if (!(w->free >> chunk & 1)) {
            count += gather(w, chunk, face ^ 1, false, to + count);
        } else if (!(met >> whole & 1)) {
            met |= (uint64_t)1 << whole;
            to[count++] = vni_cut_face(&w->whole[whole], axis, whole, 0);
        }
    }
    from[0] = vni_cut_face(&w->whole[cell], axis, cell, slot);
    if (!w->cut->failed)
        vni_cut_link(w->cut, from, 1, to, count);
}

static void link_wholes(vni_work* w) {
    for (uint32_t i = 0; i < w->first[0]; ++i)
        for (uint32_t face = 0; face < VNI_FACES && !w->cut->failed; ++face) {
            const uint64_t beyond = chunks_beyond(&w->whole[i], face);
            if (vni_work_is_new(w, i) ? beyond != 0 : (beyond & w->changed) != 0)
                link_whole(w, i, face, beyond);
        }
}

// ------------------------------------------------------------------------------------------------- all

static void patch_new_cells(vni_work* w) {
    for (uint32_t i = 0; i < w->first[0]; ++i)
        if (w->whole_old[i] == VNI_NO_CELL && !w->cut->failed)
            add_patch(w, i, (vni_link_list){0, 0});
    for (uint64_t fresh = w->fresh; fresh != 0; fresh &= fresh - 1) {
        const uint32_t chunk = vni_lowest_bit(fresh);
        for (uint32_t i = w->first[chunk]; i < w->first[chunk + 1] && !w->cut->failed; ++i)
            add_patch(w, i, (vni_link_list){0, 0});
    }
    w->new_count = w->patch_count;
}

void vni_work_relink(vni_work* w) {
    w->cut->group_count = 0;
    patch_new_cells(w);
    for (uint64_t fresh = w->fresh; fresh != 0; fresh &= fresh - 1) {
        const uint32_t chunk = vni_lowest_bit(fresh);
        for (int axis = 0; axis < 3 && !w->cut->failed && vni_work_count(w, chunk) > 1; ++axis)
            link_inside_along(w, chunk, axis);
    }
    for (uint64_t changed = w->changed; changed != 0 && !w->cut->failed; changed &= changed - 1)
        link_around(w, vni_lowest_bit(changed));
    if (!w->cut->failed)
        link_wholes(w);
}
