/// volnav/bench/dynamic.c: the measurements of bench --dynamic: one box, a crowd, and update policies. Every
/// call is checked: one that fails would be fast.
#include "bench/dynamic.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bench/policy.h"
#include "shell/progress.h"
#include "shell/rotation.h"
#include "shell/system.h"

const char dynamic_help[] =
    "A changing world (--dynamic):\n"
    "  --dynamic            move obstacles instead: a box of 8 voxels a side, a crowd\n"
    "                       at 60 frames a second with requests, and update policies\n"
    "  --obstacles N        obstacles in the crowd (200)\n"
    "  --requests N         path requests a frame (8)\n"
    "  --seconds S          how long the crowd moves (10)\n";

enum {
    ROUNDS = 100,
    MOVES_A_ROUND = 20,
    QUERIES_A_ROUND = 5,
    MOVES = ROUNDS * MOVES_A_ROUND,
    QUERIES = ROUNDS * QUERIES_A_ROUND,
    BOX = DYNAMIC_BOX,
    FRAME_RATE = DYNAMIC_FRAME_RATE
};

dynamic_options dynamic_defaults(void) {
    return (dynamic_options){.obstacles = 200, .requests = 8, .seconds = 10};
}

void dynamic_add_options(args_table* table, dynamic_options* o) {
    args_add(table, "--dynamic", ARGS_FLAG, ARGS_ANY, &o->wanted, NULL);
    args_add(table, "--obstacles", ARGS_COUNT, ARGS_POSITIVE, &o->obstacles, NULL);
    args_add(table, "--requests", ARGS_COUNT, ARGS_ANY, &o->requests, NULL);
    args_add(table, "--seconds", ARGS_REAL, ARGS_POSITIVE, &o->seconds, NULL);
}

typedef struct bench_run {
    const dynamic_options* options;
    const load_options* load;
    const loaded* in;
    const vn_3dscen* scen;
    uint64_t random;
    dynamic_figures out;
} bench_run;

// --------------------------------------------------------------------------------------------------- pieces

static uint64_t next_random(bench_run* b) {
    return vn_random_next(&b->random);
}

/// 0 to 1.
static double random_part(bench_run* b) {
    return (double)(next_random(b) >> 11) / 9007199254740992.0;
}

static int check(const char* what, vn_status status, const vn_detail* detail) {
    return status == VN_OK ? EXIT_DONE : say_status(what, status, detail);
}

static uint64_t nanoseconds(void* user) {
    (void)user;
    return (uint64_t)(system_thread_seconds() * 1e9);
}

/// A nav on the voxels of the loaded map, which is imported again because each nav owns its world.
static int make_nav(const bench_run* b, const char* map, uint32_t workers, vn_update_policy policy,
                    bool stages, vn_nav** out) {
    vn_detail detail = {0};
    vn_world* world = NULL;
    const vn_world_def world_def = vn_default_world_def();
    const import_options import = {.scale = 1, .up = 'y'};
    say_warnings warnings = {.quiet = true};
    import_report report = {0};
    vn_nav_def def = vn_default_nav_def();

    vn_status status = vn_world_create(&world_def, &world);
    if (status != VN_OK) {
        return say_status(map, status, NULL);
    }

    int code = import_file(world, map, &import, &warnings, &report);
    say_free_warnings(&warnings);
    if (code != EXIT_DONE) {
        vn_world_destroy(world);
        return code;
    }

    def.workers = workers;
    def.policy = policy;
    def.space.has_bounds = true;
    def.space.bounds.max =
        (vn_vec3){(float)b->in->info.dims.x, (float)b->in->info.dims.y, (float)b->in->info.dims.z};
    def.clock = nanoseconds;
    def.measure_stages = stages;

    status = vn_nav_create(world, &def, out, &detail);
    if (status != VN_OK) {
        vn_world_destroy(world);
        return say_status(map, status, &detail);
    }

    return EXIT_DONE;
}

/// At the voxel of a random end of the scenario, so that obstacles are where agents fly.
static vn_transform random_transform(bench_run* b) {
    const vn_scen_line* line = &b->scen->lines[next_random(b) % b->scen->line_count];
    const vn_voxel v = next_random(b) & 1 ? line->start : line->goal;
    return vn_transform_at(v.x, v.y, v.z);
}

static int add_box(vn_nav* nav, const vn_transform* transform, vn_obstacle_id* out) {
    const float half = BOX / 2.0f;
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-half, -half, -half}, {half, half, half}}};
    vn_detail detail = {0};
    return check("adding a box", vn_nav_add_moving(nav, &box, transform, 0, out, &detail), &detail);
}

int dynamic_add_box(vn_nav* nav, vn_point at, vn_obstacle_id* out) {
    const vn_transform transform =
        vn_transform_at((double)at.x / VN_LATTICE, (double)at.y / VN_LATTICE, (double)at.z / VN_LATTICE);
    return add_box(nav, &transform, out);
}

