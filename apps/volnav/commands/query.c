/// volnav/commands/query.c: the command query.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "draw/picture.h"
#include "draw/slice.h"
#include "draw/stages.h"
#include "search/classics.h"
#include "search/many.h"
#include "volnav/io.h"

static const char help[] =
    "Usage: volnav query IN --from x,y,z --to x,y,z [options]\n"
    "\n"
    "Finds a path between two points of a world and proves it right: one checker\n"
    "follows it through the voxels, another measures its distance to the shapes.\n"
    "\n"
    "IN may be a .vnav (volnav bake IN -o F.vnav): it loads in a moment, and the\n"
    "layer for --radius answers.\n"
    "\n"
    "  --from x,y,z         start, world coordinates in metres\n"
    "  --to x,y,z           goal\n"
    "  --targets LIST       instead of --to: x,y,z,x,y,z,... up to ten targets, whose\n"
    "                       searches share open and closed sets (astar, dijkstra,\n"
    "                       greedy, theta, lazy-theta on grid and trees)\n"
    "  --sharing HOW        of --targets: new-keys (default), exact, or kept-keys as\n"
    "                       in Albertini 2022\n"
    "  --algo NAME          cells (default), astar (default elsewhere), dijkstra,\n"
    "                       greedy, astar-list, ara, jps, jps6, theta, lazy-theta\n"
    "  --budget N           give up after N expansions (0: never)\n"
    "  --partial            if the goal is not reached: the way to the nearest point\n"
    "                       that was\n"
    "  --snap M             move a blocked end to the nearest free point within M\n"
    "  --record F.vnrec     write question, answer and space into one file, for\n"
    "                       volnav replay: the bug report\n"
    "  --picture F.svg      draw obstacles, path and what the search looked at;\n"
    "                       with --clearance also the way without it\n"
    "  --slice AXIS[=M]     with --picture: one slice across x, y or z, at M metres\n"
    "                       (where the start is); shows the corridor, and the way\n"
    "                       before and after each pass, seen along the axis\n"
    "\n";

static const char examples[] =
    "\n"
    "Examples:\n"
    "  volnav query cave.3dmap --from 3.5,4.5,9.5 --to 80.5,12.5,7.5\n"
    "  volnav query dungeon.obj --resolution 0.5 --radius 0.3 --from 20,8,-10 \\\n"
    "      --to 0,12,-60 --snap 2 --picture dungeon.svg\n"
    "  volnav query cave.3dmap --from 3.5,4.5,9.5 --to 80.5,12.5,7.5 \\\n"
    "      --picture slice.svg --slice y=6.5\n"
    "  volnav query cave.vnav --radius 0.5 --from 3,4,9 --to 80,12,7 --clearance 2\n"
    "  volnav query cave.3dmap --from 3.5,4.5,9.5 --to 80.5,12.5,7.5 --space merged \\\n"
    "      --algo lazy-theta --refine prune\n"
    "\n"
    "Searches on trees, ara, jps, jps6, theta and lazy-theta know no terms, no zones,\n"
    "no links and no --partial. With --space cells, algorithms other than cells\n"
    "search the grid.\n"
    "\n"
    "JSON: status, length, cost, points, expanded, microseconds, clearance, checked,\n"
    "algo, space, refine, quality, weight, bound, turns, radius, start, goal;\n"
    "sight_checks, closed, passes and search_cost (before refinement, what bound is\n"
    "about) of searches on trees and of ara, jps and theta; nearest_free for a\n"
    "blocked end; reason for a partial path and for one of ara whose budget was\n"
    "spent; passage for one that is too narrow; links for those taken; fault for a\n"
    "rejected path. With --targets: sharing, and targets: [{target, status, length,\n"
    "cost, optimal, checked, points}]; the other figures are sums.\n"
    "\n"
    "Exit codes: 0 a path was found; 1 none (blocked ends come with the nearest free\n"
    "point), a partial one, or the check failed; 2 bad usage or bad input.\n";

