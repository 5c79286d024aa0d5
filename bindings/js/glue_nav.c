/// bindings/js/glue_nav.c: a world that changes: obstacles, ticks, requests, watches.
#include "glue_nav.h"
#include "glue_draw.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------- making

static void unpin(navigator* n) {
    js_query_destroy(n->finder);
    n->finder = NULL;
    for (; n->pins > 0; --n->pins)
        (void)vn_nav_unpin(n->nav, n->version);
    memset(n->pinned, 0, sizeof n->pinned);
}

EXPORT(js_nav_destroy) void js_nav_destroy(navigator* n) {
    if (n == NULL || --n->users > 0)
        return;
    unpin(n);
    vn_nav_destroy(n->nav);
    glue_free(&n->positions);
    free(n);
}

/// `movers`: each radius gets a second layer, in which obstacles with the flag 1 are open.
static void set_layers(vn_nav_def* def, const float* radii, uint32_t count, bool movers) {
    def->layer_count = 0;
    for (uint32_t i = 0; i < count && def->layer_count + movers < VN_MAX_LAYERS; ++i) {
        def->layers[def->layer_count++] = (vn_layer_def){.radius = radii[i]};
        if (movers)
            def->layers[def->layer_count++] = (vn_layer_def){.radius = radii[i], .open_flags = 1};
    }
}

/// Options in the order of nav.ts: realtime, latency, policy, interval, requests, points, watches, history,
/// graphs.
static void set_options(vn_nav_def* def, const double* o) {
    uint32_t* const to[] = {&def->latency,     &def->update_interval, &def->max_requests, &def->max_points,
                            &def->max_watches, &def->history,         &def->graphs};
    const int from[] = {1, 3, 4, 5, 6, 7, 8};
    def->mode = o[0] != 0 ? VN_NAV_REALTIME : VN_NAV_LOCKSTEP;
    def->policy = (vn_update_policy)o[2];
    for (int i = 0; i < 7; ++i)
        if (o[from[i]] >= 0)
            *to[i] = (uint32_t)o[from[i]];
}

/// Takes over the world if it succeeds. `bounds`: six numbers, or null. out: the handle.
EXPORT(js_nav_create)
int js_nav_create(vn_world* world, double resolution, const float* radii, uint32_t count, const float* bounds,
                  double margin, int movers, const double* options) {
    vn_nav_def def = vn_default_nav_def();
    navigator* n = calloc(1, sizeof *n);
    def.workers = 0;
    def.space.resolution = (float)resolution;
    def.space.margin = (float)margin;
    def.space.has_bounds = bounds != NULL;
    if (bounds != NULL)
        def.space.bounds = (vn_box){glue_vector(bounds), glue_vector(bounds + 3)};
    set_layers(&def, radii, count, movers != 0);
    set_options(&def, options);

    const vn_status status = n == NULL ? VN_OUT_OF_MEMORY : vn_nav_create(world, &def, &n->nav, glue_begin());
    if (status != VN_OK) {
        free(n);
        n = NULL;
    } else {
        n->users = 1;
        n->layer_count = def.layer_count;
        memcpy(n->layers, def.layers, sizeof n->layers);
    }
    glue_put_pointer(0, n);
    return glue_done(status);
}

EXPORT(js_nav_tick) int js_nav_tick(navigator* n) {
    return glue_done(vn_nav_tick(n->nav, glue_begin()));
}

/// out: tick, version, versions, waiting, running, finished, pending changes, updates, lag.
EXPORT(js_nav_stats) void js_nav_stats(const navigator* n) {
    vn_nav_stats s;
    vn_nav_get_stats(n->nav, &s);
    const double numbers[] = {(double)s.tick,    (double)s.version, s.versions,
                              s.waiting,         s.running,         s.finished,
                              s.pending_changes, (double)s.updates, (double)s.version_lag};
    memcpy(glue_out, numbers, sizeof numbers);
}