// -------------------------------------------------------------------------------------------------- one box

/// Times of moves with their whole updates, and of standard queries of the scenario.
typedef struct turns {
    double moves[MOVES], queries[QUERIES];
    vn_query* query; ///< on the map without the box
} turns;

/// A query that finds nothing is faster than one that does, so each must find its path.
static int run_query(const turns* t, const vn_scen_line* line, double* seconds) {
    vn_path_request request = vn_default_path_request();
    vn_path_result result;
    vn_detail detail = {0};
    request.start = vn_voxel_center(line->start);
    request.goal = vn_voxel_center(line->goal);

    const double begin = system_thread_seconds();
    const vn_status status = vn_query_find_path(t->query, &request, &result, &detail);
    *seconds = system_thread_seconds() - begin;
    if (status != VN_OK) {
        return say_bad("line %u of the scenario: %s", (unsigned)line->line,
                       detail.text[0] != '\0' ? detail.text : vn_status_text(status));
    }
    return EXIT_DONE;
}

static int run_queries(const bench_run* b, turns* t, int round) {
    const uint64_t lines = b->scen->line_count;
    int code = EXIT_DONE;
    for (int i = round * QUERIES_A_ROUND; i < (round + 1) * QUERIES_A_ROUND && code == EXIT_DONE; ++i) {
        code = run_query(t, &b->scen->lines[(uint64_t)i * lines / QUERIES], &t->queries[i]);
    }
    return code;
}

/// One move with its whole update.
static int move_box(vn_nav* nav, vn_obstacle_id id, const vn_transform* to, double* seconds) {
    vn_detail detail = {0};
    const double begin = system_thread_seconds();
    vn_status status = vn_nav_move(nav, id, to, &detail);
    if (status == VN_OK) {
        status = vn_nav_tick(nav, &detail);
    }

    *seconds = system_thread_seconds() - begin;
    return check("moving the box", status, &detail);
}

/// The box near a random end of a query, a step at a time.
static int run_moves(bench_run* b, vn_nav* nav, vn_obstacle_id id, turns* t, int round) {
    vn_transform at = random_transform(b);
    int code = EXIT_DONE;
    for (int i = round * MOVES_A_ROUND; i < (round + 1) * MOVES_A_ROUND && code == EXIT_DONE; ++i) {
        at.position.x += (float)((int)(next_random(b) % 5) - 2);
        at.position.y += (float)((int)(next_random(b) % 5) - 2);
        at.position.z += (float)((int)(next_random(b) % 5) - 2);
        code = move_box(nav, id, &at, &t->moves[i]);
    }
    return code;
}

/// Moves and queries in rotated turns.
static int run_rounds(bench_run* b, vn_nav* nav, turns* t) {
    const vn_transform at = random_transform(b);
    vn_detail detail = {0};
    vn_obstacle_id id;
    int code = add_box(nav, &at, &id);
    if (code == EXIT_DONE) {
        code = check("first tick", vn_nav_tick(nav, &detail), &detail);
    }

    for (int turn = 0; turn < 2 * ROUNDS && code == EXIT_DONE; ++turn) {
        const int round = turn / 2;
        const bool moves = rotation_at(2, (uint64_t)round, (uint32_t)turn % 2) == 0;
        code = moves ? run_moves(b, nav, id, t, round) : run_queries(b, t, round);
    }
    return code;
}

/// All rounds; with stages, whose clock itself takes time, only they are noted.
static int run_turns(bench_run* b, const char* map, bool stages, turns* t) {
    vn_nav* nav = NULL;
    vn_nav_stats stats;
    b->random = 20261116;
    int code = make_nav(b, map, 0, VN_UPDATE_ALWAYS, stages, &nav);
    if (code == EXIT_DONE) {
        code = run_rounds(b, nav, t);
    }

    if (code == EXIT_DONE) {
        vn_nav_get_stats(nav, &stats);
        for (int i = 0; i < (int)VN_STAGE_COUNT; ++i) {
            b->out.stages[i] = (double)stats.stage_ns[i] * 1e-9 / MOVES;
        }
    }

    if (code == EXIT_DONE && !stages) {
        b->out.move = stats_of(t->moves, MOVES);
        b->out.query = stats_of(t->queries, QUERIES);
    }

    vn_nav_destroy(nav);
    return code;
}

static int measure_moves(bench_run* b, const char* map) {
    vn_detail detail = {0};
    const vn_query_def def = vn_default_query_def();
    turns* t = say_alloc(1, sizeof *t);
    const vn_status status = vn_query_create_layers(b->in->layers, &def, &t->query, &detail);

    int code = status == VN_OK ? run_turns(b, map, false, t) : say_status(NULL, status, &detail);
    if (code == EXIT_DONE) {
        code = run_turns(b, map, true, t);
    }

    vn_query_destroy(t->query);
    free(t);
    return code;
}

