/// cells/validate.c: checks the tables, runs the stages, and checks the components of the whole space. Shares
/// no code with the cutting, so that an error there does not hide here.
#include "cells/validate.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/sets.h"
#include "cells/restore.h"

#include <string.h>

// -------------------------------------------------------------------------------------------- open space

/// Whole and without blocked voxels. Its view's corner has been checked.
static bool is_open(const vni_validation* v, uint32_t block) {
    const int32_t *low = v->cells->views[block].low, *dims = v->cells->dims;
    return v->occupancy->table[block] == NULL && low[0] + VNI_BLOCK_SIZE <= dims[0] &&
           low[1] + VNI_BLOCK_SIZE <= dims[1] && low[2] + VNI_BLOCK_SIZE <= dims[2];
}

/// Is the block the same object as the first open one, and open itself? Then it need not be checked again.
static bool is_like_open(const vni_validation* v, uint32_t block) {
    return v->open < v->block_count && v->cells->table[block] == v->cells->table[v->open] &&
           is_open(v, block);
}

static bool seam_is_like_open(const vni_validation* v, uint32_t block, int axis) {
    VNI_ASSERT(v->cells->seams[axis][block] != NULL);
    return is_like_open(v, block) && is_like_open(v, block + v->cells->stride[axis]);
}

/// Finds the blocks and seams that stand for all like them. Loops run down, so that the first ones win.
static void find_open(vni_validation* v) {
    const uint32_t none = v->block_count;
    v->open = v->open_seam[0] = v->open_seam[1] = v->open_seam[2] = none;
    for (uint32_t i = none; i-- > 0;)
        v->open = is_open(v, i) ? i : v->open;

    for (uint32_t i = none; i-- > 0;)
        for (int axis = 0; axis < 3; ++axis)
            if (v->cells->seams[axis][i] != NULL && seam_is_like_open(v, i, axis))
                v->open_seam[axis] = i;
}

// ------------------------------------------------------------------------------------------------ tables

static vn_status check_frame(const vni_validation* v, vn_detail* detail) {
    const vni_cells* c = v->cells;
    if (memcmp(c->dims, v->occupancy->dims, sizeof c->dims) != 0 ||
        memcmp(c->blocks, v->occupancy->blocks, sizeof c->blocks) != 0)
        return vni_fail(detail, VN_BAD_DATA, "the cells are not of the size of the space");
    if (c->stride[0] != 1 || c->stride[1] != (uint32_t)c->blocks[0] ||
        c->stride[2] != (uint32_t)c->blocks[0] * (uint32_t)c->blocks[1])
        return vni_fail(detail, VN_BAD_DATA, "the steps from a block to its neighbours are wrong");

    return VN_OK;
}

/// What is wrong with the entries of a block in the tables, or null. The block is at `at`, in blocks; its
/// first cell should have this id, its first component this number.
static const char* check_entry(const vni_validation* v, uint32_t block, const int32_t at[3], uint64_t id,
                               uint64_t component) {
    const vni_cells* c = v->cells;
    const vni_cell_block* cells = c->table[block];
    const vni_block_view* view = &c->views[block];
    if (cells == NULL)
        return "it has no cells";

    for (int i = 0; i < 3; ++i) {
        if (view->low[i] != at[i] << VNI_BLOCK_SHIFT)
            return "its view is somewhere else";
        if ((c->seams[i][block] != NULL) != (at[i] + 1 < c->blocks[i]))
            return "it lacks the links to a neighbour, or has some where there is none";
    }

    if (view->cells != cells->cells || view->groups != cells->groups || view->base != id)
        return "its view shows something else";
    if (cells->cell_count != 1 && is_open(v, block))
        return "it is all free, but is not one cell";
    if (c->base[block] != id || c->component_base[block] != component)
        return "its cells or components do not follow those of the block before it";

    return NULL;
}

