/// volnav/experiment/run.c: measuring.
#include "experiment/run.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "shell/stats.h"
#include "volnav/path.h"

/// Queries that one contender runs before the next takes over.
enum { TURN = 5 };

/// What the workers share.
typedef struct batch batch;
struct batch {
    experiment* e;
    run_place* place;
    const char* stage;
    const run_contender* contenders;
    int contender_count;
    const run_pair* pairs;   ///< or
    const vn_point* targets; ///< in groups
    uint32_t count;
    run_row* rows;
    run_row (*run)(const batch* b, uint32_t worker, const run_contender* c, uint32_t i); ///< one row
    atomic_uint_fast64_t done;
};

// ------------------------------------------------------------------------------------------------- requests

/// The theses' heuristic is the straight line; on the grid with 26 neighbours, which is ours, the octile
/// distance.
static vn_classic_request classic_request(const run_contender* c) {
    const bool octile = c->graph == VN_GRAPH_CENTRES && c->neighbours == 26;
    vn_classic_request request = vn_default_classic_request();
    request.algo = c->algo;
    request.graph = c->graph;
    request.refine = c->refine;
    request.neighbours = c->neighbours;
    request.every_sight = c->every_sight;
    request.heuristic = octile ? VN_HEURISTIC_OCTILE : VN_HEURISTIC_EUCLIDEAN;

    return request;
}

static int check_contenders(const run_place* place, const run_contender* contenders, int count) {
    for (int i = 0; i < count; ++i) {
        const run_contender* c = &contenders[i];
        const vn_classic_request request = classic_request(c);
        vn_detail detail = {0};
        if (c->space == RUN_CELLS) {
            continue;
        }

        assert(place->classics[c->space] != NULL);
        const vn_status status = vn_classic_supports(place->classics[c->space], &request, &detail);
        if (status != VN_OK) {
            return say_status(c->name, status, &detail);
        }
    }

    return EXIT_DONE;
}

static bool is_same(vn_point a, vn_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_valid(const run_place* place, run_pair pair, const vn_point* points, uint32_t count) {
    return count > 0 && is_same(points[0], pair.from) && is_same(points[count - 1], pair.to) &&
           vn_space_check_path(place->space, points, count, NULL);
}

static double distance(const vn_space* space, vn_point a, vn_point b) {
    const vn_dvec3 p = vn_space_point_to_world(space, a), q = vn_space_point_to_world(space, b);
    const double x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
    return sqrt(x * x + y * y + z * z);
}

double run_length(const vn_space* space, const vn_point* points, uint32_t count) {
    double length = 0;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        length += distance(space, points[i], points[i + 1]);
    }
    return length;
}

/// Adds what is asked of the shape of a path.
static void add_shape(const run_place* place, const vn_point* points, uint32_t count, double length,
                      run_row* row) {
    row->straight += distance(place->space, points[0], points[count - 1]);
    row->last_leg += distance(place->space, points[count > 1 ? count - 2 : 0], points[count - 1]);
    row->bent += count > 2 ? length : 0;
}

// ---------------------------------------------------------------------------------------------- one search

/// Checks the path of a row; a valid one has its shape measured.
static void judge(run_place* place, run_pair pair, const vn_point* points, uint32_t count, run_row* row) {
    row->valid = row->found && is_valid(place, pair, points, count);
    if (row->valid) {
        add_shape(place, points, count, row->length, row);
    }
}

static run_row run_classic(run_place* place, uint32_t worker, const run_contender* c, run_pair pair) {
    vn_classic_query* query = place->queries[c->space][worker];
    vn_classic_request request = classic_request(c);
    vn_classic_result result = {0};
    request.start = pair.from;
    request.goal = pair.to;
    const double begin = system_thread_seconds();
    const vn_status status = vn_classic_query_find_path(query, &request, &result, NULL);
    run_row row = {.seconds = system_thread_seconds() - begin, .found = status == VN_OK};
    uint32_t count = 0;
    const vn_point* points = vn_classic_query_points(query, &count);
    row.length = result.path.length;
    row.sight_checks = (double)result.sight_checks;
    row.closed = (double)result.closed;
    judge(place, pair, points, count, &row);
    return row;
}

