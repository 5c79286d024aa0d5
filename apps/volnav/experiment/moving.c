/// volnav/experiment/moving.c: scenes with a clock in a nav.
#include "experiment/moving.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "volnav/path.h"

enum { HISTORY = 4 };

static const float waypoint_margin = 0.7f; ///< metres

uint64_t moving_clock(void* user) {
    (void)user;
    return (uint64_t)(system_thread_seconds() * 1e9);
}

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

// ------------------------------------------------------------------------------------------------- patrols

/// Points that grow.
typedef struct tour {
    vn_vec3* points;
    uint32_t count, capacity;
} tour;

static void add_point(tour* t, vn_dvec3 p) {
    if (t->count == t->capacity) {
        t->capacity = t->capacity > 0 ? 2 * t->capacity : 256;
        t->points = say_resize(t->points, t->capacity, sizeof *t->points);
    }
    t->points[t->count++] = (vn_vec3){(float)p.x, (float)p.y, (float)p.z};
}

/// Goes on along the path to another place; the first point of a path is the last of the one before.
static int add_leg(run_place* place, vn_point from, vn_point to, tour* t) {
    enum { POINTS = 4096 };
    static vn_dvec3 points[POINTS];
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail = {0};
    uint32_t count = 0;
    request.start = from;
    request.goal = to;

    vn_status status = vn_query_find_path(place->cells[0], &request, &result, &detail);
    status = status == VN_OK ? vn_query_get_positions(place->cells[0], points, POINTS, &count) : status;
    for (uint32_t i = t->count > 0 ? 1 : 0; i < count && status == VN_OK; ++i) {
        add_point(t, points[i]);
    }
    return check("path of a patrol", status, &detail);
}

/// A closed way through random places.
static int make_tour(run_place* place, uint32_t places, uint64_t* random, tour* t) {
    vn_point first, at;
    int code = EXIT_DONE;
    if (vn_space_random_reachable(place->space, place->source, random, &first) != VN_OK) {
        return say_bad("no place for a patrol");
    }

    at = first;
    for (uint32_t i = 0; i < places && code == EXIT_DONE; ++i) {
        vn_point next = first;
        if (i + 1 < places &&
            vn_space_random_reachable(place->space, place->source, random, &next) != VN_OK) {
            return say_bad("no place for a patrol");
        }
        code = add_leg(place, at, next, t);
        at = next;
    }
    return code;
}

/// The movers, each with a tour of its own; `tours` has one for each, and stays with the caller.
static int make_movers(run_place* place, const moving_patrols* p, uint64_t seed, vn_mover_def* movers,
                       tour* tours) {
    int code = EXIT_DONE;
    const float half = p->size / 2;
    for (uint32_t i = 0; i < p->count && code == EXIT_DONE; ++i) {
        code = make_tour(place, p->places, &seed, &tours[i]);
        movers[i] = vn_default_mover_def();
        movers[i].shape =
            (vn_shape){.kind = VN_SHAPE_BOX, .as.box = {{-half, -half, -half}, {half, half, half}}};
        movers[i].motion.kind = VN_MOTION_PATROL;
        movers[i].motion.points = tours[i].points;
        movers[i].motion.point_count = tours[i].count;
        movers[i].motion.speed = p->speed;
        movers[i].motion.closed = true;
    }
    return code;
}

static int make_scene(experiment* e, run_place* place, const moving_patrols* p, vn_moving_scene** out) {
    vn_moving_scene_def def = vn_default_moving_scene_def();
    vn_mover_def* movers = say_alloc(p->count, sizeof *movers);
    tour* tours = say_alloc(p->count, sizeof *tours);
    vn_detail detail = {0};
    uint32_t index = 0;
    vn_scene_find(p->scene, &index);
    def.name = "empty";
    def.bounds = vn_scene_get(index)->bounds;
    def.resolution = place->info.resolution;

    int code = make_movers(place, p, e->options->seed, movers, tours);
    def.movers = movers;
    def.mover_count = p->count;
    if (code == EXIT_DONE) {
        code = check(p->scene, vn_moving_scene_create(&def, out, &detail), &detail);
    }

    for (uint32_t i = 0; i < p->count; ++i) {
        free(tours[i].points);
    }
    free(tours);
    free(movers);
    return code;
}

