/// volnav/experiment/maruszczyk_searches.c: tables 2 to 4 of Maruszczyk 2016: A* with a list and with a heap,
/// Dijkstra and greedy search in three worlds, empty and with rocks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/maruszczyk.h"
#include "volnav/classic.h"
#include "volnav/path.h"

const char* const maruszczyk_search_names[MARUSZCZYK_SEARCHES] = {"A*, list", "A*, heap", "Dijkstra",
                                                                  "best first", "cells"};

const int maruszczyk_dims[MARUSZCZYK_SIZES][3] = {{30, 8, 30}, {60, 15, 60}, {120, 30, 120}};

/// Tables 2 and 3. Dijkstra in the largest world with obstacles: "N/A".
const double maruszczyk_ms[MARUSZCZYK_SIZES][2][MARUSZCZYK_SEARCHES] = {
    {{6, 1, 50, 1, NAN}, {265, 15, 45, 1, NAN}},
    {{17, 1, 475, 2, NAN}, {4190, 77, 397, 2, NAN}},
    {{63, 4, 3980, 8, NAN}, {86078, 194, NAN, 18, NAN}}};

const double maruszczyk_nodes[MARUSZCZYK_SIZES][2] = {{33, 28}, {67, 53}, {156, 114}};

static const vn_classic_algo algos[MARUSZCZYK_CELLS] = {VN_CLASSIC_ASTAR_LIST, VN_CLASSIC_ASTAR,
                                                        VN_CLASSIC_DIJKSTRA, VN_CLASSIC_GREEDY};

/// Part of the nodes that is rock. Dijkstra visits all nodes; with obstacles it takes 0.90 and 0.84 of the
/// time in the thesis, so that 10 to 16 % are blocked.
#define ROCK_SHARE 0.16

enum { RUNS = 100, QUICK_RUNS = 3, TRIES = 100000 };

/// One world with what searches it.
typedef struct place {
    const maruszczyk_world* about;
    vn_world* world;
    vn_space* space;
    vn_classic* grid;
    vn_classic_query* query;
    vn_query* cells;
} place;

// ---------------------------------------------------------------------------------------------------- worlds

static int draw_below(uint64_t* random, int count) {
    return (int)((vn_random_next(random) >> 32) * (uint64_t)count >> 32);
}

/// Marks the nodes of a box; how many are new.
static int mark(const int dims[3], const int low[3], const int high[3], unsigned char* taken) {
    int fresh = 0;
    for (int z = low[2]; z < high[2]; ++z) {
        for (int y = low[1]; y < high[1]; ++y) {
            for (int x = low[0]; x < high[0]; ++x) {
                unsigned char* at =
                    &taken[((size_t)z * (size_t)dims[1] + (size_t)y) * (size_t)dims[0] + (size_t)x];
                fresh += *at == 0 ? 1 : 0;
                *at = 1;
            }
        }
    }
    return fresh;
}

/// A box of up to a fifth of the world along each axis, inside its nodes by a tenth.
static int draw_box(const int dims[3], uint64_t* random, unsigned char* taken, vn_shape* out) {
    int low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        const int edge = 1 + draw_below(random, dims[i] / 5);
        low[i] = draw_below(random, dims[i] - edge + 1);
        high[i] = low[i] + edge;
    }

    out->kind = VN_SHAPE_BOX;
    out->as.box = (vn_box){{(float)low[0] + 0.1f, (float)low[1] + 0.1f, (float)low[2] + 0.1f},
                           {(float)high[0] - 0.1f, (float)high[1] - 0.1f, (float)high[2] - 0.1f}};
    return mark(dims, low, high, taken);
}

static int add_rocks(const int dims[3], uint64_t seed, vn_world* world) {
    const int nodes = dims[0] * dims[1] * dims[2];
    unsigned char* taken = say_alloc((size_t)nodes, 1);
    uint64_t random = seed * 0x9e3779b97f4a7c15u + (uint64_t)dims[0];
    vn_status status = VN_OK;
    for (int blocked = 0; blocked < ROCK_SHARE * nodes && status == VN_OK;) {
        vn_shape shape = {.kind = VN_SHAPE_BOX};
        blocked += draw_box(dims, &random, taken, &shape);
        status = vn_world_add(world, &shape, NULL, NULL);
    }

    free(taken);
    return status == VN_OK ? EXIT_DONE : say_status("rocks", status, NULL);
}

