/// run/record.c: recording a run, and flying it again.
#include "run/record.h"
#include "run/run_inside.h"

#include <string.h>

// ----------------------------------------------------------------------------------------------- recording

/// Copies the name with this index out of a row of names with spaces between.
static void copy_name(char out[VNI_RUN_NAME], const char* names, uint32_t index) {
    names = names != NULL ? names : "";
    for (; index > 0; --index) {
        names += strcspn(names, " ");
        names += *names == ' ';
    }
    const size_t length = strcspn(names, " ");
    const size_t taken = length < VNI_RUN_NAME ? length : VNI_RUN_NAME - 1;
    memcpy(out, names, taken);
    out[taken] = '\0';
}

void vni_run_record_tie(vn_run_record* record) {
    record->def.scene = record->names[0];
    record->def.algo = record->names[1];
    record->def.space = record->names[2];
    record->def.variant = record->names[3];
}

static uint32_t capacity_for(const vn_run_def* def) {
    const double steps = def->limit / def->step + 2;
    return steps < VNI_RUN_MOST_MARKS ? (uint32_t)steps : VNI_RUN_MOST_MARKS;
}

vn_status vni_run_record_begin(vn_run* run, vn_detail* detail) {
    const vn_allocator* m = &run->def.allocator;
    const uint32_t capacity = capacity_for(&run->def);
    vn_run_record* record = m->alloc(m->user, sizeof *record);
    uint64_t* marks = record != NULL ? m->alloc(m->user, capacity * sizeof *marks) : NULL;
    if (marks == NULL) {
        if (record != NULL)
            m->release(m->user, record, sizeof *record);
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for the record of a run");
    }

    *record = (vn_run_record){
        .allocator = *m, .def = run->def, .every = 1, .mark_capacity = capacity, .marks = marks};
    copy_name(record->names[0], run->kind->scene.name, 0);
    copy_name(record->names[1], run->kind->scene.algos, run->algo);
    copy_name(record->names[2], run->kind->scene.spaces, run->space);
    copy_name(record->names[3], run->kind->variants, run->variant);
    vni_run_record_tie(record);
    record->def.clock = NULL;
    record->def.workers = 0;
    record->def.record = false;
    run->record = record;
    return VN_OK;
}

void vni_run_record_mark(vn_run_record* record, uint64_t step, uint64_t hash) {
    record->steps = step;
    if (step % record->every != 0)
        return;

    // Full: every second mark goes.
    if (record->mark_count == record->mark_capacity) {
        for (uint32_t i = 0; 2 * i + 1 < record->mark_count; ++i)
            record->marks[i] = record->marks[2 * i + 1];
        record->mark_count /= 2;
        record->every *= 2;
    }
    if (step % record->every == 0)
        record->marks[record->mark_count++] = hash;
}

const vn_run_record* vn_run_get_record(vn_run* run) {
    if (run->record == NULL)
        return NULL;
    run->record->result = run->result;
    run->record->result.path_seconds = run->record->result.worst_step = 0;
    return run->record;
}

void vn_run_record_destroy(vn_run_record* record) {
    if (record == NULL)
        return;
    const vn_allocator m = record->allocator;
    if (record->mark_capacity > 0)
        m.release(m.user, record->marks, record->mark_capacity * sizeof *record->marks);
    m.release(m.user, record, sizeof *record);
}

const vn_run_def* vn_run_record_def(const vn_run_record* record) {
    return &record->def;
}

const vn_run_result* vn_run_record_result(const vn_run_record* record, uint64_t* steps) {
    if (steps != NULL)
        *steps = record->steps;
    return &record->result;
}

// ----------------------------------------------------------------------------------------------- replaying

static size_t add_text(char* out, size_t size, size_t at, const char* text) {
    const size_t length = strlen(text), left = size - 1 - at, taken = length < left ? length : left;
    memcpy(out + at, text, taken);
    out[at + taken] = '\0';
    return at + taken;
}

static size_t add_number(char* out, size_t size, size_t at, uint64_t number) {
    char digits[24] = {0};
    size_t first = sizeof digits - 1;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return add_text(out, size, at, digits + first);
}

/// One sentence: words, a number, words, a number, words.
static void say(vn_run_replay* out, const char* begin, uint64_t a, const char* middle, uint64_t b,
                const char* end) {
    const size_t size = sizeof out->text;
    size_t at = add_text(out->text, size, 0, begin);
    at = add_number(out->text, size, at, a);
    at = add_text(out->text, size, at, middle);
    at = add_number(out->text, size, at, b);
    add_text(out->text, size, at, end);
}

/// Steps until the recorded number of steps is reached, the run ends, or a mark differs.
static vn_status fly(const vn_run_record* record, vn_run* run, vn_run_replay* out, vn_detail* detail) {
    vn_status status = VN_RUNNING;
    while (status == VN_RUNNING && out->steps < record->steps) {
        status = vn_run_step(run, detail);
        if (status != VN_RUNNING && status != VN_OK)
            return status;
        ++out->steps;
        if (out->steps % record->every != 0)
            continue;

        const uint64_t mark = record->marks[out->steps / record->every - 1];
        if (run->result.hash != mark) {
            out->first_difference = out->steps;
            return VN_OK;
        }
        out->same_until = out->steps;
    }

    return VN_OK;
}

/// The first number of the result that differs; null: none does.
static const char* find_field(const vn_run_result* a, const vn_run_result* b) {
    for (int i = 0; i < VNI_RUN_RESULT_FIELDS; ++i) {
        const vni_run_field* f = &vni_run_result_fields[i];
        const size_t size = vni_run_field_size(f->type);
        if (memcmp((const char*)a + f->offset, (const char*)b + f->offset, size) != 0)
            return f->name;
    }
    return NULL;
}

static void compare(const vn_run_record* record, vn_run_replay* out) {
    const char* field = find_field(&record->result, &out->result);
    if (out->first_difference != VN_RUN_NO_STEP) {
        say(out, "the positions differ after step ", out->first_difference, " and were the same after step ",
            out->same_until, "");
    } else if (out->steps != record->steps) {
        out->first_difference = out->steps;
        say(out, "the run ends after step ", out->steps, " and ended after step ", record->steps, "");
    } else if (field != NULL) {
        out->first_difference = out->steps;
        say(out, "the positions are the same in all ", out->same_until, " steps, but after step ", out->steps,
            " another number of the result differs: ");
        add_text(out->text, sizeof out->text, strlen(out->text), field);
    } else {
        out->same = true;
        out->same_until = out->steps;
        say(out, "the same, bit by bit, in all ", out->steps, " steps, compared in ", record->mark_count,
            " of them");
    }
}

vn_status vn_run_record_replay(const vn_run_record* record, uint32_t workers, vn_run_replay* out,
                               vn_detail* detail) {
    vn_run_def def = record->def;
    vn_run* run = NULL;
    *out = (vn_run_replay){.first_difference = VN_RUN_NO_STEP};
    def.workers = workers;
    vn_status status = vn_run_create(&def, &run, detail);
    if (status != VN_OK)
        return status;

    status = fly(record, run, out, detail);
    vn_run_get_result(run, &out->result);
    vn_run_destroy(run);
    if (status == VN_OK)
        compare(record, out);
    return status;
}
