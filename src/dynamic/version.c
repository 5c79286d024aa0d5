/// dynamic/version.c: makes, publishes and pins versions, and frees what no version uses.
///
/// Publishing, step by step:
///
///     1. reserve memory for retired objects       may fail
///     2. copy the tables of the newest version    may fail
///     3. replace touched blocks and seams in it
///     4. number cells, label components           may fail
///     5. retire the objects that were replaced
///     6. make the version the newest              under the monitor: readers see all of it or nothing
///     7. drop versions without pins, free retired objects that none of the others uses: a phase of its own
///
/// Up to step 4 nothing that a reader or a later update can see has changed. The tables of all versions
/// together hold one reference to an object; the interval [from, until) of a retired one says which versions
/// use it.
#include "base/alloc.h"
#include "dynamic/dynamic_inside.h"

#include <string.h>

// ---------- making and freeing

static void free_tables(vni_dynamic* dynamic, vni_version* v) {
    const vn_allocator* allocator = &dynamic->allocator;
    uint32_t count = vni_dynamic_blocks(dynamic);
    vni_cells* cells = &v->space.cells;
    VNI_DELETE_ARRAY(allocator, v->space.occupancy.table, count);
    VNI_DELETE_ARRAY(allocator, v->unknown.table, count);
    VNI_DELETE_ARRAY(allocator, cells->table, count);
    VNI_DELETE_ARRAY(allocator, cells->views, count);

    for (int axis = 0; axis < 3; ++axis)
        VNI_DELETE_ARRAY(allocator, cells->seams[axis], count);

    VNI_DELETE_ARRAY(allocator, cells->base, (uint64_t)count + 1);
    VNI_DELETE_ARRAY(allocator, cells->component_base, (uint64_t)count + 1);
    VNI_DELETE_ARRAY(allocator, cells->components, v->component_capacity);
}

void vni_version_free(vni_dynamic* dynamic, vni_version* version) {
    if (version == NULL)
        return;
    free_tables(dynamic, version);
    VNI_DELETE(&dynamic->allocator, version);
}

/// With uninitialised tables; null if memory runs out.
static vni_version* new_version(vni_dynamic* dynamic) {
    const vn_allocator* allocator = &dynamic->allocator;
    uint32_t count = vni_dynamic_blocks(dynamic);
    vni_version* v = VNI_NEW(allocator, vni_version);
    if (v == NULL)
        return NULL;

    vni_cells* cells = &v->space.cells;
    v->space.occupancy.table = VNI_NEW_ARRAY(allocator, vni_block*, count);
    v->unknown.table = dynamic->refuses ? VNI_NEW_ARRAY(allocator, vni_block*, count) : NULL;
    cells->table = VNI_NEW_ARRAY(allocator, vni_cell_block*, count);
    cells->views = VNI_NEW_ARRAY(allocator, vni_block_view, count);

    bool ok = v->space.occupancy.table != NULL && (!dynamic->refuses || v->unknown.table != NULL) &&
              cells->table != NULL && cells->views != NULL;
    for (int axis = 0; axis < 3; ++axis) {
        cells->seams[axis] = VNI_NEW_ARRAY(allocator, vni_seam*, count);
        ok = ok && cells->seams[axis] != NULL;
    }

    cells->base = VNI_NEW_ARRAY(allocator, uint32_t, count + 1);
    cells->component_base = VNI_NEW_ARRAY(allocator, uint32_t, count + 1);
    if (ok && cells->base != NULL && cells->component_base != NULL)
        return v;

    vni_version_free(dynamic, v);
    return NULL;
}

static void enter(vni_dynamic* dynamic) {
#if VOLNAV_THREADS
    vni_monitor_enter(dynamic->monitor);
#else
    (void)dynamic;
#endif
}

static void leave(vni_dynamic* dynamic) {
#if VOLNAV_THREADS
    vni_monitor_leave(dynamic->monitor);
#else
    (void)dynamic;
#endif
}

vni_version* vni_version_make(vni_dynamic* dynamic) {
    enter(dynamic);
    vni_version* v = dynamic->spare;
    if (v != NULL)
        dynamic->spare = v->next;
    leave(dynamic);
    return v != NULL ? v : new_version(dynamic);
}

