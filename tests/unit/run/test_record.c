/// tests/unit/run/test_record.c: recorded runs: bytes and back, flown again, damaged, and without memory.
#include "run/record.h"
#include "tests/unit/store/files.h"

static vn_run_def short_def(void) {
    vn_run_def def = vn_default_run_def();
    def.seed = 7;
    def.limit = 2;
    def.record = true;
    return def;
}

/// A run to its end.
static vn_run* fly(const vn_run_def* def) {
    vn_detail detail = {0};
    vn_run* run = NULL;
    assert_int_equal(vn_run_create(def, &run, &detail), VN_OK);
    vn_status status;
    do {
        status = vn_run_step(run, &detail);
    } while (status == VN_RUNNING);
    assert_int_equal(status, VN_OK);
    return run;
}

static vnt_file save(const vn_run_record* record) {
    const vn_store_def def = vn_default_store_def();
    vnt_file file = vnt_file_make();
    const vn_sink sink = vnt_file_sink(&file);
    assert_int_equal(vn_run_record_write(record, &def, NULL, &sink, NULL), VN_OK);
    return file;
}

static vn_run_record* load(const vnt_file* file) {
    const vn_load_def def = vn_default_load_def();
    vn_detail detail = {0};
    vn_run_record* record = NULL;
    assert_int_equal(vn_run_record_read(file->data, file->size, &def, &record, &detail), VN_OK);
    return record;
}

/// The bytes of a short run of the first scene.
static vnt_file make_file(void) {
    const vn_run_def def = short_def();
    vn_run* run = fly(&def);
    const vnt_file file = save(vn_run_get_record(run));
    vn_run_destroy(run);
    return file;
}

// -------------------------------------------------------------------------------------------------- content

static void record_holds_the_run(void** state) {
    (void)state;
    vn_run_def def = short_def();
    def.variant = "even-300";
    def.autopilot = VN_PILOT_RADAR;
    def.obstacles = 20;
    def.speed = 1.5;
    def.latency = 0.25;
    def.workers = 0;
    vn_run* run = fly(&def);
    vn_run_result result;
    vn_run_get_result(run, &result);
    vnt_file file = save(vn_run_get_record(run));
    vn_run_destroy(run);

    vn_run_record* record = load(&file);
    const vn_run_def* read = vn_run_record_def(record);
    uint64_t steps;
    const vn_run_result* then = vn_run_record_result(record, &steps);
    assert_string_equal(read->scene, "asteroids");
    assert_string_equal(read->algo, "cells");
    assert_string_equal(read->space, "cells");
    assert_string_equal(read->variant, "even-300");
    assert_int_equal(read->seed, 7);
    assert_int_equal(read->autopilot, VN_PILOT_RADAR);
    assert_int_equal(read->obstacles, 20);
    assert_true(read->speed == 1.5);
    assert_true(read->latency == 0.25);
    assert_true(read->step == 0.1);
    assert_true(read->limit == 2);
    assert_false(read->record);
    assert_int_equal(steps, 20);
    assert_int_equal(record->every, 1);
    assert_int_equal(record->mark_count, 20);
    assert_true(record->marks[19] == result.hash);
    assert_int_equal(then->end, VN_RUN_TIMEOUT);
    assert_memory_equal(then, &result, sizeof result);

    vnt_file again = save(record);
    assert_int_equal(again.size, file.size);
    assert_memory_equal(again.data, file.data, file.size);
    vnt_file_free(&again);
    vnt_file_free(&file);
    vn_run_record_destroy(record);
}

/// Without def.record there is none.
static void nothing_is_recorded_unasked(void** state) {
    (void)state;
    vn_run_def def = short_def();
    def.record = false;
    vn_run* run = fly(&def);
    assert_null(vn_run_get_record(run));
    vn_run_destroy(run);
}

/// Longer runs than there is room for keep every second mark, every fourth ...
static void marks_become_sparse(void** state) {
    (void)state;
    uint64_t marks[8];
    vn_run_record record = {.every = 1, .marks = marks, .mark_capacity = 8};
    for (uint64_t step = 1; step <= 1000; ++step) {
        vni_run_record_mark(&record, step, 1000000 + step);
        assert_true(record.mark_count <= 8);
        assert_int_equal(record.mark_count, step / record.every);
        for (uint32_t i = 0; i < record.mark_count; ++i)
            assert_int_equal(marks[i], 1000000 + (uint64_t)record.every * (i + 1));
    }
    assert_int_equal(record.every, 128);
    assert_int_equal(record.steps, 1000);
}