// --------------------------------------------------------------------------------------------------- changes

/// `transform`: null for what stands. out: the id.
EXPORT(js_nav_add)
int js_nav_add(navigator* n, int kind, const float* numbers, const float* transform, uint32_t flags) {
    const vn_shape shape = glue_shape(kind, numbers);
    vn_obstacle_id id = {0};
    vn_status status;
    if (transform == NULL) {
        status = vn_nav_add(n->nav, &shape, flags, &id, glue_begin());
    } else {
        const vn_transform t = glue_transform(transform);
        status = vn_nav_add_moving(n->nav, &shape, &t, flags, &id, glue_begin());
    }
    glue_out[0] = id.index1;
    glue_out[1] = id.generation;
    return glue_done(status);
}

/// `velocity` may be null.
EXPORT(js_nav_move)
int js_nav_move(navigator* n, uint32_t index1, uint32_t generation, const float* transform,
                const float* velocity) {
    const vn_transform t = glue_transform(transform);
    const vn_obstacle_id id = {index1, generation};
    vn_status status = vn_nav_move(n->nav, id, &t, glue_begin());
    if (status == VN_OK && velocity != NULL)
        status = vn_nav_set_velocity(n->nav, id, glue_vector(velocity));
    return glue_done(status);
}

EXPORT(js_nav_remove) int js_nav_remove(navigator* n, uint32_t index1, uint32_t generation) {
    glue_begin();
    return glue_done(vn_nav_remove(n->nav, (vn_obstacle_id){index1, generation}));
}

/// A zone: kind and numbers as of an obstacle. out: the id.
EXPORT(js_nav_add_zone)
int js_nav_add_zone(navigator* n, int kind, const float* numbers, double factor) {
    vn_zone_def def = vn_default_zone_def();
    vn_zone_id id = {0};
    def.shape = glue_shape(kind, numbers);
    def.factor = (float)factor;
    const vn_status status = vn_nav_add_zone(n->nav, &def, &id, glue_begin());
    glue_out[0] = id.index1;
    glue_out[1] = id.generation;
    return glue_done(status);
}

EXPORT(js_nav_remove_zone) int js_nav_remove_zone(navigator* n, uint32_t index1, uint32_t generation) {
    glue_begin();
    return glue_done(vn_nav_remove_zone(n->nav, (vn_zone_id){index1, generation}));
}

/// Parts as of vn_nav_draw. out: as glue_give_geometry.
EXPORT(js_nav_geometry) int js_nav_geometry(const navigator* n, uint32_t parts) {
    glue_geometry geometry;
    const vn_draw draw = glue_drawing(&geometry);
    glue_begin();
    (void)vn_nav_draw(n->nav, parts, NULL, (double)n->layers[0].radius, n->layers[0].open_flags, &draw);
    return glue_done(glue_give_geometry(&geometry));
}

// -------------------------------------------------------------------------------------------------- versions

EXPORT(js_nav_layers) uint32_t js_nav_layers(const navigator* n) {
    return n->layer_count;
}

EXPORT(js_nav_space) const vn_space* js_nav_space(navigator* n, uint32_t layer) {
    vn_nav_stats stats;
    vn_nav_get_stats(n->nav, &stats);
    if (stats.version != n->version)
        unpin(n);
    if (layer >= n->layer_count)
        return NULL;

    if (n->pinned[layer] == NULL) {
        const vn_layer_def* l = &n->layers[layer];
        n->pinned[layer] = vn_nav_pin(n->nav, (double)l->radius, l->open_flags, &n->version);
        n->pins += n->pinned[layer] != NULL;
    }
    return n->pinned[layer];
}

