/// volnav/bench/measure.c: runs the queries of every contender: repeated, as a stream, and on several
/// threads.
///
/// Two times are kept of each query. *Repeat* is the least of several passes of the same query in a row: its
/// memory is in the caches and the branches are trained, so it compares algorithms with little noise.
/// *Stream* is what a host sees: each query once, after a different one.
#include <assert.h>
#include <math.h>
#include <stdatomic.h>

#include "bench/bench.h"
#include "shell/progress.h"
#include "shell/rotation.h"
#include "shell/system.h"

/// Queries that one contender takes in a row before the next contender does: enough for its own memory to
/// come back into the caches, few enough that all contenders see the same clock rate.
enum { STREAM_BLOCK = 16 };

/// What the workers share while queries run.
typedef struct batch {
    bench* b;
    int contender; ///< of a throughput run
    const char* stage;
    progress_bar bar;
    atomic_uint_fast64_t done; ///< queries
} batch;

// ------------------------------------------------------------------------------------------------ one query

const vn_scen_line* bench_line(const bench* b, uint64_t i) {
    const uint64_t lines = b->scen.line_count;
    assert(i < b->count && b->count <= lines);
    return &b->scen.lines[(i * lines / b->count + b->options->offset % lines) % lines];
}

/// One query by one contender.
typedef struct found {
    vn_status status;
    vn_classic_result result; ///< of the core's searches the path only
    const vn_point* points;
    uint32_t count;
    vn_point start, goal;
} found;

static void find(const bench* b, int contender, uint64_t query, uint32_t worker, found* out,
                 vn_detail* detail) {
    const vn_scen_line* line = bench_line(b, query);
    const bench_contender* c = &b->contenders[contender];
    out->start = vn_voxel_center(line->start);
    out->goal = vn_voxel_center(line->goal);
    if (c->is_plan) {
        one_plan* plan = &c->plans[worker];
        out->status = plans_find(b->in, plan, &c->planner, out->start, out->goal, c->request.budget,
                                 &out->result, &out->count);
        out->points = plan->points;
        return;
    }

    if (c->is_classic) {
        vn_classic_query* scratch = b->classic_scratch[worker].kinds[c->kind];
        vn_classic_request request = c->classic;
        request.start = out->start;
        request.goal = out->goal;
        out->status = vn_classic_query_find_path(scratch, &request, &out->result, detail);
        out->points = vn_classic_query_points(scratch, &out->count);
        return;
    }

    vn_path_request request = c->request;
    request.start = out->start;
    request.goal = out->goal;
    out->status = vn_query_find_path(b->scratch[worker], &request, &out->result.path, detail);
    out->points = vn_query_points(b->scratch[worker], &out->count);
}

/// Seconds of processor time of one query.
static double find_timed(const bench* b, int contender, uint64_t query, uint32_t worker, found* out) {
    const double begin = system_thread_seconds();
    find(b, contender, query, worker, out, NULL);
    return system_thread_seconds() - begin;
}

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Voxels from a to b.
static double distance(vn_point a, vn_point b) {
    const double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z) / VN_LATTICE;
}

/// The path joins the two points, is as long as the result says, and the checker finds it free.
static bool is_valid(const bench* b, const found* f) {
    const vn_point* points = f->points;
    double length = 0;
    for (uint32_t i = 1; i < f->count; ++i) {
        length += distance(points[i - 1], points[i]);
    }

    length *= (double)b->in->info.resolution;
    const bool free_world = b->options->random == 0 || b->in->world == NULL ||
                            vn_world_check_path(b->in->world, b->in->space, points, f->count,
                                                load_radius(&b->options->load), NULL);
    return free_world && f->count > 0 && is_same(points[0], f->start) &&
           is_same(points[f->count - 1], f->goal) &&
           fabs(length - f->result.path.length) <= 1e-9 * (1 + length) &&
           vn_space_check_path(b->in->space, points, f->count, NULL);
}

// --------------------------------------------------------------------------------------------------- repeat

static void note_first(const bench* b, const found* f, double seconds, bench_row* out) {
    *out = (bench_row){.status = f->status, .seconds = seconds};
    out->length = f->result.path.length;
    out->cost = f->result.path.cost;
    out->weight = f->result.path.weight;
    out->expanded = f->result.path.expanded;
    out->sight_checks = f->result.sight_checks;
    out->closed = f->result.closed;
    out->valid = f->status == VN_OK && is_valid(b, f);
}

/// A later run that does other work than the first would publish a time of something that was never checked.
static void compare_with_first(const found* f, bench_row* row) {
    row->differs = row->differs || f->status != row->status || f->result.path.length != row->length ||
                   f->result.path.expanded != row->expanded;
}

static void repeat(const bench* b, uint32_t worker, int contender, uint64_t query) {
    bench_row* row = bench_row_at(b, query, contender);
    for (uint64_t pass = 0; pass < b->options->passes; ++pass) {
        found f = {0};
        const double seconds = find_timed(b, contender, query, worker, &f);
        if (pass == 0) {
            note_first(b, &f, seconds, row);
            continue;
        }

        compare_with_first(&f, row);
        row->seconds = seconds < row->seconds ? seconds : row->seconds;
    }
}

