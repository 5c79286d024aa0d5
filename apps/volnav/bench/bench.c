/// volnav/bench/bench.c: the command bench: options, and running the queries.
#include "bench/bench.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench/dynamic.h"
#include "commands/commands.h"
#include "shell/progress.h"
#include "shell/system.h"

static const char help[] =
    "Usage: volnav bench MAP.3dmap --scen F.3dscen [options]\n"
    "       volnav bench IN --random N [options]\n"
    "\n"
    "Runs queries of a scenario file (the benchmark format of Brewer and Sturtevant),\n"
    "checks every path and compares its cost with the one that the file gives.\n"
    "Several algorithms take turns on each query, so that their times compare.\n"
    "\n"
    "With --random the input may be anything, and the queries join random points that\n"
    "can reach each other; paths are also checked against the shapes at the radius.\n"
    "\n"
    "  --scen FILE          the scenario (MAP.3dmap.3dscen)\n"
    "  --random N           N queries between random free points, uniform by volume\n"
    "  --random-seed S      another seed, other points (0)\n"
    "  --space S,T,...      cells (default), grid, octree, merged\n"
    "  --algo A,B,...       cells, astar, dijkstra, greedy, astar-list, ara, jps,\n"
    "                       jps6, theta, lazy-theta (cells on cells, astar elsewhere)\n"
    "  --sample N           N queries, spread evenly over the file (200; 0: all)\n"
    "  --offset K           shift the sample by K lines (0)\n"
    "  --passes N           run each query N times and keep the least time (3)\n"
    "  --threads N          queries at a time (1 here; 0: one for each processor);\n"
    "                       above 1 also how many more a second than on one thread\n"
    "  --rows F.csv         write what each query gave; with trees or refinements\n"
    "                       also in which space and with which one\n"
    "\n";

static const char examples[] =
    "\n"
    "--refine and --quality take lists, too. Every combination of space, algorithm\n"
    "and refinement runs; those that make no sense are left out, with the reason.\n"
    "Only cells take a quality. With --space cells, algorithms other than cells\n"
    "search the grid. bake_seconds of grid and trees contain those of cells if cells\n"
    "take part, too, or with --random.\n"
    "\n"
    "Query i of a sample of n from N lines is line (i*N/n rounded down + K) mod N.\n"
    "Times are processor time of one thread from the two points to the polyline,\n"
    "without the check. A path is valid if the checker accepts it and it joins the\n"
    "two points. Costs are compared on the grid only: a way at any angle is shorter.\n"
    "With several threads the same queries are run on one and on all by the clock on\n"
    "the wall, and so is a loop that needs no memory: what it gains is what the\n"
    "processors can give (two may be halves of one).\n"
    "\n"
    "Examples:\n"
    "  volnav bench Complex.3dmap --scen Complex.3dmap.3dscen --algo cells,astar\n"
    "  volnav bench Full1.3dmap --quality fast,standard,best --sample 1000\n"
    "  volnav bench Complex.3dmap --space grid,octree,merged --algo astar,lazy-theta\n"
    "  volnav bench Complex.3dmap --space merged --refine none,funnel,funnel+prune\n"
    "  volnav bench dungeon.obj --resolution 0.25 --radius 0.25 --random 1000\n"
    "  volnav bench Full1.3dmap --dynamic --threads 2 --seconds 60\n"
    "\n"
    "JSON: map, scenario, sample, passes, threads, calibration_steps_per_second,\n"
    "cells, skipped, results: [{algo, space, graph, refine, quality, weight, queries,\n"
    "found, valid, mean_us, median_us, p99_us, max_us, expanded, sight_checks,\n"
    "closed, expansions_per_second, length_over_scen, cost_errors, max_cost_error,\n"
    "bake_seconds, bytes, boxes, ratio}]; with several threads in each result also\n"
    "queries_per_second_one, queries_per_second, scaling, calibration_scaling.\n"
    "expanded is a mean; cost_errors counts the paths whose cost differs from the\n"
    "scenario's by more than 1e-5 of it (null for ways at any angle and on trees; of\n"
    "greedy, of 6 neighbours and of a weight they are no mistakes); ratio is mean_us\n"
    "over that of the first. With --random what speaks of a scenario is null.\n"
    "With --dynamic: map, update_us, query_us, update_over_query, update_stages_us,\n"
    "crowd, policies.\n"
    "\n"
    "Exit codes: 0 done; 1 a path failed its check; 2 bad usage or bad input.\n";