// ---------------------------------------------------------------------------------------------------- crowd

/// Figures of each frame.
typedef struct crowd {
    vn_nav* nav;
    vn_obstacle_id* ids;
    vn_transform* transforms;
    vn_vec3* velocities; ///< voxels a frame
    double *ticks, *lags, *updates, *latencies;
    uint64_t update_count, latency_count, latency_capacity, seen_updates;
} crowd;

static int move_crowd(const bench_run* b, crowd* c) {
    const float limit[3] = {(float)b->in->info.dims.x, (float)b->in->info.dims.y, (float)b->in->info.dims.z};
    int code = EXIT_DONE;
    for (uint64_t i = 0; i < b->options->obstacles && code == EXIT_DONE; ++i) {
        vn_detail detail = {0};
        float* at = &c->transforms[i].position.x;
        float* speed = &c->velocities[i].x;
        for (int k = 0; k < 3; ++k) {
            at[k] += speed[k];
            if (at[k] < 0 || at[k] > limit[k]) {
                speed[k] = -speed[k];
                at[k] += 2 * speed[k];
            }
        }

        code =
            check("moving an obstacle", vn_nav_move(c->nav, c->ids[i], &c->transforms[i], &detail), &detail);
    }
    return code;
}

/// A full queue takes no more requests: those are not counted as asked.
static int submit_requests(bench_run* b, crowd* c) {
    for (uint64_t i = 0; i < b->options->requests; ++i) {
        const vn_scen_line* line = &b->scen->lines[next_random(b) % b->scen->line_count];
        vn_nav_request request = vn_default_nav_request();
        vn_request_id id;
        vn_detail detail = {0};
        request.path.start = vn_voxel_center(line->start);
        request.path.goal = vn_voxel_center(line->goal);
        request.path.snap_distance = 2 * BOX;

        const vn_status status = vn_nav_submit(c->nav, &request, &id, &detail);
        if (status != VN_OK && status != VN_CAPACITY) {
            return check("requesting a path", status, &detail);
        }
        b->out.asked += status == VN_OK ? 1 : 0;
    }
    return EXIT_DONE;
}

/// Every path is checked in the version that its result names.
static int take_result(bench_run* b, crowd* c, const vn_nav_result* result) {
    const vn_status status = result->result.status;
    if (c->latency_count < c->latency_capacity) {
        c->latencies[c->latency_count++] = (double)(result->end_tick - result->begin_tick);
    }

    if (status != VN_OK) {
        return bench_is_outcome(status) ? EXIT_DONE : check("result of a request", status, NULL);
    }

    const bool valid = vn_space_check_path(result->space, result->points, result->point_count, NULL);
    ++b->out.found;
    b->out.valid += valid ? 1 : 0;
    b->out.invalid += valid ? 0 : 1;
    return EXIT_DONE;
}

static int take_results(bench_run* b, crowd* c) {
    vn_nav_result result;
    int code = EXIT_DONE;
    while (code == EXIT_DONE && vn_nav_next_result(c->nav, &result)) {
        code = take_result(b, c, &result);
        vn_nav_release_result(c->nav, result.id);
    }
    return code;
}

static void note_frame(bench_run* b, crowd* c, uint64_t frame, double tick) {
    vn_nav_stats stats;
    vn_nav_get_stats(c->nav, &stats);
    c->ticks[frame] = tick;
    c->lags[frame] = (double)stats.version_lag;
    if (stats.updates != c->seen_updates) {
        c->seen_updates = stats.updates;
        c->updates[c->update_count++] = (double)stats.last_update_ns * 1e-9;
    }

    b->out.versions = stats.version;
}

