/// volnav/input/scene.c: reads scenes: text into lines of words, repeats, and limits on both.
#include "input/scene_inside.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/args.h"

#define FIRST_BYTES (16u << 10)
#define MAX_BYTES   (16u << 20) /* a multiple of the first by a power of two */
#define MAX_NESTING 16
#define MAX_STEPS   10000000u /* lines run, with all repetitions */

// ------------------------------------------------------------------------------------------------- text

static int load_text(scene_reader* in) {
    FILE* file = fopen(in->path, "rb");
    if (file == NULL) {
        return say_bad("%s: %s", in->path, strerror(errno));
    }

    size_t size = 0, capacity = 0;
    while (size == capacity && capacity < MAX_BYTES) {
        capacity = capacity == 0 ? FIRST_BYTES : 2 * capacity;
        in->text = say_resize(in->text, capacity + 1, 1);
        size += fread(in->text + size, 1, capacity - size, file);
    }

    in->text[size] = '\0';

    const bool failed = ferror(file) != 0, more = fgetc(file) != EOF;
    fclose(file);
    if (failed || more) {
        return say_bad("%s: %s", in->path,
                       failed ? "cannot be read; is it a file?" : "a scene may have 16 MB at most");
    }

    return memchr(in->text, '\0', size) == NULL ? EXIT_DONE
                                                : say_bad("%s: this is not a text file", in->path);
}

static void add_words(scene_reader* in, char* text, uint32_t number) {
    const size_t first = in->word_count;
    text[strcspn(text, "#")] = '\0';
    for (char* word = strtok(text, " \t\r"); word != NULL; word = strtok(NULL, " \t\r")) {
        if ((in->word_count & (in->word_count + 1)) == 0) {
            in->words = say_resize(in->words, 2 * (in->word_count + 1), sizeof *in->words);
        }
        in->words[in->word_count++] = word;
    }

    if (in->word_count == first) {
        return;
    }

    if ((in->line_count & (in->line_count + 1)) == 0) {
        in->lines = say_resize(in->lines, 2 * (in->line_count + 1), sizeof *in->lines);
    }

    in->lines[in->line_count++] = (scene_line){number, first, in->word_count - first};
}

static void split(scene_reader* in) {
    uint32_t number = 1;
    for (char* at = in->text; at != NULL; ++number) {
        char* end = strchr(at, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        add_words(in, at, number);
        at = end;
    }
}

// -------------------------------------------------------------------------------------------------- repeats

/// The line of the `end` that belongs to the `repeat` at `at`; line_count if there is none.
static size_t matching_end(const scene_reader* in, size_t at) {
    int open = 0;
    for (size_t i = at; i < in->line_count; ++i) {
        const char* word = in->words[in->lines[i].first];
        open += strcmp(word, "repeat") == 0 ? 1 : strcmp(word, "end") == 0 ? -1 : 0;
        if (open == 0) {
            return i;
        }
    }

    return in->line_count;
}

/// What the lines come to with all repetitions.
typedef struct tally {
    uint64_t lines, obstacles;
    const scene_line* last; ///< that made an obstacle
} tally;

static bool makes_obstacle(const char* word) {
    static const char* const words[] = {"box", "oriented", "sphere", "capsule", "cylinder", "hull", "mesh"};
    bool makes = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        makes = makes || strcmp(word, words[i]) == 0;
    }
    return makes;
}

