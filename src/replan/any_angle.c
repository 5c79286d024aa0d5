/// replan/any_angle.c: Any-angle Moving Target D* Lite (Krafft 2021, 5.3) and its Fast form: the family on a
/// graph whose nodes also hang on nodes far away that they see.
///
/// A line of sight is an edge that the search finds by itself: when a node offers its path to a neighbour, it
/// offers the line from its own parent too, as Theta* does. The line is there for as long as the neighbour's
/// path uses it: the neighbour stays with its parent until a better one offers itself, the parent's path is
/// lost, or the line is cut. So rhs is the parent's g plus the line, always: if g falls or rises, the
/// children follow, wherever they are. This is what the end of the search stands on (replan/lifelong.h): no
/// node of the leaf's path is inconsistent, so that there are no circles, and its lines are free. Values may
/// be larger than those of a fresh Theta*, as that one's depend on the order of expansion too.
///
/// What Krafft leaves open. A change cuts lines between nodes that are in no list of changes, and whose
/// parents are not those of any node on the line: all lines that touch changed voxels are looked at
/// (live/lines.h). A node that is no more, or whose path is lost, leaves children far away: they are all in
/// its list. A root that moves sees other nodes than before, and those that it still sees are nearer or
/// farther by different amounts: below. The path that is found is checked line by line all the same.
#include "replan/any_angle.h"
#include "live/lines.h"
#include "replan/family.h"

#include <math.h>

/// Values of the root beyond this lose exact sums (graph/fixed.h): begin anew.
#define BASE_LIMIT 8388608.0 // 2^23

/// Legs of one path that are put right before the planner begins anew.
#define MOST_FLAWS 32

/// The line from the root is taken for free until the node is settled.
enum { UNSEEN = VNI_PLAN_FIRST_MARK };

static bool has_ends(const vni_replan* r) {
    return r->end_status[0] == VN_OK && r->end_status[1] == VN_OK;
}

static double length(const vni_lifelong* l, uint32_t a, uint32_t b) {
    const uint32_t both[2] = {a, b};
    vn_point points[2];
    l->graph->points(l->graph->self, both, 2, points);
    return vni_lifelong_length(vni_distance(points[0], points[1]));
}

static bool can_see(vni_replan* r, uint32_t a, uint32_t b) {
    const vn_graph* graph = r->core.graph;
    if ((a < 2 && r->end_status[a] != VN_OK) || (b < 2 && r->end_status[b] != VN_OK))
        return false;
    ++r->sight_checks;
    return r->core.observer != NULL ? vni_observe_visible(r->core.observer, graph, a, b)
                                    : graph->visible(graph->self, a, b);
}

/// Fast: a dynamic node hangs on neighbours only.
static bool is_plain(const vni_replan* r, uint32_t id) {
    if (!(r->kind->needs & VN_GRAPH_HAS_KINDS))
        return false;
    uint8_t kind;
    r->core.graph->kinds(r->core.graph->self, &id, 1, &kind);
    return kind == VN_NODE_DYNAMIC;
}

// ---------- the rules

double vni_any_angle_offer(vni_lifelong* l, uint32_t from, uint32_t to, double edge, uint32_t* parent) {
    vni_replan* r = (vni_replan*)l->self;
    const vni_plan_node* node = vni_plan_at(&l->nodes, from);
    const double over = node->g + edge, limit = vni_plan_at(&l->nodes, to)->rhs;
    const uint32_t above = from == l->root ? VN_NO_NODE : node->parent;
    if (above == VN_NO_NODE || above == to)
        return over;

    const double above_g = vni_plan_at(&l->nodes, above)->g;
    if (!(above_g < limit) || is_plain(r, to))
        return over;
    const double straight = above_g + length(l, above, to);
    if (!(straight < limit) || straight > over || !can_see(r, above, to))
        return over;
    *parent = above;
    return straight;
}

double vni_any_angle_stay(vni_lifelong* l, uint32_t id) {
    vni_replan* r = (vni_replan*)l->self;
    const uint32_t parent = vni_plan_at(&l->nodes, id)->parent;
    const double g = vni_plan_at(&l->nodes, parent)->g;
    if (!(g < HUGE_VAL) || is_plain(r, id) || !can_see(r, parent, id))
        return HUGE_VAL;
    return g + length(l, parent, id);
}

/// The line from the root that was taken for free is looked at.
static void expanded(vni_lifelong* l, uint32_t id, vni_plan_node* node) {
    if (!(node->marks & UNSEEN))
        return;
    node->marks &= ~(uint32_t)UNSEEN;
    if (!(node->g > node->rhs) || can_see((vni_replan*)l->self, node->parent, id))
        return;
    vni_plan_set_parent(&l->nodes, id, VN_NO_NODE);
    vni_lifelong_recompute(l, id);
}

