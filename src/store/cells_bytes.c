/// store/cells_bytes.c: cells, seams and components as records. An object that serves several places, as free
/// blocks do, is written once, and the other places name the first.
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "cells/cut.h"
#include "store/cells_inside.h"
#include "store/space_bytes.h"

#include <string.h>

_Static_assert(sizeof(vni_stored_block) == 300 && sizeof(vni_stored_cell) == 12 &&
                   sizeof(vni_stored_seam) == 16,
               "records have no padding");
_Static_assert(VNI_CHUNK_COUNT == 64 && VNI_FACES == 6, "as in docs/files.md");

// ------------------------------------------------------------------------------------------------ writing

/// Blocks may share one object in memory, and then one record in a file. `same`: by index, the first
/// index with the same object; VNI_FILE_NONE without one.
typedef struct cells_source {
    const vni_cells* cells;
    const uint32_t* same;
} cells_source;

/// Notes a shared object. False if there is no memory.
static bool find_same(vni_map* map, const void* object, bool shared, uint32_t index, uint32_t* same) {
    *same = object != NULL ? index : VNI_FILE_NONE;
    if (object == NULL || !shared)
        return true;

    const uint32_t* first = vni_map_find(map, (uint64_t)(uintptr_t)object);
    if (first == NULL)
        return vni_map_put(map, (uint64_t)(uintptr_t)object, index);

    *same = *first;
    return true;
}

static uint32_t head_of(const void* context, uint32_t index) {
    return ((const cells_source*)context)->same[index];
}

static const vni_cell_block* block_at(const void* context, uint32_t index) {
    const cells_source* source = (const cells_source*)context;
    return source->same[index] == index ? source->cells->table[index] : NULL;
}

static uint64_t block_size(uint64_t cell_count, uint64_t group_count, uint64_t link_count) {
    return sizeof(vni_stored_block) + cell_count * sizeof(vni_stored_cell) +
           (group_count + link_count) * sizeof(uint32_t);
}

static uint64_t size_of_block(const void* context, uint32_t index) {
    const vni_cell_block* block = block_at(context, index);
    return block != NULL ? block_size(block->cell_count, block->group_count,
                                      vni_count_links(block->groups, block->group_count))
                         : 0;
}

static void put_cells(const vni_cell_block* block, vni_bytes* out) {
    uint8_t* to = vni_bytes_add(out, block->cell_count * sizeof(vni_stored_cell));
    for (uint32_t i = 0; to != NULL && i < block->cell_count; ++i, to += sizeof(vni_stored_cell)) {
        vni_stored_cell cell = {.component = block->cells[i].component};
        memcpy(cell.low, block->cells[i].low, sizeof cell.low);
        memcpy(cell.high, block->cells[i].high, sizeof cell.high);
        memcpy(to, &cell, sizeof cell);
    }
}

/// Writes a group through a face of a cell; returns where it ends.
static uint8_t* put_group(const vni_link_group* group, uint32_t cell, uint32_t face, uint8_t* out) {
    const uint32_t links = (uint32_t)vni_count_links(group, 1);
    const uint32_t number = vni_stored_group(cell, face, links);
    memcpy(out, &number, sizeof number);
    memcpy(out + sizeof number, group->to, links * sizeof(uint32_t));
    return out + (1 + links) * sizeof(uint32_t);
}

static void put_groups(const vni_cell_block* block, uint64_t link_count, vni_bytes* out) {
    const vni_link_group* group = block->groups;
    uint8_t* to = vni_bytes_add(out, (block->group_count + link_count) * sizeof(uint32_t));
    for (uint32_t i = 0; to != NULL && i < block->cell_count; ++i)
        for (uint32_t face = 0; face < VNI_FACES; ++face) {
            const vni_cell* cell = &block->cells[i];
            const uint32_t count = vni_cell_is_on_rim(cell, face) ? 0 : cell->faces[face];
            for (const vni_link_group* end = group + count; group < end; ++group)
                to = put_group(group, i, face, to);
        }
}

static void put_block(const void* context, uint32_t index, vni_bytes* out) {
    const vni_cell_block* block = block_at(context, index);
    VNI_ASSERT(block != NULL && block->first_of_chunk[VNI_CHUNK_COUNT] == block->cell_count);

    const uint64_t links = vni_count_links(block->groups, block->group_count);
    vni_stored_block head = {.cell_count = block->cell_count,
                             .group_count = block->group_count,
                             .link_count = (uint32_t)links,
                             .component_count = block->component_count};
    memcpy(head.rank_count, block->rank_count, sizeof head.rank_count);
    memcpy(head.first_of_chunk, block->first_of_chunk, sizeof head.first_of_chunk);
    vni_bytes_put(out, &head, sizeof head);
    put_cells(block, out);
    put_groups(block, links, out);
}

