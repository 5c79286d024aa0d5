/// cells/validate_links.c: checks the links inside a block, and across the face between two.
///
/// The cells are known to be right by now. Each link must be exactly the rectangle that its two cells share,
/// and lists are in strict order, so that no link comes twice. If then the areas of all links add up to the
/// number of pairs of free neighbours in different cells (validate_cover.c), no link is missing, and each has
/// its reverse. That proves completeness without searching for neighbours.
#include "base/sets.h"
#include "cells/validate.h"
#include "geom/vec.h"

#include <string.h>

/// The links through one face of a cell.
typedef struct list {
    const vni_link_group* groups;
    uint32_t group_count;
    uint32_t to_count;
    const vni_box_key* to; ///< the cells beyond
    const vni_cell* cells; ///< the same, if they must be of the same component as this one; or null
    vni_box_key
        from;       ///< the cell, along the axis; across a seam: its face, in coordinates of the other block
    uint32_t plane; ///< coordinate of the face
    uint32_t component;
} list;

/// Sums over lists.
typedef struct sums {
    uint64_t area, links;
    uint32_t least; ///< the lowest cell beyond any link
} sums;

/// The low and high ends of four lanes in one word: low ends in the lower half, high ends in the upper.
/// Masked with VNI_KEY_AXIS it is the *pair* of lane 0, in the layout of a key; shifted right by 8 before,
/// that of the next lane.
///
///     bit   63..56  55..48  47..40  39..32  31..24  23..16  15...8  7...0
///           high 3  high 2  high 1  high 0  low 3   low 2   low 1   low 0
static inline uint64_t four_pairs(const uint8_t low[4], const uint8_t high[4]) {
    return (uint64_t)low[0] | (uint64_t)low[1] << 8 | (uint64_t)low[2] << 16 | (uint64_t)low[3] << 24 |
           (uint64_t)high[0] << 32 | (uint64_t)high[1] << 40 | (uint64_t)high[2] << 48 |
           (uint64_t)high[3] << 56;
}

/// High minus low of a pair.
static inline uint32_t extent(uint64_t pair) {
    return (uint32_t)(pair >> 32) - (uint32_t)pair;
}

/// The part of a key that a flat box in this plane has along the axis. The xor turns all high sides of a key,
/// so that (key ^ plane_key) has plain high sides across the axis, and 0 along it if the key lies in the
/// plane.
static inline uint64_t plane_key(uint32_t at) {
    VNI_ASSERT(at <= VNI_BLOCK_SIZE);
    return (at | (uint64_t)at << 32) ^ VNI_KEY_HIGH;
}

/// Do two cells share exactly the rectangle with the sides a and b (pairs), in this plane? One comparison of
/// all six numbers.
static inline bool share(vni_box_key from, vni_box_key to, uint64_t plane, uint64_t a, uint64_t b) {
    return (vni_key_shared(from, to) ^ plane) == (a << 8 | b << 16);
}

/// By number of links in a group: the lanes of four_pairs that must be equal to the next one.
static const uint64_t filled_up[4] = {0, 0x00ffffff00ffffffu, 0x00ffff0000ffff00u, 0x00ff000000ff0000u};

/// Do the lanes from `lane` on repeat the rectangle of the last link, and lead to no cell?
static inline bool check_end(const vni_link_group* g, uint32_t lane) {
    VNI_ASSERT(lane < 4);
    const uint64_t a = four_pairs(g->low_a, g->high_a), b = four_pairs(g->low_b, g->high_b);
    return lane > 0 && (((a ^ a >> 8) | (b ^ b >> 8)) & filled_up[lane]) == 0 &&
           (g->to[lane] & g->to[lane < 2 ? 2 : 3] & g->to[3]) == VNI_NO_CELL;
}

