/// cells/restore.c: cells from what a file stores of them.
///
/// The boxes come first, so that they can be compared with the voxels. Then the groups are made, one after
/// the other, from the cells that they join. How many links the next face has is hard to predict, so that
/// there is one branch for each group only: a list of one link, as most are, or anything else. Last come the
/// fields of cells that follow from the groups.
#include "cells/restore.h"
#include "base/alloc.h"
#include "cells/cut.h"
#include "cells/validate_group.h"

#include <string.h>

_Static_assert(sizeof(vni_stored_cell) == 12 && offsetof(vni_stored_cell, component) == 8 &&
                   offsetof(vni_cell, component) == 8,
               "stored cells begin as cells do");

/// The block that is being made.
typedef struct job {
    vni_cell_block* block;
    vni_validator* worker;
    uint32_t components; ///< seen so far
    bool in_order;       ///< components appear in the order of their numbers
} job;

// --------------------------------------------------------------------------------------------------- life

bool vni_restore_make(vni_cells* cells, const vni_occupancy* occupancy, uint32_t worker_count,
                      vni_restore* out) {
    const uint32_t count = vni_cells_block_count(cells);
    *out = (vni_restore){.cells = cells, .occupancy = occupancy, .worker_count = worker_count};
    out->workers = (vni_validator*)vni_alloc_zero(&cells->allocator, worker_count, sizeof *out->workers);
    bool ok = out->workers != NULL;
    for (int i = 0; i < VNI_PROVED_TABLES; ++i) {
        out->proved[i] = (uint8_t*)vni_alloc_zero(&cells->allocator, count, 1);
        ok = ok && out->proved[i] != NULL;
    }

    if (ok)
        return true;

    vni_restore_free(out);
    return false;
}

void vni_restore_free(vni_restore* r) {
    const vn_allocator* allocator = &r->cells->allocator;
    for (uint32_t i = 0; r->workers != NULL && i < r->worker_count; ++i)
        vni_validator_free(&r->workers[i], allocator);
    VNI_DELETE_ARRAY(allocator, r->workers, r->worker_count);
    r->workers = NULL;
    for (int i = 0; i < VNI_PROVED_TABLES; ++i) {
        VNI_DELETE_ARRAY(allocator, r->proved[i], vni_cells_block_count(r->cells));
        r->proved[i] = NULL;
    }
}

// --------------------------------------------------------------------------------------------------- cells

/// The first eight bytes of a cell: low sides, high sides, padding. Files are read on little-endian machines
/// only.
static inline uint64_t sides_of(const vni_cell* cell) {
    uint64_t sides;
    memcpy(&sides, cell, sizeof sides);
    return sides;
}

/// Takes boxes and components. False if padding is not zero, or a side is above 127: vni_box_key holds none.
static bool take_cells(job* j, const uint8_t* bytes) {
    uint32_t *parents = j->worker->parents, *firsts = j->worker->firsts;
    const uint32_t count = j->block->cell_count, component_count = j->block->component_count;
    uint32_t components = 0;
    uint64_t all = 0;
    bool in_order = true;
    for (uint32_t i = 0; i < count; ++i, bytes += sizeof(vni_stored_cell)) {
        vni_cell* cell = &j->block->cells[i];
        memcpy(cell, bytes, sizeof(vni_stored_cell));
        all |= sides_of(cell);
        in_order &= cell->component <= components && cell->component < component_count;
        if (cell->component == components && components < component_count)
            firsts[components++] = i;
        parents[i] = i;
    }

    j->components = components;
    j->in_order = in_order;
    return (all & 0xffff808080808080u) == 0;
}

/// Which faces lie on those of the block: bit 7 of each byte that is 0, or 64 on a high side. Adding 127 to
/// the lower seven bits sets it unless they are 0.
static inline uint64_t rim_of(const vni_cell* cell) {
    const uint64_t differs = sides_of(cell) ^ 0x404040000000u, sevens = 0x7f7f7f7f7f7fu;
    return ~(((differs & sevens) + sevens) | differs) & 0x808080808080u;
}