bool vni_version_reserve_components(vni_dynamic* dynamic, vni_version* version, uint64_t count) {
    return vni_grow(&dynamic->allocator, &version->space.cells.components, &version->component_capacity,
                    count + 1, sizeof(uint32_t));
}

void vni_version_show_unknown(vni_version* version) {
    const bool any = version->unknown.table != NULL && version->unknown.blocked_voxels > 0;
    version->space.unknown = any ? version->unknown : (vni_occupancy){0};
}

/// Copies all but the components, whose array may be too small.
static void copy_version(const vni_dynamic* dynamic, const vni_version* from, vni_version* to) {
    uint32_t count = vni_dynamic_blocks(dynamic);
    vn_space space = from->space; // plain values of `from`, with the tables of `to`
    space.region = 0;             // labels change: the owner of the versions sets it again
    space.occupancy.table = to->space.occupancy.table;
    space.cells.table = to->space.cells.table;
    space.cells.views = to->space.cells.views;
    space.cells.base = to->space.cells.base;
    space.cells.component_base = to->space.cells.component_base;
    space.cells.components = to->space.cells.components;

    for (int axis = 0; axis < 3; ++axis)
        space.cells.seams[axis] = to->space.cells.seams[axis];

    to->space = space;
    if (dynamic->refuses) {
        vni_block** table = to->unknown.table;
        to->unknown = from->unknown;
        to->unknown.table = table;
        memcpy(table, from->unknown.table, count * sizeof *table);
    }

    // then the content of the tables: pointers, no objects
    const vni_cells* cells = &from->space.cells;
    memcpy(space.occupancy.table, from->space.occupancy.table, count * sizeof *space.occupancy.table);
    memcpy(space.cells.table, cells->table, count * sizeof *cells->table);
    memcpy(space.cells.views, cells->views, count * sizeof *cells->views);

    for (int axis = 0; axis < 3; ++axis)
        memcpy(space.cells.seams[axis], cells->seams[axis], count * sizeof *cells->seams[axis]);

    memcpy(space.cells.base, cells->base, (count + (size_t)1) * sizeof *cells->base);
    memcpy(space.cells.component_base, cells->component_base,
           (count + (size_t)1) * sizeof *cells->component_base);
}

// ---------- content

/// Puts the touched blocks and seams into the tables of the new version, and keeps its sums: blocked voxels,
/// links.
static void put_blocks(const vni_dynamic* dynamic, vni_version* v) {
    vni_cells* cells = &v->space.cells;
    vni_occupancy* occupancy = &v->space.occupancy;
    for (uint32_t i = 0; i < dynamic->touched_count; ++i) {
        const vni_touched* t = &dynamic->touched[i];
        const vni_block* old = occupancy->table[t->block];
        occupancy->blocked_voxels -= old != NULL ? old->blocked_voxels : 0;
        occupancy->blocked_voxels += t->voxels != NULL ? t->voxels->blocked_voxels : 0;
        occupancy->table[t->block] = t->voxels;

        cells->link_count += (uint64_t)t->link_change;
        cells->table[t->block] = t->cells;
        cells->views[t->block].cells = t->cells->cells;
        cells->views[t->block].groups = t->cells->groups;
    }

    for (uint32_t i = 0; i < dynamic->unknown_count; ++i) {
        const vni_unknown_block* u = &dynamic->unknowns[i];
        const vni_block* old = v->unknown.table[u->block];
        v->unknown.blocked_voxels -= old != NULL ? old->blocked_voxels : 0;
        v->unknown.blocked_voxels += u->voxels != NULL ? u->voxels->blocked_voxels : 0;
        v->unknown.table[u->block] = u->voxels;
    }

    vni_version_show_unknown(v);
    for (uint32_t i = 0; i < dynamic->seam_count; ++i) {
        const vni_touched_seam* s = &dynamic->seams[i];
        cells->link_count += (uint64_t)s->link_change;
        cells->seams[s->axis][s->lower] = s->seam;
    }
}

/// Adds to the first ids of blocks [first, end]; unsigned, so that a sum that wraps subtracts.
static void shift_ids(vni_cells* cells, uint32_t first, uint32_t end, uint32_t cell_shift,
                      uint32_t component_shift) {
    for (uint32_t i = first; i <= end; ++i) {
        cells->base[i] += cell_shift;
        cells->component_base[i] += component_shift;
    }
}

