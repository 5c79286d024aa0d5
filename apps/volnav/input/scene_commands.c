/// volnav/input/scene_commands.c: what each line of a scene does: obstacles, zones, connections, routes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/hull.h"
#include "input/scene_inside.h"
#include "shell/args.h"

// ---------------------------------------------------------------------------------------------- numbers

int scene_wrong(const scene_reader* in, const scene_line* line, const char* reason) {
    return say_bad("%s:%u: %s", in->path, (unsigned)line->number, reason);
}

/// `count` numbers from word `at` of the line.
int scene_numbers(const scene_reader* in, const scene_line* line, size_t at, size_t count, double* out) {
    for (size_t i = 0; i < count; ++i) {
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

static int add_zone(scene_reader* in, const scene_line* line, const vn_shape* shape) {
    vn_detail detail = {0};
    vn_zone_def def = vn_default_zone_def();
    if (!(in->factor >= 1e-6 && in->factor <= 1e6)) {
        return scene_wrong(in, line, "the factor of a zone must be from 1e-6 to 1e6");
    }

    def.shape = *shape;
    def.factor = (float)in->factor;
    const vn_status status = vn_world_add_zone(in->world, &def, NULL, &detail);
    return status == VN_OK ? EXIT_DONE : scene_wrong(in, line, detail.text);
}

/// An obstacle, or a zone.
static int add(scene_reader* in, const scene_line* line, const vn_shape* shape) {
    vn_detail detail = {0};
    if (in->is_zone) {
        return add_zone(in, line, shape);
    }

    if (vn_world_count(in->world) >= SCENE_MAX_OBSTACLES) {
        return scene_wrong(in, line, "more than a million obstacles");
    }

    vn_obstacle_id id;
    vn_status status = vn_world_add(in->world, shape, &id, &detail);
    if (status == VN_OK) {
        status = vn_world_set_flags(in->world, id, in->flags);
    }

    return status == VN_OK
               ? EXIT_DONE
               : scene_wrong(in, line, detail.text[0] != '\0' ? detail.text : vn_status_text(status));
}

static int run_resolution(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)shift;
    if (v[0] <= 0) {
        return scene_wrong(in, line, "the resolution must be above 0");
    }

    in->out->has_resolution = true;
    in->out->resolution = v[0];
    return EXIT_DONE;
}

static int run_bounds(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)shift;
    if (v[0] >= v[3] || v[1] >= v[4] || v[2] >= v[5]) {
        return scene_wrong(in, line,
                           "the low corner of the bounds must lie below the high one on every axis");
    }

    in->out->has_bounds = true;
    memcpy(in->out->bounds, v, sizeof in->out->bounds);
    return EXIT_DONE;
}

/// One flag or several, as a sum of powers of two; the highest is volnav's own.
static int run_flags(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)shift;
    if (!(v[0] >= 0 && v[0] < (double)VN_FLAG_UNKNOWN) || v[0] != floor(v[0])) {
        return scene_wrong(in, line, "flags are a whole number from 0 to 2147483647");
    }
    in->flags = (uint32_t)v[0];
    return EXIT_DONE;
}

static int run_unknown(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)line;
    (void)v;
    (void)shift;
    in->flags = VN_FLAG_UNKNOWN;
    return EXIT_DONE;
}

static int run_connection(scene_reader* in, const scene_line* line, const double* shift) {
    double v[7];
    const bool both = line->count == 9 && strcmp(in->words[line->first + 8], "both") == 0;
    if (line->count != 8 && !both) {
        return scene_wrong(in, line, "expected: link x y z x y z cost [both]");
    }

    if (in->out->connection_count == VN_MAX_CONNECTIONS) {
        return scene_wrong(in, line, "a scene may have 64 links");
    }

    const int code = scene_numbers(in, line, 1, 7, v);
    if (code != EXIT_DONE) {
        return code;
    }

    for (int i = 0; i < 6; ++i) {
        if (!isfinite((float)(v[i] + shift[i % 3]))) {
            return scene_wrong(in, line, "the ends of a link must be below 1e38 metres");
        }
    }

    if (!(v[6] >= 0 && v[6] <= 1e6)) {
        return scene_wrong(in, line, "the cost of a link must be from 0 to 1e6 metres");
    }

    vn_connection* connection = &in->out->connections[in->out->connection_count++];
    *connection = (vn_connection){.from = vec_of(v, shift),
                                  .to = vec_of(v + 3, shift),
                                  .cost = (float)v[6],
                                  .bidirectional = both,
                                  .id = line->number};

    return EXIT_DONE;
}

static int run_box(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    if (v[0] > v[3] || v[1] > v[4] || v[2] > v[5]) {
        return scene_wrong(in, line, "the low corner of the box lies above the high one");
    }

    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box.min = vec_of(v, shift);
    shape.as.box.max = vec_of(v + 3, shift);
    return add(in, line, &shape);
}

