/// volnav/experiment/krafft_stage.c: spaces that follow one scene.
#include "experiment/krafft_stage.h"

#include <assert.h>
#include <math.h>

#include "shell/rotation.h"
#include "volnav/path.h"

const char* const krafft_spaces[KRAFFT_SPACES] = {"grid, 6 neighbours",
                                                  "waypoints",
                                                  "waypoints, 8 indirect neighbours",
                                                  "hybrid graph",
                                                  "hybrid graph, separating axes",
                                                  "octree",
                                                  "merged octree",
                                                  "cells"};

const krafft_search krafft_searches[KRAFFT_SEARCHES] = {
    {"A*, grid", KRAFFT_GRID, VN_CLASSIC_ASTAR, 17, 130.28, 28296},
    {"Theta*, grid", KRAFFT_GRID, VN_CLASSIC_THETA, 31.13, 98.28, NAN},
    {"A*, hybrid", KRAFFT_HYBRID, VN_CLASSIC_ASTAR, 6, NAN, NAN},
    {"Theta*, hybrid", KRAFFT_HYBRID, VN_CLASSIC_THETA, 34.17, NAN, NAN},
    {"Theta* Fast, hybrid", KRAFFT_HYBRID, VN_CLASSIC_THETA_FAST, NAN, NAN, NAN},
    {"A*, waypoints", KRAFFT_WAYPOINTS, VN_CLASSIC_ASTAR, NAN, 144.126, NAN},
    {"A*, waypoints, 8 indirect", KRAFFT_WAYPOINTS_8, VN_CLASSIC_ASTAR, NAN, NAN, NAN},
    {"Theta*, waypoints, 8 indirect", KRAFFT_WAYPOINTS_8, VN_CLASSIC_THETA, NAN, NAN, NAN},
    {"A*, octree", KRAFFT_OCTREE, VN_CLASSIC_ASTAR, NAN, NAN, NAN},
    {"A*, merged octree", KRAFFT_MERGED, VN_CLASSIC_ASTAR, NAN, NAN, NAN},
    {"cells", KRAFFT_CELLS, VN_CLASSIC_ASTAR, NAN, NAN, NAN}};

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

// -------------------------------------------------------------------------------------------------- opening

static int open_query(krafft_stage* s, int space, const vn_graph* graph) {
    vn_graph_query_def def = vn_default_graph_query_def();
    vn_detail detail = {0};
    def.node_limit = graph->node_limit;
    def.max_nodes = s->max_nodes;
    return check(krafft_spaces[space], vn_graph_query_create(&def, &s->queries[space], &detail), &detail);
}

static int open_grid(krafft_stage* s) {
    vn_nav_graph_def def = vn_default_nav_graph_def();
    vn_detail detail = {0};
    def.kind = VN_NAV_GRID6;
    const int code = check("grid", vn_nav_graph_create(s->grid.nav, &def, &s->graph, &detail), &detail);
    return code == EXIT_DONE ? open_query(s, KRAFFT_GRID, vn_nav_graph_get(s->graph)) : code;
}

static int open_view(krafft_stage* s, int space) {
    vn_detail detail = {0};
    const int code = check(krafft_spaces[space],
                           vn_roadmap_view_create(s->roadmaps[space], &s->views[space], &detail), &detail);
    return code == EXIT_DONE ? open_query(s, space, vn_roadmap_view_graph(s->views[space])) : code;
}

/// Built on what does not move, then brought to the place.
static int open_tree(krafft_stage* s, int space, const vn_space* base) {
    const vn_classic_kind kind = space == KRAFFT_OCTREE ? VN_CLASSIC_OCTREE : VN_CLASSIC_MERGED;
    const moving_place at_base = {.space = base};
    follower_times times;
    const int code = follower_open(&at_base, kind, false, &s->trees[space]);
    return code == EXIT_DONE ? follower_update(&s->trees[space], s->place.space, NULL, &times) : code;
}

int krafft_stage_open(krafft_stage* s, const vn_space* base) {
    int code = open_grid(s);
    for (int i = KRAFFT_WAYPOINTS; i <= KRAFFT_HYBRID_AXES && code == EXIT_DONE; ++i) {
        code = s->roadmaps[i] != NULL ? open_view(s, i) : EXIT_DONE;
    }

    code = code == EXIT_DONE ? open_tree(s, KRAFFT_OCTREE, base) : code;
    return code == EXIT_DONE ? open_tree(s, KRAFFT_MERGED, base) : code;
}