/// Updates the ids from the first touched block on; `cells` has those of the version before. Between two
/// touched blocks all ids move by the same distance. False if there are too many cells.
static bool renumber(const vni_dynamic* dynamic, vni_cells* cells) {
    const vni_cells* before = &dynamic->newest->space.cells;
    const uint32_t blocks = vni_dynamic_blocks(dynamic);
    uint64_t ids = before->base[blocks];
    uint32_t cell_shift = 0, component_shift = 0;
    for (uint32_t i = 0; i < dynamic->touched_count; ++i) {
        const vni_touched* t = &dynamic->touched[i];
        const vni_cell_block* old = before->table[t->block];
        const uint32_t next = i + 1 < dynamic->touched_count ? dynamic->touched[i + 1].block : blocks;

        ids = ids + t->cells->cell_count - old->cell_count;
        cell_shift += t->cells->cell_count - old->cell_count;
        component_shift += t->cells->component_count - old->component_count;
        if (cell_shift | component_shift)
            shift_ids(cells, t->block + 1, next, cell_shift, component_shift);
    }

    for (uint32_t i = dynamic->touched_count > 0 ? dynamic->touched[0].block : blocks; i < blocks; ++i)
        cells->views[i].base = cells->base[i];

    return ids < UINT32_MAX;
}

// ---------- retiring

/// Retires an object (null: none) that versions from `*from` on have used; the one in its place is used from
/// `until` on.
static void retire(vni_dynamic* dynamic, vni_retired_kind kind, void* object, uint64_t* from,
                   uint64_t until) {
    if (object != NULL)
        dynamic->retired[dynamic->retired_count++] = (vni_retired){kind, object, *from, until};
    *from = until;
}

/// Retires all objects that the new version `until` has replaced. Memory has been reserved.
static void retire_replaced(vni_dynamic* dynamic, const vni_version* old, uint64_t until) {
    for (uint32_t i = 0; i < dynamic->touched_count; ++i) {
        uint32_t block = dynamic->touched[i].block;
        vni_cell_block* cells = old->space.cells.table[block];
        VNI_ASSERT(cells != dynamic->touched[i].cells || cells == dynamic->open_block);
        retire(dynamic, VNI_RETIRED_BLOCK, old->space.occupancy.table[block], &dynamic->block_from[block],
               until);
        retire(dynamic, VNI_RETIRED_CELLS, cells == dynamic->open_block ? NULL : cells,
               &dynamic->cells_from[block], until);
    }

    for (uint32_t i = 0; i < dynamic->unknown_count; ++i) {
        const uint32_t block = dynamic->unknowns[i].block;
        retire(dynamic, VNI_RETIRED_BLOCK, old->unknown.table[block], &dynamic->unknown_from[block], until);
    }

    for (uint32_t i = 0; i < dynamic->seam_count; ++i) {
        const vni_touched_seam* s = &dynamic->seams[i];
        vni_seam* seam = old->space.cells.seams[s->axis][s->lower];
        if (seam != s->seam)
            retire(dynamic, VNI_RETIRED_SEAM, seam == dynamic->open_seams[s->axis] ? NULL : seam,
                   &dynamic->seam_from[s->axis][s->lower], until);
    }
}

static void free_retired(const vni_dynamic* dynamic, const vni_retired* r) {
    switch (r->kind) {
    case VNI_RETIRED_BLOCK: vni_block_release(&dynamic->allocator, r->object); break;
    case VNI_RETIRED_CELLS: vni_cell_block_release(&dynamic->allocator, r->object); break;
    case VNI_RETIRED_SEAM: vni_seam_release(&dynamic->allocator, r->object); break;
    }
}

/// Moves old versions without pins to the spare ones.
static void set_aside(vni_dynamic* dynamic) {
    dynamic->stats.versions = 1;
    for (vni_version** at = &dynamic->newest->next; *at != NULL;) {
        vni_version* v = *at;
        if (v->pins > 0) {
            ++dynamic->stats.versions;
            at = &v->next;
            continue;
        }

        *at = v->next;
        v->next = dynamic->spare;
        dynamic->spare = v;
    }
}