typedef struct query_options {
    load_options load;
    search_options search;
    search_terms terms;
    const char* algo_name; ///< as given; null: the default of the space
    search_algo algo;
    const char *picture, *slice, *record;
    slice_place place;
    double from[3], to[3];
    bool has_from, has_to;
    many_options many;
    bool is_classic; ///< by volnav/classic.h, in this space:
    vn_classic_kind kind;
} query_options;

/// What is searched with, and what came of it.
typedef struct session {
    loaded in;
    vn_path_request request;
    vn_query* query; ///< null if a classic searches
    classics classics;
    classics_scratch scratch;
    search_outcome outcome;
    many_outcome many; ///< instead, with --targets
} session;

/// What the search expands.
static const char* unit_of(const query_options* options) {
    const bool voxels = !options->is_classic || (options->kind == VN_CLASSIC_GRID &&
                                                 strcmp(options->search.graph, "transitions") != 0);
    return search_is_cells(&options->algo) ? "cells" : voxels ? "voxels" : "nodes";
}

// -------------------------------------------------------------------------------------------------- JSON

static bool has_path(const search_outcome* outcome) {
    return outcome->count > 0;
}

static void write_point(json_writer* json, const char* key, vn_dvec3 p) {
    json_triple(json, key, p.x, p.y, p.z);
}

static void write_points(json_writer* json, const vn_space* space, const search_outcome* outcome) {
    json_begin_array(json, "points", false);
    for (uint32_t i = 0; i < outcome->count; i++) {
        write_point(json, NULL, vn_space_point_to_world(space, outcome->points[i]));
    }
    json_end(json);
}

static void write_nearest(json_writer* json, const search_outcome* outcome) {
    json_begin_object(json, "nearest_free");
    write_point(json, "point", outcome->nearest);
    json_real(json, "distance", outcome->nearest_distance);
    json_text(json, "which", outcome->path.end == VN_END_START ? "start" : "goal");
    json_end(json);
}

static void write_passage(json_writer* json, const vn_space* space, const search_outcome* outcome) {
    json_begin_object(json, "passage");
    json_real(json, "layer_radius", (double)outcome->path.passing_radius);
    if (outcome->has_passage) {
        json_real(json, "radius", outcome->passage.radius);
        write_point(json, "bottleneck", vn_space_point_to_world(space, outcome->passage.bottleneck));
    }

    json_end(json);
}

/// Between which points the path takes which link; `id` is the line of the scene.
static void write_links(json_writer* json, const loaded* in, const vn_query* query) {
    uint32_t count;
    const vn_connection_use* uses = vn_query_connections(query, &count);
    json_begin_array(json, "links", false);
    for (uint32_t i = 0; i < count; i++) {
        json_begin_object(json, NULL);
        json_count(json, "point", uses[i].point);
        json_count(json, "id", in->scene.links[uses[i].connection].id);
        json_bool(json, "reversed", uses[i].reversed);
        json_end(json);
    }

    json_end(json);
}

static void write_fault(json_writer* json, const vn_check_result* fault) {
    json_begin_object(json, "fault");
    json_text(json, "what", vn_check_fault_word(fault->fault));
    json_count(json, "segment", fault->segment);
    json_real(json, "at", fault->fraction);
    write_point(json, "position", fault->position);
    json_end(json);
}

static void write_ends(json_writer* json, const query_options* options, const loaded* in,
                       const search_outcome* outcome) {
    if (has_path(outcome)) {
        write_point(json, "start", vn_space_point_to_world(in->space, outcome->path.start));
        write_point(json, "goal", vn_space_point_to_world(in->space, outcome->path.goal));
    } else {
        json_triple(json, "start", options->from[0], options->from[1], options->from[2]);
        json_triple(json, "goal", options->to[0], options->to[1], options->to[2]);
    }
}