/// What the workers share while queries run.
typedef struct batch {
    bench* b;
    int contender; ///< of a throughput run
    progress_bar bar;
    atomic_uint_fast64_t done;
} batch;

// --------------------------------------------------------------------------------------------- running

const vn_scen_line* bench_line(const bench* b, uint64_t i) {
    const uint64_t lines = b->scen.line_count;
    assert(i < b->count && b->count <= lines);
    return &b->scen.lines[(i * lines / b->count + b->options->offset % lines) % lines];
}

/// One query by one contender.
typedef struct found {
    vn_status status;
    vn_classic_result result; ///< of the core's searches the path only
    const vn_point* points;
    uint32_t count;
    vn_point start, goal;
} found;

static void find(const bench* b, int contender, uint64_t query, uint32_t worker, found* out) {
    const vn_scen_line* line = bench_line(b, query);
    const bench_contender* c = &b->contenders[contender];
    out->start = vn_voxel_center(line->start);
    out->goal = vn_voxel_center(line->goal);
    if (c->is_classic) {
        vn_classic_query* scratch = b->classic_scratch[worker].kinds[c->kind];
        vn_classic_request request = c->classic;
        request.start = out->start;
        request.goal = out->goal;
        out->status = vn_classic_query_find_path(scratch, &request, &out->result, NULL);
        out->points = vn_classic_query_points(scratch, &out->count);

        return;
    }

    vn_path_request request = c->request;
    request.start = out->start;
    request.goal = out->goal;
    out->status = vn_query_find_path(b->scratch[worker], &request, &out->result.path, NULL);
    out->points = vn_query_points(b->scratch[worker], &out->count);
}

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Voxels from a to b.
static double distance(vn_point a, vn_point b) {
    const double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z) / VN_LATTICE;
}

/// The way joins the two points, is as long as the result says, and the checker finds it free.
static bool is_valid(const bench* b, const found* f) {
    const vn_point* points = f->points;
    double length = 0;
    for (uint32_t i = 1; i < f->count; i++) {
        length += distance(points[i - 1], points[i]);
    }

    length *= (double)b->in->info.resolution;
    const bool free_world = b->options->random == 0 || b->in->world == NULL ||
                            vn_world_check_path(b->in->world, b->in->space, points, f->count,
                                                load_radius(&b->options->load), NULL);
    return free_world && f->count > 0 && is_same(points[0], f->start) &&
           is_same(points[f->count - 1], f->goal) &&
           fabs(length - f->result.path.length) <= 1e-9 * (1 + length) &&
           vn_space_check_path(b->in->space, points, f->count, NULL);
}

static void run_once(bench* b, uint32_t worker, int contender, uint64_t i, bool first) {
    bench_row* out = bench_row_at(b, i, contender);
    found f = {0};
    const double begin = system_thread_seconds();
    find(b, contender, i, worker, &f);

    const double seconds = system_thread_seconds() - begin;
    if (!first) {
        out->seconds = seconds < out->seconds ? seconds : out->seconds;
        return;
    }

    *out = (bench_row){.status = f.status, .seconds = seconds};
    out->length = f.result.path.length;
    out->cost = f.result.path.cost;
    out->weight = f.result.path.weight;
    out->expanded = f.result.path.expanded;
    out->sight_checks = f.result.sight_checks;
    out->closed = f.result.closed;
    out->valid = f.status == VN_OK && is_valid(b, &f);
}

/// All contenders on each of these queries.
static void run_range(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    batch* all = context;
    bench* b = all->b;
    assert(begin <= end && end <= b->count && worker < b->workers);
    for (uint32_t i = begin; i < end; i++) {
        for (int c = 0; c < b->contender_count; c++) {
            for (uint64_t pass = 0; pass < b->options->passes; pass++) {
                run_once(b, worker, c, i, pass == 0);
            }
        }

        const uint64_t done = atomic_fetch_add(&all->done, 1) + 1;
        if (worker == 0) {
            progress_report(&all->bar, "queries", (double)done / (double)b->count);
        }
    }
}

/// One contender, nothing but queries.
static void run_plainly(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const batch* all = context;
    const bench* b = all->b;
    for (uint32_t i = begin; i < end; i++) {
        found f = {0};
        find(b, all->contender, i % b->count, worker, &f);
    }
}