static void put_blocks(vni_writer* writer, uint32_t layer, const vni_cells* cells, uint32_t* same,
                       vni_map* map) {
    const cells_source context = {cells, same};
    const vni_part_source source = {&context, head_of, size_of_block, put_block};
    for (uint32_t i = 0; i < vni_cells_block_count(cells) && !writer->failed; ++i)
        writer->failed |=
            !find_same(map, cells->table[i], vni_atomic_load(&cells->table[i]->references) > 1, i, &same[i]);
    vni_put_parts(writer, layer, VNI_TAG_CELLS, vni_cells_block_count(cells), &source);
}

/// Seams are numbered 3 * lower block + axis.
static const vni_seam* seam_at(const void* context, uint32_t index) {
    const cells_source* source = (const cells_source*)context;
    return source->same[index] == index ? source->cells->seams[index % 3][index / 3] : NULL;
}

/// The links in a list of groups: all but the last one are full.
static uint32_t links_in(const vni_link_group* groups, uint32_t count) {
    return count > 0 ? 4 * (count - 1) + (uint32_t)vni_count_links(groups + count - 1, 1) : 0;
}

/// The cells beyond of all links.
static void put_ends(const vni_link_group* groups, uint32_t count, uint64_t links, vni_bytes* out) {
    uint8_t* to = vni_bytes_add(out, links * sizeof(uint32_t));
    for (uint32_t i = 0; to != NULL && i < count; ++i)
        for (uint32_t k = 0; k < 4 && groups[i].to[k] != VNI_NO_CELL; ++k, to += sizeof(uint32_t))
            memcpy(to, &groups[i].to[k], sizeof(uint32_t));
}

static uint64_t seam_size(uint64_t lists, uint64_t link_count) {
    return sizeof(vni_stored_seam) + (lists + link_count) * sizeof(uint32_t);
}

static uint64_t size_of_seam(const void* context, uint32_t index) {
    const vni_seam* seam = seam_at(context, index);
    return seam != NULL ? seam_size((uint64_t)seam->a_count + seam->b_count,
                                    vni_count_links(seam->groups, seam->group_count))
                        : 0;
}

static void put_seam(const void* context, uint32_t index, vni_bytes* out) {
    const vni_seam* seam = seam_at(context, index);
    VNI_ASSERT(seam != NULL && seam->first[seam->a_count + seam->b_count] == seam->group_count);
    const uint64_t links = vni_count_links(seam->groups, seam->group_count);
    const vni_stored_seam head = {seam->a_count, seam->b_count, (uint32_t)links, seam->group_count};
    vni_bytes_put(out, &head, sizeof head);
    for (uint32_t i = 0; i < seam->a_count + seam->b_count; ++i)
        vni_put_u32(out, links_in(seam->groups + seam->first[i], seam->first[i + 1] - seam->first[i]));
    put_ends(seam->groups, seam->group_count, links, out);
}

static void put_seams(vni_writer* writer, uint32_t layer, const vni_cells* cells, uint32_t* same,
                      vni_map* map) {
    const cells_source context = {cells, same};
    const vni_part_source source = {&context, head_of, size_of_seam, put_seam};
    for (uint32_t i = 0; i < 3 * vni_cells_block_count(cells) && !writer->failed; ++i) {
        const vni_seam* seam = cells->seams[i % 3][i / 3];
        writer->failed |=
            !find_same(map, seam, seam != NULL && vni_atomic_load(&seam->references) > 1, i, &same[i]);
    }

    vni_put_parts(writer, layer, VNI_TAG_SEAMS, 3 * vni_cells_block_count(cells), &source);
}

static uint32_t component_at(const void* context, uint32_t index) {
    return ((const vni_cells*)context)->components[index];
}

