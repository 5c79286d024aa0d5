/// volnav/bench/dynamic.c: one box, a crowd, and policies.
#include "bench/dynamic.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/policy.h"
#include "shell/progress.h"
#include "shell/stats.h"
#include "shell/system.h"

const char dynamic_help[] =
    "A changing world (--dynamic):\n"
    "  --dynamic            move obstacles instead: a box of 8 voxels a side, a crowd\n"
    "                       at 60 frames a second with questions, and update policies\n"
    "  --obstacles N        of the crowd (200)\n"
    "  --requests N         questions a frame (8)\n"
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

/// Everything that is measured.
typedef struct figures {
    stats_summary move, query;                ///< seconds of one thread
    stats_summary tick, update, lag, latency; ///< of the crowd: seconds, seconds, ticks, ticks
    uint64_t frames, versions, asked, found, valid, invalid, late;
    policy_figures always, moment;
    double stages[VN_STAGE_COUNT]; ///< seconds a move, in a run of their own
} figures;

typedef struct bench_run {
    const dynamic_options* options;
    const load_options* load;
    const loaded* in;
    const vn_3dscen* scen;
    uint64_t random;
    figures out;
} bench_run;

// --------------------------------------------------------------------------------------------------- pieces

static uint64_t next_random(bench_run* b) {
    return vn_random_next(&b->random);
}

/// 0 to 1.
static double random_part(bench_run* b) {
    return (double)(next_random(b) >> 11) / 9007199254740992.0;
}

static uint64_t nanoseconds(void* user) {
    (void)user;
    return (uint64_t)(system_thread_seconds() * 1e9);
}