// --------------------------------------------------------------------------------------------------- opening

/// A world becomes a nav; on failure the world is destroyed.
static int open_nav(const char* name, vn_world* world, const vn_space_def* space, const moving_def* def,
                    moving_place* out) {
    vn_nav_def nav = vn_default_nav_def();
    vn_detail detail = {0};
    nav.policy = def->policy;
    nav.space = *space;
    nav.history = def->history > 0 ? def->history : HISTORY;
    nav.graphs = def->graphs;
    nav.clock = moving_clock;
    nav.measure_stages = def->stages;
    out->every = def->every;

    const vn_status status = vn_nav_create(world, &nav, &out->nav, &detail);
    if (status != VN_OK) {
        vn_world_destroy(world);
        return say_status(name, status, &detail);
    }

    out->space = vn_nav_pin(out->nav, 0, 0, &out->version);
    return out->space != NULL ? EXIT_DONE : say_bad("%s: no layer", name);
}

static int make_staging(const vn_moving_scene* scene, vn_staging** out) {
    vn_staging_def def = vn_default_staging_def();
    def.scene = scene;
    return check("staging", vn_staging_create(&def, out), NULL);
}

static int make_world(vn_world** out) {
    const vn_world_def def = vn_default_world_def();
    return check(NULL, vn_world_create(&def, out), NULL);
}

int moving_open_patrols(experiment* e, const moving_patrols* patrols, const moving_def* def,
                        moving_place* out) {
    run_place place = {0};
    vn_space_def space = vn_default_space_def();
    vn_world* world = NULL;
    vn_detail detail = {0};
    uint32_t index = 0;
    int code = run_open_scene(e, patrols->scene, patrols->coarser, 1u << RUN_CELLS, &place);
    code = code == EXIT_DONE ? make_scene(e, &place, patrols, &out->scene) : code;
    code = code == EXIT_DONE ? make_world(&world) : code;
    if (code == EXIT_DONE && vn_scene_find(patrols->scene, &index)) {
        const vn_scene_info* info = vn_scene_get(index);
        code = check(patrols->scene, vn_scene_build(index, e->options->seed, world, &detail), &detail);
        space.resolution = place.info.resolution;
        space.has_bounds = true;
        space.bounds = info->bounds;
        space.has_seed = info->has_seed;
        space.seed = info->seed;
    }

    run_close(&place);
    code = code == EXIT_DONE ? make_staging(out->scene, &out->staging) : code;
    if (code != EXIT_DONE) {
        vn_world_destroy(world);
        return code;
    }
    return open_nav(patrols->scene, world, &space, def, out);
}

static vn_space_def krafft_space(const vn_moving_scene* scene) {
    vn_space_def space = vn_default_space_def();
    vn_moving_scene_info info;
    vn_moving_scene_get_info(scene, &info);
    space.resolution = info.resolution;
    space.has_bounds = true;
    space.bounds = info.bounds;
    return space;
}

/// `staging` may be null: then without the movers.
static int make_krafft_world(const vn_moving_scene* scene, vn_staging* staging, vn_world** out) {
    vn_detail detail = {0};
    int code = make_world(out);
    code = code == EXIT_DONE ? check("krafft", vn_moving_scene_build(scene, *out, &detail), &detail) : code;
    return code == EXIT_DONE && staging != NULL
               ? check("krafft", vn_staging_to_world(staging, *out, 0, NULL, &detail), &detail)
               : code;
}

int moving_open_krafft(experiment* e, const moving_def* def, moving_place* out) {
    vn_moving_scene_def scene = vn_default_moving_scene_def();
    vn_world* world = NULL;
    vn_detail detail = {0};
    scene.seed = e->options->seed - 1;
    scene.goal = def->goal;
    int code = check("krafft", vn_moving_scene_create(&scene, &out->scene, &detail), &detail);
    code = code == EXIT_DONE ? make_staging(out->scene, &out->staging) : code;
    code = code == EXIT_DONE ? make_krafft_world(out->scene, out->staging, &world) : code;
    if (code != EXIT_DONE) {
        vn_world_destroy(world);
        return code;
    }

    const vn_space_def space = krafft_space(out->scene);
    return open_nav("krafft", world, &space, def, out);
}