static run_row run_cells(run_place* place, uint32_t worker, run_pair pair) {
    vn_query* query = place->cells[worker];
    vn_path_request request = vn_default_path_request();
    vn_path_result result = {0};
    request.start = pair.from;
    request.goal = pair.to;
    const double begin = system_thread_seconds();
    const vn_status status = vn_query_find_path(query, &request, &result, NULL);
    run_row row = {.seconds = system_thread_seconds() - begin, .found = status == VN_OK};
    uint32_t count = 0;
    const vn_point* points = vn_query_points(query, &count);
    row.length = result.length;
    row.sight_checks = NAN; // not counted
    row.closed = (double)result.expanded;
    judge(place, pair, points, count, &row);
    return row;
}

/// Counts more rows as done; the bar is the first worker's.
static void report(batch* b, uint32_t worker, uint32_t rows) {
    const uint64_t done = atomic_fetch_add(&b->done, rows) + rows;
    if (worker == 0) {
        progress_report(&b->e->bar, b->stage, (double)done / ((double)b->count * b->contender_count));
    }
}

static run_row run_one(const batch* b, uint32_t worker, const run_contender* c, uint32_t i) {
    return c->space == RUN_CELLS ? run_cells(b->place, worker, b->pairs[i])
                                 : run_classic(b->place, worker, c, b->pairs[i]);
}

// ---------------------------------------------------------------------------------------------- five at once

static run_row many_classic(run_place* place, uint32_t worker, const run_contender* c,
                            const vn_point* targets) {
    vn_classic_query* query = place->queries[c->space][worker];
    vn_classic_request request = classic_request(c);
    vn_classic_target out[RUN_GROUP] = {{.status = VN_NO_PATH}};
    vn_classic_result total = {0};
    request.start = place->source;
    const double begin = system_thread_seconds();
    const vn_status status = vn_classic_query_find_many(query, &request, targets, RUN_GROUP,
                                                        VN_SHARING_KEPT_KEYS, out, &total, NULL);
    run_row row = {
        .seconds = system_thread_seconds() - begin, .found = status == VN_OK, .valid = status == VN_OK};
    uint32_t count = 0;

    const vn_point* points = vn_classic_query_points(query, &count);
    for (int i = 0; i < RUN_GROUP && row.found; ++i) {
        const run_pair pair = {place->source, targets[i]};
        row.length += out[i].length;
        row.valid = row.valid && out[i].first_point + out[i].point_count <= count &&
                    is_valid(place, pair, points + out[i].first_point, out[i].point_count);
        if (row.valid) {
            add_shape(place, points + out[i].first_point, out[i].point_count, out[i].length, &row);
        }
    }

    row.sight_checks = (double)total.sight_checks;
    row.closed = (double)total.closed;
    return row;
}

/// Cells have no shared sets, but a field: from one source to everywhere.
static run_row many_cells(run_place* place, uint32_t worker, const vn_point* targets) {
    vn_query* query = place->cells[worker];
    vn_field_request request = vn_default_field_request();
    uint64_t expanded = 0;
    run_row row = {.sight_checks = NAN, .valid = true};
    request.source = place->source;
    double begin = system_thread_seconds();
    row.found = vn_query_build_field(query, &request, &expanded, NULL) == VN_OK;

    row.seconds = system_thread_seconds() - begin;
    for (int i = 0; i < RUN_GROUP && row.found; ++i) {
        vn_path_result result = {0};
        uint32_t count = 0;
        begin = system_thread_seconds();
        row.found = vn_query_field_path(query, targets[i], &result) == VN_OK;
        row.seconds += system_thread_seconds() - begin;
        const run_pair pair = {place->source, targets[i]};
        const vn_point* points = vn_query_points(query, &count);
        row.length += result.length;
        row.valid = row.valid && row.found && is_valid(place, pair, points, count);
        if (row.valid) {
            add_shape(place, points, count, result.length, &row);
        }
    }

    row.closed = (double)expanded;
    return row;
}

static run_row run_group(const batch* b, uint32_t worker, const run_contender* c, uint32_t i) {
    const vn_point* targets = &b->targets[(size_t)RUN_GROUP * i];
    run_row row = c->space == RUN_CELLS ? many_cells(b->place, worker, targets)
                                        : many_classic(b->place, worker, c, targets);
    row.seconds /= RUN_GROUP;
    row.length /= RUN_GROUP;
    row.sight_checks /= RUN_GROUP;
    row.closed /= RUN_GROUP;
    row.straight /= RUN_GROUP;
    row.last_leg /= RUN_GROUP;
    row.bent /= RUN_GROUP;

    return row;
}

