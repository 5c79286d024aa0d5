/// cells/cells.c: cuts all blocks and seams of a space in parallel, numbers cells and components, and looks
/// up cells.
#include "cells/cells.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/sets.h"
#include "cells/cut.h"
#include "occupancy/limit.h"

#include <string.h>

static bool has_upper_neighbour(const vni_cells* cells, uint32_t block, int axis) {
    return (cells->views[block].low[axis] >> VNI_BLOCK_SHIFT) + 1 < cells->blocks[axis];
}

// --------------------------------------------------------------------------------------------- cutting

/// Shared by the workers. Free blocks of full size are all alike, and so are the seams between two of them
/// along an axis: one object with many references serves for all. Large open spaces cost next to nothing.
typedef struct maker {
    vni_cells* cells;
    const vni_occupancy* occupancy;
    vni_cut* cuts; ///< one a worker
    vni_cell_block* open_block;
    vni_seam* open_seams[3];
    vni_atomic failed;
} maker;

/// A task: the cells of blocks [begin, end). Each worker writes only its own entries of the tables.
static void cut_blocks(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    maker* m = (maker*)context;
    for (uint32_t i = begin; i < end && !vni_atomic_load(&m->failed); ++i) {
        int32_t limit[3];
        vni_block_limit_at(m->cells->dims, m->cells->views[i].low, limit);
        if (m->occupancy->table[i] == NULL && vni_limit_is_whole(limit)) {
            vni_atomic_add(&m->open_block->references, 1);
            m->cells->table[i] = m->open_block;
        } else {
            m->cells->table[i] =
                vni_cut_block(&m->cuts[worker], &m->cells->allocator, m->occupancy->table[i], limit);
        }

        if (m->cells->table[i] == NULL)
            vni_atomic_store(&m->failed, 1);
    }
}

/// A task: the seams above blocks [begin, end). All blocks are cut by now.
static void cut_seams(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    maker* m = (maker*)context;
    vni_cells* cells = m->cells;
    for (uint32_t i = begin; i < end && !vni_atomic_load(&m->failed); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            if (!has_upper_neighbour(cells, i, axis))
                continue;
            const vni_cell_block *a = cells->table[i], *b = cells->table[i + cells->stride[axis]];
            if (a == m->open_block && b == m->open_block) {
                vni_atomic_add(&m->open_seams[axis]->references, 1);
                cells->seams[axis][i] = m->open_seams[axis];
            } else {
                cells->seams[axis][i] = vni_cut_seam(&m->cuts[worker], &cells->allocator, a, b, axis);
            }

            if (cells->seams[axis][i] == NULL)
                vni_atomic_store(&m->failed, 1);
        }
}

/// The block and seams that open space shares.
static bool make_open(maker* m) {
    static const int32_t whole[3] = {VNI_BLOCK_SIZE, VNI_BLOCK_SIZE, VNI_BLOCK_SIZE};
    const vn_allocator* allocator = &m->cells->allocator;
    m->open_block = vni_cut_block(&m->cuts[0], allocator, NULL, whole);
    for (int axis = 0; axis < 3 && m->open_block != NULL; ++axis) {
        m->open_seams[axis] = vni_cut_seam(&m->cuts[0], allocator, m->open_block, m->open_block, axis);
        if (m->open_seams[axis] == NULL)
            return false;
    }

    return m->open_block != NULL;
}

static void free_maker(maker* m, uint32_t workers) {
    const vn_allocator* allocator = &m->cells->allocator;
    vni_cell_block_release(allocator, m->open_block);
    for (int axis = 0; axis < 3; ++axis)
        vni_seam_release(allocator, m->open_seams[axis]);

    for (uint32_t i = 0; m->cuts != NULL && i < workers; ++i)
        vni_cut_free(&m->cuts[i]);

    vni_free(allocator, m->cuts, workers, sizeof *m->cuts);
}

