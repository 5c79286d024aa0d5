/// cells/validate_links.c: checks the links inside a block, and across the face between two.
///
/// The cells are known to be right by now. Each link must be exactly the rectangle that its two cells share,
/// and lists are in strict order, so that no link comes twice. If then the areas of all links add up to the
/// number of pairs of free neighbours in different cells (validate_cover.c), no link is missing, and each has
/// its reverse. That proves completeness without searching for neighbours.
#include "base/sets.h"
#include "cells/validate_group.h"
#include "geom/vec.h"

#include <string.h>

/// The links through one face of a cell.
typedef struct list {
    const vni_link_group* groups;
    uint32_t group_count;
    uint32_t to_count; ///< cells beyond the face
} list;

/// Why a list is not right. Slow, and only for the message. `cells`: if those beyond must be of this
/// component; or null.
static const char* explain_list(const list* l, const vni_cell* cells, uint32_t component) {
    bool has_ended = false;
    for (uint64_t i = 0; i < 4 * (uint64_t)l->group_count; ++i) {
        const uint32_t to = l->groups[i >> 2].to[i & 3];
        has_ended = has_ended || to == VNI_NO_CELL;
        if (has_ended && (to != VNI_NO_CELL || (i & 3) == 0))
            return "has a gap in a list of links";
        if (has_ended)
            continue;
        if (to >= l->to_count)
            return "has a link to a cell that does not exist";
        if (cells != NULL && cells[to].component != component)
            return "is linked with a cell of another component";
    }

    return "has a portal that is not what the two cells share, or a list that is out of order or not filled "
           "up";
}

/// The corner that the next group of a list must exceed; -1: the list is at its end.
static inline int32_t end_of(const vni_link_group* group, uint32_t ends) {
    return ends == 0 ? vni_link_corner(group, 3) : -1;
}

/// May this group follow one with that end in the same list?
static inline bool follows(const vni_link_group* group, int32_t end) {
    return end >= 0 && vni_link_corner(group, 0) > end;
}

// ------------------------------------------------------------------------------------------ inside a block

/// The block that is being checked.
typedef struct job {
    const vni_cell_block* block;
    vni_validator* worker;
    uint32_t rank[VNI_FACES];
    uint32_t group; ///< the next one that no list owns yet
    uint64_t area, links;
} job;

/// Which faces lie on those of the block: bit 7 of each byte of the key that is 0 or 64. Adding 127 sets it
/// in all other bytes.
static inline uint64_t rim_of(vni_box_key key) {
    const uint64_t sides = key ^ 0x003f3f3f00000000u; // 127 - 64: turns a high side at 64 into 0
    return ~(sides + (VNI_KEY_TOPS - (VNI_KEY_TOPS >> 7))) & VNI_KEY_TOPS;
}

/// The face of the lowest bit of what rim_of gives.
static inline uint32_t rim_face(uint64_t rim) {
    const uint32_t byte = vni_lowest_bit(rim) >> 3;
    return 2 * (byte & 3) + (byte >> 2);
}

/// Ranks of the cells on a face of the block must follow the order of cells.
static bool check_ranks(job* j, uint32_t cell, uint64_t rim) {
    VNI_ASSERT(cell < j->block->cell_count);

    for (; rim; rim &= rim - 1) {
        const uint32_t face = rim_face(rim), rank = j->rank[face]++;
        VNI_ASSERT(vni_cell_is_on_rim(&j->block->cells[cell], face));
        if (rank >= j->block->rank_count[face] || j->block->cells[cell].faces[face] != rank ||
            j->block->ranked[face][rank] != cell)
            return false;
    }

    return true;
}

/// Notes for each group of a cell's lists whose it is, if there are lists of several groups.
static void own_long_lists(uint32_t* owners, uint32_t owner, const uint32_t counts[VNI_FACES]) {
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        for (uint32_t i = 0; i < counts[face]; ++i)
            *owners++ = owner + face;
}

/// Notes for each group of a cell's lists whose it is: cell << 3 | face. False: there are more than groups
/// left.
static inline bool own_groups(job* j, uint32_t cell, uint64_t rim) {
    const vni_cell* c = &j->block->cells[cell];
    uint32_t counts[VNI_FACES], all = 0;
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        all += counts[face] = c->faces[face];

    for (; rim; rim &= rim - 1) { // there it is a rank
        all -= counts[rim_face(rim)];
        counts[rim_face(rim)] = 0;
    }

    if (all > j->block->group_count - j->group)
        return false;

    uint32_t *at = j->worker->owners + j->group, owner = cell << 3;
    j->group += all;
    if ((counts[0] | counts[1] | counts[2] | counts[3] | counts[4] | counts[5]) > 1) {
        own_long_lists(at, owner, counts);
        return true;
    }

    // one group or none: written in any case, without a branch; there is a spare entry after the last
    at[0] = owner;
    at[counts[0]] = owner + 1;
    at[counts[0] + counts[1]] = owner + 2;
    at[all - counts[5] - counts[4] - counts[3]] = owner + 3;
    at[all - counts[5] - counts[4]] = owner + 4;
    at[all - counts[5]] = owner + 5;
    return true;
}

