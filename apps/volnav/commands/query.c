/// volnav/commands/query.c: the command query: options, and the search itself.
#include "commands/commands.h"
#include "commands/query_inside.h"
#include "draw/picture.h"
#include "search/advice.h"
#include "volnav/io.h"

static const char help[] =
    "Usage: volnav query IN --from x,y,z --to x,y,z [options]\n"
    "\n"
    "Finds a path between two points of a world and proves it right: one checker\n"
    "follows it through the voxels, another measures its distance to the shapes.\n"
    "\n"
    "IN may be a .vnav (volnav bake IN -o F.vnav): it loads in milliseconds, and its\n"
    "layer for --radius is searched.\n"
    "\n"
    "  --from x,y,z         start, world coordinates in metres\n"
    "  --to x,y,z           goal\n"
    "  --targets LIST       instead of --to: x,y,z,x,y,z,... up to ten targets, whose\n"
    "                       searches share open and closed sets (astar, dijkstra,\n"
    "                       greedy, theta, lazy-theta on grid and trees)\n"
    "  --sharing HOW        of --targets: new-keys (default), exact, or kept-keys as\n"
    "                       in Albertini 2022\n"
    "  --algo NAME          cells (default), astar (default elsewhere), dijkstra,\n"
    "                       greedy, astar-list, ara, jps, jps6, theta, lazy-theta,\n"
    "                       theta-fast (--space hybrid only); or a planner, below\n"
    "  --budget N           give up after N expansions (0: never)\n"
    "  --partial            if the goal is not reached: the path to the point nearest\n"
    "                       to it that is\n"
    "  --snap M             move a blocked end to the nearest free point within M\n"
    "  --record F.vnrec     write request, result and space into one file, for\n"
    "                       volnav replay: the bug report\n"
    "  --picture F.svg      draw obstacles, path and what the search expanded;\n"
    "                       with --clearance also the path without it\n"
    "  --slice AXIS[=M]     with --picture: one slice across x, y or z, at M metres\n"
    "                       (where the start is); shows the corridor, and the path\n"
    "                       before and after each pass, seen along the axis\n"
    "\n";

static const char examples[] =
    "\n"
    "Examples:\n"
    "  volnav query samples/scenes/gallery.scene --from 5,5,9 --to 95,6,58\n"
    "  volnav query dungeon.obj --resolution 0.5 --radius 0.3 --from 20,8,-10 \\\n"
    "      --to 0,12,-60 --snap 2 --picture dungeon.svg\n"
    "  volnav query cave.3dmap --from 3.5,4.5,9.5 --to 80.5,12.5,7.5 \\\n"
    "      --picture slice.svg --slice y=6.5\n"
    "  volnav query cave.vnav --radius 0.5 --from 3,4,9 --to 80,12,7 --clearance 2\n"
    "  volnav query cave.3dmap --from 3.5,4.5,9.5 --to 80.5,12.5,7.5 --space merged \\\n"
    "      --algo lazy-theta --refine prune\n"
    "  volnav query samples/scenes/gallery.scene --from 5,5,9 --to 95,6,58 \\\n"
    "      --space hybrid --algo theta-fast\n"
    "  volnav query samples/scenes/gallery.scene --from 5,5,9 --to 95,6,58 --fuel r16\n"
    "\n"
    "Searches on trees, ara, jps, jps6, theta and lazy-theta take no terms, no links\n"
    "and no --partial; with zones no --refine, and jps and jps6 take no zones. With\n"
    "--space cells, algorithms other than cells search the grid. Hybrid graph and\n"
    "waypoints of a .vnav are loaded if it has them (volnav bake --space); searches\n"
    "on them take no zones either, and a path that they do not have may still exist.\n"
    "\n"
    "Planners repair a path while world and ends change (docs/choosing.md); here each\n"
    "plans once, and its path costs what astar's does, but for those at any angle.\n"
    "There are lpa-star, dstar-lite, ad-star (--ara-first, --ara-step), dstar,\n"
    "mtdstar-basic, mtdstar, aamtdstar (at any angle; these three also with -backward\n"
    "after the name), aamtdstar-fast (--space hybrid only), field-dstar (any angle;\n"
    "--space grid only), adaptive-astar, mpaa, tree-adaptive, and aaad-star (ad-star\n"
    "at any angle); on grid, trees, hybrid graph and waypoints, with --space cells on\n"
    "the grid. They take --neighbours and zones on the grid, --graph on trees,\n"
    "--heuristic, --budget, --max-nodes and --snap; dstar-lite and field-dstar also\n"
    "--weight.\n"
    "\n"
    "JSON: status, length, cost, points, expanded, microseconds, clearance, checked,\n"
    "algo, space, refine, quality, weight, bound, turns, radius, start, goal;\n"
    "sight_checks, closed, passes and search_cost (before refinement, what bound is\n"
    "about) of searches on trees and of ara, jps and theta; sight_checks also of\n"
    "planners; nearest_free for a blocked end; curves with --curve: [{kind, status,\n"
    "length, seconds, corners, stops, least_turn_radius, checked}]; reason for a\n"
    "partial path and for one of ara or ad-star whose budget was spent; passage for\n"
    "one that is too narrow; links for those taken; fault for a rejected path; fuel\n"
    "with --fuel, and cost is then in metres of level flight; snapped for ends that\n"
    "--snap moved: [{which, asked, used, distance, leg (free, blocked, unchecked),\n"
    "clearance of the leg}]. With --targets: sharing, and targets: [{target, status,\n"
    "length, cost, optimal, checked, points, snapped}]; the other figures are sums.\n"
    "\n"
    "Exit codes: 0 a path was found; 1 none (blocked ends come with the nearest free\n"
    "point), a partial one, or the check failed; 2 bad usage or bad input.\n";

