/// volnav/commands/query_report.c: the outcome of a query as JSON and as text.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "commands/query_inside.h"
#include "search/legs.h"
#include "shell/system.h"
#include "shell/text.h"

const char* query_unit(const query_options* options) {
    if (options->is_plan) {
        const bool corners = options->algo.planner == VN_REPLAN_FIELD;
        return corners || strcmp(plans_space_name(options->load.space), "grid") != 0 ? "node" : "voxel";
    }

    const bool voxels =
        !options->is_road && (!options->is_classic || (options->kind == VN_CLASSIC_GRID &&
                                                       strcmp(options->search.graph, "transitions") != 0));
    return search_is_cells(&options->algo) ? "cell" : voxels ? "voxel" : "node";
}

// -------------------------------------------------------------------------------------------------- JSON

static void write_point(json_writer* json, const char* key, vn_dvec3 p) {
    json_triple(json, key, p.x, p.y, p.z);
}

static void write_points(json_writer* json, const vn_space* space, const search_outcome* outcome) {
    json_begin_array(json, "points", false);
    for (uint32_t i = 0; i < outcome->count; ++i) {
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

/// Where the path takes which connection; `id` is the line of the scene.
static void write_connections(json_writer* json, const loaded* in, const vn_query* query) {
    uint32_t count;
    const vn_connection_use* uses = vn_query_connections(query, &count);
    json_begin_array(json, "links", false);
    for (uint32_t i = 0; i < count; ++i) {
        json_begin_object(json, NULL);
        json_count(json, "point", uses[i].point);
        json_count(json, "id", in->scene.connections[uses[i].connection].id);
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
    if (query_has_path(outcome)) {
        write_point(json, "start", vn_space_point_to_world(in->space, outcome->path.start));
        write_point(json, "goal", vn_space_point_to_world(in->space, outcome->path.goal));
    } else {
        json_triple(json, "start", options->from[0], options->from[1], options->from[2]);
        json_triple(json, "goal", options->to[0], options->to[1], options->to[2]);
    }
}

/// The keys that only some outcomes have.
static void write_rest(json_writer* json, const query_options* options, const loaded* in,
                       const vn_query* query, const search_outcome* outcome) {
    const vn_path_result* path = &outcome->path;
    if (options->is_classic) {
        json_count(json, "sight_checks", outcome->sight_checks);
        json_count(json, "closed", outcome->closed);
        json_count(json, "passes", outcome->passes);
        json_real(json, "search_cost", query_has_path(outcome) ? outcome->search_cost : NAN);
    }

    if (options->is_road || options->is_plan) {
        json_count(json, "sight_checks", outcome->sight_checks);
    }

    if (options->search.fuel != NULL) {
        json_real(json, "fuel", query_has_path(outcome) ? path->fuel : NAN);
    }

    write_ends(json, options, in, outcome);
    if (outcome->has_nearest) {
        write_nearest(json, outcome);
    }

    legs_write(json, outcome->legs);
    if (path->reason == VN_TOO_NARROW) {
        write_passage(json, in->space, outcome);
    }

    if (path->connections_used > 0) {
        write_connections(json, in, query);
    }

    if (query_has_path(outcome) && path->reason != VN_OK) {
        json_text(json, "reason", vn_path_status_word(path->reason));
    }

    if (query_has_path(outcome) && !outcome->checked) {
        write_fault(json, &outcome->fault);
    }
}

static void write_json(const query_options* options, const query_session* s) {
    const loaded* in = &s->in;
    const search_outcome* outcome = &s->outcome;
    const vn_path_result* path = &outcome->path;
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "status", vn_path_status_word(path->status));
    json_real(&json, "length", query_has_path(outcome) ? path->length : NAN);
    json_real(&json, "cost", query_has_path(outcome) ? path->cost : NAN);
    json_count(&json, "expanded", path->expanded);
    json_real(&json, "microseconds", outcome->seconds * 1e6);
    json_real(&json, "clearance", outcome->clearance);
    json_bool(&json, "checked", outcome->checked);
    json_text(&json, "algo", options->algo.name);
    json_text(&json, "space",
              options->is_plan      ? plans_space_name(options->load.space)
              : options->is_road    ? vn_roadmap_kind_name(options->road)
              : options->is_classic ? vn_classic_kind_name(options->kind)
                                    : search_space_of(&options->algo));
    json_text(&json, "refine", options->search.refine);
    json_text(&json, "quality", search_is_cells(&options->algo) ? options->search.quality : NULL);
    json_real(&json, "weight", path->weight);
    json_real(&json, "bound", path->bound > 0 ? path->bound : NAN);
    json_count(&json, "turns", path->turns);

    json_real(&json, "radius", (double)in->info.radius);
    write_rest(&json, options, in, s->query, outcome);
    query_curve_write(&json, &s->curves);
    write_points(&json, in->space, outcome);
    load_write_warnings(&json, in);
    json_end(&json);
}

// -------------------------------------------------------------------------------------------------- text

/// How good ARA*'s path is, and whether the budget stopped it.
static void print_passes(const search_outcome* outcome) {
    const vn_path_result* path = &outcome->path;
    printf("passes: %u%s", (unsigned)outcome->passes,
           path->reason == VN_BUDGET_SPENT ? ", then the budget was spent" : "");
    if (path->bound > 0) {
        printf("; at most %.4g times the least cost on this graph", path->bound);
    }

    putchar('\n');
}

static void print_points(const loaded* in, const vn_query* query, const search_outcome* outcome) {
    uint32_t connections = 0, used = 0;
    const vn_connection_use* uses = query != NULL ? vn_query_connections(query, &connections) : NULL;
    for (uint32_t i = 0; i < outcome->count; ++i) {
        const vn_dvec3 p = vn_space_point_to_world(in->space, outcome->points[i]);
        const bool jumps = used < connections && uses[used].point == i;
        printf("  %s%s\n", text_point(p, (double)in->info.resolution).s, jumps ? "  then by a link" : "");
        used += jumps ? 1 : 0;
    }
}

/// "no path", with the word of the status where there is more to say.
static void print_failure(vn_status status) {
    printf("no path%s%s\n", status == VN_NO_PATH ? "" : ": ",
           status == VN_NO_PATH ? "" : vn_status_word(status));
}

static void print_files(const query_options* options) {
    if (options->record != NULL) {
        printf("The record is in %s; volnav replay runs it again\n", options->record);
    }

    if (options->picture != NULL && !system_is_special(options->picture)) {
        printf("The picture is in %s\n", options->picture);
    }
}

static void print_text(const query_options* options, const query_session* s) {
    const loaded* in = &s->in;
    const search_outcome* outcome = &s->outcome;
    const vn_path_result* path = &outcome->path;
    const double resolution = (double)in->info.resolution;
    if (query_has_path(outcome)) {
        printf("%s: %s m long, %s\n", path->status == VN_OK ? "path" : "partial path",
               text_metres(path->length, resolution).s, text_count(outcome->count, "point").s);
        print_points(in, s->query, outcome);
    } else {
        print_failure(path->status);
    }

    legs_print(in, outcome->legs, "");

    if (path->status != VN_OUTSIDE) { // nothing was searched
        printf("search: %s, %s expanded in %.3f ms\n", options->algo.name,
               text_count(path->expanded, query_unit(options)).s, outcome->seconds * 1e3);
    }

    if (query_has_path(outcome) && options->search.fuel != NULL) {
        printf("fuel: %.6g by %s\n", path->fuel, options->search.fuel);
    }

    if (query_has_path(outcome) && outcome->passes > 0) {
        print_passes(outcome);
    }

    if (query_has_path(outcome) && outcome->checked) {
        printf("checked: free%s", isfinite(outcome->clearance) ? "" : "\n");
        if (isfinite(outcome->clearance)) {
            printf(", never closer than %s m to an obstacle\n",
                   text_at_least(outcome->clearance, resolution).s);
        }
    }

    query_curve_print(options, &s->curves);
    print_files(options);
    fflush(stdout); // before what search_explain says on standard error
}

void query_report(const query_options* options, const query_session* s) {
    (options->load.json ? write_json : print_text)(options, s);
}

int query_report_many(const query_options* options, const query_session* s) {
    const many_words words = {options->algo.name, vn_classic_kind_name(options->kind), options->search.refine,
                              query_unit(options)};
    return options->load.json ? many_write_json(&s->in, &options->many, &s->many, &words)
                              : many_write_text(&s->in, &options->many, &s->many, &words);
}
