/// volnav/bench.c: the command bench: options, and running the queries.
#include "bench.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench_dynamic.h"
#include "commands.h"
#include "progress.h"
#include "system.h"

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
    "  --algo A,B,...       cells (default), astar, dijkstra, greedy, astar-list\n"
    "  --sample N           N queries, spread evenly over the file (200; 0: all)\n"
    "  --offset K           shift the sample by K lines (0)\n"
    "  --passes N           run each query N times and keep the least time (3)\n"
    "  --threads N          queries at a time (1 here; 0: one for each processor);\n"
    "                       above 1 also how many more a second than on one thread\n"
    "  --rows F.csv         write what each query gave\n"
    "\n";

static const char examples[] =
    "\n"
    "--quality takes a list, too: cells then run once with each.\n"
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
    "  volnav bench dungeon.obj --resolution 0.25 --radius 0.25 --random 1000\n"
    "  volnav bench Full1.3dmap --dynamic --threads 2 --seconds 60\n"
    "\n"
    "JSON: map, scenario, sample, passes, threads, calibration_steps_per_second,\n"
    "cells, results: [{algo, space, quality, weight, queries, found, valid, mean_us,\n"
    "median_us, p99_us, max_us, expanded, expansions_per_second, length_over_scen,\n"
    "cost_errors, max_cost_error, bake_seconds, bytes, ratio}]; with several threads\n"
    "in each result also queries_per_second_one, queries_per_second, scaling,\n"
    "calibration_scaling. expanded is a mean; cost_errors counts the paths whose cost\n"
    "differs from the scenario's by more than 1e-5 of it (null for cells); ratio is\n"
    "mean_us over that of the first. With --random what speaks of a scenario is null.\n"
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

