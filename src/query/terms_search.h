/// query/terms_search.h: the search that knows the agent's terms: regions as goals, links, limits, preferred
/// clearance, jitter; and, without a goal, the field of costs from one source.
///
/// From the start alone, over cells with exact entry points as in query/cells_search.h. Besides the cells
/// each link is a node for each of its directions: "just come out of it". Whatever has been reached in a
/// convex cell can go straight to every other place in it: to its doors, to the ends of links, to the goal.
/// Limits cut cells and doors to a smaller box, and everything stays convex.
#ifndef VNI_QUERY_TERMS_SEARCH_H
#define VNI_QUERY_TERMS_SEARCH_H

#include "probe/clearance.h"
#include "query/cells_search.h"
#include "query/terms_goal.h"
#include "volnav/query.h"

/// A link in one direction.
typedef struct vni_hop {
    vn_point from, to;
    vni_cell_ref from_cell, to_cell;
    double cost;         ///< voxels
    uint32_t connection; ///< the caller's number
    bool reversed;
} vni_hop;

#define VNI_MAX_HOPS (2 * VN_MAX_CONNECTIONS)

/// Regions that touch a point: not more than four of the eight voxels around it share no face.
#define VNI_MAX_STARTS 4

/// What is asked.
typedef struct vni_terms_def {
    const vni_cells* cells;
    const vni_occupancy* occupancy;
    vn_point start;                           ///< inside the limits
    vni_cell_ref start_cells[VNI_MAX_STARTS]; ///< that touch the start, each in a region of its own
    uint32_t start_count;
    vni_goal goal;
    const vni_terms* costs; ///< zones and clearance
    bool has_limits;
    vni_lattice_box limits; ///< not empty
    const vni_hop* hops;    ///< the caller's; all ends inside the limits
    uint32_t hop_count;     ///< up to VNI_MAX_HOPS
    double jitter;          ///< 0: none
    uint64_t jitter_seed;
    float weight;   ///< on what is left at the least
    float max_cost; ///< voxels; nothing beyond is reached
    uint64_t budget;
    bool partial; ///< look for what is nearest to the goal, even if it cannot be reached
} vni_terms_def;

/// State. The scratch is that of a vni_cells_search. The first record of a cell is its entry; with links,
/// which may lead back into a cell that was left long ago, the second one is another, with the second queue.
/// Without links queues[1].keys lists the nodes that were expanded, in order.
typedef struct vni_terms_search {
    vni_cells_search* room;
    vni_terms_def def;
    uint32_t cells;                   ///< nodes below are cells, those from here on hops,
    uint32_t again;                   ///< and those from here on cells once more
    float least;                      ///< cost of a voxel of way, at the least
    uint32_t hop_cells[VNI_MAX_HOPS]; ///< by hop: the cell where it begins
    float hop_starts[VNI_MAX_HOPS][3];
    float hop_ahead[VNI_MAX_HOPS];    ///< what it costs from there to the goal, at the least
    uint32_t shortcuts[VNI_MAX_HOPS]; ///< the hops that may be worth while for somebody
    uint32_t shortcut_count;
    float best;       ///< cost of the best arrival so far
    uint32_t arrival; ///< the node that arrives; VNI_NO_CELL if none yet
    vn_point arrived; ///< where
    uint32_t nearest; ///< the expanded node that was entered nearest to the goal
    float nearest_away;
    uint32_t sweep; ///< the next node whose voxels are looked at, one by one
    uint64_t expanded;
    vn_status status;
} vni_terms_search;

/// Nodes that `room` must have room for beyond the cells.
#define VNI_TERMS_EXTRA VNI_MAX_HOPS

/// Starts. VN_CAPACITY if the space has too many cells for `room`. When labels and links alone say that
/// there is no way, the first step returns VN_NO_PATH.
vn_status vni_terms_search_begin(vni_terms_search* search, vni_cells_search* room, const vni_terms_def* def);

/// False only if labels and links alone say that there is no way. What shall be seen can be reached by who
/// sees it, so that a goal in sight counts as that point; but not under limits, which may keep him away from
/// it. O(cells of the blocks that the goal touches).
bool vni_terms_may_arrive(const vni_terms_def* def);

/// Expands up to `max_expansions` nodes: VN_RUNNING, VN_OK, VN_NO_PATH, VN_BUDGET_SPENT. Without a goal VN_OK
/// when everything has been reached.
vn_status vni_terms_search_step(vni_terms_search* search, uint64_t max_expansions);

/// Where a way takes a link: the node `at` of the chain comes out of it.
typedef struct vni_hop_use {
    uint32_t at, hop;
} vni_hop_use;

/// The nodes from the start to `node`, which was reached by `entry`: their cells, between each two of them
/// the entry point of the second (`points` gets count - 1 of them, voxels), and the links among them (up to
/// VNI_MAX_HOPS). Writes up to `capacity` nodes; returns how many there are.
uint32_t vni_terms_search_chain(const vni_terms_search* search, uint32_t node, const vni_entry* entry,
                                vni_cell_ref* cells, float (*points)[3], uint32_t capacity, vni_hop_use* hops,
                                uint32_t* hop_count);

/// Of a field: the best way into a cell that was reached for somebody who wants to go to `target` in it,
/// which is not always the one that the search kept. Returns what it costs to get to the target, voxels.
/// O(links of the cell).
float vni_terms_search_enter(const vni_terms_search* search, uint32_t node, vn_point target, vni_entry* out);

/// The entry and the cell of a node that was reached.
const vni_entry* vni_terms_search_entry(const vni_terms_search* search, uint32_t node);
vni_cell_ref vni_terms_search_cell(const vni_terms_search* search, uint32_t node);

/// A cell, cut to `limits` (may be null); then it may be empty.
vni_lattice_box vni_cell_box(const vni_cells* cells, vni_cell_ref ref, const vni_lattice_box* limits);

#endif