// ---------- beginning

/// Where the leaf sees the root, there is nothing to search.
static void offer_direct(vni_replan* r) {
    vni_lifelong* l = &r->core;
    if (l->is_full || !has_ends(r))
        return;
    vni_plan_node *leaf = vni_plan_at(&l->nodes, l->leaf), *root = vni_plan_at(&l->nodes, l->root);
    const double value = root->rhs + length(l, l->root, l->leaf);
    if (!(value < leaf->rhs) || !can_see(r, l->root, l->leaf))
        return;
    leaf->rhs = value;
    vni_plan_set_parent(&l->nodes, l->leaf, l->root);
    vni_lifelong_queue(l, l->leaf);
    vni_lifelong_flush(l);
}

void vni_any_angle_begin(vni_replan* r) {
    r->lines.version = r->source.version(r->source.self);
    r->lines.root = vni_replan_end(r, r->core.root);
    offer_direct(r);
}

static void begin(vni_replan* r) {
    vni_family_begin(r);
    r->bound = 0;
    r->core.under_weight = r->kind->needs & VN_GRAPH_HAS_KINDS ? 0.5 : 1;
    vni_any_angle_begin(r);
}

void vni_any_angle_apply(vni_replan* r) {
    vni_lifelong_apply(&r->core);
    offer_direct(r);
}

// ---------- a root that moves

/// A node's line is cut: it looks for another path.
static void cut(vni_lifelong* l, uint32_t id) {
    vni_plan_at(&l->nodes, id)->rhs = HUGE_VAL;
    vni_plan_set_parent(&l->nodes, id, VN_NO_NODE);
    vni_lifelong_touch(l, id);
}

/// The node of the leaf's path that the root sees from its new place, nearest to the leaf; VN_NO_NODE: none.
/// Before a repair is finished, parents may run in a circle: but not while g falls.
static uint32_t find_kept(vni_replan* r) {
    vni_lifelong* l = &r->core;
    uint32_t id = vni_plan_at(&l->nodes, l->leaf)->parent;
    while (id != VN_NO_NODE && id != l->root) {
        const vni_plan_node* node = vni_plan_at(&l->nodes, id);
        if (node->g < HUGE_VAL && !is_plain(r, id) && can_see(r, l->root, id))
            return id;
        if (node->parent == VN_NO_NODE || !(vni_plan_at(&l->nodes, node->parent)->g < node->g))
            return VN_NO_NODE;
        id = node->parent;
    }
    return VN_NO_NODE;
}

/// A child of the root that has moved. Most have no children: the line is taken for free, and looked at only
/// if the search comes there. One with children keeps them, with the difference, and its neighbours hear that
/// the root is elsewhere.
static void turn_child(vni_replan* r, uint32_t id) {
    vni_lifelong* l = &r->core;
    vni_plan_node* node = vni_plan_at(&l->nodes, id);
    if (id == l->leaf || is_plain(r, id)) {
        vni_lifelong_touch(l, id);
        return;
    }

    const double value = l->base + length(l, l->root, id);
    if (node->child == VN_NO_NODE) {
        node->g = HUGE_VAL;
        node->rhs = value;
        node->marks |= UNSEEN;
        vni_lifelong_queue(l, id);
    } else if (!can_see(r, l->root, id)) {
        cut(l, id);
    } else {
        node->rhs = value;
        if (value > node->g) {
            vni_lifelong_shift_children(l, node, value - node->g);
            node->g = value;
            vni_lifelong_lower(l, id);
        }
        vni_lifelong_queue(l, id);
    }
}

/// The tree below a node that the root sees stays as it is, if the root's value becomes the node's minus the
/// line between them.
static void keep(vni_lifelong* l, uint32_t kept) {
    vni_plan_node *root = vni_plan_at(&l->nodes, l->root), *node = vni_plan_at(&l->nodes, kept);
    l->base = node->g - length(l, l->root, kept);
    root->g = root->rhs = l->base;
    node->rhs = node->g;
    node->marks &= ~(uint32_t)UNSEEN;
    vni_lifelong_close(l, node);
    vni_plan_set_parent(&l->nodes, kept, l->root);
}

