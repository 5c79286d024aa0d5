/// volnav/experiment/experiment.c: the command experiment.
#include "experiment/experiment.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "input/load.h"
#include "shell/args.h"

static const char help[] =
    "Usage: volnav experiment NAME [options]\n"
    "       volnav experiment\n"
    "\n"
    "Rebuilds the experiments of a thesis in scenes of our own, measures its searches\n"
    "and ours in the same places, and writes one page with tables and charts beside\n"
    "the thesis's figures. Where something comes out in another order than in the\n"
    "thesis, the page says so, and why. Without a name: which experiments there are.\n"
    "\n"
    "  albertini            octree against grid, one target against five: Dijkstra,\n"
    "                       greedy, A*, post-smoothing, Theta*, Lazy Theta* in five\n"
    "                       worlds (Albertini 2022)\n"
    "  massonnat-static     voxels, octree, merged octree, pruning and funnel on six\n"
    "                       small maps, and on the Warframe maps against JPS\n"
    "                       (Massonnat 2023, chapter 6 without what moves)\n"
    "  massonnat-dynamic    octree and merged octree that follow moving obstacles:\n"
    "                       repair, greedy merging, new builds, when to update\n"
    "                       (Massonnat 2023, 6.5)\n"
    "  krafft-spaces        grid, waypoints, hybrid graph, octrees and cells on one\n"
    "                       moving scene: updates, A*, Theta*, Theta* Fast, and who\n"
    "                       keeps a frame of 16 ms (Krafft 2019 and 2021)\n"
    "  krafft-2019          A*, ARA*, Theta*, D* Lite and AD* with each weight, on\n"
    "                       grid and waypoints, while only the obstacles move; the\n"
    "                       corridors of each weight drawn (Krafft 2019)\n"
    "  krafft-2021          D* Lite, Basic MT-D* Lite, MT-D* Lite and its any-angle\n"
    "                       form against A*, Theta* and cells from scratch, on grid,\n"
    "                       hybrid graph and waypoints: agent, destination and\n"
    "                       obstacles wait or move, step by step and in real time\n"
    "                       (Krafft 2021)\n"
    "  krafft-success       which agents reach a moving destination and touch\n"
    "                       nothing, by the theses' rules under three latencies and\n"
    "                       by our sixth autopilot (Krafft 2019, 5.2; 2021, 5.4)\n"
    "  maruszczyk           open lists and searches; autopilots in asteroid fields:\n"
    "                       collisions, flight times, fuel, and where the sixth one\n"
    "                       fails (Maruszczyk 2016)\n"
    "  crowd                many agents at once: ring, sphere, corridor, door,\n"
    "                       station, warehouse, reef; who arrives, what is touched,\n"
    "                       what an agent costs; beside it, agents that push each\n"
    "                       other (ours; pushing after Albertini 2022)\n"
    "  all                  each of them, and an index with one summary: what each\n"
    "                       thesis claims, what came out here\n"
    "\n";

/// A string of its own: one may have 4095 characters.
static const char help_options[] =
    "  --quick              a few queries only: seconds, not minutes; rough figures\n"
    "  --out DIR            where to write (out/experiment-NAME)\n"
    "  --seed S             other scenes, other queries (1)\n"
    "  --data DIR           a folder with Warframe maps (X.3dmap, X.3dmap.3dscen) or\n"
    "                       with a folder warframe in it (default: $VN_DATA)\n"
    "  --sample N           at most N queries in a place (as many as in the thesis;\n"
    "                       200 on each of the Warframe maps); of flights exactly N\n"
    "                       for each agent and place that is flown\n"
    "  --threads N          queries at a time (1; 0: one for each processor); times\n"
    "                       are processor time of a thread, but threads get in each\n"
    "                       other's way. Flights: one for each processor\n"
    "  --json               what was done, as JSON\n"
    "  --quiet              no progress bar\n"
    "\n"
    "Writes index.html, which needs nothing but itself, its charts as .svg, and the\n"
    "numbers as .csv. Every path is judged by the exact checker.\n"
    "\n"
    "Examples:\n"
    "  volnav experiment albertini\n"
    "  volnav experiment massonnat-static --data maps --out pages/massonnat\n"
    "  volnav experiment albertini --quick --json\n"
    "  volnav experiment all --quick --out pages\n"
    "\n"
    "JSON: experiment, quick, seed, threads, out, page, files: [...], queries, found,\n"
    "valid, seconds, orders: {compared, same, different, claims, claims_hold,\n"
    "unexplained}. queries counts paths asked for, by all searches together, and\n"
    "flights of our own autopilot and crowds. all: experiment, quick, seed, out,\n"
    "page, seconds, experiments: [{experiment, page, queries, found, valid,\n"
    "seconds, orders}].\n"
    "\n"
    "Exit codes: 0 done; 1 a path was not found or failed its check; 2 bad usage or\n"
    "bad input.\n";