void vni_put_cells(vni_writer* writer, uint32_t layer, const vni_cells* cells) {
    const uint32_t count = vni_cells_block_count(cells);
    VNI_ASSERT(cells->table != NULL && count > 0);

    uint32_t* same = VNI_NEW_ARRAY(&writer->allocator, uint32_t, (uint64_t)3 * count);
    vni_map map = vni_map_make(&writer->allocator);
    writer->failed |= same == NULL;
    if (same != NULL) {
        put_blocks(writer, layer, cells, same, &map);
        vni_map_clear(&map);
        put_seams(writer, layer, cells, same, &map);
    }

    vni_map_destroy(&map);
    VNI_DELETE_ARRAY(&writer->allocator, same, (uint64_t)3 * count);
    const vni_part_source components = {cells, component_at, NULL, NULL};
    vni_put_parts(writer, layer, VNI_TAG_COMPONENTS, cells->component_base[count], &components);
}

// ------------------------------------------------------------------------------------------------ reading

static const char* as_part(vn_status status, const char* what) {
    return status == VN_OUT_OF_MEMORY ? vni_part_no_memory : status == VN_OK ? NULL : what;
}

#define FACE_VOXELS  ((uint32_t)VNI_BLOCK_SIZE * VNI_BLOCK_SIZE)
#define BLOCK_VOXELS (FACE_VOXELS * VNI_BLOCK_SIZE)

bool vni_cell_counts_are_sound(uint32_t cell_count, uint32_t component_count,
                               const uint32_t rank_count[VNI_FACES]) {
    for (int i = 0; i < VNI_FACES; ++i)
        if (rank_count[i] > cell_count || rank_count[i] > FACE_VOXELS)
            return false;
    return cell_count <= BLOCK_VOXELS && component_count <= cell_count;
}

bool vni_seam_counts_are_sound(uint32_t a_count, uint32_t b_count, uint32_t group_count) {
    return a_count <= FACE_VOXELS && b_count <= FACE_VOXELS && group_count <= 2 * FACE_VOXELS;
}

bool vni_spend_block(const vni_cells_target* target, uint32_t cell_count, uint32_t group_count,
                     const uint32_t rank_count[VNI_FACES]) {
    vni_cell_block sizes = {.cell_count = cell_count, .group_count = group_count};
    memcpy(sizes.rank_count, rank_count, sizeof sizes.rank_count);
    return vni_loader_spend(target->loader, vni_cell_block_bytes(&sizes));
}

bool vni_spend_seam(const vni_cells_target* target, uint32_t a_count, uint32_t b_count,
                    uint32_t group_count) {
    const vni_seam sizes = {.a_count = a_count, .b_count = b_count, .group_count = group_count};
    return vni_loader_spend(target->loader, vni_seam_bytes(&sizes));
}

/// The section has bytes for everything that memory will be allocated for.
static bool head_is_sound(const vni_stored_block* head, uint64_t bytes) {
    return block_size(head->cell_count, head->group_count, head->link_count) - sizeof *head <= bytes &&
           head->group_count <= head->link_count &&
           vni_cell_counts_are_sound(head->cell_count, head->component_count, head->rank_count);
}

static bool seam_is_sound(const vni_stored_seam* head, uint64_t bytes) {
    return seam_size((uint64_t)head->a_count + head->b_count, head->link_count) - sizeof *head <= bytes &&
           head->group_count <= head->link_count &&
           vni_seam_counts_are_sound(head->a_count, head->b_count, head->link_count);
}

static const char* take_block(void* context, uint32_t index, uint32_t head, vni_reader* in, uint32_t worker) {
    vni_cells_target* target = (vni_cells_target*)context;
    vni_stored_block sizes;
    const char* what = NULL;
    VNI_ASSERT(index < vni_cells_block_count(target->cells) && target->cells->table[index] == NULL);

    target->same[index] = head;
    if (head != index)
        return NULL;
    if (!vni_read(in, &sizes, sizeof sizes) || !head_is_sound(&sizes, in->left))
        return "has invalid counts";
    if (!vni_spend_block(target, sizes.cell_count, sizes.group_count, sizes.rank_count))
        return vni_part_too_large;

    const uint64_t size = block_size(sizes.cell_count, sizes.group_count, sizes.link_count) - sizeof sizes;
    const uint8_t* bytes = vni_read_in_place(in, size);
    const vn_status status = vni_restore_block(&target->restore, worker, index, &sizes, bytes, &what);
    return as_part(status, what);
}

