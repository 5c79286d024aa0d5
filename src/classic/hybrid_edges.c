/// classic/hybrid_edges.c: edges of static and dynamic neighbour nodes: found once, sorted three ways.
#include "base/alloc.h"
#include "base/fail.h"
#include "classic/hybrid_inside.h"
#include "geom/lattice.h"

#include <math.h>
#include <string.h>

/// Lists that grow while edges are found.
typedef struct joiner {
    vni_hybrid* h;
    const vni_occupancy* fixed;
    uint64_t edge_capacity;
    uint32_t (*crossings)[2]; ///< dynamic node, edge; in order of the edges
    uint64_t crossing_count, crossing_capacity;
    uint32_t* stamps; ///< by node: last edge that was noted with it, plus one
} joiner;

static bool note(joiner* j, uint32_t node, uint32_t edge) {
    if (j->stamps[node] == edge + 1)
        return true;
    j->stamps[node] = edge + 1;
    if (!vni_grow(&j->h->allocator, &j->crossings, &j->crossing_capacity, j->crossing_count + 1,
                  sizeof *j->crossings))
        return false;

    j->crossings[j->crossing_count][0] = node;
    j->crossings[j->crossing_count++][1] = edge;
    return true;
}

/// Notes the edge with the dynamic voxels of one piece of its line.
static bool note_piece(joiner* j, const vni_lattice_piece* piece, uint32_t edge) {
    for (int32_t z = piece->low[2]; z <= piece->high[2]; ++z)
        for (int32_t y = piece->low[1]; y <= piece->high[1]; ++y)
            for (int32_t x = piece->low[0]; x <= piece->high[0]; ++x) {
                const uint32_t node = vni_hybrid_node(j->h, (vn_voxel){x, y, z});
                if (node != VNI_NO_HYBRID && vni_hybrid_is_dynamic(j->h, node) && !note(j, node, edge))
                    return false;
            }
    return true;
}

static bool note_line(joiner* j, vn_voxel a, vn_voxel b, uint32_t edge) {
    vni_lattice_walk walk = vni_lattice_begin(vn_voxel_center(a), vn_voxel_center(b));
    vni_lattice_piece piece;
    while (vni_lattice_next(&walk, &piece))
        if (!note_piece(j, &piece, edge))
            return false;
    return true;
}

static bool add_edge(joiner* j, uint32_t from, vn_voxel a, vn_voxel b) {
    vni_hybrid* h = j->h;
    if (!vni_grow(&h->allocator, &h->edges, &j->edge_capacity, (uint64_t)h->edge_count + 1, sizeof *h->edges))
        return false;

    const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    const uint32_t edge = h->edge_count++;
    h->edges[edge] = (vni_hybrid_edge){from, vni_hybrid_node(h, b), sqrt(x * x + y * y + z * z)};
    return note_line(j, a, b, edge);
}

/// All edges of one node. The thesis takes what stepping finds; here the straight line must be free, too.
static bool join_node(joiner* j, uint32_t node) {
    const vn_voxel from = vni_hybrid_voxel(j->h, node);
    for (uint32_t d = 0; d < VNI_GRID_DIRECTIONS; ++d) {
        vn_voxel to;
        if (vni_stepper_find(&j->h->stepper, from, j->h->grid.step[d], &to) &&
            vni_hybrid_line_is_open(j->fixed, from, to) && !add_edge(j, node, from, to))
            return false;
    }

    return true;
}

/// Does a direction lead from one voxel to another: has each component of the way the same sign?
static bool leads_to(const int32_t step[3], vn_voxel from, vn_voxel to) {
    const int32_t way[3] = {to.x - from.x, to.y - from.y, to.z - from.z};
    for (int i = 0; i < 3; ++i)
        if ((way[i] > 0) - (way[i] < 0) != step[i])
            return false;
    return true;
}

/// The saved edges of one node. VN_OUT_OF_MEMORY, VN_BAD_FORMAT.
static vn_status take_node(joiner* j, vni_hybrid_saved* saved, uint32_t node, vn_detail* detail) {
    const vni_hybrid* h = j->h;
    const vn_voxel from = vni_hybrid_voxel(h, node);
    uint32_t mask = vni_take_u32(&saved->masks);
    if (mask >> VNI_GRID_DIRECTIONS != 0)
        return vni_fail(detail, VN_BAD_FORMAT, "the saved node %u has edges in directions that there are not",
                        node);

    for (; mask != 0; mask &= mask - 1) {
        const uint32_t to = vni_take_u32(&saved->targets);
        const bool exists = !saved->targets.failed && to < h->node_count &&
                            leads_to(h->grid.step[vni_lowest_bit(mask)], from, vni_hybrid_voxel(h, to));
        if (!exists || !vni_hybrid_line_is_open(j->fixed, from, vni_hybrid_voxel(h, to)))
            return vni_fail(detail, VN_BAD_FORMAT,
                            "a saved edge of node %u leads to no node, or through an obstacle", node);
        if (!add_edge(j, node, from, vni_hybrid_voxel(h, to)))
            return VN_OUT_OF_MEMORY;
    }

    return VN_OK;
}

