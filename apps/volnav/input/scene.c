/// volnav/input/scene.c: reading scenes.
#include "input/scene.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/hull.h"
#include "shell/args.h"

#define FIRST_BYTES   (16u << 10)
#define MAX_BYTES     (16u << 20) /* a multiple of the first by a power of two */
#define MAX_OBSTACLES 1000000u
#define MAX_NESTING   16
#define MAX_STEPS     10000000u /* lines run, with all repetitions */

typedef struct scene_line {
    uint32_t number;
    size_t first, count; ///< its words
} scene_line;

typedef struct reader {
    vn_world* world;
    const char* path;
    const import_options* meshes;
    say_warnings* warnings;
    import_report* report;
    scene_info* out;
    char* text;
    char** words;
    scene_line* lines;
    size_t word_count, line_count;
    int nesting;
    uint64_t steps;
    uint32_t flags; ///< of the obstacles that follow
    bool is_zone;   ///< the shape that is read now is a zone
    double factor;  ///< of that zone
} reader;

// ------------------------------------------------------------------------------------------------- text

static int load_text(reader* in) {
    FILE* file = fopen(in->path, "rb");
    if (file == NULL) {
        return say_bad("%s: %s", in->path, strerror(errno));
    }

    size_t size = 0, room = 0;
    while (size == room && room < MAX_BYTES) {
        room = room == 0 ? FIRST_BYTES : 2 * room;
        in->text = say_resize(in->text, room + 1, 1);
        size += fread(in->text + size, 1, room - size, file);
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

static void add_words(reader* in, char* text, uint32_t number) {
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

static void split(reader* in) {
    uint32_t number = 1;
    for (char* at = in->text; at != NULL; number++) {
        char* end = strchr(at, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        add_words(in, at, number);
        at = end;
    }
}

// ---------------------------------------------------------------------------------------------- numbers

static int wrong(const reader* in, const scene_line* line, const char* reason) {
    return say_bad("%s:%u: %s", in->path, (unsigned)line->number, reason);
}

/// `count` numbers from word `at` of the line.
static int numbers(const reader* in, const scene_line* line, size_t at, size_t count, double* out) {
    for (size_t i = 0; i < count; i++) {
        const char* word = in->words[line->first + at + i];
        if (!args_real(word, &out[i])) {
            return say_bad("%s:%u: '%s' is not a finite number", in->path, (unsigned)line->number, word);
        }
    }

    return EXIT_DONE;
}

static vn_vec3 vec_of(const double* v, const double* shift) {
    return (vn_vec3){(float)(v[0] + shift[0]), (float)(v[1] + shift[1]), (float)(v[2] + shift[2])};
}

// --------------------------------------------------------------------------------------------- commands

static int add_zone(reader* in, const scene_line* line, const vn_shape* shape) {
    vn_detail detail = {0};
    vn_zone_def def = vn_default_zone_def();
    if (!(in->factor >= 1e-6 && in->factor <= 1e6)) {
        return wrong(in, line, "the factor of a zone must be from 1e-6 to 1e6");
    }

    def.shape = *shape;
    def.factor = (float)in->factor;
    const vn_status status = vn_world_add_zone(in->world, &def, NULL, &detail);
    return status == VN_OK ? EXIT_DONE : wrong(in, line, detail.text);
}

/// An obstacle, or a zone.
static int add(reader* in, const scene_line* line, const vn_shape* shape) {
    vn_detail detail = {0};
    if (in->is_zone) {
        return add_zone(in, line, shape);
    }

    if (vn_world_count(in->world) >= MAX_OBSTACLES) {
        return wrong(in, line, "more than a million obstacles");
    }

    vn_obstacle_id id;
    vn_status status = vn_world_add(in->world, shape, &id, &detail);
    if (status == VN_OK) {
        status = vn_world_set_flags(in->world, id, in->flags);
    }

    return status == VN_OK ? EXIT_DONE
                           : wrong(in, line, detail.text[0] != '\0' ? detail.text : vn_status_text(status));
}

static int run_resolution(reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)shift;
    if (v[0] <= 0) {
        return wrong(in, line, "the resolution must be above 0");
    }

    in->out->has_resolution = true;
    in->out->resolution = v[0];
    return EXIT_DONE;
}

static int run_bounds(reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)shift;
    if (v[0] >= v[3] || v[1] >= v[4] || v[2] >= v[5]) {
        return wrong(in, line, "the low corner of the bounds must lie below the high one on every axis");
    }

    in->out->has_bounds = true;
    memcpy(in->out->bounds, v, sizeof in->out->bounds);
    return EXIT_DONE;
}

/// One flag or several, as a sum of powers of two; the highest is volnav's own.
static int run_flags(reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)shift;
    if (!(v[0] >= 0 && v[0] < (double)VN_FLAG_UNKNOWN) || v[0] != floor(v[0])) {
        return wrong(in, line, "flags are a whole number from 0 to 2147483647");
    }
    in->flags = (uint32_t)v[0];
    return EXIT_DONE;
}

static int run_unknown(reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)line;
    (void)v;
    (void)shift;
    in->flags = VN_FLAG_UNKNOWN;
    return EXIT_DONE;
}