// ----------------------------------------------------------------------------------------------- command

static int record(const query_options* options, const char* path, const query_session* s) {
    vn_detail detail = {0};
    vn_store_def def = vn_default_store_def();
    if (options->record == NULL) {
        return EXIT_DONE;
    }

    if (s->outcome.path.status == VN_OUTSIDE) {
        return say_bad("--record: a query from or to a point outside the space is not run, so there is "
                       "nothing to record");
    }

    def.comment = load_file_name(path);
    const vn_status status =
        vn_record_save_file(s->query, &s->request, &s->outcome.path, options->record, &def, &detail);
    return status == VN_OK ? EXIT_DONE : say_status(options->record, status, &detail);
}

/// Of a saved file: which of its layers answered.
static void print_layer(const query_options* options, const query_session* s) {
    if (s->in.is_file && !options->load.json) {
        printf("layer: radius %g m, open %u, voxels of %g m; one of %u in the file\n",
               (double)s->in.info.radius, (unsigned)s->in.info.open_flags, (double)s->in.info.resolution,
               (unsigned)vn_layers_count(s->in.layers));
        fflush(stdout); // before what search_explain says on standard error
    }
}

static int report(const query_options* options, const char* path, query_session* s) {
    const search_outcome* outcome = &s->outcome;
    int code = search_exit_code(outcome);
    if (code == EXIT_BAD) {
        return say_status(NULL, outcome->path.status, &outcome->detail);
    }

    const int curve_code = code == EXIT_DONE ? query_curve_run(options, s) : EXIT_DONE;
    if (curve_code == EXIT_BAD) {
        return EXIT_BAD;
    }

    code = curve_code != EXIT_DONE ? curve_code : code;

    if (query_draw(options, path, s) != EXIT_DONE || record(options, path, s) != EXIT_DONE) {
        return EXIT_BAD;
    }

    query_report(options, s);
    print_layer(options, s);
    if (options->is_road && outcome->path.status == VN_NO_PATH) {
        fprintf(stderr, "The %s has no path; the space itself may have one: try --space cells.\n",
                options->road == VN_ROADMAP_HYBRID ? "hybrid graph" : "graph of waypoints");
    }

    search_explain(stderr, &s->in, &options->search, outcome);
    advice_print(stderr, &s->in, &options->load, options->from,
                 options->terms.has_goal_box ? NULL : options->to, outcome);
    return code;
}

