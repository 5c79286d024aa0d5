/// space/cells_validate_links.c: are the links right, inside a block and across the face between two?
///
/// By now the cells are known to be right. Each rectangle must be just what the two cells share, and the
/// lists are in strict order, so that none is there twice: if then the areas add up to the number of free
/// neighbours that lie in different cells, none is missing either, and each has its reverse.
///
/// Most lists hold one link, many none, and no processor guesses which. So the lists of a block are noted first;
/// then one straight loop checks them as if they had one link, and keeps those that have more for a closer look.
#include "base/sets.h"
#include "geom/vec.h"
#include "space/validate.h"

#include <string.h>

/// The links through one face of a cell.
typedef struct list {
    const vni_link_group* groups;
    uint32_t group_count;
    uint32_t to_count;
    const vni_box_key* to; ///< the cells beyond
    vni_box_key from;      ///< the cell along the axis; across a seam: its face, where the other block sees it
    uint32_t plane;        ///< where the face is
} list;

/// What lists add up to.
typedef struct sums {
    uint64_t area, links;
} sums;

/// Two times four bytes; with VNI_KEY_AXIS the first pair of them.
static inline uint64_t four_pairs(const uint8_t low[4], const uint8_t high[4]) {
    return (uint64_t)low[0] | (uint64_t)low[1] << 8 | (uint64_t)low[2] << 16 | (uint64_t)low[3] << 24 |
           (uint64_t)high[0] << 32 | (uint64_t)high[1] << 40 | (uint64_t)high[2] << 48 |
           (uint64_t)high[3] << 56;
}

/// High minus low of a pair.
static inline uint32_t extent(uint64_t pair) {
    return (uint32_t)(pair >> 32) - (uint32_t)pair;
}

/// Zero if two cells share just the rectangle whose sides are the pairs a and b, in this plane.
static inline uint64_t differs(vni_box_key from, vni_box_key to, uint32_t plane, uint64_t a, uint64_t b) {
    return vni_key_shared(from, to) ^ VNI_KEY_HIGH ^ (plane | (uint64_t)plane << 32 | a << 8 | b << 16);
}

/// By number of links in a group: the lanes that must be like the next one.
static const uint64_t filled_up[5] = {0, 0x00ffffff00ffffffu, 0x00ffff0000ffff00u, 0x00ff000000ff0000u, 0};

/// Are all links of a group right, and the places after them filled up with the last one? `*corner` is that of
/// the link before it, as a number that grows.
static inline bool check_group(const list* l, const vni_link_group* g, bool is_last, int32_t* corner,
                               sums* out) {
    const uint64_t all_a = four_pairs(g->low_a, g->high_a), all_b = four_pairs(g->low_b, g->high_b);
    uint64_t a = all_a, b = all_b, wrong = 0;
    uint32_t negative = 0, lane = 0; // the top bit of `negative` counts
    for (; lane < 4 && g->to[lane] < l->to_count; ++lane, a >>= 8, b >>= 8) {
        const uint64_t pair_a = a & VNI_KEY_AXIS, pair_b = b & VNI_KEY_AXIS;
        const uint32_t width = extent(pair_a), height = extent(pair_b);
        const int32_t next = (int32_t)((uint32_t)pair_b << 8 | (uint32_t)pair_a);
        wrong |= differs(l->from, l->to[g->to[lane]], l->plane, pair_a, pair_b);
        negative |= (width - 1) | (height - 1) | (uint32_t)(next - *corner - 1);
        *corner = next;
        out->area += width * height;
    }
    out->links += lane;
    if (lane < 4) {
        if (lane == 0 || !is_last)
            return false;
        wrong |= ((all_a ^ all_a >> 8) | (all_b ^ all_b >> 8)) & filled_up[lane];
        wrong |= (g->to[lane] & g->to[lane < 2 ? 2 : 3] & g->to[3]) ^ VNI_NO_CELL;
    }
    return wrong == 0 && !(negative >> 31);
}

static const char* explain_group(const list* l, const vni_link_group* g, bool is_last) {
    uint32_t lane = 0;
    for (uint32_t i = 0; i < 4; ++i)
        if (g->to[i] != VNI_NO_CELL && g->to[i] >= l->to_count)
            return "has a link to a cell that does not exist";
    while (lane < 4 && g->to[lane] != VNI_NO_CELL)
        ++lane;
    for (uint32_t i = lane; i < 4; ++i)
        if (lane == 0 || !is_last || g->to[i] != VNI_NO_CELL)
            return "has a gap in a list of links";
    return "has a portal that is not what the two cells share, or is out of order";
}

