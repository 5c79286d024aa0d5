/// query/passage_search.c: the widest path between two voxels of a layer, by a search from both ends.
///
/// The widest path problem (Pollack 1960) by a best-first search whose key is the width of a voxel, not a
/// sum: a path is as wide as its narrowest voxel. Widths are kept as squares, in voxels.
///
/// `bound2` is proven: no path is wider. It begins at the cap of the request and at the widths of the two
/// ends. Each side keeps its open voxels in a heap: those as wide as the bound first (they are not told
/// apart), the others after them by width. When a side has no open voxel as wide as the bound left, its
/// widest one is a new bound: every path to the other end leaves what the side has taken through one of its
/// open voxels, or through one that the other side had taken already (the `bridge` is the widest of those).
/// So everything that was ever taken is at least as wide as the bound, and the first voxel that both sides
/// have reached and that is as wide as the bound lies on a widest path.
///
/// A wider layer that opens no more doors is a map of voxels with at least its own radius. If the bound
/// begins no higher than that, its cells stand for those voxels: each is taken as a whole, and only where it
/// borders on voxels of the narrower layer these are visited one by one. A whole region of the wider layer
/// can be reached where one of its cells can: a side owns the regions that it has come to, and the other side
/// need not go through them.
///
/// Where one end lies in a region of the wider layer, for the same doors, and the other end does not, no path
/// is as wide as that layer, so the bound begins there (`is_parted`). It also ends there if the walls of the
/// narrower layer do not show why: what lies beyond the bounds blocks no voxel, but the wider layer knows of
/// it.
#include "query/passage_search.h"
#include "base/assert.h"
#include "probe/nearest.h"
#include "query/far_walls.h"

#include <math.h>

/// Nodes that one side takes before it is the other's turn: first one, then twice as many each time, up to
/// this: after a turn the other side may have to rebuild its heap for a lower bound, which should not happen
/// too often.
#define LONGEST_TURN 64

/// Regions that a side remembers; forgetting more costs time only.
#define MAX_REGIONS 32

/// Blocks passed in a search for far walls that count as much as a node.
#define LOOKS_OF_NODE 64

// A node has the number of its voxel; a cell of the wider layer has that of its low corner. A node's `parent`
// holds its side in the highest bit, since the grid's numbers are below 2^31. An end is its own parent.
//
//      31 30                      0
//     [side|  parent's number      ]
#define SIDE_SHIFT 31
#define NODE_MASK  0x7fffffffu

typedef struct region {
    uint32_t label; ///< in the wider layer
    uint32_t node;  ///< where the side came in
} region;

typedef struct side {
    vni_heap open; ///< key: minus the width, then the distance to the other end, both squared
    vn_voxel from, to;
    region regions[MAX_REGIONS];
    uint32_t region_count;
} side;

typedef struct passage {
    const vn_space* layer;
    const vn_space* wider; ///< null, or a layer that opens no more, with cells
    bool by_cells;         ///< the bound is no more than the wider layer's width
    const vni_grid* grid;  ///< for its numbers; all layers have the same
    vni_scratch* scratch;
    side sides[2];
    double wider2;      ///< width that the voxels of the wider layer have at least
    bool is_parted;     ///< no path is as wide as the wider layer
    double bound2;      ///< no path is wider
    double bridge2;     ///< the widest voxel that both have reached; below 0: none
    uint32_t bridge[2]; ///< the nodes of each side that meet there
    uint64_t expanded, budget;
    vni_far_walls far;
} passage;

// ------------------------------------------------------------------------------------------------ widths

static bool is_free(const vn_space* space, vn_voxel v) {
    return vni_occupancy_free_at(&space->occupancy, v.x, v.y, v.z);
}

/// A quick test of the 26 voxels around one that is not at the bounds: most voxels near walls end here.
static bool touches_wall(const vni_occupancy* o, vn_voxel v) {
    bool is_inner =
        v.x > 0 && v.y > 0 && v.z > 0 && v.x < o->dims[0] - 1 && v.y < o->dims[1] - 1 && v.z < o->dims[2] - 1;
    return is_inner && vni_grid_free_around(o, v) != (1u << 27) - 1;
}