static vn_path_request request_of(const bench* b, int contender, uint64_t query) {
    const vn_scen_line* line = bench_line(b, query);
    vn_path_request request = b->contenders[contender].request;
    request.start = vn_voxel_center(line->start);
    request.goal = vn_voxel_center(line->goal);
    return request;
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
static bool is_valid(const bench* b, const vn_query* query, const vn_path_request* request,
                     const vn_path_result* result) {
    uint32_t count = 0;
    double length = 0;
    const vn_point* points = vn_query_points(query, &count);
    for (uint32_t i = 1; i < count; i++) {
        length += distance(points[i - 1], points[i]);
    }
    length *= (double)b->in->info.resolution;
    const bool free_world =
        b->options->random == 0 || b->in->world == NULL ||
        vn_check_path_world(b->in->world, b->in->space, points, count, (double)request->radius, NULL);
    return free_world && count > 0 && is_same(points[0], request->start) &&
           is_same(points[count - 1], request->goal) &&
           fabs(length - result->length) <= 1e-9 * (1 + length) &&
           vn_check_path_space(b->in->space, points, count, NULL);
}

static void run_once(bench* b, vn_query* query, int contender, uint64_t i, bool first) {
    bench_row* out = bench_row_at(b, i, contender);
    const vn_path_request request = request_of(b, contender, i);
    vn_path_result result;
    const double begin = system_thread_seconds();
    const vn_status status = vn_find_path(query, &request, &result, NULL);
    const double seconds = system_thread_seconds() - begin;
    if (!first) {
        out->seconds = seconds < out->seconds ? seconds : out->seconds;
        return;
    }
    *out = (bench_row){.status = status, .seconds = seconds};
    out->length = result.length;
    out->cost = result.cost;
    out->weight = result.weight;
    out->expanded = result.expanded;
    out->valid = status == VN_OK && is_valid(b, query, &request, &result);
}

/// All contenders on each of these queries.
static void run_range(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    batch* all = context;
    bench* b = all->b;
    assert(begin <= end && end <= b->count && worker < b->workers);
    for (uint32_t i = begin; i < end; i++) {
        for (int c = 0; c < b->contender_count; c++) {
            for (uint64_t pass = 0; pass < b->options->passes; pass++) {
                run_once(b, b->scratch[worker], c, i, pass == 0);
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
    vn_path_result result;
    for (uint32_t i = begin; i < end; i++) {
        const vn_path_request request = request_of(b, all->contender, i % b->count);
        vn_find_path(b->scratch[worker], &request, &result, NULL);
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

enum { WORDS_MAX = BENCH_CONTENDERS_MAX };

/// The words of a list such as "a,b,c".
typedef struct word_list {
    char text[256];
    const char* words[WORDS_MAX];
    int count;
} word_list;

static int read_words(const char* option, const char* list, word_list* out) {
    *out = (word_list){.count = 0};
    if (strlen(list) >= sizeof out->text) {
        return say_bad("%s: the list is too long", option);
    }
    snprintf(out->text, sizeof out->text, "%s", list);
    for (char* word = strtok(out->text, ","); word != NULL; word = strtok(NULL, ",")) {
        if (out->count == WORDS_MAX) {
            return say_bad("%s: %d names at most", option, (int)WORDS_MAX);
        }
        out->words[out->count++] = word;
    }
    return out->count > 0 ? EXIT_DONE : say_bad("%s: the list is empty", option);
}

static int add_contender(bench* b, vn_algo algo, const char* quality) {
    search_options search = b->options->search;
    if (b->contender_count == BENCH_CONTENDERS_MAX) {
        return say_bad("--algo and --quality: %d in all at most", (int)BENCH_CONTENDERS_MAX);
    }
    bench_contender* c = &b->contenders[b->contender_count++];
    search.quality = quality;
    const int code = search_request(&search, &b->options->load, algo, &c->request);
    const bool cells = algo == VN_ALGO_CELLS;
    c->quality = cells ? vn_quality_name(c->request.quality) : NULL;
    snprintf(c->name, sizeof c->name, "%s%s%s", vn_algo_name(algo), cells ? " " : "",
             cells ? c->quality : "");
    return code;
}

/// Cells with each quality, all others once.
static int add_contenders(bench* b, const char* name, const word_list* qualities) {
    vn_algo algo = VN_ALGO_CELLS;
    int code = search_algo(name, &b->options->load, &algo);
    const int count = algo == VN_ALGO_CELLS ? qualities->count : 1;
    for (int i = 0; i < count && code == EXIT_DONE; i++) {
        code = add_contender(b, algo, qualities->words[i]);
    }
    return code;
}

static int read_contenders(bench* b) {
    word_list algos, qualities;
    int code = read_words("--quality", b->options->search.quality, &qualities);
    if (code != EXIT_DONE || b->options->algo == NULL) {
        return code == EXIT_DONE ? add_contenders(b, NULL, &qualities) : code;
    }
    code = read_words("--algo", b->options->algo, &algos);
    for (int i = 0; i < algos.count && code == EXIT_DONE; i++) {
        code = add_contenders(b, algos.words[i], &qualities);
    }
    return code;
}

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
        if (vn_space_random_free(space, random, &from) != VN_OK ||
            vn_space_random_free(space, random, &to) != VN_OK) {
            return false;
        }
        *out = (vn_scen_line){
            .start = vn_space_voxel(space, from), .goal = vn_space_voxel(space, to), .cost = NAN};
        if (vn_space_reachable(space, vn_voxel_center(out->start), vn_voxel_center(out->goal))) {
            return true;
        }
    }
    return false;
}

static int make_lines(bench* b, const char* path) {
    const uint64_t count = b->options->random;
    uint64_t random = b->options->random_seed;
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
    int code = EXIT_DONE;
    for (int c = 0; c < b->contender_count; c++) {
        algos[c] = b->contenders[c].request.algo;
    }
    b->workers = vn_pool_jobs(b->in->pool).worker_count;
    b->scratch = say_alloc(b->workers, sizeof *b->scratch);
    b->rows = say_alloc((size_t)b->count * (size_t)b->contender_count, sizeof *b->rows);
    for (uint32_t i = 0; i < b->workers && code == EXIT_DONE; i++) {
        code = search_create(b->in, &b->options->search, algos, b->contender_count, &b->scratch[i]);
    }
    return code;
}

static int run(bench* b, const char* map) {
    int code = b->options->random > 0 ? make_lines(b, map) : read_scenario(b, map);
    if (code == EXIT_DONE) {
        code = make_scratch(b);
    }
    if (code == EXIT_DONE) {
        run_all(b);
        const bool written = b->options->rows == NULL || bench_write_rows(b, b->options->rows) == EXIT_DONE;
        code = written ? bench_report(b, map) : EXIT_BAD;
    }
    for (uint32_t i = 0; i < b->workers; i++) {
        vn_query_destroy(b->scratch[i]);
    }
    free(b->scratch);
    free(b->rows);
    vn_3dscen_free(&b->scen);
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
    int code = read_contenders(&b);
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
    if (o->random > 0 && strcmp(o->load.space, "grid") == 0) {
        return say_bad("--random needs cells, to know which points can reach each other");
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
    if (check_arguments(&o, &table) != EXIT_DONE) {
        return EXIT_BAD;
    }
    return bench_map(&o, &dynamic, table.positional[0]);
}
