/// run/record_bytes.c: a recorded run as bytes (docs/files.md: a recorded run). Reading trusts nothing.
#include "run/record.h"
#include "sim/refuse.h"

#include <string.h>

/// Of each part.
#define VERSION 1

_Static_assert(sizeof(vn_run_end) == 4 && sizeof(vn_status) == 4 && sizeof(vn_run_rules) == 4 &&
                   sizeof(vn_pilot_group) == 4 && sizeof(bool) == 1,
               "enums are copied as u32, booleans as a byte");

#define DEF(name, type)                                                                                      \
    { #name, VNI_RUN_##type, offsetof(vn_run_def, name) }
#define RESULT(name, type)                                                                                   \
    { #name, VNI_RUN_##type, offsetof(vn_run_result, name) }

const vni_run_field vni_run_def_fields[VNI_RUN_DEF_FIELDS] = {
    DEF(seed, U64),      DEF(rules, U32),  DEF(autopilot, U32), DEF(agents, U32),
    DEF(obstacles, U32), DEF(speed, F64),  DEF(radar, F64),     DEF(step, F64),
    DEF(limit, F64),     DEF(replan, F64), DEF(latency, F64),   DEF(end_at_collision, BOOL),
    DEF(each_move, BOOL)};

// clang-format off
const vni_run_field vni_run_result_fields[VNI_RUN_RESULT_FIELDS] = {
    RESULT(end, U32),          RESULT(reason, U32),          RESULT(agents, U32),          RESULT(arrived, U32),
    RESULT(collisions, U32),   RESULT(wall_hits, U32),       RESULT(agent_hits, U32),      RESULT(caught, U32),
    RESULT(goals, U32),        RESULT(clearance, F64),       RESULT(wall_clearance, F64),  RESULT(agent_clearance, F64),
    RESULT(seconds, F64),      RESULT(length, F64),          RESULT(nominal, F64),         RESULT(fuel, F64),
    RESULT(steps, U64),        RESULT(stopped, U64),         RESULT(unverified, U64),      RESULT(calls, U64),
    RESULT(expanded, U64),     RESULT(dynamic_nodes, U64),   RESULT(hash, U64)};
// clang-format on

/// The parts of a file, in order.
enum { PART_RUN, PART_RESULT, PART_MARKS };
_Static_assert(PART_MARKS + 1 == VN_STORE_RUN_PARTS, "a file has these parts");

size_t vni_run_field_size(vni_run_type type) {
    return type == VNI_RUN_BOOL ? 1 : type == VNI_RUN_U32 ? 4 : 8;
}

// ------------------------------------------------------------------------------------------------- writing

/// The names and the numbers of a def or a result stay far below it.
enum { MOST_BYTES = 1024 };

/// Bytes in a buffer that is known to be large enough.
typedef struct pen {
    uint8_t* data;
    size_t size;
} pen;

static void put(pen* out, const void* data, size_t size) {
    memcpy(out->data + out->size, data, size);
    out->size += size;
}

static void put_u32(pen* out, uint32_t value) {
    put(out, &value, sizeof value);
}

static void put_fields(pen* out, const void* from, const vni_run_field* fields, int count) {
    for (int i = 0; i < count; ++i)
        put(out, (const uint8_t*)from + fields[i].offset, vni_run_field_size(fields[i].type));
}

static void put_run(pen* out, const vn_run_record* record) {
    put_u32(out, VERSION);
    for (int i = 0; i < VNI_RUN_NAMES; ++i) {
        const size_t length = strlen(record->names[i]);
        put_u32(out, (uint32_t)length);
        put(out, record->names[i], length);
    }
    put_fields(out, &record->def, vni_run_def_fields, VNI_RUN_DEF_FIELDS);
}

static void put_result(pen* out, const vn_run_record* record) {
    put_u32(out, VERSION);
    put(out, &record->steps, sizeof record->steps);
    put_fields(out, &record->result, vni_run_result_fields, VNI_RUN_RESULT_FIELDS);
}

static void put_marks(pen* out, const vn_run_record* record) {
    put_u32(out, VERSION);
    put_u32(out, record->every);
    if (record->mark_count > 0)
        put(out, record->marks, record->mark_count * sizeof *record->marks);
}

vn_status vn_run_record_write(const vn_run_record* record, const vn_store_def* def,
                              const vn_allocator* allocator, const vn_sink* sink, vn_detail* detail) {
    const vn_allocator m = allocator != NULL ? *allocator : vn_default_allocator();
    const size_t marks_size = 8 + record->mark_count * sizeof *record->marks;
    uint8_t run_bytes[MOST_BYTES], result_bytes[MOST_BYTES];
    uint8_t* marks_bytes = m.alloc(m.user, marks_size);
    if (marks_bytes == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for the bytes of a recorded run");

    pen run = {run_bytes, 0}, result = {result_bytes, 0}, marks = {marks_bytes, 0};
    put_run(&run, record);
    put_result(&result, record);
    put_marks(&marks, record);
    const vn_store_part parts[VN_STORE_RUN_PARTS] = {
        {run.data, run.size}, {result.data, result.size}, {marks.data, marks.size}};
    const vn_status status = vn_store_write_run(parts, def, &m, sink, detail);
    m.release(m.user, marks_bytes, marks_size);
    return status;
}

// ------------------------------------------------------------------------------------------------- reading

/// Bytes that may lie. Reading beyond the end sets `failed`, and gives zeros from then on.
typedef struct reader {
    const uint8_t* at;
    size_t left;
    bool failed;
} reader;

static void take(reader* in, void* out, size_t size) {
    if (in->failed || size > in->left) {
        in->failed = true;
        memset(out, 0, size);
        return;
    }

    memcpy(out, in->at, size);
    in->at += size;
    in->left -= size;
}

static uint32_t take_u32(reader* in) {
    uint32_t value;
    take(in, &value, sizeof value);
    return value;
}

static void take_fields(reader* in, void* to, const vni_run_field* fields, int count) {
    for (int i = 0; i < count; ++i) {
        uint8_t* field = (uint8_t*)to + fields[i].offset;
        uint8_t bytes[8];
        const size_t size = vni_run_field_size(fields[i].type);
        take(in, bytes, size);

        // Another byte than 0 or 1 is no bool, and neither is a number what is not equal to itself.
        double number = 0;
        if (fields[i].type == VNI_RUN_F64)
            memcpy(&number, bytes, sizeof number);
        in->failed |= number != number || (fields[i].type == VNI_RUN_BOOL && bytes[0] > 1);
        if (!in->failed)
            memcpy(field, bytes, size);
    }
}

/// Letters, digits and signs, without spaces; none at all in a scene without variants.
static bool is_name(const char* text, size_t length) {
    for (size_t i = 0; i < length; ++i)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    return true;
}

static bool is_in(double x, double low, double high) {
    return x >= low && x <= high;
}

static const char* take_run(reader* in, vn_run_record* record) {
    const uint32_t version = take_u32(in);
    for (int i = 0; i < VNI_RUN_NAMES; ++i) {
        const uint32_t length = take_u32(in);
        in->failed |= length >= VNI_RUN_NAME;
        take(in, record->names[i], in->failed ? 0 : length);
        in->failed |= in->failed || !is_name(record->names[i], length);
    }

    vn_run_def* def = &record->def;
    take_fields(in, def, vni_run_def_fields, VNI_RUN_DEF_FIELDS);
    if (in->failed || in->left > 0 || version != VERSION)
        return "the run of the record is cut off, too long, of another version, or has names that are no "
               "text";

    const bool good = (unsigned)def->rules <= VN_RUN_THESIS &&
                      (unsigned)def->autopilot < VN_PILOT_GROUP_COUNT && is_in(def->step, 0.001, 1) &&
                      is_in(def->limit, 0, VN_MAX_SCENE_SECONDS) && is_in(def->speed, 0, 1e9) &&
                      is_in(def->radar, 0, 1e9) && is_in(def->replan, 0, 1e9) && is_in(def->latency, 0, 1e9);
    return good ? NULL : "a number of the run in the record is out of range";
}

static const char* take_result(reader* in, vn_run_record* record) {
    const uint32_t version = take_u32(in);
    take(in, &record->steps, sizeof record->steps);
    take_fields(in, &record->result, vni_run_result_fields, VNI_RUN_RESULT_FIELDS);
    if (in->failed || in->left > 0 || version != VERSION)
        return "the result of the run is cut off, too long, of another version, or no numbers";

    const bool good =
        (unsigned)record->result.end < VN_RUN_END_COUNT && (unsigned)record->result.reason < VN_STATUS_COUNT;
    return good ? NULL : "the result of the run ends in a way that this version does not know";
}

static const char* take_marks(reader* in, vn_run_record* record) {
    const uint32_t version = take_u32(in);
    record->every = take_u32(in);
    if (in->failed || version != VERSION || record->every == 0)
        return "the marks of the run are cut off, or of another version";
    if (in->left % 8 != 0 || in->left / 8 > VNI_RUN_MOST_MARKS ||
        record->steps / record->every != in->left / 8)
        return "the marks of the run are not as many as its steps demand";

    record->mark_count = (uint32_t)(in->left / 8);
    return NULL;
}

/// Marks come last: their number follows from the result.
static vn_status keep_marks(reader* in, vn_run_record* record, vn_detail* detail) {
    const vn_allocator* m = &record->allocator;
    if (record->mark_count == 0)
        return VN_OK;
    record->marks = m->alloc(m->user, in->left);
    if (record->marks == NULL)
        return vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a recorded run");
    record->mark_capacity = record->mark_count;
    take(in, record->marks, in->left);
    return VN_OK;
}

typedef const char* take_part(reader* in, vn_run_record* record);

static vn_status read_part(const void* data, size_t size, const vn_load_def* def, uint32_t part,
                           vn_run_record* record, vn_detail* detail) {
    static take_part* const takes[VN_STORE_RUN_PARTS] = {take_run, take_result, take_marks};
    void* bytes = NULL;
    size_t length = 0;
    vn_status status = vn_store_read_run(data, size, def, part, &bytes, &length, detail);
    if (status != VN_OK)
        return status;

    reader in = {bytes, length, false};
    const char* wrong = takes[part](&in, record);
    if (wrong != NULL)
        status = vni_refuse(detail, VN_BAD_FORMAT, part, wrong);
    else if (part == PART_MARKS)
        status = keep_marks(&in, record, detail);
    def->allocator.release(def->allocator.user, bytes, length);
    return status;
}

vn_status vn_run_record_read(const void* data, size_t size, const vn_load_def* def, vn_run_record** out,
                             vn_detail* detail) {
    vn_run_record record = {.allocator = def->allocator, .def = vn_default_run_def()};
    *out = NULL;
    vn_status status = VN_OK;
    for (uint32_t i = 0; status == VN_OK && i < VN_STORE_RUN_PARTS; ++i)
        status = read_part(data, size, def, i, &record, detail);

    // The def has been checked by the first part: only now its allocator is known to be one.
    vn_run_record* kept = status == VN_OK ? def->allocator.alloc(def->allocator.user, sizeof *kept) : NULL;
    if (kept != NULL) {
        *kept = record;
        kept->def.allocator = def->allocator;
        vni_run_record_tie(kept);
        *out = kept;
        return VN_OK;
    }

    if (record.mark_capacity > 0)
        def->allocator.release(def->allocator.user, record.marks,
                               record.mark_capacity * sizeof *record.marks);
    return status == VN_OK ? vni_refuse(detail, VN_OUT_OF_MEMORY, 0, "no memory for a recorded run") : status;
}
