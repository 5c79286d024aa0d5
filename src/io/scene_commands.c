/// io/scene_commands.c: what each line of a scene does: obstacles, zones, connections, routes.
#include "io/scene_inside.h"
#include <math.h>
#include <string.h>

#define MAX_DEGREES 1e9

static vn_vec3 vec_of(const double* v, const double* shift) {
    return (vn_vec3){(float)(v[0] + shift[0]), (float)(v[1] + shift[1]), (float)(v[2] + shift[2])};
}

// --------------------------------------------------------------------------------------------- commands

/// What the world says about a shape, at this line.
static vn_status refused(const vni_scene_reader* in, const vni_scene_line* line, vn_status status,
                         const vn_detail* detail) {
    return vni_io_fail(in->detail, status, line->number, "%s",
                       detail->text[0] != 0 ? detail->text : vn_status_text(status));
}

static vn_status add_zone(vni_scene_reader* in, const vni_scene_line* line, const vn_shape* shape) {
    vn_detail detail = {0};
    vn_zone_def def = vn_default_zone_def();
    if (!(in->factor >= 1e-6 && in->factor <= 1e6))
        return vni_scene_wrong(in, line, "the factor of a zone must be from 1e-6 to 1e6");

    def.shape = *shape;
    def.factor = (float)in->factor;
    const vn_status status = vn_world_add_zone(in->out->world, &def, NULL, &detail);
    return status == VN_OK ? VN_OK : refused(in, line, status, &detail);
}

/// An obstacle, or a zone.
static vn_status add(vni_scene_reader* in, const vni_scene_line* line, const vn_shape* shape) {
    if (in->is_zone)
        return add_zone(in, line, shape);
    if (vn_world_count(in->out->world) >= VNI_SCENE_MAX_OBSTACLES)
        return vni_io_fail(in->detail, VN_TOO_LARGE, line->number, "more than a million obstacles");

    vn_detail detail = {0};
    vn_obstacle_id id;
    vn_status status = vn_world_add(in->out->world, shape, &id, &detail);
    if (status == VN_OK)
        status = vn_world_set_flags(in->out->world, id, in->flags);
    return status == VN_OK ? VN_OK : refused(in, line, status, &detail);
}

static vn_status run_resolution(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                                const double* shift) {
    (void)shift;
    if (v[0] <= 0)
        return vni_scene_wrong(in, line, "the resolution must be above 0");

    in->out->has_resolution = true;
    in->out->resolution = v[0];
    return VN_OK;
}

static vn_status run_bounds(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                            const double* shift) {
    (void)shift;
    if (v[0] >= v[3] || v[1] >= v[4] || v[2] >= v[5])
        return vni_scene_wrong(in, line,
                               "the low corner of the bounds must lie below the high one on every axis");

    in->out->has_bounds = true;
    in->out->low = (vn_dvec3){v[0], v[1], v[2]};
    in->out->high = (vn_dvec3){v[3], v[4], v[5]};
    return VN_OK;
}

/// One flag or several, as a sum of powers of two; the highest is volnav's own.
static vn_status run_flags(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                           const double* shift) {
    (void)shift;
    if (!(v[0] >= 0 && v[0] < (double)VN_FLAG_UNKNOWN) || v[0] != floor(v[0]))
        return vni_scene_wrong(in, line, "flags are a whole number from 0 to 2147483647");
    in->flags = (uint32_t)v[0];
    return VN_OK;
}

static vn_status run_unknown(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                             const double* shift) {
    (void)line;
    (void)v;
    (void)shift;
    in->flags = VN_FLAG_UNKNOWN;
    return VN_OK;
}

