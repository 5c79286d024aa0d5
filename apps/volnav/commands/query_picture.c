/// volnav/commands/query_picture.c: the pictures of a query: the whole space, or a slice of it.
#include <stdlib.h>
#include <string.h>

#include "commands/query_inside.h"
#include "draw/picture.h"
#include "draw/stages.h"

/// The path of the same request without a preferred clearance; the caller frees the points.
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

static void find_ends(const query_options* options, vn_dvec3 out[2]) {
    out[0] = (vn_dvec3){options->from[0], options->from[1], options->from[2]};
    out[1] = (vn_dvec3){options->to[0], options->to[1], options->to[2]};
    if (options->terms.has_goal_box) {
        const double* box = options->terms.goal_box;
        out[1] = (vn_dvec3){(box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2};
    }
}

/// How far the ends of a path were moved.
static void find_snapped(const search_outcome* outcome, double out[2]) {
    for (int i = 0; i < 2; ++i) {
        out[i] = query_has_path(outcome) && outcome->legs[i].snapped ? outcome->legs[i].distance : 0;
    }
}

/// The place that says most about a path that was not found.
static void find_spot(const query_session* s, picture_plan* plan) {
    const search_outcome* outcome = &s->outcome;
    if (outcome->has_passage) {
        plan->has_spot = true;
        plan->spot = vn_space_point_to_world(s->in.space, outcome->passage.bottleneck);
        plan->spot_label = "the narrowest place of the widest path";
    } else if (outcome->has_nearest) {
        plan->has_spot = true;
        plan->spot = outcome->nearest;
        plan->spot_label = "the nearest free point";
    }
}

/// The path, what it is compared with, and curves along it.
#define ROUTES_MAX (2 + VN_CURVE_KIND_COUNT)

static uint32_t add_curves(const query_curves* curves, picture_route* routes, uint32_t count) {
    for (int i = 0; i < curves->count; ++i) {
        const query_curve* one = &curves->list[i];
        vn_curve_info info;
        if (one->curve != NULL) {
            vn_curve_get_info(one->curve, &info);
            routes[count++] = (picture_route){.label = vn_curve_kind_name(one->kind),
                                              .points = one->points,
                                              .count = one->count,
                                              .length = info.length};
        }
    }

    return count;
}

static int draw(const query_options* options, const char* path, const query_session* s) {
    const search_outcome* outcome = &s->outcome;
    const bool both = options->terms.clearance > 0 && query_has_path(outcome);
    const bool is_named = both || s->curves.count > 0;
    picture_route routes[ROUTES_MAX] = {{.label = both       ? "with clearance"
                                                  : is_named ? "path"
                                                             : "",
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
    plan.route_count = !query_has_path(outcome) ? 0 : routes[1].count > 0 ? 2 : 1;
    const vn_point* plain = routes[1].points;
    if (query_has_path(outcome)) {
        plan.route_count = add_curves(&s->curves, routes, plan.route_count);
    }

    char reason[128];
    plan.has_marks = !query_has_path(outcome);
    find_ends(options, plan.marks);
    find_snapped(outcome, plan.snapped);
    if (plan.has_marks) {
        plan.reason = search_reason(&s->in, outcome, reason, sizeof reason);
        find_spot(s, &plan);
    }

    code = picture_write(options->picture, &plan);
    free((void*)plain);

    return code;
}

static int draw_slice(const query_options* options, const char* path, const query_session* s) {
    const search_outcome* outcome = &s->outcome;
    stages passes;
    slice_plan plan = {.space = s->in.space,
                       .title = load_file_name(path),
                       .axis = options->place.axis,
                       .query = s->query,
                       .expanded = outcome->path.expanded,
                       .unit = query_unit(options)};

    int code = slice_find(s->in.space, &options->place, options->from[options->place.axis], &plan.slab);
    if (code == EXIT_DONE) {
        code = stages_run(&s->in, &options->search, &s->request, outcome, &passes);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    plan.routes = passes.routes;
    plan.route_count = passes.count;
    char reason[128];
    plan.has_marks = !query_has_path(outcome);
    find_ends(options, plan.marks);
    find_snapped(outcome, plan.snapped);
    plan.reason = search_reason(&s->in, outcome, reason, sizeof reason);
    code = slice_write(options->picture, &plan);
    stages_free(&passes);

    return code;
}

int query_draw(const query_options* options, const char* path, const query_session* s) {
    if (options->picture == NULL) {
        return EXIT_DONE;
    }
    return options->slice != NULL ? draw_slice(options, path, s) : draw(options, path, s);
}