int moving_bake_krafft(const moving_place* place, bool movers, vn_world** world, vn_space** space) {
    const vn_space_def def = krafft_space(place->scene);
    vn_staging* staging = NULL;
    vn_detail detail = {0};
    int code = movers ? make_staging(place->scene, &staging) : EXIT_DONE;
    code = code == EXIT_DONE ? make_krafft_world(place->scene, staging, world) : code;
    vn_staging_destroy(staging);
    return code == EXIT_DONE ? check("krafft", vn_space_bake(*world, &def, space, &detail), &detail) : code;
}

int moving_make_waypoints(const moving_place* place, uint32_t indirect, vn_roadmap** out) {
    vn_roadmap_def def = vn_default_roadmap_def();
    vn_world* world = NULL;
    vn_space* space = NULL;
    vn_detail detail = {0};
    def.version = place->version;
    def.margin = waypoint_margin;
    def.indirect = indirect;
    int code = moving_bake_krafft(place, true, &world, &space);
    code = code == EXIT_DONE
               ? check("waypoints", vn_roadmap_create_waypoints(world, space, &def, out, &detail), &detail)
               : code;
    vn_space_destroy(space);
    vn_world_destroy(world);
    return code;
}

int moving_open_map(experiment* e, const char* path, uint32_t count, const moving_def* def,
                    moving_place* out) {
    vn_moving_scene_def scene = vn_default_moving_scene_def();
    vn_space_def space = vn_default_space_def();
    vn_3dmap map = {0};
    vn_world* world = NULL;
    vn_detail detail = {0};
    int code = check(path, vn_3dmap_read_file(path, NULL, &map, &detail), &detail);
    code = code == EXIT_DONE ? make_world(&world) : code;
    if (code == EXIT_DONE) {
        const vn_shape shape = vn_3dmap_shape(&map);
        space.has_bounds = true;
        space.bounds.max = (vn_vec3){(float)map.dims.x, (float)map.dims.y, (float)map.dims.z};
        code = check(path, vn_world_add(world, &shape, NULL, &detail), &detail);
    }

    vn_3dmap_free(&map);
    scene.name = "debris";
    scene.seed = e->options->seed;
    scene.bounds = space.bounds;
    scene.resolution = space.resolution;
    scene.count = count;
    scene.size = 8;
    scene.speed = 16;
    code =
        code == EXIT_DONE ? check(path, vn_moving_scene_create(&scene, &out->scene, &detail), &detail) : code;
    code = code == EXIT_DONE ? make_staging(out->scene, &out->staging) : code;
    if (code != EXIT_DONE) {
        vn_world_destroy(world);
        return code;
    }

    space.jobs = vn_pool_jobs(e->pool);
    return open_nav(path, world, &space, def, out);
}

void moving_close(moving_place* place) {
    if (place->changes != NULL) {
        vn_nav_release_changes(place->nav, place->changes);
    }
    vn_nav_destroy(place->nav);
    vn_staging_destroy(place->staging);
    vn_moving_scene_destroy(place->scene);
    *place = (moving_place){.nav = NULL};
}

// -------------------------------------------------------------------------------------------------- stepping

/// Takes over the newest version, if its voxels are different: a version that only tells of obstacles is
/// passed over, and the one before stays pinned.
static int take_version(moving_place* place, bool* changed) {
    const vn_changes* changes = NULL;
    uint64_t version = 0;
    const vn_space* space = vn_nav_pin(place->nav, 0, 0, &version);
    vn_status status = VN_OK;
    *changed = false;
    if (version != place->version) {
        status = vn_nav_get_changes(place->nav, version, &changes);
        *changed = status == VN_OK && (place->every || changes->layers[0].brick_count > 0);
    }

    const vn_changes* old = *changed ? place->changes : changes;
    vn_nav_unpin(place->nav, *changed ? place->version : version);
    if (old != NULL) {
        vn_nav_release_changes(place->nav, old);
    }

    if (*changed) {
        place->space = space;
        place->version = version;
        place->changes = changes;
    }
    return check("changes of a version", status, NULL);
}