/// Is the object in use by a version that remains?
static bool is_held(const vni_dynamic* dynamic, const vni_retired* r) {
    for (const vni_version* v = dynamic->newest; v != NULL; v = v->next)
        if (v->number >= r->from && v->number < r->until)
            return true;
    return false;
}

void vni_dynamic_drop_unpinned(vni_dynamic* dynamic) {
    // after this the list is read without the monitor: only this thread changes it, and readers pin the
    // newest version only, so that a version that was dropped cannot come back
    enter(dynamic);
    set_aside(dynamic);
    leave(dynamic);
}

bool vni_dynamic_sweep(vni_dynamic* dynamic, uint32_t* next, uint32_t* kept, uint32_t most) {
    const uint32_t left = dynamic->retired_count - *next, end = *next + (left < most ? left : most);
    for (; *next < end; ++*next) {
        if (is_held(dynamic, &dynamic->retired[*next]))
            dynamic->retired[(*kept)++] = dynamic->retired[*next];
        else
            free_retired(dynamic, &dynamic->retired[*next]);
    }

    if (end < dynamic->retired_count)
        return false;

    dynamic->retired_count = *kept;
    dynamic->stats.retired = *kept;
    return true;
}

void vni_dynamic_release_unused(vni_dynamic* dynamic) {
    uint32_t next = 0, kept = 0;
    vni_dynamic_drop_unpinned(dynamic);
    (void)vni_dynamic_sweep(dynamic, &next, &kept, UINT32_MAX);
}

// ------------------------------------------------------------------------------------------------ publishing

/// Gives back a version that was not published.
static void put_back(vni_dynamic* dynamic, vni_version* v) {
    enter(dynamic);
    v->next = dynamic->spare;
    dynamic->spare = v;
    leave(dynamic);
}

vn_status vni_dynamic_publish(vni_dynamic* dynamic, vni_stages* stages) {
    uint32_t objects = 2 * dynamic->touched_count + dynamic->seam_count + dynamic->unknown_count;
    if (!vni_grow(&dynamic->allocator, &dynamic->retired, &dynamic->retired_capacity,
                  (uint64_t)dynamic->retired_count + objects, sizeof *dynamic->retired))
        return VN_OUT_OF_MEMORY;

    vni_version* v = vni_version_make(dynamic);
    if (v == NULL)
        return VN_OUT_OF_MEMORY;

    // steps 2 to 4: the new version is private until it is linked in
    copy_version(dynamic, dynamic->newest, v);
    put_blocks(dynamic, v);
    const bool numbered = renumber(dynamic, &v->space.cells);
    vni_stage_end(stages, VNI_STAGE_PUBLISH);
    const bool labelled = numbered && vni_dynamic_label(dynamic, v);

    vni_stage_end(stages, VNI_STAGE_COMPONENTS);
    if (!labelled) {
        put_back(dynamic, v);
        return VN_OUT_OF_MEMORY;
    }

    // steps 5 and 6: nothing can fail from here on
    vni_version* old = dynamic->newest;
    v->number = old->number + 1;
    v->pins = 0;
    dynamic->deltas[v->number % dynamic->history].version = v->number;
    retire_replaced(dynamic, old, v->number);
    enter(dynamic);
    v->next = old;
    dynamic->newest = v;
    leave(dynamic);

    dynamic->touched_count = dynamic->seam_count = dynamic->unknown_count = 0;
    dynamic->dirty_count = 0;
    return VN_OK;
}

// ---------- readers

const vn_space* vni_dynamic_pin(vni_dynamic* dynamic, uint64_t* version) {
    enter(dynamic);
    vni_version* v = dynamic->newest;
    ++v->pins;
    *version = v->number;
    leave(dynamic);
    return &v->space;
}

void vni_dynamic_unpin(vni_dynamic* dynamic, uint64_t version) {
    enter(dynamic);
    vni_version* v = dynamic->newest;
    while (v != NULL && v->number != version)
        v = v->next;

    VNI_ASSERT(v != NULL && v->pins > 0);
    if (v != NULL)
        --v->pins;

    leave(dynamic);
}

uint64_t vni_dynamic_version(vni_dynamic* dynamic) {
    enter(dynamic);
    uint64_t number = dynamic->newest->number;
    leave(dynamic);
    return number;
}