static const char* take_seam(void* context, uint32_t index, uint32_t head, vni_reader* in, uint32_t worker) {
    vni_cells_target* target = (vni_cells_target*)context;
    vni_stored_seam sizes;
    const char* what = NULL;
    VNI_ASSERT(index < 3 * vni_cells_block_count(target->cells));

    target->same[index] = head;
    if (head != index)
        return NULL;
    if (!vni_read(in, &sizes, sizeof sizes) || !seam_is_sound(&sizes, in->left))
        return "has invalid counts";
    if (!vni_spend_seam(target, sizes.a_count, sizes.b_count, sizes.group_count))
        return vni_part_too_large;

    const uint64_t size = seam_size((uint64_t)sizes.a_count + sizes.b_count, sizes.link_count) - sizeof sizes;
    const uint8_t* bytes = vni_read_in_place(in, size);
    const vn_status status =
        vni_restore_seam(&target->restore, worker, index / 3, (int)(index % 3), &sizes, bytes, &what);
    return as_part(status, what);
}

/// Shares the blocks that an earlier index has read. After the parallel part: until then the earlier one may
/// be missing.
static vn_status share_blocks(vni_cells_target* target, vn_detail* detail) {
    vni_cell_block** table = target->cells->table;
    for (uint32_t i = 0; i < vni_cells_block_count(target->cells); ++i) {
        uint32_t first = target->same[i];
        if (first == i)
            continue;

        if (first > i || target->same[first] != first)
            return vni_fail_index(detail, VN_BAD_FORMAT, i,
                                  "block %u shares the cells of a block that has none", i);

        VNI_ASSERT(table[first] != NULL && table[i] == NULL);

        table[i] = table[first];
        vni_atomic_add(&table[i]->references, 1);
    }

    return VN_OK;
}

static vn_status share_seams(vni_cells_target* target, vn_detail* detail) {
    vni_cells* cells = target->cells;
    for (uint32_t i = 0; i < 3 * vni_cells_block_count(cells); ++i) {
        uint32_t first = target->same[i];
        if (first == i || first == VNI_FILE_NONE)
            continue;

        vni_seam* shared =
            first < i && target->same[first] == first ? cells->seams[first % 3][first / 3] : NULL;
        if (shared == NULL)
            return vni_fail_index(detail, VN_BAD_FORMAT, i, "seam %u shares a seam that does not exist", i);

        vni_atomic_add(&shared->references, 1);
        cells->seams[i % 3][i / 3] = shared;
    }

    return VN_OK;
}

// ---------------------------------------------------------------------------------------------- all of it

static const char* take_component(void* context, uint32_t index, uint32_t head, vni_reader* in,
                                  uint32_t worker) {
    (void)in;
    (void)worker;
    ((vni_cells*)context)->components[index] = head;
    return NULL;
}

/// The tables, all empty.
static bool make_tables(vni_cells* cells) {
    const uint64_t count = vni_cells_block_count(cells);
    const vn_allocator* allocator = &cells->allocator;
    cells->table = (vni_cell_block**)vni_alloc_zero(allocator, count, sizeof *cells->table);
    cells->views = (vni_block_view*)vni_alloc_zero(allocator, count, sizeof *cells->views);
    cells->base = (uint32_t*)vni_alloc_zero(allocator, count + 1, sizeof(uint32_t));
    cells->component_base = (uint32_t*)vni_alloc_zero(allocator, count + 1, sizeof(uint32_t));

    bool ok =
        cells->table != NULL && cells->views != NULL && cells->base != NULL && cells->component_base != NULL;
    for (int axis = 0; axis < 3; ++axis) {
        cells->seams[axis] = (vni_seam**)vni_alloc_zero(allocator, count, sizeof(vni_seam*));
        ok = ok && cells->seams[axis] != NULL;
    }

    for (uint32_t i = 0; ok && i < count; ++i)
        vni_block_low(cells->blocks, i, cells->views[i].low);

    return ok;
}

/// Allocates the array of components. Places that share a block name its components again, so that a small
/// file may name more than it has labels for: these are counted first.
static vn_status make_components(const vni_loader* loader, uint32_t layer, uint64_t count, vni_cells* cells,
                                 vn_detail* detail) {
    const uint64_t labels = vni_count_parts(&loader->bundle, layer, VNI_TAG_COMPONENTS);
    if (labels != count)
        return vni_fail(
            detail, VN_BAD_FORMAT,
            "the blocks of layer %u have %llu components, and the file has another number of them", layer,
            (unsigned long long)count);

    cells->components = VNI_NEW_ARRAY(&cells->allocator, uint32_t, count);
    return count == 0 || cells->components != NULL
               ? VN_OK
               : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for %llu components",
                          (unsigned long long)count);
}

