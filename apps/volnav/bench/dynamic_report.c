/// volnav/bench/dynamic_report.c: JSON and text of bench --dynamic.
#include <inttypes.h>
#include <stdio.h>

#include "bench/dynamic.h"

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
    json_real(json, "updates_a_second", (double)f->updates * DYNAMIC_FRAME_RATE / (double)f->ticks);
    json_real(json, "new_paths_a_second", (double)f->replans * DYNAMIC_FRAME_RATE / (double)f->ticks);
    json_end(json);
}

static void write_json(const dynamic_options* options, const char* map, const dynamic_figures* f) {
    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "map", load_file_name(map));
    write_times(&json, "update_us", &f->move, 1e6);
    write_times(&json, "query_us", &f->query, 1e6);
    json_real(&json, "update_over_query", f->move.mean / f->query.mean);

    json_begin_object(&json, "update_stages_us");
    for (int i = 0; i < (int)VN_STAGE_COUNT; ++i) {
        json_real(&json, vn_update_stage_name((vn_update_stage)i), f->stages[i] * 1e6);
    }

    json_end(&json);
    json_begin_object(&json, "crowd");
    json_count(&json, "obstacles", options->obstacles);
    json_count(&json, "requests_a_frame", options->requests);
    json_count(&json, "workers", f->workers);
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
    write_policy(&json, "always", &f->policies[DYNAMIC_ALWAYS]);
    write_policy(&json, "last_moment", &f->policies[DYNAMIC_LAST_MOMENT]);
    json_real(&json, "always_over_last_moment",
              f->policies[DYNAMIC_ALWAYS].seconds / f->policies[DYNAMIC_LAST_MOMENT].seconds);
    json_end(&json);
    json_end(&json);
}

static void print_times(const char* name, const stats_summary* s, double scale, const char* unit) {
    printf("  %-22s mean %9.2f  median %9.2f  p99 %9.2f  max %9.2f  %s\n", name, s->mean * scale,
           s->median * scale, s->p99 * scale, s->max * scale, unit);
}

static void print_policy(const char* name, const policy_figures* f) {
    const double rate = (double)DYNAMIC_FRAME_RATE / (double)f->ticks;
    printf("  %-12s %9.1f us (updates alone %9.1f us), %6.2f updates, %5.2f new paths\n", name,
           f->seconds * 1e6, f->update_seconds * 1e6, (double)f->updates * rate, (double)f->replans * rate);
}

static void print_text(const dynamic_options* options, const char* map, const dynamic_figures* f) {
    printf("%s\n\na box of %d x %d x %d voxels moves:\n", load_file_name(map), DYNAMIC_BOX, DYNAMIC_BOX,
           DYNAMIC_BOX);
    print_times("whole update", &f->move, 1e6, "us");
    print_times("standard query", &f->query, 1e6, "us");

    printf("  update / query: %.2f\n  of an update:", f->move.mean / f->query.mean);
    for (int i = 0; i < (int)VN_STAGE_COUNT; ++i) {
        printf("%s %s %.1f", i > 0 ? "," : "", vn_update_stage_name((vn_update_stage)i), f->stages[i] * 1e6);
    }

    puts(" us (with a clock at each)");
    printf("\n%" PRIu64 " obstacles, %" PRIu64 " requests a frame, %u workers, %" PRIu64 " frames (%" PRIu64
           " late), %" PRIu64 " versions:\n",
           options->obstacles, options->requests, (unsigned)f->workers, f->frames, f->late, f->versions);
    print_times("tick, host's thread", &f->tick, 1e6, "us");
    print_times("update", &f->update, 1e6, "us");
    print_times("version lag", &f->lag, 1, "frames");
    print_times("latency of results", &f->latency, 1, "frames");
    printf("  %" PRIu64 " requested, %" PRIu64 " found, %" PRIu64 " valid in the version they name\n",
           f->asked, f->found, f->valid);
    printf("\nthree obstacles on patrol, one path kept, %" PRIu64 " frames, a second of the scene:\n",
           f->policies[DYNAMIC_ALWAYS].ticks);
    print_policy("always", &f->policies[DYNAMIC_ALWAYS]);
    print_policy("last moment", &f->policies[DYNAMIC_LAST_MOMENT]);
    printf("  always / last moment: %.1f\n",
           f->policies[DYNAMIC_ALWAYS].seconds / f->policies[DYNAMIC_LAST_MOMENT].seconds);
}

void dynamic_report(const dynamic_options* options, bool json, const char* map,
                    const dynamic_figures* figures) {
    (json ? write_json : print_text)(options, map, figures);
}