/// Checks the fields of each cell up to the first that is at fault, whose number becomes `*cell`.
static const char* check_cells(job* j, uint32_t* cell) {
    uint32_t components = 0;
    for (uint32_t i = 0; i < j->block->cell_count; ++i) {
        const vni_cell* c = &j->block->cells[i];
        const uint64_t rim = rim_of(j->worker->keys[4 * (size_t)i]);
        *cell = i;
        if (c->first_group != j->group)
            return "has links that do not follow those of the cell before it";
        if (rim && !check_ranks(j, i, rim))
            return "has a wrong rank on a face of its block";
        if (c->component > components || c->component >= j->block->component_count)
            return "has a component out of order";

        if (c->component == components)
            j->worker->firsts[components++] = i;

        j->worker->parents[i] = i;
        if (!own_groups(j, i, rim))
            return "has more links than its block";
    }

    *cell = VNI_NO_CELL;
    if (j->group != j->block->group_count)
        return "there are links that belong to no cell";

    return components == j->block->component_count ? NULL : "the number of components is wrong";
}

/// Do all links of a group lead to cells of the same component? In a block of one the fields of cells tell.
static bool in_component(const job* j, const vni_link_group* g, uint32_t owner) {
    const vni_cell* cells = j->block->cells;
    if (j->block->component_count <= 1)
        return true;
    for (uint32_t lane = 0; lane < 4 && g->to[lane] != VNI_NO_CELL; ++lane)
        if (cells[g->to[lane]].component != cells[owner >> 3].component)
            return false;
    return true;
}

/// The same for all groups, after their cells have been checked: if tags do not tell components apart.
static bool in_components(const job* j) {
    for (uint32_t i = 0; i < j->group; ++i)
        if (!in_component(j, &j->block->groups[i], j->worker->owners[i]))
            return false;
    return true;
}

