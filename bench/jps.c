/// bench/jps.c: jump point search beside A* on the voxel grid with 26 neighbours, on the same queries in
/// one run: scanning bricks, and with the rows of jps_rows.h. All have the same costs, to the last bit.
///
/// Warframe maps with lines of their scenarios if VN_DATA names the folder that holds warframe/; else a
/// made-up world.
#include "bench.h"

#include "classic/jps.h"
#include "search/best_first.h"

#include <string.h>

#define MAX_QUERIES   200
#define SECONDS_A_MAP 6 // of A*

enum { ASTAR, JPS_BRICKS, JPS_ROWS, SEARCHES };

typedef struct tally {
    double seconds[SEARCHES];
    uint64_t expanded[SEARCHES];
    uint64_t scanned;
    uint32_t queries;
} tally;

typedef struct scene {
    vn_space* space;
    vni_grid grid;
    vn_graph graph;
    vni_jps_rows rows;
    vni_jps_index bricks_index, rows_index;
    vni_scratch scratch;
    double rows_seconds;
} scene;

static void open_scene(scene* s, vn_space* space) {
    vn_detail detail = {0};
    vn_allocator allocator = vn_default_allocator();
    s->space = space;
    vnb_must(vni_grid_make(&space->occupancy, 26, &s->grid, &detail), &detail);

    s->graph = vni_grid_graph(&s->grid);
    double begin = vnb_seconds();
    vnb_must(vni_jps_rows_make(&allocator, &s->grid, &s->rows, &detail), &detail);
    s->rows_seconds = vnb_seconds() - begin;
    vni_jps_index_make(&s->grid, NULL, &s->bricks_index);
    vni_jps_index_make(&s->grid, &s->rows, &s->rows_index);
    vnb_must(vni_scratch_make(&allocator, s->graph.node_limit, 32000000, &s->scratch), NULL);
}

static void close_scene(scene* s) {
    vni_scratch_free(&s->scratch);
    vni_jps_rows_free(&s->rows);
    vn_space_destroy(s->space);
}

// ------------------------------------------------------------------------------------------- searching

static double by_astar(scene* s, tally* t, uint32_t start, uint32_t goal) {
    vni_cost cost = vni_cost_length(VNI_METRIC_OCTILE, 26);
    vni_best_first_def def = {1, 1, false, false, 0};
    vni_best_first search;
    double begin = vnb_seconds();
    vnb_must(vni_best_first_begin(&search, &def, &s->graph, &cost, &s->scratch, start, goal), NULL);
    vnb_must(vni_best_first_step(&search, UINT64_MAX), NULL);
    t->seconds[ASTAR] += vnb_seconds() - begin;
    t->expanded[ASTAR] += search.expanded;

    return vni_best_first_g(&search, goal);
}

static double by_jps(scene* s, tally* t, int which, uint32_t start, uint32_t goal) {
    vni_cost cost = vni_cost_length(VNI_METRIC_OCTILE, 26);
    vni_jps_def def = {1, false, 0};
    vni_jps search;
    double begin = vnb_seconds();
    vnb_must(vni_jps_begin(&search, &def, which == JPS_ROWS ? &s->rows_index : &s->bricks_index, &cost,
                           &s->scratch, start, goal),
             NULL);
    vnb_must(vni_jps_step(&search, UINT64_MAX), NULL);
    t->seconds[which] += vnb_seconds() - begin;
    t->expanded[which] += search.expanded;
    t->scanned += which == JPS_ROWS ? search.scanned : 0;

    return vni_jps_g(&search, goal);
}

static void run_all(scene* s, tally* t, vn_voxel start, vn_voxel goal) {
    uint32_t a = vni_grid_node(&s->grid, start), b = vni_grid_node(&s->grid, goal);
    double costs[SEARCHES];
    for (uint32_t turn = 0; turn < SEARCHES; ++turn) {
        int which = (int)rotation_at(SEARCHES, t->queries, turn);
        costs[which] = which == ASTAR ? by_astar(s, t, a, b) : by_jps(s, t, which, a, b);
    }

    for (int which = JPS_BRICKS; which < SEARCHES; ++which)
        if (costs[which] != costs[ASTAR]) {
            fprintf(stderr, "costs differ: %.9f, A* %.9f\n", costs[which], costs[ASTAR]);
            exit(1);
        }

    ++t->queries;
}

// -------------------------------------------------------------------------------------------- printing

