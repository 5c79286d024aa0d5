/// volnav/search/search.c: options of a search into a request, one search run and checked, the outcome
/// explained.
#include "search/search.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "search/legs.h"
#include "shell/system.h"
#include "shell/text.h"

const char search_help[] =
    "Searching:\n"
    "  --quality Q          of cells: fast, standard (default) or best\n"
    "  --refine R           none: the path as found; prune: without points that\n"
    "                       are not needed; taut (cells): only pulled taut;\n"
    "                       smooth (not cells): post-smoothing; funnel: the 3D\n"
    "                       funnel, tight inside its corridor; funnel+prune\n"
    "                       (cells: as the quality says; others: none)\n"
    "  --weight W           factor on the heuristic, 1 or more: faster, and longer\n"
    "                       (cells: as the quality says; others: 1; ignored by\n"
    "                       dijkstra, greedy and ara)\n"
    "  --graph G            of grid and trees: nodes are the centres of boxes (the\n"
    "                       grid's default), or transitions between them (the trees')\n"
    "  --neighbours 26|6    steps of the grid; corners are never cut (26)\n"
    "  --heuristic NAME     not cells: octile, euclidean, manhattan or r16 (grid:\n"
    "                       octile with 26 neighbours, manhattan with 6; trees:\n"
    "                       euclidean)\n"
    "  --weight-g G         astar, theta: weights on the cost so far and on the\n"
    "  --weight-h H         heuristic, 0 to 1 each: 1 and 0 is dijkstra, 0 and 1\n"
    "                       greedy (1, 1)\n"
    "  --every-sight        theta: check sight for every neighbour, as Albertini\n"
    "                       2022 prints it; the same paths, more checks\n"
    "  --ara-first W        first weight of ara (3)\n"
    "  --ara-step D         decrease of the weight from pass to pass (0.2)\n"
    "  --min-depth D        of trees: least depth of leaves (0)\n"
    "  --max-depth D        of trees: greatest depth of leaves (down to the voxel)\n"
    "  --split-root         trees: several roots side by side, for a long space\n"
    "  --max-nodes N        nodes that one search may touch, not cells (all, up to\n"
    "                       16 million)\n";

const char search_fuel_help[] =
    "Fuel (cells, astar, dijkstra, greedy):\n"
    "  --fuel r16|gravity   find the path that burns least, not the shortest: r16 is\n"
    "                       the model of Maruszczyk 2016 (0.2 a metre, half as much\n"
    "                       again when climbing at 45 degrees); gravity counts the\n"
    "                       height. Zones of a scene are weather: their factor is\n"
    "                       that of the fuel. See docs/energy.md\n"
    "  --ignore-weather     plan as if there were no zones; the fuel counts them\n"
    "  --climbs N           not cells: at most N steps upwards in a row, 1 to 15\n";

search_options search_defaults(void) {
    return (search_options){.refine = "default",
                            .quality = "standard",
                            .graph = "default",
                            .neighbours = 26,
                            .g_weight = 1,
                            .h_weight = 1,
                            .ara_first = 3,
                            .ara_step = 0.2};
}