int moving_step(moving_place* place, double seconds, bool* changed) {
    vn_detail detail = {0};
    bool other = false;
    vn_status status = vn_staging_to_nav(place->staging, place->nav, seconds, NULL, &detail);
    const double begin = system_thread_seconds();
    status = status == VN_OK ? vn_nav_tick(place->nav, &detail) : status;
    place->tick = system_thread_seconds() - begin;
    int code = check("a frame of the scene", status, &detail);

    code = code == EXIT_DONE ? take_version(place, &other) : code;
    if (changed != NULL) {
        *changed = other;
    }
    return code;
}

int moving_observe_krafft(experiment* e, uint32_t seconds, vn_space** fixed, vn_area** area) {
    const moving_def def = {.every = true, .goal = VN_GOAL_MOTION_HORIZONTAL};
    const vn_allocator allocator = vn_default_allocator();
    const uint32_t frames = seconds * MOVING_FRAMES;
    moving_place ahead = {.nav = NULL};
    vn_world* world = NULL;
    vn_detail detail = {0};
    int code = moving_open_krafft(e, &def, &ahead);
    code = code == EXIT_DONE ? moving_bake_krafft(&ahead, false, &world, fixed) : code;
    code = code == EXIT_DONE ? check("krafft", vn_area_create(&allocator, *fixed, area, &detail), &detail)
                             : code;

    for (uint32_t i = 0; i <= frames && code == EXIT_DONE; ++i) {
        code = i > 0 ? moving_step(&ahead, (double)i / MOVING_FRAMES, NULL) : EXIT_DONE;
        code = code == EXIT_DONE ? check("krafft", vn_area_observe(*area, *fixed, ahead.space), NULL) : code;
        progress_report(&e->bar, "dynamic nodes", (double)i / frames);
    }

    vn_world_destroy(world);
    moving_close(&ahead);
    return code;
}

int moving_clear(moving_place* place) {
    vn_moving_scene_info info;
    vn_detail detail = {0};
    bool changed = false;
    vn_status status = VN_OK;
    vn_moving_scene_get_info(place->scene, &info);
    for (uint32_t i = 0; i < info.movers && status == VN_OK; ++i) {
        status = vn_nav_remove(place->nav, vn_staging_obstacle(place->staging, i));
    }

    status = status == VN_OK ? vn_nav_tick(place->nav, &detail) : status;
    const int code = check("removing the movers", status, &detail);
    return code == EXIT_DONE ? take_version(place, &changed) : code;
}

int moving_ask(moving_place* place, vn_point from, vn_point to, double snap, vn_nav_result* out,
               double* seconds) {
    vn_nav_request request = vn_default_nav_request();
    vn_request_id id;
    vn_detail detail = {0};
    request.path.start = from;
    request.path.goal = to;
    request.path.snap_distance = snap;
    const double begin = system_thread_seconds();
    vn_status status = vn_nav_submit(place->nav, &request, &id, &detail);
    bool got = false;
    for (int ticks = 0; status == VN_OK && !got && ticks < 8; ++ticks) {
        status = vn_nav_tick(place->nav, &detail);
        got = vn_nav_next_result(place->nav, out);
    }

    *seconds = system_thread_seconds() - begin;
    if (status == VN_OK && !got) {
        return say_bad("a request has no result after eight ticks");
    }
    return check("a request", status, &detail);
}

run_row moving_row(moving_place* place, const vn_nav_result* result, double seconds) {
    run_row row = {.seconds = seconds, .found = result->result.status == VN_OK};
    row.length = result->result.length;
    row.sight_checks = NAN; // not counted
    row.closed = (double)result->result.expanded;
    row.valid = row.found && vn_space_check_path(result->space, result->points, result->point_count, NULL);
    vn_nav_release_result(place->nav, result->id);
    return row;
}

double moving_voxel_share(const moving_place* place) {
    vn_nav_stats stats;
    double voxels = 0, all = 0;
    vn_nav_get_stats(place->nav, &stats);
    for (int i = 0; i < (int)VN_STAGE_COUNT; ++i) {
        const bool cells =
            i == VN_STAGE_CELLS || i == VN_STAGE_LINKS || i == VN_STAGE_SEAMS || i == VN_STAGE_COMPONENTS;
        voxels += cells ? 0 : (double)stats.stage_ns[i];
        all += (double)stats.stage_ns[i];
    }
    return all > 0 ? voxels / all : 0;
}