/// Only the tick is timed: what the host's frame pays.
static int run_frame(bench_run* b, crowd* c, uint64_t frame) {
    vn_detail detail = {0};
    int code = move_crowd(b, c);
    if (code == EXIT_DONE) {
        code = submit_requests(b, c);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    const double begin = system_thread_seconds();
    const vn_status status = vn_nav_tick(c->nav, &detail);
    note_frame(b, c, frame, system_thread_seconds() - begin);
    code = check("tick", status, &detail);
    return code == EXIT_DONE ? take_results(b, c) : code;
}

static int run_frames(bench_run* b, crowd* c, uint64_t frames) {
    progress_bar bar = progress_begin(b->load->quiet);
    double due = system_wall_seconds();
    int code = EXIT_DONE;
    for (uint64_t i = 0; i < frames && code == EXIT_DONE; ++i) {
        code = run_frame(b, c, i);
        due += 1.0 / FRAME_RATE;
        const double left = due - system_wall_seconds();
        b->out.late += left < 0 ? 1 : 0;
        system_sleep(left);
        progress_report(&bar, "crowd", (double)(i + 1) / (double)frames);
    }

    progress_end(&bar);
    return code;
}

static int start_crowd(bench_run* b, crowd* c) {
    vn_detail detail = {0};
    int code = EXIT_DONE;
    for (uint64_t i = 0; i < b->options->obstacles && code == EXIT_DONE; ++i) {
        c->transforms[i] = random_transform(b);
        c->velocities[i] = (vn_vec3){(float)(random_part(b) - 0.5), (float)(random_part(b) - 0.5),
                                     (float)(random_part(b) - 0.5)};
        code = add_box(c->nav, &c->transforms[i], &c->ids[i]);
    }

    return code == EXIT_DONE ? check("first tick", vn_nav_tick(c->nav, &detail), &detail) : code;
}

static void alloc_crowd(crowd* c, size_t obstacles, size_t frames, size_t results) {
    c->ids = say_alloc(obstacles, sizeof *c->ids);
    c->transforms = say_alloc(obstacles, sizeof *c->transforms);
    c->velocities = say_alloc(obstacles, sizeof *c->velocities);
    c->ticks = say_alloc(frames, sizeof *c->ticks);
    c->lags = say_alloc(frames, sizeof *c->lags);
    c->updates = say_alloc(frames, sizeof *c->updates);
    c->latencies = say_alloc(results, sizeof *c->latencies);
    c->latency_capacity = results;
}

static void free_crowd(crowd* c) {
    void* blocks[] = {c->ids, c->transforms, c->velocities, c->ticks, c->lags, c->updates, c->latencies};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        free(blocks[i]);
    }
    vn_nav_destroy(c->nav);
}

static void sum_up_crowd(bench_run* b, const crowd* c, size_t frames) {
    b->out.frames = frames;
    b->out.tick = stats_of(c->ticks, frames);
    b->out.lag = stats_of(c->lags, frames);
    b->out.update = stats_of(c->updates, (size_t)c->update_count);
    b->out.latency = stats_of(c->latencies, (size_t)c->latency_count);
}

static int measure_crowd(bench_run* b, const char* map) {
    crowd c = {0};
    const size_t frames = (size_t)(b->options->seconds * FRAME_RATE) + 1;
    int code = make_nav(b, map, b->out.workers, VN_UPDATE_ALWAYS, false, &c.nav);
    if (code != EXIT_DONE) {
        return code;
    }

    alloc_crowd(&c, (size_t)b->options->obstacles, frames, frames * (size_t)(b->options->requests + 1));
    code = start_crowd(b, &c);
    if (code == EXIT_DONE) {
        code = run_frames(b, &c, frames);
    }

    if (code == EXIT_DONE) {
        sum_up_crowd(b, &c, frames);
    }

    free_crowd(&c);
    return code;
}

// -------------------------------------------------------------------------------------------------- policies

static int measure_policies(bench_run* b, const char* map) {
    static const vn_update_policy policies[POLICY_COUNT] = {
        [DYNAMIC_ALWAYS] = VN_UPDATE_ALWAYS, [DYNAMIC_LAST_MOMENT] = VN_UPDATE_LAST_MOMENT};
    vn_nav* navs[POLICY_COUNT] = {NULL, NULL};
    int code = EXIT_DONE;
    for (int i = 0; i < POLICY_COUNT && code == EXIT_DONE; ++i) {
        code = make_nav(b, map, 0, policies[i], false, &navs[i]);
    }

    if (code == EXIT_DONE) {
        const uint64_t ticks = (uint64_t)(b->options->seconds * FRAME_RATE) + 1;
        code = policy_run(navs, b->in->space, b->scen, 77, ticks, b->out.policies);
    }

    for (int i = 0; i < POLICY_COUNT; ++i) {
        vn_nav_destroy(navs[i]);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------- all of them

int dynamic_run(const dynamic_options* options, const load_options* load, loaded* in, const vn_3dscen* scen,
                const char* map) {
    bench_run b = {.options = options, .load = load, .in = in, .scen = scen, .random = 20261116};
    const uint32_t threads = vn_pool_jobs(in->pool).worker_count;

    // One of the threads is the host's. A single one still gets a worker beside it if the build has threads.
    b.out.workers = threads > 1 ? threads - 1 : VOLNAV_THREADS;
    int code = measure_moves(&b, map);
    if (code == EXIT_DONE) {
        code = measure_crowd(&b, map);
    }

    if (code == EXIT_DONE) {
        code = measure_policies(&b, map);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    dynamic_report(options, load->json, map, &b.out);
    if (b.out.invalid > 0) {
        fprintf(stderr, "volnav: %" PRIu64 " paths are not free in the version that they name\n",
                b.out.invalid);
        return EXIT_NO_PATH;
    }

    return EXIT_DONE;
}