static vn_status check_tables(vni_validation* v, vn_detail* detail) {
    const vni_cells* c = v->cells;
    uint64_t ids = 0, components = 0;
    int32_t at[3] = {0, 0, 0};
    for (uint32_t i = 0; i < v->block_count; ++i) {
        const vni_cell_block* block = c->table[i];
        const char* what = check_entry(v, i, at, ids, components);
        if (what != NULL)
            return vni_fail_index(detail, VN_BAD_DATA, i, "block %u: %s", i, what);

        ids += block->cell_count;
        components += block->component_count;
        v->most_cells = block->cell_count > v->most_cells ? block->cell_count : v->most_cells;
        v->most_groups = block->group_count > v->most_groups ? block->group_count : v->most_groups;
        if (ids >= UINT32_MAX)
            return vni_fail_index(detail, VN_BAD_DATA, i, "block %u: the space has 2^32 cells or more", i);

        // count up like an odometer, x fastest
        for (int axis = 0; axis < 3 && ++at[axis] == c->blocks[axis]; ++axis)
            at[axis] = 0;
    }

    if (c->base[v->block_count] != ids || c->component_base[v->block_count] != components)
        return vni_fail(detail, VN_BAD_DATA, "the tables do not end with the last cell and component");
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- life

void vni_validator_free(vni_validator* w, const vn_allocator* allocator) {
    VNI_DELETE_ARRAY(allocator, w->keys, 4 * (uint64_t)w->cell_capacity);
    VNI_DELETE_ARRAY(allocator, w->parents, w->cell_capacity);
    VNI_DELETE_ARRAY(allocator, w->firsts, w->cell_capacity);
    VNI_DELETE_ARRAY(allocator, w->lists, 8 * (uint64_t)w->cell_capacity);
    VNI_DELETE_ARRAY(allocator, w->owners, (uint64_t)w->group_capacity + 1);
    w->keys = NULL;
    w->lists = NULL;
    w->parents = w->firsts = w->owners = NULL;
    w->cell_capacity = w->group_capacity = 0;
}

bool vni_validator_fit(vni_validator* w, const vn_allocator* allocator, uint32_t cells, uint32_t groups) {
    if (w->keys != NULL && cells <= w->cell_capacity && groups <= w->group_capacity)
        return true;
    const uint32_t most_groups = groups > w->group_capacity ? groups : w->group_capacity;
    const uint32_t most_cells = cells > w->cell_capacity ? cells : w->cell_capacity;
    vni_validator_free(w, allocator);
    w->cell_capacity = most_cells > 0 ? most_cells : 1; // never empty
    w->group_capacity = most_groups;
    w->keys = VNI_NEW_ARRAY(allocator, vni_box_key, 4 * (uint64_t)w->cell_capacity);
    w->parents = VNI_NEW_ARRAY(allocator, uint32_t, w->cell_capacity);
    w->firsts = VNI_NEW_ARRAY(allocator, uint32_t, w->cell_capacity);
    w->lists = VNI_NEW_ARRAY(allocator, uint16_t, 8 * (uint64_t)w->cell_capacity);
    w->owners = VNI_NEW_ARRAY(allocator, uint32_t, (uint64_t)w->group_capacity + 1);
    if (w->keys != NULL && w->parents != NULL && w->firsts != NULL && w->lists != NULL && w->owners != NULL)
        return true;

    vni_validator_free(w, allocator);
    return false;
}

static bool make_scratch(vni_validation* v) {
    const vn_allocator* allocator = &v->cells->allocator;
    v->workers = (vni_validator*)vni_alloc_zero(allocator, v->jobs.worker_count, sizeof *v->workers);
    bool ok = v->workers != NULL;
    for (uint32_t i = 0; v->workers != NULL && i < v->jobs.worker_count; ++i)
        ok = vni_validator_fit(&v->workers[i], allocator, v->most_cells, v->most_groups) && ok;

    return ok;
}

vn_status vni_validation_make(const vni_cells* cells, const vni_occupancy* occupancy, const vn_jobs* jobs,
                              vni_validation* out, vn_detail* detail) {
    VNI_ASSERT(cells->table != NULL && occupancy->table != NULL &&
               (jobs == NULL || vni_jobs_are_valid(jobs)));

    memset(out, 0, sizeof *out);
    out->cells = cells;
    out->occupancy = occupancy;
    out->jobs = jobs != NULL ? *jobs : vn_serial_jobs();
    out->block_count = vni_occupancy_block_count(occupancy);

    vn_status status = check_frame(out, detail);
    if (status == VN_OK)
        status = check_tables(out, detail);

    if (status != VN_OK)
        return status;

    // only now: it follows pointers and strides
    find_open(out);
    if (make_scratch(out))
        return VN_OK;

    vni_validation_free(out);
    return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to validate %u cells", vni_cells_count(cells));
}

void vni_validation_free(vni_validation* v) {
    const vn_allocator* allocator = &v->cells->allocator;
    for (uint32_t i = 0; v->workers != NULL && i < v->jobs.worker_count; ++i)
        vni_validator_free(&v->workers[i], allocator);

    VNI_DELETE_ARRAY(allocator, v->workers, v->jobs.worker_count);
}

// ------------------------------------------------------------------------------------------------ stages

/// Keeps the fault of the lowest block.
static void note(vni_validator* worker, uint32_t order, uint32_t block, uint32_t cell, const char* what) {
    const vni_fault fault = {what, order, block, cell};
    VNI_ASSERT(what != NULL);
    if (worker->fault.what == NULL || order < worker->fault.order)
        worker->fault = fault;
}

/// Has this been proved before? `what`: VNI_PROVED_BLOCKS, or the axis of a seam.
static inline bool is_proved(const vni_validation* v, uint32_t block, int what) {
    return v->proved != NULL && v->proved[what][block] != 0;
}

/// The cells of a block, then its links while it is in the cache: those inside it need no other one's cells.
static void check_block(const vni_validation* v, vni_validator* worker, uint32_t block) {
    uint32_t cell = VNI_NO_CELL;
    if (is_proved(v, block, VNI_PROVED_BLOCKS) || (block != v->open && is_like_open(v, block)))
        return; // checked once; its one cell has no links inside

    // links of cells that are wrong cannot be checked
    const char* what = vni_validate_cells(v, worker, block, &cell);
    if (what == NULL)
        what = vni_validate_links(v, worker, block, &cell);
    if (what != NULL)
        note(worker, block, block, cell, what);
}

static void blocks_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const vni_validation* v = (const vni_validation*)context;
    vni_validator* own = &v->workers[worker];
    VNI_ASSERT(worker < v->jobs.worker_count);

    // only the lowest fault is reported
    for (uint32_t i = begin; i < end; ++i)
        if (own->fault.what == NULL || own->fault.order > i)
            check_block(v, own, i);
}