static int search_plan(const query_options* options, query_session* s) {
    const char* space = options->load.space;
    vn_replan_def def;
    vn_detail detail = {0};
    if (plans_def(&options->search, &options->algo, space, &s->request, &def, &detail) != VN_OK) {
        return say_bad("%s", detail.text);
    }

    if (plans_build(&s->in, &options->search, &options->roads, space, options->load.quiet, &s->plan_space) !=
        EXIT_DONE) {
        return EXIT_BAD;
    }

    const vn_status status =
        plans_create(&s->in, &s->plan_space, &options->search, &def, &s->request, &s->plan, &detail);
    if (status != VN_OK) {
        return say_status(NULL, status, &detail);
    }

    plans_run(&s->in, &s->plan, &def, &s->request, options->from, options->to, &s->outcome);
    return EXIT_DONE;
}

static int search_road(const query_options* options, query_session* s) {
    vn_graph_request request;
    int code = roads_request(&options->search, &options->algo, &s->request, &request);
    if (code == EXIT_DONE) {
        code = roads_build(&s->in, &options->roads, options->road, options->load.quiet, &s->roads);
    }

    return code == EXIT_DONE ? roads_run(&s->in, &s->roads, &request, s->request.snap_distance, options->from,
                                         options->to, &s->outcome)
                             : code;
}

/// Runs the search on what is loaded.
static int search(const query_options* options, query_session* s) {
    const double* to = options->terms.has_goal_box ? NULL : options->to;
    if (options->is_plan) {
        return search_plan(options, s);
    }

    if (options->is_road) {
        return search_road(options, s);
    }

    if (!options->is_classic) {
        const int code = search_create(&s->in, &options->search, &s->request.algo, 1, &s->query);
        if (code == EXIT_DONE) {
            search_run(&s->in, s->query, &s->request, options->from, to, &s->outcome);
        }
        return code;
    }

    vn_classic_request request;
    int code = classics_request(&options->search, &options->algo, &s->request, &request);
    if (code == EXIT_DONE) {
        code = classics_build(&s->in, &options->search, options->kind, options->load.quiet, &s->classics);
    }

    if (code == EXIT_DONE) {
        code = classics_make_scratch(&s->classics, &options->search, &s->scratch);
    }

    if (code == EXIT_DONE && options->many.targets.count > 0) {
        many_run(&s->in, s->scratch.kinds[options->kind], &request, options->from, &options->many, &s->many);
    } else if (code == EXIT_DONE) {
        classics_run(&s->in, s->scratch.kinds[options->kind], &request, options->from, to, &s->outcome);
    }

    return code;
}

static void forget_search(query_session* s) {
    vn_query_destroy(s->query);
    s->query = NULL;
    classics_free_scratch(&s->scratch);
    classics_free(&s->classics);
    roads_free(&s->roads);
    query_curve_free(&s->curves);
    plans_free(&s->plan);
    plans_free_space(&s->plan_space);
}

/// After a classic has found no path: the core's A* on the grid, which knows layers, says whether the only
/// path is too narrow. The outcome keeps the effort of the classic.
static int search_core(const query_options* options, query_session* s) {
    const search_outcome before = s->outcome;
    vn_path_request request = s->request;
    request.algo = VN_ALGO_ASTAR;
    request.refine = VN_REFINE_NONE;
    request.heuristic = VN_HEURISTIC_DEFAULT;

    const int code = search_create(&s->in, &options->search, &request.algo, 1, &s->query);
    if (code != EXIT_DONE) {
        return code;
    }

    search_run(&s->in, s->query, &request, options->from, options->to, &s->outcome);
    const vn_path_result path = s->outcome.path;
    vn_query_destroy(s->query);
    s->query = NULL;

    s->outcome = before;
    if (path.reason == VN_TOO_NARROW) {
        s->outcome.path = path;
        s->outcome.path.expanded = before.path.expanded;
    }

    return EXIT_DONE;
}

/// Runs the search. If there is no path at this radius, runs it again beside a layer for a point agent, which
/// tells a path that is too narrow from none.
static int search_with_layers(const query_options* options, const char* path, query_session* s) {
    int code = search(options, s);
    const bool again = code == EXIT_DONE && s->outcome.path.reason == VN_NO_PATH && s->in.world != NULL &&
                       !s->in.is_file && load_radius(&options->load) > 0 &&
                       s->request.goal_kind == VN_GOAL_POINT && !options->is_road &&
                       !(options->is_classic && options->picture != NULL); // which shows what a classic did
    const bool by_core = !options->is_classic && !options->is_plan;

    if (again) {
        forget_search(s);
        code = load_with_point_layer(path, &options->load, &s->in);
        if (code == EXIT_DONE) {
            code = by_core ? search(options, s) : search_core(options, s);
        }
    }

    if (code == EXIT_DONE && s->outcome.path.reason == VN_TOO_NARROW) {
        search_passage(&s->in, &s->request, &s->outcome);
    }

    return code;
}

