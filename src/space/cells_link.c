/// space/cells_link.c: which cells share part of a face, inside a block and across two.
#include "base/alloc.h"
#include "base/sets.h"
#include "geom/vec.h"
#include "space/cells_cut.h"

#include <string.h>

bool vni_cut_make(const vn_allocator* allocator, vni_cut* out) {
    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
    out->dense = VNI_NEW_ARRAY(allocator, uint64_t, VNI_BLOCK_BRICKS);
    out->owner = VNI_NEW_ARRAY(allocator, uint32_t, 64 * 64 * 64);
    out->plane = VNI_NEW_ARRAY(allocator, uint32_t, 64 * 64);
    if (!out->dense || !out->owner || !out->plane) {
        vni_cut_free(out);
        return false;
    }
    return true;
}

void vni_cut_free(vni_cut* cut) {
    if (!cut->allocator.alloc)
        return;
    VNI_DELETE_ARRAY(&cut->allocator, cut->dense, VNI_BLOCK_BRICKS);
    VNI_DELETE_ARRAY(&cut->allocator, cut->owner, 64 * 64 * 64);
    VNI_DELETE_ARRAY(&cut->allocator, cut->plane, 64 * 64);
    VNI_DELETE_ARRAY(&cut->allocator, cut->cells, cut->cell_capacity);
    VNI_DELETE_ARRAY(&cut->allocator, cut->groups, cut->group_capacity);
    VNI_DELETE_ARRAY(&cut->allocator, cut->parents, cut->parent_capacity);
    memset(cut, 0, sizeof *cut);
}

// ------------------------------------------------------------------------------------------------ links

/// A list of links under construction: full groups, the last one padded when it is closed.
typedef struct list {
    uint32_t first; ///< group
    uint32_t count; ///< links
} list;

static void add_link(vni_cut* cut, list* l, const uint8_t rect[4], uint32_t to) {
    uint32_t lane = l->count & 3;
    if (lane == 0) {
        if (!vni_grow(&cut->allocator, &cut->groups, &cut->group_capacity, (uint64_t)cut->group_count + 1,
                      sizeof *cut->groups)) {
            cut->failed = true;
            return;
        }
        memset(&cut->groups[cut->group_count++], 0, sizeof *cut->groups);
    }
    vni_link_group* group = &cut->groups[cut->group_count - 1];
    for (uint32_t i = lane; i < 4; ++i) { // the lanes after it repeat it until they are filled
        group->low_a[i] = rect[0];
        group->high_a[i] = rect[1];
        group->low_b[i] = rect[2];
        group->high_b[i] = rect[3];
        group->to[i] = i == lane ? to : VNI_NO_CELL;
    }
    VNI_ASSERT(rect[0] < rect[1] && rect[2] < rect[3]);
    ++l->count;
}

/// Finds the cells in the layer beyond a cell's face. `layer` gives cell + 1 at a * stride_a + b * stride_b;
/// `beyond` are the cells that it names. Each is met first at the low corner of the rectangle that it shares.
static list find_links(vni_cut* cut, const vni_cell* cell, const vni_cell* beyond, int axis,
                       const uint32_t* layer, size_t stride_a, size_t stride_b) {
    const int a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    list l = {cut->group_count, 0};
    for (uint8_t vb = cell->low[b]; vb < cell->high[b]; ++vb)
        for (uint8_t va = cell->low[a]; va < cell->high[a];) {
            uint32_t owner = layer[va * stride_a + vb * stride_b];
            if (owner == 0) {
                ++va;
                continue;
            }
            const vni_cell* other = &beyond[owner - 1];
            VNI_ASSERT(other->low[a] <= va && va < other->high[a] && other->low[b] <= vb &&
                       vb < other->high[b]);
            uint8_t rect[4];
            rect[0] = other->low[a] > cell->low[a] ? other->low[a] : cell->low[a];
            rect[1] = other->high[a] < cell->high[a] ? other->high[a] : cell->high[a];
            rect[2] = other->low[b] > cell->low[b] ? other->low[b] : cell->low[b];
            rect[3] = other->high[b] < cell->high[b] ? other->high[b] : cell->high[b];
            if (va == rect[0] && vb == rect[2])
                add_link(cut, &l, rect, owner - 1);
            va = rect[1];
        }
    return l;
}

static const size_t owner_stride[3] = {1, 64, 64 * 64};

/// Only the shells of the boxes: what is looked at lies behind a face of another box.
static void draw_owners(vni_cut* cut) {
    memset(cut->owner, 0, 64 * 64 * 64 * sizeof *cut->owner);
    for (uint32_t i = 0; i < cut->cell_count; ++i) {
        const vni_cell* c = &cut->cells[i];
        for (size_t z = c->low[2]; z < c->high[2]; ++z)
            for (size_t y = c->low[1]; y < c->high[1]; ++y) {
                uint32_t* row = cut->owner + 64 * y + 64 * 64 * z;
                bool on_shell =
                    z == c->low[2] || z + 1 == c->high[2] || y == c->low[1] || y + 1 == c->high[1];
                row[c->low[0]] = row[c->high[0] - 1] = i + 1;
                for (size_t x = c->low[0] + (size_t)1; on_shell && x + 1 < c->high[0]; ++x)
                    row[x] = i + 1;
            }
    }
}