void krafft_stage_close(krafft_stage* s) {
    for (int i = 0; i <= KRAFFT_HYBRID_AXES; ++i) {
        vn_graph_query_destroy(s->queries[i]);
        vn_roadmap_view_destroy(s->views[i]);
        vn_roadmap_destroy(s->roadmaps[i]);
    }

    for (uint32_t i = 0; i < s->shape_count; ++i) {
        vn_roadmap_shape_destroy(s->shapes[i]);
    }

    follower_close(&s->trees[KRAFFT_OCTREE]);
    follower_close(&s->trees[KRAFFT_MERGED]);
    vn_nav_graph_destroy(s->graph);
    moving_close(&s->grid);
    moving_close(&s->place);
}

// ------------------------------------------------------------------------------------------------ following

/// The place of an obstacle in the list; its end if it is not there.
static uint32_t find_shape(const krafft_stage* s, vn_obstacle_id id) {
    uint32_t i = 0;
    while (i < s->shape_count &&
           (s->shape_ids[i].index1 != id.index1 || s->shape_ids[i].generation != id.generation)) {
        ++i;
    }
    return i;
}

static void drop_shape(krafft_stage* s, uint32_t at) {
    vn_roadmap_shape_destroy(s->shapes[at]);
    --s->shape_count;
    s->shapes[at] = s->shapes[s->shape_count];
    s->transforms[at] = s->transforms[s->shape_count];
    s->shape_ids[at] = s->shape_ids[s->shape_count];
}

/// Takes what changed. An obstacle that has stood still since the start is not known: its voxels then count
/// as changed, and the space says that they are not.
static int take_shapes(krafft_stage* s) {
    const vn_allocator allocator = vn_default_allocator();
    const vn_changes* changes = s->place.changes;
    for (uint32_t i = 0; i < changes->obstacle_count; ++i) {
        const vn_obstacle_change* c = &changes->obstacles[i];
        vn_detail detail = {0};
        const uint32_t at = find_shape(s, c->id);
        if (!c->is) {
            if (at < s->shape_count) {
                drop_shape(s, at);
            }
            continue;
        }

        assert(at < KRAFFT_SHAPES);
        if (at == s->shape_count) {
            const vn_status status = vn_roadmap_shape_create(&allocator, c->shape, &s->shapes[at], &detail);
            if (status != VN_OK) {
                return say_status("separating axes", status, &detail);
            }
            s->shape_ids[at] = c->id;
            ++s->shape_count;
        }
        s->transforms[at] = c->after;
    }

    return EXIT_DONE;
}

static vn_status follow_shapes(krafft_stage* s, vn_detail* detail) {
    vn_roadmap_place places[KRAFFT_SHAPES];
    for (uint32_t i = 0; i < s->shape_count; ++i) {
        places[i] = (vn_roadmap_place){s->shapes[i], s->transforms[i]};
    }
    return vn_roadmap_follow_shapes(s->roadmaps[KRAFFT_HYBRID_AXES], s->place.space, s->place.version, places,
                                    s->shape_count, detail);
}

static int follow_roadmap(krafft_stage* s, int space) {
    vn_detail detail = {0};
    const bool by_axes = space == KRAFFT_HYBRID_AXES;
    if (by_axes && take_shapes(s) != EXIT_DONE) { // axes are prepared once, which is not timed
        return EXIT_BAD;
    }

    const double begin = system_thread_seconds();
    const vn_status status = by_axes ? follow_shapes(s, &detail)
                                     : vn_roadmap_follow(s->roadmaps[space], s->place.space, s->place.version,
                                                         s->place.changes, 0, &detail);
    s->own[space] = system_thread_seconds() - begin;
    vn_roadmap_view_advance(s->views[space]);
    return check(krafft_spaces[space], status, &detail);
}

static int follow_tree(krafft_stage* s, int space) {
    follower_times times;
    const int code = follower_update(&s->trees[space], s->place.space, &s->place.changes->layers[0], &times);
    s->own[space] = times.tree + times.graph;
    return code;
}