/// A nav on the same voxels as the loaded world: the map again, because each nav owns its world.
static int make_nav(const bench_run* b, const char* map, uint32_t workers, vn_update_policy policy,
                    bool stages, vn_nav** out) {
    vn_detail detail = {0};
    vn_world* world = NULL;
    const vn_world_def world_def = vn_default_world_def();
    const import_options import = {1, 'y', false, false, {0, 0, 0}, 0};
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

static vn_transform place_at(double x, double y, double z) {
    vn_transform place = vn_transform_identity();
    place.position = (vn_vec3){(float)x, (float)y, (float)z};
    return place;
}

/// The voxel of a random end of the scenario, so that obstacles are where agents fly.
static vn_transform random_place(bench_run* b) {
    const vn_scen_line* line = &b->scen->lines[next_random(b) % b->scen->line_count];
    const vn_voxel v = next_random(b) & 1 ? line->start : line->goal;
    return place_at(v.x, v.y, v.z);
}

static vn_obstacle_id add_box(vn_nav* nav, const vn_transform* place) {
    const float half = BOX / 2.0f;
    const vn_shape box = {.kind = VN_SHAPE_BOX, .as.box = {{-half, -half, -half}, {half, half, half}}};
    vn_obstacle_id id = {0, 0};
    vn_nav_add_moving(nav, &box, place, 0, &id, NULL);
    return id;
}

vn_obstacle_id dynamic_add_box(vn_nav* nav, vn_point at) {
    const vn_transform place =
        place_at((double)at.x / VN_LATTICE, (double)at.y / VN_LATTICE, (double)at.z / VN_LATTICE);
    return add_box(nav, &place);
}

// -------------------------------------------------------------------------------------------------- one box

/// Times of moves with their whole updates, and of standard queries of the scenario, which take turns.
typedef struct turns {
    double moves[MOVES], queries[QUERIES];
    vn_query* query; ///< on the map without the box
} turns;

static void ask_some(const bench_run* b, turns* t, int round) {
    const uint64_t lines = b->scen->line_count;
    for (int i = round * QUERIES_A_ROUND; i < (round + 1) * QUERIES_A_ROUND; i++) {
        const vn_scen_line* line = &b->scen->lines[(uint64_t)i * lines / QUERIES];
        vn_path_request request = vn_default_path_request();
        vn_path_result result;
        request.start = vn_voxel_center(line->start);
        request.goal = vn_voxel_center(line->goal);
        const double begin = system_thread_seconds();
        vn_query_find_path(t->query, &request, &result, NULL);
        t->queries[i] = system_thread_seconds() - begin;
    }
}

/// The box here and there at the ends of queries, a step at a time.
static void move_some(bench_run* b, vn_nav* nav, vn_obstacle_id id, turns* t, int round) {
    vn_transform place = random_place(b);
    for (int i = round * MOVES_A_ROUND; i < (round + 1) * MOVES_A_ROUND; i++) {
        place.position.x += (float)((int)(next_random(b) % 5) - 2);
        place.position.y += (float)((int)(next_random(b) % 5) - 2);
        place.position.z += (float)((int)(next_random(b) % 5) - 2);
        const double begin = system_thread_seconds();
        vn_nav_move(nav, id, &place, NULL);
        vn_nav_tick(nav, NULL);
        t->moves[i] = system_thread_seconds() - begin;
    }
}

/// All rounds; with stages, whose clock itself takes time, only they are noted.
static int run_turns(bench_run* b, const char* map, bool stages, turns* t) {
    vn_nav* nav = NULL;
    vn_nav_stats stats;
    b->random = 20261116;
    const int code = make_nav(b, map, 0, VN_UPDATE_ALWAYS, stages, &nav);
    if (code != EXIT_DONE) {
        return code;
    }

    const vn_transform place = random_place(b);
    const vn_obstacle_id id = add_box(nav, &place);
    vn_nav_tick(nav, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        move_some(b, nav, id, t, round);
        ask_some(b, t, round);
    }

    vn_nav_get_stats(nav, &stats);
    if (!stages) {
        b->out.move = stats_of(t->moves, MOVES);
        b->out.query = stats_of(t->queries, QUERIES);
    }

    for (int i = 0; i < (int)VN_STAGE_COUNT; i++) {
        b->out.stages[i] = (double)stats.stage_ns[i] * 1e-9 / MOVES;
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
    vn_transform* places;
    vn_vec3* velocities; ///< voxels a frame
    double *ticks, *lags, *updates, *latencies;
    uint64_t update_count, latency_count, latency_capacity, seen_updates;
} crowd;

static void move_crowd(bench_run* b, crowd* c) {
    const float limit[3] = {(float)b->in->info.dims.x, (float)b->in->info.dims.y, (float)b->in->info.dims.z};
    for (uint64_t i = 0; i < b->options->obstacles; i++) {
        float* at = &c->places[i].position.x;
        float* speed = &c->velocities[i].x;
        for (int k = 0; k < 3; k++) {
            at[k] += speed[k];
            if (at[k] < 0 || at[k] > limit[k]) {
                speed[k] = -speed[k];
                at[k] += 2 * speed[k];
            }
        }

        vn_nav_move(c->nav, c->ids[i], &c->places[i], NULL);
    }
}

static void ask_crowd(bench_run* b, crowd* c) {
    for (uint64_t i = 0; i < b->options->requests; i++) {
        const vn_scen_line* line = &b->scen->lines[next_random(b) % b->scen->line_count];
        vn_nav_request request = vn_default_nav_request();
        vn_request_id ticket;
        request.path.start = vn_voxel_center(line->start);
        request.path.goal = vn_voxel_center(line->goal);
        request.path.snap_distance = 2 * BOX;
        b->out.asked += vn_nav_submit(c->nav, &request, &ticket, NULL) == VN_OK ? 1 : 0;
    }
}

/// Every path is checked in the version that its answer names.
static void collect_crowd(bench_run* b, crowd* c) {
    vn_nav_result answer;
    while (vn_nav_next_result(c->nav, &answer)) {
        if (c->latency_count < c->latency_capacity) {
            c->latencies[c->latency_count++] = (double)(answer.end_tick - answer.begin_tick);
        }

        if (answer.result.status == VN_OK) {
            const bool valid = vn_space_check_path(answer.space, answer.points, answer.point_count, NULL);
            b->out.found++;
            b->out.valid += valid ? 1 : 0;
            b->out.invalid += valid ? 0 : 1;
        }

        vn_nav_release_result(c->nav, answer.id);
    }
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

static void run_frames(bench_run* b, crowd* c, uint64_t frames) {
    progress_bar bar = progress_begin(b->load->quiet);
    double due = system_wall_seconds();
    for (uint64_t i = 0; i < frames; i++) {
        move_crowd(b, c);
        ask_crowd(b, c);
        const double begin = system_thread_seconds();
        vn_nav_tick(c->nav, NULL);
        note_frame(b, c, i, system_thread_seconds() - begin);
        collect_crowd(b, c);
        due += 1.0 / FRAME_RATE;
        const double left = due - system_wall_seconds();
        b->out.late += left < 0 ? 1 : 0;
        system_sleep(left);
        progress_report(&bar, "crowd", (double)(i + 1) / (double)frames);
    }

    progress_end(&bar);
}

static void start_crowd(bench_run* b, crowd* c) {
    for (uint64_t i = 0; i < b->options->obstacles; i++) {
        c->places[i] = random_place(b);
        c->velocities[i] = (vn_vec3){(float)(random_part(b) - 0.5), (float)(random_part(b) - 0.5),
                                     (float)(random_part(b) - 0.5)};
        c->ids[i] = add_box(c->nav, &c->places[i]);
    }

    vn_nav_tick(c->nav, NULL);
}

static int measure_crowd(bench_run* b, const char* map, uint32_t workers) {
    crowd c = {0};
    const size_t frames = (size_t)(b->options->seconds * FRAME_RATE) + 1,
                 obstacles = (size_t)b->options->obstacles;
    const int code = make_nav(b, map, workers, VN_UPDATE_ALWAYS, false, &c.nav);
    if (code != EXIT_DONE) {
        return code;
    }

    c.ids = say_alloc(obstacles, sizeof *c.ids);
    c.places = say_alloc(obstacles, sizeof *c.places);
    c.velocities = say_alloc(obstacles, sizeof *c.velocities);
    c.ticks = say_alloc(frames, sizeof *c.ticks);
    c.lags = say_alloc(frames, sizeof *c.lags);
    c.updates = say_alloc(frames, sizeof *c.updates);
    c.latency_capacity = frames * (b->options->requests + 1);
    c.latencies = say_alloc((size_t)c.latency_capacity, sizeof *c.latencies);
    start_crowd(b, &c);
    run_frames(b, &c, frames);
    b->out.frames = frames;
    b->out.tick = stats_of(c.ticks, frames);
    b->out.lag = stats_of(c.lags, frames);
    b->out.update = stats_of(c.updates, (size_t)c.update_count);
    b->out.latency = stats_of(c.latencies, (size_t)c.latency_count);
    vn_nav_destroy(c.nav);

    void* blocks[] = {c.ids, c.places, c.velocities, c.ticks, c.lags, c.updates, c.latencies};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]);
    }

    return EXIT_DONE;
}

