/// volnav/commands/sim_checkpoint.c: the finished runs of a campaign as a text file.
///
/// First lines that say which campaign it is, then the names of the columns, then a line for each run: its
/// seed, its result, the times of its steps. The last line has the number of runs.
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/sim_campaign.h"
#include "shell/json.h"
#include "shell/say.h"
#include "shell/system.h"

/// Lines before those of runs; bytes of a line.
enum { HEAD = 18, LINE = 8192 };

typedef struct head {
    char lines[HEAD][SIM_ROW + 16];
    int count;
} head;

// ------------------------------------------------------------------------------------------------ the head

static void add_text(head* h, const char* key, const char* value) {
    snprintf(h->lines[h->count++], sizeof *h->lines, "%s %s", key, value);
}

static void add_count(head* h, const char* key, uint64_t value) {
    snprintf(h->lines[h->count++], sizeof *h->lines, "%s %" PRIu64, key, value);
}

static void add_real(head* h, const char* key, double value) {
    char text[32];
    json_format_real(value, text);
    add_text(h, key, text);
}

/// Everything that the outcomes depend on.
static head* make_head(const sim_campaign* c) {
    const vn_run_def* def = &c->def;
    head* h = say_alloc(1, sizeof *h);
    char names[SIM_ROW];

    add_text(h, "volnav sim checkpoint", "1");
    add_count(h, "version", vn_version());
    add_text(h, "scene", def->scene);
    add_text(h, "variant", def->variant);
    add_text(h, "algo", def->algo);
    add_text(h, "space", def->space);
    add_text(h, "autopilot", sim_pilot_name(def));

    add_count(h, "seed", def->seed);
    add_count(h, "agents", def->agents);
    add_count(h, "obstacles", def->obstacles);
    add_real(h, "speed", def->speed);
    add_real(h, "radar", def->radar);
    add_real(h, "step", def->step);
    add_real(h, "limit", def->limit);
    add_real(h, "replan", def->replan);
    add_real(h, "latency", def->latency);
    add_count(h, "end-at-collision", def->end_at_collision);

    sim_row_names(true, names);
    add_text(h, "columns", names);
    assert(h->count == HEAD);
    return h;
}

// ------------------------------------------------------------------------------------------------- writing

static void print_outcome(FILE* file, uint64_t seed, const sim_outcome* outcome) {
    char row[SIM_ROW];
    sim_row_print(&outcome->result, true, row);
    fprintf(file, "run %" PRIu64 ",%s", seed, row);
    for (int i = 0; i < SIM_CLASSES; ++i) {
        if (outcome->times[i] > 0) {
            fprintf(file, " %d:%" PRIu32, i, outcome->times[i]);
        }
    }
    fputc('\n', file);
}

int sim_checkpoint_write(const sim_campaign* c) {
    system_output out;
    if (system_create(c->checkpoint, &out) != EXIT_DONE) {
        return EXIT_BAD;
    }

    head* h = make_head(c);
    for (int i = 0; i < h->count; ++i) {
        fprintf(out.file, "%s\n", h->lines[i]);
    }
    free(h);

    uint64_t count = 0;
    for (uint64_t i = 0; i < c->outcome_count; ++i) {
        if (c->outcomes[i].done) {
            print_outcome(out.file, c->def.seed + i, &c->outcomes[i]);
            ++count;
        }
    }

    fprintf(out.file, "end %" PRIu64 "\n", count);
    return system_commit(&out);
}

// ------------------------------------------------------------------------------------------------- reading

/// The next line without its end; false where there is none, or one that is too long or not ended.
static bool next_line(FILE* file, char line[LINE]) {
    if (fgets(line, LINE, file) == NULL) {
        return false;
    }
    const size_t length = strlen(line);
    if (length == 0 || line[length - 1] != '\n') {
        return false;
    }
    line[length - 1] = '\0';
    return true;
}