/// The nav with the graph is a second one: what it takes more than the first is the grid's.
static int follow_grid(krafft_stage* s, double seconds) {
    const int code = moving_step(&s->grid, seconds, NULL);
    s->own[KRAFFT_GRID] = s->grid.tick > s->place.tick ? s->grid.tick - s->place.tick : 0;
    return code == EXIT_DONE ? check("grid", vn_nav_graph_advance(s->graph), NULL) : code;
}

static int follow(krafft_stage* s, int space, double seconds) {
    if (space == KRAFFT_GRID) {
        return follow_grid(s, seconds);
    }

    if (space == KRAFFT_OCTREE || space == KRAFFT_MERGED) {
        return follow_tree(s, space);
    }
    return space != KRAFFT_CELLS && s->roadmaps[space] != NULL ? follow_roadmap(s, space) : EXIT_DONE;
}

int krafft_stage_step(krafft_stage* s, uint32_t frame, double seconds) {
    bool changed = false;
    int code = moving_step(&s->place, seconds, &changed);
    for (int i = 0; i < KRAFFT_SPACES; ++i) {
        s->own[i] = 0;
    }

    // The grid's nav goes on in any case; the others have nothing to follow if nothing moved.
    for (uint32_t i = 0; i < KRAFFT_SPACES && code == EXIT_DONE; ++i) {
        const int space = (int)rotation_at(KRAFFT_SPACES, frame, i);
        code = changed || space == KRAFFT_GRID ? follow(s, space, seconds) : EXIT_DONE;
    }
    return code;
}

// ------------------------------------------------------------------------------------------------ searching

/// The graph with both ends; null if one of them cannot be set.
static const vn_graph* place_ends(krafft_stage* s, int space, vn_point from, vn_point to) {
    if (space == KRAFFT_GRID) {
        const bool set = vn_nav_graph_set_end(s->graph, VN_START_NODE, from) == VN_OK &&
                         vn_nav_graph_set_end(s->graph, VN_GOAL_NODE, to) == VN_OK;
        return set ? vn_nav_graph_get(s->graph) : NULL;
    }

    vn_roadmap_view* view = s->views[space];
    const bool set = vn_roadmap_view_set_end(view, VN_START_NODE, from) == VN_OK &&
                     vn_roadmap_view_set_end(view, VN_GOAL_NODE, to) == VN_OK;
    return set ? vn_roadmap_view_graph(view) : NULL;
}

static run_row find_on_graph(krafft_stage* s, const krafft_search* search, vn_point from, vn_point to) {
    vn_graph_query* query = s->queries[search->space];
    vn_graph_request request = vn_default_graph_request();
    vn_graph_result result = {0};
    uint32_t count = 0;
    request.algo = search->algo;
    request.heuristic = s->heuristic;
    const double begin = system_thread_seconds();
    const vn_graph* graph = place_ends(s, search->space, from, to);
    vn_status status = graph != NULL ? VN_OK : VN_NO_PATH;

    // Obstacles that appear bring waypoints with new ids: the query grows with the graph.
    if (status == VN_OK)
        status = vn_graph_query_grow(query, graph->node_limit, NULL);
    if (status == VN_OK)
        status = vn_graph_query_find_path(query, graph, &request, &result, NULL);
    run_row row = {.seconds = system_thread_seconds() - begin, .found = status == VN_OK};
    row.closed = (double)result.expanded;
    row.sight_checks = (double)result.sight_checks;
    if (row.found) {
        const vn_point* points = vn_graph_query_points(query, &count);
        row.length = run_length(s->place.space, points, count);
        row.valid = vn_space_check_path(s->place.space, points, count, NULL);
    }
    return row;
}

static run_row find_on_cells(krafft_stage* s, vn_point from, vn_point to) {
    vn_nav_result result;
    double seconds = 0;
    if (moving_ask(&s->place, from, to, 0, &result, &seconds) != EXIT_DONE) {
        return (run_row){.found = false};
    }
    return moving_row(&s->place, &result, seconds);
}

run_row krafft_stage_find(krafft_stage* s, const krafft_search* search, vn_point from, vn_point to) {
    if (search->space == KRAFFT_CELLS) {
        return find_on_cells(s, from, to);
    }
    return search->space == KRAFFT_OCTREE || search->space == KRAFFT_MERGED
               ? follower_find(&s->trees[search->space], &s->place, from, to, 0)
               : find_on_graph(s, search, from, to);
}