static void write_json(const query_options* options, const loaded* in, const vn_query* query,
                       const search_outcome* outcome) {
    const vn_path_result* path = &outcome->path;
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "status", vn_status_word(path->status));
    json_real(&json, "length", has_path(outcome) ? path->length : NAN);
    json_real(&json, "cost", has_path(outcome) ? path->cost : NAN);
    json_count(&json, "expanded", path->expanded);
    json_real(&json, "microseconds", outcome->seconds * 1e6);
    json_real(&json, "clearance", outcome->clearance);
    json_bool(&json, "checked", outcome->checked);
    json_text(&json, "algo", options->algo.name);
    json_text(&json, "space",
              options->is_classic ? vn_classic_kind_name(options->kind) : search_space_of(&options->algo));
    json_text(&json, "refine", options->search.refine);
    json_text(&json, "quality", search_is_cells(&options->algo) ? options->search.quality : NULL);
    json_real(&json, "weight", path->weight);
    json_real(&json, "bound", path->bound > 0 ? path->bound : NAN);
    json_count(&json, "turns", path->turns);

    json_real(&json, "radius", (double)in->info.radius);
    if (options->is_classic) {
        json_count(&json, "sight_checks", outcome->sight_checks);
        json_count(&json, "closed", outcome->closed);
        json_count(&json, "passes", outcome->passes);
        json_real(&json, "search_cost", has_path(outcome) ? outcome->search_cost : NAN);
    }

    write_ends(&json, options, in, outcome);
    if (outcome->has_nearest) {
        write_nearest(&json, outcome);
    }

    if (path->reason == VN_TOO_NARROW) {
        write_passage(&json, in->space, outcome);
    }

    if (path->connections_used > 0) {
        write_links(&json, in, query);
    }

    if (has_path(outcome) && path->reason != VN_OK) {
        json_text(&json, "reason", vn_status_word(path->reason));
    }

    if (has_path(outcome) && !outcome->checked) {
        write_fault(&json, &outcome->fault);
    }

    write_points(&json, in->space, outcome);
    load_write_warnings(&json, in);
    json_end(&json);
}

// -------------------------------------------------------------------------------------------------- text

/// How good ARA*'s path is, and whether the budget stopped it.
static void write_passes(const search_outcome* outcome) {
    const vn_path_result* path = &outcome->path;
    printf("passes: %u%s", (unsigned)outcome->passes,
           path->reason == VN_BUDGET_SPENT ? ", then the budget was spent" : "");
    if (path->bound > 0) {
        printf("; at most %.4g times the least cost on this graph", path->bound);
    }

    putchar('\n');
}

static void write_text(const query_options* options, const loaded* in, const vn_query* query,
                       const search_outcome* outcome) {
    const vn_path_result* path = &outcome->path;
    if (has_path(outcome)) {
        printf("%s: %.6g m long, %u points\n", path->status == VN_OK ? "path" : "partial path", path->length,
               (unsigned)outcome->count);
        uint32_t links = 0, used = 0;
        const vn_connection_use* uses = query != NULL ? vn_query_connections(query, &links) : NULL;
        for (uint32_t i = 0; i < outcome->count; i++) {
            const vn_dvec3 p = vn_space_point_to_world(in->space, outcome->points[i]);
            const bool by_link = used < links && uses[used].point == i;
            printf("  %.9g,%.9g,%.9g%s\n", p.x, p.y, p.z, by_link ? "  then by a link" : "");
            used += by_link ? 1 : 0;
        }
    } else {
        printf("%s\n", vn_status_word(path->status));
    }

    printf("search: %s expanded %" PRIu64 " %s in %.3f ms\n", options->algo.name, path->expanded,
           unit_of(options), outcome->seconds * 1e3);
    if (has_path(outcome) && outcome->passes > 0) {
        write_passes(outcome);
    }

    if (has_path(outcome) && outcome->checked) {
        printf("checked: free%s", isfinite(outcome->clearance) ? "" : "\n");
        if (isfinite(outcome->clearance)) {
            printf(", never closer than %.6g m to an obstacle\n", outcome->clearance);
        }
    }
}

// ----------------------------------------------------------------------------------------------- picture