/// The squared width of a free voxel by the walls of the layer, at most `most2`. Distances between cubes of
/// the lattice are roots of whole numbers, so rounding the square makes it exact.
static double width2_in_layer(passage* p, vn_voxel v, double most2) {
    vn_voxel wall;
    if (touches_wall(&p->layer->occupancy, v))
        return 0;

    double distance, most = sqrt(most2);
    vni_vec low = vni_v(v.x, v.y, v.z), high = vni_v(v.x + 1.0, v.y + 1.0, v.z + 1.0);
    bool found = most > VNI_FAR
                     ? vni_far_walls_find(&p->far, v, most, &distance)
                     : vni_nearest_blocked(&p->layer->occupancy, low, high, most, &wall, &distance);

    if (!found)
        return most2;
    double whole2 = floor(distance * distance + 0.5);
    return whole2 < most2 ? whole2 : most2;
}

/// The squared width of a free voxel, at most `most2`: at least that of the wider layer if it is free there
/// too, which often saves the search for walls.
static double width2_of(passage* p, vn_voxel v, double most2) {
    VNI_ASSERT(most2 >= 0);
    bool in_wider = p->wider != NULL && is_free(p->wider, v);
    if (in_wider && p->wider2 >= most2)
        return most2;
    double width2 = width2_in_layer(p, v, most2);
    return in_wider && width2 < p->wider2 ? p->wider2 : width2;
}

/// Squared distance from a voxel to the nearest one of [low, high), between their centres. It breaks ties
/// between equal widths: open space is crossed towards the other end.
static double distance2(vn_voxel from, vn_voxel low, vn_voxel high) {
    vn_voxel last = {high.x - 1, high.y - 1, high.z - 1};
    double x = from.x < low.x ? low.x - from.x : from.x > last.x ? from.x - last.x : 0;
    double y = from.y < low.y ? low.y - from.y : from.y > last.y ? from.y - last.y : 0;
    double z = from.z < low.z ? low.z - from.z : from.z > last.z ? from.z - last.z : 0;
    return x * x + y * y + z * z;
}

// ------------------------------------------------------------------------------------------------ meeting

static void offer_bridge(passage* p, uint32_t k, double width2, uint32_t own, uint32_t other) {
    if (width2 <= p->bridge2)
        return;
    p->bridge2 = width2;
    p->bridge[k] = own;
    p->bridge[1 - k] = other;
}

static bool have_met(const passage* p) {
    return p->bridge2 >= p->bound2;
}

/// Side k comes from `own` to a node in a region of the wider layer.
static void enter_region(passage* p, uint32_t k, uint32_t own, uint32_t node, uint32_t label) {
    VNI_ASSERT(p->by_cells && p->wider2 >= p->bound2);

    const side* other = &p->sides[1 - k];
    side* s = &p->sides[k];
    for (uint32_t i = 0; i < other->region_count; ++i)
        if (other->regions[i].label == label)
            offer_bridge(p, k, p->bound2, own, other->regions[i].node);

    for (uint32_t i = 0; i < s->region_count; ++i)
        if (s->regions[i].label == label)
            return;

    if (s->region_count < MAX_REGIONS)
        s->regions[s->region_count++] = (region){label, node};
}

static void find_corners(const vni_cells* cells, vni_cell_ref ref, vn_voxel* low, vn_voxel* high) {
    const vni_block_view* view = &cells->views[ref.block];
    const vn_voxel_box box = vni_cell_voxels(view, &view->cells[ref.cell]);
    *low = box.low;
    *high = box.high;
}

// ------------------------------------------------------------------------------------------------ growing

/// Side k reaches a node that stands for the voxels [low, high) from one that it has taken (`own`; an end:
/// from itself). False if the scratch is full.
static bool reach(passage* p, uint32_t k, uint32_t own, vn_voxel low, vn_voxel high, bool is_cell) {
    side* s = &p->sides[k];
    uint32_t node = vni_grid_node(p->grid, low), slot = vni_scratch_slot(p->scratch, node);
    VNI_ASSERT(node <= NODE_MASK && is_free(p->layer, low));

    if (slot == UINT32_MAX)
        return false;
    // A node belongs to the side that reaches it first. The other side may meet it there, but need not take
    // it.
    vni_node* record = &p->scratch->nodes[slot];
    if (record->position != VNI_NODE_UNSEEN) {
        if (record->parent >> SIDE_SHIFT != k)
            offer_bridge(p, k, record->g, own, node);
        return true;
    }

    record->g = is_cell ? p->bound2 : width2_of(p, low, p->bound2);
    record->parent = own | k << SIDE_SHIFT;
    return vni_heap_push(&s->open, (vni_heap_entry){-record->g, distance2(s->to, low, high), node, slot});
}