static int run_oriented(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    const double none[3] = {0}, length = sqrt(v[6] * v[6] + v[7] * v[7] + v[8] * v[8]);
    if (!(length > 0)) {
        return scene_wrong(in, line, "the axis of the rotation has no length");
    }

    const double half_angle = v[9] * (3.14159265358979323846 / 360.0), s = sin(half_angle) / length;
    vn_shape shape = {.kind = VN_SHAPE_ORIENTED};
    shape.as.oriented.center = vec_of(v, shift);
    shape.as.oriented.half = vec_of(v + 3, none);
    shape.as.oriented.rotation =
        (vn_quat){(float)(v[6] * s), (float)(v[7] * s), (float)(v[8] * s), (float)cos(half_angle)};

    return add(in, line, &shape);
}

static int run_sphere(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    vn_shape shape = {.kind = VN_SHAPE_SPHERE};
    shape.as.sphere.center = vec_of(v, shift);
    shape.as.sphere.radius = (float)v[3];
    return v[3] < 0 ? scene_wrong(in, line, "the radius is negative") : add(in, line, &shape);
}

static int run_capsule(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    vn_shape shape = {.kind = VN_SHAPE_CAPSULE};
    shape.as.capsule.a = vec_of(v, shift);
    shape.as.capsule.b = vec_of(v + 3, shift);
    shape.as.capsule.radius = (float)v[6];
    return v[6] < 0 ? scene_wrong(in, line, "the radius is negative") : add(in, line, &shape);
}

static int run_cylinder(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    vn_shape shape = {.kind = VN_SHAPE_CYLINDER};
    shape.as.cylinder.a = vec_of(v, shift);
    shape.as.cylinder.b = vec_of(v + 3, shift);
    shape.as.cylinder.radius = (float)v[6];
    return v[6] < 0 ? scene_wrong(in, line, "the radius is negative") : add(in, line, &shape);
}

static int add_hull(scene_reader* in, const scene_line* line, const vn_vec3* points, size_t count) {
    hull_mesh hull = {0};
    const char* why = hull_of_points(points, (uint32_t)count, &hull);
    if (why != NULL) {
        return scene_wrong(in, line, why);
    }

    vn_shape shape = {.kind = VN_SHAPE_HULL};
    shape.as.hull.vertices = hull.vertices;
    shape.as.hull.vertex_count = hull.vertex_count;
    shape.as.hull.indices = hull.indices;
    shape.as.hull.triangle_count = hull.triangle_count;
    const int code = add(in, line, &shape);
    hull_free(&hull);
    return code;
}

/// The points are in the `words` words that follow the first.
static int run_hull(scene_reader* in, const scene_line* line, size_t words, const double* shift) {
    const size_t count = words / 3;
    if (count < 4 || count * 3 != words) {
        return scene_wrong(in, line, "a hull takes three numbers for each point, and at least four points");
    }

    vn_vec3* points = say_alloc(count, sizeof *points);
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && code == EXIT_DONE; ++i) {
        double v[3] = {0};
        code = scene_numbers(in, line, 1 + 3 * i, 3, v);
        points[i] = vec_of(v, shift);
    }

    if (code == EXIT_DONE) {
        code = add_hull(in, line, points, count);
    }

    free(points);
    return code;
}

static int run_hull_line(scene_reader* in, const scene_line* line, const double* shift) {
    return run_hull(in, line, line->count - 1, shift);
}

/// A shape command whose numbers are followed by a factor, the last word of the line.
static int
run_as_zone(scene_reader* in, const scene_line* line, const double* v, const double* shift, double factor,
            int (*shape)(scene_reader* in, const scene_line* line, const double* v, const double* shift)) {
    in->is_zone = true;
    in->factor = factor;
    const int code = shape(in, line, v, shift);
    in->is_zone = false;
    return code;
}

static int run_zone(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    return run_as_zone(in, line, v, shift, v[6], run_box);
}

static int run_zone_oriented(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    return run_as_zone(in, line, v, shift, v[10], run_oriented);
}

static int run_zone_sphere(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    return run_as_zone(in, line, v, shift, v[4], run_sphere);
}

static int run_points(scene_reader* in, const scene_line* line, const double* v, const double* shift) {
    (void)v;
    return run_hull(in, line, line->count - 2, shift);
}

static int run_zone_hull(scene_reader* in, const scene_line* line, const double* shift) {
    double factor = 0;
    if (line->count < 2) {
        return scene_wrong(in, line, "expected: zone-hull x y z x y z ... factor");
    }
    const int code = scene_numbers(in, line, line->count - 1, 1, &factor);
    return code == EXIT_DONE ? run_as_zone(in, line, NULL, shift, factor, run_points) : code;
}

/// A mesh is named relative to the folder of its scene. To be freed.
static char* beside_scene(const scene_reader* in, const char* name) {
    const char* slash = strrchr(in->path, '/');
    const size_t folder = slash == NULL || name[0] == '/' ? 0 : (size_t)(slash - in->path) + 1;
    char* file = say_alloc(folder + strlen(name) + 1, 1);
    memcpy(file, in->path, folder);
    memcpy(file + folder, name, strlen(name));
    return file;
}