/// Each reader says what the other kinds of files are.
static void kinds_are_told_apart(void** state) {
    (void)state;
    vnt_file file = make_file();
    vn_load_def def = vn_default_load_def();
    vn_detail detail = {0};
    vn_store_info* info = malloc(sizeof *info);
    assert_non_null(info);
    assert_int_equal(vn_store_read_info(file.data, file.size, NULL, info, &detail), VN_OK);
    assert_int_equal(info->kind, VN_STORE_RUN);
    assert_true(info->is_record);
    assert_int_equal(info->layer_count, 0);
    free(info);

    vn_layers* layers = NULL;
    vn_record* query = NULL;
    assert_int_equal(vn_layers_read(file.data, file.size, &def, &layers, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, "recorded run"));
    assert_int_equal(vn_record_read(file.data, file.size, &def, &query, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, "recorded run"));
    vnt_file_free(&file);

    vni_rng rng = vni_rng_make(1);
    const vnt_layers_def world = {{5, 4, 3}, 1, false, VN_UNKNOWN_FREE};
    const vn_store_def store = vn_default_store_def();
    layers = vnt_random_layers(&rng, &world);
    file = vnt_write(layers, &store);
    vn_run_record* record = NULL;
    assert_int_equal(vn_run_record_read(file.data, file.size, &def, &record, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, ".vnav"));
    assert_null(record);
    vn_layers_destroy(layers);
    vnt_file_free(&file);
}

// ---------------------------------------------------------------------------------------------- flown again

/// Every scene, with 0, 1 and 3 workers, from the bytes.
static void runs_are_repeated_bit_by_bit(void** state) {
    (void)state;
    for (uint32_t i = 0; i < vn_run_scene_count(); ++i) {
        vn_run_def def = short_def();
        def.scene = vn_run_scene_get(i)->name;
        vn_run* run = fly(&def);
        vnt_file file = save(vn_run_get_record(run));
        vn_run_destroy(run);

        static const uint32_t workers[] = {0, 1, 3};
        vn_run_record* record = load(&file);
        for (int k = 0; k < (VOLNAV_THREADS ? 3 : 1); ++k) {
            vn_detail detail = {0};
            vn_run_replay replay;
            assert_int_equal(vn_run_record_replay(record, workers[k], &replay, &detail), VN_OK);
            assert_string_equal(replay.same ? "" : replay.text, "");
            assert_true(replay.same);
            assert_true(replay.first_difference == VN_RUN_NO_STEP);
            assert_int_equal(replay.same_until, record->steps);
        }
        vn_run_record_destroy(record);
        vnt_file_free(&file);
    }
}

/// The same on every platform and in every build. It changes with the scene and the pilot, and only then.
static void positions_are_those_written_down(void** state) {
    (void)state;
    const vn_run_def def = short_def();
    vn_run_result result;
    vn_run* run = fly(&def);
    vn_run_get_result(run, &result);
    assert_int_equal(result.hash, 0x7e1bbede25ab8627u);
    vn_run_destroy(run);
}

/// A run that is recorded on its way is repeated as far as it went.
static void a_part_of_a_run_is_repeated(void** state) {
    (void)state;
    const vn_run_def def = short_def();
    vn_detail detail = {0};
    vn_run_replay replay;
    vn_run* run = NULL;
    assert_int_equal(vn_run_create(&def, &run, &detail), VN_OK);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(vn_run_step(run, &detail), VN_RUNNING);
    const vn_run_record* record = vn_run_get_record(run);
    assert_int_equal(vn_run_record_result(record, NULL)->end, VN_RUN_GOING);
    assert_int_equal(vn_run_record_replay(record, 0, &replay, &detail), VN_OK);
    assert_true(replay.same);
    assert_int_equal(replay.steps, 5);
    vn_run_destroy(run);
}

static vn_run_replay replay_changed(const vn_run_record* record) {
    vn_detail detail = {0};
    vn_run_replay replay;
    assert_int_equal(vn_run_record_replay(record, 0, &replay, &detail), VN_OK);
    assert_false(replay.same);
    return replay;
}

