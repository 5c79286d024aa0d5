/// volnav/bench/report.c: sums, tables, JSON and CSV of the command bench.
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "shell/stats.h"
#include "shell/system.h"

/// All queries of one contender.
typedef struct summary {
    uint64_t found, valid, cost_errors, expanded, sight_checks, closed;
    double max_cost_error, length_over_scen;
    stats_summary repeat, stream; ///< seconds
} summary;

// ------------------------------------------------------------------------------------------- summing up

static void add_row(summary* sum, const bench_row* r, double expected) {
    sum->expanded += r->expanded;
    sum->sight_checks += r->sight_checks;
    sum->closed += r->closed;
    if (r->status != VN_OK) {
        return;
    }

    ++sum->found;
    sum->valid += r->valid ? 1 : 0;
    if (isnan(expected)) {
        return;
    }

    const double error = fabs(r->cost - expected) / (expected > 0 ? expected : 1);
    sum->cost_errors += error > 1e-5 ? 1 : 0;
    sum->max_cost_error = error > sum->max_cost_error ? error : sum->max_cost_error;
    sum->length_over_scen += expected > 0 ? r->length / expected : 1;
}

static summary sum_up(const bench* b, int contender) {
    summary sum = {0};
    double* repeats = say_alloc((size_t)b->count, sizeof *repeats);
    double* streams = say_alloc((size_t)b->count, sizeof *streams);
    for (uint64_t i = 0; i < b->count; ++i) {
        const bench_row* r = bench_row_at(b, i, contender);
        add_row(&sum, r, bench_line(b, i)->cost);
        repeats[i] = r->seconds;
        streams[i] = r->stream_seconds;
    }

    sum.repeat = stats_of(repeats, (size_t)b->count);
    sum.stream = stats_of(streams, (size_t)b->count);
    sum.length_over_scen /= (double)sum.found; // none found: not a number, null in JSON
    if (b->options->random > 0) {
        sum.length_over_scen = NAN;
    }

    assert(sum.valid <= sum.found && sum.found <= b->count);
    free(repeats);
    free(streams);
    return sum;
}

/// Expansions a second.
static double rate(const summary* sum, const stats_summary* times) {
    return times->sum > 0 ? (double)sum->expanded / times->sum : NAN;
}

static double ratio(const stats_summary* times, const stats_summary* first) {
    return first->mean > 0 ? times->mean / first->mean : NAN;
}

// ------------------------------------------------------------------------------------------------- JSON

static void write_scaling(json_writer* json, const scaling_result* scaling) {
    json_real(json, "queries_per_second_one", scaling->work.one);
    json_real(json, "queries_per_second", scaling->work.all);
    json_real(json, "scaling", scaling_gain(&scaling->work));
    json_real(json, "calibration_scaling", scaling_gain(&scaling->calibration));
}

/// The scenario's costs are the least on the grid: an any-angle path has nothing to compare with them.
static void write_cost_errors(json_writer* json, const bench* b, const bench_contender* contender,
                              const summary* sum) {
    if (!bench_has_scen_cost(contender) || b->options->random > 0) {
        json_null(json, "cost_errors");
        json_null(json, "max_cost_error");
        return;
    }

    json_count(json, "cost_errors", sum->cost_errors);
    json_real(json, "max_cost_error", sum->max_cost_error);
}

static const char* graph_name(const bench_contender* c) {
    const bool grid = c->kind == VN_CLASSIC_GRID;
    if (c->classic.graph != VN_GRAPH_DEFAULT) {
        return vn_classic_graph_name(c->classic.graph);
    }
    return vn_classic_graph_name(grid ? VN_GRAPH_CENTRES : VN_GRAPH_TRANSITIONS);
}

/// A part of what the voxels hold, without cells.
static bool is_of_voxels(const char* part) {
    return strcmp(part, "block table") == 0 || strcmp(part, "block flags") == 0 ||
           strcmp(part, "bricks") == 0;
}

/// What the space took: the voxels, and cells or a tree over them.
static void write_space(json_writer* json, const bench* b, const bench_contender* c) {
    vn_memory memory = {0}, tree = {0};
    vn_classic_info info;
    vn_space_get_memory(b->in->space, &memory);
    size_t bytes = 0;
    for (uint32_t i = 0; i < memory.count; ++i) {
        bytes += bench_is_cells(c) || is_of_voxels(memory.parts[i].name) ? memory.parts[i].bytes : 0;
    }

    if (!c->is_classic && (!c->is_plan || c->kind == VN_CLASSIC_GRID)) {
        json_real(json, "bake_seconds", b->in->bake_seconds);
        json_count(json, "bytes", bytes);
        return;
    }

    const classics* built = c->is_plan ? &b->plan_spaces[c->kind].trees : &b->classics;
    const vn_classic* classic = built->kinds[c->kind];
    vn_classic_get_memory(classic, &tree);
    vn_classic_get_info(classic, &info);
    json_real(json, "bake_seconds", b->in->bake_seconds + built->seconds[c->kind]);
    json_count(json, "bytes", bytes + tree.total);
    json_count(json, "boxes", info.cells);
}

