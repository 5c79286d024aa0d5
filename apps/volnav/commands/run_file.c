/// volnav/commands/run_file.c: recorded runs as files.
#include "commands/run_file.h"

#include <inttypes.h>
#include <stdlib.h>

#include "commands/sim_campaign.h"
#include "shell/json.h"
#include "shell/say.h"
#include "shell/system.h"
#include "shell/text.h"
#include "volnav/io.h"

// ------------------------------------------------------------------------------------------------- writing

static bool write_bytes(void* user, const void* data, size_t size) {
    FILE* file = user;
    return size == 0 || fwrite(data, 1, size, file) == size;
}

static int write_record(const char* path, const vn_run_record* record) {
    vn_detail detail = {0};
    vn_store_def def = vn_default_store_def();
    system_output out;
    if (system_create(path, &out) != EXIT_DONE) {
        return EXIT_BAD;
    }

    // If the file cannot take the bytes, committing says why, and leaves no file.
    const vn_sink sink = {write_bytes, out.file};
    const vn_status status = vn_run_record_write(record, &def, NULL, &sink, &detail);
    const int code = system_commit(&out);
    return status == VN_OK || code != EXIT_DONE ? code : say_status(path, status, &detail);
}

int run_file_save(const char* path, const vn_run_def* given, const vn_run_result* before) {
    vn_detail detail = {0};
    vn_run_def def = *given;
    vn_run* run = NULL;
    def.record = true;
    def.clock = NULL;
    vn_status status = vn_run_create(&def, &run, &detail);
    if (status == VN_OK) {
        do {
            status = vn_run_step(run, &detail);
        } while (status == VN_RUNNING);
    }
    if (status != VN_OK) {
        vn_run_destroy(run);
        return say_status(path, status, &detail);
    }

    const vn_run_record* record = vn_run_get_record(run);
    int code = write_record(path, record);
    if (code == EXIT_DONE && vn_run_record_result(record, NULL)->hash != before->hash) {
        say_bad("seed %" PRIu64 " went otherwise when it was flown again for %s: this is a bug", def.seed,
                path);
        code = EXIT_NO_PATH;
    }
    vn_run_destroy(run);
    return code;
}

// ------------------------------------------------------------------------------------------------- reading

bool run_file_is(const char* path) {
    vn_store_info* info = say_alloc(1, sizeof *info);
    const bool is = vn_store_read_info_file(path, info, NULL) == VN_OK && info->kind == VN_STORE_RUN;
    free(info);
    return is;
}

static int load(const char* path, vn_run_record** out) {
    const vn_codec zstd = vn_zstd_codec(0);
    vn_load_def def = vn_default_load_def();
    vn_detail detail = {0};
    void* data = NULL;
    size_t size = 0;
    def.codec = &zstd;
    *out = NULL;
    vn_status status = vn_store_load_bytes(path, &def, &data, &size, &detail);
    if (status == VN_OK) {
        status = vn_run_record_read(data, size, &def, out, &detail);
        def.allocator.release(def.allocator.user, data, size);
    }
    return status == VN_OK ? EXIT_DONE : say_status(path, status, &detail);
}

static void write_result(json_writer* json, const vn_run_result* r, uint64_t steps) {
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
    json_text(json, "end", vn_run_end_name(r->end));
    json_count(json, "steps", steps);
    json_real(json, "seconds", r->seconds);
    json_count(json, "arrived", r->arrived);
    json_count(json, "collisions", r->collisions);
    json_count(json, "wall_hits", r->wall_hits);
    json_count(json, "agent_hits", r->agent_hits);
    json_real(json, "clearance", r->clearance);
    json_real(json, "length", r->length);
    json_text(json, "hash", hash);
}

static void write_run(json_writer* json, const vn_run_record* record) {
    const vn_run_def* def = vn_run_record_def(record);
    json_text(json, "kind", "run");
    json_text(json, "scene", def->scene);
    json_text(json, "variant", def->variant);
    json_text(json, "algo", def->algo);
    json_text(json, "space", def->space);
    json_text(json, "autopilot", sim_pilot_name(def));
    json_count(json, "seed", def->seed);
    json_count(json, "agents", def->agents);
    json_real(json, "latency", def->latency);
}

static void print_result(const char* name, const vn_run_result* r, uint64_t steps) {
    printf("  %-9s %s after %s, %.6g s, %.17g m; %s, %s; hash %016" PRIx64 "\n", name,
           vn_run_end_name(r->end), text_count(steps, "step").s, r->seconds, r->length,
           text_count(r->collisions, "collision").s, text_count(r->wall_hits, "wall hit").s, r->hash);
}

// ------------------------------------------------------------------------------------------------ commands

static void print_replay(const char* path, const vn_run_record* record, const vn_run_replay* replay,
                         bool as_json) {
    uint64_t steps = 0;
    const vn_run_result* result = vn_run_record_result(record, &steps);
    if (!as_json) {
        printf("%s: %s\n", path, replay->text);
        print_result("recorded", result, steps);
        print_result("now", &replay->result, replay->steps);
        return;
    }

    json_writer json = json_open(stdout);
    json_begin_object(&json, NULL);
    json_bool(&json, "same", replay->same);
    json_text(&json, "difference", replay->same ? NULL : replay->text);
    json_count(&json, "same_until", replay->same_until);
    if (replay->first_difference == VN_RUN_NO_STEP) {
        json_null(&json, "first_difference");
    } else {
        json_count(&json, "first_difference", replay->first_difference);
    }
    write_run(&json, record);
    write_result(&json, &replay->result, replay->steps);
    json_begin_object(&json, "recorded");
    write_result(&json, result, steps);
    json_end(&json);
    json_end(&json);
}

int run_file_replay(const char* path, uint32_t workers, bool as_json) {
    vn_detail detail = {0};
    vn_run_record* record = NULL;
    vn_run_replay replay;
    int code = load(path, &record);
    if (code != EXIT_DONE) {
        return code;
    }

    const vn_status status = vn_run_record_replay(record, workers, &replay, &detail);
    if (status == VN_OK) {
        print_replay(path, record, &replay, as_json);
        code = replay.same ? EXIT_DONE : EXIT_NO_PATH;
    } else {
        code = say_status(path, status, &detail);
    }
    vn_run_record_destroy(record);
    return code;
}

int run_file_info(const char* path, bool as_json) {
    vn_run_record* record = NULL;
    const int code = load(path, &record);
    if (code != EXIT_DONE) {
        return code;
    }

    uint64_t steps = 0;
    const vn_run_def* def = vn_run_record_def(record);
    const vn_run_result* result = vn_run_record_result(record, &steps);
    if (as_json) {
        json_writer json = json_open(stdout);
        json_begin_object(&json, NULL);
        write_run(&json, record);
        write_result(&json, result, steps);
        json_count(&json, "bytes", system_file_size(path));
        json_end(&json);
    } else {
        printf("%s: a recorded run: %s, %s, seed %" PRIu64 "\n", path, def->scene, def->variant, def->seed);
        printf("  flown by  %s on %s, autopilot %s, latency %g s, %s\n", def->algo, def->space,
               sim_pilot_name(def), def->latency, text_count(def->agents, "agent").s);
        print_result("ended", result, steps);
    }
    vn_run_record_destroy(record);
    return EXIT_DONE;
}
