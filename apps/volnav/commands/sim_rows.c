/// volnav/commands/sim_rows.c: results as rows of numbers, for the CSV and the checkpoint.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/sim_campaign.h"
#include "shell/json.h"
#include "shell/say.h"
#include "shell/system.h"

typedef enum column_kind { SMALL, LARGE, REAL, END, STATUS, HASH } column_kind;

typedef struct column {
    const char* name;
    column_kind kind;
    size_t offset;
} column;

#define COLUMN(name, kind)                                                                                   \
    { #name, kind, offsetof(vn_run_result, name) }

static const column columns[] = {COLUMN(end, END),          COLUMN(reason, STATUS),
                                 COLUMN(agents, SMALL),     COLUMN(arrived, SMALL),
                                 COLUMN(collisions, SMALL), COLUMN(wall_hits, SMALL),
                                 COLUMN(agent_hits, SMALL), COLUMN(caught, SMALL),
                                 COLUMN(goals, SMALL),      COLUMN(agent_clearance, REAL),
                                 COLUMN(clearance, REAL),   COLUMN(wall_clearance, REAL),
                                 COLUMN(seconds, REAL),     COLUMN(nominal, REAL),
                                 COLUMN(length, REAL),      COLUMN(fuel, REAL),
                                 COLUMN(steps, LARGE),      COLUMN(stopped, LARGE),
                                 COLUMN(unverified, LARGE), COLUMN(calls, LARGE),
                                 COLUMN(expanded, LARGE),   COLUMN(dynamic_nodes, LARGE),
                                 COLUMN(hash, HASH),        COLUMN(path_seconds, REAL),
                                 COLUMN(worst_step, REAL)};

enum { COLUMNS = sizeof columns / sizeof *columns, TIMES = 2, CELL = 48 };

_Static_assert(sizeof(vn_run_end) == sizeof(int) && sizeof(vn_status) == sizeof(int), "enums are ints");

// ------------------------------------------------------------------------------------------------- writing

/// What has no bound (a clearance from nothing) is an empty cell.
static void print_real(double value, char* cell) {
    cell[0] = '\0';
    if (isfinite(value)) {
        json_format_real(value, cell);
    }
}

static void print_cell(const column* c, const vn_run_result* result, char* cell) {
    const void* at = (const char*)result + c->offset;
    switch (c->kind) {
    case SMALL: snprintf(cell, CELL, "%" PRIu32, *(const uint32_t*)at); break;
    case LARGE: snprintf(cell, CELL, "%" PRIu64, *(const uint64_t*)at); break;
    case REAL: print_real(*(const double*)at, cell); break;
    case END: snprintf(cell, CELL, "%s", vn_run_end_name(result->end)); break;
    case STATUS: snprintf(cell, CELL, "%s", vn_status_word(result->reason)); break;
    case HASH: snprintf(cell, CELL, "%016" PRIx64, *(const uint64_t*)at); break;
    }
}

void sim_row_print(const vn_run_result* result, bool times, char* row) {
    size_t at = 0;
    for (int i = 0; i < COLUMNS - (times ? 0 : TIMES); ++i) {
        char cell[CELL];
        print_cell(&columns[i], result, cell);
        at += (size_t)snprintf(row + at, SIM_ROW - at, "%s%s", i > 0 ? "," : "", cell);
    }
}

void sim_row_names(bool times, char* row) {
    size_t at = 0;
    for (int i = 0; i < COLUMNS - (times ? 0 : TIMES); ++i) {
        at += (size_t)snprintf(row + at, SIM_ROW - at, "%s%s", i > 0 ? "," : "", columns[i].name);
    }
}

// ------------------------------------------------------------------------------------------------- reading

/// The number with this name; false if none has it.
static bool find_word(const char* cell, const char* (*name)(int), int count, int* out) {
    for (*out = 0; *out < count; ++*out) {
        if (strcmp(cell, name(*out)) == 0) {
            return true;
        }
    }
    return false;
}

static const char* end_name(int end) {
    return vn_run_end_name((vn_run_end)end);
}

static const char* status_name(int status) {
    return vn_status_word((vn_status)status);
}

static bool read_whole(const char* cell, int base, uint64_t most, uint64_t* out) {
    char* end = NULL;
    *out = strtoull(cell, &end, base);
    return cell[0] != '\0' && strspn(cell, "0123456789abcdef") == strlen(cell) && *end == '\0' &&
           *out <= most;
}

static bool read_real(const char* cell, double* out) {
    char* end = NULL;
    *out = cell[0] != '\0' ? strtod(cell, &end) : HUGE_VAL;
    return cell[0] == '\0' || (*end == '\0' && isfinite(*out));
}

static bool read_cell(const column* c, const char* cell, vn_run_result* result) {
    void* at = (char*)result + c->offset;
    uint64_t whole = 0;
    int word = 0;
    switch (c->kind) {
    case SMALL:
        if (!read_whole(cell, 10, UINT32_MAX, &whole)) {
            return false;
        }
        *(uint32_t*)at = (uint32_t)whole;
        return true;
    case LARGE: return read_whole(cell, 10, UINT64_MAX, at);
    case HASH: return read_whole(cell, 16, UINT64_MAX, at);
    case REAL: return read_real(cell, at);
    case END:
        if (!find_word(cell, end_name, VN_RUN_END_COUNT, &word)) {
            return false;
        }
        result->end = (vn_run_end)word;
        return true;
    case STATUS:
        if (!find_word(cell, status_name, VN_STATUS_COUNT, &word)) {
            return false;
        }
        result->reason = (vn_status)word;
        return true;
    }
    return false;
}

bool sim_row_read(const char** row, vn_run_result* result) {
    for (int i = 0; i < COLUMNS; ++i) {
        char cell[CELL];
        const size_t length = strcspn(*row, ",");
        const bool last = i + 1 == COLUMNS;
        if (length >= CELL || (!last && (*row)[length] == '\0')) {
            return false;
        }

        memcpy(cell, *row, length);
        cell[length] = '\0';
        if (!read_cell(&columns[i], cell, result)) {
            return false;
        }
        *row += length + ((*row)[length] == ',');
    }

    return true;
}

// ----------------------------------------------------------------------------------------------------- CSV

const char* sim_pilot_name(const vn_run_def* def) {
    static const char* const names[VN_PILOT_GROUP_COUNT] = {"0", "1", "2", "3", "4", "5", "6"};
    return def->rules == VN_RUN_THESIS ? "thesis" : names[def->autopilot];
}

/// What all runs of the campaign have in common, around the seed.
static void print_common(FILE* file, const vn_run_def* def, uint64_t seed) {
    char speed[CELL], latency[CELL], obstacles[CELL] = "";
    print_real(def->speed, speed);
    print_real(def->latency, latency);
    if (def->obstacles != VN_RUN_AS_SCENE) {
        snprintf(obstacles, sizeof obstacles, "%" PRIu32, def->obstacles);
    }
    fprintf(file, "%s,%s,%" PRIu64 ",%s,%s,%s,%s,%s,%s,", def->scene, def->variant, seed, def->algo,
            def->space, sim_pilot_name(def), obstacles, speed, latency);
}

/// CPU times, which no two sessions have in common.
static void print_times(FILE* file, const vn_run_result* r) {
    char total[CELL], each[CELL] = "", worst[CELL];
    print_real(r->path_seconds, total);
    print_real(1e6 * r->worst_step, worst);
    if (r->calls > 0) {
        print_real(1e6 * r->path_seconds / (double)r->calls, each);
    }
    fprintf(file, ",%s,%s,%s\n", total, each, worst);
}

int sim_csv_write(const sim_campaign* c, const char* path) {
    system_output out;
    char row[SIM_ROW];
    if (system_create(path, &out) != EXIT_DONE) {
        return EXIT_BAD;
    }

    sim_row_names(false, row);
    fprintf(out.file,
            "scene,variant,seed,algo,space,autopilot,obstacles,speed,latency,%s,flight_ratio,path_seconds,"
            "path_us_mean,worst_step_us\n",
            row);
    for (uint64_t i = 0; i < c->runs; ++i) {
        const vn_run_result* r = &c->outcomes[i].result;
        char ratio[CELL] = "";
        if (r->nominal > 0) {
            print_real(r->seconds / r->nominal, ratio);
        }
        print_common(out.file, &c->def, c->def.seed + i);
        sim_row_print(r, false, row);
        fprintf(out.file, "%s,%s", row, ratio);
        print_times(out.file, r);
    }

    return system_commit(&out);
}