static void link_cell(vni_cut* cut, vni_cell* cell, uint32_t rank_count[VNI_FACES]) {
    cell->first_group = cut->group_count;
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        int axis = (int)(face >> 1);
        if (vni_cell_is_on_rim(cell, face)) {
            cell->faces[face] = (uint16_t)rank_count[face]++;
            continue;
        }
        size_t layer = face & 1 ? cell->high[axis] : cell->low[axis] - (size_t)1;
        list l = find_links(cut, cell, cut->cells, axis, cut->owner + layer * owner_stride[axis],
                            owner_stride[vni_other_axes[axis][0]], owner_stride[vni_other_axes[axis][1]]);
        cell->faces[face] = (uint16_t)((l.count + 3) >> 2);
    }
}

// ------------------------------------------------------------------------------------------- components

/// Labels from 0 in order of the first cell. Returns how many.
static uint32_t label_components(vni_cut* cut) {
    if (!vni_grow(&cut->allocator, &cut->parents, &cut->parent_capacity, (uint64_t)cut->cell_count * 2 + 1,
                  sizeof *cut->parents)) {
        cut->failed = true;
        return 0;
    }
    uint32_t* parents = cut->parents;
    uint32_t* labels = parents + cut->cell_count;
    uint32_t count = 0;
    for (uint32_t i = 0; i < cut->cell_count; ++i)
        parents[i] = i;
    for (uint32_t i = 0; i < cut->cell_count; ++i) {
        uint32_t end = i + 1 < cut->cell_count ? cut->cells[i + 1].first_group : cut->group_count;
        for (uint32_t g = cut->cells[i].first_group; g < end; ++g)
            for (uint32_t k = 0; k < 4 && cut->groups[g].to[k] != VNI_NO_CELL; ++k)
                vni_sets_join(parents, i, cut->groups[g].to[k]);
    }
    for (uint32_t i = 0; i < cut->cell_count; ++i) {
        uint32_t root = vni_sets_find(parents, i);
        labels[i] = root == i ? count++ : labels[root];
        cut->cells[i].component = labels[i];
    }
    return count;
}

// ---------------------------------------------------------------------------------------------- objects

static size_t ranks_of(const vni_cell_block* block) {
    size_t ranks = 0;
    for (int face = 0; face < VNI_FACES; ++face)
        ranks += block->rank_count[face];
    return ranks;
}

size_t vni_cell_block_bytes(const vni_cell_block* block) {
    return sizeof *block + block->group_count * sizeof(vni_link_group) +
           block->cell_count * sizeof(vni_cell) + ranks_of(block) * sizeof(uint32_t);
}

/// One allocation: the header, the groups, the cells, the ranks.
static vni_cell_block* freeze(const vni_cut* cut, const vn_allocator* allocator,
                              const uint32_t rank_count[VNI_FACES], uint32_t component_count) {
    vni_cell_block sizes;
    memset(&sizes, 0, sizeof sizes);
    sizes.cell_count = cut->cell_count;
    sizes.group_count = cut->group_count;
    memcpy(sizes.rank_count, rank_count, sizeof sizes.rank_count);
    vni_cell_block* block = (vni_cell_block*)vni_alloc(allocator, 1, vni_cell_block_bytes(&sizes));
    if (!block)
        return NULL;
    memcpy(block, &sizes, sizeof sizes);
    vni_atomic_store(&block->references, 1);
    block->component_count = component_count;
    memcpy(block->first_of_chunk, cut->first_of_chunk, sizeof block->first_of_chunk);
    block->groups = (vni_link_group*)(void*)(block + 1);
    block->cells = (vni_cell*)(void*)(block->groups + block->group_count);
    uint32_t* ranks = (uint32_t*)(void*)(block->cells + block->cell_count);
    if (cut->group_count)
        memcpy(block->groups, cut->groups, cut->group_count * sizeof *cut->groups);
    if (cut->cell_count)
        memcpy(block->cells, cut->cells, cut->cell_count * sizeof *cut->cells);
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        block->ranked[face] = ranks;
        ranks += rank_count[face];
        for (uint32_t i = 0; i < block->cell_count; ++i)
            if (vni_cell_is_on_rim(&block->cells[i], face))
                block->ranked[face][block->cells[i].faces[face]] = i;
    }
    return block;
}

/// Free voxels of the block inside the limit: what the cells must add up to.
static uint32_t free_voxels(const vni_block* block, const int32_t limit[3]) {
    return (uint32_t)(limit[0] * limit[1] * limit[2]) - (block ? block->blocked_voxels : 0);
}

