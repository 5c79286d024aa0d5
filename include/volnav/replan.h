/// volnav/replan.h: planners that repair their path when the world or its ends change, instead of searching
/// anew: the D* family and its kin. Library volnav_classic.
///
///   a source (vn_nav_graph_source, ...)  ->  vn_replan_create  ->  a vn_planner (volnav/planner.h)
///   every frame:  move  ->  advance  ->  step until it is not VN_RUNNING  ->  path
///
/// A planner works on any graph of a source; what its algorithm needs of the graph (predecessors, lines of
/// sight, kinds of nodes, cells) and does not find is refused when it is made. What an algorithm cannot
/// repair (below) it begins anew by itself, and counts (vn_plan.restarts).
///
/// Costs are rounded up to multiples of 2^-28 voxels, one at least, so that equal costs compare equal and no
/// circle is free of cost: a path may be 4e-9 voxels an edge longer than the shortest one.
///
/// Costs of Field D* are not rounded: its cost is the integral of the voxels' costs along the path, where a
/// voxel costs all over the most that it costs anywhere inside (volnav/graph.h): in zones its path costs no
/// more than it says, but for legs that run along the face of a box. Its bound is 0.577 times the straight
/// distance. With a weight on that it expands less, and the path may depend on history; it costs about the
/// same up to 1.732. A corner of voxels is up to four nodes: on grids above 2^18 corners there is memory for
/// one and a half each, unless max_nodes says more. If free voxels meet at edges nearly everywhere, that may
/// not be enough: VN_CAPACITY.
#ifndef VOLNAV_REPLAN_H
#define VOLNAV_REPLAN_H

#include "volnav/planner.h"
#include "volnav/query.h"

typedef enum vn_replan_algo {
    VN_REPLAN_LPA =
        0, ///< LPA* (Koenig and Likhachev 2002): changes of the graph; begins anew if an end moves
    VN_REPLAN_DSTAR_LITE = 1, ///< D* Lite: from the goal; a moving start. Begins anew if the goal moves
    VN_REPLAN_AD = 2,    ///< AD* (Likhachev et al. 2005): as D* Lite, anytime: weighted passes with a bound
    VN_REPLAN_DSTAR = 3, ///< D* (Stentz 1994): as D* Lite, by raising and lowering states, without bounds
    VN_REPLAN_MT_BASIC = 4, ///< Basic Moving Target D* Lite (Sun, Yeoh and Koenig 2010): both ends may move
    VN_REPLAN_MT = 5,       ///< Moving Target D* Lite: forgets what no longer hangs on the new root

    /// Any-angle Moving Target D* Lite (Krafft 2021): as MT, over lines of sight too. Its paths are about
    /// those of Theta*, without a bound. Not on graphs with zones, whatever their factors: straight lines
    /// cost what they are long. A zone that comes later makes steps return VN_UNSUPPORTED, until it is gone.
    VN_REPLAN_AAMT = 6,

    /// The same; dynamic nodes are reached from their neighbours only. For graphs with kinds of nodes.
    VN_REPLAN_AAMT_FAST = 7,

    /// Field D* (Ferguson and Stentz 2006; in 3D Carsten et al. 2006): any angle, through cells with costs;
    /// grids only. Begins anew if the goal moves. No bound.
    VN_REPLAN_FIELD = 8,

    VN_REPLAN_ADAPTIVE = 9, ///< Adaptive A* (Koenig and Likhachev 2006): searches anew each time, with
                            ///< bounds that earlier searches have raised; see below
    VN_REPLAN_MPAA = 10,    ///< Multipath Adaptive A* (Hernandez et al. 2014): and ends on earlier paths
    VN_REPLAN_TREE_ADAPTIVE = 11, ///< Tree Adaptive A* (Hernandez et al. 2011): and keeps a tree of them

    /// Any-angle AD* (wished for by Krafft 2019, 6.4): as AD, over lines of sight too, as AAMT: its bound is
    /// against the least cost on the edges of the graph. Not on graphs with zones.
    VN_REPLAN_AA_AD = 12,
    VN_REPLAN_ALGO_COUNT
} vn_replan_algo;