static int run_link(reader* in, const scene_line* line, const double* shift) {
    double v[7];
    const bool both = line->count == 9 && strcmp(in->words[line->first + 8], "both") == 0;
    if (line->count != 8 && !both) {
        return wrong(in, line, "expected: link x y z x y z cost [both]");
    }

    if (in->out->link_count == VN_MAX_CONNECTIONS) {
        return wrong(in, line, "a scene may have 64 links");
    }

    const int code = numbers(in, line, 1, 7, v);
    if (code != EXIT_DONE) {
        return code;
    }

    for (int i = 0; i < 6; ++i) {
        if (!isfinite((float)(v[i] + shift[i % 3]))) {
            return wrong(in, line, "the ends of a link must be below 1e38 metres");
        }
    }

    if (!(v[6] >= 0 && v[6] <= 1e6)) {
        return wrong(in, line, "the cost of a link must be from 0 to 1e6 metres");
    }

    vn_connection* link = &in->out->links[in->out->link_count++];
    *link = (vn_connection){.from = vec_of(v, shift),
                            .to = vec_of(v + 3, shift),
                            .cost = (float)v[6],
                            .bidirectional = both,
                            .id = line->number};

    return EXIT_DONE;
}

static int run_box(reader* in, const scene_line* line, const double* v, const double* shift) {
    if (v[0] > v[3] || v[1] > v[4] || v[2] > v[5]) {
        return wrong(in, line, "the low corner of the box lies above the high one");
    }

    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box.min = vec_of(v, shift);
    shape.as.box.max = vec_of(v + 3, shift);
    return add(in, line, &shape);
}

static int run_oriented(reader* in, const scene_line* line, const double* v, const double* shift) {
    const double none[3] = {0}, length = sqrt(v[6] * v[6] + v[7] * v[7] + v[8] * v[8]);
    if (!(length > 0)) {
        return wrong(in, line, "the axis of the rotation has no length");
    }

    const double half_angle = v[9] * (3.14159265358979323846 / 360.0), s = sin(half_angle) / length;
    vn_shape shape = {.kind = VN_SHAPE_ORIENTED};
    shape.as.oriented.center = vec_of(v, shift);
    shape.as.oriented.half = vec_of(v + 3, none);
    shape.as.oriented.rotation =
        (vn_quat){(float)(v[6] * s), (float)(v[7] * s), (float)(v[8] * s), (float)cos(half_angle)};

    return add(in, line, &shape);
}

static int run_sphere(reader* in, const scene_line* line, const double* v, const double* shift) {
    vn_shape shape = {.kind = VN_SHAPE_SPHERE};
    shape.as.sphere.center = vec_of(v, shift);
    shape.as.sphere.radius = (float)v[3];
    return v[3] < 0 ? wrong(in, line, "the radius is negative") : add(in, line, &shape);
}