static void check_seam(vni_validation* v, vni_validator* worker, uint32_t block, int axis) {
    vni_seam** seams = v->cells->seams[axis];
    const uint32_t open = v->open_seam[axis];
    uint32_t in = block, cell = VNI_NO_CELL;
    if (seams[block] == NULL || is_proved(v, block, axis))
        return;

    if (open < block && seams[block] == seams[open] && seam_is_like_open(v, block, axis)) {
        worker->links += 2; // from one cell to one cell, and back
        return;
    }

    const char* what = vni_validate_seam(v, worker, block, axis, &in, &cell);
    if (what != NULL)
        note(worker, block, in, cell, what);
}

static void seams_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    vni_validation* v = (vni_validation*)context;
    vni_validator* own = &v->workers[worker];
    VNI_ASSERT(worker < v->jobs.worker_count);

    // as blocks_task: a seam that many places share may be wrong in all of them
    for (uint32_t i = begin; i < end; ++i)
        for (int axis = 0; axis < 3 && (own->fault.what == NULL || own->fault.order > i); ++axis)
            check_seam(v, own, i, axis);
}

/// Runs a task over all blocks, and reports the fault of the lowest one.
static vn_status run(vni_validation* v, vn_task* task, vn_detail* detail) {
    vni_fault fault = {NULL, 0, 0, VNI_NO_CELL};
    for (uint32_t i = 0; i < v->jobs.worker_count; ++i)
        v->workers[i].fault = fault;

    vni_parallel_for(&v->jobs, v->block_count, 1, task, v);
    for (uint32_t i = 0; i < v->jobs.worker_count; ++i) {
        const vni_fault* one = &v->workers[i].fault;
        if (one->what != NULL && (fault.what == NULL || one->order < fault.order))
            fault = *one;
    }

    if (fault.what == NULL)
        return VN_OK;
    if (fault.cell == VNI_NO_CELL)
        return vni_fail_index(detail, VN_BAD_DATA, fault.block, "block %u: %s", fault.block, fault.what);

    return vni_fail_index(detail, VN_BAD_DATA, v->cells->base[fault.block] + (uint64_t)fault.cell,
                          "block %u, cell %u: it %s", fault.block, fault.cell, fault.what);
}

vn_status vni_validation_blocks(vni_validation* v, vn_detail* detail) {
    return run(v, blocks_task, detail);
}

vn_status vni_validation_seams(vni_validation* v, vn_detail* detail) {
    vn_status status = run(v, seams_task, detail);
    uint64_t links = v->proved_links;
    for (uint32_t i = 0; i < v->jobs.worker_count; ++i)
        links += v->workers[i].links;

    if (status == VN_OK && links != v->cells->link_count)
        return vni_fail(detail, VN_BAD_DATA, "the space has %llu links, but says %llu",
                        (unsigned long long)links, (unsigned long long)v->cells->link_count);

    return status;
}