/// The keys without a prefix are those of repeat.
static void write_times(json_writer* json, const summary* sum) {
    json_real(json, "mean_us", sum->repeat.mean * 1e6);
    json_real(json, "median_us", sum->repeat.median * 1e6);
    json_real(json, "p99_us", sum->repeat.p99 * 1e6);
    json_real(json, "max_us", sum->repeat.max * 1e6);
    json_real(json, "stream_mean_us", sum->stream.mean * 1e6);
    json_real(json, "stream_median_us", sum->stream.median * 1e6);
    json_real(json, "stream_p99_us", sum->stream.p99 * 1e6);
    json_real(json, "stream_max_us", sum->stream.max * 1e6);
}

static void write_result(json_writer* json, const bench* b, int contender, const summary* sum,
                         const summary* first) {
    const bench_contender* c = &b->contenders[contender];
    json_begin_object(json, NULL);
    json_text(json, "algo", c->algo.name);
    json_text(json, "space", c->space);
    json_text(json, "graph", c->is_classic ? graph_name(c) : NULL);
    json_text(json, "refine", vn_refine_name(c->request.refine));
    json_text(json, "quality", c->quality);
    json_real(json, "weight", bench_row_at(b, 0, contender)->weight);
    json_count(json, "queries", b->count);
    json_count(json, "found", sum->found);
    json_count(json, "valid", sum->valid);
    write_times(json, sum);
    json_real(json, "expanded", (double)sum->expanded / (double)b->count);
    json_real(json, "sight_checks",
              c->is_classic || c->is_plan ? (double)sum->sight_checks / (double)b->count : NAN);
    json_real(json, "closed", c->is_classic ? (double)sum->closed / (double)b->count : NAN);
    json_real(json, "expansions_per_second", rate(sum, &sum->repeat));
    json_real(json, "length_over_scen", sum->length_over_scen);
    write_cost_errors(json, b, c, sum);

    json_real(json, "ratio", ratio(&sum->repeat, &first->repeat));
    json_real(json, "stream_ratio", ratio(&sum->stream, &first->stream));
    if (b->workers > 1) {
        write_scaling(json, &c->scaling);
    }

    write_space(json, b, c);
    json_end(json);
}

static void write_json(const bench* b, const char* map, const summary* sums) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "map", load_file_name(map));
    json_text(&json, "scenario", b->options->random > 0 ? NULL : load_file_name(b->options->scen));
    json_count(&json, "lines", b->scen.line_count);
    json_count(&json, "sample", b->count);
    json_count(&json, "offset", b->options->offset);
    json_count(&json, "passes", b->options->passes);
    json_count(&json, "threads", b->workers);
    json_real(&json, "calibration_steps_per_second", b->calibration);
    json_triple(&json, "dims", b->in->info.dims.x, b->in->info.dims.y, b->in->info.dims.z);
    json_count(&json, "blocked_voxels", b->in->info.blocked_voxels);
    json_count(&json, "cells", b->in->info.cells);

    json_begin_array(&json, "skipped", false);
    for (int i = 0; i < b->skipped_count; ++i) {
        json_begin_object(&json, NULL);
        json_text(&json, "name", b->skipped[i].name);
        json_text(&json, "why", b->skipped[i].why);
        json_end(&json);
    }

    json_end(&json);
    json_begin_array(&json, "results", false);
    for (int c = 0; c < b->contender_count; ++c) {
        write_result(&json, b, c, &sums[c], &sums[0]);
    }

    json_end(&json);
    load_write_warnings(&json, b->in);
    json_end(&json);
}

// ------------------------------------------------------------------------------------------------- text

/// Of the column of names.
static int name_width(const bench* b) {
    size_t width = 14;
    for (int c = 0; c < b->contender_count; ++c) {
        const size_t length = strlen(b->contenders[c].name);
        width = length > width ? length : width;
    }
    return (int)width;
}

static void print_times(const bench* b, const summary* sums) {
    const int width = name_width(b);
    puts("\nmilliseconds a query: the mean of repeat and of stream, the rest of stream");
    printf("%-*s %7s %7s %9s %9s %9s %9s %8s\n", width, "algo", "found", "valid", "repeat", "stream",
           "median", "p99", "ratio");
    for (int c = 0; c < b->contender_count; ++c) {
        const stats_summary* t = &sums[c].stream;
        printf("%-*s %7" PRIu64 " %7" PRIu64 " %9.4g %9.4g %9.4g %9.4g %8.4g\n", width, b->contenders[c].name,
               sums[c].found, sums[c].valid, sums[c].repeat.mean * 1e3, t->mean * 1e3, t->median * 1e3,
               t->p99 * 1e3, ratio(t, &sums[0].stream));
    }
}