static void run_all(bench* b) {
    const vn_jobs jobs = vn_pool_jobs(b->in->pool);
    batch all = {.b = b, .bar = progress_begin(b->options->load.quiet)};
    atomic_init(&all.done, 0);
    void* handle = jobs.enqueue(jobs.user, run_range, &all, (uint32_t)b->count, 1);
    if (handle != NULL) {
        jobs.finish(jobs.user, handle);
    }

    b->calibration = scaling_calibration();
    for (int c = 0; c < b->contender_count && b->workers > 1; c++) {
        all.contender = c;
        progress_report(&all.bar, "scaling", (double)c / b->contender_count);
        b->contenders[c].scaling =
            scaling_measure(&jobs, run_plainly, &all, (uint32_t)b->count, b->options->passes);
    }

    progress_end(&all.bar);
}

// ----------------------------------------------------------------------------------------- preparation

static int read_scenario(bench* b, const char* map) {
    vn_detail detail = {0};
    const vn_allocator allocator = vn_default_allocator();
    vn_status status = vn_3dscen_read_file(b->options->scen, &allocator, &b->scen, &detail);
    if (status == VN_OK) {
        status = vn_3dscen_check(&b->scen, map, b->in->info.dims, &detail);
    }

    if (status != VN_OK) {
        return say_status(b->options->scen, status, &detail);
    }

    if (b->scen.line_count == 0) {
        return say_bad("%s: there are no queries in it", b->options->scen);
    }

    const uint64_t sample = b->options->sample;
    b->count = sample == 0 || sample > b->scen.line_count ? b->scen.line_count : sample;
    return b->count > INT32_MAX ? say_bad("--sample: too many queries") : EXIT_DONE;
}

/// Two random points that can reach each other: voxels, as in a scenario. False if none were found.
static bool random_line(const vn_space* space, uint64_t* random, vn_scen_line* out) {
    for (int tries = 0; tries < 1000; tries++) {
        vn_point from, to;
        if (vn_space_random_point(space, random, &from) != VN_OK ||
            vn_space_random_point(space, random, &to) != VN_OK) {
            return false;
        }

        *out = (vn_scen_line){
            .start = vn_space_voxel_at(space, from), .goal = vn_space_voxel_at(space, to), .cost = NAN};
        if (vn_space_reachable(space, vn_voxel_center(out->start), vn_voxel_center(out->goal))) {
            return true;
        }
    }

    return false;
}

static int make_lines(bench* b, const char* path) {
    const uint64_t count = b->options->random;
    uint64_t random = b->options->random_seed;
    if (b->in->info.cells == 0 && b->in->info.free_voxels > 0) {
        return say_bad("%s was baked without cells, which know the points that can reach each other: bake it "
                       "again without --space",
                       path);
    }

    if (count > INT32_MAX) {
        return say_bad("--random: too many queries");
    }

    b->scen.allocator = vn_default_allocator();
    b->scen.lines = say_alloc((size_t)count, sizeof *b->scen.lines);
    b->scen.line_count = b->count = count;
    for (uint64_t i = 0; i < count; i++) {
        if (!random_line(b->in->space, &random, &b->scen.lines[i])) {
            return say_bad("%s: no two free points that can reach each other were found", path);
        }
        b->scen.lines[i].line = (uint32_t)i + 1;
    }

    return EXIT_DONE;
}

static int make_scratch(bench* b) {
    vn_algo algos[BENCH_CONTENDERS_MAX];
    int code = EXIT_DONE, core = 0;
    for (int c = 0; c < b->contender_count; c++) {
        if (!b->contenders[c].is_classic) {
            algos[core++] = b->contenders[c].request.algo;
        }
    }

    b->workers = vn_pool_jobs(b->in->pool).worker_count;
    b->scratch = say_alloc(b->workers, sizeof *b->scratch);
    b->classic_scratch = say_alloc(b->workers, sizeof *b->classic_scratch);
    b->rows = say_alloc((size_t)b->count * (size_t)b->contender_count, sizeof *b->rows);
    for (uint32_t i = 0; i < b->workers && code == EXIT_DONE; i++) {
        code = core > 0 ? search_create(b->in, &b->options->search, algos, core, &b->scratch[i]) : EXIT_DONE;
        if (code == EXIT_DONE) {
            code = classics_make_scratch(&b->classics, &b->options->search, &b->classic_scratch[i]);
        }
    }

    return code;
}

static void free_all(bench* b) {
    for (uint32_t i = 0; i < b->workers; i++) {
        vn_query_destroy(b->scratch[i]);
        classics_free_scratch(&b->classic_scratch[i]);
    }

    free(b->scratch);
    free(b->classic_scratch);
    free(b->rows);
    vn_3dscen_free(&b->scen);
    classics_free(&b->classics);
}

