/// volnav/bench/bench.c: the command bench: options, the scenario and the scratch of its workers.
#include "bench/bench.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/dynamic.h"
#include "commands/commands.h"
#include "shell/system.h"

static const char help[] =
    "Usage: volnav bench MAP.3dmap --scen F.3dscen [options]\n"
    "       volnav bench IN --random N [options]\n"
    "\n"
    "Runs queries of a scenario file (the benchmark format of Brewer and Sturtevant),\n"
    "checks every path and compares its cost with the one given in the file. Several\n"
    "algorithms take turns in rotated order, so that their times compare.\n"
    "\n"
    "With --random the input may be of any kind, and the queries join random points\n"
    "that can reach each other; paths are also checked against the shapes at the\n"
    "radius.\n"
    "\n"
    "  --scen FILE          the scenario (MAP.3dmap.3dscen)\n"
    "  --random N           N queries between random free points, uniform by volume\n"
    "  --random-seed S      seed of the random points (0)\n"
    "  --space S,T,...      cells (default), grid, octree, merged\n"
    "  --algo A,B,...       cells, astar, dijkstra, greedy, astar-list, ara, jps,\n"
    "                       jps6, theta, lazy-theta (cells on cells, else astar);\n"
    "                       the planners of volnav query --help too, which plan anew\n"
    "                       each time: lpa-star, dstar-lite, ad-star ...\n"
    "  --sample N           N queries, spread evenly over the file (200; 0: all)\n"
    "  --offset K           shift the sample by K lines (0)\n"
    "  --passes N           repeat each query N times and keep the least time (3)\n"
    "  --threads N          queries at a time (1 here; 0: one for each processor);\n"
    "                       above 1 also the gain in queries a second over one thread\n"
    "  --rows F.csv         write the result of each query; with trees or refinements\n"
    "                       also its space and refinement\n"
    "\n";

static const char examples[] =
    "\n"
    "--refine and --quality take lists, too. Every combination of space, algorithm\n"
    "and refinement runs; combinations that do not exist are left out, with the\n"
    "reason. Only cells take a quality. With --space cells, algorithms other than\n"
    "cells search the grid. bake_seconds of grid and trees include those of cells if\n"
    "cells take part, and with --random.\n"
    "\n"
    "Query i of a sample of n from N lines is line (i*N/n rounded down + K) mod N.\n"
    "Times are processor time of one thread from the two points to the polyline,\n"
    "without the check. There are two of them:\n"
    "  repeat  the least of --passes runs of the same query in a row, with everything\n"
    "          it needs in the caches\n"
    "  stream  one run of each query, after a different query: what a host sees\n"
    "A path is valid if the checker accepts it and it joins the two points. Costs are\n"
    "compared on the grid only: any-angle paths are shorter. With several threads the\n"
    "same queries run on one thread and on all by wall time, and so does a loop that\n"
    "needs no memory: its gain is what the processors can give (two may be halves of\n"
    "one core). A query that fails to run, or whose runs differ, ends the benchmark.\n"
    "\n"
    "Examples:\n"
    "  volnav bench Complex.3dmap --scen Complex.3dmap.3dscen --algo cells,astar\n"
    "  volnav bench Full1.3dmap --quality fast,standard,best --sample 1000\n"
    "  volnav bench Complex.3dmap --space grid,octree,merged --algo astar,lazy-theta\n"
    "  volnav bench Complex.3dmap --space merged --refine none,funnel,funnel+prune\n"
    "  volnav bench Complex.3dmap --algo astar,dstar-lite,mtdstar --sample 50\n"
    "  volnav bench dungeon.obj --resolution 0.25 --radius 0.25 --random 1000\n"
    "  volnav bench Full1.3dmap --dynamic --threads 2 --seconds 60\n"
    "\n"
    "JSON: map, scenario, sample, passes, threads, calibration_steps_per_second,\n"
    "cells, skipped, results: [{algo, space, graph, refine, quality, weight, queries,\n"
    "found, valid, mean_us, median_us, p99_us, max_us, stream_mean_us,\n"
    "stream_median_us, stream_p99_us, stream_max_us, expanded, sight_checks, closed,\n"
    "expansions_per_second, length_over_scen, cost_errors, max_cost_error, ratio,\n"
    "stream_ratio, bake_seconds, bytes, boxes}]; with several threads in each result\n"
    "also queries_per_second_one, queries_per_second, scaling, calibration_scaling.\n"
    "Times without \"stream\", expansions_per_second and ratio are those of repeat.\n"
    "expanded is a mean; cost_errors counts the paths whose cost differs from the\n"
    "scenario's by more than 1e-5 of it (null for any-angle paths and on trees;\n"
    "greedy, 6 neighbours and weights differ by design); ratios are mean times over\n"
    "those of the first. With --random everything that needs a scenario is null.\n"
    "With --dynamic: map, update_us, query_us, update_over_query, update_stages_us,\n"
    "crowd, policies.\n"
    "\n"
    "Exit codes: 0 done; 1 a path failed its check; 2 bad usage or bad input, or a\n"
    "run that failed.\n";

// ----------------------------------------------------------------------------------------- preparation