static int run_mesh(scene_reader* in, const scene_line* line, const double* shift) {
    const char* name = line->count >= 2 ? in->words[line->first + 1] : NULL;
    const bool solid = line->count == 3 && strcmp(in->words[line->first + 2], "solid") == 0;
    if (name == NULL || line->count > 3 || (line->count == 3 && !solid)) {
        return scene_wrong(in, line, "expected: mesh FILE [solid]");
    }

    char* file = beside_scene(in, name);
    import_options options = *in->meshes;
    options.solid = options.solid || solid;
    options.shift = (vn_dvec3){shift[0], shift[1], shift[2]};
    options.flags = in->flags;
    const int code = import_file(in->world, file, &options, in->warnings, in->report);
    free(file);

    return code == EXIT_DONE ? code : scene_wrong(in, line, "the mesh named here cannot be used");
}

static int run_route(scene_reader* in, const scene_line* line, const double* shift) {
    double v[6];
    (void)shift;
    if (in->nesting > 0) {
        return scene_wrong(in, line, "this cannot stand inside repeat");
    }

    if (line->count != 8) {
        return scene_wrong(in, line, "expected: route NAME x y z x y z");
    }

    const int code = scene_numbers(in, line, 2, 6, v);
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

// ------------------------------------------------------------------------------------------- which command

typedef struct command {
    const char* word;
    size_t numbers;
    bool once; ///< not inside repeat
    int (*run)(scene_reader* in, const scene_line* line, const double* v, const double* shift);
    const char* usage;
} command;

static const command plain_commands[] = {
    {"resolution", 1, true, run_resolution, "expected: resolution metres"},
    {"bounds", 6, true, run_bounds, "expected: bounds x y z x y z"},
    {"box", 6, false, run_box, "expected: box x y z x y z"},
    {"oriented", 10, false, run_oriented, "expected: oriented cx cy cz hx hy hz ax ay az degrees"},
    {"sphere", 4, false, run_sphere, "expected: sphere cx cy cz radius"},
    {"capsule", 7, false, run_capsule, "expected: capsule ax ay az bx by bz radius"},
    {"cylinder", 7, false, run_cylinder, "expected: cylinder ax ay az bx by bz radius"},
    {"flags", 1, false, run_flags, "expected: flags N"},
    {"unknown", 0, false, run_unknown, "expected: unknown, and nothing after it"},
    {"zone", 7, false, run_zone, "expected: zone x y z x y z factor"},
    {"zone-oriented", 11, false, run_zone_oriented,
     "expected: zone-oriented cx cy cz hx hy hz ax ay az degrees factor"},
    {"zone-sphere", 5, false, run_zone_sphere, "expected: zone-sphere cx cy cz radius factor"},
};

/// Commands that read their words themselves, because their number varies.
static const struct {
    const char* word;
    int (*run)(scene_reader* in, const scene_line* line, const double* shift);
} line_commands[] = {{"hull", run_hull_line},
                     {"zone-hull", run_zone_hull},
                     {"mesh", run_mesh},
                     {"link", run_connection},
                     {"route", run_route}};

static int unknown(const scene_reader* in, const scene_line* line, const char* word) {
    static const char* const words[] = {"resolution",  "bounds",    "box",     "oriented", "sphere",
                                        "hull",        "mesh",      "flags",   "unknown",  "zone",
                                        "link",        "repeat",    "end",     "route",    "zone-oriented",
                                        "zone-sphere", "zone-hull", "capsule", "cylinder", NULL};

    const char* nearest = args_nearest(word, words);
    if (nearest == NULL) {
        return say_bad(
            "%s:%u: unknown word '%s'; a line begins with resolution, bounds, box, oriented, sphere, "
            "capsule, cylinder, hull, mesh, flags, unknown, zone, zone-oriented, zone-sphere, zone-hull, "
            "link, repeat, end or "
            "route",
            in->path, (unsigned)line->number, word);
    }

    return say_bad("%s:%u: unknown word '%s'; did you mean '%s'?", in->path, (unsigned)line->number, word,
                   nearest);
}

/// Its numbers are read first, and there are as many as the table says.
static int run_plain(scene_reader* in, const scene_line* line, const command* c, const double* shift) {
    double v[11] = {0};
    if (c->once && in->nesting > 0) {
        return scene_wrong(in, line, "this cannot stand inside repeat");
    }

    if (line->count != c->numbers + 1) {
        return scene_wrong(in, line, c->usage);
    }

    const int code = scene_numbers(in, line, 1, c->numbers, v);
    return code == EXIT_DONE ? c->run(in, line, v, shift) : code;
}

int scene_run_line(scene_reader* in, const scene_line* line, const double* shift) {
    const char* word = in->words[line->first];
    for (size_t i = 0; i < sizeof plain_commands / sizeof *plain_commands; ++i) {
        if (strcmp(word, plain_commands[i].word) == 0) {
            return run_plain(in, line, &plain_commands[i], shift);
        }
    }

    for (size_t i = 0; i < sizeof line_commands / sizeof *line_commands; ++i) {
        if (strcmp(word, line_commands[i].word) == 0) {
            return line_commands[i].run(in, line, shift);
        }
    }

    return strcmp(word, "end") == 0 ? scene_wrong(in, line, "end without repeat") : unknown(in, line, word);
}