/// Are all links of a list right, in strict order, and the lanes after the last one filled up?
static bool check_list(const list* l, sums* out) {
    const uint64_t plane = plane_key(l->plane);
    uint32_t least = out->least, lane = 4, area = 0;
    int32_t corner = -1; // low corner of the link before: b << 8 | a, which must grow
    for (uint32_t i = 0; i < l->group_count; ++i) {
        const vni_link_group* g = &l->groups[i];
        uint64_t a = four_pairs(g->low_a, g->high_a), b = four_pairs(g->low_b, g->high_b);
        if (lane < 4)
            return false; // a gap before this group

        for (lane = 0; lane < 4 && g->to[lane] < l->to_count; ++lane, a >>= 8, b >>= 8) {
            const uint64_t pair_a = a & VNI_KEY_AXIS, pair_b = b & VNI_KEY_AXIS;
            const uint32_t to = g->to[lane], width = extent(pair_a), height = extent(pair_b);
            const int32_t next = (int32_t)((uint32_t)pair_b << 8 | (uint32_t)pair_a);

            // (n - 1) >> 31 is not 0 for 0 and for a negative n: the rectangle is empty
            if (!share(l->from, l->to[to], plane, pair_a, pair_b) || next <= corner || (width - 1) >> 31 ||
                (height - 1) >> 31)
                return false;
            if (l->cells != NULL && l->cells[to].component != l->component)
                return false;

            least = to < least ? to : least;
            area += width * height;
            corner = next;
        }

        out->links += lane;
        if (lane < 4 && !check_end(g, lane))
            return false;
    }

    out->area += area;
    out->least = least;
    return true;
}

/// Why check_list failed. Slow, and only for the message.
static const char* explain_list(const list* l) {
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
        if (l->cells != NULL && l->cells[to].component != l->component)
            return "is linked with a cell of another component";
    }

    return "has a portal that is not what the two cells share, or a list that is out of order or not filled "
           "up";
}

/// check_list for a list of one link, as most are, to a cell with this key. False: it is of another form, or
/// wrong; nothing was added.
static inline bool check_single(const vni_link_group* g, vni_box_key from, vni_box_key to, uint32_t plane,
                                sums* out) {
    const uint64_t all_a = four_pairs(g->low_a, g->high_a), all_b = four_pairs(g->low_b, g->high_b),
                   a = all_a & VNI_KEY_AXIS, b = all_b & VNI_KEY_AXIS;
    const uint32_t width = extent(a), height = extent(b);
    if (!share(from, to, plane_key(plane), a, b) || all_a != a * 0x01010101u || all_b != b * 0x01010101u ||
        (g->to[2] & g->to[3]) != VNI_NO_CELL || (width - 1) >> 31 || (height - 1) >> 31)
        return false;

    out->area += width * height;
    out->links += 1;
    return true;
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

/// Ranks of the cells on a face of the block must follow the order of cells.
static bool check_ranks(job* j, uint32_t cell) {
    VNI_ASSERT(cell < j->block->cell_count);

    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        if (!vni_cell_is_on_rim(&j->block->cells[cell], face))
            continue;
        const uint32_t rank = j->rank[face]++;
        if (rank >= j->block->rank_count[face] || j->block->cells[cell].faces[face] != rank ||
            j->block->ranked[face][rank] != cell)
            return false;
    }

    return true;
}

/// Is a low side at 0, or a high one at 64? A test for a zero byte.
static inline bool touches_rim(vni_box_key key) {
    key ^= 0x003f3f3f00000000u; // 127 - 64: turns a high side at 64 into 0
    return ((key - 0x0001010100010101u) & ~key & VNI_KEY_TOPS) != 0;
}

