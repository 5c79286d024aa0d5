/// query/terms_search.h: the search that knows the agent's terms: regions as goals, connections, limits,
/// preferred clearance, jitter; and, without a goal, the field of costs from one source.
///
/// From the start alone, over cells with entry points as in query/cells_search.h. Besides the cells, each
/// connection is a node for each of its directions, which stands for its far end. From an entry point, every
/// other place in the same convex cell is in a straight line: its portals, the ends of connections, the goal.
/// Limits cut cells and portals to smaller boxes, which stay convex.
#ifndef VNI_QUERY_TERMS_SEARCH_H
#define VNI_QUERY_TERMS_SEARCH_H

#include "probe/clearance.h"
#include "query/cells_search.h"
#include "query/terms_goal.h"
#include "volnav/query.h"

/// A connection in one direction.
typedef struct vni_hop {
    vn_point from, to;
    vni_cell_ref from_cell, to_cell;
    double cost;         ///< voxels
    uint32_t connection; ///< the caller's number
    bool reversed;
} vni_hop;

#define VNI_MAX_HOPS (2 * VN_MAX_CONNECTIONS)

/// Most components that touch a point: of the eight voxels around it at most four share no face.
#define VNI_MAX_STARTS 4

/// The request.
typedef struct vni_terms_def {
    const vni_cells* cells;
    const vni_occupancy* occupancy;
    vn_point start;                           ///< inside the limits
    vni_cell_ref start_cells[VNI_MAX_STARTS]; ///< that touch the start, each in another component
    uint32_t start_count;
    vni_goal goal;
    const vni_terms* costs; ///< zones and clearance
    bool has_limits;
    vni_lattice_box limits; ///< not empty
    const vni_hop* hops;    ///< the caller's; all ends inside the limits
    uint32_t hop_count;     ///< up to VNI_MAX_HOPS
    double jitter;          ///< 0: none
    uint64_t jitter_seed;
    float weight;   ///< on the heuristic
    float max_cost; ///< voxels; nothing beyond is reached
    uint64_t budget;
    bool partial;                 ///< find the place nearest to the goal even if that cannot be reached
    const vni_observer* observer; ///< may be null
} vni_terms_def;

/// State. The scratch is that of a vni_cells_search. The first record of a cell is its entry. With
/// connections, which may lead back into a cell that was expanded long ago, the second record is another
/// entry, with the second queue. Without connections queues[1].keys lists the expanded nodes in order.
typedef struct vni_terms_search {
    vni_cells_search* scratch;
    vni_terms_def def;
    uint32_t cells;                    ///< nodes below are cells, nodes from here on hops,
    uint32_t again;                    ///< and nodes from here on second entries of cells
    float least;                       ///< lower bound of the cost of one voxel of length
    uint32_t hop_cells[VNI_MAX_HOPS];  ///< by hop: the cell where it begins
    float hop_starts[VNI_MAX_HOPS][3]; ///< voxels
    float hop_ends[VNI_MAX_HOPS][3];
    float hop_ahead[VNI_MAX_HOPS];    ///< lower bound of the cost from there to the goal
    uint32_t shortcuts[VNI_MAX_HOPS]; ///< the hops that may improve the heuristic
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

/// Capacity that the scratch needs beyond the cells.
#define VNI_TERMS_EXTRA VNI_MAX_HOPS

/// Starts. VN_CAPACITY if the space has too many cells for `scratch`. When labels and connections alone rule
/// a path out, the first step returns VN_NO_PATH.
vn_status vni_terms_search_begin(vni_terms_search* search, vni_cells_search* scratch,
                                 const vni_terms_def* def);

/// False only if labels and connections alone rule a path out. A point that is in sight of a place can be
/// reached from it, so a goal of sight counts as the point itself; not under limits, which may exclude that
/// point. O(cells of the blocks that the goal touches).
bool vni_terms_may_arrive(const vni_terms_def* def);

/// Expands up to `max_expansions` nodes: VN_RUNNING, VN_OK, VN_NO_PATH, VN_BUDGET_SPENT. Without a goal VN_OK
/// when everything has been reached.
vn_status vni_terms_search_step(vni_terms_search* search, uint64_t max_expansions);

/// Where a chain takes a connection: its node `at` is the far end.
typedef struct vni_hop_use {
    uint32_t at, hop;
} vni_hop_use;

/// The nodes from the start to `node`, which was reached by `entry`: their cells, between each two of them
/// the entry point of the second (`points` gets count - 1 of them, voxels), and the connections among them
/// (up to VNI_MAX_HOPS). Writes up to `capacity` nodes; returns how many there are.
uint32_t vni_terms_search_chain(const vni_terms_search* search, uint32_t node, const vni_entry* entry,
                                vni_cell_ref* cells, float (*points)[3], uint32_t capacity, vni_hop_use* hops,
                                uint32_t* hop_count);

/// Of a field: the best entry into a cell that was reached, for a path to `target` in it, which is not always
/// the entry that the search kept. Returns the cost to the target, voxels. O(links of the cell).
float vni_terms_search_enter(const vni_terms_search* search, uint32_t node, vn_point target, vni_entry* out);

/// The entry and the cell of a node that was reached.
const vni_entry* vni_terms_search_entry(const vni_terms_search* search, uint32_t node);
vni_cell_ref vni_terms_search_cell(const vni_terms_search* search, uint32_t node);

/// The box of a cell, cut to `limits` (may be null); then it may be empty.
vni_lattice_box vni_cell_box(const vni_cells* cells, vni_cell_ref ref, const vni_lattice_box* limits);

#endif
