/// volnav/commands/replay.c: the command replay.
#include <inttypes.h>

#include "commands/commands.h"
#include "commands/run_file.h"
#include "input/load.h"
#include "shell/system.h"
#include "shell/text.h"
#include "volnav/io.h"
#include "volnav/path.h"

static const char help[] =
    "Usage: volnav replay F.vnrec [--workers N] [--json]\n"
    "\n"
    "Runs a recorded query again (volnav query ... --record F.vnrec) and compares its\n"
    "result with the one in the file, bit by bit: a bug report in one file, and a\n"
    "regression test. Or flies a recorded run again (volnav sim --record F.vnrec),\n"
    "and says after which step it first differs.\n"
    "\n"
    "  --workers N          of a run: threads of its nav (0); nothing depends on it\n"
    "  --json               JSON on standard output\n"
    "  --help               this text\n"
    "\n"
    "Examples:\n"
    "  volnav query ship.vnav --from 0,2,0 --to 9,2,4 --record bug.vnrec\n"
    "  volnav replay bug.vnrec\n"
    "\n"
    "JSON: same, difference, status, length, cost, expanded, points, recorded. Of a\n"
    "run: same, difference, same_until and first_difference (steps), kind (run),\n"
    "scene, variant, algo, space, autopilot, seed, agents, latency, end, steps,\n"
    "seconds, arrived, collisions, wall_hits, agent_hits, clearance, length, hash,\n"
    "recorded.\n"
    "\n"
    "Exit codes: 0 the same result; 1 a different one; 2 the file is refused.\n";

static void write_result(json_writer* json, const vn_space* space, const vn_path_result* result,
                         const vn_point* points, uint32_t count) {
    json_text(json, "status", vn_path_status_word(result->status));
    json_real(json, "length", result->length);
    json_real(json, "cost", result->cost);
    json_count(json, "expanded", result->expanded);

    json_begin_array(json, "points", false);
    for (uint32_t i = 0; i < count; ++i) {
        const vn_dvec3 p = vn_space_point_to_world(space, points[i]);
        json_triple(json, NULL, p.x, p.y, p.z);
    }

    json_end(json);
}

static void write_json(const vn_record* record, const vn_query* query, const vn_replay* replay) {
    const vn_space* space = vn_layers_space(vn_record_layers(record), 0);
    json_writer json = json_open(stdout);
    uint32_t count;
    json_begin_object(&json, NULL);
    json_bool(&json, "same", replay->same);
    json_text(&json, "difference", replay->same ? NULL : replay->text);
    const vn_point* points = vn_query_points(query, &count);
    write_result(&json, space, &replay->result, points, count);
    json_begin_object(&json, "recorded");
    points = vn_record_points(record, &count);
    write_result(&json, space, vn_record_result(record), points, count);
    json_end(&json);
    json_end(&json);
}

/// Answers that differ are printed to the last digit, others as the lattice knows them.
static void print_answer(const char* name, const vn_path_result* result, double resolution, bool rounded) {
    printf("  %-9s %s", name, vn_path_status_word(result->status));
    if (result->point_count > 0 && rounded) {
        printf(", %s m over %s, cost %s", text_metres(result->length, resolution).s,
               text_count(result->point_count, "point").s, text_metres(result->cost, resolution).s);
    } else if (result->point_count > 0) {
        printf(", %.17g m over %s, cost %.17g", result->length, text_count(result->point_count, "point").s,
               result->cost);
    }

    printf(", %" PRIu64 " expanded\n", result->expanded);
}

static void write_text(const char* path, const vn_record* record, const vn_replay* replay) {
    vn_space_info info;
    vn_space_get_info(vn_layers_space(vn_record_layers(record), 0), &info);
    printf("%s: %s\n", path, replay->same ? "the same answer as recorded" : replay->text);
    print_answer("recorded", vn_record_result(record), (double)info.resolution, replay->same);
    print_answer("now", &replay->result, (double)info.resolution, replay->same);
}

/// A file that is no record, with the next step where its name says what it is.
static int refuse(const char* path, vn_status status, const vn_detail* detail) {
    if (status == VN_IO || system_ends_with(path, ".vnrec")) {
        return say_status(path, status, detail);
    }

    return load_is_vnav(path)
               ? say_bad("%s: this is a saved space, not a recorded query; volnav info %s says "
                         "what it holds, volnav query %s searches it",
                         path, path, path)
               : say_bad("%s: this is no recorded query; volnav query IN --from x,y,z --to x,y,z "
                         "--record F.vnrec makes one",
                         path);
}

static int replay_file(const char* path, uint32_t workers, bool as_json) {
    vn_detail detail = {0};
    const vn_load_def def = vn_default_load_def();
    vn_record* record = NULL;
    vn_query* query = NULL;
    vn_replay replay;
    vn_query_def query_def = vn_default_query_def();

    vn_status status = vn_record_load_file(path, &def, &record, &detail);
    if (status == VN_BAD_FORMAT && run_file_is(path)) {
        return run_file_replay(path, workers, as_json);
    }
    if (status == VN_OK) {
        query_def.scratch =
            vn_record_request(record)->algo == VN_ALGO_CELLS ? VN_SCRATCH_CELLS : VN_SCRATCH_GRID;
        status = vn_query_create_layers(vn_record_layers(record), &query_def, &query, &detail);
    }

    if (status == VN_OK) {
        status = vn_record_replay(record, query, &replay, &detail);
    }

    int code = status == VN_OK ? EXIT_DONE : refuse(path, status, &detail);
    if (code == EXIT_DONE && as_json) {
        write_json(record, query, &replay);
    } else if (code == EXIT_DONE) {
        write_text(path, record, &replay);
    }

    if (code == EXIT_DONE && !replay.same) {
        code = EXIT_NO_PATH;
    }

    vn_query_destroy(query);
    vn_record_destroy(record);
    return code;
}

int command_replay(int argc, char** argv) {
    bool as_json = false;
    uint64_t workers = 0;
    args_table table = {.command = "replay", .positional_max = 1};
    args_add(&table, "--workers", ARGS_COUNT, ARGS_ANY, &workers, NULL);
    args_add(&table, "--json", ARGS_FLAG, ARGS_ANY, &as_json, NULL);
    const int code = args_parse(&table, argc, argv);
    if (code != EXIT_DONE) {
        return code;
    }

    if (table.help) {
        fputs(help, stdout);
        return EXIT_DONE;
    }

    if (table.positional_count == 0) {
        return say_bad(
            "replay needs a .vnrec; volnav query ... --record F.vnrec makes one. See volnav replay "
            "--help.");
    }

    if (workers > 1024) {
        return say_bad("--workers %" PRIu64 ": 1024 at most", workers);
    }

    return replay_file(table.positional[0], (uint32_t)workers, as_json);
}