/// Checks the lists of a cell. Its parent becomes the lowest cell that it is linked with, or itself.
static inline const char* check_lists(job* j, uint32_t cell, bool on_rim) {
    const vni_cell_block* b = j->block;
    const vni_cell* c = &b->cells[cell];
    list l = {.to_count = b->cell_count, .cells = b->cells, .component = c->component};
    sums s = {j->sums.area, j->sums.links, cell};
    VNI_ASSERT(j->group <= b->group_count);

    uint32_t group = j->group;
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        const uint32_t axis = face >> 1, count = c->faces[face],
                       plane = face & 1 ? c->high[axis] : c->low[axis];
        if (count == 0 || (on_rim && vni_cell_is_on_rim(c, face)))
            continue;
        if (count > b->group_count - group)
            return "has more links than its block";

        const vni_link_group* g = b->groups + group;
        const vni_box_key* keys = j->keys[axis];
        const uint32_t to = g->to[0];
        group += count;

        // the frequent form first; the general check also gives the reason if this one fails
        if (count == 1 && g->to[1] == VNI_NO_CELL && to < b->cell_count &&
            b->cells[to].component == c->component && check_single(g, keys[cell], keys[to], plane, &s)) {
            s.least = to < s.least ? to : s.least;
            continue;
        }

        l.groups = g;
        l.group_count = count;
        l.to = keys;
        l.from = keys[cell];
        l.plane = plane;

        if (!check_list(&l, &s))
            return explain_list(&l);
    }

    j->worker->parents[cell] = s.least;
    j->sums = s;
    j->group = group;
    return NULL;
}

/// Checks the fields of each cell, and its lists.
static const char* check_cells(job* j, uint32_t* cell) {
    uint32_t components = 0;
    for (uint32_t i = 0; i < j->block->cell_count; ++i) {
        const vni_cell* c = &j->block->cells[i];
        const bool on_rim = touches_rim(j->keys[0][i]);
        *cell = i;
        if (c->first_group != j->group)
            return "has links that do not follow those of the cell before it";
        if (on_rim && !check_ranks(j, i))
            return "has a wrong rank on a face of its block";
        if (c->component > components || c->component >= j->block->component_count)
            return "has a component out of order";

        if (c->component == components)
            j->worker->firsts[components++] = i;

        const char* what = check_lists(j, i, on_rim);
        if (what != NULL)
            return what;
    }

    *cell = VNI_NO_CELL;
    if (j->group != j->block->group_count)
        return "there are links that belong to no cell";

    return components == j->block->component_count ? NULL : "the number of components is wrong";
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
    VNI_ASSERT(j.block->cell_count <= v->most_cells);

    for (int axis = 0; axis < 3; ++axis)
        j.keys[axis] = v->keys[axis] + v->cells->base[block];

    const char* what = check_cells(&j, cell);
    if (what != NULL)
        return what;

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

/// Checks the lists of all cells on one side; `first` is where each begins. Paints the face.
static const char* check_side(const vni_seam* seam, const uint32_t* first, const side* from, const side* to,
                              sums* out, uint32_t* cell) {
    const uint32_t plane = from->face & 1 ? 0 : VNI_BLOCK_SIZE; // where the other block has it
    const vni_box_key face = plane | (uint64_t)(127 - plane) << 32;
    list l = {.to_count = to->block->cell_count, .to = to->keys, .plane = plane};
    memset(from->rows, 0, 64 * sizeof *from->rows);
    for (uint32_t rank = 0; rank < from->block->rank_count[from->face]; ++rank) {
        *cell = from->block->ranked[from->face][rank];
        VNI_ASSERT(vni_cell_is_on_rim(&from->block->cells[*cell], from->face));

        if (first[rank] > first[rank + 1] || first[rank + 1] > seam->group_count)
            return "has links across the face of its block that do not follow those of the cell before it";
        l.group_count = first[rank + 1] - first[rank];
        if (l.group_count) {
            l.groups = seam->groups + first[rank];
            l.from = (from->keys[*cell] & ~VNI_KEY_AXIS) | face;
            if (!check_list(&l, out))
                return explain_list(&l);
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
    sums s = {0, 0, UINT32_MAX};
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