static bool reach_cell(passage* p, uint32_t k, uint32_t own, vni_cell_ref ref) {
    vn_voxel low, high;
    find_corners(&p->wider->cells, ref, &low, &high);
    return reach(p, k, own, low, high, true);
}

/// Side k reaches a free voxel from one outside of the wider layer; null `own`: as its end.
static bool reach_voxel(passage* p, uint32_t k, const uint32_t* own, vn_voxel v) {
    vn_voxel low = v, high = {v.x + 1, v.y + 1, v.z + 1};
    vni_cell_ref ref;
    bool is_cell = p->by_cells && is_free(p->wider, v) && vni_cells_find(&p->wider->cells, v, &ref);
    if (is_cell)
        find_corners(&p->wider->cells, ref, &low, &high);

    uint32_t node = vni_grid_node(p->grid, low), from = own != NULL ? *own : node;
    if (is_cell)
        enter_region(p, k, from, node, vni_cells_component(&p->wider->cells, ref));

    return reach(p, k, from, low, high, is_cell);
}

static bool expand_voxel(passage* p, uint32_t k, uint32_t node, vn_voxel v) {
    uint32_t around = vni_grid_free_around(&p->layer->occupancy, v);
    for (uint32_t d = 0; d < 6; ++d) {
        const int32_t* step = p->grid->step[d];
        vn_voxel to = {v.x + step[0], v.y + step[1], v.z + step[2]};
        if ((around & p->grid->needs[d]) == p->grid->needs[d] && !reach_voxel(p, k, &node, to))
            return false;
    }

    return true;
}

/// The voxels beyond a face of a cell that are free in the narrower layer only.
static bool expand_rim(passage* p, uint32_t k, uint32_t node, vni_cell_ref ref, uint32_t face) {
    const vni_block_view* view = &p->wider->cells.views[ref.block];
    const int axis = (int)(face >> 1), a = vni_other_axes[axis][0], b = vni_other_axes[axis][1];
    int32_t at[3], low[3], high[3];
    vni_cell_bounds(view, &view->cells[ref.cell], low, high);
    at[axis] = face & 1 ? high[axis] : low[axis] - 1;

    if (at[axis] < 0 || at[axis] >= p->layer->occupancy.dims[axis])
        return true;
    for (at[b] = low[b]; at[b] < high[b]; ++at[b])
        for (at[a] = low[a]; at[a] < high[a]; ++at[a]) {
            vn_voxel v = {at[0], at[1], at[2]}, end = {v.x + 1, v.y + 1, v.z + 1};
            if (is_free(p->layer, v) && !is_free(p->wider, v) && !reach(p, k, node, v, end, false))
                return false;
        }

    return true;
}

/// The cells beyond a face, and the voxels on the part of it that they do not cover.
static bool expand_face(passage* p, uint32_t k, uint32_t node, vni_cell_ref ref, uint32_t face) {
    const vni_cell* c = &p->wider->cells.views[ref.block].cells[ref.cell];
    const int a = vni_other_axes[face >> 1][0], b = vni_other_axes[face >> 1][1];
    const vni_link_group* groups;
    uint32_t beyond, covered = 0, count = vni_cells_face(&p->wider->cells, ref, face, &groups, &beyond);
    for (uint32_t i = 0; i < 4 * count; ++i) {
        const vni_link_group* g = &groups[i >> 2];
        uint32_t j = i & 3;
        if (g->to[j] == VNI_NO_CELL)
            break;

        covered += (uint32_t)((g->high_a[j] - g->low_a[j]) * (g->high_b[j] - g->low_b[j]));
        if (!reach_cell(p, k, node, (vni_cell_ref){beyond, g->to[j]}))
            return false;
    }

    // Portals of one face do not overlap: their areas add up to the whole face, or a part of it is open.
    uint32_t area = (uint32_t)((c->high[a] - c->low[a]) * (c->high[b] - c->low[b]));
    VNI_ASSERT(covered <= area);

    return covered == area || expand_rim(p, k, node, ref, face);
}