static void differences_are_placed(void** state) {
    (void)state;
    vnt_file file = make_file();
    vn_run_record* record = load(&file);
    record->marks[12] ^= 1;
    vn_run_replay replay = replay_changed(record);
    assert_int_equal(replay.first_difference, 13);
    assert_int_equal(replay.same_until, 12);
    assert_int_equal(replay.steps, 13);
    assert_non_null(strstr(replay.text, "after step 13"));

    // with a mark every fourth step it lies between two of them
    record->marks[12] ^= 1;
    for (uint32_t i = 0; i < 5; ++i)
        record->marks[i] = record->marks[4 * i + 3];
    record->every = 4;
    record->marks[3] ^= 1;
    replay = replay_changed(record);
    assert_int_equal(replay.first_difference, 16);
    assert_int_equal(replay.same_until, 12);
    vn_run_record_destroy(record);

    record = load(&file);
    record->result.dynamic_nodes += 1;
    replay = replay_changed(record);
    assert_int_equal(replay.first_difference, 20);
    assert_int_equal(replay.same_until, 20);
    assert_non_null(strstr(replay.text, "dynamic_nodes"));
    record->result.dynamic_nodes -= 1;
    record->steps = 30; // the limit comes earlier
    record->every = 40;
    replay = replay_changed(record);
    assert_non_null(strstr(replay.text, "after step 20 and ended after step 30"));
    vn_run_record_destroy(record);
    vnt_file_free(&file);
}

/// A name that no scene has is for the replay to refuse.
static void unknown_scenes_are_refused(void** state) {
    (void)state;
    vnt_file file = make_file();
    vn_run_record* record = load(&file);
    vn_run_replay replay;
    vn_detail detail = {0};
    record->names[0][0] = 'x';
    assert_int_equal(vn_run_record_replay(record, 0, &replay, &detail), VN_NOT_FOUND);
    record->names[0][0] = 'a';
    record->def.obstacles = 4000000000u;
    assert_int_equal(vn_run_record_replay(record, 0, &replay, &detail), VN_BAD_ARGUMENT);
    vn_run_record_destroy(record);
    vnt_file_free(&file);
}

// -------------------------------------------------------------------------------------------------- damaged

/// Each byte changed, each length but the right one.
static void damage_is_noticed(void** state) {
    (void)state;
    vnt_file file = make_file();
    const vn_load_def def = vn_default_load_def();
    vn_run_record* record = NULL;
    for (size_t i = 0; i < file.size; ++i) {
        vn_detail detail = {0};
        file.data[i] ^= 0x10;
        const vn_status status = vn_run_record_read(file.data, file.size, &def, &record, &detail);
        assert_true(status == VN_BAD_FORMAT || status == VN_UNSUPPORTED);
        assert_int_equal(detail.status, status);
        assert_null(record);
        file.data[i] ^= 0x10;
        assert_int_equal(vn_run_record_read(file.data, i, &def, &record, &detail), VN_BAD_FORMAT);
    }
    vnt_file_free(&file);
}

/// Bytes changed behind right checksums: refused, or accepted as a record that can be written again.
static void lies_do_no_harm(void** state) {
    (void)state;
    vnt_file good = make_file();
    vnt_memory memory = vnt_memory_make();
    vn_load_def def = vn_default_load_def();
    def.allocator = vnt_memory_allocator(&memory);
    uint32_t accepted = 0, refused = 0;
    for (size_t i = VN_STORE_HEAD_SIZE; i < good.size; ++i) {
        static const uint8_t changes[] = {1, 0x80, 0xff};
        vnt_file file = vnt_file_copy(&good);
        vn_run_record* record = NULL;
        vn_detail detail = {0};
        file.data[i] ^= changes[i % 3];
        vnt_reseal(&file);
        if (vn_run_record_read(file.data, file.size, &def, &record, &detail) == VN_OK) {
            vnt_file again = save(record);
            vn_run_record* read = load(&again);
            assert_int_equal(read->steps, record->steps);
            vn_run_record_destroy(read);
            vnt_file_free(&again);
            ++accepted;
        } else {
            assert_true(detail.text[0] != '\0');
            ++refused;
        }
        vn_run_record_destroy(record);
        assert_int_equal(memory.live_blocks, 0);
        vnt_file_free(&file);
    }
    assert_true(accepted > 100); // marks, hashes, counts
    assert_true(refused > 100);  // the table, names, numbers out of range
    vnt_file_free(&good);
}

