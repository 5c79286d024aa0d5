/// volnav/bench.c: the command bench.
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "progress.h"
#include "search.h"
#include "stats.h"
#include "system.h"
#include "volnav/io.h"

static const char help[] =
    "Usage: volnav bench MAP.3dmap --scen F.3dscen [options]\n"
    "\n"
    "Runs queries of a scenario file (the benchmark format of Brewer and Sturtevant),\n"
    "checks every path and compares its cost with the one that the file gives.\n"
    "Several algorithms take turns on each query, so that their times compare.\n"
    "\n"
    "  --scen FILE          the scenario (MAP.3dmap.3dscen)\n"
    "  --algo A,B,...       cells (default), astar, dijkstra, greedy, astar-list\n"
    "  --sample N           N queries, spread evenly over the file (200; 0: all)\n"
    "  --offset K           shift the sample by K lines (0)\n"
    "  --passes N           run each query N times and keep the least time (3)\n"
    "  --threads N          queries at a time (1; 0: one for each processor)\n"
    "  --json, --quiet, --help\n"
    "\n";

static const char examples[] =
    "\n"
    "Query i of a sample of n from N lines is line (i*N/n rounded down + K) mod N.\n"
    "Times are processor time of one thread from the two points to the polyline,\n"
    "without the check.\n"
    "\n"
    "Example:\n"
    "  volnav bench Complex.3dmap --scen Complex.3dmap.3dscen --algo cells,astar\n"
    "\n"
    "JSON: map, scenario, sample, passes, threads, results: [{algo, space, queries,\n"
    "found, valid, mean_us, median_us, p99_us, max_us, expanded,\n"
    "expansions_per_second, length_over_scen, cost_errors, max_cost_error,\n"
    "bake_seconds, bytes, ratio}]. expanded is a mean; cost_errors counts the paths\n"
    "whose cost differs from the scenario's by more than 1e-5 of it.\n"
    "\n"
    "Exit codes: 0 done; 1 a path failed its check; 2 bad usage or bad input.\n";

enum { ALGOS_MAX = 8 };

typedef struct bench_options {
    load_options load;
    search_options search;
    const char *algo, *scen;
    uint64_t sample, offset, passes;
    vn_algo algos[ALGOS_MAX];
    int algo_count;
} bench_options;

/// What one query gave with one algorithm.
typedef struct row {
    vn_status status;
    bool valid;
    double seconds, length, cost;
    uint64_t expanded;
} row;

typedef struct bench {
    const bench_options* options;
    const loaded* in;
    vn_3dscen scen;
    uint64_t count; ///< queries
    vn_query** scratch;
    uint32_t workers;
    vn_path_request requests[ALGOS_MAX];
    row* rows; ///< query by query, algorithm by algorithm
    progress_bar bar;
    atomic_uint_fast64_t done;
} bench;

/// All queries of one algorithm.
typedef struct summary {
    uint64_t found, valid, cost_errors, expanded;
    double max_cost_error, length_over_scen;
    stats_summary seconds;
} summary;

// --------------------------------------------------------------------------------------------- running

static const vn_scen_line* query_line(const bench* b, uint64_t i) {
    const uint64_t lines = b->scen.line_count;
    assert(i < b->count && b->count <= lines);
    return &b->scen.lines[(i * lines / b->count + b->options->offset % lines) % lines];
}

static void run_once(bench* b, vn_query* query, int algo, const vn_scen_line* line, row* out, bool first) {
    vn_path_request request = b->requests[algo];
    vn_path_result result;
    request.start = vn_voxel_center(line->start);
    request.goal = vn_voxel_center(line->goal);
    const double begin = system_thread_seconds();
    const vn_status status = vn_find_path(query, &request, &result, NULL);
    const double seconds = system_thread_seconds() - begin;
    if (!first) {
        out->seconds = seconds < out->seconds ? seconds : out->seconds;
        return;
    }
    *out = (row){status, false, seconds, result.length, result.cost, result.expanded};
    if (status == VN_OK) {
        uint32_t count = 0;
        const vn_point* points = vn_query_points(query, &count);
        out->valid = vn_check_path_space(b->in->space, points, count, NULL);
    }
}