// -------------------------------------------------------------------------------------------- components

/// Joins the components of a block with those of its upper neighbour. The links have been checked.
static void join_seam(const vni_cells* c, uint32_t* parents, uint32_t block, int axis) {
    const uint32_t upper = block + c->stride[axis];
    const vni_seam* seam = c->seams[axis][block];
    const vni_cell_block *a = c->table[block], *b = c->table[upper];
    const uint32_t* ranked = a->ranked[2 * axis + 1];
    VNI_ASSERT(upper < c->stride[2] * (uint32_t)c->blocks[2] && seam->a_count == a->rank_count[2 * axis + 1]);

    // most links join the same two components as the one before
    uint32_t last_from = UINT32_MAX, last_to = UINT32_MAX;
    for (uint32_t rank = 0; rank < seam->a_count; ++rank) {
        const uint32_t from = c->component_base[block] + a->cells[ranked[rank]].component;
        for (uint32_t g = seam->first[rank]; g < seam->first[rank + 1]; ++g)
            for (uint32_t k = 0; k < 4 && seam->groups[g].to[k] != VNI_NO_CELL; ++k) {
                const uint32_t to = c->component_base[upper] + b->cells[seam->groups[g].to[k]].component;
                if (from != last_from || to != last_to)
                    vni_sets_join(parents, from, to);
                last_from = from;
                last_to = to;
            }
    }
}

/// The block that holds a component.
static uint32_t block_of_component(const vni_validation* v, uint32_t component) {
    uint32_t block = 0;
    VNI_ASSERT(component < v->cells->component_base[v->block_count]);
    while (v->cells->component_base[block + 1] <= component)
        ++block;
    return block;
}

/// Labels must count from 0 in order of the lowest component of each region, which is the root of its set.
static vn_status check_labels(const vni_validation* v, uint32_t* parents, vn_detail* detail) {
    const vni_cells* c = v->cells;
    uint32_t labels = 0;
    for (uint32_t i = 0; i < c->component_base[v->block_count]; ++i) {
        const uint32_t root = vni_sets_find(parents, i);
        const uint32_t label = root == i ? labels++ : c->components[root];
        if (c->components[i] != label) {
            const uint32_t block = block_of_component(v, i);
            return vni_fail_index(
                detail, VN_BAD_DATA, block,
                "block %u: its component %u belongs to the connected region %u, but its label is %u", block,
                i - c->component_base[block], label, c->components[i]);
        }
    }

    if (labels != c->component_count)
        return vni_fail(detail, VN_BAD_DATA, "%u connected regions, but %u labels", labels,
                        c->component_count);

    return VN_OK;
}

vn_status vni_validation_components(vni_validation* v, vn_detail* detail) {
    const vni_cells* c = v->cells;
    const uint32_t count = c->component_base[v->block_count];
    uint32_t* parents = VNI_NEW_ARRAY(&c->allocator, uint32_t, count);
    if (count && parents == NULL)
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to check %u components", count);

    for (uint32_t i = 0; i < count; ++i)
        parents[i] = i;

    for (uint32_t i = 0; i < v->block_count; ++i)
        for (int axis = 0; axis < 3; ++axis)
            if (c->seams[axis][i] != NULL)
                join_seam(c, parents, i, axis);

    vn_status status = check_labels(v, parents, detail);
    VNI_DELETE_ARRAY(&c->allocator, parents, count);
    return status;
}

vn_status vni_cells_validate_rest(const vni_cells* cells, const vni_occupancy* occupancy, const vn_jobs* jobs,
                                  const uint8_t* const* proved, uint64_t proved_links, vn_detail* detail) {
    vni_validation v;
    vn_status status = vni_validation_make(cells, occupancy, jobs, &v, detail);
    if (status != VN_OK)
        return status;

    v.proved = proved;
    v.proved_links = proved_links;
    status = vni_validation_blocks(&v, detail);
    if (status == VN_OK)
        status = vni_validation_seams(&v, detail);
    if (status == VN_OK)
        status = vni_validation_components(&v, detail);

    vni_validation_free(&v);
    return status;
}

vn_status vni_cells_validate_with(const vni_cells* cells, const vni_occupancy* occupancy, const vn_jobs* jobs,
                                  vn_detail* detail) {
    return vni_cells_validate_rest(cells, occupancy, jobs, NULL, 0, detail);
}