/// What many targets cannot be combined with.
static int check_many(query_options* options) {
    if (options->many.targets.count == 0) {
        return EXIT_DONE;
    }

    if (search_is_cells(&options->algo) || options->record != NULL || options->picture != NULL) {
        return say_bad(
            "--targets: there are astar, dijkstra, greedy, theta and lazy-theta on grid and trees, "
            "without --picture and --record");
    }

    if (!options->is_classic) {
        options->is_classic = true;
        options->kind = VN_CLASSIC_GRID;
    }

    return many_check(&options->many);
}

/// What searches of a roadmap, and planners, cannot be combined with.
static int check_graph(const query_options* options) {
    const char* what = options->many.targets.count > 0 ? "--targets"
                       : options->record != NULL       ? "--record"
                       : options->slice != NULL        ? "--slice"
                                                       : NULL;
    return what != NULL ? say_bad("%s: %s do not know it; leave it out, or choose another --%s", what,
                                  options->is_plan ? "planners" : "searches of hybrid graph and waypoints",
                                  options->is_plan ? "algo" : "space")
                        : EXIT_DONE;
}

/// The request, and which library searches.
static int prepare(query_options* options, vn_path_request* request) {
    const bool many = options->many.targets.count > 0;
    const char* name = options->algo_name == NULL && many ? "astar" : options->algo_name;
    int code = search_read_algo(name, &options->load, &options->algo);
    if (code == EXIT_DONE) {
        code = search_request(&options->search, &options->load, &options->algo, request);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    if (search_is_cells(&options->algo) && request->refine == VN_REFINE_SMOOTH) {
        return say_bad("--refine smooth is for other searches; cells are pulled taut: leave it out, or add "
                       "--algo astar");
    }

    if (!search_is_cells(&options->algo) && request->refine == VN_REFINE_TAUT) {
        return say_bad("--refine taut needs the search over cells; grid and trees have none, prune, smooth, "
                       "funnel, funnel+prune");
    }

    options->is_road = roads_kind(options->load.space, &options->road);
    options->is_plan = options->algo.is_planner;
    if (roads_check(options->load.space, &options->roads) != EXIT_DONE ||
        ((options->is_road || options->is_plan) && check_graph(options) != EXIT_DONE)) {
        return EXIT_BAD;
    }

    options->is_classic =
        !options->is_road && !options->is_plan &&
        classics_needed(options->load.space, &options->search, &options->algo, request, &options->kind);
    if (check_many(options) != EXIT_DONE) {
        return EXIT_BAD;
    }

    if (options->is_classic && options->record != NULL) {
        return say_bad("--record: searches by %s are not recorded; --algo cells and astar are",
                       options->algo.name);
    }

    if (options->is_classic && options->slice != NULL) {
        return say_bad(
            "--slice: its stages are those of cells and astar; leave it out for the whole picture");
    }

    return options->picture != NULL ? picture_check_name(options->picture) // before the work, not after it
                                    : EXIT_DONE;
}

static int query(query_options* options, const char* path) {
    query_session s = {0};
    int code = prepare(options, &s.request);
    if (code != EXIT_DONE) {
        return code;
    }

    code = load_input(path, &options->load, &s.in);
    if (code == EXIT_DONE) {
        code = search_apply_terms(&options->terms, &s.in, &s.request);
    }

    if (code == EXIT_DONE && s.in.scene.connection_count > 0 && !search_is_cells(&options->algo)) {
        say_warning(&s.in.warnings, "%s: %s does not take links; --algo cells does", path,
                    options->algo.name);
    } else if (code == EXIT_DONE && s.in.scene.connection_count > 0 && options->search.fuel != NULL) {
        say_warning(&s.in.warnings, "%s: links burn nothing that --fuel could count; they are not taken",
                    path);
    }

    if (code == EXIT_DONE && options->many.targets.count > 0) {
        code = search(options, &s);
        code = code == EXIT_DONE ? query_report_many(options, &s) : code;
    } else if (code == EXIT_DONE) {
        code = search_with_layers(options, path, &s);
        code = code == EXIT_DONE ? report(options, path, &s) : code;
    }

    forget_search(&s);
    load_free(&s.in);
    return code;
}

/// Names what is missing, and where coordinates come from.
static int check_complete(const query_options* o, const args_table* table) {
    const bool has_goal = o->has_to || o->terms.has_goal_box || o->many.targets.count > 0;
    if (table->positional_count == 0) {
        return say_bad("query needs an input, --from x,y,z and --to x,y,z. Try volnav query "
                       "samples/scenes/gallery.scene --from 5,5,9 --to 95,6,58, or see volnav query --help.");
    }

    if (o->has_from && has_goal) {
        return EXIT_DONE;
    }

    return say_bad(
        "query needs %s%s%s. volnav info %s prints the bounds to choose from; see also volnav "
        "query --help.",
        o->has_from ? "" : "--from x,y,z (where it begins)", !o->has_from && !has_goal ? " and " : "",
        has_goal ? "" : "--to x,y,z (where the path ends; or --to-box, --targets)", table->positional[0]);
}

static int check_arguments(const query_options* o, const args_table* table) {
    const bool many = o->many.targets.count > 0;
    if (check_complete(o, table) != EXIT_DONE) {
        return EXIT_BAD;
    }

    if (many && (o->has_to || o->terms.has_goal_box)) {
        return say_bad("--targets stands instead of --to and --to-box: put all targets into its list");
    }

    if (o->has_to && o->terms.has_goal_box) {
        return say_bad("--to and --to-box: the path arrives at one of them only");
    }

    if (o->slice != NULL && o->picture == NULL) {
        return say_bad("--slice %s: there is nothing to draw; add --picture F.svg", o->slice);
    }

    return query_curve_check(o) == EXIT_DONE ? load_check_one_agent(&o->load) : EXIT_BAD;
}

int command_query(int argc, char** argv) {
    query_options o = {.load = load_defaults(),
                       .search = search_defaults(),
                       .terms = search_terms_defaults(),
                       .many = many_defaults(),
                       .curve = query_curve_defaults()};
    o.load.takes_roadmaps = true;
    args_table table = {.command = "query", .positional_max = 1};
    args_add(&table, "--from", ARGS_POINT, ARGS_ANY, o.from, &o.has_from);
    args_add(&table, "--to", ARGS_POINT, ARGS_ANY, o.to, &o.has_to);
    args_add(&table, "--targets", ARGS_LIST, ARGS_ANY, &o.many.targets, NULL);
    args_add(&table, "--sharing", ARGS_TEXT, ARGS_ANY, &o.many.sharing, NULL);
    args_add(&table, "--algo", ARGS_TEXT, ARGS_ANY, &o.algo_name, NULL);
    args_add(&table, "--budget", ARGS_COUNT, ARGS_ANY, &o.search.budget, NULL);
    args_add(&table, "--partial", ARGS_FLAG, ARGS_ANY, &o.search.partial, NULL);
    args_add(&table, "--snap", ARGS_REAL, ARGS_NOT_NEGATIVE, &o.search.snap, NULL);
    args_add(&table, "--picture", ARGS_TEXT, ARGS_ANY, &o.picture, NULL);
    args_add(&table, "--slice", ARGS_TEXT, ARGS_ANY, &o.slice, NULL);
    args_add(&table, "--record", ARGS_TEXT, ARGS_ANY, &o.record, NULL);
    search_add_fuel(&table, &o.search);
    query_curve_add_options(&table, &o.curve);
    roads_add_options(&table, &o.roads);
    search_add_options(&table, &o.search);
    search_add_terms(&table, &o.terms);
    load_add_options(&table, &o.load);

    const int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }

    if (table.help) {
        printf("%s%s\n%s%s\n%s\n%s\n%s%s", help, query_curve_help, search_help, roads_help, search_terms_help,
               search_fuel_help, load_help, examples);
        return EXIT_DONE;
    }

    if (check_arguments(&o, &table) != EXIT_DONE) {
        return EXIT_BAD;
    }

    if (o.slice != NULL && slice_parse(o.slice, &o.place) != EXIT_DONE) {
        return EXIT_BAD;
    }

    return query(&o, table.positional[0]);
}