static void run_range(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    bench* b = context;
    assert(begin <= end && end <= b->count && worker < b->workers);
    const int algos = b->options->algo_count;
    for (uint32_t i = begin; i < end; i++) {
        const vn_scen_line* line = query_line(b, i);
        for (int a = 0; a < algos; a++) {
            row* out = &b->rows[(size_t)i * (size_t)algos + (size_t)a];
            for (uint64_t pass = 0; pass < b->options->passes; pass++) {
                run_once(b, b->scratch[worker], a, line, out, pass == 0);
            }
        }
        const uint64_t done = atomic_fetch_add(&b->done, 1) + 1;
        if (worker == 0) {
            progress_report(&b->bar, "queries", (double)done / (double)b->count);
        }
    }
}

static void run_all(bench* b) {
    const vn_jobs jobs = vn_pool_jobs(b->in->pool);
    b->bar = progress_begin(b->options->load.quiet);
    atomic_init(&b->done, 0);
    void* handle = jobs.enqueue(jobs.user, run_range, b, (uint32_t)b->count, 1);
    if (handle != NULL) {
        jobs.finish(jobs.user, handle);
    }
    progress_end(&b->bar);
}

// ------------------------------------------------------------------------------------------- summing up

static void add_row(summary* sum, const row* r, double expected) {
    sum->expanded += r->expanded;
    if (r->status != VN_OK) {
        return;
    }
    sum->found++;
    sum->valid += r->valid ? 1 : 0;
    const double error = fabs(r->cost - expected) / (expected > 0 ? expected : 1);
    sum->cost_errors += error > 1e-5 ? 1 : 0;
    sum->max_cost_error = error > sum->max_cost_error ? error : sum->max_cost_error;
    sum->length_over_scen += expected > 0 ? r->length / expected : 1;
}

static summary sum_up(const bench* b, int algo) {
    summary sum = {0};
    double* seconds = say_alloc((size_t)b->count, sizeof *seconds);
    for (uint64_t i = 0; i < b->count; i++) {
        const row* r = &b->rows[(size_t)i * (size_t)b->options->algo_count + (size_t)algo];
        add_row(&sum, r, query_line(b, i)->cost);
        seconds[i] = r->seconds;
    }
    sum.seconds = stats_of(seconds, (size_t)b->count);
    sum.length_over_scen /= (double)sum.found; // none found: not a number, null in JSON
    free(seconds);
    return sum;
}

static double rate(const summary* sum) {
    return sum->seconds.sum > 0 ? (double)sum->expanded / sum->seconds.sum : NAN;
}

static double ratio(const summary* sum, const summary* first) {
    return first->seconds.mean > 0 ? sum->seconds.mean / first->seconds.mean : NAN;
}

static void write_result(json_writer* json, const bench* b, int algo, const summary* sum,
                         const summary* first) {
    vn_memory memory = {0};
    vn_space_memory(b->in->space, &memory);
    json_begin_object(json, NULL);
    json_text(json, "algo", vn_algo_name(b->options->algos[algo]));
    json_text(json, "space", search_space_of(b->options->algos[algo]));
    json_count(json, "queries", b->count);
    json_count(json, "found", sum->found);
    json_count(json, "valid", sum->valid);
    json_real(json, "mean_us", sum->seconds.mean * 1e6);
    json_real(json, "median_us", sum->seconds.median * 1e6);
    json_real(json, "p99_us", sum->seconds.p99 * 1e6);
    json_real(json, "max_us", sum->seconds.max * 1e6);
    json_real(json, "expanded", (double)sum->expanded / (double)b->count);
    json_real(json, "expansions_per_second", rate(sum));
    json_real(json, "length_over_scen", sum->length_over_scen);
    json_count(json, "cost_errors", sum->cost_errors);
    json_real(json, "max_cost_error", sum->max_cost_error);
    json_real(json, "ratio", ratio(sum, first));
    json_real(json, "bake_seconds", b->in->bake_seconds);
    json_count(json, "bytes", memory.total);
    json_end(json);
}