// The Adaptive A* family, for a start that moves to a goal while costs grow: unknown ground that turns out to
// be blocked, doors that close, rubble that falls. Searches go from the start and touch nothing that A* would
// not; one-way edges are fine. A search raises the bounds of the nodes that it has expanded, and the next one
// avoids them.
//   adaptive-astar  the simplest: bounds only. For a goal that moves at times: bounds survive that, paths
//                   do not.
//   mpaa            for one agent that follows its path: it searches only as far as the next earlier path
//                   whose rest still holds, and walks along it to see whether it does.
//   tree-adaptive   for many starts with one goal (units that go home): earlier paths are met without a walk,
//                   because a change has cut off at once what lies behind it. The same searches as mpaa.
// They begin anew when an edge came or became cheaper, and is too cheap for a bound that was learnt: looked
// at edge by edge where the graph changed, so that a cost that fell elsewhere does not count; also when the
// least cost of the graph fell (a zone with a factor below 1 came). On a graph without predecessors they do
// so at every advance and move of the goal; on cells it is common, because cells are cut anew where a box
// comes. Where that is too often, D* Lite repairs.

/// The name on the command line: "lpa-star", "dstar-lite", "ad-star", "dstar", "mtdstar-basic", "mtdstar",
/// "aamtdstar", "aamtdstar-fast", "field-dstar", "adaptive-astar", "mpaa", "tree-adaptive", "aaad-star"; null
/// for an unknown number.
VN_API const char* vn_replan_algo_name(vn_replan_algo algo);

/// Of "mtdstar-backward" the algorithm is that of "mtdstar", and `*backward` is set. False if there is no
/// such name.
VN_API bool vn_replan_algo_from_name(const char* name, vn_replan_algo* out, bool* backward);

typedef struct vn_replan_def {
    vn_allocator allocator;
    vn_replan_algo algo;
    bool backward;          ///< MT, AAMT: from the goal to the start. The other algorithms have one direction
    vn_heuristic heuristic; ///< default: octile or Manhattan on a grid, else Euclidean; none but the
                            ///< Euclidean elsewhere. Not for D* and Field D*
    double weight;     ///< D* Lite: on the heuristic, 1 to 1e6 (default 1). Above 1, keys are those of Krafft
                       ///< 2019, 4.3.3.1, and the open set is ordered anew whenever the start moves
    double ad_first;   ///< AD*: the first weight, 1 to 1e6 (3), also after each change
    double ad_step;    ///< and what it falls by from pass to pass (0.2)
    double ad_floor;   ///< and the last one, at least 1 (1); 1.4 against turning back (Krafft 2019, 6.4)
    double ad_restart; ///< AD*: of the nodes that it knows more than this part changed: begin anew (0.25)
    bool recompute_all;  ///< MT: Krafft 2021, 5.1.4, before its optimisation: the same costs; repairs expand
                         ///< more, and every node takes longer
    uint32_t max_nodes;  ///< that the planner may know at once; 0: all of the graph
    uint32_t max_points; ///< of a path; 0: 65536
    vn_search_observer* observe; ///< told of each expansion, see volnav/observe.h; may be null
    void* observe_user;
    double voxel_size; ///< metres, for the observer (default 1)
    uint32_t cookie;
} vn_replan_def;

VN_API vn_replan_def vn_default_replan_def(void);

/// Makes a planner on a source, which must outlive it and serve no other planner. `out->free` frees it.
/// VN_BAD_DEF, VN_BAD_ARGUMENT; VN_UNSUPPORTED: the graph lacks what the algorithm needs, detail names it;
/// VN_OUT_OF_MEMORY.
VN_NODISCARD vn_status vn_replan_create(const vn_graph_source* source, const vn_replan_def* def,
                                        vn_planner* out, vn_detail* detail);

/// Of a planner that vn_replan_create made.
VN_API void vn_replan_get_memory(const vn_planner* planner, vn_memory* out);

/// VN_OK if the algorithm can plan on the graph, else VN_UNSUPPORTED with what is missing.
VN_NODISCARD vn_status vn_replan_supports(const vn_graph* graph, vn_replan_algo algo, vn_detail* detail);

#endif