/// The points are in the `words` words that follow the first.
static int run_hull(reader* in, const scene_line* line, size_t words, const double* shift) {
    const size_t count = words / 3;
    if (count < 4 || count * 3 != words) {
        return wrong(in, line, "a hull takes three numbers for each point, and at least four points");
    }

    vn_vec3* points = say_alloc(count, sizeof *points);
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && code == EXIT_DONE; i++) {
        double v[3] = {0};
        code = numbers(in, line, 1 + 3 * i, 3, v);
        points[i] = vec_of(v, shift);
    }

    hull_mesh hull = {0};
    const char* why = code == EXIT_DONE ? hull_of_points(points, (uint32_t)count, &hull) : NULL;
    if (code == EXIT_DONE && why == NULL) {
        vn_shape shape = {.kind = VN_SHAPE_HULL};
        shape.as.hull.vertices = hull.vertices;
        shape.as.hull.vertex_count = hull.vertex_count;
        shape.as.hull.indices = hull.indices;
        shape.as.hull.triangle_count = hull.triangle_count;
        code = add(in, line, &shape);
    } else if (why != NULL) {
        code = wrong(in, line, why);
    }

    hull_free(&hull);
    free(points);
    return code;
}

/// A shape command whose numbers are followed by a factor, the last word of the line.
static int
run_as_zone(reader* in, const scene_line* line, const double* v, const double* shift, double factor,
            int (*shape)(reader* in, const scene_line* line, const double* v, const double* shift)) {
    in->is_zone = true;
    in->factor = factor;
    const int code = shape(in, line, v, shift);
    in->is_zone = false;
    return code;
}

static int run_zone(reader* in, const scene_line* line, const double* v, const double* shift) {
    return run_as_zone(in, line, v, shift, v[6], run_box);
}

static int run_zone_oriented(reader* in, const scene_line* line, const double* v, const double* shift) {
    return run_as_zone(in, line, v, shift, v[10], run_oriented);
}

static int run_zone_sphere(reader* in, const scene_line* line, const double* v, const double* shift) {
    return run_as_zone(in, line, v, shift, v[4], run_sphere);
}

static int run_points(reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)v;
    return run_hull(in, line, line->count - 2, shift);
}

static int run_zone_hull(reader* in, const scene_line* line, const double* shift) {
    double factor = 0;
    if (line->count < 2) {
        return wrong(in, line, "expected: zone-hull x y z x y z ... factor");
    }
    const int code = numbers(in, line, line->count - 1, 1, &factor);
    return code == EXIT_DONE ? run_as_zone(in, line, NULL, shift, factor, run_points) : code;
}

static int run_mesh(reader* in, const scene_line* line, const double* shift) {
    const char* name = line->count >= 2 ? in->words[line->first + 1] : NULL;
    const bool solid = line->count == 3 && strcmp(in->words[line->first + 2], "solid") == 0;
    if (name == NULL || line->count > 3 || (line->count == 3 && !solid)) {
        return wrong(in, line, "expected: mesh FILE [solid]");
    }

    const char* slash = strrchr(in->path, '/');
    const size_t folder = slash == NULL || name[0] == '/' ? 0 : (size_t)(slash - in->path) + 1;
    char* file = say_alloc(folder + strlen(name) + 1, 1);
    memcpy(file, in->path, folder);
    memcpy(file + folder, name, strlen(name));
    import_options options = *in->meshes;
    options.solid = options.solid || solid;
    options.shift = (vn_dvec3){shift[0], shift[1], shift[2]};
    options.flags = in->flags;
    const int code = import_file(in->world, file, &options, in->warnings, in->report);
    free(file);

    return code == EXIT_DONE ? code : wrong(in, line, "the mesh named here cannot be used");
}