static bool expand(passage* p, uint32_t k, uint32_t node) {
    vn_voxel v = vni_grid_voxel(p->grid, node);
    vni_cell_ref ref;
    if (!p->by_cells || !is_free(p->wider, v) || !vni_cells_find(&p->wider->cells, v, &ref))
        return expand_voxel(p, k, node, v);

    for (uint32_t face = 0; face < VNI_FACES; ++face)
        if (!expand_face(p, k, node, ref, face))
            return false;

    return true;
}

/// The bound has fallen since the heap was filled, and entries that were told apart no longer are: from the
/// last entry to the first, each sinks to its place, as in building a heap (Floyd 1964).
static void merge_widths(side* s, double bound2) {
    for (uint32_t i = s->open.count; i-- > 0;) {
        vni_heap_entry e = s->open.entries[i];
        vni_heap_update(&s->open, i, e.key < -bound2 ? -bound2 : e.key, e.tie);
    }
}

/// Lowers the bound if the side has no open voxel left that is as wide. False if it has none left at all: no
/// path connects the ends.
static bool prove_bound(passage* p, side* s) {
    double widest2 = s->open.count > 0 ? -s->open.entries[0].key : -1;
    if (widest2 > p->bound2)
        merge_widths(s, p->bound2);
    else if (widest2 < p->bound2)
        p->bound2 = widest2 > p->bridge2 ? widest2 : p->bridge2;
    return p->bound2 >= 0;
}

/// Takes one node on side k. VN_RUNNING, VN_OK, VN_NO_PATH, VN_BUDGET_SPENT, VN_CAPACITY.
static vn_status advance(passage* p, uint32_t k) {
    side* s = &p->sides[k];
    if (!prove_bound(p, s))
        return VN_NO_PATH;
    if (have_met(p))
        return VN_OK;
    if (p->budget && p->expanded + p->far.looks / LOOKS_OF_NODE >= p->budget)
        return VN_BUDGET_SPENT;

    VNI_ASSERT(s->open.count > 0);

    vni_heap_entry entry = vni_heap_pop(&s->open);
    VNI_ASSERT(p->scratch->nodes[entry.slot].g >= p->bound2);

    p->scratch->nodes[entry.slot].position = VNI_NODE_CLOSED;
    ++p->expanded;
    if (!expand(p, k, entry.id))
        return VN_CAPACITY;

    return have_met(p) ? VN_OK : VN_RUNNING;
}

static vn_status run(passage* p) {
    vn_status status = have_met(p) ? VN_OK : VN_RUNNING;
    for (uint32_t turn = 1; status == VN_RUNNING; turn = turn < LONGEST_TURN ? 2 * turn : turn)
        for (uint32_t i = 0; i < 2 * turn && status == VN_RUNNING; ++i)
            status = advance(p, i / turn);
    return status;
}

// ---------------------------------------------------------------------------------------------- beginning

/// Each side gets half of the entries of the scratch for its heap.
static void begin_side(passage* p, uint32_t k, vn_voxel from, vn_voxel to) {
    side* s = &p->sides[k];
    uint32_t half = p->scratch->page_capacity << 5;
    VNI_ASSERT(half > 0);
    s->open = (vni_heap){p->scratch->entries + (size_t)k * half, 0, half,
                         (unsigned char*)&p->scratch->nodes[0].position, sizeof(vni_node)};
    s->from = from;
    s->to = to;
    s->region_count = 0;
}

/// One end lies in a region of the wider layer, for the same doors. Then the other end does not lie in the
/// same region, or that layer would have connected them.
static bool are_parted(const passage* p) {
    if (p->wider == NULL || p->wider->open_flags != p->layer->open_flags)
        return false;
    return is_free(p->wider, p->sides[0].from) || is_free(p->wider, p->sides[1].from);
}

static void begin_bound(passage* p, double cap) {
    p->is_parted = are_parted(p);
    p->bound2 = p->is_parted && p->wider2 < cap * cap ? p->wider2 : cap * cap;
    p->bound2 = width2_of(p, p->sides[0].from, p->bound2);
    p->bound2 = width2_of(p, p->sides[1].from, p->bound2);
    p->bridge2 = -1;
}