static const experiment_entry entries[] = {
    {"albertini", "Octree navigation after Albertini 2022", "octree and grid, one target and five",
     experiment_albertini},
    {"massonnat-static", "Merged octrees after Massonnat 2023",
     "voxels, octree, merged octree, refinement, JPS", experiment_massonnat},
    {"massonnat-dynamic", "Octrees in motion after Massonnat 2023",
     "repair against greedy merging and new builds", experiment_massonnat_dynamic},
    {"krafft-spaces", "Search graphs in motion after Krafft 2019 and 2021",
     "grid, waypoints, hybrid graph, octrees and cells", experiment_krafft_spaces},
    {"krafft-2019", "Anytime and dynamic searches after Krafft 2019",
     "A*, ARA*, Theta*, D* Lite and AD* on grid and waypoints", experiment_krafft_2019},
    {"krafft-2021", "Planners that repair after Krafft 2021",
     "D* Lite and moving targets against A*, Theta* and cells", experiment_krafft_2021},
    {"krafft-success", "Who arrives, after Krafft 2019 and 2021",
     "success and lengths by the theses' rules and by ours", experiment_krafft_success},
    {"maruszczyk", "Autopilots in asteroid fields after Maruszczyk 2016",
     "open lists, searches, autopilots, and the limits of ours", experiment_maruszczyk},
    {"crowd", "Many agents at once", "ring, sphere, corridor, door, station, warehouse, reef",
     experiment_crowd}};

enum { ENTRY_COUNT = sizeof entries / sizeof *entries };

uint32_t experiment_sample(const experiment* e, uint32_t normal, uint32_t quick) {
    const uint64_t asked = e->options->sample;
    const uint32_t standard = e->options->quick ? quick : normal;
    return asked == 0 ? standard : asked < normal ? (uint32_t)asked : normal;
}

int experiment_chart(experiment* e, const char* name, svg_text* chart) {
    char file[96];
    snprintf(file, sizeof file, "%s.svg", name);
    page_chart(&e->page, chart);
    const int code = files_write(&e->folder, file, chart);
    svg_free(chart);
    return code;
}

void experiment_begin_numbers(page* p, const char* caption) {
    static const char* const heads[] = {"", "<figure", "thesis", "ours"};
    page_heading(p, 2, "The thesis's numbers beside ours");
    page_begin_table(p, caption, NULL, heads, 4);
}

void experiment_add_number(page* p, const char* what, const char* figure, double theirs, double ours) {
    page_text(p, what);
    page_text(p, figure);
    page_theirs(p, theirs);
    page_real(p, ours);
    page_end_row(p);
}

// -------------------------------------------------------------------------------------------------- writing

static void write_json(const experiment* e, const experiment_entry* which, double seconds) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "experiment", which->name);
    json_bool(&json, "quick", e->options->quick);
    json_count(&json, "seed", e->options->seed);
    json_count(&json, "threads", e->workers);
    json_text(&json, "out", e->folder.path);
    json_text(&json, "page", "index.html");

    json_begin_array(&json, "files", false);
    for (int i = 0; i < e->folder.count; ++i) {
        json_text(&json, NULL, e->folder.names[i]);
    }

    json_end(&json);
    json_count(&json, "queries", e->queries);
    json_count(&json, "found", e->found);
    json_count(&json, "valid", e->valid);
    json_real(&json, "seconds", seconds);
    order_write_json(&e->orders, &json);
    json_end(&json);
    putchar('\n');
}

static void write_text(const experiment* e, double seconds) {
    const order_book* orders = &e->orders;
    printf("%" PRIu64 " paths asked for, %" PRIu64 " found, %" PRIu64 " passed the checker; %.1f s\n",
           e->queries, e->found, e->valid, seconds);
    printf("%" PRIu64 " of %" PRIu64 " pairs in the thesis's order, %d of %d claims hold; "
           "%d differences of both kinds, %d of them not explained\n",
           orders->same, orders->compared, order_holding(orders), orders->claim_count,
           orders->difference_count + orders->claim_count - order_holding(orders), order_unexplained(orders));
    printf("%s/index.html and %d files beside it\n", e->folder.path, e->folder.count - 1);
}

static int write_page(experiment* e) {
    int code = order_write_csv(&e->orders, &e->folder);
    order_write_page(&e->orders, &e->page);
    if (e->valid != e->queries) {
        page_note(&e->page, "%llu of %llu paths were not found or failed the checker.",
                  (unsigned long long)(e->queries - e->valid), (unsigned long long)e->queries);
    } else {
        page_add(&e->page, "Paths: %llu, all found and passed by the exact checker.",
                 (unsigned long long)e->queries);
    }

    page_end(&e->page);
    return code == EXIT_DONE ? files_write(&e->folder, "index.html", &e->page.text) : code;
}