static const char* check_list(const list* l, sums* out) {
    int32_t corner = -1;
    sums s = *out;
    for (uint32_t i = 0; i < l->group_count; ++i) {
        const bool is_last = i + 1 == l->group_count;
        if (!check_group(l, &l->groups[i], is_last, &corner, &s))
            return explain_group(l, &l->groups[i], is_last);
    }
    *out = s;
    return NULL;
}

// ------------------------------------------------------------------------------------------ inside a block

/// Block in work.
typedef struct job {
    const vni_cell_block* block;
    const vni_box_key* keys[3];
    vni_validator* worker;
    uint32_t rank[VNI_FACES];
    uint32_t list_count;
    sums sums;
} job;

/// The cells on a face of the block are numbered in their order.
static bool check_ranks(job* j, uint32_t cell) {
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

/// Is some side at 0 or 64?
static inline bool touches_rim(vni_box_key key) {
    key ^= 0x003f3f3f00000000u; // 64 as 127 - high
    return ((key - 0x0001010100010101u) & ~key & VNI_KEY_TOPS) != 0;
}

/// Notes the lists of a cell whose first group is `group`; returns that of the next cell.
static inline uint64_t note_lists(job* j, uint32_t cell, bool on_rim, uint64_t group) {
    const vni_cell* c = &j->block->cells[cell];
    vni_list_note* notes = j->worker->lists + j->list_count;
    for (uint32_t face = 0; face < VNI_FACES; ++face) {
        const uint32_t count = on_rim && vni_cell_is_on_rim(c, face) ? 0 : c->faces[face];
        *notes = (vni_list_note){8 * cell + face, (uint32_t)group, count};
        notes += count != 0; // or the next one goes over it
        group += count;
    }
    j->list_count = (uint32_t)(notes - j->worker->lists);
    return group;
}

/// What each cell says about itself.
static const char* check_cells(job* j, uint32_t* cell) {
    uint32_t components = 0;
    uint64_t group = 0;
    for (uint32_t i = 0; i < j->block->cell_count; ++i) {
        const vni_cell* c = &j->block->cells[i];
        const bool on_rim = touches_rim(j->keys[0][i]);
        *cell = i;
        if (c->first_group != group || group > j->block->group_count)
            return "has links that do not follow those of the cell before it";
        if (on_rim && !check_ranks(j, i))
            return "has a wrong rank on a face of its block";
        if (c->component > components || c->component >= j->block->component_count)
            return "has a component out of order";
        if (c->component == components)
            j->worker->firsts[components++] = i;
        j->worker->parents[i] = i;
        group = note_lists(j, i, on_rim, group);
    }
    *cell = VNI_NO_CELL;
    if (group != j->block->group_count)
        return "the cells have more links than the block, or less";
    return components == j->block->component_count ? NULL : "the number of components is wrong";
}

/// The cell's side in the face, from its key along the axis.
static inline uint32_t plane_of(vni_box_key key, uint32_t face) {
    return (uint32_t)(face & 1 ? ~(key >> 32) : key) & 127;
}

/// Is the first link of a list right, and are the two cells of one component? If it is the only one, adds it to
/// `out`, and sets `*is_single`; the cell's parent becomes the one beyond if that is lower.
static inline bool check_first(const job* j, const vni_list_note* note, sums* out, bool* is_single) {
    const vni_link_group* g = &j->block->groups[note->group];
    const uint32_t to = g->to[0], cell = note->owner >> 3;
    if (to >= j->block->cell_count)
        return false;
    const vni_box_key *keys = j->keys[note->owner >> 1 & 3], from = keys[cell];
    const uint64_t all_a = four_pairs(g->low_a, g->high_a), all_b = four_pairs(g->low_b, g->high_b),
                   a = all_a & VNI_KEY_AXIS, b = all_b & VNI_KEY_AXIS;
    const uint32_t width = extent(a), height = extent(b), least = j->worker->parents[cell];
    const uint64_t single = 0 - (uint64_t)((note->count == 1) & (g->to[1] == VNI_NO_CELL));
    const uint64_t rest = (all_a ^ a * 0x01010101u) | (all_b ^ b * 0x01010101u) |
                          ((g->to[2] & g->to[3]) ^ VNI_NO_CELL);
    out->area += width * height & single;
    out->links += 1 & single;
    *is_single = single != 0;
    j->worker->parents[cell] = to < least ? to : least;
    return (differs(from, keys[to], plane_of(from, note->owner), a, b) | (rest & single) |
            ((width - 1) | (height - 1)) >> 31 |
            (j->block->cells[to].component ^ j->block->cells[cell].component)) == 0;
}

/// A list in full.
static const char* check_inner_list(const job* j, const vni_list_note* note, sums* out) {
    const uint32_t cell = note->owner >> 3, component = j->block->cells[cell].component;
    const vni_box_key* keys = j->keys[note->owner >> 1 & 3];
    const list l = {j->block->groups + note->group, note->count, j->block->cell_count, keys, keys[cell],
                    plane_of(keys[cell], note->owner)};
    const char* what = check_list(&l, out);
    uint32_t apart = 0, least = j->worker->parents[cell];
    for (uint32_t i = 0; !what && i < l.group_count; ++i)
        for (uint32_t lane = 0; lane < 4 && l.groups[i].to[lane] != VNI_NO_CELL; ++lane) {
            const uint32_t to = l.groups[i].to[lane];
            apart |= j->block->cells[to].component ^ component;
            least = to < least ? to : least;
        }
    j->worker->parents[cell] = least;
    return apart ? "is linked with a cell of another component" : what;
}

/// All lists. Each cell's parent becomes the lowest that it is linked with, if that is below itself.
static const char* check_lists(job* j, uint32_t* cell) {
    vni_list_note* notes = j->worker->lists;
    sums s = {0, 0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < j->list_count; ++i) {
        bool is_single = false;
        const vni_list_note note = notes[i];
        if (!check_first(j, &note, &s, &is_single)) {
            *cell = note.owner >> 3;
            return check_inner_list(j, &note, &s);
        }
        notes[kept] = note;
        kept += !is_single;
    }
    for (uint32_t i = 0; i < kept; ++i) {
        const char* what = check_inner_list(j, &notes[i], &s);
        *cell = notes[i].owner >> 3;
        if (what)
            return what;
    }
    *cell = VNI_NO_CELL;
    j->sums = s;
    return NULL;
}

/// Is each component connected? Each cell's parent is linked with it and not above it, so that there are trees
/// of linked cells; those whose root is not the component's first cell must be linked with another tree.
static const char* check_components(const job* j, uint32_t* cell) {
    const vni_validator* w = j->worker;
    const uint32_t count = j->block->cell_count;
    for (uint32_t i = 0; i < count; ++i)
        w->parents[i] = w->parents[w->parents[i]];
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
    if (!what)
        what = check_lists(&j, cell);
    if (what)
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

static void paint(uint64_t rows[64], const vni_cell* cell, int axis) {
    const int a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    VNI_ASSERT(cell->low[a] < cell->high[a] && cell->high[a] <= VNI_BLOCK_SIZE);
    const uint64_t bits = ~(uint64_t)0 >> (64 - (cell->high[a] - cell->low[a])) << cell->low[a];
    for (uint32_t row = cell->low[b]; row < cell->high[b]; ++row)
        rows[row] |= bits;
}

/// The lists of all cells on one side, `first` where each begins.
static const char* check_side(const vni_seam* seam, const uint32_t* first, const side* from, const side* to,
                              sums* out, uint32_t* cell) {
    const uint32_t plane = from->face & 1 ? 0 : VNI_BLOCK_SIZE; // where the other block has it
    const vni_box_key face = plane | (uint64_t)(127 - plane) << 32;
    list l = {.to_count = to->block->cell_count, .to = to->keys, .plane = plane};
    memset(from->rows, 0, 64 * sizeof *from->rows);
    for (uint32_t rank = 0; rank < from->block->rank_count[from->face]; ++rank) {
        *cell = from->block->ranked[from->face][rank];
        if (first[rank] > first[rank + 1] || first[rank + 1] > seam->group_count)
            return "has links across the face of its block that do not follow those of the cell before it";
        l.groups = seam->groups + first[rank];
        l.group_count = first[rank + 1] - first[rank];
        l.from = (from->keys[*cell] & ~VNI_KEY_AXIS) | face;
        const char* what = check_list(&l, out);
        if (what)
            return what;
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
    VNI_ASSERT(seam && upper < v->block_count);
    const side a = {cells->table[block], v->keys[axis] + cells->base[block], face + 1, worker->rows[0]},
               b = {cells->table[upper], v->keys[axis] + cells->base[upper], face, worker->rows[1]};
    sums s = {0, 0};
    *in = block;
    if (seam->a_count != a.block->rank_count[face + 1] || seam->b_count != b.block->rank_count[face])
        return "the links to the upper neighbour are not those of the cells there";
    if (seam->first[0] != 0 || seam->first[seam->a_count + seam->b_count] != seam->group_count)
        return "there are links to the upper neighbour that belong to no cell";
    const char* what = check_side(seam, seam->first, &a, &b, &s, cell);
    if (!what) {
        *in = upper;
        what = check_side(seam, seam->first + seam->a_count, &b, &a, &s, cell);
    }
    if (what)
        return what;
    uint64_t area = 0;
    for (uint32_t row = 0; row < 64; ++row)
        area += vni_popcount(a.rows[row] & b.rows[row]);
    *in = block;
    worker->links += s.links;
    return s.area == 2 * area ? NULL : "a link to the upper neighbour is missing";
}