static int check_head(const sim_campaign* c, FILE* file) {
    char line[LINE];
    head* h = make_head(c);
    int code = EXIT_DONE;
    for (int i = 0; code == EXIT_DONE && i < h->count; ++i) {
        if (!next_line(file, line) || (i == 0 && strcmp(line, h->lines[0]) != 0)) {
            code = say_bad("%s: this is no checkpoint of volnav sim; name another file", c->checkpoint);
        } else if (strcmp(line, h->lines[i]) != 0) {
            code = say_bad("%s: this is the checkpoint of another campaign: it has \"%.60s\", and this one "
                           "\"%.60s\"; name another file, or remove it",
                           c->checkpoint, line, h->lines[i]);
        }
    }

    free(h);
    return code;
}

/// " class:count class:count ..." to the end of the line.
static bool read_times(const char* text, uint32_t times[SIM_CLASSES]) {
    while (*text == ' ') {
        char* end = NULL;
        const unsigned long place = strtoul(text + 1, &end, 10);
        if (end == text + 1 || *end != ':' || place >= SIM_CLASSES) {
            return false;
        }

        text = end + 1;
        const unsigned long count = strtoul(text, &end, 10);
        if (end == text || count > UINT32_MAX) {
            return false;
        }
        times[place] = (uint32_t)count;
        text = end;
    }
    return *text == '\0';
}

/// "run SEED,...": into the outcome of that seed.
static bool read_outcome(sim_campaign* c, char* line) {
    char* at = NULL;
    if (strncmp(line, "run ", 4) != 0 || strspn(line + 4, "0123456789") == 0) {
        return false;
    }

    // Seeds beyond the campaign belong to a longer one that was begun with this file: they stay in it.
    const uint64_t place = strtoull(line + 4, &at, 10) - c->def.seed;
    if (*at != ',' || place >= SIM_MOST_RUNS) {
        return false;
    }
    if (place >= c->outcome_count) {
        c->outcomes = say_resize(c->outcomes, (size_t)place + 1, sizeof *c->outcomes);
        memset(c->outcomes + c->outcome_count, 0, (place + 1 - c->outcome_count) * sizeof *c->outcomes);
        c->outcome_count = place + 1;
    }

    // The times follow after a space, which no number has.
    sim_outcome* out = &c->outcomes[place];
    char* times = strchr(at, ' ');
    char* end = at + strlen(at);
    if (times == NULL) {
        times = end;
    }
    const bool has_times = read_times(times, out->times);
    *times = '\0';
    const char* row = at + 1;
    out->done = has_times && sim_row_read(&row, &out->result) && *row == '\0';
    return out->done;
}

static int read_outcomes(sim_campaign* c, FILE* file) {
    char line[LINE];
    int line_number = HEAD;
    uint64_t count = 0;
    for (;; ++count) {
        if (!next_line(file, line)) {
            return say_bad("%s: the checkpoint is cut off; name another file, or remove it", c->checkpoint);
        }
        if (strncmp(line, "end ", 4) == 0) {
            break;
        }

        ++line_number;
        if (!read_outcome(c, line)) {
            return say_bad("%s:%d: this line of the checkpoint is damaged; name another file, or remove it",
                           c->checkpoint, line_number);
        }
    }

    if (strtoull(line + 4, NULL, 10) != count) {
        return say_bad("%s: runs are missing in the checkpoint; name another file, or remove it",
                       c->checkpoint);
    }
    return EXIT_DONE;
}

int sim_checkpoint_read(sim_campaign* c) {
    if (system_is_special(c->checkpoint)) {
        return say_bad("--checkpoint %s: this is a device or a pipe, and no file", c->checkpoint);
    }
    FILE* file = fopen(c->checkpoint, "rb");
    if (file == NULL) {
        return EXIT_DONE; // whether it can be written shows when it is
    }

    int code = check_head(c, file);
    if (code == EXIT_DONE) {
        code = read_outcomes(c, file);
    }
    fclose(file);
    return code;
}