static void print_work(const bench* b, const summary* sums) {
    const int width = name_width(b);
    printf("\n%-*s %11s %13s %13s %12s %11s\n", width, "algo", "expanded", "expanded/s", "length/scen",
           "cost errors", "worst");
    for (int c = 0; c < b->contender_count; ++c) {
        printf("%-*s %11.1f %13.4g", width, b->contenders[c].name,
               (double)sums[c].expanded / (double)b->count, rate(&sums[c], &sums[c].stream));
        if (isnan(sums[c].length_over_scen)) {
            printf(" %13s", "-");
        } else {
            printf(" %13.6f", sums[c].length_over_scen);
        }

        if (!bench_has_scen_cost(&b->contenders[c]) || b->options->random > 0) {
            printf(" %12s %11s\n", "-", "-");
        } else {
            printf(" %12" PRIu64 " %11.3g\n", sums[c].cost_errors, sums[c].max_cost_error);
        }
    }
}

static void print_gains(const bench* b) {
    const int width = name_width(b);
    char heading[32];
    snprintf(heading, sizeof heading, "%u threads", (unsigned)b->workers);
    printf("\n%-*s %14s %14s %10s %18s\n", width, "queries/s", "1 thread", heading, "scaling",
           "calibration loop");

    for (int c = 0; c < b->contender_count; ++c) {
        const scaling_result* s = &b->contenders[c].scaling;
        printf("%-*s %14.6g %14.6g %10.3f %18.3f\n", width, b->contenders[c].name, s->work.one, s->work.all,
               scaling_gain(&s->work), scaling_gain(&s->calibration));
    }
}

static void print_text(const bench* b, const char* map, const summary* sums) {
    const vn_voxel dims = b->in->info.dims;
    printf("%s: %d x %d x %d voxels, %" PRIu64 " blocked; %" PRIu64 " of %" PRIu64 " queries\n",
           load_file_name(map), dims.x, dims.y, dims.z, b->in->info.blocked_voxels, b->count,
           b->scen.line_count);
    print_times(b, sums);
    print_work(b, sums);
    if (b->workers > 1) {
        print_gains(b);
    }
}

// ---------------------------------------------------------------------------------------------- the report

/// Why paths were not found: the status of the first.
static void tell_missing(const bench* b, int contender, const summary* sum) {
    for (uint64_t i = 0; i < b->count && sum->found < b->count; ++i) {
        const vn_status status = bench_row_at(b, i, contender)->status;
        if (status != VN_OK) {
            fprintf(stderr, "volnav: %s found %" PRIu64 " of %" PRIu64 "; line %u: %s\n",
                    b->contenders[contender].name, sum->found, b->count, (unsigned)bench_line(b, i)->line,
                    vn_path_status_word(status));
            return;
        }
    }
}

int bench_report(const bench* b, const char* map) {
    summary sums[BENCH_CONTENDERS_MAX];
    bool all_valid = true;
    assert(b->contender_count >= 1 && b->contender_count <= BENCH_CONTENDERS_MAX);
    for (int c = 0; c < b->contender_count; ++c) {
        sums[c] = sum_up(b, c);
        all_valid = all_valid && sums[c].valid == sums[c].found;
    }

    (b->options->load.json ? write_json : print_text)(b, map, sums);
    for (int c = 0; c < b->contender_count; ++c) {
        tell_missing(b, c, &sums[c]);
    }

    if (!all_valid) {
        say_bad("a path failed its check: valid is below found");
        return EXIT_NO_PATH;
    }

    return EXIT_DONE;
}

/// Algorithm and quality do not name every contender: space and refinement have to be told, too.
static bool needs_more_columns(const bench* b) {
    bool more = b->refines.count > 1;
    for (int c = 0; c < b->contender_count; ++c) {
        more = more || b->contenders[c].is_classic || b->contenders[c].is_plan;
    }
    return more;
}

static void write_row(FILE* file, uint64_t query, const vn_scen_line* line, const bench_contender* c,
                      const bench_row* r, bool more) {
    char cost[32], length[32] = "";
    json_format_real(line->cost, cost);
    if (r->status == VN_OK) {
        json_format_real(r->length, length);
    }

    fprintf(file, "%" PRIu64 ",%u,%s,%s,%s,%s,%s,%.3f,%" PRIu64, query, (unsigned)line->line, cost,
            c->algo.name, c->quality != NULL ? c->quality : "", vn_path_status_word(r->status), length,
            r->seconds * 1e6, r->expanded);
    if (more) {
        fprintf(file, ",%s,%s", c->space, vn_refine_name(c->request.refine));
    }

    fprintf(file, ",%.3f\n", r->stream_seconds * 1e6);
}

int bench_write_rows(const bench* b, const char* path) {
    system_output out;
    const int code = system_create(path, &out);
    if (code != EXIT_DONE) {
        return code;
    }

    const bool more = needs_more_columns(b);
    fprintf(out.file, "query,line,scen_cost,algo,quality,status,length,us,expanded%s,stream_us\n",
            more ? ",space,refine" : "");
    for (uint64_t i = 0; i < b->count; ++i) {
        for (int c = 0; c < b->contender_count; ++c) {
            write_row(out.file, i, bench_line(b, i), &b->contenders[c], bench_row_at(b, i, c), more);
        }
    }

    return system_commit(&out);
}