static int run_route(reader* in, const scene_line* line) {
    double v[6];
    if (line->count != 8) {
        return wrong(in, line, "expected: route NAME x y z x y z");
    }

    const int code = numbers(in, line, 2, 6, v);
    if (code != EXIT_DONE) {
        return code;
    }

    in->out->routes = say_resize(in->out->routes, in->out->route_count + 1, sizeof *in->out->routes);
    scene_route* route = &in->out->routes[in->out->route_count++];
    snprintf(route->name, sizeof route->name, "%s", in->words[line->first + 1]);
    memcpy(route->from, v, sizeof route->from);
    memcpy(route->to, v + 3, sizeof route->to);

    return EXIT_DONE;
}

// ------------------------------------------------------------------------------------------- the program

typedef struct command {
    const char* word;
    size_t numbers;
    bool once; ///< not inside repeat
    int (*run)(reader* in, const scene_line* line, const double* v, const double* shift);
    const char* usage;
} command;

static const command plain_commands[] = {
    {"resolution", 1, true, run_resolution, "expected: resolution metres"},
    {"bounds", 6, true, run_bounds, "expected: bounds x y z x y z"},
    {"box", 6, false, run_box, "expected: box x y z x y z"},
    {"oriented", 10, false, run_oriented, "expected: oriented cx cy cz hx hy hz ax ay az degrees"},
    {"sphere", 4, false, run_sphere, "expected: sphere cx cy cz radius"},
    {"flags", 1, false, run_flags, "expected: flags N"},
    {"unknown", 0, false, run_unknown, "expected: unknown, and nothing after it"},
    {"zone", 7, false, run_zone, "expected: zone x y z x y z factor"},
    {"zone-oriented", 11, false, run_zone_oriented,
     "expected: zone-oriented cx cy cz hx hy hz ax ay az degrees factor"},
    {"zone-sphere", 5, false, run_zone_sphere, "expected: zone-sphere cx cy cz radius factor"},
};

static int unknown(const reader* in, const scene_line* line, const char* word) {
    static const char* const words[] = {"resolution",  "bounds",    "box",   "oriented", "sphere",
                                        "hull",        "mesh",      "flags", "unknown",  "zone",
                                        "link",        "repeat",    "end",   "route",    "zone-oriented",
                                        "zone-sphere", "zone-hull", NULL};

    const char* nearest = args_nearest(word, words);
    if (nearest == NULL) {
        return say_bad(
            "%s:%u: unknown word '%s'; a line begins with resolution, bounds, box, oriented, sphere, "
            "hull, mesh, flags, unknown, zone, zone-oriented, zone-sphere, zone-hull, link, repeat, end or "
            "route",
            in->path, (unsigned)line->number, word);
    }

    return say_bad("%s:%u: unknown word '%s'; did you mean '%s'?", in->path, (unsigned)line->number, word,
                   nearest);
}

static int run_line(reader* in, const scene_line* line, const double* shift) {
    const char* word = in->words[line->first];
    for (size_t i = 0; i < sizeof plain_commands / sizeof *plain_commands; i++) {
        const command* c = &plain_commands[i];
        double v[11] = {0};
        if (strcmp(word, c->word) != 0) {
            continue;
        }

        if (c->once && in->nesting > 0) {
            return wrong(in, line, "this cannot stand inside repeat");
        }

        if (line->count != c->numbers + 1) {
            return wrong(in, line, c->usage);
        }

        const int code = numbers(in, line, 1, c->numbers, v);
        return code == EXIT_DONE ? c->run(in, line, v, shift) : code;
    }

    if (strcmp(word, "hull") == 0) {
        return run_hull(in, line, line->count - 1, shift);
    }

    if (strcmp(word, "zone-hull") == 0) {
        return run_zone_hull(in, line, shift);
    }

    if (strcmp(word, "mesh") == 0) {
        return run_mesh(in, line, shift);
    }

    if (strcmp(word, "link") == 0) {
        return run_link(in, line, shift);
    }

    if (strcmp(word, "route") == 0) {
        return in->nesting > 0 ? wrong(in, line, "this cannot stand inside repeat") : run_route(in, line);
    }

    return strcmp(word, "end") == 0 ? wrong(in, line, "end without repeat") : unknown(in, line, word);
}