/// Gives a cell its ranks. False if there are more on a face than the head says, or links through it.
static bool rank_cell(const vni_cell_block* block, uint32_t index, uint64_t rim, uint32_t ranks[VNI_FACES]) {
    vni_cell* cell = &block->cells[index];
    for (; rim; rim &= rim - 1) {
        const uint32_t side = vni_lowest_bit(rim) >> 3, face = side < 3 ? 2 * side : 2 * side - 5;
        VNI_ASSERT(vni_cell_is_on_rim(cell, face));
        if (ranks[face] == block->rank_count[face] || cell->faces[face] != 0)
            return false;
        cell->faces[face] = (uint16_t)ranks[face];
        block->ranked[face][ranks[face]++] = index;
    }

    return true;
}

/// Sets the fields of cells that follow from their lists. What is wrong, or null.
static const char* finish_cells(const job* j) {
    const vni_cell_block* block = j->block;
    const uint16_t* lists = j->worker->lists;
    uint32_t group = 0, ranks[VNI_FACES] = {0};
    for (uint32_t i = 0; i < block->cell_count; ++i) {
        vni_cell* cell = &block->cells[i];
        uint64_t four, rest;
        memcpy(&four, lists + 8 * (size_t)i, sizeof four);
        memcpy(&rest, lists + 8 * (size_t)i + 4, sizeof rest);
        const uint64_t rim = rim_of(cell);
        cell->first_group = group;
        memcpy(cell->faces, lists + 8 * (size_t)i, sizeof cell->faces);
        if (rest >> 32 != 0 || (rim != 0 && !rank_cell(block, i, rim, ranks)))
            return "has more cells on a face than it says, or links through it";

        // up to 2^16 groups a face, added without carry
        const uint64_t evens = (four & 0x0000ffff0000ffffu) + (four >> 16 & 0x0000ffff0000ffffu) +
                               (rest & 0xffff) + (rest >> 16 & 0xffff);
        group += (uint32_t)evens + (uint32_t)(evens >> 32);
    }

    // a list that is too long for its number ends here too
    if (group != block->group_count)
        return "has other links than it says";
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        if (ranks[face] != block->rank_count[face])
            return "has fewer cells on a face than it says";
    return NULL;
}

// -------------------------------------------------------------------------------------------------- groups