/// Who runs at `place` in turn number `turn`: the order begins with another contender in each turn, and every
/// other time it runs backwards, so that none always inherits the same caches and clock.
static int contender_at(int place, uint32_t turn, int count) {
    const int shifted = (int)(((uint32_t)place + turn / 2) % (uint32_t)count);
    return turn % 2 == 0 ? shifted : count - 1 - shifted;
}

/// Contenders take turns of a few queries, so that all see the same conditions of the machine.
static void run_range(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    batch* b = context;
    for (uint32_t first = begin; first < end; first += TURN) {
        const uint32_t last = end - first < TURN ? end : first + TURN;
        for (int k = 0; k < b->contender_count; ++k) {
            const int c = contender_at(k, first / TURN, b->contender_count);
            for (uint32_t i = first; i < last; ++i) {
                b->rows[(size_t)c * b->count + i] = b->run(b, worker, &b->contenders[c], i);
            }
            report(b, worker, last - first);
        }
    }
}

// -------------------------------------------------------------------------------------------------- batches

static int run_batch(batch* b, uint64_t paths_per_row) {
    if (check_contenders(b->place, b->contenders, b->contender_count) != EXIT_DONE) {
        return EXIT_BAD;
    }

    const vn_jobs jobs = vn_pool_jobs(b->e->pool);
    atomic_init(&b->done, 0);
    void* handle = jobs.enqueue(jobs.user, run_range, b, b->count, TURN);
    if (handle != NULL) {
        jobs.finish(jobs.user, handle);
    }

    for (size_t i = 0; i < (size_t)b->contender_count * b->count; ++i) {
        b->e->queries += paths_per_row;
        b->e->found += b->rows[i].found ? paths_per_row : 0;
        b->e->valid += b->rows[i].valid ? paths_per_row : 0;
    }

    return EXIT_DONE;
}

int run_pairs(experiment* e, run_place* place, const char* stage, const run_contender* contenders,
              int contender_count, const run_pair* pairs, uint32_t count, run_row* rows) {
    batch b = {
        .e = e, .place = place, .stage = stage, .contenders = contenders, .contender_count = contender_count};
    b.pairs = pairs;
    b.count = count;
    b.rows = rows;
    b.run = run_one;

    return run_batch(&b, 1);
}

int run_groups(experiment* e, run_place* place, const char* stage, const run_contender* contenders,
               int contender_count, const vn_point* targets, uint32_t count, run_row* rows) {
    batch b = {
        .e = e, .place = place, .stage = stage, .contenders = contenders, .contender_count = contender_count};
    b.targets = targets;
    b.count = count;
    b.rows = rows;
    b.run = run_group;

    return run_batch(&b, RUN_GROUP);
}

void run_count(experiment* e, const run_row* row) {
    ++e->queries;
    e->found += row->found ? 1 : 0;
    e->valid += row->valid ? 1 : 0;
}

run_summary run_sum(const run_row* rows, uint32_t count) {
    run_summary sum = {.count = 0};
    double* seconds = say_alloc(count > 0 ? count : 1, sizeof *seconds);
    for (uint32_t i = 0; i < count; ++i) {
        if (rows[i].found) {
            seconds[sum.count++] = rows[i].seconds;
            sum.length += rows[i].length;
            sum.sight_checks += rows[i].sight_checks;
            sum.closed += rows[i].closed;
            sum.straight += rows[i].straight;
            sum.last_leg += rows[i].last_leg;
            sum.bent += rows[i].bent;
        }
    }

    const stats_summary times = stats_of(seconds, (size_t)sum.count);
    free(seconds);
    sum.seconds = sum.count > 0 ? times.mean : (double)NAN;
    sum.median = sum.count > 0 ? times.median : (double)NAN;
    sum.length /= (double)sum.count;
    sum.sight_checks /= (double)sum.count;
    sum.closed /= (double)sum.count;
    sum.straight /= (double)sum.count;
    sum.last_leg /= (double)sum.count;
    sum.bent /= (double)sum.count;

    return sum;
}

void run_shuffle(void* things, size_t count, size_t size, uint64_t seed) {
    unsigned char* bytes = things;
    unsigned char swap[64];
    assert(size <= sizeof swap);
    for (size_t i = count; i > 1; --i) {
        unsigned char *a = bytes + (i - 1) * size, *b = bytes + (size_t)(vn_random_next(&seed) % i) * size;
        memcpy(swap, a, size);
        memcpy(a, b, size);
        memcpy(b, swap, size);
    }
}