// -------------------------------------------------------------------------------------------------- policies

static int measure_policy(bench_run* b, const char* map, vn_update_policy policy, policy_figures* out) {
    vn_nav* nav = NULL;
    const int code = make_nav(b, map, 0, policy, false, &nav);
    if (code != EXIT_DONE) {
        return code;
    }

    const uint64_t ticks = (uint64_t)(b->options->seconds * FRAME_RATE) + 1;
    const bool done = policy_run(nav, b->in->space, b->scen, 77, ticks, out);
    vn_nav_destroy(nav);
    return done ? code : say_bad("%s: there is no path to watch", map);
}

// ---------------------------------------------------------------------------------------------------- report

static void write_times(json_writer* json, const char* key, const stats_summary* s, double scale) {
    json_begin_object(json, key);
    json_real(json, "mean", s->mean * scale);
    json_real(json, "median", s->median * scale);
    json_real(json, "p99", s->p99 * scale);
    json_real(json, "max", s->max * scale);
    json_end(json);
}

static void write_policy(json_writer* json, const char* key, const policy_figures* f) {
    json_begin_object(json, key);
    json_real(json, "us_a_second", f->seconds * 1e6);
    json_real(json, "update_us_a_second", f->update_seconds * 1e6);
    json_real(json, "updates_a_second", (double)f->updates * FRAME_RATE / (double)f->ticks);
    json_real(json, "new_paths_a_second", (double)f->replans * FRAME_RATE / (double)f->ticks);
    json_end(json);
}

static void write_json(const bench_run* b, const char* map, uint32_t workers) {
    const figures* f = &b->out;
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "map", load_file_name(map));
    write_times(&json, "update_us", &f->move, 1e6);
    write_times(&json, "query_us", &f->query, 1e6);
    json_real(&json, "update_over_query", f->move.mean / f->query.mean);

    json_begin_object(&json, "update_stages_us");
    for (int i = 0; i < (int)VN_STAGE_COUNT; i++) {
        json_real(&json, vn_update_stage_name((vn_update_stage)i), f->stages[i] * 1e6);
    }

    json_end(&json);
    json_begin_object(&json, "crowd");
    json_count(&json, "obstacles", b->options->obstacles);
    json_count(&json, "requests_a_frame", b->options->requests);
    json_count(&json, "workers", workers);
    json_count(&json, "frames", f->frames);
    json_count(&json, "late_frames", f->late);
    json_count(&json, "versions", f->versions);
    json_count(&json, "asked", f->asked);
    json_count(&json, "found", f->found);
    json_count(&json, "valid", f->valid);
    write_times(&json, "tick_us", &f->tick, 1e6);
    write_times(&json, "update_us", &f->update, 1e6);
    write_times(&json, "version_lag_frames", &f->lag, 1);
    write_times(&json, "latency_frames", &f->latency, 1);
    json_end(&json);
    json_begin_object(&json, "policies");
    write_policy(&json, "always", &f->always);
    write_policy(&json, "last_moment", &f->moment);
    json_real(&json, "always_over_last_moment", f->always.seconds / f->moment.seconds);
    json_end(&json);
    json_end(&json);
}