/// Keeps what the root sees of the path, and turns its other children. Where it sees the leaf, any value of
/// the root will do. False: it sees nothing.
static bool move_root(vni_replan* r) {
    vni_lifelong* l = &r->core;
    const vni_plan_node* root = vni_plan_at(&l->nodes, l->root);
    const uint32_t kept = find_kept(r);
    if (kept == VN_NO_NODE && !can_see(r, l->root, l->leaf))
        return false;
    if (root->g != root->rhs) // nothing hangs on it yet, but maybe the leaf
        vni_lifelong_queue(l, l->root);
    else if (kept != VN_NO_NODE)
        keep(l, kept);
    if (!(fabs(l->base) < BASE_LIMIT))
        return false;

    for (uint32_t id = root->child, next; id != VN_NO_NODE; id = next) {
        next = vni_plan_at(&l->nodes, id)->next;
        if (id != kept)
            turn_child(r, id);
    }
    if (kept != VN_NO_NODE)
        vni_lifelong_lower(l, kept);
    return true;
}

static bool end_changed(vni_replan* r, uint32_t node, bool is_elsewhere) {
    vni_lifelong* l = &r->core;
    if (node != l->root)
        return vni_family_end_changed(r, node, is_elsewhere);
    if (l->is_full || r->end_status[node] != VN_OK)
        return false;

    // on a grid an end stands in the middle of its voxel, wherever it is inside
    const vn_point before = r->lines.root;
    r->lines.root = vni_replan_end(r, node);
    if (is_elsewhere && !vni_is_same_point(before, r->lines.root) && !move_root(r))
        return false;
    vni_lifelong_lower(l, l->root);
    vni_lifelong_flush(l);
    return true;
}

// ---------- lines that a change cuts

/// Nodes with the lines from their parents.
typedef struct line_batch {
    uint32_t count;
    uint32_t ids[VN_EDGE_BATCH], parents[VN_EDGE_BATCH];
    vni_line lines[VN_EDGE_BATCH];
    bool hit[VN_EDGE_BATCH];
} line_batch;

static void measure(const vn_graph* graph, line_batch* b) {
    vn_point ends[2][VN_EDGE_BATCH];
    graph->points(graph->self, b->parents, b->count, ends[0]);
    graph->points(graph->self, b->ids, b->count, ends[1]);
    for (uint32_t i = 0; i < b->count; ++i)
        b->lines[i] = (vni_line){ends[0][i], ends[1][i]};
}

/// Is the node's path as long as the line says? Not if it bends, or if a node has moved.
static bool is_line(const vni_lifelong* l, const line_batch* b, uint32_t i) {
    const double g = vni_plan_at(&l->nodes, b->parents[i])->g;
    return vni_plan_at(&l->nodes, b->ids[i])->rhs ==
           g + vni_lifelong_length(vni_distance(b->lines[i].a, b->lines[i].b));
}

static void look_at(vni_replan* r, line_batch* b, const vn_brick_change* bricks, uint32_t count, bool all) {
    const vn_graph* graph = r->core.graph;
    vn_point at;
    measure(graph, b);
    if (!all)
        vni_lines_cross(bricks, count, b->lines, b->count, b->hit);
    for (uint32_t i = 0; i < b->count; ++i) {
        if (is_line(&r->core, b, i)) {
            if ((all || b->hit[i]) && !can_see(r, b->parents[i], b->ids[i]))
                cut(&r->core, b->ids[i]);
        } else if (graph->bend == NULL || !graph->bend(graph->self, b->parents[i], b->ids[i], &at)) {
            cut(&r->core, b->ids[i]);
        }
    }
    b->count = 0;
}

/// All lines that touch one of the bricks. Nodes that are to be looked at anyway look at theirs themselves,
/// and lines that were taken for free are looked at later.
static void look_at_lines(vni_replan* r, const vn_brick_change* bricks, uint32_t count, bool all) {
    const vni_plan_nodes* nodes = &r->core.nodes;
    line_batch batch = {.count = 0};
    for (uint32_t slot = 0; slot < nodes->pages_used << 6; ++slot) {
        const vni_plan_node* node = &nodes->nodes[slot];
        if (node->parent == VN_NO_NODE || (node->marks & (VNI_PLAN_LISTED | UNSEEN)) != 0)
            continue;
        batch.ids[batch.count] = vni_plan_id(nodes, slot);
        batch.parents[batch.count++] = node->parent;
        if (batch.count == VN_EDGE_BATCH)
            look_at(r, &batch, bricks, count, all);
    }
    look_at(r, &batch, bricks, count, all);
}

bool vni_any_angle_graph_changed(vni_replan* r, uint32_t nodes) {
    (void)nodes;
    const uint64_t now = r->source.version(r->source.self);
    if (r->source.get_bricks == NULL)
        look_at_lines(r, NULL, 0, true);
    for (uint64_t v = r->lines.version + 1; v <= now && r->source.get_bricks != NULL; ++v) {
        const vn_brick_change* bricks;
        uint32_t count;
        if (r->source.get_bricks(r->source.self, v, &bricks, &count) != VN_OK)
            return false;
        if (count > 0)
            look_at_lines(r, bricks, count, false);
    }
    r->lines.version = now;
    return true;
}

