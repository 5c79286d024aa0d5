/// replan/lifelong.h: the core that the planners of the D* Lite family share: queue, keys, rhs values and the
/// tree of paths, repaired after changes of the graph and of both ends (LPA*: Koenig and Likhachev 2002; with
/// a moving root: Sun, Yeoh and Koenig 2010).
///
/// A search goes from a *root* to a *leaf*: from start to goal, or backward from goal to start; "out" edges
/// are those in the direction of the search. g is a node's cost from the root as it was last settled, rhs
/// what its neighbours promise now. A node whose two differ is inconsistent, and open: over-consistent if g >
/// rhs, under-consistent if g < rhs. The root has both at `base`, any finite value; nothing goes on over the
/// leaf.
///
/// Order of the open set. The key is min(g, rhs) + bound to the leaf + km. Among equal keys under-consistent
/// nodes come first, by g, then over-consistent ones, nearest to the leaf first, as in A*; then the canonical
/// order. The literature takes min(g, rhs) for all, which settles whole plateaus of equal keys before the
/// leaf. Ours is right too. The search ends when the leaf is consistent and no open node has a lesser key,
/// nor an under-consistent one the same. Then, by the triangle inequality, each node on the leaf's path has a
/// key of at most the leaf's, and if it were inconsistent it would be open with that key, or a lesser one if
/// over-consistent: so it is consistent, and the path costs g(leaf) - base. Of a cheaper path, the first node
/// with too large a g would be over-consistent with a lesser key.
///
/// This needs exact sums: costs are rounded up and bounds down to the unit of costs on every graph
/// (graph/fixed.h), and a path is at most 1.4e-9 longer than the shortest for it.
#ifndef VNI_REPLAN_LIFELONG_H
#define VNI_REPLAN_LIFELONG_H

#include "replan/nodes.h"
#include "search/open.h"

typedef struct vni_lifelong vni_lifelong;

/// What a planner may do differently. Null members: the plain way.
typedef struct vni_lifelong_rules {
    /// What `to` costs over `from` (consistent or not; its g counts), whose edge to it costs `edge`;
    /// `*parent` is `from`, and may be made another node that has a record. It is taken if it is less than
    /// the rhs of `to`. Null: from's g + edge.
    double (*offer)(vni_lifelong* l, uint32_t from, uint32_t to, double edge, uint32_t* parent);

    /// What a node costs over the parent that it has, which need not be a neighbour; HUGE_VAL if that is
    /// over. Null: parents are neighbours.
    double (*stay)(vni_lifelong* l, uint32_t id);

    /// Is an inconsistent node to wait outside the open set? Null: never.
    bool (*waits)(vni_lifelong* l, uint32_t id, vni_plan_node* node);

    /// A node was taken from the open set and is expanded now. Null: nothing to do.
    void (*expanded)(vni_lifelong* l, uint32_t id, vni_plan_node* node);
} vni_lifelong_rules;

struct vni_lifelong {
    vni_plan_nodes nodes;
    vni_heap open; ///< over nodes.entries
    const vn_graph* graph;
    vni_cost cost; ///< lower bounds
    const vni_lifelong_rules* rules;
    const vni_observer* observer; ///< may be null
    void* self;                   ///< the planner's, for its rules

    bool backward;
    bool recompute_all;  ///< rhs of all neighbours of a settled node over all of their edges (Krafft 2021,
                         ///< 5.1.4, before its optimisation): for comparison
    uint32_t root, leaf; ///< VN_START_NODE and VN_GOAL_NODE, or the other way round
    vn_point leaf_point; ///< where the bounds lead to; stays when the leaf is gone
    double base;
    double km;
    double weight;       ///< on the bounds of over-consistent nodes
    double under_weight; ///< of under-consistent ones, at most 1

    uint32_t listed;   ///< in nodes.list: nodes to look at (vni_lifelong_touch)
    bool root_changed; ///< its edges did
    vni_fresh pending;
    bool is_full; ///< the capacity is used up: only vni_lifelong_begin helps
    uint64_t expanded;
};

/// Marks of nodes; planners have the bits above.
enum { VNI_PLAN_LISTED = 1, VNI_PLAN_GONE = 2, VNI_PLAN_FIRST_MARK = 4 };

void vni_lifelong_make(const vn_allocator* allocator, vni_lifelong* out);
void vni_lifelong_free(vni_lifelong* l);

/// Forgets everything; only the root is open, with `base` 0. `leaf_point` is where the leaf is, or is to be.
void vni_lifelong_begin(vni_lifelong* l, const vn_graph* graph, const vni_cost* cost, vn_point leaf_point);

/// Expands up to `*budget` nodes, which is counted down. VN_RUNNING; VN_OK: the leaf is settled; VN_NO_PATH;
/// VN_CAPACITY.
vn_status vni_lifelong_step(vni_lifelong* l, uint64_t* budget);

/// Would a step end at once?
bool vni_lifelong_is_done(vni_lifelong* l);

// ---------- changes

/// A node is no more.
void vni_lifelong_forget(vni_lifelong* l, uint32_t id);

/// A node came, or its edges changed: if it is known, vni_lifelong_apply looks at it and at its neighbours.
void vni_lifelong_touch(vni_lifelong* l, uint32_t id);

/// The same for the root: its children, and its neighbours.
void vni_lifelong_touch_root(vni_lifelong* l);

/// Looks at all nodes that were touched, in the graph of now.
void vni_lifelong_apply(vni_lifelong* l);

/// The leaf is elsewhere: keys of open nodes become lower bounds of what they should be. It must be touched.
void vni_lifelong_move_leaf(vni_lifelong* l, vn_point point);

/// Gives all open nodes keys of now, after weights or the graph's least cost changed.
void vni_lifelong_rekey(vni_lifelong* l);

// ---------- for planners

/// A cost in units: one at least. Over edges of no length, between nodes at one point, each could become the
/// other's parent.
static inline double vni_lifelong_length(double cost) {
    return cost > 0 ? vni_cost_up(cost) : VNI_COST_UNIT;
}

/// Reads the next out edges of a node (or those in), their costs in units.
uint32_t vni_lifelong_edges(const vni_lifelong* l, bool in, uint32_t node, uint32_t* cursor,
                            const vn_edges* out);

/// Finds rhs and parent of a node over all of its edges. Not for the root.
void vni_lifelong_recompute(vni_lifelong* l, uint32_t id);

/// Offers the paths over a node to its neighbours.
void vni_lifelong_lower(vni_lifelong* l, uint32_t id);

/// The g of a node is another by `by`: so are the rhs values of its children.
void vni_lifelong_shift_children(vni_lifelong* l, const vni_plan_node* node, double by);

/// Opens a node that is inconsistent, with the key of now, and closes one that is not; by the next flush.
void vni_lifelong_queue(vni_lifelong* l, uint32_t id);
void vni_lifelong_flush(vni_lifelong* l);

/// Takes a node out of the open set, if it is there.
void vni_lifelong_close(vni_lifelong* l, vni_plan_node* node);

/// Cost of the path, or HUGE_VAL.
static inline double vni_lifelong_cost(const vni_lifelong* l) {
    const vni_plan_node* leaf = vni_plan_find(&l->nodes, l->leaf);
    return leaf != NULL ? leaf->g - l->base : HUGE_VAL;
}

#endif
