/// volnav/search/graphs.c: ends in a graph, and outcomes of searches on it.
#include "search/graphs.h"

#include <math.h>

#include "search/legs.h"

const char* graphs_unknown_part(const vn_path_request* r) {
    return r->goal_kind != VN_GOAL_POINT  ? "goals other than a point"
           : r->has_limits                ? "limits"
           : r->preferred_clearance > 0   ? "a preferred clearance"
           : r->jitter > 0                ? "jitter"
           : r->allow_partial             ? "partial paths"
           : r->fuel.kind != VN_FUEL_NONE ? "fuel"
                                          : NULL;
}

/// Puts an end into the graph, snapped if it is blocked and may be. False, with the outcome filled, if it has
/// no place.
static bool place_end(const loaded* in, const vn_graph_source* source, uint32_t end, const double* position,
                      double snap, vn_point* point, search_outcome* out) {
    const vn_dvec3 at = {position[0], position[1], position[2]};
    if (source->set_end(source->self, end, *point) == VN_OK) {
        return true;
    }

    vn_point nearest = *point;
    double distance = 0;
    const bool found = vn_space_nearest_free(in->space, at, INFINITY, &nearest, &distance) == VN_OK;
    if (found && distance <= snap && source->set_end(source->self, end, nearest) == VN_OK) {
        *point = nearest;
        return true;
    }

    out->path.status = end == VN_START_NODE ? VN_START_BLOCKED : VN_GOAL_BLOCKED;
    out->path.reason = out->path.status;
    out->path.end = end == VN_START_NODE ? VN_END_START : VN_END_GOAL;
    out->path.has_nearest = found;
    out->path.nearest = nearest;
    out->path.nearest_distance = distance;
    return false;
}

bool graphs_place(const loaded* in, const vn_graph_source* source, const double* from, const double* to,
                  double snap, vn_point asked[2], vn_point ends[2], search_outcome* out) {
    if (!search_place(in, from, to, snap, &ends[0], &ends[1], out)) {
        return false;
    }

    asked[0] = ends[0];
    asked[1] = ends[1];
    if (place_end(in, source, VN_START_NODE, from, snap, &ends[0], out) &&
        place_end(in, source, VN_GOAL_NODE, to, snap, &ends[1], out)) {
        return true;
    }

    graphs_judge(in, out->path.status, asked, ends, out);
    return false;
}

static vn_dvec3 way_between(const vn_space* space, vn_point a, vn_point b) {
    const vn_dvec3 p = vn_space_point_to_world(space, a), q = vn_space_point_to_world(space, b);
    return (vn_dvec3){q.x - p.x, q.y - p.y, q.z - p.z};
}

/// Does the path go on in another direction at an inner point?
static bool turns_at(const vn_point* p) {
    const double a[3] = {p[0].x - p[-1].x, p[0].y - p[-1].y, p[0].z - p[-1].z};
    const double b[3] = {p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z};
    return a[0] * b[1] != a[1] * b[0] || a[1] * b[2] != a[2] * b[1] || a[0] * b[2] != a[2] * b[0];
}

void graphs_measure(const vn_space* space, search_outcome* out) {
    out->path.length = 0;
    out->path.turns = 0;
    for (uint32_t i = 1; i < out->count; ++i) {
        const vn_dvec3 way = way_between(space, out->points[i - 1], out->points[i]);
        out->path.length += sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
        out->path.turns += i + 1 < out->count && turns_at(out->points + i) ? 1 : 0;
    }
}

void graphs_judge(const loaded* in, vn_status status, const vn_point asked[2], const vn_point ends[2],
                  search_outcome* out) {
    out->path.start = ends[0];
    out->path.goal = ends[1];
    out->path.layer_radius = in->info.radius;
    out->path.passing_radius = -1;
    search_judge(in, status, (double)in->info.radius, NULL, 0, out);
    legs_judge(in, asked[0], &asked[1], out);
}