// ---------- the path

/// Is there an edge of the graph that the node's path uses?
static bool is_edge(const vni_lifelong* l, uint32_t parent, const vni_plan_node* node, uint32_t id) {
    const double g = vni_plan_at(&l->nodes, parent)->g;
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH];
    const vn_edges edges = {to, cost};
    bool found = false;
    do {
        const uint32_t count = vni_lifelong_edges(l, false, parent, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            found = found || (to[i] == id && g + cost[i] == node->rhs);
    } while (cursor != 0 && !found);
    return found;
}

/// The first node of the leaf's path, from the leaf on, whose way from its parent is not right; VN_NO_NODE if
/// all are. By what is said above there is none.
static uint32_t find_flaw(vni_replan* r) {
    const vni_lifelong* l = &r->core;
    for (uint32_t id = l->leaf; id != l->root;) {
        const vni_plan_node* node = vni_plan_at(&l->nodes, id);
        // one that waits for the next pass of AD* has a better path than those below it know
        if (node->parent == VN_NO_NODE || !(node->g >= node->rhs))
            return id;
        // the root may not be expanded yet, where the leaf sees it
        const double g = node->parent == l->root ? l->base : vni_plan_at(&l->nodes, node->parent)->g;
        const bool is_line = node->rhs == g + length(l, node->parent, id);
        if (!(g < node->g) ||
            !((is_line && can_see(r, node->parent, id)) || is_edge(l, node->parent, node, id)))
            return id;
        id = node->parent;
    }
    return VN_NO_NODE;
}

/// Lines that a change opened, or that no expansion came upon: nodes of the leaf's path that see the parent
/// of their parent hang on that one. True: the search goes on.
static bool shorten(vni_replan* r) {
    vni_lifelong* l = &r->core;
    bool is_shorter = false;
    for (uint32_t id = l->leaf; id != l->root;) {
        vni_plan_node* node = vni_plan_at(&l->nodes, id);
        const uint32_t parent = node->parent;
        if (parent == l->root)
            break;
        const uint32_t above = vni_plan_at(&l->nodes, parent)->parent;
        const double value = vni_plan_at(&l->nodes, above)->g + length(l, above, id);
        if (value < node->rhs && !is_plain(r, id) && can_see(r, above, id)) {
            node->rhs = value;
            vni_plan_set_parent(&l->nodes, id, above);
            vni_lifelong_queue(l, id);
            is_shorter = true;
        } else {
            id = parent;
        }
    }
    vni_lifelong_flush(l);
    return is_shorter;
}

bool vni_any_angle_mend(vni_replan* r, uint32_t* flaws) {
    const uint32_t flaw = find_flaw(r);
    if (flaw == VN_NO_NODE)
        return shorten(r);

    ++r->lines.flaws;
    r->anytime.has_path = false;
    if ((*flaws)++ == MOST_FLAWS) {
        ++r->restarts;
        r->kind->begin(r);
    } else {
        cut(&r->core, flaw);
        vni_lifelong_apply(&r->core);
    }
    return true;
}

static vn_status step(vni_replan* r, uint64_t budget) {
    if (vni_graph_has_zones(r->core.graph))
        return VN_UNSUPPORTED; // one came

    for (uint32_t flaws = 0;;) {
        const vn_status status = vni_lifelong_step(&r->core, &budget);
        if (status != VN_OK || !vni_any_angle_mend(r, &flaws))
            return status;
        if (budget == 0)
            return VN_RUNNING;
        --budget; // so that a slice ends in any case
    }
}

const vni_planner_kind vni_plan_aamt = {
    .name = "aamtdstar",
    .turns = true,
    .needs = VN_GRAPH_REVERSES | VN_GRAPH_SEES,
    .rules = {.offer = vni_any_angle_offer, .stay = vni_any_angle_stay, .expanded = expanded},
    .begin = begin,
    .end_changed = end_changed,
    .node_went = vni_family_node_went,
    .node_changed = vni_family_node_changed,
    .graph_changed = vni_any_angle_graph_changed,
    .apply = vni_any_angle_apply,
    .step = step,
};

const vni_planner_kind vni_plan_aamt_fast = {
    .name = "aamtdstar-fast",
    .turns = true,
    .needs = VN_GRAPH_REVERSES | VN_GRAPH_SEES | VN_GRAPH_HAS_KINDS,
    .rules = {.offer = vni_any_angle_offer, .stay = vni_any_angle_stay, .expanded = expanded},
    .begin = begin,
    .end_changed = end_changed,
    .node_went = vni_family_node_went,
    .node_changed = vni_family_node_changed,
    .graph_changed = vni_any_angle_graph_changed,
    .apply = vni_any_angle_apply,
    .step = step,
};