/// Replaces bytes of one part of a file, sealed as a writer would.
static void expect_refusal(const vnt_file* good, uint32_t part, size_t at, const void* bytes, size_t size,
                           const char* says) {
    const vn_load_def def = vn_default_load_def();
    const vn_store_def store = vn_default_store_def();
    vn_store_part parts[VN_STORE_RUN_PARTS];
    void* data[VN_STORE_RUN_PARTS];
    for (uint32_t i = 0; i < VN_STORE_RUN_PARTS; ++i) {
        assert_int_equal(vn_store_read_run(good->data, good->size, &def, i, &data[i], &parts[i].size, NULL),
                         VN_OK);
        parts[i].data = data[i];
    }

    vnt_file file = vnt_file_make();
    const vn_sink sink = vnt_file_sink(&file);
    vn_run_record* record = NULL;
    vn_detail detail = {0};
    assert_true(at + size <= parts[part].size);
    memcpy((uint8_t*)data[part] + at, bytes, size);
    assert_int_equal(vn_store_write_run(parts, &store, NULL, &sink, NULL), VN_OK);
    assert_int_equal(vn_run_record_read(file.data, file.size, &def, &record, &detail), VN_BAD_FORMAT);
    assert_non_null(strstr(detail.text, says));
    for (uint32_t i = 0; i < VN_STORE_RUN_PARTS; ++i)
        def.allocator.release(def.allocator.user, data[i], parts[i].size);
    vnt_file_free(&file);
}

/// Places in the parts: version 4, then names "asteroids", "cells", "cells", "sparse" with their lengths.
enum { NAME_AT = 8, SEED_AT = 4 + 4 * 4 + 9 + 5 + 5 + 6, RULES_AT = SEED_AT + 8, SPEED_AT = RULES_AT + 16 };

static void numbers_that_cannot_be(void** state) {
    (void)state;
    vnt_file file = make_file();
    const uint32_t two = 2, many = 1000000, none = 0;
    const double nan = HUGE_VAL - HUGE_VAL, negative = -1, endless = HUGE_VAL;
    for (uint32_t part = 0; part < VN_STORE_RUN_PARTS; ++part)
        expect_refusal(&file, part, 0, &two, 4, "version");
    expect_refusal(&file, 0, 4, &many, 4, "cut off");
    expect_refusal(&file, 0, NAME_AT, "\n", 1, "no text");
    expect_refusal(&file, 0, RULES_AT, &two, 4, "out of range");
    expect_refusal(&file, 0, RULES_AT + 4, &many, 4, "out of range");
    for (size_t i = 0; i < 6; ++i) {
        expect_refusal(&file, 0, SPEED_AT + 8 * i, &nan, 8, "cut off");
        expect_refusal(&file, 0, SPEED_AT + 8 * i, &negative, 8, "out of range");
        expect_refusal(&file, 0, SPEED_AT + 8 * i, &endless, 8, "out of range");
    }
    expect_refusal(&file, 0, SPEED_AT + 48, "\2", 1, "cut off");
    expect_refusal(&file, 1, 12, &many, 4, "does not know");
    expect_refusal(&file, 1, 16, &many, 4, "does not know");
    expect_refusal(&file, 1, 12 + 36, &nan, 8, "no numbers");      // after nine counts
    expect_refusal(&file, 1, 4, &many, 4, "as many as its steps"); // the number of steps
    expect_refusal(&file, 2, 4, &none, 4, "marks");
    expect_refusal(&file, 2, 4, &two, 4, "as many as its steps");
    vnt_file_free(&file);
}