static inline uint32_t lower(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/// What is wrong with the list that holds this group.
static const char* explain_group(const job* j, uint32_t group) {
    const uint32_t* owners = j->worker->owners;
    const uint32_t owner = owners[group];
    uint32_t first = group, end = group + 1;
    for (; first > 0 && owners[first - 1] == owner; --first) {
    }
    for (; end < j->group && owners[end] == owner; ++end) {
    }

    const list l = {j->block->groups + first, end - first, j->block->cell_count};
    return explain_list(&l, j->block->cells, j->block->cells[owner >> 3].component);
}

/// A walk over the groups of a block.
typedef struct walk {
    vni_link_sums sums;
    uint32_t before; ///< owner of the group before; UINT32_MAX: none
    int32_t end;     ///< of that group, see end_of
} walk;

/// Adds a group that is not a list of one link. False if it leads nowhere, or does not follow the one before.
VNI_INLINED bool add_group(const job* j, const vni_link_group* g, uint32_t owner, walk* w) {
    const uint32_t from = owner >> 3;
    const vni_box_key *along = j->worker->keys + (owner >> 1 & 3), key = along[4 * (size_t)from];
    uint32_t* parents = j->worker->parents;
    vni_group_cells beyond;
    if (!vni_take_cells(g, j->block->cell_count, &beyond) || (owner == w->before && !follows(g, w->end)))
        return false;

    const uint32_t *to = beyond.at, low = lower(lower(to[0], to[1]), lower(to[2], to[3]));
    const vni_box_key others[4] = {along[4 * (size_t)to[0]], along[4 * (size_t)to[1]],
                                   along[4 * (size_t)to[2]], along[4 * (size_t)to[3]]};
    vni_add_group(&w->sums, g, key, beyond.ends, others, owner & 1);
    parents[from] = lower(parents[from], low);
    w->end = end_of(g, beyond.ends);
    return true;
}

/// Adds a list of one link, as most are.
VNI_INLINED bool add_single(const job* j, const vni_link_group* g, uint32_t owner, walk* w) {
    const vni_box_key* keys = j->worker->keys;
    const uint32_t from = owner >> 3, axis = owner >> 1 & 3, to = g->to[0];
    uint32_t* parents = j->worker->parents;
    if (to >= j->block->cell_count)
        return false;

    vni_add_single(&w->sums, g, keys[owner >> 1], keys[4 * (size_t)to + axis], owner & 1);
    parents[from] = lower(parents[from], to);
    w->end = -1;
    return true;
}

/// Checks the lists of the cells that check_cells has passed, group by group. The parent of a cell becomes
/// the lowest one that it is linked with, or itself. `tagged`: the tags of the keys tell all components
/// apart.
static bool check_groups(job* j, bool tagged) {
    const uint32_t *owners = j->worker->owners, count = j->group;
    const vni_link_group* groups = j->block->groups;
    walk w = {vni_link_sums_make(), UINT32_MAX, -1};
    for (uint32_t i = 0; i < count; ++i) {
        const vni_link_group* g = &groups[i];
        const uint32_t owner = owners[i];
        vni_prefetch_group(g, count - i);
        if (g->to[1] == VNI_NO_CELL && owner != w.before ? !add_single(j, g, owner, &w)
                                                         : !add_group(j, g, owner, &w))
            return false;

        w.before = owner;
    }

    if (!vni_link_sums_are_right(&w.sums) || !(tagged || in_components(j)))
        return false;
    j->area = vni_link_sums_area(&w.sums);
    j->links = vni_link_sums_links(&w.sums);
    return true;
}

/// The first group at fault, after check_groups has found that there is one: checks them one by one.
static uint32_t find_fault(const job* j) {
    walk w = {vni_link_sums_make(), UINT32_MAX, -1};
    uint32_t i = 0;
    for (; i < j->group; ++i) {
        const vni_link_group* g = &j->block->groups[i];
        const uint32_t owner = j->worker->owners[i];
        w.sums = vni_link_sums_make();
        if (!add_group(j, g, owner, &w) || !vni_link_sums_are_right(&w.sums) || !in_component(j, g, owner))
            break;

        w.before = owner;
    }

    return i;
}

/// Is each component connected? That no link leaves a component was checked before. The parent of a cell is
/// linked with it and has a lower index, so that parents form trees of linked cells. In most blocks each
/// component is one tree, and union-find joins only those trees whose root is not the first cell of the
/// component.
const char* vni_validate_connected(const vni_cell_block* block, const vni_validator* w, uint32_t* cell) {
    const uint32_t count = block->cell_count;
    uint32_t others = 0;
    for (uint32_t i = 0; i < count; ++i) {
        VNI_ASSERT(w->parents[i] <= i);
        w->parents[i] = w->parents[w->parents[i]]; // ascending: the parent has its root already
        others |= w->parents[i] ^ w->firsts[block->cells[i].component];
    }

    if (others == 0)
        return NULL;

    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t first = w->firsts[block->cells[i].component];
        if (w->parents[i] == first || vni_sets_find(w->parents, i) == first)
            continue;
        const uint32_t end = i + 1 < count ? block->cells[i + 1].first_group : block->group_count;
        for (uint32_t g = block->cells[i].first_group; g < end; ++g)
            for (uint32_t lane = 0; lane < 4 && block->groups[g].to[lane] != VNI_NO_CELL; ++lane)
                vni_sets_join(w->parents, i, block->groups[g].to[lane]);
    }

    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t first = w->firsts[block->cells[i].component];
        *cell = i;
        if (w->parents[i] != first && vni_sets_find(w->parents, i) != first)
            return "is not linked with the others of its component";
    }

    *cell = VNI_NO_CELL;
    return NULL;
}

const char* vni_validate_links(const vni_validation* v, vni_validator* worker, uint32_t block,
                               uint32_t* cell) {
    VNI_ASSERT(block < v->block_count);

    job j = {.block = v->cells->table[block], .worker = worker};
    VNI_ASSERT(j.block->cell_count <= v->most_cells && j.block->group_count <= v->most_groups);

    // of two faults the one of the lower cell is named: its lists before the fields of the next
    const char* fields = check_cells(&j, cell);
    if (!check_groups(&j, fields == NULL && j.block->component_count <= 256)) {
        const uint32_t group = find_fault(&j);
        VNI_ASSERT(group < j.group);
        *cell = worker->owners[group] >> 3;
        return explain_group(&j, group);
    }

    if (fields != NULL)
        return fields;

    for (uint32_t face = 0; face < VNI_FACES; ++face)
        if (j.rank[face] != j.block->rank_count[face])
            return "the number of cells on a face of the block is wrong";

    if (j.area != worker->area)
        return "a link inside the block is missing";
    worker->links += j.links;
    return vni_validate_connected(j.block, worker, cell);
}

// ------------------------------------------------------------------------------------------ across a seam

/// One side of a seam.
typedef struct side {
    const vni_cell_block* block;
    uint32_t face;
    uint64_t* rows; ///< the face's free voxels: painted here
} side;

