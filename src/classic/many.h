/// classic/many.h: one source, many targets (Albertini 2022 ch. 6): the searches for all targets share their
/// open and closed sets.
///
/// Targets are sorted by their straight distance from the source and searched for one after another, nearest
/// first. What one search has opened and closed stays for the next. A target that is already closed is
/// answered at once; several targets at one point are one.
///
/// What each search promises of a cost, and what sharing makes of it:
/// - Dijkstra: its keys know nothing of targets. All costs are the least.
/// - A*, weight w on a consistent lower bound: at most w times the least. That is kept if the open set is
///   keyed anew for each target. Every closed node has g <= w g*, whichever target it was closed for: take
///   the best path to the node n that is taken next; its first node m that is not closed comes after a closed
///   and expanded one, so g(m) <= w g*(m), and g(n) + w h(n) <= g(m) + w h(m) <= w (g*(m) + h(m))
///   <= w (g*(n) + h(n)), hence g(n) <= w g*(n). With w = 1 each cost is the least, as in a search of its
///   own.
/// - Greedy, Theta*, Lazy Theta*, and A* with a lower bound that is only a guess: nothing. Keyed anew, they
///   expand the fewest nodes, and Theta*'s costs stay within a percent of those of single searches in the
///   mean (tests/unit/classic/test_many.c prints it).
///
/// VN_SHARING_KEPT_KEYS is Albertini's method: open nodes keep the keys that they got for earlier targets,
/// and only new ones are keyed for the present target. An order made of two lower bounds proves nothing, not
/// even for A*, and it expands more nodes: for comparison.
///
/// VN_SHARING_EXACT keeps what a single search promises, or, where that is nothing, what it finds: Dijkstra
/// and A* with a consistent lower bound share, keyed anew; the others search for each target from nothing,
/// and share only targets at one point.
///
/// `optimal` says which costs are proven to be the least on this graph: all of Dijkstra; all of A* with
/// weight 1; with kept keys those of A* that were closed before the open set held keys of two targets.
///
/// Nothing is allocated. Threads: one search belongs to one thread, as its scratch.
#ifndef VNI_CLASSIC_MANY_H
#define VNI_CLASSIC_MANY_H

#include "classic/theta.h"
#include "search/best_first.h"
#include "volnav/classic.h"

typedef enum vni_many_algo {
    VNI_MANY_BEST_FIRST, ///< Dijkstra, greedy, A*: by the weights
    VNI_MANY_THETA,
    VNI_MANY_LAZY_THETA
} vni_many_algo;

/// Puts target number `target` into the graph as its goal node.
typedef void vni_many_aim(void* user, uint32_t target);

typedef struct vni_many_def {
    vni_many_algo algo;
    double g_weight, h_weight; ///< as in vni_best_first_def
    bool every_sight;          ///< as in vni_theta_def
    vn_classic_sharing sharing;
    uint64_t budget; ///< expansions for all targets together; 0: no limit

    /// Null: the targets are nodes of the graph. Else they are no part of it: one and the same node, the goal
    /// of a view (classic/views.h, view/portals.h), stands for each of them in turn. `aim` is called before
    /// each search and moves that node: where `points` says it is, and its edges, change, all else stays. The
    /// edges of such a graph must run in both directions (VN_GRAPH_IS_SYMMETRIC). Paths through that node are
    /// not searched for.
    vni_many_aim* aim;
    void* user;
} vni_many_def;

/// The caller fills in node and point, the search the rest.
typedef struct vni_many_target {
    uint32_t node;  ///< with `aim` the same for all
    vn_point point; ///< where it is

    uint32_t order;   ///< entry k of the array: which target is the k-th nearest
    vn_status status; ///< VN_RUNNING until its search has ended
    double cost;      ///< g, voxel units, if VN_OK
    bool optimal;
} vni_many_target;

typedef struct vni_many {
    vni_many_def def;
    const vn_graph* graph;
    const vni_cost* cost;
    vni_scratch* scratch;
    vni_many_target* targets;
    uint32_t start, count;
    uint32_t answered;                        ///< targets, in order
    bool searching;                           ///< for target number `answered` in order
    bool begun;                               ///< there is a search to go on with
    bool mixed;                               ///< the open set held keys of two targets
    uint64_t expanded, touched, sight_checks; ///< sums of what ended before the present search began
    union {
        vni_best_first best_first;
        vni_theta theta;
    } search;
    const vni_observer* observer; ///< null after begin: set it then
} vni_many;

/// Sorts the targets. Graph, cost, scratch and targets must outlive the search; the scratch serves one search
/// at a time. VN_UNSUPPORTED if the graph lacks what the algorithm needs; VN_CAPACITY if the scratch is too
/// small for the graph. O(count log count).
vn_status vni_many_begin(vni_many* many, const vni_many_def* def, const vn_graph* graph, const vni_cost* cost,
                         vni_scratch* scratch, uint32_t start, vni_many_target* targets, uint32_t count);

/// Expands up to `max_expansions` nodes, but returns whenever the search for a target has ended: *target is
/// its index, else UINT32_MAX. VN_RUNNING; VN_OK when all searches have ended, whatever their own status:
/// VN_OK, VN_NO_PATH, VN_BUDGET_SPENT, VN_CAPACITY.
///
/// The path to a target that ended with VN_OK must be read before the next call: from its node over
/// vni_scratch_parent back to the start.
vn_status vni_many_step(vni_many* many, uint64_t max_expansions, uint32_t* target);

/// Sums over all targets so far.
uint64_t vni_many_expanded(const vni_many* many);
uint64_t vni_many_touched(const vni_many* many);
uint64_t vni_many_sight_checks(const vni_many* many);

#endif