static vn_status join_nodes(joiner* j, vni_hybrid_saved* saved, vn_progress* progress, void* user,
                            vn_detail* detail) {
    vni_hybrid* h = j->h;
    for (uint32_t node = 0; node < h->node_count; ++node) {
        if ((node & 255) == 0 && progress != NULL && !progress(user, "edges", (double)node / h->node_count))
            return vni_fail(detail, VN_CANCELLED, "cancelled while building the hybrid graph");

        h->edge_first[node] = h->edge_count;
        if (vni_hybrid_is_dynamic(h, node))
            continue;
        if (h->edge_count > VNI_HYBRID_MAX_EDGES - VNI_GRID_DIRECTIONS)
            return vni_fail(detail, VN_TOO_LARGE, "a hybrid graph takes up to 2^30 edges");
        vn_status status = saved != NULL        ? take_node(j, saved, node, detail)
                           : join_node(j, node) ? VN_OK
                                                : VN_OUT_OF_MEMORY;
        if (status != VN_OK)
            return status;
    }

    h->edge_first[h->node_count] = h->edge_count;
    if (saved != NULL && (saved->targets.left > 0 || saved->masks.left > 0 || saved->masks.failed))
        return vni_fail(detail, VN_BAD_FORMAT, "the saved edges are not those of these nodes");
    return VN_OK;
}

// -------------------------------------------------------------------------------------------------- sorting

/// Turns counts by node, each one place further on, into beginnings.
static void sum_up(uint32_t* first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        first[i + 1] += first[i];
}

/// After filling, first[i] is where list i ends, that is, where i + 1 begins: moves them back.
static void shift_back(uint32_t* first, uint32_t count) {
    memmove(first + 1, first, count * sizeof *first);
    first[0] = 0;
}

static bool sort_by_target(vni_hybrid* h) {
    h->back_first = (uint32_t*)vni_alloc_zero(&h->allocator, (uint64_t)h->node_count + 1, sizeof(uint32_t));
    h->back = VNI_NEW_ARRAY(&h->allocator, uint32_t, h->edge_count);
    if (h->back_first == NULL || (h->edge_count > 0 && h->back == NULL))
        return false;

    for (uint32_t i = 0; i < h->edge_count; ++i)
        ++h->back_first[h->edges[i].to + 1];
    sum_up(h->back_first, h->node_count);
    for (uint32_t i = 0; i < h->edge_count; ++i)
        h->back[h->back_first[h->edges[i].to]++] = i;
    shift_back(h->back_first, h->node_count);
    return true;
}

static bool sort_by_crossing(joiner* j) {
    vni_hybrid* h = j->h;
    h->cross_count = (uint32_t)j->crossing_count;
    h->cross_first = (uint32_t*)vni_alloc_zero(&h->allocator, (uint64_t)h->node_count + 1, sizeof(uint32_t));
    h->cross = VNI_NEW_ARRAY(&h->allocator, uint32_t, h->cross_count);
    if (h->cross_first == NULL || (h->cross_count > 0 && h->cross == NULL))
        return false;

    for (uint64_t i = 0; i < j->crossing_count; ++i)
        ++h->cross_first[j->crossings[i][0] + 1];
    sum_up(h->cross_first, h->node_count);
    for (uint64_t i = 0; i < j->crossing_count; ++i)
        h->cross[h->cross_first[j->crossings[i][0]]++] = j->crossings[i][1];
    shift_back(h->cross_first, h->node_count);
    return true;
}

/// Gives the part of the edges that is not used back, so that their number is their size.
static bool trim_edges(joiner* j) {
    vni_hybrid* h = j->h;
    vni_hybrid_edge* exact = VNI_NEW_ARRAY(&h->allocator, vni_hybrid_edge, h->edge_count);
    if (h->edge_count > 0 && exact == NULL)
        return false;

    if (h->edge_count > 0)
        memcpy(exact, h->edges, h->edge_count * sizeof *exact);
    VNI_DELETE_ARRAY(&h->allocator, h->edges, j->edge_capacity);
    j->edge_capacity = h->edge_count;
    h->edges = exact;
    return true;
}

vn_status vni_hybrid_join(vni_hybrid* h, const vni_occupancy* fixed, vni_hybrid_saved* saved,
                          vn_progress* progress, void* progress_user, vn_detail* detail) {
    joiner j = {.h = h, .fixed = fixed};
    const uint64_t nodes = h->node_count;
    h->edge_first = VNI_NEW_ARRAY(&h->allocator, uint32_t, nodes + 1);
    j.stamps = (uint32_t*)vni_alloc_zero(&h->allocator, nodes, sizeof(uint32_t));
    const bool made = h->edge_first != NULL && (nodes == 0 || j.stamps != NULL);

    vn_status status =
        made ? vni_stepper_make(&h->allocator, fixed, h->used, &h->stepper, detail) : VN_OUT_OF_MEMORY;
    if (status == VN_OK)
        status = join_nodes(&j, saved, progress, progress_user, detail);
    if (status == VN_OK && j.crossing_count > UINT32_MAX)
        status = vni_fail(detail, VN_TOO_LARGE, "the edges of a hybrid graph cross too many dynamic nodes");
    if (status == VN_OK && !(trim_edges(&j) && sort_by_target(h) && sort_by_crossing(&j)))
        status = VN_OUT_OF_MEMORY;

    // The graph frees its edges by their number: an untrimmed list goes here.
    if (h->edges != NULL && j.edge_capacity != h->edge_count) {
        VNI_DELETE_ARRAY(&h->allocator, h->edges, j.edge_capacity);
        h->edges = NULL;
    }

    if (j.stamps != NULL)
        VNI_DELETE_ARRAY(&h->allocator, j.stamps, nodes);
    if (j.crossings != NULL)
        VNI_DELETE_ARRAY(&h->allocator, j.crossings, j.crossing_capacity);
    return status;
}