/// Counts before anything is run; both counts stop above their limits. A repeat that is wrong counts once,
/// because it is refused when it is run.
static tally count_lines(const scene_reader* in, size_t first, size_t last, int depth) {
    tally sum = {0};
    for (size_t i = first; i < last && sum.lines <= MAX_STEPS && sum.obstacles <= SCENE_MAX_OBSTACLES; ++i) {
        const scene_line* line = &in->lines[i];
        const char* word = in->words[line->first];
        uint64_t copies = 0;
        ++sum.lines;
        if (makes_obstacle(word)) {
            ++sum.obstacles;
            sum.last = line;
        }

        if (strcmp(word, "repeat") != 0) {
            continue;
        }

        const size_t end = matching_end(in, i);
        if (end < in->line_count && depth < MAX_NESTING && line->count == 5 &&
            args_count(in->words[line->first + 1], &copies) && copies <= SCENE_MAX_OBSTACLES) {
            const tally inner = count_lines(in, i + 1, end, depth + 1);
            sum.lines += copies * inner.lines;
            sum.obstacles += copies * inner.obstacles;
            sum.last = inner.obstacles > 0 ? inner.last : sum.last;
        }

        i = end;
    }

    return sum;
}

/// Refuses at once what would run for long before its line is refused.
static int check_size(const scene_reader* in) {
    const tally all = count_lines(in, 0, in->line_count, 0);
    return all.obstacles <= SCENE_MAX_OBSTACLES ? EXIT_DONE
                                                : scene_wrong(in, all.last, "more than a million obstacles");
}

static int run_lines(scene_reader* in, size_t first, size_t last, const double* shift);

static int run_repeat(scene_reader* in, size_t at, size_t end, const double* shift) {
    const scene_line* line = &in->lines[at];
    assert(at < end && end <= in->line_count && line->count > 0);
    uint64_t copies = 0;
    double step[3];
    if (line->count != 5 || !args_count(in->words[line->first + 1], &copies) ||
        copies > SCENE_MAX_OBSTACLES) {
        return scene_wrong(in, line, "expected: repeat N dx dy dz, with N up to 1000000");
    }

    if (end == in->line_count) {
        return scene_wrong(in, line, "this repeat has no end");
    }

    if (in->nesting == MAX_NESTING) {
        return scene_wrong(in, line, "repeats are nested more than 16 deep");
    }

    int code = scene_numbers(in, line, 2, 3, step);
    ++in->nesting;
    for (uint64_t i = 0; i < copies && code == EXIT_DONE && end > at + 1; ++i) {
        const double n = (double)i;
        const double moved[3] = {shift[0] + n * step[0], shift[1] + n * step[1], shift[2] + n * step[2]};
        code = run_lines(in, at + 1, end, moved);
    }

    --in->nesting;
    return code;
}

/// Runs the lines [first, last).
static int run_lines(scene_reader* in, size_t first, size_t last, const double* shift) {
    int code = EXIT_DONE;
    assert(first <= last && last <= in->line_count);
    for (size_t i = first; i < last && code == EXIT_DONE; ++i) {
        if (in->steps++ == MAX_STEPS) {
            return scene_wrong(in, &in->lines[i], "the repeats come to more than ten million lines");
        }

        if (strcmp(in->words[in->lines[i].first], "repeat") == 0) {
            const size_t end = matching_end(in, i);
            code = run_repeat(in, i, end, shift);
            i = end;
        } else {
            code = scene_run_line(in, &in->lines[i], shift);
        }
    }

    return code;
}

int scene_read(vn_world* world, const char* path, const import_options* meshes, say_warnings* warnings,
               import_report* report, scene_info* out) {
    memset(out, 0, sizeof *out);
    scene_reader in = {
        .world = world, .path = path, .meshes = meshes, .warnings = warnings, .report = report, .out = out};
    const double none[3] = {0};

    int code = load_text(&in);
    if (code == EXIT_DONE) {
        split(&in);
        code = check_size(&in);
    }

    if (code == EXIT_DONE) {
        code = run_lines(&in, 0, in.line_count, none);
    }

    if (code == EXIT_DONE) {
        const vn_status status = vn_world_get_zones(world, out->zones, VN_MAX_ZONES, &out->zone_count);
        code = status == VN_OK ? EXIT_DONE : say_status(path, status, NULL);
    }

    free(in.text);
    free(in.words);
    free(in.lines);
    return code;
}

void scene_free(scene_info* scene) {
    free(scene->routes);
    scene->routes = NULL;
    scene->route_count = 0;
}