void search_add_options(args_table* table, search_options* o) {
    args_add(table, "--quality", ARGS_TEXT, ARGS_ANY, &o->quality, NULL);
    args_add(table, "--heuristic", ARGS_TEXT, ARGS_ANY, &o->heuristic, NULL);
    args_add(table, "--refine", ARGS_TEXT, ARGS_ANY, &o->refine, NULL);
    args_add(table, "--neighbours", ARGS_COUNT, ARGS_ANY, &o->neighbours, NULL);
    args_add(table, "--weight", ARGS_REAL, ARGS_POSITIVE, &o->weight, NULL);
    args_add(table, "--max-nodes", ARGS_COUNT, ARGS_POSITIVE, &o->max_nodes, NULL);
    args_add(table, "--graph", ARGS_TEXT, ARGS_ANY, &o->graph, NULL);
    args_add(table, "--weight-g", ARGS_REAL, ARGS_NOT_NEGATIVE, &o->g_weight, NULL);
    args_add(table, "--weight-h", ARGS_REAL, ARGS_NOT_NEGATIVE, &o->h_weight, NULL);
    args_add(table, "--every-sight", ARGS_FLAG, ARGS_ANY, &o->every_sight, NULL);
    args_add(table, "--ara-first", ARGS_REAL, ARGS_POSITIVE, &o->ara_first, NULL);
    args_add(table, "--ara-step", ARGS_REAL, ARGS_POSITIVE, &o->ara_step, NULL);
    args_add(table, "--min-depth", ARGS_COUNT, ARGS_ANY, &o->min_depth, NULL);
    args_add(table, "--max-depth", ARGS_COUNT, ARGS_ANY, &o->max_depth, &o->has_max_depth);
    args_add(table, "--split-root", ARGS_FLAG, ARGS_ANY, &o->split_root, NULL);
}

void search_add_fuel(args_table* table, search_options* o) {
    args_add(table, "--fuel", ARGS_TEXT, ARGS_ANY, &o->fuel, NULL);
    args_add(table, "--climbs", ARGS_COUNT, ARGS_POSITIVE, &o->climbs, NULL);
    args_add(table, "--ignore-weather", ARGS_FLAG, ARGS_ANY, &o->ignores_weather, NULL);
}

bool search_find_algo(const char* name, search_algo* out) {
    *out = (search_algo){.name = NULL, .core = VN_ALGO_ASTAR, .classic = VN_CLASSIC_ASTAR};
    out->has_core = vn_algo_from_name(name, &out->core);
    out->has_classic = vn_classic_algo_from_name(name, &out->classic);
    out->is_planner =
        !out->has_core && !out->has_classic && vn_replan_algo_from_name(name, &out->planner, &out->backward);
    out->name = out->has_core      ? vn_algo_name(out->core)
                : out->has_classic ? vn_classic_algo_name(out->classic)
                : out->is_planner  ? name // which may say -backward
                                   : NULL;

    return out->name != NULL;
}

enum { NAMES_MAX = (int)VN_ALGO_COUNT + (int)VN_CLASSIC_ALGO_COUNT + (int)VN_REPLAN_ALGO_COUNT };

/// All names, those of several libraries once; null after the last.
static void list_algos(const char* out[NAMES_MAX + 1]) {
    vn_algo core;
    int count = 0;
    for (int i = 0; i < (int)VN_ALGO_COUNT; ++i) {
        out[count++] = vn_algo_name((vn_algo)i);
    }

    for (int i = 0; i < (int)VN_CLASSIC_ALGO_COUNT; ++i) {
        const char* name = vn_classic_algo_name((vn_classic_algo)i);
        if (!vn_algo_from_name(name, &core)) {
            out[count++] = name;
        }
    }

    for (int i = 0; i < (int)VN_REPLAN_ALGO_COUNT; ++i) {
        out[count++] = vn_replan_algo_name((vn_replan_algo)i);
    }

    out[count] = NULL;
}