static void print_times(const char* name, const stats_summary* s, double scale, const char* unit) {
    printf("  %-22s mean %9.2f  median %9.2f  p99 %9.2f  max %9.2f  %s\n", name, s->mean * scale,
           s->median * scale, s->p99 * scale, s->max * scale, unit);
}

static void print_policy(const char* name, const policy_figures* f) {
    const double rate = (double)FRAME_RATE / (double)f->ticks;
    printf("  %-12s %9.1f us (updates alone %9.1f us), %6.2f updates, %5.2f new paths\n", name,
           f->seconds * 1e6, f->update_seconds * 1e6, (double)f->updates * rate, (double)f->replans * rate);
}

static void write_text(const bench_run* b, const char* map, uint32_t workers) {
    const figures* f = &b->out;
    printf("%s\n\na box of %d x %d x %d voxels moves:\n", load_file_name(map), BOX, BOX, BOX);
    print_times("whole update", &f->move, 1e6, "us");
    print_times("standard query", &f->query, 1e6, "us");

    printf("  update / query: %.2f\n  of an update:", f->move.mean / f->query.mean);
    for (int i = 0; i < (int)VN_STAGE_COUNT; i++) {
        printf("%s %s %.1f", i > 0 ? "," : "", vn_update_stage_name((vn_update_stage)i), f->stages[i] * 1e6);
    }

    puts(" us (with a clock at each)");
    printf("\n%" PRIu64 " obstacles, %" PRIu64 " questions a frame, %u workers, %" PRIu64 " frames (%" PRIu64
           " late), %" PRIu64 " versions:\n",
           b->options->obstacles, b->options->requests, (unsigned)workers, f->frames, f->late, f->versions);
    print_times("tick, host's thread", &f->tick, 1e6, "us");
    print_times("update", &f->update, 1e6, "us");
    print_times("version lag", &f->lag, 1, "frames");
    print_times("latency of answers", &f->latency, 1, "frames");
    printf("  %" PRIu64 " asked, %" PRIu64 " found, %" PRIu64 " valid in the version they name\n", f->asked,
           f->found, f->valid);
    printf("\nthree obstacles on patrol, one path kept, %" PRIu64 " frames, a second of the scene:\n",
           f->always.ticks);
    print_policy("always", &f->always);
    print_policy("last moment", &f->moment);
    printf("  always / last moment: %.1f\n", f->always.seconds / f->moment.seconds);
}

int dynamic_run(const dynamic_options* options, const load_options* load, loaded* in, const vn_3dscen* scen,
                const char* map) {
    bench_run b = {.options = options, .load = load, .in = in, .scen = scen, .random = 20261116};
    const uint32_t threads = vn_pool_jobs(in->pool).worker_count;

    // One of the threads is the host's. A single one still gets a worker beside it, if the build has any.
    const uint32_t workers = threads > 1 ? threads - 1 : VOLNAV_THREADS;
    int code = measure_moves(&b, map);
    if (code == EXIT_DONE) {
        code = measure_crowd(&b, map, workers);
    }

    if (code == EXIT_DONE) {
        code = measure_policy(&b, map, VN_UPDATE_ALWAYS, &b.out.always);
    }

    if (code == EXIT_DONE) {
        code = measure_policy(&b, map, VN_UPDATE_LAST_MOMENT, &b.out.moment);
    }

    if (code != EXIT_DONE) {
        return code;
    }

    (load->json ? write_json : write_text)(&b, map, workers);
    if (b.out.invalid > 0) {
        fprintf(stderr, "volnav: %" PRIu64 " paths are not free in the version that they name\n",
                b.out.invalid);
        return EXIT_NO_PATH;
    }

    return EXIT_DONE;
}