static int read_scenario(bench* b, const char* map) {
    vn_detail detail = {0};
    const vn_allocator allocator = vn_default_allocator();
    vn_status status = vn_3dscen_read_file(b->options->scen, &allocator, &b->scen, &detail);
    if (status == VN_OK) {
        status = vn_3dscen_check(&b->scen, map, b->in->info.dims, &detail);
    }

    if (status == VN_IO && !b->options->has_scen) {
        return say_bad(
            "%s: there is no scenario %s beside it; name one with --scen F.3dscen, or measure random "
            "queries with --random 100",
            map, b->options->scen);
    }

    if (status != VN_OK) {
        return say_status(b->options->scen, status, &detail);
    }

    if (b->scen.line_count == 0) {
        return say_bad("%s: no queries", b->options->scen);
    }

    const uint64_t sample = b->options->sample;
    b->count = sample == 0 || sample > b->scen.line_count ? b->scen.line_count : sample;
    return b->count > INT32_MAX ? say_bad("--sample: too many queries") : EXIT_DONE;
}

/// Two random points that can reach each other: voxels, as in a scenario. False if none were found.
static bool random_line(const vn_space* space, uint64_t* random, vn_scen_line* out) {
    for (int tries = 0; tries < 1000; ++tries) {
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
    for (uint64_t i = 0; i < count; ++i) {
        if (!random_line(b->in->space, &random, &b->scen.lines[i])) {
            return say_bad("%s: no two free points that can reach each other were found", path);
        }
        b->scen.lines[i].line = (uint32_t)i + 1;
    }

    return EXIT_DONE;
}

/// A planner for each worker.
static int make_plans(bench* b, bench_contender* c) {
    vn_detail detail = {0};
    c->plans = say_alloc(b->workers, sizeof *c->plans);
    for (uint32_t i = 0; i < b->workers; ++i) {
        const vn_status status = plans_create(b->in, &b->plan_spaces[c->kind], &b->options->search,
                                              &c->planner, &c->request, &c->plans[i], &detail);
        if (status != VN_OK) {
            return say_status(c->name, status, &detail);
        }
    }
    return EXIT_DONE;
}

static int make_scratch(bench* b) {
    vn_algo algos[BENCH_CONTENDERS_MAX];
    int code = EXIT_DONE, core = 0;
    for (int c = 0; c < b->contender_count; ++c) {
        if (!b->contenders[c].is_classic && !b->contenders[c].is_plan) {
            algos[core++] = b->contenders[c].request.algo;
        }
    }

    b->workers = vn_pool_jobs(b->in->pool).worker_count;
    b->scratch = say_alloc(b->workers, sizeof *b->scratch);
    b->classic_scratch = say_alloc(b->workers, sizeof *b->classic_scratch);
    b->rows = say_alloc((size_t)b->count * (size_t)b->contender_count, sizeof *b->rows);
    for (uint32_t i = 0; i < b->workers && code == EXIT_DONE; ++i) {
        code = core > 0 ? search_create(b->in, &b->options->search, algos, core, &b->scratch[i]) : EXIT_DONE;
        if (code == EXIT_DONE) {
            code = classics_make_scratch(&b->classics, &b->options->search, &b->classic_scratch[i]);
        }
    }

    for (int c = 0; c < b->contender_count && code == EXIT_DONE; ++c) {
        code = b->contenders[c].is_plan ? make_plans(b, &b->contenders[c]) : EXIT_DONE;
    }
    return code;
}

static void free_plans(bench* b) {
    for (int c = 0; c < b->contender_count; ++c) {
        bench_contender* contender = &b->contenders[c];
        for (uint32_t i = 0; i < b->workers && contender->plans != NULL; ++i) {
            plans_free(&contender->plans[i]);
        }
        free(contender->plans);
    }

    for (int i = 0; i < (int)VN_CLASSIC_KIND_COUNT; ++i) {
        plans_free_space(&b->plan_spaces[i]);
    }
}

static void free_all(bench* b) {
    free_plans(b);
    for (uint32_t i = 0; i < b->workers; ++i) {
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
        code = bench_measure(b);
    }

    if (code == EXIT_DONE) {
        const bool written = b->options->rows == NULL || bench_write_rows(b, b->options->rows) == EXIT_DONE;
        code = written ? bench_report(b, map) : EXIT_BAD;
    }

    free_all(b);
    return code;
}

static void add_options(args_table* table, bench_options* o) {
    args_add(table, "--scen", ARGS_TEXT, ARGS_ANY, &o->scen, &o->has_scen);
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
        return say_bad(
            "bench needs a map: MAP.3dmap with MAP.3dmap.3dscen beside it, or any input with "
            "--random N. Try volnav bench samples/scenes/gallery.scene --random 100, or see volnav "
            "bench --help.");
    }

    if (o->random == 0 && !system_ends_with(table->positional[0], ".3dmap")) {
        return say_bad("%s: bench needs a .3dmap, because scenarios speak of its voxels; for random queries "
                       "try volnav bench %s --random 100",
                       table->positional[0], table->positional[0]);
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
        return say_bad("--dynamic takes its queries from a scenario; leave out --random");
    }

    if (dynamic.wanted && strcmp(o.load.space, "cells") != 0) {
        return say_bad("--dynamic repairs cells; leave out --space %s", o.load.space);
    }

    if (check_arguments(&o, &table) != EXIT_DONE) {
        return EXIT_BAD;
    }

    return bench_map(&o, &dynamic, table.positional[0]);
}
