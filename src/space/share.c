/// space/share.c: a second space over the same blocks, cells and seams.
#include "base/alloc.h"
#include "space/space.h"

#include <string.h>

/// A copy of `count` elements; null if memory runs out.
static void* copy(const vn_allocator* allocator, const void* from, uint64_t count, size_t size) {
    void* to = vni_alloc(allocator, count, size);
    if (to != NULL)
        memcpy(to, from, (size_t)count * size);
    return to;
}

static bool share_occupancy(const vni_occupancy* from, const vn_allocator* allocator, vni_occupancy* to) {
    *to = *from;
    if (from->table == NULL)
        return true;

    to->allocator = *allocator;
    const uint32_t count = vni_occupancy_block_count(from);
    to->table = copy(&to->allocator, from->table, count, sizeof *from->table);
    for (uint32_t i = 0; to->table != NULL && i < count; ++i)
        vni_block_retain(to->table[i]);
    return to->table != NULL;
}

/// Copies the tables of pointers, and takes a reference to what they point at.
static bool share_objects(const vni_cells* from, vni_cells* to) {
    const uint32_t count = vni_cells_block_count(from);
    to->table = copy(&to->allocator, from->table, count, sizeof *from->table);
    for (uint32_t i = 0; to->table != NULL && i < count; ++i)
        vni_atomic_add(&to->table[i]->references, 1);

    bool ok = to->table != NULL;
    for (int axis = 0; axis < 3; ++axis) {
        vni_seam** seams = copy(&to->allocator, from->seams[axis], count, sizeof *seams);
        for (uint32_t i = 0; seams != NULL && i < count; ++i)
            if (seams[i] != NULL)
                vni_atomic_add(&seams[i]->references, 1);

        to->seams[axis] = seams;
        ok = ok && seams != NULL;
    }

    return ok;
}

/// What was made is in `to`, also on failure: vni_cells_free frees it.
static bool share_cells(const vni_cells* from, const vn_allocator* allocator, vni_cells* to) {
    *to = *from;
    if (from->table == NULL)
        return true;

    to->allocator = *allocator;
    const uint32_t count = vni_cells_block_count(from);
    const uint32_t components = from->component_base[count];
    bool ok = share_objects(from, to);
    to->views = copy(allocator, from->views, count, sizeof *from->views);
    to->base = copy(allocator, from->base, (uint64_t)count + 1, sizeof *from->base);
    to->component_base =
        copy(allocator, from->component_base, (uint64_t)count + 1, sizeof *from->component_base);

    // after component_base, from which vni_cells_free takes the size
    to->components = NULL;
    if (components > 0 && to->component_base != NULL)
        to->components = copy(allocator, from->components, components, sizeof *from->components);

    ok = ok && to->views != NULL && to->base != NULL && to->component_base != NULL;
    return ok && (components == 0 || to->components != NULL);
}

vn_space* vni_space_share(const vn_space* from, const vn_allocator* allocator) {
    VNI_ASSERT(from != NULL && vni_allocator_is_valid(allocator));

    vn_space* space = VNI_NEW(allocator, vn_space);
    if (space == NULL)
        return NULL;

    // All three are set up before any failure is judged: vn_space_destroy frees what there is.
    *space = *from;
    space->allocator = *allocator;
    const bool occupancy = share_occupancy(&from->occupancy, allocator, &space->occupancy);
    const bool unknown = share_occupancy(&from->unknown, allocator, &space->unknown);
    const bool cells = share_cells(&from->cells, allocator, &space->cells);
    if (occupancy && unknown && cells)
        return space;

    vn_space_destroy(space);
    return NULL;
}