static vn_status begin(passage* p, double cap) {
    VNI_ASSERT(cap >= 0 && p->wider2 >= 0);

    vni_scratch_reset(p->scratch);
    vni_far_walls_begin(&p->far, &p->layer->occupancy);
    begin_bound(p, cap);
    p->by_cells = p->wider != NULL && p->wider2 >= p->bound2;
    for (uint32_t k = 0; k < 2; ++k)
        if (!reach_voxel(p, k, NULL, p->sides[k].from))
            return VN_CAPACITY;

    return VN_OK;
}

// ------------------------------------------------------------------------------------------------- result

/// No wider than the path as a whole.
static bool is_narrow(passage* p, vn_voxel v) {
    return p->is_parted && p->bound2 >= p->wider2 ? !is_free(p->wider, v)
                                                  : width2_of(p, v, p->bound2 + 1) <= p->bound2;
}

/// Searches the parents of a node, back to its end, for a narrow voxel: the first, or the last.
static bool find_narrow(passage* p, uint32_t node, bool first, vn_voxel* out) {
    bool found = false;
    for (uint32_t last = UINT32_MAX; node != last && !(found && first);) {
        const vni_node* record = vni_scratch_find(p->scratch, node);
        VNI_ASSERT(record != NULL && record->position != VNI_NODE_UNSEEN);

        vn_voxel v = vni_grid_voxel(p->grid, node);
        if (record->g <= p->bound2 && is_narrow(p, v)) { // what was wider than a former bound is no candidate
            *out = v;
            found = true;
        }

        last = node;
        node = record->parent & NODE_MASK;
    }

    return found;
}

/// The narrowest voxel of the path that was found, of equals the one nearest to the start. Cells of the wider
/// layer are wider, but for an end that may be as narrow as that layer. The start if the path is wider than
/// the cap.
static vn_voxel bottleneck_of(passage* p) {
    vn_voxel start = p->sides[0].from, goal = p->sides[1].from, found;
    if (is_narrow(p, start))
        return start;
    if (find_narrow(p, p->bridge[0], false, &found) || find_narrow(p, p->bridge[1], true, &found))
        return found;
    return is_narrow(p, goal) ? goal : start;
}

static double radius_of(const passage* p, double cap, double up_to, bool* limited) {
    double own = (double)p->layer->radius;
    *limited = p->bound2 >= cap * cap && !(p->is_parted && p->bound2 >= p->wider2);
    if (*limited)
        return up_to > own ? up_to : own;
    return own + sqrt(p->bound2) * (double)p->layer->resolution;
}

// ---------- running

vn_status vni_passage_search_run(vni_passage_search* s, vn_passage* out) {
    const vn_space *layer = s->layer, *wider = s->wider;
    VNI_ASSERT((layer->occupancy.dims[0] + 3) >> 2 == s->grid->bricks[0]); // all layers have one grid

    double size = (double)layer->resolution, own = (double)layer->radius;
    double cap = s->up_to > own ? (s->up_to - own) / size : 0;
    double width = wider != NULL ? ((double)wider->radius - own) / size : 0;
    passage p = {.layer = layer,
                 .wider = wider,
                 .grid = s->grid,
                 .scratch = s->scratch,
                 .wider2 = width * width,
                 .expanded = s->expanded,
                 .budget = s->budget,
                 .far.looks = s->looks};
    begin_side(&p, 0, s->start, s->goal);
    begin_side(&p, 1, s->goal, s->start);

    vn_status status = begin(&p, cap);
    if (status == VN_OK)
        status = run(&p);
    s->expanded = p.expanded;
    s->looks = p.far.looks;

    // Without cells it is not known beforehand whether the ends are connected at all. With cells they are,
    // and a search that ends early still proves the radius of the layer.
    out->expanded = p.expanded;
    if (status != VN_OK && !vni_space_has_cells(layer))
        return status;
    VNI_ASSERT(status != VN_NO_PATH);

    out->layer_radius = layer->radius;
    out->radius = own;
    if (status == VN_OK) {
        out->radius = radius_of(&p, cap, s->up_to, &out->limited);
        out->bottleneck = vn_voxel_center(bottleneck_of(&p));
    }

    return status;
}