static int run(bench* b, const char* map) {
    int code = b->options->random > 0 ? make_lines(b, map) : read_scenario(b, map);
    if (code == EXIT_DONE) {
        code = bench_read_contenders(b);
    }

    if (code == EXIT_DONE) {
        code = make_scratch(b);
    }

    if (code == EXIT_DONE) {
        run_all(b);
        const bool written = b->options->rows == NULL || bench_write_rows(b, b->options->rows) == EXIT_DONE;
        code = written ? bench_report(b, map) : EXIT_BAD;
    }

    free_all(b);
    return code;
}

static void add_options(args_table* table, bench_options* o) {
    args_add(table, "--scen", ARGS_TEXT, ARGS_ANY, &o->scen, NULL);
    args_add(table, "--algo", ARGS_TEXT, ARGS_ANY, &o->algo, NULL);
    args_add(table, "--rows", ARGS_TEXT, ARGS_ANY, &o->rows, NULL);
    args_add(table, "--sample", ARGS_COUNT, ARGS_ANY, &o->sample, NULL);
    args_add(table, "--offset", ARGS_COUNT, ARGS_ANY, &o->offset, NULL);
    args_add(table, "--passes", ARGS_COUNT, ARGS_POSITIVE, &o->passes, NULL);
    args_add(table, "--random", ARGS_COUNT, ARGS_POSITIVE, &o->random, NULL);
    args_add(table, "--random-seed", ARGS_COUNT, ARGS_ANY, &o->random_seed, NULL);
    search_add_options(table, &o->search);
    load_add_options(table, &o->load);
}

/// MAP.3dmap.3dscen, the name that the benchmark's own files have.
static char* default_scenario(const char* map) {
    const size_t size = strlen(map) + sizeof ".3dscen";
    char* out = say_alloc(size, 1);
    snprintf(out, size, "%s.3dscen", map);
    return out;
}

/// The dynamic measurements on a loaded map.
static int run_dynamic(bench* b, const dynamic_options* dynamic, loaded* in, const char* map) {
    int code = read_scenario(b, map);
    if (code == EXIT_DONE) {
        code = dynamic_run(dynamic, &b->options->load, in, &b->scen, map);
    }
    vn_3dscen_free(&b->scen);
    return code;
}

static int bench_map(bench_options* o, const dynamic_options* dynamic, const char* map) {
    loaded in = {0};
    bench b = {.options = o, .in = &in};
    char* scenario = o->scen == NULL ? default_scenario(map) : NULL;
    o->scen = scenario != NULL ? scenario : o->scen;

    int code = bench_read_lists(&b, o);
    if (code == EXIT_DONE) {
        code = load_input(map, &o->load, &in);
        if (code == EXIT_DONE) {
            code = dynamic->wanted ? run_dynamic(&b, dynamic, &in, map) : run(&b, map);
        }
        load_free(&in);
    }

    free(scenario);
    return code;
}

static int check_arguments(const bench_options* o, const args_table* table) {
    if (table->positional_count == 0) {
        return say_bad("bench needs a map. See volnav bench --help.");
    }

    if (o->random == 0 && !system_ends_with(table->positional[0], ".3dmap")) {
        return say_bad("%s: bench needs a .3dmap, because scenarios speak of its voxels; "
                       "other inputs take --random N",
                       table->positional[0]);
    }

    return load_check_one_agent(&o->load);
}

int command_bench(int argc, char** argv) {
    bench_options o = {.load = load_defaults(), .search = search_defaults()};
    dynamic_options dynamic = dynamic_defaults();
    args_table table = {.command = "bench", .positional_max = 1};
    o.sample = 200;
    o.passes = 3;
    o.load.threads = 1;
    add_options(&table, &o);
    dynamic_add_options(&table, &dynamic);

    const int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }

    if (table.help) {
        printf("%s%s\n%s\n%s%s", help, dynamic_help, search_help, load_help, examples);
        return EXIT_DONE;
    }

    if (dynamic.wanted && o.random > 0) {
        return say_bad("--dynamic takes its questions from a scenario; leave out --random");
    }

    if (dynamic.wanted && strcmp(o.load.space, "cells") != 0) {
        return say_bad("--dynamic repairs cells; leave out --space %s", o.load.space);
    }

    if (check_arguments(&o, &table) != EXIT_DONE) {
        return EXIT_BAD;
    }

    return bench_map(&o, &dynamic, table.positional[0]);
}