/// The way of the same question without a preferred clearance; the points are the caller's to free.
static int search_plainly(const query_options* options, const loaded* in, vn_path_request request,
                          picture_route* out) {
    vn_query* query = NULL;
    vn_path_result result;
    request.preferred_clearance = 0;
    const int code = search_create(in, &options->search, &request.algo, 1, &query);
    if (code == EXIT_DONE && vn_query_find_path(query, &request, &result, NULL) == VN_OK) {
        uint32_t count;
        const vn_point* points = vn_query_points(query, &count);
        vn_point* kept = say_alloc(count, sizeof *kept);
        memcpy(kept, points, count * sizeof *kept);
        *out = (picture_route){
            .label = "as short as can be", .points = kept, .count = count, .length = result.length};
    }

    vn_query_destroy(query);
    return code;
}

static int draw(const query_options* options, const char* path, const session* s) {
    const search_outcome* outcome = &s->outcome;
    const bool both = options->terms.clearance > 0 && has_path(outcome);
    picture_route routes[2] = {{.label = both ? "with clearance" : "",
                                .points = outcome->points,
                                .count = outcome->count,
                                .length = outcome->path.length,
                                .partial = outcome->path.status == VN_PARTIAL},
                               {.label = ""}};

    int code = both ? search_plainly(options, &s->in, s->request, &routes[1]) : EXIT_DONE;
    if (code != EXIT_DONE) {
        return code;
    }

    picture_plan plan = {.space = s->in.space,
                         .title = load_file_name(path),
                         .algo = options->algo.name,
                         .query = s->query,
                         .classic = s->scratch.kinds[options->kind],
                         .boxes = options->is_classic && options->kind != VN_CLASSIC_GRID,
                         .expanded = outcome->path.expanded};
    plan.routes = routes;
    plan.route_count = !has_path(outcome) ? 0 : routes[1].count > 0 ? 2 : 1;
    plan.marks[0] = (vn_dvec3){options->from[0], options->from[1], options->from[2]};
    plan.marks[1] = (vn_dvec3){options->to[0], options->to[1], options->to[2]};
    plan.has_marks = !has_path(outcome) && outcome->path.status != VN_OUTSIDE;
    code = picture_write(options->picture, &plan);
    free((void*)routes[1].points);

    return code;
}