/// At once, in the newest version: as js_query_find.
EXPORT(js_nav_find) int js_nav_find(navigator* n, const double* ends, const double* options) {
    const vn_space* space = js_nav_space(n, 0);
    vn_status status = space != NULL ? VN_OK : VN_NOT_FOUND;
    glue_begin();
    if (status == VN_OK && n->finder == NULL)
        status = glue_finder_create(NULL, space, &n->finder, glue_begin());
    return status != VN_OK ? glue_done(status) : js_query_find(n->finder, ends, options);
}

// -------------------------------------------------------------------------------------------------- requests

/// As glue_request. out: the id.
EXPORT(js_nav_submit) int js_nav_submit(navigator* n, const double* ends, const double* options) {
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id = 0;
    request.path = glue_request(ends, options);
    const vn_status status = vn_nav_submit(n->nav, &request, &id, glue_begin());
    glue_out[0] = (double)id;
    return glue_done(status);
}

/// Returns 1 if there is a result. out: as glue_put_path, then from 16 on id, version, tick of its beginning
/// and of its end, status.
EXPORT(js_nav_next_result) int js_nav_next_result(navigator* n) {
    vn_nav_result r;
    uint32_t count = 0;
    glue_begin();
    if (!vn_nav_next_result(n->nav, &r))
        return 0;
    vn_dvec3* positions = glue_room(&n->positions, (r.point_count + 1) * sizeof *positions);
    if (positions != NULL && vn_nav_get_positions(n->nav, &r, positions, r.point_count, &count) != VN_OK)
        count = 0;
    glue_put_path(positions, count, &r.result);
    glue_out[16] = (double)r.id;
    glue_out[17] = (double)r.version;
    glue_out[18] = (double)r.begin_tick;
    glue_out[19] = (double)r.end_tick;
    glue_out[20] = positions != NULL ? r.result.status : VN_OUT_OF_MEMORY;
    vn_nav_release_result(n->nav, r.id);
    return 1;
}

// --------------------------------------------------------------------------------------------------- watches

/// Positions of a path for the first layer; `horizon`: metres, 0: all of it. out: the id.
EXPORT(js_nav_watch)
int js_nav_watch(navigator* n, const double* positions, uint32_t count, double horizon) {
    const vn_space* space = js_nav_space(n, 0);
    vn_watch_def def = vn_default_watch_def();
    vn_watch_id id = 0;
    glue_list list = {0};
    vn_point* points = glue_room(&list, (count + 1) * sizeof *points);
    vn_status status = space == NULL || points == NULL ? VN_OUT_OF_MEMORY : VN_OK;
    def.horizon = horizon;
    def.radius = n->layers[0].radius;
    def.open_flags = n->layers[0].open_flags;
    glue_begin();
    for (uint32_t i = 0; status == VN_OK && i < count; ++i)
        status = vn_space_point_from_world(space, glue_position(positions + (size_t)3 * i), &points[i]);
    if (status == VN_OK)
        status = vn_nav_watch_points(n->nav, points, count, &def, &id, glue_begin());
    glue_free(&list);
    glue_out[0] = (double)id;
    return glue_done(status);
}

EXPORT(js_nav_watch_at) int js_nav_watch_at(navigator* n, double watch, double metres) {
    glue_begin();
    return glue_done(vn_nav_watch_advance_to(n->nav, (vn_watch_id)watch, metres));
}
EXPORT(js_nav_unwatch) int js_nav_unwatch(navigator* n, double watch) {
    glue_begin();
    return glue_done(vn_nav_unwatch(n->nav, (vn_watch_id)watch));
}

/// Returns the kind of the next event, 0: there is none. out: version, watch, segment, distance, position,
/// change of cost.
EXPORT(js_nav_next_event) int js_nav_next_event(navigator* n) {
    vn_nav_event e;
    if (!vn_nav_next_event(n->nav, &e))
        return 0;
    glue_out[0] = (double)e.version;
    glue_out[1] = (double)e.watch;
    glue_out[2] = e.segment;
    glue_out[3] = e.distance;
    glue_put(4, e.position);
    glue_out[7] = e.cost_change;
    return (int)e.kind;
}