static vn_status run_connection(vni_scene_reader* in, const vni_scene_line* line, const double* shift) {
    double v[7];
    const bool both = line->count == 9 && strcmp(vni_scene_word(in, line, 8), "both") == 0;
    if (line->count != 8 && !both)
        return vni_scene_wrong(in, line, "expected: link x y z x y z cost [both]");

    if (in->out->connection_count == VN_MAX_CONNECTIONS)
        return vni_scene_wrong(in, line, "a scene may have 64 links");

    const vn_status status = vni_scene_numbers(in, line, 1, 7, v);
    if (status != VN_OK)
        return status;

    for (int i = 0; i < 6; ++i) {
        if (!isfinite((float)(v[i] + shift[i % 3])))
            return vni_scene_wrong(in, line, "the ends of a link must be below 1e38 metres");
    }

    if (!(v[6] >= 0 && v[6] <= 1e6))
        return vni_scene_wrong(in, line, "the cost of a link must be from 0 to 1e6 metres");

    vn_connection* connection = &in->out->connections[in->out->connection_count++];
    *connection = (vn_connection){.from = vec_of(v, shift),
                                  .to = vec_of(v + 3, shift),
                                  .cost = (float)v[6],
                                  .bidirectional = both,
                                  .id = line->number};

    return VN_OK;
}

static vn_status run_box(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                         const double* shift) {
    if (v[0] > v[3] || v[1] > v[4] || v[2] > v[5])
        return vni_scene_wrong(in, line, "the low corner of the box lies above the high one");

    vn_shape shape = {.kind = VN_SHAPE_BOX};
    shape.as.box.min = vec_of(v, shift);
    shape.as.box.max = vec_of(v + 3, shift);
    return add(in, line, &shape);
}

static vn_status run_oriented(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                              const double* shift) {
    const double none[3] = {0, 0, 0}, length = sqrt(v[6] * v[6] + v[7] * v[7] + v[8] * v[8]);
    if (!(length > 0))
        return vni_scene_wrong(in, line, "the axis of the rotation has no length");
    if (!isfinite(length))
        return vni_scene_wrong(in, line, "the axis of the rotation is too long");
    if (!(fabs(v[9]) <= MAX_DEGREES))
        return vni_scene_wrong(in, line, "the angle of the rotation must be within 1e9 degrees");

    double sine, cosine;
    vni_scene_turn(v[9] / 2, &sine, &cosine);
    const double s = sine / length;
    vn_shape shape = {.kind = VN_SHAPE_ORIENTED};
    shape.as.oriented.center = vec_of(v, shift);
    shape.as.oriented.half = vec_of(v + 3, none);
    shape.as.oriented.rotation =
        (vn_quat){(float)(v[6] * s), (float)(v[7] * s), (float)(v[8] * s), (float)cosine};

    return add(in, line, &shape);
}

static vn_status run_sphere(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                            const double* shift) {
    vn_shape shape = {.kind = VN_SHAPE_SPHERE};
    shape.as.sphere.center = vec_of(v, shift);
    shape.as.sphere.radius = (float)v[3];
    return v[3] < 0 ? vni_scene_wrong(in, line, "the radius is negative") : add(in, line, &shape);
}

static vn_status run_capsule(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                             const double* shift) {
    vn_shape shape = {.kind = VN_SHAPE_CAPSULE};
    shape.as.capsule.a = vec_of(v, shift);
    shape.as.capsule.b = vec_of(v + 3, shift);
    shape.as.capsule.radius = (float)v[6];
    return v[6] < 0 ? vni_scene_wrong(in, line, "the radius is negative") : add(in, line, &shape);
}

static vn_status run_cylinder(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                              const double* shift) {
    vn_shape shape = {.kind = VN_SHAPE_CYLINDER};
    shape.as.cylinder.a = vec_of(v, shift);
    shape.as.cylinder.b = vec_of(v + 3, shift);
    shape.as.cylinder.radius = (float)v[6];
    return v[6] < 0 ? vni_scene_wrong(in, line, "the radius is negative") : add(in, line, &shape);
}

static vn_status add_hull(vni_scene_reader* in, const vni_scene_line* line, const vn_vec3* points,
                          uint32_t count) {
    vn_detail detail = {0};
    vn_hull hull;
    vn_status status = vn_hull_from_points(&in->allocator, points, count, &hull, &detail);
    if (status != VN_OK)
        return refused(in, line, status, &detail);

    const vn_shape shape = vn_hull_shape(&hull);
    status = add(in, line, &shape);
    vn_hull_free(&hull);
    return status;
}