static void print_head(void) {
    printf("%-8s %4s %10s %10s %10s %8s %8s %9s %9s %7s %6s\n", "map", "n", "A* ms", "bricks ms", "rows ms",
           "bricks x", "rows x", "A* nodes", "JPS nodes", "make ms", "MB");
}

static void print_tally(const char* name, const tally* t, double make, double bytes) {
    double each = 1e3 / t->queries;
    printf("%-8s %4u %10.3f %10.3f %10.3f %8.2f %8.2f %9.0f %9.0f %7.1f %6.1f\n", name, t->queries,
           t->seconds[ASTAR] * each, t->seconds[JPS_BRICKS] * each, t->seconds[JPS_ROWS] * each,
           t->seconds[ASTAR] / t->seconds[JPS_BRICKS], t->seconds[ASTAR] / t->seconds[JPS_ROWS],
           (double)t->expanded[ASTAR] / t->queries, (double)t->expanded[JPS_ROWS] / t->queries, make * 1e3,
           bytes * 1e-6);
}

static void add(tally* sum, const tally* t) {
    for (int i = 0; i < SEARCHES; ++i) {
        sum->seconds[i] += t->seconds[i];
        sum->expanded[i] += t->expanded[i];
    }
    sum->queries += t->queries;
}

// ----------------------------------------------------------------------------------------------- worlds

static vn_space* bake(const char* path) {
    vn_allocator allocator = vn_default_allocator();
    vn_detail detail = {0};
    vn_3dmap map;
    vn_world* world;
    vn_space* space;
    vn_world_def world_def = vn_default_world_def();
    vn_space_def def = vn_default_space_def();
    def.cells = false;
    vnb_must(vn_world_create(&world_def, &world), NULL);
    vnb_must(vn_3dmap_read_file(path, &allocator, &map, &detail), &detail);
    vn_shape shape = vn_3dmap_shape(&map);
    vnb_must(vn_world_add(world, &shape, NULL, &detail), &detail);
    vn_3dmap_free(&map);
    vnb_must(vn_space_bake(world, &def, &space, &detail), &detail);
    vn_world_destroy(world);

    return space;
}

static void run_map(const char* folder, const char* name, tally* sum) {
    char path[1024], lines[1040];
    snprintf(path, sizeof path, "%s/warframe/%s.3dmap", folder, name);
    snprintf(lines, sizeof lines, "%s.3dscen", path);
    static scene s;
    tally t = {0};
    vn_allocator allocator = vn_default_allocator();
    vn_detail detail = {0};
    vn_3dscen scen;
    open_scene(&s, bake(path));

    vnb_must(vn_3dscen_read_file(lines, &allocator, &scen, &detail), &detail);
    for (uint64_t i = 0; i < MAX_QUERIES && (i == 0 || t.seconds[ASTAR] < SECONDS_A_MAP); ++i) {
        const vn_scen_line* line = &scen.lines[i * 7919 % scen.line_count];
        run_all(&s, &t, line->start, line->goal);
    }

    print_tally(name, &t, s.rows_seconds, (double)vni_jps_rows_bytes(&s.rows));
    fflush(stdout);
    add(sum, &t);
    vn_3dscen_free(&scen);
    close_scene(&s);
}

static void run_made_up(tally* sum) {
    static scene s;
    tally t = {0};
    vni_rng rng = vni_rng_make(6);
    open_scene(&s, vnb_space(160, 300, 5));

    print_head();
    for (uint32_t i = 0; i < 50; ++i) {
        vnb_ends q = vnb_random_ends(&rng, s.space);
        run_all(&s, &t, vn_space_voxel_at(s.space, q.start), vn_space_voxel_at(s.space, q.goal));
    }

    print_tally("boxes", &t, s.rows_seconds, (double)vni_jps_rows_bytes(&s.rows));
    add(sum, &t);
    close_scene(&s);
}

int main(int argc, char** argv) {
    static const char* const maps[] = {"Simple", "Complex", "A1",  "BA1", "BC1", "DA1", "DB1",
                                       "DC1",    "EB1",     "EC1", "ED1", "EE1", "FB1", "Full1"};
    const char* data = getenv("VN_DATA");
    tally sum = {0};
    if (data == NULL) {
        run_made_up(&sum);
        return 0;
    }

    printf("calibration: %.0f M steps/s\n", vnb_calibration());
    print_head();
    for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i)
        if (argc < 2 || strcmp(argv[1], maps[i]) == 0)
            run_map(data, maps[i], &sum);

    print_tally("total", &sum, 0, 0);
    return 0;
}