static vn_status bake(place* p, const int dims[3], vn_detail* detail) {
    vn_space_def def = vn_default_space_def();
    def.resolution = 1;
    def.has_bounds = true;
    def.bounds.max = (vn_vec3){(float)dims[0], (float)dims[1], (float)dims[2]};
    return vn_space_bake(p->world, &def, &p->space, detail);
}

static vn_status make_searches(place* p, vn_detail* detail) {
    vn_classic_def def = vn_default_classic_def();
    const vn_classic_query_def classic = vn_default_classic_query_def();
    const vn_query_def cells = vn_default_query_def();
    def.kind = VN_CLASSIC_GRID;
    vn_status status = vn_classic_build(p->space, &def, &p->grid, detail);
    status = status == VN_OK ? vn_classic_query_create(p->grid, &classic, &p->query, detail) : status;
    return status == VN_OK ? vn_query_create(p->space, &cells, &p->cells, detail) : status;
}

static int open_place(experiment* e, maruszczyk_world* about, place* p) {
    const vn_world_def def = vn_default_world_def();
    vn_detail detail = {0};
    vn_space_info info;
    vn_status status = vn_world_create(&def, &p->world);
    if (status == VN_OK && about->rocks && add_rocks(about->dims, e->options->seed, p->world) != EXIT_DONE) {
        return EXIT_BAD;
    }

    status = status == VN_OK ? bake(p, about->dims, &detail) : status;
    status = status == VN_OK ? make_searches(p, &detail) : status;
    if (status != VN_OK) {
        return say_status("maruszczyk", status, &detail);
    }

    vn_space_get_info(p->space, &info);
    about->blocked = (double)info.blocked_voxels / ((double)info.dims.x * info.dims.y * info.dims.z);
    p->about = about;
    return EXIT_DONE;
}

static void close_place(place* p) {
    vn_query_destroy(p->cells);
    vn_classic_query_destroy(p->query);
    vn_classic_destroy(p->grid);
    vn_space_destroy(p->space);
    vn_world_destroy(p->world);
}

// -------------------------------------------------------------------------------------------------- searches

typedef struct ends {
    vn_point from, to;
} ends;

/// A node in the corner of a tenth of the edges: at the low end of each axis, or at the high one.
static vn_point draw_node(const int dims[3], bool high, uint64_t* random) {
    int at[3];
    for (int i = 0; i < 3; ++i) {
        const int reach = dims[i] / 10 > 0 ? dims[i] / 10 : 1;
        const int off = draw_below(random, reach);
        at[i] = high ? dims[i] - 1 - off : off;
    }
    return vn_voxel_center((vn_voxel){at[0], at[1], at[2]});
}

/// Across the whole world, as the thesis's lengths say: 28 nodes of 30.
static int draw_ends(const place* p, uint64_t* random, ends* out) {
    for (int i = 0; i < TRIES; ++i) {
        out->from = draw_node(p->about->dims, false, random);
        out->to = draw_node(p->about->dims, true, random);
        if (vn_space_reachable(p->space, out->from, out->to)) {
            return EXIT_DONE;
        }
    }
    return say_bad("maruszczyk: no path leads through this world; try another --seed");
}

/// Steps from node to node of a path along edges of the grid.
static double count_nodes(const vn_point* points, uint32_t count) {
    int64_t sum = 0;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        const int64_t x = llabs((long long)points[i + 1].x - points[i].x);
        const int64_t y = llabs((long long)points[i + 1].y - points[i].y);
        const int64_t z = llabs((long long)points[i + 1].z - points[i].z);
        const int64_t larger = x > y ? x : y;
        sum += larger > z ? larger : z;
    }
    return (double)sum / VN_LATTICE;
}