static void write_json(const bench* b, const char* map, const summary* sums) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "map", load_file_name(map));
    json_text(&json, "scenario", load_file_name(b->options->scen));
    json_count(&json, "lines", b->scen.line_count);
    json_count(&json, "sample", b->count);
    json_count(&json, "offset", b->options->offset);
    json_count(&json, "passes", b->options->passes);
    json_count(&json, "threads", b->workers);
    json_triple(&json, "dims", b->in->info.dims.x, b->in->info.dims.y, b->in->info.dims.z);
    json_count(&json, "blocked_voxels", b->in->info.blocked_voxels);
    json_begin_array(&json, "results", false);
    for (int a = 0; a < b->options->algo_count; a++) {
        write_result(&json, b, a, &sums[a], &sums[0]);
    }
    json_end(&json);
    load_write_warnings(&json, b->in);
    json_end(&json);
}

static void write_text(const bench* b, const char* map, const summary* sums) {
    const vn_voxel dims = b->in->info.dims;
    printf("%s: %d x %d x %d voxels, %" PRIu64 " blocked; %" PRIu64 " of %" PRIu64 " queries\n",
           load_file_name(map), dims.x, dims.y, dims.z, b->in->info.blocked_voxels, b->count,
           b->scen.line_count);
    printf("\n%-11s %7s %7s %10s %10s %10s %10s %7s\n", "algo", "found", "valid", "mean ms", "median ms",
           "p99 ms", "max ms", "ratio");
    for (int a = 0; a < b->options->algo_count; a++) {
        const stats_summary* t = &sums[a].seconds;
        printf("%-11s %7" PRIu64 " %7" PRIu64 " %10.4g %10.4g %10.4g %10.4g %7.3g\n",
               vn_algo_name(b->options->algos[a]), sums[a].found, sums[a].valid, t->mean * 1e3,
               t->median * 1e3, t->p99 * 1e3, t->max * 1e3, ratio(&sums[a], &sums[0]));
    }
    printf("\n%-11s %12s %14s %14s %12s %12s\n", "algo", "expanded", "expanded/s", "length/scen",
           "cost errors", "worst");
    for (int a = 0; a < b->options->algo_count; a++) {
        printf("%-11s %12.1f %14.4g %14.6f %12" PRIu64 " %12.3g\n", vn_algo_name(b->options->algos[a]),
               (double)sums[a].expanded / (double)b->count, rate(&sums[a]), sums[a].length_over_scen,
               sums[a].cost_errors, sums[a].max_cost_error);
    }
}

static int report(const bench* b, const char* map) {
    summary sums[ALGOS_MAX];
    bool all_valid = true;
    for (int a = 0; a < b->options->algo_count; a++) {
        sums[a] = sum_up(b, a);
        all_valid = all_valid && sums[a].valid == sums[a].found;
    }
    (b->options->load.json ? write_json : write_text)(b, map, sums);
    if (!all_valid) {
        say_bad("a path failed its check: valid is below found");
        return EXIT_NO_PATH;
    }
    return EXIT_DONE;
}

// ----------------------------------------------------------------------------------------- preparation