static void report_progress(batch* all, uint64_t queries, uint32_t worker) {
    const uint64_t done = atomic_fetch_add(&all->done, queries) + queries;
    if (worker == 0) {
        progress_report(&all->bar, all->stage, (double)done / (double)all->b->count);
    }
}

/// All contenders on each of these queries.
static void run_repeats(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    batch* all = context;
    const bench* b = all->b;
    const uint32_t contenders = (uint32_t)b->contender_count;
    assert(begin <= end && end <= b->count && worker < b->workers);
    for (uint32_t i = begin; i < end; ++i) {
        for (uint32_t turn = 0; turn < contenders; ++turn) {
            repeat(b, worker, (int)rotation_at(contenders, i, turn), i);
        }
        report_progress(all, 1, worker);
    }
}

// --------------------------------------------------------------------------------------------------- stream

/// One contender on the queries [begin, end). The query before them runs first without being timed: otherwise
/// the first one would follow another contender, not another query.
static void stream(const bench* b, uint32_t worker, int contender, uint64_t begin, uint64_t end) {
    found f = {0};
    find(b, contender, (begin + b->count - 1) % b->count, worker, &f, NULL);
    for (uint64_t i = begin; i < end; ++i) {
        bench_row* row = bench_row_at(b, i, contender);
        f = (found){0};
        row->stream_seconds = find_timed(b, contender, i, worker, &f);
        compare_with_first(&f, row);
    }
}

/// All contenders on each of these blocks of queries.
static void run_streams(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    batch* all = context;
    const bench* b = all->b;
    const uint32_t contenders = (uint32_t)b->contender_count;
    for (uint32_t block = begin; block < end; ++block) {
        const uint64_t first = (uint64_t)block * STREAM_BLOCK;
        const uint64_t last = first + STREAM_BLOCK < b->count ? first + STREAM_BLOCK : b->count;
        for (uint32_t turn = 0; turn < contenders; ++turn) {
            stream(b, worker, (int)rotation_at(contenders, block, turn), first, last);
        }
        report_progress(all, last - first, worker);
    }
}

// --------------------------------------------------------------------------------------------- all of them

/// One contender, nothing but queries.
static void run_plainly(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const batch* all = context;
    const bench* b = all->b;
    for (uint32_t i = begin; i < end; ++i) {
        found f = {0};
        find(b, all->contender, i % b->count, worker, &f, NULL);
    }
}

static void run_stage(batch* all, const char* stage, vn_task* task, uint64_t count) {
    const vn_jobs jobs = vn_pool_jobs(all->b->in->pool);
    all->stage = stage;
    atomic_store(&all->done, 0);
    void* handle = jobs.enqueue(jobs.user, task, all, (uint32_t)count, 1);
    if (handle != NULL) {
        jobs.finish(jobs.user, handle);
    }
}

static void measure_scaling(batch* all) {
    bench* b = all->b;
    const vn_jobs jobs = vn_pool_jobs(b->in->pool);
    for (int c = 0; c < b->contender_count; ++c) {
        all->contender = c;
        progress_report(&all->bar, "scaling", (double)c / b->contender_count);
        b->contenders[c].scaling =
            scaling_measure(&jobs, run_plainly, all, (uint32_t)b->count, b->options->passes);
    }
}

bool bench_is_outcome(vn_status status) {
    switch (status) {
    case VN_OK:
    case VN_PARTIAL:
    case VN_START_BLOCKED:
    case VN_GOAL_BLOCKED:
    case VN_NO_PATH:
    case VN_BUDGET_SPENT:
    case VN_CAPACITY:
    case VN_OUTSIDE:
    case VN_TOO_NARROW:
    case VN_UNKNOWN_SPACE: return true;
    default: return false;
    }
}

static int check_row(const bench* b, uint64_t query, int contender) {
    const bench_row* row = bench_row_at(b, query, contender);
    const char* name = b->contenders[contender].name;
    const unsigned line = (unsigned)bench_line(b, query)->line;
    if (!bench_is_outcome(row->status)) {
        vn_detail detail = {0};
        found f = {0};
        find(b, contender, query, 0, &f, &detail); // again, for the reason
        return say_bad("%s, line %u: %s", name, line,
                       detail.text[0] != '\0' ? detail.text : vn_status_text(row->status));
    }

    return row->differs ? say_bad("%s, line %u: two runs of the same query differ", name, line) : EXIT_DONE;
}

static int check_rows(const bench* b) {
    int code = EXIT_DONE;
    for (uint64_t i = 0; i < b->count && code == EXIT_DONE; ++i) {
        for (int c = 0; c < b->contender_count && code == EXIT_DONE; ++c) {
            code = check_row(b, i, c);
        }
    }
    return code;
}

int bench_measure(bench* b) {
    batch all = {.b = b, .bar = progress_begin(b->options->load.quiet)};
    atomic_init(&all.done, 0);

    // Repeats come first: they touch every page of scratch, which the stream then finds mapped.
    run_stage(&all, "repeat", run_repeats, b->count);
    run_stage(&all, "stream", run_streams, (b->count + STREAM_BLOCK - 1) / STREAM_BLOCK);
    b->calibration = scaling_calibration();
    if (b->workers > 1) {
        measure_scaling(&all);
    }

    progress_end(&all.bar);
    return check_rows(b);
}
