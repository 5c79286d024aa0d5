/// 15-own-planner: a user's planner on volnav/graph.h, which follows a nav by its changes.
///
/// LPA* (Koenig and Likhachev 2002) without a heuristic: g is the cost of a node to the goal as it was last
/// settled, rhs what its neighbours promise now. Nodes where the two differ are open. After a change only the
/// nodes that the nav names are looked at again, and what follows from them.
#include "hall.h"
#include <math.h>
#include <stdlib.h>

enum { FRAMES = 60, MOST = 1 << 16 };

typedef struct planner {
    const vn_graph* graph;
    double g[MOST], rhs[MOST];
    bool open[MOST];
    uint32_t expanded;
} planner;

/// Calls `update` for each neighbour, or finds the least promise of all if it is null.
static double each_neighbour(planner* p, uint32_t node, void (*update)(planner* p, uint32_t node)) {
    uint32_t to[VN_EDGE_BATCH], cursor = 0;
    double cost[VN_EDGE_BATCH], least = INFINITY;
    const vn_edges edges = {to, cost};
    do {
        const uint32_t count = p->graph->expand(p->graph->self, node, &cursor, &edges);
        for (uint32_t i = 0; i < count; ++i)
            if (update != NULL)
                update(p, to[i]);
            else
                least = fmin(least, cost[i] + p->g[to[i]]);
    } while (cursor != 0);
    return least;
}

static void update(planner* p, uint32_t node) {
    p->rhs[node] = node == VN_GOAL_NODE ? 0 : each_neighbour(p, node, NULL);
    p->open[node] = p->g[node] != p->rhs[node];
}

static double key_of(const planner* p, uint32_t node) {
    return fmin(p->g[node], p->rhs[node]);
}

/// Settles nodes until the start is: then its g is the cost of the path.
static double solve(planner* p) {
    for (p->expanded = 0;; ++p->expanded) {
        uint32_t node = VN_NO_NODE; // the best of all: a real planner has a heap, and breaks ties by `keys`
        for (uint32_t i = 0; i < p->graph->node_limit; ++i)
            if (p->open[i] && (node == VN_NO_NODE || key_of(p, i) < key_of(p, node)))
                node = i;
        if (node == VN_NO_NODE || (key_of(p, node) >= key_of(p, VN_START_NODE) && !p->open[VN_START_NODE]))
            return p->g[VN_START_NODE];

        p->g[node] = p->g[node] > p->rhs[node] ? p->rhs[node] : INFINITY;
        update(p, node);
        each_neighbour(p, node, update);
    }
}

static double begin(planner* p) {
    for (uint32_t i = 0; i < MOST; ++i) {
        p->g[i] = p->rhs[i] = INFINITY;
        p->open[i] = false;
    }

    update(p, VN_GOAL_NODE);
    return solve(p);
}

/// Goes on to the newest version: what went is forgotten; what came or changed is looked at again.
static double follow(planner* p, vn_nav_graph* view) {
    const uint64_t from = vn_nav_graph_version(view);
    if (vn_nav_graph_advance(view) != VN_OK)
        return begin(p); // too far behind: from scratch

    for (uint64_t v = from + 1; v <= vn_nav_graph_version(view); ++v) {
        vn_node_changes changes;
        if (vn_nav_graph_get_changes(view, v, &changes) != VN_OK)
            return begin(p);
        for (uint32_t i = 0; i < changes.went_count; ++i) {
            p->g[changes.went[i]] = p->rhs[changes.went[i]] = INFINITY;
            p->open[changes.went[i]] = false;
        }
        // open for now, because a later version may take it away; looked at below, in the newest graph
        for (uint32_t i = 0; i < changes.came_count; ++i)
            p->open[changes.came[i]] = true;
        for (uint32_t i = 0; i < changes.changed_count; ++i)
            p->open[changes.changed[i]] = true;
    }

    for (uint32_t i = 0; i < p->graph->node_limit; ++i)
        if (p->open[i])
            update(p, i);
    each_neighbour(p, VN_GOAL_NODE, update); // the edges of the ends are not in the changes
    update(p, VN_START_NODE);
    return solve(p);
}

static int run(vn_nav* nav, vn_nav_graph* view, vn_obstacle_id crate, planner* p, planner* fresh) {
    uint64_t repaired = 0, searched = 0;
    const vn_point start = {8 * 4096, 2 * 4096, 4 * 4096}, goal = {30 * 4096, 2 * 4096, 8 * 4096};
    p->graph = fresh->graph = vn_nav_graph_get(view);
    if (vn_nav_graph_set_end(view, 0, start) != VN_OK || vn_nav_graph_set_end(view, 1, goal) != VN_OK)
        return 1;

    begin(p);
    for (int frame = 0; frame < FRAMES; ++frame) {
        vn_transform at = vn_transform_identity();
        at.position = (vn_vec3){10.0f + 0.25f * (float)frame, 0, 7};
        if (vn_nav_move(nav, crate, &at, NULL) != VN_OK || vn_nav_tick(nav, NULL) != VN_OK)
            return 1;
        const double cost = follow(p, view), again = begin(fresh);
        if (fabs(cost - again) > 1e-9 * again)
            return 1;
        repaired += p->expanded;
        searched += fresh->expanded;
    }
    printf("%d frames, %u nodes: %llu expansions by repairing, %llu from scratch\n", FRAMES,
           p->graph->node_limit, (unsigned long long)repaired, (unsigned long long)searched);
    return 0;
}

int main(void) {
    vn_world* world = NULL;
    vn_nav* nav = NULL;
    vn_nav_graph* view = NULL;
    vn_obstacle_id crate;
    const vn_transform home = vn_transform_identity();
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{0, 0, 0}, {1, 3, 2}}};
    vn_nav_def def = vn_default_nav_def();
    vn_nav_graph_def graph_def = vn_default_nav_graph_def(); // the faces between cells
    def.space = hall_space_def();
    def.space.unknown = VN_UNKNOWN_BLOCKED;
    def.history = 8;                        // versions that the planner may fall behind
    def.graphs = 1u << VN_NAV_CELLS_PORTAL; // that the nav follows
    planner* planners = malloc(2 * sizeof *planners);
    if (planners == NULL || hall_world(false, &world) != VN_OK ||
        vn_world_add_moving(world, &box, &home, &crate, NULL) != VN_OK ||
        vn_nav_create(world, &def, &nav, NULL) != VN_OK ||
        vn_nav_graph_create(nav, &graph_def, &view, NULL) != VN_OK)
        return 1;

    const int failed = run(nav, view, crate, &planners[0], &planners[1]);
    vn_nav_graph_destroy(view);
    vn_nav_destroy(nav);
    free(planners);
    return failed;
}
