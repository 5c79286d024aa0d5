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
    vni_link_face face;
} list;

/// Sums over lists.
typedef struct sums {
    uint64_t area, links;
} sums;

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
        if (to >= l->face.to_count)
            return "has a link to a cell that does not exist";
        if (cells != NULL && cells[to].component != component)
            return "is linked with a cell of another component";
    }

    return "has a portal that is not what the two cells share, or a list that is out of order or not filled "
           "up";
}

/// The group that a list has had last; -1: it is not full, and nothing may follow.
static inline int32_t end_of(const vni_group_facts* group) {
    return group->links == 4 ? group->last_corner : -1;
}

/// May this group follow one with that end in the same list? Corners must grow.
static inline bool follows(const vni_group_facts* group, int32_t end) {
    return end >= 0 && group->first_corner > end;
}

// ------------------------------------------------------------------------------------------ inside a block

/// The block that is being checked.
typedef struct job {
    const vni_cell_block* block;
    const vni_box_key* keys[3];
    vni_validator* worker;
    uint32_t rank[VNI_FACES];
    uint32_t group; ///< the next one that no list owns yet
    sums sums;
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

/// Notes for each group of a list whose it is. Returns the group after it. Most lists have one group or none,
/// for which the entry is written in any case: there is a spare one after the last.
VNI_INLINED uint32_t own_list(uint32_t* owners, uint32_t group, uint32_t count, uint32_t owner) {
    owners[group] = owner;
    for (uint32_t i = 1; i < count; ++i)
        owners[group + i] = owner;
    return group + count;
}

/// Notes for each group of a cell's lists whose it is: cell << 3 | face. False: there are more than groups
/// left.
static inline bool own_groups(job* j, uint32_t cell, uint64_t rim) {
    const vni_cell* c = &j->block->cells[cell];
    uint32_t *owners = j->worker->owners, group = j->group, owner = cell << 3, counts[VNI_FACES], all = 0;
    for (uint32_t face = 0; face < VNI_FACES; ++face)
        all += counts[face] = c->faces[face];

    for (; rim; rim &= rim - 1) { // there it is a rank
        all -= counts[rim_face(rim)];
        counts[rim_face(rim)] = 0;
    }

    if (all > j->block->group_count - group)
        return false;

    group = own_list(owners, group, counts[0], owner);
    group = own_list(owners, group, counts[1], owner + 1);
    group = own_list(owners, group, counts[2], owner + 2);
    group = own_list(owners, group, counts[3], owner + 3);
    group = own_list(owners, group, counts[4], owner + 4);
    j->group = own_list(owners, group, counts[5], owner + 5);
    return true;
}

/// Checks the fields of each cell up to the first that is at fault, whose number becomes `*cell`.
static const char* check_cells(job* j, uint32_t* cell) {
    uint32_t components = 0;
    for (uint32_t i = 0; i < j->block->cell_count; ++i) {
        const vni_cell* c = &j->block->cells[i];
        const uint64_t rim = rim_of(j->keys[0][i]);
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

/// The coordinate of a face of a cell.
static inline uint32_t plane_of(vni_box_key key, uint32_t face) {
    return (uint8_t)((key ^ VNI_KEY_HIGH) >> 32 * (face & 1));
}

static inline list list_at(const job* j, uint32_t group, uint32_t owner) {
    const vni_box_key *keys = j->keys[(owner & 7) >> 1], from = keys[owner >> 3];
    return (list){j->block->groups + group, 1, {keys, j->block->cell_count, plane_of(from, owner), from}};
}

static inline bool in_component(const vni_cell* cells, const vni_group_facts* group, uint32_t component) {
    return cells[group->a].component == component && cells[group->b].component == component &&
           cells[group->c].component == component && cells[group->d].component == component;
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

    list l = list_at(j, first, owner);
    l.group_count = end - first;
    return explain_list(&l, j->block->cells, j->block->cells[owner >> 3].component);
}

/// Checks the lists of the cells that check_cells has passed, group by group. The parent of a cell becomes
/// the lowest one that it is linked with, or itself. `*at` is the group at fault, if there is one.
static bool check_groups(job* j, uint32_t* at) {
    const uint32_t *owners = j->worker->owners, count = j->group, to_count = j->block->cell_count;
    const vni_link_group* groups = j->block->groups;
    const vni_cell* cells = j->block->component_count > 1 ? j->block->cells : NULL;
    uint32_t *parents = j->worker->parents, before = UINT32_MAX;
    uint64_t areas = 0, links = 0;
    int32_t end = -1;
    for (uint32_t i = 0; i < count; ++i) {
        const vni_link_group* g = &groups[i];
        const uint32_t owner = owners[i], from = owner >> 3, to = g->to[0];
        const vni_box_key *keys = j->keys[(owner & 7) >> 1], key = keys[from];
        uint32_t least = parents[from], area;
        vni_prefetch_group(g, count - i);
        *at = i;

        // most lists have one link
        if (g->to[1] == VNI_NO_CELL && owner != before) {
            if (to >= to_count || !vni_check_single(g, key, keys[to], plane_of(key, owner), &area) ||
                (cells != NULL && cells[from].component != cells[to].component))
                return false;

            parents[from] = lower(to, least);
            areas += area;
            ++links;
            end = -1;
            before = owner;
            continue;
        }

        const vni_link_face face = {keys, to_count, plane_of(key, owner), key};
        vni_group_facts facts;
        if (!vni_check_group(g, &face, &facts) || (owner == before && !follows(&facts, end)) ||
            (cells != NULL && !in_component(cells, &facts, cells[from].component)))
            return false;

        parents[from] = lower(least, lower(lower(facts.a, facts.b), lower(facts.c, facts.d)));
        areas += facts.area;
        links += facts.links;
        before = owner;
        end = end_of(&facts);
    }

    j->sums = (sums){areas, links};
    return true;
}

/// Is each component connected? That no link leaves a component was checked before. The parent of a cell is
/// linked with it and has a lower index, so that parents form trees of linked cells. In most blocks each
/// component is one tree, and union-find joins only those trees whose root is not the first cell of the
/// component.
static const char* check_components(const job* j, uint32_t* cell) {
    const vni_validator* w = j->worker;
    const uint32_t count = j->block->cell_count;
    for (uint32_t i = 0; i < count; ++i) {
        VNI_ASSERT(w->parents[i] <= i);
        w->parents[i] = w->parents[w->parents[i]]; // ascending: the parent has its root already
    }

    for (uint32_t i = 0; i < count; ++i) {
        if (vni_sets_find(w->parents, i) == w->firsts[j->block->cells[i].component])
            continue;
        const uint32_t end = i + 1 < count ? j->block->cells[i + 1].first_group : j->block->group_count;
        for (uint32_t g = j->block->cells[i].first_group; g < end; ++g)
            for (uint32_t lane = 0; lane < 4 && j->block->groups[g].to[lane] != VNI_NO_CELL; ++lane)
                vni_sets_join(w->parents, i, j->block->groups[g].to[lane]);
    }

    for (uint32_t i = 0; i < count; ++i) {
        *cell = i;
        if (vni_sets_find(w->parents, i) != w->firsts[j->block->cells[i].component])
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

    for (int axis = 0; axis < 3; ++axis)
        j.keys[axis] = v->keys[axis] + v->cells->base[block];

    // of two faults the one of the lower cell is named: its lists before the fields of the next
    const char* fields = check_cells(&j, cell);
    uint32_t group;
    if (!check_groups(&j, &group)) {
        *cell = worker->owners[group] >> 3;
        return explain_group(&j, group);
    }

    if (fields != NULL)
        return fields;

    for (uint32_t face = 0; face < VNI_FACES; ++face)
        if (j.rank[face] != j.block->rank_count[face])
            return "the number of cells on a face of the block is wrong";

    if (j.sums.area != v->areas[block])
        return "a link inside the block is missing";
    worker->links += j.sums.links;
    return check_components(&j, cell);
}

// ------------------------------------------------------------------------------------------ across a seam

/// One side of a seam.
typedef struct side {
    const vni_cell_block* block;
    const vni_box_key* keys; ///< along the axis
    uint32_t face;
    uint64_t* rows; ///< the face's free voxels: painted here
} side;

/// Paints the rectangle of a cell on a face of the block: a word for each row.
static void paint(uint64_t rows[64], const vni_cell* cell, int axis) {
    const int a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    VNI_ASSERT(cell->low[a] < cell->high[a] && cell->high[a] <= VNI_BLOCK_SIZE);
    const uint64_t bits = ~(uint64_t)0 >> (64 - (cell->high[a] - cell->low[a])) << cell->low[a];
    for (uint32_t row = cell->low[b]; row < cell->high[b]; ++row)
        rows[row] |= bits;
}

static inline bool check_list(const list* l, sums* out) {
    vni_group_facts facts;
    int32_t end = -1;
    const uint32_t to = l->groups[0].to[0];
    uint32_t area;
    if (l->group_count == 1 && to < l->face.to_count &&
        vni_check_single(l->groups, l->face.from, l->face.to[to], l->face.plane, &area)) {
        out->area += area;
        out->links += 1;
        return true;
    }

    for (uint32_t i = 0; i < l->group_count; ++i, end = end_of(&facts)) {
        if (!vni_check_group(l->groups + i, &l->face, &facts) || (i > 0 && !follows(&facts, end)))
            return false;
        out->area += facts.area;
        out->links += facts.links;
    }

    return true;
}

/// Checks the lists of all cells on one side; `first` is where each begins. Paints the face.
static const char* check_side(const vni_seam* seam, const uint32_t* first, const side* from, const side* to,
                              sums* out, uint32_t* cell) {
    const uint32_t plane = from->face & 1 ? 0 : VNI_BLOCK_SIZE; // where the other block has it
    const vni_box_key face = plane | (uint64_t)(127 - plane) << 32;
    list l = {.face = {.to_count = to->block->cell_count, .to = to->keys, .plane = plane}};
    memset(from->rows, 0, 64 * sizeof *from->rows);
    for (uint32_t rank = 0; rank < from->block->rank_count[from->face]; ++rank) {
        *cell = from->block->ranked[from->face][rank];
        VNI_ASSERT(vni_cell_is_on_rim(&from->block->cells[*cell], from->face));

        if (first[rank] > first[rank + 1] || first[rank + 1] > seam->group_count)
            return "has links across the face of its block that do not follow those of the cell before it";
        l.group_count = first[rank + 1] - first[rank];
        if (l.group_count) {
            l.groups = seam->groups + first[rank];
            l.face.from = (from->keys[*cell] & ~VNI_KEY_AXIS) | face;
            if (!check_list(&l, out))
                return explain_list(&l, NULL, 0);
        }

        paint(from->rows, &from->block->cells[*cell], (int)(from->face >> 1));
    }

    *cell = VNI_NO_CELL;
    return NULL;
}

const char* vni_validate_seam(const vni_validation* v, vni_validator* worker, uint32_t block, int axis,
                              uint32_t* in, uint32_t* cell) {
    const vni_cells* cells = v->cells;
    const vni_seam* seam = cells->seams[axis][block];
    const uint32_t upper = block + cells->stride[axis], face = 2 * (uint32_t)axis;
    VNI_ASSERT(seam != NULL && upper < v->block_count);

    const side a = {cells->table[block], v->keys[axis] + cells->base[block], face + 1, worker->rows[0]},
               b = {cells->table[upper], v->keys[axis] + cells->base[upper], face, worker->rows[1]};
    sums s = {0, 0};
    *in = block;
    if (seam->a_count != a.block->rank_count[face + 1] || seam->b_count != b.block->rank_count[face])
        return "the links to the upper neighbour are not those of the cells there";
    if (seam->first[0] != 0 || seam->first[seam->a_count + seam->b_count] != seam->group_count)
        return "there are links to the upper neighbour that belong to no cell";

    const char* what = check_side(seam, seam->first, &a, &b, &s, cell);
    if (what == NULL) {
        *in = upper;
        what = check_side(seam, seam->first + seam->a_count, &b, &a, &s, cell);
    }

    if (what != NULL)
        return what;

    // both faces are painted now: where both are free, exactly one link of each side must lie
    uint64_t area = 0;
    for (uint32_t row = 0; row < 64; ++row)
        area += vni_popcount(a.rows[row] & b.rows[row]);

    *in = block;
    worker->links += s.links;
    return s.area == 2 * area ? NULL : "a link to the upper neighbour is missing";
}