// -------------------------------------------------------------------------------------------------- running

static int make_page(const experiment_entry* which, experiment* e) {
    e->bar = progress_begin(e->options->quiet);
    e->page = page_begin(which->title);
    int code = which->run(e);
    code = code == EXIT_DONE ? write_page(e) : code;
    progress_end(&e->bar);
    svg_free(&e->page.text);
    return code == EXIT_DONE && e->valid != e->queries ? EXIT_NO_PATH : code;
}

int experiment_make(const experiment_entry* which, const experiment_options* options, const char* folder,
                    experiment* e, double* seconds) {
    say_warnings warnings = {.quiet = options->quiet};
    e->options = options;
    e->orders.rough = options->quick;
    e->orders.time_margin = options->quick ? 0.5 : 0.1;
    int code = files_open(folder, &e->folder);
    if (code == EXIT_DONE) {
        code = load_start_pool(options->threads, &warnings, &e->pool);
    }

    const double begin = system_wall_seconds();
    if (code == EXIT_DONE) {
        e->workers = vn_pool_jobs(e->pool).worker_count;
        code = make_page(which, e);
    }

    *seconds = system_wall_seconds() - begin;
    vn_pool_destroy(e->pool);
    e->pool = NULL;
    say_free_warnings(&warnings);
    return code;
}

void experiment_forget(experiment* e) {
    files_close(&e->folder);
}

static int run(const experiment_entry* which, const experiment_options* options) {
    char standard[64];
    double seconds = 0;
    experiment* e = say_alloc(1, sizeof *e);
    snprintf(standard, sizeof standard, "out/experiment-%s", which->name);
    const int code =
        experiment_make(which, options, options->out != NULL ? options->out : standard, e, &seconds);
    if (code != EXIT_BAD && options->json) {
        write_json(e, which, seconds);
    } else if (code != EXIT_BAD) {
        write_text(e, seconds);
    }

    experiment_forget(e);
    free(e);
    return code;
}

static int list_entries(void) {
    for (int i = 0; i < ENTRY_COUNT; ++i) {
        printf("%-18s %s\n%-18s   %s\n", entries[i].name, entries[i].title, "", entries[i].about);
    }

    printf("%-18s %s\n", "all", "each of them, and an index with one summary");
    printf("volnav experiment NAME --quick writes its page to out/experiment-NAME\n");
    return EXIT_DONE;
}

static const experiment_entry* find_entry(const char* name) {
    for (int i = 0; i < ENTRY_COUNT; ++i) {
        if (strcmp(entries[i].name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

static int refuse_name(const char* name) {
    char names[320] = "";
    for (int i = 0; i < ENTRY_COUNT; ++i) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", entries[i].name);
    }
    return say_bad("there is no experiment %s; there are: %s, all", name, names);
}

static void add_options(args_table* table, experiment_options* o) {
    args_add(table, "--quick", ARGS_FLAG, ARGS_ANY, &o->quick, NULL);
    args_add(table, "--out", ARGS_TEXT, ARGS_ANY, &o->out, NULL);
    args_add(table, "--seed", ARGS_COUNT, ARGS_ANY, &o->seed, NULL);
    args_add(table, "--data", ARGS_TEXT, ARGS_ANY, &o->data, NULL);
    args_add(table, "--sample", ARGS_COUNT, ARGS_POSITIVE, &o->sample, NULL);
    args_add(table, "--threads", ARGS_COUNT, ARGS_ANY, &o->threads, &o->has_threads);
    args_add(table, "--json", ARGS_FLAG, ARGS_ANY, &o->json, NULL);
    args_add(table, "--quiet", ARGS_FLAG, ARGS_ANY, &o->quiet, NULL);
}

static int check_options(const experiment_options* o) {
    if (o->threads > 1024) {
        return say_bad("--threads: 1024 at most");
    }

    if (o->sample > 10000) {
        return say_bad("--sample: 10000 at most");
    }
    return EXIT_DONE;
}

int command_experiment(int argc, char** argv) {
    experiment_options o = {.seed = 1, .threads = 1};
    args_table table = {.command = "experiment", .positional_max = 1};
    add_options(&table, &o);
    int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }

    if (table.help) {
        fputs(help, stdout);
        fputs(help_options, stdout);
        return EXIT_DONE;
    }

    if (table.positional_count == 0) {
        return list_entries();
    }

    const bool all = strcmp(table.positional[0], "all") == 0;
    const experiment_entry* which = find_entry(table.positional[0]);
    if (which == NULL && !all) {
        return refuse_name(table.positional[0]);
    }

    code = check_options(&o);
    if (code != EXIT_DONE) {
        return code;
    }
    return all ? experiment_make_all(entries, ENTRY_COUNT, &o) : run(which, &o);
}
