/// 17-repair: a planner that repairs its path. A hunter flies through a hall in which a crate moves, after a
/// target that moves too. Moving Target D* Lite keeps what it knows from frame to frame; beside it the same
/// planner begins anew in every frame. Then a nav runs the planner as a request that lives on.
#include "hall.h"

#include <stdlib.h>
#include <volnav/replan.h>

enum { FRAMES = 60 };

/// A sample stops at the first failure.
static void check(vn_status status, const char* what) {
    if (status != VN_OK) {
        printf("%s: %s\n", what, vn_status_text(status));
        exit(1);
    }
}

typedef struct side {
    vn_nav_graph* graph; ///< each planner reads a graph of its own
    vn_graph_source source;
    vn_planner planner;
    uint64_t expanded;
} side;

static void make_side(vn_nav* nav, side* s) {
    vn_nav_graph_def graph_def = vn_default_nav_graph_def();
    vn_replan_def def = vn_default_replan_def();
    graph_def.kind = VN_NAV_GRID26;
    def.algo = VN_REPLAN_MT;
    check(vn_nav_graph_create(nav, &graph_def, &s->graph, NULL), "graph");
    s->source = vn_nav_graph_source(s->graph);
    check(vn_replan_create(&s->source, &def, &s->planner, NULL), "planner");
}

static void free_side(side* s) {
    s->planner.free(s->planner.self);
    vn_nav_graph_destroy(s->graph);
}

/// Steps until there is a plan. A game would give it a few hundred expansions a frame, and go on the next.
static vn_plan finish(side* s) {
    vn_plan plan;
    while (s->planner.step(s->planner.self, 500) == VN_RUNNING)
        continue;
    check(s->planner.path(s->planner.self, &plan), "path");
    s->expanded += plan.expanded;
    return plan;
}

/// The hunter is a third of a metre further on its path each frame.
static vn_point next_start(const vn_plan* plan) {
    return plan->points[plan->point_count > 2 ? 2 : plan->point_count - 1];
}

static void hunt(vn_nav* nav, vn_obstacle_id crate) {
    side repairs = {0}, fresh = {0};
    vn_point start = {8 * 4096, 2 * 4096, 4 * 4096};
    make_side(nav, &repairs);
    make_side(nav, &fresh);
    for (int frame = 0; frame < FRAMES; ++frame) {
        const vn_point target = {30 * 4096, 2 * 4096, (9 - frame / 8) * 4096};
        vn_transform at = vn_transform_identity();
        at.position = (vn_vec3){10.0f + 0.25f * (float)frame, 0, 7};
        check(vn_nav_move(nav, crate, &at, NULL), "move");
        check(vn_nav_tick(nav, NULL), "tick");

        // the world, then the ends; the order does not matter
        if (frame == 0)
            check(repairs.planner.begin(repairs.planner.self, 0, start, target, NULL), "begin");
        check(repairs.planner.advance(repairs.planner.self, 0, NULL), "advance");
        check(repairs.planner.move(repairs.planner.self, start, target), "move ends");
        const vn_plan plan = finish(&repairs);

        check(vn_nav_graph_advance(fresh.graph), "advance");
        check(fresh.planner.begin(fresh.planner.self, 0, start, target, NULL), "begin");
        const vn_plan again = finish(&fresh);
        if (plan.cost != again.cost) // costs are sums of whole units: they compare
            check(VN_BAD_DATA, "both planners find the least cost");
        start = next_start(&plan);
    }

    printf("%d frames: %llu expansions by repairing, %llu from scratch\n", FRAMES,
           (unsigned long long)repairs.expanded, (unsigned long long)fresh.expanded);
    free_side(&repairs);
    free_side(&fresh);
}

/// The same planner on the nav's threads: a request names it, the next one goes on with what it knows.
static void ask(vn_nav* nav) {
    side s = {0};
    make_side(nav, &s);
    for (int i = 0; i < 2; ++i) {
        vn_nav_request request = vn_default_nav_request();
        vn_nav_result result;
        vn_request_id id;
        request.path.start = (vn_point){8 * 4096, 2 * 4096, 4 * 4096};
        request.path.goal = (vn_point){30 * 4096, 2 * 4096, (9 - i) * 4096};
        request.path.radius = 0;
        request.planner = &s.planner;
        check(vn_nav_submit(nav, &request, &id, NULL), "submit");
        do {
            check(vn_nav_tick(nav, NULL), "tick");
        } while (!vn_nav_next_result(nav, &result));

        check(result.result.status, "result");
        printf("request %d: %.1f m, %llu expansions\n", i + 1, result.result.length,
               (unsigned long long)result.result.expanded);
        vn_nav_release_result(nav, result.id);
    }
    free_side(&s);
}

int main(void) {
    vn_world* world = NULL;
    vn_nav* nav = NULL;
    vn_obstacle_id crate;
    const vn_transform home = vn_transform_identity();
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{0, 0, 0}, {1, 3, 2}}};
    vn_nav_def def = vn_default_nav_def();
    def.space = hall_space_def();
    def.history = 8;                  // versions that a planner may fall behind
    def.graphs = 1u << VN_NAV_GRID26; // that planners read
    check(hall_world(false, &world), "world");
    check(vn_world_add_moving(world, &box, &home, &crate, NULL), "crate");
    check(vn_nav_create(world, &def, &nav, NULL), "nav");
    hunt(nav, crate);
    ask(nav);
    vn_nav_destroy(nav);
    return 0;
}