/// Adds a list. `from`: the face of the cell whose list it is, in coordinates of the block beyond, whose
/// cells are `to`. False if it leads nowhere, or is out of order between its groups.
static inline bool add_list(const list* l, const vni_cell* to, uint32_t axis, vni_box_key from,
                            vni_link_sums* sums) {
    const uint32_t only = l->groups[0].to[0];
    int32_t end = -1;
    if (l->group_count == 1 && l->groups[0].to[1] == VNI_NO_CELL) {
        if (only >= l->to_count)
            return false;
        vni_add_single(sums, l->groups, from, vni_key_along(&to[only], axis), 0);
        return true;
    }

    for (uint32_t i = 0; i < l->group_count; ++i) {
        const vni_link_group* g = &l->groups[i];
        vni_group_cells beyond;
        vni_box_key keys[4];
        if (!vni_take_cells(g, l->to_count, &beyond) || (i > 0 && !follows(g, end)))
            return false;
        for (uint32_t lane = 0; lane < 4; ++lane)
            keys[lane] = vni_key_along(&to[beyond.at[lane]], axis);

        vni_add_group(sums, g, from, beyond.ends, keys, 0);
        end = end_of(g, beyond.ends);
    }

    return true;
}

/// Checks the lists of all cells on one side; `first` is where each begins. Paints the face. `each`: looks at
/// every list by itself, to find the first at fault; else the caller asks whether the sums are right.
static const char* check_side(const vni_seam* seam, const uint32_t* first, const side* from, const side* to,
                              bool each, vni_link_sums* sums, uint32_t* cell) {
    const uint32_t axis = from->face >> 1;
    list l = {.to_count = to->block->cell_count};
    memset(from->rows, 0, 65 * sizeof *from->rows);
    for (uint32_t rank = 0; rank < from->block->rank_count[from->face]; ++rank) {
        *cell = from->block->ranked[from->face][rank];
        VNI_ASSERT(vni_cell_is_on_rim(&from->block->cells[*cell], from->face));

        if (first[rank] > first[rank + 1] || first[rank + 1] > seam->group_count)
            return "has links across the face of its block that do not follow those of the cell before it";
        const vni_box_key key = vni_key_along(&from->block->cells[*cell], axis);
        vni_paint_face(from->rows, key);
        l.groups = seam->groups + first[rank];
        l.group_count = first[rank + 1] - first[rank];
        if (l.group_count == 0)
            continue;
        if (!add_list(&l, to->block->cells, axis, vni_key_beyond(key, from->face), sums) ||
            (each && !vni_link_sums_are_right(sums)))
            return explain_list(&l, NULL, 0);
    }

    vni_finish_rows(from->rows);
    *cell = VNI_NO_CELL;
    return NULL;
}

/// Both sides of the seam above a block. `*in` is set to the block of the cell at fault.
static const char* check_sides(const vni_validation* v, uint32_t block, const side sides[2], bool each,
                               vni_link_sums* sums, uint32_t* in, uint32_t* cell) {
    const uint32_t axis = sides[1].face >> 1;
    const vni_seam* seam = v->cells->seams[axis][block];
    *in = block;
    const char* what = check_side(seam, seam->first, &sides[0], &sides[1], each, sums, cell);
    if (what != NULL)
        return what;

    *in = block + v->cells->stride[axis];
    return check_side(seam, seam->first + seam->a_count, &sides[1], &sides[0], each, sums, cell);
}

const char* vni_validate_seam(const vni_validation* v, vni_validator* worker, uint32_t block, int axis,
                              uint32_t* in, uint32_t* cell) {
    const vni_cells* cells = v->cells;
    const vni_seam* seam = cells->seams[axis][block];
    const uint32_t upper = block + cells->stride[axis], face = 2 * (uint32_t)axis;
    VNI_ASSERT(seam != NULL && upper < v->block_count);

    const side sides[2] = {{cells->table[block], face + 1, worker->rows[0]},
                           {cells->table[upper], face, worker->rows[1]}};
    *in = block;
    if (seam->a_count != sides[0].block->rank_count[face + 1] ||
        seam->b_count != sides[1].block->rank_count[face])
        return "the links to the upper neighbour are not those of the cells there";
    if (seam->first[0] != 0 || seam->first[seam->a_count + seam->b_count] != seam->group_count)
        return "there are links to the upper neighbour that belong to no cell";

    vni_link_sums sums = vni_link_sums_make();
    const char* what = check_sides(v, block, sides, false, &sums, in, cell);
    if (what != NULL || !vni_link_sums_are_right(&sums)) {
        sums = vni_link_sums_make();
        return check_sides(v, block, sides, true, &sums, in, cell);
    }

    // both faces are painted now: where both are free, exactly one link of each side must lie
    *in = block;
    worker->links += vni_link_sums_links(&sums);
    return vni_link_sums_area(&sums) == 2 * vni_shared_area(worker)
               ? NULL
               : "a link to the upper neighbour is missing";
}