/// Two parallel passes: blocks, then seams, which need the blocks on both sides.
static vn_status cut_all(vni_cells* cells, const vni_occupancy* occupancy, const vn_jobs* jobs,
                         vn_progress* progress, void* user) {
    maker m;
    memset(&m, 0, sizeof m);
    m.cells = cells;
    m.occupancy = occupancy;
    m.cuts = (vni_cut*)vni_alloc_zero(&cells->allocator, jobs->worker_count, sizeof *m.cuts);

    // all scratch is made before the workers start: they allocate only results
    bool ready = m.cuts != NULL, goes_on = true;
    for (uint32_t i = 0; ready && i < jobs->worker_count; ++i)
        ready = vni_cut_make(&cells->allocator, &m.cuts[i]);

    ready = ready && make_open(&m);
    if (ready)
        goes_on = vni_parallel_for_progress(jobs, vni_cells_block_count(cells), 1, cut_blocks, &m, progress,
                                            user, "cells");

    if (ready && goes_on && !vni_atomic_load(&m.failed))
        goes_on = vni_parallel_for_progress(jobs, vni_cells_block_count(cells), 1, cut_seams, &m, progress,
                                            user, "links");

    // the tables have their own references to the open block and seams
    bool failed = !ready || vni_atomic_load(&m.failed);
    free_maker(&m, jobs->worker_count);
    return failed ? VN_OUT_OF_MEMORY : goes_on ? VN_OK : VN_CANCELLED;
}

// ------------------------------------------------------------------------------------- ids and components

/// Joins the components on both sides of every link from A to B; the links back say the same.
static void join_seam(uint32_t* parents, const vni_seam* seam, const vni_cell_block* a, uint32_t a_base,
                      const vni_cell_block* b, uint32_t b_base, uint32_t a_face) {
    for (uint32_t rank = 0; rank < seam->a_count; ++rank) {
        uint32_t from = a_base + a->cells[a->ranked[a_face][rank]].component;
        for (uint32_t g = seam->first[rank]; g < seam->first[rank + 1]; ++g)
            for (uint32_t k = 0; k < 4 && seam->groups[g].to[k] != VNI_NO_CELL; ++k)
                vni_sets_join(parents, from, b_base + b->cells[seam->groups[g].to[k]].component);
    }
}

/// Turns parents into labels from 0, in order of the lowest member. A root is the lowest member of its set,
/// so its entry is a label already when the others read it.
static uint32_t label(uint32_t* parents, uint32_t count) {
    uint32_t labels = 0;
    for (uint32_t i = 0; i < count; ++i)
        parents[i] = vni_sets_find(parents, i);
    for (uint32_t i = 0; i < count; ++i)
        parents[i] = parents[i] == i ? labels++ : parents[parents[i]];
    return labels;
}

/// Ids and components of each block follow those of the block before it; fills base, component_base and the
/// views.
static vn_status number_cells(vni_cells* cells, vn_detail* detail) {
    uint32_t count = vni_cells_block_count(cells);
    uint64_t ids = 0, components = 0;
    for (uint32_t i = 0; i < count; ++i) {
        cells->base[i] = (uint32_t)ids;
        cells->component_base[i] = (uint32_t)components;
        cells->views[i].cells = cells->table[i]->cells;
        cells->views[i].groups = cells->table[i]->groups;
        cells->views[i].base = (uint32_t)ids;

        ids += cells->table[i]->cell_count;
        components += cells->table[i]->component_count;
        if (ids >= UINT32_MAX)
            return vni_fail(detail, VN_TOO_LARGE,
                            "the space has more than 2^32 cells; choose a coarser resolution");
    }

    cells->base[count] = (uint32_t)ids;
    cells->component_base[count] = (uint32_t)components;
    cells->components = VNI_NEW_ARRAY(&cells->allocator, uint32_t, components);
    if (components > 0 && cells->components == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory for %llu components",
                        (unsigned long long)components);

    return VN_OK;
}

void vni_cells_join_components(vni_cells* cells) {
    uint32_t count = vni_cells_block_count(cells);
    for (uint32_t i = 0; i < cells->component_base[count]; ++i)
        cells->components[i] = i;

    for (uint32_t i = 0; i < count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            uint32_t b = i + cells->stride[axis];
            if (cells->seams[axis][i] != NULL)
                join_seam(cells->components, cells->seams[axis][i], cells->table[i], cells->component_base[i],
                          cells->table[b], cells->component_base[b], 2 * (uint32_t)axis + 1);
        }

    cells->component_count = label(cells->components, cells->component_base[count]);
}

uint64_t vni_count_links(const vni_link_group* groups, uint32_t count) {
    uint64_t links = 0;
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < 4; ++k)
            links += groups[i].to[k] != VNI_NO_CELL;
    return links;
}

static uint64_t count_all_links(const vni_cells* cells) {
    uint64_t links = 0;
    for (uint32_t i = 0; i < vni_cells_block_count(cells); ++i) {
        links += vni_count_links(cells->table[i]->groups, cells->table[i]->group_count);
        for (int axis = 0; axis < 3; ++axis)
            if (cells->seams[axis][i] != NULL)
                links += vni_count_links(cells->seams[axis][i]->groups, cells->seams[axis][i]->group_count);
    }

    return links;
}