static int draw_slice(const query_options* options, const char* path, const session* s) {
    const search_outcome* outcome = &s->outcome;
    stages ways;
    slice_plan plan = {.space = s->in.space,
                       .title = load_file_name(path),
                       .axis = options->place.axis,
                       .query = s->query,
                       .expanded = outcome->path.expanded,
                       .unit = unit_of(options)};

    int code = slice_find(s->in.space, &options->place, options->from[options->place.axis], &plan.slab);
    if (code == EXIT_DONE) {
        code = stages_run(&s->in, &options->search, &s->request, outcome, &ways);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    plan.routes = ways.routes;
    plan.route_count = ways.count;
    plan.marks[0] = (vn_dvec3){options->from[0], options->from[1], options->from[2]};
    plan.marks[1] = (vn_dvec3){options->to[0], options->to[1], options->to[2]};
    plan.has_marks = !has_path(outcome) && outcome->path.status != VN_OUTSIDE;
    code = slice_write(options->picture, &plan);
    stages_free(&ways);

    return code;
}

// ----------------------------------------------------------------------------------------------- command

static int draw_any(const query_options* options, const char* path, const session* s) {
    if (options->picture == NULL) {
        return EXIT_DONE;
    }
    return options->slice != NULL ? draw_slice(options, path, s) : draw(options, path, s);
}

static int record(const query_options* options, const char* path, const session* s) {
    vn_detail detail = {0};
    vn_store_def def = vn_default_store_def();
    if (options->record == NULL) {
        return EXIT_DONE;
    }

    if (s->outcome.path.status == VN_OUTSIDE) {
        return say_bad("--record: a question from or to a point outside the space is not put to it");
    }

    def.comment = load_file_name(path);
    const vn_status status =
        vn_record_save_file(s->query, &s->request, &s->outcome.path, options->record, &def, &detail);
    return status == VN_OK ? EXIT_DONE : say_status(options->record, status, &detail);
}

static int answer(const query_options* options, const char* path, const session* s) {
    const search_outcome* outcome = &s->outcome;
    const int code = search_exit_code(outcome);
    if (code == EXIT_BAD) {
        return say_status(NULL, outcome->path.status, &outcome->detail);
    }

    if (draw_any(options, path, s) != EXIT_DONE || record(options, path, s) != EXIT_DONE) {
        return EXIT_BAD;
    }

    (options->load.json ? write_json : write_text)(options, &s->in, s->query, outcome);
    search_explain(stderr, &s->in, &options->search, outcome);
    return code;
}

static int answer_many(const query_options* options, const session* s) {
    const many_words words = {options->algo.name, vn_classic_kind_name(options->kind), options->search.refine,
                              unit_of(options)};
    return options->load.json ? many_write_json(&s->in, &options->many, &s->many, &words)
                              : many_write_text(&options->many, &s->many, &words);
}

/// Runs the search on what is loaded.
static int search(const query_options* options, session* s) {
    const double* to = options->terms.has_goal_box ? NULL : options->to;
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

static void forget_search(session* s) {
    vn_query_destroy(s->query);
    s->query = NULL;
    classics_free_scratch(&s->scratch);
    classics_free(&s->classics);
}

/// After a classic has found no way: the core's A* on the grid, which knows layers, says whether the only way
/// is too narrow. What the classic did stays in the outcome.
static int ask_core(const query_options* options, session* s) {
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

/// Runs the search; if there is no way at this radius, asks again beside a layer for a point, which tells a
/// way that is too narrow from none.
static int ask(const query_options* options, const char* path, session* s) {
    int code = search(options, s);
    const bool again = code == EXIT_DONE && s->outcome.path.reason == VN_NO_PATH && s->in.world != NULL &&
                       !s->in.is_file && load_radius(&options->load) > 0 &&
                       s->request.goal_kind == VN_GOAL_POINT &&
                       !(options->is_classic && options->picture != NULL); // which shows what a classic did

    if (again) {
        forget_search(s);
        code = load_with_point_layer(path, &options->load, &s->in);
        if (code == EXIT_DONE) {
            code = options->is_classic ? ask_core(options, s) : search(options, s);
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

/// The request, and who answers it.
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

    options->is_classic =
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
    session s = {0};
    int code = prepare(options, &s.request);
    if (code != EXIT_DONE) {
        return code;
    }

    code = load_input(path, &options->load, &s.in);
    if (code == EXIT_DONE) {
        code = search_apply_terms(&options->terms, &s.in, &s.request);
    }

    if (code == EXIT_DONE && s.in.scene.link_count > 0 && !search_is_cells(&options->algo)) {
        say_warning(&s.in.warnings, "%s: %s does not take links; --algo cells does", path,
                    options->algo.name);
    }

    if (code == EXIT_DONE && options->many.targets.count > 0) {
        code = search(options, &s);
        code = code == EXIT_DONE ? answer_many(options, &s) : code;
    } else if (code == EXIT_DONE) {
        code = ask(options, path, &s);
        code = code == EXIT_DONE ? answer(options, path, &s) : code;
    }

    forget_search(&s);
    load_free(&s.in);
    return code;
}

static int check_arguments(const query_options* o, const args_table* table) {
    const bool many = o->many.targets.count > 0;
    if (table->positional_count == 0 || !o->has_from || (!o->has_to && !o->terms.has_goal_box && !many)) {
        return say_bad("query needs an input, --from x,y,z and --to x,y,z. See volnav query --help.");
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

    return load_check_one_agent(&o->load);
}

int command_query(int argc, char** argv) {
    query_options o = {.load = load_defaults(),
                       .search = search_defaults(),
                       .terms = search_terms_defaults(),
                       .many = many_defaults()};
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
    search_add_options(&table, &o.search);
    search_add_terms(&table, &o.terms);
    load_add_options(&table, &o.load);

    const int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }

    if (table.help) {
        printf("%s%s\n%s\n%s%s", help, search_help, search_terms_help, load_help, examples);
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