/// Ids and views; there must be `cell_count` cells.
static vn_status number_blocks(const vni_loader* loader, uint32_t layer, uint64_t cell_count,
                               vni_cells* cells, vn_detail* detail) {
    const uint32_t count = vni_cells_block_count(cells);
    uint64_t ids = 0, components = 0;
    // Shared blocks count for each place where they lie, so a small file may name more cells than ids can
    // number.
    for (uint32_t i = 0; i < count && ids < UINT32_MAX; ++i) {
        const vni_cell_block* block = cells->table[i];
        VNI_ASSERT(block != NULL && block->component_count <= block->cell_count);
        cells->views[i].cells = block->cells;
        cells->views[i].groups = block->groups;
        cells->views[i].base = cells->base[i] = (uint32_t)ids;
        cells->component_base[i] = (uint32_t)components;
        ids += block->cell_count;
        components += block->component_count;
    }

    if (ids != cell_count || ids >= UINT32_MAX)
        return vni_fail(detail, VN_BAD_FORMAT, "the blocks have %llu cells, and the parameters name %llu",
                        (unsigned long long)ids, (unsigned long long)cell_count);

    cells->base[count] = (uint32_t)ids;
    const vn_status status = make_components(loader, layer, components, cells, detail);
    if (status == VN_OK)
        cells->component_base[count] = (uint32_t)components; // from here on vni_cells_free knows their number
    return status;
}

static vn_status take_all(vni_loader* loader, uint32_t layer, uint64_t cell_count, vni_cells_target* target,
                          vn_detail* detail) {
    // In this order: the number of components is known once the blocks are.
    vni_cells* cells = target->cells;
    const uint32_t count = vni_cells_block_count(cells);
    const bool old = loader->bundle.head.version == 1;
    vn_status status = vni_take_parts(loader, layer, VNI_TAG_CELLS, count,
                                      old ? vni_take_old_block : take_block, target, detail);
    if (status == VN_OK)
        status = share_blocks(target, detail);
    if (status == VN_OK)
        status = number_blocks(loader, layer, cell_count, cells, detail);
    if (status == VN_OK)
        status = vni_take_parts(loader, layer, VNI_TAG_SEAMS, 3 * count, old ? vni_take_old_seam : take_seam,
                                target, detail);
    if (status == VN_OK)
        status = share_seams(target, detail);
    if (status == VN_OK)
        status = vni_take_parts(loader, layer, VNI_TAG_COMPONENTS, cells->component_base[count],
                                take_component, cells, detail);

    return status;
}

/// Reads everything into tables that are empty, and validates it unless the file is trusted.
static vn_status take_validated(vni_loader* loader, uint32_t layer, const vni_file_params* params,
                                const vni_occupancy* occupancy, vni_cells_target* target, vn_detail* detail) {
    if (!vni_restore_make(target->cells, loader->trusted ? NULL : occupancy, loader->jobs.worker_count,
                          &target->restore))
        return vni_fail(detail, VN_OUT_OF_MEMORY, "no memory to read the cells of layer %u", layer);

    vn_status status = take_all(loader, layer, params->cells, target, detail);
    if (status == VN_OK && !loader->trusted)
        status = vni_restore_validate(&target->restore, &loader->jobs, detail);

    vni_restore_free(&target->restore);
    return status;
}

vn_status vni_take_cells(vni_loader* loader, uint32_t layer, const vni_file_params* params,
                         const vni_occupancy* occupancy, vni_cells* out, vn_detail* detail) {
    memset(out, 0, sizeof *out);
    out->allocator = loader->allocator;
    for (int i = 0; i < 3; ++i) {
        VNI_ASSERT(params->dims[i] > 0 && params->dims[i] <= VNI_MAX_DIM);
        out->dims[i] = params->dims[i];
        out->blocks[i] = vni_blocks_along(params->dims[i]);
    }

    vni_block_strides(out->blocks, out->stride);
    out->component_count = params->components;
    out->link_count = params->links;
    const uint64_t places = (uint64_t)3 * vni_cells_block_count(out);
    vni_cells_target target = {
        .loader = loader, .cells = out, .same = VNI_NEW_ARRAY(&loader->allocator, uint32_t, places)};
    vn_status status =
        target.same != NULL && make_tables(out)
            ? take_validated(loader, layer, params, occupancy, &target, detail)
            : vni_fail(detail, VN_OUT_OF_MEMORY, "no memory left for the tables of layer %u", layer);

    VNI_DELETE_ARRAY(&loader->allocator, target.same, places);
    if (status != VN_OK)
        vni_cells_free(out);

    return status;
}