static int read_algos(bench_options* o) {
    char names[256];
    if (o->algo == NULL) {
        o->algo_count = 1;
        return search_algo(NULL, &o->load, &o->algos[0]);
    }
    if (strlen(o->algo) >= sizeof names) {
        return say_bad("--algo: the list is too long");
    }
    snprintf(names, sizeof names, "%s", o->algo);
    for (char* name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
        if (o->algo_count == ALGOS_MAX) {
            return say_bad("--algo: 8 names at most");
        }
        const int code = search_algo(name, &o->load, &o->algos[o->algo_count++]);
        if (code != EXIT_DONE) {
            return code;
        }
    }
    return o->algo_count > 0 ? EXIT_DONE : say_bad("--algo: the list is empty");
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

static int prepare(bench* b) {
    const int algos = b->options->algo_count;
    int code = EXIT_DONE;
    for (int a = 0; a < algos && code == EXIT_DONE; a++) {
        code = search_request(&b->options->search, b->options->algos[a], &b->requests[a]);
    }
    b->workers = vn_pool_jobs(b->in->pool).worker_count;
    b->scratch = say_alloc(b->workers, sizeof *b->scratch);
    b->rows = say_alloc((size_t)b->count * (size_t)algos, sizeof *b->rows);
    for (uint32_t i = 0; i < b->workers && code == EXIT_DONE; i++) {
        code = search_create(b->in->space, &b->options->search, b->options->algos, algos, &b->scratch[i]);
    }
    return code;
}

static int run(const bench_options* options, const char* map, const loaded* in) {
    bench b = {.options = options, .in = in};
    int code = read_scenario(&b, map);
    if (code == EXIT_DONE) {
        code = prepare(&b);
        if (code == EXIT_DONE) {
            run_all(&b);
            code = report(&b, map);
        }
        for (uint32_t i = 0; i < b.workers; i++) {
            vn_query_destroy(b.scratch[i]);
        }
    }
    free(b.scratch);
    free(b.rows);
    vn_3dscen_free(&b.scen);
    return code;
}

static void add_options(args_table* table, bench_options* o) {
    args_add(table, "--scen", ARGS_TEXT, ARGS_ANY, &o->scen, NULL);
    args_add(table, "--algo", ARGS_TEXT, ARGS_ANY, &o->algo, NULL);
    args_add(table, "--sample", ARGS_COUNT, ARGS_ANY, &o->sample, NULL);
    args_add(table, "--offset", ARGS_COUNT, ARGS_ANY, &o->offset, NULL);
    args_add(table, "--passes", ARGS_COUNT, ARGS_POSITIVE, &o->passes, NULL);
    args_add(table, "--threads", ARGS_COUNT, ARGS_ANY, &o->load.threads, NULL);
    args_add(table, "--space", ARGS_TEXT, ARGS_ANY, &o->load.space, NULL);
    args_add(table, "--json", ARGS_FLAG, ARGS_ANY, &o->load.json, NULL);
    args_add(table, "--quiet", ARGS_FLAG, ARGS_ANY, &o->load.quiet, NULL);
    search_add_options(table, &o->search);
}

/// MAP.3dmap.3dscen, the name that the benchmark's own files have.
static char* default_scenario(const char* map) {
    const size_t size = strlen(map) + sizeof ".3dscen";
    char* out = say_alloc(size, 1);
    snprintf(out, size, "%s.3dscen", map);
    return out;
}

static int bench_map(bench_options* o, const char* map) {
    loaded in;
    int code = read_algos(o);
    if (code != EXIT_DONE) {
        return code;
    }
    char* scenario = o->scen == NULL ? default_scenario(map) : NULL;
    o->scen = scenario != NULL ? scenario : o->scen;
    code = load_input(map, &o->load, &in);
    if (code == EXIT_DONE) {
        code = run(o, map, &in);
    }
    load_free(&in);
    free(scenario);
    return code;
}

int command_bench(int argc, char** argv) {
    bench_options o = {.load = load_defaults(), .search = search_defaults()};
    args_table table = {.command = "bench", .positional_max = 1};
    o.sample = 200;
    o.passes = 3;
    o.load.threads = 1;
    add_options(&table, &o);
    const int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }
    if (table.help) {
        printf("%s%s%s", help, search_help, examples);
        return EXIT_DONE;
    }
    if (table.positional_count == 0) {
        return say_bad("bench needs a map. See volnav bench --help.");
    }
    if (!import_is_map(table.positional[0])) {
        return say_bad("%s: bench needs a .3dmap, because scenarios speak of its voxels",
                       table.positional[0]);
    }
    return bench_map(&o, table.positional[0]);
}