// ------------------------------------------------------------------------------------------------- life

/// Tables of all blocks, empty except for the corners in the views.
static bool make_tables(vni_cells* cells) {
    uint64_t count = vni_cells_block_count(cells);
    cells->table = (vni_cell_block**)vni_alloc_zero(&cells->allocator, count, sizeof *cells->table);
    cells->views = (vni_block_view*)vni_alloc(&cells->allocator, count, sizeof *cells->views);
    cells->base = VNI_NEW_ARRAY(&cells->allocator, uint32_t, count + 1);
    cells->component_base = (uint32_t*)vni_alloc_zero(&cells->allocator, count + 1, sizeof(uint32_t));

    bool ok =
        cells->table != NULL && cells->views != NULL && cells->base != NULL && cells->component_base != NULL;
    for (int axis = 0; axis < 3; ++axis) {
        cells->seams[axis] = (vni_seam**)vni_alloc_zero(&cells->allocator, count, sizeof(vni_seam*));
        ok = ok && cells->seams[axis] != NULL;
    }

    for (uint32_t i = 0; cells->views != NULL && i < count; ++i)
        vni_block_low(cells->blocks, i, cells->views[i].low);

    return ok;
}

vn_status vni_cells_make(const vn_allocator* allocator, const vni_occupancy* occupancy, const vn_jobs* jobs,
                         vn_progress* progress, void* progress_user, vni_cells* out, vn_detail* detail) {
    memset(out, 0, sizeof *out);
    VNI_ASSERT(occupancy->table != NULL && vni_jobs_are_valid(jobs));

    out->allocator = *allocator;
    memcpy(out->dims, occupancy->dims, sizeof out->dims);
    memcpy(out->blocks, occupancy->blocks, sizeof out->blocks);
    vni_block_strides(out->blocks, out->stride);
    vn_status status =
        make_tables(out) ? cut_all(out, occupancy, jobs, progress, progress_user) : VN_OUT_OF_MEMORY;

    if (status == VN_OUT_OF_MEMORY)
        vni_fail(detail, status, "no memory for the cells of %u blocks", vni_cells_block_count(out));

    if (status == VN_CANCELLED)
        vni_fail(detail, status, "cutting the cells was cancelled");

    if (status == VN_OK)
        status = number_cells(out, detail);

    if (status != VN_OK) {
        vni_cells_free(out);
        return status;
    }

    vni_cells_join_components(out);
    out->link_count = count_all_links(out);
    return VN_OK;
}

void vni_cells_free(vni_cells* cells) {
    if (cells->allocator.alloc == NULL)
        return;
    vn_allocator allocator = cells->allocator;
    uint32_t count = vni_cells_block_count(cells);

    // tables may be missing or half filled: also a cut that failed ends here
    uint32_t components = cells->component_base != NULL ? cells->component_base[count] : 0;
    for (uint32_t i = 0; cells->table != NULL && i < count; ++i)
        vni_cell_block_release(&allocator, cells->table[i]);

    for (int axis = 0; axis < 3; ++axis) {
        for (uint32_t i = 0; cells->seams[axis] != NULL && i < count; ++i)
            vni_seam_release(&allocator, cells->seams[axis][i]);
        vni_free(&allocator, cells->seams[axis], count, sizeof(vni_seam*));
    }

    vni_free(&allocator, cells->table, count, sizeof *cells->table);
    vni_free(&allocator, cells->views, count, sizeof *cells->views);
    VNI_DELETE_ARRAY(&allocator, cells->base, (uint64_t)count + 1);
    VNI_DELETE_ARRAY(&allocator, cells->components, components);
    VNI_DELETE_ARRAY(&allocator, cells->component_base, (uint64_t)count + 1);
    memset(cells, 0, sizeof *cells);
}