/// The line of the `end` that belongs to the `repeat` at `at`; line_count if there is none.
static size_t matching_end(const reader* in, size_t at) {
    int open = 0;
    for (size_t i = at; i < in->line_count; i++) {
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
    static const char* const words[] = {"box", "oriented", "sphere", "hull", "mesh"};
    bool makes = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        makes = makes || strcmp(word, words[i]) == 0;
    }
    return makes;
}

/// Counts before anything is run; both counts stop above their limits. A repeat that is wrong counts once,
/// because it is refused when it is run.
static tally count_lines(const reader* in, size_t first, size_t last, int depth) {
    tally sum = {0};
    for (size_t i = first; i < last && sum.lines <= MAX_STEPS && sum.obstacles <= MAX_OBSTACLES; i++) {
        const scene_line* line = &in->lines[i];
        const char* word = in->words[line->first];
        uint64_t copies = 0;
        sum.lines++;
        if (makes_obstacle(word)) {
            sum.obstacles++;
            sum.last = line;
        }

        if (strcmp(word, "repeat") != 0) {
            continue;
        }

        const size_t end = matching_end(in, i);
        if (end < in->line_count && depth < MAX_NESTING && line->count == 5 &&
            args_count(in->words[line->first + 1], &copies) && copies <= MAX_OBSTACLES) {
            const tally inner = count_lines(in, i + 1, end, depth + 1);
            sum.lines += copies * inner.lines;
            sum.obstacles += copies * inner.obstacles;
            sum.last = inner.obstacles > 0 ? inner.last : sum.last;
        }

        i = end;
    }

    return sum;
}

/// Refuses at once what would take long to refuse where it happens.
static int check_size(const reader* in) {
    const tally all = count_lines(in, 0, in->line_count, 0);
    return all.obstacles <= MAX_OBSTACLES ? EXIT_DONE : wrong(in, all.last, "more than a million obstacles");
}

static int run_lines(reader* in, size_t first, size_t last, const double* shift);

static int run_repeat(reader* in, size_t at, size_t end, const double* shift) {
    const scene_line* line = &in->lines[at];
    assert(at < end && end <= in->line_count && line->count > 0);
    uint64_t copies = 0;
    double step[3];
    if (line->count != 5 || !args_count(in->words[line->first + 1], &copies) || copies > MAX_OBSTACLES) {
        return wrong(in, line, "expected: repeat N dx dy dz, with N up to 1000000");
    }

    if (end == in->line_count) {
        return wrong(in, line, "this repeat has no end");
    }

    if (in->nesting == MAX_NESTING) {
        return wrong(in, line, "repeats are nested more than 16 deep");
    }

    int code = numbers(in, line, 2, 3, step);
    in->nesting++;
    for (uint64_t i = 0; i < copies && code == EXIT_DONE && end > at + 1; i++) {
        const double n = (double)i;
        const double moved[3] = {shift[0] + n * step[0], shift[1] + n * step[1], shift[2] + n * step[2]};
        code = run_lines(in, at + 1, end, moved);
    }

    in->nesting--;
    return code;
}

/// Runs the lines [first, last).
static int run_lines(reader* in, size_t first, size_t last, const double* shift) {
    int code = EXIT_DONE;
    assert(first <= last && last <= in->line_count);
    for (size_t i = first; i < last && code == EXIT_DONE; i++) {
        if (in->steps++ == MAX_STEPS) {
            return wrong(in, &in->lines[i], "the repeats come to more than ten million lines");
        }

        if (strcmp(in->words[in->lines[i].first], "repeat") == 0) {
            const size_t end = matching_end(in, i);
            code = run_repeat(in, i, end, shift);
            i = end;
        } else {
            code = run_line(in, &in->lines[i], shift);
        }
    }

    return code;
}

int scene_read(vn_world* world, const char* path, const import_options* meshes, say_warnings* warnings,
               import_report* report, scene_info* out) {
    memset(out, 0, sizeof *out);
    reader in = {
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
        vn_world_get_zones(world, out->zones, VN_MAX_ZONES, &out->zone_count);
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