/// The points are in the `words` words that follow the first.
static vn_status run_hull(vni_scene_reader* in, const vni_scene_line* line, uint32_t words,
                          const double* shift) {
    const uint32_t count = words / 3;
    const size_t bytes = count * sizeof(vn_vec3);
    if (count < 4 || count * 3 != words)
        return vni_scene_wrong(in, line,
                               "a hull takes three numbers for each point, and at least four points");
    if (count > VNI_SCENE_MAX_POINTS)
        return vni_scene_wrong(in, line, "a hull takes 4096 points at most");

    vn_vec3* points = in->allocator.alloc(in->allocator.user, bytes);
    if (points == NULL)
        return vni_io_fail(in->detail, VN_OUT_OF_MEMORY, line->number, "no memory for the points of a hull");

    vn_status status = VN_OK;
    for (uint32_t i = 0; i < count && status == VN_OK; ++i) {
        double v[3] = {0, 0, 0};
        status = vni_scene_numbers(in, line, 1 + 3 * i, 3, v);
        points[i] = vec_of(v, shift);
    }

    if (status == VN_OK)
        status = add_hull(in, line, points, count);
    in->allocator.release(in->allocator.user, points, bytes);
    return status;
}

static vn_status run_hull_line(vni_scene_reader* in, const vni_scene_line* line, const double* shift) {
    return run_hull(in, line, line->count - 1, shift);
}

/// A shape command whose numbers are followed by a factor, the last word of the line.
static vn_status run_as_zone(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                             const double* shift, double factor,
                             vn_status (*shape)(vni_scene_reader* in, const vni_scene_line* line,
                                                const double* v, const double* shift)) {
    in->is_zone = true;
    in->factor = factor;
    const vn_status status = shape(in, line, v, shift);
    in->is_zone = false;
    return status;
}

static vn_status run_zone(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                          const double* shift) {
    return run_as_zone(in, line, v, shift, v[6], run_box);
}

static vn_status run_zone_oriented(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                                   const double* shift) {
    return run_as_zone(in, line, v, shift, v[10], run_oriented);
}

static vn_status run_zone_sphere(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                                 const double* shift) {
    return run_as_zone(in, line, v, shift, v[4], run_sphere);
}

static vn_status run_points(vni_scene_reader* in, const vni_scene_line* line, const double* v,
                            const double* shift) {
    (void)v;
    return run_hull(in, line, line->count - 2, shift);
}

static vn_status run_zone_hull(vni_scene_reader* in, const vni_scene_line* line, const double* shift) {
    double factor = 0;
    if (line->count < 2)
        return vni_scene_wrong(in, line, "expected: zone-hull x y z x y z ... factor");
    const vn_status status = vni_scene_numbers(in, line, line->count - 1, 1, &factor);
    return status == VN_OK ? run_as_zone(in, line, NULL, shift, factor, run_points) : status;
}

static vn_status run_mesh(vni_scene_reader* in, const vni_scene_line* line, const double* shift) {
    const bool solid = line->count == 3 && strcmp(vni_scene_word(in, line, 2), "solid") == 0;
    if (line->count != 2 && !solid)
        return vni_scene_wrong(in, line, "expected: mesh FILE [solid]");

    const vn_scene_mesh mesh = {.file = vni_scene_word(in, line, 1),
                                .solid = solid,
                                .shift = {shift[0], shift[1], shift[2]},
                                .flags = in->flags,
                                .line = line->number};
    if (in->def->add_mesh == NULL)
        return vni_io_fail(in->detail, VN_UNSUPPORTED, line->number,
                           "mesh '%.60s': meshes cannot be read here; use volnav's command line, or bake the "
                           "scene with it (volnav bake) and load that",
                           mesh.file);

    vn_detail detail = {0};
    const vn_status status = in->def->add_mesh(in->def->mesh_user, in->out->world, &mesh, &detail);
    if (status != VN_OK)
        return vni_io_fail(in->detail, status, line->number, "%s",
                           detail.text[0] != 0 ? detail.text : "the mesh named here cannot be used");
    return VN_OK;
}