static inline uint32_t load_u32(const uint8_t* at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint32_t lower(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static inline uint32_t higher(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/// The cells beyond of a group with `count` links, the last one again in the lanes after it. False if one is
/// not below `cells`.
VNI_INLINED bool load_ends(const uint8_t* at, uint32_t count, uint32_t cells, uint32_t to[4]) {
    const uint32_t last = count - 1;
    to[0] = load_u32(at);
    to[1] = load_u32(at + 4 * (size_t)lower(1, last));
    to[2] = load_u32(at + 4 * (size_t)lower(2, last));
    to[3] = load_u32(at + 4 * (size_t)last);
    return higher(higher(to[0], to[1]), higher(to[2], to[3])) < cells;
}

/// vni_group_cells.ends of a group with `count` links.
static inline uint32_t ends_of(uint32_t count) {
    return 14u << (count - 1) & 15;
}

/// Does a group follow the one before it in the same list?
static inline bool follows(const vni_link_group* g) {
    return vni_link_corner(g, 0) > vni_link_corner(g - 1, 3);
}

/// What making groups needs of a job. Writing a group may change anything, as far as compilers know, so that
/// these are read once.
typedef struct walk {
    const vni_box_key* keys;
    uint32_t *parents, cells;
    uint16_t* lists;
    uint32_t next;  ///< the lowest owner, cell << 3 | face, of a new list
    uint32_t extra; ///< links that are left, beyond one for each group
    bool is_full;   ///< the group before has four links: its list may go on
    bool in_order;
    vni_link_sums sums;
} walk;

/// May a group of this owner come next?
VNI_INLINED bool comes_next(const walk* w, uint32_t owner, uint32_t count, bool* goes_on) {
    *goes_on = w->is_full && owner + 1 == w->next;
    return (*goes_on || owner >= w->next) && owner < w->cells << 3 && count - 1 <= w->extra;
}

/// Makes a group that is not a list of one link. False if it is not where it should be, or leads nowhere.
VNI_INLINED bool make_group(walk* w, vni_link_group* g, const uint8_t* at, uint32_t number) {
    const uint32_t count = (number >> 30) + 1, owner = number & 0x3fffffff, from = owner >> 3;
    const uint32_t ends = ends_of(count);
    const vni_box_key* along = w->keys + (owner >> 1 & 3);
    uint32_t to[4];
    bool goes_on;
    if (!comes_next(w, owner, count, &goes_on) || !load_ends(at, count, w->cells, to))
        return false;

    const vni_box_key others[4] = {along[4 * (size_t)to[0]], along[4 * (size_t)to[1]],
                                   along[4 * (size_t)to[2]], along[4 * (size_t)to[3]]};
    vni_write_four(g, vni_share_four(&w->sums, along[4 * (size_t)from], others, ends, owner & 1), to, ends);
    w->parents[from] = lower(w->parents[from], lower(lower(to[0], to[1]), lower(to[2], to[3])));
    if (goes_on)
        w->in_order &= follows(g);

    ++w->lists[owner];
    w->next = owner + 1;
    w->is_full = count == 4;
    w->extra -= count - 1;
    return true;
}

/// Makes a list of one link, as most are.
VNI_INLINED bool make_single(walk* w, vni_link_group* g, const uint8_t* at, uint32_t owner) {
    const uint32_t to = load_u32(at), from = owner >> 3;
    if (to >= w->cells)
        return false;

    const vni_box_key other = w->keys[4 * (size_t)to + (owner >> 1 & 3)];
    vni_write_one(g, vni_share_one(&w->sums, w->keys[owner >> 1], other, owner & 1), to);
    w->parents[from] = lower(w->parents[from], to);
    ++w->lists[owner];
    w->next = owner + 1;
    w->is_full = false;
    return true;
}

/// Makes all groups. The parent of a cell becomes the lowest one that it is linked with, or itself. False if
/// a group is not where it should be, or leads nowhere. `*right`: no link is wrong, and the areas of all add
/// up to what vni_validate_cells has found.
static bool make_groups(const job* j, const uint8_t* at, uint32_t link_count, bool* right) {
    const uint32_t count = j->block->group_count, end = j->block->cell_count << 3;
    vni_link_group* groups = j->block->groups;
    walk w = {.keys = j->worker->keys,
              .parents = j->worker->parents,
              .cells = j->block->cell_count,
              .lists = j->worker->lists,
              .extra = link_count - count,
              .in_order = true,
              .sums = vni_link_sums_make()};
    memset(w.lists, 0, 8 * (size_t)w.cells * sizeof *w.lists);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t number = load_u32(at);
        at += sizeof number;

        // one comparison for: a new list, of one link, of a cell that exists
        if (number - w.next < end - w.next ? !make_single(&w, &groups[i], at, number)
                                           : !make_group(&w, &groups[i], at, number))
            return false;
        at += 4 * ((size_t)(number >> 30) + 1);
    }

    *right = w.in_order && vni_link_sums_are_right(&w.sums) && vni_link_sums_area(&w.sums) == j->worker->area;
    return w.extra == 0;
}

// -------------------------------------------------------------------------------------------------- blocks

/// Keys of all cells, where vni_validate_cells has not set them.
static void set_keys(const job* j) {
    const uint32_t tags = j->block->component_count > 1 ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < j->block->cell_count; ++i) {
        const vni_cell* cell = &j->block->cells[i];
        vni_key_each(vni_key_of_cell(cell), cell->component & tags, j->worker->keys + 4 * (size_t)i);
    }
}

/// Fills a block. `v`: what it is proved against, or null. `*proved` is set if it is.
static const char* fill_block(job* j, const vni_validation* v, uint32_t index, const vni_stored_block* head,
                              const uint8_t* bytes, bool* proved) {
    uint32_t cell;
    bool right;
    if (!take_cells(j, bytes))
        return "has cells that stick out of it, or with padding that is not zero";

    const bool covers = v != NULL && vni_validate_cells(v, j->worker, index, &cell) == NULL;
    if (!covers)
        set_keys(j);
    if (!make_groups(j, bytes + head->cell_count * sizeof(vni_stored_cell), head->link_count, &right))
        return "has links out of order, or one to a cell that does not exist";
    const char* what = finish_cells(j);
    if (what != NULL)
        return what;

    // tags tell 256 components apart
    *proved = covers && right && j->in_order && j->components == head->component_count &&
              j->components <= 256 && vni_validate_connected(j->block, j->worker, &cell) == NULL;
    return NULL;
}

vn_status vni_restore_block(vni_restore* r, uint32_t worker, uint32_t index, const vni_stored_block* head,
                            const uint8_t* bytes, const char** what) {
    VNI_ASSERT(worker < r->worker_count && head->cell_count < 1u << 26 && r->cells->table[index] == NULL);
    const vn_allocator* allocator = &r->cells->allocator;
    job j = {.worker = &r->workers[worker]};
    if (!vni_validator_fit(j.worker, allocator, head->cell_count, 0))
        return VN_OUT_OF_MEMORY;
    j.block = vni_cell_block_alloc(allocator, head->cell_count, head->group_count, head->rank_count);
    if (j.block == NULL)
        return VN_OUT_OF_MEMORY;

    j.block->component_count = head->component_count;
    memcpy(j.block->first_of_chunk, head->first_of_chunk, sizeof j.block->first_of_chunk);
    r->cells->table[index] = j.block;

    const vni_validation v = {
        .cells = r->cells, .occupancy = r->occupancy, .block_count = vni_cells_block_count(r->cells)};
    bool proved = false;
    *what = fill_block(&j, r->occupancy != NULL ? &v : NULL, index, head, bytes, &proved);
    r->proved[VNI_PROVED_BLOCKS][index] = proved;
    j.worker->links += proved ? head->link_count : 0;
    return *what == NULL ? VN_OK : VN_BAD_DATA;
}

// --------------------------------------------------------------------------------------------------- seams

/// A seam in the making.
typedef struct seam_job {
    vni_seam* seam;
    const uint8_t *counts, *ends; ///< stored: of the next list
    uint32_t list, group, left;   ///< the next ones; links that are left
    vni_link_sums sums;
    bool right; ///< so far, but for the sums
} seam_job;

/// Makes the next groups: of a list with `links` links. False if one leads nowhere.
VNI_INLINED bool make_run(seam_job* j, uint32_t links, const vni_cell_block* to, uint32_t axis,
                          vni_box_key from) {
    for (uint32_t at = 0; at < links; at += 4, ++j->group) {
        const uint32_t count = lower(links - at, 4), ends = ends_of(count);
        vni_link_group* g = &j->seam->groups[j->group];
        uint32_t cells[4];
        vni_box_key keys[4];
        if (!load_ends(j->ends, count, to->cell_count, cells))
            return false;
        for (uint32_t lane = 0; lane < 4; ++lane)
            keys[lane] = vni_key_along(&to->cells[cells[lane]], axis);

        vni_write_four(g, vni_share_four(&j->sums, from, keys, ends, 0), cells, ends);
        j->right &= at == 0 || follows(g);
        j->ends += count * sizeof(uint32_t);
    }

    return true;
}

/// Makes the next list. `from` is the face of its cell in coordinates of the other block, `to`. False if it
/// has more links than are left, or one that leads nowhere.
VNI_INLINED bool make_list(seam_job* j, const vni_cell_block* to, uint32_t axis, vni_box_key from) {
    const uint32_t links = load_u32(j->counts), groups = links / 4 + (links % 4 > 0);
    if (links > j->left || groups > j->seam->group_count - j->group)
        return false;

    j->left -= links;
    j->counts += sizeof(uint32_t);
    if (links == 1) {
        const uint32_t cell = load_u32(j->ends);
        if (cell >= to->cell_count)
            return false;
        vni_write_one(&j->seam->groups[j->group++],
                      vni_share_one(&j->sums, from, vni_key_along(&to->cells[cell], axis), 0), cell);
        j->ends += sizeof(uint32_t);
    } else if (!make_run(j, links, to, axis, from)) {
        return false;
    }

    j->seam->first[++j->list] = j->group;
    return true;
}

/// Makes the lists of all cells on a face of a block, and paints the face.
static bool make_side(seam_job* j, const vni_cell_block* from, uint32_t face, const vni_cell_block* to,
                      uint64_t rows[65]) {
    const uint32_t axis = face >> 1;
    memset(rows, 0, 65 * sizeof *rows);
    for (uint32_t rank = 0; rank < from->rank_count[face]; ++rank) {
        const vni_box_key key = vni_key_along(&from->cells[from->ranked[face][rank]], axis);
        j->right &= vni_paint_face(rows, key);
        if (!make_list(j, to, axis, vni_key_beyond(key, face)))
            return false;
    }

    vni_finish_rows(rows);
    return true;
}

/// Fills a seam: false if it has not the links that its head says. `*proved` is set if they are right,
/// provided that the cells of both blocks are.
static bool fill_seam(seam_job* j, vni_validator* worker, const vni_cell_block* a, const vni_cell_block* b,
                      int axis, bool* proved) {
    const uint32_t face = 2 * (uint32_t)axis;
    j->seam->first[0] = 0;
    if (!make_side(j, a, face + 1, b, worker->rows[0]) || !make_side(j, b, face, a, worker->rows[1]) ||
        j->left != 0 || j->group != j->seam->group_count)
        return false;

    *proved = j->right && vni_link_sums_are_right(&j->sums) &&
              vni_link_sums_area(&j->sums) == 2 * vni_shared_area(worker);
    return true;
}

vn_status vni_restore_seam(vni_restore* r, uint32_t worker, uint32_t block, int axis,
                           const vni_stored_seam* head, const uint8_t* bytes, const char** what) {
    VNI_ASSERT(worker < r->worker_count && block < vni_cells_block_count(r->cells));
    const vni_cells* cells = r->cells;
    *what = "is at the rim of the space";
    if (cells->views[block].low[axis] + VNI_BLOCK_SIZE >= cells->dims[axis])
        return VN_BAD_DATA;

    const vni_cell_block *a = cells->table[block], *b = cells->table[block + cells->stride[axis]];
    *what = "is not that of the cells there";
    if (head->a_count != a->rank_count[2 * axis + 1] || head->b_count != b->rank_count[2 * axis])
        return VN_BAD_DATA;

    seam_job j = {.counts = bytes, .left = head->link_count, .sums = vni_link_sums_make(), .right = true};
    j.ends = bytes + ((size_t)head->a_count + head->b_count) * sizeof(uint32_t);
    j.seam = vni_seam_alloc(&cells->allocator, head->a_count, head->b_count, head->group_count);
    if (j.seam == NULL)
        return VN_OUT_OF_MEMORY;

    bool proved = false;
    cells->seams[axis][block] = j.seam;
    *what = "has other links than it says, or one to a cell that does not exist";
    if (!fill_seam(&j, &r->workers[worker], a, b, axis, &proved))
        return VN_BAD_DATA;

    proved &= r->occupancy != NULL;
    r->proved[axis][block] = proved;
    r->workers[worker].links += proved ? head->link_count : 0;
    *what = NULL;
    return VN_OK;
}

// ------------------------------------------------------------------------------------------------ the rest

vn_status vni_restore_validate(const vni_restore* r, const vn_jobs* jobs, vn_detail* detail) {
    uint64_t links = 0;
    for (uint32_t i = 0; i < r->worker_count; ++i)
        links += r->workers[i].links;
    return vni_cells_validate_rest(r->cells, r->occupancy, jobs, (const uint8_t* const*)r->proved, links,
                                   detail);
}