static uint32_t volume_of(const vni_cut* cut) {
    uint32_t volume = 0;
    for (uint32_t i = 0; i < cut->cell_count; ++i) {
        const vni_cell* c = &cut->cells[i];
        volume += (uint32_t)((c->high[0] - c->low[0]) * (c->high[1] - c->low[1]) * (c->high[2] - c->low[2]));
    }
    return volume;
}

vni_cell_block* vni_cut_block(vni_cut* cut, const vn_allocator* allocator, const vni_block* block,
                              const int32_t limit[3]) {
    uint32_t rank_count[VNI_FACES] = {0};
    cut->failed = false;
    cut->group_count = 0;
    vni_cut_boxes(cut, block, limit);
    if (cut->failed)
        return NULL;
    VNI_ASSERT(volume_of(cut) == free_voxels(block, limit));
    draw_owners(cut);
    for (uint32_t i = 0; i < cut->cell_count && !cut->failed; ++i)
        link_cell(cut, &cut->cells[i], rank_count);
    uint32_t component_count = cut->failed ? 0 : label_components(cut);
    return cut->failed ? NULL : freeze(cut, allocator, rank_count, component_count);
}

void vni_cell_block_release(const vn_allocator* allocator, vni_cell_block* block) {
    VNI_ASSERT(!block || vni_atomic_load(&block->references) > 0);
    if (block && vni_atomic_add(&block->references, UINT32_MAX) == 1)
        vni_free(allocator, block, 1, vni_cell_block_bytes(block));
}

// ------------------------------------------------------------------------------------------------ seams

size_t vni_seam_bytes(const vni_seam* seam) {
    return sizeof *seam + seam->group_count * sizeof(vni_link_group) +
           ((size_t)seam->a_count + seam->b_count + 1) * sizeof(uint32_t);
}

/// Links of all cells on one side, in order of rank. Writes where each list begins into `first`.
static void link_side(vni_cut* cut, const vni_cell_block* from, uint32_t from_face, const vni_cell_block* to,
                      uint32_t to_face, uint32_t* first) {
    const int axis = (int)(from_face >> 1), a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    memset(cut->plane, 0, 64 * 64 * sizeof *cut->plane);
    for (uint32_t rank = 0; rank < to->rank_count[to_face]; ++rank) {
        const vni_cell* cell = &to->cells[to->ranked[to_face][rank]];
        for (size_t vb = cell->low[b]; vb < cell->high[b]; ++vb)
            for (size_t va = cell->low[a]; va < cell->high[a]; ++va)
                cut->plane[va + 64 * vb] = to->ranked[to_face][rank] + 1;
    }
    for (uint32_t rank = 0; rank < from->rank_count[from_face] && !cut->failed; ++rank) {
        first[rank] = cut->group_count;
        find_links(cut, &from->cells[from->ranked[from_face][rank]], to->cells, axis, cut->plane, 1, 64);
    }
}

vni_seam* vni_cut_seam(vni_cut* cut, const vn_allocator* allocator, const vni_cell_block* a,
                       const vni_cell_block* b, int axis) {
    const uint32_t high = 2 * (uint32_t)axis + 1, low = 2 * (uint32_t)axis;
    const uint32_t a_count = a->rank_count[high], b_count = b->rank_count[low], ranks = a_count + b_count;
    cut->failed = false;
    cut->group_count = 0;
    if (!vni_grow(&cut->allocator, &cut->parents, &cut->parent_capacity, (uint64_t)ranks + 1,
                  sizeof *cut->parents))
        return NULL;
    uint32_t* first = cut->parents;
    link_side(cut, a, high, b, low, first);
    if (!cut->failed)
        link_side(cut, b, low, a, high, first + a_count);
    if (cut->failed)
        return NULL;
    VNI_ASSERT(a_count <= 64 * 64 && b_count <= 64 * 64);
    first[ranks] = cut->group_count;
    vni_seam sizes;
    memset(&sizes, 0, sizeof sizes);
    sizes.a_count = a_count;
    sizes.b_count = b_count;
    sizes.group_count = cut->group_count;
    vni_seam* seam = (vni_seam*)vni_alloc(allocator, 1, vni_seam_bytes(&sizes));
    if (!seam)
        return NULL;
    memcpy(seam, &sizes, sizeof sizes);
    vni_atomic_store(&seam->references, 1);
    seam->groups = (vni_link_group*)(void*)(seam + 1);
    seam->first = (uint32_t*)(void*)(seam->groups + seam->group_count);
    if (cut->group_count)
        memcpy(seam->groups, cut->groups, cut->group_count * sizeof *cut->groups);
    memcpy(seam->first, first, (ranks + (size_t)1) * sizeof *first);
    return seam;
}

void vni_seam_release(const vn_allocator* allocator, vni_seam* seam) {
    VNI_ASSERT(!seam || vni_atomic_load(&seam->references) > 0);
    if (seam && vni_atomic_add(&seam->references, UINT32_MAX) == 1)
        vni_free(allocator, seam, 1, vni_seam_bytes(seam));
}