static vn_status run_route(vni_scene_reader* in, const vni_scene_line* line, const double* shift) {
    double v[6];
    (void)shift;
    if (in->nesting > 0)
        return vni_scene_wrong(in, line, "this cannot stand inside repeat");
    if (line->count != 8)
        return vni_scene_wrong(in, line, "expected: route NAME x y z x y z");

    const vn_status status = vni_scene_numbers(in, line, 2, 6, v);
    if (status != VN_OK)
        return status;

    vn_scene_text* out = in->out;
    if (out->route_count == in->route_capacity &&
        !vni_io_grow(&in->allocator, &out->routes, &in->route_capacity, sizeof *out->routes))
        return vni_io_fail(in->detail, VN_OUT_OF_MEMORY, line->number, "no memory for more routes");

    const char* name = vni_scene_word(in, line, 1);
    const size_t length = strlen(name);
    vn_scene_route* route = &out->routes[out->route_count++];
    memset(route, 0, sizeof *route);
    memcpy(route->name, name, length < sizeof route->name ? length : sizeof route->name - 1);
    route->from = (vn_dvec3){v[0], v[1], v[2]};
    route->to = (vn_dvec3){v[3], v[4], v[5]};
    return VN_OK;
}

// ------------------------------------------------------------------------------------------- which command

typedef struct command {
    const char* word;
    uint32_t numbers;
    bool once; ///< not inside repeat
    vn_status (*run)(vni_scene_reader* in, const vni_scene_line* line, const double* v, const double* shift);
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
    vn_status (*run)(vni_scene_reader* in, const vni_scene_line* line, const double* shift);
} line_commands[] = {{"hull", run_hull_line},
                     {"zone-hull", run_zone_hull},
                     {"mesh", run_mesh},
                     {"link", run_connection},
                     {"route", run_route}};

static vn_status unknown(const vni_scene_reader* in, const vni_scene_line* line, const char* word) {
    static const char* const words[] = {"resolution",  "bounds",    "box",     "oriented", "sphere",
                                        "hull",        "mesh",      "flags",   "unknown",  "zone",
                                        "link",        "repeat",    "end",     "route",    "zone-oriented",
                                        "zone-sphere", "zone-hull", "capsule", "cylinder", NULL};

    const char* nearest = vni_scene_nearest(word, words);
    if (nearest != NULL)
        return vni_io_fail(in->detail, VN_BAD_FORMAT, line->number,
                           "unknown word '%.40s'; did you mean '%s'?", word, nearest);
    return vni_io_fail(in->detail, VN_BAD_FORMAT, line->number,
                       "unknown word '%.30s'; a line begins with resolution, bounds, box, oriented, sphere, "
                       "capsule, cylinder, hull, mesh, flags, unknown, zone, zone-oriented, zone-sphere, "
                       "zone-hull, link, repeat, end or route",
                       word);
}

/// Its numbers are read first, and there are as many as the table says.
static vn_status run_plain(vni_scene_reader* in, const vni_scene_line* line, const command* c,
                           const double* shift) {
    double v[11] = {0};
    if (c->once && in->nesting > 0)
        return vni_scene_wrong(in, line, "this cannot stand inside repeat");

    if (line->count != c->numbers + 1)
        return vni_scene_wrong(in, line, c->usage);

    const vn_status status = vni_scene_numbers(in, line, 1, c->numbers, v);
    return status == VN_OK ? c->run(in, line, v, shift) : status;
}

vn_status vni_scene_run_line(vni_scene_reader* in, const vni_scene_line* line, const double* shift) {
    const char* word = vni_scene_word(in, line, 0);
    for (size_t i = 0; i < sizeof plain_commands / sizeof *plain_commands; ++i) {
        if (strcmp(word, plain_commands[i].word) == 0)
            return run_plain(in, line, &plain_commands[i], shift);
    }

    for (size_t i = 0; i < sizeof line_commands / sizeof *line_commands; ++i) {
        if (strcmp(word, line_commands[i].word) == 0)
            return line_commands[i].run(in, line, shift);
    }

    return strcmp(word, "end") == 0 ? vni_scene_wrong(in, line, "end without repeat")
                                    : unknown(in, line, word);
}