static void join_names(const char* const* names, char* out, size_t size) {
    size_t used = 0;
    for (int i = 0; names[i] != NULL && used < size; ++i) {
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
}

/// The name that was probably meant, in any case of letters; null if none resembles it.
static const char* nearest_algo(const char* name, const char* const* names) {
    char plain[64];
    snprintf(plain, sizeof plain, "%s", name);
    for (char* c = plain; *c != '\0'; ++c) {
        *c = (char)tolower((unsigned char)*c);
    }

    return strcmp(plain, "a*") == 0 ? vn_algo_name(VN_ALGO_ASTAR) : args_nearest(plain, names);
}

int search_read_algo(const char* name, const load_options* load, search_algo* out) {
    const bool has_cells = strcmp(load->space, "cells") == 0;
    if (search_find_algo(name != NULL ? name : has_cells ? "cells" : "astar", out)) {
        return search_is_cells(out) && !has_cells
                   ? say_bad("--algo cells searches cells, and --space %s has none: leave out one of the two",
                             load->space)
                   : EXIT_DONE;
    }

    const char* all[NAMES_MAX + 1];
    char names[512] = "";
    list_algos(all);
    join_names(all, names, sizeof names);
    const char* nearest = nearest_algo(name, all);
    return nearest != NULL ? say_bad("--algo %s: did you mean %s? There are: %s", name, nearest, names)
                           : say_bad("--algo %s is not in this version; there are: %s", name, names);
}

const char* search_space_of(const search_algo* algo) {
    return search_is_cells(algo) ? "cells" : "grid";
}

static int heuristic_of(const char* name, vn_heuristic* out) {
    if (name == NULL) {
        *out = VN_HEURISTIC_DEFAULT;
        return EXIT_DONE;
    }

    if (vn_heuristic_from_name(name, out)) {
        return EXIT_DONE;
    }

    return say_bad("--heuristic %s: there are octile, euclidean, manhattan, r16", name);
}

static int fuel_of(const search_options* options, vn_fuel_model* out) {
    vn_fuel_kind kind = VN_FUEL_NONE;
    if (options->fuel != NULL && (!vn_fuel_kind_from_name(options->fuel, &kind) || kind == VN_FUEL_NONE)) {
        return say_bad("--fuel %s: there are r16, gravity", options->fuel);
    }

    if (options->climbs > VN_MAX_CLIMBS) {
        return say_bad("--climbs %llu: expected 1 to %d", (unsigned long long)options->climbs, VN_MAX_CLIMBS);
    }

    if (options->ignores_weather && options->fuel == NULL) {
        return say_bad("--ignore-weather belongs to --fuel; without it, zones cost what the scene says");
    }

    *out = vn_default_fuel_model(kind);
    out->avoids_weather = !options->ignores_weather;
    out->max_climbs = (uint32_t)options->climbs;
    return EXIT_DONE;
}

int search_request(const search_options* options, const load_options* load, const search_algo* algo,
                   vn_path_request* out) {
    *out = vn_default_path_request();
    if (!vn_quality_from_name(options->quality, &out->quality)) {
        return say_bad("--quality %s: there are fast, standard, best", options->quality);
    }

    if (!vn_refine_from_name(options->refine, &out->refine)) {
        return say_bad("--refine %s is not in this version; there are: none, prune, taut, smooth, funnel, "
                       "funnel+prune",
                       options->refine);
    }

    if (options->neighbours != 6 && options->neighbours != 26) {
        return say_bad("--neighbours %llu: expected 6 or 26", (unsigned long long)options->neighbours);
    }

    if (options->weight != 0 && options->weight < 1) {
        return say_bad("--weight %g: expected 1 or more", options->weight);
    }

    vn_classic_graph graph;
    if (!vn_classic_graph_from_name(options->graph, &graph)) {
        return say_bad("--graph %s: there are centres, transitions", options->graph);
    }

    if (options->g_weight > 1 || options->h_weight > 1 || options->g_weight + options->h_weight == 0) {
        return say_bad("--weight-g %g, --weight-h %g: expected 0 to 1, and not both 0", options->g_weight,
                       options->h_weight);
    }

    if (options->ara_first < 1) {
        return say_bad("--ara-first %g: expected 1 or more", options->ara_first);
    }

    out->algo = algo->has_core ? algo->core : VN_ALGO_ASTAR;
    out->radius = (float)load_radius(load);
    out->open_flags = load_open_flags(load);
    out->neighbours = (uint32_t)options->neighbours;
    out->weight = options->weight;
    out->budget = options->budget;
    out->allow_partial = options->partial;
    out->snap_distance = options->snap;
    if (fuel_of(options, &out->fuel) != EXIT_DONE) {
        return EXIT_BAD;
    }

    return heuristic_of(options->heuristic, &out->heuristic);
}

int search_create(const loaded* in, const search_options* options, const vn_algo* algos, int count,
                  vn_query** out) {
    vn_detail detail = {0};
    vn_query_def def = vn_default_query_def();
    if (options->max_nodes > UINT32_MAX - 1) {
        return say_bad("--max-nodes %llu is too large", (unsigned long long)options->max_nodes);
    }

    int scratch = 0;
    for (int i = 0; i < count; ++i) {
        scratch |= algos[i] == VN_ALGO_CELLS ? VN_SCRATCH_CELLS : VN_SCRATCH_GRID;
    }

    if ((scratch & VN_SCRATCH_CELLS) != 0 && in->info.cells == 0 && in->info.free_voxels > 0) {
        return say_bad("this space was baked without cells: add --space grid, octree or merged, or bake it "
                       "again without --space");
    }

    def.scratch = (vn_query_scratch)scratch;
    def.max_nodes = (uint32_t)options->max_nodes;
    def.max_climbs = (uint32_t)options->climbs;
    const vn_status status = vn_query_create_layers(in->layers, &def, out, &detail);
    return status == VN_OK ? EXIT_DONE : say_status(NULL, status, &detail);
}

/// The end as a lattice point; when it lies outside, the nearest free point if that is within the snap
/// distance. Fills the outcome and returns false when neither is possible.
static bool place_end(const vn_space* space, const double* position, vn_path_end end, double snap,
                      vn_point* point, search_outcome* out) {
    const vn_dvec3 at = {position[0], position[1], position[2]};
    search_leg* leg = &out->legs[end == VN_END_GOAL];
    leg->asked = at;
    if (vn_space_point_from_world(space, at, point) == VN_OK) {
        return true;
    }

    vn_point nearest;
    double distance = 0;
    out->has_nearest = vn_space_nearest_free(space, at, INFINITY, &nearest, &distance) == VN_OK;
    if (out->has_nearest && distance <= snap) {
        *point = nearest;
        out->has_nearest = false;
        leg->snapped = true;
        leg->used = vn_space_point_to_world(space, nearest);
        leg->distance = distance;
        leg->state = VN_LEG_UNCHECKED;
        return true;
    }

    out->path.end = end;
    out->path.status = VN_OUTSIDE;
    out->path.reason = VN_OUTSIDE;
    if (out->has_nearest) {
        out->nearest = vn_space_point_to_world(space, nearest);
        out->nearest_distance = distance;
    }

    return false;
}

/// One piece of the path between links, through both checkers.
static bool check_leg(const loaded* in, const vn_point* points, uint32_t count, double radius,
                      search_outcome* out) {
    vn_check_result fault;
    bool is_free = vn_space_check_path(in->space, points, count, &fault);
    if (is_free && in->world != NULL) {
        is_free = vn_world_check_path(in->world, in->space, points, count, radius, &fault);
        out->clearance = fmin(isnan(out->clearance) ? INFINITY : out->clearance, fault.clearance);
    }

    fault.segment += (uint32_t)(points - out->points);
    if (!is_free) {
        out->fault = fault;
    }

    return is_free;
}

static void check(const loaded* in, double radius, const vn_connection_use* connections,
                  uint32_t connection_count, search_outcome* out) {
    uint32_t first = 0;
    out->checked = true;
    for (uint32_t i = 0; i <= connection_count && out->checked; ++i) {
        const uint32_t end = i < connection_count ? connections[i].point + 1 : out->count;
        out->checked = check_leg(in, out->points + first, end - first, radius, out);
        first = end;
    }
}

bool search_place(const loaded* in, const double* from, const double* to, double snap, vn_point* start,
                  vn_point* goal, search_outcome* out) {
    assert(in->space != NULL && snap >= 0);
    memset(out, 0, sizeof *out);
    out->clearance = NAN;
    return place_end(in->space, from, VN_END_START, snap, start, out) &&
           (to == NULL || place_end(in->space, to, VN_END_GOAL, snap, goal, out));
}

void search_judge(const loaded* in, vn_status status, double radius, const vn_connection_use* connections,
                  uint32_t connection_count, search_outcome* out) {
    out->path.status = status;
    out->beyond_limits = status == VN_OUTSIDE;
    out->has_nearest = out->path.has_nearest;
    if (out->has_nearest) {
        out->nearest = vn_space_point_to_world(in->space, out->path.nearest);
        out->nearest_distance = out->path.nearest_distance;
    }

    if (out->count > 0) {
        check(in, radius, connections, connection_count, out);
    }
}

/// Searches. A path with more points than the query has room for is asked for again, with enough room; the
/// time is that of the search that answers. How many nodes a grid search may touch is --max-nodes.
static vn_status find_path(vn_query* query, const vn_path_request* request, search_outcome* out) {
    double begin = system_thread_seconds();
    vn_status status = vn_query_find_path(query, request, &out->path, &out->detail);
    if (out->path.needed_points > 0 &&
        vn_query_grow(query, out->path.needed_points, 0, &out->detail) == VN_OK) {
        begin = system_thread_seconds();
        status = vn_query_find_path(query, request, &out->path, &out->detail);
    }

    out->seconds = system_thread_seconds() - begin;
    return status;
}

void search_run(const loaded* in, vn_query* query, vn_path_request* request, const double* from,
                const double* to, search_outcome* out) {
    uint32_t links = 0;
    if (!search_place(in, from, to, request->snap_distance, &request->start, &request->goal, out)) {
        return;
    }

    const vn_status status = find_path(query, request, out);
    if (status == VN_OK || status == VN_PARTIAL) {
        out->points = vn_query_points(query, &out->count);
    }

    const vn_connection_use* uses = vn_query_connections(query, &links);
    search_judge(in, status, (double)request->radius, uses, links, out);
    out->goal_is_region = request->goal_kind != VN_GOAL_POINT;
    legs_judge(in, request->start, out->goal_is_region ? NULL : &request->goal, out);
}

/// Voxels that the search for the widest passage may look at: some seconds.
#define PASSAGE_BUDGET 20000000u

void search_passage(const loaded* in, const vn_path_request* request, search_outcome* out) {
    vn_query_def def = vn_default_query_def();
    vn_query* query = NULL;
    def.scratch = VN_SCRATCH_GRID;
    def.max_nodes = PASSAGE_BUDGET;
    if (vn_query_create_layers(in->layers, &def, &query, NULL) == VN_OK) {
        out->has_passage = vn_query_find_passage(query, out->path.start, out->path.goal, request->open_flags,
                                                 (double)out->path.layer_radius, PASSAGE_BUDGET,
                                                 &out->passage, NULL) == VN_OK;
    }

    vn_query_destroy(query);
}

int search_exit_code(const search_outcome* outcome) {
    switch (outcome->path.status) {
    case VN_OK: return outcome->checked ? EXIT_DONE : EXIT_NO_PATH;
    case VN_PARTIAL:
    case VN_START_BLOCKED:
    case VN_GOAL_BLOCKED:
    case VN_NO_PATH:
    case VN_TOO_NARROW:
    case VN_UNKNOWN_SPACE:
    case VN_BUDGET_SPENT:
    case VN_CANCELLED:
    case VN_CAPACITY:
    case VN_OUTSIDE: return EXIT_NO_PATH;
    default: return EXIT_BAD;
    }
}

// ---------------------------------------------------------------------------------------------- in words

static void explain_outside(FILE* file, const loaded* in, const char* name) {
    const double r = (double)in->info.resolution;
    vn_dvec3 low, high;
    load_find_bounds(&in->info, &low, &high);
    fprintf(file, "The %s lies outside the space, which spans %s to %s.\n", name, text_point(low, r).s,
            text_point(high, r).s);
}

static void explain_end(FILE* file, const loaded* in, const search_options* options,
                        const search_outcome* outcome) {
    const char* name = outcome->path.end == VN_END_START ? "start" : "goal";
    if (outcome->beyond_limits) {
        fprintf(file, "The %s lies outside the limits (--limits, --altitude). Widen them, or move it.\n",
                name);
        return;
    }

    if (outcome->path.status == VN_OUTSIDE) {
        explain_outside(file, in, name);
    } else if (outcome->path.status == VN_UNKNOWN_SPACE) {
        fprintf(file, "The %s lies in unknown space. --unknown free lets paths enter it.\n", name);
    } else if (outcome->too_coarse) {
        fprintf(file, "The %s is free, but no leaf holds it: with --max-depth %llu leaves are too large.\n",
                name, (unsigned long long)options->max_depth);
    } else {
        fprintf(file, "The %s is inside an obstacle%s.\n", name,
                in->info.radius > 0 ? ", or closer to one than the radius" : "");
        if (outcome->path.passing_radius >= 0) {
            fprintf(file, "An agent of radius %g would fit there.\n", (double)outcome->path.passing_radius);
        }
    }

    if (outcome->path.status == VN_OUTSIDE) {
        return; // more space comes first: advice.h
    }

    if (!outcome->has_nearest) {
        fprintf(file, "There is no free point near it.%s\n",
                in->info.radius > 0 ? " Try a smaller --radius." : "");
        return;
    }

    search_explain_nearest(file, in, outcome);
}

void search_explain_nearest(FILE* file, const loaded* in, const search_outcome* outcome) {
    const double r = (double)in->info.resolution;
    assert(outcome->has_nearest);
    fprintf(file, "The nearest free point is %s at %s m. Add --snap %s to go there.\n",
            text_point(outcome->nearest, r).s, text_metres(outcome->nearest_distance, r).s,
            text_metres(ceil(outcome->nearest_distance * 1000 + 1) / 1000, 1).s);
}

/// Of a file: the layer that answers is for a larger agent than the one asked for, which may fit. A passage
/// is measured to blocked voxels; the shapes, which a bake measures, are at most a diagonal farther off.
static bool lacks_layer(const loaded* in, const search_outcome* outcome) {
    const double diagonal = sqrt(3.0) * (double)in->info.resolution;
    return (float)in->radius < in->info.radius && outcome->has_passage &&
           outcome->passage.radius + diagonal >= in->radius;
}

static void explain_narrow(FILE* file, const loaded* in, const search_outcome* outcome) {
    const bool may_fit = lacks_layer(in, outcome);
    if (may_fit) {
        fprintf(file,
                "A path joins the ends, but it is too narrow for the layer of radius %g, which answers for "
                "radius %g.\n",
                (double)in->info.radius, in->radius);
    } else {
        fprintf(file, "A path joins the ends, but it is too narrow for an agent of radius %g.\n", in->radius);
    }

    if (!outcome->has_passage) {
        fprintf(file, "An agent of radius %g would pass.\n", (double)outcome->path.passing_radius);
        return;
    }

    const vn_dvec3 at = vn_space_point_to_world(in->space, outcome->passage.bottleneck);
    const text_piece radius = text_at_least(outcome->passage.radius, (double)in->info.resolution);
    fprintf(file, "The widest path lets a radius of %s%s pass; it is narrowest at %s.\n",
            outcome->passage.radius < in->radius && may_fit ? "at least " : "", radius.s,
            text_point(at, (double)in->info.resolution).s);
    if (may_fit) {
        fprintf(file, "Bake a layer for the agent: add %g to --radius of volnav bake.\n", in->radius);
    } else {
        fprintf(file, "Make the agent smaller (--radius %s), or widen the passage.\n", radius.s);
    }
}

static void explain_reason(FILE* file, const loaded* in, const search_options* options,
                           const search_outcome* outcome, vn_status reason) {
    switch (reason) {
    case VN_NO_PATH:
        fprintf(file,
                "%s at resolution %g and radius %g.\n"
                "A finer --resolution%s%s%s may open one; so may other --limits or an --open door.\n",
                outcome->goal_is_region ? "The start is free, but no free point of the goal region is reached"
                                        : "Both ends are free, but no free path joins them",
                (double)in->info.resolution, (double)in->info.radius, in->is_file ? " when it is baked" : "",
                in->info.radius > 0 ? " or a smaller --radius" : "",
                outcome->by_classic && options->has_max_depth ? " or a greater --max-depth" : "");
        break;
    case VN_TOO_NARROW: explain_narrow(file, in, outcome); break;
    case VN_BUDGET_SPENT:
        fprintf(file, "The budget of %s was spent first. Raise --budget%s.\n",
                text_count(options->budget, "expansion").s,
                options->partial || outcome->by_classic
                    ? ""
                    : ", or add --partial\nto get the path to the nearest point reached");
        break;
    case VN_CAPACITY:
        fprintf(file,
                "The search needed more nodes than it may touch, or the path more points.\n"
                "Raise --max-nodes%s%s, or use a coarser --resolution.\n",
                outcome->path.needed_nodes > 0 ? " to " : "",
                outcome->path.needed_nodes > 0 ? text_count(outcome->path.needed_nodes, "node").s : "");
        break;
    default: fprintf(file, "%s\n", vn_status_text(reason)); break;
    }
}

static const char* reason_of_end(const search_outcome* outcome) {
    return outcome->beyond_limits                     ? "lies outside the limits"
           : outcome->path.status == VN_OUTSIDE       ? "lies outside the space"
           : outcome->path.status == VN_UNKNOWN_SPACE ? "lies in unknown space"
           : outcome->too_coarse                      ? "lies in no leaf"
                                                      : "is inside an obstacle";
}

static const char* reason_of_search(vn_status status) {
    switch (status) {
    case VN_NO_PATH: return "no free path joins the ends";
    case VN_BUDGET_SPENT: return "the budget was spent first";
    case VN_CAPACITY: return "the search needs more memory";
    default: return vn_status_word(status);
    }
}

const char* search_reason(const loaded* in, const search_outcome* outcome, char* text, size_t size) {
    const vn_path_result* path = &outcome->path;
    if (path->end != VN_END_NONE) {
        snprintf(text, size, "the %s %s", path->end == VN_END_START ? "start" : "goal",
                 reason_of_end(outcome));
    } else if (path->status == VN_TOO_NARROW && lacks_layer(in, outcome)) {
        snprintf(text, size, "too narrow for the layer of %g m; there is none for %g m",
                 (double)in->info.radius, in->radius);
    } else if (path->status == VN_TOO_NARROW) {
        const double passing = outcome->has_passage ? outcome->passage.radius : (double)path->passing_radius;
        const text_piece radius = text_at_least(passing, (double)in->info.resolution);
        const bool point = strcmp(radius.s, "0") == 0;
        snprintf(text, size, "too narrow for radius %g m; %s%s would pass", in->radius,
                 point ? "only a point" : radius.s, point ? "" : " m");
    } else {
        snprintf(text, size, "%s", reason_of_search(path->status));
    }

    return text;
}

void search_explain(FILE* file, const loaded* in, const search_options* options,
                    const search_outcome* outcome) {
    const vn_status status = outcome->path.status;
    if (outcome->count > 0 && !outcome->checked) {
        const vn_check_result* fault = &outcome->fault;
        fprintf(file, "The checker rejects the path: %s between points %u and %u, at %s.\n",
                vn_check_fault_word(fault->fault), (unsigned)fault->segment, (unsigned)fault->segment + 1,
                text_point(fault->position, (double)in->info.resolution).s);
    }

    if (status == VN_OK) {
        return;
    }

    if (outcome->path.end != VN_END_NONE) {
        explain_end(file, in, options, outcome);
    } else if (outcome->detail.text[0] != '\0' && status != VN_CAPACITY) {
        fprintf(file, "%s\n", outcome->detail.text);
    } else {
        explain_reason(file, in, options, outcome, status == VN_PARTIAL ? outcome->path.reason : status);
    }
}