static void count_path(experiment* e, const place* p, vn_status status, const vn_point* points,
                       uint32_t count) {
    ++e->queries;
    e->found += status == VN_OK ? 1 : 0;
    e->valid += status == VN_OK && vn_space_check_path(p->space, points, count, NULL) ? 1 : 0;
}

static void add_result(maruszczyk_search* sum, double seconds, double length, uint64_t expanded,
                       double nodes) {
    sum->ms += seconds * 1e3;
    sum->length += length;
    sum->expanded += (double)expanded;
    sum->nodes += nodes;
    ++sum->count;
}

static void search_grid(experiment* e, place* p, int which, const ends* pair, maruszczyk_search* sum) {
    vn_classic_request request = vn_default_classic_request();
    vn_classic_result result = {0};
    uint32_t count = 0;
    request.algo = algos[which];
    request.graph = VN_GRAPH_CENTRES;
    request.neighbours = 26;
    request.heuristic = VN_HEURISTIC_R16;
    request.start = pair->from;
    request.goal = pair->to;

    const double begin = system_thread_seconds();
    const vn_status status = vn_classic_query_find_path(p->query, &request, &result, NULL);
    const double seconds = system_thread_seconds() - begin;
    const vn_point* points = vn_classic_query_points(p->query, &count);
    count_path(e, p, status, points, count);
    if (status == VN_OK) {
        add_result(sum, seconds, result.path.length, result.closed, count_nodes(points, count));
    }
}

static void search_cells(experiment* e, place* p, const ends* pair, maruszczyk_search* sum) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result = {0};
    uint32_t count = 0;
    request.start = pair->from;
    request.goal = pair->to;

    const double begin = system_thread_seconds();
    const vn_status status = vn_query_find_path(p->cells, &request, &result, NULL);
    const double seconds = system_thread_seconds() - begin;
    const vn_point* points = vn_query_points(p->cells, &count);
    count_path(e, p, status, points, count);
    if (status == VN_OK) {
        add_result(sum, seconds, result.length, result.expanded, NAN);
    }
}

static void take_means(maruszczyk_world* world) {
    for (int i = 0; i < MARUSZCZYK_SEARCHES; ++i) {
        maruszczyk_search* s = &world->searches[i];
        const double count = s->count > 0 ? s->count : (double)NAN;
        s->ms /= count;
        s->length /= count;
        s->expanded /= count;
        s->nodes /= count;
    }
}

/// Every search on every pair, beginning with another one each time.
static int run_world(experiment* e, maruszczyk_world* world) {
    const uint32_t runs = experiment_sample(e, RUNS, QUICK_RUNS);
    uint64_t random = e->options->seed * 7919 + (uint64_t)world->dims[0];
    place p = {0};
    int code = open_place(e, world, &p);
    for (uint32_t i = 0; i < runs && code == EXIT_DONE; ++i) {
        ends pair;
        code = draw_ends(&p, &random, &pair);
        for (int k = 0; k < MARUSZCZYK_SEARCHES && code == EXIT_DONE; ++k) {
            const int which = (int)((i + (uint32_t)k) % MARUSZCZYK_SEARCHES);
            if (which == MARUSZCZYK_CELLS) {
                search_cells(e, &p, &pair, &world->searches[which]);
            } else {
                search_grid(e, &p, which, &pair, &world->searches[which]);
            }
        }
        progress_report(&e->bar, world->rocks ? "searches, rocks" : "searches", (i + 1.0) / runs);
    }

    close_place(&p);
    take_means(world);
    return code;
}

int maruszczyk_run_searches(experiment* e, maruszczyk_world worlds[MARUSZCZYK_SIZES][2]) {
    int code = EXIT_DONE;
    for (int size = 0; size < MARUSZCZYK_SIZES; ++size) {
        for (int rocks = 0; rocks < 2 && code == EXIT_DONE; ++rocks) {
            maruszczyk_world* world = &worlds[size][rocks];
            memcpy(world->dims, maruszczyk_dims[size], sizeof world->dims);
            world->rocks = rocks == 1;
            code = run_world(e, world);
        }
    }
    return code;
}