void vni_cells_memory(const vni_cells* cells, vn_memory* out) {
    uint32_t count = vni_cells_block_count(cells);
    size_t inner = 0, boxes = 0, seams = 0;
    const void* open_block = NULL;
    const void* open_seam[3] = {NULL, NULL, NULL};
    for (uint32_t i = 0; i < count; ++i) {
        const vni_cell_block* block = cells->table[i];
        size_t groups = block->group_count * sizeof(vni_link_group);
        if (block != open_block) {
            boxes += vni_cell_block_bytes(block) - groups;
            inner += groups;
        }

        // open space shares one block, and one seam an axis: they are counted once
        if (vni_atomic_load(&block->references) > 1)
            open_block = block;

        for (int axis = 0; axis < 3; ++axis) {
            const vni_seam* seam = cells->seams[axis][i];
            if (seam != NULL && seam != open_seam[axis])
                seams += vni_seam_bytes(seam);
            if (seam != NULL && vni_atomic_load(&seam->references) > 1)
                open_seam[axis] = seam;
        }
    }

    vni_memory_add(out, "cells", boxes);
    vni_memory_add(out, "inner links", inner);
    vni_memory_add(out, "seams", seams);
    vni_memory_add(out, "cell tables",
                   count * (sizeof(vni_cell_block*) + 3 * sizeof(vni_seam*) + sizeof *cells->views) +
                       (count + (size_t)1) * 2 * sizeof(uint32_t));
    vni_memory_add(out, "components", cells->component_base[count] * sizeof(uint32_t));
}

uint64_t vni_cells_hash(const vni_cells* cells) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < vni_cells_block_count(cells); ++i) {
        const vni_cell_block* block = cells->table[i];
        for (uint32_t k = 0; k < block->cell_count; ++k) {
            const vni_cell* c = &block->cells[k];

            // the box alone: a cell has two bytes of padding
            const uint8_t corners[8] = {c->low[0],  c->low[1],  c->low[2], c->high[0],
                                        c->high[1], c->high[2], 0,         0};
            hash = vni_hash_bytes(corners, sizeof corners, hash);
            hash = vni_hash_mix(hash ^ c->component);
        }

        hash = vni_hash_bytes(block->groups, block->group_count * sizeof(vni_link_group), hash);
        for (int axis = 0; axis < 3; ++axis)
            if (cells->seams[axis][i] != NULL)
                hash = vni_hash_bytes(cells->seams[axis][i]->groups,
                                      cells->seams[axis][i]->group_count * sizeof(vni_link_group), hash);
    }

    return vni_hash_bytes(cells->components,
                          cells->component_base[vni_cells_block_count(cells)] * sizeof(uint32_t), hash);
}

// ----------------------------------------------------------------------------------------------- lookup

static bool holds(const vni_cell* cell, const uint8_t at[3]) {
    return at[0] >= cell->low[0] && at[0] < cell->high[0] && at[1] >= cell->low[1] && at[1] < cell->high[1] &&
           at[2] >= cell->low[2] && at[2] < cell->high[2];
}

bool vni_cells_find(const vni_cells* cells, vn_voxel v, vni_cell_ref* out) {
    VNI_ASSERT(cells->table != NULL);

    if (v.x < 0 || v.y < 0 || v.z < 0 || v.x >= cells->dims[0] || v.y >= cells->dims[1] ||
        v.z >= cells->dims[2])
        return false;

    const uint8_t at[3] = {(uint8_t)(v.x & 63), (uint8_t)(v.y & 63), (uint8_t)(v.z & 63)};
    const uint32_t chunk = vni_chunk_of(v.x, v.y, v.z);
    out->block = vni_block_of(cells->blocks, v.x, v.y, v.z);
    const vni_cell_block* block = cells->table[out->block];

    uint32_t first = block->first_of_chunk[chunk], end = block->first_of_chunk[chunk + 1];
    // cells of a mixed chunk lie inside it, so that few are searched; any other voxel is in a whole cell or
    // blocked
    if (first == end) {
        first = 0;
        end = block->first_of_chunk[0];
    }

    for (uint32_t i = first; i < end; ++i)
        if (holds(&block->cells[i], at)) {
            out->cell = i;
            return true;
        }

    return false;
}

uint32_t vni_cells_face(const vni_cells* cells, vni_cell_ref ref, uint32_t face,
                        const vni_link_group** groups, uint32_t* beyond) {
    VNI_ASSERT(face < VNI_FACES && ref.block < vni_cells_block_count(cells));

    const vni_cell_block* block = cells->table[ref.block];
    VNI_ASSERT(ref.cell < block->cell_count);

    const vni_cell* cell = &block->cells[ref.cell];
    if (vni_cell_is_on_rim(cell, face))
        return vni_cells_rim_face(cells, ref.block, cell, face, groups, beyond);

    // links are stored face after face; faces on the rim have none here
    uint32_t first = cell->first_group;
    for (uint32_t i = 0; i < face; ++i)
        first += vni_cell_is_on_rim(cell, i) ? 0 : cell->faces[i];

    *groups = block->groups + first;
    *beyond = ref.block;
    return cell->faces[face];
}