static void parts_are_checked(void** state) {
    (void)state;
    vn_store_def def = vn_default_store_def();
    vnt_file file = vnt_file_make();
    const vn_sink sink = vnt_file_sink(&file);
    vn_detail detail = {0};
    vn_store_part parts[VN_STORE_RUN_PARTS] = {{"a", 1}, {"b", 0}, {"c", 1}};
    assert_int_equal(vn_store_write_run(parts, &def, NULL, &sink, &detail), VN_BAD_ARGUMENT);
    assert_int_equal(detail.index, 1);
    parts[1].size = (size_t)VN_STORE_MAX_TREE + 1;
    assert_int_equal(vn_store_write_run(parts, &def, NULL, &sink, &detail), VN_TOO_LARGE);
    parts[1].size = 1;
    def.cookie = 0;
    assert_int_equal(vn_store_write_run(parts, &def, NULL, &sink, &detail), VN_BAD_DEF);
    assert_int_equal(file.size, 0);

    // packed, with a comment; and a sink that is full
    const vn_codec codec = vnt_zero_codec();
    static const uint8_t zeros[500];
    def = vn_default_store_def();
    def.codec = &codec;
    def.comment = "three parts";
    parts[1] = (vn_store_part){zeros, sizeof zeros};
    assert_int_equal(vn_store_write_run(parts, &def, NULL, &sink, &detail), VN_OK);
    vn_load_def load_def = vn_default_load_def();
    load_def.codec = &codec;
    void* data;
    size_t size;
    assert_int_equal(vn_store_read_run(file.data, file.size, &load_def, 1, &data, &size, &detail), VN_OK);
    assert_int_equal(size, sizeof zeros);
    assert_memory_equal(data, zeros, size);
    load_def.allocator.release(load_def.allocator.user, data, size);
    load_def.codec = NULL;
    assert_int_equal(vn_store_read_run(file.data, file.size, &load_def, 1, &data, &size, &detail),
                     VN_UNSUPPORTED);
    file.fail_at = file.calls;
    assert_int_equal(vn_store_write_run(parts, &def, NULL, &sink, &detail), VN_IO);
    vnt_file_free(&file);
}

// --------------------------------------------------------------------------------------------- no memory

static void lack_of_memory_is_a_status(void** state) {
    (void)state;
    vnt_file file = make_file();
    vn_load_def def = vn_default_load_def();
    const vn_store_def store = vn_default_store_def();
    vn_run_record *record = NULL, *kept = load(&file);
    vn_status status = VN_OUT_OF_MEMORY;
    for (uint64_t i = 0; status != VN_OK; ++i) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = i;
        def.allocator = vnt_memory_allocator(&memory);
        status = vn_run_record_read(file.data, file.size, &def, &record, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_int_equal(record != NULL, status == VN_OK);
        vn_run_record_destroy(record);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }

    status = VN_OUT_OF_MEMORY;
    for (uint64_t i = 0; status != VN_OK; ++i) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = i;
        const vn_allocator allocator = vnt_memory_allocator(&memory);
        vnt_file out = vnt_file_make();
        const vn_sink sink = vnt_file_sink(&out);
        status = vn_run_record_write(kept, &store, &allocator, &sink, NULL);
        assert_int_equal(status, memory.failed ? VN_OUT_OF_MEMORY : VN_OK);
        assert_int_equal(memory.live_blocks, 0);
        vnt_file_free(&out);
    }
    vn_run_record_destroy(kept);
    vnt_file_free(&file);
}

/// The first allocations of a run are the run, its record and the marks; then one of the scene's.
static void a_run_without_memory_for_its_record(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 4; ++i) {
        vnt_memory memory = vnt_memory_make();
        memory.fail_at = i;
        vn_run_def def = short_def();
        def.allocator = vnt_memory_allocator(&memory);
        vn_run* run = NULL;
        assert_int_equal(vn_run_create(&def, &run, NULL), VN_OUT_OF_MEMORY);
        assert_null(run);
        assert_int_equal(memory.live_blocks, 0);
        assert_false(memory.mismatch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(record_holds_the_run),
                                       cmocka_unit_test(nothing_is_recorded_unasked),
                                       cmocka_unit_test(marks_become_sparse),
                                       cmocka_unit_test(kinds_are_told_apart),
                                       cmocka_unit_test(runs_are_repeated_bit_by_bit),
                                       cmocka_unit_test(positions_are_those_written_down),
                                       cmocka_unit_test(a_part_of_a_run_is_repeated),
                                       cmocka_unit_test(differences_are_placed),
                                       cmocka_unit_test(unknown_scenes_are_refused),
                                       cmocka_unit_test(damage_is_noticed),
                                       cmocka_unit_test(lies_do_no_harm),
                                       cmocka_unit_test(numbers_that_cannot_be),
                                       cmocka_unit_test(parts_are_checked),
                                       cmocka_unit_test(lack_of_memory_is_a_status),
                                       cmocka_unit_test(a_run_without_memory_for_its_record)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
